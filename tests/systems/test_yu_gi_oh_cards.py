"""Yu-Gi-Oh!'s known cards: the table, its file, and the command that replaces the file."""

from __future__ import annotations

import json
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from countersite.management.commands import cards as command
from games.rules import scenario
from games.rules.history import History
from games.rules.state import GameObject
from games.screens import sheets
from games.systems import find
from games.systems.yu_gi_oh import card_table, known
from games.systems.yu_gi_oh.card_table import CORRECTIONS, KINDS, OPEN
from tests import laws

CURRENT = find("yu-gi-oh")
FOLDER = Path(__file__).parents[2] / "games/systems/yu_gi_oh"
SOURCE = json.loads((FOLDER / "cards.json").read_text(encoding="utf8"))


def find_card(typed: str) -> known.KnownCard:
    """The card that typing its whole name offers first."""
    return known.KNOWN.offer(typed, most=1)[0]


# The table


def test_the_kept_file_is_well_formed_and_leaves_nothing_to_look_up() -> None:
    card_table.refuse_malformed(SOURCE)

    assert [] == list(card_table.doubts(SOURCE, KINDS))


def test_the_open_kinds_are_those_of_the_page() -> None:
    listed = (
        "a,bunny ear,burnup,cubic,deranged,fog,guard,hallucination,ice,magic reflector,maiden,"
        "patrol,predator,scale,signal,string,venemy,venom,wedge,zushin"
    )

    assert set(listed.split(",")) == OPEN
    assert len(KINDS) == len({kind.engine_id for kind in KINDS.values()}) == 114


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("spell", "Spell Counter"),
        ("a", "A-Counter"),
        ("e.c.", "E.C. Counter"),
        ("crown", "Crown Counter"),
        ("myriad", "Myriad Counter"),
        ("reversal box", "counter of Reversal Box"),
        ("b.e.s.", "counter of B.E.S. Big Core"),
        ("magic reflector", "counter of Magic Reflector"),
        ("otoshidamashi", "Otoshidamashi Counter"),
    ],
)
def test_a_kind_is_called_as_it_is_printed_or_after_its_card(kind: str, title: str) -> None:
    assert title == KINDS[kind].title


def test_every_card_of_the_file_is_offered_with_what_it_holds_and_places() -> None:
    for kind, facts in SOURCE["kinds"].items():
        for name, host in facts["hosts"].items():
            permit = find_card(name).printed["permits"][kind]

            assert host.get("maximum") == permit.get("maximum"), name
        for name in set(facts["placers"]) - set(facts["hosts"]):
            assert kind in find_card(name).places


ELSEWHERE = {
    "Mythical Bestiamorph",  # a Trap that turns into a monster
    "Pumprincess the Princess of Ghosts",  # a monster that turns into a Continuous Spell
}
"""They may hold counters in another zone than the one they are played in."""


def test_every_known_card_can_be_made_and_may_hold_its_kinds_where_it_is_played() -> None:
    for name in SOURCE["cards"]:
        card, history = find_card(name), duel()
        assert None is refusal(
            history, {"do": "create", "as": "c", "name": name, "zone": card.zone, **card.printed}
        )
        for kind in card.printed.get("permits", {}):
            placed = {"do": "place", "on": "c", "counter": kind, "source": "c"}

            assert ("not-permitted" if name in ELSEWHERE else None) == refusal(history, placed)


# Where cards are played


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("Gateway to Chaos", "field-zone"),
        ("Summon Over", "field-zone"),
        ("Symph Amplifire", "field-zone"),
        ("Onomatopia", "field-zone"),
        ("Spring", "field-zone"),
        ("Spacegate", "spell-trap"),
        ("Endymion's Lab", "spell-trap"),
        ("That's 10!", "spell-trap"),
        ("Rising Sun Slash", "spell-trap"),
        ("Power of the Guardians", "spell-trap"),
        ("Gadget Box", "spell-trap"),
        ("Servant of Endymion", "pendulum"),
        ("Angello Vaalmonica", "pendulum"),
        ("Magical Abductor", "monster"),
        ("Endymion, the Mighty Master of Magic", "monster"),
        ("Predaplant Triantis", "monster"),
        ("Snowdust Giant", "monster"),
        ("Pumprincess the Princess of Ghosts", "monster"),
    ],
)
def test_a_known_card_is_offered_where_it_is_played(name: str, zone: str) -> None:
    assert zone == find_card(name).zone


def test_every_zone_is_the_file_s_or_has_a_reason() -> None:
    """An Equip Spell is a Spell; a Pendulum Monster may be played in either of its zones."""
    reasons = {
        *(n for n, it in CORRECTIONS.items() if it.played_in),
        *(n for n, c in SOURCE["cards"].items() if c.get("equip")),
    }
    for name, read in SOURCE["cards"].items():
        its = {read["played_in"], "pendulum"} if read.get("pendulum") else {read["played_in"]}

        assert name in reasons or find_card(name).zone in its, name


@pytest.mark.parametrize(
    ("name", "zones"),
    [
        ("Dark Valkyria", ["monster"]),
        ("Royal Magical Library", ["monster"]),
        ("Mythical Beast Medusa", ["monster"]),
        ("Magical Abductor", ["monster", "pendulum"]),
        ("That's 10!", ["spell-trap"]),
        ("Arcane Barrier", ["spell-trap", "field-zone"]),
        ("Mythical Bestiamorph", ["monster"]),
        ("Angello Vaalmonica", ["pendulum"]),
    ],
)
def test_a_permit_counts_only_in_the_zones_of_the_card(name: str, zones: list[str]) -> None:
    assert [zones] == [each["zones"] for each in find_card(name).printed["permits"].values()]


# What is offered


def test_typing_gateway_to_chaos_offers_its_spell_counters_and_maximum() -> None:
    card = find_card("gateway TO chaos")

    assert "Gateway to Chaos" == card.name
    assert 6 == card.printed["permits"]["spell"]["maximum"]
    assert {"note": "spell 6", "places": ""} == card.listing
    assert ["Gateway of the Six", "Gateway to Chaos"] == [
        offer.name for offer in known.KNOWN.offer("gatew")
    ]


def test_a_card_is_offered_with_its_step_and_its_threshold() -> None:
    servant, skilled = find_card("Servant of Endymion"), find_card("skilleddarkmagician")

    assert {"spell": {"amount": 1, "zones": ["pendulum"]}} == servant.printed["on_spell"]
    assert {"spell": 3} == skilled.printed["thresholds"]
    assert known.KNOWN.offer("Blue-Eyes White Dragon") == known.KNOWN.offer(" ") == []


def test_a_known_monster_comes_with_its_numbers_and_counts_its_atk() -> None:
    printed = find_card("Arcanite Magician").printed
    history = duel({"mage": {**printed, "counters": {"spell": 2}}})

    assert {"atk": 2400, "def": 1800, "level": 7} == history.system.derived(
        history.system, history.state, history.state.objects["mage"]
    )


@pytest.mark.parametrize(
    ("name", "kind", "atk"),
    [
        ("Breaker the Dark Magical Warrior", "spell", 400),
        ("Card Guard", "guard", 300),
        ("Dark Red Enchanter", "spell", 300),
        ("Des Mosquito", "des mosquito", 500),
        ("Silent Magician LV4", "spell", 500),
        ("Supreme Arcanite Magician", "spell", 1000),
    ],
)
def test_each_counter_adds_what_the_text_of_its_card_says(name: str, kind: str, atk: int) -> None:
    printed = {"base": {"atk": 0}, **find_card(name).printed}
    history = duel({"mage": {**printed, "counters": {kind: 1}}})
    mage = history.state.objects["mage"]

    now = history.system.derived(history.system, history.state, mage)["atk"]
    assert atk == now - printed["base"]["atk"]


def test_what_is_printed_on_a_monster_is_what_monsters_may_have() -> None:
    cards = [card for card in known.KNOWN.values() if "base" in card.printed]

    assert {"monster"} == {card.zone for card in cards}
    for card in cards:
        base = card.printed["base"]
        assert ("atk", "def", "level")[: len(base)] == tuple(base)
        assert not base["atk"] % 50
        assert not base.get("def", 0) % 50
        assert 1 <= base.get("level", 1) <= 12


def test_the_cards_that_count_every_spell_are_those_whose_text_does() -> None:
    """Spellbook Star Hall counts some Spells, and Thelematech Clatis what is not one."""
    counting = {n: c for n in SOURCE["cards"] if "on_spell" in (c := find_card(n)).printed}

    assert 27 == len(counting)
    assert {"Dark Red Enchanter", "Endymion's Lab", "Magical Something"} <= set(counting)
    assert not {"Spellbook Star Hall", "Thelematech Clatis"} & set(counting)
    assert {"Magical Exemplar", "Mythical Beast Master Cerberus"} == {
        name for name, card in counting.items() if card.printed["on_spell"]["spell"]["amount"] == 2
    }


# What a card places on others


def duel(objects: dict[str, Any] | None = None) -> History:
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects or {}}
    return History(CURRENT, scenario.opening(CURRENT, {"given": given}))


def refusal(history: History, given: dict[str, Any]) -> str | None:
    refused = laws.give(history, given)
    return refused.code if refused else None


def placing(history: History, card: str) -> Any:
    """The counters that the sheet of *card* offers to place, by kind."""
    obj: GameObject = history.state.objects[card]
    return dict(sheets.of_object(sheets.Table(CURRENT, history.state, {}, "ana"), obj)["placing"])


def test_the_sheet_of_a_placer_offers_the_cards_that_can_take_its_kind() -> None:
    history = duel(
        {
            "grey": {"name": "Alien Grey"},
            "foe": {"name": "Foe", "owner": "ben"},
            "set": {"owner": "ben", "face_down": True},
            "gone": {"zone": "graveyard"},
        }
    )

    assert ["grey", "foe"] == [taker for taker, _ in placing(history, "grey")["a"]]
    assert {} == placing(history, "foe")


def test_a_bound_kind_is_offered_only_to_cards_with_room_for_it() -> None:
    history = duel(
        {
            "apprentice": {"name": "Apprentice Magician"},
            "library": {"permits": {"spell": {"maximum": 3}}},
            "full": {"permits": {"spell": {"maximum": 1}}, "counters": {"spell": 1}},
            "negated": {"permits": {"spell": {}}, "negated": True},
        }
    )

    assert ["library"] == [taker for taker, _ in placing(history, "apprentice")["spell"]]


def test_a_set_card_does_not_tell_what_it_places() -> None:
    history = duel({"grey": {"name": "Alien Grey", "face_down": True}, "foe": {"owner": "ben"}})

    assert {} == placing(history, "grey")


# The command


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the system in a copy of the project, with its file."""
    folder = tmp_path / "games/systems/yu_gi_oh"
    folder.mkdir(parents=True)
    (folder / "cards.json").write_text(json.dumps(SOURCE), encoding="utf8")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    return folder


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("cards", "yu-gi-oh", *arguments, stdout=out)
    return out.getvalue()


def newer() -> Any:
    """A file of next month: a new kind, on a new card that seems to count every Spell."""
    source = deepcopy(SOURCE)
    host = {"Lantern Magician": {"maximum": 5}}
    source["kinds"]["lantern"] = {"engine_id": "0x2ff", "open": False, "hosts": host, "placers": []}
    source["kinds"]["spell"]["hosts"] |= {"Lantern Magician": {}}
    source["cards"]["Lantern Magician"] = {"played_in": "monster", "each_spell": True}
    return source


def test_without_a_file_the_command_checks_the_kept_one(kept: Path) -> None:
    assert "114 kinds, 274 cards.\n" == run()


def test_a_newer_file_takes_the_place_of_the_kept_one(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "newer.json"
    file.write_text(json.dumps(newer()), encoding="utf8")

    said = run(str(file))

    assert "115 kinds, 275 cards." in said
    assert "lantern: a new kind, called “Lantern Counter”" in said
    assert "Lantern Magician: does it place 1 on itself for every Spell?" in said
    assert newer() == json.loads((kept / "cards.json").read_text())
    assert card_table.kinds_of(newer())["lantern"].title == "Lantern Counter"
    assert card_table.cards_of(newer())["Lantern Magician"]["on_spell"] == {"spell": {"amount": 1}}


def test_a_fact_that_was_looked_up_is_asked_about_when_its_card_is_gone() -> None:
    source = deepcopy(SOURCE)
    del source["kinds"]["access"], source["cards"]["That's 10!"]

    doubts = list(card_table.doubts(source, KINDS))

    assert doubts[0].startswith("access: this kind is gone")
    assert "That's 10!: no longer holds counters; take it out of corrections.json" in doubts


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("kinds",), None, "needs `source`, `kinds` and `cards`"),
        (("kinds", "Spell"), {"engine_id": "0x1"}, "“Spell” cannot be read"),
        (("kinds", "spell", "open"), "no", "needs `open`"),
        (("kinds", "spell", "engine_id"), "0x3", "a number that another has"),
        (("kinds", "spell", "hosts", "Breaker"), {}, "“Breaker” of the kind “spell”"),
        (("kinds", "chaos", "hosts", "Chaos Zone"), {"maximum": 0}, "“Chaos Zone” may hold"),
        (("cards", "Chaos Zone", "played_in"), "hand", "where “Chaos Zone” is played"),
    ],
)
def test_a_malformed_file_is_refused_and_nothing_is_changed(
    kept: Path, tmp_path: Path, path: tuple[str, ...], value: Any, why: str
) -> None:
    source = inner = deepcopy(SOURCE)
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    file = tmp_path / "newer.json"
    file.write_text(json.dumps(source), encoding="utf8")

    with pytest.raises(CommandError, match=why):
        run(str(file))

    assert SOURCE == json.loads((kept / "cards.json").read_text())
