"""Sets of counters to save and use at another table: their settings, without their progress."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.input import read_json
from games.rules.state import GameState, to_facts
from games.screens.slots.sheets import new_ids, plain
from games.screens.words import Words
from games.tracks.counter import GM, Counter, Sight, counter_in, sight
from games.tracks.play import MOST_STEPS
from games.tracks.scenes import counters_of

Json = dict[str, Any]
SET_SCHEMA = "countersite-slot-counters"
SET_VERSION = 1
MOST_IN_A_SET = MOST_STEPS // 3
"""Each may need a scene, itself and its links."""


LEFT_OUT = frozenset({"id", "filled", "items", "resolved", "links", "owner", "seats", "rolls"})


def as_set(its: Words, state: GameState, seat: str | None, title: str) -> Json:
    """The counters that *seat* sees in full, as a file: their settings, without their progress.

    Links name a position in the list, because ids do not outlive a table.
    """
    kept = [
        counter_in(state, each)
        for each in state.slot_counters
        if sight(state, seat, counter_in(state, each)) is Sight.EVERYTHING
        and not _own(its, counter_in(state, each))
    ]
    places = {counter.id: place for place, counter in enumerate(kept)}
    return {
        "schema": SET_SCHEMA,
        "version": SET_VERSION,
        "title": title,
        "counters": [_kept(counter, places) for counter in kept],
    }


def _own(its: Words, counter: Counter) -> bool:
    """True if the game gives it to a protagonist; without its owner it would belong to none."""
    given = {its.slots.templates[each].counter.get("role") for each in its.slots.kit}
    return counter.role in given and counter.owner not in (None, GM)


def _kept(counter: Counter, places: Mapping[str, int]) -> Json:
    facts = to_facts(counter, LEFT_OUT)
    if counter.inventory:
        for name in ("worth", "temporary", "thresholds", "loop"):
            facts.pop(name)
    else:
        facts.pop("on_full")
    kept = {name: value for name, value in facts.items() if value not in (None, {}, [], False)}
    if kept.get("visibility") == "chosen":
        kept["visibility"] = "hidden"
    links = [{**plain(link), "to": places[link.to]} for link in counter.links if link.to in places]
    return {**kept, "links": links} if links else kept


class BadSet(ValueError):
    """The file is not a set of counters; the message says what is wrong and where."""


def from_set(state: GameState, text: str) -> Json:
    """One command that makes all counters of a file; scenes that are new are prepared.

    Raises BadSet.
    """
    try:
        given = read_json(text)
    except ValueError as error:
        raise BadSet(f"not JSON: {error}") from None
    if type(given) is not dict or given.get("schema") != SET_SCHEMA:
        raise BadSet(f"“schema” must be “{SET_SCHEMA}”")
    if given.get("version") != SET_VERSION:
        raise BadSet(f"“version” must be {SET_VERSION}, not {given.get('version')!r}")
    counters = given.get("counters")
    if type(counters) is not list or not 1 <= len(counters) <= MOST_IN_A_SET:
        raise BadSet(f"“counters” must be a list of 1 to {MOST_IN_A_SET}")
    ids = new_ids(state, len(counters))
    steps = [_made(each, number, ids) for number, each in enumerate(counters, start=1)]
    prepared = [
        {"do": "scene", "scene": each, "to": "prepared"} for each in _new_scenes(state, steps)
    ]
    linked = [
        {"do": "edit", "on": new, "links": _linked(each["links"], number, ids)}
        for number, (new, each) in enumerate(zip(ids, counters, strict=True), start=1)
        if each.get("links")
    ]
    return {"do": "together", "steps": prepared + steps + linked}


def _new_scenes(state: GameState, steps: list[Json]) -> list[str]:
    """The scenes of a set that this table does not have: they begin when the GM says so."""
    scenes = dict.fromkeys(each.get("scene") for each in steps)
    return [
        scene
        for scene in scenes
        if type(scene) is str and scene not in state.scenes and not any(counters_of(state, scene))
    ]


def _made(given: Any, number: int, ids: list[str]) -> Json:
    if type(given) is not dict:
        raise BadSet(f"counter {number} must be a map")
    if refused := {"do", "as", "by", "id", "note", "owner", "seats"} & set(given):
        raise BadSet(f"counter {number} may not have “{min(refused)}”")
    made = {name: value for name, value in given.items() if name != "links"}
    return {"do": "create", "as": ids[number - 1], **made}


def _linked(links: Any, number: int, ids: list[str]) -> list[Json]:
    if type(links) is not list or not all(type(link) is dict for link in links):
        raise BadSet(f"the links of counter {number} must be a list of maps")
    for link in links:
        to = link.get("to")
        if type(to) is not int or not 0 <= to < len(ids):
            raise BadSet(f"a link of counter {number} leads nowhere")
    return [{**link, "to": ids[link["to"]]} for link in links]
