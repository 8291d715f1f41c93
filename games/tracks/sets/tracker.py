"""A counter of any game: how it is drawn, the words that players get for it, its turn, what it has.

Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from ...rules.state import Restores, from_facts
from ...rules.system import cites
from ..counter import Counter

LOOKS = ("blocks", "pie", "boxes", "bar")
LOSSES = frozenset({"danger", "fear", "stress"})
"""The colours of what is bad when it is full."""
FRACTIONS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (2, 4): "½", (3, 4): "¾"}
"""By how many parts of a box are ticked, and of how many."""
MOST_OF = {"blocks": 12, "pie": 12, "boxes": 20, "bar": 9999}
"""By look: the slots that can be drawn so; a bar is a number out of as many as it takes."""
MOST_INITIATIVE = 99


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """A word for how much is there. to: the most that it is said of, in hundredths of all."""

    to: int
    word: str


class Condition(Struct, frozen=True):
    """A condition that something is in. rounds: how many of its turns begin before it ends; None
    until it is ended."""

    name: str
    rounds: int | None = None
    good: bool = False


class Tracker(Counter, frozen=True):
    """A counter of any game.

    look: how it is drawn. counts: what its slots are. least, parts, step: its number when it is
    empty, the slots that one box takes, and those that a tap fills; see `definition.TypeOf`. words:
    in place of its numbers, for those who know it by name. initiative: its place in the turn order,
    the highest first; None if it takes no turns. bonus: what is added to a d20 for that, each time
    that a turn order begins; None if nothing is rolled.
    """

    restores: ClassVar[Restores] = {
        **Counter.restores,
        "words": lambda words: tuple(from_facts(Word, each) for each in words),
        "conditions": lambda all_: tuple(from_facts(Condition, each) for each in all_),
    }
    look: str = "blocks"  # type: ignore[misc]
    counts: str = "up"
    colour: str = "goal"  # type: ignore[misc]
    words: tuple[Word, ...] = ()
    least: int = 0  # type: ignore[misc]
    parts: int = 1  # type: ignore[misc]
    step: int = 1  # type: ignore[misc]
    initiative: int | None = None
    bonus: int | None = None
    conditions: tuple[Condition, ...] = ()

    @property
    def resource(self) -> bool:
        return self.counts == "down"

    @property
    def loss(self) -> bool:
        return self.resource or (self.colour in LOSSES and not self.inventory)

    @property
    def timer(self) -> bool:
        return self.counts == "actions"

    @property
    def inventory(self) -> bool:
        return self.counts == "items"

    @property
    def shown(self) -> int:
        """The number that people read; temporary slots stand beside it."""
        left = self.slots - self.filled if self.resource else self.filled
        return left + self.least

    @property
    @cites("Any 7")
    def figure(self) -> int | str:
        """`shown`; of boxes with parts, how many are full, and the fraction of the next."""
        shown = self.shown
        if shown < 0:
            return f"−{-shown}"
        if self.parts == 1:
            return shown
        full, more = divmod(shown, self.parts)
        fraction = FRACTIONS.get((more, self.parts), "")
        return f"{full}{fraction}" if full else fraction or "0"

    @property
    def top(self) -> int:
        return self.slots // self.parts + self.least

    @property
    def turns_at(self) -> int | None:
        return self.initiative

    @property
    def turn_said(self) -> str:
        """Its place in the turn order, or what it is rolled with."""
        if self.bonus is not None:
            return f"{self.bonus:+}"
        return "" if self.initiative is None else str(self.initiative)

    @property
    def adds_temporary(self) -> bool:
        return False

    @property
    def most(self) -> int:
        return MOST_OF[self.look] * self.parts

    @property
    @cites("Any 3")
    def word(self) -> str:
        """The last goes for all that is more."""
        fits = (word for to, word in self.limits if self.shown <= to)
        return next(fits, self.words[-1].word if self.words else "")

    @property
    def limits(self) -> list[tuple[int, str]]:
        """Its words, each with the most that is `shown` where it is said."""
        return [(each.to * self.slots // 100 + self.least, each.word) for each in self.words]

    @property
    @cites("Any 3", "Any 5")
    def by_name(self) -> dict[str, Any]:
        """The facts for those who know it only by name."""
        known: dict[str, Any] = {"word": self.word} if self.words else {}
        if self.initiative is not None:
            known["initiative"] = self.initiative
        if self.conditions:
            known["conditions"] = [(each.name, each.rounds) for each in self.conditions]
        return known
