"""Which template draws a thing: the rule system's own, if it has one, else everybody's."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import TemplateDoesNotExist, loader
from django.urls import reverse

from games.doors import Guest
from games.rules.system import System


def own(system: System, partial: str) -> Any:
    """The template "games/<system>/<partial>.html", else "games/<partial>.html"."""
    return _chosen(system.name, partial)


def only_own(system: System, partial: str) -> Any | None:
    """The template that the system has and others do not need; None if it has none."""
    try:
        return loader.get_template(f"games/{system.name}/{partial}.html").template  # type: ignore[attr-defined]
    except TemplateDoesNotExist:
        return None


@lru_cache(maxsize=64)
def _chosen(folder: str, partial: str) -> Any:
    names = [f"games/{folder}/{partial}.html", f"games/{partial}.html"]
    return loader.select_template(names).template


def sheet_over(
    request: HttpRequest, guest: Guest, name: str, context: dict[str, Any]
) -> HttpResponse:
    """A sheet over the board for the page's script, or a page of its own."""
    part = "HX-Request" in request.headers
    template = "games/_inner.html" if part else "games/sheet.html"
    inner = own(guest.game.rules, f"_sheet_{name}")
    base = reverse("board", args=[guest.game.slug])
    around = {"inner": inner, "game": guest.game, "guest": guest, "base": base}
    return render(request, template, {**around, **context, "seat": guest.seat})
