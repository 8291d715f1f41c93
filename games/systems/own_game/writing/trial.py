"""Trying a game while its rules are written: two seats, taps, and which rules they set off.

The page holds the commands that were tapped, and they are played again each time, by the rules as
they are now. So a trial is always of the game that one sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.rules import engine
from games.rules.events import Created, Event, Lost, Moved
from games.rules.state import GameState, Phrase, Prompt, Refused
from games.rules.state import marked as _

from ..course import Course
from ..events import Asked, Ended, Placed, Removed, Told, answers_of
from ..holders import OwnSystem, round_of
from ..language.definition import Definition
from ..language.meaning import PLAYER, TABLE, About
from ..language.written_rules import Rule
from ..turns import bounds
from .places import names

NAMES: Mapping[str, str] = {"ana": "Ana", "ben": "Ben", TABLE: _("the table")}
SEATS = ("ana", "ben")
RANDOM = 20
MOST_EVENTS = 5000
MOST_LOOKS = 30_000
"""The work that a command may be in a trial, which is played again at each tap."""
MOST_PROBED = 3_000
"""The same where every number and button is tapped once to find rules that go on without end."""


class Fired(Struct, frozen=True):
    """A rule that did something. rule: its place from 1. changes: what it changed, in words."""

    rule: int
    name: str
    changes: Sequence[Any]
    order: int = 0


class Tap(Struct, frozen=True):
    """Something to tap: a command. says: on its button; kind: the number it is about."""

    says: Any
    command: Mapping[str, Any]
    kind: str = ""
    main: bool = False

    @property
    def change(self) -> Mapping[str, Any]:
        return {"tap": self.command}


class Count(Struct, frozen=True):
    """A number of a holder with its taps."""

    kind: str
    amount: int
    less: Tap | None = None
    more: Tap | None = None


class Holder(Struct, frozen=True):
    """A seat, the table or a thing as the trial shows it. out: the seat has lost."""

    id: str
    name: Any
    counts: Sequence[Count]
    presses: Sequence[Tap] = ()
    active: bool = False
    out: bool = False


class Question(Struct, frozen=True):
    """A rule's question to a seat, with the answers to tap."""

    name: str
    text: str
    answers: Sequence[Tap]


class Trial(Struct, frozen=True):
    """The table as it stands.

    did: the last tap in words. fired: the rules that it set off, in order. refused: why it was not
    done. circle: the rules of a circle, if it was that, in the order of setting each other off.
    """

    holders: Sequence[Holder] = ()
    questions: Sequence[Question] = ()
    turn: Tap | None = None
    phase: str = ""
    round: int = 1
    makes: Sequence[Tap] = ()
    did: Any = ""
    fired: Sequence[Fired] = ()
    refused: Refused | None = None
    circle: Sequence[str] = ()
    winners: Sequence[str] = ()
    over: bool = False
    taps: int = 0

    @property
    def first(self) -> Holder | None:
        """The seat whose panel stands for what everyone gets."""
        return next((each for each in self.holders if each.id == SEATS[0]), None)

    @property
    def shared(self) -> Sequence[Holder]:
        """The table, if it has anything."""
        return [each for each in self.holders if each.id == TABLE]

    @property
    def others(self) -> Sequence[Holder]:
        return [each for each in self.holders if each.id not in (TABLE, SEATS[0])]


def trial(system: OwnSystem, taps: Sequence[Mapping[str, Any]]) -> Trial:
    """The trial after all *taps*; those that are refused change nothing."""
    state = opening(system)
    last: tuple[GameState, list[Event], Refused | None] = (state, [], None)
    events = 0
    for tap in taps:
        before = state
        state, happened, refused = done(system, state, tap)
        events += len(happened)
        last = before, happened, refused
        if events > MOST_EVENTS or (refused and refused.code == "loop"):
            break
    shown = _Shown(system, state)
    before, happened, refused = last
    return Trial(
        holders=[*shown.holders()],
        questions=[*shown.questions()],
        turn=shown.turn(),
        phase=state.turn.phase if state.turn and system.definition.order != "none" else "",
        round=round_of(state),
        makes=[*shown.makes()],
        did=said(system.definition, taps[-1]) if taps else "",
        fired=[*fired(system, before, happened)],
        refused=refused,
        circle=_round(system, refused),
        winners=[str(NAMES.get(each, each)) for each in state.winners],
        over=state.result is not None,
        taps=len(taps),
    )


def opening(system: OwnSystem) -> GameState:
    """A table for two, or for as many as the game needs at least."""
    needed = max(system.definition.players[0], min(2, system.definition.players[1]))
    seats = [*SEATS, *(f"seat-{n}" for n in range(3, 13))][:needed]
    return system.opening(system, {"seats": {seat: {} for seat in seats}}, {})


def done(
    system: OwnSystem, state: GameState, raw: Mapping[str, Any]
) -> tuple[GameState, list[Event], Refused | None]:
    """The state after a tap, its events, or why it was refused."""
    try:
        head = engine.head(system, state, raw)
        if head.verb in ("undo", "redo"):
            return state, [], None
        command = engine.read(system, raw, head.by)
        now, events = engine.step(system, state, command)
    except Refused as refused:
        return state, [], refused
    return now, events, None


def fired(system: OwnSystem, state: GameState, events: Sequence[Event]) -> Iterator[Fired]:
    """The rules that events say they came from, each once, in the order of their first.

    The end of a game names no rule: it is those that say who wins, as things are then.
    """
    definition = system.definition
    changes: dict[str, list[Any]] = {}
    for event in events:
        now = event.evolve(state)
        if event.rule in definition.rules:
            parts = changes.setdefault(str(event.rule), [])
            parts += [said for said in [_change(event, state, now)] if said]
        if isinstance(event, Ended) and event.by_rule:
            names = [_name(state, seat) for seat in event.winners or ()]
            for rule in _winning(system, state):
                changes.setdefault(rule, []).extend(Phrase(_("{name} wins"), name=n) for n in names)
        state = now
    for order, (name, parts) in enumerate(changes.items(), 1):
        yield Fired(definition.rules[name].place, name, parts[:6], order)


def _winning(system: OwnSystem, state: GameState) -> Iterator[str]:
    """The rules whose condition holds for somebody, and that say who wins."""
    course = Course(system, state)
    subjects = [*state.seats, TABLE, *course.in_play()]
    for rule in system.definition.rules.values():
        written = system.definition.written["rules"][rule.place - 1]
        wins = any("win" in action for action in written["do"])
        holds = rule.holds
        if wins and holds is not None and rule.when.moment == "always":
            abouts = [About(each) for each in subjects if course.sort_of(each) in rule.when.of]
            if any(holds(course, about) for about in abouts):
                yield rule.name


def _change(event: Event, before: GameState, after: GameState) -> Any:
    """The change by an event of a rule, in words; "" for one that needs none."""
    if isinstance(event, Placed | Removed):
        on, kind = event.on, event.counter
        return Phrase(
            _("{name}’s {what} {n} → {to}"),
            name=_name(after, on), what=kind, n=before.count(on, kind), to=after.count(on, kind),
        )  # fmt: skip
    if isinstance(event, Told):
        return Phrase("“{text}”", text=event.text)
    if isinstance(event, Lost):
        return Phrase(_("{name} is out"), name=_name(after, event.seat))
    if isinstance(event, Moved):
        piece = after.objects[event.object]
        return Phrase(_("{name} goes to {where}"), name=piece.name, where=piece.zone)
    if isinstance(event, Created):
        return Phrase(_("a new thing"))
    if isinstance(event, Asked):
        return Phrase(_("asks {name}"), name=_name(after, event.to))
    return ""


def _name(state: GameState, holder: str) -> Any:
    if holder in state.objects:
        return state.objects[holder].name
    return Phrase(NAMES[holder]) if holder in NAMES else holder.replace("seat-", "")


def said(definition: Definition, tap: Mapping[str, Any]) -> Any:
    """A tap in words."""
    on = tap.get("on", tap.get("by", ""))
    on = on[0] if isinstance(on, list) and on else on
    name = Phrase(NAMES[on]) if isinstance(on, str) and on in NAMES else str(on)
    match tap.get("do"):
        case "place" | "remove":
            sign = "+" if tap["do"] == "place" else "−"
            what, n = tap.get("counter", ""), tap.get("amount", 1)
            return Phrase("{name}: {n} {what}", name=name, n=f"{sign}{n}", what=str(what))
        case "begin-turn":
            return Phrase(_("A turn begins"))
        case "begin-phase":
            return Phrase(_("{phase} begins"), phase=str(tap.get("phase", "")))
        case "press":
            rule = definition.rules.get(str(tap.get("rule", "")))
            label = rule.button.label if rule and rule.button else "?"
            return Phrase("{name}: “{label}”", name=name, label=label)
        case "answer":
            return Phrase(_("The answer is {n}"), n=str(tap.get("number", "")))
        case "create":
            return Phrase(_("A new {what}"), what=str(tap.get("type", "")))
    return ""


class _Shown:
    def __init__(self, system: OwnSystem, state: GameState) -> None:
        self.system = system
        self.definition = system.definition
        self.state = state
        self.course = Course(system, state)

    def holders(self) -> Iterator[Holder]:
        active = self.state.turn.active if self.state.turn else ()
        table = [*self.counts(TABLE)]
        presses = [*self.presses(TABLE, TABLE, self.by())]
        if table or presses:
            yield Holder(TABLE, Phrase(_("the table")), table, presses)
        for seat in self.state.seats.values():
            yield Holder(
                seat.id, _name(self.state, seat.id), [*self.counts(seat.id)],
                [*self.presses(seat.id, PLAYER, seat.id)], seat.id in active, bool(seat.lost),
            )  # fmt: skip
        for key in self.course.in_play()[:8]:
            piece = self.course.piece(key)
            name = Phrase(
                _("{what} of {name}"), what=piece.name, name=_name(self.state, piece.controller)
            )
            buttons = [*self.presses(key, piece.type, piece.controller)]
            yield Holder(key, name, [*self.counts(key)], buttons)

    def by(self) -> str:
        """The seat that taps what belongs to nobody."""
        active = self.state.turn.active if self.state.turn else ()
        seats = [seat.id for seat in self.state.seats.values() if not seat.lost]
        return next((each for each in seats if each in active), (seats or [*self.state.seats])[0])

    def counts(self, holder: str) -> Iterator[Count]:
        for number in self.definition.numbers.values():
            if not self.course.may_have(holder, number.kind):
                continue
            amount = self.course.count(holder, number.kind)
            if number.follows:
                yield Count(number.kind, amount)
                continue
            step = {"counter": number.kind, "on": holder, "amount": number.steps[0]}
            by = {"by": self.by()}
            less = Tap("−", {"do": "remove", **step, **by}, number.kind)
            more = Tap("+", {"do": "place", **step, **by}, number.kind)
            yield Count(
                number.kind,
                amount,
                less if amount > number.least else None,
                more if amount < self.course.most(holder, number.kind) else None,
            )

    def presses(self, holder: str, sort: str, by: str) -> Iterator[Tap]:
        for rule in self.definition.rules.values():
            if rule.button and sort in rule.button.on:
                command = {"do": "press", "rule": rule.name, "on": holder, "by": by}
                yield Tap(rule.button.label, {**command, **self.facts(rule, holder, by)})

    def facts(self, rule: Rule, holder: str, by: str) -> dict[str, Any]:
        """A target and a number, if the button asks for them: the first that there is."""
        button, about = rule.button, About(holder, presser=by)
        assert button is not None
        found: dict[str, Any] = {}
        if button.target is not None:
            targets = button.target(self.course, about)
            if targets:
                found["target"] = targets[0]
        if button.bounds is not None:
            found["number"] = button.bounds[0](self.course, about)
        return found

    def questions(self) -> Iterator[Question]:
        for prompt in self.state.prompts:
            rule = self.definition.rules[prompt.facts["rule"]]
            question = rule.questions[prompt.facts["question"]]
            least, most = bounds(self.course, prompt)
            numbers = [*range(least, min(most, least + 7) + 1)]
            if most > least + 7:
                numbers = [*numbers[:-1], most]
            if (left := self.left(prompt)) is not None and least <= left <= most:
                numbers = sorted({*numbers, left})
            texts = dict(enumerate(question.choices, 1))
            command = {"do": "answer", "by": prompt.to, "prompt": prompt.id}
            answers = [
                Tap(texts.get(n, str(n)), {**command, "number": n})
                for n in (texts or dict.fromkeys(numbers))
            ]
            yield Question(_name(self.state, prompt.to), question.text, answers)

    def left(self, prompt: Prompt) -> int | None:
        """The rest of the sum that several answers bring together."""
        if "total" not in prompt.facts:
            return None
        return int(prompt.facts["total"]) - sum(answers_of(self.state, prompt.facts["group"]))

    def turn(self) -> Tap | None:
        """The next step of the turn, or the next turn."""
        if self.definition.order == "none" or self.state.turn is None or self.state.result:
            return None
        by, phases = self.by(), self.definition.phases
        active, phase = self.state.turn.active, self.state.turn.phase
        at = phases.index(phase) if phase in phases else 0
        if active and at + 1 < len(phases):
            following = phases[at + 1]
            command = {"do": "begin-phase", "phase": following, "by": by}
            return Tap(Phrase(_("On to {phase}"), phase=following), command, main=True)
        command = {"do": "begin-turn", "by": by}
        if not active:
            return Tap(Phrase(_("First turn")), command, main=True)
        if self.definition.order == "all":
            return Tap(Phrase(_("Next round")), command, main=True)
        after = self.course.following(active[0])
        name = _name(self.state, after[0] if after else active[0])
        return Tap(Phrase(_("End turn → {name}"), name=name), command, main=True)

    def makes(self) -> Iterator[Tap]:
        by = self.by()
        for kind in self.definition.things:
            letters = "".join(c if c.isalnum() else "-" for c in kind).strip("-")[:20] or "thing"
            stem = letters if letters[0].isalpha() else f"thing-{letters}"
            count = 1
            while f"{stem}-{count}" in self.state.objects:
                count += 1
            command = {
                "do": "create", "as": f"{stem}-{count}", "name": f"{kind} {count}",
                "type": kind, "owner": by, "by": by,
            }  # fmt: skip
            yield Tap(kind, command)


def at_random(system: OwnSystem, taps: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Twenty more taps, as chance would have it; the same for the same taps before."""
    state, seed, more = opening(system), 7 + len(taps), list[Mapping[str, Any]]()
    for tap in taps:
        state = done(system, state, tap)[0]
    for _n in range(RANDOM):
        shown = _Shown(system, state)
        offered = [tap for question in shown.questions() for tap in question.answers]
        if not offered:
            turn = shown.turn()
            holders = [*shown.holders()]
            offered = [tap for holder in holders for tap in holder.presses] + [
                tap for holder in holders for count in holder.counts
                for tap in (count.less, count.more) if tap
            ]  # fmt: skip
            offered += [*shown.makes(), *([turn] * max(1, len(offered) // 3) if turn else [])]
        if not offered:
            break
        seed = (seed * 1103515245 + 12345) % 2**31
        chosen = offered[(seed >> 8) % len(offered)]
        state, _events, refused = done(system, state, chosen.command)
        if refused is None or refused.code == "loop":
            more.append(chosen.command)
        if refused is not None and refused.code == "loop":
            break
    return more


def circle(system: OwnSystem) -> list[str]:
    """The rules that go on without end from the opening, if a tap finds some."""
    state = opening(system)
    shown = _Shown(system, state)
    turn = shown.turn()
    probes = [turn] if turn else []
    for holder in [*shown.holders()][:2]:
        for count in holder.counts:
            probes += [each for each in (count.more, count.less) if each]
        probes += holder.presses
    for probe in (*probes, *shown.makes()):
        if found := _round(system, done(system, state, probe.command)[2]):
            return found
    return []


def _round(system: OwnSystem, refused: Refused | None) -> list[str]:
    """The names of the rules of a circle: the one that a refusal names, and those between."""
    if refused is None or refused.code != "loop" or refused.rule not in system.definition.rules:
        return []
    first = str(refused.rule)
    if first not in system.definition.rules:
        return []  # nothing sets anything off: the game asks too much
    ways, seen = [[first]], {first}
    while ways:
        way = ways.pop(0)
        for name in _sets_off(system.definition, way[-1]):
            if name == first:
                return way
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return [first]


def _sets_off(definition: Definition, name: str) -> Iterator[str]:
    """The rules that a change of a number by that rule may set off."""
    rule = definition.rules.get(name)
    if rule is None:
        return
    does = {"do": definition.written["rules"][rule.place - 1]["do"]}
    changed = {kind for place, kind in names(does, "numbers", "rule") if place[-1] == "of"}
    for other in definition.rules.values():
        condition = definition.written["rules"][other.place - 1].get("if")
        read = {kind for _place, kind in names(condition, "numbers", "condition")}
        if (other.when.moment == "changes" and changed & {*other.when.of}) or (
            other.when.moment == "always" and changed & read
        ):
            yield other.name
