"""Demos: scenarios that show the point of a game, each played in a copy of one's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import pgettext

from games import systems
from games.models import DEMO_DAYS, Game
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


def in_words(game: Mapping[str, Any], key: str) -> str:
    """A text of a ready game in the reader's language; the title is its context for translators."""
    return pgettext(game["title"], game[key]) if game.get(key) else ""


def ready_demo(name: str, ready: str) -> dict[str, Any] | None:
    """A scenario that shows the point of a ready game; None if there is none, or no such game."""
    definition = ready_games(name).get(ready)
    if definition is None:
        return None
    path = Path(systems.PACKAGES[name].__path__[0], "ready", "demos", f"{ready}.json")
    if not path.exists():
        return None
    shown = json.loads(path.read_text(encoding="utf-8"))
    edition = systems.find(name).edition
    return {"id": ready, "system": name, "edition": edition, "definition": definition, **shown}


def find(name: str, ready: str = "") -> dict[str, Any] | None:
    """The demo of the system *name*, or of one of its ready games; None if there is none."""
    return ready_demo(name, ready) if ready else demo(systems.SYSTEMS[name][0])


def demos() -> list[dict[str, Any]]:
    """The demo scenarios, in the order of the systems."""
    found = (demo(editions[0]) for editions in systems.SYSTEMS.values())
    return [scenario for scenario in found if scenario]


def played(demo: dict[str, Any], keep_days: int | None = DEMO_DAYS) -> Game:
    """A new game in which the scenario *demo* has been played, kept for so many days."""
    system = systems.named_by(demo)[0]
    game = rows.create(system, scenario.opening(system, demo), title=demo["title"])
    Game.objects.filter(pk=game.pk).update(keep_days=keep_days)
    game.keep_days = keep_days
    rows.give(game, demo["when"])
    return game
