"""The entries of a log, and the view of each audience: the part of an entry that it was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

WATCHERS = ""
"""The audience of those without a seat; that of a seat has the seat's id."""
REVERSALS = ("undo", "redo")
TURNS = (*REVERSALS, "revise")
"""The verbs that turn what earlier entries did, and do nothing by themselves."""


EXPLAINS = ("rule", "compared")
"""What an event says of its reason."""


def told_to_some(event: Mapping[str, Any]) -> bool:
    """True if an event is for some seats, whoever it is about."""
    return bool(event.get("secret") and event.get("to"))


class EntryView(Struct, frozen=True):
    """The part of an entry that one audience was sent.

    line: the number of entries it was sent so far, this one included. now: whether it was sent this
    one. events: the places of the visible events. unexplained: those of them whose rule is secret.
    revealed: those that showed it something for the first time. nameless: those told to
    it about a subject, or aimed at a target, that is secret.
    """

    line: int
    now: bool = False
    events: tuple[int, ...] = ()
    unexplained: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    nameless: tuple[int, ...] = ()

    def told(self, place: int, event: dict[str, Any]) -> dict[str, Any]:
        """The *event* at that place without what the audience may not know of it."""
        left_out = [*(EXPLAINS if place in self.unexplained else ())]
        left_out += ["on" if told_to_some(event) else "target"] if place in self.nameless else []
        if not left_out:
            return event
        return {key: value for key, value in event.items() if key not in left_out}


EntryViews = Mapping[str, EntryView]
"""By audience."""


class Entry(Struct, frozen=True):
    """One accepted command in the log, numbered from 1.

    command: as it was given, with its `by`. events: what happened then, as JSON; undoing an earlier
    command changes the state, not what was written here.
    undone_by: the number of the entry that undid it; None while it stands. views: the
    part that each audience was sent; None in a game without secrets.
    """

    number: int
    by: str
    id: str | None
    command: Mapping[str, Any]
    events: tuple[dict[str, Any], ...]
    undone_by: int | None = None
    views: EntryViews | None = None


def views_as_json(views: EntryViews | None) -> dict[str, Any] | None:
    """*views* for the column `heard`: the line of a view without events, else its fields."""
    if views is None:
        return None
    return {key: _as_json(each) if each.now else each.line for key, each in views.items()}


def _as_json(view: EntryView) -> list[Any]:
    nameless = [view.nameless] if view.nameless else []
    return [view.line, view.events, view.unexplained, view.revealed, *nameless]


def views_from_json(stored: Mapping[str, Any] | None) -> EntryViews | None:
    """The opposite of `views_as_json`."""
    if stored is None:
        return None
    return {
        key: EntryView(each)
        if type(each) is int
        else EntryView(each[0], True, *map(tuple, each[1:]))
        for key, each in stored.items()
    }


def view_in(views: EntryViews | None, seat: str | None) -> EntryView | None:
    """The view of *seat*; None for entries older than views."""
    return views.get(seat or WATCHERS) if views else None


def view_of(entry: Entry, seat: str | None) -> EntryView | None:
    """The part of *entry* that *seat* was sent; None for entries older than views."""
    return entry.views.get(seat or WATCHERS) if entry.views else None


def line_of(entry: Entry, seat: str | None) -> int:
    """The number of *entry* as *seat* counts."""
    view = view_of(entry, seat)
    return entry.number if view is None else view.line


def lines_after(
    before: Mapping[str, int], unnumbered: int, views: Mapping[str, EntryView | None]
) -> EntryViews:
    """*views* with their lines counted on from *before*.

    unnumbered: the number of entries from before audiences counted lines.
    """
    counted = {}
    for key, each in views.items():
        line = before.get(key, unnumbered)
        counted[key] = EntryView(line) if each is None else replace(each, line=line + 1, now=True)
    return counted
