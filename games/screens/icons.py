"""The controls' pictures: one file for every page, kept by browsers for ever."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from django.template.loader import render_to_string


@lru_cache(maxsize=1)
def sprite() -> str:
    return render_to_string("board/_sprite.html").strip()


@lru_cache(maxsize=1)
def address() -> str:
    """Where the file is: under another name when a picture is another one."""
    return f"/icons-{hashlib.sha256(sprite().encode()).hexdigest()[:8]}.svg"
