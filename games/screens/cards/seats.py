"""Parts of a seat: its panel of numbers, its cell in the strip, and the head above its cards.

What a panel holds comes from the system's presentation (`Board.panel`); the strip repeats
the panels' numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.safestring import mark_safe

from games.rules.state import GameObject, GameState
from games.screens import view_models
from games.screens.drawing import Drawing, kept
from games.screens.fragments import LEFT, OOB, amount_id, gauge, left, look, to_go
from games.screens.parts import Part, Several, nothing, swapped
from games.systems.controls import Designation, Panel, Place, Shared, SheetButton, Stepper, Tally

LETTERED = 3
"""The most numbers with letters in a cell of the big screen's strip; where more are, each has its
place."""


@kept("panel")
def panel_of(drawing: Drawing, state: GameState, seat: str) -> Panel:
    """The numbers of *seat* in their places."""
    return view_models.panel(drawing.system, state, seat)


def turn(drawing: Drawing, before: GameState, after: GameState, obj: GameObject, kind: str) -> str:
    """Show the panels in *after* as in *before*, with that number of *obj* as it is by now: what
    it leaves anew, if that is another."""
    seat, n = obj.controller, after.count(obj.id, kind)
    drawing.cache.carry(before, after, [("panel", each) for each in after.seats])
    was = panel_of(drawing, before, seat)
    now = drawing.cache.of(after)["panel", seat] = was.turned(obj.id, kind, n)
    if not (was.left and now.left) or was.left == now.left:
        return ""
    drawn, bar = left(seat, now.left, drawing.word(LEFT)), gauge(seat, now.left)
    drawn = swapped(drawn, OOB)
    return drawn if bar == gauge(seat, was.left) else drawn + swapped(bar, OOB)


@kept("head", spoken=True)
def head(drawing: Drawing, state: GameState, seat: str) -> Part:
    """The head of a player's cards: name, marks, number of cards.

    It is made anew only if something it is made of is another.
    """
    system = drawing.system
    follows = system.derived(system, state, state.seats[seat])
    signs = [each for each in panel_of(drawing, state, seat).places if type(each) is not Stepper]
    made_of = view_models.marked(state.seats[seat]), follows, signs, [*state.seats], state.absent
    key, lasting = ("head", seat, drawing.language), drawing.cache.lasting
    found: Part
    objects, known, found = lasting.get(key, (None, None, None))
    if objects is not state.objects or known != made_of:
        facts = _made(drawing, state, seat, follows, signs)
        found = drawing.part(f"{seat}.head", "board/_head", adds=drawing.adds, **facts)
        lasting[key] = state.objects, made_of, found
    return found


def _made(
    drawing: Drawing,
    state: GameState,
    seat: str,
    follows: Mapping[str, Any],
    places: Sequence[Place],
) -> dict[str, Any]:
    holder = state.seats[seat]
    cards = [obj for obj in state.objects.values() if obj.controller == seat and obj.on_field]
    shown = {each.kind for each in places if isinstance(each, Tally | Designation | SheetButton)}
    shown |= {sign.kind for each in places if isinstance(each, SheetButton) for sign in each.signs}
    return {
        "id": seat,
        "place": list(state.seats).index(seat) + 1,
        "name": drawing.name(seat),
        "lost": holder.lost and seat not in (state.absent or ()),
        "count": len(cards),
        "counted_as": drawing.presentation.words.counted_as[len(cards) != 1],
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
            if isinstance(value, list | tuple) and value and {*value} <= {*state.objects}
        ],
    }


@kept("numbers", spoken=True)
def numbers(drawing: Drawing, state: GameState, seat: str) -> Part:
    """All that shows the numbers of *seat*: its panel, the cell that repeats them, its stage."""
    shown = panel_of(drawing, state, seat)
    whole = shown.left and shown.left[1], shown.goal and (shown.goal.says, shown.goal.of)
    lost, role = state.seats[seat].lost, shown.role
    facts = shown.hero, shown.places, shown.total, shown.strip, whole, lost, role
    both = {it.id: it for it in (draw(drawing, state, seat, shown) for draw in (cell, panel))}
    same = Several(f"{seat}.numbers", facts, within=both)
    above = stage(drawing, state, seat, shown)
    return Several(seat, within={same.id: same, above.id: above})


def panel(drawing: Drawing, state: GameState, seat: str, shown: Panel) -> Part:
    """The panel of *seat*: its hero in two halves, and the others in their places.

    What is left of the hero is sent by itself. Numbers of the table stand here as copies alone.
    """
    copies = [
        each.amount
        for each in (shown.hero, *shown.places)
        if type(each) is Stepper and each.holder != seat and of_the_table(state, each.holder)
    ]
    drawn = partial(_panel, drawing, state, seat, shown)
    within = {part.id: part for part in _rest(drawing, seat, shown)}
    return Part(f"{seat}.panel", (shown.role, copies), drawn, within)


def _rest(drawing: Drawing, seat: str, shown: Panel) -> Iterator[Part]:
    """What the main number leaves, in words and as a bar."""
    if shown.left:
        drawn = partial(left, seat, shown.left, drawing.word(LEFT))
        yield Part(f"{seat}.hero.left", shown.left, drawn, how=OOB)
    if shown.goal:
        yield Part(f"{seat}.hero.goal", shown.goal, partial(to_go, seat, shown.goal), how=OOB)
    if share := gone(shown):
        bar = gauge(seat, share)
        yield Part(f"{seat}.hero.gauge", bar, bar.__str__, how=OOB)


def of_the_table(state: GameState, holder: str) -> bool:
    """True if *holder* is the table itself, whose numbers may stand as copies on panels alone."""
    named = holder in state.seats or holder in state.objects
    return not named and not holder.startswith("team:")


def _panel(drawing: Drawing, state: GameState, seat: str, shown: Panel) -> str:
    rows = {(each.it if isinstance(each, Shared) else each).kind for each in shown.rows}
    places = [_in_place(drawing, state, seat, each) for each in shown.places]
    return drawing.render(
        "board/_panel",
        id=seat,
        place=list(state.seats).index(seat) + 1,
        name=drawing.name(seat),
        lost=state.seats[seat].lost,
        role=shown.role,
        hero=shown.hero,
        again=bool(shown.hero and not own(shown.hero, state, seat)),
        most=shown.left[1] if shown.left else 0,
        left=mark_safe(left(seat, shown.left, drawing.word(LEFT))) if shown.left else "",
        gauge=mark_safe(gauge(seat, share)) if (share := gone(shown)) else "",
        places=places,
        rows=rows,
        columns=sum(
            each["sort"] in ("number", "sheetbutton")
            and not (each.get("further") or each["it"].kind in rows)
            for each in places
        )
        if shown.columns
        else None,
        goal=mark_safe(to_go(seat, shown.goal)) if shown.goal else "",
        ends=_ends(drawing, state, shown.hero) if shown.hero else (),
    )


def gone(shown: Panel) -> tuple[int, int] | None:
    """The rest and the maximum of the hero's number, for the line below it; None without one."""
    if shown.goal:
        return min(shown.goal.left, shown.goal.of), shown.goal.of
    return shown.left


def stage(drawing: Drawing, state: GameState, seat: str, shown: Panel) -> Part:
    """The stage above the cards of *seat*: the buttons of rules, and the switches; nothing if the
    game has none of these."""
    id = f"{seat}.stage"
    switches = [each for each in shown.rows if isinstance(each, Shared)]
    if not (shown.acts or switches or shown.staged):
        return nothing(id)
    return drawing.part(
        id,
        "board/_stage",
        id=seat,
        name=drawing.name(seat),
        acts=shown.acts,
        switches=[
            {"it": each.it, "held": _by(drawing, state, [(by, 1) for by in each.held])}
            for each in switches
        ],
    )


def table_cell(drawing: Drawing, state: GameState) -> Part:
    """The table's own numbers, after the cells of the seats in the strip, if it has any."""
    numbers = tuple(drawing.presentation.board.table(drawing.system, state))
    if not numbers:
        return nothing("table.cell")
    return drawing.part(
        "table.cell",
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
                "letter": mark.letter if (mark := drawing.its.coins().get(each.kind)) else "",
            }
            for each in numbers
        ],
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
        again = not own(place, state, seat)
        further = again and of_the_table(state, place.holder)
        return {"sort": "number", "it": place, "again": again, "further": further}
    if isinstance(place, Tally):
        by = _by(drawing, state, place.amounts)
        return {"sort": "tally", "it": place, "by": by, "says": drawing.its.said(place.says)}
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


def cell(drawing: Drawing, state: GameState, seat: str, shown: Panel) -> Part:
    """A seat in the strip: its main number, and what else is not zero; once out, only why, which
    a number that is sent by itself may change.

    Its numbers are copies of those on its panel.
    """
    active = bool(state.turn and seat in state.turn.active)
    lost = shown if state.seats[seat].lost else None
    facts = active, seat in (state.absent or ()), lost, shown.nth
    return Part(f"{seat}.cell", facts, partial(_cell, drawing, state, seat, shown))


def _cell(drawing: Drawing, state: GameState, seat: str, shown: Panel) -> str:
    holder = state.seats[seat]
    bits = [
        bit
        for bit in view_models.bits(shown)
        if bit.id is None or bit.id[0] in state.seats or bit.id[0] in state.objects
    ]
    if holder.lost:
        because = drawing.presentation.story.out_because(drawing.system, state, seat)
        bits = [bit for bit in bits if because and bit.kind == because.kind]
    name = drawing.name(seat)
    hero, coins = shown.strip or shown.hero, bool(drawing.presentation.words.coins)
    return drawing.render(
        "board/_cell",
        id=seat,
        place=list(state.seats).index(seat) + 1,
        name=name,
        active=bool(state.turn and seat in state.turn.active),
        lost=holder.lost,
        called=f"{shown.nth}. {name}" if shown.nth else name,
        away=seat in (state.absent or ()),
        hero=hero,
        hero_id=amount_id(hero.holder, hero.kind) if hero else "",
        left=shown.left,
        named=coins,
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
    )
