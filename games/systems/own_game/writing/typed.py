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
total = wood + ore/3     worked out from others (`formula`); those that are not there yet are made
danger = fear table      worked out for the table, from what all players have together
wood, ore/3 = total      the sum of all that was counted before; it is the big number
most wins                who has the most of the big number when the game is over ("least wins")
then rows                which number decides between equal ones ("then fewest cards")
rounds to 500            points of each round, until somebody has 500 ("12 rounds")
10 rounds of bid?, tricks? : tricks = bid ? 20 : -10
                         what each round asks everyone for, one after another (the first answers
                         are hidden until all have answered), and the points that it brings

A name is shown as it was typed. What no kind can be called has it as its label, and a plain word
beneath.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.input import UNPRINTABLE
from games.rules.state import Phrase, Words
from games.rules.state import marked as _

from ..language.grammar import Json
from ..language.meaning import PLAYER, TABLE
from ..language.reading import SIX_DIGITS, WORD
from ..language.sorts import ROUND
from ..led.one_line import tracks
from .formula import SIGN, Wrong, formula
from .formula import text_of as text_of_amount
from .places import items

Game = Mapping[str, Any]
"""A definition under way."""
MOST_NUMBERS = 40
LONGEST_NAME = 40
LONGEST_LINE = 2000
BRACKETS = str.maketrans("()", "  ")
UNTITLED = "Our game"
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
        \s+ (?:wins? | ganan? | gewinnt | gewinnen))""",
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
        (?P<lowest> (?:the\s+)? (?: fewest | least | lowest ) | menos | wenigste | niedrigste )? \s*
        (?P<name> .+ ))""",
    re.VERBOSE | re.IGNORECASE,
)
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


NO_WINNER = _("nobody wins at a table with a GM")
TOO_MANY = _("is one too many: 40 numbers is the most")


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


# A line


def line(typed: str, game: Game | None = None) -> list[Typed]:
    """The numbers in *typed*, in their order. game: what is there already."""
    texts = [text for text in map(str.strip, parts(typed[:LONGEST_LINE])) if text]
    reading = _Line(game or {})
    plain_ones = {n: reading.one(text) for n, text in enumerate(texts) if not _names_others(text)}
    found = []
    for n, text in enumerate(texts):
        later = [each.kind for at, each in plain_ones.items() if at > n]
        found.append(plain_ones[n] if n in plain_ones else reading.one(text, later))
    if not any(each.number and each.number.get("big") for each in found):
        first = next((n for n, each in enumerate(found) if _of_a_player(each)), None)
        if first is not None:
            found[first] = _with_big(found[first])
    return found


def parts(typed: str) -> list[str]:
    """The parts of a line between its commas; those in the brackets of a formula part nothing."""
    ends = [*_ends(typed)]
    return [typed[a:b] for a, b in zip([0, *(n + 1 for n in ends)], [*ends, None], strict=True)]


def finished(typed: str) -> str:
    """What was typed up to the last comma that ends a number."""
    return typed[: max((n + 1 for n in _ends(typed)), default=0)]


def _ends(typed: str) -> Iterator[int]:
    begun, brackets = 0, 0
    for n, sign in enumerate(typed):
        if sign in ";\n" or (
            sign == "," and not brackets and not ASKING.fullmatch(typed, begun, n)
        ):
            yield n
            begun, brackets = n + 1, 0
        elif sign in "()" and not {"=", "?"}.isdisjoint(typed[begun:n]):
            brackets = max(0, brackets + (1 if sign == "(" else -1))


def _is_formula(text: str) -> bool:
    return bool(WORKED_OUT.fullmatch(text))


def _names_others(text: str) -> bool:
    return _is_formula(text) or bool(THEN.fullmatch(text))


def _with_big(each: Typed) -> Typed:
    return replace(each, number={**(each.number or {}), "big": True})


def _of_a_player(each: Typed) -> bool:
    return each.number is not None and each.number["on"] == PLAYER


class _Line:
    """Reads the parts of a line one after another, each beside those before."""

    def __init__(self, game: Game) -> None:
        self.numbers: list[Mapping[str, Any]] = [
            each for each in items(game, "numbers") if isinstance(each, dict) and "kind" in each
        ]
        self.led = "gm" in game
        self.numbers += tracks(game)
        self.things: list[Mapping[str, Any]] = [
            each for each in items(game, "things") if isinstance(each, dict) and "type" in each
        ]

    def one(self, text: str, later: Collection[str] = ()) -> Typed:
        """What *text* is. later: the kinds that are typed after it."""
        if (best := BEST.fullmatch(text)) and not self.led:
            return Typed(best["says"], best="highest" if best["highest"] else "lowest")
        there = len(self.numbers)
        try:
            found = self._said(text) or (
                self._sum(text, later) if _is_formula(text) else self._plain(text)
            )
        except Wrong as wrong:
            del self.numbers[there:]
            return Typed(text, why=wrong.why)
        if found.number and found.number not in self.numbers:
            self.numbers.append(found.number)
        if self.led and found.goal is not None:
            return Typed(text, why=NO_WINNER)
        return found

    def _said(self, text: str) -> Typed | None:
        """Rounds, or what parts equal ones; None if *text* says neither."""
        found = ROUNDS.fullmatch(text)
        if self.led:
            if found and found["asks"]:
                raise Wrong(NO_WINNER)
            return None
        if found:
            return self._rounds(found)
        return self._tie(tie) if (tie := THEN.fullmatch(text)) else None

    def _rounds(self, found: re.Match[str]) -> Typed:
        points, stage = OF_ROUNDS[found["word"][:3].lower()]
        number = {**self._new(points, PLAYER), "big": True}
        most = {"highest": number["kind"], "on": "players"}
        until = (
            [most, ">=", int(found["goal"])]
            if found["goal"]
            else ["round", ">=", int(found["count"])]
        )
        made = Typed(found["says"], number, until=until)
        return self._asking(made, stage, found["asks"], found["brings"]) if found["asks"] else made

    def _asking(self, rounds: Typed, stage: str, asks: str, brings: str | None) -> Typed:
        """*rounds* that ask for numbers, with commas between, of which their points are made.

        stage: the name of the table's number that says which question is asked.
        """
        if brings is None:
            raise Wrong(_("needs “:” and what a round brings"))
        points = {**(rounds.number or {}), "least": -SIX_DIGITS}
        self.numbers.append(points)
        there = len(self.numbers)
        asked = list[Mapping[str, Any]]()
        for name in asks.split(","):
            asked.append(self._asked(name, [points, *asked]))
        if len(asked) > 1:
            word = worded("kind", stage, {each["kind"] for each in self.numbers})
            most = len(asked) - 1
            self.numbers.append({**word, "on": TABLE, "most": most, "look": "none"})
        if len(self.numbers) > MOST_NUMBERS:
            raise Wrong(TOO_MANY)

        def named(part: str) -> Json:
            known = next((n for n in asked if folded(shown(n)) == folded(part)), None)
            if known is None and folded(part) not in NOW:
                raise Wrong(Phrase(_("“{part}” is not asked for"), part=part))
            return {"number": known["kind"]} if known else ROUND

        return replace(
            rounds,
            number=points,
            made=tuple(self.numbers[there:]),
            asks=tuple(asked),
            brings=formula(brings, map(shown, asked), named),
        )

    def _asked(self, name: str, others: Collection[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The number that a question asks for; one of a player that is there, or a new one.

        others: those that it cannot be.
        """
        name = " ".join(name.replace("?", " ").split())
        known = next((n for n in self.numbers if folded(shown(n)) == folded(name)), None)
        goal = None
        if known is None:
            new = self._plain(name)
            known, goal = new.number or {}, new.goal
            self.numbers.append(known)
        if goal is not None or known["on"] != PLAYER or "is" in known or known in others:
            raise Wrong(Phrase(_("“{part}” cannot be asked for"), part=name))
        return known

    def _tie(self, found: re.Match[str]) -> Typed:
        best = "lowest" if found["lowest"] else "highest"
        known = next((n for n in self.numbers if folded(shown(n)) == folded(found["name"])), None)
        made = None if known else self._new(found["name"], PLAYER)
        return Typed(found["says"], made, best=best, ties=str((known or made or {})["kind"]))

    def _plain(self, text: str) -> Typed:
        said = text.lstrip("* ").translate(BRACKETS)
        before, colon, after = map(str.strip, said.partition(":"))
        valued = ENDING.fullmatch(f"x {after}")
        on_thing = colon and not (valued and valued["name"] == "x")  # "meeples: 7" is on none
        thing = self._thing(before) if on_thing else None
        found = ENDING.fullmatch(after if on_thing else f"{before} {after}".strip())
        assert found is not None  # the name takes what nothing else does
        on = thing["type"] if thing else TABLE if found["table"] else PLAYER
        number = {**self._new(found["name"], on), **dict(_bounds(found))}
        if text.startswith("*") and number["on"] == PLAYER:
            number["big"] = True
        goal = int(found["goal"]) if found["goal"] else None
        _refuse_bounds(number, goal)
        return Typed(text, number, goal, thing)

    def _sum(self, text: str, later: Collection[str]) -> Typed:
        """A new name after the parts of which it is the sum; else any formula."""
        found, worked_out = SUMMED.fullmatch(text), WORKED_OUT.fullmatch(text)
        name = " ".join(found["name"].split()) if found else ""
        known = not name or name[0].isdigit() or is_among(name, self.numbers)
        if found is None or known or (worked_out and worked_out["table"]):
            return self._formula(text)
        there = len(self.numbers)
        if last := found["last"].strip("* "):
            self.numbers.append(self._plain(last).number or {})
        parts, parted = list[Json](), dict[str, str]()
        for number in self.numbers:
            if number["on"] != PLAYER or "is" in number or number["kind"] in later:
                continue
            part: Json = {"number": number["kind"]}
            if (typed := PARTED.fullmatch(shown(number))) and typed["by"].strip():
                parted[number["kind"]] = typed["name"].strip()
                part = {"/": [part, int(typed["by"][:7])]}
            parts.append(part)
        if not parts:
            raise Wrong(_("has no parts"))
        whole = parts[0] if len(parts) == 1 else {"+": parts}
        total = {**self._new(name, PLAYER), "is": whole, "big": True}
        return Typed(text, total, made=tuple(self.numbers[there:]), parted=parted)

    def _formula(self, text: str) -> Typed:
        found = WORKED_OUT.fullmatch(text)
        assert found is not None
        typed_thing, colon, name = found["name"].lstrip("* ").rpartition(":")
        thing = self._thing(typed_thing) if colon else None
        number = self._new(name, thing["type"] if thing else TABLE if found["table"] else PLAYER)
        there = len(self.numbers)

        def named(part: str) -> dict[str, Any]:
            if folded(part) == folded(shown(number)):
                raise Wrong(_("is worked out from itself"))
            known = next((n for n in self.numbers if folded(shown(n)) == folded(part)), None)
            if known is None:
                known = self._new(part, number["on"], {number["kind"]})
                self.numbers.append(known)
            return {"number": known["kind"], **_whose(known["on"], number["on"])}

        number["is"] = formula(found["formula"], map(shown, self.numbers), named)
        if text.startswith("*") and number["on"] == PLAYER:
            number["big"] = True
        goal = int(found["goal"]) if found["goal"] else None
        return Typed(text, number, goal, thing, made=tuple(self.numbers[there:]))

    def _new(self, name: str, on: str, taken: Collection[str] = ()) -> dict[str, Any]:
        """A number of that name. Raises Wrong."""
        name = " ".join(name.split())
        if is_among(name, self.numbers):
            raise Wrong(_("is there already"))
        if len(self.numbers) + len(taken) >= MOST_NUMBERS:
            raise Wrong(TOO_MANY)
        _refuse_name(name)
        word = worded("kind", name, {*taken, *(each["kind"] for each in self.numbers)})
        return {"kind": word["kind"], "on": on, **word}

    def _thing(self, name: str) -> Mapping[str, Any]:
        """The type of that name; a new one if there is none. Raises Wrong."""
        name = " ".join(name.split())
        _refuse_name(name)
        if name in RESERVED:
            raise Wrong(NO_NAME)
        known = next((t for t in self.things if folded(shown(t)) == folded(name)), None)
        if known is None:
            known = worded("type", name, {*RESERVED, *(each["type"] for each in self.things)})
            self.things.append(known)
        return known


def _whose(on: Any, holder: Any) -> dict[str, Any]:
    """The key for the owner of a number that is for *on*, as one says it of *holder*."""
    owners = [on] if isinstance(on, str) else [*on]
    if holder in owners:
        return {}
    if PLAYER in owners:
        return {"on": "players" if holder == TABLE else "holder"}
    if TABLE in owners:
        return {"on": TABLE}
    return {"on": {"things": owners[0], "of": "all" if holder == TABLE else "holder"}}


# Names


NO_NAME = _("cannot be a name: up to 40 letters, digits or signs")
RESERVED = (PLAYER, TABLE, "any")
APART = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})


def shown(named: Mapping[str, Any]) -> str:
    """The name of a number, thing, role, zone or phase as people read it."""
    words = (named.get(key) for key in ("label", "kind", "type", "role", "zone", "phase"))
    return str(next(filter(None, words), ""))


def folded(name: str) -> str:
    """What two names have in common that one takes for the same."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def is_among(name: str, others: Iterable[Mapping[str, Any]]) -> bool:
    """True if one would take it for the name of one of the *others*."""
    return any(folded(name) == folded(shown(each)) for each in others)


def wrong_name(name: str) -> bool:
    return not name or len(name) > LONGEST_NAME or bool(UNPRINTABLE.search(name))


def names(text: str) -> list[str]:
    """The names in a text with commas between, each once."""
    said = (" ".join(each.split()) for each in text.split(","))
    return [*dict.fromkeys(each for each in said if not wrong_name(each))]


def _refuse_name(name: str) -> None:
    if wrong_name(name):
        raise Wrong(NO_NAME)


def worded(key: str, name: str, taken: Collection[str]) -> dict[str, str]:
    """The word for a name, under *key*, and the name as its label if it is not that word.

    taken: the words that others have.
    """
    if WORD(name) and name not in taken:
        return {key: name}
    letters = re.sub(r"[^a-z0-9 +\-/'.]", "", plain(name)).lstrip("/'. ")
    stem = " ".join(letters[:36].split())
    free = (f"{stem} {n}" if n > 1 else stem for n in range(1, 100))
    if not stem:
        free = (f"n{n}" for n in range(1, 100))
    return {key: next(word for word in free if word not in taken), "label": name}


def plain(name: str) -> str:
    """*name* as kinds are kept: small letters without accents."""
    letters = unicodedata.normalize("NFKD", name.replace("’", "'").lower().translate(APART))
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


def _refuse_bounds(number: Mapping[str, Any], goal: int | None) -> None:
    least, start = number.get("least", 0), number.get("start", 0)
    most = number.get("most", SIX_DIGITS)
    if not (least <= start <= most and least <= 0 <= most):
        raise Wrong(_("starts above its most, or its track does not pass 0"))
    if goal == start:
        raise Wrong(_("starts where it should end"))


def text_of(number: Mapping[str, Any], goal: int | None, game: Game) -> str | None:
    """A number of a *game* as it would be typed, as far as a line can say it; None if it follows
    from others in a way that no formula says."""
    if "is" not in number:
        return _text_of(number, goal)
    on, numbers = number["on"], [each for each in items(game, "numbers") if "on" in each]
    amounts = [({"number": n["kind"], **_whose(n["on"], on)}, shown(n)) for n in numbers]

    def called(amount: Mapping[str, Any]) -> str | None:
        return next((name for each, name in amounts if each == amount), None)

    said = text_of_amount(number["is"], called)
    ending = "" if goal is None else f" → {goal}"
    ending += " table" if on == TABLE else ""
    return f"{shown(number)} = {said}{ending}" if said and on in (PLAYER, TABLE) else None


def _text_of(number: Mapping[str, Any], goal: int | None) -> str:
    least, start, most = number.get("least", 0), number.get("start", 0), number.get("most")
    said = shown(number)
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
