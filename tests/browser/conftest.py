"""Phones as contexts of one Chromium, at a game night that runs as shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import CHROMIUM, free_port
from tests.night import Night

from .tables import SESSION, Host, Table

Phone = Any
"""A Playwright page. The type is not imported: without Playwright these tests are skipped."""


@pytest.fixture(scope="package")
def playwright() -> Iterator[Any]:
    """For all browser tests of a worker; not for longer, as it has an event loop running."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # as long as all others wait, on the slowest machine
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def chromium(playwright: Any) -> Iterator[Any]:
    # Drawing for no screen, a graphics process of its own only costs time.
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
    )
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    """A night for all tests of a run, or of a worker of it; each makes its own games."""
    started = Night(tmp_path_factory.mktemp("evening") / "night", free_port())
    started.get("/readyz")
    yield started
    started.kill()


@pytest.fixture
def fresh(night: Callable[[int], Night], port: int) -> Night:
    """A night for one test that plays the demos."""
    started = night(port)
    started.get("/readyz")
    return started


def complain(page: Any, complaints: list[str]) -> None:
    """Note the errors of *page*, and the warnings of htmx: of a target that is not there, say."""
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: (
            (said.type, said.text[:5]) == ("warning", "htmx:") and complaints.append(said.text)
        ),
    )


@pytest.fixture
def phone(chromium: Any) -> Iterator[Callable[..., Phone]]:
    """A new phone: `phone()`, or `phone(360, 740)`. What it complains of fails the test.

    Only a phone that asks for it gets the service worker: sometimes Chromium never closes a context
    whose worker is about to start.
    """
    complaints: list[str] = []
    pages: list[Any] = []

    def new(width: int = 390, height: int = 844, *, worker: bool = False) -> Phone:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            has_touch=True,
            is_mobile=width < 600,
            service_workers="allow" if worker else "block",
        )
        page = context.new_page()
        pages.append(page)
        complain(page, complaints)
        return page

    yield new
    for page in pages:
        wire = page.context.new_cdp_session(page)
        wire.send("ServiceWorker.enable")
        wire.send("ServiceWorker.stopAllWorkers")
        page.context.close()
    assert [] == complaints


@pytest.fixture(scope="module")
def seated(chromium: Any, running: Night) -> Iterator[Callable[[int], list[Host]]]:
    """So many phones, the same ones for all tests of a file: half of a visit is the first page's.

    What their pages complain of are faults of the file's last test.
    """
    complaints: list[str] = []
    hosts: list[Host] = []

    def phones(count: int) -> list[Host]:
        while len(hosts) < count:
            context = chromium.new_context(
                viewport={"width": 390, "height": 844}, has_touch=True, service_workers="block"
            )
            page = context.new_page()
            complain(page, complaints)
            hosts.append(Host(page, running.site))
        for host in hosts[:count]:
            host.page.set_viewport_size({"width": 390, "height": 844})
        return hosts[:count]

    yield phones
    for host in hosts:
        host.page.context.close()
    assert [] == complaints


@pytest.fixture
def table(request: pytest.FixtureRequest, chromium: Any, running: Night) -> Iterator[Table]:
    """The laptop of a GM and Ana's phone at the file's `EVENING`, or at a usual session."""
    session = getattr(request.module, "EVENING", SESSION)
    made = Table(chromium, running.site, session)
    yield made
    made.close()
