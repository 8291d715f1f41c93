"""The score sheet of a game that adds up points: lines of cells, and the totals at their foot.

Each cell and each total is an element of its own, so that one more number is a few of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.rules.state import GameState, Phrase
from games.screens.drawing import Drawing, kept
from games.screens.fragments import OOB, attribute, printed
from games.screens.parts import Part, nothing
from games.screens.words import Words
from games.systems.controls import Cell, Line, Scores


@kept("scores")
def sheet_of(drawing: Drawing, state: GameState) -> Scores | None:
    """The score sheet; None if the game has none."""
    return drawing.presentation.story.scores(drawing.system, state)


def scores(drawing: Drawing, state: GameState) -> Part:
    """The score sheet, nothing if the game has none. It is made anew only if it is another."""
    sheet = sheet_of(drawing, state)
    if sheet is None:
        return nothing("scores")
    made_of, key = (sheet, _frame(state, sheet)), ("scores", drawing.language)
    found: Part
    known, found = drawing.cache.lasting.get(key, (None, None))
    if known != made_of:
        found = _whole(drawing, state, sheet)
        drawing.cache.lasting[key] = made_of, found
    return found


def _whole(drawing: Drawing, state: GameState, sheet: Scores) -> Part:
    """The whole sheet, in which a cell or a total that changed is sent by itself."""
    within = {}
    for line in sheet.lines:
        for seat, each in zip(sheet.seats, line.cells, strict=True):
            id = f"{seat}.cell.{line.id}"
            within[id] = Part(id, each, partial(cell, drawing, line, seat, each), how=OOB)
    for n, seat in enumerate(sheet.seats):
        id = f"{seat}.sum"
        within[id] = Part(id, sheet.sums[n], partial(_sum, drawing, sheet, n), how=OOB)
    return Part("scores", _frame(state, sheet), partial(_drawn, drawing, state, sheet), within)


def _drawn(drawing: Drawing, state: GameState, sheet: Scores) -> str:
    order = [*state.seats]
    return drawing.render(
        "board/_scores",
        kind=sheet.kind,
        rounds=not sheet.lines or sheet.lines[0].sort == "round",
        seats=[
            {
                "id": seat,
                "place": order.index(seat) + 1,
                "name": drawing.name(seat),
                "lost": state.seats[seat].lost and not state.result,
                "mates": [
                    (order.index(each) + 1, drawing.name(each)) for each in sheet.players(seat)[1:]
                ],
                "sum": _sum(drawing, sheet, n),
            }
            for n, seat in enumerate(sheet.seats)
        ],
        lines=[_line(drawing, sheet, line, order) for line in sheet.lines],
        ranked=bool(sheet.best),
        best=sheet.best,
        goals=any(each.goal for each in sheet.sums),
        whole=sheet.whole,
        teams=bool(sheet.teams),
    )


def _frame(state: GameState, sheet: Scores) -> object:
    """What the sheet shows besides its cells and totals."""
    lines = [(line.id, line.head, line.now, line.asks) for line in sheet.lines]
    return (
        sheet.seats,
        sheet.teams,
        lines,
        state.result,
        [seat.lost for seat in state.seats.values()],
    )


def _line(drawing: Drawing, sheet: Scores, line: Line, order: Sequence[str]) -> dict[str, Any]:
    own = line.sort == "part" or (line.sort == "follows" and not line.id.startswith("F"))
    return {
        "line": line,
        "kind": line.head if own else "",
        "label": drawing.its.kind(str(line.head)) if own else worked_out(drawing.its, line.head),
        "asks": line.asks,
        "cells": [
            (seat, order.index(seat) + 1, mark_safe(cell(drawing, line, seat, each)))
            for seat, each in zip(sheet.seats, line.cells, strict=True)
        ],
    }


def worked_out(its: Words, head: int | str) -> int | str:
    """The number of a round, or a formula in the words of the reader."""
    return its.phrase(head) if isinstance(head, Phrase) else head


def cell(drawing: Drawing, line: Line, seat: str, shown: Cell) -> str:
    """A cell, and what a tap on it writes: a number, or the answer to a question."""
    looks = "score"
    if shown.waits:
        looks += " is-empty"
    elif shown.amount == 0:
        looks += " is-zero"
    if not line.counts:
        looks += " is-soft"
    said = "·".join([str(printed(each.number)) for each in shown.said])
    text = "" if shown.amount is None else printed(shown.amount)
    if shown.done and (shown.held or not said):
        looks, text = f"{looks} is-done", "✓"
    elif line.now and said and not shown.amount:
        looks, text = f"{looks} is-said", said
    elif said and said != text:
        text = _with_said(said, text)
    where = attribute(f"{seat}.cell.{line.id}")
    return f'<span id={where} class="{looks}"{_writes(drawing, seat, shown)}>{text}</span>'


def _with_said(said: str, text: object) -> str:
    """Points with the answers of which they were made."""
    return f"<i>{said}</i> {text}"


def _writes(drawing: Drawing, seat: str, shown: Cell) -> str:
    if (number := shown.number) is not None:
        most = "" if number.most is None else f" data-most={number.most}"
        kind = attribute(number.kind)
        return f" data-counter={kind} data-least={number.least}{most}"
    if shown.held:
        return f" data-held={attribute(shown.held)}"
    if shown.counted:
        kind, number_of = shown.counted
        return f" data-counter={attribute(kind)} data-round={number_of}"
    if not shown.prompt:
        return _corrects(drawing.its, shown)
    bounds = f" data-least={shown.least} data-most={shown.most}"
    by = " data-by-any" if drawing.answered_by_any(seat) else ""
    usual = f" data-usual={shown.said[-1].number}" if shown.said else ""
    return f" data-prompt={attribute(shown.prompt)}{bounds}{usual}{by}"


def _corrects(its: Words, shown: Cell) -> str:
    """The answers that a tap corrects, each with its number and what that is called."""
    said = [(each.prompt, each.number, each.kind and its.kind(each.kind)) for each in shown.said]
    return f" data-said={attribute(json.dumps(said, ensure_ascii=False))}" if said else ""


def _sum(drawing: Drawing, sheet: Scores, n: int) -> SafeString:
    total = sheet.sums[n]
    return mark_safe(
        drawing.render(
            "board/_score_sum",
            id=sheet.seats[n],
            sum=total,
            place=ordinal(total.place) if total.place else "",
            ranked=bool(sheet.best),
        )
    )


def ordinal(place: int) -> str:
    """A place as players say it."""
    known = {1: gettext("1st"), 2: gettext("2nd"), 3: gettext("3rd")}
    return known.get(place) or gettext("%(n)sth") % {"n": place}
