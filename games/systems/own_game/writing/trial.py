"""Trying a game while its rules are written: seats, taps, and which rules they set off.

The page holds the commands that were tapped, and they are played again each time, by the rules as
they are now. So a trial is always of the game that one sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from games.rules import engine
from games.rules.dice import dice_in
from games.rules.entry import TURNS
from games.rules.events import Created, Event, Lost, Moved
from games.rules.state import GameState, Phrase, Refused
from games.rules.state import marked as _
from games.systems import set_counters
from games.tracks.counter import GM, counter_in

from ..buttons import buttons_on
from ..course import Course
from ..events import Asked, Ended, Placed, Removed, Told, missing
from ..holders import OwnSystem, sorts_of
from ..language import advice
from ..language.definition import Definition
from ..language.meaning import TABLE, About
from ..language.written_rules import Rule
from ..steppers import numbers_of
from ..turns import bounds, completed, dice
from .places import names

NAMES: Mapping[str, str] = {
    name.lower(): name for name in "Ana Ben Cleo Dan Emil Fay Gus Hana Ivo Jo Kim Lea".split()
}
RANDOM = 20
MOST_EVENTS = 5000
MOST_LOOKS = 30_000
"""The work that a command may be in a trial, which is played again at each tap."""
MOST_PROBED = 3_000
"""The same where every number and button is tapped once to find rules that go on without end."""


class Fired(Struct, frozen=True):
    """A rule that did something. rule: its place from 1. changes: what it changed, in words."""

    rule: int
    name: str
    changes: Sequence[Any]


class Trial(Struct, frozen=True):
    """The table as it stands.

    seat: whose numbers are docked. fired: the rules that the last tap set off, in order. refused:
    why it was not done. circle: the rules of a circle, if it was that, in the order of setting each
    other off. taps: how many there were. room: whether another player has room.
    """

    state: GameState
    seat: str
    fired: Sequence[Fired] = ()
    refused: Refused | None = None
    circle: Sequence[str] = ()
    taps: int = 0
    room: bool = False


def trial(system: OwnSystem, taps: Sequence[Mapping[str, Any]], players: int) -> Trial:
    """The trial after all *taps*; those that are refused change nothing."""
    state = opening(system, players)
    last: tuple[GameState, list[Event], Refused | None] = (state, [], None)
    events = 0
    for place, tap in enumerate(taps):
        before = state
        state, happened, refused = done(system, state, tap, place)
        events += len(happened)
        last = before, happened, refused
        if events > MOST_EVENTS or (refused and refused.code == "loop"):
            break
    before, happened, refused = last
    try:
        lit = [*fired(system, before, happened)]
    except Refused as too_much:
        lit, refused = [], too_much
    return Trial(
        state,
        docked(state),
        fired=lit,
        refused=refused,
        circle=_round(system, refused),
        taps=len(taps),
        room=players_in(state) < min(system.definition.players[1], len(NAMES)),
    )


def opening(system: OwnSystem, players: int = 2) -> GameState:
    """A table for so many *players*, as far as the game allows."""
    least, most = system.definition.players
    seats = [*NAMES][: max(least, min(players, most))]
    return system.opening(system, given(system, seats), {})


def given(system: OwnSystem, seats: Sequence[str]) -> Mapping[str, Any]:
    """An opening with these players; with what each has at the table of a GM."""
    if not system.definition.led:
        return {"seats": {seat: {} for seat in seats}}
    first, *_others = set_counters.presets(set_counters.slots_of(system.set))
    return first.given([*seats, GM])


def players_in(state: GameState) -> int:
    """How many play there, without a GM."""
    return len(state.seats) - (GM in state.seats)


def docked(state: GameState) -> str:
    """The seat whose numbers are docked: who is asked, or else whose turn it is."""
    return next((prompt.to for prompt in state.prompts), None) or _at_turn(state)


def _at_turn(state: GameState) -> str:
    """The seat that taps what belongs to nobody."""
    active = state.turn.active if state.turn else ()
    players = [seat for seat in state.seats.values() if seat.id != GM]
    seats = [seat.id for seat in players if not seat.lost] or [seat.id for seat in players]
    return next((seat for seat in seats if seat in active), seats[0])


def done(
    system: OwnSystem, state: GameState, raw: Mapping[str, Any], place: int = 0
) -> tuple[GameState, list[Event], Refused | None]:
    """The state after a tap, its events, or why it was refused. place: of the tap, by which its
    dice fall, the same each time."""
    try:
        raw = {"by": _by(state, raw), **raw}
        head = engine.head(system, state, raw)
        if head.verb in TURNS:
            return state, [], None
        raw = {**completed(system, state, raw), **_fell(dice(system, state, raw), place)}
        command = engine.read(system, raw, head.by)
        now, events = engine.step(system, state, command)
    except Refused as refused:
        return state, [], refused
    return now, events, None


def _fell(dice: str, place: int) -> Mapping[str, Any]:
    """How the dice of a tap fall; nothing without dice."""
    count, sides = dice_in(dice) if dice else (0, 1)
    seeds = [7 + place]
    while len(seeds) <= count:
        seeds.append(chance(seeds[-1]))
    return {"result": [(seed >> 8) % sides + 1 for seed in seeds[1:]]} if dice else {}


def chance(seed: int) -> int:
    """The next of a row of numbers as chance would have them, the same for the same *seed*."""
    return (seed * 1103515245 + 12345) % 2**31


def _by(state: GameState, raw: Mapping[str, Any]) -> str:
    """The seat that gives a command: who is asked, whose number or thing it is, or at turn."""
    prompt = state.prompt(str(raw.get("prompt")))
    on = raw.get("on")
    holder = prompt.to if prompt else str(on[0] if isinstance(on, list) and on else on)
    if holder in state.objects:
        holder = state.objects[holder].controller
    if holder in state.slot_counters:
        holder = counter_in(state, holder).owner or GM
    return holder if holder in state.seats else _at_turn(state)


def fired(system: OwnSystem, state: GameState, events: Sequence[Event]) -> Iterator[Fired]:
    """The rules that events say they came from, each once, in the order of their first."""
    definition = system.definition
    changes: dict[str, list[Any]] = {}
    for event in events:
        now = event.evolve(state)
        if event.rule in definition.rules:
            parts = changes.setdefault(str(event.rule), [])
            parts += [said for said in [_change(event, state, now)] if said]
        for seat, rule in ((event.rules or {}) if isinstance(event, Ended) else {}).items():
            changes.setdefault(rule, []).append(Phrase(_("{name} wins"), name=_name(state, seat)))
        state = now
    for name, parts in changes.items():
        yield Fired(definition.rules[name].place, name, parts[:6])


def _change(event: Event, before: GameState, after: GameState) -> Any:
    """The change by an event of a rule, in words; "" for one that needs none."""
    if isinstance(event, Placed | Removed):
        on, kind = event.on, event.counter
        return Phrase(
            _("{name}’s {what} {n} → {to}"),
            name=_name(after, on), what=kind, n=before.count(on, kind), to=after.count(on, kind),
        )  # fmt: skip
    if isinstance(event, Told):
        return Phrase("“{text}”", text=event.text)
    if isinstance(event, Lost):
        return Phrase(_("{name} is out"), name=_name(after, event.seat))
    if isinstance(event, Moved):
        piece = after.objects[event.object]
        return Phrase(_("{name} goes to {where}"), name=piece.name, where=piece.zone)
    if isinstance(event, Created):
        return Phrase(_("a new thing"))
    if isinstance(event, Asked):
        return Phrase(_("asks {name}"), name=_name(after, event.to))
    return ""


def _name(state: GameState, holder: str) -> Any:
    if holder in state.objects:
        return state.objects[holder].name
    return Phrase(_("the table")) if holder == TABLE else NAMES.get(holder, holder)


class _Offered:
    """The commands that somebody at the table could give."""

    def __init__(self, system: OwnSystem, state: GameState) -> None:
        self.system, self.definition = system, system.definition
        self.state = state
        self.course = Course(system, state)

    def holders(self) -> list[tuple[str, str]]:
        """Who and what has numbers or buttons, each with its sort."""
        sorts = sorts_of(self.definition, self.state)
        players = [seat for seat in self.state.seats if seat in sorts]
        return [(key, sorts[key]) for key in (TABLE, *players, *self.course.in_play()[:8])]

    def counts(self, holder: str) -> Iterator[Mapping[str, Any]]:
        """Less and more of each number that a holder shows, as far as it goes."""
        for each in numbers_of(self.system, self.state, holder):
            step = {"counter": each.kind, "on": holder, "amount": each.stride[0]}
            if each.decrement and each.amount > each.least:
                yield {"do": "remove", **step}
            if each.increment and (each.most is None or each.amount < each.most):
                yield {"do": "place", **step}

    def presses(self, holder: str, sort: str) -> Iterator[Mapping[str, Any]]:
        for rule in buttons_on(self.system, sort):
            command = {"do": "press", "rule": rule.name, "on": holder}
            yield {**command, **self.facts(rule, holder, _by(self.state, command))}

    def facts(self, rule: Rule, holder: str, by: str) -> dict[str, Any]:
        """A target and a number, if the button asks for them: the first that there is."""
        button, about = rule.button, About(holder, presser=by)
        assert button is not None
        found: dict[str, Any] = {}
        if button.target is not None:
            targets = button.target(self.course, about)
            if targets:
                found["target"] = targets[0]
        if button.bounds is not None:
            found["number"] = button.bounds[0](self.course, about)
        return found

    def answers(self) -> Iterator[Mapping[str, Any]]:
        for prompt in self.state.prompts:
            if self.course.asked_in(prompt)[1].dice:
                yield {"do": "answer", "prompt": prompt.id}
                continue
            least, most = bounds(self.course, prompt)
            numbers = {*range(least, min(most, least + 7) + 1), most}
            if (left := missing(self.state, prompt)) is not None and least <= left <= most:
                numbers.add(left)
            for n in sorted(numbers):
                yield {"do": "answer", "prompt": prompt.id, "number": n}

    def turn(self) -> Iterator[Mapping[str, Any]]:
        """The next phase of the turn, or the next turn."""
        if self.definition.order == "none" or self.state.turn is None or self.state.result:
            return
        phases, phase = self.definition.phases, self.state.turn.phase
        at = phases.index(phase) if phase in phases else 0
        if self.state.turn.active and at + 1 < len(phases):
            yield {"do": "begin-phase", "phase": phases[at + 1]}
        else:
            yield {"do": "begin-turn"}

    def makes(self) -> Iterator[Mapping[str, Any]]:
        """A new thing of each type."""
        for place, kind in enumerate(self.definition.things, 1):
            key = f"thing-{place}-{len(self.state.objects) + 1}"
            owner = _at_turn(self.state)
            yield {"do": "create", "as": key, "name": kind, "type": kind, "owner": owner}


def at_random(
    system: OwnSystem, taps: Sequence[Mapping[str, Any]], players: int
) -> list[Mapping[str, Any]]:
    """Twenty more taps, as chance would have it; the same for the same taps before."""
    state, seed, more = opening(system, players), 7 + len(taps), list[Mapping[str, Any]]()
    for place, tap in enumerate(taps):
        state = done(system, state, tap, place)[0]
    for _n in range(RANDOM):
        commands = _any(_Offered(system, state))
        if not commands:
            break
        seed = chance(seed)
        chosen = commands[(seed >> 8) % len(commands)]
        state, _events, refused = done(system, state, chosen, len(taps) + len(more))
        if refused is None or refused.code == "loop":
            more.append(chosen)
        if refused is not None and refused.code == "loop":
            break
    return more


def _any(offered: _Offered) -> list[Mapping[str, Any]]:
    """The answers to what is asked; or else everything, the turn as often as a third of it; nothing
    if that takes too long to find."""
    try:
        return _all(offered)
    except Refused:
        return []


def _all(offered: _Offered) -> list[Mapping[str, Any]]:
    if commands := [*offered.answers()]:
        return commands
    for holder, sort in offered.holders():
        commands += [*offered.presses(holder, sort), *offered.counts(holder)]
    turns = [*offered.turn()] * max(1, len(commands) // 3)
    return [*commands, *offered.makes(), *turns]


def circle(system: OwnSystem) -> list[str]:
    """The rules that go on without end from the opening, if a tap finds some."""
    state = opening(system)
    for probe in _probes(_Offered(system, state)):
        if found := _round(system, done(system, state, probe)[2]):
            return found
    return []


def _probes(offered: _Offered) -> Iterator[Mapping[str, Any]]:
    """A command of each kind, as far as they are soon found."""
    yield from offered.turn()
    with suppress(Refused):
        for holder, sort in offered.holders()[:2]:
            yield from (*offered.counts(holder), *offered.presses(holder, sort))
    yield from offered.makes()


def _round(system: OwnSystem, refused: Refused | None) -> list[str]:
    """The names of the rules of a circle: the one that a refusal names, and those between."""
    if refused is None or refused.code != "loop" or refused.rule not in system.definition.rules:
        return []  # without a rule nothing sets anything off: the game asks too much
    first = str(refused.rule)
    return advice.circle(first, lambda name: _sets_off(system.definition, name)) or [first]


def _sets_off(definition: Definition, name: str) -> Iterator[str]:
    """The rules that a change of a number by that rule may set off."""
    rule = definition.rules[name]
    does = {"do": definition.written["rules"][rule.place - 1]["do"]}
    changed = {kind for place, kind in names(does, "numbers", "rule") if place[-1] == "of"}
    for other in definition.rules.values():
        condition = definition.written["rules"][other.place - 1].get("if")
        read = {kind for _place, kind in names(condition, "numbers", "condition")}
        if (other.when.moment == "changes" and changed & {*other.when.of}) or (
            other.when.moment == "always" and changed & read
        ):
            yield other.name
