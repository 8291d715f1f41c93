"""Fuzz targets. Each takes bytes, and raises if they break anything."""

from __future__ import annotations

import asyncio
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from django.http import QueryDict

from games.live.closing import BROKEN
from games.live.connection import Connection, Frame
from games.live.journal import Share, publish
from games.live.socket import Session
from games.live.table import Table
from games.live.work import Work
from games.rules import scenario
from games.rules.history import Applied, History
from games.rules.log import Stored
from games.rules.scenario import SpecificationError
from games.rules.state import Refused
from games.screens import forms
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.store import demos
from games.systems import SYSTEMS, find, named_by
from games.systems.stars_and_signs.presentation import PRESENTATION
from games.systems.typed_line import read_line
from tests.laws import SCENARIOS, ids_of

from .mutating import STRANGE, Mutate, altered_json

LONGEST = 20_000
"""Bytes of an input."""


class Broken(Exception):
    """A page or a table said that something went wrong."""


class Target(ABC):
    """One way in."""

    words: Sequence[Any] = ()
    """The dictionary for inputs: ids, kinds, verbs."""

    @abstractmethod
    def __call__(self, data: bytes) -> None:
        """Try *data*. Raises whatever the product raised, or Broken."""

    @abstractmethod
    def seeds(self) -> Iterator[bytes]:
        """Inputs that are right."""

    def mutated(self, data: bytes, random: Random, raw: Mutate) -> bytes:
        """*data* with something changed. raw: changes any bytes."""
        return raw(data, LONGEST)


class Caught(logging.Handler):
    """Keeps what the product wrote to its log as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[BaseException | str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("django.security"):
            return  # it was refused, which is right
        error = record.exc_info[1] if record.exc_info else None
        self.errors.append(error or record.getMessage())

    def check(self) -> None:
        """Raise the first error, and forget all."""
        errors, self.errors = self.errors, []
        if errors:
            first = errors[0]
            raise first if isinstance(first, BaseException) else Broken(first)


@cache
def caught() -> Caught:
    """The handler, which every log of the product goes to."""
    handler = Caught()
    for name in ("", "django", "django.request"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(logging.ERROR)
    return handler


# Commands


class Inline(Executor):
    """Does at once what a thread would do."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*given, **named))
        except BaseException as error:
            future.set_exception(error)
        return future


class Memory:
    """A journal without a disk: all is stored at once."""

    def add(self, table: Table, outcome: Any, reply: Any) -> None:
        share = Share(table, replies=[(reply, outcome)])
        if type(outcome) is Applied and outcome.entry is not None:
            share.accepted.append(outcome)
        publish([share])

    def holds(self, table: Table) -> bool:
        return False

    async def settled(self) -> None:
        pass


class Screen(Connection):
    """A phone that reads everything."""

    __slots__ = ("closed", "texts")

    def __init__(self, system: Any, seat: str | None) -> None:
        super().__init__()
        self.seat, self.audience = seat, audience(system, seat)
        self.closed: int | None = None
        self.texts: list[str] = []

    def send(self, frame: Frame) -> None:
        frame.wire  # noqa: B018 encodes it
        self.texts.append(frame.text)

    def close(self, code: int, reason: str) -> None:
        self.closed = code


class Commands(Target):
    """Messages on a socket at a demo: "magic ana", then a message on each line.

    Each goes the way of a tap: message, command, rules, and what every screen is shown.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.at: dict[str, History] = {}
        self.samples: dict[str, list[bytes]] = {}
        words: dict[Any, None] = {}
        for demo in demos.demos():
            system = named_by(demo)[0]
            history = History(system, scenario.opening(system, demo))
            for command in demo["when"]:
                history.give(dict(command))
            self.at[system.name] = history
            given = [*demo["when"], *_samples(system.name)]
            self.samples[system.name] = [json.dumps(_by_nobody(each)).encode() for each in given]
            for named in (system.verbs, system.zones, system.phases, system.rulebook.kinds):
                words |= dict.fromkeys(named)
            state = history.state
            for holders in (state.seats, state.objects, state.slot_counters):
                words |= dict.fromkeys(holders)
            for holder in state.counters:
                words |= dict.fromkeys(state.on(holder))
            words |= dict.fromkeys(prompt.id for prompt in state.prompts)
        self.words = [*words, "all", "undo", "redo", "together", "id", "note", 1, 3]

    def seeds(self) -> Iterator[bytes]:
        for name, samples in self.samples.items():
            for seat in [*self.at[name].state.seats][:2]:
                for sample in samples:
                    yield b"%s %s\n%s" % (name.encode(), seat.encode(), sample)

    def mutated(self, data: bytes, random: Random, raw: Mutate) -> bytes:
        who, *said = data.split(b"\n")
        name = who.partition(b" ")[0].decode(errors="ignore")
        samples = self.samples.get(name)
        if not said or samples is None or random.random() < 0.1:
            return raw(data, LONGEST)
        line = random.randrange(len(said))
        how = random.random()
        if how < 0.15:
            said.insert(line, random.choice(samples))
        elif how < 0.2 and len(said) > 1:
            del said[line]
        elif how < 0.25:
            seats = [*self.at[name].state.seats, "-"]
            who = f"{name} {random.choice(seats)}".encode()
        elif how < 0.32:
            said.append(
                random.choice([b'{"do": "undo"}', b'{"do": "redo"}', b'{"do":"undo","to":1}'])
            )
        else:
            said[line] = altered_json(said[line], random, self.words, raw)
        return b"\n".join([who, *said[:12]])

    def __call__(self, data: bytes) -> None:
        who, *said = data.split(b"\n")
        name, _space, seat = who.decode(errors="replace").partition(" ")
        recorded = self.at.get(name)
        if recorded is None or not said:
            return
        given = seat if seat in recorded.state.seats else None
        self.loop.run_until_complete(self._play(recorded, given, said[:12]))
        caught().check()

    async def _play(self, recorded: History, seat: str | None, said: Sequence[bytes]) -> None:
        entries = list(recorded.entries)
        history = History(
            recorded.system, recorded.opening, state=recorded.state, number=recorded.number,
            ids=lambda after, last: ids_of(entries[after:last]),
            stored=Stored(lambda after=0, last=0: entries[after:last]), lines=recorded.lines,
        )  # fmt: skip
        assert len(history.entries) == recorded.number  # all of them stay in memory
        names = {each: each.capitalize() for each in recorded.state.seats}
        drawn = Drawing(recorded.system, names)
        table = Table(
            1, recorded.system.name, history, drawn, load=lambda: history,
            gave_up=lambda table: None, journal=Memory(), background=Inline(),  # type: ignore[arg-type]
            work=Work(1), ask=lambda ask: None,
        )  # fmt: skip
        others = [each for each in recorded.state.seats if each != seat][:1]
        screens = [Screen(recorded.system, each) for each in (seat, None, *others)]
        for screen in screens:
            table._connections.setdefault(screen.audience, set()).add(screen)
        session = Session(table, screens[0])
        for text in said:
            session.received(text.decode(errors="replace"))
            while table.busy:  # noqa: ASYNC110 it has no event
                await asyncio.sleep(0)
        for screen in screens:
            if screen.closed == BROKEN:
                raise Broken("a screen could not be drawn")
            if history.number > recorded.number:
                table._send_board(screen)
        assert history.entries[-1].number == history.number


def _by_nobody(command: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in command.items() if key != "by"}


def _samples(name: str) -> Iterator[dict[str, Any]]:
    """The scenarios' first two commands of each verb of a system."""
    seen: dict[str, int] = {}
    for path in sorted(SCENARIOS.glob(f"{name}*.json")):
        for each in json.loads(path.read_text(encoding="utf-8")):
            for command in each["when"] if each["system"] == name else ():
                verb = str(command.get("do"))
                seen[verb] = seen.get(verb, 0) + 1
                if seen[verb] <= 2:
                    yield command


# Text


class Lines(Target):
    """Lines that a GM types for a new counter."""

    words = (
        "danger",
        "hidden",
        "open",
        "@ana",
        "6",
        "5x5",
        "×",
        "«",
        "„",
        "“",
        "known",
        "progress",
    )
    seats = {"ana": "ana", "ben": "ben", "Béa  Ö": "cleo", "": "dan"}
    assert PRESENTATION.slots is not None
    its = PRESENTATION.slots

    def seeds(self) -> Iterator[bytes]:
        yield b"The vault danger 6 hidden"
        yield "“Open danger” 5 x 3 @ana known".encode()

    def __call__(self, data: bytes) -> None:
        try:
            typed = read_line(data.decode(errors="replace"), self.seats, self.its)
        except Refused as refused:
            _said(refused)
            return
        for kind in ("progress", "danger", "inventory"):
            made = typed.create("c1", kind)
            assert made["name"]


class Fields(Target):
    """The fields of a form that are a command, as a browser sends them."""

    words = (
        "do", "on", "amount:number", "paid.wolf:member", "as:new", "base.life:number", "a:json",
        "types:list", "kinds:kinds", "counter:kind", "copies:copies", "copies:numbered", "value:no",
        "x:secret", "each.wolf", "csrfmiddlewaretoken", "place",
    )  # fmt: skip

    def seeds(self) -> Iterator[bytes]:
        yield b"do=place&on=wolf&amount%3Anumber=3&paid.wolf%3Amember=1&as%3Anew=&name=Wolf"
        yield b"do=change&base.life%3Anumber=4&types%3Alist=a&types%3Alist=b&dice%3Ajson=[7]"
        yield b"lose=ana.life&each.ana=ana%20ben"

    def __call__(self, data: bytes) -> None:
        try:
            posted = QueryDict(data)
        except Exception:
            return  # Django's own refusals, which the request target tries
        for system in (SYSTEMS["magic"][0], find("any-game")):
            with suppress(Refused):
                json.dumps(forms.of_fields(system, posted))


class Files(Target):
    """A game in a file, as it is read, played and drawn before anyone sits down at it."""

    def __init__(self) -> None:
        self.whole = {}
        words: dict[Any, None] = {}
        for demo in demos.demos():
            self.whole[demo["system"]] = {**demo, "when": demo["when"][:4]}
            words |= dict.fromkeys([*demo["given"], *named_by(demo)[0].verbs])
            words |= dict.fromkeys(demo["given"].get("seats", ()))
        self.words = [*words, 1, 2]

    def seeds(self) -> Iterator[bytes]:
        for demo in self.whole.values():
            yield json.dumps(demo).encode()
        for path in sorted(SCENARIOS.glob("*.json")):
            for each in json.loads(path.read_text(encoding="utf-8"))[:12]:
                yield json.dumps(each).encode()

    def mutated(self, data: bytes, random: Random, raw: Mutate) -> bytes:
        if random.random() < 0.1:
            return raw(data, LONGEST)
        return altered_json(data, random, self.words, raw)

    def __call__(self, data: bytes) -> None:
        from games.live.imports import imported

        text = data.decode(errors="replace")
        with suppress(SpecificationError):
            imported(text).delete()
        caught().check()


def _said(refused: Refused) -> None:
    assert refused.message, refused.code


def strange(random: Random) -> str:
    """Text that is not expected anywhere."""
    return str(random.choice(STRANGE))


def _targets() -> dict[str, Callable[[], Target]]:
    from . import requests, wire

    return {
        "command": Commands,
        "fields": Fields,
        "file": Files,
        "line": Lines,
        "request": requests.Requests,
        "wire": wire.Wires,
    }


TARGETS: tuple[str, ...] = ("command", "fields", "file", "line", "request", "wire")


def target(name: str) -> Target:
    """The target of that name."""
    return _targets()[name]()
