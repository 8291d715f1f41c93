"""Escapes for characters that cannot be printed in a line of text.

Control characters (a terminal obeys some of them), marks that turn the direction of text, line
separators, and halves of surrogate pairs. Names have none (`commands`, `games.pages.forms`); a
header, a file or an old row may.
"""

from __future__ import annotations

import re

UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    r"""*text* as it may go to a terminal or into a log: an escape character as "\x1b"."""
    return UNPRINTABLE.sub(lambda each: each[0].encode("unicode_escape").decode(), text)
