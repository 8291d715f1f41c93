"""Numbers that change by themselves, on their holders' sheets: in words, and what to offer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.rules.counting import DOUBLE
from games.rules.state import GameObject, GameState, Seat
from games.rules.system import System
from games.rules.ticks import (
    ALL_HAD,
    ANOTHER,
    AS_MANY,
    CLEAR,
    EACH,
    HAD,
    IT,
    ITSELF,
    MOVE,
    OTHER,
    OTHERS,
    TURN,
)
from games.screens.words import Words, words_of
from games.systems import presentation_of
from games.systems.sheets import UsualTick

Fields = Mapping[str, Any]
"""The parameters of a tick, but its id and its holder."""
OFFERED = 4
"""So many are offered at once; anything else is said in a form."""


def of_holder(
    system: System,
    state: GameState,
    holder: Seat | GameObject,
    names: Mapping[str, str],
    by: str | None,
) -> dict[str, Any]:
    """The ticks on the sheet of *holder*; none in a game in which nothing ticks.

    ticking: each tick of *holder*, as its id and in words. likely_ticks: those that it probably
    has, each as the parameters of `tick` and in words; they are shown at once. offered_ticks:
    others in the same way. tick_moments: when a number may change, by id; tick_occasions: what may
    happen so that it does; tick_groups: whose numbers may change so, together.
    """
    its = words_of(system)
    if "tick" not in system.verbs:
        return {"ticking": None}
    whose = holder.controller if isinstance(holder, GameObject) else holder.id
    name = names.get(whose, whose)
    turns = mine() if whose == by else whose_are(name)
    there = [(key, each) for key, each in state.ticks.items() if each["on"] == holder.id]
    said = [_said(each) for _key, each in there]
    usual = [*_usual(system, state, holder)]
    likely = [] if there else [each.fields for each in usual if _likely(state, holder, each)]
    offers = [each.fields for each in usual if each.fields not in likely]
    begins = presentation_of(system).sheets.ticks_at
    offers += _others(state, holder, usual, begins)
    offers = [each for each in offers if _said(each) not in said]
    return {
        "ticking": [(key, in_words(its, each, turns)) for key, each in there],
        "likely_ticks": [(each, in_words(its, each, turns)) for each in likely[:OFFERED]],
        "offered_ticks": [(each, in_words(its, each, turns)) for each in offers[:OFFERED]],
        "tick_moments": [
            (each, capfirst(_moment(its, each)))
            for each in ((TURN, *system.phases) if TURN not in system.phases else system.phases)
        ],
        "tick_occasions": [
            (each, capfirst(occasion(its, each))) for each in system.automatic.occasions
        ],
        "tick_groups": [*_groups(system)],
        "ticks_at": begins,
        "tick_turns": turns.turns,
        "tick_side": turns.side,
        "tick_kinds": [*state.on(holder.id)],
    }


def _groups(system: System) -> Iterator[tuple[str, str]]:
    """Those whose numbers may change together, and the one to which something happens, in words."""
    its = words_of(system)
    for group in system.automatic.groups:
        for each in (group, f"{OTHER}{group}"):
            if (words := on_whom(its, each)) != f"on {each}".replace("-", " "):
                yield each, words
    if system.automatic.groups:
        yield IT, on_whom(its, IT)


def _said(each: Fields) -> tuple[Any, ...]:
    return each["counter"], each["begins"], each["change"], each.get("to")


def _likely(state: GameState, holder: Seat | GameObject, usual: UsualTick) -> bool:
    """True if the name of *holder* says so, or if it is an object with such counters."""
    there = holder.id in state.objects and state.count(holder.id, usual.fields["counter"])
    return usual.known or bool(there)


class Whose(NamedTuple):
    """In words: the turns of a tick's holder, and its side of the table."""

    turns: str
    side: str


def mine() -> Whose:
    return Whose(_("my turns"), _("my side"))


def whose_are(name: str) -> Whose:
    return Whose(_("{who}’s turns").format(who=name), _("{who}’s side").format(who=name))


def in_words(its: Words, each: Fields, whose: Whose) -> str:
    """A tick in a sentence: "+1 lore after the draw, in my turns"."""
    text = _happening(its, each, whose) or _beginning(its, each, whose)
    if sort := each.get("of"):
        text = _("{text}; only “{sort}”").format(text=text, sort=sort)
    if each.get("once"):
        text = _("{text}; once each turn").format(text=text)
    if zone := each.get("at_zero"):
        return _("{text}; the last one: → {zone}").format(text=text, zone=its.word(zone))
    if zone := each.get("if_none"):
        return _("{text}; if there is none: → {zone}").format(text=text, zone=its.word(zone))
    return text


def _beginning(its: Words, each: Fields, whose: Whose) -> str:
    turns = _("every turn") if each.get("whose") == EACH else whose.turns
    when = _moment(its, each["begins"])
    return _("{what} {when}, in {turns}").format(what=_what(its, each), when=when, turns=turns)


def _happening(its: Words, each: Fields, whose: Whose) -> str:
    """What happens on an occasion of the game; "" if it is a turn or a phase that begins."""
    when, said = occasion(its, each["begins"]), each.get("whose")
    if not when or said == EACH:
        return f"{_what(its, each)} {when}" if when else ""
    if said == ITSELF:
        when = occasion(its, f"{each['begins']}-itself") or _("{when}: this card").format(when=when)
        return f"{_what(its, each)} {when}"
    if said == ANOTHER:
        side = whose.side
        return _("{what} {when}, another on {side}").format(
            what=_what(its, each), when=when, side=side
        )
    side = _("another side") if said == OTHERS else whose.side
    return _("{what} {when}, on {side}").format(what=_what(its, each), when=when, side=side)


def _what(its: Words, each: Fields) -> str:
    text, to = change_text(its, each["change"], each["counter"]), each.get("to")
    if each.get("asks"):
        return f"{text} {its.word('-'.join(filter(None, ('ask', to))))}"
    return f"{text} {on_whom(its, to)}" if to else text


def giver(state: GameState, event: Fields) -> str:
    """The name of the card whose tick changed the number of another; "" if it is its own.

    The tick of a known card has its id, if it is the first, so that it is known when it is over.
    """
    tick = event.get("tick") or ""
    on = state.ticks.get(tick, {}).get("on", tick)
    return state.objects[on].name if on in state.objects and on != event.get("on") else ""


def occasion(its: Words, begins: str) -> str:
    """What may happen, in the game's words: "as a creature enters"; "" if it is no such thing."""
    asked = f"if-{begins}"
    said = its.word(asked)
    return said if said != asked.replace("-", " ") else ""


def on_whom(its: Words, to: str) -> str:
    """A group of holders in the game's words: "on each creature"."""
    return its.word(f"on-{to}")


def change_text(its: Words, change: int | str, counter: str) -> str:
    """The change of a number: "+1 lore", "all rad off", "+1/+1 ×2"."""
    if change == CLEAR:
        return _("all {kind} off").format(kind=its.kind(counter))
    if change == DOUBLE:
        return f"×2 {its.kind(counter)}"
    if change == AS_MANY:
        return f"+n {its.kind(counter)}"
    if change == MOVE:
        return _("all its counters move")
    if change in (HAD, ALL_HAD):
        had = _("its {kind}").format(kind=its.kind(counter))
        return had if change == HAD else _("all its counters")
    return f"{change:+d} {its.kind(counter)}".replace("-", "−", 1)


def _moment(its: Words, begins: str) -> str:
    """The moment of the change, in the game's words if it has any: "after the draw"."""
    asked = f"as-{begins}"
    said = its.word(asked)
    if said != asked.replace("-", " "):
        return said
    if begins == TURN:
        return _("as the turn begins")
    return _("as {phase} begins").format(phase=its.word(begins))


def _others(
    state: GameState, holder: Seat | GameObject, usual: Iterable[UsualTick], begins: str
) -> Iterator[Fields]:
    """One more and one less of each kind there that is in none of *usual*."""
    known = {each.fields["counter"] for each in usual}
    for counter in state.on(holder.id):
        for change in (1, -1) if counter not in known else ():
            yield {"counter": counter, "begins": begins, "change": change}


def _usual(system: System, state: GameState, holder: Seat | GameObject) -> Iterable[UsualTick]:
    return presentation_of(system).sheets.ticks(system, state, holder)
