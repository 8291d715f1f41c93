"""A secret act leaves no trace at a table that wrote its game: turns, conditions, hit points.

As `test_silence`, by the same evening twice, with and without two hundred hidden acts.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.models import Game
from games.pages.slots import counters
from games.rules import scenario
from games.screens.summary import plot
from games.store import demos, rows
from games.systems import named_by
from tests.live.conftest import connect, tables  # noqa: F401 the phones

from .test_silence import SEATS, TAKE_BACK, Connect, Json, Sit, played_twice

GAME = copy.deepcopy(demos.ready_games("own-game")["dungeons-and-dragons"])
RASH = {
    "name": "Rash",
    "outcome": "rash",
    "ticks": [{"type": "hp"}, {"type": "foe"}, {"type": "lair"}, {"type": "clock"}],
}
"""An outcome that ticks by itself the actor’s own, one that all know by name, and a secret one."""
GAME["gm"]["outcomes"] = [{"name": "Hit"}, {"name": "Miss"}, RASH]
OPENING: dict[str, Json] = {
    "a": {"name": "Hit points", "type": "hp", "slots": 44, "owner": "ana", "role": "kit-0",
          "initiative": 17},
    "b": {"name": "Hit points", "type": "hp", "slots": 27, "owner": "ben", "role": "kit-0",
          "initiative": 7},
    "marrow": {"name": "Marrow", "type": "foe", "slots": 67, "visibility": "known",
               "initiative": 18, "order": 3},
    "clock": {"name": "The wreck breaks up", "type": "clock", "slots": 6, "order": 4},
    "rumour": {"name": "Rumour", "type": "clock", "visibility": "chosen", "seats": ["ana"]},
    "dark": {"name": "canary dark", "type": "lair", "slots": 9, "visibility": "hidden"},
    "beast": {"name": "canary beast", "type": "foe", "slots": 40, "visibility": "hidden"},
}  # fmt: skip
NEXT = {"do": "next-turn"}
EVENING: tuple[Json, ...] = (
    {"do": "fill", "on": "a", "slots": 5, "by": "ana", "as_": "hurt"},
    {"do": "note", "text": "They are in.", "by": "ben"},
    {"do": "undo", TAKE_BACK: "hurt", "by": "ana"},
    {"do": "redo", TAKE_BACK: "hurt", "by": "ana"},
    {"do": "fight", "to": "begin"},
    {**NEXT, "before_it": [NEXT]},  # past g0
    {"do": "fill", "on": "marrow", "slots": 20},  # unhurt, hurt
    {"do": "afflict", "on": "marrow", "name": "Frightened", "rounds": 2},
    {"do": "action", "outcome": "Hit", "by": "ana"},
    {"do": "action", "outcome": "rash", "by": "ana", "as_": "rash"},
    {"do": "undo", TAKE_BACK: "rash", "by": "ana"},
    {"do": "redo", TAKE_BACK: "rash", "by": "ana"},
    NEXT,
    {"do": "fill", "on": "a", "slots": 7, "by": "ana"},
    {"do": "propose", "by": "ana", "command": {"do": "fill", "on": "clock", "slots": 1}},
    {"do": "answer", "prompt": "proposal:ana", "accept": True},
    {"do": "propose", "by": "ben", "command": {"do": "fill", "on": "marrow", "slots": 9}},
    {"do": "afflict", "on": "a", "name": "Blessed", "rounds": 2, "good": True, "by": "ana"},
    {"do": "finish-turn", "by": "ana"},
    {"do": "finish-turn", "by": "ben"},  # it is not Ben's
    {**NEXT, "before_it": [NEXT, NEXT]},  # past g1 and g2
    {"do": "fill", "on": "marrow", "slots": 20},  # bloodied
    {"do": "fill", "on": "marrow", "slots": 3},  # still
    {"do": "add-temporary", "on": "b", "slots": 3, "by": "ben"},
    {"post": "own", "with": {"is.a": 30, "of.a": 46}, "by": "ana"},
    {"post": "line", "with": {"line": "torch slots 3"}, "by": "cleo"},
    {"post": "made", "with": {"line": "torch slots 3"}, "by": "cleo"},
    {"post": "made", "with": {"protagonist": "cleo"}, "by": "cleo"},
    {"post": "made", "with": {"type": "clock"}, "by": "cleo"},
    {"post": "acted", "with": {"outcome": "Miss", "who": "ben"}},
    {"post": "acted", "with": {"outcome": "Hit"}, "by": "ana"},
    {"post": "acted", "with": {"outcome": "rash"}, "by": "ben"},
    {"post": "acted", "with": {"outcome": "rash", "who": "ana"}},
    {"post": "marrow/roll", "with": {"how": "typed", "points": 3}, "by": "ben"},
    {"post": "beast/roll", "with": {"how": "typed", "points": 3}, "by": "ben"},
    {"do": "fill", "slots": 1, "on": ["clock", "beast"], "by": "ana"},
    {"do": "afflict", "on": "beast", "name": "Prone", "by": "ana"},
    {"do": "create", "as": "echo", "name": "Echo", "type": "clock", "by": "ben"},
    {"do": "finish-turn", "by": "ben"},
    {**NEXT, "before_it": [NEXT, NEXT]},  # past g3, and g0 of the next round
    {"do": "edit", "on": "rumour", "seats": ["ana", "ben"]},
    NEXT,
    {"do": "edit", "on": "marrow", "visibility": "open"},
    {"do": "edit", "on": "marrow", "visibility": "known"},
    {"do": "relieve", "on": "a", "name": "Blessed", "by": "ana"},
    {"do": "fight", "to": "begin", "by": "ana"},
    {**NEXT, "by": "ana"},
    {"do": "fill", "on": "marrow", "slots": 67},  # down
    {"do": "fight", "to": "end"},
    {"do": "end-session", "milestone": "", "name": "The wreck", "lines": ["It broke."]},
    {"do": "undo", "by": "ben"},
)  # fmt: skip
PAGES = (
    "", "log", "log/latest", "log?more=999", "log.md", "state.json", "summary", "mine", "tv",
    "tv/side?log&qr", "replay", "replay?line=4", "replay/7", "replay/12", "replay/3-12",
    "replay/film", "notes", "sidebar", "keep", "rules", "share", "seats/", "tools",
    "scenario.json", "slots/new", "slots/action", "slots/after?outcome=Hit&who=ana",
    "slots/previously", "slots/end",
    *(f"slots/{key}" for key in OPENING), "slots/g0", "slots/echo", "slots/x0",
)  # fmt: skip


def hidden() -> Iterator[Json]:
    """Hidden acts, without end: creatures that take turns, their conditions and small wounds."""
    for n, turn in enumerate((20, 16, 16, 2)):
        yield {"do": "create", "as": f"g{n}", "name": "canary ghoul", "type": "foe",
               "visibility": "hidden", "initiative": turn, "order": 20 + n}  # fmt: skip
    fills, races = {"to": "beast", "do": "fill", "slots": 1}, {"to": "clock", "do": "resolve"}
    yield {"do": "edit", "on": "dark", "links": [fills, races]}
    yield {"do": "edit", "on": "clock", "links": [{"to": "dark", "do": "resolve"}]}
    yield {"do": "edit", "on": "clock", "later": ["completes"]}
    yield {"do": "edit", "on": "clock", "completes": "canary twist"}
    for n in itertools.count():
        yield {"do": "afflict", "on": "g0", "name": "canary curse", "rounds": 2}
        yield {"do": "fill", "on": "g1", "slots": 3, "note": "canary why"}
        yield {"do": "undo", TAKE_BACK: "secret"}
        yield {"do": "redo", TAKE_BACK: "secret"}
        yield {"do": "clear", "on": "g1", "all": True}
        yield {"do": "relieve", "on": "g0", "name": "canary curse"}
        yield {"do": "add-temporary", "on": "g2", "slots": 1}
        yield {"do": "fill", "on": "dark", "slots": 1}
        yield {"do": "clear", "on": "dark", "all": True}
        yield {"do": "edit", "on": "beast", "initiative": None, "gm_note": f"canary {n}"}
        yield {"do": "edit", "on": "marrow", "gm_note": f"canary {n}"}
        yield {"do": "note", "text": "canary thought", "secret": True}
        yield {"do": "scene", "scene": f"canary act {n}", "to": "prepared"}
        yield {"do": "create", "as": f"y{n}", "type": "clock", "scene": f"canary act {n}"}
        yield {"do": "afflict", "on": f"y{n}", "name": "canary fog"}
        yield {"do": "discard", "on": f"y{n}"}
        yield {"do": "scene", "scene": f"canary act {n}", "to": "over"}
        yield {"do": "create", "as": f"x{n}", "name": "canary new", "type": "foe",
               "visibility": "hidden"}  # fmt: skip
        yield {"do": "fill", "on": f"x{n}", "slots": 50}
        yield {"do": "restart", "on": f"x{n}"}
        yield {"do": "edit", "on": f"x{n}", "visibility": "chosen", "seats": []}
        yield {"do": "resolve", "on": f"x{n}"}
        yield {"do": "discard", "on": f"x{n}"}


@pytest.fixture
def make_table(db: None) -> Callable[[], Game]:
    def make() -> Game:
        described = {
            "id": "silence",
            "title": "Friday",
            "system": "own-game",
            "definition": GAME,
            "given": {"seats": SEATS, "slot_counters": OPENING},
            "when": [],
            "then": {},
        }
        system = named_by(described)[0]
        return rows.create(system, scenario.opening(system, described), title="Friday")

    return make


@pytest.mark.sweep
async def test_two_hundred_hidden_acts_change_no_byte_at_a_table_of_a_definition(
    transactional_db: None,
    make_table: Callable[[], Game],
    sit: Sit,
    connect: Connect,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counters, "_dice", lambda count: [4] * count)
    monkeypatch.setattr(plot, "LEAST", math.inf)  # its charts are in lines on a slow machine too
    make = sync_to_async(make_table)
    how: dict[str, Any] = {"steps": EVENING, "pages": PAGES}
    quiet, _busy = await played_twice(await make(), await make(), sit, connect, hidden, **how)

    said = json.dumps(quiet)
    for word in ("unhurt", "bloodied", "Frightened", "Round 2"):
        assert word in said, word
