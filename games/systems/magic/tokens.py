"""The tokens that known cards make.

`tokens.json` has only facts, each read in the card file of Forge (Card-Forge/forge) of its maker.
Left out: tokens of 0/0, whose numbers follow from the table, and those that an opponent gets.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import asdict

from games.rules.system import cites
from games.systems import lookup

from .player import BATTLEFIELD, OTHERS, Card


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
_NAMES = frozenset(token.name for token in MADE)
NON = "non"
_MADE_BY = {lookup.plain(maker): token for token in reversed(MADE) for maker in token.makers}


def made_by(name: str) -> Token | None:
    """The token that the card of that name makes; None if it is not known for one."""
    return _MADE_BY.get(lookup.plain(name))


@cites("111.4")
def is_a(card: Card, sort: str) -> bool | None:
    """True if *card* is of that creature type, or a "token", or if not, of "nonhuman" and the like;
    None if nobody has said. A token is named after its types; what else a card is, its name does
    not say."""
    if sort.startswith(NON):
        known = is_a(card, sort.removeprefix(NON))
        return None if known is None else not known
    if sort == "token":
        return card.token
    if (said := card.subtypes.get(sort, card.subtypes.get(OTHERS))) is not None or not card.token:
        return said
    return True if sort in card.name.casefold().split() else False if card.name in _NAMES else None
