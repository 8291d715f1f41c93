"""What a seat may see, and the fragments that show it.

A first page and an update are made of the same fragments. Each is drawn once per audience, never
per seat, and only if what it shows has changed: a tap on a generic counter is one number. Whole
cards are Django partials, kept per table as long as they show the same thing.

Ids are made here and in `fragments`, which says how.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.template import loader
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from games import chances, faces
from games.clock import read_now
from games.fragments import DELETE, MORPH, OOB, Audience, amount, amount_id
from games.rules.history import Given
from games.rules.state import GameObject, GameState, Prompt
from games.rules.system import System


class Screens:
    """The fragments of one table.

    names: how the seats are called; seats without one are called by their id.
    around: what `games.beside` says, for the one fragment that no command changes.
    """

    def __init__(self, system: System, names: Mapping[str, str] | None = None) -> None:
        self.system = system
        self.names: dict[str, str] = dict(names or {})
        self.around: Mapping[str, Any] = {}
        self._cards: dict[tuple[str, str], tuple[Any, Any, Any, str]] = {}
        self._parts: dict[Audience, tuple[GameState, dict[str, Any], SafeString]] = {}
        self._folder = f"games/{system.name}"

    def rename(self, names: Mapping[str, str]) -> None:
        """Call the seats by *names* from now on."""
        self.names = dict(names)
        self._cards.clear()
        self._parts.clear()

    def name(self, seat: str) -> str:
        return self.names.get(seat, seat)

    # Updates

    def changes(self, given: Given, audience: Audience) -> str:
        """The fragments for what an accepted command has changed for *audience*."""
        before, after = given.before, given.after
        if before is after:
            return ""
        if given.touched is None:
            return self.whole(after, audience)
        plain = self._plain(before, after, given.touched)
        if plain is not None:
            return plain
        with translation.override(audience.language):
            return "".join(self._differences(before, after, given.touched))

    def whole(self, state: GameState, audience: Audience) -> str:
        """All the fragments of the table; the frame of the board around them stays."""
        with translation.override(audience.language):
            out = [self.turn(state, MORPH)]
            for seat in state.seats:
                out += [self.head(state, seat, MORPH), self.prompts(state, seat, MORPH)]
                fields = faces.field_zones(self.system)
                out += [self.zone(state, seat, zone, MORPH) for zone in fields]
                out.append(self.piles(state, seat, MORPH))
            return "".join(out)

    def _plain(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> SafeString | str | None:
        """The numbers alone, if only numbers of generic counters have changed; else None.

        The path of most taps: it looks at nothing but the holders that were touched.
        """
        if (
            before.objects is not after.objects
            or before.seats is not after.seats
            or before.turn is not after.turn
            or before.prompts is not after.prompts
            or before.result is not after.result
            or before.slot_counters is not after.slot_counters
        ):
            return None
        special = self.system.kinds
        out = []
        for holder in touched:
            had, has = before.on(holder), after.on(holder)
            if had is has:
                continue
            if had.keys() != has.keys():
                return None
            for kind, n in has.items():
                if had[kind] != n:
                    if kind in special:
                        return None
                    out.append(f'<b id="{amount_id(holder, kind)}" hx-swap-oob="true">{n}</b>')
        return "".join(out)

    def _differences(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> Iterator[str]:
        """The fragments of the holders that were touched, and of what follows from them."""
        arrivals: dict[tuple[str, str], None] = {}
        tallies: dict[tuple[str, str], None] = {}
        heads = {each for each in touched if each in after.seats}
        gone, drawn = [], []
        for each in sorted(touched):
            now = after.objects.get(each)
            if now is None:
                continue
            then = before.objects.get(each)
            place = (faces.keeper(now), now.zone)
            was = (faces.keeper(then), then.zone) if then else None
            if place == was and then is not None:
                drawn.append(self._card_changes(before, after, then, now))
                # What follows for a player from cards that stay on the field, the cards show; to
                # ask for the rest at each tap would cost more, the more lies on the table.
                if then is now and now.on_field:
                    continue
            heads.update((now.owner, place[0], was[0] if was else place[0]))
            if place == was:
                continue
            if was and was[1] in self._zones():
                gone.append(f'<article id="o-{each}"{DELETE}></article>')
                tallies[was] = None
            if place[1] in self._zones():
                arrivals[place] = tallies[place] = None
        yield from gone
        yield from drawn
        others = self._others()
        piled = [
            (seat, zone)
            for seat, zone in tallies
            if zone in others and _any(before, seat, zone) != _any(after, seat, zone)
        ]
        for seat in {seat: None for seat, zone in piled}:
            yield self.piles(after, seat, MORPH)
        for seat, zone in tallies:
            if (seat, zone) not in piled:
                if (seat, zone) in arrivals:
                    yield self.zone(after, seat, zone, MORPH)
                if zone in others:
                    yield self.tally(after, seat, zone, OOB)
        heads |= set(_active(before)) ^ set(_active(after))
        for seat in after.seats:
            if seat in heads and self._head_differs(before, after, seat):
                yield self._head_changes(before, after, seat)
        yield from self._around(before, after, bool(gone or drawn or arrivals))

    def _around(self, before: GameState, after: GameState, moved: bool) -> Iterator[str]:
        """The prompts and the turn, where they differ."""
        asked = {prompt.to for prompt in (*before.prompts, *after.prompts)}
        for seat in after.seats:
            if seat in asked and (moved or before.prompts is not after.prompts):
                yield self.prompts(after, seat, MORPH)
        lost = [seat.lost for seat in before.seats.values()]
        if (
            before.turn is not after.turn
            or before.prompts is not after.prompts
            or before.result != after.result
            or lost != [seat.lost for seat in after.seats.values()]
        ):
            yield self.turn(after, MORPH)

    def _card_changes(
        self, before: GameState, after: GameState, then: GameObject, now: GameObject
    ) -> str:
        """The numbers and stats that changed on a card, or all of it if more did."""
        old = faces.face(self.system, before, then, faces.derived(self.system, before, then))
        new = faces.face(self.system, after, now, faces.derived(self.system, after, now))
        if old == new:
            return ""
        same = (old.name, old.types, old.states, old.acts, old.stranger, old.token) == (
            (new.name, new.types, new.states, new.acts, new.stranger, new.token)
        )
        kinds = [(dial.kind, dial.more, dial.most) for dial in old.dials] == [
            (dial.kind, dial.more, dial.most) for dial in new.dials
        ]
        if not same or not kinds:
            return self.card(after, now, OOB)
        out = [
            amount(dial.holder, dial.kind, dial.amount, OOB)
            for dial, last in zip(new.dials, old.dials, strict=True)
            if dial.amount != last.amount
        ]
        if old.stats != new.stats:
            out.append(self._render("_stats", card=new, swap=mark_safe(OOB)))
        return "".join(out)

    def _head_differs(self, before: GameState, after: GameState, seat: str) -> bool:
        if before.seats.get(seat) != after.seats[seat] or before.on(seat) != after.on(seat):
            return True
        if (seat in _active(before)) != (seat in _active(after)):
            return True
        derive, now = self.system.derived, after.seats[seat]
        return derive(self.system, before, now) != derive(self.system, after, now)

    def _head_changes(self, before: GameState, after: GameState, seat: str) -> str:
        """The numbers of a player that changed, or the whole head if more did."""
        if seat not in before.seats:
            return self.head(after, seat, MORPH)
        old, new = self._player(before, seat), self._player(after, seat)
        last, now = old.pop("dials"), new.pop("dials")
        if old != new or [replace(each, amount=0) for each in last] != [
            replace(each, amount=0) for each in now
        ]:
            return self.head(after, seat, MORPH)
        return "".join(
            amount(dial.holder, dial.kind, dial.amount, OOB)
            for dial, was in zip(now, last, strict=True)
            if dial.amount != was.amount
        )

    def chance(self, given: Given, audience: Audience) -> str:
        """What dice, coins and lots have just said; nothing most of the time."""
        for event in given.entry.events if given.entry else ():
            if event["kind"] in chances.KINDS:
                with translation.override(audience.language):
                    return chances.fragment(given, self.name)
        return ""

    # The fragments

    def beside(self, audience: Audience, swap: str = MORPH) -> str:
        """What stands beside the board (`games.beside`)."""
        with translation.override(audience.language):
            now = read_now(self.around.get("clock"), self.name)
            return self._render("_beside", **self.around, **now, swap=mark_safe(swap))

    def board(
        self, state: GameState, seat: str | None, audience: Audience, swap: str = MORPH
    ) -> str:
        """The whole board as *seat* sees it: its own part first, the others from its left."""
        with translation.override(audience.language):
            order = list(state.seats)
            start = order.index(seat) if seat is not None and seat in state.seats else 0
            drawn, turn = self._seat_parts(state, audience)
            parts = [
                {"mine": each == seat, **drawn[each]} for each in (*order[start:], *order[:start])
            ]
            return self._render("_board", seats=parts, turn=turn, swap=mark_safe(swap))

    def _seat_parts(
        self, state: GameState, audience: Audience
    ) -> tuple[Mapping[str, Mapping[str, Any]], SafeString]:
        """The parts of all seats, and the turn.

        The last are kept: after a restart all phones of a table ask for the same at once.
        """
        kept = self._parts.get(audience)
        if kept is None or kept[0] is not state:
            drawn = {
                each: {
                    "id": each,
                    "place": place,
                    "head": mark_safe(self.head(state, each)),
                    "prompts": mark_safe(self.prompts(state, each)),
                    "field": [
                        mark_safe(self.zone(state, each, z)) for z in faces.field_zones(self.system)
                    ],
                    "piles": mark_safe(self.piles(state, each)),
                }
                for place, each in enumerate(state.seats, 1)
            }
            kept = self._parts[audience] = (state, drawn, mark_safe(self.turn(state)))
        return kept[1], kept[2]

    def turn(self, state: GameState, swap: str = "") -> str:
        """Whose turn and which phase it is, for whom the table waits, and how it ended."""
        turn, order = state.turn, list(state.seats)
        standing = [seat.id for seat in state.standing()]
        following = ""
        if turn and standing:
            last = max((order.index(each) for each in turn.active), default=-1)
            turned = [*order[last + 1 :], *order[: last + 1]]
            following = next(each for each in turned if each in standing)
        phases = self.system.phases
        now = phases.index(turn.phase) if turn and turn.phase in phases else -1
        again = self.system.again.get(turn.phase, ()) if turn else ()
        return self._render(
            "_turn",
            turn=turn,
            active=[{"id": each, "name": self.name(each)} for each in turn.active] if turn else (),
            following={"id": following, "name": self.name(following)} if following else None,
            phases=[
                {
                    "name": phase,
                    "now": i == now,
                    "open": i > now or phase in again,
                    "next": i == now + 1,
                }
                for i, phase in enumerate(phases)
            ],
            waiting=[{"kind": p.kind, "name": self.name(p.to)} for p in state.prompts],
            result=state.result,
            winners=[self.name(each) for each in standing] if state.result == "won" else (),
            swap=mark_safe(swap),
        )

    def head(self, state: GameState, seat: str, swap: str = "") -> str:
        """Who sits there, what is true of that player, and the player's own numbers."""
        return self._render("_head", **self._player(state, seat), swap=mark_safe(swap))

    def _player(self, state: GameState, seat: str) -> dict[str, Any]:
        """What the head of *seat* shows."""
        holder = state.seats[seat]
        follows = faces.derived(self.system, state, holder)
        return {
            "id": seat,
            "name": self.name(seat),
            "lost": holder.lost,
            "active": bool(state.turn and seat in state.turn.active),
            "marks": [name for name in holder.marks if getattr(holder, name) is True],
            "numbers": faces.set_numbers(holder),
            "tallies": [
                (name, [(self._object_name(state, each), n) for each, n in counted.items()])
                for name, counted in faces.tallies(holder)
            ],
            "lists": [
                (name, [self._object_name(state, each) for each in value])
                for name, value in follows.items()
                if isinstance(value, list | tuple) and value
            ],
            "dials": tuple(faces.seat_dials(self.system, state, holder)),
        }

    def prompts(self, state: GameState, seat: str, swap: str = "") -> str:
        """The questions put to *seat*; empty, without a blank, if there are none."""
        asked = [self._prompt(state, each) for each in state.prompts if each.to == seat]
        return f'<div id="{seat}.prompts" class="prompts"{swap}>{"".join(asked)}</div>'

    def _prompt(self, state: GameState, prompt: Prompt) -> str:
        return self._render(
            "_prompt",
            prompt=prompt,
            form=_prompt_form(self._folder, prompt.kind),
            to=self.name(prompt.to),
            source=self._object_name(state, prompt.source) if prompt.source else "",
            dues=faces.dues(self.system, state, prompt),
            facts={**prompt.facts, **faces.derived(self.system, state, prompt)},
            rule=faces.derived(self.system, state, prompt).get("rule", ""),
        )

    def zone(self, state: GameState, seat: str, zone: str, swap: str = "") -> str:
        """The cards that lie in *zone* of *seat*; empty, without a blank, if there are none."""
        cards = [self.card(state, thing) for thing in faces.in_zone(state, seat, zone)]
        return f'<div id="{seat}.{zone}.zone" class="zone"{swap}>{"".join(cards)}</div>'

    def tally(self, state: GameState, seat: str, zone: str, swap: str = "") -> str:
        """How many cards lie there."""
        return f'<b id="{seat}.{zone}.n"{swap}>{len(faces.in_zone(state, seat, zone))}</b>'

    def piles(self, state: GameState, seat: str, swap: str = "") -> str:
        """The zones off the field in which something of *seat* lies."""
        shown = [
            {
                "zone": zone,
                "tally": mark_safe(self.tally(state, seat, zone)),
                "cards": mark_safe(self.zone(state, seat, zone)),
            }
            for zone in self._others()
            if _any(state, seat, zone)
        ]
        return self._render("_piles", seat=seat, piles=shown, swap=mark_safe(swap))

    def card(self, state: GameState, thing: GameObject, swap: str = "") -> str:
        """One card; drawn again only if it, its counters or what follows from them changed."""
        kinds, follows = state.on(thing.id), faces.derived(self.system, state, thing)
        key = (thing.id, translation.get_language() or "")
        kept = self._cards.get(key)
        if kept and kept[0] is thing and kept[1] is kinds and kept[2] == follows:
            drawn = kept[3]
        else:
            card = faces.face(self.system, state, thing, follows)
            owner = self.name(card.stranger) if card.stranger else ""
            drawn = self._render("_object", card=card, owner=owner, swap="")
            self._cards[key] = (thing, kinds, follows, drawn)
        return drawn.replace("<article", f"<article{swap}", 1) if swap else drawn

    def _zones(self) -> tuple[str, ...]:
        return (*faces.field_zones(self.system), *faces.other_zones(self.system))

    def _others(self) -> tuple[str, ...]:
        return faces.other_zones(self.system)

    def _object_name(self, state: GameState, each: Any) -> str:
        thing = state.objects.get(each) if isinstance(each, str) else None
        return thing.name if thing else str(each)

    def _render(self, partial: str, **context: Any) -> str:
        """The partial of that name: the system's own, if it has one."""
        drawn: str = _template(self._folder, partial).render(context)
        return drawn.strip()


def _any(state: GameState, seat: str, zone: str) -> bool:
    return bool(faces.in_zone(state, seat, zone))


def _active(state: GameState) -> tuple[str, ...]:
    return state.turn.active if state.turn else ()


@lru_cache(maxsize=64)
def _template(folder: str, partial: str) -> Any:
    return loader.select_template([f"{folder}/{partial}.html", f"games/{partial}.html"])


@lru_cache(maxsize=64)
def _prompt_form(folder: str, kind: str) -> Any:
    names = [f"{folder}/prompts/_{kind}.html", f"games/prompts/_{kind}.html"]
    return loader.select_template([*names, "games/prompts/_default.html"]).template
