"""The score sheet of a game that adds up points: the parts of a total, or the rounds.

Parts are the numbers of a player from which the big one follows; what is worked out on the way
stands below what it is made of. Rounds are what each brought, asked or counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import GameState, Phrase, Prompt
from games.systems.controls import Cell, Line, Said, Scores, Sum

from .course import Course
from .events import SAID, SCORES, held_prompts
from .holders import OwnSystem, round_of, team_of
from .language.definition import KEPT, Definition, scope_of
from .language.forms import GRAMMAR
from .language.goals import Ranking, goal, ranking
from .language.meaning import About, Amount
from .steppers import stepper
from .turns import bounds
from .writing.formula import text_of
from .writing.places import items


class Part(Struct, frozen=True):
    """A line of a sheet of parts: a number, or what a part of the total's own formula makes of some
    that stand above it. counts: it is added up as it is. needs: what it is worked out from; it is
    empty until some of these are written."""

    kind: str
    says: str = ""
    amount: Amount | None = None
    counts: bool = True
    needs: frozenset[str] = frozenset()


AS_IT_IS = Part("")
"""An addend that is a number of its own, which has its line already."""


def scores(system: OwnSystem, state: GameState) -> Scores | None:
    """The score sheet of the game; None if it has none."""
    definition = system.definition
    parts, kind = parts_of(definition), definition.scored or definition.summed
    if kind is None or not (definition.scored or (parts and is_whole(definition))):
        return None
    away, course = state.absent or (), Course(system, state)
    seats = tuple(each for each in state.seats if each not in away)
    teams = _teams(course, seats) if _counts_by_team(definition) else {}
    seats = tuple(teams) or seats
    if parts:
        lines = tuple(_of_parts(course, parts, seats))
    else:
        lines = tuple(_of_rounds(course, kind, seats))
    best = ranking(definition)
    return Scores(
        kind,
        seats,
        lines,
        tuple(_sums(course, kind, seats, lines, best)),
        best=best.best if best else "",
        whole=is_whole(definition),
        teams=teams,
    )


def _teams(course: Course, seats: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By the first of each team: its seats at the table."""
    teams = (tuple(s for s in team_of(course.state, seat) if s in seats) for seat in seats)
    return {team[0]: team for team in teams}


@lru_cache(KEPT)
def _counts_by_team(definition: Definition) -> bool:
    """True if all that the sheet shows is a team's: what is written, and what is asked."""
    parts = {part.kind for part in parts_of(definition)} | {definition.scored or ""}
    written = {kind for kind in parts if kind and not definition.numbers[kind].follows}
    asked = {action.get("of", "holder") for _n, action in _questions(definition)}
    return bool(written) and written <= definition.shared and asked <= {"teams"}


def _sums(
    course: Course, kind: str, seats: Sequence[str], lines: Sequence[Line], best: Ranking | None
) -> Iterator[Sum]:
    """The totals with their places; there are none yet of parts not full, nor of empty rounds."""
    ranks = {
        seat: tuple(course.count(seat, each) for each in best.kinds) if best else ()
        for seat in seats
    }
    sign = -1 if best and best.best == "lowest" else 1
    away = {seat for seat in seats if getattr(course.state.seats[seat], "left", False)}
    written = any(not (cell.waits or cell.done) for line in lines for cell in line.cells)
    for n, seat in enumerate(seats):
        left = sum(line.cells[n].waits for line in lines if line.sort == "part")
        ahead = sum(
            [sign * n for n in other] > [sign * n for n in ranks[seat]]
            for each, other in ranks.items()
            if each not in away
        )
        amount = course.count(seat, kind)
        of_goal = stepper(course, course.definition.numbers[kind], seat)
        yield Sum(
            amount,
            left,
            1 + ahead if best and written and not left and seat not in away else None,
            goal(course.definition, of_goal),
            () if left or best is None else tuple(_ties(best.kinds, seat, ranks)),
            seat in away,
        )


def _ties(
    kinds: Sequence[str], seat: str, ranks: Mapping[str, Sequence[int]]
) -> Iterator[tuple[str, int]]:
    """The numbers of a seat up to the one that decides between it and each equal total."""
    mine, last = ranks[seat], 0
    for other in ranks.values():
        if other[:1] == mine[:1] and other != mine:
            differ = (n for n, (a, b) in enumerate(zip(mine, other, strict=True)) if a != b)
            last = max(last, next(differ))
    yield from zip(kinds[1 : last + 1], mine[1 : last + 1], strict=True)


# Parts


def _of_parts(course: Course, parts: Sequence[Part], seats: Sequence[str]) -> Iterator[Line]:
    for n, part in enumerate(parts, 1):
        cells = tuple(_of_part(course, part, seat) for seat in seats)
        number = course.definition.numbers.get(part.kind)
        follows = number is None or number.follows is not None
        line = part.kind.replace(" ", "_") or f"F{n}"
        sort = "follows" if follows else "part"
        yield Line(line, part.kind or part.says, cells, sort, part.counts)


def _of_part(course: Course, part: Part, seat: str) -> Cell:
    """A cell; what is worked out from numbers that nobody has written yet is empty."""
    blank = part.needs and part.needs <= course.definition.blanks
    if blank and not any(course.is_written(seat, kind) for kind in part.needs):
        return Cell()
    if part.amount is not None:
        return Cell(part.amount(course, About(seat)))
    if not course.may_have(seat, part.kind):
        return Cell()
    number = course.definition.numbers[part.kind]
    shown = stepper(course, number, seat)
    if number.follows is not None:
        return Cell(shown.amount)
    if number.blank and not course.is_written(seat, part.kind):
        return Cell(waits=True, number=shown)
    return Cell(shown.amount, number=shown)


@lru_cache(KEPT)
def parts_of(definition: Definition) -> tuple[Part, ...]:
    """The lines of a sheet of parts; none if the big number is not made of several."""
    if definition.summed is None:
        return ()
    formulas = _formulas(definition)
    total = formulas[definition.summed]
    addends = [*_addends(total)]
    direct = {each["number"] for each in addends if _is_own(each)}
    best = ranking(definition)
    ties = [{"number": kind} for kind in best.kinds[1:]] if best else []
    within = {kind for amount in (total, *ties) for kind in _made_of(definition, amount)}
    follow = [
        *(
            Part(kind, counts=kind in direct, needs=_written(definition, formulas[kind]))
            for kind, number in definition.numbers.items()
            if kind in within and kind in formulas and number.look != "none"
        ),
        *(_worked_out(definition, each) for each in addends if isinstance(each, dict)),
    ]
    counted = [kind for kind in definition.numbers if kind in within and kind not in formulas]
    parts: list[Part] = []
    for n, kind in enumerate(counted, 1):
        parts.append(Part(kind, counts=kind in direct))
        above = {*counted[:n]}
        parts += [each for each in follow if each.needs <= above and each != AS_IT_IS]
        follow = [each for each in follow if not each.needs <= above]
    return tuple(parts) if len(counted) > 1 else ()


def _formulas(definition: Definition) -> Mapping[str, Any]:
    return {
        each["kind"]: each["is"] for each in items(definition.written, "numbers") if "is" in each
    }


def _addends(amount: Any) -> Iterator[Any]:
    """What a sum is made of; what it takes off is taken times less than nothing."""
    match amount:
        case {"+": [*parts]}:
            for part in parts:
                yield from _addends(part)
        case {"-": [whole, taken]}:
            yield from _addends(whole)
            for part in _addends(taken):
                match part:
                    case {"*": [int(n), number]}:
                        yield {"*": [-n, number]}
                    case _:
                        yield {"*": [-1, part]}
        case _:
            yield amount


def _worked_out(definition: Definition, formula: Mapping[str, Any]) -> Part:
    """What a part of the total's own formula makes of numbers; nothing of one as it is."""
    if _is_own(formula):
        return AS_IT_IS
    match formula:
        case {"/": [{"number": _}, int(n)]}:
            says = f"÷ {n}"
        case {"*": [{"number": _}, int(n)] | [int(n), {"number": _}]}:
            says = f"× {n}".replace("-", "−")
        case _:
            says = _formula(definition, formula)
    amount = GRAMMAR.read("amount", formula, "", scope_of(definition))
    return Part("", says, amount, needs=_written(definition, formula))


def _formula(definition: Definition, amount: Mapping[str, Any]) -> str:
    """A formula in the words of its numbers, as far as one can be typed."""
    kinds = {f"n{n}": kind for n, kind in enumerate(definition.numbers)}
    own = {kind: f"{{{name}}}" for name, kind in kinds.items()}

    def called(amount: Any) -> str | None:
        return own[amount["number"]] if _is_own(amount) else None

    template = text_of(amount, called)
    return Phrase(template.replace("*", "×").replace("/", "÷"), **kinds) if template else "="


def _is_own(amount: Any) -> bool:
    """True if an amount is a number of its own holder and nothing else."""
    return isinstance(amount, dict) and amount.keys() == {"number"}


def _written(definition: Definition, amount: Any) -> frozenset[str]:
    """The numbers that somebody writes and of which an amount is made."""
    return frozenset(_made_of(definition, amount)) - _formulas(definition).keys()


def _made_of(
    definition: Definition, amount: Any, seen: frozenset[str] = frozenset()
) -> Iterator[str]:
    """The numbers of players of which an amount is made, directly or not."""
    for _place, kind in GRAMMAR.names("amount", amount, "numbers"):
        number = definition.numbers.get(kind)
        if number and number.on & definition.of_players and kind not in seen:
            yield kind
            yield from _made_of(definition, _formulas(definition).get(kind), seen | {kind})


# Rounds


def _of_rounds(course: Course, kind: str, seats: Sequence[str]) -> Iterator[Line]:
    state = course.state
    sums = {seat: course.count(seat, kind) for seat in seats}
    there = {seat: sums[seat] for seat in seats if not getattr(state.seats[seat], "left", False)}
    marks = [*state.parts.get(SCORES, ()), there]
    first, asked = round_of(state) - len(marks) + 2, {each.to: each for each in state.prompts}
    held = {prompt.to: prompt for prompt, _number in held_prompts(state)}
    last, said = round_of(state), state.parts.get(SAID, ())
    for number, (before, after) in enumerate(pairwise(marks), first):
        now = number == last and not state.result
        back = len(said) - last + number - 1
        given = _said(course.definition, said[back]) if back >= 0 else {}
        cells = []
        for seat in seats:
            its = Cell(_brought(before, after, sums, seat))
            if now and seat in held:
                its = Cell(done=True, held=held[seat].id)
            elif now:
                its = _of_now(course, kind, asked, seat, its.amount)
            elif its.amount is not None and seat not in given:
                its = replace(its, counted=(kind, number))
            cells.append(replace(its, said=tuple(given.get(seat, ()))))
        asks = _asks_for(course.definition, {**held, **asked}, given) if now else ""
        yield Line(f"r{number}", number, tuple(cells), now=now, asks=asks)


def _asks_for(
    definition: Definition, asked: Mapping[str, Prompt], given: Mapping[str, Sequence[Said]]
) -> str:
    """The number that seats are asked for, or that they were last; "" if it is the only one."""
    kinds = _answers(definition)
    if len({*kinds.values()}) < 2:
        return ""
    waiting = (kinds.get(prompt.kind, "") for prompt in asked.values())
    return next(waiting, "") or max((said[-1].kind for said in given.values()), default="")


def _said(definition: Definition, answers: Mapping[str, int]) -> Mapping[str, list[Said]]:
    """What each seat answered in a round, oldest first."""
    found: dict[str, list[Said]] = {}
    for prompt, number in answers.items():
        rule, _colon, seat = prompt.partition("#")[0].partition(":")
        kind = _answers(definition).get(rule, "")
        found.setdefault(seat, []).append(Said(prompt, number, kind))
    return found


@lru_cache(KEPT)
def _answers(definition: Definition) -> Mapping[str, str]:
    """By sort of question: the number that an answer changes."""
    questions = reversed(_questions(definition))  # the first of a rule is the one that counts
    return {f"rule-{n}": next(_changed(action["then"]), "") for n, action in questions}


def _brought(
    before: Mapping[str, int], after: Mapping[str, int], sums: Mapping[str, int], seat: str
) -> int | None:
    """What a round brought a seat; None before it sat down and after it left, and 0 is none then.

    sums: what it has now. Since it left that is what it had in its last round.
    """
    if seat not in before:
        return None
    return after[seat] - before[seat] if seat in after else (sums[seat] - before[seat]) or None


def _of_now(
    course: Course, kind: str, asked: Mapping[str, Prompt], seat: str, brought: int | None
) -> Cell:
    """A cell of the round that goes on. Answers from which points are made later, as bids are, say
    only that they were given."""
    if brought:
        return Cell(brought)
    if prompt := asked.get(seat):
        least, most = bounds(course, prompt)
        return Cell(waits=True, prompt=prompt.id, least=least, most=most)
    if brought is None or is_added(course.definition, kind):
        return Cell(brought)
    return Cell(done=bool(asked))


@lru_cache(KEPT)
def is_added(definition: Definition, kind: str) -> bool:
    """True if each answer changes the number itself, or none has to do with it."""
    questions = _questions(definition)
    return not questions or any(kind in _changed(action["then"]) for _n, action in questions)


@lru_cache(KEPT)
def is_whole(definition: Definition) -> bool:
    """True if the sheet shows all that is counted: the parts of the total, or answers."""
    parts = {part.kind for part in parts_of(definition)}
    answered = {
        kind
        for _n, action in _questions(definition)
        for kind in _changed([*action["then"], *action.get("after", ())])
    }
    there = {definition.scored, definition.summed, *parts, *answered}
    own = (each for each in definition.numbers.values() if each.on & definition.of_players)
    shown = all(
        each.follows is not None or each.look == "none" or each.kind in there for each in own
    )
    return shown and (bool(parts) or definition.scored in answered)


def _questions(definition: Definition) -> Sequence[tuple[int, Mapping[str, Any]]]:
    """What rules ask, each with the place of its rule from 1."""
    return [
        (n, action)
        for n, rule in enumerate(items(definition.written, "rules"), 1)
        for action in rule["do"]
        if "ask" in action
    ]


def _changed(actions: Any) -> Iterator[str]:
    for action in actions:
        if isinstance(kind := action.get("of"), str):
            yield kind
        yield from _changed(action.get("do", ()))
