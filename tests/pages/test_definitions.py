"""Rules that people wrote: passed on by link, file and code, and never trusted."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from random import Random
from typing import Any

import pytest
from django.test import Client

from games.models import Game, Setup
from games.pages.definitions import parsed
from games.rules.input import packed
from games.store import demos, disk, rows
from tests.systems.own_definitions import definition
from tests.types import Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]
READY = demos.ready_games("own-game")
MINE = {
    "title": "Storm Mine",
    "author": "Cleo",
    "numbers": [{"kind": "gold", "on": "player"}, {"kind": "storm", "on": "table"}],
    "rules": [
        {
            "rule": "Storm",
            "when": {"ends": "round"},
            "do": [{"add": 1, "of": "storm", "on": "table"}],
        }
    ],
}


def squeezed(text: bytes) -> str:
    return urlsafe_b64encode(zlib.compress(text)).decode().rstrip("=")


def sent(client: Client, text: str) -> tuple[int, str]:
    answer = client.post("/game", {"text": text})
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("name", READY)
def test_a_packed_game_unpacks_to_itself(name: str) -> None:
    assert READY[name] == parsed(packed(READY[name])).definition


def test_a_links_game_is_shown_and_nothing_is_stored(client: Client) -> None:
    status, page = sent(client, f"http://elsewhere:8000/game#{packed(MINE)}")

    assert 200 == status
    for said in ("Storm Mine", "by “Cleo”", "Nothing has run yet.", "of the table", "storm"):
        assert said in page
    assert not Game.objects.exists()
    assert not Setup.objects.exists()


def test_it_is_played_with_its_own_rules(client: Client) -> None:
    answer = client.post(
        "/new", {"rules": "own-game/1", "seats": "3", "name": "Ana", "packed": packed(MINE)}
    )

    assert 302 == answer.status_code
    game = Game.objects.get()
    assert ("Storm Mine", MINE) == (game.title, game.settings["definition"])


def test_everyone_at_a_table_can_keep_its_rules_and_pass_them_on(client: Client, sit: Sit) -> None:
    client.post("/new", {"rules": "own-game/1", "seats": "2", "packed": packed(MINE)})
    game = Game.objects.get()
    ben = sit(game, "ben")

    page = ben.get(f"/g/{game.slug}/definition").content.decode()
    assert f'name="text" value="{packed(MINE)}"' in page
    assert MINE == json.loads(ben.get(f"/g/{game.slug}/definition?file").content)
    assert 'href="definition"' in ben.get(f"/g/{game.slug}/").content.decode()


LONG = {**MINE, "rules": [
    {**MINE["rules"][0], "rule": f"Storm {n}", "says": str(Random(n).getrandbits(900))}
    for n in range(20)
]}  # fmt: skip
"""A game whose link is too long for a QR code."""


def test_a_link_that_fits_is_shared_with_its_picture_and_nothing_is_stored(client: Client) -> None:
    page = client.post("/game/share", {"text": packed(MINE)}).content.decode()

    assert f"/game#{packed(MINE)}" in page
    assert "QR code of this game" in page
    assert not Setup.objects.exists()


def test_a_game_is_shared_while_it_is_written(client: Client) -> None:
    draft = {"definition": json.dumps(MINE), "title": "Storm Mine II", "numbers": "silver"}
    page = client.post("/game/share", draft).content.decode()

    shared = parsed(page.partition("/game#")[2].partition('"')[0]).definition
    assert "Storm Mine II" == shared["title"]
    assert ["gold", "storm", "silver"] == [each["kind"] for each in shared["numbers"]]


def test_a_code_stands_in_for_a_link_too_long_for_a_picture(client: Client) -> None:
    first, second = (
        client.post("/game/share", {"text": packed(LONG)}).content.decode() for _time in range(2)
    )
    setup = Setup.objects.get()
    for page in (first, second):
        assert f"/s/{setup.token}" in page
        assert setup.spoken_code in page
        assert packed(LONG) not in page.partition("pass-link")[2].partition("</p>")[0]
        assert "QR code of this game" in page

    led = client.post("/code", {"code": setup.spoken_code})
    page = client.get(led["Location"]).content.decode()
    assert "Storm Mine" in page
    assert "Nothing has run yet." in page
    assert not Game.objects.exists()


def test_a_full_server_still_shares_the_long_link(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(disk, "low", lambda: True)

    page = client.post("/game/share", {"text": packed(LONG)}).content.decode()

    assert f"/game#{packed(LONG)}" in page
    assert not Setup.objects.exists()


def test_a_file_of_rules_is_shown_first(client: Client) -> None:
    saved = client.post("/game/file", {"text": packed(MINE)})
    assert MINE == json.loads(saved.content)
    assert 'filename="storm-mine.json"' in saved["Content-Disposition"]

    answer = client.post("/new/file", {"text": saved.content.decode()})

    assert 200 == answer.status_code
    assert "Nothing has run yet." in answer.content.decode()
    assert not Game.objects.exists()


HOSTILE = {
    "nothing": "",
    "no link": "hello there",
    "half of one": packed(MINE)[: len(packed(MINE)) // 2],
    "one letter changed": packed(MINE)[:20] + "AAAA" + packed(MINE)[24:],
    "no base64": "https://x/game#????",
    "letters of no alphabet": "#ñandú€",
    "a bomb": squeezed(b'{"title":"' + b"a" * 50_000_000 + b'"}'),
    "too large": squeezed(json.dumps({"title": "x", "about": "a" * 70_000}).encode()),
    "no JSON": squeezed(b"{"),
    "a list": squeezed(b"[]"),
    "a number": squeezed(b"1e400"),
    "not a number": squeezed(b'{"title": NaN}'),
    "nested": squeezed(b'{"title":' + b"[" * 9000 + b"]" * 9000 + b"}"),
    "nested in a file": '{"title":' + "[" * 9000 + "]" * 9000 + "}",
    "no title": squeezed(b"{}"),
    "a title that turns the text": squeezed(json.dumps({"title": "a\u202eb"}).encode()),
    "half a sign": squeezed(b'{"title":"\\ud800"}'),
    "a key of its own": squeezed(b'{"title":"x","script":"alert(1)"}'),
    "a class": squeezed(b'{"title":"x","__class__":{"x":1}}'),
    "a kind as markup": squeezed(b'{"title":"x","numbers":[{"kind":"<b>","on":"player"}]}'),
    "huge": squeezed(
        b'{"title":"x","numbers":[{"kind":"a","on":"player","start":' + b"9" * 400 + b"}]}"
    ),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_game_is_refused_in_words_wherever_it_is_sent(client: Client, text: str) -> None:
    status, page = sent(client, text)
    assert 422 == status
    refusals = (
        "This link is not whole",
        "This game can’t be played: ",
        "This game is too large: 64 KB is the most.",
        "Paste the link of a game, or choose its file.",
    )
    assert any(said in page for said in refusals)

    assert 422 == client.post("/game/file", {"text": text}).status_code
    assert 422 == client.post("/game/share", {"text": text}).status_code
    if text:
        new = {"rules": "own-game/1", "seats": "2", "packed": text}
        assert 422 == client.post("/new", new).status_code
    assert not Game.objects.exists()
    assert not Setup.objects.exists()


def test_a_refusal_names_the_place_and_gives_the_text_back(client: Client) -> None:
    wrong: dict[str, Any] = json.loads(json.dumps(MINE))
    wrong["rules"][0]["do"][0]["of"] = "silver"

    status, page = sent(client, json.dumps(wrong))

    assert 422 == status
    assert "rule 1, its action 1, “of”" in page
    assert "silver" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"title": "Mine",\n "numbers": [}', "is wrong in line 2, near “&quot;numbers"),
        (
            '\ufeff{"title": "Mine",\n\n"numbers": NaN}',
            "“NaN” in line 3 is no number that a game can have",
        ),
        ('{"title": "Mine", "x": 1e999}', "“1e999” in line 1 is no number that a game can have"),
        (
            '{"title": "Mine", "players": {"most": 50}}',
            "“players”, “most”: a whole number from 1 to 12: 12 is the most.",
        ),
        (
            '{"title": "Mine", "numbers": [{"kind": "a", "on": "player", "is": {"number": "b"}}, '
            '{"kind": "b", "on": "player", "is": {"+": [1, {"number": "a"}]}}]}',
            "these numbers follow from one another: a → b → a.",
        ),
        (
            '{"title": "Mine", "numbers": [{"kind": "a", "on": "player", "is": {"number": "b"}}, '
            '{"kind": "b", "on": "player", "is": 2}]}',
            "“b” must stand before “a”.",
        ),
        (
            '{"title": "Mine", "author": "a\u202eb"}',
            "“author”: it has a character that nobody can see; leave it out.",
        ),
        ('{"title": "Mine\u200b"}', "it has a character that nobody can see (U+200B)"),
        ('{"title": "Mine", "author": "A\u200dB"}', "that nobody can see (U+200D); leave it out."),
        (
            '{"title": "Mine", "zones": ["a"], "zones": ["b"]}',
            "“zones” stands there twice; leave one out.",
        ),
        (
            '{"title": "Mine", "numbers": [{"kind": "VP!", "on": "player"}]}',
            "a name is up to 40 small letters",
        ),
        (
            json.dumps({"title": "Mine", "zones": list("abcdefghi")}),
            "“zones”: 8 is the most.",
        ),
        ('{"title": "Mine", "nombers": []}', "“nombers” is nothing a game can have there"),
        (
            '{"title": "Mine", "numbers": [{"kind": "ore", "on": "player", "strat": 2}]}',
            "number 1: “strat” is nothing a game can have there",
        ),
    ],
)
def test_a_whole_link_with_a_fault_inside_says_which(client: Client, text: str, said: str) -> None:
    for sent_as in (text, f"https://x/game#{squeezed(text.lstrip(chr(0xFEFF)).encode())}"):
        status, page = sent(client, sent_as)
        assert (422, True) == (status, said in page), page
        assert "Mine" in page


def test_joiners_within_emoji_are_no_fault(client: Client) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

    assert 200 == sent(client, json.dumps({**MINE, "title": f"Mine {family}"}))[0]


def test_too_large_a_file_says_so_at_both_doors(client: Client) -> None:
    large = json.dumps({"title": "Mine", "about": "a" * 300_000})
    small = '{"title": "Mine",\n"numbers": NaN}'

    for door in ("/game", "/new/file"):
        assert "too large: 64 KB" in client.post(door, {"text": large}).content.decode()
        assert "“NaN” in line 2" in client.post(door, {"text": small}).content.decode()


def test_rules_that_set_themselves_off_are_named_before_they_are_played(client: Client) -> None:
    again = {"rule": "Again", "when": {"changes": "gold"}, "do": [{"add": 1, "of": "gold"}]}

    assert "sets itself off" not in sent(client, json.dumps(MINE))[1]
    page = sent(client, json.dumps({**MINE, "rules": [again]}))[1]
    assert "“Again” sets itself off again and again." in page


def test_words_of_a_stranger_are_text(client: Client) -> None:
    markup = "<img src=x onerror=alert(1)>"
    status, page = sent(
        client, packed({**MINE, "title": markup, "author": markup, "about": markup})
    )

    assert 200 == status
    assert "<img" not in page
    assert "&lt;img" in page


def test_rules_at_random_are_shown_and_played(client: Client) -> None:
    for seed in range(12):
        made = definition(Random(seed))
        status, page = sent(client, packed(made))
        assert 200 == status, page
        least = made.get("players", {}).get("least", 1)
        new = {"rules": "own-game/1", "seats": str(min(8, least)), "packed": packed(made)}
        if least <= 8:
            assert 302 == client.post("/new", new).status_code, made
    for game in Game.objects.all():
        rows.check(game)
