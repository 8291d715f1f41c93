"""Permissions: each address of a game, for every kind of visitor.

The addresses are the URL configuration's own, so that a new one must be added here. LOOK: those who
was let in. INVITE: the same, unless the table freed their seat. JOIN: the same, unless they came by
the watch link. PLAY: those with a seat. OWN: the seat in the address, and who leads. MINE: only
that seat. LEAD: who leads; where somebody keeps secrets, who knows them. None: not answered by that
method.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.models import Game, Setup, Visitor
from games.models.tokens import hashed
from games.seats import reconnect
from games.store import rows
from tests.types import Make

BELOW = "g/<slug:slug>/"
OUTSIDERS = ("stranger", "barred")
ROLES = (*OUTSIDERS, "kicked", "onlooker", "watcher", "ben", "cleo", "leader")
LOOK = {"kicked", "onlooker", "watcher", "ben", "cleo", "leader"}
INVITE = LOOK - {"kicked"}
JOIN = LOOK - {"onlooker"}
PLAY = {"ben", "cleo", "leader"}
OWN, MINE, LEAD = {"ben", "leader"}, {"ben"}, {"leader"}

MAY: dict[str, tuple[set[str] | None, set[str] | None]] = {
    "board": (LOOK, None),
    "command": (None, PLAY),
    "log": (LOOK, None),
    "latest": (LOOK, None),
    "markdown": (LOOK, None),
    "scenario": (LOOK, None),
    "state": (LOOK, None),
    "scores": (LOOK, None),  # there are none at these tables
    "score-picture": (LOOK, None),
    "bg-stats": (LOOK, None),
    "flat": (LOOK, None),
    "flat-codes": (INVITE, None),
    "tv": (LOOK, None),
    "tv-side": (LOOK, None),
    "summary": (LOOK, None),
    "new-summary-link": (None, LEAD),
    "delete": (LEAD, LEAD),
    "keep-days": (None, LEAD),
    "replay": (LOOK, None),
    "film": (LOOK, None),
    "moment": (LOOK, None),
    "run": (LOOK, None),
    "keep": (LOOK, None),
    "save-setup": (None, PLAY),
    "delete-setup": (None, LEAD),
    "again": (None, PLAY),
    "resume": (None, PLAY),
    "mine": (LOOK, None),
    "rules": (LOOK, None),
    "definition": (LOOK, None),  # there is none at these tables
    "change-rules": (LEAD, LEAD),
    "share": (INVITE, None),
    "rotate": (None, LEAD),
    "object": (LOOK, None),
    "new-card": (LOOK, None),
    "act": (LOOK, None),
    "known": (LOOK, None),
    "becomes": (LOOK, None),
    "preview": (None, LOOK),
    "chair": (LOOK, LOOK),  # a table with a free seat leads back to the board
    "who": (LOOK, None),  # a table without names leads to the board
    "seats": (LOOK, None),
    "seat": (LOOK, None),
    "claim": (None, JOIN),
    "rename": (None, OWN),
    "look": (None, OWN),
    "leave": (None, OWN),
    "request-seat": (None, JOIN),
    "remove-device": (None, MINE),
    "lead": (None, LEAD),
    "bar": (None, LEAD),
    "all-right": (None, LOOK),
    "answer": (None, PLAY),
    "sidebar": (LOOK, None),
    "way-back": (LOOK, None),
    "lock": (None, LEAD),
    "only-own": (None, LEAD),
    "ask": (None, PLAY),
    "several": (LOOK, None),
    "choosing": (LOOK, None),
    "tools": (LOOK, None),
    "keys": (LOOK, None),
    "throw": (None, PLAY),
    "toss": (None, PLAY),
    "draw": (None, PLAY),
    "clock": (None, PLAY),
    "notes": (LOOK, None),
    "programs": (PLAY, PLAY),
    "revoke-program": (None, PLAY),
    "slot-new": (PLAY, None),
    "slot-made": (None, PLAY),
    "slot-line": (None, PLAY),
    "slot-action": (PLAY, None),
    "slot-acted": (None, PLAY),
    "slot-after": (PLAY, None),
    "slot-milestone": (LEAD, LEAD),
    "slot-board": (LEAD, None),
    "slot-of": (LOOK, None),
    "slot-own": (PLAY, PLAY),
    "slot-end": (LEAD, LEAD),
    "slot-previously": (LOOK, None),
    "slot-handouts": (LEAD, LEAD),
    "slot-handout": (LOOK, None),  # what is not for them is not found
    "slot-picture": (LOOK, None),
    "slot-see-as": (LEAD, None),
    "slot-as": (LEAD, None),
    "slot-scene": (LEAD, None),
    "slot-export": (LEAD, None),
    "slot-import": (None, LEAD),
    "slot": (LEAD, None),
    "slot-roll": (None, LEAD),
    "slot-link": (None, LEAD),
    "slot-overflow": (LEAD, None),
}
WITH_SECRETS: dict[str, tuple[set[str] | None, set[str] | None]] = {
    "choosing": (LOOK, None),  # there is no such thing at that table
    "scenario": (LEAD, None),
    "save-setup": (None, LEAD),
    "again": (None, LEAD),
    "resume": (None, LEAD),
}
"""The differences at a table with secrets."""


KEYS = {
    *{"shared-summary", "shared-replay", "shared-moment", "shared-run", "shared-film"},
    *{"setup", "join", "watch", "host", "back"},
}
"""The addresses outside of a game that open only with the right token in them."""
OPEN = {
    *{
        "livez",
        "readyz",
        "robots",
        "language",
        "home",
        "new",
        "write",
        "from-file",
        "code",
        "seat-link",
        "here",
        "help",
        "manual",
        "about",
        "terms",
    },
    *{"manifest", "icons", "worker", "offline", "api-document", "api-nowhere"},
    *{"demo", "shared-game", "downloaded-game", "share-rules", "game-schema"},
}
"""Those that anyone may open, and that tell nothing of a game."""


BEARERS = {
    *{"api-commands", "api-log", "api-state", "api-throw", "api-toss", "api-draw"},
    *{"api-table", "api-clock", "api-lock", "api-answer", "api-free", "api-again"},
    *{"api-games"},
}
"""Those that open only with the right token in a header."""


def all_addresses(
    resolver: URLResolver = get_resolver(),  # noqa: B008
    below: str = "",
) -> Iterator[tuple[str, str]]:
    """Each address of the site by its name, except the admin's."""
    for each in resolver.url_patterns:
        address = below + str(each.pattern)
        if address.startswith("admin"):
            continue
        if isinstance(each, URLPattern):
            yield str(each.name), address
        else:
            yield from all_addresses(each, address)


def addresses() -> Iterator[tuple[str, str]]:
    """Each address below a game, by its name."""
    return (each for each in all_addresses() if each[1].startswith(BELOW))


def test_every_address_of_a_game_is_in_the_table() -> None:
    assert {name for name, _address in addresses()} == {*MAY}


def test_every_other_address_is_open_or_has_a_key() -> None:
    assert {name for name, _address in all_addresses()} - {*MAY} == OPEN | KEYS | BEARERS


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_wrong_key_opens_nothing(game: Game, ana: Client, method: str) -> None:
    """Not even for those at the table, and as if there were nothing behind it."""
    for phone in (ana, Client()):
        for name, address in all_addresses():
            if name in KEYS | BEARERS:
                path = address.replace("<slug:slug>", game.slug).replace("<str:token>", "wrong")
                answer = getattr(phone, method)("/" + path.replace("<int:line>", "1"))
                assert answer.status_code in (401, 403, 404, 405), name
                assert game.title not in answer.content.decode(), name


NOT_THE_EVENING = {"setup"}
"""Those that show nothing of the evening: a set-up is a copy, until the host deletes it."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("window", ["the same", "a private one"])
def test_a_barred_phone_that_had_all_links_opens_nothing(
    game: Game, ana: Client, ben: Client, window: str
) -> None:
    """Each address of the site, with every token that the phone ever saw."""
    rows.give(game, [{"do": "place", "on": "rocket", "counter": "fuel", "by": "ana"}])
    ana.post(f"/g/{game.slug}/setups")
    known = hashed(ben.cookies["device"].value)
    made = ben.post(f"/g/{game.slug}/programs", {"name": "Overlay"}).content.decode()
    program = re.search(r"<code[^>]*>([\w-]{20,})</code>", made)
    assert program
    codes = (game.code, game.watch_code)
    setup = game.setups.get()
    keys = {"join": game.invite_token, "watch": game.watch_token, "setup": setup.token,
            "back": reconnect.token(game.slug, known)}  # fmt: skip
    paths = {}
    for name, address in all_addresses():
        path = address.replace("<str:token>", keys.get(name, game.summary_token))
        path = path.replace("<slug:slug>", game.slug).replace("<str:key>", "rocket")
        path = path.replace("<str:which>", "hope").replace("<slug:name>", "place")
        paths[name] = "/" + re.sub("<int:[a-z]+>", "1", path)
    opened = {name for name in KEYS - {"host"} if ben.get(paths[name]).status_code in (200, 302)}
    assert KEYS - {"host"} == opened
    device = game.visitors.get(device_hash=hashed(ben.cookies["device"].value))
    assert 302 == ana.post(f"/g/{game.slug}/visitors/{device.pk}/bar").status_code

    phone = ben if window == "the same" else Client()
    bearer = {"authorization": f"Bearer {program[1]}"}
    shown = []
    for name in {*MAY} | KEYS | BEARERS:
        answer = phone.get(paths[name], headers=bearer if name in BEARERS else None)
        closed = answer.status_code in (401, 403, 404, 405)
        if not closed and (window == "the same" or name not in NOT_THE_EVENING):
            shown.append((name, answer.status_code))
    shown += [code for code in codes if phone.post("/code", {"code": code}).status_code == 302]

    assert [] == shown


class Table:
    """A game, and somebody of each role. Ben has "ben", Cleo asks for things of Ben's.

    Each is a row, not somebody who came and sat down: hundreds of tables are made.
    """

    SEATS = ("leader", "ben", "cleo")
    STORED = {"leader": Visitor.Role.HOST, "ben": Visitor.Role.GUEST, "cleo": Visitor.Role.GUEST,
              "kicked": Visitor.Role.WATCHER}  # fmt: skip

    def __init__(self, game: Game, first: str) -> None:
        self.game = game
        self.phones = {role: Client() for role in ROLES}
        visitors = []
        for role in ROLES:
            if role == "stranger":
                continue
            self.phones[role].cookies["device"] = token = role * 4
            if role in self.SEATS:
                key = first if role == "leader" else role
                game.seats.filter(key=key).update(device_hash=hashed(token))
            visitors.append(
                Visitor(
                    game=game, device_hash=hashed(token), role=self.STORED.get(role, role),
                    sent_away=role in ("kicked", "barred"),
                )
            )  # fmt: skip
        Visitor.objects.bulk_create(visitors)
        self.asking = game.visitors.get(device_hash=hashed("watcher" * 4)).pk
        Setup.objects.create(pk=self.asking, game=game, given={})

    def status(self, role: str, method: str, address: str, key: str) -> int:
        path = address.replace("<slug:slug>", self.game.slug)
        path = re.sub("<int:[a-z]+>", str(self.asking), path)
        path = path.replace("<slug:name>", "place").replace("<str:which>", "hope")
        theirs = any(part in path for part in ("/seats/", "/as/", "/of/"))
        path = path.replace("<str:key>", "ben" if theirs else key)
        return int(getattr(self.phones[role], method)(f"/{path}").status_code)


@pytest.mark.sweep
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("keeps_secrets", [False, True], ids=["open", "with secrets"])
def test_nobody_gets_further_than_the_table_says(make_game: Make, keeps_secrets: bool) -> None:
    def table() -> Table:
        if keeps_secrets:
            counters = {"c1": {"name": "C", "type": "danger", "slots": 5, "visibility": "hidden"}}
            seats = {"gm": {}, "ben": {}, "cleo": {}}
            return Table(make_game("stars-and-signs", seats=seats, slot_counters=counters), "gm")
        return Table(make_game(objects={"rocket": {"name": "Rocket"}}), "ana")

    wrong = []
    may = {**MAY, **WITH_SECRETS} if keeps_secrets else MAY
    at = table()
    for name, address in addresses():
        if name.startswith("slot") and not keeps_secrets:
            continue
        for method, those in zip(("get", "post"), may[name], strict=True):
            got: dict[str, int] = {}
            there = Game.objects.filter(pk=at.game.pk).exists()
            at = at if method == "get" and there else table()
            for role in ROLES:
                if method == "post" and those and role in those:
                    at = table()  # what is allowed changes who sits where
                got[role] = at.status(role, method, address, "c1" if keeps_secrets else "rocket")
            gone = 404 if got["leader"] != 404 else 0  # as if it did not exist
            in_ = {role for role in ROLES if got[role] not in (403, 405, gone)}
            if in_ != (those or set()) or (those is None) != ({*got.values()} == {405}):
                wrong.append((name, method, got))

    assert not wrong, "\n".join(map(str, wrong))


def test_sending_away_frees_the_seat_and_changes_link_and_code(
    game: Game, ana: Client, ben: Client
) -> None:
    device = game.visitors.get(device_hash=hashed(ben.cookies["device"].value))
    before, code, summary = game.invite_token, game.code, game.summary_token

    assert 302 == ana.post(f"/g/{game.slug}/visitors/{device.pk}/bar").status_code

    game.refresh_from_db()
    assert None is game.seats.get(key="ben").device_hash
    assert (before, code) != (game.invite_token, game.code)
    assert "sent this phone away" in ben.get(f"/g/{game.slug}/").content.decode()
    assert 403 == ben.get(f"/j/{game.invite_token}").status_code
    assert 403 == ben.post("/code", {"code": game.code}).status_code
    assert 404 == ben.get(f"/r/{game.slug}/{summary}").status_code
    assert game.slug not in ben.get("/").content.decode()
    assert 200 == ana.get(f"/g/{game.slug}/share").status_code


def test_nobody_sends_away_the_host_or_themselves(game: Game, ana: Client, ben: Client) -> None:
    game.seats.update(host=False)
    game.seats.filter(key="ben").update(host=True)  # Ana still has the host's own link
    at = {
        name: game.visitors.get(device_hash=hashed(phone.cookies["device"].value)).pk
        for name, phone in {"ana": ana, "ben": ben}.items()
    }

    assert 403 == ben.post(f"/g/{game.slug}/visitors/{at['ana']}/bar").status_code
    assert 403 == ben.post(f"/g/{game.slug}/visitors/{at['ben']}/bar").status_code
    assert 404 == ben.post(f"/g/{game.slug}/visitors/{at['ben'] + 999}/bar").status_code


def test_an_evening_closes_as_a_whole(game: Game, ana: Client, ben: Client, cleo: Client) -> None:
    device = game.visitors.get(device_hash=hashed(ben.cookies["device"].value))
    ana.post(f"/g/{game.slug}/again")
    game.refresh_from_db()
    anew = game.newest
    again = anew.visitors.get(device_hash=device.device_hash)

    ana.post(f"/g/{anew.slug}/visitors/{again.pk}/bar")

    assert [403, 403] == [ben.get(f"/g/{each.slug}/log").status_code for each in (game, anew)]
