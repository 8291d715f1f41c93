"""Pokémon TCG: its finer rules, and what is true of every table after every command.

The cases in tests/scenarios/pokemon.json are run by test_core.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from games.models import Game
from games.rules.history import History
from games.rules.scenario import SpecificationError, opening
from games.rules.state import GameState, Prompt
from games.screens.drawing import Drawing
from games.screens.turn import step_from
from games.systems import find, presentation_of
from games.systems.pokemon import CURRENT
from games.systems.pokemon.card import (
    ACTIVE,
    CONDITIONS,
    DAMAGE,
    PRIZES,
    SETUP,
    Pokemon,
    Stage,
    active,
    bench,
    derived,
    in_play,
    phase,
    player,
    pokemon,
    worth,
)
from games.systems.pokemon.knocked_out import due, over, suspended
from games.systems.pokemon.known import BELOW, LANGUAGES, PRINTED_HP, evolves_into, offer_cards
from tests import laws, meeting
from tests.laws import refusal, say


def table(turn: str = "turn", active: str = "ana", **objects: Any) -> History:
    """Ana and Ben in their third turns, with these Pokémon; the first of each is Active."""
    given = {
        "seats": {"ana": {"turns": 3}, "ben": {"turns": 3}},
        "objects": objects,
        "turn": {"active": [active], "phase": turn},
    }
    return History(CURRENT, CURRENT.opening(CURRENT, given, {}))


def mine(hp: int = 100, damage: int = 0, **more: Any) -> dict[str, Any]:
    return {"hp": hp, "counters": {"damage": damage} if damage else {}, **more}


def bens(hp: int = 100, damage: int = 0, **more: Any) -> dict[str, Any]:
    return mine(hp, damage, owner="ben", **more)


# fmt: off
WORTH = [
    # name                        Prize cards
    ("Pikachu",                   1),
    ("V",                         1),
    ("Vex",                       1),
    ("Latex",                     1),
    ("Unown V",                   2),
    ("Blastoise-EX",              2),
    ("Lucario & Melmetal-GX",     3),
    ("Radiant Greninja",          1),
    ("Mega Absol ex",             3),
    ("Mega Gengar",               1),
    ("M Gengar-EX",               2),
    ("Primal Kyogre-EX",          2),
    ("Terapagos ex",              2),
    ("Lillie's Poké Doll",        0),
]
CONDITION_AFTER = [
    # rule            before                             one more     after
    ("Conditions 2",  {},                                "asleep",    {"turned": "asleep"}),
    ("Conditions 2",  {"turned": "asleep"},              "confused",  {"turned": "confused"}),
    ("Asleep 3",      {"turned": "asleep", "coins": 2},  "confused",  {"coins": 1}),
    ("Conditions 2",  {"turned": "paralyzed"},           "asleep",    {"turned": "asleep"}),
    ("Conditions 2",  {"turned": "asleep"},              "poisoned",  {"turned": "asleep"}),
    ("Poisoned 2",    {"poisoned": 150},                 "poisoned",  {"poisoned": 10}),
    ("Burned 2",      {"burned": 60},                    "burned",    {"burned": 60}),
    ("Burned 2",      {"burned": 10},                    "burned",    {"burned": 20}),
]
CHECKUP = [
    # rule         conditions                        more                 damage  coins
    ("Poisoned 1", {"poisoned": 10},                 {},                  10,     []),
    ("Poisoned 1", {"poisoned": 150},                {},                  150,    []),
    ("Poisoned 3", {"poisoned": 10},                 {"poison_more": 50}, 60,     []),
    ("Poisoned 3", {"burned": 20},                   {"poison_more": 50}, 20,     ["burned"]),
    ("Poisoned 3", {},                               {"burn_more": 30},   0,      []),
    ("Burned 1",   {"burned": 20, "poisoned": 10},   {"burn_more": 30},   60,     ["burned"]),
    ("Asleep 2",   {"turned": "asleep"},             {},                  0,      ["asleep"]),
    ("Checkup 1",  {"turned": "asleep", "burned": 20}, {},                20, ["burned", "asleep"]),
    ("Confused 1", {"turned": "confused"},           {},                  0,      []),
]
PARALYZED = [
    # whose turn, began in, number of the turn: still Paralyzed after its Checkup
    ("ana", 5, 6, False),
    ("ana", 6, 6, True),
    ("ben", 5, 6, True),
    ("ben", 6, 6, True),
    ("ana", -1, 6, False),
]
# fmt: on


GREEN = "Türkisgrüne-Maske-Ogerpon-ex"


@pytest.mark.parametrize("typed", PRINTED_HP)
def test_every_known_card_can_be_added_as_it_is_offered(typed: str) -> None:
    history = table()
    (known,) = [each for each in offer_cards(typed, most=99) if each.name == typed]

    say(history, "create", as_="mon", by="ana", name=known.name, **known.printed)

    assert (PRINTED_HP[typed], ACTIVE) == (
        pokemon(history.state, "mon").hp,
        pokemon(history.state, "mon").zone,
    )


@pytest.mark.parametrize(
    ("name", "into"),
    [
        ("Drakloak", ["Dragapult ex"]),
        ("dreepy", ["Dragapult ex", "Drakloak"]),
        ("Dragapult ex", []),
        ("Somebody", []),
        ("Phandra", ["Katapuldra-ex"]),
        ("Kirlia", ["Gardevoir ex"]),
    ],
)
def test_a_pokemon_evolves_into_the_known_cards_that_go_on_it(name: str, into: list[str]) -> None:
    mon = Pokemon("mon", name, ACTIVE, "ana", "ana", hp=60)

    assert into == [each.name for each in evolves_into(mon)]


@pytest.mark.parametrize(
    ("typed", "name"), [("glurak", "Glurak-ex"), ("ferropalm", "Ferropalmas ex"), ("türkis", GREEN)]
)
def test_a_pokemon_is_found_by_its_german_and_spanish_name(typed: str, name: str) -> None:
    (found,) = offer_cards(typed)

    assert (name, 2) == (found.name, worth(found.name))


def test_every_known_evolution_has_its_hp() -> None:
    assert BELOW.keys() <= PRINTED_HP.keys()
    assert {*PRINTED_HP, *(each for below in BELOW.values() for each in below)} >= {
        name for language in LANGUAGES for name in language
    }


@pytest.mark.parametrize(("name", "prizes"), WORTH, ids=[case[0] for case in WORTH])
def test_prizes_follow_the_name(name: str, prizes: int) -> None:
    assert prizes == worth(name)


@pytest.mark.parametrize(
    ("number", "before", "condition", "after"),
    CONDITION_AFTER,
    ids=[f"{case[0]}-{case[2]}" for case in CONDITION_AFTER],
)
def test_conditions_after_one_more(
    number: str, before: dict[str, Any], condition: str, after: dict[str, Any]
) -> None:
    history = table(eevee=mine(**before))
    say(history, "afflict", object="eevee", condition=condition)
    eevee = pokemon(history.state, "eevee")

    assert number in CURRENT.rulebook.rules
    assert after == {part: getattr(eevee, part) for part in after}


@pytest.mark.parametrize(
    ("number", "mon", "seat", "damage", "asked"),
    CHECKUP,
    ids=[f"{case[0]}-{n}" for n, case in enumerate(CHECKUP)],
)
def test_checkup_follows_its_rules(
    number: str, mon: dict[str, Any], seat: dict[str, int], damage: int, asked: list[str]
) -> None:
    history = table(eevee=mine(300, **mon))
    for mark, value in seat.items():
        say(history, "mark", on="ana", mark=mark, value=value)
    say(history, "checkup")

    assert number in CURRENT.rulebook.rules
    assert damage == history.state.count("eevee", DAMAGE)
    assert asked == [prompt.kind for prompt in history.state.prompts]


@pytest.mark.parametrize(("whose", "began", "number", "stays"), PARALYZED)
def test_when_paralyzed_ends(whose: str, began: int, number: int, stays: bool) -> None:
    history = table(active=whose, eevee=mine(turned="paralyzed", turned_in=began))
    assert number == player(history.state, "ana").turns + player(history.state, "ben").turns
    say(history, "checkup")

    assert stays == ("paralyzed" in pokemon(history.state, "eevee").conditions)


def test_marks_shown_of_a_pokemon_and_of_a_player() -> None:
    history = table(eevee=mine(120, 70, hp_change=30, burned=20, turned="asleep"), mew=mine(0))
    state = history.state

    assert {"conditions": ["burned", "asleep"], "most_hp": 150, "remaining": 80} == derived(
        CURRENT, state, state.objects["eevee"]
    )
    assert {"conditions": []} == derived(CURRENT, state, state.objects["mew"])
    assert {"prizes_taken": 0, "knocked_out_last_turn": False} == derived(
        CURRENT, state, state.seats["ana"]
    )


def test_a_knock_out_is_told_in_the_order_of_the_rules() -> None:
    history = table(eevee=mine(), pikachu=bens(60), snorlax=bens())
    events = say(history, "damage", on="pikachu", amount=60, cause="attack")
    events += say(history, "answer", prompt="prizes:ana")

    assert [
        ("damaged", None),
        ("placed", None),
        ("knocked-out", "Knocked Out 1"),
        ("moved", "Knocked Out 5"),
        ("prompted", "Prizes 3"),
        ("answered", None),
        ("prizes-taken", "Prizes 3"),
        ("promoted", "Knocked Out 7"),
    ] == [(each["kind"], each.get("rule")) for each in events]


def test_a_winner_by_the_prize_cards_is_not_asked_for_a_new_active_pokemon() -> None:
    history = table(eevee=mine(60), mew=mine(), ditto=mine(), pikachu=bens(60), snorlax=bens())
    say(history, "correct", on="ana", counter=PRIZES, to=1)
    say(history, "attack", object="eevee")
    say(history, "damage", on=["eevee", "pikachu"], amount=60)
    say(history, "begin-phase", phase="end")
    say(history, "answer", prompt="prizes:ana")
    events = say(history, "answer", prompt="prizes:ben", by="ben")

    assert ["answered", "prizes-taken", "lost", "ended"] == [each["kind"] for each in events]
    assert () == history.state.prompts


@pytest.mark.parametrize("effects", [*permutations(CURRENT.automatic.effects)])
def test_an_active_pokemon_that_leaves_while_its_coin_waits_is_followed_after_the_knock_outs(
    effects: tuple[Any, ...],
) -> None:
    """A coin that makes no sense any more holds up no Knock Out, and no new Active comes first."""
    history = table(
        "checkup", eevee=mine(100, 120), mew=mine(), pikachu=bens(burned=20), snorlax=bens()
    )
    state = history.state
    coin = Prompt("burned:pikachu", "burned", "ben", "pikachu", {"coins": 1})
    state = replace(state, prompts=(coin,), settled=True)
    history = History(laws.reordered(CURRENT, effects), state)
    history.give({"do": "move", "object": "pikachu", "to": "deck", "by": "ben"})

    state = history.state
    assert ["prizes:ben"] == [each.id for each in state.prompts]
    assert ("discard", "bench", "bench") == tuple(
        state.objects[each].zone for each in ("eevee", "mew", "snorlax")
    )


def test_a_lost_player_is_asked_nothing_and_the_table_may_go_on() -> None:
    history = table(eevee=mine(), mew=mine(), ditto=mine(), pikachu=bens(60), snorlax=bens(60))
    say(history, "leave", seat="ben")
    say(history, "damage", on="pikachu", amount=60)
    say(history, "answer", prompt="prizes:ana")
    say(history, "move", object="eevee", to="hand")

    assert "won" == history.state.result
    assert () == history.state.prompts


def test_a_player_alone_takes_no_prize_cards_and_wins_nothing() -> None:
    given = {"seats": {"ana": {}}, "objects": {"eevee": mine(60)}, "turn": {"phase": "turn"}}
    history = History(CURRENT, CURRENT.opening(CURRENT, given, {}))
    say(history, "damage", on="eevee", amount=60)

    assert () == history.state.prompts
    assert history.state.result is None


def test_damage_never_stops_at_the_hp() -> None:
    history = table("attack", eevee=mine(), pikachu=bens(60))
    say(history, "damage", on="pikachu", amount=400)

    assert 400 == history.state.count("pikachu", DAMAGE)
    assert [pokemon(history.state, "pikachu")] == due(history.state)


def test_no_checkup_makes_more_damage_than_a_pokemon_holds() -> None:
    history = table(eevee=mine(0, poisoned=10, burned=20))
    say(history, "correct", on="eevee", counter=DAMAGE, to=999_970)

    assert "over-maximum" == refusal(history, "checkup").code

    say(history, "correct", on="eevee", counter=DAMAGE, to=999_960)

    assert "over-maximum" == refusal(history, "checkup", also={"eevee": 10}).code


def test_refusals_are_sentences_with_the_names_of_pokemon() -> None:
    history = table(o1=mine(name="Charizard ex", turned="asleep"), o2=mine(name="Pidgey"))

    assert "Charizard ex is Asleep and cannot retreat." == (
        refusal(history, "retreat", object="o1", to="o2").message
    )
    assert "Pidgey is on the Bench" in (
        refusal(history, "afflict", object="o2", condition="burned").message
    )
    assert "Charizard ex is not Burned." == (
        refusal(history, "cure", object="o1", condition="burned").message
    )
    assert (
        "15 is not a multiple"
        in refusal(history, "place", on="o1", counter=DAMAGE, amount=15).message
    )


def test_cards_below_an_evolution_survive_a_stay_on_disk() -> None:
    history = table(eevee=mine(below=[{"name": "Eevee", "hp": 60, "prizes": 1}]))
    loaded = laws.reloaded(history)

    assert (Stage("Eevee", 60, 1),) == pokemon(loaded.state, "eevee").below


WRONG = {
    "two Active Pokémon": {"objects": {"a": {"zone": ACTIVE}, "b": {"zone": ACTIVE}}},
    "a Bench of six": {"objects": {each: {} for each in "abcdefg"}},
    "no Prize card": {"seats": {"ana": {"counters": {PRIZES: 0}}}},
}


@pytest.mark.parametrize("given", WRONG.values(), ids=list(WRONG))
def test_an_opening_that_no_game_could_have_is_none(given: Mapping[str, Any]) -> None:
    with pytest.raises(SpecificationError):
        opening(CURRENT, {"given": {"seats": {"ana": {}}, **given}})


# A table at random

IDS = st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h", "new"])
SEATS = st.sampled_from(["ana", "ben"])
KINDS = st.sampled_from([DAMAGE, DAMAGE, PRIZES, "char"])
TENS = st.sampled_from([0, 10, 20, 30, 60, 120, 15])
HP = st.sampled_from([0, 30, 60, 120])
COINS = st.sampled_from(["heads", "tails"])
MARKS = st.sampled_from([*CURRENT.components.object.marks, *CURRENT.components.seat.marks])
VALUES = st.booleans() | st.sampled_from([1, 3, 6, 20])


class Table(RuleBasedStateMachine):
    """Two players play at random; what must be true after every command is true."""

    @initialize(
        tie=st.sampled_from(CURRENT.rulebook.settings["tie"].values),
        prizes=st.integers(1, 3),
        places=st.lists(st.tuples(SEATS, HP), min_size=4, max_size=8),
        turn=st.sampled_from(CURRENT.phases),
    )
    def begin(self, tie: str, prizes: int, places: list[tuple[str, int]], turn: str) -> None:
        given = {
            "seats": {seat: {"counters": {PRIZES: prizes}} for seat in ("ana", "ben")},
            "objects": {
                name: {"owner": seat, "hp": hp, "zone": "discard" if number > 5 else None}
                for number, (name, (seat, hp)) in enumerate(zip("abcdefgh", places, strict=False))
            },
            "turn": {"active": ["ana"], "phase": turn},
        }
        self.history = History(CURRENT, CURRENT.opening(CURRENT, given, {"tie": tie}))

    def say(self, do: str, **parameters: Any) -> None:
        said = {key.rstrip("_"): each for key, each in parameters.items()}
        laws.give(self.history, {"do": do, **said})

    @rule(on=IDS | SEATS, kind=KINDS, amount=TENS)
    def place(self, on: str, kind: str, amount: int) -> None:
        self.say("place", on=on, counter=kind, amount=amount)

    @rule(do=st.sampled_from(["spend", "remove"]), on=IDS | SEATS, kind=KINDS, amount=TENS)
    def take(self, do: str, on: str, kind: str, amount: int) -> None:
        self.say(do, on=on, counter=kind, amount=amount)

    @rule(from_=IDS, to=IDS, kind=KINDS, amount=TENS)
    def transfer(self, from_: str, to: str, kind: str, amount: int) -> None:
        self.say("transfer", from_=from_, to=to, counter=kind, amount=amount)

    @rule(on=IDS | SEATS, kind=KINDS, to=TENS)
    def correct(self, on: str, kind: str, to: int) -> None:
        self.say("correct", on=on, counter=kind, to=to)

    @rule(on=st.lists(IDS, min_size=1, max_size=3, unique=True), amount=TENS)
    def damage(self, on: list[str], amount: int) -> None:
        self.say("damage", on=on, amount=amount)

    @rule(on=IDS, until=TENS)
    def damage_until(self, on: str, until: int) -> None:
        self.say("damage", on=on, until=until)

    @rule(on=IDS, amount=TENS)
    def heal(self, on: str, amount: int) -> None:
        self.say("heal", on=on, amount=amount)

    @rule(object_=IDS, condition=st.sampled_from(CONDITIONS))
    def afflict(self, object_: str, condition: str) -> None:
        self.say("afflict", object=object_, condition=condition)

    @rule(object_=IDS)
    def cure(self, object_: str) -> None:
        self.say("cure", object=object_)

    @rule(hp=HP, owner=SEATS)
    def create(self, hp: int, owner: str) -> None:
        self.say("create", as_="new", hp=hp, owner=owner)

    @rule(object_=IDS, to=st.sampled_from(CURRENT.zones))
    def move(self, object_: str, to: str) -> None:
        self.say("move", object=object_, to=to)

    @rule(object_=IDS)
    def switch(self, object_: str) -> None:
        self.say("switch", object=object_)

    @rule(object_=IDS, to=IDS)
    def retreat(self, object_: str, to: str) -> None:
        self.say("retreat", object=object_, to=to)

    @rule(object_=IDS, hp=HP, anyway=st.booleans())
    def evolve(self, object_: str, hp: int, anyway: bool) -> None:
        self.say("evolve", object=object_, name="Mew VMAX", hp=hp, anyway=anyway)

    @rule(object_=IDS)
    def devolve(self, object_: str) -> None:
        self.say("devolve", object=object_)

    @rule(object_=IDS, amount=st.sampled_from([-30, 20, 50]))
    def change_hp(self, object_: str, amount: int) -> None:
        self.say("change-hp", object=object_, amount=amount)

    @rule(object_=IDS, also=st.dictionaries(IDS, TENS, max_size=2))
    def knock_out(self, object_: str, also: dict[str, int]) -> None:
        self.say("knock-out", object=object_, also=also)

    @rule(on=IDS | SEATS, mark=MARKS, value=VALUES)
    def mark(self, on: str, mark: str, value: bool | int) -> None:
        self.say("mark", on=on, mark=mark, value=value)

    @rule(object_=IDS, anyway=st.booleans())
    def attack(self, object_: str, anyway: bool) -> None:
        self.say("attack", object=object_, anyway=anyway)

    @rule(active=SEATS, extra=st.booleans())
    def begin_turn(self, active: str, extra: bool) -> None:
        self.say("begin-turn", active=[active], extra=extra)

    @rule(phase=st.sampled_from(CURRENT.phases))
    def begin_phase(self, phase: str) -> None:
        self.say("begin-phase", phase=phase)

    @rule(also=st.dictionaries(IDS, TENS, max_size=2))
    def checkup(self, also: dict[str, int]) -> None:
        self.say("checkup", also=also)

    @rule(data=st.data(), coin=COINS, prizes=st.integers(0, 6))
    def answer(self, data: st.DataObject, coin: str, prizes: int) -> None:
        if not (waiting := self.history.state.prompts):
            return
        prompt = data.draw(st.sampled_from(waiting))
        facts: dict[str, Any] = {"coin": coin}
        if prompt.kind == PRIZES:
            facts = {"prizes": prizes}
        elif prompt.kind == "promote":
            facts = {"object": data.draw(IDS)}
        elif prompt.kind == "bench":
            facts = {"objects": [each.id for each in bench(self.history.state, prompt.to)][:1]}
        self.say("answer", prompt=prompt.id, by=prompt.to, **facts)

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        if waiting := self.history.state.prompts:
            self.say("void", prompt=data.draw(st.sampled_from(waiting)).id)

    @rule(do=st.sampled_from(["undo", "redo"]))
    def turn_back(self, do: str) -> None:
        self.say(do)

    @rule()
    def store_and_load(self) -> None:
        self.history = laws.reloaded(self.history)

    @invariant()
    def damage_is_in_tens_and_in_play(self) -> None:
        state = self.history.state
        for holder, kinds in state.counters.items():
            assert not kinds.get(DAMAGE, 0) % 10
            assert PRIZES not in kinds or holder in state.seats
            if holder in state.objects:
                assert state.objects[holder].on_field

    @invariant()
    def only_the_active_pokemon_has_conditions(self) -> None:
        for obj in self.history.state.objects.values():
            assert isinstance(obj, Pokemon)
            assert obj.controller == obj.owner
            if obj.zone != ACTIVE:
                assert () == obj.conditions
            if not obj.on_field:
                assert (0, False, False) == (obj.hp_change, obj.doomed, obj.immune)

    @invariant()
    def places_are_taken_once(self) -> None:
        state = self.history.state
        for seat in state.seats:
            assert sum(each.zone == ACTIVE for each in in_play(state, seat)) <= 1
            if state.settled and over(state, seat) and not state.seats[seat].lost:
                assert state.result or self.is_asked(state)

    def is_asked(self, state: GameState) -> bool:
        """True if something comes first, or is asked just now."""
        return bool(state.prompts) or phase(state) == SETUP

    @invariant()
    def nobody_without_hp_stands_when_it_is_looked_at(self) -> None:
        state = self.history.state
        if state.settled and not suspended(state):
            assert [] == due(state)

    @invariant()
    def there_is_an_active_pokemon_or_one_is_asked_for(self) -> None:
        state = self.history.state
        if not state.settled or state.result or self.is_asked(state):
            return
        for seat in state.remaining():
            assert active(state, seat.id) or not bench(state, seat.id)

    @invariant()
    def a_game_goes_on_until_somebody_has_won(self) -> None:
        state = self.history.state
        if not state.settled or state.result or phase(state) == SETUP:
            return
        if not any(prompt.kind == PRIZES for prompt in state.prompts):
            assert all(state.count(seat, PRIZES) for seat in state.seats)

    def teardown(self) -> None:
        if hasattr(self, "history"):
            laws.log_leads_to_state(self.history)


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=80,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize(
    ("name", "prizes"),
    [
        ("Lillie’s Poké Doll", 0),
        ("Lillie's Poké Doll", 0),
        ("Robo Substitute", 0),
        ("Flygon ex δ", 2),
        ("Altaria ex δ", 2),
        ("Dragonite δ", 1),
        ("Lugia LEGEND", 1),
        ("Entei & Raikou LEGEND", 2),
    ],
)
def test_prizes_follow_the_name_as_phones_write_it(name: str, prizes: int) -> None:
    assert prizes == worth(name)


COMMANDS = (Path(__file__).parents[2] / "docs" / "COMMANDS.md").read_text(encoding="utf8")
ROWS = dict(
    re.findall(
        r"^\| `([a-z-]+)` \([^|]*\| ([^|]*) \|",
        COMMANDS.partition("### Pokémon")[2].partition("\n## ")[0],
        re.MULTILINE,
    )
)
"""By verb: what the page says that it is refused for."""
ANY = {"invalid", "unknown", "gone", "forbidden", "not-waiting"}
"""Refused before the verb has a reason of its own (Commands 3)."""
ELSEWHERE = {"place", "spend", "remove", "transfer", "correct", "create", "move", "describe"}
ELSEWHERE |= {"answer", "leave"}
"""The verbs that are as in other card games, or told in sentences."""


def test_every_verb_has_its_row_on_the_page_of_commands() -> None:
    own = {
        verb
        for verb, its in CURRENT.verbs.items()
        if its.command.__module__.startswith("games.systems.pokemon.")
    }

    assert own - ELSEWHERE == set(ROWS)


def test_a_refusal_is_one_of_those_that_the_page_of_commands_names() -> None:
    seen = set()
    for seed in range(60):
        chance = Random(seed)
        history = meeting.opening(CURRENT, chance)
        for _ in range(30):
            raw = meeting.command(CURRENT, history.state, chance)
            verb, code = raw.get("do"), meeting.code(history, raw)
            if verb in ROWS and code and code not in ANY:
                assert f"`{code}`" in ROWS[verb], (verb, code, raw)
                seen.add((verb, code))

    assert len(seen) > 20


@pytest.mark.parametrize(
    ("phase", "active", "step"),
    [
        ("setup", {}, "turn"),
        ("turn", {}, ""),
        ("turn", {"asleep": True}, "checkup"),
        ("attack", {}, ""),
        ("attack", {"poisoned": 10}, "checkup"),
        ("attack", {"counters": {"damage": 100}}, "end"),
        ("checkup", {"poisoned": 10}, ""),
    ],
)
def test_a_turn_ends_in_one_tap_unless_a_knock_out_or_a_condition_waits(
    phase: str, active: dict[str, Any], step: str
) -> None:
    asleep = active.get("asleep")
    mon = {"turned": "asleep", "turned_in": 1} if asleep else active
    history = table(
        phase, mon={**mine(), "zone": "active", **mon}, his={**bens(), "zone": "active"}
    )

    assert step == step_from(Drawing(CURRENT), history.state)


def test_a_game_stored_under_the_edition_s_former_name_is_still_played() -> None:
    assert find("pokemon", "2023-07") is CURRENT
    assert Game(system="pokemon", edition="2023-07").rules is CURRENT


@pytest.mark.parametrize(
    ("foe", "expected"),
    [
        ({"hp": 330, "counters": {"damage": 120}}, ([250], [210, 110, 240])),
        (
            {"hp": 240, "hp_change": -30, "counters": {"damage": 40}},
            ([180, 200, 250], [170, 90, 200]),
        ),
        ({"hp": 0}, ([], [])),
        ({"hp": 60, "zone": "bench"}, None),
    ],
)
def test_an_attackers_sheet_says_what_knocks_out(foe: dict[str, Any], expected: Any) -> None:
    given = {"seats": {"ana": {"turns": 1}, "ben": {"turns": 1}},
             "objects": {"fox": {"hp": 90}, "foe": {**foe, "owner": "ben"}},
             "turn": {"active": ["ana"], "phase": "turn"}}  # fmt: skip
    state = CURRENT.opening(CURRENT, given, {})
    facts = presentation_of(CURRENT).sheets.object_facts

    found = [
        (
            [int(each.id) for each in way.targets if each.falls],
            [*getattr(way.note, "facts", {}).values()],
        )
        for way in facts(CURRENT, state, state.objects["fox"], lambda obj: obj.name)["attacks"]
    ]

    assert ([expected] if expected else []) == found
    assert not facts(CURRENT, state, state.objects["foe"], lambda obj: obj.name)["attacks"]
