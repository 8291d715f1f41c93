"""The sheets of cards and seats, and the form for a new card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct, field

from games.rules.commands import Itself
from games.rules.modifiers import Changeable
from games.rules.state import GameObject, GameState, Prompt, Seat, Words
from games.rules.ticks import TURN

from .controls import Step, Stepper

Label = Callable[[GameObject | Seat], str]
"""The name of an object or a player in a list with cards of several players."""


def steps_of_changes(card: Changeable, stat: str, swapped: tuple[str, ...]) -> Iterator[Step]:
    """The effects on *stat*, in the order made. swapped: the stats that a swap exchanges."""
    for change in card.changes:
        amount = change.amounts.get(stat)
        if change.how == "swap" and stat in swapped:
            yield Step("⇄", "")
        elif amount is not None:
            signs = {"add": f"{amount:+d}", "multiply": f"× {amount}", "set": f"= {amount}"}
            yield Step(signs[change.how], "")


class CardAction(Struct, frozen=True):
    """A tile on the sheet of an object: what one tap does with it.

    label: what it says; "" is the word for the zone it moves to. do: the verb. facts: its other
    parameters; a value of True or False is a flag. holder: the parameter that names the object.
    kind: whose icon and colour it has. loss: it is drawn in red. on: whether it is in force now,
    for what a tap switches; None if it is no switch. stays: the sheet stays open.
    """

    label: Words
    do: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    holder: str = "object"
    kind: str = ""
    loss: bool = False
    on: bool | None = None
    stays: bool = False


Tile = Stepper | CardAction


class UsualTick(NamedTuple):
    """A tick that is offered for an object or a player.

    fields: the parameters of `tick`, but its id and its holder. known: its name says so, even
    before it has such counters.
    """

    fields: Mapping[str, Any]
    known: bool = False


class NewCard(Struct, frozen=True):
    """A sort of card that players add: a type or, if the cards have no types, a zone of the field.

    word: what one is called; "" is the word for its id. A card without a name is called by it, with
    a number: "Ally 3". stats: what the form asks, each with what it proposes; None proposes
    nothing. They are stats of `base`, or other numbers of `create`. quick: by stat, the values that
    the form offers at once. tokens: those that most tables make, offered by name before anything
    is typed. rule: an edition without that rule has no such cards, and does not offer them.
    """

    word: Words = ""
    stats: Mapping[str, int | None] = field(default_factory=dict)
    quick: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    rule: str = ""


class Sheets(Struct, frozen=True, kw_only=True):
    """The sheets of a game: its fields are lists that games fill in, its methods are questions that
    a game's own sheets answer. Every default is a form generated from the commands."""

    object_verbs: tuple[str, ...] | None = None
    """The verbs on the sheet of an object, in order; None is all of the system's own."""
    seat_verbs: tuple[str, ...] | None = None
    """The verbs on the sheet of a player, in order; None is all of the system's own."""
    edit_verbs: tuple[str, ...] = ("describe", "mark", "place")
    """The verbs that the sheet of an object offers last, each with a template."""
    changes: tuple[tuple[str, Mapping[str, int]], ...] = ()
    """The usual changes of an object's numbers: what to call each, and what it adds."""
    suggested: tuple[str, ...] = ()
    """Generic kinds to offer."""
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By kind of prompt: the parameters of `answer` that answer it; otherwise all of them."""
    blinks_through: str = ""
    """The zone to which one effect sends a card that comes straight back; "" if none does."""
    new_cards: Mapping[str, NewCard] = field(default_factory=dict)
    """By type (or zone): the cards that players add. The first three are offered first, the others
    behind "More". By flag of `create`: what a card with it is called while it has no name."""
    deck_headings: tuple[str, ...] = ()
    """Headings of deck sites for groups of the game's cards, in one and in several, beside words
    such as "Sideboard". In English, as those sites are."""
    ticks_at: ClassVar[str] = TURN
    """The moment at which those are offered: a phase, or as the turn begins."""

    def stride(self, stat: str, /) -> int:
        """What a tap adds to that number of a new card; 0 for what it comes in."""
        return 0

    def object_facts(
        self, system: Itself, state: GameState, obj: Any, label: Label, /
    ) -> Mapping[str, Any]:
        """Further facts about an object for the system's own templates."""
        return {}

    def seat_facts(
        self, system: Itself, state: GameState, seat: Any, label: Label, /
    ) -> Mapping[str, Any]:
        """Further facts about a seat for the system's own templates."""
        return {}

    def prompt_facts(
        self, system: Itself, state: GameState, prompt: Prompt, label: Label, /
    ) -> Mapping[str, Any]:
        """Further facts about a prompt for the templates, as it stands now; `rule` is why it is
        asked."""
        return {}

    def completed(
        self, system: Itself, state: GameState, command: Mapping[str, Any], /
    ) -> Mapping[str, Any]:
        """A seat's command with all that it means: a form may say in short what takes several.
        Refuses what the rules would do, but not as its seat means it."""
        return command

    def dice(self, system: Itself, state: GameState, command: Mapping[str, Any], /) -> str:
        """The dice that the server rolls for an answer, or as turns begin: "2d6"; "" if none."""
        return ""

    def steps(self, system: Itself, state: GameState, obj: Any, stat: str, /) -> Iterable[Step]:
        """The steps from a stat's printed value to the current one."""
        return ()

    def ticks(self, system: Itself, state: GameState, holder: Any, /) -> Iterable[UsualTick]:
        """The usual ticks of an object or a player, the likeliest first. One more or one less of
        each other kind that is there is offered, too."""
        return ()

    @property
    def tiles(self) -> Callable[[Itself, GameState, Any], Iterable[Tile]] | None:
        """The first actions on the sheet of an object, as big tiles, four or so. None: its
        counters, the usual kinds, and the first zone out of play."""
        return None

    @property
    def usual_kinds(self) -> Callable[[Itself, Any], Sequence[str]] | None:
        """The kinds to offer first for an object; None is all except those of players."""
        return None

    @property
    def known_cards(self) -> Callable[[str], Sequence[Any]] | None:
        """The cards whose name contains a text, each with `name`, `zone`, `note` (what to show
        beside it) and `printed` (its fields for `create`). None: cards are not found by name."""
        return None

    @property
    def known_tokens(self) -> Sequence[Mapping[str, Any]]:
        """The tokens that known cards make, each as the fields of its `create` with `makers`, the
        names of those cards."""
        return ()
