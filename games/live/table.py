"""One running game: its history in memory, its connections and its queue of commands.

A table resolves commands at once, one after another, and shows nothing before the journal has it on
disk: `history` is what has been decided; `state` and `number` are what has been saved and may be
shown. Every frame carries the number it leads to. A screen that reconnects says which number it has
and gets the frames it missed, or the whole board.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError
from django.utils.translation import gettext_noop as _

from games.rules import audiences, secrecy
from games.rules.history import Applied, History
from games.rules.state import GameState, Refused
from games.screens.document import Feed
from games.screens.fragments import MORPH, Audience, sequence
from games.screens.updates import Screens
from games.store import disk
from games.store.sql import retried
from games.systems import presentation_of

from .connection import Connection, Frame
from .outage import DATABASE
from .running_game import RunningGame

if TYPE_CHECKING:
    from .journal import Journal, Outcome, Reply, Share

logger = logging.getLogger(__name__)

RECENT = 64
"""Frames kept per audience, for screens that were away for a moment."""
MOST_WATCHERS, MOST_SEATED = 300, 600
"""Screens at one table: of watchers, and of 200 seats with a phone, a tablet and a television each.

Watchers never take the place of a seat's phone."""
MOST_OF_DEVICE = 12
"""Screens of one device at one table: its tabs, and one that is being replaced."""


Broadcast = tuple[Frame, Collection[Connection]]
"""A frame and the connections it is for."""

OVER = Refused(
    "over", _("This game has been replaced by a new one. You can read it but not change it.")
)
"""The refusal of every change to a game whose rematch has begun."""
BROKEN = 4511
MOST_QUEUED = 2_000
"""Commands that wait at a table while something is taken back there."""
RESTART = 4512
"""Close codes after which a phone reconnects. They stand for 1011 and 1012 of RFC 6455: autobahn
sends only 1000 and 3000 to 4999."""
RELOAD = 4410
"""Close code after which a page reloads, because its seat has changed."""


class Table(RunningGame):
    """A game that is played in this process.

    load: reads the game back from disk, in a thread. gave_up: called when that fails.
    saving: the journal's thread is writing some of its commands. gone: its process has forgotten
    it, perhaps because its history has what was never saved; it takes no more commands and screens.
    over: its rematch has begun, and it takes no more commands.
    """

    def __init__(
        self,
        game_id: int,
        slug: str,
        history: History,
        screens: Screens,
        feed: Feed,
        *,
        load: Callable[[], History],
        gave_up: Callable[[Table], None],
        journal: Journal,
        background: Executor,
        over: bool = False,
    ) -> None:
        self.game_id = game_id
        self.slug = slug
        self.system = history.system
        self.used = time.monotonic()
        self.screens = screens
        self._feed = feed
        self.saving = False
        self.gone = False
        self.over = over
        self._load = load
        self._gave_up = gave_up
        self._journal = journal
        self._background = background
        self._connections: dict[Audience, set[Connection]] = {}
        self._recent: dict[Audience, deque[tuple[int, int, Frame]]] = {}
        self._busy = False
        self._reloading = False
        self._task: asyncio.Task[None] | None = None
        self._queue: deque[tuple[Mapping[str, Any], str, Reply]] = deque()
        self._start_from(history)

    def _start_from(self, history: History) -> None:
        self.history = history
        self.state: GameState = history.state
        self.number = history.number
        self._lines = history.lines
        self._recent.clear()

    # Commands

    def number_for(self, seat: str | None) -> int:
        if not audiences.counts_lines(self.system, self.state, seat):
            return self.number
        return self._lines.get(seat or audiences.WATCHERS, self.number)

    def take(self, raw: Mapping[str, Any], seat: str, reply: Reply) -> None:
        if self.gone:
            reply(not_saved())
            return
        if self._busy:
            if len(self._queue) < MOST_QUEUED:
                self._queue.append((raw, seat, reply))
            else:
                reply(Refused("busy", _("Too much at once. Wait a moment, then try again.")))
            return
        by = self._answered_for(raw, seat) if raw.get("do") == "answer" else seat
        command = {**raw, "by": by}
        if self.over:
            self._journal.add(self, OVER, reply)
            return
        if not self.history.ids.at_hand(command.get("id"), self.history.number):
            self._busy = True
            self._task = asyncio.ensure_future(self._look_up(command["id"], (raw, seat, reply)))
        elif command.get("do") in ("undo", "redo"):
            self._busy = True
            self._task = asyncio.ensure_future(self._take_back(command, reply))
        else:
            for first in self._in_the_way(command):
                self._journal.add(self, self._outcome(first), lambda outcome: None)
            self._add(self._outcome(command), seat, reply)

    def _answered_for(self, raw: Mapping[str, Any], seat: str) -> str:
        """The seat whose answer it is: one without a phone that is asked, or *seat* (Prompts 2)."""
        prompts = self.history.state.prompts
        asked = [each.to for each in prompts if each.id == raw.get("prompt")]
        return next(filter(self.screens.answered_by_any, asked), seat)

    def _in_the_way(self, command: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
        """The table's own commands that must come before a seat's new one."""
        if self.system.in_the_way is None:
            return ()
        known = command.get("id")
        if type(known) is str and self.history.ids.known(known, self.history.number):
            return ()
        return self.system.in_the_way(self.history.state, command)

    def _add(self, outcome: Outcome, seat: str, reply: Reply) -> None:
        """Answer *seat*, numbered as it counts, once *outcome* is on disk."""
        if self.system.hears is None:
            self._journal.add(self, outcome, reply)
        else:
            self._journal.add(self, outcome, lambda saved: reply(self._numbered(saved, seat)))

    def _numbered(self, outcome: Outcome, seat: str) -> Outcome:
        if isinstance(outcome, Refused):
            return outcome
        if not audiences.counts_lines(self.system, self.state, seat):
            return outcome
        return audiences.told(outcome, seat) or outcome

    def _outcome(self, command: Mapping[str, Any]) -> Outcome:
        system, state = self.system, self.history.state
        try:
            command = presentation_of(system).completed(system, state, command)
            secrecy.refuse_unseen(system, state, command)
            return self.history.give(audiences.with_numbers(self.history, command))
        except Refused as refused:
            refused = audiences.with_lines(self.history, command, refused)
            return secrecy.refusal_seen(system, state, command, refused)
        except Exception:
            # Only what it was to do: its words may be somebody's secret.
            logger.exception("Table %s broke over “%s”.", self.slug, command.get("do"))
            return Refused("broken", _("Something went wrong on the server. Nothing was changed."))

    async def _take_back(self, command: Mapping[str, Any], reply: Reply) -> None:
        """Undo or redo in a thread, because it may resolve a long log again.

        The other tables go on meanwhile; this table's commands wait in order.
        """
        outcome: Outcome
        await self._journal.settled()
        if self._reloading or self.gone:
            outcome = not_saved()
        else:
            loop = asyncio.get_running_loop()
            outcome = await loop.run_in_executor(self._background, self._outcome, command)
        self._add(outcome, command["by"], reply)
        self._resume()

    async def _look_up(self, command_id: str, given: tuple[Mapping[str, Any], str, Reply]) -> None:
        """Read the ids that *command_id* must be compared with, in a thread; then go on with it."""
        await self._journal.settled()
        loop = asyncio.get_running_loop()
        known = partial(self.history.ids.known, command_id, self.history.number)
        try:
            await loop.run_in_executor(self._background, retried, known)
        except Exception:
            logger.exception("Table %s could not read its ids.", self.slug)
            given[2](not_saved())
        else:
            self._queue.appendleft(given)
        self._resume()

    def _resume(self) -> None:
        """Take the commands that waited, up to the next undo or redo."""
        self._busy = self._reloading
        while self._queue and not self._busy:
            self.take(*self._queue.popleft())

    def has_seat(self, seat: str) -> bool:
        return seat in self.state.seats

    @property
    def idle(self) -> bool:
        """Whether no one is connected and nothing is under way."""
        return not (
            self._connections
            or self._busy
            or self._queue
            or self.saving
            or self._journal.holds(self)
        )

    # Called by the journal

    def saved(self, accepted: Sequence[Applied]) -> list[Broadcast]:
        """Note that *accepted* is on disk; return the frames that show it."""
        last = accepted[-1]
        assert last.entry is not None
        before, was = self.number, self.state
        counted = {} if self.system.hears is None else self._counted()
        self.number, self.state = last.entry.number, last.after
        if last.entry.heard is not None:
            self._lines = {key: each.line for key, each in last.entry.heard.items()}
        self.history.saved(self.number)
        everything = merged(accepted)
        out: list[Broadcast] = []
        for audience, connections in list(self._connections.items()):
            applied, heard, number = everything, accepted, self.number
            if counted:
                number, before = self.number_for(audience.seat), counted[audience.seat]
                own = audiences.counts_lines(self.system, self.state, audience.seat)
                if own:
                    heard = self._heard(accepted, audience.seat)
                    if not heard:
                        continue  # not even a frame that says nothing
                    applied = merged(heard)
                if own is not audiences.counts_lines(self.system, was, audience.seat):
                    self._recent.pop(audience, None)  # it counts differently now
            frame = self._frame(applied, before, number, heard, audience)
            if frame:
                out.append((frame, connections))
        return out

    def _counted(self) -> dict[str | None, int]:
        """The number that each audience has, as it counts."""
        return {audience.seat: self.number_for(audience.seat) for audience in self._connections}

    def _heard(self, accepted: Sequence[Applied], seat: str | None) -> list[Applied]:
        """What *seat* heard of *accepted*, numbered as it counts."""
        return [heard for each in accepted if (heard := audiences.told(each, seat))]

    def not_saved(self, replies: Iterable[tuple[Reply, Outcome]]) -> None:
        """Go back to what is on disk, show that, and answer the senders."""
        self._busy = self._reloading = True
        self._task = asyncio.ensure_future(self._reload([*replies]))

    async def _reload(self, replies: Sequence[tuple[Reply, Outcome]]) -> None:
        loop = asyncio.get_running_loop()
        read_back = partial(self._read_back, [outcome for _reply, outcome in replies])
        there = set[str]()
        try:
            await self._journal.readable()
            history, there = await loop.run_in_executor(self._background, retried, read_back)
            self._start_from(history)
        except Exception as error:
            if isinstance(error, DatabaseError):
                DATABASE.failed(error)
            else:
                logger.exception("Table %s could not be read back; it is closed.", self.slug)
            self._gave_up(self)
            self.disconnect(RESTART, "restart")
        self.show_boards()
        for reply, outcome in replies:
            known = id_of(outcome) in there
            reply(Applied(None, self.state, self.state) if known else not_saved())
        self._reloading = False
        self._resume()

    def _read_back(self, outcomes: Iterable[Outcome]) -> tuple[History, set[str]]:
        """The game as it is on disk, and which ids of *outcomes* are there after all.

        A database may be cut off after it has committed, and before it could say so.
        """
        history = self._load()
        ids = {found for outcome in outcomes if (found := id_of(outcome))}
        return history, {each for each in ids if history.ids.known(each, history.number)}

    # Screens

    def join(self, connection: Connection, since: int | None) -> None:
        if self.gone:
            connection.close(RESTART, "restart")
            return
        self._connections.setdefault(connection.audience, set()).add(connection)
        connection.caught_up = partial(self._send_board, connection)
        missed = self._missed(connection.audience, since)
        number = self.number_for(connection.audience.seat)
        if since != number and not missed:
            self._send_board(connection)
            return
        for frame in missed:
            connection.send(frame)
        self._send_unnumbered(connection, number)

    def _send_unnumbered(self, connection: Connection, number: int) -> None:
        """Send what has no number, and may have changed while a screen was away."""
        audience = connection.audience
        if audience.program:
            connection.send(Frame(self._feed.names(audience, number)))
            connection.send(Frame(self._feed.table()))
        else:
            connection.send(Frame(self.screens.sidebar(audience) + sequence(number)))

    def leave(self, connection: Connection) -> None:
        connections = self._connections.get(connection.audience)
        if connections is not None:
            connections.discard(connection)
            if not connections:
                del self._connections[connection.audience]
                self._recent.pop(connection.audience, None)
                self._feed.forget(connection.audience)

    @property
    def busy(self) -> bool:
        """Whether a thread takes something back here, or reads the game anew."""
        return self._busy

    def connections(self) -> list[Connection]:
        return [
            connection for connections in self._connections.values() for connection in connections
        ]

    @property
    def present(self) -> set[str]:
        """The seats with a screen open."""
        return {
            connection.seat
            for connection in self.connections()
            if connection.seat and not connection.program
        }

    def disconnect(self, code: int, reason: str, device: str | None = None) -> None:
        """Close the connections of a device or of a program (its hash), or all of them."""
        for connection in self.connections():
            if device is None or device in (connection.device, connection.program):
                self.leave(connection)
                connection.close(code, reason)

    def show_boards(self) -> None:
        """Send every screen its whole board, after a change that is not a command."""
        self._recent.clear()
        for connection in self.connections():
            self._send_board(connection)

    def push_sidebar(self) -> None:
        """Send every screen the sidebar and nothing else, and every program what it says."""
        for audience, connections in self._connections.items():
            text = self._feed.table() if audience.program else self.screens.sidebar(audience)
            frame = Frame(text)
            for connection in list(connections):
                connection.send(frame)

    def _missed(self, audience: Audience, since: int | None) -> list[Frame]:
        """The kept frames after number *since*; empty if they do not reach back that far."""
        recent = self._recent.get(audience)
        number = self.number_for(audience.seat)
        if since is None or not recent or not recent[0][0] <= since < number:
            return []
        return [frame for before, after, frame in recent if after > since]

    def _frame(
        self,
        applied: Applied,
        before: int,
        number: int,
        accepted: Sequence[Applied],
        audience: Audience,
    ) -> Frame | None:
        """The frame that shows *applied* to an audience; on an error, close its connections."""
        try:
            if audience.program:
                frame = Frame(self._feed.change(applied, audience, number))
            else:
                frame = Frame(self._drawn(applied, accepted, audience, number))
        except Exception:
            logger.exception("Table %s could not be shown.", self.slug)
            self._recent.pop(audience, None)
            for connection in list(self._connections[audience]):
                connection.close(BROKEN, "broken")
            return None
        recent = self._recent.get(audience)
        if recent is None:
            recent = self._recent[audience] = deque(maxlen=RECENT)
        recent.append((before, number, frame))
        return frame

    def _drawn(
        self, applied: Applied, accepted: Sequence[Applied], audience: Audience, number: int
    ) -> str:
        """The fragments that show *applied* on screens."""
        changes = self.screens.changes(applied, audience)
        changes += self.screens.dice_fragment(applied, audience)
        given = accepted
        if audience.seat is None and self.system.has_secrets:
            given = ()  # watchers gave none of them
        acks, idle = ids_for(audience, given)
        return changes + sequence(
            number,
            list(acks),
            by=self._actors(accepted, audience),
            idle=idle,
            entries=list(acks.values()),
            turned=bool(applied.reversals),
        )

    def _actors(self, accepted: Sequence[Applied], audience: Audience) -> str:
        """The seats that gave these commands; if the log has secrets, only the audience's own."""
        actors = {each.entry.by for each in accepted if each.entry}
        if self.system.view is not None:
            actors &= {audience.seat}
        return " ".join(sorted(actors))

    def _send_board(self, connection: Connection) -> None:
        audience, number = connection.audience, self.number_for(connection.audience.seat)
        if audience.program:
            connection.send(Frame(self._feed.whole(self.state, connection.seat, audience, number)))
            connection.send(Frame(self._feed.table()))
            return
        board = self.screens.header(self.state, connection.audience, MORPH)
        mine = connection.seat if connection.docked else None
        board += self.screens.board(self.state, mine, connection.audience)
        sidebar = self.screens.sidebar(connection.audience)
        connection.send(Frame(board + sidebar + sequence(number, turned=True)))


def publish(saved: Sequence[Share]) -> None:
    """Draw the frames of all tables, then send them in one go, then answer the senders.

    Sending a frame between drawing two others would cost the kernel twice as much: the reader falls
    asleep in between and must be woken again.
    """
    broadcasts: list[Broadcast] = []
    for share in saved:
        if share.accepted:
            broadcasts += share.table.saved(share.accepted)
    for frame, connections in broadcasts:
        for connection in connections:
            connection.send(frame)
    for share in saved:
        for reply, outcome in share.replies:
            try:
                reply(outcome)
            except Exception:  # the others have nothing to do with it, and wait for their answers
                logger.exception("Table %s could not answer a command.", share.table.slug)


def merged(accepted: Sequence[Applied]) -> Applied:
    """Several commands as one change with all their events; frames show absolute values."""
    if len(accepted) == 1:
        return accepted[0]
    places = [each.touched for each in accepted]
    touched = None if None in places else frozenset().union(*[each for each in places if each])
    last = accepted[-1]
    assert last.entry is not None
    events = tuple([event for each in accepted if each.entry for event in each.entry.events])
    entry = replace(last.entry, events=events)
    reversals = tuple([reversal for each in accepted for reversal in each.reversals])
    return replace(
        last, entry=entry, before=accepted[0].before, touched=touched, reversals=reversals
    )


def ids_for(audience: Audience, accepted: Sequence[Applied]) -> tuple[dict[str, int], list[str]]:
    """The ids of the commands that an audience gave and can forget now, with their entries.

    Also the ids of those among them that changed nothing.
    """
    found: dict[str, int] = {}
    idle: list[str] = []
    for each in accepted:
        entry = each.entry
        if entry and entry.id and audience.seat in (None, entry.by):
            found[entry.id] = entry.number
            if not entry.events:
                idle.append(entry.id)
    return found, idle


def id_of(outcome: Outcome) -> str | None:
    """The id of the command that was accepted with this *outcome*; None if there is none."""
    return outcome.entry.id if isinstance(outcome, Applied) and outcome.entry else None


def not_saved() -> Refused:
    """The answer to a sender whose command could not be written to disk."""
    if disk.full():
        sentence = _("The server’s disk is full, so nothing was changed. Make room on it first.")
        return Refused("not-saved", sentence)
    return Refused("not-saved", _("That couldn’t be saved, so nothing was changed. Try again."))
