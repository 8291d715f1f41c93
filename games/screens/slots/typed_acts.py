"""An act in a typed line: "sailor 2 -9", "ana ben -8", "goblin 3 -7/2", "@dan prone 2".

Names come first: a counter's, or words of it, their beginnings, or its type ("@ana hp"); or a
player's, with "@" or without, which alone means the one that stands large; "all" means all
players', "all goblin" or "goblins" every goblin; a player's or the table's number by its word
("@ana silver"). Then a sign and a number or dice, thrown once for all when the line is given, "/2"
for half of it, rounded down, with "temp" for temporary slots; "=" and the number that it is to
read, or that and its most ("31/38"); a condition and its turns; or "init" and a number. Any other
line makes a counter (games.systems.typed_line).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec import Struct

from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.slots import layout, view_models, words
from games.screens.slots.typed import Preview
from games.screens.words import Words
from games.systems.slot_counters import SlotBoard
from games.systems.typed_line import Fall, dice_of, folded, singular
from games.tracks.counter import Counter, game_master, protagonists

_CHANGE = re.compile(r"([+−-]) ?(\d*d\d+(?:[+−-]\d{1,3})?|\d{1,4})(/2)?( temp)?", re.ASCII)
_OF = re.compile(r"(?:= ?)?(\d{1,4}) ?/ ?(\d{1,4})", re.ASCII)
_EXACTLY = re.compile(r"= ?([−-]?)(\d{1,4})", re.ASCII)
_TURN = re.compile(r"init ([+−-]?)(\d{1,2})", re.ASCII)
_ROUNDS = re.compile(r"(.+?)(?: (\d{1,2}))?", re.ASCII)
MOST_THROWN = 9999


class Number(Struct, frozen=True):
    """A number of a player or of the table, as an act may name it: silver, armor class."""

    holder: str
    kind: str
    name: str
    owner: str | None

    @property
    def id(self) -> str:
        return f"{self.holder}.{self.kind}"


class Typist(Struct, frozen=True):
    """Who types a line, at what table. fall: what the dice of a line show."""

    its: Words
    system: System
    state: GameState
    seat: str
    names: Mapping[str, str]
    fall: Fall

    def numbers(self) -> Iterator[Number]:
        """The numbers that a line may change."""
        board = self.its.own.board
        assert isinstance(board, SlotBoard)
        for each in board.counted(self.system, self.state, self.seat):
            if (
                each.holder not in self.state.objects
                and each.holder not in self.state.slot_counters
            ):
                owner = each.holder if each.holder in self.state.seats else None
                for number in each.numbers:
                    name = self.its.kind(number.kind)
                    yield Number(each.holder, number.kind, name, owner)


def read_act(at: Typist, line: str) -> dict[str, Any] | None:
    """The command that *line* is; None if it is no act. Raises Refused if it may mean several."""
    for said, act in _acts(at, line):
        if found := _all_called(at, said):
            steps = [step for each in found for step in _of(at, each, act)]
            return {"do": "together", "steps": steps} if len(steps) > 1 else steps[0]
    return None


def _acts(at: Typist, line: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The ways to read *line* as an act: the words of whom it is on, and what is done."""
    said = _said(line)
    for n in range(1, len(said)):
        if act := _act(at, " ".join(said[n:])):
            yield said[:n], act


def _said(line: str) -> list[str]:
    return folded(line).replace("=", " = ").replace(",", " ").split()


def refuse_nobodys(at: Typist, line: str) -> None:
    """Refuse an act on what is not there."""
    for said, _act_on_it in _acts(at, line):
        raise Refused("unknown", _("No one here is called {name}."), name=" ".join(said))


def setting(at: Typist, line: str) -> Preview | None:
    """The ways to change what *line* names by the number at its end; None if it names no one's."""
    said, _space, number = " ".join(line.split()).rpartition(" ")
    if not (number.isascii() and number.isdecimal()):
        return None
    if not _owner(at, folded(said))[0] or len(_called(at, folded(said))) != 1:
        return None
    ways = tuple(f"{said} {sign}{int(number)}" for sign in ("-", "+", "= "))
    return Preview({}, (_("Less or more?"), *ways), False, True, "", ways=ways)


def _owner(at: Typist, name: str) -> tuple[str, str]:
    """The seat that *name* begins with, "" if with none, and the rest of it."""
    who, _space, rest = name.removeprefix("@").partition(" ")
    seats = {folded(called).replace(" ", ""): each for each, called in at.names.items()}
    owner = seats.get(who, who)
    return (owner, rest) if owner in at.state.seats else ("", name)


def _act(at: Typist, said: str) -> dict[str, Any] | None:
    if change := _CHANGE.fullmatch(said):
        sign, digits, half, temporary = change.groups()
        do = "add-temporary" if temporary else "more" if sign == "+" else "less"
        thrown = dice_of(digits)
        count = thrown.total(at.fall, 1, MOST_THROWN) if thrown else int(digits)
        if half and count < 2:
            raise Refused("invalid", _("Half of {n} is nothing."), n=count)
        return {"do": do, "slots": count // 2 if half else count}
    if of := _OF.fullmatch(said):
        return {"do": "becomes", "slots": int(of[1]), "of": int(of[2])}
    if exactly := _EXACTLY.fullmatch(said):
        return {"do": "becomes", "slots": int(exactly[2]) * (-1 if exactly[1] else 1)}
    slots = at.its.slots
    if slots.turns and (turn := _TURN.fullmatch(said)):
        sign, digits = turn.groups()
        if sign:
            return {"do": "edit", "bonus": int(f"{sign}{digits}".replace("−", "-"))}
        return {"do": "edit", "initiative": int(digits)}
    named = _ROUNDS.fullmatch(said)
    for name, rounds, good in slots.conditions if named else ():
        if named and named[1] in (folded(name), folded(at.its.said(name))):
            lasts = int(named[2]) if named[2] else rounds
            given = {"do": "afflict", "name": name, "good": good}
            return {**given, "rounds": lasts} if lasts else given
    return None


def _of(at: Typist, counter: Counter | Number, act: dict[str, Any]) -> list[dict[str, Any]]:
    """The commands of *act* on *counter*. A resource is filled by "less": filling it uses it up."""
    if isinstance(counter, Number):
        return [_counted(at, counter, act)]
    if "of" in act:
        leads = game_master(at.state, at.seat)
        return becomes_of(counter, act["slots"], act["of"], leads=leads)
    if act["do"] == "becomes":
        act = _becomes(counter, act["slots"])
    elif act["do"] == "add-temporary":
        _refuse_beyond(counter, act["slots"])
    elif act["do"] in ("more", "less"):
        fills = (act["do"] == "more") is not counter.resource
        act = {**act, "do": "fill" if fills else "clear"}
    return [{**act, "on": counter.id}]


def _counted(at: Typist, number: Number, act: dict[str, Any]) -> dict[str, Any]:
    """The command of *act* on a number. Raises Refused if there is none, or nothing to change."""
    by = {"more": act.get("slots", 0), "less": -act.get("slots", 0)}.get(act["do"])
    if act["do"] == "becomes" and "of" not in act:
        by = act["slots"] - at.state.count(number.holder, number.kind)
        if not by:
            raise Refused(
                "invalid", _("{name} is at {n} already."), name=number.name, n=act["slots"]
            )
    if by is None:
        raise Refused("invalid", _("{name} is a number: “+10”, “-10” or “= 10”."), name=number.name)
    do = "place" if by > 0 else "remove"
    return {"do": do, "on": number.holder, "counter": number.kind, "amount": abs(by)}


def becomes_of(counter: Counter, read: int, top: int, *, leads: bool) -> list[dict[str, Any]]:
    """What makes that counter read *read* of *top*. A GM sets what there is less of, so that no
    rule takes it for a hit; what is regained is, so that who was down gets up.
    """
    if not counter.least <= read <= top or top <= counter.least:
        sentence = _("{name} cannot be {read} of {top}.")
        raise Refused("invalid", sentence, name=counter.name, read=read, top=top)
    slots = (top - counter.least) * counter.parts
    left = (read - counter.least) * counter.parts
    filled = slots - left if counter.resource else left
    was = min(counter.filled, slots)
    sets = leads and not (counter.resource and filled < was)
    if sets:
        change = {"do": "correct", "filled": filled}
    else:
        change = {"do": "fill" if filled > was else "clear", "slots": abs(filled - was)}
    steps = [{"do": "edit", "slots": slots}] if slots != counter.slots else []
    if filled != was:
        steps.insert(0 if slots < counter.slots and sets else len(steps), change)
    if not steps:
        raise Refused("invalid", _("{name} is at {n} already."), name=counter.name, n=read)
    return [{**step, "on": counter.id} for step in steps]


def _refuse_beyond(counter: Counter, temporary: int) -> None:
    """Refuse more temporary slots than there is room for: a line does what it says, or nothing."""
    room = counter.most - counter.slots - counter.temporary
    if temporary > room:
        sentence = _("{name} has room for {n} temporary {n|slot|slots}.")
        raise Refused("over-maximum", sentence, name=counter.name, n=max(0, room))


def _becomes(counter: Counter, read: int) -> dict[str, Any]:
    """What makes that counter read *read*. Raises Refused if it cannot, or does already."""
    top, name = counter.top, counter.name
    if not counter.least <= read <= top:
        sentence = _("{name} goes from {least} to {most}.")
        if read > top:
            sentence = _("{name} goes up to {most}. To make it larger, type “{read}/{read}”.")
        raise Refused("invalid", sentence, name=name, least=counter.least, most=top, read=read)
    left = (read - counter.least) * counter.parts
    filled = counter.slots - left if counter.resource else left
    if filled > counter.filled:  # what is temporary goes first
        return {"do": "fill", "slots": filled - counter.filled + counter.temporary}
    if filled < counter.filled:
        return {"do": "clear", "slots": counter.filled - filled}
    raise Refused("invalid", _("{name} is at {n} already."), name=name, n=read)


def _all_called(at: Typist, said: Sequence[str]) -> Sequence[Counter | Number]:
    """What is meant by the words *said*. Raises Refused if that is not plain."""
    whole = " ".join(said)
    found = _called(at, whole)
    if len(found) == 1:
        return found
    # Translators: in a typed line: "all -8" is each player, "all goblin -8" each goblin.
    if said[0] in ("all", folded(pgettext("players", "all"))):
        if each_of := " ".join(said[1:]):
            return _each_called(at, each_of)
        return [each for who in protagonists(at.state) for each in _called(at, f"@{who}")]
    if found:
        called = (at.names.get(each.owner or "", each.name) for each in found)
        sentence = _("Several are called “{name}”: {names}. For each of them, type “all {name}”.")
        raise Refused("invalid", sentence, name=whole, names=", ".join(dict.fromkeys(called)))
    if several := _each_called(at, whole):
        return several
    whose = [*takewhile(lambda word: _owner(at, word)[0], said)]
    what = " ".join(said[len(whose) :])
    if len(whose) > 1 and (each_one := [e for who in whose for e in _called(at, f"{who} {what}")]):
        return each_one
    for n in range(len(said) - 1, 0, -1):
        first = _called(at, " ".join(said[:n]))
        if len(first) == 1 and (rest := _all_called(at, said[n:])):
            return [*first, *(each for each in rest if each.id != first[0].id)]
    return []


def _each_called(at: Typist, name: str) -> Sequence[Counter | Number]:
    """Those that are called *name*, or that and a number ("goblin", "goblin 2"), else all that it
    may mean; *name* may be their plural.
    """
    for one in dict.fromkeys((name, singular(name))):
        numbered = re.compile(rf"{re.escape(one)}( \d+)?", re.ASCII)
        there = view_models.choices(at.its, at.state, at.seat)
        if alike := [each for each in there if numbered.fullmatch(folded(each.name))]:
            return [each for each in alike if not each.resolved]
        if several := _called(at, one):
            return several
    return []


def _called(at: Typist, name: str) -> Sequence[Counter | Number]:
    """The counters that are offered and may be meant by *name*, else the numbers."""
    its, state = at.its, at.state
    there = [each for each in view_models.choices(its, state, at.seat) if not each.resolved]
    if exact := [each for each in there if folded(each.name) == name]:
        return exact
    owner, rest = _owner(at, name)
    if owner and not rest:
        hero = layout.hero(its, state, owner)
        return [each for each in there if hero is not None and each.id == hero.id]
    if owner:
        there, name = [each for each in there if each.owner == owner], rest
    elif name.startswith("@"):
        return []
    named = {each.id: f" {folded(each.name)} " for each in there}
    tries = (
        lambda each: named[each.id] == f" {name} ",
        lambda each: f" {name} " in named[each.id],
        lambda each: name in (folded(each.type), folded(view_models.type_word(its, each))),
        lambda each: f" {name}" in named[each.id],
    )
    if found := next(filter(None, ([*filter(fits, there)] for fits in tries)), None):
        return found
    kinds = [each for each in at.numbers() if not owner or each.owner == owner]
    return [each for each in kinds if name in (folded(each.kind), folded(each.name))]


def preview(at: Typist, after: GameState, command: dict[str, Any], line: str) -> Preview:
    """What *command*, which *line* says, would change; *after* is the state then."""
    steps = {each["on"]: each for each in command.get("steps", [command])}
    tracks = [each for key in steps if isinstance(each := after.slot_counters.get(key), Counter)]
    said, thrown = _done(at, tracks, [*steps.values()][-1], line)
    if len(steps) > 1:
        condition = next(iter(steps.values())).get("name", "")
        what = f", {at.its.said(condition)}" if condition else ""
        parts = [
            f"{owner or name} {_change(at, after, each, thrown)}{what}"
            for each in steps.values()
            for owner, name in [_named(at, after, each)]
        ]
    else:
        parts = _one(at, after, [*steps.values()][-1], thrown)
    seen = len(tracks) < len(steps) or any(each.visibility != "hidden" for each in tracks)
    return Preview(command, tuple(parts), seen, False, "", act=said)


def _done(
    at: Typist, tracks: Sequence[Counter], step: Mapping[str, Any], line: str
) -> tuple[str, bool]:
    """What is done in the players' word: hit points are hit and healed. And whether dice decide by
    how much: they are thrown when the line is given."""
    said = _said(line)
    changes = (_CHANGE.fullmatch(" ".join(said[n:])) for n in range(1, len(said)))
    change = next(filter(None, changes), None)
    thrown = change is not None and dice_of(change[2]) is not None
    n = f"{change[2]}{change[3] or ''}" if change and thrown else str(step.get("slots", ""))
    hurt = tracks and all(each.resource and getattr(each, "word", "") for each in tracks)
    verbs = {"fill": _("Hit {n}"), "clear": _("Heal {n}")} if hurt else {}
    if step["do"] in verbs:
        return verbs[step["do"]].format(n=n), thrown
    return f"{change[1]}{n}" if change and thrown else "", thrown


def _named(at: Typist, after: GameState, step: Mapping[str, Any]) -> tuple[str, str]:
    """Whose that is which *step* changes, and its name."""
    track = after.slot_counters.get(step["on"])
    if isinstance(track, Counter):
        return at.names.get(track.owner or "", ""), track.name
    return at.names.get(step["on"], ""), at.its.kind(step["counter"])


def _change(at: Typist, after: GameState, step: Mapping[str, Any], thrown: bool) -> str:
    """What is read of it before and after; with dice, before."""
    was, has = (_reading(state, step) for state in (at.state, after))
    return was if thrown else f"{was} → {has}"


def _reading(state: GameState, step: Mapping[str, Any]) -> str:
    track = state.slot_counters.get(step["on"])
    if isinstance(track, Counter):
        return words.reading(track)
    return str(state.count(step["on"], step["counter"]))


def _one(at: Typist, after: GameState, step: Mapping[str, Any], thrown: bool) -> list[str]:
    """What changes on the only one."""
    parts, has = (
        [", ".join(filter(None, _named(at, after, step)))],
        after.slot_counters.get(step["on"]),
    )
    if step["do"] == "afflict":
        turns = f", {step['rounds']}" if "rounds" in step else ""
        parts.append(f"{at.its.said(step['name'])}{turns}")
    elif "initiative" in step:
        parts.append(_("initiative %(n)s") % {"n": step["initiative"]})
    elif "bonus" in step:
        parts.append(_("initiative %(n)s") % {"n": f"d20{step['bonus']:+}"})
    elif step["do"] == "add-temporary" and isinstance(has, Counter):
        parts.append(_("+%(n)s temp") % {"n": has.temporary})
    else:
        parts.append(_change(at, after, step, thrown))
    known = isinstance(has, Counter) and has.visibility == "known" and not thrown
    if known and (word := getattr(has, "word", "")):
        parts.append(_("players read “%(word)s”") % {"word": at.its.said(word)})
    return parts
