"""The course of a command in an own game: what it does, what that sets off, and how it settles.

Triggers come right after their event: a generator that makes an event yields the work that the
event sets off, and `run` does that before it goes on. So a chain of rules costs no depth of calls.
Rules may do something at most `MOST_FIRINGS` times for a command, and look at `MOST_LOOKS` holders;
what goes on beyond that is refused as a loop. Source: docs/OWN-GAMES.md, Own 2, 6, 7 and section 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from games.rules import cards
from games.rules.events import Created, Event, Prompted, Voided
from games.rules.state import CEASED, GameState, Kinds, Prompt
from games.rules.system import System, cites

from .events import Asked, Placed, Removed, Told, answers_of, mates, with_parts
from .holders import Holders, Piece
from .language.definition import Definition
from .language.meaning import TABLE, About, Work
from .language.written_rules import Rule

MOST_FIRINGS = 200
COURSE = "course"
"""The part of the state that lasts from one step of a command to the next."""


class Firing:
    """A rule that is doing something for one subject; it counts once it has made an event.

    about: whom its condition was asked about; None if it was not. compared: the numbers of the
    condition's comparisons, read before it does anything.
    """

    __slots__ = ("about", "compared", "counted", "rule")

    def __init__(self, rule: Rule, about: About | None = None) -> None:
        self.rule = rule
        self.about = about
        self.compared: tuple[int, ...] | None = None
        self.counted = False


class Course(Holders):
    """One command on its way. Raises Refused."""

    __slots__ = ("compared", "fired", "out", "winners")

    def __init__(self, system: System, state: GameState, events: list[Event] | None = None) -> None:
        super().__init__(system, state, [] if events is None else events)
        so_far = state.parts.get(COURSE, {})
        self.fired: int = so_far.get("fired", 0)
        self.looked: int = so_far.get("looked", 0)
        self.out: dict[str, str] = dict(so_far.get("out", {}))
        self.winners: dict[str, str] = dict(so_far.get("winners", {}))
        self.compared: dict[str, tuple[int, ...] | None] = dict(so_far.get("compared", {}))

    def run(self, work: Work) -> Course:
        """Do *work* and everything it sets off."""
        under_way = [work]
        while under_way:
            further = next(under_way[-1], None)
            if further is None:
                under_way.pop()
            else:
                under_way.append(further)
        return self

    def paused(self) -> Course:
        """Keep what a later step of the same command, or its settling, goes on from."""
        so_far = {
            "fired": self.fired,
            "looked": self.looked,
            "out": self.out,
            "winners": self.winners,
            "compared": self.compared,
        }
        if any(so_far.values()):
            self.state = with_parts(self.state, **{COURSE: so_far})
        return self

    def happen(self, event: Event, firing: Firing | None = None) -> None:
        """Apply and record *event*, which *firing* made."""
        if firing is not None:
            event = replace(event, rule=firing.rule.name, compared=self._compared(firing))
        super().happen(event)
        self._worked_out.clear()
        if firing is not None:
            self._count(firing)

    def _compared(self, firing: Firing) -> tuple[int, ...] | None:
        about = firing.about
        if firing.compared is None and about is not None:
            firing.compared = tuple(side(self, about) for side in firing.rule.compared)
        return firing.compared or None

    def _count(self, firing: Firing) -> None:
        if firing.counted:
            return
        firing.counted = True
        self.fired += 1
        if self.fired > MOST_FIRINGS:
            raise self.looping(firing.rule)

    # What rules do

    def add(self, firing: Firing, holder: str, kind: str, change: int) -> Work:
        """As many more or fewer as fit; nothing for a holder that the number is not for."""
        number = self.number(kind)
        if number.follows is not None or not self.may_have(holder, kind):
            return
        if change > 0 and (fits := min(change, self.room(holder, kind))):
            yield self.up(holder, kind, fits, firing)
        elif change < 0:
            above = self.state.count(holder, kind) - number.least
            if (fits := min(-change, above)) > 0:
                yield self.down(Removed, holder, kind, fits, firing)

    def up(self, holder: str, kind: str, amount: int, firing: Firing | None = None) -> Work:
        """Place *amount* of a kind, and do what that sets off."""
        self.happen(Placed(holder, kind, amount), firing)
        yield from self._set_off("changes", kind, About(holder, change=amount), up=True)

    def down(
        self,
        how: type[Removed],
        holder: str,
        kind: str,
        amount: int,
        firing: Firing | None = None,
    ) -> Work:
        """Remove or spend *amount* of a kind, and do what that sets off."""
        self.happen(how(holder, kind, amount), firing)
        yield from self._set_off("changes", kind, About(holder, change=amount), up=False)

    def move(
        self,
        object_id: str,
        zone: str,
        *,
        controller: str | None = None,
        counters: Kinds | None = None,
        firing: Firing | None = None,
    ) -> Work:
        """A thing changes zones; in play it gets its starts and then *counters*.

        A token that has ceased stays gone.
        """
        piece = self.piece(object_id)
        enters = zone in piece.field_zones and not piece.on_field
        if piece.zone in (CEASED, zone, piece.goes_to(zone, self.state.on(piece.id))):
            return
        comes_to = (controller or piece.owner) if enters else None
        self.happen(cards.change_zone(self.state, piece, zone, controller=comes_to), firing)
        if enters:
            yield from self._enter(object_id, counters or {}, firing)
        elif piece.on_field:
            about = About(object_id, left=(object_id, piece.controller))
            yield from self._set_off("leaves", piece.type, about)

    def create(self, firing: Firing, kind: str, seat: str, base: Mapping[str, int]) -> Work:
        """A token of a type in play, owned and controlled by *seat*."""
        new_id = self._free_id(kind)
        piece = self.new_piece(new_id, kind, base, owner=seat, token=True)
        self.happen(Created.of(piece), firing)
        yield from self._enter(new_id, {}, firing)

    def new_piece(self, new_id: str, kind: str, base: Mapping[str, int], **facts: Any) -> Piece:
        """A piece of a type, whose printed values fill what *base* leaves out."""
        made: type[Piece] = self.system.components.object  # type: ignore[assignment]
        whole = {**self.definition.things[kind].prints, **base}
        about = {"name": new_id, "zone": self.definition.zones[0], **facts}
        about.setdefault("controller", about["owner"])
        return made(id=new_id, type=kind, base=whole, **about)

    def entered(self, piece: Piece, counters: Kinds) -> Work:
        """A thing was created by hand."""
        self.happen(Created.of(piece))
        if piece.on_field:
            yield from self._enter(piece.id, counters, None)

    def _enter(self, object_id: str, counters: Kinds, firing: Firing | None) -> Work:
        """The starts of a thing that has come into play, and what else it comes with."""
        kind = self.piece(object_id).type
        for name, start in starts(self.definition, kind):
            if name in counters:
                continue
            if start > 0:
                self.happen(Placed(object_id, name, start), firing)
            else:
                self.happen(Removed(object_id, name, -start), firing)
        for name, amount in sorted(counters.items()):
            self.refuse_placing(object_id, name, amount)
            if amount:
                self.happen(Placed(object_id, name, amount), firing)
        yield from self._set_off("enters", kind, About(object_id))

    def _free_id(self, kind: str) -> str:
        stem = re.sub("[^a-z0-9-]", "-", kind).strip("-")
        stem = stem[:30] if stem[:1].isalpha() else "thing"
        number, state = 1, self.state
        while (new := f"{stem}-{number}") in state.objects or new in state.seats:
            number += 1
        return new

    def name(self, firing: Firing, seat: str, *, won: bool) -> None:
        """Name a seat that is out once the table has settled, or has won if it is still in then."""
        named = self.winners if won else self.out
        if seat in self.state.seats and seat not in named:
            named[seat] = firing.rule.name
            self.compared[seat] = self._compared(firing)
            self._count(firing)

    def ask(
        self, firing: Firing, about: About, number: int, seats: Sequence[str], total: int | None
    ) -> None:
        """Ask each of *seats* a question of the rule, which waits until it is answered."""
        rule = firing.rule
        facts: dict[str, Any] = {"rule": rule.name, "question": number, "about": kept(about)}
        if total is not None or rule.questions[number].after:
            waiting = {prompt.facts.get("group") for prompt in self.state.prompts}
            facts["group"] = next(n for n in range(len(waiting) + 1) if n not in waiting)
        if total is not None:
            facts |= {"asked": len(seats), "total": total}
        for seat in seats:
            kind = f"rule-{rule.place}"
            prompt = Prompt(f"{kind}:{seat}", kind, seat, about.it, facts)
            asked = Prompted.of(self.state, prompt)
            self.happen(Asked(asked.prompt, asked.to, asked.waiting), firing)

    def tell(self, firing: Firing, about: About, words: str) -> None:
        """Tell everyone something about the subject."""
        self.happen(Told(about.it or about.gone, words), firing)

    # What sets rules off

    def _set_off(self, moment: str, about: str, of: About, *, up: bool | None = None) -> Work:
        for rule in self.definition.set_off_by(moment, about):
            if rule.when.up is None or rule.when.up is up:
                yield self.fire(rule, of)

    def each_of(self, moment: str, about: str, seats: bool) -> Work:
        """Set off the rules of a moment of the turn: for each active seat, or for the table."""
        for rule in self.definition.set_off_by(moment, about):
            for subject in self._active() if seats else [TABLE]:
                yield self.fire(rule, About(subject))

    def _active(self) -> list[str]:
        turn = self.state.turn
        return [seat for seat in self.remaining() if turn and seat in turn.active]

    def fire(self, rule: Rule, about: About) -> Work:
        """Do what *rule* says about one subject, if its condition holds."""
        self.looked += 1
        if about.it is None or not self.takes_part(about.it, about):
            return
        if rule.holds is None or rule.holds(self, about):
            yield from self.act(Firing(rule, about), rule.does, about)

    def act(self, firing: Firing, does: Sequence[Any], about: About) -> Work:
        """Do the actions one after another."""
        for action in does:
            yield from action(self, firing, about)

    def void_of_the_lost(self) -> Work:
        """Void the prompts to seats that are out."""
        seats = self.state.seats
        yield self.void(prompt for prompt in self.state.prompts if seats[prompt.to].lost)

    def void(self, prompts: Iterable[Prompt]) -> Work:
        """Void questions, and do what comes after those of which they were the last."""
        voided = [*prompts]
        for prompt in voided:
            self.happen(Voided(prompt.id))
        last = {prompt.facts.get("group"): prompt for prompt in voided}
        for group, prompt in last.items():
            if answers_of(self.state, group):
                yield self.after(prompt)

    @cites("Pad 3")
    def after(self, prompt: Prompt) -> Work:
        """What comes once all who were asked together have answered; nothing while one has not."""
        rule = self.definition.rules[prompt.facts["rule"]]
        question = rule.questions[prompt.facts["question"]]
        if question.after and not mates(self.state, prompt.facts["group"]):
            yield self.act(Firing(rule), question.after, self.still_about(prompt))

    def still_about(self, prompt: Prompt) -> About:
        """The subject of a question now; it may be gone."""
        about = remembered(prompt.facts["about"])
        it = about.it
        if it is None or it == TABLE:
            return about
        if it in self.state.seats:
            there = not self.state.seats[it].lost
        elif self.definition.rules[prompt.facts["rule"]].when.moment == "leaves":
            there = self.state.objects[it].zone != "ceased"
        else:
            there = self.is_in_play(it)
        return about if there else replace(about, it=None, gone=it)


def kept(about: About) -> dict[str, Any]:
    """The context of a question when it was asked, as JSON values."""
    facts = {
        "it": about.it,
        "change": about.change,
        "chosen": about.chosen,
        "presser": about.presser,
        "target": about.target,
        "left": list(about.left) if about.left else None,
    }
    return {key: value for key, value in facts.items() if value not in (None, 0) or key == "it"}


def remembered(facts: Mapping[str, Any]) -> About:
    """The content of `kept`."""
    left = facts.get("left")
    return About(**{**facts, "left": (left[0], left[1]) if left else None})


@cites("Own 1")
def starts(definition: Definition, sort: str) -> list[tuple[str, int]]:
    """Starting numbers of a sort of holder, by kind."""
    return sorted(
        (number.kind, number.start)
        for number in definition.numbers.values()
        if number.start and sort in number.on
    )
