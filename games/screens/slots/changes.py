"""Fragments of a table with slot counters for a command's changes, for one seat.

A tap redraws the one counter it touched; the board around it is sent only when counters appear,
disappear or move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter, is_not
from typing import Any, NamedTuple

from django.utils.safestring import mark_safe

from games.rules.history import Applied
from games.rules.slots.counter import (
    Counter,
    Sight,
    counter_in,
    counters_in,
    game_master,
    runs,
    sight,
)
from games.rules.slots.views import knows, redacted
from games.rules.state import GameState
from games.screens.drawing import Drawing
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.slots import board, fragments, layout, view_models, words
from games.screens.slots.board import Events
from games.screens.slots.current_game import its
from games.screens.slots.names import translated_counter
from games.screens.slots.view_models import CounterView
from games.screens.slots.words import proposal

Seat = str | None
Draw = Callable[[Drawing, GameState, Seat, str], str]
TURNS_OUT = frozenset(
    {
        *("completed", "reopened", "restarted", "resolved", "edited", "discarded", "wounded"),
        *("threshold-reached", "told"),
    }
)
"""Events that can add, remove or rename a completion, or are a moment themselves."""
STIRS = TURNS_OUT | {"answered"}
"""Events that are told of besides what they change."""
AROUND = attrgetter("seats", "settings", "scenes", "parts", "notes")
"""The parts of a state around its counters."""
SEEN_BY = attrgetter("visibility", "seats")
"""The facts of a counter that decide who sees it, besides its place."""


def changes(drawing: Drawing, given: Applied, audience: Audience) -> str:
    """The fragments that an accepted command changed for *audience*."""
    before, after, seat = given.before, given.after, audience.seat
    events: Events = given.entry.events if given.entry else ()
    kinds = {event["kind"] for event in events}
    with drawing.reading(audience):
        if STIRS.isdisjoint(kinds) and (amounts := _amounts(drawing, given)):
            return _seen_amounts(drawing, given, amounts, seat)
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


class Amount(NamedTuple):
    """A counter of which another number of slots is filled, and no button or word of it is another.

    drawn: that, the same for all who see it in full. cell: its large number in the party strip.
    """

    counter: Counter
    drawn: str
    cell: str


def _amounts(drawing: Drawing, given: Applied) -> Sequence[Amount]:
    """All that a command changed, if that is only amounts: drawn once for all audiences that read
    one language. Empty if more may look different, for some seat at least."""
    key, known = ("amounts", drawing.language), drawing.cache.of(given.after)
    before, touched, found = known.get(key, (None, None, ()))
    if before is not given.before or touched != given.touched:
        found = _amounts_now(drawing, given)
        known[key] = given.before, given.touched, found
    amounts: Sequence[Amount] = found
    return amounts


def _amounts_now(drawing: Drawing, given: Applied) -> Sequence[Amount]:
    before, after, slots = given.before, given.after, drawing.presentation.slots
    if (
        given.touched is None
        or slots is None
        or slots.turns
        or drawing.presentation.board.counts
        or before.slot_counters is after.slot_counters
        or before.prompts
        or after.prompts
        or any(map(is_not, AROUND(before), AROUND(after)))
    ):
        return ()
    here = given.touched & (before.slot_counters.keys() | after.slot_counters.keys())
    if not all(_only_amount(given, each) for each in here):
        return ()
    then = before.slot_counters
    return [
        _amount(drawing, given, key)
        for key, now in after.slot_counters.items()
        if key in here and then[key] != now  # what was touched may be as it was
    ]


def _only_amount(given: Applied, key: str) -> bool:
    """True if nothing of that counter differs but how many slots are filled, for any seat."""
    before, after = given.before, given.after
    if key not in before.slot_counters or layout.moved(before, after, key):
        return False
    was, now = counter_in(before, key), counter_in(after, key)
    if redacted(after, None, now) is not now or now.role == its().hopeless:
        return False  # each seat reads something else of it, or other counters decide
    views = CounterView(was, view_models.NONE), CounterView(now, view_models.NONE)
    return (
        SEEN_BY(was) == SEEN_BY(now)
        and bool(was.filled) == bool(now.filled)
        and view_models.only_filled(*views)
        and (now.role == its().hero or not layout.in_strip(after, now))
    )


def _amount(drawing: Drawing, given: Applied, key: str) -> Amount:
    was, now = (counter_in(state, key) for state in (given.before, given.after))
    worded = translated_counter(now)
    views = CounterView(was, view_models.NONE), CounterView(worded, view_models.NONE)
    in_cell = layout.in_strip(given.after, now)
    cell = fragments.number(worded, "cell", OOB) if in_cell else ""
    return Amount(now, fragments.filling(*views), cell)


def _seen_amounts(drawing: Drawing, given: Applied, amounts: Sequence[Amount], seat: Seat) -> str:
    """What *seat* sees of *amounts*, and its own ones in its cockpit."""
    after = given.after
    seen = [each for each in amounts if sight(after, seat, each.counter) is Sight.EVERYTHING]
    out = "".join([each.drawn for each in seen] + [each.cell for each in seen])
    mine = [each.counter.id for each in seen if seat and each.counter.owner == seat]
    if not mine:
        return out
    pairs = _pairs(drawing, given.before, after, mine, seat)
    changed = [_change(drawing, after, then, now) for then, now in pairs if then and now]
    return out + _own(drawing, after, [e for e in changed if e.then != e.now], seat or "")


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
    pairs = _pairs(drawing, before, after, here, seat)
    taken = before.slot_counters.keys() - after.slot_counters.keys()
    moved = (
        any(knows(before, seat, each) for each in touched & taken)
        or any(layout.moved(before, after, now.id) for _then, now in pairs if now)
        or any(_sight(then) is not _sight(now) for then, now in pairs)
    )
    changed = [
        _change(drawing, after, then, now) for then, now in pairs if then and now and then != now
    ]
    if moved:
        out = _rearranged(drawing, before, after, changed, seat)
    else:
        out = "".join([each.drawn for each in changed]) + _party(drawing, after, changed, seat)
        if mine := [each for each in changed if seat and each.now.counter.owner == seat]:
            out += _own(drawing, after, mine, seat or "")
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
        if renewed or new or gone or turned or kept or "told" in kinds:
            out += board.moments(drawing, after, seat, events, MORPH, new)
    if drawing.presentation.board.counts:
        out += _redrawn(board.counted, drawing, before, after, seat)
        out += _redrawn(board.buttons, drawing, before, after, seat)
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
        if prompt and prompt.facts.get("by", prompt.to) == seat and "command" in prompt.facts:
            reply = replies.get(event["prompt"], "")
            wish = proposal(drawing.system, given.before, seat, prompt)["wish"]
            if text := words.decided(event, prompt.facts["command"]["do"], wish, reply):
                yield {
                    "who": drawing.name(entry.by),
                    "place": board.place_of(given.after, entry.by),
                    "text": text,
                    "reply": reply,
                }


class Change(NamedTuple):
    """A counter that looks different. plain: only its filled slots do. drawn: its fragments."""

    then: CounterView
    now: CounterView
    plain: bool
    drawn: str


def _pairs(
    drawing: Drawing, before: GameState, after: GameState, here: Sequence[str], seat: Seat
) -> list[tuple[CounterView | None, CounterView | None]]:
    """The counters of *here* as *seat* saw them and sees them, with those that depend on them."""
    then, now = counters_in(before), counters_in(after)
    return [
        (
            board.view(drawing, before, seat, then[each]) if each in then else None,
            board.view(drawing, after, seat, now[each]),
        )
        for each in dict.fromkeys((*here, *view_models.hope_of(after, here)))
    ]


def _sight(seen: CounterView | None) -> bool | None:
    return seen.masked if seen else None


def _change(drawing: Drawing, after: GameState, then: CounterView, now: CounterView) -> Change:
    """The change from *then* to *now*, worked out once for all who see the same."""
    key, known = ("change", id(then), id(now)), drawing.cache.of(after)
    if key not in known:
        plain = view_models.only_filled(then, now)
        drawn = fragments.filling(then, now) if plain else board.counter(drawing, after, now, OOB)
        known[key] = Change(then, now, plain, drawn)
    found: Change = known[key]
    return found


def _rearranged(
    drawing: Drawing, before: GameState, after: GameState, changed: Sequence[Change], seat: Seat
) -> str:
    """All that shows counters: some came, left or are elsewhere, at least for others."""
    if layout.arrangement(before, seat) != layout.arrangement(after, seat):
        out = board.groups(drawing, after, seat, MORPH)
        out += _redrawn(board.tabs, drawing, before, after, seat)
    else:
        out = "".join([each.drawn for each in changed])
    if layout.strip(before, seat) != layout.strip(after, seat):
        out += board.party(drawing, after, seat, MORPH)
    out += _redrawn(board.own, drawing, before, after, seat)
    return out + _redrawn(board.chips, drawing, before, after, seat)


def _party(drawing: Drawing, after: GameState, changed: Sequence[Change], seat: Seat) -> str:
    """The large numbers of the party, or the whole strip if more is different in it."""
    strip = [each for each in changed if layout.in_strip(after, each.now.counter)]
    if not all(each.plain and each.now.counter.role == its().hero for each in strip):
        return board.party(drawing, after, seat, MORPH)
    return "".join([fragments.number(each.now.counter, "cell", OOB) for each in strip])


def _own(drawing: Drawing, after: GameState, mine: Sequence[Change], seat: str) -> str:
    """The cockpit of *seat*, of which the counters *mine* changed: its hero, and its chips."""
    hero = layout.hero(after, seat)
    large = [e for e in mine if (hero and e.now.id == hero.id) or board.is_track(e.now)]
    small = [each for each in mine if each not in large and runs(after, each.now.counter)]
    drawn = [_large(each) for each in large]
    out = "".join(drawn)
    if any(each.now.counter.role in its().shields for each in small) or "" in drawn:
        out = board.own(drawing, after, seat, MORPH)
    if game_master(after, seat):
        return out
    shown = [each for each in small if board.has_chip(each.then) or board.has_chip(each.now)]
    if not all(each.plain and _chip(each.then) == _chip(each.now) for each in shown):
        return out + board.chips(drawing, after, seat, MORPH)
    return out + "".join([fragments.number(each.now.counter, "chip", OOB) for each in shown])


def _large(hero: Change) -> str:
    """The number and the slots of the player's *hero*; "" if more of it is drawn anew."""
    then, now = hero.then, hero.now
    if not (hero.plain and then.counter.filled and now.counter.filled):
        return ""  # a label, or one of its buttons
    number = fragments.number(now.counter, "own", OOB)
    if now.counter.look != "blocks":
        return number + fragments.look(now, "own", OOB)
    return number + fragments.blocks(then, now, "own")


def _chip(seen: CounterView) -> tuple[bool, bool, bool]:
    """What a chip shows of *seen* beside its number: whether it is there, its minus and plus."""
    stepped = seen.counter.role in its().strip
    return board.has_chip(seen), stepped and seen.minus_ends, stepped and seen.plus_ends


def _redrawn(draw: Draw, drawing: Drawing, before: GameState, after: GameState, seat: Seat) -> str:
    """The result of *draw* for *seat*, if it looks different now."""
    now = draw(drawing, after, seat, MORPH)
    return now if now != draw(drawing, before, seat, MORPH) else ""


def _moments(state: GameState, seat: str | None, events: Events = ()) -> list[tuple[str, Any]]:
    found = view_models.moments(state, seat, events)
    return [(each.key, each.counter_view.counter.name) for each in found]
