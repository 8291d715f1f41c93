"""The pages of slot counters: roll for one, link it, Actions and their consequences, Milestones.

Each shows only what its seat may see; anything else is not found (404). Commands go through the
running table, as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_GET, require_POST

from games.live import table_registry as tables
from games.pages.slots.access import Onlooker, foreseen, give, sheet_page, slots_only, whole
from games.rules.input import whole_number
from games.rules.state import Phrase, Refused
from games.screens import dice
from games.screens.slots import actions, sheets, words
from games.screens.slots.names import name_of, translated
from games.screens.words import Words
from games.tracks.counter import GM, counter_in
from games.tracks.play import PROPOSED

MOST_SINCE = 40
"""The entries since an Action in which its Progress is looked for."""
GAINED = frozenset({"filled", "temporary-lost", "gained-while-full"})
"""The kinds of events by which a counter gains."""

# One counter


@require_GET
@slots_only()
def counter(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """One counter: roll for it, fill it, choose who sees it, and edit it."""
    sheet = sheets.of_counter(asking.table, key)
    if sheet is None:
        # Hidden and missing counters look the same; an open sheet may lose its counter.
        return sheet_page(request, asking, "gone", {}, status=404)
    return sheet_page(request, asking, "counter", {**sheet, "fresh": "new" in request.GET})


@require_POST
@slots_only(seated=True)
def roll(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """Roll d10s for a counter, or take what was rolled at the table; show the result first."""
    sheet = sheets.of_counter(asking.table, key)
    if sheet is None or sheet["counter_view"].masked:
        raise Http404
    seen = sheet["counter"]
    command = _rolled(request.POST, key)
    events, refused = words.dry_run(asking.system, asking.state, asking.by, command)
    theirs = bool(refused and refused.code == "forbidden" and not asking.gm)
    ask = theirs or bool(refused and refused.code == "not-enough" and not asking.gm)
    _record(asking, command, ask=ask)
    if theirs:  # show what the GM would be asked for, and its result
        events, refused = words.dry_run(asking.system, asking.state, GM, command)
    context = {
        "counter": seen,
        "counter_view": sheet["counter_view"],
        "command": command,
        "fields": [(name, json.dumps(value)) for name, value in command.items()],
        "text": json.dumps(command),
        "reckoned": words.reckoned(command),
        "total": words.points(command),
        "refused": refused,
        "short": bool(refused and refused.code == "not-enough"),
        "theirs": theirs,
        "ask": ask,
        "owner": asking.names.get(seen.owner or "", "") if seen.owner != asking.by else "",
        "partial": _partly(asking, command, refused),
        "preview": words.too_little(command, seen)
        if refused and refused.code == "not-enough"
        else words.preview(asking.its, command, seen, events),
    }
    return sheet_page(request, asking, "roll", context)


def _record(asking: Onlooker, command: dict[str, Any], *, ask: bool) -> None:
    """Note what was rolled, used or not: our dice, and typed points that would need the GM.

    Raises Refused.
    """
    kept = "dice" if "dice" in command else "points"
    if kept in command and (kept == "dice" or ask):
        thrown = {"do": "roll", "on": command["on"], kept: command[kept]}
        tables.give(asking.game.slug, thrown, asking.by)


def _partly(asking: Onlooker, command: dict[str, Any], refused: Refused | None) -> bool:
    """True if the rest of the counter may be spent instead."""
    if refused is None or refused.code != "not-enough" or asking.seat is None:
        return False
    less = {**command, "partial": True}
    counter = counter_in(asking.state, command["on"])
    _events, why = words.dry_run(asking.system, asking.state, asking.seat, less)
    return why is None and counter.unfilled > 0


def _dice(count: int) -> list[int]:
    return dice.fall(f"{min(20, max(1, count))}d10")


def _rolled(posted: QueryDict, key: str) -> dict[str, Any]:
    """The command that a roll's form describes, with the dice thrown. Raises Refused."""
    verb = posted.get("do", "fill")
    command: dict[str, Any] = {"do": verb, "on": key}
    if posted.get("how") == "typed":
        command["points"] = whole(posted.get("points", ""))
    elif posted.get("how") == "slots":
        command["slots"] = whole(posted.get("slots", ""))
    elif "throw" in posted:
        count, _over, halved = posted.get("throw", "").partition("/")
        command["dice"] = _dice(whole(count))
        if halved:
            command["halve"] = True
    else:
        more = max(0, whole(posted.get("more") or "0"))
        command["dice"] = _dice(max(1, whole(posted.get("dice") or "1")) + more)
        if quality := whole(posted.get("add") or "0"):
            command["add"] = quality
        if posted.get("halve"):
            command["halve"] = True
    if verb == "suffer":
        moods = [whole(each) for each in posted.getlist("mood") if each.strip()]
        if moods:
            command["moods"] = moods
    if verb in ("fill", "suffer") and posted.get("shield"):
        command["shield"] = posted["shield"]
    return command


@require_POST
@slots_only(seated=True, gm=True)
def link(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """Add a link from a counter to another; of two that race, one each way."""
    to, do = request.POST.get("to", ""), request.POST.get("verb", "")
    if key not in asking.state.slot_counters:
        raise Http404
    if do == "race" and to in asking.state.slot_counters:
        both = [(key, to), (to, key)]
        steps = [_linked(asking, one, {"to": other, "do": "resolve"}) for one, other in both]
        return give(request, asking, {"do": "together", "steps": steps}, f"slots/{key}")
    new: dict[str, Any] = {"to": to, "do": do}
    slots = whole_number(request.POST.get("slots", ""), 0)
    if slots is not None and do in ("fill", "clear"):
        new["slots"] = slots
    return give(request, asking, _linked(asking, key, new), f"slots/{key}")


def _linked(asking: Onlooker, key: str, new: dict[str, Any]) -> dict[str, Any]:
    """The command that adds the link *new* to a counter."""
    links = [sheets.plain(each) for each in counter_in(asking.state, key).links]
    return {"do": "edit", "on": key, "links": [*links, new]}


@require_GET
@slots_only(seated=True, gm=True)
def overflow(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """Counters that could take what did not fit."""
    sheet = sheets.of_counter(asking.table, key)
    n = whole_number(request.GET.get("n", ""), 0)
    if sheet is None or n is None:
        raise Http404
    others = [each for each in sheet["others"] if not (each.inventory or each.resolved)]
    how = "slots" if request.GET.get("as") == "slots" else "points"
    return sheet_page(request, asking, "overflow", {**sheet, "targets": others, "n": n, "how": how})


# Actions and milestones


@require_GET
@slots_only(seated=True)
def action(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """A form for an Action: who acted, with which outcome."""
    sheet = actions.of_action(asking.table)
    return sheet_page(request, asking, "action", sheet)


@require_POST
@slots_only(seated=True)
def acted(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Give the Action; continue with its consequences."""
    who, outcome = request.POST.get("who", ""), request.POST.get("outcome", "")
    if who not in asking.state.seats:
        who = ""
    if outcome in asking.its.slots.outcomes and who in request.POST.getlist("lowered"):
        outcome = actions.counts_as(asking.its, asking.state, who, outcome)
    command: dict[str, Any] = {"do": "action"}
    if outcome:
        command["outcome"] = outcome
    if request.POST.get("reaction"):
        command["reaction"] = True
    if who and who != asking.by:
        command["seat"] = who
    said = request.POST.dict() if asking.gm else {}
    steps = actions.at_once(asking.its, asking.state, asking.by, outcome, said)
    if steps:
        command["steps"] = [*steps.values()]
    acting = who or asking.by
    by_itself = (
        {}
        if "reaction" in command
        else asking.its.slots.after(outcome).by_itself(asking.state, acting)
    )
    chosen = {name: said[name] for name in said if name.startswith("step-")}
    chosen |= actions.without([*steps, *by_itself])
    offered = actions.of_aftermath(asking.its, asking.state, asking.by, who, outcome, chosen)
    follows = offered["progress"] or (asking.gm and offered["lists"])
    if request.POST.get("skip") or not follows:
        return give(request, asking, command, "")
    return give(request, asking, command, actions.aftermath(outcome, who, chosen=chosen))


@require_GET
@slots_only(seated=True)
def after(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """The consequences of an Action, with the counters they would change; one tap skips them."""
    who, outcome = request.GET.get("who", ""), request.GET.get("outcome", "")
    sheet = actions.of_aftermath(
        asking.its, asking.state, asking.by, who, outcome, request.GET.dict()
    )
    asks = asking.state.prompt(request.GET.get("prompt", "")) if asking.gm else None
    if asks and _added(asking, who, {each.id for each in sheet["progress"]}):
        sheet["progress"] = []
    theirs = bool(asks and actions.gaining(asking.its, asking.state, who, outcome))
    sheet |= {"who_name": asking.names.get(who, ""), "names": asking.names, "prompt": asks}
    return sheet_page(request, asking, "after", {**sheet, "theirs": theirs})


def _added(asking: Onlooker, who: str, counters: Collection[str]) -> bool:
    """True if *who* has added to one of *counters* since their last Action, or asks to."""
    asked = [each for each in asking.state.prompts if each.kind == PROPOSED]
    if any(each.facts["by"] == who and {*each.facts["about"]} & {*counters} for each in asked):
        return True
    entries = asking.game.entries.filter(undone_by=None).order_by("-number")[:MOST_SINCE]
    for entry in entries:
        if entry.seat == who and entry.command["do"] == "action":
            return False
        theirs = entry.seat == who or f"proposal:{who}" in entry.command.get("prompt", "")
        if theirs and any(e["kind"] in GAINED and e["on"] in counters for e in entry.events):
            return True
    return False


@slots_only(seated=True, gm=True)
def milestone(request: HttpRequest, asking: Onlooker, which: str) -> HttpResponse:
    """The checklist of a milestone; by POST, give the ticked lines as one entry."""
    if which not in asking.its.slots.checklists:
        raise Http404
    if request.method != "POST":
        listed = to_tick(asking, which)
        return sheet_page(request, asking, "milestone", {"which": which, "lines": listed})
    steps = ticked(asking, which, request.POST.getlist("line"))
    return give(request, asking, {"do": "milestone", "milestone": which, "steps": steps}, "")


def to_tick(asking: Onlooker, which: str) -> list[dict[str, Any]]:
    """The checklist of a milestone, each line with its counters before and after."""
    lines = asking.its.slots.checklists[which](asking.state)
    return [_previewed(asking, number, line) for number, line in enumerate(lines)]


def ticked(asking: Onlooker, which: str, values: list[str]) -> list[dict[str, Any]]:
    """The steps of the lines of the checklist with these *values*."""
    return [
        dict(each)
        for number, line in enumerate(asking.its.slots.checklists[which](asking.state))
        if f"{number}.{line.about}" in values
        for each in line.steps
    ]


def _previewed(asking: Onlooker, number: int, line: Any) -> dict[str, Any]:
    """A line of the checklist, with its counters before and after."""
    about = counter_in(asking.state, line.about)
    changes = []
    if line.steps:
        after, _refused = foreseen(asking, [dict(each) for each in line.steps])
        for each in {step["on"]: 0 for step in line.steps}:
            was, now = counter_in(asking.state, each), counter_in(after, each)
            changes.append(
                f"{translated(asking.its, name_of(asking.its, was))} {_shown(was)} → {_shown(now)}"
            )
    owner = asking.names.get(about.owner or "", "")
    return {
        "value": f"{number}.{line.about}",
        "line": line,
        "text": _read(asking.its, line.text),
        "owner": owner,
        "changes": ", ".join(changes),
    }


def _read(its: Words, text: str) -> str:
    """The text of a line, with the names of counters in the reader's language."""
    if not isinstance(text, Phrase):
        return its.phrase(text)
    facts = {
        name: translated(its, fact) if type(fact) is str else fact
        for name, fact in text.facts.items()
    }
    return its.phrase(Phrase(text.template, **facts))


def _shown(counter: Any) -> str:
    extra = counter.temporary and not counter.resource
    return words.reading(counter) + (f" +{counter.temporary}" if extra else "")
