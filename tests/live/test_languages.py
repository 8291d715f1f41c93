"""Two phones at one table, each in its own language."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.screens.languages import language_from_headers
from tests.types import Connect

pytestmark = pytest.mark.django_db(transaction=True)

SPANISH = "es-MX,es;q=0.9,en;q=0.5"


@pytest.mark.parametrize(
    ("cookie", "accepted", "expected"),
    [
        ("", "", "en"),
        ("", SPANISH, "es"),
        ("", "la,eo;q=0.8", "en"),
        ("django_language=es", "en", "es"),
        ("django_language=en", SPANISH, "en"),
        ("django_language=tlh", SPANISH, "es"),
        ("django_language=../../etc", "\xff", "en"),
    ],
)
def test_a_connection_has_the_language_of_its_cookie_else_of_its_browser(
    cookie: Any, accepted: Any, expected: Any
) -> None:
    headers = {b"cookie": cookie.encode(), b"accept-language": accepted.encode("latin1")}

    assert expected == language_from_headers(headers)


async def test_each_phone_gets_the_board_in_its_own_language(
    connect: Connect, game: Game, ana: Client, ben: Client
) -> None:
    one = await connect(game, ana)
    other = await connect(game, ben, language=SPANISH)

    english, spanish = (await one.frame())[2], (await other.frame())[2]

    assert "My numbers" in english
    assert "Mis números" in spanish
    assert "My numbers" not in spanish
    assert "Mis números" not in english


async def test_each_phone_gets_what_changed_in_its_own_language(
    connect: Connect, game: Game, ana: Client, ben: Client, cleo: Client
) -> None:
    phones = [
        await connect(game, ana, since=0),
        await connect(game, ben, since=0, language=SPANISH),
        await connect(game, cleo, since=0, language=SPANISH),
    ]
    for phone in phones:
        await phone.frame()

    await phones[0].say(do="begin-turn", active=["ben"], id="1")
    one, two, three = [await phone.until(1) for phone in phones]

    assert "End turn →" in one
    assert "Terminar turno →" in two
    assert "Tu turno" in two  # a moment of his alone
    assert three.startswith(two.partition('<div id="moments"')[0])


async def test_a_number_costs_the_same_in_every_language(
    connect: Connect, game: Game, ana: Client, ben: Client
) -> None:
    one = await connect(game, ana, since=0)
    other = await connect(game, ben, since=0, language=SPANISH)
    await one.frame()
    await other.frame()

    await one.place()

    assert await one.until(1) == await other.until(1)


async def test_a_refusal_is_in_the_language_of_its_connection(
    connect: Connect, game: Game, ben: Client
) -> None:
    ben_phone = await connect(game, ben, since=0, language=SPANISH)
    await ben_phone.frame()

    await ben_phone.communicator.send_to(text_data="[1]")
    refusal = await ben_phone.refused()

    assert "Una orden es un objeto JSON." == refusal["message"]
    assert "invalid" == refusal["code"]


async def test_a_missed_frame_comes_in_the_phones_language(
    connect: Connect, game: Game, ana: Client, ben: Client
) -> None:
    stays = await connect(game, ben, since=0, language=SPANISH)
    await stays.frame()
    ahead = await connect(game, ana, since=0)
    await ahead.frame()
    await ahead.say(do="begin-turn", active=["ben"], id="1")
    await ahead.until(1)
    await stays.until(1)

    for language, words in (("es", "Terminar turno →"), ("en", "End turn →")):
        back = await connect(game, ben, since=0, language=language)
        _number, _acks, frame = await back.frame()
        assert re.search(words, frame)


async def test_each_phone_is_refused_in_its_own_language_with_the_facts(
    connect: Connect, game: Game, ana: Client, ben: Client
) -> None:
    english = await connect(game, ana, since=0)
    spanish = await connect(game, ben, since=0, language=SPANISH)
    messages = []
    for phone in (english, spanish):
        await phone.frame()
        await phone.say(do="spend", on="rocket", counter="fuel", amount=99, id="x")
        messages.append((await phone.refused())["message"])

    assert [
        "There are only 4 fuel counters; the cost is 99.",
        "Solo hay 4 contadores de fuel; el coste es 99.",
    ] == messages
