"""Turns, rounds, phases, buttons and questions of a game with its own rules.

Source: docs/OWN-GAMES.md, Own 4 and 5, and section 5 for answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from games.rules import cards
from games.rules.commands import (
    FLAG,
    ID,
    PROMPT,
    SEAT,
    WAITING,
    Command,
    Parameter,
    Reader,
    each,
    invalid,
    trimmed,
    whole,
)
from games.rules.dice import MOST_DICE, MOST_SIDES, Thrown, dice_in
from games.rules.events import PhaseBegan
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import Verb, cites
from games.tracks.counter import refuse_players
from games.tracks.views import sees

from .chain import Firing
from .course import Course
from .events import ORDER, Answered, Pressed, TurnBegan, answers_of, mates, missing, was_pressed
from .holders import OwnSystem, last_active
from .language.goals import written_to
from .language.meaning import TABLE, About, Button, Work
from .language.reading import SIX_DIGITS, WORD
from .language.saying import Saying
from .language.written_rules import Rule
from .verbs import ANYTHING, resolved

NUMBER = whole(-SIX_DIGITS, SIX_DIGITS)
FALLEN = each(whole(1, MOST_SIDES), 1, MOST_DICE, distinct=False)


# Turns


class BeginTurn(Command, frozen=True, kw_only=True):
    """Begin the next turn, or that of the seats named."""

    verb: ClassVar[str] = "begin-turn"
    active: Annotated[tuple[str, ...] | None, Parameter(each(ID, 1), names=SEAT)] = None


@cites("Own 4")
def begin_turn(course: Course, command: BeginTurn) -> Work:
    cards.refuse_while_waiting(course.state)
    active = _next_active(course, command.active)
    last = last_active(course.state)
    round_begins = _begins_round(course, active, last)
    if last:
        yield course.each_of("ends", "turn", seats=True)
        if round_begins:
            yield course.each_of("ends", "round", seats=False)
    order = _new_order(course) if round_begins else None
    active = active or tuple(order or ())[:1]
    number = course.round + 1 if last else course.round
    phase = course.definition.phases[0]
    if round_begins:
        course.happen(TurnBegan(active, phase, number, standing(course), order))
    else:
        course.happen(TurnBegan(active, phase))
    if round_begins:
        yield course.each_of("begins", "round", seats=False)
    yield course.each_of("begins", "turn", seats=True)
    if phase != "turn":
        yield course.each_of("begins", phase, seats=True)


def standing(course: Course) -> dict[str, int] | None:
    """By seat that plays: what the score sheet has so far; None if the game has none."""
    kind = course.definition.scored
    if kind is None:
        return None
    left = [seat.id for seat in course.state.seats.values() if getattr(seat, "left", False)]
    return {seat: course.count(seat, kind) for seat in course.state.seats if seat not in left}


def _next_active(course: Course, named: tuple[str, ...] | None) -> tuple[str, ...]:
    order, left = course.definition.order, course.remaining()
    if order == "none":
        raise Refused("wrong-phase", "This game has no turns.", "Own 4")
    if not left:
        raise Refused("gone", "Nobody is left in the game.", "Own 4")
    if order == "all":
        if named is not None and {*named} != {*left}:
            raise Refused("wrong-target", "Everybody’s turn begins at once.", "Own 4")
        return tuple(left)
    if named is None:
        last = last_active(course.state)
        if course.definition.starts is not None:
            return tuple(still_to_come(course)[:1]) if last else ()
        if not last:
            return (left[0],)
        return tuple(course.following(last[-1]) or left[:1])
    if len(named) != 1:
        raise Refused("wrong-target", "One seat has a turn after the other.", "Own 4")
    return named


def _begins_round(course: Course, active: tuple[str, ...], last: list[str]) -> bool:
    """True if this is everybody's turn, the first of all, or of a seat not after the last one."""
    if course.definition.order == "all" or not last:
        return True
    order = order_of(course)
    return not active or order.index(active[0]) <= order.index(last[-1])


@cites("Pad 9")
def _new_order(course: Course) -> tuple[str, ...] | None:
    """The order of a round that begins; None if it is the table's."""
    starts, left = course.definition.starts, course.remaining()
    if starts is None:
        return None
    return tuple(starts(course, [seat for seat in order_of(course) if seat in left]))


def order_of(course: Course) -> list[str]:
    """The seats in the order of the round; who came later is the last."""
    order = course.state.parts.get(ORDER, ())
    return [*order, *(seat for seat in course.state.seats if seat not in order)]


def nth(state: GameState, seat: str) -> int:
    """The place of a seat in the order of the round, from 1; 0 if that is the table's."""
    order = [*state.parts.get(ORDER, ())]
    return order.index(seat) + 1 if seat in order else 0


def still_to_come(course: Course) -> list[str]:
    """The seats that have their turns in this round yet."""
    order, last = order_of(course), last_active(course.state)
    at = order.index(last[-1]) + 1 if last else 0
    return [seat for seat in order[at:] if seat in course.remaining()]


def upcoming(system: OwnSystem, state: GameState) -> list[str]:
    """The seats in the order of their next turns, as the numbers are now."""
    course = Course(system, state)
    coming = still_to_come(course) if last_active(state) else []
    return [*coming, *(seat for seat in _new_order(course) or () if seat not in coming)]


def _word(value: Any, system: OwnSystem) -> str:
    """A phase of the game; without turns any word, since none can begin."""
    without = system.definition.order == "none"
    if type(value) is str and (WORD(value) if without else value in system.phases):
        return value
    raise ValueError


class BeginPhase(cards.BeginPhase, frozen=True, kw_only=True):
    """Begin a later phase of this turn; phases may be skipped."""

    phase: Annotated[
        str, Parameter(Reader("a phase of the game", _word, schema={"type": "string"}))
    ]


def begin_phase(course: Course, command: BeginPhase) -> Work:
    if course.definition.order == "none":
        raise Refused("wrong-phase", "This game has no turns.", "Own 4")
    for event in cards.begin_phase(course.system, course.state, command):
        assert isinstance(event, PhaseBegan)
        course.happen(event)
        yield course.each_of("begins", event.phase, seats=True)


# Buttons


class Press(Command, frozen=True, kw_only=True):
    """Press the button of a rule, on a holder: by default on oneself."""

    verb: ClassVar[str] = "press"
    rule: Annotated[str, Parameter(trimmed(200))]
    on: Annotated[str | None, Parameter(ID, names=ANYTHING)] = None
    target: Annotated[str | None, Parameter(ID, names=ANYTHING)] = None
    number: Annotated[int | None, Parameter(NUMBER)] = None


def refuse_no_button(system: OwnSystem, state: GameState, command: Press) -> None:
    """Refuse a rule that has no button."""
    rule = system.definition.rules.get(command.rule)
    if rule is None or rule.button is None:
        sentence = "There is no button “{rule}” in this game."
        raise Refused("unknown", sentence, None, rule=command.rule)


@cites("Own 5")
def press(course: Course, command: Press) -> Work:
    rule = course.definition.rules[command.rule]
    button = rule.button
    assert button is not None
    on = command.on or command.by
    subject = TABLE if rule.of_the_gm else on
    about = About(subject, presser=command.by, target=command.target, chosen=command.number or 0)
    _refuse_gone(course, on, command.target)
    _refuse_unseen(course, on, command.by)
    has_it = on in course.leading() if rule.of_the_gm else course.sort_of(on) in button.on
    if not has_it:
        raise Refused("wrong-target", "There is no such button there.", "Own 5")
    _refuse_target(course, button, about)
    if rule.of_the_gm:
        refuse_players(course.state, command.by)
    if not course.is_in_play(on):
        raise course.not_in_play(on, "Own 5")
    mine = course.holder(about) == command.by or command.by in course.leading()
    if button.by_holder and not mine:
        raise Refused("forbidden", "Only the player whose it is can press that.", "Own 5")
    _refuse_moment(course, rule, button, about)
    _refuse_facts(course, rule, button, command, about)
    firing = Firing(rule, about)
    secret = True if rule.of_the_gm else None
    pressed = Pressed(str(about.it), command.target, command.number, button.once, secret=secret)
    course.happen(pressed, firing)
    for cost in button.costs:
        amount = cost.pay(course, about)
        for payer in course.look(cost.on(course, about)) if amount > 0 else ():
            if not course.may_have(payer, cost.of):
                raise Refused("not-enough", "{what} is not counted there.", "Own 5", what=cost.of)
            yield course.pay(firing, payer, cost.of, amount)
    yield course.act(firing, rule.does, about)


def _refuse_gone(course: Course, *holders: str | None) -> None:
    for holder in holders:
        if holder is not None and not course.takes_part(holder):
            raise Refused("gone", "That player has lost and is out of the game.", "Own 5")


def _refuse_unseen(course: Course, on: str, by: str) -> None:
    """Refuse a track that *by* does not see in full."""
    if on in course.state.slot_counters and not sees(course.state, by, on):
        raise Refused("forbidden", "You do not see all of it.", "R14")


def _refuse_target(course: Course, button: Button, about: About) -> None:
    if button.target is None:
        if about.target is not None:
            raise Refused("wrong-target", "That button has no target.", "Own 5")
    elif about.target is None:
        raise Refused("wrong-target", "Choose a target.", "Own 5")
    elif about.target not in course.look(button.target(course, replace(about, target=None))):
        raise Refused("wrong-target", "That cannot be the target.", "Own 5")


def _refuse_moment(course: Course, rule: Rule, button: Button, about: About) -> None:
    turn = course.state.turn
    assert turn is not None
    assert about.it is not None
    if button.during and (not turn.active or turn.phase not in button.during):
        phases = ", ".join(button.during)
        raise Refused("wrong-phase", "That is for the phase {phases}.", "Own 5", phases=phases)
    if button.own_turn and about.presser not in turn.active:
        raise Refused("wrong-phase", "That is for one’s own turn.", "Own 5")
    if button.once and was_pressed(course.state, button.once, rule.name, about.it):
        sentence = {
            "turn": "That is possible once in a turn.",
            "round": "That is possible once in a round.",
            "session": "That is possible once in a session.",
            "game": "That is possible once in the game.",
        }[button.once]
        raise Refused("wrong-phase", sentence, "Own 5")


def _refuse_facts(course: Course, rule: Rule, button: Button, command: Press, about: About) -> None:
    if rule.holds is not None and not rule.holds(course, about):
        if command.by not in course.readers(rule):
            raise Refused("wrong-facts", "That is not possible now.", "Own 5")
        written = course.definition.written["rules"][rule.place - 1]
        needed = Saying(course.definition, written).condition(written["if"])
        sentence = "{button}: only if {needed}."
        raise Refused("wrong-facts", sentence, "Own 5", button=button.label, needed=needed)
    if button.bounds is None:
        if command.number is not None:
            raise Refused("wrong-facts", "That button asks for no number.", "Own 5")
        return
    if command.number is None:
        raise Refused("wrong-facts", "Choose a number.", "Own 5")
    least, most = (bound(course, about) for bound in button.bounds)
    if not least <= command.number <= most and command.by not in course.readers(rule):
        raise Refused("wrong-facts", "That is not possible now.", "Own 5")
    refuse_outside(command.number, least, most)


def refuse_outside(number: int, least: int, most: int) -> None:
    """Refuse a number outside its bounds."""
    if not least <= number <= most:
        sentence = "The number must be from {least} to {most}."
        raise Refused("wrong-facts", sentence, "Own 5", least=least, most=most)


# Questions


class Answer(Command, frozen=True, kw_only=True):
    """Answer a question with a number, or with the place of a choice from 1.

    Dice are rolled by the server where no `number` says what was rolled at the table: `result`.
    anyway: the last answer need not bring a sum to its total, as where nobody took a trick.
    """

    verb: ClassVar[str] = "answer"
    prompt: Annotated[str, Parameter(PROMPT, names=WAITING)]
    number: Annotated[int | None, Parameter(NUMBER)] = None
    result: Annotated[tuple[int, ...] | None, Parameter(FALLEN)] = None
    anyway: Annotated[bool, Parameter(FLAG)] = False


def answer(course: Course, command: Answer) -> Work:
    prompt = course.state.prompt(command.prompt)
    assert prompt is not None
    number, anyway = _number(course, prompt, command), command.anyway
    refuse_outside(number, *bounds(course, prompt))
    dice = course.asked_in(prompt)[1].dice
    if dice:
        fell, by_hand = command.result or (number,), command.result is None
        known = command.prompt if course.definition.led else None
        course.happen(Thrown(prompt.to, dice, fell, number, by_hand, prompt=known))
    if not anyway:
        _refuse_sum(course, prompt, number)
    if "hidden" in prompt.facts:
        course.happen(Answered(command.prompt, None, held=number, anyway=anyway))
    else:
        course.happen(
            Answered(command.prompt, number, anyway=anyway, rolled=True if dice else None)
        )
        yield course.then(prompt, number)
    yield course.after(prompt)


@cites("Pad 7")
def _number(course: Course, prompt: Prompt, command: Answer) -> int:
    """The number of an answer: what was typed, or the sum of the dice."""
    dice, fell = course.asked_in(prompt)[1].dice, command.result
    if not dice and command.number is None:
        raise invalid("“{key}” is missing: {must}.", key="number", must=NUMBER.text)
    if not dice and fell is not None:
        raise Refused("wrong-facts", "That question has no dice.", "Pad 7")
    if (command.number is None) is (fell is None):
        sentence = "Roll the dice, or type what they show at the table."
        raise Refused("wrong-facts", sentence, "Pad 7")
    if fell is None:
        assert command.number is not None
        return command.number
    count, sides = dice_in(dice)
    if len(fell) != count or max(fell) > sides:
        sentence = "The result of “{dice}” is {n} whole numbers from 1 to {sides}."
        raise invalid(sentence, dice=dice, n=count, sides=sides)
    return sum(fell)


def void(course: Course, command: cards.Void) -> Work:
    prompt = course.state.prompt(command.prompt)
    assert prompt is not None
    yield course.void([prompt])


def bounds(course: Course, prompt: Prompt) -> tuple[int, int]:
    """The least and the most that answers a question now."""
    question = course.asked_in(prompt)[1]
    if question.choices:
        return 1, len(question.choices)
    about = course.still_about(prompt)
    return question.least(course, about), question.most(course, about)


def _refuse_sum(course: Course, prompt: Prompt, number: int) -> None:
    """Refuse the last answer of a group that does not bring the sum to its total."""
    left = missing(course.state, prompt)
    if left is None or len(mates(course.state, prompt.facts["group"])) > 1:
        return
    given = [each for each in answers_of(course.state, prompt.facts["group"]) if each is not None]
    if len(given) + 1 == prompt.facts["asked"] and left != number:
        sentence = "The answers must add up to {total}; {n} {n|is|are} missing."
        if left < number:
            sentence = "The answers must add up to {total}; that is {n} too many."
        facts = {"total": prompt.facts["total"], "n": abs(left - number)}
        raise Refused("wrong-facts", sentence, None, **facts)


def stops(system: OwnSystem, state: GameState, prompt: Prompt) -> tuple[str, int] | None:
    """The number that could not take all of an answer, and the least answer that it can take.

    A track takes what fits.
    """
    numbers = system.definition.numbers
    rule = system.definition.rules[prompt.facts["rule"]]
    actions = system.definition.written["rules"][rule.place - 1]["do"]
    asking = [action for action in actions if "ask" in action or "roll" in action]
    question = asking[prompt.facts["question"]]
    if "roll" in question:
        return None
    least = question.get("least", 0)
    for kind in filter(numbers.__contains__, map(written_to, question["then"])):
        fits = numbers[kind].least - state.count(prompt.to, kind)
        if type(least) is int and least < fits:
            return kind, fits
    return None


def completed(system: OwnSystem, state: GameState, command: Mapping[str, Any]) -> Mapping[str, Any]:
    """A seat's *command*; an answer of which a number could not take all is refused, and one that
    says how the server's dice fell."""
    steps = command.get("steps")
    for one in (command, *(steps if isinstance(steps, list) else ())):
        if isinstance(one, dict) and one.get("do") == "answer" and "result" in one:
            sentence = (
                "The server rolls these dice. To report a roll of your own, send its “number”."
            )
            raise Refused("forbidden", sentence, "Pad 7")
    if command.get("do") != "answer" or type(number := command.get("number")) is not int:
        return command
    prompt = state.prompt(str(command.get("prompt")))
    if prompt and "rule" in prompt.facts:
        stopped = stops(system, state, prompt)
        if stopped and number < stopped[1]:
            sentence = "{what} cannot go below {n}. Change the rules to let it."
            n = system.definition.numbers[stopped[0]].least
            raise Refused("not-enough", sentence, "Own 2", what=stopped[0], n=n)
    return command


def dice(system: OwnSystem, state: GameState, command: Mapping[str, Any]) -> str:
    """The dice that are rolled for a seat's *command*: an answer that says no number."""
    if "number" in command:
        return ""
    prompt = state.prompt(str(command.get("prompt")))
    rules = prompt and "rule" in prompt.facts
    return Course(system, state).asked_in(prompt)[1].dice if prompt and rules else ""


VERBS: Mapping[str, Verb] = {
    "begin-turn": Verb(BeginTurn, resolved(begin_turn)),
    "begin-phase": Verb(BeginPhase, resolved(begin_phase)),
    "press": Verb(Press, resolved(press), refuse_no_button),
    "answer": Verb(Answer, resolved(answer), cards.may_answer),
    "void": Verb(cards.Void, resolved(void)),
}
