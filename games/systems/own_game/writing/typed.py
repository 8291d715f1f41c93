"""Numbers as one types them in a line: "victory points 0 → 10, wood, energy 3/6, storm 0/5 table".

wood                     from 0, without an end
energy 3                 starts at 3
energy 3/6               starts at 3, at most 6 ("3-6", "3 max 6" and "energy: 3/6" say the same)
victory points 0 → 10    starts at 0; who has 10 wins ("to 10" and "0 -> 10" say the same)
score 501 → 0            starts at 501; who is down to 0 wins
memory -10…10            a track between the two ("..", "to" the first of them below 0)
storm 0/5 table          the table's, not each player's
ghoul: damage            on each thing of the type "ghoul"
*life 20                 the big number; otherwise it is the first of a player's
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.rules.state import Words
from games.rules.state import marked as _

from ..language.meaning import PLAYER, TABLE
from ..language.reading import SIX_DIGITS, WORD

MOST_NUMBERS, MOST_THINGS = 40, 20
LONGEST_LINE = 2000
BRACKETS = str.maketrans("()", "  ")
UNTITLED = "Our game"
SEPARATED = re.compile(r"[,;\n]")
N = r"[-−+]?\d{1,6}"
MOST = r"\b(?:max|máx|maximal|höchstens|at\s+most|como\s+mucho)\b\.?"
ENDING = re.compile(
    rf"""
    (?P<name>.*?) \s*
    (?: (?<=\s) (?P<low>[-−]\d{{1,6}}) \s* (?:…|\.{{2,3}}|\b(?:to|a|hasta|bis)\b|–) \s*
          (?P<high>{N})
      | (?: (?:(?<=\s)|^) (?P<start>{N}) \s*)?
        (?:→|->|=>|⇒|\b(?:to|hasta|bis)\b) \s* (?P<goal>\d{{1,6}})
      | (?<=\s) (?: (?P<now>{N}) \s* (?: (?:/|–|-|…|\.{{2,3}}|{MOST}) \s* (?P<most>\d{{1,6}}))?
          | {MOST} \s* (?P<top>\d{{1,6}}) )
    )?
    (?P<table> \s+ (?:on\s+the\s+|en\s+la\s+|auf\s+dem\s+)? (?:table|mesa|tisch))? \s*
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Typed(Struct, frozen=True):
    """One number of a line.

    text: as it was typed. number: as a definition has it; None if it cannot be read, and why says
    the reason. goal: the amount that wins; None without one. thing: the type it is on, if one.
    """

    text: str
    number: Mapping[str, Any] | None = None
    goal: int | None = None
    thing: str = ""
    why: Words = ""

    @property
    def kind(self) -> str:
        return str(self.number["kind"]) if self.number else ""


def line(typed: str, there: Sequence[str] = ()) -> list[Typed]:
    """The numbers in *typed*, in their order. there: the numbers that the game has already."""
    found: list[Typed] = []
    big = False
    for text in map(str.strip, SEPARATED.split(typed[:LONGEST_LINE])):
        if not text:
            continue
        each = _one(text, {*there, *(known.kind for known in found)}, len(there) + len(found))
        found.append(each)
        big = big or bool(each.number and each.number.get("big"))
    if not big:
        first = next((n for n, each in enumerate(found) if _of_a_player(each)), None)
        if first is not None:
            found[first] = _with_big(found[first])
    return found


def _of_a_player(each: Typed) -> bool:
    return each.number is not None and each.number["on"] == PLAYER


def _with_big(each: Typed) -> Typed:
    number = {**(each.number or {}), "big": True}
    return Typed(each.text, number, each.goal, each.thing)


def _one(text: str, known: set[str], count: int) -> Typed:
    big, said = text.startswith("*"), text.lstrip("* ")
    said = said.translate(BRACKETS)
    thing, colon, rest = said.partition(":")
    valued = ENDING.fullmatch(f"x {rest.strip()}")
    if colon and valued and valued["name"] == "x":  # "meeples: 7" is on no thing
        thing, said = "", f"{thing.strip()} {rest.strip()}"
    else:
        thing, said = (plain(thing), rest.strip()) if colon else ("", said)
    found = ENDING.fullmatch(said)
    assert found is not None  # the name takes what nothing else does
    kind = plain(found["name"])
    number: dict[str, Any] = {"kind": kind, "on": thing or (TABLE if found["table"] else PLAYER)}
    number |= _bounds(found)
    if big and number["on"] == PLAYER:
        number["big"] = True
    goal = int(found["goal"]) if found["goal"] else None
    why = _wrong(number, thing, known, count)
    if not why and goal is not None and goal == number.get("start", 0):
        why = _("starts where it should end")
    if why:
        return Typed(text, why=why)
    return Typed(text, number, goal, thing)


def plain(name: str) -> str:
    """*name* as kinds are kept: small letters without accents."""
    letters = unicodedata.normalize("NFKD", name.replace("’", "'").lower())
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())


def _bounds(found: re.Match[str]) -> Iterator[tuple[str, Any]]:
    if found["low"]:
        yield from (("least", _whole(found["low"])), ("most", _whole(found["high"])))
        yield "look", "track"
        return
    start = _whole(found["start"] or found["now"] or "0")
    if start:
        yield "start", start
    if start < 0:
        yield "least", -SIX_DIGITS
    if most := found["most"] or found["top"]:
        yield "most", int(most)


def _whole(text: str) -> int:
    return int(text.replace("−", "-"))


def _wrong(number: Mapping[str, Any], thing: str, known: set[str], count: int) -> Words:
    kind = number["kind"]
    if kind in known:
        return _("is there already")
    if count >= MOST_NUMBERS:
        return _("is one too many: 40 numbers is the most")
    if not WORD(kind) or (thing and (not WORD(thing) or thing in (PLAYER, TABLE, "any"))):
        return _("cannot be a name: up to 40 of a–z, 0–9, space, + - / ' .")
    least, most = number.get("least", 0), number.get("most", SIX_DIGITS)
    if not (least <= number.get("start", 0) <= most and least <= 0 <= most):
        return _("starts above its most, or its track does not pass 0")
    return ""


def text_of(number: Mapping[str, Any], goal: int | None) -> str:
    """A number as it would be typed, as far as a line can say it."""
    least, start, most = number.get("least", 0), number.get("start", 0), number.get("most")
    said = str(number["kind"])
    if -SIX_DIGITS < least < 0:
        said += f" {least}…{most}"
    elif goal is not None:
        said += f" {start} → {goal}"
    elif type(most) is int:
        said += f" {start}/{most}"
    elif start:
        said += f" {start}"
    on = number["on"]
    if on == TABLE:
        return f"{said} table"
    return said if on == PLAYER or isinstance(on, list) else f"{on}: {said}"


def definition(title: str, typed: Sequence[Typed], players: int) -> dict[str, Any]:
    """The definition of what was typed, for up to that many *players*, or eight."""
    read = [each for each in typed if each.number is not None]
    types = list(dict.fromkeys(each.thing for each in read if each.thing))[:MOST_THINGS]
    made: dict[str, Any] = {
        "title": title or UNTITLED,
        "players": {"least": 1, "most": max(8, players)},
        "things": [{"type": each} for each in types],
        "numbers": [
            dict(each.number or {}) for each in read if not each.thing or each.thing in types
        ],
        "rules": [wins(each) for each in read if each.goal is not None and not each.thing],
    }
    return {key: value for key, value in made.items() if value}


def wins(each: Typed) -> dict[str, Any]:
    """The rule of a number's goal."""
    assert each.number is not None
    mine = each.number["on"] == PLAYER
    up = each.goal is not None and each.goal >= each.number.get("start", 0)
    return {
        "rule": f"{each.goal} {each.kind}"[:40].strip(),
        "when": {"always": PLAYER if mine else TABLE},
        "if": [{"number": each.kind}, ">=" if up else "<=", each.goal],
        "do": [{"win": "it" if mine else "players"}],
    }
