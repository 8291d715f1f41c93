"""The boards of Yu-Gi-Oh!, Magic and any game: what they offer, and that updates match pages."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from games.models import Game
from games.pages.forms import NewGame
from games.rules import scenario
from games.rules.history import History
from games.screens import boards, sheets
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.forms import _tapped, from_form
from games.screens.fragments import OOB, Audience, amount
from games.store import demos
from games.store import rows as store
from games.systems import find
from games.systems.presets import presets
from tests.page import parsed
from tests.random_games import opened
from tests.types import Make, Sit

EVERYBODY = Audience()
LIBRARY = {
    "name": "Royal Magical Library",
    "owner": "ana",
    "permits": {"spell": {"maximum": 3}},
    "thresholds": {"spell": 3},
}
SHARING = {"red": {"seats": ["ana", "ben"], "shared_life": True, "shared_poison": True}}


def table(system: str, **given: Any) -> History:
    rules = find(system)
    described = {"seats": {"ana": {}, "ben": {}, "cleo": {}}, **given}
    return History(rules, scenario.opening(rules, {"given": described, "settings": {}}))


def drawn(history: History, seat: str = "ana") -> str:
    return boards.board(Drawing(history.system), history.state, seat, EVERYBODY)


def changes(history: History, **command: Any) -> str:
    return boards.changes(Drawing(history.system), history.give(command), EVERYBODY)


def ids(shown: str) -> list[str]:
    return [str(node.attributes["id"]) for node in parsed(shown).children]


# What a card may hold


def test_a_permitted_kind_stands_at_nought_with_its_maximum() -> None:
    page = drawn(table("yu-gi-oh", objects={"library": LIBRARY}))

    assert "<li data-kind=spell class=is-zero data-most=3>" in page
    assert "name=own value=library.spell>" in page


def test_a_card_with_its_back_up_offers_no_kind() -> None:
    hidden = {**LIBRARY, "face_down": True}

    assert "data-kind=spell" not in drawn(table("yu-gi-oh", objects={"library": hidden}))


ENDING = "<span class=unseen>until end of turn</span>"


@pytest.mark.parametrize(
    ("system", "type_", "numbers"),
    [("magic", "creature", ("power", "toughness")), ("grand-archive", "ally", ("power", "life"))],
)
def test_what_ends_with_the_turn_has_its_sign_below_the_numbers(
    system: str, type_: str, numbers: tuple[str, str]
) -> None:
    cards = {
        card: {"owner": "ana", "types": [type_], "base": dict.fromkeys(numbers, 2)}
        for card in ("angel", "wolf")
    }
    history = table(system, objects=cards, turn={"active": ["ana"]})

    def given(card: str, lasting: bool, **how: Any) -> list[str]:
        shown = changes(history, do="change", object=[card], lasting=lasting, **how)
        return re.findall(r'is-ending">(\S+) (?=<span class=unseen>until end of turn<)', shown)

    assert [] == given("angel", True, add=dict.fromkeys(numbers, 1))
    assert ["+3"] == given("angel", False, add=dict.fromkeys(numbers, 3))
    assert ["+0/+3"] == given("wolf", False, add={numbers[1]: 3})
    assert ["+3", "+0/+3"] == re.findall(r'is-ending">(\S+) ', drawn(history))
    history.give({"do": "begin-turn", "active": ["ben"]})
    assert "is-ending" not in drawn(history)


def test_a_state_that_ends_with_the_turn_has_its_sign_too() -> None:
    angel = {"owner": "ana", "types": ["creature"], "base": {"power": 4, "toughness": 4}}
    history = table("magic", objects={"angel": angel})
    mark = {"do": "mark", "on": "angel", "mark": "indestructible"}

    assert f"class=is-ending>indestructible {ENDING}" in changes(history, **mark, until="turn")
    history.give({"do": "begin-turn", "active": ["ben"]})
    lasting = changes(history, **mark)
    assert "indestructible" in lasting
    assert "is-ending" not in lasting


def test_a_permit_that_is_noted_draws_the_card_again() -> None:
    history = table("yu-gi-oh", objects={"giant": {"name": "Snowdust Giant"}})
    shown = changes(history, do="permit", object="giant", counter="spell", maximum=2)

    assert "data-most=2" in shown


def test_a_tap_without_a_script_names_the_card_itself_as_the_source() -> None:
    placed = {"do": "place", "on": "library", "counter": "spell", "source": "library"}

    assert {**placed, "amount": 1} == _tapped(QueryDict("own=library.spell"), find("yu-gi-oh"))


def test_a_sheet_offers_what_its_type_uses_and_who_may_have_dealt_damage() -> None:
    history = table(
        "grand-archive",
        objects={
            "guide": {"types": ["ally"], "base": {"power": 3, "life": 1}},
            "cup": {"types": ["item"]},
            "owl": {"types": ["ally"], "base": {"power": 1, "life": 2}, "owner": "ben"},
        },
    )
    history.give({"do": "begin-turn", "active": ["ana"]})
    system, state = history.system, history.state

    shown = sheets.Table(system, state, {})
    owl, guide = (sheets.of_object(shown, state.objects[each]) for each in ("owl", "guide"))

    assert ["buff", "debuff", "wither", "bulwark"] == owl["offered"]
    assert {"damage", "level", "omen"} <= set(owl["suggested"])
    assert [("guide", 3, True)] == [(s["id"], s["power"], s["likely"]) for s in owl["sources"]]
    assert [("owl", 1, False)] == [(s["id"], s["power"], s["likely"]) for s in guide["sources"]]


def charged() -> History:
    """Ana's champion is arcane and has no power; a static counter lies on her rod."""
    return table(
        "grand-archive",
        objects={
            "rai": {"types": ["champion"], "base": {"life": 20}, "elements": ["arcane", "fire"]},
            "rod": {"types": ["item"], "counters": {"static": 2}},
            "owl": {"types": ["ally"], "base": {"power": 1, "life": 2}, "owner": "ben"},
        },
        turn={"active": ["ana"], "phase": "combat"},
    )


def test_an_arcane_champion_is_a_source_while_a_static_counter_could_be_used() -> None:
    history = charged()

    def sources() -> list[str]:
        owl = history.state.objects["owl"]
        shown = sheets.Table(history.system, history.state, {})
        found = sheets.of_object(shown, owl)["sources"]
        return [each["id"] for each in found]

    assert ["rai"] == sources()
    history.give({"do": "remove", "on": "rod", "counter": "static", "amount": 2})
    assert [] == sources()


def test_the_question_about_a_static_counter_names_what_was_hit_and_counts_along() -> None:
    history = charged()
    hit = {"do": "damage", "on": ["owl"], "source": "rai", "combat": True, "amount": 1}
    asked = changes(history, **hit)

    assert "Static: hit owl?" in asked
    assert "Use 1 of 2" in asked
    assert "Use 1 of 3" in changes(history, do="place", on="rod", counter="static", amount=1)


def test_the_answer_about_a_static_counter_is_used_or_kept() -> None:
    sent = "do=answer&prompt=static:rod&use:member="
    used, kept = (QueryDict(f"{sent}&use.rod:member={value}") for value in ("yes", ""))

    assert ["rod"] == from_form(used)["use"]
    assert [] == from_form(kept)["use"]


def test_life_is_called_as_the_game_calls_it() -> None:
    assert 'data-word="life points"' in drawn(table("yu-gi-oh"))
    assert "life points" not in drawn(table("magic"))


# Teams and prompts


def test_a_number_shared_by_a_team_stands_once() -> None:
    page = drawn(table("magic", teams=SHARING))

    assert [1, 1] == [page.count('id="ana.life"'), page.count('id="ana.poison"')]
    assert [0, 1] == [page.count('id="ben.life"'), page.count('id="cleo.life"')]


def test_life_that_is_shared_is_turned_on_the_panel_of_the_first() -> None:
    history = table("magic", teams=SHARING)
    history.give({"do": "place", "on": "cleo", "counter": "rad"})
    shown = changes(history, do="lose-life", seat="ben", amount=4)

    assert '<b id="ana.life" hx-swap-oob="true">26</b>' == shown


def test_a_waiting_question_follows_the_counters_it_is_about() -> None:
    history = table("magic", seats={"ana": {"counters": {"rad": 2}}, "ben": {}})
    history.give({"do": "begin-phase", "phase": "precombat-main"})
    shown = changes(history, do="place", on="ana", counter="rad", amount=3)

    assert "ana.prompts" in ids(shown)
    assert "Mill 5." in shown


FIGHTER = {"name": "Charmander", "zone": "active", "hp": 70}


def fight(**charmander: Any) -> History:
    objects = {seat: {**FIGHTER, "owner": seat} for seat in ("ana", "ben")}
    objects["ben"].update(charmander)
    history = table("pokemon", seats={"ana": {}, "ben": {}}, objects=objects)
    history.give({"do": "begin-turn", "active": ["ana"]})
    history.give({"do": "begin-phase", "phase": "checkup"})
    return history


def step_after(history: History, **command: Any) -> str:
    return changes(history, **command).partition('id="step"')[2]


def test_the_step_after_a_turn_is_the_next_one_as_an_attack_begins_on_its_sheet() -> None:
    step = step_after(fight(), do="begin-turn", active=["ben"])

    assert 'name=begin-turn value="ana"' in step
    assert "begin-phase" not in step


def test_the_next_step_is_a_phase_that_may_begin() -> None:
    """Checkup has something to do, and waits for the coin of the attack."""
    history = fight(poisoned=True, turned="confused")

    assert "name=begin-phase value=checkup" in step_after(history, do="begin-turn", active=["ben"])
    assert "begin-phase" not in step_after(history, do="attack", object="ben", by="ben")


def test_the_number_of_nonland_cards_has_no_default() -> None:
    history = table("magic", seats={"ana": {"counters": {"rad": 3}}, "ben": {}})
    shown = changes(history, do="begin-phase", phase="precombat-main")

    assert 4 == shown.count('type="radio" name="nonland:number"')
    assert 0 == shown.count("checked")


# A new game


def form(**data: str) -> NewGame:
    return NewGame({"rules": "magic/2026-08", "seats": "4", **data})


def opening(chosen: NewGame) -> dict[str, Any]:
    assert chosen.is_valid(), chosen.errors
    return chosen.given(["ana", "ben", "cleo", "dan"])


def test_every_preset_of_magic_opens_a_game_of_four() -> None:
    magic = find("magic")
    for preset in presets(magic):
        given = opening(form(preset=preset.key))

        assert 4 == len(magic.opening(magic, given, {}).seats), preset.key


def test_two_headed_giant_is_not_for_three() -> None:
    assert "seats" in form(preset="two-headed-giant", seats="3").errors


def test_the_four_switches_of_a_team_are_independent() -> None:
    chosen = {"team.size": "0", "team.shared_poison": "on", "team.poison_limit": "12"}
    given = opening(form(preset="commander", life="25", **chosen))

    expected = {
        "seats": ["ben", "cleo", "dan"],
        "shared_turns": False,
        "shared_life": False,
        "shared_poison": True,
        "poison_limit": 12,
    }
    assert expected == given["teams"]["team-1"]
    assert {25} == {facts["life"] for facts in given["seats"].values()}


def test_teammates_who_share_turns_begin_together() -> None:
    given = opening(form(**{"team.size": "2", "team.shared_turns": "on"}))

    assert ["ana", "ben"] == given["turn"]["active"]


# Sheets, by HTTP


@pytest.fixture
def duel(make_game: Make) -> Game:
    return make_game("yu-gi-oh", objects={"library": {**LIBRARY, "counters": {"spell": 2}}})


def read(client: Client, game: Game, path: str) -> str:
    answer = client.get(f"/g/{game.slug}/{path}", headers={"HX-Request": "true"})
    assert 200 == answer.status_code, path
    return str(answer.content.decode())


def give(client: Client, game: Game, **command: Any) -> Any:
    return client.post(
        f"/g/{game.slug}/command", json.dumps(command), content_type="application/json"
    )


def test_a_typed_name_offers_the_card_with_its_maximum(duel: Game, sit: Sit) -> None:
    shown = read(sit(duel, "ana"), duel, "known?name=gateway+to+ch")

    assert "Gateway to Chaos" in shown
    assert "<em>spell 6</em>" in shown


def test_the_sheets_of_each_board_are_drawn(make_game: Make, sit: Sit, duel: Game) -> None:
    hurt = {"counters": {"rad": 2}, "commander_damage": {"Atraxa": 5}}
    magic = make_game("magic", seats={"ana": hurt, "ben": {}}, teams={})
    at_duel, at_magic = sit(duel, "ana"), sit(magic, "ana")

    assert "split.library:number" in read(at_duel, duel, "acts/pay")
    assert "negated" in read(at_duel, duel, "objects/library")
    assert "prohibited" in read(at_duel, duel, "seats/ana")
    assert "choose.ana:member" in read(at_magic, magic, "acts/proliferate")
    assert "seats.ben:member" in read(at_magic, magic, "acts/give")
    assert "commander-damage" in read(at_magic, magic, "acts/commander")
    assert "restart" in read(at_magic, magic, "acts/totals")
    assert "mills_times" in read(at_magic, magic, "seats/ana")
    assert "Atraxa (5)" in read(at_magic, magic, "seats/ana")


def test_the_log_names_what_attacked(make_game: Make) -> None:
    wolf = {"name": "Wolf", "owner": "ana", "types": ["ally"], "base": {"power": 2, "life": 2}}
    tree = {"name": "Tree", "owner": "ben", "types": ["ally"], "base": {"power": 0, "life": 9}}
    game = make_game("grand-archive", objects={"wolf": wolf, "tree": tree})
    hit = {"do": "damage", "source": "wolf", "combat": True, "on": ["tree"], "by": "ana"}
    store.give(game, [hit])

    assert "Ana: 2 damage to Tree, by Wolf" == log_lines(game, "ana")[0].sentence


def test_a_sheet_that_a_system_has_not_is_not_found(duel: Game, sit: Sit, dan: Client) -> None:
    assert 404 == sit(duel, "ana").get(f"/g/{duel.slug}/acts/proliferate").status_code
    assert 403 == dan.get(f"/g/{duel.slug}/acts/pay").status_code


@pytest.mark.django_db(transaction=True)
def test_the_log_names_source_and_reason(duel: Game, sit: Sit, tables: None) -> None:
    ana = sit(duel, "ana")
    place = {"do": "place", "on": "library", "counter": "ice", "source": "Snowdust Giant"}
    assert 204 == give(ana, duel, **place).status_code
    assert 204 == give(ana, duel, do="mark", on="library", mark="negated").status_code

    placed, negated = log_lines(duel, "ana")

    assert "1 ice on Royal Magical Library, by Snowdust Giant" == placed.parts[0].text
    assert [("", None), ("R8", 0)] == [(part.rule, part.after) for part in negated.parts]
    assert "negated" in negated.parts[1].why


def test_the_help_page_says_that_it_is_a_casual_aid() -> None:
    assert "casual aid" in Client().get("/help/yu-gi-oh").content.decode()


def test_a_held_button_turns_a_kind_as_its_system_says() -> None:
    active = {"name": "Pikachu", "zone": "active", "hp": 60}
    shown = drawn(table("pokemon", objects={"pikachu": {**active, "counters": {"damage": 20}}}))

    assert "data-by=10 data-hold=50" in re.findall("<li data-kind=damage[^>]*>", shown)[0]


def played(name: str, seats: int) -> History:
    """A ready game with so many seats."""
    given: dict[str, Any] = {"seats": {f"seat-{n}": {} for n in range(seats)}}
    definition = demos.ready_games("own-game")[name]
    return opened(find("own-game"), {"id": name, "given": given, "definition": definition})


def rows(history: History) -> list[str]:
    """The words of the rows."""
    page = parsed(boards.board(Drawing(history.system), history.state, None, EVERYBODY))
    heads = [node for node in page.all() if node.attributes.get("scope") == "row"]
    return [" ".join(" ".join(node.text.strip() for node in head.all()).split()) for head in heads]


@pytest.mark.parametrize(("seats", "shown"), [(4, "steel made"), (5, "steel")])
def test_a_number_called_after_another_stands_in_its_row_where_there_is_room(
    seats: int, shown: str
) -> None:
    found = rows(played("terraforming-mars", seats))

    assert shown == found[1]
    assert ("steel made" in found[2:]) == (seats == 5)
    assert "points" not in found, "the strip shows it"


def test_the_tables_own_numbers_stand_below_those_of_the_players() -> None:
    shared = ["temperature", "oxygen", "oceans", "terraformed"]

    assert shared == rows(played("terraforming-mars", 2))[-4:]


def test_one_more_of_the_tables_number_is_followed_in_its_row() -> None:
    history = played("terraforming-mars", 2)
    drawing = Drawing(history.system)
    page = parsed(boards.board(drawing, history.state, None, EVERYBODY))
    given = history.give({"do": "place", "on": "table", "counter": "oceans"})
    page.apply(boards.changes(drawing, given, EVERYBODY))

    copies = [node for node in page.all() if node.attributes.get("data-of") == "table.oceans"]
    assert len(copies) > 1
    assert {"1"} == {node.text for node in copies}


def test_one_more_of_a_number_is_one_number_and_no_table() -> None:
    history = played("star-wars-unlimited", 2)
    kind = rows(history)[0]
    shown = boards.changes(
        Drawing(history.system),
        history.give({"do": "place", "on": "seat-1", "counter": kind}),
        EVERYBODY,
    )

    assert 'id="overview"' not in shown
    now = history.state.count("seat-1", kind)
    assert amount("seat-1", kind, now, OOB) in shown


def test_a_chair_that_was_taken_away_has_no_column() -> None:
    history = played("terraforming-mars", 3)
    history.give({"do": "begin-turn"})
    drawing = Drawing(history.system, {seat: seat for seat in history.state.seats})
    page = parsed(boards.board(drawing, history.state, None, EVERYBODY))
    given = history.give({"do": "sit-out", "seat": "seat-1"})
    page.apply(boards.changes(drawing, given, EVERYBODY))

    columns = [node for node in page.all() if node.attributes.get("scope") == "col"]
    texts = (node.text.strip() for column in columns for node in column.all())
    assert ["seat-0", "seat-2"] == [text for text in texts if text.startswith("seat")]
