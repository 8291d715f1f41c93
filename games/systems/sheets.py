"""What the sheets of cards and seats offer, and the form for a new card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from games.rules.changes import Changeable
from games.rules.state import GameObject, GameState, Prompt, Words
from games.rules.system import System

from .pieces import Step, Stepper

Label = Callable[[GameObject], str]
"""What to call an object in a list with cards of several players."""
"""What to call an object in a list with cards of several players."""


def steps_of_changes(card: Changeable, stat: str, swapped: tuple[str, ...]) -> Iterator[Step]:
    """What effects did to *stat*, in the order made. swapped: the stats that a swap exchanges."""
    for change in card.changes:
        amount = change.amounts.get(stat)
        if change.how == "swap" and stat in swapped:
            yield Step("⇄", "")
        elif amount is not None:
            signs = {"add": f"{amount:+d}", "multiply": f"× {amount}", "set": f"= {amount}"}
            yield Step(signs[change.how], "")


def _no_steps(system: System, state: GameState, obj: GameObject, stat: str) -> Iterable[Step]:
    return ()


def _nothing_more(system: System, state: GameState, holder: Any, label: Label) -> Mapping[str, Any]:
    return {}


def _no_prompt_facts(
    system: System, state: GameState, prompt: Prompt, label: Label
) -> Mapping[str, Any]:
    return {}


def _in_play(obj: GameObject) -> bool:
    return obj.on_field


def _every_type(system: System, type_: str) -> bool:
    return True


class Deed(Struct, frozen=True):
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


Tile = Stepper | Deed


class NewCard(Struct, frozen=True):
    """A sort of card that players add: a type or, if the cards have no types, a zone of the field.

    word: what one is called; "" is the word for its id. A card without a name is called by it, with
    a number: "Ally 3". stats: what the form asks, each with what it proposes; None proposes
    nothing. They are stats of `base`, or other numbers of `create`. quick: by stat, the values that
    the form offers at once.
    """

    word: Words = ""
    stats: Mapping[str, int | None] = field(default_factory=dict)
    quick: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class Sheets(Struct, frozen=True, kw_only=True):
    """The sheets of a game. Every field has a default: forms generated from the commands."""

    object_verbs: tuple[str, ...] | None = None
    """The verbs on the sheet of an object, in order; None is all of the system's own."""
    seat_verbs: tuple[str, ...] | None = None
    """The verbs on the sheet of a player, in order; None is all of the system's own."""
    edit_verbs: tuple[str, ...] = ("describe", "mark", "place")
    """The verbs that the sheet of an object offers last, each with a template."""
    object_facts: Callable[[System, GameState, Any, Label], Mapping[str, Any]] = _nothing_more
    """What else the system's own templates need about an object."""
    seat_facts: Callable[[System, GameState, Any, Label], Mapping[str, Any]] = _nothing_more
    """What else the system's own templates need about a seat."""
    prompt_facts: Callable[[System, GameState, Prompt, Label], Mapping[str, Any]] = _no_prompt_facts
    """What else the templates need about a prompt, as it stands now; `rule` is why it is asked."""
    tiles: Callable[[System, GameState, Any], Iterable[Tile]] | None = None
    """What the sheet of an object offers first, as big tiles, four or so. None: its counters, the
    usual kinds, and the first zone out of play."""
    steps: Callable[[System, GameState, Any, str], Iterable[Step]] = _no_steps
    """How a stat of an object gets from its printed value to the current one."""
    listed: Callable[[Any], bool] = _in_play
    """Whether an object is listed where several can be chosen."""
    changes: tuple[tuple[str, Mapping[str, int]], ...] = ()
    """The usual changes of an object's numbers: what to call each, and what it adds."""
    usual_kinds: Callable[[System, Any], Sequence[str]] | None = None
    """The kinds to offer first for an object; None is all except those of players."""
    suggested: tuple[str, ...] = ()
    """Generic kinds to offer."""
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By kind of prompt: the parameters of `answer` that answer it; otherwise all of them."""
    ticks: Callable[[System, GameState, Any], Iterable[Mapping[str, Any]]] | None = None
    """What usually changes by itself on an object or a player, the likeliest first: the fields of a
    `tick`. One more or one less of each other kind that is there is offered, too."""
    blinks_through: str = ""
    """The zone to which one effect sends a card that comes straight back; "" if none does."""
    new_cards: Mapping[str, NewCard] = field(default_factory=dict)
    """By type (or zone): the cards that players add. The first three are offered first, the others
    behind "More"."""
    has_type: Callable[[System, str], bool] = _every_type
    """Whether an edition has cards of a type; others are not offered for new cards."""
    deck_headings: tuple[str, ...] = ()
    """What deck sites write above groups of the game's cards, in one and in several, beside words
    such as "Sideboard". In English, as those sites are."""
    known_cards: Callable[[str], Sequence[Any]] | None = None
    """The cards whose name contains a text, each with `name`, `zone`, `note` (what to show beside
    it) and `printed` (its fields for `create`). None: cards are not found by name."""
