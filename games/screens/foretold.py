"""What a command would become where cards change numbers on their way in, before it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.engine import head, read, step
from games.rules.state import GameState, Refused
from games.rules.system import Entry, System
from games.screens.log.sentences import told
from games.screens.words import IN_BRACES
from games.systems import presentation_of

Json = Mapping[str, Any]


def foretold(system: System, state: GameState, raw: Json, names: Mapping[str, str]) -> list[str]:
    """The sentences of the log about the numbers that *raw* would change, if it were given now.

    Nothing if it is refused, or if every number is put as it is. Nothing is stored.
    """
    presentation = presentation_of(system)
    if raw.get("do") not in system.verbs:
        return []
    given = presentation.completed(system, state, raw)
    try:
        command = read(system, given, head(system, state, given).by)
        after, events = step(system, state, command)
    except Refused:
        return []
    facts = tuple(
        {**event.to_json(), "entry": 0} for event in events if event.kind in presentation.foretold
    )
    entry = Entry(0, command.by, None, given, facts)
    texts = [part.text for _event, part in told(system, state, after, entry)]
    return [IN_BRACES.sub(lambda found: names.get(found[1], found[1]), text) for text in texts]
