"""The one way to read a number that someone sent."""

from __future__ import annotations

import re

MOST = 10**9
_WHOLE = re.compile(r"[+-]?[0-9]{1,10}", re.ASCII).fullmatch


def whole_number(text: str, least: int = -MOST, most: int = MOST) -> int | None:
    """The whole number in *text* if it is between *least* and *most*; None for anything else.

    `int` reads more than people mean ("1_0"), `str.isdigit` says yes to "²", and neither likes
    five thousand digits.
    """
    text = text.strip()
    number = int(text) if _WHOLE(text) else None
    return number if number is not None and least <= number <= most else None
