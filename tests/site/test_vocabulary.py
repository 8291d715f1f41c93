"""The reference of commands matches the code."""

from pathlib import Path

from games.rules.vocabulary import page
from games.systems import SYSTEMS

PAGE = Path(__file__).parents[2] / "docs/VOCABULARY.md"


def test_the_page_is_what_the_code_says() -> None:
    """If this fails, run `manage.py vocabulary > docs/VOCABULARY.md`.

    A system that is still being written need not stand on it.
    """
    written = PAGE.read_text(encoding="utf8")
    listed = {
        name: editions
        for name, editions in SYSTEMS.items()
        if editions[0].translated or f"(`{name}`)" in written
    }

    assert page(listed) == written


def test_every_verb_of_every_system_is_explained() -> None:
    text = page(SYSTEMS)

    for editions in SYSTEMS.values():
        for verb, what in editions[0].verbs.items():
            assert f"`{verb}`" in text
            assert what.command.__doc__, f"{verb} says nothing about itself"
