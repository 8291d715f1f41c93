"""What a command changed on a table with slot counters, for one seat.

A tap redraws the one counter it touched; the board around it is sent only when counters appear,
disappear or move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.safestring import mark_safe

from games.rules.history import Applied
from games.rules.state import GameState
from games.screens.drawing import Drawing
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.slots import board, fragments, layout, view_models, words
from games.screens.slots.board import Events
from games.screens.slots.words import proposal
from games.systems.stars_and_signs.counter import counter_in, game_master

Seat = str | None
Draw = Callable[[Drawing, GameState, Seat, str], str]
TURNS_OUT = frozenset(
    {
        *("completed", "reopened", "restarted", "resolved", "edited", "discarded", "wounded"),
        "threshold-reached",
    }
)
"""Events that can add, remove or rename a completion, or are a moment themselves."""


def changes(drawing: Drawing, given: Applied, audience: Audience) -> str:
    """The fragments that an accepted command changed for *audience*."""
    before, after, seat = given.before, given.after, audience.seat
    events: Events = given.entry.events if given.entry else ()
    if before is after:
        return _wounds(drawing, after, audience, events) + notices(drawing, given, audience)
    settled = before.settings is after.settings
    if given.touched is None or before.seats is not after.seats or not settled:
        with drawing.reading(audience):
            return board.whole(drawing, after, seat, events) + notices(drawing, given, audience)
    if before.scenes is not after.scenes:
        return _scenes_changed(drawing, given, audience, events)
    with drawing.reading(audience):
        here = [each for each in after.slot_counters if each in given.touched]
        there = before.slot_counters
        left = any(each in there for each in given.touched if each not in after.slot_counters)
        moved = left or any(layout.moved(before, after, seat, each) for each in here)
        out = _counters(drawing, before, after, here, seat, moved=moved)
        if moved or any(layout.in_strip(after, each) for each in here):
            if layout.strip(before, seat) != layout.strip(after, seat):
                out += board.party(drawing, after, seat, MORPH)
        if seat is not None and any(seat == counter_in(after, each).owner for each in here):
            out += _redrawn(board.own, drawing, before, after, seat)
            out += _redrawn(board.chips, drawing, before, after, seat)
        told = board.told(drawing, before, seat) != board.told(drawing, after, seat)
        if told or moved or any(event["kind"] in TURNS_OUT for event in events):
            number = given.entry.number if given.entry else 0
            new = dict.fromkeys(view_models.revealed(before, after, seat), number)
            gone = view_models.revealed(after, before, seat)
            turned = _moments(before, seat) != _moments(after, seat, events)
            kept = game_master(after, seat) and any(view_models.kept_hidden(after, events))
            if told or new or gone or turned or kept:
                out += board.moments(drawing, after, seat, events, MORPH, new)
        if before.notes is not after.notes:
            out += _redrawn(board.notes_beside, drawing, before, after, seat)
        if board.waiting_for(before, seat) or board.waiting_for(after, seat):
            out += _redrawn(board.proposals, drawing, before, after, seat)
        return out + notices(drawing, given, audience)


def _wounds(drawing: Drawing, state: GameState, audience: Audience, events: Events) -> str:
    """The moments, if somebody suffered a Wound: that changes no counter."""
    if not any(event["kind"] == "wounded" for event in events):
        return ""
    with drawing.reading(audience):
        found = board.moments(drawing, state, audience.seat, events, MORPH)
    return found if ".wound." in found else ""


def _scenes_changed(drawing: Drawing, given: Applied, audience: Audience, events: Events) -> str:
    """The board, unless nothing of it changed for *audience*: a scene is prepared in secret."""
    with drawing.reading(audience):
        now = board.whole(drawing, given.after, audience.seat, events)
        same = now == board.whole(drawing, given.before, audience.seat)
        return (
            notices(drawing, given, audience) if same else now + notices(drawing, given, audience)
        )


def notices(drawing: Drawing, given: Applied, audience: Audience) -> str:
    """Notices that the seat reads once and dismisses; nothing if there are no new ones."""
    events = given.entry.events if given.entry else ()
    if not any(event["kind"] == "answered" for event in events):
        return ""
    with drawing.reading(audience):
        new = list(_notices(drawing, given, audience.seat))
        return drawing.render("board/_notices", notices=new, swap=mark_safe(MORPH)) if new else ""


def _notices(drawing: Drawing, given: Applied, seat: str | None) -> Iterator[Mapping[str, Any]]:
    """For a player, how the GM decided, if not plainly yes."""
    entry = given.entry
    if entry is None:
        return
    replies = {e["prompt"]: e["text"] for e in entry.events if e["kind"] == "replied"}
    for event in entry.events:
        if event["kind"] != "answered":
            continue
        prompt = given.before.prompt(event["prompt"])
        if prompt and prompt.facts["by"] == seat:
            reply = replies.get(event["prompt"], "")
            wish = proposal(drawing.system, given.before, seat, prompt)["wish"]
            if text := words.decided(event, wish, reply):
                yield {
                    "who": drawing.name(entry.by),
                    "place": board.place_of(given.after, entry.by),
                    "text": text,
                    "reply": reply,
                }


def _counters(
    drawing: Drawing,
    before: GameState,
    after: GameState,
    here: Sequence[str],
    seat: str | None,
    *,
    moved: bool,
) -> str:
    """The counters of *here* that look different to *seat*; all if the layout changed."""
    if moved and layout.arrangement(before, seat) != layout.arrangement(after, seat):
        tabs = _redrawn(board.tabs, drawing, before, after, seat)
        return board.groups(drawing, after, seat, MORPH) + tabs
    out = []
    for each in dict.fromkeys((*here, *view_models.hope_of(after, here))):
        if each not in before.slot_counters:
            continue  # new and hidden from this seat, or the layout would differ
        then = view_models.counter_view(before, seat, counter_in(before, each))
        now = view_models.counter_view(after, seat, counter_in(after, each))
        if now is None or then == now:
            continue
        if then and view_models.only_filled(then, now):
            out.append(fragments.filling(then, now))
        else:
            out.append(board.counter(drawing, after, now, OOB))
    return "".join(out)


def _redrawn(draw: Draw, drawing: Drawing, before: GameState, after: GameState, seat: Seat) -> str:
    """What *draw* gives for *seat*, if it looks different now."""
    now = draw(drawing, after, seat, MORPH)
    return now if now != draw(drawing, before, seat, MORPH) else ""


def _moments(state: GameState, seat: str | None, events: Events = ()) -> list[tuple[str, Any]]:
    found = view_models.moments(state, seat, events)
    return [(each.key, each.counter_view.counter.name) for each in found]
