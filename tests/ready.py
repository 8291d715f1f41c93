"""The ready games, for tests that draw pages: of those that a line says one of each form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.store import demos

READY = demos.ready_games("own-game")
LINES = demos.in_lines("own-game")


def _form(game: Mapping[str, Any]) -> tuple[object, ...]:
    rule = game["rules"][0]
    return *rule["when"].items(), "if" in rule, "teams" in game


ONE_OF_EACH = {_form(game): name for name, game in LINES.items()}.values()
DRAWN = {name: each for name, each in READY.items() if name not in LINES or name in ONE_OF_EACH}
