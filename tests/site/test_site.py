"""Health checks, security headers, log lines and the admin."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client

from countersite import health
from countersite.logs import Sparing
from countersite.security import WithoutTokens
from games.live.table_registry import registry
from games.models import Entry, Game
from games.store import rows
from tests.types import Sit


def test_alive_needs_no_database(client: Client) -> None:
    assert b"alive\n" == client.get("/livez").content


def test_ready_means_that_the_database_answers(client: Client, db: None) -> None:
    assert 200 == client.get("/readyz").status_code


def test_a_site_without_its_database_is_not_ready(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise OperationalError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(Game.objects, "order_by", gone)
        answer = client.get("/readyz")

    assert 503 == answer.status_code
    assert b"the database does not answer: OperationalError\n" == answer.content


def test_a_database_that_hangs_is_not_ready_within_a_second(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = threading.Event()
    monkeypatch.setattr(health, "database", lambda: hanging.wait(20) and "")
    try:
        for _check in range(2):
            before = time.monotonic()
            answer = client.get("/readyz")
            assert (503, b"the database does not answer in time\n") == (
                answer.status_code, answer.content,
            )  # fmt: skip
            assert time.monotonic() - before < 5  # it is 0.8 seconds, on a machine that is idle
    finally:
        hanging.set()
        health._asked.result()


@pytest.mark.parametrize("path", ["/livez", "/admin/login/", "/nowhere"])
def test_every_answer_forbids_what_is_inline_foreign_or_framed(
    client: Client, db: None, path: str
) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "DENY" == headers["X-Frame-Options"]
    assert "nosniff" == headers["X-Content-Type-Options"]
    assert "same-origin" == headers["Referrer-Policy"]


def test_only_the_sites_that_the_operator_named_may_frame_a_page(
    client: Client, db: None, settings: Any
) -> None:
    settings.FRAMED_BY = ["https://www.owlbear.rodeo", "https://*.discordsays.com"]
    page = client.get("/code")

    ancestors = "frame-ancestors 'self' https://www.owlbear.rodeo https://*.discordsays.com"
    assert page.headers["Content-Security-Policy"].endswith(ancestors)
    assert "X-Frame-Options" not in page.headers
    kept = [morsel.OutputString() for morsel in page.cookies.values()]
    assert kept
    assert all("SameSite=None; Partitioned; Secure" in each for each in kept), kept
    admin = client.get("/admin/login/").headers
    assert "frame-ancestors 'none'" in admin["Content-Security-Policy"]
    assert "DENY" == admin["X-Frame-Options"]


@pytest.mark.parametrize("path", ["/j/wrong-token", "/h/wrong-token"])
def test_secret_links_are_neither_told_to_other_sites_nor_kept(
    client: Client, db: None, path: str
) -> None:
    headers = client.get(path).headers

    assert "same-origin" == headers["Referrer-Policy"]  # its form for a code must have an origin
    assert "no-store" == headers["Cache-Control"]


@pytest.mark.parametrize(("asked", "subdomains"), [("", False), ("off", False), ("on", True)])
def test_https_settings_keep_to_this_host(asked: Any, subdomains: Any) -> None:
    says = (
        "from countersite import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, "
        "s.DEVICE_COOKIE_NAME, s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, "
        "s.SECURE_HSTS_PRELOAD, *s.PROXIES)"
    )
    environment = {**os.environ, "COUNTERSITE_HTTPS": "on", "COUNTERSITE_HSTS_SUBDOMAINS": asked}

    said = subprocess.run(
        [sys.executable, "-c", says], env=environment, capture_output=True, text=True, check=True
    )

    host_only = "__Host-sessionid __Host-csrftoken __Host-device"
    preload = f"31536000 {subdomains} {subdomains}"
    assert f"{host_only} {preload} 127.0.0.1/32 ::1/128\n" == said.stdout


def test_guessing_passwords_is_slowed_down(client: Client, db: None) -> None:
    tried = {"username": "ana", "password": "wrong"}

    tries = [client.post("/admin/login/", tried).content.decode() for _ in range(12)]

    assert "Please enter the correct username" in tries[0]
    assert "Too many tries" in tries[-1]
    assert "Too many tries" not in client.get("/admin/login/").content.decode()


def test_the_admin_is_offered_only_if_asked_for() -> None:
    says = "import django; django.setup(); from django.urls import resolve; resolve('/admin/')"
    environment = {
        **os.environ,
        "COUNTERSITE_ADMIN": "",
        "DJANGO_SETTINGS_MODULE": "countersite.settings",
    }

    said = subprocess.run([sys.executable, "-c", says], env=environment, capture_output=True)

    assert b"Resolver404" in said.stderr


def test_a_page_under_a_strangers_name_is_refused(client: Client) -> None:
    assert 400 == client.get("/livez", headers={"host": "evil.example"}).status_code
    assert "*" not in settings.ALLOWED_HOSTS


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("GET /j/abc123", "GET /j/…"),
        ("GET /h/abc123 200", "GET /h/… 200"),
        ("POST /s/abc123?from=home", "POST /s/…?from=home"),
        ("GET /r/night/abc123", "GET /r/night/…"),
        ("/g/night/ws?from=3&ticket=a:b:c HTTP/1.1", "/g/night/ws?from=3&ticket=… HTTP/1.1"),
        ("GET /g/night/", "GET /g/night/"),
    ],
)
def test_log_lines_carry_no_tokens(message: Any, expected: Any) -> None:
    record = logging.LogRecord("django", logging.INFO, "", 0, "%s", (message,), None)

    assert WithoutTokens().filter(record)
    assert expected == record.getMessage()


def test_the_models_need_no_migration(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_the_admin_shows_every_kind_of_row_and_changes_none(
    game: Game, admin_client: Client
) -> None:
    rows.give(game, [{"do": "place", "on": "ana", "counter": "points", "amount": 3}])
    counter = game.counters.get(holder="ana")

    for model in ("game", "seat", "gameobject", "counter", "slotcounter", "prompt"):
        assert 200 == admin_client.get(f"/admin/games/{model}/").status_code
        assert 403 == admin_client.get(f"/admin/games/{model}/add/").status_code
    for row in (f"counter/{counter.pk}", f"game/{game.pk}"):
        assert 200 == admin_client.get(f"/admin/games/{row}/change/").status_code
        assert 403 == admin_client.post(f"/admin/games/{row}/change/", {}).status_code
    assert 403 == admin_client.post(f"/admin/games/counter/{counter.pk}/delete/").status_code
    page = admin_client.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert "ana {&quot;do&quot;: &quot;place&quot;" in page


def test_the_admin_shows_no_secret(game: Game, admin_client: Client) -> None:
    page = admin_client.get(f"/admin/games/game/{game.pk}/change/").content.decode()

    assert game.slug in page
    assert game.invite_hash not in page
    assert game.invite_token not in page
    assert game.host_token not in page


def test_the_admin_deletes_a_game_with_all_that_belongs_to_it(
    game: Game, admin_client: Client
) -> None:
    rows.give(game, [{"do": "place", "on": "ana", "counter": "points"}])

    admin_client.post(f"/admin/games/game/{game.pk}/delete/", {"post": "yes"})

    assert not Game.objects.exists()
    assert not Entry.objects.exists()


def test_the_admin_is_for_staff_only(dan: Client) -> None:
    assert 302 == dan.get("/admin/games/game/").status_code


def test_strangers_cannot_fill_the_log() -> None:
    sparing = Sparing()

    def logged(name: str, at: Any) -> Any:
        error: Any = (ValueError, 0, None)
        record = logging.LogRecord(name, logging.ERROR, __file__, 1, "no", (), error)
        record.created = at
        return sparing.filter(record), record.exc_info

    hosts, fields = "django.security.DisallowedHost", "django.security.TooManyFieldsSent"
    assert [(True, None)] + 3 * [(False, (ValueError, 0, None))] == [
        logged(hosts, 100.0 + n) for n in range(4)
    ]
    assert (True, None) == logged(fields, 101.0), "each kind is told"
    assert (True, None) == logged(hosts, 111.0), "and again after a while"
    assert logged("games", 100.0) == logged("games", 100.1) == (True, (ValueError, 0, None))


def test_no_script_reads_the_cookies(game: Game, sit: Sit) -> None:
    ana = sit(game, "ana")
    ana.get(f"/g/{game.slug}/")
    ana.post("/language", {"language": "de"})

    assert {"csrftoken", "django_language"} <= ana.cookies.keys()
    for name, cookie in ana.cookies.items():
        assert cookie["httponly"] or name == "device", name  # which this test brought


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
