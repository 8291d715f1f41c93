"""Presentation of Stars and Signs: a board of slot counters, with a GM in the first seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.rules.state import marked as _
from games.systems.board import Board
from games.systems.new_game import NewGame, Opening, Preset
from games.systems.pieces import Tap
from games.systems.presentation import Presentation
from games.systems.sheets import Sheets
from games.systems.story import Story

from .permissions import NEW_SESSION
from .templates import PROTAGONIST, TEMPLATES, TILES

SETTLED = {"permissions": NEW_SESSION}
ONE_SLOT = {"slots": 1}
TAPS = {
    "fill-slot": Tap("fill", "on", fixed=ONE_SLOT),
    "clear-slot": Tap("clear", "on", fixed=ONE_SLOT),
    "spend-slot": Tap("spend", "on", fixed=ONE_SLOT),
    "reveal-slot": Tap("edit", "on", fixed={"visibility": "open"}),
    "hide-slot": Tap("edit", "on", fixed={"visibility": "hidden"}),
    "resolve-slot": Tap("resolve", "on"),
    "restart-slot": Tap("restart", "on"),
}


def _session(seats: Sequence[str]) -> Opening:
    """The GM in the first seat and protagonists in the others, each with their own counters."""
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


PRESENTATION = Presentation(
    board=Board(
        kind="slots",
        taps=TAPS,
    ),
    sheets=Sheets(
        seat_verbs=(),
    ),
    story=Story(
        deeds={
            "create": _("counter"),
            "edit": _("edit"),
            "arrange": _("order"),
            "scene": _("scene"),
            "resolve": _("counter"),
            "discard": _("counter"),
            "share-past": _("past"),
            "make-way": _("change"),
            "action": _("action"),
            "together": _("action"),
            "milestone": _("milestone"),
            "allow": _("rights"),
            "appoint": _("co-GM"),
            "add-co-gm": _("co-GM"),
            "propose": _("request"),
            "answer": _("answer"),
            "withdraw": _("request"),
            "note": _("note"),
            "note-makes-way": _("note"),
            "amend": _("note"),
            "strike": _("note"),
            "throw": _("dice"),
            "roll": _("dice"),
            "toss": _("coin"),
            "draw-seat": _("draw"),
            "put": _("item"),
            "take": _("item"),
            "swap": _("items"),
            "give": _("item"),
            "describe": _("item"),
            "correct": _("correction"),
            "restart": _("counter"),
            "fill": _("points"),
            "suffer": _("points"),
            "spend": _("points"),
            "clear": _("points"),
            "add-temporary": _("slots"),
        },
    ),
    new_game=NewGame(
        seats_label="Seats, including the GM’s",
        others_label="The protagonists’ names, with commas between them",
        usual_seats=4,
        presets=(
            Preset(
                "session",
                _("A GM and protagonists"),
                _("Despair, Corruption, Hope, Energy, Memories and Assets for each."),
                _session,
                settings=SETTLED,
            ),
            Preset(
                "gm",
                _("A GM and an empty board"),
                _("Add counters as you need them."),
                _gm,
                settings=SETTLED,
            ),
        ),
        unnamed={each.title: each.title for each in (*TILES.values(), *TEMPLATES.values())},
    ),
)
