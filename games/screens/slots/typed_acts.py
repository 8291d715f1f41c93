"""An act in a typed line: "sailor 2 -9", "ana ben -8", "goblin 3 -7/2", "@dan prone 2".

Names come first: a counter's, or words of it, their beginnings, or its type ("@ana hp"); or a
player's, with "@" or without, which alone means the one that stands large; "all" means all
players', "all goblin" or "goblins" every goblin. Then a sign and a number, "/2" for half of it,
rounded down, with "temp" for temporary slots; "=" and the number that it is to read, or that and
its most ("31/38"); a condition and its turns; or "init" and a number. Any other line makes a
counter (games.systems.typed_line).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.rules.state import GameState, Refused
from games.screens.slots import layout, view_models, words
from games.screens.slots.typed import Preview
from games.screens.words import Words
from games.systems.typed_line import folded, singular
from games.tracks.counter import Counter, counter_in, game_master, protagonists

_CHANGE = re.compile(r"([+−-]) ?(\d{1,4})(/2)?( temp)?", re.ASCII)
_OF = re.compile(r"(?:= ?)?(\d{1,4}) ?/ ?(\d{1,4})", re.ASCII)
_EXACTLY = re.compile(r"= ?([−-]?)(\d{1,4})", re.ASCII)
_TURN = re.compile(r"init (\d{1,2})", re.ASCII)
_ROUNDS = re.compile(r"(.+?)(?: (\d{1,2}))?", re.ASCII)


def read_act(
    its: Words, line: str, state: GameState, seat: str, names: Mapping[str, str]
) -> dict[str, Any] | None:
    """The command that *line* is; None if it is no act. Raises Refused if it may mean several."""
    for said, act in _acts(its, line):
        if found := _all_called(its, said, state, seat, names):
            leads = game_master(state, seat)
            steps = [step for each in found for step in _of(each, act, leads=leads)]
            return {"do": "together", "steps": steps} if len(steps) > 1 else steps[0]
    return None


def _acts(its: Words, line: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The ways to read *line* as an act: the words of whom it is on, and what is done."""
    said = folded(line).replace("=", " = ").replace(",", " ").split()
    for at in range(1, len(said)):
        if act := _act(its, " ".join(said[at:])):
            yield said[:at], act


def refuse_nobodys(its: Words, line: str) -> None:
    """Refuse an act on what is not there."""
    for said, _act_on_it in _acts(its, line):
        raise Refused("unknown", _("No one here is called {name}."), name=" ".join(said))


def setting(
    its: Words, line: str, state: GameState, seat: str, names: Mapping[str, str]
) -> Preview | None:
    """The ways to change what *line* names by the number at its end; None if it names no one's."""
    said, _space, number = " ".join(line.split()).rpartition(" ")
    if not (number.isascii() and number.isdecimal()):
        return None
    if (
        not _owner(folded(said), state, names)[0]
        or len(_called(its, folded(said), state, seat, names)) != 1
    ):
        return None
    ways = tuple(f"{said} {sign}{int(number)}" for sign in ("-", "+", "= "))
    return Preview({}, (_("Less or more?"), *ways), False, True, "", ways=ways)


def _owner(name: str, state: GameState, names: Mapping[str, str]) -> tuple[str, str]:
    """The seat that *name* begins with, "" if with none, and the rest of it."""
    who, _space, rest = name.removeprefix("@").partition(" ")
    seats = {folded(called).replace(" ", ""): each for each, called in names.items()}
    owner = seats.get(who, who)
    return (owner, rest) if owner in state.seats else ("", name)


def _act(its: Words, said: str) -> dict[str, Any] | None:
    if change := _CHANGE.fullmatch(said):
        sign, digits, half, temporary = change.groups()
        do = "add-temporary" if temporary else "more" if sign == "+" else "less"
        count = int(digits) // 2 if half else int(digits)
        if half and not count:
            raise Refused("invalid", _("Half of {n} is nothing."), n=digits)
        return {"do": do, "slots": count}
    if of := _OF.fullmatch(said):
        return {"do": "becomes", "slots": int(of[1]), "of": int(of[2])}
    if exactly := _EXACTLY.fullmatch(said):
        return {"do": "becomes", "slots": int(exactly[2]) * (-1 if exactly[1] else 1)}
    if its.slots.turns and (turn := _TURN.fullmatch(said)):
        return {"do": "edit", "initiative": int(turn[1])}
    named = _ROUNDS.fullmatch(said)
    for name, rounds, good in its.slots.conditions if named else ():
        if named and named[1] in (folded(name), folded(its.said(name))):
            lasts = int(named[2]) if named[2] else rounds
            given = {"do": "afflict", "name": name, "good": good}
            return {**given, "rounds": lasts} if lasts else given
    return None


def _of(counter: Counter, act: dict[str, Any], *, leads: bool) -> list[dict[str, Any]]:
    """The commands of *act* on *counter*. A resource is filled by "less": filling it uses it up."""
    if "of" in act:
        return becomes_of(counter, act["slots"], act["of"], leads=leads)
    if act["do"] == "becomes":
        act = _becomes(counter, act["slots"])
    elif act["do"] == "add-temporary":
        _refuse_beyond(counter, act["slots"])
    elif act["do"] in ("more", "less"):
        fills = (act["do"] == "more") is not counter.resource
        act = {**act, "do": "fill" if fills else "clear"}
    return [{**act, "on": counter.id}]


def becomes_of(counter: Counter, read: int, top: int, *, leads: bool) -> list[dict[str, Any]]:
    """What makes that counter read *read* of *top*. A GM sets it, so that no rule takes it for a
    hit; a player fills or clears it.
    """
    if not counter.least <= read <= top or top <= counter.least:
        sentence = _("{name} cannot be {read} of {top}.")
        raise Refused("invalid", sentence, name=counter.name, read=read, top=top)
    slots = (top - counter.least) * counter.parts
    left = (read - counter.least) * counter.parts
    filled = slots - left if counter.resource else left
    was = min(counter.filled, slots)
    if leads:
        change = {"do": "correct", "filled": filled}
    else:
        change = {"do": "fill" if filled > was else "clear", "slots": abs(filled - was)}
    steps = [{"do": "edit", "slots": slots}] if slots != counter.slots else []
    if filled != was:
        steps.insert(0 if slots < counter.slots and leads else len(steps), change)
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


def _all_called(
    its: Words, said: Sequence[str], state: GameState, seat: str, names: Mapping[str, str]
) -> list[Counter]:
    """The counters that *seat* means by the words *said*. Raises Refused if that is not plain."""
    whole = " ".join(said)
    found = _called(its, whole, state, seat, names)
    if len(found) == 1:
        return found
    # Translators: in a typed line: "all -8" is each player, "all goblin -8" each goblin.
    if said[0] in ("all", folded(pgettext("players", "all"))):
        if each_of := " ".join(said[1:]):
            return _each_called(its, each_of, state, seat, names)
        return [
            each
            for who in protagonists(state)
            for each in _called(its, f"@{who}", state, seat, names)
        ]
    if found:
        called = (names.get(each.owner or "", each.name) for each in found)
        sentence = _("Several are called “{name}”: {names}. For each of them, type “all {name}”.")
        raise Refused("invalid", sentence, name=whole, names=", ".join(dict.fromkeys(called)))
    if several := _each_called(its, whole, state, seat, names):
        return several
    for at in range(len(said) - 1, 0, -1):
        first = _called(its, " ".join(said[:at]), state, seat, names)
        if len(first) == 1 and (rest := _all_called(its, said[at:], state, seat, names)):
            return [*first, *(each for each in rest if each.id != first[0].id)]
    return []


def _each_called(
    its: Words, name: str, state: GameState, seat: str, names: Mapping[str, str]
) -> list[Counter]:
    """Those that are called *name*, or that and a number ("goblin", "goblin 2"), else all that it
    may mean; *name* may be their plural.
    """
    for one in dict.fromkeys((name, singular(name))):
        numbered = re.compile(rf"{re.escape(one)}( \d+)?", re.ASCII)
        there = view_models.choices(its, state, seat)
        if alike := [each for each in there if numbered.fullmatch(folded(each.name))]:
            return [each for each in alike if not each.resolved]
        if several := _called(its, one, state, seat, names):
            return several
    return []


def _called(
    its: Words, name: str, state: GameState, seat: str, names: Mapping[str, str]
) -> list[Counter]:
    """The counters that *seat* is offered and may mean by *name*."""
    there = [each for each in view_models.choices(its, state, seat) if not each.resolved]
    if exact := [each for each in there if folded(each.name) == name]:
        return exact
    owner, rest = _owner(name, state, names)
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
    return next(filter(None, ([*filter(fits, there)] for fits in tries)), [])


def preview(
    its: Words,
    before: GameState,
    after: GameState,
    command: dict[str, Any],
    names: Mapping[str, str],
) -> Preview:
    """What *command*, which leads from one state to the other, would change."""
    steps = command.get("steps", [command])
    on = [*dict.fromkeys(each["on"] for each in steps)]
    if len(on) > 1:
        what = f", {its.said(condition)}" if (condition := steps[0].get("name")) else ""
        parts = [f"{_several(before, after, each, names)}{what}" for each in on]
    else:
        parts = _one(its, before, after, steps[-1], names)
    seen = any(counter_in(after, each).visibility != "hidden" for each in on)
    return Preview(command, tuple(parts), seen, False, "")


def _several(before: GameState, after: GameState, on: str, names: Mapping[str, str]) -> str:
    """What changes on one of several."""
    was, has = counter_in(before, on), counter_in(after, on)
    return f"{names.get(has.owner or '', has.name)} {words.reading(was)} → {words.reading(has)}"


def _one(
    its: Words,
    before: GameState,
    after: GameState,
    command: Mapping[str, Any],
    names: Mapping[str, str],
) -> list[str]:
    """What changes on the only one."""
    was, has = (counter_in(state, command["on"]) for state in (before, after))
    owner = names.get(has.owner or "")
    parts = [f"{owner}, {has.name}" if owner else has.name]
    if command["do"] == "afflict":
        turns = f", {command['rounds']}" if "rounds" in command else ""
        parts.append(f"{its.said(command['name'])}{turns}")
    elif "initiative" in command:
        parts.append(_("initiative %(n)s") % {"n": command["initiative"]})
    elif command["do"] == "add-temporary":
        parts.append(_("+%(n)s temp") % {"n": has.temporary})
    else:
        parts.append(f"{words.reading(was)} → {words.reading(has)}")
    if has.visibility == "known" and (word := getattr(has, "word", "")):
        parts.append(_("players read “%(word)s”") % {"word": its.said(word)})
    return parts
