"""Writing a game: every word of a rule can be tapped, what is offered fits, and nothing is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import translation

from games.pages import trial
from games.screens.words import words_of
from games.store import demos
from games.systems.own_game import made_of
from games.systems.own_game.language.definition import rule_fault, understood
from games.systems.own_game.language.forms import GRAMMAR
from games.systems.own_game.language.grammar import LISTED, Place
from games.systems.own_game.language.saying import sentence
from games.systems.own_game.led import sentences
from games.systems.own_game.rule_change_preview import differences
from games.systems.own_game.writing import typed
from games.systems.own_game.writing.choices import Asked, Under, asked, label_of, of_rule, words
from games.systems.own_game.writing.draft import Draft, changed, from_fields, with_line
from games.systems.own_game.writing.page import _Page, _Shown, draft
from games.systems.own_game.writing.places import gaps, path, put, renamed, there, used_by
from games.systems.own_game.writing.playable import playable
from games.systems.own_game.writing.recipes import recipes
from tests.ready import DRAWN
from tests.systems.own_definitions import Writer

READY = demos.ready_games("own-game")
RANDOM = [Writer(Random(seed)).definition() for seed in range(60)]
MINE = {
    "title": "Storm Mine",
    "numbers": [
        {"kind": "life", "on": "player", "start": 20, "big": True},
        {"kind": "energy", "on": "player", "start": 3, "most": 6},
        {"kind": "storm", "on": "table", "most": 5},
    ],
}


def each_rule(written: Any) -> Iterator[Under]:
    definition = understood(written)
    for index, rule in enumerate(written.get("rules", ())):
        yield of_rule(definition, rule, ("rules", index))


def choices_of(open_there: Asked) -> list[Any]:
    return [*open_there.wider, *(each for group in open_there.groups for each in group.choices)]


def said_places(under: Under, language: str) -> list[Place]:
    """The places for which a sentence has words that can be tapped."""
    with translation.override(language):
        return [
            tuple(json.loads(word.place))
            for word in words_of(made_of(under.definition)).worded(under.said(under.value))
            if word.place
        ]


Leads = dict[Place, tuple[list[Place], list[Place]]]
"""What the choices at a place open, and what they change: in every language the same."""


def reached(
    under: Under, offered: Callable[[Place], list[Any]], language: str, leads: Leads
) -> set[Place]:
    """The places of a rule that taps open or change, from the words of its sentence on."""
    todo = [under.root, *said_places(under, language)]
    opened, changed_there = set[Place](), set[Place]()
    while todo:
        at = todo.pop()
        if at in opened:
            continue
        opened.add(at)
        if at not in leads:
            changes = [each.change for each in offered(at)]
            leads[at] = (
                [tuple(each["at"]) for each in changes if "at" in each],
                [tuple(each.get("put") or each["cut"]) for each in changes if "at" not in each],
            )
        todo += leads[at][0]
        changed_there.update(leads[at][1])
    return opened | changed_there


def fields(**facts: Any) -> dict[str, str]:
    return {key: each if isinstance(each, str) else json.dumps(each) for key, each in facts.items()}


@pytest.mark.sweep
@pytest.mark.parametrize("written", [*DRAWN.values(), *RANDOM[:20]])
def test_every_place_of_every_rule_is_reached_by_tap_and_only_what_fits_is_offered(
    written: Any,
) -> None:
    """From the words of its sentence, what is around them, and what they offer to add. A choice
    that leaves no gap makes a rule that can be played."""
    for under in each_rule(written):
        before = json.dumps(under.value)
        offered = cache(lambda at, under=under: choices_of(asked(under, at)))
        leads = Leads()
        found = set.intersection(
            *(reached(under, offered, language, leads) for language in ("en", "de", "es"))
        )
        for place, sort, _value in GRAMMAR.walk("rule", under.value, under.root):
            typed_apart = sort in ("rule-name", "sentence")
            a_list = sort.endswith(LISTED) and sort.removesuffix(LISTED) in GRAMMAR.sorts
            said_by_moment = sort in ("beginning", "ending") and place[:-1] in found
            assert typed_apart or a_list or said_by_moment or place in found, (path(place), sort)

        for at in dict(words(under, under.value)):
            for choice in offered(at):
                if "put" not in choice.change or list(gaps(choice.change["is"])):
                    continue
                place = tuple(choice.change["put"])
                now = put(written, place, choice.change["is"])
                fault = rule_fault(under.definition, there(now, under.root), int(under.root[1]))
                assert not (fault or "").startswith(path(place)), (path(place), choice.says, fault)
        assert before == json.dumps(under.value)  # to offer something changes nothing


def each_part(written: Any) -> Iterator[Under]:
    """What the GM's table counts, part by part."""
    page = _Page(Draft(written), "", whole=False, seats="")
    shown = _Shown(understood(written), page.under_way, written, {}, ())
    for key in sentences.SAYS:
        for index in range(len(written["gm"].get(key, ()))):
            yield shown.of_a_set(("gm", key, index))


@pytest.mark.parametrize("name", [name for name, game in READY.items() if "gm" in game])
def test_every_place_of_what_a_gm_counts_is_reached_by_tap(name: str) -> None:
    """What stands there is chosen among what may stand there, or could be typed."""
    for under in each_part(READY[name]):
        offers = cache(lambda at, under=under: asked(under, at))
        offered = cache(lambda at, offers=offers: choices_of(offers(at)))
        found = reached(under, offered, "en", Leads())
        for place, sort, value in GRAMMAR.walk(under.sort, under.value, under.root):
            if sort == "track-word" or sort.endswith(LISTED):
                continue
            assert place in found, (path(place), sort)
            if not isinstance(value, dict):
                offer = offers(place)
                chosen = [each for each in offered(place) if each.chosen]
                assert chosen or (offer.typed and offer.typed.value == value), path(place)


@pytest.mark.parametrize("language", ["en", "de", "es"])
@pytest.mark.parametrize("name", [*DRAWN])
def test_a_sentence_taken_apart_loses_no_sign(name: str, language: str) -> None:
    system = made_of(understood(READY[name]))
    its = words_of(system)
    with translation.override(language):
        for under in each_rule(READY[name]):
            said = under.said(under.value)
            parts = (f"{word.before}{word.text}{word.after}" for word in its.worded(said))

            assert its.phrase(said) == "".join(parts)


@pytest.mark.parametrize("written", [*DRAWN.values(), *RANDOM])
def test_a_sentence_with_places_says_what_it_says_without(written: Any) -> None:
    for under in each_rule(written):
        assert sentence(under.definition, under.value) == under.said(under.value)


@pytest.mark.parametrize("written", [MINE, *DRAWN.values()])
def test_every_recipe_can_be_played_at_once(written: Any) -> None:
    definition = understood(written)
    for recipe in recipes(definition):
        rule = json.loads(json.dumps(recipe.rule))

        assert rule_fault(definition, rule, 0) is None, recipe.label
        assert there(rule, recipe.asks[:-1]) is not None
        assert str(recipe.sentence).endswith(".")


def test_a_first_rule_is_written_with_four_taps() -> None:
    """Add a sentence, a recipe, Keep."""
    page = draft(fields(definition=MINE, change={"go": "recipes"}), None)
    recipe = page.written["sheets"]["recipes"][0]
    said = json.loads(json.dumps(recipe.change))
    page = draft(fields(definition=page.written["definition"], open="recipes", change=said), None)

    assert ("rule", ()) == (page.written["open"], page.faults)
    assert page.written["sheets"]["rule"].finished


ANSWER: Any = {"number": "storm", "on": "table"}
CHANGES: list[tuple[Any, Any]] = [
    # an action               what may take its place
    ({"add": ANSWER}, {"set": ANSWER}),
    ({"set": ANSWER}, {"add": ANSWER}),
    ({"add": ANSWER}, {"add": {"-": [0, ANSWER]}}),
    ({"add": {"-": [0, ANSWER]}}, {"add": ANSWER}),
    ({"add": {"-": [0, ANSWER]}}, {"set": ANSWER}),
    ({"add": 3}, {"add": -3}),
    ({"add": -3}, {"set": 3}),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_a_change_of_the_verb_keeps_the_amount(before: Any, after: Any) -> None:
    rule = {
        "rule": "R",
        "when": {"pressed": "P", "on": "player"},
        "do": [{**before, "of": "life", "on": "opponents"}],
    }
    there = {"at": json.dumps(["rules", 0, "do", 0]), "open": "rule"}
    page = draft(fields(definition={**MINE, "rules": [rule]}, **there), None)
    choices = choices_of(page.written["sheets"]["rule"].asked)

    assert {**after, "of": "life", "on": "opponents"} in [
        choice.change.get("is") for choice in choices
    ]


def test_a_rule_under_way_asks_for_its_next_gap() -> None:
    page = draft(fields(definition=MINE, open="page"), None)
    change = json.loads(json.dumps(page.written["new_rule"]))
    seen = []
    for wanted in ("When …… changes", "storm", "take 1 ……", "life"):
        under_way = fields(definition=page.written["definition"], open=page.written["open"])
        page = draft({**under_way, "at": page.written["at"], **fields(change=change)}, None)
        sheet = page.written["sheets"]["rule"]
        seen.append(str(sheet.sentence))
        choices = [each for group in sheet.asked.groups for each in group.choices]
        change = next(each.change for each in choices if str(each.says) == wanted)
    under_way = fields(definition=page.written["definition"], open="rule")
    page = draft({**under_way, "at": page.written["at"], **fields(change=change)}, None)

    assert ("When ……, …….", "When the table’s storm changes, …….") == (seen[0], seen[2])
    sheet = page.written["sheets"]["rule"]
    assert "When the table’s storm changes, take 1 life from everyone." == str(sheet.sentence)
    assert page.faults == ()


def test_a_rule_about_the_tables_number_is_done_once_for_all() -> None:
    """As a rule of each player it would be done again for each of them."""
    begun = {"rule": "Storm", "when": {"always": "player"}, "do": [None]}
    asks = [{"number": "storm", "on": "table"}, ">=", None]
    change = {"put": ["rules", 0, "if"], "is": asks}

    def after(rule: dict[str, Any]) -> Any:
        page = draft(fields(definition={**MINE, "rules": [rule]}, open="rule", change=change), None)
        return json.loads(page.written["definition"])["rules"][0]

    assert ({"always": "table"}, {"number": "storm"}) == (
        after(begun)["when"],
        after(begun)["if"][0],
    )
    kept = after({**begun, "do": [{"out": "it"}]})
    assert ({"always": "player"}, asks) == (kept["when"], kept["if"])


def test_a_recipe_ends_no_game_where_it_begins() -> None:
    """Who has 12 life at the start has not won by 10 of it."""
    numbers = [
        {"kind": "life", "on": "player", "start": 12, "big": True},
        {"kind": "ore", "on": "player"},
    ]
    found = recipes(understood({"title": "Mine", "numbers": numbers}))
    goal = next(each for each in found if each.label == "First to 10 wins")
    assert "Whoever’s ore reaches 10 wins." == str(goal.sentence)

    named = recipes(understood({"title": "Mine", "numbers": numbers, "rules": [goal.rule]}))
    assert "First to 10 wins" not in [each.label for each in named]


def test_a_recipe_asks_for_no_price_that_nobody_can_pay() -> None:
    written = with_line({"title": "Quiz"}, typed.line("points 0 → 10, jokers 0/2"))
    prices = [
        cost["pay"]
        for each in recipes(understood(written))
        for cost in each.rule["when"].get("costs", ())
    ]

    assert [2] == prices


@pytest.mark.parametrize(
    ("line", "paid"),
    [
        ("victory points 0 → 10, wood, brick", [("wood", "victory points")]),
        ("trains 45, points", []),  # nothing says yet that points win
        ("life 20, mana", []),
        ("score 501 → 0, darts", []),
        ("wood, points", []),
        ("life 12, energy 3/6, ore 0 → 10", [("energy", "ore")]),
        ("points 0 → 10, hearts 3, coins", [("coins", "points")]),
    ],
)
def test_a_resource_pays_for_what_wins_or_nothing_is_proposed(line: str, paid: Any) -> None:
    rules = [
        each.rule for each in recipes(understood(with_line({"title": "Us"}, typed.line(line))))
    ]
    bought = [each for each in rules if "costs" in each["when"]]

    assert paid == [(each["when"]["costs"][0]["of"], each["do"][0]["of"]) for each in bought]


def test_the_least_wins_without_a_goal() -> None:
    written = with_line({"title": "Us"}, typed.line("strokes"))
    found = {each.label: each for each in recipes(understood(written))}
    assert "who has the least strokes wins" in str(found["At the end, the lowest wins"].sentence)


def test_a_recipe_is_offered_once_with_each_number_that_it_fits() -> None:
    written = with_line({"title": "7"}, typed.line("total = military + coins/3 + wonder"))
    found = {each.label: each for each in recipes(understood(written))}
    most, resets = found["At the end, the most wins"], found["Reset each turn"]

    assert ("total", ["military", "coins", "wonder"]) == (most.kind, [n.kind for n in most.others])
    assert {"total", "military"}.isdisjoint([resets.kind, *(each.kind for each in resets.others)])

    sentences = [str(sentence(understood(written), each.rule)) for each in found.values()]
    assert len(sentences) == len(set(sentences))


def test_what_a_round_asks_for_is_offered_first_in_a_game_of_rounds() -> None:
    written = with_line({"title": "Us", "turns": {"order": "all"}}, typed.line("tricks, points"))

    assert "Scores of a round" == recipes(understood(written))[0].label


def test_a_recipe_that_the_game_has_is_not_offered_again() -> None:
    written = with_line({"title": "Race"}, typed.line("points, jokers"))
    first = next(each for each in recipes(understood(written)) if "most wins" in each.label)
    ruled = understood({**written, "rules": [{**first.rule, "rule": "End"}]})
    again = next(each for each in recipes(ruled) if each.label == first.label)

    assert ("points", "jokers", ()) == (first.kind, again.kind, again.others)


def test_a_rummy_is_offered_nothing_that_takes_its_score_away() -> None:
    line = typed.line("score 0 → 500")
    labels = {each.label for each in recipes(understood(with_line({"title": "Rummy"}, line)))}

    assert {"Scores of a round", "Scores that add up to 26"} == labels


def test_a_button_is_named_by_what_it_does() -> None:
    """Its label is asked last, and proposed; it can be typed all the same."""
    rule = {"rule": "Rule 1", "when": {"pressed": None, "on": "player"}, "do": [None]}
    under_way = fields(definition={**MINE, "rules": [rule]}, open="rule")
    gains = {"put": ["rules", 0, "do", 0], "is": {"add": 1, "of": "gold"}}
    page = draft({**under_way, "at": '["rules", 0]', **fields(change=gains)}, None)
    asked = page.written["sheets"]["rule"].asked
    assert ("when", "pressed") == asked.place[2:]
    label = next(each for group in asked.groups for each in group.choices)
    assert ("gold +1", "") == (label.says, asked.typed.value)

    under_way = fields(definition=page.written["definition"], open="rule", change=label.change)
    page = draft({**under_way, "at": '["rules", 0]'}, None)
    made = json.loads(page.written["definition"])["rules"][0]
    assert ("Gold +1", "Gold +1") == (made["rule"], made["when"]["pressed"])


@pytest.mark.parametrize(
    ("name", "action", "said"),
    [("catan", {"add": 1, "of": "roads"}, "Straßen +1"), ("fate", {"create": "boost"}, "Schub")],
)
def test_the_label_of_a_game_of_the_library_is_proposed_in_the_readers_language(
    name: str, action: Any, said: str
) -> None:
    with translation.override("de"):
        assert said == words_of(made_of(understood(READY[name]))).phrase(label_of(action))


def test_a_question_gets_answers_to_choose_from_by_tap() -> None:
    then = [{"add": "answer", "of": "energy", "on": "answerer"}]
    rule = {
        "rule": "Vote",
        "when": {"pressed": "Vote", "on": "table"},
        "do": [{"ask": "Who?", "of": "players", "then": then}],
    }
    definition, place = understood(MINE), ("rules", 0, "do", 0)
    offered = choices_of(asked(of_rule(definition, rule, place[:2]), place))
    (several,) = [each for each in offered if "+ one of several answers" == each.says]

    made = put({"rules": [rule]}, (*place, "choose"), several.change["is"])
    assert rule_fault(definition, made["rules"][0], 0) is None
    assert ["Yes", "No"] == made["rules"][0]["do"][0]["choose"]


def test_inside_everyone_a_number_is_that_of_each_not_of_everyone_again() -> None:
    """Taken from everyone for everyone, it was taken as often as there are players."""
    effect = {"each": "players", "do": [{"add": -1, "of": None}]}
    rule = {"rule": "Alarm", "when": {"always": "table"}, "if": [1, ">=", 5], "do": [effect]}
    definition, place = understood(MINE), ("rules", 0, "do", 0, "do", 0, "of")

    offered = choices_of(asked(of_rule(definition, rule, place[:2]), place))
    (energy,) = [each for each in offered if each.kind == "energy"]

    made = put({"rules": [rule]}, tuple(energy.change["put"]), energy.change["is"])["rules"][0]
    assert {"add": -1, "of": "energy"} == made["do"][0]["do"][0]
    assert str(sentence(definition, made)).endswith("for everyone: take 1 energy.")


@pytest.mark.parametrize(("named", "then"), [("12 life", "6 life"), ("Home", "Home")])
def test_the_name_of_a_goal_follows_its_number(named: str, then: str) -> None:
    """Who won by six was told that it was by twelve."""
    goal = {
        "when": {"always": "player"},
        "if": [{"number": "life"}, ">=", 12],
        "do": [{"win": "it"}],
    }
    under_way = fields(definition={**MINE, "rules": [{"rule": named, **goal}]}, open="rule")
    change = {"put": ["rules", 0, "if", 2], "is": 6}

    page = draft({**under_way, "at": '["rules", 0]', **fields(change=change)}, None)

    made = json.loads(page.written["definition"])
    was, now = (
        understood(json.loads(each)) for each in (under_way["definition"], json.dumps(made))
    )
    assert (then, 6) == (made["rules"][0]["rule"], made["rules"][0]["if"][2])
    assert 1 == len([*differences(was, now)]), "at a table it is told as one change"


def test_a_game_goes_on_while_one_of_its_rules_is_not_finished() -> None:
    written = {**MINE, "rules": [{"rule": "Rule 1", "when": None, "do": [None]}]}

    assert (0, "Rule 1 is not finished.") == (
        len(playable(written)[0]["rules"]),
        str(draft(fields(definition=written), None).faults[0]),
    )


def test_another_name_is_another_everywhere() -> None:
    written = READY["catan"]
    assert used_by(written, "numbers", "grain")

    now = renamed(written, "numbers", "grain", "wheat")

    assert not used_by(now, "numbers", "grain")
    assert used_by(now, "numbers", "wheat") == used_by(written, "numbers", "grain")


LABELLED = {
    "title": "Año",
    "zones": ["table", {"zone": "n1", "label": "墓地"}],
    "things": [{"type": "ship", "label": "Schiff ⛵"}],
    "numbers": [
        {"kind": "years", "on": "player", "label": "Años"},
        {"kind": "vp", "on": "player", "label": "VP", "is": {"number": "years"}},
    ],
    "turns": {"phases": [{"phase": "draw", "label": "Ziehen"}, "play"]},
    "rules": [
        {
            "rule": "Sink",
            "when": {"begins": "draw"},
            "do": [
                {"add": 1, "of": "years"},
                {"move": {"things": "ship", "of": "holder"}, "to": "n1"},
            ],
        }
    ],
}


def test_people_read_a_label_in_place_of_its_word() -> None:
    definition = understood(LABELLED)
    its = words_of(made_of(definition))
    with translation.override("en"):
        said = its.phrase(sentence(definition, LABELLED["rules"][0]))  # type: ignore[index]
        read = [
            its.kind("vp"),
            *map(its.word, ("n1", "ship", "draw")),
        ]

    assert said == (
        "When the “Ziehen” phase of your turn begins, add 1 to Años and move each Schiff ⛵ of"
        " yours to 墓地."
    )
    assert ["VP", "墓地", "Schiff ⛵", "Ziehen"] == read


def test_a_name_that_is_no_word_is_a_label_and_the_word_stays() -> None:
    now = from_fields(fields(
        definition=MINE, change={"rename": ["numbers", 0, "kind"]}, said="Größe ❤️",
    )).written["numbers"][0]  # fmt: skip

    assert ("life", "Größe ❤️") == (now["kind"], now["label"])


def test_a_name_that_is_a_word_needs_no_label() -> None:
    now = from_fields(fields(
        definition=LABELLED, change={"rename": ["numbers", 0, "kind"]}, said="age",
    )).written  # fmt: skip

    assert {"kind": "age", "on": "player"} == now["numbers"][0]
    assert {"number": "age"} == now["numbers"][1]["is"]


def test_zones_and_phases_are_kept_as_they_are_typed() -> None:
    zones = from_fields(fields(
        definition=LABELLED, change={"words": ["zones"], "field": "z"}, z="table, Hand, 墓地",
    )).written  # fmt: skip
    phases = from_fields(fields(
        definition=LABELLED, change={"words": ["turns", "phases"], "field": "p"}, p="Ziehen, Turn",
    )).written  # fmt: skip

    assert [
        "table", {"zone": "hand", "label": "Hand"}, {"zone": "n1", "label": "墓地"},
    ] == zones["zones"]  # fmt: skip
    assert [
        {"phase": "draw", "label": "Ziehen"}, {"phase": "turn 2", "label": "Turn"},
    ] == phases["turns"]["phases"]  # fmt: skip


@pytest.mark.parametrize("sign", ["+", "*", "min", "max"])
def test_one_part_more_of_a_sum_is_appended(sign: str) -> None:
    """Be it asked for the whole, or for one of its parts."""
    parts = [{"number": "life"}, {"number": "energy"}]
    written = {**MINE, "numbers": [*MINE["numbers"], {
        "kind": "total", "on": "player", "is": {sign: parts},
    }]}  # fmt: skip
    definition, place = understood(written), ("numbers", 3, "is")
    about = {"when": {"always": "player"}}
    under = Under(definition, place, "amount", {sign: parts}, about, lambda changed: None)

    def longer(at: Place) -> list[Any]:
        puts = [each.change for each in choices_of(asked(under, at)) if "put" in each.change]
        return [each["is"][sign] for each in puts if tuple(each["put"]) == place and (
            isinstance(each["is"], dict) and len(each["is"].get(sign, ())) > 2
        )]  # fmt: skip

    assert [[*parts, None]] == longer(place)
    assert [[parts[0], None, parts[1]]] == longer((*place, sign, 0))


def test_a_number_that_rules_use_goes_only_with_them() -> None:
    under_way = from_fields(fields(definition=READY["golf"]))
    kept = changed(under_way, {"remove": ["numbers", 0]}, "")
    gone = changed(under_way, {"remove": ["numbers", 0], "rules": True}, "")

    assert kept.written == under_way.written
    assert len(gone.written["rules"]) < len(under_way.written["rules"])
    assert understood(playable(gone.written)[0])


LOOKS = [
    # was                      look      is then
    ({}, "switch", {"look": "switch", "most": 1}),
    ({}, "pips", {"look": "pips", "most": 6}),
    ({"start": 9}, "clock", {"look": "clock", "most": 6, "start": 6}),
    ({}, "track", {"look": "track", "least": -10, "most": 10}),
    ({"most": 4}, "pips", {"look": "pips", "most": 4}),
    ({"most": 40}, "clock", {"most": 40}),
    ({"big": True}, "none", {"look": "none"}),
]


@pytest.mark.parametrize(("was", "look", "now"), LOOKS)
def test_a_look_brings_its_limits(was: Any, look: str, now: Any) -> None:
    number = {"kind": "x", "on": "player", **was}
    change = {"put": ["numbers", 0, "look"], "is": look}

    written = from_fields(fields(definition={"numbers": [number]}, change=change)).written

    assert {"kind": "x", "on": "player", **now} == written["numbers"][0]


HOSTILE: list[Any] = [
    None, 1, "x", [], [[]], {"rules": {"a": 1}}, {"rules": [1, "x", None, {}]},
    {"numbers": "x"}, {"numbers": [1, {"kind": 3}]}, {"title": 7}, {"things": [[]]},
    {**MINE, "rules": [{"rule": f"r{n}", "when": None, "do": []} for n in range(99)]},
    {**MINE, "about": "x" * 70_000}, {**MINE, "rules": [{"rule": "x" * 70_000}]},
    {**MINE, "rules": [{"rule": [], "when": {"changes": {}}, "if": {"all": 3}, "do": {}}]},
    {**MINE, "rules": [{"when": {"pressed": [], "on": {}}, "do": [{"add": {}, "of": []}]}]},
    {**MINE, "rules": [{"when": {"always": []}, "if": [[], [], []], "do": [{"each": 1}]}]},
    {**MINE, "rules": [{"when": {"begins": 4}, "do": [{"ask": 1, "choose": 2, "then": 3}]}]},
    {**MINE, "rules": [{"when": {"enters": None}, "do": [{"create": 4, "base": []}]}]},
]  # fmt: skip


@pytest.mark.parametrize("written", HOSTILE)
@pytest.mark.parametrize(
    "opened", ["page", "more", "rule", "number", "thing", "recipes", "part", "try"]
)
def test_any_place_that_the_page_sends_is_checked(written: Any, opened: str) -> None:
    for at in ([], ["rules", 0], ["numbers", 0], ["rules", 0, "do", 0], ["things", 5], [{}], 3):
        page = draft(fields(definition=written, open=opened, at=at), None)

        assert understood(page.settings["definition"])


ODD_CHANGES: list[Any] = [
    {"put": []}, {"put": ["rules", 9, "x"], "is": 1}, {"put": 3}, {"cut": []}, {"cut": ["x", 1]},
    {"move": ["rules", 0], "by": "x"}, {"append": "x"}, {"append": "rules", "is": 3},
    {"append": "numbers", "is": {}}, {"rename": ["numbers", 0]}, {"remove": ["numbers", "x"]},
    {"remove": []}, {"random": 1}, {"untap": []}, {"players": "+"}, {"players": 3},
    {"go": 3}, {"go": "rule", "at": "x"}, {"words": ["x"]}, {"print": ["things", 3]}, [], 3,
]  # fmt: skip


@pytest.mark.parametrize("change", ODD_CHANGES)
def test_a_malformed_change_breaks_nothing(change: Any) -> None:
    page = draft(fields(definition=READY["golf"], open="rule", change=change, said="x"), None)

    assert understood(page.settings["definition"])


@pytest.mark.parametrize(
    "tap", [{"do": "undo"}, {}, {"do": "place", "on": 3}, {"do": "place", "on": [[]], "by": {}}, 3]
)
def test_whatever_tap_is_sent_breaks_nothing(tap: Any) -> None:
    page = draft(fields(definition=READY["golf"], open="page", tap=tap), None)

    assert page.trial is not None
    assert "Ana" == page.trial.names[page.trial.seat]


BACK = [
    "wood",
    "energy 3/6",
    "victory points 0 → 10",
    "score 501 → 0",
    "memory -10…10 table",
    "luck -5",
    "ghoul: damage 2",
]


@pytest.mark.parametrize("text", BACK)
def test_the_last_number_goes_back_into_letters(text: str) -> None:
    page = draft({"numbers": f"gold, {text},"}, None)
    page = draft(fields(definition=page.written["definition"], change={"back": 1}), None)

    assert (text, 1) == (page.written["back"], len(page.settings["definition"]["numbers"]))
    assert "rules" not in json.loads(page.written["definition"])


def test_a_number_is_worked_out_from_others_piece_by_piece() -> None:
    page = draft({"numbers": "strokes, par 4 table, to par,"}, None)
    change: Any = {"put": ["numbers", 2, "is"], "is": None}
    under_way = {"open": "number", "at": '["numbers", 2]'}
    for wanted in ("strokes", "your strokes − ……", "par"):
        page = draft(
            fields(definition=page.written["definition"], change=change, **under_way), None
        )
        asked_now = page.written["sheets"]["number"].asked
        if asked_now is None:
            at = ["numbers", 2, "is"]
            page = draft(fields(definition=page.written["definition"], open="number", at=at), None)
            asked_now = page.written["sheets"]["number"].asked
        under_way = {"open": "number", "at": page.written["at"]}
        choices = [each for group in asked_now.groups for each in group.choices]
        change = next(each.change for each in choices if str(each.says) == wanted)
    page = draft(fields(definition=page.written["definition"], change=change, **under_way), None)

    worked_out = page.settings["definition"]["numbers"][2]["is"]
    assert {"-": [{"number": "strokes"}, {"number": "par", "on": "table"}]} == worked_out
    assert page.faults == ()


def test_a_number_that_is_not_worked_out_yet_is_no_game_yet() -> None:
    numbers = [{"kind": "x", "on": "player"}, {"kind": "y", "on": "player", "is": {"+": [1, None]}}]

    page = draft(fields(definition={"numbers": numbers}), None)

    assert ["How y is worked out is not finished."] == [*page.faults]


def test_a_circle_is_named_while_it_is_written() -> None:
    rules = [
        {"rule": "A", "when": {"changes": "life"}, "do": [{"add": 1, "of": "gold"}]},
        {"rule": "B", "when": {"changes": "gold"}, "do": [{"add": 1, "of": "life"}]},
    ]
    numbers = [{"kind": kind, "on": "player"} for kind in ("life", "gold")]

    page = draft(fields(definition={"numbers": numbers, "rules": rules}), None)

    assert {"A", "B"} == {*page.written["trial"].circle}


def test_a_circle_that_a_button_begins_is_named_too() -> None:
    rules = [
        {"rule": "Hatch", "when": {"pressed": "Hatch", "on": "player"}, "do": [{"create": "egg"}]},
        {"rule": "Brood", "when": {"enters": "egg"}, "do": [{"create": "egg"}]},
    ]
    written = {"things": [{"type": "egg"}], "rules": rules}

    for ready in (None, {"title": "Eggs", **written}):
        chosen = {} if ready else fields(definition=written)
        assert ["Brood"] == [*draft(chosen, ready).written["circle"]]


def test_a_trial_of_whatever_was_written_is_soon_over() -> None:
    """It is played again at each tap, by a stranger's rules: its work is bounded."""
    kinds = [f"n{n}" for n in range(40)]
    numbers: list[Any] = [{"kind": "n0", "on": "player", "start": 1}]
    for before, kind in pairwise(kinds):
        each = {"number": before, "on": "players"}
        numbers.append({"kind": kind, "on": "player", "is": {"+": [each, each, each, each]}})
    heavy = {"+": [{"+": [{"number": "n39", "on": "players"}] * 8}] * 2}
    rules = [
        {"rule": f"r{n}", "when": {"changes": "n0"}, "if": [heavy, "<", n], "do": [{"tell": "x"}]}
        for n in range(60)
    ]
    written = {"players": {"least": 12, "most": 12}, "numbers": numbers, "rules": rules}
    taps = [{"do": "place", "on": "ana", "counter": "n0", "amount": 1, "by": "ana"}] * 60

    began = time.process_time()
    page = draft(fields(definition=written, open="page", taps=taps), None)

    assert page.written["trial"] is not None
    request: Any = RequestFactory().get("/new")
    request.htmx = False
    trial.board(request, page, {})
    assert time.process_time() - began < 10


def test_nobody_loses_at_the_zero_that_everyone_starts_with() -> None:
    def labels(*numbers: dict[str, Any]) -> list[str]:
        return [each.label for each in recipes(understood({"title": "M", "numbers": [*numbers]}))]

    points = {"kind": "points", "on": "player", "most": 10}
    assert "Lose at zero" not in labels(points)
    assert "Lose at zero" in labels(points, {"kind": "life", "on": "player", "start": 3})


def test_teams_and_the_order_of_rounds_are_tapped_and_go_with_what_they_need() -> None:
    def tapped(written: Any, change: Any) -> Any:
        return from_fields(fields(definition=written, change=change)).written

    number = {"kind": "score", "on": "player"}
    shared = {**number, "shared": True}
    whole = {"title": "Tichu", "numbers": [number]}
    for change in (
        {"put": ["teams"], "is": 2},
        {"put": ["numbers", 0, "shared"], "is": True},
        {"put": ["turns", "starts"], "is": {"by": "score"}},
    ):
        whole = tapped(whole, change)

    order = {"starts": {"by": "score"}}
    assert {"title": "Tichu", "teams": 2, "numbers": [shared], "turns": order} == whole
    assert 2 == understood(whole).teams
    assert [number] == tapped(whole, {"cut": ["teams"]})["numbers"]
    assert {} == tapped(whole, {"remove": ["numbers", 0], "rules": True})["turns"]


def test_roles_are_typed_tapped_and_take_what_is_theirs_alone_along() -> None:
    def tapped(written: Any, change: Any, typed: str = "") -> Any:
        return from_fields(fields(definition=written, change=change, t=typed)).written

    numbers = [{"kind": "points", "on": "player"}, {"kind": "wood", "on": "player"}]
    rule = {
        "rule": "Saw",
        "when": {"pressed": "Saw", "on": "cats"},
        "do": [{"add": 1, "of": "wood"}],
    }
    words = {"words": ["roles"], "field": "t"}
    whole = tapped({"title": "Root", "numbers": numbers}, words, "cats, Eyrie!")
    for change in (
        {"put": ["numbers", 0, "starts"], "is": {"cats": 3}},
        {"put": ["numbers", 1, "on"], "is": "cats"},
        {"append": "rules", "is": rule},
    ):
        whole = tapped(whole, change)

    game = understood(whole)
    assert {"cats": None, "eyrie": "Eyrie!"} == {
        key: each.label for key, each in game.roles.items()
    }
    assert (3, 0) == (game.numbers["points"].start_of("cats"), game.numbers["points"].start)
    assert {"cats"} == game.numbers["wood"].on
    assert [whole["roles"]] == [tapped(whole, words, "cats, Eyrie!")["roles"]], "words are kept"
    left = tapped(whole, words, "Eyrie!")
    assert (numbers, None) == (left["numbers"], left.get("rules"))
    assert "roles" not in tapped(whole, words, "")
    assert (
        2 == tapped(whole, {"put": ["numbers", 0, "most"], "is": 2})["numbers"][0]["starts"]["cats"]
    )
