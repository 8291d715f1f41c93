"""What each player counts at a table with a GM, typed in a line as for any own game (`typed`).

hp 8             a track of 8 that is full at first and goes down ("hp 5/8": 5 are left)
stress 0/9       a track of 9 that fills
alarm 0/6 table  one that the table begins with
silver           a number from 0, without an end
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.slots.sets.plain import PLAIN
from games.rules.state import Phrase, Words
from games.rules.state import marked as _

from ..language.definition import understood
from ..language.meaning import PLAYER, TABLE
from ..language.reading import Fault
from ..writing import typed
from .from_set import type_of

Json = dict[str, Any]
COLOURS = ("hope", "temp", "goal", "rival", "armor", "plain")
MOST_BOXES = 10
HIT_POINTS = next(each for each in PLAIN["types"] if each["type"] == "hp")
HP = ("hp", "hit-points", "tp", "trefferpunkte", "pg", "puntos-de-golpe")
USUAL = {each["type"]: each["size"] for each in PLAIN["types"]}
FOE = {**HIT_POINTS, "type": "foe", "name": "Foe", "colour": "danger", "visibility": "known"}


def is_for_any(written: Mapping[str, Any]) -> bool:
    """True if a game says nothing yet of what its players count."""
    types = written["gm"].get("types", PLAIN["types"])
    return bool(types == PLAIN["types"]) and not written.get("rules")


def begun(
    chosen: Mapping[str, str], written: Mapping[str, Any]
) -> tuple[Mapping[str, Any], list[Words]]:
    """A game for any table by the title and the line in the fields; what is wrong there."""
    line, title = chosen.get("counts", "").strip(), " ".join(chosen.get("title", "").split())[:60]
    if not is_for_any(written):
        return written, []
    if title:
        written = {**written, "title": title}
    if not line:
        return written, []
    if faults := [*wrong(line)]:
        return written, [*faults]
    made = counting(written, line)
    try:
        understood(made)
    except Fault as fault:
        return written, [Phrase(_("This cannot be read: “{place}”."), place=fault.place)]
    return made, []


def wrong(line: str) -> Iterator[Phrase]:
    """What of a line cannot be counted there."""
    for each in typed.line(line):
        if why := each.why or (_other(each) and _("is counted at tables without a GM only")):
            yield Phrase("“{text}”: {why}", text=each.text, why=why)


def _other(each: typed.Typed) -> bool:
    """True for what is no plain number of a player or the table."""
    number = each.number or {}
    plain = number.get("on") in (PLAYER, TABLE) and "is" not in number
    return not plain or each.goal is not None or number.get("least", 0) < 0


def counting(written: Mapping[str, Any], line: str) -> Json:
    """The definition of a game for any table, in which this is counted, and foes are."""
    tracks, numbers, kit, shared = list[Json](), list[Json](), list[Json](), list[Json]()
    for each in typed.line(line):
        number = {key: part for key, part in (each.number or {}).items() if key != "big"}
        start, key = number.get("start", 0), _key(number, len(tracks))
        size = number.get("most") or start or USUAL.get(key)
        if not size:
            numbers.append(number)
            continue
        tracks.append(_track(key, typed.shown(number), size, start, len(tracks)))
        used = {"filled": size - start} if 0 < start < size else {}
        own = {"name": tracks[-1]["name"], "type": key, **used}
        (kit if number["on"] == PLAYER else shared).append(own)
    keys = {each["type"] for each in tracks}
    others = [each for each in (*PLAIN["types"], FOE) if each["type"] not in keys]
    gm = {**written["gm"], "types": [*tracks, *others], "kit": kit, "shared": shared}
    return {**written, "numbers": numbers, "gm": gm}


def _key(number: Json, n: int) -> str:
    key = re.sub(r"[^a-z0-9]+", "-", number["kind"]).strip("-")[:20].strip("-")
    return type_of(key) if key[:1].isalpha() else f"track-{n}"


def _track(key: str, name: str, size: int, start: int, n: int) -> Json:
    """A type of tracks of which each player, or the table, has one."""
    said = {part: HIT_POINTS[part] for part in ("full", "words")} if key in HP else {}
    return {
        "type": key,
        "name": name,
        "look": "boxes" if size <= MOST_BOXES and not said else "bar",
        "size": size,
        "counts": "down" if start else "up",
        "colour": COLOURS[n % len(COLOURS)],
        **said,
    }
