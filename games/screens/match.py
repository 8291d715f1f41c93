"""The match: how often each seat has won in the games of one evening, which are rematches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import ngettext

from games.models import Game, Seat
from games.rules.values import frozen


@frozen
class Score:
    """wins: by the key of each seat that counts, in table order. draws: games without a winner."""

    wins: Mapping[str, int]
    draws: int = 0

    @property
    def finished(self) -> int:
        """How many games have a result."""
        return max(self.wins.values(), default=0) + self.draws

    def text(self, names: Mapping[str, str]) -> str:
        """As people say it: "Ana 2, Ben 1"; the winners alone where more than two play."""
        shown = [key for key in names if key in self.wins]
        if len(shown) > 2:
            shown = [key for key in shown if self.wins[key]]
        said = [f"{names[key]} {self.wins[key]}" for key in shown]
        if self.draws:
            said.append(ngettext("%(n)s draw", "%(n)s draws", self.draws) % {"n": self.draws})
        return " · ".join(said)

    def after(self, winners: Collection[str]) -> Score:
        """The score after one more game; without *winners* it was a draw."""
        wins = {key: n + (key in winners) for key, n in self.wins.items()}
        return Score(wins, self.draws + (not winners))


def won_before(game: Game) -> Score:
    """The score of the games before this one."""
    if game.earlier is None:
        return Score({})
    evening = game.evening
    return score(evening[: evening.index(game)])


def score(games: Sequence[Game]) -> Score:
    """The score of *games* that have a result."""
    results = {each.pk: each.result for each in games}
    if not any(results.values()):
        return Score({})
    wins: Counter[str] = Counter()
    stored = Seat.objects.filter(game__in=results).order_by("order")
    for pk, key, lost in stored.values_list("game", "key", "lost"):
        wins[key] += results[pk] == "won" and not lost
    return Score(dict(wins), sum(result == "draw" for result in results.values()))


def match_text(game: Game) -> str:
    """The score of the whole evening, "" before a rematch or while nothing is decided."""
    evening = game.evening
    if len(evening) < 2:
        return ""
    found = score(evening)
    return found.text(game.names) if found.finished else ""
