"""Magic: its finer rules, one by one.

The cases in tests/scenarios/magic*.json are run by test_core,
what holds at every table is in tables.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import scenario
from games.rules.history import History
from games.rules.system import System
from games.systems.magic import CURRENT, EDITIONS, rules
from games.systems.magic.formats import FORMATS, Format
from games.systems.magic.player import Side, held, life_of
from tests.laws import refusal, say
from tests.types import Json

EACH_EDITION = pytest.mark.parametrize("system", EDITIONS, ids=lambda system: system.edition)


def table(
    system: System = CURRENT,
    *,
    ana: Json | None = None,
    phase: str = "draw",
    objects: Json | None = None,
    teams: Json | None = None,
) -> History:
    """Ana, Ben and Cleo at a table; Ana's turn."""
    given = {
        "seats": {"ana": ana or {}, "ben": {}, "cleo": {}},
        "objects": objects or {},
        "teams": teams or {},
        "turn": {"active": ["ana"], "phase": phase},
    }
    return History(system, system.opening(system, given, {}))


# The rad ability

MARKS_BOTH = {"cannot_lose_life": True, "gains_from_radiation": True}
# fmt: off
RADIATION = [
    # rule       ana before                     report               life  rad
    ("728.1",    {},                            (3, 0),              20,   3),
    ("728.1",    {},                            (3, 1),              19,   2),
    ("728.1",    {},                            (3, 3),              17,   0),
    ("728.1a",   {"gains_from_radiation": True}, (3, 2),             22,   1),
    ("119.8",    {"cannot_lose_life": True},    (3, 2),              20,   1),
    ("614.17",   MARKS_BOTH,                    (3, 2),              20,   1),
    ("614.1a",   {"mills_times": 2},            (6, 2),              18,   1),
    ("609.3",    {"mills_times": 2},            (6, 5),              15,   0),
    ("701.17b",  {},                            (1, 1, "empty"),     19,   2),
    ("701.17b",  {},                            (3, 3, "empty"),     17,   0),
    ("701.17b",  {},                            (0, 0, "empty"),     20,   3),
    ("704.5a",   {"life": 2},                   (3, 3),              -1,   0),
    ("122.1",    {"cannot_get_counters": True}, (3, 1),              19,   2),
]
WRONG = [
    # report           why
    ((3, 4),           "There cannot be 4 nonland cards among 3 milled."),
    ((4, 1),           "Only 3 cards are milled now, not 4."),
    ((4, 1, "empty"),  "Only 3 cards are milled now, not 4."),
    ((2, 1),           "Mill 3 cards, unless your library ran out after 2."),
    ((1, 2, "empty"),  "There cannot be 2 nonland cards among 1 milled."),
    (None,             "Report how many of the 3 milled cards were nonland."),
]
# fmt: on


def reported(report: tuple[Any, ...] | None) -> Json:
    if report is None:
        return {"library_empty": True}
    facts = {"milled": report[0], "nonland": report[1]}
    return facts | {"library_empty": True} if len(report) > 2 else facts


@pytest.mark.parametrize(("number", "before", "report", "life", "rad"), RADIATION)
def test_life_and_rad_after_the_ability_resolved(
    number: str, before: Json, report: tuple[Any, ...], life: int, rad: int
) -> None:
    history = table(ana={"counters": {"rad": 3}, **before})
    say(history, "begin-phase", phase="precombat-main")
    say(history, "answer", prompt="rad:ana", **reported(report))

    assert number in CURRENT.rulebook.rules
    assert (life, rad) == (life_of(history.state, "ana"), history.state.count("ana", "rad"))
    assert (life <= 0) == history.state.seats["ana"].lost


@pytest.mark.parametrize(("report", "why"), WRONG)
def test_an_impossible_report_is_refused_with_what_is_wrong(
    report: tuple[Any, ...] | None, why: str
) -> None:
    history = table(ana={"counters": {"rad": 3}})
    say(history, "begin-phase", phase="precombat-main")
    refused = refusal(history, "answer", prompt="rad:ana", **reported(report))

    assert ("wrong-facts", why) == (refused.code, refused.message)
    assert refused.rule in CURRENT.rulebook.rules


@EACH_EDITION
def test_each_automatic_event_of_a_rad_turn_names_its_rule(system: System) -> None:
    history = table(system, ana={"counters": {"rad": 2}, "life": 2})
    number = {"2026-08": "728.1", "2024-06": "725.1"}[system.edition]
    prompted = say(history, "begin-phase", phase="precombat-main")[1]
    resolved = say(history, "answer", prompt="rad:ana", milled=2, nonland=2)

    assert number == prompted["rule"]
    assert [
        ("answered", None),
        ("milled", number),
        ("nonland-milled", number),
        ("life-lost", f"{number}a"),
        ("removed", number),
        ("lost", "704.5a"),
    ] == [(event["kind"], event.get("rule")) for event in resolved]


@pytest.mark.parametrize("phase", [each for each in CURRENT.phases if each != "precombat-main"])
def test_no_other_phase_asks_for_rad(phase: str) -> None:
    history = table(ana={"counters": {"rad": 2}}, phase="untap")
    if phase != "untap":
        say(history, "begin-phase", phase=phase)
    say(history, "begin-turn", active=["ana"])

    assert () == history.state.prompts


def test_a_list_of_many_cards_is_read_whole() -> None:
    history = table(ana={"counters": {"rad": 1200}, "life": 2000})
    say(history, "begin-phase", phase="precombat-main")
    say(history, "answer", prompt="rad:ana", cards=[["land"]] * 200 + [["instant"]] * 1000)

    assert (1000, 200) == (life_of(history.state, "ana"), history.state.count("ana", "rad"))


# Counters

# fmt: off
COUNTERS = [
    # rule       before                       command             after
    ("704.5q",   {"+1/+1": 2},                "place 2 -1/-1",    {}),
    ("704.5q",   {"+1/+1": 2},                "place 5 -1/-1",    {"-1/-1": 3}),
    ("122.3",    {"-1/-1": 2, "charge": 1},   "place 3 +1/+1",    {"+1/+1": 1, "charge": 1}),
    ("704.5q",   {"+1/+0": 2},                "place 2 -1/-0",    {"+1/+0": 2, "-1/-0": 2}),
    ("122.1",    {"shield": 1},               "place 0 stun",     {"shield": 1}),
    ("122.1",    {"shield": 1},               "remove 3 shield",  {}),
]
# fmt: on


@EACH_EDITION
@pytest.mark.parametrize(("number", "before", "command", "after"), COUNTERS)
def test_counters_on_a_permanent_after_a_command(
    system: System, number: str, before: dict[str, int], command: str, after: dict[str, int]
) -> None:
    history = table(system, objects={"bear": {"counters": before}})
    do, amount, kind = command.split()
    say(history, do, on="bear", counter=kind, amount=int(amount))

    assert number in system.rulebook.rules
    assert after == history.state.on("bear")


def test_an_opening_with_both_counters_settles_with_the_first_command() -> None:
    history = table(objects={"bear": {"counters": {"+1/+1": 2, "-1/-1": 1}}})
    assert {"+1/+1": 2, "-1/-1": 1} == history.state.on("bear")
    say(history, "gain-life", seat="ana", amount=0)

    assert {"+1/+1": 1} == history.state.on("bear")


def test_a_teammate_shows_what_the_team_shares() -> None:
    heads = {"seats": ["ana", "ben"], "shared_life": True, "shared_poison": True}
    history = table(teams={"heads": {**heads, "life": 30}})
    say(history, "place", on="ana", counters={"poison": 3, "rad": 1})
    say(history, "lose-life", seat="ben", amount=4)
    seen = scenario.whole(history)["seats"]

    assert {"poison": 3, "rad": 1} == held(history.state, "ana")
    assert {"poison": 3} == held(history.state, "ben")
    assert (26, 3) == (seen["ana"]["shared_life"], seen["ben"]["shared_poison"])
    assert "shared_life" not in seen["cleo"]


# Setting up


@pytest.mark.parametrize(
    ("given", "seats"),
    [
        ({"teams": {"t": {"seats": ["zoe"]}}}, ["ana"]),
        ({"teams": {"t": {"seats": ["ana"]}, "u": {"seats": ["ana"]}}}, ["ana"]),
        ({"teams": {"t": {"seats": ["ana"], "shared_beer": True}}}, ["ana"]),
    ],
)
def test_an_opening_refuses_teams_with_unknown_or_shared_players(
    given: Json, seats: list[str]
) -> None:
    with pytest.raises((TypeError, ValueError)):
        CURRENT.opening(CURRENT, {"seats": {seat: {} for seat in seats}, **given}, {})


# fmt: off
PRESETS = {
    # life of each, shared life of each team, who is active first
    "free-for-all":        ([20, 20, 20, 20], [],       ["ana"]),
    "commander":           ([40, 40, 40, 40], [],       ["ana"]),
    "two-headed-giant":    ([30, 30, 30, 30], [30, 30], ["ana", "ben"]),
    "archenemy":           ([40, 20, 20, 20], [],       ["ana"]),
    "archenemy-commander": ([60, 60, 60, 60], [60],     ["ana"]),
    "teams":               ([20, 20, 20, 20], [],       ["ana"]),
}
# fmt: on


@EACH_EDITION
@pytest.mark.parametrize("way", FORMATS, ids=lambda way: way.key)
def test_a_format_gives_each_player_and_team_its_life(system: System, way: Format) -> None:
    given = way.given(["ana", "ben", "cleo", "dan"])
    state = system.opening(system, given, {})
    lives, shared, active = PRESETS[way.key]

    assert lives == [life_of(state, seat) for seat in state.seats]
    assert shared == [
        team.starting_life
        for team in state.teams.values()
        if isinstance(team, Side) and team.shared_life
    ]
    assert state.turn
    assert tuple(active) == state.turn.active


def test_a_commander_that_nobody_has_named_yet_is_a_creature() -> None:
    history = History(CURRENT, CURRENT.opening(CURRENT, FORMATS[0].given(["ana", "ben"]), {}))
    say(history, "create", owner="ben", name="Soul Warden", as_="warden")
    gains = {"counter": "life", "begins": "creature-enters", "whose": "each", "to": "you"}
    say(history, "tick", as_="gain", on="warden", change=1, **gains)

    say(history, "cast", object="ana-commander")

    assert 41 == life_of(history.state, "ben")


def test_the_archenemy_plays_alone_against_a_team_of_the_others() -> None:
    state = CURRENT.opening(CURRENT, FORMATS[3].given(["ana", "ben", "cleo"]), {})
    heroes = state.teams["heroes"]

    assert "archenemy" == FORMATS[3].key
    assert isinstance(heroes, Side)
    assert ("ben", "cleo") == heroes.seats
    assert (True, False, False) == (heroes.shared_turns, heroes.shared_life, heroes.shared_poison)


@EACH_EDITION
def test_the_editions_differ_only_in_numbers_additions_and_one_sentence(system: System) -> None:
    texts = {each.text for each in CURRENT.rulebook.rules.values()}
    reworded = {number for number, rule in system.rulebook.rules.items() if rule.text not in texts}

    assert (set() if system is CURRENT else set(rules.REWORDED)) == reworded
    assert system.verbs is CURRENT.verbs
    assert ("hone" in system.rulebook.kinds) == (system.edition == "2026-08")


@pytest.mark.parametrize(("rad", "phase"), [(0, "precombat-main"), (2, "untap")])
def test_a_turn_goes_on_to_its_main_phase_unless_rad_counters_wait(rad: int, phase: str) -> None:
    history = table()
    if rad:
        say(history, "place", on="ben", counter="rad", amount=rad)
    say(history, "begin-turn", active=["ben"], to_main=True)

    assert history.state.turn is not None
    assert (("ben",), phase) == (history.state.turn.active, history.state.turn.phase)
    assert () == history.state.prompts
    say(history, "undo")
    assert ("ana",) == history.state.turn.active


def test_a_turn_goes_through_the_phases_in_which_numbers_change_by_themselves() -> None:
    clock = {"owner": "ben", "types": ["artifact"], "counters": {"time": 2}}
    saga = {"owner": "ben", "types": ["enchantment"], "counters": {"lore": 1}}
    history = table(objects={"clock": clock, "saga": saga})
    down = {"counter": "time", "begins": "upkeep", "change": -1}
    up = {"counter": "lore", "begins": "precombat-main", "change": 1}
    say(history, "tick", **{"as": "down", "on": "clock", **down})
    say(history, "tick", **{"as": "up", "on": "saga", **up})
    events = say(history, "begin-turn", active=["ben"], to_main=True)

    began = [event["phase"] for event in events if event["kind"] == "phase-began"]
    assert ["upkeep", "precombat-main"] == began
    assert {"time": 1} == history.state.on("clock")
    assert {"lore": 2} == history.state.on("saga")
