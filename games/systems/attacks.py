"""The one form of an attack: what a card may attack, each with what it would come to.

A game says its ways to attack (`Attack`), and its sheets draw them by `sheets/_attacks.html`.
Nothing here decides a rule: an attack is tried out, and what it leaves is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from games.rules import engine
from games.rules.state import GameState, Refused, Words
from games.rules.system import System

MOST_TARGETS = 24
"""Each is tried out with each way to attack."""


class Ends(Struct, frozen=True):
    """The main number of a player, now and after an attack. lost: the player is out by it."""

    seat: str
    now: int
    then: int
    lost: bool = False


class Target(Struct, frozen=True):
    """Something to attack. name: "" of a player, whom the page names. number: what it defends
    with; None if nobody knows. falls: it goes by the attack. back: so does the attacker."""

    id: str
    name: str
    number: int | None = None
    falls: bool = False
    back: bool = False
    ends: Sequence[Ends] = ()


class Asked(NamedTuple):
    """A number that may be said beside an attack, and counts in place of `usual`.

    usual: "?" for none: it must be said. least, step: of what may be typed.
    """

    parameter: str
    word: Words
    usual: object = "–"
    least: int = 0
    step: int = 1


class Attack(Struct, frozen=True, kw_only=True):
    """A way to attack, as a form: a tap on a target gives the command.

    given: its parameters, `do` among them, but for that of the `target`. title: what the form is
    called. more: further targets, and what they are folded behind. ticks: its flags, each with its
    word and whether it is ticked; of more than two, those but the last open their fold. folded:
    what the whole form is folded behind; "" if it is open. trial: what tries it out again with what
    is said beside it; None if nothing is asked.
    """

    given: Mapping[str, Any]
    title: Words
    targets: Sequence[Target]
    target: str = "on"
    more: tuple[Words, Sequence[Target]] = ("", ())
    asked: Sequence[Asked] = ()
    ticks: Sequence[tuple[str, Words, bool]] = ()
    folded: Words = ""
    trial: Trial | None = None

    def said(self, raw: Mapping[str, Any]) -> Attack:
        """The same with what each target comes to by *raw*, the form as it is filled in."""
        if self.trial is None:
            return self
        given, trial, (word, more) = {**raw, "do": self.given["do"]}, self.trial, self.more

        def again(targets: Sequence[Target]) -> list[Target]:
            tries = ((each, {**given, self.target: each.id}) for each in targets)
            return [trial.target(each.id, command, each.number) for each, command in tries]

        return replace(self, targets=again(self.targets), more=(word, again(more)))

    @property
    def folds(self) -> bool:
        """True if its ticks are too many to be always in sight."""
        return len(self.ticks) > 2

    @property
    def opened(self) -> bool:
        """True if the fold of its ticks hides one that is not always ticked."""
        return any(ticked for *_, ticked in self.ticks[:-1])


class Trial:
    """What comes of attacks by one card.

    number: the main number of a player. label: the name of a card.
    """

    def __init__(
        self,
        system: System,
        state: GameState,
        attacker: str,
        label: Callable[[Any], str],
        number: Callable[[GameState, str], int] | None = None,
    ) -> None:
        self.system, self.state, self.attacker = system, state, attacker
        self.label, self.number = label, number

    def target(self, on: str, command: Mapping[str, Any], guard: int | None = None) -> Target:
        """*on* with what *command* comes to. guard: the number that it defends with."""
        by = self.state.objects[self.attacker].controller
        after, number = tried(self.system, self.state, {**command, "by": by}), self.number
        ends = [
            Ends(seat, number(self.state, seat), number(after, seat), after.seats[seat].lost)
            for seat in (self.state.seats if number else ())
            if number
            and (number(self.state, seat), self.state.seats[seat].lost)
            != (number(after, seat), after.seats[seat].lost)
        ]
        if on in self.state.seats:
            return Target(on, "", ends=ends)
        back, falls = gone(after, self.attacker), gone(after, on)
        return Target(on, self.label(self.state.objects[on]), guard, falls, back, ends)


def tried(system: System, state: GameState, command: Mapping[str, Any]) -> GameState:
    """The state after *command*; the same state if it is refused."""
    try:
        given = engine.read(system, command, engine.head(system, state, command).by)
        return engine.step(system, state, given)[0]
    except Refused:
        return state


def gone(state: GameState, card_id: str) -> bool:
    """True if that card is no longer on the field, or is there as defeated."""
    card = state.objects[card_id]
    return not card.on_field or getattr(card, "defeated", False)
