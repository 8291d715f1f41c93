"""axe finds nothing on any page: in dark and light, high contrast and forced colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from games.store.demos import demos
from tests.night import Night

pytestmark = pytest.mark.browser
axe = pytest.importorskip("axe_playwright_python.base")

FIRST_PORT = 8275
ALL_OPEN = "() => document.querySelectorAll('main details').forEach((each) => (each.open = true))"
WITHOUT_MOTION = "for (const each of document.getAnimations()) each.finish()"
THEMES: tuple[dict[str, str], ...] = (
    {"color_scheme": "dark", "contrast": "no-preference", "forced_colors": "none"},
    {"color_scheme": "light", "contrast": "no-preference", "forced_colors": "none"},
    {"color_scheme": "dark", "contrast": "more", "forced_colors": "none"},
    {"color_scheme": "light", "contrast": "more", "forced_colors": "none"},
    {"color_scheme": "dark", "contrast": "more", "forced_colors": "active"},
)
SYSTEMS = tuple(demo["system"] for demo in demos())
PAGES = (
    "/",
    "/about",
    "/nowhere",
    "/j/nobody",
    "/g/nowhere/",
    *(f"/new?rules={system}" for system in SYSTEMS),
    *(f"/help/{system}" for system in SYSTEMS),
)
CARDS = {
    "card": (".seat.is-mine .card > a", "#sheet-body h2"),
    "seat": (".seat.is-mine .seat-name", "#sheet-body [name=name]"),
    "new card": (".seat.is-mine .add-card", "#sheet-body .new-card"),
    "number pad": ("[data-cockpit] .hero .is-hero > b", "#pad[open]"),
}
COUNTERS = {
    "counter": (".slot-name a", "#sheet-body h2"),
    "player": (".party a", "#sheet-body h2"),
    "action": ("#bar [data-key=a]", "#sheet-body h2"),
    "new": ("[data-key=n]", "#sheet-body .tiles"),
    "board": ("#bar a[href='slots/board']", "#sheet-body h2"),
    "keys": ("#menu [data-keys]", "#keys[open]"),
}
SHARED = (
    "tv",
    "tv?overlay&log&qr",
    "flat",
    "summary",
    "replay?line=2",
    "keep",
    "tools",
    "notes",
    "programs",
)
"""Whole pages, as people without scripts or behind a link get them."""
ALIKE = ("replay?line=2", "keep", "tools", "notes", "programs")
EVERYWHERE = {
    "log": (".tools [href=log]", "#sheet-body .log"),
    "tools": (".tools [href=tools]", "#sheet-body .dice-form"),
    "menu": (".tools [data-menu]", "#menu[open]"),
    "seats": ("#menu [href='seats/']", "#sheet-body h2"),
    "notes": ("#menu [href=notes]", "#sheet-body [name=text]"),
    "rules": ("#menu [href=rules]", "#sheet-body h2"),
    "in words": ("#menu [data-read-aloud]", "#sheet-body .in-words"),
}
SHOWN = "document.querySelector('dialog[open]') ?? document"
ASKED = "resultTypes: ['violations'], preload: false"
"""What is preloaded is for rules that axe has switched off."""


def complaints(page: Any, themes: Iterable[dict[str, str]] = THEMES) -> list[str]:
    """What axe says in each of *themes* against what *page* shows: the rule, and each element.

    Of a page under an open sheet it has said everything before the sheet was opened.
    """
    found: set[str] = set()
    page.wait_for_load_state()  # a page can be read before its styles are there
    # Its own script would be refused by the pages' Content-Security-Policy; evaluated, it is not.
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.AXE_SCRIPT)
    rules = f"{{{ASKED}}}"
    for theme in themes:
        page.emulate_media(**theme, reduced_motion="reduce")
        page.evaluate(WITHOUT_MOTION)
        for each in page.evaluate(f"axe.run({SHOWN}, {rules})")["violations"]:
            found |= {
                f"{each['id']}: {node['html'][:160]} {node['failureSummary']}"
                for node in each["nodes"]
            }
        # Of the structure it has said all; what is left is colour.
        rules = f"{{{ASKED}, runOnly: ['color-contrast']}}"
    return sorted(found)


def opened(page: Any, selector: str, heard: str) -> None:
    """Open a sheet over the board and wait until it shows *heard*."""
    page.keyboard.press("Escape")
    page.locator(selector).first.evaluate("(element) => element.click()")
    page.locator(heard).first.wait_for()
    for closed in page.locator("dialog[open] details:not([open]) > summary").all():
        if closed.is_visible():
            closed.evaluate("(element) => element.click()")


def test_axe_finds_nothing_on_the_pages(phone: Callable[..., Any], running: Night) -> None:
    found = {}
    page = phone()
    for address in PAGES:
        page.goto(f"{running.site}{address}")
        found[address] = complaints(page)

    assert {} == {address: said for address, said in found.items() if said}


@pytest.mark.parametrize("system", SYSTEMS)
def test_axe_finds_nothing_at_a_table(
    phone: Callable[..., Any], running: Night, system: str
) -> None:
    found = {}
    host = phone()
    host.goto(running.demo(system))
    if host.locator(".welcome").count():  # the party of Stars and Signs is named
        host.locator(".welcome button.is-main").click()
    found["board"] = complaints(host)
    own = COUNTERS if system == "stars-and-signs" else CARDS
    for name, (selector, heard) in own.items():
        opened(host, selector, heard)
        found[name] = complaints(host)
    # What looks alike in all systems: in every theme in the first, elsewhere by lamp and by day.
    alike = THEMES if system == SYSTEMS[0] else THEMES[:2]
    for name, (selector, heard) in EVERYWHERE.items():
        opened(host, selector, heard)
        found[name] = complaints(host, alike)
    host.keyboard.press("Escape")
    host.locator("[data-menu]").click()
    host.locator("#menu [href=share]").click()
    code = host.locator(".share-code b").inner_text()
    found["share"] = complaints(host)

    table = host.url.split("share")[0]
    for path in SHARED if own is CARDS else [each for each in SHARED if each != "flat"]:
        host.goto(f"{table}{path}")
        host.wait_for_load_state("networkidle")
        host.evaluate(ALL_OPEN)
        found[path] = complaints(host, alike if path in ALIKE else THEMES)
    host.set_viewport_size({"width": 1280, "height": 720})
    host.goto(f"{table}tv")
    found["television"] = complaints(host)

    guest = phone()
    guest.goto(f"{running.site}/")
    guest.get_by_label("Join with a code").fill(code)
    guest.get_by_role("button", name="Join").tap()
    guest.wait_for_selector("#board")
    found["guest"] = complaints(guest)

    assert {} == {name: said for name, said in found.items() if said}
