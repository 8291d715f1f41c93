"""The rules that a table with a GM writes: what each counts as a form, and all of it as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from games.rules.slots.sets import definition as sets
from games.rules.slots.sets.plain import PLAIN
from games.rules.state import Phrase
from games.rules.state import marked as _
from games.systems.new_game import Draft

from ..language.definition import DEFINITION, understood
from ..language.reading import Fault
from ..writing import page
from ..writing.draft import posted
from . import form, one_line
from .sentences import lines

OF_THE_DEFINITION = frozenset({"title", "about", "aliases"})
"""The keys of a set that a definition has itself."""


def draft(chosen: Mapping[str, str], ready: Mapping[str, Any] | None) -> Draft:
    """The draft in the fields of the page: a *ready* game, or what is written there so far, with a
    GM or without one.
    """
    found = posted(chosen, "definition")
    written = found if found and isinstance(found, dict) else ready
    return of_led(chosen, written) if written and "gm" in written else page.draft(chosen, ready)


def of_led(chosen: Mapping[str, str], written: Mapping[str, Any]) -> Draft:
    """The draft of a game with a GM, as the form has it by now."""
    try:
        understood(written)
    except Fault:
        unreadable = _("This game can’t be read.")
        return Draft({DEFINITION: _with_set({}, PLAIN)}, faults=(unreadable,))
    for_any = one_line.is_for_any(written)
    written, faults = one_line.begun(chosen, written)
    rows = form.typed(chosen)
    if rows:
        try:
            changed = _with_set(written, form.filled(set_of(written), rows))
            understood(changed)
            written = changed
        except sets.Fault as fault:
            faults = [*form.faults(rows, fault)]
        except Fault as fault:
            faults = [Phrase(_("This cannot be read: “{place}”."), place=fault.place)]
    definition = understood(written)
    usual = form.rows(set_of(written))
    shown = {
        "text": json.dumps(written, ensure_ascii=False, indent=1),
        "definition": json.dumps(written, ensure_ascii=False, separators=(",", ":")),
        "sentences": [*lines(definition.set).values()],
        "explained": page.explained(definition),
        "rows": {**usual, **rows} if faults else usual,
        "open": chosen.get("open", "ready"),
        "again": chosen.get("again", ""),
        "asks": {key: chosen.get(key, "") for key in ("title", "counts")} if for_any else None,
        "looks": form.LOOKS.items(),
        "counts": form.COUNTS.items(),
        "seen": form.SEEN.items(),
        "colours": form.COLOURS.items(),
    }
    return Draft({DEFINITION: written}, tuple(faults), shown)


def set_of(written: Mapping[str, Any]) -> dict[str, Any]:
    """What the GM's table counts, as a set of its own."""
    return {"title": written["title"], "types": PLAIN["types"], **written["gm"]}


def _with_set(written: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """The definition with another set."""
    gm = {key: part for key, part in made.items() if key not in OF_THE_DEFINITION}
    return {**written, "title": made["title"], "gm": gm}
