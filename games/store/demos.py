"""Demo games: one scenario for each rule system, played if there are no games yet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from games import systems
from games.models import Game
from games.rules import scenario
from games.rules.system import System
from games.store import rows


def demo(system: System) -> dict[str, Any] | None:
    """The demo scenario of *system*, if it has one."""
    path = Path(systems.PACKAGES[system.name].__path__[0], "demo.json")
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


@cache
def ready_games(name: str) -> Mapping[str, Mapping[str, Any]]:
    """The ready games of a system whose rules tables write: definitions by name, by title."""
    folder = Path(systems.PACKAGES[name].__path__[0], "ready")
    read = {path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}
    return dict(sorted(read.items(), key=lambda each: str(each[1]["title"]).lower()))


def ready_demo(name: str, ready: str) -> dict[str, Any] | None:
    """A scenario that shows the point of a ready game; None if there is no such game."""
    definition = ready_games(name).get(ready)
    if definition is None:
        return None
    path = Path(systems.PACKAGES[name].__path__[0], "ready", "demos", f"{ready}.json")
    shown = json.loads(path.read_text(encoding="utf-8"))
    edition = systems.find(name).edition
    return {"id": ready, "system": name, "edition": edition, "definition": definition, **shown}


def demos() -> list[dict[str, Any]]:
    """The demo scenarios, in the order of the systems."""
    found = (demo(editions[0]) for editions in systems.SYSTEMS.values())
    return [scenario for scenario in found if scenario]


def load() -> list[Game]:
    """Make a game of each demo, if there are no games at all; deleted demos do not come back."""
    if Game.objects.exists():
        return []
    # The last one made is the first one offered.
    return [played(demo) for demo in reversed(demos())]


def played(demo: dict[str, Any]) -> Game:
    """A new game in which the scenario *demo* has been played."""
    system = systems.named_by(demo)[0]
    game = rows.create(system, scenario.opening(system, demo), title=demo["title"])
    rows.give(game, demo["when"])
    return game
