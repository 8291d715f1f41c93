"""The log: a story with times and headings, in pages of which each costs the same."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.models import Checkpoint, Entry, Game
from games.rules.history import fold
from games.screens.boards import log_lines, log_of
from games.screens.log import pages
from games.screens.log.pages import SHOWN
from games.screens.search import Words
from games.store import caches, disk, moments, rows
from tests import evenings
from tests.types import Json, Make, Sit

MADRID = {"zone": "Europe/Madrid"}


@pytest.fixture
def evening(db: None) -> Game:
    return evenings.magic(400)


@pytest.fixture
def hers(evening: Game, sit: Sit) -> Client:
    return sit(evening, "ana")


def read(client: Client, game: Game, query: str = "") -> str:
    answer = client.get(f"/g/{game.slug}/log{query}", headers={"HX-Request": "true"})
    assert 200 == answer.status_code
    return answer.content.decode()


def numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'id="e(\d+)"', page)]


def plain(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", re.sub(r"\s+", " ", page)).split())


# Replays


def test_every_moment_of_a_log_is_the_state_that_its_entries_lead_to(evening: Game) -> None:
    stored = rows.entries(evening)
    opening = rows.opening(evening)
    undone: set[int] = set()
    expected = {}
    for entry in stored:
        moments.turn(entry, undone)
        if entry.number % 97 == 0 or entry.command["do"] == "undo":
            standing = [
                each
                for each, _at in moments.read(evening, 0, entry.number)
                if each.number not in undone
            ]
            expected[entry.number] = fold(evening.rules, opening, standing)
            if len(expected) > 12:
                break

    for number, state in expected.items():
        (moment,) = moments.moments(evening, number, number)
        assert state == moment.after
        assert state == moments.standing_after(evening, number)


def test_an_undo_that_reaches_far_back_is_replayed_from_what_was_kept(evening: Game) -> None:
    rows.give(evening, [{"do": "undo", "entry": 2, "by": evening.entries.get(number=2).seat}])
    state = rows.state(evening)

    for _with in ("what was kept", "nothing"):
        (moment,) = moments.moments(evening, 401, 401)
        assert state == moment.after
        caches.forget(evening.slug)
        assert 1 == Checkpoint.objects.filter(number=401).delete()[0]


def test_a_log_without_checkpoints_reads_the_same_and_gets_them(evening: Game) -> None:
    stored = {*Checkpoint.objects.values_list("number", flat=True)}
    log_lines_of_ana = log_lines(evening, "ana")
    Checkpoint.objects.all().delete()
    caches.forget(evening.slug)

    assert log_lines_of_ana == log_lines(evening, "ana")
    assert stored <= {*Checkpoint.objects.values_list("number", flat=True)}


def test_a_cached_log_goes_on_like_a_fresh_one(evening: Game) -> None:
    for _entry in range(40):
        tap = {"do": "lose-life", "seat": "ben", "amount": 1, "by": "ana"}
        rows.give(evening, [tap, {"do": "undo", "by": "ana"}])
        cached = log_of(evening, "ana").newest(20)
    caches.forget(evening.slug)

    assert cached == log_of(evening, "ana").newest(20)


# Pages


def test_the_pages_together_are_the_whole_log(evening: Game, hers: Client) -> None:
    everything = [line.number for line in reversed(log_lines(evening, "ana"))]

    page = read(hers, evening)
    found = numbers(page)
    while earlier := re.search(r'href="log\?before=(\d+)"', page):
        page = read(hers, evening, f"?before={earlier[1]}")
        assert SHOWN <= len(numbers(page)) <= 2 * SHOWN or "log-earlier" not in page
        found += numbers(page)

    assert everything == found


@pytest.mark.parametrize("number", [1, 126, 399, 5000])
def test_a_link_to_a_line_opens_at_the_page_that_holds_it(
    evening: Game, hers: Client, number: int
) -> None:
    page = read(hers, evening, f"?line={number}")

    newest = max(line.number for line in log_lines(evening, "ana"))
    assert min(number, newest) in range(numbers(page)[-1], numbers(page)[0] + 1)
    assert (number <= 400) == ("data-asked" in page)


def test_a_search_covers_the_whole_log_within_its_time(
    evening: Game, hers: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Words.typed("SQUIRE  cleo")
    expected = [
        line.number
        for line in reversed(log_lines(evening, "ana"))
        if words.within(f"{line.name} {line.sentence}")
    ]
    monkeypatch.setattr(pages, "BUDGET", 0)

    found, query = [], "?q=squire+cleo"
    while query:
        page = read(hers, evening, query)
        found += numbers(page)
        earlier = re.search(r'href="(log\?before=[^"]+)"', page)
        query = earlier[1].replace("&amp;", "&").removeprefix("log") if earlier else ""

    assert expected == found
    assert len(expected) > 5


def test_a_typed_word_is_found_whatever_its_accents_and_marked() -> None:
    words = Words.typed("jose ÁRB")

    assert words.within("José: 2 árboles")
    assert "<mark>José</mark>: 2 <mark>árb</mark>oles &lt;b&gt;" == words.marked(
        "José: 2 árboles <b>"
    )
    assert "1 × <mark>-1/-1</mark>" == Words.typed("−1/-1").marked("1 × -1/-1")


# The story


def test_lines_stand_under_turns_with_the_time_of_the_reader(evening: Game, hers: Client) -> None:
    Entry.objects.filter(game=evening).update(at=evenings.BEGAN)
    assert "19:12" in read(hers, evening, "?line=1")
    hers.cookies.load(MADRID)

    page = read(hers, evening, "?line=1")

    assert re.search(r'<time datetime="2026-03-06T20:12:00\+01:00">\s*20:12', page)
    assert "Turn: Ana" in plain(page)
    for wrong in ("../etc/passwd", "x" * 99, "Nowhere/Atlantis", "", "é"):
        hers.cookies["zone"] = wrong
        read(hers, evening)


def test_a_turn_goes_on_when_its_player_loses_in_it(make_game: Any, sit: Sit) -> None:
    game = make_game("magic", seats={seat: {"life": 20} for seat in ("ana", "ben", "cleo")})
    ana = sit(game, "ana")
    lost = {"do": "lose-life", "seat": "ben", "amount": 20, "by": "ben"}
    gained = {"do": "gain-life", "seat": "ana", "amount": 1, "by": "ana"}
    rows.give(game, [{"do": "begin-turn", "active": ["ben"], "by": "ben"}, lost, gained])

    assert ["Turn: Ben"] == re.findall(r"Turn: [A-Z][a-z]+", plain(read(ana, game)))


def test_a_pause_makes_a_heading(game: Game, ana: Client) -> None:
    rows.give(game, [{"do": "note", "text": str(n), "by": "ben"} for n in range(4)])
    for entry in game.entries.all():
        minutes = entry.number + (60 if entry.number > 2 else 0)
        Entry.objects.filter(pk=entry.pk).update(at=entry.at + timedelta(minutes=minutes))

    assert 2 == read(ana, game).count("<h3>")


def test_no_two_signs_meet(evening: Game, hers: Client) -> None:
    log_lines_of_ana = [line.sentence for line in log_lines(evening, "ana")]

    assert "Ana: 1 × +1/+1 on Squire (Ana), 2 → 3" in log_lines_of_ana
    assert [] == [each for each in log_lines_of_ana if re.search(r"[+−-]\d+ [+−-]\d", each)]
    assert [] == [each for each in log_lines_of_ana if re.search(r"^(\w+) \1\b", each)]


SAID: list[tuple[str, Json, Json, list[str]]] = [
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox", "counters": {"+1/+1": 3}}}},
        {"do": "control", "object": "fox", "to": "ben", "by": "ben"},
        ["Ben took control of Fox from Ana"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox"}}},
        {"do": "describe", "object": "fox", "name": "Vixen"},
        ["Ana: Fox is now called Vixen"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox", "types": ["enchantment"]}}},
        {"do": "describe", "object": "fox", "types": ["enchantment", "creature"]},
        ["Ana: Fox is now: enchantment, creature"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox", "types": ["battle"]}}},
        {"do": "describe", "object": "fox", "name": "Vixen", "types": ["creature"]},
        ["Ana: Fox is now: Vixen, creature"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ben", "name": "Fox", "counters": {"time": 2}}}},
        {"do": "tick", "as": "t", "on": "fox", "counter": "time", "begins": "end", "change": -1},
        ["Ana: Fox from now on: −1 time at the end step, in Ben’s turns"],
    ),
    (
        "magic",
        {"ticks": {"t": {"on": "ana", "counter": "energy", "begins": "upkeep", "change": 1}}},
        {"do": "end-tick", "tick": "t"},
        ["Ana: energy on Ana no longer changes by itself"],
    ),
    ("magic", {}, {"do": "mark", "on": "ana", "mark": "monarch"}, ["Ana is the monarch"]),
    ("magic", {}, {"do": "mark", "on": "ben", "mark": "monarch"}, ["Ana: Ben is the monarch"]),
    (
        "magic",
        {},
        {"do": "correct", "on": "ana", "life": 30},
        ["Ana: life corrected, 20 → 30"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox", "counters": {"charge": 3}}}},
        {"do": "correct", "on": "fox", "counter": "charge", "to": 5},
        ["Ana: charge on Fox corrected, 3 → 5"],
    ),
    (
        "magic",
        {},
        {"do": "place", "on": "ben", "counter": "poison", "amount": 2},
        ["Ana: Ben got 2 poison, 0 → 2"],
    ),
    (
        "magic",
        {},
        {"do": "mark", "on": "ana", "mark": "cannot_lose_life", "value": False},
        ["Ana can lose life again"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox", "counters": {"+1/+1": 2}}}},
        {"do": "move", "object": "fox", "to": "exile"},
        ["Ana: Fox was exiled from battlefield (lost 2 × +1/+1)"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox", "types": ["creature"]}}},
        {"do": "change", "object": "fox", "add": {"power": 3, "toughness": -1}},
        ["Ana: Fox: +3 power, −1 toughness until end of turn"],
    ),
    (
        "magic",
        {"objects": {"fox": {"owner": "ana", "name": "Fox", "types": ["creature"]}}},
        {"do": "change", "object": "fox", "swap": True, "lasting": True},
        ["Ana: Fox: power and toughness switched"],
    ),
    (
        "magic",
        {"seats": {"ana": {"counters": {"rad": 2}}, "ben": {}}},
        {"do": "begin-phase", "phase": "precombat-main"},
        [
            "Ana moved on to main phase; "
            "Ana is asked: “How many nonland cards does radiation mill?”: 2 rad"
        ],
    ),
    (
        "magic",
        {"seats": {"ana": {"life": 3}, "ben": {}}},
        {"do": "lose-life", "seat": "ana", "amount": 5},
        ["Ana lost 5 life, 3 → −2; Ana lost the game: −2 life; Ben won the game"],
    ),
    (
        "magic",
        {"seats": {"ana": {"life": 9}, "ben": {"life": 12}}},
        {"do": "exchange-life", "seats": ["ana", "ben"]},
        [
            "Ana gained 3 life, 9 → 12: life totals exchanged; Ben lost 3 life, 12 → 9: "
            "life totals exchanged"
        ],
    ),
    (
        "yu-gi-oh",
        {"seats": {"ana": {"life": 900}, "ben": {"life": 1200}}},
        {"do": "exchange-life", "seat": "ana", "other": "ben"},
        [
            "Ana: Ben lost 300 life points, 1200 → 900: life points exchanged; "
            "Ana gained 300 life points, 900 → 1200: life points exchanged"
        ],
    ),
    ("any-game", {}, {"do": "begin-turn", "active": ["ben"]}, ["Ana passed the turn to Ben"]),
    ("any-game", {}, {"do": "begin-turn", "active": ["ana"]}, ["Ana started a turn"]),
    (
        "grand-archive",
        {
            "objects": {
                "eva": {
                    "owner": "ana",
                    "name": "Eva",
                    "types": ["champion"],
                    "base": {"life": 20, "level": 0},
                }
            }
        },
        {"do": "damage", "on": "eva", "amount": 3, "by": "ben"},
        ["Ben: 3 damage to Eva, 0 → 3"],
    ),
    (
        "yu-gi-oh",
        {"objects": {"mage": {"owner": "ana", "name": "Mage", "counters": {"ice": 1}}}},
        {"do": "correct", "on": "mage", "counter": "ice", "to": 2},
        ["Ana: ice on Mage corrected, 1 → 2"],
    ),
    (
        "stars-and-signs",
        {"slot_counters": {"c": {"name": "Lamp", "slots": 9}}},
        {"do": "add-temporary", "on": "c", "slots": 3, "by": "gm"},
        ["GM: 1 temporary added to Lamp; no room for 2 more"],
    ),
    (
        "stars-and-signs",
        {},
        {"do": "create", "as": "c", "name": "Lamp", "gm_note": "It burns.", "by": "gm"},
        ["GM added Lamp"],
    ),
    (
        "any-game",
        {"seats": {"ana": {"counters": {"points": 3}}, "ben": {}}},
        {"do": "remove", "on": "ana", "counter": "points", "amount": 1},
        ["Ana lost 1 point, 3 → 2"],
    ),
    (
        "any-game",
        {},
        {"do": "place", "on": "ben", "counter": "points", "amount": 2},
        ["Ana: Ben got 2 points, 0 → 2"],
    ),
    (
        "yu-gi-oh",
        {},
        {"do": "lose-life", "seat": "ana", "amount": 1},
        ["Ana lost 1 life point, 8000 → 7999"],
    ),
]


@pytest.mark.parametrize(("system", "given", "command", "said"), SAID)
def test_a_line_says_who_once_and_what_became_of_it(
    make_game: Any, system: str, given: Json, command: Json, said: list[str]
) -> None:
    seats: Json = {"gm": {}, "ana": {}} if system == "stars-and-signs" else {"ana": {}, "ben": {}}
    game = make_game(system, **{"seats": seats, **given})
    rows.give(game, [{"by": "ana", **command}])

    lines = log_lines(game, "gm" if "gm" in seats else "ana")
    assert said == [line.sentence for line in lines]


def test_a_card_has_its_old_name_until_it_gets_another(make_game: Any) -> None:
    siege = {"owner": "ana", "name": "Siege", "types": ["battle"], "base": {"defense": 3}}
    seats: Json = {"ana": {}, "ben": {}}
    game = make_game("magic", seats=seats, objects={"x": {**siege, "counters": {"defense": 3}}})
    face = {"name": "Dragon", "types": ["creature"], "base": {"power": 4, "toughness": 4}}
    damage = {"do": "damage", "on": "x", "amount": 3, "by": "ana"}
    rows.give(game, [damage, {"do": "answer", "prompt": "siege:x", "as": face, "by": "ana"}])

    said = log_lines(game, "ana")[-1].sentence
    assert "Siege was exiled" in said
    assert "Dragon moved from exile to battlefield" in said


def test_one_tap_up_and_one_down_leave_a_number_as_it_was(make_game: Any) -> None:
    game = make_game("magic", objects={"fox": {"owner": "ana", "name": "Fox"}})
    up = {"do": "place", "on": "fox", "counter": "charge", "amount": 1, "by": "ana"}
    rows.give(game, [up, {**up, "do": "remove"}])
    as_before = [line.sentence for line in log_lines(game, "ana")]
    rows.give(game, [up])

    assert ["Ana: Charge on Fox as before, 0"] == as_before
    assert ["Ana: 1 charge on Fox, 0 → 1"] == [line.sentence for line in log_lines(game, "ana")]


def test_sums_of_the_log_are_counted_as_people_count(make_game: Any) -> None:
    game = make_game("any-game")
    tap = {"do": "place", "on": "ana", "counter": "points", "amount": 1, "by": "ana"}
    rows.give(game, [tap, tap])

    assert ["Ana got 2 points, 0 → 2"] == [line.sentence for line in log_lines(game, "ana")]


def test_taps_that_a_rule_answers_are_not_added_up(make_game: Any) -> None:
    fox = {"owner": "ana", "name": "Fox", "types": ["creature"], "counters": {"+1/+1": 3}}
    game = make_game("magic", objects={"fox": fox})
    tap = {"do": "place", "on": "fox", "counter": "-1/-1", "amount": 1, "by": "ana"}
    rows.give(game, [tap, tap])

    changes = [[part.change for part in line.parts] for line in log_lines(game, "ana")]
    assert [["0 → 1", "3 → 2", "1 → 0"], ["0 → 1", "2 → 1", "1 → 0"]] == changes


def test_every_line_goes_on_from_the_number_before(evening: Game) -> None:
    for line in log_lines(evening, "ana"):
        for part in line.parts:
            assert part.after is None or part.before is not None


def test_only_a_line_that_says_several_things_is_a_list(make_game: Any, sit: Sit) -> None:
    fox = {"owner": "ana", "name": "Fox", "types": ["creature"], "counters": {"+1/+1": 3}}
    game = make_game("magic", objects={"fox": fox})
    rows.give(game, [{"do": "place", "on": "fox", "counter": kind} for kind in ("ice", "-1/-1")])

    inner = re.findall(r"<ul(.*?)>(.*?)</ul>", read(sit(game, "ana"), game), re.S)
    assert [("", 3), (' role="none"', 1)] == [(how, part.count("<li>")) for how, part in inner]


def test_each_undo_button_says_its_line(game: Game, ana: Client) -> None:
    rows.give(game, [{"do": "place", "on": "rocket", "counter": "fuel", "amount": 2, "by": "ben"}])

    assert "Undo line 1: Ben: 2 fuel on Rocket, 4 → 6" in plain(read(ana, game))


def test_the_log_stands_apart_from_its_rules_beside_the_table(make_game: Make, sit: Sit) -> None:
    game = make_game(
        "grand-archive", objects={"ally": {"types": ["ally"], "counters": {"buff": 1}}}
    )
    place = {"do": "place", "on": "ally", "counter": "debuff", "amount": 2, "by": "ben"}
    rows.give(game, [place])

    side = plain(sit(game, "ana").get(f"/g/{game.slug}/tv/side?log").content.decode())

    assert "2 debuff on ally, 0 → 2" in side
    assert "Buff 4" not in side


# Markdown


def test_a_page_that_the_browser_has_is_not_made_again(
    game: Game, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(query: str = "", **headers: str) -> int:
        answer = ana.get(f"/g/{game.slug}/log{query}", headers=headers)
        known["If-None-Match"] = answer.get("ETag", known["If-None-Match"])
        return int(answer.status_code)

    known = {"If-None-Match": ""}
    rows.give(game, [{"do": "note", "text": "Ready", "by": "ana"}])
    assert [200, 304] == [asked(), asked(**known)]
    assert [200, 304] == [asked("?q=ready", **known), asked("?q=ready", **known)]
    part = {"HX-Request": "true"}
    assert [200, 304] == [asked(**part, **known), asked(**part, **known)]
    spanish = {**part, "Accept-Language": "es"}
    assert [200, 304] == [asked(**spanish, **known), asked(**spanish, **known)]

    rows.give(game, [{"do": "undo", "entry": game.number, "by": "ana"}])
    assert [200, 304] == [asked(**spanish, **known), asked(**spanish, **known)]
    ana.post(f"/g/{game.slug}/seats/ana/name", {"name": "Anna"})
    assert [200, 304] == [asked(**spanish, **known), asked(**spanish, **known)]
    monkeypatch.setattr(disk, "full", lambda: True)
    assert [200, 304] == [asked(**spanish, **known), asked(**spanish, **known)]


def test_the_markdown_has_headings_and_times(evening: Game, hers: Client) -> None:
    hers.cookies.load(MADRID)
    text = hers.get(f"/g/{evening.slug}/log.md").content.decode()

    assert "\n## Turn: Ana · March 6, 2026, 20:12\n\n- 1 · 20:12 · **Ana**" in text
    assert len(log_lines(evening, "ana")) == len(re.findall(r"^- \d+ · \d\d:\d\d · ", text, re.M))
    assert "**Ana** Ana" not in text


def test_a_long_log_in_markdown_is_written_anew_only_after_a_change(sit: Sit) -> None:
    game = evenings.magic(650)
    ana = sit(game, "ana")
    address = f"/g/{game.slug}/log.md"

    text = ana.get(address).content
    again = ana.get(address)

    assert text == again.content
    same = {"If-None-Match": f"W/{again['ETag']}"}
    assert 304 == ana.get(address, headers=same).status_code
    rows.give(game, [{"do": "undo", "entry": 3, "by": game.entries.get(number=3).seat}])
    changed = ana.get(address, headers=same)
    assert 200 == changed.status_code
    assert b"~~" in changed.content
