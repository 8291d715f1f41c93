"""The course of a command in an own game: what its actions do to numbers, things and seats.

Source: docs/OWN-GAMES.md, Own 1 and 2, section 5, and section 7, Pad 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from games.rules import cards
from games.rules.events import Created, Prompted, Voided
from games.rules.state import CEASED, Kinds, Prompt, Refused
from games.rules.system import cites

from .chain import Firing
from .events import (
    Asked,
    Moved,
    Placed,
    Removed,
    Revealed,
    Spent,
    Told,
    Written,
    answers_of,
    held_prompts,
    mates,
)
from .holders import Piece
from .language.meaning import TABLE, About, Question, Work
from .language.written_rules import Rule
from .tracks import Tracks, starts


class Course(Tracks):
    """One command on its way. Raises Refused."""

    def write(self, holder: str, kind: str, firing: Firing | None = None) -> None:
        """A blank number that nothing else counts is 0 now."""
        if kind in self.definition.blanks and not self.is_written(holder, kind):
            self.happen(Written(holder, kind), firing)

    # What rules do

    def add(self, firing: Firing, holder: str, kind: str, change: int) -> Work:
        """As many more or fewer as fit; nothing for a holder that the number is not for."""
        if kind in self.tracks:
            if track := self.first_track(holder, kind):
                fills = (change > 0) is not track.resource
                yield from self.change_track(firing, track, abs(change), fills=fills)
            return
        number = self.number(kind)
        if number.follows is not None or not self.may_have(holder, kind):
            return
        if self.is_final(holder, kind):
            return
        if change > 0 and (fits := min(change, self.room(holder, kind))):
            yield self.up(holder, kind, fits, firing)
        elif change < 0:
            above = self.state.count(holder, kind) - number.least
            if (fits := min(-change, above)) > 0:
                yield self.down(Removed, holder, kind, fits, firing)
        self.write(holder, kind, firing)

    def bring(self, firing: Firing, holder: str, kind: str, to: int) -> Work:
        """The number of a holder comes as near to *to* as it may."""
        if kind not in self.tracks:
            yield from self.add(firing, holder, kind, to - self.count(holder, kind))
        elif track := self.first_track(holder, kind):
            yield from self.bring_track(firing, track, to)

    def pay(self, firing: Firing, payer: str, kind: str, amount: int) -> Work:
        """A cost is paid in full. Raises Refused."""
        if kind not in self.tracks:
            if self.is_final(payer, kind):
                raise Refused("not-enough", "{what} is written already.", "Pad 2", what=kind)
            self.refuse_taking(payer, kind, amount)
            yield self.down(Spent, payer, kind, amount, firing)
            return
        track, above = self.first_track(payer, kind), self.above_least(payer, kind)
        if track is None or above < amount:
            if track and track.visibility == "open":  # else its name would tell of it (GM 6)
                raise self.too_little(kind, above, amount)
            raise Refused("not-enough", "There is not enough of that.", "GM 2")
        yield self.bring_track(firing, track, track.shown - amount)

    def up(self, holder: str, kind: str, amount: int, firing: Firing | None = None) -> Work:
        """Place *amount* of a kind, and do what that sets off."""
        self.happen(Placed(holder, kind, amount), firing)
        yield from self.set_off("changes", kind, About(holder, change=amount), up=True)

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
        yield from self.set_off("changes", kind, About(holder, change=amount), up=False)

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
        moved = cards.change_zone(self.state, piece, zone, controller=comes_to)
        if self.definition.blanks:
            moved = Moved(**asdict(moved))
        self.happen(moved, firing)
        if enters:
            yield from self._enter(object_id, counters or {}, firing)
        elif piece.on_field:
            about = About(object_id, left=(object_id, piece.controller))
            yield from self.set_off("leaves", piece.type, about)

    def create(self, firing: Firing, kind: str, seat: str, base: Mapping[str, int]) -> Work:
        """A token of a type in play, owned and controlled by *seat*."""
        new_id = self.free_id(kind)
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
            self.write(object_id, name, firing)
        yield from self.set_off("enters", kind, About(object_id))

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
        if rule.name in self.definition.unread:
            facts["unread"] = True
        if rule.of_the_gm:
            facts["secret"] = True
        question, held = rule.questions[number], [each for each, _n in held_prompts(self.state)]
        if question.hidden:
            facts["hidden"] = True
        if total is not None or question.after or question.hidden:
            waiting = {prompt.facts.get("group") for prompt in (*self.state.prompts, *held)}
            facts["group"] = next(n for n in range(len(waiting) + 1) if n not in waiting)
        if total is not None:
            facts |= {"asked": len(seats), "total": total}
        for seat in seats:
            kind = f"rule-{rule.place}"
            prompt = Prompt(f"{kind}:{seat}", kind, seat, about.it, facts)
            waiting_too = replace(self.state, prompts=(*self.state.prompts, *held))
            asked = Prompted.of(waiting_too if held else self.state, prompt)
            self.happen(Asked(asked.prompt, asked.to, asked.waiting), firing)

    def tell(self, firing: Firing, about: About, words: str, to: list[str] | None) -> None:
        """Tell everyone, or some seats, something about the subject."""
        seats = None if to is None else tuple(seat for seat in to if seat in self.state.seats)
        secret = True if seats is not None or firing.rule.of_the_gm else None
        self.happen(Told(about.it or about.gone, words, seats, secret), firing)

    def void_the_pointless(self) -> Work:
        """Void the prompts to seats that are out, and those whose `while` holds no more."""
        if pointless := [each for each in self.state.prompts if self._pointless(each)]:
            yield self.void(pointless)

    def _pointless(self, prompt: Prompt) -> bool:
        if self.state.seats[prompt.to].lost or "question" not in prompt.facts:
            return self.state.seats[prompt.to].lost
        holds = self.asked_in(prompt)[1].holds
        return holds is not None and not holds(self, self.still_about(prompt))

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
        group = prompt.facts.get("group")
        if group is None or mates(self.state, group):
            return
        for hidden, number in held_prompts(self.state):
            if hidden.facts["group"] == group:
                self.happen(Revealed(hidden.id, hidden.to, number))
                yield self.then(hidden, number)
        rule, question = self.asked_in(prompt)
        about = self.still_about(prompt)
        yield self.act(Firing(rule, about, asked=False), question.after, about)

    def then(self, prompt: Prompt, number: int) -> Work:
        """What comes of an answer."""
        rule, question = self.asked_in(prompt)
        about = self.still_about(prompt)
        then = replace(about, answer=number, answerer=prompt.to)
        yield from self.act(Firing(rule, about, asked=False), question.then, then)

    def asked_in(self, prompt: Prompt) -> tuple[Rule, Question]:
        """The rule of a question, and the question."""
        rule = self.definition.rules[prompt.facts["rule"]]
        return rule, rule.questions[prompt.facts["question"]]

    def still_about(self, prompt: Prompt) -> About:
        """The subject of a question now; it may be gone."""
        about = remembered(prompt.facts["about"])
        it = about.it
        if it is None or it == TABLE:
            return about
        if it in self.state.seats:
            there = not self.state.seats[it].lost
        elif it not in self.state.objects:
            there = it in self.state.slot_counters
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
