"""The laws that every edition of every system keeps, found by themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules import history as log
from games.rules import record, scenario, table_rules
from games.rules.commands import Reader, parameters
from games.rules.engine import read, step
from games.rules.history import History
from games.rules.snapshot import as_json
from games.rules.state import PlayerSeat, Refused, Seat
from games.rules.system import CITED, System
from games.systems import find
from tests import laws
from tests.random_games import opened, pool, random_command, random_opening

SYSTEMS = laws.all_systems()
TITLES = [f"{system.name}-{system.edition}" for system in SYSTEMS]


@pytest.mark.parametrize(("case", "system"), laws.cases())
def test_storing_a_scenario_between_steps_changes_nothing(
    case: laws.Scenario, system: System
) -> None:
    at_once, refused = scenario.play(case, system)
    history = laws.reloaded(History(at_once.system, at_once.opening))
    codes = {}
    for number, command in enumerate(case["when"]):
        if refusal := laws.give(history, command):
            codes[str(number)] = refusal.code
        history = laws.reloaded(history)
    laws.log_leads_to_state(history)

    assert {key: refusal.code for key, refusal in refused.items()} == codes
    assert at_once.state == history.state
    assert at_once.entries == history.entries
    assert scenario.whole(at_once) == scenario.whole(history)


# Random commands of scenarios; random games are in tests/screens/test_meeting.py


short = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    derandomize=True,
)


@pytest.mark.parametrize("system", laws.editions())
@short
@given(data=st.data())
def test_a_step_is_pure(system: System, data: st.DataObject) -> None:
    cases = pool(system)
    _, history = random_opening(data, system, cases)
    raw = random_command(data, cases, history.state)
    if raw["do"] not in history.system.verbs:
        return  # of the log, or of another definition
    described = as_json(history.state)
    try:
        command = read(history.system, raw, system.seating.default_by(history.state))
        first = step(history.system, history.state, command)
    except Refused:
        assert described == as_json(history.state)
        return
    second = step(history.system, history.state, command)

    assert described == as_json(history.state)
    assert first[0] == second[0]
    assert [event.to_json() for event in first[1]] == [event.to_json() for event in second[1]]


# Anything may arrive from outside


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 10**7)
    | st.floats()
    | st.sampled_from(["", "a", "ana", "A", "all", "main", "age ", "\u202e", "field", "x" * 200]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=4,
)


@pytest.mark.parametrize("system", laws.editions())
@short
@given(data=st.data())
def test_a_command_made_of_anything_is_refused_or_keeps_the_laws(
    system: System, data: st.DataObject
) -> None:
    cases = pool(system)
    _, history = random_opening(data, system, cases)
    for _ in range(8):
        raw = random_command(data, cases, history.state)
        for key in data.draw(st.lists(st.sampled_from([*sorted(raw), "by", "id", "note", "huh"]))):
            raw[key] = data.draw(JUNK)
        laws.give(history, raw)


@pytest.mark.parametrize("system", SYSTEMS, ids=TITLES)
def test_a_number_is_whole_and_within_its_bounds(system: System) -> None:
    numbers = [
        (f"{name}.{each.key}", each.reader)
        for name, verb in system.verbs.items()
        for each in parameters(verb.command)
        if each.reader.least is not None and not (each.reader.many or each.reader.keyed)
    ]
    assert numbers
    for where, reader in numbers:
        least, most = reader.least or 0, reader.most or 0
        others = (least - 1, most + 1, float(least), least + 0.5, True, str(least))
        assert [least, most] == [n for n in (least, most, *others) if _accepts(reader, n)], where


def _accepts(reader: Reader, value: Any) -> bool:
    try:
        reader.read(value, None)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("note", ["", "a\nb", "\u202e", "\ud800"], ids=ascii)
@pytest.mark.parametrize("system", SYSTEMS, ids=TITLES)
def test_text_that_no_screen_can_show_is_invalid(system: System, note: str) -> None:
    history = opened(system, pool(system)[0])
    with pytest.raises(Refused) as refused:
        history.give({"do": "undo", "note": note})

    assert refused.value.code == "invalid"


@pytest.mark.parametrize("raw", [None, [], "undo", 3, {}, {"do": None}, {"do": ["place"]}])
@pytest.mark.parametrize("system", SYSTEMS, ids=TITLES)
def test_anything_but_a_command_is_invalid(system: System, raw: Any) -> None:
    history = opened(system, pool(system)[0])
    with pytest.raises(Refused) as refused:
        history.give(raw)

    assert refused.value.code == "invalid"


# The rules by number


SHARED = "games.tracks."
"""Modules that games with a GM's table share; the other modules of the rules implement no
numbered rule.
"""


def module_of(system: System) -> str:
    """The module (or package) that defines *system*."""
    for cls in (system.components.object, system.components.seat, system.components.slot_counter):
        if cls.__module__.startswith("games.systems."):
            return ".".join(cls.__module__.split(".")[:3])
    if system.components.slot_counter.__module__.startswith(SHARED):
        return f"games.systems.{system.name.replace('-', '_')}"
    raise AssertionError(f"{system.name} has no class of its own")


def packages_of(system: System) -> tuple[str, ...]:
    """The packages of *system*'s code: its own, and what it shares with other games like it."""
    shares = any(
        cls.__module__.startswith(SHARED) for cls in system.components.slot_counter.__mro__
    )
    return (f"{module_of(system)}.", *((SHARED,) if shares else ()))


@pytest.mark.parametrize("system", SYSTEMS, ids=TITLES)
def test_every_rule_is_implemented_or_left_to_the_players_with_a_reason(system: System) -> None:
    cited: set[str] = set()
    for module, numbers in CITED.items():
        if f"{module}.".startswith(packages_of(system)):
            cited |= numbers

    assert set() == set(system.rulebook.rules) - cited - set(system.rulebook.not_tracked)
    assert all(reason.strip() for reason in system.rulebook.not_tracked.values())


@pytest.mark.parametrize("system", SYSTEMS, ids=TITLES)
def test_every_implemented_rule_has_a_scenario(system: System) -> None:
    shown = {number for case in pool(system) for number in case.get("cites", [])}

    assert set() == set(system.rulebook.rules) - shown - set(system.rulebook.not_tracked)


@pytest.mark.parametrize("system", SYSTEMS, ids=TITLES)
def test_every_rule_names_its_document_and_edition(system: System) -> None:
    for number, rule in system.rulebook.rules.items():
        assert rule.text.strip(), number
        assert rule.document.strip(), number
        assert rule.edition.strip(), number


@pytest.mark.parametrize("system", SYSTEMS, ids=TITLES)
def test_every_rule_that_an_event_or_refusal_names_exists(system: System) -> None:
    for case in pool(system):
        history, refused = scenario.play(case, system.of_table(case))
        shared = table_rules.applying_to(system)
        readable = {None, *history.system.rulebook.rules, *shared}
        for entry in history.entries:
            assert set() == {event.get("rule") for event in entry.events} - readable
        said = {refusal.rule for refusal in refused.values()}
        assert set() == said - readable


def test_scenario_files_are_json_lists_with_ids_of_their_own() -> None:
    for path in laws.SCENARIOS.glob("*.json"):
        ids = [each["id"] for each in json.loads(path.read_text(encoding="utf8"))]

        assert len(ids) == len(set(ids)), path.name


def test_a_table_holds_so_much_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_ITEMS", 2)
    system = find("any-game")
    table = History(system, scenario.opening(system, {"given": {"seats": {"ana": {}}}}))
    for name in ("one", "two"):
        table.give({"do": "create", "by": "ana", "as": name})

    with pytest.raises(Refused, match="The table is full: it holds"):
        table.give({"do": "create", "by": "ana", "as": "three"})
    first = next(iter(table.state.objects))
    table.give({"do": "place", "by": "ana", "on": first, "counter": "fuel"})
    assert 2 == len(table.state.objects)


def test_a_place_holds_so_many_kinds_of_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are drawn when one changes: a seat with thousands would hold up every table."""
    monkeypatch.setattr(log, "MOST_KINDS", 2)
    monkeypatch.setattr(log, "MOST_ITEMS", 3)
    system = find("any-game")
    table = History(system, scenario.opening(system, {"given": {"seats": {"ana": {}, "ben": {}}}}))
    place = {"do": "place", "by": "ana", "on": "ana"}
    for kind in ("one", "two", "two"):
        table.give({**place, "counter": kind})

    steps = [{"do": "place", "on": "ana", "counter": kind} for kind in ("one", "three")]
    for more in ({**place, "counter": "three"}, {"do": "together", "by": "ana", "steps": steps}):
        with pytest.raises(Refused, match="at most 2 kinds of counters in one place"):
            table.give(more)
    table.give({**place, "on": "ben", "counter": "one"})
    with pytest.raises(Refused, match="The table is full: it holds 3"):
        table.give({**place, "on": "ben", "counter": "two"})
    assert [("one", "two"), ("one",)] == [(*table.state.on(seat),) for seat in ("ana", "ben")]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"teams": {f"t{n}": {"seats": []} for n in range(13)}}, "more than 12 teams"),
        ({"turn": {"active": ["ana"] * 1000}}, "to a seat twice"),
    ],
)
def test_a_file_brings_no_more_than_seats_can_have(more: dict[str, Any], why: str) -> None:
    with pytest.raises(scenario.SpecificationError, match=why):
        record.read(find("magic"), {"given": {"seats": {"ana": {}}, **more}, "when": []})


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        ({"ana": {"counters": {f"k{n}": 1 for n in range(101)}}}, "100 kinds of counters in one"),
        (
            {seat: {"counters": {f"k{n}": 1 for n in range(100)}} for seat in ("ana", "ben")},
            "150 counters of different kinds",
        ),
    ],
)
def test_a_file_brings_no_more_kinds_of_counters(
    monkeypatch: pytest.MonkeyPatch, seats: dict[str, Any], why: str
) -> None:
    monkeypatch.setattr(record, "MOST_ITEMS", 150)

    with pytest.raises(scenario.SpecificationError, match=f"more than {why}"):
        record.read(find("any-game"), {"given": {"seats": seats}, "when": []})


def test_a_log_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_ENTRIES", 2)
    system = find("any-game")
    table = History(system, scenario.opening(system, {"given": {"seats": {"ana": {}}}}))
    place = {"do": "place", "by": "ana", "on": "ana", "counter": "points"}
    table.give({**place, "id": "first"})
    table.give(place)

    with pytest.raises(Refused, match="The log of this game is full"):
        table.give(place)
    assert table.give({**place, "id": "first"}).entry is None
    assert 2 == table.number


def test_a_seat_with_marks_says_which_class_it_needs() -> None:
    with pytest.raises(TypeError, match="Player has marks, so it must be a PlayerSeat, not a Seat"):

        class Player(Seat, frozen=True):
            marks = {"tired": bool}

    class Other(PlayerSeat, frozen=True):
        marks = {"tired": bool}
