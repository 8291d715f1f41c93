"""A row of twenty tokens: its sheet, its taps without scripts, its line of the log, its undo."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.screens.boards import log_lines
from games.screens.log.undo_button import next_undo_and_redo
from games.store import rows
from tests.types import Make, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]
ZOMBIE = {"name": "Zombie", "types": ["creature"], "base": {"power": 2, "toughness": 2}}
ZOMBIES = [f"zombie-{n}" for n in range(1, 21)]
EACH = re.compile(r'name="each\.([a-z0-9-]+)" value="([^"]*)"')


@pytest.fixture
def horde(make_game: Make) -> Game:
    objects = {each: {**ZOMBIE, "token": True} for each in ZOMBIES}
    return make_game("magic", objects={**objects, "bear": {**ZOMBIE, "name": "Bear"}})


def sheet(client: Client, game: Game, address: str) -> str:
    return client.get(f"/g/{game.slug}/objects/{address}").content.decode()


def posted(client: Client, game: Game, **fields: str) -> None:
    answer = client.post(f"/g/{game.slug}/command", fields)
    assert 302 == answer.status_code, answer.content.decode()


def said(game: Game) -> list[str]:
    """The parts of the newest line, with the numbers before and after."""
    return [part.full_text for part in log_lines(game, "ana")[-1].parts]


# The sheet


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("zombie-1", ZOMBIES),
        ("zombie-1?n=1", ZOMBIES[-1:]),
        ("zombie-1?n=3", ZOMBIES[-3:]),
        ("zombie-4?of=zombie-4+zombie-7", ["zombie-4", "zombie-7"]),
        ("zombie-4?of=zombie-4+zombie-7&n=1", ["zombie-7"]),
        ("zombie-4?of=nobody", ZOMBIES),
        ("zombie-1?n=many", ZOMBIES),
        ("zombie-1?n=0", ZOMBIES[-1:]),
        ("zombie-1?n=9999", ZOMBIES),
    ],
)
def test_a_sheet_means_all_of_a_row_or_as_many_as_are_chosen(
    horde: Game, sit: Sit, address: str, meant: list[str]
) -> None:
    found = set(EACH.findall(sheet(sit(horde, "ana"), horde, address)))

    assert {(meant[0], " ".join(meant))} == found


def test_the_sheet_of_a_card_that_stands_alone_asks_no_number(horde: Game, sit: Sit) -> None:
    page = sheet(sit(horde, "ana"), horde, "bear")

    assert [] == EACH.findall(page)
    assert re.search(r'<form\s+class="stack"[^>]*hidden', page)


# Without scripts


def test_a_tap_on_a_row_means_each_of_it(horde: Game, sit: Sit) -> None:
    every = {"each.zombie-1": " ".join(ZOMBIES), "each.other": "other others"}
    posted(sit(horde, "ana"), horde, more="zombie-1.+1/+1", **every)
    state = rows.state(horde)

    assert {1} == {state.count(each, "+1/+1") for each in ZOMBIES}
    assert 0 == state.count("bear", "+1/+1")
    assert ["1 × +1/+1 on Zombie ×20, 0 → 1"] == said(horde)


def test_three_of_a_row_die_together(horde: Game, sit: Sit) -> None:
    three = {"each.zombie-18": "zombie-18 zombie-19 zombie-20"}
    posted(sit(horde, "ana"), horde, do="move", object="zombie-18", to="graveyard", **three)

    assert 17 == sum(obj.on_field for obj in rows.state(horde).objects.values() if obj.token)
    assert ["Zombie ×3 ceased to exist"] == said(horde)


def test_a_verb_for_one_is_done_for_each_together(horde: Game, sit: Sit) -> None:
    client = sit(horde, "ana")
    every = {"each.zombie-1": " ".join(ZOMBIES)}
    posted(client, horde, more="zombie-1.charge", **every)
    posted(client, horde, do="spend", on="zombie-1", counter="charge", **every)

    assert {0} == {rows.state(horde).count(each, "charge") for each in ZOMBIES}
    assert ["1 charge spent from Zombie ×20, 1 → 0"] == said(horde)
    assert [2] == next_undo_and_redo(horde, "ana")["undo"]


# Several at once


def test_a_row_is_one_choice_among_several_and_means_all_of_it(horde: Game, sit: Sit) -> None:
    client = sit(horde, "ana")
    page = client.get(f"/g/{horde.slug}/several?do=move").content.decode()
    offered = re.findall(r'name="object\.([a-z0-9-]+):member"', page)

    assert ["zombie-1", "bear"] == offered
    assert [("zombie-1", " ".join(ZOMBIES))] == EACH.findall(page)

    wiped = {"object.zombie-1:member": "yes", "object.bear:member": "yes"}
    posted(
        client,
        horde,
        do="move",
        to="graveyard",
        **wiped,
        **{"each.zombie-1": " ".join(ZOMBIES)},
    )

    assert not any(obj.on_field for obj in rows.state(horde).objects.values())
    assert {"Zombie ×20 ceased to exist", "Bear moved from battlefield to graveyard"} == {
        *said(horde)
    }


# The log


def given(game: Game, **command: Any) -> None:
    rows.give(game, [{**command, "by": "ana"}])


def test_those_that_were_unlike_are_told_apart_with_their_own_numbers(horde: Game) -> None:
    given(horde, do="place", on="zombie-3", counter="+1/+1")
    given(horde, do="place", on=ZOMBIES, counter="+1/+1", amount=2)

    assert ["2 × +1/+1 on Zombie ×19, 0 → 2", "2 × +1/+1 on Zombie, 1 → 3"] == said(horde)


def test_quick_taps_on_a_row_are_one_line(horde: Game) -> None:
    for _tap in range(3):
        given(horde, do="place", on=ZOMBIES, counter="charge", amount=1)

    assert ["3 charge on Zombie ×20, 0 → 3"] == said(horde)
    assert "Undo Zombie ×20" == next_undo_and_redo(horde, "ana")["undo_short"]
    assert "Undo: +3 charge on Zombie ×20 (Ana)" == next_undo_and_redo(horde, "ana")["undo_text"]


def test_twenty_new_tokens_are_one_line(make_game: Make) -> None:
    game = make_game("magic")
    steps = [{"do": "create", "as": each, "counters": {"+1/+1": 1}, **ZOMBIE} for each in ZOMBIES]
    given(game, do="together", steps=steps)

    assert ["added Zombie ×20 to battlefield", "1 × +1/+1 on Zombie ×20, 0 → 1"] == said(game)


def test_a_row_is_chosen_whole_to_proliferate(horde: Game, sit: Sit) -> None:
    given(horde, do="place", on=ZOMBIES, counter="+1/+1")
    client = sit(horde, "ana")
    page = client.get(f"/g/{horde.slug}/acts/proliferate").content.decode()

    assert ["zombie-1"] == re.findall(r'name="choose\.([a-z0-9-]+):member" value="yes"', page)

    every = dict(EACH.findall(page))
    fields = {f"each.{first}": ids for first, ids in every.items()}
    posted(client, horde, do="proliferate", **{"choose.zombie-1:member": "yes"}, **fields)
    assert {2} == {rows.state(horde).count(each, "+1/+1") for each in ZOMBIES}


def test_other_cards_are_offered_once_for_each_row(horde: Game, sit: Sit) -> None:
    given(horde, do="place", on="bear", counter="charge")
    page = sheet(sit(horde, "ana"), horde, "bear")

    assert {"zombie-1"} == {*re.findall(r'value="(zombie-[0-9]+)"', page)}


def test_a_row_of_a_hundred_is_changed_and_renamed_by_one_command(
    make_game: Make, sit: Sit
) -> None:
    squirrel = {"name": "Squirrel", "types": ["creature"], "base": {"power": 1, "toughness": 1}}
    game = make_game("magic", objects={f"squirrel-{n}": squirrel for n in range(100)})
    each = {"each.squirrel-0": " ".join(f"squirrel-{n}" for n in range(100))}
    change = {"do": "change", "object": "squirrel-0", "add:json": '{"power": 1, "toughness": 1}'}
    ana = sit(game, "ana")
    for fields in (change, {"do": "describe", "object": "squirrel-0", "name": "Rat"}):
        assert 302 == ana.post(f"/g/{game.slug}/command", {**fields, **each}).status_code
    cards: Any = rows.state(Game.objects.get(pk=game.pk)).objects.values()

    assert {"Rat"} == {card.name for card in cards}
    assert 100 == sum(len(card.changes) for card in cards)
