"""The folder of `countersite tab`: in Node all scenarios, in Chromium an evening of two tabs."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHROMIUM
from tests.house import ROOT

pytestmark = [pytest.mark.sweep, pytest.mark.timeout(900)]  # it makes the folder once
SLOW = 120_000
"""Milliseconds for Python to start on a busy machine."""


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server."""

    def log_message(self, *_args: Any) -> None:
        pass


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
    from playwright.sync_api import expect

    address, server = site

    def browser() -> Any:
        return playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu"],
            viewport={"width": 390, "height": 844},
            is_mobile=True,
        )

    def open_at(tab: Any, url: str) -> Any:
        tab.goto(url)
        tab.locator("#site").wait_for(timeout=SLOW)
        return tab.frame_locator("#site")

    def both_show(seat: str, life: str, *tables: Any) -> None:
        for table in tables:
            expect(table.locator(f"[id='{seat}.life']").first).to_have_text(life)

    context = browser()
    ana = context.pages[0]
    hers = open_at(ana, address)
    hers.locator('a[href*="rules=magic"]').first.click()
    hers.locator("form.new button.is-main").click()
    link = hers.locator("a", has_text="/j/").first.get_attribute("href")
    hers.locator(".is-main", has_text="Go to the table").click()
    hers.locator("#board").wait_for()
    assert ana.locator("#serving").is_visible()

    ben = context.new_page()
    his = open_at(ben, link)
    hers.locator("button[name=lose-life][value='ana.life']").first.click()
    both_show("ana", "39", hers, his)
    hers.locator("#undo").click()
    both_show("ana", "40", hers, his)

    server.shutdown()
    server.server_close()
    table = ana.url
    ana.close()  # the other tab is the server now
    ben.locator("#serving").wait_for(timeout=SLOW)
    his.locator("button[name=gain-life][value='ben.life']").first.click()
    both_show("ben", "41", his)
    expect(his.locator("b.is-waiting")).to_have_count(0)  # it is saved
    context.close()

    context = browser()
    both_show("ben", "41", open_at(context.pages[0], table))
    context.close()
