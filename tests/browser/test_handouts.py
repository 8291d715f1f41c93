"""Handouts: a picture and a text over the boards of those who are shown them, until taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from games.systems import current
from tests.night import Night

from .tables import Table
from .test_axe import complaints

pytestmark = pytest.mark.browser
DECODED = "async (img) => (await img.decode(), img.naturalWidth)"
DROP = """async ({ type, name }) => {
  const made = new OffscreenCanvas(40, 30);
  made.getContext("2d").fillRect(0, 0, 20, 30);
  const data = new DataTransfer();
  data.items.add(new File([await made.convertToBlob({ type: "image/png" })], name, { type }));
  document.getElementById("board").dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""

BESIDE = """() => {
  const [picture, title] = ["img", "h2"].map((each) =>
    document.querySelector(`#shown ${each}`).getBoundingClientRect());
  return title.left > picture.right && picture.top <= title.top && title.top < picture.top + 200;
}"""
"""The title stands beside the picture, once the letters fit the television."""
SEEN = """(parts) => parts.map((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const at = (y) => document.elementFromPoint((left + right) / 2, y)?.closest(".handout") != null;
  return at(top + 2) && at(bottom - 2);
})"""


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A picture that is larger than what other forms may send, with the place of the photo."""
    exif = Image.Exif()
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 0.0)}
    Image.effect_noise((2400, 1600), 60).convert("RGB").save(
        path := tmp_path / "photo.jpg", quality=50, exif=exif
    )
    return path


def choose(gm: Any, photo: Path) -> None:
    """Open the form and add the picture."""
    gm.locator("#notebook a[href=handouts]").click()
    gm.locator("#handout-file input[type=file]").set_input_files(photo)


def test_a_picture_for_two_comes_at_once_is_found_again_and_taken_back(
    table: Table, photo: Path, running: Night
) -> None:
    gm, ana = table.gm, table.ana
    ben = table.another("ben")
    ben.set_viewport_size({"width": 360, "height": 640})
    cockpit = ana.locator("#cockpit").bounding_box()
    choose(gm, photo)
    assert [] == complaints(gm)
    gm.locator("#handout-new [name=title]").fill("Found in the coat")
    for name in ("Ana", "Ben"):
        gm.locator("#handout-new label", has_text=name).click()
    gm.get_by_role("button", name="Show them").click()  # the picture may be on its way yet

    for each, other in ((ana, "Ben"), (ben, "Ana")):
        shown = each.locator("#shown .handout")
        shown.wait_for()
        assert other in shown.locator(".handout-head").inner_text()
        assert 1000 < shown.locator("img").evaluate(DECODED) <= 1600
    assert [] == complaints(ana)
    assert cockpit == ana.locator("#cockpit").bounding_box()
    gm.locator("#sheet").wait_for(state="hidden")

    # The GM who looks as a player sees it lie there too, and what is below it.
    look = gm.context.new_page()
    look.goto(f"{table.address}slots/as/ana")
    lies = look.frame_locator("iframe").locator("#moments .handout", has_text="Found in the coat")
    lies.wait_for()
    look.get_by_role("link", name="Without the handout").click()
    look.get_by_role("link", name="With the handout").wait_for()
    look.frame_locator("iframe").locator("#groups").wait_for()
    assert not lies.is_visible()
    look.close()

    ben.get_by_role("button", name="Put away").tap()
    ben.locator("#shown .handout").wait_for(state="detached")
    ben.reload()
    ben.wait_for_selector("#live[data-seat=ben]")
    assert not ben.locator("#shown .handout").count()
    ben.goto(f"{table.address}notes")
    ben.locator(".handouts", has_text="Found in the coat").locator("a").tap()
    ben.locator(".handout-large img").wait_for()
    ana.locator("#shown .handout-picture").tap()
    ana.locator("#sheet[open] .handout-large").wait_for()
    picture = ana.locator(".handout-large").get_attribute("href")

    gm.locator("#notebook").get_by_role("button", name="Take back").click()
    ana.locator("#shown .handout").wait_for(state="detached")
    ana.locator("#sheet", has_text="The GM isn’t showing you that.").wait_for()
    assert 404 == ana.request.get(f"{running.site}{picture}").status
    ana.goto(f"{table.address}log")
    assert "coat" not in ana.content()


def test_one_for_everyone_is_on_the_room_s_screen_while_it_is_shown(table: Table) -> None:
    gm, ana = table.gm, table.ana
    room = gm.context.new_page()
    room.set_viewport_size({"width": 1920, "height": 1080})
    room.goto(f"{table.address}tv")
    room.locator("#live .slot").first.wait_for()
    gm.evaluate(DROP, {"type": "image/png", "name": "map.png"})
    gm.locator("#handout-picture img").wait_for()
    gm.locator("#handout-new [name=title]").fill("To whom it may concern")
    gm.locator("#handout-new [name=text]").fill("The lamp is out.")
    gm.get_by_role("button", name="Keep it for later").click()
    kept = gm.locator("#notebook .handouts > li", has_text="To whom it may concern")
    kept.get_by_text("shown to nobody yet").wait_for()
    assert not ana.locator("#shown .handout").count()

    kept.get_by_role("button", name="everyone").click()
    for each in (ana, room):
        each.locator("#shown", has_text="The lamp is out.").wait_for()
    assert room.locator("#live .slot").first.is_visible()
    room.wait_for_function(BESIDE)
    gm.locator("#undo").click()
    for each in (ana, room):
        each.locator("#shown .handout").wait_for(state="detached")


@pytest.mark.parametrize("text", ["", "The lamp is out, and has been for nine days. " * 12])
def test_the_title_of_a_tall_picture_is_in_sight(table: Table, tmp_path: Path, text: str) -> None:
    """The picture gives way: it pushed its title and a long text below a small phone's edge."""
    gm, ana = table.gm, table.ana
    Image.new("RGB", (700, 1900), "teal").save(tall := tmp_path / "tall.png")
    choose(gm, tall)
    gm.locator("#handout-picture img").wait_for()
    gm.locator("#handout-new [name=title]").fill("Found in the coat, behind the lining")
    gm.locator("#handout-new [name=text]").fill(text)
    gm.locator("#sheet").get_by_label("Everyone").check()
    gm.get_by_role("button", name="Show everyone").click()
    ana.locator("#shown .handout img").evaluate(DECODED)
    room = gm.context.new_page()
    room.goto(f"{table.address}tv")
    room.locator("#shown .handout img").evaluate(DECODED)
    screens = [(ana, 360, 640), (ana, 390, 844), (ana, 844, 390), (room, 1920, 1080)]
    for page, width, height in screens:
        page.set_viewport_size({"width": width, "height": height})
        parts = page.locator("#shown").locator("h2, [data-put-away], img").filter(visible=True)
        assert (2 if page is room else 3) == parts.count()
        seen = parts.evaluate_all(SEEN)
        assert all(seen), f"{width}x{height}: {seen}"
    ana.locator("#shown .handout-picture").tap()
    ana.locator("#sheet[open] .handout-large").wait_for()


def test_a_picture_is_dropped_on_the_board_and_another_file_is_refused_in_words(
    table: Table, tmp_path: Path
) -> None:
    gm = table.gm
    gm.evaluate(DROP, {"type": "image/png", "name": "map.png"})
    gm.locator("#handout-picture img").wait_for()
    assert 40 == gm.locator("#handout-picture img").evaluate(DECODED)

    wrong = tmp_path / "notes.png"
    wrong.write_text("no picture")
    gm.locator("#handout-file input[type=file]").set_input_files(wrong)
    gm.locator("#handout-file .refusal", has_text="can’t read that picture").wait_for()
    assert gm.locator("#handout-picture img").count()


def test_without_scripts_a_picture_is_added_and_shown_in_two_steps(
    chromium: Any, running: Night, table: Table, tmp_path: Path
) -> None:
    Image.new("RGB", (60, 40), "red").save(path := tmp_path / "red.png")
    state = table.gm.context.storage_state()
    context = chromium.new_context(storage_state=state, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{table.address}handouts")
    page.locator("#handout-file input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Add the picture").click()
    page.locator("#handout-picture img").wait_for()
    page.get_by_label("Everyone").check()
    page.get_by_role("button", name="Show everyone").click()
    table.ana.locator("#shown .handout img").wait_for()
    context.close()


def test_a_game_of_one_s_own_has_them_too(chromium: Any, running: Night) -> None:
    session = current({
        "id": "rpg", "title": "The score", "system": "any-rpg",
        "given": {"seats": {"gm": {}, "ana": {}}, "slot_counters": {}},
        "when": [], "then": {}, "names": {"gm": "GM", "ana": "Ana"},
    })  # fmt: skip
    table = Table(chromium, running.site, session)
    try:
        table.gm.evaluate(DROP, {"type": "image/png", "name": "map.png"})
        table.gm.locator("#handout-picture img").wait_for()
        table.gm.locator("#sheet").get_by_label("Everyone").check()
        table.gm.get_by_role("button", name="Show everyone").click()
        table.ana.locator("#shown .handout img").wait_for()
    finally:
        table.close()
