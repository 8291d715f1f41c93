"""A new game of a GM: the party is named when the table is made."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game
from tests.types import Make, Sit

RULES = "stars-and-signs/2025-12"


@pytest.fixture
def fresh(db: None) -> Client:
    return Client(headers={"User-Agent": "Mozilla"})


def made(fresh: Client, others: str, seats: int = 4) -> dict[str, str]:
    fresh.post("/new", {"rules": RULES, "seats": seats, "name": "Mo", "others": others})
    return Game.objects.get().given_names


def test_the_gm_names_the_protagonists(fresh: Client) -> None:
    assert ["Mo", "Aria", "", "Zoé María"] == list(made(fresh, " Aria,, Zoé  María,").values())


def test_more_names_than_seats_are_refused_and_stay_in_the_form(fresh: Client) -> None:
    answer = fresh.post("/new", {"rules": RULES, "seats": 2, "others": "Aria, Bo"})

    assert 422 == answer.status_code
    assert "There are 2 names for 1 other seat." in answer.content.decode()
    assert 'value="Aria, Bo"' in answer.content.decode()
    assert not Game.objects.exists()


def test_only_a_game_with_a_party_asks_for_names(fresh: Client) -> None:
    assert b'name="others"' in fresh.get(f"/new?rules={RULES}").content
    assert b'name="others"' not in fresh.get("/new?rules=any-game").content


@pytest.mark.parametrize(
    ("system", "shown", "hidden"),
    [("magic", "veneno", "shared poison"), ("grand-archive", "durabilidad", "durability")],
)
def test_a_new_game_is_offered_in_the_words_of_its_system(
    fresh: Client, system: str, shown: str, hidden: str
) -> None:
    page = fresh.get(f"/new?rules={system}", headers={"Accept-Language": "es"}).content.decode()

    assert shown in page
    assert hidden not in page


def test_a_guest_of_a_named_party_says_who_they_are(fresh: Client) -> None:
    """Nobody takes a seat of a party with names by being the first who opens the link."""
    made(fresh, "Aria, Bo")
    game = Game.objects.get()
    blank, aria = game.seats.get(key=list(game.given_names)[3]), game.seats.get(given_name="Aria")

    for seat, name in ((blank, ""), (aria, "Aria")):
        taken = game.seats.exclude(device_hash=None).count()
        phone = Client(headers={"User-Agent": "Mozilla"})
        phone.get(f"/j/{game.invite_token}")
        assert taken == game.seats.exclude(device_hash=None).count()
        answer = phone.post(f"/g/{game.slug}/seats/{seat.key}/claim")
        assert taken + 1 == game.seats.exclude(device_hash=None).count()
        assert (not name) == ("welcome" in answer.headers.get("Location", ""))
        assert name == game.seats.get(pk=seat.pk).given_name


@pytest.mark.parametrize("by", ["bo", "gm"])
def test_a_protagonist_keeps_its_name_when_its_player_leaves(
    make_game: Make, sit: Sit, by: str
) -> None:
    game = make_game("stars-and-signs", seats={"gm": {}, "bo": {}})
    phones = {key: sit(game, key) for key in ("gm", "bo")}

    assert 302 == phones[by].post(f"/g/{game.slug}/seats/bo/leave").status_code
    bo = game.seats.get(key="bo")
    assert (False, False, "Bo") == (bo.taken, bo.free, bo.name)


def test_a_player_who_named_themselves_takes_the_name_to_a_seat_without_one(
    make_game: Make, sit: Sit
) -> None:
    game = make_game("stars-and-signs", seats={"gm": {}, "bo": {}, "cleo": {}})
    game.seats.filter(key="cleo").update(given_name="")
    bo = sit(game, "bo")
    bo.post(f"/g/{game.slug}/seats/cleo/claim")

    assert ["", "Bo"] == list(game.given_names.values())[1:]


def test_a_protagonist_s_sheet_has_nothing_of_a_card_game(make_game: Make, sit: Sit) -> None:
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}})
    sit(game, "ana")
    page = sit(game, "gm").get(f"/g/{game.slug}/seats/ana").content.decode()

    for left_over in ("turn", "That’s my seat", "another kind", "Add a counter", "outcome"):
        assert left_over not in page
