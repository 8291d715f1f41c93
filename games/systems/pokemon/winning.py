"""Prize cards and winning: checked once, after a whole batch of Knock Outs and all its Prize
cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, ClassVar

from games.rules.cards import change_zone
from games.rules.commands import ID, SEAT, Command, Parameter, whole
from games.rules.events import Event, Lost
from games.rules.state import CEASED, GameState, Refused
from games.rules.system import System, cites

from .card import (
    DECK,
    MOST_PRIZES,
    PRIZES,
    SETUP,
    TURN,
    in_play,
    phase,
    player,
    their_turn,
)
from .facts import DeckedOut, PrizesTaken, SuddenDeathBegan


class TakePrizes(Command, frozen=True, kw_only=True):
    """Take Prize cards without being asked, at most as many as are left."""

    verb: ClassVar[str] = "take-prizes"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    amount: Annotated[int, Parameter(whole(0, MOST_PRIZES))] = 1


@cites("Prizes 4", "Prizes 5")
def take_prizes(system: System, state: GameState, command: TakePrizes) -> Iterator[Event]:
    if command.amount and not state.count(command.seat, PRIZES):
        raise Refused("not-enough", "No Prize cards are left to take.", "Winning 1")
    yield from taken(state, command.seat, command.amount)


def taken(state: GameState, seat: str, amount: int, rule: str | None = None) -> Iterator[Event]:
    """The event that a player takes *amount* Prize cards, or as many as are left."""
    if number := min(amount, state.count(seat, PRIZES)):
        yield PrizesTaken(seat, PRIZES, number, rule=rule)


# Who wins


@cites("Winning 1", "Winning 2", "Winning 4", "Prizes 5")
def ways(state: GameState) -> dict[str, list[str]]:
    """In how many ways each player still in the game wins now, by rule. Nobody wins while Prize
    cards are still to be taken, a Bench is asked about, or before the game has begun.
    """
    remaining = [seat.id for seat in state.remaining()]
    if phase(state) == SETUP or len(remaining) < 2:
        return {}
    if any(each.kind == PRIZES for each in state.prompts) or unsure(state):
        return {}
    bare = {seat for seat in remaining if _has_lost_all(state, seat)}
    found: dict[str, list[str]] = {}
    for seat in remaining:
        won = [] if state.count(seat, PRIZES) else ["Winning 1"]
        if all(other in bare for other in remaining if other != seat):
            won.append("Winning 2")
        found[seat] = won
    return found


@cites("Reading 2")
def unsure(state: GameState) -> list[str]:
    """The players whose Bench decides the game, and who have yet to say that none is left there.

    Who alone has taken the last Prize card wins, whoever is on the other Bench.
    """
    if not state.settings.get("bench_asked"):
        return []
    remaining = [seat.id for seat in state.remaining()]
    bare = [seat for seat in remaining if _has_lost_all(state, seat)]
    first = [seat for seat in remaining if not state.count(seat, PRIZES)]
    if len(first) == 1 and first[0] not in bare:
        return []
    return [seat for seat in bare if not player(state, seat).none_left]


def _has_lost_all(state: GameState, seat: str) -> bool:
    """True if a player had Pokémon in play and has none now."""
    return player(state, seat).had_pokemon and next(in_play(state, seat), None) is None


def decided(state: GameState) -> bool:
    """True if someone wins now."""
    return any(ways(state).values())


@cites("Winning 1", "Winning 2", "Winning 4")
def lose(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """Everyone loses but the player who wins in the most ways; a tie is settled as agreed."""
    found = ways(state)
    most = max(map(len, found.values()), default=0)
    if not most:
        return ()
    best = [seat for seat, won in found.items() if len(won) == most]
    if len(best) > 1:
        return _tie(system, state, list(found))
    rule = found[best[0]][0]
    if any(won for seat, won in found.items() if seat != best[0]):
        rule = "Winning 4"
    return [Lost(seat, rule=rule) for seat in found if seat != best[0]]


@cites("Winning 4", "Winning 5")
def _tie(system: System, state: GameState, seats: list[str]) -> Iterator[Event]:
    """Sudden Death and a tiebreaker are new games: every card goes back to its deck."""
    settled_by = system.setting(state, "tie")
    if settled_by == "nothing":
        for seat in seats:
            yield Lost(seat, rule="Winning 4")
        return
    for obj in sorted(state.objects.values(), key=lambda obj: obj.id):
        if obj.zone not in (DECK, CEASED):
            yield change_zone(state, obj, DECK, rule="Winning 5")
    prizes = 1 if settled_by == "sudden-death" else 6
    yield SuddenDeathBegan(prizes, tuple(state.seats), rule="Winning 5")


class DeckOut(Command, frozen=True, kw_only=True):
    """A player cannot draw at the start of the turn, and loses."""

    verb: ClassVar[str] = "deck-out"
    seat: Annotated[str, Parameter(ID, names=SEAT)]


@cites("Winning 3")
def deck_out(system: System, state: GameState, command: DeckOut) -> Iterator[Event]:
    """Only as the player's own turn begins: who draws from no deck by an effect loses nothing."""
    if phase(state) != TURN or not their_turn(state, command.seat):
        sentence = "Only a player who cannot draw as their own turn begins loses by it."
        raise Refused("wrong-phase", sentence, "Winning 3")
    yield DeckedOut(command.seat, rule="Winning 3")
    yield Lost(command.seat, rule="Winning 3")
