"""A chair at which nobody sits: it does not play, nor win, nor hold up a round."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.store import rows
from games.systems import SYSTEMS, find, presets
from tests.types import Json, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]

PHONE: Json = {"HTTP_USER_AGENT": "Mozilla/5.0 (Linux; Android 15; Mobile)"}
GOLF: dict[str, Any] = {
    "title": "Golf",
    "numbers": [{"kind": "score", "on": "player", "big": True}],
    "turns": {"order": "all"},
    "rules": [
        {
            "rule": "Round is over",
            "when": {"pressed": "Round is over", "on": "table"},
            "do": [
                {
                    "ask": "How many points?",
                    "of": "players",
                    "then": [{"add": "answer", "of": "score", "on": "answerer"}],
                }
            ],
        },
        {
            "rule": "The end",
            "when": {"pressed": "The end", "on": "table"},
            "do": [
                {
                    "win": {
                        "each": "players",
                        "if": [{"number": "score"}, "=", {"lowest": "score", "on": "players"}],
                    }
                }
            ],
        },
    ],
}


def table(
    sit: Sit, *, definition: dict[str, Any] = GOLF, phones: int = 3, seats: int = 4
) -> tuple[Game, list[Client]]:
    """A game with four chairs, and the phones on the first of them."""
    first, settings = find("own-game"), {"definition": definition}
    keys = presets.seat_ids(seats)
    given: dict[str, Any] = {"seats": {each: {} for each in keys}}
    system = first.of_table(settings)
    game = rows.create(system, system.opening(system, given, settings), title="Golf")
    game.seats.update(given_name="")
    return game, [sit(game, each) for each in keys[:phones]]


def give(client: Client, game: Game, **command: Any) -> None:
    answer = client.post(
        f"/g/{game.slug}/command", json.dumps(command), content_type="application/json"
    )
    assert 204 == answer.status_code, answer.content


def now(game: Game) -> Any:
    found = Game.objects.get(pk=game.pk)
    rows.check(found)
    return rows.state(found)


def test_no_empty_chair_is_asked(sit: Sit) -> None:
    ask = {"ask": "Luck?", "of": "players", "then": [{"tell": "Luck."}]}
    rule = {"rule": "Luck", "when": {"ends": "session"}, "do": [ask]}
    silver = {"kind": "silver", "on": "player"}
    settings = {"definition": {"title": "Led", "gm": {}, "numbers": [silver], "rules": [rule]}}
    system = find("own-game").of_table(settings)
    given: dict[str, Any] = {"seats": {each: {} for each in ("gm", "ana", "ben")}}
    game = rows.create(system, system.opening(system, given, settings), title="Led")
    all_of_them = f"/g/{game.slug}/slots/line", {"line": "all silver +2"}
    game.seats.update(given_name="")
    gm, _ana = sit(game, "gm"), sit(game, "ana")
    assert "silver · 0 → 2" in gm.post(*all_of_them).content.decode(), "only Ana’s"
    assert 302 == gm.post(f"/g/{game.slug}/slots/end").status_code

    assert "silver · 0 → 2" in gm.post(*all_of_them).content.decode(), "only Ana’s"
    assert ["ana"] == [each.to for each in now(game).prompts]
    assert ["ben"] == list(now(game).absent)


def play_round(game: Game, phones: list[Client], *points: int) -> None:
    give(phones[0], game, do="press", rule="Round is over", on="table")
    for client, key, number in zip(phones, game.places, points, strict=False):
        give(client, game, do="answer", prompt=f"rule-1:{key}", number=number)


def test_the_lowest_of_those_who_play_wins_and_no_empty_chair(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")

    play_round(game, phones, 3, 5, 7)
    assert () == now(game).prompts
    give(phones[0], game, do="press", rule="The end", on="table")

    assert ("ana",) == now(game).winners


def test_a_button_begins_a_game_without_turns_too(sit: Sit) -> None:
    without = {**GOLF, "turns": {"order": "none"}}
    game, phones = table(sit, definition=without)

    give(phones[0], game, do="press", rule="Round is over", on="table")

    assert ["ana", "ben", "cleo"] == [prompt.to for prompt in now(game).prompts]


def test_one_undo_brings_the_chair_back_with_the_beginning(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")
    assert now(game).seats["dan"].lost
    label = phones[0].get(f"/g/{game.slug}/mine").json()["undo_short"]
    assert "Undo round" == label

    give(phones[0], game, do="undo", entry=1)

    assert not now(game).seats["dan"].lost
    assert () == now(game).turn.active


def test_one_phone_alone_plays_for_all_chairs(sit: Sit) -> None:
    game, phones = table(sit, phones=1)

    give(phones[0], game, do="begin-turn")

    assert ("ana", "ben", "cleo", "dan") == now(game).turn.active


def test_a_player_with_a_name_and_no_phone_plays(sit: Sit) -> None:
    game, phones = table(sit)
    game.seats.filter(key="dan").update(given_name="Grandma")

    give(phones[0], game, do="begin-turn")

    assert ("ana", "ben", "cleo", "dan") == now(game).turn.active


def test_a_late_guest_plays_from_the_next_round(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")
    play_round(game, phones, 3, 5, 7)
    late = Client(**PHONE)
    late.get(f"/j/{game.invite_token}")

    give(phones[0], game, do="begin-turn")
    assert not now(game).seats["dan"].lost
    play_round(game, [*phones, late], 1, 1, 1, 2)

    assert [4, 6, 8, 2] == [now(game).count(each, "score") for each in game.places]
    sheet = phones[0].get(f"/g/{game.slug}/scores.csv").content.decode().splitlines()
    assert ["1,3,5,7,", "2,1,1,1,2"] == sheet[1:3]


def test_the_empty_chair_is_in_no_result(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")
    play_round(game, phones, 3, 5, 7)
    give(phones[0], game, do="press", rule="The end", on="table")

    pages = [phones[0].get(f"/g/{game.slug}/{each}").content.decode() for each in ("", "summary")]
    end = pages[0].split('id="end"')[1].split("</ul>")[0]

    assert "Round is over" not in pages[1].split("<h1>")[1]
    assert "Player 4" not in end
    assert "Player 4" not in pages[1]


def test_the_button_says_who_does_not_play(sit: Sit) -> None:
    game, phones = table(sit)

    page = phones[0].get(f"/g/{game.slug}/").content.decode()

    assert "Start without Player 4" in page


def test_a_rematch_begins_with_the_chairs_of_the_game(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")

    answer = phones[0].post(f"/g/{game.slug}/again")

    anew = Game.objects.get(slug=answer["Location"].split("/")[2])
    assert [*game.places] == [*anew.places]
    assert "Start without Player 4" in phones[0].get(answer["Location"]).content.decode()


CARDS = [name for name, (first, *_) in SYSTEMS.items() if "sit-out" in first.verbs]
FOUR = [name for name in CARDS if presets.presets(SYSTEMS[name][0])[0].seats[1] >= 4]
FOUR.remove("own-game")  # as Golf, above
LOSES: dict[str, dict[str, Any]] = {
    "magic": {"do": "lose-life", "amount": 40},
    "grand-archive": {"do": "damage", "amount": 15},
    "yu-gi-oh": {"do": "lose-life", "amount": 8000},
}
HOLDER = {"magic": "seat", "grand-archive": "on", "yu-gi-oh": "seat"}
FATAL = [name for name in FOUR if name in LOSES]


def card_table(sit: Sit, name: str, phones: int = 3, seats: int = 4) -> tuple[Game, list[Client]]:
    """The usual table of a system, and the phones on the first of its chairs."""
    system, usual = SYSTEMS[name][0], presets.presets(SYSTEMS[name][0])[0]
    opening = system.opening(system, usual.given(presets.seat_ids(seats)), usual.settings)
    game = rows.create(system, opening, title="Friday")
    game.seats.update(given_name="")
    return game, [sit(game, each) for each in [*game.places][:phones]]


def hit(name: str, seat: str) -> dict[str, Any]:
    """The blow of which *seat* dies."""
    target = f"{seat}-champion" if name == "grand-archive" else seat
    return {**LOSES[name], HOLDER[name]: target}


@pytest.mark.parametrize("name", CARDS)
def test_nobody_wins_or_loses_as_the_game_begins(name: str, sit: Sit) -> None:
    least, most = presets.presets(SYSTEMS[name][0])[0].seats
    game, phones = card_table(sit, name, 2, min(most, max(least, 3)))

    give(phones[0], game, do="begin-turn", **({} if name == "own-game" else {"active": ["ana"]}))

    state = now(game)
    assert (None, ()) == (state.result, state.winners)
    assert [*game.places][2:] == state.absent
    assert {*state.absent} == {each.id for each in state.seats.values() if each.lost}


@pytest.mark.parametrize("name", FOUR)
def test_the_button_begins_the_first_turn_and_skips_nobody(name: str, sit: Sit) -> None:
    game, phones = card_table(sit, name)

    page = phones[0].get(f"/g/{game.slug}/").content.decode()
    step = page.split('id="step"')[1].split("</p>")[0]
    _, verb, value, *_ = re.split(r'name="?(begin-\w+)"? value="?([\w-]+)', step)
    begun = {"active": [value]} if verb == "begin-turn" else {"phase": value}
    give(phones[0], game, do=verb, **begun)

    assert "Start without Player 4" in step
    assert (("ana",), ["dan"]) == (now(game).turn.active, now(game).absent)


@pytest.mark.parametrize("begins", [True, False])
@pytest.mark.parametrize("name", FATAL)
def test_the_last_of_three_at_a_table_for_four_wins(name: str, begins: bool, sit: Sit) -> None:
    game, phones = card_table(sit, name)
    assert "Start without Player 4" in phones[0].get(f"/g/{game.slug}/").content.decode()

    if begins:
        give(phones[0], game, do="begin-turn", active=["ana"])
    for seat in ("ana", "ben"):
        give(phones[2], game, **hit(name, seat))

    state = now(game)
    assert ("won", ("cleo",)) == (state.result, state.winners)
    page, summary, log = (
        phones[0].get(f"/g/{game.slug}/{each}").content.decode() for each in ("", "summary", "log")
    )
    end = page.split('id="end"')[1].split("</ul>")[0]
    assert ["Player 1" in end, "Player 3" in end, "Player 4" in end] == [True, True, False]
    assert "Player 4" not in summary
    assert "Player 4 does not play: nobody sits there" in log


@pytest.mark.parametrize("name", FATAL)
def test_a_late_guest_plays_and_wins(name: str, sit: Sit) -> None:
    game, phones = card_table(sit, name)
    give(phones[0], game, do="begin-turn", active=["ana"])
    opening = rows.opening(game).seats["dan"]

    late = Client(**PHONE)
    late.get(f"/j/{game.invite_token}")
    for _turn in range(2):  # the table lets them in between two commands
        give(phones[0], game, do="begin-turn", active=["ben"])

    assert opening == now(game).seats["dan"]
    assert "Undo guest" == late.get(f"/g/{game.slug}/mine").json()["undo_short"]
    for seat in ("ana", "ben", "cleo"):
        give(phones[2], game, **hit(name, seat))
    assert ("dan",) == now(game).winners


@pytest.mark.parametrize("name", FOUR)
def test_one_undo_brings_the_chair_back(name: str, sit: Sit) -> None:
    game, phones = card_table(sit, name)
    give(phones[0], game, do="begin-turn", active=["ana"])
    assert ["dan"] == now(game).absent

    give(phones[0], game, do="undo", entry=1)

    assert (None, False) == (now(game).absent, now(game).seats["dan"].lost)


@pytest.mark.parametrize("name", FATAL)
def test_a_chair_that_something_was_done_for_plays(name: str, sit: Sit) -> None:
    """Two phones tap for four: what was tapped before the beginning or after it plays."""
    game, phones = card_table(sit, name, 2)
    give(phones[0], game, **{**hit(name, "cleo"), "amount": 1})
    give(phones[0], game, do="begin-turn", active=["ana"])
    assert ["dan"] == now(game).absent

    give(phones[1], game, do="begin-turn", active=["dan"])

    assert ([], ("dan",)) == (now(game).absent, now(game).turn.active)
    assert [] == [each.id for each in now(game).seats.values() if each.lost]


def test_who_sits_down_after_the_end_changes_no_result(sit: Sit) -> None:
    game, phones = card_table(sit, "magic")
    give(phones[0], game, do="begin-turn", active=["ana"])
    for seat in ("ana", "ben"):
        give(phones[2], game, **hit("magic", seat))

    Client(**PHONE).get(f"/j/{game.invite_token}")
    phones[0].get(f"/g/{game.slug}/")

    assert ("cleo",) == now(game).winners


def test_a_team_goes_on_with_one_head(sit: Sit) -> None:
    system = SYSTEMS["magic"][0]
    usual = presets.preset(system, "two-headed-giant")
    opening = system.opening(system, usual.given(presets.seat_ids(4)), usual.settings)
    game = rows.create(system, opening, title="Friday")
    game.seats.update(given_name="")
    phones = [sit(game, each) for each in ("ana", "ben", "cleo")]

    give(phones[0], game, do="begin-phase", phase="precombat-main")

    state = now(game)
    assert (["dan"], None) == (state.absent, state.result)
    assert not state.seats["cleo"].lost
    give(phones[0], game, do="lose-life", seat="cleo", amount=1)
    give(phones[0], game, do="leave", seat="ben")
    assert ("cleo",) == now(game).winners


def test_nobody_attacks_an_empty_chair_before_the_game_begins(sit: Sit) -> None:
    system = SYSTEMS["magic"][0]
    opening = system.opening(system, {"seats": {each: {} for each in presets.seat_ids(4)}}, {})
    game = rows.create(system, opening, title="Friday")
    game.seats.update(given_name="")
    phones = [sit(game, each) for each in ("ana", "ben", "cleo")]
    bear = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    give(phones[0], game, do="create", **{"as": "bear"}, name="Bear", **bear)

    sheet = phones[0].get(f"/g/{game.slug}/acts/combat?seat=ana").content.decode()

    assert ["ben", "cleo"] == re.findall(r'name="attacks.bear"\s+value="(\w+)"', sheet)


def test_the_name_of_whoever_left_stays_with_their_numbers(sit: Sit) -> None:
    game, phones = table(sit, phones=2, seats=2)
    game.seats.filter(key="ben").update(given_name="Ben")
    give(phones[0], game, do="begin-turn")
    play_round(game, phones, 3, 5)
    phones[0].post(f"/g/{game.slug}/seats/ben/leave")
    give(phones[0], game, do="press", rule="The end", on="table")

    sheet = phones[0].get(f"/g/{game.slug}/scores.csv").content.decode().splitlines()
    pages = [phones[0].get(f"/g/{game.slug}/{each}").content.decode() for each in ("", "summary")]

    assert sheet[0].endswith(",Ben")
    assert all("Ben" in page for page in pages)
    assert game.seats.get(key="ben").free


def test_a_name_that_moved_along_stays_nowhere_else(sit: Sit) -> None:
    game, phones = table(sit)
    game.seats.filter(key="cleo").update(given_name="Cleo")
    give(phones[0], game, do="begin-turn")
    phones[2].post(f"/g/{game.slug}/seats/dan/claim")

    assert ("Cleo", "Player 3") == (
        game.seats.get(key="dan").name,
        game.seats.get(key="cleo").name,
    )


def test_results_stand_in_order_of_their_places(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")
    play_round(game, phones, 7, 3, 7)
    give(phones[0], game, do="press", rule="The end", on="table")

    page = phones[0].get(f"/g/{game.slug}/").content.decode()
    end = page.split('id="end"')[1].split("</ul>")[0]
    summary = phones[0].get(f"/g/{game.slug}/summary").content.decode()

    found = [
        end.index(f"{place}<bdi>Player {n}") for place, n in (("1. ", 2), ("2. ", 1), ("2. ", 3))
    ]
    assert sorted(found) == found
    rows_of = summary.split("Players</h2>")[1].split("</table>")[0]
    assert rows_of.index("Player 2") < rows_of.index("Player 1") < rows_of.index("Player 3")


def test_every_own_game_has_a_table_file(sit: Sit) -> None:
    numbers = [{"kind": "wood", "on": "player", "start": 2}, {"kind": "ore", "on": "player"}]
    game, phones = table(sit, definition={"title": "Catan", "numbers": numbers}, phones=2, seats=2)

    sheet = phones[0].get(f"/g/{game.slug}/scores.csv").content.decode().splitlines()

    assert [",Player 1,Player 2", "wood,2,2", "ore,0,0"] == sheet


def test_rules_that_make_somebody_win_end_the_game_at_once(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")
    play_round(game, phones, 3, 4, 0)
    won = {
        "rule": "Three",
        "when": {"always": "player"},
        "if": [{"number": "score"}, ">=", 4],
        "do": [{"win": "it"}],
    }

    rows.give(
        Game.objects.get(pk=game.pk),
        [{"do": "change-rules", "definition": {**GOLF, "rules": [*GOLF["rules"], won]}}],
    )

    assert ("ben",) == now(game).winners


def test_a_rematch_of_rounds_brings_everyone_along_and_draws_no_lots(sit: Sit) -> None:
    game, phones = table(sit)
    give(phones[0], game, do="begin-turn")

    sheet = phones[0].get(f"/g/{game.slug}/keep").content.decode()

    assert "Bring everyone along" in sheet
    assert "Draw lots" not in sheet


def test_who_is_played_on_one_phone_for_all_looks_no_longer_free(sit: Sit) -> None:
    game, [one] = card_table(sit, "magic", phones=1)

    def marks(phone: Client) -> list[str]:
        page = phone.get(f"/g/{game.slug}/").content.decode()
        return re.findall(r'id="?s-\w+"?.*?seat-mark[^>]*>(.)<', page, re.S)

    before = marks(one)
    give(one, game, do="begin-turn", active=["ana"])
    ben = Client(**PHONE)
    ben.get(f"/j/{game.invite_token}")

    assert (["1", "+", "+", "+"], ["1", "2", "3", "4"]) == (before, sorted(marks(ben)))
