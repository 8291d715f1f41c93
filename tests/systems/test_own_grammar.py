"""The table of forms: what is read by it, and what is made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.test import Client
from msgspec.structs import replace

from games.systems.own_game.language import definition as definitions
from games.systems.own_game.language import meaning, saying
from games.systems.own_game.language.forms import GRAMMAR
from games.systems.own_game.language.grammar import Form, Grammar, Key
from games.systems.own_game.language.reading import Fault
from games.systems.own_game.language.schema import schema, sentence
from games.systems.own_game.writing import choices, places
from tests.house import ROOT

from .own_mutants import mutants

RECORDED = json.loads(Path(__file__).with_name("data").joinpath("faults.json").read_text("utf-8"))
"""Definitions, and the first faults of their mutants as a reader without a table found them."""
READY = sorted((ROOT / "games/systems/own_game/ready").glob("*.json"))


def first_fault(written: Any) -> str | None:
    try:
        definitions.read(written)
    except Fault as fault:
        return fault.place
    return None


def test_first_faults_are_those_of_the_reader_without_a_table() -> None:
    recorded = RECORDED["faults"]
    broken = [first_fault(each) for each in mutants(RECORDED["definitions"], len(recorded))]

    assert recorded == broken


def test_the_schema_is_one_and_takes_every_ready_game() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    checker = jsonschema.Draft202012Validator(schema())

    for ready in READY:
        checker.validate(json.loads(ready.read_text("utf-8")))


def test_definitions_that_the_schema_refuses_have_a_fault() -> None:
    checker = jsonschema.Draft202012Validator(schema())
    broken = [*mutants(RECORDED["definitions"], 200, seed=1)]
    refused = [each for each in broken if not checker.is_valid(each)]

    assert len(broken) / 2 < len(refused)
    assert [] == [each for each in refused if first_fault(each) is None]


def test_every_server_gives_the_schema(client: Client) -> None:
    answer = client.get("/game/schema.json")

    assert json.loads(json.dumps(schema())) == answer.json()


@pytest.mark.parametrize("sort", ["who", "amount", "condition", "action", "when", "cost"])
def test_every_form_of_a_rule_has_a_sentence(sort: str) -> None:
    for form in GRAMMAR.sorts[sort].forms:
        assert sentence(sort, form), form.head


def test_the_sentence_of_a_track_that_is_full_names_its_types_as_words() -> None:
    cases = json.loads((ROOT / "tests/scenarios/gm-game.json").read_text("utf-8"))
    written = next(each["definition"] for each in cases if each["id"] == "gm-completes")
    said = saying.sentence(definitions.understood(written), written["rules"][0])

    assert str(said).startswith("When a clock or bag is full, ")


def test_every_place_of_every_ready_game_has_a_sort() -> None:
    """A walk finds all that is written but a GM's set: that one has a reader of its own."""
    for ready in READY:
        written = json.loads(ready.read_text("utf-8"))
        written.pop("gm", None)
        found = {place for place, _sort, _value in GRAMMAR.walk("definition", written)}

        assert [] == [place for place in all_places(written) if place not in found]


def all_places(written: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(written, dict):
        inner: Any = written.items()
    else:
        inner = enumerate(written if isinstance(written, list) else ())
    further = [found for key, part in inner for found in all_places(part, (*place, key))]
    return [place, *further]


def test_a_new_form_is_one_row_with_a_meaning_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reader, sentence, editor, renaming, advice and schema find it there."""
    twice = Form(
        {"twice": Key("amount")},
        lambda one: lambda course, about: meaning.clamped(2 * one(course, about)),
        says="twice {twice}",
    )
    amounts = GRAMMAR.sorts["amount"]
    grown = Grammar({**GRAMMAR.sorts, "amount": replace(amounts, forms=(*amounts.forms, twice))})
    for module in (definitions, saying, choices, places):
        monkeypatch.setattr(module, "GRAMMAR", grown)
    rule = {
        "rule": "Double",
        "when": {"pressed": "Double", "on": "player"},
        "do": [{"set": {"twice": {"number": "gold"}}, "of": "gold"}],
    }
    written = {"title": "G", "numbers": [{"kind": "gold", "on": "player"}], "rules": [rule]}

    definition = definitions.read(written)
    under = choices.of_rule(definition, rule, ("rules", 0))
    offered = choices.asked(under, ("rules", 0, "do", 0, "set", "twice"))
    labels = [str(each.says) for group in offered.groups for each in group.choices]

    assert "“Double”: set gold to twice your gold." == str(saying.sentence(definition, rule))
    assert "twice your gold" in labels
    assert "rules[0].do[0].set.twice" == first_fault(
        places.put(written, ("rules", 0, "do", 0, "set", "twice"), None)
    )
    assert {"silver"} == {
        name
        for _place, name in places.names(
            places.renamed(written, "numbers", "gold", "silver"), "numbers"
        )
    }
    assert "twice" in json.dumps(schema(grown))
