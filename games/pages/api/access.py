"""Access to the API, its rate limit, and its refusals.

Any page of any site may call it (CORS allows all origins): it reads no cookie, so a page without a
token can do nothing that its author could not do from home.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from games.live.socket import BURST, BYTES_OF_TAP, RATE, READ_ONLY, WATCHING
from games.pages.parts import its
from games.rules.state import Refused
from games.screens.words import PLAIN, Words, words_of
from games.seats import programs
from games.seats.buckets import Buckets
from games.seats.guests import Guest
from games.seats.programs import Caller

BEARER = "bearer "
STATUS = {
    "invalid": 400,
    "no-token": 401,
    "forbidden": 403,
    "not-found": 404,
    "no-method": 405,
    "over": 409,
    "too-long": 413,
    "busy": 429,
    "broken": 500,
    "not-saved": 503,
    "full": 503,
    "not-installed": 503,
}
"""The status of each refusal; that of all others, which are the rules', is 422."""
CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
PREFLIGHT = {
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
TAPS = Buckets(BURST, RATE)
"""By program."""

View = Callable[..., HttpResponse]


def answers(method: str) -> Callable[[View], View]:
    """Let *view* answer *method*, and pages of other sites; every other method is refused (405).

    Whatever *view* refuses, wherever it finds out, is answered here.
    """
    methods = {"GET": "GET, HEAD"}.get(method, method)

    def wrap(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            if request.method == "OPTIONS":
                allowed = {"Access-Control-Allow-Methods": methods, **PREFLIGHT}
                response = HttpResponse(status=204, headers={"Allow": methods, **allowed})
            elif request.method not in methods.split(", "):
                response = refused(Refused("no-method", f"This address answers {methods}."))
                response.headers["Allow"] = methods
            else:
                try:
                    response = view(request, **kwargs)
                except Refused as why:
                    response = refused(why, **its(request))
            for name, value in CORS.items():
                response.headers[name] = value
            return response

        return csrf_exempt(answer)

    return wrap


def require_program(view: View) -> View:
    """Authenticate a program by its token, and call *view* with it; else refuse (401)."""

    @wraps(view)
    def ask(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        token = bearer(request)
        caller = programs.caller(token) if token else None
        if caller is None:
            return no_token()
        taps = max(1, len(request.body) // BYTES_OF_TAP)
        if not TAPS.of(caller.program.pk).take(taps):
            raise Refused("busy", _("Too much at once. Wait a moment, then try again."))
        request.its = words_of(caller.guest.game.rules)  # type: ignore[attr-defined]
        return view(request, caller, **kwargs)

    return ask


def acting(caller: Caller, *, seated: bool) -> Guest:
    """The guest that a program acts for. seated: only with a seat. Raises Refused.

    Each time another one: one that all share would keep every request alive, in its traceback.
    """
    if caller.program.read_only:
        raise copy(READ_ONLY)
    if seated and caller.guest.seat is None:
        raise copy(WATCHING)
    return caller.guest


def bearer(request: HttpRequest) -> str:
    """The token that a program shows; "" if it shows none."""
    shown = request.headers.get("Authorization", "")
    return shown[len(BEARER) :].strip() if shown.lower().startswith(BEARER) else ""


def no_token() -> HttpResponse:
    """The refusal of a token that opens nothing (401)."""
    why = _("That’s no token, or not any more. Make one in the table’s menu.")
    response = refused(Refused("no-token", why))
    response.headers["WWW-Authenticate"] = "Bearer"
    return response


def refused(why: Refused, its: Words = PLAIN) -> HttpResponse:
    """A refusal as JSON, with the status that says the same. its: the words of its game."""
    status = STATUS.get(why.code, 422)
    return JsonResponse({"refused": its.refusal_facts(why)}, status=status, headers=CORS)
