"""What the machine gives to work: threads for what may block, a way from them to the loop, a clock.

A server takes these as they stand. Where there are no threads (`countersite.tab`), others take
their places before anything else is imported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, Protocol, TypeVar

from asgiref.sync import async_to_sync

P = ParamSpec("P")
T = TypeVar("T")


class Ask(Protocol):
    """Makes of a coroutine function one that blocks, for a page: the call runs in the loop."""

    def __call__(self, call: Callable[P, Coroutine[Any, Any, T]], /) -> Callable[P, T]: ...


pool: Callable[[int, str], ThreadPoolExecutor] = ThreadPoolExecutor
"""So many threads of a name, for what must not block the loop."""
ask: Ask = async_to_sync
busy: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)
"""A clock of the seconds in which this thread computed; of all seconds, where there is no such."""
