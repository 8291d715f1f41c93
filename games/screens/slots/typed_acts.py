"""An act in a typed line: "sailor 2 -9", "@ben stress +2", "@dan prone 2", "@ana init 17".

A name comes first: a counter's, or words of it, their beginnings, or its type ("@ana hp"); or "@"
and a player's, which alone means the one that stands large. Then a sign and a number, with "temp"
for temporary slots; "=" and the number that it is to read; a condition and its turns; or "init" and
a number. Any other line makes a counter (games.systems.typed_line).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.rules.slots.counter import Counter, counter_in
from games.rules.state import GameState, Refused
from games.screens.slots import layout, view_models, words
from games.screens.slots.current_game import its
from games.screens.slots.typed import Preview
from games.systems.typed_line import folded

_CHANGE = re.compile(r"([+−-]) ?(\d{1,4})( temp)?", re.ASCII)
_EXACTLY = re.compile(r"= ?([−-]?)(\d{1,4})", re.ASCII)
_TURN = re.compile(r"init (\d{1,2})", re.ASCII)
_ROUNDS = re.compile(r"(.+?)(?: (\d{1,2}))?", re.ASCII)


def read_act(
    line: str, state: GameState, seat: str, names: Mapping[str, str]
) -> dict[str, Any] | None:
    """The command that *line* is; None if it is no act. Raises Refused if it may mean several."""
    said = folded(line).replace("=", " = ").split()
    for at in range(1, len(said)):
        act = _act(" ".join(said[at:]))
        if act is None:
            continue
        found = _called(" ".join(said[:at]), state, seat, names)
        if len(found) > 1:
            sentence = _("Several counters are called “{name}”.")
            raise Refused("invalid", sentence, name=" ".join(line.split()[:at]))
        if found:
            return {**_of(found[0], act), "on": found[0].id}
    return None


def setting(line: str, state: GameState, seat: str, names: Mapping[str, str]) -> Refused | None:
    """How to set the counter that *line* names to the number at its end; None if it names none."""
    said, _space, number = " ".join(line.split()).rpartition(" ")
    if not said.startswith("@") or not (number.isascii() and number.isdecimal()):
        return None
    if len(_called(folded(said), state, seat, names)) != 1:
        return None
    sentence = _("To set it, type “{name} = {n}”.")
    return Refused("invalid", sentence, name=said, n=int(number))


def _act(said: str) -> dict[str, Any] | None:
    if change := _CHANGE.fullmatch(said):
        sign, digits, temporary = change.groups()
        do = "add-temporary" if temporary else "more" if sign == "+" else "less"
        return {"do": do, "slots": int(digits)}
    if exactly := _EXACTLY.fullmatch(said):
        return {"do": "becomes", "slots": int(exactly[2]) * (-1 if exactly[1] else 1)}
    if its().turns and (turn := _TURN.fullmatch(said)):
        return {"do": "edit", "initiative": int(turn[1])}
    named = _ROUNDS.fullmatch(said)
    for name, rounds, good in its().conditions if named else ():
        if named and named[1] in (folded(name), folded(_(name))):
            lasts = int(named[2]) if named[2] else rounds
            given = {"do": "afflict", "name": name, "good": good}
            return {**given, "rounds": lasts} if lasts else given
    return None


def _of(counter: Counter, act: dict[str, Any]) -> dict[str, Any]:
    """The command of *act* on *counter*. A resource is filled by "less": filling it uses it up."""
    if act["do"] == "becomes":
        return _becomes(counter, act["slots"])
    if act["do"] == "add-temporary":
        _refuse_beyond(counter, act["slots"])
    if act["do"] not in ("more", "less"):
        return act
    fills = (act["do"] == "more") is not counter.resource
    return {**act, "do": "fill" if fills else "clear"}


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
            sentence = _("{name} goes up to {most}. Tap it, then Change it, to make it larger.")
        raise Refused("invalid", sentence, name=name, least=counter.least, most=top)
    left = (read - counter.least) * counter.parts
    filled = counter.slots - left if counter.resource else left
    if filled > counter.filled:  # what is temporary goes first
        return {"do": "fill", "slots": filled - counter.filled + counter.temporary}
    if filled < counter.filled:
        return {"do": "clear", "slots": counter.filled - filled}
    raise Refused("invalid", _("{name} is at {n} already."), name=name, n=read)


def _called(name: str, state: GameState, seat: str, names: Mapping[str, str]) -> list[Counter]:
    """The counters that *seat* is offered and may mean by *name*."""
    there = [each for each in view_models.choices(state, seat) if not each.resolved]
    if name.startswith("@"):
        who, _space, name = name[1:].partition(" ")
        seats = {folded(called).replace(" ", ""): each for each, called in names.items()}
        owner = seats.get(who, who)
        if not name:
            hero = layout.hero(state, owner) if owner in state.seats else None
            return [each for each in there if hero is not None and each.id == hero.id]
        there = [each for each in there if each.owner == owner]
    named = {each.id: f" {folded(each.name)} " for each in there}
    tries = (
        lambda each: named[each.id] == f" {name} ",
        lambda each: f" {name} " in named[each.id],
        lambda each: name in (folded(each.type), folded(view_models.type_word(each))),
        lambda each: f" {name}" in named[each.id],
    )
    return next(filter(None, ([*filter(fits, there)] for fits in tries)), [])


def preview(
    before: GameState, after: GameState, command: dict[str, Any], names: Mapping[str, str]
) -> Preview:
    """What *command*, which leads from one state to the other, would change."""
    was, has = (counter_in(state, command["on"]) for state in (before, after))
    owner = names.get(has.owner or "")
    parts = [f"{owner}, {has.name}" if owner else has.name]
    if command["do"] == "afflict":
        turns = f", {command['rounds']}" if "rounds" in command else ""
        parts.append(f"{_(command['name'])}{turns}")
    elif command["do"] == "edit":
        parts.append(_("initiative %(n)s") % {"n": command["initiative"]})
    elif command["do"] == "add-temporary":
        parts.append(_("+%(n)s temp") % {"n": has.temporary})
    else:
        parts.append(f"{words.reading(was)} → {words.reading(has)}")
    if has.visibility == "known" and (word := getattr(has, "word", "")):
        parts.append(_("players read “%(word)s”") % {"word": _(word)})
    return Preview(command, tuple(parts), has.visibility != "hidden", False, "")
