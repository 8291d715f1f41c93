"""Fragments of a table with slot counters for a command's changes, for one seat.

A tap compares the one counter it touched, and what repeats it; the board around it only when
counters appear, disappear or move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter, is_not
from typing import Any, NamedTuple

from games.rules.entry import Entry
from games.rules.history import Applied
from games.rules.secrecy import heard
from games.rules.state import GameState
from games.screens.drawing import Drawing, kept
from games.screens.fragments import Audience
from games.screens.parts import Part, frame
from games.screens.slots import board, fragments, layout, view_models, words
from games.screens.slots.board import Events
from games.screens.slots.names import translated_counter
from games.screens.slots.view_models import CounterView
from games.screens.slots.words import proposal
from games.screens.words import Words
from games.systems.slot_counters import Slots
from games.tracks.counter import Counter, Sight, counter_in, counters_in, sight
from games.tracks.views import knows, redacted

Seat = str | None
Draw = Callable[[Drawing, GameState, Seat], Part]
TURNS_OUT = frozenset(
    {
        *("completed", "reopened", "restarted", "resolved", "edited", "discarded", "wounded"),
        *("threshold-reached", "told"),
    }
)
"""Events that can add, remove or rename a completion, or are a moment themselves."""
STIRS = TURNS_OUT | {"answered"}
"""Events that are told of besides what they change."""
TELLS = STIRS | {*board.SCENES, "proposed"}
"""Events of which a moment may stand when they are undone."""
AROUND = attrgetter("seats", "settings", "scenes", "parts", "notes")
"""The parts of a state around its counters."""
OF_ALL = attrgetter("seats", "settings", "scenes")
"""Those on which everything on a board may depend."""
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
        here, scope = _scope(drawing, given, seat, kinds)
        then = list[Part]()
        if before.seats.keys() == after.seats.keys():
            then = _parts(drawing, before, seat, here, scope)
        if board.moments in scope:
            scope[scope.index(board.moments)] = _told(drawing.its, given, seat)
        now = _parts(drawing, after, seat, here, scope)
        if "answered" in kinds:
            then.append(board.notices(drawing))
            now.append(board.notices(drawing, [*_notices(drawing, given, seat)]))
        return frame(then, now)


def _parts(
    drawing: Drawing, state: GameState, seat: Seat, here: Collection[str], scope: Sequence[Draw]
) -> list[Part]:
    """The counters of *here* that *seat* sees, and what *scope* draws."""
    every = counters_in(state)
    seen = [board.view(drawing, state, seat, every[each]) for each in here if each in every]
    found = [board.counter(drawing, state, each) for each in seen if each]
    return found + [_part(drawing, state, seat, draw) for draw in scope]


@kept("part", spoken=True)
def _part(drawing: Drawing, state: GameState, seat: Seat, draw: Draw) -> Part:
    """The result of *draw*, kept for the next change."""
    return draw(drawing, state, seat)


def _scope(
    drawing: Drawing, given: Applied, seat: Seat, kinds: Collection[str]
) -> tuple[Sequence[str], list[Draw]]:
    """The counters that a command may have changed for *seat*, and the parts around them; none of
    the counters, if they are all among these parts. kinds: those of the events.
    """
    before, after, touched = given.before, given.after, given.touched
    if touched is None or _anew(before, after):
        return (), [*board.OF_BOARD]
    scope, slots = list[Draw](), drawing.presentation.slots
    here = [each for each in after.slot_counters if each in touched]
    moved = _moved(before, after, touched, here, seat)
    turns = bool(slots and slots.turns) and [
        board.turn_of(drawing, state, seat) for state in (before, after)
    ]
    if turns and any(turns):
        scope.append(board.bar)
    if moved or (turns and turns[0] != turns[1]):
        here = []
        scope += board.groups, board.tabs, board.party, board.own, board.carries
    else:
        here += [each for each in view_models.hope_of(drawing.its, after, here) if each not in here]
        scope += _repeating(drawing.its, after, here, seat)
    if drawing.presentation.board.counts:
        scope += board.counted, board.buttons
    if before.parts is not after.parts:
        scope.append(board.chapter)
    if before.notes is not after.notes:
        scope.append(board.notes_beside)
    if before.prompts or after.prompts:
        scope.append(board.asked)
    turned = moved or before.notes is not after.notes or not TURNS_OUT.isdisjoint(kinds)
    if turned or [*_hits(drawing.its, given, seat)]:
        scope.append(board.moments)
    return here, scope


def _anew(before: GameState, after: GameState) -> bool:
    return any(map(is_not, OF_ALL(before), OF_ALL(after)))


def _moved(
    before: GameState, after: GameState, touched: Collection[str], here: Sequence[str], seat: Seat
) -> bool:
    """True if a touched counter came, left or is elsewhere for *seat*, or seen otherwise."""
    if any(knows(before, seat, each) for each in touched if each not in after.slot_counters):
        return True
    for each in here:
        now = sight(after, seat, counter_in(after, each))
        if now is not Sight.NOTHING and layout.moved(before, after, each):
            return True
        if each in before.slot_counters and now is not sight(
            before, seat, counter_in(before, each)
        ):
            return True
    return False


def _repeating(its: Words, after: GameState, here: Sequence[str], seat: Seat) -> Iterator[Draw]:
    """The parts that repeat counters of *here*, or depend on them."""
    counters = [counter_in(after, each) for each in here]
    if any(each.role in its.slots.strip for each in counters):
        yield board.party
    if mine := [each for each in counters if seat and each.owner == seat]:
        yield from _cockpit(its, after, mine, seat or "")


def _cockpit(its: Words, after: GameState, mine: Sequence[Counter], seat: str) -> Iterator[Draw]:
    """The parts that repeat counters of *seat* itself."""
    slots, hero = its.slots, layout.hero(its, after, seat)
    roles = {each.role for each in mine}
    if slots.written or not roles.isdisjoint((slots.hero, *slots.strip, *slots.shields)):
        yield board.own  # a set's has the conditions of all of them
    if mine != [hero]:
        yield board.chips
        yield board.carries


def _told(its: Words, given: Applied, seat: Seat) -> Draw:
    """The moments of a command."""
    before, after, entry = given.before, given.after, given.entry
    turned = _turned(given, seat)
    gone = tuple([line for line, (kind, _) in turned.items() if kind == "undone"])
    again = [event for kind, events in turned.values() if kind == "redone" for event in events]
    told = [event for event in entry.events if event["entry"] not in gone] if entry else []
    events: Events = (*told, *again, *_hits(its, given, seat))
    if given.touched is None or _anew(before, after):
        return partial(board.moments, events=events, gone=gone)
    new = dict.fromkeys(view_models.revealed(before, after, seat), entry.number if entry else 0)
    hidden = view_models.revealed(after, before, seat)
    return partial(board.moments, events=events, shown=new, hidden=hidden)


def _turned(given: Applied, seat: Seat) -> Mapping[int, tuple[str, Events]]:
    """The undone and redone entries of which *seat* was told more than what they change, by line:
    which of both, and their events."""
    entries = {entry.number: entry for each in given.reversals for entry in each.of}
    turned = dict[int, tuple[str, Events]]()
    for event in given.entry.events if given.entry else ():
        if event["kind"] in ("undone", "redone") and (then := heard(entries[event["of"]], seat)):
            if not TELLS.isdisjoint(each["kind"] for each in then.events):
                turned[then.number] = event["kind"], then.events
    return turned


def _hits(its: Words, given: Applied, seat: Seat) -> Iterator[Mapping[str, Any]]:
    """What a hit of *seat* did, as far as it may know. It can undo one that counted at once."""
    entry = given.entry
    by, on, hits = _hit(given, entry) if entry else ("", "", 0)
    counter = given.after.slot_counters.get(on)
    if not (entry and hits and by == seat and isinstance(counter, Counter)):
        return
    seen = view_models.counter_view(its, given.after, seat, counter)
    if seen and "hits" in seen.known:
        text, own = words.taken(its, hits, seen.known["word"]), entry.by == seat
        yield {"kind": "told", "on": on, "text": text, "entry": entry.number, "own": own}


def _hit(given: Applied, entry: Entry) -> tuple[str, str, int]:
    """Who hit, what, and for how much: 0 if no hit counts with *entry*.

    After a nod it is read from the command: a player hears no event about a creature's numbers.
    """
    for event in entry.events:
        if event["kind"] == "proposed" and event.get("hits"):
            return event["seat"], event["on"], event["hits"]
    command = entry.command
    asked = given.before.prompt(command.get("prompt", "")) if command.get("accept") else None
    wish = asked.facts.get("command", {}) if asked else {}
    if not asked or wish.get("do") != "fill":
        return "", "", 0
    return asked.facts["by"], wish["on"], command.get("slots") or wish.get("slots", 0)


class Amount(NamedTuple):
    """A counter of which another number of slots is filled, and no button or word of it is another.

    drawn: that, the same for all who see it in full.
    """

    counter: Counter
    drawn: str


def _amounts(drawing: Drawing, given: Applied) -> Sequence[Amount]:
    """All that a command changed, if that is only amounts: drawn once for all audiences that read
    one language. Empty if more may look different, for some seat at least."""
    drawing.cache.of(given.before)  # first, or it would be forgotten for the state after it
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
    found = []
    for key in given.touched & (before.slot_counters.keys() | after.slot_counters.keys()):
        amount = _amount(drawing, slots, before, after, key)
        if amount is None:
            return ()
        found.append(amount)
    return found


def _amount(
    drawing: Drawing, slots: Slots, before: GameState, after: GameState, key: str
) -> Amount | None:
    """That of a counter; None if more of it may look different, for some seat."""
    if key not in before.slot_counters or layout.moved(before, after, key):
        return None
    was, now = counter_in(before, key), counter_in(after, key)
    if redacted(after, None, now) is not now or now.role == slots.hopeless:
        return None  # each seat reads something else of it, or other counters decide
    then, there = _open(drawing, before, was), _open(drawing, after, now)
    if (
        SEEN_BY(was) != SEEN_BY(now)
        or bool(was.filled) != bool(now.filled)
        or now.inventory
        or then.facts != there.facts
    ):
        return None
    repeats = tuple[Part, ...]()
    if layout.in_strip(drawing.its, after, now):
        if now.role != slots.hero:
            return None
        repeats = tuple(fragments.number(each, "cell") for each in (was, now))
    return Amount(now, frame([then, *repeats[:1]], [there, *repeats[1:]]))


def _open(drawing: Drawing, state: GameState, counter: Counter) -> Part:
    """*counter* as all see it who see it in full, but for their buttons."""
    key, known = ("open", counter.id, drawing.language), drawing.cache.lasting
    if key not in known or known[key][0] is not counter:
        seen = CounterView(drawing.its, translated_counter(drawing.its, counter))
        known[key] = counter, board.counter(drawing, state, seen)
    found: Part = known[key][1]
    return found


def _seen_amounts(drawing: Drawing, given: Applied, amounts: Sequence[Amount], seat: Seat) -> str:
    """What *seat* sees of *amounts*, and its own ones in its cockpit."""
    after = given.after
    seen = [each for each in amounts if sight(after, seat, each.counter) is Sight.EVERYTHING]
    out = "".join([each.drawn for each in seen])
    mine = [each.counter for each in seen if seat and each.counter.owner == seat]
    if not mine:
        keys = [("part", seat, draw, drawing.language) for draw in (board.own, board.chips)]
        drawing.cache.carry(given.before, after, keys)
        return out
    scope = [*_cockpit(drawing.its, after, mine, seat or "")]
    then = [_part(drawing, given.before, seat, draw) for draw in scope]
    return out + frame(then, [_part(drawing, after, seat, draw) for draw in scope])


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
