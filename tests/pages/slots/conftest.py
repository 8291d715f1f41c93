"""Speaks as a table of the game would, for screens that these tests draw outside of a page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.screens.words import speaking
from games.systems import find


@pytest.fixture(autouse=True)
def stars_and_signs() -> Iterator[None]:
    with speaking(find("stars-and-signs")):
        yield
