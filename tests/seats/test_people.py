"""The look of a seat: its name, its colour and its emblem, free and taken."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.utils import translation

from games.live.imports import imported
from games.models import Game, Setup, Visitor
from games.models.tokens import hashed
from games.pages import rematch
from games.screens import boards
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.store import rows
from tests.seats.phones import seat_of
from tests.types import Make, Sit

PHONE = "Mozilla/5.0 (iPhone)"


@pytest.fixture
def new(db: None) -> Make:
    """Ana makes a game on the page for it, and says her name."""

    def make(rules: str = "grand-archive", seats: int = 3, name: str = "Ana") -> Game:
        Client().post("/new", {"rules": rules, "seats": seats, "name": name})
        return Game.objects.order_by("-pk")[0]

    return make


def guest(game: Game) -> Client:
    """A phone that has just opened the invitation."""
    client = Client(headers={"User-Agent": PHONE})
    client.get(f"/j/{game.invite_token}")
    return client


def board(game: Game, language: str = "en") -> str:
    screens = Drawing(game.rules, game.places)
    return boards.board(screens, rows.state(game), None, Audience(None, language))


def post(game: Game, client: Client, path: str, **fields: str) -> int:
    return client.post(f"/g/{game.slug}/seats/{path}", fields).status_code


# Names


def test_a_free_seat_has_no_persons_name(new: Make) -> None:
    game = new()
    guest(game)

    assert ["Ana", "Player 2", "Player 3"] == list(game.names.values())
    assert ["A", "2", "+"] == [seat.letter for seat in game.seats.all()]
    assert [False, False, True] == [seat.free for seat in game.seats.all()]
    with translation.override("es"):
        assert ["Ana", "Jugador 2", "Jugador 3"] == list(game.names.values())


def test_a_free_seat_is_drawn_as_one_in_the_language_of_the_screen(new: Make) -> None:
    game = new(seats=2)

    assert not re.search(r"\bBen\b", board(game))
    assert 'data-place="2" data-colour="2" data-emblem="2" data-free' in board(game)
    assert "Player 2" in board(game)
    assert "Jugador 2" in board(game, "es")


def test_a_guest_is_asked_once_with_an_empty_field(new: Make) -> None:
    game = new()
    ben = guest(game)
    page = ben.get(f"/g/{game.slug}/?welcome=1").content.decode()
    row = page[page.index('class="welcome"') :]
    field = re.search(r'<input\s+id="welcome-name".*?>', row, re.DOTALL)

    assert field
    assert " value=" not in field[0]
    assert 'placeholder="Player 2"' in field[0]
    assert 'autocomplete="nickname"' in field[0]
    assert "welcome-name" not in ben.get(f"/g/{game.slug}/").content.decode()


def test_a_name_given_later_is_in_earlier_lines_of_the_log(new: Make) -> None:
    game = new(rules="any-game")
    ben = guest(game)
    rows.give(game, [{"do": "place", "on": "ben", "counter": "points", "amount": 1, "by": "ben"}])
    before = [line.name for line in log_lines(game, None)]
    post(game, ben, "ben/name", name="Benno")

    assert (["Player 2"], ["Benno"]) == (before, [line.name for line in log_lines(game, None)])


def test_a_name_leaves_with_its_player(new: Make) -> None:
    game = new()
    ben = guest(game)
    post(game, ben, "ben/name", name="Benno")
    post(game, ben, "cleo/claim")

    assert ["Ana", "Player 2", "Benno"] == list(game.names.values())
    post(game, ben, "cleo/leave")
    assert ["Ana", "Player 2", "Player 3"] == list(game.names.values())


@pytest.mark.parametrize("rules", ["grand-archive", "stars-and-signs"])
@pytest.mark.parametrize(
    ("says", "called"), [("Grandma", "Grandma"), ("Somebody else", "Player 3")]
)
def test_where_some_seats_have_names_a_newcomer_says_who_they_are(
    new: Make, rules: str, says: str, called: str
) -> None:
    game = new(rules)
    game.seats.filter(order=1).update(given_name="Grandma")
    phone = Client(headers={"User-Agent": PHONE})
    page = phone.get(f"/j/{game.invite_token}", follow=True).content.decode()
    choices = re.findall(r'action="([^"]+/claim)".*?<bdi>(.*?)</bdi>', page, re.S)
    assert (True, ["Grandma", "Somebody else"]) == (
        "Who are you?" in page,
        [name for _path, name in choices],
    )
    without = Client(headers={"User-Agent": PHONE})
    led = without.get(f"/j/{game.invite_token}")["Location"]
    without.cookies.clear()
    assert "This browser blocks cookies" in without.get(led).content.decode()
    led = phone.post(next(path for path, name in choices if name == says))["Location"]

    mine = game.seats.get(key=seat_of(game, phone))
    assert (called, called != "Grandma") == (mine.name, "welcome" in led)


# Colours and emblems


def test_looks_are_those_of_the_place_until_others_are_chosen(game: Game, sit: Sit) -> None:
    ben = sit(game, "ben")

    assert (2, 2) == looks(game, "ben")
    assert 302 == post(game, ben, "ben/look", colour="7")
    assert 302 == post(game, ben, "ben/look", emblem="5")
    assert (7, 5) == looks(game, "ben")
    assert 'data-place="2" data-colour="7" data-emblem="5"' in board(game)


def looks(game: Game, key: str) -> tuple[int, int]:
    seat = game.seats.get(key=key)
    return seat.colour, seat.emblem


def test_no_two_players_look_the_same(game: Game, sit: Sit) -> None:
    sit(game, "ana")
    ben = sit(game, "ben")

    assert 409 == post(game, ben, "ben/look", colour="1")
    assert ((1, 1), (2, 2)) == (looks(game, "ana"), looks(game, "ben"))


def test_a_free_seat_gives_its_colour_in_exchange(new: Make) -> None:
    game = new()
    post(game, guest(game), "ben/look", colour="3")

    assert ((3, 2), (2, 3)) == (looks(game, "ben"), looks(game, "cleo"))


@pytest.mark.parametrize("chosen", ["0", "9", "red", ""])
def test_other_colours_are_refused(game: Game, sit: Sit, chosen: str) -> None:
    assert 422 == post(game, sit(game, "ben"), "ben/look", colour=chosen)


def test_only_the_host_may_choose_for_others(game: Game, ana: Client, ben: Client) -> None:
    assert 403 == post(game, ben, "cleo/look", colour="7")
    assert 302 == post(game, ana, "cleo/look", colour="7")


def test_the_sheet_shows_what_others_have(game: Game, ana: Client, ben: Client) -> None:
    sheet = ben.get(f"/g/{game.slug}/seats/ben").content.decode()
    found = re.findall(r'name="colour"\s+value="(\d)"[^>]*?( disabled)?\s*>', sheet)

    assert ["1", "3"] == [number for number, worn in found if worn]
    assert 8 == len(found)
    assert "(Ana has it)" in sheet


# Rematches and set-ups


def test_a_rematch_keeps_names_and_looks(new: Make) -> None:
    game = new()
    post(game, guest(game), "ben/look", emblem="8")
    again = rematch.begin(game)

    assert ["Ana", "Player 2", "Player 3"] == list(again.names.values())
    assert (2, 8) == looks(again, "ben")


def test_a_setup_keeps_names_and_looks(game: Game, ana: Client) -> None:
    post(game, ana, "ana/look", colour="6")
    ana.post(f"/g/{game.slug}/setups")
    Client().post(f"/s/{Setup.objects.get().token}")
    begun = Game.objects.order_by("-pk")[0]

    assert begun != game
    assert (6, 1) == looks(begun, "ana")


def test_champions_are_named_after_their_players(new: Make) -> None:
    game = new(seats=2)
    drawn = board(game)

    assert "Ana’s champion" in drawn
    assert "Player 2’s champion" in drawn
    guest(game)
    assert "Player 2’s champion" in board(game)


def test_commanders_are_named_after_their_players(new: Make) -> None:
    game = new("magic", 4)

    assert "Ana’s commander" in board(game)
    assert 40 == rows.state(game).seats["ana"].life  # type: ignore[attr-defined]


def test_the_log_calls_a_champion_by_its_player(new: Make) -> None:
    game = new()
    rows.give(game, [{"do": "damage", "on": "ana-champion", "amount": 2, "by": "ben"}])
    said = " ".join(part.text for line in log_lines(game, None) for part in line.parts)

    assert "Ana’s champion" in said


def transformed(name: str) -> dict[str, object]:
    champion = {"object": "ana-champion", "base": {"life": 15, "level": 0}}
    return {"do": "transform", **champion, "name": name, "by": "ana"}


def leveled(name: str) -> dict[str, object]:
    champion = {"object": "ana-champion", "level": 1, "life": 20}
    return {"do": "level-up", **champion, "name": name, "by": "ana"}


@pytest.mark.parametrize(
    ("commands", "name"),
    [
        ([], "Champion"),
        ([transformed("Lorraine")], "Lorraine"),
        ([leveled("Lorraine, Wandering Warrior")], "Champion"),
        ([transformed("Lorraine"), leveled("Lorraine, Wandering Warrior")], "Lorraine"),
    ],
)
def test_a_rematch_keeps_the_names_of_champions(
    new: Make, commands: list[dict[str, object]], name: str
) -> None:
    game = new()
    rows.give(game, commands)
    again = rematch.begin(game)
    rows.give(again, [leveled("Someone else")])

    assert name == rows.opening(again).objects["ana-champion"].name
    assert name == rows.opening(rematch.begin(again)).objects["ana-champion"].name or not commands


def test_the_seats_of_an_old_device_are_left_with_its_name(game: Game) -> None:
    ben, phone = game.seats.get(key="ben"), hashed("a phone")
    game.admit(phone, Visitor.Role.GUEST)
    game.seats.get(key="cleo").claim(phone)
    ben.hand_to(phone)

    assert ["Ana", "Ben", "Player 3"] == list(game.names.values())


def called(game: Game, client: Client, key: str, name: str) -> int:
    return client.post(f"/g/{game.slug}/seats/{key}/name", {"name": name}).status_code


def test_a_second_ana_is_ana_2_at_once(game: Game, sit: Sit) -> None:
    ana, ben = sit(game, "ana"), sit(game, "ben")

    assert 302 == called(game, ana, "ana", "Ana")
    assert 302 == called(game, ben, "ben", "\u0410na")

    assert "Ana" == game.seats.get(key="ana").given_name
    assert "\u0410na 2" == game.seats.get(key="ben").given_name

    assert 302 == called(game, ana, "ana", "Ana")
    assert "Ana" == game.seats.get(key="ana").given_name, "its own name is not in its way"


@pytest.mark.parametrize("name", ["\u200b\u200b", "\u3164", "\u2800"])
def test_a_name_that_nobody_sees_is_refused_in_words(game: Game, sit: Sit, name: str) -> None:
    answer = sit(game, "ana").post(f"/g/{game.slug}/seats/ana/name", {"name": name})

    assert 422 == answer.status_code
    assert "A name must have 1 to 40 characters that people see." in answer.content.decode()


def test_names_typed_for_a_new_game_are_told_apart(client: Client, db: None) -> None:
    fields = {"rules": "any-rpg", "seats": 4, "name": "Mo", "others": "Ana, ana, \u0410na"}
    client.post("/new", fields)

    names = Game.objects.get().given_names
    assert ["Mo", "Ana", "ana 2", "\u0410na 3"] == list(names.values())


def test_names_in_a_file_are_told_apart(db: None) -> None:
    scenario = {
        "id": "friday", "title": "Friday", "system": "any-game", "when": [], "then": {},
        "given": {"seats": {"ana": {}, "ben": {}, "cleo": {}}},
        "names": {"ana": "Ana", "ben": "Ana", "cleo": "\u3164"},
    }  # fmt: skip

    names = imported(json.dumps(scenario)).given_names

    assert ["Ana", "Ana 2", ""] == list(names.values())
