"""Visibility of the face of a card.

A card that comes to the table face-down is a set card to everyone but its controller (and a player
who typed its name for them), until it is flipped or moves where its face shows. It stays unknown in
a hand or a deck. Its new controller may look at it; the player who set it still knows it.

A card that was face-up and is turned face-down was seen by everyone, so it keeps its name: the
secret belongs to cards whose face nobody else has seen. A face-down card of an opening was set.

None of this is a rule of the game. The rules resolve every command with the real card, and the
screens show this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from games.rules import cards
from games.rules.state import GameObject, GameState, Phrase
from games.rules.state import marked as _
from games.rules.system import System

from .card import Card

SET = Phrase(_("Set card"))
UNKNOWN = Phrase(_("Unknown card"))


class UnseenCard(Card, frozen=True):
    """The card as others see it: its place, that it is face-down, and its marks."""

    unseen: ClassVar[bool] = True


def as_seen(obj: Card, seat: str | None) -> Card:
    """The card as *seat* (None: someone without one) sees it."""
    if obj.known_to is None or seat in obj.known_to or (seat and seat == obj.controller):
        return obj
    return UnseenCard(
        obj.id,
        SET if obj.face_down else UNKNOWN,
        obj.zone,
        obj.owner,
        obj.controller,
        face_down=obj.face_down,
        known_to=obj.known_to,
        until=obj.until,
        later=obj.later,
        **{mark: getattr(obj, mark) for mark in obj.marks},
    )


def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """As in every card game; only their controllers know its face-down cards."""
    state = cards.opening(system, given, settings)
    described = given.get("objects", {})
    objects = {
        key: _set(obj) if "known_to" not in described[key] else obj
        for key, obj in state.objects.items()
    }
    return replace(state, objects=objects)


def _set(obj: GameObject) -> GameObject:
    if isinstance(obj, Card) and obj.face_down:
        return replace(obj, known_to=(obj.controller,))
    return obj
