"""The score sheet of a game that adds up points: lines of cells, and the totals at their foot.

Each cell and each total is an element of its own, so that one more number is a few of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.rules.state import GameState
from games.screens.drawing import Drawing
from games.screens.fragments import MORPH, OOB, attribute, printed
from games.screens.words import kind as word
from games.systems.controls import Cell, Line, Scores


def sheet_of(drawing: Drawing, state: GameState) -> Scores | None:
    """The score sheet; None if the game has none."""
    key, known = ("scores",), drawing.cache.of(state)
    if key not in known:
        known[key] = drawing.presentation.story.scores(drawing.system, state)
    found: Scores | None = known[key]
    return found


def scores(drawing: Drawing, state: GameState, swap: str = "") -> str:
    """The score sheet; "" if the game has none."""
    sheet = sheet_of(drawing, state)
    if sheet is None:
        return ""
    order = [*state.seats]
    return drawing.render(
        "board/_scores",
        kind=sheet.kind,
        rounds=bool(sheet.lines) and sheet.lines[0].sort == "round",
        seats=[
            {
                "id": seat,
                "place": order.index(seat) + 1,
                "name": drawing.name(seat),
                "lost": state.seats[seat].lost and not state.result,
                "sum": _sum(drawing, sheet, n),
            }
            for n, seat in enumerate(sheet.seats)
        ],
        lines=[_line(drawing, sheet, line) for line in sheet.lines],
        ranked=bool(sheet.best),
        best=sheet.best,
        goals=any(each.goal for each in sheet.sums),
        whole=sheet.whole,
        swap=mark_safe(swap),
    )


def score_changes(drawing: Drawing, before: GameState, after: GameState) -> Iterator[str]:
    """The cells and totals that changed, or the whole sheet if it has other lines now."""
    old, new = sheet_of(drawing, before), sheet_of(drawing, after)
    if old is None or new is None or old == new:
        return
    if _frame(before, old) != _frame(after, new):
        yield scores(drawing, after, MORPH)
        return
    for was, line in zip(old.lines, new.lines, strict=True):
        for seat, then, now in zip(new.seats, was.cells, line.cells, strict=True):
            if then != now:
                yield cell(drawing, line, seat, now, OOB)
    for n, total in enumerate(new.sums):
        if total != old.sums[n]:
            yield _sum(drawing, new, n, OOB)


def _frame(state: GameState, sheet: Scores) -> object:
    """What the sheet shows besides its cells and totals."""
    lines = [(line.id, line.head, line.now) for line in sheet.lines]
    return sheet.seats, lines, state.result, [seat.lost for seat in state.seats.values()]


def _line(drawing: Drawing, sheet: Scores, line: Line) -> dict[str, Any]:
    own = line.sort == "part" or (line.sort == "follows" and not line.id.startswith("f"))
    return {
        "line": line,
        "kind": line.head if own else "",
        "label": word(str(line.head)) if own else line.head,
        "cells": [
            (seat, mark_safe(cell(drawing, line, seat, each)))
            for seat, each in zip(sheet.seats, line.cells, strict=True)
        ],
    }


def cell(drawing: Drawing, line: Line, seat: str, shown: Cell, swap: str = "") -> str:
    """A cell, and what a tap on it writes: a number, or the answer to a question."""
    looks = "score"
    if shown.waits:
        looks += " is-empty"
    elif shown.amount == 0:
        looks += " is-zero"
    if not line.counts:
        looks += " is-soft"
    text = "" if shown.amount is None else printed(shown.amount)
    where = attribute(f"{seat}.cell.{line.id}")
    return f'<span id={where} class="{looks}"{_writes(drawing, seat, shown)}{swap}>{text}</span>'


def _writes(drawing: Drawing, seat: str, shown: Cell) -> str:
    if (number := shown.number) is not None:
        most = "" if number.most is None else f" data-most={number.most}"
        kind = attribute(number.kind)
        return f" data-counter={kind} data-least={number.least}{most}"
    if not shown.prompt:
        return ""
    bounds = f" data-least={shown.least} data-most={shown.most}"
    by = " data-by-any" if drawing.answered_by_any(seat) else ""
    return f" data-prompt={attribute(shown.prompt)}{bounds}{by}"


def _sum(drawing: Drawing, sheet: Scores, n: int, swap: str = "") -> SafeString:
    total = sheet.sums[n]
    return mark_safe(
        drawing.render(
            "board/_score_sum",
            id=sheet.seats[n],
            sum=total,
            place=ordinal(total.place) if total.place else "",
            ranked=bool(sheet.best),
            swap=mark_safe(swap),
        )
    )


def ordinal(place: int) -> str:
    """A place as players say it."""
    known = {1: gettext("1st"), 2: gettext("2nd"), 3: gettext("3rd")}
    return known.get(place) or gettext("%(n)sth") % {"n": place}
