"""The rules of a game with a GM as text, beside those of own games and of a table's set."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.state import marked as _
from games.rules.system import Rule

DOCUMENT, EDITION = "Own games", "1"


def _own(text: str) -> Rule:
    return Rule(text, DOCUMENT, EDITION)


RULES: Mapping[str, Rule] = {
    "GM 1": _own(_("A game with a GM has no result, and the GM is no player.")),
    "GM 2": _own(
        _("A track’s number is what people read; a cost of it is paid in full or not at all.")
    ),
    "GM 3": _own(_("What happens to tracks in play sets off rules once all of it has happened.")),
    "GM 5": _own(_("A rule shows, hides and makes tracks, and puts and ends conditions on them.")),
    "GM 6": _own(_("What a rule does is heard by each seat as if the GM had done it by hand.")),
}
