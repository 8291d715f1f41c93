"""What the rules say is said in Spanish: their rulebook, their questions and their refusals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from django.utils import translation

from games.live.phrases import packed, unpacked
from games.rules.state import Phrase, Refused
from games.screens.words import phrase_text, refusal_text
from games.systems import SYSTEMS

catalogues = pytest.importorskip("countersite.management.commands.translations")
sources = pytest.importorskip("countersite.management.commands._rules_words")

SPANISH = {"accept-language": "es-MX,es;q=0.9,en;q=0.5"}
PLACES = re.compile(r"\{(\w+)\}")
ALL = [system for editions in SYSTEMS.values() for system in editions]
named = pytest.mark.parametrize("system", ALL, ids=lambda each: f"{each.name}-{each.edition}")


@pytest.fixture(autouse=True)
def english_at_first() -> Iterator[None]:
    with translation.override("en"):
        yield
    translation.deactivate()


# The catalogue


def test_everything_the_rules_say_has_a_translation():
    translated = catalogues.catalogue("es", catalogues.OF_RULES)
    missing = [
        words
        for _file, words, _context in catalogues.rules_marked()
        if words not in translated or not translated[words].string
    ]

    assert [] == missing, "run `manage.py translations`, and translate what it lists"


def test_a_translation_has_the_same_places_for_facts():
    for each in catalogues.catalogue("es", catalogues.OF_RULES):
        if each.id:
            assert not each.fuzzy, each.id
            assert sorted(PLACES.findall(each.id)) == sorted(PLACES.findall(each.string)), each.id


def test_the_catalogue_has_nothing_that_the_rules_do_not_say():
    said = {words for _file, words, _context in catalogues.rules_marked()}

    ids = [each.id for each in catalogues.catalogue("es", catalogues.OF_RULES) if each.id]
    assert [] == [each for each in ids if each not in said]


def test_the_compiled_catalogue_is_the_written_one():
    path = catalogues.catalogue_file("es", catalogues.OF_RULES)

    written = catalogues.compiled(catalogues.catalogue("es", catalogues.OF_RULES))
    assert written == path.with_suffix(".mo").read_bytes(), "run `manage.py translations`"


def test_no_sentence_of_a_refusal_escapes_the_catalogue():
    """Each refusal's words stand in the code where they are refused: none is put together."""
    for path in sorted(path for folder in sources.RULES for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in ("Refused", "invalid"):
                words = node.args[sources.SAID[name]]
                assert isinstance(words, (ast.Constant, ast.Name)), (path.name, node.lineno)


@pytest.mark.parametrize("said", ['f"No {kind}."', '"No " + kind'])
def test_a_sentence_that_is_put_together_is_found_out(said):
    for code in (f"Refused('x', {said})", f"def f():\n    why = {said}\n    Refused('x', why)"):
        with pytest.raises(ValueError, match="put together"):
            list(sources.sentences(code))


# Refusals


def test_a_refusal_is_its_template_with_its_facts():
    refused = Refused("not-enough", "Only {n} {kind} are there.", "R18", n=2, kind="{0}")

    assert "Only 2 {0} are there." == refused.message == str(refused.message)
    assert "Only {n} {kind} are there." == refused.template
    assert {"n": 2, "kind": "{0}"} == refused.facts


def test_a_refusal_without_facts_may_have_any_braces():
    refused = Refused("invalid", "a link {to: counter}")

    assert "a link {to: counter}" == refused.message == refusal_text(refused)


def test_facts_that_are_words_are_said_too_and_names_are_not():
    template = "{name} is not on the field ({zone})."
    refused = Refused("not-on-field", template, name="hand", zone="graveyard")

    assert "hand is not on the field (graveyard)." == refusal_text(refused)
    with translation.override("es"):
        assert "hand no está en el campo (cementerio)." == refusal_text(refused).lower()


def test_what_a_parameter_must_be_is_said_in_its_parts():
    must = Phrase("{must}, or {other}", must=Phrase("text of 1 to {most} characters", most=80),
                  other="true or false")  # fmt: skip

    assert "text of 1 to 80 characters, or true or false" == must
    with translation.override("es"):
        assert "un texto de 1 a 80 caracteres, o true o false" == phrase_text(must)


def test_a_refusal_reaches_another_process_whole():
    why = Phrase("The token {name} has ceased to exist.", name="Ooze")
    said = Phrase("Line {n} would then be impossible. {why}", n=7, why=why)

    again = unpacked(packed(said))

    assert said == again
    with translation.override("es"):
        assert phrase_text(said) == phrase_text(again)
        assert "La línea 7 sería entonces imposible. La ficha Ooze ha dejado de existir." == (
            phrase_text(again)
        )


def test_odd_facts_do_not_break_the_wire():
    said = Phrase("{system} knows no command “{verb}”.", system="Magic", verb={"said": []})

    assert said == unpacked(packed(said))


# Pages


@named
def test_the_rulebook_is_in_spanish(client, db, system):
    page = client.get(f"/help/{system.name}?edition={system.edition}", headers=SPANISH)
    said = page.content.decode()

    english = {
        each.id for each in catalogues.catalogue("es", catalogues.OF_RULES)
        if each.id and each.id != each.string and len(each.id.split()) > 2
    }  # fmt: skip
    for words in (*(rule.text for rule in system.rules.values()), *system.not_tracked.values(),
                  *system.kinds.values(), system.sentence):  # fmt: skip
        assert words in english
        assert f">{words}<" not in said
    assert [] == [each for each in english if f">{each}<" in said]


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_a_new_game_asks_is_in_spanish(client, db, name):
    said = client.get(f"/new?rules={name}", headers=SPANISH).content.decode()

    for setting in SYSTEMS[name][0].settings.values():
        assert f">{setting.text}<" not in said
    assert f">{SYSTEMS[name][0].sentence}<" not in client.get("/", headers=SPANISH).content.decode()
