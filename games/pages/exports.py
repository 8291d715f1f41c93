"""Exports: the log to read, the game as a scenario, and the state for other programs.

Each contains only what this phone may see. A scenario holds the whole game, so in a game with
secrets only someone who sees everything can export it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Game
from games.models.tokens import hashed
from games.pages.access import refused_page, require_guest
from games.rules import record, scenario, secrecy
from games.rules.state import Refused
from games.screens.boards import log_lines
from games.screens.log.lines import LogLine
from games.screens.secrets import seen_state
from games.seats import hosts
from games.seats.guests import Guest
from games.store import rows

SCHEMA = 1
"""The version of the read-only JSON; within one version, fields are only added."""
MARKED = re.compile(r"([\\`*_{}\[\]<>#|~])")


@require_GET
@require_guest
def markdown(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The log as this seat reads it, as a Markdown file."""
    seat = guest.key
    text = "\n".join(as_markdown(guest.game, log_lines(guest.game, seat)))
    return _file(guest.game, text, "text/markdown; charset=utf-8", "md")


def as_markdown(game: Game, lines: Sequence[LogLine]) -> Iterator[str]:
    """The log in Markdown: who, what, before and after, why."""
    yield f"# {_plain(str(game))}"
    yield ""
    day = date_format(timezone.localtime(game.created), "DATE_FORMAT")
    seats = ", ".join(_plain(name) for name in game.names.values())
    yield f"{_plain(_(game.rules.title))} {game.edition} · {day} · {seats}"
    yield ""
    for line in lines:
        text = "; ".join(_part(part) for part in line.parts)
        text = f"~~{text}~~ ({_('undone')})" if line.undone else text
        judge = f" ({_('judge’s correction')})" if line.correction else ""
        note = f" “{_plain(line.note)}”" if line.note else ""
        yield f"{line.number}. **{_plain(line.name)}**{judge} {text}{note}"
    if not lines:
        yield _("Nothing has happened yet.")
    yield ""


def _part(part: Any) -> str:
    text = _plain(part.text)
    if part.after is not None:
        was = f"{part.before} → " if part.before is not None else ""
        text += f" **{was}{part.after}**"
    return f"{text} _({_plain(part.rule)}: {_plain(part.why)})_" if part.rule else text


def _plain(text: str) -> str:
    """*text* with Markdown's special characters escaped."""
    return MARKED.sub(r"\\\1", text)


@require_GET
@require_guest
def as_scenario(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The whole game as a scenario, which `rulecheck` replays to the same state."""
    if not hosts.sees_everything(guest):
        refused = Refused("forbidden", _("Only the GM can download the whole game."))
        return refused_page(request, refused, 403)
    game = guest.game
    history = rows.history(game)
    if hosts.under_way(game) and secrecy.hides(history, guest.key):
        sentence = _("The whole game names face-down cards of others. Download it when it is over.")
        return refused_page(request, Refused("forbidden", sentence), 403)
    written = record.written(history, f"{game.system}-{game.slug}", str(game))
    written["names"] = game.given_names
    text = json.dumps([written], ensure_ascii=False, indent=1)
    return _file(game, text, "application/json", "json")


@require_GET
@require_guest
def state(request: HttpRequest, guest: Guest) -> HttpResponse:
    """What this phone may see of the game now, as JSON; 304 if nothing has changed since."""
    game, seat = guest.game, guest.key
    names = game.names
    # Names can change without an entry.
    called = hashed(json.dumps([game.title, names]))[:12]
    tag = f'"{SCHEMA}-{game.number}-{seat or ""}-{called}"'
    if request.headers.get("If-None-Match") == tag:
        return HttpResponse(status=304, headers={"ETag": tag})
    system = game.rules
    whole = seen_state(game, seat)
    if system.view:
        shown = system.view(system, whole, seat or "", [])
    else:
        shown = scenario.whole_state(system, whole)
    shown = {key: value for key, value in shown.items() if key not in ("log", "seat")}
    about = {
        "schema": SCHEMA,
        "game": game.slug,
        "title": game.title,
        "system": game.system,
        "edition": game.edition,
        "number": game.number,
        "seat": seat,
        "names": names,
    }
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return JsonResponse({**about, "state": shown}, headers=headers)


def _file(game: Game, text: str, kind: str, ending: str) -> HttpResponse:
    day = timezone.localtime(game.created).strftime("%Y-%m-%d")
    name = f"{game.system}-{day}-{game.slug[:4]}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=kind, headers=headers)
