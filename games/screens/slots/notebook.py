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
from games.tracks.counter import GM, game_master
from games.tracks.notes import is_handout
from games.tracks.views import seen_notes

Facts = dict[str, Any]


def of_seat(state: GameState, seat: str | None, names: Mapping[str, str]) -> Facts:
    """The notes that *seat* reads, newest first, each with the answers to it.

    handouts: those of the GM. received: what the GM told this seat. whispered: what it told the GM.
    own: what it keeps for itself, or for the GM what players do. listed: all other notes. gm: it
    may tell and change them.
    """
    gm = game_master(state, seat)
    players = [(each, names.get(each, each)) for each in state.seats if each != GM]
    seen = [signed(note, names) for note in seen_notes(state, seat).values()]
    ids = {note["id"] for note in seen}
    roots = [note for note in seen if note["answers"] not in ids][::-1]
    handouts = [_handout(note, seat, names) for note in roots if is_handout(note)]
    for note in roots:
        note["replies"] = [each for each in seen if each["answers"] == note["id"]]
        if gm and game_master(state, note["by"]):
            note["readers"] = list(_readers(note, players))
            note["alone"] = note["secret"] and not note["to"]
            note["everywhere"] = not note["secret"] and json.dumps([key for key, _name in players])
        note["whispered"] = gm and note["secret"] and not game_master(state, note["by"])
    own = [note for note in roots if note["own"]]
    written = [note for note in roots if not (is_handout(note) or note["own"])]
    secret = [note for note in written if not gm and note["secret"]]
    received = [note for note in secret if note["by"] != seat]
    whispered = [note for note in secret if note["by"] == seat]
    return {
        "gm": gm,
        "seat": seat,
        "handouts": handouts,
        "own": own,
        "received": received,
        "whispered": whispered,
        "listed": [note for note in written if note not in secret],
        "players": players,
    }


def _readers(note: Facts, players: list[tuple[str, str]]) -> Iterator[Facts]:
    """Each player: whether it can read the note, and the readers after a tap on its name."""
    for seat, name in players:
        reads = seat in note["to"]
        to = [each for each in note["to"] if each != seat] if reads else [*note["to"], seat]
        yield {"name": name, "reads": reads, "to": json.dumps(to)}


def _handout(note: Facts, seat: str | None, names: Mapping[str, str]) -> Facts:
    """*note*, a handout as `signed`, with the others who are shown it."""
    places = list(names)
    note["others"] = [
        {"name": names[each], "place": places.index(each) + 1}
        for each in note["to"]
        if each != seat and each in names
    ]
    note["told"] = seat in note["to"]
    return note


def handout(
    state: GameState, seat: str | None, note_id: str, names: Mapping[str, str]
) -> Facts | None:
    """The handout with that id as *seat* sees it; None if it sees none."""
    found = (each for each in of_seat(state, seat, names)["handouts"] if each["id"] == note_id)
    return next(found, None)


def moments(state: GameState, seat: str | None, names: Mapping[str, str]) -> list[Facts]:
    """Notes to *seat* (None: a watcher) and handouts for all, oldest first, each once.

    key: another one if what it says is changed.
    """
    if game_master(state, seat):
        return []
    found = []
    for note in seen_notes(state, seat).values():
        if note["by"] != seat and (is_handout(note) or seat in note["to"]):
            says = "\n".join(each for each in (note["title"], note["picture"]) if each)
            crc = crc32((note["text"] + says).encode())
            shown = signed(note, names) | {"key": f"note:{note['id']}:{crc:x}"}
            found.append(_handout(shown, seat, names) if is_handout(note) else shown)
    return found
