"""Changing the set of a table that plays: in words before and after, and one undo brings it back.

Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from games.rules.commands import Command, Parameter, Reader, Terms, invalid
from games.rules.events import Event
from games.rules.slots.counter import counter_in
from games.rules.slots.sets.definition import DEFINITION, Fault, Outcome, Set, TypeOf, understood
from games.rules.slots.sets.set_system import SetSystem
from games.rules.state import GameState, Phrase, Refused
from games.rules.system import System, cites
from games.systems.new_game import Change, Changes


def _map(value: Any, system: Terms) -> Mapping[str, Any]:
    if type(value) is dict:
        return value
    raise ValueError


class ChangeRules(Command, frozen=True, kw_only=True):
    """Play by another set from now on. The counters on the table stay as they are."""

    verb: ClassVar[str] = "change-rules"
    definition: Annotated[
        Mapping[str, Any], Parameter(Reader("a set", _map, schema={"type": "object"}))
    ]

    def check(self, system: Terms) -> None:
        try:
            understood(self.definition)
        except Fault as fault:
            raise invalid("The set has a fault at “{place}”.", place=fault.place) from None


class SetChanged(Event, frozen=True):
    """The table plays by another set from now on."""

    kind: ClassVar[str] = "set-changed"
    private: ClassVar[tuple[str, ...]] = ("definition",)
    definition: Mapping[str, Any]

    def evolve(self, state: GameState) -> GameState:
        return replace(state, settings={**state.settings, DEFINITION: self.definition})


def refuse_what_does_not_fit(now: Set, state: GameState) -> None:
    """Refuse a set without the type of a counter on the table."""
    for key in state.slot_counters:
        if now.type_of(counter_in(state, key).type) is None:
            sentence = "The new set has no type “{type}”, and there is a counter of it."
            raise Refused("wrong-facts", sentence, "Any 1", type=counter_in(state, key).type)


@cites("Any 1")
def change_rules(system: System, state: GameState, command: ChangeRules) -> Iterator[Event]:
    refuse_what_does_not_fit(understood(command.definition), state)
    yield SetChanged(command.definition)


# In words


def lines(made: Set) -> dict[str, Phrase]:
    """A set in sentences, by what each is about."""
    said: dict[str, Phrase] = {"title": Phrase("{title}", title=made.title)}
    for each in made.types:
        said[f"type {each.type}"] = _type(each)
    for own in made.kit:
        said[f"kit {own.name}"] = Phrase("Every player has {name}.", name=own.name)
    for own in made.shared:
        said[f"shared {own.name}"] = Phrase("The table begins with {name}.", name=own.name)
    for key, outcome in made.by_outcome.items():
        said[f"outcome {key}"] = _outcome(made, outcome)
    for scale in made.scales:
        steps: str = ""
        for step in scale.steps:
            one = f"{step.name} {step.adds:+d}" if step.adds else step.name
            steps = Phrase("{one}, {more}", one=steps, more=one) if steps else one
        said[f"scale {scale.name}"] = Phrase("{name}: {steps}", name=scale.name, steps=steps)
    for condition in made.conditions:
        said[f"condition {condition.name}"] = (
            Phrase(
                "Condition {name}, for {n} {n|round|rounds}",
                name=condition.name,
                n=condition.rounds,
            )
            if condition.rounds
            else Phrase("Condition {name}", name=condition.name)
        )
    if made.turns:
        said["turns"] = Phrase("There is a turn order.")
    return said


def _outcome(made: Set, outcome: Outcome) -> Phrase:
    said: str = ""
    for each in outcome.ticks:
        kind, by = made.type_of(each.type), f"{'−' if each.clears else '+'}{each.slots}"
        tick = f"{kind.name} {by}" if kind else Phrase("any counter {ticks}", ticks=by)
        said = Phrase("{one}, {more}", one=said, more=tick) if said else tick
    return Phrase("Outcome {name}: {ticks}", name=outcome.name, ticks=said or "—")


def _type(each: TypeOf) -> Phrase:
    sentences = {
        "blocks": Phrase("{name}: {n} blocks", name=each.name, n=each.size),
        "pie": Phrase("{name}: a pie of {n}", name=each.name, n=each.size),
        "boxes": Phrase("{name}: {n} boxes", name=each.name, n=each.size),
        "bar": Phrase("{name}: a number out of {n}", name=each.name, n=each.size),
    }
    said = sentences[each.look]
    if each.least:
        said = Phrase("{one}, from {n} up", one=said, n=each.least)
    if each.parts > 1:
        said = Phrase("{one} of {n} ticks", one=said, n=each.parts)
    if each.step > 1:
        said = Phrase("{one}, {n} with each tap", one=said, n=each.step)
    for word in each.words:
        said = Phrase("{one}, {more}", one=said, more=f"“{word.word}” {word.to} %")
    return said


def changes(was: System, now: System, state: GameState, name: Callable[[str], str]) -> Changes:
    """The changes of *now* at a table that played by *was*."""
    assert isinstance(was, SetSystem)
    assert isinstance(now, SetSystem)
    old, new = lines(was.set), lines(now.set)
    found = [
        Change(old.get(key), new.get(key))
        for key in {**old, **new}
        if str(old.get(key)) != str(new.get(key))
    ]
    if was.set != now.set and not found:
        found = [Change(None, Phrase("Words, colours or who sees what."))]
    try:
        refuse_what_does_not_fit(now.set, state)
    except Refused as refused:
        return Changes(found, refused=refused)
    return Changes(found)
