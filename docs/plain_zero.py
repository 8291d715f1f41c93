"""Make the font of the plain zero: the page's own zero without its slash, a face of one character.

    pip install fonttools brotli
    python docs/plain_zero.py static/vendor/atkinson-hyperlegible-next-latin-400-700.woff2 OUT.woff2

The slash tells 0 from O in codes and addresses. Where there are only digits it says nothing, and at
the size of a life total it is the loudest thing on the screen. By the licence a changed font has
another name.
"""

from __future__ import annotations

import array
import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.ttProgram import Program

NAME = "Countersite Zero"
OUTLINE = 16
"""Points of the outer outline, which stays; the two counters that the slash parts follow it."""
INNER = [
    ((324, 62), 1, (6, 32)), ((265, 62), 0, (22, 32)),
    ((188, 126), 0, (37, 17)), ((151, 248), 0, (41, 2)),
    ((151, 335), 1, (41, 0)), ((151, 422), 0, (41, -2)),
    ((188, 544), 0, (37, -17)), ((265, 608), 0, (22, -32)),
    ((324, 608), 1, (6, -32)), ((383, 608), 0, (-10, -32)),
    ((460, 544), 0, (-25, -17)), ((497, 422), 0, (-29, -2)),
    ((497, 335), 1, (-29, 0)), ((497, 248), 0, (-29, 2)),
    ((460, 126), 0, (-25, 17)), ((383, 62), 0, (-10, 32)),
]  # fmt: skip
"""In 1/1000 em: a point, whether it lies on the curve, its way from weight 400 to weight 700."""


def turns_left(points: list[tuple[int, int]]) -> bool:
    """True if a closed outline runs anticlockwise."""
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(x * below - right * y for (x, y), (right, below) in pairs) > 0


def without_slash(font: TTFont) -> None:
    """Give the zero one inner outline instead of the two beside its slash."""
    glyph, (wider,) = font["glyf"]["zero"], font["gvar"].variations["zero"]
    outer, moves = list(glyph.coordinates)[:OUTLINE], list(wider.coordinates)
    inner = list(INNER)
    if turns_left(outer) == turns_left([point for point, _, _ in inner]):
        inner = [inner[0], *reversed(inner[1:])]
    glyph.coordinates = type(glyph.coordinates)(outer + [point for point, _, _ in inner])
    glyph.flags = array.array("B", [*glyph.flags[:OUTLINE], *(curve for _, curve, _ in inner)])
    glyph.endPtsOfContours = [OUTLINE - 1, 2 * OUTLINE - 1]
    glyph.numberOfContours = 2
    glyph.program = Program()
    glyph.program.fromBytecode(b"")
    glyph.recalcBounds(font["glyf"])
    wider.coordinates = moves[:OUTLINE] + [move for _, _, move in inner] + moves[-4:]


def main(source: str, made: str) -> None:
    font = TTFont(source, recalcTimestamp=False)
    without_slash(font)
    asked = Options(flavor="woff2", layout_features=["tnum"], notdef_outline=True)
    asked.name_IDs = [0, 1, 2, 13, 14]
    subsetter = Subsetter(asked)
    subsetter.populate(unicodes=[ord("0")])
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID == 1:
            record.string = NAME
    font.flavor = "woff2"
    font.save(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
