"""Demos: scenarios that show the point of a game, each played in a copy of one's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.text import slugify

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
    files = {path.stem: json.loads(path.read_text("utf-8")) for path in _ready(name).glob("*.json")}
    read = {**files, **in_lines(name)}
    return dict(sorted(read.items(), key=lambda each: str(each[1]["title"]).lower()))


@cache
def in_lines(name: str) -> Mapping[str, Mapping[str, Any]]:
    """The ready games that a line says, by name."""
    path, defined = _ready(name) / "lines.txt", systems.find(name).defined
    lines = path.read_text("utf-8").splitlines() if defined and path.exists() else ()
    games = [defined.in_a_line(line) for line in lines if defined]
    return {slugify(game["title"]): game for game in games}


def _ready(name: str) -> Path:
    return Path(systems.PACKAGES[name].__path__[0], "ready")


def ready_demo(name: str, ready: str) -> dict[str, Any] | None:
    """A scenario that shows the point of a ready game; None if there is none, or no such game."""
    definition = ready_games(name).get(ready)
    if definition is None:
        return None
    path, system = _ready(name) / "demos" / f"{ready}.json", systems.find(name)
    if ready in in_lines(name) and system.defined:
        shown = system.defined.shown(definition)
    elif path.exists():
        shown = json.loads(path.read_text(encoding="utf-8"))
    else:
        return None
    whole = {"system": name, "edition": system.edition, "definition": definition}
    return {"id": ready, **whole, **shown}


def find(rules: str, ready: str = "") -> dict[str, Any] | None:
    """The demo of the system that *rules* name, or of one of its ready games; None if there is
    none."""
    name, _edition, ready = systems.asked_for(rules, ready)
    if name not in systems.SYSTEMS:
        return None
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
