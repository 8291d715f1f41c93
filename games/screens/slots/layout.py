"""Layout of slot counters on the board of a seat: by scene, by seat, in the party strip.

Two boards with the same layout differ only in their counters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from msgspec import Struct

from games.rules.state import GameState
from games.screens.slots.names import translated_counter, turn_shown
from games.screens.slots.view_models import CounterView, counter_views
from games.screens.words import Words
from games.tracks.counter import (
    GM,
    Counter,
    Sight,
    counter_in,
    counters_in,
    game_master,
    of_role,
    party,
    protagonists,
    runs,
    scene_state,
    sight,
)


class Group(Struct, frozen=True):
    """Counters under one heading.

    kind: "fight" (its name is the round), "mine", "scene", "seat", "known" or "done". state: of a
    scene, whether it is in play. races: those that race with the counter after them.
    """

    kind: str
    name: str
    counter_views: tuple[CounterView, ...]
    state: str = "running"
    races: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.name}"

    @property
    def ids(self) -> tuple[str, ...]:
        """Its counters, in order."""
        return tuple([each.id for each in self.counter_views])


def groups(its: Words, state: GameState, seat: str | None) -> list[Group]:
    """The board of *seat*: by scene for the GM; for a player the table's, then their own.

    What belongs to a scene that is over is on no player's board.
    """
    seen = sorted(counter_views(its, state, seat), key=lambda each: each.counter.order)
    fight = _fight(its, state, seen, seat)
    fighting = {each.id for group in fight for each in group.counter_views}
    seen = [each for each in seen if each.id not in fighting]
    if game_master(state, seat):
        of_gm = _by_heading(state, (each for each in seen if not _done(each)))
        return fight + _in_play(of_gm, _empty_scenes(state, of_gm)) + _last(seen)
    seen = [each for each in seen if runs(state, counter_in(state, each.id))]
    mine = [each for each in seen if not each.masked and each.counter.owner == seat and seat]
    own = {each.id for each in mine}
    others = [e for e in seen if e.id not in own and not e.masked and not _done(e)]
    masked = tuple(each for each in seen if each.masked)
    tables = [each for each in others if each.counter.owner in (None, GM)]
    theirs = [each for each in others if each.counter.owner not in (None, GM)]
    found = fight + _by_heading(state, iter(tables))
    if masked:
        found.append(Group("known", "", masked))
    if seat in protagonists(state) or mine:
        found.append(Group("mine", "", tuple(mine)))
    found += _by_owner(state, theirs)
    return found + _last([each for each in seen if each.id not in own])


def _fight(
    its: Words, state: GameState, seen: Iterable[CounterView], seat: str | None
) -> list[Group]:
    """The counters in the turn order that *seat* sees, in that order, while there is one."""
    turn, turns = turn_shown(its, state, seat), its.slots.turns
    if turn is None or turns is None:
        return []
    views = {each.id: each for each in seen}
    there = tuple(views[each.id] for each in turns.order(state) if each.id in views)
    return [Group("fight", str(turn["round"]), there)]


def _done(each: CounterView) -> bool:
    return each.counter.resolved


def _last(seen: Iterable[CounterView]) -> list[Group]:
    done = tuple(each for each in seen if _done(each))
    return [Group("done", "", done)] if done else []


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
    laid = []
    for (kind, name), within in headings.items():
        how = scene_state(state, name) if kind == "scene" else "running"
        views, races = _raced(within)
        laid.append(Group(kind, name, views, how, races))
    return sorted(laid, key=lambda group: group.kind == "seat")


def _raced(within: list[CounterView]) -> tuple[tuple[CounterView, ...], tuple[str, ...]]:
    """The counters *within* a heading, with those of a race side by side; the first of each race.

    Two counters race if each ends the other when it is complete. *within* is seen in full.
    """
    ends = {
        each.id: [link.to for link in each.counter.links if link.do == "resolve"]
        for each in within
        if each.counter.links
    }
    if len(ends) < 2:
        return tuple(within), ()
    left, laid, races = {each.id: each for each in within}, list[CounterView](), list[str]()
    for one in within:
        if left.pop(one.id, None) is None:
            continue
        laid.append(one)
        mine = ends.get(one.id, ())
        other = next((each for each in mine if each in left and one.id in ends.get(each, ())), "")
        if other:
            races.append(one.id)
            laid.append(left.pop(other))
    return tuple(laid), tuple(races)


def _by_owner(state: GameState, seen: list[CounterView]) -> list[Group]:
    owned = {seat: [each for each in seen if each.counter.owner == seat] for seat in state.seats}
    return [Group("seat", seat, tuple(within)) for seat, within in owned.items() if within]


PLACE = attrgetter("scene", "order", "owner", "resolved", "role", "turns_at", "links")
"""The facts of a counter that decide where it is on a board."""


def moved(before: GameState, after: GameState, key: str) -> bool:
    """True if the counter may have moved on the boards of those who see it, or is new."""
    if key not in before.slot_counters:
        return True
    return PLACE(counter_in(before, key)) != PLACE(counter_in(after, key))


def in_strip(its: Words, state: GameState, counter: Counter) -> bool:
    """True if the party strip has *counter*, which is seen in full."""
    if counter.role not in its.slots.strip:
        return False
    found = of_role(state, counter.owner, counter.role or "")
    return found is not None and found.id == counter.id


class Protagonist(Struct, frozen=True):
    """A seat in the party strip.

    hero: the large number. others: the small text beside it, by role. flags: those of all these.
    """

    seat: str
    hero: Counter | None
    others: Mapping[str, Counter]
    flags: tuple[str, ...]


def hero(its: Words, state: GameState, seat: str) -> Counter | None:
    """The player's own counter that stands large in the cockpit."""
    if game_master(state, seat):
        return None
    return of_role(state, seat, its.slots.hero)


def beside_hero(its: Words, state: GameState, seat: str) -> list[Counter]:
    """The player's other counters in play, in their order."""
    first = hero(its, state, seat)
    every = counters_in(state).values()
    mine = [each for each in every if each.owner == seat and each is not first]
    return sorted([each for each in mine if runs(state, each)], key=attrgetter("order"))


def strip(its: Words, state: GameState, seat: str | None) -> list[Protagonist]:
    """The party as *seat* sees it."""
    own = its.slots
    found = []
    for each, by_role in party(state, own.strip).items():
        seen = {
            role: translated_counter(its, by_role[role])
            for role in own.strip
            if role in by_role and sight(state, seat, by_role[role]) is Sight.EVERYTHING
        }
        lost = [flag for one in seen.values() for flag in CounterView(its, one).flags]
        found.append(Protagonist(each, seen.pop(own.hero, None), seen, tuple(lost)))
    return found
