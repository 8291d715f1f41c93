"""Grand Archive: its rules one by one, and what holds at every table after every command.

The cases in tests/scenarios/grand-archive*.json are run by test_core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from games.rules.history import History
from games.rules.modifiers import FURTHEST
from games.rules.state import CEASED, GameState
from games.rules.system import Effect, System
from games.systems import SYSTEMS, find, presentation_of
from games.systems.grand_archive import CURRENT, EDITIONS
from games.systems.grand_archive.attacks import attacks
from games.systems.grand_archive.card import (
    TYPES,
    Card,
    card_of,
    derived,
    durability,
    level,
    life_of,
    omens,
    power_and_life,
)
from games.systems.grand_archive.card_table import CHAMPIONS, WEAPONS
from games.systems.grand_archive.effects import note_champion
from games.systems.grand_archive.known import levels_into, offer_cards
from tests import laws
from tests.laws import refusal, say
from tests.systems.evening import Evening

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

    history.give({"do": "together", "steps": above["Rai, Spellcrafter"]["steps"]})

    assert {"damage": 3, "enlighten": 2} == history.state.on("hero")
    assert {"level": 1, "life": 19} == card_of(history.state, "hero").base
    assert [] == [each for name, each in above.items() if CHAMPIONS[name][0] != 1]


@pytest.mark.parametrize("typed", [*CHAMPIONS, *WEAPONS])
def test_every_known_card_can_be_added_as_it_is_offered(typed: str) -> None:
    history = History(CURRENT, CURRENT.opening(CURRENT, {"seats": {"ana": {}, "ben": {}}}, {}))
    (known,) = [each for each in offer_cards(typed, most=99) if each.name == typed]

    say(history, "create", as_="card", name=known.name, zone=known.zone, **known.printed)

    assert known.printed["base"] == card_of(history.state, "card").base


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("hero", [(["sword", "slash"], 5, ["boss", "fort"]), (["slash"], 3, [])]),
        ("wolf", [([], 2, [])]),
        ("tree", []),
        ("sword", []),
    ],
)
def test_a_sheet_says_what_falls_by_each_attack(unit: str, expected: list[Any]) -> None:
    state = CURRENT.opening(CURRENT, {"seats": {"ana": {}, "ben": {}}, "objects": ATTACKS}, {})

    found = attacks(CURRENT, state, card_of(state, unit), lambda obj: obj.name)

    assert expected == [
        (
            way.given.get("with", []),
            getattr(way.title, "facts", {})["n"],
            [each.id for each in way.targets if each.falls],
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


# A table at random

IDS = st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "new"])
SEATS = st.sampled_from(["ana", "ben", "cleo"])
KINDS = st.sampled_from(
    "buff debuff damage durability enlighten level omen wither bulwark static age".split()
)
FEW = st.integers(0, 6)
BASE = st.fixed_dictionaries(
    {}, optional={stat: st.integers(0, 5) for stat in ("power", "life", "durability", "level")}
)
OF_TYPES = st.lists(st.sampled_from(TYPES), max_size=2, unique=True)
STATS_OF = st.fixed_dictionaries(
    {}, optional={"power": st.integers(-3, 3), "life": st.integers(-3, 3)}
)
TIMES_OF = st.fixed_dictionaries(
    {}, optional={"power": st.integers(0, 3), "life": st.integers(0, 3)}
)
ZONES = st.sampled_from(CURRENT.zones)


NOTING = [each for each in CURRENT.automatic.effects if each is note_champion]
"""Notes who has a champion before any rule takes it away; it is no rule, so its place is fixed."""
RULED = [each for each in CURRENT.automatic.effects if each not in NOTING]


class Table(Evening, RuleBasedStateMachine):
    """Three seats play at random; the laws hold after every command."""

    edition = "2026-08"

    @initialize(
        objects=st.dictionaries(
            IDS,
            st.fixed_dictionaries(
                {"types": OF_TYPES, "base": BASE},
                optional={
                    "zone": ZONES,
                    "owner": SEATS,
                    "token": st.booleans(),
                    "immortal": st.booleans(),
                    "marked": FEW,
                    "counters": st.dictionaries(KINDS, st.integers(1, 6), max_size=3),
                },
            ),
            min_size=3,
        ),
        apply=st.sampled_from(["first", "last"]),
        loses=st.booleans(),
        order=st.permutations(RULED),
    )
    def open(
        self, objects: dict[str, Any], apply: str, loses: bool, order: Sequence[Effect]
    ) -> None:
        self.system = find("grand-archive", self.edition)
        given = {"seats": {"ana": {}, "ben": {}, "cleo": {}}, "objects": objects}
        house = {"counters_apply": apply, "no_champion_loses": loses}
        self.history = History(self.system, self.system.opening(self.system, given, house))
        shuffled = laws.reordered(self.system, (*NOTING, *order))
        self.shuffled = History(shuffled, self.history.opening)
        self.counters = {
            holder: dict(kinds) for holder, kinds in self.history.opening.counters.items()
        }
        self.turned_back = False

    def say(self, do: str, **parameters: Any) -> None:
        command = {"do": do, **{key.rstrip("_"): each for key, each in parameters.items()}}
        number = self.history.number
        refused = laws.give(self.history, command)
        again = laws.give(self.shuffled, command)
        assert (refused and refused.code) == (again and again.code)
        assert self.history.state == self.shuffled.state, "the order of effects matters"
        if self.history.number > number:
            for event in self.history.entries[-1].events:
                self.count(event)

    def count(self, event: Mapping[str, Any]) -> None:
        """Keep books from the log alone, until something is undone."""
        kind = event["kind"]
        self.turned_back = self.turned_back or kind in ("undone", "redone")
        if self.turned_back:
            return
        self.count_who_is_out(self.counters, event)
        if kind in ("placed", "removed", "spent"):
            amount = event["amount"] if kind == "placed" else -event["amount"]
            held = self.counters.setdefault(event["on"], {})
            held[event["counter"]] = held.get(event["counter"], 0) + amount
        elif kind == "corrected":
            self.counters.setdefault(event["on"], {})[event["counter"]] = event["to"]
        elif kind == "moved":
            held = {kind: n for kind, n in self.counters.pop(event["object"], {}).items() if n}
            assert held == event["had"]

    @rule(on=IDS, kind=KINDS, amount=FEW, by=SEATS)
    def place(self, on: str, kind: str, amount: int, by: str) -> None:
        self.say("place", on=on, counter=kind, amount=amount, by=by)

    @rule(on=st.lists(IDS, min_size=1, max_size=3, unique=True), kinds=st.dictionaries(KINDS, FEW))
    def place_several(self, on: list[str], kinds: dict[str, int]) -> None:
        self.say("place", on=on, counters=kinds)

    @rule(on=IDS, kind=KINDS, had_by=IDS)
    def place_as_many_as(self, on: str, kind: str, had_by: str) -> None:
        self.say("place", on=on, counter=kind, had_by=had_by)

    @rule(do=st.sampled_from(["spend", "remove"]), on=IDS, kind=KINDS, amount=FEW)
    def take(self, do: str, on: str, kind: str, amount: int) -> None:
        self.say(do, on=on, counter=kind, amount=amount)

    @rule(on=IDS)
    def remove_all(self, on: str) -> None:
        self.say("remove", on=on, amount="all")

    @rule(from_=IDS, to=IDS, kind=KINDS, amount=FEW)
    def transfer(self, from_: str, to: str, kind: str, amount: int) -> None:
        self.say("transfer", from_=from_, to=to, counter=kind, amount=amount)

    @rule(on=IDS, kind=KINDS, to=FEW)
    def correct(self, on: str, kind: str, to: int) -> None:
        self.say("correct", on=on, counter=kind, to=to)

    @rule(
        as_=IDS, types=OF_TYPES, base=BASE, zone=ZONES, token=st.booleans(), owner=SEATS, by=SEATS
    )
    def create(self, as_: str, **facts: Any) -> None:
        self.say("create", as_=as_, **facts)

    @rule(object_=IDS, as_=IDS, controller=SEATS)
    def copy(self, object_: str, as_: str, controller: str) -> None:
        self.say("copy", object=object_, as_=as_, controller=controller)

    @rule(object_=IDS, types=OF_TYPES, base=BASE)
    def transform(self, object_: str, types: list[str], base: dict[str, int]) -> None:
        self.say("transform", object=object_, types=types, base=base)

    @rule(object_=IDS, to=ZONES, controller=st.none() | SEATS)
    def move(self, object_: str, to: str, controller: str | None) -> None:
        self.say(
            "move", object=object_, to=to, **({"controller": controller} if controller else {})
        )

    @rule(object_=IDS, kinds=st.dictionaries(KINDS, FEW, max_size=2))
    def enter(self, object_: str, kinds: dict[str, int]) -> None:
        self.say("move", object=object_, to="field", counters=kinds)

    @rule(object_=IDS, to=SEATS)
    def control(self, object_: str, to: str) -> None:
        self.say("control", object=object_, to=to)

    @rule(on=IDS, value=st.booleans())
    def mark(self, on: str, value: bool) -> None:
        self.say("mark", on=on, mark="immortal", value=value)

    @rule(object_=IDS, add=STATS_OF, lasting=st.booleans())
    def add(self, object_: str, add: dict[str, int], lasting: bool) -> None:
        self.say("change", object=object_, add=add, lasting=lasting)

    @rule(object_=IDS, set_=STATS_OF, lasting=st.booleans())
    def set(self, object_: str, set_: dict[str, int], lasting: bool) -> None:
        self.say("change", object=object_, set=set_, lasting=lasting)

    @rule(object_=IDS, multiply=TIMES_OF)
    def multiply(self, object_: str, multiply: dict[str, int]) -> None:
        self.say("change", object=object_, multiply=multiply)

    @rule(object_=IDS, by=st.integers(-2, 2), how=st.sampled_from(["add", "set"]))
    def change_level(self, object_: str, by: int, how: str) -> None:
        self.say("change", object=object_, **{how: {"level": by}})

    @rule(object_=IDS, types=st.lists(st.sampled_from(TYPES), unique=True, max_size=2))
    def describe(self, object_: str, types: list[str]) -> None:
        self.say("describe", object=object_, types=types, base={"life": 3, "durability": 1})

    @rule(object_=IDS)
    def swap(self, object_: str) -> None:
        self.say("change", object=object_, swap=True)

    @rule(
        on=st.lists(IDS, min_size=1, max_size=3, unique=True),
        how=st.sampled_from([{"amount": 0}, {"amount": 2}, {"source": "a"}, {"source": "b"}]),
        combat=st.booleans(),
        unpreventable=st.booleans(),
    )
    def damage(self, on: list[str], how: dict[str, Any], combat: bool, unpreventable: bool) -> None:
        self.say("damage", on=on, combat=combat, unpreventable=unpreventable, **how)

    @rule(by=IDS, on=IDS, charged=IDS)
    def fight_with_arcane(self, by: str, on: str, charged: str) -> None:
        arcane = {"types": ["ally"], "elements": ["arcane"], "base": {"power": 1, "life": 2}}
        self.say("describe", object=by, **arcane)
        self.say("place", on=charged, counter="static", amount=2)
        self.say("damage", on=[on], source=by, combat=True)

    @rule(seat=SEATS, amount=FEW, champion=st.none() | IDS, cost=st.booleans())
    def recover(self, seat: str, amount: int, champion: str | None, cost: bool) -> None:
        named = {"champion": champion} if champion else {}
        self.say("recover", seat=seat, amount=amount, cost=cost, **named)

    @rule(object_=IDS)
    def wield(self, object_: str) -> None:
        self.say("wield", object=object_)

    @rule(do=st.sampled_from(["level-up", "delevel"]), object_=IDS, level=FEW, life=FEW)
    def level(self, do: str, object_: str, level: int, life: int) -> None:
        self.say(do, object=object_, level=level, life=life)

    @rule(object_=IDS, by=SEATS)
    def activate(self, object_: str, by: str) -> None:
        self.say("activate", object=object_, ability="enlighten", by=by)

    @rule(active=st.lists(SEATS, min_size=1, max_size=3, unique=True))
    def begin_turn(self, active: list[str]) -> None:
        self.say("begin-turn", active=active)

    @rule(phase=st.sampled_from(["main", "main", "combat", "end", "draw"]))
    def begin_phase(self, phase: str) -> None:
        self.say("begin-phase", phase=phase)

    @rule(data=st.data(), paid=st.lists(IDS, unique=True) | st.dictionaries(IDS, FEW))
    def answer(self, data: st.DataObject, paid: Any) -> None:
        if waiting := self.history.state.prompts:
            prompt = data.draw(st.sampled_from(waiting))
            if prompt.kind == "wither":
                facts = {"paid": paid}
            elif prompt.kind == "static":
                facts = {"use": data.draw(st.sampled_from([[], [prompt.source]]))}
            else:
                facts = {}
            self.say("answer", prompt=prompt.id, by=prompt.to, **facts)

    @rule(data=st.data(), by=SEATS)
    def void(self, data: st.DataObject, by: str) -> None:
        if waiting := self.history.state.prompts:
            self.say("void", prompt=data.draw(st.sampled_from(waiting)).id, by=by)

    @rule(do=st.sampled_from(["undo", "redo"]))
    def turn_back(self, do: str) -> None:
        self.say(do)

    @rule()
    def store_and_load(self) -> None:
        self.history = laws.reloaded(self.history)

    @invariant()
    def nothing_is_left_to_settle(self) -> None:
        state = self.history.state
        if not state.settled:
            return
        for card in state.objects.values():
            assert isinstance(card, Card)
            kinds = state.on(card.id)
            assert not {"buff", "debuff"} <= set(kinds)
            if card.on_field:
                self.stands(state, card)
            else:
                self.is_a_card_like_any_other(state, card)

    def stands(self, state: GameState, card: Card) -> None:
        """Everything on the field belongs there."""
        life = life_of(self.system, state, card, state.on(card.id))
        assert 0 <= card.marked <= 999_999
        if life is not None and not card.immortal:
            if "champion" in card.types:
                assert card.defeated or state.count(card.id, "damage") < life
            elif "ally" in card.types:
                assert card.marked < life
        worn = {"weapon"} if self.edition == "2024" else {"weapon", "siegeable"}
        if worn & set(card.types):
            assert durability(state, card) != 0

    def is_a_card_like_any_other(self, state: GameState, card: Card) -> None:
        assert card.controller == card.owner
        if card.zone == CEASED:
            assert card.token or state.seats[card.owner].lost
            assert card.id not in state.counters
        if state is not self.history.opening and self.history.number and card.had:
            assert not card.changes
            assert not card.immortal

    @invariant()
    def who_has_no_champion_has_lost(self) -> None:
        state = self.history.state
        if not state.settled:
            assert state.result is None
            return
        seats: Any = state.seats.values()
        for seat in seats:
            assert seat.id not in state.counters
            mine = [
                card
                for card in state.objects.values()
                if isinstance(card, Card)
                and "champion" in card.types
                and card.on_field
                and card.controller == seat.id
            ]
            if any(not card.defeated for card in mine) or seat.cannot_lose:
                continue
            if seat.had_champion and state.settings["no_champion_loses"]:
                assert seat.lost
            if mine:
                assert seat.lost
        left = [seat for seat in state.seats.values() if not seat.lost]
        if state.result is None:
            assert len(left) > 1

    @invariant()
    def only_what_the_edition_lists_does_anything(self) -> None:
        state = self.history.state
        if self.edition == "2024":
            assert all(prompt.kind == "enlighten" for prompt in state.prompts)
            assert all(omens(self.system, state, seat) == [] for seat in state.seats)
        for card in state.objects.values():
            assert isinstance(card, Card)
            if "champion" not in card.types:
                assert level(state, card) is None

    @invariant()
    def the_log_tells_the_same_numbers(self) -> None:
        if self.turned_back:
            return
        logged = {
            holder: {kind: n for kind, n in kinds.items() if n}
            for holder, kinds in self.counters.items()
        }
        held = {holder: dict(kinds) for holder, kinds in self.history.state.counters.items()}

        assert {holder: kinds for holder, kinds in logged.items() if kinds} == held

    def teardown(self) -> None:
        if hasattr(self, "history"):
            laws.log_leads_to_state(self.history)


class TableOf2025(Table):
    edition = "2025-07"


class TableOf2024(Table):
    edition = "2024"


SHORT = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestTable = Table.TestCase
TestTableOf2025 = pytest.mark.sweep(TableOf2025.TestCase)
TestTableOf2024 = pytest.mark.sweep(TableOf2024.TestCase)
TestTable.settings = TestTableOf2025.settings = TestTableOf2024.settings = SHORT


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
