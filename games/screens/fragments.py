"""The small pieces of pages and frames: one number, a stepper, the end of a frame.

Pages and frames share them, so they live apart from both. The rule of this room: **a single element
is a function here (of slot counters: in `slots.fragments`); what has children is a template.** The
exceptions, each with its time as a function and as a template; a board of a hundred cards takes ten
milliseconds, and a chain of six events 170 µs:

- `cards.cards._whole`, a card: 12 µs, 83 µs
- `fragments._stat`, in a card: 3 µs, 12 µs
- `fragments._hurt`, in a card: 2 µs, 12 µs
- `fragments.stepper`, a number between its buttons: 4 µs, 24 µs
- `fragments.act_button`, in a card: 4 µs, 9 µs
- `fragments.stats`, in a card: 8 µs, 33 µs
- `tags.tile`, the stepper in a sheet: 9 µs, 25 µs
- `cards.announcements._moment`: 9 µs, 58 µs

Ids are made only here and by the boards. Players choose the ids of objects and seats, so ours
differ by a prefix ("o-wolf", "s-ana") or by a dot ("wolf.buff", "ana.head", "ana.field.zone"),
which no id of the rules contains.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from json import dumps
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop

from games.rules.system import System
from games.screens.looks import looks, seat_at
from games.screens.view_models import CardView
from games.screens.words import Words
from games.systems.controls import STRIDE, Act, Goal, Stat, Stepper

OOB = ' hx-swap-oob="true"'
MORPH = ' hx-swap-oob="outerMorph"'
SAFE = re.compile(r"[A-Za-z0-9.+/-]+").fullmatch
DELETE = ' hx-swap-oob="delete"'


class Audience(NamedTuple):
    """The screens that get the same bytes.

    seat: the seat they belong to; None for watchers, and for all in a game without secrets.
    language: theirs. program: whether they are no screens but programs, which get JSON.
    """

    seat: str | None = None
    language: str = "en"
    program: bool = False


def audience(
    system: System, seat: str | None, language: str = "en", *, program: bool = False
) -> Audience:
    """The audience of *seat* (None for a watcher)."""
    return Audience(seat if system.secrets else None, language, program)


@lru_cache(maxsize=16_384)
def amount_id(holder: str, kind: str) -> str:
    """The id of the number of *kind* on *holder*, safe in an attribute. No kind contains "_"."""
    return escape(f"{holder}.{kind.replace(' ', '_')}")


@lru_cache(maxsize=16_384)
def attribute(value: str) -> str:
    """*value* as the value of an attribute, quoted only if necessary."""
    return value if SAFE(value) else f'"{escape(value)}"'


def printed(value: object) -> object:
    """A number as it is printed: with a minus, not a hyphen. Anything else as it is."""
    return str(value).replace("-", "−") if isinstance(value, int) else value


def amount(holder: str, kind: str, n: int, swap: str = "") -> str:
    """One number; *swap* is empty on a page and OOB in a frame."""
    shown = n if n >= 0 else f"−{-n}"
    return f'<b id="{amount_id(holder, kind)}"{swap}>{shown}</b>'


LEFT = gettext_noop("%(n)s left")


def left(seat: str, of: tuple[int, int], says: str) -> str:
    """The rest of the main number of *seat*: "5 left". The strip repeats it. of: the rest, and the
    maximum. says: `LEFT` in the reader's language."""
    return f'<span id="{seat}.hero.left">{says % {"n": of[0]}}</span>'


def to_go(seat: str, goal: Goal) -> str:
    """Distance of the main number of *seat* from the end of the game: "4 to go"."""
    return f'<span id="{seat}.hero.goal">{gettext(goal.says) % {"n": goal.left}}</span>'


def gauge(seat: str, of: tuple[int, int]) -> str:
    """The share of it that is gone, in percent, as a bar."""
    gone = round(100 - 100 * of[0] / of[1])
    return f'<progress id="{seat}.hero.gauge" max=100 value={gone}></progress>'


def tally(seat: str, zone: str, n: int) -> str:
    """The number of cards in a zone of *seat*."""
    return f'<b id="{seat}.{zone}.n">{n}</b>'


def no_end() -> str:
    """Empty place for the end of the game."""
    return '<div id="end" class="end"></div>'


def act_button(its: Words, act: Act, card: str) -> str:
    """The button of what one tap does with a card."""
    label = escape(capfirst(its.said(act.label)))
    looks = '"act is-later"' if act.later or act.used else "act"
    if act.sheet:
        link = f'<a class="button" href="{escape(act.sheet)}" data-sheet>{label}</a>'
        return f"<li class={looks}>{link}</li>"
    value = attribute(act.holder or card)
    return f"<li class={looks}><button form=t name={act.tap} value={value}>{label}</button></li>"


def chance(its: Words, entry: int, place: int, text: str) -> str:
    """The result of dice, coins or a draw, at the place of the seat that threw them."""
    worn = looks(seat_at(its, place))
    return f'<p id="chance" data-entry="{entry}" {worn} hidden{OOB}>{escape(text)}</p>'


def stats(its: Words, card: CardView, owner: str, word: Callable[[str], str]) -> str:
    """The stats and states of *card*, and the name of its owner, if another seat controls it.

    Below the stats stand what of them ends with the turn, and the number that lowers them, if it
    does. word: for an id.
    """
    shown = "".join([_stat(each, word(each.name)) for each in card.stats])
    for state in card.states:
        ends = state in card.ending
        said = escape(word(state)) + (f" {_until_end()}" if ends else "")
        facts = " class=is-ending" if ends else ""
        shown += f"<em data-state={attribute(state)}{facts}>{said}</em>"
    if owner:
        shown += f"<i>{gettext('of %(owner)s') % {'owner': escape(owner)}}</i>"
    below = _ending(card.stats) + (_hurt(its, card.hurt) if card.hurt and card.hurts else "")
    if below:
        shown += f"<span class=below>{below}</span>"
    return f"<p id={escape(card.id)}.stats>{shown}</p>"


def _ending(stats: Iterable[Stat]) -> str:
    """What of *stats* ends with the turn: "+3", or "+3/+0" where they differ."""
    amounts = [stat.ending for stat in stats]
    if not any(amounts):
        return ""
    alike = amounts[:1] if len(set(amounts)) == 1 else amounts
    shown = "/".join(f"{n:+d}".replace("-", "−") for n in alike)
    return f'<span class="bit is-ending">{shown} {_until_end()}</span>'


def _until_end() -> str:
    return f"<span class=unseen>{escape(gettext('until end of turn'))}</span>"


def _stat(stat: Stat, word: str) -> str:
    """One stat, after the printed number if it differs from that."""
    trend = stat.trend
    facts = f" data-word={attribute(word)}" if word != stat.name else ""
    facts += f" class=is-{trend}" if trend else ""
    before = f"<s>{escape(str(printed(stat.printed)))}</s> " if trend else ""
    return (
        f"<b data-stat={attribute(stat.name)}{facts}>{before}{escape(str(printed(stat.now)))}</b>"
    )


def _hurt(its: Words, number: Stepper) -> str:
    """The number that lowers a card's stats, as a copy of the one with buttons."""
    shown = amount(number.holder, number.kind, number.amount).replace("<b id=", "<b data-of=", 1)
    word = f"<span class=unseen>{escape(its.kind(number.kind))}</span>"
    return f'<span class="bit hurt" data-kind={attribute(number.kind)}>{shown}{word}</span>'


def stepper(its: Words, number: Stepper, *, again: bool = False, looks: str = "") -> str:
    """One number between its minus and plus buttons.

    The buttons belong to the page's one form "t", so they work without scripts too.
    again: the number is on the board already; this copy follows it and has no id. looks: classes.
    """
    value = attribute(f"{number.holder}.{number.kind}")
    kind = attribute(number.kind)
    zero = not number.amount and looks != HURT  # what is hidden anyway
    looks = f"{looks} is-zero".strip() if zero else looks
    more_facts = f" class={attribute(looks)}" if looks else ""
    more_facts += coin(its, number.kind)
    if number.look:
        more_facts += f" data-look={number.look}"
    word = its.kind(number.kind)
    if word != number.kind:
        more_facts += f" data-word={attribute(word)}"
    tap, hold = number.stride
    if tap != STRIDE[0]:
        more_facts += f" data-by={tap}"
    if hold != STRIDE[1]:
        more_facts += f" data-hold={hold}"
    if number.most is not None:
        more_facts += f" data-most={number.most}"
    if number.unit != 1:
        more_facts += f" data-unit={number.unit}"
    if number.least:
        more_facts += f" data-least={number.least}"
    if number.quick:
        more_facts += f" data-quick={attribute(' '.join(map(str, number.quick)))}"
    if number.armed:
        more_facts += f" data-armed={number.armed}"
    if number.gives:
        gives = [[each.tapped, each.amount, each.says, each.seat] for each in number.gives]
        more_facts += f' data-gives="{escape(dumps(gives, ensure_ascii=False))}"'
    less = _turn(number.decrement, value, "−") if number.decrement else ""
    more = _turn(number.increment, value, "+") if number.increment else ""
    shown = amount(number.holder, number.kind, number.amount)
    if again:
        shown = shown.replace("<b id=", "<b data-of=", 1)
    return f"<li data-kind={kind}{more_facts}>{less}{shown}{look(number)}{more}</li>"


HURT = "is-hurt"
"""The class of a number that stands below its card's stats, and with its buttons only when open."""
PIP = 14
"""The width of a pip where there is room, in pixels."""


def look(number: Stepper) -> str:
    """The picture of a number beside its digits: pips, a clock, or a track; "" for other looks.

    The page's script draws it anew as the number changes (looks.js), so that a tap stays one number
    on the wire.
    """
    n, least, most = number.amount, number.least, number.most
    if most is None or number.look not in ("pips", "clock", "track"):
        return ""
    parts = most - least
    facts = f'class="look is-{number.look}" data-least={least} data-most={most} aria-hidden=true'
    if number.look == "clock":
        around = f"<circle r=5 cx=10 cy=10 pathLength={parts}"
        filled = f'class=on stroke-dasharray="{max(0, min(n - least, parts))} {parts}"'
        drawn = f"{around} />{around} {filled} />{around} class=cuts />"
        return f'<svg {facts} viewBox="0 0 20 20">{drawn}</svg>'
    track = number.look == "track" and least < 0
    start, end = _filled(number.look, n, least, most)
    zero = _line("zero", -least, 1 - least, parts + 1) if track else ""
    drawn = _line("all", 0, parts + track, parts + track) + _line("on", start, end, parts + track)
    wide = f" width={PIP * parts}" if number.look == "pips" else ""
    return f'<svg {facts}{wide} viewBox="0 0 100 10" preserveAspectRatio=none>{drawn}{zero}</svg>'


def _line(name: str, start: int, end: int, of: int) -> str:
    """The parts from *start* to *end* of a row of *of* parts."""
    ends = f'x1="{100 * start / of:.2f}" x2="{100 * end / of:.2f}"'
    return f"<line class={name} {ends} y1=5 y2=5 pathLength={end - start} />"


def _filled(look: str, n: int, least: int, most: int) -> tuple[int, int]:
    """From which part to which pips or a track are filled: a track with a below 0 from there."""
    n = max(least, min(n, most))
    if look == "pips" or least >= 0:
        return 0, n - least
    return (1 - least, n + 1 - least) if n > 0 else (n - least, -least)


def coin(its: Words, kind: str) -> str:
    """The attributes that mark a kind by its hue and letter; "" if it has a shape or a dot."""
    mark = its.coins().get(kind)
    wide = " data-wide" if mark and len(mark.letter) > 1 else ""
    return f' data-hue={mark.hue} data-letter="{escape(mark.letter)}"{wide}' if mark else ""


def _turn(verb: str, value: str, sign: str) -> str:
    """One button of a stepper. A board has hundreds, so `labels.js` adds their accessible names."""
    return f"<button form=t name={verb} value={value}>{sign}</button>"


def sequence(
    number: int,
    acks: tuple[str, ...] | list[str] = (),
    by: str = "",
    idle: tuple[str, ...] | list[str] = (),
    entries: tuple[int, ...] | list[int] = (),
    turned: bool = False,
) -> str:
    """The end of every frame: the number of its last entry, and the commands accepted in it.

    by: the seats that gave them, as far as they are no secret. idle: the accepted commands
    that changed nothing. entries: the entries of the accepted commands, if they are not that one
    entry; 0 for one that was accepted before. turned: something was undone or redone.
    """
    known = f' data-acks="{escape(" ".join(acks))}"' if acks else ""
    who = f' data-by="{escape(by)}"' if by else ""
    unchanged = f' data-idle="{escape(" ".join(idle))}"' if idle else ""
    own = (
        f' data-entries="{" ".join(map(str, entries))}"' if [*entries] not in ([], [number]) else ""
    )
    back = " data-turned" if turned else ""
    return f'<data id="seq" data-seq="{number}"{known}{own}{who}{unchanged}{back}{OOB}></data>'
