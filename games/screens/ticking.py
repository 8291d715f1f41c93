"""Numbers that change by themselves, on their holders' sheets: in words, and what to offer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.rules.state import GameObject, GameState, Seat
from games.rules.system import System
from games.rules.ticks import EACH, TURN
from games.screens.words import kind, word_for
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
    others in the same way. tick_moments: when a number may change, by id.
    """
    if "tick" not in system.verbs:
        return {"ticking": None}
    whose = holder.controller if isinstance(holder, GameObject) else holder.id
    name = names.get(whose, whose)
    turns = _("my turns") if whose == by else _("{who}’s turns").format(who=name)
    there = [(key, each) for key, each in state.ticks.items() if each["on"] == holder.id]
    said = [_said(each) for _key, each in there]
    usual = [*_usual(system, state, holder)]
    likely = [] if there else [each.fields for each in usual if _likely(state, holder, each)]
    offers = [each.fields for each in usual if each.fields not in likely]
    begins = presentation_of(system).sheets.ticks_at
    offers += _others(state, holder, usual, begins)
    offers = [each for each in offers if _said(each) not in said]
    return {
        "ticking": [(key, in_words(each, turns)) for key, each in there],
        "likely_ticks": [(each, in_words(each, turns)) for each in likely[:OFFERED]],
        "offered_ticks": [(each, in_words(each, turns)) for each in offers[:OFFERED]],
        "tick_moments": [
            (each, capfirst(_moment(each)))
            for each in ((TURN, *system.phases) if TURN not in system.phases else system.phases)
        ],
        "ticks_at": begins,
        "tick_turns": turns,
        "tick_kinds": [*state.on(holder.id)],
    }


def _said(each: Fields) -> tuple[Any, ...]:
    return each["counter"], each["begins"], each["change"]


def _likely(state: GameState, holder: Seat | GameObject, usual: UsualTick) -> bool:
    """True if the name of *holder* says so, or if it is an object with such counters."""
    there = holder.id in state.objects and state.count(holder.id, usual.fields["counter"])
    return usual.known or bool(there)


def in_words(each: Fields, turns: str) -> str:
    """A tick in a sentence: "+1 lore after the draw, in my turns". turns: those of its holder."""
    what, when = change_text(each["change"], each["counter"]), _moment(each["begins"])
    turns = _("every turn") if each.get("whose") == EACH else turns
    text = _("{what} {when}, in {turns}").format(what=what, when=when, turns=turns)
    if zone := each.get("at_zero"):
        return _("{text}; the last one: → {zone}").format(text=text, zone=word_for(zone))
    if zone := each.get("if_none"):
        return _("{text}; if there is none: → {zone}").format(text=text, zone=word_for(zone))
    return text


def change_text(change: int | str, counter: str) -> str:
    """The change of a number: "+1 lore", or "all rad off"."""
    if isinstance(change, str):
        return _("all {kind} off").format(kind=kind(counter))
    return f"{change:+d} {kind(counter)}".replace("-", "−", 1)


def _moment(begins: str) -> str:
    """The moment of the change, in the game's words if it has any: "after the draw"."""
    asked = f"as-{begins}"
    said = word_for(asked)
    if said != asked.replace("-", " "):
        return said
    if begins == TURN:
        return _("as the turn begins")
    return _("as {phase} begins").format(phase=word_for(begins))


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
