"""Marks of a definition's numbers: each a hue of twelve and a letter of its own.

A word with a colour takes it (wood, gold); any other takes the hue that is farthest from those in
use. After twelve hues come again; letters never do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from games.systems.controls import Coin

from .definition import KEPT, Definition

ANGLES = (142, 27, 208, 48, 258, 78, 330, 184, 36, 212, 292, 162)
"""The hues 1 to 12, in degrees of the colour wheel."""
FIRST = 3
"""The hue of the first number without a colour."""
NAMED: Mapping[str, int] = {
    **dict.fromkeys(("wood", "lumber", "plants", "madera", "plantas"), 1),
    **dict.fromkeys(("brick", "clay", "copper", "ladrillo", "barro", "cobre"), 2),
    **dict.fromkeys(("water", "mana", "shield", "agua", "escudo"), 3),
    **dict.fromkeys(("gold", "grain", "wheat", "coins", "money", "oro", "trigo", "monedas"), 4),
    **dict.fromkeys(("wool", "sheep", "lana", "ovejas"), 6),
    **dict.fromkeys(("life", "health", "hearts", "vida", "salud"), 7),
    **dict.fromkeys(("energy", "ice", "energia", "hielo"), 8),
    **dict.fromkeys(("sand", "clue", "clues", "arena", "pistas"), 9),
    **dict.fromkeys(("ore", "stone", "iron", "steel", "mineral", "piedra", "hierro"), 10),
}


@lru_cache(KEPT)
def coins(definition: Definition) -> Mapping[str, Coin]:
    """The mark of each number, by its kind."""
    return coins_in(definition, lambda kind: definition.labels.get(kind, kind))


def coins_in(definition: Definition, called: Callable[[str], str]) -> Mapping[str, Coin]:
    """The mark of each number, with letters of what it is *called* in the reader's language."""
    numbers = definition.numbers.values()
    hues = [number.colour for number in numbers]
    for place, number in enumerate(numbers):
        if hues[place] is None:
            used = {hue for hue in hues if hue is not None}
            own = NAMED.get(number.kind)
            hues[place] = own if own not in used else None
    for place, hue in enumerate(hues):
        if hue is None:
            hues[place] = _farthest([each for each in hues if each is not None])
    letters: dict[str, None] = {each.letter: None for each in numbers if each.letter}
    made = {}
    for number, hue in zip(numbers, hues, strict=True):
        free = (each for each in _letters(called(number.kind)) if each not in letters)
        letter = number.letter or next(free)
        letters[letter] = None
        made[number.kind] = Coin(hue or FIRST, letter)
    return made


def _farthest(used: Iterable[int]) -> int:
    """The hue that is farthest from those in use; once all are, the one that is used least."""
    used = list(used)
    if not used:
        return FIRST
    least = min(used.count(hue) for hue in range(1, 13))
    free = [hue for hue in range(1, 13) if used.count(hue) == least]
    return max(free, key=lambda hue: min(_apart(hue, each) for each in used))


def _apart(one: int, other: int) -> int:
    turn = abs(ANGLES[one - 1] - ANGLES[other - 1])
    return min(turn, 360 - turn)


def _letters(kind: str) -> Iterator[str]:
    """Candidate letters for *kind*, the best first: V, Vi, Vc, … and at last V2."""
    first = next((sign for sign in kind if sign.isalnum()), kind[0]).upper()[:1]
    yield first
    words = kind.split()
    yield from (first + word[0] for word in words[1:] if word[0].isalnum())
    yield from (first + sign for sign in kind[1:] if sign.isalnum())
    yield from (f"{first}{n}" for n in range(2, 10))
    yield from (f"{n}{first}" for n in range(1, 10))
    yield from (f"{a}{b}" for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for b in "0123456789")
