"""A score sheet as a picture for a chat: 1080 pixels wide, in few colours.

Drawn half as large and doubled by its font sizes: what is 22 here reads as 15 in a chat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from django.contrib.staticfiles import finders

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

WIDTH, EDGE = 1080, 56
GROUND, BAND, INK, SOFT, HAIR = "#fcf8f1", "#ece6dc", "#221b12", "#5a4e3f", "#ddd6ca"
SEATS = (
    "#8a5200", "#0b5cad", "#2b6a1d", "#a01f5c", "#5a3aa8", "#a13d00", "#0d6464", "#4d463b",
)  # fmt: skip
"""The colours of seats by day, from 1."""
EMBLEMS: tuple[Sequence[tuple[float, float]], ...] = (
    (),
    ((4, 4), (96, 4), (96, 96), (4, 96)),
    ((50, 0), (100, 94), (0, 94)),
    ((50, 0), (100, 50), (50, 100), (0, 50)),
    ((25, 4), (75, 4), (100, 50), (75, 96), (25, 96), (0, 50)),
    ((4, 96), (4, 40), (20, 12), (50, 4), (80, 12), (96, 40), (96, 96)),
    ((4, 4), (96, 4), (96, 58), (50, 100), (4, 58)),
    ((4, 96), (4, 50), (30, 12), (96, 4), (96, 50), (70, 88)),
)
"""The corners of emblems in percent; the first is a circle."""
TEXT, MANY_LINES, LINE, LOW_LINE, FOLLOWS = 44, 14, 90, 68, 64
TOP, FOOT, SMALLEST, TRIANGLE = 400, 240, 16, 3
LARGEST = 100_000
"""Bytes of a picture."""
PARTS = re.compile("0+|[^0]+")
ZERO = "vendor/countersite-zero-400-700.woff2"
FONT = "vendor/atkinson-hyperlegible-next-latin-400-700.woff2"


class Column(NamedTuple):
    """A player: name, sign, colour and emblem of the mark, total and place, and if it has won."""

    name: str
    letter: str
    colour: int
    emblem: int
    total: str
    place: str
    won: bool


class Row(NamedTuple):
    """A line: its head, a number for each player, and whether these are added up as they are."""

    head: str
    numbers: tuple[str, ...]
    counts: bool = True
    follows: bool = False


class ScorePicture(NamedTuple):
    """What is on the picture: the news, when, the players, the lines and what the totals are."""

    title: str
    when: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    sums: str


@cache
def _font(name: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(str(finders.find(name)), size)
    font.set_variation_by_axes([weight])
    return font


class Pen(NamedTuple):
    """Writes texts whose zero has no slash, each as large as its place allows."""

    drawing: ImageDraw.ImageDraw

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: int = TEXT,
        weight: int = 500,
        colour: str = INK,
        *,
        width: float = WIDTH,
        middle: bool = False,
    ) -> None:
        """Write *text* on the line through *y*, from *x* on or around it."""
        while size > SMALLEST and length(text, size, weight) > width:
            size -= 2
        x -= length(text, size, weight) / 2 if middle else 0
        for part in PARTS.findall(text):
            font = _font(ZERO if part[0] == "0" else FONT, size, weight)
            self.drawing.text((x, y + size * 0.34), part, colour, font, "ls")
            x += font.getlength(part)


def length(text: str, size: int = TEXT, weight: int = 500) -> float:
    """How wide *text* is."""
    parts = PARTS.findall(text)
    return sum(
        _font(ZERO if part[0] == "0" else FONT, size, weight).getlength(part) for part in parts
    )


def png(shown: ScorePicture) -> bytes:
    """The picture as PNG, in fewer colours and smaller if it were too large for a chat."""
    from PIL import Image

    image = _drawn(shown)
    for width, colours in ((WIDTH, 64), (WIDTH, 32), (WIDTH * 2 // 3, 32), (WIDTH // 2, 32)):
        size = width, image.height * width // WIDTH
        smaller = image if width == WIDTH else image.resize(size, Image.Resampling.LANCZOS)
        written = BytesIO()
        few = smaller.quantize(colours, dither=Image.Dither.NONE)
        few.save(written, "PNG", optimize=True)
        if written.tell() <= LARGEST:
            break
    return written.getvalue()


def _drawn(shown: ScorePicture) -> Image.Image:
    from PIL import Image, ImageDraw  # ten megabytes that most processes never need

    line = LINE if len(shown.rows) <= MANY_LINES else LOW_LINE
    heights = [FOLLOWS if row.follows else line for row in shown.rows]
    foot = TOP + sum(heights)
    image = Image.new("RGB", (WIDTH, foot + FOOT), GROUND)
    drawing = ImageDraw.Draw(image, "RGBA")
    pen, width = Pen(drawing), WIDTH - 2 * EDGE
    heads = max(length(row.head) for row in shown.rows)
    left = EDGE + min(max(heads + 24, 150), width * 0.42)
    column = (WIDTH - EDGE - left) / len(shown.columns)
    middles = [left + column * (n + 0.5) for n in range(len(shown.columns))]

    drawing.rectangle((0, foot, WIDTH, foot + FOOT), BAND)
    for x, each in zip(middles, shown.columns, strict=True):
        if each.won:
            box = (x - column / 2 + 4, 210, x + column / 2 - 4, foot + FOOT - 20)
            colour = SEATS[each.colour - 1]
            drawing.rounded_rectangle(box, 24, f"{colour}1f", colour, 5)
    pen.write(EDGE, 90, shown.title, 76, 700, width=width)
    pen.write(EDGE, 160, shown.when, colour=SOFT, width=width)
    y = TOP
    for n, (row, height) in enumerate(zip(shown.rows, heights, strict=True)):
        if n and not row.follows:
            drawing.line((EDGE, y, WIDTH - EDGE, y), HAIR, 2)
        _row(pen, row, y + height / 2, middles, left - EDGE - 12, column)
        y += height
    pen.write(EDGE, foot + 80, shown.sums, weight=700, width=left - EDGE - 12)
    for x, each in zip(middles, shown.columns, strict=True):
        _head(pen, x, column, each)
        pen.write(x, foot + 80, each.total, 72, 700, width=column - 12, middle=True)
        weight, colour = (700, INK) if each.won else (500, SOFT)
        pen.write(x, foot + 160, each.place, 40, weight, colour, width=column - 12, middle=True)
    return image


def _head(pen: Pen, x: float, column: float, each: Column) -> None:
    """A player's mark, and the name below it."""
    size, y = min(72.0, column - 12), 266
    corners, colour = EMBLEMS[each.emblem - 1], SEATS[each.colour - 1]
    left, top = x - size / 2, y - size / 2
    if corners:
        points = [(left + over * size / 100, top + down * size / 100) for over, down in corners]
        pen.drawing.polygon(points, colour)
    else:
        pen.drawing.ellipse((left, top, left + size, top + size), colour)
    lower = 10 if each.emblem == TRIANGLE else 0
    pen.write(x, y + lower, each.letter, int(size / 2), 700, GROUND, middle=True)
    fits = length(each.name, 28) <= column - 8
    names = [each.name] if fits else each.name.replace("-", "- ").split(" ", 1)
    for n, name in enumerate(names):
        high = 40 if len(names) == 1 else 28
        pen.write(x, 346 + 28 * n, name.strip(), high, width=column - 12, middle=True)


def _row(
    pen: Pen, row: Row, y: float, middles: Sequence[float], width: float, column: float
) -> None:
    inset = 24 if row.follows else 0
    colour = SOFT if row.follows else INK
    pen.write(EDGE + inset, y, row.head, colour=colour, width=width - inset)
    for x, number in zip(middles, row.numbers, strict=True):
        soft = not row.counts or number == "0"
        weight, colour = (500, SOFT) if soft else (700, INK)
        pen.write(x, y, number, TEXT, weight, colour, width=column - 8, middle=True)
