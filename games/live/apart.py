"""Work that takes long, in a process of its own, so that no table waits for it.

Python runs one thread at a time: whatever a page computes in a thread holds up every tap. The
server starts a helper process when it first needs it; scripts and tests have none, and do the work
where they are.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import connection, get_context, parent_process
from typing import Any, TypeVar

import django
from django.db import InterfaceError, OperationalError, connections

from games.store.turns import waiting

logger = logging.getLogger(__name__)
T = TypeVar("T")

NICENESS = 10
"""How far the helper stands back behind the tables."""


class Apart:
    """Runs functions in a helper process, one after the other.

    also_here: whether what the helper died of is done again in this process.
    """

    def __init__(self, also_here: bool = True) -> None:
        self.allowed = False
        self._also_here = also_here
        self.here = threading.Lock()
        """For long work that is done in this process all the same: taps compete with one thread of
        it at most, however many ask."""
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def allow(self) -> None:
        """Use a helper process from now on. Only a server does that."""
        self.allowed = True

    def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """What *function*, of a module, returns. Blocks: call it in a thread, never in a loop.

        Raises BrokenProcessPool if the helper died and this process may not do it instead.
        """
        if not self.allowed:
            return function(*arguments)
        try:
            with waiting():
                return self.submit(function, *arguments).result()
        except BrokenProcessPool:
            self.close()
            if not self._also_here:
                logger.warning("The helper process died.")
                raise
            logger.warning("The helper process was gone; this is done here.")
            return function(*arguments)

    def submit(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        """What the helper process will return, without waiting for it; only for a server.

        It fails with BrokenProcessPool if the helper dies.
        """
        return self._started().submit(_call, function, arguments)

    def tell(self, function: Callable[..., None], *arguments: Any) -> None:
        """Let the helper process call *function*, if there is one, without waiting for it."""
        with self._lock, suppress(RuntimeError):  # it is broken, or being closed
            if self._pool is not None:
                self._pool.submit(function, *arguments)

    def close(self) -> None:
        """End the helper process; `run` starts another."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                try:
                    self._pool = ProcessPoolExecutor(1, get_context("spawn"), _begin)
                except (ImportError, OSError) as error:  # no semaphores, as without /dev/shm
                    raise BrokenProcessPool(f"It could not start: {error}") from error
            return self._pool


def _begin() -> None:
    """Begin as a helper: behind the tables, deaf to Ctrl-C, and gone when the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpriority"):  # not on Windows
        behind = os.getpriority(os.PRIO_PROCESS, os.getppid()) + NICENESS
        os.setpriority(os.PRIO_PROCESS, 0, min(behind, 19))
    server = parent_process()
    if server is not None:
        threading.Thread(target=_end_with, args=(server.sentinel,), daemon=True).start()
    django.setup()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # as the server: a tenth of a summary's values at a time


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)


def _call(function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    """Call *function*; once more on a new connection if the database's has broken."""
    try:
        return function(*arguments)
    except (InterfaceError, OperationalError):
        connections.close_all()
        return function(*arguments)


apart = Apart()
"""The helper of this process for what pages show."""
