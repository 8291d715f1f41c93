"""Trying a draft on the real board, without a database: its controls post with the draft's page.

The page's form is "t", to which the buttons of every board belong. The forms of a trial stand
beside it: each brings the page's fields in one of its own. A link to a sheet becomes a button that
opens it there; one to anything else of a table leads nowhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from html import escape, unescape
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.middleware.csrf import get_token
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.pages import sheets
from games.pages.parts import by_htmx
from games.rules.state import Refused
from games.rules.system import System
from games.screens import boards, forms
from games.screens.drawing import Drawing
from games.screens.fragments import attribute, audience
from games.screens.sheets import Table
from games.screens.tags import OPENED, hidden, token_field
from games.screens.templates import find
from games.screens.turn import header
from games.screens.words import words_of
from games.systems import taps
from games.systems.new_game import Draft, Trial

OPENS, PAGE, PRESS = "opens", "page", "press"
"""The names of a button that opens a sheet, of the page in a form, and of a rule's button."""
SWAPS = 'hx-target="#writing" hx-swap="outerMorph" hx-sync="#t:queue all"'
LINK = re.compile(r'<a ([^>]*?)href=("[^"]*"|[^\s>]+)([^>]*)>(.*?)</a>', re.DOTALL)


def sent(fields: QueryDict) -> tuple[QueryDict, QueryDict]:
    """The page in the *fields* that it or a form on its board posted, and those of the board."""
    given = fields.copy()
    pages = given.pop(PAGE, ())
    return (QueryDict(str(pages[0])) if pages else fields), given


def named(fields: QueryDict) -> dict[str, str]:
    """The fields of a page by their names."""
    return {name: str(fields[name]) for name in fields}


def tap(system: System, page: QueryDict, given: QueryDict) -> str:
    """The command of a tap on the board of a *page*, as JSON; "" of none."""
    if given != page or not taps(system).keys().isdisjoint(given):
        with suppress(Refused):
            return json.dumps(forms.of_fields(system, given))
    return ""


class TrialDrawing(Drawing):
    """A drawing of the board of a draft, whose frame is another."""

    def render(self, partial: str, **context: Any) -> str:
        """Render the partial of that name: the one of a trial, if there is one."""
        template = find(self.system, f"{partial}_in_trial.html", f"{partial}.html")
        return template.render(Context({"its": self.its, **context})).strip()


class Board(NamedTuple):
    """What a page shows of a trial. seat: whose numbers are docked. sheet: what is open over it."""

    seat: str
    board: SafeString
    turn: SafeString
    sheet: SafeString


def board(request: HttpRequest, draft: Draft | None, page: Mapping[str, str]) -> Board | None:
    """The board of a *draft* after what its *page* was sent; None without a trial, or if it takes
    too long."""
    if draft is None or draft.trial is None:
        return None
    trial = draft.trial
    drawing = TrialDrawing(trial.system, trial.names)
    who = audience(trial.system, trial.seat, get_language() or "en")
    try:
        drawn = boards.board(drawing, trial.state, trial.seat, who)
        turn = header(drawing, trial.state, who)
        with drawing.reading(who):
            sheet = _sheet(trial, page.get(OPENS, ""))
    except Refused:
        return None
    kept = {name: page[name] for name in ("rules", "seats", "name") if name in page}
    now = "" if by_htmx(request) else urlencode({**kept, **draft.fields})  # else a script knows it
    fields = token_field(get_token(request)) + hidden(PAGE, now)
    drawn = _marked(drawn, page.get(PRESS, ""))
    parts = [mark_safe(_posting(part, fields)) for part in (drawn, turn, sheet)]
    return Board(trial.seat, *parts)


def _posting(drawn: str, fields: str) -> str:
    """What is *drawn*, its forms with these *fields* beside their own and its links as buttons."""
    drawn = drawn.replace(OPENED, f"{OPENED}{fields}")
    post = f'action="{{0}}" hx-post="{{0}}" {SWAPS}'.format(reverse("write"))
    drawn = drawn.replace('action="command"', post).replace("form=slot-tap ", "form=t ")
    return LINK.sub(lambda link: _button(link[1], link[2], link[3], link[4]), drawn)


def _marked(drawn: str, pressed: str) -> str:
    """The board with the button of the rule that was *pressed* marked."""
    button = f"name={PRESS} value={attribute(pressed)}>"
    return drawn.replace(button, f"{button[:-1]} data-pressed>") if pressed else drawn


# Sheets


def _sheet(trial: Trial, path: str) -> str:
    """The sheet at that *path* of a table; "" without one."""
    address, _ask, query = path.partition("?")
    of, _slash, key = address.partition("/")
    asked = QueryDict(query)
    table = Table(trial.system, trial.state, trial.names, trial.seat)
    sheet = SHEETS[of](table, key, asked) if of in SHEETS else None
    if sheet is None:
        return ""
    inner, context = sheet
    request = SimpleNamespace(GET=asked)
    its = words_of(trial.system)
    common = {"its": its, "request": request, "seat": trial.seat, "names": trial.names}
    drawn: str = inner.render(Context({**common, **context}))
    return drawn


SHEETS = {"acts": sheets.of_act, "objects": sheets.of_object, "cards": sheets.of_new_card}
"""The sheets that a trial has, by the first part of their addresses."""


def _button(before: str, quoted: str, after: str, inside: str) -> str:
    """A link of the board, as a trial has it."""
    address = unescape(quoted.strip('"'))
    attributes = f"{before}{after}".replace("data-sheet", "").strip()
    if address.startswith("#"):
        return f'<a {before}href="{escape(address)}"{after}>{inside}</a>'
    if address.partition("/")[0] in SHEETS:
        kept = f'form=t name={OPENS} value="{escape(address)}" {attributes}'
        return f"<button {kept.strip()}>{inside}</button>"
    return f"<a {attributes}>{inside}</a>"
