"""A server whose address a test can change: `python -m tests.moving FILE table …`.

FILE has the addresses of the machine, with spaces between them; all of 127.0.0.0/8 is this machine.
An address that is not in FILE is gone, as it is when a laptop joins another network: connections to
it end, and new ones are cut before they are read.
"""

from __future__ import annotations

import os
import sys
import weakref
from pathlib import Path
from typing import Any

from twisted.internet import tcp

from countersite import addresses, first_run

ITSELF = "127.0.0.1"
OFTEN = 0.1


def main(file: Path, arguments: list[str]) -> None:
    """Run `manage.py` with *arguments*, at the addresses in *file*."""

    def now() -> list[str]:
        return file.read_text().split()

    addresses.lan_addresses = now  # before the settings read it
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "countersite.settings")
    first_run.prepare(arguments)
    connections: weakref.WeakSet[Any] = weakref.WeakSet()
    made = tcp.Server.__init__

    def make(self: Any, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        connections.add(self)
        self.reactor.callLater(0, cut)

    def cut() -> None:
        there = [ITSELF, *now()]
        for each in list(connections):
            if each.connected and each.getHost().host not in there:
                each.abortConnection()

    def keep_cutting() -> None:
        from twisted.internet import reactor

        cut()
        reactor.callLater(OFTEN, keep_cutting)  # type: ignore[attr-defined]

    tcp.Server.__init__ = make
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    from countersite import neighbourhood
    from games.live import server
    from games.seats import places

    places.ITSELF = ()  # all phones of a test are on this machine

    neighbourhood.EVERY = neighbourhood.SETTLED = 0.2
    run = server.Server.run

    def running(self: Any) -> None:
        server.reactor.callWhenRunning(keep_cutting)
        run(self)

    server.Server.run = running
    execute_from_command_line(["manage.py", *arguments])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
