"""What chance said, in words: on every screen at once and in the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later

from games.rules.history import Applied
from games.screens.fragments import OOB

KINDS = frozenset({"thrown", "tossed", "seat-drawn"})
SIDES = {"heads": later("heads"), "tails": later("tails")}

Named = Callable[[str], str]
"""How a seat is called."""


def said(event: Mapping[str, Any], name: Named) -> str:
    """The fact without who did it: "rolled 2d6: 3 + 5 = 8"."""
    if event["kind"] == "thrown":
        fell = {"dice": event["dice"], "fell": fell_as(event)}
        text = _("rolled %(dice)s: %(fell)s") % fell
    elif event["kind"] == "tossed":
        text = _("tossed a coin: %(side)s") % {"side": _(SIDES[event["result"]])}
    else:
        text = _("drew a seat: %(who)s") % {"who": name(event["seat"])}
    return _("%(what)s (by hand)") % {"what": text} if event["by_hand"] else text


def fell_as(event: Mapping[str, Any]) -> str:
    """How dice fell: "14", "3 + 5 = 8"."""
    dice = event["result"]
    if len(dice) == 1:
        return str(dice[0])
    return f"{' + '.join(map(str, dice))} = {event['total']}"


def told(event: Mapping[str, Any], name: Named) -> str:
    """The whole fact as one sentence for everybody: "Ana rolled 2d6: 3 + 5 = 8"."""
    return f"{name(event['by'])} {said(event, name)}"


def fragment(given: Applied, name: Named) -> str:
    """What chance said just now, as every screen is sent it to be shown for a moment."""
    assert given.entry is not None
    events = [each for each in given.entry.events if each["kind"] in KINDS]
    text = " · ".join(told(event, name) for event in events)
    place = list(given.after.seats).index(events[-1]["by"]) + 1
    facts = f'data-entry="{given.entry.number}" data-place="{place}"'
    return f'<p id="chance" {facts} hidden{OOB}>{escape(text)}</p>'
