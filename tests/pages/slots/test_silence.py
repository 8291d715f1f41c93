"""A secret act leaves no trace: not a byte, not a frame, not a gap between two numbers.

Two tables play the same open evening. At one of them the GM does two hundred hidden things in
between. Everything that players, watchers and the television receive must be the same.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client
from django.urls import resolve

from games.live.table_registry import registry
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.pages.slots import counters
from games.pages.slots.urls import urlpatterns
from games.rules.state import Refused
from games.screens.boards import log_lines
from games.screens.summary import plot
from games.screens.summary.records import statistics_of
from games.store import rows
from games.tracks.counter import counter_in
from tests.live.conftest import Phone, check, connect, tables  # noqa: F401 the phones
from tests.types import Connect, Json, Make, Sit

SEATS: dict[str, Json] = {"gm": {}, "ana": {}, "ben": {}, "cleo": {}}
PLAYERS = ("ana", "ben", "cleo")
OPENING: dict[str, Json] = {
    "vault": {"name": "The vault", "type": "danger", "slots": 6, "visibility": "hidden"},
    "alarm": {"name": "Alarm", "type": "danger", "slots": 4, "order": 1},
    "rumour": {"name": "Rumour", "visibility": "chosen", "seats": ["ana"], "order": 2},
    "storm": {"name": "Storm", "type": "defeat", "visibility": "known"},
    "clock": {"name": "Dawn", "type": "timer", "slots": 5, "order": 5},
    "goal": {"name": "Goal", "slots": 3, "order": 7, "thresholds": {"2": "close"}},
    "despair": {"name": "Despair", "role": "despair", "owner": "ana", "slots": 5},
    "ammo": {"name": "Ammo", "type": "resource", "owner": "ben", "slots": 5},
    "fog": {"name": "canary fog", "visibility": "hidden"},
    "pack": {"name": "Pack", "type": "inventory", "owner": "cleo", "slots": 3},
    "ring": {"name": "Round", "slots": 2, "loop": "same", "order": 9},
    "dark": {"name": "canary dark", "slots": 9, "visibility": "hidden", "order": 3},
    "cult": {"name": "canary cult", "slots": 9, "visibility": "hidden", "order": 6},
    "sack": {"name": "canary sack", "type": "inventory", "slots": 9, "visibility": "hidden"},
    "hunt": {"name": "canary hunt", "type": "timer", "slots": 9, "visibility": "hidden"},
}  # fmt: skip

SET = json.dumps(
    {"schema": "countersite-slot-counters", "version": 1, "counters": [{"name": "Pier"}]}
)
TAKE_BACK = "take back"
"""Instead of an entry: the one that was given under this name."""
EVENING: tuple[Json, ...] = (
    {"do": "fill", "on": "alarm", "slots": 1, "as_": "first"},
    {"do": "fill", "on": "despair", "dice": [7, 3], "by": "ana", "as_": "hurt"},
    {"do": "note", "text": "They are in.", "by": "ben"},
    {"do": "action", "outcome": "graze", "by": "ben"},
    {"do": "undo", TAKE_BACK: "hurt", "by": "ana"},
    {"do": "redo", TAKE_BACK: "hurt", "by": "ana"},
    {"do": "propose", "by": "ana", "command": {"do": "fill", "on": "alarm", "slots": 1}},
    {"do": "answer", "prompt": "proposal:ana", "accept": True},
    {"do": "propose", "by": "cleo", "command": {"do": "clear", "on": "goal", "slots": 1}},
    {"do": "propose", "by": "ben", "command": {"do": "fill", "on": "alarm", "slots": 2}},
    {"do": "answer", "prompt": "proposal:cleo", "accept": False},
    {"do": "withdraw", "prompt": "proposal:ben", "by": "ben"},
    {"do": "propose", "by": "ana", "command": {"do": "fill", "on": "rumour", "slots": 1}},
    {"do": "answer", "prompt": "proposal:ana", "accept": True},
    {"do": "fill", "on": "rumour", "slots": 1},
    {"do": "fill", "on": "storm", "slots": 1},
    {"do": "throw", "dice": "2d6", "result": [3, 5], "by": "cleo", "as_": "luck"},
    {"do": "roll", "on": "alarm", "dice": [4]},
    {"do": "put", "on": "pack", "item": "Rope", "by": "cleo"},
    {"do": "spend", "on": "ammo", "slots": 2, "by": "ben", "as_": "shot"},
    {"do": "fill", "on": "goal", "slots": 2},
    {"do": "fill", "on": "goal", "slots": 2},
    {"do": "fill", "on": "ring", "slots": 3},
    {"do": "undo", TAKE_BACK: "shot"},
    {"do": "create", "as": "torch", "name": "Torch", "type": "resource", "by": "cleo"},
    {"do": "create", "as": "echo", "name": "Echo", "by": "ben"},
    {"do": "fill", "on": "echo", "slots": 1, "by": "ben"},
    {"do": "together", "by": "ana", "steps": [{"do": "create", "as": "wind", "name": "Wind"}]},
    {"do": "create", "as": "smoke", "name": "Smoke", "order": 6},
    {"do": "arrange", "on": ["clock", "goal"], "scene": "Roof"},
    {"do": "edit", "on": "vault", "visibility": "open"},
    {"do": "fill", "on": "vault", "slots": 1, "as_": "creak"},
    {"do": "undo", TAKE_BACK: "creak"},
    {"do": "edit", "on": "storm", "visibility": "open"},
    {"do": "edit", "on": "rumour", "seats": ["ana", "ben"]},
    {"do": "edit", "on": "alarm", "visibility": "hidden"},
    {"do": "edit", "on": "alarm", "visibility": "open"},
    {"do": "resolve", "on": "goal"},
    {"do": "discard", "on": "smoke"},
    {"do": "together", "steps": [{"do": "fill", "on": e, "slots": 1} for e in ("clock", "vault")]},
    {"do": "milestone", "milestone": "minor", "steps": []},
    {"post": "made", "with": {"protagonist": "ana"}, "by": "ana"},
    {"post": "made", "with": {"protagonist": "cleo"}, "by": "ana"},
    {"post": "made", "with": {"template": "wound"}, "by": "ben"},
    {"post": "made", "with": {"type": "resource"}, "by": "cleo"},
    {"post": "line", "with": {"line": "lamp resource 3"}, "by": "cleo"},
    {"post": "made", "with": {"line": "lamp resource 3"}, "by": "cleo"},
    {"post": "made", "with": {"template": "foe", "hidden": "1"}},
    {"post": "own", "with": {}, "by": "ana"},
    {"do": "clear", "on": "clock", "slots": 2},
    {"post": "acted", "with": {"outcome": "hit"}, "by": "ana"},
    {"post": "acted", "with": {"outcome": "miss", "who": "ben"}},
    {"post": "ammo/roll", "with": {"how": "rolled"}, "by": "ben"},
    {"post": "alarm/roll", "with": {"how": "typed", "points": 3}, "by": "ben"},
    {"post": "dark/roll", "with": {"how": "rolled"}, "by": "ben"},
    {"do": "fill", "slots": 1, "on": ["despair"], "by": "ana"},
    {"do": "fill", "slots": 1, "on": ["alarm", "cult"], "by": "ana"},
    *(
        {"post": path, "with": {"line": "0.despair", "text": SET}, "by": by}
        for path in ("milestone/minor", "import", "alarm/link")
        for by in ("ana", "gm")
    ),
    {"do": "undo", "to": 1, "by": "ana"},
    {"do": "undo", "entry": 900, "by": "ana"},
    {"do": "fill", "on": "dark", "slots": 1, "by": "ana"},
    {"do": "fill", "on": "ammo", "slots": 1, "by": "ana"},
    {"do": "action", "outcome": "miss", "by": "cleo"},
    {"do": "undo", "by": "ben"},
    {"do": "end-session", "milestone": "minor", "name": "The vault", "lines": ["It rang."],
     "alone": {"ben": ["You heard it twice."]}, "word": "Sleep well."},
    {"do": "undo", "by": "ben"},
    {"do": "correct", "on": "ammo", "filled": 1},
    {"do": "undo", "to": 1},
    {"post": "end", "with": {"milestone": "major", "keep": "0", "text-0": "It rang again."}},
    {"post": "end", "with": {"milestone": "major"}, "by": "ana"},
    {"do": "fill", "on": "ammo", "slots": 1, "by": "ben"},
    {"do": "undo", "by": "ben"},
)  # fmt: skip


def hidden() -> Iterator[Json]:
    """Hidden acts of every kind, without end; each leaves room for all that follow."""
    yield {"do": "create", "as": "echo", "name": "canary echo", "visibility": "hidden"}
    yield {"do": "create", "as": "wind", "name": "canary wind", "visibility": "hidden"}
    yield {"do": "create", "as": "torch", "name": "canary torch", "visibility": "hidden"}
    yield {"do": "edit", "on": "fog", "links": [{"to": "echo", "do": "fill"}]}
    yield {"do": "edit", "on": "clock", "later": ["completes", "4"]}
    yield {"do": "edit", "on": "clock", "completes": "canary twist"}
    yield {"do": "edit", "on": "clock", "thresholds": {"4": "canary label"}}
    for n in itertools.count():
        yield {"do": "edit", "on": "ring", "order": 20 + n}
        yield {"do": "dismiss", "prompt": "follow-up:ana:hit"}
        yield {"do": "fill", "on": "dark", "slots": 1, "note": "canary why"}
        yield {"do": "roll", "on": "cult", "dice": [8, 2]}
        yield {"do": "fill", "on": "cult", "dice": [8, 2]}
        yield {"do": "undo", TAKE_BACK: "secret"}
        yield {"do": "redo", TAKE_BACK: "secret"}
        yield {"do": "clear", "on": "cult", "all": True}
        yield {"do": "note", "text": "canary thought", "secret": True}
        yield {"do": "note", "as": f"n{n}", "text": "canary plan", "secret": True}
        yield {"do": "strike", "item": f"n{n}"}
        yield {"do": "note", "as": f"h{n}", "title": "canary map", "picture": "p-1", "secret": True}
        yield {"do": "amend", "item": f"h{n}", "title": "canary chart"}
        yield {"do": "strike", "item": f"h{n}"}
        yield {"do": "edit", "on": "clock", "gm_note": f"canary {n}"}
        yield {"do": "scene", "scene": f"canary act {n}", "to": "prepared"}
        yield {"do": "create", "as": f"y{n}", "type": "timer", "scene": f"canary act {n}"}
        yield {"do": "fill", "on": f"y{n}", "slots": 1, "note": "canary soon"}
        yield {"do": "discard", "on": f"y{n}"}
        yield {"do": "scene", "scene": f"canary act {n}", "to": "over"}
        yield {"do": "create", "as": f"x{n}", "name": "canary new", "visibility": "hidden"}
        yield {"do": "edit", "on": "ring", "links": [{"to": "dark", "do": "fill", "slots": 1}]}
        yield {"do": "edit", "on": "ring", "links": []}
        yield {"do": "edit", "on": f"x{n}", "name": "canary other", "completes": "canary end"}
        yield {"do": "edit", "on": f"x{n}", "links": [{"to": "cult", "do": "fill"}]}
        yield {"do": "fill", "on": f"x{n}", "slots": 5}
        yield {"do": "restart", "on": f"x{n}"}
        yield {"do": "correct", "on": "cult", "filled": 0}
        yield {"do": "edit", "on": f"x{n}", "visibility": "chosen", "seats": []}
        yield {"do": "arrange", "on": ["dark", "cult", f"x{n}"], "scene": "canary scene"}
        yield {"do": "put", "on": "sack", "item": f"canary {n}"}
        yield {"do": "take", "on": "sack", "item": f"canary {n}"}
        yield {"do": "resolve", "on": f"x{n}"}
        yield {"do": "discard", "on": f"x{n}"}
        yield {"do": "fill", "on": "alarm", "slots": 0}
        steps = [{"do": "clear", "on": each, "all": True} for each in ("dark", "hunt")]
        yield {"do": "together", "steps": steps}
        yield {"do": "undo", TAKE_BACK: "secret"}
        yield {"do": "redo", TAKE_BACK: "secret"}


class Screens:
    """All screens of one table, and every byte that each has received."""

    def __init__(self, game: Game, browsers: dict[str, Client]) -> None:
        self.game = game
        self.browsers = browsers
        self.phones: dict[str, Phone] = {}
        self.got: dict[str, list[str]] = {}
        self.numbers: dict[str, int] = {}

    async def connect(self, name: str, connect: Connect, **how: Any) -> None:  # noqa: F811
        self.phones[name] = await connect(self.game, self.browsers[name], **how)
        self.got.setdefault(name, [])
        await self.collect()

    async def collect(self) -> int:
        """Take what has come; return how many frames."""
        await asyncio.sleep(0.004)
        new = 0
        for name, phone in self.phones.items():
            while not phone.communicator.output_queue.empty():
                text = phone.communicator.output_queue.get_nowait().get("text", "closed")
                self.got[name].append(self.plain(text))
                new += 1
        return new

    async def give(self, command: Json) -> Any:
        """Give a command; return its entry's number as its seat counts, or the refusal's facts."""
        command = dict(command)
        try:
            given = await registry.give(self.game.slug, command, command.pop("by", "gm"))
        except Refused as refused:
            return refused.code, str(refused.message), dict(refused.facts)
        return given.entry.number if given.entry else 0

    async def post(self, form: Json, browser: Client) -> None:
        """Send a form of the pages below slots/; a player's answer is among what came."""
        where = f"/g/{self.game.slug}/slots/{form['post']}"
        headers = {"HX-Request": "true"}
        answer = await sync_to_async(browser.post)(where, form["with"], headers=headers)
        if form.get("by", "gm") in self.got:
            said = (
                f"{answer.status_code} {answer.headers.get('HX-Trigger')} {answer.content.decode()}"
            )
            self.got[form["by"]].append(self.plain(said))
        for _wait in range(5):
            await self.collect()

    async def tap(self, command: Json) -> None:
        """Give a command as its seat's phone does, and once more, as after a lost answer."""
        command = dict(command)
        name = command.pop("by")
        for _each in range(2):
            before = len(self.got[name])
            await self.phones[name].say(**command)
            for _wait in range(500):
                await self.collect()
                if len(self.got[name]) > before:
                    break

    def plain(self, text: str) -> str:
        """*text* without ids, tokens and times."""
        text = text.replace(self.game.slug, "SLUG").replace(self.game.summary_token, "TOKEN")
        text = text.replace(self.game.invite_token, "INVITE").replace(self.game.spoken_code, "CODE")
        text = text.replace(self.game.watch_token, "WATCH").replace(self.game.watch_code, "LOOK")
        text = re.sub(rf"-{self.game.slug[:4]}(?=\.\w+\b)", "-SLUG", text)  # the name of a file
        for pattern, plain in ALIKE:
            text = pattern.sub(plain, text)
        return text

    async def pages(self, name: str, paths: Sequence[str]) -> dict[str, str]:
        """Everything that a browser can fetch."""
        found = {}
        for path in (*paths, f"/summary/{self.game.slug}/{self.game.summary_token}"):
            where = path if path.startswith("/") else f"/g/{self.game.slug}/{path}"
            answer = await sync_to_async(self.browsers[name].get)(where)
            headers = {key: answer.headers.get(key, "") for key in ("ETag", "Location")}
            text = b"".join(answer).decode() if answer.streaming else answer.content.decode()
            key = path if not path.startswith("/") else "shared summary"
            found[key] = self.plain(f"{answer.status_code} {headers} {text}")
        return found


ALIKE = [
    (re.compile(r'data-phone="\w+"'), "PHONE"),
    (re.compile(r'data-version="\w+"'), "VERSION"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+"), "WHEN"),
    (re.compile(r"\b\d\d:\d\d UTC"), "WHEN"),
    (re.compile(r'data-ended="?\d+|"at": ?\d+'), "WHEN"),
    (re.compile(r'ETag\': \'"\w{16}-'), "ETag "),
    (re.compile(r'ETag\': \'"(\d+)-\w{16}"'), r"ETag \1"),
    (re.compile(r'data-tag="&quot;(\d+)-\w{16}&quot;"'), r"TAG \1"),
    (re.compile(r'"note-[0-9a-f]{4}"'), "NOTE"),
    (re.compile(r"\b\w{64}\b"), "CSRF"),
    (re.compile(r'(class="qrline"[^>]* d=)"[^"]+"'), r"\1QR"),
    (re.compile(r'(name="?csrfmiddlewaretoken"? value=)"?[\w]+"?'), r"\1CSRF"),
    (re.compile(r"\bc-[0-9a-f]{6}\b"), "NEW"),
    (re.compile(r'data-acks="[0-9a-f]{16}"'), "ACK"),
    (re.compile(r'(csrf-token"? content=)"[^"]+"'), r"\1CSRF"),
    (re.compile(r'(nonce=|nonce-)"?[\w+/=-]+"?'), r"\1NONCE"),
    (re.compile(r"\d+ (s|min)\b"), "TIME"),
    (re.compile(r"<time[^>]*>[^<]*</time>|\b\d\d:\d\d\b"), "TIME"),
    (re.compile(r'ETag\': \'"1-(\d+)-(\w*)-\w+"'), r"ETag \1 \2"),
]
PAGES = (
    "", "log", "log/latest", "log?more=999", "log.md", "state.json", "summary", "mine", "tv",
    "tv/side?log&qr",
    "replay", "replay?line=4", "replay?tv&line=9", "replay/7", "replay/12",
    "replay/900", "replay/3-12", "replay/film",
    "notes", "sidebar", "keep", "rules", "share", "seats/", "tools", "scenario.json",
    "slots/new", "slots/action", "slots/after?outcome=hit&who=ana",
    "slots/previously", "slots/end",
    *(f"slots/{key}" for key in OPENING), "slots/smoke", "slots/torch", "slots/x0",
)  # fmt: skip


def differences(quiet: list[str], busy: list[str]) -> list[tuple[int, str, str]]:
    """The differences of two lists of texts: the index, and both from the first different byte."""
    found = []
    for place, (first, second) in enumerate(itertools.zip_longest(quiet, busy, fillvalue="")):
        if first != second:
            pairs = zip(first, second, strict=False)
            at = next((n for n, (a, b) in enumerate(pairs) if a != b), len(min(first, second)))
            found.append(
                (place, first[max(0, at - 80) : at + 80], second[max(0, at - 80) : at + 80])
            )
    return found


async def evening(
    game: Game,
    sit: Sit,
    connect: Connect,  # noqa: F811
    secrets: Iterator[Json],
    per_act: int,
    steps: Sequence[Json] = EVENING,
    pages: Sequence[str] = PAGES,
) -> tuple[Screens, list[Any], list[dict[str, dict[str, str]]]]:
    """Play the evening; return the screens, the outcomes, and the pages at two moments.

    before_it, in a step: what the GM does in secret right before it, if there are secrets at all.
    """
    browsers = {name: await sync_to_async(sit)(game, name) for name in PLAYERS}
    for name in ("watcher", "tv"):
        device = new_device()
        await sync_to_async(game.admit)(hashed(device), Visitor.Role.GUEST)
        browsers[name] = Client()
        browsers[name].cookies["device"] = device
    screens = Screens(game, browsers)
    gms = await sync_to_async(sit)(game, "gm")
    gm = await connect(game, gms)  # or another would become host
    for name in browsers:
        await screens.connect(name, connect, query="watch" if name == "tv" else "")
    outcomes, fetched, named = [], [], {}
    for place, step in enumerate(steps):
        command = dict(step)
        turns = command.pop("before_it", ())
        name, label = command.pop("as_", ""), command.pop(TAKE_BACK, "")
        if label:
            by = command.get("by", "gm")
            command["entry"] = named[label, by] if (label, by) in named else named[label, "gm"]
        away = place == 20
        if away:
            number = (await registry.table(game.slug)).number_for("ben")
            gone = screens.phones.pop("ben")
            await gone.disconnect()
        for secret in (*itertools.islice(secrets, per_act), *(turns if per_act else ())):
            secret = dict(secret)
            if secret.pop(TAKE_BACK, ""):
                secret["entry"] = named["secret", "gm"]
            outcome = await screens.give(secret)
            assert not isinstance(outcome, tuple), (secret, outcome)
            if secret["do"] not in ("undo", "redo") and secret not in turns:
                named["secret", "gm"] = outcome
            assert 0 == await screens.collect(), (place, secret)
        if away:
            await screens.connect("ben", connect, query=f"from={number}&seat=ben")
        command["id"] = f"step-{place}"
        by = command.get("by", "gm")
        if "post" in command:
            await screens.post(command, browsers.get(by, gms))
        elif by in screens.phones and not name:
            await screens.tap(command)
        else:
            outcome = await screens.give(command)
            if name:
                named[name, by] = outcome
                named[name, "gm"] = registry.tables[game.slug].number
            outcomes.append(outcome if by != "gm" else type(outcome))
        await screens.collect()
        if place in (30, len(steps) - 1):
            fetched.append({each: await screens.pages(each, pages) for each in browsers})
    assert "canary" in json.dumps([await gm.text(), await gm.text()]) or per_act == 0
    await check(game)
    return screens, outcomes, fetched


@pytest.mark.sweep
async def test_two_hundred_hidden_acts_change_no_byte_that_others_receive(
    transactional_db: None,
    make_game: Make,
    sit: Sit,
    connect: Connect,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counters, "_dice", lambda count: [4] * count)
    monkeypatch.setattr(plot, "LEAST", math.inf)  # its charts are in lines on a slow machine too
    make = sync_to_async(make_game)
    quiet_game = await make("stars-and-signs", seats=SEATS, slot_counters=OPENING)
    busy_game = await make("stars-and-signs", seats=SEATS, slot_counters=OPENING)
    quiet, busy = await played_twice(quiet_game, busy_game, sit, connect, hidden)
    everything = json.dumps([quiet, busy])
    assert "slots/NEW?new=1" in everything
    assert [] == re.findall(r"\bc\d+\b", everything), "a number that counts is no id"


async def played_twice(
    quiet_game: Game,
    busy_game: Game,
    sit: Sit,
    connect: Connect,  # noqa: F811
    secrets: Callable[[], Iterator[Json]],
    **how: Any,
) -> tuple[Any, Any]:
    """Play the evening without and with two hundred hidden acts; nobody else gets another byte.

    Return all that was sent and fetched at either.
    """
    quiet, said, pages = await evening(quiet_game, sit, connect, secrets(), 0, **how)
    busy, busily_said, busy_pages = await evening(busy_game, sit, connect, secrets(), 5, **how)

    hidden_acts = registry.tables[busy_game.slug].number - registry.tables[quiet_game.slug].number
    assert hidden_acts >= 200
    assert said == busily_said
    for name in quiet.got:
        assert [] == differences(quiet.got[name], busy.got[name]), name
    for then, busily in zip(pages, busy_pages, strict=True):
        for name in then:
            for path in then[name]:
                differing = differences([then[name][path]], [busily[name][path]])
                assert [] == differing, (name, path)
    everything = json.dumps([quiet.got, busy.got, pages, busy_pages])
    assert "canary" not in everything.replace("SLUG", "")
    return (quiet.got, pages), (busy.got, busy_pages)


def test_the_evening_plays_every_form(guarded: Game, sit: Sit) -> None:
    gm = sit(guarded, "gm")

    def takes_forms(path: str) -> bool:
        return gm.post(f"/g/{guarded.slug}/slots/{path}").status_code != 405

    paths = [str(each.pattern) for each in urlpatterns]
    paths = [re.sub("<str:which>", "minor", re.sub("<str:key>", "alarm", each)) for each in paths]
    played = {resolve(f"/g/x/slots/{each['post']}").url_name for each in EVENING if "post" in each}

    forms = {resolve(f"/g/x/slots/{each}").url_name for each in paths if takes_forms(each)}
    assert forms == played


# Revealing


@pytest.fixture
def guarded(transactional_db: None, make_game: Make) -> Game:
    return make_game("stars-and-signs", seats=SEATS, slot_counters=OPENING)


def give(game: Game, *commands: Json) -> None:
    for command in commands:
        async_to_sync(registry.give)(game.slug, dict(command), command.get("by", "gm"))


def read(game: Game, seat: str | None) -> list[tuple[int, str]]:
    """The log of a seat: numbers and sentences, with the numbers that changed."""
    return [
        (line.number, "; ".join(_sentence(part) for part in line.parts))
        for line in log_lines(game, seat)
    ]


def _sentence(part: Any) -> str:
    return part.text + (f" {part.before} → {part.after}" if part.after is not None else "")


REVEALED: tuple[Json, ...] = (
    {"do": "fill", "on": "vault", "slots": 2},
    {"do": "fill", "on": "alarm", "slots": 1},
    {"do": "edit", "on": "vault", "visibility": "open"},
    {"do": "fill", "on": "vault", "slots": 1},
)


@pytest.mark.parametrize("seat", ["ana", None])
def test_revealing_is_from_now_on_and_told_as_what_it_is(guarded: Game, seat: str | None) -> None:
    give(guarded, *REVEALED)

    assert [
        (1, "1 filled on Alarm 0 → 1"),
        (2, "The vault is revealed"),
        (3, "1 filled on The vault 2 → 3"),
    ] == read(guarded, seat)
    assert (3, "The vault is revealed") in read(guarded, "gm")
    guarded.refresh_from_db()
    curves = statistics_of(guarded, seat).charts["slots"]
    assert [(2, 2), (3, 3)] == next(
        [(point.line, point.value) for point in each.points]
        for each in curves
        if each.name == "The vault"
    )


def test_a_past_that_is_shared_is_told_in_one_line_and_by_its_curve(guarded: Game) -> None:
    give(guarded, *REVEALED, {"do": "share-past", "on": "vault"})

    shared = "told the past of The vault; 2 filled on The vault 0 → 2"
    assert (4, shared) == read(guarded, "ana")[-1]
    guarded.refresh_from_db()
    curves = statistics_of(guarded, "ana").charts["slots"]
    assert [(0, 0), (0, 2), (2, 2), (3, 3)] == next(
        [(point.line, point.value) for point in each.points]
        for each in curves
        if each.name == "The vault"
    )
    with pytest.raises(Refused, match="GM"):
        give(guarded, {"do": "share-past", "on": "vault", "by": "ana"})


def test_a_counter_hidden_again_leaves_the_log_and_comes_back_without_the_time_between(
    guarded: Game,
) -> None:
    give(guarded, *REVEALED, {"do": "edit", "on": "vault", "visibility": "hidden"})
    assert [(1, "1 filled on Alarm 0 → 1")] == read(guarded, "ana")

    give(guarded, {"do": "fill", "on": "vault", "slots": 1})
    give(guarded, {"do": "edit", "on": "vault", "visibility": "open"})
    assert [1, 2, 3, 4, 5] == [number for number, _text in read(guarded, "ana")]


async def test_a_reveal_is_a_moment_on_every_phone_that_sees_it(
    guarded: Game,
    sit: Sit,
    connect: Connect,  # noqa: F811
) -> None:
    ana = await connect(guarded, await sync_to_async(sit)(guarded, "ana"))
    ben = await connect(guarded, await sync_to_async(sit)(guarded, "ben"))
    crowd = await connect(guarded, ben_watching := await sync_to_async(watcher)(guarded))
    for phone in (ana, ben, crowd):
        await phone.text()
    await registry.give(guarded.slug, {"do": "edit", "on": "vault", "visibility": "open"}, "gm")
    for phone in (ana, ben, crowd):
        assert "The vault is revealed" in await phone.text()
    await registry.give(guarded.slug, {"do": "edit", "on": "rumour", "seats": ["ana", "ben"]}, "gm")
    assert "Rumour is revealed" in await ben.text()
    assert "revealed" not in await ana.text()
    side = await sync_to_async(ben_watching.get)(f"/g/{guarded.slug}/tv/side?log")

    assert "The vault is revealed" in side.content.decode()
    assert "Rumour" not in side.content.decode()


def watcher(game: Game) -> Client:
    device = new_device()
    game.admit(hashed(device), Visitor.Role.GUEST)
    client = Client()
    client.cookies["device"] = device
    return client


@pytest.mark.parametrize("name", ["secret", "free"])
def test_the_id_of_a_note_that_a_player_cannot_read_is_as_good_as_a_free_one(
    guarded: Game, name: str
) -> None:
    give(
        guarded,
        {"do": "note", "text": "The cook lies", "as": "secret", "secret": True},
        {"do": "note", "text": "Rope for sale", "as": name, "by": "ben"},
    )
    state = rows.state(Game.objects.get(pk=guarded.pk))

    assert [(1, "noted: Rope for sale")] == read(guarded, "ben") == read(guarded, None)
    assert ["The cook lies", "Rope for sale"] == [note.text for note in state.notes.values()]
    with pytest.raises(Refused, match="already in use"):
        give(guarded, {"do": "note", "text": "Again", "as": name, "by": "ana"})


def test_links_are_never_named_and_a_hidden_cause_gives_no_reason(guarded: Game) -> None:
    give(
        guarded,
        {"do": "edit", "on": "alarm", "links": [{"to": "dark", "do": "fill"}]},
        {"do": "edit", "on": "alarm", "name": "Bells", "links": []},
        {"do": "edit", "on": "cult", "links": [{"to": "clock", "do": "fill", "slots": 2}]},
        {"do": "fill", "on": "cult", "slots": 9},
        {"do": "edit", "on": "goal", "links": [{"to": "clock", "do": "fill", "slots": 1}]},
        {"do": "fill", "on": "goal", "slots": 3},
    )
    lines = log_lines(guarded, "ana")

    assert [
        "Bells changed: its name",
        "2 filled on Dawn",
        "3 filled on Goal; Goal: close; Goal is complete; 1 filled on Dawn",
    ] == ["; ".join(part.text for part in line.parts) for line in lines]
    assert [[""], [""], ["", "", "", "R16"]] == [[p.rule for p in line.parts] for line in lines]
    assert "it is linked to Goal" == lines[-1].parts[-1].because
    (cause,) = [part for part in log_lines(guarded, "gm")[3].parts if part.rule == "R16"]
    assert "it is linked to canary cult" == cause.because


def test_a_timer_says_whose_action_advanced_it(guarded: Game) -> None:
    give(guarded, {"do": "action", "by": "ana"})

    for seat in ("gm", "ana", "ben"):
        parts = {part.text: part.because for part in log_lines(guarded, seat)[-1].parts}
        assert "Ana acts" == parts["1 filled on Dawn"], parts


def test_an_answer_to_somebody_is_not_told_to_those_who_never_saw_the_question(
    guarded: Game,
) -> None:
    give(
        guarded,
        {"do": "propose", "by": "ana", "command": {"do": "fill", "on": "rumour", "slots": 1}},
        {"do": "answer", "prompt": "proposal:ana", "accept": True},
    )

    assert [] == read(guarded, "ben") == read(guarded, None)
    assert [1, 2] == [number for number, _text in read(guarded, "ana")]


# Texts that are read when it happens


def test_the_gm_may_keep_the_ending_and_a_label_until_they_happen(guarded: Game, sit: Sit) -> None:
    give(
        guarded,
        {
            "do": "edit", "on": "goal", "thresholds": {"2": "close", "3": "canary label"},
            "completes": "canary ending", "later": ["completes", "3"],
        },
    )  # fmt: skip
    ana = sit(guarded, "ana")
    pages = [f"/g/{guarded.slug}/{path}" for path in ("", "state.json", "slots/goal")]

    def shown() -> str:
        return "".join(ana.get(page).content.decode() for page in pages)

    assert "canary" not in shown()
    assert "close" in shown()
    preview = ana.post(f"/g/{guarded.slug}/slots/goal/roll", {"how": "slots", "slots": 3})
    assert "canary" not in preview.content.decode()
    with pytest.raises(Refused):
        give(guarded, {"do": "edit", "on": "despair", "later": ["completes"], "by": "ana"})
    give(guarded, {"do": "fill", "on": "goal", "slots": 3})
    assert {"canary ending", "canary label"} <= set(re.findall(r"canary \w+", shown()))
    assert "Goal: canary label" in read(guarded, "ana")[-1][1]


def test_an_owner_does_not_overwrite_what_only_the_gm_reads(guarded: Game) -> None:
    give(
        guarded,
        {
            "do": "edit", "on": "despair", "thresholds": {"4": "secret"}, "completes": "twist",
            "later": ["completes", "4"],
        },
        {"do": "edit", "on": "despair", "thresholds": {"2": "mine"}, "completes": "x", "by": "ana"},
    )  # fmt: skip
    counter = counter_in(registry.tables[guarded.slug].state, "despair")

    assert ({"2": "mine", "4": "secret"}, "twist") == (dict(counter.thresholds), counter.completes)


# Numbers


def test_a_seat_takes_back_by_the_lines_that_it_counts(guarded: Game) -> None:
    hush = {"do": "fill", "on": "dark", "slots": 1}
    give(
        guarded, hush, {"do": "fill", "on": "despair", "slots": 1, "by": "ana"},
        hush, {"do": "fill", "on": "despair", "slots": 2, "by": "ana"},
        hush, {"do": "undo", "to": 1, "by": "ana"},
    )  # fmt: skip
    filled = counter_in(registry.tables[guarded.slug].state, "despair").filled

    assert 1 == filled
    assert [1, 2, 3] == [number for number, _text in read(guarded, "ana")]
    assert "took back line 2" == read(guarded, "ana")[-1][1]
    with pytest.raises(Refused) as unknown:
        give(guarded, {"do": "undo", "entry": 5, "by": "ana"})
    assert ("unknown", 5) == (unknown.value.code, unknown.value.facts["n"])


def test_a_refused_undo_names_the_lines_that_its_reader_counts(guarded: Game) -> None:
    give(
        guarded,
        {"do": "fill", "on": "dark", "slots": 1},
        {"do": "create", "as": "torch", "by": "ana"},
        {"do": "fill", "on": "dark", "slots": 1},
        {"do": "fill", "on": "torch", "slots": 1, "by": "ana"},
    )
    with pytest.raises(Refused) as refused:
        give(guarded, {"do": "undo", "entry": 1, "by": "ana"})

    assert ("1 2", 2) == (refused.value.facts["lines"], refused.value.facts["n"])


async def test_a_co_gm_counts_as_the_gm_does_for_as_long_as_it_is_one(
    guarded: Game,
    sit: Sit,
    connect: Connect,  # noqa: F811
) -> None:
    cleo = await connect(guarded, await sync_to_async(sit)(guarded, "cleo"))
    await cleo.text()
    numbers = []
    for command in (
        {"do": "fill", "on": "dark", "slots": 1},
        {"do": "appoint", "seat": "cleo"},
        {"do": "fill", "on": "dark", "slots": 1},
        {"do": "appoint", "seat": "cleo", "co_gm": False},
        {"do": "fill", "on": "dark", "slots": 1},
        {"do": "fill", "on": "alarm", "slots": 1},
    ):
        await registry.give(guarded.slug, command, "gm")
    for _each in range(4):
        numbers.append((await cleo.frame())[0])

    assert [2, 3, 3, 4] == numbers


async def test_missed_frames_are_sent_again_without_the_hidden_acts_in_between(
    guarded: Game,
    sit: Sit,
    connect: Connect,  # noqa: F811
) -> None:
    browser = await sync_to_async(sit)(guarded, "ana")
    ana = await connect(guarded, browser)
    await ana.text()
    for on in ("dark", "alarm", "dark", "clock", "dark"):
        await registry.give(guarded.slug, {"do": "fill", "on": on, "slots": 1}, "gm")
    again = await connect(guarded, browser, since=1)
    _number, _acks, text = await again.frame()

    assert "<b id=k-clock.n" in text
    assert 'id="k-alarm"' not in text
    assert 'data-seq="2"' in text
    assert 'data-seq="2"' in await again.text()


async def test_a_hidden_act_in_the_same_turn_as_an_open_one_adds_no_byte_to_its_frame(
    guarded: Game,
    sit: Sit,
    connect: Connect,  # noqa: F811
) -> None:
    ana = await connect(guarded, await sync_to_async(sit)(guarded, "ana"))
    await ana.text()
    table = await registry.table(guarded.slug)
    hush = {"do": "edit", "on": "dark", "name": "canary", "order": 8}
    tap = {"do": "fill", "on": "clock", "slots": 1}
    back = {"do": "clear", "on": "clock", "slots": 1}
    frames = []
    for commands in ((tap,), (back,), (hush, tap, hush), (back,)):
        await asyncio.gather(*(table.give(dict(each), "gm") for each in commands))
        frames.append(re.sub(r'data-seq="\d+"', "", await ana.text()))

    assert frames[0] == frames[2]
    assert ana.communicator.output_queue.empty()


def test_entries_from_before_lines_were_counted_keep_their_numbers(guarded: Game) -> None:
    fills = [{"do": "fill", "on": on, "slots": 1} for on in ("alarm", "dark", "clock")]
    rows.give(guarded, fills)
    guarded.entries.update(heard=None)
    rows.give(Game.objects.get(pk=guarded.pk), fills)

    assert [1, 3, 4, 5] == [number for number, _text in read(guarded, "ana")]
    assert 5 == rows.lines(Game.objects.get(pk=guarded.pk))["ana"]


@pytest.fixture(autouse=True)
def forgotten(tables: Any) -> None:  # noqa: F811
    """The tables are closed after each test."""
