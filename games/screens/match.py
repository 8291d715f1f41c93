"""The match: how often each seat has won in the games of one evening, which are rematches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from games.models import Game, Seat
from games.screens.summary.plot import isolated
from games.store.sql import found, select

EARLIER = select(Game, "id", "followed_by_id")


class Match(Struct, frozen=True):
    """A score in words: the wins, and the verdict on them."""

    text: str
    verdict: str

    def __str__(self) -> str:
        return self.text


class Score(Struct, frozen=True):
    """wins: by the key of each seat that counts, in table order. draws: games without a winner."""

    wins: Mapping[str, int]
    draws: int = 0

    @property
    def finished(self) -> int:
        """The number of games that have a result."""
        return max(self.wins.values(), default=0) + self.draws

    def text(self, names: Mapping[str, str]) -> str:
        """As people say it: "Ana 2, Ben 1"; the winners alone where more than two play."""
        shown = [key for key in names if key in self.wins]
        if len(shown) > 2:
            shown = [key for key in shown if self.wins[key]]
        said = [f"{isolated(names[key])} {self.wins[key]}" for key in shown]
        if self.draws:
            said.append(ngettext("%(n)s draw", "%(n)s draws", self.draws) % {"n": self.draws})
        return " · ".join(said)

    def verdict(self, names: Mapping[str, str]) -> str:
        """The leader, or the winner of the best of three, of five, …; "" if there is none.

        Of two players, the one who has won n games and more than the other wins best of 2n - 1.
        """
        most = max(self.wins.values(), default=0)
        first = [names[key] for key in names if self.wins.get(key) == most]
        if len(first) != 1:
            return ""
        if len(self.wins) == 2 and most > 1:
            return _("%(who)s has won the best of %(n)s") % {"who": first[0], "n": 2 * most - 1}
        return _("%(who)s leads") % {"who": first[0]}

    def in_words(self, names: Mapping[str, str]) -> Match | None:
        """The score in words; None while nothing is decided."""
        return Match(self.text(names), self.verdict(names)) if self.finished else None

    def after(self, winners: Collection[str]) -> Score:
        """The score after one more game; without *winners* it was a draw."""
        wins = {key: n + (key in winners) for key, n in self.wins.items()}
        return Score(wins, self.draws + (not winners))


def is_rematch(game: Game) -> bool:
    """True if another game led to this one."""
    return bool(found(EARLIER, game.pk))


def won_before(game: Game) -> Score:
    """The score of the games before this one."""
    if not is_rematch(game):
        return Score({})
    evening = game.evening
    return score(evening[: evening.index(game)])


def score(games: Sequence[Game], seats: Sequence[Seat] | None = None) -> Score:
    """The score of *games* that have a result. seats: all of theirs, if they have been read."""
    results = {each.pk: each.result for each in games}
    if not any(results.values()):
        return Score({})
    wins: Counter[str] = Counter()
    if seats is None:
        stored = Seat.objects.filter(game__in=results).order_by("order")
        seats = list(stored.only("game", "key"))
    winners = {each.pk: each.winners for each in games}
    for seat in seats:
        wins[seat.key] += seat.key in winners[seat.game_id]
    return Score(dict(wins), sum(result == "draw" for result in results.values()))


def match_of(game: Game) -> Match | None:
    """The score of the whole evening, None before a rematch or while nothing is decided."""
    evening = game.evening
    return score(evening).in_words(game.names) if len(evening) > 1 else None


def match_text(game: Game) -> str:
    """The score of the whole evening in short, "" if there is none."""
    return str(match_of(game) or "")
