"""The parts of a slot counter that a tap changes: how full it is, in figures, slots and words.

Their ids are "k-" and the counter's id, then a dot and the part.
"""

from __future__ import annotations

from html import escape

from django.utils.translation import gettext as _

from games.screens.fragments import OOB
from games.screens.slots.view_models import Block, CounterView
from games.screens.slots.words import amount, reading
from games.systems.stars_and_signs.counter import Counter

LOOKS = {"cell": " class=cell-hero"}


def filling(then: CounterView, now: CounterView) -> str:
    """What a frame needs if a counter was filled or cleared and is not full by that."""
    shown = figure(now.counter, OOB) + blocks(then, now) + said(now.counter, OOB)
    if bool(then.counter.filled) != bool(now.counter.filled):
        for way in ("less", "more"):
            if button(then, way) != button(now, way):
                shown += button(now, way, OOB)
    return shown


def button(seen: CounterView, way: str, swap: str = "") -> str:
    """What takes a slot away ("less") or adds one ("more"); "" where the seat may not."""
    counter, command = seen.counter, seen.plus if way == "more" else seen.minus
    if not command:
        return ""
    label = _("Clear one slot of %(name)s")
    if command == "spend-slot":
        label = _("Spend one slot of %(name)s")
    elif command == "fill-slot":
        label = _("Fill one slot of %(name)s")
    elif way == "more":
        label = _("Restore one slot of %(name)s")
    at_end = not counter.filled if command == "clear-slot" else counter.complete
    facts = f'form=slot-tap name={command} value="{seen.id}"{" disabled" * at_end}'
    words = escape(label % {"name": counter.name})
    sign = "+" if way == "more" else "−"
    return f'<button id=k-{seen.id}.{way} {facts} aria-label="{words}"{swap}>{sign}</button>'


def blocks(then: CounterView, now: CounterView, place: str = "") -> str:
    """The slots that look different now."""
    both = enumerate(zip(then.blocks, now.blocks, strict=True), 1)
    return "".join([block(now.id, n, new, place, OOB) for n, (old, new) in both if old != new])


def number(counter: Counter, place: str, swap: str = "") -> str:
    """The number in front of it, where it is repeated: on its "chip", as one's "own", in the
    "cell" of the party."""
    return f"<b id=k-{counter.id}.{place}{LOOKS.get(place, '')}{swap}>{amount(counter)}</b>"


def figure(counter: Counter, swap: str = "") -> str:
    """The number in it: how many slots are filled, or of a resource what is left."""
    shown = reading(counter) if counter.type == "resource" else counter.filled
    return f"<b id=k-{counter.id}.n{swap}>{shown}</b>"


def block(counter: str, n: int, shown: Block, place: str = "", swap: str = "") -> str:
    """The slot at place *n* of a counter. place: "own" where it is repeated."""
    looks = [f"is-{shown.state}"] * bool(shown.state) + ["is-mark"] * bool(shown.mark)
    facts = f' class="{" ".join(looks)}"' if looks else ""
    return f"<i id=k-{counter}.{place}{n}{facts}{swap}></i>"


def said(counter: Counter, swap: str = "") -> str:
    """How full it is, in words."""
    words = reading(counter)
    if counter.type != "resource":
        facts = {"filled": counter.filled, "slots": counter.slots}
        words = _("%(filled)s of %(slots)s filled") % facts
    return f"<span id=k-{counter.id}.said{swap}>{escape(words)}</span>"
