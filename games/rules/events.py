"""Events: what has happened, in the past tense, never refused.

Only the event knows what it means: its `evolve` is the only code that changes that part of a state.
A system adds events of its own by subclassing `Event`. Events are stored in the log for ever, as
JSON: a kind is never renamed, and a new field has a default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from .state import (
    MOST_PROMPTS,
    SCALARS,
    GameObject,
    GameState,
    Kinds,
    PlayerSeat,
    Prompt,
    Refused,
    Seat,
    Turn,
    plain,
)


class Event(Struct, frozen=True, kw_only=True):
    """One thing that has happened.

    rule: the rule that made it happen by itself; None if a seat did it. compared: the numbers that
    the rule's condition compared then, two by two.
    subject: whom that rule was about; never in the log, for it may be a secret.
    A field whose name ends in "_" loses the underscore in JSON (`from_`).
    """

    rule: str | None = None
    compared: tuple[int, ...] | None = None
    subject: str | None = None

    kind: ClassVar[str]
    """Its name in the log."""
    private: ClassVar[tuple[str, ...]] = ()
    """The fields that are left out of the log."""
    touch: ClassVar[tuple[str, ...]] = ()
    """The fields with the ids of what it may have changed, if not `on`, `object` and `seat`."""

    def evolve(self, state: GameState) -> GameState:
        """The state after this event."""
        return state

    def touches(self) -> tuple[str, ...]:
        """The ids of the holders, seats, objects and slot counters it may have changed.

        Only these are looked at by state-based effects, and drawn again.
        """
        return _reads_touched(type(self))(self)

    def to_json(self) -> dict[str, Any]:
        """The event as the log keeps it, without the fields that are None."""
        out: dict[str, Any] = {"kind": self.kind}
        for name, key in _json_fields(type(self)):
            value = getattr(self, name)
            if value is not None:
                out[key] = value if type(value) in SCALARS else plain(value)
        return out


@cache
def _reads_touched(cls: type[Event]) -> Callable[[Any], tuple[str, ...]]:
    """A reader of the ids that an event of *cls* touches."""
    found = [name for name in cls.__struct_fields__ if name in ("on", "object", "seat")]
    names = cls.touch or found
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda event: (only(event),)
    return attrgetter(*names) if names else lambda event: ()


@cache
def _json_fields(cls: type[Event]) -> tuple[tuple[str, str], ...]:
    """The (attribute, JSON key) of each public field, `rule` last."""
    public = [name for name in cls.__struct_fields__ if name not in (*cls.private, "subject")]
    public.sort(key=lambda name: name == "rule")
    return tuple((name, name.rstrip("_")) for name in public)


# Counters


class Counted(Event, frozen=True):
    """There are more or fewer counters of one kind on a holder.

    on: the seat or object that was named. team: the team that has them, if the seat shares them
    with its team. tick: what changed by itself. since: the ticks that set that one off, one by one.
    """

    private: ClassVar[tuple[str, ...]] = ("since",)
    on: str
    counter: str
    amount: int
    team: str | None = None
    tick: str | None = None
    since: tuple[str, ...] | None = None

    def touches(self) -> tuple[str, ...]:
        return (self.on,) if self.team is None else (f"team:{self.team}", self.on)


class Placed(Counted, frozen=True):
    """Counters were put on a holder. putter: by whom, if a game asks and it is another's."""

    kind: ClassVar[str] = "placed"
    private: ClassVar[tuple[str, ...]] = ("since", "putter")
    putter: str | None = None

    def evolve(self, state: GameState) -> GameState:
        holder = self.on if self.team is None else f"team:{self.team}"
        kinds = dict(state.on(holder))
        kinds[self.counter] = kinds.get(self.counter, 0) + self.amount
        return state.with_counters(holder, kinds)


class Removed(Counted, frozen=True):
    """Counters were taken off by an effect or a rule."""

    kind: ClassVar[str] = "removed"

    def evolve(self, state: GameState) -> GameState:
        holder = self.on if self.team is None else f"team:{self.team}"
        held = state.count(holder, self.counter)
        assert held >= self.amount, f"{self.amount} of {held} {self.counter} on {holder}"
        return state.with_count(holder, self.counter, held - self.amount)


class Spent(Removed, frozen=True):
    """Counters were taken off as a cost."""

    kind: ClassVar[str] = "spent"


class Correction(Event, frozen=True, kw_only=True):
    """A judge set a number. restore: that may bring back a seat that has lost."""

    kind: ClassVar[str] = "corrected"
    on: str
    restore: bool | None = None


class Corrected(Correction, frozen=True, kw_only=True):
    """A judge set a number of counters.

    team: the team that has them, if the seat shares them with its team.
    """

    counter: str
    from_: int
    to: int
    team: str | None = None

    def evolve(self, state: GameState) -> GameState:
        return state.with_count(self.touches()[0], self.counter, self.to)

    def touches(self) -> tuple[str, ...]:
        return (self.on,) if self.team is None else (f"team:{self.team}", self.on)


# Objects


class Described(Event, frozen=True):
    """The text of a card was corrected. fields: their names, sorted.

    said: by field, what it says now. players: those it may affect.
    """

    kind: ClassVar[str] = "described"
    private: ClassVar[tuple[str, ...]] = (
        "said",
        "players",
    )
    object: str
    fields: tuple[str, ...]
    said: Mapping[str, Any]
    players: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(replace(state.objects[self.object], **self.said))

    def touches(self) -> tuple[str, ...]:
        return (self.object, *self.players)


class Created(Event, frozen=True):
    kind: ClassVar[str] = "created"
    private: ClassVar[tuple[str, ...]] = ("obj", "since")
    object: str
    name: str
    zone: str
    controller: str
    obj: GameObject
    tick: str | None = None
    since: tuple[str, ...] | None = None

    @classmethod
    def of(cls, obj: GameObject) -> Created:
        return cls(obj.id, obj.name, obj.zone, obj.controller, obj)

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(self.obj)


class Moved(Event, frozen=True):
    """An object changed zones and lost its counters.

    how: moved, died, destroyed or sacrificed. had: the counters it held until then. left: who
    controlled it until then, if it is somebody else now. ticks: those it had that put something on
    others, perhaps because it left. sent: the zone that a token was sent to as it ceased to exist.
    """

    kind: ClassVar[str] = "moved"
    private: ClassVar[tuple[str, ...]] = ("left", "ticks", "sent")
    object: str
    from_: str
    to: str
    how: str
    had: Kinds
    controller: str
    left: str | None = None
    ticks: Mapping[str, Mapping[str, Any]] | None = None
    sent: str | None = None

    def evolve(self, state: GameState) -> GameState:
        obj = state.objects[self.object].moved(self.to, self.controller, self.had)
        return state.with_object(obj).with_counters(self.object, {}).without_ticks(self.object)


class Shifted(Event, frozen=True):
    """It went from one zone of the field to another, with all that is on it."""

    kind: ClassVar[str] = "shifted"
    object: str
    from_: str
    to: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(replace(state.objects[self.object], zone=self.to))


class Controlled(Event, frozen=True):
    kind: ClassVar[str] = "controlled"
    touch = ("object", "from_", "to")
    object: str
    from_: str
    to: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(replace(state.objects[self.object], controller=self.to))


class Marked(Event, frozen=True):
    """A mark was set or cleared on a seat or an object.

    until: "turn" if it goes back when the turn ends, "later" if when the next turn of another
    seat than *whose* does, "own" if that of the one after "own:"; else it stays, whatever was said
    before.
    """

    kind: ClassVar[str] = "marked"
    on: str
    mark: str
    value: bool | int
    until: str | None = None
    whose: str | None = None

    def evolve(self, state: GameState) -> GameState:
        holder = state.seats.get(self.on) or state.objects[self.on]
        assert isinstance(holder, PlayerSeat | GameObject), holder
        until = {mark: value for mark, value in holder.until.items() if mark != self.mark}
        if self.until:
            until[self.mark] = holder.until.get(self.mark, getattr(holder, self.mark))
        later = {mark: seat for mark, seat in holder.later.items() if mark != self.mark}
        if self.whose:
            later[self.mark] = self.whose
        change: dict[str, Any] = {self.mark: self.value, "until": until, "later": later}
        if isinstance(holder, GameObject):
            return state.with_object(replace(holder, **change))
        return state.with_seat(replace(holder, **change))


# The turn


class TurnBegan(Event, frozen=True):
    """temporary: the seats and objects with what was only for a while."""

    kind: ClassVar[str] = "turn-began"
    private: ClassVar[tuple[str, ...]] = ("temporary",)
    active: tuple[str, ...]
    phase: str
    temporary: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        gone = [seat.id for seat in state.seats.values() if seat.lost] if self.temporary else []
        for each in self.temporary:
            if each in state.objects:
                obj = state.objects[each]
                state = state.with_object(obj.in_turn_of(self.active, gone))
            elif isinstance(seat := state.seats[each], PlayerSeat):
                state = state.with_seat(seat.in_turn_of(self.active, gone))
        if any("used" in one for one in state.ticks.values()):
            state = state.with_ticks(
                {
                    tick: {k: v for k, v in one.items() if k != "used"}
                    for tick, one in state.ticks.items()
                }
            )
        return replace(state.begun(), turn=Turn(self.active, self.phase))

    def touches(self) -> tuple[str, ...]:
        return self.temporary


class PhaseBegan(Event, frozen=True):
    """from_: the phase before."""

    kind: ClassVar[str] = "phase-began"
    phase: str
    from_: str

    def evolve(self, state: GameState) -> GameState:
        assert state.turn is not None
        return replace(state.begun(), turn=replace(state.turn, phase=self.phase))


# Prompts


class Prompted(Event, frozen=True):
    kind: ClassVar[str] = "prompted"
    private: ClassVar[tuple[str, ...]] = ("waiting",)
    prompt: str
    to: str
    waiting: Prompt

    @classmethod
    def of(cls, state: GameState, prompt: Prompt, rule: str | None = None) -> Prompted:
        """The event that *prompt* now waits, under the lowest free id.

        Raises Refused if as many as may wait do so already.
        """
        if len(state.prompts) >= MOST_PROMPTS:
            sentence = "At most {most} questions can wait for an answer."
            raise Refused("over-maximum", sentence, None, most=MOST_PROMPTS)
        first_id, number = prompt.id, 1
        taken = {waiting.id for waiting in state.prompts}
        while prompt.id in taken:
            number += 1
            prompt = replace(prompt, id=f"{first_id}#{number}")
        return cls(prompt.id, prompt.to, prompt, rule=rule)

    def evolve(self, state: GameState) -> GameState:
        return replace(state, prompts=(*state.prompts, self.waiting))


class Answered(Event, frozen=True):
    kind: ClassVar[str] = "answered"
    prompt: str

    def evolve(self, state: GameState) -> GameState:
        return state.without_prompt(self.prompt)


class Voided(Answered, frozen=True):
    """A prompt was dismissed without being resolved. source: the object that it came from."""

    kind: ClassVar[str] = "voided"
    private: ClassVar[tuple[str, ...]] = ("source",)
    source: str | None = None

    @classmethod
    def of(cls, state: GameState, prompt: Prompt, rule: str | None = None) -> Self:
        """The event that *prompt* was dismissed."""
        source = prompt.source if prompt.source in state.objects else None
        return cls(prompt.id, source, rule=rule)

    def touches(self) -> tuple[str, ...]:
        return () if self.source is None else (self.source,)


# Losing


class Lost(Event, frozen=True):
    kind: ClassVar[str] = "lost"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        before = [seat for seat in state.fallen if seat != self.seat]
        state = state.with_seat(replace(state.seats[self.seat], lost=True))
        state = state.without_ticks(self.seat).with_parts(fallen=[*before, self.seat])
        turn = state.turn
        if turn is None or self.seat not in turn.active:
            return state
        active = tuple(seat for seat in turn.active if seat != self.seat)
        began = turn.began or turn.active
        return replace(state, turn=replace(turn, active=active, began=began))


class Left(Event, frozen=True):
    """A player left the game: by choice, or because a card or the rules said so."""

    kind: ClassVar[str] = "left"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(replace(state.seats[self.seat], left=True))


class Restored(Event, frozen=True):
    """A correction brought a player back; if the turn in which it lost goes on, in its turn."""

    kind: ClassVar[str] = "restored"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        state = state.with_seat(replace(state.seats[self.seat], lost=False))
        turn = state.turn
        if turn is None or self.seat not in turn.began:
            return state
        active = tuple(seat for seat in turn.began if seat == self.seat or seat in turn.active)
        began = () if active == turn.began else turn.began
        return replace(state, turn=replace(turn, active=active, began=began))


class SatOut(Lost, frozen=True):
    """A chair at which nobody sits was taken away: it neither plays, nor wins, nor loses."""

    kind: ClassVar[str] = "sat-out"

    def evolve(self, state: GameState) -> GameState:
        state = Lost.evolve(self, state)
        state = state.with_seat(_left(state.seats[self.seat], True))
        return state.with_absent([*(state.absent or ()), self.seat])


class SatDown(Restored, frozen=True):
    """Somebody sat down on a chair that had been taken away, and plays from now on."""

    kind: ClassVar[str] = "sat-down"

    def evolve(self, state: GameState) -> GameState:
        state = Restored.evolve(self, state)
        state = state.with_seat(_left(state.seats[self.seat], False))
        return state.with_absent(each for each in state.absent or () if each != self.seat)


def _left(seat: Seat, left: bool) -> Seat:
    """*seat*, which no correction brings back while it has *left*."""
    return replace(seat, left=left) if isinstance(seat, PlayerSeat) else seat


class Ended(Event, frozen=True):
    """The game has a result: "won" (by the last side left) or "draw".

    winners: all seats of that side.
    """

    kind: ClassVar[str] = "ended"
    private: ClassVar[tuple[str, ...]] = ("winners",)
    result: str
    winners: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        return replace(state, result=self.result, winners=self.winners)


class ResultWithdrawn(Event, frozen=True):
    """The result no longer holds: a correction brought someone back."""

    kind: ClassVar[str] = "result-withdrawn"

    def evolve(self, state: GameState) -> GameState:
        return replace(state, result=None, winners=())


# The log


class Undone(Event, frozen=True):
    kind: ClassVar[str] = "undone"
    of: int


class Redone(Event, frozen=True):
    kind: ClassVar[str] = "redone"
    of: int


class Revised(Event, frozen=True):
    """The number of an entry is another from now on. to: None if its own stands again.

    round, seat: where a score sheet has it; None if none does.
    """

    kind: ClassVar[str] = "revised"
    of: int
    from_: int
    to: int | None
    round: int | None = None
    seat: str | None = None

    def touches(self) -> tuple[str, ...]:
        return ()
