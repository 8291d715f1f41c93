"""The buttons of rules: what each costs, when it can be pressed, and what its sheet asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from games.rules.state import GameState, Seat
from games.systems.controls import Act, Price
from games.systems.sheets import Label

from .course import Course
from .events import was_pressed
from .holders import OwnSystem, roles_in, sorts_of, team_of
from .language.meaning import TABLE, About, Button
from .language.saying import sentence
from .language.written_rules import Rule


def act(system: OwnSystem, state: GameState, rule: Rule, holder: str) -> Act:
    """The button of a rule on a holder: at once, or by the sheet that asks what else it needs."""
    button = rule.button
    assert button is not None
    sheet = f"acts/press?rule={quote(rule.name)}&on={quote(holder)}" if asks(button) else ""
    subject = TABLE if rule.of_the_gm else holder
    price = tuple(prices(system, state, button, subject))
    later = _later(state, button, holder) or not _holds(system, state, rule, subject)
    used = button.once is not None and was_pressed(state, button.once, rule.name, subject)
    value, own = f"{holder}.{rule.name}", holder != TABLE
    return Act("press", button.label, value, price, sheet, later, used, own)


def roles_to_take(system: OwnSystem, state: GameState, seat: str) -> Iterator[Act]:
    """A button for each role that nobody has, or for each, on the board of who has none."""
    roles, has = system.definition.roles, roles_in(state)
    if roles and seat not in has and not state.result:
        for role in [each for each in roles if each not in has.values()] or roles:
            yield Act("take-role", system.definition.labels.get(role, role), f"{seat}.{role}")


def roles_of(system: OwnSystem, state: GameState, seat: str) -> Mapping[str, Any]:
    """The roles, each with its players, and whether a player has one."""
    has = roles_in(state)
    roles = [
        (role, [each for each in has if has[each] == role]) for role in system.definition.roles
    ]
    return {"roles": roles, "has_role": seat in has}


def teams_of(system: OwnSystem, state: GameState, seat: str) -> Mapping[str, Any]:
    """The teams of a game that is played in teams, and whether a player could leave its own."""
    if not system.definition.teams:
        return {}
    playing = Course(system, state).playing()
    teams = dict.fromkeys(team_of(state, each) for each in playing)
    return {"teams": [*teams], "leaves": len(team_of(state, seat)) > 1}


def asks(button: Button) -> bool:
    """True if a button asks for a target or a number first."""
    return button.target is not None or button.bounds is not None


def _later(state: GameState, button: Button, holder: str) -> bool:
    """True if a button waits for its holder's turn, or for another phase."""
    turn = state.turn
    if turn is None or not (button.during or button.own_turn):
        return False
    piece = state.objects.get(holder)
    seat = piece.controller if piece else holder
    return bool(
        (button.during and (not turn.active or turn.phase not in button.during))
        or (button.own_turn and seat in state.seats and seat not in turn.active)
    )


def _holds(system: OwnSystem, state: GameState, rule: Rule, subject: str) -> bool:
    """False where a tap would be refused by the rule’s “if”, so far as nothing is asked first."""
    assert rule.button is not None
    about = About(subject, presser=subject)
    return rule.holds is None or asks(rule.button) or rule.holds(Course(system, state), about)


def prices(system: OwnSystem, state: GameState, button: Button, holder: str) -> Iterator[Price]:
    """The price of a button for its holder, as far as it is known before a press."""
    for payer, price, _rest in _costs(system, state, button, holder, 0):
        if payer == holder:
            yield price


def _costs(
    system: OwnSystem, state: GameState, button: Button, holder: str, chosen: int
) -> Iterator[tuple[str, Price, int]]:
    """What each payer pays for a button, and the rest."""
    course, about = Course(system, state), About(holder, presser=holder, chosen=chosen)
    for cost in button.costs:
        amount = cost.pay(course, about)
        for payer in cost.on(course, about):
            if amount > 0:
                has = course.count(payer, cost.of)
                left = course.above_least(payer, cost.of)
                yield payer, Price(cost.of, amount, max(0, amount - left)), has - amount


def _key(
    system: OwnSystem, state: GameState, button: Button, holder: str, n: int
) -> tuple[int, bool, str]:
    """A key of a number that a button asks for: whether all can pay, and who gets the turn by it.

    A price that takes the table's number below 0 hands it to the next player.
    """
    costs = [*_costs(system, state, button, holder, n)]
    crossing = any(payer == TABLE and rest < 0 <= rest + each.amount for payer, each, rest in costs)
    course = Course(system, state)
    seat = course.holder(About(holder)) if crossing else None
    after = course.following(seat) if seat else []
    return n, not any(each.short for _payer, each, _rest in costs), "".join(after)


def presses(system: OwnSystem, state: GameState, seat: Seat, label: Label) -> Mapping[str, Any]:
    """The buttons that ask something first, for the sheet that asks it."""
    holders = sorts_of(system.definition, state)
    buttons = [(each, on) for on, sort in holders.items() for each in buttons_on(system, sort)]
    return {"presses": [*asked_first(system, state, buttons, seat.id, label)]}


def asked_first(
    system: OwnSystem,
    state: GameState,
    buttons: Iterable[tuple[Rule, str]],
    by: str,
    label: Label,
) -> Iterator[Mapping[str, Any]]:
    """The fields of those *buttons*, each a rule and its holder, that ask something first."""
    for rule, holder in buttons:
        if rule.button and asks(rule.button):
            yield _press(system, state, rule, holder, by, label)


def _press(
    system: OwnSystem, state: GameState, rule: Rule, holder: str, by: str, label: Label
) -> dict[str, Any]:
    """The fields a button asks for.

    of: the other seat whose holder it is. targets: (id, name). bounds: of the number; empty if
    none. usual: what stands there first. numbers: a key for each if they are few.
    """
    button = rule.button
    assert button is not None
    subject = TABLE if rule.of_the_gm else holder
    course, about = Course(system, state), About(subject, presser=by)
    named = [*button.target(course, about)] if button.target else []
    bounds = [each(course, about) for each in button.bounds or ()]
    return {
        "rule": rule.name,
        "label": button.label,
        "on": holder,
        "of": course.seat_of(holder) not in (None, by, holder) and course.seat_of(holder),
        "says": rule.says
        or sentence(system.definition, system.definition.written["rules"][rule.place - 1]),
        "asks_target": button.target is not None,
        "targets": [
            (key, label(state.objects[key]) if key in state.objects else course.name_of(key) or key)
            for key in named
        ],
        "bounds": bounds,
        "usual": max(bounds[0], min(0, bounds[1])) if bounds else 0,
        "numbers": [
            _key(system, state, button, subject, n)
            for n in (range(bounds[0], bounds[1] + 1) if _are_few(bounds) else ())
        ],
    }


MOST_KEYS = 36
"""The numbers of which each has a key of its own on a button's sheet."""


def _are_few(bounds: Sequence[int]) -> bool:
    return bool(bounds) and 0 <= bounds[1] - bounds[0] < MOST_KEYS


def buttons_on(system: OwnSystem, sort: str) -> Iterator[Rule]:
    """The rules with a button on a player ("player", or a role), the table, or things of a type."""
    for rule in system.definition.rules.values():
        if rule.button and sort in rule.button.on:
            yield rule
