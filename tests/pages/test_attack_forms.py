"""What an attack would come to, as its form is filled in: before the tap, in three games."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from tests.types import Make, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]
CREATURE = {"types": ["creature"], "base": {"power": 2, "toughness": 3}}
FIGHTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "grand-archive": (
        {
            "hero": {"name": "Hero", "types": ["champion"], "base": {"life": 20, "level": 1}},
            "wolf": {"name": "Wolf", "types": ["ally"], "base": {"power": 1, "life": 3}},
        },
        {"do": "damage", "source": "hero", "combat": True, "rests": True},
    ),
    "yu-gi-oh": (
        {
            "hero": {"name": "Hero", "base": {"atk": 1500}},
            "wolf": {"name": "Wolf", "base": {"atk": 1900}},
        },
        {"do": "attack", "object": "hero"},
    ),
    "magic": (
        {"hero": {"name": "Hero", **CREATURE}, "wolf": {"name": "Wolf", **CREATURE}},
        {"do": "damage", "source": "hero", "amount": 2, "toxic": 0, "combat": True},
    ),
}
ATTACKS = [
    # system, what is said beside the attack, what its button says
    ("grand-archive", {"plus": 2}, "Wolf"),
    ("grand-archive", {"plus": 3}, "Wolf falls"),
    ("grand-archive", {"plus": 3, "retaliates": True}, "Wolf falls A Ana 20 → 19"),
    ("yu-gi-oh", {}, "Wolf 1900 Hero A Ana 8000 → 7600"),
    ("yu-gi-oh", {"atk": 2000}, "Wolf 1900 falls B Ben 8000 → 7900"),
    ("yu-gi-oh", {"against": 1500}, "Wolf 1900 falls Hero"),
    ("magic", {}, "B Ben 20 → 18"),
    ("magic", {"amount": 3}, "B Ben 20 → 17"),
]


def targets(page: str) -> list[str]:
    buttons = re.findall(r"<button.*?</button>", page, re.S)
    return [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in buttons]


@pytest.mark.parametrize(("system", "said", "expected"), ATTACKS)
def test_an_attack_says_what_it_comes_to_by_what_is_filled_in(
    make_game: Make, sit: Sit, system: str, said: dict[str, Any], expected: str
) -> None:
    objects, given = FIGHTS[system]
    objects = {"hero": objects["hero"], "wolf": {**objects["wolf"], "owner": "ben"}}
    game = make_game(system, objects=objects)
    ana = sit(game, "ana")

    assert expected in asked(ana, game, {**given, **said})


def asked(phone: Client, game: Game, command: dict[str, Any], n: int = 0) -> list[str]:
    fields = {f"{key}:json": json.dumps(value) for key, value in command.items()}
    answer = phone.post(f"/g/{game.slug}/preview?of=hero&n={n}", fields)
    return targets(answer.content.decode()) if answer.status_code == 200 else []


def test_there_is_no_such_attack(make_game: Make, sit: Sit) -> None:
    objects, given = FIGHTS["grand-archive"]
    game = make_game("grand-archive", objects=objects)
    ana = sit(game, "ana")

    assert [] == asked(ana, game, given, n=7)
    assert 404 == ana.post(f"/g/{game.slug}/preview?of=nobody&n=0", {}).status_code
