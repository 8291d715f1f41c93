"""Notes at a table with a GM: the GM's own, what was told to whom, and the answers.

Everything comes from what the rules let the seat read (`seen_notes`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from zlib import crc32

from games.rules.state import GameState
from games.screens.notes import signed
from games.systems.stars_and_signs.counter import GM, game_master
from games.systems.stars_and_signs.seen import seen_notes

Facts = dict[str, Any]


def of_seat(state: GameState, seat: str | None, names: Mapping[str, str]) -> Facts:
    """What *seat* reads, newest first; its answers are under what they answer.

    told: what the GM told this seat. whispered: what it told the GM. listed: all other notes. gm:
    it may tell and change them.
    """
    gm = game_master(state, seat)
    players = [(each, names.get(each, each)) for each in state.seats if each != GM]
    seen = [signed(note, names) for note in seen_notes(state, seat).values()]
    ids = {note["id"] for note in seen}
    roots = [note for note in seen if note["answers"] not in ids][::-1]
    for note in roots:
        note["replies"] = [each for each in seen if each["answers"] == note["id"]]
        if gm and game_master(state, note["by"]):
            note["readers"] = list(_readers(note, players))
            note["alone"] = note["secret"] and not note["to"]
        note["whispered"] = gm and note["secret"] and not game_master(state, note["by"])
    secret = [note for note in roots if not gm and note["secret"]]
    told = [note for note in secret if note["by"] != seat]
    whispered = [note for note in secret if note["by"] == seat]
    return {
        "gm": gm,
        "seat": seat,
        "told": told,
        "whispered": whispered,
        "listed": [note for note in roots if note not in secret],
        "players": players,
    }


def _readers(note: Facts, players: list[tuple[str, str]]) -> Iterator[Facts]:
    """Each player: whether the note is told to them, and whom a tap on the name would leave."""
    for seat, name in players:
        told = seat in note["to"]
        to = [each for each in note["to"] if each != seat] if told else [*note["to"], seat]
        yield {"name": name, "told": told, "to": json.dumps(to)}


def moments(state: GameState, seat: str | None, names: Mapping[str, str]) -> list[Facts]:
    """What was told to *seat*, or whispered or answered to the GM, oldest first, each once.

    key: another one if the text is changed.
    """
    if seat is None:
        return []
    gm = game_master(state, seat)
    return [
        {**signed(note, names), "key": f"note:{note['id']}:{crc32(note['text'].encode()):x}"}
        for note in seen_notes(state, seat).values()
        if note["by"] != seat and (_from_a_player(state, note) if gm else seat in note["to"])
    ]


def _from_a_player(state: GameState, note: Facts) -> bool:
    """Whether a note is for the GM alone: an answer, or a whisper."""
    return note["secret"] and not game_master(state, note["by"])
