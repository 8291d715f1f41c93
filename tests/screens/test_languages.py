"""Every page is in its reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.models import Game
from games.rules import counting, scenario
from games.rules.state import Refused
from games.screens.words import PLAIN, words_of
from games.store import demos, rows
from games.systems import SYSTEMS, find, named_by, presentation_of
from tests.types import Sit

catalogues = pytest.importorskip("countersite.management.commands.translations")
sources = pytest.importorskip("countersite.management.commands._words")

SPANISH = {"accept-language": "es-MX,es;q=0.9,en;q=0.5"}


# Words


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_words_of_the_rules_are_said_in_each_language(name: str, language: str) -> None:
    system = find(name)
    with translation.override(language):
        words = presentation_of(system).words.names.values()
        same = {word for word in words if translation.gettext(word) == word}
        meant = {
            word
            for folder in catalogues.CATALOGUES
            for (word, *_plural), _context in catalogues.texts(
                catalogues.catalogue(language, folder)
            )
        }

        assert same <= meant or language not in system.rulebook.translated, (
            "said in English, unless that was meant"
        )
        assert "buff" == words_of(system).kind("buff")


def test_a_number_that_is_no_counter_is_said_in_each_language() -> None:
    with translation.override("es"):
        its = words_of(find("grand-archive"))
        assert its.kind("damage") == its.kind("marked") != "damage"


def test_a_refusal_is_said_in_the_language_that_is_active() -> None:
    refused = Refused("not-saved", "That couldn’t be saved, so nothing was changed. Try again.")

    with translation.override("es"):
        assert "No se pudo guardar, así que no ha cambiado nada. Inténtalo de nuevo." == (
            PLAIN.refusal(refused)
        )
    assert refused.message == PLAIN.refusal(refused)


# Pages


class Said(HTMLParser):
    """The texts of a page, and its attributes that people see or hear."""

    ATTRIBUTES = frozenset({"aria-label", "placeholder", "title", "alt", "content"})
    UNSAID = frozenset({"script", "style"})

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag in self.UNSAID
        for name, value in attrs:
            if name == "data-kind":  # what the style sheets know a kind by, in every language
                continue
            if value and (name in self.ATTRIBUTES or name.startswith("data-")):
                self.said.append(value.strip())

    def handle_endtag(self, tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._silent:
            self.said.append(" ".join(data.split()))


def said(page: str) -> list[str]:
    reader = Said()
    reader.feed(page)
    return reader.said


@cache
def english() -> set[str]:
    """The sentences that a page in Spanish may not say; what nobody translated yet, it may.

    Of one word, some are the keys of buttons and fields, which stay: they are left out.
    """
    return {
        words[0]
        for folder in sources.CATALOGUES
        for (words, _context), text in catalogues.texts(catalogues.catalogue("es", folder)).items()
        if words != text and len(words) == 1 and len(words[0].split()) > 1
    } | {
        "Undo",
        "Redo",
        "Log",
        "Invite",
        "Close",
        "Cancel",
        "Seats",
        "Save",
        "About",
        "Counters",
        "Life",
    }


@pytest.fixture
def translated() -> None:
    """Skip tests that look for any English while words are untranslated."""
    for folder in (sources.SITE, sources.of_system("own-game")):
        if catalogues.waiting(catalogues.up_to_date("es", folder)):
            pytest.skip("words wait for a translator: see `manage.py translations`")


@pytest.fixture
def demo(db: None, sit: Sit) -> Callable[[str], tuple[str, Client]]:
    """A system's demo with its commands given: the board's address and the host's browser."""

    def made(name: str) -> tuple[str, Client]:
        played = demos.find(name)
        assert played
        rules = named_by(played)[0]
        game = rows.create(rules, scenario.opening(rules, played), title="Friday")
        rows.give(game, [dict(each) for each in played["when"]])
        key = rules.seating.default_by(rows.state(game)) or game.seats.get(order=0).key
        client = sit(game, key)
        return f"/g/{game.slug}/", client

    return made


def pages(board: str, client: Client) -> Iterator[str]:
    """The board of a game, and everything else there is to read."""
    first = client.get(board, headers=SPANISH).content.decode()
    yield first
    links = set(re.findall(r'href="?((?:objects|seats|acts|cards|slots)/[^"\s>]*)', first))
    for path in ("log", "share", "rules", "seats/", "summary", "keep", "tools", *sorted(links)):
        answer = client.get(board + path, headers=SPANISH)
        assert 200 == answer.status_code, path
        yield answer.content.decode()


@pytest.mark.parametrize("system", [name for name in SYSTEMS if demos.demo(SYSTEMS[name][0])])
def test_every_page_of_a_game_is_in_spanish(demo: Any, system: Any) -> None:
    english_words = english() - {"Something stirs"}  # the name of a counter of the demo, too
    for page in pages(*demo(system)):
        assert '<html lang="es">' in page
        assert [] == [each for each in said(page) if each in english_words]


@pytest.mark.parametrize(
    "path",
    ["/", "/about", "/new", "/nowhere", "/j/wrong", *(f"/new?rules={each}" for each in SYSTEMS)],
)
def test_every_page_around_the_games_is_in_spanish(client: Client, db: None, path: str) -> None:
    page = client.get(path, headers=SPANISH).content.decode()

    english_words = english() - {"most wins"}  # an example of what is typed, too
    assert '<html lang="es">' in page
    assert [] == [each for each in said(page) if each in english_words]


TELLTALE = re.compile(r"\b(the|your|and|with|you|is|are|of|this|nobody|everybody)\b", re.IGNORECASE)


@pytest.mark.parametrize("path", ["", "log", "share", "seats/", "seats/ana", "cards/new"])
def test_a_table_without_rules_has_no_english_left(demo: Any, translated: Any, path: str) -> None:
    board, client = demo("any-game")
    page = client.get(board + path, headers=SPANISH).content.decode()

    assert [] == [each for each in said(page) if TELLTALE.search(each)]


def test_a_wrong_form_is_told_in_spanish(client: Client, db: None, translated: Any) -> None:
    page = client.post("/new", {"rules": "any-game/1", "seats": "99"}, headers=SPANISH)

    assert 422 == page.status_code
    assert [] == [each for each in said(page.content.decode()) if TELLTALE.search(each)]


# Whose language


def test_english_is_for_readers_of_neither(client: Client, db: None) -> None:
    page = client.get("/", headers={"accept-language": "la"}).content.decode()

    assert '<html lang="en">' in page
    assert "Start a game" in page


def test_a_language_chosen_by_hand_goes_before_the_browsers(client: Client, db: None) -> None:
    answer = client.post("/language", {"language": "en", "next": "/about"}, headers=SPANISH)

    assert "/about" == answer.headers["Location"]
    assert 300 * 24 * 3600 < answer.cookies["django_language"]["max-age"]
    assert '<html lang="en">' in client.get("/about", headers=SPANISH).content.decode()


@pytest.mark.parametrize("path", ["/", "/about", "/nowhere"])
def test_the_languages_are_offered_in_their_own_words(client: Client, db: None, path: str) -> None:
    page = client.get(path, headers=SPANISH).content.decode()

    assert '<button name="language" value="en" lang="en">English</button>' in page
    assert '<button name="language" value="es" lang="es" aria-current="true">Español</button>' in (
        page
    )


def test_the_tables_menu_offers_the_languages(game: Game, ana: Client) -> None:
    page = ana.get(f"/g/{game.slug}/?from=here").content.decode()

    assert f'name="next" value="/g/{game.slug}/?from=here"' in page
    assert 'value="es" lang="es"' in page


def test_nobody_is_sent_to_another_site_by_choosing(client: Client, db: None) -> None:
    answer = client.post("/language", {"language": "es", "next": "https://evil.example/"})

    assert "/" == answer.headers["Location"]


def test_the_log_is_kept_in_each_language(game: Game, ana: Client, ben: Client) -> None:
    rows.give(game, [{"do": "correct", "on": "rocket", "counter": "fuel", "to": 2}])
    path = f"/g/{game.slug}/log"

    for _again in range(2):
        assert "fuel on Rocket corrected" in ana.get(path).content.decode()
        assert "fuel en Rocket: corrección" in ben.get(path, headers=SPANISH).content.decode()


def test_the_meaning_of_undo_is_told_in_the_readers_language(game: Game, ana: Client) -> None:
    rows.give(game, [{"do": "place", "on": "rocket", "counter": "fuel", "amount": 2, "by": "ana"}])

    mine = ana.get(f"/g/{game.slug}/mine", headers=SPANISH).json()

    assert "Deshacer: +2 fuel, Rocket (Ana)" == mine["undo_text"]


SAID_IN_SPANISH = [
    ("magic", "poison", 1, "Solo hay 1 contador de veneno; el coste es 9."),
    ("magic", "poison", 2, "Solo hay 2 contadores de veneno; el coste es 9."),
    ("magic", "+1/+1", 2, "Solo hay 2 contadores +1/+1; el coste es 9."),
    ("yu-gi-oh", "spell", 2, "Solo hay 2 contadores de tipo mágico; el coste es 9."),
    ("any-game", "fuel", 0, "No hay contadores de fuel; el coste es 9."),
]


@pytest.mark.parametrize(("system", "kind", "n", "said"), SAID_IN_SPANISH)
def test_a_kind_stands_in_a_sentence_as_people_say_it(
    system: str, kind: str, n: int, said: str
) -> None:
    with translation.override("es"):
        assert said == words_of(find(system)).refusal(counting.not_enough(n, kind, 9))
