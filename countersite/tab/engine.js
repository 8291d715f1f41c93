// The tab's server: Python in a worker, with the site in it, and its files on the browser's own disk.

const BASE = new URL("../", import.meta.url).pathname;
const KEPT = ["games.sqlite3", "games.sqlite3-wal", "cookies.json", "secret-key", "release"];
const DATA = "/data";
const PATIENCE = 10_000;
const GONE = 1001;
const channel = new BroadcastChannel(`countersite ${BASE}`);
let host = null;
let due = 0;

/** The loop turns by itself when something is due. */
function rest(seconds) {
  clearTimeout(due);
  if (typeof seconds === "number") due = setTimeout(() => rest(host.turn()), 1000 * seconds);
}

function say(id, kind, facts, body) {
  const said = JSON.parse(facts);
  const bytes = body.toJs();
  body.destroy();
  if (kind === "answer") channel.postMessage({ answer: id, ...said, body: bytes });
  else channel.postMessage({ socket: id, kind, ...said });
}

function take({ data }) {
  const { ask, open, to, shut, jar, target } = data;
  if (data.anyone) channel.postMessage({ here: true });
  if (ask) rest(host.request(ask, jar, data.method, target, data.headers, new Uint8Array(data.body ?? 0)));
  if (open) {
    rest(host.connect(open, jar, target, []));
    navigator.locks.request(data.alive, () => rest(host.close(open, GONE)));
  }
  if (to) rest(host.receive(to, data.text));
  if (shut) rest(host.close(shut, data.code));
}

/** Have the files that must last written through to the browser's disk. False where there is none. */
async function disk(FS) {
  const files = new Map();
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(encodeURIComponent(BASE), { create: true });
    for (const name of KEPT) {
      const file = await folder.getFileHandle(name, { create: true });
      files.set(name, await held(file));
    }
  } catch {
    return false;
  }
  for (const [name, file] of files) {
    const path = `${DATA}/${name}`;
    const bytes = new Uint8Array(file.getSize());
    file.read(bytes, { at: 0 });
    if (bytes.length) FS.writeFile(path, bytes);
    else if (FS.analyzePath(path).exists) file.write(FS.readFile(path), { at: 0 });
    else continue;
    through(FS.lookupPath(path).node, file);
  }
  const folder = FS.lookupPath(DATA).node;
  const { mknod, unlink } = folder.node_ops;
  folder.node_ops = {
    ...folder.node_ops,
    mknod(parent, name, ...rest) {
      const node = mknod(parent, name, ...rest);
      if (files.has(name)) through(node, files.get(name));
      return node;
    },
    unlink(parent, name) {
      unlink(parent, name);
      files.get(name)?.truncate(0);
    },
  };
  return true;
}

/** The file for this worker alone. The tab that had it last may still be going. */
async function held(file) {
  for (const until = Date.now() + PATIENCE; ; await new Promise((later) => setTimeout(later, 50))) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (error.name !== "NoModificationAllowedError" || Date.now() > until) throw error;
    }
  }
}

/** Have *node* written to *file* whenever it is written. */
function through(node, file) {
  const { write } = node.stream_ops;
  const { setattr } = node.node_ops;
  node.stream_ops = {
    ...node.stream_ops,
    write(stream, buffer, offset, length, position) {
      const wrote = write(stream, buffer, offset, length, position, false);
      file.write(buffer.subarray(offset, offset + wrote), { at: position });
      return wrote;
    },
  };
  node.node_ops = {
    ...node.node_ops,
    setattr(of, facts) {
      setattr(of, facts);
      if (facts.size !== undefined) file.truncate(facts.size);
    },
  };
}

async function start() {
  const { loadPyodide } = await import(`${BASE}tab/python/pyodide.mjs`);
  const [python, site] = await Promise.all([
    loadPyodide({ env: { HOME: DATA, TZ: Intl.DateTimeFormat().resolvedOptions().timeZone } }),
    fetch(`${BASE}tab/site.zip`).then((answer) => answer.arrayBuffer()),
  ]);
  postMessage({ stage: "python" });
  python.unpackArchive(site, "zip", { extractDir: "/" }); // with an empty database
  const lasts = await disk(python.FS);
  python.runPython("import sys; sys.path.insert(0, '/site')");
  host = python.pyimport("countersite.tab.host").start(location.origin + BASE, DATA, say);
  channel.addEventListener("message", take);
  channel.postMessage({ up: true });
  rest(host.turn());
  postMessage({ stage: "up", lasts });
}

start().catch((error) => postMessage({ stage: "failed", error: String(error) }));
