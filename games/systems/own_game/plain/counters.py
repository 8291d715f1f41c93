"""The counters that most games without rules use."""

from __future__ import annotations

from games.rules.state import marked_for as pgettext

POINTS = "points"
LEADING = (POINTS, "victory points", "life")
"""The kinds that a game is usually about, the likeliest first."""
COUNTERS = frozenset(
    {
        pgettext("counter", "points"),
        pgettext("counter", "life"),
        pgettext("counter", "coins"),
        pgettext("counter", "energy"),
        pgettext("counter", "victory points"),
    }
)
PICTURED = frozenset({"life", "energy"})
