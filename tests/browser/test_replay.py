"""An evening of 500 lines is watched again: by slider, keys and link; its summary by finger."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .fingers import Hand, place
from .tables import Host, middle

pytestmark = pytest.mark.browser

CUT = """() => [...document.querySelectorAll(".cell-hero")].filter((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  const [text, cell] = [range, each.closest(".cell")].map((part) => part.getBoundingClientRect());
  return text.left < cell.left - 1 || text.right > cell.right + 1;
}).map((each) => each.textContent)"""
# A page hears of a finger that moves once a frame.
FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
LINES, EACH = 500, 50
"""Each turn is of so many lines: it begins, then its player loads the rocket."""


def evening() -> dict[str, Any]:
    turns = [("ben", "ana")[n % 2] for n in range(LINES // EACH)]
    fuel = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1}
    when: list[dict[str, Any]] = []
    for seat in turns:
        when += [{"do": "begin-turn", "active": [seat], "by": seat}]
        when += [{**fuel, "by": seat}] * (EACH - 1)
    return {
        "id": "evening", "title": "Friday", "system": "any-game", "when": when, "then": {},
        "names": {"ana": "Ana", "ben": "Ben"},
        "given": {
            "seats": {"ana": {}, "ben": {}},
            "objects": {"rocket": {"owner": "ana", "name": "Rocket", "counters": {"fuel": 1000}}},
        },
    }  # fmt: skip


def fuel(line: int) -> str:
    """The rocket's fuel just after *line*."""
    return str(1000 + line - (line + EACH - 1) // EACH)


def test_an_evening_is_watched_again_by_slider_by_keys_and_from_a_link(
    phone: Phones, running: Night
) -> None:
    from playwright.sync_api import expect

    ana, dan = phone(), phone(844, 390)
    sockets: list[Any] = []
    ana.on("websocket", lambda each: sockets.append(each))
    address = Host(ana, running.site).played(evening())

    def at(page: Any, line: int, *, of: str) -> None:
        slider = page.locator("input[type=range]")
        expect(slider).to_have_attribute(
            "aria-valuetext", re.compile(rf"^Line {line}, {of}, \d\d:")
        )
        expect(page.locator('[id="rocket.fuel"]')).to_have_text(fuel(line))

    ana.goto(f"{address}replay?line=214")
    expect(ana.locator("#caption")).to_contain_text("Line 214")
    expect(ana.locator('[id="rocket.fuel"]')).to_have_text(fuel(214))
    for key, line, of in (
        ("ArrowRight", 215, "Ben’s turn 3"),
        ("ArrowLeft", 214, "Ben’s turn 3"),
        ("PageDown", 251, "Ana’s turn 3"),
        ("PageUp", 201, "Ben’s turn 3"),
        ("PageUp", 151, "Ana’s turn 2"),
        ("End", 500, "Ana’s turn 5"),
    ):
        ana.keyboard.press(key)
        at(ana, line, of=of)
    ana.keyboard.press("Home")
    expect(ana.locator("#caption")).to_contain_text("The beginning")

    box = ana.locator("input[type=range]").bounding_box()
    assert box["height"] >= 44
    ana.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(ana.locator("#caption")).to_contain_text(re.compile("Line 2[45]\\d"))
    ana.get_by_role("button", name="Play").tap()
    ana.wait_for_function("() => Number(document.querySelector('[type=range]').value) > 256")
    ana.get_by_role("button", name="Pause").tap()
    line = int(ana.locator("input[type=range]").input_value())
    at(ana, line, of="Ana’s turn 3")
    ana.wait_for_url(re.compile(rf"line={line}$"))
    assert [] == sockets

    # A finger at the film goes through the evening; lifted above it, it goes line by line.
    hand, film = Hand(ana), place(ana, ".player-film")
    hand.down(film)
    hand.to((film[0] + 60, film[1]))
    expect(ana.locator("#caption")).to_contain_text(re.compile("Line 33\\d"))
    hand.to((film[0] + 60, film[1] - 300))
    ana.evaluate(FRAMES)
    coarse = int(ana.locator("input[type=range]").input_value())
    for x in range(0, 88, 8):
        hand.to((film[0] + 60 + x, film[1] - 300))
    ana.evaluate(FRAMES)
    line = int(ana.locator("input[type=range]").input_value())
    assert 9 <= line - coarse <= 11
    hand.up()
    ana.wait_for_url(re.compile(rf"line={line}$"))
    assert fuel(line) == ana.locator('[id="rocket.fuel"]').inner_text()

    # A stranger with the link stands at the same moment, and nothing there can be used.
    link = ana.evaluate("`${document.querySelector('.player').dataset.link}?line=214`")
    dan.goto(running.site + re.sub(r"^https?://[^/]+", "", link))
    expect(dan.locator('[id="rocket.fuel"]')).to_have_text(fuel(214))
    dan.get_by_role("button", name="A step on").tap()
    at(dan, 215, of="Ben’s turn 3")
    assert dan.evaluate("[...document.querySelectorAll('#board > *')].every((each) => each.inert)")
    assert dan.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_narrow_phone_numbers_are_whole_and_the_stage_reaches_to_the_film(
    phone: Phones, running: Night
) -> None:
    ana = phone(360, 640)
    lost = {"do": "lose-life", "seat": "ben", "amount": 100, "by": "ana"}
    address = Host(ana, running.site).played({**middle("yu-gi-oh", 4), "when": [lost] * 3})
    ana.goto(f"{address}replay?line=2")
    ana.locator('.cell-hero[data-hero="ben"]', has_text="6800").wait_for()

    assert [] == ana.evaluate(CUT)
    edge = "(id) => document.querySelector(id).getBoundingClientRect()"
    stage, film = ana.evaluate(edge, "#board"), ana.evaluate(edge, ".player")
    assert stage["bottom"] == film["top"]

    # A question stands above one's other numbers, and offers nothing.
    ana.goto(f"{Host(ana, running.site).demo('magic')}replay?line=2")
    question, numbers = ana.evaluate(edge, "#cockpit h2"), ana.evaluate(edge, "#cockpit .places")
    assert question["bottom"] <= numbers["top"] < film["top"]
    assert not ana.locator("#cockpit summary").locator("visible=true").count()


def test_the_first_step_changes_only_what_is_new(phone: Phones, running: Night) -> None:
    ana = phone()
    address = Host(ana, running.site).played(evening())
    with ana.expect_response(re.compile(r"/replay/\d+-\d+\?")) as run:
        ana.goto(f"{address}replay?line=214")
    run.value.finished()
    ana.evaluate(FRAMES)
    ana.evaluate("document.querySelectorAll('#live *').forEach((each) => (each.same = true))")

    ana.keyboard.press("ArrowRight")

    number = ana.locator('[id="rocket.fuel"]', has_text=fuel(215))
    number.wait_for()
    assert number.evaluate("(each) => each.same")
    new = "[...document.querySelectorAll('#live *')].filter((each) => !each.same).map((e) => e.id)"
    assert [] == ana.evaluate(new)


def test_folds_of_the_board_unfold_and_stay_so_from_line_to_line(
    phone: Phones, running: Night
) -> None:
    ana = phone()
    taps = [{"do": "place", "on": "fox", "counter": "ice", "amount": 1}] * 2
    cards = {
        "fox": {"owner": "ana", "name": "Fox", "types": ["creature"]},
        "owl": {"owner": "ana", "name": "Owl", "types": ["creature"], "zone": "graveyard"},
    }
    move = {"do": "move", "object": "fox", "to": "exile"}
    address = Host(ana, running.site).played(
        {
            "id": "folds", "title": "Folds", "system": "magic", "when": [*taps, move], "then": {},
            "given": {"seats": {"ana": {}, "ben": {}}, "objects": cards},
        }
    )  # fmt: skip
    ana.goto(f"{address}replay?line=1")
    owl = ana.locator(".pile .card", has_text="Owl")
    ana.locator(".pile summary", has_text="Graveyard").tap()
    owl.wait_for()
    for _line in range(2):
        ana.get_by_role("button", name="A step on").tap()
    ana.locator(".pile summary", has_text="Exile").wait_for()

    assert owl.is_visible()
    assert ana.evaluate(
        "[...document.querySelectorAll('#board a, #board button')].every("
        "(each) => each.closest('[inert]'))"
    )


def test_a_new_counter_is_not_offered_while_watching(phone: Phones, running: Night) -> None:
    ana = phone()
    ana.goto(f"{Host(ana, running.site).demo('stars-and-signs')}replay?line=2")
    ana.locator("#caption", has_text="Line 2").wait_for()

    assert not ana.locator(".is-new").is_visible()


@pytest.mark.parametrize("tv", [False, True])
def test_a_long_sentence_is_whole_and_takes_its_room_from_the_board(
    phone: Phones, running: Night, tv: bool
) -> None:
    ana = phone(1280, 720) if tv else phone(360, 640)
    note = {"do": "note", "text": "Nobody remembers whose turn it was. " * 5 + "End"}
    address = Host(ana, running.site).played({**middle("any-game", 4), "when": [note]})
    ana.goto(f"{address}replay{'?tv' if tv else ''}")
    button = "document.querySelector('[data-go=play]').getBoundingClientRect().top"
    before = ana.evaluate(button)

    ana.keyboard.press("ArrowRight")

    ana.locator("#caption", has_text="Line 1").wait_for()
    assert ana.evaluate(
        """() => [...document.querySelectorAll("#caption, .moment-what > span")].every(
          (each) => each.scrollHeight <= each.clientHeight)"""
    )
    assert before == pytest.approx(ana.evaluate(button), abs=0.5)
    edge = "(id) => document.querySelector(id).getBoundingClientRect()"
    assert ana.evaluate(edge, "#live")["bottom"] <= ana.evaluate(edge, ".player")["top"]


@pytest.mark.parametrize(
    ("system", "word"), [("any-game", "Add a counter"), ("pokemon", "Add a card")]
)
def test_nothing_is_offered_where_a_seat_has_no_number(
    phone: Phones, running: Night, system: str, word: str
) -> None:
    ana, dan = phone(), phone()
    given = {"seats": {"ana": {}, "ben": {}}, "objects": {}}
    note = {"do": "note", "text": "Who begins?"}
    described = {**middle(system, 2), "given": given, "when": [note]}
    ana.goto(f"{Host(ana, running.site).played(described)}replay?line=1")
    link = ana.evaluate("`${document.querySelector('.player').dataset.link}?line=1`")
    dan.goto(running.site + re.sub(r"^https?://[^/]+", "", link))

    for each in (ana, dan):
        each.locator("#caption", has_text="Line 1").wait_for()
        assert not each.get_by_text(word).locator("visible=true").count()


def test_the_cursor_reads_all_charts_by_finger_and_by_keys(phone: Phones, running: Night) -> None:
    ana = phone(320, 640)
    host = Host(ana, running.site)
    taps = [
        {"do": "lose-life", "seat": "ana", "amount": 2000, "by": "ben"},
        {"do": "lose-life", "seat": "ben", "amount": 500, "by": "ana"},
        {"do": "lose-life", "seat": "ana", "amount": 1000, "by": "ben"},
    ]
    table = host.played(
        {
            "id": "duel", "title": "Duel", "system": "yu-gi-oh", "when": taps, "then": {},
            "given": {"seats": {"ana": {}, "ben": {}}}, "names": {"ana": "Ana", "ben": "Ben"},
        }
    )  # fmt: skip
    ana.goto(f"{table}summary")
    slider = ana.get_by_role("slider", name="Read the values at a time")
    values = ana.locator(".chart-value")

    assert 320 == ana.evaluate("document.documentElement.scrollWidth")
    assert "line 3, Ana 5000, Ben 7500" == slider.get_attribute("aria-valuetext")
    slider.focus()
    for key, said in (
        ("ArrowLeft", "6000 7500"),
        ("ArrowLeft", "6000 8000"),
        ("Home", "8000 8000"),
    ):
        slider.press(key)
        assert set(said.split()) == set(values.all_text_contents()), key
    assert ana.locator(".chart-reading").first.inner_text() == "line 0"

    ana.locator("h1").tap()
    assert {"5000", "7500"} == set(values.all_text_contents())
    plot = ana.locator(".chart-plot").bounding_box()
    ana.touchscreen.tap(plot["x"] + plot["width"] / 2, plot["y"] + 90)
    assert {"6000", "8000"} == set(values.all_text_contents())
    gutter = ana.locator(".chart-gutter").bounding_box()
    for tick in ana.locator(".chart-gutter text").all():
        assert tick.bounding_box()["x"] >= gutter["x"]


def test_letters_twice_as_large_widen_only_the_tables(phone: Phones, running: Night) -> None:
    """Text for screen readers in a table stays in it too."""
    ana = phone(360, 640)
    seats = ("ana", "ben", "cleo", "dan")
    taps = [
        {"do": "lose-life", "seat": seat, "amount": 120, "by": by}
        for seat in seats
        for by in seats
        if by != seat
    ]
    table = Host(ana, running.site).played(
        {
            "id": "four", "title": "Four", "system": "magic", "when": taps, "then": {},
            "given": {"seats": {seat: {"life": 400} for seat in seats}},
            "names": {seat: seat.capitalize() for seat in seats},
        }
    )  # fmt: skip
    ana.goto(f"{table}summary")
    ana.evaluate("document.documentElement.style.fontSize = '200%'")

    dealt = ana.get_by_role("region", name="Who dealt what")
    assert dealt.evaluate("(each) => each.scrollWidth > each.clientWidth")
    assert 360 == ana.evaluate("document.documentElement.scrollWidth")
