"""State-based actions: counters that cancel out, permanents that die, players who lose."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from games.rules import departing
from games.rules.cards import change_zone
from games.rules.counting import may_come_back
from games.rules.events import Described, Event, Lost, Marked, Placed, Removed, Spent
from games.rules.state import GameState, Seat
from games.rules.system import System, cites

from . import saga, siege
from .creatures import indestructible, power_and_toughness
from .player import (
    GRAVEYARD,
    HELD_BY_ONE,
    POISON,
    Card,
    Side,
    life_of,
    player,
    sharing_life,
    sharing_poison,
)
from .replacement_effects import standings
from .rules import DEATHS, here

PLUS, MINUS = "+1/+1", "-1/-1"
WATCHED = frozenset(
    {PLUS, MINUS, POISON, "loyalty", "defense", "lore", "indestructible", "charge"}
    | {"+0/+1", "+0/+2", "+1/+2", "+2/+2", "-0/-1", "-0/-2", "-2/-1", "-2/-2"}
)
"""The kinds whose change may set off one of these: of those for toughness, what cards print."""


@cites("122.3", "704.5q")
def annihilate(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """+1/+1 and -1/-1 counters on a permanent cancel each other out, one for one."""
    events: list[Event] = []
    for holder in sorted(changed) if len(changed) > 1 else changed:
        if pairs := _pairs(state, holder):
            events.append(Removed(holder, PLUS, pairs, rule="704.5q"))
            events.append(Removed(holder, MINUS, pairs, rule="704.5q"))
    return events or ()


def _pairs(state: GameState, holder: str) -> int:
    """The number of pairs of +1/+1 and -1/-1 counters on *holder* that cancel out."""
    kinds = state.counters.get(holder)
    if not kinds or PLUS not in kinds or MINUS not in kinds:
        return 0
    obj = state.objects.get(holder)
    return min(kinds[PLUS], kinds[MINUS]) if obj and obj.on_field else 0


@cites("122.4", "704.5r")
def keep_limits(system: System, state: GameState, event: Placed | Described) -> Iterator[Event]:
    """A permanent that can't have so many counters of a kind loses what is too much, at once."""
    card = state.objects.get(event.on if isinstance(event, Placed) else event.object)
    if not (isinstance(card, Card) and card.limits and card.on_field):
        return
    for kind, most in sorted(card.limits.items()):
        if (too_many := state.count(card.id, kind) - most) > 0:
            yield Removed(card.id, kind, too_many, rule="704.5r")


@cites("122.1e", "122.1g", "704.5i", "704.5v", "714.4")
def leave(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """A permanent with a printed loyalty and no such counter goes to the graveyard, and so does a
    battle without defense whose ability does not wait; a Saga that is read is sacrificed.

    Without a printed value those counters do nothing. Counters that cancel out do so first: the
    rules do both at once, and the permanent is remembered with what was left.
    """
    events: list[Event] = []
    for card_id in sorted(changed) if len(changed) > 1 else changed:
        card = state.objects.get(card_id)
        if isinstance(card, Card) and card.base and card.on_field and not _pairs(state, card_id):
            if rule := _leaving_rule(state, card):
                how = "sacrificed" if rule == saga.RULE else "moved"
                events.append(change_zone(state, card, GRAVEYARD, how, rule=rule))
    return events or ()


def _leaving_rule(state: GameState, card: Card) -> str | None:
    """The rule by which *card* goes to the graveyard now; None if it stays."""
    if card.base.get("loyalty") and not state.count(card.id, "loyalty"):
        return "704.5i"
    if siege.is_siege(card) and not state.count(card.id, siege.DEFENSE):
        return None if siege.waits(state, card) else "704.5v"
    if saga.is_read(state, card):
        return None if siege.waits(state, card) else saga.RULE
    return None


@cites("704.5f", "704.5g", "704.5h")
def die(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """Creatures with lethal damage, and those without toughness, go to the graveyard.

    Only where the table plays so: a scenario has to say it. A card printed with toughness 0 that
    has nothing on it waits for the counters it enters with, which people put on it afterwards.
    """
    if not state.settings.get(DEATHS):
        return ()
    if any(
        each.for_creatures and (each.per or not {each.object, each.seat}.isdisjoint(changed))
        for each in standings(state)
    ):
        changed = state.objects.keys()  # what says something of others has come or gone
    cards = [state.objects.get(card_id) for card_id in sorted(changed)]
    return [
        _death(state, card, rule)
        for card in cards
        if isinstance(card, Card) and not _pairs(state, card.id) and not _is_bare(state, card)
        if (rule := dying_rule(state, card))
    ]


@cites("704.5f")
def die_bare(system: System, state: GameState, event: Removed | Spent) -> Iterator[Event]:
    """A creature printed with toughness 0 dies as it loses the last of what it had."""
    card = state.objects.get(event.on)
    if state.settings.get(DEATHS) and isinstance(card, Card) and _is_bare(state, card):
        if rule := dying_rule(state, card):
            yield _death(state, card, rule)


def die_without(system: System, state: GameState, event: Event) -> Iterable[Event]:
    """Creatures die as what was said of them is taken off."""
    return die(system, state, state.objects.keys())


def _is_bare(state: GameState, card: Card) -> bool:
    """True if nothing gives *card*, printed with toughness 0, any."""
    bare = not card.base.get("toughness", 1) and not state.on(card.id) and not card.changes
    return bare and power_and_toughness(state, card)["toughness"] <= 0


@cites("702.12b", "704.5h")
def dying_rule(state: GameState, card: Card) -> str | None:
    """The rule by which the creature *card* dies now; None if it lives, or is none."""
    if not card.on_field or "creature" not in card.types or _leaving_rule(state, card):
        return None
    toughness = power_and_toughness(state, card).get("toughness")
    if toughness is None or toughness <= 0:
        return None if toughness is None else "704.5f"
    if indestructible(state, card):
        return None
    if toughness <= card.marked:
        return "704.5g"
    return "704.5h" if card.deathtouched else None


@cites("704.3")
def stays(state: GameState, on: str) -> bool:
    """False of a creature that dies before any ability that has triggered resolves."""
    card = state.objects.get(on)
    return not isinstance(card, Card) or _is_bare(state, card) or not dying_rule(state, card)


def _death(state: GameState, card: Card, rule: str) -> Event:
    """*card* dies, or is exiled instead (122.1h)."""
    to_graveyard = card.goes_to(GRAVEYARD, state.on(card.id)) == GRAVEYARD
    return change_zone(state, card, GRAVEYARD, "died" if to_graveyard else "moved", rule=rule)


@cites("704.3", "810.8a", "104.4a", "104.2a")
def lose(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """All players who lose now, at the same moment, in table order.

    If one player of a team that shares life loses, for any reason, the whole team does; while one
    of them cannot lose, none of them does.
    """
    reasons: dict[str, str] = {}
    anyone_out = False
    for each in _who_may_lose(state, changed):
        if each.lost:
            anyone_out = True
        elif (reason := losing_rule(system, state, each.id)) and not cannot_lose(state, each.id):
            reasons[each.id] = reason
    if not reasons and not anyone_out:
        return ()
    lost = {seat.id for seat in state.seats.values() if seat.lost}
    out = {*reasons, *lost.difference(state.absent or ())}
    for team in state.teams.values():
        if isinstance(team, Side) and team.shared_life and not out.isdisjoint(team.seats):
            for seat in () if cannot_lose(state, team.seats[0]) else team.seats:
                reasons.setdefault(seat, "810.8a")
    losers = [seat.id for seat in state.remaining() if seat.id in reasons]
    losses = [Lost(seat, rule=reasons[seat]) for seat in losers]
    passed = pass_on(system, state, {*out, *losers})
    return _and_leave(system, state, [*losses, *passed])


@cites("800.4a")
def _and_leave(system: System, state: GameState, losses: list[Event]) -> Iterator[Event]:
    """*losses*, after which who is out takes along what is theirs."""
    for event in losses:
        state = event.evolve(state)
        yield event
    yield from departing.leave(system, state, "800.4a")


def _who_may_lose(state: GameState, changed: Collection[str]) -> list[Seat]:
    """The seats that changed; all if there are teams."""
    if not state.teams:
        return [state.seats[key] for key in changed if key in state.seats]
    if any(holder in state.seats or holder.startswith("team:") for holder in changed):
        return [*state.seats.values()]
    return []


@cites("101.2", "810.8a")
def cannot_lose(state: GameState, seat: str) -> bool:
    """True if no state-based action makes *seat* lose: for itself, or for one who shares life."""
    return any(player(state, each).cannot_lose for each in losing_together(state, seat))


def losing_together(state: GameState, seat: str) -> list[str]:
    """The seats that lose when *seat* does, itself included, in table order."""
    team = sharing_life(state, seat)
    if not team:
        return [seat]
    away = state.absent or ()
    return [each for each in state.seats if each in team.seats and each not in away]


@cites("810.8a")
def comes_back(system: System, state: GameState, on: str) -> Iterable[str]:
    """A player whose number was corrected, with those who share life, if nothing makes them lose.

    A team of which someone left the game stays out.
    """
    seat = state.seats.get(on)
    if not seat or not seat.lost:
        return ()
    mates = losing_together(state, on)
    if not all(may_come_back(state, mate) for mate in mates):
        return ()
    if not cannot_lose(state, on) and any(losing_rule(system, state, mate) for mate in mates):
        return ()
    return [mate for mate in mates if state.seats[mate].lost]


@cites("725.4", "726.4", "722.4", "723.4")
def pass_on(system: System, state: GameState, out: Collection[str]) -> Iterator[Event]:
    """The monarchy and the initiative pass from a player who is *out* to the active player.

    If the active player is out too, they pass to the next player in turn order.
    """
    active = state.turn.active if state.turn else ()
    for seat in state.seats.values():
        for mark, rule in zip(HELD_BY_ONE, ("725.4", "726.4"), strict=True):
            if seat.id in out and getattr(seat, mark):
                order = list(state.seats)
                start = order.index(active[0] if active else seat.id)
                following = (*active, *order[start:], *order[:start])
                heirs = [heir for heir in following if heir not in out]
                cited = here(system, rule)
                yield Marked(seat.id, mark, False, rule=cited)
                yield from (Marked(heir, mark, True, rule=cited) for heir in heirs[:1])


@cites("704.5a", "704.5c", "122.1f", "704.6a", "704.6b", "704.6c", "903.10a")
def losing_rule(system: System, state: GameState, seat: str) -> str | None:
    """The rule by which *seat* loses now; None if it does not lose."""
    if life_of(state, seat) <= 0:
        return "704.6a" if sharing_life(state, seat) else "704.5a"
    if state.teams and (team := sharing_poison(state, seat)):
        if state.count(f"team:{team.id}", POISON) >= team.poison_limit:
            return "704.6b"
    elif state.count(seat, POISON) >= system.setting(state, "poison_loses"):
        return "704.5c"
    taken = player(state, seat).commander_damage
    most = max(taken.values()) if taken else 0
    return "704.6c" if most >= system.setting(state, "commander_damage_loses") else None
