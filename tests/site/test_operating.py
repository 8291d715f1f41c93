"""The operator's page, metrics and log."""

from __future__ import annotations

import importlib
import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import clear_url_caches

from countersite import environment, urls
from countersite.logs import Json, Line
from games.live import figures
from games.live.measured import COMMITS, Histogram
from games.live.table_registry import registry
from games.models import Game
from games.store import backup, rows

TOKEN = "a token that only Prometheus has"
TAP = {"do": "place", "on": "ana", "counter": "points", "amount": 7}


def test_the_page_shows_games_and_processes_to_the_admin_only(
    game: Game, ana: Client, admin_client: Client
) -> None:
    rows.give(game, [TAP] * 2)

    page = admin_client.get("/admin/operating").content.decode()

    assert re.search(rf"<td>{game.system} {game.edition}</td>\s*<td>2</td>", page)
    assert "process " in page
    assert "kept for ever" in page
    assert 'href="/admin/operating"' in admin_client.get("/admin/").content.decode()
    for stranger in (ana, Client()):
        answer = stranger.get("/admin/operating")
        assert (302, True) == (answer.status_code, "/admin/login/" in answer.headers["Location"])


def test_the_page_and_the_metrics_say_when_the_last_backup_was_made(
    metrics: None, admin_client: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("prometheus_client")
    at = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    monkeypatch.setattr(backup, "last", lambda: at)

    page = admin_client.get("/admin/operating").content.decode()
    told = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).content.decode()

    assert "last backed up: 01/02/2026 3:04 a.m." in page
    (said,) = re.findall(r"^countersite_last_backup_timestamp_seconds (.+)$", told, re.M)
    assert at.timestamp() == float(said)


@pytest.fixture
def metrics(settings: Any, db: None) -> Any:
    settings.METRICS_TOKEN = TOKEN
    importlib.reload(urls)
    clear_url_caches()
    yield
    settings.METRICS_TOKEN = ""
    importlib.reload(urls)
    clear_url_caches()


def test_metrics_are_in_prometheus_form_with_the_token(
    metrics: None, game: Game, client: Client
) -> None:
    pytest.importorskip("prometheus_client")
    from prometheus_client.parser import text_string_to_metric_families

    answer = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})

    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    found = {
        sample.name: sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }
    assert 1 == found["countersite_games"]
    assert found["countersite_database_bytes"] > 1000
    assert 0 == found["countersite_commits_failed_total"]
    assert found["process_resident_memory_bytes"] > 10**6
    assert COMMITS.buckets()[-1][1] == found["countersite_commit_seconds_count"]
    assert not any(name.startswith("countersite_relay") for name in found if "queue" not in name)


def test_a_histogram_counts_what_was_at_most_each_bound() -> None:
    histogram = Histogram("Seconds.", (0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 3.0):
        histogram.add(value)

    assert [("0.1", 2.0), ("1.0", 3.0), ("+Inf", 4.0)] == histogram.buckets()
    assert 3.65 == pytest.approx(histogram.sum)


@pytest.mark.django_db(transaction=True)
def test_a_saved_batch_is_timed(game: Game, ana: Client) -> None:
    registry.close()
    before = COMMITS.buckets()[-1][1]
    ana.post(f"/g/{game.slug}/command", {"do": "place", "on": "ana", "counter": "points"})
    registry.close()

    assert before + 1 == COMMITS.buckets()[-1][1]


@pytest.mark.parametrize("given", ["", "Bearer wrong", TOKEN])
def test_without_the_token_there_are_none(metrics: None, client: Client, given: str) -> None:
    answer = client.get("/metrics", headers={"authorization": given})

    assert (401, "Bearer") == (answer.status_code, answer.headers["WWW-Authenticate"])
    assert b"countersite_" not in answer.content


def test_metrics_are_not_offered_unless_asked_for(client: Client, db: None) -> None:
    assert 404 == client.get("/metrics").status_code


@pytest.mark.django_db(transaction=True)
def test_taps_are_counted(game: Game, ana: Client) -> None:
    registry.close()
    ana.post(f"/g/{game.slug}/command", {"do": "place", "on": "ana", "counter": "points"})
    now = figures.figures(registry, 0.0)
    registry.close()

    assert (1, 1, 0) == (now["accepted"], now["commits"], now["failed"])


def test_processes_tell_each_other_how_they_do(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SHARED = True
    mine = {"name": "manage.py serve (process 1) at http://127.0.0.1:8000", "lag": 0.0}
    other = {**mine, "name": "manage.py serve (process 2) at http://127.0.0.1:8001"}
    cache.delete(figures.LISTED)

    figures.publish(mine)
    monkeypatch.setattr(figures, "ME", "another")
    figures.publish(other)
    monkeypatch.undo()

    assert [mine, other] == figures.of_all(mine)
    cache.delete(figures.LISTED)


def record(message: str, failing: bool = False) -> logging.LogRecord:
    raised = None
    if failing:
        try:
            raise ValueError("at /j/secret123")
        except ValueError:
            raised = sys.exc_info()
    return logging.LogRecord("games", logging.ERROR, "", 0, message, (), raised)


def test_a_line_of_json_has_no_secrets() -> None:
    record_json = json.loads(Json().format(record("GET /j/secret123 “failed”", failing=True)))

    assert ("error", "games") == (record_json["level"], record_json["logger"])
    assert "GET /j/… “failed”" == record_json["message"]
    assert "ValueError: at /j/…" in record_json["exception"]
    assert record_json["time"].endswith("+00:00")


def test_tracebacks_in_lines_of_text_have_none_either() -> None:
    line = Line("{levelname}: {message}", style="{").format(record("broken", failing=True))

    assert "ValueError: at /j/…" in line
    assert "secret123" not in line


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("COUNTERSITE_LOG", "xml"),
        ("COUNTERSITE_METRICS_TOKEN", "short"),
        ("COUNTERSITE_KEEP_DAYS", "soon"),
    ],
)
def test_strange_values_are_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    reads = {
        "COUNTERSITE_LOG": lambda: environment.choice(name, ("text", "json")),
        "COUNTERSITE_METRICS_TOKEN": lambda: environment.token(name),
        "COUNTERSITE_KEEP_DAYS": lambda: environment.whole(name, None, 36_500, "whole days"),
    }

    with pytest.raises(ImproperlyConfigured, match=name):
        reads[name]()
