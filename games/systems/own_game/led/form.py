"""A set as a form: a row for each type of counters, outcome, scale and so on, and an empty row.

What has no field (how many slots a player's own counter has) is kept, and is changed as text.
Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import to_builtins

from games.rules.slots.sets.definition import Fault, Set, Ticks, default_key, understood
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
WORD = re.compile(r"(.+?)\s+(\d{1,3})\s*%?")
STEP = re.compile(r"(.+?)(?:\s+([+−-]\d{1,2}))?")

# A field as it is shown and read


def _whole(text: str) -> int:
    """The number that was typed; 0, which nothing takes, if it was none."""
    return int(text) if re.fullmatch(r"\s*[0-9]{1,6}\s*", text) else 0


def _count(text: str) -> int:
    """The number that was typed, 0 too; one that nothing takes if it was none."""
    return int(text or 0) if re.fullmatch(r"[0-9]{0,6}", text) else -1


def _below(text: str) -> int:
    return -_whole(text.strip().lstrip("-−"))


def _in_words(words: Any) -> str:
    return ", ".join(f"{each.word} {each.to}" for each in words)


def _words(text: str) -> list[Json]:
    """The words of "hurt 99, bloodied 50". Raises ValueError."""
    found = [WORD.fullmatch(each) for each in _parts(text)]
    if not all(found):
        raise ValueError(text)
    words = [{"word": each[1], "to": int(each[2])} for each in found if each]
    return sorted(words, key=lambda each: each["to"])


def _in_steps(steps: Any) -> str:
    return ", ".join(f"{each.name} {each.adds:+d}" if each.adds else each.name for each in steps)


def _steps(text: str) -> list[Json]:
    """The steps of "Desperate +1, Risky", of which the second adds nothing."""
    found = [STEP.fullmatch(each) for each in _parts(text)]
    return [
        {"name": each[1], "adds": int((each[2] or "0").replace("−", "-"))} for each in found if each
    ]


def _parts(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


class Field(NamedTuple):
    """A field: its key in the set, what an empty row has, how it is shown, and how it is read."""

    key: str
    usual: str = ""
    shown: Callable[[Any], Any] = lambda value: value
    read: Callable[[str], Any] = str


def _or_blank(value: Any) -> Any:
    return value or ""


def _flag(key: str) -> Field:
    return Field(key, shown=lambda value: "1" if value else "", read=bool)


def _optional(key: str, read: Callable[[str], Any] = str) -> Field:
    return Field(key, "", _or_blank, lambda text: read(text) if text else None)


NAME, TYPE = Field("name"), Field("type")
FIELDS: Mapping[str, Mapping[str, Field]] = {
    "set": {"name": Field("title"), "turns": _flag("turns")},
    "type": {
        "name": NAME,
        "look": Field("look", "pie"),
        "size": Field("size", "6", read=_whole),
        "counts": Field("counts", "up"),
        "seen": Field("visibility", "open"),
        "colour": Field("colour", "goal"),
        "full": Field("full"),
        "words": Field("words", shown=_in_words, read=_words),
        "least": Field("least", "0", read=_below),
        "parts": Field("parts", "1", read=_whole),
        "step": Field("step", "1", read=_whole),
    },
    "outcome": {"name": NAME, "colour": _optional("colour")},
    "scale": {"name": NAME, "type": TYPE, "steps": Field("steps", shown=_in_steps, read=_steps)},
    "shared": {
        "name": NAME,
        "type": TYPE,
        "size": _optional("size", _whole),
        "filled": Field("filled", shown=_or_blank, read=_count),
    },
    "condition": {"name": NAME, "rounds": _optional("rounds", _whole), "good": _flag("good")},
}
PARTS = {
    "type": "types", "outcome": "outcomes", "scale": "scales", "shared": "shared",
    "condition": "conditions",
}  # fmt: skip
"""The lists of a set, by the sort of their rows."""
FURTHER = {"type": ("key", "had"), "outcome": ("key",)}
"""The fields of a row that are no key of what it is of."""
TICK = {"slots": "", "type": "", "way": ""}


def rows(definition: Mapping[str, Any]) -> Rows:
    """The fields of a set, and an empty row for another of each sort if there may be one."""
    made = understood(definition)
    found = {"set": [_shown("set", made)]} | {
        sort: [_shown(sort, each) for each in getattr(made, part)] for sort, part in PARTS.items()
    }
    had = {own.type for own in made.kit}
    for row, kind in zip(found["type"], made.types, strict=True):
        row |= {"key": kind.type, "had": "1" if kind.type in had else ""}
    for row, (key, outcome) in zip(found["outcome"], made.by_outcome.items(), strict=True):
        row |= {"key": key, "ticks": [*map(_tick, outcome.ticks)]}
    for sort, most in MOST.items():
        if len(found[sort]) < most:
            found[sort].append(_row(sort, {}, 0))
    for row in found["outcome"]:
        if len(row["ticks"]) < MOST_TICKS:
            row["ticks"].append(TICK)
    return found


def _shown(sort: str, each: Any) -> Json:
    return {name: field.shown(getattr(each, field.key)) for name, field in FIELDS[sort].items()}


def _tick(tick: Ticks) -> Json:
    return {"slots": tick.slots, "type": tick.type, "way": "clears" if tick.clears else ""}


def typed(fields: Mapping[str, str]) -> Rows:
    """The rows as they were typed, whether or not they make a set; empty if the form has none."""
    found = {
        sort: [_row(sort, fields, n) for n in range(most) if f"{sort}-{n}-name" in fields]
        for sort, most in MOST.items()
    }
    return found if any(found.values()) else {}


def _row(sort: str, fields: Mapping[str, str], n: int) -> Json:
    usual = {name: field.usual for name, field in FIELDS[sort].items()}
    usual |= dict.fromkeys(FURTHER.get(sort, ()), "")
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
    made, was = {**definition}, understood(definition)
    for row in typed_rows.get("set", ()):
        made |= _read("set", 0, row, was)
    if typed_rows.get("type"):
        made |= _types(definition, was, _named(typed_rows, "type"))
    for sort in ("scale", "shared", "condition"):
        if typed_rows.get(sort):
            named = enumerate(_named(typed_rows, sort))
            made[PARTS[sort]] = [_read(sort, n, row, was) for n, row in named]
    if typed_rows.get("outcome"):
        made["outcomes"] = _outcomes(was, _named(typed_rows, "outcome"))
    there = {"", *(each["type"] for each in made["types"])}
    made["outcomes"] = [
        {**each, "ticks": [tick for tick in each.get("ticks", ()) if tick.get("type", "") in there]}
        for each in made.get("outcomes", ())
    ]
    gone = {each.type for each in was.types} - there
    for part in ("scales", "shared"):
        made[part] = [each for each in made.get(part, ()) if each["type"] not in gone]
    understood(made)
    return made


def _named(typed_rows: Rows, sort: str) -> list[Json]:
    return [row for row in typed_rows.get(sort, ()) if row["name"]]


def _read(sort: str, n: int, row: Json, was: Set) -> Json:
    """What a row says; what was not typed anew stays as it is, commas in a name, too."""
    there = [was] if sort == "set" else getattr(was, PARTS[sort])
    found = {}
    for name, field in FIELDS[sort].items():
        values = (getattr(each, field.key) for each in there)
        same = next((value for value in values if field.shown(value) == row[name]), None)
        try:
            found[field.key] = field.read(row[name]) if same is None else to_builtins(same)
        except ValueError:
            raise Fault(f"{PARTS[sort]}[{n}].{field.key}") from None
    return found


def _types(definition: Mapping[str, Any], was: Set, named: list[Json]) -> Json:
    written = {each["type"]: each for each in definition["types"]}
    keys, types, had = {*written}, [], dict[str, str]()
    for n, row in enumerate(named):
        key = row["key"] if row["key"] in written else _key(row["name"], keys, "type")
        keys.add(key)
        types.append({**written.get(key, {"type": key}), **_read("type", n, row, was)})
        if row["had"]:
            had[key] = row["name"]
    kit = [each for each in definition.get("kit", ()) if each["type"] in had]
    kit += [
        {"name": name, "type": key}
        for key, name in had.items()
        if key not in {each["type"] for each in kit}
    ]
    return {"types": types, "kit": kit}


def _outcomes(was: Set, named: list[Json]) -> list[Json]:
    """The outcomes, each with the key that the log has for it, wherever it stands by now."""
    keys, made = {*was.by_outcome}, []
    for n, row in enumerate(named):
        key = row["key"] if row["key"] in was.by_outcome else _key(row["name"], keys, "outcome")
        keys.add(key)
        ticks = [
            {"type": each["type"], "slots": _whole(each["slots"]), "clears": bool(each["way"])}
            for each in row["ticks"]
            if each["slots"].strip()
        ]
        own = {} if key == default_key(n) else {"outcome": key}
        made.append({**_read("outcome", n, row, was), "ticks": ticks, **own})
    return made


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
    looks = {each["key"]: each["look"] for each in typed_rows.get("type", ())}
    most = MOST_OF.get(row.get("look") or looks.get(row.get("type"), ""))
    if part == "size" and most:
        return Phrase(_("“{name}” takes 1 to {most} with this look."), name=row["name"], most=most)
    return Phrase(SAID.get(part, _("“{name}” can’t be so.")), name=row["name"])


BOXES = _("“{name}”: only boxes take ticks, and they start at zero.")
SAID = {
    "parts": BOXES,
    "least": BOXES,
    "filled": _("“{name}” can’t begin with more than it takes."),
    "steps": _("“{name}” has 2 to 6 steps, such as “Controlled -1, Risky, Desperate +1”."),
    "type": _("“{name}” needs a type that is filled or used up."),
    "words": _("“{name}”: each word and its percentage, such as “hurt 99, bloodied 50, down 0”."),
    "ticks": _("“{name}” ticks 1 to 99 slots of what is filled or used up."),
    "rounds": _("“{name}” ends after 1 to 99 rounds."),
}
"""By the key that does not fit: the sentence about its row."""
