"""An act in a typed line: "sailor 2 -9", "ana ben -8", "goblin 3 -7/2", "@dan prone 2".

Names come first: a counter's, or words of it, their beginnings, or its type ("@ana hp", "hp ana");
or a player's, with "@" or without, which alone means the one that stands large; "all" means all
players', "all goblin" or "goblins" every goblin; a player's or the table's number by its word
("@ana silver"). Then a sign and a number or dice, thrown once for all when the line is given, "/2"
for half of it, rounded down, with "temp" for temporary slots; "=" and the number that it is to
read, or that and its most ("31/38"); a condition and its turns; or "init" and a number. It is also
said in words: "goblin 2 takes 3", "ana loses 5 silver", "goblin dies", "reveal ogre", "next", and
the button of a rule, "all rest", "ana take damage 7". Any other line makes a counter
(games.systems.typed_line).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
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
from games.systems.controls import Stepper
from games.systems.slot_counters import Counted, SlotBoard
from games.systems.typed_line import Fall, dice_of, folded, singular
from games.tracks.counter import VISIBILITIES, Counter, game_master, protagonists
from games.tracks.sets import fight
from games.tracks.views import TABLE

_CHANGE = re.compile(r"([+−-]) ?(\d*d\d+(?:[+−-]\d{1,3})?|\d{1,4})(/2)?( temp)?", re.ASCII)
_OF = re.compile(r"(?:= ?)?(\d{1,4}) ?/ ?(\d{1,4})", re.ASCII)
_EXACTLY = re.compile(r"= ?([−-]?)(\d{1,4})", re.ASCII)
_TURN = re.compile(r"init ([+−-]?)(\d{1,2})", re.ASCII)
_ROUNDS = re.compile(r"(.+?)(?: (\d{1,2}))?", re.ASCII)
_PRESS = re.compile(r"(.+?)(?: (\d{1,4}))?", re.ASCII)
MOST_THROWN = 9999


def _said_in_words() -> dict[str, str]:
    """What is done to a number, by the word for it, in English and the reader's language: a harm is
    taken and healed, whichever way it counts."""
    # Translators: words in typed lines, each one word, with spaces between them.
    spoken = {
        "fill": ("takes suffers marks", _("takes suffers marks")),
        "clear": ("heals clears", _("heals clears")),
        "less": ("loses spends pays uses", _("loses spends pays uses")),
        "more": ("gains gets regains", _("gains gets regains")),
        "falls": ("dies", pgettext("typed line", "dies")),
        "open": ("reveal", pgettext("typed line", "reveal")),
        "hidden": ("hide", pgettext("typed line", "hide")),
        "next-turn": ("next", pgettext("typed line", "next")),
        "": ("damage points of", pgettext("typed line", "damage points of")),
        "1": ("a an one", pgettext("typed line", "a an one")),
    }
    return {word: do for do, said in spoken.items() for word in folded(" ".join(said)).split()}


class Number(Struct, frozen=True):
    """A number of a player or of the table, as an act may name it: silver, armor class. team: the
    seats that share it."""

    holder: str
    kind: str
    name: str
    owner: str | None
    team: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.holder}.{self.kind}"


class Typist(Struct, frozen=True):
    """Who types a line, at what table. fall: what the dice of a line show. away: the chairs at
    which nobody sits; "all" leaves them out.
    """

    its: Words
    system: System
    state: GameState
    seat: str
    names: Mapping[str, str]
    fall: Fall
    away: Collection[str] = ()

    def counted(self) -> Iterator[Counted]:
        """The numbers and the buttons of rules that there are."""
        board = self.its.own.board
        assert isinstance(board, SlotBoard)
        yield from board.counted(self.system, self.state, self.seat)

    def buttons(self, said: str) -> Mapping[str, str]:
        """The rule whose button is called so, by its holder."""
        return {
            each.holder: act.holder.removeprefix(f"{each.holder}.")
            for each in self.counted()
            for act in each.acts
            if said in (folded(str(act.label)), folded(self.its.said(act.label)))
        }

    def numbers(self) -> Iterator[Number]:
        """The numbers that a line may change."""
        for each in self.counted():
            if (
                each.holder not in self.state.objects
                and each.holder not in self.state.slot_counters
            ):
                owner = each.holder if each.holder in self.state.seats else None
                for number in each.numbers:
                    name = self.its.kind(number.kind)
                    yield Number(each.holder, number.kind, name, owner, self._team(number))

    def _team(self, number: Stepper) -> tuple[str, ...]:
        teams = (each.seats for each in self.state.teams.values() if number.shared)
        return next((seats for seats in teams if number.holder in seats), (number.holder,))


def read_act(at: Typist, line: str) -> dict[str, Any] | None:
    """The command that *line* is; None if it is no act. Raises Refused if it may mean several."""
    if alone := _alone(at, folded(line).strip()):
        return alone
    for said, act in _acts(at, line):
        found = _once_a_team(_all_called(at, said))
        if steps := [step for each in found for step in _of(at, each, act)]:
            return {"do": "together", "steps": steps} if len(steps) > 1 else steps[0]
    return None


def _once_a_team(found: Sequence[Counter | Number]) -> Iterator[Counter | Number]:
    """*found*, of each team that shares a number one."""
    done = set()
    for each in found:
        key = (each.team, each.kind) if isinstance(each, Number) else each.id
        if key not in done:
            done.add(key)
            yield each


def _alone(at: Typist, line: str) -> dict[str, Any] | None:
    """The act of a line that names nobody: the next turn, a button of one's own or the table's."""
    if _said_in_words().get(line) == "next-turn" and fight.turns(at.state) is not None:
        return {"do": "next-turn"}
    first, _space, rest = line.partition(" ")
    pressed = _pressed(at, line) or (_pressed(at, rest) if first in _all() else None)
    holders = at.buttons(pressed["button"]) if pressed else {}
    on = next((each for each in (at.seat, TABLE) if each in holders), None)
    return _press(pressed, on, holders) if pressed and on else None


def _acts(at: Typist, line: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The ways to read *line* as an act: the words of whom it is on, and what is done."""
    said, words_for = _said(line), _said_in_words()
    if (seen := words_for.get(said[0]) if len(said) > 1 else None) in VISIBILITIES:
        yield said[1:], {"do": "edit", "visibility": seen}
    for n in range(1, len(said)):
        if act := _act(at, " ".join(said[n:])):
            yield said[:n], act
        elif (do := words_for.get(said[n])) in ("fill", "clear", "less", "more") and said[n + 1 :]:
            count = "1" if words_for.get(said[n + 1]) == "1" else said[n + 1]
            if _CHANGE.fullmatch(f"-{count}") and (act := _act(at, f"-{count}")):
                what = [word for word in said[n + 2 :] if words_for.get(word) != ""]
                yield [*said[:n], *what], {**act, "do": do}


def _said(line: str) -> list[str]:
    return folded(line).replace("=", " = ").replace(",", " ").split()


def refuse_nobodys(at: Typist, line: str) -> None:
    """Refuse an act on what is not there."""
    for said in (said for said, act in _acts(at, line) if "slots" in act):
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
    """The seat that *name* begins or ends with, "" if with none, and the rest of it."""
    seats = {folded(called).replace(" ", ""): each for each, called in at.names.items()}
    for rest, _space, who in (name.partition(" ")[::-1], name.rpartition(" ")):
        owner = seats.get(who.removeprefix("@"), who.removeprefix("@"))
        if owner in at.state.seats:
            return owner, rest
    return "", name


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
    return {"do": "falls"} if _said_in_words().get(said) == "falls" else _pressed(at, said)


def _pressed(at: Typist, said: str) -> dict[str, Any] | None:
    """The press of the button that is called so, perhaps with a number."""
    called = _PRESS.fullmatch(said)
    for name, number in ((said, None), (called[1], called[2])) if called else ():
        if at.buttons(name):
            given = {"do": "press", "button": name}
            return {**given, "number": int(number)} if number else given
    return None


def _press(act: Mapping[str, Any], on: str, rules: Mapping[str, str]) -> dict[str, Any]:
    return {**{k: v for k, v in act.items() if k != "button"}, "on": on, "rule": rules[on]}


def _of(at: Typist, counter: Counter | Number, act: dict[str, Any]) -> list[dict[str, Any]]:
    """The commands of *act* on *counter*. A resource is filled by "less": filling it uses it up."""
    if act["do"] == "press":
        rules = at.buttons(act["button"])
        whose = counter.holder if isinstance(counter, Number) else counter.owner
        on = next((each for each in (counter.id, whose) if each in rules), None)
        return [_press(act, on, rules)] if on else []
    if isinstance(counter, Number):
        return [_counted(at, counter, act)]
    if act["do"] == "falls":
        return _of(at, counter, {"do": "becomes", "slots": 0}) if counter.resource else []
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
    slots = act.get("slots", 0)
    by = {"more": slots, "fill": slots, "less": -slots, "clear": -slots}.get(act["do"])
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


def _all() -> tuple[str, str]:
    # Translators: in a typed line: "all -8" is each player, "all goblin -8" each goblin.
    return "all", folded(pgettext("players", "all"))


def _all_called(at: Typist, said: Sequence[str]) -> Sequence[Counter | Number]:
    """What is meant by the words *said*. Raises Refused if that is not plain."""
    whole = " ".join(said)
    found = _called(at, whole)
    if len(found) == 1:
        return found
    if said[0] in _all():
        if each_of := " ".join(said[1:]):
            return [each for each in _each_called(at, each_of) if each.owner not in at.away]
        there = [who for who in protagonists(at.state) if who not in at.away]
        return [each for who in there for each in _called(at, f"@{who}")]
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
        lambda each: (
            name in (folded(each.type), folded(view_models.CounterView(its, each).type_word))
        ),
        lambda each: f" {name}" in named[each.id],
    )
    if found := next(filter(None, ([*filter(fits, there)] for fits in tries)), None):
        return found
    kinds = [each for each in at.numbers() if not owner or each.owner == owner]
    return [each for each in kinds if name in (folded(each.kind), folded(each.name))]


def preview(at: Typist, after: GameState, command: dict[str, Any], line: str) -> Preview:
    """What *command*, which *line* says, would change; *after* is the state then."""
    if command["do"] == "next-turn":
        began = (fight.turns(after) or [{"on": ""}])[-1]["on"]
        _owner_of, name = _named(at, after, {"on": began})
        return Preview(
            command, (_("Next: %(name)s") % {"name": _owner_of or name},), True, False, ""
        )
    steps = {each["on"]: each for each in command.get("steps", [command])}
    tracks = [each for key in steps if isinstance(each := after.slot_counters.get(key), Counter)]
    said, thrown = _done(at, tracks, [*steps.values()][-1], line)
    if len(steps) > 1:
        parts = [
            f"{owner or name} {_change(at, after, each, thrown)}"
            for each in steps.values()
            for owner, name in [_named(at, after, each)]
        ]
    else:
        parts = _one(at, after, [*steps.values()][-1], thrown)
    seen = len(tracks) < len(steps) or any(each.visibility != "hidden" for each in tracks)
    return Preview(command, tuple(filter(None, parts)), seen, False, "", act=said)


def _done(
    at: Typist, tracks: Sequence[Counter], step: Mapping[str, Any], line: str
) -> tuple[str, bool]:
    """What is done in the players' word: hit points are hit and healed. And whether dice decide by
    how much: they are thrown when the line is given."""
    said = _said(line)
    line = " ".join(said)
    ways = (way for n in range(1, len(said)) for way in (" ".join(said[n:]), f"+{said[n]}"))
    changes = (_CHANGE.fullmatch(way) for way in ways if way in line or dice_of(way[1:]))
    change = next(filter(None, changes), None)
    thrown = change is not None and dice_of(change[2]) is not None
    n = f"{change[2]}{change[3] or ''}" if change and thrown else str(step.get("slots", ""))
    hurt = tracks and all(each.resource and getattr(each, "word", "") for each in tracks)
    verbs = {"fill": _("Hit {n}"), "clear": _("Heal {n}")} if hurt else {}
    if step["do"] in verbs:
        return verbs[step["do"]].format(n=n), thrown
    return f"{change[1] if change[0] in line else ''}{n}" if change and thrown else "", thrown


def _named(at: Typist, after: GameState, step: Mapping[str, Any]) -> tuple[str, str]:
    """Whose that is which *step* changes, with all who share it, and its name."""
    track = after.slot_counters.get(step["on"])
    if isinstance(track, Counter):
        return at.names.get(track.owner or "", ""), track.name
    if "counter" not in step:
        return at.names.get(step["on"], ""), ""
    key = f"{step['on']}.{step['counter']}"
    team = next((each.team for each in at.numbers() if each.id == key), (step["on"],))
    return ", ".join(at.names[each] for each in team if each in at.names), at.its.kind(
        step["counter"]
    )


def _change(at: Typist, after: GameState, step: Mapping[str, Any], thrown: bool) -> str:
    """What is read of it before and after, and what it means that it is or was complete; with dice,
    before. Else what is done."""
    if "visibility" in step:
        return str(view_models.SEEN_BY[step["visibility"]])
    if said := step.get("rule" if step["do"] == "press" else "name"):
        so_much = (step[key] for key in ("number", "rounds") if key in step)
        return ", ".join([at.its.said(said), *map(str, so_much)])
    was, has = (_reading(state, step) for state in (at.state, after))
    if thrown:
        return was
    between, ended = _completed(at, after, step)
    return ", ".join(filter(None, (" → ".join(filter(None, (was, between, has))), ended)))


def _completed(at: Typist, after: GameState, step: Mapping[str, Any]) -> tuple[str, str]:
    """What it means that a counter is complete now, or was until a rule or a loop emptied it."""
    was, has = (state.slot_counters.get(step["on"]) for state in (at.state, after))
    if not isinstance(was, Counter) or not isinstance(has, Counter):
        return "", ""
    if step["do"] == "fill" and not has.complete and 0 < was.unfilled <= step["slots"]:
        return view_models.CounterView(at.its, was).meaning.rstrip("."), ""
    return "", "" if was.complete else view_models.CounterView(at.its, has).ended


def _reading(state: GameState, step: Mapping[str, Any]) -> str:
    track = state.slot_counters.get(step["on"])
    if isinstance(track, Counter):
        return words.reading(track)
    return str(state.count(step["on"], step["counter"]))


def _one(at: Typist, after: GameState, step: Mapping[str, Any], thrown: bool) -> list[str]:
    """What changes on the only one."""
    has = after.slot_counters.get(step["on"])
    parts = [", ".join(filter(None, _named(at, after, step)))]
    if "initiative" in step:
        parts.append(_("initiative %(n)s") % {"n": step["initiative"]})
    elif "bonus" in step:
        parts.append(_("initiative %(n)s") % {"n": f"d20{step['bonus']:+}"})
    elif step["do"] == "add-temporary" and isinstance(has, Counter):
        parts.append(_("+%(n)s temp") % {"n": has.temporary})
    else:
        parts.append(_change(at, after, step, thrown))
    known = isinstance(has, Counter) and has.visibility == "known" and not thrown
    if known and (word := getattr(has, "word", "")):
        parts[-1] = parts[-1].removesuffix(f", {at.its.said(word)}")
        parts.append(_("players read “%(word)s”") % {"word": at.its.said(word)})
    return parts
