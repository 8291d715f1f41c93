"""A tunnel to this machine, for phones that are elsewhere: `countersite table --public`."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue

PROGRAMS = {
    "cloudflared": ("tunnel", "--no-autoupdate", "--url", "http://127.0.0.1:{port}"),
    "tailscale": ("funnel", "{port}"),
}
"""The programs that make one, the first that is installed; and what they are called with."""
NAME = re.compile(r"https://([\w-]+\.trycloudflare\.com|[\w.-]+\.ts\.net)")
"""The name of the tunnel in what the program prints."""
PATIENCE = 30.0
"""Seconds that the program may take to say it."""


class NoTunnel(Exception):
    """There is no tunnel, and why, in words."""


@contextmanager
def tunnel(port: int) -> Iterator[str]:
    """A tunnel to that port of this machine, by its host name, until the end. Raises NoTunnel."""
    program = next(filter(shutil.which, PROGRAMS), None)
    if program is None:
        raise NoTunnel(
            "Neither cloudflared nor tailscale is installed, and one of them has to lead phones "
            "from the internet to this machine. Install one (cloudflared needs no account), then "
            "run this again."
        )
    arguments = [each.format(port=port) for each in PROGRAMS[program]]
    running = subprocess.Popen(
        [program, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,  # Ctrl-C is for the table; this ends after it
    )  # fmt: skip
    try:
        yield _name(running, program)
    finally:
        running.terminate()
        running.wait()


def _name(running: subprocess.Popen[str], program: str) -> str:
    """What the program calls its tunnel. It prints more later, which is read. Raises NoTunnel."""
    names: SimpleQueue[str] = SimpleQueue()
    said: deque[str] = deque(maxlen=3)

    def read() -> None:
        assert running.stdout is not None
        with running.stdout as lines:
            for line in lines:
                said.append(line)
                if found := NAME.search(line):
                    names.put(found[1])
        names.put("")

    threading.Thread(target=read, daemon=True).start()
    with suppress(Empty):
        if name := names.get(timeout=PATIENCE):
            return name
    last = " ".join("".join(said).split())
    raise NoTunnel(
        f"{program} made no tunnel. {f'It said: {last}' if last else 'It said nothing.'}"
    )
