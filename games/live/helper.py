"""Helper processes for long work, so that no table waits for it.

Python runs one thread at a time, so whatever a page computes in this process holds up taps. The
server starts a helper when it first needs it; scripts and tests have none.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, connection, get_context, parent_process
from typing import Any, TypeVar

import django
from django.db import connections

from games.store import limits

T = TypeVar("T")

NICENESS = 10
"""The niceness of a helper process."""


class Helper:
    """Runs functions of modules in a process of its own, one after the other.

    allowed: whether it may start one, as a server does, where the system can. started: whether it
    has had any work.
    """

    def __init__(self) -> None:
        self.allowed = self.started = False
        self._pool: ProcessPoolExecutor | None = None

    def allow(self) -> None:
        """Start a process from now on when there is work for one."""
        try:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), _begin)
            self.allowed = True
        except (ImportError, OSError):  # no semaphores, as without /dev/shm
            self.allowed = False

    def submit(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        """The result of *function*; raises BrokenProcessPool if the process dies.

        The next work starts another process.
        """
        self.started = True
        assert self._pool is not None, "a helper that is not allowed"
        try:
            return self._pool.submit(_call, function, arguments)
        except BrokenProcessPool:
            self.allow()
            return self._pool.submit(_call, function, arguments)

    def warm(self, function: Callable[..., T], *arguments: Any) -> None:
        """Start the process before there is work, and have it load what *function* needs."""
        if self.allowed and not self.started:
            self.submit(function, *arguments)

    def close(self) -> None:
        """Kill the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.kill()
        self._pool, self.allowed = None, False


def _begin() -> None:
    """Set up a helper: low priority, ignores SIGINT, exits with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    if server := parent_process():
        threading.Thread(target=_end_with, args=(server.sentinel,), daemon=True).start()
    django.setup()
    limits.limit_sessions()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # as the server: a tenth of a summary's values at a time


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)


def _call(function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    try:
        return function(*arguments)
    finally:
        connections.close_all()


logs, files = Helper(), Helper()
"""For pages about a long log; for files, which may take a minute, while others read logs."""
HELPERS = logs, files
