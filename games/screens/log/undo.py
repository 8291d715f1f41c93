"""What Undo and Redo would take, and what they took, in a few words.

Phones ask what Undo would take after every few taps, so only the newest entries are read, and their
sentences are made from the state as it is now. The log itself has the numbers of each moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct
from msgspec.structs import replace

from games.models import Entry as Row
from games.models import Game
from games.rules.history import Applied
from games.rules.state import GameState
from games.rules.system import Entry, System
from games.screens.log.lines import LogLine, gestures, sentence_of
from games.screens.log.parts import TIMES, Part, counters, namer, signed, times
from games.screens.log.reading import Log
from games.screens.log.sentences import told
from games.screens.words import IN_BRACES, counted, question, speaking, word_for
from games.store import rows

BRIEF = 14
"""The most characters on the button."""
WINDOW = 200
"""How many entries are read at first to find where a gesture began."""
MOST = 4 * WINDOW
"""How many at most: of taps without end, the newest are taken back, then those before."""
MOST_TOLD = 2
"""How many acts are told; the rest are counted."""

Names = Callable[[str], str]
"""The name of a seat."""


class Act(Struct, frozen=True):
    """What one seat did with one command, or with quick taps on one number.

    event, part: the one that the act is named after. change: by how much it changed the number
    `part.number` of `part.holder`; None if it is not about a number. more: how many other cards
    the same command made.
    """

    by: str
    event: Mapping[str, Any]
    part: Part
    change: int | None
    more: int = 0


class TakenBack(Struct, frozen=True):
    """An undo or a redo as it is told on every screen.

    verb: "undo" or "redo". by: the seat that gave it. title: "Took back". text: what, for example
    "−40 life on Cleo: 0 → 40". entries: the numbers that the opposite command takes back.
    """

    verb: str
    by: str
    title: str
    text: str
    entries: tuple[int, ...]

    @property
    def opposite(self) -> str:
        """The command that reverses it."""
        return "redo" if self.verb == "undo" else "undo"

    @property
    def turned(self) -> str:
        """The entries in the order in which that command goes through them."""
        order = self.entries if self.verb == "undo" else reversed(self.entries)
        return " ".join(map(str, order))


def next_undo_and_redo(game: Game, seat: str) -> dict[str, Any]:
    """What Undo and Redo of *seat* would take now: entries, short words, and long ones.

    Only for games without secrets. Undo takes the newest line of the seat; Redo takes all of the
    newest undo that was this seat's or undid something of it.
    """
    state = rows.state(game)
    names = game.names

    def name(each: str) -> str:
        return names.get(each, each)

    with speaking(game.rules):
        undo = acts(game.rules, state, state, entries := _newest_line(game, state, seat))
        redo = acts(game.rules, state, state, undone := _last_undone(game, seat))
        return {
            "undo": [entry.number for entry in reversed(entries)],
            "undo_short": _briefly(state, undo, seat, name),
            "undo_text": _("Undo: %(what)s") % {"what": _all(state, undo, name)} if undo else "",
            "redo": [entry.number for entry in undone],
            "redo_short": _briefly(state, redo, seat, name),
            "redo_text": _("Redo: %(what)s") % {"what": _all(state, redo, name)} if redo else "",
        }


def next_among(log: Log, seat: str) -> dict[str, Any]:
    """The same from the lines that *seat* may read, in a game with secrets."""
    own = log.game.entries.filter(seat=seat)
    undone = own.filter(undone_by__gt=0).exists()
    undo = next((each for each in log.backwards() if each.by == seat and each.standing), None)
    redo = None
    if undone:
        redo = next((each for each in log.backwards() if each.by == seat and each.undone), None)
    return {
        "undo": list(reversed(undo.entries)) if undo else [],
        "undo_short": _line_briefly(undo) if undo else "",
        "undo_text": _("Undo: %(what)s") % {"what": sentence_of(undo.parts[:MOST_TOLD])}
        if undo
        else "",
        "redo": list(redo.entries) if redo else [],
        "redo_short": _line_briefly(redo) if redo else "",
        "redo_text": _("Redo: %(what)s") % {"what": sentence_of(redo.parts[:MOST_TOLD])}
        if redo
        else "",
    }


def _first(line: LogLine) -> str:
    return sentence_of(line.parts[:MOST_TOLD])


def _line_briefly(line: LogLine) -> str:
    """A line named after what it says first, besides the dice: the number that changed, if any."""
    first = next((each for each in line.parts if not each.aside), line.parts[0])
    if first.before == first.after:
        return fitting([first.text])
    numbers = f"{first.before} → {first.after}"
    return fitting([f"{each} {numbers}" for each in _parts_of_name(first.number)] + [numbers])


def taken_back(system: System, applied: Applied, name: Names) -> Iterator[TakenBack]:
    """What each undo and redo in *applied* took back or brought back."""
    for reversal in applied.reversals:
        undone = reversal.entry.command["do"] == "undo"
        was, now = (applied.before, applied.after) if undone else (applied.after, applied.before)
        done = acts(system, now, was, reversal.of)
        told_acts = [
            _with_doer(_in_numbers(applied, each, name), each, reversal.entry.by, name)
            for each in done[:MOST_TOLD]
        ]
        yield TakenBack(
            "undo" if undone else "redo",
            reversal.entry.by,
            _("Took back") if undone else _("Brought back"),
            _listed(told_acts, len(done)),
            tuple(entry.number for entry in reversal.of),
        )


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
    """What the newest undo undid that was given by *seat* or undid something of it."""
    given = game.entries.filter(seat=seat).values("number")
    concerns = Q(seat=seat) | Q(undone_by__in=given)
    last = game.entries.filter(concerns).aggregate(last=Max("undone_by"))["last"]
    if last is None:
        return []
    return [_entry(row) for row in game.entries.filter(undone_by=last).order_by("number")]


def _entry(row: Row) -> Entry:
    return Entry(row.number, row.seat, row.command_id, row.command, tuple(row.events))


# The words


def acts(
    system: System, before: GameState, after: GameState, entries: Iterable[Entry]
) -> list[Act]:
    """What *entries* did, each named after its first event that no rule made happen.

    before, after: two states that know the objects; the numbers of the parts are not to be shown.
    """
    found: dict[Any, Act] = {}
    for entry in entries:
        act = _act(system, before, after, entry)
        if act is None:
            continue
        key: Any = entry.number
        if act.change is not None:
            key = (act.by, act.part.holder, act.part.number, act.part.times)
        elif act.part.n is not None:
            key = (act.by, act.part.words)
        found[key] = _together(found[key], act) if key in found else act
    return list(found.values())


def _together(first: Act, act: Act) -> Act:
    """Two acts on one number as one."""
    if act.change is not None:
        return replace(act, change=(first.change or 0) + act.change)
    return replace(act, part=replace(act.part, n=(first.part.n or 0) + (act.part.n or 0)))


def _act(system: System, before: GameState, after: GameState, entry: Entry) -> Act | None:
    events = list(told(system, before, after, entry))
    if not events:
        return None
    event, part = next((each for each in events if not each[1].rule), events[0])
    if TIMES in part.words:
        # Those that have become unlike since are told apart by numbers that are not to be shown.
        like = (each for _other, each in events if (each.words, each.n) == (part.words, part.n))
        part = replace(part, times=sum(each.times for each in like))
    change = _change_in(part)
    if event["kind"] == "created":
        made = sum(each.times for other, each in events if other["kind"] == "created")
        return Act(entry.by, event, part, None, made - part.times)
    if event["kind"] == "answered":
        return Act(entry.by, event, _with_outcome(part, events), None)
    if change is None and "amount" in event and "from" not in event:
        # It may say how much without saying of what; what follows on the same holder says that.
        for _later, each in events:
            if (
                each.holder == event.get("on")
                and abs(by := _change_in(each) or 0) == event["amount"]
            ):
                return Act(entry.by, event, each, by)
    return Act(entry.by, event, part, change)


def _with_outcome(answer: Part, events: Iterable[tuple[Mapping[str, Any], Part]]) -> Part:
    """An answer with the numbers that changed by it: "Answered: radiation, Ana: −2 life"."""
    changes = [
        counters(signed(change), each.number)
        for _event, each in events
        if (change := _change_in(each))
    ]
    return replace(answer, words=": ".join(filter(None, (answer.words, ", ".join(changes)))))


def _change_in(part: Part) -> int | None:
    if not part.holder or part.before is None or part.after is None:
        return None
    return part.after - part.before


def _briefly(state: GameState, done: Sequence[Act], seat: str, name: Names) -> str:
    """*done* in at most BRIEF characters."""
    if len(done) > 1:
        return fitting([ngettext("%(n)s line", "%(n)s lines", len(done)) % {"n": len(done)}])
    return fitting(list(_from_long_to_short(state, done[0], seat, name))) if done else ""


def _from_long_to_short(state: GameState, act: Act, seat: str, name: Names) -> Iterator[str]:
    event, holder = act.event, act.part.holder
    if act.change is not None:
        n, change = signed(act.change), _change(act)
        if holder in state.objects:
            for part in _parts_of_name(state.objects[holder].name):
                yield f"{n} {part}{times(act.part.times)}"
        elif holder != seat and holder in state.seats:
            yield _("%(by_how_much)s, %(whose)s") % {"by_how_much": change, "whose": name(holder)}
            yield f"{n} {name(holder)}"
        for part in _parts_of_name(counted(act.change, act.part.number)):
            yield f"{n} {part}" if part[:1].isalpha() else f"{n} × {part}"
    elif {"from", "seat", "amount"} <= event.keys():
        yield _("%(n)s to %(whom)s") % {"n": event["amount"], "whom": name(event["seat"])}
    elif event["kind"] == "turn-began":
        yield _("Turn: %(who)s") % {"who": ", ".join(map(name, event["active"]))}
    elif event["kind"] == "phase-began":
        yield word_for(event["phase"])
    elif event["kind"] in ("answered", "voided"):
        yield question(str(event["prompt"]).partition(":")[0])
    elif event["kind"] == "attributed":
        yield _("from %(whom)s") % {"whom": name(event["to"])}
    elif event["kind"] == "created":
        made = act.more + act.part.times
        for part in _parts_of_name(event["name"]):
            yield f"+ {made} × {part}" if made > 1 else f"+ {part}"
    else:
        yield _named(act.part.text, name)
        if act.part.n is not None and (obj := state.objects.get(str(event.get("on")))):
            for part in _parts_of_name(obj.name):
                yield f"{act.part.n} {part}{times(act.part.times)}"


def _parts_of_name(whole: str) -> Iterator[str]:
    """A name, what stands before its comma, and its longest word."""
    yield whole
    first = whole.partition(",")[0]
    yield first
    yield max(first.split() or [first], key=len)


def fitting(candidates: Sequence[str]) -> str:
    """The first of *candidates* that is short enough; else the last one, cut short."""
    for each in candidates:
        if len(each) <= BRIEF:
            return each
    return candidates[-1][: BRIEF - 1].rstrip(" ,:;(") + "…"


def _all(state: GameState, done: Sequence[Act], name: Names) -> str:
    """*done* in full, each act with the seat that did it: "−3 life, Ben (Ana)"."""
    return _listed([_in_full(state, each, name) for each in done[:MOST_TOLD]], len(done))


def _in_full(state: GameState, act: Act, name: Names) -> str:
    what = _listed([_named(act.part.text, name)], 1 + act.more)
    if act.change is not None:
        whose = _holder_name(state, act, name)
        what = _("%(by_how_much)s, %(whose)s") % {"by_how_much": _change(act), "whose": whose}
    return _("%(what)s (%(who)s)") % {"what": what, "who": name(act.by)}


def _in_numbers(applied: Applied, act: Act, name: Names) -> str:
    """*act* with its number before and after the undo: "−40 life on Cleo: 0 → 40"."""
    if act.change is None:
        return _listed([_named(act.part.text, name)], 1 + act.more)
    states = applied.before, applied.after
    state = next((each for each in states if _has(each, act.part.holder)), applied.before)
    facts = {"by_how_much": _change(act), "whose": _holder_name(state, act, name)}
    what = _("%(by_how_much)s on %(whose)s") % facts
    if not all(_has(each, act.part.holder) for each in states):
        return what
    before, after = (_value(each, act.part.holder, act.part.number) for each in states)
    return f"{what}: {before} → {after}"


def _with_doer(what: str, act: Act, by: str, name: Names) -> str:
    """*what*, with the seat that did it if another seat undid it."""
    return what if act.by == by else _("%(what)s (%(who)s)") % {"what": what, "who": name(act.by)}


def _listed(sentences: Sequence[str], most: int) -> str:
    more = most - len(sentences)
    rest = [ngettext("%(n)s more", "%(n)s more", more) % {"n": more}] if more > 0 else []
    return "; ".join([*sentences, *rest])


def _change(act: Act) -> str:
    return counters(signed(act.change or 0), act.part.number)


def _named(words: str, name: Names) -> str:
    return IN_BRACES.sub(lambda found: name(found[1]), words)


def _holder_name(state: GameState, act: Act, name: Names) -> str:
    return _named(namer(state, state)(act.part.holder), name) + times(act.part.times)


def _has(state: GameState, holder: str) -> bool:
    team = holder.startswith("team:") and holder.removeprefix("team:") in state.teams
    return team or holder in state.seats or holder in state.objects


def _value(state: GameState, holder: str, number: str) -> int:
    """A number of a seat, object or team: a field of its own, or else its counters of that kind."""
    team = state.teams.get(holder.removeprefix("team:")) if holder.startswith("team:") else None
    has = team or state.seats.get(holder) or state.objects.get(holder)
    value = getattr(has, number, None)
    return value if type(value) is int else state.count(holder, number)
