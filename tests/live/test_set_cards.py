"""Two tables with the same open play and other set cards: only Ana can tell them apart."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from tests.types import Connect

pytestmark = pytest.mark.django_db(transaction=True)

LIBRARY = {
    "name": "Royal Magical Library",
    "permits": {"spell": {"maximum": 3}},
    "on_spell": {"spell": 1},
    "thresholds": {"spell": 3},
}
FORCE = {"name": "Mirror Force"}
CARDS = "card-x7ab", "card-k2f0", "card-q9zz"

PAGES = [
    "",
    "tv",
    "tv?overlay&log",
    "tv/side?log",
    "log",
    "log/latest",
    "log.md",
    "mine",
    "state.json",
    "summary",
    "several",
    "several?do=remove&who=their-cards",
    "keep",
    "tools",
    "notes",
    "acts/pay",
    "cards/new",
    "known",
    "known?name=mirror",
    "known?name=royal",
    "seats/ana",
    "seats/ben",
    "objects/foe",
    "scenario.json",
    *(f"objects/{card}" for card in CARDS),
]


def watching(game: Game) -> Client:
    """A browser that was let in and took no seat."""
    client, device = Client(), new_device()
    game.admit(hashed(device), Visitor.Role.WATCHER)
    client.cookies["device"] = device
    return client


def open_play(secret: dict[str, Any], noted: str) -> list[tuple[str, dict[str, Any]]]:
    """(seat, command) in order; only Ana's cards and what she notes on them differ."""
    one, two, three = CARDS
    set_card = {"do": "create", "zone": "spell-trap", "face_down": True, **secret}
    ice = {"do": "place", "on": "foe", "counter": "ice"}
    return [
        ("ana", {**set_card, "as": one}),
        ("ben", {"do": "create", "as": "foe", "name": "Mirror Force", "zone": "spell-trap"}),
        ("ben", {**ice, "source": "foe"}),
        ("ana", {**ice, "source": one}),
        ("ana", {"do": "lose-life", "seat": "ben", "amount": 500}),
        ("ana", {"do": "resolve-spell"}),
        ("ana", {"do": "permit", "object": one, "counter": noted, "note": noted}),
        ("ana", {"do": "watch", "object": one, "counter": noted, "at": 2}),
        ("ana", {"do": "mark", "on": one, "mark": "unaffected"}),
        ("ben", {"do": "place", "on": one, "counter": "spell", "source": "foe"}),
        ("ben", {"do": "place", "on": one, "counter": "ice", "source": "foe"}),
        ("ben", {"do": "place", "on": ["foe", one], "counter": "ice", "source": "foe"}),
        ("ben", {"do": "correct", "on": one, "counter": "spell", "to": 1}),
        ("ben", {"do": "revoke", "object": one, "counter": "spell"}),
        ("ben", {"do": "register", "object": one, "counter": "spell"}),
        ("ben", {"do": "together", "steps": [{"do": "revoke", "object": one, "counter": noted}]}),
        ("ana", {"do": "together", "steps": [{"do": "permit", "object": one, "counter": noted}]}),
        ("ben", {"do": "watch", "object": one, "counter": "spell", "at": 3}),
        ("ben", {"do": "resolve-spell", "on": [one]}),
        ("ben", {"do": "transfer", "from": "foe", "to": one, "counter": "ice", "source": "foe"}),
        ("ben", {"do": "spend", "on": "foe", "counter": "ice", "split": {one: 1}}),
        ("ben", {"do": "create", "as": one, "name": "x"}),
        ("ana", {**set_card, "as": two}),
        ("ana", {"do": "undo"}),
        ("ana", {"do": "redo"}),
        ("ana", {"do": "undo"}),
        ("ana", {**set_card, "as": three, "zone": "monster"}),
        ("ben", {"do": "mark", "on": three, "mark": "doomed"}),
        ("ben", {"do": "undo", "to": 0}),
        ("ben", {"do": "redo"}),
        ("ben", {"do": "undo", "entries": [1]}),
        ("ana", {"do": "move", "object": three, "to": "hand"}),
        ("ben", {"do": "flip", "object": three, "face_down": False}),
        ("ana", {"do": "begin-turn", "active": ["ben"]}),
    ]


class Recorder:
    """A phone, and everything that came to it."""

    def __init__(self, phone: Any) -> None:
        self.phone = phone
        self.texts: list[str] = []

    async def next(self) -> str:
        self.texts.append(await self.phone.text())
        return self.texts[-1]

    async def until(self, mark: str) -> str:
        while mark not in (text := await self.next()):
            pass
        return text


async def play(
    game: Game,
    connect: Connect,
    browsers: dict[str, Client],
    given: list[tuple[str, dict[str, Any]]],
) -> dict[str, list[str]]:
    """Everything that each browser's phone was sent."""
    recorders = {who: Recorder(await connect(game, each)) for who, each in browsers.items()}
    for each in recorders.values():
        await each.next()
    for number, (seat, command) in enumerate(given):
        # Its sender is told, whether it was accepted or refused.
        await recorders[seat].phone.say(**command, id=f"tap-{number}")
        await recorders[seat].until(f"tap-{number}")
    await recorders["ana"].phone.say(do="note", **{"as": "end"}, text="THE END", id="end")
    await recorders["ana"].until('"end"')
    for who in ("ben", "watcher"):
        await recorders[who].phone.say(do="nothing", id="over")
        await recorders[who].until("over")
    return {who: each.texts for who, each in recorders.items()}


def read(game: Game, browser: Client) -> dict[str, str]:
    """Every page of the table, with what differs between any two tables taken out."""
    pages = {
        page: browser.get(f"/g/{game.slug}/{page}", headers=headers).getvalue().decode()
        for page in PAGES
        for headers in [{"HX-Request": "true"} if page.startswith("objects") else {}]
    }
    pages["shared"] = browser.get(f"/r/{game.slug}/{game.summary_token}").content.decode()
    pages["save"] = str(browser.post(f"/g/{game.slug}/setups").status_code)
    return {page: plain(game, text) for page, text in pages.items()}


def plain(game: Game, text: str) -> str:
    for each in (game.slug, game.invite_token, game.summary_token):
        text = text.replace(each, "TOKEN")
    text = re.sub(rf"-{game.slug[:4]}(?=\.\w+\b)", "-TOKEN", text)  # the name of a file
    text = re.sub(r'"\w{64}"', "TOKEN", text)  # against forged forms
    text = re.sub(r"\b\d\d:\d\d\b", "TIME", text)
    text = re.sub(r'data-tag="&quot;(\d+)-\w{16}&quot;"', r"TAG \1", text)
    text = re.sub(r"<time[^>]*>[^<]*</time>", "TIME", text)
    text = re.sub(r'data-phone="\w+"|note-\w{4}', "", text)
    return re.sub(r"\b\d+(?= s\b)", "N", text)


@pytest.fixture
def table(make_game: Any, sit: Any, connect: Connect) -> Any:
    """Play at a new table: what each phone was sent, and what each browser reads."""

    async def begin(secret: dict[str, Any], noted: str) -> Any:
        game = await sync_to_async(make_game)("yu-gi-oh", seats={"ana": {}, "ben": {}})
        browsers = {seat: await sync_to_async(sit)(game, seat) for seat in ("ana", "ben")}
        browsers["watcher"] = await sync_to_async(watching)(game)
        sent = await play(game, connect, browsers, open_play(secret, noted))
        pages = {who: await sync_to_async(read)(game, each) for who, each in browsers.items()}
        return {who: [plain(game, each) for each in texts] for who, texts in sent.items()}, pages

    return begin


async def test_others_get_the_same_bytes_whatever_the_set_cards_are(table: Any) -> None:
    frames, pages = await table(FORCE, "venom")
    other_frames, other_pages = await table(LIBRARY, "spell")

    for who in ("ben", "watcher"):
        assert frames[who] == other_frames[who]
        for page, text in pages[who].items():
            assert text == other_pages[who][page], page


async def test_only_the_owner_of_set_cards_reads_their_names(table: Any) -> None:
    frames, pages = await table(LIBRARY, "spell")
    name = LIBRARY["name"]
    refused = [text for text in frames["ben"] if '"refused"' in text]

    assert any(name in text for text in frames["ana"])
    assert {"", "log", "log.md", "state.json", "scenario.json", f"objects/{CARDS[0]}", "mine"} <= {
        page for page, text in pages["ana"].items() if name in text
    }
    assert "Set card" not in pages["ana"][""]
    for who in ("ben", "watcher"):
        said = [*frames[who], *(text for page, text in pages[who].items() if "known" not in page)]
        assert [] == [text for text in said if "Royal" in text or "royal" in text]
        assert "Set card" in pages[who][""]
        assert "set a card in Spell &amp; Trap Zone" in pages[who]["log"]
        assert "Unknown card" in pages[who]["log"]
        assert "Download it when the game is over" in pages[who]["scenario.json"]
    assert {"403"} == {each["save"] for each in pages.values()}
    assert "Set card is face-down and cannot hold counters." in refused[0]
    assert 5 == sum("Only a player who sees this card" in text for text in refused)
