"""The cards of a table: one by one, and by zone.

A whole card is kept until something of it changes.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.html import escape
from django.utils.safestring import mark_safe

from games.rules.state import GameObject, GameState
from games.screens import view_models
from games.screens.cards import seats
from games.screens.drawing import Drawing
from games.screens.fragments import HURT, OOB, act_button, attribute, stats, stepper, tally
from games.screens.parts import Part, once, swapped
from games.screens.stacks import Row
from games.systems.controls import Stepper


@dataclass(slots=True)
class _Shown:
    """A card as last shown, with everything it depends on.

    row: those that share its row. part: what is drawn of it.
    """

    obj: GameObject
    kinds: Mapping[str, int]
    follows: Mapping[str, Any]
    card_view: view_models.CardView
    cache_key: view_models.CacheKey
    row: Row = ()
    part: Part | None = None


def zone(
    drawing: Drawing, state: GameState, seat: str, name: str, touched: Container[str] = ()
) -> Part:
    """The cards in the zone *name* of *seat*; without any, an element with no whitespace in it.

    touched: those in which something may have changed.
    """
    firsts = drawing.stacks.firsts(state, view_models.in_zone(state, seat, name))
    within = {
        f"o-{obj.id}": card(drawing, state, obj) if obj.id in touched else None for obj in firsts
    }

    def drawn() -> str:
        named = name in drawing.fields and len(drawing.fields) > 1
        cards = "".join([card(drawing, state, obj).draw() for obj in firsts])
        context = {"named": named and cards, "cards": mark_safe(cards)}
        return drawing.render("board/_zone", seat=seat, name=name, **context)

    return Part(f"{seat}.{name}.zone", not firsts, drawn, within)


def piles(drawing: Drawing, state: GameState, seat: str, touched: Container[str] = ()) -> Part:
    """The zones off the field in which *seat* has cards."""
    within, shown = dict[str, Part | None](), dict[str, tuple[Part, Part]]()
    for name in drawing.others:
        if n := len(view_models.in_zone(state, seat, name)):
            count = Part(f"{seat}.{name}.n", n, partial(tally, seat, name, n), how=OOB)
            shown[name] = count, zone(drawing, state, seat, name, touched)
            within |= {part.id: part for part in shown[name]}

    def drawn() -> str:
        piles = [
            {"name": name, "count": mark_safe(count.draw()), "zone": mark_safe(cards.draw())}
            for name, (count, cards) in shown.items()
        ]
        return drawing.render("board/_piles", seat=seat, piles=piles)

    return Part(f"{seat}.piles", [*shown], drawn, within)


def card(drawing: Drawing, state: GameState, obj: GameObject) -> Part:
    """One card, made anew only if it, its row, its counters or its derived values changed.

    Those that share a row are drawn once, as the first of them.
    """
    row, known = drawing.stacks.row(state, obj.id), _shown(drawing, state, obj)
    if known.part is None or known.row != row:
        known.row, known.part = row, _part(drawing, known.card_view, row)
    return known.part


def _part(drawing: Drawing, card: view_models.CardView, row: Row) -> Part:
    """*card*, of which numbers and stats are sent by themselves."""
    states = card.states, card.ending
    looks = card.name, card.types, states, card.acts, card.stranger, card.token
    below = partial(stats_of, drawing, card)
    stats = Part(f"{card.id}.stats", (card.stats, card.hurts), below, how=OOB)
    return Part(
        f"o-{card.id}",
        (looks, not card.stats, card.tokens, row),
        partial(once, partial(_whole, drawing, card, row), []),
        {stats.id: stats} if card.stats else {},
        OOB,
    )


def _whole(drawing: Drawing, card: view_models.CardView, row: Row) -> str:
    """All of *card*."""
    name, each = f"<h3>{escape(card.name)}</h3>", ""
    if len(row) > 1:
        name = drawing.render("board/_stacked", card=card, n=len(row))
        ids = f'name="each.{card.id}" value="{" ".join(row)}"'
        each = f"<input type=hidden form=t autocomplete=off {ids}>"
    steppers = "".join(
        [stepper(drawing.its, number, looks=_looks(card, number)) for number in card.tokens]
        + [act_button(drawing.its, act, card.id) for act in card.acts]
    )
    below = stats_of(drawing, card) if card.stats or card.states or card.stranger else ""
    unnamed = f" data-unnamed={attribute(card.unnamed)}" if card.unnamed else ""
    return (
        f"<article id=o-{card.id} class={attribute(f'card {card.looks}'.strip())}"
        f" data-type={attribute(card.type)}{unnamed}>"
        f"<a href={attribute(f'objects/{card.id}')}>{name}</a>{each}"
        f"{f'<ul class=steppers>{steppers}</ul>' if steppers else ''}{below}</article>"
    )


def stats_of(drawing: Drawing, card: view_models.CardView) -> str:
    owner = drawing.name(card.stranger) if card.stranger else ""
    return stats(drawing.its, card, owner, partial(drawing.word, of=drawing.its.word))


def card_view(drawing: Drawing, state: GameState, obj: GameObject) -> view_models.CardView:
    """The view of *obj*, in the active language."""
    return _shown(drawing, state, obj).card_view


def _shown(drawing: Drawing, state: GameState, obj: GameObject) -> _Shown:
    """*obj* as it is shown in *state*, in the active language."""
    key, known = ("card", obj.id, drawing.language), drawing.cache.of(state)
    if key not in known:
        last = drawing.cache.lasting.get(key)
        known[key] = drawing.cache.lasting[key] = _shown_now(drawing, state, obj, last)
    found: _Shown = known[key]
    return found


def _shown_now(drawing: Drawing, state: GameState, obj: GameObject, last: _Shown | None) -> _Shown:
    """*last*, or another one if *obj* shows something else by now."""
    system, kinds = drawing.system, state.on(obj.id)
    follows = system.derived(system, state, obj)
    panel_of, acts = partial(seats.panel_of, drawing, state), drawing.presentation.board.acts
    if (
        last
        and last.obj is obj
        and last.kinds is kinds
        and last.follows == follows
        # What can be done with a card may depend on the turn, too.
        and last.card_view.acts == tuple(acts(system, state, obj))
        # What a tap gives may depend on every card of the table.
        and _gives_the_same(drawing, state, last)
        # Which of its numbers are on its player's panel depends on the player's other cards.
        and last.card_view.tokens
        == view_models.in_row(panel_of, state, obj, last.card_view.steppers)
    ):
        return last
    keeper = drawing.name(view_models.keeper(obj))
    seen = view_models.card_view(drawing.its, system, state, obj, follows, keeper, panel_of)
    return _Shown(obj, kinds, follows, seen, view_models.CacheKey.of(state))


def turn(drawing: Drawing, before: GameState, after: GameState, obj: GameObject, kind: str) -> str:
    """Show *obj* in *after* as in *before*, with its number of *kind* as it is by now: its stats
    anew, if they follow from it."""
    system, last = drawing.system, _shown(drawing, before, obj)
    follows = system.derived(system, after, obj)
    seen = view_models.turned(system, after, obj, follows, last.card_view, kind)
    now = _Shown(obj, after.on(obj.id), follows, seen, last.cache_key)
    key, cache = ("card", obj.id, drawing.language), drawing.cache
    cache.of(after)[key] = cache.lasting[key] = now
    was = last.card_view
    if was.stats == seen.stats and was.hurts == seen.hurts:
        return ""
    return swapped(stats_of(drawing, seen), OOB)


def _gives_the_same(drawing: Drawing, state: GameState, shown: _Shown) -> bool:
    """True if a tap on a card still gives what is shown."""
    cache_key = view_models.CacheKey.of(state)
    if cache_key.same(shown.cache_key):
        return True
    steppers = view_models.object_steppers(drawing.system, state, shown.obj)
    if shown.card_view.steppers != steppers:
        return False
    shown.cache_key = cache_key
    return True


def _looks(card: view_models.CardView, number: Stepper) -> str:
    """The class of what stands below the stats of *card*, or has a word for a picture."""
    if number is card.hurt:
        return HURT
    return "" if card.pictured is None or number.kind in card.pictured else "is-worded"
