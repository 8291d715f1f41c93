"""Monitoring of a server: units, alerts and board in deploy/, read by their own programs."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from countersite.operating import Collector
from tests.house import ROOT
from tests.live.wire import Server

DEPLOY = ROOT / "deploy"
BOARD = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
RULES = (DEPLOY / "alerts.yml").read_text(encoding="utf-8")
OTHERS = {"up", "process_resident_memory_bytes", "process_cpu_seconds_total"}
"""Prometheus' own, and what its library tells of a process."""
UNITS = [
    "countersite.service",
    "countersite-setup.service",
    "countersite@8001.service",
    "countersite-backup.service",
    "countersite-backup.timer",
]


def run(*command: object) -> tuple[int, str]:
    said = subprocess.run([*map(str, command)], capture_output=True, text=True)
    return said.returncode, said.stdout + said.stderr


def expressions() -> list[str]:
    """Those of the board, as Prometheus gets them."""
    told = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
    return [each.replace("$__rate_interval", "5m").replace("$job", ".+") for each in told]


# Units


def verified(folder: Path, unit: str, **changes: str) -> str:
    """Complaints of systemd about a shipped unit, with a program and a folder that are here."""
    for shipped in [*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")]:
        text = shipped.read_text(encoding="utf-8")
        text = text.replace("/opt/countersite/.venv/bin/countersite", "/bin/true")
        text = text.replace("WorkingDirectory=/opt/countersite", f"WorkingDirectory={folder}")
        for old, new in changes.items():
            text = text.replace(old, new)
        name = shipped.name.replace("@.", "@8001.")
        (folder / name).write_text(text, encoding="utf-8")
    return run("systemd-analyze", "verify", "--man=no", folder / unit)[1]


@pytest.mark.watchers
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_has_nothing_against_the_units(tmp_path: Path, unit: str) -> None:
    ours = [line for line in verified(tmp_path, unit).splitlines() if "countersite" in line]

    assert [] == ours


@pytest.mark.watchers
def test_systemd_would_have_something_against_a_mistake(tmp_path: Path) -> None:
    assert "WatchDoge" in verified(tmp_path, UNITS[0], WatchdogSec="WatchDoge")


@pytest.fixture
def told(tmp_path: Path) -> Iterator[tuple[socket.socket, Server]]:
    """The socket on which systemd would listen, and a server that it would have started."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as place:
        place.bind(str(tmp_path / "notify"))
        place.settimeout(60)
        server = Server(NOTIFY_SOCKET=str(tmp_path / "notify"))
        yield place, server
        server.process.send_signal(signal.SIGCONT)
        server.kill()


@pytest.mark.sweep
@pytest.mark.django_db(transaction=True)
def test_a_server_tells_systemd_that_it_serves_lives_and_stops(told: Any) -> None:
    place, server = told
    said = [place.recv(100) for _second in range(3)]
    server.process.send_signal(signal.SIGSTOP)
    place.settimeout(3)
    hung = [*iter(partial(silence, place), "silence")]
    server.process.send_signal(signal.SIGCONT)
    server.process.terminate()
    place.settimeout(60)
    while (last := place.recv(100)) == b"WATCHDOG=1":
        pass

    assert [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"] == said
    assert b"STOPPING=1" == last
    assert len(hung) <= 1, "what it said just before"


def silence(place: socket.socket) -> str:
    """The next line of a server; "silence" if there is none."""
    try:
        return place.recv(100).decode()
    except TimeoutError:
        return "silence"


# Alerts


@pytest.mark.watchers
def test_prometheus_has_nothing_against_the_alerts() -> None:
    status, said = run("promtool", "check", "rules", "--lint-fatal", DEPLOY / "alerts.yml")

    assert (0, True) == (status, "7 rules found" in said), said


def series(name: str, values: str, **labels: str) -> dict[str, str]:
    given = {"job": "countersite", "instance": "one", **labels}
    named = ", ".join(f'{label}="{value}"' for label, value in given.items())
    return {"series": f"{name}{{{named}}}", "values": values}


QUIET = [
    series("up", "1x30"),
    series("countersite_commits_failed_total", "0x30"),
    series("countersite_database_away", "0x30"),
    series("countersite_event_loop_lag_seconds", "0.01x30"),
    series("countersite_commit_seconds_bucket", "0+100x30", le="0.5"),
    series("countersite_commit_seconds_bucket", "0+100x30", le="1.0"),
    series("countersite_commit_seconds_bucket", "0+100x30", le="+Inf"),
    series("countersite_redis_away", "0x30"),
    series("countersite_relay_dropped_total", "0x30"),
    series("countersite_disk_free_bytes", "2e9x30"),
    series("countersite_disk_low", "0x30"),
    series("countersite_last_backup_timestamp_seconds", "-3600x30"),
]
TROUBLE = {
    "CountersiteDown": [series("up", "1x3 0x30")],
    "CountersiteCannotSave": [series("countersite_database_away", "0x3 1x30")],
    "CountersiteSlow": [
        series("countersite_commit_seconds_bucket", "0+1x30", le="0.5"),
    ],
    "CountersiteProcessesApart": [series("countersite_relay_dropped_total", "0x3 0+50x30")],
    "CountersiteDiskFull": [series("countersite_disk_free_bytes", "2e9x3 5e8x30")],
    "CountersiteTakesNoNewGames": [series("countersite_disk_low", "0x3 1x30")],
    "CountersiteBackupOld": [series("countersite_last_backup_timestamp_seconds", "-93600x30")],
}


@pytest.mark.watchers
@pytest.mark.parametrize("alert", TROUBLE)
def test_each_alert_tells_its_trouble_and_nothing_else(tmp_path: Path, alert: str) -> None:
    fails = {each["series"] for each in TROUBLE[alert]}
    given = [*TROUBLE[alert], *(each for each in QUIET if each["series"] not in fails)]
    query = 'count by (alertname) (ALERTS{alertstate="firing"})'
    fired = {"labels": f'{{alertname="{alert}"}}', "value": 1}

    def case(inputs: object, expected: object) -> dict[str, object]:
        asked = {"expr": query, "eval_time": "20m", "exp_samples": expected}
        return {"interval": "1m", "input_series": inputs, "promql_expr_test": [asked]}

    shutil.copy(DEPLOY / "alerts.yml", tmp_path)
    tests = tmp_path / "tests.yml"  # JSON is YAML
    cases = [case(given, [fired]), case(QUIET, [])]
    tests.write_text(json.dumps({"rule_files": ["alerts.yml"], "tests": cases}))
    status, said = run("promtool", "test", "rules", tests)

    assert 0 == status, said


# The board


@pytest.mark.watchers
def test_prometheus_understands_what_the_board_asks(tmp_path: Path) -> None:
    asked = [{"record": f"asked:{n}", "expr": each} for n, each in enumerate(expressions())]
    rules = tmp_path / "asked.yml"
    rules.write_text(json.dumps({"groups": [{"name": "board", "rules": asked}]}))
    status, said = run("promtool", "check", "rules", rules)

    assert (0, True) == (status, f"{len(asked)} rules found" in said), said


@pytest.mark.django_db
def test_board_and_alerts_ask_only_for_what_a_server_tells(settings: Any) -> None:
    pytest.importorskip("prometheus_client")
    settings.SHARED = True
    told = set(OTHERS)
    for family in shared_families():
        ends = {"counter": ["_total"], "histogram": ["_bucket"]}.get(family.type, [""])
        told |= {family.name + end for end in ends}
    asked = {
        name
        for text in [*expressions(), RULES]
        for name in re.findall(r"\b(?:countersite_\w+|process_\w+|up\b)", text)
    }

    assert set() == asked - told


def shared_families() -> list[Any]:
    """Metrics of one of several processes, whose figures are none here."""
    from countersite import operating

    class Figures(dict[str, float]):
        def __missing__(self, name: str) -> float:
            return 0.0

    mine = Figures(operating.watch.figures())  # type: ignore[attr-defined]
    patch = pytest.MonkeyPatch()
    patch.setattr(operating.watch, "figures", lambda: mine)  # type: ignore[attr-defined]
    patch.setattr(operating.backup, "last", lambda: datetime.now(UTC))  # type: ignore[attr-defined]
    try:
        return list(Collector().collect())
    finally:
        patch.undo()


def test_the_board_is_what_grafana_s_linter_asks_for() -> None:
    """Its rules, for the linter itself is in no registry of packages that this project uses."""
    panels, variables = BOARD["panels"], BOARD["templating"]["list"]
    places = [(each["gridPos"]["x"], each["gridPos"]["y"]) for each in panels]

    assert ["datasource", "query"] == [each["type"] for each in variables]
    assert len(panels) == len({each["id"] for each in panels}) == len({*places})
    for panel in panels:
        assert panel["title"]
        assert panel["description"].endswith(".")
        assert panel["fieldConfig"]["defaults"]["unit"] in {"ops", "s", "short", "bytes"}
        for target in panel["targets"]:
            source = {panel["datasource"]["uid"], target["datasource"]["uid"]}
            assert {"${source}"} == source, panel["title"]
            assert 'job=~"$job"' in target["expr"], target["expr"]
            counted = re.findall(r"\w+_(?:total|bucket)\b", target["expr"])
            assert len(counted) == target["expr"].count("rate("), target["expr"]
