"""A game that is played in this process: its history in memory and its queue of commands.

A table resolves commands at once, one after another, and shows nothing before the journal has it on
disk: `history` is what has been decided; `state` and `number` are what has been saved.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from django.db import DatabaseError
from django.utils.translation import gettext_noop as _

from games.models import Seat
from games.rules import owning, secrecy
from games.rules.at_once import AT_ONCE, Later
from games.rules.commands import TIME, parameters
from games.rules.engine import read
from games.rules.entry import TURNS
from games.rules.history import Applied, History
from games.rules.state import Refused
from games.rules.system import System
from games.screens import chairs, coming_back, dice, wish
from games.screens.drawing import NOTHING, Drawing
from games.seats import asks
from games.store import threads
from games.store.sql import retried

from .closing import RESTART
from .connection import Connection
from .fair_queue import Place
from .journal import Journal, Share, deliver
from .outage import DATABASE
from .outcome import Outcome, Reply, id_of, not_saved
from .shown_game import Broadcast, Due, ShownGame, Texts
from .webhook import Webhook
from .work import Work

logger = logging.getLogger(__name__)

MOST_QUEUED = 2_000
"""Commands that wait at a table: for the loop, or for what a thread works out there."""
MOST_AT_ONCE = 200
"""Most things on a table, for each audience, that are drawn in the loop. More would block the other
tables: a slot counter takes up to a third of a millisecond, and a change may redraw all."""
COMES_BACK = 10
"""For so many seconds after a loss, a plus on the number that was why brings the player back."""
EXPECTED = 5.0
"""Seconds in which the row of a seat that is about to be added has its name."""
OVER = Refused(
    "over", _("This game has been replaced by a new one. You can read it but not change it.")
)
"""The refusal of every change to a game whose rematch has begun."""


class Given(NamedTuple):
    """A command as it was given. sender: the socket that it came by, if it came by one."""

    raw: Mapping[str, Any]
    seat: str
    reply: Reply
    sender: Connection | None


class Expected(NamedTuple):
    """A seat that is about to be added *after* another one, and how long to wait for its row."""

    seat: Seat
    after: str
    until: float


class Table(ShownGame):
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
        drawing: Drawing,
        *,
        load: Callable[[], History],
        gave_up: Callable[[Table], None],
        journal: Journal,
        work: Work,
        background: Executor,
        over: bool = False,
        webhook: Webhook | None = None,
        ask: Callable[[dict[str, Any]], None],
    ) -> None:
        super().__init__(slug, history, drawing, webhook)
        self.game_id = game_id
        self.used = time.monotonic()
        self.saving = False
        self.over = over
        self._load = load
        self._gave_up = gave_up
        self._journal = journal
        self._put_to_seat = ask
        self._work = work
        self._background = background
        self._dated = dated(history.system)
        self._busy = False
        self._reloading = False
        self._task: asyncio.Task[None] | None = None
        self._undrawn: list[Share] = []
        self._drawing: asyncio.Task[None] | None = None
        self._apart: Drawing | None = None
        self._lost: dict[str, float] = {}
        self._expected: dict[str, Expected] = {}
        self._queue: deque[Given] = deque()
        self._place: Place | None = None

    def _start_from(self, history: History) -> None:
        super()._start_from(history)
        self._secrets = secrecy.at_table(history, partial(secrets.token_hex, 3))

    def take(
        self, raw: Mapping[str, Any], seat: str, reply: Reply, sender: Connection | None = None
    ) -> None:
        given = Given(raw, seat, reply, sender)
        if not (self._busy or self._queue or self._work.over()):
            self._work_out(given)
        elif len(self._queue) < MOST_QUEUED:
            self._queue.append(given)
            self._ask()
        else:
            reply(Refused("busy", _("Too much at once. Wait a moment, then try again.")))

    def _ask(self) -> None:
        """Ask for the loop if commands wait for it."""
        if self._queue and not (self._busy or self._place):
            self._place = self._work.loop.ask(*self._payers(self._queue[0]))
            self._place.given.add_done_callback(self._serve)

    def _payers(self, given: Given) -> tuple[str, str, str]:
        """The address, table and phone of a command, as the fair queues know them."""
        phone = given.sender
        if phone is None:
            return "", self.slug, given.seat
        return phone.address, self.slug, phone.program or phone.device or given.seat

    def _serve(self, _given: object) -> None:
        """Work out what the first in line has given, as long as one may have the loop."""
        place, self._place = self._place, None
        assert place
        began = threads.busy()
        try:
            self._work_out_in_turn(self._queue[0].sender)
        finally:
            self._work.loop.leave(place, threads.busy() - began)
            self._ask()

    def _work_out_in_turn(self, sender: Connection | None) -> None:
        while self._queue and self._queue[0].sender is sender and not self._busy:
            given = self._queue.popleft()
            if not (sender and sender.gone):
                self._work_out(given)
                if self._work.over():
                    return

    def _work_out(self, given: Given) -> None:
        if self.gone:
            given.reply(not_saved())
            return
        raw, seat = given.raw, given.seat
        by = self._answered_for(raw, seat) if raw.get("do") == "answer" else seat
        command = {**raw, "by": by}
        if self.over:
            self._journal.add(self, OVER, given.reply)
            return
        if not self.history.ids.at_hand(command.get("id"), self.history.number):
            self._begin(self._look_up(command["id"], given))
            return
        if "asks" in self.drawing.sidebar_context:
            command, allowed = asks.opened(command)
            if not allowed and self._asked_first(command, given):
                return
        if self._secrets:
            given = given._replace(reply=partial(self._reply_seen, given.reply, seat))
        if command.get("do") in TURNS:
            self._begin(self._work_out_apart(command, given))
            return
        if command.get("do") == "draw-seat":
            self._take_chairs_away(command)
        if self._secrets:
            for first in self._secrets.first(command):
                self._give_first(first)
        try:
            self._journal.add(self, self._outcome(command, at_once=True), given.reply)
        except Later:
            self._begin(self._work_out_apart(command, given))

    def _asked_first(self, command: Mapping[str, Any], given: Given) -> bool:
        """Ask the seat whose things *command* names. False if it may be given, or is refused."""
        system, state = self.history.system, self.history.state
        do = command.get("do")
        if type(do) is not str or do not in system.verbs:
            return False
        names = {key: seat.name for key, seat in self.drawing.seats.items()}
        try:
            meant = read(system, command, given.seat)
            to = [each for each in owning.others(system, state, meant) if self._plays(each)]
            says = wish.says(system, state, meant, command, names) if to else {}
        except Refused:
            return False
        if to:
            self._put_to_seat({"by": given.seat, "to": to[0], "command": command, "says": says})
            who = names[to[0]]
            given.reply(Refused("asked", _("{name} is asked first."), None, name=who))
        return bool(to)

    def _refuse_to_turn_others(self, command: Mapping[str, Any]) -> None:
        """Refuse to undo or redo what another seat did that somebody plays on."""
        if any(map(self._plays, self.history.turned_by(command) - {command["by"]})):
            raise Refused("forbidden", _("At this table each takes back only their own."))

    def _plays(self, seat: str) -> bool:
        """True if somebody plays on *seat*, who can be asked."""
        return seat in self.drawing.seats and not self.drawing.answered_by_any(seat)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Let commands wait until *work* calls `_resume`."""
        self._busy = True
        self._task = asyncio.ensure_future(work)

    def _take_chairs_away(self, drawn: Mapping[str, Any]) -> None:
        """Take empty chairs away before the lots by which the first turn may be *drawn*."""
        empty = chairs.empty(self.system, self.drawing.seats, self.history.state)
        for first in chairs.taken_away(empty, drawn)[:-1]:
            self._give_first(first)

    def _give_first(self, command: Mapping[str, Any]) -> None:
        """Do what the table does by itself before somebody's command."""
        self._journal.add(self, self._outcome(command), lambda outcome: None)

    def expect(self, seat: Seat, after: str) -> None:
        """Show *seat*, which is about to be added, as it will look from its first frame on."""
        if seat.key not in self.state.seats:
            self._expected[seat.key] = Expected(seat, after, time.monotonic() + EXPECTED)
            self.reseat(self.drawing.seats)

    def reseat(self, read: Mapping[str, Seat]) -> None:
        """Show the seats that were *read*, and those whose rows have no name or looks yet."""
        now = time.monotonic()
        for key, expected in [*self._expected.items()]:
            if expected.until < now or (key in read and written(read[key])):
                del self._expected[key]
        seats: dict[str, Seat] = {}
        for order, (key, seat) in enumerate(read.items(), 1):
            seats[key] = self._expected[key].seat if key in self._expected else seat
            for late, after, _until in self._expected.values():
                if after == key and late.key not in read:
                    late.order = order
                    seats[late.key] = late
        chairs.play_for(seats, self.history.state)
        self.drawing.reseat(seats)

    async def seat_late(self) -> None:
        """Let whoever sits by now on a chair that was taken away play on, while the game does."""
        if self.history.state.result is not None:
            return
        for each in chairs.absent(self.history.state):
            if each in self.drawing.seats and not self.drawing.seats[each].free:
                with suppress(Refused):
                    await self.give({"do": "sit-down", "seat": each}, each)

    def _answered_for(self, raw: Mapping[str, Any], seat: str) -> str:
        """The seat whose answer it is: one without a phone that is asked, or *seat* (Prompts 2)."""
        prompts = self.history.state.prompts
        asked = [each.to for each in prompts if each.id == raw.get("prompt")]
        return next(filter(self.drawing.answered_by_any, asked), seat)

    def _reply_seen(self, reply: Reply, seat: str, outcome: Outcome) -> None:
        """Answer with what *seat* may know of the outcome."""
        if self._secrets and isinstance(outcome, Applied):
            outcome = self._secrets.after(seat, outcome)
        reply(outcome)

    def _outcome(self, command: Mapping[str, Any], at_once: bool = False) -> Outcome:
        """The outcome of *command*. Raises Later if it is too much to be worked out *at_once*."""
        system, state = self.system, self.history.state
        token = AT_ONCE.set(at_once)
        try:
            command = dice.rolled(system, state, command)
            if self._lost:
                command = coming_back.instead_of(system, state, command, self._lately())
            if type(do := command.get("do")) is str and do in self._dated:
                command = {**command, "at": int(time.time())}
            if self.drawing.any_free or state.absent:
                command = chairs.seated(system, self.drawing.seats, state, command)
            if "asks" in self.drawing.sidebar_context and command.get("do") in TURNS:
                self._refuse_to_turn_others(command)
            applied = secrecy.give(self.history, self._secrets, command)
            if applied.before.seats is not applied.after.seats:
                self._note_lost(applied)
            return applied
        except Refused as refused:
            return refused
        except Later:
            raise
        except Exception:
            # Only what it was to do: its words may be somebody's secret.
            logger.exception("Table %s broke over “%s”.", self.slug, command.get("do"))
            return Refused("broken", _("Something went wrong on the server. Nothing was changed."))
        finally:
            AT_ONCE.reset(token)

    def _note_lost(self, applied: Applied) -> None:
        """Note when seats lose."""
        for event in applied.entry.events if applied.entry else ():
            if event["kind"] == "lost":
                self._lost[event["seat"]] = time.monotonic()

    def _lately(self) -> set[str]:
        """The seats that lost so lately that a tap brings them back."""
        now = time.monotonic()
        self._lost = {seat: at for seat, at in self._lost.items() if now - at < COMES_BACK}
        return {*self._lost}

    async def _work_out_apart(self, command: Mapping[str, Any], given: Given) -> None:
        """Work out *command* in a thread: an undo, which may resolve a long log again, or much
        work.

        The other tables go on meanwhile; this table's commands wait in order.
        """
        await self._journal.settled()
        place = self._work.threads.ask(*self._payers(given))
        try:
            await place.given
            outcome: Outcome = not_saved()
            if not (self._reloading or self.gone):
                loop = asyncio.get_running_loop()
                outcome = await loop.run_in_executor(self._background, self._outcome, command)
        finally:
            self._work.threads.leave(place)
        self._journal.add(self, outcome, given.reply)
        self._resume()

    async def _look_up(self, command_id: str, given: Given) -> None:
        """Read the ids that *command_id* must be compared with, in a thread; then go on with it."""
        await self._journal.settled()
        loop = asyncio.get_running_loop()
        known = partial(self.history.ids.known, command_id, self.history.number)
        try:
            await loop.run_in_executor(self._background, retried, known)
        except Exception:
            logger.exception("Table %s could not read its ids.", self.slug)
            given.reply(not_saved())
        else:
            self._queue.appendleft(given)
        self._resume()

    def _resume(self) -> None:
        """Go on with the commands that wait."""
        self._busy = self._reloading
        self._ask()

    @property
    def idle(self) -> bool:
        """True if nobody is connected and no work is pending."""
        return not (self._connections or self._busy or self._queue or self._drawing) and (
            self.saved_all
        )

    @property
    def saved_all(self) -> bool:
        """True if everything that it has accepted is on disk, or was refused."""
        return not (self.saving or self._journal.holds(self))

    @property
    def busy(self) -> bool:
        """True if commands wait here, or a thread works one out or reads the game anew."""
        return self._busy or bool(self._queue)

    def not_saved(self, replies: Iterable[tuple[Reply, Outcome]]) -> None:
        """Go back to what is on disk, show that, and answer the senders."""
        self._reloading = True
        self._begin(self._reload([*replies]))

    async def _reload(self, replies: Sequence[tuple[Reply, Outcome]]) -> None:
        loop = asyncio.get_running_loop()
        read_back = partial(self._read_back, [outcome for _reply, outcome in replies])
        there = set[str]()
        try:
            if self._drawing:
                await self._drawing  # else its frames would come after the boards
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

    # Showing

    @property
    def large(self) -> bool:
        """True if it has too many things to draw them all in the loop."""
        return len(self.state.objects) + len(self.state.slot_counters) > MOST_AT_ONCE

    def show(self, share: Share) -> list[Broadcast] | None:
        """Note that *share* is on disk; return the frames that show it.

        None if a thread draws them, which then answers the senders: the table is large, or the
        thread is still at what came before.
        """
        if self._drawing is None and share.accepted:
            shown = len(self.state.objects) + len(self.state.slot_counters)
            if shown * len(self._connections) > MOST_AT_ONCE:
                self._drawing = asyncio.ensure_future(self._show_in_thread())
        if self._drawing is not None:
            self._undrawn.append(share)
            return None
        out: list[Broadcast] = []
        dues = self.saved(share.accepted) if share.accepted else ()
        with self.drawing.reading(dues[0].audience) if len(dues) > 1 else NOTHING:
            for due in dues:  # several audiences share the words of one language
                out += self.keep(due, self.draw(due, self.drawing))
        return out

    async def _show_in_thread(self) -> None:
        """Draw the queue as one change, then what came meanwhile.

        Nobody waits for that but the table's own screens: it takes commands as ever.
        """
        loop = asyncio.get_running_loop()
        try:
            while self._undrawn:
                shares, self._undrawn = self._undrawn, []
                accepted = [each for share in shares for each in share.accepted]
                dues = self.saved(accepted) if accepted else []
                seats, apart = self.drawing.seats, self._drawing_apart()
                drawn = await loop.run_in_executor(self._background, self._drawn, dues, apart)
                broadcasts: list[Broadcast] = []
                for due, text in zip(dues, drawn, strict=True):
                    broadcasts += self.keep(due, text)
                deliver(broadcasts, shares)
                if self.drawing.seats is not seats:  # it drew old names over new ones
                    self.show_boards()
        finally:
            self._drawing = None

    def _drawn(self, dues: Iterable[Due], drawing: Drawing) -> list[Texts | None]:
        return [self.draw(due, drawing) for due in dues]

    def _drawing_apart(self) -> Drawing:
        """The thread's own: a drawing caches what was drawn, and the loop draws boards."""
        here, seats = self._apart, self.drawing.seats
        if here is None or here.seats is not seats or here.system is not self.system:
            self._apart = here = self.drawing.beside(self.system)
        return here

    def _read_back(self, outcomes: Iterable[Outcome]) -> tuple[History, set[str]]:
        """The game as it is on disk, and which ids of *outcomes* are there after all.

        A database may be cut off after it has committed, and before it could say so.
        """
        history = self._load()
        ids = {found for outcome in outcomes if (found := id_of(outcome))}
        return history, {each for each in ids if history.ids.known(each, history.number)}


def written(seat: Seat) -> bool:
    """True if the row of a seat that was added has its name and looks."""
    return seat.pk is not None and bool(seat.given_name or seat.chosen_colour)


def dated(system: System) -> frozenset[str]:
    """The verbs that keep a time, as `at`."""
    verbs = system.verbs.items()
    return frozenset(n for n, v in verbs if any(p.reader is TIME for p in parameters(v.command)))
