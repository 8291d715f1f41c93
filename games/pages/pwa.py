"""Manifest and service worker: installing the site, and reading a board offline."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from django.contrib.staticfiles.finders import FileSystemFinder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from games.screens import icons

GROUND = "#16130f"
FOR_EVER = "max-age=315360000, public, immutable"
BAR = "#1b1714"
ICONS = (("192", "any"), ("512", "any"), ("192", "maskable"), ("512", "maskable"))


@require_GET
@vary_on_headers("Accept-Language", "Cookie")
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest: name, colours and icons of the installed site."""
    facts = {
        "id": "/",
        "name": "Countersite",
        "short_name": "Countersite",
        "description": _(
            "Live, shared counters that know the rules, for game night: "
            "everyone plays on their own phone."
        ),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": BAR,
        "categories": ["games", "utilities"],
        "icons": [_icon(size, purpose) for size, purpose in ICONS],
    }
    return JsonResponse(facts, content_type="application/manifest+json")


def _icon(size: str, purpose: str) -> dict[str, Any]:
    name = f"icon-{size}" if purpose == "any" else f"icon-maskable-{size}"
    return {
        "src": static(f"icons/{name}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its text changes with every static file, so browsers fetch a new copy."""
    text = loader.render_to_string("pages/worker.js", {"version": _version()})
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers=headers)


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker shows where nothing answers and it has no copy."""
    return render(request, "pages/offline.html")


@lru_cache(maxsize=1)
def _version() -> str:
    """A version of all static files, from their addresses, which contain a hash."""
    files = sorted(path for path, _storage in FileSystemFinder().list([]))
    addresses = "\n".join(static(path) for path in files)
    return hashlib.sha256(addresses.encode()).hexdigest()[:12]


@require_GET
def controls(request: HttpRequest, version: str) -> HttpResponse:
    """The file of all icons. A request for an older version gets this one, uncached."""
    fresh = request.path == icons.address()
    headers = {"Cache-Control": FOR_EVER if fresh else "no-cache"}
    return HttpResponse(
        icons.sprite(), content_type="image/svg+xml; charset=utf-8", headers=headers
    )
