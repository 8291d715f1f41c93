"""Take the pictures of the help page from the real app, dark and light, in each language that has
them.

    .venv/bin/python docs/screenshots/help.py

Needs Chromium and the e2e extra. They are written to static/help/<language>/, as WebP of one
size: the screen of a phone, and for each thing that one does, the part of it where one does it.
"""

from __future__ import annotations

import base64
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django  # noqa: E402 the path first

OUT = ROOT / "static/help"
LANGUAGES = ("en", "es", "de")
SCHEMES = {"dark": "", "light": "-light"}
"""What stands behind the name of a picture in that colour scheme."""
PORT = 8694
WIDTH, HEIGHT, TALL = 390, 844, 210
"""A phone, and how much of it a picture of one thing shows, in CSS pixels."""
SHORT = 136
"""So much of it is the row of numbers with the buttons below."""
SCALE, QUALITY = 1.5, 0.7
TO_WEBP = """async ([png, quality]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""
BADGES = """(places) => {
  document.activeElement?.blur();
  for (const [n, [place, along]] of places.entries()) {
    const all = [...document.querySelectorAll(place)];
    const found = all.find((each) => each.getClientRects().length);
    if (!found) throw new Error(place);
    const { left, top, width, height } = found.getBoundingClientRect();
    const badge = document.createElement("b");
    badge.textContent = n + 1;
    badge.style.cssText = `position:fixed;z-index:99;left:${left + width * along - 13}px;
      top:${top + height / 2 - 13}px;width:26px;height:26px;border-radius:50%;background:#fff;
      color:#000;font:700 16px/26px sans-serif;text-align:center;box-shadow:0 0 0 2px #000`;
    document.body.append(badge);
  }
}"""
SHOWN = (
    ("#turn", 0.96), ("#strip", 0.5), ('#board [id^="o-"]', 0.58), ("#cockpit .hero", 0.24),
    ("#cockpit .places", 0.82), ("#undo", 0.98), ("#next", 0.12),
)  # fmt: skip
"""The places of the board that are numbered in its picture, in the order of the page's list, and
how far along each its number stands."""
GAME: dict[str, Any] = {
    "id": "help", "title": "Friday", "system": "magic", "when": [], "then": {},
    "names": {"ana": "Ana", "ben": "Ben", "cleo": "Cleo", "dan": "Dan"},
    "given": {
        "turn": {"active": ["ana"], "phase": "end"},
        "seats": {
            "ana": {"life": 34, "starting_life": 40, "counters": {"poison": 2}},
            "ben": {"life": 27, "starting_life": 40, "counters": {"rad": 3}},
            "cleo": {"life": 40, "starting_life": 40, "monarch": True},
            "dan": {"life": 12, "starting_life": 40},
        },
        "objects": {
            "ballista": {"name": "Walking Ballista", "types": ["artifact", "creature"],
                         "base": {"power": 0, "toughness": 0}, "counters": {"+1/+1": 4}},
            "liliana": {"name": "Liliana", "types": ["planeswalker"],
                        "base": {"loyalty": 6}, "counters": {"loyalty": 6}},
            "bears": {"name": "Grizzly Bears", "types": ["creature"], "owner": "ben",
                      "base": {"power": 2, "toughness": 2}, "counters": {"+1/+1": 1}},
            "cornucopia": {"name": "Astral Cornucopia", "types": ["artifact"], "owner": "ben",
                           "counters": {"charge": 3}},
        },
    },
}  # fmt: skip


class Camera:
    """The phones of one language and colour scheme; `shot` and `part` write pictures."""

    def __init__(self, browser: Any, language: str, scheme: str) -> None:
        self.browser, self.language, self.scheme = browser, language, scheme
        self.folder = OUT / language
        self.folder.mkdir(parents=True, exist_ok=True)

    def phone(self) -> Any:
        context = self.browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE,
            has_touch=True, is_mobile=True, color_scheme=self.scheme, locale=self.language,
            service_workers="block",
        )  # fmt: skip
        return context.new_page()

    def shot(self, page: Any, name: str, top: float = 0, tall: float = HEIGHT) -> None:
        """Write *tall* pixels of the screen from *top* on."""
        page.wait_for_timeout(600)
        top = max(0, min(top, HEIGHT - tall))
        png = page.screenshot(clip={"x": 0, "y": top, "width": WIDTH, "height": tall})
        made = page.evaluate(TO_WEBP, [base64.b64encode(png).decode(), QUALITY])
        (self.folder / f"{name}{SCHEMES[self.scheme]}.webp").write_bytes(base64.b64decode(made))

    def part(self, page: Any, name: str, place: str, above: int = 16) -> None:
        """Write the part of the screen that begins a little above *place*."""
        page.wait_for_timeout(400)
        box = page.locator(place).first.bounding_box()
        assert box, place
        self.shot(page, name, box["y"] - above, TALL)


def take(camera: Camera, site: str) -> None:
    from tests.browser.tables import Host

    ana, ben = camera.phone(), camera.phone()
    host, guest = Host(ana, site), Host(ben, site)
    address = host.played(GAME)
    host.open(address)
    guest.join(address, host)
    camera.part(ben, "sit", ".welcome")
    ben.locator(".welcome button").first.tap()

    ana.locator("#next").tap()
    ben.locator("#moment *").first.wait_for()
    camera.part(ben, "next", "#moment", above=60)
    ben.wait_for_timeout(5000)  # until the moment is over
    ben.locator(".prompt").first.wait_for()
    camera.part(ben, "asked", ".prompt", above=24)
    ben.locator(".nonland label:visible").nth(2).tap()
    ana.wait_for_timeout(6000)

    minus = ana.locator("#cockpit .hero button").first
    for _tap in range(3):
        minus.tap()
    camera.part(ana, "number", "#cockpit .hero", above=24)
    ana.wait_for_timeout(3000)
    camera.shot(ana, "undo", HEIGHT - SHORT, SHORT)

    ana.locator('#strip [data-choose="ben"]').tap()
    camera.shot(ana, "others", 0, TALL)
    ana.locator('#strip [data-choose="ana"]').tap()

    ana.locator("#o-ballista > a").tap()
    ana.locator("#sheet[open]").wait_for()
    camera.part(ana, "card", "#sheet", above=0)
    ana.keyboard.press("Escape")
    ana.locator(".add-card").first.tap()
    ana.locator("#new-card").wait_for()
    camera.part(ana, "add", "#sheet", above=0)
    ana.keyboard.press("Escape")

    ana.evaluate(BADGES, list(SHOWN))
    camera.shot(ana, "table")

    ana.goto(f"{address}log")
    ana.locator(".log-why summary").first.tap()
    camera.part(ana, "why", ".log-why", above=90)
    ana.goto(address)
    ana.locator('a[href="tools"]').first.tap()
    ana.locator("#sheet[open]").wait_for()
    camera.part(ana, "dice", "#sheet", above=0)


def languages() -> Iterator[str]:
    yield from sys.argv[1:] or LANGUAGES


def main() -> None:
    from playwright.sync_api import sync_playwright

    from tests.night import Night

    django.setup()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        night = Night(Path(folder) / "night", PORT)
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        try:
            for language, scheme in product(languages(), SCHEMES):
                take(Camera(browser, language, scheme), night.site)
        finally:
            browser.close()
            night.kill()


if __name__ == "__main__":
    main()
