"""Numbers that change alone, as with most taps: only what was touched is looked at."""

from __future__ import annotations

from operator import attrgetter, is_not

from games.rules.history import Applied
from games.rules.state import GameObject, GameState
from games.screens.cards import cards, seats
from games.screens.drawing import Drawing
from games.screens.fragments import OOB, amount

AROUND = attrgetter("objects", "turn", "prompts", "result", "teams", "slot_counters", "standings")
"""The parts of a state that are no numbers of seats and cards."""


def numbers_only(drawing: Drawing, given: Applied) -> str | None:
    """The numbers that changed, if nothing else may look different, or nothing; else None."""
    before, after = given.before, given.after
    if before is after:
        return ""
    if not _counted(given):
        return None
    found = [] if before.seats is after.seats else _fields(drawing, before, after)
    if found is None or before.counters is after.counters:
        return None if found is None else "".join(found)
    for holder in given.touched or ():
        numbers = _counters(drawing, before, after, holder)
        if numbers is None:
            return None
        found += numbers
    return "".join(found)


def _counted(given: Applied) -> bool:
    """True if only numbers of seats and cards changed, none of a team, and the game goes on.

    What a team shares is turned on the panel of its first player; questions and the end tell
    numbers, too, and what a state counts apart may decide what can be done.
    """
    before, after, touched = given.before, given.after, given.touched
    if (
        touched is None
        or after.result
        or after.prompts
        or any(map(is_not, AROUND(before), AROUND(after)))
    ):
        return False
    if before.parts is not after.parts and before.parts != after.parts:
        return False
    return not (after.teams and any(each.startswith("team:") for each in touched))


def _fields(drawing: Drawing, before: GameState, after: GameState) -> list[str] | None:
    """The plain numbers of seats that differ; None if anything else of a seat does, or if something
    that waits, stands or is over may say more."""
    if not _undisturbed(drawing, after) or before.seats.keys() != after.seats.keys():
        return None
    found = []
    for seat, now in after.seats.items():
        was = before.seats[seat]
        if was is now:
            continue
        for name in now.__struct_fields__:
            if getattr(was, name) != (n := getattr(now, name)):
                if now.lost or name not in drawing.presentation.board.plain:
                    return None
                found.append(amount(seat, name, n, OOB))
    return found


def _undisturbed(drawing: Drawing, state: GameState) -> bool:
    """True if no standing effect or count of a phase may depend on a number."""
    counting = drawing.presentation.board.counting_phases
    if state.turn and state.turn.phase in counting:
        return False
    return not state.standings


def _counters(
    drawing: Drawing, before: GameState, after: GameState, holder: str
) -> list[str] | None:
    """The generic counters on *holder* that differ; None if more may."""
    had, has = before.on(holder), after.on(holder)
    if had.keys() != has.keys() or seats.of_the_table(after, holder):
        return None
    numbers = []
    for kind, n in has.items():
        if n != had[kind]:
            if kind in drawing.special:
                return None
            numbers.append(amount(holder, kind, n, OOB))
    if drawing.stacks.alone(after, holder):
        return numbers
    row = drawing.stacks.row(after, holder)
    if row != drawing.stacks.row(before, holder):
        return None
    return numbers if row[0] == holder else []


def turned_card(drawing: Drawing, given: Applied) -> str | None:
    """The numbers that changed, in the active language, if one plain number of a card did and
    nothing else.

    The card and its player's panel are then shown as before, with that number as it is by now.
    """
    before, after, plain = given.before, given.after, drawing.presentation.board.plain
    touched = [*(given.touched or ())] if plain and before.seats is after.seats else []
    if len(touched) != 1:
        return None
    holder = touched[0]
    obj, had, has = after.objects.get(holder), before.on(holder), after.on(holder)
    changed = [kind for kind, n in has.items() if n != had.get(kind)]
    if obj is None or len(changed) != 1 or changed[0] not in plain or len(had) != len(has):
        return None
    if not (
        changed[0] in had
        and _counted(given)
        and _undisturbed(drawing, after)
        and _keeps_to_itself(drawing, before, after, obj)
    ):
        return None
    shown = amount(holder, changed[0], has[changed[0]], OOB)
    shown += cards.turn(drawing, before, after, obj, changed[0])
    return shown + seats.turn(drawing, before, after, obj, changed[0])


def _keeps_to_itself(
    drawing: Drawing, before: GameState, after: GameState, obj: GameObject
) -> bool:
    """True if the numbers of *obj* show on it and its player's panel alone."""
    return (
        obj.on_field
        and obj.owner == obj.controller
        and not after.seats[obj.owner].lost
        and not after.teams
        and drawing.stacks.alone(after, obj.id)
        and not drawing.presentation.board.shown_by_all(before, after, obj.id)
    )
