"""What a slot counter shows, and to whom: plain values between the rules and the templates.

A view exists only if the rules let the seat see that counter (R14). It is made for one seat, and a
template may show everything in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.rules.state import GameState
from games.screens.slots.names import translated_counter
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
"""What completing a counter means, if the counter does not say."""
ROLE_MEANINGS: Mapping[str, Any] = {
    "despair": _(
        "Broken: a Critical counts as a Graze and anything else as a Miss; any more is a Wound."
    ),
    "corruption": _("Anything gained from now on consumes."),
}
"""The same for the two counters without a type in the rulebook. They work like a Danger, but no
type is shown."""
VISIBILITY_WORDS: Mapping[str, Any] = {
    "hidden": _("hidden"),
    "known": _("known"),
    "chosen": _("chosen"),
    "open": _("open"),
}
PARTY_ROLES = ("despair", "corruption", "hope", "energy")
"""The counters of each protagonist in the party strip."""


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
    """What *seat* may do with a counter that it sees in full; the rules check again (R15)."""
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
    """A place in an inventory: an item, or room for one. span: its width in columns."""

    name: str
    size: int
    span: int


@dataclass(frozen=True, slots=True)
class Block:
    """One slot as drawn. state: "temporary", "filled" or "". mark: a threshold's label."""

    state: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CounterView:
    """A counter as one seat sees it. masked: only its name."""

    counter: Counter
    rights: Rights
    masked: bool = False
    seers: tuple[tuple[str, str], ...] = ()
    """For the GM: the seats that see it, each with "all" or "name"."""

    @property
    def id(self) -> str:
        return self.counter.id

    @property
    def type_word(self) -> Any:
        """Its type; "" if the rulebook gives it none."""
        return "" if self.counter.role in ROLE_MEANINGS else TYPE_WORDS[self.counter.type]

    @property
    def visibility_word(self) -> Any:
        return VISIBILITY_WORDS[self.counter.visibility]

    @property
    def meaning(self) -> Any:
        text, role = self.counter.completes, self.counter.role or ""
        return gettext(text) if text else ROLE_MEANINGS.get(role) or MEANINGS[self.counter.type]

    @property
    def blocks(self) -> list[Block]:
        """Temporary slots first, because they are filled first; then filled ones, then the rest."""
        counter = self.counter
        marks = dict(counter.marks())
        return [Block("temporary")] * counter.temporary + [
            Block("filled" if number <= counter.filled else "", marks.get(number, ""))
            for number in range(1, counter.slots + 1)
        ]

    @property
    def places(self) -> list[Place]:
        """The items in an inventory, then its free places."""
        counter = self.counter
        kept = [Place(i.name, i.size, min(2, i.size)) for i in counter.items if i.size]
        return kept + [Place("", 1, 1)] * max(0, counter.unfilled)

    @property
    def compact(self) -> list[str]:
        """The names of the items that take no place."""
        return [item.name for item in self.counter.items if not item.size]

    @property
    def plus(self) -> str:
        """The command of its plus button; "" if this seat cannot fill it."""
        if self.counter.resolved or self.counter.inventory:
            return ""
        if self.counter.type == "resource":
            return "spend-slot" if self.rights.spend else ""
        return "fill-slot" if self.rights.fill else ""

    @property
    def minus(self) -> str:
        """The command of its minus button; "" if this seat cannot clear it."""
        if self.counter.resolved or self.counter.inventory:
            return ""
        return "clear-slot" if self.rights.clear else ""


def counter_view(state: GameState, seat: str | None, counter: Counter) -> CounterView | None:
    """*counter* as *seat* sees it; None if it cannot see it."""
    how = sight(state, seat, counter)
    if how is Sight.NOTHING:
        return None
    if how is Sight.NAME:
        return CounterView(masked_counter(translated_counter(counter)), NONE, masked=True)
    may = rights(state, seat, counter)
    return CounterView(
        translated_counter(counter), may, seers=tuple(seers(state, counter)) if may.gm else ()
    )


def masked_counter(counter: Counter) -> Counter:
    """A stand-in with the same id and name, and nothing else of *counter*."""
    return Counter(id=counter.id, name=counter.name, visibility="known")


def seers(state: GameState, counter: Counter) -> Iterator[tuple[str, str]]:
    """The seats other than the GM that see *counter*, and how much of it."""
    for seat in state.seats:
        how = sight(state, seat, counter)
        if seat != GM and how is not Sight.NOTHING:
            yield seat, "name" if how is Sight.NAME else "all"


def counter_views(state: GameState, seat: str | None) -> list[CounterView]:
    """All counters that *seat* sees."""
    every = (counter_in(state, each) for each in state.slot_counters)
    return [seen for counter in every if (seen := counter_view(state, seat, counter))]


# Layout


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
    """The board of *seat*: by scene for the GM; a player's own counters first, masked ones last."""
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
    """Counters by scene, then those without one by owner; the rest belong to the table."""
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
    """Which counters are where; two boards with the same layout differ only in their counters."""
    return [
        (group.key, tuple((each.id, each.masked) for each in group.counter_views))
        for group in groups(state, seat)
    ]


def moved(before: GameState, after: GameState, seat: str | None, key: str) -> bool:
    """Whether the counter may have moved on the board of *seat*, appeared or disappeared."""
    if key not in before.slot_counters or key not in after.slot_counters:
        return True
    then, now = counter_in(before, key), counter_in(after, key)
    old = (then.scene, then.order, then.owner, then.resolved, then.role)
    new = (now.scene, now.order, now.owner, now.resolved, now.role)
    return old != new or sight(before, seat, then) is not sight(after, seat, now)


def in_strip(state: GameState, key: str) -> bool:
    """Whether the party strip may show the counter."""
    counter = counter_in(state, key)
    return counter.role in PARTY_ROLES and counter.owner is not None


@dataclass(frozen=True, slots=True)
class Protagonist:
    """One part of the party strip: those of a seat's counters that the viewer sees in full."""

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
                (role, translated_counter(by_role[role]))
                for role in PARTY_ROLES
                if role in by_role and sight(state, seat, by_role[role]) is Sight.EVERYTHING
            ),
        )
        for each, by_role in party(state, PARTY_ROLES).items()
    ]


@dataclass(frozen=True, slots=True)
class Moment:
    """A completion to announce to a seat.

    key: unique. passing: the counter has already restarted. entry: the number of the entry that
    completed it; 0 if that was earlier. over, over_as: how much did not fit, and its unit.
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
    """The completed counters, and those that *events* completed and restarted."""
    completions = _completions(events)
    found = []
    for each in counter_views(state, seat):
        if each.masked or each.counter.resolved or _anothers_bag(each, seat):
            continue
        facts = completions.get(each.id, {})
        if each.counter.complete:
            found.append(Moment(each.id, each, **facts))
        elif facts.get("entry") and (each.counter.loop or each.counter.on_full != "keep"):
            key = f"{each.id}.{facts['entry']}"
            found.append(Moment(key, each, passing=True, **facts))
    return found


def _anothers_bag(each: CounterView, seat: str | None) -> bool:
    """Whether it is someone else's inventory: a full one concerns only its owner and the GM."""
    counter = each.counter
    if not counter.inventory or counter.on_full != "keep" or each.rights.gm:
        return False
    return counter.owner is not None and counter.owner != seat


def _completions(events: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By counter: the entry that completed it, and how much did not fit."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        if event["kind"] == "completed":
            found[event["on"]] = {"entry": event.get("entry", 0)}
        elif event["kind"] == "overflowed" and event["on"] in found:
            points = event.get("points")
            over = {"over": event["slots"], "over_as": "slots"}
            found[event["on"]] |= over if points is None else {"over": points}
    return found


def links_of(state: GameState, seat: str | None, counter: Counter) -> list[tuple[Any, Counter]]:
    """The links of *counter* that *seat* may know, each with the counter it leads to."""
    return [(link, counter_in(state, link.to)) for link in seen_links(state, seat, counter)]
