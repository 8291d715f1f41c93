"""Combat as one act: creatures attack, others block them, and all deal their damage.

Who is attacked says the blocks, if the command `asks`: combat waits for each in turn.

Nothing here looks at the name of a card: the command says its keywords, besides those that its
counters give. Source: docs/COMMANDS.md, Magic 10 and 11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec.structs import replace

from games.rules import cards, ticks
from games.rules.cards import comes_to, refuse_while_waiting
from games.rules.commands import (
    FLAG,
    ID,
    OBJECT,
    Command,
    Parameter,
    Terms,
    each,
    invalid,
    one_of,
    table,
    whole,
)
from games.rules.events import Answered, Event, Lost, Marked, Prompted
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import System, cites
from games.rules.targets import MOST_LISTED

from .creatures import has, power_and_toughness
from .damage import DAMAGE, SHIELD, Damage, damage
from .effects import die, dying_rule
from .facts import Attacked, Damaged, LifeGained, LifeLost
from .player import (
    BLOCKS,
    DEATHTOUCH,
    DOUBLE_STRIKE,
    FIRST_STRIKE,
    KEYWORDS,
    MENACE,
    OF_DAMAGE,
    TRAMPLE,
    VIGILANCE,
    Card,
    side,
)
from .tapping import TAPPED

COMBAT = "combat"
ATTACKED = frozenset({"planeswalker", "battle"})


class Combat(Command, frozen=True, kw_only=True):
    """Creatures attack, others block them, and all of them deal their combat damage.

    attacks: by attacker, the player or permanent that it attacks. blocks: by blocker, the attacker
    that it blocks; ignored of one that does not attack, or not that player. keywords: by creature,
    those that it has besides those of its counters. toxic: by creature, the poison it gives.
    asks: players who are attacked, and have what could block, are asked for their blocks.
    """

    verb: ClassVar[str] = COMBAT
    attacks: Annotated[Mapping[str, str], Parameter(table(ID, ID), names=OBJECT)]
    blocks: Annotated[Mapping[str, str] | None, Parameter(table(ID, ID), names=OBJECT)] = None
    keywords: Annotated[
        Mapping[str, tuple[str, ...]] | None,
        Parameter(table(ID, each(one_of(*KEYWORDS))), names=OBJECT),
    ] = None
    toxic: Annotated[Mapping[str, int] | None, Parameter(table(ID, whole(0, 99)), names=OBJECT)] = (
        None
    )
    asks: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if len(self.attacks) + len(self.blocks or ()) > MOST_LISTED:
            raise invalid("That is more than {n} creatures at once.", n=MOST_LISTED)


class Hit(NamedTuple):
    """One creature deals damage."""

    source: str
    on: str
    amount: int


@cites("508.1f", "510.2", "510.4", "702.20b")
def combat(system: System, state: GameState, command: Combat) -> list[Event]:
    """Those with first strike or double strike deal their damage first, if there are any."""
    refuse_while_waiting(state)
    if any(comes_to(system, state, COMBAT)) and ticks.due(state, COMBAT):
        raise Refused("waiting", "Go to combat first: a number changes as it begins.", "508.1f")
    fight = Fight(system, state, command)
    for attacker, on in command.attacks.items():
        _refuse_attack(state, attacker, on)
    fight.refuse_blocks(fight.blockers)
    for attacked in dict.fromkeys(command.attacks.values()):
        those = tuple(each for each, on in command.attacks.items() if on == attacked)
        fight.attack(Attacked(attacked, those, fight.newly_said(those)))
    fight.happen(comes_to(system, state, COMBAT, "508.1f"))
    tapping = [each for each in command.attacks if not fight.has(each, VIGILANCE)]
    fight.happen([Marked(each, TAPPED, True, rule="508.1f") for each in tapping])
    fight.go_on(asked=())
    return fight.events


def answered(
    system: System, state: GameState, prompt: Prompt, blocks: Mapping[str, str]
) -> list[Event]:
    """The blocks of the player who was asked are said: the next is asked, or damage is dealt.

    What has left the battlefield since it attacked is out of the combat.
    """
    raw, by = prompt.facts[COMBAT], prompt.source or prompt.to
    there = {each: on for each, on in raw["attacks"].items() if _still(state, each, on)}
    said = {**raw["blocks"], **blocks}
    given = {
        **raw,
        "attacks": there,
        "blocks": {each: said[each] for each in said if each in state.objects},
    }
    fight = Fight(system, state, Combat.read(given, by, system))
    fight.refuse_blocks([each for each in fight.blockers if each in blocks])
    fight.happen([Answered(prompt.id)])
    fight.go_on(asked=(*prompt.facts["asked"], prompt.to))
    return fight.events


def may_answer(system: System, state: GameState, command: Any) -> None:
    """Refuse an answer from any seat but the one that is asked (Prompts 2). Whoever attacks may say
    the blocks of others, too (Magic 11)."""
    prompt = state.prompt(command.prompt)
    if not (prompt and prompt.kind == BLOCKS and prompt.source == command.by):
        cards.may_answer(system, state, command)


@cites("506.4", "800.4a")
def without(system: System, state: GameState, event: Lost) -> Iterable[Event]:
    """The combat goes on without the blocks of a player who was asked, and is out."""
    asked = [each for each in state.prompts if each.kind == BLOCKS and each.to == event.seat]
    return answered(system, state, asked[0], {}) if asked else ()


@cites("506.4")
def _still(state: GameState, attacker: str, on: str) -> bool:
    """True if *attacker* is there to fight, and what it attacks is, too."""
    card, target = state.objects.get(attacker), state.objects.get(on)
    there = isinstance(card, Card) and card.on_field and "creature" in card.types
    return there and (target.on_field if target else on in state.seats and not state.seats[on].lost)


@cites("508.1a")
def _refuse_attack(state: GameState, attacker: str, on: str) -> None:
    card = _creature(state, attacker)
    _refuse_tapped(card, "508.1a")
    target = state.objects.get(on)
    if isinstance(target, Card):
        refuse_off_field(target)
        if not ATTACKED.isdisjoint(target.types):
            return
    elif on in state.seats:
        if state.seats[on].lost:
            raise Refused("gone", "That player has lost and is out of the game.")
        if side(state, on) != side(state, card.controller):
            return
    sentence = "{name} cannot attack that."
    raise Refused("wrong-target", sentence, "508.1a", name=card.name)


def _creature(state: GameState, card_id: str) -> Card:
    card = state.objects[card_id]
    refuse_off_field(card)
    if not isinstance(card, Card) or "creature" not in card.types:
        sentence = "{name} is no creature."
        raise Refused("wrong-target", sentence, "508.1a", name=card.name)
    return card


@cites("508.1a", "509.1a")
def _refuse_tapped(card: Card, rule: str) -> None:
    if card.tapped:
        raise Refused("wrong-target", "{name} is tapped.", rule, name=card.name)


def defender(state: GameState, attacked: str) -> str:
    """The player who is attacked, or whose permanent is."""
    target = state.objects.get(attacked)
    return target.controller if target else attacked


def could_block(state: GameState, seat: str) -> Iterator[Card]:
    """The untapped creatures of *seat*."""
    for card in state.objects.values():
        if isinstance(card, Card) and card.on_field and card.controller == seat:
            if "creature" in card.types and not card.tapped:
                yield card


class Fight:
    """A combat as it happens: the state so far, and the events that led to it."""

    def __init__(self, system: System, state: GameState, command: Combat) -> None:
        self.system, self.state, self.command = system, state, command
        self.events: list[Event] = []
        self.blockers = {
            each: on
            for each, on in (command.blocks or {}).items()
            if on in command.attacks and self._defends(each, command.attacks[on])
        }

    @cites("509.1a")
    def _defends(self, blocker: str, attacked: str) -> bool:
        """True if a player who is attacked, or whose permanent is, controls *blocker*."""
        mine = self.state.objects[blocker].controller
        return side(self.state, mine) == side(self.state, defender(self.state, attacked))

    @cites("702.111b")
    def refuse_blocks(self, blockers: Iterable[str]) -> None:
        for blocker in blockers:
            _refuse_tapped(_creature(self.state, blocker), "509.1a")
        for attacker in self.command.attacks:
            alone = [*self.blockers.values()].count(attacker) == 1
            if alone and self.has(attacker, MENACE):
                name, sentence = (
                    self.state.objects[attacker].name,
                    "{name} is blocked by two or more.",
                )
                raise Refused("prohibited", sentence, "702.111b", name=name)

    @cites("509.1", "802.4", "704.3")
    def go_on(self, *, asked: tuple[str, ...]) -> None:
        """Ask the next player who could block, if it `asks`; else deal the damage. What dies of the
        first says nothing of others in the second.

        asked: who has been. The first is next after the attacker, in table order.
        """
        waits = [each for each in self._defenders() if each not in asked]
        if self.command.asks and waits:
            question = self._question(waits[0], asked)
            self.happen([Prompted.of(self.state, question, rule="509.1")])
            return
        self.deal(first=True)
        self.happen(die(self.system, self.state, self.state.objects.keys()))
        self.deal(first=False)

    def _defenders(self) -> list[str]:
        """The players who are attacked and control what could block, in turn order."""
        state, seats = self.state, [*self.state.seats]
        attacked = {defender(state, on) for on in self.command.attacks.values()}
        first = seats.index(self._attacker()) if attacked else 0
        return [
            each
            for each in seats[first:] + seats[:first]
            if each in attacked and any(could_block(state, each))
        ]

    def _attacker(self) -> str:
        """The attacking player, who is another than whoever says so for them."""
        return self.state.objects[next(iter(self.command.attacks))].controller

    def _question(self, to: str, asked: tuple[str, ...]) -> Prompt:
        command = self.command
        facts = {key: dict(getattr(command, key) or {}) for key in ("attacks", "blocks", "toxic")}
        facts["keywords"] = {key: [*each] for key, each in (command.keywords or {}).items()}
        asks = {"do": COMBAT, "asks": True, **facts}
        waits = {COMBAT: asks, "asked": [*asked]}
        return Prompt(f"{BLOCKS}:{to}", BLOCKS, to, self._attacker(), waits)

    def happen(self, events: Iterable[Event]) -> None:
        for event in events:
            self.events.append(event)
            self.state = event.evolve(self.state)

    def newly_said(self, attackers: Iterable[str]) -> Mapping[str, tuple[str, ...]] | None:
        """The keywords of *attackers*, besides those they have by themselves, if they were others
        before."""
        said, there = self.command.keywords or {}, self.state.objects
        found = {
            each: tuple(w for w in said.get(each, ()) if not has(self.state, there[each], w))
            for each in attackers
        }
        before = {each: _creature(self.state, each).keywords or () for each in found}
        return {each: found[each] for each in found if found[each] != before[each]} or None

    def attack(self, event: Attacked) -> None:
        """What it sets off comes before any damage."""
        self.happen([event])
        self.happen(ticks.set_off(self.system, self.state, event))

    def has(self, card: str, keyword: str) -> bool:
        """True if the command says so, or it has the keyword by itself."""
        said = (self.command.keywords or {}).get(card, ())
        return keyword in said or has(self.state, self.state.objects.get(card), keyword)

    @cites("510.2", "122.1c")
    def deal(self, *, first: bool) -> None:
        """One step of combat damage: all of it is dealt at one moment."""
        shielded = {each for each in self.state.objects if self.state.count(each, SHIELD)}
        before, events, hits = self.state, list[Event](), list(self._hits(first=first))
        for hit in hits:
            if hit.on in shielded and any(hit.on == other.on for other in hits[: hits.index(hit)]):
                continue  # its shield prevents all of it, and goes once
            for event in damage(self.system, self.state, self._damage(hit)):
                events.append(event)
                self.state = event.evolve(self.state)
        self.state = before
        self.happen(at_once(before, events))

    def _damage(self, hit: Hit) -> Damage:
        flags: dict[str, Any] = {keyword: self.has(hit.source, keyword) for keyword in OF_DAMAGE}
        toxic = (self.command.toxic or {}).get(hit.source, 0)
        named: dict[str, Any] = {"on": (hit.on,), "amount": hit.amount, "source": hit.source}
        return Damage(by=self.command.by, combat=True, toxic=toxic, **named, **flags)

    @cites("510.1b", "510.1d")
    def _hits(self, *, first: bool) -> Iterator[Hit]:
        for attacker, on in self.command.attacks.items():
            if self._strikes(attacker, first=first):
                yield from self._assigned(attacker, on)
        for blocker, attacker in self.blockers.items():
            if self._strikes(blocker, first=first) and self._lives(attacker):
                yield Hit(blocker, attacker, self._power(blocker))

    @cites("702.4b", "702.7b")
    def _strikes(self, card: str, *, first: bool) -> bool:
        """True if it deals damage in that step."""
        double = self.has(card, DOUBLE_STRIKE)
        early = double or self.has(card, FIRST_STRIKE)
        deals = early if first else double or not early
        return deals and self._power(card) > 0 and self._lives(card)

    @cites("510.1b", "510.1c", "702.19b", "702.2c")
    def _assigned(self, attacker: str, on: str) -> Iterator[Hit]:
        """To each of its blockers what is lethal, in order; the last one gets what is left, or with
        trample what it attacks. What was blocked stays so, even if its blockers are gone."""
        blockers = [each for each, blocked in self.blockers.items() if blocked == attacker]
        living = [each for each in blockers if self._lives(each)]
        left, tramples = self._power(attacker), self.has(attacker, TRAMPLE)
        for blocker in living:
            share = min(left, self._lethal(attacker, blocker))
            if blocker == living[-1] and not tramples:
                share = left
            if share:
                yield Hit(attacker, blocker, share)
            left -= share
        if left and (tramples or not blockers):
            yield Hit(attacker, on, left)

    def _lethal(self, attacker: str, blocker: str) -> int:
        card = self.state.objects[blocker]
        assert isinstance(card, Card), card
        needed = power_and_toughness(self.state, card).get("toughness", 0) - card.marked
        return max(0, min(needed, 1) if self.has(attacker, DEATHTOUCH) else needed)

    def _power(self, card_id: str) -> int:
        card = self.state.objects[card_id]
        assert isinstance(card, Card), card
        return max(0, power_and_toughness(self.state, card).get("power", 0))

    def _lives(self, card_id: str) -> bool:
        card = self.state.objects[card_id]
        return isinstance(card, Card) and card.on_field and not dying_rule(self.state, card)


@cites("510.2")
def at_once(state: GameState, events: Sequence[Event]) -> Iterator[Event]:
    """*events*, with what several creatures do to one player as one damage and one loss of life,
    or one gain, so that all see one number go once. What a gain sets off sees all the damage."""
    found: dict[Any, Any] = {}
    event: Any
    for number, event in enumerate(events):
        key: Any = number
        if isinstance(event, Damaged) and event.on in state.seats:
            key = event.kind, event.on
        elif isinstance(event, LifeLost):
            key = event.kind, event.seat
        earlier = found.get(key)
        if earlier:
            event = replace(event, amount=earlier.amount + event.amount)
            if isinstance(event, Damaged):
                event = replace(event, by={**(earlier.by or {}), **(event.by or {})} or None)
        found[key] = event
    for event in sorted(found.values(), key=lambda each: isinstance(each, LifeGained)):
        if not (isinstance(event, LifeLost) and event.cause == DAMAGE):
            yield event
        if isinstance(event, Damaged) and (loss := found.get((LifeLost.kind, event.on))):
            yield loss
