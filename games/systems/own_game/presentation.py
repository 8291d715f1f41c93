"""Presentation of a game with its own rules, all from its definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import replace

from games.rules.state import GameState, Seat
from games.rules.state import marked as _
from games.systems.board import Board
from games.systems.controls import (
    Act,
    Panel,
    Shared,
    Stat,
    Stepper,
    Tap,
)
from games.systems.log_words import Story
from games.systems.new_game import Preset
from games.systems.presentation import Presentation
from games.systems.sheets import CardAction, Label, NewCard, Sheets, Tile

from . import CURRENT
from .asking import asked
from .buttons import act, buttons_on, presses, roles_of, roles_to_take, teams_of
from .course import Course
from .holders import OwnSystem, Piece, role_of, roles_in
from .language.definition import KEPT, Definition
from .language.forms import GRAMMAR
from .language.goals import concerned, decides, ends, goal
from .language.meaning import TABLE
from .language.numbers import OwnMost
from .led import presentation as led
from .new_game import OwnNewGame
from .plain import presentation as plain
from .rule_change_preview import changes_in_words
from .score_sheet import scores
from .steppers import numbers_of
from .story import (
    COUNTED,
    SENTENCES,
    UNDO_WORDS,
    UNEXPECTED,
    by_rule,
    named_by,
    silent,
    words_of,
)
from .turns import completed, dice, nth, upcoming

COLUMNS = 6
"""The numbers of a player that have a column; the others stand in rows."""


def panel(system: OwnSystem, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The big number, or a track of the table, or the first; the others each in its place, the
    table's last; what has no column; and on the stage the switches and the buttons of rules."""
    every, shared = [*numbers_of(system, state, seat.id)], [*numbers_of(system, state, TABLE)]
    first = next((each for each in every if each.look != "switch"), None)
    main = next((each for each in every if each.big), None)
    track = next((each for each in shared if each.look == "track"), None) if not main else None
    hero = track or main or first
    sort = role_of(state, seat.id)
    plain = [each for each in every if each is not hero and each.look != "switch"]
    bounds = {
        n.most.number for n in system.definition.numbers.values() if isinstance(n.most, OwnMost)
    }
    plain.sort(key=lambda each: each.kind in bounds)  # what only bounds another is seldom tapped
    switches = [each for each in every if each is not hero and each.look == "switch"]
    acts = [
        *roles_to_take(system, state, seat.id),
        *(act(system, state, rule, seat.id) for rule in buttons_on(system, sort)),
        *(act(system, state, rule, TABLE) for rule in buttons_on(system, TABLE)),
    ]
    decided = "" if _reached(system, state, hero) else decides(system.definition)
    return Panel(
        hero,
        total=next((each for each in every if each.kind == decided and each is not hero), None),
        places=(*plain, *switches, *(each for each in shared if each is not hero)),
        goal=goal(system.definition, hero),
        strip=first if track else None,
        acts=tuple(acts),
        rows=(*(_held(state, each) for each in switches), *plain[COLUMNS:]),
        staged=bool(system.definition.roles),
        role=roles_in(state).get(seat.id, ""),
        nth=nth(state, seat.id) if system.definition.starts else 0,
        columns=True,
    )


def _reached(system: OwnSystem, state: GameState, hero: Stepper | None) -> bool:
    """True if a game that is over ended by the goal of the big number: that tells it, no other."""
    if not state.result or hero is None or hero.kind not in ends(system.definition):
        return False
    every = (each for seat in state.seats for each in numbers_of(system, state, seat))
    goals = (goal(system.definition, each) for each in every if each.kind == hero.kind)
    return any(each is not None and not each.left for each in goals)


def _held(state: GameState, switch: Stepper) -> Shared:
    """A seat's switch, and who has it."""
    return Shared(switch, tuple(each for each in state.seats if state.count(each, switch.kind)))


def table_numbers(system: OwnSystem, state: GameState) -> Iterator[Stepper]:
    """The numbers of the definition that the table has, for the strip."""
    known = system.definition.numbers
    yield from (each for each in numbers_of(system, state, TABLE) if each.kind in known)


def curves(system: OwnSystem, state: GameState, holder: Any) -> Iterator[tuple[str, str, int]]:
    """The big number of a player that follows from others, for which there are no counters."""
    kind = system.definition.charted
    if kind is not None and isinstance(holder, Seat):
        yield kind, holder.id, Course(system, state).count(holder.id, kind)


def numbers_on(system: OwnSystem, state: GameState, piece: Any) -> Iterator[Stepper]:
    """The numbers of a thing in play."""
    return numbers_of(system, state, piece.id)


def printed_on(
    system: OwnSystem, state: GameState, piece: Any, derived: Mapping[str, Any]
) -> Iterator[Stat]:
    """The printed values of a thing, but for those that a number of that name says now."""
    assert isinstance(piece, Piece)
    for name, value in piece.base.items():
        number = system.definition.numbers.get(name)
        if number is None or piece.type not in number.on:
            yield Stat(name, value, value)


def acts(system: OwnSystem, state: GameState, piece: Any) -> Iterator[Act]:
    """The buttons of rules on a thing in play."""
    if piece.on_field:
        for rule in buttons_on(system, piece.type):
            yield act(system, state, rule, piece.id)


def tiles(system: OwnSystem, state: GameState, piece: Any) -> Iterator[Tile]:
    """The numbers of a thing, the buttons of rules on it, and where else it can go."""
    if piece.on_field:
        yield from numbers_on(system, state, piece)
        for rule in buttons_on(system, piece.type):
            assert rule.button is not None
            if rule.button.target is None and rule.button.bounds is None:
                yield CardAction(rule.button.label, "press", {"rule": rule.name}, holder="on")
        yield from (CardAction("", "move", {"to": zone}) for zone in system.zones[1:2])


def dependent(definition: Definition) -> frozenset[str]:
    """The numbers of which other numbers, or prices, may depend."""
    follow = any(number.follows for number in definition.numbers.values())
    buttons = [rule.button for rule in definition.rules.values() if rule.button]
    if follow or any(not isinstance(each.most, int) for each in definition.numbers.values()):
        return frozenset(definition.numbers)
    switches = {number.kind for number in definition.numbers.values() if number.look == "switch"}
    costs = {cost.of for button in buttons for cost in button.costs}
    sheet = {definition.scored} if definition.scored else set()
    turns = definition.written.get("turns", {})
    order = {kind for _place, kind in GRAMMAR.names("turns", turns, "numbers")}
    return concerned(definition) | switches | costs | sheet | order


def turns_shown(definition: Definition) -> str:
    """The order of turns on the board; none where the game says nothing of turns and needs none."""
    written = definition.written
    needed = "turns" in written or _reads_turns(written.get("rules", []))
    return definition.order if needed else "none"


def _reads_turns(part: Any) -> bool:
    """True if a part of a rule is about turns, rounds, or the player whose turn it is."""
    if isinstance(part, dict):
        return not OF_TURNS.isdisjoint(part) or any(map(_reads_turns, part.values()))
    if isinstance(part, list):
        return any(map(_reads_turns, part))
    return part in ("turn", "round", "active")


OF_TURNS = frozenset({"begins", "ends", "during", "own_turn"})
"""The keys of a rule that are about turns."""


class OwnBoard(Board, frozen=True, kw_only=True):
    """The board of a definition's game."""

    turns: str
    redraws: frozenset[str]
    counting_phases: tuple[str, ...] = ()
    panel = staticmethod(panel)
    object_steppers = staticmethod(numbers_on)
    stats = staticmethod(printed_on)
    acts = staticmethod(acts)
    table = staticmethod(table_numbers)

    def upcoming(self, system: OwnSystem, state: GameState, /) -> list[str] | None:
        return upcoming(system, state) if system.definition.starts else None

    def shown_by_all(self, before: GameState, after: GameState, holder: str) -> bool:
        """True: whatever a table's rules count may stand on every panel."""
        return True


def of_seat(system: OwnSystem, state: GameState, seat: Seat, label: Label) -> Mapping[str, Any]:
    """The buttons that ask something first, the roles and the teams."""
    mates = {**roles_of(system, state, seat.id), **teams_of(system, state, seat.id)}
    return {**presses(system, state, seat, label), **mates}


class OwnSheets(Sheets, frozen=True, kw_only=True):
    """The sheets of a definition's game."""

    prompt_facts = staticmethod(asked)
    completed = staticmethod(completed)
    dice = staticmethod(dice)
    seat_facts = staticmethod(of_seat)
    tiles = staticmethod(tiles)


class OwnStory(Story, frozen=True, kw_only=True):
    """The story of a definition's game."""

    uncounted: frozenset[str]
    curves = staticmethod(curves)
    scores = staticmethod(scores)
    out_because = staticmethod(named_by)
    won_because = staticmethod(named_by)


@lru_cache(KEPT)
def of_definition(definition: Definition) -> Presentation:
    """The presentation of a definition's game."""
    if definition.plain:
        return plain.of_definition(definition, _new_game(definition))
    return led.of_definition(definition) if definition.led else _of_players(definition)


def _of_players(definition: Definition) -> Presentation:
    numbers, rules = definition.numbers.values(), definition.rules.values()
    return Presentation(
        words=words_of(definition),
        board=OwnBoard(
            taps={
                "press": Tap("press", "on", kind="rule"),
                "take-role": Tap("take-role", "seat", kind="role"),
            },
            turns=turns_shown(definition),
            redraws=dependent(definition),
            counting_phases=definition.phases if definition.starts else (),
            types=tuple(definition.things),
            always_shown=tuple(
                each.kind
                for each in numbers
                if each.on & definition.of_players and each.look != "none"
            ),
        ),
        sheets=OwnSheets(
            new_cards={
                kind: NewCard(stats=dict(thing.prints)) for kind, thing in definition.things.items()
            },
            seat_verbs=(
                *(["team-up"] if definition.teams else ()),
                *(["take-role"] if definition.roles else ()),
                "leave",
            ),
        ),
        story=OwnStory(
            undo_words=UNDO_WORDS
            | ({"begin-turn": _("round")} if definition.order == "all" else {}),
            sentences={**SENTENCES, **dict.fromkeys(COUNTED, partial(silent, definition.unseen))},
            news=frozenset({"told", "rules-changed", "revised", "round-corrected"}),
            causes={**dict.fromkeys(definition.rules, by_rule), "": changes_in_words},
            announced=frozenset(rule.name for rule in rules if rule.when.moment in UNEXPECTED),
            uncounted=frozenset(rule.name for rule in rules if rule.questions),
            hero=next((each.kind for each in numbers if each.big), ""),
        ),
        new_game=_new_game(definition),
    )


def _new_game(definition: Definition) -> OwnNewGame:
    least, most = definition.players
    preset = Preset(
        "empty",
        definition.title,
        definition.about or _("Add things as you play them."),
        lambda seats: {"seats": {seat: {} for seat in seats}},
        seats=(least, most),
    )
    presets: tuple[Preset, ...] = (preset,)
    if definition.teams:
        across = replace(
            preset, title=_("Partners sit across"), sentence=_("each with the seat across")
        )
        beside = Preset(
            "beside",
            _("Partners sit side by side"),
            _("the first seats are a team"),
            partial(_beside, definition.teams),
            seats=(least, most),
        )
        presets = (across, beside)
    return OwnNewGame(
        icon="plus",
        definition=definition,
        usual_seats=min(max(least, 4), most),
        presets=presets,
    )


def _beside(teams: int, seats: Sequence[str]) -> dict[str, Any]:
    """The opening in which the seats of a team follow each other."""
    size = -(-len(seats) // teams)
    rows = [[*seats[n : n + size]] for n in range(0, len(seats), size)]
    made = {f"team-{n}": {"seats": row} for n, row in enumerate(rows, 1)}
    return {"seats": {seat: {} for seat in seats}, "teams": made}


def of_table(system: OwnSystem) -> Presentation:
    """The presentation of a table with its own rules."""
    return of_definition(system.definition)


PRESENTATION = of_definition(CURRENT.definition)
