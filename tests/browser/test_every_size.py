"""Nothing is cut, covered or wider than the screen, on phones and touch tablets, in mid-game.

On a touch device a page grows as wide as the widest thing in it, and all of it is drawn smaller:
what `overflow` hides on a desktop then puts the cockpit out of sight. So these are `is_mobile`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.night import Night

from .tables import SEATS, Host, middle

pytestmark = pytest.mark.browser
WHOLE = (Path(__file__).parent / "whole.js").read_text()
PHONES = ((390, 844), (360, 640), (844, 390))
TABLETS = ((820, 1180), (1180, 820), (1024, 768), (1280, 800))
LETTERS = ("16px", "32px")
USUAL = [("magic", 4), ("magic", 6), ("grand-archive", 6), ("yu-gi-oh", 4), ("pokemon", 2)]
OTHERS = [(system, n) for system, counts in SEATS.items() for n in counts]
TABLES = [*USUAL, *(each for each in OTHERS if each not in USUAL)]
SEVEN = {
    "poison": 9,
    "rad": 12,
    "energy": 4,
    "experience": 5,
    "ticket": 3,
    "voyage": 2,
    "acorn": 21,
}
# Two frames: what a row does not show is counted in the first.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
MORE = "(cards) => document.querySelectorAll('.seat.is-mine .card').length > cards"
HALVES = """() => [...document.querySelectorAll('[data-cockpit] .hero .is-hero > button')]
  .map((each) => each.getBoundingClientRect().toJSON())"""


def touch(chromium: Any) -> Any:
    return chromium.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
        service_workers="block",
    )


@pytest.fixture(scope="module")
def screens(chromium: Any, running: Night) -> Iterator[tuple[Host, Host]]:
    """A seat's screen and a watcher's, the same two for all tests of this file."""
    contexts = [touch(chromium), touch(chromium)]
    hosts = [Host(context.new_page(), running.site) for context in contexts]
    yield hosts[0], hosts[1]
    for context in contexts:
        context.close()


def crowded(system: str, count: int) -> dict[str, Any]:
    """A game in its middle in which, at a table for it, two have seven counters and one is out."""
    described = middle(system, count)
    if system == "pokemon":
        del described["given"]["objects"]["ana-6"]  # the Bench has room for one more
    if system == "magic":
        seats = described["given"]["seats"]
        ana, ben, *others = seats.values()
        ana["counters"] = {**SEVEN, "poison": 2}
        ben |= {"counters": SEVEN, "life": 179}
        if others:
            others[-1] |= {"counters": {"poison": 10, "rad": 3}}
    return described


def cut(page: Any, letters: Any = LETTERS, sheet: bool = False) -> dict[Any, list[str]]:
    """Faults of the page, by size of its letters and of the screen."""
    found = {}
    for size in letters:
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
        for width, height in PHONES + TABLETS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            asked = {"width": width, "height": height, "sheet": sheet}
            if wrong := page.evaluate(WHOLE, asked):
                found[size, width, height] = wrong
    return found


LINES = 12
"""More than the end of the log has room for beside the seats of a tablet."""


def played(ana: Host, system: str, count: int) -> str:
    """The address of a crowded table, at which Ana's screen is."""
    described = crowded(system, count)
    if system == "magic":
        described["when"] = [
            {
                "do": "create",
                "by": "ana",
                "name": f"Bear {n}",
                "types": ["creature"],
                "as": f"bear-{n}",
            }
            for n in range(LINES)
        ]
    ana.page.set_viewport_size({"width": 1024, "height": 768})
    address = ana.played(described)
    page = ana.open(address)
    if system == "magic":
        page.locator(".latest > li").nth(LINES - 1).wait_for(state="attached")
    return address


@pytest.mark.parametrize(("system", "count"), USUAL)
def test_nothing_is_cut_at_any_size(screens: tuple[Host, Host], system: str, count: int) -> None:
    """The same table from a seat and as a watcher."""
    ana, watcher = screens
    address = played(ana, system, count)
    assert {} == cut(ana.page)

    link = re.search(r'href="[^"]+(/w/[^"]+)"', ana.web.get(f"{address}share").text())
    assert link
    watcher.open(f"{watcher.site}{link[1]}")
    assert {} == cut(watcher.page)


def test_others_stand_two_abreast_on_a_tablet_held_sideways(screens: tuple[Host, Host]) -> None:
    ana, _ = screens
    page = ana.open(ana.middle("magic", 4))
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    page.set_viewport_size({"width": 1180, "height": 820})
    page.evaluate(DRAWN)
    ben, cleo = (page.locator(f"#s-{seat} .hero").bounding_box() for seat in ("ben", "cleo"))

    assert ben["y"] == cleo["y"]
    assert ben["x"] + ben["width"] < cleo["x"]


HURT: dict[str, dict[str, Any]] = {
    "ballista": {"name": "Walking Ballista", "types": ["artifact", "creature"], "marked": 4,
                 "base": {"power": 0, "toughness": 0}, "counters": {"+1/+1": 4}},
    "colossus": {"name": "Darksteel Colossus", "types": ["artifact", "creature"], "marked": 12,
                 "base": {"power": 11, "toughness": 11}, "indestructible": True,
                 "until": {"indestructible": False}},
    "cook": {"name": "Asmoranomardicadaistinaculdacar", "types": ["creature"], "marked": 6,
             "base": {"power": 3, "toughness": 3},
             "counters": {"+1/+1": 15, "shield": 1, "flying": 1, "stun": 1}},
    "ben-commander": {"name": "Benjamin Langname’s commander", "types": ["creature"], "casts": 3,
                      "commander": True, "base": {"power": 12, "toughness": 12}, "marked": 11,
                      "tapped": True, "counters": {"+1/+1": 12, "time": 3}},
    "angel": {"name": "Serra Angel", "types": ["creature"], "base": {"power": 4, "toughness": 4},
              "marked": 5, "changes": [{"how": "add", "amounts": {"power": 3, "toughness": 3}}]},
    "rock": {"name": "Rock", "types": ["artifact"]},
}  # fmt: skip
ROWS = """() => {
  const cards = [...document.querySelectorAll("#board .seat.is-chosen .zone .card")]
    .filter((card) => card.checkVisibility() && !card.closest(".pile"));
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
    || one.bottom <= other.top + 3 || other.bottom <= one.top + 3;
  const wrong = cards.flatMap((card) => {
    const around = card.getBoundingClientRect();
    const parts = [...card.querySelectorAll("h3, li, p > :not(.unseen)")]
      .filter((part) => part.checkVisibility() && part.getBoundingClientRect().width > 1)
      .map((part) => [part.textContent, part.getBoundingClientRect()]);
    return parts.flatMap(([text, one], n) => {
      const leaves = one.left < around.left - 1 || one.right > around.right + 1;
      const on = parts.slice(n + 1).filter(([, other]) => !apart(one, other));
      return [...(leaves ? [`${text} leaves`] : []), ...on.map(([other]) => `${text} on ${other}`)];
    });
  });
  return [[...new Set(cards.map((card) => card.offsetHeight))], wrong];
}"""
"""The heights of the rows on the stage, and what in them lies on something else."""


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_a_row_keeps_its_height_and_nothing_overlaps(
    screens: tuple[Host, Host], language: str
) -> None:
    ana, _ = screens
    games = [middle("pokemon", 2), middle("grand-archive", 2), middle("magic", 2)]
    games[2]["given"]["objects"] = {key: {"owner": "ana", **card} for key, card in HURT.items()}
    cookie = {"name": "django_language", "value": language, "url": ana.site}
    ana.page.context.add_cookies([cookie])
    try:
        for game in games:
            page = ana.open(ana.played(game))
            assert language == page.locator("html").get_attribute("lang")
            for letters in LETTERS:
                page.evaluate(
                    "(size) => { document.documentElement.style.fontSize = size; }", letters
                )
                rows_are_whole(page, letters)
    finally:
        ana.page.context.clear_cookies(name="django_language")


def rows_are_whole(page: Any, letters: str) -> None:
    for width, height in PHONES + TABLETS[:2]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        heights, wrong = page.evaluate(ROWS)
        assert [] == wrong, (letters, width)
        if letters == LETTERS[0]:
            assert [56] == heights, width
        elif width >= 608:  # below, names stand above their numbers
            assert 1 == len(heights), width


CUT = """() => [...document.querySelectorAll(".phase-word b, #next, .names > li, .seat-name h2")]
  .filter((part) => part.checkVisibility() && !part.closest(".seat:not(.is-chosen)"))
  .filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.textContent)"""
"""Words that are not whole: of the phase, the next step, the signs of a first game, and a name."""
LONG = "Benjamin Langname"


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_words_are_whole_and_a_long_name_moves_nothing(
    chromium: Any, running: Night, language: str
) -> None:
    context = touch(chromium)
    ana = Host(context.new_page(), running.site)
    cookie = {"name": "django_language", "value": language, "url": ana.site}
    ana.page.context.add_cookies([cookie])
    long = {**middle("magic", 3), "names": {"ana": "Ana", "ben": LONG, "cleo": "Cleo"}}
    tables = [ana.middle("magic", 3), ana.played(long), ana.middle("yu-gi-oh", 2)]
    halves = []
    for address in tables:
        page = ana.open(address)
        for letters in LETTERS:
            page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", letters)
            for width, height in PHONES + TABLETS[:2]:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(DRAWN)
                assert [] == page.evaluate(CUT), (address, letters, width)
                halves.append(page.evaluate(HALVES))
    context.close()

    each = len(halves) // len(tables)
    assert halves[:each] == halves[each : 2 * each], "the name of who is next moves the hero"


def test_the_head_of_ones_own_cards_is_no_wider_than_the_phone(
    chromium: Any, running: Night
) -> None:
    context = touch(chromium)
    ana = Host(context.new_page(), running.site)
    cookie = {"name": "django_language", "value": "de", "url": ana.site}
    context.add_cookies([cookie])
    page = ana.open(ana.fresh("magic", 2, name=LONG))
    page.set_viewport_size({"width": 360, "height": 640})

    assert page.evaluate("""() => {
      const add = document.querySelector(".seat.is-mine .add-card");
      return add.getBoundingClientRect().right - parseFloat(getComputedStyle(add).paddingRight);
    }""") <= 360  # fmt: skip
    context.close()


def test_a_tablet_says_whose_cards_are_below(screens: tuple[Host, Host]) -> None:
    ana, _ = screens
    page = ana.open(ana.middle("magic", 4))
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    page.set_viewport_size({"width": 820, "height": 1180})
    page.locator('#live[data-below="Dan"]').wait_for()
    page.locator("#board").evaluate("(board) => board.scrollTo(0, board.scrollHeight)")
    page.locator('#live[data-below=""]').wait_for()


def test_the_main_button_of_a_sheet_has_the_seats_colour(
    chromium: Any, running: Night, screens: tuple[Host, Host]
) -> None:
    ana, _ = screens
    context = touch(chromium)
    ben = Host(context.new_page(), running.site)
    address = ana.middle("magic", 2)
    ana.open(address)
    ben.join(address, ana)
    page = ben.page
    page.locator(".seat.is-mine .add-card").dispatch_event("click")
    main = page.locator("#sheet #new-card button.is-main:visible").first
    main.wait_for()
    colour = "(button) => getComputedStyle(button).backgroundColor"
    own = page.locator("#strip .is-mine .seat-mark").evaluate(colour)
    shown = main.evaluate(colour)
    context.close()

    assert own == shown


BESIDE = """(notch) => [...document.querySelectorAll(
    ":is(#live, dialog[open], .tv-column) :is(a, button, b, h2, h3, p, summary, input, progress)")]
  .filter((part) => part.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((part) => !part.closest(".unseen"))
  .map((part) => [part, part.getBoundingClientRect()])
  .filter(([, { width }]) => width > 1)
  .filter(([, { left, right }]) => left < notch - 1 || right > innerWidth - notch + 1)
  .map(([part]) => `${part.tagName} ${part.className} ${part.textContent.trim().slice(0, 20)}`)"""
"""What lies under a notch of that many pixels at the left or the right."""


def test_nothing_lies_under_the_notch_of_a_phone_held_sideways(
    screens: tuple[Host, Host],
) -> None:
    ana, _ = screens
    address = ana.middle("magic", 4)
    page = ana.open(address)
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    page.set_viewport_size({"width": 844, "height": 390})
    wire = page.context.new_cdp_session(page)
    insets = {"left": 47, "right": 47, "bottom": 21}
    wire.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    try:
        page.evaluate(DRAWN)
        assert "47px" == page.evaluate("getComputedStyle(document.body).paddingLeft")
        assert [] == page.evaluate(BESIDE, 47)
        for opens in (".seat.is-mine .seat-name", ".seat.is-mine .add-card"):
            page.locator(opens).tap()
            page.locator("#sheet[open] h2").first.wait_for()
            assert [] == page.evaluate(BESIDE, 47), opens
            page.keyboard.press("Escape")
            page.locator("#sheet:not([open])").wait_for(state="attached")
        for other, drawn in (("flat", "body.is-laid"), ("tv", ".tv .cell")):
            page.goto(f"{address}{other}")
            page.locator(drawn).first.wait_for()
            assert [] == page.evaluate(BESIDE, 47), other
    finally:
        wire.detach()


def test_nothing_is_cut_on_a_gms_screen(screens: tuple[Host, Host]) -> None:
    gm, _ = screens
    page = gm.open(gm.demo("stars-and-signs"))
    assert {} == cut(page)


@pytest.mark.parametrize(("system", "count"), [each for each in TABLES if each not in USUAL])
def test_nothing_is_cut_with_any_number_of_seats(
    screens: tuple[Host, Host], system: str, count: int
) -> None:
    played(screens[0], system, count)
    assert {} == cut(screens[0].page, LETTERS[:1])


@pytest.mark.parametrize("system", SEATS)
def test_sheets_are_whole_and_a_card_that_is_added_widens_nothing(
    screens: tuple[Host, Host], system: str
) -> None:
    ana, _ = screens
    page = ana.open(ana.played(crowded(system, max(SEATS[system]))))
    for opens in (".seat.is-mine .seat-name", ".seat.is-mine .add-card"):
        page.locator(opens).tap()
        page.locator("#sheet[open] h2").first.wait_for()
        assert {} == cut(page, LETTERS[:1], sheet=True), opens
        if opens.endswith("card"):
            cards = page.locator(".seat.is-mine .card").count()
            page.locator("#sheet #new-card button.is-main:visible").first.tap()
            page.wait_for_function(MORE, arg=cards)
        page.keyboard.press("Escape")
        page.locator("#sheet:not([open])").wait_for(state="attached")
    page.locator("#moment > *").wait_for(state="detached")
    assert {} == cut(page, LETTERS[:1])


@pytest.mark.parametrize("size", [*PHONES, *TABLETS])
def test_the_halves_stay_where_they_are_whatever_counters_come(
    screens: tuple[Host, Host], size: tuple[int, int]
) -> None:
    ana, _ = screens
    page = ana.open(ana.fresh("magic", 4, "commander"))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    before = page.evaluate(HALVES)
    for kind, amount in SEVEN.items():
        ana.give(do="place", on="ana", counter=kind, amount=amount)
    more = page.locator("#more-places")
    last = page.locator('[id="ana.acorn"]')
    last.wait_for(state="attached")
    page.evaluate(DRAWN)
    assert before == page.evaluate(HALVES)
    assert "…" == more.inner_text()

    more.tap()
    page.locator("#cockpit .places.is-all").wait_for()
    box = last.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator('li.is-open > [id="ana.acorn"]').wait_for()
    page.locator("#board").tap(position={"x": 4, "y": 60})
    page.locator("#cockpit .places:not(.is-all)").wait_for()
    assert before == page.evaluate(HALVES)
