"""Verbs, house rules, seating and secrets that all games with slot counters share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..rules import dice
from ..rules.commands import Reader
from ..rules.system import Automatic, PrivateLog, Seating, Secrets, Setting, Verb
from . import (
    entry_views,
    filling,
    follow_ups,
    items,
    making,
    notes,
    permissions,
    play,
    rolls,
    scenes,
    session,
    table,
)
from .counter import game_master, gm_only
from .views import sees
from .views import view as whole_view

VERBS: Mapping[str, Verb] = {
    "fill": Verb(filling.Fill, filling.fill, filling.may_fill),
    "spend": Verb(filling.Spend, filling.spend, filling.may_spend),
    "clear": Verb(filling.Clear, filling.empty, filling.may_clear),
    "add-temporary": Verb(filling.AddTemporary, filling.grow, filling.may_change),
    "correct": Verb(filling.Correct, filling.correct, gm_only),
    "roll": Verb(rolls.Roll, rolls.roll, rolls.may_roll, served=True),
    "restart": Verb(filling.Restart, filling.restart, filling.may_change),
    "put": Verb(items.Put, items.put, items.may_move_items),
    "take": Verb(items.Take, items.take, items.may_move_items),
    "swap": Verb(items.Swap, items.swap, items.may_move_items),
    "give": Verb(items.Give, items.give, items.may_give),
    "describe": Verb(items.Describe, items.describe, items.may_describe),
    "create": Verb(making.Create, making.create, making.may_create),
    "edit": Verb(making.Edit, making.edit, making.may_edit),
    "arrange": Verb(making.Arrange, making.arrange, making.may_arrange),
    "scene": Verb(scenes.SetScene, scenes.set_scene, gm_only),
    "resolve": Verb(making.Resolve, making.resolve, gm_only),
    "discard": Verb(making.Discard, making.discard, making.may_discard),
    "share-past": Verb(making.SharePast, making.share_past, gm_only),
    "make-way": Verb(making.MakeWay, making.make_way, served=True),
    "action": Verb(play.Action, play.act, play.may_act),
    "together": Verb(play.Together, play.together),
    "end-session": Verb(session.EndSession, session.end_session, gm_only),
    "allow": Verb(permissions.Allow, permissions.allow, gm_only),
    "appoint": Verb(play.Appoint, play.appoint, play.may_appoint),
    "add-co-gm": Verb(play.AddCoGM, play.add_co_gm, play.may_add_co_gm),
    "propose": Verb(play.Propose, play.propose, play.may_propose),
    "answer": Verb(play.Answer, play.answer, gm_only),
    "withdraw": Verb(play.Withdraw, play.withdraw, play.may_withdraw),
    "dismiss": Verb(follow_ups.Dismiss, follow_ups.dismiss, gm_only),
    "note": Verb(notes.NoteDown, notes.note_down, notes.may_note),
    "note-makes-way": Verb(notes.NoteMakesWay, notes.note_makes_way, served=True),
    "amend": Verb(notes.Amend, notes.amend, notes.may_amend),
    "strike": Verb(notes.Strike, notes.strike, notes.may_strike),
    **dice.WITHOUT_TURNS,
}
"""The verbs; a game replaces those whose commands take more there, and adds its own."""

AUTOMATIC = Automatic(reversed=table.retracted)


class GMSeating(Seating, frozen=True):
    """A GM in the first seat."""

    default_by = staticmethod(table.default_by)
    may_undo = staticmethod(table.may_undo)
    rematch = staticmethod(table.rematch)


SEATING = GMSeating()


def secrets(
    view: Callable[..., dict[str, Any]] = whole_view,
    views: Callable[..., Any] = entry_views.views,
    kind: type[PrivateLog] = PrivateLog,
) -> Secrets:
    """The secrets between the GM and the seats. view, views: a game's own, as in `PrivateLog`, of
    which it may have its own kind."""
    blocked = making.in_the_way
    log = kind(knows=game_master, view=view, sees=sees, views=views, in_the_way=blocked)
    return Secrets(log=log)


def settings(by_type: Reader) -> Mapping[str, Setting]:
    """The house rules. by_type: reads what is settled for each type of counters."""
    return {
        "temporary_first": Setting((True, False), "Are temporary slots filled before others (R5)?"),
        "players_spend_partly": Setting(
            (False, True), "May players spend what is left when a cost is too high (R7)?"
        ),
        "clear_points_round": Setting(
            ("down", "up"), "Are points that clear rounded down or up to whole slots (R9)?"
        ),
        "overflow_counts_as_gain": Setting(
            (False, True), "Does overflow on completion count as a gain while full (R4)?"
        ),
        "timers_advance": Setting((True, False), "Does every Action advance the timers (R8)?"),
        "permissions": Setting(
            ({},), "Who may act on the table’s counters without asking (R28)?", by_type
        ),
    }
