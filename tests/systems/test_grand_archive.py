"""Grand Archive: its finer rules, one by one.

The cases in tests/scenarios/grand-archive*.json are run by test_core,
what holds at every table is in tables.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.history import History
from games.rules.modifiers import FURTHEST
from games.rules.system import System
from games.screens.ticking import in_words, mine
from games.screens.words import words_of
from games.systems import SYSTEMS, find, presentation_of
from games.systems.grand_archive import CURRENT, EDITIONS
from games.systems.grand_archive.attacks import attacks
from games.systems.grand_archive.card import (
    Card,
    card_of,
    derived,
    life_of,
    power_and_life,
)
from games.systems.grand_archive.known import KNOWN, completed, levels_into, usual
from tests.laws import refusal, say

ALLY = {"types": ["ally"], "base": {"power": 2, "life": 3}}
CHAMPION = {"types": ["champion"], "base": {"life": 20, "level": 1}}
WEAPON = {"types": ["weapon"], "base": {"power": 1, "durability": 2}}
ITEM = {"types": ["item"]}


def table(system: System = CURRENT, phase: str = "main", **objects: Any) -> History:
    """Ana and Ben at a table with these objects; Ana's turn."""
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": objects,
        "turn": {"active": ["ana"], "phase": phase},
    }
    return History(system, system.opening(system, given, {}))


# fmt: off
COUNTERS = [
    # rule           what       before             command              after
    ("Buff 4",       ALLY,      {"debuff": 1},     "place 2 buff",      {"buff": 1}),
    ("Buff 4",       ALLY,      {"debuff": 2},     "place 2 buff",      {}),
    ("Debuff 4",     ALLY,      {"buff": 2},       "place 4 debuff",    {"debuff": 2}),
    ("Debuff 4",     ITEM,      {"buff": 2},       "place 5 debuff",    {"debuff": 3}),
    ("Counters 4",   ITEM,      {"age": 3},        "spend 3 age",       {}),
    ("Counters 4",   ITEM,      {"age": 3},        "remove 5 age",      {}),
    ("Counters 6",   ITEM,      {"frost": 1},      "place 1 frost",     {"frost": 2}),
    ("Durability 2", WEAPON,    {"durability": 2}, "place 7 durability", {"durability": 9}),
    ("Durability 4", ITEM,      {"durability": 2}, "remove 2 durability", {}),
    ("Damage 2",     CHAMPION,  {"damage": 2},     "remove 2 damage",   {}),
]
# fmt: on


ATTACKS = {
    "hero": {"types": ["champion"], "base": {"life": 20, "level": 1}},
    "sword": {"types": ["weapon"], "base": {"power": 2, "durability": 1},
              "counters": {"durability": 1}},
    "slash": {"types": ["attack"], "base": {"power": 3}, "zone": "intent"},
    "wolf": {"types": ["ally"], "base": {"power": 2, "life": 2}},
    "tree": {"types": ["ally"], "base": {"life": 2}},
    "boss": {"types": ["champion"], "base": {"life": 9}, "counters": {"damage": 4}, "owner": "ben"},
    "dodo": {"types": ["ally"], "base": {"power": 1, "life": 6}, "owner": "ben"},
    "fort": {"types": ["siegeable"], "base": {"durability": 4}, "owner": "ben",
             "counters": {"durability": 4}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "level", "above"),
    [
        ("Rai, Spellcrafter", 1, ["Rai, Archmage"]),
        ("Rai, Archmage", 2, ["Rai, Mana Weaver", "Rai, Storm Seer"]),
        ("Rai, Storm Seer", 3, []),
        ("Somebody", 1, []),
    ],
)
def test_a_champion_levels_up_into_the_known_ones_of_its_lineage(
    name: str, level: int, above: list[str]
) -> None:
    card = Card("hero", name, "field", "ana", "ana", types=("champion",), base={"level": level})

    assert above == [each["name"] for each in levels_into(card)]


def test_a_spirit_levels_up_into_any_champion_with_what_that_brings() -> None:
    hero = {"types": ["champion"], "base": {"life": 15, "level": 0}, "counters": {"damage": 3}}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": {"hero": hero}}
    history = History(CURRENT, CURRENT.opening(CURRENT, given, {}))
    above = {each["name"]: each for each in levels_into(card_of(history.state, "hero"))}

    give_known(history, {"do": "together", "steps": above["Rai, Spellcrafter"]["steps"]})

    assert {"damage": 3, "enlighten": 2} == history.state.on("hero")
    assert {"level": 1, "life": 19} == card_of(history.state, "hero").base
    assert [] == [name for name, each in above.items() if each["steps"][0]["level"] != 1]


def give_known(history: History, command: dict[str, Any]) -> None:
    """Give *command* with all that its known cards mean, as a form does."""
    history.give({"by": "ana", **completed(CURRENT, history.state, {**command, "known": True})})


@pytest.mark.parametrize("name", [card.name for card in KNOWN.values() if card.ticks])
def test_what_a_known_card_puts_is_accepted_and_offered(name: str) -> None:
    history = table(hero={**CHAMPION, "owner": "ana"})

    give_known(history, {"do": "create", "as": "card", "name": name.replace("’", "'")})

    ticks = KNOWN.called(name).ticks
    later = [
        {key: each[key] for key in each if key != "bonus"}
        | ({"asks": True} if "bonus" in each else {})
        for each in ticks
        if each["begins"] != "now"
    ]
    card = history.state.objects["card"]
    assert later == [each.fields for each in usual(CURRENT, history.state, card)]
    assert len(later) == len(history.state.ticks)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Green Slime", "its buff on an ally of one’s own as it leaves"),
        ("Dreamy Unicorn", "+1 preparation on the champion as it dies"),
    ],
)
def test_what_happens_to_a_card_itself_is_said_of_it(name: str, said: str) -> None:
    *_now, tick = KNOWN.called(name).ticks

    assert said == in_words(words_of(CURRENT), tick, mine())


def test_a_known_card_that_enters_again_puts_its_counters_again() -> None:
    history = table(hero={**CHAMPION, "owner": "ana"}, dog=ALLY)

    give_known(history, {"do": "create", "as": "slime", "name": "green slime", "types": ["ally"]})
    history.give({"do": "move", "object": "slime", "to": "hand", "by": "ana"})
    (asked,) = history.state.prompts
    history.give({"do": "answer", "prompt": asked.id, "by": "ana"})
    give_known(history, {"do": "move", "object": ["slime"], "to": "field"})
    give_known(history, {"do": "create", "as": "look", "name": "Corhazi Outlook"})
    give_known(history, {"do": "create", "as": "horse", "name": "Brisk Windtrotter"})
    assert 1 == len(history.state.prompts), "the second is of level 2"
    history.give({"do": "undo", "by": "ana"})

    assert [2, 2, 1] == [
        history.state.count(*each)
        for each in (("dog", "buff"), ("slime", "buff"), ("hero", "preparation"))
    ]
    history.give({"do": "undo", "by": "ana"})
    assert 0 == history.state.count("hero", "preparation")


@pytest.mark.parametrize(
    ("classes", "buffs", "questions", "ticks"),
    [
        # the classes of the champion, what Mechanical Hare puts as it enters, Tempus Stalker’s
        (["tamer", "mage"], 1, 0, 1),
        (["mage"], 0, 0, 0),
        ([], 0, 1, 1),
        (["spirit"], 0, 1, 1),
    ],
)
def test_what_a_class_bonus_puts_asks_only_while_nobody_has_said_the_class(
    classes: list[str], buffs: int, questions: int, ticks: int
) -> None:
    history = table(hero={**CHAMPION, "owner": "ana", "classes": classes})

    for key, name in (("hare", "Mechanical Hare"), ("tiger", "Tempus Stalker")):
        give_known(history, {"do": "create", "as": key, "name": name, "owner": "ana"})

    assert buffs == history.state.count("hare", "buff")
    assert questions == len(history.state.prompts)
    assert ticks == len(history.state.ticks)
    assert all(("asks" in each) is not buffs for each in history.state.ticks.values())


@pytest.mark.parametrize(
    ("name", "questions", "ticks"),
    [("Meadowbloom Dryad", 1, 1), ("Spirited Falconer", 2, 0), ("Weaponsmith", 0, 1)],
)
def test_a_class_bonus_on_a_chosen_card_asks_only_if_the_class_is_that_of_the_champion(
    name: str, questions: int, ticks: int
) -> None:
    def comes(classes: list[str]) -> tuple[int, int]:
        history = table(hero={**CHAMPION, "owner": "ana", "classes": classes})
        give_known(history, {"do": "create", "as": "ally", "name": name, "owner": "ana"})
        return len(history.state.prompts), len(history.state.ticks)

    assert (questions, ticks) == comes(KNOWN.called(name).classes)
    assert (0, 0) == comes(["mage"])


def test_the_class_of_a_champion_is_asked_once_and_kept() -> None:
    history = table(
        hero={"types": ["champion"], "base": {"life": 20, "level": 1}, "owner": "ana"},
        boss={"types": ["champion"], "base": {"life": 20, "level": 1}, "owner": "ben"},
    )

    def ways() -> list[tuple[str, list[str], int | None]]:
        hero = card_of(history.state, "hero")
        found = attacks(CURRENT, history.state, hero, lambda obj: obj.id)
        said = [(way, getattr(way.title, "facts", {}).get("n")) for way in found]
        return [(way.target, [each.id for each in way.targets], n) for way, n in said]

    assert [("on", ["boss"], 0)] == ways()
    known = KNOWN.called("Wind Cutter")
    say(history, "create", as_="cut", name=known.name, zone=known.zone, **known.printed)
    asked, attack = ways()
    assert "warrior" in asked[1]
    assert ("on", ["boss"], 1) == attack
    say(history, "describe", object="hero", classes=["warrior"])
    assert [("on", ["boss"], 2)] == ways()
    say(history, "level-up", object="hero", level=2, life=24)
    assert [("on", ["boss"], 2)] == ways()
    say(history, "level-up", object="hero", level=3, life=28, classes=["mage"])
    assert [("on", ["boss"], 1)] == ways()


@pytest.mark.parametrize("typed", [card.name for card in KNOWN.values()])
def test_every_known_card_can_be_added_as_it_is_offered(typed: str) -> None:
    history = History(CURRENT, CURRENT.opening(CURRENT, {"seats": {"ana": {}, "ben": {}}}, {}))
    (known,) = [each for each in KNOWN.offer(typed, most=99) if each.name == typed]

    say(history, "create", as_="card", name=known.name, zone=known.zone, **known.printed)

    assert known.printed["base"] == card_of(history.state, "card").base


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (
            "hero",
            [(["sword", "slash"], 5, ["boss", "fort"], [(5, 0)]), (["slash"], 3, [], [(5, 2)])],
        ),
        ("wolf", [([], 2, [], [(5, 3)])]),
        ("tree", []),
        ("sword", []),
    ],
)
def test_a_sheet_says_what_falls_by_each_attack_and_what_a_champion_has_left(
    unit: str, expected: list[Any]
) -> None:
    state = CURRENT.opening(CURRENT, {"seats": {"ana": {}, "ben": {}}, "objects": ATTACKS}, {})

    found = attacks(CURRENT, state, card_of(state, unit), lambda obj: obj.name)

    assert expected == [
        (
            way.given.get("with", []),
            getattr(way.title, "facts", {})["n"],
            [each.id for each in way.targets if each.falls],
            [(end.now, end.then) for each in way.targets for end in each.ends],
        )
        for way in found
    ]


@pytest.mark.parametrize("system", EDITIONS, ids=lambda system: system.edition)
@pytest.mark.parametrize(
    ("number", "what", "before", "command", "after"), COUNTERS, ids=[case[0] for case in COUNTERS]
)
def test_counters_after_a_command(
    system: System,
    number: str,
    what: dict[str, Any],
    before: dict[str, int],
    command: str,
    after: dict[str, int],
) -> None:
    history = table(system, x={**what, "counters": before})
    do, amount, kind = command.split()
    say(history, do, on="x", counter=kind, amount=int(amount))

    assert number in system.rulebook.rules
    assert after == history.state.on("x")


def add(**by: int) -> dict[str, Any]:
    return {"add": by}


def times(**by: int) -> dict[str, Any]:
    return {"multiply": by}


def put(**to: int) -> dict[str, Any]:
    return {"set": to}


SWAP = {"swap": True}
LAYER_E = "Continuous Effects, Layer E"

# power and life: printed; with counters before other changes; with counters after them
# fmt: off
STATS = [
    # rule       printed    counters        changes                         first      last
    ("Buff 1",   (2, 3),    {"buff": 2},    [],                             (4, 5),    (4, 5)),
    ("Buff 2",   (2, None), {"buff": 2},    [],                             (4, None), (4, None)),
    ("Buff 2",   (None, 3), {"buff": 2},    [add(power=5)],                 (None, 5), (None, 5)),
    ("Buff 2",   (None, 3), {"buff": 2},    [put(power=5)],                 (7, 5),    (7, 5)),
    ("Buff 3",   (2, 3),    {"buff": 1},    [times(power=3)],               (9, 4),    (7, 4)),
    ("Buff 3",   (2, 3),    {"buff": 1},    [put(power=0)],                 (1, 4),    (1, 4)),
    ("Buff 3",   (2, 3),    {"buff": 1},    [add(life=2), put(life=1)],     (3, 4),    (3, 4)),
    ("Debuff 1", (0, 9),    {"debuff": 4},  [],                             (-4, 5),   (-4, 5)),
    ("Debuff 3", (2, 9),    {"debuff": 3},  [times(power=2, life=0)],       (-2, 0),   (1, -3)),
    (LAYER_E,    (2, 3),    {"buff": 1},    [SWAP],                         (4, 3),    (4, 3)),
    (LAYER_E,    (2, 3),    {"buff": 1},    [SWAP, SWAP],                   (3, 4),    (3, 4)),
    (LAYER_E,    (2, None), {},             [SWAP],                         (2, None), (2, None)),
    (LAYER_E,    (2, None), {},             [SWAP, put(life=8)],            (8, 2),    (8, 2)),
    (LAYER_E,    (2, 3),    {},             [add(life=1), times(life=2)],   (2, 8),    (2, 8)),
    (LAYER_E,    (2, 3),    {},             [times(life=2), add(life=1)],   (2, 7),    (2, 7)),
]
# fmt: on


@pytest.mark.parametrize("order", ["first", "last"])
@pytest.mark.parametrize(
    ("number", "printed", "counters", "changes", "first", "last"),
    STATS,
    ids=[case[0] for case in STATS],
)
def test_power_and_life(
    order: str,
    number: str,
    printed: tuple[int | None, int | None],
    counters: dict[str, int],
    changes: list[dict[str, Any]],
    first: tuple[int | None, int | None],
    last: tuple[int | None, int | None],
) -> None:
    named = zip(("power", "life"), printed, strict=True)
    base = {name: value for name, value in named if value is not None}
    given = {"seats": {"ana": {}}, "objects": {"x": {**ITEM, "base": base, "counters": counters}}}
    history = History(CURRENT, CURRENT.opening(CURRENT, given, {"counters_apply": order}))
    for change in changes:
        say(history, "change", object="x", **change)
    card = card_of(history.state, "x")
    expected = first if order == "first" else last

    assert number in CURRENT.rulebook.rules
    assert expected == power_and_life(CURRENT, history.state, card)
    assert expected[1] == life_of(CURRENT, history.state, card, history.state.on("x"))


def test_no_stat_is_larger_than_a_screen_can_show() -> None:
    history = table(x={**ITEM, "base": {"power": 2, "life": 3}})
    say(history, "change", object="x", set={"power": -9999, "life": 9999})
    for _ in range(20):
        say(history, "change", object="x", multiply={"power": 99, "life": 99})

    assert (-FURTHEST, FURTHEST) == power_and_life(
        CURRENT, history.state, card_of(history.state, "x")
    )


def test_the_editions_are_listed_newest_first() -> None:
    assert ["2026-08", "2025-07", "2024"] == [each.edition for each in SYSTEMS["grand-archive"]]


def test_an_edition_lists_what_it_knows() -> None:
    oldest, middle, newest = (
        find("grand-archive", each) for each in ("2024", "2025-07", "2026-08")
    )

    assert {"omen", "wither"} == set(middle.rulebook.kinds) - set(oldest.rulebook.kinds)
    assert {"bulwark", "static"} == set(newest.rulebook.kinds) - set(middle.rulebook.kinds)
    assert set(oldest.rulebook.rules) < set(middle.rulebook.rules) < set(newest.rulebook.rules)
    assert "Siegeable" not in oldest.rulebook.rules["Durability 3"].text
    assert "Siegeable" in middle.rulebook.rules["Durability 3"].text


def test_every_automatic_event_names_its_rule() -> None:
    history = table(x={**ALLY, "counters": {"debuff": 2}}, hero=CHAMPION)
    events = say(history, "place", on=["hero", "x"], counters={"buff": 1, "debuff": 3})
    events += say(history, "damage", on="hero", amount=30)

    assert [
        ("placed", None),
        ("placed", None),
        ("placed", None),
        ("placed", None),
        ("removed", "Buff 4"),
        ("removed", "Debuff 4"),
        ("removed", "Buff 4"),
        ("removed", "Debuff 4"),
        ("moved", "Damage 3"),
        ("damaged", None),
        ("placed", "Damage 1"),
        ("defeated", "Damage 3"),
        ("lost", "Damage 3"),
        ("ended", None),
    ] == [(each["kind"], each.get("rule")) for each in events]


def test_a_player_who_loses_without_damage_learns_by_which_rule() -> None:
    history = table(hero=CHAMPION, foe={**CHAMPION, "owner": "ben"})
    events = say(history, "move", object="hero", to="material")

    assert {"kind": "lost", "seat": "ana", "rule": "Ending the Game 5", "entry": 1} in events


def test_a_champion_shows_its_level_now_and_its_life() -> None:
    history = table(hero={**CHAMPION, "counters": {"level": 1}}, ally=ALLY)
    history.give({"do": "change", "object": "hero", "add": {"level": 2}})
    state, stats = history.state, presentation_of(CURRENT).board.stats
    shown = {
        key: [
            (stat.name, stat.now)
            for stat in stats(CURRENT, state, obj, CURRENT.derived(CURRENT, state, obj))
        ]
        for key, obj in state.objects.items()
    }

    assert {
        "hero": [("level", 4), ("life", 20)],
        "ally": [("power", 2), ("life", 3)],
    } == shown


def test_a_prompt_shows_what_is_due_now_and_why() -> None:
    history = table(phase="draw", x={**ALLY, "counters": {"wither": 2}})
    say(history, "begin-phase", phase="main")
    prompt = history.state.prompts[0]

    assert {"rule": "Wither 1", "due": {"x": 2}} == derived(CURRENT, history.state, prompt)

    say(history, "remove", on="x", counter="wither")

    assert {"rule": "Wither 1", "due": {"x": 1}} == derived(CURRENT, history.state, prompt)


def test_a_card_that_is_champion_and_weapon_falls_before_it_wears_out() -> None:
    both = {"types": ["champion", "weapon"], "base": {"life": 1, "durability": 1, "level": 0}}
    history = table(x={**both, "counters": {"durability": 1}}, hero=CHAMPION)
    kinds = [each["kind"] for each in say(history, "place", on="x", counter="debuff")]

    assert ["placed", "defeated"] == kinds

    say(history, "wield", object="x")

    assert "banishment" == history.state.objects["x"].zone
    assert card_of(history.state, "x").defeated


def test_refusals_are_sentences_with_the_names_of_cards() -> None:
    history = table(o1={**ITEM, "name": "Orb of Glitter"}, hero=CHAMPION)

    assert "Orb of Glitter is not a weapon." == refusal(history, "wield", object="o1").message
    assert "Orb of Glitter" in refusal(history, "damage", on="o1", amount=1).message
    assert (
        "Only ana"
        in refusal(history, "activate", object="o1", ability="enlighten", by="ben").message
    )
    assert (
        "There are no damage counters; the cost is 2."
        == refusal(history, "recover", seat="ana", amount=2, cost=True).message
    )


@pytest.mark.parametrize(
    ("counters", "ticks", "begun"),
    [
        ({}, {}, ["main"]),
        ({"age": 1}, {"begins": "recollection"}, ["recollection", "main"]),
        ({"wither": 1}, {}, []),
        ({"wither": 1, "age": 1}, {"begins": "recollection"}, ["recollection"]),
    ],
)
def test_the_next_turn_goes_on_to_the_main_phase_unless_wither_is_due(
    counters: dict[str, int], ticks: dict[str, str], begun: list[str]
) -> None:
    history = table(item={"types": ["item"], "owner": "ben", "counters": counters})
    if ticks:
        say(history, "tick", **{"as": "aging"}, on="item", counter="age", change=1, **ticks)
    events = say(history, "begin-turn", active=["ben"], to_main=True)

    assert begun == [each["phase"] for each in events if each["kind"] == "phase-began"]
    assert not history.state.prompts
    assert (2 if ticks else 0) == history.state.count("item", "age")


def test_wither_that_is_put_before_the_main_phase_is_asked_for_there() -> None:
    history = table(item={"types": ["item"], "owner": "ben"}, hero={**CHAMPION, "owner": "ben"})
    give_known(history, {"do": "create", "as": "shade", "name": "Nightshade", "owner": "ben"})
    say(history, "begin-turn", active=["ben"], to_main=True)
    (asked,) = history.state.prompts
    assert "recollection" == history.state.turn.phase

    history.give({"do": "answer", "prompt": asked.id, "on": "item", "by": "ben"})
    say(history, "begin-phase", phase="main")

    assert ["wither"] == [each.kind for each in history.state.prompts]
