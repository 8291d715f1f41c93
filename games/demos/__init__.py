"""Demo games: scenario files, one for each rule system, played when there is no game yet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games import rows
from games.models import Game
from games.rules import scenario
from games.rules.systems import SYSTEMS, find

FOLDER = Path(__file__).parent


def demos() -> list[dict[str, Any]]:
    """The demo scenarios of the systems there are, in the order of the systems."""
    found = [json.loads(file.read_text(encoding="utf-8")) for file in FOLDER.glob("*.json")]
    order = list(SYSTEMS)
    known = (demo for demo in found if demo["system"] in SYSTEMS)
    return sorted(known, key=lambda demo: order.index(demo["system"]))


def load() -> list[Game]:
    """A game of each demo, if there is no game at all; what was deleted does not come back."""
    if Game.objects.exists():
        return []
    # The last one made is the first one offered.
    return [played(demo) for demo in reversed(demos())]


def played(demo: dict[str, Any]) -> Game:
    """A new game in which the scenario *demo* was played."""
    system = find(demo["system"], scenario.editions(demo)[0])
    game = rows.create(system, scenario.opening(system, demo), title=demo["title"])
    rows.give(game, demo["when"])
    return game
