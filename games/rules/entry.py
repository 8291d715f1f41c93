"""The entries of a log, and what each audience heard of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

WATCHERS = ""
"""The audience of those without a seat; that of a seat has the seat's id."""
REVERSALS = ("undo", "redo")


class Heard(Struct, frozen=True):
    """The part of an entry that one audience was sent.

    line: how many entries it has heard of by then, this one included.
    now: whether it heard of this one. events: the places of the events it learned of.
    unexplained: those of them whose rule would tell a secret. revealed: those that showed it
    something for the first time.
    """

    line: int
    now: bool = False
    events: tuple[int, ...] = ()
    unexplained: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()


Hearing = Mapping[str, Heard]
"""By audience."""


class Entry(Struct, frozen=True):
    """One accepted command in the log, numbered from 1.

    command: as it was given, with its `by`. events: what happened then, as JSON; undoing an earlier
    command changes the state, not what was written here.
    undone_by: the number of the entry that undid it; None while it stands. heard: what each
    audience heard of it; None where nothing is secret.
    """

    number: int
    by: str
    id: str | None
    command: Mapping[str, Any]
    events: tuple[dict[str, Any], ...]
    undone_by: int | None = None
    heard: Hearing | None = None


def heard_as_json(heard: Hearing | None) -> dict[str, Any] | None:
    """*heard* for a column: a number for those who heard nothing, else the fields of `Heard`."""
    if heard is None:
        return None
    return {
        key: [each.line, each.events, each.unexplained, each.revealed] if each.now else each.line
        for key, each in heard.items()
    }


def heard_from_json(stored: Mapping[str, Any] | None) -> Hearing | None:
    """The opposite of `heard_as_json`."""
    if stored is None:
        return None
    return {
        key: Heard(each)
        if type(each) is int
        else Heard(each[0], True, tuple(each[1]), tuple(each[2]), tuple(each[3]))
        for key, each in stored.items()
    }


def heard_of(hearing: Hearing | None, seat: str | None) -> Heard | None:
    """The part of *hearing* that is *seat*'s; None for entries from before it was noted."""
    return hearing.get(seat or WATCHERS) if hearing else None


def heard_by(entry: Entry, seat: str | None) -> Heard | None:
    """The part of *entry* that *seat* was sent; None for entries from before this was noted."""
    return entry.heard.get(seat or WATCHERS) if entry.heard else None


def line_of(entry: Entry, seat: str | None) -> int:
    """The number of *entry* as *seat* counts."""
    heard = heard_by(entry, seat)
    return entry.number if heard is None else heard.line


def lines_after(
    before: Mapping[str, int], unnumbered: int, heard: Mapping[str, Heard | None]
) -> Hearing:
    """What was *heard*, with the lines counted on from *before*.

    unnumbered: how many entries there were before anyone counted lines.
    """
    counted = {}
    for key, each in heard.items():
        line = before.get(key, unnumbered)
        counted[key] = Heard(line) if each is None else replace(each, line=line + 1, now=True)
    return counted
