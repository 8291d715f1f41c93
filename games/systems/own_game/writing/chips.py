"""Chips: the pieces of a rule that can be chosen alone, and the lanes they stand in.

Each chip knows its place and what may stand there (its sort); `choices` offers that. Source:
docs/OWN-GAMES.md, 3 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from games.rules.state import Phrase
from games.rules.state import marked as _

from ..language.expressions import PLAYER, TABLE
from .places import Json, Place

MOMENTS = ("begins", "ends", "changes", "enters", "leaves", "pressed", "always")
ACTIONS = ("add", "set", "move", "create", "each", "out", "win", "ask", "tell")
MORE = "…"
"""The end of the place of a chip that offers more where another chip has that place."""
OPS: Mapping[str, str] = {
    "<": _("is less than"),
    "<=": _("is at most"),
    "=": _("is exactly"),
    "!=": _("is not"),
    ">=": _("is at least"),
    ">": _("is more than"),
}
WAYS: Mapping[str, str] = {"up": _("goes up"), "down": _("goes down"), "any": _("changes")}
SPANS: Mapping[str, str] = {
    "turn": _("once a turn"),
    "round": _("once a round"),
    "game": _("once a game"),
}
PRESSERS: Mapping[str, str] = {"holder": _("only its player"), "anyone": _("anyone may press")}
OWNERS: Mapping[str, str] = {
    "holder": _("of yours"),
    "opponents": _("of the opponents"),
    "all": _("of anyone"),
}
BETWEEN: Mapping[str, str] = {"+": "+", "*": "×", "-": "−", "/": "÷"}
BEFORE: Mapping[str, str] = {
    "print": _("printed"),
    "had": _("had"),
    "highest": _("the highest"),
    "lowest": _("the lowest"),
    "min": _("the least of"),
    "max": _("the most of"),
}
HOLDER_WORDS = {PLAYER: _("each player"), TABLE: _("the table")}
MOMENT_WORDS: Mapping[str, str] = {
    "begins": _("in your turn begins"),
    "ends": _("it ends"),
    "changes": _("changes"),
    "enters": _("comes into play:"),
    "leaves": _("leaves play:"),
    "pressed": _("a button is pressed:"),
    "always": _("as soon as it is so, for"),
}
TURN_WORDS: Mapping[tuple[str, str], str] = {
    ("begins", "turn"): _("your turn begins"),
    ("begins", "round"): _("a round begins"),
    ("ends", "turn"): _("your turn ends"),
    ("ends", "round"): _("a round ends"),
}


class Known(Struct, frozen=True):
    """Names that a chip may take at its place, besides those that it always may."""

    words: frozenset[str] = frozenset()
    """Of "change", "chosen", "answer", "presser", "target", "answerer"."""
    pick: bool = True
    always: bool = False
    inner: bool = False
    later: bool = False
    nobody: bool = False


class Chip(Struct, frozen=True):
    """A piece of a rule.

    place: in the draft. says: as it is read. sort: what may stand there; "" is a word between.
    value: what stands there. kind: the number whose coin it bears. negated: an amount that is
    taken. usual: what is meant if nothing stands there. free: it may be left out. more: it only
    offers to add something. wrong: why it cannot stay.
    """

    place: Place
    says: Any
    sort: str = ""
    value: Json = None
    kind: str = ""
    negated: bool = False
    usual: Json = None
    free: bool = False
    more: bool = False
    wrong: Any = ""
    known: Known = Known()

    @property
    def gap(self) -> bool:
        """True if something is missing there."""
        return self.value is None and self.usual is None and not self.more

    @property
    def look(self) -> str:
        """The classes that say what it is, each after a space."""
        usual = self.value is None and self.usual is not None
        signs = {
            "is-gap": self.gap, "is-more": self.more, "is-wrong": self.wrong, "is-usual": usual,
        }  # fmt: skip
        return "".join(f" {sign}" for sign, shown in signs.items() if shown)


class Lane(Struct, frozen=True):
    """A row of chips. depth: how far it is set in. place: of all it says, if it can be removed."""

    label: str
    depth: int = 0
    place: Place = ()
    chips: list[Chip] = field(default_factory=list)


def as_map(value: Json) -> Mapping[str, Any]:
    """*value* if it is a map; whatever stands in a draft may be something else."""
    return value if isinstance(value, dict) else {}


def called(words: Mapping[str, str], value: Json) -> Any:
    """The name of one of *words*; anything else as it stands there."""
    return Phrase(words[value]) if isinstance(value, str) and value in words else str(value)


def as_list(value: Json) -> list[Any]:
    """*value* if it is a list."""
    return value if isinstance(value, list) else []
