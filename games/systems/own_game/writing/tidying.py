"""Numbers that fit: what follows from a change, so that the rest of a definition stays whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from games.tracks.sets.tracker import MOST_OF

from ..language.forms import GRAMMAR
from ..language.grammar import Json
from ..language.meaning import PLAYER
from ..language.numbers import LOOKS, suits
from ..language.reading import SIX_DIGITS
from .places import items, put, there, used_by


def tidied(draft: Mapping[str, Any], before: Json) -> dict[str, Any]:
    """*draft* with numbers that fit: no start beyond its limits, no impossible look, one big."""
    written = _without_roles(dict(draft), gone_roles(draft, before))
    numbers = [dict(each) for each in items(written, "numbers") if isinstance(each, dict)]
    if "numbers" in written:
        was = items(before, "numbers")
        written["numbers"] = [
            _tidy(
                number if written.get("teams") else {**number, "shared": False},
                was[n] if n < len(was) and isinstance(was[n], dict) else {},
            )
            for n, number in enumerate(_one_big(numbers, was))
        ]
    kinds = {number.get("kind") for number in numbers}
    starts = {kind for _place, kind in GRAMMAR.names("turns", written.get("turns"), "numbers")}
    if not starts <= kinds:
        written["turns"] = {k: v for k, v in written["turns"].items() if k != "starts"}
    if isinstance(gm := written.get("gm"), dict):
        written["gm"] = _tidy_set(gm)
    for key in ("numbers", "rules", "things"):
        if written.get(key) == []:
            del written[key]
    players = written.get("players")
    if isinstance(players, dict) and all(type(each) is int for each in players.values()):
        least, most = players.get("least", 1), players.get("most", 8)
        if least > most:
            lower = least != there(before, ("players", "least"))
            end = least if lower else most
            written["players"] = {"least": end, "most": end}
    return written


def gone_roles(draft: Json, before: Json) -> set[str]:
    """The roles that the change took away."""
    was, now = (map(_word, items(written, "roles")) for written in (before, draft))
    return {*was} - {*now}


def _word(role: Json) -> str:
    return str(there(role, ("role",)) if isinstance(role, dict) else role)


def _without_roles(written: dict[str, Any], gone: set[str]) -> dict[str, Any]:
    """*written* without what was for these roles alone."""
    if not gone:
        return written
    for n, number in enumerate(items(written, "numbers")):
        if not isinstance(number, dict):
            continue
        left = [each for each in _owners(number) if each not in gone]
        starts = {k: v for k, v in _starts(number).items() if k not in gone}
        on = left if len(left) > 1 else left[0] if left else PLAYER
        written = put(written, ("numbers", n), {**number, "on": on, "starts": starts})
    users = {n for role in gone for n in used_by(written, "things", role)}
    rules = [each for n, each in enumerate(items(written, "rules")) if n not in users]
    return {**written, "rules": rules} if users else written


def _tidy_set(gm: Mapping[str, Any]) -> dict[str, Any]:
    """A set whose tracks fit: no more than their look takes, nor more filled than there is."""
    types = [_tidy_type(each) if isinstance(each, dict) else each for each in items(gm, "types")]
    kinds = {each.get("type"): each for each in types if isinstance(each, dict)}
    tidy: dict[str, Any] = {"types": types} if types else {}
    for key in ("kit", "shared"):
        if own := items(gm, key):
            tidy[key] = [
                _tidy_track(each, kinds) if isinstance(each, dict) else each for each in own
            ]
    return {**gm, **tidy}


def _tidy_type(kind: Mapping[str, Any]) -> dict[str, Any]:
    look, made = kind.get("look", "blocks"), dict(kind)
    if look in MOST_OF and type(size := kind.get("size")) is int:
        made["size"] = max(1, min(size, MOST_OF[look]))
    if look != "boxes":
        made.pop("parts", None)
    if kind.get("counts") == "items" or made.get("parts", 1) != 1:
        made.pop("least", None)
    return made


def _tidy_track(own: Mapping[str, Any], kinds: Mapping[Any, Any]) -> dict[str, Any]:
    made, kind = dict(own), kinds.get(own.get("type"), {})
    most = MOST_OF.get(kind.get("look", "blocks"), 1)
    if type(size := own.get("size")) is int:
        made["size"] = size = max(1, min(size, most))
    whole = (size or kind.get("size", 6)) * kind.get("parts", 1)
    if type(filled := own.get("filled")) is int:
        made["filled"] = 0 if kind.get("counts") == "items" else max(0, min(filled, whole))
    return made


def _one_big(numbers: list[dict[str, Any]], was: list[Any]) -> list[dict[str, Any]]:
    """Only the one that has become big last is."""
    big = [n for n, each in enumerate(numbers) if each.get("big")]
    new = [n for n in big if n >= len(was) or not there(was[n], ("big",))]
    chosen = (new or big)[:1]
    return [
        {**each, "big": True} if n in chosen else {k: v for k, v in each.items() if k != "big"}
        for n, each in enumerate(numbers)
    ]


USUAL: Mapping[str, Json] = {
    name: key.usual
    for name, key in GRAMMAR.keys("number").items()
    if key.usual is not UNSET and key.usual is not None
}


def _tidy(number: dict[str, Any], was: Mapping[str, Any]) -> dict[str, Any]:
    if "is" in number or number.get("blank") or number.get("shared"):
        number.pop("starts", None)
    if "is" in number:
        for key in ("least", "most", "start", "steps", "blank"):
            number.pop(key, None)
    look = number.get("look", "number")
    if look == "switch" or not number.get("blank"):
        number |= {"blank": False, "once": False}
    else:
        number["start"] = 0
    if "is" in number or number.get("on") != PLAYER:
        number["shared"] = False
    if look not in LOOKS:
        look = "number"
    if look != was.get("look", "number"):
        number |= _bounds_of(look, number)
    least, most, start = (number.get(key, USUAL[key]) for key in ("least", "most", "start"))
    if type(least) is int and type(start) is int:
        top = most if type(most) is int else 0
        number["start"] = max(least, min(start, top))
        starts = {k: v for k, v in _starts(number).items() if type(v) is int}
        number["starts"] = {role: max(least, min(n, top)) for role, n in starts.items()}
    if not suits(look, number.get("least", 0), None if "is" in number else most):
        look = "number"
    number["look"] = look
    if number.get("big") and (PLAYER not in _owners(number) or look == "none"):
        number["big"] = False
    return {k: v for k, v in number.items() if k not in USUAL or v != USUAL[k]}


def _starts(number: Mapping[str, Any]) -> Mapping[str, Any]:
    found = number.get("starts")
    return found if isinstance(found, dict) else {}


def _owners(number: Mapping[str, Any]) -> list[Any]:
    on = number.get("on")
    return on if isinstance(on, list) else [on]


def _bounds_of(look: str, number: Mapping[str, Any]) -> dict[str, Any]:
    """The limits that a look brings with it, where the number has none yet."""
    most = number.get("most", SIX_DIGITS)
    if look == "switch":
        return {"least": 0, "most": 1}
    if look == "track" and most == SIX_DIGITS:
        return {"least": -10, "most": 10}
    if look in ("pips", "clock") and most == SIX_DIGITS:
        return {"most": 6}
    return {}
