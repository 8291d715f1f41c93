"""The outcome of a command, and the answer to its sender."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext_noop as _

from games.rules.history import Applied
from games.rules.state import Refused
from games.store import disk

Outcome = Applied | Refused
"""The outcome of a command; an `Applied` without an entry if its id was accepted before."""
Reply = Callable[[Outcome], None]
"""Answers the sender of a command once the outcome is on disk."""


def id_of(outcome: Outcome) -> str | None:
    """The id of the command that was accepted with this *outcome*; None if there is none."""
    return outcome.entry.id if isinstance(outcome, Applied) and outcome.entry else None


def not_saved() -> Refused:
    """The answer to a sender whose command could not be written to disk."""
    if disk.full():
        sentence = _("The server’s disk is full, so nothing was changed. Make room on it first.")
        return Refused("not-saved", sentence)
    return Refused("not-saved", _("That couldn’t be saved, so nothing was changed. Try again."))
