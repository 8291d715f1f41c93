"""The shelf: the past evenings of one phone, and who won how often in them.

Only games at which the phone had a seat, or which it made, are on its shelf: others' evenings are
nobody else's business. What is told of a game is what everyone at its table may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

from games.models import Game, Outcome, Seat, Visitor
from games.rules import secrecy
from games.screens.match import Score, score
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
    """A game on the shelf: who won and how long it took; "" for what is not known."""

    game: Game
    headline: str
    took: str


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
    """Games that a player won, of those played."""

    won: int = 0
    played: int = 0

    def count(self, won: bool) -> None:
        """Count one more game."""
        self.played += 1
        self.won += won


@dataclass(slots=True)
class Record:
    """A player's wins, in all and by what was played: a game's title, or that and a deck."""

    name: str
    whole: Tally = field(default_factory=Tally)
    parts: dict[str, Tally] = field(default_factory=dict)


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
        """Wins by name, most wins first; of games that someone won."""
        won = [game for evening in self.past for game in evening if game.result == "won"]
        seats = _seats(won)
        found: dict[str, Record] = {}
        for game in won:
            outcome = _outcome(game)
            if outcome is None:
                continue
            for seat in seats[game.pk]:
                if not (name := seat.given_name or seat.former_name):
                    continue
                record = found.setdefault(name.casefold(), Record(name))
                wins = seat.key in outcome.winners
                record.whole.count(wins)
                title = _(game.rules.title)
                played = ", ".join(outcome.played.get(seat.key, ()))
                part = f"{title}: {played}" if played else title
                record.parts.setdefault(part, Tally()).count(wins)
        return sorted(found.values(), key=lambda each: (-each.whole.won, each.whole.played))


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
    return outcome if outcome is not None and outcome.number == game.number else None


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
        played.append(Played(game, headline(game.result, winners) if outcome else "", took))
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
