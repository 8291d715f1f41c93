"""The rules for players: what the site does, how editions differ, and the house rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.pages.manual import PICTURED, THINGS
from games.pages.rules import differences, house_rules
from games.rules import table_rules
from games.store import rows
from games.systems import SYSTEMS, find
from tests.types import Make, Sit

ALL = [system for editions in SYSTEMS.values() for system in editions]
named = pytest.mark.parametrize("system", ALL, ids=lambda each: f"{each.name}-{each.edition}")


@named
def test_every_rule_and_what_is_left_to_the_table_can_be_read(system: object) -> None:
    rules = find(system.name, system.edition)  # type: ignore[attr-defined]
    page = Client().get(f"/help/{rules.name}?edition={rules.edition}").content.decode()

    for number in rules.rulebook.rules:
        assert f">{number}</dt>" in page
    for number in (*rules.rulebook.not_tracked, *table_rules.applying_to(rules)):
        assert f">{number}</dt>" in page
    assert rules.rulebook.document.split(",")[0].replace("&", "&amp;") in page


def test_an_edition_says_what_an_older_one_lacked() -> None:
    (before,) = [
        each for each in differences(find("grand-archive", "2026-08")) if each.edition == "2024"
    ]

    assert {"omen", "wither"} <= set(before.kinds)
    assert {f"Wither {n}" for n in range(1, 6)} <= set(before.more)
    assert "Durability 3" in before.otherwise
    assert () == before.less


def test_the_older_edition_says_that_wither_is_plain_there() -> None:
    (later,) = [
        each for each in differences(find("grand-archive", "2024")) if each.edition == "2025-07"
    ]

    assert {"omen", "wither"} <= set(later.plain)
    page = Client().get("/help/grand-archive?edition=2024").content.decode()
    assert "counted, but they do nothing" in page


def test_a_house_rule_is_told_as_one() -> None:
    magic = find("magic", None)

    answers = {question: (answer, changed) for question, answer, changed in
               house_rules(magic, {"poison_loses": 15})}  # fmt: skip

    assert ("15", True) in answers.values()
    assert ("21", False) in answers.values()


@pytest.mark.django_db
def test_the_rules_open_over_the_board_with_what_was_agreed(
    make_game: Make, sit: Sit, dan: Client
) -> None:
    game = make_game("grand-archive", "2024", settings={"counters_apply": "last"})
    address = f"/g/{game.slug}/rules"

    sheet = sit(game, "ana").get(address, headers={"HX-Request": "true"}).content.decode()

    assert "<html" not in sheet
    assert "<strong>last</strong>" in sheet
    assert "house rule" in sheet
    assert 403 == dan.get(address).status_code
    assert "<html" in sit(game, "ben").get(address).content.decode()


def test_an_unknown_system_or_edition_is_not_found() -> None:
    assert 404 == Client().get("/help/chess").status_code
    assert 404 == Client().get("/help/magic?edition=1993").status_code


STATIC = Path(__file__).parents[2] / "static"
LANGUAGES = ("en", "es")
LIGHT = 40_000
"""A picture has at most so many bytes."""


def read(client: Client, path: str, language: str, status: int = 200) -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert status == answer.status_code
    return answer.content.decode().partition("<main")[2].partition("</main>")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_shows_each_thing_in_its_language_and_leads_to_every_game(
    client: Client, db: None, language: str
) -> None:
    page = read(client, "/help", language)
    pictures = re.findall(r'src="/static/(help/[^"]+?)(?:\.\w{8,})?\.webp"', page)

    assert 10 == len(THINGS)
    assert [
        f"help/{language}/{name}" for name in ("table", *(each[0] for each in THINGS))
    ] == pictures
    assert len(SYSTEMS) == page.count('class="system"') > 0
    assert page.index('href="#games"') < page.index("<img") < page.index('id="games"')
    for name in SYSTEMS:
        assert f'href="/help/{name}"' in page


@pytest.mark.parametrize("language", PICTURED)
def test_every_picture_of_help_is_there_and_light(language: str) -> None:
    taken = {path.stem: path.stat().st_size for path in STATIC.glob(f"help/{language}/*.webp")}

    shown = ["table", *(each[0] for each in THINGS)]
    assert {f"{name}{end}" for name in shown for end in ("", "-light")} == {*taken}
    assert {} == {name: size for name, size in taken.items() if size > LIGHT}


def test_a_language_without_pictures_has_those_in_english(client: Client, db: None) -> None:
    assert "help/en/table" in read(client, "/help", "fr")


@pytest.mark.parametrize("path", ["/", "/help", "/about", "/new", "/nothing"])
def test_help_and_about_stand_on_every_page(client: Client, db: None, path: str) -> None:
    page = client.get(path).content.decode()
    head, foot = page.partition("</header>")[0], page.partition('<footer class="foot">')[2]

    assert 'href="/help"' in head
    assert 'href="/about"' in foot


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/nothing", "/j/ended", "/w/ended", "/h/ended", "/s/ended"])
def test_a_dead_link_offers_a_code_or_the_way_home(
    client: Client, db: None, path: str, language: str
) -> None:
    page = read(client, path, language, 404)

    assert 'action="/code"' in page
    assert 'href="/"' in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_code_can_be_typed_again(client: Client, db: None, language: str) -> None:
    answer = client.post("/code", {"code": "ABCD-9999"}, headers={"Accept-Language": language})
    page = answer.content.decode()

    assert 'value="ABCD-9999"' in page
    assert 'href="/"' in page


def test_a_game_whose_rules_are_gone_leads_on(ana: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(system="gone-era")
    page = read(ana, f"/g/{game.slug}/", "en", 503)

    assert "Nothing is lost" in page
    assert f'href="/g/{game.slug}/"' in page  # to try again
    assert 'href="/"' in page


HURT = {"zone": "active", "hp": 60, "prizes": 2}
# fmt: off
ASKED: list[tuple[str, dict[str, Any], list[dict[str, Any]], str, str, list[str]]] = [
    # system, given, commands, question, its rule, what the rule says of it
    ("grand-archive",
     {"objects": {"ally": {"name": "Ally 3", "types": ["ally"], "base": {"life": 3, "power": 1},
                           "counters": {"wither": 2}},
                  "cup": {"name": "Cup", "types": ["item"], "counters": {"wither": 1}}},
      "turn": {"active": ["ana"], "phase": "materialize"}},
     [{"do": "begin-phase", "phase": "main"}], "wither:ana", "Wither 1",
     ["Ally 3: 2 wither → 2 reserve", "Cup: 1 wither → 1 reserve"]),
    ("magic",
     {"seats": {"ana": {"counters": {"rad": 3}, "mills_times": 2}, "ben": {}}},
     [{"do": "begin-phase", "phase": "precombat-main"}], "rad:ana", "728.1",
     ["3 rad → mill 6 cards"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew ex", "owner": "ana", **HURT},
                  "next": {"name": "Eevee", "owner": "ana", "zone": "bench", "hp": 50},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"phase": "turn"}},
     [{"do": "damage", "on": "mon", "amount": 60}], "prizes:ben", "Prizes 3",
     ["Mew ex: 2 Prize cards"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT, "burned": 20,
                          "counters": {"damage": 10}},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "checkup"}], "burned:mon", "Burned 1",
     ["Mew: Burned, 20 damage each Checkup, 30 damage on 60 HP"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT, "turned": "asleep", "coins": 2},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "checkup"}], "asleep:mon", "Asleep 2", ["Mew: Asleep, 2 coins"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT, "turned": "confused",
                          "counters": {"damage": 20}},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "attack", "object": "mon"}], "confused:mon", "Confused 1",
     ["Mew: Confused, 20 damage on 60 HP; tails → 50"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT},
                  "one": {"name": "Eevee", "owner": "ana", "zone": "bench", "hp": 50},
                  "two": {"name": "Onix", "owner": "ana", "zone": "bench", "hp": 90},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "move", "object": "mon", "to": "hand"}], "promote:ana", "Knocked Out 7",
     ["No one in the Active Spot, 2 on the Bench"]),
    ("grand-archive",
     {"objects": {"item": {"name": "Cup", "types": ["item"], "counters": {"enlighten": 4}}}},
     [{"do": "activate", "object": "item", "ability": "enlighten"}], "enlighten:item",
     "Enlighten 1", ["Cup: 3 enlighten spent → draw 1 card; 1 left"]),
    ("grand-archive",
     {"objects": {"mage": {"name": "Mage", "types": ["ally"], "base": {"power": 2, "life": 3},
                           "elements": ["arcane"]},
                  "foe": {"name": "Foe", "types": ["ally"], "base": {"power": 1, "life": 9},
                          "owner": "ben"},
                  "orb": {"name": "Orb", "types": ["item"], "counters": {"static": 2}}},
      "turn": {"active": ["ana"], "phase": "combat"}},
     [{"do": "damage", "on": "foe", "source": "mage", "combat": True}], "static:orb",
     "Static 1", ["Orb: 1 of 2 static → 1 damage to Foe"]),
    ("magic",
     {"objects": {"siege": {"name": "Invasion", "types": ["battle"], "base": {"defense": 3},
                            "counters": {"defense": 3}}}},
     [{"do": "remove", "on": "siege", "counter": "defense", "amount": 3}], "siege:siege",
     "310.11b", ["Invasion: 0 defense → exile it"]),
    ("magic",
     {"objects": {"bear": {"name": "Bear", "types": ["creature"], "owner": "ben",
                           "base": {"power": 2, "toughness": 2}},
                  "wall": {"name": "Wall", "types": ["creature"],
                           "base": {"power": 0, "toughness": 4}}}},
     [{"do": "combat", "attacks": {"bear": "ana"}, "asks": True}], "blocks:ana", "509.1",
     ["Bear 2/2 attacks"]),
]
# fmt: on


@pytest.mark.parametrize(("system", "given", "commands", "prompt", "rule", "inputs"), ASKED)
def test_why_opens_the_rule_with_the_numbers(
    make_game: Make,
    sit: Sit,
    system: str,
    given: dict[str, Any],
    commands: list[dict[str, Any]],
    prompt: str,
    rule: str,
    inputs: list[str],
) -> None:
    game = make_game(system, **given)
    rows.give(game, [{**each, "by": "ana"} for each in commands])
    ana = sit(game, "ana")

    board = ana.get(f"/g/{game.slug}/").content.decode()
    (href,) = {*re.findall(r'class="prompt-why" href="([^"#]+)', board)}
    page = ana.get(f"/g/{game.slug}/{href.replace('&amp;', '&')}").content.decode()

    assert f"data-asked>{rule}<" in page
    assert inputs == re.findall(r'class="rule-input">([^<]+)<', page)
    assert [] == re.findall(
        "rule-input", ana.get(f"/g/{game.slug}/rules?prompt=x").content.decode()
    )
