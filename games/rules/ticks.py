"""Ticks: numbers that change by themselves as a turn or a phase begins, or when something happens.

A chapter is added, a countdown goes down, income comes in. What a tick does is what the commands
`place` and `remove` would do, so that every rule sees it. A system takes `VERBS`, and `tick` as the
last of its triggers for the turns and phases that begin; `upon` is one for what else may happen
there (`Automatic.occasions`). Source: docs/COMMANDS.md, Ticks 1 to 3.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from .commands import (
    FLAG,
    HOLDER,
    ID,
    KIND,
    ZONE,
    Command,
    Names,
    Parameter,
    Reader,
    Terms,
    either,
    invalid,
    one_of,
    whole,
)
from .counting import ALL, DOUBLE
from .events import Answered, Event, Moved, PhaseBegan, Prompted, TurnBegan
from .state import MOST_PROMPTS, GameState, Prompt, Refused, to_facts
from .system import Happening, System, Then, Verb

TURN, NOW, CLEAR, PUTS = "turn", "now", "clear", "puts"
AS_MANY, HAD, ALL_HAD, MOVE = "as-many", "had", "all-had", "move"
HOLDER_S, EACH, OTHERS, ITSELF, ANOTHER = "holder", "each", "others", "itself", "another"
WHOSE = (HOLDER_S, EACH, OTHERS, ITSELF, ANOTHER)
IT, OTHER = "it", "other-"
"""The group of the one to which something happens; before the name of a group: all of it but the
holder."""
MOST_LINKS = 4
"""Ticks that set each other off by themselves; what would go on, or round, is asked."""
MOST_TICKS = 500
"""Ticks on a table: all of them may tick as a turn begins."""


def _moment(value: Any, system: Terms) -> str:
    if type(value) is str and (value in (TURN, NOW) or value in system.phases):
        return value
    if type(value) is str and value in system.automatic.occasions:
        return value
    raise ValueError


def _group(value: Any, system: Terms) -> str:
    if type(value) is str:
        if value == IT or value.removeprefix(OTHER) in system.automatic.groups:
            return value
    raise ValueError


WORD: Mapping[str, Any] = {"type": "string"}
MOMENT = Reader(
    "“turn”, “now”, a phase of the game, or what may happen there", _moment, schema=WORD
)
GROUP = Reader("a group of holders of the game", _group, schema=WORD)
CHANGE = either(whole(-999, 999), one_of(CLEAR, DOUBLE, AS_MANY, HAD, ALL_HAD, MOVE))
TICK = Names("tick", lambda state, i, by: i in state.ticks, lambda state, i: False)


class Tick(Struct, frozen=True):
    """A number that changes by itself.

    begins: the phase with whose beginning it does, or "turn"; or an occasion of the game. whose:
    "holder" if only in the turns of the holder, or of its controller; "each" in every turn. An
    occasion happens to a player in the same way, or to "others", of other sides; or to the holder
    "itself", or to "another" of its player. change: by how much, "clear", or "double"; of what
    happens "as-many" as it says, or as many as what left "had" of that kind, or "all-had" of every
    kind; or its counters "move". at_zero: the zone to which its object goes as the last counter is
    taken off. if_none: the zone to which it goes if none is there to take off. to: the group of
    holders whose number changes, in place of the holder's. asks: its player is asked on which one
    of them, if any. of: only what is of that sort sets it off; where the table does not know, its
    player is asked. once: it changes once each turn at most. used: it has done so in this turn.
    """

    on: str
    counter: str
    begins: str
    change: int | str
    whose: str = HOLDER_S
    at_zero: str | None = None
    if_none: str | None = None
    to: str | None = None
    asks: bool | None = None
    of: str | None = None
    once: bool | None = None
    used: bool | None = None


class StartTick(Command, frozen=True, kw_only=True):
    """Say that a number changes by itself, as a turn or a phase begins, or when something happens.

    whose: in the turns of the holder (of a card: of its controller), or in `each` turn; or what
    happens to that player, to `each`, to `others`, or to the holder `itself`, or to `another` of
    its player; `now` it happens once, and at once, as a card does that enters. change: by how much,
    “clear” or “double”; of what happens also “as-many”, “had” or “all-had”. at_zero: where an
    object goes as its last counter comes off. if_none: where it goes if no counter is there to come
    off. to: those whose number changes, if not the holder's. asks: the player is asked on which one
    of them, if any. of: only what is of that sort sets it off: a creature type, a kind of counters.
    once: once each turn at most.
    """

    verb: ClassVar[str] = "tick"
    as_: Annotated[str, Parameter(ID)]
    on: Annotated[str, Parameter(ID, names=HOLDER)]
    counter: Annotated[str, Parameter(KIND)]
    begins: Annotated[str, Parameter(MOMENT)]
    whose: Annotated[str, Parameter(one_of(*WHOSE))] = HOLDER_S
    change: Annotated[int | str, Parameter(CHANGE)]
    at_zero: Annotated[str | None, Parameter(ZONE)] = None
    if_none: Annotated[str | None, Parameter(ZONE)] = None
    to: Annotated[str | None, Parameter(GROUP)] = None
    asks: Annotated[bool, Parameter(FLAG)] = False
    of: Annotated[str | None, Parameter(KIND)] = None
    once: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        """What happens only puts counters on, so that nothing that follows from it goes on."""
        happens = self.begins in system.automatic.occasions
        lessens = self.change == CLEAR or (isinstance(self.change, int) and self.change < 0)
        if self.change == 0:
            raise invalid("A number changes by 1 at least.")
        puts = happens or self.begins == NOW or self.to or self.asks
        if puts and (lessens or self.at_zero or self.if_none):
            raise invalid("That can only put counters on.")
        if self.counter in system.automatic.numbers and (lessens or self.change == DOUBLE):
            raise invalid("By itself, {kind} can only be given.", kind=self.counter)
        if self.change == MOVE and not (self.asks and self.to):
            raise invalid("Say where they move, and that it asks.")
        told = self.whose in (OTHERS, ITSELF, ANOTHER) or self.change in (AS_MANY, HAD, ALL_HAD)
        if not happens and (told or self.of or self.once or self.to == IT):
            raise invalid("That needs something that happens, not a turn or phase that begins.")

    def said(self) -> Tick:
        rest = self.at_zero, self.if_none, self.to, self.asks or None, self.of, self.once or None
        return Tick(self.on, self.counter, self.begins, self.change, self.whose, *rest)


class EndTick(Command, frozen=True, kw_only=True):
    """A number no longer changes by itself."""

    verb: ClassVar[str] = "end-tick"
    tick: Annotated[str, Parameter(ID, names=TICK)]


class TickBegan(Event, frozen=True):
    """A number changes by itself from now on. on, counter: which. said: all that was said."""

    kind: ClassVar[str] = "tick-began"
    private: ClassVar[tuple[str, ...]] = ("said",)
    tick: str
    on: str
    counter: str
    said: Tick

    def evolve(self, state: GameState) -> GameState:
        return state.with_ticks({**state.ticks, self.tick: _facts(self.said)})


def _facts(said: Tick) -> Mapping[str, Any]:
    """As JSON values; what came later only if it is said."""
    later = ("to", "asks", "of", "once", "used")
    return to_facts(said, [each for each in later if not getattr(said, each)])


class TickEnded(Event, frozen=True):
    """A number no longer changes by itself. on, counter: as in `TickBegan`."""

    kind: ClassVar[str] = "tick-ended"
    tick: str
    on: str
    counter: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_ticks({k: said for k, said in state.ticks.items() if k != self.tick})


class TickUsed(Event, frozen=True):
    """A number that changes once each turn has done so. on, counter: as in `TickBegan`."""

    kind: ClassVar[str] = "tick-used"
    tick: str
    on: str
    counter: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_ticks(
            {**state.ticks, self.tick: {**state.ticks[self.tick], "used": True}}
        )


def start(system: System, state: GameState, command: StartTick) -> Iterator[Event]:
    """A counter that cannot be put on the holder does not tick there either."""
    if (command.at_zero or command.if_none) and command.on in state.seats:
        raise Refused("wrong-target", "A player goes to no zone.")
    if command.to is None:
        _given(system, state, command.on, "place", counter=command.counter, amount=0)
    if command.as_ in state.ticks:
        sentence = "The id “{id}” is already in use; choose another."
        raise Refused("taken", sentence, None, id=command.as_)
    if len(state.ticks) >= MOST_TICKS:
        sentence = "At most {most} numbers can change by themselves. End one first."
        raise Refused("over-maximum", sentence, None, most=MOST_TICKS)
    if command.begins != NOW:
        yield TickBegan(command.as_, command.on, command.counter, command.said())
        return
    group = Groups(system, state).of(command.said())
    for event in _puts(system, state, command.as_, command.said(), group):
        yield replace(event, rule=event.rule or system.automatic.outcomes.get("happens"))


def end(system: System, state: GameState, command: EndTick) -> Iterator[Event]:
    ended = Tick(**state.ticks[command.tick])
    yield TickEnded(command.tick, ended.on, ended.counter)


VERBS: Mapping[str, Verb] = {"tick": Verb(StartTick, start), "end-tick": Verb(EndTick, end)}


# As a turn or a phase begins


def tick(system: System, state: GameState, event: TurnBegan | PhaseBegan) -> Iterator[Event]:
    """The ticks due now, by id, each on the state that the ones before it left."""
    moments = {event.phase, TURN} if isinstance(event, TurnBegan) else {event.phase}
    for tick_id in sorted(state.ticks):
        if tick_id not in state.ticks:  # one before it has moved its object
            continue
        one = Tick(**state.ticks[tick_id])
        if one.begins in moments and _is_due(state, one):
            for happened in _ticks(system, state, tick_id, one):
                state = happened.evolve(state)
                yield happened


def on_the_way(
    system: System, state: GameState, to: str, stops: Sequence[str] = ()
) -> Generator[Event, None, str]:
    """Begin the phases before *to* in which a number changes by itself, and *stops*; return the
    last begun."""
    now = system.phases[0]
    for phase in system.phases[1 : system.phases.index(to)]:
        if phase in stops or due(state, phase):
            yield PhaseBegan(phase, now)
            now = phase
    return now


def due(state: GameState, phase: str) -> bool:
    """True if a number changes by itself if *phase* begins now."""
    ticking = (Tick(**each) for each in state.ticks.values())
    return any(one.begins == phase and _is_due(state, one) for one in ticking)


def _is_due(state: GameState, one: Tick) -> bool:
    return one.whose == EACH or (
        state.turn is not None and _giver(state, one.on) in state.turn.active
    )


def _giver(state: GameState, holder: str) -> str:
    """The seat that *holder* is, or that controls it."""
    return state.objects[holder].controller if holder in state.objects else holder


def _ticks(system: System, state: GameState, tick_id: str, one: Tick) -> Iterator[Event]:
    """A tick that the rules refuse is dropped in silence."""
    change = one.change
    if (
        one.to is not None
        or change == DOUBLE
        or one.asks
        or one.counter in system.automatic.numbers
    ):
        yield from _puts(system, state, tick_id, one, Groups(system, state).of(one))
        return
    if isinstance(change, int) and change > 0:
        facts: dict[str, Any] = {"counter": one.counter, "amount": change}
        if one.counter in system.automatic.put_by_rule:
            facts["cause"] = "rule"
        yield from _by(tick_id, _unless_refused(system, state, one.on, "place", **facts))
        return
    amount = ALL if isinstance(change, str) else -change
    taken = _unless_refused(system, state, one.on, "remove", counter=one.counter, amount=amount)
    yield from _by(tick_id, taken)
    if one.if_none is not None and not taken and state.objects[one.on].on_field:
        yield from _unless_refused(system, state, one.on, "move", to=one.if_none)
    if one.at_zero is None or not taken:
        return
    for event in taken:
        state = event.evolve(state)
    if not state.count(system.counters.owner(state, one.on, one.counter), one.counter):
        yield from _unless_refused(system, state, one.on, "move", to=one.at_zero)


def _puts(
    system: System,
    state: GameState,
    tick_id: str,
    one: Tick,
    group: Sequence[str],
    happening: Happening | None = None,
    again: bool = False,
) -> Iterator[Event]:
    """An effect puts counters on all of *group* at once, or asks on which one of it.

    Not on what is about to leave: that is gone before the effect comes. again: it would go round.
    """
    on = tuple(each for each in group if system.automatic.stays(system, state, each))
    put, giver = _what(state, one, happening), _giver(state, one.on)
    if happening and happening.to == one.on:  # it may have left, and its controller with it
        giver = happening.seat
    if not on or not put:
        return
    if not one.asks:
        yield from _placed(state, tick_id, _given_to(system, state, giver, one.on, on, put))
    elif len(state.prompts) < MOST_PROMPTS and not state.seats[giver].lost:
        it = happening.to if happening else None
        facts: dict[str, Any] = {"tick": tick_id, "to": one.to, "it": it, "what": put}
        if again or one.of:
            facts |= {"again": True} if again else {"of": one.of}
        yield Prompted.of(state, Prompt(f"{PUTS}:{tick_id}", PUTS, giver, one.on, facts))


def _what(state: GameState, one: Tick, happening: Happening | None) -> dict[str, Any]:
    """What is put, as facts for `place`, or what moves, for `transfer`; none if it is nothing."""
    if one.change == MOVE:
        return {"from_": one.on} if state.on(one.on) else {}
    if one.change not in (AS_MANY, HAD, ALL_HAD):
        return {"counter": one.counter, "amount": one.change}
    assert happening is not None, one
    if one.change == AS_MANY:
        return {"counter": one.counter, "amount": happening.amount} if happening.amount else {}
    kinds = happening.had if one.change == ALL_HAD else (one.counter,)
    counters = {kind: happening.had[kind] for kind in kinds if happening.had.get(kind)}
    return {"counters": counters} if counters else {}


def among(system: System, state: GameState, prompt: Prompt) -> Sequence[str]:
    """Those on one of which counters are put, as the question *prompt* waits."""
    one = Tick(prompt.source or "", "", "", 0, to=prompt.facts["to"])
    if state.ticks.get(prompt.facts["tick"], {}).get("used"):
        return ()
    found = Groups(system, state, prompt.to).of(one, prompt.facts["it"])
    return [each for each in found if system.automatic.stays(system, state, each)]


def answered(system: System, state: GameState, prompt: Prompt, on: str | None) -> Iterator[Event]:
    """The counters are put on the one that was chosen; *on* may be left out if there is just one.

    Raises Refused "choose".
    """
    choices = among(system, state, prompt)
    chosen = choices if len(choices) == 1 or "again" in prompt.facts else [on]
    if choices and (chosen[0] not in choices or on not in (None, *choices)):
        raise Refused("choose", "Choose where the counters are put.", "Prompts 2")
    yield Answered(prompt.id)
    if choices:
        those, source = tuple(filter(None, chosen)), prompt.source or ""
        placed = _given_to(system, state, prompt.to, source, those, prompt.facts["what"])
        yield from _placed(state, prompt.facts["tick"], placed)


class Groups:
    """The groups of holders in one state, each looked up once."""

    def __init__(self, system: System, state: GameState, seat: str | None = None) -> None:
        self.system, self.state, self._seat = system, state, seat
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}

    def of(self, one: Tick, it: str | None = None) -> Sequence[str]:
        """Those whose number *one* changes. it: the one to which something happened."""
        if one.to is None or one.to == IT:
            return [on for on in (it if one.to else one.on,) if on]
        group, seat = one.to.removeprefix(OTHER), self._seat or _giver(self.state, one.on)
        if (group, seat) not in self._found:
            found = self.system.automatic.groups[group](self.state, seat)
            self._found[group, seat] = tuple(found)
        but = one.on if group != one.to else None
        return [on for on in self._found[group, seat] if on != but]


def _placed(state: GameState, tick_id: str, events: list[Event]) -> Iterator[Event]:
    """*events* of a tick, which may do that only once each turn."""
    yield from _by(tick_id, events)
    one = state.ticks.get(tick_id, {})
    if events and one.get("once"):
        yield TickUsed(tick_id, one["on"], one["counter"])


def _by(tick_id: str, events: list[Event]) -> Iterator[Event]:
    """*events* as those of a tick, where they can say so."""
    for event in events:
        yield replace(event, tick=tick_id) if "tick" in event.__struct_fields__ else event


def _given_to(
    system: System,
    state: GameState,
    giver: str,
    source: str,
    on: tuple[str, ...],
    put: Mapping[str, Any],
) -> list[Event]:
    """The events if *giver* did *put* to all of *on*: counters, or a number of players."""
    verb = "transfer" if "from_" in put else "place"
    where: dict[str, Any] = {"on": on, "to": on[0]}
    if (number := system.automatic.numbers.get(put.get("counter", ""))) and on[0] in state.seats:
        verb, on = number, tuple(seat for seat in on if not state.seats[seat].lost)
        where = {"on": on, "seats": on, "made_by": source}
    return _unless_refused(system, state, giver, verb, **where, **put) if on else []


def _unless_refused(
    system: System, state: GameState, holder: str, verb: str, **facts: Any
) -> list[Event]:
    try:
        return _given(system, state, holder, verb, **facts)
    except Refused:
        return []


def _given(system: System, state: GameState, holder: str, verb: str, **facts: Any) -> list[Event]:
    """The events if the seat of *holder* gave that command, about it unless *facts* say else."""
    does = system.verbs[verb]
    facts = {"object" if verb == "move" else "on": (holder,), **facts}
    facts = {key: fact for key, fact in facts.items() if key in does.command.__struct_fields__}
    return list(does.resolve(system, state, does.command(by=_giver(state, holder), **facts)))


# When something happens


def upon(system: System, state: GameState, event: Event) -> Iterator[Then]:
    """The ticks due by what *event* tells of, by id, each on the state that those before it left.

    They are all of the state that the event left: what one puts on changes no group. What has left
    looks back: that sets off its own, which put nothing on it any more.
    """
    ended = event.ticks or {} if isinstance(event, Moved) else {}
    if "ticks" not in state.parts and not ended:
        return
    occasions, groups, ticks = system.automatic.occasions, Groups(system, state), state.ticks
    links = _links(event)
    those = {key: one for key, one in {**ticks, **ended}.items() if one["begins"] in occasions}
    for tick_id, one in sorted((key, Tick(**facts)) for key, facts in those.items()):
        for happening in occasions[one.begins](state, event):
            said = one.of is None or system.automatic.is_of(state, happening, one.of)
            seat = happening.seat if tick_id in ended else None
            if said is False or not _concerns(system, state, one, happening, seat):
                continue
            group = (Groups(system, state, seat) if seat else groups).of(one, happening.to)
            asked = one if said else replace(one, asks=True)
            yield partial(_set_off, system, links, tick_id, asked, group, happening)


def set_off(system: System, state: GameState, event: Event) -> Iterator[Event]:
    """What *event* sets off, worked out ahead by a command that goes on after it."""
    for then in upon(system, state, event):
        for happened in then(state):
            state = happened.evolve(state)
            yield happened


def _set_off(
    system: System,
    links: tuple[str, ...],
    tick_id: str,
    one: Tick,
    group: Sequence[str],
    happening: Happening,
    state: GameState,
) -> Iterator[Event]:
    """What *one* does by *happening*; if it would go round, or on and on, it asks.

    links: the ticks that led to it, the first one first.
    """
    again = tick_id in links or len(links) >= MOST_LINKS
    waits = again and state.prompt(f"{PUTS}:{tick_id}")
    if waits or state.ticks.get(tick_id, {}).get("used"):
        return
    asked = replace(one, asks=True) if again else one
    round_again = again and not one.asks
    rule = system.automatic.outcomes.get("happens")
    for event in _puts(system, state, tick_id, asked, group, happening, round_again):
        since = {"since": links} if links and "since" in event.__struct_fields__ else {}
        yield replace(event, rule=event.rule or rule, **since)


def _links(event: Event) -> tuple[str, ...]:
    tick = getattr(event, "tick", None)
    return (*(getattr(event, "since", None) or ()), tick) if tick else ()


def _concerns(
    system: System, state: GameState, one: Tick, happening: Happening, seat: str | None
) -> bool:
    """True if *happening* sets off *one*. seat: whose it was, if it has left."""
    mine, side = seat or _giver(state, one.on), system.seating.side
    if one.whose == OTHERS:
        return side(state, happening.seat) != side(state, mine)
    if one.whose == ITSELF:
        return happening.to == one.on
    if one.whose == ANOTHER and happening.to == one.on:
        return False
    return one.whose == EACH or happening.seat == mine


def opening(system: System, state: GameState, given: Mapping[str, Any]) -> GameState:
    """*state* with the `ticks` of an opening, but for those of seats that have lost.

    Raises ValueError if one cannot be.
    """
    ticks = {}
    for tick_id, facts in given.get("ticks", {}).items():
        said = {key: fact for key, fact in facts.items() if fact is not None}
        by = next(iter(state.seats))
        try:
            command = StartTick.read({**said, "as": tick_id}, by, system)
        except Refused as refused:
            raise ValueError(f"tick “{tick_id}”: {refused.message}") from None
        if command.begins == NOW or command.on not in {**state.seats, **state.objects}:
            raise ValueError(f"tick “{tick_id}” names what is not at this table")
        if command.on not in state.seats or not state.seats[command.on].lost:
            ticks[tick_id] = _facts(command.said())
    if given.get("ticks") and "tick" not in system.verbs:
        raise ValueError(f"{system.name} has no ticks")
    return state.with_ticks(ticks) if ticks else state
