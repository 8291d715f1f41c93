"""A game watched again shows each moment as its seat saw it then, whatever came later."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from games.live.summaries import swings
from games.models import Game
from games.rules import scenario, secrecy
from games.rules.state import Refused
from games.rules.system import System
from games.screens.boards import board, log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.log.lines import sentence_of
from games.screens.replay.chapters import chapter_name
from games.screens.replay.evening import Evening, Moment
from games.screens.turn import header
from games.screens.words import words_at
from games.store import demos, rows
from games.store.checkpoints import EVERY
from games.systems import SYSTEMS, find
from tests import laws
from tests.page import parsed
from tests.pages.slots.test_silence import EVENING, OPENING, SEATS, TAKE_BACK, hidden
from tests.screens.test_updates import silent
from tests.types import Json

pytestmark = pytest.mark.django_db

Boards = dict[str | None, dict[int, str]]
"""By seat and line: the board as it was drawn when that line was new."""
Lines = frozenset[tuple[str | None, int]]
MOST = 6
"""The number of scenarios of a system that are replayed."""


def played(game: Game, commands: Iterable[Mapping[str, Any]]) -> Boards:
    """Play *commands*, and keep what every seat and a watcher see after each."""
    system, history = game.rules, rows.history(game)
    screens = Drawing(system, game.places)
    boards: Boards = {seat: {} for seat in (*history.state.seats, None)}

    def look(seat: str | None, line: int) -> None:
        eyes = audience(system, seat)
        boards[seat][line] = header(screens, history.state, eyes) + board(
            screens, history.state, seat, eyes
        )

    for seat in boards:
        look(seat, 0)
    for command in commands:
        try:
            applied = history.give(dict(command))
        except Refused:
            continue
        rows.write(connections["default"], {game.pk: [applied]}, timezone.now())
        for seat in boards:
            counts = secrecy.counts_lines(system, applied.after, seat)
            visible = secrecy.redacted(applied, seat) if counts else applied
            told = applied.entry and not secrecy.unknown(system, applied.after, applied.entry, seat)
            if told and visible and visible.entry:
                look(seat, visible.entry.number)
    game.refresh_from_db()
    return boards


def watching(game: Game) -> Evening:
    evening = Evening(game)
    evening.shows(game, game.places)
    return evening


Watched = tuple[str | None, int, Moment, str]


def watched(game: Game, alike: Lines = frozenset()) -> Iterator[Watched]:
    """Every moment of *game* for every seat, in any order, with its board; of *alike*, which
    show nothing new, every 20th."""
    evening = watching(game)
    moments = [
        (seat, line)
        for seat in (*game.places, None)
        for line in range(evening.last(seat) + 1)
        if line not in evening.hidden(seat) and ((seat, line) not in alike or not line % 20)
    ]
    random.Random(1).shuffle(moments)
    for seat, line in moments:
        shown = evening.drawn(seat, line)
        yield seat, line, evening.moment(seat, line), shown.turn + shown.board


def is_as_it_was(game: Game, boards: Boards, alike: Lines = frozenset()) -> list[Watched]:
    found = [*watched(game, alike)]
    for n, (seat, line, moment, shown) in enumerate(found):
        assert line == moment.line
        assert boards[seat][line] == shown, f"{seat} at {line}"
        if not n % 20:  # in any order: these are all sorts
            goes_from_line_to_line(boards[seat], line, moment)

    every = {(seat, line) for seat, lines in boards.items() for line in lines}
    assert every ^ {(seat, line) for seat, line, _moment, _shown in found} <= alike
    return found


def goes_from_line_to_line(boards: Mapping[int, str], line: int, moment: Moment) -> None:
    """The frames of a moment lead to its board from that of the line before, and back."""
    there = max(0, line - 1), line
    for (before, after), frame in zip((there, there[::-1]), moment.frames, strict=False):
        page = parsed(boards[before])
        page.apply(frame)

        assert silent(parsed(boards[after])) == silent(page), f"{before} to {after}"


def made(system: System, described: Mapping[str, Any]) -> Game:
    names = {each: each.capitalize() for each in described["given"].get("seats", ())}
    return rows.create(system, scenario.opening(system, described), names=names)


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_moment_is_the_board_that_each_seat_saw_then(name: str) -> None:
    system = find(name)

    def secret(described: Mapping[str, Any]) -> bool:
        told = any(secrecy.is_private(system, each) for each in described["when"])
        return told and "face_down" in str(described["given"])

    longest = sorted(
        (each for each, of in laws.all_scenarios() if of is system),
        key=lambda each: (not secret(each), -len(each["when"])),
    )
    for described in filter(None, [demos.demo(system), *islice(longest, MOST)]):
        game = made(system, described)

        is_as_it_was(game, played(game, described["when"]))


def test_secret_acts_between_are_no_moments_of_those_who_did_not_hear_of_them() -> None:
    def evening() -> Iterator[Json]:
        secret = hidden()
        for each in EVENING:
            command = {key: value for key, value in each.items() if key != "as_"}
            if TAKE_BACK not in command:
                yield {"by": "gm", **command}
            yield from (
                {"by": "gm", **next_} for next_ in islice(secret, 3) if TAKE_BACK not in next_
            )

    game = made(find("stars-and-signs"), {"given": {"seats": SEATS, "slot_counters": OPENING}})
    boards = played(game, evening())
    secrets = [line for line in boards["gm"] if line]

    assert len(secrets) > 2 * len(boards[None])
    of_gm = frozenset(("gm", line) for line in secrets)
    for seat, _line, moment, shown in is_as_it_was(game, boards, of_gm):
        if seat != "gm":
            assert "canary" not in sentence_of(moment.parts) + shown + "".join(moment.frames)


def test_a_reason_names_its_seats_as_the_sentence_does() -> None:
    described, system = next(
        each for each in laws.all_scenarios() if each[0]["id"] == "evening-more-crown-until"
    )
    game = made(system, described)
    played(game, described["when"])
    told = [sentence_of(moment.parts) for _seat, _line, moment, _shown in watched(game)]

    assert [] == [each for each in told if "{" in each]
    assert any("no longer the monarch: Cleo is now" in each for each in told)


def test_a_set_card_keeps_its_secret_in_every_moment_before_it_was_turned_up() -> None:
    trap = {"name": "Mirror Force", "owner": "ana", "zone": "spell-trap", "face_down": True}
    game = made(
        find("yu-gi-oh"), {"given": {"seats": {"ana": {}, "ben": {}}, "objects": {"trap": trap}}}
    )
    boards = played(
        game,
        [
            {"do": "lose-life", "seat": "ben", "amount": 500, "by": "ana"},
            {"do": "flip", "object": "trap", "face_down": False, "by": "ana"},
            {"do": "lose-life", "seat": "ana", "amount": 500, "by": "ben"},
        ],
    )
    knew = {
        (seat, line): "Mirror Force" in shown + sentence_of(moment.parts)
        for seat, line, moment, shown in is_as_it_was(game, boards)
    }

    assert 3 == game.number
    assert all(knew["ana", line] for line in range(4))
    for seat in ("ben", None):
        assert [False, False, True, True] == [knew[seat, line] for line in range(4)]


def test_a_note_on_a_set_card_is_no_moment_of_those_who_cannot_see_it() -> None:
    trap = {"owner": "ana", "zone": "spell-trap", "face_down": True}
    game = made(
        find("yu-gi-oh"), {"given": {"seats": {"ana": {}, "ben": {}}, "objects": {"trap": trap}}}
    )
    played(
        game,
        [
            {"do": "lose-life", "seat": "ben", "amount": 500, "by": "ana"},
            {"do": "describe", "object": "trap", "name": "Mirror Force", "by": "ana"},
        ],
    )
    evening = watching(game)

    assert [] == evening.hidden("ana")
    assert [2] == evening.hidden("ben") == evening.hidden(None)
    assert [2, 1, 1] == [evening.last(seat) for seat in ("ana", "ben", None)]
    assert ("", "") == evening.moment("ben", 2).frames
    assert evening.moment("ben", 1).parts == evening.moment("ben", 2).parts


def test_undone_entries_still_happened_and_their_marks_are_gone(make_game: Any) -> None:
    game = make_game("magic", seats={"ana": {"life": 20}, "ben": {"life": 20}})
    turns = [{"do": "begin-turn", "active": [each]} for each in ("ana", "ben", "ana")]
    far = [{"do": "gain-life", "seat": "ben", "amount": 1} for _each in range(EVERY)]
    boards = played(
        game,
        [
            turns[0],
            {"do": "lose-life", "seat": "ben", "amount": 20},
            {"do": "undo", "entry": 2},
            turns[1],
            turns[2],
            {"do": "lose-life", "seat": "ana", "amount": 9},
            {"do": "undo", "entry": 5},
            *far,
            {"do": "undo", "entry": 6},
            {"do": "redo", "entry": 6},
            {"do": "redo", "entry": 5},
        ],
    )
    is_as_it_was(game, boards, frozenset((e, n) for e in boards for n in range(10, EVERY)))
    chapters, marks = watching(game).film(None, swings(game))

    assert ["1 ana 1", "4 ben 1", "5 ana 2", "7 ben 1"] == [
        f"{each.line} {each.seats[0]} {each.count}" for each in chapters if 0 < each.line < 100
    ]
    assert [("down", 6)] == [(each.sign, each.line) for each in marks if each.sign != "up"]


def test_marks_end_with_the_game(make_game: Any) -> None:
    """A winner whose life then goes to 0 is not out."""
    game = make_game("magic", seats={"ana": {"life": 20}, "ben": {"life": 20}})
    lose = [{"do": "lose-life", "seat": each, "amount": 20} for each in ("ben", "ana")]
    back = {"do": "correct", "on": "ben", "life": 20, "restore": True}
    rows.give(game, lose)
    _chapters, marks = watching(game).film(None)
    assert [("out", "ben", 1), ("won", "ana", 1)] == [(e.sign, e.seat, e.line) for e in marks]

    rows.give(game, [{"do": "undo"}, back, lose[1]])

    _chapters, marks = watching(game).film(None)
    assert [("out", "ben", 1), ("won", "ana", 1), ("out", "ana", 5), ("won", "ben", 5)] == [
        (each.sign, each.seat, each.line) for each in marks
    ]


def test_a_moment_says_what_the_log_says(make_game: Any) -> None:
    game = make_game("grand-archive", seats={"ana": {}, "ben": {}}, objects={"wolf": {}})
    rows.give(
        game,
        [
            {"do": "begin-turn", "active": ["ben"]},
            {"do": "place", "on": "wolf", "counters": {"buff": 2}},
            {"do": "undo"},
        ],
    )
    said = {
        line: sentence_of(each.parts) for seat, line, each, _shown in watched(game) if seat == "ana"
    }

    assert {each.number: sentence_of(each.parts) for each in log_lines(game, "ana")} == {
        line: text for line, text in said.items() if line
    }
    its = words_at(game)
    assert {"Ben’s turn 1"} == {
        chapter_name(its, each.chapter)
        for _seat, line, each, _shown in watched(game)
        if line in (1, 2)
    }
