"""The commands that put counters, and what standings make of them.

A putting is one kind put on one holder at one moment. Source: docs/COMMANDS.md, Standing 2 to 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Annotated, Any, ClassVar

from msgspec.structs import asdict, replace

from games.rules import cards, counting
from games.rules.commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    OBJECT,
    SEAT,
    Command,
    Parameter,
    Terms,
    each,
    invalid,
    one_of,
    table,
)
from games.rules.counting import refuse_not_enough, refuse_over_maximum, team_of
from games.rules.events import Event, Moved, Placed, Removed
from games.rules.marks import refuse_off_field
from games.rules.state import GameObject, GameState, Kinds, Refused, refuse_too_much
from games.rules.system import System, Verb, cites

from .facts import Arrived, Proliferated
from .player import (
    BATTLEFIELD,
    GRAVEYARD,
    NIGHT,
    PRINTED,
    SUBTYPES,
    TYPES,
    Card,
    accepts,
    counter_owner,
    held,
    plain,
)
from .replacement_effects import (
    COST,
    RULE,
    STANDING,
    Applying,
    Putting,
    called,
    in_signs,
    standing_of,
)
from .replacing import Replacement, is_changed, replaced
from .rules import here
from .tokens import made_by

MOST_LETTERS = 34
"""Characters of a card's id in the ids of its tokens; the rest is for a number."""

# The commands


class Place(counting.Place, frozen=True, kw_only=True):
    """Put counters on a holder, or on each of several: on all or on none.

    had_by: as many as that object had when it last changed zones.
    counters: several kinds at once, instead of one kind and amount.
    putter: who puts them, by default the player who says so.
    cause: a cost that is paid, or a rule of the game; otherwise an effect puts them.
    order: the standings to apply first.
    """

    putter: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    cause: Annotated[str | None, Parameter(one_of(COST, RULE))] = None
    order: Annotated[tuple[str, ...] | None, Parameter(each(ID), names=STANDING)] = None


class Transfer(counting.Transfer, frozen=True, kw_only=True):
    """Move counters from one holder to another: all or nothing.

    putter: who moves them, by default the player who says so. order: the standings to apply first.
    """

    putter: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    order: Annotated[tuple[str, ...] | None, Parameter(each(ID), names=STANDING)] = None


class Proliferate(Command, frozen=True, kw_only=True):
    """Give each chosen player and permanent one more counter of each kind it already has.

    putter: who puts them, by default the player who says so. order: the standings to apply first.
    """

    verb: ClassVar[str] = "proliferate"
    choose: Annotated[tuple[str, ...], Parameter(each(ID), names=HOLDER)]
    putter: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    order: Annotated[tuple[str, ...] | None, Parameter(each(ID), names=STANDING)] = None


class Create(cards.Create, frozen=True, kw_only=True):
    """Bring a new card or token into the game.

    On the battlefield it has its printed loyalty or defense. putter: who puts its counters on it,
    by default its controller. order: the standings to apply first. tapped: it enters tapped.
    subtypes: by creature type, whether it is one, and by "other" whether it is any other. night: of
    a card with daybound, what its other face says.
    """

    types: Annotated[tuple[str, ...], Parameter(each(one_of(*TYPES)))] = ()
    base: Annotated[Mapping[str, int] | None, Parameter(table(one_of(*PRINTED), AMOUNT))] = None
    commander: Annotated[bool, Parameter(FLAG)] = False
    putter: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    order: Annotated[tuple[str, ...] | None, Parameter(each(ID), names=STANDING)] = None
    tapped: Annotated[bool, Parameter(FLAG)] = False
    subtypes: Annotated[Mapping[str, bool] | None, Parameter(SUBTYPES)] = None
    night: Annotated[Mapping[str, Any] | None, Parameter(NIGHT)] = None


class Make(Command, frozen=True, kw_only=True):
    """Create the tokens that a card is known to make, under the control of each of *seats*."""

    verb: ClassVar[str] = "make"
    seats: Annotated[tuple[str, ...], Parameter(each(ID, 1), names=SEAT)]
    amount: Annotated[int, Parameter(AMOUNT)] = 1
    made_by: Annotated[str, Parameter(ID, names=OBJECT)]


class Move(cards.Move, frozen=True, kw_only=True):
    """Move objects to another zone, all or none; they lose their counters.

    counters: those that each enters the field with. putter: who puts them, by default the player
    who controls it then. order: the standings to apply first. tapped: each enters tapped.
    sacrifice: their players sacrifice them.
    """

    putter: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    order: Annotated[tuple[str, ...] | None, Parameter(each(ID), names=STANDING)] = None
    tapped: Annotated[bool, Parameter(FLAG)] = False
    sacrifice: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if self.sacrifice and self.to != GRAVEYARD:
            raise invalid("What is sacrificed goes to the graveyard.")


# One putting


class Replaced(Event, frozen=True):
    """Standings changed how many counters are put; what is left is `placed` next.

    by: their ids, as applied. amounts: before the first, and after each. text: the same in signs
    and names.
    """

    kind: ClassVar[str] = "replaced"
    on: str
    counter: str
    by: tuple[str, ...]
    amounts: tuple[int, ...]
    text: str
    tick: str | None = None


class Puttings:
    """The puttings of one command, all on the same *state*."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self._applying = Applying(state)
        self.coming: counting.Coming = {}

    def put(self, putting: Putting, rule: str | None = None) -> list[Event]:
        """The events of *putting*; none if nothing is put.

        rule: what puts the counters, if not a seat.
        Raises Refused "not-enough", "choose" and "over-maximum".
        """
        result = replaced(self.state, putting, self._applying)
        place = (counter_owner(self.state, putting.holder, putting.counter), putting.counter)
        already = self.coming.get(place, 0)
        self.coming[place] = already + result.amount
        return _happens(self.state, putting, result, already, rule)


def _happens(
    state: GameState,
    putting: Putting,
    result: Replacement,
    already: int = 0,
    rule: str | None = None,
) -> list[Event]:
    """The events of *putting*, which becomes *result*; the rest is as in `Puttings.put`.

    already: how many of that kind the same command puts there before.
    """
    refuse_unpayable(state, putting, result)
    holder, kind = putting.holder, putting.counter
    owner = counter_owner(state, holder, kind)
    team = team_of(holder, owner)
    refuse_over_maximum(state, owner, kind, already + result.amount)
    events: list[Event] = []
    if result.by:
        events.append(_replaced(state, putting, result))
    if result.amount:
        by = _other(state, putting.putter, holder)
        events.append(Placed(holder, kind, result.amount, team=team, rule=rule, putter=by))
    return events


def _other(state: GameState, putter: str, holder: str) -> str | None:
    """*putter*, if *holder* is another's."""
    card = state.objects.get(holder)
    return None if putter == (card.controller if card else holder) else putter


def _replaced(state: GameState, putting: Putting, result: Replacement) -> Replaced:
    steps = [standing_of(state, each) for each in result.by]
    if result.prevented:
        rule, text = "614.17", called(state, steps[0])
    else:
        rule = "616.1" if len(steps) > 1 else "614.1a"
        signs = ", ".join(in_signs(state, steps))
        text = f"{result.amounts[0]}, {signs}: {result.amount}"
    return Replaced(putting.holder, putting.counter, result.by, result.amounts, text, rule=rule)


@cites("614.17", "606.4")
def refuse_unpayable(state: GameState, putting: Putting, result: Replacement) -> None:
    """Refuse a cost of counters that cannot be put."""
    if result.prevented and putting.cause == COST:
        card = state.objects.get(putting.holder)
        name = card.name if card else putting.holder
        sentence = "{name} can't get {kind} counters; the cost can't be paid."
        raise Refused("not-enough", sentence, "614.17", name=name, kind=putting.counter)


# What the verbs do


@cites("122.1", "122.6", "122.8", "122.9", "614.16")
def place(system: System, state: GameState, command: Place) -> list[Event]:
    """Each kind on each holder is one putting."""
    if command.cause != COST and plain(state):
        return [
            replace(each, putter=_other(state, command.putter or command.by, each.on))
            for each in counting.place(system, state, command)
        ]
    placed: list[Event] = []
    puttings = Puttings(state)
    putter, order = command.putter or command.by, command.order or ()
    for holder, wanted in counting.wanted_of_each(system, state, command, puttings.coming):
        for kind, amount in wanted:
            putting = Putting(putter, holder, kind, amount, command.cause, order)
            placed += puttings.put(putting)
    return placed


@cites("122.5")
def transfer(system: System, state: GameState, command: Transfer) -> Iterator[Event]:
    """One putting of all that arrives; if it can't be put at all, nothing is removed either."""
    if plain(state):
        yield from counting.transfer(system, state, command)
        return
    for kind, amount in counting.moving(system, state, command):
        yield from _transferred(system, state, command, kind, amount)


def _transferred(
    system: System, state: GameState, command: Transfer, kind: str, amount: int
) -> Iterator[Event]:
    source = counter_owner(state, command.from_, kind)
    refuse_not_enough(state, source, kind, amount)
    counting.refuse_unable(system, state, (command.to,))
    if not amount or source == counter_owner(state, command.to, kind):
        return
    putter, order = command.putter or command.by, command.order or ()
    putting = Putting(putter, command.to, kind, amount, order=order)
    result = replaced(state, putting)
    arriving = _happens(state, putting, result)
    if not result.prevented:
        yield Removed(command.from_, kind, amount, team=team_of(command.from_, source))
    yield from arriving


@cites("701.34a", "701.34b", "701.27a", "701.27b")
def proliferate(system: System, state: GameState, command: Proliferate) -> list[Event]:
    """Shared poison grows once, however many players of the team are chosen."""
    for holder in command.choose:
        if obj := state.objects.get(holder):
            refuse_off_field(obj)
        if not held(state, holder):
            name = obj.name if obj else holder
            rule = here(system, "701.34a")
            sentence = "{name} has no counters to proliferate."
            raise Refused("wrong-target", sentence, rule, name=name)
    putter, order = command.putter or command.by, command.order or ()
    grown: set[str] = set()
    placed: list[Event] = [Proliferated(putter)]
    puttings = Puttings(state)
    for holder in command.choose:
        for kind in sorted(held(state, holder)):
            if not accepts(state, holder):
                continue
            team = team_of(holder, counter_owner(state, holder, kind))
            if team in grown:
                continue
            placed += puttings.put(Putting(putter, holder, kind, order=order))
            if team:
                grown.add(team)
    return placed


def create(system: System, state: GameState, command: Create) -> Iterator[Event]:
    how = arriving(state, {command.as_}, command.putter, command.order)
    if command.zone not in (None, BATTLEFIELD):
        command = replace(command, tapped=False)
    return cards.create(system, state, command, how)


def make(system: System, state: GameState, command: Make) -> Iterator[Event]:
    source = state.objects[command.made_by]
    token = made_by(source.name)
    if token is None:
        raise Refused("wrong-target", "{name} makes no token.", None, name=source.name)
    refuse_too_much(len(command.seats) * command.amount)
    ids = (f"{source.id[:MOST_LETTERS]}-{n}" for n in count(1))
    for seat in command.seats:
        for _ in range(command.amount):
            created = Create(
                by=seat,
                as_=next(each for each in ids if each not in state.objects),
                name=token.name,
                owner=seat,
                token=True,
                types=tuple(token.types),
                base=token.base,
            )
            for event in create(system, state, created):
                state = event.evolve(state)
                yield event


def move(system: System, state: GameState, command: Move) -> Iterator[Event]:
    """Several that enter by one command enter at the same moment."""
    entering = {each for each in command.object if not state.objects[each].on_field}
    how = arriving(state, entering, command.putter, command.order)
    for event in cards.move(
        system, state, command, partial(_tapped, how) if command.tapped else how
    ):
        yield replace(event, how="sacrificed") if command.sacrifice else event


def _tapped(
    how: cards.Arriving,
    system: System,
    state: GameState,
    arrival: Event,
    obj: GameObject,
    extra: Kinds,
) -> Iterator[Event]:
    """The entry *how*, with an object that enters tapped."""
    assert isinstance(arrival, Moved), arrival
    assert isinstance(obj, Card), obj
    entered = Arrived(**asdict(arrival), tapped=True)
    yield from how(system, state, entered, replace(obj, tapped=True), extra)


def arriving(
    state: GameState,
    entering: Iterable[str],
    putter: str | None = None,
    order: tuple[str, ...] | None = None,
) -> cards.Arriving:
    """The entry of the objects *entering* with their counters, all at the same moment.

    putter: by default the seat under whose control each enters.
    """
    if not state.standings:
        return cards.arrives
    return partial(_arrives, frozenset(entering), putter, order or ())


@cites("122.6", "122.6a", "306.5b", "310.4b", "614.12")
def _arrives(
    entering: frozenset[str],
    putter: str | None,
    order: tuple[str, ...],
    system: System,
    state: GameState,
    arrival: Event,
    obj: GameObject,
    extra: Kinds,
) -> Iterator[Event]:
    """*arrival*, then the counters that *obj* has: what is printed, then *extra*.

    If a standing applies to a kind that is printed, all of that kind is one putting.
    """
    after = arrival.evolve(state)
    given, placed, puttings = dict(extra), list[Event](), Puttings(after)

    def putting(kind: str, amount: int) -> Putting:
        who = putter or obj.controller
        return Putting(who, obj.id, kind, amount, order=order, entering=entering)

    for kind, amount in (
        sorted(system.counters.printed(system, obj).items()) if obj.on_field else ()
    ):
        if is_changed(after, putting(kind, amount)):
            amount += given.pop(kind, 0)
        rule = system.counters.printed_by[kind]
        placed += puttings.put(putting(kind, amount), rule)
    for kind, amount in sorted(given.items()):
        placed += puttings.put(putting(kind, amount))
    yield arrival
    yield from placed


VERBS: Mapping[str, Verb] = {
    "place": Verb(Place, place),
    "transfer": Verb(Transfer, transfer),
    "proliferate": Verb(Proliferate, proliferate),
    "create": Verb(Create, create),
    "make": Verb(Make, make),
    "move": Verb(Move, move),
}
