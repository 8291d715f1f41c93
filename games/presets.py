"""What a new game has on its table: data, by rule system."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.rules.engine import System
from games.rules.systems.magic.formats import FORMATS

DEMOS = Path(__file__).parent / "demos"
SUGGESTED = ("Ana", "Ben", "Cleo", "Dan", "Eli", "Fay", "Gus", "Hana")
"""Names for seats until somebody sits there; each can be changed."""

Given = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """What lies on the table at first.

    given: the opening for those seats, as a scenario writes it.
    """

    key: str
    title: Any
    sentence: Any
    given: Callable[[Sequence[str]], Given]


def seat_ids(count: int) -> list[str]:
    """The seats' ids, in table order."""
    return [name.lower() for name in SUGGESTED[:count]]


def _nothing(seats: Sequence[str]) -> Given:
    return {"seats": {seat: {} for seat in seats}}


def _champions(seats: Sequence[str]) -> Given:
    return {
        "seats": {seat: {"had_champion": True} for seat in seats},
        "objects": {
            f"{seat}-champion": {
                "name": f"{seat.capitalize()}’s champion",
                "types": ["champion"],
                "base": {"life": 15, "level": 0},
                "owner": seat,
            }
            for seat in seats
        },
    }


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
    "magic": tuple(Preset(way.key, way.title, way.sentence, way.given) for way in FORMATS),
}


def presets(system: System) -> tuple[Preset, ...]:
    """The presets of *system*, the usual one first."""
    return PRESETS.get(system.name, (EMPTY,))


def preset(system: System, key: str) -> Preset:
    """The preset of that name, else the usual one."""
    return next((each for each in presets(system) if each.key == key), presets(system)[0])


def demo(system: System) -> dict[str, Any] | None:
    """The demo scenario of *system*, if it has one."""
    path = DEMOS / f"{system.name}.json"
    return json.loads(path.read_text()) if path.exists() else None
