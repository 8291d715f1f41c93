"""Presets: the table of a new game, by rule system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.state import Team, defaults
from games.rules.system import System
from games.systems import presentation_of
from games.systems.new_game import Opening, Preset

SUGGESTED = ("Ana", "Ben", "Cleo", "Dan", "Eli", "Fay", "Gus", "Hana")
"""The names of seats until someone sits there; each can be changed."""


def seat_ids(count: int) -> list[str]:
    """The seats' ids, in table order."""
    return [name.lower() for name in SUGGESTED[:count]]


def presets(system: System) -> tuple[Preset, ...]:
    """The presets of *system*, the usual one first."""
    return presentation_of(system).new_game.presets


def usual_seats(system: System) -> int:
    """The usual number of seats of *system*."""
    return presentation_of(system).new_game.usual_seats


def preset(system: System, key: str) -> Preset:
    """The preset with that key, or else the usual one."""
    return next((preset for preset in presets(system) if preset.key == key), presets(system)[0])


def switches(system: System) -> dict[str, bool | int]:
    """The numbers a team of *system* can share, with the defaults; empty if it has no teams."""
    if system.components.team is Team:
        return {}
    return {
        name: value
        for name, value in defaults(system.components.team).items()
        if type(value) in (bool, int) and not name.startswith("starting_")
    }


def life(system: System) -> int | None:
    """The life a player starts with, if a preset may change it."""
    found = defaults(system.components.seat).get("starting_life")
    return found if type(found) is int else None


def own_way(
    given: Opening,
    seats: Sequence[str],
    life: int | None,
    size: int | None,
    shared: Mapping[str, Any],
) -> Opening:
    """*given* with another starting *life* for everyone, and teams of *size* instead of its own.

    life: None leaves it as it is. size: None leaves the teams as they are; 0 puts all the others
    on one team against the first seat. shared: what the members of a team share.
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
