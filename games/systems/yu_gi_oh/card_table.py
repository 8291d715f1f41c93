"""The kinds of counters that Yu-Gi-Oh! cards use, and what known cards say of them.

An open kind may be on any face-up card. A bound kind may be only on a card whose own text places it
on itself, and is lost with the effects of that card. A counter without a name is a kind of its own,
named after its card or family. Open and bound agree with Konami FAQ 13177 and 23486 (10 December
2022). New cards come out every month: the list helps with typing and is never a whitelist.

`cards.json` holds facts read off the scripts of the EDOPro engine; its `source` names the version,
and `manage.py cards yu-gi-oh FILE` replaces it. The scripts don't say how a counter is printed, how
many a Spell brings, or when a number matters; where a card is played and whether it counts every
Spell is derived from them by rule of thumb. Corrections, looked up in the cards' own texts or in
the scripts, are the tables here; they override the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from games.rules.commands import KIND

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

EACH_SPELL = {
    "Blast Magician": 1,
    "Dark Red Enchanter": 1,
    "Endymion's Lab": 1,
    "Legendary Flame Lord": 1,
    "Magical Abductor": 1,
    "Magical Citadel of Endymion": 1,
    "Magical Exemplar": 2,
    "Magical Marionette": 1,
    "Magical Something": 1,
    "Magister of Endymion": 1,
    "Megistric Maginician": 1,
    "Mythical Beast Bashilisk": 1,
    "Mythical Beast Cerberus": 1,
    "Mythical Beast Garuda": 1,
    "Mythical Beast Jackal": 1,
    "Mythical Beast Jackal King": 1,
    "Mythical Beast Master Cerberus": 2,
    "Mythical Beast Medusa": 1,
    "Reflection of Endymion": 1,
    "Royal Magical Library": 1,
    "Servant of Endymion": 1,
    "Skilled Blue Magician": 1,
    "Skilled Brown Magician": 1,
    "Skilled Dark Magician": 1,
    "Skilled Red Magician": 1,
    "Skilled White Magician": 1,
    "Tower of Babel": 1,
}
"""The number of Spell Counters that these place on themselves each time a Spell resolves."""
NOT_EACH_SPELL = {
    "Spellbook Star Hall": "counts only “Spellbook” Spells",
    "Thelematech Clatis": "counts the opponent's cards and effects that are not Spells",
}
"""The reason why these do not, although their scripts look like it."""
AS_PENDULUM_SPELL = frozenset(
    {"Magister of Endymion", "Reflection of Endymion", "Servant of Endymion"}
)
"""They count Spells in the Pendulum Zone alone, but may hold counters as monsters, too."""

PLAYED_IN = {
    "Gadget Box": (SPELL_TRAP, "what its script Summons is a Token"),
    "Predaplant Triantis": (MONSTER, "what its script does in the Pendulum Zone is another effect"),
}
"""The zones in which these are played, against the rule of thumb."""
HELD_IN = {
    "Mythical Bestiamorph": (MONSTER,),  # a Trap that may hold them once it is a monster
}
"""The zones in which these may hold counters, where the file names none."""

THRESHOLDS = {
    "Vennominaga the Deity of Poisonous Snakes": 3,
    "Number 88: Gimmick Puppet of Leo": 3,
    "Number 51: Finisher the Strong Arm": 3,
    "Tower of Babel": 4,
    "Performage Hat Tricker": 3,
    "That's 10!": 10,
    "Clock Tower Prison": 4,
    "Kyoutou Waterfront": 3,
    "The World Legacy": 7,
    "Skilled Dark Magician": 3,
    "Skilled White Magician": 3,
    "Skilled Red Magician": 3,
    "Skilled Blue Magician": 3,
    "Pitch-Black Power Stone": 0,
    "Summer Schoolwork Successful!": 0,
    "Gouki Cage Match": 0,
}
"""The number at which a card's text does something by itself; 0: when the last one comes off."""

PER_COUNTER: Mapping[str, int] = {
    "Arcanite Magician": 1000,
    "Arcanite Magician/Assault Mode": 1000,
    "Breaker the Magical Warrior": 300,
    "Dark Red Enchanter": 300,
    "Dark Valkyria": 300,
    "Day-Breaker the Shining Magical Warrior": 300,
    "Des Mosquito": 500,
    "Magical Marionette": 200,
    "Maiden of Macabre": 200,
    "Metal Shooter": 800,
    "Mythical Beast Cerberus": 500,
}
"""The ATK that each counter adds to these, read in their scripts (ProjectIgnis/CardScripts)."""

WHILE_HELD: Mapping[str, Mapping[str, int]] = {"predator": {"level": 1}}
"""By kind: the numbers of a monster while it holds one, as all cards that place it say (their
scripts, ProjectIgnis/CardScripts)."""
IN_BATTLE = {"alien": {"a": {"atk": -300, "def": -300}}}
AGAINST_ALIENS = (
    "Alien Grey",
    "Alien Kid",
    "Alien Mother",
    "Alien Overlord",
    "Alien Skull",
    "Alien Telepath",
    "Alien Warrior",
    "Cosmic Horror Gangi'el",
)
"""The monsters by which A-Counters count as a monster battles an “Alien”, read in their scripts."""

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
    """Name → `zone`, `permits`, `on_spell`, `thresholds`, `per_counter` and `places`, as far as it
    has them.

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
        if name in PER_COUNTER:
            card["per_counter"] = {next(iter(card["permits"])): {"atk": PER_COUNTER[name]}}
        if name in THRESHOLDS:
            card["thresholds"] = {next(iter(card["permits"])): THRESHOLDS[name]}
        cards[name] = {"zone": _zone(name, source["cards"][name], card), **card}
    for name in AGAINST_ALIENS:
        cards[name] = {"zone": MONSTER, **cards.get(name, {}), "in_battle": IN_BATTLE}
    return cards


def _permit(name: str, host: Mapping[str, Any]) -> dict[str, Any]:
    zones = host.get("zones") or HELD_IN.get(name)
    maximum = {"maximum": host["maximum"]} if "maximum" in host else {}
    return {**maximum, **({"zones": list(zones)} if zones else {})}


def _on_spell(name: str, read: Mapping[str, Any]) -> dict[str, Any]:
    """The counters that a resolving Spell brings; 1 for a new card, which `doubts` names."""
    if not read.get("each_spell") or name in NOT_EACH_SPELL:
        return {}
    zones = {"zones": [PENDULUM]} if name in AS_PENDULUM_SPELL else {}
    return {"amount": EACH_SPELL.get(name, 1), **zones}


def _zone(name: str, read: Mapping[str, Any], card: Mapping[str, Any]) -> str:
    """The zone in which it is played. A Pendulum Monster goes where its text gives it counters."""
    if name in PLAYED_IN:
        return PLAYED_IN[name][0]
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
        if cards[name].get("each_spell") and name not in {**EACH_SPELL, **NOT_EACH_SPELL}:
            yield f"{name}: does it place 1 on itself for every Spell?"
    for name in sorted({*EACH_SPELL, *HELD_IN, *PER_COUNTER, *THRESHOLDS} - hosts):
        yield f"{name}: no longer holds counters; take it out of card_table.py"
    for name in sorted({*PLAYED_IN, *NOT_EACH_SPELL} - set(cards)):
        yield f"{name}: no longer in the file; take it out of card_table.py"


# The table as it is

_SOURCE = msgspec.json.decode(files(__package__).joinpath("cards.json").read_bytes())
KINDS = kinds_of(_SOURCE)
"""The kinds by name."""
OPEN = frozenset(kind.name for kind in KINDS.values() if kind.open)
"""The kinds that may be on any face-up card."""
CARDS = cards_of(_SOURCE)
"""The known cards by name."""
