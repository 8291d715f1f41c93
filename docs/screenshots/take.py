"""Take the screenshots for README and docs from the real app, with its demo games.

    .venv/bin/python docs/screenshots/take.py [tutorial]

Needs Chromium and the e2e extra. The pictures are written next to this file; with
"tutorial", only the one of the game that docs/rule-systems.md builds.
"""

from __future__ import annotations

import base64
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

import tutorial  # noqa: E402 the path first

from tests import house  # noqa: E402
from tests.night import Night  # noqa: E402

PHONE = {"width": 390, "height": 844}
PORT = 8690


class Studio:
    """A game night with the demo games, and a browser."""

    def __init__(self, browser: Any, night: Night) -> None:
        self.browser, self.night = browser, night
        night.get("/readyz")

    def link(self, title: str) -> str:
        """The host's link to the demo with that title."""
        found = re.search(rf"{title}.*?(/h/\w+)", self.night.printed, re.S)
        assert found, title
        return self.night.site + found[1]

    def page(self, size: dict[str, int], theme: str = "dark", **more: Any) -> Any:
        context = self.browser.new_context(
            viewport=size, color_scheme=theme, device_scale_factor=1, **more
        )
        return context.new_page()

    def seat(self, title: str, size: dict[str, int], theme: str = "dark") -> Any:
        """The host's board of a demo."""
        page = self.page(size, theme, has_touch=True)
        page.goto(self.link(title))
        self.settle(page)
        return page

    def join(self, host: Any, size: dict[str, int], theme: str = "dark") -> Any:
        """Another phone at the table of *host*."""
        host.goto(host.url.split("?")[0] + "share")
        code = host.locator(".share-code b").inner_text()
        host.go_back()
        self.settle(host)
        page = self.page(size, theme, has_touch=True)
        page.goto(self.night.site)
        page.locator("#code").fill(code)
        page.locator(".join button").tap()
        self.settle(page)
        return page

    def settle(self, page: Any) -> None:
        page.wait_for_selector("#board")
        page.wait_for_load_state("networkidle")
        if page.locator(".welcome button").count():
            page.locator(".welcome button").first.tap()
        page.wait_for_timeout(700)

    def side_by_side(self, name: str, *pages: Any) -> None:
        """Save several screens side by side in one picture."""
        shots = [base64.b64encode(page.screenshot()).decode() for page in pages]
        wide = sum(page.viewport_size["width"] + 24 for page in pages) - 24
        tall = max(page.viewport_size["height"] for page in pages)
        sheet = self.page({"width": wide, "height": tall})
        images = "".join(f'<img src="data:image/png;base64,{shot}">' for shot in shots)
        sheet.set_content(
            "<style>body{margin:0;display:flex;gap:24px;align-items:start;background:#8a8079}"
            f"</style>{images}"
        )
        sheet.screenshot(path=HERE / name)


def take(studio: Studio) -> None:
    duel = "Two champions"
    ana = studio.seat(duel, PHONE)
    ben = studio.join(ana, PHONE, "light")
    ana.locator("#cockpit .is-hero > button").last.tap()
    ana.wait_for_timeout(400)
    studio.side_by_side("board.png", ana, ben)

    ana.locator('a[href="log"]').tap()
    ana.wait_for_selector(".log")
    ana.locator(".log-why summary").first.tap()
    ana.wait_for_timeout(400)
    studio.side_by_side("log.png", ana)

    gm = studio.seat("The drowned lighthouse", PHONE)
    player = studio.join(gm, PHONE)
    studio.side_by_side("gm.png", gm, player)

    screen = studio.seat("Endymion", {"width": 1280, "height": 720}, "light")
    screen.goto(screen.url.split("?")[0] + "tv")
    screen.wait_for_timeout(1500)
    screen.screenshot(path=HERE / "tv.png")

    desktop = studio.seat(duel, {"width": 1280, "height": 800})
    desktop.screenshot(path=HERE / "desktop.png")


def take_tutorial(studio: Studio) -> None:
    """The game of docs/rule-systems.md: Ana's board, and Ben's when her turn has ended."""
    ana = studio.seat("Two fleets", PHONE)
    ben = studio.join(ana, PHONE, "light")
    for _phase in range(2):
        ana.locator("#next").tap()
        ana.wait_for_timeout(700)
    ana.wait_for_timeout(4000)  # until the moment is over
    studio.side_by_side("star-realms.png", ana, ben)


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        night = Night(Path(folder) / "night", PORT)
        copy = house.copied(Path(folder) / "house")
        tutorial.write(copy)
        (Path(folder) / "other").mkdir()  # the first start of a site that has one game more
        other = Night(
            Path(folder) / "other" / "night", PORT + 1, first=True, run=(str(copy / "manage.py"),)
        )
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox"],
        )
        try:
            if "tutorial" not in sys.argv:
                take(Studio(browser, night))
            take_tutorial(Studio(browser, other))
        finally:
            browser.close()
            night.kill()
            other.kill()


if __name__ == "__main__":
    main()
