"""The tiles of an object's sheet: what is done with it most, one tap each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import GameObject, GameState
from games.rules.system import System
from games.screens import view_models
from games.screens.generated import Forms, object_kinds
from games.systems import presentation_of
from games.systems.board import counted
from games.systems.controls import Stepper
from games.systems.sheets import CardAction, Tile

USUAL_TILES = 3
"""Number of counters that are tiles, if a system does not say which."""


class ActionTile(Struct, frozen=True):
    """A tile that gives a command. parameters: all of the command's but the verb."""

    action: CardAction
    parameters: tuple[tuple[str, Any], ...]

    @property
    def after(self) -> str:
        """The sheet's reaction to it: "stay" or "close"."""
        return "stay" if self.action.stays else "close"


def tiles(
    system: System, state: GameState, obj: GameObject, by: str | None, kept: Sequence[str] = ()
) -> tuple[list[Stepper | ActionTile], list[Stepper]]:
    """The tiles for *obj*, and the numbers on it that are not among them.

    kept: the kinds that the sheet has as tiles already; they keep their places, whatever counters
    come and go. On another player's card only those acts are offered that can be done now.
    """
    others = by not in (None, view_models.keeper(obj))
    found = _found(system, state, obj)
    if kept and view_models.can_hold_counters(system, state, obj):
        found = _kept(system, state, obj, found, kept)
    forms = Forms(system, state, by or obj.owner, str)
    made: list[Stepper | ActionTile] = []
    for each in found:
        if isinstance(each, Stepper):
            made.extend(view_models.completed(system, state, [each]))
            continue
        given = {each.holder: obj.id, **each.facts}
        if forms.accepts({"do": each.do, **given}, now=others):
            made.append(ActionTile(each, tuple(given.items())))
    there = {each.kind for each in made if isinstance(each, Stepper)}
    shown = view_models.object_steppers(system, state, obj)
    return made, [each for each in shown if each.kind not in there]


def _found(system: System, state: GameState, obj: GameObject) -> list[Tile]:
    return list((presentation_of(system).sheets.tiles or _usual_tiles)(system, state, obj))


def _kept(
    system: System, state: GameState, obj: GameObject, found: list[Tile], kept: Sequence[str]
) -> list[Tile]:
    """*found* with numbers of just the *kept* kinds, where its first number is.

    A kind of which nothing is left has the number that one counter would have, at 0.
    """
    at = next((n for n, each in enumerate(found) if isinstance(each, Stepper)), 0)
    numbers = {each.kind: each for each in found if isinstance(each, Stepper)}
    gone = [kind for kind in kept if kind not in numbers]
    if gone:
        there = {**dict.fromkeys(gone, 1), **state.on(obj.id)}
        for each in _found(system, state.with_counters(obj.id, there), obj):
            if isinstance(each, Stepper) and each.kind in gone:
                numbers[each.kind] = replace(each, amount=state.count(obj.id, each.kind))
    shown = [numbers[kind] for kind in kept if kind in numbers]
    actions = [each for each in found if not isinstance(each, Stepper)]
    return [*actions[:at], *shown, *actions[at:]]


def _usual_tiles(system: System, state: GameState, obj: GameObject) -> Iterator[Tile]:
    """Its counters, then the usual kinds; and the first zone out of play."""
    if not obj.on_field:
        return
    presentation = presentation_of(system)
    if view_models.can_hold_counters(system, state, obj):
        usual = presentation.sheets.usual_kinds
        kinds = [*state.on(obj.id), *(usual(system, obj) if usual else object_kinds(system))]
        first = list(dict.fromkeys([*kinds, *presentation.sheets.suggested]))[:USUAL_TILES]
        yield from counted(state, obj, *first)
    if out := view_models.other_zones(system):
        yield CardAction("", "move", {"to": out[0]})


def headline(system: System, types: Sequence[str], stats: Mapping[str, Any]) -> str:
    """The stats of a card of *types* in a word, "3/4"; "" if it has no such stats, or is a hero."""
    presentation = presentation_of(system)
    sort = next((each for each in presentation.sheets.new_cards if each in types), "")
    if sort in presentation.board.heroes or sort not in presentation.sheets.new_cards:
        return ""
    asked = presentation.sheets.new_cards[sort].stats
    now = [stats.get(stat) for stat in asked]
    return "/".join(map(str, now)) if now and all(type(each) is int for each in now) else ""
