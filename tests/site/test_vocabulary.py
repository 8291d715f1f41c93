"""The reference of commands explains each of them."""

from games.rules.vocabulary import page
from games.systems import SYSTEMS


def test_every_verb_of_every_system_is_explained() -> None:
    text = page(SYSTEMS)

    for editions in SYSTEMS.values():
        for verb, what in editions[0].verbs.items():
            assert f"`{verb}`" in text
            assert what.command.__doc__, f"{verb} says nothing about itself"
