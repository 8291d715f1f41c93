"""The Undo button: which entries it would take, and what it says of them in two words.

Phones ask after every few taps, so only the newest entries are read, and their sentences are made
from the state as it is now. The log itself has the numbers of each moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from django.db.models import Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from django.utils.translation import ngettext, pgettext

from games.models import Entry as Row
from games.models import Game
from games.rules.entry import Entry
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.log.lines import LogLine, gestures, sentence_of
from games.screens.log.log import Log
from games.screens.log.parts import called, players, signed, times
from games.screens.log.undo import MOST_NAMED, Act, Names, acts, changed_by, in_full
from games.screens.words import counted, speaking
from games.store import rows
from games.systems import presentation_of

ROW, ROWS = 11, 2
"""The button has room for so many rows of so many characters, on the narrowest phone."""
WINDOW = 200
"""Entries that are read at first to find the beginning of a gesture."""
MOST = 4 * WINDOW
"""Maximum of entries for one undo: of an endless run of taps, the newest are taken back, then those
before.
"""


def next_undo_and_redo(game: Game, seat: str) -> dict[str, Any]:
    """The targets of Undo and Redo for *seat* now: entries, short words, and long ones.

    Only for games without secrets. Undo takes the newest line of the seat, unless a turn began
    since and later lines depend on it; Redo takes all of the newest undo that was this seat's or
    undid something of it.
    """
    state = rows.state(game)
    names = game.names

    def name(each: str) -> str:
        return names.get(each, each)

    entries = _newest_line(game, state, seat)
    if entries and not _still_possible(game, seat, entries):
        entries = []
    with speaking(game.rules):
        undo = acts(game.rules, state, state, entries)
        redo = acts(game.rules, state, state, undone := _last_undone(game, seat))
        system = game.rules
        return {
            "undo": [entry.number for entry in reversed(entries)],
            "undo_short": label(UNDO, words_for(system, state, undo, seat, name)),
            "undo_text": _("Undo: %(what)s") % {"what": in_full(system, state, undo, name)}
            if undo
            else "",
            "redo": [entry.number for entry in undone],
            "redo_short": label(REDO, words_for(system, state, redo, seat, name)),
            "redo_text": _("Redo: %(what)s") % {"what": in_full(system, state, redo, name)}
            if redo
            else "",
        }


def _still_possible(game: Game, seat: str, entries: Sequence[Entry]) -> bool:
    """True if *entries* can be undone, where this has to be tried: the turn has moved on since."""
    later = game.entries.filter(number__gt=entries[-1].number, undone_by=None)
    if not later.filter(command__do="begin-turn").exists():
        return True
    numbers = [entry.number for entry in entries]
    try:
        rows.history(game).give({"do": "undo", "entries": numbers, "by": seat})
    except Refused:
        return False
    return True


def next_among(log: Log, seat: str) -> dict[str, Any]:
    """The same from the lines that *seat* may read, in a game with secrets."""
    own = log.game.entries.filter(seat=seat)
    undone = own.filter(undone_by__gt=0).exists()
    undo = next((each for each in _own_lines(log, seat) if each.standing), None)
    redo = next((each for each in _own_lines(log, seat) if each.undone), None) if undone else None
    return {
        "undo": list(reversed(undo.entries)) if undo else [],
        "undo_short": label(UNDO, _words_for_line(log.system, undo)) if undo else "",
        "undo_what": sentence_of(undo.parts[:MOST_NAMED]) if undo else "",
        "undo_text": _("Undo: %(what)s") % {"what": sentence_of(undo.parts[:MOST_NAMED])}
        if undo
        else "",
        "redo": list(redo.entries) if redo else [],
        "redo_short": label(REDO, _words_for_line(log.system, redo)) if redo else "",
        "redo_text": _("Redo: %(what)s") % {"what": sentence_of(redo.parts[:MOST_NAMED])}
        if redo
        else "",
    }


def _own_lines(log: Log, seat: str) -> Iterator[LogLine]:
    """The lines of *seat* in the session that goes on, newest first."""
    going_on = takewhile(lambda line: not line.closed, log.backwards())
    return (line for line in going_on if line.by == seat)


def _words_for_line(system: System, line: LogLine) -> Iterator[str]:
    """A line by what it says first, besides the dice: whose number changed, or what was done."""
    first = next((each for each in line.parts if not each.aside), line.parts[0])
    if first.before != first.after and line.verb not in presentation_of(system).story.reasons:
        yield from _parts_of_name(first.number)
    yield _undo_word(system, line.verb)


# The entries


def _newest_line(game: Game, state: GameState, seat: str) -> list[Entry]:
    """The entries of the newest standing line of *seat*, oldest first."""
    own = game.entries.filter(seat=seat, undone_by=None).order_by("-number")
    for number, command in own.values_list("number", "command").iterator(chunk_size=50):
        if command["do"] in ("undo", "redo"):
            continue
        if found := _line_of(game, state, number):
            return found
    return []


def _line_of(game: Game, state: GameState, number: int) -> list[Entry]:
    """The entries of the line that ends with entry *number*; none if it says nothing."""
    window = WINDOW
    while True:
        recent = game.entries.filter(number__gt=number - window, number__lte=number)
        found = list(recent.order_by("number"))
        entries = [_entry(row) for row in found]
        undone = {row.number for row in found if row.undone_by}
        lines = gestures(
            game.rules, state, zip(entries, (row.at for row in found), strict=True), undone
        )
        line = next((each for each in lines if number in each.entries), None)
        if line is None:
            return []
        if line.entries[0] > found[0].number or found[0].number == 1 or window >= MOST:
            its = set(line.entries)
            return [entry for entry in entries if entry.number in its]
        window *= 4


def _last_undone(game: Game, seat: str) -> list[Entry]:
    """Entries of the newest undo that *seat* gave or that undid something of it."""
    given = game.entries.filter(seat=seat).values("number")
    concerns = Q(seat=seat) | Q(undone_by__in=given)
    last = game.entries.filter(concerns).aggregate(last=Max("undone_by"))["last"]
    if last is None:
        return []
    return [_entry(row) for row in game.entries.filter(undone_by=last).order_by("number")]


def _entry(row: Row) -> Entry:
    return Entry(row.number, row.seat, row.command_id, row.command, tuple(row.events))


# The words

UNDO, REDO = later("Undo %(what)s"), later("Redo %(what)s")
UNDO_WORDS = {
    "turn-began": later("turn"),
    "phase-began": later("phase"),
    "answered": later("answer"),
    "voided": later("answer"),
    "attributed": later("source"),
    "created": later("card"),
    "seat-added": later("guest"),
    "moved": later("move"),
    "shifted": later("move"),
    "controlled": later("control"),
    "marked": later("mark"),
    "described": later("text"),
    "changed": later("change"),
    "corrected": later("correction"),
    "noted": later("note"),
    "struck": later("note"),
    "thrown": later("dice"),
    "tossed": later("coin"),
    "seat-drawn": later("draw"),
    "left": later("exit"),
    "lost": later("exit"),
    "ended": later("end"),
    "prompted": later("question"),
    "tick-began": later("change"),
    "tick-ended": later("change"),
    "placed": later("counters"),
    "removed": later("counters"),
    "spent": later("counters"),
}
"""The button's words for an act, by kind of event; a system has its own."""


def _undo_word(system: System, *keys: str) -> str:
    """The word for what was done, by the first of *keys* that has one."""
    own = presentation_of(system).story.undo_words
    word = next((word for key in keys if (word := own.get(key) or UNDO_WORDS.get(key))), None)
    return _(word or later("line"))


def label(template: str, candidates: Iterable[str]) -> str:
    """The button: "Undo 22 cards". The first of *candidates* that it has room for, whole."""
    words = ""
    for what in filter(None, candidates):
        words = _(template) % {"what": what}
        if has_room(words):
            break
    return words


def has_room(label: str) -> bool:
    """True if the button shows *label* without cutting a word."""
    rows = [""]
    for word in label.split():
        longer = f"{rows[-1]} {word}".strip()
        rows[-1:] = [longer] if len(longer) <= ROW else [rows[-1], word]
    rows = [row for row in rows if row]
    return len(rows) <= ROWS and all(len(row) <= ROW for row in rows)


def words_for(
    system: System, state: GameState, done: Sequence[Act], seat: str, name: Names
) -> Iterator[str]:
    """Names for *done*, the most specific first, and last a word that always fits."""
    if len(done) > 1:
        yield ngettext("%(n)s line", "%(n)s lines", len(done)) % {"n": len(done)}
    elif done:
        act = done[0]
        alike = _of_several(system, state, act)
        yield from alike if act.like else _of_one(system, state, act, seat, name)
        word = _undo_word(system, str(act.event.get("mark", "")), act.event["kind"])
        yield from _parts_of_name(word % act.event)
        yield _(later("change"))


def _of_several(system: System, state: GameState, act: Act) -> Iterator[str]:
    """ "22 creatures", "22 cards", "3 players"."""
    cards = [state.objects[each] for each in act.like if each in state.objects]
    if cards:
        yield from called(system, cards)
    else:
        yield players(len(act.like))


def _of_one(system: System, state: GameState, act: Act, seat: str, name: Names) -> Iterator[str]:
    event, holder = act.event, act.part.holder
    if act.change is not None:
        n, change = signed(act.change), changed_by(act)
        if holder in state.objects:
            for part in _parts_of_name(state.objects[holder].name):
                yield f"{n} {part}{times(act.part.times)}"
        elif holder != seat and holder in state.seats:
            yield _("%(by_how_much)s, %(whose)s") % {"by_how_much": change, "whose": name(holder)}
            yield f"{n} {name(holder)}"
        for part in _kind_or_noun(counted(act.change, act.part.number)):
            yield f"{n} {part}" if part[:1].isalpha() else f"{n} × {part}"
    elif {"from", "seat", "amount"} <= event.keys():
        yield _("%(n)s to %(whom)s") % {"n": event["amount"], "whom": name(event["seat"])}
    elif event["kind"] == "created":
        made = act.more + act.part.times
        for part in () if act.more else _parts_of_name(event["name"]):
            yield f"{made} × {part}" if made > 1 else part
        if made > 1:
            yield ngettext("%(n)s card", "%(n)s cards", made) % {"n": made}
    elif act.part.n is not None and (obj := state.objects.get(str(event.get("on")))):
        if word := presentation_of(system).story.undo_words.get(event["kind"]):
            yield f"{act.part.n} {_(word)}{times(act.part.times)}"
        for part in _parts_of_name(obj.name):
            yield f"{act.part.n} {part}{times(act.part.times)}"


def _kind_or_noun(whole: str) -> Iterator[str]:
    """A kind of counters, then its noun alone: "victory points", "points"."""
    first, space, last = whole.partition(" ")
    yield whole
    if " " in last:
        yield first  # "spells this turn"
    elif space:
        noun = pgettext("which word of a name in two words is the noun", "last")
        yield {"first": first}.get(noun, last)
    yield from _parts_of_name(whole)


def _parts_of_name(whole: str) -> Iterator[str]:
    """A name, what stands before its comma, and its longest word."""
    yield whole
    first = whole.partition(",")[0]
    yield first
    yield max(first.split() or [first], key=len)
