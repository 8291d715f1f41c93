"""Take the pictures of README and docs from the real app.

    .venv/bin/python docs/screenshots/take.py [NAME...]

Needs Chromium and the extras docs and e2e. The pictures are written next to this file: all of
`PICTURES`, or those that are named. Each is of people who sit at a table, which `Studio.seated`
checks; `tests/browser/test_pictures.py` takes each one and reads its pages.
"""

from __future__ import annotations

import base64
import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

import tutorial  # noqa: E402 the path first

from tests import house  # noqa: E402
from tests.night import Night  # noqa: E402

PHONE = {"width": 390, "height": 844}
SHORT = {"width": 390, "height": 540}
LAPTOP = {"width": 1280, "height": 844}
TELEVISION = {"width": 1280, "height": 720}
PORT = 8690
QUALITY = 80
WATCHING = "You’re watching"


class Studio:
    """A site, and a browser for the phones and screens at its tables.

    into: the folder that the pictures are written to.
    effort: how long the files' smallest form is looked for, 0 to 6.
    """

    def __init__(self, browser: Any, site: str, into: Path = HERE, effort: int = 6) -> None:
        self.browser, self.site, self.into, self.effort = browser, site, into, effort
        self.contexts: list[Any] = []
        self.checked = 0

    def page(self, size: Mapping[str, int], theme: str = "dark", scale: float = 1) -> Any:
        """A screen of that size that nobody has used yet."""
        context = self.browser.new_context(
            viewport=dict(size),
            color_scheme=theme,
            device_scale_factor=scale,
            has_touch=size["width"] < 900,
            is_mobile=size["width"] < 900,
        )
        self.contexts.append(context)
        return context.new_page()

    def demo(self, title: str, size: Mapping[str, int] = PHONE, theme: str = "dark") -> Any:
        """The host's board of a copy of the demo with that title."""
        page = self.page(size, theme)
        page.goto(self.site)
        page.locator(".demos button", has_text=title).click()
        self.settle(page)
        return page

    def join(
        self, host: Any, name: str, size: Mapping[str, int] = PHONE, theme: str = "dark"
    ) -> Any:
        """Another person who sits down at the table of *host*."""
        board = host.url.split("?")[0]
        page = self.page(size, theme)
        page.goto(self.site)
        page.locator("#code").fill(self._code(host, board))
        page.locator(".join button").click()
        page.wait_for_selector("#board, .who")
        if (chosen := page.locator(".who button", has_text=name)).count():
            chosen.first.click()
        self.settle(page, name)
        return page

    def television(self, host: Any, theme: str = "dark") -> Any:
        """The big screen of that table, opened by a device of the host's."""
        page = host.context.new_page()
        page.set_viewport_size(TELEVISION)
        page.goto(f"{host.url.split('?')[0]}tv")
        page.wait_for_timeout(1500)
        return page

    def settle(self, page: Any, name: str = "") -> None:
        """Wait for the board; say *name* if it asks for one."""
        page.wait_for_selector("#board")
        page.wait_for_load_state("networkidle")
        if (welcome := page.locator(".welcome")).count() and welcome.is_visible():
            if name:
                welcome.locator("input[name=name]").fill(name)
            welcome.locator("button").first.click()
            welcome.wait_for(state="hidden")
        page.wait_for_timeout(700)

    def seated(self, *pages: Any) -> None:
        """Check that each page is that of someone with a seat."""
        for page in pages:
            words = page.locator("body").inner_text()
            assert WATCHING not in words, f"{page.url} is a watcher's"
            self.checked += 1

    def picture(self, name: str, *pages: Any) -> None:
        """Write several screens side by side as one picture."""
        self._write(name, [(self._sheet(pages), 0)])

    def film(self, name: str, frames: list[tuple[Any, int]]) -> None:
        """Write a loop of *frames*, each with its milliseconds, and its first as a still."""
        self._write(name, frames)
        self._write(f"{name}-still", frames[:1])

    def shot(self, page: Any) -> str:
        """The present look of *page*, as the source of an image."""
        return f"data:image/png;base64,{base64.b64encode(page.screenshot()).decode()}"

    def drawn(self, html: str, size: Mapping[str, int]) -> bytes:
        """A picture of *html*."""
        sheet = self.browser.new_page(viewport=dict(size))
        sheet.set_content(html)
        taken: bytes = sheet.screenshot()
        sheet.close()
        return taken

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def watch_link(self, host: Any) -> str:
        """The link that leads to no seat, as the host passes it on."""
        other = host.context.new_page()
        other.goto(f"{host.url.split('?')[0]}share")
        link: str = other.locator('a[href*="/w/"]').first.get_attribute("href")
        other.close()
        return link

    def _code(self, host: Any, board: str) -> str:
        other = host.context.new_page()
        other.goto(f"{board}share")
        code: str = other.locator(".share-code b").inner_text()
        other.close()
        return code

    def _sheet(self, pages: tuple[Any, ...]) -> bytes:
        wide = sum(page.viewport_size["width"] + 24 for page in pages) - 24
        tall = max(page.viewport_size["height"] for page in pages)
        images = "".join(f'<img src="{self.shot(page)}">' for page in pages)
        style = "body{margin:0;display:flex;gap:24px;align-items:start;background:#8a8079}"
        return self.drawn(f"<style>{style}</style>{images}", {"width": wide, "height": tall})

    def _write(self, name: str, frames: list[tuple[bytes, int]]) -> None:
        from PIL import Image

        images = [Image.open(io.BytesIO(taken)).convert("RGB") for taken, _time in frames]
        more: dict[str, Any] = {}
        if len(images) > 1:
            times = [time for _taken, time in frames]
            more = {"save_all": True, "append_images": images[1:], "duration": times, "loop": 0}
        images[0].save(self.into / f"{name}.webp", quality=QUALITY, method=self.effort, **more)


class Film:
    """The frames of a loop: a phone that is tapped, two others, and the television."""

    SIZE: Mapping[str, int] = {"width": 996, "height": 780}
    THUMB = "width:64px;height:64px;border-radius:50%;background:#fff6;border:3px solid #fffc"

    def __init__(self, studio: Studio, tapped: Any, others: list[Any], television: Any) -> None:
        self.studio, self.tapped, self.others, self.television = studio, tapped, others, television
        self.frames: list[tuple[bytes, int]] = []

    def show(self, milliseconds: int, thumb: Any = None) -> None:
        """One frame, with a thumb on that element of the phone."""
        self.frames.append((self._drawn(thumb), milliseconds))

    def tap(self, element: Any, milliseconds: int, wait: int = 350) -> None:
        """The thumb comes down on *element*, and every screen shows what that did."""
        self.show(160, element)
        element.tap()
        self.tapped.wait_for_timeout(wait)
        self.show(milliseconds)

    def _drawn(self, thumb: Any) -> bytes:
        shot, tall = self.studio.shot, self.SIZE["height"]
        one, two = (shot(each) for each in self.others)
        place = thumb.bounding_box() if thumb else None
        scale = tall / self.tapped.viewport_size["height"]
        on = ""
        if place:
            x = (place["x"] + place["width"] / 2) * scale - 34
            y = (place["y"] + place["height"] / 2) * scale - 34
            on = f'<i style="position:absolute;left:{x}px;top:{y}px;{self.THUMB}"></i>'
        return self.studio.drawn(
            "<style>body{margin:0;display:flex;gap:16px;background:#8a8079;position:relative}"
            "img{display:block;border-radius:10px}div{display:grid;gap:14px}"
            "p{margin:0;display:flex;gap:14px}</style>"
            f'<img src="{shot(self.tapped)}" height={tall}>{on}'
            f'<div><img src="{shot(self.television)}" width=620>'
            f'<p><img src="{one}" width=303><img src="{two}" width=303></p></div>',
            self.SIZE,
        )


def loop(studio: Studio) -> None:
    """Four at a table of Magic: three taps, a question of the rules, and why."""
    ana = studio.demo("Magic")
    ben = studio.join(ana, "Ben", SHORT, "light")
    cleo = studio.join(ana, "Cleo", SHORT)
    television = studio.television(ana)
    ana.bring_to_front()
    studio.seated(ana, ben, cleo)
    life = ana.locator("#cockpit .is-hero b").first
    before = int(life.inner_text())
    film = Film(studio, ana, [ben, cleo], television)
    film.show(900)
    minus = ana.locator("#cockpit .is-hero > button").first
    for _tap in range(3):
        film.tap(minus, 240)
    assert int(life.inner_text()) == before - 3
    film.show(500)
    film.tap(ana.locator(".prompt-why").first, 1700, wait=900)
    assert "728.1" in ana.locator("#sheet").inner_text()
    ana.go_back()
    ana.locator("#sheet").wait_for(state="hidden")
    film.tap(ana.locator('.prompt label:has([value="2"])'), 1500, wait=900)
    assert int(life.inner_text()) == before - 5
    studio.film("loop", film.frames)


def own_game(studio: Studio) -> None:
    """A rule of Catan being written on a phone, beside Catan at a table."""
    writer = studio.page(PHONE)
    writer.goto(f"{studio.site}/new?rules=own-game&ready=catan&open=page")
    writer.locator(".writing-rules button", has_text="“Settlement”").click()
    writer.locator(".word", has_text="grain").last.click()
    writer.wait_for_timeout(700)
    table = studio.page(PHONE, "light")
    table.goto(f"{studio.site}/new?rules=own-game&ready=catan")
    table.get_by_role("button", name="See it being played").click()
    studio.settle(table)
    studio.seated(table)
    studio.picture("own-game", writer, table)


def magic(studio: Studio) -> None:
    """Magic for four: one's own phone by lamp, and another's by day."""
    ana = studio.demo("Magic")
    cleo = studio.join(ana, "Ben", theme="light")
    studio.seated(ana, cleo)
    studio.picture("magic", ana, cleo)


def gm(studio: Studio) -> None:
    """The GM's laptop beside a player's phone: the same table, and what only the GM sees."""
    master = studio.demo("Stars and Signs", LAPTOP)
    player = studio.join(master, "Ana")
    studio.seated(master, player)
    studio.picture("gm", master, player)


def star_realms(studio: Studio) -> None:
    """The game of docs/rule-systems.md: Ana's board, and Ben's when her turn has ended."""
    with tempfile.TemporaryDirectory() as folder:
        copy = house.copied(Path(folder) / "house")
        tutorial.write(copy)
        run = (str(copy / "manage.py"),)
        night = Night(Path(folder) / "night", PORT + 1, first=True, run=run)
        try:
            other = Studio(studio.browser, night.site, studio.into, studio.effort)
            ana = other.demo("Star Realms")
            ben = other.join(ana, "Ben", theme="light")
            for _phase in range(2):
                ana.locator("#next").tap()
                ana.wait_for_timeout(700)
            ana.wait_for_timeout(4000)  # until the moment is over
            other.seated(ana, ben)
            other.picture("star-realms", ana, ben)
            studio.checked += other.checked
            other.close()
        finally:
            night.kill()


PICTURES: Mapping[str, Callable[[Studio], None]] = {
    "loop": loop,
    "own-game": own_game,
    "magic": magic,
    "gm": gm,
    "star-realms": star_realms,
}
"""By name: what takes it. README shows them in this order."""


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium, as the tests find it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox"],
        )
        try:
            yield found
        finally:
            found.close()


def main() -> None:
    names = sys.argv[1:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        night = Night(Path(folder) / "night", PORT, first=True)
        try:
            for name in names:
                studio = Studio(chromium, night.site)
                PICTURES[name](studio)
                studio.close()
        finally:
            night.kill()


if __name__ == "__main__":
    main()
