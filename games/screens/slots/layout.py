"""Where slot counters stand on the board of a seat: by scene, by seat, in the party strip.

Two boards with the same layout differ only in their counters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from msgspec import Struct

from games.rules.state import GameState
from games.screens.slots.names import translated_counter
from games.screens.slots.view_models import CounterView, counter_views
from games.systems.stars_and_signs.counter import (
    GM,
    Counter,
    Sight,
    counter_in,
    game_master,
    protagonists,
    runs,
    scene_state,
    sight,
)
from games.systems.stars_and_signs.templates import party

PARTY_ROLES = ("despair", "corruption", "hope", "energy")
"""The counters of each protagonist in the party strip."""


class Group(Struct, frozen=True):
    """Counters under one heading.

    kind: "mine", "scene", "seat", "known" or "done". state: of a scene, whether it is in play.
    """

    kind: str
    name: str
    counter_views: tuple[CounterView, ...]
    state: str = "running"

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.name}"

    @property
    def heading(self) -> tuple[str, str]:
        """What a board without its counters shows of it."""
        return self.key, self.state


def groups(state: GameState, seat: str | None) -> list[Group]:
    """The board of *seat*: by scene for the GM; for a player the table's, then their own.

    What belongs to a scene that is over is on no player's board.
    """
    seen = sorted(counter_views(state, seat), key=lambda each: each.counter.order)
    if game_master(state, seat):
        of_gm = _by_heading(state, (each for each in seen if not _done(each)))
        return _in_play(of_gm, _empty_scenes(state, of_gm)) + _last("done", seen)
    seen = [each for each in seen if runs(state, counter_in(state, each.id))]
    mine = [each for each in seen if not each.masked and each.counter.owner == seat and seat]
    own = {each.id for each in mine}
    others = [e for e in seen if e.id not in own and not e.masked and not _done(e)]
    masked = tuple(each for each in seen if each.masked)
    tables = [each for each in others if each.counter.owner in (None, GM)]
    theirs = [each for each in others if each.counter.owner not in (None, GM)]
    found = _by_heading(state, iter(tables))
    if masked:
        found.append(Group("known", "", masked))
    if seat in protagonists(state) or mine:
        found.append(Group("mine", "", tuple(mine)))
    found += _by_owner(state, theirs)
    return found + _last("done", [each for each in seen if each.id not in own])


def _done(each: CounterView) -> bool:
    return each.counter.resolved


def _last(kind: str, seen: Iterable[CounterView]) -> list[Group]:
    done = tuple(each for each in seen if _done(each))
    return [Group(kind, "", done)] if done else []


def _in_play(groups: list[Group], empty: list[Group]) -> list[Group]:
    """The GM's scenes: those in play, those to come, the seats, those that are over."""
    ranks = {"running": 0, "prepared": 1, "over": 3}
    placed = [(2 if group.kind == "seat" else ranks[group.state], group) for group in groups]
    placed += [(ranks[group.state], group) for group in empty]
    return [group for _rank, group in sorted(placed, key=lambda each: each[0])]


def _empty_scenes(state: GameState, groups: list[Group]) -> list[Group]:
    """The scenes that hold nothing yet, or nothing any more."""
    held = {group.name for group in groups if group.kind == "scene"}
    return [
        Group("scene", scene, (), how)
        for scene, how in state.scenes.items()
        if scene not in held and how != "over"
    ]


def _by_heading(state: GameState, seen: Iterator[CounterView]) -> list[Group]:
    """Counters by scene, then those without one by owner; the rest belong to the table."""
    headings: dict[tuple[str, str], list[CounterView]] = {}
    for each in seen:
        scene, seat = each.counter.scene, each.counter.owner
        heading = ("seat", seat) if seat and seat != GM and not scene else ("scene", scene or "")
        headings.setdefault(heading, []).append(each)
    laid = [
        Group(kind, name, tuple(within), scene_state(state, name) if kind == "scene" else "running")
        for (kind, name), within in headings.items()
    ]
    return sorted(laid, key=lambda group: group.kind == "seat")


def _by_owner(state: GameState, seen: list[CounterView]) -> list[Group]:
    owned = {seat: [each for each in seen if each.counter.owner == seat] for seat in state.seats}
    return [Group("seat", seat, tuple(within)) for seat, within in owned.items() if within]


Arrangement = list[tuple[tuple[str, str], tuple[tuple[str, bool], ...]]]


def arrangement(state: GameState, seat: str | None) -> Arrangement:
    """Which counters are where; two boards with the same layout differ only in their counters."""
    return [
        (group.heading, tuple((each.id, each.masked) for each in group.counter_views))
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


class Protagonist(Struct, frozen=True):
    """One part of the party strip: those of a seat's counters that the viewer sees in full."""

    seat: str
    counters: tuple[tuple[str, Counter], ...]

    @property
    def flags(self) -> list[str]:
        return [flag for _role, counter in self.counters for flag in counter.flags]

    @property
    def beside_despair(self) -> tuple[object, ...]:
        """All that is shown but the large number."""
        return self.seat, self.flags, [each for each in self.counters if each[0] != "despair"]

    @property
    def despair(self) -> Counter | None:
        """What stands large; the others are small beside it."""
        return dict(self.counters).get("despair")


def hero(state: GameState, seat: str) -> Counter | None:
    """The player's own Despair, which stands in the cockpit."""
    if game_master(state, seat):
        return None
    return party(state, ("despair",)).get(seat, {}).get("despair")


def beside_hero(state: GameState, seat: str) -> list[Counter]:
    """The player's other counters in play, in their order."""
    first = hero(state, seat)
    every = [counter_in(state, each) for each in state.slot_counters]
    mine = [each for each in every if each.owner == seat and each is not first]
    return sorted([each for each in mine if runs(state, each)], key=attrgetter("order"))


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
