"""A definition under way: what is written, what is open, and each change to it.

Everything is in the fields of one page, so nothing is kept on a server and nothing is lost with it.
What comes back from the page may be any JSON: it is looked at like any stranger's definition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules.input import whole_number
from games.rules.state import MOST_SEATS, Phrase
from games.rules.state import marked as _
from games.tracks.sets.plain import PLAIN

from ..language.definition import LARGEST
from ..language.forms import GRAMMAR
from ..language.grammar import Json, Place
from ..language.meaning import PLAYER, TABLE
from ..language.numbers import Number
from ..language.reading import SIX_DIGITS, WORD
from ..language.saying import Saying, joined
from ..language.sorts import CEASED, MOST_ROLES, OF_HOLDERS, ROUND
from ..led import one_line
from ..led.sentences import SAYS
from . import typed, winning
from .choices import elsewhere
from .line_parts import Typed
from .names import RESERVED, is_among, names_in, plain, shown, worded, wrong_name
from .places import cut, gaps, items, names, put, read_place, renamed, swapped, there, used_by
from .playable import LISTS, fault, without_rules_of
from .rounds import at_the_end_of_rounds, newest
from .tidying import tidied

AT_RANDOM: Mapping[str, Any] = {"do": "random"}
MOST_TAPS = 60
"""Commands of a trial that are kept; the first of more are left out."""
LABEL = ("when", "pressed")
"""The place of a button's label in its rule. It is asked last: what the rule does may name it."""
NAMED = {"numbers": "kind", "things": "type"}
"""The key of the name of each, by its list."""
OPEN = ("page", "more", "number", "thing", "rule", "recipes", "part")
OF_A_SET = GRAMMAR.keys("set")


class Draft(Struct, frozen=True):
    """The content of the page.

    written: the definition, perhaps with gaps. open: the part that is seen. at: the place that is
    asked there. taps: the commands of the trial, by so many players. back: a number that becomes
    text again.
    """

    written: Mapping[str, Any]
    open: str = "page"
    at: Place = ()
    taps: tuple[Mapping[str, Any], ...] = ()
    players: int = 2
    back: str = ""

    @property
    def part(self) -> Place:
        """The place of the part of a set that is open; () if none is."""
        here = self.at[:3]
        listed = len(here) == 3 and here[0] == "gm" and here[1] in SAYS
        return here if listed and isinstance(there(self.written, here), dict) else ()

    @property
    def index(self) -> int:
        """Of the number or rule that is open."""
        step = self.at[1] if len(self.at) > 1 else 0
        return step if isinstance(step, int) else 0


def from_fields(chosen: Mapping[str, str]) -> Draft:
    """The draft in the fields of the page, with the change that was asked for."""
    written = posted(chosen, "definition")
    opened = chosen.get("open", "")
    taps = posted(chosen, "taps")
    draft = Draft(
        written if isinstance(written, dict) else {},
        opened if opened in OPEN else "page",
        read_place(posted(chosen, "at")),
        tuple(each for each in taps if isinstance(each, dict)) if isinstance(taps, list) else (),
        whole_number(chosen.get("players", ""), 1, MOST_SEATS) or 2,
    )
    if isinstance(tap := posted(chosen, "tap"), dict):
        return replace(draft, taps=(*draft.taps, tap)[-MOST_TAPS:])
    change = posted(chosen, "change")
    before = draft
    if isinstance(change, dict):
        field = change.get("field")
        text = chosen.get(field if isinstance(field, str) else "said", "")
        text = " ".join(text.split()) if field != "numbers" else ""
        draft = changed(draft, change, text)
        draft = replace(draft, written=tidied(draft.written, before.written))
        if draft.open != "rule":
            draft = replace(draft, written=at_the_end_of_rounds(draft.written))
    return before if fault(draft.written) and not fault(before.written) else draft


def posted(chosen: Mapping[str, str], field: str) -> Json:
    """The JSON in a field; None if there is none."""
    text = chosen.get(field, "")
    if not text or len(text) > 4 * LARGEST:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# Changes


def changed(draft: Draft, change: Mapping[str, Any], text: str) -> Draft:
    """*draft* after *change*; what it does not understand changes nothing."""
    written = draft.written
    if read_place(change.get("put")):
        place, value = read_place(change["put"]), change.get("is")
        if place[2:] == LABEL and isinstance(value, str):
            value = value[:1].upper() + value[1:]
        written = put(written, place, value)
        if place[2:3] == ("when",):
            written = _retargeted(written, place[:2])
        if place[2:] == LABEL:
            written = _named_by_label(written, place[:2], there(draft.written, place))
        if place[2:] == ("if",):
            written = _once_for_all(written, place[:2])
        draft = replace(draft, written=_named_by_goal(written, place[:2], draft.written))
        draft = _next_gap(draft)
    elif "type" in change:
        draft = _typed(draft, read_place(change["type"]), change, text)
    elif "cut" in change and read_place(change["cut"]):
        draft = replace(draft, written=cut(written, read_place(change["cut"])))
        draft = replace(draft, at=draft.at[:2])
    elif "move" in change and read_place(change["move"]):
        by = change.get("by")
        place = read_place(change["move"])
        draft = replace(draft, written=swapped(written, place, 1 if by == 1 else -1))
        draft = replace(draft, at=(place[0], max(0, draft.index + (1 if by == 1 else -1))))
    elif read_place(change.get("append"))[:1] == ("gm",):
        draft = _with_part(draft, read_place(change["append"]), change.get("is"))
    elif isinstance(change.get("append"), str) and change["append"] in LISTS:
        ask = read_place(change.get("ask"))
        draft = _appended(draft, change["append"], change.get("is"), ask, change.get("with"))
    elif "words" in change:
        draft = _with_words(draft, read_place(change["words"]), text)
    elif "print" in change:
        place = read_place(change["print"])
        if WORD(plain(text)) and place:
            draft = replace(draft, written=put(written, (*place, plain(text)), 0))
    elif "rename" in change:
        draft = _renamed(draft, read_place(change["rename"]), text)
    elif "remove" in change:
        draft = _removed(draft, read_place(change["remove"]), all_of_it=change.get("rules") is True)
    elif "back" in change:
        draft = _back(draft)
    elif change.get("players") == "+":
        draft = replace(draft, players=draft.players + 1)
    elif change.get("random") == 1:
        draft = replace(draft, taps=(*draft.taps, AT_RANDOM))
    elif "untap" in change:
        draft = replace(draft, taps=draft.taps[:-1] if change["untap"] == 1 else ())
    if change.get("go") in OPEN:
        at = read_place(change["at"]) if "at" in change else ()
        draft = replace(draft, open=change["go"], at=at)
    return draft


def _once_for_all(written: Json, rule: Place) -> Json:
    """The rule at *rule*, which is just begun, once for the table if it asks for its number alone.

    As a rule of each player it would be done again for each of them.
    """
    when, asks = there(written, (*rule, "when")), there(written, (*rule, "if"))
    begun = there(written, (*rule, "do")) in ([None], None)
    if not begun or when != {"always": PLAYER} or not isinstance(asks, list):
        return written
    if there(asks[0], ("on",)) != TABLE:
        return written
    plain = {key: value for key, value in asks[0].items() if key != "on"}
    written = put(written, (*rule, "when"), {"always": TABLE})
    return put(written, (*rule, "if"), [plain, *asks[1:]])


def _retargeted(written: Json, rule: Place) -> Json:
    """The rule at *rule* whose actions mean the same numbers after its subject became another.

    Only what the page said by itself is said anew: whose a number is that the subject lacks.
    """
    if fault(written):
        return written
    without_rules, when = without_rules_of(written), there(written, (*rule, "when"))
    saying = Saying(without_rules, {"when": when if isinstance(when, dict) else {}})
    actions = there(written, (*rule, "do"))
    for index, action in enumerate(actions if isinstance(actions, list) else ()):
        kind = there(action, ("of",))
        number = without_rules.numbers.get(kind) if isinstance(kind, str) else None
        own = isinstance(action, dict) and ("add" in action or "set" in action)
        if number is None or not own or action.get("on") not in _said_alone(number):
            continue
        said = {key: value for key, value in action.items() if key != "on"}
        anew = {**said, **elsewhere(without_rules, saying, number)}
        written = put(written, (*rule, "do", index), anew)
    return written


def _said_alone(number: Number) -> list[Any]:
    """The owner of a number, as far as the page implies it."""
    return [None, TABLE, "players", *({"things": each, "of": "holder"} for each in number.on)]


def _next_gap(draft: Draft) -> Draft:
    """Ask for what is still missing in the rule, or the number, that is open."""
    if draft.open == "number":
        number: Place = ("numbers", draft.index)
        return replace(draft, at=next(gaps(there(draft.written, number), number), number))
    if draft.open != "rule":
        return replace(draft, at=draft.part or draft.at)
    here: Place = ("rules", draft.index)
    rule = there(draft.written, here)
    if not isinstance(rule, dict):
        return draft
    if isinstance(rule.get("when"), dict) and "always" in rule["when"]:
        rule = {"if": None, **rule}
    rule = {"do": [None], **rule}
    ordered = {key: rule[key] for key in ("rule", "says", "when", "if", "do") if key in rule}
    written = put(draft.written, here, ordered)
    missing = sorted(gaps(ordered, here), key=lambda each: each[2:] == LABEL)
    return replace(draft, written=written, at=next(iter(missing), here))


def _typed(draft: Draft, place: Place, change: Mapping[str, Any], text: str) -> Draft:
    value: Json = text
    if place[:1] == ("gm",) and place[-1:] == ("name",):
        draft = replace(draft, written=_with_name(draft.written, place, text))
    if change.get("number"):
        digits = text.replace("−", "-").replace(" ", "")
        if not digits.lstrip("-").isdigit() or len(digits) > 7:
            return draft
        value = max(-SIX_DIGITS, min(int(digits), SIX_DIGITS))
        value = -value if change.get("negated") else value
        if place[0] == "numbers" and place[2:] == ("least",):
            value = -abs(value)  # no least is above 0, and the digits of a phone have no minus
    if text == "":
        return draft
    written = put(draft.written, place, value)
    if place[2:] == LABEL:
        written = _named_by_label(written, place[:2], there(draft.written, place))
    written = _named_by_goal(written, place[:2], draft.written)
    return _next_gap(replace(draft, written=written))


NUMBERED = re.compile(r"\w+ \d+").fullmatch


def _named_by_label(written: Json, rule: Place, before: Json) -> Json:
    """Give a rule the name of its new label, unless it was given another by hand."""
    name, label = there(written, (*rule, "rule")), there(written, (*rule, "when", "pressed"))
    if name != before and not NUMBERED(str(name)):
        return written
    return _named(written, rule, label)


def _named_by_goal(written: Json, rule: Place, before: Json) -> Json:
    """Let the number in a rule’s name, "12 points", follow the one that is to be reached."""
    name = str(there(written, (*rule, "rule")))
    match there(before, (*rule, "if")), there(written, (*rule, "if")):
        case [[_, _, int(was)], [_, _, int(now)]] if name.startswith(f"{was} ") and was != now:
            return _named(written, rule, f"{now}{name.removeprefix(str(was))}")
    return written


def _named(written: Json, rule: Place, name: str) -> Json:
    others = [each for n, each in enumerate(items(written, "rules")) if n != rule[1]]
    return put(written, rule, _named_apart({**there(written, rule), "rule": name}, others, "rule"))


def _appended(draft: Draft, name: str, item: Json, ask: Place, thing: Json) -> Draft:
    """Add an item to a list and open it.

    ask: the place in it that is asked first. thing: the type of a number that is on it.
    """
    present = items(draft.written, name)
    if len(present) >= LISTS[name]:
        return draft
    item = _named_apart(item, present, NAMED.get(name, "rule"))
    written = {**draft.written, name: [*present, item]}
    if name == "rules" and (anew := at_the_end_of_rounds(written)) != written:
        asks = "ask" in there(item, ("do", 0))
        at = ("rules", len(items(anew, "rules")) - 1, *ask) if asks else newest(anew)
        return replace(draft, written=anew, open="rule", at=at)
    if name == "numbers" and isinstance(thing, dict):
        things = items(written, "things")
        if thing.get("type") not in [there(each, ("type",)) for each in things]:
            written["things"] = [*things, thing]
    opened = {"rules": "rule", "numbers": "number", "things": "thing"}.get(name, draft.open)
    draft = _next_gap(replace(draft, written=written, open=opened, at=(name, len(present))))
    return replace(draft, at=(name, len(present), *ask)) if ask else draft


def _with_words(draft: Draft, place: Place, text: str) -> Draft:
    """Set a list of names, of phases or zones; without any, the usual ones."""
    key = WORDS.get(place, "")
    if not key:
        return draft
    now = there(draft.written, place)
    had = [each if isinstance(each, dict) else {key: each} for each in now or ()]
    known = {shown(each): each for each in had}
    made: dict[str, Json] = {}
    for name in names_in(text):
        taken = {*NO_NAMES[key], *made, *(str(each.get(key)) for each in had)}
        each = known.get(name) or worded(key, name, taken)
        made[each[key]] = each if "label" in each else each[key]
    if not made:
        return replace(draft, written=cut(draft.written, place))
    return replace(draft, written=put(draft.written, place, [*made.values()][: MOST_WORDS[key]]))


WORDS: Mapping[Place, str] = {
    ("zones",): "zone", ("roles",): "role", ("turns", "phases"): "phase",
}  # fmt: skip
MOST_WORDS: Mapping[str, int] = {"zone": 8, "phase": 12, "role": MOST_ROLES}
NO_NAMES: Mapping[str, tuple[str, ...]] = {
    "zone": (CEASED,), "phase": (ROUND, "turn"), "role": RESERVED,
}  # fmt: skip
"""The words that no zone, phase or role can have."""


def _named_apart(item: Json, others: list[Json], key: str) -> Json:
    """*item* with a name, under its *key*, that none of the *others* has."""
    taken = {str(there(each, (key,))) for each in others}
    name = there(item, (key,))
    if not isinstance(name, str) or name not in taken:
        return item
    stem = name.rstrip("0123456789 ")[:36]
    free = (f"{stem} {n}" for n in range(2, 100))
    return put(item, (key,), next(each for each in free if each not in taken))


def _renamed(draft: Draft, place: Place, text: str) -> Draft:
    """Give a number or a type another name, wherever it stands.

    What no word can be is its label, and the word stays.
    """
    sort, key = str(place[0]) if place else "", place[-1] if place else ""
    now = there(draft.written, place[:-1])
    if NAMED.get(sort) != key or not isinstance(now, dict):
        return draft
    all_of_them = [each for each in items(draft.written, sort) if isinstance(each, dict)]
    others = [each for each in all_of_them if each is not now]
    if wrong_name(text) or is_among(text, others):
        return draft
    taken = {
        *(RESERVED if sort == "things" else ()),
        *(str(each.get(key)) for each in others),
    }
    named = worded(str(key), text, taken)
    rest = {name: value for name, value in now.items() if name != "label"}
    if "label" in named:
        return replace(draft, written=put(draft.written, place[:-1], {**rest, "label": text}))
    written = put(draft.written, place[:-1], {**rest, **named})
    return replace(draft, written=renamed(written, sort, str(now.get(key)), named[str(key)]))


def _with_part(draft: Draft, place: Place, item: Json) -> Draft:
    """Add a part to a list of a set, and open it."""
    key = OF_A_SET.get(str(place[1])) if len(place) == 2 else None
    present = there(draft.written, place) or []
    if key is None or key.many is None or len(present) >= key.many[1]:
        return draft
    if place[1] == "types" and isinstance(item, dict):
        taken = {*OF_HOLDERS, *kinds_of(draft.written)}
        item = {**item, "type": one_line.key_of(str(item.get("name")), taken)}
    if place[1] == "kit":
        item = _named_apart(item, present, "name")
    written = put(draft.written, place, [*present, item])
    return replace(draft, written=written, open="part", at=(*place, len(present)))


def kinds_of(written: Json) -> set[str]:
    """The words of all that is counted."""
    named = (("kind", items(written, "numbers")), ("type", items(written, "things")))
    gm = there(written, ("gm",))
    every = (*named, ("type", items(gm, "types") or PLAIN["types"]))
    return {str(there(each, (key,))) for key, listed in every for each in listed}


def _with_name(written: Json, place: Place, name: str) -> Json:
    """What players have of a type, and is called as it is, is called so when that is renamed."""
    kind, (_gm, name_of, *_rest) = there(written, place[:-1]), place
    for key in ("kit", "shared") if name_of == "types" else ():
        for index, own in enumerate(items(there(written, ("gm",)), key)):
            same = all(there(own, (each,)) == there(kind, (each,)) for each in ("type", "name"))
            if same and name:
                written = put(written, ("gm", key, index, "name"), name)
    return written


def _without_part(written: Json, place: Place, users: list[int]) -> Json:
    """A set without a part; without a type, its tracks, what ticks them, and rules go, too."""
    kind = there(written, (*place, "type"))
    written = cut(written, place)
    if place[1] != "types":
        return written
    named = [at for at, name in names(written["gm"], "things", "set") if name == kind]
    for at in reversed(named):
        written = cut(written, ("gm", *at[: 4 if "ticks" in at else 2]))
    rules = [each for n, each in enumerate(items(written, "rules")) if n not in users]
    return {**written, "rules": rules}


def _removed(draft: Draft, place: Place, *, all_of_it: bool) -> Draft:
    """Take a rule, a number or a type away; with the rules that use it, if they are to go too."""
    if not place:
        return draft
    sort, written = str(place[0]), draft.written
    if sort == "gm" and len(place) == 3:
        using = rules_with(written, place)
        if using and not all_of_it:
            return draft
        written = _without_part(written, place, using)
    elif key := NAMED.get(sort):
        name = there(written, (*place, key))
        gone, users = goes_with(written, sort, str(name))
        if (gone or users) and not all_of_it:
            return draft
        rules = [each for n, each in enumerate(items(written, "rules")) if n not in users]
        numbers = [each for each in items(written, "numbers") if there(each, ("kind",)) not in gone]
        written = {**written, "rules": rules, "numbers": numbers}
        left = [each for each in items(written, sort) if there(each, (key,)) != name]
        written = {**written, sort: left}
    else:
        written = cut(written, place)
    back = "more" if sort in ("things", "zones", "gm") else "page"
    return replace(draft, written=written, open=back, at=())


def with_line(written: Mapping[str, Any], line: list[Typed]) -> Mapping[str, Any]:
    """The definition with the numbers of a typed line, their things, and the goals as rules; where
    there is a GM, with tracks."""
    if "gm" in written:
        written, line = _with_tracks(written, line)
    numbers, rules = items(written, "numbers"), items(written, "rules")
    things = {there(each, ("type",)): each for each in items(written, "things")}
    for each in line:
        if each.number is None:
            continue
        numbers = [*numbers, *map(dict, each.made)]
        if each.number.get("big"):
            numbers = [without(number, "big") for number in numbers]
        if each.thing:
            things.setdefault(each.thing["type"], dict(each.thing))
        numbers = [*numbers, dict(each.number)]
        if each.goal is not None:
            rules = [*rules, _named_apart(winning.wins(each), rules, "rule")]
        if each.until:
            turns = without(written.get("turns", {}), "starts")
            written = {**written, "turns": {**turns, "order": "all"}}
            for rule in winning.rounds(each, teams="teams" in written):
                rules = [*rules, _named_apart(rule, rules, "rule")]
    made = {"things": [*things.values()], "numbers": numbers, "rules": rules}
    whole: Mapping[str, Any] = {**written, **{key: each for key, each in made.items() if each}}
    for each in line:
        whole = winning.with_tie(whole, each) if each.ties else _with_best(whole, each)
    whole = winning.with_empty_cells(whole)
    for kind, name in {kind: name for each in line for kind, name in each.parted.items()}.items():
        at = [there(number, ("kind",)) for number in whole["numbers"]].index(kind)
        whole = _renamed(Draft(whole), ("numbers", at, "kind"), name).written
    return at_the_end_of_rounds(whole) if any(each.number for each in line) else whole


def _with_tracks(
    written: Mapping[str, Any], line: list[Typed]
) -> tuple[Mapping[str, Any], list[Typed]]:
    """The definition with the tracks of a typed line, and what of that are plain numbers."""
    rest = []
    for each in line:
        made = one_line.with_track(written, each.number) if each.number else None
        if each.number and made is None:
            rest.append(replace(each, number=without(each.number, "big")))
        written = made or written
    return one_line.begun(written) if rest else written, rest


def without(written: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in written.items() if key not in keys}


def _with_best(written: Mapping[str, Any], said: Typed) -> Mapping[str, Any]:
    """*written*, in which the most or the least of the big number wins, if that is *said*."""
    numbers, rules = items(written, "numbers"), items(written, "rules")
    big = next((each for each in numbers if there(each, ("big",))), None)
    if not said.best or big is None:
        return written
    of_rounds: Mapping[str, Any] | None = winning.with_best_of_rounds(written, said.best)
    if of_rounds:
        return of_rounds
    label = said.text[:1].upper() + said.text[1:]
    rule = winning.best_wins(said.best, str(there(big, ("kind",))), label)
    if rule["do"] in [there(each, ("do",)) for each in rules]:
        return written
    return {**written, "rules": [*rules, _named_apart(rule, rules, "rule")]}


def _back(draft: Draft) -> Draft:
    """Take the last number away, and the rule of its goal, and leave it as text to type on."""
    numbers, rules = items(draft.written, "numbers"), items(draft.written, "rules")
    if not numbers:
        last_track = one_line.without_last(draft.written) if "gm" in draft.written else None
        return replace(draft, written=last_track[0], back=last_track[1]) if last_track else draft
    last = numbers[-1]
    gone, users = goes_with(draft.written, "numbers", str(there(last, ("kind",))))
    goal = there(rules[users[0]], ("if", 2)) if len(users) == 1 else None
    wins = Typed("", last, goal) if type(goal) is int else None
    own = wins is not None and winning.wins(wins) == rules[users[0]]
    if gone or (users and not own):
        return draft
    text = typed.text_of(last, goal if own else None, draft.written)
    if text is None:
        return draft
    left = [each for n, each in enumerate(rules) if n not in users]
    written = {**draft.written, "numbers": numbers[:-1], "rules": left}
    return replace(draft, written=written, back=text)


def rules_with(written: Json, place: Place) -> list[int]:
    """The rules, by index, in which the type of tracks at *place* is named."""
    name = str(there(written, (*place, "type"))) if place[1] == "types" else ""
    found = (used_by(written, of, name) for of in ("numbers", "things"))
    return sorted({index for each in found for index in each})


def users(written: Json, sort: str, name: str) -> Any:
    """What depends on a number or a type, in words; None if nothing does."""
    numbers, rules = goes_with(written, sort, name)
    said = [Phrase("{what}", what=each) for each in numbers]
    said += [Phrase(_("Rule {n}"), n=index + 1) for index in rules]
    return joined(said) if said else None


def goes_with(written: Json, sort: str, name: str) -> tuple[list[str], list[int]]:
    """The parts that depend on a number or a type: other numbers, and rules by index."""
    gone, numbers = [name], items(written, "numbers")
    for number in numbers:
        kind = str(there(number, ("kind",)))
        if kind not in gone and {each for _place, each in names(number, sort, "number")} & {*gone}:
            gone.append(kind)
    users = {n for each in gone for n in used_by(written, "numbers", each)}
    if sort != "numbers":
        users = {n for each in gone[1:] for n in used_by(written, "numbers", each)}
        users |= {*used_by(written, sort, name)}
    return gone[1:], sorted(users)
