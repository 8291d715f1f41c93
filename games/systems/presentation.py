"""How a rule system presents itself: the value that generic screens ask instead of knowing games.

A system's folder may have a `presentation.py` with one `PRESENTATION`. All of it is data or small
pure functions of the state; nothing here knows Django or HTML. What a system leaves out is
generated from its rules: the defaults below say how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from games.rules.changes import Changeable
from games.rules.commands import Command
from games.rules.state import GameObject, GameState, Phrase, Prompt, Seat, Team, Words, marked
from games.rules.system import System
from games.systems.pieces import Act, Becomes, Coin, Panel, Stat, Step, Stepper, Tap

# The board


def every_number(
    system: System, state: GameState, obj: GameObject, derived: Mapping[str, Any]
) -> Iterator[Stat]:
    """The derived numbers of *obj*, each with the printed one from its `base`."""
    base = getattr(obj, "base", None) or {}
    for name, now in derived.items():
        if type(now) is int:
            yield Stat(name, now, base.get(name))


def steps_of_changes(card: Changeable, stat: str, swapped: tuple[str, ...]) -> Iterator[Step]:
    """What effects did to *stat*, in the order made. swapped: the stats that a swap exchanges."""
    for change in card.changes:
        amount = change.amounts.get(stat)
        if change.how == "swap" and stat in swapped:
            yield Step("⇄", "")
        elif amount is not None:
            signs = {"add": f"{amount:+d}", "multiply": f"× {amount}", "set": f"= {amount}"}
            yield Step(signs[change.how], "")


def counters_on(system: System, state: GameState, obj: GameObject) -> Iterator[Stepper]:
    """The counters on *obj*, in order of kind."""
    for kind, amount in sorted(state.on(obj.id).items()):
        yield Stepper(obj.id, kind, amount)


def _no_steppers(system: System, state: GameState, holder: Any) -> Iterable[Stepper]:
    return ()


def _no_table(system: System, state: GameState) -> Iterable[Stepper]:
    return ()


def _every_type(system: System, type_: str) -> bool:
    return True


def _no_prompt_facts(
    system: System, state: GameState, prompt: Prompt, label: Label
) -> Mapping[str, Any]:
    return {}


def _only_by_its_own(before: GameState, after: GameState, holder: str) -> bool:
    return False


def _no_acts(system: System, state: GameState, obj: GameObject) -> Iterable[Act]:
    return ()


def _no_steps(system: System, state: GameState, obj: GameObject, stat: str) -> Iterable[Step]:
    return ()


def first_number(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The first of a seat's own *numbers* big, the others in their order."""
    hero = next((each for each in numbers if each.big), numbers[0] if numbers else None)
    return Panel(hero, places=tuple(each for each in numbers if each is not hero))


# Sheets

Label = Callable[[GameObject], str]
"""What to call an object in a list with cards of several players."""


def _nothing_more(system: System, state: GameState, holder: Any, label: Label) -> Mapping[str, Any]:
    return {}


def _in_play(obj: GameObject) -> bool:
    return obj.on_field


def _always(obj: GameObject) -> bool:
    return True


def _never(obj: GameObject) -> bool:
    return False


def _no_cards(typed: str) -> Sequence[Any]:
    return ()


def _told_alone(state: GameState, event: Mapping[str, Any]) -> Mapping[str, Any]:
    return {}


def _as_given(system: System, state: GameState, command: Mapping[str, Any]) -> Mapping[str, Any]:
    return command


def _as_tapped(system: System, state: GameState, number: Stepper) -> Iterable[Becomes]:
    return ()


def _as_put(system: System, state: GameState, command: Mapping[str, Any]) -> Iterable[Becomes]:
    return ()


def _in_one_way(system: System, state: GameState, command: Command) -> Iterable[Becomes]:
    return ()


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


def counted(state: GameState, obj: GameObject, *kinds: str) -> Iterator[Stepper]:
    """A stepper for each of *kinds* on *obj*, even at 0."""
    there = state.on(obj.id)
    for kind in kinds:
        yield Stepper(obj.id, kind, there.get(kind, 0))


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


# The log


class Sentence(Struct, frozen=True):
    """How the log describes an event.

    text: has places for the event's fields: "%(seat)s drew %(amount)s". "" leaves the event out.
    With a small letter first it goes on from the name of who acted: "set a card".
    number: the number of `holder` that it changes (a field, or else a counter), shown as
    before → after.
    sign: 1 if the event's `amount` is added, -1 if it is subtracted, 0 if `to` is the new value.
    """

    text: Words
    number: str = ""
    sign: int = 0
    holder: str = "seat"


Telling = Sentence | Callable[[Mapping[str, Any]], Sentence | None]
"""A sentence, or a function from the event's fields to one; None is the shared sentence."""


class Consequence(Struct, frozen=True, kw_only=True):
    """Something that a rule did, and what is around it.

    before, after: the states around the whole command, as the reader sees them. event: what
    happened, as the log keeps it. earlier: the events of the same command before it, oldest first.
    """

    system: System
    before: GameState
    after: GameState
    event: Mapping[str, Any]
    earlier: Sequence[Mapping[str, Any]]

    def on(self, holder: str, *kinds: str) -> Iterator[Mapping[str, Any]]:
        """The earlier events of these *kinds* that are about *holder*."""
        for event in self.earlier:
            if event["kind"] in kinds and holder in (event.get("on"), event.get("object")):
                yield event

    def put(self, holder: str, counter: str) -> int:
        """How many of *counter* the command put on *holder*."""
        placed = self.on(holder, "placed")
        return sum(event["amount"] for event in placed if event["counter"] == counter)


Cause = Words | Callable[[Consequence], Phrase | None]
"""Why something happened, as players say it after a colon: "it is negated". "" or None: the
sentence of the event says it already."""


class Reason(Struct, frozen=True):
    """Why a seat is out. text: has places for *facts*; a seat's id in braces becomes its name.

    kind: the number of its panel that is why, if it is not the main one.
    """

    text: Words
    facts: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""
    kind: str = ""


def _no_reason(system: System, state: GameState, seat: str) -> Reason | None:
    return None


# A new game

Opening = dict[str, Any]


class Draft(Struct, frozen=True):
    """What was written so far of a table's own rules.

    settings: those of a table that plays by them. faults: why that is not possible yet. written:
    what the page shows of it.
    """

    settings: Mapping[str, Any]
    faults: tuple[Words, ...] = ()
    written: Mapping[str, Any] = field(default_factory=dict)


class Preset(Struct, frozen=True):
    """What is on the table at the start.

    title, sentence: marked for translation. given: the opening for some seats, as in a scenario.
    seats: the least and most players. usual: how many there usually are; None keeps the number
    already chosen. settings: the house rules that it begins with, if others are not chosen.
    """

    key: str
    title: Words
    sentence: Words
    given: Callable[[Sequence[str]], Opening]
    seats: tuple[int, int] = (1, 8)
    usual: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


class Saying(NamedTuple):
    """A rule in a sentence, and in its author's own words if there are any."""

    sentence: Phrase
    says: str


class Explained(Struct, frozen=True):
    """The rules that a table wrote. numbers: a line for each. sentences: by the rule's name."""

    numbers: Sequence[Phrase] = ()
    sentences: Mapping[str, Saying] = field(default_factory=dict)


def _unexplained(system: System) -> Explained:
    return Explained()


def _only_seats(seats: Sequence[str]) -> Opening:
    return {"seats": {seat: {} for seat in seats}}


EMPTY = Preset("empty", marked("Empty table"), marked("Add cards as you play them."), _only_seats)


# All of it


Curve = tuple[str, str, int]
"""A number in the summary: (what is counted, its seat or team, the amount)."""


def _no_curves(
    system: System, state: GameState, holder: Seat | GameObject | Team
) -> Iterable[Curve]:
    return ()


class Presentation(Struct, frozen=True, kw_only=True):
    """How one rule system presents itself, in all its editions. Every field has a default."""

    # Words.

    words: Mapping[str, Words] = field(default_factory=dict)
    """By id (zone, phase, type, stat, mark, prompt): how people say it. Other ids are shown as
    written, with spaces for dashes."""
    numbers: Mapping[str, Words] = field(default_factory=dict)
    """The numbers that have buttons like counters but are not counters (life), each with its
    word; and the kinds of counters that would not be understood as they are kept (“a”)."""
    counters: frozenset[str] = frozenset()
    """The kinds of counters that a language may call by a word of its own, as the game printed in
    it does; each is marked in the context "counter". The data keeps the kind as printed here."""
    singular: Mapping[str, Words] = field(default_factory=dict)
    """What one of them is called, by number or kind of counter, where its word is a plural."""
    coins: Mapping[str, Coin] = field(default_factory=dict)
    """The kinds that are marked by a hue and a letter in place of a shape."""
    pictured: frozenset[str] | None = None
    """The kinds whose shape is in the game's style sheet: on a card, any other has its word.
    None: any other has a dot."""
    questions: Mapping[str, Words] = field(default_factory=dict)
    """By kind of prompt: what it is called, if that differs from the word for its id."""
    sentences: Mapping[str, Telling] = field(default_factory=dict)
    """By kind of event: its line in the log. Other events are described by their fields."""
    marks: Mapping[str, tuple[Words, Words]] = field(default_factory=dict)
    """By mark: what is said when it is set, with a place for its `value`, and when it is taken off.
    Other marks are told by their words."""
    moves: Mapping[str, Words] = field(default_factory=dict)
    """By zone: what is said of a card that goes there, if not “moved from … to …”."""
    into: Mapping[str, Words] = field(default_factory=dict)
    """By zone: how people say that a card goes there, "to the graveyard"."""
    causes: Mapping[str, Cause] = field(default_factory=dict)
    """By rule: why what it does by itself happened. Every rule that an event names has one."""
    deeds: Mapping[str, Words] = field(default_factory=dict)
    """By kind of event or mark, or in a game with secrets by verb: what the Undo button calls it,
    one word ("crown"), where no number or name says it."""
    told: Callable[[GameState, Mapping[str, Any]], Mapping[str, Any]] = _told_alone
    """What else a sentence may say of an event, from the state after it: phrases, by their place in
    the sentence; and `seat`, whom it is about."""

    # A new game.

    board: str = "cards"
    """"cards", or "slots" for a table of slot counters."""
    seats_label: Words = marked("Seats")
    """What the page for a new game calls the number of seats."""
    others_label: Words = ""
    """What the page for a new game calls the names of the other players; "" if it does not ask for
    them, because each says their own."""
    usual_seats: int = 2
    """How many seats a new game has, unless its preset says otherwise."""
    draft: Callable[[Mapping[str, str], Mapping[str, Any] | None], Draft] | None = None
    """Where tables write their rules: what the fields of the page for a new game say so far, or the
    ready game that was chosen there."""
    presets: tuple[Preset, ...] = (EMPTY,)
    """The usual one first."""
    unnamed: Mapping[str, Words] = field(default_factory=dict)
    """By the name that a preset gives an object: what to show until someone gives it a name of its
    own. %(seat)s is its keeper's name."""

    # The board.

    taps: Mapping[str, Tap] = field(default_factory=dict)
    """The system's own buttons."""
    blinks_through: str = ""
    """The zone to which one effect sends a card that comes straight back; "" if none does."""
    zone_names: bool | None = None
    """Whether each zone of the field has a heading; None is only if there are several."""
    types: tuple[str, ...] = ()
    """The first of these that a card has is the type it is drawn as."""
    heroes: frozenset[str] = frozenset()
    """The types that are drawn big."""
    stats: Callable[[System, GameState, Any, Mapping[str, Any]], Iterable[Stat]] = every_number
    """The stats of an object, given its derived values."""
    object_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = counters_on
    """The numbers with buttons on an object."""
    seat_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = _no_steppers
    """The numbers of a seat that come before its counters."""
    team_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = _no_steppers
    """The numbers of a team that come before its counters."""
    acts: Callable[[System, GameState, Any], Iterable[Act]] = _no_acts
    """What one tap on an object can do."""
    stacked: Callable[[Any], bool] = _always
    """Whether an object shares a row with others that are alike, as twenty tokens do."""
    player_kinds: tuple[str, ...] = ()
    """The kinds of counters that players have, the usual ones first."""
    always_shown: tuple[str, ...] = ()
    """The kinds of a player that are shown even at 0."""
    table: Callable[[System, GameState], Iterable[Stepper]] = _no_table
    """The numbers of the table itself, which stand in the strip before the seats."""
    redraws: frozenset[str] = frozenset()
    """The kinds of counters that change more of the board than their own number."""
    panel: Callable[[System, GameState, Any, Sequence[Stepper]], Panel] = first_number
    """The panel of a seat, given its own numbers and counters."""
    turns: str = "one"
    """Whose a turn is: "one" seat's after the other, "all" seats' at once, or "none": no one's."""
    shown_by_all: Callable[[GameState, GameState, str], bool] = _only_by_its_own
    """Whether every panel and card may show what a command changed on a holder, given the states
    before and after. Else only it and the panels of its seat, or its owner, controller and team,
    are worked out."""
    next_phases: tuple[str, ...] | None = None
    """The phases that the next step goes to; the others are begun from the header. None is all."""
    steps_to: Mapping[str, Words] = field(default_factory=dict)
    """By phase: what the next step says that goes there, if the word for the phase is no deed."""
    counted_as: tuple[Words, Words] = (marked("card"), marked("cards"))
    """What one card on the field is called, and several."""
    strides: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By kind: by how much a tap changes it, and by how much a held button does."""
    gives: Callable[[System, GameState, Stepper], Iterable[Becomes]] = _as_tapped
    """What one tap of a stepper's plus gives, by the seat that taps where that matters, if what
    stands may change it. It depends on standings, objects, teams and the flags of seats only."""
    becomes: Callable[[System, GameState, Mapping[str, Any]], Iterable[Becomes]] = _as_put
    """What a command that puts counters of one kind on one holder would put, where what stands
    changes it: in the usual order first, then in each order that ends with another number. Nothing
    if it is put as it is."""
    ways: Callable[[System, GameState, Command], Iterable[Becomes]] = _in_one_way
    """The orders in which what stands may change what a command puts, where it matters."""
    foretold: frozenset[str] = frozenset()
    """The kinds of events that say so when it happens; a form tells them before it is sent."""
    steps: Callable[[System, GameState, Any, str], Iterable[Step]] = _no_steps
    """How a stat of an object gets from its printed value to the current one."""

    # Sheets.

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
    tiles: Callable[[System, GameState, Any], Iterable[Tile]] | None = None
    """What the sheet of an object offers first, as big tiles, four or so. None: its counters, the
    usual kinds, and the first zone out of play."""
    listed: Callable[[Any], bool] = _in_play
    """Whether an object is listed where several can be chosen."""
    changes: tuple[tuple[str, Mapping[str, int]], ...] = ()
    """The usual changes of an object's numbers: what to call each, and what it adds."""
    sorts: Mapping[str, Words] = field(default_factory=dict)
    """By type (or zone): what all cards of it are called where they can be chosen together."""
    several: Mapping[str, Words] = field(default_factory=dict)
    """The verbs that can be given for several holders at once, with their titles."""
    usual_kinds: Callable[[System, Any], Sequence[str]] | None = None
    """The kinds to offer first for an object; None is all except those of players."""
    suggested: tuple[str, ...] = ()
    """Generic kinds to offer."""
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By kind of prompt: the parameters of `answer` that answer it; otherwise all of them."""

    prompt_facts: Callable[[System, GameState, Prompt, Label], Mapping[str, Any]] = _no_prompt_facts
    """What else the templates need about a prompt, as it stands now; `rule` is why it is asked."""

    # Cards.

    new_cards: Mapping[str, NewCard] = field(default_factory=dict)
    """By type (or zone): the cards that players add. The first three are offered first, the others
    behind "More"."""
    has_type: Callable[[System, str], bool] = _every_type
    """Whether an edition has cards of a type; others are not offered for new cards."""
    deck_headings: tuple[str, ...] = ()
    """What deck sites write above groups of the game's cards, in one and in several, beside words
    such as "Sideboard". In English, as those sites are."""
    called: Mapping[str, Words] = field(default_factory=dict)
    """By flag of `create`: what a new card with it is called while it has no name."""
    known_cards: Callable[[str], Sequence[Any]] = _no_cards
    """The cards whose name contains a text, each with `name`, `zone`, `note` (what to show beside
    it) and `printed` (its fields for `create`)."""
    completed: Callable[[System, GameState, Mapping[str, Any]], Mapping[str, Any]] = _as_given
    """A seat's command with all that it means: a form may say in short what takes several."""
    kind_question: Words = ""
    """What to ask about an unknown kind of counter."""

    # Where tables write their rules.

    explained: Callable[[System], Explained] = _unexplained
    """Their numbers and rules in sentences, for the help."""

    # Moments and the summary.

    out_because: Callable[[System, GameState, str], Reason | None] = _no_reason
    """Why a seat that has lost is out, as far as the state still shows it."""
    announced: frozenset[str] = frozenset()
    """The rules that every screen announces when they do something."""
    news: frozenset[str] = frozenset()
    """The kinds of events that every screen announces."""
    hero: str = ""
    """The number that the game is about."""
    curves: Callable[[System, GameState, Any], Iterable[Curve]] = _no_curves
    """The system's own numbers for the charts, besides counters."""
    deals: frozenset[str] = frozenset()
    """The verbs by which a player lowers another player's `hero`."""
    loses_at: Mapping[str, int] = field(default_factory=dict)
    """By kind: the value at which a player has usually lost."""
    played_as: Callable[[Any], bool] = _never
    """Whether an object's name says what its owner plays: a commander, a champion."""

    @property
    def completes(self) -> bool:
        """Whether a form may say in short what takes several commands."""
        return self.completed is not _as_given

    @property
    def foretells(self) -> bool:
        """Whether a number may become another on its way in."""
        return self.becomes is not _as_put
