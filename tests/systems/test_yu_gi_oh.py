"""Yu-Gi-Oh!: what may hold which counters, checked against a second, slower implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import scenario
from games.rules.history import History
from games.rules.state import MOST
from games.systems import find, presentation_of
from games.systems.attacks import Target
from games.systems.yu_gi_oh import faces, rules
from games.systems.yu_gi_oh.attacks import attacks, each_end
from games.systems.yu_gi_oh.card import card as card_of
from games.systems.yu_gi_oh.card import derived
from games.systems.yu_gi_oh.known import KNOWN
from games.systems.yu_gi_oh.zones import FIELD_ZONES
from tests import laws

CURRENT = find("yu-gi-oh")
DEMO = Path(__file__).parents[2] / "games/systems/yu_gi_oh/demo.json"


def duel(objects: dict[str, Any] | None = None, **settings: Any) -> History:
    """A Duel of Ana and Ben with these cards on the table."""
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects or {}}
    return History(CURRENT, scenario.opening(CURRENT, {"given": given, "settings": settings}))


def refusal(history: History, **command: Any) -> str | None:
    """The code of the refusal; None if the command is accepted."""
    refused = laws.give(history, command)
    return refused.code if refused else None


# The reasons to refuse a placement, in the order of the rules

FLAGS = "face_down doomed unaffected negated unusable activating summoning".split()
flags = st.fixed_dictionaries({}, optional={flag: st.just(True) for flag in FLAGS})
some_zones = st.lists(st.sampled_from(FIELD_ZONES), unique=True)
permit = st.fixed_dictionaries({}, optional={"maximum": st.integers(1, 4), "zones": some_zones})
a_card = st.builds(
    lambda zone, marks, permits, held: {
        "zone": zone,
        **marks,
        "permits": permits,
        "counters": held,
    },
    st.sampled_from([*FIELD_ZONES, "monster", "hand"]),
    flags,
    st.dictionaries(st.sampled_from(["spell", "ice", "bes"]), permit),
    st.dictionaries(st.sampled_from(["spell", "ice"]), st.integers(1, 4)),
)


def expected(card: dict[str, Any], command: dict[str, Any], prohibited: bool) -> str | int:
    """The rules read line by line: the code of the refusal, or how many are placed."""
    kind = command["counter"]
    permits = {
        kind: each
        for kind, each in card["permits"].items()
        if card["zone"] in each.get("zones", FIELD_ZONES)
    }
    own = command.get("source") == "m" or command.get("activation")
    open_kind = kind == "ice"
    reasons = [
        ("no-effect", "source" not in command),
        ("prohibited", prohibited),
        ("not-on-field", card["zone"] == "hand"),
        ("face-down", "face_down" in card),
        ("doomed", "doomed" in card),
        ("unaffected", "unaffected" in card and not own),
        ("not-permitted", not open_kind and kind not in permits),
        ("negated", not open_kind and ("negated" in card or "unusable" in card)),
        (
            "pending",
            not open_kind
            and ("activating" in card or "summoning" in card)
            and not command.get("activation"),
        ),
    ]
    for code, applies in reasons:
        if applies:
            return code
    there = card["counters"].get(kind, 0)
    most = permits.get(kind, {}).get("maximum", MOST)
    wanted = int(command.get("amount", 1))
    if command.get("up_to_maximum") and wanted:
        wanted = min(wanted, max(1, most - there))
    return "over-maximum" if there + wanted > most else wanted


placement = st.fixed_dictionaries(
    {"counter": st.sampled_from(["spell", "ice", "crown"])},
    optional={
        "amount": st.integers(0, 6),
        "source": st.sampled_from(["m", "an effect"]),
        "up_to_maximum": st.booleans(),
        "activation": st.booleans(),
    },
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(card=a_card, command=placement, prohibited=st.booleans())
def test_a_placement_is_refused_for_the_first_reason_of_the_list(
    card: dict[str, Any], command: dict[str, Any], prohibited: bool
) -> None:
    given = {"seats": {"ana": {"prohibited": prohibited}, "ben": {}}, "objects": {"m": card}}
    history = History(CURRENT, scenario.opening(CURRENT, {"given": given}))
    wanted = expected(card, command, prohibited)
    code = refusal(history, do="place", on="m", **command)

    if isinstance(wanted, str):
        assert wanted == code
    else:
        placed = [e["amount"] for e in history.entries[0].events if e["kind"] == "placed"]
        assert code is None
        assert ([wanted] if wanted else []) == placed


# Refusals and their reasons


REASONS = [
    # command                                               what the player reads
    ({"do": "place", "on": "m", "counter": "ice"}, "name the card"),
    ({"do": "place", "on": "m", "counter": "spell", "source": "x"}, "its text does not allow it"),
    ({"do": "place", "on": "n", "counter": "spell", "source": "x"}, "at most 1 spell counter"),
    ({"do": "spend", "on": "n", "counter": "spell", "amount": 3}, "There is only 1 spell counter"),
    ({"do": "spend", "on": "any-field", "counter": "ice"}, "2 cards have ice counters"),
    ({"do": "lose-life", "seat": "ana", "amount": 9000, "cost": True}, "ana has 8000 life points"),
]


@pytest.mark.parametrize(("command", "words"), REASONS)
def test_a_refusal_gives_the_reason_in_the_words_of_the_game(
    command: dict[str, Any], words: str
) -> None:
    history = duel(
        {
            "m": {"counters": {"ice": 1}},
            "n": {"permits": {"spell": {"maximum": 1}}, "counters": {"spell": 1, "ice": 1}},
        }
    )
    refused = laws.give(history, command)

    assert refused is not None
    assert words in refused.message
    assert refused.rule in rules.RULES


def test_every_automatic_removal_names_its_rule() -> None:
    held = {"permits": {"spell": {}}, "counters": {"spell": 1}}
    history = duel({name: dict(held) for name in "abcdef"})
    for command in (
        {"do": "mark", "on": "a", "mark": "negated"},
        {"do": "mark", "on": "b", "mark": "unusable"},
        {"do": "flip", "object": "c", "face_down": True},
        {"do": "revoke", "object": "d", "counter": "spell"},
        {"do": "permit", "object": "e", "counter": "spell", "zones": ["pendulum"]},
    ):
        laws.give(history, command)
    removed = [e for entry in history.entries for e in entry.events if e["kind"] == "removed"]

    assert ["R8", "R10", "R5", "R11", "R14"] == [event["rule"] for event in removed]
    assert {"f": {"spell": 1}} == {holder: dict(k) for holder, k in history.state.counters.items()}


def test_a_duel_that_both_players_lose_at_once_has_no_winner() -> None:
    history = duel()
    laws.give(history, {"do": "lose-life", "seat": ["ben", "ana"], "amount": 8000})

    assert history.state.result == "draw"


# The table of kinds


# Around it


def test_the_demo_plays_to_its_end() -> None:
    demo = json.loads(DEMO.read_text(encoding="utf8"))

    assert [] == scenario.check(demo, CURRENT)


def test_the_kinds_that_a_table_opens_are_a_list_of_kinds() -> None:
    history = duel({"m": {}}, open_kinds=["crown"])

    assert refusal(history, do="place", on="m", counter="crown", source="x") is None
    for wrong in ("crown", ["Crown"], ["crown", "crown"], [1]):
        with pytest.raises(scenario.SpecificationError):
            duel(open_kinds=wrong)


@pytest.mark.parametrize("permits", [{"spell": {"most": 1}}, {"spell": 3}, {"S": {}}, ["spell"]])
def test_an_opening_with_a_malformed_permit_is_refused(permits: Any) -> None:
    with pytest.raises(scenario.SpecificationError):
        duel({"m": {"permits": permits}})


BATTLE: dict[str, Any] = {
    "mage": {"base": {"atk": 1900}, "permits": {"spell": {}}, "counters": {"spell": 1},
             "per_counter": {"spell": {"atk": 100}}},
    "wall": {"name": "Wall", "base": {"atk": 0, "def": 2300}, "defense": True, "owner": "ben"},
    "elf": {"name": "Elf", "base": {"atk": 1900}, "owner": "ben"},
    "twin": {"name": "Twin", "base": {"atk": 2000}, "owner": "ben"},
    "set": {"name": "Bug", "base": {"def": 9000}, "face_down": True, "owner": "ben"},
}  # fmt: skip


def ways(history: History, seat: str, monster: str) -> list[Any]:
    """What its sheet says as *seat* sees it: by way, each target with what it comes to."""
    seen = {key: faces.as_seen(card_of(history.state, key), seat) for key in history.state.objects}
    state = replace(history.state, objects=seen)
    found = attacks(CURRENT, state, card_of(state, monster), lambda obj: str(obj.name))
    return [[_target(to) for to in way.targets] for way in found]


def _target(to: Target) -> Any:
    lives = ((end.seat, end.then, end.lost) for end in to.ends)
    return (to.id, to.number, to.falls, to.back, *lives)


def test_a_sheet_says_what_comes_of_each_attack_but_not_of_one_on_a_set_card() -> None:
    history = duel(BATTLE)

    assert [
        [
            ("wall", 2300, False, False, ("ana", 7700, False)),
            ("elf", 1900, True, False, ("ben", 7900, False)),
            ("twin", 2000, True, True),
            ("set", None, False, False),
        ],
        [("ben", None, False, False, ("ben", 6000, False))],
    ] == ways(history, "ana", "mage")


def test_a_direct_attack_is_offered_where_no_monster_stands_and_says_that_it_kills() -> None:
    history = duel({"mage": BATTLE["mage"]})
    history.give({"do": "lose-life", "seat": "ben", "amount": 7000, "by": "ana"})

    assert [[("ben", None, False, False, ("ben", 0, True))]] == ways(history, "ana", "mage")


def test_a_second_attack_in_a_turn_is_offered_only_as_one_that_a_card_allows() -> None:
    history = duel({"mage": BATTLE["mage"]})
    laws.say(history, "attack", object="mage", on="ben")

    seen = attacks(CURRENT, history.state, card_of(history.state, "mage"), lambda obj: obj.id)
    assert [(True, True)] == [("anyway" in way.given, bool(way.folded)) for way in seen]
    laws.say(history, "undo")
    assert not card_of(history.state, "mage").attacked


def test_what_a_card_gains_for_counters_elsewhere_has_its_reasons() -> None:
    known = KNOWN.called("Cloudian - Nimbusman")
    history = duel({"foe": {**BATTLE["elf"], "counters": {"fog": 2}}})
    laws.say(history, "create", as_="nimbus", name=known.name, zone=known.zone, **known.printed)
    nimbus = card_of(history.state, "nimbus")

    assert 2000 == derived(CURRENT, history.state, nimbus)["atk"]
    steps = presentation_of(CURRENT).sheets.steps(CURRENT, history.state, nimbus, "atk")
    assert [("+1000", "fog", "Stats 6")] == [*steps]
    board, before = presentation_of(CURRENT).board, history.state
    laws.say(history, "remove", on="foe", counter="fog", amount=1)
    assert board.shown_by_all(before, history.state, "foe")
    assert not board.shown_by_all(history.state, history.state, "foe")


def test_a_refused_attack_does_not_name_a_set_card() -> None:
    history = duel({"mage": BATTLE["mage"], "set": {"face_down": True, "owner": "ben"}})

    assert "wrong-facts" == refusal(history, do="attack", object="mage", on="set", by="ana")
    assert card_of(history.state, "set").face_down


def test_venom_swamp_takes_one_tap_at_the_end_of_a_turn_and_one_when_it_has_gone() -> None:
    history = duel(
        {
            "swamp": {"name": "Venom Swamp", "owner": "ana", "zone": "field-zone"},
            "boa": {"name": "Venom Boa", "owner": "ana", "base": {"atk": 1600}},
            "kuriboh": {"name": "Kuriboh", "owner": "ben", "base": {"atk": 300}},
            "ox": {"name": "Battle Ox", "owner": "ben", "base": {"atk": 1700}},
            "set": {"name": "Man-Eater Bug", "owner": "ben", "face_down": True},
        }
    )

    def tap() -> str:
        swamp = card_of(history.state, "swamp")
        (act,) = each_end(CURRENT, history.state, swamp, lambda card: card.name)
        (target,) = act.targets
        laws.say(history, **act.given, steps=json.loads(target.id))
        return target.name

    def atk() -> int:
        return derived(CURRENT, history.state, card_of(history.state, "ox"))["atk"]

    assert "Kuriboh 300 → 0, Battle Ox 1700 → 1200" == tap()
    assert "graveyard" == history.state.objects["kuriboh"].zone
    assert "Battle Ox 1200 → 700" == tap()
    assert {} == history.state.on("boa") == history.state.on("set")
    laws.say(history, "move", object="swamp", to="graveyard")
    assert "Battle Ox 700 → 1700" == tap()
    assert 1700 == atk()
