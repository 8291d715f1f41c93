"""No word of a chart leaves its drawing or meets another, at any width, for any players."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import BytesIO
from itertools import combinations, pairwise
from typing import Any

import pytest
from PIL import Image

from games.screens.score_picture import LARGEST, Column, Row, ScorePicture, png
from games.screens.summary.labels import NARROWEST, Box
from games.screens.summary.plot import cut, text_width
from games.screens.summary.statistics import Curve, GameStatistics, Point, Swing, Turn
from games.screens.summary.summary import Summary
from games.screens.words import words_of
from games.systems import SYSTEMS, find, presentation_of

WIDTHS = (NARROWEST, 178, 233, 420, 660, 1100, 1700)
"""Pixels of a plot: from a phone of 360 to a television."""
NAMES = (
    "Q",
    "Maximiliane Wolkenstein-Ehrlich",
    "محمد عبد الرحمن",
    "🐉🔥🧙‍♀️👩‍👩‍👧",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "שרה",
)
SIZES = {
    "chart-tick": 13,
    "chart-level": 12,
    "chart-letter": 11,
    "chart-name": 13,
    "chart-value": 17,
}


class Words(HTMLParser):
    """The words of a chart's drawings: (drawing, its width or None, height, x, dx, y, anchor,
    size, text)."""

    def __init__(self, drawn: str) -> None:
        super().__init__()
        self.svgs: list[tuple[int, dict[str, str | None]]] = []
        self.found: list[tuple[Any, ...]] = []
        self.note: dict[str, str | None] | None = None
        self.number = 0
        self.feed(drawn)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "svg":
            self.number += 1
            self.svgs.append((self.number, named))
        elif tag == "text":
            self.note = named

    def handle_endtag(self, tag: str) -> None:
        if tag == "svg":
            self.svgs.pop()
        elif tag == "text":
            self.note = None

    def handle_data(self, data: str) -> None:
        if self.note is not None and len(self.svgs) == 1:
            number, svg = self.svgs[0]
            size = SIZES.get(self.note.get("class") or "", 12)
            wide, at = svg.get("width"), self.note
            self.found.append(
                (number, wide and float(wide), float(svg["height"] or 0), at["x"],
                 float(at.get("dx") or 0), float(at["y"] or 0), at.get("text-anchor"), size, data)
            )  # fmt: skip


def boxes(drawn: str, plot: float) -> list[tuple[int, float, float, str, Box]]:
    """Each word in a plot of that width: its drawing with width and height, text, and place."""
    found = []
    for number, width, high, x, dx, y, anchor, size, text in Words(drawn).found:
        whole = width or plot
        at = whole * float(x[:-1]) / 100 if x.endswith("%") else float(x)
        wide = text_width(text, size)
        left = at + dx - {"end": wide, "middle": wide / 2}.get(anchor or "", 0.0)
        found.append((number, whole, high, text, Box(0, left, left + wide, y - size * 0.75, y + 2)))
    return found


def evening(seats: int, *, start: int, hits: int, together: bool = False) -> GameStatistics:
    """Seats that are hit in turn, until all but the first are out; with a break of 15 minutes."""
    keys, at, line = [f"s{n}" for n in range(seats)], 0.0, 0
    values = dict.fromkeys(keys, start)
    points = {key: [Point(0, 0.0, start)] for key in keys}
    turns, lost = [], {}
    for hit in range(hits):
        whose, key = keys[hit % seats], keys[1 + hit * 7 % (seats - 1)]
        at += 900.0 if hit == hits // 2 else 20.0 + hit * 37 % 60
        line += 1
        turns.append(Turn((whose,), line, at, at))
        values[key] -= start // 12
        points[key].append(Point(line, at, values[key]))
    for key in keys[1:]:
        line, at = (line, at) if together and lost else (line + 1, at + 11.0)
        points[key].append(Point(line, at, -start))
        lost[key] = Point(line, at, -start)
    ends = [*(turn.began for turn in turns[1:]), at]
    turns = [
        Turn(each.seats, each.line, each.began, end) for each, end in zip(turns, ends, strict=True)
    ]
    curves = [Curve(key, (key,), tuple(points[key]), lost=lost.get(key)) for key in keys]
    return GameStatistics(
        began=0.0, ended=at, last=line, turns=turns, winners=keys[:1], lost=list(lost.items()),
        swing=Swing("", curves[1], curves[1].points[-1], curves[1].points[-2].value, keys[0]),
        charts={"": curves}, pauses=[(300.0, 1200.0)] if hits > 20 else [],
    )  # fmt: skip


@pytest.mark.parametrize(("seats", "together"), [(2, False), (4, True), (6, False)])
@pytest.mark.parametrize(("start", "hits"), [(40, 10), (8000, 60), (250_000, 200)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_words_in_charts_stay_inside_and_apart(
    system: str, start: int, hits: int, together: bool, seats: int
) -> None:
    presentation = presentation_of(find(system))
    stats = evening(seats, start=start, hits=hits, together=together)
    kind = presentation.story.hero or "points"
    curves = stats.charts.pop("")
    stats.charts[kind], stats.hero = curves, presentation.story.hero
    stats.swing = Swing(kind, curves[1], curves[1].points[-1], curves[1].points[-2].value)
    names = dict(zip((curve.holder for curve in curves), NAMES, strict=False))
    drawn = Summary(stats, words_of(find(system)), names).context()["main"]["drawn"]

    for width in WIDTHS:
        found = boxes(drawn, width)
        assert len(found) > seats * 2
        for _number, whole, high, text, box in found:
            assert -1 <= box.left, (width, text)
            assert box.right <= whole + 1, (width, text)
            assert 0 <= box.top, (width, text)
            assert box.bottom <= high, (width, text)
        for (one, *_a, text, box), (other, *_b, beside, there) in combinations(found, 2):
            assert one != other or not _meet(box, there), (width, text, beside)


def _meet(a: Box, b: Box) -> bool:
    return (
        a.left < b.right - 1
        and b.left < a.right - 1
        and a.top < b.bottom - 1
        and b.top < a.bottom - 1
    )


def test_a_note_without_room_leaves_its_sign() -> None:
    stats = evening(6, start=40, hits=60)
    stats.charts, stats.hero = {"life": stats.charts[""]}, "life"
    names = dict(zip((each.holder for each in stats.heroes), NAMES, strict=False))
    drawn = Summary(stats, words_of(find("magic")), names).context()["main"]["drawn"]

    assert 5 == len(re.findall('<g class="chart-note"', drawn))
    assert 1 <= len(re.findall(r'text-anchor="\w+">[^<]+ out</text>', drawn)) < 5


@pytest.mark.parametrize(
    "minutes", [1.1, 2, 4, 7, 9, 14, 24, 29, 44, 59, 61, 79, 99, 119, 170, 400]
)
def test_times_below_a_chart_stand_apart_on_the_narrowest_phone(minutes: float) -> None:
    stats = evening(2, start=40, hits=10)
    stats.ended, stats.last = minutes * 60, 30
    summary = Summary(stats, words_of(find("magic")), {"s0": "Ana", "s1": "Ben"})
    shown = [(at * NARROWEST, text_width(text, 13)) for at, text in summary.picture.ticks]

    assert len(shown) >= 3
    for (x, wide), (beyond, width) in pairwise(shown[1:]):
        assert x + wide / 2 < min(beyond - width / 2, NARROWEST - width)
    assert shown[0][1] < shown[1][0] - shown[1][1] / 2


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_cut_between_whole_letters(name: str) -> None:
    short = cut(name, 13, 66)

    assert text_width(short, 13) <= 66
    assert "\u200d…" not in short
    assert ("\u2068" in short) is ("\u2069" in short) is (name in (NAMES[2], NAMES[5]))


@pytest.mark.parametrize(("seats", "lines"), [(1, 2), (5, 9), (8, 40)])
def test_a_picture_is_small_and_as_wide_as_a_phone_needs(seats: int, lines: int) -> None:
    columns = tuple(
        Column("Maximiliane", "M", n % 8 + 1, n % 8 + 1, str(99_999 * n), f"{n + 1}th", n == 0)
        for n in range(seats)
    )
    rows = tuple(
        Row("Wildschweine und Rinder", tuple(str(n * line) for n in range(seats)), line % 3 > 0)
        for line in range(lines)
    )
    drawn = png(ScorePicture("Maximiliane: Agricola", "28 November", columns, rows, "Summe"))

    assert len(drawn) <= LARGEST
    with Image.open(BytesIO(drawn)) as picture:
        assert "PNG" == picture.format
        assert 540 <= picture.width
