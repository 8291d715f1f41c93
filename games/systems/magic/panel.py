"""The panel of a Magic player: life, then poison, rad, energy, commander damage and the crown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.rules.state import GameState
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.controls import Designation, Panel, Place, SheetButton, Sign, Stepper, Tally
from games.systems.log_words import Reason

from .effects import losing_rule
from .player import POISON, RAD, Player, life_of, player, sharing_poison
from .replacement_effects import standings
from .shown import commander, designations, of_table, taken

FIXED = (POISON, RAD, "energy")
"""The counters of a player that keep their places, even at 0."""


def panel(system: System, state: GameState, seat: Player, numbers: Sequence[Stepper]) -> Panel:
    """Life big; the usual counters, commander damage and the crown in their places; the rest."""
    hero = next((each for each in numbers if each.kind == "life"), None)
    by_kind = {each.kind: each for each in numbers if each is not hero}
    places: list[Place] = [by_kind.pop(kind) for kind in FIXED if kind in by_kind]
    if dealt := by_owner(state, seat.id):
        places.append(
            Tally(
                "commander_damage",
                dealt,
                f"acts/commander?seat={seat.id}",
                tap="dealt",
                less="undealt",
                sources=tuple(others(state, seat.id)),
                most=system.setting(state, "commander_damage_loses"),
                says=_("commander damage from"),
            )
        )
    places.append(Designation("monarch", "crown", seat.id, seat.monarch))
    sheet = f"acts/table?seat={seat.id}"
    places.append(
        SheetButton(_("More of the table"), sheet, "table", signs=tuple(signs(state, seat.id)))
    )
    return Panel(hero, places=(*places, *by_kind.values()))


def shown_by_all(before: GameState, after: GameState, holder: str) -> bool:
    """Every panel shows day and night, the spells of the turn, and the others' commanders; every
    card may show what another one counts."""
    if any(each.per for each in standings(after)):
        return True
    if holder in after.seats and holder in before.seats:
        was, now = player(before, holder), player(after, holder)
        return (was.daytime, was.spells_cast) != (now.daytime, now.spells_cast)
    cards = before.objects.get(holder), after.objects.get(holder)
    return any(card is not None and commander(card) for card in cards)


def signs(state: GameState, seat: str) -> Iterator[Sign]:
    """Designations of *seat* and the table. Of the spells of this turn, those of all players."""
    for each in designations(state, seat):
        if each.kind not in ("monarch", "spells_cast"):
            yield Sign(each.kind, each.value, own=True)
    for each in of_table(state):
        if each.kind != "plane":
            yield Sign(each.word, each.value)


def by_owner(state: GameState, seat: str) -> tuple[tuple[str, int], ...]:
    """The most combat damage that one commander of each other player has dealt to *seat*."""
    most: dict[str, int] = {}
    for each in taken(state, seat):
        if each.owner and each.owner != seat:
            most[each.owner] = max(most.get(each.owner, 0), each.amount)
    return tuple((each, most[each]) for each in state.seats if each in most)


def others(state: GameState, seat: str) -> Iterator[tuple[str, str, int]]:
    """The commanders of the other players who are in the game, each with its owner and damage."""
    for each in taken(state, seat):
        if each.owner not in ("", seat) and not state.seats[each.owner].lost:
            yield each.owner, each.commander, each.amount


def out_because(system: System, state: GameState, seat: str) -> Reason | None:
    """The reason why a player is out: life, poison or commander damage (704.6c)."""
    rule = losing_rule(system, state, seat)
    if rule in ("704.5a", "704.6a"):
        return Reason(_("%(n)s life"), {"n": life_of(state, seat)}, rule)
    if rule in ("704.5c", "704.6b"):
        team = sharing_poison(state, seat)
        n = state.count(f"team:{team.id}" if team else seat, POISON)
        return Reason(_("%(n)s poison"), {"n": n}, rule, POISON)
    if rule == "704.6c":
        by, n = max(player(state, seat).commander_damage.items(), key=lambda each: each[1])
        facts = {"n": n, "by": by}
        return Reason(_("%(n)s combat damage from %(by)s"), facts, rule, "commander_damage")
    return None
