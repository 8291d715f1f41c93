"""Requests: every page with any query, every form with any fields, any headers and cookies."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from urllib.parse import parse_qsl, unquote_to_bytes, urlencode

from django.test import Client

from games.models import Game
from games.screens.log import log as reading
from games.store import disk, rows
from tests.forms import forms
from tests.pages.test_every_address import ROUTES, SAMPLES

from . import tables
from .mutating import Mutate, altered_json
from .targets import LONGEST, Broken, Target, caught, strange

HEADERS = (
    "Accept-Language", "Accept-Encoding", "User-Agent", "Host", "Origin", "Referer", "Cookie",
    "Accept", "If-None-Match", "If-Modified-Since", "HX-Request", "HX-Current-URL", "HX-Target",
    "HX-Trigger", "HX-Prompt", "HX-Boosted", "Content-Type", "X-Requested-With", "Range",
    "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host",
)  # fmt: skip
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
BETWEEN = b"\n---\n"
MOST = 4
"""Requests in one input."""
SECRET = re.compile(rb"csrfmiddlewaretoken=[^&]*&?")


class Requests(Target):
    """Requests like `POST /g/magic/command`, headers, an empty line and a body; "---" between two.

    The header "As" names whose phone asks: that of a seat, or of the watcher.
    """

    def __init__(self) -> None:
        self.tables = tables.Tables()
        self.changed = False
        self.paths: dict[str, None] = {}
        words: dict[str, None] = {}
        for game in Game.objects.order_by("system"):
            samples = {**SAMPLES, "slug": game.slug, "token": f"set-up-of-{game.system}"}
            samples |= {"system": game.system, "version": "1", "asked": "x"}
            keys = [*game.places, *_objects(game)]
            words |= dict.fromkeys(keys)
            for route in ROUTES:
                for key in keys[-1:] if "<str:key>" in route else keys[:1]:
                    filled = {**samples, "key": key if "/seats/" not in route else keys[0]}
                    self.paths[_filled(route, filled)] = None
            for token in (game.invite_token, game.watch_token, game.host_token):
                words[token] = None
        self.words = [*words]
        self._seeds: list[bytes] = []
        self.fields: list[str] = []

    def seeds(self) -> Iterator[bytes]:
        self._seeds = list(dict.fromkeys(self._crawled()))
        self.fields = sorted({name for seed in self._seeds for name in _names(seed)})
        yield from self._seeds

    def _crawled(self) -> Iterator[bytes]:
        """A request for each page, and one for each form on it."""
        known: set[Any] = set()
        for game in Game.objects.order_by("system"):
            who = next(seat.key for seat in game.seats.all() if seat.host)
            phone = tables.phone(who)
            for path in self.paths:
                if path.startswith("/g/") and not path.startswith(f"/g/{game.slug}/"):
                    continue
                yield f"GET {path}\nAs: {who}\n".encode()
                answer = phone.get(path)
                if "text/html" not in answer.headers.get("Content-Type", ""):
                    continue
                for form in forms(answer.content.decode(), path):
                    filled = form.filled()
                    which = form.action, tuple(sorted({name for name, _value in filled}))
                    if which in known:
                        continue
                    known.add(which)
                    yield self._request(form.method, form.action, who, filled)
        caught().errors.clear()

    def _request(
        self, method: str, action: str, who: str, fields: Sequence[tuple[str, str]]
    ) -> bytes:
        sent = SECRET.sub(b"", urlencode(fields).encode())
        if method == "get":
            return f"GET {action.partition('?')[0]}?{sent.decode()}\nAs: {who}\n".encode()
        head = f"POST {action}\nAs: {who}\nContent-Type: {FORM}\n\n"
        return head.encode() + sent

    def mutated(self, data: bytes, random: Random, raw: Mutate) -> bytes:
        requests = data.split(BETWEEN)
        how = random.random()
        if how < 0.05:
            return raw(data, LONGEST)
        if how < 0.12 and len(requests) < MOST:
            return BETWEEN.join([*requests, random.choice(self._seeds)])
        if how < 0.15 and len(requests) > 1:
            return BETWEEN.join(requests[:-1])
        at = random.randrange(len(requests))
        requests[at] = self._altered(requests[at], random, raw)
        return BETWEEN.join(requests)

    def _altered(self, request: bytes, random: Random, raw: Mutate) -> bytes:
        head, _empty, body = request.partition(b"\n\n")
        first, *headers = head.split(b"\n")
        method, _space, address = first.partition(b" ")
        how = random.random()
        if how < 0.1:
            address = random.choice([*self.paths]).encode()
        elif how < 0.35:
            path, _mark, query = address.partition(b"?")
            address = path + b"?" + self._pairs(query, random, raw)
        elif how < 0.45:
            name = random.choice(HEADERS)
            value = random.choice([strange(random), "true", "on", "es", *self.words[:4]])
            headers = [*headers, f"{name}: {value}".encode(errors="replace")]
        elif how < 0.5:
            address = self._part(address, random)
        elif how < 0.53:
            method = random.choice([b"GET", b"POST", b"HEAD", b"PUT", b"OPTIONS"])
        elif body.startswith(b"{"):
            body = altered_json(body, random, self.words, raw)
        elif how < 0.57 and body:
            body = json.dumps(dict(parse_qsl(body.decode(errors="replace")))).encode()
            headers = [*headers, b"Content-Type: " + JSON.encode()]
        else:
            body = self._pairs(body, random, raw)
        return b"\n".join([method + b" " + address, *headers]) + b"\n\n" + body

    def _part(self, address: bytes, random: Random) -> bytes:
        parts = address.split(b"/")
        at = random.randrange(len(parts))
        parts[at] = random.choice([strange(random)[:200], *self.words]).encode(errors="replace")
        return b"/".join(parts)

    def _pairs(self, text: bytes, random: Random, raw: Mutate) -> bytes:
        """A query or form with one field changed, added, doubled or left out."""
        if random.random() < 0.1:
            return raw(text, len(text) + 40)
        pairs = parse_qsl(text.decode(errors="replace"), keep_blank_values=True)
        value = random.choice([strange(random), strange(random), *random.sample(self.words, 3)])
        how = random.randrange(6)
        if not pairs or how == 0:
            pairs.append((random.choice(self.fields), value))
        else:
            at = random.randrange(len(pairs))
            if how == 1:
                del pairs[at]
            elif how == 2:
                pairs.append((pairs[at][0], value))
            elif how == 3:
                kind = random.choice(
                    ["", ".", ".b", ":number", ":list", ":json", ":member", ":new"]
                )
                pairs[at] = pairs[at][0] + kind, pairs[at][1]
            else:
                pairs[at] = pairs[at][0], value
        return urlencode(pairs, errors="replace").encode()

    def __call__(self, data: bytes) -> None:
        tables.unlimited()
        try:
            for request in data.split(BETWEEN)[:MOST]:
                self._ask(request)
        finally:
            if self.changed:
                self.restore()
        caught().check()

    def restore(self) -> None:
        """Let everything be as it was."""
        self.tables.restore()
        for kept in vars(reading).values():
            if isinstance(kept, OrderedDict):  # what it knows of games by their names
                kept.clear()
        disk.note(None)
        self.changed = False

    def _ask(self, request: bytes) -> None:
        head, _empty, body = request.partition(b"\n\n")
        first, *lines = head.decode("latin1").split("\n")
        method, _space, address = first.partition(" ")
        if method not in ("GET", "POST", "HEAD", "PUT", "OPTIONS") or not address.startswith("/"):
            return
        headers = {}
        for line in lines:
            name, _colon, value = line.partition(":")
            headers[name.strip().title()] = value.strip("\r \t")
        client = tables.phone(headers.pop("As", ""))
        if "Cookie" in headers:
            for each in headers.pop("Cookie").split(";"):
                name, _is, value = each.strip().partition("=")
                if re.fullmatch(r"[A-Za-z_-]{1,40}", name):
                    client.cookies[name] = re.sub(r"[^\x21-\x7e]|[,;\"\\]", "", value)
        self._send(client, method, address, headers, body)

    def _send(
        self, client: Client, method: str, address: str, headers: dict[str, str], body: bytes
    ) -> None:
        path, _mark, query = address.partition("?")
        kind = headers.pop("Content-Type", FORM)
        named = {
            name: value
            for name, value in headers.items()
            if re.fullmatch(r"[A-Z][A-Za-z-]{0,40}", name) and name != "Content-Length"
        }
        self.changed = (
            self.changed or method in ("POST", "PUT") or path.startswith(("/j", "/h", "/w"))
        )
        answer = client.generic(
            method, "/x", body, kind, headers=named, QUERY_STRING=query,
            PATH_INFO=_decoded(path),
        )  # fmt: skip
        if answer.streaming:
            b"".join(answer)
        if answer.status_code >= 500 and answer.status_code != 503:
            raise Broken(f"{answer.status_code} {method} {path}")


def _decoded(path: str) -> str:
    return unquote_to_bytes(path.encode("latin1")).decode("latin1")


def _objects(game: Game) -> list[str]:
    state = rows.state(game)
    return [*state.objects, *state.slot_counters][:3]


def _filled(route: str, samples: dict[str, str]) -> str:
    for name, value in samples.items():
        for kind in ("str", "slug", "int", "path"):
            route = route.replace(f"<{kind}:{name}>", value)
    return f"/{route}"


def _names(seed: bytes) -> Iterator[str]:
    head, _empty, body = seed.partition(b"\n\n")
    address = head.split(b"\n")[0].decode()
    for text in (body.decode(), address.partition("?")[2]):
        for name, _value in parse_qsl(text, keep_blank_values=True):
            yield name
