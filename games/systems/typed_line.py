"""A counter described in one line: "The vault danger 6 hidden" is a name, then options.

Only the words at the end are options: a type, slots ("8", "5x5"), "worth 3", "temp 2", "@" and a
seat, a visibility, "in" and a scene, in any order, each once. A name that is one of the rulebook's
own counters ("wound 3 @ana") makes that one, if the line says no other type. Slots and initiative
may be dice ("2d6", "init d20+2"). A GM's "4 goblins hp 7", or "goblin x4 hp 7", makes several foes:
without an owner, "hp" is a foe's. The first word from the end that is no option ends the name.
Quotes around the name keep it as it is. If two words say who may see it, the name cannot keep the
one that hides more. A line without a type is hidden whatever its type turns out to be, so that a
slip of the pen tells nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.rules.dice import dice_in
from games.rules.state import Refused
from games.systems.slot_counters import Slots, Template
from games.tracks.counter import LONGEST_NAME, VISIBILITIES

Options = Mapping[str, Any]
"""Parameters of `create`, by name."""
MOST_WORTH = 9999
SIZE_WORDS = 3
"""Words in a size at most: "5 x 3"."""
QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»"}
CLOSEDNESS = {"open": 0, "known": 1, "hidden": 2}
"""The visibilities that a line can say, by how much they hide."""
NUMBER = object()
"""The value of an option whose word is followed by a number."""
MOST_AT_ONCE = 20
HIT_POINTS = "hp"
CLOCKS = ("clock", "danger")
"""What stands for a clock of the story, where no type of the game has that name."""
_DICE = re.compile(r"(\d*d\d+)([+−-]\d{1,3})?", re.ASCII)
_TIMES = re.compile(r"x ?(\d{1,2})", re.ASCII)
_SIZE = re.compile(r"(\d+)(?:\s*[x×]\s*(\d+))?", re.ASCII | re.IGNORECASE)
ENGLISH: Mapping[str, Options] = {
    **{each: {"visibility": each} for each in VISIBILITIES if each != "chosen"},
    **{word: {"temporary": NUMBER} for word in ("temp", "temporary")},
    "worth": {"worth": NUMBER},
}
MOST_OF = {"worth": MOST_WORTH, "initiative": 99}


Fall = Callable[[str], Sequence[int]]
"""Rolls dice such as "2d6"."""


class Dice(Struct, frozen=True):
    """A number that is rolled when the counter is made: "2d6+3"."""

    count: int
    sides: int
    plus: int = 0

    def __str__(self) -> str:
        dice = f"{self.count if self.count > 1 else ''}d{self.sides}"
        return f"{dice}{self.plus:+}" if self.plus else dice

    def total(self, fall: Fall, least: int, most: int) -> int:
        """What is rolled, from *least* to *most*."""
        rolled = sum(fall(f"{self.count}d{self.sides}")) + self.plus
        return min(most, max(least, rolled))


def _no_dice(dice: str) -> list[int]:
    raise ValueError(dice)


def highest(dice: str) -> list[int]:
    """The most that *dice* can show, for what is not thrown yet."""
    count, sides = dice_in(dice)
    return [sides] * count


class TypedLine(Struct, frozen=True):
    """A counter as a typed line describes it. options: all besides its name.

    template: which of the game's own counters it is, if it is one. count: how many are made, with
    numbers behind the name.
    """

    name: str
    options: Options
    its: Slots
    template: Template | None = None
    count: int = 1

    @property
    def type(self) -> str | None:
        """Its type; None if the line says none."""
        named: str | None = self.template.counter["type"] if self.template else None
        said: str | None = self.options.get("type", named)
        return said

    def several(
        self, ids: Sequence[str], kind: str, fall: Fall, taken: Iterable[str]
    ) -> list[dict[str, Any]]:
        """The commands that make all of them. taken: the names that are there already."""
        if self.count == 1:
            return [self.create(ids[0], kind, fall)]
        numbered = re.compile(rf"{re.escape(folded(self.name))} (\d{{1,3}})", re.ASCII)
        there = [int(found[1]) for each in taken if (found := numbered.fullmatch(folded(each)))]
        first = max(there, default=0) + 1
        return [
            {**self.create(new, kind, fall), "name": f"{self.name} {first + n}"}
            for n, new in enumerate(ids)
        ]

    def create(self, counter_id: str, kind: str, fall: Fall = _no_dice) -> dict[str, Any]:
        """The command that makes it. kind: its type, if the line says none; "" is the usual one."""
        types = self.its.types
        usual = {**types[kind or next(iter(types))].tile.counter, "visibility": "hidden"}
        if self.template is not None:
            usual = dict(self.template.counter)
        elif self.type is not None:
            usual = dict(types[self.type].tile.counter)
        least_most = {"slots": (1, self.its.most), "initiative": (0, MOST_OF["initiative"])}
        rolled = {
            field: value.total(fall, *least_most[field]) if isinstance(value, Dice) else value
            for field, value in self.options.items()
        }
        counter = {**usual, **rolled}
        if counter["type"] == "inventory":
            counter.pop("worth", None)
        return {"do": "create", "as": counter_id, "name": self.name, **counter}


def read_line(
    line: str,
    seats: Mapping[str, str],
    its: Slots,
    words: Mapping[str, Options] | None = None,
    templates: Mapping[str, str] | None = None,
    *,
    leads: bool = False,
) -> TypedLine:
    """The content of *line*.

    seats: by name, what "@" and the name stand for; names are compared without spaces and accents.
    its: the counters of the game. words: what words of the reader's language mean, besides the
    rules' own; several words may mean one thing: "in sea caves". templates: what the game's own
    counters are called in that language: their keys, by name.
    Raises Refused if there is no name, or if the end of the line means something impossible.
    """
    called = {folded(name).replace(" ", ""): seat for name, seat in seats.items()}
    types = {folded(kind): {"type": kind} for kind in its.types}
    turns = {"init": {"initiative": NUMBER}} if its.turns else {}
    clocks = {word: {"type": its.clock} for word in CLOCKS} if its.clock else {}
    foes = {HIT_POINTS: {"type": its.foe}} if its.foe else {}
    times = {"x": {"times": NUMBER}} if leads and its.foe else {}
    known: dict[str, Options] = {
        **ENGLISH,
        **turns,
        **clocks,
        **foes,
        **times,
        **types,
        **{folded(word): meant for word, meant in (words or {}).items()},
    }
    quoted, rest = _quoted(line.strip())
    left, options = _options(rest.split(), called, known, its.most)
    count = 1
    if times:
        left, options, count = _foes(left, options, its)
    if quoted and left:
        sentence = "After a name in quotes come only options; “{word}” is none."
        raise Refused("invalid", sentence, word=left[-1])
    _refuse_open_secrets(left, options, known)
    name = quoted or " ".join(left)
    if not name:
        raise Refused("invalid", "A counter needs a name. It comes first: “alarm danger 8”.")
    if len(name) > LONGEST_NAME:
        raise Refused("invalid", "A name has at most {most} characters.", most=LONGEST_NAME)
    template = None if quoted else _template(name, options, its, templates or {})
    return TypedLine(template.title if template else name, options, its, template, count)


def _foes(left: list[str], options: Options, its: Slots) -> tuple[list[str], Options, int]:
    """The name, the options and the number of what a line makes: nobody's hit points are a foe's,
    which players read in words.
    """
    said, count = options.get("type"), options.get("times", 1)
    if said not in (HIT_POINTS, its.foe) or "owner" in options:
        if "times" in options:
            sentence = "Only foes are made several at once: “goblin x4 hp 7”."
            raise Refused("invalid", sentence)
        return left, options, 1
    usual = its.types[its.foe].tile.counter["visibility"]
    if said == HIT_POINTS:
        options = {"visibility": "known" if usual == "open" else usual, **options, "type": its.foe}
    if "times" not in options and len(left) > 1 and re.fullmatch(r"[1-9]\d*", left[0], re.ASCII):
        count = int(left[0])
        left = [*left[1:-1], singular(left[-1]) if count > 1 else left[-1]]
    if not 1 <= count <= MOST_AT_ONCE:
        sentence = "A line makes 1 to {most} at once. Put a name that has a number in quotes."
        raise Refused("invalid", sentence, most=MOST_AT_ONCE)
    return left, {key: value for key, value in options.items() if key != "times"}, count


def singular(plural: str) -> str:
    """One of several: "goblins" is "goblin", "wolves" is "wolf"."""
    for end, instead in (("ves", "f"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ss", "ss")):
        if plural.endswith(end):
            return plural.removesuffix(end) + instead
    return plural.removesuffix("s")


def _template(
    name: str, options: Options, its: Slots, called: Mapping[str, str]
) -> Template | None:
    """The game's own counter that is called *name*, unless the *options* say another type."""
    keys = {folded(each.title): key for key, each in its.templates.items()}
    keys |= {key: key for key in its.templates} | {
        folded(word): key for word, key in called.items()
    }
    template = its.templates.get(keys.get(folded(name), ""))
    if template and options.get("type", template.counter["type"]) == template.counter["type"]:
        return template
    return None


def _refuse_open_secrets(
    left: Sequence[str], options: Options, known: Mapping[str, Options]
) -> None:
    """Refuse a line whose name ends in a word that would hide more than the line says after it."""
    meant = known.get(folded(left[-1]), {}).get("visibility") if left else None
    said = options.get("visibility")
    if meant in CLOSEDNESS and said in CLOSEDNESS and CLOSEDNESS[meant] > CLOSEDNESS[said]:
        sentence = "Is it to be “{word}” or not? Put a name that ends in that word in quotes."
        raise Refused("invalid", sentence, word=left[-1])


def folded(text: str) -> str:
    """*text* in lower case, without accents and the hyphens of which a word does without."""
    apart = unicodedata.normalize("NFKD", text.casefold()).replace("\u00ad", "")
    return "".join(each for each in apart if not unicodedata.combining(each))


def _quoted(line: str) -> tuple[str, str]:
    """(name, rest) of a line that begins with a name in quotes; else the name is empty."""
    closing = QUOTES.get(line[:1])
    if closing is None:
        return "", line
    name, closed, rest = line[1:].partition(closing)
    if not closed:
        raise Refused("invalid", "Close the quotes after the name.")
    return " ".join(name.split()), rest


def _options(
    words: Sequence[str], seats: Mapping[str, str], known: Mapping[str, Options], most: int
) -> tuple[list[str], Options]:
    """The words before the options, and the options."""
    left, options = list(words), dict[str, Any]()
    longest = max(SIZE_WORDS, *(phrase.count(" ") + 1 for phrase in known))
    while left:
        for count in range(min(longest, len(left)), 0, -1):
            meant = _option(" ".join(left[-count:]), seats, known, options, most)
            if meant:
                options |= meant
                del left[-count:]
                break
        else:
            break
    return left, options


def _option(
    text: str,
    seats: Mapping[str, str],
    known: Mapping[str, Options],
    given: Iterable[str],
    most: int,
) -> Options:
    """The option that *text* is; empty if it is none, or one of its kind was *given* already."""
    word = folded(text)
    first, _space, digits = word.partition(" ")
    if NUMBER in known.get(first, {}).values():
        meant = _numbered(known[first], digits, most)
    elif "x" in known and (times := _TIMES.fullmatch(word)):
        meant = {"times": int(times[1])}
    elif rolled := dice_of(word):
        meant = {"slots": rolled}
    elif word in known:
        meant = known[word]
    elif word.startswith("@") and " " not in word:
        meant = {"owner": _seat(text, seats)} if "owner" not in given else {}
    elif size := _SIZE.fullmatch(word):
        meant = _slots(size, most) if "slots" not in given else {}
    else:
        return {}
    return {} if set(meant) & set(given) else meant


def _numbered(option: Options, digits: str, most: int) -> Options:
    """*option* with the number that stands after its word; empty if none does."""
    ((field, _number),) = option.items()
    if field == "initiative" and (rolled := dice_of(digits)):
        return {field: rolled}
    if not re.fullmatch(r"\d{1,6}", digits, re.ASCII):
        return {}
    highest = MOST_OF.get(field, most - 1)
    if not 1 <= int(digits) <= highest:
        sentence = "“{word}” goes from 1 to {most}. Put a name that ends so in quotes."
        raise Refused("invalid", sentence, word=field, most=highest)
    return {field: int(digits)}


def dice_of(text: str) -> Dice | None:
    """The dice that *text* is; None if it is none."""
    if not (found := _DICE.fullmatch(text)):
        return None
    try:
        count, sides = dice_in(found[1])
    except ValueError:
        sentence = (
            "Those dice are not there: “d20”, “2d6” or “7d10+21”, up to 20 of 2 to 100 sides."
        )
        raise Refused("invalid", sentence) from None
    return Dice(count, sides, int((found[2] or "0").replace("−", "-")))


def _seat(text: str, seats: Mapping[str, str]) -> str:
    if (name := folded(text[1:])) not in seats:
        raise Refused("unknown", "No one here is called {name}.", name=text[1:])
    return seats[name]


def _slots(size: re.Match[str], most: int) -> Options:
    slots, worth = (int(digits[:6]) if digits else None for digits in size.groups())
    assert slots is not None
    if not 1 <= slots <= most:
        sentence = "A counter has 1 to {most} slots. Put a name that ends in a number in quotes."
        raise Refused("invalid", sentence, most=most)
    if worth is None:
        return {"slots": slots}
    if not 1 <= worth <= MOST_WORTH:
        raise Refused("invalid", "A slot is worth 1 to {most} points.", most=MOST_WORTH)
    return {"slots": slots, "worth": worth}
