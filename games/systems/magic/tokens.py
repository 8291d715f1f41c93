"""The tokens that known cards make.

`tokens.json` has only facts, each read in the card file of Forge (Card-Forge/forge) of its maker.
Left out: tokens of 0/0, whose numbers follow from the table, and those that an opponent gets.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import asdict

from games.systems import lookup

from .player import BATTLEFIELD


class Token(Struct, frozen=True, forbid_unknown_fields=True):
    """A token as it is printed, and the cards that make it."""

    name: str
    types: list[str]
    makers: list[str]
    base: dict[str, int] = field(default_factory=dict)
    zone: str = BATTLEFIELD
    token: bool = True


MADE = lookup.lines(__package__, "tokens.json", Token)
TOKENS = [asdict(token) for token in MADE]
"""Each as the fields of a `create` with its `makers`."""
_MADE_BY = {lookup.plain(maker): token for token in reversed(MADE) for maker in token.makers}


def made_by(name: str) -> Token | None:
    """The token that the card of that name makes; None if it is not known for one."""
    return _MADE_BY.get(lookup.plain(name))
