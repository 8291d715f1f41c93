"""The log as a Markdown file.

A long one is written and sent piece by piece. What was written of it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models.tokens import hashed
from games.pages.access import require_guest
from games.screens.boards import log_of
from games.screens.languages import active_language
from games.screens.log import markdown as text
from games.screens.log.lines import LogLine
from games.screens.log.log import Log
from games.screens.log.markdown import Written
from games.screens.log.pages import opens
from games.seats.guests import Guest
from games.store.caches import Cache

FORMAT = 2
"""The version of the text: raised when the same log would read differently."""
AT_ONCE = 4
"""A log with more pieces to write than this is streamed."""
KEPT = 192
"""Cached pieces of text, of all games: the log of the longest evening twice over."""

_kept = Cache[Written](KEPT)


@require_GET
@require_guest
def markdown(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The log as this seat reads it, as a Markdown file; 304 if nothing has changed since."""
    log = log_of(guest.game, guest.key)
    writing = _Writing(log)
    tag = f'"{FORMAT}-{log.counted}-{guest.key or ""}-{writing.looks}"'
    if unchanged := get_conditional_response(request, etag=tag):
        return unchanged
    answer: Any  # Django's stubs know no base of both that views return
    if writing.long:
        answer = StreamingHttpResponse(writing.in_steps())
    else:
        answer = HttpResponse("".join(writing.whole()))
    day = timezone.localtime(guest.game.created).strftime("%Y-%m-%d")
    name = f"{guest.game.system}-{day}-{guest.game.slug[:4]}.md"
    answer["Content-Type"] = "text/markdown; charset=utf-8"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["ETag"], answer["Cache-Control"] = tag, "private, no-cache"
    return cast(HttpResponse, answer)


class _Writing:
    """A log on its way to Markdown, in the language and the time zone of this request."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._language = active_language()
        self._zone = timezone.get_current_timezone()
        about = json.dumps([self._language, str(self._zone), str(log.game), log.names])
        self.looks = hashed(about)[:12]

    @property
    def long(self) -> bool:
        """True if more than a few pieces have not been written yet; it looks no further."""
        slug = self._log.game.slug
        missing = (k for k in range(self._log.last + 1) if (slug, self._key(k)) not in _kept)
        return len([*islice(missing, AT_ONCE + 1)]) > AT_ONCE

    def whole(self) -> Iterator[str]:
        """The text, piece by piece."""
        yield text.title(self._log)
        last: LogLine | None = None
        for k in range(self._log.last + 1):
            piece = self._piece(k)
            if piece.first and opens(last, piece.first):
                yield f"\n{text.heading(self._log, last, piece.first)}\n\n"
            yield piece.text
            last = piece.last or last
        if last is None:
            yield f"\n{_('Nothing has happened yet.')}\n"

    def in_steps(self) -> Iterator[str]:
        """The same, while other pages are made in between, in other languages and time zones."""
        pieces = self.whole()
        while (piece := self._next(pieces)) is not None:
            yield piece

    def _next(self, pieces: Iterator[str]) -> str | None:
        zone, language = timezone.override(self._zone), translation.override(self._language)
        with zone, language:
            return next(pieces, None)

    def _piece(self, k: int) -> Written:
        slug, key = self._log.game.slug, self._key(k)
        piece = _kept.take(slug, key) or text.written(self._log, k)
        _kept.keep(slug, key, piece)
        return piece

    def _key(self, k: int) -> Hashable:
        log = self._log
        return FORMAT, k, log.reader, log.seat, self.looks, log.stamp(k)
