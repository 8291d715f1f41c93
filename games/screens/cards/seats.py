"""Parts of a seat: its panel of numbers, its cell in the strip, and the head above its cards.

What a panel holds comes from the system's presentation (`Board.panel`); the strip repeats
the panels' numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.safestring import mark_safe

from games.rules.state import GameObject, GameState
from games.screens import view_models
from games.screens.drawing import Drawing
from games.screens.fragments import LEFT, amount_id, gauge, left, look, to_go
from games.screens.words import coin, said
from games.systems.controls import Designation, Panel, Place, Shared, SheetButton, Stepper, Tally

LETTERED = 3
"""The most numbers with letters in a cell of the big screen's strip; where more are, each has its
place."""


def panel_of(drawing: Drawing, state: GameState, seat: str) -> Panel:
    """The numbers of *seat* in their places."""
    key, known = ("panel", seat), drawing.cache.of(state)
    if key not in known:
        known[key] = view_models.panel(drawing.system, state, seat)
    found: Panel = known[key]
    return found


def turn(drawing: Drawing, before: GameState, after: GameState, obj: GameObject, kind: str) -> None:
    """Show the panels in *after* as in *before*, with that number of *obj* as it is by now."""
    seat, n = obj.controller, after.count(obj.id, kind)
    drawing.cache.carry(before, after, [("panel", each) for each in after.seats])
    shown = panel_of(drawing, before, seat).turned(obj.id, kind, n)
    drawing.cache.of(after)["panel", seat] = shown


def head(drawing: Drawing, state: GameState, seat: str, swap: str = "") -> str:
    """The head of a player's cards: name, marks, number of cards."""
    facts = head_facts(drawing, state, seat)
    return drawing.render("board/_head", adds=drawing.adds, **facts, swap=mark_safe(swap))


def head_facts(drawing: Drawing, state: GameState, seat: str) -> dict[str, Any]:
    """The context of the head of *seat*, in the active language."""
    key, known = ("head", seat, drawing.language), drawing.cache.of(state)
    if key not in known:
        known[key] = _head_facts(drawing, state, seat)
    found: dict[str, Any] = known[key]
    return found


def _head_facts(drawing: Drawing, state: GameState, seat: str) -> dict[str, Any]:
    """They are made anew only if something they are made of is another."""
    follows = view_models.derived(drawing.system, state, state.seats[seat])
    signs = [each for each in panel_of(drawing, state, seat).places if type(each) is not Stepper]
    made_of = view_models.marked(state.seats[seat]), follows, signs, [*state.seats]
    key, lasting = ("head", seat, drawing.language), drawing.cache.lasting
    facts: dict[str, Any]
    objects, known, facts = lasting.get(key, (None, None, {}))
    if objects is not state.objects or known != made_of:
        facts = _made(drawing, state, seat, follows, signs)
        lasting[key] = state.objects, made_of, facts
    return facts


def _made(
    drawing: Drawing,
    state: GameState,
    seat: str,
    follows: Mapping[str, Any],
    places: Sequence[Place],
) -> dict[str, Any]:
    holder = state.seats[seat]
    cards = sum(obj.controller == seat and obj.on_field for obj in state.objects.values())
    shown = {each.kind for each in places if isinstance(each, Tally | Designation | SheetButton)}
    shown |= {sign.kind for each in places if isinstance(each, SheetButton) for sign in each.signs}
    return {
        "id": seat,
        "place": list(state.seats).index(seat) + 1,
        "name": drawing.name(seat),
        "lost": holder.lost and seat not in (state.absent or ()),
        "count": cards,
        "counted_as": drawing.presentation.words.counted_as[cards != 1],
        "marks": [
            name for name in holder.marks if getattr(holder, name) is True and name not in shown
        ],
        "numbers": view_models.set_numbers(holder),
        "tallies": [
            (name, [(drawing.distinct_name(state, each), n) for each, n in counted.items()])
            for name, counted in view_models.tallies(holder)
            if name not in shown
        ],
        "lists": [
            (name, [drawing.object_name(state, each) for each in value])
            for name, value in follows.items()
            if isinstance(value, list | tuple) and value
        ],
    }


def panel(drawing: Drawing, state: GameState, seat: str, swap: str = "") -> str:
    """The numbers of *seat*: its hero in two halves, and the others in their places."""
    shown = panel_of(drawing, state, seat)
    rows = {(each.it if isinstance(each, Shared) else each).kind for each in shown.rows}
    places = [_in_place(drawing, state, seat, each) for each in shown.places]
    return drawing.render(
        "board/_panel",
        id=seat,
        place=list(state.seats).index(seat) + 1,
        name=drawing.name(seat),
        lost=state.seats[seat].lost,
        hero=shown.hero,
        again=bool(shown.hero and not own(shown.hero, state, seat)),
        most=shown.left[1] if shown.left else 0,
        left=mark_safe(left(seat, shown.left, drawing.word(LEFT))) if shown.left else "",
        gauge=mark_safe(gauge(seat, share)) if (share := gone(shown)) else "",
        places=places,
        rows=rows,
        columns=sum(not each.get("again") and each["it"].kind not in rows for each in places)
        if drawing.presentation.words.coins
        else 0,
        goal=mark_safe(to_go(seat, shown.goal)) if shown.goal else "",
        ends=_ends(drawing, state, shown.hero) if shown.hero else (),
        swap=mark_safe(swap),
    )


def gone(shown: Panel) -> tuple[int, int] | None:
    """The rest and the maximum of the hero's number, for the line below it; None without one."""
    if shown.goal:
        return min(shown.goal.left, shown.goal.of), shown.goal.of
    return shown.left


def stage(drawing: Drawing, state: GameState, seat: str, swap: str = "") -> str:
    """The stage above the cards of *seat*: the buttons of rules, and the switches; "" if the game
    has none of these."""
    shown = panel_of(drawing, state, seat)
    switches = [each for each in shown.rows if isinstance(each, Shared)]
    if not (shown.acts or switches):
        return ""
    return drawing.render(
        "board/_stage",
        id=seat,
        name=drawing.name(seat),
        acts=shown.acts,
        switches=[
            {"it": each.it, "held": _by(drawing, state, [(by, 1) for by in each.held])}
            for each in switches
        ],
        swap=mark_safe(swap),
    )


def table_cell(drawing: Drawing, state: GameState, swap: str = "") -> str:
    """The table's own numbers, after the cells of the seats in the strip; "" if it has none."""
    numbers = tuple(drawing.presentation.board.table(drawing.system, state))
    if not numbers:
        return ""
    return drawing.render(
        "board/_table_cell",
        tracks=numbers[0].look == "track",
        ends=_ends(drawing, state, numbers[0]),
        numbers=[
            {
                "id": mark_safe(amount_id(each.holder, each.kind)),
                "kind": each.kind,
                "amount": each.amount,
                "most": each.most if each.look in ("clock", "pips") else None,
                "look": mark_safe(look(each)),
                "clock": each.look == "clock",
                "letter": mark.letter if (mark := coin(each.kind)) else "",
            }
            for each in numbers
        ],
        swap=mark_safe(swap),
    )


def table_section(drawing: Drawing, state: GameState) -> str:
    """The table's own numbers as rows, for the stage; "" if it has none."""
    numbers = tuple(drawing.presentation.board.table(drawing.system, state))
    return drawing.render("board/_table_section", numbers=numbers) if numbers else ""


def own(number: Stepper, state: GameState, seat: str) -> bool:
    """True if *number* is on the panel of *seat* itself, not on a teammate's or the table's."""
    return number.holder == seat or number.holder in state.objects


def _ends(drawing: Drawing, state: GameState, number: Stepper) -> Sequence[Mapping[str, Any]]:
    """The owners of a shared track's two ends, the left one first: above zero is the first seat's
    side. Empty for every other number."""
    seats = list(state.seats)
    if number.look != "track" or number.least >= 0 or number.holder in seats or len(seats) != 2:
        return ()
    return _by(drawing, state, [(seats[1], -number.least), (seats[0], number.most or 0)])


def _in_place(drawing: Drawing, state: GameState, seat: str, place: Place) -> Mapping[str, Any]:
    """One of the places of a panel, for its template: what sort it is, and what it shows."""
    if isinstance(place, Stepper):
        return {"sort": "number", "it": place, "again": not own(place, state, seat)}
    if isinstance(place, Tally):
        by = _by(drawing, state, place.amounts)
        return {"sort": "tally", "it": place, "by": by, "says": said(place.says)}
    return {"sort": type(place).__name__.lower(), "it": place}


def _by(
    drawing: Drawing, state: GameState, amounts: Iterable[tuple[str, int]]
) -> list[Mapping[str, Any]]:
    """Amounts by seat, each with the seat's place and name."""
    order = list(state.seats)
    return [
        {"place": order.index(each) + 1, "name": drawing.name(each), "amount": amount}
        for each, amount in amounts
    ]


def main_amounts(drawing: Drawing, state: GameState, seat: str | None) -> dict[str, int]:
    """The main number of each seat that has one, as the strip shows it to every *seat*."""
    panels = {each: panel_of(drawing, state, each) for each in state.seats}
    heroes = {each: shown.strip or shown.hero for each, shown in panels.items()}
    return {each: hero.amount for each, hero in heroes.items() if hero}


def cell(drawing: Drawing, state: GameState, seat: str, swap: str = "") -> str:
    """A seat in the strip: its main number, and what else is not zero; once out, only why."""
    shown, holder = panel_of(drawing, state, seat), state.seats[seat]
    bits = [
        bit
        for bit in view_models.bits(shown)
        if bit.id is None or bit.id[0] in state.seats or bit.id[0] in state.objects
    ]
    if holder.lost:
        because = drawing.presentation.story.out_because(drawing.system, state, seat)
        bits = [bit for bit in bits if because and bit.kind == because.kind]
    hero, coins = shown.strip or shown.hero, bool(drawing.presentation.words.coins)
    return drawing.render(
        "board/_cell",
        id=seat,
        place=list(state.seats).index(seat) + 1,
        name=drawing.name(seat),
        active=bool(state.turn and seat in state.turn.active),
        lost=holder.lost,
        away=seat in (state.absent or ()),
        hero=hero,
        hero_id=amount_id(hero.holder, hero.kind) if hero else "",
        left=shown.left,
        in_overview=coins and not holder.lost,
        digits=coins and len(bits) > LETTERED,
        bits=[
            {
                "kind": bit.kind,
                "amount": bit.amount,
                "of": amount_id(*bit.id) if bit.id else "",
                "by": _by(drawing, state, bit.by),
            }
            for bit in bits
        ],
        swap=mark_safe(swap),
    )
