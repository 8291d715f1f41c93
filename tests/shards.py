"""Shards of the suite, of about the same length: `pytest --shard 2/3` runs the second of three.

A file of tests is as long as its text, a browser test three times as long: where the largest
file goes first, to the shard that has least, they end within a tenth of each other.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
DEARER = {"browser": 3, "cluster": 2}
"""Folders whose tests take longer than others of their length."""


@cache
def shards(count: int) -> tuple[frozenset[Path], ...]:
    """The files of tests of each of *count* shards."""
    costs = {path: cost(path) for path in HERE.rglob("test_*.py")}
    found: list[set[Path]] = [set() for _shard in range(count)]
    for path in sorted(costs, key=lambda path: (-costs[path], path)):
        min(found, key=lambda shard: sum(map(costs.__getitem__, shard))).add(path)
    return tuple(map(frozenset, found))


def cost(path: Path) -> int:
    """The weight of a file: its bytes, or more of them."""
    folder = path.relative_to(HERE).parts[0]
    return path.stat().st_size * DEARER.get(folder, 1)
