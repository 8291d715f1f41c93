"""Pieces of boards: numbers that can be turned, buttons, and a seat's panel of them.

Plain values between the rules and the screens; nothing here knows Django or HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from games.rules.dice import FIRST_TURN
from games.rules.state import Words

STRIDE = (1, 10)
"""By how much a tap and a held button change a number, unless its `Stepper` says otherwise."""


class Tap(Struct, frozen=True):
    """The command of a button with the value "holder.kind".

    do: the verb.
    holder, kind, source: the parameters for the holder, the kind of counter, and the card that
    places it: the holder itself or, if `recalled`, a likelier card that the phone remembers.
    listed: the holder is given as a list of one. counted: the command gives an amount.
    fixed: its other parameters. own: those it has besides if the seat that taps controls the card;
    only the page's script knows that.

    The phone shows the change at once, before the server answers:
    changes: the numbers that may change; the first one on the board does. Empty if it is the kind.
    sign: 1 for up, -1 for down, 0 if only the server can tell.
    unless: a parameter with which only the server can tell.

    corrects: whether a judge may set this number.
    correction: the parameter of `correct` for it, if it is not a kind of counter.

    turns: a tap on a card's sign does it too: it turns the card on its side, or back.
    lowers: its number lowers a card's stats, below which it stands; a tap on them opens it.
    """

    do: str
    holder: str
    kind: str = ""
    source: str = ""
    recalled: bool = False
    listed: bool = False
    counted: bool = False
    fixed: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    sign: int = 0
    unless: str = ""
    corrects: bool = False
    correction: str = ""
    turns: bool = False
    lowers: bool = False


def facts(tap: Tap) -> dict[str, Any]:
    """The fields of *tap* that differ from the defaults, for the script on the page."""
    usual = Tap(tap.do, tap.holder)
    return {
        name: value
        for name in tap.__struct_fields__
        if (value := getattr(tap, name)) != getattr(usual, name) or name in ("do", "holder")
    }


SHARED_TAPS: Mapping[str, Tap] = {
    "less": Tap("remove", "on", kind="counter", counted=True, sign=-1),
    "more": Tap("place", "on", kind="counter", counted=True, sign=1, corrects=True),
    "begin-phase": Tap("begin-phase", "phase"),
    "begin-turn": Tap("begin-turn", "active", listed=True),
    "starts": Tap("draw-seat", "seat", fixed={"by_hand": True, **FIRST_TURN}),
}
"""The buttons of every board; a system adds its own."""


class AmountPreview(Struct, frozen=True):
    """A replaced amount: counters that cards of the table change on their way in.

    tapped, amount: the number as tapped, and what is put. says: how, in signs and names; "" if
    nothing changes it. order: what to say for that, if there are other orders. seat: whose taps
    become that; "" for everyone's.
    """

    tapped: int
    amount: int
    says: str = ""
    order: tuple[str, ...] = ()
    seat: str = ""


class Stepper(Struct, frozen=True):
    """A number between a minus and a plus: a kind of counter, or a number of the system's own.

    decrement, increment: the names of its buttons (`Tap`); "" for none. big: it is drawn big.
    stride: by how much a tap changes it, and by how much a held button does. least, most: its
    bounds; most is None if there is no maximum. unit: it is a multiple of this; the pad takes no
    other number. armed: the sign with which the pad opens, -1 or 1; 0 is minus for a main number,
    which is lost, and plus for any other, which is gained. gives: what a tap of its plus
    becomes, if not what was tapped. quick: the amounts that the pad offers at once. look: how it is
    drawn besides its digits: "pips", "clock", "track" or "switch"; "" for digits alone. shared: it
    is one number for all of a team.
    """

    holder: str
    kind: str
    amount: int
    decrement: str = "less"
    increment: str = "more"
    big: bool = False
    stride: tuple[int, int] = STRIDE
    most: int | None = None
    least: int = 0
    unit: int = 1
    armed: int = 0
    gives: tuple[AmountPreview, ...] = ()
    quick: tuple[int, ...] = ()
    look: str = ""
    shared: bool = False

    def turned(self, holder: str, kind: str, n: int) -> Stepper:
        """The same with the amount *n*, if it is that number."""
        its_own = (self.holder, self.kind) == (holder, kind)
        return replace(self, amount=n) if its_own else self


class Stat(Struct, frozen=True):
    """The current value of a stat. printed: None if there is nothing to compare it with. ending:
    the part of it that is only there until the turn ends."""

    name: str
    now: int
    printed: int | None
    ending: int = 0

    @property
    def trend(self) -> str:
        if self.printed is None or self.printed == self.now:
            return ""
        return "up" if self.now > self.printed else "down"


class Price(Struct, frozen=True):
    """The price of an act in one kind. short: the number that is missing."""

    kind: str
    amount: int
    short: int = 0


class Act(Struct, frozen=True):
    """Something that one tap does. tap: the name of its `Tap`. label: what it says. holder: what it
    is done with; "" for the card it stands on. price: what it costs. sheet: the address, below the
    game's, of the sheet that asks what else has to be said; "" if nothing has. later: it cannot be
    done now. used: it can be done once, and has been. own: it is its holder's,
    not everybody's."""

    tap: str
    label: Words
    holder: str = ""
    price: tuple[Price, ...] = ()
    sheet: str = ""
    later: bool = False
    used: bool = False
    own: bool = True

    @property
    def short(self) -> int:
        """The number that is missing of its price."""
        return sum(each.short for each in self.price)


class Tally(Struct, frozen=True):
    """Amounts of *kind* by seat, as marks over numbers; a tap opens a sheet.

    amounts: (seat, amount), in table order. sheet: the sheet's address, below the game's.
    tap: the name of the `Tap` that says afterwards of a loss that it was of this kind, with the
    log's entries of the loss as `entries`. less: the name of the one that takes it back. sources:
    (seat, id, amount), what each can have come from. most: the amount of one of them at which the
    player loses. says: what stands before them.
    """

    kind: str
    amounts: tuple[tuple[str, int], ...]
    sheet: str
    tap: str = ""
    less: str = ""
    sources: tuple[tuple[str, str, int], ...] = ()
    most: int = 0
    says: Words = ""


class Designation(Struct, frozen=True):
    """Something that players hand on (the monarch). A tap on it gives it to the seat.

    kind: what it is called and drawn as. tap: the name of its `Tap`. holder: the seat whose place
    this is. held: whether that seat has it.
    """

    kind: str
    tap: str
    holder: str
    held: bool


class Amounts(Struct, frozen=True):
    """Buttons for the usual changes of the hero, for the seat that a target chip names.

    by: the amounts. less, more, halve: the names of their `Tap`s; *halve* may be "". holder: of the
    hero, if it is not the seat. adds: the sign is a plus until it is tapped.
    """

    kind: str
    by: tuple[int, ...]
    less: str
    more: str
    halve: str = ""
    holder: str = ""
    adds: bool = False


class Sign(Struct, frozen=True):
    """An icon that says what is so, with a number if it has one.

    kind: its word and its icon. own: it is the seat's and not the table's; the strip shows it too.
    """

    kind: str
    amount: int | None = None
    own: bool = False


class SheetButton(Struct, frozen=True):
    """A button that opens a sheet.

    label: what it says; "" for the word for its kind. sheet: the sheet's address, below the game's.
    kind: its icon; "" for none. amount: a number to show; None for none. signs: what the sheet has
    to tell; they take the icon's place.
    """

    label: Words
    sheet: str
    kind: str = ""
    amount: int | None = None
    signs: tuple[Sign, ...] = ()


class Coin(NamedTuple):
    """The mark of a number without a picture: its hue, 1 to 12, and a letter or two."""

    hue: int
    letter: str


Place = Stepper | Act | Tally | Designation | Amounts | SheetButton


class Goal(Struct, frozen=True):
    """The distance of the hero from the end of the game. says: that, with a place for %(n)s.
    left, of: the rest, and the whole distance. end: the number that ends it."""

    says: Words
    left: int
    of: int
    end: int


class Shared(Struct, frozen=True):
    """A switch that seats hold (the longest road): the seat's own, and all that have it."""

    it: Stepper
    held: tuple[str, ...]


class Said(Struct, frozen=True):
    """An answer that stands in a round of a score sheet. kind: the number that it is."""

    prompt: str
    number: int
    kind: str = ""


class Cell(Struct, frozen=True):
    """A cell of a score sheet.

    amount: what is written in it or worked out; None if nothing is. waits: it is to be written.
    done: somebody has said what only later makes a number; held: the question that was answered,
    while nobody else may read that. number: the number that a tap writes. prompt: the question that
    a tap answers; least, most: its bounds. said: the answers of which it is made, each of which a
    tap corrects. counted: without answers, the number of the round and the round, which a tap
    corrects.
    """

    amount: int | None = None
    waits: bool = False
    done: bool = False
    held: str = ""
    number: Stepper | None = None
    prompt: str = ""
    least: int = 0
    most: int = 0
    said: tuple[Said, ...] = ()
    counted: tuple[str, int] | None = None


class Line(Struct, frozen=True):
    """A line of a score sheet. id: safe in an id. head: the number of a round, the kind of a part,
    or how it is worked out. cells: by seat. sort: "round", "part", or "follows" for what is worked
    out from those above. counts: its numbers are added up as they are. now: the round goes on.
    asks: the number that was asked for last in it.
    """

    id: str
    head: int | str
    cells: tuple[Cell, ...]
    sort: str = "round"
    counts: bool = True
    now: bool = False
    asks: str = ""


class Sum(Struct, frozen=True):
    """A seat's total at the foot of a score sheet.

    left: how many cells are still to be written. place: among those whose sheet is full; None if
    nothing says who wins. goal: how far it is from the end. ties: the numbers that decide between
    it and equal totals, each with its kind. away: that it left the game, and has no place.
    """

    amount: int
    left: int = 0
    place: int | None = None
    goal: Goal | None = None
    ties: tuple[tuple[str, int], ...] = ()
    away: bool = False

    @property
    def gone(self) -> int:
        """How much of the way to the end is behind it."""
        return max(0, self.goal.of - self.goal.left) if self.goal else 0


class Scores(Struct, frozen=True):
    """A score sheet: the parts that make up each seat's total, or what each round brought.

    kind: what is added up. seats: those of columns, in table order. teams: by the seat of a column,
    who shares it. lines: those of rounds oldest first. sums: by
    seat. best: "highest" or "lowest" wins; "" if nothing says so. whole: nothing is counted but
    what the sheet shows, so that it takes the place of the seats' own panels.
    """

    kind: str
    seats: tuple[str, ...]
    lines: tuple[Line, ...]
    sums: tuple[Sum, ...]
    best: str = ""
    whole: bool = False
    teams: Mapping[str, tuple[str, ...]] = {}

    def players(self, seat: str) -> tuple[str, ...]:
        """The players of a column."""
        return self.teams.get(seat, (seat,))

    def points(self) -> Iterator[tuple[str, int]]:
        """The total of each player who stayed."""
        for column, total in zip(self.seats, self.sums, strict=True):
            if not total.away:
                yield from ((seat, total.amount) for seat in self.players(column))


class Panel(Struct, frozen=True):
    """The numbers of a seat: its cockpit on its own phone, a tile elsewhere.

    hero: the number that the game is about; None if the seat has none now. left: how much is left
    of what ("15 left of 24"). places: the secondary numbers and acts, each always in its place.
    total: the number that the end tells, if it is not the hero. goal: how far the hero is from its
    end. strip: the number that stands for the seat in the strip, if it is not the hero. acts:
    buttons with their prices, on the stage above the seat's cards. rows: switches, which stand
    there too, and numbers that have no column. role: the word of what the player plays as.
    nth: the place in the order of the round, from 1; 0 where that is the table's. staged: acts come
    and go, so that their place is always there. columns: the places are columns, with + above and −
    below.
    """

    hero: Stepper | None
    left: tuple[int, int] | None = None
    places: tuple[Place, ...] = ()
    total: Stepper | None = None
    goal: Goal | None = None
    strip: Stepper | None = None
    acts: tuple[Act, ...] = ()
    rows: tuple[Stepper | Shared, ...] = ()
    role: str = ""
    nth: int = 0
    staged: bool = False
    columns: bool = False

    def turned(self, holder: str, kind: str, n: int) -> Panel:
        """The same with the amount *n* for that number, and what the main number then leaves."""
        hero, left = self.hero and self.hero.turned(holder, kind, n), self.left
        if left and hero is not self.hero:
            left = max(0, left[1] - n), left[1]
        places = tuple(
            [it.turned(holder, kind, n) if isinstance(it, Stepper) else it for it in self.places]
        )
        return replace(self, hero=hero, left=left, places=places)


class Step(NamedTuple):
    """One step from the printed value to the current one: "+2", by "buff", by rule "Buff 1"."""

    change: str
    by: str
    rule: str = ""
