"""Magic: its rules one by one, and what holds at every table after every command.

The cases in tests/scenarios/magic*.json are run by test_core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from games.rules import scenario
from games.rules.history import History
from games.rules.state import MOST
from games.rules.system import Effect, System
from games.systems import find
from games.systems.magic import CURRENT, EDITIONS, rules
from games.systems.magic.effects import cannot_lose
from games.systems.magic.formats import FORMATS, Format
from games.systems.magic.player import Side, held, life_of, player, side_of
from tests import laws
from tests.laws import refusal, say
from tests.systems.evening import Evening
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


# Any table

SEATS = st.sampled_from(["ana", "ben", "cleo", "dan"])
THINGS = ["bear", "imp", "card"]
ON = st.sampled_from([*THINGS, "ana", "ben", "cleo", "dan"])
KINDS = st.sampled_from(["rad", "poison", "+1/+1", "-1/-1", "energy", "loyalty"])
FEW = st.integers(0, 4)
SWITCHES = st.fixed_dictionaries(
    {},
    optional={
        "shared_turns": st.booleans(),
        "shared_life": st.booleans(),
        "shared_poison": st.booleans(),
        "poison_limit": st.integers(4, 15),
        "life": st.integers(3, 12),
        "counters": st.fixed_dictionaries({"poison": FEW}),
    },
)
SPLITS: list[list[list[str]]] = [
    [],
    [["ana", "ben"], ["cleo", "dan"]],
    [["ben", "cleo", "dan"]],
    [["dan", "ana"]],
]


SHIFTS = st.dictionaries(st.sampled_from(["power", "toughness"]), st.integers(-3, 3))
CHANGES = st.fixed_dictionaries({"add": SHIFTS}) | st.fixed_dictionaries({"set": SHIFTS})
CHANGES |= st.just({"swap": True})
STANDING_IDS = st.sampled_from(["s1", "s2", "s3", "s4"])
WAYS = st.sampled_from(
    [{"times": 2}, {"plus": 1}, {"half": "down"}, {"half": "up"}, {"none": True}]
)
ABOUT = st.fixed_dictionaries(
    {},
    optional={
        "whose": st.sampled_from(["any", "yours", "opponents", "team"]),
        "of": st.sampled_from(["permanents", "players"]),
        "kinds": st.lists(KINDS, min_size=1, max_size=3, unique=True),
        "putter": st.sampled_from(["you", "opponents", "anybody"]),
        "effects_only": st.booleans(),
    },
)
PRINTED_NUMBERS = st.dictionaries(st.sampled_from(["power", "loyalty"]), st.integers(0, 3))


class Table(Evening, RuleBasedStateMachine):
    """Four seats in teams of any kind play at random; the laws hold throughout."""

    edition = "2026-08"

    @initialize(
        seats=st.lists(
            st.fixed_dictionaries(
                {"counters": st.dictionaries(st.sampled_from(["rad", "energy"]), FEW)},
                optional={
                    "life": st.integers(2, 12),
                    "mills_times": st.integers(1, 3),
                    "cannot_lose_life": st.booleans(),
                    "gains_from_radiation": st.booleans(),
                    "cannot_get_counters": st.booleans(),
                },
            ),
            min_size=4,
            max_size=4,
        ),
        things=st.lists(
            st.fixed_dictionaries(
                {"owner": SEATS, "counters": st.dictionaries(KINDS, FEW, max_size=3)},
                optional={
                    "token": st.booleans(),
                    "zone": st.sampled_from(["battlefield", "battlefield", "library", "exile"]),
                    "base": st.fixed_dictionaries({"loyalty": FEW}),
                },
            ),
            min_size=3,
            max_size=3,
        ),
        split=st.sampled_from(SPLITS),
        switches=st.lists(SWITCHES, min_size=2, max_size=2),
        order=st.permutations(CURRENT.automatic.effects),
    )
    def open(
        self,
        seats: list[Json],
        things: list[Json],
        split: list[list[str]],
        switches: list[Json],
        order: Sequence[Effect],
    ) -> None:
        self.system = find("magic", self.edition)
        given = {
            "seats": dict(zip(("ana", "ben", "cleo", "dan"), seats, strict=True)),
            "objects": dict(zip(THINGS, things, strict=True)),
            "teams": {f"t{i}": {"seats": team, **switches[i]} for i, team in enumerate(split)},
            "turn": {"active": ["ana"], "phase": "upkeep"},
        }
        self.history = History(self.system, self.system.opening(self.system, given, {}))
        shuffled = laws.reordered(self.system, order)
        self.shuffled = History(shuffled, self.history.opening)
        self.turned_back = False
        self.keep_books()

    def keep_books(self) -> None:
        """The starting point to which only the log is added."""
        opening = self.history.opening
        self.counters = {holder: dict(kinds) for holder, kinds in opening.counters.items()}
        self.life = {seat: player(opening, seat).life for seat in opening.seats}
        for team in opening.teams.values():
            assert isinstance(team, Side)
            self.life[f"team:{team.id}"] = team.life

    def say(self, do: str, **parameters: Any) -> bool:
        command = {"do": do, **{key.rstrip("_"): each for key, each in parameters.items()}}
        number, before = self.history.number, self.history.state
        refused = laws.give(self.history, command)
        again = laws.give(self.shuffled, command)
        assert (refused and refused.code) == (again and again.code)
        assert self.history.state == self.shuffled.state, "the order of effects matters"
        if self.history.number == number:
            return False
        events = self.history.entries[-1].events
        for event in events:
            self.count(event)
        self.nothing_is_lost_on_the_way(events)
        if not self.turned_back:
            self.balance()
        if command["do"] == "begin-phase" and command["phase"] == "precombat-main":
            assert before.turn
            asked = [event["to"] for event in events if event["kind"] == "prompted"]
            assert asked == [s for s in sorted(before.turn.active) if before.count(s, "rad")]
        return True

    def nothing_is_lost_on_the_way(self, events: Sequence[Json]) -> None:
        """The rest of a putting after its standings is put next; nothing if they leave none."""
        for event, following in pairwise([*events, {}]):
            if event["kind"] == "replaced":
                left = event["amounts"][-1]
                assert len(event["by"]) == len(event["amounts"]) - 1
                put = following.get("kind") == "placed" and following["on"] == event["on"]
                same = put and following["counter"] == event["counter"]
                assert (same and left == following["amount"]) if left else not same

    def count(self, event: Mapping[str, Any]) -> None:
        """Keep books from the log alone, until something is undone."""
        kind = event["kind"]
        holder = f"team:{event['team']}" if "team" in event else event.get("on")
        self.turned_back = self.turned_back or kind in ("undone", "redone", "restarted")
        if self.turned_back:
            return
        self.count_who_is_out(self.counters, event)
        if kind in ("placed", "removed", "spent"):
            amount = event["amount"] if kind == "placed" else -event["amount"]
            kinds = self.counters.setdefault(holder or "", {})
            kinds[event["counter"]] = kinds.get(event["counter"], 0) + amount
        elif kind == "corrected" and "counter" in event:
            self.counters.setdefault(holder or "", {})[event["counter"]] = event["to"]
        elif kind == "corrected":
            assert self.life[holder or ""] == event["from"]
            self.life[holder or ""] = event["to"]
        elif kind in ("life-lost", "life-gained"):
            amount = event["amount"] if kind == "life-gained" else -event["amount"]
            self.life[holder or event["seat"]] += amount
        elif kind == "moved":
            kinds = {k: n for k, n in self.counters.pop(event["object"], {}).items() if n}
            assert kinds == event["had"]

    def balance(self) -> None:
        state = self.history.state
        kept = {
            holder: {kind: n for kind, n in kinds.items() if n}
            for holder, kinds in self.counters.items()
        }
        assert {holder: kinds for holder, kinds in kept.items() if kinds} == {
            holder: dict(kinds) for holder, kinds in state.counters.items()
        }
        for seat in state.seats:
            assert self.life[seat] == player(state, seat).life

    @rule(on=ON, kind=KINDS, amount=FEW, by=SEATS)
    def place(self, on: str, kind: str, amount: int, by: str) -> None:
        self.say("place", on=on, counter=kind, amount=amount, by=by)

    @rule(on=st.lists(ON, min_size=1, max_size=3, unique=True), kinds=st.dictionaries(KINDS, FEW))
    def place_several(self, on: list[str], kinds: dict[str, int]) -> None:
        self.say("place", on=on, counters=kinds)

    @rule(do=st.sampled_from(["spend", "remove"]), on=ON, kind=KINDS, amount=FEW)
    def take(self, do: str, on: str, kind: str, amount: int) -> None:
        self.say(do, on=on, counter=kind, amount=amount)

    @rule(on=ON)
    def remove_all(self, on: str) -> None:
        if self.say("remove", on=on, amount="all"):
            assert {} == held(self.history.state, on)

    @rule(from_=ON, to=ON, kind=KINDS, amount=FEW)
    def transfer(self, from_: str, to: str, kind: str, amount: int) -> None:
        self.say("transfer", from_=from_, to=to, counter=kind, amount=amount)

    @rule(on=ON, kind=KINDS, to=st.sampled_from([0, 1, 5, MOST]))
    def correct(self, on: str, kind: str, to: int) -> None:
        self.say("correct", on=on, counter=kind, to=to)

    @rule(on=ON, life=st.integers(-2, 20))
    def correct_life(self, on: str, life: int) -> None:
        self.say("correct", on=on, life=life)

    @rule(do=st.sampled_from(["gain-life", "lose-life"]), seat=SEATS, amount=FEW)
    def change_life(self, do: str, seat: str, amount: int) -> None:
        self.say(do, seat=seat, amount=amount)

    @rule(seats=st.lists(SEATS, min_size=1, unique=True), amount=FEW)
    def drain(self, seats: list[str], amount: int) -> None:
        self.say("lose-life", seats=seats, amount=amount)

    @rule(seat=SEATS, from_=st.sampled_from(["bear", "Kess"]), amount=st.integers(0, 12))
    def strike(self, seat: str, from_: str, amount: int) -> None:
        self.say("commander-damage", seat=seat, from_=from_, amount=amount)

    @rule(choose=st.lists(ON, unique=True, max_size=4))
    def proliferate(self, choose: list[str]) -> None:
        before = self.history.state
        if self.say("proliferate", choose=choose):
            placed = [e for e in self.history.entries[-1].events if e["kind"] == "placed"]
            replaced = [e for e in self.history.entries[-1].events if e["kind"] == "replaced"]
            assert replaced or all(1 == event["amount"] for event in placed)
            shared = [event["team"] for event in placed if "team" in event]
            assert len(set(shared)) == len(shared)
            assert all(held(before, holder) for holder in choose)

    @rule(as_=STANDING_IDS, thing=st.sampled_from([None, *THINGS]), way=WAYS, about=ABOUT, by=SEATS)
    def stand(self, as_: str, thing: str | None, way: Json, about: Json, by: str) -> None:
        self.say("standing", as_=as_, by=by, **way, **about, **({"object": thing} if thing else {}))

    @rule(standing=STANDING_IDS)
    def end_standing(self, standing: str) -> None:
        self.say("end-standing", standing=standing)

    @rule(
        on=st.lists(ON, min_size=1, max_size=3, unique=True),
        kind=KINDS,
        amount=FEW,
        cause=st.sampled_from(["cost", "rule"]),
        order=st.lists(STANDING_IDS, max_size=2, unique=True),
        putter=SEATS,
    )
    def place_for_a_reason(
        self, on: list[str], kind: str, amount: int, cause: str, order: list[str], putter: str
    ) -> None:
        how = {"cause": cause, "order": order, "putter": putter}
        self.say("place", on=on, counter=kind, amount=amount, **how)

    @rule(on=ON, mark=st.sampled_from(["cannot_lose_life", "cannot_get_counters"]))
    def mark(self, on: str, mark: str) -> None:
        self.say("mark", on=on, mark=mark)

    @rule(obj=st.sampled_from(THINGS), how=CHANGES, lasting=st.booleans())
    def alter(self, obj: str, how: Json, lasting: bool) -> None:
        self.say("change", object=obj, lasting=lasting, **how)

    @rule(obj=st.sampled_from(THINGS), base=PRINTED_NUMBERS, commander=st.booleans())
    def describe(self, obj: str, base: dict[str, int], commander: bool) -> None:
        self.say("describe", object=obj, base=base, commander=commander)

    @rule(obj=st.sampled_from(THINGS), to=st.sampled_from(CURRENT.zones), kinds=KINDS)
    def move(self, obj: str, to: str, kinds: str) -> None:
        if not self.say("move", object=obj, to=to, counters={kinds: 2}):
            self.say("move", object=obj, to=to)

    @rule(active=st.lists(SEATS, min_size=1, max_size=2, unique=True))
    def begin_turn(self, active: list[str]) -> None:
        if self.say("begin-turn", active=active):
            seats, now = self.history.state.seats, self.history.state.turn
            assert now
            # What could not lose until the turn ended may lose as this one begins.
            assert {seat for seat in active if not seats[seat].lost} <= set(now.active)
            for seat in now.active:
                team = side_of(self.history.state, seat)
                assert seat in active or (team and team.shared_turns)

    @rule()
    def main(self) -> None:
        self.say("begin-phase", phase="precombat-main")

    @rule(phase=st.sampled_from(CURRENT.phases))
    def begin_phase(self, phase: str) -> None:
        self.say("begin-phase", phase=phase)

    @rule(data=st.data(), honest=st.booleans(), short=st.booleans())
    def answer(self, data: st.DataObject, honest: bool, short: bool) -> None:
        state = self.history.state
        if not state.prompts:
            return
        prompt = data.draw(st.sampled_from([each.id for each in state.prompts]))
        to = state.prompt(prompt).to
        owed = state.count(to, "rad") * player(state, to).mills_times
        milled = data.draw(st.integers(0, min(owed, 12))) if short else min(owed, MOST)
        nonland = data.draw(st.integers(0, min(milled, 6)))
        if honest:
            assert self.say(
                "answer",
                prompt=prompt,
                by=to,
                milled=milled,
                nonland=nonland,
                library_empty=milled < owed,
            )
        else:
            self.say("answer", prompt=prompt, by=to, milled=milled + 1, nonland=nonland)
            self.say("answer", prompt=prompt, by=to)

    @rule(data=st.data(), do=st.sampled_from(["copy", "void"]))
    def respond(self, data: st.DataObject, do: str) -> None:
        if self.history.state.prompts:
            prompts = [each.id for each in self.history.state.prompts]
            assert self.say(do, prompt=data.draw(st.sampled_from(prompts)), by="dan")

    @rule(seat=SEATS)
    def leave(self, seat: str) -> None:
        if self.say("leave", seat=seat):
            assert self.history.state.seats[seat].lost

    @rule(sure=st.integers(0, 5))
    def restart(self, sure: int) -> None:
        if sure == 0 and self.say("restart"):
            state = self.history.state
            assert {} == dict(state.counters)
            assert () == state.prompts

    @rule(entry=st.integers(1, 12), do=st.sampled_from(["undo", "redo"]), newest=st.booleans())
    def turn_back(self, entry: int, do: str, newest: bool) -> None:
        if newest:
            self.say(do)
        else:
            self.say(do, entry=entry)

    @invariant()
    def opposites_never_lie_together_on_the_battlefield(self) -> None:
        state = self.history.state
        for obj in state.objects.values() if state.settled else ():
            if obj.on_field:
                kinds = state.on(obj.id)
                assert not ("+1/+1" in kinds and "-1/-1" in kinds), obj

    @invariant()
    def who_should_have_lost_has(self) -> None:
        state = self.history.state
        for seat in state.remaining() if state.settled else ():
            team = side_of(state, seat.id)
            if cannot_lose(state, seat.id):
                continue
            assert life_of(state, seat.id) > 0
            poison = held(state, seat.id).get("poison", 0)
            limit = team.poison_limit if team and team.shared_poison else 10
            assert poison < limit, seat
            assert all(damage < 21 for damage in player(state, seat.id).commander_damage.values())
            if team and team.shared_life:
                assert not any(state.seats[mate].lost for mate in team.seats)

    @invariant()
    def it_stays_the_same_when_stored_and_replayed(self) -> None:
        laws.log_leads_to_state(self.history)

    @invariant()
    def nobody_who_lost_counts(self) -> None:
        state = self.history.state
        totals = scenario.whole(self.history)["totals"]
        rad = sum(state.count(seat.id, "rad") for seat in state.remaining())
        assert totals.get("rad", 0) == rad


class TableOf2024(Table):
    edition = "2024-06"


often = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestTable = Table.TestCase
TestTable.settings = often
TestTableOf2024 = pytest.mark.sweep(TableOf2024.TestCase)
TestTableOf2024.settings = settings(often, max_examples=10)


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
