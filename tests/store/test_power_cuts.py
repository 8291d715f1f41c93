"""The power is cut during an evening: nothing acknowledged is lost, and nothing counts twice."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from tests.conftest import free_port
from tests.live.wire import frame
from tests.night import Night
from tests.soak import Phone

from . import power
from .power import ALIAS, TAPS, commands, stored, until

CUTS, DATABASE = 30, "games.sqlite3"


@dataclass
class Evening:
    """An evening: every command by its seat, and the recorded calls of the disk."""

    folder: Path
    slug: str
    said: dict[str, list[dict[str, Any]]]
    record: list[power.Asked]
    phone: Phone


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = power.compiled(tmp_path_factory.mktemp("recorder"))
    if built is None:
        pytest.skip("no C compiler")
    return built


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, library: Path) -> Evening:
    """Two seats tap, one takes back now and then, and one tap in ten is sent twice."""
    here = tmp_path_factory.mktemp("evening")
    folder, record = here / "night", here / "record"
    variables = {"LD_PRELOAD": str(library), "RECORD": str(record), "RECORDED": f"{folder}/"}
    night = Night(folder, free_port(), first=True, **variables)  # type: ignore[arg-type]
    try:
        ana, ben = Phone(night.site), Phone(night.site)
        slug = ana.post("/new", "/new", rules="any-game", seats="2", name="Ana").split("/")[2]
        code = re.search(r"share-code.*?<b>\s*([^<]+?)\s*</b>", ana.get(f"/g/{slug}/share"), re.S)
        assert code
        ben.post("/code", "/", code=code[1])
        said = {"ana": list(commands("ana", False)), "ben": list(commands("ben", True))}
        calls = {"ana": ana.call(slug)[0], "ben": ben.call(slug)[0]}
        dice, acknowledged = random.Random(7), set[str]()
        for ana_says, ben_says in zip(said["ana"], said["ben"], strict=True):
            for seat, command in (("ana", ana_says), ("ben", ben_says)):
                sent = frame(json.dumps(command).encode())
                calls[seat].send(sent * (2 if dice.random() < 0.1 else 1))
            if dice.random() < 0.3:  # else several come in one turn, and are one transaction
                acknowledged |= until(calls["ana"], ana_says["id"], acknowledged)
        for seat, call in calls.items():
            acknowledged |= until(call, said[seat][-1]["id"], acknowledged)
            call.close()
    finally:
        night.kill()
    return Evening(folder, slug, said, list(power.read(record)), ana)


@pytest.fixture
def after_a_cut(tmp_path: Path, django_db_blocker: Any) -> Iterator[Callable[..., Path]]:
    """Cut the power of a disk: the folder that is left."""
    made = 0

    def cut(evening: Evening, disk: power.Disk, kept: float, of: str = DATABASE) -> Path:
        nonlocal made
        made += 1
        folder = tmp_path / f"cut-{made}"
        folder.mkdir()
        disk.cut(folder, str(evening.folder), random.Random(made), kept, of)
        connections.databases[ALIAS] = {
            **connections.databases["default"], "NAME": str(folder / DATABASE)
        }  # fmt: skip
        return folder

    with django_db_blocker.unblock():
        yield cut
        connections.databases.pop(ALIAS, None)


def moments(evening: Evening) -> list[int]:
    """Moments spread over what was asked from the first acknowledgement to the end."""
    began = next(n for n, asked in enumerate(evening.record) if asked.what == "s")
    dice = random.Random(3)
    after = range(began, len(evening.record))
    return sorted({began, len(evening.record) - 1, *dice.sample(after, min(CUTS, len(after)))})


def test_acknowledged_commands_outlive_every_power_cut(evening: Evening, after_a_cut: Any) -> None:
    disk, cuts = power.Disk(), moments(evening)
    for n, asked in enumerate(evening.record):
        disk.take(asked)
        if n in cuts:
            after_a_cut(evening, disk, kept=(0.0, 0.5)[n % 2])
            found = stored(evening.slug)
            assert disk.acknowledged <= {*found}, f"lost after {n} of {len(evening.record)}"
            assert len(found) == len({*found}), f"twice after {n}"
    assert 2 * TAPS == len(disk.acknowledged)


def test_a_disk_that_only_says_that_it_synced_is_told_from_one_that_did(
    evening: Evening, after_a_cut: Any
) -> None:
    """The test above would notice a server that does not wait for its disk."""
    disk = power.Disk(deaf=True)
    for asked in evening.record:
        disk.take(asked)
    after_a_cut(evening, disk, kept=0.0)

    with pytest.raises(Exception, match=r"no such table|does not exist"):
        stored(evening.slug)


def test_the_table_starts_again_and_counts_what_phones_send_again_once(
    evening: Evening, after_a_cut: Any, port: int
) -> None:
    disk, half = power.Disk(), moments(evening)[CUTS // 2]
    for asked in evening.record[:half]:
        disk.take(asked)
    folder = after_a_cut(evening, disk, kept=0.5, of="")
    night = Night(folder, port)
    try:
        ana = evening.phone
        ana.site = night.site
        call, seat = ana.call(evening.slug)
        assert "ana" == seat, "her phone has its seat"
        with closing(call):
            for command in evening.said["ana"]:
                call.send(frame(json.dumps(command).encode()))
            until(call, evening.said["ana"][-1]["id"], set())
    finally:
        night.kill()

    connections.databases[ALIAS]["NAME"] = str(folder / DATABASE)
    found = stored(evening.slug)
    assert {command["id"] for command in evening.said["ana"]} <= {*found}
    assert len(found) == len({*found})


def test_the_files_of_a_start_are_on_disk_before_anyone_plays(evening: Evening) -> None:
    """A secret key that is empty, or static files that are, would keep the table closed."""
    disk = power.Disk()
    for asked in evening.record:
        disk.take(asked)
        if asked.what == "s":
            break

    unsafe = {
        path for path, file in disk.files.items() if file.since and "games.sqlite3" not in path
    }
    made = [path for path in disk.files if path.endswith((".js", "secret-key"))]
    assert len(made) > 20
    assert [] == [path for path in made if path in unsafe]
