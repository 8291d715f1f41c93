"""The work of commands: how much of it the loop does in one go, and in which order the rest.

A command is worked out at once while commands have taken less than `TURN` of this turn of the loop.
The others wait at their tables, which get the loop back one at a time, in the order of a fair
queue. What is known to be long waits in another for one of a few threads. Both are charged with the
time that each phone, table and address has used, as the queues of pages are.
"""

from __future__ import annotations

import asyncio

from games.store import threads

from .fair_queue import FairQueue

TURN = 0.01
"""Seconds on the processor for commands in one turn of the loop; the last of them may take more."""


class Work:
    """The loop and the background threads, as commands share them.

    loop, threads: the queues for them.
    """

    def __init__(self, threads: int) -> None:
        self.loop, self.threads = FairQueue(1), FairQueue(threads)
        self._began: list[float] = []

    def over(self) -> bool:
        """True if commands have had their part of this turn of the loop, which begins if it has
        not.
        """
        now = threads.busy()
        if not self._began:
            self._began.append(now)
            asyncio.get_running_loop().call_soon(self._began.clear)
        return now - self._began[0] > TURN
