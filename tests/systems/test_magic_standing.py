"""Replacement effects on counters: the order chosen, the log, the preview.

The cases in tests/scenarios/replacement-*.json are run by test_core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.models import Game
from games.rules import scenario
from games.rules.history import History
from games.rules.state import Refused
from games.rules.system import System
from games.screens.boards import log_lines
from games.screens.log.undo_button import next_undo_and_redo
from games.store import rows
from games.systems.controls import Stepper
from games.systems.magic import CURRENT, EDITIONS, replacing
from games.systems.magic.presentation import PRESENTATION
from games.systems.magic.previews import completed, gives
from games.systems.magic.replacement_effects import Putting, Standing
from games.systems.magic.replacing import decided, replaced
from tests import laws
from tests.types import Json, Make

SCALES = {"object": "scales", "name": "Hardened Scales", "plus": 1}
SEASON = {"object": "season", "effects_only": True, "times": 2}
VORINCLEX = {"name": "Vorinclex", "seat": "ben", "kinds": ["oil"], "half": "down"}
SOLEMNITY = {"name": "Solemnity", "seat": "ben", "kinds": ["age"], "none": True}
OBJECTS = {
    "scales": {"name": "The Scales"},
    "season": {"name": "Doubling Season"},
    "bear": {"name": "Bear", "types": ["creature"]},
}


def table(**standing: Json) -> History:
    """Ana and Ben; Ana controls a Bear and two enchantments."""
    described = {"seats": {"ana": {}, "ben": {}}, "objects": OBJECTS, "standing": standing}
    return History(CURRENT, CURRENT.opening(CURRENT, described, {}))


def put(history: History, **facts: Any) -> Json | None:
    """The log's text of a replaced putting on the Bear, if there is one."""
    applied = history.give({"do": "place", "on": "bear", **facts})
    assert applied.entry
    return next((each for each in applied.entry.events if each["kind"] == "replaced"), None)


# The order, against every order there is

CHANGES: dict[str, Callable[[int, Any], int]] = {
    "times": lambda amount, by: amount * by,
    "plus": lambda amount, by: amount + by,
    "half": lambda amount, way: (amount + 1) // 2 if way == "up" else amount // 2,
}
CHANGE = st.one_of(
    st.tuples(st.just("times"), st.integers(2, 9)),
    st.tuples(st.just("plus"), st.integers(1, 9)),
    st.tuples(st.just("half"), st.sampled_from(["down", "up"])),
)
ONE = st.builds(
    lambda change, late: {change[0]: change[1], "effects_only": late}, CHANGE, st.booleans()
)
IDS = ["a", "a-b", "ab", "b", "b2", "b10"]
FEW = st.dictionaries(st.sampled_from(IDS), ONE, min_size=1, max_size=5)


def possible(
    standing: dict[str, Json], amount: int, *, effect: bool, order: Sequence[str]
) -> Iterator[tuple[list[str], list[int]]]:
    """Every list of ids that Standing 6 allows, with its amounts, found by trying them all."""
    for tried in permutations(sorted(standing)):
        by: list[str] = []
        amounts = [amount]
        left = list(tried)
        while amounts[-1] and left:
            now = [each for each in left if effect or by or not standing[each]["effects_only"]]
            named = [each for each in order if each in now]
            if not now:
                break
            chosen = named[0] if named else now[0]
            left.remove(chosen)
            change = next(each for each in CHANGES if each in standing[chosen])
            by.append(chosen)
            amounts.append(CHANGES[change](amounts[-1], standing[chosen][change]))
        yield by, amounts


@settings(max_examples=300, deadline=None)
@given(
    standing=FEW,
    amount=st.integers(1, 12),
    kind=st.sampled_from(["oil", "+1/+1", "stun", "-1/-1"]),
    cause=st.sampled_from([None, "rule", "cost"]),
    order=st.lists(st.sampled_from(IDS), unique=True, max_size=3),
)
def test_the_order_is_the_best_there_is_and_of_those_the_first(
    standing: dict[str, Json], amount: int, kind: str, cause: str | None, order: list[str]
) -> None:
    named = [each for each in order if each in standing]
    facts = {"counter": kind, "amount": amount, "order": named}
    event = put(table(**standing), **facts, **({"cause": cause} if cause else {}))
    sign = 1 if kind in ("stun", "-1/-1") else -1
    every = possible(standing, amount, effect=cause is None, order=named)
    by, amounts = min(every, key=lambda found: (sign * found[1][-1], found[0]))

    assert (by, amounts) == ((event["by"], event["amounts"]) if event else ([], [amount]))


EIGHT = st.lists(ONE, min_size=8, max_size=8)


@settings(max_examples=50, deadline=None)
@given(changes=EIGHT, amount=st.integers(1, 12), kind=st.sampled_from(["oil", "stun"]))
def test_eight_are_decided_without_trying_every_order(
    changes: list[Json], amount: int, kind: str
) -> None:
    """Of 8 there are 40,320 orders with 109,600 steps; a few milliseconds are enough for 8,000."""
    state = table(**{f"s{number}": each for number, each in enumerate(changes)}).state
    with pytest.MonkeyPatch.context() as patch:
        steps = count_calls(patch, Standing, "changed")
        replaced(state, Putting("ana", "bear", kind, amount))

    assert 8 <= len(steps) < 8000


# More than eight: the rules ask for an order, and the table names it

PUTTINGS: list[Json] = [
    {"do": "place", "on": "bear", "counter": "+1/+1", "amount": 2},
    {"do": "together", "steps": [{"do": "place", "on": "bear", "counter": "+1/+1", "amount": 2}]},
]
TEN = [{"times": 2}] * 5 + [{"plus": 1}] * 5


def many(changes: list[Json]) -> dict[str, Json]:
    return {f"s{number}": each for number, each in enumerate(changes)}


@pytest.mark.parametrize("command", PUTTINGS, ids=["alone", "together"])
def test_an_unnamed_order_of_ten_is_the_one_a_player_would_choose(command: Json) -> None:
    history = table(**many(TEN))
    with pytest.raises(Refused) as asked:
        history.give(command)
    history.give(completed(CURRENT, history.state, command))

    assert ("choose", (2 + 5) * 32) == (asked.value.code, history.state.count("bear", "+1/+1"))


def test_a_kind_that_harms_comes_as_few_times_as_ten_effects_allow() -> None:
    history = table(**many(TEN))
    command = {"do": "place", "on": "bear", "counter": "stun"}
    history.give(completed(CURRENT, history.state, command))

    assert 32 + 5 == history.state.count("bear", "stun")


def test_wrong_and_short_orders_stay_as_they_were_given() -> None:
    state = table(**many(TEN)).state
    wrong = {"do": "place", "on": "bear", "counter": "+1/+1", "order": ["missing"]}
    few = table(**many(TEN[2:])).state

    assert wrong == completed(CURRENT, state, wrong)
    assert PUTTINGS[0] == completed(CURRENT, few, PUTTINGS[0])


@settings(max_examples=100, deadline=None)
@given(
    changes=st.lists(ONE, min_size=1, max_size=8),
    amount=st.integers(1, 12),
    cause=st.sampled_from([None, "cost"]),
    few=st.booleans(),
)
def test_many_are_decided_as_a_few_are(
    changes: list[Json], amount: int, cause: str | None, few: bool
) -> None:
    """Up to eight both ways of looking for the order are possible, and find the same number."""
    state, kind = table(**many(changes)).state, "stun" if few else "oil"
    putting = Putting("ana", "bear", kind, amount, cause)
    usual = replaced(state, putting)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replacing, "MOST_UNNAMED", 0)
        named = decided(state, putting)

    assert usual.amount == replaced(state, named).amount


FORTY = [
    ("forty copies of one card", [{"plus": 1}] * 40, 42),
    ("of four cards", [{"times": 2}, {"plus": 1}, {"plus": 2}, {"half": "down"}] * 10, None),
    (
        "all unlike",
        [{"times": n} for n in range(2, 10)] + [{"plus": n} for n in range(1, 10)],
        None,
    ),
]


@pytest.mark.parametrize(("what", "changes", "becomes"), FORTY, ids=[each[0] for each in FORTY])
def test_forty_that_change_one_number_are_decided_in_a_few_steps(
    what: str, changes: list[Json], becomes: int | None
) -> None:
    history = table(**many(changes))
    command = {"do": "place", "on": "bear", "counter": "oil", "amount": 2}
    with pytest.MonkeyPatch.context() as patch:
        steps = count_calls(patch, Standing, "changed")
        named = completed(CURRENT, history.state, command)

    assert len(changes) - 8 == len(named["order"])
    assert len(steps) < 50_000
    if becomes:
        history.give(named)
        assert becomes == history.state.count("bear", "oil")


def test_many_copies_are_told_as_one_step_with_their_number() -> None:
    copies = [{"plus": 1, "name": "Hardened Scales"}] * 12
    history = table(**many(copies), z1=SEASON, z2=SEASON)
    command = {"do": "place", "on": "bear", "counter": "+1/+1"}
    event = put(history, **completed(CURRENT, history.state, command))

    assert event
    assert event["text"] == (
        "1, +1 Hardened Scales (12), ×2 Doubling Season, ×2 Doubling Season: 52"
    )


def test_too_many_counters_are_refused_in_words_and_no_plus_promises_them() -> None:
    history = table(**many([{"times": 2}] * 40))
    command = {"do": "place", "on": "bear", "counter": "oil"}
    named = completed(CURRENT, history.state, command)
    with pytest.raises(Refused) as refused:
        history.give(named)
    plus = Stepper("bear", "oil", 0)

    assert "over-maximum" == refused.value.code
    taps = gives(PRESENTATION.board.taps, history.state, plus)
    assert all(each.amount == each.tapped for each in taps)


def count_calls(patch: pytest.MonkeyPatch, cls: type, name: str) -> list[None]:
    """A list that grows by one with every call of that method."""
    calls: list[None] = []
    method = getattr(cls, name)

    def counted(self: Any, *given: Any) -> Any:
        calls.append(None)
        return method(self, *given)

    patch.setattr(cls, name, counted)
    return calls


# Where nothing applies


def without_standing(played: History) -> list[Any]:
    """The result of a case without standing effects."""
    whole = {**scenario.whole(played), "standing": None}
    return [whole, *(entry.events for entry in played.entries)]


@pytest.mark.parametrize("system", EDITIONS, ids=lambda system: system.edition)
def test_a_standing_about_something_else_changes_nothing(system: System) -> None:
    about_nothing = {"unheard-of": {"kinds": ["never put"], "plus": 1}}
    cases = [case for case, where in laws.all_scenarios() if where is system]
    for case in cases:
        if "standing" in case["given"]:
            continue
        stands = {**case, "given": {**case["given"], "standing": about_nothing}}
        played, refused = scenario.play(case, system)
        again, refused_again = scenario.play(stands, system)

        assert without_standing(played) == without_standing(again), case["id"]
        assert {step: each.code for step, each in refused.items()} == {
            step: each.code for step, each in refused_again.items()
        }


# What is told


TWICE = "1 becomes 4 (+1 Hardened Scales, ×2 Doubling Season)"
THRICE = "2 becomes 4 (÷2 Vorinclex, +1 Hardened Scales, ×2 Doubling Season)"
# fmt: off
LOGGED = [
    # what is put                           what the log says
    ({"counter": "oil", "amount": 2},       f"oil on Bear: {THRICE}"),
    ({"counter": "ki"},                     f"ki on Bear: {TWICE}"),
    ({"counter": "ki", "cause": "rule"},    f"ki on Bear: {TWICE}"),
    ({"counter": "age", "amount": 3},       "Bear can’t get age counters: Solemnity"),
]
# fmt: on


@pytest.fixture
def magic(make_game: Make) -> Game:
    return make_game("magic", objects=OBJECTS)


def said(game: Game) -> list[list[str]]:
    game.refresh_from_db()
    return [[part.text for part in line.parts] for line in log_lines(game, "ana")]


@pytest.mark.parametrize(("facts", "sentence"), LOGGED)
def test_the_log_tells_each_step(magic: Game, facts: Json, sentence: str) -> None:
    stands = {"scales": SCALES, "season": SEASON, "half": VORINCLEX, "none": SOLEMNITY}
    said_to_stand = [{"do": "standing", "as": key, **each} for key, each in stands.items()]
    rows.give(magic, [*said_to_stand, {"do": "place", "on": "bear", **facts}])

    assert sentence == said(magic)[-1][0]


def test_the_log_tells_what_stands_and_what_no_longer_does(magic: Game) -> None:
    rows.give(
        magic,
        [
            {"do": "standing", "as": "scales", **SCALES},
            {"do": "standing", "as": "none", **SOLEMNITY},
            {"do": "end-standing", "standing": "scales"},
            {"do": "end-standing", "standing": "none"},
        ],
    )

    assert [
        ["Hardened Scales: counters come with one more"],
        ["Solemnity: no age counters"],
        ["Hardened Scales no longer counts"],
        ["Solemnity no longer counts"],
    ] == said(magic)


def test_the_line_of_a_putting_says_why(magic: Game) -> None:
    stands = [{"do": "standing", "as": "scales", **SCALES}, {"do": "standing", "as": "s", **SEASON}]
    rows.give(magic, [*stands, {"do": "place", "on": "bear", "counter": "oil"}])
    steps, placed = log_lines(magic, "ana")[-1].parts

    assert ("616.1", CURRENT.rulebook.rules["616.1"].text) == (steps.rule, steps.why)
    assert ("4 oil on Bear", 0, 4) == (placed.text, placed.before, placed.after)


def test_undo_says_what_was_put_in_the_end(magic: Game) -> None:
    stands = [{"do": "standing", "as": "scales", **SCALES}, {"do": "standing", "as": "s", **SEASON}]
    rows.give(magic, [*stands, {"do": "place", "on": "bear", "counter": "oil"}])

    assert "Undo: +4 oil, Bear (Ana)" == next_undo_and_redo(magic, "ana")["undo_text"]


def test_quick_taps_whose_number_was_changed_stay_lines_of_their_own(magic: Game) -> None:
    tap = {"do": "place", "on": "bear", "counter": "oil"}
    rows.give(magic, [tap, tap, {"do": "standing", "as": "scales", **SCALES}, tap, tap])

    assert [
        ["2 oil on Bear"],
        ["Hardened Scales: counters come with one more"],
        ["oil on Bear: 1 becomes 2 (+1 Hardened Scales)", "2 oil on Bear"],
        ["oil on Bear: 1 becomes 2 (+1 Hardened Scales)", "2 oil on Bear"],
    ] == said(magic)


REFUSED = [
    ({"counter": "age", "cause": "cost"}, "Bear can't get age counters; the cost can't be paid."),
    ({"counter": "oil"}, "9 effects would change this number; say in which order they apply."),
    ({"counter": "ki", "order": ["x"]}, "There is no standing “x” here."),
]


@pytest.mark.parametrize(("facts", "why"), REFUSED)
def test_a_refusal_says_why(facts: Json, why: str) -> None:
    nine = {f"s{number}": {"kinds": ["oil"], "plus": 1} for number in range(9)}
    with pytest.raises(Refused) as refused:
        put(table(none=SOLEMNITY, **nine), **facts)

    assert why == refused.value.message
    assert refused.value.rule in {None, *CURRENT.rulebook.rules}


# Before it is put


def test_the_previewed_amount_is_what_the_command_puts() -> None:
    history = table(scales=SCALES, season=SEASON, half=VORINCLEX)
    for kind, cause in (("oil", None), ("ki", "cost"), ("-1/-1", "rule"), ("time", None)):
        would = replaced(history.state, Putting("ana", "bear", kind, 2, cause))
        event = put(history, counter=kind, amount=2, **({"cause": cause} if cause else {}))

        assert event
        assert (would.by, would.amounts) == (tuple(event["by"]), tuple(event["amounts"]))
        assert would.amount == history.state.count("bear", kind)


def test_a_card_that_enters_with_the_counters_does_not_change_them() -> None:
    state = table(scales=SCALES, season=SEASON).state
    entering = Putting("ana", "bear", "oil", entering=frozenset({"season"}))

    assert (1, 2, 4) == replaced(state, Putting("ana", "bear", "oil")).amounts
    assert (1, 2) == replaced(state, entering).amounts


def test_one_who_gets_no_counters_asks_no_standing() -> None:
    seats: Json = {"ana": {"cannot_get_counters": True}}
    state = CURRENT.opening(CURRENT, {"seats": seats, "standing": {"s": {"plus": 1}}}, {})

    would = replaced(state, Putting("ana", "ana", "rad", 3))
    assert ((), (0,)) == (would.by, would.amounts)


# An opening from anywhere


@pytest.mark.parametrize(
    "standing",
    [
        {"plus": 0},
        {"plus": 1, "times": 2},
        {"object": "nothing", "plus": 1},
        {"seat": "dan", "plus": 1},
        {"object": "bear", "seat": "ana", "plus": 1},
        {"plus": 1, "you": "ana"},
        {"none": False},
        {"plus": 1, "name": ""},
    ],
)
def test_a_standing_that_no_one_could_say_makes_no_opening(standing: Json) -> None:
    described = {"seats": {"ana": {}}, "objects": OBJECTS, "standing": {"s": standing}}
    with pytest.raises(scenario.SpecificationError):
        scenario.opening(CURRENT, {"given": described})


def test_no_number_of_the_log_is_too_large_for_a_browser() -> None:
    more = {f"m{number}": {"seat": "ana", "times": 9} for number in range(20)}
    less = {f"n{number}": {"seat": "ana", "half": "down"} for number in range(60)}
    event = put(table(**more, **less), counter="oil", order=[*more, *less])

    assert event
    assert 2**53 - 1 == max(event["amounts"])
    assert 0 == event["amounts"][-1]
