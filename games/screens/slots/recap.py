"""The recap of a session, as each seat could see it, and "Previously…" as each reads it.

The lines that are offered come from what the log tells a watcher, and for a seat's own lines from
what it tells that seat. So nothing hidden is among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _
from msgspec.structs import replace

from games.models import Game
from games.rules import secrecy
from games.rules.chapters import chapters_read
from games.rules.state import GameState
from games.rules.system import System
from games.screens.log.lines import full_sentence, sentence_of
from games.screens.slots import view_models, words
from games.screens.slots.entry_text import Reader
from games.screens.slots.log import SlotLog
from games.screens.slots.names import name_of, translated
from games.screens.slots.notebook import of_seat
from games.screens.words import words_of

Facts = dict[str, Any]
NOTABLE = frozenset(
    {
        *("completed", "reopened", "revealed", "threshold-reached", "wounded", "restarted"),
        *("scene-began", "scene-ended", "put", "taken-out", "released", "discarded"),
    }
)
"""The kinds of events that a recap tells one by one."""
MOVED = frozenset({"filled", "cleared", "corrected"})
"""Those of which it tells only where they led."""
MOST = 20
"""The most lines that are offered for one audience: the newest."""


def offered(game: Game, seat: str | None) -> list[str]:
    """The lines of a recap of what *seat* (None: a watcher) could see since the last session."""
    its = words_of(game.rules)
    log = SlotLog(game, seat)
    seen = {each.id: each for each in view_models.counter_views(its, log.current, seat)}
    moved: list[str] = []
    lines: list[str] = []
    for entry, reader in log.of_this_session():
        lines += _lines_of(entry, reader)
        moved += [event["on"] for event in entry.events if event["kind"] in MOVED]
    stand = [
        f"{translated(its, name_of(its, each.counter))}: {words.reading(each.counter)}"
        for key in dict.fromkeys(moved)
        if (each := seen.get(key)) and not each.masked and _of_the_table(each.counter)
    ]
    return list(dict.fromkeys([*stand, *lines]))[-MOST:]


def _of_the_table(counter: Any) -> bool:
    return counter.owner is None and not (counter.complete or counter.inventory)


def _lines_of(entry: Any, reader: Reader) -> Iterator[str]:
    """The part of a recap about *entry*, which its seat reads."""
    events = [each for each in entry.events if each["kind"] in NOTABLE]
    out = {each["item"]: each for each in events if each["kind"] == "taken-out"}
    into = {each["item"] for each in events if each["kind"] == "put"}
    for event in entry.events:
        if event["kind"] in ("noted", "amended"):
            if event.get("by") != reader.seat and (said := event.get("title") or event["text"]):
                yield said
        elif event["kind"] not in NOTABLE or (event is out.get(event.get("item")) and into):
            continue
        else:
            one = replace(entry, command=None, events=(event,), past=())
            if parts := tuple(reader.parts(one)):
                who = reader.names.get(entry.by, entry.by)
                yield full_sentence(who, parts) if parts[0].acts else sentence_of(parts)


def to_end(game: Game, state: GameState, names: Mapping[str, str]) -> Facts:
    """The GM's offers at the end of a session.

    lines: those that everyone reads. alone: for each player, those that only that seat reads.
    kept: what stays with the GM.
    """
    its = words_of(game.rules)
    gm = game.rules.seating.default_by(state)
    written = of_seat(state, gm, names)
    everyone = offered(game, None)
    shown = {each.id for each in view_models.counter_views(its, state, None)}
    number = len(everyone)
    alone = []
    for place, seat in enumerate(state.seats, 1):
        if secrecy.knows(game.rules, state, seat):
            continue
        own = [line for line in offered(game, seat) if line not in everyone]
        lines = [(number + n, text) for n, text in enumerate(own)]
        number += len(own) + 1
        alone.append(
            {
                "seat": seat,
                "name": names.get(seat, seat),
                "place": place,
                "lines": lines,
                "blank": number - 1,
            }
        )
    return {
        "lines": list(enumerate(everyone)),
        "alone": alone,
        "blank": (number, number + 1),
        "kept": [
            (translated(its, name_of(its, each.counter)), words.reading(each.counter))
            for each in view_models.counter_views(its, state, gm)
            if each.id not in shown and not each.counter.owner
        ],
        "secrets": [
            note["title"] or note["text"] or _("a picture")
            for note in [*written["listed"], *written["handouts"]]
            if note.get("alone")
        ],
        "prepared": [scene for scene, how in state.scenes.items() if how == "prepared"],
        "running": [scene for scene, how in state.scenes.items() if how == "running"],
    }


def previously(
    system: System, state: GameState, seat: str | None, names: Mapping[str, str]
) -> Facts:
    """The sessions that are over as *seat* reads them, newest first, and what it has at hand."""
    everything = seat is not None and secrecy.knows(system, state, seat)
    read = chapters_read(state, seat, everything=everything)
    over = [
        {
            **each,
            "session": n,
            "when": datetime.fromtimestamp(each["at"], UTC) if each["at"] else None,
            "shared": [line["text"] for line in each["lines"] if not line.get("to")],
            "alone": [
                {"text": line["text"], "to": [names.get(to, to) for to in line["to"]]}
                for line in each["lines"]
                if line.get("to")
            ],
        }
        for n, each in enumerate(read, 1)
    ]
    carried = [
        item.name
        for each in view_models.counter_views(words_of(system), state, seat)
        if not each.masked and each.counter.owner == seat
        for item in each.counter.items
    ]
    notes = of_seat(state, seat, names) if seat else {}
    count = sum(
        len(notes.get(kind, ())) for kind in ("handouts", "received", "whispered", "own", "listed")
    )
    return {
        "session": len(over) + 1,
        "last": over[-1] if over else None,
        "earlier": over[-2::-1],
        "carried": carried if seat and not everything else [],
        "notes": count,
        "gm": everything,
    }
