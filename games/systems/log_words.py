"""The words of a game's log, moments and summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from games.rules.commands import Itself
from games.rules.state import GameState, Phrase, Words
from games.rules.state import marked as _
from games.rules.system import System

from .controls import Scores


class Sentence(Struct, frozen=True):
    """The log's sentence for an event.

    text: has places for the event's fields: "%(seat)s drew %(amount)s". "" leaves the event out.
    With a small letter first it goes on from the name of who acted: "set a card".
    number: the number of `holder` that it changes (a field, or else a counter), shown as
    before → after.
    sign: 1 if the event's `amount` is added, -1 if it is subtracted, 0 if `to` is the new value.
    aside: it says only what the rest brought along.
    """

    text: Words
    number: str = ""
    sign: int = 0
    holder: str = "seat"
    aside: bool = False


SentenceRule = Sentence | Callable[[Mapping[str, Any]], Sentence | None]
"""A sentence, or a function from the event's fields to one; None is the shared sentence."""


class Consequence(Struct, frozen=True, kw_only=True):
    """Something that a rule did, and what is around it.

    before, after: the states around the whole command, as the reader sees them. event: what
    happened, as the log keeps it. earlier: the events of the same command before it, oldest first.
    """

    system: System
    before: GameState
    after: GameState
    event: Mapping[str, Any]
    earlier: Sequence[Mapping[str, Any]]

    def on(self, holder: str, *kinds: str) -> Iterator[Mapping[str, Any]]:
        """The earlier events of these *kinds* that are about *holder*."""
        for event in self.earlier:
            if event["kind"] in kinds and holder in (event.get("on"), event.get("object")):
                yield event

    def put(self, holder: str, counter: str) -> int:
        """The number of *counter* that the command put on *holder*."""
        placed = self.on(holder, "placed")
        return sum(event["amount"] for event in placed if event["counter"] == counter)


Cause = Words | Callable[[Consequence], Phrase | None]
"""The reason why something happened, as players say it after a colon: "it is negated". "" or
None: the sentence of the event says it already."""


def who_is_out(it: Consequence) -> Phrase | None:
    """The last seat that lost before; what left with it says so by itself."""
    out = [event["seat"] for event in it.earlier if event["kind"] == "lost"]
    if not out or it.event["kind"] == "took-along":
        return None
    return Phrase(_("{who} is out"), who=f"{{{out[-1]}}}")


class Reason(Struct, frozen=True):
    """The reason why a seat is out. text: has places for *facts*; a seat's id in braces becomes its
    name.

    kind: the number of its panel that is why, if it is not the main one.
    """

    text: Words
    facts: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""
    kind: str = ""


Curve = tuple[str, str, int]
"""A number in the summary: (what is counted, its seat or team, the amount)."""


class Story(Struct, frozen=True, kw_only=True):
    """The words of a game's story: its fields are lists that games fill in, its methods are
    questions that a game's own story answers."""

    sentences: Mapping[str, SentenceRule] = field(default_factory=dict)
    """By kind of event: its line in the log. Other events are described by their fields."""
    marks: Mapping[str, tuple[Words, Words]] = field(default_factory=dict)
    """By mark: what is said when it is set, with a place for its `value`, and when it is taken off.
    Other marks are told by their words."""
    moves: Mapping[str, Words] = field(default_factory=dict)
    """By zone: what is said of a card that goes there, if not “moved from … to …”."""
    causes: Mapping[str, Cause] = field(default_factory=dict)
    """By rule: why what it does by itself happened. Every rule that an event names has one."""
    reasons: Mapping[str, Words] = field(default_factory=dict)
    """By verb: why what no rule made happen did, where the events of its command don't say it."""
    undo_words: Mapping[str, Words] = field(default_factory=dict)
    """By zone, phase or mark that a button names, by verb, or by kind of event: what Undo calls it,
    the word of the button that did it ("Destroy", "crown")."""
    announced: frozenset[str] = frozenset()
    """The rules that every screen announces when they do something."""
    news: frozenset[str] = frozenset()
    """The kinds of events that every screen announces."""
    hero: str = ""
    """The number that the game is about."""
    deals: frozenset[str] = frozenset()
    """The verbs by which a player lowers another player's `hero`."""
    loses_at: Mapping[str, int] = field(default_factory=dict)
    """By kind: the value at which a player has usually lost."""

    def phrases(self, state: GameState, event: Mapping[str, Any], /) -> Mapping[str, Any]:
        """Phrases for the sentence of an event, from the state after it, by their place in the
        sentence; and `seat`, its subject."""
        return {}

    def said_later(self, do: str, event: Mapping[str, Any], later: Sequence[Any], /) -> bool:
        """True if one of the *later* events of a command says *event*, too. do: its verb."""
        return False

    def out_because(self, system: Itself, state: GameState, seat: str, /) -> Reason | None:
        """The reason why a seat that has lost is out, as far as the state still shows it."""
        return None

    def won_because(self, system: Itself, state: GameState, seat: str, /) -> Reason | None:
        """The reason why a seat has won, if it is not the last one left."""
        return None

    def curves(self, system: Itself, state: GameState, holder: Any, /) -> Iterable[Curve]:
        """The system's own numbers for the charts, besides counters."""
        return ()

    def scores(self, system: Itself, state: GameState, /) -> Scores | None:
        """The score sheet of a game that is counted in rounds."""
        return None

    def played_as(self, obj: Any, /) -> bool:
        """True if an object's name says what its owner plays: a commander, a champion."""
        return False

    @property
    def uncounted(self) -> frozenset[str]:
        """The rules of which a summary does not say how often they acted: they only ask."""
        return frozenset()
