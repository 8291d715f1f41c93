"""What a new game has on its table: data, by rule system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.rules.state import SlotCounter, Team
from games.rules.system import System
from games.systems.magic.formats import FORMATS
from games.systems.stars_and_signs.templates import PROTAGONIST, TEMPLATES

SUGGESTED = ("Ana", "Ben", "Cleo", "Dan", "Eli", "Fay", "Gus", "Hana")
"""Names for seats until somebody sits there; each can be changed."""

Opening = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """What lies on the table at first.

    given: the opening for those seats, as a scenario writes it. seats: how many may play, least
    and most. usual: how many mostly do; None leaves the number that is chosen.
    """

    key: str
    title: Any
    sentence: Any
    given: Callable[[Sequence[str]], Opening]
    seats: tuple[int, int] = (1, 8)
    usual: int | None = None


def seat_ids(count: int) -> list[str]:
    """The seats' ids, in table order."""
    return [name.lower() for name in SUGGESTED[:count]]


def _nothing(seats: Sequence[str]) -> Opening:
    return {"seats": {seat: {} for seat in seats}}


def _champions(seats: Sequence[str]) -> Opening:
    return {
        "seats": {seat: {"had_champion": True} for seat in seats},
        "objects": {
            f"{seat}-champion": {
                "name": "Champion",
                "types": ["champion"],
                "base": {"life": 15, "level": 0},
                "owner": seat,
            }
            for seat in seats
        },
    }


def _session(seats: Sequence[str]) -> Opening:
    """The GM in the first seat, protagonists in the others, each with a protagonist's counters."""
    given = _gm(seats)
    made: dict[str, Any] = {}
    for seat in list(given["seats"])[1:]:
        for order, name in enumerate(PROTAGONIST, start=1):
            facts = {"name": TEMPLATES[name].title, **TEMPLATES[name].counter}
            place = {"owner": seat, "order": order}
            made[f"c{len(made) + 1}"] = {**facts, **place}
    return {**given, "slot_counters": made}


def _gm(seats: Sequence[str]) -> Opening:
    return {"seats": {seat: {} for seat in ("gm", *seats[: max(1, len(seats) - 1)])}}


EMPTY = Preset("empty", _("Empty table"), _("Add cards as they come."), _nothing)
PRESETS: Mapping[str, tuple[Preset, ...]] = {
    "grand-archive": (
        Preset(
            "champions",
            _("A champion each"),
            _("Level 0, 15 life; change name and life on the board."),
            _champions,
        ),
        EMPTY,
    ),
    "stars-and-signs": (
        Preset(
            "session",
            _("A GM and protagonists"),
            _("Despair, Corruption, Hope, Energy, Memories and Assets for each."),
            _session,
        ),
        Preset("gm", _("A GM and an empty board"), _("Add counters as they come."), _gm),
    ),
    "magic": tuple(
        Preset(way.key, _(way.title), _(way.sentence), way.given, way.seats, way.usual)
        for way in FORMATS
    ),
}


def presets(system: System) -> tuple[Preset, ...]:
    """The presets of *system*, the usual one first."""
    return PRESETS.get(system.name, (EMPTY,))


def usual_seats(system: System) -> int:
    """How many sit down where nobody says otherwise; a game master has three players."""
    return 2 if system.slot_counter is SlotCounter else 4


def preset(system: System, key: str) -> Preset:
    """The preset of that name, else the usual one."""
    return next((each for each in presets(system) if each.key == key), presets(system)[0])


def switches(system: System) -> dict[str, bool | int]:
    """What a team of *system* can share, with the usual values; none where all play alone."""
    if system.team is Team:
        return {}
    usual: dict[str, Any] = {part.name: part.default for part in fields(system.team)}
    return {
        name: value
        for name, value in usual.items()
        if type(value) in (bool, int) and not name.startswith("starting_")
    }


def life(system: System) -> int | None:
    """The life a player begins with, where a preset may change it."""
    usual = {part.name: part.default for part in fields(system.seat)}
    found = usual.get("starting_life")
    return found if type(found) is int else None


def own_way(
    given: Opening,
    seats: Sequence[str],
    life: int | None,
    size: int | None,
    shared: Mapping[str, Any],
) -> Opening:
    """*given* with another life for everybody, and with teams of *size* instead of its own.

    size: None leaves the teams as they are, 0 is all the others against the first seat.
    """
    changed = dict(given)
    if life is not None:
        changed["seats"] = {
            seat: {**facts, "life": life, "starting_life": life}
            for seat, facts in given["seats"].items()
        }
    if size is not None:
        groups = (
            [seats[start : start + size] for start in range(0, len(seats), size)]
            if size
            else [seats[1:]]
        )
        changed["teams"] = {
            f"team-{number}": {"seats": list(group), **shared}
            for number, group in enumerate(groups, 1)
            if len(group) > 1
        }
        first = next(
            (team for team in changed["teams"].values() if seats[0] in team["seats"]), None
        )
        together = first["seats"] if first and first.get("shared_turns") else [seats[0]]
        changed["turn"] = {**given.get("turn", {}), "active": together}
    return changed
