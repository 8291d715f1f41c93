"""The parts of a typed line (`typed`): how each looks, and what is read of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from games.rules.state import Words

from ..language.grammar import Json
from .formula import SIGN

ON_TABLE = r"(?P<table> \s+ (?:on\s+the\s+|en\s+la\s+|auf\s+dem\s+)? (?:table|mesa|tisch))? \s*"
WORKED_OUT = re.compile(
    rf"""(?P<name>[^=]*) = (?!>) (?P<formula>.*?)
    (?: (?:→|->|=>|⇒) \s* (?P<goal>\d{{1,6}}) )? (?: (?<=[\w)]) {ON_TABLE} )?""",
    re.VERBOSE | re.IGNORECASE,
)
SUMMED = re.compile(rf"(?P<last>[^=]*) = \s* (?P<name>(?:(?!{SIGN}|[=→⇒>]).)*)", re.VERBOSE)
PARTED = re.compile(r"(?P<name>.*\D)[/÷](?P<by>[\s\d]+)")
BEST = re.compile(
    r"""(?:(?:der|die|das) \s+)? (?P<says>
        (?: (?P<highest> most | highest | más | mayor | meisten? | höchste)
          | (?P<lowest> least | lowest | menos | menor | wenigsten? | niedrigste) )
        (?: \s+ (?P<of> \S.*?) )?? \s+ (?:wins? | ganan? | gewinnt | gewinnen))""",
    re.VERBOSE | re.IGNORECASE,
)
SO_LONG = r"""(?P<says> (?: (?P<count>\d{1,3}) \s+ )? (?P<word> rounds? | rondas? | runden? )
    (?(count) | \s* (?: → | -> | => | ⇒ | \b(?:to|hasta|bis)\b ) \s* (?P<goal>\d{1,6}) ) )"""
OF = r"\s+ (?:of|with|de|con|aus|von|mit) \s+ (?=[^:,]*[?]) (?P<asks>[^:]*)"
ROUNDS = re.compile(rf"{SO_LONG} (?: {OF} (?: : (?P<brings>.*) )? )?", re.VERBOSE | re.IGNORECASE)
ASKING = re.compile(rf"\s* {SO_LONG} {OF}", re.VERBOSE | re.IGNORECASE)
"""Rounds before it is said what they bring: commas part the questions."""
OF_ROUNDS: Mapping[str, tuple[str, str]] = {
    "rou": ("Points", "Stage"), "ron": ("Puntos", "Paso"), "run": ("Punkte", "Schritt"),
}  # fmt: skip
"""What a round gives, and the table's number of its question, by how its word begins."""
NOW = ("round", "ronda", "runde")
"""The number of the round, in a formula of what it brings."""
THEN = re.compile(
    r"""(?: then | luego | dann ) \s+ (?P<says>
        (?: (?: (?:the|el|la|der|die|das) \s+ )?
          (?: most | highest | más | mayor | meisten? | höchste
            | (?P<lowest> fewest | least | lowest | menos | menor | wenigsten? | niedrigste ) )
          \s+ )?
        (?P<name> .+ ))""",
    re.VERBOSE | re.IGNORECASE,
)
TIED = re.compile(r"\s+ (?: then | luego | dann ) \s+ \S", re.VERBOSE | re.IGNORECASE)
"""The begin of what decides a tie, if no comma is before it."""
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
    {ON_TABLE}
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Typed(Struct, frozen=True):
    """One number of a line.

    text: as it was typed. number: as a definition has it; None if it cannot be read, and why says
    the reason. goal: the amount that wins; None without one. thing: the type it is on, if one.
    made: the numbers that its formula names and that were not there. parted: by kind, the names of
    numbers that were typed with what they are divided by. best: that it is no number, but says who
    wins at the end: "highest" or "lowest". ties: the number by which equal ones are parted so.
    until: when the rounds end that give points of this number. asks: the numbers that each round
    asks for, if not for the points themselves; brings: the points that follow from them.
    """

    text: str
    number: Mapping[str, Any] | None = None
    goal: int | None = None
    thing: Mapping[str, Any] | None = None
    why: Words = ""
    made: tuple[Mapping[str, Any], ...] = ()
    parted: Mapping[str, str] = {}
    best: str = ""
    ties: str = ""
    until: Json = None
    asks: tuple[Mapping[str, Any], ...] = ()
    brings: Json = None

    @property
    def kind(self) -> str:
        return str(self.number["kind"]) if self.number else ""
