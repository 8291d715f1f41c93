"""A score sheet as a picture: what a chat takes, whoever plays and however long."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from games.screens.score_picture import LARGEST, Column, Row, ScorePicture, png


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
