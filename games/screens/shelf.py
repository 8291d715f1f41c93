"""The shelf: the past evenings of one phone, and who won how often in them.

Only games at which the phone had a seat, or which it made, are on its shelf: others' evenings are
nobody else's business. What is told of a game is what everyone at its table may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

from games.models import Game, Outcome, Seat, Visitor
from games.rules import secrecy
from games.screens.fragments import printed
from games.screens.match import Score, score
from games.screens.summary.plot import isolated
from games.screens.summary.summary import headline, lasted
from games.seats import hosts
from games.seats.guests import Guest
from games.store.moments import last_heard
from games.systems import SYSTEMS

PAST = timedelta(hours=12)
"""Time after its last entry until a game without a result belongs to a past evening."""
LATEST = 24
"""The games whose boards a phone may keep a copy of."""
MOST_GAMES = 400
"""The latest games that a shelf has room for."""


class Played(Struct, frozen=True):
    """A game on the shelf: who won, how long it took, and the points; "" for what is not known."""

    game: Game
    headline: str
    took: str
    points: str


class Evening(Struct, frozen=True):
    """Games that belong together as rematches, the oldest first. players: their names.

    headline: who won the last one; match: how often each won, if there are several.
    may_delete, may_take: whether this device may delete them, and download a whole game.
    """

    games: list[Played]
    players: str
    headline: str
    match: str
    may_delete: bool
    may_take: bool

    @property
    def last(self) -> Game:
        """The game that was played last."""
        return self.games[-1].game


@dataclass(slots=True)
class Tally:
    """How a player did at a game: how often it was played and won, the wins since the last that was
    not, and the points of each time that they were added up. deck: with one deck alone."""

    name: str
    deck: bool = False
    played: int = 0
    won: int = 0
    run: int = 0
    points: list[int] = field(default_factory=list)
    lowest: bool = False

    def count(self, won: bool, points: int | None, lowest: bool) -> None:
        """Count one more game, a later one."""
        self.played += 1
        self.won += won
        self.run = self.run + 1 if won else 0
        self.points += [] if points is None else [points]
        self.lowest = lowest

    @property
    def best(self) -> int | None:
        return (min if self.lowest else max)(self.points, default=None)

    @property
    def average(self) -> float | None:
        return sum(self.points) / len(self.points) if self.points else None


@dataclass(slots=True)
class Record:
    """All that was played of one title, by player, and by player and deck."""

    title: str
    tallies: dict[str, Tally] = field(default_factory=dict)

    @property
    def rows(self) -> list[Tally]:
        """Most wins first."""
        return sorted(self.tallies.values(), key=lambda each: (-each.won, each.played))

    @property
    def leaders(self) -> list[str]:
        """The players who have won most often."""
        players = [each for each in self.rows if not each.deck]
        return [each.name for each in players if each.won == players[0].won]

    @property
    def runs(self) -> Tally | None:
        """Who has won the last times, if more than once."""
        run = max(self.rows, key=lambda each: each.run)
        return run if run.run > 1 else None

    @property
    def adds_up(self) -> bool:
        return any(each.points for each in self.rows)


class Shelf:
    """One device's view of its games. known: the hash of the device."""

    def __init__(self, known: str) -> None:
        self.known = known
        sat = Q(sat__isnull=False) | Q(role=Visitor.Role.HOST)
        here = Visitor.objects.filter(sat, device_hash=known, sent_away=False)
        here = here.filter(role__in=(Visitor.Role.HOST, Visitor.Role.GUEST))
        mine = Q(pk__in=here.values("game")) | Q(seats__device_hash=known)
        installed = Game.objects.filter(system__in=SYSTEMS)
        games = installed.filter(mine).distinct().latest_first()
        games = games.select_related("outcome")[:MOST_GAMES]
        self._read = {game.pk: game for game in games}
        self.progress = {key: progress(game, known) for key, game in self._read.items()}
        """By game: the number of entries that this device was sent, and the time of the last."""
        self.slugs = [game.slug for game in self._read.values()][:LATEST]
        """The latest games by their addresses, whether they go on or not."""
        latest = sorted(games, key=lambda game: self.progress[game.pk][1], reverse=True)
        self.current: list[Game] = []
        """The games that go on, the latest first."""
        self.past: list[list[Game]] = []
        """Past evenings, the latest first."""
        for evening in _evenings(latest):
            last = evening[-1]
            number, at = self.progress[last.pk]
            if goes_on(last, at) or (number == 0 and len(evening) == 1):
                self.current.append(evening.pop())
            over = [game for game in evening if self.progress[game.pk][0]]
            if over and not last.is_demo:
                self.past.append(over)

    def unnoted(self) -> list[int]:
        """The past games whose outcome is not noted, or was noted before their last entry."""
        past = [game for evening in self.past for game in evening]
        return [game.pk for game in past if _outcome(game) is None]

    def evenings(self, most: int | None = None) -> list[Evening]:
        """The past evenings in words, at most so many."""
        shown = self.past[:most]
        newest = [self._newest(evening[-1]) for evening in shown]
        seats = _seats([*(game for evening in shown for game in evening), *newest])
        here = Visitor.objects.filter(game__in=newest, device_hash=self.known)
        visitors = {each.game_id: each for each in here.exclude(role=Visitor.Role.BARRED)}
        return [
            _evening(evening, seats, _guest(last, visitors.get(last.pk), seats[last.pk]))
            for evening, last in zip(shown, newest, strict=True)
        ]

    def _newest(self, game: Game) -> Game:
        """The last rematch of *game*, mostly one that was read."""
        while game.followed_by_id in self._read:
            game = self._read[game.followed_by_id]
        return game.newest

    def records(self) -> list[Record]:
        """What was won, by title, the one that was played last first; before them all together."""
        won = [game for evening in self.past for game in evening if game.result == "won"]
        won.sort(key=lambda game: self.progress[game.pk][1])
        seats = _seats(won)
        every, found = Record(""), dict[str, Record]()
        for game in won:
            outcome = _outcome(game)
            if outcome is None:
                continue
            title = _(game.rules.title)
            record = found[title] = found.pop(title, Record(title))
            for seat in seats[game.pk]:
                if not (name := seat.given_name or seat.former_name):
                    continue
                played = ", ".join(outcome.played.get(seat.key, ()))
                wins, points = seat.key in outcome.winners, (outcome.scored or {}).get(seat.key)
                for row in (name, f"{name}: {played}" if played else ""):
                    if row:
                        tally = record.tallies.setdefault(row.casefold(), Tally(row, row != name))
                        tally.count(wins, points, outcome.lowest)
                every.tallies.setdefault(name.casefold(), Tally(name)).count(wins, None, False)
        records = [each for each in reversed(found.values()) if each.tallies]
        return [every, *records] if len(records) > 1 else records


def progress(game: Game, known: str) -> tuple[int, datetime]:
    """The number of entries of *game* that the device was sent, and the time of the last."""
    if not secrecy.private_log(game.rules):
        return game.number, game.changed
    seat = game.seat_of(known)
    return last_heard(game, seat.key if seat else None)


def goes_on(game: Game, at: datetime) -> bool:
    """True if a game is played: it has no result, and its last entry, *at*, is not long ago."""
    return game.result is None and timezone.now() - at < PAST


def _evenings(games: Sequence[Game]) -> Iterable[list[Game]]:
    """The games by evening, each with its oldest first, in the order of their last games."""
    known = {game.pk for game in games}
    before = {game.followed_by_id: game for game in games if game.followed_by_id in known}
    for game in games:
        if game.followed_by_id not in known:
            evening = [game]
            while earlier := before.get(evening[0].pk):
                evening.insert(0, earlier)
            yield evening


def _outcome(game: Game) -> Outcome | None:
    outcome: Outcome | None = getattr(game, "outcome", None)
    if outcome is None or outcome.scored is None or outcome.number != game.number:
        return None
    return outcome


def _seats(games: Iterable[Game]) -> dict[int, list[Seat]]:
    """The seats of each game, in table order; the name of one at which nobody sat is ""."""
    found: dict[int, list[Seat]] = {game.pk: [] for game in games}
    for seat in Seat.objects.filter(game__in=found).order_by("order", "id"):
        found[seat.game_id].append(seat)
    return found


def _guest(game: Game, visitor: Visitor | None, seats: Sequence[Seat]) -> Guest | None:
    """The device of *visitor* at *game*, as `Game.seat_of` finds its seat."""
    if visitor is None:
        return None
    for seat in seats:
        taken = seat.device_hash is not None
        if taken and (seat.device_hash == visitor.device_hash or seat.key == visitor.beside):
            return Guest(game, visitor, seat)
    return Guest(game, visitor, None)


def _evening(games: Sequence[Game], seats: dict[int, list[Seat]], guest: Guest | None) -> Evening:
    played = []
    for game in games:
        outcome = _outcome(game)
        called = {seat.key: seat.given_name or seat.former_name for seat in seats[game.pk]}
        winners = [called.get(key) or _("someone") for key in outcome.winners] if outcome else []
        took = lasted(outcome.seconds) if outcome and outcome.seconds >= 60 else ""
        points = _points(outcome, called) if outcome else ""
        played.append(Played(game, headline(game.result, winners) if outcome else "", took, points))
    last = {seat.key: seat.given_name or seat.former_name for seat in seats[games[-1].pk]}
    players = ", ".join(name for name in last.values() if name)
    shown = {key: name or _("someone") for key, name in last.items()}
    every = [seat for game in games for seat in seats[game.pk]]
    match = score(games, every) if len(games) > 1 else Score({})
    return Evening(
        played,
        players,
        played[-1].headline,
        match.text(shown) if match.finished else "",
        may_delete=guest is not None and hosts.may_delete(guest),
        may_take=guest is not None and hosts.sees_everything(guest),
    )


def _points(outcome: Outcome, called: Mapping[str, str]) -> str:
    """The points of each player, the best first: "Ben 67, Ana 54"."""
    points = (outcome.scored or {}).items()
    ranked = sorted(points, key=lambda its: its[1], reverse=not outcome.lowest)
    return ", ".join(
        f"{isolated(called.get(seat) or _('someone'))} {printed(n)}" for seat, n in ranked
    )
