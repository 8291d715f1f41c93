"""`table` and `serve` on systems that lack what Linux has: macOS and Windows, simulated here."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections

from games.live.closing import RESTART
from tests.house import ROOT
from tests.types import Make

from .wire import Wire, frame, tap

pytestmark = pytest.mark.django_db(transaction=True)

POOR = """
import _socket, os, select, sys
for module in ("fcntl", "grp", "prctl", "pwd", "resource", "syslog", "termios"):
    sys.modules[module] = None
del _socket.AF_UNIX, _socket.SO_REUSEPORT, _socket.socketpair
for owner, names in (
    (select, "epoll poll"),
    (os, "getuid geteuid getgid getegid getpriority setpriority sched_getaffinity sync"
         " pread pwrite chown getloadavg nice umask"),
):
    for name in names.split():
        if hasattr(owner, name):
            delattr(owner, name)

def without_proc(event, given):
    if event in ("open", "os.listdir", "os.scandir") and str(given[0]).startswith("/proc"):
        raise FileNotFoundError(given[0])

sys.addaudithook(without_proc)
import socket  # it makes pairs as on Windows now
from twisted.python import runtime
runtime.platformType = "elsewhere"  # else twisted looks for AF_UNIX, which it does not on Windows
"""
"""A `sitecustomize` that takes away what other systems lack."""


SIMULATED = pytest.mark.skipif(sys.platform != "linux", reason="it takes from Linux")


def started(command: str, port: int, folder: Path, poor: bool) -> subprocess.Popen[str]:
    """The process of `manage.py command` once it answers. poor: on a system that has little."""
    database = Path(connections["default"].settings_dict["NAME"])
    # Without fcntl, a file that is there is a lock: that of Linux, which is not, must be gone.
    Path(f"{database}.lock").unlink(missing_ok=True)
    (folder / "first").mkdir()
    (folder / "first" / "sitecustomize.py").write_text(POOR if poor else "")
    at = ["--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore::UserWarning", "manage.py", command, *at],
        cwd=ROOT,
        env={
            **os.environ,
            "COUNTERSITE_DATA": str(folder / "data"),
            "COUNTERSITE_SECRET_KEY": settings.SECRET_KEY,
            "DATABASE_URL": f"sqlite:///{database}",
            "DJANGO_SETTINGS_MODULE": "countersite.settings",
            "PYTHONIOENCODING": "utf-8",
            "PYTHONPATH": str(folder / "first"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    for _wait in range(1200):
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        if process.poll() is not None:
            break
        time.sleep(0.05)
    process.kill()
    raise AssertionError(process.communicate()[0])


def closed(phone: Wire) -> int:
    """The code with which the server closes the websocket of *phone*."""
    while True:
        opcode, payload = phone.receive()
        if opcode == 8:
            return int.from_bytes(payload[:2], "big")


@pytest.mark.parametrize("command", ["table", "serve"])
@pytest.mark.parametrize("poor", [False, pytest.param(True, marks=SIMULATED)], ids=["real", "poor"])
def test_a_tap_is_seen_on_two_phones_and_ctrl_c_closes_the_table(
    command: str, poor: bool, port: int, tmp_path: Path, make_game: Make
) -> None:
    game = make_game(objects={"rocket": {"counters": {"fuel": 4}}})
    process = started(command, port, tmp_path, poor)
    try:
        where = type("Where", (), {"port": port})
        with (
            closing(Wire(where, game, "ana", 0, 0)) as ana,  # type: ignore[arg-type]
            closing(Wire(where, game, "ben", 0, 0)) as ben,  # type: ignore[arg-type]
        ):
            ana.send(frame(tap()))
            seen = [phone.until(1) for phone in (ana, ben)]
            process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))
            codes = [closed(phone) for phone in (ana, ben)]
        printed, _nothing = process.communicate(timeout=120)
    finally:
        process.kill()

    assert all(b">5<" in each for each in seen), seen
    assert [RESTART, RESTART] == codes
    assert "Traceback" not in printed, printed
    assert 0 == process.returncode, printed
    if command == "table":
        assert "The table is closed." in printed
