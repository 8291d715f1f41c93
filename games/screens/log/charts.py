"""Charts as inline SVG: stepped curves that differ in sign, letter, dashes and colour.

A phone shows them half as wide as a desktop screen, so nothing in them is longer than a number. The
names are in the legend below, next to the same signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from games.screens.log.statistics import Curve, Turn
from games.screens.looks import letter, looks, seat_at

WIDTH, HEIGHT = 480, 240
LEFT, RIGHT, TOP, BOTTOM = 46, 84, 14, 14
SIGN = 22
"""The width of a sign, and the least distance between two signs at the right edge."""
BETWEEN = 90
"""The least distance between two small signs on a curve."""
DASHES = ("none", "9 4", "3 3", "12 3 3 3", "6 2 1 2", "1 4", "14 5", "8 2")
SIGNS = (
    "M-10 0A10 10 0 1 1 10 0A10 10 0 1 1-10 0Z",
    "M-9-9H9V9H-9Z",
    "M0-12L12 10H-12Z",
    "M0-12L12 0L0 12L-12 0Z",
    "M-6-10H6L11 0L6 10H-6L-11 0Z",
    "M-10 9V0A10 10 0 0 1 10 0V9Z",
    "M-10-10H10V2L0 11L-10 2Z",
    "M-10 10V0A10 10 0 0 1 0-10H10V0A10 10 0 0 1 0 10Z",
)
"""The shapes that mark the seats everywhere, centred on 0."""
MOST_ROWS = 30
"""Rows of the table with the same values."""
STRIP = 34


def chart(curves: Sequence[Curve], last: int, title: str = "", text: str = "") -> SafeString:
    """The curves from the opening to entry *last*, each with its sign and value at the end.

    title, text: a name and a description for people who cannot see the chart.
    """
    most = max([value for curve in curves for _n, value in curve.points], default=1) or 1
    least = min([0, *(value for curve in curves for _n, value in curve.points)])

    def x(number: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * number / max(last, 1), 1)

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (most - value) / (most - least), 1)

    lines = format_html_join(
        "",
        '<line class="chart-rule" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        '<text class="chart-tick" x="{}" y="{}" text-anchor="end">{}</text>',
        [(LEFT, WIDTH - RIGHT, y(n), y(n), LEFT - 6, y(n) + 5, n) for n in _ticks(least, most)],
    )
    ends = _apart([y(curve.points[-1][1]) for curve in curves])
    signs = marks(curves)
    drawn = format_html_join(
        "",
        '<g {}><path class="chart-curve" d="{}" stroke-dasharray="{}"/>{}{}'
        '<text class="chart-value" x="{}" y="{}">{}</text></g>',
        [
            (
                looks(curve.place),
                _steps(curve, last, x, y),
                DASHES[_shape(curve, i)],
                _on_the_way(curve, _shape(curve, i), x, y),
                sign(_shape(curve, i), signs[i], WIDTH - RIGHT + SIGN / 2 + 2, ends[i]),
                WIDTH - RIGHT + SIGN + 8,
                ends[i] + 6,
                curve.points[-1][1],
            )
            for i, curve in enumerate(curves)
        ],
    )
    return format_html(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>'
        "<desc>{}</desc>{}{}</svg>",
        WIDTH,
        HEIGHT,
        f"{title}: {text}",
        title,
        text,
        lines,
        drawn,
    )


def legend(curves: Sequence[Curve]) -> list[tuple[Curve, SafeString]]:
    """Each curve with its sign, for a list of their names."""
    signs = marks(curves)
    return [
        (
            curve,
            format_html(
                '<svg class="chart-sign" viewBox="-13 -13 26 26" aria-hidden="true">{}</svg>',
                sign(_shape(curve, i), signs[i], 0, 0),
            ),
        )
        for i, curve in enumerate(curves)
    ]


def marks(curves: Sequence[Curve]) -> list[str]:
    """The letter in each sign: the seat's, or a number if a seat has several curves."""
    places = [curve.place for curve in curves]
    if len(set(places)) == len(places) and 0 not in places:
        return [letter(curve.place, curve.name) for curve in curves]
    return [str(number) for number in range(1, len(curves) + 1)]


def sign(shape: int, written: str, x: float, y: float) -> SafeString:
    """One sign with its letter, centred on that point."""
    return format_html(
        '<g class="chart-mark" transform="translate({} {})"><path d="{}"/>'
        '<text y="{}" text-anchor="middle">{}</text></g>',
        x,
        y,
        SIGNS[shape],
        9 if shape == 2 else 5,
        written,
    )


def strip(turns: Sequence[Turn], places: dict[str, int], title: str) -> SafeString:
    """The turns in a row, each as wide as it was long, with the letter and colour of its seat."""
    whole = sum(turn.took.total_seconds() for turn in turns)
    if len(turns) < 2 or not whole:
        return mark_safe("")
    parts, at = [], 0.0
    for turn in turns:
        wide = WIDTH * turn.took.total_seconds() / whole
        place = places.get(turn.seats[0], 0) if turn.seats else 0
        parts.append(
            (
                looks(place),
                round(at, 1),
                max(0.5, round(wide - 1, 1)),
                STRIP,
                round(at + wide / 2, 1),
                letter(place, turn.name) if wide > 16 else "",
            )
        )
        at += wide
    drawn = format_html_join(
        "",
        '<g {}><rect x="{}" width="{}" height="{}" rx="3"/>'
        '<text x="{}" y="23" text-anchor="middle">{}</text></g>',
        parts,
    )
    return format_html(
        '<svg class="chart chart-strip" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        "<title>{}</title>{}</svg>",
        WIDTH,
        STRIP,
        title,
        title,
        drawn,
    )


def _shape(curve: Curve, index: int) -> int:
    seat = seat_at(curve.place)
    return ((seat.emblem if seat else curve.place or index + 1) - 1) % len(SIGNS)


def _on_the_way(
    curve: Curve, shape: int, x: Callable[[int], float], y: Callable[[int], float]
) -> SafeString:
    """Small signs along a curve, which identify it where curves cross."""
    found, last = [], -BETWEEN + x(0)
    for number, value in curve.points:
        if x(number) - last >= BETWEEN and x(number) < WIDTH - RIGHT - BETWEEN / 3:
            last = x(number)
            found.append((last, y(value), SIGNS[shape]))
    return format_html_join(
        "", '<path class="chart-point" transform="translate({} {}) scale(0.55)" d="{}"/>', found
    )


def _steps(curve: Curve, last: int, x: Callable[[int], float], y: Callable[[int], float]) -> str:
    parts: list[str] = []
    for number, value in curve.points:
        parts.append(f"M{x(number)} {y(value)}" if not parts else f"H{x(number)}V{y(value)}")
    return "".join([*parts, f"H{x(last)}"])


def _ticks(least: int, most: int) -> Iterator[int]:
    """A few round numbers between *least* and *most*."""
    span = most - least
    step = 1
    while span / step > 5:
        step *= 2 if str(step)[0] in "15" else 5
        if str(step)[0] == "2" and span / step <= 5:
            break
    first = -(-least // step) * step
    yield from range(first, most + 1, step)


def _apart(places: Sequence[float]) -> list[float]:
    """The heights of the signs, moved so that none overlap and all stay inside the chart."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    apart = list(places)
    for above, below in pairwise(order):
        apart[below] = max(apart[below], apart[above] + SIGN)
    over = max([0.0, *(height - (HEIGHT - SIGN / 2) for height in apart)])
    return [round(height - over, 1) for height in apart]


def table(curves: Sequence[Curve], last: int) -> list[tuple[int, list[int]]]:
    """The same values as rows: an entry, and the value of each curve after it."""
    numbers = sorted({number for curve in curves for number, _value in curve.points} | {last})
    every = -(-len(numbers) // MOST_ROWS)
    chosen = [n for i, n in enumerate(numbers) if i % every == 0 or n == last]
    return [(number, [curve.at(number) for curve in curves]) for number in chosen]
