"""Results of dice, coins and drawn seats in words, for the screens and the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later

from games.rules.history import Applied
from games.screens.fragments import OOB
from games.screens.looks import looks
from games.screens.words import word_for

KINDS = frozenset({"thrown", "tossed", "seat-drawn"})
SIDES = {"heads": later("heads"), "tails": later("tails")}

Named = Callable[[str], str]
"""The name of a seat by its id."""


def sentence_without_actor(event: Mapping[str, Any], name: Named) -> str:
    """The result without the player: "rolled 2d6: 3 + 5 = 8"."""
    if event["kind"] == "thrown":
        dice = word_for(event["dice"]) if "symbol" in event else event["dice"]
        facts = {"dice": dice, "fell": result_text(event)}
        text = _("rolled %(dice)s: %(fell)s") % facts
    elif event["kind"] == "tossed":
        text = _("tossed a coin: %(side)s") % {"side": _(SIDES[event["result"]])}
    elif event["by_hand"]:
        return _("picked a player at the table: %(who)s") % {"who": name(event["seat"])}
    else:
        text = _("picked a player at random: %(who)s") % {"who": name(event["seat"])}
    return _("%(what)s (by hand)") % {"what": text} if event["by_hand"] else text


def result_text(event: Mapping[str, Any]) -> str:
    """What the dice show: "14", "3 + 5 = 8"; on a die with symbols its word."""
    if "symbol" in event:
        return word_for(event["symbol"])
    dice = event["result"]
    if len(dice) == 1:
        return str(dice[0])
    return f"{' + '.join(map(str, dice))} = {event['total']}"


def sentence(event: Mapping[str, Any], name: Named) -> str:
    """The whole result as a sentence: "Ana rolled 2d6: 3 + 5 = 8"."""
    return f"{name(event['by'])} {sentence_without_actor(event, name)}"


def result_fragment(given: Applied, name: Named) -> str:
    """The results just now, as a fragment that every screen shows for a moment."""
    assert given.entry is not None
    events = [each for each in given.entry.events if each["kind"] in KINDS]
    text = " · ".join(sentence(event, name) for event in events)
    place = list(given.after.seats).index(events[-1]["by"]) + 1
    facts = f'data-entry="{given.entry.number}" {looks(place)}'
    return f'<p id="chance" {facts} hidden{OOB}>{escape(text)}</p>'
