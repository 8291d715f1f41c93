"""Every address that the site has answers a GET with a page, whatever it is for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.live.table_registry import registry
from games.models import Game, Setup
from games.pages import pwa
from games.rules import record
from games.seats import reconnect
from games.store import rows
from tests.types import Sit

FOR_ALL = (pwa.FOR_EVER, "no-cache")
"""What the worker and the icons say, which are everyone's."""
SAMPLES = {
    "line": "1",
    "first": "1",
    "last": "1",
    "key": "ana",
    "which": "minor",
    "device": "1",
    "asking": "1",
    "visitor": "1",
    "program": "1",
    "setup": "1",
    "rest": "nowhere",
    "name": "nothing",
}
"""Sample values of an address's parameters; any other is found in `samples`."""


def routes(
    patterns: list[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, dict[str, str]]]:
    """Each address with the places of its parameters, except the admin's."""
    for each in patterns:
        route = before + str(each.pattern)
        if route.startswith("admin"):
            continue
        if isinstance(each, URLResolver):
            yield from routes(each.url_patterns, route)
        else:
            yield route, each.pattern.converters


def filled(route: str, samples: dict[str, str]) -> str:
    for name, value in samples.items():
        for kind in ("str", "slug", "int", "path"):
            route = route.replace(f"<{kind}:{name}>", value)
    assert "<" not in route, f"say in this test what stands for the parameter of {route}"
    return f"/{route}"


ROUTES = [route for route, _converters in routes(get_resolver().url_patterns)]


@pytest.fixture
def samples(game: Game) -> dict[str, str]:
    Setup.objects.create(
        token="saved", game=game, system=game.system, edition=game.edition,
        given=record.given(game.rules, rows.state(game)),
    )  # fmt: skip
    return {
        **SAMPLES,
        "slug": game.slug,
        "token": "saved",
        "system": "any-game",
        "version": "1",
        "asked": reconnect.asked("x"),
    }


def kept_apart(answer: Any) -> bool:
    """True if no cache shows an answer to someone else: none keeps it, or by whose it is."""
    kept, varies = answer.headers.get("Cache-Control", ""), answer.headers.get("Vary", "")
    whose = {"Cookie", "Authorization"} & {*varies.split(", ")}
    return "no-store" in kept or ("private" in kept and bool(whose)) or kept in FOR_ALL


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seat", [None, "ana"])
def test_an_address_answers_with_a_page(seat: Any, samples: Any, game: Game, sit: Sit) -> None:
    """In one test, and with a database that all threads see: some pages are read in their own."""
    phone = sit(game, seat) if seat else Client()
    wrong: list[Any] = []
    for route in ROUTES:
        answer = phone.get(filled(route, samples))
        if not kept_apart(answer):
            wrong.append((route, answer.headers))
        if route.startswith("api/"):  # no page, for no person
            assert answer.json(), route
            continue
        page = b"".join(answer) if answer.streaming else answer.content
        on = b'class="button' in page or b'name="code"' in page
        if answer.status_code >= 400 and not (b"<h1" in page and on):
            wrong.append((route, answer.status_code, page[:200]))
        if not page and answer.status_code not in (204, 301, 302):
            wrong.append((route, answer.status_code, page))
    registry.close()

    assert not wrong


@pytest.mark.parametrize("page", ["", "share", "seats/", "keep", "tv", "flat"])
def test_no_browser_keeps_what_is_at_a_table(page: Any, game: Game, sit: Sit) -> None:
    """The Back button would show it to whoever has the laptop next, after its seat was left."""
    answer = sit(game, "ana").get(f"/g/{game.slug}/{page}")

    assert 200 == answer.status_code
    assert "private, no-store" == answer.headers["Cache-Control"]


def test_an_address_behind_a_button_leads_to_its_table(game: Game, sit: Sit) -> None:
    answer = sit(game, "ana").get(f"/g/{game.slug}/share/rotate")

    assert 405 == answer.status_code
    assert "POST" == answer.headers["Allow"]
    assert f'href="/g/{game.slug}/"' in answer.content.decode()
