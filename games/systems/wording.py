"""Words of a game for its numbers, zones, steps and cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from msgspec import Struct, field

from games.rules.state import Words, marked

from .controls import Coin

NO_LABELS: Mapping[str, str] = {}
NO_COINS: Mapping[str, Coin] = {}


class Wording(Struct, frozen=True, kw_only=True):
    """The words of a game, marked for translation; what is left out is shown as its id. Its fields
    are lists that games fill in, its other attributes belong to the words of one game."""

    names: Mapping[str, Words] = field(default_factory=dict)
    """By id (zone, phase, type, stat, mark, prompt): how people say it. Other ids are shown as
    written, with spaces for dashes. A zone is a noun, as in "moved from hand to field"."""
    as_written: tuple[str, ...] = ()
    """Ids that are shown as written, and that translators would not find: zones, phases, marks,
    types and the stats of new cards are found without being named here."""
    numbers: Mapping[str, Words] = field(default_factory=dict)
    """The numbers that have buttons like counters but are not counters (life), each with its
    word; and the kinds of counters that would not be understood as they are kept (“a”)."""
    counters: frozenset[str] = frozenset()
    """The kinds of counters that a language may call by a word of its own, as the game printed in
    it does; each is marked in the context "counter". The data keeps the kind as printed here."""
    singular: Mapping[str, Words] = field(default_factory=dict)
    """The singular of a number or kind of counter whose word is a plural."""
    pictured: frozenset[str] | None = None
    """The kinds whose shape is in the game's style sheet: on a card, any other has its word.
    None: any other has a dot."""
    questions: Mapping[str, Words] = field(default_factory=dict)
    """By kind of prompt: what is asked, as a question. Without one it is the word for its id."""
    into: Mapping[str, Words] = field(default_factory=dict)
    """By zone: how people say that a card goes there, "to the graveyard"."""
    sorts: Mapping[str, Words] = field(default_factory=dict)
    """By type (or zone): what all cards of it are called where they can be chosen together."""
    several: Mapping[str, Words] = field(default_factory=dict)
    """The verbs that can be given for several holders at once, with their titles."""
    counted_as: tuple[Words, Words] = (marked("card"), marked("cards"))
    """The word for one card on the field, and for several."""
    card_types: ClassVar[frozenset[str]] = frozenset()
    """The card types whose word is also another game's word for something else; each is marked in
    the context "card type"."""

    # Not properties: each word that a tap draws asks for them.
    coins = NO_COINS
    """The kinds that are marked by a hue and a letter in place of a shape."""
    labels = NO_LABELS
    """What people wrote to be read in place of an id: a kind, type, zone or phase."""
    written = ""
    """The context in the catalogues of what people wrote in the rules of a game of the library, its
    kinds, types and sentences; "" if there are none, or they are shown as written."""

    @property
    def coins_in(self) -> Callable[[Callable[[str], str]], Mapping[str, Coin]] | None:
        """`coins` with letters in the reader's language, from what each kind is called there."""
        return None
