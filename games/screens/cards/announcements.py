"""Announcements of an entry to the whole table, as a fragment ("moments")."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from django.utils.translation import gettext as _

from games.rules.entry import Entry
from games.rules.history import Applied
from games.rules.state import GameObject, GameState
from games.screens.cards.end import reason
from games.screens.cards.moments import (
    BEGINNINGS,
    Moment,
    Moments,
    first_of,
    noteworthy,
    others_hand,
)
from games.screens.cards.seats import panel_of
from games.screens.drawing import Drawing
from games.screens.fragments import OOB, printed
from games.screens.log.parts import ANY
from games.screens.log.undo import taken_back
from games.screens.looks import looks, mark, seat_at
from games.screens.words import Words


def has_moments(drawing: Drawing, given: Applied) -> bool:
    """True if there may be moments in it; most plain taps have none."""
    if given.entry is None or given.reversals:
        return given.entry is not None
    own = drawing.presentation
    for event in given.entry.events:  # a generator costs as much as this saves
        if noteworthy(own, given, event):
            return True
    return drawing.system.secrets is not None and any(_revealed(given))


class Told(NamedTuple):
    """All moments of a command, of which each seat is told those that concern it.

    hit: the seats whose cards another player changed, each with who did.
    """

    given: Applied
    moments: Sequence[Moment]
    hit: Iterable[str]


def readers(drawing: Drawing, given: Applied, language: str) -> set[str]:
    """The seats that are told something else than the others of what was `announced`."""
    told: Told | None = drawing.cache.of(given.after).get(("told", language))
    if told is None or told.given is not given:
        return set()
    return {seat for it in told.moments for seat in (*it.to, *it.but)}


def _told(drawing: Drawing, given: Applied) -> Told:
    key, known = ("told", drawing.language), drawing.cache.of(given.after)
    if key not in known or known[key].given is not given:
        found = [*moments(drawing, given)]
        known[key] = Told(given, found, _hit(given) if found else ())
    told: Told = known[key]
    return told


def announced(drawing: Drawing, given: Applied, seat: str | None) -> str:
    """The moments that *seat* is told, and the seats whose cards another player changed; "" for
    neither."""
    told = _told(drawing, given)
    concerning = [it for it in told.moments if seat not in it.but and (not it.to or seat in it.to)]
    shown, more = first_of(concerning) if concerning else ((), 0)
    if not (shown or told.hit):
        return ""
    places = {seat: place for place, seat in enumerate(given.after.seats, 1)}
    kinds = drawing.presentation.board.finishing_questions
    finished = {*_finishing(kinds, given.entry)} if kinds and given.entry else ()
    drawn = [
        _moment(
            drawing.its,
            it,
            *_marked(drawing.its, places.get(it.seat), drawing.name(it.seat)),
            "" if it.entry in finished else _button(it),
        )
        for it in shown
    ]
    facts = f' data-more="{more}"' if more else ""
    if told.hit:
        facts += f' data-hit="{escape(" ".join(told.hit))}"'
    return f'<div id="moments" hidden{facts}{OOB}>{"".join(drawn)}</div>'


def _finishing(kinds: Container[str], entry: Entry) -> Iterator[int]:
    """The entries that finish an act: what takes back only them is the answer's own Undo."""
    for event in entry.events:
        if event["kind"] == "answered" and event["prompt"].partition(":")[0] in kinds:
            yield event["entry"]


def _hit(given: Applied) -> dict[str, None]:
    """The seats whose cards another player changed, each with who did: "ben:ana".

    What happens as a turn begins is the game's own doing.
    """
    entry = given.entry
    if entry is None or given.reversals:
        return {}
    found: dict[str, None] = {}
    for event in entry.events:
        if event["kind"] in BEGINNINGS:
            return {}
        by = given.giver(event)
        if whose := others_hand(given.before, event, by):
            found[f"{whose}:{by}"] = None
    return found


def _button(it: Moment) -> str:
    """The Undo or Redo button of a moment."""
    if it.lots:
        fields = f'form="aside" formaction="draw" name="again" value="{it.entry}"'
        return f"<button {fields}>{_('Draw again')}</button>"
    if it.kind in ("turn", "asked"):
        return ""
    does, entries = it.does or ("undo", f"{it.entry}")
    word = _("Redo") if does == "redo" else _("Undo")
    return f'<button type="button" data-does="{does}" data-entries="{entries}">{word}</button>'


def _marked(its: Words, place: int | None, name: str) -> tuple[str, str]:
    """The attributes of what belongs to a seat, and its mark; without a place, neither."""
    if place is None:
        return "", ""
    seat = seat_at(its, place)
    return f" {looks(seat)}", mark(seat, name)


def drawn_moment(its: Words, it: Moment, names: Mapping[str, str]) -> str:
    """A moment of the beginning. names: of all seats, in table order."""
    place = [*names].index(it.seat) + 1
    return _moment(its, it, *_marked(its, place, names[it.seat]), _button(it))


def _moment(its: Words, it: Moment, seat: str, mark: str, button: str) -> str:
    """One moment. seat, mark: of its seat. button: what takes it back, or "".

    The attributes say who is told of it, and which card and numbers it is about.
    """
    facts, rule, says = f' data-moment="{it.kind}" data-entry="{it.entry}"{seat}', "", ""
    seats = {"for": it.to, "but": it.but, "stays": it.stays, "lots": it.lots}
    about = {"about": it.about, "rule": it.rule, "numbers": " ".join(it.numbers)}
    joined = {name: " ".join(keys) for name, keys in seats.items()}
    for name, words in (joined | about).items():
        if words:
            facts += f' data-{name}="{escape(words)}"'
    title = escape(it.title)
    if it.n is not None:  # a phone adds up what quick taps do to one card
        title = title.replace(ANY, f"<b data-n>{it.n}</b>")
    if it.rule:
        cited = escape(_("Rule %(number)s") % {"number": its.own_text(it.rule)})
        rule = (
            f' <a class="moment-rule" href="{_address(it.rule)}" data-sheet'
            f' aria-label="{cited}">{_("Rule")}</a>'
        )
    if it.says:
        says = f"<i>: </i><span>{escape(it.says)}</span>"
    blow = ""
    if it.blow:
        what, before, after = it.blow
        blow = (
            f'<p class="moment-blow unseen">{escape(what)}'
            f"<span><b>{printed(before)}</b> → <b>{printed(after)}</b></span></p>"
        )
    return (
        f'<div class="moment is-{it.kind}"{facts}>{mark}'
        f'<p class="moment-says"><strong>{title}</strong>{says}{rule}</p>{blow}'
        f'<span class="moment-do">{button}</span></div>'
    )


def moments(drawing: Drawing, given: Applied) -> Iterator[Moment]:
    """The moments of an accepted command, in the order in which they happened."""
    entry = given.entry
    if entry is None:
        return
    for back, reversal in zip(
        taken_back(drawing.system, given, drawing.name), given.reversals, strict=True
    ):
        number = reversal.entry.number
        yield Moment(
            kind="undo",
            seat=back.by,
            title=back.title,
            says=back.text,
            stays=tuple({back.by: None, **{each.by: None for each in reversal.of}}),
            entry=number,
            does=(back.opposite, back.turned),
        )
    yield from Moments(
        drawing.system,
        given,
        drawing.name,
        lambda seat: reason(drawing, given.after, seat),
        lambda seat: _hero(drawing, given.after, seat),
    ).moments()
    if drawing.system.secrets:
        for obj in _revealed(given):
            title = _("%(name)s was revealed") % {"name": obj.name}
            yield Moment(kind="revealed", seat=obj.controller, title=title, entry=entry.number)


def _revealed(given: Applied) -> Iterator[GameObject]:
    """The objects that were unseen before a command. An undo or a redo shows nothing new."""
    before, after = given.before.objects, given.after.objects
    if given.entry is None or given.reversals or before is after:
        return
    for key, obj in before.items():
        if obj.unseen and key in after and not after[key].unseen:
            yield after[key]


def _hero(drawing: Drawing, state: GameState, seat: str) -> str:
    """The holder of the number that stands big on the panel of *seat*; "" without one."""
    hero = panel_of(drawing, state, seat).hero
    return hero.holder if hero else ""


@lru_cache(maxsize=4_096)
def _address(rule: str) -> str:
    """The address of a rule's text, safe in an attribute."""
    return f"rules?rule={escape(quote(rule))}"
