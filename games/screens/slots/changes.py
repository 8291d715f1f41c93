"""Fragments of a table with slot counters for a command's changes, for one seat.

A tap redraws the one counter it touched; the board around it is sent only when counters appear,
disappear or move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.utils.safestring import mark_safe

from games.rules.history import Applied
from games.rules.slots.counter import counter_in, game_master
from games.rules.state import GameState
from games.screens.drawing import Drawing
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.slots import board, fragments, layout, view_models, words
from games.screens.slots.board import Events
from games.screens.slots.words import proposal

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
    kinds = {event["kind"] for event in events}
    with drawing.reading(audience):
        if before is after:
            shown = _wounds(drawing, after, seat, events) if "wounded" in kinds else ""
        elif (
            given.touched is None
            or before.seats is not after.seats
            or before.settings is not after.settings
        ):
            shown = board.whole(drawing, after, seat, events)
        elif before.scenes is not after.scenes:
            shown = _scenes_changed(drawing, before, after, seat, events)
        else:
            shown = _changed(drawing, given, given.touched, seat, events, kinds)
        return shown + notices(drawing, given, seat) if "answered" in kinds else shown


def _changed(
    drawing: Drawing,
    given: Applied,
    touched: frozenset[str],
    seat: Seat,
    events: Events,
    kinds: set[str],
) -> str:
    """Changes of counters, notes and proposals for *seat*. kinds: those of the events."""
    before, after = given.before, given.after
    here = [each for each in after.slot_counters if each in touched]
    left = not touched.isdisjoint(before.slot_counters.keys() - after.slot_counters.keys())
    moved = left or any(layout.moved(before, after, seat, each) for each in here)
    out = _counters(drawing, before, after, here, seat, moved=moved)
    if moved or any(layout.in_strip(after, each) for each in here):
        out += _party(drawing, before, after, seat)
    if seat is not None and seat in [counter_in(after, each).owner for each in here]:
        out += _own(drawing, before, after, seat)
        if not game_master(after, seat):
            out += _chips(drawing, before, after, seat)
    if drawing.presentation.slots and drawing.presentation.slots.turns:
        out += _turned(drawing, before, after, seat, moved=moved)
    noted = before.notes is not after.notes
    renewed = noted and (
        board.note_moments(drawing, before, seat) != board.note_moments(drawing, after, seat)
    )
    if renewed or moved or not TURNS_OUT.isdisjoint(kinds):
        number = given.entry.number if given.entry else 0
        new = dict.fromkeys(view_models.revealed(before, after, seat), number)
        gone = view_models.revealed(after, before, seat)
        turned = _moments(before, seat) != _moments(after, seat, events)
        kept = game_master(after, seat) and any(view_models.kept_hidden(after, events))
        if renewed or new or gone or turned or kept:
            out += board.moments(drawing, after, seat, events, MORPH, new)
    if before.parts is not after.parts:
        out += board.chapter(drawing, after, MORPH)
    if noted:
        out += _redrawn(board.notes_beside, drawing, before, after, seat)
    if before.prompts or after.prompts:
        out += _redrawn(board.proposals, drawing, before, after, seat)
    return out


def _turned(
    drawing: Drawing, before: GameState, after: GameState, seat: Seat, *, moved: bool
) -> str:
    """The board and the bar, if *seat* is shown another turn; the bar alone, if for the GM only
    whose turn comes next is another. moved: the board is there already."""
    then, now = board.turn_of(drawing, before, seat), board.turn_of(drawing, after, seat)
    if then == now:
        return ""
    bar = _redrawn(board.bar, drawing, before, after, seat)
    if then and now and then == {**now, "next": then["next"]}:
        return bar
    groups = "" if moved else board.groups(drawing, after, seat, MORPH)
    return groups + _redrawn(board.tabs, drawing, before, after, seat) + bar


def _wounds(drawing: Drawing, state: GameState, seat: Seat, events: Events) -> str:
    """The moments, if *seat* learns of the Wound that somebody suffered: it changes no counter."""
    found = board.moments(drawing, state, seat, events, MORPH)
    return found if ".wound." in found else ""


def _scenes_changed(
    drawing: Drawing, before: GameState, after: GameState, seat: Seat, events: Events
) -> str:
    """The board, unless nothing of it changed for *seat*: a scene is prepared in secret."""
    now = board.whole(drawing, after, seat, events)
    return "" if now == board.whole(drawing, before, seat) else now


def notices(drawing: Drawing, given: Applied, seat: Seat) -> str:
    """Notices that the seat reads once and dismisses; nothing if there are no new ones."""
    new = list(_notices(drawing, given, seat))
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
        then = board.view(drawing, before, seat, counter_in(before, each))
        now = board.view(drawing, after, seat, counter_in(after, each))
        if now is None or then == now:
            continue
        if then and view_models.only_filled(then, now):
            out.append(fragments.filling(then, now))
        else:
            out.append(board.counter(drawing, after, now, OOB))
    return "".join(out)


BESIDE = attrgetter("seat", "flags", "others")
"""All that the party strip shows of a protagonist but the large number."""


def _party(drawing: Drawing, before: GameState, after: GameState, seat: Seat) -> str:
    """The large numbers of the party, or the whole strip if more is different in it."""
    then, now = board.strip(drawing, before, seat), board.strip(drawing, after, seat)
    if then == now:
        return ""
    if [*map(BESIDE, then)] != [*map(BESIDE, now)]:
        return board.party(drawing, after, seat, MORPH)
    return "".join(
        fragments.number(new.hero, "cell", OOB)
        for old, new in zip(then, now, strict=True)
        if new.hero and old.hero != new.hero
    )


def _own(drawing: Drawing, before: GameState, after: GameState, seat: str) -> str:
    """The hero of *seat*: its number and its slots, or all of it."""
    (then, had), (now, has) = (
        board.hero(drawing, before, seat),
        board.hero(drawing, after, seat),
    )
    if (then, had) == (now, has):
        return ""
    filled = then and now and view_models.only_filled(then, now) and then.next_mark == now.next_mark
    if not (then and now and filled and had == has) or not (
        then.counter.filled and now.counter.filled  # else one of its buttons is disabled
    ):
        return board.own(drawing, after, seat, MORPH)
    number = fragments.number(now.counter, "own", OOB)
    if now.counter.look != "blocks":
        return number + fragments.look(now, "own", OOB)
    return number + fragments.blocks(then, now, "own")


def _chips(drawing: Drawing, before: GameState, after: GameState, seat: str) -> str:
    """The numbers of *seat*'s chips, or all of them if one came, went, is full or empty."""
    then, now = board.on_chips(drawing, before, seat), board.on_chips(drawing, after, seat)
    if then == now:
        return ""
    changed = [(old, new) for old, new in zip(then, now, strict=False) if old != new]
    if len(then) != len(now) or not all(
        view_models.only_filled(old, new) and old.minus_ends == new.minus_ends
        for old, new in changed
    ):
        return board.chips(drawing, after, seat, MORPH)
    return "".join([fragments.number(new.counter, "chip", OOB) for _old, new in changed])


def _redrawn(draw: Draw, drawing: Drawing, before: GameState, after: GameState, seat: Seat) -> str:
    """The result of *draw* for *seat*, if it looks different now."""
    now = draw(drawing, after, seat, MORPH)
    return now if now != draw(drawing, before, seat, MORPH) else ""


def _moments(state: GameState, seat: str | None, events: Events = ()) -> list[tuple[str, Any]]:
    found = view_models.moments(state, seat, events)
    return [(each.key, each.counter_view.counter.name) for each in found]
