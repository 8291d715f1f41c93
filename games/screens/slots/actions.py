"""Contents of the sheets of an Action and of what may follow it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from games.rules.state import GameState
from games.screens.sheets import Table
from games.screens.slots import layout, view_models
from games.screens.slots.names import outcome_word
from games.screens.slots.sheets import Sheet
from games.screens.words import Words
from games.systems.slot_counters import Move, Scale
from games.tracks.counter import GM, Counter, game_master, of_role, protagonists


def counts_as(its: Words, state: GameState, seat: str, outcome: str) -> str:
    """The meaning of an outcome for *seat*."""
    return its.slots.counts_as(outcome, of_role(state, seat, its.slots.hero))


def aftermath(
    outcome: str, who: str, prompt: str = "", chosen: Mapping[str, str] | None = None
) -> str:
    """The address of the sheet with what may follow an Action. prompt: the one that asks for it.

    chosen: the steps of the scales, and what has been done already.
    """
    asks = {"prompt": prompt} if prompt else {}
    return _address({"outcome": outcome, "who": who, **asks, **(chosen or {})})


def _address(chosen: Mapping[str, str]) -> str:
    return f"slots/after?{urlencode(chosen)}"


def without(done: Sequence[str]) -> dict[str, str]:
    """What an address of `aftermath` says of the moves that have happened, by their names."""
    return {"done": " ".join(done)} if done else {}


def moves(its: Words, outcome: str, chosen: Mapping[str, str]) -> dict[Any, dict[str, Move]]:
    """What an outcome offers at the *chosen* steps of the scales, by list and name."""
    found = {key: dict(listed) for key, listed in its.slots.after(outcome).moves.items()}
    for n, scale in enumerate(its.slots.scales):
        step = chosen.get(f"step-{n}", "")
        found = {
            key: {name: scale.scaled(move, step) for name, move in listed.items()}
            for key, listed in found.items()
        }
    return found


def ticks(its: Words, outcome: str) -> list[dict[str, Any]]:
    """What an outcome ticks, each with its slots before the scales, and `now`, at usual steps."""
    usual = {f"step-{n}": str(scale.usual) for n, scale in enumerate(its.slots.scales)}
    now = moves(its, outcome, usual)
    return [
        {
            "type": (kind := move.types[0] if len(move.types) == 1 else ""),
            "colour": its.slots.types[kind].colour if kind else "",
            "word": its.said(move.title),
            "slots": move.slots,
            "sign": move.text[:1],
            "scaled": move.verb == "fill",
            "now": now[key][name].text,
        }
        for key, listed in its.slots.after(outcome).moves.items()
        for name, move in listed.items()
    ]


def at_once(
    its: Words, state: GameState, seat: str, outcome: str, chosen: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """By the name of its move: the step for each counter that was chosen beside a scale, or is the
    only one there.
    """
    there = view_models.choices(its, state, seat)
    found = {}
    for n, scale in enumerate(its.slots.scales):
        if f"step-{n}" not in chosen:
            continue
        for listed in moves(its, outcome, chosen).values():
            for name, move in listed.items():
                fits = [each for each in there if move.fits(each) and _changes(move, each)]
                on = chosen.get(f"on-{n}") or (fits[0].id if len(fits) == 1 else "")
                if move.types == (scale.type,) and move.slots and on in {e.id for e in fits}:
                    found[name] = move.step(on)
    return found


def gaining(its: Words, state: GameState, seat: str, outcome: str) -> list[Counter]:
    """The counters that *seat* sees and that an Action with that outcome adds to."""
    to = its.slots.after(outcome).to
    return [
        each
        for each in view_models.choices(its, state, seat)
        if each.type in to and not (each.complete or each.resolved)
    ]


def of_action(table: Table) -> Sheet:
    """The seats that can act, and their outcomes."""
    its, state, seat = table.its, table.state, table.seat
    strip = {each.seat: each for each in layout.strip(its, state, seat)}
    able = protagonists(state)
    lowered = {each: _lowered(its, state, each) for each in able}
    return {
        "outcomes": [
            (
                key,
                its.said(each.word),
                its.said(each.rolled) if each.rolled else _ticks(its, key),
                each.colour,
            )
            for key, each in its.slots.outcomes.items()
        ],
        "who": [
            {
                "seat": each,
                "name": table.name(each),
                "place": place,
                "flags": strip[each].flags if each in strip else [],
                "lowered": lowered[each],
            }
            for place, each in enumerate(state.seats, start=1)
            if each in able and (each == seat or game_master(state, seat))
        ],
        "mine": seat,
        "gm": game_master(state, seat),
        "timed": any(each.counts == "actions" for each in its.slots.types.values()),
        "timers": [
            each
            for each in view_models.choices(its, state, seat)
            if each.timer and not (each.complete or each.paused or each.resolved)
        ],
    }


def _ticks(its: Words, outcome: str) -> str:
    """What an outcome offers to tick: "Goal +2, Danger +1"."""
    lists = its.slots.after(outcome).moves.values()
    return ", ".join(
        f"{its.said(e.title)}\u00a0{e.text}" for moves in lists for e in moves.values()
    )


def _lowered(its: Words, state: GameState, seat: str) -> list[tuple[str, str]]:
    """The outcomes that count as another for *seat*, each with that."""
    counted = [(each, counts_as(its, state, seat, each)) for each in its.slots.outcomes]
    named = {key: its.said(each.word) for key, each in its.slots.outcomes.items()}
    return [(named[each], named[less]) for each, less in counted if each != less]


def of_aftermath(
    its: Words, state: GameState, seat: str, who: str, outcome: str, chosen: Mapping[str, str]
) -> Sheet:
    """The possible follow-ups of an Action with that outcome, besides what is done already."""
    done = chosen.get("done", "").split()
    seen = view_models.choices(its, state, seat)
    open_to = [each for each in seen if not each.resolved and not each.inventory]
    after = its.slots.after(outcome)
    lists = [
        (key, offered)
        for key, listed in moves(its, outcome, chosen).items()
        if (
            offered := [
                found
                for name, move in listed.items()
                if name not in done and (move.slots or listed == after.moves[key])
                if (found := _move(name, move, open_to, who))
            ]
        )
    ]
    if after.once:
        for _key, offered in lists:
            for each in offered:
                each["next"] = _address({**chosen, "done": " ".join([*done, each["name"]])})
    return {
        "who": who,
        "outcome": outcome,
        "outcome_word": outcome_word(its, outcome),
        "progress": gaining(its, state, seat, outcome),
        "contribution": after.gain,
        "halve": after.halve,
        "dice": after.dice,
        "gm": game_master(state, seat),
        "scales": [
            {"word": its.said(scale.word), "steps": _steps(its, scale, f"step-{n}", chosen)}
            for n, scale in enumerate(its.slots.scales)
        ],
        "lists": lists,
        "last": after.once and sum(len(offered) for _key, offered in lists) == 1,
    }


def _steps(
    its: Words, scale: Scale, field: str, chosen: Mapping[str, str]
) -> list[tuple[str, str, bool]]:
    """The steps of a scale: each with the address of the sheet that counts by it."""
    now = chosen.get(field, str(scale.usual))
    return [
        (its.said(word), _address({**chosen, field: str(n)}), str(n) == now)
        for n, (word, _adds) in enumerate(scale.steps)
    ]


def _move(name: str, move: Move, counters: list[Counter], who: str) -> Sheet | None:
    """The move with the counters that it could move; None if it needs one and there is none."""
    fitting = [
        each for each in counters if move.fits(each) and _meant(move, each) and _changes(move, each)
    ]
    if not fitting and (move.types or move.roles):
        return None
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


def _changes(move: Move, counter: Counter) -> bool:
    """True if filling or emptying it does anything; what else a move does, its verb says."""
    return (
        bool(counter.filled)
        if move.verb == "clear"
        else not (move.verb == "fill" and counter.complete)
    )
