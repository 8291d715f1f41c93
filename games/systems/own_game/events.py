"""The events that only own games have, and those that mean more in them.

Numbers may be negative here, rounds are counted, and a press is remembered for as long as it can be
given only once. What is counted beside the board is kept in the state's `parts`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from typing import ClassVar

from msgspec.structs import replace

from games.rules import events
from games.rules.chapters import chapters
from games.rules.state import GameState, Prompt, Team, Turn, to_facts

ROUND, LAST, PRESSED, SUMS, BY_RULE = "round", "last", "pressed", "sums", "by_rule"
ORDER = "order"
SCORES, NAMED, WRITTEN, HELD, SAID, ROLES = "scores", "named", "written", "held", "said", "roles"
"""The parts of the state: the number of the round, the seats that were active last, what was
pressed in this turn, round and game, the answers to questions with a total, whether the result
is there because a rule named a winner, the scores as each round began, by seat the rule by
which it is out or has won, by holder the blank numbers that somebody wrote, by prompt the
answers that nobody else may see yet, and by prompt those of each round of the score sheet; and the
seats in the order of the round, where it is not the table's."""


def begun(state: GameState) -> GameState:
    """The state of a game that has begun: who left before has never played."""
    if state.absent is not None:
        return state
    left = (seat.id for seat in state.seats.values() if getattr(seat, "left", False))
    return state.with_absent(left)


class WritingEvent:
    """What all changes of a number have. writes: it is blank until then. seats: the team that
    shares it."""

    __slots__ = ()
    private: ClassVar[tuple[str, ...]] = ("writes",)
    on: str
    counter: str
    writes: bool
    seats: tuple[str, ...] | None

    def touches(self) -> tuple[str, ...]:
        return self.seats or (self.on,)

    def counting(self, state: GameState, to: int) -> GameState:
        """The state in which the number is *to*, and written if the event does that."""
        for holder in self.touches():
            state = state.with_count(holder, self.counter, to)
            if self.writes:
                state = with_written(state, holder, {*written_on(state, holder), self.counter})
        return state


class Placed(WritingEvent, events.Placed, frozen=True):
    """A number went up."""

    writes: bool = False
    seats: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        return self.counting(state, state.count(self.on, self.counter) + self.amount)


class Removed(WritingEvent, events.Removed, frozen=True):
    """A number went down, perhaps below 0."""

    writes: bool = False
    seats: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        return self.counting(state, state.count(self.on, self.counter) - self.amount)


class Spent(Removed, frozen=True):
    """A number went down as a cost."""

    kind: ClassVar[str] = "spent"


class Corrected(WritingEvent, events.Corrected, frozen=True, kw_only=True):
    """A number was set by hand."""

    writes: bool = False
    seats: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        return self.counting(state, self.to)


class Written(WritingEvent, events.Event, frozen=True):
    """A blank number got a value that changes nothing: 0."""

    kind: ClassVar[str] = "written"
    on: str
    counter: str
    writes: bool = False
    seats: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        return self.counting(state, state.count(self.on, self.counter))


class Moved(events.Moved, frozen=True):
    """A thing changed zones; none of its numbers is written any more."""

    def evolve(self, state: GameState) -> GameState:
        return with_written(events.Moved.evolve(self, state), self.object, ())


def written_on(state: GameState, holder: str) -> list[str]:
    """The blank numbers of a holder that somebody wrote, by name."""
    return list(state.parts.get(WRITTEN, {}).get(holder, ()))


def with_written(state: GameState, holder: str, kinds: Collection[str]) -> GameState:
    """The state in which just these blank numbers of a holder are written."""
    others = {key: each for key, each in state.parts.get(WRITTEN, {}).items() if key != holder}
    now = {**others, holder: sorted(kinds)} if kinds else others
    return state.with_parts(**{WRITTEN: now or None})


class TurnBegan(events.Event, frozen=True):
    """A turn began, and a round with it if it says which.

    scores: by seat, what the score sheet has until then; None without a sheet. order: of the
    round, where it is not the table's.
    """

    kind: ClassVar[str] = "turn-began"
    private: ClassVar[tuple[str, ...]] = ("scores",)
    active: tuple[str, ...]
    phase: str
    round: int | None = None
    scores: Mapping[str, int] | None = None
    order: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        state = begun(state)
        pressed = dict(state.parts.get(PRESSED, {}))
        pressed.pop("turn", None)
        if self.round is not None:
            pressed.pop("round", None)
            order = list(self.order) if self.order else None
            state = state.with_parts(**{ROUND: self.round, ORDER: order})
            if self.scores is not None:
                began = {SCORES: self.scores, SAID: {}}
                state = state.with_parts(
                    **{part: [*state.parts.get(part, ()), new] for part, new in began.items()}
                )
        state = state.with_parts(**{LAST: list(self.active), PRESSED: pressed or None})
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
        return state.with_parts(**{PRESSED: {**pressed, span: spans}})


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


def with_sum(state: GameState, group: int, answers: list[int | None] | None) -> GameState:
    """The state in which *answers* were given to a group of questions; None: none any more."""
    sums = {key: each for key, each in state.parts.get(SUMS, {}).items() if key != str(group)}
    if answers is not None:
        sums[str(group)] = answers
    return state.with_parts(**{SUMS: sums or None})


def answers_of(state: GameState, group: int | None) -> list[int | None]:
    """The answers to a group of questions so far; None is one that need not add up."""
    return list(state.parts.get(SUMS, {}).get(str(group), ()))


def missing(state: GameState, prompt: Prompt) -> int | None:
    """What is missing to the total that several answers bring together; None without one."""
    total = prompt.facts.get("total")
    if total is None:
        return None
    return int(total) - sum(filter(None, answers_of(state, prompt.facts["group"])))


class Answered(events.Answered, frozen=True):
    """A question was answered with a number, which is None if it is *held* until all have answered.

    anyway: those who were asked together need not add up. rolled: with dice, which say it all.
    """

    private: ClassVar[tuple[str, ...]] = ("held", "anyway")
    number: int | None
    held: int | None = None
    anyway: bool = False
    rolled: bool | None = None

    def evolve(self, state: GameState) -> GameState:
        prompt = state.prompt(self.prompt)
        assert prompt is not None
        state = events.Answered.evolve(self, state)
        if self.held is not None:
            answer = {**to_facts(prompt), "facts": prompt.facts, "number": self.held}
            held = {**state.parts.get(HELD, {}), self.prompt: answer}
            state = state.with_parts(**{HELD: held})
        elif self.number is not None:
            state = _saying(state, self.prompt, self.number)
        group = prompt.facts.get("group")
        if group is None:
            return state
        number = self.number if self.held is None else self.held
        answers = [*answers_of(state, group), None if self.anyway else number]
        return with_sum(state, group, answers if mates(state, group) else None)


def _saying(state: GameState, prompt: str, number: int) -> GameState:
    """The state in which all know that answer; only a score sheet remembers it."""
    if SAID not in state.parts:
        return state
    *earlier, now = state.parts[SAID]
    return state.with_parts(**{SAID: [*earlier, {**now, prompt: number}]})


class Revealed(events.Event, frozen=True):
    """A hidden answer is seen by all."""

    kind: ClassVar[str] = "revealed"
    prompt: str
    seat: str
    number: int

    def evolve(self, state: GameState) -> GameState:
        held = {key: each for key, each in state.parts[HELD].items() if key != self.prompt}
        return _saying(state.with_parts(**{HELD: held or None}), self.prompt, self.number)


def held_prompts(state: GameState) -> list[tuple[Prompt, int]]:
    """The questions with hidden answers, in table order, each with its answer."""
    order = [*state.seats]
    found = [
        (Prompt(**{key: value for key, value in each.items() if key != "number"}), each["number"])
        for each in state.parts.get(HELD, {}).values()
    ]
    return sorted(found, key=lambda one: order.index(one[0].to))


def held(state: GameState) -> dict[str, tuple[str, int]]:
    """The hidden answers: by prompt, the seat and its number."""
    return {prompt.id: (prompt.to, number) for prompt, number in held_prompts(state)}


class RoundCorrected(events.Event, frozen=True):
    """A round of the score sheet brought another number; so it stands from there on. seats: the
    team that shares it."""

    kind: ClassVar[str] = "round-corrected"
    seat: str
    counter: str
    round: int
    from_: int
    to: int
    seats: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        change, own = self.to - self.from_, self.seats or (self.seat,)
        marks = state.parts[SCORES]
        after = self.round - int(state.parts[ROUND]) + len(marks)
        later = [
            {seat: n + change * (seat in own) for seat, n in each.items()} for each in marks[after:]
        ]
        for seat in own:
            now = state.count(seat, self.counter)
            state = state.with_count(seat, self.counter, now + change)
        return state.with_parts(**{SCORES: [*marks[:after], *later]})

    def touches(self) -> tuple[str, ...]:
        return self.seats or (self.seat,)


class TeamedUp(events.Event, frozen=True):
    """A seat joined the team of another, or plays for itself."""

    kind: ClassVar[str] = "teamed-up"
    seat: str
    with_: str | None

    def evolve(self, state: GameState) -> GameState:
        left = {
            team.id: tuple(each for each in team.seats if each != self.seat)
            for team in state.teams.values()
        }
        joined = next((key for key, seats in left.items() if self.with_ in seats), None)
        if joined is None:
            joined = next(new for n in count(1) if (new := f"team-{n}") not in left)
            left[joined] = (self.with_,) if self.with_ else ()
        left[joined] = (*left[joined], self.seat)
        return replace(state, teams={key: Team(key, seats) for key, seats in left.items() if seats})

    def touches(self) -> tuple[str, ...]:
        return (self.seat, *([self.with_] if self.with_ else ()))


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
    return state.with_parts(**{NAMED: named or None})


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
        return state.with_parts(**{BY_RULE: self.by_rule or None})
