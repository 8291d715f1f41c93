"""Cards are added without a keyboard, and a card's sheet and the pad do the usual in a tap or two.

Nothing here looks at the board beyond the link to a sheet (`cards/new`, `objects/<id>`).
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote_plus

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import GIVE, start

pytestmark = pytest.mark.browser

DECK = """Main Deck
4 Zephyr of the Unseen
2x Quartz Bulwark (ABC) 12
// a comment
what is this
SB: 1 Hidden Passage
1x Quartz Bulwark (abc) 12 *F* [Ramp] ^Have,#37d67a^
1 Quartz Bulwark OBF 125 PH
1 Quartz Bulwark PR-SV 41
1 Quartz Bulwark Energy 2
Total Cards: 60
"""


def seated(phone: Phones, site: str, game: str, **size: int) -> Any:
    """Ana at a new game of *game*."""
    ana = phone(**size)
    start(ana, site, game, name="")
    return ana


def open_sheet(player: Any, address: str) -> Any:
    """Open a sheet as its link does."""
    player.evaluate(
        """(address) => {
          const link = document.createElement("a");
          link.href = address;
          link.dataset.sheet = "";
          document.querySelector("main").append(link);
          link.click();
          link.remove();
        }""",
        address,
    )
    player.locator("#sheet[open]").wait_for()
    return player.locator("#sheet")


def adding(player: Any) -> Any:
    sheet = open_sheet(player, "cards/new?seat=ana")
    sheet.locator("#new-card").wait_for()
    return sheet


def added(player: Any, name: str, n: int = 1) -> None:
    """Wait until *n* cards of that name are on the table, and the sheet is closed."""
    player.locator("#sheet").wait_for(state="hidden")
    cards = player.locator('#board [id^="o-"] > a', has_text=name)
    cards.nth(n - 1).wait_for()
    assert n == cards.count()


def key_of(player: Any, name: str) -> str:
    """The id of the card of that name."""
    card = player.locator('#board [id^="o-"]', has_text=name)
    return str(card.get_attribute("id")).removeprefix("o-")


def number(sheet: Any, stat: str) -> Any:
    return sheet.locator(f'[data-stat="{stat}"] input')


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("grand-archive", "Ally 1"),
        ("magic", "Creature 1"),
        ("yu-gi-oh", "Monster 1"),
        ("pokemon", "Pokémon 1"),
        ("any-game", "Card 1"),
    ],
)
def test_a_card_is_added_in_two_taps_without_a_keyboard(
    phone: Phones, running: Night, game: str, name: str
) -> None:
    ana = seated(phone, running.site, game, width=360, height=640)
    sheet = adding(ana)

    assert ana.evaluate("!document.activeElement.matches('input, textarea')")
    add = sheet.get_by_role("button", name=f"Add {name}")
    add.tap(trial=True)  # until the sheet stands still
    box = add.bounding_box()
    assert box["y"] + box["height"] <= 640, "in sight without scrolling"
    add.tap()

    added(ana, name)


def test_the_sort_used_last_is_chosen_again_with_its_numbers(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "grand-archive")
    sheet = adding(ana)
    sheet.locator(".sort", has_text="Weapon").tap()
    assert ["1", "2"] == [number(sheet, stat).input_value() for stat in ("power", "durability")]
    assert not number(sheet, "life").is_visible()
    sheet.locator('[data-stat="power"] [data-step="1"]').tap()
    sheet.get_by_role("button", name="Add Weapon 1").tap()
    added(ana, "Weapon 1")

    sheet = adding(ana)
    sheet.get_by_role("button", name="Add Weapon 2").tap()
    added(ana, "Weapon 2")

    open_sheet(
        ana, "objects/" + ana.locator("#board article", has_text="Weapon 1").get_attribute("id")[2:]
    )
    assert "2/2" == ana.locator("#sheet .of-object b").inner_text()


def test_copies_share_their_name_and_their_row(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "magic")
    sheet = adding(ana)
    for _ in range(2):
        sheet.get_by_role("button", name="one copy more").tap()
    sheet.get_by_role("button", name="Add 3 × Creature 1").tap()
    added(ana, "Creature 1 ×3")

    sheet = adding(ana)
    sheet.get_by_role("button", name="one copy more").tap()
    sheet.get_by_label("Name").fill("Goblin")
    sheet.get_by_role("button", name="Add 2 × Goblin").tap()
    added(ana, "Goblin ×2")
    ana.locator('#undo[aria-label*="added Goblin ×2"]').tap()
    ana.locator("#board article", has_text="Goblin").first.wait_for(state="detached")
    ana.locator('#undo[aria-label*="added Creature 1 ×3"]').wait_for()


def test_a_deck_list_completes_names_and_never_leaves_the_phone(
    phone: Phones, running: Night
) -> None:
    ana = seated(phone, running.site, "grand-archive")
    sent: list[str] = []
    ana.on("request", lambda asked: sent.append(f"{asked.url} {asked.post_data or ''}"))
    ana.on(
        "websocket",
        lambda wire: wire.on("framesent", lambda frame: sent.append(str(frame))),
    )
    ana.reload()
    ana.wait_for_load_state()

    sheet = adding(ana)
    sheet.get_by_text("My deck list").tap()
    sheet.locator("[data-deck-text]").fill(DECK)
    assert "Cards read: 11, with 3 names." in sheet.locator("[data-deck-read]").inner_text()
    assert "what is this" == sheet.locator("[data-deck-lost]").inner_text()
    offered = sheet.locator(".offers .offer b")
    assert ["Zephyr of the Unseen", "Quartz Bulwark", "Hidden Passage"] == offered.all_inner_texts()
    assert "my deck" == sheet.locator(".offers .offer span").first.inner_text()
    sheet.get_by_text("My deck list").tap()
    sheet.get_by_label("Name").press_sequentially("quar")
    assert ["Quartz Bulwark"] == offered.all_inner_texts()
    sheet.get_by_label("Name").press("Enter")  # the one that is offered
    added(ana, "Quartz Bulwark")

    # Enter after a whole name is that card, and not the one that has it in its own
    sheet = adding(ana)
    sheet.locator("[data-deck-text]").evaluate("(e) => (e.closest('details').open = true)")
    sheet.locator("[data-deck-text]").fill(f"{DECK}1 Old Quartz Bulwark\n")
    sheet.get_by_text("My deck list").tap()
    sheet.get_by_label("Name").press_sequentially("quartz bulwark")
    assert ["Old Quartz Bulwark"] == offered.all_inner_texts()
    sheet.get_by_label("Name").press("Enter")
    added(ana, "Quartz Bulwark", 2)
    assert not ana.locator("#board h3", has_text="Old").count()

    # It is still there after a reload, and its card has its numbers now
    ana.reload()
    sheet = adding(ana)
    row = sheet.locator(".offers .offer", has_text="Quartz Bulwark").first
    assert "my deck" in row.inner_text()
    assert "1/1" in row.inner_text()

    together = unquote_plus("\n".join(sent))
    assert "Quartz Bulwark" in together, "the card that was added is sent"
    for secret in ("Zephyr", "Hidden Passage", "what is this", "Main Deck"):
        assert secret not in together

    sheet.get_by_text("My deck list").tap()
    sheet.get_by_role("button", name="Delete the list").tap()
    assert not ana.evaluate("Object.keys(localStorage).some((key) => key.startsWith('deck:'))")
    assert "Zephyr" not in sheet.inner_text()


def test_cards_of_the_deck_list_come_next_in_one_tap_and_its_tokens_are_tokens(
    phone: Phones, running: Night
) -> None:
    ana = seated(phone, running.site, "magic")
    sheet = adding(ana)
    sheet.get_by_text("My deck list").tap()
    sheet.locator("[data-deck-text]").fill("1 Quartz Ogre\n\nTokens\n1 Spore\n")
    sheet.get_by_text("My deck list").tap()
    for name in ("Quartz Ogre", "Spore", "Not of the deck"):
        sheet.get_by_label("Name").fill(name)
        sheet.locator("[data-add-card]").tap()
        added(ana, name)
        sheet = adding(ana)
    sheet.locator(".sheet-close").tap()
    next_cards = ana.locator(".next-cards button")
    assert ["+ Spore"] == next_cards.all_inner_texts(), "the others lie there"

    start(ana, running.site, "magic", name="")
    assert ["+ Spore", "+ Quartz Ogre"] == next_cards.all_inner_texts()
    for each in (next_cards.last, next_cards):
        each.tap()
        next_cards.nth(1).wait_for(state="detached")
    added(ana, "Quartz Ogre")
    added(ana, "Spore")
    assert "Spore" == ana.locator("#board .card.is-token h3").inner_text()


def test_a_deck_list_offers_the_tokens_that_its_cards_make(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "magic", width=360, height=640)
    asked: list[str] = []
    ana.on("request", lambda request: asked.append(request.url + str(request.post_data)))
    sheet = adding(ana)
    sheet.get_by_text("My deck list").tap()
    sheet.locator("[data-deck-text]").fill("1 Krenko, Mob Boss\n1 Witch's Oven (ELD) 237\n")
    goblin = sheet.locator(".offers .offer", has_text="Goblin")
    goblin.wait_for(state="attached")
    assert ["Goblin", "token", "1/1"] == goblin.locator("b, span, em").all_inner_texts()
    sheet.locator(".sheet-close").tap()
    next_cards = ana.locator(".next-cards button")
    next_cards.first.wait_for()
    assert {"+ Goblin", "+ Food"} == {*next_cards.all_inner_texts()}
    assert not any("Krenko" in each or "Oven" in each for each in asked), "the list is not sent"

    ana.locator(".next-cards button", has_text="Goblin").tap()
    added(ana, "Goblin")
    token = ana.locator("#board .card.is-token")
    assert ["Goblin", "1", "1"] == token.inner_text().split()


@pytest.mark.parametrize(
    "deck",
    [
        "Commander (1)\n1 Krenko, Mob Boss\n\nCompanion\n1 Lurrus\n\nDeck\n1 Forest\n",
        "1x Forest (unf) 239 [Land]\n1x Krenko, Mob Boss (ddt) 52 [Commander{top}]\n",
    ],
)
def test_the_commander_of_a_deck_list_names_the_seats_own_in_one_tap(
    phone: Phones, running: Night, deck: str
) -> None:
    ana = phone(width=360, height=640)
    start(ana, running.site, "magic", 2, "commander", name="")
    sheet = adding(ana)
    sheet.get_by_text("My deck list").tap()
    sheet.locator("[data-deck-text]").fill(deck)
    sheet.locator(".sheet-close").tap()
    assert "Lurrus" not in ana.locator(".next-cards").inner_text()

    ana.locator(".next-cards button").get_by_text("+ Krenko, Mob Boss").tap()

    ana.locator("#o-ana-commander h3", has_text="Krenko, Mob Boss").wait_for()
    ana.locator(".next-cards button", has_text="Krenko").wait_for(state="detached")


def test_a_known_card_brings_what_its_text_says(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "yu-gi-oh")
    sheet = adding(ana)
    sheet.get_by_label("Name").press_sequentially("royal mag")
    sheet.locator(".offers .offer", has_text="Royal Magical Library").tap()
    assert "spell" in sheet.locator("[data-known-facts]").inner_text()
    permits = sheet.locator('[data-extras] [name="permits:json"]').get_attribute("value")
    assert {"spell": {"maximum": 3, "zones": ["monster"]}} == json.loads(permits)
    sheet.get_by_label("Name").press_sequentially(" II")
    assert 0 == sheet.locator("[data-extras] input").count(), "another card"

    # A card of my own deck comes before those that the game knows
    sheet.get_by_text("My deck list").tap()
    deck = sheet.locator("[data-deck-text]")
    deck.fill("2x Mirror Force [SDMY-EN038]\n")
    deck.focus()
    box, foot = deck.bounding_box(), sheet.locator(".add-go").bounding_box()
    assert box["y"] + box["height"] <= foot["y"] + 8, "the whole field is above the foot"
    sheet.get_by_text("My deck list").tap()
    sheet.get_by_label("Name").fill("mir")
    sheet.locator(".offers .offer", has_text="known").first.wait_for()
    offered = sheet.locator(".offers .offer b").all_inner_texts()
    assert "Mirror Force" == offered[0]
    assert "Miracle Jurassic Egg" in offered
    sheet.get_by_label("Name").press("Enter")  # the one of my deck
    added(ana, "Mirror Force")


def test_a_set_card_needs_no_name(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "yu-gi-oh")
    sheet = adding(ana)
    note = sheet.get_by_text("Only you see its name until it is flipped")
    assert not note.is_visible()
    sheet.locator("label", has_text="face-down").tap()
    note.wait_for()
    sheet.get_by_role("button", name="Add Set card 1").tap()
    ana.locator("#sheet").wait_for(state="hidden")
    ana.locator('#board [id^="o-"]').wait_for()


def test_an_ally_is_buffed_in_one_tap_and_destroyed_in_another(
    phone: Phones, running: Night
) -> None:
    ana = seated(phone, running.site, "grand-archive")
    adding(ana).get_by_role("button", name="Add Ally 1").tap()
    added(ana, "Ally 1")
    sheet = open_sheet(ana, f"objects/{key_of(ana, 'Ally 1')}")

    buff = sheet.locator('.tiles [data-kind="buff"]')
    for _ in range(3):
        buff.locator("button").last.tap()
    assert "3" == buff.locator("b").inner_text()
    sheet.locator(".of-object b", has_text="4/4").wait_for()
    sheet.get_by_role("button", name="Destroy").tap()
    ana.locator("#sheet").wait_for(state="hidden")


def test_a_form_says_which_field_is_missing(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "grand-archive")
    sheet = open_sheet(ana, "objects/ana-champion")
    sheet.get_by_text("Another counter").tap()
    sheet.get_by_role("button", name="Put on").tap()

    said = sheet.locator("#act-place .refusal")
    assert "Not filled in yet: or one called" == said.inner_text()
    assert ana.evaluate("document.activeElement.name") == "counter:kind"


# The pad


def pad(player: Any, selector: str) -> Any:
    """Open the pad for the number there."""
    player.locator(selector).tap()
    player.locator("#pad[open]").wait_for()
    return player.locator("#pad")


def press(dialog: Any, keys: str) -> None:
    for key in keys:
        dialog.locator(f'[data-key="{key}"]').tap()


def test_life_is_lost_by_digits_alone(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "yu-gi-oh", width=360, height=640)
    dialog = pad(ana, '[id="ana.life"]')
    box = dialog.bounding_box()
    assert ana.evaluate(
        "document.getElementById('pad').scrollHeight <= document.getElementById('pad').clientHeight"
    )
    assert box["y"] >= 0
    press(dialog, "1800")
    assert "8000 − 1800 → 6200" == dialog.locator(".pad-total").inner_text()
    dialog.get_by_role("button", name="Lose 1800 → 6200").tap()
    ana.locator('[id="ana.life"]', has_text="6200").wait_for()

    dialog = pad(ana, '[id="ana.life"]')
    dialog.locator('[data-op="/2"]').tap()
    assert "6200 ÷2 → 3100" == dialog.locator(".pad-total").inner_text()
    dialog.get_by_role("button", name="Lose 3100 → 3100").tap()
    ana.locator('[id="ana.life"]', has_text="3100").wait_for()


def test_the_pad_of_a_player_who_is_out_corrects_and_brings_back(
    phone: Phones, running: Night
) -> None:
    ana = seated(phone, running.site, "yu-gi-oh")
    dialog = pad(ana, '[id="ana.life"]')
    press(dialog, "8000")
    dialog.get_by_role("button", name="Lose 8000 → 0").tap()
    ana.locator('[id="ana.panel"].is-lost').wait_for()
    dialog = pad(ana, '[id="ana.life"]')
    press(dialog, "300")
    dialog.get_by_role("button", name="Correct and bring back").tap()
    ana.locator('[id="ana.panel"]:not(.is-lost)').wait_for()
    ana.locator('[id="ana.life"]', has_text="300").wait_for()


def test_the_sign_is_one_toggle_and_its_third_side_says_the_number(
    phone: Phones, running: Night
) -> None:
    ana = seated(phone, running.site, "magic")
    dialog = pad(ana, '[id="ana.life"]')
    press(dialog, "7")
    shown = dialog.locator(".pad-total")
    assert "40 − 7 → 33" == shown.inner_text()
    for expected in ("40 + 7 → 47", "7 → 7", "40 − 7 → 33"):
        dialog.locator('[data-op="sign"]').tap()
        assert expected == shown.inner_text()
    dialog.locator('[data-key="back"]').tap()
    assert dialog.locator('[data-pad-do="change"]').is_disabled(), "nothing was typed"
    assert "Lose 0 → 40" == dialog.locator('[data-pad-do="change"]').inner_text()


def test_counters_open_with_plus_even_if_there_are_some(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "magic")
    give = {"do": "place", "on": "ana", "counter": "energy", "amount": 2}
    ana.evaluate(GIVE, give)
    ana.locator('[id="ana.energy"]', has_text="2").tap()  # opens its place, and counts
    ana.locator('[id="ana.energy"]', has_text="3").wait_for()

    assert "+" == pad(ana, '[id="ana.energy"]').locator('[data-op="sign"]').inner_text()


def test_damage_opens_with_plus(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "grand-archive")
    dialog = pad(ana, '[id="ana-champion.damage"]')
    press(dialog, "4")
    dialog.get_by_role("button", name="Add 4 → 4").tap()
    ana.locator('[id="ana-champion.damage"]', has_text="4").wait_for()


def lit(sheet: Any) -> list[str]:
    """The sorts in the first row, and which of them is chosen."""
    row = sheet.locator("#new-card > .sorts > .sort")
    chosen = row.locator(":scope:has(:checked)").all_inner_texts()
    return [each.strip() for each in (*row.all_inner_texts(), "|", *chosen)]


def test_a_game_begins_with_the_usual_sort_and_the_last_one_is_lit_and_first(
    phone: Phones, running: Night
) -> None:
    ana = seated(phone, running.site, "magic")
    sheet = adding(ana)
    assert ["Creature", "Artifact", "|", "Creature"] == lit(sheet)
    sheet.locator(".sorts-more > summary").tap()
    sheet.locator(".sort", has_text="Enchantment").tap()
    assert ["Enchantment", "Creature", "|", "Enchantment"] == lit(sheet)
    sheet.get_by_role("button", name="Add Enchantment 1").tap()
    added(ana, "Enchantment 1")

    sheet = adding(ana)
    assert ["Enchantment", "Creature", "|", "Enchantment"] == lit(sheet)
    sheet.locator(".sort", has_text="Creature").tap()
    assert ["Enchantment", "Creature", "|", "Creature"] == lit(sheet), (
        "nothing moves under a finger"
    )
    sheet.locator(".sort", has_text="Enchantment").tap()

    start(ana, running.site, "magic", name="")
    assert ["Creature", "Artifact", "|", "Creature"] == lit(adding(ana))


def test_a_known_card_does_not_change_which_sort_comes_next(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "magic")
    sheet = adding(ana)
    sheet.get_by_label("Name").press_sequentially("hardened")
    sheet.locator(".offers .offer", has_text="Hardened Scales").tap()
    sheet.get_by_role("button", name="Add Hardened Scales").tap()
    added(ana, "Hardened Scales")

    assert ["Creature", "Artifact", "|", "Creature"] == lit(adding(ana))


@pytest.mark.parametrize(("game", "typed", "meant"), [
    ("magic", "hardned scals", "Hardened Scales"),
    ("yu-gi-oh", "Endimyon", "Endymion, the Mighty Master of Magic"),
])  # fmt: skip
def test_a_name_that_is_nearly_right_is_offered_as_it_is_spelt(
    phone: Phones, running: Night, game: str, typed: str, meant: str
) -> None:
    ana = seated(phone, running.site, game)
    sheet = adding(ana)
    sheet.get_by_label("Name").press_sequentially(typed)
    sheet.get_by_text("Did you mean").wait_for()
    sheet.locator(".offers .offer", has_text=meant).tap()

    assert not sheet.get_by_text("Did you mean").is_visible()
    sheet.get_by_role("button", name=f"Add {meant}").tap()
    added(ana, meant)


def test_six_names_are_offered_each_whole(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "yu-gi-oh", width=360, height=640)
    sheet = adding(ana)
    sheet.get_by_label("Name").press_sequentially("endym")
    sheet.locator(".offers .offer").nth(5).wait_for()

    assert 6 == sheet.locator(".offers .offer").count()
    whole = "(all) => all.every((each) => each.scrollHeight <= each.clientHeight + 1)"
    assert sheet.locator(".offers .offer b").evaluate_all(whole)


def test_a_card_that_no_one_has_named_is_no_pattern(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site, "magic", 4, "commander", name="")

    assert 0 == adding(ana).locator(".offers .offer", has_text="Commander").count()


def test_with_a_keyboard_up_the_name_comes_first(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "magic")
    sheet = adding(ana)
    sheet.locator(".sorts-more > summary").tap()
    sheet.get_by_label("Name").tap()
    ana.set_viewport_size({"width": 390, "height": 500})
    ana.keyboard.type("doubl")
    sheet.locator(".offers .offer").first.wait_for()

    boxes = [
        sheet.locator(each).first.bounding_box() for each in (".named", ".offers .offer", ".sorts")
    ]
    tops = [box["y"] for box in boxes]
    assert sorted(tops) == tops
    assert boxes[1]["y"] + boxes[1]["height"] < 320


def test_a_token_that_dies_leaves_no_card_behind(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "magic")
    sheet = adding(ana)
    sheet.locator("label", has_text="token").tap()
    sheet.get_by_role("button", name="Add Creature 1").tap()
    added(ana, "Creature 1")
    sheet = open_sheet(ana, f"objects/{key_of(ana, 'Creature 1')}")
    sheet.get_by_role("button", name="Destroy").tap()
    ana.locator('#board [id^="o-"]', has_text="Creature 1").wait_for(state="detached")

    assert 0 == ana.get_by_text("graveyard").count()


def test_the_usual_hp_and_damage_of_pokemon_are_one_tap_each(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "pokemon", width=360, height=640)
    sheet = adding(ana)
    sheet.get_by_role("button", name="330", exact=True).tap()
    assert "330" == number(sheet, "hp").input_value()
    sheet.get_by_role("button", name="Add Pokémon 1").tap()
    added(ana, "Pokémon 1")

    ana.locator("#cockpit .is-hero b").tap()
    pad = ana.locator("#pad[open]")
    pad.get_by_role("button", name="180", exact=True).tap()
    box = pad.locator("[data-pad-do=change]").bounding_box()
    assert box["y"] + box["height"] <= 640, "the pad is one screen"
    pad.get_by_role("button", name="Add 180 → 180").tap()
    ana.locator("#cockpit .is-hero b", has_text="180").wait_for()


def test_a_treasure_is_three_taps_without_a_keyboard(phone: Phones, running: Night) -> None:
    ana = seated(phone, running.site, "magic")
    sheet = adding(ana)
    sheet.locator("#sort-artifact").tap()
    sheet.get_by_role("button", name="Treasure").tap()
    assert sheet.locator('[name="token:flag"]').is_checked()
    sheet.locator("[data-add-card]").tap()
    added(ana, "Treasure")

    # What is no token and comes after it is none; the next Treasure is one again.
    sheet = adding(ana)
    sheet.locator("#sort-artifact").tap()
    sheet.get_by_role("button", name="Treasure").tap()
    assert sheet.locator('[name="token:flag"]').is_checked()
    sheet.locator("[name=name]").fill("Doubling Sea")
    sheet.locator('.offers .offer:has-text("Doubling Season")').tap()
    assert not sheet.locator('[name="token:flag"]').is_checked()


def test_enter_right_after_the_last_letter_adds_that_name_once(
    phone: Phones, running: Night
) -> None:
    """Far from the table, where the form still stands when Enter comes again."""
    ana = seated(phone, running.site, "magic")
    held = list[tuple[Any, Any]]()

    def hold(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: held.append((server, message)))

    ana.route_web_socket(re.compile(""), hold)
    ana.reload()
    sheet = adding(ana)
    sheet.get_by_label("Name").first.focus()
    ana.keyboard.type("Zephyr of the Unseen")
    for _time in range(2):
        ana.keyboard.press("Enter")
    sheet.locator("#new-card.is-waiting").wait_for()
    assert 1 == sum("create" in message for _server, message in held)
    for server, message in held:
        server.send(message)

    added(ana, "Zephyr of the Unseen")
