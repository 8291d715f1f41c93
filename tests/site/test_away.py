"""A process that cannot serve, and a fault of ours: what a person sees, and what a program gets."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from countersite import health
from games.live.table_registry import registry

NOTED: list[tuple[bytes, bytes]] = [(b"accept-language", b"de")]
BROWSER = [*NOTED, (b"accept", b"text/html,*/*")]


def answer(method: str, headers: list[tuple[bytes, bytes]]) -> tuple[int, dict[bytes, bytes], str]:
    """The status, headers and body that a process which turns away sends."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def pages(scope: dict[str, Any], receive: Any, send: Any) -> None:
        raise AssertionError("it cannot answer")

    scope = {"type": "http", "path": "/", "method": method, "headers": headers}
    async_to_sync(health.available(pages))(scope, None, send)
    start, body = sent
    return start["status"], dict(start["headers"]), body["body"].decode()


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(registry), "turns_away", True)


@pytest.mark.usefixtures("away")
def test_a_process_that_cannot_serve_sends_a_page_that_tries_again() -> None:
    status, headers, body = answer("GET", BROWSER)

    assert (503, b"1") == (status, headers[b"retry-after"])
    assert "Der Server kann gerade nicht antworten" in body
    assert "/again" in body
    assert "<form" not in body, "a form needs a token, which needs a server"
    assert b"default-src 'none'" in headers[b"content-security-policy"]


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize(("method", "headers"), [("POST", BROWSER), ("GET", NOTED)])
def test_it_sends_programs_and_forms_a_line(
    method: str, headers: list[tuple[bytes, bytes]]
) -> None:
    status, found, body = answer(method, headers)

    assert (503, b"text/plain") == (status, found[b"content-type"])
    assert "Try again in a moment" in body


@pytest.mark.parametrize("path", ["/about", "/api/v1/state"])
def test_a_fault_of_ours_is_a_page_or_json(
    db: None, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def fails(*_args: Any, **_named: Any) -> None:
        raise RuntimeError("a fault that a test asked for")

    monkeypatch.setattr("games.pages.home.render", fails)
    monkeypatch.setattr("games.seats.programs.caller", fails)
    browser = Client(raise_request_exception=False)
    found = browser.get(path, headers={"Authorization": "Bearer some", "Accept-Language": "es"})

    assert 500 == found.status_code
    if path == "/about":
        assert "Algo falló" in found.content.decode()
        assert "csrfmiddlewaretoken" in found.content.decode(), "its language can be changed"
    else:
        assert "broken" == found.json()["refused"]["code"]


def test_a_fault_in_that_page_too_is_still_a_page(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_args: Any, **_named: Any) -> None:
        raise RuntimeError("a fault that a test asked for")

    monkeypatch.setattr("games.pages.home.render", fails)
    monkeypatch.setattr("countersite.unreadable.render", fails)
    found = Client(raise_request_exception=False).get("/about")

    assert 500 == found.status_code
    assert "Something went wrong" in found.content.decode()
