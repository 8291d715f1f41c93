"""The page for writing a game: numbers, rules as chips, and a trial beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.input import whole_number
from games.rules.state import MOST_SEATS, Phrase, Refused, Words
from games.rules.state import marked as _
from games.systems.controls import Stepper
from games.systems.new_game import Draft, Explained, Saying, Trial

from .. import made_of
from ..course import Course
from ..language.coins import coins
from ..language.definition import DEFINITION, Definition, understood
from ..language.forms import GRAMMAR
from ..language.goals import ends
from ..language.grammar import Json, Place, place_of
from ..language.meaning import PLAYER, TABLE
from ..language.numbers import Number
from ..language.saying import joined, order_in_words, purpose, sentence
from ..led import one_line, sentences
from ..steppers import at_start, stepper
from . import draft as drafts
from . import line_parts, typed
from . import playable as playing
from . import trial as trying
from .choices import Asked, Change, Choice, Typed, Under, asked, of_a_set, of_rule
from .never import Never, nevers
from .number_sheet import NumberSheet, number_sheet, players
from .places import gaps, path, put, there
from .recipes import recipes

FIELDS = ("title", "definition", "open", "at", "taps", "players")
"""Those of the page besides the line of numbers, which it shows by the same names."""


def draft(chosen: Mapping[str, str], ready: Mapping[str, Any] | None) -> Draft:
    """The draft in the fields of the page: a *ready* game, or what is written there so far.

    title: what is played. numbers: a line of more numbers, not yet in the definition. definition,
    open, at, taps: the draft (`draft.Draft`). change, said: what is to be done to it.
    """
    under_way = drafts.from_fields(chosen)
    if ready is not None and not under_way.written:
        opened = chosen.get("open", "page" if one_line.is_for_any(ready) else "")
        under_way = replace(
            under_way, written=ready, open=opened if opened in drafts.OPEN else "ready"
        )
    if chosen.get("change") == '{"new":1}':
        under_way, chosen = drafts.Draft({}), {}
    title = " ".join(chosen.get("title", "").split())[:60]
    if "title" in chosen and under_way.open != "ready":
        under_way = replace(under_way, written={**under_way.written, "title": title})
    line = chosen.get("numbers", "")
    return _Page(under_way, line, whole="change" in chosen, seats=chosen.get("seats", "")).draft()


class _Page:
    """Works out what the page shows. whole: the typed line is complete, down to its last word."""

    def __init__(self, under_way: drafts.Draft, line: str, *, whole: bool, seats: str) -> None:
        self.under_way = under_way
        self.line = line
        self.whole = whole
        self.seats = whole_number(seats, 1, MOST_SEATS) or 2
        self.faults: list[Words] = []

    def draft(self) -> Draft:
        written: Mapping[str, Any] = _cleaned(self.under_way.written)
        if place := playing.fault(written):
            self.faults.append(Phrase(_("This cannot be read: “{place}”."), place=place))
            written = {}
        written, taken, back, rest = self._typed(written)
        whole = drafts.with_line(written, rest)
        if self.under_way.open != "ready":
            whole = _for_so_many(whole, self.seats)
        self.under_way = replace(self.under_way, written=written)
        playable, kept = playing.playable(whole)
        definition = understood(playable)
        wrong = dict(playing.faults(definition, whole))
        for index in wrong:
            self.faults.append(Phrase(_("Rule {n} is not finished."), n=index + 1))
        for number in written.get("numbers", ()):
            if playing.unfinished(number):
                says = _("How {what} is worked out is not finished.")
                self.faults.append(Phrase(says, what=number["kind"]))
        if any(each.why for each in [*rest, *back]):
            self.faults.append(_("A number of that line cannot be read yet."))
        page = _Shown(definition, self.under_way, whole, wrong, kept)
        shown = {
            "title": "" if whole.get("title") == typed.UNTITLED else whole.get("title", ""),
            "definition": json.dumps(written, ensure_ascii=False, separators=(",", ":")),
            "open": self.under_way.open,
            "at": json.dumps([*self.under_way.at]),
            "taken": taken,
            "back": self.under_way.back,
            "line": "".join(f"{each.text}, " for each in back) + self.line[len(taken) :].lstrip(),
            "typed": [*back, *rest],
            **page.parts(),
            "coins": coins(definition),
            "unread": definition.unread,
            "counted": [*map(_counted, definition.numbers.values())],
            "explained": explained(definition),
            "led": definition.led,
            "set": [*sentences.lines(whole["gm"]).values()] if definition.led else [],
        }
        fields = {name: str(shown[name]) for name in FIELDS} | {"numbers": str(shown["line"])}
        settings = {DEFINITION: definition.written}
        return Draft(settings, tuple(self.faults), shown, fields, page.table())

    def _typed(
        self, written: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], str, list[line_parts.Typed], list[line_parts.Typed]]:
        """The definition with what was typed to its end; that text; its wrong parts; the rest."""
        taken = self.line if self.whole else typed.finished(self.line)
        done = typed.line(taken, written)
        written = drafts.with_line(written, done)
        rest = typed.line(self.line[len(taken) :], written)
        return written, taken, [each for each in done if each.why], rest


def _cleaned(written: Mapping[str, Any]) -> dict[str, Any]:
    """The definition with a title; without what is empty because a field was."""
    kept = {key: value for key, value in written.items() if value != ""}
    return {**kept, "title": kept.get("title") or typed.UNTITLED}


def _for_so_many(written: Mapping[str, Any], seats: int) -> Mapping[str, Any]:
    """The definition for at least as many players as are said, where it says nothing else."""
    return written if "players" in written else {**written, "players": {"most": max(8, seats)}}


# What is open


class RuleLine(Struct, frozen=True):
    """A rule in the list. fired: what it did at the last tap of the trial, if anything; lit: the
    places of the numbers with which it did that, as JSON.
    """

    index: int
    name: str
    says: str
    sentence: Any
    unfinished: bool
    fired: trying.Fired | None = None
    lit: Sequence[str] = ()


class RuleSheet(Struct, frozen=True):
    """A rule as a sentence whose words can be tapped.

    at, fault: the place that is asked, and that of what does not fit, as JSON. adds: what the
    sentence can go on with. nevers: its comparisons that can never hold. before, after: the
    sentences beside it.
    """

    index: int
    name: str
    says: str
    sentence: Any
    at: str
    fault: str
    adds: Sequence[Choice]
    asked: Asked | None
    finished: bool
    wrong: Any
    before: RuleLine | None
    after: RuleLine | None
    nevers: Sequence[Never] = ()


class PartSheet(Struct, frozen=True):
    """A part of what the GM's table counts, as a sentence whose words can be tapped.

    here: its place, as JSON. beside: what else speaks of it. users: the rules that cannot stay
    without it.
    """

    name: str
    here: str
    sentence: Any
    at: str
    asked: Asked
    beside: Sequence[Choice]
    users: Any
    fault: str = ""


LISTS: Mapping[str, str] = {
    "types": _("What can be counted"),
    "outcomes": _("How an Action can end"),
    "scales": _("What the GM says before an Action"),
    "conditions": _("Conditions"),
}
"""What the lists of a set are called."""
NEW: Mapping[str, str] = {
    "types": _("Counter"), "outcomes": _("Outcome"), "scales": _("Scale"),
    "conditions": _("Condition"),
}  # fmt: skip


class _Shown:
    def __init__(
        self,
        definition: Definition,
        under_way: drafts.Draft,
        written: Mapping[str, Any],
        wrong: Mapping[int, str],
        kept: Sequence[int],
    ) -> None:
        self.definition = definition
        self.under_way = under_way
        self.written = written
        self.wrong = wrong
        self.kept = kept
        self.taps = under_way.taps
        self.system = replace(made_of(definition), most_looks=trying.MOST_LOOKS)
        self.trial = self.tried_so_far()

    def parts(self) -> dict[str, Any]:
        opened, index = self.under_way.open, self.under_way.index
        trial, lines, numbers = self.trial, [*self.lines()], [*self.listed()]
        every = self.under_way.written.get("numbers", ())
        hidden = {n for n, each in enumerate(every) if each.get("look") == "none"}
        sheets: dict[str, Any] = {}
        if opened == "rule" and isinstance(there(self.written, ("rules", index)), dict):
            sheets["rule"] = self.rule(index, lines)
        elif opened == "number" and isinstance(there(self.written, ("numbers", index)), dict):
            sheets["number"] = self.number(index)
        elif opened == "thing":
            sheets["thing"] = self.thing(index)
        elif opened == "part" and self.under_way.part:
            sheets["part"] = self.part(self.under_way.part)
        elif opened == "recipes":
            sheets["recipes"] = recipes(self.definition)
        return {
            "trial": trial,
            "circle": trial.circle if trial else self.circle(),
            "taps": json.dumps([*self.taps], separators=(",", ":")),
            "players": trying.players_in(trial.state) if trial else self.under_way.players,
            "rules": lines,
            "listed": [each for each in numbers if each[0] not in hidden],
            "hidden": [each for each in numbers if each[0] in hidden],
            "tracks": [*self.tracks()] if self.definition.led else [],
            "untouched": one_line.is_for_any(self.under_way.written),
            "game": self.game(),
            "adds": self.adds(),
            "sheets": sheets,
            "typed_there": _typed_there([*sheets.values()]),
            "new_rule": {"append": "rules", "is": {
                "rule": Phrase(_("Rule {n}"), n=len(self.written.get("rules", ())) + 1),
                "when": None, "do": [None],
            }},
        }  # fmt: skip

    def listed(self) -> Iterator[tuple[int, str, str]]:
        """The numbers of the definition: where each is, its name, and what starts it."""
        for index, number in enumerate(self.under_way.written.get("numbers", ())):
            start, most = number.get("start", 0), number.get("most")
            said = f"{start}/{most}" if type(most) is int else f"{start}" if start else ""
            if (least := number.get("least", 0)) and type(most) is int:
                said = f"{least}…{most}"
            if "is" in number:
                said = "="
            if end := ends(self.definition).get(number.get("kind")):
                said = f"= → {end.amount}" if "is" in number else f"{start} → {end.amount}"
            yield index, number.get("kind"), said

    def tried_so_far(self) -> trying.Trial | None:
        """The trial; none of a game that is only looked at: nothing of it runs."""
        if self.under_way.open == "ready":
            return None
        players = self.under_way.players
        if self.taps and self.taps[-1] == drafts.AT_RANDOM:
            before = self.taps[:-1]
            more = trying.at_random(self.system, before, players)
            self.taps = (*before, *more)[-drafts.MOST_TAPS :]
        found = trying.trial(self.system, self.taps, players)
        return found if found.circle else replace(found, circle=self.circle())

    def table(self) -> Trial | None:
        if self.trial is None:
            return None
        names = {seat: trying.NAMES.get(seat, "") for seat in self.trial.state.seats}
        return Trial(self.system, self.trial.state, names, self.trial.seat)

    def circle(self) -> Sequence[str]:
        """The rules that set each other off without end, as far as a bounded search finds them."""
        return trying.circle(replace(made_of(self.definition), most_looks=trying.MOST_PROBED))

    def lines(self) -> Iterator[RuleLine]:
        fired = {each.rule: each for each in self.trial.fired} if self.trial else {}
        for index, rule in enumerate(self.written.get("rules", ())):
            place = self.kept.index(index) + 1 if index in self.kept else 0
            rule = rule if isinstance(rule, dict) else {}
            here = ("rules", index)
            yield RuleLine(
                index, str(rule.get("rule", "")), str(rule.get("says", "")),
                of_rule(self.definition, rule, here).said(rule), index in self.wrong,
                fired.get(place), [*_amounts(rule, here)] if place in fired else (),
            )  # fmt: skip

    def rule(self, index: int, lines: Sequence[RuleLine]) -> RuleSheet:
        rule, here = self.written["rules"][index], ("rules", index)
        under, fault = of_rule(self.definition, rule, here), self.wrong.get(index, "")
        at = self.under_way.at
        gap = next(gaps(rule, here), None) is not None
        return RuleSheet(
            index, str(rule.get("rule", "")), str(rule.get("says", "")), under.said(rule),
            compact(at), compact(place_of(fault)), further(under),
            asked(under, at) if len(at) > len(here) else None, not fault,
            _why(fault, rule, here) if fault and not gap else "",
            lines[index - 1] if index else None, next(iter(lines[index + 1 :]), None),
            [*nevers(self.definition, rule, here)],
        )  # fmt: skip

    def number(self, index: int) -> NumberSheet:
        at, kind = self.under_way.at, self.written["numbers"][index]["kind"]
        shown = self.tried(self.definition.numbers[kind])
        return number_sheet(self.definition, self.written, index, at, shown)

    def tried(self, number: Number) -> Stepper:
        """A number as it stands in the trial; on cards, its start."""
        holder = TABLE if TABLE in number.on else self.trial.seat if self.trial else ""
        if self.trial is None or not {PLAYER, TABLE} & number.on:
            return at_start(number)
        try:
            return stepper(Course(self.system, self.trial.state), number, holder)
        except Refused:
            return at_start(number)

    # What the GM's table counts

    def part(self, here: Place) -> PartSheet:
        under, at = self.of_a_set(here), self.under_way.at
        using = drafts.rules_with(self.written, here)
        users = [Phrase(_("Rule {n}"), n=index + 1) for index in using]
        return PartSheet(
            str(there(self.written, (*here, "name"))), compact(here), under.said(under.value),
            compact(at), asked(under, at), [*self.beside(here)], joined(users) if users else None,
        )  # fmt: skip

    def of_a_set(self, here: Place) -> Under:
        def first_fault(changed: Json) -> str | None:
            return playing.fault(put(self.definition.written, here, changed)) or None

        return of_a_set(self.definition, here, first_fault)

    def beside(self, here: Place) -> Iterator[Choice]:
        """The type of a track; the tracks of a type, and a new one."""
        gm, kind = self.definition.written["gm"], there(self.written, (*here, "type"))
        tracks = [("kit", n, own) for n, own in enumerate(gm.get("kit", ()))]
        tracks += [("shared", n, own) for n, own in enumerate(gm.get("shared", ()))]
        if here[1] in ("kit", "shared"):
            types = [each["type"] for each in gm["types"]]
            yield self.opens(("gm", "types", types.index(kind)))
        elif here[1] == "types":
            for key, n, own in tracks:
                if own["type"] == kind:
                    yield self.opens(("gm", key, n))
            own = {"name": there(self.written, (*here, "name")), "type": kind}
            new = {"kit": _("every player has one"), "shared": _("the table begins with one")}
            for key, says in new.items():
                if kind not in [each["type"] for each in gm.get(key, ())]:
                    said = Phrase("+ {what}", what=Phrase(says))
                    yield Choice(said, {"append": ["gm", key], "is": own})

    def opens(self, place: Place) -> Choice:
        under = self.of_a_set(place)
        return Choice(under.said(under.value), {"go": "part", "at": [*place]})

    def lists(self) -> Iterator[tuple[str, Sequence[tuple[str, Change]], Change]]:
        """What a set has besides: what each list is called, its parts, and a new one."""
        gm = self.definition.written["gm"]
        for key, title in LISTS.items():
            parts = [
                (each["name"], {"go": "part", "at": ["gm", key, n]})
                for n, each in enumerate(gm.get(key, ()))
            ]
            tracks = [each["type"] for each in gm["types"] if each.get("counts") != "items"]
            steps = (
                {"name": Phrase(_("Easy")), "adds": -1},
                {"name": Phrase(_("Hard")), "adds": 1},
            )
            begun: Mapping[str, Mapping[str, Json]] = {
                "types": {"look": "pie"}, "outcomes": {"ticks": [{}]},
                "scales": {"type": next(iter(tracks), ""), "steps": steps},
            }  # fmt: skip
            item = {"name": Phrase(NEW[key]), **begun.get(key, {})}
            yield title, parts, {"append": ["gm", key], "is": item}

    def tracks(self) -> Iterator[tuple[str, str, Change]]:
        """The tracks of a set: the name of each, its size, and what opens it."""
        gm = self.under_way.written.get("gm") or {}
        kinds = [each["type"] for each in gm.get("types", ())]
        for key in ("kit", "shared"):
            for n, own in enumerate(gm.get(key, ())):
                at = ["gm", key, n] if "size" in own else ["gm", "types", kinds.index(own["type"])]
                size = own.get("size") or gm["types"][at[2]].get("size", 6)
                yield own["name"], str(size), {"go": "part", "at": at}

    # The game

    def thing(self, index: int) -> dict[str, Any]:
        thing = there(self.written, ("things", index)) or {"type": ""}
        place = ["things", index, "prints"]
        prints = thing.get("prints", {})
        printed = [
            (
                name, value, {"type": [*place, name], "number": True, "field": f"text-{n}"},
                {"cut": [*place, name]},
            )
            for n, (name, value) in enumerate(prints.items(), 1)
        ]  # fmt: skip
        return {
            "index": index, "type": thing["type"], "printed": printed,
            "users": drafts.users(self.written, "things", str(thing["type"])),
        }  # fmt: skip

    def adds(self) -> dict[str, Change]:
        """The changes of the buttons that add a number of the table, of a card, or a thing."""
        card = Phrase(_("card"))
        on = next(iter(self.definition.things), card)
        number = {"kind": Phrase(_("damage")), "on": on}
        return {
            "table": {"append": "numbers", "is": {"kind": Phrase(_("danger")), "on": TABLE}},
            "cards": {"append": "numbers", "is": number, "with": {"type": on}},
            "rounds": {"put": ["turns"], "is": {"order": "all"}, "go": "recipes"},
            "thing": {"append": "things", "is": {"type": card}},
        }

    def _starts(self) -> Iterator[tuple[Any, Change, bool]]:
        """The orders that a round can have: its words, the change, and whether it has it."""
        now = (self.written.get("turns") or {}).get("starts")
        yield Phrase(_("round the table")), {"cut": ["turns", "starts"]}, not now
        for number in self.definition.numbers.values():
            if PLAYER not in number.on:
                continue
            marker = {"from": number.kind}
            most, least = {"by": number.kind}, {"by": number.kind, "first": "lowest"}
            for starts in (marker,) if number.look == "switch" else (most, least):
                change = {"put": ["turns", "starts"], "is": starts}
                yield order_in_words(starts), change, starts == now

    def game(self) -> dict[str, Any]:
        definition = self.definition
        return {
            "author": self.written.get("author", ""),
            "about": self.written.get("about", ""),
            "bounds": [*players(*definition.players)],
            "one_phase": ["turn"],
            "cooperative": definition.cooperative,
            "teams": definition.teams or 0,
            "starts": [*self._starts()],
            "order": definition.order,
            "phases": [definition.labels.get(each, each) for each in definition.phases],
            "roles": [definition.labels.get(each, each) for each in definition.roles],
            "zones": [definition.labels.get(each, each) for each in definition.zones],
            "things": [*enumerate(definition.things.values())],
            "lists": [*self.lists()] if definition.led else [],
            "fight": definition.set.turns,
            "orders": ORDERS,
            "team_numbers": TEAMS,
        }


TEAMS = (2, 3, 4)
"""The numbers of teams that are offered."""
ORDERS: Sequence[tuple[str, str]] = (
    ("one", _("one after another")),
    ("all", _("all at once, in rounds")),
    ("none", _("no turns")),
)


def _amounts(rule: Mapping[str, Any], here: Place) -> Iterator[str]:
    """The numbers that a rule pays and changes, “one of the” too; not those that it compares."""
    for place, sort, value in GRAMMAR.walk("rule", rule, here):
        one = sort == "cost" and there(value, ("pay",)) == 1
        if (one or (sort == "amount" and isinstance(value, int))) and "if" not in place:
            yield compact(place)


def further(under: Under) -> Sequence[Choice]:
    """What a sentence can go on with."""
    return [choice for group in asked(under, under.root).groups for choice in group.choices]


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _typed_there(sheets: Sequence[Any]) -> Typed | None:
    """The text field of the open sheet: Enter sends it."""
    found = next((each.asked for each in sheets if getattr(each, "asked", None)), None)
    return found.typed if found else None


def _why(fault: str, rule: Mapping[str, Any], here: Place) -> Any:
    """The fault of a rule without gaps."""
    if fault == path((*here, "rule")):
        return Phrase(_("Another rule has that name already."))
    return Phrase(_("What is marked does not fit here. Tap it: what may stand there is offered."))


def _counted(number: Number) -> dict[str, Any]:
    """A number as a page lists it. table: whether only the table has it."""
    return {"kind": number.kind, "start": number.start, "table": number.on == {TABLE}}


def explained(definition: Definition) -> Explained:
    """The numbers and the rules of a definition in sentences."""
    written = definition.written
    return Explained(
        [purpose(definition, each) for each in written.get("numbers", ())],
        {
            rule["rule"]: Saying(sentence(definition, rule), rule.get("says", ""))
            for rule in written.get("rules", ())
        },
    )


__all__ = ["draft", "explained"]
