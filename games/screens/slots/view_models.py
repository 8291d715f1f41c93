"""What a slot counter shows, to whom: plain values between the rules and the templates.

Nothing of a counter gets this far unless the rules say that the seat sees it (R14): a face is made
for one pair of eyes, and a template that is given a face may show all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.rules.state import GameState
from games.screens.slots.names import named
from games.systems.stars_and_signs.counter import GM, Counter, Sight, counter_in, game_master, sight
from games.systems.stars_and_signs.seen import seen_links
from games.systems.stars_and_signs.templates import party

TYPE_WORDS: Mapping[str, Any] = {
    "progress": _("Progress"),
    "danger": _("Danger"),
    "defeat": _("Defeat"),
    "resource": _("Resource"),
    "timer": _("Timer"),
    "inventory": _("Inventory"),
}
MEANINGS: Mapping[str, Any] = {
    "progress": _("The goal is achieved."),
    "danger": _("The situation worsens; the goal can still be reached."),
    "defeat": _("Something crucial is lost."),
    "resource": _("It’s used up."),
    "timer": _("The event happens."),
    "inventory": _("There’s no room left."),
}
"""What completing a counter means, where it does not say so itself."""
ROLE_MEANINGS: Mapping[str, Any] = {
    "despair": _(
        "Broken: a Critical counts as a Graze and anything else as a Miss; any more is a Wound."
    ),
    "corruption": _("Anything gained from now on consumes."),
}
"""The same for the two that the rulebook gives no type: they are shown without the one they need
to move as a Danger does."""
VISIBILITY_WORDS: Mapping[str, Any] = {
    "hidden": _("hidden"),
    "known": _("known"),
    "chosen": _("chosen"),
    "open": _("open"),
}
PARTY_ROLES = ("despair", "corruption", "hope", "energy")
"""What the strip tells of each protagonist."""


@dataclass(frozen=True, slots=True)
class Rights:
    """What a seat may do with a counter."""

    fill: bool = False
    clear: bool = False
    spend: bool = False
    items: bool = False
    edit: bool = False
    gm: bool = False


NONE = Rights()


def rights(state: GameState, seat: str | None, counter: Counter) -> Rights:
    """What *seat* may do with a counter that it sees in full; refused again by the rules (R15)."""
    if seat is None:
        return NONE
    if game_master(state, seat):
        return Rights(True, True, True, True, True, True)

    def may(act: str) -> bool:
        permitted = counter.permissions.get(act, "owner")
        return permitted == "everyone" or (permitted == "owner" and counter.owner == seat)

    return Rights(may("fill"), may("clear"), may("spend"), may("items"), counter.owner == seat)


@dataclass(frozen=True, slots=True)
class Place:
    """A place of an inventory: an item, or room for one. span: how many columns it takes."""

    name: str
    size: int
    span: int


@dataclass(frozen=True, slots=True)
class Block:
    """One slot as it is drawn. state: "temporary", "filled" or "". mark: a threshold's label."""

    state: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CounterView:
    """A counter as one seat sees it; masked: its name and no more."""

    counter: Counter
    rights: Rights
    masked: bool = False
    seers: tuple[tuple[str, str], ...] = ()
    """Who sees it, for the GM: seats, with "all" or "name"."""

    @property
    def id(self) -> str:
        return self.counter.id

    @property
    def type_word(self) -> Any:
        """Its type; "" for what the rulebook gives none."""
        return "" if self.counter.role in ROLE_MEANINGS else TYPE_WORDS[self.counter.type]

    @property
    def visibility_word(self) -> Any:
        return VISIBILITY_WORDS[self.counter.visibility]

    @property
    def meaning(self) -> Any:
        said, role = self.counter.completes, self.counter.role or ""
        return gettext(said) if said else ROLE_MEANINGS.get(role) or MEANINGS[self.counter.type]

    @property
    def blocks(self) -> list[Block]:
        """Temporary slots first, for they are first in line; then filled ones, then the rest."""
        counter = self.counter
        marks = dict(counter.marks())
        return [Block("temporary")] * counter.temporary + [
            Block("filled" if number <= counter.filled else "", marks.get(number, ""))
            for number in range(1, counter.slots + 1)
        ]

    @property
    def places(self) -> list[Place]:
        """What lies in an inventory, then its free places."""
        counter = self.counter
        kept = [Place(i.name, i.size, min(2, i.size)) for i in counter.items if i.size]
        return kept + [Place("", 1, 1)] * max(0, counter.unfilled)

    @property
    def compact(self) -> list[str]:
        """The names of the items that take no place."""
        return [item.name for item in self.counter.items if not item.size]

    @property
    def plus(self) -> str:
        """What its plus asks for; "" if this seat cannot fill it."""
        if self.counter.resolved or self.counter.inventory:
            return ""
        if self.counter.type == "resource":
            return "spend-slot" if self.rights.spend else ""
        return "fill-slot" if self.rights.fill else ""

    @property
    def minus(self) -> str:
        """What its minus asks for; "" if this seat cannot clear it."""
        if self.counter.resolved or self.counter.inventory:
            return ""
        return "clear-slot" if self.rights.clear else ""


def counter_view(state: GameState, seat: str | None, counter: Counter) -> CounterView | None:
    """*counter* as *seat* sees it; None if it sees nothing of it."""
    how = sight(state, seat, counter)
    if how is Sight.NOTHING:
        return None
    if how is Sight.NAME:
        return CounterView(masked_counter(named(counter)), NONE, masked=True)
    may = rights(state, seat, counter)
    return CounterView(named(counter), may, seers=tuple(seers(state, counter)) if may.gm else ())


def masked_counter(counter: Counter) -> Counter:
    """A counter of which nothing but the name is true."""
    return Counter(id=counter.id, name=counter.name, visibility="known")


def seers(state: GameState, counter: Counter) -> Iterator[tuple[str, str]]:
    """The seats, besides the GM's own, that see *counter*, and how much."""
    for seat in state.seats:
        how = sight(state, seat, counter)
        if seat != GM and how is not Sight.NOTHING:
            yield seat, "name" if how is Sight.NAME else "all"


def counter_views(state: GameState, seat: str | None) -> list[CounterView]:
    """All counters that *seat* sees."""
    every = (counter_in(state, each) for each in state.slot_counters)
    return [seen for counter in every if (seen := counter_view(state, seat, counter))]


# Where they lie


@dataclass(frozen=True, slots=True)
class Group:
    """Counters under one heading. kind: "mine", "scene", "seat", "known" or "done"."""

    kind: str
    name: str
    counter_views: tuple[CounterView, ...]

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.name}"


def groups(state: GameState, seat: str | None) -> list[Group]:
    """The board of *seat*. The GM's lies by scenes; a player's own come first, masked ones last."""
    seen = sorted(counter_views(state, seat), key=lambda each: each.counter.order)
    if game_master(state, seat):
        return list(_by_heading(each for each in seen if not _done(each))) + _last("done", seen)
    mine = [each for each in seen if not each.masked and each.counter.owner == seat and seat]
    own = {each.id for each in mine}
    others = [e for e in seen if e.id not in own and not e.masked and not _done(e)]
    masked = tuple(each for each in seen if each.masked)
    found = [Group("mine", "", tuple(mine))] if mine else []
    tables = [each for each in others if each.counter.owner in (None, GM)]
    theirs = [each for each in others if each.counter.owner not in (None, GM)]
    found += _by_heading(iter(tables))
    if masked:
        found.append(Group("known", "", masked))
    found += _by_owner(state, theirs)
    return found + _last("done", [each for each in seen if each.id not in own])


def _done(each: CounterView) -> bool:
    return each.counter.resolved


def _last(kind: str, seen: Iterable[CounterView]) -> list[Group]:
    done = tuple(each for each in seen if _done(each))
    return [Group(kind, "", done)] if done else []


def _by_heading(seen: Iterator[CounterView]) -> list[Group]:
    """By scene; what lies in none, by its owner, after the scenes; the rest is the table's."""
    headings: dict[tuple[str, str], list[CounterView]] = {}
    for each in seen:
        scene, seat = each.counter.scene, each.counter.owner
        heading = ("seat", seat) if seat and seat != GM and not scene else ("scene", scene or "")
        headings.setdefault(heading, []).append(each)
    laid = [Group(kind, name, tuple(within)) for (kind, name), within in headings.items()]
    return sorted(laid, key=lambda group: group.kind == "seat")


def _by_owner(state: GameState, seen: list[CounterView]) -> list[Group]:
    owned = {seat: [each for each in seen if each.counter.owner == seat] for seat in state.seats}
    return [Group("seat", seat, tuple(within)) for seat, within in owned.items() if within]


def layout(state: GameState, seat: str | None) -> list[tuple[str, tuple[tuple[str, bool], ...]]]:
    """Which counters lie where; two boards with the same layout differ in their counters only."""
    return [
        (group.key, tuple((each.id, each.masked) for each in group.counter_views))
        for group in groups(state, seat)
    ]


def moved(before: GameState, after: GameState, seat: str | None, key: str) -> bool:
    """Whether the counter may lie elsewhere on the board of *seat* than before, or nowhere."""
    if key not in before.slot_counters or key not in after.slot_counters:
        return True
    then, now = counter_in(before, key), counter_in(after, key)
    lay = (then.scene, then.order, then.owner, then.resolved, then.role)
    lies = (now.scene, now.order, now.owner, now.resolved, now.role)
    return lay != lies or sight(before, seat, then) is not sight(after, seat, now)


def in_strip(state: GameState, key: str) -> bool:
    """Whether the party strip may tell of the counter."""
    counter = counter_in(state, key)
    return counter.role in PARTY_ROLES and counter.owner is not None


@dataclass(frozen=True, slots=True)
class Protagonist:
    """One part of the party strip: the counters of a seat that the onlooker sees in full."""

    seat: str
    counters: tuple[tuple[str, Counter], ...]

    @property
    def flags(self) -> list[str]:
        return [flag for _role, counter in self.counters for flag in counter.flags]


def strip(state: GameState, seat: str | None) -> list[Protagonist]:
    """The party as *seat* sees it."""
    return [
        Protagonist(
            each,
            tuple(
                (role, named(by_role[role]))
                for role in PARTY_ROLES
                if role in by_role and sight(state, seat, by_role[role]) is Sight.EVERYTHING
            ),
        )
        for each, by_role in party(state, PARTY_ROLES).items()
    ]


@dataclass(frozen=True, slots=True)
class Moment:
    """A completion that a seat is told of.

    key: tells it from every other. passing: the counter has begun again already. entry: the log's
    number of what completed it; 0 if that was earlier. over: what did not fit, and as what.
    """

    key: str
    counter_view: CounterView
    passing: bool = False
    entry: int = 0
    over: int = 0
    over_as: str = "points"


def moments(
    state: GameState, seat: str | None, events: Iterable[Mapping[str, Any]] = ()
) -> list[Moment]:
    """The counters that stand completed, and those that *events* completed and began again."""
    told = _told(events)
    found = []
    for each in counter_views(state, seat):
        if each.masked or each.counter.resolved or _anothers_bag(each, seat):
            continue
        facts = told.get(each.id, {})
        if each.counter.complete:
            found.append(Moment(each.id, each, **facts))
        elif facts.get("entry") and (each.counter.loop or each.counter.on_full != "keep"):
            key = f"{each.id}.{facts['entry']}"
            found.append(Moment(key, each, passing=True, **facts))
    return found


def _anothers_bag(each: CounterView, seat: str | None) -> bool:
    """Whether it is somebody else's inventory: that it is full concerns its owner and the GM."""
    counter = each.counter
    if not counter.inventory or counter.on_full != "keep" or each.rights.gm:
        return False
    return counter.owner is not None and counter.owner != seat


def _told(events: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By counter: which entry completed it, and what did not fit."""
    told: dict[str, dict[str, Any]] = {}
    for event in events:
        if event["kind"] == "completed":
            told[event["on"]] = {"entry": event.get("entry", 0)}
        elif event["kind"] == "overflowed" and event["on"] in told:
            points = event.get("points")
            over = {"over": event["slots"], "over_as": "slots"}
            told[event["on"]] |= over if points is None else {"over": points}
    return told


def links_of(state: GameState, seat: str | None, counter: Counter) -> list[tuple[Any, Counter]]:
    """The links of *counter* that *seat* may know of, each with the counter it leads to."""
    return [(link, counter_in(state, link.to)) for link in seen_links(state, seat, counter)]
