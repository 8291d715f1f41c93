"""Ready games that one line says, as those who play type it: "rounds to 100, least wins".

Azul, another name | 2-4 | Total = In play + 2*Rows, most wins, then Rows | publisher, year | a note

The note, if any, is what no line can say. A number of players such as 2x2 is so many teams of so
many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .language.meaning import PLAYER
from .writing import typed
from .writing.draft import with_line


def in_a_line(line: str) -> dict[str, Any]:
    """The definition of a line of the library. Raises ValueError if it cannot be read."""
    names, players, says, source, *note = (part.strip() for part in line.split("|"))
    title, *aliases = (name.strip() for name in names.split(","))
    begun = {
        "title": title,
        **({"aliases": aliases} if aliases else {}),
        "author": f"Countersite, after {source}",
        "about": " ".join([f"{_capital(says.lstrip('*'))}.".replace("*", " × "), *note]),
        **_players(players),
    }
    parts = typed.line(says, begun)
    if wrong := [each.text for each in parts if each.why]:
        raise ValueError(f"{title}: {wrong}")
    return _shared(dict(with_line(begun, parts)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _players(said: str) -> dict[str, Any]:
    least, sign, most = re.fullmatch(r"(\d+)(?:(-|x)(\d+))?", said).groups()  # type: ignore[union-attr]
    if sign == "x":
        count = int(least) * int(most)
        return {"players": {"least": count, "most": count}, "teams": int(least)}
    return {"players": {"least": int(least), "most": int(most or least)}}


def _shared(written: dict[str, Any]) -> dict[str, Any]:
    """*written* without turns; with numbers that a team shares, if it is played in teams."""
    if "teams" in written:
        written["numbers"] = [
            {**each, "shared": True} if "is" not in each and each["on"] == PLAYER else each
            for each in written["numbers"]
        ]
    return {"turns": {"order": "none"}, **written}


# Played


SEATS = ("ana", "ben", "cleo", "dan", "eva", "finn", "gus", "hal")
SHARES = (5, 3, 4, 2)
"""How unequal the points of the seats are, in turn."""


def shown(game: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a scenario that plays a game of the library to its end."""
    least, most = (game["players"][key] for key in ("least", "most"))
    seats = SEATS[: max(least, min(2, most))]
    given: dict[str, Any] = {"seats": {seat: {} for seat in seats}}
    when = [*_played(game, seats)]
    return {"title": game["title"], "given": given, "when": when, "then": {"result": "won"}}


def _played(game: Mapping[str, Any], seats: Sequence[str]) -> Iterator[dict[str, Any]]:
    rule = game["rules"][0]
    match rule:
        case {"when": {"begins": "round"}}:
            yield from _rounds(game, seats[: game.get("teams")])
        case {"if": {"written": kinds}}:
            for n, seat in enumerate(seats[: game.get("teams")]):
                cells = {kind: 1 + (3 * n + 2 * k) % 5 for k, kind in enumerate(kinds)}
                yield {"do": "place", "on": seat, "counters": cells, "by": seat}
        case {"when": {"always": "player"}, "if": [{"number": kind}, sign, goal]}:
            start = next(each.get("start", 0) for each in game["numbers"] if each["kind"] == kind)
            does = "place" if sign == ">=" else "remove"
            for n, amount in enumerate([abs(goal - start) // 3, 1, abs(goal - start)]):
                seat = seats[n % 2]
                yield _counted(does, seat, kind, amount - n // 2 * (amount // 3))
        case {"when": {"pressed": _}}:
            big = next(each["kind"] for each in game["numbers"] if each.get("big"))
            for n, seat in enumerate(seats):
                yield _counted("place", seat, big, 10 * SHARES[n % 4])
            yield {"do": "press", "rule": rule["rule"], "on": "table", "by": seats[0]}


def _counted(does: str, seat: str, kind: str, amount: int) -> dict[str, Any]:
    return {"do": does, "on": seat, "counter": kind, "amount": amount, "by": seat}


def _rounds(game: Mapping[str, Any], asked: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Rounds to their end: so many, or until somebody has what ends them."""
    rules = game["rules"]
    until = rules[-1]["do"][-1]["after"][-1]["win"]["if"]["all"][0]
    by_number = until[0] == "round"
    rounds, goal = (until[2], 100) if by_number else (99, until[2])
    share = 1 if len(rules) > 1 else goal // 10 + 1
    sums = dict.fromkeys(asked, 0)
    for n in range(rounds):
        if not by_number and max(sums.values()) >= goal:
            return
        yield {"do": "begin-turn", "by": asked[0]}
        for rule in range(1, len(rules) + 1):
            for k, seat in enumerate(asked):
                points = share * SHARES[(n + k * rule) % 4]
                sums[seat] += points
                prompt = f"rule-{rule}:{seat}"
                yield {"do": "answer", "prompt": prompt, "number": points, "by": seat}
