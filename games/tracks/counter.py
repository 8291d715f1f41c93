"""A slot counter, who can see it and who may act on it.

Source: Stars and Signs, core rules, "Counters" (2025-12); R numbers are our rulings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, ClassVar

from msgspec import Struct, field

from ..rules.commands import Command, Names
from ..rules.state import GameState, Refused, Restores, Seat, SlotCounter, from_facts
from ..rules.system import System, cites

GM = "gm"
"""The seat of the game master."""
MOST_SLOTS = 10
"""Slots of one counter, temporary ones included."""

TYPES = ("progress", "danger", "defeat", "resource", "timer", "inventory")
VISIBILITIES = ("hidden", "known", "chosen", "open")
LOOPS: Mapping[str, int] = {"same": 0, "+1": 1, "-1": -1}
"""The slots a counter gains each time it starts again."""
ACTS = ("fill", "clear", "spend", "items")
"""The acts with permissions of their own; everything else is for the owner and the GM."""
PERMITTED = ("gm", "owner", "everyone")


LONGEST_NAME = 80
SCENE_STATES = ("prepared", "running", "over")


class Sight(Enum):
    """Visibility of a counter for a seat (R14)."""

    NOTHING = "nothing"
    NAME = "name"
    EVERYTHING = "everything"


class Player(Seat, frozen=True):
    """A seat.

    co_gm: it sees and does what the GM does. chair: it is a co-GM's own, without a protagonist.
    """

    co_gm: bool = False
    chair: bool = False


class Item(Struct, frozen=True):
    """An item in an inventory. size: how many slots it takes (0 if Compact, 2 if Bulky)."""

    name: str
    size: int = 1


class Link(Struct, frozen=True):
    """A link: the effect of a counter on another (R16).

    do: "advance" fills the other by as many slots each time this one is filled; "fill", "clear",
    "reveal", "start" and "resolve" happen when this one is completed.
    slots: how many to fill or clear; None clears all.
    """

    to: str
    do: str
    slots: int | None = None

    def __str__(self) -> str:
        return self.to


class UnusedRoll(Struct, frozen=True):
    """A seat's unused roll for a counter. points: rolled at the table, without our dice."""

    seat: str
    dice: tuple[int, ...]
    points: int | None = None


class Counter(SlotCounter, frozen=True):
    """A counter of 1 to 10 slots.

    worth: points per slot.
    filled: the number of filled slots; in an inventory, the total size of its items.
    temporary: extra slots, unfilled, that are lost when they are filled.
    thresholds: by number of filled slots, as text: a label.
    seats: the seats that can see it while its visibility is "chosen".
    completes: what completing it means, if its type does not say it.
    later: the texts that players read only when it happens (R32): "completes", and thresholds by
    their number of slots.
    item_texts, item_secrets: by item, a line that everyone reads who sees the inventory, and one
    that only the GM reads (R34).
    on_full: "release" empties an inventory when it is completed.
    scene, order: the tab it is under, and its place there.
    role: which of the rulebook's own counters it is ("despair").
    permissions: who may fill, clear, spend, or move items, if that is not the owner.
    loop: how it starts again when it is completed.
    gm_note: what the GM wrote about it for themselves.
    rolls: what was rolled for it and not used, the oldest first.
    """

    restores: ClassVar[Restores] = {
        "items": lambda items: tuple(Item(**item) for item in items),
        "links": lambda links: tuple(Link(**link) for link in links),
        "rolls": lambda rolls: tuple(from_facts(UnusedRoll, r) for r in rolls),
    }
    name: str
    type: str = "progress"
    slots: int = 5
    worth: int = 5
    filled: int = 0
    temporary: int = 0
    items: tuple[Item, ...] = ()
    thresholds: Mapping[str, str] = field(default_factory=dict)
    owner: str | None = None
    visibility: str = "open"
    seats: tuple[str, ...] = ()
    paused: bool = False
    resolved: bool = False
    completes: str | None = None
    on_full: str = "keep"
    scene: str | None = None
    order: int = 0
    role: str | None = None
    permissions: Mapping[str, str] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    loop: str | None = None
    gm_note: str | None = None
    rolls: tuple[UnusedRoll, ...] = ()
    later: tuple[str, ...] = ()
    item_texts: Mapping[str, str] = field(default_factory=dict)
    item_secrets: Mapping[str, str] = field(default_factory=dict)

    look: ClassVar[str] = "blocks"
    """Its look on screens."""
    colour: ClassVar[str] = ""
    """Its colour there, if it has one of its own."""
    step: ClassVar[int] = 1
    """The slots that one tap fills."""
    parts: ClassVar[int] = 1
    """The slots that are drawn as one."""
    least: ClassVar[int] = 0
    """The number that people read when it is empty."""
    word: ClassVar[Any] = ""
    """The word for how much is there; "" if it has none."""
    limits: ClassVar[Any] = ()
    """The words for it, each with the most of it that is called so."""

    @property
    def unfilled(self) -> int:
        """The number of slots that can be filled, including temporary ones."""
        return self.slots - self.filled + self.temporary

    @property
    def shown(self) -> int:
        """The number that people read: how much of a resource is left, else how much is filled."""
        return self.unfilled if self.resource else self.filled

    figure: ClassVar[Any] = shown
    """`shown` as it is printed."""

    @property
    def top(self) -> int:
        """The number that people read when all its slots are there."""
        return self.slots

    @property
    @cites("R6", "Points and Slots")
    def complete(self) -> bool:
        """True if no slot, normal or temporary, is unfilled."""
        return self.unfilled == 0

    @property
    def flags(self) -> list[str]:
        """The labels of the thresholds reached, the lowest first."""
        return [label for count, label in self.marks() if count <= self.filled]

    @property
    def inventory(self) -> bool:
        """True if its slots hold items."""
        return self.type == "inventory"

    @property
    def resource(self) -> bool:
        """True if its slots are used up, and people read what is left."""
        return self.type == "resource"

    @property
    def loss(self) -> bool:
        """True if it is a loss that it is complete."""
        return False

    @property
    def timer(self) -> bool:
        """True if each Action fills a slot of it."""
        return self.type == "timer"

    @property
    def turns_at(self) -> int | None:
        """Its place in a turn order, the highest first; None if it takes no turns."""
        return None

    @property
    def adds_temporary(self) -> bool:
        """True if the number that people read includes the temporary slots."""
        return self.resource

    @property
    def most(self) -> int:
        """The most slots that it can have, temporary ones included."""
        return MOST_SLOTS

    @property
    def by_name(self) -> dict[str, Any]:
        """More facts for those who know it only by name."""
        return {}

    def marks(self) -> list[tuple[int, str]]:
        """The thresholds as numbers, the lowest first."""
        return sorted((int(count), label) for count, label in self.thresholds.items())

    def item(self, name: str) -> Item | None:
        return next((item for item in self.items if item.name == name), None)


OF_THE_GM = ("gm_note", "rolls", "item_secrets")
"""The fields that no player sees."""


def counter_in(state: GameState, counter_id: str) -> Counter:
    """The slot counter with that id. Raises KeyError."""
    counter: Counter = state.slot_counters[counter_id]  # type: ignore[assignment]
    return counter


def counters_in(state: GameState) -> Mapping[str, Counter]:
    """All slot counters, by id."""
    return state.slot_counters  # type: ignore[return-value]


def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """Derived values of a counter, beside its own fields."""
    if not isinstance(obj, Counter):
        return {}
    return {"unfilled": obj.unfilled, "complete": obj.complete, "flags": obj.flags}


# Who can see, and who may act


def game_master(state: GameState, seat: str | None) -> bool:
    """True if *seat* is the GM's or a co-GM's (R21)."""
    if seat == GM:
        return True
    player = state.seats.get(seat) if seat is not None else None
    return isinstance(player, Player) and player.co_gm


def protagonists(state: GameState) -> list[str]:
    """The seats that have a protagonist: all but the GM's and those of co-GMs without one."""
    return [
        seat
        for seat, player in state.seats.items()
        if seat != GM and not (isinstance(player, Player) and player.chair)
    ]


def scene_state(state: GameState, scene: str | None) -> str:
    """One of `SCENE_STATES`. A scene that was only ever named is running, and so is none at all."""
    return state.scenes.get(scene, "running") if scene is not None else "running"


@cites("R30")
def runs(state: GameState, counter: Counter) -> bool:
    """True if the counter is in play: Actions move it, and it is offered in choices."""
    return scene_state(state, counter.scene) == "running"


def of_role(state: GameState, seat: str | None, role: str) -> Counter | None:
    """The counter in play of a protagonist that has this *role*: the first, as in `party`."""
    for counter in counters_in(state).values():
        if counter.role == role and counter.owner == seat and runs(state, counter):
            return counter if seat in protagonists(state) else None
    return None


def party(state: GameState, roles: Iterable[str]) -> dict[str, dict[str, Counter]]:
    """By seat and role: each protagonist's counters in play with these *roles*, in table order."""
    wanted = set(roles)
    found: dict[str, dict[str, Counter]] = {seat: {} for seat in protagonists(state)}
    for counter in counters_in(state).values():
        if counter.role in wanted and counter.owner in found and runs(state, counter):
            found[counter.owner].setdefault(counter.role or "", counter)
    return found


@cites("R14", "R21", "R30")
def sight(state: GameState, seat: str | None, counter: Counter) -> Sight:
    """Visibility of *counter* for a seat now; None is a watcher."""
    if game_master(state, seat):
        return Sight.EVERYTHING
    if scene_state(state, counter.scene) == "prepared":
        return Sight.NOTHING
    if counter.visibility == "open":
        return Sight.EVERYTHING
    if seat is not None and seat == counter.owner:
        return Sight.EVERYTHING
    if counter.visibility == "known":
        return Sight.NAME if runs(state, counter) else Sight.NOTHING
    if counter.visibility == "chosen" and seat in counter.seats:
        return Sight.EVERYTHING
    return Sight.NOTHING


@cites("R14")
def _known(state: GameState, counter_id: str, by: str) -> bool:
    if counter_id not in state.slot_counters:
        return False
    return sight(state, by, counter_in(state, counter_id)) is not Sight.NOTHING


def _never(state: GameState, counter_id: Any) -> bool:
    return False


COUNTER = Names("slot counter", _known, _never)
"""A counter that the seat may know of."""
LINKED = Names("slot counter", lambda state, link, by: _known(state, str(link), by), _never)
"""The counter that a link leads to."""
OWNER = Names(
    "seat",
    lambda state, seat, by: not seat or seat in state.seats,
    lambda state, seat: bool(seat) and state.seats[seat].lost,
)
"""A seat, or nobody."""


@cites("R28", "R21")
def permitted(state: GameState, counter: Counter, act: str) -> str:
    """The permission for *act* without asking: one of `PERMITTED`.

    What the counter says comes first, then what its type says if it is the table's. A player's own
    counters stay that player's, whatever their type.
    """
    if given := counter.permissions.get(act):
        return given
    if counter.owner not in (None, GM):
        return "owner"
    given_types: Mapping[str, Mapping[str, str]] = state.settings.get("permissions", {})
    return given_types.get(counter.type, {}).get(act, "owner")


@cites("R20", "R28")
def hits_at_once(state: GameState, by: str, counter: Counter, act: str) -> bool:
    """True if what a seat proposes for a counter that it knows by name alone needs no nod."""
    return permitted(state, counter, act) == "everyone" and (
        sight(state, by, counter) is Sight.NAME
    )


@cites("R15", "R21")
def refuse_strangers(
    state: GameState, by: str, counter_ids: tuple[str, ...], act: str = ""
) -> None:
    """Refuse a seat that may not act on these counters.

    act: one of `ACTS`; the counter's permissions may give it to others or take it from the owner.
    """
    if game_master(state, by):
        return
    for counter_id in counter_ids:
        counter = counter_in(state, counter_id)
        who = permitted(state, counter, act)
        everyone = who == "everyone" and sight(state, by, counter) is Sight.EVERYTHING
        if not everyone and (who == "gm" or counter.owner != by):
            sentence = "You may not change {name}."
            raise Refused("forbidden", sentence, "R15", name=counter.name)


def refuse_players(state: GameState, by: str) -> None:
    """Refuse everyone except the GM."""
    if not game_master(state, by):
        raise Refused("forbidden", "Only the GM can do that.", "R15")


def gm_only(system: System, state: GameState, command: Command) -> None:
    """The permission of a verb that is the GM's."""
    refuse_players(state, command.by)


@cites("R4")
def refuse_resolved(counter: Counter) -> None:
    """Refuse to touch a counter that the GM has resolved."""
    if counter.resolved:
        raise Refused(
            "resolved",
            "{name} is resolved, so it is locked. The GM can open it again.",
            "R4",
            name=counter.name,
        )


@cites("Inventory", "A11")
def refuse_inventory(counter: Counter) -> None:
    """Refuse an inventory where slots are needed."""
    if counter.inventory:
        sentence = "{name} is an inventory: it holds items, not points."
        raise Refused("wrong-target", sentence, "Inventory", name=counter.name)


@cites("Temporary Slots")
def refuse_too_many(counter: Counter) -> None:
    """Refuse more slots than a counter can have."""
    if counter.slots + counter.temporary > counter.most:
        sentence = "A counter can have at most {most} slots."
        raise Refused("over-maximum", sentence, "Temporary Slots", most=counter.most)
