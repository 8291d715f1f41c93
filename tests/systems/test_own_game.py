"""Own games: definitions at random keep the laws, and whatever is no definition is refused."""

from __future__ import annotations

import json
import re
from itertools import repeat
from random import Random
from typing import Any

import pytest
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules import scenario
from games.rules.history import History
from games.rules.state import Team
from games.screens.log.entry_text import parts
from games.screens.words import words_of
from games.systems.own_game import compiled, fault
from games.systems.own_game.language.saying import purpose, sentence
from games.systems.own_game.presentation import PRESENTATION
from tests import laws

from . import own_definitions
from .own_definitions import SEATS

LIBRARY = json.loads((laws.SCENARIOS / "own-game-library.json").read_text(encoding="utf8"))


def opened(written: Any) -> History:
    system = compiled(written)
    given = {"seats": {seat: {} for seat in SEATS}}
    return History(system, scenario.opening(system, {"given": given, "definition": written}))


def shares_alike(team: Team, history: History) -> bool:
    """True if the players of a team have the same of each number that they share."""
    shared, state = history.system.definition.shared, history.state  # type: ignore[attr-defined]
    has = {tuple(state.count(seat, kind) for kind in shared) for seat in team.seats}
    return len(has) == 1


@pytest.mark.parametrize("seed", range(60))
def test_a_game_by_random_rules_keeps_the_laws(seed: int) -> None:
    random = Random(seed)
    history = opened(own_definitions.definition(random))
    for _ in range(25):
        laws.give(history, own_definitions.command(random, history.system, history.state))
        assert all(map(shares_alike, history.state.teams.values(), repeat(history)))
    laws.log_leads_to_state(history)


@pytest.mark.parametrize("seed", range(30))
def test_a_random_rule_is_said_in_words(seed: int) -> None:
    written = own_definitions.definition(Random(seed))
    definition = compiled(written).definition

    for rule in written["rules"]:
        said = sentence(definition, rule)
        assert said.endswith(".")
        assert "{" not in said
    assert all(str(purpose(definition, number)) for number in written["numbers"])


BROKEN = {
    "en": r"\b(if|and|or) you is\b|\ban uni",
    "es": r"\b(de|a) el\b|\ba tú\b",
    "de": r"wessen|eigenes|alle(n)? Ding\b|gedrucktes|unter (alle|der|wer)\b|\bdu fragen",
}
"""By language: joints that no native speaker would say."""


@pytest.mark.parametrize("language", BROKEN)
def test_no_sentence_has_a_broken_joint(language: str) -> None:
    ready = [each["definition"] for each in LIBRARY if "definition" in each]
    for written in [*ready, *(own_definitions.definition(Random(seed)) for seed in range(100))]:
        system = compiled(written)
        with translation.override(language):
            for rule in written.get("rules", ()):
                said = words_of(system).phrase(sentence(system.definition, rule))
                assert not re.search(BROKEN[language], said), said


def test_a_condition_of_ones_own_is_said_of_you() -> None:
    has = {"not": {"has": "Prone"}}
    rule = {"rule": "Fall", "when": {"always": "player"}, "if": has, "do": [{"afflict": "Prone"}]}
    system = compiled({"title": "Falling", "gm": {}, "rules": [rule]})

    said = words_of(system).phrase(sentence(system.definition, rule))
    assert "you are Prone" in said


@pytest.mark.parametrize(
    ("language", "kind", "said"),
    [
        ("en", "level", "Whoever’s level reaches 10 wins."),
        ("en", "points", "Whoever’s points reach 10 wins."),
        ("es", "puntos", "Quien llegue a 10 puntos gana."),
        ("de", "punkte", "Wer 10 punkte hat, gewinnt."),
    ],
)
def test_a_goal_agrees_with_its_number(language: str, kind: str, said: str) -> None:
    goal = [{"number": kind}, ">=", 10]
    rule = {"rule": "End", "when": {"always": "player"}, "if": goal, "do": [{"win": "it"}]}
    numbers = [{"kind": kind, "on": "player"}]
    system = compiled({"title": "Goal", "numbers": numbers, "rules": [rule]})

    with translation.override(language):
        assert said == words_of(system).phrase(sentence(system.definition, rule))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({}, "luck: each player’s"),
        ({"least": -999999}, "luck: each player’s"),
        ({"least": -999999, "most": 9}, "luck: each player’s, never above 9"),
        ({"least": -3}, "luck: each player’s, never below −3"),
    ],
)
def test_no_limit_is_no_number(limits: dict[str, int], said: str) -> None:
    number = {"kind": "luck", "on": "player", **limits}

    assert said == purpose(compiled({"title": "Luck", "numbers": [number]}).definition, number)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**7) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_a_definition_made_of_anything_is_played_or_has_a_place(data: st.DataObject) -> None:
    written = json.loads(json.dumps(data.draw(st.sampled_from(LIBRARY))["definition"]))
    at: Any = written
    for _ in range(data.draw(st.integers(0, 6))):
        if not isinstance(at, dict | list) or not at:
            break
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if data.draw(st.booleans()):
            at[key] = data.draw(JUNK)
            break
        at = at[key]

    place = fault(written)

    assert place is None or isinstance(place, str)


@pytest.mark.parametrize(
    "anything", [None, 3, "x", [], {}, {"title": None}, {"title": float("nan")}]
)
def test_a_malformed_definition_is_refused(anything: Any) -> None:
    assert fault(anything) is not None


def test_a_rule_is_said_in_spanish() -> None:
    ready = next(each["definition"] for each in LIBRARY if each["id"].startswith("lib-hearts"))
    with translation.override("es"):
        said = words_of(compiled(ready)).phrase(
            sentence(compiled(ready).definition, ready["rules"][0])
        )

    assert "pon taken de quien respondió en la respuesta" in said


@pytest.mark.parametrize(
    ("end", "on", "said"),
    [
        ("highest", "players", "who has the most points wins"),
        ("lowest", "players", "who has the least points wins"),
        ("highest", "opponents", "their points are the highest points of every opponent"),
    ],
)
def test_the_seat_with_the_most_is_said_in_short(end: str, on: str, said: str) -> None:
    best = [{"number": "points"}, "=", {end: "points", "on": on}]
    rule = {
        "rule": "Over",
        "when": {"pressed": "Over", "on": "table"},
        "do": [{"win": {"each": "players", "if": best}}],
    }
    numbers = [{"kind": "points", "on": "player"}]
    written = {"title": "Most", "players": {"most": 4}, "numbers": numbers, "rules": [rule]}

    assert said in sentence(compiled(written).definition, rule)


@pytest.mark.parametrize(("phase", "told"), [(11, None), (4, "score")])
def test_the_end_tells_the_number_that_ended_the_game(phase: int, told: str | None) -> None:
    """Whoever gets through the phases has won, whatever the score is; else the score decides."""
    best = [{"number": "score"}, "=", {"lowest": "score", "on": "players"}]
    over = {
        "rule": "Over",
        "when": {"pressed": "Over", "on": "table"},
        "do": [{"win": {"each": "players", "if": best}}],
    }
    goal = {
        "rule": "Through",
        "when": {"always": "player"},
        "if": [{"number": "phase"}, ">=", 11],
        "do": [{"win": "it"}],
    }
    numbers = [
        {"kind": "phase", "on": "player", "start": 1, "big": True},
        {"kind": "score", "on": "player"},
    ]
    history = opened({"title": "Phases", "numbers": numbers, "rules": [goal, over]})
    ana = SEATS[0]
    placed = {"on": ana, "counter": "phase", "amount": phase - 1}
    history.give({"do": "place", "by": ana, **placed})
    if not history.state.result:
        history.give({"do": "press", "by": ana, "on": "table", "rule": "Over"})
    shown = PRESENTATION.board.panel(history.system, history.state, history.state.seats[ana], ())

    assert history.state.result
    assert told == (shown.total.kind if shown.total else None)


def test_no_rule_of_any_system_is_explained_by_its_own_name() -> None:
    written = [case["definition"] for case in LIBRARY if "definition" in case]
    written += [own_definitions.definition(Random(seed)) for seed in range(30)]
    systems = [*laws.all_systems(), *map(compiled, written)]
    rules = [rule for system in systems for rule in system.rulebook.rules.items()]

    assert len(rules) > 1000
    assert [] == [name for name, rule in rules if str(rule.text).strip(" .") == name]


MOST_RIVALS = {"not": [{"count": "opponents"}, ">", 5]}
WINS = {
    "title": "Hoard",
    "numbers": [{"kind": "gold", "on": "player"}, {"kind": "life", "on": "player", "start": 3}],
    "rules": [
        {
            "rule": "Broke",
            "when": {"changes": "gold", "by": "up"},
            "if": {"all": [[{"number": "gold"}, ">=", 3], MOST_RIVALS]},
            "do": [{"add": -3, "of": "gold"}, {"add": -1, "of": "life"}],
        },
        {
            "rule": "Out of life",
            "when": {"always": "player"},
            "if": [{"number": "life"}, "<=", 0],
            "do": [{"out": "it"}],
        },
        {
            "rule": "No numbers",
            "when": {"changes": "life"},
            "do": [{"tell": "Ouch"}],
        },
    ],
}  # fmt: skip
WHYS = [
    ("en", "Broke", "When your gold goes up, if your gold is at least 3 and not (the number of "
     "opponents is more than 5): take 3 gold and take 1 life. "
     "(gold 6\xa0≥\xa03, the number of opponents 2\xa0≤\xa05)"),
    ("en", "Out of life", "Whoever’s life falls to 0 is out. (life 0\xa0≤\xa00)"),
    ("en", "No numbers", "When your life changes, say “Ouch”."),
    ("de", "Out of life", "(life 0\xa0≤\xa00)"),
    ("es", "Out of life", "(life 0\xa0≤\xa00)"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "rule", "said"), WHYS)
def test_why_tells_the_sentence_of_a_rule_with_its_numbers(
    language: str, rule: str, said: str
) -> None:
    history = opened(WINS)
    for _ in range(3):
        before = history.state
        given = history.give({"do": "place", "on": "ana", "counter": "gold", "amount": 4})
    assert given.entry
    with translation.override(language):
        told = {
            part.rule: part.why for part in parts(history.system, before, given.after, given.entry)
        }

    assert told[rule].endswith(said), told
    assert rule not in told[rule]


def test_a_most_below_zero_is_told_by_the_number_that_is() -> None:
    cold = {
        "title": "Cold",
        "numbers": [
            {"kind": "life", "on": "player", "least": -9},
            {"kind": "heat", "on": "player", "least": -9, "most": {"number": "life"}},
        ],
    }
    history = opened(cold)
    laws.say(history, "remove", on="ana", counter="life", amount=2)

    for refused in (
        laws.refusal(history, "place", on="ana", counter="heat", amount=1),
        laws.refusal(history, "correct", on="ana", counter="heat", to=-1),
    ):
        assert "heat cannot go up while life is below 0." == str(refused.message)
