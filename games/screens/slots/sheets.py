"""Contents of the sheets of a slot counter: plain values for their templates."""

from __future__ import annotations

import json
import secrets
from collections import Counter as Counted
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec.structs import replace

from games.rules.state import GameState
from games.screens.sheets import Table
from games.screens.slots import layout, view_models
from games.screens.slots.names import name_of, translated
from games.screens.slots.view_models import verbs_of
from games.screens.words import Words
from games.systems.slot_counters import SIZES
from games.tracks.counter import (
    GM,
    LOOPS,
    PERMITTED,
    Counter,
    counter_in,
    game_master,
    protagonists,
    runs,
    scene_state,
)
from games.tracks.views import seen_links, seen_scenes

Sheet = dict[str, Any]
ASKED = ("owner", "everyone")
"""Seats that may act on the table's counters of a type; their owner is the GM."""
LINK_VERBS = ("fill", "clear", "reveal", "start", "advance")
WORTHS = (1, 5)
VISIBLE = ("hidden", "known", "open")
"""The visibilities that one tap sets; "chosen" also needs a list of seats."""
THROWS = (("1/2", "½d10"), ("1", "d10"), ("2", "2d10"), ("3", "3d10"))
"""The GM's rolls that are one tap away."""
LOOP_WORDS = {
    "same": gettext_noop("the same size"),
    "+1": gettext_noop("one slot more"),
    "-1": gettext_noop("one slot fewer"),
}


def new_id(state: GameState) -> str:
    """An id for a new counter that reveals nothing, not even how many others there are."""
    return new_ids(state, 1)[0]


def new_ids(state: GameState, count: int) -> list[str]:
    """So many of them."""
    made: list[str] = []
    while len(made) < count:
        new = f"c-{secrets.token_hex(3)}"
        if new not in state.slot_counters and new not in made:
            made.append(new)
    return made


def of_counter(table: Table, key: str) -> Sheet | None:
    """Everything that the seat can do with a counter; None if it cannot see it."""
    (system, state, names, seat), its = table, table.its
    if key not in state.slot_counters:
        return None
    seen = view_models.counter_view(its, state, seat, counter_in(state, key))
    if seen is None:
        return None
    sheet: Sheet = {"counter_view": seen, "counter": seen.counter, "names": names}
    if seen.masked:
        return sheet
    counter, gm = seen.counter, seen.rights.gm
    races = getattr(system.verbs["edit"].command, "races", False)
    return {
        **sheet,
        "verbs": list(_verbs(its, seen)) if its.slots.dice else [],
        "turns": its.slots.turns is not None,
        "conditions": _conditions(its, counter) if acts_in_turn(counter) else None,
        "items": list(_items(table, seen)),
        "back": _back(its, counter),
        "room": counter.most - counter.slots - counter.temporary,
        "shields": list(view_models.shields(its, state, seat, counter)),
        "sizes": sorted({*(its.slots.types[counter.type].tile.sizes or SIZES), counter.slots}),
        "worths": sorted({*WORTHS, counter.worth}) if its.slots.dice else [],
        "all_seats": table.named(state.seats),
        "players": table.named(protagonists(state)),
        "eyes": list(_eyes(table, counter)),
        "visibilities": [
            (each, view_models.SEEN_BY[each]) for each in VISIBLE
        ],
        "throws": THROWS,
        "loops": [(loop, _(LOOP_WORDS[loop])) for loop in LOOPS],
        "acts": [
            (act, word, counter.permissions.get(act, ""))
            for act, word in acts_of(its, counter.type).items()
        ],
        "permitted": PERMITTED,
        "marks": [(n, counter.thresholds.get(str(n), "")) for n in _marked(counter)],
        "unread": _unread(counter),
        "scenes": scenes(table),
        "links": list(_links(table, counter)),
        "link_verbs": (*LINK_VERBS, "race") if races else LINK_VERBS,
        "others": _others(table, key) if gm else [],
        "neighbours": _neighbours(table, key),
    }  # fmt: skip


def _back(its: Words, counter: Counter) -> Sheet | None:
    """The way back to what its owner began with, if that is neither nothing nor all."""
    template = its.slots.templates.get(counter.role or "")
    began = template.counter.get("filled", 0) if template else 0
    if not began or counter.filled == began or began > counter.slots:
        return None
    by = began - counter.filled
    to = replace(counter, filled=began).figure
    return {"do": "fill" if by > 0 else "clear", "slots": abs(by), "to": to}


def acts_of(its: Words, kind: str) -> dict[str, str]:
    """The acts with permissions of their own that counters of a type have, by their words."""
    counts, (less, more, *_log) = its.slots.types[kind].counts, verbs_of(its, kind)
    if counts == "items":
        return {"items": _("Put and take")}
    if counts != "down":
        return {"fill": its.said(more), "clear": its.said(less)}
    spend = _("Spend")
    drain = its.said(less) if its.said(less) != spend else _("Drain")
    return {"fill": drain, "clear": its.said(more), "spend": spend}


def allowed(its: Words, state: GameState) -> list[Sheet]:
    """By type: who may do what with the table's counters without asking."""
    settled = state.settings.get("permissions", {})
    return [
        {
            "type": kind,
            "word": its.said(each.word),
            "acts": [
                (act, word, settled.get(kind, {}).get(act, "owner"))
                for act, word in acts_of(its, kind).items()
            ],
        }
        for kind, each in its.slots.types.items()
    ]


def hits(its: Words, state: GameState) -> Sheet | None:
    """The switch of players' hits on creatures that they know in words: whether they need the
    GM's nod, and what each answer settles; None in a game without creatures."""
    if not (foe := its.slots.foe):
        return None
    now = state.settings.get("permissions", {}).get(foe, {})
    nods = {act: who for act, who in now.items() if act != "fill"}
    at_once = {**nods, "fill": "everyone"}
    ways = (_("The GM nods first"), nods), (_("At once"), at_once)
    return {"type": foe, "ways": [(word, json.dumps(acts), acts == now) for word, acts in ways]}


MOST_MARKED = 12
"""Labels are for the first so many slots."""


def _marked(counter: Counter) -> range:
    """The numbers of slots that can have a label."""
    return range(1, min(counter.slots, MOST_MARKED) + 1)


def acts_in_turn(counter: Counter) -> bool:
    """True if it may stand for a creature, with a place in the turn order and conditions."""
    return hasattr(counter, "conditions") and not counter.inventory


def _conditions(its: Words, counter: Counter) -> list[Sheet]:
    """The conditions that the game has and the counter has not."""
    there = {each.name for each in getattr(counter, "conditions", ())}
    return [
        {"name": name, "word": its.said(name), "rounds": rounds, "good": good}
        for name, rounds, good in its.slots.conditions
        if name not in there
    ]


def _unread(counter: Counter) -> Sheet:
    """Its texts that players read only when they happen, as the GM's forms show them.

    What is not written yet is ticked: a GM writes the ending there before it is due (R32).
    """
    every = _marked(counter)
    return {
        "completes": "completes" in counter.later or not counter.completes,
        "meaning": "1" if "completes" in counter.later else "",
        "labels": [each for each in counter.later if each != "completes"],
        "marks": [(n, str(n) in counter.later or str(n) not in counter.thresholds) for n in every],
    }


def _seen(table: Table) -> list[view_models.CounterView]:
    """The counters that the seat sees."""
    return view_models.counter_views(table.its, table.state, table.seat)


def _others(table: Table, key: str) -> list[Counter]:
    """The other counters that the seat sees: those in play, and those of the same scene.

    The nearest come first, which a form offers first: of the same owner, then of the same scene.
    """
    this = counter_in(table.state, key)
    others = (
        each.counter
        for each in _seen(table)
        if each.id != key and (runs(table.state, each.counter) or each.counter.scene == this.scene)
    )
    return sorted(others, key=lambda other: (other.owner != this.owner, other.scene != this.scene))


def _verbs(its: Words, seen: view_models.CounterView) -> Iterable[str]:
    """The verbs that points can be used for, the usual one first."""
    counter, may = seen.counter, seen.rights
    if counter.inventory or counter.resolved:
        return
    if counter.resource:
        if may.spend:
            yield "spend"
    elif (gain := its.slots.gains.get(counter.role or "")) and may.fill:
        yield gain
    if may.fill:
        yield "fill"
    if may.clear:
        yield "clear"
    if not (may.fill or may.clear or may.spend):
        yield "spend" if counter.resource else "fill"


def _eyes(table: Table, counter: Counter) -> Iterable[Sheet]:
    """The players, each with the visibility and seats that a tap on the name would set."""
    shown = [each for each in counter.seats if counter.visibility == "chosen"]
    for each in protagonists(table.state):
        left = [seat for seat in shown if seat != each]
        then = left if each in shown else [*shown, each]
        yield {
            "name": table.name(each),
            "place": list(table.state.seats).index(each) + 1,
            "sees": each in shown,
            "seats": json.dumps(then),
            "visibility": "chosen" if then else "hidden",
        }


def _items(table: Table, seen: view_models.CounterView) -> Iterable[Sheet]:
    """The items of an inventory, each with its lines and the inventories it can go to.

    Those of the seat alone if it has to ask the GM for it.
    """
    counter = seen.counter
    into = list(_takers(table, counter))
    if not seen.rights.items:
        into = [each for each in into if each["of"] == table.seat]
    for item in counter.items:
        asked = {"do": "give", "on": counter.id, "item": item.name}
        yield {
            "item": item,
            "text": counter.item_texts.get(item.name, ""),
            "secret": counter.item_secrets.get(item.name, ""),
            "takers": [
                {**each, "asks": json.dumps({**asked, "to": each["id"]})}
                for each in into
                if seen.rights.items or each["left"] >= item.size
            ],
        }


def _takers(table: Table, counter: Counter) -> Iterable[Sheet]:
    """The other inventories in play that the seat sees: the like of *counter* first, by seat.

    What is released when its counter is full, as Memories are, is no thing to hand about.

    place, owner: of the owner's seat; 0 and "" for the table's. Those like it go by their owner.
    """
    (_system, state, _names, seat), its = table, table.its
    there = [
        each.counter
        for each in _seen(table)
        if not each.masked and each.counter.inventory and each.id != counter.id
    ]
    there = [each for each in there if not each.resolved and runs(state, each)]
    there = [each for each in there if each.on_full == counter.on_full]
    seats = list(state.seats)
    owned = Counted(each.owner for each in there)

    def placed(at: Counter) -> int:
        return seats.index(at.owner) + 1 if at.owner not in (None, GM) else 0

    def order(at: Counter) -> tuple[bool, int]:
        return name_of(its, at) != name_of(its, counter), placed(at) or len(seats) + 1

    for each in sorted(there, key=order):
        place = placed(each)
        owner = table.name(seats[place - 1]) if place else ""
        name = translated(its, name_of(its, each))
        if place and (name_of(its, each) == name_of(its, counter) or owned[each.owner] == 1):
            name = owner
        elif place and each.owner != seat:
            name = f"{owner} · {name}"
        yield {
            "id": each.id,
            "of": each.owner,
            "name": name,
            "owner": owner,
            "place": place,
            "left": each.unfilled,
        }


def scenes(table: Table) -> list[str]:
    """The scenes that the seat may know of: those of its counters first, in their order."""
    seen = (each.counter.scene for each in _seen(table) if not each.masked)
    every = [*(scene for scene in seen if scene), *seen_scenes(table.state, table.seat)]
    return list(dict.fromkeys(every))


def _links(table: Table, counter: Counter) -> Iterable[Sheet]:
    """The links of *counter* that the seat may know, each with its counter and all other links."""
    links = seen_links(table.state, table.seat, counter)
    for link in links:
        other = counter_in(table.state, link.to)
        left = [plain(each) for each in links if each != link]
        yield {"do": link.do, "slots": link.slots, "other": other, "without": json.dumps(left)}


def plain(link: Any) -> Sheet:
    """A link in the form that commands take."""
    plain = {"to": link.to, "do": link.do}
    return {**plain, "slots": link.slots} if link.slots is not None else plain


def _neighbours(table: Table, key: str) -> Sheet:
    """The new order of the counters under its heading if this one moved up or down, as JSON."""
    for group in layout.groups(table.its, table.state, table.seat):
        ids = [each.id for each in group.counter_views]
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


def of_new(table: Table) -> Sheet:
    """A tile for each type and the game's own counters."""
    its, state, players = table.its, table.state, protagonists(table.state)
    without = [each for each in players if its.slots.kit and not has_kit(its, state, each)]
    return {
        "new": new_id(state),
        "tiles": tiles(its),
        "templates": [(key, template) for key, template in its.slots.templates.items()],
        "players": table.named(players),
        "gm": game_master(state, table.seat),
        "protagonists": table.named(without),
    }


def tiles(its: Words) -> list[Sheet]:
    """A tile for each type."""
    return [
        {
            "type": key,
            "word": its.said(each.word),
            "text": each.tile.text,
            "visibility": each.tile.counter.get("visibility", "open"),
            "colour": each.colour,
        }
        for key, each in its.slots.types.items()
    ]


def has_kit(its: Words, state: GameState, seat: str) -> bool:
    """True if *seat* has a counter of those that every player has."""
    counters = [counter_in(state, each) for each in state.slot_counters]
    return any(each.owner == seat and (each.role or "") in its.slots.kit for each in counters)


def of_scene(table: Table, name: str) -> Sheet:
    """The counters under one heading of the GM's board, and commands for all of them."""
    found = [
        each.counter
        for group in layout.groups(table.its, table.state, table.seat)
        if group.kind == "scene" and group.name == name
        for each in group.counter_views
    ]
    concealed = [each for each in found if each.visibility != "open"]
    shown = [each for each in found if each.visibility != "hidden"]
    return {
        "counters": found,
        "concealed": concealed,
        "shown": shown,
        "reveal": _all(concealed, {"do": "edit", "visibility": "open"}),
        "hide": _all(shown, {"do": "edit", "visibility": "hidden"}),
        "resolve": _all(found, {"do": "resolve"}),
        "written": table.its.slots.written,
        "scene": name,
        "state": scene_state(table.state, name or None),
        "preview": list(_would_see(table, name)),
    }


def _would_see(table: Table, name: str) -> Iterable[Sheet]:
    """The counters that each player, and a watcher, would see of a scene if it ran."""
    state = table.state
    begun = replace(state, scenes={**state.scenes, name: "running"})
    for each in (*state.seats, None):
        if not game_master(state, each):
            yield {
                "name": table.name(each) if each else _("A watcher"),
                "seen": [
                    {"name": view.counter.name, "masked": view.masked}
                    for view in _seen(table._replace(state=begun, seat=each))
                    if counter_in(state, view.id).scene == name
                ],
            }


def _all(counters: Iterable[Counter], command: Sheet) -> str:
    """The steps that give *command* to each of *counters*, as JSON."""
    return json.dumps([{**command, "on": each.id} for each in counters])
