"""The rules for players: what the site does, how editions differ, and the house rules."""

from __future__ import annotations

import pytest
from django.test import Client

from games.pages.rules import differences, house_rules
from games.rules import table_rules
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
