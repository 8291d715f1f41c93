"""Tables made in two requests: new games, and games in their middle with six cards a seat."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin
from uuid import uuid4

from games.store import demos
from games.systems import SYSTEMS, find, presentation_of, presets

SEATS = {
    "magic": (2, 3, 4, 5, 6),
    "grand-archive": (2, 3, 4, 5, 6),
    "yu-gi-oh": (2, 3, 4),
    "pokemon": (2,),
    "any-game": (2, 3, 4, 5, 6),
}
"""By card system: how many play."""
SLOTS = frozenset(
    name for name, its in SYSTEMS.items() if presentation_of(its[0]).board.kind == "slots"
)
"""The systems on whose board slot counters stand."""
CARDS: dict[str, list[dict[str, Any]]] = {
    "magic": [
        {"name": "Hapatra, Vizier of Poisons", "types": ["creature"], "commander": True,
         "base": {"power": 2, "toughness": 2}},
        {"name": "Walking Ballista", "types": ["artifact", "creature"],
         "base": {"power": 0, "toughness": 0}, "counters": {"+1/+1": 4}},
        {"name": "Liliana, Dreadhorde General", "types": ["planeswalker"],
         "base": {"loyalty": 6}, "counters": {"loyalty": 6}},
        {"name": "Astral Cornucopia", "types": ["artifact"], "counters": {"charge": 3}},
        {"name": "Snake", "types": ["creature"], "base": {"power": 1, "toughness": 1}},
        {"name": "Invasion of Alara", "types": ["battle"], "base": {"defense": 7},
         "counters": {"defense": 7}},
    ],
    "grand-archive": [
        {"name": "Lorraine, Wandering Warrior", "types": ["champion"],
         "base": {"life": 24, "level": 2}, "counters": {"damage": 9, "enlighten": 5}},
        {"name": "Warrior’s Longsword", "types": ["weapon", "regalia"],
         "base": {"power": 1, "durability": 3}, "counters": {"durability": 2}},
        {"name": "Honorable Vanguard", "types": ["ally"], "base": {"power": 2, "life": 3},
         "counters": {"buff": 1}},
        {"name": "Weary Dryad", "types": ["ally"], "base": {"power": 2, "life": 4},
         "counters": {"wither": 2}},
        {"name": "Harbor Cutthroat", "types": ["ally"], "base": {"power": 3, "life": 2},
         "marked": 1, "counters": {"wither": 1}},
        {"name": "Harbor Bulwark", "types": ["domain", "siegeable"], "base": {"durability": 4},
         "counters": {"durability": 4}},
    ],
    "yu-gi-oh": [
        {"name": "Royal Magical Library", "permits": {"spell": {"maximum": 3}},
         "counters": {"spell": 2}},
        {"name": "Skilled Dark Magician", "permits": {"spell": {"maximum": 3}},
         "counters": {"spell": 3}},
        {"name": "Endymion, the Magus of Mastery", "permits": {"spell": {}},
         "counters": {"spell": 6}},
        {"name": "Citadel of Endymion", "zone": "field-zone", "permits": {"spell": {}},
         "counters": {"spell": 5}},
        {"name": "Mirror Force", "zone": "spell-trap", "face_down": True},
        {"name": "Pitch-Black Power Stone", "zone": "spell-trap", "face_down": True},
    ],
    "pokemon": [
        {"name": "Charizard ex", "zone": "active", "hp": 330, "prizes": 2, "poisoned": 10,
         "counters": {"damage": 120}},
        {"name": "Pidgeot ex", "zone": "bench", "hp": 280, "prizes": 2},
        {"name": "Charmander", "zone": "bench", "hp": 70, "counters": {"damage": 20}},
        {"name": "Bidoof", "zone": "bench", "hp": 70},
        {"name": "Rotom V", "zone": "bench", "hp": 190, "prizes": 2, "counters": {"damage": 60}},
        {"name": "Manaphy", "zone": "bench", "hp": 70},
    ],
    "any-game": [
        {"name": "Rocket", "counters": {"fuel": 4}},
        {"name": "Moon base", "counters": {"crew": 2, "supplies": 6}},
        {"name": "Probe", "counters": {"distance": 7}},
        {"name": "A satellite with a rather long name", "counters": {"signal": 12}},
        {"name": "Lander"},
        {"name": "Station", "counters": {"points": 120}},
    ],
}  # fmt: skip
"""By card system: what each seat has in the middle of a game."""
PLAYERS: dict[str, list[dict[str, Any]]] = {
    "magic": [
        {"life": 34, "starting_life": 40, "counters": {"poison": 2, "rad": 3}},
        {"life": 27, "starting_life": 40, "counters": {"poison": 1}},
        {"life": 40, "starting_life": 40, "monarch": True},
        {"life": 12, "starting_life": 40, "counters": {"poison": 4}},
        {"life": 138, "starting_life": 40, "counters": {"energy": 9}},
        {"life": -3, "starting_life": 40, "counters": {"poison": 9, "rad": 12}},
    ],
    "yu-gi-oh": [{"life": 6200}, {"life": 7000}, {"life": 12500}, {"life": 800}],
    "any-game": [{"counters": {"points": n, "energy": 3}} for n in (12, 9, 120, 3, 0, 77)],
    "pokemon": [{"counters": {"prizes": 4}, "starting_prizes": 6}, {"starting_prizes": 6}],
}
PHASES = {
    "magic": "precombat-main", "grand-archive": "main", "yu-gi-oh": "battle", "pokemon": "turn",
}  # fmt: skip


def middle(system: str, count: int) -> dict[str, Any]:
    """The scenario of a game in the middle of the first seat's turn."""
    seats = presets.seat_ids(count)
    players = PLAYERS.get(system) or [{}] * count
    cards = {
        f"{seat}-{n}": {"owner": seat, **card}
        for seat in seats
        for n, card in enumerate(CARDS[system], 1)
    }
    given: dict[str, Any] = {
        "seats": {seat: dict(player) for seat, player in zip(seats, players, strict=False)},
        "objects": cards,
        "turn": {"active": [seats[0]]},
    }
    if system in PHASES:
        given["turn"]["phase"] = PHASES[system]
    if system == "magic":
        for seat in seats:
            given["seats"][seat]["commander_damage"] = {
                f"{other}-1": n for n, other in enumerate(seats) if other != seat
            }
    return friday(system, given)


def friday(system: str, given: dict[str, Any]) -> dict[str, Any]:
    """The scenario of a game that begins so, with its seats named after their ids."""
    return {
        "id": "friday", "title": "Friday", "system": system, "given": given, "when": [],
        "then": {}, "names": {seat: seat.capitalize() for seat in given["seats"]},
    }  # fmt: skip


def _table(address: str) -> str:
    """The table's own address, from that of a page of it."""
    return address.partition("?")[0].removesuffix("share")


class Host:
    """The phone that makes tables: by requests with the cookies of *page*."""

    def __init__(self, page: Any, site: str) -> None:
        self.page, self.site = page, site
        self.web = page.context.request

    def _token(self, address: str) -> str:
        page = self.web.get(address).text()
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
        assert token, page[:400]
        return token[1]

    def _post(self, path: str, at: str = "", **fields: Any) -> str:
        """Post a form of the page *at*; return the address it leads to."""
        sent = {"csrfmiddlewaretoken": self._token(f"{self.site}{at or path}"), **fields}
        answer = self.web.post(
            f"{self.site}{path}", multipart=sent, headers={"Referer": self.site}, max_redirects=0,
            timeout=120_000,  # a file's first reader starts a process, on a machine that runs more
        )  # fmt: skip
        assert 302 == answer.status, answer.text()[:2000]
        return urljoin(self.site, answer.headers["location"])

    def fresh(
        self, system: str, count: int = 0, preset: str = "", name: str = "Ana", ready: str = ""
    ) -> str:
        """A new game as from the page for it, with as many seats as usual; return its address.

        ready: a game or a set that is ready, by its key.
        """
        found = find(system)
        seats = str(count or presets.usual_seats(found))
        rules = f"{system}/{found.edition}"
        wanted = {"rules": rules, "seats": seats, "preset": preset, "name": name}
        return _table(self._post("/new", **wanted, **({"ready": ready} if ready else {})))

    def played(self, described: dict[str, Any]) -> str:
        """A game from a scenario; return its address."""
        return _table(self._post("/new/file", text=json.dumps(described)))

    def middle(self, system: str, count: int) -> str:
        """A game in its middle; return its address."""
        return self.played(middle(system, count))

    def demo(self, system: str) -> str:
        """A game in which the demo of *system* has been played; return its address."""
        played = demos.find(system)
        assert played
        return self.played(played)

    def ready_demo(self, ready: str) -> str:
        """A game in which the demo of a ready game has been played; return its address."""
        played = demos.ready_demo("own-game", ready)
        assert played
        return self.played(played)

    def enter_by(self, link: str) -> str:
        """Follow an invitation without drawing its table; return the table's address."""
        return _table(self.web.get(link).url)

    def send(self, address: str, **command: Any) -> None:
        """Give a command at a table that is not on this phone's page."""
        token = self._token(address)
        headers = {"X-CSRFToken": token, "Referer": self.site}
        data = {**command, "id": uuid4().hex[:12]}
        answer = self.web.post(f"{address}command", data=data, headers=headers)
        assert answer.ok, answer.text()

    def code(self, address: str) -> str:
        """The spoken code of a table."""
        shared = self.web.get(f"{address}share").text()
        code = re.search(r"share-code.*?<b>\s*([^<]+?)\s*</b>", shared, re.S)
        assert code
        return code[1]

    def enter(self, code: str) -> None:
        """Open the page that the table with that code shows a newcomer first."""
        self.page.goto(self._post("/code", at="/", code=code))

    def watch(self, code: str) -> Any:
        """Watch the table with that code, whose seats are all taken; bring no chair."""
        self.enter(code)
        self.page.get_by_role("link", name="Just watch").tap()
        return self._drawn(sockets=True)

    def sit_down(self, code: str, *, seat: str = "", sockets: bool = True) -> Any:
        """Sit down at the table with that code, and open it; without *sockets*, it polls.

        seat: who it is in a named party; without it, the first.
        """
        self.enter(code)
        if "/who" in self.page.url:
            self.page.locator(".who button").filter(has_text=seat.capitalize()).first.click()
            if "/own" in self.page.url:  # the numbers of one's own sheet
                self.page.get_by_role("button", name="Sit down").click()
        return self._drawn(sockets)

    def join(self, address: str, by: Host, seat: str = "") -> None:
        """Sit down at the table that *by* has made, and open it."""
        self.sit_down(by.code(address), seat=seat)

    def give(self, **command: Any) -> None:
        """Give a command as this phone's seat; its page learns of it as of another's."""
        refused = self.page.evaluate(GIVE, {**command, "id": uuid4().hex[:12]})
        assert "" == refused, refused

    def open(self, address: str, *, sockets: bool = True) -> Any:
        """Open a table on the host's phone, and wait until it is drawn and connected."""
        self.page.goto(address)
        return self._drawn(sockets)

    def _drawn(self, sockets: bool) -> Any:
        self.page.wait_for_selector("#board")
        if sockets:
            self.page.wait_for_function(CONNECTED)
        return self.page


COUNTERS: dict[str, dict[str, Any]] = {
    "c1": {"name": "Reach the lamp", "slots": 8, "filled": 4, "scene": "Lighthouse", "order": 1},
    "c2": {"name": "The keeper", "type": "danger", "slots": 5, "visibility": "hidden",
           "scene": "Lighthouse", "order": 2},
    "c3": {"name": "The tide", "type": "timer", "slots": 6, "scene": "Lighthouse", "order": 3},
    "c4": {"name": "A whisper", "type": "danger", "visibility": "known", "order": 4},
    "ana-despair": {"name": "Despair", "type": "danger", "slots": 10, "filled": 4,
                    "owner": "ana", "role": "despair", "thresholds": {"5": "Fragile"}},
    "ana-hope": {"name": "Hope", "type": "resource", "slots": 5, "worth": 1, "filled": 2,
                 "owner": "ana", "role": "hope"},
    "ana-memories": {"name": "Memories", "type": "inventory", "slots": 5, "owner": "ana",
                     "role": "memories"},
    "ben-oil": {"name": "Lantern oil", "type": "resource", "slots": 2, "filled": 1, "owner": "ben"},
    "ana-oil": {"name": "Torches", "type": "resource", "slots": 2, "filled": 1, "owner": "ana"},
}  # fmt: skip
SESSION = {
    "id": "layout", "title": "The lighthouse", "system": "stars-and-signs",
    "given": {"seats": {"gm": {}, "ana": {}, "ben": {}}, "slot_counters": COUNTERS},
    "when": [], "then": {}, "names": {"gm": "GM", "ana": "Ana", "ben": "Ben"},
}  # fmt: skip
"""A session of Stars and Signs."""


class Table:
    """The GM's laptop and Ana's phone at a session."""

    def __init__(self, chromium: Any, site: str, session: dict[str, Any]) -> None:
        self.hosts = [self._host(chromium, site) for _each in range(2)]
        self.gm, self.ana = (each.page for each in self.hosts)
        self.gm.set_viewport_size({"width": 1280, "height": 800})
        self._new = lambda: self._host(chromium, site)
        self.address = self.hosts[0].played(session)
        self.hosts[0].open(self.address)
        self.hosts[1].join(self.address, self.hosts[0], seat="ana")
        self.ana.wait_for_selector('#live[data-seat="ana"]')

    def another(self, seat: str) -> Any:
        """The page of another phone, which takes *seat*."""
        self.hosts.append(new := self._new())
        new.join(self.address, self.hosts[0], seat=seat)
        new.page.wait_for_selector(f'#live[data-seat="{seat}"]')
        return new.page

    def _host(self, chromium: Any, site: str) -> Host:
        context = chromium.new_context(
            viewport={"width": 390, "height": 844},
            has_touch=True,
            reduced_motion="reduce",
            service_workers="block",
        )
        page = context.new_page()
        return Host(page, site)

    def close(self) -> None:
        for each in self.hosts:
            each.page.context.close()


def start(
    ana: Any,
    site: str,
    system: str = "grand-archive",
    seats: int = 0,
    preset: str = "",
    name: str = "Ana",
) -> str:
    """Make a game and open its table; return its spoken code."""
    host = Host(ana, site)
    address = host.fresh(system, seats, preset, name)
    host.open(address)
    return host.code(address)


def start_by_taps(ana: Any, site: str, game: str = "Grand Archive") -> str:
    """Make a game in three taps and open its table; return its spoken code."""
    ana.goto(f"{site}/")
    ana.get_by_role("link", name=game).tap()
    ana.get_by_label("What’s your name?").fill("Ana")
    ana.get_by_role("button", name="Start").tap()
    code: str = ana.locator(".share-code b").inner_text()
    ana.get_by_role("link", name="Go to the table").tap()
    ana.wait_for_selector("#board")
    ana.wait_for_load_state()
    return code


def join(ben: Any, site: str, code: str, *, seat: str = "", named: bool = True) -> None:
    """Sit down by the code, as *seat* in a named party; say the name that goes with its id."""
    Host(ben, site).sit_down(code, seat=seat)
    if named and ben.locator(".welcome").count():
        name = ben.locator("#live").get_attribute("data-seat").capitalize()
        ben.get_by_label("What’s your name?").fill(name)
        ben.locator(".welcome button").tap()
        ben.locator(".welcome").wait_for(state="hidden")


GIVE = """async (command) => {
  const token = document.querySelector("#t [name=csrfmiddlewaretoken]").value;
  const headers = {"Content-Type": "application/json", "X-CSRFToken": token};
  const body = JSON.stringify(command);
  const answer = await fetch("command", {method: "POST", headers, body});
  return answer.ok ? "" : await answer.text();
}"""
CONNECTED = "() => window.htmx?.find('#live')?._htmx?.ws?.connection?.socket?.readyState === 1"


def won(phones: Iterable[Any], name: str) -> None:
    """Wait until every phone says who has won; the winner's own says "You win"."""
    for each in phones:
        own = name.lower() == each.locator("#live").get_attribute("data-seat")
        said = "You win." if own else f"{name} wins."
        each.locator(".end-says h2", has_text=said).wait_for(state="attached")
