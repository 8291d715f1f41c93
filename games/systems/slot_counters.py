"""A game's words and choices for slot counters: its types, its own counters, the outcomes of its
Actions.

A `Presentation` has one `Slots` where the board is of that kind. What is left out, a game has not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from games.rules.commands import Itself
from games.rules.state import GameState, Words, marked
from games.rules.state import marked as _
from games.tracks.counter import MOST_SLOTS, Counter

from .board import Board
from .controls import Act, Stepper, Tap
from .new_game import Opening, Preset

SIZES = (3, 5, 8, 10)


class Template(Struct, frozen=True):
    """A counter that can be made with one tap.

    counter: parameters of `create`. sizes: the numbers of slots to choose from.
    """

    title: Words
    text: Words
    counter: Mapping[str, Any] = field(default_factory=dict)
    sizes: tuple[int, ...] = SIZES

    def create(self, counter_id: str, **extra: Any) -> dict[str, Any]:
        """The command that makes it with the id *counter_id* and the *extra* parameters."""
        return {"do": "create", "as": counter_id, "name": self.title, **self.counter, **extra}


class Type(Struct, frozen=True):
    """A type of counters: its word, what completing one means, and the tile that makes one.

    counts: what its slots are: "up", to be filled; "down", to be used up; "actions"; "items".
    colour: one of a table's own, which also says its shape. row: whether it is drawn as a row of
    slots, where a table says how. verbs: what its change is called: a key of `VERBS`, or "" by what
    it counts.
    """

    word: Words
    meaning: Words
    tile: Template
    counts: str = "up"
    colour: str = ""
    row: bool = False
    verbs: str = ""


class Verbs(NamedTuple):
    """What a change of a counter is called. less, more: on a button, of its number.

    lost, gained: in the log, of slots on it.
    """

    less: Words
    more: Words
    lost: str
    gained: str


VERBS: Mapping[str, Verbs] = {
    "hit": Verbs(
        _("Hit"),
        _("Heal"),
        _("%(slots)s damage to %(on)s"),
        _("%(slots)s healed on %(on)s"),
    ),
    "lose": Verbs(
        _("Lose"),
        _("Regain"),
        _("%(slots)s lost from %(on)s"),
        _("%(slots)s regained on %(on)s"),
    ),
    "spend": Verbs(
        _("Spend"),
        _("Restore"),
        _("%(slots)s spent from %(on)s"),
        _("%(slots)s regained on %(on)s"),
    ),
    "add": Verbs(
        _("Take off"),
        _("Add"),
        _("%(slots)s taken off %(on)s"),
        _("%(slots)s added to %(on)s"),
    ),
    "fill": Verbs(
        _("Clear"),
        _("Fill"),
        _("%(slots)s cleared on %(on)s"),
        _("%(slots)s filled on %(on)s"),
    ),
}


class Move(Struct, frozen=True):
    """The referee's options after an Action.

    types, roles: the counters it can move; empty if it moves none. verb: the command that does it.
    slots: by how many slots; or dice: by the points of how many d10; or points: by how many points.
    reveals: whether a hidden counter may be revealed.
    """

    title: Words
    text: Words
    types: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    verb: str = "fill"
    slots: int = 0
    dice: int = 0
    points: int = 0
    reveals: bool = False

    def fits(self, counter: Counter) -> bool:
        """True if it could move *counter*."""
        if counter.resolved or counter.inventory:
            return False
        return counter.type in self.types or counter.role in self.roles

    def step(self, on: str, dice: Collection[int] = ()) -> dict[str, Any]:
        """The command that moves the counter *on*, with the rolled *dice*."""
        command: dict[str, Any] = {"do": self.verb, "on": on}
        if self.dice:
            return {**command, "dice": list(dice)}
        if self.points:
            return {**command, "points": self.points}
        return {**command, "slots": self.slots}


class Outcome(Struct, frozen=True):
    """An outcome of an Action. rolled, colour: where the game says them."""

    word: Words
    rolled: Words = ""
    colour: str = ""


class After(Struct, frozen=True, kw_only=True):
    """A follow-up of an Action with one outcome.

    gain: the points that it adds to the counters of the types `to`, in words; "" if none. dice: how
    many d10 those are, halved if `halve`. moves: by the heading of its list, and name. by_itself:
    the names of those that happen with an Action of that seat, without a choice. once: whether none
    is offered again.
    """

    gain: Words = ""
    to: tuple[str, ...] = ()
    dice: int = 1
    halve: bool = False
    moves: Mapping[Words, Mapping[str, Move]] = field(default_factory=dict)
    by_itself: Callable[[GameState, str], Collection[str]] = lambda *_: ()
    once: bool = False


class Scale(Struct, frozen=True):
    """What the GM says before an Action: how many slots more or fewer its outcomes fill.

    type: of the counters that it is about. steps: each with the slots that it adds.
    """

    word: Words
    type: str
    steps: tuple[tuple[Words, int], ...]

    @property
    def usual(self) -> int:
        """The number of the step that adds nothing."""
        return next((n for n, (_word, adds) in enumerate(self.steps) if not adds), 0)

    def scaled(self, move: Move, step: str) -> Move:
        """*move* at the step with that number; as it is if it is about others, or there is none."""
        if self.type not in move.types or len(move.types) > 1 or move.verb != "fill":
            return move
        adds = dict(enumerate(self.steps)).get(int(step) if step.isdecimal() else -1, ("", 0))[1]
        slots = max(0, move.slots + adds)
        return replace(move, slots=slots, text=f"{move.text[:1]}{slots}")


class Line(Struct, frozen=True):
    """One thing to do at a milestone.

    about: the counter it concerns. steps: the commands that do it; none if the players do it.
    wanted: whether it is ticked at first.
    """

    about: str
    text: str
    steps: tuple[Mapping[str, Any], ...] = ()
    wanted: bool = True


class TurnOrder(Struct, frozen=True):
    """A turn order.

    shown: the turn that a seat is shown, with its round and whether its player is done; None while
    there is no turn order. order: the counters in it.
    """

    shown: Callable[[GameState, str | None], Mapping[str, Any] | None]
    order: Callable[[GameState], Sequence[Counter]]


class Slots(Struct, frozen=True, kw_only=True, eq=False):
    """The counters of a game; equal only to itself, so that what follows from it can be cached.

    Its fields are lists that games fill in, its methods are questions that a game's own counters
    answer.
    """

    types: Mapping[str, Type]
    """The usual one first."""
    templates: Mapping[str, Template] = field(default_factory=dict)
    """The counters that it has a name for."""
    kit: tuple[str, ...] = ()
    """The templates of what every player has."""
    strip: tuple[str, ...] = ()
    """The roles in the party strip."""
    hero: str = ""
    """The role that stands large, in the strip and in each player's cockpit."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """The outcomes of an Action."""
    meanings: ClassVar[Mapping[str, Words]] = {}
    """By role, for those that show no type: what completing one means."""
    gains: ClassVar[Mapping[str, str]] = {}
    """By role: the verb by which points are added to it, if that is not "fill"."""
    shields: ClassVar[frozenset[str]] = frozenset()
    """The roles that may take slots instead of another counter of their owner's."""
    hopeless: ClassVar[str] = ""
    """The role that should not be spent while its owner's `hero` is complete."""
    written: ClassVar[bool] = False
    """True if people wrote its words, in the rules of their table."""
    dice: ClassVar[bool] = False
    """True if points are rolled with d10."""
    checklists: ClassVar[Mapping[str, Callable[[GameState], Sequence[Line]]]] = {}
    """The GM's list at each milestone of a session, the least one first."""

    def after(self, outcome: str, /) -> After:
        """The follow-ups of an Action with that outcome; "" is without one."""
        return After()

    def counts_as(self, outcome: str, hero: Counter | None, /) -> str:
        """The meaning of an outcome for a player, given the player's `hero`."""
        return outcome

    @property
    def scales(self) -> tuple[Scale, ...]:
        """What the GM says before an Action."""
        return ()

    @property
    def foe(self) -> str:
        """The type of what is fought, of which a typed line makes several; "" if there is none."""
        return ""

    @property
    def clock(self) -> str:
        """The type that "clock" is in a typed line."""
        return ""

    @property
    def most(self) -> int:
        """The most slots that a typed line may ask for."""
        return MOST_SLOTS

    @property
    def turns(self) -> TurnOrder | None:
        """Its turn order; None if it has none."""
        return None

    @property
    def conditions(self) -> tuple[tuple[Words, int | None, bool], ...]:
        """The conditions that are offered: how many rounds each lasts, and whether it is good."""
        return ()

    @property
    def own(self) -> frozenset[str]:
        """The names and labels that each screen shows in its own language."""
        found = {each.tile.title for each in self.types.values()}
        for each in self.templates.values():
            found |= {each.title, *each.counter.get("thresholds", {}).values()}
        return frozenset(found)

    @property
    def tracks(self) -> bool:
        """True if the four of the strip are rows of slots: they stand in the cockpit two by two."""
        kinds = [self.types[self.templates[each].counter["type"]] for each in self.strip]
        return [each.row for each in kinds] == [True] * 4

    def for_player(self, seat: str, ids: Iterable[str]) -> dict[str, Any]:
        """The command that gives *seat* all of the kit, in one entry. ids: a new one for each."""
        steps = [
            self.templates[name].create(new, owner=seat, order=order)
            for order, (name, new) in enumerate(zip(self.kit, ids, strict=True), start=1)
        ]
        return {"do": "together", "steps": steps}

    def party(self, seats: Sequence[str]) -> Opening:
        """The GM in the first seat and players in the others, each with all of the kit."""
        given, made = gm_first(seats), dict[str, Any]()
        for seat in list(given["seats"])[1:]:
            for order, name in enumerate(self.kit, start=1):
                facts = {"name": self.templates[name].title, **self.templates[name].counter}
                made[f"c{len(made) + 1}"] = {**facts, "owner": seat, "order": order}
        return {**given, "slot_counters": made}


def gm_first(seats: Sequence[str]) -> Opening:
    """The GM in the first seat, players in the others, and an empty board."""
    return {"seats": {seat: {} for seat in ("gm", *seats[: max(1, len(seats) - 1)])}}


class Counted(Struct, frozen=True):
    """The numbers of one holder besides slot counters, and the buttons of rules on it."""

    holder: str
    numbers: tuple[Stepper, ...] = ()
    acts: tuple[Act, ...] = ()


class SlotBoard(Board, frozen=True):
    """A board of slot counters."""

    kind = "slots"

    def counted(self, system: Itself, state: GameState, seat: str | None, /) -> Iterable[Counted]:
        """What is counted besides slot counters, and the buttons that a seat may press: its own
        first."""
        return ()

    def asked(self, system: Itself, state: GameState, seat: str, /) -> Sequence[Stepper]:
        """The numbers that a player has on a sheet of paper, besides slot counters."""
        return ()


EMPTY_BOARD = Preset(
    "gm", marked("A GM and an empty board"), marked("Add counters as you need them."), gm_first
)
ONE_SLOT = {"slots": 1}
TAPS = {
    "fill-slot": Tap("fill", "on", fixed=ONE_SLOT),
    "clear-slot": Tap("clear", "on", fixed=ONE_SLOT),
    "spend-slot": Tap("spend", "on", fixed=ONE_SLOT),
    "reveal-slot": Tap("edit", "on", fixed={"visibility": "open"}),
    "hide-slot": Tap("edit", "on", fixed={"visibility": "hidden"}),
    "resolve-slot": Tap("resolve", "on"),
    "restart-slot": Tap("restart", "on"),
}
UNDO_WORDS = {
    "create": marked("counter"),
    "edit": marked("edit"),
    "arrange": marked("order"),
    "scene": marked("scene"),
    "resolve": marked("counter"),
    "discard": marked("counter"),
    "share-past": marked("past"),
    "make-way": marked("change"),
    "action": marked("action"),
    "together": marked("action"),
    "end-session": marked("session"),
    "allow": marked("rights"),
    "appoint": marked("co-GM"),
    "add-co-gm": marked("co-GM"),
    "propose": marked("request"),
    "answer": marked("answer"),
    "withdraw": marked("request"),
    "dismiss": marked("answer"),
    "note": marked("note"),
    "note-makes-way": marked("note"),
    "amend": marked("note"),
    "strike": marked("note"),
    "throw": marked("dice"),
    "roll": marked("dice"),
    "toss": marked("coin"),
    "draw-seat": marked("draw"),
    "put": marked("item"),
    "take": marked("item"),
    "swap": marked("items"),
    "give": marked("item"),
    "describe": marked("item"),
    "correct": marked("correction"),
    "restart": marked("counter"),
    "fill": marked("slots"),
    "proposed": marked("hit"),
    "spend": marked("slots"),
    "clear": marked("slots"),
    "add-temporary": marked("slots"),
}
"""By verb, or by kind of event: the Undo button's word (`Story.undo_words`)."""
