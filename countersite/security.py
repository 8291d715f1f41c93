"""Security headers for every answer, and log lines without secrets."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
STATIC = "/static/"
TOKEN_LINK = re.compile(r"^/[jh]/")
SECRET = re.compile(r"(/[jh]/|[?&](?:ticket|token)=)[^/\s&\"']+")


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid inline and foreign content and framing; keep secret links from leaking."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith(STATIC) and response.status_code < 400:
            # Static files need no policy and no date.
            response.headers.pop("Last-Modified", None)
            return response
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if TOKEN_LINK.match(request.path):
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cache-Control"] = "no-store"
        return response

    return respond


class WithoutTokens(logging.Filter):
    """Mask the secrets in links in log lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        masked = SECRET.sub(r"\1…", message)
        if masked != message:
            record.msg, record.args = masked, ()
        return True
