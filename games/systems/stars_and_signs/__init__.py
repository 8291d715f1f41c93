"""Stars and Signs: slot counters, with secrets of the GM and of the players.

Source: core rules, "Counters" (2025-12), with our rulings where the text is silent; see `rules`.

Its counters and secrets are those of `games.tracks`; its own are Despair (`suffering`) and
Milestones (`checklist`). The screens offer what is in `templates`, `checklist` and `referee`.
"""

from __future__ import annotations

from games.rules.state import Components
from games.rules.system import Rulebook, System, Verb
from games.tracks import filling, play, table, verbs
from games.tracks.counter import Counter, Player, derived, gm_only

from . import checklist, referee, suffering
from .rules import EDITION, NOT_TRACKED, RULES, SETTINGS

CURRENT = System(
    name="stars-and-signs",
    title="Stars and Signs",
    sentence="Slot counters for a tabletop game, with a GM screen and secrets that stay secret.",
    edition=EDITION,
    rulebook=Rulebook(
        document="Core rules, “Counters”, December 2025",
        rules=RULES,
        not_tracked=NOT_TRACKED,
        settings=SETTINGS,
        translated=frozenset({"de", "es"}),
    ),
    components=Components(seat=Player, slot_counter=Counter),
    opening=table.opening,
    verbs={
        **verbs.VERBS,
        "suffer": Verb(suffering.Suffer, suffering.suffer, filling.may_fill),
        "action": Verb(referee.Action, play.act, play.may_act),
        "milestone": Verb(checklist.Milestone, checklist.reach_milestone, gm_only),
        "end-session": Verb(checklist.EndSession, checklist.end_session, gm_only),
    },
    automatic=verbs.AUTOMATIC,
    seating=verbs.SEATING,
    secrets=verbs.secrets(),
    derived=derived,
)

EDITIONS = (CURRENT,)
