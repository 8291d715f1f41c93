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
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from games.rules.state import Phrase
from games.rules.state import marked as _

from ..language.grammar import Json
from ..language.meaning import PLAYER, TABLE
from ..language.reading import SIX_DIGITS
from ..language.sorts import ROUND
from ..led.one_line import tracks
from .formula import Wrong, formula
from .formula import text_of as text_of_amount
from .line_parts import (
    ASKING,
    BEST,
    ENDING,
    NOW,
    OF_ROUNDS,
    PARTED,
    ROUNDS,
    SUMMED,
    THEN,
    TIED,
    WORKED_OUT,
    Typed,
)  # fmt: skip
from .names import RESERVED, folded, is_among, shown, worded, wrong_name
from .places import items
from .winning import MOST_RANKED, ranked

Game = Mapping[str, Any]
"""A definition under way."""
MOST_NUMBERS = 40
MOST_TYPES = 20
WHO_WINS = 2
LONGEST_LINE = 2000
BRACKETS = str.maketrans("()", "  ")
UNTITLED = "Our game"
NO_WINNER = _("nobody wins at a table with a GM")
TOO_MANY = _("is one too many: 40 numbers is the most")
NO_NAME = _("cannot be a name: up to 40 letters, digits or signs")


# A line


def line(typed: str, game: Game | None = None) -> list[Typed]:
    """The numbers in *typed*, in their order. game: what is there already.

    Nothing that was typed gets lost: a part changes the game, or says why it does not.
    """
    if len(typed) > LONGEST_LINE:
        return [Typed(typed, why=Phrase(_("is too long: {n} signs is the most"), n=LONGEST_LINE))]
    texts = [text for text in map(str.strip, parts(typed)) if text]
    reading, found = _Line(game or {}), dict[int, Typed]()
    for turn in range(WHO_WINS + 1):
        if turn == WHO_WINS:
            reading.choose_big(found)
        for n, text in enumerate(texts):
            if _turn(text) == turn:
                later = [each.kind for at, each in found.items() if at > n]
                found[n] = reading.one(text, later)
    return [found[n] for n in sorted(found)]


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
        if (
            sign in ";\n"
            or (sign == "," and not brackets and not ASKING.fullmatch(typed, begun, n))
            or (sign == " " and TIED.match(typed, n) and _says_who_wins(typed[begun:n].strip()))
        ):
            yield n
            begun, brackets = n + 1, 0
        elif sign in "()" and not {"=", "?"}.isdisjoint(typed[begun:n]):
            brackets = max(0, brackets + (1 if sign == "(" else -1))


def _is_formula(text: str) -> bool:
    return bool(WORKED_OUT.fullmatch(text))


def _says_who_wins(text: str) -> bool:
    return any(each.fullmatch(text) for each in (BEST, THEN, ROUNDS))


def _turn(text: str) -> int:
    """When it is read: first what is plain, then formulas, which name it, then who wins by it."""
    return WHO_WINS if BEST.fullmatch(text) or THEN.fullmatch(text) else int(_is_formula(text))


def _of_a_player(each: Typed) -> bool:
    return each.number is not None and each.number["on"] == PLAYER


class _Line:
    """Reads the parts of a line one after another, each beside those before."""

    def __init__(self, game: Game) -> None:
        self.there = [
            each for each in items(game, "numbers") if isinstance(each, dict) and "kind" in each
        ]
        self.led = "gm" in game
        self.numbers: list[Mapping[str, Any]] = [*self.there, *tracks(game)]
        self.things: list[Mapping[str, Any]] = [
            each for each in items(game, "things") if isinstance(each, dict) and "type" in each
        ]
        self.ranked, self.settled = ranked(game)
        self.big: Mapping[str, Any] | None = None

    def one(self, text: str, later: Collection[str] = ()) -> Typed:
        """What *text* is. later: the kinds that are typed after it."""
        there = len(self.numbers)
        try:
            found = self._said(text) or (
                self._sum(text, later) if _is_formula(text) else self._plain(text)
            )
            if self.led and found.goal is not None:
                raise Wrong(NO_WINNER)
        except Wrong as wrong:
            del self.numbers[there:]
            return Typed(text, why=wrong.why)
        if found.number and found.number not in self.numbers:
            self.numbers.append(found.number)
        return found

    def choose_big(self, found: dict[int, Typed]) -> None:
        """Without a star the first of a player is the big number, unless there is one."""
        numbers = [*self.there, *(found[n].number or {} for n in sorted(found))]
        bigs = [each for each in numbers if each.get("big")]
        first = next((n for n in sorted(found) if _of_a_player(found[n])), None)
        if not bigs and first is not None:
            bigs = [{**(found[first].number or {}), "big": True}]
            found[first] = replace(found[first], number=bigs[0])
        self.big = bigs[-1] if bigs else None

    def _said(self, text: str) -> Typed | None:
        """Rounds, who wins at the end, or what parts equal ones; None if *text* says none of it."""
        for form, says in ((ROUNDS, self._rounds), (BEST, self._best), (THEN, self._tie)):
            if found := form.fullmatch(text):
                if self.led:
                    raise Wrong(NO_WINNER)
                return says(found)
        return None

    def _best(self, found: re.Match[str]) -> Typed:
        if self.big is None:
            raise Wrong(_("comes after what is counted"))
        best = self.ranked[0] if self.ranked else self.big["kind"]
        name = next(shown(each) for each in self.numbers if each["kind"] == best)
        if found["of"] and folded(found["of"]) != folded(name):
            raise Wrong(Phrase(_("“{part}” is not the big number"), part=found["of"]))
        if self.settled:
            raise Wrong(_("comes too late: who wins is said already"))
        self.ranked, self.settled = self.ranked or (best,), True
        return Typed(found["says"], best="highest" if found["highest"] else "lowest")

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
        if found["asks"]:
            made = self._asking(made, stage, found["asks"], found["brings"])
        self.ranked, self.settled = (number["kind"],), False
        return made

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
        number = known or self._new(found["name"], PLAYER)
        if not self.ranked:
            raise Wrong(_("comes after “most wins” or rounds"))
        if number["kind"] in self.ranked or number["on"] != PLAYER:
            raise Wrong(Phrase(_("“{part}” cannot decide a tie here"), part=found["name"]))
        if len(self.ranked) == MOST_RANKED:
            raise Wrong(Phrase(_("is one too many: {n} ties is the most"), n=MOST_RANKED - 1))
        self.ranked, self.settled = (*self.ranked, number["kind"]), True
        return Typed(found["says"], None if known else number, best=best, ties=number["kind"])

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
        goal = int(found["goal"]) if found["goal"] else None
        _refuse_what_is_no_players(text, number, found)
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
            part = self._plain(last)
            if part.goal is not None or not _of_a_player(part):
                raise Wrong(Phrase(_("“{part}” cannot be added up"), part=last))
            self.numbers.append(part.number or {})
        parts, parted = list[Json](), dict[str, str]()
        for number in self.numbers:
            if number["on"] != PLAYER or "is" in number or number["kind"] in later:
                continue
            amount: Json = {"number": number["kind"]}
            if (typed := PARTED.fullmatch(shown(number))) and typed["by"].strip():
                parted[number["kind"]] = typed["name"].strip()
                amount = {"/": [amount, int(typed["by"][:7])]}
            parts.append(amount)
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
        goal = int(found["goal"]) if found["goal"] else None
        _refuse_what_is_no_players(text, number, found)
        return Typed(text, number, goal, thing, made=tuple(self.numbers[there:]))

    def _new(self, name: str, on: str, taken: Collection[str] = ()) -> dict[str, Any]:
        """A number of that name. Raises Wrong."""
        name = " ".join(name.split())
        if is_among(name, self.numbers):
            raise Wrong(_("is there already"))
        if len(self.numbers) + len(taken) >= MOST_NUMBERS:
            raise Wrong(TOO_MANY)
        if wrong_name(name):
            raise Wrong(NO_NAME)
        word = worded("kind", name, {*taken, *(each["kind"] for each in self.numbers)})
        return {"kind": word["kind"], "on": on, **word}

    def _thing(self, name: str) -> Mapping[str, Any]:
        """The type of that name; a new one if there is none. Raises Wrong."""
        name = " ".join(name.split())
        if wrong_name(name) or name in RESERVED:
            raise Wrong(NO_NAME)
        known = next((t for t in self.things if folded(shown(t)) == folded(name)), None)
        if known is None:
            if len(self.things) == MOST_TYPES:
                raise Wrong(_("is one too many: 20 types is the most"))
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


def _refuse_what_is_no_players(text: str, number: dict[str, Any], found: re.Match[str]) -> None:
    """Makes a number with a star the big one, if it is a player's. Raises Wrong."""
    if text.startswith("*"):
        number["big"] = True
    if number["on"] != PLAYER and "big" in number:
        raise Wrong(_("is no player’s, and cannot be the big one"))
    if number["on"] not in (PLAYER, TABLE) and (found["goal"] or found["table"]):
        raise Wrong(_("is on a card: it has no goal, and is not the table’s"))


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
