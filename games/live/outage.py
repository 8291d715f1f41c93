"""One line in the log when something we depend on fails, and one when it is back."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Outage:
    """The state of a dependency. what: its name at the start of a sentence, such as "Redis"."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._since: float | None = None

    @property
    def away(self) -> bool:
        """True if it has failed and not worked since."""
        return self._since is not None

    def failed(self, why: object) -> None:
        """Log the first failure since it last worked."""
        if self._since is None:
            self._since = time.monotonic()
            logger.error("%s fails: %s", self._what, " ".join(str(why).split()))

    def over(self) -> None:
        """Log the recovery, if it had failed."""
        if self._since is not None:
            seconds, self._since = time.monotonic() - self._since, None
            logger.warning("%s works again, after %.1f seconds.", self._what, seconds)


class RedisAway(RuntimeError):
    """Redis, through which processes share their games, cannot be reached; `REDIS` knows."""


DATABASE, REDIS = Outage("The database"), Outage("Redis")
"""Shared by all callers of this process: the first to notice logs it."""


async def until(met: Callable[[], bool], seconds: float) -> None:
    """Wait until a condition is met, or a timeout in *seconds*."""
    end = time.monotonic() + seconds
    while not met() and time.monotonic() < end:  # noqa: ASYNC110 nothing sets an event
        await asyncio.sleep(0.005)
