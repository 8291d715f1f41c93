"""`manage.py laws`: every law can be broken, and says so in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from msgspec.structs import replace

import countersite.laws  # noqa: F401 those of the screens
from countersite.management.commands import laws as command
from games.rules import laws
from games.rules.events import Event, Placed
from games.rules.state import GameState, Refused
from games.rules.system import Automatic, Rule, System, Verb
from games.systems import PRESENTATIONS, find
from games.systems.board import Board
from games.systems.sheets import Sheets

SYSTEM = replace(find("any-game"), defined=None)
PLACE = SYSTEM.verbs["place"]
CASE = {
    "id": "one", "title": "A point.", "system": "any-game",
    "given": {
        "seats": {"ana": {}, "ben": {}},
        "objects": {"rocket": {"name": "Rocket", "owner": "ana", "counters": {"fuel": 1}}},
    },
    "when": [{"do": "place", "on": "rocket", "counter": "fuel"}, {"do": "undo"}],
    "then": {},
}  # fmt: skip
CALLED = count(1)
LAWS = {law.broken.__name__: law.broken for law in laws.LAWS}

Resolve = Callable[[System, GameState, Any], Iterator[Event]]


def placing(resolve: Resolve) -> System:
    """A game without rules, in which placing is done by *resolve*."""
    return replace(SYSTEM, verbs={**SYSTEM.verbs, "place": Verb(PLACE.command, resolve)})


def without_a_sentence(system: System, state: GameState, command: Any) -> Iterator[Event]:
    raise Refused("no", "no")
    yield


def with_an_error(system: System, state: GameState, command: Any) -> Iterator[Event]:
    raise KeyError(command.on)
    yield


def another_each_time(system: System, state: GameState, command: Any) -> Iterator[Event]:
    yield Placed(on="rocket", counter="fuel", amount=next(CALLED))


class Silent(Automatic, frozen=True):
    """Settles without saying so in an event."""

    def settle(self, system: System, state: GameState, events: list[Event]) -> GameState:
        return replace(state.with_count("rocket", "fuel", 7), settled=True)


class Unstored(Automatic, frozen=True):
    """Leaves behind what the database gives back as something else."""

    def settle(self, system: System, state: GameState, events: list[Event]) -> GameState:
        return replace(state, settings={"names": ("a", "b")}, settled=True)


def first_of(kind: str, other: str) -> Any:
    """An effect that puts a counter of *kind* on the rocket, unless one of *other* is there."""

    def effect(system: System, state: GameState, changed: Any) -> Iterator[Event]:
        there = state.on("rocket")
        if there.get("fuel", 0) > 1 and not {kind, other} & {*there}:
            yield Placed(on="rocket", counter=kind, amount=1)

    return effect


RULES = {"Fuel 1": Rule("A rocket needs fuel.", "Rocketry", "1")}
ORDERED = Automatic(effects=(first_of("ice", "fire"), first_of("fire", "ice")))
BROKEN: Mapping[str, System] = {
    "rules_are_cited": replace(SYSTEM, rulebook=replace(SYSTEM.rulebook, rules=RULES)),
    "refusals_are_sentences": placing(without_a_sentence),
    "nonsense_is_refused": placing(with_an_error),
    "steps_are_pure": placing(another_each_time),
    "undo_leads_back": placing(another_each_time),
    "log_leads_there": placing(another_each_time),
    "events_lead_there": replace(SYSTEM, automatic=Silent()),
    "storing_changes_nothing": replace(SYSTEM, automatic=Unstored()),
    "effects_have_no_order": replace(SYSTEM, automatic=ORDERED),
}


def found(law: str, system: System = SYSTEM, case: Mapping[str, Any] = CASE) -> list[str]:
    """What a law finds in a system with one case."""
    return [*LAWS[law](laws.Kept(system, "games.systems.own_game.plain", [case], games=20))]


@pytest.mark.parametrize("law", BROKEN)
def test_a_system_that_breaks_a_law_is_found(law: str) -> None:
    assert found(law, BROKEN[law])


@pytest.mark.parametrize("law", LAWS)
def test_a_system_that_keeps_a_law_is_left_alone(law: str) -> None:
    begins = {"do": "begin-turn", "active": ["ben"]}

    assert [] == found(law, case={**CASE, "when": [*CASE["when"], begins]})


def test_a_verb_that_no_case_gives_is_named() -> None:
    assert ["No case gives “begin-turn”."] == found("verbs_are_used")


def test_a_case_that_does_not_hold_is_named_with_its_place() -> None:
    wrong = {**CASE, "then": {"objects": {"rocket": {"counters": {"fuel": 9}}}}}

    assert ["one, objects.rocket.counters.fuel: expected 9, got 1"] == found(
        "cases_hold", case=wrong
    )


class Undrawn(Board, frozen=True):
    """A board without panels."""

    def panel(self, *_: Any) -> Any:
        raise ValueError("no panel")


class NoTiles(Sheets, frozen=True):
    """Sheets without tiles."""

    def tiles(self, *_: Any) -> tuple[()]:
        return ()


@pytest.mark.parametrize(
    ("law", "part", "says"),
    [
        ("boards_are_drawn", {"board": Undrawn()}, "one, ana: ValueError: no panel"),
        ("cards_have_tiles", {"sheets": NoTiles()}, "one: Rocket has 0 tiles."),
    ],
    ids=["boards", "tiles"],
)
def test_a_presentation_that_breaks_a_law_is_found(
    monkeypatch: pytest.MonkeyPatch, law: str, part: dict[str, Any], says: str
) -> None:
    monkeypatch.setitem(PRESENTATIONS, "own-game", replace(PRESENTATIONS["own-game"], **part))

    assert says == found(law)[0]


def test_every_law_gives_its_reason() -> None:
    assert all(law.says.endswith(".") and law.why.endswith(".") for law in laws.LAWS)
    assert {*BROKEN, "verbs_are_used", "cases_hold", "boards_are_drawn", "cards_have_tiles"} == {
        law.broken.__name__ for law in laws.LAWS
    }


# The command


def test_the_verdict_names_each_law(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("laws", "games/systems/pokemon", games=20)
    said = capsys.readouterr().out

    assert len(laws.LAWS) == said.count("kept    ")
    assert said.endswith("cases, 20 games at random: All laws are kept.\n")


def test_a_broken_law_ends_with_its_reason_and_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(type(PRESENTATIONS["pokemon"].sheets), "tiles", NoTiles.tiles)
    with pytest.raises(SystemExit) as stopped:
        call_command("laws", "games/systems/pokemon", games=20)

    assert 1 == stopped.value.code
    said = capsys.readouterr().out
    assert "broken  A card in play has one to six tiles" in said
    assert "        They are what one tap does" in said
    assert said.endswith(f"1 of {len(laws.LAWS)} laws are broken.\n")


def test_a_system_is_found_by_its_name_too() -> None:
    assert "pokemon" == command.system_of("pokemon")


def test_a_number_of_games_that_proves_nothing_is_refused() -> None:
    with pytest.raises(CommandError, match="--games must be 1 or more"):
        call_command("laws", "pokemon", games=0)


def test_a_folder_without_a_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No rule system that can be used is in"):
        command.system_of(str(tmp_path))
