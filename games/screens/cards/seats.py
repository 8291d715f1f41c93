"""The board of one table, as its page and its updates draw it: turn, strip, panels, stage, end.

What a panel holds comes from the system's presentation (`Board.panel`); the strip repeats
the panels' numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from msgspec import Struct

from games.models import Seat
from games.rules.engine import read, step
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens import view_models
from games.screens.cache import Lately
from games.screens.drawing import Held, Renderer
from games.screens.fragments import MORPH, Audience, amount_id, gauge, left, printed
from games.screens.looks import looks
from games.screens.match import Match, Score
from games.screens.words import IN_BRACES, coin, word_for
from games.systems.pieces import Designation, Door, Place, Stepper, Tally


class SeatParts(Struct, frozen=True):
    """What is drawn of one seat. facts: the attributes of its section."""

    id: str
    place: int
    facts: str
    cell: str
    head: str
    panel: str
    prompts: str
    cards: str

    def section(self, below: str, *, mine: bool, chosen: bool) -> str:
        """Its section of the board. mine: its numbers and questions are in the cockpit instead,
        and *below* stands under its cards."""
        shown = f"seat{' is-mine' if mine else ''}{' is-chosen' if chosen else ''}"
        numbers = "" if mine else self.panel + self.prompts
        return (
            f'<section id="s-{self.id}" class="{shown}" data-seat="{self.id}" {self.facts}>'
            f'{self.head}{numbers}<div class="cards">{self.cards}</div>{below * mine}</section>'
        )


class BoardRenderer(Renderer):
    """Renders the board of one table."""

    def __init__(self, system: System, seats: Mapping[str, Seat | str] | None = None) -> None:
        super().__init__(system, seats)
        self._parts: dict[Audience, tuple[GameState, dict[str, SeatParts]]] = {}
        self._headers: dict[tuple[Audience, str], tuple[GameState, str]] = {}
        self._heads = Lately[tuple[str, str], dict[str, Any]]()

    def reseat(self, seats: Mapping[str, Seat]) -> None:
        super().reseat(seats)
        self._parts.clear()
        self._headers.clear()
        self._heads = Lately()

    def board(
        self, state: GameState, seat: str | None, audience: Audience, swap: str = MORPH
    ) -> str:
        """The strip, the stage and the cockpit as *seat* sees them: its own numbers are docked."""
        with self.reading(audience):
            drawn = self._seat_parts(state, audience)
            mine = drawn.get(seat or "")
            order = list(drawn.values())
            start = mine.place - 1 if mine else 0
            turned = [*order[start:], *order[:start]]
            below = self._render("board/_below", id=mine.id, adds=self.adds) if mine else ""
            sections = [
                each.section(below, mine=each is mine, chosen=each is turned[0]) for each in turned
            ]
            parts = Held(apart=self.remembers)
            return self._around(
                "board/_board",
                parts,
                count=len(order),
                cells=parts.hold("".join([each.cell for each in order]) + self.table_cell(state)),
                sections=parts.hold("".join(sections)),
                place=mine.place if mine else 0,
                prompts=parts.hold(mine.prompts if mine else ""),
                panel=parts.hold(mine.panel if mine else ""),
                end=parts.hold(self.end(state)),
                swap=mark_safe(swap),
            )

    @property
    def adds(self) -> bool:
        """Whether cards can be added to this table."""
        return "create" in self.system.verbs

    def header(self, state: GameState, audience: Audience, swap: str = "") -> str:
        """The turn, for the header of the page. Cached like the parts of the seats."""
        kept = self._headers.get((audience, swap))
        if kept is None or kept[0] is not state:
            with self.reading(audience):
                kept = self._headers[audience, swap] = (state, self.turn(state, swap))
        return kept[1]

    def _seat_parts(self, state: GameState, audience: Audience) -> Mapping[str, SeatParts]:
        """The parts of all seats.

        Cached, because after a restart all phones of a table ask for them at once.
        """
        kept = self._parts.get(audience)
        if kept is None or kept[0] is not state:
            drawn = {
                each: SeatParts(
                    id=each,
                    place=place,
                    facts=self._facts(each, place),
                    cell=self.cell(state, each),
                    head=self.head(state, each),
                    panel=self.panel(state, each),
                    prompts=self.prompts(state, each),
                    cards=self._cards_of(state, each),
                )
                for place, each in enumerate(state.seats, 1)
            }
            kept = self._parts[audience] = (state, drawn)
        return kept[1]

    def _facts(self, seat: str, place: int) -> str:
        """The attributes of the section of *seat*."""
        by_any = " data-answered-by-any" if self.answered_by_any(seat) else ""
        return f'{looks(place)}{by_any} aria-label="{escape(self.name(seat))}"'

    def _cards_of(self, state: GameState, seat: str) -> str:
        """All zones of *seat*."""
        zones = [self.zone(state, seat, zone) for zone in view_models.field_zones(self.system)]
        return "".join([*zones, self.piles(state, seat)])

    def turn(self, state: GameState, swap: str = "") -> str:
        """The turn and its phase, whom the table is waiting for, and the next step."""
        whose_turns = self.presentation.board.turns
        turn, order = state.turn if whose_turns != "none" else None, list(state.seats)
        remaining = [seat.id for seat in state.remaining()]
        following = ""
        if turn and remaining:
            held = turn.began or turn.active
            last = max(map(order.index, held), default=-1)
            turned = [*order[last + 1 :], *order[: last + 1]]
            following = next(each for each in turned if each in remaining)
        phases, now = self.system.phases, self._now(state)
        again = self.system.again.get(turn.phase, ()) if turn else ()
        return self._render(
            "board/_turn",
            turn=turn,
            place=order.index(turn.active[0]) + 1 if turn and turn.active else 0,
            active=turn.active if turn else (),
            whose=self.name(turn.active[0]) if turn and turn.active else "",
            following={"id": following, "name": self.name(following)} if following else None,
            together=whose_turns == "all",
            phases=[
                {
                    "name": phase,
                    "now": i == now,
                    "past": i < now,
                    "open": i > now or phase in again,
                }
                for i, phase in enumerate(phases)
            ],
            coming=(coming := self._step(state)),
            step=self._step_to(coming),
            waiting=[
                {"id": p.id, "kind": p.kind, "to": p.to, "name": self.name(p.to)}
                for p in state.prompts
            ],
            result=state.result,
            swap=mark_safe(swap),
        )

    def _now(self, state: GameState) -> int:
        """The place of the phase among the system's; -1 in none of them."""
        phases, turn = self.system.phases, state.turn
        return phases.index(turn.phase) if turn and turn.phase in phases else -1

    def _step(self, state: GameState) -> str:
        """The phase that the next step goes to, or "": the first that may begin now, if one may."""
        later, ahead = (
            self.system.phases[self._now(state) + 1 :],
            self.presentation.board.next_phases,
        )
        coming = [each for each in later if ahead is None or each in ahead]
        return next((each for each in coming if self._begins(state, each)), "".join(coming[:1]))

    def _step_to(self, phase: str) -> str:
        """What the next step says that goes to *phase*."""
        if words := self.presentation.words.steps_to.get(phase):
            return gettext(words)
        word = word_for(phase) if phase else ""
        return word[:1].upper() + word[1:]

    def _begins(self, state: GameState, phase: str) -> bool:
        begin = {"do": "begin-phase", "phase": phase}
        by = next(iter((*(state.turn.active if state.turn else ()), *state.seats)), "")
        try:
            step(self.system, state, read(self.system, begin, by=by))
        except Refused:
            return False
        return True

    def end(self, state: GameState, swap: str = "") -> str:
        """How the game ended: who won, everybody's number, and why each of the others is out."""
        if not state.result:
            return f'<div id="end" class="end"{swap}></div>'
        totals = []
        for place, seat in enumerate(state.seats.values(), 1):
            panel = self._panel(state, seat.id)
            total = panel.total or panel.hero
            out = seat.lost and seat.id not in state.winners
            totals.append(
                {
                    "id": seat.id,
                    "name": self.name(seat.id),
                    "place": place,
                    "lost": out,
                    "total": total.amount if total else None,
                    "kind": panel.total.kind if panel.total else "",
                    **(self.reason(state, seat.id) if out else {}),
                }
            )
        return self._render(
            "board/_end",
            result=state.result,
            winners=[self.name(seat) for seat in state.winners],
            totals=totals,
            match=self._match(state),
            swap=mark_safe(swap),
        )

    def _match(self, state: GameState) -> Match | None:
        """The score of all games of the evening, None if this is the first."""
        before: Score | None = self.sidebar_context.get("won_before")
        if before is None or not before.finished:
            return None
        return before.after(state.winners).told({key: self.name(key) for key in state.seats})

    def reason(self, state: GameState, seat: str) -> Mapping[str, str]:
        """Why *seat* is out, in words, and the rule."""
        because = self.presentation.story.out_because(self.system, state, seat)
        if because is None:
            left = getattr(state.seats[seat], "left", False)  # a seat that plays no cards cannot
            return {"why": gettext("left the game") if left else "", "rule": ""}
        facts = {
            name: self._object_name(state, value) if isinstance(value, str) else printed(value)
            for name, value in because.facts.items()
        }
        text = gettext(because.text) % facts
        return {
            "why": IN_BRACES.sub(lambda found: self.name(found[1]), text),
            "rule": because.rule,
        }

    def head(self, state: GameState, seat: str, swap: str = "") -> str:
        """What stands above a player's cards: name, marks, how many cards."""
        facts = self._player(state, seat)
        return self._render("board/_head", adds=self.adds, **facts, swap=mark_safe(swap))

    def _player(self, state: GameState, seat: str) -> dict[str, Any]:
        """The context of the head of *seat*, in the active language."""
        heads, key = self._heads.of(state), (seat, translation.get_language() or "")
        if key not in heads:
            heads[key] = self._head_facts(state, seat)
        return heads[key]

    def _head_facts(self, state: GameState, seat: str) -> dict[str, Any]:
        holder = state.seats[seat]
        cards = sum(obj.controller == seat and obj.on_field for obj in state.objects.values())
        follows = view_models.derived(self.system, state, holder)
        places = self._panel(state, seat).places
        shown = {each.kind for each in places if isinstance(each, Tally | Designation | Door)}
        shown |= {sign.kind for each in places if isinstance(each, Door) for sign in each.signs}
        return {
            "id": seat,
            "place": list(state.seats).index(seat) + 1,
            "name": self.name(seat),
            "lost": holder.lost,
            "count": cards,
            "counted_as": self.presentation.words.counted_as[cards != 1],
            "marks": [
                name for name in holder.marks if getattr(holder, name) is True and name not in shown
            ],
            "numbers": view_models.set_numbers(holder),
            "tallies": [
                (name, [(self._distinct_name(state, each), n) for each, n in counted.items()])
                for name, counted in view_models.tallies(holder)
                if name not in shown
            ],
            "lists": [
                (name, [self._object_name(state, each) for each in value])
                for name, value in follows.items()
                if isinstance(value, list | tuple) and value
            ],
        }

    def panel(self, state: GameState, seat: str, swap: str = "") -> str:
        """The numbers of *seat*: its hero in two halves, and the others in their places."""
        shown = self._panel(state, seat)
        return self._render(
            "board/_panel",
            id=seat,
            place=list(state.seats).index(seat) + 1,
            name=self.name(seat),
            lost=state.seats[seat].lost,
            hero=shown.hero,
            again=bool(shown.hero and not self._own(shown.hero, state, seat)),
            most=shown.left[1] if shown.left else 0,
            left=mark_safe(left(seat, shown.left)) if shown.left else "",
            gauge=mark_safe(gauge(seat, shown.left)) if shown.left else "",
            places=[self._in_place(state, seat, each) for each in shown.places],
            acts=shown.acts,
            goal=shown.goal,
            swap=mark_safe(swap),
        )

    def table_cell(self, state: GameState, swap: str = "") -> str:
        """The table's own numbers, after the cells of the seats in the strip; "" if it has none."""
        numbers = tuple(self.presentation.board.table(self.system, state))
        if not numbers:
            return ""
        return self._render(
            "board/_table_cell",
            numbers=[
                {
                    "id": mark_safe(amount_id(each.holder, each.kind)),
                    "kind": each.kind,
                    "amount": each.amount,
                    "letter": mark.letter if (mark := coin(each.kind)) else "",
                }
                for each in numbers
            ],
            swap=mark_safe(swap),
        )

    def _own(self, number: Stepper, state: GameState, seat: str) -> bool:
        """Whether *number* is on the panel of *seat* itself: no teammate's, and not the table's."""
        return number.holder == seat or number.holder in state.objects

    def _in_place(self, state: GameState, seat: str, place: Place) -> Mapping[str, Any]:
        """One of the places of a panel, for its template: what sort it is, and what it shows."""
        if isinstance(place, Stepper):
            return {"sort": "number", "it": place, "again": not self._own(place, state, seat)}
        if isinstance(place, Tally):
            return {"sort": "tally", "it": place, "by": self._by(state, place.amounts)}
        return {"sort": type(place).__name__.lower(), "it": place}

    def _by(self, state: GameState, amounts: Iterable[tuple[str, int]]) -> list[Mapping[str, Any]]:
        """Amounts by seat, each with the seat's place and name."""
        order = list(state.seats)
        return [
            {"place": order.index(each) + 1, "name": self.name(each), "amount": amount}
            for each, amount in amounts
        ]

    def cell(self, state: GameState, seat: str, swap: str = "") -> str:
        """A seat in the strip: its main number, and what else is not zero; once out, only why."""
        shown, holder = self._panel(state, seat), state.seats[seat]
        bits = [
            bit
            for bit in view_models.bits(shown)
            if bit.id is None or bit.id[0] in state.seats or bit.id[0] in state.objects
        ]
        if holder.lost:
            because = self.presentation.story.out_because(self.system, state, seat)
            bits = [bit for bit in bits if because and bit.kind == because.kind]
        hero = shown.hero
        return self._render(
            "board/_cell",
            id=seat,
            place=list(state.seats).index(seat) + 1,
            name=self.name(seat),
            active=bool(state.turn and seat in state.turn.active),
            lost=holder.lost,
            hero=hero,
            hero_id=amount_id(hero.holder, hero.kind) if hero else "",
            left=shown.left,
            bits=[
                {
                    "kind": bit.kind,
                    "amount": bit.amount,
                    "of": amount_id(*bit.id) if bit.id else "",
                    "by": self._by(state, bit.by),
                }
                for bit in bits
            ],
            swap=mark_safe(swap),
        )
