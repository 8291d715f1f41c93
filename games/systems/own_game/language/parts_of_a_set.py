"""What a GM's table counts, as forms: a page walks and says them, and a rename finds their names.

Their keys and what is meant without them are those of the structs that read a set, which says its
faults itself. Source: docs/ANY-RPG.md, "A set".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args, get_type_hints

from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import fields

from games.tracks.sets import definition as sets
from games.tracks.sets.plain import PLAIN as PLAIN_SET
from games.tracks.sets.tracker import Word

from . import sorts
from .grammar import Form, Key, Sort


def form(of: type[Struct], **named: str | Key) -> Form:
    """The form of a struct. named: its keys that do not have the sort of their name."""
    keys = {}
    for each in fields(of):
        key = named.get(each.name, each.name)
        if isinstance(key, str):
            key = Key(key, UNSET if each.default is NODEFAULT else each.default)
        keys[each.name] = key
    return Form(keys, of)


def words(field: str, of: type[Struct] = sets.TypeOf) -> Sort:
    """The words that a field of a struct takes."""
    return sorts.one_of(*get_args(get_type_hints(of)[field]))


def lists(least: int, sort: str, most: int) -> Key:
    return Key(sort, [] if least == 0 else UNSET, many=(least, most))


KIT = form(sets.Kit, type="track", size=Key("track-size", None), filled=Key("track-filled", 0))
SORTS: Mapping[str, Sort] = {
    "set": Sort(
        sorts.of_a_set,
        whole=True,
        forms=(
            Form(
                {
                    "types": Key("kept-type", PLAIN_SET["types"], many=(1, 16)),
                    "kit": lists(0, "kit", 8),
                    "shared": lists(0, "shared", 4),
                    "outcomes": lists(0, "outcome-of", 8),
                    "scales": lists(0, "scale", 3),
                    "conditions": lists(0, "condition-of", 40),
                    "turns": Key("flag", False),
                },
                sets.Set,
            ),
        ),
    ),
    "kept-type": Sort(
        forms=(
            form(
                sets.TypeOf,
                type="track-word", look="track-look", size="track-size", colour="track-colour",
                visibility="visibility", full="text", words=lists(0, "word-to", 8), loop="flag",
                least="track-least", parts="track-parts", step="track-step",
                verbs="track-verbs",
            ),
        ),
    ),
    "word-to": Sort(forms=(form(Word, to="percent", word="name"),)),
    "kit": Sort(forms=(KIT,)),
    "shared": Sort(forms=(KIT,)),
    "outcome-of": Sort(
        forms=(
            form(
                sets.Outcome, ticks=lists(0, "ticks", 8), colour="track-colour",
                outcome="track-word",
            ),
        ),
    ),
    "ticks": Sort(forms=(form(sets.Ticks, type="ticked", slots="ticked-slots", clears="flag"),)),
    "scale": Sort(forms=(form(sets.ScaleOf, type="track", steps=lists(2, "step-to", 6)),)),
    "step-to": Sort(forms=(form(sets.Step, adds="ticked-more"),)),
    "condition-of": Sort(forms=(form(sets.ConditionOf, good="flag", rounds="rounds"),)),
    # Words and numbers
    "track-word": Sort(schema=sorts.WORD),
    "track-look": words("look"),
    "track-colour": words("colour"),
    "counts": words("counts"),
    "track-verbs": sorts.one_of(*get_args(sets.Verbs)),
    "visibility": words("visibility"),
    "ticked": Sort(schema={"type": "string"}, names="things"),
    "track-size": sorts.numbers(1, 9999),
    "track-filled": sorts.numbers(0, 9999),
    "track-least": sorts.numbers(-999, 0),
    "track-parts": sorts.numbers(1, 4),
    "track-step": sorts.numbers(1, 99),
    "ticked-slots": sorts.numbers(1, 99),
    "ticked-more": sorts.numbers(-99, 99),
    "percent": sorts.numbers(0, 100),
    "rounds": sorts.numbers(1, 99),
}  # fmt: skip
