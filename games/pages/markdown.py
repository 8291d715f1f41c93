"""The log as a Markdown file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models.tokens import hashed
from games.pages.access import require_guest
from games.pages.exports import dated
from games.pages.parts import download, unless_known
from games.screens.boards import log_of
from games.screens.languages import active_language
from games.screens.log import markdown as text
from games.screens.log.lines import LogLine
from games.screens.log.log import Log
from games.screens.log.pages import opens
from games.seats.guests import Guest

FORMAT = 2
"""The version of the text: raised when the same log would read differently."""


@require_GET
@require_guest
def markdown(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The log as this seat reads it, as a Markdown file; 304 if nothing has changed since."""
    log = log_of(guest.game, guest.key)
    zone = str(timezone.get_current_timezone())
    looks = hashed(json.dumps([active_language(), zone, str(log.game), log.names]))[:12]

    def written() -> HttpResponse:
        sort = "text/markdown; charset=utf-8"
        return download("".join(_whole(log)), dated(guest.game, "md"), sort)

    return unless_known(request, f"{FORMAT}-{log.counted}-{guest.key or ''}-{looks}", written)


def _whole(log: Log) -> Iterator[str]:
    yield text.title(log)
    last: LogLine | None = None
    for k in range(log.last + 1):
        piece = text.written(log, k)
        if piece.first and opens(last, piece.first):
            yield f"\n{text.heading(log, last, piece.first)}\n\n"
        yield piece.text
        last = piece.last or last
    if last is None:
        yield f"\n{_('Nothing has happened yet.')}\n"
