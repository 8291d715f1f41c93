"""The controls' pictures: one file for every page, kept by browsers for ever."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET

FOR_EVER = "max-age=315360000, public, immutable"


@lru_cache(maxsize=1)
def _sprite() -> str:
    return render_to_string("_sprite.html").strip()


@lru_cache(maxsize=1)
def address() -> str:
    """Where the file is: under another name when a picture is another one."""
    return f"/icons-{hashlib.sha256(_sprite().encode()).hexdigest()[:8]}.svg"


@require_GET
def controls(request: HttpRequest, version: str) -> HttpResponse:
    """All the pictures. Who asks for older ones gets these, and does not keep them."""
    fresh = request.path == address()
    headers = {"Cache-Control": FOR_EVER if fresh else "no-cache"}
    return HttpResponse(_sprite(), content_type="image/svg+xml; charset=utf-8", headers=headers)
