"""Time zones: times as the reader's clock shows them."""

from __future__ import annotations

import re
from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

COOKIE = "zone"
"""The cookie with the phone's time zone (`static/js/page/theme.js`), such as "Europe/Madrid"."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}").fullmatch
MOST = 60


def local_times(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Show times in the zone of the phone that asks; in that of the server if it does not say."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        with timezone.override(_zone(request.COOKIES.get(COOKIE, ""))):
            return get_response(request)

    return respond


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if len(name) <= MOST and NAME(name) else None
    except (KeyError, OSError, ValueError):
        return None
