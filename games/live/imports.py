"""Games from files. A server has a helper process resolve and write them (`files`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from django.db import IntegrityError
from django.utils.translation import gettext as _

from games.models import Game
from games.rules import record
from games.rules.input import UNPRINTABLE, read_json, wrong_json
from games.rules.names import MOST, told_apart, visible
from games.rules.scenario import SpecificationError
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.boards import board
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.words import PLAIN
from games.store import rows, threads
from games.systems import current, named_by

T = TypeVar("T")

MOST_SECONDS = 60.0
"""Seconds of computing that a file may take; the longest evening takes a tenth of that."""

UNPLAYABLE = (AttributeError, IntegrityError, LookupError, TypeError, ValueError)
"""Errors of the rules for an impossible opening, such as a mark that no card has."""


def imported(text: str) -> Game:
    """A new game with the scenario in *text* played. Raises SpecificationError."""
    try:
        scenario = read_json(text)
    except ValueError:
        raise SpecificationError(PLAIN.phrase(wrong_json(text))) from None
    if isinstance(scenario, list):
        if len(scenario) != 1:
            raise SpecificationError(_("a list must hold exactly one scenario"))
        (scenario,) = scenario
    scenario = current(scenario)
    system = named_by(scenario)[0]
    first, commands = record.read(system, scenario)
    title = scenario["title"][:80]
    title = system.title if not title or UNPRINTABLE.search(title) else title
    game = rows.create(system, first, title=title, names=_names(scenario, first))
    try:
        rows.play(game, in_time(commands))
        _refuse_unshowable(system, rows.state(game))
    except BaseException as error:
        game.delete()
        if isinstance(error, Refused):
            why = _("a command was refused: %(why)s") % {"why": PLAIN.refusal(error).rstrip(".")}
            raise SpecificationError(why) from None
        if isinstance(error, UNPLAYABLE) and not isinstance(error, SpecificationError):
            raise SpecificationError(_("its opening contradicts itself")) from error
        raise
    return game


def in_time(commands: Iterable[T]) -> Iterator[T]:
    """The same within a time limit. Raises SpecificationError."""
    since = threads.busy()
    for command in commands:
        if threads.busy() - since > MOST_SECONDS:
            raise SpecificationError(_("it takes the server more than a minute"))
        yield command


def _names(scenario: Any, first: GameState) -> dict[str, str]:
    """The valid names of seats in the file; "" for a seat that waits for its player."""
    names = scenario.get("names")
    known = names.items() if isinstance(names, dict) else ()
    found: dict[str, str] = {}
    for seat, name in known:
        if seat not in first.seats or not isinstance(name, str) or UNPRINTABLE.search(name):
            continue
        if len(seen := visible(name)) <= MOST:
            found[seat] = told_apart(seen, found.values())
    return found


def _refuse_unshowable(system: System, state: GameState) -> None:
    """Refuse a table that cannot be rendered, before anyone sits down at it."""
    drawing = Drawing(system)
    try:
        for seat in (None, *state.seats):
            board(drawing, state, seat, audience(system, seat))
    except Exception as error:
        raise SpecificationError(_("that table can’t be shown")) from error
