"""The course of a command in an own game: what it does, what that sets off, and how it settles.

Triggers come right after their event: a generator that makes an event yields the work that the
event sets off, and `run` does that before it goes on. So a chain of rules costs no depth of calls.
After the command's own events the `always` rules are looked at again and again until a whole pass
did nothing; then the seats that were named out are out, all at one moment, and it settles again.
Rules may do something at most `MOST_FIRINGS` times for a command, and look at `MOST_LOOKS` holders;
what goes on beyond that is refused as a loop. Source: docs/OWN-GAMES.md, Own 2, 6, 7 and section 3.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from msgspec import field
from msgspec.structs import replace

from games.rules import cards
from games.rules.events import Created, Event, Lost, Prompted, Voided
from games.rules.resolution import Resolution
from games.rules.state import (
    MOST,
    GameObject,
    GameState,
    Kinds,
    Prompt,
    Refused,
    Words,
    marked,
)
from games.rules.system import System, cites

from .actions import Work
from .definition import Definition, Number, OwnMost, Rule
from .expressions import PLAYER, TABLE, About, Listed
from .happened import (
    LAST,
    ROUND,
    Asked,
    Ended,
    Placed,
    Removed,
    Told,
    with_parts,
)

MOST_FIRINGS = 200
MOST_LOOKS = 1_000_000
COURSE = "course"
"""The part of the state that lasts from one step of a command to the next."""


class Piece(GameObject, frozen=True):
    """A card, token, place or piece of a type. base: what is printed on it."""

    type: str = ""
    base: Mapping[str, int] = field(default_factory=dict)

    off_field: ClassVar[Words] = marked("{name} is not in play ({zone}).")


def not_in_play(piece: Piece, rule: str) -> Refused:
    """The refusal of what is possible only in play."""
    sentence = piece.off_field
    return Refused("not-on-field", sentence, rule, name=piece.name, zone=piece.zone)


@cache
def piece_in(zone: str) -> type[Piece]:
    """The things of a game in which what is in that *zone* is in play."""

    class InPlay(Piece, frozen=True):
        """A thing of such a game."""

        field_zones: ClassVar[frozenset[str]] = frozenset({zone})

    return InPlay


class OwnSystem(System, frozen=True, kw_only=True):
    """The system that a definition makes. most_looks: the work that a command of it may be."""

    definition: Definition
    most_looks: int = MOST_LOOKS


class Firing:
    """A rule that is doing something for one subject; it counts once it has made an event."""

    __slots__ = ("counted", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.counted = False


class Course(Resolution):
    """One command on its way. Raises Refused."""

    __slots__ = (
        "_in_play",
        "_remaining",
        "_worked_out",
        "definition",
        "fired",
        "looked",
        "most_looks",
        "out",
        "winners",
    )

    def __init__(self, system: System, state: GameState, events: list[Event] | None = None) -> None:
        super().__init__(system, state, [] if events is None else events)
        assert isinstance(system, OwnSystem)
        self.definition = system.definition
        self.most_looks = system.most_looks
        so_far = state.parts.get(COURSE, {})
        self.fired: int = so_far.get("fired", 0)
        self.looked: int = so_far.get("looked", 0)
        self.out: dict[str, str] = dict(so_far.get("out", {}))
        self.winners: list[str] = list(so_far.get("winners", ()))
        self._in_play: tuple[Mapping[str, GameObject], list[str]] | None = None
        self._remaining: tuple[Mapping[str, Any], list[str]] | None = None
        self._worked_out: dict[tuple[str, str], int] = {}

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
        }
        if any(so_far.values()):
            self.state = with_parts(self.state, **{COURSE: so_far})
        return self

    def happen(self, event: Event, firing: Firing | None = None) -> None:
        """Apply and record *event*, which *firing* made."""
        super().happen(event)
        self._worked_out.clear()
        if firing is not None:
            self._count(firing)

    def _count(self, firing: Firing) -> None:
        if firing.counted:
            return
        firing.counted = True
        self.fired += 1
        if self.fired > MOST_FIRINGS:
            raise self.looping(firing.rule)

    def looping(self, rule: Rule | None) -> Refused:
        """The refusal of a command that sets off rules without end."""
        sentence = "The rules set each other off without end: “{rule}” again and again."
        name = rule.name if rule else self.definition.title
        return Refused("loop", sentence, name, rule=name)

    def look(self, those: Listed) -> Listed:
        """*those*; each look at a holder counts."""
        self.looked += len(those)
        if self.looked > self.most_looks:
            raise self.looping(None)
        return those

    # Holders

    def remaining(self) -> list[str]:
        """The seats that are not out, in table order."""
        seats = self.state.seats
        if self._remaining is None or self._remaining[0] is not seats:
            self._remaining = (seats, [seat.id for seat in seats.values() if not seat.lost])
        return self.look(self._remaining[1])

    def still_in(self, seat: str | None) -> list[str]:
        """*seat*, unless it is out or there is none."""
        return [seat] if seat is not None and not self.state.seats[seat].lost else []

    def following(self, seat: str) -> list[str]:
        """The next seat after *seat* that is not out, round the table, and not itself."""
        order = [*self.state.seats]
        at = order.index(seat)
        after = [each for each in (*order[at + 1 :], *order[:at]) if each in self.remaining()]
        return after[:1]

    def holder(self, about: About) -> str | None:
        """The seat whose the subject is: itself, a thing's controller, nobody of the table."""
        return self.seat_of(about.it, about)

    def seat_of(self, holder: str | None, about: About | None = None) -> str | None:
        if holder is None or holder == TABLE:
            return None
        if holder in self.state.seats:
            return holder
        if about is not None and about.left is not None and about.left[0] == holder:
            return about.left[1]
        return self.state.objects[holder].controller

    def takes_part(self, holder: str, about: About | None = None) -> bool:
        """Whether *holder* is neither out nor a thing of a seat that is."""
        seat = self.seat_of(holder, about)
        return seat is None or not self.state.seats[seat].lost

    def in_play(self) -> list[str]:
        """The objects in play, by id."""
        objects = self.state.objects
        if self._in_play is None or self._in_play[0] is not objects:
            self._in_play = (objects, sorted(i for i, each in objects.items() if each.on_field))
        return self.look(self._in_play[1])

    def things(self, meant: Collection[str]) -> list[str]:
        """The objects in play of some types, by id, without those of seats that are out."""
        objects, seats = self.state.objects, self.state.seats
        return [
            each
            for each in self.in_play()
            if objects[each].type in meant and not seats[objects[each].controller].lost  # type: ignore[attr-defined]
        ]

    def sort_of(self, holder: str) -> str:
        """The sort of a holder: "player", "table", or its type."""
        if holder in self.state.seats:
            return PLAYER
        return TABLE if holder == TABLE else self.piece(holder).type

    def piece(self, object_id: str) -> Piece:
        piece = self.state.objects[object_id]
        assert isinstance(piece, Piece)
        return piece

    def is_in_play(self, holder: str) -> bool:
        piece = self.state.objects.get(holder)
        return piece is None or piece.on_field

    # Numbers

    def number(self, kind: str) -> Number:
        return self.definition.numbers[kind]

    def may_have(self, holder: str, kind: str) -> bool:
        """Whether a number of the definition is for *holder*, which is in play."""
        return self.sort_of(holder) in self.number(kind).on and self.is_in_play(holder)

    @cites("Own 8")
    def count(self, holder: str, kind: str) -> int:
        """A holder's amount of a number; one that follows is computed."""
        number = self.definition.numbers.get(kind)
        if number is None or number.follows is None:
            return self.state.count(holder, kind)
        if not self.may_have(holder, kind):
            return 0
        if (holder, kind) not in self._worked_out:
            self._worked_out[holder, kind] = number.follows(self, About(holder))
        return self._worked_out[holder, kind]

    def printed(self, holder: str, name: str) -> int:
        """The printed value of a thing; 0 if there is none, and on seats and the table."""
        if holder not in self.state.objects:
            return 0
        return self.piece(holder).base.get(name, 0)

    def had(self, holder: str, kind: str) -> int:
        """The amount of a number on a thing when it last left play."""
        piece = self.state.objects.get(holder)
        return piece.had.get(kind, 0) if piece else 0

    def least(self, kind: str) -> int:
        number = self.definition.numbers.get(kind)
        return number.least if number else 0

    def most(self, holder: str, kind: str) -> int:
        """The most that *holder* may have of a kind now."""
        number = self.definition.numbers.get(kind)
        if number is None:
            return MOST
        if not isinstance(number.most, OwnMost):
            return number.most
        if number.most.print is not None:
            return self.printed(holder, number.most.print)
        return self.count(holder, number.most.number or "")

    @cites("Own 2")
    def room(self, holder: str, kind: str) -> int:
        """The number of a kind that still fit on *holder*."""
        most = self.most(holder, kind)
        return max(most - self.state.count(holder, kind), 0) if most >= 0 else 0

    @property
    def round(self) -> int:
        return round_of(self.state)

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
        self.happen(Placed(holder, kind, amount, rule=named(firing)), firing)
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
        self.happen(how(holder, kind, amount, rule=named(firing)), firing)
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
        """A thing changes zones; in play it gets its starts and then *counters*."""
        piece = self.piece(object_id)
        enters = zone in piece.field_zones and not piece.on_field
        if piece.zone in (zone, piece.goes_to(zone, self.state.on(piece.id))):
            return
        comes_to = (controller or piece.owner) if enters else None
        moved = cards.change_zone(self.state, piece, zone, controller=comes_to, rule=named(firing))
        self.happen(moved, firing)
        if enters:
            yield from self._enter(object_id, counters or {}, firing)
        elif piece.on_field:
            about = About(object_id, left=(object_id, piece.controller))
            yield from self._set_off("leaves", piece.type, about)

    def create(self, firing: Firing, kind: str, seat: str, base: Mapping[str, int]) -> Work:
        """A token of a type in play, owned and controlled by *seat*."""
        new_id = self._free_id(kind)
        piece = self.new_piece(new_id, kind, base, owner=seat, token=True)
        self.happen(replace(Created.of(piece), rule=named(firing)), firing)
        yield from self._enter(new_id, {}, firing)

    def new_piece(self, new_id: str, kind: str, base: Mapping[str, int], **facts: Any) -> Piece:
        """A piece of a type, whose printed values fill what *base* leaves out."""
        made: type[Piece] = self.system.object  # type: ignore[assignment]
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
        kind, rule = self.piece(object_id).type, named(firing)
        for name, start in starts(self.definition, kind):
            if name in counters:
                continue
            if start > 0:
                self.happen(Placed(object_id, name, start, rule=rule), firing)
            else:
                self.happen(Removed(object_id, name, -start, rule=rule), firing)
        for name, amount in sorted(counters.items()):
            self.refuse_placing(object_id, name, amount)
            if amount:
                self.happen(Placed(object_id, name, amount, rule=rule), firing)
        yield from self._set_off("enters", kind, About(object_id))

    def _free_id(self, kind: str) -> str:
        stem = re.sub("[^a-z0-9-]", "-", kind).strip("-")
        stem = stem[:30] if stem[:1].isalpha() else "thing"
        number, state = 1, self.state
        while (new := f"{stem}-{number}") in state.objects or new in state.seats:
            number += 1
        return new

    def name_out(self, firing: Firing, seat: str) -> None:
        """Name a seat that is out once the table has settled."""
        if seat in self.state.seats and seat not in self.out:
            self.out[seat] = firing.rule.name
            self._count(firing)

    def name_winner(self, firing: Firing, seat: str) -> None:
        """Name a seat that has won, if it is still in at the end of the command."""
        if seat in self.state.seats and seat not in self.winners:
            self.winners.append(seat)
            self._count(firing)

    def ask(
        self, firing: Firing, about: About, number: int, seats: Sequence[str], total: int | None
    ) -> None:
        """Ask each of *seats* a question of the rule, which waits until it is answered."""
        rule = firing.rule
        facts: dict[str, Any] = {"rule": rule.name, "question": number, "about": kept(about)}
        if total is not None:
            waiting = {prompt.facts.get("group") for prompt in self.state.prompts}
            group = next(n for n in range(len(waiting) + 1) if n not in waiting)
            facts |= {"group": group, "asked": len(seats), "total": total}
        for seat in seats:
            kind = f"rule-{rule.place}"
            prompt = Prompt(f"{kind}:{seat}", kind, seat, about.it, facts)
            asked = Prompted.of(self.state, prompt, rule.name)
            self.happen(Asked(asked.prompt, asked.to, asked.waiting, rule=asked.rule), firing)

    def tell(self, firing: Firing, about: About, words: str) -> None:
        """Tell everyone something about the subject."""
        self.happen(Told(about.it, words, rule=firing.rule.name), firing)

    # What sets rules off

    def _set_off(self, moment: str, about: str, of: About, *, up: bool | None = None) -> Work:
        for rule in self.definition.set_off_by(moment, about):
            if rule.up is None or rule.up is up:
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
            yield from self.act(Firing(rule), rule.does, about)

    def act(self, firing: Firing, does: Sequence[Any], about: About) -> Work:
        """Do the actions one after another."""
        for action in does:
            yield from action(self, firing, about)

    # Settling

    @cites("Own 6")
    def settling(self) -> Work:
        """Look at what is always so until nothing changes, then take out who was named."""
        always = [rule for rule in self.definition.rules.values() if rule.moment == "always"]
        while True:
            while always:
                before = self._progress()
                for rule in always:
                    for subject in self._subjects(rule):
                        if self.is_in_play(subject):
                            yield self.fire(rule, About(subject))
                if self._progress() == before:
                    break
            leaving = [seat for seat in self.remaining() if seat in self.out]
            if not leaving:
                return
            for seat in leaving:
                self.happen(Lost(seat, rule=self.out[seat]))
            self.void_of_the_lost()

    def _progress(self) -> tuple[int, int, int]:
        return len(self.events), len(self.out), len(self.winners)

    def _subjects(self, rule: Rule) -> list[str]:
        if PLAYER in rule.of:
            return [*self.remaining()]
        if TABLE in rule.of:
            return [TABLE]
        return self.look(self.things(rule.of))

    def void_of_the_lost(self) -> None:
        """Void the prompts to seats that are out."""
        for prompt in self.state.prompts:
            if self.state.seats[prompt.to].lost:
                self.happen(Voided(prompt.id))

    @cites("Own 7")
    def end(self) -> None:
        """Give the game its result, if it has none and there is one now."""
        if self.state.result is not None:
            return
        seats, left = self.state.seats, self.remaining()
        won = tuple(seat for seat in left if seat in self.winners)
        if won:
            self.happen(Ended("won", won, by_rule=True))
        elif any(type(event) is Lost for event in self.events):
            if not left:
                self.happen(Ended("lost" if self.definition.cooperative else "draw"))
            elif len(left) == 1 and len(seats) >= 2 and not self.definition.cooperative:
                self.happen(Ended("won", tuple(left)))

    # Refusals

    @cites("Own 3")
    def refuse_kind(self, holder: str, kind: str) -> None:
        """Refuse a number that is not for *holder*, and any on what is out of play (Own 3)."""
        number = self.definition.numbers.get(kind)
        if number is not None:
            if self.sort_of(holder) not in number.on:
                sentence = "{what} is not counted there."
                raise Refused("wrong-target", sentence, "Own 3", what=kind)
            if number.follows is not None:
                sentence = "{what} follows from other numbers; nobody changes it by hand."
                raise Refused("wrong-target", sentence, "Own 3", what=kind)
        if not self.is_in_play(holder):
            raise not_in_play(self.piece(holder), "Own 3")

    def refuse_placing(self, holder: str, kind: str, amount: int) -> None:
        """Refuse what may not be there, or does not fit (Own 2 and 3)."""
        self.refuse_kind(holder, kind)
        if amount > self.room(holder, kind):
            sentence = "There can be at most {most} {what} there."
            raise Refused(
                "over-maximum", sentence, "Own 2", most=self.most(holder, kind), what=kind
            )

    def refuse_taking(self, holder: str, kind: str, amount: int) -> None:
        """Refuse a cost that is more than there is above the least (Own 2)."""
        self.refuse_kind(holder, kind)
        above = self.state.count(holder, kind) - self.least(kind)
        if amount > max(above, 0):
            sentence = "Only {n} {what} can be taken there; the cost is {amount}."
            facts = {"n": max(above, 0), "what": kind, "amount": amount}
            raise Refused("not-enough", sentence, "Own 2", **facts)


def named(firing: Firing | None) -> str | None:
    """The name of the rule that makes an event; None if a seat does."""
    return firing.rule.name if firing else None


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
    """What `kept` has kept."""
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


def round_of(state: GameState) -> int:
    """The number of the round."""
    return int(state.parts.get(ROUND, 1))


def last_active(state: GameState) -> list[str]:
    """The seats that were active last, even if they are out by now; none before the first turn."""
    return list(state.parts.get(LAST, ()))


def settle(system: System, state: GameState, events: list[Event]) -> GameState:
    """The settled state after a command's own events."""
    course = Course(system, state, events)
    course.run(course.settling())
    course.end()
    if COURSE in course.state.parts:
        course.state = with_parts(course.state, **{COURSE: None})
    if not course.state.settled:
        course.state = replace(course.state, settled=True)
    return course.state
