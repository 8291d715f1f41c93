#!/usr/bin/env python3
"""The heart of a chat bot: it opens a table, says the links, and says who won.

    pip install websockets
    export COUNTERSITE_PROGRAM_TOKEN=…       # what the operator set
    python bot.py https://table.example.org magic --seats 4 --preset commander

In place of `print`, send the line to the chat; the host link is for whoever asked, and nobody else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import urllib.request
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


def opened(site: str, **wanted: Any) -> dict[str, str]:
    """A new table. Raises HTTPError; its body says in words what was refused."""
    headers = {"Authorization": f"Bearer {os.environ['COUNTERSITE_PROGRAM_TOKEN']}"}
    headers["Content-Type"] = "application/json"
    body = json.dumps({key: value for key, value in wanted.items() if value}).encode()
    request = urllib.request.Request(f"{site}/api/v1/games", body, headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        table: dict[str, str] = json.load(answer)
    return table


async def winners(site: str, token: str) -> list[str]:
    """The names of who won, once somebody has; a connection that ends is made again."""
    address = site.replace("http", "ws", 1) + "/api/v1/changes"
    async for line in connect(address, additional_headers={"Authorization": f"Bearer {token}"}):
        with suppress(ConnectionClosed):
            async for _message in line:  # whatever happened: see what has become of it
                document = await asyncio.to_thread(seen, site, token)
                if document["state"]["result"]:
                    return [document["names"][seat] for seat in document["state"]["winners"]]
    return []


def seen(site: str, token: str) -> dict[str, Any]:
    """What a watcher sees of the table."""
    request = urllib.request.Request(
        f"{site}/api/v1/state", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        document: dict[str, Any] = json.load(answer)
    return document


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("site")
    asked.add_argument("system")
    asked.add_argument("--seats", type=int)
    asked.add_argument("--preset")
    given = asked.parse_args()
    table = opened(given.site, system=given.system, seats=given.seats, preset=given.preset)
    print(f"Sit down: {table['invitation']} ({table['code']}). Watch: {table['watch']}")
    print(f"For the host alone: {table['host']}", flush=True)
    won = asyncio.run(winners(given.site, table["token"]))
    print(f"Won: {', '.join(won) or 'nobody'}", flush=True)


if __name__ == "__main__":
    main()
