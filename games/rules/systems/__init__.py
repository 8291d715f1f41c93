"""The rule systems, each a module, each edition a value. Adding one is adding a line here."""

from __future__ import annotations

from games.rules.system import System

from . import any_game, grand_archive, magic, stars_and_signs, yugioh

SYSTEMS: dict[str, tuple[System, ...]] = {
    each[0].name: each
    for each in (
        grand_archive.EDITIONS,
        yugioh.EDITIONS,
        magic.EDITIONS,
        stars_and_signs.EDITIONS,
        any_game.EDITIONS,
    )
}
"""Name to editions, the newest first."""


def find(name: str, edition: str | None = None) -> System:
    """The system of that name, in that edition or its newest. Raises KeyError."""
    for system in SYSTEMS[name]:
        if edition in (None, system.edition):
            return system
    raise KeyError(f"{name} has no edition {edition}")
