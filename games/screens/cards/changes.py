"""Fragments of a card table for a command's changes.

A fragment is drawn once per audience, never per seat, and only if what it shows has changed: a tap
on a generic counter is one number. The fragments are those of the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter, is_not

from games.rules.history import Applied
from games.rules.state import GameObject, GameState
from games.screens import view_models
from games.screens.cache import Key
from games.screens.cards import cards, seats
from games.screens.cards.announcements import announced, has_moments
from games.screens.cards.end import end
from games.screens.cards.numbers import numbers_only, turned_card
from games.screens.cards.overview import overview
from games.screens.cards.prompts import prompts
from games.screens.cards.score_sheet import scores
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.screens.parts import Part, frame
from games.screens.secrets import applied_as_seen
from games.screens.turn import turn
from games.systems.controls import Panel, Stepper


def changes(drawing: Drawing, given: Applied, audience: Audience) -> str:
    """The fragments that an accepted command changed for *audience*, and what its seat is told of
    it: without a seat, what everyone is.

    Those that see everything share what was drawn for one of them.
    """
    first = audience.seat is None and drawing.system.secrets is None
    seen = given
    if drawing.system.secrets is not None:
        seen = applied_as_seen(drawing.eyes, given, audience.seat, audience.language)
    key, known = ("changes", audience.language), {} if first else drawing.cache.of(given.after)
    drawn: Drawn = known.get(key, NOTHING_DRAWN)
    before, shown, news = drawn
    if before is not given.before or seen is not given:
        shown, news = _changes(drawing, seen, audience), has_moments(drawing, seen)
        if seen is given and (news or not first):
            drawing.cache.of(given.after)[key] = given.before, shown, news
    if not news:
        return shown
    with drawing.reading(audience):
        return shown + announced(drawing, seen, audience.seat)


Drawn = tuple[GameState | None, str, bool]
"""The state before, the fragments of a change, and whether anything is told of it."""
NOTHING_DRAWN: Drawn = (None, "", False)


def _changes(drawing: Drawing, given: Applied, audience: Audience) -> str:
    numbers = numbers_only(drawing, given)
    if numbers is not None:
        return numbers
    with drawing.reading(audience):
        before, after = given.before, given.after
        if given.touched is None:
            same = [*before.seats] == [*after.seats]
            then, now = (
                _parts(drawing, state, _everything(drawing, state)) for state in (before, after)
            )
            return frame(then if same else (), now)
        turned = turned_card(drawing, given)
        if turned is not None:
            return turned
        scope = _scope(drawing, before, after, given.touched)
        return frame(_parts(drawing, before, scope), _parts(drawing, after, scope))


@dataclass(slots=True)
class Scope:
    """The parts that a command may have changed.

    cards, places (seat and zone): of the cards, those that are touched. heads, seats: of whose
    heads, and whose numbers. asked: of whose questions. turn: the turn, too.
    """

    cards: dict[str, None]
    places: dict[tuple[str, str], None]
    heads: set[str]
    seats: set[str]
    asked: set[str]
    turn: bool = True


def _everything(drawing: Drawing, state: GameState) -> Scope:
    """All parts of the table, inside the board's frame."""
    places = {(seat, zone): None for seat in state.seats for zone in drawing.zones}
    every = {*state.seats}
    return Scope(dict.fromkeys(state.objects), places, every, every, every)


def _parts(drawing: Drawing, state: GameState, scope: Scope) -> list[Part]:
    """The parts of the table in *scope*."""
    found = [
        cards.card(drawing, state, obj)
        for key in scope.cards
        if (obj := state.objects.get(key))
        and obj.zone in drawing.zones
        and _place(obj) not in scope.places
    ]
    if scope.places:
        for seat in dict.fromkeys(seat for seat, zone in scope.places if zone in drawing.others):
            found.append(cards.piles(drawing, state, seat, scope.cards))
        for seat, zone in scope.places:
            if zone in drawing.fields:
                found.append(cards.zone(drawing, state, seat, zone, scope.cards))
    choices = (state.objects, state.counters) if scope.cards else None
    for seat in state.seats:
        if seat in scope.heads:
            found.append(seats.head(drawing, state, seat))
        if seat in scope.seats:
            found.append(seats.numbers(drawing, state, seat))
        if seat in scope.asked:
            found.append(prompts(drawing, state, seat, choices))
    found += [table_part(drawing, state) for table_part in OF_TABLE]
    if scope.turn:
        found.append(turn(drawing, state))
    return found


OF_TABLE = (seats.table_cell, overview, scores, end)
"""The parts that all seats share."""


def _scope(drawing: Drawing, before: GameState, after: GameState, touched: frozenset[str]) -> Scope:
    """The touched holders, and everything that depends on them."""
    prompts = (*before.prompts, *after.prompts)
    asked = {each for prompt in prompts for each in (prompt.to, prompt.source or "")}
    asked &= {*after.seats}
    away = {*(before.absent or ())} ^ {*(after.absent or ())}
    scope = Scope({}, {}, {*touched, *away} & {*after.seats}, {*touched}, asked)
    for key in sorted(touched):
        if key in after.objects:
            _follow(drawing, before, after, key, scope)
    board = drawing.presentation.board
    lost = before.seats is not after.seats and _lost(before) != _lost(after)
    by_all = not view_models.CacheKey.of(before).same(view_models.CacheKey.of(after)) or any(
        board.shown_by_all(before, after, on) for on in touched
    )
    if by_all or lost or any(map(is_not, SHOWN_BY_ALL(before), SHOWN_BY_ALL(after))):
        scope.seats.update(after.seats)
    for team in after.teams.values():
        if f"team:{team.id}" in scope.seats or not scope.seats.isdisjoint(team.seats):
            scope.seats.update(team.seats)
    scope.seats |= scope.heads
    _carry(drawing, before, after, scope)
    active = lost or before.turn is not after.turn or before.absent != after.absent
    for seat in scope.seats & before.seats.keys() & after.seats.keys():
        was, now = (seats.panel_of(drawing, state, seat) for state in (before, after))
        if was != now:  # what leaves a panel comes back to its card
            scope.cards.update(dict.fromkeys(sorted(_holders(was) ^ _holders(now))))
        elif not active:
            scope.seats.discard(seat)
            drawing.cache.carry(before, after, [("numbers", seat, drawing.language)])
    if by_all or before.turn is not after.turn:
        scope.cards.update(_others(drawing, before, after, touched, every=by_all))
    counts = after.turn is not None and after.turn.phase in board.counting_phases
    scope.turn = counts or lost or any(map(is_not, OF_TURN(before), OF_TURN(after)))
    return scope


SHOWN_BY_ALL = attrgetter("teams", "turn", "prompts", "result", "settings", "notes", "standings")
"""The parts of a state that may show on every panel and in every cell."""
OF_TURN = attrgetter("turn", "prompts", "result", "objects", "parts")
"""The parts of a state that decide what the turn shows."""


def _lost(state: GameState) -> list[bool]:
    return [seat.lost for seat in state.seats.values()]


def _follow(drawing: Drawing, before: GameState, after: GameState, key: str, scope: Scope) -> None:
    """Add a touched card, its row, where it was and is, and its seats."""
    then, now = before.objects.get(key), after.objects[key]
    place, was = _place(now), _place(then) if then else None
    row = drawing.stacks.row(after, key)
    last = drawing.stacks.row(before, key) if then else ()
    scope.cards.update(dict.fromkeys((*row[:1], *last[:1])))
    for obj in (then, now):
        if obj:
            scope.seats.update((obj.owner, obj.controller))
    if place != was or row != last:
        places = (each for each in (was, place) if each and each[1] in drawing.zones)
        scope.places.update(dict.fromkeys(places))
    # Cards on the field show what they mean for a player. Deriving the player's other values at
    # each tap would cost more with every card on the table.
    elif then is now and now.on_field:
        return
    scope.heads.update((now.owner, place[0], was[0] if was else place[0]))


def _place(obj: GameObject) -> tuple[str, str]:
    return view_models.keeper(obj), obj.zone


def _carry(drawing: Drawing, before: GameState, after: GameState, scope: Scope) -> None:
    """Keep what is known of all other seats, for it stays so."""
    spoken, keys = drawing.language, list[Key]()
    for seat in after.seats:
        if seat not in scope.seats:
            keys += ("panel", seat), ("numbers", seat, spoken), ("head", seat, spoken)
    drawing.cache.carry(before, after, keys)


def _holders(shown: Panel) -> set[str]:
    """The holders of the numbers on a panel."""
    return {each.holder for each in (shown.hero, *shown.places) if type(each) is Stepper}


def _others(
    drawing: Drawing, before: GameState, after: GameState, touched: frozenset[str], *, every: bool
) -> Iterator[tuple[str, None]]:
    """The cards nobody touched that may show other numbers now, or on which a tap may give others,
    or that offer other acts now that the turn has moved on."""
    acts, system = drawing.presentation.board.acts, drawing.system
    for obj in after.objects.values():
        if obj.id not in touched and obj.zone in drawing.zones:
            if every or tuple(acts(system, before, obj)) != tuple(acts(system, after, obj)):
                yield obj.id, None
