"""State-based effects, losing, and triggers.

Each effect looks only at what has changed, and returns at once if none of it matters. It deals with
what it finds in order of id, so that the log is always the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from games.rules import departing, ticks
from games.rules.cards import change_zone
from games.rules.counting import may_come_back
from games.rules.events import (
    Event,
    Lost,
    Marked,
    Moved,
    PhaseBegan,
    Placed,
    Prompted,
    Removed,
    TurnBegan,
    Voided,
)
from games.rules.state import CEASED, NONE, GameObject, GameState, Prompt, Seat
from games.rules.system import System, cites

from .card import ARCANE, FIELD, INTENT, MAIN, Card, Player, card_of, charged, due, is_unit, life_of
from .facts import Damaged, Defeated, HadChampion

# State-based effects


@cites("Buff 4", "Debuff 4")
def annihilate(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """Buff and debuff counters on one card cancel each other out, one for one, in any zone."""
    both = []
    for holder in changed:
        kinds = state.counters.get(holder, NONE)
        if "buff" in kinds and "debuff" in kinds:
            both.append(holder)
    return _annihilated(state, sorted(both)) if both else ()


def _annihilated(state: GameState, found: list[str]) -> Iterator[Event]:
    for holder in found:
        pairs = min(state.count(holder, "buff"), state.count(holder, "debuff"))
        yield Removed(holder, "buff", pairs, rule="Buff 4")
        yield Removed(holder, "debuff", pairs, rule="Debuff 4")


@cites("Damage 3")
def fall(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """A champion without life left is defeated; an ally dies."""
    cards: Mapping[str, Any] = state.objects
    fallen = []
    for card_id in changed:
        card = cards.get(card_id)
        if card is not None and card.zone == FIELD and falls(system, state, card):
            fallen.append(card_id)
    return _fallen(state, sorted(fallen)) if fallen else ()


def falls(system: System, state: GameState, card: Card) -> bool:
    """True if a card on the field has as much damage as life.

    Not while buff and debuff counters are both on it: they cancel out as part of being placed, and
    the card leaves with what is left.
    """
    kinds = state.counters.get(card.id, NONE)
    life = life_of(system, state, card, kinds)
    if life is None:
        return False
    if "champion" in card.types:
        down = not card.defeated and kinds.get("damage", 0) >= life
    else:
        down = "ally" in card.types and card.marked >= life
    return down and not card.immortal and not ("buff" in kinds and "debuff" in kinds)


def _fallen(state: GameState, found: list[str]) -> Iterator[Event]:
    for card_id in found:
        card = card_of(state, card_id)
        if "champion" in card.types:
            yield Defeated(card_id, rule="Damage 3")
        else:
            yield change_zone(state, card, "graveyard", "died", rule="Damage 3")


@cites("Durability 3")
def wear_out(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """A weapon, or in later editions a Siegeable object, without durability is destroyed."""
    cards: Mapping[str, Any] = state.objects
    worn = []
    for card_id in changed:
        card = cards.get(card_id)
        if card is not None and is_worn_out(system, state, card):
            worn.append(card_id)
    return _destroyed(state, sorted(worn)) if worn else ()


def is_worn_out(system: System, state: GameState, card: Card) -> bool:
    """True if a card with the stat has none left; if its damage kills it too, that comes first."""
    kinds = state.on(card.id)
    if "durability" in kinds or card.zone != FIELD or ("buff" in kinds and "debuff" in kinds):
        return False
    if "durability" not in card.base:
        return False
    if "weapon" not in card.types and not is_siegeable(system, card):
        return False
    return not falls(system, state, card)


def _destroyed(state: GameState, found: list[str]) -> Iterator[Event]:
    for card_id in found:
        card = state.objects[card_id]
        yield change_zone(state, card, "graveyard", "destroyed", rule="Durability 3")


def is_siegeable(system: System, card: Card) -> bool:
    """True if *card* is Siegeable, in an edition that knows the term."""
    return "siegeable" in card.types and "Siegeable 2.1" in system.rulebook.rules


def can_be_damaged(system: System, card: Card) -> bool:
    """True if *card* is something that is dealt damage: a unit, or a Siegeable object."""
    return is_unit(card) or is_siegeable(system, card)


@cites("Static 1")
def lapse(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """A question about a static counter that can do nothing any more is dismissed.

    The counter is gone, or what was dealt the combat damage has left or is defeated. The trigger
    would wait for an answer that changes nothing (our reading).
    """
    if not state.prompts:
        return ()
    return [
        Voided(prompt.id, rule="Static 1")
        for prompt in state.prompts
        if prompt.kind == "static" and not _still_hits(system, state, prompt)
    ]


def _still_hits(system: System, state: GameState, prompt: Prompt) -> bool:
    hit = card_of(state, prompt.facts["hit"])
    if not hit.on_field or hit.defeated or not can_be_damaged(system, hit):
        return False
    return prompt.source is not None and state.count(prompt.source, "static") > 0


# Losing


def note_champion(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """The controller of a champion on the field has had a champion from now on."""
    found = set()
    for card_id in changed:
        card = state.objects.get(card_id)
        if isinstance(card, Card) and "champion" in card.types and card.zone == FIELD:
            player = state.seats[card.controller]
            if isinstance(player, Player) and not player.had_champion:
                found.add(player.id)
    return [HadChampion(seat) for seat in sorted(found)]


@cites("Damage 3", "Ending the Game 5")
def lose(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """A player whose champions are all defeated or gone loses.

    Only these players can be affected: those that changed, the controller and the owner of a
    defeated champion that changed, and everyone if a champion that changed is off the field, since
    it may just have left.
    """
    cards: Mapping[str, Any] = state.objects
    concerned: set[str] = set()
    for changed_id in changed:
        card = cards.get(changed_id)
        if card is None:
            concerned.add(changed_id)
        elif "champion" in card.types:
            if card.zone != FIELD:
                concerned.update(state.seats)
            elif card.defeated:
                concerned.update((card.controller, card.owner))
    return _lost(system, state, concerned) if concerned else ()


def _lost(system: System, state: GameState, concerned: set[str]) -> Iterator[Event]:
    champions = _champions(state)
    for seat in state.seats.values():
        if seat.id in concerned and not seat.lost:
            if rule := _losing_rule(system, state, seat, champions):
                lost = Lost(seat.id, rule=rule)
                state = lost.evolve(state)
                yield lost
    if LEAVING in system.rulebook.rules:
        yield from departing.leave(system, state, LEAVING, stays=_stays)


LEAVING = "Ending the Game 5.1"


@cites(LEAVING)
def _stays(card: GameObject) -> bool:
    """True if *card* is a champion: it shows why its player is out, and can be corrected.

    Everything else leaves with its player.
    """
    return isinstance(card, Card) and "champion" in card.types


def _losing_rule(
    system: System, state: GameState, player: Seat, champions: Iterable[Card]
) -> str | None:
    """The rule by which *player* loses now, given all *champions*; None if it does not lose."""
    assert isinstance(player, Player)
    if not player.had_champion or player.cannot_lose:
        return None
    mine = [card for card in champions if card.zone == FIELD and card.controller == player.id]
    if not all(card.defeated for card in mine):
        return None
    if mine or any(card.defeated for card in champions if card.owner == player.id):
        return "Damage 3"
    return "Ending the Game 5" if system.setting(state, "no_champion_loses") else None


def comes_back(system: System, state: GameState, on: str) -> Iterator[str]:
    """The controller of a champion that was corrected, if nothing makes that player lose."""
    card = state.objects.get(on)
    if isinstance(card, Card) and "champion" in card.types:
        player = state.seats[card.controller]
        if player.lost and may_come_back(state, player.id):
            if not _losing_rule(system, state, player, _champions(state)):
                yield player.id


def _champions(state: GameState) -> list[Card]:
    return [
        card
        for card in state.objects.values()
        if isinstance(card, Card) and "champion" in card.types
    ]


# Triggers


@cites("Wake Up Phase")
def wake_up(system: System, state: GameState, event: TurnBegan) -> Iterable[Event]:
    """The objects of active players wake up as their turn begins."""
    return [
        Marked(card.id, "rested", False, rule="Wake Up Phase")
        for card in sorted(state.objects.values(), key=lambda card: card.id)
        if isinstance(card, Card) and card.rested and card.controller in event.active
    ]


@cites("Wither 1", "Wither 2", "Wither 5")
def ask_for_wither(system: System, state: GameState, event: PhaseBegan) -> Iterator[Event]:
    """The game asks each active player who controls objects with wither, once per main phase."""
    if event.phase != MAIN or event.from_ == "combat":
        return
    assert state.turn is not None
    for seat in sorted(state.turn.active):
        if due(system, state, seat):
            prompt = Prompt(f"wither:{seat}", "wither", seat, "game")
            yield Prompted.of(state, prompt, rule="Wither 1")


@cites("Static 1", "Static 1.1", "Static 1.2")
def ask_for_static(system: System, state: GameState, event: Damaged) -> Iterator[Event]:
    """An arcane unit dealt combat damage: one question for each object with a static counter."""
    unit = card_of(state, event.combat_by) if event.combat_by is not None else None
    if unit is None or not is_unit(unit) or ARCANE not in unit.elements:
        return
    seat = unit.controller
    for holder in charged(system, state, seat):
        prompt = Prompt(f"static:{holder}", "static", seat, holder, {"hit": event.on})
        asked = Prompted.of(state, prompt, rule="Static 1.1")
        state = asked.evolve(state)
        yield asked


@cites("Intent 1", "Attack 8")
def end_combat(system: System, state: GameState, event: PhaseBegan | TurnBegan) -> Iterator[Event]:
    """The cards in the intent go to the graveyard as combat ends."""
    if isinstance(event, TurnBegan) or event.from_ == "combat":
        for card in sorted(state.objects.values(), key=lambda card: card.id):
            if card.zone == INTENT:
                yield change_zone(state, card, "graveyard", rule="Attack 8")


def tick(system: System, state: GameState, event: PhaseBegan | TurnBegan) -> Iterator[Event]:
    """Ticks. The main phase that goes on after combat does not begin again."""
    if isinstance(event, TurnBegan) or not (event.phase == MAIN and event.from_ == "combat"):
        yield from ticks.tick(system, state, event)


CARRIED = "Champion, Leveling Up 7.2.1"


@cites(CARRIED)
def carry(system: System, state: GameState, event: Moved) -> Iterator[Event]:
    """A champion that left or entered the field has its counters again, if the table says so.

    The Counters page takes them, the Champion page lets it keep them; the setting chooses.
    """
    card = state.objects.get(event.object)
    if CARRIED not in system.rulebook.rules or FIELD not in (event.from_, event.to):
        return
    if not isinstance(card, Card) or "champion" not in card.types or event.to == CEASED:
        return
    if system.setting(state, "champion_carries_counters"):
        for kind, amount in sorted(event.had.items()):
            yield Placed(card.id, kind, amount, rule=CARRIED)
