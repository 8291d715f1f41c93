"""Comparisons that can never hold, because of a number's limits, and the ways out of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from games.rules.state import Phrase
from games.rules.state import marked as _

from ..language.definition import Definition
from ..language.forms import GRAMMAR
from ..language.grammar import Json, Place
from ..language.numbers import Number
from ..language.saying import SINGLE
from .choices import Choice
from .places import there

ABOVE = {">=": 0, ">": 1, "=": 0}
"""By its sign: by how much more than its right side a comparison wants its left one at least."""
BELOW = {"<=": 0, "<": 1, "=": 0}


class Never(Struct, frozen=True):
    """A comparison that never holds. ways: what to change instead."""

    says: Any
    ways: Sequence[Choice]


def nevers(definition: Definition, rule: Json, place: Place) -> Iterator[Never]:
    """The comparisons in a rule that never hold, in its order."""
    for here, sort, written in GRAMMAR.walk("rule", rule, place):
        if sort != "condition" or not isinstance(written, list) or len(written) != 3:
            continue
        left, sign, right = written
        number = definition.numbers.get(str(there(left, ("number",))))
        if number is None or number.follows or there(left, ("on",)) not in (None, *SINGLE):
            continue
        if type(right) is not int:
            continue
        most = number.most
        if sign in ABOVE and isinstance(most, int) and right + ABOVE[sign] > most:
            says = Phrase(_("{what} ends at {n}, so it’s never that."), what=number.kind, n=most)
            wide = ("most", right + ABOVE[sign])
            yield Never(says, [*_ways(definition, number, here, left, sign, most, wide)])
        elif sign in BELOW and right - BELOW[sign] < number.least:
            least = number.least
            says = Phrase(_("{what} never goes below {n}."), what=number.kind, n=least)
            wide = ("least", right - BELOW[sign])
            yield Never(says, [*_ways(definition, number, here, left, sign, least, wide)])


def _ways(
    definition: Definition,
    number: Number,
    place: Place,
    left: Json,
    sign: str,
    end: int,
    wide: tuple[str, int],
) -> Iterator[Choice]:
    """Compare with the end of the number, or let the number go further."""
    key, limit = wide
    at = [*definition.numbers].index(number.kind)
    meant = "=" if sign == "=" else ">=" if key == "most" else "<="
    yield Choice(Phrase(_("Say {n}"), n=end), {"put": [*place], "is": [left, meant, end]})
    says = Phrase(_("Let {what} go to {n}"), what=number.kind, n=limit)
    yield Choice(says, {"put": ["numbers", at, key], "is": limit})
