"""An evening of Grand Archive on three phones: Ana and Ben play, Cleo watches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import Host, friday, join, start, won
from .test_two_phones import SETTLED, look_at, shows, taps

pytestmark = pytest.mark.browser

CHAMPION = '[id="ben-champion.damage"]'
PLUS = '[id="{}.panel"] .is-hero button[name="damage"]'
COVERED = """() => {
  const sheet = document.getElementById('sheet');
  const title = sheet.querySelector('h2').getBoundingClientRect();
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const number = () => middle(sheet.querySelector('.tiles b').getBoundingClientRect());
  sheet.scrollTop += number()[1] - middle(title)[1];
  const at = (point) => document.elementFromPoint(...point);
  const close = middle(sheet.querySelector('.sheet-close').getBoundingClientRect());
  return [at(number()).localName, at(close).closest('button').className];
}"""
ON_THE_TILE = """() => {
  const tile = document.querySelector('#cockpit .is-hero').getBoundingClientRect();
  const left = document.querySelector('#cockpit .caption').getBoundingClientRect();
  const told = document.querySelector('#cockpit .delta').getBoundingClientRect();
  return told.top >= tile.top && told.bottom <= tile.bottom + 1 && told.right <= tile.right;
}"""
IN_SIGHT = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return document.querySelector(selector)
    .contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}"""

TOPS = "(each) => each.map((one) => [one.getBoundingClientRect().y, one.offsetHeight])"
BLOW = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const blow = document.querySelector(".moment-blow");
  const [it, mark, again] = [".moment-blow", ".is-won > .seat-mark", "#end [data-again]"].map(box);
  return [blow.scrollHeight <= blow.clientHeight, mark.top >= 0, it.bottom <= again.top];
}"""


def card(phone: Any, name: str) -> Any:
    return phone.locator(".card", has=phone.get_by_role("link", name=name, exact=True))


def open_card(phone: Any, name: str) -> None:
    phone.get_by_role("link", name=name, exact=True).first.tap()
    phone.locator("#sheet h2", has_text=name).wait_for()


def close(phone: Any) -> None:
    phone.locator("#sheet .sheet-close").tap()
    phone.locator("#sheet[open]").wait_for(state="hidden")


def add(phone: Any, name: str, *types: str, **printed: int) -> None:
    """Add a card to one's own field: its types, its printed values, its name."""
    phone.locator(".seat.is-mine .add-card").tap()
    sheet = phone.locator("#sheet")
    for each in types:
        chip = sheet.locator(f'label:has([value="{each}"])').first
        if not chip.is_visible():
            sheet.locator("summary", has_text="More").tap()
        chip.tap()
    for stat, n in printed.items():
        sheet.locator(f'[data-stat="{stat}"] input').fill(str(n))
    sheet.get_by_label("Name").fill(name)
    sheet.get_by_role("button", name=f"Add {name}").tap()
    card(phone, name).wait_for()


def unfolds(phone: Any, part: str) -> None:
    phone.locator("#sheet details.fold > summary", has_text=part).first.tap()


def announces(phone: Any, text: str) -> None:
    """Wait until *phone* announces what the rules did by themselves."""
    phone.locator("#announcement, #alarm").filter(has_text=text).first.wait_for(state="attached")


def test_an_evening_on_three_phones(phone: Phones, running: Night) -> None:
    ana, ben, cleo = phone(), phone(), phone()
    code = start(ana, running.site)
    join(ben, running.site, code)
    Host(cleo, running.site).watch(code)
    cleo.get_by_text("You’re watching").wait_for()
    assert 0 == cleo.locator(".steppers button:visible").count()
    look_at(cleo, "ana")

    # The champion gets its name, and a level with the next one
    open_card(ana, "Ana’s champion")
    unfolds(ana, "Name and printed numbers")
    ana.get_by_label("Name", exact=True).fill("Lorraine")
    ana.get_by_role("button", name="Save").tap()
    card(cleo, "Lorraine").wait_for()
    open_card(ana, "Lorraine")
    ana.get_by_label("Its new name").fill("Lorraine, Blademaster")
    ana.locator('#sheet [name="life:number"]').fill("20")
    ana.get_by_role("button", name="Level up").tap()
    ana.get_by_text("Lorraine → Lorraine, Blademaster").wait_for()
    assert ["span", "sheet-close"] == ana.evaluate(COVERED)  # the title covers the number
    close(ana)
    look_at(ben, "ana")
    card(ben, "Lorraine, Blademaster").locator("b", has_text="20").wait_for()
    look_at(ben, "ben")

    # Cards; counters that remove each other are announced, on a phone with a sheet open too
    add(ana, "Dungeon Guide", "ally", power=3, life=1)
    add(ana, "Sword", "weapon", power=2, durability=1)
    add(ben, "Fortress", "domain", "siegeable", durability=4)
    add(ben, "Weary Dryad", "ally", power=2, life=4)
    open_card(ana, "Dungeon Guide")
    ana.locator("#sheet .tiles [data-kind=buff] button[name=more]").tap()
    look_at(ben, "ana")
    card(ben, "Dungeon Guide").locator("[data-kind=buff]").wait_for()
    ana.locator("#sheet .tiles [data-kind=debuff] button[name=more]").tap()
    announces(ana, "lost 1 buff and 1 debuff counters")
    cleo.locator("#moment", has_text="they cancel out").wait_for()
    close(ana)

    # Combat: the attacker is there to be tapped, and the phone shows the board again
    ana.locator(".phase summary").tap()
    ana.locator('.phases [value="combat"]').tap()
    look_at(ana, "ben")
    open_card(ana, "Weary Dryad")
    unfolds(ana, "Damage from a card")
    assert "dungeon-guide" in ana.locator('[name="source"]:checked').input_value()
    assert ana.locator("#sheet").get_by_role("checkbox", name="combat").is_checked()
    ana.get_by_role("button", name="Deal it").tap()
    ana.locator("#sheet[open]").wait_for(state="hidden")
    look_at(ben, "ben")
    card(ben, "Weary Dryad").locator('[data-of$=".marked"]', has_text="3").wait_for()
    look_at(ana, "ana")
    card(ana, "Sword").get_by_role("button", name="wield").tap()
    announces(ben, "Sword was destroyed")
    cleo.get_by_role("link", name="Sword", exact=True).wait_for(state="hidden")

    # Ana's taps on Ben's champion: his phone shows whose, on his number's own tile
    look_at(ana, "ben")
    taps(ana, PLUS.format("ben"), 4)
    shows(ben, CHAMPION, "4")
    ben.locator("#cockpit .delta", has_text="+4").wait_for()
    assert ben.evaluate(ON_THE_TILE)

    # A mistake, undone; a correction by the pad
    ana.locator("#undo").tap()
    shows(cleo, CHAMPION, "0")
    ben.locator(CHAMPION).tap()
    ben.locator('#pad [data-key="2"]').tap()
    ben.get_by_role("button", name="Correct to this").tap()
    shows(ana, CHAMPION, "2")

    # Wither: asked of Ben at his main phase, in sight wherever his board was
    open_card(ana, "Fortress")
    unfolds(ana, "Another counter")
    ana.locator("#sheet .chip[data-kind=wither]").tap()
    card(ben, "Fortress").locator("[data-kind=wither]").wait_for()
    close(ana)
    ana.locator(".phase summary").tap()
    ana.locator(".turn-pass").tap()
    ben.locator('[id="ben.cell"].is-active').wait_for()
    ben.evaluate("document.getElementById('board').scrollTo(0, 9999)")
    ben.locator(".phase summary").tap()
    ben.locator('.phases [value="main"]').tap()
    ben.locator("#dock .prompt").wait_for()
    ben.wait_for_function(IN_SIGHT, arg="#dock .prompt")
    cleo.locator(".phase summary").tap()
    cleo.get_by_text("Waiting for Ben: What is paid for wither?").wait_for()
    cleo.locator(".phase summary").tap()
    assert 0 == cleo.get_by_role("button", name="It was negated").locator("visible=true").count()
    ben.locator("#dock label", has_text="Sacrifice").first.tap()
    ben.locator("#next", has_text="Sacrifice 1").tap()
    announces(ana, "Fortress was sacrificed")

    # A dropped connection: what was tapped waits, and is there afterwards; so is all after a reload
    ben.context.set_offline(True)
    ben.locator("#connection:not([hidden])").wait_for()
    look_at(ben, "ana")
    taps(ben, PLUS.format("ana"), 2)
    ben.context.set_offline(False)
    shows(ana, '[id="ana-champion.damage"]', "2")
    ben.reload()
    shows(ben, '[id="ana-champion.damage"]', "2")

    # The win: nobody's turn is offered any more; what comes next is
    ben.wait_for_function(SETTLED)
    ana.locator(CHAMPION).tap()
    for key in "20":
        ana.locator(f'#pad [data-key="{key}"]').tap()
    ana.get_by_role("button", name="Add 20").tap()
    won((ana, ben, cleo), "Ana")
    for each in (ana, ben, cleo):
        assert 0 == each.locator(".turn-pass").count()
        assert 0 == each.locator(".phases button:enabled").count()
    ben.locator('[id="ben.cell"].is-lost').wait_for()
    ana.locator("[data-menu]").tap()
    ana.get_by_role("link", name="Save or play again").tap()
    ana.get_by_role("button", name="Ben goes first, having lost").tap()
    for each in (ana, ben, cleo):
        each.locator('[id="ben.cell"].is-active').wait_for()
        shows(each, CHAMPION, "0")


def test_a_chip_stays_under_the_finger_that_taps_it_again(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site)
    open_card(ana, "Ana’s champion")
    unfolds(ana, "Another counter")
    ana.locator("#sheet summary", has_text="more kinds").tap()
    chip = "#sheet .chip[data-kind=preparation]"
    ana.locator(chip).scroll_into_view_if_needed()
    ana.wait_for_timeout(100)
    here = place(ana, chip)

    for n in range(1, 5):
        with ana.expect_response("**/objects/ana-champion*"):  # the sheet follows the table
            Hand(ana).tap(here)
        shows(ana, '[id="ana-champion.preparation"]', str(n))

    _x, y = place(ana, chip)
    assert abs(y - here[1]) < 2


def test_a_kind_is_spelled_as_the_rules_do_and_a_refusal_stays(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site))
    open_card(ana, "Ana’s champion")
    unfolds(ana, "Another counter")
    ana.get_by_label("or one called").fill("Energía!")
    ana.locator("#act-place").get_by_role("button", name="Put on").tap()
    ben.locator('[id="ana-champion.energia"]').wait_for(state="attached")

    unfolds(ana, "Recover")
    form = ana.locator("#act-recover form")
    form.get_by_label("to pay for something").check()
    form.get_by_role("button", name="Recover").tap()
    form.locator(".refusal", has_text="damage").wait_for()
    with ana.expect_response("**/objects/ana-champion*"):  # the sheet follows the table
        taps(ben, PLUS.format("ben"), 1)
    shows(ana, CHAMPION, "1")

    assert "damage" in form.locator(".refusal").inner_text()


def test_a_tap_on_something_that_takes_no_counters_says_so(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site, "magic")
    ana.locator(".seat.is-mine .seat-name").tap()
    ana.locator("#act-marks > summary").tap()
    ana.locator("#sheet button", has_text="can’t get counters").tap()
    ana.locator('#sheet [aria-pressed="true"]', has_text="can’t get counters").wait_for()

    ana.locator("#act-counter > summary").tap()
    ana.locator("#sheet .chip[data-kind=poison]").tap()

    ana.locator(".refusal.is-floating", has_text="It can’t hold counters of that kind.").wait_for()
    assert 0 == ana.locator(".bubble:visible").count()


def test_a_refusal_stands_beside_the_button_that_was_tapped(phone: Phones, running: Night) -> None:
    """Not at the card that it is about, which may be at the other end of the screen."""
    ana = phone(360, 640)

    def refuse(socket: Any) -> None:
        server = socket.connect_to_server()

        def answer(sent: str) -> None:
            command = json.loads(sent)
            why = {"code": "forbidden", "message": "Only Ben can do that.", "rule": None}
            if command["do"] != "activate":
                server.send(sent)
            else:
                socket.send(json.dumps({"refused": {"id": command["id"], **why}}))

        socket.on_message(answer)

    ana.route_web_socket("**/ws?*", refuse)
    host = Host(ana, running.site)
    ana.goto(host.middle("grand-archive", 2))
    draw = ana.locator('#cockpit button[form="t"]', has_text="draw")
    draw.wait_for()
    box = draw.bounding_box()
    draw.tap()

    refusal = ana.locator(".refusal.is-floating", has_text="Only Ben").bounding_box()
    assert box["y"] - 20 < refusal["y"] + refusal["height"] <= box["y"], "above it, and not over it"


def test_power_that_is_typed_says_what_it_comes_to_before_the_tap(
    phone: Phones, running: Night
) -> None:
    host = Host(phone(), running.site)
    champion = {"types": ["champion"], "base": {"life": 20, "level": 1}}
    objects = {"hero": {"name": "Lorraine", **champion}, "boss": {**champion, "owner": "ben"}}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects, "turn": {"active": ["ana"]}}
    ana = host.open(host.played(friday("grand-archive", given)))
    open_card(ana, "Lorraine")
    attack = ana.locator("#sheet .deals")
    attack.get_by_label("more power").fill("3")

    attack.locator(".target-ends", has_text="→ 17").wait_for()
    attack.get_by_label("more power").fill("20")
    attack.locator(".target-ends", has_text="out of the game").wait_for()
    attack.locator("[name=on]").tap()
    won([ana], "Ana")


def test_what_decided_a_game_is_read_whole_on_a_small_phone(phone: Phones, running: Night) -> None:
    ana = phone(360, 640)
    host = Host(ana, running.site)
    name = "Tristan, Underhanded and Unforgiving"
    champion = {"name": name, "types": ["champion"], "base": {"life": 19}, "owner": "ben",
                "counters": {"damage": 16}}  # fmt: skip
    ally = {"name": "Aesan Protector", "types": ["ally"], "base": {"power": 3, "life": 4}}
    given = {"seats": {"ana": {}, "ben": {}}, "objects": {"tristan": champion, "aesan": ally}}
    host.open(host.played(friday("grand-archive", given)))

    host.give(do="damage", on=["tristan"], source="aesan", combat=True)
    won((ana,), "Ana")

    assert [True, True, True] == ana.evaluate(BLOW)


def test_the_names_of_a_level_stand_in_one_line(phone: Phones, running: Night) -> None:
    ana = phone()
    host = Host(ana, running.site)
    champion = {"name": "Tristan, Underhanded", "types": ["champion"],
                "base": {"life": 19, "level": 1}}  # fmt: skip
    given = {"seats": {"ana": {}, "ben": {}}, "objects": {"tristan": champion}}
    host.open(host.played(friday("grand-archive", given)))
    open_card(ana, "Tristan, Underhanded")

    chips = ana.locator("#act-level .chips button")
    assert 2 == chips.count()
    assert 1 == len({*map(tuple, chips.evaluate_all(TOPS))})
