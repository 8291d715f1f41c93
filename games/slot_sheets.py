"""What the sheets of a slot counter offer: plain values for their templates."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from games import slots
from games.rules.state import GameState, to_facts
from games.rules.system import System
from games.rules.systems.stars_and_signs import referee
from games.rules.systems.stars_and_signs.counter import (
    ACTS,
    GM,
    LOOPS,
    PERMITTED,
    Counter,
    Sight,
    counter_in,
    game_master,
    sight,
)
from games.rules.systems.stars_and_signs.play import MOST_STEPS
from games.rules.systems.stars_and_signs.templates import PROTAGONIST, SIZES, TEMPLATES, TILES

Sheet = dict[str, Any]
LINK_VERBS = ("fill", "clear", "reveal", "start", "advance")
WORTHS = (1, 5)
VISIBLE = ("hidden", "known", "open")
"""The visibilities of one tap; to be open to chosen seats, a counter needs to be told whom."""
SET_SCHEMA = "countersite-slot-counters"
SET_VERSION = 1
MOST_IN_A_SET = MOST_STEPS


def new_id(state: GameState) -> str:
    """An id for a new counter that says nothing, not even how many others there are."""
    while (made := f"c-{secrets.token_hex(3)}") in state.slot_counters:
        pass
    return made


def of_counter(
    system: System, state: GameState, seat: str | None, key: str, names: Mapping[str, str]
) -> Sheet | None:
    """All that *seat* can do with a counter; None if it sees nothing of it."""
    if key not in state.slot_counters:
        return None
    seen = slots.face(state, seat, counter_in(state, key))
    if seen is None:
        return None
    sheet: Sheet = {"face": seen, "counter": seen.counter, "names": names}
    if seen.masked:
        return sheet
    counter, gm = seen.counter, seen.rights.gm
    return {
        **sheet,
        "verbs": list(_verbs(seen)),
        "shields": [
            each.counter
            for each in slots.faces(state, seat)
            if not each.masked and each.counter.role == "protective"
            and each.counter.owner == counter.owner and each.id != key
            and not each.counter.complete and not each.counter.resolved
        ],
        "sizes": sorted({*SIZES, counter.slots}),
        "worths": sorted({*WORTHS, counter.worth}),
        "all_seats": [(each, names.get(each, each)) for each in state.seats],
        "players": [(each, names.get(each, each)) for each in state.seats if each != GM],
        "visibilities": [(each, slots.VISIBILITY_WORDS[each]) for each in VISIBLE],
        "loops": [(loop, json.dumps(loop)) for loop in LOOPS],
        "acts": [
            (act, counter.permissions.get(act, "owner"))
            for act in ACTS if (act == "items") == counter.inventory
        ],
        "permitted": PERMITTED,
        "marks": [(n, counter.thresholds.get(str(n), "")) for n in range(1, counter.slots + 1)],
        "scenes": scenes(state, seat),
        "links": list(_links(state, seat, counter)),
        "link_verbs": LINK_VERBS,
        "others": [e.counter for e in slots.faces(state, seat) if e.id != key] if gm else [],
        "neighbours": _neighbours(state, seat, key),
    }  # fmt: skip


def _verbs(seen: slots.SlotFace) -> Iterable[str]:
    """How points may move a counter, the usual way first."""
    counter, may = seen.counter, seen.rights
    if counter.inventory or counter.resolved:
        return
    if counter.type == "resource":
        if may.spend:
            yield "spend"
    elif counter.role == "despair" and may.fill:
        yield "suffer"
    if may.fill:
        yield "fill"
    if may.clear:
        yield "clear"
    if not (may.fill or may.clear or may.spend):
        yield "spend" if counter.type == "resource" else "fill"


def scenes(state: GameState, seat: str | None) -> list[str]:
    """The scenes that *seat* knows, in the order of their counters."""
    seen = (each.counter.scene for each in slots.faces(state, seat) if not each.masked)
    return list(dict.fromkeys(scene for scene in seen if scene))


def _links(state: GameState, seat: str | None, counter: Counter) -> Iterable[Sheet]:
    linked = slots.links_of(state, seat, counter)
    for link, other in linked:
        left = [_plain(each) for each, _other in linked if each != link]
        yield {"do": link.do, "slots": link.slots, "other": other, "without": json.dumps(left)}


def _plain(link: Any) -> Sheet:
    plain = {"to": link.to, "do": link.do}
    return {**plain, "slots": link.slots} if link.slots is not None else plain


def _neighbours(state: GameState, seat: str | None, key: str) -> Sheet:
    """The orders of its heading with the counter one place further up or down, as commands take."""
    for group in slots.groups(state, seat):
        ids = [each.id for each in group.faces]
        if key in ids and group.kind in ("scene", "mine", "seat"):
            at = ids.index(key)
            return {"up": _moved(ids, at, at - 1), "down": _moved(ids, at, at + 1)}
    return {"up": "", "down": ""}


def _moved(ids: list[str], at: int, to: int) -> str:
    if not 0 <= to < len(ids):
        return ""
    order = list(ids)
    order.insert(to, order.pop(at))
    return json.dumps(order)


def of_new(state: GameState, seat: str, names: Mapping[str, str]) -> Sheet:
    """The six tiles and the rulebook's own counters."""
    return {
        "new": new_id(state),
        "tiles": [
            {
                "type": key,
                "word": slots.TYPE_WORDS[key],
                "text": tile.text,
                "visibility": tile.counter.get("visibility", "open"),
            }
            for key, tile in TILES.items()
        ],
        "templates": [(key, template) for key, template in TEMPLATES.items()],
        "players": [(each, names.get(each, each)) for each in state.seats if each != GM],
        "gm": game_master(state, seat),
        "protagonists": [
            (each, names.get(each, each))
            for each in state.seats
            if each != GM and not _has(state, each, PROTAGONIST)
        ],
    }


def _has(state: GameState, seat: str, roles: Collection[str]) -> bool:
    counters = [counter_in(state, each) for each in state.slot_counters]
    return any(each.owner == seat and (each.role or "") in roles for each in counters)


def of_action(state: GameState, seat: str, names: Mapping[str, str]) -> Sheet:
    """Who acts, and how it can come out."""
    strip = {each.seat: each for each in slots.strip(state, seat)}
    return {
        "who": [
            {
                "seat": each,
                "name": names.get(each, each),
                "place": place,
                "flags": strip[each].flags if each in strip else [],
            }
            for place, each in enumerate(state.seats, start=1)
            if each != GM and (each == seat or game_master(state, seat))
        ],
        "mine": seat,
        "gm": game_master(state, seat),
        "timers": [
            each.counter
            for each in slots.faces(state, seat)
            if not each.masked and each.counter.type == "timer"
            and not (each.counter.complete or each.counter.paused or each.counter.resolved)
        ],
    }  # fmt: skip


def of_aftermath(state: GameState, seat: str, who: str, outcome: str) -> Sheet:
    """What may follow an Action: progress after a success, complications, fallout after a Miss."""
    seen = [each.counter for each in slots.faces(state, seat) if not each.masked]
    open_to = [each for each in seen if not each.resolved and not each.inventory]
    progress = [each for each in open_to if each.type == "progress" and not each.complete]
    fallout = referee.FALLOUT if outcome == "miss" else {}
    return {
        "who": who,
        "outcome": outcome,
        "progress": progress if outcome in ("graze", "hit", "critical") else [],
        "contribution": referee.CONTRIBUTION.get(outcome, ""),
        "halve": outcome == "graze",
        "dice": 2 if outcome == "critical" else 1,
        "gm": game_master(state, seat),
        "lists": [
            (key, [_move(name, move, open_to, who) for name, move in moves.items()])
            for key, moves in (("fallout", fallout), ("complications", referee.COMPLICATIONS))
            if moves
        ],
    }


def _move(name: str, move: referee.Move, counters: list[Counter], who: str) -> Sheet:
    fitting = [each for each in counters if move.fits(each) and _meant(move, each)]
    return {
        "name": name,
        "move": move,
        "counters": sorted(fitting, key=lambda each: each.owner != who),
        "hidden": [each for each in counters if each.visibility != "open"]
        if name == "unveil"
        else [],
    }


def _meant(move: referee.Move, counter: Counter) -> bool:
    """Whether the move is about it: a protagonist's own Despair is no Danger of the scene."""
    return counter.role in move.roles or counter.role is None or counter.type == "resource"


# Sets: counters to keep and use again


LEFT_OUT = frozenset({"id", "filled", "items", "resolved", "links", "owner", "seats"})


def as_set(state: GameState, seat: str | None, title: str) -> Sheet:
    """The counters that *seat* sees in full, as a file: what they are, not how far they have come.

    Links are kept by place in the list, for ids do not outlive a table.
    """
    kept = [
        counter_in(state, each)
        for each in state.slot_counters
        if sight(state, seat, counter_in(state, each)) is Sight.EVERYTHING
    ]
    places = {counter.id: place for place, counter in enumerate(kept)}
    return {
        "schema": SET_SCHEMA,
        "version": SET_VERSION,
        "title": title,
        "counters": [_kept(counter, places) for counter in kept],
    }


def _kept(counter: Counter, places: Mapping[str, int]) -> Sheet:
    facts = to_facts(counter, LEFT_OUT)
    if counter.inventory:
        for name in ("worth", "temporary", "thresholds", "loop"):
            facts.pop(name)
    else:
        facts.pop("on_full")
    kept = {name: value for name, value in facts.items() if value not in (None, {}, [], False)}
    if kept.get("visibility") == "chosen":
        kept["visibility"] = "hidden"
    links = [{**_plain(link), "to": places[link.to]} for link in counter.links if link.to in places]
    return {**kept, "links": links} if links else kept


class BadSet(ValueError):
    """A file that is no set of counters; its text says what is wrong, and where."""


def from_set(state: GameState, text: str) -> Sheet:
    """The one command that makes all counters of a file. Raises BadSet; then nothing happens."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSet(f"not JSON: {error}") from None
    if type(given) is not dict or given.get("schema") != SET_SCHEMA:
        raise BadSet(f"“schema” must be “{SET_SCHEMA}”")
    if given.get("version") != SET_VERSION:
        raise BadSet(f"“version” must be {SET_VERSION}, not {given.get('version')!r}")
    counters = given.get("counters")
    if type(counters) is not list or not 1 <= len(counters) <= MOST_IN_A_SET // 2:
        raise BadSet(f"“counters” must be a list of 1 to {MOST_IN_A_SET // 2}")
    ids: list[str] = []
    while len(ids) < len(counters):
        new = new_id(state)
        if new not in ids:
            ids.append(new)
    steps = [_made(each, number, ids) for number, each in enumerate(counters, start=1)]
    linked = [
        {"do": "edit", "on": new, "links": _linked(each["links"], number, ids)}
        for number, (new, each) in enumerate(zip(ids, counters, strict=True), start=1)
        if each.get("links")
    ]
    return {"do": "together", "steps": steps + linked}


def _made(given: Any, number: int, ids: list[str]) -> Sheet:
    if type(given) is not dict:
        raise BadSet(f"counter {number} must be a map")
    if refused := {"do", "as", "by", "id", "note", "owner", "seats"} & set(given):
        raise BadSet(f"counter {number} may not have “{min(refused)}”")
    made = {name: value for name, value in given.items() if name != "links"}
    return {"do": "create", "as": ids[number - 1], **made}


def _linked(links: Any, number: int, ids: list[str]) -> list[Sheet]:
    if type(links) is not list or not all(type(link) is dict for link in links):
        raise BadSet(f"the links of counter {number} must be a list of maps")
    for link in links:
        to = link.get("to")
        if type(to) is not int or not 0 <= to < len(ids):
            raise BadSet(f"a link of counter {number} leads nowhere")
    return [{**link, "to": ids[link["to"]]} for link in links]
