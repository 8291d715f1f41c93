"""The system that a table's set makes, and what the set says of a new counter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules.state import plain
from ...rules.system import System
from .definition import WITHOUT_GM, Set


class SetSystem(System, frozen=True, kw_only=True):
    """A system with the set of a table."""

    @property
    def set(self) -> Set:
        """What the GM's table counts."""
        return WITHOUT_GM

    def usual(self, key: str) -> dict[str, Any]:
        """The fields of a new counter of that type; "" is the first."""
        kind = self.set.type_of(key) or self.set.types[0]
        more: dict[str, Any] = {"loop": "same"} if kind.loop else {}
        return {
            "type": kind.type,
            "look": kind.look,
            "slots": kind.slots,
            "counts": kind.counts,
            "colour": kind.colour,
            "words": kind.words,
            "least": kind.least,
            "parts": kind.parts,
            "step": kind.step,
            "worth": 1,
            **more,
        }

    def described(self, counters: Mapping[str, Any]) -> dict[str, Any]:
        """The *counters* of an opening with what their types say."""
        return {
            key: {**plain(self.usual(facts.get("type", ""))), **facts}
            for key, facts in counters.items()
        }
