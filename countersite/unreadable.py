"""Requests that no view can read or answer get a page that says so (400, 405, 500, 503)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import BadRequest, DisallowedHost, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.request import split_domain_port, validate_host
from django.middleware.csrf import REASON_BAD_ORIGIN
from django.shortcuts import render
from django.utils.translation import gettext
from django.views import defaults

from countersite.logs import ORIGINS
from games.live.outage import RedisAway
from games.pages.access import refused_page
from games.pages.api.access import refused
from games.rules.state import Refused
from games.store import disk
from games.systems import NotInstalled

logger, origins = logging.getLogger(__name__), logging.getLogger(ORIGINS)

KINDS = ("application/x-www-form-urlencoded", "multipart/form-data", "application/json", "")
"""The content types that any view reads; a form without fields may have none."""
API = "/api/"
GAME = re.compile(r"/g/[\w-]+/")
NUL = "\0"
"""No text has one, and PostgreSQL stores none."""


class Readable:
    """Refuse what no view can read, before any other middleware looks into the form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not readable(request):
            return bad_request(request)
        response = self.get_response(request)
        is_page = not request.path.startswith(API)
        if is_page and response.status_code == 405 and request.method in ("GET", "HEAD"):
            return only_a_button(request, response)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say what a view refused, that the database failed it, or that a game's rules are not
        here (503)."""
        if isinstance(error, Refused):
            return refused_page(request, error)
        if isinstance(error, NotInstalled):
            return not_installed(request, str(error.args[0]))
        if isinstance(error, RedisAway):
            return render(request, "503.html", status=503)
        failed = isinstance(error, (OperationalError, InterfaceError))
        return unanswered(request, error) if failed else None


def unanswered(request: HttpRequest, error: Exception) -> HttpResponse:
    """The page for a request that the database failed (503); a program gets JSON."""
    logger.error("%s %s: the database failed: %s", request.method, request.path, error)
    if request.path.startswith(API):
        return refused(Refused("not-saved", gettext("That couldn’t be saved. Try again.")))
    full = disk.full() or disk.for_want_of_room(error)
    return render(request, "503.html", {"disk_full": full}, status=503)


def readable(request: HttpRequest) -> bool:
    """True if address, query and form of *request* can be read as text."""
    if request.method == "POST" and not _body_readable(request):
        return False
    fields = [request.GET] if request.method != "POST" else [request.GET, request.POST]
    texts = [text for each in fields for key in each for text in (key, *each.getlist(key))]
    return NUL not in request.path and not any(NUL in text for text in texts)


def _body_readable(request: HttpRequest) -> bool:
    charset = (request.content_params or {}).get("charset", "utf-8")
    if request.content_type not in KINDS or charset.lower() not in ("utf-8", "utf8"):
        return False
    try:
        if request.content_type != "application/json":
            _ = request.POST
    except (BadRequest, SuspiciousOperation, MultiPartParserError, UnreadablePostError):
        return False
    return True


def not_installed(request: HttpRequest, system: str) -> HttpResponse:
    """The page of a game whose rule system was a plug-in that is gone, or broken (503)."""
    why = gettext("The rule system “%(name)s” isn’t installed on this server any more.")
    says = Refused("not-installed", why % {"name": system})
    if request.path.startswith(API):
        return refused(says)
    return render(request, "pages/not_installed.html", {"refused": says}, status=503)


def only_a_button(request: HttpRequest, refused: HttpResponse) -> HttpResponse:
    """The page for someone who opened the address behind a button, perhaps by reloading (405)."""
    game = GAME.match(request.path)
    response = render(request, "405.html", {"board": game and game[0]}, status=405)
    response.headers["Allow"] = refused.headers["Allow"]
    return response


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The page for a request that cannot be read (400); a program gets JSON."""
    if request.path.startswith(API):
        return refused(Refused("invalid", gettext("That can’t be read: a command is JSON.")))
    asked = request.headers.get("Host", "")
    if isinstance(exception, DisallowedHost) and split_domain_port(asked)[0]:
        return unknown_host(request, asked)
    return render(request, "400.html", status=400)


def unknown_host(request: HttpRequest, asked: str) -> HttpResponse:
    """The page under a host name that is not ours (400): which, and what to set.

    It names the public hosts. The addresses in the local network are none of a stranger's business.
    """
    public = settings.PUBLIC_HOSTS
    context = {"asked": asked, "public": public, "hosts": ",".join((*public, asked))}
    return render(request, "pages/unknown_host.html", context, status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for a fault of ours (500); a program gets JSON."""
    if request.path.startswith(API):
        return refused(Refused("broken", gettext("Something went wrong")))
    try:
        return render(request, "500.html", status=500)
    except Exception:  # what was at fault is at fault there, too
        logger.exception("The page for a fault cannot be shown.")
        return defaults.server_error(request)


def wrong_origin(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form whose token or origin is not ours (403).

    If a reverse proxy hides the address that the browser shows, the page says what to set.
    """
    origin = request.META.get("HTTP_ORIGIN", "")
    context = {}
    if origin and reason == REASON_BAD_ORIGIN % origin:
        context = {"origin": origin, "expected": f"{request.scheme}://{request.get_host()}"}
        context["fault"] = _fault(context["origin"], context["expected"])
        origins.warning("A form came from %(origin)s, but the server is at %(expected)s.", context)
    return render(request, "403_csrf.html", context, status=403)


def _fault(origin: str, expected: str) -> str:
    """The part of the address that a proxy hides: "https", "host" (which has the port), or ""."""
    try:
        there, here = urlsplit(origin), urlsplit(expected)
    except ValueError:  # "http://[": no browser sends that
        return ""
    if there.hostname != here.hostname:  # another site's page, unless this site has that name too
        return "host" if validate_host(there.hostname or "", settings.ALLOWED_HOSTS) else ""
    return "https" if there.scheme != here.scheme else "host"
