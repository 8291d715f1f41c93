"""A disk whose power can be cut: what a server asked of it, and what is on it at any moment.

`recorder.c` notes each write, cut, sync and deletion in the data folder, and each frame that tells
a phone that its command was accepted. A disk of this model keeps what was written before a sync
began that has ended; of anything later it keeps any sectors, or none. The name of a file is there
once it has been made, and gone once it is deleted; the file may still be empty. Not
modelled: a controller that ignores syncs, and what a falling voltage does to other sectors.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from django.db import connections
from msgspec import Struct

from games.models import Game
from games.store import rows

HEAD = struct.Struct("=IIIIQ")
ACKS = re.compile(rb'data-acks="([^"]*)"')
SECTOR = 512
TAPS = 60
ALIAS = "after-a-cut"
"""The database that is looked at."""
HERE = Path(__file__).parent


def compiled(folder: Path) -> Path | None:
    """The recorder as a library; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    library = folder / "recorder.so"
    source = HERE / "recorder.c"
    command = [compiler, "-shared", "-fPIC", "-O1", str(source), "-o", str(library), "-ldl"]
    subprocess.run(command, check=True, timeout=60)
    return library


class Asked(Struct, frozen=True):
    """One entry of the record."""

    what: str
    thread: int
    path: str
    offset: int
    data: bytes


def read(record: Path) -> Iterator[Asked]:
    """The entries of a record, in order."""
    raw, at = record.read_bytes(), 0
    while at + HEAD.size <= len(raw):
        op, thread, path, size, offset = HEAD.unpack_from(raw, at)
        at += HEAD.size
        name = raw[at : at + path].decode()
        data = raw[at + path : at + path + size]
        at += path + size
        yield Asked(chr(op), thread, name, offset, data)


@dataclass(slots=True)
class File:
    """One file: what is safe, and what was asked since."""

    safe: bytearray = field(default_factory=bytearray)
    since: list[Asked] = field(default_factory=list)
    syncing: dict[int, int] = field(default_factory=dict)
    """By thread: how much of `since` its sync will make safe."""


class Disk:
    """A disk's content after a part of a record.

    deaf: it says that it synced, and did not.
    """

    def __init__(self, *, deaf: bool = False) -> None:
        self.files: dict[str, File] = {}
        self.acknowledged: set[str] = set()
        self.deaf = deaf

    def take(self, asked: Asked) -> None:
        """Do the next thing."""
        if asked.what == "s":
            for found in ACKS.findall(asked.data):
                self.acknowledged.update(found.decode().split())
        elif asked.what == "u":
            self.files.pop(asked.path, None)
        elif not asked.path:  # a sync of everything
            for file in self.files.values():
                self._to(file, asked)
        else:
            self._to(self.files.setdefault(asked.path, File()), asked)

    def _to(self, file: File, asked: Asked) -> None:
        if asked.what in "wt":
            file.since.append(asked)
        elif asked.what == "b":
            file.syncing[asked.thread] = len(file.since)
        elif not self.deaf:
            count = file.syncing.pop(asked.thread, 0)
            for each in file.since[:count]:
                _apply(file.safe, each)
            del file.since[:count]
            file.syncing = {who: max(n - count, 0) for who, n in file.syncing.items()}

    def cut(self, folder: Path, was: str, dice: Random, kept: float, of: str = "") -> None:
        """Write what a power cut leaves into *folder*, which stands for the folder *was*.

        kept: the chance of each sector that was not safe to be there all the same. of: how the
        names of the files begin that are wanted.
        """
        for path, file in self.files.items():
            if not path.startswith(f"{was}/{of}"):
                continue
            left = bytearray(file.safe)
            for each in file.since:
                if each.what == "t":
                    if dice.random() < kept:
                        _apply(left, each)
                else:
                    _torn(left, each, dice, kept)
            name = folder / Path(path).relative_to(was)
            name.parent.mkdir(parents=True, exist_ok=True)
            name.write_bytes(left)


def _apply(content: bytearray, asked: Asked) -> None:
    if asked.what == "t":
        del content[asked.offset :]
        content.extend(bytes(asked.offset - len(content)))
    else:
        content.extend(bytes(max(asked.offset - len(content), 0)))
        content[asked.offset : asked.offset + len(asked.data)] = asked.data


def _torn(content: bytearray, asked: Asked, dice: Random, kept: float) -> None:
    """Write those sectors of a write that happen to be kept."""
    at, end = asked.offset, asked.offset + len(asked.data)
    while at < end:
        following = min((at // SECTOR + 1) * SECTOR, end)
        if dice.random() < kept:
            part = asked.data[at - asked.offset : following - asked.offset]
            _apply(content, Asked("w", 0, "", at, part))
        at = following


# An evening


def commands(seat: str, takes_back: bool) -> Iterator[dict[str, Any]]:
    """TAPS taps on a seat, of which some are taken back."""
    for n in range(TAPS):
        command = {"do": "place", "on": seat, "counter": "points", "amount": 1}
        if takes_back and n % 10 == 9:
            command = {"do": "undo"}
        yield {**command, "id": f"{seat}-{n}"}


def until(call: Any, command: str, acknowledged: set[str]) -> set[str]:
    """The ids that are acknowledged on a socket until *command* is, or was *heard* to be."""
    found = set[str]()
    while command not in acknowledged | found:
        for acks in ACKS.findall(call.receive()[1]):
            found.update(acks.decode().split())
    return found


def stored(slug: str) -> list[str]:
    """The commands in a game's log at ALIAS, after its rows have been compared with it."""
    try:
        if connections[ALIAS].vendor == "sqlite":
            with connections[ALIAS].cursor() as cursor:
                cursor.execute("PRAGMA integrity_check")
                assert [("ok",)] == cursor.fetchall()
        game = Game.objects.using(ALIAS).get(slug=slug)
        rows.check(game)
        return [entry.id for entry in rows.entries(game) if entry.id is not None]
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]
