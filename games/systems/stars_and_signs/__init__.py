"""Stars and Signs: slot counters, with secrets of the GM and of the players.

Source: core rules, "Counters" (2025-12), with our rulings where the text is silent; see `rules`.

Whole slots are filled (`slots`, `items`); `course` has what follows from that, `counter` who sees
and who may act, `seen` everything that a screen shows. The screens offer what is in `templates`,
`checklist` and `referee`.
"""

from __future__ import annotations

from games.rules import dice
from games.rules.system import PrivateLog, Secrets, System, Verb

from . import (
    follow_ups,
    hearing,
    items,
    making,
    notes,
    permissions,
    play,
    rolls,
    scenes,
    seen,
    slots,
    table,
)
from .counter import Counter, Player, derived, game_master
from .rules import EDITION, NOT_TRACKED, RULES, SETTINGS

CURRENT = System(
    name="stars-and-signs",
    title="Stars and Signs",
    sentence="Slot counters for a tabletop game, with a GM screen and secrets that stay secret.",
    edition=EDITION,
    document="Core rules, “Counters”, December 2025",
    seat=Player,
    slot_counter=Counter,
    rules=RULES,
    not_tracked=NOT_TRACKED,
    settings=SETTINGS,
    verbs={
        "fill": Verb(slots.Fill, slots.fill, slots.may_fill),
        "suffer": Verb(slots.Suffer, slots.suffer, slots.may_fill),
        "spend": Verb(slots.Spend, slots.spend, slots.may_spend),
        "clear": Verb(slots.Clear, slots.empty, slots.may_clear),
        "add-temporary": Verb(slots.AddTemporary, slots.grow, slots.may_change),
        "correct": Verb(slots.Correct, slots.correct, slots.may_correct),
        "roll": Verb(rolls.Roll, rolls.roll, rolls.may_roll, served=True),
        "restart": Verb(slots.Restart, slots.restart, slots.may_change),
        "put": Verb(items.Put, items.put, items.may_move_items),
        "take": Verb(items.Take, items.take, items.may_move_items),
        "swap": Verb(items.Swap, items.swap, items.may_move_items),
        "give": Verb(items.Give, items.give, items.may_give),
        "describe": Verb(items.Describe, items.describe, items.may_describe),
        "create": Verb(making.Create, making.create, making.may_create),
        "edit": Verb(making.Edit, making.edit, making.may_edit),
        "arrange": Verb(making.Arrange, making.arrange, making.may_arrange),
        "scene": Verb(scenes.SetScene, scenes.set_scene, scenes.may_set_scene),
        "resolve": Verb(making.Resolve, making.resolve, making.may_resolve),
        "discard": Verb(making.Discard, making.discard, making.may_discard),
        "share-past": Verb(making.SharePast, making.share_past, making.may_share_past),
        "make-way": Verb(making.MakeWay, making.make_way, served=True),
        "action": Verb(play.Action, play.act, play.may_act),
        "together": Verb(play.Together, play.together),
        "milestone": Verb(play.Milestone, play.reach_milestone, play.may_reach),
        "allow": Verb(permissions.Allow, permissions.allow, permissions.may_allow),
        "appoint": Verb(play.Appoint, play.appoint, play.may_appoint),
        "add-co-gm": Verb(play.AddCoGM, play.add_co_gm, play.may_add_co_gm),
        "propose": Verb(play.Propose, play.propose, play.may_propose),
        "answer": Verb(play.Answer, play.answer, play.may_answer),
        "withdraw": Verb(play.Withdraw, play.withdraw, play.may_withdraw),
        "dismiss": Verb(follow_ups.Dismiss, follow_ups.dismiss, follow_ups.may_dismiss),
        "note": Verb(notes.NoteDown, notes.note_down, notes.may_note),
        "note-makes-way": Verb(notes.NoteMakesWay, notes.note_makes_way, served=True),
        "amend": Verb(notes.Amend, notes.amend, notes.may_amend),
        "strike": Verb(notes.Strike, notes.strike, notes.may_strike),
        **dice.WITHOUT_TURNS,
    },
    default_by=table.default_by,
    may_undo=table.may_undo,
    reversed=table.retracted,
    derived=derived,
    opening=table.opening,
    translated=frozenset({"es"}),
    secrets=Secrets(
        log=PrivateLog(
            knows=game_master,
            view=seen.view,
            sees=seen.sees,
            hears=hearing.hears,
            in_the_way=making.in_the_way,
        )
    ),
    rematch=table.rematch,
)

EDITIONS = (CURRENT,)
