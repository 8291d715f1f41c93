"""The folder of `countersite tab`: in Node all scenarios, in Chromium an evening of two tabs."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conftest import CHROMIUM
from tests.house import ROOT

pytestmark = [pytest.mark.sweep, pytest.mark.timeout(900)]  # it makes the folder once
SLOW = 120_000
"""Milliseconds for Python to start on a busy machine."""


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server. Once its network hangs, no request is answered."""

    hangs: threading.Event

    def do_GET(self) -> None:
        if self.hangs.is_set():
            time.sleep(60)
        super().do_GET()

    def log_message(self, *_args: Any) -> None:
        pass


ARGUMENTS = ["--no-sandbox", "--disable-gpu"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}
SEES = """window.BarcodeDetector = class {
  async detect() { return window.seen ? [{ rawValue: seen }] : []; }
}"""
"""A browser that reads codes: Chromium does not on every machine. The camera is its own."""
AS_THE_HOST = """slug => new Promise((done) => {
  const channel = new BroadcastChannel("countersite /games/");
  const ask = { ask: "x", jar: "", method: "GET", target: `/g/${slug}/share`, headers: [] };
  const told = (body) => done(new TextDecoder().decode(body));
  channel.onmessage = ({ data }) => data.answer === "x" && told(data.body);
  channel.postMessage(ask);
})"""
"""What a guest is told that asks with the host's jar of cookies."""
ONE_IS_AWAY = """async () => {
  const seats = await document.getElementById("site").contentWindow.fetch("seats/");
  return (await seats.text()).includes('data-here="away"');
}"""


def open_at(tab: Any, url: str) -> Any:
    tab.goto(url)
    tab.locator("#site").wait_for(timeout=SLOW)
    return tab.frame_locator("#site")


def invite(tab: Any, address: str) -> Any:
    """Set up a Magic table, as far as its invitation."""
    site = open_at(tab, address)
    site.locator('a[href*="rules=magic"]').first.click()
    site.locator("form.new button.is-main").click()
    site.locator(".share-guests").wait_for()
    return site


def code_of(page: Any) -> str:
    """The code that a page shows to another phone."""
    link = page.locator("[data-code][href]:visible")
    link.wait_for()
    return str(link.get_attribute("href"))


def at_the_table(guest: Any) -> Any:
    guest.frame_locator("#site").locator("#board").wait_for()
    return guest.frame_locator("#site")


def all_show(seat: str, life: str, *tables: Any) -> None:
    from playwright.sync_api import expect

    for table in tables:
        expect(table.locator(f"[id='{seat}.life']").first).to_have_text(life)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, in another folder of the file server."""
    if not shutil.which("npm") or subprocess.run(["npm", "ping"], capture_output=True).returncode:
        pytest.skip("The npm registry is not reachable, from which Python for browsers comes.")
    made: Path = tmp_path_factory.mktemp("served") / "games"
    command = [sys.executable, "manage.py", "tab", str(made)]
    where = {
        **os.environ,
        "COUNTERSITE_DATA": str(made.parent.parent / "data"),
        "DJANGO_SETTINGS_MODULE": "countersite.settings",
    }
    done = subprocess.run(command, cwd=ROOT, env=where, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture
def site(folder: Path) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    Quiet.hangs = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/games/", server
    server.shutdown()
    server.server_close()


def test_all_scenarios_and_an_evening_hold_in_webassembly(folder: Path, tmp_path: Path) -> None:
    for packed in folder.rglob("*.gz"):
        file = tmp_path / packed.relative_to(folder / "tab").with_suffix("")
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(gzip.decompress(packed.read_bytes()))
    run = ["node", "tests/in_node.mjs", str(tmp_path)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-800:] + done.stderr[-2000:]
    found = re.search(r"^(\d+) passed, 0 failed$", done.stdout, re.MULTILINE)

    assert found, done.stdout[-800:]
    assert int(found[1]) > 3000


def test_what_is_fetched_once_is_at_most_16_megabytes(folder: Path) -> None:
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 16_000_000


@pytest.mark.browser
def test_two_tabs_play_go_on_without_a_network_and_find_their_table_again(
    playwright: Any, site: tuple[str, ThreadingHTTPServer], tmp_path: Path
) -> None:
    from playwright.sync_api import Error

    address, server = site

    def browser() -> Any:
        return playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=CHROMIUM, args=ARGUMENTS, **PHONE
        )

    context = browser()
    ana = context.pages[0]
    hers = invite(ana, address)
    link = hers.locator(".share-link a").first.get_attribute("href")
    hers.locator(".is-main", has_text="Go to the table").click()
    hers.locator("#board").wait_for()
    assert ana.locator("#serving").is_visible()

    server.shutdown()
    server.server_close()
    ben = context.new_page()
    his = open_at(ben, link)
    hers.locator("button[name=lose-life][value='ana.life']").first.click()
    all_show("ana", "39", hers, his)
    hers.locator("#undo").click()
    all_show("ana", "40", hers, his)

    cleo = context.new_page()
    open_at(cleo, link).locator("#board").wait_for()
    with suppress(Error):
        cleo.goto("chrome://crash")
    ana.wait_for_function(ONE_IS_AWAY)

    table = ana.url
    ana.close()  # the other tab is the server now
    ben.locator("#serving").wait_for(timeout=SLOW)
    his.locator("button[name=gain-life][value='ben.life']").first.click()
    all_show("ben", "41", his)
    his.locator("b.is-waiting").wait_for(state="detached")  # it is saved
    context.close()

    context = browser()
    all_show("ben", "41", open_at(context.pages[0], table))
    context.close()


@pytest.mark.browser
def test_four_phones_play_without_a_server_and_one_is_gone_and_back(
    playwright: Any, site: tuple[str, ThreadingHTTPServer]
) -> None:
    """One answer is pasted, one scanned, one opened by the phone's own camera."""
    media = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *media])
    phones = [browser.new_context(**PHONE) for _ in range(4)]
    phones[0].add_init_script(SEES)
    ana, ben, cleo, eve = (phone.new_page() for phone in phones)
    hers = invite(ana, site[0])

    def share() -> None:
        if not ana.url.endswith("/share"):
            hers.locator("[data-menu]").click()
            hers.locator("#menu a[href='share']").click()
        hers.locator(".share-guests").wait_for()

    def answer(guest: Any) -> str:
        share()
        guest.goto(code_of(hers))
        return code_of(guest)

    def paste(code: str) -> None:
        share()
        hers.locator("input[name=code]").fill(code)
        hers.locator("input[name=code]").press("Enter")

    bens = answer(ben)
    paste(bens)
    his = at_the_table(ben)
    seen = answer(cleo)
    hers.locator("[data-scan]").click()
    ana.evaluate("code => (window.seen = code)", seen)
    theirs = [his, at_the_table(cleo)]
    hers.locator(".share-came li:nth-child(3)").wait_for()
    paste(bens)
    hers.locator("[role=alert]", has_text="That answers an older code").wait_for()
    photographed = answer(eve)
    tab = phones[0].new_page()
    tab.goto(photographed)
    tab.locator("#done").wait_for()
    tab.close()
    theirs.append(at_the_table(eve))

    hers.locator("#board").wait_for()  # the last seat was taken
    hers.locator("button[name=lose-life][value='ana.life']").first.click()
    all_show("ana", "39", hers, *theirs)
    assert "/h/" not in ben.evaluate(AS_THE_HOST, urlsplit(ana.url).path.split("/")[-2])

    ben.close()
    hers.locator("button[name=lose-life][value='ana.life']").first.click()
    all_show("ana", "38", hers, *theirs[1:])
    Quiet.hangs.set()
    ben = phones[1].new_page()
    paste(answer(ben))
    his = at_the_table(ben)
    all_show("ana", "38", his)
    his.locator("button[name=gain-life][value='ben.life']").first.click()
    all_show("ben", "41", his, *theirs[1:])
    ana.close()
    ben.locator("#back input").wait_for(timeout=SLOW)
    browser.close()
