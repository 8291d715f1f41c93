"""A definition: what a game counts and what happens by itself, as data that a table wrote.

`read` turns its JSON into a `Definition`, whose conditions and actions are functions, or says where
its first fault is. Source: docs/OWN-GAMES.md, sections 1 and 3.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct, field

from games.tracks.sets.definition import WITHOUT_GM, Set, TypeOf

from .forms import GRAMMAR, printed_on
from .grammar import Scope
from .meaning import GM, PLAYER, Order
from .numbers import Named, Number, Thing
from .reading import Fault
from .written_rules import Rule, by_moment

DEFINITION = "definition"
"""The setting of a table that holds its definition."""
KEPT = 256
"""Definitions that stay in memory once they are read."""
LARGEST = 64 * 1024
"""Bytes of a definition as UTF-8, without optional spaces."""


class Definition(Struct, frozen=True, dict=True):
    """A game's own rules.

    written: the JSON that it was read from. digest: of its canonical form, the same for every
    definition that says the same.
    """

    written: Mapping[str, Any]
    digest: str
    title: str
    author: str | None
    about: str | None
    players: tuple[int, int]
    cooperative: bool
    zones: tuple[str, ...]
    things: Mapping[str, Thing]
    numbers: Mapping[str, Number]
    order: str
    phases: tuple[str, ...]
    rules: Mapping[str, Rule]
    teams: int | None = None
    """The number of teams, where it is played in teams."""
    roles: Mapping[str, Named] = field(default_factory=dict)
    """The roles that players can have."""
    starts: Order | None = None
    """The order of each round, where it is not the table's."""
    set: Set = WITHOUT_GM
    """What the GM's table counts."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What people read in place of a word: a number, type, zone or phase."""
    unread: frozenset[str] = frozenset()
    """The names of the rules that only GMs read."""
    by_moment: Mapping[tuple[str, str], tuple[Rule, ...]] = field(default_factory=dict)
    """The rules that a moment may set off, in their order, by its key and what it is about."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Definition) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def set_off_by(self, moment: str, about: str) -> tuple[Rule, ...]:
        """The rules that are about that moment, in the order of the definition."""
        return self.by_moment.get((moment, about), ())

    @cached_property
    def plain(self) -> bool:
        """True if turns are free and there is nothing else: whatever people name is counted, and
        nothing happens by itself."""
        return self.order == "free"

    @cached_property
    def led(self) -> bool:
        """True if there is a GM."""
        return bool(self.set.types)

    @cached_property
    def tracks(self) -> Mapping[str, TypeOf]:
        """The types of the GM's table's tracks."""
        return {kind.type: kind for kind in self.set.types}

    @cached_property
    def of_players(self) -> frozenset[str]:
        """The sorts of players: without a role, and each role."""
        return frozenset({PLAYER, *self.roles})

    @property
    def scored(self) -> str | None:
        """The number that a score sheet adds up, of a game that is rounds and nothing else: the big
        one of a player, or the first; None if the game has no sheet."""
        if self.order != "all" or self.things or self.cooperative:
            return None
        own = [each for each in self.numbers.values() if "player" in each.on]
        main = next((each for each in own if each.big), own[0] if own else None)
        return (
            main.kind
            if main and main.follows is None and main.look not in ("switch", "none")
            else None
        )

    @cached_property
    def blanks(self) -> frozenset[str]:
        """The numbers that have no value until somebody writes one."""
        return frozenset(kind for kind, number in self.numbers.items() if number.blank)

    @cached_property
    def unseen(self) -> frozenset[str]:
        """The numbers that rules keep for themselves."""
        return frozenset(kind for kind, each in self.numbers.items() if each.look == "none")

    @cached_property
    def moved(self) -> frozenset[str]:
        """The numbers that rules change."""
        return frozenset(
            part["of"]
            for rule in self.written.get("rules", ())
            for _place, sort, part in GRAMMAR.walk("rule", rule)
            if sort == "action" and ("add" in part or "set" in part)
        )

    @cached_property
    def shared(self) -> frozenset[str]:
        """The numbers that the players of a team have together."""
        return frozenset(kind for kind, number in self.numbers.items() if number.shared)

    @property
    def summed(self) -> str | None:
        """The big number of a player that follows from others, of a game without things: what a
        score sheet of parts adds up."""
        main = next((each for each in self.numbers.values() if each.big), None)
        if self.things or self.cooperative or self.led or main is None or main.follows is None:
            return None
        return main.kind if "player" in main.on else None

    @property
    def charted(self) -> str | None:
        """The big number, if it follows from the same player's other numbers alone: none of those
        can change it unseen."""
        follow = {
            each["kind"]: each["is"] for each in self.written.get("numbers", ()) if "is" in each
        }
        main = next((each.kind for each in self.numbers.values() if each.big), None)
        return main if main in follow and _of_its_holder(follow[main], follow) else None


def _of_its_holder(amount: Any, follow: Mapping[str, Any]) -> bool:
    """True if an amount reads nothing but numbers of its own holder."""
    return all(
        sort != "who" and not ((sort == "amount" and isinstance(part, str)) or sort == "ranked")
        for _place, sort, part in GRAMMAR.walk("amount", amount)
    ) and all(
        _of_its_holder(follow[kind], follow)
        for _place, kind in GRAMMAR.names("amount", amount, "numbers")
        if kind in follow
    )


def canonical(written: Any) -> bytes:
    """The JSON of a definition without optional spaces, its keys sorted."""
    return json.dumps(
        written, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode()


def understood(written: Any) -> Definition:
    """The definition in *written*, read once for all that say the same. Raises Fault."""
    return _understood(_body(written))


@lru_cache(KEPT)
def _understood(body: bytes) -> Definition:
    return read(json.loads(body))


def read(written: Any) -> Definition:
    """The definition in *written*. Raises Fault."""
    body = _body(written)
    parts = GRAMMAR.read("definition", written, "", Scope())
    title, author, about, _aliases, players, cooperative, teams = parts[:7]
    zones, things, roles, numbers = parts[7:11]
    (order, phases, starts), found_set, rules = parts[11:]
    return Definition(
        written=written,
        digest=hashlib.sha256(body).hexdigest(),
        title=title,
        author=author,
        about=about,
        players=players,
        cooperative=cooperative,
        zones=tuple(zones),
        things=things,
        numbers=numbers,
        order=order,
        phases=tuple(each.word for each in phases),
        rules=rules,
        teams=teams,
        roles=roles,
        starts=starts,
        set=found_set or WITHOUT_GM,
        labels={
            **{kind.type: kind.name for kind in (found_set.types if found_set else ())},
            **{
                word: each.label
                for word, each in (
                    *zones.items(),
                    *((each.word, each) for each in phases),
                    *things.items(),
                    *roles.items(),
                    *numbers.items(),
                )
                if each.label
            },
        },
        unread=frozenset(_unread(written, found_set or WITHOUT_GM)),
        by_moment=by_moment(rules.values()),
    )


def _unread(written: Mapping[str, Any], made: Set) -> Iterator[str]:
    """The rules that name a type that begins hidden or known, go by a name, or are a GM's own."""
    secret = {kind.type for kind in made.types if kind.visibility != "open"}
    for rule in written.get("rules", ()) if made.types else ():
        named = {
            name for of in ("things", "numbers") for _at, name in GRAMMAR.names("rule", rule, of)
        }
        by_name = any(
            sort == "condition" and "named" in part
            for _at, sort, part in GRAMMAR.walk("rule", rule)
        )
        if named & secret or by_name or rule["when"].get("on") == GM:
            yield rule["rule"]


def _body(written: Any) -> bytes:
    """The canonical JSON of what may be a definition; its size is looked at before anything."""
    try:
        body = canonical(written)
    except (TypeError, ValueError, RecursionError):
        raise Fault("") from None
    if len(body) > LARGEST:
        raise Fault("")
    return body


def rule_fault(definition: Definition, rule: Any, index: int) -> str | None:
    """The place of the first fault of *rule* in a game of that *definition*, as the rule at
    *index*.
    """
    try:
        GRAMMAR.read("rule", rule, f"rules[{index}]", scope_of(definition))
    except Fault as fault:
        return fault.place
    return None


def scope_of(definition: Definition) -> Scope:
    """What the rules of a definition may name."""
    return Scope(
        types=tuple(definition.things),
        printed=printed_on(definition.things),
        numbers=definition.numbers,
        kinds=definition.numbers,
        zones=definition.zones,
        phases=definition.phases,
        turns=definition.order != "none",
        led=definition.led,
        teams=bool(definition.teams),
        roles=tuple(definition.roles),
        set=definition.set,
        tracks=tuple(definition.tracks),
    )
