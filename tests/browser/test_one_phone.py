"""One phone for all: the taps that an act takes, and that what a part opens stays in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.rules.dice import FIRST_TURN
from tests.night import Night
from tests.types import Phones

from .tables import CONNECTED, Host

pytestmark = pytest.mark.browser

SIZES = [(390, 844), (360, 640), (844, 390)]
# Whether an open dialog lies in the part of *seat* and faces its player, and what of it is cut.
# A part that is narrower than a dialog needs lends it some of its neighbour's room.
STAYS = """([dialog, seat]) => {
  const box = (each) => each.getBoundingClientRect();
  const [open, part] = [document.getElementById(dialog), document.getElementById(`s-${seat}`)];
  const inside = (one, whole) => one.left >= whole.left - 1 && one.right <= whole.right + 1 &&
    one.top >= whole.top - 1 && one.bottom <= whole.bottom + 1;
  const wrong = [];
  if (!open.open) wrong.push("closed");
  if (open.style.rotate !== `${part.dataset.facing}deg`) wrong.push("turned away");
  const whole = part.offsetWidth < 240 ? document.documentElement : part;
  if (!inside(box(open), box(whole))) wrong.push("outside");
  for (const button of open.querySelectorAll("#pad button")) {
    if (!button.checkVisibility()) continue;
    const { offsetWidth: width, offsetHeight: height } = button;
    if (!inside(box(button), box(open)) || Math.min(width, height) < 32) {
      wrong.push(`${button.textContent.trim()} ${width}x${height}`);
    }
  }
  return wrong;
}"""


# What is wrong with the counters of what Ben has taken: turned away, not in their part, or small.
COUNTERS = """() => {
  const box = (each) => each.getBoundingClientRect();
  const inside = (one, whole) => one.left >= whole.left - 2 && one.right <= whole.right + 2 &&
    one.top >= whole.top - 2 && one.bottom <= whole.bottom + 2;
  const facing = `${document.getElementById("s-ben").dataset.facing}deg`;
  return [...document.querySelectorAll("[data-tally]:not([data-tally=ben])")].flatMap((each) => {
    const part = document.getElementById(`s-${each.dataset.tally}`);
    const wrong = each.style.rotate === facing ? [] : ["turned away"];
    if (!inside(box(each), box(part))) wrong.push("outside");
    for (const button of each.querySelectorAll("button")) {
      const { offsetWidth: width, offsetHeight: height } = button;
      if (!inside(box(button), box(part)) || Math.min(width, height) < 32) {
        wrong.push(`${button.textContent} ${width}x${height}`);
      }
    }
    return wrong.map((what) => `${each.dataset.tally}: ${what}`);
  });
}"""
# The counters of a part that lie over one another or over its name, or are small.
OVERLAPPING = """(part) => {
  const tiles = [...document.querySelectorAll(`${part} .places > li`)];
  const shown = [document.querySelector(`${part} .seat-name`), ...tiles].filter((each) =>
    each.checkVisibility());
  const boxes = shown.map((each) => each.getBoundingClientRect());
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1 ||
    one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  const over = boxes.some((one, n) => boxes.some((other, m) => n < m && !apart(one, other)));
  const small = tiles.filter((each) => each.offsetWidth < 56 || each.offsetHeight < 44);
  return [...(over ? ["over one another"] : []), ...small.map((each) => each.textContent)];
}"""
# Buttons of the spine that are cut, rows of amounts that are, and numbers on their signs.
CUT = """() => {
  const cut = (each) =>
    each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
  const spine = document.getElementById("spine");
  const wrong = [spine, ...spine.querySelectorAll("button")].filter((each) =>
    each.checkVisibility() && cut(each)).map((each) => each.textContent);
  for (const part of document.querySelectorAll("#board > .seat")) {
    const range = document.createRange();
    range.selectNodeContents(part.querySelector(".is-hero > b"));
    const { width, height } = range.getBoundingClientRect();
    const sign = getComputedStyle(part.querySelector(".is-hero > button"), "::before");
    const free = part.offsetWidth - 2 * (parseFloat(sign.left) + parseFloat(sign.width));
    const number = part.dataset.facing % 180 ? height : width;
    if (number > free) wrong.push(`${part.id}: ${number} of ${free}`);
    const places = part.querySelector(".places");
    if (!part.querySelector(".flat-more").checkVisibility() && cut(places)) wrong.push(part.id);
  }
  return wrong;
}"""
# What of the end is turned away from Ben, out of sight, or lies over something else of it.
ENDS = """() => {
  const { facing } = document.getElementById("s-ben").dataset;
  const ends = [document.getElementById("moment"), document.getElementById("end")];
  const turned = (each) => parseFloat(getComputedStyle(each).rotate) || 0;
  const wrong = ends.filter((each) => turned(each) !== Number(facing)).map(({ id }) => id);
  const shown = [...document.querySelectorAll(
    "#moment :is(.seat-mark, .moment-says strong, .moment-blow), #end .button")];
  const visible = shown.filter((each) => each.checkVisibility());
  const boxes = visible.map((each) => each.getBoundingClientRect());
  const out = boxes.filter(({ left, top, right, bottom }) =>
    left < 0 || top < 0 || right > innerWidth || bottom > innerHeight);
  const over = boxes.filter((one, n) => boxes.slice(n + 1).some((other) =>
    one.left < other.right - 1 && other.left < one.right - 1 &&
    one.top < other.bottom - 1 && other.top < one.bottom - 1));
  return [...wrong, ...out, ...over, ...(boxes.length < 5 ? ["missing"] : [])];
}"""
SHOWN = "#board .is-hero > button, #board .seat-name, .flat-more, #spine > button"
UNDER = f"""() => [...document.querySelectorAll("{SHOWN}")].filter((each) => {{
  const {{ left, right, bottom, width }} = each.getBoundingClientRect();
  return width && (left < 46.5 || right > innerWidth - 46.5 || bottom > innerHeight - 20.5);
}}).map((each) => `${{each.className}} ${{JSON.stringify(each.getBoundingClientRect())}}`)"""
"""What can be tapped, and lies under the notch or the rounded corners of a phone held sideways."""


class Taps:
    """A finger on *page* that counts its taps."""

    def __init__(self, page: Any) -> None:
        self.page, self.count = page, 0

    def tap(self, what: str, **having: Any) -> None:
        """Tap the one thing in sight that *what* finds."""
        self.page.locator(f"{what} >> visible=true", **having).first.tap()
        self.count += 1

    def number(self, seat: str) -> None:
        """Tap the middle of a seat's number."""
        self.at(f"#s-{seat} .is-hero > b")

    def at(self, what: str) -> None:
        """Tap the middle of what *what* finds, at once: it may be there for seconds only."""
        box = self.page.locator(what).bounding_box()
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.count += 1

    def taken(self) -> int:
        """The taps since the last time."""
        taken, self.count = self.count, 0
        return taken


def together(page: Any, *what: str) -> None:
    """Tap the middles of what is found, with as many fingers, which come and go at once."""
    boxes = [page.locator(each).bounding_box() for each in what]
    points = [
        {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": n}
        for n, box in enumerate(boxes)
    ]
    wire = page.context.new_cdp_session(page)
    for kind, touches in (("touchStart", points), ("touchEnd", [])):
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def notched(page: Any, **insets: int) -> None:
    """Make the screen of *page* one of which a notch and round corners take so many pixels."""
    wire = page.context.new_cdp_session(page)
    wire.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})


def shows(page: Any, seat: str, number: int) -> None:
    page.locator(f"#s-{seat} .is-hero > b", has_text=str(number)).wait_for()


def lies(phone: Phones, site: str, seats: int, system: str = "magic") -> tuple[Any, Host, str]:
    """A phone in the middle of a game that goes on."""
    page = phone()
    host = Host(page, site)
    table = host.middle(system, seats)
    page.goto(f"{table}flat")
    page.wait_for_function(CONNECTED)
    return page, host, table


def test_three_taps_lead_from_the_home_page_to_four_parts_and_one_to_who_starts(
    phone: Phones, running: Night
) -> None:
    page = phone()
    finger = Taps(page)
    for taps in (3, 2):
        page.goto(f"{running.site}/")
        finger.tap("a[href='/new?rules=magic']")
        one = page.get_by_label("One phone for all")
        one.wait_for()
        if not one.is_checked():
            finger.tap("input[name=phones][value=one]")
        assert not page.get_by_label("What’s your name?").is_visible()
        finger.tap("button", has_text="Start")
        page.locator(".is-laid").wait_for()

        assert taps == finger.taken()
        assert 4 == page.locator("#board > .seat").count()

    for drawn in ("#next", "#moment button:enabled"):
        page.locator(drawn, has_text="Draw").wait_for()
        finger.tap(drawn)
        page.locator("#moment:empty").wait_for(state="attached")
        page.locator("#moment [data-lots]", has_text="starts").wait_for()
        assert 1 == finger.taken()
    assert page.locator("#moment .seat-mark").inner_text() in "1234"
    page.locator("#next", has_text="End turn").wait_for()


def test_the_usual_acts_take_as_many_taps_as_are_promised(phone: Phones, running: Night) -> None:
    page, _host, _table = lies(phone, running.site, 4)
    finger = Taps(page)

    for _loses in range(3):
        finger.tap("#s-ben .is-hero > button >> nth=0")
    shows(page, "ben", 24)
    assert 3 == finger.taken()
    page.locator("#s-ben .delta", has_text="−3").wait_for()
    assert 0 == page.locator("#s-ben .delta .seat-mark").count()  # anyone may have tapped it

    finger.number("cleo")
    finger.tap("#pad [data-key='1']")
    finger.tap("#pad [data-key='3']")
    finger.tap("#pad .is-main")
    shows(page, "cleo", 27)
    assert 4 == finger.taken()

    page.wait_for_function("() => document.getElementById('undo').textContent.includes('13')")
    finger.tap("#undo")
    shows(page, "cleo", 40)
    assert 1 == finger.taken()

    finger.tap("#spine [data-whole]")
    page.wait_for_function("() => document.fullscreenElement")
    page.evaluate("() => document.exitFullscreen()")
    assert 1 == finger.taken()

    finger.tap("#spine [data-other]", has_text="Combat")
    page.locator(".spine-step", has_text="Combat").wait_for()
    assert 1 == finger.taken()

    finger.tap("#next", has_text="End turn → Ben")
    page.locator("#s-ben.is-active").wait_for()
    assert 1 == finger.taken()
    assert page.evaluate("() => document.getElementById('spine').dataset.place") == "2"

    finger.tap("#s-cleo .flat-more")
    assert [] == page.evaluate(OVERLAPPING, "#s-cleo")
    finger.at("#s-cleo .places [data-kind=energy]")
    finger.at("#s-cleo .places [data-kind=energy].is-open > [name=more]")
    page.locator("#s-cleo [data-kind=energy] > b", has_text="2").wait_for()
    assert 3 == finger.taken()

    finger.at("#s-dan .seat-name")
    page.locator("#sheet[open] h2", has_text="Dan").wait_for()
    finger.at("#sheet summary >> text=Concede")
    finger.at("#sheet button >> text=Dan concedes")
    page.locator("#s-dan .panel.is-lost").wait_for()
    assert 3 == finger.taken()


@pytest.mark.parametrize(("amounts", "taps"), [((5,), 3), ((7, 2), 4)], ids=["five", "nine"])
def test_commander_damage_takes_few_taps_in_ones_own_part(
    phone: Phones, running: Night, amounts: tuple[int, ...], taps: int
) -> None:
    page, _host, _table = lies(phone, running.site, 4)
    finger = Taps(page)

    finger.tap("#s-ana .is-tally > a")
    page.locator(".flat-title", has_text="Ana has taken").wait_for()
    for by in amounts:
        finger.tap(f"[data-tally=ben] [data-by='{by}']")
    page.locator("[data-tally=ben] li > b", has_text=str(1 + sum(amounts))).wait_for()
    left = f"{20 - sum(amounts)} left"
    page.locator("[data-tally=ben] small", has_text=left).wait_for()
    shows(page, "ana", 34 - sum(amounts))
    finger.tap("[data-tally-ends]")

    assert 0 == page.locator("[data-tally]").count()
    assert taps == finger.taken()


def test_the_usual_acts_take_as_few_taps_on_ones_own_phone(phone: Phones, running: Night) -> None:
    page = phone()
    host = Host(page, running.site)
    host.open(host.middle("magic", 2))
    finger, mine = Taps(page), "#cockpit .is-hero > b"
    acts: list[tuple[int, list[str], str]] = [
        # taps, on what, until what is there
        (3, ["#cockpit .is-hero > button >> nth=0"] * 3, f"{mine} >> text=31"),
        (4, [mine, "#pad [data-key='1']", "#pad [data-key='3']", "#pad .is-main"],
         f"{mine} >> text=18"),
        (1, ["#undo"], f"{mine} >> text=34"),  # one line of the log
        (2, ["#cockpit [data-kind=energy] > b", "#cockpit .is-open > [name=more]"],
         "#cockpit [data-kind=energy] > b >> text=2"),
        (1, ["#cockpit [data-kind=monarch] > button"],
         "#cockpit [data-kind=monarch] > [aria-pressed=true]"),
        (1, ["#next"], ".phase-word >> text=Ben’s turn"),
        (3, ["#s-ana .seat-name", "#sheet summary >> text=Concede",
             "#sheet button >> text=Ana concedes"], "#moment .is-won"),
        (1, ["#end [data-again]"], "#moment [data-lots]"),
    ]  # fmt: skip
    for taps, on, until in acts:
        if on == ["#undo"]:
            page.wait_for_function(
                "() => /Undo ./.test(document.getElementById('undo').textContent)"
            )
        for each in on:
            finger.tap(each)
        page.locator(until).first.wait_for()
        assert taps == finger.taken(), on


def test_commander_damage_takes_three_taps_on_ones_own_phone(phone: Phones, running: Night) -> None:
    page = phone()
    host = Host(page, running.site)
    host.open(host.middle("magic", 4))
    finger = Taps(page)

    finger.tap("#cockpit .is-tally > a")
    page.locator("#sheet h2", has_text="Ana has taken").wait_for()
    finger.tap("#sheet [value='ana.ben-1'][data-by='5']")
    finger.tap("#sheet .sheet-close")

    page.locator("#cockpit .is-hero > b", has_text="29").wait_for()
    assert 3 == finger.taken()


@pytest.mark.parametrize("size", SIZES[:2], ids=str)
def test_commander_damage_covers_no_number_of_mine_and_offers_amounts_of_whose_turn_it_is(
    phone: Phones, running: Night, size: tuple[int, int]
) -> None:
    page = phone(*size)
    host = Host(page, running.site)
    host.open(host.middle("magic", 4))
    host.give(do="begin-turn", active=["cleo"])
    page.locator("#next", has_text="Cleo’s turn").wait_for()
    page.locator("#cockpit .is-tally > a").tap()
    page.locator("#sheet[open] .taken").wait_for()

    low, top = page.evaluate(
        "async () => { const sheet = document.getElementById('sheet');"
        "await Promise.all(sheet.getAnimations().map(({ finished }) => finished));"
        "return [sheet.getBoundingClientRect().bottom,"
        "document.querySelector('#cockpit .is-hero > b').getBoundingClientRect().top]; }"
    )
    assert low <= top + 8  # the room above its digits
    amounts = page.locator("#sheet .taken > li:has(.taken-more:visible)")
    assert ["ana.cleo-1"] == amounts.locator("b").evaluate_all(
        "(all) => all.map(({ dataset }) => dataset.of)"
    )
    assert "ana.cleo-1" == page.locator("#sheet .taken b").last.get_attribute("data-of")


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_tally_makes_each_other_part_a_counter_that_faces_its_taker(
    phone: Phones, running: Night, seats: int, size: tuple[int, int]
) -> None:
    page, _host, _table = lies(phone, running.site, seats)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator("#s-ben .is-tally > a").tap()
    page.locator("[data-tally=ana]").wait_for()

    assert [] == page.evaluate(COUNTERS)
    page.locator("[data-tally=ana] li > b").tap()
    page.locator("#pad[open]").wait_for()
    assert [] == page.evaluate(STAYS, ["pad", "ben"])
    assert "Ben · Hapatra, Vizier of Poisons" == page.locator("#pad-what").text_content()
    page.locator("#pad .pad-close").tap()

    page.locator("#s-ben [data-kind=commander_damage] > a").evaluate("(link) => link.click()")
    assert 0 == page.locator("[data-tally]").count()


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_what_a_part_opens_stays_in_it_and_faces_its_player(
    phone: Phones, running: Night, seats: int
) -> None:
    page, _host, _table = lies(phone, running.site, seats)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for which in (0, 1):
            page.locator("#spine [popovertarget]").tap()
            drawn = page.locator("#flat-layouts i").evaluate_all(
                "(parts) => parts.map((each) => Math.min(each.offsetWidth, each.offsetHeight))"
            )
            assert min(drawn) > 8, drawn
            page.locator(f"#flat-layouts [data-layout='{which}']").tap()
            Taps(page).number("ben")
            page.locator("#pad[open]").wait_for()
            assert [] == page.evaluate(STAYS, ["pad", "ben"]), (width, which)
            page.locator("#pad .pad-close").tap()
            page.locator("#s-ben .seat-name").tap()
            page.locator("#sheet[open] h2").first.wait_for()
            assert [] == page.evaluate(STAYS, ["sheet", "ben"]), (width, which)
            page.locator("#sheet .sheet-close").tap()


@pytest.mark.parametrize(
    ("system", "seats"), [("pokemon", 2), ("yu-gi-oh", 2), ("magic", 5), ("magic", 6)]
)
def test_no_word_of_the_spine_is_cut_and_no_number_lies_on_its_signs(
    phone: Phones, running: Night, system: str, seats: int
) -> None:
    page, _host, _table = lies(phone, running.site, seats, system)
    for which in (0, 1):
        page.locator("#spine [popovertarget]").tap()
        page.locator(f"#flat-layouts [data-layout='{which}']").tap()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise(requestAnimationFrame)")
            assert [] == page.evaluate(CUT), (width, which)


def test_a_sheet_of_one_part_leaves_the_others_their_taps(phone: Phones, running: Night) -> None:
    page, _host, _table = lies(phone, running.site, 4)
    finger = Taps(page)
    finger.tap("#s-ben .seat-name")
    page.locator("#sheet[open] h2").first.wait_for()

    for left in (39, 38):
        finger.tap("#s-cleo .is-hero > button >> nth=0")
        shows(page, "cleo", left)

    assert [] == page.evaluate(STAYS, ["sheet", "ben"])


def test_taps_of_two_fingers_at_once_both_count(phone: Phones, running: Night) -> None:
    page, _host, _table = lies(phone, running.site, 4)
    together(page, "#s-ana .is-hero > button >> nth=0", "#s-cleo .is-hero > button >> nth=1")
    shows(page, "ana", 33)
    shows(page, "cleo", 41)

    together(page, "#s-ana .places [data-kind=poison]", "#s-dan .places [data-kind=poison]")
    for seat, poison in (("ana", 3), ("dan", 5)):
        page.locator(f"#s-{seat} [data-kind=poison] > b", has_text=str(poison)).wait_for()

    together(page, "#next", "#s-ben .seat-name")
    page.locator("#s-ben.is-active").wait_for()
    page.locator("#sheet[open] h2", has_text="Ben").wait_for()
    assert [] == page.evaluate(STAYS, ["sheet", "ben"])


def test_a_seat_that_joins_takes_its_part_over_and_a_tap_brings_it_back(
    phone: Phones, running: Night
) -> None:
    page, host, table = lies(phone, running.site, 4)
    wide = "() => [...document.querySelectorAll('#board > .seat')].map((each) => each.offsetWidth)"
    assert [422, 422, 422, 422] == page.evaluate(wide)
    ben = phone()
    page.locator("[data-codes]").tap()
    page.locator("[data-code=dan]").wait_for()
    facing = "(code) => [code.style.rotate, code.offsetWidth, code.offsetHeight].join()"
    assert "90deg,422,171" == page.locator("[data-code=ben]").evaluate(facing)

    Host(ben, running.site).join(table, by=host)

    page.locator("#s-ben.is-strip").wait_for()
    assert 0 == page.locator("[data-code=ben]").count()
    page.locator("[data-codes]").tap()
    assert 0 == page.locator("[data-code]").count()
    assert [780, 64, 422, 422] == page.evaluate(wide)
    assert 0 == page.locator("#s-ben button:visible").count()
    assert not page.locator("#pad[open]").count()
    ben.evaluate("() => { window.felt = []; navigator.vibrate = (how) => felt.push(`${how}`); }")
    ben.locator("#ana\\.cell").tap()
    finger = Taps(page)
    finger.at("#s-ben")
    page.locator("#s-ben:not(.is-strip)").wait_for()
    finger.tap("#s-ben .is-hero > button >> nth=0")
    assert 2 == finger.taken()
    mine = ben.locator("#cockpit .is-hero > b")
    mine.filter(has_text="26").wait_for()

    ben.wait_for_function("() => felt.includes('60,60,60')")
    finger.tap("#next", has_text="End turn → Ben")
    ben.wait_for_function("() => felt.includes('350')")
    ben.evaluate("() => { felt.length = 0; localStorage.setItem('switch:hit', 'off'); }")
    ben.wait_for_timeout(3000)  # the next tap is a hit of its own
    finger.at("#s-ben .is-hero > button >> nth=0")
    mine.filter(has_text="25").wait_for()
    assert "60,60,60" not in ben.evaluate("() => felt")


def test_a_phone_that_dies_leaves_its_part_and_its_question_to_the_middle(
    phone: Phones, night: Callable[..., Night], port: int
) -> None:
    page, host, table = lies(phone, night(port, COUNTERSITE_HOST_AWAY="2").site, 4)
    ben = phone()
    Host(ben, host.site).join(table, by=host)
    page.locator("#s-ben.is-strip").wait_for()
    host.give(do="place", on="ben", counter="rad", amount=2)
    host.give(do="begin-turn", active=["ben"])
    host.give(do="begin-phase", phase="precombat-main")
    question = page.locator("#s-ben .question[data-kind=rad]")
    question.wait_for(state="attached")
    assert 0 == page.locator("#s-ben button:visible").count()

    ben.goto("about:blank")

    page.locator("#s-ben:not(.is-strip)").wait_for()
    Taps(page).tap("#s-ben .question label", has_text="→ 25")
    page.locator("#s-ben .is-hero > b", has_text="25").wait_for()
    ben.goto(table)
    page.locator("#s-ben.is-strip").wait_for()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_end_faces_who_has_won_with_its_blow_and_its_buttons_in_sight(
    phone: Phones, running: Night, size: tuple[int, int]
) -> None:
    page, host, table = lies(phone, running.site, 2)
    notched(page, left=47, top=47)
    host.give(do="lose-life", seat="ana", amount=60)
    page.locator("#moment .moment-blow", has_text="Ana lost 60 life").wait_for()
    page.wait_for_timeout(600)  # its mark comes in
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise(requestAnimationFrame)")

    assert [] == page.evaluate(ENDS)
    page.locator("#end .button", has_text="Summary").tap(trial=True)
    page.locator("#end .button", has_text="Play again").tap()
    page.wait_for_url(lambda url: url.endswith("/flat") and url != f"{table}flat")


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_beside_a_notch_no_word_is_cut_and_swords_stay_where_they_are_learnt(
    phone: Phones, running: Night, seats: int
) -> None:
    page = phone(844, 390)
    host = Host(page, running.site)
    page.goto(f"{host.fresh('magic', seats, preset='commander')}flat")
    page.wait_for_function(CONNECTED)
    notched(page, left=47, right=47, bottom=21)
    host.give(do="draw-seat", seat="ben", by_hand=True, **FIRST_TURN)
    page.locator("#next", has_text="End turn").wait_for()
    page.locator("#moment .is-turn").wait_for(state="detached")
    cut = "(button) => [button.scrollWidth - button.clientWidth, button.scrollHeight - 44]"
    assert [0, 0] == [max(0, by) for by in page.locator("#next").evaluate(cut)]
    more = page.locator("#s-ben .flat-more")
    Taps(page).tap("#s-ben .flat-more")
    page.locator("#s-ben.is-all").wait_for()
    head = page.locator("#s-ben > .seat-head").bounding_box()
    assert head["x"] + head["width"] <= more.bounding_box()["x"]
    name, act = (page.locator(f"#s-ben .seat-head {each}").first for each in ("h2", ".act"))
    box = name.bounding_box()
    assert box["x"] + box["width"] <= act.bounding_box()["x"]
    swords = "(tile) => getComputedStyle(tile, '::before').display"
    assert "block" == page.locator("#s-ben .is-tally > a").evaluate(swords)


def test_a_notch_covers_neither_sign_nor_word(phone: Phones, running: Night) -> None:
    page, _host, _table = lies(phone, running.site, 4)
    notched(page, left=47, right=47, bottom=21)
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_function(
        "() => getComputedStyle(document.getElementById('s-ana')).paddingRight === '47px'"
    )

    assert [] == page.evaluate(UNDER)


REACH_OUT = """(all) => all.filter((each) => {
  const [own, around] = [each, each.parentElement.closest("li, .seat")]
    .map((part) => part.getBoundingClientRect());
  return own.left < around.left - 1 || own.right > around.right + 1
    || own.top < around.top - 1 || own.bottom > around.bottom + 1;
}).map((each) => each.textContent)"""
"""The tiles of a part, and the marks in them, that reach out of it."""


CLIPPED = """(all) => all.filter((each) => {
  const [own, row] = [each, each.parentElement].map((part) => part.getBoundingClientRect());
  return own.left < row.left - 1 || own.right > row.right + 1
    || own.top < row.top - 1 || own.bottom > row.bottom + 1;
}).map((each) => each.closest(".seat").id)"""


def test_all_that_a_sixth_of_a_small_phone_counts_is_whole_beside_a_notch(
    phone: Phones, running: Night
) -> None:
    page, _host, _table = lies(phone, running.site, 6)
    notched(page, top=24)
    page.set_viewport_size({"width": 360, "height": 640})
    page.wait_for_function(
        "() => getComputedStyle(document.getElementById('s-cleo')).paddingLeft === '24px'"
    )
    assert [] == page.locator("#board .places > .is-tally").evaluate_all(CLIPPED)
    page.locator("#s-cleo > .flat-more").tap()
    page.locator("#s-cleo.is-all").wait_for()

    tiles = "#s-cleo .places > li, #s-cleo .is-tally [data-place]:not(.is-zero)"
    assert [] == page.locator(tiles).evaluate_all(REACH_OUT)


# The tallies that lie under the name or the button of their part.
COVERED = """() => [...document.querySelectorAll("#board .places > .is-tally")].filter((tally) => {
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1 ||
    one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  const beside = tally.closest(".seat").querySelectorAll(":scope > .flat-more, .seat-name");
  return [...beside].some((each) =>
    !apart(each.getBoundingClientRect(), tally.getBoundingClientRect()));
}).map((tally) => tally.closest(".seat").id)"""


@pytest.mark.parametrize("which", [0, 1])
def test_swords_lie_beside_name_and_button_in_the_smallest_part(
    phone: Phones, running: Night, which: int
) -> None:
    page, _host, _table = lies(phone, running.site, 6)
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("#spine [popovertarget]").tap()
    page.locator(f"#flat-layouts [data-layout='{which}']").tap()

    assert [] == page.evaluate(COVERED)


def test_a_strip_shows_its_number_beside_a_notch(phone: Phones, running: Night) -> None:
    page, host, table = lies(phone, running.site, 4)
    notched(page, top=47)
    Host(phone(), running.site).join(table, by=host)
    page.locator("#s-ben.is-strip").wait_for()

    number = page.locator("#s-ben .is-hero > b").bounding_box()
    assert 47 <= number["y"] < number["y"] + number["height"] <= 47 + 64
    assert number["width"] >= 24


def test_a_part_attacks_in_its_own_sheet_and_the_other_part_says_what_blocks(
    phone: Phones, running: Night
) -> None:
    page, _host, _table = lies(phone, running.site, 4)
    finger = Taps(page)

    finger.tap("#s-ben .flat-more")
    assert [] == page.evaluate(OVERLAPPING, "#s-ben")
    finger.tap("#s-ben a[href^='acts/combat']")
    page.locator("#sheet [data-all]").wait_for()
    assert [] == page.evaluate(STAYS, ["sheet", "ben"])
    finger.tap("#sheet [data-all]")
    finger.tap("#sheet .fighter[data-id=ben-2] summary")
    finger.tap("#sheet .fighter[data-id=ben-2] label:has([value=trample])")
    finger.tap("#sheet .is-main", has_text="Attack Cleo with 3")
    page.locator("#s-cleo .question[data-kind=blocks]").wait_for()
    assert 6 == finger.taken()

    page.locator("#s-cleo .prompt-asks small >> text=Ben").wait_for(state="attached")
    finger.tap("#s-cleo .question .is-main", has_text="No block")
    shows(page, "cleo", 33)
    assert 1 == finger.taken()
    page.locator("#s-cleo .delta", has_text="−7").wait_for()
    assert 0 == page.locator("#s-cleo .delta .seat-mark").count()  # who answered has not dealt it


def test_a_part_of_grand_archive_concedes_and_undo_brings_it_back(
    phone: Phones, running: Night
) -> None:
    page, _host, _table = lies(phone, running.site, 4, "grand-archive")
    finger = Taps(page)
    finger.tap("#s-ben .seat-name")
    finger.tap("#sheet summary >> text=Concede")
    finger.tap("#sheet button >> text=Ben concedes")
    page.locator("#s-ben .panel.is-lost").wait_for()
    finger.tap("#undo")
    page.locator("#s-ben .panel:not(.is-lost)").wait_for()
    assert 4 == finger.taken()


def test_the_spine_of_a_game_without_turns_has_no_empty_button(
    phone: Phones, running: Night
) -> None:
    page = phone()
    page.goto(f"{Host(page, running.site).fresh('own-game', 4)}flat")
    page.locator(".is-laid").wait_for()

    page.wait_for_function("() => document.getElementById('next').disabled")
    assert not page.locator("#next").is_visible()


def test_text_twice_as_large_stays_in_the_spine(phone: Phones, running: Night) -> None:
    page, _host, _table = lies(phone, running.site, 4)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate("() => new Promise(requestAnimationFrame)")

    spine = page.locator("#spine").evaluate("(each) => each.offsetHeight")
    assert page.locator("#next").evaluate("(each) => each.offsetHeight") <= spine


@pytest.mark.parametrize("size", SIZES[:2], ids=str)
def test_of_two_equal_pokemon_an_attack_says_in_a_part_whose_each_is(
    phone: Phones, running: Night, size: tuple[int, int]
) -> None:
    page, _host, _table = lies(phone, running.site, 2, "pokemon")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    Taps(page).tap("#s-ben .flat-more")
    Taps(page).tap("#s-ben a[href^='acts/attack']")
    names = page.locator("#sheet .sides > p > b")
    names.filter(has_text="Ben").wait_for()
    cut = """(all) => all.filter((each) => each.scrollWidth > each.clientWidth ||
      each.scrollHeight > each.clientHeight + 2).length"""
    assert 0 == names.evaluate_all(cut)


# Of an attack or its question in a part: what cannot be tapped or read without a scroll.
UNREADABLE = """([part, ...shown]) => shown.filter((what) => {
  const [each, whole] = [document.querySelector(`${part} ${what}`), document.querySelector(part)];
  const own = each.getBoundingClientRect();
  const box = whole.getBoundingClientRect();
  const there = document.elementFromPoint((own.left + own.right) / 2, (own.top + own.bottom) / 2);
  return !(each.contains(there) || there?.contains(each) && there !== whole) ||
    each.offsetWidth < 60 || own.left < box.left - 1 || own.right > box.right + 1;
})"""


@pytest.mark.parametrize(("seats", "size"), [(4, (390, 844)), (6, (360, 640))], ids=str)
def test_an_attack_and_who_blocks_it_are_read_without_a_scroll_in_the_smallest_part(
    phone: Phones, running: Night, seats: int, size: tuple[int, int]
) -> None:
    page, _host, _table = lies(phone, running.site, seats)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    Taps(page).tap("#s-ana .flat-more")
    Taps(page).tap("#s-ana a[href^='acts/combat']")
    page.locator("#sheet [data-all]").tap()
    page.locator("#sheet .targets >> text=→").first.wait_for()
    shown = [".fighter > b", ".targets > button", ".is-main"]
    assert [] == page.evaluate(UNREADABLE, ["#sheet", *shown])

    page.locator("#sheet .is-main").tap()
    page.locator("#s-ben .question[data-kind=blocks] .is-worse").first.wait_for()
    page.locator("#moment:empty").wait_for(state="attached")
    shown = ["h2", ".blocked b", ".blocked + label", ".is-main", "[data-event]:has(.is-worse)"]
    assert [] == page.evaluate(UNREADABLE, ["#s-ben", *(f".prompt {each}" for each in shown)])
