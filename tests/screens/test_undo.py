"""The words of Undo: what it will take, what it took, and which lines stand in its way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.models import Game
from games.rules import scenario
from games.rules.history import History
from games.rules.secrecy import private_log
from games.rules.state import Refused
from games.screens.boards import log_lines, log_of
from games.screens.log.log import SIZE
from games.screens.log.undo import TakenBack, acts, taken_back
from games.screens.log.undo_button import (
    MOST,
    UNDO,
    has_room,
    label,
    next_among,
    next_undo_and_redo,
    words_for,
)
from games.store import rows
from games.systems import current, find, named_by, presentation_of
from games.systems.magic.player import life_of
from tests.live.test_cost import Calls
from tests.types import Json, Make

NAMES = {"ana": "Ana", "ben": "Ben", "cleo": "Cleo"}
BALLISTA = {"name": "Walking Ballista", "types": ["artifact", "creature"]}
ATRAXA = {
    "name": "Atraxa, Praetors’ Voice",
    "zone": "command",
    "commander": True,
    "types": ["creature"],
}


def table(system: str, **given: Any) -> History:
    rules = find(system)
    described = {"seats": {"ana": {}, "ben": {}, "cleo": {}}, **given}
    return History(rules, scenario.opening(rules, {"given": described, "settings": {}}))


def reversal(history: History, **command: Any) -> TakenBack:
    applied = history.give(command)
    (only,) = taken_back(history.system, applied, lambda seat: NAMES[seat])
    return only


# What Undo will take


LESS, MORE = {"do": "lose-life"}, {"do": "gain-life"}
PLUS = {"do": "place", "on": "ballista", "counter": "+1/+1", "amount": 1}
HIT = {"do": "commander-damage", "seat": "ben", "from": "atraxa", "amount": 7}

# fmt: off
CASES = [
    # short, commands by Ana, long
    ("Undo −3 life", [{**LESS, "seat": "ana", "amount": 3}], "−3 life, Ana (Ana)"),
    ("Undo −3 life, Ben", [{**LESS, "seat": "ben", "amount": 3}], "−3 life, Ben (Ana)"),
    ("Undo −40 life, Cleo", [{**LESS, "seat": "cleo", "amount": 1}] * 40, "−40 life, Cleo (Ana)"),
    ("Undo −4 life",
     [{**LESS, "seat": "ana", "amount": 5}, {**MORE, "seat": "ana", "amount": 1}],
     "−4 life, Ana (Ana)"),
    ("Undo +1 Ballista", [PLUS], "+1 × +1/+1, Walking Ballista (Ana)"),
    ("Undo 7 to Ben", [HIT],
     "Atraxa, Praetors’ Voice dealt 7 combat damage to Ben (Ana)"),
    ("Undo 7 from Ana", [{**HIT, "seat": "ana"}],
     "Atraxa, Praetors’ Voice dealt 7 combat damage to Ana (Ana)"),
    ("Undo Main phase", [{"do": "begin-phase", "phase": "precombat-main"}],
     "moved on to main phase (Ana)"),
    ("Undo End turn", [{"do": "begin-turn", "active": ["ben"]}], "passed the turn to Ben (Ana)"),
    ("Undo speed", [{"do": "mark", "on": "ana", "mark": "speed", "value": 2}],
     "Ana: speed 2 (Ana)"),
    ("Undo Add", [{"do": "create", "as": "snake", "name": "Snake"}],
     "added Snake to battlefield (Ana)"),
    ("Undo +1 points", [{"do": "place", "on": "ana", "counter": "victory points", "amount": 1}],
     "+1 victory points, Ana (Ana)"),
    ("Undo +2 spells", [{"do": "count-spells", "seat": "ana", "amount": 2}],
     "+2 spells this turn, Ana (Ana)"),
    ("Undo Add",
     [{"do": "together", "steps": [
         {"do": "count-spells", "seat": "ana", "types": ["creature"]},
         {"do": "create", "as": "snake", "name": "Snake", "types": ["creature"]},
     ]}],
     "added Snake to battlefield (Ana)"),
    ("Undo exchange", [{"do": "exchange-life", "seats": ["ana", "cleo"]}],
     "life totals exchanged (Ana)"),
    ("Undo note", [{"do": "note", "text": "Ben owes a pizza"}],
     "noted: Ben owes a pizza (Ana)"),
]
# fmt: on


@pytest.fixture
def magic(make_game: Make) -> Game:
    seats = {"ana": {}, "ben": {}, "cleo": {"life": 60}}
    return make_game("magic", seats=seats, objects={"ballista": BALLISTA, "atraxa": ATRAXA})


@pytest.mark.parametrize(("short", "commands", "long"), CASES, ids=[each[0] for each in CASES])
def test_undo_says_what_it_will_take(
    magic: Game, short: str, commands: list[dict[str, Any]], long: str
) -> None:
    rows.give(magic, [{**each, "by": "ana"} for each in commands])

    says = next_undo_and_redo(magic, "ana")

    assert (short, f"Undo: {long}") == (says["undo_short"], says["undo_text"])
    assert list(range(len(commands), 0, -1)) == says["undo"]
    assert ([], "", "") == (says["redo"], says["redo_short"], says["redo_text"])


def test_a_turn_that_passes_an_end_step_is_told_as_the_turn(make_game: Make) -> None:
    clock = {"on": "ballista", "counter": "fuse", "begins": "end", "change": -1}
    game = make_game(
        "magic",
        objects={"ballista": {**BALLISTA, "counters": {"fuse": 2}}},
        ticks={"t": clock},
        turn={"active": ["ana"], "phase": "combat"},
    )
    rows.give(game, [{"do": "begin-turn", "active": ["ben"], "to_main": True, "by": "ana"}])

    assert "Undo End turn" == next_undo_and_redo(game, "ana")["undo_short"]


def test_damage_is_told_as_the_counters_that_follow_from_it(make_game: Make) -> None:
    champion = {"name": "Lorraine, Crux Knight", "types": ["champion"], "base": {"life": 20}}
    ally = {"name": "Esteemed Knight", "types": ["ally"], "base": {"power": 2, "life": 9}}
    game = make_game("grand-archive", objects={"lorraine": champion, "knight": ally})
    rows.give(game, [{"do": "damage", "on": "lorraine", "amount": 2, "by": "ana"}] * 2)

    assert "Undo +4 Lorraine" == next_undo_and_redo(game, "ana")["undo_short"]

    rows.give(game, [{"do": "damage", "on": "knight", "amount": 1, "by": "ana"}] * 3)

    says = next_undo_and_redo(game, "ana")
    assert ([5, 4, 3], "Undo 3 damage") == (says["undo"], says["undo_short"])
    assert "Undo: 3 damage to Esteemed Knight (Ana)" == says["undo_text"]


def test_an_attack_with_a_weapon_is_told_as_one(make_game: Make) -> None:
    champion = {"name": "Lorraine", "types": ["champion"], "base": {"life": 20, "level": 1}}
    blade = {"name": "Blade", "types": ["weapon"], "base": {"power": 2, "durability": 2}}
    things = {"hero": champion, "blade": blade, "zander": {**champion, "owner": "ben"}}
    game = make_game("grand-archive", objects=things)
    attack = {"do": "damage", "on": "zander", "source": "hero", "combat": True, "with": ["blade"]}
    rows.give(game, [{**attack, "rests": True, "plus": 1, "by": "ana"}])

    says = next_undo_and_redo(game, "ana")

    assert ([1], "Undo attack") == (says["undo"], says["undo_short"])
    assert "Undo: Lorraine (Ana) attacks (Ana)" == says["undo_text"]


def test_an_answer_is_told_with_what_came_of_it(magic: Game) -> None:
    rads = {"do": "place", "on": "ana", "counter": "rad", "amount": 3}
    main = {"do": "begin-phase", "phase": "precombat-main"}
    answer = {"do": "answer", "prompt": "rad:ana", "milled": 3, "nonland": 2}
    rows.give(magic, [{**each, "by": "ana"} for each in (rads, main, answer)])

    says = next_undo_and_redo(magic, "ana")

    assert ([3], "Undo answer") == (says["undo"], says["undo_short"])
    assert (
        "Undo: answered: “How many nonland cards does radiation mill?”: −2 life, −2 rad (Ana)"
        == says["undo_text"]
    )


def test_a_button_is_told_by_its_rule(db: None) -> None:
    when = {"pressed": "Bake", "on": "player"}
    bake = {"rule": "Bake bread", "when": when, "do": [{"tell": "bakes"}]}
    definition = {"title": "Mill", "rules": [bake]}
    given = {"given": {"seats": {"ana": {}, "ben": {}}}, "definition": definition}
    game = rows.create(find("own-game"), scenario.opening(find("own-game"), given), title="Mill")
    rows.give(game, [{"do": "press", "rule": "Bake bread", "by": "ana"}])

    assert "Undo Bake bread" == next_undo_and_redo(game, "ana")["undo_short"]


def test_copies_are_one_undo_that_says_how_many(magic: Game) -> None:
    goblins = [{"do": "create", "as": f"goblin-{n}", "name": "Goblin"} for n in range(3)]
    rows.give(magic, [{"do": "together", "steps": goblins, "by": "ana"}])

    says = next_undo_and_redo(magic, "ana")

    assert ([1], "Undo Add") == (says["undo"], says["undo_short"])
    assert "Undo: added Goblin ×3 to battlefield (Ana)" == says["undo_text"]

    unlike = [{"do": "create", "as": f"ogre-{n}", "name": f"Ogre {n}"} for n in range(3)]
    rows.give(magic, [{"do": "together", "steps": unlike, "by": "ana"}])

    assert "Undo Add" == next_undo_and_redo(magic, "ana")["undo_short"]


RAD = {
    "do": "together",
    "steps": [{"do": "place", "on": seat, "counter": "rad", "amount": 3} for seat in NAMES],
}
CREATURES = [f"c{n}" for n in range(22)]
ONE_COMMAND = [
    # short, command by Ana, long, what is told when it is taken back
    ("Undo 3 players", RAD, "+3 rad on 3 players (Ana)", "+3 rad on 3 players"),
    ("Undo 22 creatures", {"do": "move", "object": CREATURES, "to": "graveyard"},
     "22 creatures to the graveyard (Ana)", "22 creatures to the graveyard"),
    ("Undo 3 players", {"do": "lose-life", "seats": [*NAMES], "amount": 2},
     "−2 life on 3 players (Ana)", "−2 life on 3 players"),
    ("Undo crown", {"do": "mark", "on": "ben", "mark": "monarch", "value": True},
     "Ben is the monarch (Ana)", "Ben is the monarch"),
    ("Undo Exile", {"do": "move", "object": "c0", "to": "exile"},
     "Creature 0 was exiled from battlefield (Ana)", "Creature 0 was exiled from battlefield"),
    ("Undo control", {"do": "control", "object": "c0", "to": "ben"},
     "Ben took control of Creature 0 from Ana (Ana)", "Ben took control of Creature 0 from Ana"),
]  # fmt: skip


@pytest.mark.parametrize(("short", "command", "long", "back"), ONE_COMMAND)
def test_undo_says_how_many(
    make_game: Make, short: str, command: dict[str, Any], long: str, back: str
) -> None:
    objects = {each: {"name": f"Creature {each[1:]}", "types": ["creature"]} for each in CREATURES}
    seats: dict[str, Any] = {"ana": {}, "ben": {}, "cleo": {}}
    game = make_game("magic", seats=seats, objects=objects)
    rows.give(game, [{**command, "by": "ana"}])

    says = next_undo_and_redo(game, "ana")
    assert (short, f"Undo: {long}") == (says["undo_short"], says["undo_text"])

    history = table("magic", objects=objects)
    history.give({**command, "by": "ana"})
    assert back == reversal(history, do="undo", by="ana").text


def played() -> Iterator[tuple[str, Json]]:
    for file in sorted((Path(__file__).parents[1] / "scenarios").glob("*.json")):
        for case in map(current, json.loads(file.read_text())):
            if {"refused_definition", "refused_opening"}.isdisjoint(case["then"]):
                yield case["system"], case


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_button_never_cuts_a_word(language: str) -> None:
    found = set()
    for _system, case in played():
        rules = named_by(case)[0]
        if presentation_of(rules).slots or private_log(rules):  # their verbs name their lines
            continue
        history = History(rules, scenario.opening(rules, case))
        for command in case["when"]:
            with suppress(Refused):
                history.give(command)
        with translation.override(language):
            for entry in history.entries:
                done = acts(rules, history.state, history.state, [entry])
                words = words_for(rules, history.state, done, entry.by, str.capitalize)
                if done and entry.command["do"] not in ("undo", "redo"):
                    found.add((label(UNDO, words), done[0].event["kind"]))

    assert len(found) > 200
    assert [] == [each for each in found if not has_room(each[0])]


def test_a_command_that_does_nothing_writes_no_line_and_is_nothing_to_undo(magic: Game) -> None:
    rows.give(magic, [{"do": "remove", "on": "ana", "counter": "poison", "amount": 1, "by": "ana"}])

    assert [] == log_lines(magic, "ana")
    assert [] == next_undo_and_redo(magic, "ana")["undo"]


def test_entries_of_past_turns_are_offered_only_while_they_can_be_undone(magic: Game) -> None:
    given: list[Json] = [
        {"do": "lose-life", "seat": "ana", "amount": 3, "by": "cleo"},
        {"do": "begin-phase", "phase": "end", "by": "ana"},
        {"do": "begin-turn", "active": ["ben"], "by": "ana"},
        {"do": "begin-phase", "phase": "upkeep", "by": "ben"},
    ]
    rows.give(magic, given)
    assert [3] == next_undo_and_redo(magic, "ana")["undo"]

    rows.give(magic, [{"do": "begin-turn", "active": ["cleo"], "by": "ben"}])

    assert [1] == next_undo_and_redo(magic, "cleo")["undo"], "nothing depends on it"
    assert [] == next_undo_and_redo(magic, "ana")["undo"], "Ben’s upkeep needs his turn"


def test_a_turn_is_no_longer_taken_back_once_another_has_begun(magic: Game) -> None:
    given: list[Json] = [
        {"do": "lose-life", "seat": "ana", "amount": 3, "by": "ana"},
        {"do": "begin-turn", "active": ["ben"], "by": "ana"},
        {"do": "begin-turn", "active": ["cleo"], "by": "ben"},
    ]
    rows.give(magic, given)

    assert "Undo −3 life" == next_undo_and_redo(magic, "ana")["undo_short"]
    assert "Undo End turn" == next_undo_and_redo(magic, "ben")["undo_short"]
    with pytest.raises(Refused, match="Another turn has begun since"):
        rows.give(magic, [{"do": "undo", "entry": 2, "by": "ana"}])


def test_taps_that_took_each_other_back_are_passed_over(magic: Game) -> None:
    life = {"seat": "ana", "amount": 1, "by": "ana"}
    note = {"do": "note", "text": "go", "by": "ana"}
    rows.give(magic, [note, {"do": "lose-life", **life}, {"do": "gain-life", **life}])

    says = next_undo_and_redo(magic, "ana")

    assert ([1], "Undo note") == (says["undo"], says["undo_short"])


def test_a_long_name_is_cut_only_where_nothing_else_fits(make_game: Make) -> None:
    objects = {"dragon": {"name": "Niv-Mizzet-Reborn-Again", "types": ["creature"]}}
    game = make_game("magic", objects=objects)
    rows.give(game, [{"do": "place", "on": "dragon", "counter": "+1/+1", "amount": 1, "by": "ana"}])

    assert "Undo +1 Niv-Mizzet…" == next_undo_and_redo(game, "ana")["undo_short"]


# fmt: off
HIDDEN = [
    ("Undo Add", {"do": "create", "as": "rabbit", "name": "Rabbit", "owner": "ana"}),
    ("Undo Negate", {"do": "mark", "on": "library", "mark": "negated"}),
    ("Undo Destroy", {"do": "move", "object": "library", "to": "graveyard"}),
    ("Undo Flip", {"do": "flip", "object": "library", "face_down": True}),
    ("Undo Battle", {"do": "begin-phase", "phase": "battle"}),
    ("Undo −1800 life points", {"do": "lose-life", "seat": "ana", "amount": 1800}),
    ("Undo −1800 Ben", {"do": "lose-life", "seat": "ben", "amount": 1800}),
    ("Undo −1 Magical", {"do": "remove", "on": "library", "counter": "spell", "amount": 1}),
]
# fmt: on


@pytest.mark.parametrize(("short", "command"), HIDDEN, ids=[each[0] for each in HIDDEN])
def test_undo_is_called_by_its_button_in_a_game_with_secrets(
    make_game: Make, short: str, command: dict[str, Any]
) -> None:
    library = {"name": "Royal Magical Library", "permits": {"spell": {}}, "counters": {"spell": 2}}
    game = make_game("yu-gi-oh", objects={"library": {**library, "owner": "ana"}})
    rows.give(game, [{**command, "by": "ana"}])

    assert short == next_among(log_of(game, "ana"), "ana")["undo_short"]


def test_a_button_is_told_by_its_rule_at_a_table_with_a_gm(make_game: Make) -> None:
    game = make_game("own-game", seats={"gm": {}, "ana": {}}, ready="dungeons-and-dragons")
    rows.give(game, [{"do": "press", "rule": "Long rest", "by": "gm"}])

    assert "Undo Long rest" == next_among(log_of(game, "gm"), "gm")["undo_short"]


def test_undo_takes_only_what_this_seat_did(magic: Game) -> None:
    life = {"do": "lose-life", "seat": "ana", "amount": 1}
    rows.give(magic, [{**life, "by": "ana"}, {**life, "by": "ben"}, {**life, "by": "ana"}])

    assert [3, 1] == next_undo_and_redo(magic, "ana")["undo"]
    assert [2] == next_undo_and_redo(magic, "ben")["undo"]
    assert [] == next_undo_and_redo(magic, "cleo")["undo"]


def test_undo_of_an_attack_takes_the_blocks_along_and_that_of_the_blocks_them_alone(
    make_game: Make,
) -> None:
    body = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    bears = {f"{each}-bear": {"name": "Bear", "owner": each, **body} for each in NAMES}
    game = make_game("magic", seats={each: {} for each in NAMES}, objects=bears)
    body = {"name": "Wolf", "owner": "ana", **body}
    rows.give(game, [{"do": "create", "as": "wolf", **body, "by": "ana"}])
    attack = {"do": "combat", "attacks": {"wolf": "ben", "ana-bear": "cleo"}, "asks": True}
    blocks = {"do": "answer", "blocks": {"ben-bear": "wolf"}}
    none = {"do": "answer", "blocks": {}}
    rows.give(game, [{**attack, "by": "ana"}, {**blocks, "prompt": "blocks:ben", "by": "ben"},
                     {"do": "lose-life", "seat": "ben", "amount": 1, "by": "ben"},
                     {**none, "prompt": "blocks:cleo", "by": "cleo"}])  # fmt: skip

    says = {seat: next_undo_and_redo(game, seat) for seat in NAMES}

    assert ([5, 3, 2], "Undo attack") == (says["ana"]["undo"], says["ana"]["undo_short"])
    assert [5] == says["cleo"]["undo"]
    rows.give(game, [{"do": "undo", "entries": says["ana"]["undo"], "by": "ana"}])
    assert 20 == life_of(rows.state(game), "cleo")
    assert [2, 3, 5] == next_undo_and_redo(game, "ana")["redo"]


def test_an_attack_with_its_blocks_is_one_line_and_one_undo(make_game: Make) -> None:
    """Whoever said them, however much came between: lines are read in pieces."""
    body = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    bears = {f"{each}-bear": {"name": f"Bear of {each}", "owner": each, **body} for each in NAMES}
    game = make_game("magic", objects=bears, settings={"creatures_die": True})
    attack = {"do": "combat", "attacks": {"ana-bear": "ben"}, "asks": True, "by": "ana"}
    life = {"do": "gain-life", "seat": "cleo", "amount": 1, "by": "cleo"}
    blocks = {"do": "answer", "prompt": "blocks:ben", "blocks": {"ben-bear": "ana-bear"}}
    rows.give(game, [*([life] * (SIZE - 2)), attack, life, life, {**blocks, "by": "ana"}])

    *_others, line = log_lines(game, "ana")

    asked = SIZE - 1
    assert ("Ana", (asked, asked + 3)) == (line.name, line.entries)
    assert [
        "attacks Ben with Bear of ana",
        "Bear of ana died (to graveyard)",
        "Bear of ben died (to graveyard)",
    ] == [part.text for part in line.parts]
    says = next_undo_and_redo(game, "ana")
    assert ([asked + 3, asked], "Undo attack") == (says["undo"], says["undo_short"])

    # Blocks that were taken back alone are a line of their own.
    rows.give(game, [{"do": "undo", "entry": asked + 3, "by": "ben"}, {**blocks, "by": "ben"}])
    assert [(asked + 3,), (asked + 4,), (asked, asked + 5)] == [
        each.entries for each in log_lines(game, "ana")[-3:]
    ]
    rows.give(game, [{"do": "undo", "entries": [asked + 5, asked], "by": "ana"}])
    assert "Redo attack" == next_undo_and_redo(game, "ana")["redo_short"]
    assert (asked, asked + 5) == log_lines(game, "ana")[-2].entries


def test_an_attack_with_its_coin_is_one_line_and_one_undo(make_game: Make) -> None:
    mon = {"hp": 70, "zone": "active"}
    mons = {each: {**mon, "owner": each, "name": each} for each in ("ana", "ben")}
    mons["ana"]["turned"] = "confused"
    turn = {"active": ["ana"], "phase": "turn"}
    game = make_game("pokemon", seats={"ana": {}, "ben": {}}, objects=mons, turn=turn)
    attack = {"do": "attack", "object": "ana"}
    coin = {"do": "answer", "prompt": "confused:ana", "coin": "heads"}
    rows.give(game, [{**attack, "by": "ana"}, {**coin, "by": "ana"}])

    assert [(1, 2)] == [line.entries for line in log_lines(game, "ana")]
    assert [2, 1] == next_undo_and_redo(game, "ana")["undo"]


def test_redo_brings_back_the_last_undo_and_the_one_before_it_after_that(magic: Game) -> None:
    life = {"do": "lose-life", "seat": "ana", "by": "ana"}
    turn = {"do": "begin-turn", "active": ["ana"], "by": "ben"}
    rows.give(magic, [{**life, "amount": 1}, turn, {**life, "amount": 2}])
    rows.give(magic, [{"do": "undo", "entry": 3, "by": "ana"}])
    rows.give(magic, [{"do": "undo", "entry": 1, "by": "ana"}])

    says = next_undo_and_redo(magic, "ana")

    assert ([1], "Redo −1 life", "Redo: −1 life, Ana (Ana)") == (
        says["redo"],
        says["redo_short"],
        says["redo_text"],
    )
    rows.give(magic, [{"do": "redo", "entry": 1, "by": "ana"}])
    assert [3] == next_undo_and_redo(magic, "ana")["redo"]


def test_a_redo_of_several_lines_counts_them(magic: Game) -> None:
    commands = [{"do": "note", "text": text, "by": "ana"} for text in ("one", "two", "three")]
    rows.give(magic, [*commands, {"do": "undo", "to": 0, "by": "ben"}])

    says = next_undo_and_redo(magic, "ana")

    assert ([1, 2, 3], "Redo 3 lines") == (says["redo"], says["redo_short"])
    assert "Redo: noted: one (Ana); noted: two (Ana); 1 more" == says["redo_text"]


def test_a_gesture_longer_than_the_window_is_found_whole(game: Game) -> None:
    tap = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1, "by": "ana"}
    rows.give(game, [{"do": "note", "text": "go", "by": "ana"}, *[tap] * 450])

    says = next_undo_and_redo(game, "ana")

    assert "Undo +450 Rocket" == says["undo_short"]
    assert list(range(451, 1, -1)) == says["undo"]


def test_only_so_many_of_endless_taps_are_taken_back_at_once(game: Game) -> None:
    place = {"do": "place", "on": "ana", "counter": "points", "amount": 1, "by": "ana"}
    rows.give(game, [place] * (MOST + 300))

    says = next_undo_and_redo(game, "ana")

    assert list(range(MOST + 300, 300, -1)) == says["undo"]


def test_the_length_of_the_log_does_not_matter(
    game: Game, ana: Client, django_assert_max_num_queries: Any
) -> None:
    """Phones ask after every few taps."""
    note = {"do": "note", "text": "x", "by": "ben"}
    tap = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1, "by": "ana"}
    path = f"/g/{game.slug}/mine"
    counted = []
    for notes in (400, 4000):
        rows.give(game, [*[note] * notes, tap])
        ana.get(path)
        with django_assert_max_num_queries(20), Calls() as calls:
            says = ana.get(path).json()
        assert "Undo +1 Rocket" == says["undo_short"]
        counted.append(calls.count)

    assert 0 < counted[1] <= 1.1 * counted[0], counted


# What it took


def test_an_undo_says_who_took_back_what_and_the_number_before_and_after() -> None:
    history = table("magic", seats={"ana": {"life": 40}, "ben": {"life": 40}, "cleo": {"life": 40}})
    for _tap in range(3):
        history.give({"do": "lose-life", "seat": "cleo", "amount": 10, "by": "ana"})

    took = reversal(history, do="undo", entries=[3, 2, 1], by="ana")

    assert ("undo", "ana", "Took back") == (took.verb, took.by, took.title)
    assert "−30 life on Cleo: 10 → 40" == took.text
    assert ("redo", "1 2 3") == (took.opposite, took.turned)

    again = reversal(history, do="redo", entries=[1, 2, 3], by="ben")

    assert ("redo", "ben", "Brought back") == (again.verb, again.by, again.title)
    assert "−30 life on Cleo: 40 → 10 (Ana)" == again.text
    assert ("undo", "3 2 1") == (again.opposite, again.turned)


def test_an_undo_has_no_numbers_where_a_rule_had_put_them_back() -> None:
    bear = {"owner": "ana", "name": "Bear", "types": ["creature"], "counters": {"+1/+1": 2}}
    history = table("magic", objects={"bear": bear})
    history.give({"do": "damage", "on": "bear", "amount": 2, "wither": True, "by": "ana"})

    assert "+2 × -1/-1 on Bear" == reversal(history, do="undo", entries=[1], by="ana").text


def test_a_card_that_the_undo_takes_away_is_still_named() -> None:
    history = table("magic")
    history.give({"do": "create", "as": "snake", "name": "Snake", "by": "ana"})
    history.give({"do": "place", "on": "snake", "counter": "+1/+1", "amount": 2, "by": "ana"})

    took = reversal(history, do="undo", entries=[2, 1], by="ana")

    assert "added Snake to battlefield; +2 × +1/+1 on Snake" == took.text


def test_anothers_act_is_told_with_their_name() -> None:
    history = table("magic")
    history.give({"do": "begin-turn", "active": ["cleo"], "by": "ben"})

    assert "passed the turn to Cleo (Ben)" == reversal(history, do="undo", entry=1, by="ana").text


def test_an_undo_of_several_kinds_names_the_first_and_counts_the_others() -> None:
    objects = {"base": {"name": "Base", "counters": {"crew": 2, "fuel": 6}}, "rover": {}}
    history = table("any-game", objects=objects)
    history.give({"do": "transfer", "from": "base", "to": "rover", "by": "ana"})
    took = reversal(history, do="undo", by="ana")

    assert "−2 crew on Base: 0 → 2; 1 more" == took.text


def test_an_undo_is_told_in_the_readers_language() -> None:
    history = table("magic")
    history.give({"do": "lose-life", "seat": "ben", "amount": 2, "by": "ana"})
    with translation.override("es"):
        assert "−2 vida en Ben: 18 → 20" == reversal(history, do="undo", by="ana").text


# Who caused it


def test_the_log_says_what_came_from_whom(magic: Game) -> None:
    life = {"do": "lose-life", "by": "ana"}
    rows.give(
        magic,
        [
            *[{**life, "seat": "ana", "amount": 1}] * 3,
            {**life, "seat": "cleo", "amount": 2},
            {"do": "attribute", "entries": [1, 2, 3], "to": "ben", "by": "ana"},
            {"do": "attribute", "entries": [1, 4], "to": "ben", "by": "ana"},
        ],
    )

    texts = [line.parts[0].text for line in log_lines(magic, "ana")][-2:]

    assert [
        "−3 life on Ana came from Ben",
        "−1 life on Ana, −2 life on Cleo came from Ben",
    ] == texts
    assert "Undo from Ben" == next_undo_and_redo(magic, "ana")["undo_short"]


# What stands in its way


def conflict(history: History, **command: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        history.give(command)
    return refused.value


def test_a_refused_undo_names_all_lines_that_can_only_go_together() -> None:
    history = table("magic")
    history.give({"do": "create", "as": "snake", "name": "Snake", "by": "ana"})
    history.give({"do": "lose-life", "seat": "ana", "amount": 2, "by": "ana"})
    history.give({"do": "place", "on": "snake", "counter": "+1/+1", "amount": 2, "by": "ben"})
    history.give({"do": "remove", "on": "snake", "counter": "+1/+1", "amount": 1, "by": "cleo"})

    refused = conflict(history, do="undo", entry=1, by="ana")

    assert ("conflict", "1 3 4") == (refused.code, refused.facts["lines"])
    assert "2 later lines of the log depend on that. Take them all back, or none." == (
        refused.message
    )
    history.give({"do": "undo", "entries": [4, 3, 1], "by": "ana"})
    assert "snake" not in history.state.objects
    assert 18 == history.state.seats["ana"].life  # type: ignore[attr-defined]


def test_one_line_in_the_way_is_named_without_its_technical_reason() -> None:
    history = table("magic")
    history.give({"do": "create", "as": "snake", "name": "Snake", "by": "ana"})
    history.give({"do": "place", "on": "snake", "counter": "+1/+1", "amount": 2, "by": "ben"})

    refused = conflict(history, do="undo", entry=1, by="ana")

    assert "Line 2 of the log depends on that. Take both back, or neither." == refused.message
    assert "1 2" == refused.facts["lines"]


@pytest.mark.django_db(transaction=True)
def test_a_refused_undo_tells_a_script_the_lines(game: Game, ana: Client, tables: None) -> None:
    path = f"/g/{game.slug}/"
    commands = [
        {"do": "create", "as": "wolf", "name": "Wolf"},
        {"do": "place", "on": "wolf", "counter": "fuel", "amount": 1},
    ]
    for each in commands:
        ana.post(f"{path}command", each, content_type="application/json")

    answer = ana.post(f"{path}command", {"do": "undo", "entry": 1}, content_type="application/json")

    assert 422 == answer.status_code
    assert [1, 2] == answer.json()["refused"]["lines"]


def test_the_log_offers_to_take_back_all_lines_that_depend_on_each_other(
    game: Game, ana: Client
) -> None:
    notes = [{"do": "note", "text": text, "by": "ben"} for text in ("one", "two", "three")]
    rows.give(game, [*notes, {"do": "undo", "entry": 2, "by": "ben"}])
    path = f"/g/{game.slug}/log"

    both = ana.get(f"{path}?lines=1,3").content.decode()

    assert 2 == both.count("is-marked")
    assert "Undo both" in both
    assert 'name="entries:json" value="[3, 1]"' in both
    for others in ("1,2", "1", "", "x", "1,,3", "1;3", "9" * 30):  # 2 is undone already
        page = ana.get(path, {"lines": others}).content.decode()
        assert "log-together" not in page
        assert "is-marked" not in page


def test_an_old_line_that_is_marked_is_shown(game: Game, ana: Client) -> None:
    notes = [{"do": "note", "text": str(n), "by": "ben"} for n in range(100)]
    rows.give(game, notes)

    page = ana.get(f"/g/{game.slug}/log?lines=2,50,100").content.decode()

    assert 3 == page.count("is-marked")
    assert "Undo all 3" in page


# At a table with a GM


def test_a_number_at_a_gms_table_is_told_with_what_it_was_and_is(make_game: Make) -> None:
    sanity = {"type": "sanity", "slots": 99, "filled": 39, "owner": "ana", "role": "kit-0"}
    game = make_game(
        "own-game", ready="call-of-cthulhu", seats={"gm": {}, "ana": {}},
        slot_counters={"s": {"name": "Sanity", **sanity}},
    )  # fmt: skip
    rows.give(
        game,
        [
            {"do": "fill", "on": "s", "slots": 3},
            {"do": "correct", "on": "ana", "counter": "lost today", "to": 12},
            {"do": "press", "rule": "A new day", "on": "gm"},
        ],
    )
    told = ["; ".join(part.full_text for part in line.parts) for line in log_lines(game, "ana")]

    assert [
        "3 lost from Ana’s Sanity, 60 → 57; Ana: Sanity lost today +3, 0 → 3: Sanity is lost",
        "Ana: Sanity lost today, 3 → 12",
        "Ana: Sanity lost today −12, 12 → 0: the GM’s rules did it",
    ] == [each for each in told if "lost" in each]
