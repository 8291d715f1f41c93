"""Generated forms: numbers, names and questions as the rules declare them."""

from __future__ import annotations

import pytest
from django.utils import translation
from msgspec.structs import replace

from games.rules.engine import read, step
from games.rules.state import GameState, Prompt, Refused
from games.screens import fragments, sheets
from games.screens.generated import Forms
from games.screens.words import PLAIN, words_of
from games.systems.controls import Stepper
from games.systems.pokemon import CURRENT


@pytest.fixture
def game() -> GameState:
    """Ana has the Active Pokémon that is not a candidate, and one on the Bench that is."""
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {
            "snom": {"owner": "ana", "zone": "active", "hp": 50},
            "mew": {"owner": "ana", "zone": "bench", "hp": 60},
            "abra": {"owner": "ben", "zone": "active", "hp": 40},
        },
        "turn": {"active": ["ana"], "phase": "turn"},
    }
    return CURRENT.opening(CURRENT, given, {})


def test_a_verb_that_names_a_second_object_has_a_form_with_its_candidates(game: GameState) -> None:
    form = Forms(CURRENT, game, "ana", str).of_verb("retreat", "snom")

    assert form
    assert form.single
    assert [("mew", "mew")] == list(form.single.options)
    assert Forms(CURRENT, game, "ana", str).of_verb("retreat", "mew") is None


def test_a_mark_that_is_a_number_is_set_within_its_own_bounds(game: GameState) -> None:
    numbers = sheets.of_seat(CURRENT, game, game.seats["ana"], {})["numbers"]

    bounds = {mark: (each.least, each.most, each.step) for mark, _value, each in numbers}
    assert {"bench_limit": (1, 8, 1), "poison_more": (0, 990, 10), "burn_more": (0, 990, 10)} == (
        bounds
    )


def test_a_number_in_tens_says_so_to_the_pad() -> None:
    assert "data-unit=10" in fragments.stepper(PLAIN, Stepper("snom", "damage", 20, unit=10))
    assert "data-unit" not in fragments.stepper(PLAIN, Stepper("snom", "energy", 2))


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "“Heads or tails: does Burned end?”"), ("es", "«Cara o cruz: ¿termina Quemado?»")],
)
def test_a_refusal_names_a_question_in_words(game: GameState, language: str, said: str) -> None:
    waits = replace(game, prompts=(Prompt("burned:snom", "burned", "ana", "snom"),))
    with pytest.raises(Refused) as refused:
        step(CURRENT, waits, read(CURRENT, {"do": "begin-turn", "active": ["ben"]}, "ana"))

    with translation.override(language):
        assert said in words_of(CURRENT).refusal(refused.value)


def test_a_card_off_the_field_is_said_as_the_game_says_it(game: GameState) -> None:
    away = step(CURRENT, game, read(CURRENT, {"do": "move", "object": "mew", "to": "deck"}, "ana"))
    with pytest.raises(Refused, match="not in play"):
        step(CURRENT, away[0], read(CURRENT, {"do": "heal", "on": "mew", "amount": 10}, "ana"))
