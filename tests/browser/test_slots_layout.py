"""Layout of a table of Stars and Signs: what is in sight, and what is beside what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.night import Night

from .tables import CONNECTED, SESSION, Host, Table
from .test_every_size import DRAWN

pytestmark = pytest.mark.browser

UNNAMED = {**SESSION, "names": {"gm": "GM"}}
NAMES = """() => [...document.querySelectorAll(".is-fight .slot-name a")].map((each) => {
  const name = document.createRange();
  const last = [...each.childNodes].findLast((node) => node.textContent.trim());
  name.selectNode(last);
  return [last.textContent.trim(), name.getClientRects().length];
})"""
"""Each name in the turn order, and in how many lines it stands."""
PHONES = [(360, 640), (390, 844)]
SIZES = [*PHONES, (844, 390), (820, 1180), (1280, 800), (1920, 1080)]


@pytest.fixture
def unnamed(chromium: Any, running: Night) -> Iterator[Table]:
    made = Table(chromium, running.site, UNNAMED)
    yield made
    made.close()


def box(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).first.bounding_box()
    assert found, selector
    return found


def apart(one: dict[str, float], other: dict[str, float]) -> float:
    """The distance of two boxes; negative if they overlap."""
    across = max(one["x"], other["x"]) - min(one["x"] + one["width"], other["x"] + other["width"])
    down = max(one["y"], other["y"]) - min(one["y"] + one["height"], other["y"] + other["height"])
    return max(across, down)


def bottom(found: dict[str, float]) -> float:
    return found["y"] + found["height"]


def counter(page: Any, key: str) -> Any:
    return page.locator(f"#k-{key}")


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_the_scene_stands_before_ones_own_counters(unnamed: Table, width: int, height: int) -> None:
    ana = unnamed.ana
    ana.set_viewport_size({"width": width, "height": height})
    ana.goto(f"{ana.url.partition('?')[0]}?welcome")
    ana.locator(".welcome").wait_for()
    party, welcome = box(ana, "#party"), box(ana, ".welcome")
    assert apart(party, welcome) >= 0, "the question for a name covers the party"
    ana.get_by_label("What’s your name?").fill("Ana")
    ana.get_by_role("button", name="OK").tap()
    ana.locator(".welcome").wait_for(state="hidden")

    cockpit = box(ana, "#cockpit")
    rows = [box(ana, each) for each in ("#k-c1", "#k-c3", "#k-c4")]
    assert all(bottom(each) <= cockpit["y"] for each in rows[:2]), "the scene is below the fold"
    assert rows[0]["y"] < rows[2]["y"] < box(ana, ".group.is-mine")["y"]
    assert max(each["height"] for each in rows) <= 72, "a row of the table is not slim"
    assert counter(ana, "ana-despair").is_hidden(), "one's own counters are not folded"
    chips = ana.locator("#chips a").all_inner_texts()
    assert ["3 Hope", "1 Torches", "New"] == [" ".join(each.split()) for each in chips]
    assert "4" == ana.locator("#own .is-hero a").inner_text().split()[-1]


def test_nothing_is_wider_than_the_screen_or_off_it(table: Table) -> None:
    for width, height in SIZES:
        for page in (table.gm, table.ana):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            size = f"{width}x{height}"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
            assert bottom(box(page, "#cockpit")) <= height + 1, size
            shown = box(page, "#board")
            assert shown["height"] >= 120, f"no room for the board at {size}: {shown}"


def test_ones_own_number_turns_in_the_cockpit_and_in_the_strip(table: Table) -> None:
    ana = table.ana
    ana.locator("#own").get_by_role("button", name="Fill one slot of Despair").tap()
    ana.locator("#own .caption .slot-flag", has_text="Fragile").wait_for()
    ana.locator("#party .is-mine .cell-hero", has_text="5").wait_for()
    table.gm.locator("#party .slot-flag", has_text="Fragile").wait_for()
    ana.locator(".is-mine summary").tap()
    counter(ana, "ana-hope").get_by_role("button", name="Spend one slot of Hope").tap()
    ana.locator("#party .is-mine .bit", has_text="2 left").wait_for()
    empty = counter(ana, "ana-memories").bounding_box()
    assert empty["height"] < 140, "an empty inventory takes the phone"


def test_the_board_stays_in_sight_beside_an_open_sheet(table: Table) -> None:
    gm = table.gm
    counter(gm, "c2").locator(".slot-name a").click()
    gm.locator("#sheet h2").wait_for()
    assert apart(box(gm, "#sheet"), box(gm, "#board")) >= 0
    assert apart(box(gm, "#sheet"), box(gm, "#cockpit")) >= 0
    counter(gm, "c1").get_by_role("button", name="Fill one slot").click()
    counter(gm, "c1").locator(".slot-text", has_text="5/8").wait_for()
    assert gm.locator("#sheet").is_visible(), "a tap on the board closed the sheet"

    gm.locator("#sheet").get_by_role("button", name="Name only").click()
    gm.locator('#k-c2[data-secrecy="known"]').wait_for()
    table.ana.locator("#k-c2.is-masked").wait_for()
    gm.locator("#sheet").get_by_role("button", name="Ana").click()
    gm.locator('#k-c2[data-secrecy="chosen"]').wait_for()
    gm.locator("#sheet").get_by_role("button", name="d10", exact=True).click()
    gm.locator("#roll .preview").wait_for()
    assert apart(box(gm, "#roll"), box(gm, "#board")) >= 0
    gm.keyboard.press("Escape")
    gm.locator("#roll").wait_for(state="hidden")
    assert gm.locator("#sheet").is_visible()
    gm.keyboard.press("Escape")
    gm.locator("#sheet").wait_for(state="hidden")


def test_a_counter_is_typed_above_the_board(table: Table) -> None:
    gm = table.gm
    seen = ("#tabs", "#board", "#k-c1", "#party")
    before = [box(gm, each) for each in seen]
    gm.keyboard.press("n")
    gm.keyboard.type("alarm danger 8")
    gm.locator("#typed-preview", has_text="Danger · 8 slots").wait_for()
    shown, field = box(gm, ".line-shown"), box(gm, ".typed-field")
    assert apart(shown, box(gm, "#typed-line")) >= 0
    assert shown["y"] + shown["height"] <= field["y"] + field["height"]
    assert [True] * 4 == [apart(shown, box(gm, each)) >= 0 for each in seen]
    assert before == [box(gm, each) for each in seen], "typing moved the board"
    gm.keyboard.press("Enter")
    gm.locator("#groups .slot", has_text="alarm").wait_for()
    gm.wait_for_function("() => document.getElementById('typed-line').value === ''")

    gm.keyboard.type("storm dangr 8")
    gm.locator("#typed-preview", has_text="pick a type · 8 slots").wait_for()
    assert 0 == gm.locator("#typed-preview .slot-tile").count(), "it asks before Enter"
    gm.keyboard.press("Enter")
    gm.locator("#typed-preview .slot-tile", has_text="Danger").click()
    gm.locator("#groups .slot", has_text="storm dangr").wait_for()


def test_the_gms_line_has_room_for_scenes_and_the_party_is_one_tab(table: Table) -> None:
    gm = table.gm
    next_scene = box(gm, ".tab-next")
    assert next_scene["y"] + next_scene["height"] <= box(gm, "#typed-line")["y"]
    gm.locator("#tabs").get_by_role("button", name="Party").click()
    counter(gm, "c1").wait_for(state="hidden")
    for key in ("ana-despair", "ben-oil"):
        assert counter(gm, key).is_visible()
    gm.get_by_role("link", name="See it as").click()
    gm.locator("#sheet").get_by_role("link", name="Ben").click()
    gm.get_by_text("As Ben sees it").wait_for()


CROWDED = """() => [...document.querySelectorAll("#sheet .slot-tile")].filter((tile) => {
  const [outer, words] = [tile.getBoundingClientRect(), document.createRange()];
  words.selectNodeContents(tile);
  const inner = words.getBoundingClientRect();
  return inner.right > outer.right - 6 || inner.top < outer.top + 6 ||
    inner.top > outer.top + 36 || inner.bottom > outer.bottom - 6 ||
    parseFloat(getComputedStyle(tile).paddingInlineStart) < 6;
}).map((tile) => tile.innerText)"""


def test_a_new_counters_tiles_have_room_around_their_words(table: Table) -> None:
    gm = table.gm
    gm.set_viewport_size({"width": 360, "height": 640})
    gm.locator("[data-key=n]").click()
    gm.locator("#sheet .slot-tile").first.wait_for()
    assert gm.locator("#sheet .slot-tile").count() > 5

    assert [] == gm.evaluate(CROWDED)


LOOK = """(key) => {
  const { backgroundImage, outlineStyle, outlineColor } =
    getComputedStyle(document.getElementById(`k-${key}`));
  return [backgroundImage, outlineStyle, outlineColor];
}"""


def test_hidden_and_open_cards_differ_and_reveal_is_quiet_and_undone(table: Table) -> None:
    gm = table.gm
    hidden, shown = gm.evaluate(LOOK, "c2"), gm.evaluate(LOOK, "c1")
    assert "gradient" in hidden[0]
    assert ["none", "none"] == shown[:2]
    assert "solid" == hidden[1]
    assert counter(gm, "c2").get_by_text("Only you").is_visible()

    card = counter(gm, "c2")
    reveal = card.get_by_role("button", name="Reveal")
    plus = card.get_by_role("button", name="Fill one slot").bounding_box()
    assert apart(reveal.bounding_box(), plus) >= 8, "Reveal is where + is"
    ground = reveal.evaluate("(each) => getComputedStyle(each).backgroundColor")
    assert "rgba(0, 0, 0, 0)" == ground, "Reveal is loud"

    card.locator(".slot-name a").focus()
    gm.keyboard.press("h")  # the first letter of a name meant for the line, which has no focus
    gm.locator("#sheet[open] .slot-who button:focus", has_text="Only you").wait_for()
    gm.keyboard.press("Enter")
    gm.locator("#sheet").get_by_role("button", name="Close").first.click()
    assert counter(gm, "c2").get_by_text("Only you").is_visible(), "a typed word reveals"

    reveal.click()
    table.ana.locator("#k-c2").wait_for()
    moment = gm.locator("#banner .moment", has_text="The keeper is revealed")
    moment.get_by_role("button", name="Undo").click()
    gm.locator('#k-c2[data-secrecy="hidden"]').wait_for()
    table.ana.locator("#k-c2").wait_for(state="detached")
    table.ana.locator("#banner .moment").wait_for(state="detached")
    assert "keeper" not in table.ana.locator("#alarm").inner_text()


def test_a_reveal_is_told_on_the_television_and_to_a_wide_watcher(table: Table) -> None:
    address = table.gm.url.partition("?")[0]
    leave = """() => {
      const body = new FormData(document.querySelector("#t"));
      fetch("seats/ana/leave", { method: "POST", body });
    }"""
    table.ana.evaluate(leave)
    table.ana.wait_for_selector('#live[data-seat=""]')
    for path in ("tv", ""):
        page = table.ana.context.new_page()
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.goto(address + path)
        page.wait_for_selector("#board")
        page.wait_for_function(CONNECTED)
        table.hosts[0].give(do="edit", on="c2", visibility="open")
        page.locator("#banner .moment", has_text="The keeper is revealed").wait_for()
        for width, height in [(1920, 1080), (1080, 1920)] if path == "tv" else []:
            page.set_viewport_size({"width": width, "height": height})
            assert apart(box(page, "#banner"), box(page, ".tv-column")) >= 0, "it covers the code"
        table.hosts[0].give(do="edit", on="c2", visibility="hidden")
        page.locator("#banner .moment").wait_for(state="detached")
        page.close()


def test_a_phone_that_was_away_is_told_until_it_has_read_it(table: Table) -> None:
    gm, ana = table.hosts[0], table.ana
    address = ana.url
    ana.goto("about:blank")
    gm.give(do="note", text="The keeper is your father.", to=["ana"], **{"as": "n1"})
    ana.goto(address)
    banner = ana.locator("#banner .moment")
    banner.get_by_text("The keeper is your father.").wait_for()
    ana.reload()
    banner.get_by_text("The keeper is your father.").wait_for()
    banner.get_by_role("button", name="Got it").tap()
    ana.reload()
    ana.wait_for_selector("#board")
    ana.wait_for_timeout(300)

    assert 0 == banner.count()


def test_moments_of_a_phones_absence_are_told_once(table: Table) -> None:
    """Longer away than the table keeps frames for."""
    gm, ana = table.hosts[0], table.ana
    ana.context.set_offline(True)
    ana.evaluate("htmx.find('#live')._htmx.ws.connection.socket.close()")
    ana.locator("#connection").wait_for()
    gm.give(do="edit", on="c2", visibility="open")
    steps = [{"do": "fill", "on": "c3", "slots": 1}, {"do": "clear", "on": "c3", "slots": 1}]
    for _each in range(70):
        gm.give(do="together", steps=steps)
    ana.context.set_offline(False)
    banner = ana.locator("#banner .moment", has_text="New since you were here")
    banner.get_by_role("heading", name="The keeper", exact=True).wait_for(timeout=20_000)
    banner.get_by_role("button", name="Got it").tap()
    ana.reload()
    ana.wait_for_selector("#board")
    ana.wait_for_timeout(300)

    assert 0 == ana.locator("#banner .moment").count()
    gm.give(do="edit", on="c4", visibility="open")
    ana.locator("#banner .moment", has_text="A whisper is revealed").wait_for()


def test_an_action_is_one_tap(table: Table) -> None:
    gm = table.gm
    gm.locator("#act").get_by_role("button", name="Miss").click()
    counter(table.ana, "c3").locator(".slot-text", has_text="1/6").wait_for()
    gm.locator("#sheet", has_text="Fallout").wait_for()
    assert apart(box(gm, "#sheet"), box(gm, "#board")) >= 0


def test_completions_wait_for_each_other_and_cover_no_question(table: Table) -> None:
    gm, ana = table.gm, table.ana
    table.hosts[1].give(do="propose", command={"do": "fill", "on": "c3", "slots": 1})
    gm.locator("#asked .proposal").wait_for()
    for key in ("ana-oil", "ben-oil", "c1"):
        table.hosts[0].give(do="fill", on=key, slots=4 if key == "c1" else 1)
    gm.locator("#banner .moment").wait_for()
    for page in (gm, ana):
        page.locator("#banner .moment").wait_for()
        assert 1 == page.locator("#banner .moment").count()
        for other in ("#in-sight", "#board", "#party"):
            assert apart(box(page, "#banner"), box(page, other)) >= 0
    assert apart(box(gm, "#in-sight"), box(gm, "#board")) >= 0

    names = []
    while ana.locator("#banner .moment").count():
        names.append(ana.locator("#banner .moment h2").inner_text())
        small = ana.locator("#banner .moment.is-small").count()
        assert (names[-1] == "Lantern oil") == bool(small), "another's completion is a card"
        ana.locator("#banner").get_by_role("button", name="Got it").tap()
    assert ["Torches", "Lantern oil", "Reach the lamp"] == names


def test_a_request_moves_no_counter_and_takes_nothing_of_a_laptops_board(table: Table) -> None:
    gm = table.gm
    there = ("#k-c1 .slot-eyes > button", "#k-c2 .slot-eyes > button", "#board")
    before = [box(gm, each) for each in there]
    table.hosts[1].give(do="propose", command={"do": "fill", "on": "c3", "slots": 1})
    gm.locator("#asked .proposal").wait_for()
    gm.get_by_text("Another number, or a word").click()
    gm.get_by_label("A word for the player").wait_for()
    assert before == [box(gm, each) for each in there]
    assert box(gm, "#in-sight")["height"] <= 360, "it scrolls"
    assert box(gm, "#notebook")["height"] >= 300


def test_a_laptop_says_in_full_what_is_typed_what_is_open_and_what_undo_takes(table: Table) -> None:
    gm, name = table.gm, "The keeper of the drowned lighthouse is the brother of the harbour master"
    gm.get_by_label("Type a counter").fill(f"{name} danger 6")
    shown = gm.locator("#typed-preview .line-shown[data-secret]", has_text=name)
    shown.wait_for()
    assert shown.evaluate("(each) => each.scrollWidth <= each.clientWidth"), "the name is cut"
    gm.keyboard.press("Enter")
    card = gm.locator("#groups .slot", has=gm.get_by_role("link", name=name))
    card.wait_for()
    gm.locator("#undo span", has_text=f"Undo: added {name}").wait_for()
    card.locator(".slot-name a").click()
    gm.locator("#sheet[open]").get_by_role("heading", name=name).wait_for()
    assert [name] == gm.locator(".slot.is-open .slot-name").all_inner_texts()
    gm.locator("#sheet").get_by_role("button", name="Close").first.click()
    gm.locator(".slot.is-open").wait_for(state="detached")


def test_the_gm_types_and_reveals_without_scripts(chromium: Any, running: Night) -> None:
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": 390, "height": 844}, has_touch=True
    )
    gm = context.new_page()
    gm.goto(Host(gm, running.site).played(SESSION))
    assert box(gm, "#party")["y"] < box(gm, ".scene-bar")["y"] < box(gm, "#board")["y"]

    gm.get_by_label("Type a counter").fill("alarm progress 3")
    gm.keyboard.press("Enter")
    gm.get_by_role("button", name="Make it").tap()
    gm.locator("#groups .slot", has_text="alarm").wait_for()
    counter(gm, "c2").get_by_role("button", name="Reveal").tap()
    counter(gm, "c2").get_by_role("button", name="Hide").wait_for()
    gm.locator("#act").get_by_role("button", name="Miss").tap()
    gm.get_by_text("Fallout").first.wait_for()
    context.close()


def test_names_in_a_turn_order_are_whole_and_the_watchers_bar_covers_the_rows(
    running: Night, phone: Any
) -> None:
    gm, watcher = Host(phone(), running.site), phone(360, 640)
    address = gm.ready_demo("dungeons-and-dragons").partition("?")[0]
    gm.open(address)
    Host(watcher, running.site).enter(gm.code(address))
    watcher.goto(address)
    watcher.locator(".arrival.is-quiet", has_text="You’re watching").wait_for()
    gm.page.goto(f"{address}slots/as/ana?within")
    for page in (watcher, gm.page):
        lines = page.evaluate(NAMES)

        assert {"Cleo", "Ana", "Ben"} <= {name for name, _lines in lines}
        assert {1} == {number for _name, number in lines}
    watcher.set_viewport_size({"width": 1280, "height": 720})
    watcher.goto(f"{address}tv")
    watcher.locator(".is-fight .slot").first.wait_for()
    columns = watcher.locator(".is-fight .slot").evaluate_all(
        "(all) => new Set(all.map((each) => each.getBoundingClientRect().left)).size"
    )
    assert (1, False) == (columns, watcher.locator("#party").is_visible())
    watcher.set_viewport_size({"width": 360, "height": 640})
    watcher.goto(address)
    gm.page.goto(address)
    gm.send(address, do="scene", scene="The cellar", to="running")
    watcher.get_by_role("button", name="Got it").tap()
    bar = "(each) => getComputedStyle(each).backgroundColor"
    assert "rgba(0, 0, 0, 0)" != watcher.locator(".arrival.is-quiet").evaluate(bar)
