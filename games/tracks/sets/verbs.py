"""The verbs of a table with a set, and what a seat may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...rules.entry import Entry, EntryView
from ...rules.events import Event
from ...rules.state import GameState
from ...rules.system import System, Verb
from .. import entry_views, filling, permissions, play, verbs
from .. import making as shared
from .. import views as seen
from ..counter import gm_only
from . import conditions, fight, making, outcomes


def views(
    system: System,
    before: GameState,
    after: GameState,
    entry: Entry,
    events: Sequence[Event],
    of: Sequence[Entry],
) -> dict[str, EntryView | None]:
    """By audience, what it hears of *entry*: the turn that it is shown, too."""
    return entry_views.views(system, before, after, entry, events, of, fight.shown)


def view(
    system: System, state: GameState, seat: str | None, entries: Sequence[Entry]
) -> dict[str, Any]:
    """Everything that *seat* may see, the turn order too."""
    return {**seen.view(system, state, seat, entries), "fight": fight.shown(state, seat)}


VERBS: Mapping[str, Verb] = {
    **verbs.VERBS,
    "restart": Verb(making.Restart, filling.restart, filling.may_change),
    "create": Verb(making.Create, shared.create, shared.may_create),
    "edit": Verb(making.Edit, shared.edit, shared.may_edit),
    "allow": Verb(making.Allow, permissions.allow, gm_only),
    "action": Verb(play.Action, outcomes.act, play.may_act),
    "fight": Verb(fight.Fight, fight.fight, gm_only),
    "next-turn": Verb(fight.NextTurn, fight.next_turn, gm_only),
    "finish-turn": Verb(fight.Done, fight.be_done, fight.may_be_done),
    "afflict": Verb(conditions.Afflict, conditions.afflict, conditions.may_afflict),
    "relieve": Verb(conditions.Relieve, conditions.relieve, conditions.may_afflict),
}
