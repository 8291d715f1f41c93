"""Everyone's numbers side by side: a row for each number, a column for each seat; the table's last.

Only games whose numbers are words have it. What it shows are copies of the numbers on the panels,
so that a tap stays one number on the wire.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.safestring import mark_safe

from games.rules.state import GameState
from games.screens import chairs
from games.screens.cards.score_sheet import sheet_of
from games.screens.cards.seats import panel_of
from games.screens.drawing import Drawing
from games.screens.fragments import amount_id
from games.screens.parts import Part, nothing
from games.screens.words import Words
from games.systems.controls import Panel, Stepper

PAIRED = 4
"""The most seats with room for two numbers in a cell on the smallest phone."""

Numbers = Mapping[str, Mapping[str, Stepper]]
"""By seat, then by kind."""


def numbers(drawing: Drawing, state: GameState) -> Numbers:
    """The numbers that each player has besides the main one, which the strip shows.

    Switches stand on the stage. Empty if nobody has any.
    """
    if not drawing.presentation.words.coins:
        return {}
    sheet = sheet_of(drawing, state)
    if sheet is not None and sheet.whole:
        return {}
    playing = (seat for seat in state.seats if seat not in chairs.absent(state))
    found = {seat: _own(panel_of(drawing, state, seat), seat) for seat in playing}
    return found if any(found.values()) else {}


def _own(shown: Panel, seat: str) -> dict[str, Stepper]:
    return {
        each.kind: each
        for each in shown.places
        if isinstance(each, Stepper)
        and (each.holder, each.look != "switch", each is not shown.strip) == (seat, True, True)
    }


def overview(drawing: Drawing, state: GameState) -> Part:
    """The table of everyone's numbers; hidden if nobody has one, and nothing in other games."""
    if not drawing.presentation.words.coins:
        return nothing("overview")
    found = numbers(drawing, state)
    facts = [
        (seat, state.seats[seat].lost, [(each.kind, each.increment) for each in has.values()])
        for seat, has in found.items()
    ]
    return Part("overview", facts, partial(_overview, drawing, state, found))


def _overview(drawing: Drawing, state: GameState, found: Numbers) -> str:
    seats = [
        {"place": place, "name": drawing.name(seat), "lost": state.seats[seat].lost}
        for place, seat in enumerate(state.seats, 1)
        if seat in found
    ]
    kinds = [*dict.fromkeys(kind for has in found.values() for kind in has)]
    shared = drawing.presentation.board.table(drawing.system, state) if found else ()
    return drawing.render(
        "board/_overview",
        seats=seats,
        rows=[
            _row(found, row) for row in _in_rows(drawing.its, kinds, paired=len(seats) <= PAIRED)
        ],
        shared=[
            {"kind": each.kind, "label": drawing.its.kind(each.kind), **_copy(each)}
            for each in shared
        ],
    )


def _row(found: Numbers, row: Sequence[tuple[str, str]]) -> dict[str, Any]:
    kind, label = row[0]
    return {
        "kind": kind,
        "label": label,
        "also": [also for _kind, also in row[1:]],
        "cells": [
            {"seat": seat, "numbers": [_copy(has[each]) for each, _label in row if each in has]}
            for seat, has in found.items()
        ],
    }


def _copy(number: Stepper) -> dict[str, Any]:
    return {
        "of": mark_safe(amount_id(number.holder, number.kind)),
        "amount": number.amount,
        "follows": not number.increment,
    }


def _in_rows(its: Words, kinds: Iterable[str], *, paired: bool) -> Iterator[list[tuple[str, str]]]:
    """The kinds of each row with their words. paired: “steel made” stands in the row of “steel”, as
    “made”."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for kind in kinds:
        label = its.kind(kind)
        first = next((each for each in rows if label.startswith(f"{each} ")), None)
        if paired and first is not None and len(rows[first]) == 1:
            rows[first].append((kind, label.removeprefix(f"{first} ")))
        else:
            rows[label] = [(kind, label)]
    yield from rows.values()
