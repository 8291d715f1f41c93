"""A game watched again: who may open it, what a phone keeps, and where a link leads."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game, Visitor
from games.store import rows
from tests.types import Json, Make, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]


@pytest.fixture
def evening(make_game: Make) -> Game:
    """Ana, Ben and Cleo at a table without rules; Ana has fired her rocket three times."""
    game = make_game(objects={"rocket": {"name": "Rocket", "counters": {"fuel": 9}}})
    spent = {"do": "remove", "on": "rocket", "counter": "fuel", "amount": 1, "by": "ana"}
    rows.give(game, [spent] * 3)
    return game


@pytest.fixture
def secret(make_game: Make) -> Game:
    """A hidden counter that the GM fills five times, between two lines that everyone reads."""
    hidden = {"name": "CANARY", "type": "danger", "slots": 9, "visibility": "hidden"}
    game = make_game(
        "stars-and-signs",
        seats={"gm": {}, "ana": {}},
        slot_counters={"c1": hidden, "c2": {"name": "Lamp", "slots": 9}},
    )
    lamp = {"do": "fill", "on": "c2", "slots": 1, "by": "gm"}
    reveal = {"do": "edit", "on": "c1", "visibility": "open", "by": "gm"}
    rows.give(game, [lamp, *[{**lamp, "on": "c1"}] * 5, lamp, reveal])
    return game


def moment(client: Client, game: Game, line: int, **query: str) -> Any:
    return client.get(f"/g/{game.slug}/replay/{line}", query)


def shared(game: Game) -> str:
    return f"/r/{game.slug}/{game.summary_token}/replay"


def test_each_line_has_a_moment_and_the_page_opens_at_any(evening: Game, sit: Sit) -> None:
    ana = sit(evening, "ana")
    fuel = [moment(ana, evening, line).json()["board"] for line in range(4)]

    assert [True] * 4 == [f'id="rocket.fuel">{9 - n}<' in board for n, board in enumerate(fuel)]
    assert "9 → 8" in ana.get(f"/g/{evening.slug}/replay?line=1").content.decode()
    assert 'value="3"' in ana.get(f"/g/{evening.slug}/replay?line=900").content.decode()
    assert 404 == moment(ana, evening, 4).status_code
    assert 405 == ana.post(f"/g/{evening.slug}/replay").status_code


def test_a_line_that_changed_nothing_says_so(make_game: Make, sit: Sit) -> None:
    game = make_game("magic")
    rows.give(game, [{"do": "exchange-life", "seats": ["ana", "ben"], "by": "ana"}])

    assert "nothing changed" in moment(sit(game, "ana"), game, 1).json()["caption"]


def test_only_those_at_the_table_or_with_the_link_watch(
    evening: Game, sit: Sit, dan: Client
) -> None:
    ben = sit(evening, "ben")
    paths = [f"/g/{evening.slug}/replay", f"/g/{evening.slug}/replay/1"]

    assert [200, 200] == [ben.get(path).status_code for path in paths]
    assert [403, 403] == [dan.get(path).status_code for path in paths]
    assert [200, 200] == [dan.get(shared(evening) + end).status_code for end in ("", "/1")]
    assert 404 == dan.get(shared(evening).replace(evening.summary_token, "x" * 32)).status_code
    evening.visitors.filter(device_hash=evening.seats.get(key="ben").device_hash).delete()
    assert [403, 403] == [ben.get(path).status_code for path in paths]
    old = shared(evening)
    evening.end_summary_link()
    assert 404 == dan.get(old).status_code


def test_a_phone_keeps_a_moment_and_asks_no_more(evening: Game, sit: Sit) -> None:
    ana, ben = sit(evening, "ana"), sit(evening, "ben")
    page = ana.get(f"/g/{evening.slug}/replay")
    version = page.content.decode().partition('data-version="')[2].partition('"')[0]
    known = moment(ana, evening, 2, v=version)

    assert "immutable" in known["Cache-Control"]
    assert "private" in known["Cache-Control"]
    tag = {"HTTP_IF_NONE_MATCH": "W/" + known["ETag"]}
    assert 304 == ana.get(f"/g/{evening.slug}/replay/2", **tag).status_code
    assert "immutable" not in moment(ben, evening, 2, v=version)["Cache-Control"]
    evening.seats.filter(key="cleo").update(given_name="Clea")
    assert "immutable" not in moment(ana, evening, 2, v=version)["Cache-Control"]
    assert "Clea" in moment(ana, evening, 2, v=version).json()["board"]


def test_a_run_has_the_moments_that_its_lines_have_one_by_one(
    secret: Game, evening: Game, sit: Sit, dan: Client
) -> None:
    for game, client, path, last in (
        (evening, sit(evening, "ben"), f"/g/{evening.slug}/replay", 3),
        (secret, sit(secret, "gm"), f"/g/{secret.slug}/replay", 8),
        (secret, sit(secret, "ana"), f"/g/{secret.slug}/replay", 3),
        (secret, dan, shared(secret), 3),
    ):
        every = client.get(f"{path}/0-{last}").json()
        singly = [client.get(f"{path}/{line}").json() for line in reversed(range(last + 1))]
        boards = [each.pop("board") for each in singly]

        assert all('id="board"' in each for each in boards)
        assert singly[::-1] == every
        assert every[1:3] == client.get(f"{path}/1-2").json()
        assert "CANARY" not in str(every[:3]) or client.cookies, game
        for wrong in (f"0-{last + 1}", "2-1", "0-24"):
            assert 404 == client.get(f"{path}/{wrong}").status_code, wrong


def test_one_seats_cached_answer_is_none_for_another(secret: Game, sit: Sit, dan: Client) -> None:
    gm, ana = sit(secret, "gm"), sit(secret, "ana")
    path = f"/g/{secret.slug}/replay"
    for end in ("/2", "/0-2", "/film", ""):
        theirs = gm.get(f"{path}{end}")

        assert "Cookie" in theirs["Vary"]
        assert not {"public", "s-maxage"} & {*re.split(r"\W+", theirs["Cache-Control"])}
        assert "private" in theirs["Cache-Control"] or "no-store" in theirs["Cache-Control"]
        if "ETag" in theirs:
            known: Json = {"HTTP_IF_NONE_MATCH": theirs["ETag"]}
            assert 304 == gm.get(f"{path}{end}", **known).status_code
            assert 200 == ana.get(f"{path}{end}", **known).status_code
            assert 200 == dan.get(shared(secret) + end, **known).status_code
            assert 200 == gm.get(f"{path}{end}?tv", **known).status_code
            assert "CANARY" not in gm.get(f"{path}{end}?tv").content.decode()


def test_a_seat_that_changes_hands_is_watched_again_only_by_its_holder(
    secret: Game, sit: Sit
) -> None:
    first, second = sit(secret, "gm"), sit(secret, "ana")
    path = f"/g/{secret.slug}/replay/0-2"
    known: Json = {"HTTP_IF_NONE_MATCH": first.get(path)["ETag"]}
    chair = secret.seats.get(key="gm")
    secret.visitors.filter(device_hash=chair.device_hash).update(role=Visitor.Role.BARRED)
    secret.seats.filter(key="gm").update(device_hash=None)

    assert 403 == first.get(path, **known).status_code
    assert [0, 1, 2] == [each["line"] for each in second.get(path, **known).json()]
    assert "CANARY" not in second.get(path).content.decode()


def test_players_and_watchers_count_what_they_heard_and_a_link_finds_it(
    secret: Game, sit: Sit, dan: Client
) -> None:
    gm, ana = sit(secret, "gm"), sit(secret, "ana")
    lines = {}
    for name, client, path in (
        ("gm", gm, f"/g/{secret.slug}/replay"),
        ("ana", ana, f"/g/{secret.slug}/replay"),
        ("link", dan, shared(secret)),
    ):
        page = client.get(path).content.decode()
        lines[name] = int(page.partition('max="')[2].partition('"')[0])
        for line in range(lines[name]):
            shown = client.get(f"{path}/{line}").content.decode()
            assert ("CANARY" in shown) is (name == "gm"), f"{name} at {line}"
            assert (
                name == "gm" or "CANARY" not in client.get(f"{path}?line={line}").content.decode()
            )
        assert "CANARY" in client.get(f"{path}/{lines[name]}").content.decode()
        assert [] == client.get(f"{path}/film").json()["hidden"]

    assert {"gm": 8, "ana": 3, "link": 3} == lines
    assert [0, 1, 1, 1, 1, 1, 1, 2, 3] == [
        moment(gm, secret, line).json()["shared"] for line in range(9)
    ]
    assert "CANARY" not in gm.get(f"/g/{secret.slug}/replay?tv&line=2").content.decode()


def test_the_film_tells_each_of_what_it_heard_and_follows_the_game(
    secret: Game, sit: Sit, dan: Client
) -> None:
    gm, ana = sit(secret, "gm"), sit(secret, "ana")
    rows.give(
        secret,
        [
            {"do": "edit", "on": "c1", "visibility": "hidden", "by": "gm"},
            {"do": "fill", "on": "c1", "slots": 4, "by": "gm"},
            {"do": "scene", "scene": "CANARY-CELLAR", "to": "prepared", "by": "gm"},
            {"do": "scene", "scene": "Bridge", "to": "running", "by": "gm"},
        ],
    )
    films = {
        "gm": gm.get(f"/g/{secret.slug}/replay/film").json(),
        "gm on tv": gm.get(f"/g/{secret.slug}/replay/film?tv").json(),
        "ana": ana.get(f"/g/{secret.slug}/replay/film").json(),
        "link": dan.get(f"{shared(secret)}/film").json(),
    }

    assert films["ana"] == films["link"] == films["gm on tv"]
    assert "complete" in films["gm"]["marks"]
    for name, found in films.items():
        assert ["Bridge"] == [chapter for _line, chapter in found["chapters"]]
        assert "CANARY" not in str(found)
        assert ("is-complete" in found["film"]) is (name == "gm")


def test_a_new_line_can_be_watched_at_once(evening: Game, sit: Sit) -> None:
    ana = sit(evening, "ana")
    assert 404 == moment(ana, evening, 4).status_code
    ana.post(
        f"/g/{evening.slug}/command",
        {"do": "place", "on": "rocket", "counter": "fuel", "amount": 5},
        content_type="application/json",
    )

    assert 'id="rocket.fuel">11<' in moment(ana, evening, 4).json()["board"]


def test_a_television_keeps_no_line_of_what_was_hidden_again(secret: Game, sit: Sit) -> None:
    gm = sit(secret, "gm")
    fill, hide = {"do": "fill", "slots": 1, "by": "gm"}, {"do": "edit", "on": "c1", "by": "gm"}
    hidden = {**hide, "visibility": "hidden"}
    rows.give(secret, [{**fill, "on": "c1"}, {**fill, "on": "c2"}, hidden, {**fill, "on": "c2"}])
    film = [moment(gm, secret, line, tv="").json()["latest"] for line in range(8)]

    assert [4, 5] == [line for line, latest in enumerate(film) if "CANARY" in latest]
    assert "Lamp" in film[7]
    assert "CANARY" not in gm.get(f"/g/{secret.slug}/tv").content.decode()
