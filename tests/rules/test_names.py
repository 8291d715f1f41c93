"""Names that people type: nobody sees them wrong, and no two at a table look the same."""

from __future__ import annotations

import pytest

from games.rules.commands import NAME
from games.rules.names import MOST, PARTS, told_apart, visible
from games.systems import find

pytestmark = pytest.mark.quick

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f\u200d\U0001f525"
WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
WAVE = "\U0001f44b\U0001f3fd"
KEY = "1\ufe0f\u20e3"
FLAG = "\U0001f1e9\U0001f1ea"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"


@pytest.mark.parametrize(
    "name", ["Ana", "Zoé María", "½ Orc", "m²", FAMILY, HEART, WALES, WAVE, KEY, FLAG, PERSIAN]
)
def test_a_name_that_is_seen_stays_whole(name: str) -> None:
    assert name == visible(name) == visible(f"  {name}\u200b ")


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("A\u200bn\u2060a", "Ana"), ("A\u00adna\ufeff", "Ana"), ("Ana\u200d", "Ana"),
        ("\uff21\uff4e\uff41", "Ana"), ("Jose\u0301", "José"), ("A  na\u3000B", "A na B"),
        ("\u202eAna", "Ana"), ("Ana\ufe0f", "Ana"), ("A\u00a0B", "A B"),
    ],
)  # fmt: skip
def test_only_visible_characters_of_a_name_are_kept(typed: str, seen: str) -> None:
    assert seen == visible(typed)


@pytest.mark.parametrize(
    "typed", ["\u200b\u200b", "\u3164", "\u115f", "\u2800", "\uffa0", "\u2060 ", "\u0301", "\x1b"]
)
def test_nothing_is_left_of_a_name_that_nobody_sees(typed: str) -> None:
    assert "" == visible(typed)


@pytest.mark.parametrize("typed", ["\u3164", "\u2800", "\u200b"])
def test_no_card_or_scene_has_a_name_that_nobody_sees(typed: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 as every reader
        NAME.read(typed, find("magic"))

    assert "Bear" == NAME.read("Be\u200bar", find("magic"))


@pytest.mark.parametrize(
    "alike", ["Ana", "ANA", "\u0410na", "An\u0430", "\u0391na", "\uff21na", "A\u200bna"]
)
def test_a_name_that_looks_like_another_gets_a_number(alike: str) -> None:
    assert f"{alike} 2" == told_apart(alike, ["Ben", "Ana", ""])
    assert f"{alike} 3" == told_apart(alike, ["Ana", "\u0430na 2"])


@pytest.mark.parametrize("name", ["Anna", "Аня", "Νίκος", FAMILY, "Ana 2"])
def test_a_name_of_its_own_stays(name: str) -> None:
    assert name == told_apart(name, ["Ana", "Ben"])


def test_a_number_fits_behind_the_longest_name() -> None:
    long = "x" * MOST

    assert MOST == len(told_apart(long, [long]))


def test_no_letter_but_the_fillers_of_hangul_is_taken_for_one_that_nobody_sees() -> None:
    letters = [code for code in range(0x20, 0x30000) if chr(code).isalnum()]

    fillers = [0x115F, 0x1160, 0x3164, 0xFFA0]
    assert fillers == [each for each in letters if PARTS.fullmatch(chr(each))]
