"""Asks at a table at which each seat changes only its own: a command that waits for another's yes.

They are kept beside the game, not in its log: what is allowed is given by the seat that asked, as
if it had been its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.models import Game
from games.models.tokens import derived
from games.rules.state import Refused
from games.seats.guests import Guest

ALLOWED = "allowed"
"""The part of a command by which its table knows that it was allowed: only this site makes it."""
MOST = 8
"""Asks that wait at a table; a new one takes the place of the oldest."""


def add(slug: str, ask: Mapping[str, Any]) -> None:
    """Let *ask* wait: its `id`, `by`, `to`, `command`, and what it `says` by language."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(slug=slug)
        others = [each for each in game.asks if each["command"] != ask["command"]]
        game.asks = [*others, ask][-MOST:]
        game.save(update_fields=["asks"])


def answered(guest: Guest, ask: str, let: object) -> Mapping[str, Any] | None:
    """End the ask of that id; the command to be given if *guest* allows it. Raises Refused.

    If it was answered meanwhile nothing happens.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=guest.game.pk)
        found = next((each for each in game.asks if each["id"] == ask), None)
        if found is None:
            return None
        if guest.key != found["to"] and (let == "in" or guest.key != found["by"]):
            raise Refused("forbidden", _("Only who was asked can answer that."))
        game.asks = [each for each in game.asks if each is not found]
        game.save(update_fields=["asks"])
    given = {**found["command"], "id": ask, ALLOWED: derived("ask", ask)}
    return given if let == "in" else None


def opened(command: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """*command* as it was asked for, and True if it was allowed."""
    plain = {key: each for key, each in command.items() if key != ALLOWED}
    shown, ask = command.get(ALLOWED), command.get("id")
    if type(shown) is not str or type(ask) is not str:
        return plain, False
    return plain, constant_time_compare(shown, derived("ask", ask))
