"""A set as a form: a row for each type of counters, outcome, scale and so on, and an empty row.

What has no field (how many slots a player's own counter has) is kept, and is changed as text.
Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.slots.sets.definition import Fault, default_key, understood
from games.rules.slots.sets.tracker import MOST_OF
from games.rules.state import Phrase
from games.rules.state import marked as _
from games.systems.typed_line import folded

Json = dict[str, Any]
Rows = dict[str, list[Json]]
"""The rows of a form by what they are of, as "type"; and the one of the "set" itself."""
MOST = {"set": 1, "type": 16, "outcome": 8, "scale": 3, "shared": 4, "condition": 40}
MOST_TICKS = 8
LOOKS = {
    "blocks": _("Blocks"),
    "pie": _("Pie"),
    "boxes": _("Boxes"),
    "bar": _("Number 17/23"),
}
COUNTS = {
    "up": _("is filled"),
    "down": _("is used up"),
    "actions": _("fills with each Action"),
    "items": _("holds things"),
}
SEEN = {"open": _("all see it"), "known": _("its name only"), "hidden": _("only the GM")}
COLOURS = {
    "goal": _("Green"),
    "danger": _("Amber"),
    "fear": _("Red"),
    "hope": _("Yellow"),
    "temp": _("Blue"),
    "rival": _("Lilac"),
    "stress": _("Pink"),
    "armor": _("Grey"),
    "plain": _("Sand"),
}
USUAL: Mapping[str, Mapping[str, str]] = {
    "set": {"name": "", "turns": ""},
    "type": {"key": "", "name": "", "look": "pie", "size": "6", "counts": "up", "seen": "open",
             "had": "", "colour": "goal", "full": "", "words": "", "least": "0", "parts": "1",
             "step": "1"},
    "outcome": {"key": "", "name": "", "colour": ""},
    "scale": {"name": "", "type": "", "steps": ""},
    "shared": {"name": "", "type": "", "size": "", "filled": ""},
    "condition": {"name": "", "rounds": "", "good": ""},
}  # fmt: skip
"""The fields of an empty row."""
TICK = {"slots": "", "type": "", "way": ""}
WORD = re.compile(r"(.+?)\s+(\d{1,3})\s*%?")
STEP = re.compile(r"(.+?)(?:\s+([+−-]\d{1,2}))?")


def rows(definition: Mapping[str, Any]) -> Rows:
    """The fields of a set, and an empty row for another of each sort if there may be one."""
    had = {each["type"] for each in definition.get("kit", ())}
    found: Rows = {
        "set": [{"name": definition["title"], "turns": "1" if definition.get("turns") else ""}],
        "type": [
            {
                **USUAL["type"],
                "key": each["type"],
                "name": each["name"],
                "look": each.get("look", "blocks"),
                "size": each.get("size", 6),
                "counts": each.get("counts", "up"),
                "seen": each.get("visibility", "open"),
                "had": "1" if each["type"] in had else "",
                "colour": each.get("colour", "goal"),
                "full": each.get("full", ""),
                "words": _in_words(each.get("words", ())),
                "least": each.get("least", 0),
                "parts": each.get("parts", 1),
                "step": each.get("step", 1),
            }
            for each in definition["types"]
        ],
        "outcome": [
            {
                "key": each.get("outcome") or default_key(n),
                "name": each["name"],
                "colour": each.get("colour") or "",
                "ticks": [_tick(tick) for tick in each.get("ticks", ())],
            }
            for n, each in enumerate(definition.get("outcomes", ()))
        ],
        "scale": [
            {"name": each["name"], "type": each["type"], "steps": _in_steps(each["steps"])}
            for each in definition.get("scales", ())
        ],
        "shared": [
            {
                "name": each["name"],
                "type": each["type"],
                "size": each.get("size") or "",
                "filled": each.get("filled") or "",
            }
            for each in definition.get("shared", ())
        ],
        "condition": [
            {
                "name": each["name"],
                "rounds": each.get("rounds") or "",
                "good": "1" if each.get("good") else "",
            }
            for each in definition.get("conditions", ())
        ],
    }
    for sort, most in MOST.items():
        if len(found[sort]) < most:
            found[sort].append(_row(sort, {}, 0))
    for row in found["outcome"]:
        if len(row["ticks"]) < MOST_TICKS:
            row["ticks"].append(TICK)
    return found


def _tick(tick: Mapping[str, Any]) -> Json:
    way = "clears" if tick.get("clears") else ""
    return {"slots": tick.get("slots", 1), "type": tick.get("type", ""), "way": way}


def _in_words(words: Any) -> str:
    return ", ".join(f"{each['word']} {each['to']}" for each in words)


def _in_steps(steps: Any) -> str:
    said = ((each["name"], each.get("adds", 0)) for each in steps)
    return ", ".join(f"{name} {adds:+d}" if adds else name for name, adds in said)


def typed(fields: Mapping[str, str]) -> Rows:
    """The rows as they were typed, whether or not they make a set; empty if the form has none."""
    found = {
        sort: [_row(sort, fields, n) for n in range(most) if f"{sort}-{n}-name" in fields]
        for sort, most in MOST.items()
    }
    return found if any(found.values()) else {}


def _row(sort: str, fields: Mapping[str, str], n: int) -> Json:
    usual = USUAL[sort]
    row: Json = {each: fields.get(f"{sort}-{n}-{each}", usual[each]).strip() for each in usual}
    for each in {"had", "good", "turns"} & {*usual}:
        row[each] = "1" if row[each] else ""
    if sort == "outcome":
        at = [m for m in range(MOST_TICKS) if f"outcome-{n}-slots-{m}" in fields]
        ticks = [{part: fields.get(f"outcome-{n}-{part}-{m}", "") for part in TICK} for m in at]
        row["ticks"] = ticks
    return row


def filled(definition: Mapping[str, Any], typed_rows: Rows) -> Json:
    """*definition* with what these rows say: one without a name is gone, one without a key new.

    What players have, what a table begins with, what an outcome ticks and a scale go with their
    type. Raises Fault.
    """
    made = {**definition}
    for row in typed_rows.get("set", ()):
        made |= {"title": row["name"], "turns": bool(row["turns"])}
    if typed_rows.get("type"):
        made |= _types(definition, _named(typed_rows, "type"))
    there = {"", *(each["type"] for each in made["types"])}
    if typed_rows.get("outcome"):
        made["outcomes"] = _outcomes(definition, _named(typed_rows, "outcome"))
    made["outcomes"] = [
        {**each, "ticks": [tick for tick in each.get("ticks", ()) if tick.get("type", "") in there]}
        for each in made.get("outcomes", ())
    ]
    if typed_rows.get("scale"):
        made["scales"] = _scales(definition, _named(typed_rows, "scale"))
    if typed_rows.get("shared"):
        made["shared"] = [
            {
                "name": row["name"],
                "type": row["type"],
                "size": _whole(row["size"]) if row["size"] else None,
                "filled": _count(row["filled"]) if row["filled"] else 0,
            }
            for row in _named(typed_rows, "shared")
        ]
    gone = {each["type"] for each in definition["types"]} - there
    for part in ("scales", "shared"):
        made[part] = [each for each in made.get(part, ()) if each["type"] not in gone]
    if typed_rows.get("condition"):
        made["conditions"] = [
            {
                "name": row["name"],
                "good": bool(row["good"]),
                "rounds": _whole(row["rounds"]) if row["rounds"] else None,
            }
            for row in _named(typed_rows, "condition")
        ]
    understood(made)
    return made


def _named(typed_rows: Rows, sort: str) -> list[Json]:
    return [row for row in typed_rows.get(sort, ()) if row["name"]]


def _types(definition: Mapping[str, Any], named: list[Json]) -> Json:
    was = {each["type"]: each for each in definition["types"]}
    keys, types, had = set(was), [], dict[str, str]()
    for n, row in enumerate(named):
        key = row["key"] if row["key"] in was else _key(row["name"], keys, "type")
        keys.add(key)
        old = was.get(key, {"type": key})
        types.append({**old, **_fields(row, old, n)})
        if row["had"]:
            had[key] = row["name"]
    kit = [each for each in definition.get("kit", ()) if each["type"] in had]
    kit += [
        {"name": name, "type": key}
        for key, name in had.items()
        if key not in {each["type"] for each in kit}
    ]
    return {"types": types, "kit": kit}


def _fields(row: Json, old: Mapping[str, Any], n: int) -> Json:
    words = old.get("words", ())
    if row["words"] != _in_words(words):
        words = [_word(each.strip(), n) for each in row["words"].split(",") if each.strip()]
        words = sorted(words, key=lambda each: each["to"])
    return {
        "name": row["name"],
        "look": row["look"],
        "size": _whole(row["size"]),
        "counts": row["counts"],
        "visibility": row["seen"],
        "colour": row["colour"],
        "full": row["full"],
        "words": words,
        "least": -_whole(row["least"].strip().lstrip("-−")),
        "parts": _whole(row["parts"]),
        "step": _whole(row["step"]),
    }


def _word(text: str, n: int) -> Json:
    """The word of "bloodied 50". Raises Fault."""
    if not (found := WORD.fullmatch(text)):
        raise Fault(f"types[{n}].words")
    return {"word": found[1], "to": int(found[2])}


def _outcomes(definition: Mapping[str, Any], named: list[Json]) -> list[Json]:
    """The outcomes, each with the key that the log has for it, wherever it stands by now."""
    was = {each.get("outcome") or default_key(n) for n, each in enumerate(definition["outcomes"])}
    keys, made = set(was), []
    for n, row in enumerate(named):
        key = row["key"] if row["key"] in was else _key(row["name"], keys, "outcome")
        keys.add(key)
        ticks = [
            {"type": each["type"], "slots": _whole(each["slots"]), "clears": bool(each["way"])}
            for each in row["ticks"]
            if each["slots"].strip()
        ]
        own = {} if key == default_key(n) else {"outcome": key}
        made.append({"name": row["name"], "colour": row["colour"] or None, "ticks": ticks, **own})
    return made


def _scales(definition: Mapping[str, Any], named: list[Json]) -> list[Json]:
    """The scales; what was not typed anew stays as it is, commas in a name, too."""
    was = {_in_steps(each["steps"]): each["steps"] for each in definition.get("scales", ())}
    return [
        {
            "name": row["name"],
            "type": row["type"],
            "steps": was.get(row["steps"])
            or [_step(each.strip()) for each in row["steps"].split(",") if each.strip()],
        }
        for row in named
    ]


def _step(text: str) -> Json:
    """The step of "Desperate +1", or of "Risky", which adds nothing."""
    found = STEP.fullmatch(text)
    adds = int(found[2].replace("−", "-")) if found and found[2] else 0
    return {"name": found[1] if found else text, "adds": adds}


def _count(text: str) -> int:
    """The number that was typed, 0 too; one that nothing takes if it was none."""
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else -1


def _whole(text: str) -> int:
    """The number that was typed; 0, which nothing takes, if it was none."""
    return int(text) if re.fullmatch(r"\s*[0-9]{1,6}\s*", text) else 0


def _key(name: str, taken: set[str], sort: str) -> str:
    """A word for commands and typed lines: the name's own letters, and a number if it is taken."""
    word = re.sub(r"[^a-z0-9]+", "-", folded(name)).strip("-")[:20].strip("-")
    word = word if word[:1].isalpha() else f"{sort}-{word}"[:20].strip("-")
    tries = (word, *(f"{word}-{n}" for n in range(2, len(taken) + 3)))
    return next(each for each in tries if each not in taken)


def faults(typed_rows: Rows, fault: Fault) -> Iterator[Phrase]:
    """The sentences about what was typed."""
    found = re.match(r"(type|outcome|scale|condition|shared)s?\[(\d+)\]\.(\w+)", fault.place)
    named = _named(typed_rows, found[1]) if found else []
    row = named[int(found[2])] if found and int(found[2]) < len(named) else None
    if not _named(typed_rows, "type") and typed_rows.get("type"):
        yield Phrase("A set has at least one type of counters.")
    elif row and found:
        yield _fault(row, found[3], typed_rows)
    else:
        yield Phrase("The set has a fault at “{place}”.", place=fault.place or "set")


def _fault(row: Json, part: str, typed_rows: Rows) -> Phrase:
    name = row["name"]
    looks = {each["key"]: each["look"] for each in typed_rows.get("type", ())}
    look = row.get("look") or looks.get(row.get("type"))
    if part == "size" and look in MOST_OF:
        sentence = "“{name}” takes 1 to {most} with this look."
        return Phrase(sentence, name=name, most=MOST_OF[look])
    if part in ("parts", "least"):
        sentence = "“{name}”: only boxes take ticks, and they start at zero."
        return Phrase(sentence, name=name)
    if part == "filled":
        return Phrase("“{name}” can’t begin with more than it takes.", name=name)
    if part == "steps":
        sentence = "“{name}” has 2 to 6 steps, such as “Controlled -1, Risky, Desperate +1”."
        return Phrase(sentence, name=name)
    if part == "type":
        return Phrase("“{name}” needs a type that is filled or used up.", name=name)
    if part == "words":
        sentence = "“{name}”: each word and its percentage, such as “hurt 99, bloodied 50, down 0”."
        return Phrase(sentence, name=name)
    if part == "ticks":
        return Phrase("“{name}” ticks 1 to 99 slots of what is filled or used up.", name=name)
    if part == "rounds":
        return Phrase("“{name}” ends after 1 to 99 rounds.", name=name)
    return Phrase("“{name}” can’t be so.", name=name)
