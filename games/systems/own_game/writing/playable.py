"""The playable part of a definition under way, and the places of its faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..language.definition import LARGEST, Definition, canonical, read, rule_fault
from ..language.forms import GRAMMAR
from ..language.grammar import Json
from ..language.reading import Fault
from . import typed
from .places import gaps, items, path, there

LISTS = {name: key.many[1] for name, key in GRAMMAR.keys("definition").items() if key.many}
"""The most items of each list of a definition."""


def without_rules_of(written: Mapping[str, Any]) -> Definition:
    """The definition without its rules; a number that is not worked out yet is 0. Raises Fault."""
    rest = {key: value for key, value in written.items() if key != "rules" and value != ""}
    return read({"title": typed.UNTITLED, **with_zeros(rest)})


def with_zeros(written: Mapping[str, Any]) -> dict[str, Any]:
    """The definition in which every number that is not worked out yet is 0."""
    numbers = written.get("numbers")
    if not isinstance(numbers, list):
        return dict(written)
    return {**written, "numbers": [{**n, "is": 0} if unfinished(n) else n for n in numbers]}


def unfinished(number: Json) -> bool:
    """True if how a number is worked out has a gap."""
    has = isinstance(number, dict) and "is" in number
    return has and next(gaps(number["is"]), None) is not None


def fault(written: Mapping[str, Any]) -> str:
    """The place of the first fault outside the rules, or "too large"; "" if there is none."""
    try:
        if len(canonical(written)) > LARGEST:
            return "?"
        without_rules_of(written)
    except Fault as found:
        return found.place or "?"
    return ""


def faults(without_rules: Definition, written: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Each rule that cannot be played yet: its index, and where its first fault is."""
    known: set[Any] = set()
    for index, rule in enumerate(items(written, "rules")):
        most = LISTS["rules"]
        place = rule_fault(without_rules, rule, index) if index < most else path(("rules",))
        name = there(rule, ("rule",))
        if place is None and name in known:
            place = path(("rules", index, "rule"))
        if isinstance(name, str):
            known.add(name)
        if place is not None:
            yield index, place


def playable(written: Mapping[str, Any]) -> tuple[dict[str, Any], list[int]]:
    """The definition without the rules that cannot be played yet, and which rules are left."""
    without_rules = without_rules_of(written)
    wrong = {index for index, _place in faults(without_rules, written)}
    rules = items(written, "rules")
    kept = [index for index in range(len(rules)) if index not in wrong]
    whole = {"title": typed.UNTITLED, **with_zeros(written)}
    if "rules" in whole:
        whole["rules"] = [rules[index] for index in kept]
    return whole, kept
