"""Cards by name: suggestions while typing, and what a Pokémon evolves into.

Names and HP in `known.json` were read in tcgdex/cards-database: from Scarlet & Violet on, the
newest print of each, and of what one goes on, that in its set; of classics, the one that
`card_acts` names, Claydol of Great Encounters, and Infernape of Diamond & Pearl. The fields stay
open for another print. German and Spanish names are those of the cards there, or, of a Pokémon
alone, those of its kind in sindresorhus/pokemon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from games.systems import lookup

from .card import Pokemon


class KnownCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card, by its name in one language.

    hp: 0 if only its name is known, as of what another goes on. below: the English names of what it
    goes on, a Stage 2 on its Basic Pokémon too, by Rare Candy. hits: the damage that attacks print,
    as far as it is a number. for_each: that of an attack for each damage counter on its own
    Pokémon. weak, resists: the numbers of its Weakness and Resistance, if not × 2 and − 30. german,
    spanish: what it is called there, if otherwise. english: what it is called in the file.
    """

    name: str
    hp: int = 0
    below: list[str] = field(default_factory=list)
    hits: list[int] = field(default_factory=list)
    for_each: int = 0
    weak: int = 0
    resists: int = 0
    german: str = ""
    spanish: str = ""
    english: str = ""

    zone: ClassVar[str] = ""
    """The Active Spot if it is free, else the Bench."""

    @property
    def names(self) -> tuple[str, str, str]:
        """In English, German and Spanish."""
        return self.name, self.german or self.name, self.spanish or self.name

    @property
    def printed(self) -> Mapping[str, Any]:
        """Its fields for the command `create`, as JSON."""
        return {"hp": self.hp}

    @property
    def listing(self) -> dict[str, str]:
        """Its HP, as the list of cards has it."""
        return {"note": f"{self.hp} HP"}


CARDS = {card.name: card for card in lookup.lines(__package__, "known.json", KnownCard)}
"""By English name."""
LANGUAGES = (2, 1, 0)
"""By their places in `KnownCard.names`; a name that two languages have is the later one's."""
KNOWN = lookup.Known(
    replace(card, name=card.names[language], english=card.name)
    for language in LANGUAGES
    for card in CARDS.values()
    if card.hp
)


def known_as(mon: Pokemon) -> KnownCard | None:
    """The known card that *mon* is; None if it is none."""
    return KNOWN.called(mon.name)


def evolves_into(mon: Pokemon) -> Iterator[KnownCard]:
    """The known Evolutions that go on *mon*, in the first language that calls it so."""
    now, found = lookup.plain(mon.name), dict[str, KnownCard]()
    for language in reversed(LANGUAGES):
        for name, card in CARDS.items():
            if now in (lookup.plain(CARDS[each].names[language]) for each in card.below):
                found.setdefault(name, KNOWN[lookup.plain(card.names[language])])
    yield from found.values()
