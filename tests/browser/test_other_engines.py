"""An evening of Magic between WebKit, which is every browser on an iPhone, and Firefox."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.engines import ENGINES, Phone
from tests.night import ROOT, Night

pytestmark = [pytest.mark.webkit, pytest.mark.firefox]
PICTURES = os.environ.get("PICTURES", "")
"""A folder for pictures of the evening, to look at."""
MINUS, PLUS = '#cockpit [name="lose-life"]', '#cockpit [name="gain-life"]'
LIFE = '[id="ana.life"]'


@pytest.fixture(scope="module")
def browsers() -> Iterator[dict[str, Phone]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(start()) for name, start in ENGINES.items()}


def picture(phone: Phone, name: str) -> None:
    if PICTURES:
        phone.script("return new Promise((done) => setTimeout(done, 400))")
        phone.picture(Path(PICTURES) / f"{name}.png")


def fits(phone: Phone) -> None:
    """Strip, cockpit and next step are in sight, and nothing is wider than the phone."""
    assert [] == phone.script(
        """
        const all = [...document.querySelectorAll("#strip .cell, #cockpit, #undo, #next")];
        return all.map((each) => [each, each.getBoundingClientRect()])
          .filter(([, box]) => box.top < 0 || box.left < 0
            || box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
          .map(([each, box]) => `${each.id || each.className} ${JSON.stringify(box)}`);
        """
    )
    assert phone.script("return document.documentElement.scrollWidth <= innerWidth")


# What Safari and Chromium want under their own names, and what does no harm where it is missing.
OWN = {
    "-webkit-tap-highlight-color", "-webkit-text-size-adjust", "-webkit-touch-callout",
    "-webkit-user-select", "user-select", "text-wrap", "forced-color-adjust",
    "-webkit-box-decoration-break", "box-decoration-break",
}  # fmt: skip
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FACE = re.compile(r"@(?:font-face|property [\w-]+)\s*{[^}]*}")
DECLARATION = re.compile(r"(?<=[{;])\s*(-?[a-z][a-z-]*)\s*:\s*([^;{}]+?)\s*(?=[;}])")


@pytest.mark.parametrize("engine", ["webkit", "firefox"])
def test_every_declaration_is_understood(browsers: dict[str, Phone], engine: str) -> None:
    declared = set()
    for sheet in (ROOT / "static" / "css").rglob("*.css"):
        text = FACE.sub("", COMMENT.sub("", sheet.read_text()))
        for name, value in DECLARATION.findall(text):
            declared.add((name, value.replace("!important", "").strip()))
    assert len(declared) > 500

    unknown = browsers[engine].script(
        "return arguments[0].filter(([name, value]) => !CSS.supports(name, value))",
        sorted(declared),
    )
    assert [] == [each for each in unknown if each[0] not in OWN]


def test_an_element_that_selects_no_text_says_so_to_webkit_too() -> None:
    for sheet in (ROOT / "static" / "css").rglob("*.css"):
        text = sheet.read_text()
        assert text.count("-webkit-user-select") * 2 == text.count("user-select"), sheet


@pytest.mark.parametrize(("first", "second"), [("webkit", "firefox"), ("firefox", "webkit")])
def test_an_evening(browsers: dict[str, Phone], running: Night, first: str, second: str) -> None:
    ana, ben = browsers[first], browsers[second]
    for phone in (ana, ben):
        phone.size(390, 844)

    # Ana makes a game in WebKit or Firefox; Ben sits down by its code and says his name.
    ana.go(f"{running.site}/")
    picture(ana, f"{first}-home")
    ana.tap('a[href="/new?rules=magic"]')
    ana.fill('[name="name"]', "Ana")
    ana.tap('label:has([name="seats"][value="2"])')
    ana.tap(".new-go button")
    ana.sees(".share-code b")
    code = ana.script('return document.querySelector(".share-code b").textContent.trim()')
    picture(ana, f"{first}-share")
    ana.tap('main a[href$="/"].is-main, main a.button.is-main')
    ana.sees("#board")
    ben.go(f"{running.site}/")
    ben.fill("#code", code)
    ben.tap(".join button")
    ben.fill("#welcome-name", "Ben")
    picture(ben, f"{second}-welcome")
    ben.tap(".welcome button")
    ben.says("#strip", "Ben")
    ana.says("#strip", "Ben")
    picture(ana, f"{first}-board")

    # Taps: each once, at once, on both.
    for _ in range(3):
        ana.tap(MINUS)
    ben.sees('#strip [data-choose="ana"] .delta')
    ana.shows(LIFE, "37")
    ben.shows('#strip [data-hero="ana"]', "37")
    picture(ana, f"{first}-delta")
    ana.tap(PLUS)
    ben.shows('#strip [data-hero="ana"]', "38")
    ana.tap(MINUS, hold=700)
    ben.shows('#strip [data-hero="ana"]', "28")

    # A closed number opens with the first tap, which counts as the next ones do.
    ana.tap('#cockpit li[data-kind="rad"]')
    ana.sees('#cockpit li[data-kind="rad"].is-open button:last-child')
    picture(ana, f"{first}-token")
    for _ in range(2):
        ana.tap('#cockpit li[data-kind="rad"] button:last-child')
    ben.shows('[id="ana.rad"]', "3")

    # Seven at once, by the pad.
    ana.tap(LIFE)
    ana.sees("#pad[open]")
    ana.tap('#pad [data-key="7"]')
    picture(ana, f"{first}-pad")
    ana.tap('#pad [data-pad-do="change"]')
    ana.misses("#pad")
    ben.shows('#strip [data-hero="ana"]', "21")

    # The turn goes on to the question, which a number answers.
    ana.tap("#next")
    ben.sees('#moment [data-moment="asked"]')
    ana.sees("#dock .nonland")
    picture(ana, f"{first}-question")
    picture(ben, f"{second}-waiting")
    ana.says("#next", "Resolve")
    time.sleep(0.5)  # a finger on its way to what stood there before answers nothing
    ana.tap(".nonland label:nth-child(3)")
    ana.misses("#dock .prompt")
    ben.shows('#strip [data-hero="ana"]', "19")

    # Undo says what it takes, takes it from both, and both are told.
    ana.misses("#moment > *")
    ana.tap('#cockpit [name="gain-life"]')
    ben.shows('#strip [data-hero="ana"]', "20")
    ana.says("#undo", "+1 life")
    ana.tap("#undo")
    ben.sees('#moment [data-moment="undo"]')
    ben.shows('#strip [data-hero="ana"]', "19")
    picture(ana, f"{first}-undo")

    # Commander damage, in its sheet.
    ana.tap("#cockpit .is-tally a")
    ana.sees("#sheet .taken")
    for _ in range(2):
        ana.tap('#sheet .taken [data-kind="ben-commander"] [name=dealt]:not([data-by])')
    ben.shows('#strip [data-hero="ana"]', "17")
    picture(ana, f"{first}-commander")
    ana.tap("#sheet [data-close]")
    ana.misses("#sheet")

    # Sheets open and close.
    ana.tap('.tools [href="log"]')
    ana.sees("#sheet .log")
    picture(ana, f"{first}-log")
    ana.tap("#sheet [data-close]")
    ana.misses("#sheet")

    # The strip brings Ben's seat into the stage, where Ana takes three of his life.
    ana.tap('#strip [data-choose="ben"]')
    ana.sees("#s-ben.is-chosen")
    ana.misses("#s-ana .cards")
    for _ in range(3):
        ana.tap('#s-ben [name="lose-life"]')
    for place in ("#s-ben .hero", '#strip [data-choose="ben"]'):
        ana.sees(f"{place} .delta .seat-mark")
    ben.shows('[id="ben.life"]', "37")
    picture(ana, f"{first}-other-seat")

    # On its side.
    ana.size(844, 390)
    fits(ana)
    picture(ana, f"{first}-sideways")
    ana.size(390, 844)
    fits(ana)

    for phone in (ana, ben):
        assert [] == phone.complaints()
