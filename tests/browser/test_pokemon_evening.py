"""An evening of Pokémon TCG: Ana and Ben play a short game, each with a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import Host, friday, join, start, start_by_taps, won
from .test_cockpit import Taps
from .test_questions import give
from .test_two_phones import look_at, shows
from .test_yu_gi_oh import card, close, sheet_of
from .test_yu_gi_oh_evening import open_part, tap_in

pytestmark = pytest.mark.browser

MINE = ".seat.is-mine"


def all_count(phones: tuple[Any, ...], name: str, kind: str, amount: int) -> None:
    """Everyone sees so many on that card: in its row, or as its player's main number."""
    for each in phones:
        key = card(each, name).get_attribute("id").removeprefix("o-")
        shows(each, f'[id="{key}.{kind}"]', str(amount))


def begin(ana: Any, ben: Any, site: str) -> None:
    """Ana makes a game in three taps; Ben joins with its code."""
    join(ben, site, start_by_taps(ana, site, "Pokémon TCG"))
    for player in (ana, ben):
        player.wait_for_load_state()


def opens(player: Any, name: str) -> Any:
    """The sheet of a card, whosever it is."""
    whose = card(player, name).locator("xpath=ancestor::section[@data-seat]")
    look_at(player, whose.get_attribute("data-seat"))
    return sheet_of(player, name)


def add(player: Any, name: str, hp: int) -> None:
    player.locator("#strip .cell.is-mine").tap()
    player.locator(f"{MINE} .add-card").tap()
    player.locator('#sheet [name="name"]').fill(name)
    player.locator('#sheet [data-stat="hp"] input').fill(str(hp))
    player.locator("#sheet").get_by_role("button", name=f"Add {name}").tap()
    player.locator("#sheet[open]").wait_for(state="detached")
    card(player, name).wait_for()


def ends_turn(player: Any, following: str) -> None:
    player.locator(".phase summary").tap()
    player.locator(".turn-pass", has_text=f"End turn → {following}").tap()


def phase(player: Any, name: str) -> None:
    player.locator(".phase summary").tap()
    player.locator(".phases").get_by_role("button", name=name, exact=True).tap()
    player.locator(".phases li[aria-current]", has_text=name).wait_for(state="attached")
    if player.locator(".phase[open]").count():
        player.locator(".phase summary").tap()


def lies_in(player: Any, name: str, zone: str) -> None:
    inside = player.locator(f'[data-zone="{zone}"] .card', has_text=name)
    inside.wait_for(state="attached")


def state_of(player: Any, name: str, state: str, *, there: bool = True) -> None:
    mark = card(player, name).locator(f'em[data-state="{state}"]')
    mark.wait_for(state="attached" if there else "detached")


def toggle(sheet: Any, condition: str, *, on: bool) -> None:
    """Turn a Special Condition on or off in a card's sheet, and wait until it shows that."""
    button = sheet.locator(f'.conditions button[data-state="{condition}"][aria-pressed]')
    button.tap()
    pressed = f'.conditions [data-state="{condition}"][aria-pressed="{str(on).lower()}"]'
    sheet.locator(pressed).wait_for()


def answer(player: Any, kind: str, words: str) -> None:
    """Choose that answer, if there is a choice, and give it with the next step."""
    question = player.locator(f'#dock .question[data-kind="{kind}"]')
    question.wait_for()
    choice = question.locator("label", has_text=words)
    if choice.count():
        choice.first.tap()
    player.locator("#next").tap()
    question.wait_for(state="detached")


def the_first_turns(table: tuple[Any, Any]) -> None:
    """The Active Pokémon is the first that comes; nobody attacks first, and tens are tens."""
    ana, ben = table
    add(ana, "Bulbasaur", 70)
    add(ana, "Snom", 50)
    add(ben, "Charmander", 60)
    add(ben, "Mew ex", 180)
    add(ben, "Pidgey", 50)
    lies_in(ben, "Bulbasaur", "active")
    lies_in(ana, "Mew ex", "bench")
    phase(ana, "turn")
    attack(ana).locator("p", has_text="The player who goes first cannot attack").first.wait_for()
    close(ana)

    # A tap is 10, a held finger 50, and the pad has no 25.
    plus = '#sheet .tiles [data-kind="damage"] button[name="more"]'
    opens(ana, "Bulbasaur")  # a counter at 0 stands in the card's sheet
    ana.locator(plus).tap()
    all_count(table, "Bulbasaur", "damage", 10)
    Hand(ana).hold(place(ana, plus), '#sheet .tiles [data-kind="damage"] b')
    all_count(table, "Bulbasaur", "damage", 60)
    close(ana)
    ana.locator("#undo").tap()  # quick taps are taken back as one
    all_count(table, "Bulbasaur", "damage", 0)

    # The amounts are for either Active Pokémon; those on the Bench are hurt on their sheets.
    ana.locator("#cockpit [data-target]").tap()
    ana.locator('#cockpit button[data-by="50"]').tap()
    all_count(table, "Charmander", "damage", 50)
    ana.locator("#undo").tap()
    all_count(table, "Charmander", "damage", 0)
    opens(ana, "Pidgey")
    ana.locator(plus).tap()
    all_count(table, "Pidgey", "damage", 10)
    close(ana)
    ana.locator("#undo").tap()
    all_count(table, "Pidgey", "damage", 0)
    opens(ana, "Charmander").locator('[data-of$=".damage"]').tap()
    for key in "25":
        ana.locator(f'#pad [data-key="{key}"]').tap()
    assert ana.locator('#pad [data-pad-do="change"]').is_disabled()
    ana.locator('#pad [data-key="back"]').tap()
    ana.locator('#pad [data-key="0"]').tap()
    ana.locator('#pad [data-pad-do="change"]').tap()
    all_count(table, "Charmander", "damage", 20)
    close(ana)


def a_checkup(table: tuple[Any, Any]) -> None:
    """Ben's Active Pokémon is Poisoned and Burned; his phone alone answers for the coin."""
    ana, ben = table
    sheet = opens(ana, "Charmander")
    toggle(sheet, "poisoned", on=True)
    toggle(sheet, "burned", on=True)
    state_of(ben, "Charmander", "poisoned")
    toggle(sheet, "poisoned", on=False)
    state_of(ben, "Charmander", "poisoned", there=False)
    toggle(sheet, "poisoned", on=True)
    state_of(ben, "Charmander", "burned")
    close(ana)
    phase(ana, "Pokémon Checkup")
    all_count(table, "Charmander", "damage", 50)
    ana.locator('.question[data-kind="burned"] .switch').wait_for(state="hidden")
    ana.locator("#next", has_text="Waiting for Ben").wait_for()
    answer(ben, "burned", "heads")
    state_of(ana, "Charmander", "burned", there=False)
    ends_turn(ana, "Ben")
    ben.locator('[id="ben.cell"].is-active').wait_for()


def retreat_and_evolve(table: tuple[Any, Any]) -> None:
    """Retreat ends what was on the Active Pokémon; evolving waits for the second turn."""
    ana, ben = table
    tap_in(opens(ben, "Charmander"), "Mew ex")
    lies_in(ana, "Mew ex", "active")
    state_of(ana, "Charmander", "poisoned", there=False)
    evolving = open_part(opens(ben, "Charmander"), "Evolve")
    evolving.locator('[name="name"]:visible').fill("Charmeleon")
    evolving.locator('[name="hp:number"]:visible').fill("90")
    tap_in(evolving, "Evolve")
    ben.locator(".refusal", has_text="in their first turn").first.wait_for()
    evolving.locator('[name="anyway:flag"]').tap()
    tap_in(evolving, "Evolve")
    for each in table:
        card(each, "Charmeleon").wait_for()
    all_count((ana,), "Charmeleon", "damage", 50)


def attack(player: Any) -> Any:
    """The sheet of the attack, from the board."""
    player.locator("#cockpit .places").get_by_role("link", name="Attack", exact=True).tap()
    player.locator("#sheet h2", has_text="Attack").wait_for()
    return player.locator("#sheet")


def a_knock_out(table: tuple[Any, Any]) -> None:
    """A Knock Out comes when the attack is over; Prize cards, then a new Active Pokémon."""
    ana, ben = table
    sheet = attack(ben)
    sheet.locator("[data-usual='90']").tap()
    sheet.locator(".tile button", has_text="−").tap()
    sheet.locator(".tile button", has_text="−").tap()
    sheet.locator(".hits-left", has_text="70 → 0").wait_for()
    tap_in(sheet, "More to do")
    ben.locator('.phases [aria-current="step"]', has_text="attack").wait_for(state="attached")
    all_count(table, "Bulbasaur", "damage", 70)
    phase(ben, "end of turn")
    for each in table:
        banner = each.locator("#moment, #announcement, #alarm")
        banner.filter(has_text="Bulbasaur is Knocked Out").first.wait_for()
    answer(ben, "prizes", "I took 1 Prize card")
    shows(ana, '[id="ben.prizes"]', "5")
    lies_in(ana, "Snom", "active")

    # Ana's turn: with a confused Pokémon the coin is asked at once, and Mew ex is worth two.
    ends_turn(ben, "Ana")
    ana.locator('[id="ana.cell"].is-active').wait_for()
    sheet = opens(ana, "Snom")
    toggle(sheet, "confused", on=True)
    ana.locator("#sheet").get_by_role("link", name="Attack").tap()
    sheet = ana.locator("#sheet")
    sheet.locator("[data-usual='90']").tap()
    sheet.locator("label", has_text="Weakness").tap()
    tap_in(sheet, "Heads: Knock Out, end turn")
    answer(ana, "prizes", "I took 2 Prize cards")
    answer(ben, "promote", "Pidgey")
    lies_in(ana, "Pidgey", "active")
    shows(ben, '[id="ana.prizes"]', "4")


def the_end(table: tuple[Any, Any]) -> None:
    """A player without Pokémon says so, and has lost; that can be taken back, too."""
    ana, ben = table
    ben.locator('[id="ben.cell"].is-active').wait_for()
    tap_in(opens(ana, "Snom"), "Knock Out")
    answer(ben, "prizes", "I took 1 Prize card")
    ana.locator("#next", has_text="No, Ben wins").tap()
    won(table, "Ben")
    ana.locator("#undo").tap()
    for each in table:
        each.locator(".end-says h2").wait_for(state="detached")
    ana.locator("#next", has_text="No, Ben wins").tap()
    won(table, "Ben")
    for each in table:
        why = each.locator(".end-says li", has_text="Ana: no Pokémon left in play")
        assert "4" == why.locator(".end-total").inner_text(), "the Prize cards she had left"
    ana.get_by_role("link", name="Log", exact=True).tap()
    for banner in ("Snom is Knocked Out", "By an attack", "is now Poisoned", "Mew ex is Active"):
        ana.locator(".log li", has_text=banner).first.wait_for()


def test_an_evening_of_pokemon(phone: Phones, running: Night) -> None:
    ana, ben = table = (phone(), phone(360, 640))
    begin(ana, ben, running.site)

    the_first_turns(table)
    a_checkup(table)
    retreat_and_evolve(table)
    a_knock_out(table)
    the_end(table)


def test_a_player_who_brings_out_a_pokemon_that_nobody_added_has_not_lost(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone(360, 640)
    join(ben, running.site, start(ana, running.site, "pokemon"))
    ben.locator(".bare", has_text="Add your Active and your whole Bench").wait_for()
    give(ana, do="create", **{"as": "eevee"}, name="Eevee", hp=70)
    give(ben, do="create", **{"as": "mew"}, name="Mew", hp=60)
    give(ana, do="begin-turn", active=["ana"])
    give(ana, do="damage", on="mew", amount=60)
    give(ana, do="answer", prompt="prizes:ana")

    question = ben.locator('#dock .question[data-kind="remains"]')
    question.locator("a", has_text="Yes, bring it out").tap()
    ben.locator('#sheet [name="name"]').fill("Snom")
    ben.locator("#sheet").get_by_role("button", name="Add Snom").tap()

    ana.locator('[data-zone="active"] .card', has_text="Snom").wait_for(state="attached")
    question.wait_for(state="detached")
    assert 0 == ana.locator(".end-says").count()


def test_an_attack_that_knocks_out_and_ends_the_turn_is_four_taps_and_then_three(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(360, 640), phone()
    host = Host(ana, running.site)
    vine = {"name": "Vine", "hp": 170, "owner": "ben", "counters": {"damage": 20}}
    cards = {"fox": {"name": "Fox", "hp": 90}, "vine": vine, "next": {**vine, "zone": "bench"},
             "last": {**vine, "zone": "bench"}}  # fmt: skip
    given = {"seats": {"ana": {"turns": 3}, "ben": {"turns": 3}}, "objects": cards,
             "turn": {"active": ["ana"], "phase": "turn"}}  # fmt: skip
    game = {"id": "attack", "title": "Friday", "system": "pokemon", "given": given, "when": [],
            "then": {}, "names": {"ana": "Ana", "ben": "Ben"}}  # fmt: skip
    address = host.played(game)
    host.open(address)
    Host(ben, running.site).join(address, host)
    tap = Taps(ana)

    tap("#cockpit .places a[href='acts/attack']")
    tap("[data-usual='90']")
    tap(".is-pair label")
    shows(ana, ".hits-end output", "90 × 2 = 180")
    tap(".hits .is-main")
    shows(ana, "#next", "I took 1 Prize card")
    ana.locator("#next").tap()
    answer(ben, "promote", "Vine")
    shows(ben, "#next", "End turn → Ana")

    ben.locator("#next").tap()
    shows(ana, "#next", "End turn → Ben")
    tap("#cockpit .places a[href='acts/attack']")
    tap("[data-usual='90']")
    tap(".hits .is-main")
    shows(ana, "#next", "I took 1 Prize card")


def test_damage_is_spread_by_steps_and_all_that_it_knocks_out_is_said_before(
    phone: Phones, running: Night
) -> None:
    ana = phone()
    host = Host(ana, running.site)
    vine = {"name": "Vine", "hp": 70, "owner": "ben", "takes_less": 20}
    cards = {"fox": {"name": "Fox", "hp": 90}, "vine": vine,
             "seed": {"name": "Seed", "hp": 20, "prizes": 2, "owner": "ben", "zone": "bench"},
             "root": {"name": "Root", "hp": 80, "owner": "ben", "zone": "bench"}}  # fmt: skip
    given = {"seats": {"ana": {"turns": 3}, "ben": {"turns": 3}}, "objects": cards,
             "turn": {"active": ["ana"], "phase": "turn"}}  # fmt: skip
    host.open(host.played(friday("pokemon", given)))

    sheet = attack(ana)
    sheet.locator("[data-usual='90']").tap()
    sheet.locator(".hits-left", has_text="70 → 0").wait_for()
    assert "90 − 20 = 70" == sheet.locator(".hits-end output").inner_text()
    sheet.locator("summary", has_text="What else it does").tap()
    for name in ("Fox takes less", "Root", "Seed", "Seed"):
        row = sheet.locator(".others > li", has_text=name)
        row.locator('[data-step="10"]').tap()
    assert "30" == sheet.locator(".others output").inner_text()
    fallen = sheet.locator("p.if-out", has_text="Vine, Seed")
    fallen.locator("[data-prizes]", has_text="6 → 3").wait_for()
    tap_in(sheet, "Knock Out, end turn")

    shows(ana, "#next", "I took 3 Prize cards")
    all_count((ana,), "Fox", "damage", 0)
    card(ana, "Fox").locator('[data-stat="takes_less"]', has_text="10").wait_for(state="attached")
    look_at(ana, "ben")
    all_count((ana,), "Root", "damage", 10)


PICTURES = """(row) => [...row.querySelectorAll("em")].map((each) => {
  const {maskImage, width} = getComputedStyle(each, "::before");
  return width === "16px" && maskImage;
})"""


def test_several_marks_in_a_row_are_told_apart(phone: Phones, running: Night) -> None:
    ana = phone()
    host = Host(ana, running.site)
    marks = ("immune", "ability_used", "cannot_attack", "cannot_retreat")
    fox = {"name": "Fox", "hp": 90, **dict.fromkeys(marks, True), "poisoned": 10,
           "until": {"cannot_attack": False, "cannot_retreat": False}}  # fmt: skip
    given = {"seats": {"ana": {}, "ben": {}}, "objects": {"fox": fox}, "turn": {"active": ["ana"]}}
    host.open(host.played(friday("pokemon", given)))

    pictures = card(ana, "Fox").locator(":scope > p").evaluate(PICTURES)

    assert 5 == len(set(pictures) - {False, "none"}), pictures
