"""Every link and form on every page of a game leads to a page, with or without scripts.

A form that htmx sends has a place for its refusal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, URLPattern, resolve

from countersite.first_run import ROOT
from countersite.security import CONTENT_SECURITY_POLICY
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.pages.slots.urls import urlpatterns as slot_patterns
from games.pages.urls import game as game_patterns
from games.rules.state import SlotCounter
from games.store import rows
from games.store.demos import demos, played
from games.systems import SYSTEMS
from tests.types import Sit

DEMOS = {demo["system"]: demo for demo in demos()}
SWEPT = pytest.mark.sweep
ROLES = ("host", pytest.param("other", marks=SWEPT), pytest.param("watcher", marks=SWEPT))
SITE = "http://testserver"
ALIKE = 8
SENT = {"hx-boost", "hx-post"}
ELSEWHERE = {
    "aside": "each request of a phone has its own place: `sidebar.js`",
}
Way = tuple[str, str]
"""A method and an address."""


class Ways(HTMLParser):
    """The links of a page, its forms as (method, action), and controls without a form."""

    def __init__(self, here: str, text: str) -> None:
        super().__init__()
        self.base = f"{SITE}{here}"
        self.links: list[str] = []
        self.forms: list[tuple[str, str]] = []
        self.ids: set[str] = set()
        self.owners: set[str] = set()
        self.inert = False
        self.mute: list[str] = []
        """Forms that htmx sends and that have no place for a refusal."""
        self._sent = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "base":
            assert "base-uri 'self'" in CONTENT_SECURITY_POLICY  # or browsers ignore it
            self.base = urljoin(self.base, given["href"])
        if tag == "form" and "id" in given:
            self.ids.add(given["id"])
        # The script of a replay makes its board inert, apart from the strip.
        self.inert |= "inert" in given or given.get("src", "").endswith("js/replay/main.js")
        if "form" in given and not self.inert:
            self.owners.add(given["form"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        # One without an address is there for its buttons, each of which has one.
        if tag == "form" and "action" in given:
            self.forms.append((given.get("method", "get"), given["action"]))
        if tag == "form" and given.get("method") == "post" and SENT & given.keys():
            self._sent = given.get("id") or given["action"]
        if self._sent and "refusal" in given.get("class", "").split():
            self._sent = ""
        if "formaction" in given:
            self.forms.append(("post", given["formaction"]))
        if "hx-get" in given:
            self.links.append(given["hx-get"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._sent and self._sent not in ELSEWHERE:
            self.mute.append(self._sent)
        if tag == "form":
            self._sent = ""


def addresses(game: Game) -> Iterator[str]:
    """Every address in the URLs below *game*, with every possible parameter."""
    state, system = rows.state(game), game.rules
    acts = Path(ROOT / "templates/systems" / system.name / "sheets/acts").glob("_*.html")
    there = {
        "object": list(state.objects),
        "act": [path.stem[1:] for path in acts],
        "slot": list(state.objects),
        "slot-overflow": list(state.objects),
        "slot-milestone": ["minor", "major"],
        **{name: [*state.seats] for name in ("seat", "slot-of", "slot-as")},
    }
    has_slots = system.components.slot_counter is not SlotCounter
    for root, patterns in (("", game_patterns), *([("slots/", slot_patterns)] * has_slots)):
        for pattern in patterns:
            assert isinstance(pattern, URLPattern)
            route, name = str(pattern.pattern), str(pattern.name)
            if "<" not in route:
                yield f"/g/{game.slug}/{root}{route}"
            for each in there.get(name, ()):
                before, after = route.split("<")[0], route.split(">")[1]
                yield f"/g/{game.slug}/{root}{before}{each}{after}"


@pytest.fixture
def as_role(db: None, sit: Sit) -> Sit:
    """A browser in a game: in the host's seat (the GM's, if there is one), another, or none."""

    def come(game: Game, role: str) -> Client:
        if role == "watcher":
            client, device = Client(), new_device()
            game.admit(hashed(device), Visitor.Role.GUEST)
            client.cookies["device"] = device
            return client
        seats = [seat.key for seat in game.seats.all()]
        hosts = [seat.key for seat in game.seats.filter(host=True)]
        others = [key for key in seats if key not in hosts]
        return sit(game, (hosts or seats)[0] if role == "host" else others[-1])

    return come


def pages(client: Client, game: Game, answers: dict[Way, int]) -> Iterator[tuple[str, str]]:
    """Every page of *game* that *client* can reach, by address or by link, with its text.

    Notes the answers. Of addresses that differ in the values of their query only, ALIKE are asked.
    """
    waiting, alike = list(addresses(game)), Counter[tuple[str, ...]]()
    while waiting:
        address = waiting.pop()
        if ("get", address) in answers:
            continue
        parts = urlsplit(address)
        kind = (parts.path, *sorted({name for name, _value in parse_qsl(parts.query, True)}))
        if alike[kind] == ALIKE:
            continue
        alike[kind] += 1
        response = client.get(address, follow=True)
        answers["get", address] = response.status_code
        if response.status_code != 200 or "text/html" not in response.headers["Content-Type"]:
            continue
        here = response.request["PATH_INFO"]
        text = response.content.decode()
        yield here, text
        ways = Ways(here, text)
        for link in ways.links:
            there = urldefrag(urljoin(ways.base, link)).url
            if there.startswith(f"{SITE}/g/{game.slug}/"):
                waiting.append(there.removeprefix(SITE))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_link_and_form_of_a_game_leads_to_a_page(
    system: str, role: str, as_role: Sit
) -> None:
    """A stranger posts the forms, and is refused (403); 404 and 405 say that one leads nowhere."""
    game = played(DEMOS[system])
    client = as_role(game, role)
    answers: dict[Way, int] = {}
    found: dict[Way, str] = {}
    wrong: dict[str, Any] = {}

    for here, text in pages(client, game, answers):
        ways = Ways(here, text)
        missing = ways.owners - ways.ids
        if missing and role != "watcher" and not here.endswith("/tv"):  # watchers cannot tap
            wrong[here] = f"no form {missing}"
        if ways.mute:
            wrong[here] = f"no place for the refusal of {ways.mute}"
        for method, way in (*(("get", link) for link in ways.links), *ways.forms):
            there = urldefrag(urljoin(ways.base, way)).url
            if there.startswith(SITE):
                found[method, there.removeprefix(SITE)] = here
    within = f"/g/{game.slug}/"
    for (method, address), here in found.items():
        answer = answers.get((method, address)) or _answer(client, method, address, within)
        if answer in (404, 405, 500):
            wrong[f"{here}: {method} {address}"] = answer

    assert {} == wrong
    assert ("get", f"{within}seats/") in answers


def _answer(client: Client, method: str, address: str, within: str) -> int:
    try:
        resolve(urlsplit(address).path)
    except Resolver404:
        return 404
    if method == "get" and address.startswith(within):
        return 200  # one of those alike, of which enough were asked
    asker = client if method == "get" else Client()
    return int(getattr(asker, method)(address, follow=method == "get").status_code)
