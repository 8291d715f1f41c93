"""Curves as inline SVG: steps from entry to entry, told apart by colour, dashes, sign and name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.story import Curve

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 96, 12, 22
LABEL = 19
"""The least distance between two names at the right."""
DASHES = ("none", "9 4", "3 3", "12 3 3 3", "6 2 1 2", "1 4", "14 5", "8 2")
MOST_ROWS = 30
"""Of the table that says the same."""


def plot(curves: Sequence[Curve], last: int, title: str) -> SafeString:
    """The curves from the opening to entry *last*, each with its name where it ends."""
    most = max([value for curve in curves for _n, value in curve.points], default=1) or 1
    least = min([0, *(value for curve in curves for _n, value in curve.points)])

    def x(number: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * number / max(last, 1), 1)

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (most - value) / (most - least), 1)

    lines = format_html_join(
        "",
        '<line class="plot-rule" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        '<text class="plot-tick" x="{}" y="{}" text-anchor="end">{}</text>',
        [(LEFT, WIDTH - RIGHT, y(n), y(n), LEFT - 6, y(n) + 4, n) for n in _ticks(least, most)],
    )
    ends = _apart([y(curve.points[-1][1]) for curve in curves])
    drawn = format_html_join(
        "",
        '<g data-place="{}"><path class="plot-curve" d="{}" stroke-dasharray="{}"/>'
        '<text class="plot-name" x="{}" y="{}">{} {}</text></g>',
        [
            (
                curve.place,
                _steps(curve, last, x, y),
                DASHES[(curve.place or i + 1) % len(DASHES) - 1],
                WIDTH - RIGHT + 6,
                ends[i] + 5,
                curve.name[:12],
                curve.points[-1][1],
            )
            for i, curve in enumerate(curves)
        ],
    )
    return format_html(
        '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>',
        WIDTH,
        HEIGHT,
        title,
        lines,
        drawn,
    )


def _steps(curve: Curve, last: int, x: Callable[[int], float], y: Callable[[int], float]) -> str:
    parts: list[str] = []
    for number, value in curve.points:
        parts.append(f"M{x(number)} {y(value)}" if not parts else f"H{x(number)}V{y(value)}")
    return "".join([*parts, f"H{x(last)}"])


def _ticks(least: int, most: int) -> Iterator[int]:
    """A few round numbers from *least* to *most*."""
    span = most - least
    step = 1
    while span / step > 5:
        step *= 2 if str(step)[0] in "15" else 5
        if str(step)[0] == "2" and span / step <= 5:
            break
    first = -(-least // step) * step
    yield from range(first, most + 1, step)


def _apart(places: Sequence[float]) -> list[float]:
    """The heights of the names, moved so that none covers another."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    apart = list(places)
    for above, below in pairwise(order):
        apart[below] = max(apart[below], apart[above] + LABEL)
    over = max([0.0, *(height - (HEIGHT - 6) for height in apart)])
    return [height - over for height in apart]


def table(curves: Sequence[Curve], last: int) -> list[tuple[int, list[int]]]:
    """The same in rows: an entry, and the value of each curve after it."""
    numbers = sorted({number for curve in curves for number, _value in curve.points} | {last})
    every = -(-len(numbers) // MOST_ROWS)
    chosen = [n for i, n in enumerate(numbers) if i % every == 0 or n == last]
    return [(number, [curve.at(number) for curve in curves]) for number in chosen]
