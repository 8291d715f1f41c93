"""axe finds nothing on any page, and no text is faint: by lamp and by day, with more contrast, in
forced colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.store.demos import demos
from tests.night import Night
from tests.types import Phones

from .tables import SLOTS

pytestmark = pytest.mark.browser
axe = pytest.importorskip("axe_playwright_python.base")

FIRST_PORT = 8275
ALL_OPEN = "() => document.querySelectorAll('main details').forEach((each) => (each.open = true))"
UNFOLDED = """() => {
  const all = [...document.querySelectorAll('dialog[open] details:not([open]) > summary')];
  for (const each of all) if (each.checkVisibility()) each.click();
}"""
WITHOUT_MOTION = """() => {
  for (let all; (all = document.getAnimations()).length;) for (const each of all) each.finish();
}"""
"""The end of a colour's change is the beginning of another, of what inherits it."""
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
    "seat": (".seat.is-mine .seat-name", "#sheet-body #act-profile"),
    "new card": (".seat.is-mine .add-card", "#sheet-body .new-card"),
    "number pad": ("[data-cockpit] .hero .is-hero > b", "#pad[open]"),
}
COUNTERS = {
    "counter": (".slot-name a", "#sheet-body h2"),
    "player": (".party a", "#sheet-body h2"),
    "action": ("#bar [data-key=a]", "#sheet-body h2"),
    "new": ("[data-key=n]", "#sheet-body .slot-tiles"),
    "board": ("#bar a[href='slots/board']", "#sheet-body h2"),
}
SHARED = ("tv", "tv?overlay&log&qr", "flat", "summary", "replay?line=2")
"""Whole pages, as people without scripts or behind a link get them."""
ALIKE = ("keep", "tools", "notes", "keys", "programs")
"""Those of them that are alike in every system."""
EVERYWHERE = {
    "log": (".tools [href=log]", "#sheet-body .log"),
    "rules": ("#menu [href=rules]", "#sheet-body h2"),
    "in words": ("#menu [data-read-aloud]", "#sheet-body .in-words"),
}
SHEETS_ALIKE = {
    "tools": (".tools [href=tools]", "#sheet-body .dice-form"),
    "menu": (".tools [data-menu]", "#menu[open]"),
    "seats": ("#menu [href='seats/']", "#sheet-body h2"),
    "notes": ("#menu [href=notes]", "#sheet-body [name=text]"),
    "keys": ("#menu [href=keys]", "#sheet-body .keys"),
}
LOOKED_AT = {"magic", *SLOTS}
"""The systems at whose tables also what is alike is looked at."""
# What is preloaded is for rules that axe has switched off.
OPTIONS = """{
  resultTypes: ['violations'], preload: false, rules: { 'color-contrast': { enabled: false } },
}"""
SHOWN = "document.querySelector('dialog[open]') ?? document"
FAINT = (Path(__file__).parent / "contrast.js").read_text()


def complaints(page: Any) -> list[str]:
    """Faults of what *page* shows: the rule, and each element; faint texts by theme.

    axe has a say in one theme, for the themes differ in colours alone, and none about those: that
    took it longer than all its other rules, and FAINT sees more. Of a page under an open sheet it
    has said everything before the sheet was opened.
    """
    page.wait_for_load_state()  # a page can be read before its styles are there
    faint: set[str] = set()
    for theme in reversed(THEMES):
        page.emulate_media(**theme, reduced_motion="reduce")
        page.evaluate(WITHOUT_MOTION)
        faint |= {f"{[*theme.values()]}: {each}" for each in page.evaluate(FAINT)}
    # Its own script would be refused by the pages' Content-Security-Policy; evaluated, it is not.
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.AXE_SCRIPT)
    found = page.evaluate(f"axe.run({SHOWN}, {OPTIONS})")
    return sorted(faint) + [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def opened(page: Any, selector: str, expected: str) -> None:
    """Open a sheet over the board and wait until it shows *heard*."""
    page.keyboard.press("Escape")
    page.locator(selector).first.evaluate("(element) => element.click()")
    page.locator(expected).first.wait_for()
    page.evaluate(UNFOLDED)


def test_a_faint_text_is_told_on_whatever_ground(phone: Phones) -> None:
    page = phone()
    page.set_content(
        """<body style="background: white; color: #555">
        <p>black enough <b style="color: #888">grey</b> <b style="color: rgb(0 0 0 / 40%)">thin</b>
        <p style="opacity: 0.6">faded
        <p style="background: linear-gradient(white, #999)">on a gradient
        <p><i style="position: absolute; inset: auto 0; height: 2em; background: #777"></i>
          <span style="position: relative">on what lies under it</span>
        <p style="color: #888; font-size: 24px">large
        <p hidden style="color: white">hidden<button disabled style="color: #888">off</button>
        <p><input value="typed" style="color: #888; background: white" class="typed">
        <textarea style="color: #555; background: white">black enough</textarea>"""
    )

    faint = [each.partition(">")[2] for each in page.evaluate(FAINT)]
    assert ["grey", "thin", "faded", "on a gradient", "on what lies under it", ""] == [
        each.split("<")[0].strip() for each in faint
    ]
    assert 'class="typed"' in page.evaluate(FAINT)[-1]
    page.evaluate(axe.AXE_SCRIPT)
    told = page.evaluate("axe.run(document, { runOnly: ['color-contrast'] })")["violations"]
    lines = "\n".join(page.evaluate(FAINT))
    assert all(node["html"][:160] in lines for node in told[0]["nodes"]), "axe sees more"


def test_axe_finds_nothing_on_the_pages(phone: Phones, running: Night) -> None:
    found = {}
    page = phone()
    for address in PAGES:
        page.goto(f"{running.site}{address}")
        found[address] = complaints(page)

    assert {} == {address: said for address, said in found.items() if said}


@pytest.mark.parametrize("system", SYSTEMS)
def test_axe_finds_nothing_at_a_table(phone: Phones, running: Night, system: str) -> None:
    found = {}
    host = phone()
    host.goto(running.demo(system))
    if host.locator(".welcome").count():  # the party of Stars and Signs is named
        host.locator(".welcome button.is-main").click()
    found["board"] = complaints(host)
    own = COUNTERS if system in SLOTS else CARDS
    for name, (selector, expected) in own.items():
        opened(host, selector, expected)
        found[name] = complaints(host)
    alike = system in LOOKED_AT
    everywhere = {**EVERYWHERE, **(SHEETS_ALIKE if alike else {})}
    for name, (selector, expected) in everywhere.items():
        opened(host, selector, expected)
        found[name] = complaints(host)
    host.keyboard.press("Escape")
    host.locator("[data-menu]").click()
    host.locator("#menu [href=share]").click()
    code = host.locator(".share-code b").inner_text()
    found["share"] = complaints(host)

    table = host.url.split("share")[0]
    shared = (*SHARED, *ALIKE) if alike else SHARED
    for path in shared if own is CARDS else [each for each in shared if each != "flat"]:
        host.goto(f"{table}{path}")
        host.wait_for_load_state("networkidle")
        host.evaluate(ALL_OPEN)
        found[path] = complaints(host)
    host.set_viewport_size({"width": 1280, "height": 720})
    host.goto(f"{table}tv")
    found["television"] = complaints(host)

    guest = phone()
    guest.goto(f"{running.site}/")
    guest.get_by_label("Join with a code").fill(code)
    guest.get_by_role("button", name="Join").tap()
    if system in SLOTS:  # its party is named
        guest.wait_for_selector(".who")
        found["who"] = complaints(guest)
        guest.locator(".who button").first.tap()
    guest.wait_for_selector("#board")
    found["guest"] = complaints(guest)
    if system in SLOTS:
        host.goto(table)
        opened(host, "[href=handouts]", "#handout-new")
        found["new handout"] = complaints(host)
        host.locator("#handout-new [name=title]").fill("A letter")
        host.locator("#handout-new [name=text]").fill("The ink has run.")
        host.locator("#handout-new [data-to-all]").click()
        host.locator("#handout-new button.if-all").click()
        guest.wait_for_selector("#shown .handout")
        found["handout"] = complaints(guest)
        opened(host, "[href$='/large']", "#sheet-body .note-readers")
        found["handout of the GM"] = complaints(host)

    assert {} == {name: said for name, said in found.items() if said}
