"""The form for a new card: its sort first, what that sort asks, and cards to take as patterns."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import accumulate, count
from typing import Any

from django.utils.http import urlencode
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import MOST, GameObject, GameState, to_facts
from games.rules.system import System
from games.screens import generated, view_models
from games.screens.generated import Field, choices, declared, flags_of, object_kinds
from games.screens.words import words_of
from games.systems import presentation_of
from games.systems.sheets import NewCard


class Sort(Struct, frozen=True):
    """A sort of card to add (`NewCard`). called: what it is called without a name."""

    id: str
    word: str
    called: str
    stats: Mapping[str, int | None]
    quick: Mapping[str, tuple[int, ...]]


class Offer(Struct, frozen=True):
    """A card to take as a pattern.

    source: where it comes from, as the form says it. form: what it fills in there, encoded as a
    browser does. note: what stands beside its name.
    """

    name: str
    source: str
    form: str
    note: str = ""


def of_seat(system: System, state: GameState, seat: str, first: str = "") -> dict[str, Any]:
    """Choices for a new card of *seat*, and the cards of this table as patterns.

    first: the id of the sort that stands first and is chosen; otherwise that is the usual one.
    """
    presentation, made = presentation_of(system), declared(system, "create")
    types, base = types_of(system), choices(system, "create", "base")
    numbers = list(generated.numbers(system, "create"))
    sorts = sorted(_sorts(system, state, seat), key=lambda sort: sort.id != first)
    if not base:  # any word may be printed: those that the sorts name
        labels = {each.label for each in numbers}
        base = tuple(dict.fromkeys(s for sort in sorts for s in sort.stats if s not in labels))
    asked = {stat for sort in sorts for stat in sort.stats}
    proposed = sorts[0].stats if sorts else {}
    stride = presentation.sheets.stride
    printed = [
        Field(f"base.{each}:number", each, "number", least=0, most=MOST, stride=stride(each))
        for each in base
    ]
    stats = [
        replace(each, value=proposed.get(each.label, each.value)) for each in (*printed, *numbers)
    ]
    flags = flags_of(system, "create")
    return {
        "for_seat": seat,
        "by_type": bool(types),
        "sort_by": "types:list" if types else "type" if "type" in made else "zone",
        "sorts": sorts,
        "first_sorts": sorts[: fitting(sorts)],
        "more_sorts": sorts[fitting(sorts) :],
        "types": types,
        "stats": [each for each in stats if each.label in asked],
        "numbers": [each for each in stats if each.label not in asked],
        "facts": [
            (key, _called(state, seat, presentation.sheets.new_cards.get(key)))
            for key in sorted(flags, key=lambda flag: flag not in ALWAYS_SHOWN)
        ],
        "always_shown": ALWAYS_SHOWN,
        "enters_with": object_kinds(system) if "counters" in made else [],
        "numbered": not presentation.board.stacked(_blank(system, seat)),
        "knows": presentation.sheets.known_cards is not None,
        "deck_headings": presentation.sheets.deck_headings,
        "letters": LETTERS,
        "offers": [*_here(system, state, sorts), *_tokens(system)],
    }


def _blank(system: System, seat: str) -> GameObject:
    """A card of *seat* in play of which nothing is known."""
    return system.components.object("blank", "blank", next(iter(system.zones), ""), seat, seat)


ALWAYS_SHOWN = frozenset({"token"})
"""Fields that the form asks of every card, not only when it is unfolded."""
FIRST_SORTS, LETTERS = 3, 20
"""Sorts of cards that are offered at once, and the letters that they may have together."""


def fitting(sorts: Sequence[Sort]) -> int:
    """The number of *sorts* that fit in one row beside "More"."""
    lengths = accumulate(len(sort.word) for sort in sorts[:FIRST_SORTS])
    return sum(length <= LETTERS for length in lengths)


def types_of(system: System, own: Collection[str] = ()) -> tuple[str, ...]:
    """The types to offer in this edition, and those a card has anyway; empty if it knows none."""
    new_cards = presentation_of(system).sheets.new_cards
    brought = {type_: card.rule for type_, card in new_cards.items() if card.rule}
    return tuple(
        each
        for each in choices(system, "create", "types")
        if each in own or each not in brought or brought[each] in system.rulebook.rules
    )


def _sorts(system: System, state: GameState, seat: str) -> Iterator[Sort]:
    """The sorts of cards to add: those the system names, then its other types or zones."""
    new_cards = presentation_of(system).sheets.new_cards
    types = types_of(system)
    zones = view_models.field_zones(system)
    stats = [*choices(system, "create", "base")]
    stats += [each.label for each in generated.numbers(system, "create") if not types]
    unasked = NewCard(stats=dict.fromkeys(stats))
    rest = types if not new_cards else ()
    flags = flags_of(system, "create")
    named = [each for each in new_cards if each in types or (not types and each not in flags)]
    own = [getattr(obj, "types", ()) for obj in state.objects.values() if obj.owner == seat]
    missing = presentation_of(system).board.heroes.difference(*own)
    named.sort(key=lambda each: each not in missing)
    for each in named or rest or (zones if len(zones) > 1 else ("",)):
        card = new_cards.get(each, unasked)
        word = (
            gettext(card.word)
            if card.word
            else words_of(system).word(each)
            if each
            else gettext("card")
        )
        word = word[:1].upper() + word[1:]
        yield Sort(each, word, free_name(state, seat, word), card.stats, card.quick)


def _called(state: GameState, seat: str, card: NewCard | None) -> str:
    return free_name(state, seat, gettext(card.word)) if card else ""


def free_name(state: GameState, seat: str, word: str) -> str:
    """*word* and the first number that no card of *seat* has: "Ally 3"."""
    taken = {obj.name for obj in state.objects.values() if seat in (obj.owner, obj.controller)}
    return next(name for n in count(1) if (name := f"{word} {n}") not in taken)


SEEN = 60
"""Cards of a table that are offered as patterns, the newest first."""
NUMBERED = re.compile(r".* [0-9]+").fullmatch


def _seen(state: GameState, unnamed: Container[str]) -> list[GameObject]:
    """The cards of this table with names of their own, each name once, the newest first.

    unnamed: what a card is called that nobody has named ("Commander").
    """
    seen: dict[str, GameObject] = {}
    for obj in reversed([*state.objects.values()]):
        if not (obj.unseen or NUMBERED(obj.name) or obj.name in unnamed):
            seen.setdefault(obj.name, obj)
    return list(seen.values())[:SEEN]


def _here(system: System, state: GameState, sorts: Sequence[Sort]) -> Iterator[Offer]:
    for obj in _seen(state, presentation_of(system).new_game.unnamed):
        made = {"name": obj.name, **printed(system, obj), "token": obj.token}
        yield Offer(obj.name, gettext("seen here"), as_form(made), _stats(sorts, made))


def _tokens(system: System) -> Iterator[Offer]:
    for sort, card in presentation_of(system).sheets.new_cards.items():
        for name in card.tokens:
            made = as_form({"name": name, "types": [sort], "token": True})
            yield Offer(name, gettext("token"), made)


def known(system: System, state: GameState, typed: str) -> Iterator[Offer]:
    """The known cards whose name is like what was *typed*; none for a single letter."""
    found, sorts = presentation_of(system).sheets.known_cards, list(_sorts(system, state, ""))
    for card in found(typed) if found and len(typed) > 1 else ():
        if card.zone and card.zone not in system.zones:
            continue
        listed = {"name": card.name, "zone": card.zone, **card.listing, **card.printed}
        note = listed.pop("note") or _stats(sorts, listed)
        yield Offer(card.name, gettext("known"), as_form(listed), note)


def made_tokens(system: System, state: GameState) -> Iterator[dict[str, Any]]:
    """The tokens that known cards make, each with the form that creates it and its `makers`."""
    sorts = list(_sorts(system, state, ""))
    for token in presentation_of(system).sheets.known_tokens:
        made = {key: value for key, value in token.items() if key != "makers"}
        note, form = _stats(sorts, made), as_form({"do": "create", **made})
        yield {"name": made["name"], "makers": token["makers"], "note": note, "form": form}


def as_form(card: Mapping[str, Any]) -> str:
    """The parameters of a `create` as the fields of its form (`games.screens.forms`), encoded."""
    fields: list[tuple[str, Any]] = []
    for key, value in card.items():
        if key == "base":
            fields += [(f"base.{stat}:number", each) for stat, each in value.items()]
        elif key == "types":
            fields += [("types:list", each) for each in value]
        elif value is True:
            fields.append((f"{key}:flag", "on"))
        elif isinstance(value, (dict, list)):
            fields.append((f"{key}:json", json.dumps(value)))
        elif value:
            fields.append((f"{key}:number" if type(value) is int else key, value))
    return urlencode(fields)


def _stats(sorts: Sequence[Sort], card: Mapping[str, Any]) -> str:
    """What the sort of *card* asks of it, "3/4"; "" if not all of that is known."""
    named = {*card.get("types", ()), card.get("zone")}
    its = [sort for sort in sorts if sort.id in named] or sorts
    values = (
        [card.get("base", {}).get(stat, card.get(stat)) for stat in its[0].stats] if its else []
    )
    return "/".join(map(str, values)) if all(type(each) is int for each in values) else ""


ANYWHERE = frozenset({"as", "name", "zone", "owner", "controller", "token", "counters"})
"""Parameters of `create` that are not printed on the card."""


def printed(system: System, obj: GameObject) -> dict[str, Any]:
    """The printed values of *obj*, as parameters of its system's `create`."""
    readable = declared(system, "create").keys() - ANYWHERE
    facts = to_facts(obj, leave_out={*obj.__struct_fields__} - readable)
    return {key: _without_nothing(value) for key, value in facts.items() if value}


def _without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nothing(each) for key, each in value.items() if each is not None}
    return value
