"""The language of own games as one table: every sort of part, with its forms and their keys.

Reader, sentences, editor, renaming, docs and JSON Schema are made from it. A new form is one row
here, one meaning (`meaning`) and one sentence (`saying`). Source: docs/OWN-GAMES.md, 1 and 3 to 5.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from msgspec.structs import replace

from games.rules.dice import dice_in
from games.rules.state import marked as _
from games.tracks.sets.definition import WITHOUT_GM, ConditionOf

from . import meaning as m
from . import parts_of_a_set, sorts
from .grammar import Absent, Form, Grammar, Json, Key, Law, Place, Scope, Sort
from .meaning import GM, PLAYER, TABLE, Button, Cost, Question, When
from .numbers import Named, Number, OwnMost, Thing, suits
from .reading import SIX_DIGITS, whole
from .sorts import PLAIN, ROUND
from .written_rules import Rule

MOST_ASKED = 9999
"""The largest number that is asked for where none is said."""

# What is known, and what may stand there


def knowing(*words: str) -> Callable[[Any, Scope], Scope]:
    """After a key that is written these words are known."""

    def then(value: Any, scope: Scope) -> Scope:
        return scope if value is None else replace(scope, words=scope.words | {*words})

    return then


def inside_of(**facts: Any) -> Callable[[Any, Scope], Scope]:
    return lambda value, scope: replace(scope, **facts)


def _at_moment(when: When, scope: Scope) -> Scope:
    """What holds once the moment of a rule is known."""
    always = when.moment == "always"
    return replace(scope, words=when.words, nobody=when.nobody, always=always)


def _then(value: Any, scope: Scope) -> Scope:
    """What comes of an answer: the answer is known, and nothing more is asked."""
    return replace(scope, later=True, questions=(), words=scope.words | {"answer", "answerer"})


def _after(value: Any, scope: Scope) -> Scope:
    """What comes when all have answered: of nobody's answer alone."""
    return replace(scope, later=True, questions=(), words=scope.words | {"answerer"})


def _asks(value: Mapping[str, Any], scope: Scope) -> bool:
    calm = not (scope.always or scope.inner or scope.later)
    return calm and ("of" in value or not scope.nobody)


def _without_turns(value: Mapping[str, Any], scope: Scope) -> bool:
    return not scope.turns


def _without_order(value: Mapping[str, Any], scope: Scope) -> bool:
    return not (scope.set.turns or scope.turns)


def _led(value: Mapping[str, Any], scope: Scope) -> bool:
    return scope.led


def _not_led(value: Mapping[str, Any], scope: Scope) -> bool:
    return not scope.led


def _beside_a_gm(value: Mapping[str, Any], scope: Scope) -> Scope:
    """The scope of a definition: its tracks may be named before they are read."""
    if "gm" not in value:
        return scope
    return replace(scope, led=True, tracks=sorts.tracks_written(value["gm"]))


def _of_a_track(value: Mapping[str, Any], scope: Scope) -> bool:
    made = value.get("create")
    return type(made) is str and made in scope.tracks


def _of_a_thing(value: Mapping[str, Any], scope: Scope) -> bool:
    return not _of_a_track(value, scope)


def beside(key: str) -> Absent:
    """It is no key where that one stands."""
    return lambda value, scope: key in value


def free(value: Mapping[str, Any], scope: Scope) -> bool:
    """The turn passes to whoever is named, in a game that says nothing else."""
    turns = value.get("turns")
    return isinstance(turns, Mapping) and turns.get("order") == "free"


def _worked_out_or_blank(value: Mapping[str, Any], scope: Scope) -> bool:
    return "is" in value or value.get("blank") is True


def _never_blank(value: Mapping[str, Any], scope: Scope) -> bool:
    return "is" in value or (value.get("once") is True and value.get("blank") is not True)


def _never_shared(value: Mapping[str, Any], scope: Scope) -> bool:
    return "is" in value or not scope.teams


def _shared_by_players(number: Mapping[str, Any], scope: Scope) -> bool:
    return not number["shared"] or set(number["on"]) == {PLAYER}


def _never_by_role(value: Mapping[str, Any], scope: Scope) -> bool:
    return not scope.roles or any(value.get(key) not in (None, False) for key in NO_STARTS)


NO_STARTS = ("is", "blank", "shared")
"""The keys of a number beside which no role has a start of its own."""


def _starts_by_role(number: Mapping[str, Any], scope: Scope) -> bool:
    on = {*number["on"], *(scope.roles if PLAYER in number["on"] else ())} & {*scope.roles}
    return number["starts"].keys() <= on and all(
        _starts_within({**number, "start": start}, scope) for start in number["starts"].values()
    )


def _plain_kinds(value: Json, scope: Scope) -> Scope:
    """Every number that does not follow may be read by those that do."""
    kinds = {
        number["kind"]
        for number in (value if type(value) is list else ())
        if type(number) is dict and "is" not in number and type(number.get("kind")) is str
    }
    return replace(scope, kinds=kinds)


def printed_on(things: Mapping[str, Thing]) -> set[str]:
    """The words of all printed values."""
    return {name for thing in things.values() for name in thing.prints}


# What is worked out once, however many subjects ask


def _amount_once(grammar: Grammar, value: Json, found: m.Amount) -> m.Amount:
    return _once(grammar, "amount", value, found) if type(value) is dict else found


def _comparison_once(grammar: Grammar, value: Json, found: m.Condition) -> m.Condition:
    return _once(grammar, "condition", value, found) if type(value) is list else found


def _once(grammar: Grammar, sort: str, value: Json, found: Any) -> Any:
    """*found*; if it lists things, and is the same whatever its rule is about, worked out once."""
    parts = [*grammar.walk(sort, value)]
    lists = any(of == "who" and type(part) is dict and "things" in part for _at, of, part in parts)
    if not lists or any(_of_subject(grammar, *part) for part in parts):
        return found
    return m.once(json.dumps(value, sort_keys=True), found)


def _of_subject(grammar: Grammar, place: Place, sort: str, value: Json) -> bool:
    """True if a part depends on what its rule is about; an `each` has a subject of its own."""
    picked = "if" in place
    if sort in ("who", "amount") and type(value) is str:
        return value in OF_MOMENT or (value in OF_SUBJECT and not picked)
    if sort == "who" and not picked and value.get("of") in OF_SUBJECT:
        return True
    form = grammar.form(sort, value) if sort in grammar.sorts else None
    return not picked and any(
        key.sort == "who" and key.usual in OF_SUBJECT and name not in value
        for name, key in (form.keys.items() if form else ())
    )


OF_MOMENT = ("change", "answer", "chosen", "presser", "target", "answerer")
OF_SUBJECT = ("it", "holder", "opponents", "next", "team", "mates")


# Laws of numbers


def _starts_within(number: Mapping[str, Any], scope: Scope) -> bool:
    most = number["most"]
    return bool(number["least"] <= number["start"] <= (0 if isinstance(most, OwnMost) else most))


def _suits(number: Mapping[str, Any], scope: Scope) -> bool:
    return suits(number["look"], number["least"], None if number["is"] else number["most"])


def _no_blank_switch(number: Mapping[str, Any], scope: Scope) -> bool:
    return not (number["blank"] and number["look"] == "switch")


def _one_is_big(number: Mapping[str, Any], scope: Scope) -> bool:
    return not number["big"] or (
        PLAYER in number["on"]
        and number["look"] != "none"
        and not any(other.big for other in scope.taken.values())
    )


# Meanings that need the scope


def _changes(scope: Scope, kind: str, by: str) -> When:
    up = {"up": True, "down": False, "any": None}[by]
    nobody = kind in scope.numbers and scope.numbers[kind].on == {TABLE}
    return When("changes", (kind,), up, nobody=nobody, words=frozenset({"change"}))


def _pressed(
    label: str,
    on: frozenset[str],
    who: str | None,
    during: tuple[str, ...] | None,
    own_turn: bool,
    once: str | None,
    target: m.Who | None,
    bounds: tuple[m.Amount, m.Amount] | None,
    costs: tuple[Cost, ...] | None,
) -> When:
    nobody = on <= {TABLE, GM}
    by_holder = who == "holder" if who else not nobody
    button = Button(
        label, on, by_holder, during or (), own_turn, once, target, bounds, costs or ()
    )  # fmt: skip
    words = {"presser"} | ({"target"} if target else set()) | ({"chosen"} if bounds else set())
    return When("pressed", on, button=button, nobody=nobody, words=frozenset(words))


def _asked(
    scope: Scope,
    words: str,
    of: m.Who,
    least: m.Amount,
    most: m.Amount,
    choices: tuple[str, ...] | None,
    total: m.Amount | None,
    then: tuple[m.Action, ...],
    hidden: bool | None,
    after: tuple[m.Action, ...] | None,
    holds: m.Condition | None,
) -> m.Action:
    assert isinstance(scope.questions, list)
    asked = Question(
        words, least, most, choices or (), then, after or (), bool(hidden), holds=holds
    )
    scope.questions.append(asked)
    return m.asked(len(scope.questions) - 1, of, total)


def _rolled(
    scope: Scope,
    dice: str,
    of: m.Who,
    then: tuple[m.Action, ...],
    after: tuple[m.Action, ...] | None,
) -> m.Action:
    assert isinstance(scope.questions, list)
    count, sides = dice_in(dice)
    least, most = m.constant(count), m.constant(count * sides)
    scope.questions.append(Question(dice, least, most, (), then, after or (), dice=dice))
    return m.asked(len(scope.questions) - 1, of, None)


def _created(
    scope: Scope, kind: str, of: m.Who | None, base: Mapping[str, m.Amount] | None, *track: Any
) -> m.Action:
    if kind in scope.tracks:
        return m.track_made(kind, of, *track)
    return m.created(kind, of or m.ATOMS["holder"], base or {})


def _afflict(scope: Scope, name: str, on: m.Who, rounds: m.Amount | None) -> m.Action:
    usual = next((one for one in scope.set.conditions if one.name == name), ConditionOf(name))
    return m.afflicting(usual, on, rounds)


def _rule(
    scope: Scope,
    name: str,
    says: str | None,
    when: When,
    holds: m.Condition | None,
    does: tuple[m.Action, ...],
) -> Rule:
    place = len(scope.taken) + 1
    return Rule(
        place, name, says, when, does, holds, tuple(scope.compared or ()), tuple(scope.questions)
    )


def _number(
    scope: Scope, kind: str, on: tuple[str, ...], follows: m.Amount | None, *facts: Any
) -> Number:
    roles = scope.roles if PLAYER in on else ()
    return Number(kind, frozenset((*on, *roles)), follows, *facts)


# The table

ON = {"on": Key("who", "it")}
AMOUNTS = Key("amount", many=(2, 40))
TWO = Key("amount", many=(2, 2))
CONDITIONS = Key("condition", many=(1, 40))
LABEL = Key("name", None)
"""What people read in place of a word: any letters of any script."""

SORTS: Mapping[str, Sort] = {
    "who": Sort(sorts.who, {"enum": [*m.ATOMS]}, deepens=True, forms=(
        Form({"things": Key("types"), "of": Key("owners", "all")}, m.things),
        Form(
            {"plays": Key("roles")}, m.playing, may=lambda value, scope: bool(scope.roles),
        ),
        Form(
            {"each": Key("who"), "if": Key("condition", within=inside_of(picking=False))},
            m.picked, may=lambda value, scope: scope.picking,
        ),
    )),
    "amount": Sort(
        sorts.amount, sorts.either("six-digits", *m.WORDS), deepens=True, kept=_amount_once,
        forms=(
            Form({"number": Key("kind"), **ON}, m.counted),
            Form({"print": Key("printed"), **ON}, m.printed),
            Form({"had": Key("own-kind"), **ON}, m.had),
            Form({"highest": Key("kind"), **ON}, m.extreme(max)),
            Form({"lowest": Key("kind"), **ON}, m.extreme(min)),
            Form({"count": Key("who")}, m.how_many),
            Form({"+": AMOUNTS}, m.worked_out(sum)),
            Form({"*": AMOUNTS}, m.worked_out(prod)),
            Form({"min": AMOUNTS}, m.worked_out(min), says=_("the least of {min}")),
            Form({"max": AMOUNTS}, m.worked_out(max), says=_("the most of {max}")),
            Form({"-": TWO}, m.worked_out(m.difference)),
            Form({"/": TWO, "round": Key("rounding", "down")}, m.quotient),
            Form(
                {
                    "if": Key("condition", within=inside_of(picking=False, compared=None)),
                    "then": Key("amount"), "else": Key("amount", 0),
                },
                m.whichever, says=_("({then} if {if}, otherwise {else})"),
            ),
            Form({"abs": Key("amount")}, m.size, says=_("{abs} without its sign")),
            Form(
                {"table": Key("six-digits", many=(2, 40)), "at": Key("amount")}, m.looked_up,
                says=_("the one of {table} at place {at}"),
            ),
            Form({"rank": Key("ranked"), **ON, "first": Key("best", "highest")}, m.ranked),
        ),
    ),
    "condition": Sort(
        sorts.comparison, sorts.rowed(*sorts.COMPARISON), items=sorts.COMPARISON, deepens=True,
        kept=_comparison_once,
        forms=(
            Form({"is": Key("who"), "in": Key("who")}, m.among),
            Form({"not": Key("condition")}, m.negation, says=_("not ({not})")),
            Form({"all": CONDITIONS}, m.joined(all)),
            Form({"any": CONDITIONS}, m.joined(any)),
            Form({"written": Key("blanks"), **ON}, m.filled_in),
            Form(
                {"has": Key("name"), **ON}, m.afflicted, may=_led,
                says=_("{on} is {has}"),
            ),
            Form(
                {"named": Key("name"), **ON}, m.called, may=_led,
                says=_("{on} is called “{named}”"),
            ),
        ),
    ),
    "action": Sort(forms=(
        Form({"add": Key("amount"), "of": Key("kind"), **ON}, m.added),
        Form({"set": Key("amount"), "of": Key("kind"), **ON}, m.brought),
        Form({"move": Key("who"), "to": Key("zone")}, m.moved, says=_("move {move} to {to}")),
        Form(
            {
                "create": Key("type"),
                "of": Key("who", "holder", instead=lambda value, scope: (
                    None if _of_a_track(value, scope) else "holder"
                )),
                "base": Key("amounts-by-word", {}, absent=_of_a_track),
                "name": Key("counter-name", None, absent=_of_a_thing),
                "slots": Key("amount", None, absent=_of_a_thing),
                "seen": Key("seen", None, absent=_of_a_thing),
            },
            _created, may=lambda value, scope: not scope.always, scoped=True,
        ),
        Form(
            {"each": Key("who"), "do": Key("action", many=(1, 6), within=inside_of(inner=True))},
            m.for_each, may=lambda value, scope: not scope.inner,
        ),
        Form({"out": Key("who")}, m.named(won=False), may=_not_led),
        Form({"win": Key("who")}, m.named(won=True), may=_not_led),
        Form(
            {
                "ask": Key("text"), "of": Key("who", "holder"),
                "least": Key("amount", 0, absent=beside("choose")),
                "most": Key("amount", MOST_ASKED, absent=beside("choose")),
                "choose": Key("text", None, many=(2, 6)),
                "total": Key("amount", None, absent=beside("choose")),
                "then": Key("action", many=(1, 6), within=_then),
                "hidden": Key("flag", False, absent=_led),
                "after": Key("action", None, many=(1, 6), within=_after),
                "while": Key("condition", None),
            },
            _asked, may=_asks, scoped=True,
        ),
        Form(
            {
                "roll": Key("dice"), "of": Key("who", "holder"),
                "then": Key("action", many=(1, 6), within=_then),
                "after": Key("action", None, many=(1, 6), within=_after),
            },
            _rolled, may=_asks,
            scoped=True,
        ),
        Form(
            {"tell": Key("text"), "to": Key("who", None, absent=_not_led)}, m.told,
            may=lambda value, scope: not scope.always,
            says=_("say “{tell}”"), says_with={"to": _("say “{tell}” to {to}")},
        ),
        Form({"reveal": Key("who")}, m.shown("open"), may=_led, says=_("show {reveal}")),
        Form({"hide": Key("who")}, m.shown("hidden"), may=_led, says=_("hide {hide}")),
        Form(
            {"afflict": Key("name"), **ON, "rounds": Key("amount", None)}, _afflict, scoped=True,
            may=_led, says=_("put the condition “{afflict}” on {on}"),
            says_with={"rounds": _("put the condition “{afflict}” on {on}, for {rounds} rounds")},
        ),
        Form(
            {"relieve": Key("name"), **ON}, m.relieved, may=_led,
            says=_("end the condition “{relieve}” of {on}"),
        ),
    )),
    "when": Sort(forms=(
        Form(
            {"begins": Key("beginning", absent=_without_order)},
            lambda of: When("begins", of, nobody=of == (ROUND,)),
        ),
        Form(
            {"ends": Key("ending", absent=lambda value, scope: not (scope.led or scope.turns))},
            lambda of: When("ends", (of,), nobody=of in (ROUND, sorts.SESSION)),
        ),
        Form({"changes": Key("changing"), "by": Key("way", "any")}, _changes, scoped=True),
        Form(
            {"completes": Key("track-types")}, lambda of: When("completes", of),
            may=_led, says=_("When {completes} is full"),
        ),
        Form({"acts": Key("outcome")}, lambda of: When("acts", of), may=_led),
        Form(
            {"enters": Key("types")}, lambda of: When("enters", of),
            says=_("When {enters} comes into play"),
        ),
        Form(
            {"leaves": Key("types")}, lambda of: When("leaves", of),
            says=_("When {leaves} leaves play"),
        ),
        Form(
            {
                "pressed": Key("label", then=knowing("presser")),
                "on": Key("holders", then=lambda on, scope: replace(
                    scope, nobody=on <= {TABLE, GM},
                )),
                "who": Key("presses", None, absent=lambda value, scope: value.get("on") == GM),
                "during": Key("phases", None, absent=_without_turns),
                "own_turn": Key("flag", False, absent=_without_turns),
                "once": Key("span", None),
                "target": Key("who", None, then=knowing("target")),
                "number": Key("bounds", None, then=knowing("chosen")),
                "costs": Key("cost", None, many=(1, 4)),
            },
            _pressed,
        ),
        Form({"always": Key("holders")}, lambda of: When("always", of, nobody=of == {TABLE})),
    )),
    "cost": Sort(forms=(Form({"pay": Key("amount"), "of": Key("kind"), **ON}, Cost),)),
    "bounds": Sort(forms=(
        Form({"least": Key("amount", 0), "most": Key("amount", MOST_ASKED)}, lambda *two: two),
    )),
    "rule": Sort(forms=(
        Form(
            {
                "rule": Key("rule-name", then=lambda name, scope: replace(
                    scope, questions=[], compared=[],
                )),
                "says": Key("sentence", None),
                "when": Key("when", within=inside_of(compared=None), then=_at_moment),
                "if": Key("condition", None),
                "do": Key("action", many=(1, 10), within=inside_of(compared=None)),
            },
            _rule, scoped=True,
            may=lambda value, scope: (
                "if" in value or type(value["when"]) is not dict or "always" not in value["when"]
            ),
        ),
    )),
    "number": Sort(forms=(
        Form(
            {
                "kind": Key("new-kind"),
                "on": Key("owned-by"),
                "is": Key("amount", None, within=lambda value, scope: replace(
                    scope, kinds={*scope.kinds, *scope.taken},
                )),
                "least": Key("least", 0, absent=beside("is")),
                "most": Key("most", SIX_DIGITS, absent=beside("is")),
                "start": Key("six-digits", 0, absent=_worked_out_or_blank,
                             law=Law(("least", "most", "start"), _starts_within)),
                "look": Key("look", "number", law=Law(("least", "most", "look"), _suits)),
                "big": Key("flag", False, law=Law(("big",), _one_is_big)),
                "colour": Key("hue", None),
                "letter": Key("letter", None),
                "steps": Key("steps", [1, 10], absent=beside("is")),
                "label": LABEL,
                "blank": Key("flag", False, absent=beside("is"),
                             law=Law(("look",), _no_blank_switch)),
                "once": Key("flag", False, absent=_never_blank),
                "shared": Key("flag", False, absent=_never_shared,
                              law=Law(("on", "shared"), _shared_by_players)),
                "starts": Key("starts-by-role", {}, absent=_never_by_role,
                              law=Law(("starts",), _starts_by_role)),
            },
            _number, scoped=True,
        ),
    )),
    "most": Sort(
        sorts.plain(whole(0, SIX_DIGITS)), sorts.integers(0, SIX_DIGITS),
        forms=(
            Form({"print": Key("printed")}, lambda name: OwnMost(print=name)),
            Form({"number": Key("earlier-kind")}, lambda kind: OwnMost(number=kind)),
        ),
    ),
    "thing": Sort(forms=(
        Form(
            {"type": Key("new-type"), "prints": Key("numbers-by-word", {}), "label": LABEL}, Thing
        ),
    )),
    "role-in-order": Sort(sorts.named("new-role"), sorts.WORD, forms=(
        Form({"role": Key("new-role"), "label": Key("name")}, Named),
    )),
    "zone-in-order": Sort(sorts.named("new-zone"), sorts.WORD, forms=(
        Form({"zone": Key("new-zone"), "label": Key("name")}, Named),
    )),
    "phase-in-order": Sort(sorts.named("new-phase"), sorts.WORD, forms=(
        Form({"phase": Key("new-phase"), "label": Key("name")}, Named),
    )),
    "players": Sort(forms=(
        Form(
            {
                "least": Key("seats", 1),
                "most": Key(
                    "seats", 8, instead=lambda value, scope: 7 if scope.led else 8, law=Law(
                        ("least", "most"),
                        lambda players, scope: players["least"] <= players["most"],
                    ),
                ),
            },
            lambda *two: two,
        ),
    )),
    "turns": Sort(forms=(
        Form(
            {
                "order": Key(
                    "order", "one", instead=lambda value, scope: "none" if scope.led else "one",
                ),
                "phases": Key(
                    "phases-in-order", ["turn"],
                    absent=lambda value, scope: scope.led or value.get("order") == "none",
                ),
                "starts": Key("starts", None, absent=lambda value, scope: (
                    scope.led or value.get("order", "one") != "one"
                )),
            },
            lambda *three: three,
        ),
    )),
    "starts": Sort(forms=(
        Form({"by": Key("ranked"), "first": Key("best", "highest")}, m.sorted_by),
        Form({"from": Key("own-kind")}, m.from_the_most),
    )),
    "definition": Sort(forms=(
        Form(
            {
                "title": Key("title"),
                "author": Key("text", None),
                "about": Key("sentence", None),
                "aliases": Key("alias", [], many=(0, 16), different=True),
                "players": Key("players", {}),
                "cooperative": Key("flag", False, absent=lambda value, scope: (
                    "gm" in value or free(value, scope)
                )),
                "teams": Key("teams", None, absent=free, then=lambda found, scope: replace(
                    scope, teams=bool(found),
                )),
                "zones": Key("zone-in-order", ["table", "aside"], many=(1, 8), by="word",
                             different=True,
                             then=lambda zones, scope: replace(scope, zones=tuple(zones))),
                "things": Key("thing", [], many=(0, 20), by="type", absent=free,
                              then=lambda things, scope: replace(
                                  scope, types=tuple(things), printed=printed_on(things),
                              )),
                "roles": Key("role-in-order", [], many=(0, sorts.MOST_ROLES), by="word",
                             different=True, absent=free,
                             then=lambda roles, scope: replace(scope, roles=tuple(roles))),
                "numbers": Key("number", [], many=(0, 40), by="kind", within=_plain_kinds,
                               absent=free,
                               then=lambda found, scope: replace(
                                   scope, numbers=found, kinds=found,
                               )),
                "turns": Key("turns", {}, then=lambda turns, scope: replace(
                    scope, turns=turns[0] != "none", phases=[each.word for each in turns[1]],
                )),
                "gm": Key("set", None, absent=free, then=lambda found, scope: replace(
                    scope, set=found or WITHOUT_GM,
                )),
                "rules": Key("rule", [], many=(0, 60), by="name", absent=free),
            },
            lambda *parts: parts, within=_beside_a_gm,
        ),
    )),
}  # fmt: skip
GRAMMAR = Grammar({**SORTS, **parts_of_a_set.SORTS, **PLAIN})
