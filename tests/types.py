"""The types of the fixtures, and of JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from games.models import Game

Json = dict[str, Any]
Make = Callable[..., Game]
"""Makes a game: `make_game("magic", objects={...})`."""
Sit = Callable[[Game, str], Client]
"""Takes a seat of a game: `sit(game, "ana")`."""
Phones = Callable[..., Any]
"""Opens a page on a new phone (a Playwright page, whose type a machine may be without)."""
Connect = Callable[..., Any]
"""Connects a seat's socket to a server."""
