"""An event loop and thread pools for a machine with one thread.

Nothing waits for a socket here: whatever comes, comes with a call, after which the loop is turned
until nothing is due. So a page may ask the loop and wait for the answer: the loop goes on turning
under it. That needs nothing of the browser that an old phone lacks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context, copy_context
from functools import wraps
from heapq import heappop, heappush
from itertools import count
from typing import Any, ParamSpec, TypeVar

logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def running(loop: Any) -> Iterator[None]:
    """Have *loop* be the one that runs, or none, as in a thread."""
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


class Inline(ThreadPoolExecutor):
    """A pool without threads: work is done when it is given."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            with running(None):
                future.set_result(work(*args, **named))
        except BaseException as error:
            future.set_exception(error)
        return future


class Loop:
    """As much of `asyncio.AbstractEventLoop` as futures, tasks and timers ask for.

    It is turned from outside, and from within its own callbacks.
    """

    def __init__(self) -> None:
        self._ready: deque[tuple[asyncio.Handle, Callable[[], object]]] = deque()
        self._later: list[tuple[float, int, asyncio.Handle, Callable[[], object]]] = []
        self._order = count()
        self._pool = Inline(1)

    def turn(self) -> float | None:
        """Do what is due and what follows; the seconds until more is, None if nothing will be."""
        with running(self):
            while self._step():
                pass
        return max(0.0, self._later[0][0] - self.time()) if self._later else None

    def run_until_complete(self, work: Any) -> Any:
        """The result of *work*. What else is due is done meanwhile."""
        here: Any = self
        with running(self):
            outside: Any = asyncio.current_task()
            if outside:
                asyncio._leave_task(here, outside)
            try:
                future = asyncio.ensure_future(work, loop=here)
                while not future.done():
                    if not self._step():
                        time.sleep(max(0.0, self._later[0][0] - self.time()))
                return future.result()
            finally:
                if outside:
                    asyncio._enter_task(here, outside)

    def ask(self, call: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
        """`games.store.threads.ask`, of this loop."""

        @wraps(call)
        def asked(*args: P.args, **named: P.kwargs) -> T:
            return self.run_until_complete(call(*args, **named))  # type: ignore[no-any-return]

        return asked

    def _step(self) -> bool:
        while self._later and self._later[0][0] <= self.time():
            _when, _order, handle, run = heappop(self._later)
            self._ready.append((handle, run))
        if not self._ready:
            return False
        handle, run = self._ready.popleft()
        if not handle.cancelled():
            try:
                run()
            except Exception as error:
                self.call_exception_handler({"message": "A callback failed.", "exception": error})
        return True

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> Any:
        handle, run = self._call(callback, args, context)
        self._ready.append((handle, run))
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay: float, callback: Any, *args: Any, **named: Any) -> Any:
        return self.call_at(self.time() + delay, callback, *args, **named)

    def call_at(
        self, when: float, callback: Any, *args: Any, context: Context | None = None
    ) -> Any:
        handle, run = self._call(callback, args, context)
        heappush(self._later, (when, next(self._order), handle, run))
        return handle

    def _call(self, callback: Any, args: Any, context: Context | None) -> Any:
        here: Any = self
        where = context or copy_context()
        return asyncio.Handle(callback, args, here, where), lambda: where.run(callback, *args)

    def time(self) -> float:
        return time.monotonic()

    def create_future(self) -> asyncio.Future[Any]:
        here: Any = self
        return asyncio.Future(loop=here)

    def create_task(self, work: Any, **named: Any) -> asyncio.Task[Any]:
        here: Any = self
        return asyncio.Task(work, loop=here, **named)

    def run_in_executor(self, executor: Any, work: Any, *args: Any) -> asyncio.Future[Any]:
        here: Any = self
        return asyncio.wrap_future((executor or self._pool).submit(work, *args), loop=here)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        logger.error(context["message"], exc_info=context.get("exception"))

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def get_debug(self) -> bool:
        return False
