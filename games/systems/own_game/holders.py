"""Holders of numbers as rules see them: the players, the table and the things in play.

Each look at a holder counts: a command that looks at more than its system allows is refused, code
`loop`, and one that looks at much is not worked out where others wait for it.
Source: docs/OWN-GAMES.md, Own 2, 3 and 8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from itertools import count
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

from msgspec import field

from games.rules.at_once import AT_ONCE, Later
from games.rules.events import Event
from games.rules.resolution import Resolution
from games.rules.state import MOST, GameObject, GameState, Refused, Team, Words, marked
from games.rules.system import cites
from games.tracks.counter import counter_in, game_master, protagonists, runs
from games.tracks.sets import fight
from games.tracks.sets.definition import Set
from games.tracks.sets.set_system import SetSystem
from games.tracks.sets.tracker import Tracker

from .events import LAST, ROLES, ROUND, written_on
from .language.definition import Definition
from .language.meaning import GM, PLAYER, TABLE, About, Listed
from .language.numbers import Number, OwnMost
from .language.written_rules import Rule

T = TypeVar("T")

MOST_LOOKS = 50_000
"""The work of a command; of the games in `ready`, the dearest with a hundred cards looks at a tenth
of that."""
LOOKS_AT_ONCE = 1_000
"""The work of a command where others wait for it; those of the games in `ready` look at 153."""


class Piece(GameObject, frozen=True):
    """A card, token, place or piece of a type. base: what is printed on it."""

    type: str = ""
    base: Mapping[str, int] = field(default_factory=dict)

    off_field: ClassVar[Words] = marked("{name} is not in play ({zone}).")


@cache
def piece_in(zone: str) -> type[Piece]:
    """The things of a game in which what is in that *zone* is in play."""

    class InPlay(Piece, frozen=True):
        """A thing of such a game."""

        field_zones: ClassVar[frozenset[str]] = frozenset({zone})

    return InPlay


class Side(Team, frozen=True):
    """A team of a game without rules. shared_counters: its players' counters are one pool."""

    shared_turns: bool = False
    shared_counters: bool = False


class OwnSystem(SetSystem, frozen=True, kw_only=True):
    """The system that a definition makes. most_looks: the work that a command of it may be."""

    definition: Definition
    most_looks: int = MOST_LOOKS

    @property
    def set(self) -> Set:
        return self.definition.set


def team_of(state: GameState, seat: str | None) -> tuple[str, ...]:
    """The seats of a seat's team, in table order; itself without one, nobody of none."""
    if seat not in state.seats:
        return ()
    mates = next((each.seats for each in state.teams.values() if seat in each.seats), (seat,))
    return tuple(each for each in state.seats if each in mates)


class Holders(Resolution):
    """Queries about the holders in one command. Raises Refused."""

    __slots__ = (
        "_at_once", "_in_play", "_remaining", "_worked_out", "definition", "gone", "led", "looked",
        "most_looks", "tracks",
    )  # fmt: skip
    system: OwnSystem

    def __init__(self, system: OwnSystem, state: GameState, events: list[Event]) -> None:
        super().__init__(system, state, events)
        self.definition = system.definition
        self.most_looks = system.most_looks
        self.led = system.definition.led
        self.tracks = system.definition.tracks
        self.gone: dict[str, Tracker] = {}
        self.looked = 0
        self._at_once = AT_ONCE.get()
        self._in_play: tuple[Mapping[str, GameObject], list[str]] | None = None
        self._remaining: tuple[Mapping[str, Any], list[str]] | None = None
        self._worked_out: dict[Hashable, Any] = {}

    def looping(self, rule: Rule) -> Refused:
        """The refusal of a command that sets off rules without end."""
        if self.led:  # its name would tell of what a player does not see
            return Refused("loop", "The rules set each other off without end.", "Own 6")
        sentence = "The rules set each other off without end: “{rule}” again and again."
        return Refused("loop", sentence, rule.name, rule=rule.name)

    def look(self, those: Listed) -> Listed:
        """*those*; each look at a holder counts. Raises Later."""
        self.looked += len(those)
        if self.looked > LOOKS_AT_ONCE and self._at_once:
            raise Later
        if self.looked > self.most_looks:
            sentence = "This game asks more of the server than it may. Take cards away, or undo."
            raise Refused("loop", sentence, "Own 6")
        return those

    def once(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """What *work_out* finds under *key*, found once until something happens."""
        if key not in self._worked_out:
            self._worked_out[key] = work_out()
        found: T = self._worked_out[key]
        return found

    # Who

    def remaining(self) -> list[str]:
        """The seats that are not out, in table order."""
        seats = self.state.seats
        if self._remaining is None or self._remaining[0] is not seats:
            playing = [seat for seat in self.playing() if not seats[seat].lost]
            self._remaining = (seats, playing)
        return self.look(self._remaining[1])

    def playing(self) -> list[str]:
        """The seats of players, in table order; a GM is none."""
        return protagonists(self.state) if self.led else [*self.state.seats]

    def game_masters(self) -> list[str]:
        return [seat for seat in self.state.seats if game_master(self.state, seat)]

    def leading(self) -> list[str]:
        """The GMs of a game that has any."""
        return self.game_masters() if self.led else []

    def readers(self, rule: Rule) -> list[str]:
        """The seats that may read a rule."""
        unread = rule.name in self.definition.unread
        return self.game_masters() if unread else [*self.state.seats]

    def active(self) -> list[str]:
        """The seats whose turn it is; at a GM's table the owner of the track that takes it."""
        if self.led:
            began = fight.turns(self.state)
            track = self.track(began[-1]["on"]) if began else None
            return self.still_in(track.owner) if track else []
        assert self.state.turn is not None
        now = self.state.turn.active
        return [seat for seat in self.remaining() if seat in now]

    def team(self, seat: str | None) -> list[str]:
        """The seats of its team that are not out; a seat without a team is one of its own."""
        return [each for each in team_of(self.state, seat) if not self.state.seats[each].lost]

    def once_a_team(self, those: Listed, kind: str) -> Listed:
        """*those*, of each team that shares the number one."""
        if kind not in self.definition.shared:
            return those
        firsts = {team_of(self.state, each)[:1] or (each,): each for each in reversed([*those])}
        kept = {*firsts.values()}
        return [each for each in those if each in kept]  # type: ignore[return-value]

    def still_in(self, seat: str | None) -> list[str]:
        """*seat*, unless it is out or there is none."""
        return [seat] if seat is not None and not self.state.seats[seat].lost else []

    def following(self, seat: str) -> list[str]:
        """The next seat after *seat* that is not out, round the table, and not itself."""
        order = [*self.state.seats]
        at = order.index(seat)
        after = [each for each in (*order[at + 1 :], *order[:at]) if each in self.remaining()]
        return after[:1]

    def holder(self, about: About) -> str | None:
        """The seat whose the subject is: itself, a thing's controller, nobody of the table."""
        return self.seat_of(about.it, about)

    def seat_of(self, holder: str | None, about: About | None = None) -> str | None:
        if holder is None or holder == TABLE:
            return None
        if holder in self.state.seats:
            return holder
        if about is not None and about.left is not None and about.left[0] == holder:
            return about.left[1]
        if (track := self.track(holder)) is not None:
            return track.owner
        return self.state.objects[holder].controller

    def track(self, holder: str) -> Tracker | None:
        """The track with that id, even if this command has discarded it."""
        if holder in self.state.slot_counters:
            there = counter_in(self.state, holder)
            return there if isinstance(there, Tracker) else None
        return self.gone.get(holder)

    def belongs(self, thing: str, of: str, holder: str | None) -> bool:
        """True if a thing is the holder's, an opponent's, or nobody's."""
        owner = self.seat_of(thing)
        if of == "nobody" or owner is None:
            return of == "nobody" and owner is None
        if of == "holder":
            return owner == holder
        return owner != holder and (not self.led or owner in self.playing())

    def takes_part(self, holder: str, about: About | None = None) -> bool:
        """True if *holder* is neither out nor a thing of a seat that is."""
        seat = self.seat_of(holder, about)
        return seat is None or not self.state.seats[seat].lost

    def in_play(self) -> list[str]:
        """The objects in play, by id."""
        objects = self.state.objects
        if self._in_play is None or self._in_play[0] is not objects:
            self._in_play = (objects, sorted(i for i, each in objects.items() if each.on_field))
        return self.look(self._in_play[1])

    def things(self, meant: tuple[str, ...] | frozenset[str]) -> list[str]:
        """The objects in play of some types, by id, without those of seats that are out."""
        return self.once(meant, lambda: self._things(meant))

    def _things(self, meant: tuple[str, ...] | frozenset[str]) -> list[str]:
        objects, seats = self.state.objects, self.state.seats
        found = [
            each
            for each in self.in_play()
            if objects[each].type in meant and not seats[objects[each].controller].lost  # type: ignore[attr-defined]
        ]
        if self.led:
            found += [
                track.id
                for track in self.tracks_in_play()
                if track.type in meant and self.takes_part(track.id)
            ]
        return found

    def tracks_in_play(self) -> list[Tracker]:
        """The tracks in play, by id."""
        return self.once("tracks", lambda: sorted(tracks_in_play(self.state), key=attrgetter("id")))

    def sort_of(self, holder: str) -> str:
        """The sort of a holder: a player's role or "player", "table", or its type."""
        if holder in self.state.seats:
            if self.led and holder not in self.playing():
                return GM
            return role_of(self.state, holder) if self.definition.roles else PLAYER
        if holder == TABLE:
            return TABLE
        track = self.track(holder)
        return track.type if track else self.piece(holder).type

    def piece(self, object_id: str) -> Piece:
        piece = self.state.objects[object_id]
        assert isinstance(piece, Piece)
        return piece

    def taken(self, new: str) -> bool:
        """True if something at the table has that id."""
        state = self.state
        return new in state.objects or new in state.seats or new in state.slot_counters

    def free_id(self, kind: str) -> str:
        """The lowest free id of a type."""
        stem = re.sub("[^a-z0-9-]", "-", kind).strip("-")
        stem = stem[:30] if stem[:1].isalpha() else "thing"
        return next(new for n in count(1) if not self.taken(new := f"{stem}-{n}"))

    def is_in_play(self, holder: str) -> bool:
        if (track := self.track(holder)) is not None:
            return holder in self.state.slot_counters and runs(self.state, track)
        piece = self.state.objects.get(holder)
        return piece is None or piece.on_field

    def name_of(self, holder: str) -> str | None:
        """The name of a track or thing; a seat and the table have none."""
        named = self.track(holder) or self.state.objects.get(holder)
        return named.name if named else None

    def has_condition(self, holder: str, name: str) -> bool:
        """True if a track, or one that a seat has, is in that condition."""
        track = self.track(holder)
        those = [track] if track else [t for t in self.tracks_in_play() if t.owner == holder]
        return any(name == one.name for each in those for one in each.conditions)

    # Numbers

    def tracks_of(self, holder: str, kind: str) -> list[Tracker]:
        """The tracks of a type that count for a holder: itself, or those in play that it has."""
        if (track := self.track(holder)) is not None:
            return [track] if track.type == kind else []
        if holder not in self.state.seats and holder != TABLE:
            return []
        owner = None if holder == TABLE else holder
        return [t for t in self.tracks_in_play() if t.type == kind and t.owner == owner]

    def kit_of(self, seat: str) -> list[Tracker]:
        """The tracks in play that a seat has of the kit, in its order."""
        own = [each for each in self.tracks_in_play() if each.owner == seat]
        return sorted((each for each in own if _in_kit(each)[0] == 0), key=_in_kit)

    def first_track(self, holder: str, kind: str) -> Tracker | None:
        """The track that a rule changes on a holder: those of the kit first, then by id."""
        able = [
            track
            for track in self.tracks_of(holder, kind)
            if not track.resolved and not track.inventory and self.is_in_play(track.id)
        ]
        return min(able, key=lambda track: (*_in_kit(track), track.id), default=None)

    def number(self, kind: str) -> Number:
        return self.definition.numbers[kind]

    def may_have(self, holder: str, kind: str) -> bool:
        """True if a number of the definition is for *holder*, which is in play."""
        if kind in self.tracks:
            return self.is_in_play(holder) and bool(self.tracks_of(holder, kind))
        return self.sort_of(holder) in self.number(kind).on and self.is_in_play(holder)

    @cites("Own 8")
    def count(self, holder: str, kind: str) -> int:
        """A holder's amount of a number; one that follows is computed."""
        if kind in self.tracks:
            return sum(track.shown for track in self.tracks_of(holder, kind))
        number = self.definition.numbers.get(kind)
        if number is None or number.follows is None:
            return self.state.count(holder, kind)
        if not self.may_have(holder, kind):
            return 0
        follows = number.follows
        return self.once((holder, kind), lambda: follows(self, About(holder)))

    def printed(self, holder: str, name: str) -> int:
        """The printed value of a thing; 0 if there is none, and on seats and the table."""
        if holder not in self.state.objects:
            return 0
        return self.piece(holder).base.get(name, 0)

    def had(self, holder: str, kind: str) -> int:
        """The amount of a number on a thing when it last left play."""
        piece = self.state.objects.get(holder)
        return piece.had.get(kind, 0) if piece else 0

    def is_written(self, holder: str, kind: str) -> bool:
        """True if somebody gave a blank number a value."""
        return kind in written_on(self.state, holder)

    def is_final(self, holder: str, kind: str) -> bool:
        """True if only a correction changes a number from now on."""
        number = self.definition.numbers.get(kind)
        return number is not None and number.once and self.is_written(holder, kind)

    def least(self, kind: str) -> int:
        number = self.definition.numbers.get(kind)
        return number.least if number else 0

    def above_least(self, holder: str, kind: str) -> int:
        """The amount of a kind that a cost can take from *holder*."""
        if kind not in self.tracks:
            return self.count(holder, kind) - self.least(kind)
        track = self.first_track(holder, kind)
        return track.shown - track.least if track else 0

    def most(self, holder: str, kind: str) -> int:
        """The most that *holder* may have of a kind now."""
        number = self.definition.numbers.get(kind)
        if number is None:
            return MOST
        if not isinstance(number.most, OwnMost):
            return number.most
        if number.most.print is not None:
            return self.printed(holder, number.most.print)
        return self.count(holder, number.most.number or "")

    @cites("Own 2")
    def room(self, holder: str, kind: str) -> int:
        """The number of a kind that still fit on *holder*."""
        most = self.most(holder, kind)
        return max(most - self.state.count(holder, kind), 0) if most >= 0 else 0

    @property
    def round(self) -> int:
        return round_of(self.state)

    # Refusals

    @cites("Own 3")
    def refuse_kind(self, holder: str, kind: str) -> None:
        """Refuse a number that is not for *holder*, and any on what is out of play (Own 3)."""
        number = self.definition.numbers.get(kind)
        if kind in self.tracks:
            raise Refused("wrong-target", "{what} is not counted there.", "Own 3", what=kind)
        if number is not None:
            if self.sort_of(holder) not in number.on:
                sentence = "{what} is not counted there."
                raise Refused("wrong-target", sentence, "Own 3", what=kind)
            if number.follows is not None:
                sentence = "{what} follows from other numbers; nobody changes it by hand."
                raise Refused("wrong-target", sentence, "Own 3", what=kind)
        if not self.is_in_play(holder):
            raise self.not_in_play(holder, "Own 3")

    @cites("Pad 2")
    def refuse_final(self, holder: str, kind: str) -> None:
        """Refuse to change what is written once."""
        if self.is_final(holder, kind):
            sentence = "{what} is written already; only a correction changes it."
            raise Refused("wrong-facts", sentence, "Pad 2", what=kind)

    def not_in_play(self, holder: str, rule: str) -> Refused:
        """The refusal of what is possible only in play."""
        if (track := self.track(holder)) is not None:
            return Refused("not-on-field", "{name} is not in play.", rule, name=track.name)
        piece = self.piece(holder)
        sentence = piece.off_field
        return Refused("not-on-field", sentence, rule, name=piece.name, zone=piece.zone)

    def refuse_placing(self, holder: str, kind: str, amount: int) -> None:
        """Refuse what may not be there, or does not fit (Own 2 and 3)."""
        self.refuse_kind(holder, kind)
        if kind in self.definition.blanks:
            self.refuse_final(holder, kind)
        if amount > self.room(holder, kind):
            raise self.over_the_most(holder, kind)

    def over_the_most(self, holder: str, kind: str) -> Refused:
        """The refusal of more than may be on *holder*; a most of its own may be below 0."""
        most = self.most(holder, kind)
        if most >= 0:
            sentence = "There can be at most {most} {what} there."
            return Refused("over-maximum", sentence, "Own 2", most=most, what=kind)
        own = self.number(kind).most
        assert isinstance(own, OwnMost)
        sentence = "{what} cannot go up while {number} is below 0."
        return Refused("over-maximum", sentence, "Own 2", what=kind, number=own.number or own.print)

    def refuse_taking(self, holder: str, kind: str, amount: int) -> None:
        """Refuse a cost that is more than there is above the least (Own 2)."""
        self.refuse_kind(holder, kind)
        if kind in self.definition.blanks:
            self.refuse_final(holder, kind)
        above = self.state.count(holder, kind) - self.least(kind)
        if amount > max(above, 0):
            raise self.too_little(kind, max(above, 0), amount)

    @staticmethod
    def too_little(kind: str, n: int, amount: int) -> Refused:
        """The refusal of a cost of which only *n* can be taken."""
        sentence = "Only {n} {what} can be taken there; the cost is {amount}."
        return Refused("not-enough", sentence, "Own 2", n=n, what=kind, amount=amount)


def sorts_of(definition: Definition, state: GameState) -> dict[str, str]:
    """The holders of numbers, each with its sort: players, things in play, tracks and the table."""
    players = protagonists(state) if definition.led else state.seats
    objects = state.objects.items()
    return {
        **{key: role_of(state, key) for key in players},
        **{key: piece.type for key, piece in objects if piece.on_field},  # type: ignore[attr-defined]
        **{key: counter_in(state, key).type for key in state.slot_counters},
        TABLE: TABLE,
    }


def tracks_in_play(state: GameState) -> list[Tracker]:
    """The tracks of scenes that run, and those without a scene."""
    every = (counter_in(state, key) for key in state.slot_counters)
    return [each for each in every if isinstance(each, Tracker) and runs(state, each)]


def _in_kit(track: Tracker) -> tuple[int, int]:
    """Whether a track is of the kit every player has, and its place there."""
    kit, _dash, place = (track.role or "").partition("-")
    return (0, int(place)) if kit == "kit" and place.isdecimal() else (1, 0)


def role_of(state: GameState, seat: str) -> str:
    """The role of a player; "player" without one."""
    return roles_in(state).get(seat, PLAYER)


def roles_in(state: GameState) -> Mapping[str, str]:
    """The roles of those players who have one."""
    found: Mapping[str, str] = state.parts.get(ROLES, {})
    return found


def round_of(state: GameState) -> int:
    """The number of the round; where tracks take turns, that of the last turn."""
    if began := fight.turns(state):
        return int(began[-1]["round"])
    return int(state.parts.get(ROUND, 1))


def last_active(state: GameState) -> list[str]:
    """The seats that were active last, even if they are out by now; none before the first turn."""
    return list(state.parts.get(LAST, ()))
