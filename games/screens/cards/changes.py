"""Fragments of a card table for a command's changes.

A fragment is drawn once per audience, never per seat, and only if what it shows has changed: a tap
on a generic counter is one number. The fragments are those of the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from games.rules.history import Applied
from games.rules.state import GameObject, GameState
from games.screens import view_models
from games.screens.cards import cards, seats
from games.screens.cards.announcements import announced, has_moments
from games.screens.cards.board import whole
from games.screens.cards.end import end, reason
from games.screens.cards.numbers import numbers_only, of_the_table, turned_card
from games.screens.cards.overview import frame, overview
from games.screens.cards.prompts import prompt_facts, prompts
from games.screens.cards.score_sheet import score_changes
from games.screens.cards.seats import gone, head_facts, own, panel_of
from games.screens.drawing import Drawing
from games.screens.fragments import (
    LEFT,
    MORPH,
    OOB,
    Audience,
    amount,
    gauge,
    gone_card,
    left,
    to_go,
)
from games.screens.secrets import applied_as_seen
from games.screens.turn import step_from, turn
from games.systems.controls import Panel, Shared, Stepper


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
        return _changed(drawing, given)


def _changed(drawing: Drawing, given: Applied) -> str:
    """The fragments of any other change."""
    if given.touched is None:
        return whole(drawing, given.after)
    before, after = given.before, given.after
    if card := turned_card(drawing, given):
        seat = card.controller
        panels = panel_of(drawing, before, seat), panel_of(drawing, after, seat)
        drawn = _card_changes(drawing, before, after, card, card)
        return drawn + "".join(_panel_numbers(drawing, after, seat, *panels))
    return "".join(_differences(drawing, before, after, given.touched))


def _differences(
    drawing: Drawing, before: GameState, after: GameState, touched: frozenset[str]
) -> Iterator[str]:
    """The fragments of the touched holders, and of everything that depends on them."""
    arrivals: dict[tuple[str, str], None] = {}
    tallies: dict[tuple[str, str], None] = {}
    heads = {each for each in touched if each in after.seats}
    gone, drawn = [], []
    for each in sorted(touched):
        now = after.objects.get(each)
        if now is None:
            continue
        then = before.objects.get(each)
        place = (view_models.keeper(now), now.zone)
        was = (view_models.keeper(then), then.zone) if then else None
        row = drawing.stacks.row(before, each) if then else ()
        if place == was and then is not None:
            if row != drawing.stacks.row(after, each):
                arrivals[place] = tallies[place] = None
            elif row[0] == each:
                drawn.append(_card_changes(drawing, before, after, then, now))
            # Cards on the field show what they mean for a player. Deriving the player's other
            # values at each tap would cost more with every card on the table.
            if then is now and now.on_field:
                continue
        heads.update((now.owner, place[0], was[0] if was else place[0]))
        if place == was:
            continue
        if was and was[1] in drawing.zones:
            tallies[was] = None
            if len(row) > 1 or not _any(after, *was):  # its heading goes with its last card
                arrivals[was] = None
            else:
                gone.append(gone_card(each))
        if place[1] in drawing.zones:
            arrivals[place] = tallies[place] = None
    yield from gone
    yield from drawn
    piled = [
        (seat, zone)
        for seat, zone in tallies
        if zone in drawing.others and _any(before, seat, zone) != _any(after, seat, zone)
    ]
    for seat in {seat: None for seat, zone in piled}:
        yield cards.piles(drawing, after, seat, MORPH)
    for seat, zone in tallies:
        if (seat, zone) not in piled:
            if (seat, zone) in arrivals:
                yield cards.zone(drawing, after, seat, zone, MORPH)
            if zone in drawing.others:
                yield cards.count(after, seat, zone, OOB)
    if before.turn is not after.turn:
        yield from _other_acts(drawing, before, after, touched)
    same_key = view_models.CacheKey.of(before).same(view_models.CacheKey.of(after))
    if not same_key or any(
        drawing.presentation.board.shown_by_all(before, after, on) for on in touched
    ):
        yield from _other_cards(drawing, before, after, touched)
    ended = before.result != after.result
    for seat in _concerned(drawing, before, after, touched, heads):
        if seat in heads and (
            seat not in before.seats
            or _differ(head_facts(drawing, before, seat), head_facts(drawing, after, seat))
        ):
            yield seats.head(drawing, after, seat, MORPH)
        yield from _panel_changes(drawing, before, after, seat)
        ended = ended or _end_changes(drawing, before, after, seat)
    table = drawing.presentation.board.table
    if [*table(drawing.system, before)] != [*table(drawing.system, after)]:
        yield seats.table_cell(drawing, after, OOB)
    coins = drawing.presentation.words.coins
    if coins and frame(drawing, before) != frame(drawing, after):
        yield overview(drawing, after, MORPH)
    if coins:
        yield from score_changes(drawing, before, after)
    yield from _prompts_and_turn(drawing, before, after, bool(gone or drawn or arrivals))
    if ended:
        yield end(drawing, after, MORPH)


def _differ(was: object, now: object) -> bool:
    return was is not now and was != now


def _concerned(
    drawing: Drawing, before: GameState, after: GameState, touched: frozenset[str], heads: set[str]
) -> list[str]:
    """The seats whose numbers or heads may differ. What is known of the others stays so."""
    found = view_models.concerned(drawing.system, before, after, touched)
    same = [seat for seat in after.seats if seat not in found]
    spoken, still = drawing.language, drawing.cache.carry
    still(before, after, [("panel", seat) for seat in same])
    still(before, after, [("head", seat, spoken) for seat in same if seat not in heads])
    return [seat for seat in after.seats if seat in heads or seat in found]


def _end_changes(drawing: Drawing, before: GameState, after: GameState, seat: str) -> bool:
    """True if the end of the game reads differently for *seat*."""
    if not after.result or seat not in before.seats:
        return False
    old, new = panel_of(drawing, before, seat), panel_of(drawing, after, seat)
    totals = (old.total or old.hero) != (new.total or new.hero)
    if totals or before.seats[seat].lost != after.seats[seat].lost:
        return True
    return reason(drawing, before, seat) != reason(drawing, after, seat)


def _prompts_and_turn(
    drawing: Drawing, before: GameState, after: GameState, moved: bool
) -> Iterator[str]:
    """The prompts and the turn, if they changed."""
    asked = {prompt.to for prompt in (*before.prompts, *after.prompts)}
    for seat in after.seats:
        if seat in asked and (moved or before.prompts is not after.prompts):
            yield prompts(drawing, after, seat, MORPH)
    lost = before.seats is not after.seats and _lost(before) != _lost(after)
    counts = (
        after.turn is not None and after.turn.phase in drawing.presentation.board.counting_phases
    )
    if (
        before.turn is not after.turn
        or before.prompts is not after.prompts
        or before.result != after.result
        or lost
        or (
            (counts or before.objects is not after.objects or before.parts is not after.parts)
            and step_from(drawing, before) != step_from(drawing, after)
        )
    ):
        yield turn(drawing, after, MORPH)
    if not moved and before.prompts is after.prompts:
        yield from _asked_again(drawing, before, after)


def _asked_again(drawing: Drawing, before: GameState, after: GameState) -> Iterator[str]:
    """The prompts, where the numbers that a waiting one asks about have changed."""
    for seat in {prompt.to: None for prompt in after.prompts}:
        of_seat = [each for each in after.prompts if each.to == seat]
        if any(
            prompt_facts(drawing, before, each) != prompt_facts(drawing, after, each)
            for each in of_seat
        ):
            yield prompts(drawing, after, seat, MORPH)


def _other_acts(
    drawing: Drawing, before: GameState, after: GameState, touched: frozenset[str]
) -> Iterator[str]:
    """The cards nobody touched that offer other acts now that the turn has moved on."""
    acts = drawing.presentation.board.acts
    for obj in after.objects.values():
        if obj.id not in touched and obj.zone in drawing.zones:
            then, now = acts(drawing.system, before, obj), acts(drawing.system, after, obj)
            if tuple(then) != tuple(now):
                yield cards.card(drawing, after, obj, OOB)


def _other_cards(
    drawing: Drawing, before: GameState, after: GameState, touched: frozenset[str]
) -> Iterator[str]:
    """The cards nobody touched that show other numbers now, or on which a tap gives others."""
    for obj in after.objects.values():
        if obj.id not in touched and obj.zone in drawing.zones:
            old, new = cards.card_view(drawing, before, obj), cards.card_view(drawing, after, obj)
            if old.steppers != new.steppers:
                yield cards.card(drawing, after, obj, OOB)


def _card_changes(
    drawing: Drawing, before: GameState, after: GameState, then: GameObject, now: GameObject
) -> str:
    """The numbers and stats that changed on a card, or the whole card if more did."""
    old, new = cards.card_view(drawing, before, then), cards.card_view(drawing, after, now)
    if old is new:
        return ""
    same = _looks(old) == _looks(new)
    kinds = [(token.kind, token.increment, token.most, token.gives) for token in old.tokens] == [
        (token.kind, token.increment, token.most, token.gives) for token in new.tokens
    ]
    if not same or not kinds:
        return cards.card(drawing, after, now, OOB)
    out = [
        amount(token.holder, token.kind, token.amount, OOB)
        for token, last in zip(new.tokens, old.tokens, strict=True)
        if token.amount != last.amount
    ]
    if old.stats != new.stats or old.hurts != new.hurts:
        out.append(cards.stats_of(drawing, new, OOB))
    return "".join(out)


def _panel_changes(
    drawing: Drawing, before: GameState, after: GameState, seat: str
) -> Iterator[str]:
    """Changed numbers of *seat*: just those, or its panel and its strip cell."""
    if seat not in before.seats:
        yield seats.panel(drawing, after, seat, MORPH) + seats.cell(drawing, after, seat, MORPH)
        return
    old, new = panel_of(drawing, before, seat), panel_of(drawing, after, seat)
    lost = before.seats[seat].lost != after.seats[seat].lost
    changed = _differ(old, new)
    framed = lost or (changed and not _only_numbers(old, new))
    turned = before.turn is not after.turn
    # A seat that is out shows why only, which a number that is sent by itself may change.
    out = changed and after.seats[seat].lost
    if framed or out or (turned and (seat in _active(before)) != (seat in _active(after))):
        yield seats.cell(drawing, after, seat, MORPH)
    if not changed and not lost:
        return
    if _stage(old) != _stage(new):
        yield seats.stage(drawing, after, seat, MORPH)
    if framed:
        yield seats.panel(drawing, after, seat, MORPH)
        for each in sorted(_objects(old) ^ _objects(new)):
            if (obj := after.objects.get(each)) and obj.zone in drawing.zones:
                yield cards.card(drawing, after, obj, OOB)
        return
    yield from _panel_numbers(drawing, after, seat, old, new)


def _panel_numbers(
    drawing: Drawing, after: GameState, seat: str, old: Panel, new: Panel
) -> Iterator[str]:
    """Changed numbers of a panel on which nothing else changed."""
    numbers = zip(view_models.numbers_of(old), view_models.numbers_of(new), strict=True)
    turned_now = [now for was, now in numbers if was.amount != now.amount]
    for now in turned_now:
        if own(now, after, seat):
            yield amount(now.holder, now.kind, now.amount, OOB)
    if any(of_the_table(after, now.holder) for now in turned_now):
        yield seats.panel(drawing, after, seat, MORPH)
    if new.left and old.left and new.left != old.left:
        yield left(seat, new.left, drawing.word(LEFT), OOB)
        if gauge(seat, new.left) != gauge(seat, old.left):
            yield gauge(seat, new.left, OOB)
    if new.goal and (share := gone(new)) and new.goal != old.goal:
        yield to_go(seat, new.goal, OOB)
        yield gauge(seat, share, OOB)


def _looks(card: view_models.CardView) -> tuple[object, ...]:
    """The parts of *card* outside its numbers and stats, and whether there are stats."""
    states = card.states, card.ending
    return card.name, card.types, states, card.acts, card.stranger, card.token, not card.stats


def _any(state: GameState, seat: str, zone: str) -> bool:
    return bool(view_models.in_zone(state, seat, zone))


def _objects(shown: Panel) -> set[str]:
    """The holders of the numbers on a panel."""
    return {each.holder for each in view_models.numbers_of(shown)}


def _only_numbers(old: Panel, new: Panel) -> bool:
    """True if nothing on a panel differs but numbers that are sent by themselves. Its acts and rows
    are on the stage."""
    same = (
        len(old.places) == len(new.places)
        and old.total == new.total
        and _only_turned(old.strip, new.strip)
        and (old.left and old.left[1]) == (new.left and new.left[1])
        and (old.goal and (old.goal.says, old.goal.of))
        == (new.goal and (new.goal.says, new.goal.of))
    )
    pairs = [(old.hero, new.hero), *zip(old.places, new.places, strict=False)]
    return same and all(_only_turned(was, now) for was, now in pairs)


def _only_turned(was: object, now: object) -> bool:
    """True if two parts of a panel are the same but for their number."""
    if was is not now and isinstance(was, Stepper) and isinstance(now, Stepper):
        return replace(was, amount=now.amount) == now
    return was == now


def _stage(shown: Panel) -> tuple[object, ...]:
    """The content of the stage."""
    return shown.acts, *(each for each in shown.rows if isinstance(each, Shared))


def _lost(state: GameState) -> list[bool]:
    return [seat.lost for seat in state.seats.values()]


def _active(state: GameState) -> tuple[str, ...]:
    return state.turn.active if state.turn else ()
