"""Seats, invitations and who may open a game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games.models import Game, Seat, Visitor
from games.models.tokens import hashed, new_code, normalized_code
from tests.types import Make

ANAS_PHONE, BENS_PHONE = hashed("ana's phone"), hashed("ben's phone")


@pytest.fixture
def game(game: Game) -> Any:
    """A game that knows both phones."""
    for phone in (ANAS_PHONE, BENS_PHONE):
        game.admit(phone, Visitor.Role.GUEST)
    return game


def test_a_seat_is_taken_once(game: Game) -> None:
    seat = game.seats.get(key="ana")
    same = game.seats.get(key="ana")

    assert seat.claim(ANAS_PHONE)
    assert not same.claim(BENS_PHONE)

    assert "ana" == game.seat_of(ANAS_PHONE).key
    assert game.seat_of(BENS_PHONE) is None


def test_claiming_your_own_seat_again_changes_nothing(game: Game) -> None:
    game.seats.get(key="ana").claim(ANAS_PHONE)

    assert game.seats.get(key="ana").claim(ANAS_PHONE)


def test_a_phone_that_takes_another_seat_leaves_its_first(game: Game) -> None:
    game.seats.get(key="ana").claim(ANAS_PHONE)

    assert game.seats.get(key="ben").claim(ANAS_PHONE)

    assert ["ben"] == [seat.key for seat in game.seats.all() if seat.taken]


def test_a_phone_that_comes_too_late_keeps_the_seat_it_had(game: Game) -> None:
    game.seats.get(key="ana").claim(ANAS_PHONE)
    game.seats.get(key="ben").claim(BENS_PHONE)

    assert not game.seats.get(key="ana").claim(BENS_PHONE)

    assert "ben" == game.seat_of(BENS_PHONE).key


def test_a_released_seat_is_free(game: Game) -> None:
    seat = game.seats.get(key="ana")
    seat.claim(ANAS_PHONE)

    seat.release()

    assert game.seats.get(key="ana").claim(BENS_PHONE)


def test_a_seat_handed_to_a_new_phone_is_lost_to_the_old_one(game: Game) -> None:
    seat = game.seats.get(key="ana")
    seat.claim(ANAS_PHONE)
    game.seats.get(key="ben").claim(BENS_PHONE)

    seat.hand_to(BENS_PHONE)

    assert game.seat_of(ANAS_PHONE) is None
    assert "ana" == game.seat_of(BENS_PHONE).key
    assert not game.seats.get(key="ben").taken


def test_the_invitation_can_be_shown_again_and_is_stored_hashed(game: Game) -> None:
    again = Game.objects.get(pk=game.pk)

    assert game.invite_token == again.invite_token
    assert hashed(game.invite_token) == again.invite_hash
    assert 32 == len(game.invite_token)


def test_links_lead_to_their_game_and_no_further(game: Game, make_game: Make) -> None:
    other = make_game()

    assert game == Game.objects.invited_by(game.invite_token)
    assert other == Game.objects.hosted_by(other.host_token)
    assert Game.objects.hosted_by(game.invite_token) is None
    assert Game.objects.invited_by(game.host_token) is None
    assert Game.objects.invited_by("") is None


def test_a_rotated_invitation_admits_nobody(game: Game) -> None:
    token, code, host = game.invite_token, game.code, game.host_token

    game.rotate_invitation()

    assert Game.objects.invited_by(token) is None
    assert Game.objects.by_code(code) is None
    assert game == Game.objects.invited_by(game.invite_token)
    assert game == Game.objects.hosted_by(host)


@pytest.mark.parametrize("typed", ["0O1I-lL9A", "0011 119a", "oo11119a", "０011−119a…"])
def test_a_code_is_understood_as_it_was_heard(typed: Any) -> None:
    assert "0011119A" == normalized_code(typed)


def test_a_code_is_found_however_it_is_typed(game: Game) -> None:
    assert game == Game.objects.by_code(game.spoken_code.lower())


def test_codes_have_eight_unambiguous_characters() -> None:
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{8}", new_code())


def test_the_host_stays_host_whatever_link_is_opened_later(game: Game) -> None:
    game.admit(ANAS_PHONE, Visitor.Role.HOST)

    assert "host" == game.admit(ANAS_PHONE, Visitor.Role.GUEST).role


def test_a_guest_with_the_hosts_link_becomes_host(game: Game) -> None:
    game.admit(ANAS_PHONE, Visitor.Role.GUEST)

    assert "host" == game.admit(ANAS_PHONE, Visitor.Role.HOST).role


def test_a_stranger_is_not_admitted(game: Game) -> None:
    assert game.admitted(hashed("dan's phone")) is None


@pytest.mark.parametrize("amount", [0, 1_000_000])
def test_the_database_refuses_amounts_outside_the_bounds(game: Game, amount: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        game.counters.create(holder="ana", kind="points", amount=amount)


def test_the_database_refuses_two_seats_of_one_phone(game: Game) -> None:
    Seat.objects.filter(game=game, key="ana").update(device_hash=ANAS_PHONE)

    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(game=game, key="ben").update(device_hash=ANAS_PHONE)
