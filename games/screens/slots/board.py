"""The board of a table with slot counters, drawn separately for each seat.

What a seat may not see is left out before drawing: fragments are made of counter views
(`view_models`), which exist only for what the rules show that seat.

Ids: "k-" and a counter's id for the counter; "asked" (proposals), "notices", "moments", "notebook",
"party", "tabs", "groups", "own" (my large number) and "chips" (what I have) for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from operator import is_
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.rules.chapters import chapters
from games.rules.state import GameState, Prompt
from games.screens.cards.prompts import question
from games.screens.drawing import Drawing, kept
from games.screens.fragments import OOB, Audience
from games.screens.parts import Part, nothing, once
from games.screens.slots import fragments, layout, notebook, view_models, words
from games.screens.slots.actions import aftermath, ticks, without
from games.screens.slots.names import name_of, outcome_word, translated, turn_shown
from games.screens.slots.view_models import CounterView
from games.screens.slots.words import proposal
from games.screens.templates import find
from games.screens.words import Words
from games.systems.slot_counters import Counted, SlotBoard
from games.systems.typed_line import HIT_POINTS
from games.tracks.counter import GM, Counter, counter_in, game_master, protagonists
from games.tracks.follow_ups import FOLLOW_UP, WHISPER
from games.tracks.notes import is_handout
from games.tracks.sets.fight import TurnPassed
from games.tracks.views import seen_prompts, shown_prompt

Events = tuple[Mapping[str, Any], ...]
MOST_CARDS = 8
"""With more counters than so many, each is a row."""
SCENES = frozenset({"scene-began", "scene-ended"})
"""Events that are announced as moments, where players know of them."""


def board(
    drawing: Drawing, state: GameState, seat: str | None, audience: Audience
) -> Sequence[str]:
    """The elements of the whole board as *seat* sees it."""
    with drawing.reading(audience):
        drawn = {draw.__name__: mark_safe(draw(drawing, state, seat).draw()) for draw in OF_BOARD}
        waiting = mark_safe(drawn["asked"] + notices(drawing).draw())
        return (
            drawn["party"],
            drawn["scene_bar"],
            drawing.render("board/_beside", waiting=waiting, notes=drawn["notes_beside"]),
            '<ol id="shown" class="shown" hx-morph-skip></ol>',
            drawing.render("board/_board", **drawn),
            drawing.render("board/_cockpit", seat=seat, **drawn),
        )


def asked(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The proposals and follow-ups that wait for *seat*, and the proposals it made."""
    waiting = [_asked(drawing, state, seat, prompt) for prompt in waiting_for(state, seat)]
    several = len(waiting) if game_master(state, seat) and len(waiting) > 1 else 0
    return _compared("asked", drawing.render("board/_asked", proposals=waiting, several=several))


def _compared(id: str, drawn: str) -> Part:
    """An element that is compared as it is drawn: not all that it is made of is shown."""
    return Part(id, drawn, drawn.__str__)


def notices(drawing: Drawing, new: Sequence[Mapping[str, Any]] = ()) -> Part:
    """Notices that a seat reads once and dismisses."""
    return drawing.part("notices", "board/_notices", notices=new)


def _asked(
    drawing: Drawing, state: GameState, seat: str | None, prompt: Prompt
) -> Mapping[str, Any]:
    if "rule" in prompt.facts:
        shown = shown_prompt(state, seat, prompt)
        explained, mine = "rule" in shown, prompt.to == seat
        source = shown.get("source") or ""
        about = named(drawing, state, source, seat), *_numbers_on(drawing, state, seat, source)
        drawn = question(drawing, state, prompt, ", ".join(about), mine=mine, explained=explained)
        return {"question": mark_safe(drawn)}
    by = prompt.facts["by"]
    asked = {"prompt": prompt, "who": drawing.name(by), "place": place_of(state, by)}
    if (at := prompt.facts.get("at")) is not None:
        asked["at"] = datetime.fromtimestamp(at, UTC)
    if prompt.kind == FOLLOW_UP:
        outcome = prompt.facts["outcome"]
        facts = {"seat": drawing.name(by), "outcome": outcome_word(drawing.its, outcome)}
        said = _("%(seat)s acts: %(outcome)s") % facts
        done = without(prompt.facts.get("done", ()))
        return {**asked, "acted": said, "then": aftermath(outcome, by, prompt.id, done)}
    if prompt.kind == WHISPER:
        note = state.notes.get(prompt.facts["note"])
        return {**asked, "whispers": note, "text": note.text if note else ""}
    mine = by == seat
    return {**asked, "mine": mine, **proposal(drawing.system, state, seat, prompt)}


def _numbers_on(drawing: Drawing, state: GameState, seat: str | None, track: str) -> list[str]:
    """The numbers that a track has besides, as far as *seat* sees them."""
    if track not in state.slot_counters or not drawing.presentation.board.counts:
        return []
    counted = [each for each in _counted(drawing, state, seat) if each.holder == track]
    return [said for each in counted for said in _said(drawing, each)]


def _said(drawing: Drawing, counted: Counted) -> list[str]:
    """The numbers of a holder that are not 0, in words."""
    numbers = [each for each in counted.numbers if each.amount]
    return [f"{drawing.its.kind(each.kind)} {each.amount}" for each in numbers]


def moments(
    drawing: Drawing,
    state: GameState,
    seat: str | None,
    events: Events = (),
    shown: Mapping[str, int] | None = None,
    hidden: Sequence[str] = (),
    gone: Sequence[int] = (),
) -> Part:
    """The completed counters, those *shown* just now, the scenes that began or ended, and what
    was told: each screen announces each once. hidden: those that the seat sees no more. gone: the
    entries that were undone, of which nothing is told any longer.
    """
    gm, notes = game_master(state, seat), note_moments(drawing, state, seat)
    found = view_models.moments(drawing.its, state, seat, events, shown)
    context = {
        "scenes": [each for each in events if each["kind"] in SCENES and not each.get("secret")],
        "told": [*_told(drawing, state, seat, events)],
        "kept": list(view_models.kept_hidden(drawing.its, state, events)) if gm else [],
        "note_moments": [note for note in notes if not is_handout(note)],
        "shown": [note for note in reversed(notes) if is_handout(note)],
        "gm": gm,
        "gone": gone,
    }
    facts = [(each.key, each.counter_view.counter.name) for each in found], [*hidden], context
    return Part("moments", facts, partial(_moments, drawing, state, seat, found, context))


def _moments(
    drawing: Drawing,
    state: GameState,
    seat: str | None,
    found: Sequence[view_models.Moment],
    context: Mapping[str, Any],
) -> str:
    moments, by_rules = list[Mapping[str, Any]](), [*context["told"]]
    for each in found:
        seen, told = each.counter_view, _told_of(by_rules, each)
        owner = _owner(drawing, seen.counter.owner, seat)
        again = seen.ended and seen.ended.casefold() in seen.meaning.casefold()
        meaning = "" if again else seen.meaning
        moments.append(
            {
                "moment": each,
                "owner": owner,
                "small": bool(owner) and not seen.rights.gm,
                "says": told["text"] if told else meaning,
                "rule": told["rule"] if told else "",
            }
        )
    context = {
        **context,
        "told": by_rules,
        "moments": moments,
        "everyone": ", ".join([*map(drawing.name, protagonists(state)), _("TV")]),
        "written": drawing.its.slots.written,
    }
    # Most seats are told the same.
    key, known = ("moments", drawing.language, repr(context)), drawing.cache.of(state)
    if key not in known:
        known[key] = drawing.render("board/_moments", **context)
    shown: str = known[key]
    return shown


def _told(
    drawing: Drawing, state: GameState, seat: str | None, events: Events
) -> Iterator[Mapping[str, Any]]:
    """What rules tell, each with its subject, and whether it tells of a loss."""
    lost = set[str]()
    for event in events:
        on = event.get("on", "")
        if event["kind"] == "completed" and counter_in(state, on).loss:
            lost.add(on)
        elif event["kind"] == "told":
            about = {"about": named(drawing, state, on, seat), "is_bad": on in lost}
            yield {"entry": 0, "rule": "", **event, **about}


def _told_of(told: list[Mapping[str, Any]], moment: view_models.Moment) -> Mapping[str, Any] | None:
    """What a rule tells of a counter that just became complete: taken from *told*, as the moment
    of that tells it."""
    on = moment.counter_view.id
    found = moment.key == on and next((each for each in told if each.get("on") == on), None)
    if not found:
        return None
    told.remove(found)
    return found


def named(drawing: Drawing, state: GameState, holder: str, seat: str | None) -> str:
    """The name of a holder of numbers, with whose it is if not *seat*'s; "" of the table."""
    if holder in state.seats:
        return drawing.name(holder)
    if holder in state.slot_counters:
        name = translated(drawing.its, name_of(drawing.its, counter_in(state, holder)))
    elif holder in state.objects:
        name = drawing.object_name(state, holder)
    else:
        return ""
    owner = _owner(drawing, _keeper(state, holder), seat)
    return _("%(owner)s’s %(counter)s") % {"owner": owner, "counter": name} if owner else name


def _keeper(state: GameState, holder: str) -> str | None:
    """The seat that a track or thing belongs to; None without one."""
    if thing := state.objects.get(holder):
        return thing.controller
    track = state.slot_counters.get(holder)
    return track.owner if isinstance(track, Counter) else None


def counted(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """What is counted besides slot counters, and the buttons of rules on others."""
    if not drawing.presentation.board.counts:
        return nothing("counted")
    rows = tuple(
        (
            named(drawing, state, each.holder, seat) or _("The table"),
            place_of(state, each.holder),
            each.numbers,
            () if _at_hand(state, seat, each) else each.acts,
        )
        for each in _counted(drawing, state, seat)
    )
    shown = [row for row in rows if row[2] or row[3]]
    return Part("counted", tuple(shown), partial(drawing.render, "board/_counted", rows=shown))


def buttons(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The buttons of rules at hand: on the seat itself, what it owns, and the table. of: what each
    is on, where others say the same or it is another seat's; and the numbers of a thing."""
    if seat is None or not drawing.presentation.board.counts:
        return nothing("rules")
    found = [each for each in _counted(drawing, state, seat) if _at_hand(state, seat, each)]
    mine = {key for key, thing in state.objects.items() if thing.controller == seat}
    found.sort(key=lambda each: each.holder not in mine)  # one's death saves before all else
    labels = [act.label for each in found for act in each.acts]
    acts = [
        {"act": act, "of": " · ".join([*filter(None, [name]), *numbers])}
        for each in found
        for numbers in [_said(drawing, each) if each.holder in state.objects else []]
        for act in each.acts
        for foreign in [_keeper(state, each.holder) not in (None, seat)]
        for unclear in [foreign or (each.holder != seat and labels.count(act.label) > 1)]
        for name in [named(drawing, state, each.holder, seat) if unclear else ""]
    ]
    return drawing.part("rules", "board/_buttons", acts=acts)


@kept("counted")
def _counted(drawing: Drawing, state: GameState, seat: str | None) -> Sequence[Counted]:
    board = drawing.presentation.board
    assert isinstance(board, SlotBoard)
    return [*board.counted(drawing.system, state, seat)]


def _at_hand(state: GameState, seat: str | None, counted: Counted) -> bool:
    """True for a seat's own, and the table's."""
    track = state.slot_counters.get(counted.holder)
    if isinstance(track, Counter):
        return track.owner == seat
    return counted.holder not in state.seats or counted.holder == seat


def chapter(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The session that goes on, and the way to what was before it; empty in the first."""
    over = chapters(state)
    session, ended = (len(over) + 1, over[-1]["at"]) if over else (0, None)
    return drawing.part("chapter", "board/_chapter", session=session, ended=ended or 0)


def note_moments(drawing: Drawing, state: GameState, seat: str | None) -> list[dict[str, Any]]:
    """The notes and handouts that *seat* is shown as they come."""
    return notebook.moments(state, seat, _names(drawing, state)) if state.notes else []


def _names(drawing: Drawing, state: GameState) -> dict[str, str]:
    return {each: drawing.name(each) for each in state.seats}


def notes_beside(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The notes beside the board, for those who have a seat."""
    if seat is None:
        return nothing("notebook")
    context = notebook.of_seat(state, seat, _names(drawing, state))
    return _compared("notebook", drawing.render("board/_notebook", **context))


def _owner(drawing: Drawing, owner: str | None, seat: str | None) -> str:
    """The name of a counter's owner, for other seats."""
    return drawing.name(owner) if owner and owner not in (seat, GM) else ""


def party(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The protagonists' own counters at a glance."""
    members = [each for each in layout.strip(drawing.its, state, seat) if each.hero or each.others]
    cells = {part.id: part for part in (_cell(drawing, state, seat, each) for each in members)}

    def drawn() -> str:
        held = "".join([cell.draw() for cell in cells.values()])
        return drawing.render("board/_party", party=mark_safe(held))

    return Part("party", draw=drawn, within=cells)


def _lost(counter: Counter) -> bool:
    """True for what reads red in the strip."""
    return counter.complete and counter.loss and not counter.resolved


def _cell(drawing: Drawing, state: GameState, seat: str | None, of: layout.Protagonist) -> Part:
    """A protagonist in the party strip."""
    hero, number = of.hero, fragments.number(of.hero, "cell") if of.hero else None
    flags: Sequence[str] = of.flags
    if written := drawing.its.slots.written:  # a table's own words would hide the other numbers
        speaks = hero if not drawing.its.slots.tracks else None
        flags = CounterView(drawing.its, speaks).flags if speaks else ()
    facts = {
        "seat": of.seat,
        "name": drawing.name(of.seat),
        "place": place_of(state, of.seat),
        "mine": of.seat == seat,
        "flags": flags[-1:],
        "bits": [
            (
                role,
                each.name,
                each.colour,
                not (each.resource or each.filled),
                each.figure,
                words.reading(each),
                written and _lost(each),
            )
            for role, each in of.others.items()
        ],
        "hero": hero and (hero.id, hero.role, hero.name, written and _lost(hero)),
        "unit": pgettext("hit points", "hp").upper() if hero and hero.type == HIT_POINTS else "",
    }
    drawn = partial(
        drawing.render, "board/_cell", **facts, number=number and mark_safe(number.draw())
    )
    return Part(f"{of.seat}.cell", facts, drawn, {number.id: number} if number else {})


def party_amounts(drawing: Drawing, state: GameState, seat: str | None) -> dict[str, int]:
    """The filled slots of what stands large in the party strip, as far as *seat* sees it."""
    party = layout.strip(drawing.its, state, seat)
    return {each.seat: each.hero.filled for each in party if each.hero}


def groups(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """All counters, under their headings."""
    found, gm, turn = _groups(drawing, state, seat), game_master(state, seat), None
    if found and found[0].kind == "fight":
        turn = turn_of(drawing, state, seat)
        heroes = [
            each.counter
            for each in found[0].counter_views
            if each.counter.role == drawing.its.slots.hero
        ]
        turn = turn and {**turn, "counts": next((each.name for each in heroes if each.role), "")}
    heads = [
        {
            "kind": group.kind,
            "name": group.name,
            "title": _title(drawing, group),
            "state": group.state,
            "place": place_of(state, group.name) if group.kind == "seat" else 0,
            "count": len(group.counter_views),
        }
        for group in found
    ]
    within = {
        part.id: part
        for group in found
        for part in (counter(drawing, state, each) for each in group.counter_views)
    }
    facts = heads, turn, gm, [(*group.races, *group.ids) for group in found]
    row = chips(drawing, state, seat)
    if any(group.kind == "mine" for group in found):
        within[row.id] = row

    def drawn() -> str:
        drawn = [
            {**head, "counters": mark_safe(_counters(drawing, group, within))}
            for head, group in zip(heads, found, strict=True)
        ]
        there = sum(len(group.counter_views) for group in found if group.kind != "done")
        context = {"groups": drawn, "gm": gm, "turn": turn, "rows": there > MOST_CARDS}
        return drawing.render("board/_groups", **context, chips=mark_safe(row.draw()))

    return Part("groups", facts, drawn, within)


def _counters(drawing: Drawing, group: layout.Group, drawn: Mapping[str, Part]) -> str:
    """The counters of a group; two that race stand in one card, with what they race for."""
    found = [drawn[f"k-{each.id}"].draw() for each in group.counter_views]
    for n, each in enumerate(group.counter_views):
        if each.id in group.races:
            one, other = (mark_safe(found[at]) for at in (n, n + 1))
            found[n] = drawing.render("board/_race", one=one, other=other)
            found[n + 1] = ""
    return "".join(found)


def turn_of(drawing: Drawing, state: GameState, seat: str | None) -> dict[str, Any] | None:
    """The turn that *seat* is shown, in words; None without a turn order."""
    turn = turn_shown(drawing.its, state, seat)
    if turn is None:
        return None
    whose = state.slot_counters.get(turn["turn"] or "")
    owner = whose.owner if isinstance(whose, Counter) else None
    return {
        **turn,
        "name": _bearer(drawing, whose) if isinstance(whose, Counter) else "",
        "place": place_of(state, owner) if owner else 0,
        "mine": owner is not None and owner == seat,
    }


def following(drawing: Drawing, state: GameState, seat: str | None) -> dict[str, Any] | None:
    """For the GM, whose turn comes next, as the rules say."""
    if not game_master(state, seat):
        return None
    events, refused = words.dry_run(drawing.system, state, seat or GM, {"do": "next-turn"})
    passed = next((each for each in events if isinstance(each, TurnPassed)), None)
    if refused or passed is None:
        return None
    on = counter_in(state, passed.on)
    seen = view_models.counter_view(drawing.its, state, None, on)
    return {"name": _bearer(drawing, on), "hidden": seen is None}


def _bearer(drawing: Drawing, counter: Counter) -> str:
    """Whose turn it is with *counter*: its owner's, or that of what it stands for."""
    if counter.owner and counter.owner != GM:
        return drawing.name(counter.owner)
    return translated(drawing.its, name_of(drawing.its, counter))


@kept("groups", spoken=True)
def _groups(drawing: Drawing, state: GameState, seat: str | None) -> list[layout.Group]:
    """The counters that *seat* sees, by heading; several parts of a board show them."""
    return layout.groups(drawing.its, state, seat)


def scene_bar(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The GM's tabs, and the line to type a counter in; empty for everyone else."""
    held = tabs(drawing, state, seat)

    def drawn() -> str:
        return drawing.render(
            "board/_scene_bar",
            tabs=mark_safe(held.draw()),
            fights=drawing.its.slots.turns is not None,
            conditions=drawing.its.slots.conditions,
        )

    gm = game_master(state, seat)
    return Part("scene-bar", gm, drawn, {held.id: held} if gm else {})


def tabs(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The GM's tabs: one for each scene, one for the protagonists, one for all that is over.
    Several prepared scenes that are still empty fold into one."""
    if not game_master(state, seat):
        return nothing("tabs")
    found: dict[str, dict[str, Any]] = {}
    for group in _groups(drawing, state, seat):
        key, title = group.key, _title(drawing, group)
        if group.kind == "fight":
            continue  # it stands above every tab
        if group.kind == "seat":
            key, title = "party", _("Party")
        elif group.kind == "done" or group.state == "over":
            key, title = "done", _("Done")
        tab = found.setdefault(key, {"key": key, "title": title, "count": 0})
        tab["state"] = group.state
        tab["count"] += len(group.counter_views)
    empty = sum(tab["state"] == "prepared" and not tab["count"] for tab in found.values())
    folded = empty if empty > 1 else 0
    return drawing.part("tabs", "board/_tabs", tabs=[*found.values()], folded=folded)


def own(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The player's hero, large, with its slots; empty for the GM."""
    if seat is None:
        return nothing("own")
    slots, found = drawing.its.slots, layout.hero(drawing.its, state, seat)
    seen = view(drawing, state, seat, found) if found else None
    shield = next(view_models.shields(drawing.its, state, seat, found), None) if found else None
    tracks = list[CounterView]()
    mine, conditions = list[Counter](), list[Any]()
    if slots.written:
        mine = [*([found] if found else []), *layout.beside_hero(drawing.its, state, seat)]
        conditions = [one for each in mine for one in getattr(each, "conditions", ())]
    if slots.tracks:
        rows = [view(drawing, state, seat, each) for each in mine]
        tracks = [each for each in rows if each and is_track(drawing.its, each)]
    large, place = tracks or ([seen] if seen else []), place_of(state, seat)
    numbers = _numbers_on(drawing, state, seat, found.id) if found else []
    shown = [view_models.unfilled(each) for each in large]
    facts = place, shield and shield.id, numbers, conditions, shown

    def drawn() -> str:
        return drawing.render(
            "board/_own",
            numbers=numbers,
            counter_view=seen,
            place=place,
            shield=shield,
            pad=str(find(drawing.system, "board/_own_pad.html").name),
            gain=slots.gains.get(slots.hero, "fill"),
            tracks=tracks,
            conditions=conditions,
        )

    within = {part.id: part for each in large for part in fragments.repeated(each, "own")}
    return Part("own", facts, drawn, within)


def is_track(its: Words, seen: CounterView) -> bool:
    """True for those that stand in the cockpit two by two."""
    return its.slots.tracks and seen.counter.role in its.slots.strip


def chips(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The player's counters, each a number and a name; those of the strip with − and +."""
    if seat is None or game_master(state, seat):
        return nothing("chips")
    found = [each for each in _mine(drawing, state, seat) if has_chip(drawing.its, each)]
    main = drawing.its.slots.strip
    within, facts = dict[str, Part | None](), list[Any]()
    for each in found:
        of = each.counter
        numbers = [fragments.number(of, "chip")]
        if of.role in main:
            numbers += fragments.buttons(each, "chip")
        within |= {part.id: part for part in numbers}
        facts.append((of.id, of.type, of.role, of.colour, of.name, of.complete, each.ended))
    drawn = partial(drawing.render, "board/_chips", chips=found, main=main)
    return Part("chips", facts, drawn, within)


def carries(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The things that a player carries, above the board: each opens its bag, to be given."""
    mine = () if seat is None or game_master(state, seat) else _mine(drawing, state, seat)
    bags = [each for each in mine if each.counter.on_full == "keep"]
    items = [(bag.id, item.name) for bag in bags for item in bag.counter.items]
    return drawing.part("carries", "board/_carries", items=items)


def _mine(drawing: Drawing, state: GameState, seat: str) -> list[CounterView]:
    """The player's counters besides the hero, as it sees them."""
    every = layout.beside_hero(drawing.its, state, seat)
    return [seen for each in every if (seen := view(drawing, state, seat, each))]


def has_chip(its: Words, seen: CounterView) -> bool:
    """True for the counters of the strip, if they have no room in the cockpit, for what one made
    for oneself, and of the others for what is not empty."""
    counter = seen.counter
    if counter.role in its.slots.strip:
        return not its.slots.tracks
    return bool(not counter.role or counter.shown != counter.least or counter.items)


def view(
    drawing: Drawing, state: GameState, seat: str | None, counter: Counter
) -> CounterView | None:
    """*counter* as *seat* sees it; None if it cannot see it. Kept while nothing that decides it has
    changed, and the same for all seats of one standing; of a linked counter, and of one that may
    be hopeless, other counters decide."""
    stands = view_models.standing(drawing.its, state, seat, counter)
    key, known = ("view", counter.id, stands, drawing.language), drawing.cache.lasting
    on = counter, state.seats, state.scenes, state.settings, state.parts
    kept: tuple[tuple[Any, CounterView | None], ...] = known.get(key, ())
    for then, found in kept:  # an update compares two
        if all(map(is_, then, on)):
            return found
    found = view_models.counter_view(drawing.its, state, seat, counter, stands)
    if not counter.links and counter.role != drawing.its.slots.hopeless:
        known[key] = (*kept[-1:], (on, found))
    return found


def bar(drawing: Drawing, state: GameState, seat: str | None) -> Part:
    """The acts that are always possible: an Action, and for the GM with its outcome."""
    if seat is None:
        return nothing("bar")
    gm, turn = game_master(state, seat), turn_of(drawing, state, seat)
    hero = None if drawing.its.slots.tracks else layout.hero(drawing.its, state, seat)
    able = [
        {
            "seat": each,
            "name": drawing.name(each),
            "place": place_of(state, each),
            "initial": drawing.seats[each].given_name[:1].upper() if each in drawing.seats else "",
        }
        for each in (protagonists(state) if gm else ())
    ]
    facts = {
        "gm": gm,
        "who": able,
        "place": place_of(state, seat),
        "fight": drawing.its.slots.turns is not None and turn is None,
        "next": following(drawing, state, seat) if turn else None,
        "begun": bool(turn and turn["turn"]),
        "ends": turn is not None and turn["mine"] and not turn["done"],
        "acts": bool(drawing.its.slots.outcomes),
        "hurt": hero.id if hero and hero.resource and hero.look == "bar" else "",
    }
    return Part("bar", facts, partial(_bar, drawing, facts))


def _bar(drawing: Drawing, facts: Mapping[str, Any]) -> str:
    return drawing.render(
        "board/_bar",
        **facts,
        outcomes=[
            (
                key,
                drawing.its.said(e.word),
                e.colour,
                ticks(drawing.its, key) if facts["gm"] and not e.rolled else (),
            )
            for key, e in drawing.its.slots.outcomes.items()
        ],
        scales=[
            {
                "word": drawing.its.said(each.word),
                "type": each.type,
                "type_word": drawing.its.said(drawing.its.slots.types[each.type].word),
                "colour": drawing.its.slots.types[each.type].colour,
                "steps": [
                    (n, drawing.its.said(e[0]), e[1], n == each.usual)
                    for n, e in enumerate(each.steps)
                ],
            }
            for each in drawing.its.slots.scales
        ],
    )


def counter(drawing: Drawing, state: GameState, seen: CounterView) -> Part:
    """One counter, made anew only if it or the rights to it changed."""
    key, lasting = ("counter", seen.id, seen.rights, drawing.language), drawing.cache.lasting
    kept: tuple[tuple[CounterView, Part], ...] = lasting.get(key, ())
    for known, part in kept:  # an update compares two
        if known is seen or known == seen:
            return part
    drawn = partial(once, partial(_counter, drawing, state, seen), [])
    facts, within = (seen, ()) if seen.masked else view_models.unfilled(seen), dict[str, Part]()
    if not seen.masked:
        within = {part.id: part for part in fragments.filling(seen)}
    part = Part(f"k-{seen.id}", facts, drawn, within, OOB)
    lasting[key] = (*kept[-1:], (seen, part))
    return part


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
    titles = {
        "fight": _("Turn order"),
        "mine": _("Mine"),
        "known": _("Something stirs"),
        "done": _("put away").capitalize() if drawing.its.slots.written else _("Resolved"),
    }
    return titles.get(group.kind) or group.name or _("The table")


def place_of(state: GameState, seat: str) -> int:
    return list(state.seats).index(seat) + 1 if seat in state.seats else 0


def waiting_for(state: GameState, seat: str | None) -> list[Any]:
    """The waiting prompts that *seat* sees: the GM all, others their own."""
    if seat is None:
        return []
    seen = seen_prompts(state, seat)
    gm = game_master(state, seat)
    return [each for each in seen if gm or seat == each.facts.get("by", each.to)]


OF_BOARD = (
    *(asked, chapter, moments, carries, groups, counted, party, scene_bar),
    *(own, buttons, bar, notes_beside),
)
"""The parts of the board."""
