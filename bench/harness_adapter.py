"""An adapter to this project for a load harness that compares websocket servers.

Load it with the harness's `--adapter`. It starts the shipped server on its own data folder, under
the harness's work folder, and creates games and seats there with the product's own code. Each seat
has a ticket instead of a cookie, and an empty screen (`from=0`).

A board has as many objects as the harness has counters; a tap of `countersite` puts one counter on
one of them. The other adapters tap what people tap most: the main number of their seat.
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
    tap = '{"do":"place","on":"o{k}","counter":"charge","amount":1,"id":"b{i}"}'
    """The tap of seat number {n}."""

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
        for table, game in enumerate(json.loads(made)):
            for n, ticket in enumerate(game["tickets"]):
                tap = self.tap.replace("{n}", str(n))
                yield table, f"/g/{game['slug']}/ws?ticket={ticket}&from=0", tap, []


LIFE = '{"do":"gain-life","seat":"seat-{n}","amount":1,"id":"b{i}"}'
HEROES = {
    "magic-life": LIFE,
    "yu-gi-oh-life": LIFE,
    "grand-archive-damage": '{"do":"damage","on":"hero-{n}","amount":1,"id":"b{i}"}',
    "pokemon-damage": '{"do":"place","on":"hero-{n}","counter":"damage","amount":10,"id":"b{i}"}',
    "stars-and-signs-fill": '{"do":"fill","on":"hero-{n}","slots":1,"id":"b{i}"}',
    "own-game-points": '{"do":"place","on":"seat-{n}","counter":"points","amount":1,"id":"b{i}"}',
    "any-game-points": '{"do":"place","on":"seat-{n}","counter":"points","amount":1,"id":"b{i}"}',
}
"""By system and number: the tap of each seat on a number of its own, which all seats see."""

adapters.register(Countersite)
for number, tap in HEROES.items():
    system = number.rpartition("-")[0]
    name = f"countersite-{number}"
    adapters.register(type(name, (Countersite,), {"name": name, "system": system, "tap": tap}))
