"""A game night as shipped: `manage.py table` in its own process and folder."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from urllib.error import HTTPError

ROOT = Path(__file__).parent.parent
FIRST_PORT = 8700
SETTINGS = {"PATH": "", "DJANGO_SETTINGS_MODULE": "countersite.settings"}
FIRST_START = """
from countersite import first_run
first_run.prepare([])
import django
django.setup()
from countersite.management.commands.table import prepare
prepare()
from games.store import demos
for demo in reversed(demos.demos()):
    demos.played(demo, keep_days=None)
"""
"""Starts once, and plays the demos as games that people made; the first of them last."""


@cache
def started_once() -> Path:
    """A data folder as its first start leaves it: that start is most of what a night costs."""
    folder = Path(tempfile.mkdtemp(prefix="countersite-night-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    named = {**SETTINGS, "COUNTERSITE_DATA": str(folder)}
    subprocess.run([sys.executable, "-c", FIRST_START], cwd=ROOT, env=named, check=True)
    return folder


def furnish(folder: Path) -> None:
    """Make *folder* one that has been started once; of static files there is one copy for all."""
    made = started_once()
    shutil.copytree(made, folder, ignore=shutil.ignore_patterns("static"))
    shutil.copytree(made / "static", folder / "static", copy_function=os.link)


class Night:
    """One run of the command in its own folder, with these environment variables.

    With first, an empty folder stays empty until the command fills it. run: what runs the command.
    """

    def __init__(
        self,
        folder: Path,
        port: int,
        *,
        first: bool = False,
        moving: Path | None = None,
        run: Sequence[str] = ("manage.py",),
        **variables: str,
    ) -> None:
        self.folder, self.out = folder, folder.parent / "printed.txt"
        if not first and not folder.exists():
            furnish(folder)
        # A server that moves has its addresses in a file: see `tests.moving`.
        if moving:
            run = ["-m", "tests.moving", str(moving)]
        command = [sys.executable, *run, "table", "--port", str(port)]
        # A whole run of tests comes from one address.
        environment = {**SETTINGS, "COUNTERSITE_CROWD": "100", **variables}
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                [*command, "--host", "0.0.0.0" if moving else "127.0.0.1", "--data", str(folder)],
                cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env=environment,
            )  # fmt: skip

    @property
    def printed(self) -> str:
        return self.out.read_text()

    def get(self, path: str) -> tuple[int, bytes]:
        """The answer to a GET, waiting for the server to come up."""
        deadline = time.monotonic() + 60
        while True:
            assert self.process.poll() is None, self.printed
            if found := re.search(r"http://(?:localhost|127\.[\d.]+):(\d+)", self.printed):
                address = f"http://127.0.0.1:{found[1]}{path}"
                try:
                    with urllib.request.urlopen(address, timeout=10) as answer:
                        return answer.status, answer.read()
                except HTTPError as error:
                    return error.code, error.read()
                except OSError:
                    pass
            assert time.monotonic() < deadline, self.printed
            time.sleep(0.1)

    def waits_for(self, text: str) -> None:
        """Wait until the server has printed *text*."""
        deadline = time.monotonic() + 60
        while text not in self.printed:
            assert time.monotonic() < deadline, self.printed
            time.sleep(0.1)

    @property
    def site(self) -> str:
        """The address of the running server."""
        self.get("/livez")
        found = re.search(r"http://localhost:\d+", self.printed)
        assert found
        return found[0]

    @property
    def host_link(self) -> str:
        """The host's link to the game that is offered first."""
        self.get("/livez")
        found = re.search(r"http://\S+/h/\w+", self.printed)
        assert found
        return found[0]

    def demo(self, system: str) -> str:
        """The host's link to the demo of *system*; they are printed in the systems' order."""
        from games.store.demos import demos  # take.py uses this class without settings

        self.get("/livez")
        links = re.findall(r"http://[^/\s]+(/h/\w+)", self.printed)
        return self.site + links[[demo["system"] for demo in demos()].index(system)]

    def close(self) -> int:
        """Press Ctrl-C; return the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)

    def kill(self) -> None:
        """Cut the power."""
        self.process.kill()
        self.process.wait()
