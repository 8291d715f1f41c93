"""Security headers for every answer, and log lines without secrets."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from http.cookies import Morsel

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.request import split_domain_port
from django.utils.cache import patch_vary_headers

from games.seats.places import ITSELF, elsewhere

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'self'",  # a sheet in full names its links as seen from the board
        "frame-ancestors 'none'",
    )
)
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
CHECKS, LOCAL = ("/livez", "/readyz", "/metrics"), ("localhost", "127.0.0.1", "[::1]")
STATIC, TABLES, API, ADMIN = "/static/", "/g/", "/api/", "/admin/"
FRAMED = re.compile(r"frame-ancestors '\w+'")
LETTING_IN = re.compile(r"^/(?:[hjw]|back)/")
SECRET = re.compile(r"(/(?:[jhsw]|back)/|/r/[\w-]+/|[?&](?:ticket|token)=)[^/\s&\"'?]+")


def to_https(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Lead a plain request to https, which the proxy speaks.

    Not health checks, and nobody on this computer itself, who passes the proxy by.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        if (
            not settings.HTTPS
            or request.is_secure()
            or request.path in CHECKS
            or by_itself(request)
        ):
            return get_response(request)
        return HttpResponsePermanentRedirect(
            f"https://{request.get_host()}{request.get_full_path()}"
        )

    return respond


def by_itself(request: HttpRequest) -> bool:
    """True if this computer asks, by a name that no other one has."""
    name = split_domain_port(request.headers.get("Host", ""))[0]
    return name in LOCAL and request.META.get("REMOTE_ADDR") in ITSELF


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid inline and foreign content and framing; keep secret links from leaking.

    Only a page that says so in X-Frame-Options may stand in another page, of this site; and all but
    the admin in pages of the sites that the operator named.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith(STATIC) and response.status_code < 400:
            # Static files need no policy and no date.
            response.headers.pop("Last-Modified", None)
            return response
        allowed = policy(request)
        if response.headers.get("X-Frame-Options") == "SAMEORIGIN":
            allowed = allowed.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
        if settings.FRAMED_BY and not request.path.startswith(ADMIN):
            allowed = FRAMED.sub(" ".join(("frame-ancestors 'self'", *settings.FRAMED_BY)), allowed)
            response.headers.pop("X-Frame-Options", None)  # it could name none of them
            for cookie in response.cookies.values():
                partition(cookie)
        response.headers.setdefault("Content-Security-Policy", allowed)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if LETTING_IN.match(request.path):
            response.headers["Cache-Control"] = "no-store"
        keep_private(request, response)
        return response

    return respond


def partition(cookie: Morsel[str]) -> None:
    """Let a cookie go along in a frame: each site that frames us has a phone's cookies apart.

    So it is no third-party cookie, by which one site could know another's visitors; browsers block
    those. `http.cookies` knows the word only from Python 3.14.
    """
    cookie["samesite"], cookie["secure"] = "None; Partitioned", True


def keep_private(request: HttpRequest, response: HttpResponse) -> None:
    """Let caches keep nothing of one phone for another.

    What is at a table is not even kept by its browser: there are secrets, host's links and seats,
    which the Back button would show after the seat was left.
    """
    kept = "no-store" if request.path.startswith(TABLES) else "no-cache"
    response.headers.setdefault("Cache-Control", f"private, {kept}")
    said = response.headers["Cache-Control"]
    if "private" in said and "immutable" not in said:
        asker = "Authorization" if request.path.startswith(API) else "Cookie"
        patch_vary_headers(response, [asker])


def policy(request: HttpRequest) -> str:
    """The content security policy: a table's page may ask where else this server answers."""
    if not request.path.startswith(TABLES):
        return CONTENT_SECURITY_POLICY
    connect = " ".join(("connect-src 'self'", *elsewhere(request)))
    return CONTENT_SECURITY_POLICY.replace("connect-src 'self'", connect)


def masked(text: str) -> str:
    """*text* without the secrets of links."""
    return SECRET.sub(r"\1…", text)


class WithoutTokens(logging.Filter):
    """Mask the secrets in links in log lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if (safe := masked(message)) != message:
            record.msg, record.args = safe, ()
        return True
