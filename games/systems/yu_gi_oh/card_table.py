"""The kinds of counters that Yu-Gi-Oh! cards use, and what known cards say of them.

An open kind may be on any face-up card. A bound kind may be only on a card whose own text places it
on itself, and is lost with the effects of that card. A counter without a name is a kind of its own,
named after its card or family. Open and bound agree with Konami FAQ 13177 and 23486 (10 December
2022). New cards come out every month: the list helps with typing and is never a whitelist.

`cards.json` holds facts read off the scripts of the EDOPro engine; its `source` names the version,
and `manage.py cards yu-gi-oh FILE` replaces it. The scripts don't say how a counter is printed, how
many a Spell brings, or when a number matters; where a card is played and whether it counts every
Spell is derived from them by rule of thumb. Corrections, looked up in the cards' own texts or in
the scripts, are in `corrections.json` and the tables here; they override the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct, field

from games.rules.commands import KIND
from games.systems.lookup import lines

from .zones import FIELD_ZONES, MONSTER, PENDULUM, SPELL_TRAP

Source = Mapping[str, Any]
"""`source`: where it is from. `kinds`: kind → `engine_id`, `open`, `hosts`, `placers`.
`cards`: name → `played_in`, `pendulum`, `equip`, `each_spell`.
"""
Table = dict[str, dict[str, Any]]


class Kind(Struct, frozen=True):
    """A kind of counter. engine_id: its number in EDOPro. title: what players call it."""

    name: str
    engine_id: int
    title: str
    open: bool


# Corrections

PRINTED = {
    "a": "A-Counter",
    "emperor's key": "Emperor's Key Counter",
    "hi-five the sky": "Hi-Five the Sky Counter",
    "otoshidamashi": "Otoshidamashi Counter",
    "vip": "VIP Counter",
    "you got it boss": "You Got It Boss! Counter",
}
"""Names of counters that do not follow from their kinds as "Spell Counter" does from "spell"."""
FAMILIES = frozenset({"b.e.s."})
"""Kinds without a printed name that a family of cards shares; others are named after one card."""

WHILE_HELD: Mapping[str, Mapping[str, int]] = {"predator": {"level": 1}}
"""By kind: the numbers of a monster while it holds one, as all cards that place it say (their
scripts, ProjectIgnis/CardScripts)."""
IN_BATTLE = {"alien": {"a": {"atk": -300, "def": -300}}}
"""By the family that a monster battles: what each counter does to its numbers there."""


class EachEnd(Struct, frozen=True):
    """A card puts a counter on each monster that it does not spare by a part of the name. by: what
    each of them adds to its numbers, for as long as that card applies; at 0 ATK it is destroyed."""

    counter: str
    by: Mapping[str, int]
    spares: str = ""


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """What a card's own text says, against the file or besides it.

    base: its printed ATK, DEF and Level, as far as it has them; read in DawnbrandBots/yaml-yugi, or
    in a script headed by what EDOPro's `cards.cdb` has of it. each_spell: the Spell Counters that
    it places on itself each time a Spell resolves; 0: none, although its script looks like it.
    in_pendulum: it counts Spells in the Pendulum Zone alone, but may hold counters as a monster,
    too. played_in: against the rule of thumb. held_in: the zone in which it may hold counters,
    where the file names none. threshold: the number at which its text does something by itself; 0:
    when the last one comes off. atk: what each counter adds to it, and per_field: each on a part of
    the field. against_aliens: whether A-Counters count as it battles an “Alien”. each_end: what it
    does at the end of each turn. All four were read in its script (ProjectIgnis/CardScripts). why:
    the reason, where one may doubt it.
    """

    name: str
    base: dict[str, int] = field(default_factory=dict)
    each_spell: int | None = None
    in_pendulum: bool = False
    played_in: str = ""
    held_in: str = ""
    threshold: int | None = None
    atk: int = 0
    per_field: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    against_aliens: bool = False
    each_end: EachEnd | None = None
    why: str = ""


CORRECTIONS = {each.name: each for each in lines(__package__, "corrections.json", Correction)}
NONE = Correction("")

# The table


def kinds_of(source: Source) -> dict[str, Kind]:
    """The kinds by name."""
    return {
        kind: Kind(kind, int(facts["engine_id"], 16), _title(kind, facts), facts["open"])
        for kind, facts in source["kinds"].items()
    }


def _title(kind: str, facts: Mapping[str, Any]) -> str:
    if kind in PRINTED:
        return PRINTED[kind]
    named_after = [name for name in _cards_of(facts) if kind in FAMILIES or name.lower() == kind]
    return f"counter of {named_after[0]}" if named_after else f"{kind.title()} Counter"


def _cards_of(facts: Mapping[str, Any]) -> list[str]:
    return [*facts["hosts"], *facts["placers"]]


def cards_of(source: Source) -> Table:
    """Name → `zone`, `base`, `permits`, `on_spell`, `thresholds`, `per_counter`, `per_field`,
    `in_battle` and `places`, as far as it has them.

    All but `zone` and `places` are the fields of the command `create`. A permit without zones is
    one for those where such a card usually is. places: kinds that it places on other cards.
    """
    cards: Table = {name: {} for name in sorted(source["cards"])}
    for kind, facts in source["kinds"].items():
        for name, host in facts["hosts"].items():
            cards[name].setdefault("permits", {})[kind] = _permit(name, host)
        for name in facts["placers"]:
            if name not in facts["hosts"]:
                cards[name].setdefault("places", []).append(kind)
    for name, card in cards.items():
        if gain := _on_spell(name, source["cards"][name]):
            card["on_spell"] = {"spell": gain}
        corrected = CORRECTIONS.get(name, NONE)
        if corrected.base:
            card["base"] = corrected.base
        if corrected.atk:
            kind = [*card.get("permits", ()), *card.get("places", ())][0]
            card["per_counter"] = {kind: {"atk": corrected.atk}}
        if corrected.threshold is not None:
            card["thresholds"] = {next(iter(card["permits"])): corrected.threshold}
        cards[name] = {"zone": _zone(corrected, source["cards"][name], card), **card}
    for name, corrected in CORRECTIONS.items():
        if corrected.against_aliens:
            cards[name] = {"zone": MONSTER, **cards.get(name, {}), "in_battle": IN_BATTLE}
        if corrected.per_field:
            its = {"per_field": corrected.per_field}
            cards[name] = {"zone": MONSTER, **cards.get(name, {}), **its}
    return cards


def _permit(name: str, host: Mapping[str, Any]) -> dict[str, Any]:
    held_in = CORRECTIONS.get(name, NONE).held_in
    zones = host.get("zones") or ([held_in] if held_in else [])
    maximum = {"maximum": host["maximum"]} if "maximum" in host else {}
    return {**maximum, **({"zones": zones} if zones else {})}


def _on_spell(name: str, read: Mapping[str, Any]) -> dict[str, Any]:
    """The counters that a resolving Spell brings; 1 for a new card, which `doubts` names."""
    corrected = CORRECTIONS.get(name, NONE)
    if not read.get("each_spell") or corrected.each_spell == 0:
        return {}
    zones = {"zones": [PENDULUM]} if corrected.in_pendulum else {}
    return {"amount": corrected.each_spell or 1, **zones}


def _zone(corrected: Correction, read: Mapping[str, Any], card: Mapping[str, Any]) -> str:
    """The zone in which it is played. A Pendulum Monster goes where its text gives it counters."""
    if corrected.played_in:
        return corrected.played_in
    if read.get("equip"):
        return SPELL_TRAP  # what its script looks for is the monster that it equips
    gains = [*card.get("on_spell", {}).values(), *card.get("permits", {}).values()]
    if read.get("pendulum") and any(each.get("zones") == [PENDULUM] for each in gains):
        return PENDULUM
    return str(read["played_in"])


# What to look at


def refuse_malformed(source: Source) -> None:
    """Raise ValueError, with the place, where *source* is not what `Source` says."""
    if type(source) is not dict or {"source", "kinds", "cards"} - set(source):
        raise ValueError("it needs `source`, `kinds` and `cards`")
    if wrong := next(_malformed(source), None):
        raise ValueError(wrong)


def _malformed(source: Source) -> Iterator[str]:
    numbers: set[str] = set()
    for kind, facts in source["kinds"].items():
        try:
            KIND.read(kind, None)
            int(facts["engine_id"], 16)
            hosts, placers = facts["hosts"], facts["placers"]
        except (KeyError, TypeError, ValueError) as error:
            yield f"the kind “{kind}” cannot be read ({error!r})"
            continue
        if type(facts.get("open")) is not bool or not (hosts or placers):
            yield f"the kind “{kind}” needs `open`, and a card"
        if facts["engine_id"] in numbers:
            yield f"the kind “{kind}” has a number that another has"
        numbers.add(facts["engine_id"])
        for name in _cards_of(facts):
            if name not in source["cards"]:
                yield f"“{name}” of the kind “{kind}” is not among the cards"
        for name, host in hosts.items():
            if not _readable(host):
                yield f"what “{name}” may hold of the kind “{kind}” cannot be read"
    for name, read in source["cards"].items():
        if type(read) is not dict or read.get("played_in") not in FIELD_ZONES:
            yield f"where “{name}” is played cannot be read"


def _readable(host: Any) -> bool:
    if type(host) is not dict:
        return False
    maximum, zones = host.get("maximum", 1), host.get("zones", [MONSTER])
    return (
        type(maximum) is int
        and maximum > 0
        and type(zones) is list
        and bool(zones)
        and all(zone in FIELD_ZONES for zone in zones)
    )


def doubts(source: Source, listed: Collection[str]) -> Iterator[str]:
    """The doubts that a person should look up in the cards' texts. listed: the kinds of the
    table so far.
    """
    cards, hosts = source["cards"], {n for k in source["kinds"].values() for n in k["hosts"]}
    for kind in source["kinds"]:
        if kind not in listed:
            yield f"{kind}: a new kind, called “{kinds_of(source)[kind].title}”"
    for kind in listed:
        if kind not in source["kinds"]:
            yield f"{kind}: this kind is gone; cards in running games may lose such counters"
    for name in sorted(cards):
        if cards[name].get("each_spell") and CORRECTIONS.get(name, NONE).each_spell is None:
            yield f"{name}: does it place 1 on itself for every Spell?"
    for name, it in CORRECTIONS.items():
        if name not in hosts and (it.each_spell or it.held_in or it.threshold is not None):
            yield f"{name}: no longer holds counters; take it out of corrections.json"
        if name not in cards and (it.base or it.atk or it.played_in or it.each_spell == 0):
            yield f"{name}: no longer in the file; take it out of corrections.json"


# The table as it is

_SOURCE = msgspec.json.decode(files(__package__).joinpath("cards.json").read_bytes())
KINDS = kinds_of(_SOURCE)
"""The kinds by name."""
OPEN = frozenset(kind.name for kind in KINDS.values() if kind.open)
"""The kinds that may be on any face-up card."""
CARDS = cards_of(_SOURCE)
"""The known cards by name."""
