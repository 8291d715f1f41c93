"""The parts of a slot counter that a tap changes: how full it is, in figures, slots and words.

Their ids are "k-" and the counter's id, then a dot and the part.
"""

from __future__ import annotations

from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.screens.fragments import OOB
from games.screens.slots.view_models import Block, CounterView
from games.screens.slots.words import reading
from games.systems.stars_and_signs.counter import Counter


def filling(then: CounterView, now: CounterView) -> str:
    """What a frame needs if a counter was filled or cleared and is not full or empty by that."""
    said = [
        block(now.id, n, new, OOB)
        for n, (old, new) in enumerate(zip(then.blocks, now.blocks, strict=True), 1)
        if old != new
    ]
    return text(now.counter, OOB) + "".join(said) + spoken(now, OOB)


def text(counter: Counter, swap: str = "") -> str:
    """How full it is: "3/8", or of a resource what is left; and its temporary slots."""
    full = f"<b>{counter.filled}</b>/{counter.slots}"
    if counter.type == "resource":
        full = f"<b>{escape(reading(counter))}</b>"
    if counter.temporary:
        extra = escape(_("+%(n)s temp") % {"n": counter.temporary})
        full += f' <span class="slot-temporary">{extra}</span>'
    return f'<p id="k-{counter.id}.text" class="slot-text"{swap}>{full}</p>'


def block(counter: str, n: int, shown: Block, swap: str = "") -> str:
    """The slot at place *n* of a counter."""
    looks = [f"is-{shown.state}"] * bool(shown.state) + ["is-mark"] * bool(shown.mark)
    facts = f' class="{" ".join(looks)}"' if looks else ""
    return f"<i id=k-{counter}.{n}{facts}{swap}></i>"


def blocks(seen: CounterView) -> str:
    """All slots of a counter."""
    shown = [block(seen.id, n, each) for n, each in enumerate(seen.blocks, 1)]
    return (
        f'<span class="blocks" aria-hidden="true" data-size="{len(shown)}">{"".join(shown)}</span>'
    )


def spoken(seen: CounterView, swap: str = "") -> str:
    """The counter in words, for people who listen rather than look."""
    counter, said = seen.counter, [str(seen.counter.name)]
    if seen.type_word:
        said.append(str(seen.type_word))
    if counter.type == "resource":
        said.append(reading(counter))
    else:
        facts = {"filled": counter.filled, "slots": counter.slots}
        said.append(_("%(filled)s of %(slots)s filled") % facts)
    if n := counter.temporary:
        said.append(ngettext("%(n)s temporary", "%(n)s temporary", n) % {"n": n})
    if counter.complete:
        said.append(_("complete"))
    words = escape(", ".join(said))
    return f'<span id="k-{seen.id}.said" class="unseen slot-said"{swap}>{words}</span>'
