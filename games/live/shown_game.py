"""A game's saved state, and the screens that show it.

Every frame carries the number it leads to. A screen that reconnects says which number it has and
gets the frames it missed, or the whole board.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from games.rules import secrecy
from games.rules.history import Applied, History
from games.rules.state import GameState
from games.screens import dice, document
from games.screens.boards import Drawn, board_anew, changes, drawn
from games.screens.cards.announcements import readers
from games.screens.drawing import Drawing
from games.screens.fragments import MORPH, Audience, sequence
from games.screens.parts import swapped
from games.screens.sidebar import sidebar, starts

from .closing import BROKEN, RELOAD, RESTART
from .connection import Connection, Frame
from .running_game import RunningGame
from .webhook import Webhook

logger = logging.getLogger(__name__)

RECENT = 64
"""Frames kept per audience, for screens that were away for a moment."""

Texts = Mapping[str | None, str]
"""A frame by reader: a seat whose phones are told something of their own; None for all others."""
Recent = deque[tuple[int, int, Mapping[str | None, Frame]]]
"""Frames by reader, each with the number before it and the one that it leads to."""
Sent = tuple[int, Mapping[str, int]]
"""The number of an act, and the bytes that each seat's screens were sent since; "" for watchers."""
Broadcast = tuple[Frame, Collection[Connection]]
"""A frame and the connections it is for."""


class Due(NamedTuple):
    """A frame still to be drawn for an audience: the *given* commands, *applied* as one.

    It leads from one number, *before*, to the other. connections: those that have that number.
    recent: where the frame is kept; nowhere, if boards are sent before it is drawn.
    """

    audience: Audience
    applied: Applied
    given: Sequence[Applied]
    before: int
    number: int
    connections: Collection[Connection]
    recent: Recent


class ShownGame(RunningGame):
    """The saved part of a game: `state` and `number` may be shown.

    gone: its process has forgotten it, and it takes no more screens. unseated: an undo removed a
    seat, which has its player no more even if it has come back. webhook: hears how it ended.
    """

    def __init__(
        self,
        slug: str,
        history: History,
        drawing: Drawing,
        webhook: Webhook | None = None,
    ) -> None:
        self.slug = slug
        self.system = history.system
        self.drawing = drawing
        self.gone = self.unseated = False
        self._webhook = webhook
        self._connections: dict[Audience, set[Connection]] = {}
        self._recent: dict[Audience, Recent] = {}
        self._sent: dict[Connection, int] = {}
        self._start_from(history)

    def _start_from(self, history: History) -> None:
        self.history = history
        self.state: GameState = history.state
        self.number = history.number
        self._private = bool(self.system.secrets and self.system.secrets.log)
        self._count = secrecy.Count(self.system, history.state, history.number, history.lines)
        self._recent.clear()
        if history.system is not self.system:
            self._follow_rules()

    def has_seat(self, seat: str) -> bool:
        return seat in self.state.seats

    def number_for(self, seat: str | None) -> int:
        return self._count.of(seat) if self._private else self.number

    def join(self, connection: Connection, since: int | None) -> None:
        if self.gone:
            connection.close(RESTART, "restart")
            return
        self._connections.setdefault(connection.audience, set()).add(connection)
        connection.caught_up = partial(self._send_board, connection)
        missed = self._missed(connection, since)
        number = self.number_for(connection.audience.seat)
        if since != number and not missed:
            self._send_board(connection)
            return
        for frame in missed:
            connection.send(frame)
        self._send_unnumbered(connection, number)

    def _send_unnumbered(self, connection: Connection, number: int) -> None:
        """Send what has no number and may have changed during a disconnect."""
        audience = connection.audience
        if audience.program:
            connection.send(Frame(document.names(self.drawing, audience, number)))
            connection.send(Frame(document.table(self.drawing)))
        else:
            connection.send(Frame(self._aside(audience) + sequence(number)))

    def _aside(self, audience: Audience) -> str:
        return swapped(sidebar(self.drawing, audience), MORPH)

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

    @property
    def present(self) -> set[str]:
        return {
            connection.seat
            for connection in self.connections()
            if connection.seat and not connection.program
        }

    def dismiss_seatless(self) -> None:
        """Reload the screens of seats that an undo removed, or a redo brought back: free."""
        for connection in self.connections():
            seat = self.drawing.seats.get(connection.seat or "")
            freed = seat and not seat.taken and connection.device and not connection.program
            if freed or (connection.seat and connection.seat not in self.state.seats):
                self.leave(connection)
                connection.close(RELOAD, "no seat")

    def show_boards(self) -> None:
        """Send every screen its whole board, after a change that is not a command."""
        self._recent.clear()
        for connection in self.connections():
            self._send_board(connection)

    def push_sidebar(self) -> None:
        """Send every screen the sidebar and nothing else, and every program what it says."""
        for audience, connections in self._connections.items():
            program = audience.program
            frame = Frame(document.table(self.drawing) if program else self._aside(audience))
            for connection in list(connections):
                connection.send(frame)

    def saved(self, accepted: Sequence[Applied]) -> list[Due]:
        """Note that *accepted* is on disk; return what each audience is to be shown of it."""
        last = accepted[-1]
        assert last.entry is not None
        before, count, was = self.number, self._count, self.state
        self.number, self.state = last.entry.number, last.after
        if self._private:
            self._count = secrecy.counted(count, last)
            self._sent = {}
        self.history.saved(self.number)
        if was.seats.keys() - self.state.seats.keys():
            self.unseated = True
        if self.state.settings is not was.settings:
            self._follow_rules()
        if self._webhook:
            if (self.state.result, self.state.winners) != (was.result, was.winners):
                self._webhook.tell(self._outcome_told)
        begun = self.state.turn is not was.turn or self.state.result is not None
        if begun and starts(self.drawing):
            self.push_sidebar()
        everything = last if len(accepted) == 1 else merged(accepted)
        out: list[Due] = []
        for audience, connections in self._connections.items():
            step: secrecy.Step | None = (accepted, before, self.number, False)
            if self._private:
                for each in connections:
                    self._sent[each] = each.sent
                step = secrecy.step_of(count, self._count, accepted, audience.seat)
            if step is None:
                continue  # not even a frame that says nothing
            given, since, number, recounted = step
            if recounted:
                self._recent.pop(audience, None)
            applied = everything if given is accepted else merged(given)
            recent = self._recent.get(audience)
            if recent is None:
                recent = self._recent[audience] = deque(maxlen=RECENT)
            to = tuple(connections)
            out.append(Due(audience, applied, given, since, number, to, recent))
        return out

    def sent(self) -> Sent:
        """The bytes that went to screens of those who do not know all since the newest act."""
        to: dict[str, int] = {}
        for each, before in self._sent.items():
            if each.seat is None or not secrecy.knows(self.system, self.state, each.seat):
                to[each.seat or ""] = to.get(each.seat or "", 0) + each.sent - before
        return self.number, to

    def _outcome_told(self) -> str:
        return document.outcome(self.drawing, self.state, self.number_for(None))

    def _follow_rules(self) -> None:
        """Draw by the rules that the table plays by now; each screen gets its board anew.

        The frame that is drawn now only tells what was done: what it changes may be elsewhere.
        """
        system = self.system.of_table(self.state.settings)
        if system is self.system:
            return
        self.system = system
        self.drawing = self.drawing.beside(system)
        asyncio.get_running_loop().call_soon(self.show_boards)

    def draw(self, due: Due, drawing: Drawing) -> Texts | None:
        """The frame of *due* by reader; None if it cannot be drawn."""
        audience, given = due.audience, due.given
        try:
            if audience.program:
                return {None: document.changes(drawing, due.applied, audience, due.number)}
            texts: dict[str | None, str] = {None: changes(drawing, due.applied, audience)}
            if audience.seat is None:  # a phone that is away for a moment hears its own later
                for seat in readers(drawing, due.applied, audience.language):
                    texts[seat] = changes(drawing, due.applied, audience._replace(seat=seat))
            fell = dice.fragment(drawing, due.applied, audience)
        except Exception:
            logger.exception("Table %s could not be shown.", self.slug)
            return None
        if audience.seat is None and self.system.secrets:
            given = ()  # watchers gave none of them
        acks, idle = ids_for(audience, given)
        end = fell + sequence(
            due.number,
            list(acks),
            by=self._actors(due.given, audience),
            idle=idle,
            entries=list(acks.values()),
            turned=bool(due.applied.reversals),
        )
        for reader in texts:
            texts[reader] += end
        return texts

    def keep(self, due: Due, drawn: Texts | None) -> list[Broadcast]:
        """Store the frame of what was drawn; without one, close its connections."""
        if drawn is None:
            self._recent.pop(due.audience, None)
            for connection in due.connections:
                connection.close(BROKEN, "broken")
            return []
        frames: dict[str | None, Frame] = {}
        for reader, text in drawn.items():
            frames[reader] = Frame(text)
        due.recent.append((due.before, due.number, frames))
        if len(frames) == 1:
            return [(frames[None], due.connections)]
        to: dict[str | None, list[Connection]] = {reader: [] for reader in frames}
        for connection in due.connections:
            to[_reader(connection, frames)].append(connection)
        return [(frames[reader], connections) for reader, connections in to.items() if connections]

    def _missed(self, connection: Connection, since: int | None) -> list[Frame]:
        """The kept frames after number *since*; empty if they do not reach back that far."""
        recent = self._recent.get(connection.audience)
        number = self.number_for(connection.audience.seat)
        if since is None or not recent or not recent[0][0] <= since < number:
            return []
        if recent[-1][1] != number:
            return []  # the frame that leads there is being drawn
        frames = [frames for _before, after, frames in recent if after > since]
        return [each[_reader(connection, each)] for each in frames]

    def _actors(self, accepted: Sequence[Applied], audience: Audience) -> str:
        """The seats that gave these commands; if the log has secrets, only the audience's own."""
        actors = {each.entry.by for each in accepted if each.entry}
        if self._private:
            actors &= {audience.seat}
        return " ".join(sorted(actors))

    def drawn(self, audience: Audience, mine: str | None) -> Drawn:
        """The rendered board for a page. mine: whose numbers are docked."""
        number = self.number_for(audience.seat)
        return drawn(self.drawing, self.state, number, mine, audience)

    def _send_board(self, connection: Connection) -> None:
        audience, number = connection.audience, self.number_for(connection.audience.seat)
        if audience.program:
            seat, drawing = connection.seat, self.drawing
            whole = document.whole(drawing, self.state, seat, audience, number)
            connection.send(Frame(whole))
            connection.send(Frame(document.table(drawing)))
            return
        mine = connection.seat if connection.docked else None
        drawn = board_anew(self.drawing, self.state, mine, audience)
        connection.send(Frame(drawn + sequence(number, turned=True)))


def _reader(connection: Connection, frames: Mapping[str | None, Frame]) -> str | None:
    """The reader that *connection* is: a phone flat on the table is nobody's own."""
    return connection.seat if connection.docked and connection.seat in frames else None


def merged(accepted: Sequence[Applied]) -> Applied:
    """Several commands as one change with all their events; frames show absolute values."""
    if len(accepted) == 1:
        return accepted[0]
    places = [each.touched for each in accepted]
    touched = None if None in places else frozenset().union(*[each for each in places if each])
    last = accepted[-1]
    assert last.entry is not None
    events = tuple([event for each in accepted if each.entry for event in each.entry.events])
    givers = {each.entry.number: each.entry.by for each in accepted if each.entry}
    entry = replace(last.entry, events=events)
    reversals = tuple([reversal for each in accepted for reversal in each.reversals])
    return replace(
        last,
        entry=entry,
        before=accepted[0].before,
        touched=touched,
        reversals=reversals,
        givers=givers,
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
