"""The boards of a game with a GM: what each seat is drawn, and that secrets leave no byte there."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from games.rules import scenario, secrecy
from games.rules.history import History
from games.rules.state import GameState, Refused
from games.screens import boards
from games.screens.drawing import Drawing
from games.screens.fragments import Audience, audience
from games.store import demos
from games.systems.own_game import compiled
from games.tracks.counter import counter_in
from games.tracks.views import read_entries
from tests.page import Node, parsed
from tests.systems.test_led_game import AUDIENCES, HIDDEN, OPEN, commands, evening

Json = dict[str, Any]


TAKEN = re.compile(r"<h2>(\d+ taken: \w+)</h2>")
"""What a player is told of a hit."""


class Evening(Struct):
    """A table, and what draws it."""

    history: History
    drawing: Drawing

    def give(self, command: Json) -> dict[str | None, str]:
        """By audience, the frame for a command; none for who heard nothing."""
        table = secrecy.TableSecrets(self.history, lambda: "0")
        applied = self.history.give(table.before({"by": "gm", **command}))
        return {
            seat: boards.changes(self.drawing, heard, audience(self.history.system, seat))
            for seat in (*AUDIENCES, "gm")
            if (heard := secrecy.redacted(applied, seat))
        }

    @property
    def waiting(self) -> int:
        return len(self.history.state.prompts)

    def read(self, seat: str) -> list[list[str]]:
        """By entry, the kinds of the events that *seat* may read."""
        seen = read_entries(self.history.state, seat, list(self.history.entries), ())
        read = {each.entry: [event["kind"] for event in each.events] for each in seen}
        return [read.get(each.number, []) for each in self.history.entries]

    def board(self, seat: str | None) -> str:
        return boards.board(*self.seen_by(seat))

    def seen_by(self, seat: str | None) -> tuple[Drawing, GameState, str | None, Audience]:
        system, state = self.history.system, self.history.state
        return self.drawing, state, seat, audience(system, seat)


def at_table(tracks: Json) -> Evening:
    history = evening(tracks)
    return Evening(history, Drawing(history.system, {each: each for each in history.state.seats}))


def dungeon(tracks: Json, name: str = "dungeons-and-dragons") -> Evening:
    definition = demos.ready_games("own-game")[name]
    given = {"seats": {"gm": {}, "ana": {}, "ben": {}}, "slot_counters": tracks}
    system = compiled(definition)
    history = History(system, scenario.opening(system, {"given": given, "definition": definition}))
    return Evening(history, Drawing(system, {each: each for each in history.state.seats}))


def players(frames: dict[str | None, str]) -> dict[str | None, str]:
    return {seat: frame for seat, frame in frames.items() if seat != "gm"}


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(2, 20))]
)
def test_players_are_drawn_the_same_bytes_with_and_without_hidden_tracks_and_their_rules(
    seed: int,
) -> None:
    secret, plain = at_table({**OPEN, **HIDDEN}), at_table(OPEN)
    for command, hidden in commands(Random(seed)):
        try:
            frames = secret.give(command)
        except Refused:
            if not hidden:
                with pytest.raises(Refused):
                    plain.give(command)
            continue
        if hidden:
            assert {} == {seat: each for seat, each in players(frames).items() if each}, command
        else:
            assert players(plain.give(command)) == players(frames), command
        for seat in AUDIENCES:
            assert plain.board(seat) == secret.board(seat), (seat, command)
    assert "anary" not in "".join(secret.board(seat) for seat in AUDIENCES)
    assert len(secret.board("gm")) > len(plain.board("gm"))
    assert "gm.Stir" in secret.board("gm")
    assert "gm.Stir" not in secret.board("ana")


def test_one_tap_answers_a_question_with_few_answers() -> None:
    table = at_table(OPEN)
    table.give({"do": "press", "rule": "Ask", "on": "table"})

    shown = table.board("ana")
    assert re.findall(r'<button name="number:number" value="(\d+)">', shown) == [*"01234"]
    assert "Write</button>" not in shown


def test_a_fight_names_its_great_number_and_has_no_outcomes_that_tick_nothing() -> None:
    points = {"name": "Hit points", "type": "hp", "owner": "ana", "role": "kit-0"}
    table = dungeon({"a": {**points, "initiative": 12}})
    table.give({"do": "fight", "to": "begin"})

    shown = table.board("ana")
    assert "data-unit>HP</span>" in shown
    assert 'href="slots/a" data-own-pad><span>Damage</span>' in shown
    assert '<small aria-hidden="true">Hit points</small>' in table.board(None)
    assert 'id="act"' not in table.board("gm")


KIT = {
    f"{seat}-{n}": {"name": kind, "type": kind, "owner": seat, "role": f"kit-{n}"}
    for seat in ("ana", "ben")
    for n, kind in enumerate(("health", "spirit", "supply", "momentum"))
}
"""What both players have in Ironsworn."""


def test_conditions_stand_below_all_that_is_ones_own() -> None:
    tracks = {"a": ("sanity", 0), "h": ("hp", 1)}
    table = dungeon(
        {
            key: {"name": kind, "type": kind, "owner": "ana", "role": f"kit-{n}"}
            for key, (kind, n) in tracks.items()
        },
        "call-of-cthulhu",
    )
    for on, name in (("a", "Temporary insanity"), ("h", "Major wound")):
        table.give({"do": "afflict", "on": on, "name": name})

    below = table.board("ana").rpartition('<p class="caption">')[2].partition("</p>")[0]
    assert ["Temporary insanity", "Major wound"] == re.findall(r">\s*([A-Z][a-z ]+?)\s*<", below)


def test_what_is_lost_is_a_red_number_beside_those_that_are_left() -> None:
    table = dungeon(KIT, "ironsworn")
    table.give({"do": "fill", "on": "ana-2", "slots": 5})

    shown = table.board("ben")
    assert shown.count('class="bit is-bad"') == 2, "supply is shared"
    assert "slot-flag" not in shown.partition('id="groups"')[0]


def test_a_vow_that_is_fulfilled_asks_for_nothing_more() -> None:
    table = dungeon({**KIT, "v": {"name": "Vow", "type": "epic", "owner": "ana"}}, "ironsworn")
    assert 'href="slots/v"' in table.board("ana").partition('id="chips"')[2], "with no progress yet"

    def soft(seat: str) -> list[str]:
        found = re.findall(r'is-short-of">.*?value="?([\w.]+)', table.board(seat), re.S)
        return [each for each in found if each.startswith("v.")]

    assert [] == soft("ana")
    table.give({"do": "press", "rule": "Progress move", "on": "v", "by": "ana"})
    table.give(
        {"do": "answer", "prompt": table.history.state.prompts[0].id, "number": 1, "by": "ana"}
    )
    assert ["v.Milestone", "v.Progress"] == soft("ana")


def test_who_wished_to_hit_a_creature_alone_hears_that_the_gm_declined() -> None:
    table = dungeon({"f": {"name": "Orc", "type": "foe", "visibility": "known"}})
    table.give({"do": "propose", "by": "ana", "command": {"do": "fill", "on": "f", "slots": 3}})
    told = table.give({"do": "answer", "prompt": "proposal:ana", "accept": False})

    assert "The GM declined: hit Orc for 3" in told["ana"]
    assert not any("declined" in told.get(each, "") for each in ("ben", None))


def test_a_loss_is_red_with_the_words_of_the_table_and_its_rule() -> None:
    table = at_table(OPEN)
    frames = table.give({"do": "fill", "on": "a", "slots": 12})
    moment = re.search(r'data-moment="a".*?</li>', frames["ana"], re.DOTALL)
    assert moment

    assert "is-bad" in moment[0]
    assert "is-gauge" in moment[0], "with the heart of its row"
    assert '<h2>Down</h2><p class="moment-told">Death saves.</p>' in moment[0]
    assert 'href="rules?rule=Fallen#fallen"' in moment[0]
    assert 'data-moment="told.' not in frames["ana"], "the loss tells it"
    assert '<strong class="slot-flag">down</strong>' in table.board("gm")
    assert "is-complete is-bad" in table.board("ana")


def test_a_loss_says_its_word_once() -> None:
    foe = {"type": "foe", "name": "Orc", "slots": 7, "visibility": "known"}
    moment = dungeon({"orc": foe}).give({"do": "fill", "on": "orc", "slots": 7})["gm"]

    assert "<h2>Down</h2>" in moment
    assert "It is down." not in moment


def test_what_is_down_is_put_away_or_begins_from_the_start_and_all_say_so() -> None:
    table = dungeon({"orc": {"type": "foe", "name": "Orc", "slots": 7, "visibility": "known"}})
    moment = table.give({"do": "fill", "on": "orc", "slots": 7})["gm"]
    table.give({"do": "resolve", "on": "orc"})
    board = table.board("gm")

    buttons = re.findall(r"</svg>\s*(\w[\w ]+\w)\s*</button>", moment)
    assert ["Put away", "From the start"] == buttons[:2]
    assert re.search(r"</svg>\s*put away\s*</em>", board)
    assert "esolve</" not in board + moment
    assert "esolved<" not in board
    drawing, state, gm, seen = table.seen_by("gm")
    german = boards.board(drawing, state, gm, seen._replace(language="de"))
    assert "<h2>Weggelegt</h2>" in german, "where it is, and no act"


def test_a_loss_that_a_rule_clears_is_told_in_red() -> None:
    frame = at_table(OPEN).give({"do": "fill", "on": "s", "slots": 3})["ben"]

    assert re.search(
        r'data-moment="told[^>]*is-bad.*?<h2>Trauma.</h2>.*?rule=Trauma', frame, re.DOTALL
    )


def test_what_every_player_has_is_never_resolved_by_its_moment() -> None:
    table = at_table(OPEN)

    assert "resolve-slot" not in table.give({"do": "fill", "on": "a", "slots": 12})["gm"]
    assert "resolve-slot" in table.give({"do": "fill", "on": "c", "slots": 6})["gm"]


def test_what_is_good_when_it_is_full_is_not_red() -> None:
    table = at_table(OPEN)
    table.give({"do": "fill", "on": "c", "slots": 6})

    assert "is-bad" not in table.board("gm")
    assert '<strong class="slot-full">It is full</strong>' in table.board("gm")


def test_a_question_about_a_track_is_asked_with_its_numbers() -> None:
    concentrates = {"conditions": [{"name": "Concentrating"}]}
    table = dungeon({"a": {"type": "hp", "owner": "ana", "role": "kit-0", **concentrates}})

    frame = table.give({"do": "fill", "on": "a", "slots": 9})["ana"]
    assert "<small>a, Concentration DC 10</small>" in frame
    assert "<small>ana’s a, Concentration DC 10</small>" in table.board("gm")
    assert "<b>Concentration DC 10</b>" in frame, "beside the hit points"

    table.give({"do": "fill", "on": "a", "slots": 11})
    assert "Death saves 1" in table.board("ana")
    assert "Concentration DC 10" not in table.board("ana")


def test_a_hit_counts_at_once_where_the_gm_allows_it_and_tells_no_number() -> None:
    """Of creatures that differ in what only the GM knows, players are sent the same bytes."""
    hit = {"do": "propose", "command": {"do": "fill", "on": "g", "slots": 9}, "by": "ana"}
    sent = []
    for left in (7, 9):
        foe = {
            "type": "foe",
            "name": "Goblin",
            "slots": 20,
            "filled": 20 - left,
            "visibility": "known",
        }
        table = dungeon({"g": {**foe, "conditions": [{"name": "Concentrating", "good": True}]}})
        assert 'data-hits="Goblin"' in table.board("ana"), "it needs no initiative"
        assert "data-at-once" not in table.board("ana")
        table.give({"do": "allow", "type": "foe", "acts": {"fill": "everyone"}})
        assert "data-at-once" in table.board("ana")
        frames = table.give(hit)

        assert ["9 taken: down"] == TAKEN.findall(frames["ana"])
        assert (20, 0) == (counter_in(table.history.state, "g").filled, table.waiting)
        assert "down" in frames["ana"]
        sent.append((players(frames), table.board("ana"), table.board("ben"), table.board(None)))
        assert [["proposed"], []] == [table.read("ana")[-1], table.read("ben")[-1]]
        table.give({"do": "undo", "by": "ana"})
        assert 20 - left == counter_in(table.history.state, "g").filled
    assert sent[0] == sent[1]


@pytest.mark.parametrize(("answer", "told"), [({}, "9 taken"), ({"slots": 4}, "4 taken")])
def test_who_hit_is_told_after_the_nod_what_that_did(answer: Json, told: str) -> None:
    """In the creature's word, so that creatures of other numbers leave the same bytes."""
    foe = {"type": "foe", "name": "Goblin", "visibility": "known"}
    sent = []
    for numbers in ({"slots": 20, "filled": 9}, {"slots": 30, "filled": 14}):
        table = dungeon({"g": {**foe, **numbers}})
        hit = {"do": "fill", "on": "g", "slots": 9}
        table.give({"do": "propose", "command": hit, "by": "ana"})
        nod = {"do": "answer", "prompt": "proposal:ana", "accept": True}
        frames = table.give({**nod, **answer})

        assert [f"{told}: bloodied"] == TAKEN.findall(frames["ana"])
        assert 'data-does="undo"' not in frames["ana"], "the nod is the GM's"
        assert "taken" not in "".join(frames.get(seat, "") for seat in ("ben", "gm", None))
        sent.append(players(frames))
    assert sent[0] == sent[1]
    table.give({"do": "propose", "command": hit, "by": "ana"})
    assert "taken" not in table.give({**nod, "accept": False}).get("ana", "")


def test_a_hit_that_is_impossible_waits_for_the_gm() -> None:
    table = dungeon({"g": {"type": "foe", "visibility": "known", "resolved": True}})
    table.give({"do": "allow", "type": "foe", "acts": {"fill": "everyone"}})
    table.give({"do": "propose", "command": {"do": "fill", "on": "g", "slots": 9}, "by": "ana"})

    assert 1 == table.waiting


def test_buttons_on_what_another_seat_has_say_whose_it_is() -> None:
    table = dungeon({"a": {"type": "hp", "owner": "ana", "role": "kit-0"}})
    table.give({"do": "fill", "on": "a", "slots": 20})

    assert 2 == table.board("gm").count("<small>ana’s Death saves 1</small>")
    assert "Death saves 1</small>" not in table.board("ana")
    table.give({"do": "press", "rule": "Hit while down", "on": "dying-1", "number": 2})
    assert 2 == table.board("ana").count("<small>failed 2</small>"), "it is read where one rolls"
    words = re.findall(r'class="?rule-word"?>([^<]+)', table.board("ana"))
    assert ["Death save", "Hit while down"] == words[:2]
    assert 2 == table.board("gm").count("<small>ana’s Death saves 1 · failed 2</small>")


def test_every_element_of_a_whole_board_replaces_the_one_before() -> None:
    """Without an id it would stay: names in the notes, and what waits after a lost connection."""
    table = at_table(OPEN)
    whole = parsed(boards.board_anew(*table.seen_by("gm"))).children

    assert [] == [each for each in whole if isinstance(each, Node) and "id" not in each.attributes]


def test_a_turn_order_of_nobody_says_to_the_gm_how_one_takes_turns() -> None:
    evening = at_table({"c": {"type": "clock"}, "a": {"type": "hp", "owner": "ana"}})
    evening.give({"do": "fight", "to": "begin"})
    hint = "Nobody takes turns yet"

    assert [True, False] == [hint in evening.board(seat) for seat in ("gm", "ana")]
    evening.give({"do": "edit", "on": "a", "initiative": 12})
    assert hint not in evening.board("gm")
