"""A server that notes how long each turn of its loop holds up the next: `python -m tests.held FILE
table …`, or several of them one after the other in one FILE of `TURN`s.

What a tap waits for, apart from its own work, is the turn that the loop is in. Its processor time
says what that turn computed; its seconds also what it waited for, above all for threads that
compute a page, since Python runs one at a time.
"""

from __future__ import annotations

import os
import selectors
import struct
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

TURN = struct.Struct("ddd")
"""The end of a turn (time.monotonic), its seconds, and its seconds on the processor."""
AT_ONCE = 512
"""Turns that are written to the file together."""


def turns(file: Path, since: float, until: float) -> Iterator[tuple[float, float]]:
    """The milliseconds, and those on the processor, of the turns that ended between two moments."""
    noted = file.read_bytes()
    for at, held, computed in TURN.iter_unpack(noted[: len(noted) // TURN.size * TURN.size]):
        if since <= at <= until:
            yield held * 1000, computed * 1000


def note_turns(file: Path) -> None:
    """Note every turn of the main loop of this process from now on, until it is killed."""
    out = file.open("ab", buffering=AT_ONCE * TURN.size)
    select = selectors.EpollSelector.select
    began: list[float] = []

    def selected(self: Any, timeout: float | None = None) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return select(self, timeout)  # a page's own loop, or a driver's
        if began:
            now, on = time.monotonic(), time.thread_time()
            out.write(TURN.pack(now, now - began[0], on - began[1]))
        ready = select(self, timeout)
        began[:] = time.monotonic(), time.thread_time()
        return ready

    selectors.EpollSelector.select = selected  # type: ignore[method-assign]


def main(file: Path, arguments: Sequence[str]) -> None:
    """Run `manage.py` with *arguments*."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "countersite.settings")
    from countersite import first_run

    first_run.prepare(list(arguments))
    note_turns(file)
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *arguments])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
