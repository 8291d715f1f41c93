"""Moments on phones: what one command did is one, what matters comes first, nothing comes late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .tables import Host, friday

pytestmark = pytest.mark.browser
SAID = "#moment .moment-says"
RULE = " Rule"
ALLY = {"name": "Ally 2", "types": ["ally"], "base": {"power": 1, "life": 1}}
# Every sentence that stood on the screen, with the milliseconds since then.
RECORD = """() => {
  window.told = [];
  const start = performance.now();
  new MutationObserver(() => {
    const parts = document.querySelectorAll("#moment .moment-says > :not(a)");
    const said = [...parts].map((each) => each.textContent).join("");
    const at = Math.round(performance.now() - start);
    if (said && told.at(-1)?.[1] !== said) told.push([at, said]);
  }).observe(document.getElementById("moment"), {childList: true, subtree: true});
}"""


def table(
    seated: Callable[[int], list[Host]], system: str, objects: dict[str, Any], count: int = 2
) -> list[Host]:
    """Two phones at a new game: Ana's and Ben's."""
    hosts = seated(count)
    seats: dict[str, Any] = {"ana": {}, "ben": {}}
    address = hosts[0].played(friday(system, {"seats": seats, "objects": objects}))
    hosts[0].open(address)
    for other in hosts[1:]:
        other.join(address, hosts[0])
    for host in hosts:
        host.page.evaluate(RECORD)
    return hosts


def sentence(page: Any) -> str:
    """The first sentence of what stands there, without the link to its rule."""
    return str(page.locator(SAID).inner_text()).removesuffix(RULE)


def said(page: Any) -> list[str]:
    return [text for _at, text in page.evaluate("window.told")]


def quiet(page: Any) -> None:
    page.wait_for_function("() => !document.querySelector('#moment > *')")


def test_one_command_is_one_moment_with_the_death_first(
    seated: Callable[[int], list[Host]],
) -> None:
    ally = {**ALLY, "owner": "ana", "counters": {"buff": 2}}
    ana, ben = table(seated, "grand-archive", {"ally": ally})

    ben.give(do="place", on="ally", counter="debuff", amount=3)

    ben.page.locator("#moment .moment").wait_for()
    also = ben.page.locator("#moment .moment-also")
    assert "Ally 2 lost 2 buff and 2 debuff counters: they cancel out" == also.inner_text()
    for host in (ana, ben):
        quiet(host.page)
        assert ["Ally 2 died: life 0 after 3 debuff"] == said(host.page)


def test_changes_of_one_card_within_three_seconds_are_added_up_and_told_once(
    seated: Callable[[int], list[Host]],
) -> None:
    wolf = {**ALLY, "name": "Wolf", "owner": "ana", "base": {"power": 1, "life": 9},
            "counters": {"buff": 5}}  # fmt: skip
    ana, ben = table(seated, "grand-archive", {"wolf": wolf})

    for _tap in range(5):
        ana.give(do="place", on="wolf", counter="debuff", amount=1)
    ana.page.locator(SAID, has_text="lost 5 buff and 5 debuff counters").wait_for()
    for page in (ana.page, ben.page):
        quiet(page)
        assert "Wolf lost 5 buff and 5 debuff counters: they cancel out" == said(page)[-1]
    ana.give(do="place", on="wolf", counter="buff", amount=1)
    ana.give(do="place", on="wolf", counter="debuff", amount=1)
    ana.page.locator(SAID).wait_for()
    ana.give(do="damage", on="wolf", amount=9)
    ana.page.locator(SAID, has_text="Wolf died").wait_for(timeout=1500)
    assert "Wolf died: 9 damage on 9 life" == sentence(ana.page)
    undo = ana.page.locator("#moment [data-entries]")
    undo.tap()
    ana.page.locator("#o-wolf").wait_for()
    took = ana.page.locator('#moment [data-moment="undo"]')
    assert "9 damage" in took.inner_text(), "it takes back what the sentence says"


def test_a_death_does_not_wait_and_what_is_old_is_not_told(
    seated: Callable[[int], list[Host]],
) -> None:
    cards = {
        f"c{n}": {**ALLY, "name": f"Card {n}", "owner": "ana", "base": {"power": 1, "life": 9},
                  "counters": {"buff": 3}}
        for n in range(6)
    } | {"late": {**ALLY, "name": "Squire", "owner": "ben"}}  # fmt: skip
    ana, ben = table(seated, "grand-archive", cards)

    for n in range(6):
        ana.give(do="place", on=f"c{n}", counter="debuff", amount=1)
    ana.give(do="damage", on="late", amount=2)

    ben.page.locator(SAID, has_text="Squire died").wait_for(timeout=1000)
    quiet(ben.page)
    moments = ben.page.evaluate("window.told")
    assert moments[-1][0] - moments[0][0] < 6000, moments
    assert len(moments) < 7, "what waited for longer than three seconds is only in the log"


def test_changes_by_others_to_my_cards_are_told_to_me_and_ring_in_the_strip(
    seated: Callable[[int], list[Host]],
) -> None:
    bears = {
        f"b{n}": {"name": f"Creature {n}", "types": ["creature"], "owner": "ana"} for n in range(22)
    }
    ana, ben = table(seated, "magic", bears)
    rung = "() => document.getElementById('ana.cell').classList.contains('is-touched')"

    ben.give(do="place", on="b1", counter="+1/+1", amount=1)
    ben.give(do="place", on="b1", counter="+1/+1", amount=1)
    ana.page.locator(SAID, has_text="Ben: 2 × +1/+1 on Creature 1").wait_for()
    ana.page.wait_for_function(rung)
    ben.page.wait_for_function(rung)
    assert [] == said(ben.page)

    ben.give(do="move", object=[*bears], to="graveyard")
    for page in (ana.page, ben.page):
        page.locator(SAID, has_text="Ben: 22 creatures to the graveyard").wait_for()
    undo = ben.page.locator("#undo")
    ben.page.wait_for_function("() => document.getElementById('undo').innerText.includes('22')")
    assert "Undo 22 creatures" == " ".join(undo.inner_text().split())


def test_ones_own_end_is_told_as_ones_own(seated: Callable[[int], list[Host]]) -> None:
    ana, ben = table(seated, "magic", {})

    ana.give(do="lose-life", seat="ben", amount=40)

    ana.page.get_by_text("Ben is out").first.wait_for()
    ben.page.locator("#moment .moment-also", has_text="You’re out").wait_for()
    assert not any("Ben is out" in each for each in said(ben.page))


BUTTONS = """() => [...document.querySelectorAll("#moment [data-does]")].map((button) =>
  ({does: button.dataset.does, x: button.getBoundingClientRect().x, dead: button.disabled}))"""


def test_a_loss_is_not_swapped_for_what_was_undone_before_it(
    seated: Callable[[int], list[Host]],
) -> None:
    ana, ben = table(seated, "magic", {})
    ana.give(do="lose-life", seat="ana", amount=1)
    ana.give(do="undo")
    ben.page.locator(SAID, has_text="Took back").wait_for()

    ana.give(do="lose-life", seat="ben", amount=40)

    for page in (ana.page, ben.page):
        quiet(page)
        told = page.evaluate("window.told")
        assert ["Took back", "out"] == [["out", "Took back"]["back" in text] for _at, text in told]


def test_a_moment_button_takes_no_tap_at_first_and_redo_is_not_where_undo_was(
    seated: Callable[[int], list[Host]],
) -> None:
    ana, _ben = table(seated, "magic", {})
    ana.give(do="lose-life", seat="ben", amount=40)
    ana.page.locator(SAID, has_text="You win").wait_for()
    (undo,) = ana.page.evaluate(BUTTONS)
    ana.page.evaluate("""() => new MutationObserver(() => window.dead ??=
      document.querySelector("#moment [data-does=redo]")?.disabled
    ).observe(document.getElementById("moment"), {childList: true, subtree: true})""")

    ana.page.locator("#moment [data-does=undo]").tap()
    ana.page.locator("#moment [data-does=redo]").wait_for()

    assert ana.page.evaluate("window.dead")
    (redo,) = ana.page.evaluate(BUTTONS)
    assert redo["x"] < undo["x"] - 100, "Redo is under the finger that was on Undo"


def test_who_has_won_is_said_once_by_the_moment_or_by_the_end(
    seated: Callable[[int], list[Host]],
) -> None:
    ana, ben = table(seated, "magic", {})
    ana.give(do="lose-life", seat="ben", amount=40)
    heading = "#end h2"

    ana.page.locator(SAID, has_text="You win").wait_for()
    assert not ana.page.locator(heading).is_visible()
    ben.page.locator(SAID, has_text="Ana wins").wait_for()
    assert not ben.page.locator(heading).is_visible()
    assert "You’re out" in ben.page.locator("#moment").inner_text()
    quiet(ana.page)
    assert "You win." == ana.page.locator(heading).inner_text()


def test_my_own_undo_stays_for_longer_until_i_go_on(
    seated: Callable[[int], list[Host]],
) -> None:
    ana, ben = table(seated, "magic", {})
    ana.give(do="lose-life", seat="ana", amount=1)
    ana.give(do="undo")
    for host in (ana, ben):
        host.page.locator(SAID, has_text="Took back").wait_for()

    quiet(ben.page)
    assert ana.page.locator(SAID, has_text="Took back").is_visible()
    ana.page.locator("#cockpit .hero button[name=lose-life]").tap()
    ana.page.wait_for_function("() => !document.querySelector('#moment > *')", timeout=2500)


def test_my_turn_is_not_announced_for_longer_than_it_lasts(
    seated: Callable[[int], list[Host]],
) -> None:
    ana, ben = table(seated, "magic", {})
    ana.give(do="begin-turn", active=["ben"])
    ben.page.locator(SAID, has_text="Your turn").wait_for()

    ben.give(do="begin-turn", active=["ana"])

    ben.page.wait_for_function("() => !document.querySelector('#moment > *')", timeout=1500)
    assert ["Your turn"] == said(ben.page)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_undo_button_is_never_a_cut_word_on_a_narrow_phone(
    seated: Callable[[int], list[Host]], language: str
) -> None:
    bears = {
        f"b{n}": {"name": f"Creature {n}", "types": ["creature"], "owner": "ana"} for n in range(22)
    }
    (ana,) = table(seated, "magic", bears, 1)
    page = ana.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.context.set_extra_http_headers({"Accept-Language": language})
    page.reload()
    page.wait_for_selector("#board")
    commands: list[dict[str, Any]] = [
        {"do": "move", "object": [*bears], "to": "graveyard"},
        {"do": "mark", "on": "ana", "mark": "monarch", "value": True},
        {"do": "throw", "dice": "2d20", "result": [3, 4], "by_hand": True},
        {"do": "lose-life", "seat": "ben", "amount": 40},
        {"do": "note", "text": "Ben owes a pizza"},
        {"do": "place", "on": "b3", "counter": "+1/+1", "amount": 12},
    ]
    cut = """() => {
      const words = document.querySelector("#undo span"), text = words.innerText;
      const wide = words.scrollWidth > words.clientWidth + 1;
      const high = words.scrollHeight > words.clientHeight + 1;
      return wide || high || text.includes("…") || text === words.parentElement.dataset.word;
    }"""
    for command in commands:
        ana.give(**command)
        page.reload()
        page.wait_for_selector("#board")
        page.wait_for_function(f"() => !({cut})()")
        rows, words = page.evaluate(ROWS)
        assert words.split() == " ".join(rows).split(), "a word is broken"


ROWS = """() => {
  const text = document.querySelector("#undo span").firstChild;
  const rows = [];
  let top = null;
  for (let i = 0; i < text.length; i++) {
    const range = document.createRange();
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    const box = range.getClientRects()[0];
    if (!box || !text.data[i].trim()) { if (rows.length) rows[rows.length - 1] += " "; continue; }
    if (top === null || Math.abs(box.top - top) > 4) { rows.push(""); top = box.top; }
    rows[rows.length - 1] += text.data[i];
  }
  return [rows.map((each) => each.trim()), text.data];
}"""


END = """() => [...document.querySelectorAll(".end-says .button")].filter((each) => {
  const {left, right, top, bottom} = each.getBoundingClientRect();
  const inside = document.elementFromPoint((left + right) / 2, bottom - 2);
  return each.checkVisibility() && !(top > 0 && each.contains(inside));
}).map((each) => each.textContent.trim())"""


FILLS = """() => {
  const { width, height } = document.querySelector("#moment .is-won").getBoundingClientRect();
  return width === innerWidth && height === innerHeight;
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_the_winner_fills_the_screen_but_for_the_buttons_of_the_end(
    seated: Callable[[int], list[Host]], size: tuple[int, int]
) -> None:
    (ana,) = seated(1)
    ana.page.set_viewport_size({"width": size[0], "height": size[1]})
    ana.open(ana.fresh("magic", 4, preset="commander"))
    for seat in ("ben", "cleo", "dan"):
        ana.give(do="lose-life", seat=seat, amount=40)

    winner = ana.page.locator('#moment [data-moment="won"]')
    winner.locator(".moment-blow", has_text="40 → 0").wait_for()
    ana.page.wait_for_function(FILLS)
    ana.page.wait_for_timeout(1000)  # no finger is on its way to what stood there before
    assert [] == ana.page.evaluate(END)
    assert ana.page.locator(".end-says [data-again]").is_visible()
    winner.tap(position={"x": 10, "y": size[1] // 2})
    winner.wait_for(state="hidden")
    assert [] == ana.page.evaluate(END)
