"""The log as people read it: who, what, before and after, and why.

The log is played again from its opening, one entry after another, so that every line shows the
numbers of its own moment, also around an undo. What has been played is kept, and only what is new
is played at the next look.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from django.utils.translation import gettext as _

from games import rows
from games.models import Game
from games.rules.engine import Entry, Rule, System
from games.rules.history import fold, replayed
from games.rules.state import GameState
from games.words import spoken

TOGETHER = timedelta(seconds=3)
"""Taps of one seat on one counter within this time are one line."""
KEPT = 32
"""Games whose lines are kept; the least used goes first."""
IN_BRACES = re.compile(r"\{([a-z0-9-]+)\}")
TAPS = frozenset({"place", "remove", "damage", "gain-life", "lose-life"})


@dataclass(frozen=True, slots=True)
class Part:
    """One fact of a line.

    words: what happened, with "{#}" where its number stands, so that quick taps add up.
    rule: the number that made it happen by itself; why: its words.
    """

    words: str
    n: int | None = None
    before: int | None = None
    after: int | None = None
    rule: str = ""
    why: str = ""

    @property
    def text(self) -> str:
        return self.words.replace("{#}", f"{self.n}")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: an entry, or several taps that are one gesture.

    entries: their numbers. undone: it was taken back. correction: a judge's.
    """

    entries: tuple[int, ...]
    by: str
    name: str
    place: int
    at: datetime
    parts: tuple[Part, ...]
    undone: bool = False
    correction: bool = False
    undoes: bool = False
    note: str = ""
    tap: tuple[Any, ...] | None = None

    @property
    def number(self) -> int:
        return self.entries[-1]

    @property
    def turned(self) -> str:
        """Its entries in the order in which taking back, or giving back, goes through them."""
        order = self.entries if self.undone else reversed(self.entries)
        return " ".join(map(str, order))


@dataclass(slots=True)
class _Played:
    """How far a log has been played: the state after `number`, and what was undone by then."""

    state: GameState
    number: int = 0
    undone: set[int] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    parts: dict[int, tuple[Part, ...]] = field(default_factory=dict)
    at: dict[int, datetime] = field(default_factory=dict)


_games: OrderedDict[int, _Played] = OrderedDict()
_lock = Lock()


def lines(game: Game, seat: str | None) -> list[Line]:
    """The log of *game*, the oldest first, as far as *seat* may see it."""
    system = game.rules
    with _lock:
        played = _games.pop(game.pk, None) or _Played(rows.opening(game))
        _games[game.pk] = played
        if len(_games) > KEPT:
            _games.popitem(last=False)
        _play_on(game, system, played)
        visible = _visible(system, played, seat)
        names = dict(game.seats.values_list("key", "name"))
        return list(_grouped(_line(played, entry, names, visible) for entry in played.entries))


def _play_on(game: Game, system: System, played: _Played) -> None:
    stored = game.entries.filter(number__gt=played.number).order_by("number")
    for row in stored:
        entry = Entry(row.number, row.seat, row.command_id, row.command, tuple(row.events))
        before = played.state
        _follow(game, system, played, entry)
        played.parts[entry.number] = tuple(_parts(system, before, played.state, entry))
        played.at[entry.number] = row.at
        played.number = entry.number


def _follow(game: Game, system: System, played: _Played, entry: Entry) -> None:
    """Bring the state to where it was after *entry*."""
    played.entries.append(entry)
    turned = next((each for each in entry.events if each["kind"] in ("undone", "redone")), None)
    if turned is None:
        played.state = replayed(system, played.state, entry)
        return
    of = turned["of"]
    if turned["kind"] == "undone":
        played.undone.add(of)
    else:
        played.undone.discard(of)
    standing = [each for each in played.entries if each.number not in played.undone]
    played.state = fold(system, rows.opening(game), standing)


def _visible(system: System, played: _Played, seat: str | None) -> set[int] | None:
    """The entries of which *seat* may read; None where nobody has secrets."""
    if system.view is None:
        return None
    if seat is None:
        return set()
    seen = system.view(system, played.state, seat, played.entries)
    return {event["entry"] for event in seen.get("log", ())}


def _line(
    played: _Played, entry: Entry, names: Mapping[str, str], visible: set[int] | None
) -> Line:
    hidden = visible is not None and entry.number not in visible
    command = entry.command
    return Line(
        entries=(entry.number,),
        by=entry.by,
        name=names.get(entry.by, entry.by),
        place=list(names).index(entry.by) + 1 if entry.by in names else 0,
        at=played.at[entry.number],
        parts=() if hidden else _named(played.parts[entry.number], names),
        undone=entry.number in played.undone,
        correction=command["do"] == "correct",
        undoes=command["do"] in ("undo", "redo"),
        note="" if hidden else command.get("note", ""),
        tap=_tap(entry),
    )


def _named(parts: Sequence[Part], names: Mapping[str, str]) -> tuple[Part, ...]:
    """Seats' ids in braces become their names at the last moment, for names change."""

    def name(found: re.Match[str]) -> str:
        return names.get(found[1], found[0])

    return tuple(replace(part, words=IN_BRACES.sub(name, part.words)) for part in parts)


def _tap(entry: Entry) -> tuple[Any, ...] | None:
    """What makes two entries one gesture; None for what stands alone."""
    command = entry.command
    if command["do"] not in TAPS:
        return None
    on = command.get("on") or command.get("seat")
    if not isinstance(on, str) or "note" in command:
        return None
    return entry.by, on, command.get("counter"), command["do"] == "damage"


def _grouped(all_lines: Iterator[Line]) -> Iterator[Line]:
    """Quick taps of one seat on one counter as one line, from the first number to the last."""
    last: Line | None = None
    for line in all_lines:
        if last and _together(last, line):
            last = replace(
                last,
                entries=(*last.entries, *line.entries),
                at=line.at,
                parts=_joined(last.parts, line.parts),
            )
        else:
            if last and (last.parts or last.undoes):
                yield last
            last = line
    if last and (last.parts or last.undoes):
        yield last


def _together(last: Line, line: Line) -> bool:
    return (
        line.tap is not None
        and last.tap == line.tap
        and last.undone == line.undone
        and line.at - last.at <= TOGETHER
        and [(part.words, part.rule) for part in last.parts]
        == [(part.words, part.rule) for part in line.parts]
    )


def _joined(first: tuple[Part, ...], second: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(
        replace(later, before=part.before, n=None if later.n is None else (part.n or 0) + later.n)
        for part, later in zip(first, second, strict=True)
    )


def turned_back_next(all_lines: Sequence[Line], seat: str) -> dict[str, Any]:
    """The entries that Undo and Redo of *seat* mean: its own newest line, its own undone last."""
    undo = next((each for each in reversed(all_lines) if each.by == seat and _standing(each)), None)
    redo = next((each for each in reversed(all_lines) if each.by == seat and each.undone), None)
    return {
        "undo": list(reversed(undo.entries)) if undo else [],
        "undo_text": said(undo) if undo else "",
        "redo": list(redo.entries) if redo else [],
        "redo_text": said(redo) if redo else "",
    }


def _standing(line: Line) -> bool:
    return not line.undone and not line.undoes


def said(line: Line) -> str:
    """A line as one sentence."""
    return "; ".join(
        f"{part.text} {part.before} → {part.after}" if part.after is not None else part.text
        for part in line.parts[:2]
    )


# The words of each fact


def _parts(system: System, before: GameState, after: GameState, entry: Entry) -> Iterator[Part]:
    counts: dict[tuple[str, str], int] = {}

    def held(holder: str, kind: str) -> int:
        return counts.setdefault((holder, kind), before.count(holder, kind))

    for event in entry.events:
        number = event.get("rule", "")
        rule: Rule | None = system.rules.get(number)
        part = _part(before, after, event, held, counts)
        source = entry.command.get("source")
        if part and source and event["kind"] == "placed" and not number:
            by = _naming(before, after)(source)
            part = replace(part, words=_("%(what)s, by %(by)s") % {"what": part.words, "by": by})
        if part:
            yield replace(part, rule=number, why=rule.text if rule else "")
    if not entry.events:
        yield Part(_("nothing happened"))


def _part(
    before: GameState, after: GameState, event: Mapping[str, Any], held: Any, counts: Any
) -> Part | None:
    kind = event["kind"]
    name = _naming(before, after)
    if kind in ("placed", "removed", "spent"):
        key = (_holder(event), event["counter"])
        was = held(*key)
        now = was + event["amount"] if kind == "placed" else was - event["amount"]
        counts[key] = now
        words = {
            "placed": _("+%(n)s %(kind)s on %(on)s"),
            "removed": _("−%(n)s %(kind)s off %(on)s"),
            "spent": _("%(n)s %(kind)s of %(on)s spent"),
        }[kind]
        text = words % {"n": "{#}", "kind": event["counter"], "on": name(event["on"])}
        return Part(text, event["amount"], was, now)
    if kind in LIFE:
        return _life(before, event, counts, name)
    if kind == "marked":
        return Part(_marked(event, name))
    if kind == "flipped":
        down, up = _("%(object)s: face down"), _("%(object)s: face up")
        return Part((down if event["face_down"] else up) % _Said(event, name))
    if kind == "kind-opened":
        opened, bound = _("%(counter)s: on any card"), _("%(counter)s: only where a card says so")
        return Part((opened if event["open"] else bound) % event)
    if kind == "corrected":
        dealt = _("damage by %(by)s") % {"by": name(event.get("commander", ""))}
        what = dealt if "commander" in event else event.get("counter", "life")
        counts[event["on"], what] = event["to"]
        text = _("%(kind)s on %(on)s corrected") % {"kind": what, "on": name(event["on"])}
        return Part(text, None, event.get("from"), event["to"])
    if kind == "moved":
        for each in list(before.on(event["object"])):
            counts[event["object"], each] = 0
        return Part(_moved(event, name))
    sentence = SENTENCES.get(kind)
    if sentence is None:
        return Part(_plainly(event, name))
    if not sentence:
        return None
    n = event.get("amount")
    return Part(_(sentence) % _Said({**event, "amount": "{#}"}, name), n)


LIFE = {"life-lost": -1, "life-gained": 1}


def _life(before: GameState, event: Mapping[str, Any], counts: Any, name: Any) -> Part:
    """Life goes up or down, a player's own or a team's, also twice in one entry."""
    seat, team, n = event["seat"], event.get("team"), event["amount"]
    holder = before.teams.get(team) if team else before.seats.get(seat)
    key = (f"team:{team}" if team else seat, "life")
    was = counts.setdefault(key, getattr(holder, "life", 0))
    now = counts[key] = was + LIFE[event["kind"]] * n
    words = {
        "life-lost": _("%(who)s lost %(n)s life"),
        "life-gained": _("%(who)s gained %(n)s life"),
    }[event["kind"]]
    text = words % {"who": name(seat), "n": "{#}"}
    causes = {"radiation": _("radiation"), "commander": _("a commander"), "cost": _("as a cost")}
    cause = event.get("cause")
    return Part(f"{text} ({causes.get(cause, cause)})" if cause else text, n, was, now)


def _marked(event: Mapping[str, Any], name: Any) -> str:
    """A mark was made, taken away, or set to a number."""
    words = {True: _("%(on)s: %(mark)s"), False: _("%(on)s: no longer %(mark)s")}
    value = event["value"]
    sentence = words[value] if type(value) is bool else _("%(on)s: %(mark)s %(value)s")
    return sentence % _Said(event, name)


def _holder(event: Mapping[str, Any]) -> str:
    """Who has the counters of *event*: the team, where a seat shares them."""
    return f"team:{event['team']}" if "team" in event else event["on"]


def _naming(before: GameState, after: GameState) -> Any:
    def name(each: Any) -> str:
        if isinstance(each, list):
            return ", ".join(name(one) for one in each)
        thing = after.objects.get(each) or before.objects.get(each)
        if thing:
            return thing.name.replace("{", "(").replace("}", ")")
        return "{" + each + "}" if each in after.seats else str(each)

    return name


def _moved(event: Mapping[str, Any], name: Any) -> str:
    words = {
        "moved": _("%(object)s: %(from)s → %(to)s"),
        "died": _("%(object)s died → %(to)s"),
        "destroyed": _("%(object)s was destroyed → %(to)s"),
        "sacrificed": _("%(object)s was sacrificed → %(to)s"),
    }
    text = words.get(event["how"], words["moved"]) % _Said(event, name)
    lost = ", ".join(f"{n} {kind}" for kind, n in event.get("had", {}).items())
    return f"{text} ({_('lost')} {lost})" if lost else text


class _Said(dict[str, Any]):
    """An event's fields for a sentence, with names in place of ids."""

    NAMES = frozenset({"object", "on", "seat", "champion", "to", "from", "active"})
    SPOKEN = frozenset({"zone", "phase", "mark"})

    def __init__(self, event: Mapping[str, Any], name: Any) -> None:
        super().__init__(event)
        self._name = name

    def __getitem__(self, key: str) -> Any:
        value = self.get(key, "")
        if key in self.SPOKEN:
            return spoken(value)
        if key == "prompt":
            kind, _colon, about = str(value).partition(":")
            return f"{spoken(kind)}, {self._name(about.partition('#')[0])}"
        return self._name(value) if key in self.NAMES and value else value


SENTENCES: Mapping[str, str] = {
    "created": "%(name)s (new) → %(zone)s",
    "controlled": "%(object)s: %(from)s → %(to)s",
    "turn-began": "Turn of %(active)s",
    "phase-began": "Phase: %(phase)s",
    "prompted": "Waiting: %(prompt)s",
    "answered": "Answered: %(prompt)s",
    "voided": "Negated: %(prompt)s",
    "lost": "%(seat)s lost",
    "ended": "The game ended: %(result)s",
    "undone": "Took back line %(of)s",
    "redone": "Gave back line %(of)s",
    "damaged": "%(amount)s damage to %(on)s",
    "recovered": "%(champion)s recovered %(amount)s",
    "defeated": "%(object)s is defeated",
    "drew": "%(seat)s drew %(amount)s",
    "reserved": "%(seat)s paid %(amount)s reserve",
    "leveled": "%(object)s is level %(level)s with %(life)s life",
    "transformed": "%(object)s was changed",
    "changed": "%(object)s: power and life changed",
    "permitted": "%(object)s may hold %(counter)s",
    "revoked": "%(object)s may not hold %(counter)s any more",
    "registered": "%(object)s: +%(amount)s %(counter)s when a Spell resolves",
    "watched": "%(object)s: told at %(at)s %(counter)s",
    "spell-resolved": "A Spell resolved",
    "threshold-reached": "%(on)s has reached %(threshold)s %(counter)s",
    "commander-damaged": "%(from)s dealt %(amount)s combat damage to %(seat)s: %(total)s in all",
    "milled": "%(seat)s milled %(amount)s of %(due)s",
    "nonland-milled": "%(amount)s of them no lands, in one batch",
    "left": "%(seat)s left the game",
    "restarted": "The game begins anew",
    "turn-ended": "",
    "had-champion": "",
}


def _plainly(event: Mapping[str, Any], name: Any) -> str:
    """A fact that has no sentence yet, in the rules' own words."""
    said = _Said(event, name)
    rest = [f"{key} {said[key]}" for key in event if key not in ("kind", "entry", "rule")]
    return " ".join([event["kind"].replace("-", " "), ", ".join(rest)]).strip()
