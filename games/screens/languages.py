"""The language of a reader: chosen by hand, or else the browser's.

Django's middleware decides it for pages; sockets ask here and get the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language, get_language_from_request


def language_from_headers(headers: Mapping[bytes, bytes]) -> str:
    """The language of the browser that sent *headers* (in ASGI's form)."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin1")
    return get_language_from_request(request)


def active_language() -> str:
    """The language of the page being rendered."""
    return get_language() or "en"
