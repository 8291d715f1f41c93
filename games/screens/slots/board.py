"""The board of a table with slot counters, drawn separately for each seat.

What a seat may not see is left out before drawing: fragments are made of counter views
(`view_models`), which exist only for what the rules show that seat.

Ids: "k-" and a counter's id for the counter; "asked" (proposals), "notices", "moments", "notebook",
"party", "tabs", "groups", "own" (my Despair) and "chips" (what I have) for the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.rules.state import GameState, Prompt
from games.screens.drawing import Drawing, Held
from games.screens.fragments import MORPH, Audience
from games.screens.slots import layout, notebook, view_models, words
from games.screens.slots.sheets import aftermath
from games.screens.slots.view_models import CounterView
from games.screens.slots.words import OUTCOMES, proposal
from games.systems.stars_and_signs.counter import GM, Counter, game_master, protagonists
from games.systems.stars_and_signs.follow_ups import FOLLOW_UP
from games.systems.stars_and_signs.seen import seen_prompts

Events = tuple[Mapping[str, Any], ...]
SCENES = frozenset({"scene-began", "scene-ended"})
"""Events that are announced as moments, where players know of them."""


def board(
    drawing: Drawing, state: GameState, seat: str | None, audience: Audience, swap: str = MORPH
) -> str:
    """The whole board as *seat* sees it."""
    parts, swapped = Held(apart=drawing.remembers), mark_safe(swap)
    with drawing.reading(audience):
        waiting = proposals(drawing, state, seat)
        waiting += drawing.render("board/_notices", notices=[], swap="")
        acts = Held(apart=drawing.remembers)
        cockpit = drawing.around(
            "board/_cockpit",
            acts,
            own=acts.hold(own(drawing, state, seat)),
            bar=acts.hold(bar(drawing, state, seat)),
            seat=seat,
            swap=swapped,
        )
        return drawing.around(
            "board/_board",
            parts,
            party=parts.hold(party(drawing, state, seat, swap)),
            waiting=parts.hold(waiting),
            scene_bar=parts.hold(scene_bar(drawing, state, seat, swap)),
            moments=parts.hold(moments(drawing, state, seat)),
            groups=parts.hold(groups(drawing, state, seat)),
            cockpit=parts.hold(cockpit),
            notebook=parts.hold(notes_beside(drawing, state, seat, swap)),
            swap=swapped,
        )


def whole(drawing: Drawing, state: GameState, seat: str | None, events: Events = ()) -> str:
    """All fragments of the table, inside the board's frame."""
    return (
        proposals(drawing, state, seat, MORPH)
        + moments(drawing, state, seat, events, MORPH)
        + party(drawing, state, seat, MORPH)
        + scene_bar(drawing, state, seat, MORPH)
        + groups(drawing, state, seat, MORPH)
        + own(drawing, state, seat, MORPH)
        + bar(drawing, state, seat, MORPH)
        + notes_beside(drawing, state, seat, MORPH)
    )


def proposals(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """The proposals and follow-ups that wait for *seat*, and the proposals it made."""
    waiting = [_asked(drawing, state, seat, prompt) for prompt in waiting_for(state, seat)]
    return drawing.render("board/_asked", proposals=waiting, swap=mark_safe(swap))


def _asked(
    drawing: Drawing, state: GameState, seat: str | None, prompt: Prompt
) -> Mapping[str, Any]:
    by = prompt.facts["by"]
    asked = {"prompt": prompt, "who": drawing.name(by), "place": place_of(state, by)}
    if prompt.kind == FOLLOW_UP:
        outcome = prompt.facts["outcome"]
        facts = {"seat": drawing.name(by), "outcome": _(OUTCOMES[outcome])}
        said = _("%(seat)s acts: %(outcome)s") % facts
        return {**asked, "acted": said, "then": aftermath(outcome, by, prompt.id)}
    mine = by == seat
    return {**asked, "mine": mine, **proposal(drawing.system, state, seat, prompt)}


def moments(
    drawing: Drawing,
    state: GameState,
    seat: str | None,
    events: Events = (),
    swap: str = "",
    shown: Mapping[str, int] | None = None,
) -> str:
    """The completed counters, those *shown* just now, the scenes that began or ended, and what
    was told: each screen announces each once.
    """
    found = [
        {
            "moment": each,
            "owner": (owner := _owner(drawing, each.counter_view.counter.owner, seat)),
            "small": bool(owner) and not each.counter_view.rights.gm,
        }
        for each in view_models.moments(state, seat, events, shown)
    ]
    began = [each for each in events if each["kind"] in SCENES and not each.get("secret")]
    gm = game_master(state, seat)
    return drawing.render(
        "board/_moments",
        moments=found,
        scenes=began,
        kept=list(view_models.kept_hidden(state, events)) if gm else [],
        everyone=", ".join([*map(drawing.name, protagonists(state)), _("TV")]),
        told=told(drawing, state, seat),
        gm=gm,
        swap=mark_safe(swap),
    )


def told(drawing: Drawing, state: GameState, seat: str | None) -> list[dict[str, Any]]:
    return notebook.moments(state, seat, _names(drawing, state)) if state.notes else []


def _names(drawing: Drawing, state: GameState) -> dict[str, str]:
    return {each: drawing.name(each) for each in state.seats}


def notes_beside(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """The notes beside the board, for those who have a seat."""
    if seat is None:
        return ""
    context = notebook.of_seat(state, seat, _names(drawing, state))
    return drawing.render("board/_notebook", **context, swap=mark_safe(swap))


def _owner(drawing: Drawing, owner: str | None, seat: str | None) -> str:
    """The name of a counter's owner, for other seats."""
    return drawing.name(owner) if owner and owner not in (seat, GM) else ""


def party(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """The protagonists' own counters at a glance."""
    members = [
        {
            "seat": each.seat,
            "name": drawing.name(each.seat),
            "place": place_of(state, each.seat),
            "mine": each.seat == seat,
            "flags": each.flags,
            "despair": each.despair,
            "others": [pair for pair in each.counters if pair[0] != "despair"],
        }
        for each in strip(drawing, state, seat)
        if each.counters
    ]
    return drawing.render("board/_party", party=members, swap=mark_safe(swap))


def strip(drawing: Drawing, state: GameState, seat: str | None) -> list[layout.Protagonist]:
    """The party as *seat* sees it; an update asks for that of the state before, too."""
    key, known = ("strip", seat, drawing.language), drawing.cache.of(state)
    if key not in known:
        known[key] = layout.strip(state, seat)
    found: list[layout.Protagonist] = known[key]
    return found


def groups(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """All counters, under their headings."""
    parts = Held(apart=drawing.remembers)
    drawn = [
        {
            "kind": group.kind,
            "name": group.name,
            "title": _title(drawing, group),
            "state": group.state,
            "place": place_of(state, group.name) if group.kind == "seat" else 0,
            "counters": parts.hold(
                "".join(counter(drawing, state, each) for each in group.counter_views)
            ),
            "count": len(group.counter_views),
        }
        for group in _groups(drawing, state, seat)
    ]
    context = {"groups": drawn, "gm": game_master(state, seat), "seat": seat}
    context["chips"] = parts.hold(chips(drawing, state, seat))
    return drawing.around("board/_groups", parts, **context, swap=mark_safe(swap))


def _groups(drawing: Drawing, state: GameState, seat: str | None) -> list[layout.Group]:
    """The counters that *seat* sees, by heading; several parts of a board show them."""
    key, known = ("groups", seat, drawing.language), drawing.cache.of(state)
    if key not in known:
        known[key] = layout.groups(state, seat)
    found: list[layout.Group] = known[key]
    return found


def scene_bar(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """The GM's tabs, and the line to type a counter in; empty for everyone else."""
    parts = Held(apart=drawing.remembers)
    held = parts.hold(tabs(drawing, state, seat))
    return drawing.around("board/_scene_bar", parts, tabs=held, swap=mark_safe(swap))


def tabs(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """The GM's tabs: one for each scene, one for the protagonists, one for all that is over."""
    if not game_master(state, seat):
        return ""
    found: dict[str, dict[str, Any]] = {}
    for group in _groups(drawing, state, seat):
        key, title = group.key, _title(drawing, group)
        if group.kind == "seat":
            key, title = "party", _("Party")
        elif group.kind == "done" or group.state == "over":
            key, title = "done", _("Done")
        tab = found.setdefault(key, {"key": key, "title": title, "count": 0})
        tab["state"] = group.state
        tab["count"] += len(group.counter_views)
    return drawing.render("board/_tabs", tabs=found.values(), swap=mark_safe(swap))


def own(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """The player's Despair, large, with its slots; empty for the GM."""
    if seat is None:
        return ""
    seen, shield = despair(drawing, state, seat)
    context = {"counter_view": seen, "place": place_of(state, seat), "shield": shield}
    return drawing.render("board/_own", **context, swap=mark_safe(swap))


def despair(
    drawing: Drawing, state: GameState, seat: str
) -> tuple[CounterView | None, Counter | None]:
    """The player's own, and what may take slots instead of it."""
    found = layout.hero(state, seat)
    shield = next(view_models.shields(state, seat, found), None) if found else None
    return view(drawing, state, seat, found) if found else None, shield


def chips(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """The player's counters that are not empty, each a number and a name."""
    if seat is None or game_master(state, seat):
        return ""
    return drawing.render(
        "board/_chips", chips=on_chips(drawing, state, seat), swap=mark_safe(swap)
    )


def on_chips(drawing: Drawing, state: GameState, seat: str) -> list[CounterView]:
    """The counters that have a chip."""
    mine = [view(drawing, state, seat, each) for each in layout.beside_hero(state, seat)]
    return [each for each in mine if each and (words.amount(each.counter) or each.counter.items)]


def view(
    drawing: Drawing, state: GameState, seat: str | None, counter: Counter
) -> CounterView | None:
    """*counter* as *seat* sees it; None if it cannot see it. Kept while nothing that decides it has
    changed; of a linked counter, and of Hope, other counters do."""
    key, known = ("view", counter.id, seat, drawing.language), drawing.cache.lasting
    on = counter, state.seats, state.scenes, state.settings
    if key in known and all(map(is_, known[key][0], on)):
        kept: CounterView | None = known[key][1]
        return kept
    found = view_models.counter_view(state, seat, counter)
    if not counter.links and counter.role != "hope":
        known[key] = on, found
    return found


def bar(drawing: Drawing, state: GameState, seat: str | None, swap: str = "") -> str:
    """What can be started at any time: an Action, and for the GM with its outcome."""
    gm = game_master(state, seat)
    able = [
        {"seat": each, "name": drawing.name(each), "place": place_of(state, each)}
        for each in (protagonists(state) if gm else ())
    ]
    place = place_of(state, seat) if seat else 0
    context = {"seat": seat, "gm": gm, "who": able, "place": place}
    return drawing.render("board/_bar", **context, swap=mark_safe(swap))


def counter(drawing: Drawing, state: GameState, seen: CounterView, swap: str = "") -> str:
    """One counter, redrawn only if it or the rights to it changed."""
    shown = (seen.rights, seen.masked, seen.hopeless, seen.seers, seen.prepared)
    key, known = ("counter", seen.id, *shown, drawing.language), drawing.cache.lasting
    if key not in known or known[key][0] != seen.counter:
        known[key] = seen.counter, _counter(drawing, state, seen)
    drawn: str = known[key][1]
    return drawn.replace('">', f'"{swap}>', 1) if swap else drawn


def _counter(drawing: Drawing, state: GameState, seen: CounterView) -> str:
    owner = seen.counter.owner
    return drawing.render(
        "board/_slot_counter",
        counter_view=seen,
        counter=seen.counter,
        owner=drawing.name(owner) if owner else "",
        owner_place=place_of(state, owner) if owner else 0,
        seers=[
            {"name": drawing.name(each), "place": place_of(state, each), "how": how}
            for each, how in seen.seers
        ],
    )


def _title(drawing: Drawing, group: layout.Group) -> str:
    if group.kind == "seat":
        return drawing.name(group.name)
    titles = {"mine": _("Mine"), "known": _("Something stirs"), "done": _("Resolved")}
    return titles.get(group.kind) or group.name or _("The table")


def place_of(state: GameState, seat: str) -> int:
    return list(state.seats).index(seat) + 1 if seat in state.seats else 0


def waiting_for(state: GameState, seat: str | None) -> list[Any]:
    """The waiting prompts that *seat* sees: the GM all, others their own."""
    if seat is None:
        return []
    seen = seen_prompts(state, seat)
    return [each for each in seen if game_master(state, seat) or each.facts["by"] == seat]
