"""One phone flat in the middle: questions are answered in the asked player's part."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import CONNECTED, Host

pytestmark = pytest.mark.browser

SIZES = [(390, 844), (360, 640), (844, 390)]
# fmt: off
ASKED: dict[str, tuple[str, list[dict[str, Any]]]] = {
    # system: the question, and what leads to it in the middle of a game
    "magic": ("rad:ben", [
        {"do": "place", "on": "ben", "counter": "rad", "amount": 6},
        {"do": "begin-turn", "active": ["ben"]},
        {"do": "begin-phase", "phase": "precombat-main"},
    ]),
    "grand-archive": ("wither:ben", [
        {"do": "begin-turn", "active": ["ben"]},
        {"do": "begin-phase", "phase": "main"},
    ]),
    "pokemon": ("prizes:ben", [
        {"do": "place", "on": "ana-1", "counter": "damage", "amount": 400},
    ]),
}
TABLES = [
    ("magic", 2), ("magic", 3), ("magic", 4), ("pokemon", 2),
    ("magic", 5), ("magic", 6),
    ("grand-archive", 2), ("grand-archive", 3), ("grand-archive", 4),
    ("grand-archive", 5), ("grand-archive", 6),
]
# fmt: on
# In Ben's part: whether his question faces him, and its controls that are too small or out of
# sight: the main button and the reason must always be in sight, a choice once it is scrolled to.
WRONG = """async () => {
  const part = document.getElementById("s-ben");
  const box = (each) => each.getBoundingClientRect();
  const whole = box(part);
  const { facing } = part.dataset;
  const edges = {
    0: innerHeight - whole.bottom, 90: whole.left,
    180: whole.top, 270: innerWidth - whole.right,
  };
  const wrong = Math.abs(edges[facing]) > 1 ? ["turned away"] : [];
  const sideways = facing % 180;
  const seen = (each) => {
    const { left, right, top, bottom } = box(each);
    const inside = left >= whole.left && right <= whole.right + 0.5 &&
      top >= whole.top - 0.5 && bottom <= whole.bottom + 0.5;
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return inside && (each === there || each.contains(there));
  };
  for (const each of part.querySelectorAll(".prompt :is(.is-main, .prompt-why, label, h2)")) {
    if (each.matches("label")) each.scrollIntoView({ block: "center" });
    else part.querySelector(".prompts").scrollTop = 0;
    const { offsetWidth: width, offsetHeight: height } = each;
    if (!seen(each)) wrong.push(`hidden: ${each.textContent.trim()}`);
    const small = Math.min(width, height) < 43.5 && !each.matches("h2");
    if (small) wrong.push(`small: ${each.textContent.trim()} ${width}x${height}`);
  }
  const number = part.querySelector("[data-hero]");
  const range = document.createRange();
  range.selectNodeContents(number);
  const line = box(range);
  const high = 0.7 * parseFloat(getComputedStyle(number).fontSize);
  const [x, y] = [(line.left + line.right) / 2, (line.top + line.bottom) / 2];
  const text = sideways
    ? { left: x - high / 2, right: x + high / 2, top: line.top, bottom: line.bottom }
    : { left: line.left, right: line.right, top: y - high / 2, bottom: y + high / 2 };
  const over = (one, other) => one.right > other.left && one.left < other.right &&
    one.bottom > other.top && one.top < other.bottom;
  const mark = box(part.querySelector(".seat-name .seat-mark"));
  const menu = box(document.getElementById("spine"));
  if (over(mark, text)) wrong.push("the mark lies on the number");
  if (over(menu, text)) wrong.push("the spine lies on the number");
  if (over(menu, mark)) wrong.push("the spine lies on the mark");
  return wrong;
}"""


def flat(phone: Phones, site: str, system: str, seats: int) -> tuple[Any, Host, str]:
    """Ana's phone flat in the middle of a game in which Ben, who has no phone, is asked."""
    ana = phone()
    host = Host(ana, site)
    table = host.middle(system, seats)
    host.open(table)
    for command in ASKED[system][1]:
        host.give(**command)
    ana.goto(f"{table}flat")
    ana.wait_for_function(CONNECTED)
    return ana, host, table


@pytest.mark.parametrize(("system", "seats"), TABLES)
def test_a_question_to_a_player_without_a_phone_is_whole_in_their_part(
    phone: Phones, running: Night, system: str, seats: int
) -> None:
    ana, _host, _table = flat(phone, running.site, system, seats)
    asked = ana.locator(f'#s-ben .prompt[id="p-{ASKED[system][0]}"]')
    asked.wait_for()
    for width, height in SIZES:
        ana.set_viewport_size({"width": width, "height": height})
        ana.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
        assert [] == ana.evaluate(WRONG), width

    at_once = asked.locator("[data-answers-at-once]").count()
    for due in asked.locator(":is(.picks-one, .switch)").all():
        due.locator("label").first.tap()
    if not at_once:
        asked.locator("button.is-main").tap()

    asked.wait_for(state="detached")


def test_a_missing_answer_is_said_in_the_part_of_the_seat_that_is_asked(
    phone: Phones, running: Night
) -> None:
    ana, _host, _table = flat(phone, running.site, "magic", 4)
    ana.set_viewport_size({"width": 360, "height": 640})
    ana.locator("#s-ben .prompt .is-main").tap()

    ana.locator("#s-ben .refusal", has_text="Say how many are not lands.").wait_for()


def test_a_phone_that_comes_takes_its_question_along(phone: Phones, running: Night) -> None:
    ana, host, table = flat(phone, running.site, "magic", 2)
    ben = phone()
    answer = "#s-ben .prompt .is-main:visible"
    ana.locator(answer).wait_for()

    Host(ben, running.site).join(table, by=host)
    ana.locator("#s-ben:not([data-answered-by-any])").wait_for()

    assert 0 == ana.locator(answer).count()
    ana.locator("#s-ben.is-strip").wait_for()
    assert "s-ana" == ana.locator("#ana\\.panel").evaluate("(each) => each.parentElement.id")
    ben.locator("#dock .picks-one label").first.tap()  # which answers at once
    ana.locator("#s-ben .prompt").wait_for(state="detached")


def test_a_phone_in_the_hand_answers_for_a_player_without_one_too(
    phone: Phones, running: Night
) -> None:
    ana, host, table = flat(phone, running.site, "grand-archive", 3)
    host.open(table)
    watcher = phone()
    link = re.search(r'href="[^"]+(/w/[^"]+)"', host.web.get(f"{table}share").text())
    assert link
    watcher.goto(running.site + link[1])
    watcher.locator('#strip [data-choose="ben"]').tap()
    watcher.locator("#s-ben .prompt h2").wait_for()
    ana.locator('#strip [data-choose="ben"]').tap()
    ana.locator("#s-ben .prompt .is-main:visible").wait_for()
    assert 0 == watcher.locator("#s-ben .question :is(input, button, a, summary):visible").count()

    for due in ana.locator("#s-ben .due").all():
        due.locator("label").first.tap()
    ana.locator("#s-ben .prompt .is-main").tap()

    ana.locator("#s-ben .prompt").wait_for(state="detached")
