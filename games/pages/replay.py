"""A game watched again: a page with a slider over its log, and the moments that it shows.

A guest sees what its seat was allowed to see at each moment; a reader with the summary's link sees
what watchers saw. A moment never changes, so a phone keeps it: its address names everything else
that it depends on. The film strip follows the page, because it is about the whole log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from threading import Lock
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET
from msgspec import Struct
from msgspec.structs import replace

from games.live.summaries import swings
from games.models import Game, Seat
from games.models.tokens import hashed, new_device
from games.pages.access import game_of_summary, stranger_page
from games.pages.parts import unless_known
from games.pages.sharing import address
from games.rules.input import whole_number
from games.screens.languages import active_language
from games.screens.log.lines import after_name, colon_after, full_sentence, sentence_of
from games.screens.log.parts import news_of
from games.screens.replay.chapters import Mark, chapter_name, film_strip, mark_name
from games.screens.replay.evening import Evening, Moment, evening_of, seats_as_drawn
from games.screens.words import Words, words_of
from games.seats.guests import guest
from games.systems import presentation_of

LATEST = 7
"""Lines on a television."""
RUN = 24
"""So many moments at most in one answer; one by one they cost two to five times as much."""
A_YEAR = 365 * 24 * 3600
STARTED = new_device()
"""Another run of the server may draw another board."""

T = TypeVar("T")
_looking = Lock()
"""Evenings stay in memory and are read by one thread at a time."""


class Onlooker(Struct, frozen=True):
    """The reader of a replay. seat: whose view; None for a watcher's.

    home: where the page leads back. language: of its screen. places: the game's seats.
    """

    game: Game
    seat: str | None
    home: str
    language: str
    places: Mapping[str, Seat]

    @property
    def names(self) -> Mapping[str, str]:
        return {key: seat.name for key, seat in self.places.items()}

    @property
    def its(self) -> Words:
        return words_of(self.game.rules, self.places)

    @property
    def version(self) -> str:
        """Everything besides its line that a moment depends on."""
        drawn = seats_as_drawn(self.places)
        return hashed(repr((STARTED, self.seat, self.language, drawn)))[:16]


View = Callable[..., HttpResponse]


def _onlooker(view: View) -> View:
    """Call *view* with the onlooker in place of the slug and the token."""

    @require_GET
    @wraps(view)
    def ask(
        request: HttpRequest, slug: str, token: str | None = None, **kwargs: Any
    ) -> HttpResponse:
        found = _let_in(request, slug, token)
        if found is None:
            return stranger_page(request, slug)
        answer = view(request, found, **kwargs)
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        if token is None:
            patch_vary_headers(answer, ["Cookie"])  # whose eyes they are
        return answer

    return ask


def _let_in(request: HttpRequest, slug: str, token: str | None) -> Onlooker | None:
    language = active_language()
    if token is not None:
        game = game_of_summary(request, slug, token)
        home = reverse("shared-summary", args=[slug, token])
        return Onlooker(game, None, home, language, game.places)
    asking = guest(request, slug)
    if asking is None:
        return None
    game = asking.game
    return Onlooker(game, asking.key, reverse("summary", args=[slug]), language, game.places)


def _looked(asking: Onlooker, look: Callable[[Evening], T]) -> T:
    """The result of *look* for the evening, in the language and with the names of *asking*."""
    with _looking, translation.override(asking.language):
        evening = evening_of(asking.game)
        evening.shows(asking.game, asking.places)
        return look(evening)


@_onlooker
def page(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """The page, at the moment that it is asked for; the beginning if none is."""
    return _looked(asking, partial(_page, request, asking))


def _page(request: HttpRequest, asking: Onlooker, evening: Evening) -> HttpResponse:
    game, seat = asking.game, None if "tv" in request.GET else asking.seat
    last = evening.last(seat)
    line = min(whole_number(request.GET.get("line", ""), 0) or 0, last)
    moment, drawn = evening.moment(seat, line), evening.drawn(seat, line)
    public = reverse("shared-replay", args=[game.slug, game.summary_token])
    context = {
        "game": game,
        "its": asking.its,
        "seat": seat,
        "kind": presentation_of(game.rules).board.kind,
        "seats": drawn.seats,
        "tv": "tv" in request.GET,
        "home": asking.home,
        "last": last,
        "run": RUN,
        "back": max(0, line - 1),
        "on": min(last, line + 1),
        "moment": moment,
        "turn": mark_safe(drawn.turn),
        "board": mark_safe(drawn.board),
        "caption": _caption(asking, moment),
        "latest": _latest(asking, evening, line) if "tv" in request.GET else "",
        "version": replace(asking, seat=seat).version,
        "link": f"{address(request)}{public}",
    }
    return render(request, "pages/replay.html", context)


@_onlooker
def film(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """The film strip as JSON: its picture, its chapters, the marks, and the lines to pass over."""
    if "tv" in request.GET:
        asking = replace(asking, seat=None)
    swung = swings(asking.game)
    return JsonResponse(_looked(asking, partial(_film, asking, swung)))


def _film(asking: Onlooker, swung: Sequence[Mark], evening: Evening) -> dict[str, Any]:
    chapters, marks = evening.film(asking.seat, swung)
    signs = [{"line": each.line, "says": mark_name(asking.its, each)} for each in marks]
    return {
        "film": film_strip(asking.its, chapters, marks, evening.last(asking.seat)),
        "chapters": [[each.line, chapter_name(asking.its, each)] for each in chapters],
        "hidden": evening.hidden(asking.seat),
        "marks": render_to_string("pages/_marks.html", {"marks": signs, "its": asking.its})
        if signs
        else "",
    }


@_onlooker
def moment(request: HttpRequest, asking: Onlooker, line: int) -> HttpResponse:
    """One moment as JSON: its board, and what is told of it."""
    return _moments(request, asking, line, line)


@_onlooker
def run(request: HttpRequest, asking: Onlooker, first: int, last: int) -> HttpResponse:
    """The moments from line *first* to line *last*, `RUN` of them at most, as a JSON list: in place
    of their boards, the frames from one to the next and back."""
    if not first <= last < first + RUN:
        raise Http404
    return _moments(request, asking, first, last, run=True)


def _moments(
    request: HttpRequest, asking: Onlooker, first: int, last: int, *, run: bool = False
) -> HttpResponse:
    """Moments as JSON. They never change, so a URL with their version may be cached."""
    tv = "tv" in request.GET
    if tv:
        asking = replace(asking, seat=None)
    version = asking.version
    named = request.GET.get("v") == version
    kept = f"private, max-age={A_YEAR}, immutable" if named else "private, no-cache"

    def made() -> HttpResponse:
        drawn = _looked(asking, partial(_all_drawn, asking, first, last, tv, run))
        if not drawn:
            raise Http404
        return JsonResponse(drawn if run else drawn[0], safe=False)

    return unless_known(request, f"{version}-{first}-{last}", made, kept)


def _all_drawn(
    asking: Onlooker, first: int, last: int, tv: bool, run: bool, evening: Evening
) -> list[dict[str, Any]]:
    """Moments for the page's script; none if the seat's log has not come to line *last*."""
    if last > evening.last(asking.seat):
        return []
    whole = None if run else evening.drawn(asking.seat, first)
    return [
        {
            **_told(asking, shown),
            **({"board": whole.turn + whole.board} if whole else {}),
            **({"latest": _latest(asking, evening, line)} if tv else {}),
        }
        for line, shown in enumerate(evening.moments(asking.seat, first, last), first)
    ]


def _told(asking: Onlooker, shown: Moment) -> dict[str, Any]:
    return {
        "line": shown.line,
        "at": shown.at and shown.at.isoformat(),
        "chapter": chapter_name(asking.its, shown.chapter),
        "says": _says(asking, shown),
        "shared": shown.shared,
        "caption": _caption(asking, shown),
        "frames": shown.frames,
    }


def _latest(asking: Onlooker, evening: Evening, line: int) -> str:
    """The lines before, as a television shows them."""
    places = asking.places
    lines = [
        {"name": places[by].name, "place": places[by].place, "parts": parts, "news": news_of(parts)}
        for by, parts in evening.before(None, line, LATEST)
        if by in places
    ]
    return mark_safe(render_to_string("log/_latest.html", {"latest": lines, "its": asking.its}))


def _caption(asking: Onlooker, shown: Moment) -> str:
    context = {
        "its": asking.its,
        "moment": shown,
        "chapter": chapter_name(asking.its, shown.chapter),
        "place": shown.chapter.seats[0] if shown.chapter and shown.chapter.seats else 0,
        "name": (name := asking.names.get(shown.by, shown.by)),
        "colon": colon_after(name, shown.parts),
        "parts": after_name(tuple(shown.parts), name),
    }
    return mark_safe(render_to_string("pages/_moment.html", context).strip())


def _says(asking: Onlooker, shown: Moment) -> str:
    """The line as one sentence, with who did it."""
    who = asking.names.get(shown.by, "")
    return full_sentence(who, shown.parts) if who and shown.parts else sentence_of(shown.parts)
