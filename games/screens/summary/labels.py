"""Notes in a chart: a few words beside the points that one looks for.

A plot is as wide as its screen, and its words are not, so where a note stands is chosen for every
width at once. A note that meets an edge, a word or another point at any of them is tried elsewhere;
where there is no room at all, only its sign is drawn. The end of the curve and the tables say the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from games.screens.looks import Wearer, looks
from games.screens.summary.plot import Scale, percent, text_width

NARROWEST, WIDEST = 150, 2000
"""Pixels of a plot, from the narrowest phone to any screen."""
SIZE, LINE = 12, 14
"""Pixels of the letters, and of a line of them."""
BESIDE = (-12, 16, 4, -28, 32, -44, 48)
"""Pixels from a point down to where a note about it may stand."""


class Note(Struct, frozen=True):
    """A few words at a point of the plot, about a seat, or "" for the sign alone.

    place: the seat; 0 for several. out: it lost there.
    """

    text: str
    place: Wearer
    at: float
    value: int
    out: bool = False


class Box(Struct, frozen=True):
    """Room that is taken, whatever the width of the plot.

    at: a place of the axis, 0 to 1. left, right: pixels from there. top, bottom: from above.
    """

    at: float
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """True if the two overlap in a plot of any width."""
        if self.top >= other.bottom or other.top >= self.bottom:
            return False
        apart = sorted((self.at - other.at) * wide for wide in (NARROWEST, WIDEST))
        return apart[0] < other.right - self.left and apart[1] > other.left - self.right

    def inside(self, bottom: float) -> bool:
        """True if it is within even the narrowest plot, of which *bottom* is the end."""
        fits = -self.left <= self.at * NARROWEST and self.right <= (1 - self.at) * NARROWEST
        return fits and self.top >= 0 and self.bottom <= bottom


class Word(Struct, frozen=True):
    """Words that begin (right) or end dx pixels from a place. y: of their line."""

    text: str
    at: float
    dx: float
    y: float
    right: bool = True

    @property
    def anchor(self) -> str:
        """The end of the text that is at its place."""
        return "start" if self.right else "end"

    @property
    def box(self) -> Box:
        """The room that it takes."""
        wide = text_width(self.text, SIZE)
        left, right = (0.0, wide) if self.right else (-wide, 0.0)
        return Box(self.at, self.dx + left, self.dx + right, self.y - LINE + 3, self.y + 3)


def drawn(notes: Sequence[Note], y: Scale, bottom: float, taken: Sequence[Box]) -> SafeString:
    """The notes, the first of which has the first choice. taken: where other words stand."""
    boxes = [*taken, *(Box(each.at, -6, 6, y(each.value) - 6, y(each.value) + 6) for each in notes)]
    parts = []
    for note in notes:
        word = next((each for each in _places(note, y) if _free(each.box, bottom, boxes)), None)
        if word is not None:
            boxes.append(word.box)
        parts.append(
            (
                looks(note.place),
                percent(note.at),
                y(note.value),
                CROSS if note.out else CIRCLE,
                _written(word) if word else "",
            )
        )
    return format_html_join(
        "",
        '<g class="chart-note" {} aria-hidden="true"><svg x="{}" y="{}" width="1" height="1" '
        'overflow="visible">{}</svg>{}</g>',
        parts,
    )


CROSS = mark_safe('<path d="M-5-5L5 5M5-5L-5 5"/>')
CIRCLE = mark_safe('<circle r="6"/>')


def _places(note: Note, y: Scale) -> Iterator[Word]:
    """Possible places of a note, the best first: close to its point, towards the middle."""
    if note.text:
        inwards = note.at < 0.5
        for dy in BESIDE:
            for right in (inwards, not inwards):
                yield Word(note.text, note.at, 10 if right else -10, y(note.value) + dy, right)


def _free(box: Box, bottom: float, taken: Sequence[Box]) -> bool:
    return box.inside(bottom) and not any(box.meets(each) for each in taken)


def _written(word: Word) -> SafeString:
    return format_html(
        '<text x="{}" dx="{}" y="{}" text-anchor="{}">{}</text>',
        percent(word.at),
        word.dx,
        word.y,
        word.anchor,
        word.text,
    )
