"""An adapter to this project for a load harness that compares websocket servers.

Load it with the harness's `--adapter`. It starts the shipped server on its own data folder, under
the harness's work folder, and creates games and seats there with the product's own code. Each seat
has a ticket instead of a cookie, and an empty screen (`from=0`).

A board has as many objects as the harness has counters; a tap puts one counter on one of them.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import adapters  # the harness's own module

ROOT = Path(__file__).resolve().parent.parent
PYTHON = next((str(p) for p in [ROOT / ".venv/bin/python"] if p.exists()), sys.executable)


class Countersite(adapters.Adapter):
    name = "countersite"
    layer = "this project: sockets on asyncio, daphne for pages, SQLite, synchronous=FULL"
    marker = 'data-seq="'
    durable = True
    health = "/livez"
    system = "grand-archive"

    def data(self, work):
        return work / "data" / self.name

    def env(self, work):
        return {
            "COUNTERSITE_DATA": str(self.data(work)),
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "countersite.settings",
            **self.extra,
        }

    def run(self, work, *arguments):
        """Run a script of the project on the server's data folder; return what it prints."""
        return subprocess.run(
            [PYTHON, *arguments],
            env={**os.environ, **self.env(work)},
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def fresh(self, work):
        """Set up an empty, migrated data folder; made once, then copied."""
        self.work = work
        data, made = self.data(work), work / "data" / f"{self.name}-empty"
        if not made.exists():
            shutil.rmtree(data, ignore_errors=True)
            data.mkdir(parents=True)
            self.run(work, str(ROOT / "bench/make_games.py"), "empty")
            shutil.copytree(data, made)
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(made, data)

    def command(self, work, port):
        # Only the server's command learns how many counters a board has; `conns` reads it later.
        note = 'echo "${COUNTERS:-10}" > "$COUNTERSITE_DATA/counters"; exec "$@"'
        serve = [PYTHON, str(ROOT / "manage.py"), "serve", "--port", str(port)]
        return ["sh", "-c", note, "server", *serve]

    def conns(self, port, tables, seats):
        objects = (self.data(self.work) / "counters").read_text().strip()
        script = str(ROOT / "bench/make_games.py")
        made = self.run(self.work, script, self.system, str(tables), str(seats), objects)
        tap = '{"do":"place","on":"o{k}","counter":"charge","amount":1,"id":"b{i}"}'
        for table, game in enumerate(json.loads(made)):
            for ticket in game["tickets"]:
                yield table, f"/g/{game['slug']}/ws?ticket={ticket}&from=0", tap, []


adapters.register(Countersite)
