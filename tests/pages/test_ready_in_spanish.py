"""The games of the library in Spanish: every text that people wrote in them is translated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.models import Game
from games.rules import scenario
from games.screens.words import words_of
from games.store import demos, rows
from games.systems import find
from games.systems.own_game.language.saying import purpose, sentence
from games.systems.own_game.led import from_set
from games.systems.own_game.texts import texts
from tests.ready import DRAWN
from tests.types import Json, Sit

READY = demos.ready_games("own-game")
SPANISH: Json = {"HTTP_ACCEPT_LANGUAGE": "es"}
PAGES = (
    "",
    "definition",
    "flat",
    "keep",
    "log",
    "replay",
    "rules",
    "seats/",
    "several",
    "summary",
    "tv",
)
OF_NUMBERS_ALONE = ("", "log", "rules", "summary")
"""The pages of a game without things, roles and a GM; its others say what those of all say."""
WITHOUT_A_GM = ("flat", "several")
ALSO_SPANISH = frozenset({"base", "final", "no", "par", "arena", "horror", "trauma"})
ALSO_NUMBERED = re.compile(r"mental \d")


def in_spanish(ready: Any) -> dict[str, str]:
    """Each text of a ready game, with what it is in Spanish."""
    system = find("own-game").of_table({"definition": ready})
    with translation.override("es"):
        return {text: words_of(system).said(text) for text in texts(ready)}


def read(html: str) -> str:
    """What people read and hear of a page, but for what they typed themselves."""
    html = re.sub(r"<(script|style|textarea|data)\b.*?</\1>", " ", html, flags=re.S)
    heard = re.findall(r'(?:aria-label|data-word|data-says|placeholder|title)="([^"]*)"', html)
    return unescape(" | ".join((re.sub(r"<[^>]*>", " ", html), *heard)))


def left_in_english(page: str, spanish: dict[str, str]) -> Iterator[str]:
    """The texts of a game that stand on a page as they were written."""
    shown = read(page)
    for text in spanish.values():  # what is Spanish may hold a word that is English elsewhere
        shown = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", "✓", shown, flags=re.I)
    for text, said in spanish.items():
        if said != text and text.lower() not in ALSO_SPANISH:
            if found := re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", shown):
                yield f"{text}: …{shown[max(0, found.start() - 60) : found.end() + 60]}…"


@pytest.mark.parametrize("name", READY)
def test_every_text_of_the_library_is_translated(name: str) -> None:
    same = {text for text, said in in_spanish(READY[name]).items() if text == said}

    long = {text for text in same if " " in text and not ALSO_NUMBERED.fullmatch(text)}
    assert long <= {READY[name]["title"]}


@pytest.mark.parametrize("language", ["es", "de"])
@pytest.mark.parametrize("name", READY)
def test_a_sentence_made_of_pieces_has_no_joint_in_its_middle(name: str, language: str) -> None:
    system: Any = find("own-game").of_table({"definition": READY[name]})
    its = words_of(system)
    with translation.override(language):
        said = [
            its.phrase(purpose(system.definition, each)) for each in READY[name].get("numbers", ())
        ]
        said += [
            its.phrase(sentence(system.definition, each)) for each in READY[name].get("rules", ())
        ]

    assert [] == [each for each in said if re.search(r":,|: (und|y) |\b(auf|für) neu:", each)]


@pytest.mark.parametrize("name", DRAWN)
def test_nothing_of_a_ready_game_is_left_in_english(
    name: str, db: None, sit: Sit, client: Client
) -> None:
    spanish = in_spanish(READY[name])
    if shown := demos.ready_demo("own-game", name):
        game = demos.played(shown)
        mine = sit(game, game.seats.get(order=0).key)
    else:
        answer = client.post("/new", {"rules": "own-game", "ready": name, "seats": "3"})
        game, mine = Game.objects.get(slug=answer["Location"].split("/")[2]), client
    seat = game.seats.get(order=0).key
    asked = re.findall(r"(acts/press\?[^\"]*)", mine.get(f"/g/{game.slug}/").content.decode())
    alone = not {"gm", "things", "roles"} & READY[name].keys()
    pages = [*(OF_NUMBERS_ALONE if alone else PAGES), f"seats/{seat}", *map(unescape, {*asked})]
    if "gm" in READY[name]:
        pages = [page for page in pages if page not in WITHOUT_A_GM]
    pages += [f"cards/new?seat={seat}"] * bool(READY[name].get("things"))
    pages += [f"objects/{each}" for each in rows.state(game).objects]

    found: dict[str, list[str]] = {}
    spanish_title = spanish.pop(READY[name]["title"])
    for path in pages:
        if left := [*left_in_english(got(mine, f"/g/{game.slug}/{path}"), spanish)]:
            found[path] = left
    new = got(client, f"/new?rules=own-game&ready={name}")
    if left := [*left_in_english(new, spanish)]:
        found["new"] = left

    assert {} == found
    if name != "any-rpg":  # whose page asks how the game is called
        assert spanish_title in unescape(new)
    assert spanish[READY[name]["about"]] in unescape(got(client, f"/?q={spanish_title}"))


def got(client: Client, path: str) -> str:
    answer = client.get(path, **SPANISH)
    assert 200 == answer.status_code, path
    return answer.content.decode()


def test_letters_are_those_of_the_words_that_one_reads() -> None:
    system = find("own-game").of_table({"definition": READY["catan"]})
    its = words_of(system)

    def letters() -> dict[str, str]:
        return {its.kind(each): its.coins()[each].letter for each in ("wood", "grain")}

    with translation.override("en"):
        assert {"wood": "W", "grain": "G"} == letters()
    with translation.override("es"):
        assert {"madera": "M", "cereal": "C"} == letters()


def test_the_words_of_a_table_are_shown_as_written(db: None, sit: Sit) -> None:
    number = {"kind": "brick", "on": "player"}
    sell = {"rule": "Road", "when": {"pressed": "Road", "on": "player"}, "do": [{"tell": "helps"}]}
    written = {"title": "Catan", "numbers": [number], "rules": [sell]}
    rules = find("own-game")
    first = scenario.opening(rules, {"given": {"seats": {"ana": {}}}, "definition": written})
    game = rows.create(rules, first, title="Catan")

    page = read(got(sit(game, "ana"), f"/g/{game.slug}/"))

    assert "brick" in page
    assert "Road" in page
    assert "ladrillo" not in page


def test_a_changed_game_of_the_library_keeps_its_other_words() -> None:
    more = {"kind": "gold", "on": "player"}
    changed = {**READY["catan"], "numbers": [*READY["catan"]["numbers"], more]}

    with translation.override("es"):
        its = words_of(find("own-game").of_table({"definition": changed}))
        assert ["madera", "gold"] == [its.kind("wood"), its.kind("gold")]


def test_a_file_that_only_claims_to_be_of_the_library_is_shown_as_written() -> None:
    catan = READY["catan"]
    claims = {
        "title": "Catan", "author": catan["author"],
        "numbers": [{"kind": "wood", "on": "player", "start": 4}],
    }  # fmt: skip
    changed = {**catan, "rules": [*catan["rules"][:-2], {**catan["rules"][-1], "says": "Mine"}]}

    assert {"wood": "wood", "Catan": "Catan"} == in_spanish(claims)
    assert "madera" == in_spanish(changed)["wood"]


def test_a_set_of_an_older_version_is_in_the_readers_words() -> None:
    blades = READY["blades-in-the-dark"]
    written = from_set.definition({"title": blades["title"], "types": blades["gm"]["types"]})

    assert "author" not in written
    assert "Estrés" == in_spanish(written)["Stress"]


def test_a_game_that_is_changed_before_it_begins_is_in_the_readers_words(client: Client) -> None:
    spanish = in_spanish(READY["catan"])
    page = client.get("/new?rules=own-game&ready=catan&open=page", **SPANISH)
    form = {
        "rules": "own-game/1", "title": "Catan", "open": "page",
        "definition": json.dumps(READY["catan"]),
    }  # fmt: skip
    numbers = client.post("/new/write", form, **SPANISH)

    for shown in (page, numbers):
        assert shown.status_code == 200
        without_examples = re.sub(r"<code>.*?</code>", "", shown.content.decode())
        assert [] == [*left_in_english(without_examples, spanish)]
