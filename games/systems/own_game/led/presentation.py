"""Presentation of a game with a GM, all from its definition: the tracks of its set lie on the
board, with the numbers that are counted besides and the buttons of rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import replace

from games.rules.state import GameState
from games.rules.state import marked as _
from games.systems import set_counters, slot_sentences
from games.systems.controls import Act, Stepper, Tap
from games.systems.log_words import Sentence, Story
from games.systems.presentation import Presentation
from games.systems.sheets import Label, Sheets
from games.systems.slot_counters import Counted, SlotBoard
from games.tracks.counter import game_master, protagonists
from games.tracks.sets import fight
from games.tracks.views import seen_prompts, sees

from ..asking import asked
from ..buttons import act, asked_first, buttons_on, roles_of, roles_to_take, teams_of
from ..course import Course
from ..holders import OwnSystem
from ..language.definition import KEPT, Definition
from ..language.meaning import GM, TABLE
from ..language.written_rules import Rule
from ..new_game import OwnNewGame
from ..steppers import numbers_of
from ..story import (
    SENTENCES,
    UNDO_WORDS,
    by_rule,
    corrected,
    revealed,
    silent,
    words_of,
)
from ..turns import completed, dice


def counted(system: OwnSystem, state: GameState, seat: str | None) -> Iterator[Counted]:
    """The numbers of all that *seat* sees, and the buttons that it may press: its own first, then
    the table's, the other players', those of things and of tracks."""
    seen = _seen(state, seat)
    for holder in _holders(seen, seat):
        numbers = tuple(_numbers(system, state, seat, holder))
        acts = tuple(_acts(system, seen, seat, holder)) if seat else ()
        if numbers or acts:
            yield Counted(holder, numbers, acts)


def _holders(seen: GameState, seat: str | None) -> Iterator[str]:
    """All that *seat* sees: itself and the table first."""
    yield from (*([seat] if seat else []), TABLE)
    yield from (key for key in seen.seats if key != seat)
    yield from (key for key, piece in seen.objects.items() if piece.on_field)
    yield from seen.slot_counters


def _seen(state: GameState, seat: str | None) -> GameState:
    """*state* without the tracks that *seat* does not see in full: a button that counts them, or
    has them as targets, would tell of them."""
    tracks = state.slot_counters.items()
    return replace(
        state, slot_counters={key: each for key, each in tracks if sees(state, seat, key)}
    )


def _numbers(
    system: OwnSystem, state: GameState, seat: str | None, holder: str
) -> Iterator[Stepper]:
    """The numbers of a holder, without those of tracks, which lie on the board themselves."""
    changeable = holder not in state.slot_counters or seat in _who_edit(state, holder)
    for number in numbers_of(system, state, holder):
        yield number if changeable else replace(number, decrement="", increment="")


def _who_edit(state: GameState, track: str) -> Sequence[str]:
    """The seats that may change a number of a track."""
    owner = state.slot_counters[track].owner  # type: ignore[attr-defined]
    return [seat for seat in state.seats if seat == owner or game_master(state, seat)]


def _acts(system: OwnSystem, seen: GameState, seat: str, holder: str) -> Iterator[Act]:
    """The buttons of rules on a holder that *seat* may press, of the rules that it may read."""
    if holder == seat and seat in protagonists(seen):
        yield from roles_to_take(system, seen, seat)
    for rule in _buttons(system, seen, seat, holder):
        yield act(system, seen, rule, holder)


def _buttons(system: OwnSystem, seen: GameState, seat: str, holder: str) -> Iterator[Rule]:
    """The rules of these buttons."""
    course, leads = Course(system, seen), game_master(seen, seat)
    sorts = [course.sort_of(holder), *([GM] if leads and holder == seat else [])]
    mine = course.seat_of(holder) == seat or leads
    for sort in dict.fromkeys(sorts):
        for rule in buttons_on(system, sort):
            assert rule.button is not None
            if seat in course.readers(rule) and (mine or not rule.button.by_holder):
                yield rule


def pressed(system: OwnSystem, state: GameState, seat: Any, label: Label) -> Mapping[str, Any]:
    """The buttons that ask something first, for the sheet that asks it, as its seat sees them."""
    seen = _seen(state, seat.id)
    buttons = [
        (rule, holder)
        for holder in _holders(seen, seat.id)
        for rule in _buttons(system, seen, seat.id, holder)
    ]
    found = {"presses": [*asked_first(system, seen, buttons, seat.id, label)]}
    if seat.id not in protagonists(seen):
        return found
    return {**found, **roles_of(system, seen, seat.id), **teams_of(system, seen, seat.id)}


def on_paper(system: OwnSystem, state: GameState, seat: str) -> list[Stepper]:
    """The numbers of a player that one may change, without those that rules count up from 0."""
    moved = system.definition.moved
    every = [each for each in numbers_of(system, state, seat) if each.increment]
    return [each for each in every if each.amount or each.kind not in moved]


def spent(kinds: Collection[str], event: Mapping[str, Any]) -> Sentence:
    """A number went down as a cost (`silent`); of slots the change itself is told."""
    return silent(kinds, event) if "counter" in event else Sentence("")


def shown(event: Mapping[str, Any]) -> Sentence:
    """A hidden answer, or a track."""
    return revealed(event) if "number" in event else Sentence(slot_sentences.PLAIN["revealed"])


class LedBoard(SlotBoard, frozen=True, kw_only=True):
    """The board of a game with a GM."""

    turns: str = "none"
    counts: bool
    counted = staticmethod(counted)
    asked = staticmethod(on_paper)


class LedSheets(Sheets, frozen=True, kw_only=True):
    """The sheets of a game with a GM."""

    prompt_facts = staticmethod(asked)
    completed = staticmethod(completed)
    seat_facts = staticmethod(pressed)

    def dice(self, system: OwnSystem, state: GameState, command: Mapping[str, Any], /) -> str:
        """Those of a question that the seat knows of, or a d20 for each initiative that is rolled
        as a turn order begins."""
        if command.get("do") == "answer":
            asked = {each.id for each in seen_prompts(state, command.get("by"))}
            return dice(system, state, command) if command.get("prompt") in asked else ""
        many = len(fight.rolling(state)) if command.get("to") == "begin" else 0
        return f"{many}d20" if many else ""


@lru_cache(KEPT)
def of_definition(definition: Definition) -> Presentation:
    """The presentation of a definition's game with a GM."""
    made, rules = definition.set, definition.rules.values()
    slots = set_counters.slots_of(made)
    return Presentation(
        words=words_of(definition),
        board=LedBoard(
            taps={
                **set_counters.taps(made),
                "press": Tap("press", "on", kind="rule"),
                "take-role": Tap("take-role", "seat", kind="role"),
            },
            types=tuple(definition.things),
            counts=bool(definition.numbers or definition.roles)
            or any(rule.button for rule in rules),
        ),
        sheets=LedSheets(
            seat_verbs=(
                *(["team-up"] if definition.teams else ()),
                *(["take-role"] if definition.roles else ()),
            )
        ),
        story=Story(
            undo_words={**set_counters.UNDO_WORDS, **UNDO_WORDS},
            sentences={
                **SENTENCES,
                **dict.fromkeys(("placed", "removed"), partial(silent, definition.unseen)),
                **set_counters.SENTENCES,
                "corrected": corrected,
                "spent": partial(spent, definition.unseen),
                "revealed": shown,
            },
            causes=dict.fromkeys(definition.rules, by_rule),
        ),
        slots=slots,
        new_game=OwnNewGame(
            definition=definition,
            icon="drama",
            others_label=_("The players’ names, with commas between them"),
            usual_seats=min(4, definition.players[1] + 1),
            presets=set_counters.presets(slots),
        ),
    )
