"""Which thread Python runs next: the loop as soon as it asks, a page when the loop is idle.

Python runs one thread at a time, and the loop lets go of that turn whenever it reads a socket,
writes one or asks SQLite for something, some fifteen times a tap. A page that is being computed
takes it then, and lets go when it is told to: after `SWITCH`, and after as long again as the kernel
is late in waking whoever waits. By itself it may be late by 50 microseconds (prctl(2),
PR_SET_TIMERSLACK). Here it is on time for the loop, and so late for pages that the loop computes a
whole tap before one of them asks it for the turn.

Where both have the same processor, the kernel shares it out between threads of the same weight: a
page that begins after a tap computes until the next tick of the clock, some four milliseconds,
before the loop is let in again. So pages weigh less.
"""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

SWITCH = 0.000_05
"""Seconds for which a thread computes before it lets another one; Python's five milliseconds are
felt. With ten microseconds on one processor, switching would take all of it."""
ON_TIME, LATE = 1, 300_000
"""Nanoseconds by which the kernel may be late: for the loop, and for threads that stand back."""
NICENESS = 5
"""How much nicer those threads are (nice(1)). Not more: the loop waits for a page that has Python's
turn, and so for whatever else the machine does before it lets that page go on."""


def first() -> None:
    """Let this thread, the loop's, run as soon as it can; so do the threads that it starts."""
    sys.setswitchinterval(SWITCH)
    _woken_late_by(ON_TIME)


def threads(most: int, name: str) -> ThreadPoolExecutor:
    """So many threads that stand back for the loop's."""
    return ThreadPoolExecutor(most, name, _stand_back)


def _stand_back() -> None:
    _woken_late_by(LATE)
    if sys.platform == "linux":  # elsewhere only processes have a priority
        thread = threading.get_native_id()
        nice = os.getpriority(os.PRIO_PROCESS, thread) + NICENESS
        os.setpriority(os.PRIO_PROCESS, thread, min(nice, 19))


def _woken_late_by(nanoseconds: int) -> None:
    with suppress(OSError):  # not on Linux
        path = Path(f"/proc/{threading.get_native_id()}/timerslack_ns")
        path.write_text(str(nanoseconds))
