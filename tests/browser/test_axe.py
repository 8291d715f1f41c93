"""axe finds nothing to complain of, on any page: by lamp, by day and in high contrast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.night import Night

from .test_two_phones import start

pytestmark = pytest.mark.browser
axe = pytest.importorskip("axe_playwright_python.base")

WITHOUT_MOTION = "for (const each of document.getAnimations()) each.finish()"


def complaints(phone: Any) -> list[str]:
    """What axe says against the page that *phone* shows: the rule, and each element."""
    phone.evaluate(WITHOUT_MOTION)
    # Its own script would be refused by the pages' Content-Security-Policy; evaluated, it is not.
    phone.evaluate(axe.AXE_SCRIPT)
    found = phone.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary']}"
        for each in found
        for node in each["nodes"]
    ]


def opened(phone: Any, selector: str, heard: str) -> None:
    """Open a sheet over the board and wait until it shows *heard*."""
    phone.keyboard.press("Escape")
    phone.locator(selector).first.tap()
    phone.locator(heard).first.wait_for()


PAGES = ("/", "/new?rules=grand-archive", "/new?rules=magic", "/help/grand-archive", "/about")
SHEETS = {
    "card": (".seat.is-mine .card > a", "#sheet-body h2"),
    "seat": (".seat.is-mine .seat-name", "#sheet-body [name=name]"),
    "new card": (".seat.is-mine .add-card", "#sheet-body .new-card"),
    "log": (".tools [href=log]", "#sheet-body .log"),
    "number pad": (".seat.is-mine .dials b", "#pad[open]"),
    "menu": (".tools [data-menu]", "#menu[open]"),
}


@pytest.mark.parametrize(
    ("scheme", "contrast"),
    [("dark", "no-preference"), ("light", "no-preference"), ("dark", "more"), ("light", "more")],
)
def test_axe_finds_nothing(
    phone: Callable[..., Any], running: Night, scheme: str, contrast: str
) -> None:
    ana = phone()
    ana.emulate_media(color_scheme=scheme, contrast=contrast, reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    for page in PAGES:
        ana.goto(f"{running.site}{page}")
        found[page] = complaints(ana)
    start(ana, running.site)
    found["board"] = complaints(ana)
    ana.locator('.seat.is-mine .dials button[name="damage"]').first.tap()
    ana.locator(".tools [href=share]").tap()
    ana.locator(".share-code").wait_for()
    found["share"] = complaints(ana)
    ana.go_back()
    ana.wait_for_selector("#board")
    for sheet, (selector, heard) in SHEETS.items():
        opened(ana, selector, heard)
        for closed in ana.locator("dialog[open] details:not([open]) > summary").all():
            if closed.is_visible():
                closed.tap()
        found[sheet] = complaints(ana)

    assert {} == {page: said for page, said in found.items() if said}
