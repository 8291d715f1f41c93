"""The end of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from games.rules.state import GameState, Phrase
from games.screens import chairs
from games.screens.cards.score_sheet import sheet_of
from games.screens.cards.seats import panel_of
from games.screens.drawing import Drawing
from games.screens.fragments import no_end, printed
from games.screens.match import Match, Score
from games.screens.parts import Part
from games.screens.places import places
from games.screens.words import IN_BRACES
from games.systems.controls import Sum


def end(drawing: Drawing, state: GameState) -> Part:
    """The end of the game: who won, everybody's number, and why somebody won or is out.

    By places; else the winners first, and of those who are out the last one before the others.
    """
    if not state.result:
        return NO_END
    totals: list[dict[str, Any]] = []
    away = chairs.absent(state)
    for place, seat in enumerate(state.seats.values(), 1):
        if seat.id in away:
            continue
        panel = panel_of(drawing, state, seat.id)
        total = panel.total or panel.hero
        won = seat.id in state.winners
        out = seat.lost and not won
        totals.append(
            {
                "id": seat.id,
                "name": drawing.name(seat.id),
                "place": place,
                "lost": out,
                "total": total.amount if total else None,
                "kind": panel.total.kind if panel.total else "",
                **(reason(drawing, state, seat.id) if out or won else {}),
            }
        )
    sheet = sheet_of(drawing, state)
    ranks = _ranks(totals, state)
    if sheet is not None and not ranks:
        ranks = {
            seat: total.place
            for column, total in zip(sheet.seats, sheet.sums, strict=True)
            for seat in sheet.players(column)
            if total.place
        }
    fell = {seat: number for number, seat in enumerate(state.fallen, 1)}
    last = len(totals)

    def standing(each: Mapping[str, Any]) -> tuple[int, ...]:
        seat, out = each["id"], each["lost"]
        rank = ranks.get(seat, last)
        return rank, seat not in state.winners, out, -fell.get(seat, 0) if out else 0

    totals.sort(key=standing)
    sums = dict(zip(sheet.seats, sheet.sums, strict=True)) if sheet else {}
    ties = {seat: its.ties for seat, its in sums.items() if its.ties}
    return drawing.part(
        "end",
        "board/_end",
        result=state.result,
        winners=[drawing.name(seat) for seat in state.winners],
        winning=state.winners,
        totals=[
            {**each, "rank": ranks.get(each["id"]), "ties": ties.get(each["id"], ())}
            for each in totals
        ],
        ahead=_ahead(state, sums),
        ties=max(ties.values(), key=len, default=()),
        match=_match(drawing, state),
        sheet=sheet is not None and bool(sheet.lines),
    )


def _ahead(state: GameState, sums: Mapping[str, Sum]) -> int:
    """By how much the winners are ahead of everybody else; 0 if that does not decide."""
    won = [its.amount for seat, its in sums.items() if seat in state.winners and its.place == 1]
    others = [its.amount for seat, its in sums.items() if seat not in state.winners and its.place]
    return min(abs(won[0] - each) for each in others) if won and others else 0


NO_END = Part("end", None, no_end)


def _ranks(totals: Sequence[Mapping[str, Any]], state: GameState) -> Mapping[str, int]:
    """The places of those who played to the end, if their numbers decided."""
    numbers = {each["id"]: each["total"] for each in totals}
    if None in numbers.values() or any(each["lost"] for each in totals):
        return {}
    return places(numbers, state.winners)


def _match(drawing: Drawing, state: GameState) -> Match | None:
    """The score of all games of the evening, None if this is the first."""
    before: Score | None = drawing.sidebar_context.get("won_before")
    if before is None or not before.finished:
        return None
    return before.after(state.winners).in_words({key: drawing.name(key) for key in state.seats})


def reason(drawing: Drawing, state: GameState, seat: str) -> Mapping[str, str]:
    """The reason why *seat* is out, or has won, in words, and the rule."""
    story, lost = drawing.presentation.story, state.seats[seat].lost
    if lost and getattr(state.seats[seat], "left", False):  # a seat that plays no cards cannot
        return {"why": gettext("left the game"), "rule": ""}
    because = (story.out_because if lost else story.won_because)(drawing.system, state, seat)
    if because is None:
        return {"why": "", "rule": ""}
    if isinstance(because.text, Phrase):
        return {"why": drawing.its.phrase(because.text), "rule": because.rule}
    facts = {
        name: drawing.object_name(state, value) if isinstance(value, str) else printed(value)
        for name, value in because.facts.items()
    }
    text = gettext(because.text) % facts
    return {
        "why": IN_BRACES.sub(lambda found: drawing.name(found[1]), text),
        "rule": because.rule,
    }
