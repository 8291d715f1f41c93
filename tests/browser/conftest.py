"""Phones as contexts of one Chromium, at a night that runs as it is shipped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.night import Night

Phone = Any
"""A Playwright page. The type is not imported: without Playwright these tests are skipped."""


@pytest.fixture
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def running(night: Callable[[int], Night], port: int) -> Night:
    started = night(port)
    started.get("/readyz")
    return started


@pytest.fixture
def phone(chromium: Any) -> Iterator[Callable[..., Phone]]:
    """A new phone: `phone()`, or `phone(360, 740)`. What its page complains of fails the test."""
    complaints: list[str] = []

    def new(width: int = 390, height: int = 844) -> Phone:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, has_touch=True, is_mobile=width < 600
        )
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield new
    assert [] == complaints
