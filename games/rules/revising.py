"""Revising: which number of a command can be another, and the command with that number.

What stands of an entry is the number of the newest `revised` event about it; without one, or if
that names none, the command's own. Source: docs/OWN-GAMES.md, Pad 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .commands import Revise
from .entry import Entry
from .events import Prompted, Revised

Raw = Mapping[str, Any]
KEYS: Mapping[str, str] = {
    "answer": "number",
    "press": "number",
    "correct": "to",
    "place": "amount",
    "remove": "amount",
    "spend": "amount",
}
"""The key of the number, by verb."""
Numbers = dict[int, int]
"""The numbers that stand in place of their own, by entry."""


def number_of(raw: Raw) -> int | None:
    """The number of a command that can be revised: one kind, on one holder, as a whole number."""
    key = KEYS.get(raw["do"])
    if key == "amount" and not _of_one(raw):
        return None
    number = raw.get(key or "", 1 if key == "amount" else None)
    return number if type(number) is int else None


def _of_one(raw: Raw) -> bool:
    on = raw.get("on")
    one = isinstance(on, str) or (isinstance(on, list) and len(on) == 1)
    return one and "counter" in raw and "had_by" not in raw


def with_number(raw: Raw, number: int) -> Raw:
    """The command with another number; an answer to what has a total need not add up then."""
    anyway = {"anyway": True} if raw["do"] == "answer" else {}
    return {**raw, KEYS[raw["do"]]: number, **anyway}


def prompts_in(raw: Raw) -> set[str]:
    """The questions that a command answers, together with others or alone."""
    return {each["prompt"] for each in (raw, *raw.get("steps", ())) if "prompt" in each}


def asked_in(events: Iterable[Mapping[str, Any]]) -> set[str]:
    """The questions that *events* ask."""
    return {event["prompt"] for event in events if event["kind"] == Prompted.kind}


def acting(entries: Iterable[Entry]) -> Iterator[Entry]:
    """*entries*, oldest first, without the answers to what others of them asked, as blocks to an
    attack: these belong to it."""
    asked: set[str] = set()
    for entry in sorted(entries, key=lambda each: each.number):
        if asked.isdisjoint(prompts_in(entry.command)):
            yield entry
        asked |= asked_in(entry.events)


def without_number(raw: Raw) -> Raw:
    """The command without the number that it answers with."""
    left = {key: value for key, value in raw.items() if key != "number"}
    steps = raw.get("steps")
    return {**left, "steps": [*map(without_number, steps)]} if steps else left


def note(numbers: Numbers, entry: Entry) -> None:
    """Note in *numbers* what *entry* revised."""
    for event in entry.events:
        if event["kind"] != Revised.kind:
            continue
        if "to" in event:
            numbers[event["of"]] = event["to"]
        else:
            numbers.pop(event["of"], None)


def as_it_stands(entry: Entry, numbers: Numbers) -> Raw:
    """The command of *entry* with the number that stands."""
    if entry.number not in numbers:
        return entry.command
    return with_number(entry.command, numbers[entry.number])


def by_round(entries: Iterable[Entry], last: int) -> Iterator[tuple[int, Entry]]:
    """*entries*, which stand newest first, each with its round; the newest is of the *last*."""
    for entry in entries:
        yield last, entry
        last -= sum("round" in each for each in entry.events if each["kind"] == "turn-began")


def answered_by(entry: Entry) -> str | None:
    """The seat whose question an entry answered; None if it answered none."""
    if entry.command["do"] != "answer":
        return None
    return str(entry.command["prompt"]).partition(":")[2].partition("#")[0]


def revises(entry: Entry) -> bool:
    return bool(entry.command["do"] == Revise.verb)
