"""The rules that a table wrote, once they are read."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from .meaning import GM, Action, Amount, Button, Condition, Question, When


class Rule(Struct, frozen=True):
    """A rule: its moment, its condition and its actions.

    place: its place among the rules, from 1. says: the author's own sentence. compared: both sides
    of each comparison of its condition.
    """

    place: int
    name: str
    says: str | None
    when: When
    does: tuple[Action, ...]
    holds: Condition | None = None
    compared: tuple[Amount, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def of_the_gm(self) -> bool:
        """True if it is a GM's own button."""
        return self.button is not None and GM in self.button.on

    @property
    def button(self) -> Button | None:
        return self.when.button


def by_moment(rules: Collection[Rule]) -> dict[tuple[str, str], tuple[Rule, ...]]:
    """*rules* by the key of their moment and what it is about."""
    found: dict[tuple[str, str], tuple[Rule, ...]] = {}
    for rule in rules:
        for about in rule.when.of:
            found[rule.when.moment, about] = (*found.get((rule.when.moment, about), ()), rule)
    return found
