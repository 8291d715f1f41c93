#!/usr/bin/env python3
"""A foot pedal, or any key, that taps a counter at a table and shows its number.

    pip install websockets
    export COUNTERSITE_TOKEN=csp_…          # from the table's menu: Other programs
    python pedal.py http://192.168.1.20:8000 --on ana --counter points

A USB pedal is a keyboard to a computer: let it press Enter. Each line typed is one tap; a line "-"
takes one away. A tap is sent again until the table has answered, and counts once however often it
is sent, so nothing is lost when the network or the server goes away for a moment.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import sys
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

NO_SUCH_TOKEN = 4401
AGAIN = 1.0
"""Seconds until the next try to connect."""
PATIENCE = 2.0
"""Seconds that a tap waits for its answer: who answers later hangs, and another server plays on."""


class Pedal:
    """One counter. document: what the table is known to be; None before the first connection.

    unanswered: the taps that the table has not answered, by id, the oldest first.
    """

    def __init__(self, on: str, counter: str, amount: int) -> None:
        self.on, self.counter, self.amount = on, counter, amount
        self.document: dict[str, Any] | None = None
        self.unanswered: dict[str, dict[str, Any]] = {}
        self.line: ClientConnection | None = None
        self.shown: int | None = None

    async def follow(self, site: str, token: str) -> None:
        """Keep a connection and hear what changes. Raises SystemExit if the token is refused."""
        address = site.rstrip("/").replace("http", "ws", 1) + "/api/v1/changes"
        headers = {"Authorization": f"Bearer {token}"}
        while True:
            since = f"?from={self.document['number']}" if self.document else ""
            try:
                async with connect(address + since, additional_headers=headers) as self.line:
                    for command in list(self.unanswered.values()):
                        await self.send(self.line, command)
                    async for text in self.line:
                        self.heard(json.loads(text))
                code = self.line.close_code
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
            except (OSError, InvalidHandshake):
                code = None
            self.line = None
            if code == NO_SUCH_TOKEN:
                raise SystemExit("The table does not know this token, or not any more.")
            await asyncio.sleep(AGAIN)

    def heard(self, message: dict[str, Any]) -> None:
        """Note what the table said."""
        if message["type"] == "state":
            self.document = message["document"]
        elif message["type"] == "change":
            for operation in message["patch"]:
                apply(self.document, operation)
        elif message["type"] in ("accepted", "refused"):  # the answer to a tap
            self.unanswered.pop(message["id"], None)
            if message["type"] == "refused":
                print(f"Refused: {message['refused']['message']}", flush=True)
        if (number := self.number()) != self.shown:
            self.shown = number
            print(f"{self.counter}: {number}", flush=True)

    def number(self) -> int:
        """The number of the counter; 0 if the holder is not there."""
        state = self.document["state"] if self.document else {}
        for holders in (state.get("seats", {}), state.get("objects", {})):
            if self.on in holders:
                return int(holders[self.on].get("counters", {}).get(self.counter, 0))
        return 0

    async def tap(self, less: bool) -> None:
        """Put one counter there, or take one away."""
        heard_of = self.document["number"] if self.document else 0
        tap_id = f"pedal-{secrets.token_hex(8)}@{heard_of}"
        command = {
            "do": "remove" if less else "place",
            "on": self.on,
            "counter": self.counter,
            "amount": self.amount,
            "id": tap_id,
        }
        self.unanswered[tap_id] = command
        if (line := self.line) is not None:
            with suppress(ConnectionClosed):  # then it is sent with the next connection
                await self.send(line, command)

    async def send(self, line: ClientConnection, command: dict[str, Any]) -> None:
        """Send a tap, and do not wait for its answer for ever."""
        await line.send(json.dumps(command))
        asyncio.get_running_loop().call_later(PATIENCE, self.give_up, line, command["id"])

    def give_up(self, line: ClientConnection, tap_id: str) -> None:
        """Connect again, if a tap is still unanswered on the connection that it went out on."""
        if tap_id in self.unanswered and line is self.line:
            line.transport.abort()


def apply(document: Any, operation: dict[str, Any]) -> None:
    """One operation of a JSON Patch (RFC 6902); the table sends add, remove and replace."""
    *above, last = operation["path"].split("/")[1:]
    for key in above:
        document = document[key.replace("~1", "/").replace("~0", "~")]
    last = last.replace("~1", "/").replace("~0", "~")
    if operation["op"] == "remove":
        del document[last]
    else:
        document[last] = operation["value"]


async def main(site: str, token: str, pedal: Pedal) -> None:
    """Tap for each line of the standard input until it ends and every tap is answered."""
    following = asyncio.create_task(pedal.follow(site, token))
    loop = asyncio.get_running_loop()
    while line := await either(loop.run_in_executor(None, sys.stdin.readline), following):
        await pedal.tap(less=line.strip() == "-")
    while pedal.unanswered:
        await either(asyncio.sleep(0.05), following)
    following.cancel()


async def either(work: Any, following: asyncio.Task[None]) -> Any:
    """The result of *work*; ends with *following*, if that ends first."""
    work = asyncio.ensure_future(work)
    await asyncio.wait({work, following}, return_when=asyncio.FIRST_COMPLETED)
    if following.done():
        following.result()
    return await work


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Tap a counter with a foot pedal or a key.")
    parser.add_argument("site", help="such as http://192.168.1.20:8000")
    parser.add_argument("--on", required=True, help="the id of the seat or card with the counter")
    parser.add_argument("--counter", required=True, help="its kind, such as points")
    parser.add_argument("--amount", type=int, default=1)
    args = parser.parse_args()
    asyncio.run(
        main(args.site, os.environ["COUNTERSITE_TOKEN"], Pedal(args.on, args.counter, args.amount))
    )
