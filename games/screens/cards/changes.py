"""What a command changed on the screens of a table, as fragments.

A fragment is drawn once per audience, never per seat, and only if what it shows has changed: a tap
on a generic counter is one number. The fragments are those of the page itself (`drawing`).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from games.rules.history import Applied
from games.rules.state import GameObject, GameState
from games.screens import dice, view_models
from games.screens.cards.seats import BoardRenderer
from games.screens.fragments import (
    DELETE,
    MORPH,
    OOB,
    Audience,
    amount,
    amount_id,
    gauge,
    left,
    printed,
)
from games.systems.pieces import Panel, Stepper


class Screens(BoardRenderer):
    """Renders the updates of one table."""

    def changes(self, given: Applied, audience: Audience) -> str:
        """The fragments that an accepted command changed for *audience*."""
        plain = self._numbers_only(given)
        if plain is not None:
            return plain
        with self.reading(audience):
            return self._changed(given, audience)

    def _changed(self, given: Applied, audience: Audience) -> str:
        """The fragments of any other change."""
        if given.touched is None:
            return self.whole(given.after, audience)
        return "".join(self._differences(given.before, given.after, given.touched))

    def whole(self, state: GameState, audience: Audience) -> str:
        """All fragments of the table, inside the board's frame."""
        with self.reading(audience):
            out = [self.turn(state, MORPH), self.end(state, MORPH), self.table_cell(state, OOB)]
            for seat in state.seats:
                out += [self.cell(state, seat, MORPH), self.panel(state, seat, MORPH)]
                out += [self.head(state, seat, MORPH), self.prompts(state, seat, MORPH)]
                fields = view_models.field_zones(self.system)
                out += [self.zone(state, seat, zone, MORPH) for zone in fields]
                out.append(self.piles(state, seat, MORPH))
            return "".join(out)

    def _numbers_only(self, given: Applied) -> str | None:
        """Just the numbers, if only generic counters changed, or nothing; else None.

        The path of most taps: it looks only at the holders that were touched.
        """
        before, after, touched = given.before, given.after, given.touched
        if before is after:
            return ""
        if (
            touched is None
            or before.objects is not after.objects
            or before.seats is not after.seats
            or before.turn is not after.turn
            or before.prompts is not after.prompts
            or before.result is not after.result
            or before.teams is not after.teams
            or before.slot_counters is not after.slot_counters
            or before.standings is not after.standings
        ):
            return None
        if after.teams and any(each.startswith("team:") for each in touched):
            return None  # what a team shares is turned on the panel of its first player
        special = {*self.system.kinds, *self.presentation.board.redraws}
        out = []
        for holder in touched:
            had, has = before.on(holder), after.on(holder)
            if had.keys() != has.keys():
                return None
            numbers = []
            for kind, n in has.items():
                if had[kind] != n:
                    if kind in special:
                        return None
                    shown = f'<b id="{amount_id(holder, kind)}"{OOB}>{printed(n)}</b>'
                    numbers.append(shown)
            row = self.stacks.row(after, holder)
            if row != self.stacks.row(before, holder):
                return None
            if row[0] == holder:
                out += numbers
        return "".join(out)

    def _differences(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> Iterator[str]:
        """The fragments of the touched holders, and of everything that depends on them."""
        arrivals: dict[tuple[str, str], None] = {}
        tallies: dict[tuple[str, str], None] = {}
        heads = {each for each in touched if each in after.seats}
        gone, drawn = [], []
        for each in sorted(touched):
            now = after.objects.get(each)
            if now is None:
                continue
            then = before.objects.get(each)
            place = (view_models.keeper(now), now.zone)
            was = (view_models.keeper(then), then.zone) if then else None
            row = self.stacks.row(before, each) if then else ()
            if place == was and then is not None:
                if row != self.stacks.row(after, each):
                    arrivals[place] = tallies[place] = None
                elif row[0] == each:
                    drawn.append(self._card_changes(before, after, then, now))
                # Cards on the field show what they mean for a player. Deriving the player's other
                # values at each tap would cost more with every card on the table.
                if then is now and now.on_field:
                    continue
            heads.update((now.owner, place[0], was[0] if was else place[0]))
            if place == was:
                continue
            if was and was[1] in self._zones:
                tallies[was] = None
                if len(row) > 1 or not _any(after, *was):  # its heading goes with its last card
                    arrivals[was] = None
                else:
                    gone.append(f'<article id="o-{each}"{DELETE}></article>')
            if place[1] in self._zones:
                arrivals[place] = tallies[place] = None
        yield from gone
        yield from drawn
        piled = [
            (seat, zone)
            for seat, zone in tallies
            if zone in self._others and _any(before, seat, zone) != _any(after, seat, zone)
        ]
        for seat in {seat: None for seat, zone in piled}:
            yield self.piles(after, seat, MORPH)
        for seat, zone in tallies:
            if (seat, zone) not in piled:
                if (seat, zone) in arrivals:
                    yield self.zone(after, seat, zone, MORPH)
                if zone in self._others:
                    yield self.tally(after, seat, zone, OOB)
        if before.turn is not after.turn:
            yield from self._other_acts(before, after, touched)
        ground = view_models.Ground.of(before).same(view_models.Ground.of(after))
        if not ground or any(
            self.presentation.board.shown_by_all(before, after, on) for on in touched
        ):
            yield from self._other_cards(before, after, touched)
        ended = before.result != after.result
        for seat in self._concerned(before, after, touched, heads):
            if seat in heads and (
                seat not in before.seats or self._player(before, seat) != self._player(after, seat)
            ):
                yield self.head(after, seat, MORPH)
            yield from self._panel_changes(before, after, seat)
            ended = ended or self._end_changes(before, after, seat)
        table = self.presentation.board.table
        if [*table(self.system, before)] != [*table(self.system, after)]:
            yield self.table_cell(after, OOB)
        yield from self._prompts_and_turn(before, after, bool(gone or drawn or arrivals))
        if ended:
            yield self.end(after, MORPH)

    def _concerned(
        self, before: GameState, after: GameState, touched: frozenset[str], heads: set[str]
    ) -> list[str]:
        """The seats whose numbers or heads may differ. What is known of the others stays so."""
        found = view_models.concerned(self.system, before, after, touched)
        self._panels.carry(before, after, lambda seat: seat not in found)
        found = [seat for seat in after.seats if seat in heads or seat in found]
        self._heads.carry(before, after, lambda key: key[0] not in found)
        return found

    def _end_changes(self, before: GameState, after: GameState, seat: str) -> bool:
        """Whether the end of the game tells something else about *seat*."""
        if not after.result or seat not in before.seats:
            return False
        old, new = self._panel(before, seat), self._panel(after, seat)
        totals = (old.total or old.hero) != (new.total or new.hero)
        return totals or before.seats[seat].lost != after.seats[seat].lost

    def _prompts_and_turn(self, before: GameState, after: GameState, moved: bool) -> Iterator[str]:
        """The prompts and the turn, if they changed."""
        asked = {prompt.to for prompt in (*before.prompts, *after.prompts)}
        for seat in after.seats:
            if seat in asked and (moved or before.prompts is not after.prompts):
                yield self.prompts(after, seat, MORPH)
        lost = before.seats is not after.seats and _lost(before) != _lost(after)
        if (
            before.turn is not after.turn
            or before.prompts is not after.prompts
            or before.result != after.result
            or lost
            or (before.objects is not after.objects and self._step(before) != self._step(after))
        ):
            yield self.turn(after, MORPH)

    def _other_acts(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> Iterator[str]:
        """The cards nobody touched that offer other acts now that the turn has moved on."""
        acts = self.presentation.board.acts
        for obj in after.objects.values():
            if obj.id not in touched and obj.zone in self._zones:
                then, now = acts(self.system, before, obj), acts(self.system, after, obj)
                if tuple(then) != tuple(now):
                    yield self.card(after, obj, OOB)

    def _other_cards(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> Iterator[str]:
        """The cards nobody touched that show other numbers now, or on which a tap gives others."""
        for obj in after.objects.values():
            if obj.id not in touched and obj.zone in self._zones:
                old, new = self._card_view(before, obj), self._card_view(after, obj)
                if old.steppers != new.steppers:
                    yield self.card(after, obj, OOB)

    def _card_changes(
        self, before: GameState, after: GameState, then: GameObject, now: GameObject
    ) -> str:
        """The numbers and stats that changed on a card, or the whole card if more did."""
        old, new = self._card_view(before, then), self._card_view(after, now)
        if old is new:
            return ""
        same = _looks(old) == _looks(new)
        kinds = [
            (token.kind, token.increment, token.most, token.gives) for token in old.tokens
        ] == [(token.kind, token.increment, token.most, token.gives) for token in new.tokens]
        if not same or not kinds:
            return self.card(after, now, OOB)
        out = [
            amount(token.holder, token.kind, token.amount, OOB)
            for token, last in zip(new.tokens, old.tokens, strict=True)
            if token.amount != last.amount
        ]
        if old.stats != new.stats:
            out.append(self._stats(new, OOB))
        return "".join(out)

    def _panel_changes(self, before: GameState, after: GameState, seat: str) -> Iterator[str]:
        """What changed among the numbers of *seat*: just those, or its panel and its strip cell."""
        if seat not in before.seats:
            yield self.panel(after, seat, MORPH) + self.cell(after, seat, MORPH)
            return
        old, new = self._panel(before, seat), self._panel(after, seat)
        lost = before.seats[seat].lost != after.seats[seat].lost
        changed = old != new
        framed = lost or (changed and _frame(old) != _frame(new))
        turned = before.turn is not after.turn
        if framed or (turned and (seat in _active(before)) != (seat in _active(after))):
            yield self.cell(after, seat, MORPH)
        if not changed and not lost:
            return
        if framed:
            yield self.panel(after, seat, MORPH)
            for each in sorted(_objects(old) ^ _objects(new)):
                if (obj := after.objects.get(each)) and obj.zone in self._zones:
                    yield self.card(after, obj, OOB)
            return
        for was, now in zip(view_models.numbers_of(old), view_models.numbers_of(new), strict=True):
            if was.amount != now.amount and self._own(now, after, seat):
                yield amount(now.holder, now.kind, now.amount, OOB)
        if new.left and old.left and new.left != old.left:
            yield left(seat, new.left, OOB)
            if gauge(seat, new.left) != gauge(seat, old.left):
                yield gauge(seat, new.left, OOB)

    def dice_fragment(self, given: Applied, audience: Audience) -> str:
        """The results of dice, coins and drawn seats in *given*; usually nothing."""
        for event in given.entry.events if given.entry else ():
            if event["kind"] in dice.KINDS:
                with self.reading(audience):
                    return dice.result_fragment(given, self.name)
        return ""


def _looks(card: view_models.CardView) -> tuple[object, ...]:
    """What of *card* is drawn outside its numbers and stats, and whether there are stats."""
    return card.name, card.types, card.states, card.acts, card.stranger, card.token, not card.stats


def _any(state: GameState, seat: str, zone: str) -> bool:
    return bool(view_models.in_zone(state, seat, zone))


def _objects(shown: Panel) -> set[str]:
    """The holders of the numbers on a panel."""
    return {each.holder for each in view_models.numbers_of(shown)}


def _frame(shown: Panel) -> Panel:
    """A panel without the numbers that are sent by themselves."""
    hero = replace(shown.hero, amount=0) if shown.hero else None
    most = (0, shown.left[1]) if shown.left else None
    places = tuple(
        replace(each, amount=0) if isinstance(each, Stepper) else each for each in shown.places
    )
    return replace(shown, hero=hero, left=most, places=places)


def _lost(state: GameState) -> list[bool]:
    return [seat.lost for seat in state.seats.values()]


def _active(state: GameState) -> tuple[str, ...]:
    return state.turn.active if state.turn else ()
