"""Results of dice, coins and drawn seats in words, for the screens and the log."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later

from games.rules.dice import dice_in
from games.rules.history import Applied
from games.rules.state import GameState
from games.rules.system import System
from games.screens.drawing import Drawing
from games.screens.fragments import Audience, chance
from games.screens.words import Words
from games.systems import presentation_of

KINDS = frozenset({"thrown", "tossed", "seat-drawn"})
SIDES = {"heads": later("heads"), "tails": later("tails")}


def fall(dice: str) -> list[int]:
    """Rolls dice such as "2d6". Raises ValueError."""
    count, sides = dice_in(dice)
    return [secrets.randbelow(sides) + 1 for _die in range(count)]


def rolled(system: System, state: GameState, command: Mapping[str, Any]) -> Mapping[str, Any]:
    """A seat's *command* with what it means, and with the dice that the server rolls for it.

    Raises Refused.
    """
    sheets = presentation_of(system).sheets
    command = sheets.completed(system, state, command)
    if command.get("do") not in ("answer", "fight"):
        return command
    dice = sheets.dice(system, state, command)
    return {**command, "result": fall(dice)} if dice else command


Named = Callable[[str], str]
"""The name of a seat by its id."""


def sentence_without_actor(its: Words, event: Mapping[str, Any], name: Named) -> str:
    """The result without the player: "rolled 2d6: 3 + 5 = 8"."""
    if event["kind"] == "thrown":
        dice = its.word(event["dice"]) if "symbol" in event else event["dice"]
        facts = {"dice": dice, "fell": result_text(its, event)}
        text = _("rolled %(dice)s: %(fell)s") % facts
    elif event["kind"] == "tossed":
        text = _("tossed a coin: %(side)s") % {"side": _(SIDES[event["result"]])}
    elif event["by_hand"]:
        return _("picked a player at the table: %(who)s") % {"who": name(event["seat"])}
    else:
        text = _("picked a player at random: %(who)s") % {"who": name(event["seat"])}
    return _("%(what)s (by hand)") % {"what": text} if event["by_hand"] else text


def result_text(its: Words, event: Mapping[str, Any]) -> str:
    """The result of dice in digits: "14", "3 + 5 = 8"; on a die with symbols its word."""
    if "symbol" in event:
        return its.word(event["symbol"])
    dice = event["result"]
    if len(dice) == 1:
        return str(dice[0])
    return f"{' + '.join(map(str, dice))} = {event['total']}"


def sentence(its: Words, event: Mapping[str, Any], name: Named) -> str:
    """The whole result as a sentence: "Ana rolled 2d6: 3 + 5 = 8"."""
    return f"{name(event['by'])} {sentence_without_actor(its, event, name)}"


def fragment(drawing: Drawing, given: Applied, audience: Audience) -> str:
    """The results in *given*, which every screen shows for a moment; usually nothing.

    Who was drawn for the first turn is a moment of that turn.
    """
    if given.entry is None:
        return ""
    kinds = {*map(itemgetter("kind"), given.entry.events)}
    if KINDS.isdisjoint(kinds) or {"seat-drawn", "turn-began"} <= kinds:
        return ""
    fell = [each for each in given.entry.events if each["kind"] in KINDS]
    with drawing.reading(audience):
        text = " · ".join(sentence(drawing.its, event, drawing.name) for event in fell)
        place = list(given.after.seats).index(fell[-1]["by"]) + 1
        return chance(drawing.its, given.entry.number, place, text)
