"""An address that answers htmx with a part says so to caches: `Vary: HX-Request`."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games.models import Game
from games.store import demos
from games.systems import SYSTEMS, find
from tests.types import Sit

from .test_hostile_fields import pages

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


def text(answer: object) -> str:
    return "" if getattr(answer, "streaming", False) else answer.content.decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [name for name in SYSTEMS if demos.demo(find(name))])
def test_a_page_that_answers_htmx_in_another_way_varies(name: str, sit: Sit) -> None:
    played = demos.demo(find(name))
    assert played
    game = demos.played(played)
    seat = game.seats.get(host=True).key
    phone = sit(game, seat)
    parts = 0
    for address in (*pages(game, seat), f"/g/{game.slug}/objects/none", "/g/nowhere/log"):
        whole, part = phone.get(address), phone.get(address, headers=PART)
        differ = ("</html>" in text(whole)) != ("</html>" in text(part))
        parts += differ
        for answer in (whole, part):
            assert differ <= ("HX-Request" in answer.get("Vary", "")), address

    assert parts >= 8


@pytest.mark.django_db(transaction=True)
def test_a_form_of_htmx_is_answered_with_what_happened(ana: Client, game: Game) -> None:
    """Every screen hears of it by itself; the page only has to look again."""
    done = ana.post(f"/g/{game.slug}/toss", headers=PART)

    assert (204, b"", ["table:changed"]) == (
        done.status_code,
        done.content,
        [*json.loads(done["HX-Trigger"])],
    )
    assert 302 == ana.post(f"/g/{game.slug}/toss").status_code


@pytest.mark.django_db(transaction=True)
def test_a_refusal_stands_in_its_form(ana: Client, game: Game) -> None:
    """Wherever the form shows what it is answered otherwise."""
    refused = ana.post(f"/g/{game.slug}/throw", {"dice": "2d6", "fell": "9 9"}, headers=PART)

    assert (422, "find .refusal") == (refused.status_code, refused["HX-Retarget"])
    assert "</html>" not in text(refused)


def test_a_page_that_has_not_changed_varies_too(ana: Client, game: Game) -> None:
    address = f"/g/{game.slug}/log"
    tag = ana.get(address)["ETag"]
    same, part = (
        ana.get(address, headers={"If-None-Match": tag, **headers}) for headers in ({}, PART)
    )

    assert (304, 200) == (same.status_code, part.status_code)
    assert "HX-Request" in same["Vary"]
