"""All games of this site in one file, and back: for a new machine, or after a bad day.

One form of file for both kinds of database (`lines`): what one writes, the other reads. A copy of
an SQLite database, as earlier versions wrote it, can be restored too.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, connections, transaction
from msgspec import Struct, structs

from games.models import Game, Renewal, Visitor
from games.models.tokens import hashed, next_device
from games.rules.input import printable
from games.store import copying, lines, rows, schema
from games.store.lines import Unfit

logger = logging.getLogger(__name__)

SQLITE = b"SQLite format 3\0"
SNAPSHOT, CANDIDATE = "snapshot", "candidate"
"""The names of the databases that hold still while a backup is written, and in which one is
checked."""
KEPT = 3
"""Backups that are kept of those made before migrations."""
DATED = re.compile(r"\d{4}-\d\d-\d\d-\d{6}(-unfit)?\.backup\.gz").fullmatch
"""The names of the files that `rotate` writes, and may remove."""
LAST = "last-backup"
"""The file in the data folder that says when the last whole backup was made."""


class Written(Struct, frozen=True):
    """Contents of a backup: the number of games, and those that could not be restored, with why."""

    games: int
    unfit: Sequence[str] = ()


class Restored(Struct, frozen=True):
    """The outcome of restoring a backup.

    renewed: the games with new links, because theirs were made with another secret key. left_out:
    those that were not restored, with why. updated: those that `follow_logs` wrote anew.
    """

    renewed: Sequence[Game] = ()
    left_out: Sequence[str] = ()
    updated: Sequence[str] = ()


def backup(path: Path, using: str = "default") -> Written:
    """Write all games to *path*, completely or not at all, and replay every log in that file.

    If each leads to its game, note in the data folder that there is a backup.
    """
    with _beside(path) as draft:
        _write(draft, using)
        with _database(CANDIDATE, using) as candidate:
            lines.read(draft, candidate.alias)
            games = Game.objects.using(candidate.alias).count()
            written = Written(games, tuple(_unfit(candidate.alias).values()))
        os.replace(draft, path)
    if not written.unfit:
        (settings.DATA / LAST).write_text(f"{datetime.now(UTC).isoformat(timespec='seconds')}\n")
    return written


def last() -> datetime | None:
    """The time of the last whole backup that was made with this data folder."""
    try:
        return datetime.fromisoformat((settings.DATA / LAST).read_text().strip())
    except (OSError, ValueError):
        return None


def rotate(folder: Path, most: int, using: str = "default") -> tuple[Path, Written]:
    """Write all games to a new packed file in *folder*, and remove all but the last *most*.

    The last one in which every log leads to its game stays in any case.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{_now()}.backup.gz"
    written = backup(path, using)
    if written.unfit:
        path = path.rename(folder / path.name.replace(".", "-unfit.", 1))
    dated = sorted(each for each in folder.iterdir() if DATED(each.name))
    whole = [each for each in dated if "unfit" not in each.name]
    for old in {*dated[:-most]} - {*whole[-1:]}:
        old.unlink()
    return path, written


def before_migrating(folder: Path, using: str = "default") -> Path | None:
    """Write all games to a new file in *folder*, as the version that kept them until now does it.

    Returns the file; None if there are no games. That version restores it, so that an upgrade can
    be taken back. The last few such files are kept.
    """
    state = schema.latest(using)
    if not state or not games_here(using):
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{_now()}-{state}.backup"
    with _beside(path) as draft:
        _write(draft, using)
        os.replace(draft, path)
    for old in sorted(folder.glob("*.backup"))[:-KEPT]:
        old.unlink()
    return path


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"


def restore(path: Path, using: str = "default", *, skip_unfit: bool = False) -> Restored:
    """Replace all games here by those in *path*, once each log has been replayed.

    An empty database gets its tables. skip_unfit: leave out the games that do not match their log.
    Raises Unfit, schema.OtherVersion; nothing has changed then.
    """
    with _database(CANDIDATE, using) as candidate:
        with path.open("rb") as file:
            start = file.read(len(SQLITE))
        try:
            if start == SQLITE:
                shutil.copyfile(path, candidate.file)
                earlier = schema.update_games(candidate.alias)
            else:
                earlier = lines.read(path, candidate.alias)
            updated = follow_logs(candidate.alias) if earlier else ()
            schema.update(using)
            with transaction.atomic(using=using):
                restored = replace(candidate.alias, using, skip_unfit=skip_unfit)
                _expect_renewals(using)
            return structs.replace(restored, updated=updated)
        except (DatabaseError, sqlite3.Error) as error:
            raise Unfit(f"That backup could not be restored: {error}.") from None


def replace(
    source: str, target: str, kinds: copying.Models | None = None, *, skip_unfit: bool = False
) -> Restored:
    """Replace all games of a database by another's, and replay every log there; or change nothing.

    Both have the tables of this version. kinds: what else is replaced. Raises Unfit.
    """
    with transaction.atomic(using=target):
        copying.replace(source, target, kinds)
        return _checked(target, skip_unfit)


def follow_logs(using: str = "default") -> Sequence[str]:
    """After an update: write the games anew whose log says something else than their rows.

    An earlier version kept less of a state, or resolved a rule otherwise. Returns the games that
    changed; those that cannot be replayed stay as they are.
    """
    found = []
    for game in Game.objects.using(using).order_by("pk").iterator():
        try:
            if rows.follow_log(game):
                found.append(f"{game.slug} ({game})")
        except Exception as error:
            logger.warning("%s (%s) cannot be replayed: %s", game.slug, game, _short(error))
    return found


def counted(games: int) -> str:
    """A number of games in words: "1 game"."""
    return f"{games} game{'' if games == 1 else 's'}"


def games_here(using: str = "default") -> int:
    """The number of games in this database, even if it has no tables yet, or earlier ones."""
    if Game._meta.db_table not in connections[using].introspection.table_names():
        return 0
    return Game.objects.using(using).count()


def _write(path: Path, using: str) -> None:
    """Write the games to *path*, as they are at one moment, and get it on disk.

    SQLite is copied first, which is quick: it has one transaction at a time, and people play.
    """
    connection = connections[using]
    if connection.vendor != "sqlite":
        lines.write(path, using)
    else:
        connection.ensure_connection()
        with _database(SNAPSHOT, using) as snapshot:
            with closing(sqlite3.connect(snapshot.file)) as copy:
                connection.connection.backup(copy)
            lines.write(path, snapshot.alias)
    with path.open("r+b") as file:  # Windows syncs no file that is only read
        os.fsync(file.fileno())


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary file in the same folder, readable only by us; deleted afterwards."""
    handle, name = tempfile.mkstemp(f".draft{path.suffix}", f".{path.stem}.", path.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


class _Database(NamedTuple):
    """An SQLite database of its own, for a moment."""

    alias: str
    file: Path


@contextmanager
def _database(alias: str, using: str) -> Iterator[_Database]:
    """An empty SQLite database in a temporary folder, to try in it what must not go wrong here."""
    with tempfile.TemporaryDirectory(prefix="countersite-") as folder:
        file = Path(folder) / f"{alias}.sqlite3"
        own = connections[using].settings_dict
        connections.databases[alias] = {
            **own,
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(file),
            "OPTIONS": {},
        }
        try:
            yield _Database(alias, file)
        finally:
            connections[alias].close()
            del connections[alias]
            del connections.databases[alias]


def _unfit(using: str) -> dict[int, str]:
    """The games that do not match their log, by primary key: which, and why."""
    found = {}
    for game in Game.objects.using(using).order_by("pk").iterator():
        try:
            rows.check(game)
        except Exception as error:
            found[game.pk] = f"{game.slug} ({game}): {_short(error)}"
    return found


def _checked(using: str, skip_unfit: bool) -> Restored:
    """Check each game's rows against its log and renew links that this site's key did not make."""
    unfit = _unfit(using)
    if unfit and not skip_unfit:
        raise Unfit(
            "These games do not match their log (--skip-unfit leaves them out):\n  "
            + "\n  ".join(unfit.values())
            + "\n"
        )
    Game.objects.using(using).filter(pk__in=unfit).delete()
    renewed = []
    for game in Game.objects.using(using).order_by("pk").iterator():
        made = {
            "invite_hash": hashed(game.invite_token),
            "watch_hash": hashed(game.watch_token),
            "host_hash": hashed(game.host_token),
        }
        if any(getattr(game, field) != value for field, value in made.items()):
            same: Any = Game.objects.using(using).filter(pk=game.pk)
            same.update(**made)
            renewed.append(game)
    return Restored(tuple(renewed), tuple(unfit.values()))


def _expect_renewals(using: str) -> None:
    """Know the devices that came to a seat after the backup, and have their next token since."""
    visitors = Visitor.objects.using(using).order_by("device_hash")
    devices = visitors.values_list("device_hash", flat=True).distinct()
    expected = [Renewal(last=each, fresh=hashed(next_device(each))) for each in devices]
    Renewal.objects.using(using).bulk_create(expected, ignore_conflicts=True, batch_size=400)


def _short(error: Exception, most: int = 160) -> str:
    """The error in one line of at most *most* characters: a log has thousands of numbers."""
    text = printable(" ".join((str(error) or repr(error)).split()))
    return text if len(text) <= most else f"{text[: most - 1]}…"
