"""The summary: the game in numbers, without undone commands and without secrets."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Entry, Game
from games.pages.summary import lasted
from games.screens.log.charts import chart, table
from games.screens.log.statistics import Curve, statistics_of
from games.store import rows

Sit = Callable[[Game, str], Client]

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(make_game: Callable[..., Game]) -> Game:
    """Ana hits Ben's champion, Ben withers, and Ana takes back a slip."""
    heroes = {
        f"{seat}-hero": {
            "types": ["champion"], "base": {"life": 15, "level": 0}, "owner": seat, "name": "Hero",
        }
        for seat in ("ana", "ben")
    }  # fmt: skip
    game = make_game(
        "grand-archive", seats={"ana": {}, "ben": {}},
        objects={**heroes, "wolf": {"types": ["ally"], "base": {"power": 1, "life": 4}}},
    )  # fmt: skip
    rows.give(
        game,
        [
            {"do": "damage", "on": "ben-hero", "amount": 2},
            {"do": "damage", "on": "ben-hero", "amount": 9},
            {"do": "damage", "on": "ana-hero", "amount": 14},
            {"do": "undo", "entry": 3},
            {"do": "place", "on": "wolf", "counters": {"buff": 2}},
            {"do": "place", "on": "wolf", "counter": "debuff"},
            {"do": "begin-turn", "active": ["ben"]},
            {"do": "begin-turn", "active": ["ana"], "by": "ben"},
        ],
    )
    return game


@pytest.fixture
def secret(make_game: Callable[..., Game]) -> Game:
    hidden = {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}
    seen = {"name": "Lamp", "type": "progress", "slots": 5, "visibility": "open"}
    game = make_game(
        "stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters={"c1": hidden, "c2": seen}
    )
    rows.give(game, [{"do": "fill", "on": each, "slots": 2} for each in ("c1", "c2")])
    return game


def curve(game: Game, kind: str, name: str, seat: str | None = None) -> list[int]:
    (found,) = [each for each in statistics_of(game, seat).charts[kind] if each.name == name]
    return [value for _number, value in found.points]


def test_life_is_told_as_it_went_without_what_was_taken_back(duel: Game) -> None:
    assert [15, 13, 4] == curve(duel, "life", "Ben")
    assert [15] == curve(duel, "life", "Ana")


def test_counters_that_removed_each_other_are_told_as_they_were_left(duel: Game) -> None:
    assert [0, 2, 1] == curve(duel, "buff", "Ana")
    assert ("Buff 4", 1) in [
        (number, times) for number, _text, times in statistics_of(duel, None).rules
    ]


def test_the_biggest_swing_is_the_one_of_most_life(duel: Game) -> None:
    swing = statistics_of(duel, None).swing

    assert swing is not None
    assert ("life", "Ben", 2, 13, 4) == (
        swing.kind, swing.name, swing.number, swing.before, swing.after,
    )  # fmt: skip


def test_each_seat_is_told_how_long_its_turns_took(duel: Game) -> None:
    began = timezone.now()
    for entry in duel.entries.all():
        Entry.objects.filter(pk=entry.pk).update(at=began + timedelta(minutes=entry.number))

    stats = statistics_of(duel, None)

    assert timedelta(minutes=7) == stats.took
    assert {"ben": timedelta(minutes=1), "ana": timedelta()} == stats.by_seat


def test_an_elimination_and_a_result_are_told(duel: Game) -> None:
    rows.give(duel, [{"do": "damage", "on": "ben-hero", "amount": 9}])

    stats = statistics_of(duel, None)

    assert [("Ben", 9)] == stats.lost
    assert ["Ana"] == stats.winners


def test_a_page_of_curves_reads_as_a_table_too(duel: Game, sit: Sit) -> None:
    page = sit(duel, "ana").get(f"/g/{duel.slug}/summary").content.decode()

    assert 'aria-label="Life: Ana from 15 to 15; Ben from 15 to 4"' in page
    assert re.search(r'<th scope="row">2</th><td>15</td><td>4</td>', page)
    assert "style=" not in page


def test_the_link_shows_it_to_anybody_and_no_other_does(duel: Game, sit: Sit) -> None:
    page = sit(duel, "ana").get(f"/g/{duel.slug}/summary").content.decode()
    found = re.search(r"/r/\w+/\w+", page)
    assert found
    anyone = Client()

    shown = anyone.get(found[0])

    assert 200 == shown.status_code
    assert "Ben" in shown.content.decode()
    assert "Share it" not in shown.content.decode()
    assert 404 == anyone.get(f"{found[0]}x").status_code
    assert 403 == anyone.get(f"/g/{duel.slug}/summary").status_code


def test_a_game_without_a_tap_says_so(make_game: Callable[..., Game]) -> None:
    game = make_game("magic")

    page = Client().get(f"/r/{game.slug}/{game.summary_token}").content.decode()

    assert "Nothing has happened yet" in page


def test_what_is_hidden_is_in_no_summary_but_the_gms(secret: Game, sit: Sit) -> None:
    address = f"/g/{secret.slug}/summary"
    gm, ana = sit(secret, "gm"), sit(secret, "ana")
    anyone = Client().get(f"/r/{secret.slug}/{secret.summary_token}").content.decode()

    assert "CANARY" in gm.get(address).content.decode()
    for page in (ana.get(address).content.decode(), anyone):
        assert "Lamp" in page
        assert "CANARY" not in page
    assert [0, 2] == curve(secret, "slots", "Lamp")


def test_who_dealt_what_is_told_where_a_tap_has_said_it(make_game: Callable[..., Game]) -> None:
    dragon = {"name": "Dragon", "owner": "cleo", "types": ["creature"]}
    game = make_game(
        "magic", seats={each: {} for each in ("ana", "ben", "cleo")}, objects={"dragon": dragon}
    )
    rows.give(
        game,
        [
            {"do": "lose-life", "seat": "ben", "amount": 3, "by": "ana"},
            {"do": "lose-life", "seat": "ben", "amount": 4, "by": "ana"},
            {"do": "undo", "by": "ana"},
            {"do": "lose-life", "seat": "ana", "amount": 2, "by": "ana"},
            {"do": "commander-damage", "seat": "ana", "from": "dragon", "amount": 5, "by": "ana"},
            {"do": "gain-life", "seat": "ben", "amount": 1, "by": "ben"},
            {"do": "correct", "on": "cleo", "life": 10, "by": "ben"},
        ],
    )

    assert {("ana", "ben"): 3, ("", "ana"): 2, ("cleo", "ana"): 5} == statistics_of(
        game, None
    ).dealt
    page = Client().get(f"/r/{game.slug}/{game.summary_token}").content.decode()
    assert "Who dealt what" in page
    assert re.search(r"</b> Cleo</th><td>5</td><td>–</td><td><b>5</b></td>", page)
    assert re.search(r"not recorded</th><td>2</td><td>–</td><td><b>2</b></td>", page)


def test_who_dealt_it_may_be_said_afterwards(make_game: Callable[..., Game]) -> None:
    game = make_game("magic")
    tap = {"do": "lose-life", "seat": "ana", "amount": 1, "by": "ana"}
    rows.give(game, [tap, tap, tap, {**tap, "seat": "ben"}])
    say = {"do": "attribute", "by": "ana"}
    rows.give(game, [{**say, "entries": [1, 2, 3], "to": "ben"}])

    assert {("ben", "ana"): 3, ("ana", "ben"): 1} == statistics_of(game, None).dealt

    rows.give(game, [{**say, "entries": [3, 4], "to": "cleo"}])
    assert {("ben", "ana"): 2, ("cleo", "ana"): 1, ("cleo", "ben"): 1} == (
        statistics_of(game, None).dealt
    )

    rows.give(game, [{"do": "undo", "entries": [6, 5, 1], "by": "ana"}])
    assert {("", "ana"): 2, ("ana", "ben"): 1} == statistics_of(game, None).dealt


def test_a_curve_is_known_by_its_letter_and_shape_and_said_in_words(duel: Game) -> None:
    page = Client().get(f"/r/{duel.slug}/{duel.summary_token}").content.decode()

    shapes = set(re.findall(r'class="chart-mark"[^>]*><path d="([^"]+)"', page))
    assert 2 == len(shapes)
    assert "<title>Life</title><desc>Ana from 15 to 15; Ben from 15 to 4</desc>" in page
    assert re.search(r"<span>Ben</span> <b>15 → 4</b>", page)


def test_the_host_ends_the_link_and_nobody_else(duel: Game, sit: Sit) -> None:
    ana, ben = sit(duel, "ana"), sit(duel, "ben")
    duel.seats.filter(key="ana").update(host=True)
    old = f"/r/{duel.slug}/{duel.summary_token}"
    address = f"/g/{duel.slug}/summary"

    assert "Replace this link" not in ben.get(address).content.decode()
    assert 403 == ben.post(f"{address}/link").status_code
    assert 200 == Client().get(old).status_code
    assert "Replace this link" in ana.get(address).content.decode()
    assert 302 == ana.post(f"{address}/link").status_code

    assert 404 == Client().get(old).status_code
    new = re.search(r"/r/\w+/\w+", ana.get(address).content.decode())
    assert new
    assert 200 == Client().get(new[0]).status_code


def test_a_shared_summary_says_who_won_before_it_is_opened(duel: Game) -> None:
    rows.give(duel, [{"do": "damage", "on": "ben-hero", "amount": 9}])

    page = Client().get(f"/r/{duel.slug}/{duel.summary_token}").content.decode()

    assert re.search(r'<meta property="og:title" content="Ana wins\. · [^"]+">', page)
    assert re.search(r'<meta property="og:description" content="[^"]*Ana, Ben', page)
    assert re.search(r"<title>\s*Ana wins\. · ", page)


def test_turns_are_drawn_as_wide_as_they_were_long(duel: Game) -> None:
    began = timezone.now()
    for entry in duel.entries.all():
        minutes = {7: 0, 8: 3}.get(entry.number, entry.number - 8)
        Entry.objects.filter(pk=entry.pk).update(at=began + timedelta(minutes=minutes))
    last = Entry.objects.get(game=duel, number=8)
    rows.give(duel, [{"do": "place", "on": "wolf", "counter": "buff"}])
    Entry.objects.filter(game=duel, number=9).update(at=last.at + timedelta(minutes=1))

    page = Client().get(f"/r/{duel.slug}/{duel.summary_token}").content.decode()

    wide = [float(n) for n in re.findall(r'<rect x="[\d.]+" width="([\d.]+)"', page)]
    assert 2 == len(wide)
    assert 2.9 < wide[0] / wide[1] < 3.1
    assert "the longest turn: Ben" in page


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0 s"), (59, "59 s"), (60, "1 min"), (5_400, "1 h 30 min")]
)
def test_a_time_is_said_as_people_say_it(seconds: int, said: str) -> None:
    assert said == lasted(timedelta(seconds=seconds))


def test_signs_of_curves_that_end_together_stand_apart() -> None:
    curves = [Curve(f"s{n}", f"Seat {n}", n, ((0, 20), (9, 7))) for n in range(1, 7)]

    heights = [
        float(y)
        for y in re.findall(r'chart-mark" transform="translate\([\d.]+ ([\d.]+)', chart(curves, 9))
    ]

    assert 6 == len(heights)
    apart = [b - a for a, b in zip(sorted(heights), sorted(heights)[1:], strict=False)]
    assert min(apart) >= 20


def test_a_long_table_is_thinned_and_keeps_its_end() -> None:
    long = Curve("ana", "Ana", 1, tuple((n, n) for n in range(1_000)))

    stats = table([long], 999)

    assert len(stats) <= 32
    assert (999, [999]) == stats[-1]


def test_a_long_evening_is_told_within_a_second_or_two(make_game: Callable[..., Any]) -> None:
    game = make_game("magic")
    taps = [
        {"do": ("lose-life", "gain-life")[n % 2], "seat": ("ana", "ben")[n % 3 % 2], "amount": 1}
        for n in range(5_000)
    ]
    rows.give(game, taps)

    began = time.perf_counter()
    stats = statistics_of(game, None)

    assert 5_000 == stats.last
    assert time.perf_counter() - began < 3
