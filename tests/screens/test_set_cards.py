"""Set cards: who reads their names, and until when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.template import Context
from django.utils import timezone

from games.models import Game
from games.models.game import LastEntry
from games.rules import scenario, secrecy
from games.rules.history import Applied, History
from games.rules.secrecy import seen
from games.rules.state import Refused
from games.screens import boards, sheets
from games.screens.boards import log_lines
from games.screens.cards import changes
from games.screens.drawing import Drawing
from games.screens.forms import from_form
from games.screens.fragments import audience
from games.screens.templates import find as find_template
from games.seats import hosts
from games.store import caches, rows
from games.systems import find
from games.systems.yu_gi_oh.card import card
from tests.page import parsed
from tests.types import Make, Sit

DUEL = find("yu-gi-oh")
SCENARIOS = Path(__file__).parents[1] / "scenarios"
SET = {"do": "create", "as": "c", "name": "Mirror Force", "zone": "spell-trap", "face_down": True}
FLIP = {"do": "flip", "object": "c", "face_down": False}
TO = {"do": "move", "object": "c"}
EYES = ("ana", "ben", "cleo", None)


def duel(*given: dict[str, Any], **objects: Any) -> History:
    described = {"seats": {"ana": {}, "ben": {}, "cleo": {}}, "objects": objects}
    history = History(DUEL, scenario.opening(DUEL, {"given": described}))
    for command in given:
        history.give(command)
    return history


def drawn(history: History, seat: str | None) -> str:
    return boards.board(Drawing(DUEL), history.state, seat, audience(DUEL, seat))


def readers(history: History, name: str = "Mirror Force") -> set[str | None]:
    """The seats that can read that name on the board."""
    return {seat for seat in EYES if name in drawn(history, seat)}


# Who reads its name


def test_a_card_that_comes_face_down_is_a_set_card_to_others() -> None:
    history = duel(SET)

    assert {"ana"} == readers(history)
    assert {"ben", "cleo", None} == readers(history, "Set card")


def test_only_who_sees_it_is_offered_to_flip_it() -> None:
    assert {"ana"} == readers(duel(SET), "name=flip-up")


@pytest.mark.parametrize(
    "then",
    [
        [FLIP],
        [FLIP, {**FLIP, "face_down": True}],
        [{**TO, "to": "graveyard"}],
        [{**TO, "to": "hand"}, {**TO, "to": "monster"}],
    ],
    ids=["flipped", "face-down again", "in the graveyard", "played from the hand"],
)
def test_a_face_that_everyone_has_seen_is_no_secret(then: list[dict[str, Any]]) -> None:
    assert set(EYES) == readers(duel(SET, *then))


@pytest.mark.parametrize("do", ["describe", "together"])
def test_only_who_sees_its_face_says_what_it_is_called(do: str) -> None:
    history = duel(SET)
    named = {"do": "describe", "object": "c", "name": "Trap Hole"}
    raw = named if do == "describe" else {"do": "together", "steps": [named]}

    secrecy.refuse_unseen(DUEL, history.state, {**raw, "by": "ana"})
    with pytest.raises(Refused, match="Only a player who sees this card"):
        secrecy.refuse_unseen(DUEL, history.state, {**raw, "by": "ben"})


@pytest.mark.parametrize("zone", ["hand", "deck", "extra-deck"])
def test_it_goes_to_a_hand_or_a_deck_unseen(zone: str) -> None:
    history = duel(SET, {**TO, "to": zone})

    assert {"ana"} == readers(history)
    assert {"ben", "cleo", None} == readers(history, "Unknown card")


def test_its_new_controller_may_look_and_its_owner_still_knows_it() -> None:
    history = duel(SET, {"do": "control", "object": "c", "to": "ben"})

    assert {"ana", "ben"} == readers(history)


def test_the_player_who_typed_its_name_for_another_seat_knows_it() -> None:
    history = duel({**SET, "controller": "ben"})

    assert {"ana", "ben"} == readers(history)


def test_a_face_down_card_of_an_opening_was_set() -> None:
    history = duel(c={"name": "Mirror Force", "face_down": True, "owner": "ben"})

    assert {"ben"} == readers(history)


def test_undoing_a_flip_hides_it_as_if_it_had_not_been() -> None:
    assert {"ana"} == readers(duel(SET, FLIP, {"do": "undo"}))


def test_others_see_nothing_printed_of_a_set_card() -> None:
    text = {"permits": {"spell": {}}, "on_spell": {"spell": 1}, "thresholds": {"spell": 3}}
    history = duel({**SET, **text})
    shown = card(seen(DUEL, history.state, "ben"), "c")

    assert ({}, {}, {}) == (shown.permits, shown.on_spell, shown.thresholds)
    assert history.state is seen(DUEL, history.state, "ana")


# Updates


def test_a_flip_gives_its_name_to_every_screen() -> None:
    history = duel(SET)
    screens = Drawing(DUEL)
    flipped = history.give(FLIP)

    for seat in EYES:
        assert "Mirror Force" in boards.changes(screens, flipped, audience(DUEL, seat))


@pytest.mark.parametrize(
    ("then", "sentences"),
    [
        ([FLIP], {"ben", "cleo", None}),
        ([{**TO, "to": "graveyard"}], {"ben", "cleo", None}),
        ([FLIP, {**FLIP, "face_down": True}], set()),
        ([FLIP, {"do": "undo"}, {"do": "redo"}], set()),
        ([{"do": "lose-life", "seat": ["ben"], "amount": 100}], set()),
    ],
    ids=["flipped", "sent to the graveyard", "turned face-down", "redone", "a tap"],
)
def test_a_face_seen_for_the_first_time_is_told(
    then: list[dict[str, Any]], sentences: set[str | None]
) -> None:
    history, screens = duel(SET), Drawing(DUEL)
    given = [history.give({"by": "ana", **command}) for command in then][-1]
    shown = {seat: boards.changes(screens, given, audience(DUEL, seat)) for seat in EYES}

    assert sentences == {seat for seat in EYES if 'data-moment="revealed"' in shown[seat]}
    for seat in sentences:
        moment = shown[seat].partition('data-moment="revealed"')[2]
        assert "Mirror Force" in moment
        assert "was revealed" in moment


def test_while_no_one_has_a_secret_all_seats_share_what_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[Applied] = []
    draw = changes._changes

    def noted(drawing: Drawing, given: Applied, eyes: Any) -> str:
        counted.append(given)
        return draw(drawing, given, eyes)

    monkeypatch.setattr(changes, "_changes", noted)
    history, screens = duel(SET, FLIP), Drawing(DUEL)
    given = history.give({"do": "lose-life", "seat": ["ben"], "amount": 1000})
    shown = {boards.changes(screens, given, audience(DUEL, seat)) for seat in EYES}

    assert (1, 1) == (len(counted), len(shown))


def hidden_play() -> dict[str, Any]:
    """A case with everything that may happen to a set card."""
    given = {"seats": {"ana": {}, "ben": {}}, "objects": {"m": {"face_down": True, "owner": "ben"}}}
    when = [
        SET,
        {"do": "register", "object": "c", "counter": "spell"},
        {"do": "mark", "on": "c", "mark": "negated"},
        {"do": "lose-life", "seat": "ben", "amount": 10},
        {"do": "control", "object": "c", "to": "ben"},
        {"do": "control", "object": "m", "to": "ana"},
        FLIP,
        {**FLIP, "face_down": True},
        {"do": "undo", "entries": [7]},
        {**TO, "to": "hand"},
        {**TO, "object": "m", "to": "deck"},
        {**TO, "object": "m", "to": "monster"},
        {"do": "undo", "to": 0},
    ]
    return {"id": "hidden", "given": given, "when": when}


CASES = [
    hidden_play(),
    *(each for each in json.loads((SCENARIOS / "yu-gi-oh-more.json").read_text())[::4]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_updates_lead_every_seat_to_the_page_that_a_newcomer_gets(case: Any) -> None:
    history = History(DUEL, scenario.opening(DUEL, case))
    screens = Drawing(DUEL)
    eyes = [audience(DUEL, seat) for seat in (*history.state.seats, None)]
    pages = {each: parsed(boards.board(screens, history.state, None, each)) for each in eyes}
    for command in case["when"]:
        try:
            given = history.give(command)
        except Refused:
            continue
        for each, page in pages.items():
            page.apply(boards.changes(screens, given, each))
            fresh = boards.board(Drawing(DUEL), history.state, None, each)

            assert str(parsed(fresh)) == str(page)


# The log


@pytest.mark.django_db
def test_the_log_keeps_its_secret_up_to_the_flip(make_game: Make) -> None:
    game = make_game("yu-gi-oh", seats={"ana": {}, "ben": {}})
    rows.give(game, [SET, {"do": "permit", "object": "c", "counter": "spell"}, FLIP])

    def sentences(seat: str | None) -> list[str]:
        return [f"{each.name} {each.parts[0].text}" for each in log_lines(game, seat)]

    flipped = "Ana flipped Mirror Force face-up"
    hers = [
        "Ana set Mirror Force in Spell & Trap Zone",
        "Ana Mirror Force may hold spell counters",
        flipped,
    ]
    for _again in range(2):
        assert (
            ["Ana set a card in Spell & Trap Zone", flipped] == sentences("ben") == sentences(None)
        )
        assert hers == sentences("ana")
        caches.forget(game.slug)


# The whole game


@pytest.mark.django_db
def test_the_whole_game_is_for_those_who_know_all_of_it_or_once_it_has_rested(
    make_game: Make, sit: Sit
) -> None:
    game = make_game("yu-gi-oh", seats={"ana": {}, "ben": {}})
    ana, ben = sit(game, "ana"), sit(game, "ben")

    def exported(*given: dict[str, Any]) -> tuple[int, int]:
        rows.give(Game.objects.get(pk=game.pk), given)
        path = f"/g/{game.slug}/scenario.json"
        return ana.get(path).status_code, ben.get(path).status_code

    other = {**SET, "as": "d", "by": "ben"}
    assert (200, 200) == exported()
    assert (200, 403) == exported(SET)
    assert (200, 200) == exported(FLIP)
    assert (403, 200) == exported(other)
    assert (403, 200) == exported({"do": "undo", "by": "ben"})
    assert (403, 200) == exported({"do": "leave", "seat": "ben"})
    LastEntry.objects.filter(game=game).update(changed=timezone.now() - 2 * hosts.REST)
    assert (200, 200) == exported()


# Ids


def test_the_id_of_a_set_card_does_not_tell_its_name() -> None:
    opening = scenario.opening(DUEL, {"given": {"seats": {"ana": {}}}})
    facts = sheets.of_new_card(sheets.Table(DUEL, opening, {}), "ana", "")
    form = find_template(DUEL, "sheets/_new_card.html").render(Context({"board_url": "/", **facts}))
    assert 'name="face_down:secret"' in form

    typed = "do=create&name=Mirror Force"
    down = from_form(QueryDict(f"{typed}&face_down:secret=on"))
    up = from_form(QueryDict(typed))

    assert (True, "card-") == (down["face_down"], down["as"][:5])
    assert "mirror-force-" == up["as"][:13]
