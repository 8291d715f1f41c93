"""Definitions with faults: whole ones in which something else stands at a place or two."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

Json = Any
ODD: Sequence[Json] = (
    None, True, -5, 0, 1, 2, "it", "target", "change", "player", "table", {}, [], "round", "any",
)  # fmt: skip


def mutants(definitions: Sequence[Json], number: int, seed: int = 7) -> Iterator[Json]:
    """*number* of them. Each seed gives the same ones for ever: only `random()` is asked."""
    random = Random(seed).random
    parts = [part for definition in definitions for part in _parts(definition)]
    keys = sorted({key for part in parts if isinstance(part, dict) for key in part})

    def one_of(choices: Sequence[Any]) -> Any:
        return choices[int(random() * len(choices))]

    for _ in range(number):
        definition = copy.deepcopy(one_of(definitions))
        for _ in range(one_of((1, 1, 2))):
            holder, at = one_of([*_places(definition)])
            way = random()
            if way < 0.5:
                holder[at] = copy.deepcopy(one_of(parts))
            elif way < 0.7 and isinstance(holder, dict):
                holder[one_of(keys)] = copy.deepcopy(one_of(parts))
            elif way < 0.85 and isinstance(holder, dict):
                del holder[at]
            elif isinstance(holder, list):
                holder.insert(at, copy.deepcopy(one_of(parts)))
            else:
                holder[at] = copy.deepcopy(one_of(ODD))
        yield definition


def _parts(written: Json) -> Iterator[Json]:
    yield written
    inner = written.values() if isinstance(written, dict) else written
    for part in inner if isinstance(written, dict | list) else ():
        yield from _parts(part)


def _places(written: Json) -> Iterator[tuple[Any, Any]]:
    """Each place: the map or list, and its key or index there."""
    if isinstance(written, dict | list):
        inner = written.items() if isinstance(written, dict) else enumerate(written)
        for at, part in inner:
            yield written, at
            yield from _places(part)
