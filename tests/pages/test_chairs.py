"""A guest who comes late: where every seat is taken, the invitation leads to a chair."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.store import rows
from games.systems import find
from games.tracks.counter import counters_in
from tests.types import Json, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]

PHONE: Json = {"HTTP_USER_AGENT": "Mozilla/5.0 (Linux; Android 15; Mobile)"}


def full_table(system: str, sit: Sit, count: int = 2) -> Game:
    found = find(system)
    seats = ["ana", "ben", "cleo", "dan"][:count]
    given: dict[str, Any] = {"seats": {each: {} for each in seats}}
    game = rows.create(found, found.opening(found, given, {}), title="Friday")
    for each in seats:
        sit(game, each)
    return game


def arrived(game: Game) -> tuple[Client, str]:
    """A new phone that opens the invitation, and where it is led."""
    guest = Client(**PHONE)
    answer = guest.get(f"/j/{game.invite_token}")
    assert 302 == answer.status_code
    return guest, answer["Location"].removeprefix(f"/g/{game.slug}/")


def led(gwen: Client) -> Game:
    """A GM's table of one line."""
    named = {"seats": "4", "name": "Gwen", "others": "Ana, Ben"}
    made = {"rules": "own-game", "ready": "any-rpg", "numbers": "hp 8, omens 2, stress 0/9, silver"}
    gwen.post("/new", {**made, **named})
    return Game.objects.get()


def says(phone: Client, own: str, **changed: str) -> int:
    """Fill in the page of one's own numbers, with some that differ; the status of the answer."""
    page = phone.get(own).content.decode()
    fields = dict(re.findall(r'name="((?:is|of)\.[^"]+)" value="([^"]+)"', page))
    keys = dict(zip(("is", "of"), fields, strict=False))
    typed = {keys.get(key, key): value for key, value in changed.items()}
    return phone.post(own, {**fields, **typed}).status_code


def hit_points(game: Game) -> dict[str | None, Any]:
    """By seat."""
    tracks = counters_in(rows.state(game)).values()
    return {each.owner: each for each in tracks if each.type == "hp"}


def test_initiative_with_a_sign_is_rolled_anew_whenever_turns_begin() -> None:
    gwen = Client(**PHONE)
    game = led(gwen)
    at = f"/g/{game.slug}/"
    own, (ana, ben) = f"{at}slots/own", (arrived(game)[0] for _phone in range(2))
    for phone, name in ((ana, "ana"), (ben, "ben")):
        phone.post(f"{at}seats/{name}/claim")

    assert [302, 422, 422] == [says(ana, own, turn=each) for each in ("+30", "d20", "+100")]
    assert (30, None) == (hit_points(game)["ana"].bonus, hit_points(game)["ana"].initiative)
    gwen.post(f"{at}command", {"do": "fight", "to": "begin"})
    assert 31 <= hit_points(game)["ana"].initiative <= 50
    assert 302 == says(ben, own, turn="−30")
    assert 0 == hit_points(game)["ben"].initiative, "those who come late have a place at once"
    gwen.post(f"{at}command", {"do": "fight", "to": "end"})
    assert 302 == says(ana, own, turn="14")
    gwen.post(f"{at}command", {"do": "fight", "to": "begin"})
    assert (None, 14) == (hit_points(game)["ana"].bonus, hit_points(game)["ana"].initiative)
    rows.check(game)


def test_who_sits_down_at_a_gms_table_is_asked_for_the_numbers_of_their_own_sheet() -> None:
    game = led(Client(**PHONE))
    ana, ben, late = (arrived(game)[0] for _phone in range(3))
    at = f"/g/{game.slug}/"
    asked = [
        ana.post(f"{at}seats/ana/claim"),
        late.post(f"{at}seats/cleo/name", {"name": "Late"}),
        late.post(f"{at}seats/cleo/claim"),
        late.post(f"{at}seats/cleo/name", {"name": "Lea", "welcome": ""}),
    ]
    own = f"{at}slots/own"
    assert [own, at, f"{at}?welcome=1", own] == [each.get("location", at) for each in asked]

    assert [302, 302, 422, 422] == [
        says(ana, own, **{"is": "5", "of": "12", "is.silver": "40"}),
        says(late, own, of="38"),
        says(late, own, of="many"),
        says(late, own, **{"is": "-3"}),
    ]
    entries = game.entries.count()
    assert 302 == says(late, own)
    assert entries == game.entries.count(), "nothing is changed, and nobody hears of it"
    counters = hit_points(game)
    assert [(5, 12), (38, 38)] == [(counters[k].shown, counters[k].top) for k in ("ana", "cleo")]
    assert 40 == rows.state(game).count("ana", "silver")
    assert 403 == ben.get(own).status_code
    rows.check(game)


def test_who_brings_a_chair_to_a_gms_table_has_what_every_player_has() -> None:
    gwen = Client(**PHONE)
    game = led(gwen)
    at = f"/g/{game.slug}/"
    for name in ("ana", "ben", "cleo"):
        arrived(game)[0].post(f"{at}seats/{name}/claim")
    late, where = arrived(game)
    assert "chair?welcome=1" == where

    answer = late.post(f"{at}chair", {"after": "cleo", "name": "Dan"})
    assert f"{at}slots/own" == answer["location"], "a character has numbers of its own"
    assert 302 == says(late, answer["location"], of="38")
    tracks = [each for each in counters_in(rows.state(game)).values() if each.owner == "dan"]
    assert [("hp", 38), ("omens", 2), ("stress", 9)] == [(each.type, each.top) for each in tracks]
    for _act in ("the sheet", "the kit", "the chair"):
        gwen.post(f"{at}command", {"do": "undo"})
    assert "dan" not in rows.state(game).seats
    rows.check(game)


@pytest.mark.parametrize("system", ["magic", "grand-archive", "yu-gi-oh", "any-game", "own-game"])
def test_where_every_seat_is_taken_a_guest_brings_a_chair(system: str, sit: Sit) -> None:
    game = full_table(system, sit)
    looked = {each.key: (each.colour, each.emblem) for each in game.seats.all()}
    guest, where = arrived(game)
    assert "chair?welcome=1" == where
    page = guest.get(f"/g/{game.slug}/chair").content.decode()
    assert "between Ana and Ben" in page
    assert "you’re number 3" in page

    answer = guest.post(f"/g/{game.slug}/chair", {"after": "ana", "name": " Eli "})
    assert (302, f"/g/{game.slug}/") == (answer.status_code, answer.get("location")), answer.content

    places = Game.objects.get(pk=game.pk).places
    assert ["ana", "cleo", "ben"] == [*places]
    assert ("Eli", True) == (places["cleo"].name, places["cleo"].taken)
    assert looked == {
        key: (each.colour, each.emblem) for key, each in places.items() if key in looked
    }
    assert (3, 3) == (places["cleo"].colour, places["cleo"].emblem)
    rows.check(game)


def test_two_guests_at_the_same_moment_get_a_chair_each(sit: Sit) -> None:
    game = full_table("magic", sit)
    first, second = arrived(game)[0], arrived(game)[0]

    for guest in (first, second):
        guest.post(f"/g/{game.slug}/chair", {"after": "ben", "name": ""})

    places = Game.objects.get(pk=game.pk).places
    assert ["ana", "ben", "dan", "cleo"] == [*places]
    assert all(each.taken for each in places.values())


@pytest.mark.parametrize(
    ("why", "system"), [("locked", "magic"), ("for two", "pokemon"), ("over", "magic")]
)
def test_a_guest_who_may_not_bring_a_chair_watches(why: str, system: str, sit: Sit) -> None:
    game = full_table(system, sit)
    if why == "locked":
        Game.objects.filter(pk=game.pk).update(locked=True)
    if why == "over":
        rows.give(game, [{"do": "leave", "seat": "ben"}])
    guest, where = arrived(game)
    assert "" == where

    guest.post(f"/g/{game.slug}/chair", {"after": "ana", "name": "Eli"})

    assert ["ana", "ben"] == [*Game.objects.get(pk=game.pk).places]
    assert "Bring a chair" not in guest.get(f"/g/{game.slug}/").content.decode()


def test_the_watch_link_leads_to_no_chair(sit: Sit) -> None:
    game = full_table("magic", sit)
    guest = Client(**PHONE)
    guest.get(f"/w/{game.watch_token}")

    guest.post(f"/g/{game.slug}/chair", {"after": "ana", "name": "Eli"})

    assert 2 == game.seats.count()


def test_a_hostile_name_is_cleaned(sit: Sit) -> None:
    game = full_table("magic", sit)
    guest, _where = arrived(game)

    guest.post(f"/g/{game.slug}/chair", {"after": "nobody", "name": "\u202e<b>" + "x" * 400})

    assert "<b>" + "x" * 37 == Game.objects.get(pk=game.pk).places["cleo"].name
