"""Pokémon TCG: its finer rules, one by one.

The cases in tests/scenarios/pokemon.json are run by test_core,
what holds at every table is in tables.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from games.models import Game
from games.rules.history import History
from games.rules.scenario import SpecificationError, opening
from games.rules.state import Prompt
from games.screens.drawing import Drawing
from games.screens.turn import step_from
from games.systems import find, presentation_of
from games.systems.pokemon import CURRENT, card_acts
from games.systems.pokemon.card import (
    ACTIVE,
    DAMAGE,
    PRIZES,
    Pokemon,
    Stage,
    derived,
    player,
    pokemon,
    worth,
)
from games.systems.pokemon.knocked_out import due
from games.systems.pokemon.known import CARDS, KNOWN, evolves_into
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


NAMES = ("Charmander", "Charmeleon", "Charizard ex")
GREEN = "Türkisgrüne-Maske-Ogerpon-ex"


@pytest.mark.parametrize("typed", [name for name, card in CARDS.items() if card.hp])
def test_every_known_card_can_be_added_as_it_is_offered(typed: str) -> None:
    history = table()
    (known,) = [each for each in KNOWN.offer(typed, most=99) if each.name == typed]

    say(history, "create", as_="mon", by="ana", name=known.name, **known.printed)

    assert (CARDS[typed].hp, ACTIVE) == (
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
        ("Kirlia", ["Gardevoir ex", "Mega Gardevoir ex"]),
        ("Glumanda", ["Glurak-ex", "Glutexo"]),
    ],
)
def test_a_pokemon_evolves_into_the_known_cards_that_go_on_it(name: str, into: list[str]) -> None:
    mon = Pokemon("mon", name, ACTIVE, "ana", "ana", hp=60)

    assert into == [each.name for each in evolves_into(mon)]


@pytest.mark.parametrize(
    ("typed", "name"), [("glurak", "Glurak-ex"), ("ferropalm", "Ferropalmas ex"), ("türkis", GREEN)]
)
def test_a_pokemon_is_found_by_its_german_and_spanish_name(typed: str, name: str) -> None:
    (found,) = KNOWN.offer(typed)

    assert (name, 2) == (found.name, worth(found.name))


def test_what_an_evolution_goes_on_comes_with_the_hp_of_its_set() -> None:
    assert [("Charmander", 60), ("Charmeleon", 90), ("Charizard ex", 330)] == [
        (found.name, found.hp) for found in map(KNOWN.called, NAMES) if found
    ]


def test_every_known_evolution_has_its_hp() -> None:
    assert [] == [name for name, card in CARDS.items() if card.below and not card.hp]
    below = {each for card in CARDS.values() for each in card.below}
    assert {name for name, card in CARDS.items() if not card.hp} <= below <= CARDS.keys()


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


# fmt: off
ATTACKS = [
    # attacks before                        damage  offered                  counts
    ((),                                    0,      [30, 60, 90, 120, 160],  (False, False)),
    (({"amount": 70, "weakness": True},),   70,     [30, 60, 70, 90, 120],   (True, False)),
    (({"amount": 70, "weakness": True}, {"amount": 50, "resistance": True}),
                                            50,     [30, 50, 60, 70, 120],   (False, True)),
    (({"amount": 0, "weakness": True},),    0,      [30, 60, 90, 120, 160],  (True, False)),
]
# fmt: on


@pytest.mark.parametrize(("before", "damage", "offered", "pair"), ATTACKS)
def test_an_attack_begins_with_what_the_last_one_of_that_name_was(
    before: tuple[dict[str, Any], ...], damage: int, offered: list[int], pair: tuple[bool, bool]
) -> None:
    history = table(fox=mine(name="Fox"), vine=bens(300, name="Vine"))
    for hit in before:
        say(history, "attack", object="fox", on="vine", ends=True, **hit)
        say(history, "begin-turn", active=["ana"], by="ana")
    find_facts = presentation_of(CURRENT).sheets.seat_facts

    fight = find_facts(CURRENT, history.state, history.state.seats["ana"], str)["fight"]

    assert (damage, offered) == (fight["amount"], fight["amounts"])
    assert pair == (fight["weak"], fight["resists"])


@pytest.mark.parametrize(
    ("fox", "others", "refused"),
    [
        ({}, {"vine": bens()}, None),
        ({"turned": "asleep"}, {"vine": bens()}, "prohibited"),
        ({"turned": "confused"}, {"vine": bens()}, None),
        ({}, {"vine": bens(zone="bench")}, ""),
    ],
)
def test_an_attack_says_what_forbids_it(
    fox: dict[str, Any], others: dict[str, Any], refused: str | None
) -> None:
    state = table(fox=mine(**fox), **others).state
    find_facts = presentation_of(CURRENT).sheets.seat_facts

    fight = find_facts(CURRENT, state, state.seats["ben"], str)["fight"]

    assert refused == (fight["refused"] and fight["refused"].code if fight["attacker"] else "")


@pytest.mark.parametrize("name", card_acts.ACTS)
def test_what_a_known_card_does_is_a_tap_that_the_rules_accept(name: str) -> None:
    act = card_acts.ACTS[name]
    whose = "ben" if act.theirs else "ana"
    history = table(
        active=whose, first=mine(200, 40, name="First"), it=mine(CARDS[name].hp, 10, name=name),
        foe=bens(400, 60, name="Foe"), other=bens(90, 20, name="Other"),
    )  # fmt: skip
    sheets_of = presentation_of(CURRENT).sheets.object_facts
    it = history.state.objects["it"]

    ways = sheets_of(CURRENT, history.state, it, lambda obj: obj.name)["attacks"]

    assert act.source
    assert ways
    before = history.state
    for way in ways:
        for target in way.targets:
            steps = json.loads(target.id)
            again = History(CURRENT, before)
            events = say(again, "together", steps=steps, by="ana")
            assert [each for each in events if each.get("mark") != "ability_used"]
            used = any(each.get("mark") == "ability_used" for each in events)
            assert act.often != used, "once in a turn, or as often as one likes"


def test_a_known_card_says_its_own_weakness_and_the_table_remembers_another() -> None:
    history = table(fox=mine(name="Fox"), clay=bens(80, name="Claydol"))
    find_facts = presentation_of(CURRENT).sheets.seat_facts

    def fight() -> Any:
        return find_facts(CURRENT, history.state, history.state.seats["ana"], str)["fight"]

    assert (False, 20, 30) == (fight()["weak"], fight()["more"], fight()["resisted"])
    say(
        history, "attack", object="fox", on="clay", amount=10, weakness=10, resistance=20, ends=True
    )
    say(history, "begin-turn", active=["ana"], by="ana")
    assert (True, 10, 20) == (fight()["weak"], fight()["more"], fight()["resisted"])


def test_an_ability_that_was_used_is_not_offered_again_in_that_turn() -> None:
    history = table(it=mine(110, 30, name="Munkidori"), foe=bens(100, name="Foe"))
    sheets_of = presentation_of(CURRENT).sheets.object_facts

    def ways() -> Any:
        it = history.state.objects["it"]
        return sheets_of(CURRENT, history.state, it, lambda obj: obj.name)["attacks"]

    (way,) = ways()
    say(history, "together", steps=json.loads(way.targets[0].id))

    assert {"n": 30, "name": "Munkidori"} == way.title.facts
    assert (0, 30) == (history.state.count("it", DAMAGE), history.state.count("foe", DAMAGE))
    assert [] == ways()


def test_known_cards_say_the_damage_that_they_print_and_what_depends_on_their_counters() -> None:
    history = table(it=mine(70, 60, name="Driftlon"), foe=bens(300))
    find_facts = presentation_of(CURRENT).sheets.seat_facts

    fight = find_facts(CURRENT, history.state, history.state.seats["ana"], str)["fight"]

    assert 180 in fight["amounts"]
    assert card_acts.ACTS.keys() <= {name for name, card in CARDS.items() if card.hp}
    assert 100 <= len(CARDS) + len(card_acts.TOOLS)
