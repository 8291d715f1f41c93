"""Replacement of a putting of counters: which standings change it, in which order, to what number.

A command has to name the order of more standings than a few; `decided` names it as the seat that
chooses would. Source: docs/COMMANDS.md, Standing 5 and 6.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import GameState, Refused
from games.rules.system import cites

from .player import POISON, RAD, accepts
from .replacement_effects import Applying, Putting, Standing, by_effect_only, preventing

HARMFUL = frozenset({POISON, RAD, "stun", "finality"})
MOST_UNNAMED = 8
"""The most standings whose order is decided for the one who chooses."""
MOST_KEPT = 200
"""Beam width: of the sets of so many applied standings, those with the best amounts go on."""


class Undecided(Refused):
    """More standings apply than are decided for the one who chooses."""

    def __init__(self, ways: _Ways) -> None:
        sentence = "{n} effects would change this number; say in which order they apply."
        super().__init__("choose", sentence, "616.1", n=ways.unnamed)
        self._ways = ways

    @property
    def order(self) -> tuple[str, ...]:
        """An order that decides it: `decided`."""
        return _named(self._ways)


class Replacement(Struct, frozen=True):
    """The replacement of a putting.

    by: the ids of the standings, as applied. amounts: the amount before the first, and after each.
    prevented: nothing can be put at all, as a standing or a mark of the player says.
    """

    by: tuple[str, ...]
    amounts: tuple[int, ...]
    prevented: bool = False

    @property
    def amount(self) -> int:
        """The number of counters that are put."""
        return self.amounts[-1]


@cites("101.2", "614.17")
def replaced(state: GameState, putting: Putting, applying: Applying | None = None) -> Replacement:
    """The outcome of *putting*: effects that forbid it come first, and are not replaced.

    applying: the standings of *state*, if more is put at once.
    """
    amount = putting.amount
    if not amount or not accepts(state, putting.holder):
        return Replacement((), (0,), prevented=bool(amount))
    if not state.standings:
        return Replacement((), (amount,))
    applying = applying or Applying(state)
    if none := preventing(applying, putting):
        return Replacement((none.id,), (amount, 0), prevented=True)
    ways = _ways(applying, putting)
    if ways.unnamed > MOST_UNNAMED:
        raise Undecided(ways)
    return _best(ways)


def decided(state: GameState, putting: Putting) -> Putting:
    """*putting* with as many standings named as a command has to."""
    return replace(putting, order=_named(_ways(Applying(state), putting)))


@cites("616.1")
def _named(ways: _Ways) -> tuple[str, ...]:
    """The order of *ways*, and if it leaves too many open, the first of the best order."""
    more = ways.unnamed - MOST_UNNAMED
    if more <= 0:
        return ways.order
    best = dict.fromkeys((*_of_many(ways, ways.fewest).by, *(each.id for each in ways.applying)))
    return (*ways.order, *[each for each in best if each not in ways.order][:more])


def orders(state: GameState, putting: Putting) -> list[Replacement]:
    """One order for each number that *putting* can end with; the one that happens comes first.

    Of more standings than a few only the orders with the most and the fewest counters.
    """
    usual = replaced(state, decided(state, putting))
    if usual.prevented or len(usual.by) < 2:
        return [usual]
    ways = _ways(Applying(state), putting)
    if ways.unnamed > MOST_UNNAMED:
        found = [_of_many(ways, not ways.fewest)]
    else:
        found = _Orders(ways).all()
    return [usual, *(each for each in found if each.amount != usual.amount)]


def is_changed(state: GameState, putting: Putting) -> bool:
    """True if any standing applies to *putting*, if an effect puts the counters."""
    return bool(Applying(state).to(putting))


def harms(kind: str) -> bool:
    """True if the one who gets counters of *kind* wants as few as possible."""
    return kind in HARMFUL or kind.startswith("-")


class _Ways(Struct, frozen=True):
    """The inputs that decide the orders of one putting.

    applying: by id. at_once: the ids of those that wait for no other. order: the ids to apply
    first. fewest: whether who chooses wants as few counters as possible, not as many.
    """

    applying: tuple[Standing, ...]
    at_once: frozenset[str]
    order: tuple[str, ...]
    amount: int
    fewest: bool

    @property
    def unnamed(self) -> int:
        """The number of applying standings that `order` does not name."""
        return sum(each.id not in self.order for each in self.applying)


def _ways(applying: Applying, putting: Putting) -> _Ways:
    found = [each for each in applying.to(putting) if not each.none]
    at_once = frozenset(each.id for each in found if not by_effect_only(each, putting))
    by_id = tuple(sorted(found, key=_id)) if at_once else ()
    return _Ways(by_id, at_once, putting.order, putting.amount, harms(putting.counter))


@lru_cache(maxsize=256)
def _best(ways: _Ways) -> Replacement:
    """Kept, because one command may put the same on each of two hundred permanents."""
    return _Orders(ways).chosen()


class _Orders:
    """The orders in which standings can change one putting.

    Sets of applied standings are bits, numbered by id.
    """

    def __init__(self, ways: _Ways) -> None:
        self.applying = ways.applying
        self.at_once = ways.at_once
        self.named = {standing_id: place for place, standing_id in enumerate(ways.order)}
        self.amount = ways.amount
        self.fewest = ways.fewest
        self._next: dict[int, list[tuple[int, Standing]]] = {}

    @cites("614.5", "616.1", "614.16")
    def next(self, applied: int) -> list[tuple[int, Standing]]:
        """Those that may come next, each with its bit, by id; the named one alone if there is one.

        Each is applied once. What asks for an effect waits until another was applied.
        """
        if applied not in self._next:
            open_ = [
                (1 << place, each)
                for place, each in enumerate(self.applying)
                if not applied >> place & 1 and (applied or each.id in self.at_once)
            ]
            named = [(self.named[each.id], bit) for bit, each in open_ if each.id in self.named]
            if named:
                first = min(named)[1]
                open_ = [(bit, each) for bit, each in open_ if bit == first]
            self._next[applied] = open_
        return self._next[applied]

    def end(self, applied: int, amount: int) -> int:
        """The number that the one who chooses ends with, when *amount* is left after *applied*.

        What comes next depends only on the set that was applied, and every standing makes more of
        more, so for each set only the best amount can lead to the best end.
        """
        reached, ends = {applied: amount}, []
        while reached:
            further: dict[int, int] = {}
            for done, left in reached.items():
                following = self.next(done) if left else ()
                if not following:
                    ends.append(left)
                for bit, standing in following:
                    after, key = standing.changed(left), done | bit
                    if key not in further or (after < further[key]) == self.fewest:
                        further[key] = after
            reached = further
        return min(ends) if self.fewest else max(ends)

    def all(self) -> list[Replacement]:
        """One order for each number that can be the end, the highest first."""
        reached: dict[int, dict[int, Replacement]]
        reached = {0: {self.amount: Replacement((), (self.amount,))}}
        ends: dict[int, Replacement] = {}
        while reached:
            further: dict[int, dict[int, Replacement]] = {}
            for applied, ways in reached.items():
                for left, way in ways.items():
                    following = self.next(applied) if left else []
                    if not following:
                        ends.setdefault(left, way)
                    for bit, standing in following:
                        after = standing.changed(left)
                        longer = Replacement((*way.by, standing.id), (*way.amounts, after))
                        further.setdefault(applied | bit, {}).setdefault(after, longer)
            reached = further
        return [ends[left] for left in sorted(ends, reverse=True)]

    @cites("616.1")
    def chosen(self) -> Replacement:
        """The best order; of those equally good the one whose list of ids is the smallest."""
        wanted, applied, left = self.end(0, self.amount), 0, self.amount
        by, amounts = [], [left]
        while left and (following := self.next(applied)):
            bit, standing = next(
                (bit, each)
                for bit, each in following
                if len(following) == 1 or self.end(applied | bit, each.changed(left)) == wanted
            )
            applied, left = applied | bit, standing.changed(left)
            by.append(standing.id)
            amounts.append(left)
        return Replacement(tuple(by), tuple(amounts))


_Sort = tuple[int, bool, int | None, int | None, str | None]
"""Its place in the order that was named, whether it waits for another, and what it does."""


@lru_cache(maxsize=256)
def _of_many(ways: _Ways, fewest: bool) -> Replacement:
    """The order of many standings that ends with the most or the *fewest* counters.

    Forty copies of a card are one sort, of which only the number applied matters: there are as many
    sets to look at as numbers, not 2 to the 40. Where many sorts make too many of them, it is a
    good order and perhaps not the best.
    """
    sorts: dict[_Sort, list[Standing]] = {}
    for each in ways.applying:
        place = ways.order.index(each.id) if each.id in ways.order else len(ways.order)
        sort = (place, each.id not in ways.at_once, each.times, each.plus, each.half)
        sorts.setdefault(sort, []).append(each)
    groups = list(sorts.items())
    reached = {(0,) * len(groups): Replacement((), (ways.amount,))}
    ends: list[Replacement] = []
    while reached:
        further: dict[tuple[int, ...], Replacement] = {}
        for counts, way in reached.items():
            following = _following(groups, counts, way)
            if not following:
                ends.append(way)
            for n in following:
                standing = groups[n][1][counts[n]]
                after = standing.changed(way.amount)
                key = (*counts[:n], counts[n] + 1, *counts[n + 1 :])
                if key not in further or (after < further[key].amount) == fewest:
                    longer = Replacement((*way.by, standing.id), (*way.amounts, after))
                    further[key] = longer
        best = sorted(further.items(), key=lambda each: each[1].amount, reverse=not fewest)
        reached = dict(best[:MOST_KEPT])
    return min(ends, key=_amount) if fewest else max(ends, key=_amount)


def _following(
    groups: list[tuple[_Sort, list[Standing]]], counts: tuple[int, ...], way: Replacement
) -> list[int]:
    """The numbers of the sorts of which one may come next; the one named first if there is one.

    counts: how many of each were applied. way: how.
    """
    if not way.amount:
        return []
    open_ = {
        n: place
        for n, ((place, waits, *_), members) in enumerate(groups)
        if counts[n] < len(members) and (way.by or not waits)
    }
    return [n for n, place in open_.items() if place == min(open_.values())]


def _amount(way: Replacement) -> int:
    return way.amount


def _id(standing: Standing) -> str:
    return standing.id
