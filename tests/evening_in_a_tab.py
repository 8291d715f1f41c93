"""An evening at the door of `countersite.tab.host`, in whichever Python runs this: no test client.

Arguments: the address of the site, the folder of the games, and "again" for its second evening.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any
from urllib.parse import urlencode, urlsplit

from countersite.tab.host import Host, start


class Tab:
    """A browser's tab, with cookies of its own."""

    def __init__(self, evening: Evening, jar: str) -> None:
        self.evening, self.jar, self.frames = evening, jar, list[str]()
        self.token = ""

    def get(self, target: str) -> tuple[int, dict[str, str], str]:
        return self._ask("GET", target, [], b"")

    def post(self, target: str, **fields: str) -> tuple[int, dict[str, str], str]:
        body = urlencode({"csrfmiddlewaretoken": self.token, **fields}).encode()
        form = [("content-type", "application/x-www-form-urlencoded")]
        return self._ask("POST", target, [*form, ("content-length", str(len(body)))], body)

    def _ask(self, method: str, target: str, headers: Any, body: bytes) -> Any:
        said, headers = self.evening.said, [*headers, ("user-agent", "Mozilla/5.0")]
        headers.append(("origin", self.evening.origin))
        self.evening.host.request(1, self.jar, method, target, headers, body)
        _kind, facts, answer = said.pop(1)
        found = re.search(rb'csrfmiddlewaretoken" value="(\w+)', answer)
        self.token = found[1].decode() if found else self.token
        return facts["status"], dict(facts["headers"]), answer.decode()

    def sit(self, slug: str) -> None:
        """Open the table, and its socket."""
        status, _headers, page = self.get(f"/g/{slug}/")
        assert status == 200, status
        url = re.search(r'hx-ws:connect="([^"]+)"', page)
        assert url
        self.number = max(self.evening.sockets, default=1) + 1
        self.evening.sockets[self.number] = self
        target = f"/g/{slug}/{url[1].replace('&amp;', '&')}"
        self.evening.host.connect(self.number, self.jar, target, [])

    def tap(self, **command: object) -> None:
        self.frames.clear()
        self.evening.host.receive(self.number, json.dumps(command))


class Evening:
    def __init__(self, origin: str, data: str) -> None:
        self.said: dict[int, tuple[str, Any, bytes]] = {}
        self.sockets: dict[int, Tab] = {}
        self.host: Host = start(origin, data, self.say)
        here = urlsplit(origin)
        self.root, self.origin = here.path.rstrip("/"), f"{here.scheme}://{here.netloc}"

    def say(self, number: int, kind: str, facts: str, body: bytes) -> None:
        if tab := self.sockets.get(number):
            tab.frames.append(json.loads(facts)["text"] or kind)
        else:
            self.said[number] = kind, json.loads(facts), body


TAP = {"do": "place", "counter": "energy", "amount": 3}


def evening(origin: str, data: str) -> None:
    """A Magic table of two tabs: a tap, its undo, a refusal; and it is there after a new start."""
    evening = Evening(origin, data)
    ana, ben = Tab(evening, ""), Tab(evening, "2")
    ana.get("/new?rules=magic")
    status, headers, _page = ana.post("/new", rules="magic/2026-08", name="Ana", seats="2")
    found = re.fullmatch(rf"{evening.root}/g/([\w-]+)/.*", headers["Location"])
    assert found, (status, headers)
    slug = found[1]
    _status, _headers, page = ana.get(f"/g/{slug}/share")
    link = re.search(r"/j/[\w-]+", page)
    assert link
    assert ben.get(f"/g/{slug}/")[0] == 403
    assert ben.get(link[0])[0] == 302  # to the first free seat
    ana.sit(slug)
    ben.sit(slug)
    assert ana.frames[0] == ben.frames[0] == "accept", (ana.frames, ben.frames)
    ben.tap(**TAP, on="ben", id="tap1")
    assert 'data-seq="1" data-acks="tap1"' in ben.frames[-1], ben.frames
    assert 'data-seq="1"' in ana.frames[-1], ana.frames
    ben.tap(do="undo", id="undo1")
    assert 'data-seq="2" data-acks="undo1"' in ben.frames[-1], ben.frames
    assert 'data-seq="2"' in ana.frames[-1], ana.frames
    ben.tap(do="place", id="bad")
    assert json.loads(ben.frames[-1])["refused"]["id"] == "bad"
    assert ben.post(f"/g/{slug}/command", more="ben.energy")[0] in (204, 302)
    assert 'data-seq="3"' in ana.frames[-1], ana.frames
    evening.host.close(ben.number, 1000)
    assert ana.get(f"/g/{slug}/log")[0] == ana.get(f"/g/{slug}/summary")[0] == 200
    print(f"table {slug} {ana.get(f'/g/{slug}/tv')[0]}")


def morning(origin: str, data: str, slug: str) -> None:
    """The same table, after a new start: its cookies, its number."""
    evening = Evening(origin, data)
    ben = Tab(evening, "2")
    ben.sit(slug)
    ben.tap(do="undo", id="undo2")
    assert 'data-seq="4"' in ben.frames[-1], ben.frames
    print("still there")


if __name__ == "__main__":
    (morning if len(sys.argv) > 3 else evening)(*sys.argv[1:])
