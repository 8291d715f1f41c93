"""The events that only own games have, and those that mean more in them.

Numbers may be negative here, rounds are counted, and a press is remembered for as long as it can be
given only once. What is counted beside the board is kept in the state's `parts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from games.rules import events
from games.rules.chapters import chapters
from games.rules.state import GameState, Prompt, Turn

ROUND, LAST, PRESSED, SUMS, BY_RULE = "round", "last", "pressed", "sums", "by_rule"
SCORES, NAMED = "scores", "named"
"""The parts of the state: the number of the round, the seats that were active last, what was
pressed in this turn, round and game, the answers to questions with a total, whether the result
is there because a rule named a winner, the scores as each round began, and by seat the rule by
which it is out or has won."""


def with_parts(state: GameState, **changed: Any) -> GameState:
    """The state with some of its parts changed; None takes one away."""
    parts = {**state.parts, **changed}
    return replace(state, parts={name: part for name, part in parts.items() if part is not None})


def begun(state: GameState) -> GameState:
    """The state of a game that has begun: who left before has never played."""
    if state.absent is not None:
        return state
    left = (seat.id for seat in state.seats.values() if getattr(seat, "left", False))
    return state.with_absent(left)


class Placed(events.Placed, frozen=True):
    """A number went up."""

    def evolve(self, state: GameState) -> GameState:
        now = state.count(self.on, self.counter)
        return state.with_count(self.on, self.counter, now + self.amount)


class Removed(events.Removed, frozen=True):
    """A number went down, perhaps below 0."""

    def evolve(self, state: GameState) -> GameState:
        now = state.count(self.on, self.counter)
        return state.with_count(self.on, self.counter, now - self.amount)


class Spent(Removed, frozen=True):
    """A number went down as a cost."""

    kind: ClassVar[str] = "spent"


class TurnBegan(events.Event, frozen=True):
    """A turn began, and a round with it if it says which.

    scores: by seat, what the score sheet has until then; None without a sheet.
    """

    kind: ClassVar[str] = "turn-began"
    private: ClassVar[tuple[str, ...]] = ("scores",)
    active: tuple[str, ...]
    phase: str
    round: int | None = None
    scores: Mapping[str, int] | None = None

    def evolve(self, state: GameState) -> GameState:
        state = begun(state)
        pressed = dict(state.parts.get(PRESSED, {}))
        pressed.pop("turn", None)
        if self.round is not None:
            pressed.pop("round", None)
            state = with_parts(state, **{ROUND: self.round})
            if self.scores is not None:
                state = with_parts(state, **{SCORES: [*state.parts.get(SCORES, ()), self.scores]})
        state = with_parts(state, **{LAST: list(self.active), PRESSED: pressed or None})
        return replace(state, turn=Turn(self.active, self.phase))


class Pressed(events.Event, frozen=True):
    """The button of a rule was pressed on a holder. once: the span in which it can be only once.

    secret: it is the GM's own.
    """

    kind: ClassVar[str] = "pressed"
    private: ClassVar[tuple[str, ...]] = ("once",)
    on: str
    target: str | None = None
    number: int | None = None
    once: str | None = None
    secret: bool | None = None

    def evolve(self, state: GameState) -> GameState:
        state = begun(state)
        if self.once is None:
            return state
        pressed, span = dict(state.parts.get(PRESSED, {})), span_now(state, self.once)
        spans = dict(pressed.get(span, {}))
        spans[self.rule] = [*spans.get(self.rule, ()), self.on]
        return with_parts(state, **{PRESSED: {**pressed, span: spans}})


def was_pressed(state: GameState, once: str, rule: str, on: str) -> bool:
    """True if the button of *rule* was pressed on *on* in this turn, round, session or game."""
    return on in state.parts.get(PRESSED, {}).get(span_now(state, once), {}).get(rule, ())


def span_now(state: GameState, once: str) -> str:
    """A span by name; a session by its number, since what ends it is no event of own games."""
    return f"session {len(chapters(state)) + 1}" if once == "session" else once


class Asked(events.Prompted, frozen=True):
    """A question waits; the answers to those of its group, if it has one, are added up anew."""

    def evolve(self, state: GameState) -> GameState:
        state = events.Prompted.evolve(self, state)
        group = self.waiting.facts.get("group")
        if group is None or len(mates(state, group)) > 1:
            return state
        return with_sum(state, group, None)


def mates(state: GameState, group: int | None) -> list[Prompt]:
    """The questions of a group that still wait."""
    return [prompt for prompt in state.prompts if prompt.facts.get("group") == group]


def with_sum(state: GameState, group: int, answers: list[int] | None) -> GameState:
    """The state in which *answers* were given to a group of questions; None: none any more."""
    sums = {key: each for key, each in state.parts.get(SUMS, {}).items() if key != str(group)}
    if answers is not None:
        sums[str(group)] = answers
    return with_parts(state, **{SUMS: sums or None})


def answers_of(state: GameState, group: int | None) -> list[int]:
    """The answers to a group of questions so far."""
    return list(state.parts.get(SUMS, {}).get(str(group), ()))


def missing(state: GameState, prompt: Prompt) -> int | None:
    """What is missing to the total that several answers bring together; None without one."""
    total = prompt.facts.get("total")
    return None if total is None else int(total) - sum(answers_of(state, prompt.facts["group"]))


class Answered(events.Answered, frozen=True):
    """A question was answered with a number."""

    number: int

    def evolve(self, state: GameState) -> GameState:
        prompt = state.prompt(self.prompt)
        assert prompt is not None
        state = events.Answered.evolve(self, state)
        group = prompt.facts.get("group")
        if group is None:
            return state
        answers = [*answers_of(state, group), self.number]
        return with_sum(state, group, answers if mates(state, group) else None)


class Told(events.Event, frozen=True):
    """A rule tells everyone something about its subject; if it is secret, some seats and the GM."""

    kind: ClassVar[str] = "told"
    on: str | None
    text: str
    to: tuple[str, ...] | None = None
    secret: bool | None = None

    def touches(self) -> tuple[str, ...]:
        return ()


class Out(events.Lost, frozen=True):
    """A rule took a seat out of the game."""

    def evolve(self, state: GameState) -> GameState:
        return with_named(events.Lost.evolve(self, state), {self.seat: str(self.rule)})


def with_named(state: GameState, rules: Mapping[str, str]) -> GameState:
    """The state with *rules*, by the seats that they took out or that won by them."""
    named = {**state.parts.get(NAMED, {}), **rules}
    return with_parts(state, **{NAMED: named or None})


class Ended(events.Event, frozen=True):
    """The game has a result. by_rule: a rule named the winners, so it stays until it is undone.

    rules: by winner, the rule that named it.
    """

    kind: ClassVar[str] = "ended"
    private: ClassVar[tuple[str, ...]] = ("by_rule", "rules")
    result: str
    winners: tuple[str, ...] | None = None
    by_rule: bool = False
    rules: Mapping[str, str] | None = None

    def evolve(self, state: GameState) -> GameState:
        state = replace(state, result=self.result, winners=self.winners or ())
        state = with_named(state, self.rules or {})
        return with_parts(state, **{BY_RULE: self.by_rule or None})
