"""A server whose address a test can change: `python -m tests.moving FILE table …`.

FILE has the addresses of the machine, with spaces between them; all of 127.0.0.0/8 is this machine.
An address that is not in FILE is gone, as it is when a laptop joins another network: connections to
it end, and new ones are cut before they are read.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

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
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    from countersite import neighbourhood
    from games.live.wire import serving
    from games.live.wire.http import Channel
    from games.seats import places

    places.ITSELF = ("", "")  # all phones of a test are on this machine

    neighbourhood.EVERY = neighbourhood.SETTLED = 0.2
    look = serving.head_of

    def gone(host: str) -> bool:
        return host not in (ITSELF, *now())

    async def look_if_there(connection: socket.socket) -> bytes:
        if gone(connection.getsockname()[0]):
            raise ConnectionResetError
        return await look(connection)

    class Moving(serving.Server):
        def _begin(self) -> None:
            super()._begin()
            self._cut()

        def _cut(self) -> None:
            for each in list(self.limits.sockets):
                if gone(each._transport.get_extra_info("sockname")[0]):
                    each._transport.abort()
            for waiting in self.limits.waiting:
                channel = getattr(waiting.abort, "__self__", None)
                if isinstance(channel, Channel) and gone(channel.getHost().host):
                    channel.abort()
            self._loop.call_later(OFTEN, self._cut)

    serving.head_of, serving.Server = look_if_there, Moving  # type: ignore[assignment]
    execute_from_command_line(["manage.py", *arguments])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
