"""What a command would do, in a sentence, for the seat that is asked whether it may."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.rules.commands import Command
from games.rules.engine import step
from games.rules.entry import Entry
from games.rules.state import GameState
from games.rules.system import System
from games.screens.log.entry_text import worded_events
from games.screens.words import IN_BRACES

MOST = 3
"""The sentences that are told of one command."""


def says(
    system: System,
    state: GameState,
    command: Command,
    raw: Mapping[str, Any],
    names: Mapping[str, str],
) -> dict[str, str]:
    """The log's sentences about *command* if it were given now, by language. Raises Refused.

    names: of the seats. Where things may be hidden, only that something would change.
    """
    after, events = step(system, state, command)
    facts = tuple({**event.to_json(), "entry": 0} for event in events)
    entry = Entry(0, command.by, None, raw, facts)
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            told = [] if system.secrets else [*worded_events(system, state, after, entry)][:MOST]
            texts = [part.full_text for _event, part in told] or [_("change what is yours")]
            said = "; ".join(texts)
            found[language] = IN_BRACES.sub(lambda match: names.get(match[1], match[1]), said)
    return found
