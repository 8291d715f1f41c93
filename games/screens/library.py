"""The library: every game that can be begun, and search in it by the names that people use.

A game is found by its title in the reader's language and in English, by its aliases, and last by
what is said about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from operator import itemgetter
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from games.rules import secrecy
from games.rules.system import System
from games.screens.search import MOST, folded
from games.screens.words import in_context
from games.store import demos
from games.systems import SYSTEMS, presentation_of

EXACT, BEGINS, NAMED, LONGER, ABOUT = range(5)
"""How what was typed fits a game, the best first: it is a name, begins the title, begins a name or
its words, is a name and more, or words in the description."""
SHORT = 2
"""So few letters are in every description."""
ALIKE = 0.8
"""The likeness of a word with a slip to the name that was meant."""


class Listed(Struct, frozen=True, eq=False):
    """A game in the library. ready: its name among the ready games of *system*, or "".

    seats: for how many players it is: "3–6"; "" if its page asks. names: those that it is found by,
    as `plain` has them.
    """

    system: System
    ready: str
    title: str
    about: str
    seats: str
    names: tuple[str, ...]
    made: System
    """The system that plays it."""
    played: str = ""
    """The game that was looked for, if this one is for any and so for that, too."""

    @property
    def address(self) -> str:
        """The page where it is begun."""
        chosen = {"rules": self.system.name, "ready": self.ready, "title": self.played}
        return f"{reverse('new')}?{urlencode({k: each for k, each in chosen.items() if each})}"

    @property
    def tile(self) -> bool:
        """True if it has a tile of its own on the home page."""
        return not self.ready

    @property
    def serves_any(self) -> bool:
        """True if it is for games that have no rules of their own here."""
        system = self.system
        if self.ready:
            return self.ready in presentation_of(system).new_game.for_any
        return system.defined is not None

    @property
    def led(self) -> bool:
        """True if a GM leads it."""
        return secrecy.private_log(self.made)

    def fit(self, typed: str) -> int | None:
        """How *typed*, as `plain` has it, fits the game; None if it does not."""
        joined, words = _joined(typed), typed.split()
        names = [*zip(self.names, map(_joined, self.names), strict=True)]
        said = " ".join((*self.names, plain(self.about)))
        fits = (
            (EXACT, any(joined == name for _, name in names)),
            (BEGINS, names[0][1].startswith(joined)),
            (NAMED, any(name.startswith(joined) or _begun(words, apart) for apart, name in names)),
            (LONGER, any(typed.startswith(f"{apart} ") for apart, _ in names)),
            (ABOUT, len(joined) > SHORT and _begun(words, said)),
        )
        return next((fit for fit, does in fits if does), None)


def library() -> list[Listed]:
    """All games: systems, ready games by title, and last the systems that are for any game."""
    newest = [editions[0] for editions in SYSTEMS.values()]
    ready = [each for system in newest for each in _ready(system)]
    listed = [*map(_system, newest), *sorted(ready, key=lambda game: folded(game.title))]
    return sorted(listed, key=lambda game: game.serves_any)


def found(games: Sequence[Listed], typed: str) -> list[Listed]:
    """The *games* that *typed* fits, the likeliest first; those of a like name if it fits none."""
    words = plain(typed[:MOST])
    return named(games, typed, ABOUT) or ([*_alike(games, words)] if words else [])


def named(games: Sequence[Listed], typed: str, loosest: int = LONGER) -> list[Listed]:
    """The *games* that *typed* fits no looser than that, the likeliest first."""
    words = plain(typed[:MOST])
    fits = [(game.fit(words), game) for game in games] if words else []
    close = [(fit, game) for fit, game in fits if fit is not None and fit <= loosest]
    return [_for(game, words) for _fit, game in sorted(close, key=itemgetter(0))]


def _for(game: Listed, words: str) -> Listed:
    """*game* as it is begun for the game of that name, which has none of its own."""
    others = presentation_of(game.system).new_game.for_any.get(game.ready, ())
    played = next((each for each in others if plain(each) == words), "")
    return replace(game, played=played) if played else game


def meant(games: Sequence[Listed], typed: str) -> Listed | None:
    """The one game that *typed* names; None if it may be several, or none."""
    for loosest in (EXACT, NAMED):
        if len(close := named(games, typed, loosest)) == 1:
            return close[0]
    return None


@lru_cache(1024)
def plain(text: str) -> str:
    """The words of *text* without case, accents and signs: "Yu-Gi-Oh!" is one word."""
    spelled = ("".join(filter(str.isalnum, word)) for word in folded(text).split())
    return " ".join(filter(None, spelled))


def _joined(words: str) -> str:
    return words.replace(" ", "")


def _begun(words: Sequence[str], text: str) -> bool:
    """True if each of *words* begins one in *text*."""
    return all(f" {word}" in f" {text}" for word in words)


def _alike(games: Sequence[Listed], typed: str) -> Iterator[Listed]:
    by_name = {_joined(name): game for game in games for name in game.names}
    close = get_close_matches(_joined(typed), by_name, 3, ALIKE)
    yield from dict.fromkeys(by_name[name] for name in close)


def _system(system: System) -> Listed:
    title, about = gettext(system.title), gettext(system.sentence)
    names = _names(title, system.title, *presentation_of(system).new_game.aliases)
    return Listed(system, "", title, about, "", names, system)


def _ready(system: System) -> Iterator[Listed]:
    for name, game in demos.ready_games(system.name).items():
        title, about = (_in_words(game, key) for key in ("title", "about"))
        others = presentation_of(system).new_game.for_any.get(name, ())
        names = _names(title, game["title"], *game.get("aliases", ()), *others)
        made = system.of_table({"definition": game})
        yield Listed(system, name, title, about, _seats(game), names, made)


def _names(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(plain, names)))


def _seats(game: Mapping[str, Any]) -> str:
    if not (players := game.get("players")):
        return ""
    least, most = players.get("least", 1), players.get("most", 8)
    return f"{least}" if least == most else f"{least}–{most}"


def _in_words(game: Mapping[str, Any], key: str) -> str:
    """A text of a ready game in the reader's language."""
    return in_context(game["title"], game[key]) if game.get(key) else ""
