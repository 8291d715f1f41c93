"""A game begins, and its turns: who starts and what comes next, in one tap on every phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import Host, join, start
from .test_two_phones import shows

pytestmark = pytest.mark.browser

OVER = """([over, under]) => {
  const box = (each) => document.querySelector(each).getBoundingClientRect();
  const [one, other] = [box(over), box(under)];
  const within = (from, to) => one[from] < other[to] && other[from] < one[to];
  return within('top', 'bottom') && within('left', 'right');
}"""
LAMPS = """() => {
  window.lamps = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.dataset.lamp === "0" && target.dataset.choose) lamps.push(target.dataset.choose);
    }
  }).observe(document.getElementById("live"), { subtree: true, attributeFilter: ["data-lamp"] });
}"""
"""Notes, on a page, on which cells the lamp of the lots was."""
TAPS_AT_ONCE = """() => {
  new MutationObserver((_changes, seen) => {
    const won = document.querySelector("#moment .is-won");
    if (!won) return;
    seen.disconnect();
    won.click();
    window.stays = won.isConnected;
  }).observe(document.getElementById("moment"), { childList: true });
}"""
"""Taps, on a page, whoever has won as soon as that is there."""
FREE = """() => [...document.querySelectorAll('.end-says .button')].filter((each) => {
  if (!each.checkVisibility()) return false;
  each.scrollIntoView({block: 'center'});
  const box = each.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height - 3];
  return !each.contains(document.elementFromPoint(x, y));
}).map((each) => each.textContent)"""


def test_the_first_seat_is_asked_for_once_when_all_are_seated_and_drawn_for_everyone(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(360, 640), phone()
    code = start(ana, running.site, "magic", 2, "free-for-all")
    assert 0 == ana.locator(".who-starts").count()
    join(ben, running.site, code)
    question = ana.locator(".who-starts:not(.is-copy *)")
    question.wait_for()
    watcher = phone()
    Host(watcher, running.site).watch(code)
    assert not watcher.locator(".who-starts").is_visible()
    ben.emulate_media(reduced_motion="reduce")
    for each in (ana, ben, watcher):
        each.evaluate(LAMPS)
    question.get_by_role("button", name="Draw lots").tap()

    for each in (ana, ben, watcher):
        each.locator("#moment .is-turn", has_text="start").wait_for()
        assert 0 == each.locator(".chance-result").count()
    for each in (ana, ben):
        each.locator(".who-starts").wait_for(state="detached")
    started = [each.locator("#moment strong").inner_text() for each in (ana, ben, watcher)]
    assert "You start" in started
    assert started[2] in ("Ana starts", "Ben starts")
    seat = started[2].split()[0].lower()
    run = ["ana", "ben"] * 3 if seat == "ben" else ["ben", "ana"] * 3
    lamps = [each.evaluate("() => lamps") for each in (ana, ben, watcher)]
    assert [run, [], run] == lamps
    first = ana if started[0] == "You start" else ben
    first.locator("#next", has_text="End turn").wait_for()
    ana.reload()
    ana.locator("#board").wait_for()
    assert 0 == ana.locator(".who-starts").count()


def test_the_first_seat_may_be_said_and_is_not_asked_for_in_the_middle_of_a_game(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site, "magic", 2, "free-for-all"))
    ana.locator(".who-starts button", has_text="Ben").tap()
    ana.locator("#moment", has_text="Ben starts").wait_for()
    shows(ben, ".phase-word", "Main phaseBen’s turn")
    ben.locator(".who-starts").wait_for(state="detached")

    cleo, dan = phone(), phone()
    host = Host(cleo, running.site)
    host.open(host.middle("any-game", 2))
    join(dan, running.site, host.code(cleo.url), named=False)
    assert 0 == dan.locator(".who-starts").count()


def test_a_turn_of_magic_is_one_tap_and_rad_counters_are_one_more(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone()
    host = Host(ana, running.site)
    host.open(host.fresh("magic", 2, "free-for-all"))
    join(ben, running.site, host.code(ana.url))
    ana.locator(".who-starts button", has_text="Ana").tap()
    for player, follows in ((ana, "Ben"), (ben, "Ana")):
        player.locator("#next", has_text=f"End turn → {follows}").tap()
    shows(ana, ".phase-word", "Main phaseAna’s turn")

    host.give(do="place", on="ben", counter="rad", amount=2)
    ana.locator("#next", has_text="End turn → Ben").tap()
    ben.locator("#next", has_text="Resolve").wait_for()
    ben.wait_for_timeout(500)  # a tap on what has just come only chooses
    ben.locator("#dock .nonland label", has_text="→ 18 life").tap()
    ben.locator("#next", has_text="End turn → Ana").wait_for()
    shows(ana, '#strip [data-hero="ben"]', "18")


def test_the_grey_next_step_is_no_menu_and_the_menu_covers_no_life(
    phone: Phones, running: Night
) -> None:
    ana, ben = phone(), phone(360, 640)
    host = Host(ana, running.site)
    host.open(host.middle("magic", 4))
    join(ben, running.site, host.code(ana.url), named=False)
    grey = ben.locator("#next", has_text="Ana’s turn")
    grey.wait_for()
    assert grey.is_disabled()
    grey.dispatch_event("click")
    assert not ben.locator(".phase-menu").is_visible()

    ben.locator(".phase > summary").tap()
    ben.locator(".phase-menu").wait_for()
    for life in ("#strip", "#cockpit .hero"):
        assert not ben.evaluate(OVER, [".phase-menu", life]), life
    ana.locator("#next", has_text="End turn → Ben").tap()
    ben.locator(".phase-menu").wait_for(state="hidden")


def test_a_pokemon_turn_is_started(phone: Phones, running: Night) -> None:
    ana = phone()
    start(ana, running.site, "pokemon")

    ana.locator("#next", has_text="Start turn").tap()
    ana.locator("#next", has_text="End turn").wait_for()


def test_the_invitation_lists_who_comes_and_goes_to_the_table_when_it_is_full(
    phone: Phones, running: Night
) -> None:
    ana, ben, cleo = phone(360, 640), phone(), phone()
    host = Host(ana, running.site)
    address = host.fresh("any-game", 3)
    code = host.code(address)
    ana.goto(f"{address}share")
    assert ["Ana"] == ana.locator(".share-came bdi").all_inner_texts()
    Host(ben, running.site).sit_down(code)
    ana.locator(".share-came li").nth(1).wait_for()
    Host(cleo, running.site).sit_down(code)
    ana.wait_for_url(address)

    ana.goto(f"{address}share")  # the link is still found there
    ana.wait_for_timeout(3000)
    assert ana.url.endswith("share")


def test_at_the_end_nothing_lies_over_a_watchers_buttons_and_play_again_is_there_once(
    phone: Phones, running: Night
) -> None:
    ana, ben, cleo = phone(360, 640), phone(), phone(360, 640)
    code = start(ana, running.site, "magic", 2, "free-for-all")
    join(ben, running.site, code)
    Host(cleo, running.site).watch(code)
    ben.evaluate(TAPS_AT_ONCE)
    ana.locator("#s-ana .seat-name").tap()
    ana.locator("#sheet summary", has_text="Concede").tap()
    ana.get_by_role("button", name="Ana concedes").tap()
    cleo.locator(".end-says").wait_for()
    assert [] == cleo.evaluate(FREE)
    assert not cleo.locator(".end-says [data-again]").is_visible()

    assert ben.evaluate("stays"), "that finger was on its way to another"
    ben.wait_for_timeout(800)
    ben.locator("#moment .is-won").tap()
    ben.locator("#next", has_text="Play again").wait_for()
    assert not ben.locator(".end-says [data-again]").is_visible()
    over = ben.url
    ben.locator("#next").tap()
    for each in (ana, ben, cleo):
        each.locator("#moment .is-turn", has_text="start").wait_for()
    assert over != ben.url
    ben.wait_for_timeout(500)
    ben.reload()
    ben.locator("#board").wait_for()
    assert 0 == ben.locator("#moment > *").count(), "once"

    # By mistake: Undo takes everyone back; another's Undo has nothing to take back.
    ben.locator("#undo", has_text="The game before").tap()
    for each in (ana, ben, cleo):
        each.wait_for_url(over)
    ana.locator("#next", has_text="Play again").tap()
    ana.locator("#undo", has_text="The game before").wait_for()
    ben.wait_for_url(ana.url)
    ben.locator("#undo:disabled").wait_for()
    Host(ana, running.site).give(do="lose-life", seat="ben", amount=1)
    ana.locator("#undo", has_text="life").wait_for()


def test_a_remembered_name_is_typed_over(phone: Phones, running: Night) -> None:
    ana = phone()
    Host(ana, running.site)
    ana.goto(running.site)
    ana.evaluate("localStorage.setItem('name', 'Benjamin')")
    code = start(phone(), running.site, "any-game", 2)
    Host(ana, running.site).sit_down(code)
    ana.get_by_label("What’s your name?").tap()
    ana.keyboard.type("Ana")

    assert "Ana" == ana.get_by_label("What’s your name?").input_value()


def test_a_game_that_is_over_does_not_ask_who_starts(phone: Phones, running: Night) -> None:
    """Nobody has said whose turn it is, and Ben has lost all the same."""
    ana, ben = phone(), phone()
    join(ben, running.site, start(ana, running.site, "magic", 2, "free-for-all"))
    ana.locator(".who-starts:not(.is-copy *)").wait_for()
    Host(ana, running.site).give(do="leave", seat="ben")

    for each in (ana, ben):
        each.locator(".who-starts").wait_for(state="detached")
    ben.reload()
    ben.wait_for_selector("#board")
    assert 0 == ben.locator(".who-starts").count()


SIGNS = {
    "magic": [
        "poison", "rad", "energy", "commander damage", "the monarch", "More of the table",
        "Each opponent…",
    ],
    "grand-archive": ["level", "enlighten"],
    "yu-gi-oh": ["Whose number changes", "Less; tap it for more"],
    "pokemon": ["Prize cards"],
}  # fmt: skip
IN_SIGHT = """() => [...document.querySelectorAll('.names > li')].every((each) => {
  const box = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(box.left + 30, (box.top + box.bottom) / 2));
})"""


def opened(page: Any, site: str, system: str, preset: str = "") -> Any:
    host = Host(page, site)
    return host.open(host.fresh(system, 0, preset))


@pytest.mark.parametrize("system", SIGNS)
def test_every_sign_has_its_word_until_one_is_tapped(
    phone: Phones, running: Night, system: str
) -> None:
    page = opened(phone(360, 640), running.site, system, "commander" * (system == "magic"))
    words = page.locator(".names > li")
    words.first.wait_for()
    assert len(SIGNS[system]) == words.count()
    for word in SIGNS[system]:
        assert words.filter(has_text=word).is_visible(), word
    assert page.evaluate(IN_SIGHT)

    page.locator("[data-cockpit] .places > li").first.tap()
    words.first.wait_for(state="hidden")
    page.reload()
    page.locator("[data-cockpit] .hero").wait_for()
    assert 0 == page.locator(".names:visible").count()


def test_a_commander_is_in_sight_from_the_start(phone: Phones, running: Night) -> None:
    page = opened(phone(), running.site, "magic", "commander")
    page.locator(".seat.is-mine .pile[open] .card", has_text="Ana’s commander").wait_for()
    assert 0 == page.locator(".bare:visible").count()


@pytest.mark.parametrize(
    ("system", "word"), [("yu-gi-oh", "card"), ("pokemon", "card"), ("any-game", "thing")]
)
def test_an_empty_board_says_how_a_card_gets_there(
    phone: Phones, running: Night, system: str, word: str
) -> None:
    page = opened(phone(), running.site, system)
    page.locator(".bare a:visible", has_text=f"Add a {word}").tap()
    page.locator("#sheet #new-card button.is-main:visible").first.tap()
    page.locator(".seat.is-mine .card").first.wait_for()
    page.locator(".bare").first.wait_for(state="hidden")


@pytest.mark.parametrize("seated", [False, True])
def test_help_is_one_tap_away(phone: Phones, running: Night, seated: bool) -> None:
    host = Host(phone(*((1280, 800) if seated else (360, 640))), running.site)
    address = host.middle("magic", 2) if seated else host.fresh("magic", 2)
    page = host.open(address)
    if seated:
        Host(phone(), running.site).join(address, host)
        page.reload()
    page.locator('.tools [aria-label="Help"]').tap()

    page.get_by_role("heading", name="Ten things you do").wait_for()
    pictures = page.locator(".manual img")
    assert 11 == pictures.count()
    for n in range(11):
        pictures.nth(n).scroll_into_view_if_needed()
        page.wait_for_function("(n) => document.images[n].naturalWidth > 0", arg=n)
    page.go_back()
    page.locator("#cockpit .hero").first.wait_for()
