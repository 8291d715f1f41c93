"""What each player counts at a table with a GM, typed in a line as for any own game (`typed`).

hp 8             a track of 8 that is full at first and goes down ("hp 5/8": 5 are left)
stress 0/9       a track of 9 that fills
alarm 0/6 table  one that the table begins with
silver           a number from 0, without an end

What no track can be, and what a table has no room for as one, is a number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from games.systems.typed_line import folded
from games.tracks.sets.plain import PLAIN
from games.tracks.sets.tracker import MOST_OF

from ..language.meaning import PLAYER, TABLE
from .from_set import type_of

Json = dict[str, Any]
COLOURS = ("hope", "temp", "goal", "rival", "armor", "plain")
MOST_BOXES = 10
MOST_TYPES = 16
LISTS = {PLAYER: ("kit", 8), TABLE: ("shared", 4)}
"""By whose a track is: its list in a set, and how many stand there at most."""
HIT_POINTS = next(each for each in PLAIN["types"] if each["type"] == "hp")
HP = ("hp", "hit-points", "tp", "trefferpunkte", "pg", "puntos-de-golpe")
USUAL = {each["type"]: each["size"] for each in PLAIN["types"]}
FOE = {**HIT_POINTS, "type": "foe", "name": "Foe", "colour": "danger", "visibility": "known"}


def is_for_any(written: Mapping[str, Any]) -> bool:
    """True if a game with a GM says nothing yet of what its players count."""
    gm = written.get("gm")
    plain = isinstance(gm, dict) and gm.get("types", PLAIN["types"]) == PLAIN["types"]
    return bool(plain and not written.get("rules"))


def begun(written: Mapping[str, Any]) -> Mapping[str, Any]:
    """The game whose players count what is typed alone, and which has foes; one in which they count
    something of its own stays."""
    if not is_for_any(written):
        return written
    return {**written, "gm": {**written["gm"], "types": [*PLAIN["types"], FOE], "kit": []}}


def tracks(written: Mapping[str, Any]) -> Iterator[Json]:
    """The tracks that players have and the table begins with, as numbers that a line may name."""
    gm = begun(written).get("gm")
    for holder, (key, _most) in LISTS.items():
        for own in gm.get(key, ()) if isinstance(gm, dict) else ():
            if isinstance(own, dict) and {"name", "type"} <= own.keys():
                yield {"kind": own["type"], "label": own["name"], "on": holder}


def with_track(written: Mapping[str, Any], number: Mapping[str, Any]) -> Json | None:
    """The game with a *number* as a track; None if it is a plain one."""
    written = begun(written)
    gm, holder = written["gm"], number["on"]
    start, least = number.get("start", 0), number.get("least", 0)
    key = key_of(number["kind"])
    size = number.get("most") or start or USUAL.get(key)
    if not isinstance(holder, str) or holder not in LISTS or "is" in number or least or not size:
        return None
    name, most = LISTS[holder]
    types, own = [*gm.get("types", PLAIN["types"])], [*gm.get(name, ())]
    there = next((n for n, each in enumerate(types) if each["type"] == key), None)
    used = {each["type"] for each in (*gm.get("kit", ()), *gm.get("shared", ()))}
    room = key not in used and (there is not None or len(types) < MOST_TYPES)
    if len(own) >= most or not room or size > MOST_OF["bar"]:
        return None
    if there is not None:
        del types[there]
    shown = number.get("label") or number["kind"]
    types.insert(len(used), _track(key, shown, size, start, len(used)))
    filled = {"filled": size - start} if 0 < start < size else {}
    own.append({"name": shown, "type": key, **filled})
    return {**written, "gm": {**gm, "types": types, name: own}}


def without_last(written: Mapping[str, Any]) -> tuple[Json, str] | None:
    """The game without the last track of a line, and that as it would be typed; None without."""
    gm = written["gm"]
    for holder, (name, _most) in reversed(LISTS.items()):
        *others, last = gm.get(name) or [None]
        kind = last and next((e for e in gm["types"] if e["type"] == last["type"]), None)
        if kind is None:
            continue
        size, filled = last.get("size") or kind.get("size", 6), last.get("filled", 0)
        down = kind.get("counts") == "down"
        amount = f"{size - filled if down else filled}/{size}" if filled or not down else size
        text = f"{last['name']} {amount}{' table' if holder == TABLE else ''}"
        types = [each for each in gm["types"] if each is not kind]
        return {**written, "gm": {**gm, "types": types, name: others}}, text
    return None


def key_of(name: str, taken: Collection[str] = ()) -> str:
    """The word of a type of that name, for commands and typed lines."""
    key = re.sub(r"[^a-z0-9]+", "-", folded(name)).strip("-")[:20].strip("-")
    word = type_of(key if key[:1].isalpha() else f"track-{key}"[:20].strip("-"))
    free = (word, *(f"{word}-{n}" for n in range(2, len(taken) + 3)))
    return next(each for each in free if each not in taken)


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
