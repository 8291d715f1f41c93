"""Rad counters: the ability of rule 728 (725 in the edition of June 2024), exactly.

It triggers as the precombat main phase begins, once for each active player who has rad counters
then. It has no source, and that player controls it. It waits as a prompt, so that the table can
respond to it, copy it or counter it. When it resolves, the rad counters are counted again, the
player reports what was milled, and then loses life and rad counters. Nothing else in this system
knows what rad counters do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from games.rules import ticks
from games.rules.commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    OBJECT,
    PROMPT,
    WAITING,
    Command,
    Parameter,
    Terms,
    each,
    invalid,
    one_of,
    table,
)
from games.rules.events import Answered, Event, PhaseBegan, Prompted, Removed
from games.rules.state import MOST, GameState, Prompt, Refused
from games.rules.system import System, cites

from . import combat, designations, saga, siege
from .facts import Milled, NonlandMilled
from .life import RADIATION, life_lost
from .player import ASKED_BY, BLOCKS, RAD, SAGA, SIEGE, TYPES, UNDERCITY, due, life_of
from .rules import here

TRIGGERS_IN = "precombat-main"
FRONT_FACES = each(each(one_of(*TYPES), 1), most=MOST, distinct=False)


@cites("728.1", "725.1", "603.2b", "603.4", "113.8", "805.4d")
def ask(system: System, state: GameState, event: PhaseBegan) -> Iterator[Event]:
    """Each active player with rad counters gets the trigger as the phase begins, in order of id."""
    if event.phase != TRIGGERS_IN or state.turn is None:
        return
    for seat in sorted(state.turn.active):
        if state.count(seat, RAD) and not state.seats[seat].lost:
            yield Prompted.of(state, rad_of(seat), rule=here(system, "728.1"))


def rad_of(seat: str) -> Prompt:
    """The waiting ability of *seat*. The number due is worked out when it is shown."""
    return Prompt(f"{RAD}:{seat}", RAD, seat, source=None)


class Answer(Command, frozen=True, kw_only=True):
    """Resolve an ability that waits: of rad counters, a Siege, the initiative, or of what puts
    counters where asked.

    Of rad counters, report how many cards were milled, and how many were nonland.

    Or list the types of each card's front face in `cards`: a card with the type land is a land,
    whatever else it is. A card exiled instead counts as milled. Fewer cards than due can be milled
    only if the library ran out, or if another effect `changed` this mill; then any number can be.
    Without rad counters nothing is due, and no report is needed.

    as: what the other face of a Siege says, if it was cast. blocks: by blocker, the attacker it
    blocks. on: where counters are put. room: the next one, where the way forks.
    """

    verb: ClassVar[str] = "answer"
    prompt: Annotated[str, Parameter(PROMPT, names=WAITING)]
    milled: Annotated[int | None, Parameter(AMOUNT)] = None
    nonland: Annotated[int | None, Parameter(AMOUNT)] = None
    cards: Annotated[tuple[tuple[str, ...], ...] | None, Parameter(FRONT_FACES)] = None
    library_empty: Annotated[bool, Parameter(FLAG)] = False
    changed: Annotated[bool, Parameter(FLAG)] = False
    as_: Annotated[Mapping[str, Any] | None, Parameter(siege.FACE)] = None
    blocks: Annotated[Mapping[str, str] | None, Parameter(table(ID, ID), names=OBJECT)] = None
    on: Annotated[str | None, Parameter(ID, names=HOLDER)] = None
    room: Annotated[int | None, Parameter(designations.ROOM)] = None

    def check(self, system: Terms) -> None:
        if (self.milled is None) != (self.nonland is None):
            raise invalid("Report both numbers: cards milled, and nonland cards among them.")
        if self.cards is not None and self.milled is not None:
            raise invalid("Report either the numbers or the cards, not both.")

    @cites("712.8a", "205.2b")
    def report(self) -> tuple[int, int] | None:
        """The cards milled and the nonland cards among them; None without a report."""
        if self.cards is not None:
            return len(self.cards), sum("land" not in types for types in self.cards)
        if self.milled is None or self.nonland is None:
            return None
        return self.milled, self.nonland


@cites("728.1", "725.1", "603.3d", "603.4", "608.2h", "608.2c")
def answer(system: System, state: GameState, command: Answer) -> Iterator[Event]:
    """Mill, lose life, remove rad counters, in this order; who loses is checked afterwards."""
    prompt = state.prompt(command.prompt)
    assert prompt is not None
    _refuse_other_facts(prompt, command)
    if prompt.kind == SIEGE:
        yield from siege.resolve(system, state, prompt, command.as_)
        return
    if prompt.kind == BLOCKS:
        yield from combat.answered(system, state, prompt, command.blocks or {})
        return
    if prompt.kind == SAGA:
        yield from saga.resolve(state, prompt)
        return
    if prompt.kind == UNDERCITY:
        yield from designations.explored(system, state, prompt, command.room)
        return
    if prompt.kind == ticks.PUTS:
        yield from ticks.answered(system, state, prompt, command.on)
        return
    owed, report, rule = due(state, prompt), command.report(), here(system, "728.1")
    refuse_wrong_report(system, owed, report, command)
    yield Answered(prompt.id)
    if not owed or report is None:
        return
    milled, nonland = report
    if milled:
        yield Milled(prompt.to, milled, owed, rule=rule)
    if nonland:
        yield NonlandMilled(prompt.to, nonland, rule=rule)
        yield from life_lost(state, prompt.to, nonland, RADIATION, rule=here(system, "728.1a"))
        yield from _come_off(state, prompt.to, nonland, rule)


def _refuse_other_facts(prompt: Prompt, command: Answer) -> None:
    """Refuse the facts of one question for another."""
    milled = command.report() is not None or command.library_empty or command.changed
    asked_by_card = prompt.kind in ASKED_BY
    other = {
        SIEGE: command.as_,
        BLOCKS: command.blocks,
        ticks.PUTS: command.on,
        UNDERCITY: command.room,
    }
    said = any(fact is not None and prompt.kind != kind for kind, fact in other.items())
    if (milled and asked_by_card) or said:
        raise Refused("wrong-facts", "That is no answer to this question.", "Prompts 2")


def outcomes(system: System, state: GameState, prompt: Prompt) -> Iterator[tuple[int, int]]:
    """The life and the rad counters that each possible number of nonland cards would leave."""
    rule = here(system, "728.1")
    for nonland in range(due(state, prompt) + 1):
        after = state
        for event in (
            *life_lost(state, prompt.to, nonland, RADIATION, rule=rule),
            *(_come_off(state, prompt.to, nonland, rule)),
        ):
            after = event.evolve(after)
        yield life_of(after, prompt.to), after.count(prompt.to, RAD)


@cites("609.3")
def _come_off(state: GameState, seat: str, nonland: int, rule: str) -> Iterator[Event]:
    """Remove one rad counter for each nonland card, whether or not life was lost."""
    if removed := min(nonland, state.count(seat, RAD)):
        yield Removed(seat, RAD, removed, rule=rule)


@cites("701.17a", "701.17b", "701.17c", "701.13a", "701.13b", "701.13c", "614.1a", "107.1b")
def refuse_wrong_report(
    system: System, owed: int, report: tuple[int, int] | None, command: Answer
) -> None:
    """Refuse numbers that are impossible for this mill."""
    wrong = None
    facts = {"owed": owed}
    if report is None:
        if owed:
            wrong = "Report how many of the {owed} milled cards were nonland."
    else:
        milled, nonland = report
        facts |= {"milled": milled, "nonland": nonland}
        if nonland > milled:
            wrong = "There cannot be {nonland} nonland cards among {milled} milled."
        elif command.changed:
            return
        elif milled > owed:
            wrong = "Only {owed} cards are milled now, not {milled}."
        elif milled < owed and not command.library_empty:
            wrong = "Mill {owed} cards, unless your library ran out after {milled}."
    if wrong:
        rule = here(system, "701.17b" if owed else "603.4")
        raise Refused("wrong-facts", wrong, rule, **facts)


class Copy(Command, frozen=True, kw_only=True):
    """Put a copy of the waiting ability on the stack, controlled by the same player."""

    verb: ClassVar[str] = "copy"
    prompt: Annotated[str, Parameter(PROMPT, names=WAITING)]


@cites("707.10")
def copy(system: System, state: GameState, command: Copy) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    assert prompt is not None
    if prompt.kind == BLOCKS:
        raise Refused("wrong-facts", "That is no ability.", "707.10")
    yield Prompted.of(state, replace(prompt, id=prompt.id.partition("#")[0]))
