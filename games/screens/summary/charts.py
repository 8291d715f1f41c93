"""Charts as inline SVG that fits any width without a script.

A chart is a row of three drawings: the gutter with its numbers, as wide as the longest; the plot,
which takes what is left; and the ends with names and values. In the plot, what may be stretched
(bands, curves) is drawn on a surface of 1000 by its height and stretched with it; what may not
(text, signs) stands at percentages of the width, in pixels. So no label is ever scaled or cut.
Curves differ in colour, dashes and the sign at their end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.screens.looks import Wearer, looks
from games.screens.summary.labels import NARROWEST, Note, Word, drawn
from games.screens.summary.plot import (
    DASHES,
    Line,
    Picture,
    Scale,
    apart,
    cut,
    number,
    percent,
    rounded,
    sign,
    text_width,
)

WIDTH = 1000
"""Of the stretched surface."""
LEAST_HEIGHT, EACH_END, PANEL = 250, 36, 64
"""Pixels: of a chart, of each name at its right, of a small chart."""
TOP, GAP, STRIP, FOOT = 20, 6, 14, 40
"""Pixels above the highest value, from the plot to the strip of turns, of that, and of all that is
below the plot."""
DIGIT, GUTTER = 8, 10
"""Pixels of a digit in the gutter, and of the room beside them."""
MOST_NAME = 66
"""Pixels of a name at the right; longer ones are cut."""
MOST_LETTERS, MOST_BANDS, MOST_IN_PANEL = 16, 120, 40
"""Turns up to which their strip has letters, and a chart or a small one bands, not a flicker."""
# A whole chart


def chart(
    lines: Sequence[Line],
    picture: Picture,
    *,
    title: str,
    text: str,
    loses_at: int | None = None,
    notes: Sequence[Note] = (),
) -> SafeString:
    """The chart of one number: gutter, plot and ends. text: the same in words."""
    height = max(LEAST_HEIGHT, EACH_END * len(lines) + FOOT)
    numbers = _numbers(lines, loses_at)
    y = Scale(numbers[0], numbers[-1], TOP, height - FOOT)
    levels = _words(lines, y, loses_at)
    return format_html(
        '<div class="chart">{}<div class="chart-plot"><svg height="{}" role="img" '
        'aria-label="{}">{}{}{}{}{}<line class="chart-cursor-line" y1="0" y2="{}" hidden/></svg>'
        "</div>{}</div>",
        _gutter(numbers, y, height),
        height,
        f"{title}: {text}",
        _surface(lines, picture, numbers, y, height, loses_at),
        _letters(picture, height),
        _ticks(picture, height),
        _levels(levels),
        drawn(notes, y, height - FOOT, [each.box for each in levels]),
        height - FOOT,
        _ends(lines, y, height, picture.unit),
    )


def _numbers(lines: Sequence[Line], loses_at: int | None) -> list[int]:
    """The numbers of the vertical axis.

    How far below the line a seat was when it lost tells nothing, and would squash all the rest.
    """
    values = [
        value
        for each in lines
        for step, (_at, value) in enumerate(each.steps, 1)
        if loses_at is None or value >= loses_at or step < len(each.steps) or not each.curve.lost
    ]
    return rounded(min(0, *values), max(1, *values))


def _gutter(numbers: Sequence[int], y: Scale, height: int) -> SafeString:
    wide = DIGIT * max(len(str(n)) for n in numbers) + GUTTER
    return format_html(
        '<svg class="chart-gutter" width="{}" height="{}" aria-hidden="true">{}</svg>',
        wide,
        height,
        format_html_join(
            "",
            '<text class="chart-tick" x="{}" y="{}" text-anchor="end">{}</text>',
            [(wide - 6, y(n) + 4, number(n)) for n in numbers],
        ),
    )


def _surface(
    lines: Sequence[Line],
    picture: Picture,
    numbers: Sequence[int],
    y: Scale,
    height: int,
    loses_at: int | None,
) -> SafeString:
    """Everything that is stretched to the width of the plot."""
    pauses = format_html_join(
        "",
        '<rect class="chart-pause" x="{}" width="{}" y="{}" height="{}"/>',
        [(_x(at), 40, TOP, height - FOOT - TOP) for at, _took in picture.axis.pauses],
    )
    curves = format_html_join(
        "",
        '<g {} data-curve="{}" data-name="{}"><path class="chart-curve" d="{}" '
        'stroke-dasharray="{}"/></g>',
        [
            (looks(each.place), _read(each), each.name, _path(each, y), DASHES[each.shape])
            for each in lines
        ],
    )
    return format_html(
        '<svg viewBox="0 0 1000 {}" width="100%" height="{}" preserveAspectRatio="none" '
        'aria-hidden="true">{}{}{}{}{}{}</svg>',
        height,
        height,
        _bands(picture, TOP, height - FOOT, most=MOST_BANDS),
        _bands(picture, height - FOOT + GAP, height - FOOT + GAP + STRIP, "chart-turn", 0.97),
        _across([("chart-rule", n) for n in numbers], y),
        pauses,
        _level_lines(lines, y, loses_at),
        curves,
    )


def _x(place: float) -> float:
    return round(place * WIDTH, 1)


def _bands(
    picture: Picture,
    top: float,
    bottom: float,
    name: str = "chart-band",
    part: float = 1,
    most: int | None = None,
) -> SafeString:
    """The turns as areas of the stretched surface, one for each seat; none if more than *most*.

    part: how much of each.
    """
    if most is not None and len(picture.bands) > most:
        return SafeString("")
    parts: dict[Wearer, list[str]] = {}
    for place, _letter, since, until in picture.bands:
        if until > since:
            x, wide = _x(since), _x((until - since) * part)
            parts.setdefault(place, []).append(f"M{x} {top}h{wide}V{bottom}h{-wide}z")
    return format_html_join(
        "",
        '<path class="{}" {} d="{}"/>',
        [(name, looks(place), "".join(each)) for place, each in parts.items()],
    )


def _path(each: Line, y: Scale) -> str:
    parts: list[str] = []
    for at, value in each.steps:
        parts.append(f"M{_x(at)} {y(value)}" if not parts else f"H{_x(at)}V{y(value)}")
    return "".join([*parts, f"H{_x(each.end)}"])


def _read(each: Line) -> str:
    """The steps for the reading cursor: thousandths of the axis and values."""
    return " ".join(f"{round(at * 1000)},{value}" for at, value in each.steps)


def _letters(picture: Picture, height: int) -> SafeString:
    """The letters of the seats in the strip of turns, where there are few turns and room."""
    few = len(picture.bands) <= MOST_LETTERS
    return format_html_join(
        "",
        '<text class="chart-letter" x="{}" y="{}" text-anchor="middle" '
        'aria-hidden="true">{}</text>',
        [
            (percent((since + until) / 2), height - FOOT + GAP + 11, written)
            for _place, written, since, until in picture.bands
            if few and until - since > 0.07
        ],
    )


def _ticks(picture: Picture, height: int) -> SafeString:
    return format_html_join(
        "",
        '<text class="chart-tick" x="{}" y="{}" text-anchor="{}" aria-hidden="true">{}</text>',
        [
            (percent(at), height - 4, _anchor(at, text_width(text, 13)), text)
            for at, text in picture.ticks
        ],
    )


def _anchor(at: float, wide: float) -> str:
    """Under its place, unless it would stick out there on the narrowest phone."""
    if at * NARROWEST < wide / 2:
        return "start"
    return "end" if (1 - at) * NARROWEST < wide / 2 else "middle"


def stand_apart(ticks: Sequence[tuple[float, str]]) -> bool:
    """True if the labels of the horizontal axis do so on the narrowest phone."""
    edges = []
    for at, text in ticks:
        wide = text_width(text, 13)
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[_anchor(at, wide)]
        edges.append((at * NARROWEST - before, at * NARROWEST - before + wide))
    return all(one[1] + 4 < other[0] for one, other in pairwise(edges))


def _start(lines: Sequence[Line]) -> int | None:
    """The value with which all curves begin, if it is one."""
    firsts = {each.curve.first for each in lines}
    first = next(iter(firsts))
    return first if len(firsts) == 1 and first else None


def _level_lines(lines: Sequence[Line], y: Scale, loses_at: int | None) -> SafeString:
    levels = [("chart-start", _start(lines)), ("chart-lost", loses_at)]
    return _across([(name, n) for name, n in levels if n is None or y.least <= n <= y.most], y)


def _across(levels: Sequence[tuple[str, int | None]], y: Scale) -> SafeString:
    """Lines across the stretched surface, each with its class; none at None."""
    return format_html_join(
        "",
        '<path class="{}" d="M0 {}H1000"/>',
        [(name, y(n)) for name, n in levels if n is not None],
    )


def _words(lines: Sequence[Line], y: Scale, loses_at: int | None) -> list[Word]:
    """The words at the lines of the start and of losing."""
    start, words = _start(lines), []
    if start is not None:
        words.append(Word(_("start"), 1.0, -4, y(start) - 5, right=False))
    if loses_at is not None and y.least <= loses_at <= y.most:
        words.append(Word(_("out"), 0.0, 4, y(loses_at) - 5))
    return words


def _levels(words: Sequence[Word]) -> SafeString:
    return format_html_join(
        "",
        '<text class="chart-level" x="{}" dx="{}" y="{}" text-anchor="{}" '
        'aria-hidden="true">{}</text>',
        [(percent(each.at), each.dx, each.y, each.anchor, each.text) for each in words],
    )


def _ends(lines: Sequence[Line], y: Scale, height: int, unit: str) -> SafeString:
    """The name and the last value of each curve, beside its end, and the unit beside the axis."""
    places = [y(each.curve.last) - each.curve.last * 1e-9 for each in lines]
    ends = apart(places, EACH_END, 18, height - FOOT + 6)
    names = [cut(each.name, 13, MOST_NAME) for each in lines]
    wide = max(
        text_width(text, size)
        for each, name in zip(lines, names, strict=True)
        for text, size in ((name, 14), (each.longest, 19))
    )
    parts = [
        (
            looks(each.place),
            f"M2 {y(each.curve.last)}L9 {ends[n]}" if each.end == 1 else "",
            22,
            ends[n],
            sign(each.place, each.name),
            36,
            ends[n] - 4,
            names[n],
            36,
            ends[n] + 12,
            number(each.curve.last),
        )
        for n, each in enumerate(lines)
    ]
    return format_html(
        '<svg class="chart-ends" width="{}" height="{}" aria-hidden="true">{}'
        '<text class="chart-tick" x="4" y="{}">{}</text></svg>',
        round(wide) + 38,
        height,
        format_html_join(
            "",
            '<g {}><path class="chart-lead" d="{}"/><svg x="{}" y="{}" width="1" height="1" '
            'overflow="visible">{}</svg><text class="chart-name" x="{}" y="{}">{}</text>'
            '<text class="chart-value" x="{}" y="{}" data-value>{}</text></g>',
            parts,
        ),
        height - 4,
        unit,
    )


# Small multiples


def panel(
    each: Line, picture: Picture, most: int, *, title: str, loses_at: int | None = None
) -> SafeString:
    """A small chart of one curve, up to *most*, which all beside it share."""
    least = min(0, *(value for _at, value in each.steps))
    y = Scale(least, most, 6, PANEL - 4)
    path = _path(each, y)
    area = f"{path}V{y(0)}H{_x(each.steps[0][0])}Z"
    lost = loses_at if loses_at is not None and loses_at <= most else None
    top = most if each.curve.most is not None else None
    levels = [("chart-rule", top), ("chart-rule", 0), ("chart-lost", lost)]
    return format_html(
        '<div class="chart-plot"><svg height="{}" role="img" aria-label="{}">'
        '<svg viewBox="0 0 1000 {}" width="100%" height="{}" preserveAspectRatio="none" '
        'aria-hidden="true">{}{}'
        '<g {} data-curve="{}" data-name="{}"><path class="chart-area" d="{}"/>'
        '<path class="chart-curve" d="{}"/></g></svg>'
        '<line class="chart-cursor-line" y1="0" y2="{}" hidden/></svg></div>',
        PANEL,
        title,
        PANEL,
        PANEL,
        _bands(picture, 6, PANEL - 4, most=MOST_IN_PANEL),
        _across(levels, y),
        looks(each.place),
        _read(each),
        each.name,
        area,
        path,
        PANEL,
    )
