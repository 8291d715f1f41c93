"""Formulas as one types them: "military + coins/3 − 2 × (fame + 1)", "min(wood, ore)".

+ − × ÷ with brackets, whole numbers, min, max and abs; "tricks = bid ? 20 : -10" is 20 if they are
equal, else -10 (= != < > ≤ ≥). Every other run of words is the name of a number.
Where one name begins like another, the longer is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from games.rules.state import Phrase, Words
from games.rules.state import marked as _

from ..language.grammar import DEEPEST, Json
from ..language.meaning import COMPARED
from ..language.reading import SIX_DIGITS

LONGEST = 40
"""The most parts of one sum, product, min or max."""
SIGNS: Mapping[str, str] = {
    **dict.fromkeys("-−–", "-"),
    **dict.fromkeys("*×·", "*"),
    **dict.fromkeys("/÷", "/"),
    **{sign: sign for sign in "+(),?:"},
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    **{sign: sign for sign in COMPARED},
}
SIGN = f"(?:{'|'.join(map(re.escape, sorted(SIGNS, key=len, reverse=True)))})"
FUNCTIONS: Mapping[str, str] = {
    "min": "min", "mín": "min", "max": "max", "máx": "max", "abs": "abs",
}  # fmt: skip
ENDS = rf"(?=\s*(?:{SIGN}|$))"


class Wrong(ValueError):
    """A formula cannot be read. why: the part that does not fit, in words."""

    def __init__(self, why: Words) -> None:
        super().__init__(why)
        self.why = why


def formula(text: str, names: Iterable[str], named: Callable[[str], Json]) -> Json:
    """The amount that *text* works out. Raises Wrong.

    names: those that are known, which may have signs in them. named: the amount that a name is.
    """
    return _Reading([*_tokens(text, names)], named).whole()


def _tokens(text: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The parts of a formula, each with its sort: sign, function, digits or name."""
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"
    parts = re.compile(
        rf"(?P<function>{'|'.join(FUNCTIONS)})\s*\(|(?P<known>{known}){ENDS}"
        rf"|(?P<digits>\d+){ENDS}|(?P<sign>{SIGN})|(?P<name>(?:(?!{SIGN}).)+)",
        re.IGNORECASE,
    )
    at = 0
    while (at := at + len(text[at:]) - len(text[at:].lstrip())) < len(text):
        found = parts.match(text, at)
        assert found is not None  # a name is whatever is no sign
        sort = str(found.lastgroup)
        yield ("name" if sort == "known" else sort), found[sort].strip()
        at = found.end()


class _Reading:
    """Reads the parts of a formula from the left."""

    def __init__(self, tokens: list[tuple[str, str]], named: Callable[[str], Json]) -> None:
        self.tokens = tokens
        self.named = named
        self.at = 0
        self.open = 0

    def whole(self) -> Json:
        amount = self.choice()
        if self.at < len(self.tokens):
            raise self.misfit()
        if _depth(amount) > DEEPEST:
            raise Wrong(_("has too many brackets in brackets"))
        return amount

    def sign(self, *signs: str) -> str:
        """The next part, if it is one of these signs; else ""."""
        sort, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        found = SIGNS[text] if sort == "sign" else ""
        if found not in signs:
            return ""
        self.at += 1
        return found

    def misfit(self) -> Wrong:
        if self.at >= len(self.tokens):
            return Wrong(_("ends too soon"))
        return Wrong(Phrase(_("does not fit at “{part}”"), part=self.tokens[self.at][1]))

    def need(self, sign: str) -> None:
        if not self.sign(sign):
            raise self.misfit()

    def deeper(self) -> None:
        self.open += 1
        if self.open > DEEPEST:
            raise Wrong(_("has too many brackets in brackets"))

    def choice(self) -> Json:
        """A sum; after a comparison and "?" one of two, with ":" between."""
        first = self.sum()
        if not (compared := self.sign(*COMPARED)):
            return first
        self.deeper()
        condition = [first, compared, self.sum()]
        self.need("?")
        then = self.choice()
        self.need(":")
        found = {"if": condition, "then": then, "else": self.choice()}
        self.open -= 1
        return found

    def sum(self) -> Json:
        added, taken = [self.product()], list[Json]()
        while sign := self.sign("+", "-"):
            (added if sign == "+" else taken).append(self.product())
        whole = _joined("+", added)
        return {"-": [whole, _joined("+", taken)]} if taken else whole

    def product(self) -> Json:
        factors = [self.factor()]
        while sign := self.sign("*", "/"):
            if sign == "*":
                factors.append(self.factor())
            else:
                factors = [{"/": [_joined("*", factors), self.factor()]}]
        return _joined("*", factors)

    def factor(self) -> Json:
        if self.sign("-"):
            amount = self.part()
            return -amount if type(amount) is int else {"-": [0, amount]}
        return self.part()

    def part(self) -> Json:
        if self.sign("("):
            return self.bracket()[0]
        if self.at >= len(self.tokens) or self.tokens[self.at][0] == "sign":
            raise self.misfit()
        sort, text = self.tokens[self.at]
        self.at += 1
        if sort == "function":
            name = FUNCTIONS[text.lower()]
            parts = self.bracket(several=name != "abs")
            return {name: parts[0]} if name == "abs" else _joined(name, parts)
        if sort == "digits" and int(text[:7]) <= SIX_DIGITS:
            return int(text[:7])
        if sort == "digits" or text[0].isdigit():
            raise Wrong(Phrase(_("“{part}” is no whole number up to 999999"), part=text))
        return self.named(text)

    def bracket(self, *, several: bool = False) -> list[Json]:
        """What stands in the bracket that has just begun; several: commas between."""
        self.deeper()
        parts = [self.choice()]
        while several and self.sign(","):
            parts.append(self.choice())
        self.need(")")
        self.open -= 1
        return parts


def _joined(sign: str, parts: list[Json]) -> Json:
    if len(parts) > LONGEST:
        raise Wrong(Phrase(_("has too many parts: {n} is the most"), n=LONGEST))
    return {sign: parts} if len(parts) > 1 else parts[0]


def _depth(amount: Json) -> int:
    """How deep maps and comparisons are in each other; the list of a sum is none of them."""
    if isinstance(amount, list):
        return max(map(_depth, amount))
    if not isinstance(amount, dict):
        return 0
    return 1 + max(_depth(part) + int(key == "if") for key, part in amount.items())


# Back to text


Called = Callable[[Mapping[str, Any]], str | None]
"""The name that stands for the amount of a number; None if none does."""


def text_of(amount: Json, called: Called) -> str | None:
    """An amount as one would type it; None if no formula can say it."""
    found = _text(amount, called)
    return found[0] if found else None


BINDS: Mapping[str, int] = {"+": 1, "-": 1, "*": 2, "/": 2}
FIRMEST = 3


def _text(amount: Any, called: Called) -> tuple[str, int] | None:
    """The text of an amount, and how firmly its parts hold together."""
    if type(amount) is int:
        return str(amount).replace("-", "−"), FIRMEST if amount >= 0 else 1
    if not isinstance(amount, dict) or amount.get("round") == "up":
        return None
    if name := called(amount):
        return name, FIRMEST
    sign, parts = next(iter(amount.items()))
    match amount:
        case {"if": [first, str(sign), second], "then": then}:
            parts = [first, second, then, amount.get("else", 0)]
        case {"abs": inner}:
            parts = [inner]
    read = [_text(each, called) for each in parts] if isinstance(parts, list) else [None]
    said = [each for each in read if each]
    if len(said) < len(read) or sign not in (*BINDS, *FUNCTIONS, *COMPARED):
        return None
    if sign in FUNCTIONS:
        return f"{sign}({', '.join(text for text, _binds in said)})", FIRMEST
    if sign in COMPARED:
        first, second, then, other = (
            text if held or n > 1 else f"({text})" for n, (text, held) in enumerate(said)
        )
        return f"{first} {sign} {second} ? {then} : {other}", 0
    binds = BINDS[sign]
    first, *rest = (
        text if held > binds or (n == 0 and held == binds) else f"({text})"
        for n, (text, held) in enumerate(said)
    )
    return f" {sign} ".join([first, *rest]), binds
