"""One line in the log when something we depend on fails, and one when it is back."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Outage:
    """Whether something works. what: its name at the beginning of a sentence, such as "Redis"."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._since: float | None = None

    def failed(self, why: object) -> None:
        """It fails; say so the first time since it worked."""
        if self._since is None:
            self._since = time.monotonic()
            logger.error("%s fails: %s", self._what, " ".join(str(why).split()))

    def over(self) -> None:
        """It works."""
        if self._since is not None:
            seconds, self._since = time.monotonic() - self._since, None
            logger.warning("%s works again, after %.1f seconds.", self._what, seconds)


class RedisAway(RuntimeError):
    """Redis, through which processes share their games, cannot be reached; `REDIS` knows."""


DATABASE, REDIS = Outage("The database"), Outage("Redis")
"""Of this process: whoever notices first tells it for all."""


async def until(met: Callable[[], bool], seconds: float) -> None:
    """Wait until a condition is met, but not for longer than *seconds*."""
    end = time.monotonic() + seconds
    while not met() and time.monotonic() < end:  # noqa: ASYNC110 nothing sets an event
        await asyncio.sleep(0.005)
