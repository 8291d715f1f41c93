"""The pages of slot counters: making one, rolling for one, what follows an Action, sets.

Each answers from what the asking seat sees; what it may not see is not found (404). Commands go
through the running table, as all do.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

from asgiref.sync import async_to_sync
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games import rows, slot_sheets, slot_words, slots
from games.boards import screens_for
from games.doors import Guest, guests_only
from games.live.owner import owner
from games.rules.engine import read, step
from games.rules.state import GameState, Refused, SlotCounter
from games.rules.system import System
from games.rules.systems.stars_and_signs.checklist import MILESTONES, checklist
from games.rules.systems.stars_and_signs.counter import GM, Player, counter_in, game_master
from games.rules.systems.stars_and_signs.templates import TEMPLATES, TILES, protagonist, typed
from games.screens import audience

MOST_BYTES = 64 * 1024
"""Of a file that is read in."""


class Onlooker:
    """Who asks, with the table as it is: `seat` is None for a watcher."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.game = guest.game
        self.system: System = guest.game.rules
        self.state: GameState = rows.state(guest.game)
        self.seat: str | None = guest.seat.key if guest.seat else None
        self.names: dict[str, str] = dict(guest.game.seats.values_list("key", "name"))

    @property
    def gm(self) -> bool:
        return game_master(self.state, self.seat)


def slots_only(*, seated: bool = False, gm: bool = False) -> Callable[..., Any]:
    """Call the view with an `Onlooker`, at tables that have slot counters (else 404).

    seated: who has no seat is refused. gm: so is everybody but the GM.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @guests_only
        @wraps(view)
        def ask(request: HttpRequest, guest: Guest, **kwargs: Any) -> HttpResponse:
            if guest.game.rules.slot_counter is SlotCounter:
                raise Http404
            asking = Onlooker(guest)
            if seated and asking.seat is None:
                return _refused(request, Refused("forbidden", _("Take a seat to play.")), 403)
            if gm and not asking.gm:
                return _refused(request, Refused("forbidden", _("Only the GM can do that.")), 403)
            return view(request, asking, **kwargs)

        return ask

    return decorate


def _sheet(
    request: HttpRequest, asking: Onlooker, name: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """A sheet over the board for the page's script, or a page of its own."""
    part = f"games/stars-and-signs/_sheet_{name}.html"
    base = reverse("board", args=[asking.game.slug])
    around = {"inner": part, "game": asking.game, "guest": asking.guest, "base": base}
    here = {"seat": asking.guest.seat, "is_gm": asking.gm}
    template = part if "HX-Request" in request.headers else "games/stars-and-signs/sheet.html"
    return render(request, template, {**around, **here, **context}, status=status)


def _refused(request: HttpRequest, refused: Refused, status: int = 422) -> HttpResponse:
    by_script = "HX-Request" in request.headers
    partial = "games/_refusal.html" if by_script else "games/refused.html"
    return render(request, partial, {"refused": refused}, status=status)


def _give(
    request: HttpRequest, asking: Onlooker, command: dict[str, Any], then: str
) -> HttpResponse:
    """Give *command*; go on to the sheet *then*, or back to the board."""
    assert asking.seat is not None
    try:
        async_to_sync(owner.give)(asking.game.slug, command, asking.seat)
    except Refused as refused:
        return _refused(request, refused)
    if "HX-Request" in request.headers:
        return HttpResponse(status=200, headers={"X-Sheet": then} if then else {})
    board = reverse("board", args=[asking.game.slug])
    return redirect(board + then)


# One counter


@require_GET
@slots_only()
def counter(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """One counter: rolling, filling, who sees it, and all that can be changed about it."""
    sheet = slot_sheets.of_counter(asking.system, asking.state, asking.seat, key, asking.names)
    if sheet is None:
        # The same for what is hidden and for what never was; an open sheet may lose its counter.
        return _sheet(request, asking, "gone", {}, status=404)
    return _sheet(request, asking, "counter", {**sheet, "fresh": "new" in request.GET})


@require_POST
@slots_only(seated=True)
def roll(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """Roll d10s for a counter, or take what was rolled at the table; show what would come of it."""
    assert asking.seat is not None
    sheet = slot_sheets.of_counter(asking.system, asking.state, asking.seat, key, asking.names)
    if sheet is None or sheet["face"].masked:
        raise Http404
    seen = sheet["counter"]
    try:
        command = _rolled(request.POST, key)
    except ValueError:
        return _refused(request, Refused("invalid", _("Say how much, in whole numbers.")))
    if "dice" in command:
        thrown = {"do": "roll", "on": key, "dice": command["dice"]}
        try:
            async_to_sync(owner.give)(asking.game.slug, thrown, asking.seat)
        except Refused as no:
            return _refused(request, no)
    events, refused = slot_words.foretold(asking.system, asking.state, asking.seat, command)
    context = {
        "counter": seen,
        "face": sheet["face"],
        "command": command,
        "fields": [(name, json.dumps(value)) for name, value in command.items()],
        "text": json.dumps(command),
        "reckoned": slot_words.reckoned(command),
        "total": slot_words.points(command),
        "refused": refused,
        "short": bool(refused and refused.code == "not-enough"),
        "ask": bool(refused and refused.code in ("not-enough", "forbidden") and not asking.gm),
        "partial": _partly(asking, command, refused),
        "preview": slot_words.too_little(command, seen)
        if refused and refused.code == "not-enough"
        else slot_words.preview(command, seen, events),
    }
    return _sheet(request, asking, "roll", context)


def _partly(asking: Onlooker, command: dict[str, Any], refused: Refused | None) -> bool:
    """Whether what is left may be spent instead."""
    if refused is None or refused.code != "not-enough" or asking.seat is None:
        return False
    less = {**command, "partial": True}
    counter = counter_in(asking.state, command["on"])
    _events, why = slot_words.foretold(asking.system, asking.state, asking.seat, less)
    return why is None and counter.unfilled > 0


def _rolled(posted: QueryDict, key: str) -> dict[str, Any]:
    """The command that a roll's form describes, with the dice thrown. Raises ValueError."""
    verb = posted.get("do", "fill")
    command: dict[str, Any] = {"do": verb, "on": key}
    if posted.get("how") == "typed":
        command["points"] = int(posted.get("points", ""))
    elif posted.get("how") == "slots":
        command["slots"] = int(posted.get("slots", ""))
    else:
        count = min(20, max(1, int(posted.get("dice") or 1)) + max(0, int(posted.get("more") or 0)))
        command["dice"] = [secrets.randbelow(10) + 1 for _die in range(count)]
        if quality := int(posted.get("add") or 0):
            command["add"] = quality
        if posted.get("halve"):
            command["halve"] = True
    if verb == "suffer":
        moods = [int(each) for each in posted.getlist("mood") if each.strip()]
        if moods:
            command["moods"] = moods
    if verb in ("fill", "suffer") and posted.get("shield"):
        command["shield"] = posted["shield"]
    return command


@require_POST
@slots_only(seated=True, gm=True)
def link(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """Link a counter to another, besides the links it has."""
    if key not in asking.state.slot_counters:
        raise Http404
    links = [
        {"to": each.to, "do": each.do, **({} if each.slots is None else {"slots": each.slots})}
        for each in counter_in(asking.state, key).links
    ]
    new: dict[str, Any] = {"to": request.POST.get("to", ""), "do": request.POST.get("verb", "")}
    if request.POST.get("slots", "").isdigit() and new["do"] in ("fill", "clear"):
        new["slots"] = int(request.POST["slots"])
    command = {"do": "edit", "on": key, "links": [*links, new]}
    return _give(request, asking, command, f"slots/{key}")


@require_GET
@slots_only(seated=True, gm=True)
def overflow(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """Where what did not fit may go instead."""
    sheet = slot_sheets.of_counter(asking.system, asking.state, asking.seat, key, asking.names)
    n = request.GET.get("n", "")
    if sheet is None or not n.isdigit():
        raise Http404
    others = [each for each in sheet["others"] if not (each.inventory or each.resolved)]
    how = "slots" if request.GET.get("as") == "slots" else "points"
    return _sheet(request, asking, "overflow", {**sheet, "targets": others, "n": n, "how": how})


# Making counters


@require_GET
@slots_only(seated=True)
def new(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """The six tiles, a line to type, and the rulebook's own counters."""
    assert asking.seat is not None
    sheet = slot_sheets.of_new(asking.state, asking.seat, asking.names)
    return _sheet(request, asking, "new", sheet)


@require_POST
@slots_only(seated=True)
def made(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Make what was tapped or typed: a tile, a template, a line, or all of a protagonist."""
    assert asking.seat is not None
    posted, state = request.POST, asking.state
    key = slot_sheets.new_id(state)
    if seat := posted.get("protagonist"):
        if seat not in state.seats:
            raise Http404
        return _give(request, asking, protagonist(state, seat), "")
    if template := TEMPLATES.get(posted.get("template", "")):
        given: dict[str, Any] = {"owner": posted["owner"]} if posted.get("owner") else {}
        return _give(request, asking, template.create(key, **given), f"slots/{key}?new=1")
    if line := posted.get("line", "").strip():
        named = {name.replace(" ", ""): seat for seat, name in asking.names.items()}
        command = {**typed(line, state, {**{s: s for s in state.seats}, **named}), "as": key}
        return _give(request, asking, _placed(asking, command, posted), "")
    kind = posted.get("type", "")
    if kind not in TILES:
        return _refused(request, Refused("invalid", _("Tap a tile, or type a line.")))
    command = TILES[kind].create(key)
    return _give(request, asking, _placed(asking, command, posted), f"slots/{key}?new=1")


def _placed(asking: Onlooker, command: dict[str, Any], posted: QueryDict) -> dict[str, Any]:
    """*command* under the scene that the GM is looking at."""
    scene = posted.get("scene", "")
    if asking.gm and scene and "owner" not in command:
        return {**command, "scene": scene}
    return command


# Actions and milestones


@require_GET
@slots_only(seated=True)
def action(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """An Action happened: who acted, and how it came out."""
    assert asking.seat is not None
    sheet = slot_sheets.of_action(asking.state, asking.seat, asking.names)
    return _sheet(request, asking, "action", sheet)


@require_POST
@slots_only(seated=True)
def acted(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Give the Action; go on to what may follow."""
    who, outcome = request.POST.get("who", ""), request.POST.get("outcome", "")
    command: dict[str, Any] = {"do": "action"}
    if outcome:
        command["outcome"] = outcome
    if request.POST.get("reaction"):
        command["reaction"] = True
    if who in asking.names and who != asking.seat:
        command["seat"] = who
    then = "" if request.POST.get("skip") else f"slots/after?outcome={outcome}&who={who}"
    return _give(request, asking, command, then)


@require_GET
@slots_only(seated=True)
def after(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """What may follow an Action, wired to the counters it moves; skipped in one tap."""
    assert asking.seat is not None
    who, outcome = request.GET.get("who", ""), request.GET.get("outcome", "")
    sheet = slot_sheets.of_aftermath(asking.state, asking.seat, who, outcome)
    sheet |= {"who_name": asking.names.get(who, ""), "names": asking.names}
    return _sheet(request, asking, "after", sheet)


@slots_only(seated=True, gm=True)
def milestone(request: HttpRequest, asking: Onlooker, which: str) -> HttpResponse:
    """The list of a milestone with what each line changes; then one entry."""
    if which not in MILESTONES:
        raise Http404
    lines = checklist(asking.state, which)
    if request.method != "POST":
        listed = [_previewed(asking, number, line) for number, line in enumerate(lines)]
        return _sheet(request, asking, "milestone", {"which": which, "lines": listed})
    ticked = set(request.POST.getlist("line"))
    steps = [
        dict(each)
        for number, line in enumerate(lines)
        if f"{number}.{line.about}" in ticked
        for each in line.steps
    ]
    return _give(request, asking, {"do": "milestone", "milestone": which, "steps": steps}, "")


def _previewed(asking: Onlooker, number: int, line: Any) -> dict[str, Any]:
    """A line of the list with its counter before and after."""
    about = counter_in(asking.state, line.about)
    changes = []
    if line.steps:
        after, _refused = _foreseen(asking, [dict(each) for each in line.steps])
        for each in {step["on"]: 0 for step in line.steps}:
            was, now = counter_in(asking.state, each), counter_in(after, each)
            changes.append(f"{was.name} {_shown(was)} → {_shown(now)}")
    owner = asking.names.get(about.owner or "", "")
    return {
        "value": f"{number}.{line.about}",
        "line": line,
        "owner": owner,
        "changes": ", ".join(changes),
    }


def _shown(counter: Any) -> str:
    extra = f" +{counter.temporary}" if counter.temporary else ""
    return f"{counter.filled}/{counter.slots}{extra}"


def _foreseen(asking: Onlooker, steps: list[dict[str, Any]]) -> tuple[GameState, Refused | None]:
    """The state after *steps*; as it is now if they would be refused."""
    try:
        command = read(asking.system, {"do": "together", "steps": steps}, GM)
        return step(asking.system, asking.state, command)[0], None
    except Refused as refused:
        return asking.state, refused


# The board as a whole


@require_GET
@slots_only(seated=True, gm=True)
def tools(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Milestones, other eyes, co-GMs, sets."""
    players = [
        {"seat": each, "name": asking.names.get(each, each), "co_gm": player.co_gm}
        for each, player in asking.state.seats.items()
        if isinstance(player, Player) and each != GM
    ]
    owns = asking.seat == GM
    return _sheet(request, asking, "board", {"players": players, "owns": owns})


@require_GET
@slots_only()
def protagonist_sheet(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """The counters of one seat, to act for who is not here."""
    if key not in asking.state.seats:
        raise Http404
    seen = [
        each
        for each in slots.faces(asking.state, asking.seat)
        if not each.masked and each.counter.owner == key
    ]
    screens = screens_for(asking.system, asking.names)
    drawn = "".join(screens.counter(asking.state, each) for each in seen)  # type: ignore[attr-defined]
    context = {
        "name": asking.names.get(key, key),
        "who": key,
        "counters": mark_safe(drawn.replace(' id="k-', ' data-of="k-')),
    }
    return _sheet(request, asking, "of", context)


@require_GET
@slots_only(seated=True, gm=True)
def seen_by(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """The board as another seat sees it, to look at and not to touch."""
    watching = key == "watcher"
    if not watching and key not in asking.state.seats:
        raise Http404
    eyes = None if watching else key
    screens = screens_for(asking.system, asking.names)
    drawn = screens.board(asking.state, eyes, audience(asking.system, eyes), swap="")
    name = _("A watcher") if watching else asking.names.get(key, key)
    context = {"board": mark_safe(drawn), "name": name, "game": asking.game}
    return render(request, "games/stars-and-signs/as_seat.html", context)


@require_GET
@slots_only(seated=True, gm=True)
def export(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """The board's counters as a file."""
    kept = slot_sheets.as_set(asking.state, asking.seat, asking.game.title)
    answer = JsonResponse(kept, json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="counters-{asking.game.slug}.json"'
    return answer


@require_POST
@slots_only(seated=True, gm=True)
def bring_in(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Make all counters of a file, or none."""
    upload = request.FILES.get("file")
    if upload is not None and (upload.size or 0) > MOST_BYTES:
        return _refused(request, Refused("invalid", _("That file is too long.")))
    try:
        text = upload.read().decode() if upload else request.POST.get("text", "")
        command = slot_sheets.from_set(asking.state, text)
    except UnicodeDecodeError:
        return _refused(request, Refused("invalid", _("That file is not text.")))
    except slot_sheets.BadSet as bad:
        said = _("Nothing was read in: %(why)s.") % {"why": bad}
        return _refused(request, Refused("invalid", said))
    _after, refused = _foreseen(asking, command["steps"])
    if refused:
        where = _culprit(asking, command["steps"])
        said = _("Nothing was read in: counter %(n)s: %(why)s") % {
            "n": where + 1,
            "why": refused.message,
        }
        return _refused(request, Refused("invalid", said))
    return _give(request, asking, command, "")


def _culprit(asking: Onlooker, steps: list[dict[str, Any]]) -> int:
    """Which step is the first that cannot be."""
    for last in range(len(steps)):
        if _foreseen(asking, steps[: last + 1])[1]:
            return last
    return 0
