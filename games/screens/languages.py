"""Which language somebody reads: chosen by hand, or else asked for by the browser.

Pages learn it from Django's own middleware; what comes by another door asks here, and gets the
same answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language, get_language_from_request


def asked_for(headers: Mapping[bytes, bytes]) -> str:
    """The language for whoever sent *headers*, as ASGI has them."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin1")
    return get_language_from_request(request)


def present() -> str:
    """The language of the page that is being made."""
    return get_language() or "en"
