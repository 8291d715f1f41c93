/* Records what a process asks of its disk, and when it answers a phone: preloaded by `LD_PRELOAD`.

   RECORD names the record, RECORDED the folder whose files count. Each entry is a head and the
   path and the bytes that belong to it: 'w' bytes written at an offset, 't' a file cut to a length,
   'b' and 'e' the begin and the end of a sync (of all, without
   a path), 'u' a file deleted, 's' a frame that acknowledges.
   A write is recorded once it is done, and an answer before it leaves, so that what the record
   calls safe is never more than what was. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define ORIGINAL(name) \
    static __typeof__(&name) original; \
    if (!original) original = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

struct head { uint32_t op, thread, path, size; uint64_t offset; };

static int record = -1;
static const char *folder;

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("RECORD");
    folder = getenv("RECORDED");
    if (name && folder)
        record = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(char op, const char *path, uint64_t offset, const void *data, size_t size)
{
    struct head head = {op, (uint32_t)syscall(SYS_gettid), strlen(path), size, offset};
    struct iovec parts[3] = {
        {&head, sizeof head}, {(void *)path, head.path}, {(void *)data, size}};
    if (syscall(SYS_writev, record, parts, 3) != (long)(sizeof head + head.path + size))
        abort();
}

static int counts(int file, char *path)
{
    char link[64];
    if (record < 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, 4095);
    if (size <= 0)
        return 0;
    path[size] = 0;
    return !strncmp(path, folder, strlen(folder)) && !strstr(path, "-shm");
}

ssize_t write(int file, const void *data, size_t size)
{
    ORIGINAL(write);
    char path[4096];
    ssize_t done = original(file, data, size);
    if (done > 0 && counts(file, path)) /* written at the end or in a row: the place is behind it */
        note('w', path, lseek(file, 0, SEEK_CUR) - done, data, done);
    return done;
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset)
{
    ORIGINAL(pwrite64);
    char path[4096];
    ssize_t done = original(file, data, size, offset);
    if (done > 0 && counts(file, path))
        note('w', path, offset, data, done);
    return done;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset)
{
    return pwrite64(file, data, size, offset);
}

int ftruncate64(int file, off64_t size)
{
    ORIGINAL(ftruncate64);
    char path[4096];
    int failed = original(file, size);
    if (!failed && counts(file, path))
        note('t', path, size, "", 0);
    return failed;
}

int ftruncate(int file, off_t size)
{
    return ftruncate64(file, size);
}

int fdatasync(int file)
{
    ORIGINAL(fdatasync);
    char path[4096];
    int here = counts(file, path);
    if (here)
        note('b', path, 0, "", 0);
    int failed = original(file);
    if (here && !failed)
        note('e', path, 0, "", 0);
    return failed;
}

int fsync(int file)
{
    ORIGINAL(fsync);
    char path[4096];
    int here = counts(file, path);
    if (here)
        note('b', path, 0, "", 0);
    int failed = original(file);
    if (here && !failed)
        note('e', path, 0, "", 0);
    return failed;
}

void sync(void)
{
    ORIGINAL(sync);
    if (record >= 0)
        note('b', "", 0, "", 0);
    original();
    if (record >= 0)
        note('e', "", 0, "", 0);
}

int unlink(const char *path)
{
    ORIGINAL(unlink);
    int failed = original(path);
    if (!failed && record >= 0 && !strncmp(path, folder, strlen(folder)) && !strstr(path, "-shm"))
        note('u', path, 0, "", 0);
    return failed;
}

ssize_t send(int file, const void *data, size_t size, int flags)
{
    ORIGINAL(send);
    if (record >= 0 && memmem(data, size, "data-acks", 9))
        note('s', "", 0, data, size);
    return original(file, data, size, flags);
}
