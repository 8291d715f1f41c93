"""The help page, and the pages that people see once: each says what to do next."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from games.models import Game
from games.pages.manual import PICTURED, THINGS
from games.systems import SYSTEMS

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
