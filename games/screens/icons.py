"""The icons of all controls: one file for every page, which browsers cache for ever."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from django.template.loader import render_to_string
from django.urls import reverse


@lru_cache(maxsize=1)
def sprite() -> str:
    return render_to_string("board/_sprite.html").strip()


@lru_cache(maxsize=1)
def address() -> str:
    """The address of the file; it changes whenever an icon does."""
    return reverse("icons", args=[hashlib.sha256(sprite().encode()).hexdigest()[:8]])
