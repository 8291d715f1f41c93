"""`table --public`: the tunnel of a program that somebody else made, here by a stand-in."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from countersite.tunnel import NoTunnel, tunnel
from tests.house import ROOT
from tests.night import SETTINGS, furnish

SAYS_SO = """#!{python}
import signal, sys, time
print("INF Requesting new quick Tunnel on trycloudflare.com...", flush=True)
print("INF |  https://red-otter-four.trycloudflare.com  |", flush=True)
open("{log}", "a").write(" ".join(sys.argv[1:]) + "\\n")
def ended(*given):
    open("{log}", "a").write("ended\\n")
    sys.exit()
signal.signal(signal.SIGTERM, ended)
while True:
    time.sleep(0.05)
    print("INF Registered tunnel connection", flush=True)
"""
FAILS = """#!{python}
print("ERR failed to request quick Tunnel: no such host")
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def installed(tmp_path: Path, name: str, program: str) -> str:
    """A PATH on which *name* is this program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    file = folder / name
    file.write_text(program.format(python=sys.executable, log=tmp_path / "log"))
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(folder)


def test_the_invitation_is_printed_under_the_name_of_the_tunnel(
    tmp_path: Path, log: Path, port: int
) -> None:
    folder, out = tmp_path / "night", tmp_path / "printed.txt"
    furnish(folder)
    path = installed(tmp_path, "cloudflared", SAYS_SO)
    command = [sys.executable, "manage.py", "table", "--public", "--port", str(port)]
    with out.open("w") as printed:
        table = subprocess.Popen(
            [*command, "--data", str(folder)],
            cwd=ROOT, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True,
            env={**SETTINGS, "PATH": path},
        )  # fmt: skip
    try:
        until(lambda: "Ctrl-C closes the table" in out.read_text(), out)
        told = out.read_text()
        assert re.search(r"On phones +red-otter-four\.trycloudflare\.com", told), told
        assert "https://red-otter-four.trycloudflare.com/h/" in told
        (called,) = log.read_text().splitlines()
        assert called.startswith("tunnel --no-autoupdate --url http://127.0.0.1:")
        answer = urllib.request.Request(called.rpartition(" ")[2] + "/")
        for name, value in {
            "Host": "red-otter-four.trycloudflare.com",
            "X-Forwarded-Proto": "https",
        }.items():
            answer.add_header(name, value)
        assert 200 == urllib.request.urlopen(answer, timeout=20).status
        os.killpg(table.pid, signal.SIGINT)  # as Ctrl-C does in a terminal
        assert 0 == table.wait(timeout=30)
    finally:
        if table.poll() is None:
            os.killpg(table.pid, signal.SIGKILL)

    assert "The table is closed." in out.read_text()
    assert "Traceback" not in out.read_text()
    assert "ended" == log.read_text().splitlines()[-1], "the tunnel closes with the table"


def test_without_a_program_two_sentences_say_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with (
        pytest.raises(NoTunnel, match=r"^Neither cloudflared nor tailscale .+\. Install one .+\.$"),
        tunnel(8000),
    ):
        pass


def test_a_program_that_makes_no_tunnel_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", installed(tmp_path, "cloudflared", FAILS))

    said = "It said: ERR failed to request quick Tunnel: no such host"
    with pytest.raises(NoTunnel, match=said), tunnel(8000):
        pass


def test_the_name_of_tailscale_s_tunnel_is_read(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = SAYS_SO.replace(
        "|  https://red-otter-four.trycloudflare.com  |", "https://ana.tail1234.ts.net/"
    )
    monkeypatch.setenv("PATH", installed(tmp_path, "tailscale", says))

    with tunnel(8123) as name:
        assert "ana.tail1234.ts.net" == name
        until(lambda: log.exists() and log.read_text(), log)
    assert ["funnel 8123", "ended"] == log.read_text().splitlines()


def until(holds: object, told: Path) -> None:
    """Wait until something holds; what was *told* explains a failure."""
    assert callable(holds)
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, told.read_text() if told.exists() else ""
        time.sleep(0.05)
