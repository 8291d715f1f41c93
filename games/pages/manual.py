"""The help page: what the table shows, the ten things one does, and the rules of each game."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as later
from django.views.decorators.http import require_GET

from games.systems import SYSTEMS

PICTURED = ("en", "es", "de")
"""The languages of the pictures (`docs/screenshots/help.py`); the first is for all others."""
SHOWN = (
    later(
        "Whose turn it is, and its step. Beside it: help, dice, the log, and the menu for the rest."
    ),
    later("Everyone’s big number, and whatever else is not zero. The lit one has the turn."),
    later("The cards of the player you look at: their counters, and what the game works out."),
    later("Your own big number. It stays under your thumb, whoever you look at."),
    later("Your other numbers and signs. One tap opens each, or gives it to you."),
    later("Undo, which says what it takes back."),
    later("What comes next, or whose turn it is."),
)
"""The meanings of the numbers in the picture of the table, in their order."""
THINGS = (
    ("sit", later("Sit down"), later(
        "Scan the QR code, or open the address and type the code. Say your name and you play: "
        "the seat stays yours through reloads, sleep and a dead battery."
    )),
    ("number", later("Change a number"), later(
        "Tap right of it for more, left of it for less. Hold for tens. Tap the number itself to "
        "type. Below it you may say from whom it came."
    )),
    ("undo", later("Take it back"), later(
        "Undo takes back your last tap and says which. In the log every line has its own undo; "
        "what followed from it is worked out again."
    )),
    ("next", later("Pass the turn"), later(
        "The wide button does what comes next. Every phone says whose turn it is, and what "
        "happened by itself as it began."
    )),
    ("others", later("Look at somebody"), later(
        "Tap a player at the top: their cards and numbers come into view, and you can change "
        "those, too. Their phone says who did it."
    )),
    ("add", later("Add a card"), later(
        "Only what you count something on needs to be here. Its sort is enough; a name if it "
        "matters, and copies with the + at the bottom."
    )),
    ("card", later("Count on a card"), later(
        "Tap a counter to change it, or a card’s name for all that can be done with it: the usual "
        "things first, big enough for a thumb."
    )),
    ("asked", later("Answer a question"), later(
        "When the rules need to know something, the phone of the player who knows it asks, with "
        "what each answer leads to. The others see who is asked."
    )),
    ("why", later("Ask why"), later(
        "What the rules did by themselves stands in the log. Why? opens the rule, with its number."
    )),
    ("dice", later("Roll, toss, draw lots"), later(
        "Dice, a coin, and who begins: everyone sees the same result, and the log keeps it. The "
        "clock for rounds and turns is there, too."
    )),
)  # fmt: skip
"""The ten things, each with the name of its picture."""
HEIGHTS = {"undo": 136}
"""The pictures that are not as tall as the others, in the CSS pixels of a phone."""
TROUBLE = (
    (later("A phone does not find the table"), later(
        "It must be in the same Wi-Fi, not the guests’ one and not on mobile data."
    )),
    (later("The connection is gone"), later(
        "Keep tapping: your taps wait on the phone and are sent once it is back."
    )),
    (later("Another phone, or a dead one"), later(
        "Open the invitation on the other phone and tap “That’s my seat”; anyone at the table "
        "lets you in."
    )),
    (later("Someone comes late"), later(
        "The same QR code: when every seat is taken, it asks between whom they put their chair."
    )),
    (later("A number is simply wrong"), later(
        "Tap it: “Correct to this” sets it, and brings back who was out by mistake."
    )),
    (later("The host is gone"), later(
        "After a minute the next seat stands in until they are back."
    )),
)  # fmt: skip


@require_GET
def manual(request: HttpRequest) -> HttpResponse:
    """The manual for a beginner. Without a language of their own, its pictures are in English."""
    language = (get_language() or "").partition("-")[0]
    language = language if language in PICTURED else PICTURED[0]

    def picture(name: str, height: int) -> dict[str, Any]:
        dark, light = (static(f"help/{language}/{name}{end}.webp") for end in ("", "-light"))
        return {"dark": dark, "light": light, "height": height}

    context = {
        "table": picture("table", 844),
        "shown": SHOWN,
        "things": [
            {"picture": picture(name, HEIGHTS.get(name, 210)), "title": title, "says": says}
            for name, title, says in THINGS
        ],
        "systems": [newest for newest, *_older in SYSTEMS.values()],
        "trouble": TROUBLE,
    }
    return render(request, "pages/manual.html", context)
