"""The Undo button: which entries it would take, and what it says of them in two words.

Phones ask after every few taps, so only the newest entries are read, and their sentences are made
from the state as it is now. The log itself has the numbers of each moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from django.db.models import Max, Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from django.utils.translation import ngettext, pgettext

from games.models import Entry as Row
from games.models import Game
from games.rules.entry import Entry
from games.rules.history import BEGINNINGS
from games.rules.revising import asked_in, prompts_in
from games.rules.state import NONE, GameState, Refused
from games.rules.system import System
from games.screens.log.event_text import subject
from games.screens.log.lines import LogLine, gestures, sentence_of
from games.screens.log.log import Log
from games.screens.log.parts import TIMES, Part, called, players, signed, times
from games.screens.log.undo import MOST_NAMED, Act, Names, acts, changed_by, in_full
from games.screens.view_models import keeper
from games.screens.words import Words, words_of
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

    Only for games without secrets. Undo takes the newest line of the seat with the answers to what
    it asked, as combat with its blocks, unless a turn began since and later lines depend on it;
    Redo takes all of the newest undo that was this seat's or undid something of it.
    """
    state = rows.state(game)
    names = game.names

    def name(each: str) -> str:
        return names.get(each, each)

    entries = _newest_line(game, state, seat)
    numbers = [*(entry.number for entry in entries), *_answers(game, entries)]
    if entries and not _still_possible(game, seat, numbers):
        entries, numbers = [], []
    undo = acts(game.rules, state, state, entries)
    redo = acts(game.rules, state, state, undone := _last_undone(game, seat))
    offered: dict[str, Any] = {}
    for which, entries_of, done in (
        ("undo", numbers[::-1], undo),
        ("redo", [entry.number for entry in undone], redo),
    ):
        words = words_for(game.rules, state, done, seat, name)
        text = in_full(game.rules, state, done, name)
        offered |= _offered(which, entries_of, words, text)
    return offered


def _offered(which: str, numbers: Sequence[int], words: Iterable[str], text: str) -> dict[str, Any]:
    """What Undo or Redo takes: its entries, in short, and in full."""
    short, full = SAYS[which]
    said = _(full) % {"what": text} if text else ""
    return {which: numbers, f"{which}_short": label(short, words), f"{which}_text": said}


def _answers(game: Game, entries: Sequence[Entry]) -> Iterator[int]:
    """The later entries that answer what *entries* asked, and what those asked."""
    if asked := {each for entry in entries for each in asked_in(entry.events)}:
        later = game.entries.filter(number__gt=entries[-1].number, undone_by=None)
        for row in later.order_by("number")[:WINDOW]:
            if answered := prompts_in(row.command) & asked:
                asked = (asked - answered) | asked_in(row.events)
                yield row.number


def _still_possible(game: Game, seat: str, numbers: Sequence[int]) -> bool:
    """True if *numbers* can be undone, where this has to be tried: the turn has moved on since."""
    later = game.entries.filter(number__gt=numbers[0], undone_by=None)
    if not later.filter(command__do="begin-turn").exists():
        return True
    try:
        rows.history(game).give({"do": "undo", "entries": numbers, "by": seat})
    except Refused:
        return False
    return True


def next_among(log: Log, seat: str) -> dict[str, Any]:
    """The same from the lines that *seat* may read, in a game with secrets."""
    own = log.game.entries.filter(seat=seat)
    undone = own.filter(undone_by__gt=0).exists()
    undo = _newest_of(log, seat)
    own_undone = (line for line in _going_on(log) if line.by == seat and line.undone)
    redo = next(own_undone, None) if undone else None
    offered: dict[str, Any] = {"undo_what": _first(undo) if undo else ""}
    for which, line in (("undo", undo), ("redo", redo)):
        numbers = [*map(int, line.turned.split())] if line else []
        words = _words_for_line(log.system, line) if line else ()
        offered |= _offered(which, numbers, words, _first(line) if line else "")
    return offered


def _first(line: LogLine) -> str:
    """What a line says first, and last what is aside."""
    return sentence_of(sorted(line.parts, key=lambda part: part.aside)[:MOST_NAMED])


def _going_on(log: Log) -> Iterator[LogLine]:
    """The lines of the session that goes on, newest first."""
    return takewhile(lambda line: not line.closed, log.backwards())


def _newest_of(log: Log, seat: str) -> LogLine | None:
    """The newest standing line of *seat* that took effect; see `_newest_line`."""
    turned = False
    for line in _going_on(log):
        over = line.cancels or (turned and line.verb in BEGINNINGS)
        if line.by == seat and line.standing and not over:
            return line
        turned = turned or (line.standing and line.verb == "begin-turn")
    return None


def _words_for_line(system: System, line: LogLine) -> Iterator[str]:
    """A line by what it says first, besides the dice: which number changed, or what was done."""
    first = next((each for each in line.parts if not each.aside), line.parts[0])
    if first.before != first.after and line.verb not in presentation_of(system).story.reasons:
        yield from _of_number(words_of(system), line, first)
    yield from _undo_words(system, line.which, line.verb)
    yield from _parts_of_name(first.on.replace(TIMES, times(first.times)))
    yield _(later("change"))


def _of_number(its: Words, line: LogLine, part: Part) -> Iterator[str]:
    """By how much a line changed a number, and on which card, or else of which kind."""
    by = line.by_how_much
    if not by:
        yield from _parts_of_name(part.number)
        return
    if part.holder != line.by:
        whose = part.on.replace(TIMES, times(part.times))
        yield from (f"{signed(by)} {name}" for name in _parts_of_name(whose))
    yield from (f"{signed(by)} {kind}" for kind in _kind_or_noun(its.counted(by, part.number)))


# The entries


def _newest_line(game: Game, state: GameState, seat: str) -> list[Entry]:
    """The entries of *seat* in its newest standing line that took effect, oldest first.

    Taps that took each other back are passed over, and so is a turn or a phase that is over.
    """
    own = game.entries.filter(seat=seat, undone_by=None).order_by("-number")
    turned = _last_turn(game)
    passed: set[int] = set()
    for number, command in own.values_list("number", "command").iterator(chunk_size=50):
        if command["do"] in ("undo", "redo") or number in passed:
            continue
        if command["do"] in BEGINNINGS and number < turned:
            continue
        line, found = _line_of(game, state, number)
        if line and not line.cancels:
            return [entry for entry in found if entry.by == seat]
        passed |= {entry.number for entry in found}
    return []


def _last_turn(game: Game) -> int:
    """The number of the entry with which the present turn began; 0 if none did."""
    turns = game.entries.filter(command__do="begin-turn", undone_by=None)
    return turns.aggregate(last=Max("number"))["last"] or 0


def _line_of(game: Game, state: GameState, number: int) -> tuple[LogLine | None, list[Entry]]:
    """The line that ends with entry *number*, and its entries; none if it says nothing."""
    window = WINDOW
    while True:
        recent = game.entries.filter(number__gt=number - window, number__lte=number)
        found = list(recent.order_by("number"))
        entries = [_entry(row) for row in found]
        undone = {row.number: row.undone_by for row in found if row.undone_by}
        lines = gestures(
            game.rules, state, zip(entries, (row.at for row in found), strict=True), undone
        )
        line = next((each for each in lines if number in each.entries), None)
        if line is None:
            return None, []
        if line.entries[0] > found[0].number or found[0].number == 1 or window >= MOST:
            its = set(line.entries)
            return line, [entry for entry in entries if entry.number in its]
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
SAYS = {"undo": (UNDO, later("Undo: %(what)s")), "redo": (REDO, later("Redo: %(what)s"))}
"""What the buttons say, in short and in full."""
_KEYS = {
    later("End turn"): "begin-turn",
    later("turn"): "turn-began",
    later("phase"): "begin-phase phase-began",
    later("answer"): "answer answered void voided",
    later("Add"): "create created",
    later("guest"): "add-seat seat-added sit-down sat-down",
    later("Move"): "move moved shifted",
    later("control"): "control controlled",
    later("mark"): "mark marked",
    later("text"): "describe described",
    later("change"): "change changed tick tick-began end-tick tick-ended",
    later("correction"): "correct corrected",
    later("note"): "note noted strike struck",
    later("dice"): "throw thrown",
    later("coin"): "toss tossed",
    later("source"): "attribute attributed",
    later("draw"): "draw-seat seat-drawn",
    later("Concede"): "leave left",
    later("loss"): "lost",
    later("end"): "ended",
    later("question"): "prompted",
    later("counters"): "place placed remove removed spend spent transfer",
}
UNDO_WORDS = {key: word for word, keys in _KEYS.items() for key in keys.split()}
"""The word of the button that did it, by verb or by kind of event; a system has its own."""


def _undo_words(
    system: System, which: str, verb: str, *kinds: str, facts: Mapping[str, Any] = NONE
) -> Iterator[str]:
    """Words for what was done, the most specific first; nothing if it has none.

    which: the zone, the phase, the mark or the rule that its button named, "" for none. kinds: of
    what happened, its rule first; facts: its own, for a word with places.
    """
    own = presentation_of(system).story.undo_words
    if which and which not in own:
        word = capfirst(words_of(system).word(which))
        yield from [word] if verb == "mark" else _parts_of_name(word)
    for key in (which, verb, *kinds):
        if found := own.get(key) or UNDO_WORDS.get(key):
            yield from _parts_of_name(_(found) % facts)


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
        kinds = *(str(act.event.get(key, "")) for key in ("rule", "mark")), act.event["kind"]
        yield from _undo_words(system, act.which, act.verb, *kinds, facts=act.event)
        if obj := state.objects.get(subject(act.event)):
            yield from _parts_of_name(obj.name)
        yield _(later("change"))


def _of_several(system: System, state: GameState, act: Act) -> Iterator[str]:
    """ "22 creatures", "22 cards", "3 players"; nothing of what has one word, as an attack."""
    cards = [state.objects[each] for each in act.like if each in state.objects]
    if cards:
        yield from called(system, cards)
    elif act.change is not None:
        yield players(len(act.like))


def _of_one(system: System, state: GameState, act: Act, seat: str, name: Names) -> Iterator[str]:
    its = words_of(system)
    event, holder = act.event, act.part.holder
    if act.change is not None:
        n, change = signed(act.change), changed_by(its, act)
        if holder in state.objects:
            for part in _parts_of_name(state.objects[holder].name):
                yield f"{n} {part}{times(act.part.times)}"
        elif holder != seat and holder in state.seats:
            yield _("%(by_how_much)s, %(whose)s") % {"by_how_much": change, "whose": name(holder)}
            yield f"{n} {name(holder)}"
        for part in _kind_or_noun(its.counted(act.change, act.part.number)):
            yield f"{n} {part}" if part[:1].isalpha() else f"{n} × {part}"
    elif {"from", "seat", "amount"} <= event.keys():
        yield _from_or_to(state, event, seat, name)
    elif event["kind"] == "attributed":
        yield _("from %(who)s") % {"who": name(event["to"])}
    elif act.part.n is not None and (obj := state.objects.get(str(event.get("on")))):
        if word := presentation_of(system).story.undo_words.get(event["kind"]):
            yield f"{act.part.n} {_(word)}{times(act.part.times)}"
        for part in _parts_of_name(obj.name):
            yield f"{act.part.n} {part}{times(act.part.times)}"


def _from_or_to(state: GameState, event: Mapping[str, Any], seat: str, name: Names) -> str:
    """ "5 from Ben" where *seat* was hurt, by a card of Ben’s; "5 to Ben" of another."""
    source = state.objects.get(event["from"])
    if event["seat"] == seat and source:
        return _("%(n)s from %(who)s") % {"n": event["amount"], "who": name(keeper(source))}
    return _("%(n)s to %(whom)s") % {"n": event["amount"], "whom": name(event["seat"])}


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
    """A name, what stands before its comma, its longest word, and what there is room for of it."""
    if not whole:
        return
    yield whole
    first = whole.partition(",")[0]
    yield first
    longest = max(first.split() or [first], key=len)
    yield longest
    yield f"{longest[: ROW - 1]}…"
