"""What holds at every table of a card game, besides the laws of all systems.

`tests/laws.py` asks it of each command that is accepted, in scenarios and in games at random. A law
reads the state before and after, and the events between; after an undo, the states alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, cast

from msgspec.structs import replace

from games.rules.history import Applied
from games.rules.state import CEASED, GameState, PlayerSeat
from games.rules.system import System
from games.systems.grand_archive import card as champions
from games.systems.magic import effects as magic
from games.systems.magic import player as lives
from games.systems.magic.replacement_effects import SELF, number, reaches, standings, you
from games.systems.pokemon import card as pokemon
from games.systems.pokemon import knocked_out
from games.systems.yu_gi_oh import card as duel
from games.systems.yu_gi_oh.zones import FIELD_ZONES

Law = Callable[[System, Applied], None]
ANEW = ("restarted", "sudden-death-began")
TAKEN = ("removed", "spent", "prizes-taken")


def events_of(given: Applied) -> tuple[Mapping[str, Any], ...]:
    """The events of a command; none if lines were undone or redone."""
    return given.entry.events if given.entry and given.touched is not None else ()


def said(given: Applied, do: str) -> Mapping[str, Any] | None:
    """The command, if it is one of that verb."""
    command = given.entry.command if events_of(given) and given.entry else {}
    return command if command.get("do") == do else None


def no_zeros(counters: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    held = {holder: {k: n for k, n in kinds.items() if n} for holder, kinds in counters.items()}
    return {holder: kinds for holder, kinds in held.items() if kinds}


def told(given: Applied) -> tuple[Mapping[str, Any], ...]:
    """The events of a command, if they tell each change: a restart does not."""
    events = events_of(given)
    return () if any(each["kind"] in ANEW for each in events) else events


# Every card game


def the_log_accounts_for_every_counter(_: System, given: Applied) -> None:
    if not (events := told(given)):
        return
    books = {holder: dict(kinds) for holder, kinds in given.before.counters.items()}
    unknown: set[str] = set()
    for event in events:
        if event["kind"] == "moved":
            assert no_zeros({"": books.pop(event["object"], {})}).get("", {}) == event["had"]
        elif event["kind"] in ("took-along", "came-back"):
            unknown |= {*event["objects"]}
        elif event.get("counter") == "marked":  # a unit's damage, an item's counters
            unknown.add(event["on"])
        elif "counter" in event and "on" in event:
            holder = f"team:{event['team']}" if "team" in event else event["on"]
            kinds = books.setdefault(holder, {})
            was = kinds.get(event["counter"], 0)
            if event["kind"] == "placed":
                kinds[event["counter"]] = was + event["amount"]
            elif event["kind"] in TAKEN:
                kinds[event["counter"]] = was - event["amount"]
            elif event["kind"] == "corrected":
                assert was == event["from"]
                kinds[event["counter"]] = event["to"]
    known, now = ({k: n for k, n in each.items() if k not in unknown} for each in
                  (no_zeros(books), no_zeros(given.after.counters)))  # fmt: skip
    assert known == now


def what_ends_with_the_turn_is_a_mark_of_who_has_it(_: System, given: Applied) -> None:
    state = given.after
    for seat in state.seats.values():
        assert isinstance(seat, PlayerSeat)
        assert set(seat.until) <= set(seat.marks)
        assert seat.lost or not seat.left
    for obj in state.objects.values():
        assert set(obj.until) <= set(obj.marks)
        assert obj.zone in obj.field_zones or not obj.until
    if state.turn and state.turn.began:
        out = set(state.turn.began) - set(state.turn.active)
        assert out
        assert all(state.seats[seat].lost for seat in out)


def a_correction_brings_nobody_back_unless_it_says_so(_: System, given: Applied) -> None:
    if (command := said(given, "correct")) and not command.get("restore"):
        for key, seat in given.before.seats.items():
            assert given.after.seats[key].lost or not seat.lost


# Magic


def nothing_is_lost_between_replacements(_: System, given: Applied) -> None:
    """The rest of a putting after its standings is put next; nothing if they leave none."""
    for event, following in pairwise([*events_of(given), {}]):
        if event["kind"] == "replaced":
            left = event["amounts"][-1]
            assert len(event["by"]) == len(event["amounts"]) - 1
            put = following.get("kind") == "placed" and following["on"] == event["on"]
            same = put and following["counter"] == event["counter"]
            assert (same and left == following["amount"]) if left else not same


def _lives(state: GameState) -> dict[str, int]:
    sides = {f"team:{key}": cast(lives.Side, team).life for key, team in state.teams.items()}
    return {**{seat: lives.player(state, seat).life for seat in state.seats}, **sides}


def the_log_accounts_for_all_life(_: System, given: Applied) -> None:
    if not (events := told(given)):
        return
    books = _lives(given.before)
    for event in events:
        holder = f"team:{event['team']}" if "team" in event else event.get("on")
        if event["kind"] == "corrected" and "life" in event:
            assert books[holder or ""] == event["from"]
            books[holder or ""] = event["to"]
        elif event["kind"] in ("life-lost", "life-gained"):
            amount = event["amount"] if event["kind"] == "life-gained" else -event["amount"]
            books[holder or event["seat"]] += amount
    assert books == {key: n for key, n in _lives(given.after).items() if key in books}


def who_has_rad_counters_is_asked_as_their_main_phase_begins(_: System, given: Applied) -> None:
    began, turn = said(given, "begin-phase"), given.before.turn
    if began and began["phase"] == "precombat-main" and turn:
        asked = [each["to"] for each in events_of(given) if each.get("prompt", "")[:4] == "rad:"]
        assert asked == [seat for seat in sorted(turn.active) if given.before.count(seat, "rad")]


def proliferating_gives_one_more_once(_: System, given: Applied) -> None:
    if command := said(given, "proliferate"):
        placed = [each for each in events_of(given) if each["kind"] == "placed"]
        if not any(each["kind"] == "replaced" for each in events_of(given)):
            assert all(1 == each["amount"] for each in placed)
        shared = [each["team"] for each in placed if "team" in each]
        assert len(set(shared)) == len(shared)
        assert all(lives.held(given.before, holder) for holder in command["choose"])


def a_turn_is_its_players_and_their_teams(_: System, given: Applied) -> None:
    if (command := said(given, "begin-turn")) and (turn := given.after.turn):
        active = command.get("active") or turn.active
        assert {seat for seat in active if not given.after.seats[seat].lost} <= set(turn.active)
        for seat in turn.active:
            team = lives.side_of(given.after, seat)
            assert seat in active or (team and team.shared_turns)


def opposites_never_lie_together(_: System, given: Applied) -> None:
    for obj in given.after.objects.values() if given.after.settled else ():
        if obj.on_field:
            assert not {"+1/+1", "-1/-1"} <= given.after.on(obj.id).keys(), obj


def who_should_have_lost_has(system: System, given: Applied) -> None:
    state = given.after
    for seat in state.remaining() if state.settled else ():
        if magic.cannot_lose(state, seat.id):
            continue
        team = lives.side_of(state, seat.id)
        assert lives.life_of(state, seat.id) > 0
        poison, damage = (
            system.setting(state, f"{each}_loses") for each in ("poison", "commander_damage")
        )
        poison = team.poison_limit if team and team.shared_poison else poison
        assert lives.held(state, seat.id).get("poison", 0) < poison, seat
        assert all(n < damage for n in lives.player(state, seat.id).commander_damage.values())
        if team and team.shared_life:
            assert not any(state.seats[mate].lost for mate in team.seats)


def _creatures(state: GameState) -> Iterator[lives.Card]:
    for card in state.objects.values():
        if isinstance(card, lives.Card) and card.on_field and "creature" in card.types:
            yield card


def each_creature_has_what_stands_and_names_it(system: System, given: Applied) -> None:
    """Added up one by one, and not for all that are alike."""
    state = given.after
    for card in _creatures(state) if state.standings else ():
        named = [
            one
            for one in standings(state)
            if (one.adds or one.gives)
            and (mine := you(state, one)) is not None
            and reaches(state, one, card.id, mine)
            and not (one.others and one.object == card.id)
            and (one.of != SELF or one.object == card.id)
        ]
        counted = [(one, number(state, one, card)) for one in named]
        named = [one for one, n in counted if n]
        bare, now = (
            system.derived(system, each, card) for each in (replace(state, standings={}), state)
        )
        assert {*now.get("given", ())} == {word for one in named for word in one.gives or ()}
        if not card.swapped and all(change.how != "multiply" for change in card.changes):
            for stat in bare.keys() & {"power", "toughness"}:
                added = sum((one.adds or {}).get(stat, 0) * n for one, n in counted)
                assert now[stat] == bare[stat] + added, (card, named)


def what_has_to_die_has(_: System, given: Applied) -> None:
    """Where the table plays so, but for a card of toughness 0 that waits for its counters."""
    state = given.after
    if state.settled and state.settings.get("creatures_die"):
        for card in _creatures(state):
            waits = not card.base.get("toughness", 1) and not state.on(card.id)
            assert waits or not magic.dying_rule(state, card), card


# Grand Archive


def _cards(state: GameState) -> Iterator[champions.Card]:
    return (cast(champions.Card, each) for each in state.objects.values())


def what_is_on_the_field_belongs_there(system: System, given: Applied) -> None:
    state = given.after
    worn = {"weapon"} if system.edition == "2024" else {"weapon", "siegeable"}
    for card in _cards(state) if state.settled else ():
        assert not {"buff", "debuff"} <= state.on(card.id).keys()
        if not card.on_field:
            continue
        life = champions.life_of(system, state, card, state.on(card.id))
        assert 0 <= card.marked <= 999_999
        if life is not None and not card.immortal:
            if "champion" in card.types:
                assert card.defeated or state.count(card.id, "damage") < life
            elif "ally" in card.types:
                assert card.marked < life
        if worn & set(card.types):
            assert champions.durability(state, card) != 0


def off_the_field_is_a_card_like_any_other(_: System, given: Applied) -> None:
    for card in _cards(given.after) if given.after.settled else ():
        if not card.on_field:
            assert card.controller == card.owner
            if card.zone == CEASED:
                assert card.token or given.after.seats[card.owner].lost
                assert card.id not in given.after.counters
            if card.had:
                assert not card.changes
                assert not card.immortal


def who_has_no_champion_has_lost(system: System, given: Applied) -> None:
    state = given.after
    if not state.settled:
        assert state.result is None
        return
    seats: Any = state.seats.values()
    for seat in seats:
        assert seat.id not in state.counters
        mine = [c for c in _cards(state) if "champion" in c.types and c.on_field
                and c.controller == seat.id]  # fmt: skip
        if any(not card.defeated for card in mine) or seat.cannot_lose:
            continue
        if mine or (seat.had_champion and system.setting(state, "no_champion_loses")):
            assert seat.lost
    lost = any(each["kind"] == "lost" for each in events_of(given))
    if lost and state.result is None and len(seats) > 1:
        assert sum(not seat.lost for seat in seats) > 1


def only_what_the_edition_lists_does_anything(system: System, given: Applied) -> None:
    state = given.after
    if system.edition == "2024":
        assert all(prompt.kind in ("enlighten", "puts") for prompt in state.prompts)
        assert all(champions.omens(system, state, seat) == [] for seat in state.seats)
    for card in _cards(state):
        if "champion" not in card.types:
            assert champions.level(state, card) is None


# Pokémon


def damage_is_in_tens_and_in_play(_: System, given: Applied) -> None:
    state = given.after
    for holder, kinds in state.counters.items():
        assert not kinds.get(pokemon.DAMAGE, 0) % 10
        assert pokemon.PRIZES not in kinds or holder in state.seats
        assert holder in state.seats or state.objects[holder].on_field


def only_the_active_pokemon_has_conditions(_: System, given: Applied) -> None:
    for obj in given.after.objects.values():
        assert isinstance(obj, pokemon.Pokemon)
        assert obj.controller == obj.owner
        if obj.zone != pokemon.ACTIVE:
            assert () == obj.conditions
        if not obj.on_field:
            assert (0, False, False) == (obj.hp_change, obj.doomed, obj.immune)


def places_are_taken_once_and_somebody_is_active(_: System, given: Applied) -> None:
    """Unless something is asked first."""
    state = given.after
    asked = bool(state.prompts) or pokemon.phase(state) == pokemon.SETUP
    for seat in state.seats:
        assert sum(each.zone == pokemon.ACTIVE for each in pokemon.in_play(state, seat)) <= 1
        if not state.settled or state.result or asked or state.seats[seat].lost:
            continue
        assert not knocked_out.over(state, seat)
        assert pokemon.active(state, seat) or not pokemon.bench(state, seat)


def nobody_without_hp_stands(_: System, given: Applied) -> None:
    if given.after.settled and not knocked_out.suspended(given.after):
        assert [] == knocked_out.due(given.after)


def a_game_goes_on_until_the_prize_cards_are_gone(_: System, given: Applied) -> None:
    state = given.after
    if not state.settled or state.result or pokemon.phase(state) == pokemon.SETUP:
        return
    if not any(prompt.kind == pokemon.PRIZES for prompt in state.prompts):
        assert all(state.count(seat, pokemon.PRIZES) for seat in state.seats)


# Yu-Gi-Oh!


def only_cards_that_may_hold_counters_hold_them(_: System, given: Applied) -> None:
    state = given.after
    for holder, held in state.counters.items() if state.settled else ():
        card = state.objects[holder]
        assert isinstance(card, duel.Card)
        assert card.zone in FIELD_ZONES
        assert not card.face_down
        for kind in held:
            if duel.bound(state, kind):
                assert card.zone in card.permits[kind].zones
                assert not card.negated
                assert not card.unusable


def off_the_field_nothing_is_said_of_a_card(_: System, given: Applied) -> None:
    for card in given.after.objects.values():
        if not card.on_field:
            assert not any(getattr(card, mark) for mark in duel.Card.marks)
            assert card.controller == card.owner


def life_points_end_at_0(_: System, given: Applied) -> None:
    seats: Any = given.after.seats.values()
    for seat in seats:
        assert seat.life >= 0
        if not seat.left and not seat.cannot_lose:
            assert seat.lost == (seat.life == 0)


EVERY: tuple[Law, ...] = (
    the_log_accounts_for_every_counter,
    what_ends_with_the_turn_is_a_mark_of_who_has_it,
    a_correction_brings_nobody_back_unless_it_says_so,
)
LAWS: dict[str, tuple[Law, ...]] = {
    "magic": (
        *EVERY,
        nothing_is_lost_between_replacements,
        the_log_accounts_for_all_life,
        who_has_rad_counters_is_asked_as_their_main_phase_begins,
        proliferating_gives_one_more_once,
        a_turn_is_its_players_and_their_teams,
        opposites_never_lie_together,
        who_should_have_lost_has,
        each_creature_has_what_stands_and_names_it,
        what_has_to_die_has,
    ),
    "grand-archive": (
        *EVERY,
        what_is_on_the_field_belongs_there,
        off_the_field_is_a_card_like_any_other,
        who_has_no_champion_has_lost,
        only_what_the_edition_lists_does_anything,
    ),
    "pokemon": (
        *EVERY,
        damage_is_in_tens_and_in_play,
        only_the_active_pokemon_has_conditions,
        places_are_taken_once_and_somebody_is_active,
        nobody_without_hp_stands,
        a_game_goes_on_until_the_prize_cards_are_gone,
    ),
    "yu-gi-oh": (
        *EVERY,
        only_cards_that_may_hold_counters_hold_them,
        off_the_field_nothing_is_said_of_a_card,
        life_points_end_at_0,
    ),
}
"""By system: what holds at each of its tables."""
