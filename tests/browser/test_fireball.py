"""A GM acts on several rows of a fight at once: a fireball, of which one saves half."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from games.store import demos
from tests.night import Night

from .tables import CONNECTED, Host, Table

pytestmark = pytest.mark.browser

FOE = {
    "type": "foe", "look": "bar", "counts": "down", "colour": "danger", "visibility": "known",
    "initiative": 12, "slots": 59,
}  # fmt: skip
FIGHT: dict[str, Any] = {
    "id": "fireball", "title": "Fireball", "system": "own-game", "when": [], "then": {},
    "definition": demos.ready_games("own-game")["dungeons-and-dragons"],
    "given": {
        "seats": {"gm": {}, "ana": {}},
        "slot_counters": {
            key: {**FOE, "name": name, "filled": filled, "order": n}
            for n, (key, name, filled) in enumerate(
                [("worg", "Worg", 33), ("g1", "Goblin 1", 52), ("g2", "Goblin 2", 0),
                 ("ogre", "Ogre", 9), ("boss", "Boss", 38)]
            )
        },
    },
}  # fmt: skip
SIGN = {"x": 20, "y": 20}
CROWD = {
    **FIGHT,
    "given": {
        **FIGHT["given"],
        "scenes": {
            "Bridge": "running", "Camp": "running", "Mill": "prepared", "Vault": "prepared",
            "Attic": "prepared", "Cave": "prepared",
        },
        "slot_counters": {
            **FIGHT["given"]["slot_counters"],
            **{f"w{n}": {**FOE, "name": f"Wolf {n}", "order": 9 + n} for n in range(5)},
            "clock": {"name": "The bridge gives way", "type": "clock", "scene": "Bridge"},
        },
    },
}  # fmt: skip
ROWS_IN_SIGHT = """() => {
  const at = (each) => document.querySelector(each).getBoundingClientRect();
  return [...document.querySelectorAll("#groups .slot")].map((slot) => {
    const { top, bottom } = slot.getBoundingClientRect();
    const name = document.createRange();
    name.selectNode(slot.querySelector(".slot-name a").lastChild);
    const bar = slot.querySelector(".slot-stepper > :not(button)").getBoundingClientRect();
    const apart = bar.left - name.getBoundingClientRect().left;
    return [top >= at("#scene-bar").bottom && bottom <= at("#cockpit").top, Math.round(apart)];
  });
}"""
"""Of each row whether it is whole, and how far its bar is from the first letter of its name."""


@pytest.fixture(params=[(1280, 800), (390, 844), (360, 640), (844, 390)])
def gm(request: Any, chromium: Any, running: Night) -> Iterator[Any]:
    width, height = request.param
    context = chromium.new_context(
        viewport={"width": width, "height": height}, has_touch=width < 900, service_workers="block"
    )
    page = context.new_page()
    host = Host(page, running.site)
    host.open(host.played(FIGHT))
    yield page
    context.close()


def reads(gm: Any, **numbers: int) -> None:
    """Wait until the rows show these numbers."""
    for key, number in numbers.items():
        gm.locator(f"#k-{key} .slot-text b", has_text=str(number)).wait_for()


def picked(gm: Any) -> list[str]:
    names: list[str] = gm.locator(".slot.is-picked").evaluate_all(
        "(all) => all.map((slot) => slot.dataset.counter + (slot.matches('.is-half') ? ' ½' : ''))"
    )
    return names


def test_a_fireball_is_six_acts_one_entry_and_one_undo(gm: Any) -> None:
    acts = ("worg", "g1", "g2", "ogre", "worg", "Enter")  # the worg saved
    for key in acts[:-1]:
        gm.locator(f"#k-{key} .slot-name a").click(position=SIGN)
    assert ["worg ½", "g1", "g2", "ogre"] == picked(gm)
    bar = gm.locator("#selection")
    bar.locator("[name=amount]").fill("28")
    thens = ("→ 12, bloodied", "→ 0, down", "→ 31, hurt", "→ 22, bloodied")
    for key, then in zip(("worg", "g1", "g2", "ogre"), thens, strict=True):
        assert then == gm.locator(f"#k-{key} .slot-seers").get_attribute("data-then")
    for part in bar.locator(":scope > :visible").all():
        box = part.bounding_box()
        assert box["height"] >= 44 <= box["width"]
        assert 0 <= box["x"] <= gm.viewport_size["width"] - box["width"]
        assert box["y"] + box["height"] <= gm.viewport_size["height"]
    assert 1 == gm.locator(".cockpit > :visible").count(), "it stands in for all that is there"
    bar.locator("[name=amount]").press(acts[-1])

    reads(gm, worg=12, g1=0, g2=31, ogre=22, boss=21)
    assert [] == picked(gm)
    assert bar.is_hidden()
    gm.keyboard.press("u")
    reads(gm, worg=26, g1=7, g2=59, ogre=50)


def test_a_third_tap_leaves_and_a_condition_goes_to_all(gm: Any) -> None:
    for key in ("worg", "worg", "worg", "ogre", "boss"):
        gm.locator(f"#k-{key} .slot-name a").click(position=SIGN)
    assert ["ogre", "boss"] == picked(gm)
    gm.locator("#selection [name=condition]").select_option("Prone")

    for key in ("ogre", "boss"):
        gm.locator(f"#k-{key} .condition", has_text="Prone").wait_for()
    assert not gm.locator("#k-worg .condition").count()


def test_keys_alone_select_hit_and_leave(gm: Any) -> None:
    gm.set_viewport_size({"width": 1280, "height": 800})
    for keys in ("1", "x", "Shift+3", "Shift+4", "Shift+4"):
        gm.keyboard.press(keys)
    assert ["worg", "g2", "ogre ½"] == picked(gm)
    for key in "9":
        gm.keyboard.press(key)
    gm.keyboard.press("Enter")
    reads(gm, worg=17, g2=50, ogre=46)
    assert gm.evaluate("document.activeElement.closest('.slot')?.id") == "k-ogre"

    gm.keyboard.press("x")
    gm.keyboard.press("Escape")
    assert [] == picked(gm)


def test_selected_rows_stay_so_while_the_table_changes(gm: Any) -> None:
    gm.locator("#k-worg .slot-name a").click(position=SIGN)
    gm.locator("#selection [name=amount]").fill("12")
    gm.locator("#k-boss .slot-stepper button").first.click()
    reads(gm, boss=20)

    assert ["worg"] == picked(gm)
    assert "12" == gm.locator("#selection [name=amount]").input_value()
    gm.locator("#selection [data-act=heal]").click()
    reads(gm, worg=38)


def test_a_player_hits_and_one_key_nods(chromium: Any, running: Night) -> None:
    table = Table(chromium, running.site, CROWD)
    gm, ana = table.gm, table.ana
    table.hosts[0].give(do="fight", to="begin")
    heard: list[str] = []
    ana.on("websocket", lambda ws: ws.on("framereceived", lambda text: heard.append(str(text))))
    ana.reload()
    ana.wait_for_function(CONNECTED)

    ana.get_by_role("button", name="Hit Ogre").tap()
    for key in "13":
        ana.locator(f'#pad [data-key="{key}"]').tap()
    ana.locator("#pad .is-main", has_text="Hit 13").tap()
    gm.locator("#asked .prompt", has_text="hit Ogre for 13").wait_for()
    table.hosts[1].give(do="propose", command={"do": "fill", "on": "boss", "slots": 1})
    gm.locator("#asked .prompt", has_text="hit Boss for 1").wait_for()
    ana.locator("#k-ogre .slot-word[data-waits='13 waits']").wait_for()
    assert "→ 37, hurt" == gm.locator("#k-ogre .slot-seers").get_attribute("data-waits")
    assert "Boss 21/59 → 20, bloodied" in " ".join(gm.locator("#asked").inner_text().split())
    rows = gm.evaluate(ROWS_IN_SIGHT)
    assert sum(whole for whole, _apart in rows) >= 8
    assert max(apart for _whole, apart in rows) <= 240
    waits, notes = (gm.locator(each).bounding_box() for each in ("#in-sight", "#notebook"))
    assert (waits["x"], waits["y"] + waits["height"]) == (notes["x"], notes["y"])
    assert ["All", "Bridge 1", "Camp 0", "+4 prepared", "Scene"] == [
        " ".join(each.split()) for each in gm.locator("#tabs > :visible").all_inner_texts()
    ]
    gm.keyboard.press("3")
    gm.keyboard.press("y")

    reads(gm, ogre=37)
    assert gm.evaluate("document.activeElement.closest('.slot')?.id") == "k-g2"
    gm.locator("#asked .prompt", has_text="Ogre").wait_for(state="detached")
    ana.locator("#k-ogre .slot-word", has_text="hurt").wait_for()
    ana.locator("#banner .moment", has_text="13 taken: hurt").get_by_text("Got it").tap()
    for told in ("".join(heard), ana.content()):
        assert "/59" not in told
        assert ">37<" not in told

    sent = gm.locator("#sent summary")
    table.hosts[0].give(do="edit", on="worg", visibility="hidden")
    gm.locator("#k-worg[data-secrecy=hidden] .slot-stepper button:enabled").first.click()
    sent.filter(has_text=re.compile("^0 bytes to players")).wait_for()
    reads(gm, worg=25)
    assert "Ana: 0" == gm.locator("#sent li").first.text_content()
    with gm.expect_response(re.compile(r"mine\?gm")):
        gm.locator("#k-clock .slot-stepper button:enabled").last.click()
    gm.wait_for_timeout(900)
    assert not sent.is_visible()
    gm.locator("#typed-line").fill("worg -2")
    gm.keyboard.press("Enter")
    sent.wait_for()
    reads(gm, worg=23)
    gm.keyboard.press("Escape")

    table.hosts[0].give(do="allow", type="foe", acts={"fill": "everyone"})
    ana.locator("#k-boss [data-at-once]").tap()
    ana.locator("#pad h2", has_text="Boss · It counts at once.").wait_for()
    ana.keyboard.press("4")
    ana.keyboard.press("Enter")
    reads(gm, boss=17)
    ana.locator("#banner .moment", has_text="4 taken: bloodied").get_by_text("Undo").tap()
    reads(gm, boss=21)
    table.close()


def test_keys_move_and_begin_the_next_turn(chromium: Any, running: Night) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, service_workers="block")
    gm = context.new_page()
    host = Host(gm, running.site)
    host.open(host.played(FIGHT))
    for key, there in (("j", "worg"), ("ArrowDown", "g1"), ("k", "worg")):
        gm.keyboard.press(key)
        assert gm.evaluate("document.activeElement.closest('.slot')?.id") == f"k-{there}"
    gm.keyboard.press("f")
    gm.locator("#bar .is-main", has_text="Next").wait_for()
    gm.keyboard.press(".")
    gm.locator("#groups .slot.is-turn").wait_for()
    assert "," == gm.locator("[data-turn-before]").get_attribute("data-hint")
    gm.keyboard.press(",")
    gm.locator("#groups .slot.is-turn").wait_for(state="detached")
    gm.keyboard.press(".")
    gm.locator("#groups .slot.is-turn").wait_for()
    assert "." == gm.locator("#bar .is-main").get_attribute("data-hint")
    for key, field in (("c", ".slot-afflict button"), ("m", "[name=scene]")):
        gm.keyboard.press(key)
        gm.wait_for_function(f"() => document.activeElement.matches('#sheet {field}')")
        gm.keyboard.press("Escape")
        gm.locator("#sheet").wait_for(state="hidden")
        gm.keyboard.press("k")
    gm.keyboard.press("2")
    gm.keyboard.press("Enter")
    gm.wait_for_function("() => document.activeElement.matches('#sheet [data-focus]')")
    gm.keyboard.type("5")
    gm.keyboard.press("+")
    reads(gm, g1=12)
    gm.locator("#sheet").wait_for(state="hidden")
    assert gm.evaluate("document.activeElement.closest('.slot')?.id") == "k-g1"
    gm.keyboard.press("u")
    reads(gm, g1=7)
    gm.locator(".moment", has_text="Redo").wait_for()
    gm.keyboard.press("Escape")  # leaves, and does nothing
    gm.wait_for_timeout(300)
    reads(gm, g1=7)
    gm.keyboard.press("Shift+U")
    reads(gm, g1=12)
    gm.keyboard.press("t")
    gm.keyboard.type("Cleo did it")
    gm.keyboard.press("Control+Enter")
    gm.locator("#notebook .notes", has_text="Cleo did it").wait_for()
    gm.keyboard.press("Escape")
    gm.keyboard.press("n")
    gm.keyboard.type("orc")
    gm.keyboard.press("Escape")
    assert gm.evaluate("document.activeElement.matches('.slot-name a')")
    context.close()


def test_a_television_grows_again_once_a_fight_needs_less_room(
    chromium: Any, running: Night
) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, service_workers="block")
    page = context.new_page()
    host = Host(page, running.site)
    seats: dict[str, Any] = {key: {} for key in ("gm", "ana", "ben", "cleo", "dan")}
    address = host.played({**CROWD, "given": {**CROWD["given"], "seats": seats}})
    page.goto(f"{address}tv")
    page.wait_for_function(CONNECTED)
    size = "parseFloat(document.documentElement.style.getPropertyValue('--tv-type'))"
    assert page.evaluate(size) < 12, "all numbers of all players have no room"
    host.send(address, do="fight", to="begin")
    page.wait_for_function(
        f"() => document.querySelector('.is-fight') && {size} > 12", timeout=9000
    )
    context.close()
