"""Cost of a tap on a television: Chromium's main thread, traced at a quarter of its speed.

    PYTHONPATH=. python bench/tv_trace.py [SYSTEM...] [--rows number,card] [--taps 20] [--parts]

Each tap is a command of another screen, at a table in its middle. Counted is all that the main
thread does from the arrival of the tap's frame on, for a tenth of a second, and for three tenths
where the arrangement changes: scripts, style, layout, paint, layers, and what lies between them.
"log" is the end of the log, which is fetched 1.5 s after a tap. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
APART = 0.4
NUMBER, ARRANGEMENT = 0.1, 0.3
READ = 3.2  # a change stands so long
FETCHED = 1.4
LOG = "log"
PART_OF = {
    "FunctionCall": "scripts",
    "EventDispatch": "scripts",
    "TimerFire": "scripts",
    "FireAnimationFrame": "scripts",
    "RunMicrotasks": "scripts",
    "ParseHTML": "scripts",
    "WebSocketReceive": "scripts",
    "MinorGC": "scripts",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "PaintImage": "paint",
    "Layerize": "layers",
    "Commit": "layers",
}
PARTS = (*dict.fromkeys(PART_OF.values()), "other")
Event = dict[str, Any]
Tap = Callable[[int], Mapping[str, Any]]


def counter(holder: str, kind: str, amount: int = 1) -> Tap:
    return lambda n: {
        "do": "place" if n % 4 < 2 else "remove", "on": holder, "counter": kind, "amount": amount,
    }  # fmt: skip


def life(amount: int) -> Tap:
    return lambda n: {"do": "gain-life", "seat": "ben", "amount": amount}


def created(n: int) -> Mapping[str, Any]:
    return {"do": "create", "as": f"new-{n}", "name": f"Card {n}", "owner": "ben"}


def set_down(n: int) -> Mapping[str, Any]:
    return {**created(n), "zone": "spell-trap"}


def gone(zone: str) -> Tap:
    return lambda n: {"do": "move", "object": [f"new-{n}"], "to": zone}


def to_and_fro(n: int) -> Mapping[str, Any]:
    return {"do": "move", "object": "ben-6", "to": "bench" if n % 2 else "discard"}


def afflicted(n: int) -> Mapping[str, Any]:
    return {"do": "cure" if n % 2 else "afflict", "object": "ben-1", "condition": "confused"}


def charged(n: int) -> Mapping[str, Any]:
    return {"do": "correct", "on": "ben-3", "counter": "spell", "to": n % 9 + 1}


def filled(n: int) -> Mapping[str, Any]:
    return {"do": "clear" if n % 2 else "fill", "on": "c1", "slots": 1}


def made(n: int) -> Mapping[str, Any]:
    return {"do": "create", "as": f"n{n}", "name": f"Counter {n}", "type": "progress"}


def discarded(n: int) -> Mapping[str, Any]:
    return {"do": "discard", "on": f"n{n}"}


ROWS: dict[str, dict[str, tuple[int, float, Tap]]] = {
    "grand-archive": {
        "number": (4, NUMBER, counter("ben-1", "damage")),
        LOG: (4, NUMBER, counter("ben-1", "damage")),
        "card": (2, NUMBER, counter("ben-2", "durability")),
        "put": (2, ARRANGEMENT, created),
        "gone": (2, ARRANGEMENT, gone("graveyard")),
    },
    "magic": {
        "number": (4, NUMBER, life(1)),
        "poison": (6, NUMBER, counter("ben", "poison")),
        LOG: (4, NUMBER, life(1)),
        "card": (2, NUMBER, counter("ben-2", "+1/+1")),
        "put": (2, ARRANGEMENT, created),
        "gone": (2, ARRANGEMENT, gone("graveyard")),
    },
    "yu-gi-oh": {
        "number": (4, NUMBER, life(50)),
        "card": (2, NUMBER, charged),
        "put": (2, ARRANGEMENT, set_down),
        "gone": (2, ARRANGEMENT, gone("graveyard")),
    },
    "pokemon": {
        "card": (2, NUMBER, counter("ben-2", "damage", 10)),
        "condition": (2, ARRANGEMENT, afflicted),
        "put": (2, ARRANGEMENT, to_and_fro),
    },
    "stars-and-signs": {
        "number": (4, NUMBER, filled),
        "put": (4, ARRANGEMENT, made),
        "gone": (4, ARRANGEMENT, discarded),
    },
    "any-game": {
        "number": (4, NUMBER, counter("ben", "points")),
        "card": (2, NUMBER, counter("ben-1", "fuel")),
        "put": (2, ARRANGEMENT, created),
        "gone": (2, ARRANGEMENT, gone("aside")),
    },
}
"""By system and row: the seats, for how many seconds to look, and what is tapped."""


class Player:
    """Gives commands with the host's cookies, and without a page that would take time, too."""

    def __init__(self, host: Any, address: str) -> None:
        self.web, self.address = host.web, address
        found = re.search(r'csrfmiddlewaretoken" value="(\w+)"', self.web.get(address).text())
        assert found
        self.headers = {"X-CSRFToken": found[1], "Content-Type": "application/json"}

    def give(self, command: Mapping[str, Any]) -> None:
        answer = self.web.post(
            f"{self.address}command", data=json.dumps(command), headers=self.headers
        )
        assert 204 == answer.status, (command, answer.text())


def trace(screen: Any, act: Callable[[], None]) -> list[Event]:
    """Events of Chromium's main thread during *act*: those that finished, in their order."""
    wire = screen.context.browser.new_browser_cdp_session()
    events: list[Event] = []
    ended: list[Any] = []
    wire.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    wire.on("Tracing.tracingComplete", lambda event: ended.append(event))
    categories = {"includedCategories": CATEGORIES}
    wire.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    act()
    wire.send("Tracing.end")
    while not ended:
        screen.wait_for_timeout(20)
    wire.detach()
    thread = next((e["pid"], e["tid"]) for e in events if e["name"] == "WebSocketReceive")
    ours = [e for e in events if (e["pid"], e["tid"]) == thread and e["ph"] in "XI"]
    return sorted(ours, key=lambda each: (each["ts"], -each.get("dur", 0)))


def alone(events: list[Event]) -> Iterator[tuple[Event, float]]:
    """Each event, with the milliseconds that it took without the events within it."""
    around: list[list[Any]] = []
    for each in [*events, {"ts": float("inf"), "name": "end"}]:
        while around and around[-1][0]["ts"] + around[-1][0].get("dur", 0) <= each["ts"]:
            done, took = around.pop()
            yield done, took / 1000
        if around:
            around[-1][1] -= each.get("dur", 0)
        around.append([each, each.get("dur", 0)])


def costs(events: list[Event], starts: list[float], window: float) -> list[dict[str, float]]:
    """By start: the milliseconds of all tasks, of the longest one, of each part and event."""
    kept = list(alone(events))
    found = []
    for start in starts:
        cost: dict[str, float] = defaultdict(float)
        for each, took in kept:
            if not start <= each["ts"] < start + window * 1e6:
                continue
            cost[PART_OF.get(each["name"], "other")] += took
            cost[f"  {each['name']}"] += took
            if each["name"] == "RunTask":
                whole = each["dur"] / 1000
                cost["all"] += whole
                cost["longest"] = max(cost["longest"], whole)
        found.append(cost)
    return found


def arrivals(events: list[Event], given: list[float]) -> list[float]:
    """The start of the task in which the frame of each tap arrived."""
    starts = []
    for tap in given:
        frame = next(
            e["ts"] for e in events if e["name"] == "WebSocketReceive" and e["ts"] >= tap * 1e6
        )
        starts.append(max(e["ts"] for e in events if e["name"] == "RunTask" and e["ts"] <= frame))
    return starts


def measure(
    screen: Any, player: Player, row: tuple[int, float, Tap], taps: int, late: float
) -> Any:
    """The cost of each tap, after two that are not counted. late: look so many seconds later."""
    _seats, window, tap = row
    for n in (0, 1):
        player.give(tap(n))
        screen.wait_for_timeout(700)
    screen.wait_for_timeout(1000 * READ)
    given: list[float] = []

    def act() -> None:
        for n in range(2, taps + 2):
            given.append(time.monotonic())
            player.give(tap(n))
            until = given[-1] + APART + late
            screen.wait_for_timeout(max(0, 1000 * (until - time.monotonic())))
        screen.wait_for_timeout(500)

    events = trace(screen, act)
    starts = [each + late * 1e6 for each in arrivals(events, given)]
    return costs(events, starts, window + late / 2)


def say(name: str, found: list[dict[str, float]], parts: bool) -> None:
    def median(key: str) -> float:
        return statistics.median(each.get(key, 0) for each in found)

    most = max(each["all"] for each in found)
    line = ", ".join(f"{part} {median(part):.1f}" for part in PARTS)
    longest = f"{median('longest'):5.1f} /{max(each['longest'] for each in found):6.1f}"
    print(f"{name:26} {median('all'):6.1f} /{most:6.1f}   {longest}   {line}", flush=True)
    names = {key for each in found for key in each if key.startswith("  ")} if parts else ()
    for key in sorted(names, key=median, reverse=True)[:12]:
        print(f"{'':8}{key:40} {median(key):6.2f}")


def watch(chromium: Any, site: str, system: str, rows: list[str], asked: Any) -> None:
    """Measure those rows of *system*, each number of seats at a table of its own."""
    from tests.browser.tables import CONNECTED, Host

    for seats in dict.fromkeys(ROWS[system][row][0] for row in rows):
        context = chromium.new_context(
            viewport={"width": 1920, "height": 1080}, service_workers="block"
        )
        screen = context.new_page()
        host = Host(screen, site)
        slots = system == "stars-and-signs"
        address = host.demo(system) if slots else host.middle(system, seats)
        player = Player(host, address)
        screen.goto(f"{address}tv")
        screen.wait_for_function(CONNECTED)
        screen.evaluate("() => document.fonts.ready")
        wire = context.new_cdp_session(screen)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": asked.slow})
        screen.wait_for_timeout(1500)
        for row in rows:
            if ROWS[system][row][0] != seats:
                continue
            fetched = "each.dataset.latest = each.dataset.kept"
            kept = "each.dataset.kept = each.dataset.latest, delete each.dataset.latest"
            screen.evaluate(
                "(log) => { for (const each of document.querySelectorAll('.tv-side')) {"
                f"if (log) {{ {fetched} }} else if (each.dataset.latest) {{ {kept} }} }} }}",
                row == LOG,
            )
            late, taps = (FETCHED, asked.taps // 4) if row == LOG else (0, asked.taps)
            found = measure(screen, player, ROWS[system][row], taps, late)
            say(f"{system} {row}", found, asked.parts)
        context.close()


def main() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from playwright.sync_api import sync_playwright

    from tests.conftest import CHROMIUM, free_port
    from tests.night import Night

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("systems", nargs="*", metavar="SYSTEM")
    parser.add_argument("--rows", default="")
    parser.add_argument("--taps", type=int, default=20)
    parser.add_argument("--slow", type=float, default=4)
    parser.add_argument("--parts", action="store_true", help="which events, too")
    asked = parser.parse_args()
    only = list(filter(None, asked.rows.split(",")))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        night = Night(Path(folder) / "night", free_port())
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        print("ms: all tasks, median / most; the longest task, median / most; by part, medians")
        try:
            for system in asked.systems or ROWS:
                rows = [row for row in ROWS[system] if not only or row in only]
                watch(chromium, night.site, system, rows, asked)
        finally:
            chromium.close()
            night.kill()


if __name__ == "__main__":
    main()
