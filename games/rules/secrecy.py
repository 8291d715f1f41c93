"""Views of the objects by seat, where some lie face-down.

The rules know no secrets: they resolve every command with the whole state. What leaves the table
passes through here: the state as a seat sees it (`seen`), its log (`entry_seen`), and the refusals
it gets (`refusal_seen`). A system says how a seat sees one object (`System.as_seen`); without that,
everything here gives back what it was given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from .engine import head, names_in, read, step
from .entry import Entry
from .history import History
from .state import GameObject, GameState, Refused
from .system import System
from .together import spelled_out


def seen(system: System, state: GameState, seat: str | None) -> GameState:
    """*state* as *seat* sees it; the very same if it sees all of it."""
    objects = seen_objects(system, state.objects, seat)
    return state if objects is state.objects else replace(state, objects=objects)


def seen_objects(
    system: System, objects: Mapping[str, GameObject], seat: str | None
) -> Mapping[str, GameObject]:
    """*objects* as *seat* sees them, in their order; the very same if it sees all of them."""
    if system.as_seen is None:
        return objects
    instead = {
        key: shown
        for key, obj in objects.items()
        if (shown := system.as_seen(obj, seat)) is not obj
    }
    return {**objects, **instead} if instead else objects


# The log


def entry_seen(system: System, after: GameState, entry: Entry, seat: str | None) -> Entry | None:
    """*entry* as *seat* may read it. after: the state just after it, as that seat sees it.

    An event with `known_to` gives its name to those seats only. None if the seat may not even know
    that something happened: someone noted what is printed on a card that it cannot see.
    """
    if system.as_seen is None:
        return entry
    events = tuple(_nameless(event, seat) for event in entry.events)
    private = _private(system, entry.command)
    if private:
        about = [
            after.objects.get(each)
            for command in private
            for each in _about(system, command, entry.by)
        ]
        if any(obj and obj.unseen for obj in about):
            unseen = {key for key, obj in after.objects.items() if obj.unseen}
            events = tuple(event for event in events if event.get("object") not in unseen)
            if not events:
                return None
    return replace(entry, events=events)


def _nameless(event: dict[str, Any], seat: str | None) -> dict[str, Any]:
    if seat in event.get("known_to", (seat,)):
        return event
    return {key: value for key, value in event.items() if key != "name"}


# Commands


def refuse_unseen(system: System, state: GameState, raw: Mapping[str, Any]) -> None:
    """Refuse a private verb from a seat that does not see the object: the answer would tell it.

    Only at the table. The rules by themselves let any seat give any command. The steps of a command
    are looked at one by one.
    """
    private = _private(system, raw)
    if not private:
        return
    mine = seen(system, state, raw["by"])
    if mine is state:
        return
    for command in private:
        for each in _about(system, command, raw["by"]):
            obj = mine.objects.get(each)
            if obj and obj.unseen:
                raise Refused("forbidden", "Only a player who sees this card can say that of it.")


def _private(system: System, raw: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The private commands that *raw* is, or does together with others."""
    if not system.private_verbs:
        return []
    every = (raw, *spelled_out(system, raw))
    return [
        each
        for each in every
        if isinstance(each.get("do"), str) and each["do"] in system.private_verbs
    ]


def is_private(system: System, raw: Mapping[str, Any]) -> bool:
    """Whether some seats may not even know of the command *raw*: it notes what is printed."""
    return bool(_private(system, raw))


def refusal_seen(
    system: System, state: GameState, raw: Mapping[str, Any], refused: Refused
) -> Refused:
    """*refused* in words that tell its reader nothing about objects it cannot see."""
    mine = seen(system, state, raw["by"])
    if mine is state:
        return refused
    if raw.get("do") in ("undo", "redo"):
        # Its reason is about another line, which may name anything.
        if "why" not in refused.facts:
            return refused
        sentence = "Line {n} of the log would become impossible."
        return Refused(refused.code, sentence, refused.rule, n=refused.facts["n"])
    try:
        refuse_unseen(system, state, raw)
        step(system, mine, read(system, raw, head(system, mine, raw).by))
    except Refused as same:
        if same.code == refused.code:
            return same
    return Refused(refused.code, "The rules do not allow that now.", refused.rule)


def _about(system: System, raw: Mapping[str, Any], by: str) -> Sequence[str]:
    """The ids that a command names; none if it is malformed."""
    try:
        command = read(system, raw, by)
    except Refused:
        return ()
    return [each for _names, ids in names_in(command) for each in ids]


# The whole game


def hides(history: History, seat: str | None) -> bool:
    """Whether the log or the opening names an object whose face *seat* still may not see."""
    system = history.system
    if system.as_seen is None:
        return False
    now = seen_objects(system, history.state.objects, seat)
    opening = seen_objects(system, history.opening.objects, seat)
    if any(obj.unseen for obj in now.values()):
        return True
    if any(obj.unseen and key not in now for key, obj in opening.items()):
        return True
    return any(
        seat not in event["known_to"] and (entry.undone_by or event["object"] not in now)
        for entry in history.forwards()
        for event in entry.events
        if "known_to" in event
    )
