"""The evening as a film strip: its turns as bands in the colours of their seats, and marks below.

Everything stands at a share of the whole, so that the strip is as wide as its screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.models import Seat
from games.screens.looks import letter, looks, seat_at
from games.screens.replay.chapters import Chapter, Mark

ROOM, THIN = 4.0, 1.0
"""A band that is narrower, in hundredths of the whole, has no letter; and no gap beside it."""
SIGNS = {
    "won": "M-6 5H6L7-4L3 0L0-6L-3 0L-7-4Z",
    "out": "M-5-5L5 5M5-5L-5 5",
    "complete": "M-6 0L-2 5L6-5",
    "up": "M0-5L6 5H-6Z",
    "down": "M0 5L6-5H-6Z",
}
"""The shapes of the marks, centred on 0, what says most first: crown, cross, tick, arrows."""


def film_strip(chapters: Sequence[Chapter], marks: Sequence[Mark], last: int) -> SafeString:
    """The strip from the opening to line *last*."""
    ends = [*(each.line for each in chapters[1:]), last]
    bands = [
        _band(chapter, 100 * chapter.line / last, 100 * max(0, end - chapter.line) / last)
        for chapter, end in zip(chapters, ends, strict=False)
        if last
    ]
    signs = [
        (looks(each.seat), each.sign, f"{100 * each.line / last:.2f}%", SIGNS[each.sign])
        for each in _one_a_line(marks)
        if last
    ]
    return format_html(
        '<svg class="film" aria-hidden="true">{}{}</svg>',
        format_html_join("", "{}", ((band,) for band in bands)),
        format_html_join(
            "",
            '<g {} class="film-mark is-{}"><svg x="{}" y="25"><path d="{}"/></svg></g>',
            signs,
        ),
    )


def _one_a_line(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Of several marks of one line the one that says most."""
    order = list(SIGNS)
    lines: dict[int, Mark] = {}
    for each in marks:
        there = lines.get(each.line)
        if there is None or order.index(each.sign) < order.index(there.sign):
            lines[each.line] = each
    yield from lines.values()


def _band(chapter: Chapter, start: float, wide: float) -> SafeString:
    seat = chapter.seats[0] if chapter.seats else 0
    written = ""
    if wide > ROOM and chapter.seats:
        written = letter(seat, chapter.seats[0])
    return format_html(
        '<g {}><rect x="{}" y="0" width="{}" height="18"{}/>'
        '<text x="{}" y="13.5" text-anchor="middle">{}</text></g>',
        looks(seat),
        f"{start:.2f}%",
        f"{wide:.2f}%",
        mark_safe(" data-thin") if wide < THIN else "",
        f"{start + wide / 2:.2f}%",
        written,
    )


def _called(seat: str) -> str:
    found: Seat | None = seat_at(seat)
    return found.name if found else seat


def chapter_name(chapter: Chapter | None) -> str:
    """What a chapter is called: "Ana’s turn 5", or its own name; "" for none."""
    if chapter is None:
        return ""
    if not chapter.seats:
        return chapter.name
    who = " + ".join(_called(seat) for seat in chapter.seats)
    return _("%(who)s’s turn %(n)s") % {"who": who, "n": chapter.count}


def mark_name(mark: Mark) -> str:
    """What a mark is about, in words."""
    facts = {"who": _called(mark.seat), "before": mark.before, "after": mark.after}
    if mark.sign == "out":
        return _("%(who)s is out") % facts
    if mark.sign == "won":
        return _("%(who)s wins") % facts
    if mark.sign == "complete":
        return capfirst(_("a counter is complete"))
    return _("%(who)s: %(before)s → %(after)s") % facts
