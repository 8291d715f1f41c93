"""Trying a draft on the real board, without a database: its controls post with the draft's page.

The page's form is "t", to which the buttons of every board belong. What would be a form of its own
stands in that form: its fields have a prefix, and its buttons say which one they belong to. A link
to a sheet becomes a button that opens it there; one to anything else of a table leads nowhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from itertools import count
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.template import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.pages import sheets
from games.rules.state import Refused
from games.rules.system import System
from games.screens import boards, forms
from games.screens.drawing import Drawing
from games.screens.fragments import attribute, audience
from games.screens.templates import find
from games.screens.turn import header
from games.systems import taps
from games.systems.new_game import Trial

GIVES, OPENS, PRESS = "gives", "opens", "press"
"""The names of buttons: of what would be a form, of one that opens a sheet, and of a rule."""
FORM = re.compile(
    r'<form method="post" action="[^"]*"([^>]*?) data-command>(.*?)</form>', re.DOTALL
)
NAME = re.compile(r'(?<= name=)"([^"]*)"')
BUTTON = re.compile(r"<button(?![^>]* (?:type=\"button\"|form=))([^>]*)>")
FACT = re.compile(r' (name|value)="([^"]*)"')
LINK = re.compile(r'<a ([^>]*?)href=("[^"]*"|[^\s>]+)([^>]*)>(.*?)</a>', re.DOTALL)


def with_tap(system: System, fields: Any) -> Mapping[str, str]:
    """The fields of the page; a tap on its board is a command there, under "tap"."""
    if not isinstance(fields, QueryDict):
        return fields  # type: ignore[no-any-return]
    try:
        command = _tapped(system, fields)
    except Refused:
        command = None
    named = {name: str(fields[name]) for name in fields}
    return {**named, "tap": json.dumps(command)} if command else named


def _tapped(system: System, fields: QueryDict) -> dict[str, Any] | None:
    if GIVES in fields:
        return forms.of_fields(system, _inside(fields, str(fields[GIVES])))
    tapped = next((name for name in taps(system) if name in fields), None)
    if tapped is None:
        return None
    rows = [name for name in fields if name.startswith(forms.EACH)]
    return forms.of_fields(system, _only(fields, {name: name for name in (tapped, *rows)}))


def _inside(fields: QueryDict, given: str) -> QueryDict:
    """The fields of what would be a form, and its pressed button."""
    prefix, _and, pressed = given.partition("&")
    inside = {name: name.removeprefix(f"{prefix}/") for name in fields if name != GIVES}
    found = _only(fields, {name: own for name, own in inside.items() if name != own})
    found.update(QueryDict(pressed))
    return found


def _only(fields: QueryDict, names: Mapping[str, str]) -> QueryDict:
    found = QueryDict(mutable=True)
    for name, own in names.items():
        found.setlist(own, fields.getlist(name))
    return found


class TrialDrawing(Drawing):
    """A drawing of the board of a draft, whose frame is another."""

    def render(self, partial: str, **context: Any) -> str:
        """Render the partial of that name: the one of a trial, if there is one."""
        template = find(self.system, f"{partial}_in_trial.html", f"{partial}.html")
        return template.render(Context(context)).strip()


class Board(NamedTuple):
    """What a page shows of a trial. seat: whose numbers are docked. sheet: what is open over it."""

    seat: str
    board: SafeString
    turn: SafeString
    sheet: SafeString


def board(trial: Trial | None, fields: Mapping[str, str] | None = None) -> Board | None:
    """The board of a draft after a tap that the *fields* of its page say, if any; None without a
    trial, or if it takes too long."""
    if trial is None:
        return None
    drawing = TrialDrawing(trial.system, trial.names)
    who = audience(trial.system, trial.seat, get_language() or "en")
    try:
        drawn = boards.board(drawing, trial.state, trial.seat, who)
        turn = header(drawing, trial.state, who)
        with drawing.reading(who):
            sheet = _sheet(trial, str((fields or {}).get(OPENS, "")))
    except Refused:
        return None
    drawn = _marked(drawn, str((fields or {}).get(PRESS, "")))
    parts = [mark_safe(part) for part in within_a_form(drawn, turn, sheet)]
    return Board(trial.seat, *parts)


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
    table = sheets.Table(trial.system, trial.state, trial.names, trial.seat)
    sheet = SHEETS[of](table, key, asked) if of in SHEETS else None
    if sheet is None:
        return ""
    inner, context = sheet
    request = SimpleNamespace(GET=asked)
    common = {"request": request, "seat": trial.seat, "names": trial.names}
    drawn: str = inner.render(Context({**common, **context}))
    return drawn


SHEETS = {"acts": sheets.of_act, "objects": sheets.of_object, "cards": sheets.of_new_card}
"""The sheets that a trial has, by the first part of their addresses."""


# A form within the page's form


def within_a_form(*drawn: str) -> Iterator[str]:
    """Each of *drawn* with all its forms and links as parts of the form "t"."""
    numbers = count(1)
    for part in drawn:
        part = FORM.sub(lambda form: "".join(_fields_of(form[1], form[2], next(numbers))), part)
        yield LINK.sub(lambda link: _button(link[1], link[2], link[3], link[4]), part)


def _fields_of(attributes: str, inside: str, prefix: int) -> Iterator[str]:
    """What would be a form: nothing is required, since other buttons send the page's form too."""
    yield f"<div{attributes}>"
    at = 0
    for button in BUTTON.finditer(inside):
        yield _prefixed(inside[at : button.start()], prefix)
        yield _giving(button[1], prefix)
        at = button.end()
    yield _prefixed(inside[at:], prefix)
    yield "</div>"


def _prefixed(fields: str, prefix: int) -> str:
    return NAME.sub(rf'"{prefix}/\1"', fields).replace(" required", "")


def _giving(attributes: str, prefix: int) -> str:
    """A button of what would be a form. It says which; what it adds itself is in its value."""
    own = {name: unescape(value) for name, value in FACT.findall(attributes)}
    pressed = urlencode({own["name"]: own.get("value", "")}) if "name" in own else ""
    value = escape(f"{prefix}&{pressed}" if pressed else f"{prefix}")
    return f'<button form=t name={GIVES} value="{value}"{FACT.sub("", attributes)}>'


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
