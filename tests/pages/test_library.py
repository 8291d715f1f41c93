"""The library: every game is found by the names that people use for it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from countersite.environment import Elsewhere
from games.pages.home import FIRST
from games.screens.library import Listed, found, library, meant
from games.screens.search import MOST

GAMES = library()
ALIASES = [
    (alias, (game.system.name, game.ready)) for game in GAMES for alias in (game.title, *game.names)
]
TYPED = {
    "mtg": "Magic", "EDH": "Magic", "cedh": "Magic", "commander": "Magic", "magic": "Magic",
    "Magic: The Gathering": "Magic", "ygo": "Yu-Gi-Oh!", "yugioh": "Yu-Gi-Oh!",
    "yu gi oh": "Yu-Gi-Oh!", "YU-GI-OH": "Yu-Gi-Oh!", "ptcg": "Pokémon TCG",
    "pokemon": "Pokémon TCG", "Poke": "Pokémon TCG", "dnd": "Dungeons & Dragons",
    "D&D": "Dungeons & Dragons", "d & d": "Dungeons & Dragons", "5e": "Dungeons & Dragons",
    "dungeons and dragons": "Dungeons & Dragons", "fab": "Flesh and Blood",
    "swu": "Star Wars: Unlimited", "star wars": "Star Wars: Unlimited", "ga": "Grand Archive",
    "lotr": "Any RPG", "Mork Borg": "Any RPG", "Pathfinder 2e": "Any RPG", "Vampire": "Any RPG",
    "Shadowdark": "Any RPG", "pbta": "Any RPG", "Savage": "Any RPG", "rpg": "Any RPG",
    "blades": "Blades in the Dark", "cthulhu": "Call of Cthulhu", "settlers": "Catan",
    "catan seafarers": "Catan", "cattan": "Catan", "pokmon": "Pokémon TCG",
    "arkham": "Arkham Horror: The Card Game", "mars": "Terraforming Mars",
    "wither": "Grand Archive", "any game": "Any game", "kniffel": "Yahtzee",
    "6 nimmt": "Take 5", "geschenkt": "No Thanks!", "petanca": "Pétanque", "boule": "Pétanque",
    "tren mexicano": "Mexican Train", "flugelschlag": "Wingspan", "zug um zug": "Ticket to Ride",
    "diez mil": "Farkle", "cassino": "Casino", "burgund": "Castles of Burgundy",
}  # fmt: skip


def key(game: Listed) -> tuple[str, str]:
    return game.system.name, game.ready


def first(typed: str) -> Listed:
    return found(GAMES, typed)[0]


@pytest.mark.quick
@pytest.mark.parametrize(("typed", "title"), TYPED.items())
def test_a_game_is_found_first_by_what_people_call_it(typed: str, title: str) -> None:
    assert title == first(typed).title


@pytest.mark.quick
def test_each_alias_finds_its_own_game_first() -> None:
    wrong = {alias: first(alias).title for alias, game in ALIASES if game != key(first(alias))}

    assert {} == wrong


@pytest.mark.quick
def test_no_two_games_have_the_same_name_or_alias() -> None:
    names = [name for game in GAMES for name in game.names]

    assert [] == [name for name in names if names.count(name) > 1]


@pytest.mark.quick
@pytest.mark.parametrize("language", ["de", "es"])
def test_a_title_is_found_in_the_reader_s_language_and_in_english(language: str) -> None:
    with override(language):
        there = library()
        for game in there:
            for title in (game.title, game.names[-1]):
                assert key(found(there, title)[0]) == key(game), title


@pytest.mark.quick
def test_names_are_found_before_descriptions() -> None:
    hits = [game.title for game in found(GAMES, "magic")]

    assert ["Magic", "Call of Cthulhu"] == hits  # its magic points


@pytest.mark.quick
@pytest.mark.parametrize("typed", ["", " ", "!?", "Monopoly", "x" * (MOST + 9)])
def test_nothing_is_found_by_what_is_no_game(typed: str) -> None:
    assert [] == found(GAMES, typed)
    assert meant(GAMES, typed) is None


@pytest.mark.parametrize(
    ("typed", "leads"),
    [
        ("mtg", "/new?rules=magic"),
        ("catan", "/new?rules=own-game&ready=catan"),
        ("dnd", "/new?rules=own-game&ready=dungeons-and-dragons"),
        ("terraforming mars", "/new?rules=own-game&ready=terraforming-mars"),
        ("any rpg", "/new?rules=own-game&ready=any-rpg"),
        ("mork borg", "/new?rules=own-game&ready=any-rpg&title=M%C3%B6rk+Borg"),
    ],
)
def test_go_leads_to_the_game_that_was_meant(
    client: Client, db: None, typed: str, leads: str
) -> None:
    answer = client.get("/", {"q": typed, "go": ""})

    assert leads == answer.headers["Location"]
    assert 200 == client.get(leads).status_code


@pytest.mark.parametrize("typed", ["d", "damage", "Monopoly", ""])
def test_go_leads_nowhere_if_more_than_one_or_none_was_meant(
    client: Client, db: None, typed: str
) -> None:
    assert 200 == client.get("/", {"q": typed, "go": ""}).status_code


def test_hits_are_links_with_scripts_off_too(client: Client, db: None) -> None:
    page = client.get("/", {"q": "D&D"}).content.decode()
    part = client.get("/", {"q": "D&D"}, headers={"HX-Request": "true"})

    assert 'value="D&amp;D"' in page
    assert part.content.decode().strip() in page
    assert "HX-Request" in part.headers["Vary"]
    assert 'href="/new?rules=own-game&amp;ready=dungeons-and-dragons"' in page


def test_an_existing_game_is_not_offered_to_be_made(client: Client, db: None) -> None:
    known = client.get("/", {"q": "pokemon"}).content.decode()
    unknown = client.get("/", {"q": "Mono&poly"}).content.decode()

    assert "is new here" not in known
    assert "no, another game" in known
    assert "Mono&amp;poly is new here" in unknown
    assert "/new?rules=own-game&amp;title=Mono%26poly" in unknown


def test_each_game_stands_once_on_the_home_page(client: Client, db: None) -> None:
    page = client.get("/", {"games": ""}).content.decode()
    links = re.findall(r'href="/new\?(.*?)"', page)

    assert len(GAMES) == len(set(links)) == len(links)


def test_a_first_visit_brings_twelve_games_and_a_link_to_all(client: Client, db: None) -> None:
    listed = [game for game in GAMES if not game.tile]
    page = client.get("/").content.decode()
    first = page[page.index('id="found"') :]

    assert FIRST == len(re.findall(r'href="/new\?', first[: first.index("games-all")]))
    assert f"All {len(listed)}" in first
    every = client.get("/", {"games": ""}, headers={"HX-Request": "true"}).content.decode()
    assert len(listed) == len(re.findall(r'href="/new\?', every))
    assert "games-all" not in every


@pytest.mark.quick
def test_blades_and_daggerheart_are_the_gm_s_sets_only() -> None:
    for title in ("Blades in the Dark", "Daggerheart"):
        (game,) = [game for game in GAMES if game.title == title]
        assert game.led


def test_games_that_others_made_are_linked_until_they_are_here(
    client: Client, db: None, settings: Any
) -> None:
    def links(typed: str = "") -> list[str]:
        page = client.get("/", {"q": typed}).content.decode()
        return re.findall(r'<a href="?([^">]+)"? rel="?external', page)

    assert [] == links()
    assert "Made by others" not in client.get("/").content.decode()
    settings.GAMES = [
        Elsewhere("Shadow Era", "Heroes.", "https://example.org/era", "shadow-era"),
        Elsewhere("Magic", "Is here.", "https://example.org/magic", "magic"),
        Elsewhere("Sheep <b>", "A race.", "/game#abc"),
    ]

    assert ["https://example.org/era", "/game#abc"] == links()
    assert ["https://example.org/era"] == links("shadow")
    assert [] == links("pokemon")
    page = client.get("/").content.decode()
    assert "Made by others" in page
    assert "Sheep &lt;b&gt;" in page
