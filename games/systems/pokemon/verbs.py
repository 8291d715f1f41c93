"""The commands of the Pokémon TCG; those that other card games do not have are beside their
rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.rules import cards, marks, seating
from games.rules.events import Event
from games.rules.state import GameState, Refused
from games.rules.system import System, Verb, cites
from games.rules.targets import one_after_another

from . import answers, attacking, conditions, damage, evolving, knocked_out, play, turn, winning
from .card import Pokemon
from .checkup import Checkup


@cites("Turn 2", "Turn 3", "Turn 4", "Turn 5", "Conditions 5", "Attack 2", "Poisoned 3")
def mark(system: System, state: GameState, command: marks.Mark) -> Iterator[Event]:
    """Set a mark: what a player has done this turn or game, or what holds for a Pokémon for a
    while."""
    return one_after_another(state, command.on, lambda now, on: _marked(system, now, command, on))


def _marked(system: System, state: GameState, command: marks.Mark, on: str) -> Iterator[Event]:
    if command.mark == "supporter_played" and command.value is True:
        if attacking.goes_first(state, on) and not system.setting(state, "first_supporter"):
            sentence = "The player who goes first cannot play a Supporter card in that turn."
            raise Refused("prohibited", sentence, "Turn 2")
    marked = list(marks.marked(system, state, command, on))
    mon = state.objects.get(on)
    if command.mark == "immune" and command.value is True and isinstance(mon, Pokemon):
        yield from conditions.all_end(mon, "Conditions 5")
    yield from marked


_SHARED = {verb: each for verb, each in cards.VERBS.items() if verb != "control"}

VERBS: Mapping[str, Verb] = {
    **_SHARED,
    "place": Verb(damage.Place, damage.place),
    "spend": Verb(damage.Spend, damage.spend),
    "remove": Verb(damage.Remove, damage.remove),
    "transfer": Verb(damage.Transfer, damage.transfer),
    "correct": Verb(damage.Correct, damage.correct),
    "damage": Verb(damage.Damage, damage.damage),
    "heal": Verb(damage.Heal, damage.heal),
    "create": Verb(play.Create, play.create),
    "move": Verb(play.Move, play.move),
    "mark": Verb(marks.Mark, mark),
    "afflict": Verb(conditions.Afflict, conditions.afflict),
    "cure": Verb(conditions.Cure, conditions.cure),
    "attack": Verb(attacking.Attack, attacking.attack, steps=attacking.parts),
    "retreat": Verb(play.Retreat, play.retreat),
    "switch": Verb(play.Switch, play.switch),
    "evolve": Verb(evolving.Evolve, evolving.evolve),
    "devolve": Verb(evolving.Devolve, evolving.devolve),
    "describe": Verb(evolving.Describe, evolving.describe),
    "change-hp": Verb(evolving.ChangeHp, evolving.change_hp),
    "knock-out": Verb(knocked_out.KnockOut, knocked_out.by_text),
    "checkup": Verb(Checkup, turn.checkup),
    "begin-turn": Verb(turn.BeginTurn, turn.begin_turn),
    "begin-phase": Verb(cards.BeginPhase, turn.begin_phase),
    "answer": Verb(answers.Answer, answers.answer, cards.may_answer),
    "take-prizes": Verb(winning.TakePrizes, winning.take_prizes),
    "deck-out": Verb(winning.DeckOut, winning.deck_out),
    "leave": Verb(seating.Leave, seating.leave),
}
