"""The log in Markdown: headings with times, and a line for each line."""

from __future__ import annotations

import re

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from msgspec import Struct

from games.screens.log.lines import LogLine
from games.screens.log.log import Log
from games.screens.log.pages import opens
from games.screens.log.parts import Part

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def title(log: Log) -> str:
    """The heading above the first line."""
    game = log.game
    day = date_format(timezone.localtime(game.created), "DATE_FORMAT")
    seats = ", ".join(plain(name) for name in log.names.values())
    about = f"{plain(_(game.rules.title))} {game.edition} · {day} · {seats}"
    return f"# {plain(str(game))}\n\n{about}\n"


class Written(Struct, frozen=True):
    """The lines of a piece as text, without the heading of the first, which may need none.

    first, last: its first and last line, None if it has no lines.
    """

    text: str
    first: LogLine | None = None
    last: LogLine | None = None


def written(log: Log, k: int) -> Written:
    """Piece *k* as text."""
    out, lines = [], log.piece(k)
    for previous, line in zip([None, *lines], lines, strict=False):
        if previous and opens(previous, line):
            out.append(f"\n{heading(log, previous, line)}\n")
        out.append(_line(line))
    return Written("".join(f"{each}\n" for each in out), *(lines[:1] + lines[-1:]))


def heading(log: Log, previous: LogLine | None, line: LogLine) -> str:
    """The seat whose turn it was, and the time; with the day where it is another than before."""
    at = timezone.localtime(line.at)
    time = at.strftime("%H:%M")
    if previous is None or timezone.localtime(previous.at).date() != at.date():
        time = f"{date_format(at, 'DATE_FORMAT')}, {time}"
    if not line.turn:
        return f"## {time}"
    who = ", ".join(plain(log.names.get(seat, seat)) for seat in line.turn)
    return f"## {_('Turn: %(who)s') % {'who': who}} · {time}"


def _line(line: LogLine) -> str:
    text = "; ".join(_part(part) for part in line.shown)
    text = f"~~{text}~~ ({_('undone')})" if line.undone else text
    judge = f" ({_('judge’s correction')})" if line.correction else ""
    note = f" “{plain(line.note)}”" if line.note else ""
    time = timezone.localtime(line.at).strftime("%H:%M")
    secret = f" ({_('not for all')})" if line.secret else ""
    who = f"**{plain(line.name)}**{judge}{secret}{line.colon}"
    return f"- {line.number} · {time} · {who} {text}{note}"


def _part(part: Part) -> str:
    text = plain(part.text)
    if part.change:
        text += f", **{part.change}**"
    if part.because:
        text += f": {plain(part.because)}"
    return f"{text} _({plain(part.rule)}: {plain(part.why)})_" if part.rule else text


def plain(text: str) -> str:
    """*text* on one line, with Markdown's special characters escaped."""
    return SPECIAL.sub(r"\\\1", text.replace("\n", " "))
