"""Names that people type: what is seen of them, and which two are taken for the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, count
from unicodedata import category, decomposition, normalize

from .input import UNPRINTABLE

MOST = 40
"""Characters of a player's name."""
SAME = frozenset({"<font>", "<wide>", "<narrow>", "<noBreak>", "<compat>"})
"""Characters with such a decomposition are others in another shape; ½ and ² are not."""
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
"""Default_Ignorable_Code_Point of Unicode, and the blank of Braille."""
EMOJI = "\u00a9\u00ae\u203c-\u27bf\u2934-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
JOINS = "\u0600-\u07ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u1800-\u180a\u1810-\u18af"
"""Letters of scripts that need joiners, as Persian and Malayalam do."""
PARTS = re.compile(
    "("
    "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # the flag of Wales
    "|(?<=[#*0-9])\ufe0f(?=\u20e3)"  # a key
    f"|(?<=[{EMOJI}])[\ufe0e\ufe0f]"
    f"|(?<=[{EMOJI}\ufe0f])\u200d(?=[{EMOJI}])"  # a family
    f"|(?<=[{JOINS}])[\u200c\u200d](?=[{JOINS}])"
    f")|[{UNSEEN}]"
)
"""What nobody sees, and first what belongs to something that is seen."""
LIKE_LATIN = str.maketrans(
    "авеікмнорстухѕјһӏԁԛԝҽαβεζηικμνορτυχϲϳ",
    "abeikmhopctyxsjhldqweabezhikmnoptyxcj",
)
"""Letters, in lower case, that look like a Latin one in one case at least."""


def visible(text: str) -> str:
    """What people see of *text*, in one spelling and with single spaces; "" if that is nothing."""
    shapes = (_unshaped(letter) for letter in text)
    seen = PARTS.sub(lambda part: part[1] or "", normalize("NFC", "".join(shapes)))
    seen = " ".join(UNPRINTABLE.sub(" ", seen).split())
    return seen if any(category(letter)[0] not in "MZ" for letter in seen) else ""


def _unshaped(letter: str) -> str:
    shaped = decomposition(letter).partition(" ")[0] in SAME
    return normalize("NFKC", letter) if shaped else letter


def likeness(name: str) -> str:
    """What *name* is taken for: two names with the same likeness look alike."""
    seen = re.sub(f"[{UNSEEN}]", "", normalize("NFKC", name).casefold())
    return " ".join(normalize("NFC", seen).translate(LIKE_LATIN).split())


def told_apart(name: str, others: Iterable[str]) -> str:
    """*name*, or the first with a number behind it that looks like none of *others*."""
    if not name:
        return ""
    taken = {likeness(other) for other in others}
    numbered = (f"{name[: MOST - len(f' {n}')].rstrip()} {n}" for n in count(2))
    return next(each for each in chain([name], numbered) if likeness(each) not in taken)
