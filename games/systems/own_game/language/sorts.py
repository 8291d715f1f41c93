"""The parts of the language that are no forms: words, names, texts and numbers, and what they mean.

Source: docs/OWN-GAMES.md, 1 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec.structs import replace

from games.rules.dice import DICE, dice_in
from games.rules.state import MOST_SEATS
from games.tracks.sets.definition import Fault as SetFault
from games.tracks.sets.definition import Set, understood, written_out
from games.tracks.sets.plain import PLAIN as PLAIN_SET

from . import meaning as m
from .grammar import Grammar, Json, Reads, Scope, Sort, deeper
from .meaning import GM, PLAYER, TABLE
from .numbers import LOOKS, Named, OwnMost
from .reading import PATTERN, SIX_DIGITS, Fault, Reader, flag, inside, listed, text, whole, word
from .reading import WORD as WORDED

ANY = "any"
SESSION = "session"
MOST_TEAMS = 6
MOST_ROLES = 20
OF_HOLDERS = (PLAYER, TABLE, ANY, GM, "filled")
"""Words that are no type and no kind where there is a GM."""
ROUND = "round"
CEASED = "ceased"


# JSON Schema


def of(sort: str) -> Mapping[str, Any]:
    return {"$ref": f"#/$defs/{sort}"}


def either(sort: str, *words: str) -> Mapping[str, Any]:
    return {"anyOf": [of(sort), {"enum": [*words]}]}


def integers(least: int, most: int) -> Mapping[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def characters(most: int) -> Mapping[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": most}


def list_of(item: Mapping[str, Any], most: int) -> Mapping[str, Any]:
    """Different ones."""
    return {"type": "array", "items": item, "minItems": 1, "maxItems": most, "uniqueItems": True}


def one_or_several(one: str, *words: str) -> Mapping[str, Any]:
    named: list[Any] = [{"enum": [*words]}] if words else []
    return {"anyOf": [*named, of(one), list_of(of(one), 100)]}


def rowed(*row: str) -> Mapping[str, Any]:
    """One of each, in that order."""
    items = [of(sort) for sort in row]
    return {"type": "array", "prefixItems": items, "items": False, "minItems": len(row)}


def mapped(sort: str, most: int = 10) -> Mapping[str, Any]:
    return {
        "type": "object",
        "propertyNames": WORD,
        "additionalProperties": of(sort),
        "maxProperties": most,
    }


WORD = of("word")


# What stands at a place by itself


def plain(read: Callable[[Any, str], Any]) -> Reads:
    """Reads what no scope matters for."""
    return lambda grammar, value, place, scope: read(value, place)


def one_of(*words: str) -> Sort:
    """One of these words, wherever it stands."""
    return chosen(lambda scope: words, {"enum": [*words]})


def chosen(words: Callable[[Scope], tuple[str, ...]], schema: Mapping[str, Any]) -> Sort:
    """One of the words of that scope."""

    def read(grammar: Grammar, value: Json, place: str, scope: Scope) -> str:
        if type(value) is str and value in words(scope):
            return value
        raise Fault(place)

    return Sort(read, schema)


def known(names: Callable[[Scope], Any], of: str) -> Sort:
    """A name that the definition has given."""

    def read(grammar: Grammar, value: Json, place: str, scope: Scope) -> str:
        if word(value, place) not in names(scope):
            raise Fault(place)
        return str(value)

    return Sort(read, WORD, names=of)


def new(
    reserved: Callable[[Scope], Collection[str]],
    name: Reader[str] = word,
    schema: Mapping[str, Any] = WORD,
) -> Sort:
    """A word, or another *name*, that nothing else in its list is called."""

    def read(grammar: Grammar, value: Json, place: str, scope: Scope) -> str:
        if name(value, place) in reserved(scope) or value in scope.taken:
            raise Fault(place)
        return str(value)

    return Sort(read, schema)


def texts(most: int) -> Sort:
    return Sort(plain(text(most)), characters(most))


def numbers(least: int, most: int) -> Sort:
    return Sort(plain(whole(least, most)), integers(least, most))


def several(one: str, most: int = 100) -> Reads:
    """One of that sort, or a list of different ones."""

    def read(grammar: Grammar, value: Json, place: str, scope: Scope) -> tuple[str, ...]:
        def each(item: Json, here: str) -> str:
            return str(grammar.read(one, item, here, scope))

        if type(value) is list:
            return listed(value, place, each, 1, most, different=True)
        return (each(value, place),)

    return read


def named_once(names: str, one: str, read: Reads, *words: str) -> Sort:
    """One name or a list of different ones, or one of *words*."""
    return Sort(read, one_or_several(one, *words), names=names, items=(one,))


def types(grammar: Grammar, value: Json, place: str, scope: Scope) -> frozenset[str]:
    all_types = (*scope.types, *scope.tracks)
    return frozenset(all_types if value == ANY else several("type")(grammar, value, place, scope))


def of_tracks(grammar: Grammar, value: Json, place: str, scope: Scope) -> frozenset[str]:
    found = scope.tracks if value == ANY else several("track")(grammar, value, place, scope)
    return frozenset(found)


def holders(grammar: Grammar, value: Json, place: str, scope: Scope) -> frozenset[str]:
    """A button may be the GM's own."""
    gms_own = (GM,) if scope.led and "presser" in scope.words else ()
    if value == PLAYER:
        return frozenset({PLAYER, *scope.roles})
    if value in (TABLE, *gms_own):
        return frozenset({value})
    if value == ANY:
        return types(grammar, value, place, scope)
    return frozenset(several("holder")(grammar, value, place, scope))


def of_a_set(grammar: Grammar, value: Json, place: str, scope: Scope) -> Set:
    """What a GM's table counts: a set without a title, whose words are none of the definition's."""
    if type(value) is not dict or not value.keys() <= OF_A_SET:
        raise Fault(place)
    try:
        written_out(value)
        found = understood({"types": PLAIN_SET["types"], **value, "title": "-"})
    except SetFault as fault:
        raise Fault(inside(place, fault.place) if fault.place else place) from None
    taken = {*scope.types, *scope.numbers, *OF_HOLDERS}
    for index, kind in enumerate(found.types):
        if kind.type in taken:
            raise Fault(f"{place}.types[{index}].type")
    return found


OF_A_SET = {"types", "kit", "shared", "outcomes", "scales", "conditions", "turns"}


def tracks_written(value: Json) -> list[str]:
    """The types of tracks that are written in a set, whole or not."""
    types = value.get("types", PLAIN_SET["types"]) if type(value) is dict else ()
    listed_types = types if type(types) is list else ()
    named = [kind.get("type") for kind in listed_types if type(kind) is dict]
    return [name for name in named if type(name) is str and WORDED(name)]


def outcome(grammar: Grammar, value: Json, place: str, scope: Scope) -> tuple[str, ...]:
    if type(value) is str and value in (ANY, *scope.set.by_outcome):
        return (value,)
    raise Fault(place)


def beginning(grammar: Grammar, value: Json, place: str, scope: Scope) -> tuple[str, ...]:
    return (value,) if value in ("turn", ROUND) else several("phase")(grammar, value, place, scope)


def blanks(scope: Scope) -> list[str]:
    return [kind for kind, number in scope.numbers.items() if number.blank]


def counted(scope: Scope) -> list[str]:
    return [kind for kind, number in scope.numbers.items() if not number.follows]


OWNERS = ("holder", "opponents", "all")


def endings(scope: Scope) -> tuple[str, ...]:
    if not scope.led:
        return ("turn", ROUND)
    return ("turn", SESSION) if scope.set.turns else (SESSION,)


def spans(scope: Scope) -> tuple[str, ...]:
    if scope.led:
        return (SESSION, "game")
    return ("turn", ROUND, "game") if scope.turns else ("game",)


def seats(grammar: Grammar, value: Json, place: str, scope: Scope) -> int:
    """So many players; a GM is a seat besides."""
    return whole(1, MOST_SEATS - scope.led)(value, place)


def who(grammar: Grammar, value: Json, place: str, scope: Scope) -> m.Who:
    known = (value != GM or scope.led) and (value not in m.OF_TEAMS or scope.teams)
    if type(value) is str and value in m.ATOMS and known:
        if value not in ("presser", "target", "answerer") or value in scope.words:
            return m.ATOMS[value]
    raise Fault(place)


def amount(grammar: Grammar, value: Json, place: str, scope: Scope) -> m.Amount:
    if type(value) is int:
        return m.constant(whole(-SIX_DIGITS, SIX_DIGITS)(value, place))
    if type(value) is str and value in m.WORDS and (value == ROUND or value in scope.words):
        return m.WORDS[value]
    raise Fault(place)


def comparison(grammar: Grammar, value: Json, place: str, scope: Scope) -> m.Condition:
    if type(value) is not list or len(value) != 3:
        raise Fault(place)
    inner = replace(deeper(scope, place), compared=None)
    first, sign, second = (
        grammar.read(sort, part, f"{place}[{index}]", inner)
        for index, (sort, part) in enumerate(zip(COMPARISON, value, strict=True))
    )
    if scope.compared is not None:
        scope.compared.extend((first, second))
    return m.comparison(first, sign, second)


COMPARISON = ("amount", "sign", "amount")


def dice(value: Any, place: str) -> str:
    """Dice such as "2d6"."""
    try:
        dice_in(value if type(value) is str else "")
    except ValueError:
        raise Fault(place) from None
    return str(value)


def words_to(sort: str, most: int = 10) -> Reads:
    """A map from at most so many words to that sort."""

    def read(grammar: Grammar, value: Json, place: str, scope: Scope) -> dict[str, Any]:
        if type(value) is not dict or len(value) > most:
            raise Fault(place)
        for key in value:
            word(key, place)
        return {
            key: grammar.read(sort, item, f"{place}.{key}", scope) for key, item in value.items()
        }

    return read


def named(sort: str) -> Reads:
    """A word of that sort alone, without a label."""
    return lambda grammar, value, place, scope: Named(grammar.read(sort, value, place, scope))


def phases(grammar: Grammar, value: Json, place: str, scope: Scope) -> tuple[Named, ...]:
    taken: dict[str, Any] = {"turn": None} if type(value) is list and len(value) > 1 else {}
    inner = replace(scope, taken=taken)

    def phase(item: Json, here: str) -> Named:
        found: Named = grammar.read("phase-in-order", item, here, inner)
        taken[found.word] = found
        return found

    return listed(value, place, phase, 1, 12)


def steps(grammar: Grammar, value: Json, place: str, scope: Scope) -> tuple[int, ...]:
    found = [0]

    def step(item: Json, here: str) -> int:
        found.append(whole(found[-1] + 1, SIX_DIGITS)(item, here))
        return found[-1]

    return listed(value, place, step, 1, 6)


def earlier(grammar: Grammar, value: Json, place: str, scope: Scope) -> str:
    number = scope.taken.get(word(value, place))
    if number is None or number.follows or isinstance(number.most, OwnMost):
        raise Fault(place)
    return str(value)


PLAIN: Mapping[str, Sort] = {
    # Names
    "word": Sort(plain(word), {"type": "string", "pattern": PATTERN}),
    "kind": known(lambda scope: (*scope.kinds, *scope.tracks), "numbers"),
    "own-kind": known(lambda scope: scope.kinds, "numbers"),
    "changing": known(lambda scope: (*counted(scope), *scope.tracks), "numbers"),
    "earlier-kind": Sort(earlier, WORD, names="numbers"),
    "blank-kind": known(blanks, "numbers"),
    "printed": known(lambda scope: scope.printed, "prints"),
    "type": known(lambda scope: (*scope.types, *scope.tracks), "things"),
    "track": known(lambda scope: scope.tracks, "things"),
    "holder": known(lambda scope: (*scope.roles, *scope.types, *scope.tracks), "things"),
    "role": known(lambda scope: scope.roles, "things"),
    "owner": known(
        lambda scope: (PLAYER, TABLE, *scope.roles, *scope.types, *scope.tracks), "things"
    ),
    "zone": known(lambda scope: scope.zones, "zones"),
    "phase": known(lambda scope: scope.phases, "phases"),
    "new-kind": new(lambda scope: (*OF_HOLDERS, *scope.types) if scope.led else ()),
    "new-type": new(lambda scope: OF_HOLDERS if scope.led else (PLAYER, TABLE, ANY)),
    "new-role": new(lambda scope: (PLAYER, TABLE, ANY, *scope.types)),
    "new-zone": new(lambda scope: (CEASED,)),
    "new-phase": new(lambda scope: (ROUND,)),
    "rule-name": new(lambda scope: (), text(40), characters(40)),
    # One name or several
    "types": named_once("things", "type", types, ANY),
    "roles": named_once("things", "role", several("role")),
    "holders": named_once("things", "holder", holders, PLAYER, TABLE, ANY),
    "track-types": named_once("things", "type", of_tracks, ANY),
    "owned-by": named_once("things", "owner", several("owner")),
    "ranked": named_once("numbers", "kind", several("kind", 4)),
    "blanks": named_once("numbers", "blank-kind", several("blank-kind", 40)),
    "phases": named_once("phases", "phase", several("phase")),
    "beginning": named_once("phases", "phase", beginning, "turn", ROUND),
    "phases-in-order": Sort(phases, list_of(of("phase-in-order"), 12), items=("phase-in-order",)),
    # Words
    "sign": one_of(*m.COMPARED),
    "owners": chosen(
        lambda scope: (*OWNERS, "nobody") if scope.led else OWNERS, {"enum": [*OWNERS, "nobody"]}
    ),
    "rounding": one_of("down", "up"),
    "ending": chosen(endings, {"enum": ["turn", ROUND, SESSION]}),
    "outcome": Sort(outcome, {"type": "string"}),
    "seen": one_of("open", "known", "hidden"),
    "best": one_of("highest", "lowest"),
    "way": one_of("up", "down", "any"),
    "look": one_of(*LOOKS),
    "order": chosen(
        lambda scope: ("none",) if scope.led else ("one", "all", "none", "free"),
        {"enum": ["one", "all", "none", "free"]},
    ),
    "span": chosen(spans, {"enum": ["turn", ROUND, SESSION, "game"]}),
    "presses": chosen(
        lambda scope: ("anyone",) if scope.nobody else ("holder", "anyone"),
        {"enum": ["holder", "anyone"]},
    ),
    # Texts, flags and whole numbers
    "text": texts(200),
    "label": texts(20),
    "name": texts(40),
    "alias": texts(40),
    "title": texts(60),
    "sentence": texts(500),
    "letter": texts(2),
    "dice": Sort(plain(dice), {**DICE.schema, "maxLength": 6}),
    "flag": Sort(plain(flag), {"type": "boolean"}),
    "six-digits": numbers(-SIX_DIGITS, SIX_DIGITS),
    "least": numbers(-SIX_DIGITS, 0),
    "hue": numbers(1, 12),
    "teams": numbers(2, MOST_TEAMS),
    "seats": Sort(seats, integers(1, MOST_SEATS)),
    "counter-name": texts(80),
    "step": numbers(1, SIX_DIGITS),
    "steps": Sort(steps, list_of(of("step"), 6), items=("step",)),
    "amounts-by-word": Sort(words_to("amount"), mapped("amount"), items=("amount",)),
    "numbers-by-word": Sort(words_to("six-digits"), mapped("six-digits"), items=("six-digits",)),
    "starts-by-role": Sort(
        words_to("six-digits", MOST_ROLES), mapped("six-digits", MOST_ROLES), items=("six-digits",)
    ),
}
