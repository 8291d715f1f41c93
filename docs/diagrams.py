"""Draw the Mermaid diagrams of the pages as SVG: the built site needs nothing from elsewhere.

Only what `tests/house.py` writes is understood: nodes with a text, and arrows between them.
"""

from __future__ import annotations

import html
import re
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

NODE = re.compile(r'(\w+)\["([^"]+)"\]')
ARROW = re.compile(r"(\w+) --> (\w+)")
WIDTH, HEIGHT, ACROSS, DOWN = 230, 34, 24, 30


class Diagram(SphinxDirective):
    """A flowchart from top to bottom; each node lies below all that lead to it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        first, *lines = (line.strip() for line in self.content)
        texts: dict[str, str] = {}
        arrows: list[tuple[str, str]] = []
        if first != "flowchart TD":
            raise self.error(f"a diagram begins with flowchart TD, not with {first!r}")
        for line in lines:
            if node := NODE.fullmatch(line):
                texts[node[1]] = node[2]
            elif arrow := ARROW.fullmatch(line):
                arrows.append((arrow[1], arrow[2]))
            else:
                raise self.error(f"docs/diagrams.py cannot draw {line!r}")
        said = "; ".join(f"{texts[start]} leads to {texts[end]}" for start, end in arrows)
        drawn = svg(texts, arrows, said)
        return [nodes.raw("", drawn, format="html")]


def rows(texts: dict[str, str], arrows: list[tuple[str, str]]) -> list[list[str]]:
    """The nodes, row by row."""
    depth = dict.fromkeys(texts, 0)
    for _ in texts:  # the longest way has as many steps as there are nodes
        for start, end in arrows:
            depth[end] = max(depth[end], depth[start] + 1)
    return [
        [name for name in texts if depth[name] == row] for row in range(max(depth.values()) + 1)
    ]


def svg(texts: dict[str, str], arrows: list[tuple[str, str]], said: str) -> str:
    """The diagram, in the colours of the text around it. said: the same in words."""
    placed = rows(texts, arrows)
    most = max(len(row) for row in placed)
    wide, high = most * (WIDTH + ACROSS), len(placed) * (HEIGHT + DOWN) - DOWN + 4
    at: dict[str, tuple[float, float]] = {}
    for down, row in enumerate(placed):
        left = (wide - len(row) * (WIDTH + ACROSS) + ACROSS) / 2
        for across, name in enumerate(row):
            at[name] = left + across * (WIDTH + ACROSS), 2 + down * (HEIGHT + DOWN)
    parts = [
        f'<svg viewBox="0 0 {wide} {high}" width="{wide}" role="img" style="max-width: 100%" '
        f'fill="none" stroke="currentColor" font-size="14"><title>{html.escape(said)}</title>'
    ]
    for start, end in arrows:
        (x, y), (to, below) = at[start], at[end]
        x, y, to = x + WIDTH / 2, y + HEIGHT, to + WIDTH / 2
        parts.append(f'<path d="M{x} {y} L{to} {below} m-4 -7 l4 7 l4 -7"/>')
    for name, (x, y) in at.items():
        parts.append(f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>')
        parts.append(
            f'<text x="{x + WIDTH / 2}" y="{y + HEIGHT / 2 + 5}" text-anchor="middle" '
            f'fill="currentColor" stroke="none">{html.escape(texts[name])}</text>'
        )
    return "".join([*parts, "</svg>"])


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("mermaid", Diagram)
    return {"parallel_read_safe": True}
