"""The shelf of past evenings: who sees it, what it counts, and what deleting deletes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.live.summaries import note_outcomes
from games.models import Entry, Game, LastEntry, Outcome, Setup, Visitor
from games.models.tokens import hashed
from games.pages import rematch
from games.screens.match import Score, match_text, score
from games.screens.shelf import Record, Shelf, Tally
from games.screens.summary.records import statistics_of
from games.store import rows
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(make_game: Make) -> Game:
    """Ana and Ben, before their first tap. Ana is host."""
    game = make_game("yu-gi-oh", seats={"ana": {}, "ben": {}})
    for key, name in (("ana", "Ana"), ("ben", "Ben")):
        game.seats.filter(key=key).update(given_name=name, host=key == "ana")
    return game


def lose(game: Game, seat: str) -> Game:
    """Let *seat* lose all its life."""
    rows.give(game, [{"do": "lose-life", "seat": seat, "amount": 8000, "by": seat}])
    return game


def long_ago(*games: Game) -> None:
    LastEntry.objects.filter(game__in=[game.pk for game in games]).update(
        changed=timezone.now() - timedelta(days=2)
    )


def home(client: Client) -> str:
    return client.get("/").content.decode()


def test_a_game_that_was_won_is_on_the_shelf_of_those_who_sat_there(duel: Game, sit: Sit) -> None:
    ana, ben = sit(duel, "ana"), sit(duel, "ben")
    assert "Past evenings" not in home(ana)

    lose(duel, "ben")

    for client in (ana, ben):
        page = home(client)
        assert "Past evenings" in page
        assert "Ana wins." in page
        assert f"/g/{duel.slug}/summary" in page


def test_a_winner_has_won_when_their_life_is_put_away_too(duel: Game, sit: Sit) -> None:
    """In the log, on the board, in summary, shelf, records, match and replay."""
    ana = sit(duel, "ana")
    lose(lose(duel, "ben"), "ana")
    rows.check(duel)
    assert rows.state(duel).seats["ana"].lost

    assert "Ana wins." in home(ana)
    device = duel.seats.get(key="ana").device_hash
    assert device
    (record,) = Shelf(device).records()
    assert ["Ana 1 of 1", "Ben 0 of 1"] == [
        f"{each.name} {each.won} of {each.played}" for each in record.rows
    ]
    assert "Ana wins." in ana.get(f"/g/{duel.slug}/").content.decode()
    log = ana.get(f"/g/{duel.slug}/log").content.decode()
    assert "Ana won the game" in log
    assert "Ana is out" in log
    assert "Ana lost the game" not in log
    statistics = statistics_of(duel, None)
    assert ["ana"] == statistics.winners
    assert ["ben"] == [seat for seat, _point in statistics.lost]  # nor does her line end before his
    lives = {each.seats[0]: each.points[-1].value for each in statistics.heroes}
    assert {"ana": 8000, "ben": 0} == lives
    assert {"ana": 1, "ben": 0} == dict(score([duel]).wins)
    assert "Ana wins." in ana.get(f"/g/{duel.slug}/summary").content.decode()


def test_the_win_is_taken_back_with_what_won(duel: Game) -> None:
    lose(lose(duel, "ben"), "ana")

    rows.give(duel, [{"do": "undo", "entry": 2, "by": "ana"}])
    assert ("won", ("ana",)) == (rows.state(duel).result, rows.state(duel).winners)

    rows.give(duel, [{"do": "undo", "entry": 1, "by": "ben"}])
    rows.check(duel)

    assert (None, ()) == (rows.state(duel).result, rows.state(duel).winners)
    assert not score([duel]).finished


def test_another_seat_has_won_once_a_correction_brings_it_back_alone(duel: Game) -> None:
    lose(lose(duel, "ben"), "ana")

    rows.give(duel, [{"do": "correct", "on": "ben", "life": 4000, "restore": True, "by": "ben"}])
    rows.check(duel)

    assert ("won", ("ben",)) == (rows.state(duel).result, rows.state(duel).winners)


def test_a_stranger_sees_no_evening_of_others(duel: Game, sit: Sit) -> None:
    sit(duel, "ana")
    lose(duel, "ben")
    duel.admit(hashed("looks-on-and-on-and-on"), Visitor.Role.WATCHER)
    watcher = Client()
    watcher.cookies["device"] = "looks-on-and-on-and-on"

    for client in (Client(), watcher):
        page = home(client)
        assert "Past evenings" not in page
        assert "Who won how often" not in page
        assert "Ana" not in page


def test_a_game_goes_to_the_shelf_when_it_was_left_lying(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    rows.give(duel, [{"do": "lose-life", "seat": "ben", "amount": 100, "by": "ben"}])
    assert "Past evenings" not in home(ana)

    long_ago(duel)

    page = home(ana)
    assert "Past evenings" in page
    assert "no result" in page


def test_a_prepared_game_stays_among_the_games(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    long_ago(duel)

    page = home(ana)

    assert "Going on" in page
    assert "Past evenings" not in page


def test_wins_are_counted_by_name_and_by_what_was_played(
    duel: Game, make_game: Make, sit: Sit
) -> None:
    commander = {"name": "Krenko", "owner": "ben", "zone": "command", "commander": True}
    magic = make_game("magic", seats={"ana": {}, "ben": {}}, objects={"krenko": commander})
    for key, name in (("ana", "Ana"), ("ben", "BEN")):
        magic.seats.filter(key=key).update(given_name=name)
    rows.give(magic, [{"do": "lose-life", "seat": "ana", "amount": 40, "by": "ana"}])
    lose(duel, "ana")
    sit(duel, "ana")
    device = duel.seats.get(key="ana").device_hash
    assert device
    magic.admit(device, Visitor.Role.GUEST)
    magic.seats.get(key="ana").claim(device)
    note_outcomes(Shelf(device).unnoted())
    found = Shelf(device).records()

    assert {
        "": [("ben", 2, 2), ("ana", 0, 2)],
        "Yu-Gi-Oh!": [("ben", 1, 1), ("ana", 0, 1)],
        "Magic": [("ben", 1, 1), ("ben: krenko", 1, 1), ("ana", 0, 1)],
    } == {
        record.title: [(each.name.casefold(), each.won, each.played) for each in record.rows]
        for record in found
    }


def test_points_are_best_and_on_average_by_title_and_a_run_of_wins_is_said(
    make_game: Make, sit: Sit
) -> None:
    """Cleo leaves the last evening before its end, so that it adds nothing to her points."""
    ana = Client()
    for points in ((500, 300, -20), (410, 520, 30), (20, 505, 0)):
        three = dict(zip(("ana", "ben", "cleo"), points, strict=True))
        game = make_game(
            "own-game",
            ready="rummy-500",
            seats={seat: {"counters": {"score": 100}} for seat in three},
        )
        for seat in three:
            game.seats.filter(key=seat).update(given_name=seat.capitalize())
        if not ana.cookies:
            ana = sit(game, "ana")
        device = hashed(ana.cookies["device"].value)
        game.admit(device, Visitor.Role.GUEST)
        game.seats.get(key="ana").claim(device)
        commands: list[dict[str, object]] = [{"do": "begin-turn", "by": "ana"}]
        if not points[2]:
            commands.append({"do": "leave", "seat": "cleo", "by": "cleo"})
            del three["cleo"]
        rows.give(game, commands)
        for seat, number in three.items():
            answer = {
                "do": "answer",
                "prompt": f"rule-1:{seat}",
                "number": number - 100,
                "by": seat,
            }
            rows.give(game, [answer])

    page = home(ana)

    (record,) = Shelf(device).records()
    assert [
        ("Ben", 3, 2, 2, 520, 441.7),
        ("Ana", 3, 1, 0, 500, 310),
        ("Cleo", 3, 0, 0, 30, 5),
    ] == [
        (each.name, each.played, each.won, each.run, each.best, round(each.average or 0, 1))
        for each in record.rows
    ]
    assert "Ben: 2 wins in a row" in page
    assert "441.7" in page
    assert "Ben 520, Ana 410, Cleo 30" in re.sub("[\u2066-\u2069]", "", page)
    end = ana.get(f"/g/{game.slug}/").content.decode().partition("end-says")[2]
    assert ["Ben", "Ana", "Cleo"] == re.findall(r"<bdi>(\w+)</bdi>", end)[:3], "who left is last"


def test_all_who_won_most_often_lead() -> None:
    won = {"Ana": 2, "Ben": 2, "Cleo": 1}
    tallies = {name: Tally(name, played=5, won=n) for name, n in won.items()}
    tallies["ana: krenko"] = Tally("Ana: Krenko", deck=True, played=2, won=2)

    assert ["Ana", "Ben"] == sorted(Record("Magic", tallies).leaders)


def test_an_outcome_is_noted_once_and_anew_after_another_entry(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    lose(duel, "ben")
    home(ana)
    outcome = Outcome.objects.get(game=duel)
    assert (["ana"], duel.number) == (outcome.winners, outcome.number)

    Entry.objects.filter(game=duel).update(command={"do": "nonsense"})  # no log is read again
    assert "Ana wins." in home(ana)

    Entry.objects.filter(game=duel).delete()
    LastEntry.objects.filter(game=duel).update(number=0)
    assert "Past evenings" not in home(ana)


def test_the_match_is_counted_over_rematches(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    sit(duel, "ben")
    assert "" == match_text(lose(duel, "ben"))
    second = rematch.begin(duel)
    assert "Ana 1 · Ben 0" == match_text(second)
    third = rematch.begin(lose(second, "ana"))
    duel.refresh_from_db()

    assert "Ana 1 · Ben 1" == match_text(third)
    board = ana.get(f"/g/{third.slug}/").content.decode()
    assert "Ana 1 · Ben 1" in board
    lose(third, "ben")
    assert "Ana 2 · Ben 1" == match_text(third)
    end = ana.get(f"/g/{third.slug}/").content.decode()
    assert "Match <b>Ana 2 · Ben 1</b>" in end
    assert "Match <b>Ana 2 · Ben 1</b>" in ana.get(f"/g/{duel.slug}/summary").content.decode()
    assert "Match <b>Ana 2 · Ben 1</b>" in ana.get(f"/g/{third.slug}/keep").content.decode()
    assert "Ana 2 · Ben 1" in home(ana)


@pytest.mark.parametrize(
    ("wins", "draws", "verdict"),
    [
        ({"ana": 1, "ben": 0}, 0, "Ana leads"),
        ({"ana": 1, "ben": 1}, 0, ""),
        ({"ana": 1, "ben": 2}, 0, "Ben has won the best of 3"),
        ({"ana": 2, "ben": 2}, 1, ""),
        ({"ana": 3, "ben": 2}, 0, "Ana has won the best of 5"),
        ({"ana": 2, "ben": 1, "cleo": 0}, 0, "Ana leads"),
        ({"ana": 0, "ben": 0}, 1, ""),
    ],
)
def test_a_match_says_who_is_ahead_and_when_it_is_decided(
    wins: dict[str, int], draws: int, verdict: str
) -> None:
    names = {"ana": "Ana", "ben": "Ben", "cleo": "Cleo"}

    assert verdict == Score(wins, draws).verdict(names)


def test_the_big_screen_shows_the_match_while_a_rematch_is_played(duel: Game, sit: Sit) -> None:
    sit(duel, "ana")
    second = rematch.begin(lose(duel, "ben"))
    screen = Client()
    screen.get(f"/w/{second.watch_token}", follow=True)

    side = screen.get(f"/g/{second.slug}/tv/side?log").content.decode()

    assert "Match <b>Ana 1 · Ben 0</b>" in side


def test_a_draw_counts_in_the_match(duel: Game) -> None:
    rows.give(
        duel,
        [
            {"do": "together", "by": "ana", "steps": [
                {"do": "lose-life", "seat": each, "amount": 8000} for each in ("ana", "ben")
            ]},
        ],
    )  # fmt: skip
    duel.refresh_from_db()

    assert "draw" == duel.result
    assert "Ana 0 · Ben 0 · 1 draw" == score([duel]).text({"ana": "Ana", "ben": "Ben"})


# Deleting


def test_the_host_deletes_an_evening_for_good(duel: Game, sit: Sit) -> None:
    ana, ben = sit(duel, "ana"), sit(duel, "ben")
    lose(duel, "ben")
    second = lose(rematch.begin(duel), "ben")
    Setup.objects.create(game=duel, title="Start", system="yu-gi-oh", edition="x", given={})
    link = f"/r/{duel.slug}/{duel.summary_token}"
    address = f"/g/{second.slug}/delete"

    assert address in home(ana)
    assert address not in home(ben)
    assert 403 == ben.get(address).status_code
    assert 403 == ben.post(address).status_code
    assert 403 == Client().post(address).status_code
    asked = ana.get(address).content.decode()
    assert "2 games" in asked
    assert "One saved set-up stays" in asked
    assert 2 == Game.objects.filter(pk__in=[duel.pk, second.pk]).count()

    said = ana.post(address).content.decode()

    assert "2 games are gone" in said
    assert not Game.objects.filter(pk__in=[duel.pk, second.pk]).exists()
    assert not Entry.objects.exists()
    assert not Outcome.objects.exists()
    assert 1 == Setup.objects.count()
    assert 404 == Client().get(link).status_code
    assert 404 == ana.get(address).status_code
    assert "Past evenings" not in home(ana)


def test_a_stand_in_for_the_host_deletes_nothing(duel: Game, sit: Sit) -> None:
    ben = sit(duel, "ben")
    duel.seats.filter(key="ben").update(stands_in=timezone.now())
    lose(duel, "ana")

    assert 403 == ben.post(f"/g/{duel.slug}/delete").status_code


def test_where_a_gm_keeps_secrets_only_the_gm_deletes(make_game: Make, sit: Sit) -> None:
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}})
    gm, ana = sit(game, "gm"), sit(game, "ana")
    game.seats.update(host=False)
    game.seats.filter(key="ana").update(host=True)

    assert 403 == ana.post(f"/g/{game.slug}/delete").status_code
    assert 200 == gm.post(f"/g/{game.slug}/delete").status_code
    assert not Game.objects.filter(pk=game.pk).exists()


def test_a_long_shelf_costs_no_more_questions_than_a_short_one(
    duel: Game, make_game: Make, sit: Sit
) -> None:
    ana = sit(duel, "ana")
    lose(rematch.begin(lose(duel, "ben")), "ana")
    device = duel.seats.get(key="ana").device_hash
    note_outcomes(Shelf(device).unnoted())
    home(ana)
    with CaptureQueriesContext(connection) as few:
        home(ana)
    for _evening in range(3):
        game = make_game("yu-gi-oh", seats={"ana": {}, "ben": {}})
        game.admit(device, Visitor.Role.GUEST)
        game.seats.get(key="ana").claim(device)
        lose(rematch.begin(lose(game, "ben")), "ana")
    note_outcomes(Shelf(device).unnoted())

    with CaptureQueriesContext(connection) as many:
        page = ana.get("/?all").content.decode()

    assert 4 == page.count("Game 2 ·")
    assert len(few) == len(many)


def test_a_player_s_home_page_does_not_tell_when_the_gm_acts_in_secret(
    make_game: Make, sit: Sit
) -> None:
    seats: dict[str, dict[str, object]] = {"gm": {}, "ana": {}}
    hidden = {"visibility": "hidden"}
    game = make_game("stars-and-signs", seats=seats, slot_counters={"trap": hidden, "goal": {}})
    fresh = make_game("stars-and-signs", seats=seats, slot_counters={"trap": hidden})
    other = make_game("yu-gi-oh", seats={"ana": {}, "ben": {}})
    ana, gm = sit(game, "ana"), sit(game, "gm")
    device = game.seats.get(key="ana").device_hash
    for each in (fresh, other):
        each.admit(device or "", Visitor.Role.GUEST)
        each.seats.get(key="ana").claim(device or "")
    rows.give(game, [{"do": "fill", "on": "goal", "slots": 1}])
    earlier = timezone.now() - timedelta(minutes=50)
    Entry.objects.filter(game=game).update(at=earlier)
    LastEntry.objects.filter(game=other).update(changed=timezone.now() - timedelta(minutes=20))
    Game.objects.filter(pk=fresh.pk).update(created=timezone.now() - timedelta(days=3))

    def listed(client: Client) -> list[str]:
        shown = re.split(r'<ul class="?mine"?', home(client))[1].partition("</ul>")[0]
        return re.split(r"(/g/\w+|\d+\s(?:minute|hour|day)s?|just now)", shown)

    before = listed(ana)
    for each in (game, fresh):
        rows.give(Game.objects.get(pk=each.pk), [{"do": "fill", "on": "trap", "slots": 1}])

    assert 5 == len(before[1::2])
    assert "just now" not in before
    assert before == listed(ana)
    assert "just now" in listed(gm)


def test_a_running_game_is_drawn_as_it_stands(duel: Game, sit: Sit) -> None:
    ana, ben = sit(duel, "ana"), sit(duel, "ben")
    rows.give(duel, [{"do": "lose-life", "seat": "ben", "amount": 1500, "by": "ana"}])

    def seats(client: Client) -> list[tuple[str, ...]]:
        shown = home(client).partition("mine-seats")[2].partition("</a>")[0]
        pattern = (
            r'(data-active|)\s*(data-mine|)\s*data-place.*?unseen"?>(\w+)<.*?mine-amount"?>(\d+)<'
        )
        return re.findall(pattern, shown)

    assert [("data-active", "data-mine", "Ana", "8000"), ("", "", "Ben", "6500")] == seats(ana)
    assert [("data-active", "", "Ana", "8000"), ("", "data-mine", "Ben", "6500")] == seats(ben)
    assert "Your turn" in home(ana)
    assert "Ana’s turn" in home(ben)


def test_a_demo_is_a_copy_of_ones_own_and_no_evening(client: Client) -> None:
    first = client.post("/new/demo", {"rules": "magic"}).headers["Location"]
    other = Client().post("/new/demo", {"rules": "magic"}).headers["Location"]
    game = Game.objects.get(slug=first.split("/")[2])

    assert first != other
    assert game.is_demo
    page = home(client)
    assert "Going on" not in page
    assert f'href="{first}"' in page or f"href={first}" in page, "it goes on where it was"
    for seat in list(rows.state(game).seats)[1:]:
        rows.give(game, [{"do": "leave", "seat": seat, "by": seat}])
    assert Game.objects.get(pk=game.pk).result == "won"
    assert "Past evenings" not in home(client)
    assert 404 == client.post("/new/demo", {"rules": "no-such-game"}).status_code
