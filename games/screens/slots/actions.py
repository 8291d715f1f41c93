"""Contents of the sheets of an Action and of what may follow it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.utils.translation import gettext

from games.rules.slots.counter import GM, Counter, game_master, of_role, protagonists
from games.rules.state import GameState
from games.screens.slots import layout, view_models
from games.screens.slots.its import its, outcome_word
from games.screens.slots.sheets import Sheet
from games.systems.slot_counters import Move


def counts_as(state: GameState, seat: str, outcome: str) -> str:
    """The meaning of an outcome for *seat*."""
    return its().counts_as(outcome, of_role(state, seat, its().hero))


def aftermath(outcome: str, who: str, prompt: str = "") -> str:
    """The address of the sheet with what may follow an Action. prompt: the one that asks for it."""
    about = {"outcome": outcome, "who": who, **({"prompt": prompt} if prompt else {})}
    return f"slots/after?{urlencode(about)}"


def contributes(state: GameState, seat: str, outcome: str) -> bool:
    """True if an Action with that outcome may add to a counter that *seat* sees."""
    return any(_gaining(state, seat, outcome))


def _gaining(state: GameState, seat: str, outcome: str) -> list[Counter]:
    """The counters that *seat* sees and that an Action with that outcome adds to."""
    to = its().after(outcome).to
    return [
        each
        for each in view_models.choices(state, seat)
        if each.type in to and not (each.complete or each.resolved)
    ]


def of_action(state: GameState, seat: str, names: Mapping[str, str]) -> Sheet:
    """The seats that can act, and their outcomes."""
    strip = {each.seat: each for each in layout.strip(state, seat)}
    able = protagonists(state)
    lowered = {each: _lowered(state, each) for each in able}
    return {
        "outcomes": [
            (
                key,
                gettext(each.word),
                gettext(each.rolled) if each.rolled else _ticks(key),
                each.colour,
            )
            for key, each in its().outcomes.items()
        ],
        "who": [
            {
                "seat": each,
                "name": names.get(each, each),
                "place": place,
                "flags": strip[each].flags if each in strip else [],
                "lowered": lowered[each],
            }
            for place, each in enumerate(state.seats, start=1)
            if each in able and (each == seat or game_master(state, seat))
        ],
        "mine": seat,
        "gm": game_master(state, seat),
        "timed": any(each.counts == "actions" for each in its().types.values()),
        "timers": [
            each
            for each in view_models.choices(state, seat)
            if each.timer and not (each.complete or each.paused or each.resolved)
        ],
    }


def _ticks(outcome: str) -> str:
    """What an outcome offers to tick: "Goal +2, Danger +1"."""
    lists = its().after(outcome).moves.values()
    return ", ".join(f"{gettext(e.title)} {e.text}" for moves in lists for e in moves.values())


def _lowered(state: GameState, seat: str) -> list[tuple[str, str]]:
    """The outcomes that count as another for *seat*, each with that."""
    counted = [(each, counts_as(state, seat, each)) for each in its().outcomes]
    named = {key: gettext(each.word) for key, each in its().outcomes.items()}
    return [(named[each], named[less]) for each, less in counted if each != less]


def of_aftermath(state: GameState, seat: str, who: str, outcome: str) -> Sheet:
    """The possible follow-ups of an Action with that outcome."""
    seen = view_models.choices(state, seat)
    open_to = [each for each in seen if not each.resolved and not each.inventory]
    after = its().after(outcome)
    return {
        "who": who,
        "outcome": outcome,
        "outcome_word": outcome_word(outcome),
        "progress": _gaining(state, seat, outcome),
        "contribution": after.gain,
        "halve": after.halve,
        "dice": after.dice,
        "gm": game_master(state, seat),
        "lists": [
            (key, [_move(name, move, open_to, who) for name, move in moves.items()])
            for key, moves in after.moves.items()
        ],
    }


def _move(name: str, move: Move, counters: list[Counter], who: str) -> Sheet:
    fitting = [each for each in counters if move.fits(each) and _meant(move, each)]
    near = [each for each in fitting if each.owner in (who, None, GM)]
    return {
        "name": name,
        "move": move,
        "counters": sorted(near, key=lambda each: each.owner != who),
        "others": [each for each in fitting if each not in near],
        "hidden": [each for each in counters if each.visibility != "open"] if move.reveals else [],
    }


def _meant(move: Move, counter: Counter) -> bool:
    """True if the move is about this counter: a protagonist's Despair is not the scene's Danger."""
    return counter.role in move.roles or counter.role is None or counter.resource
