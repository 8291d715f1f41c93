"""The parts of a slot counter that a tap changes: how full it is, in figures, slots and words.

Their ids are "k-" and the counter's id, then a dot and the part.
"""

from __future__ import annotations

from functools import partial
from html import escape
from math import cos, pi, sin

from django.utils.translation import gettext as _

from games.screens.fragments import OOB
from games.screens.parts import Part
from games.screens.slots.view_models import Block, CounterView
from games.screens.slots.words import reading
from games.tracks.counter import Counter

LOOKS = {"cell": " class=cell-hero"}


def filling(seen: CounterView) -> list[Part]:
    """How full a counter is, whatever else it shows."""
    counter = seen.counter
    id = f"k-{counter.id}"
    return [
        Part(f"{id}.n", counter.filled, partial(figure, counter), how=OOB),
        Part(f"{id}.said", counter.filled, partial(said, counter), how=OOB),
        *slots(seen),
        *buttons(seen),
    ]


def repeated(seen: CounterView, place: str) -> list[Part]:
    """The same where it is repeated, as in `number`, without words."""
    return [number(seen.counter, place), *slots(seen, place), *buttons(seen, place)]


def buttons(seen: CounterView, place: str = "") -> list[Part]:
    """Its buttons, as far as the seat has them."""
    found = []
    for way, command in (("less", seen.minus), ("more", seen.plus)):
        if command:
            drawn = partial(button, seen, way, place)
            ends = command, seen.ends(command)
            found.append(Part(f"k-{seen.id}.{place}{way}", ends, drawn, how=OOB))
    return found


def slots(seen: CounterView, place: str = "") -> list[Part]:
    """Its slots, one by one, or the whole of what is drawn of a pie, of boxes or of a bar."""
    counter = seen.counter
    of, id = counter.id, f"k-{counter.id}.{place}"
    if counter.look != "blocks":
        return [Part(f"{id}look", counter.filled, partial(look, seen, place), how=OOB)]
    return [
        Part(f"{id}{n}", each, partial(block, of, n, each, place), how=OOB)
        for n, each in enumerate(seen.blocks, 1)
    ]


def button(seen: CounterView, way: str, place: str = "") -> str:
    """The button that removes a slot ("less") or adds one ("more"); "" where the seat may not.

    place: where it is repeated, as in `number`.
    """
    counter, command = seen.counter, seen.plus if way == "more" else seen.minus
    if not command:
        return ""
    label = _("Clear one slot of %(name)s")
    if counter.step > 1 or counter.look == "bar":
        label = _("%(name)s, %(n)s more") if way == "more" else _("%(name)s, %(n)s fewer")
    elif command == "spend-slot":
        label = _("Spend one slot of %(name)s")
    elif command == "fill-slot":
        label = _("Fill one slot of %(name)s")
    elif way == "more":
        label = _("Restore one slot of %(name)s")
    facts = f'form=slot-tap name={command} value="{seen.id}"{" disabled" * seen.ends(command)}'
    words = escape(label % {"name": counter.name, "n": counter.step})
    sign = "+" if way == "more" else "−"
    return f'<button id=k-{seen.id}.{place}{way} {facts} aria-label="{words}">{sign}</button>'


def number(counter: Counter, place: str) -> Part:
    """The number in front of it, where it is repeated: on its "chip", as one's "own", in the
    "cell" of the party."""
    id, n = f"k-{counter.id}.{place}", counter.figure
    return Part(id, n, f"<b id={id}{LOOKS.get(place, '')}>{n}</b>".__str__, how=OOB)


def figure(counter: Counter) -> str:
    """The number in it: how many slots are filled, or of a resource what is left."""
    shown = reading(counter) if counter.resource and counter.adds_temporary else counter.figure
    return f"<b id=k-{counter.id}.n>{shown}</b>"


def block(counter: str, n: int, shown: Block, place: str = "") -> str:
    """The slot at place *n* of a counter. place: "own" where it is repeated."""
    looks = [f"is-{shown.state}"] * bool(shown.state) + ["is-mark"] * bool(shown.mark)
    facts = f' class="{" ".join(looks)}"' if looks else ""
    return f"<i id=k-{counter}.{place}{n}{facts}></i>"


def look(seen: CounterView, place: str = "") -> str:
    """The whole of what is drawn of a pie, of boxes or of a bar."""
    counter = seen.counter
    drawn = {"pie": _pie, "boxes": _boxes, "bar": _bar}[counter.look](seen)
    name = f"k-{counter.id}.{place}look"
    shape = counter.look
    if shape == "bar":
        shape = "gauge" if counter.resource else '"gauge is-rising"'
    return f"<span id={name} class={shape}>{drawn}</span>"


STROKES = ("", "is-slashed", "is-crossed", "is-starred")
"""The looks of a box that takes more ticks, by how many it has."""


def _boxes(seen: CounterView) -> str:
    """Boxes; of those that take several ticks, the next one with the ticks that it has."""
    parts = seen.counter.parts
    if parts == 1:
        return "".join([f'<i class="{_looks(each)}"></i>' for each in seen.blocks])
    left = seen.counter.shown
    ticks = [max(0, min(parts, left - n)) for n in range(0, seen.counter.slots, parts)]
    looks = ["is-filled" if n == parts else STROKES[n] for n in ticks]
    return "".join([f'<i class="{each}"></i>' for each in looks])


def _looks(shown: Block) -> str:
    return " ".join([f"is-{shown.state}"] * bool(shown.state) + ["is-mark"] * bool(shown.mark))


HOLE = 4.5
"""The radius of what stays open in the middle of a pie of ten or more, of a radius of 15."""


def _pie(seen: CounterView) -> str:
    """A pie from above, clockwise; what is temporary comes first, as it is filled first."""
    parts = seen.blocks
    inner = HOLE if len(parts) >= 10 else 0.0
    cut = [_slice(n, len(parts), inner, each) for n, each in enumerate(parts)]
    return f'<svg viewBox="-16 -16 32 32" aria-hidden=true>{"".join(cut)}</svg>'


def _slice(n: int, of: int, inner: float, shown: Block) -> str:
    (x, y), (u, v) = (_at(n / of), _at((n + 1) / of))
    large = int(of < 2)
    if of == 1:
        u, v = _at(0.9999)
    outer = f"M{15 * x:.2f} {15 * y:.2f}A15 15 0 {large} 1 {15 * u:.2f} {15 * v:.2f}"
    back = f"L{inner * u:.2f} {inner * v:.2f}"
    if inner:
        back += f"A{inner} {inner} 0 {large} 0 {inner * x:.2f} {inner * y:.2f}"
    return f'<path class="{_looks(shown)}" d="{outer}{back}Z"/>'


def _at(turn: float) -> tuple[float, float]:
    return sin(2 * pi * turn), -cos(2 * pi * turn)


def _bar(seen: CounterView) -> str:
    """A bar: temporary slots, which go first, then the others; a notch at its half, or at zero."""
    counter = seen.counter
    left = counter.shown - counter.least
    whole = max(counter.slots, left + counter.temporary)
    first, rest = (100 * n / whole for n in (counter.temporary, left))
    parts = f'<rect class="is-temporary" width="{first:.1f}" height="10"/>' if first else ""
    parts += f'<rect x="{first:.1f}" width="{rest:.1f}" height="10"/>'
    notch = -100 * counter.least / whole or 50  # zero, if it goes below that, else its half
    half = f'<path d="M{notch:.4g} 0V10"/>'
    return (
        f'<svg viewBox="0 0 100 10" preserveAspectRatio=none aria-hidden=true>{parts}{half}</svg>'
    )


def said(counter: Counter) -> str:
    """The filled slots, in words."""
    words = reading(counter)
    if counter.resource and not counter.adds_temporary:
        facts = {"left": counter.figure, "slots": counter.top}
        words = _("%(left)s of %(slots)s left") % facts
    elif not counter.resource:
        facts = {"filled": counter.filled, "slots": counter.slots}
        if counter.parts > 1 or counter.least:
            facts = {"filled": counter.figure, "slots": counter.top}
        words = _("%(filled)s of %(slots)s filled") % facts
    return f"<span id=k-{counter.id}.said>{escape(words)}</span>"
