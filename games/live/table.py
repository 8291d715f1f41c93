"""One running game: its history in memory, its seats' lines, its order of commands.

Commands are resolved at once, one after another, and kept from every screen until the journal has
them on disk: `history` is what has been decided, `state` and `number` are what has been saved and
may be shown. Every frame carries the number it leads to; a screen that comes back says the number
it has and gets what it missed, or the whole board.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_noop as _

from games.rules.history import Applied, History
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.fragments import Audience, sequence
from games.screens.updates import Screens

from .connection import Connection, Frame

if TYPE_CHECKING:
    from .journal import Journal, Outcome, Reply

logger = logging.getLogger(__name__)

RECENT = 64
"""Frames kept for each audience, for screens that were away for a moment."""
MOST_CONNECTIONS = 600
"""Screens at one table; 200 seats with a phone, a tablet and a television each."""


Broadcast = tuple[Frame, Collection[Connection]]
"""A frame, and the lines it is for."""

OVER = Refused(
    "over", _("This game has been replaced by a new one. You can read it but not change it.")
)
"""What a game says to everything that would change it, once its rematch has begun."""
BROKEN = 4511
RESTART = 4512
"""Close codes after which a phone dials again: 1011 and 1012 of RFC 6455, which autobahn refuses to
send; it sends 1000 and 3000 to 4999 only."""


class Running(ABC):
    """A running game as the doors see it, whether it is played here or in another process."""

    slug: str
    number: int
    """Of the last entry that may be shown."""
    system: System
    """The rule system, in this game's edition."""

    @abstractmethod
    def has_seat(self, seat: str) -> bool:
        """Whether there is such a seat."""

    @abstractmethod
    def take(self, raw: Mapping[str, Any], seat: str, reply: Reply) -> None:
        """Let *seat* give a command; *reply* is called once its outcome is on disk.

        The one way in, whichever door a command came by.
        """

    async def give(self, raw: Mapping[str, Any], seat: str) -> Applied:
        """Give a command; return what it did once that is on disk.

        Raises Refused: by the rules, or "not-saved" by the disk.
        """
        answer: asyncio.Future[Applied] = asyncio.get_running_loop().create_future()

        def reply(outcome: Outcome) -> None:
            if answer.cancelled():
                return
            if isinstance(outcome, Refused):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)

        self.take(raw, seat, reply)
        return await answer

    @abstractmethod
    def join(self, connection: Connection, since: int | None) -> None:
        """Bring *line* up to date from number *since* and keep it so.

        since: None for a screen that has nothing yet.
        """

    @abstractmethod
    def leave(self, connection: Connection) -> None:
        """Forget *line*."""

    @abstractmethod
    def connections(self) -> list[Connection]:
        """The open lines of this process."""


class Table(Running):
    """A game that is being played in this process.

    load: reads the game back from disk; called in a thread. gave_up: what to call when that fails.
    saving: a commit with its commands is on its way in the journal's thread. over: it was played
    again, and takes no command any more.
    """

    def __init__(
        self,
        game_id: int,
        slug: str,
        history: History,
        screens: Screens,
        *,
        load: Callable[[], History],
        gave_up: Callable[[Table], None],
        journal: Journal,
        aside: Executor,
        over: bool = False,
    ) -> None:
        self.game_id = game_id
        self.slug = slug
        self.system = history.system
        self.screens = screens
        self.saving = False
        self.over = over
        self._load = load
        self._gave_up = gave_up
        self._journal = journal
        self._aside = aside
        self._connections: dict[Audience, set[Connection]] = {}
        self._recent: dict[Audience, deque[tuple[int, int, Frame]]] = {}
        self._busy = False
        self._going_back = False
        self._task: asyncio.Task[None] | None = None
        self._queue: deque[tuple[Mapping[str, Any], str, Reply]] = deque()
        self._start_from(history)

    def _start_from(self, history: History) -> None:
        self.history = history
        self.state: GameState = history.state
        self.number = history.number
        self._recent.clear()

    # Commands

    def take(self, raw: Mapping[str, Any], seat: str, reply: Reply) -> None:
        if self._busy:
            self._queue.append((raw, seat, reply))
            return
        command = {**raw, "by": seat}
        if self.over:
            self._journal.add(self, OVER, reply)
            return
        if command.get("do") in ("undo", "redo"):
            self._busy = True
            self._task = asyncio.ensure_future(self._take_back(command, reply))
        else:
            self._journal.add(self, self._outcome(command), reply)

    def _outcome(self, command: Mapping[str, Any]) -> Outcome:
        try:
            return self.history.give(command)
        except Refused as refused:
            return refused
        except Exception:
            logger.exception("Table %s broke over %r.", self.slug, command)
            return Refused("broken", _("Something went wrong on the server. Nothing was changed."))

    async def _take_back(self, command: Mapping[str, Any], reply: Reply) -> None:
        """Undo or redo in a thread: it may read a long log and resolve all of it again.

        Meanwhile the other tables go on, and this one's commands wait in their order.
        """
        outcome: Outcome
        await self._journal.settled()
        if self._going_back:
            outcome = not_saved()
        else:
            loop = asyncio.get_running_loop()
            outcome = await loop.run_in_executor(self._aside, self._outcome, command)
        self._journal.add(self, outcome, reply)
        self._go_on()

    def _go_on(self) -> None:
        """Take what waited, up to the next command that has to be resolved aside."""
        self._busy = self._going_back
        while self._queue and not self._busy:
            self.take(*self._queue.popleft())

    def has_seat(self, seat: str) -> bool:
        return seat in self.state.seats

    @property
    def idle(self) -> bool:
        """Nobody looks on, and nothing is under way."""
        return not (
            self._connections
            or self._busy
            or self._queue
            or self.saving
            or self._journal.holds(self)
        )

    # What the journal says

    def saved(self, givens: Sequence[Applied]) -> list[Broadcast]:
        """Take what is on disk now for shown; return the frames that show it."""
        given = merged(givens)
        assert given.entry is not None
        before, self.number = self.number, given.entry.number
        self.state = given.after
        self.history.saved(self.number)
        return [
            (frame, connections)
            for audience, connections in list(self._connections.items())
            if (frame := self._drawn(given, before, givens, audience))
        ]

    def not_saved(self, replies: Iterable[tuple[Reply, Outcome]]) -> None:
        """Go back to what is on disk, show it, and tell the senders."""
        self._busy = self._going_back = True
        senders = [reply for reply, outcome in replies]
        self._task = asyncio.ensure_future(self._go_back(senders))

    async def _go_back(self, replies: Sequence[Reply]) -> None:
        loop = asyncio.get_running_loop()
        try:
            self._start_from(await loop.run_in_executor(self._aside, self._load))
        except Exception:
            logger.exception("Table %s could not be read back; it is closed.", self.slug)
            self._gave_up(self)
            self.hang_up(RESTART, "restart")
        self.show_boards()
        for reply in replies:
            reply(not_saved())
        self._going_back = False
        self._go_on()

    # Screens

    def join(self, connection: Connection, since: int | None) -> None:
        self._connections.setdefault(connection.audience, set()).add(connection)
        connection.caught_up = partial(self._send_board, connection)
        missed = self._missed(connection.audience, since)
        if since != self.number and not missed:
            self._send_board(connection)
            return
        for frame in missed:
            connection.send(frame)
        # What stands beside the board has no number: it may have changed meanwhile.
        connection.send(Frame(self.screens.sidebar(connection.audience) + sequence(self.number)))

    def leave(self, connection: Connection) -> None:
        connections = self._connections.get(connection.audience)
        if connections is not None:
            connections.discard(connection)
            if not connections:
                del self._connections[connection.audience]
                self._recent.pop(connection.audience, None)

    def connections(self) -> list[Connection]:
        return [
            connection for connections in self._connections.values() for connection in connections
        ]

    def hang_up(self, code: int, reason: str, device: str | None = None) -> None:
        """Close the lines of a device (its hash), or all."""
        for connection in self.connections():
            if device is None or connection.device == device:
                self.leave(connection)
                connection.close(code, reason)

    def show_boards(self) -> None:
        """Send every screen its whole board: something changed that is no command."""
        self._recent.clear()
        for connection in self.connections():
            self._send_board(connection)

    def push_sidebar(self) -> None:
        """Send every screen what stands beside the board, and nothing else."""
        for audience, connections in self._connections.items():
            frame = Frame(self.screens.sidebar(audience))
            for connection in list(connections):
                connection.send(frame)

    def _missed(self, audience: Audience, since: int | None) -> list[Frame]:
        """The kept frames after number *since*; empty unless they reach back so far."""
        recent = self._recent.get(audience)
        if since is None or not recent or not recent[0][0] <= since < self.number:
            return []
        return [frame for before, after, frame in recent if after > since]

    def _drawn(
        self, given: Applied, before: int, givens: Sequence[Applied], audience: Audience
    ) -> Frame | None:
        """The frame that shows an audience what was given; its lines are closed if that fails."""
        try:
            changes = self.screens.changes(given, audience) + self.screens.chance(given, audience)
            acks, by = accepted(givens, audience), self._actor(givens)
            vain = accepted([given for given in givens if _idle(given)], audience)
            frame = Frame(changes + sequence(self.number, acks, by=by, idle=vain))
        except Exception:
            logger.exception("Table %s could not be shown.", self.slug)
            self._recent.pop(audience, None)
            for connection in list(self._connections[audience]):
                connection.close(BROKEN, "broken")
            return None
        recent = self._recent.get(audience)
        if recent is None:
            recent = self._recent[audience] = deque(maxlen=RECENT)
        recent.append((before, self.number, frame))
        return frame

    def _actor(self, givens: Sequence[Applied]) -> str:
        """The one seat that gave these commands; empty if several did or nobody may know."""
        if self.history.system.view is not None:
            return ""
        actors = {given.entry.by for given in givens if given.entry}
        return actors.pop() if len(actors) == 1 else ""

    def _send_board(self, connection: Connection) -> None:
        board = self.screens.board(self.state, connection.seat, connection.audience)
        sidebar = self.screens.sidebar(connection.audience)
        connection.send(Frame(board + sidebar + sequence(self.number)))


def merged(givens: Sequence[Applied]) -> Applied:
    """Several commands as one change, with the events of all: what is shown is absolute."""
    if len(givens) == 1:
        return givens[0]
    places = [given.touched for given in givens]
    touched = None if None in places else frozenset().union(*[each for each in places if each])
    last = givens[-1]
    assert last.entry is not None
    events = tuple([event for given in givens if given.entry for event in given.entry.events])
    entry = replace(last.entry, events=events)
    return replace(last, entry=entry, before=givens[0].before, touched=touched)


def accepted(givens: Sequence[Applied], audience: Audience) -> list[str]:
    """The ids of the commands that an audience gave and may forget now."""
    return [
        given.entry.id
        for given in givens
        if given.entry and given.entry.id and audience.seat in (None, given.entry.by)
    ]


def _idle(given: Applied) -> bool:
    """Whether a command was accepted and changed nothing."""
    return given.entry is not None and not given.entry.events


def not_saved() -> Refused:
    """What a sender is told when the disk refuses."""
    return Refused("not-saved", _("That couldn’t be saved, so nothing was changed. Try again."))
