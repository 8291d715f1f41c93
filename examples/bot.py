#!/usr/bin/env python3
"""The heart of a chat bot: it opens a table, says the links, and is told who won.

    export COUNTERSITE_PROGRAM_TOKEN=…       # what the operator set
    python bot.py https://table.example.org https://bot.example.org magic --seats 4

In place of `print`, send the line to the chat; the host link is for whoever asked, and nobody else.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import os
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

TOKEN = os.environ["COUNTERSITE_PROGRAM_TOKEN"]


def opened(site: str, **wanted: Any) -> dict[str, str]:
    """A new table. Raises HTTPError; its body says in words what was refused."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    body = json.dumps({key: value for key, value in wanted.items() if value}).encode()
    request = urllib.request.Request(f"{site}/api/v1/games", body, headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        table: dict[str, str] = json.load(answer)
    return table


class Told(BaseHTTPRequestHandler):
    """Hears from the server how a table's game ended, or that an undo withdrew that."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        ours = "sha256=" + hmac.new(TOKEN.encode(), body, hashlib.sha256).hexdigest()
        known = hmac.compare_digest(ours, self.headers.get("Countersite-Signature", ""))
        self.send_response(204 if known else 403)
        self.end_headers()
        if known and (game := json.loads(body))["result"]:
            won = [game["names"][seat] for seat in game["winners"]]
            print(f"Won at {game['title']}: {', '.join(won) or 'nobody'}", flush=True)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    for name in ("site", "here", "system"):
        asked.add_argument(name)
    asked.add_argument("--seats", type=int)
    asked.add_argument("--preset")
    asked.add_argument("--port", type=int, default=8123, help="to which “here” leads")
    given = vars(asked.parse_args())
    ears = HTTPServer(("127.0.0.1", given.pop("port")), Told)
    table = opened(given.pop("site"), webhook=given.pop("here"), **given)
    print(f"Sit down: {table['invitation']} ({table['code']}). Watch: {table['watch']}")
    print(f"For the host alone: {table['host']}", flush=True)
    ears.serve_forever()
