"""The small pieces that frames are made of: one number, a stepper, the end of a frame.

A page and a frame use the same ones, which is why they stand apart from both.

Ids are made here and in `screens`, and nowhere else. Objects and seats choose their own ids, so
ours are told from theirs by a prefix ("o-wolf", "s-ana") or by a dot ("wolf.buff", "ana.head",
"ana.field.zone"), which no id of the rules contains.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import NamedTuple

from games.rules.system import System
from games.screens import words
from games.systems.presentation import STRIDE, Stepper

OOB = ' hx-swap-oob="true"'
MORPH = ' hx-swap-oob="outerMorph"'
PLAIN = re.compile(r"[A-Za-z0-9.+/-]+").fullmatch
DELETE = ' hx-swap-oob="delete"'


class Audience(NamedTuple):
    """Those who are shown the same, byte for byte.

    seat: whose eyes they are; None for all, where nobody has secrets. language: of the words.
    """

    seat: str | None = None
    language: str = "en"


def audience(system: System, seat: str | None, language: str = "en") -> Audience:
    """With whom *seat* (None: a watcher) shares every fragment."""
    return Audience(seat if system.view else None, language)


@lru_cache(maxsize=16_384)
def amount_id(holder: str, kind: str) -> str:
    """The id of the number of *kind* on *holder*, safe in an attribute. No kind has a "_"."""
    return escape(f"{holder}.{kind.replace(' ', '_')}")


@lru_cache(maxsize=16_384)
def attribute(value: str) -> str:
    """*value* as an attribute is written, without quotes where it needs none."""
    return value if PLAIN(value) else f'"{escape(value)}"'


def amount(holder: str, kind: str, n: int, swap: str = "") -> str:
    """The fragment for one number; *swap* is empty on a page and OOB in a frame."""
    return f'<b id="{amount_id(holder, kind)}"{swap}>{n}</b>'


def stepper(number: Stepper, *, again: bool = False) -> str:
    """One number between its minus and its plus.

    The buttons belong to the page's one form "t": without a script they still work.
    again: it stands on the board already; a second one follows the first and has no id.
    """
    value = attribute(f"{number.holder}.{number.kind}")
    kind = attribute(number.kind)
    more_facts = " class=is-big" if number.big else ""
    said = words.kind(number.kind)
    if said != number.kind:
        more_facts += f" data-word={attribute(said)}"
    tap, hold = number.stride
    if tap != STRIDE[0]:
        more_facts += f" data-by={tap}"
    if hold != STRIDE[1]:
        more_facts += f" data-hold={hold}"
    if number.most is not None:
        more_facts += f" data-most={number.most}"
    if number.least:
        more_facts += f" data-least={number.least}"
    less = _turn(number.decrement, value, "−") if number.decrement else ""
    more = _turn(number.increment, value, "+") if number.increment else ""
    shown = amount(number.holder, number.kind, number.amount)
    if again:
        shown = shown.replace("<b id=", "<b data-of=", 1)
    return f"<li data-kind={kind}{more_facts}>{less}{shown}{more}</li>"


def _turn(verb: str, value: str, sign: str) -> str:
    """One button of a stepper. A board has hundreds: `labels.js` tells readers what each is."""
    return f"<button form=t name={verb} value={value}>{sign}</button>"


def sequence(
    number: int,
    acks: tuple[str, ...] | list[str] = (),
    swap: str = OOB,
    by: str = "",
    idle: tuple[str, ...] | list[str] = (),
) -> str:
    """The end of every frame: the last entry it shows, and which commands were accepted in it.

    by: the seat that did all of it, if it was one and may be known. idle: those of the accepted
    commands by which nothing happened.
    """
    known = f' data-acks="{escape(" ".join(acks))}"' if acks else ""
    who = f' data-by="{escape(by)}"' if by else ""
    vain = f' data-idle="{escape(" ".join(idle))}"' if idle else ""
    return f'<data id="seq" data-seq="{number}"{known}{who}{vain}{swap}></data>'
