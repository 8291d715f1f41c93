"""The summary: the game in numbers, without undone commands and without secrets."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Entry, Game
from games.pages.rematch import begin
from games.screens.summary import records
from games.screens.summary.charts import chart
from games.screens.summary.counting import Counting
from games.screens.summary.plot import (
    SHORT,
    TAIL,
    Line,
    Picture,
    apart,
    axis_of,
    bands,
    rounded,
    text_width,
    thinned,
)
from games.screens.summary.records import statistics_of
from games.screens.summary.statistics import Curve, GameStatistics, Point, Turn, comeback, leads
from games.screens.summary.summary import Summary, lasted
from games.screens.words import words_of
from games.store import rows
from games.systems import find
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(make_game: Make) -> Game:
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


def curve(game: Game, kind: str, whose: str, seat: str | None = None) -> list[int]:
    """The values of one curve, by the id of its seat or the name of its counter."""
    (found,) = [
        each for each in statistics_of(game, seat).charts[kind] if whose in (each.name, *each.seats)
    ]
    return [point.value for point in found.points]


def minutes_apart(game: Game, minutes: int = 1) -> None:
    """Let the entries be so many minutes apart."""
    began = timezone.now() - timedelta(hours=5)
    for entry in game.entries.all():
        at = began + timedelta(minutes=minutes * entry.number)
        Entry.objects.filter(pk=entry.pk).update(at=at)


def life_statistics(*values: list[int], every: float = 60.0, **more: Any) -> GameStatistics:
    """Statistics of seats a, b, … whose life was so after line 0, 1, …"""
    curves = [
        Curve(
            "ab"[n], ("ab"[n],), tuple(Point(line, line * every, v) for line, v in enumerate(each))
        )
        for n, each in enumerate(values)
    ]
    last = max(map(len, values)) - 1
    return GameStatistics(
        charts={"life": curves}, hero="life", began=0.0, ended=last * every, last=last, **more
    )


def test_life_is_told_as_it_went_without_what_was_taken_back(duel: Game) -> None:
    assert [15, 13, 4] == curve(duel, "life", "ben")
    assert [15] == curve(duel, "life", "ana")


def test_counters_that_removed_each_other_are_told_as_they_were_left(duel: Game) -> None:
    assert [0, 2, 1] == curve(duel, "buff", "ana")
    assert ("Buff 4", 1) in [
        (number, times) for number, _text, times in statistics_of(duel, None).rules
    ]


def test_the_biggest_swing_is_the_one_of_most_life(duel: Game) -> None:
    swing = statistics_of(duel, None).swing

    assert swing is not None
    assert ("life", ("ben",), 2, 13, 4) == (
        swing.kind, swing.curve.seats, swing.point.line, swing.before, swing.point.value,
    )  # fmt: skip


def test_each_seat_is_told_how_long_its_turns_took(duel: Game) -> None:
    minutes_apart(duel)

    stats = statistics_of(duel, None)

    assert 7 * 60 == pytest.approx(stats.ended - stats.began)
    assert [(("ana",), 360.0), (("ben",), 60.0), (("ana",), 0.0)] == [
        (turn.seats, pytest.approx(turn.ended - turn.began)) for turn in stats.turns
    ]


def test_an_elimination_and_a_result_are_told(duel: Game) -> None:
    rows.give(duel, [{"do": "damage", "on": "ben-hero", "amount": 9}])

    stats = statistics_of(duel, None)

    assert [("ben", 9)] == [(seat, point.line) for seat, point in stats.lost]
    assert ["ana"] == stats.winners


def test_the_winner_stays_the_winner_whatever_is_tapped_afterwards(duel: Game) -> None:
    rows.give(
        duel, [{"do": "damage", "on": f"{each}-hero", "amount": 20} for each in ("ben", "ana")]
    )

    assert ["ana"] == statistics_of(duel, None).winners
    rows.give(duel, [{"do": "undo", "entry": duel.number - 1}])
    assert ["ben"] == statistics_of(duel, None).winners


def test_how_far_below_the_line_a_seat_was_does_not_squash_the_rest(make_game: Make) -> None:
    game = make_game("magic", seats={"ana": {"life": 40}, "ben": {"life": 40}})
    rows.give(game, [{"do": "lose-life", "seat": "ben", "amount": 900}])

    page = Client().get(f"/r/{game.slug}/{game.summary_token}").content.decode()

    gutter = re.search(r'class="?chart-gutter.*?</svg>', page)
    assert gutter
    assert ["0", "10", "20", "30", "40"] == sorted(re.findall(r">(−?\d+)</text>", gutter[0]))
    assert "−860</text>" in page


def test_a_page_of_curves_reads_as_a_table_too(duel: Game, sit: Sit) -> None:
    page = sit(duel, "ana").get(f"/g/{duel.slug}/summary").content.decode()

    assert 'aria-label="Life: Ana from 15 to 15; Ben from 15 to 4"' in page
    for when, ben in (("start", 15), ("Turn 1, Ana", 4)):
        assert re.search(rf'<th scope="row">{when}</th><td>15</td><td>{ben}</td>', page), when
    assert "style=" not in page


def test_the_first_turn_is_whose_the_first_line_says(make_game: Make) -> None:
    turns = {}
    for first in ("ana", "ben"):
        game = make_game("magic", seats={"ana": {}, "ben": {}}, turn={"active": ["ana"]})
        rows.give(game, [{"do": "begin-turn", "active": [first]}])
        turns[first] = [turn.seats for turn in statistics_of(game, None).turns]

        rows.give(game, [{"do": "undo", "entry": 1}])
        assert [] == statistics_of(game, None).turns  # nobody says whose turn it is

    assert {"ana": [("ana",)], "ben": [("ben",)]} == turns


def test_all_players_are_in_the_chart_of_what_the_game_is_about(make_game: Make) -> None:
    """In Pokémon the Prize cards, also those of a player who has taken none."""
    game = make_game("pokemon", seats={"ana": {}, "ben": {}})
    rows.give(game, [{"do": "take-prizes", "seat": "ana", "amount": 2, "by": "ana"}])

    prizes = statistics_of(game, None).charts["prizes"]
    assert {"ana": 4, "ben": 6} == {each.seats[0]: each.last for each in prizes}


def test_the_biggest_swing_is_of_what_the_game_is_about(make_game: Make) -> None:
    """In Pokémon of the Prize cards, not of damage that goes with a Knocked Out Pokémon."""
    mon = {"owner": "ben", "hp": 90, "zone": "active", "counters": {"damage": 80}}
    game = make_game(
        "pokemon", seats={"ana": {}, "ben": {}}, objects={"mon": mon, "other": {"owner": "ben"}}
    )
    prizes = {"do": "take-prizes", "seat": "ana", "amount": 2, "by": "ana"}
    rows.give(game, [{"do": "move", "object": "mon", "to": "discard", "by": "ben"}, prizes])

    swing = statistics_of(game, None).swing
    assert swing is not None
    assert ("prizes", 6, 4) == (swing.kind, swing.before, swing.point.value)


def test_a_late_guest_begins_with_a_life_and_gains_none(make_game: Make) -> None:
    game = make_game("magic", seats={"ana": {}, "ben": {}})
    late = {"do": "add-seat", "as": "cleo", "by": "ana"}
    rows.give(game, [late, {"do": "lose-life", "seat": "ben", "amount": 5, "by": "ana"}])

    statistics = statistics_of(game, None)

    assert statistics.swing is not None
    assert ("ben", 20, 15) == (
        statistics.swing.curve.holder, statistics.swing.before, statistics.swing.point.value
    )  # fmt: skip
    curve = next(each for each in statistics.heroes if each.seats == ("cleo",))
    assert [(1, 20)] == [(point.line, point.value) for point in curve.points]
    assert 200 == Client().get(f"/r/{game.slug}/{game.summary_token}").status_code


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


def test_a_game_without_a_tap_says_so(make_game: Make) -> None:
    game = make_game("magic")

    page = Client().get(f"/r/{game.slug}/{game.summary_token}").content.decode()

    assert "Nothing has happened yet" in page


def test_hidden_counters_are_in_no_summary_but_the_gms(secret: Game, sit: Sit) -> None:
    address = f"/g/{secret.slug}/summary"
    gm, ana = sit(secret, "gm"), sit(secret, "ana")
    anyone = Client().get(f"/r/{secret.slug}/{secret.summary_token}").content.decode()

    assert "CANARY" in gm.get(address).content.decode()
    for page in (ana.get(address).content.decode(), anyone):
        assert "Lamp" in page
        assert "CANARY" not in page
    assert [0, 2] == curve(secret, "slots", "Lamp")


def test_damage_dealers_are_told_where_a_tap_has_said_it(make_game: Make) -> None:
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
    assert "Of 10 in all, no one said who dealt 2." in page


def test_commander_damage_that_is_counted_afterwards_says_who_dealt_it(make_game: Make) -> None:
    kess = {"name": "Kess", "owner": "ben", "zone": "command", "commander": True}
    game = make_game("magic", objects={"kess": kess})
    tap = {"do": "lose-life", "seat": "ana", "amount": 1, "by": "ana"}
    counted = {"do": "commander-damage", "seat": "ana", "from": "kess", "amount": 2, "by": "ana"}
    rows.give(game, [tap, tap, tap, {**counted, "entries": [1, 2]}])

    assert {("ben", "ana"): 2, ("", "ana"): 1} == statistics_of(game, None).dealt


def test_the_dealer_may_be_said_afterwards(make_game: Make) -> None:
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

    shapes = set(re.findall(r'class="chart-mark"><path d="([^"]+)"', page))
    assert 2 == len(shapes)
    assert 'aria-label="Life: Ana from 15 to 15; Ben from 15 to 4"' in page
    assert re.search(r'class="chart-name"[^>]*>Ben</text><text class="chart-value"[^>]*>4<', page)


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


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (59, "59 s"), (60, "1 min"), (5_400, "1 h 30 min"), (7_200, "2 h")],
)
def test_a_time_is_said_as_people_say_it(seconds: int, said: str) -> None:
    assert said == lasted(seconds)


def test_a_long_evening_costs_its_last_entries(
    make_game: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game("magic")
    taps = [
        {"do": ("lose-life", "gain-life")[n % 2], "seat": ("ana", "ben")[n % 3 % 2], "amount": 1}
        for n in range(700)
    ]
    rows.give(game, taps)
    assert 700 == statistics_of(game, None).last
    rows.give(game, taps[:50])
    taken = []
    take = Counting.take
    monkeypatch.setattr(Counting, "take", lambda *row: (taken.append(row[1]), take(*row)))

    assert 750 == statistics_of(game, None).last

    assert list(range(700 - records.LAG + 1, 751)) == taken


# The axes


def test_turns_are_bands_on_the_axis_of_time() -> None:
    turns = [Turn(("a",), 1, 60.0, 240.0), Turn(("b",), 3, 240.0, 300.0)]
    axis = axis_of(life_statistics([20, 20, 18, 18, 9, 9]))

    found = [
        (place, round(x, 2), round(to, 2))
        for place, _letter, x, to in bands(turns, {"a": 1, "b": 2}, axis)
    ]

    last = round(0.8 * (1 - TAIL), 2)
    assert [(1, round(0.2 * (1 - TAIL), 2), last), (2, last, 1.0)] == found


def test_an_evening_left_overnight_does_not_squash_its_chart() -> None:
    night = 10 * 3600.0
    stats = life_statistics([20, 18], every=1.0)
    stats.ended, stats.pauses = 1200.0 + night, [(600.0, 600.0 + night)]

    axis = axis_of(stats)

    assert axis.timed
    assert 1200.0 == axis.length
    half = (1 - TAIL - SHORT) / 2
    assert [(half, night)] == [(pytest.approx(place), took) for place, took in axis.pauses]
    assert half / 2 == pytest.approx(axis.place_of(1, 300.0))
    assert 1.5 * half + SHORT == pytest.approx(axis.place_of(1, 900.0 + night))
    assert 900.0 == axis.played(900.0 + night)
    said = Summary(stats, words_of(find("magic")), {"a": "Ana"}).context()["axis_says"]
    assert ["A 10 h break is shortened."] == said


@pytest.mark.parametrize(
    ("entries", "took", "drawn_short"),
    [(120, 900.0, True), (120, 540.0, False), (20, 900.0, False), (20, 3000.0, True)],
)
def test_a_break_is_drawn_short_where_it_is_no_usual_pause(
    entries: int, took: float, drawn_short: bool
) -> None:
    stats = life_statistics([20, 18], every=1.0)
    stats.last, stats.ended, stats.pauses = entries, 4500.0 + took, [(1800.0, 1800.0 + took)]

    axis = axis_of(stats)

    assert bool(axis.pauses) is drawn_short
    assert axis.length == (4500.0 if drawn_short else 4500.0 + took)


def test_a_game_from_a_file_is_drawn_by_lines(duel: Game) -> None:
    axis = axis_of(statistics_of(duel, None))

    assert not axis.timed
    page = Client().get(f"/r/{duel.slug}/{duel.summary_token}").content.decode()
    assert "From left to right: the lines of the log." in page
    assert "of play" not in page


@pytest.mark.parametrize(
    ("least", "most", "ticks"),
    [
        (0, 8000, [0, 2000, 4000, 6000, 8000]),
        (0, 40, [0, 10, 20, 30, 40]),
        (-7, 40, [-10, 0, 10, 20, 30, 40]),
        (0, 1, [0, 1]),
        (0, 123_456, [0, 50_000, 100_000, 150_000]),
    ],
)
def test_ticks_are_a_few_round_numbers(least: int, most: int, ticks: list[int]) -> None:
    assert ticks == rounded(least, most)


@pytest.mark.parametrize("life", [9, 8000, 10_000, 999_999])
def test_the_gutter_is_as_wide_as_its_longest_number(life: int) -> None:
    drawn = chart(
        [Line(Curve("a", ("a",), (Point(0, 0, life),)), "Ana", 1, ((0.0, life), (0.5, 0)))],
        Picture(axis_of(life_statistics([life, 0]))), title="Life", text="",
    )  # fmt: skip

    gutter = re.search(r'chart-gutter" width="(\d+)".*?</svg>', drawn)
    assert gutter
    ticks = re.findall(r'x="(\d+)"[^>]*>(−?\d+)</text>', gutter[0])
    assert len(ticks) >= 2
    for x, text in ticks:
        assert int(x) < int(gutter[1])
        assert int(x) - 13 * 0.6 * len(text) >= 0


def test_labels_that_end_together_stand_apart_and_inside() -> None:
    moved = apart([100, 100, 101, 100, 240, 250], 36, 18, 232)

    ordered = sorted(moved)
    assert all(b - a >= 36 for a, b in pairwise(ordered))
    assert 18 <= ordered[0]
    assert ordered[-1] <= 232


def test_a_long_curve_is_thinned_to_what_a_screen_shows() -> None:
    long = [(n / 20_000, n % 7) for n in range(20_000)]

    few = thinned(long)

    assert len(few) <= 480
    assert (long[0], long[-1]) == (few[0], few[-1])
    assert {0, 6} <= {value for _place, value in few}
    assert text_width("mmm", 10) > text_width("iii", 10)


# What is worth telling


def test_the_comeback_is_the_winners_worst_moment() -> None:
    found = comeback(life_statistics([20, 3, 3, 15, 15], [20, 20, 18, 9, 0], winners=["a"]))

    assert found is not None
    assert (17, 1, 3) == (found.behind, found.point.line, found.point.value)
    assert comeback(life_statistics([20, 15], [20, 17], winners=["a"])) is None


def test_changes_of_the_lead_are_counted_at_the_ends_of_turns() -> None:
    turns = [Turn(("a",), line, line * 60.0, 60.0) for line in (0, 2, 3, 4)]

    assert 2 == leads(life_statistics([20, 18, 18, 18, 18], [20, 20, 10, 19, 19], turns=turns))
    assert 0 == leads(life_statistics([20, 18, 18, 18, 18], [20, 20, 10, 19, 19]))


def test_where_a_seat_lost_its_curve_ends_with_a_note(duel: Game) -> None:
    rows.give(duel, [{"do": "damage", "on": "ben-hero", "amount": 9}])

    page = Client().get(f"/r/{duel.slug}/{duel.summary_token}").content.decode()

    assert re.search(r'class="chart-note"[^>]*>.*?Ben out</text>', page)
    assert re.search(r'class="chart-note"[^>]*>.*?Ben −9</text>', page)
    assert 'class="chart-lost"' in page


def test_who_was_out_last_stands_above_who_was_out_before(make_game: Make, sit: Sit) -> None:
    game = make_game("magic", seats={seat: {} for seat in ("ana", "ben", "cleo", "dan")})
    ana = sit(game, "ana")
    out: list[dict[str, Any]] = [
        {"do": "leave", "seat": seat} for seat in ("ana", "ben", "dan", "ana")
    ]
    rows.give(game, [out[0], {"do": "undo", "entry": 1}, *out[1:]])

    for page, part in (("", 'id="end"'), ("tv", 'id="end"'), ("summary", "Players</h2>")):
        text = ana.get(f"/g/{game.slug}/{page}").content.decode().split(part, 1)[1]
        names = re.findall(r">\s*(Ana|Ben|Cleo|Dan)\s*<", text)

        assert ["Cleo", "Ana", "Dan", "Ben"] == names[:4], page


def test_a_number_that_did_not_move_has_no_chart(make_game: Make) -> None:
    game = make_game("magic", seats={"ana": {"counters": {"energy": 3}}, "ben": {}})
    rows.give(game, [{"do": "lose-life", "seat": "ana", "amount": 1}])

    assert ["life"] == list(statistics_of(game, None).charts)


# What is kept


def test_a_kept_replay_goes_on_where_it_was(
    make_game: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "KEEP_EVERY", 10)
    monkeypatch.setattr(records, "LAG", 4)
    game = make_game("magic")
    tap = {"do": "lose-life", "seat": "ana", "amount": 1, "by": "ben"}
    rows.give(game, [{"do": "begin-turn", "active": ["ana"]}, *[tap] * 12])

    fresh = statistics_of(game, None)

    assert 9 == game.counted_logs.get().number
    assert fresh == statistics_of(game, None)
    rows.give(game, [{"do": "undo", "entry": 12, "by": "ana"}])
    assert {("ben", "ana"): 11} == statistics_of(game, None).dealt
    rows.give(game, [{"do": "undo", "entry": 3, "by": "ana"}])  # older than what was kept
    assert {("ben", "ana"): 10} == statistics_of(game, None).dealt


def test_a_browser_asks_again_only_after_something_happened(duel: Game, sit: Sit) -> None:
    ana, address = sit(duel, "ana"), f"/g/{duel.slug}/summary"
    tag = ana.get(address)["ETag"]

    assert 304 == ana.get(address, headers={"If-None-Match": tag}).status_code
    assert 304 == ana.get(address, headers={"If-None-Match": f"W/{tag}"}).status_code
    rows.give(duel, [{"do": "damage", "on": "ben-hero", "amount": 1}])
    assert 200 == ana.get(address, headers={"If-None-Match": tag}).status_code
    tag = ana.get(address)["ETag"]
    duel.seats.filter(key="ben").update(given_name="Benjamin")
    assert 200 == ana.get(address, headers={"If-None-Match": tag}).status_code


def test_a_secret_changes_no_tag(secret: Game, sit: Sit) -> None:
    ana, address = sit(secret, "ana"), f"/g/{secret.slug}/summary"
    tag = ana.get(address)["ETag"]
    rows.give(secret, [{"do": "fill", "on": "c1", "slots": 1}])

    assert 304 == ana.get(address, headers={"If-None-Match": tag}).status_code


def test_a_counter_that_is_revealed_shows_its_curve_only_from_then(secret: Game) -> None:
    assert "slots" in statistics_of(secret, "ana").charts
    rows.give(
        secret,
        [
            {"do": "edit", "on": "c1", "visibility": "open"},
            {"do": "fill", "on": "c1", "slots": 1},
        ],
    )

    assert [2, 3] == curve(secret, "slots", "CANARY", "ana")
    assert [0, 2, 3] == curve(secret, "slots", "CANARY", "gm")


def test_an_open_summary_learns_that_there_is_more_and_where_the_evening_goes_on(
    duel: Game, sit: Sit
) -> None:
    ana = sit(duel, "ana")
    address = f"/g/{duel.slug}/summary"
    shared = f"/r/{duel.slug}/{duel.summary_token}"
    tags = {path: {"If-None-Match": ana.get(path)["ETag"]} for path in (address, shared)}

    assert all(
        304 == ana.get(f"{each}?newer", headers=tag).status_code for each, tag in tags.items()
    )
    rows.give(duel, [{"do": "damage", "on": "ben-hero", "amount": 1}])
    for each, tag in tags.items():
        answer = ana.get(f"{each}?newer", headers=tag)
        assert (204, b"") == (answer.status_code, answer.content)

    tag = {"If-None-Match": ana.get(address)["ETag"]}
    anew = begin(duel)
    assert 204 == ana.get(f"{address}?newer", headers=tag).status_code
    assert f'href="/g/{anew.slug}/"' in ana.get(address).content.decode()


def test_a_single_tap_is_no_hit_worth_telling(make_game: Make) -> None:
    game = make_game("magic", seats={"ana": {"life": 20}, "ben": {"life": 20}})
    tap = {"do": "lose-life", "seat": "ben", "by": "ana"}
    rows.give(game, [{**tap, "amount": 1}])
    assert statistics_of(game, None).swing is None

    rows.give(game, [{**tap, "amount": 2}])
    swing = statistics_of(game, None).swing
    assert swing is not None
    assert (19, 17) == (swing.before, swing.point.value)


def test_entries_undone_before_a_count_was_kept_do_not_spoil_it(
    make_game: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "KEEP_EVERY", 10)
    monkeypatch.setattr(records, "LAG", 2)
    game = make_game("magic")
    tap = {"do": "lose-life", "seat": "ana", "amount": 1, "by": "ben"}
    rows.give(game, [*[tap] * 12, {"do": "undo", "entry": 3, "by": "ben"}])
    first = statistics_of(game, None)
    assert 11 == game.counted_logs.get().number

    taken, take = [], Counting.take
    monkeypatch.setattr(Counting, "take", lambda *row: (taken.append(row[1]), take(*row)))
    assert first == statistics_of(game, None)
    assert [12, 13] == taken

    rows.give(game, [{"do": "redo", "entry": 3, "by": "ben"}])
    assert {("ben", "ana"): 12} == statistics_of(game, None).dealt
