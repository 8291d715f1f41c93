"""The rules are in Spanish: rulebook, questions and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.cluster.phrases import packed, unpacked
from games.rules.state import Phrase, Refused
from games.screens.words import PLAIN, words_of
from games.store import rows
from games.systems import SYSTEMS, presentation_of
from tests.types import Make, Sit

catalogues = pytest.importorskip("countersite.management.commands.translations")
sources = pytest.importorskip("countersite.management.commands._words")

SPANISH = {"accept-language": "es-MX,es;q=0.9,en;q=0.5"}
ALL = [system for editions in SYSTEMS.values() for system in editions]
named = pytest.mark.parametrize("system", ALL, ids=lambda each: f"{each.name}-{each.edition}")


# Refusals


def test_a_refusal_is_its_template_with_its_facts() -> None:
    refused = Refused("not-enough", "Only {n} {kind} are there.", "R18", n=2, kind="{0}")

    assert "Only 2 {0} are there." == refused.message == str(refused.message)
    assert "Only {n} {kind} are there." == refused.template
    assert {"n": 2, "kind": "{0}"} == refused.facts


def test_a_refusal_without_facts_may_have_any_braces() -> None:
    refused = Refused("invalid", "a link {to: counter}")

    assert "a link {to: counter}" == refused.message == PLAIN.refusal(refused)


def test_facts_that_are_words_are_said_too_and_names_are_not() -> None:
    template = "{name} is not on the field ({zone})."
    refused = Refused("not-on-field", template, name="hand", zone="graveyard")

    assert "hand is not on the field (graveyard)." == PLAIN.refusal(refused)
    with translation.override("es"):
        assert (
            "hand no está en el campo (cementerio)."
            == words_of(SYSTEMS["grand-archive"][0]).refusal(refused).lower()
        )


def test_a_parameters_type_is_said_in_its_parts() -> None:
    must = Phrase("{must}, or {other}", must=Phrase("text of 1 to {most} characters", most=80),
                  other="true or false")  # fmt: skip

    assert "text of 1 to 80 characters, or true or false" == must
    with translation.override("es"):
        assert "un texto de 1 a 80 caracteres, o true o false" == PLAIN.phrase(must)


def test_a_refusal_reaches_another_process_whole() -> None:
    why = Phrase("The token {name} has ceased to exist.", name="Ooze")
    said = Phrase(
        "That cannot be redone: it would rule out line {n} of the log. {why}", n=7, why=why
    )

    again = unpacked(packed(said))

    assert said == again
    with translation.override("es"):
        assert PLAIN.phrase(said) == PLAIN.phrase(again)
        assert (
            "Eso no se puede rehacer: haría imposible la línea 7 del registro. "
            "La ficha Ooze ha dejado de existir." == (PLAIN.phrase(again))
        )


def test_odd_facts_do_not_break_the_wire() -> None:
    said = Phrase("{system} knows no command “{verb}”.", system="Magic", verb={"said": []})

    assert said == unpacked(packed(said))


# Pages


def english(name: str) -> set[str]:
    """The English texts about a system's rules that have a Spanish translation."""
    return {
        words[0]
        for folder in (sources.SITE, sources.of_system(name))
        for (words, _context), text in catalogues.texts(catalogues.catalogue("es", folder)).items()
        if words != text
    }


@named
def test_the_rulebook_is_in_spanish(client: Client, db: None, system: Any) -> None:
    page = client.get(f"/help/{system.name}?edition={system.edition}", headers=SPANISH)
    said = page.content.decode()

    sentences = {each for each in english(system.name) if len(each.split()) > 2}
    assert [] == [each for each in sentences if f">{each}<" in said]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_new_games_questions_are_in_spanish(client: Client, db: None, name: str) -> None:
    asked = client.get(f"/new?rules={name}", headers=SPANISH).content.decode()
    home = client.get("/", headers=SPANISH).content.decode()

    for words in english(name) & {
        each.text for each in SYSTEMS[name][0].rulebook.settings.values()
    }:
        assert f">{words}<" not in asked
    for words in english(name) & {SYSTEMS[name][0].sentence}:
        assert f">{words}<" not in home


# Kinds of counters


@pytest.mark.parametrize("name", SYSTEMS)
def test_kinds_are_called_as_the_game_prints_them_in_spanish(name: str) -> None:
    system = SYSTEMS[name][0]
    its = words_of(system)
    named = presentation_of(system).words.counters
    assert named == {its.kind(each) for each in named}
    with translation.override("es"):
        said = {each: its.kind(each) for each in (*named, "a kind of one’s own")}
        refused = Refused("not-enough", "Only {n} {kind} are there.", "R18", n=2, kind="ice")
        shown_text = its.refusal(refused)

    assert "a kind of one’s own" == said.pop("a kind of one’s own")
    assert all(text[0].islower() for text in said.values())
    if name == "yu-gi-oh":
        assert ("mágico", "hielo") == (said["spell"], said["ice"])
        assert "hielo" in shown_text


@pytest.mark.django_db(transaction=True)
def test_the_board_says_the_word_and_keeps_the_printed_one(make_game: Make, sit: Sit) -> None:
    library = {"name": "Library", "owner": "ana", "counters": {"spell": 2}}
    library["permits"] = {"spell": {"maximum": 3}}
    game = make_game("yu-gi-oh", objects={"library": library})
    client = sit(game, "ana")
    rows.give(game, [{"do": "place", "on": "library", "counter": "spell", "source": "library"}])

    board = client.get(f"/g/{game.slug}/", headers=SPANISH).content.decode()
    log = client.get(f"/g/{game.slug}/log", headers=SPANISH).content.decode()
    state = client.get(f"/g/{game.slug}/state.json", headers=SPANISH).json()["state"]

    assert 'data-kind="spell" data-word="mágico' in board.replace(
        "data-kind=spell", 'data-kind="spell"'
    )
    assert "mágico" in log
    assert {"spell": 3} == state["objects"]["library"]["counters"]
