"""The games of the previous release: upgraded with everything in them, and rolled back.

tests/store/data holds the games that the release before this one kept (its migration 0006, with
the secret key of the tests): its demos, two scenarios of each file, seats taken by phones, set-ups,
a rematch. `previous.sqlite3` is its database and `previous.lines` its backup from PostgreSQL.
`any-rpg.lines` is a backup from migration 0025 with an evening by each set that Any RPG came with,
and `any-rpg.json` has three of these as files. `any-game.lines` is one from migration 0029, with a
demo, nine scenarios and an evening of Any game, which was a system of its own.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections, models
from django.db import migrations as operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from games.live.imports import imported
from games.live.table_registry import registry
from games.models import Game, Seat, Setup, Visitor
from games.models.tokens import hashed
from games.store import backup, checkpoints, lines, rows, schema
from games.systems import SYSTEMS
from games.systems.own_game.led import from_set
from tests.types import Make

DATA = Path(__file__).parent / "data"
PREVIOUS = "0006_names_and_looks_of_seats"
NAMES = (
    "blades",
    "cthulhu",
    "daggerheart",
    "fabula",
    "fate",
    "fifth-edition",
    "ironsworn",
    "mothership",
)
"""The sets that came with Any RPG."""
pytestmark = pytest.mark.usefixtures("any_database")
TRANSACTION = pytest.mark.django_db(databases="__all__", transaction=True)


@pytest.fixture
def previous(tmp_path: Path) -> Path:
    """The data of the previous release, in a file of its own."""
    file = tmp_path / "previous.sqlite3"
    with gzip.open(DATA / "previous.sqlite3.gz") as packed, file.open("wb") as out:
        shutil.copyfileobj(packed, out)
    return file


@pytest.fixture
def previous_lines(tmp_path: Path) -> Path:
    """Its backup from PostgreSQL."""
    file = tmp_path / "previous.lines"
    file.write_bytes(gzip.decompress((DATA / "previous.lines.gz").read_bytes()))
    return file


@TRANSACTION
def test_every_game_of_the_previous_release_goes_on(previous: Path) -> None:
    """Its logs are verified, its links and phones open their games, and undo works."""
    restored = backup.restore(previous)

    # Fourteen of its games tell more of a turn now, note that they have begun, or resolve a rule
    # otherwise.
    assert ((), (), 14) == (restored.renewed, restored.left_out, len(restored.updated))
    games = list(Game.objects.order_by("pk"))
    assert {*SYSTEMS} == {game.system for game in games}
    for system in {*SYSTEMS, "any-game"} - {"own-game"}:  # which it is by now
        host = Visitor.objects.get(device_hash=hashed(f"host-{system}"), game__followed_by=None)
        game = host.game
        ana, new = Client(), Client()
        ana.cookies["device"] = f"host-{system}"
        for path in ("", "log", "summary", "keep", "replay", "seats/"):
            assert 200 == ana.get(f"/g/{game.slug}/{path}").status_code, (system, path)
        assert 302 == new.get(f"/w/{game.watch_token}").status_code
        assert game.seats.get(device_hash=hashed(f"host-{system}")).host
    taken_back = 0
    for game in games:
        standing = game.entries.filter(undone_by=None).exclude(command__do__in=("undo", "redo"))
        last = standing.order_by("number").last()
        if last is not None and not game.followed_by:
            rows.give(game, [{"do": "undo", "entry": last.number, "by": last.seat}])
            taken_back += 1
        rows.check(game)
    assert taken_back > 30
    assert 3 == Setup.objects.exclude(code="").count()
    assert 1 == Game.objects.exclude(followed_by=None).count()
    registry.close()


@TRANSACTION
def test_tables_of_any_rpg_go_on_as_games_with_a_gm(tmp_path: Path) -> None:
    """Their evenings, undo, set-ups and rules: by then Any RPG was a system of its own."""
    file = tmp_path / "any-rpg.lines"
    file.write_bytes(gzip.decompress((DATA / "any-rpg.lines.gz").read_bytes()))

    restored = backup.restore(file)

    assert ((), ()) == (restored.renewed, restored.left_out)
    games = list(Game.objects.order_by("pk"))
    assert [("own-game", "1")] * 10 == [(game.system, game.edition) for game in games]
    for game in games:
        host = Visitor.objects.get(game=game)
        gm = Client()
        gm.cookies["device"] = next(
            token
            for name in ("", *NAMES, "odd")
            if hashed(token := f"host-{name}") == host.device_hash
        )
        for path in ("", "log", "summary", "replay", "slots/open-one", "rules", "change", "tv"):
            assert 200 == gm.get(f"/g/{game.slug}/{path}").status_code, (game.title, path)
        last = game.entries.filter(undone_by=None).order_by("number").last()
        assert last
        rows.give(game, [{"do": "undo", "entry": last.number, "by": last.seat}])
        rows.give(game, [{"do": "fill", "on": "open-one", "slots": 1, "by": "gm"}])
        rows.check(game)
    for setup in Setup.objects.all():
        assert 200 == Client().get(f"/s/{setup.token}").status_code
        if setup.given:
            assert 302 == Client().post(f"/s/{setup.token}").status_code
    registry.close()


@TRANSACTION
def test_tables_of_any_game_go_on_without_rules(tmp_path: Path) -> None:
    """Their pools, ticks, undo and set-up; and then by rules of their own."""
    file = tmp_path / "any-game.lines"
    file.write_bytes(gzip.decompress((DATA / "any-game.lines.gz").read_bytes()))

    restored = backup.restore(file)

    assert ((), ()) == (restored.renewed, restored.left_out)
    games = list(Game.objects.order_by("pk"))
    assert [("own-game", "1")] * 11 == [(game.system, game.edition) for game in games]
    for game in games:
        ana = Client()
        ana.cookies["device"] = f"host-{game.title}"
        for path in ("", "log", "summary", "replay", "seats/ana", "rules", "change", "tv"):
            assert 200 == ana.get(f"/g/{game.slug}/{path}").status_code, (game.title, path)
        standing = game.entries.filter(undone_by=None).exclude(command__do__in=("undo", "redo"))
        last = standing.order_by("number").last()
        if last is not None:
            rows.give(game, [{"do": "undo", "entry": last.number, "by": last.seat}])
        rows.give(game, [{"do": "place", "on": "ana", "counter": "points", "by": "ana"}])
        rows.check(game)
    evening = games[-1]
    state = rows.state(evening)
    assert {"team:blue": 3, "team:red": 3} == {
        pool: state.count(pool, "points") for pool in ("team:blue", "team:red")
    }
    assert ("rent", "ana") == (*state.ticks, state.ticks["rent"]["on"])
    begun = evening.rules.defined and evening.rules.defined.begun(
        evening.settings["definition"], state
    )
    rows.give(evening, [{"do": "change-rules", "definition": begun}])
    evening = Game.objects.get(pk=evening.pk)
    assert 3 == rows.state(evening).count("ben", "points")
    rows.check(evening)
    setup = Setup.objects.get()
    assert 200 == Client().get(f"/s/{setup.token}").status_code
    assert 302 == Client().post(f"/s/{setup.token}").status_code
    registry.close()


@pytest.mark.parametrize("scenario", json.loads((DATA / "any-rpg.json").read_text("utf-8")))
def test_a_file_of_a_table_of_any_rpg_begins_a_game_with_a_gm(
    scenario: dict[str, Any], db: None
) -> None:
    game = imported(json.dumps(scenario))

    assert "own-game" == game.system
    assert len(scenario["when"]) == game.number
    kept = {each.key: each.facts["type"] for each in game.slot_counters.all()}
    was = {key: facts["type"] for key, facts in scenario["then"]["slot_counters"].items()}
    assert {key: from_set.type_of(kind) for key, kind in was.items()} == kept


@pytest.mark.postgres
@TRANSACTION
def test_its_backup_from_one_database_fits_the_other(previous_lines: Path) -> None:
    restored = backup.restore(previous_lines, "postgres")

    assert ((), ()) == (restored.renewed, restored.left_out)
    assert 37 == Game.objects.using("postgres").count()
    assert 3 == len({*Setup.objects.using("postgres").values_list("code", flat=True)})


@TRANSACTION
def test_a_backup_of_the_release_before_that_too(previous_lines: Path) -> None:
    """There the given name of a seat was its name, and nothing had looks."""
    earlier = []
    for line in previous_lines.read_text().splitlines():
        row = json.loads(line)
        fields = row.get("fields", {})
        if row.get("model") == "games.seat":
            fields["name"] = fields.pop("given_name")
            del fields["chosen_colour"], fields["chosen_emblem"]
        fields.pop("looks", None)
        earlier.append(json.dumps(row))
    previous_lines.write_text("\n".join(earlier) + "\n")

    backup.restore(previous_lines)

    assert "Ana" in [seat.name for seat in Seat.objects.all()]


class TestRollingBack:
    """Migrating writes what the version before can restore."""

    @pytest.fixture
    def kept(self, previous: Path) -> Path:
        connections.databases["previous"] = {
            **connections["default"].settings_dict,
            "NAME": str(previous),
        }
        try:
            found = backup.before_migrating(previous.parent / "backups", "previous")
        finally:
            connections["previous"].close()
            del connections["previous"], connections.databases["previous"]
        assert found
        return found

    def test_the_backup_before_migrating_is_in_the_form_of_the_previous_release(
        self, kept: Path, previous_lines: Path
    ) -> None:
        def contents(file: Path) -> tuple[object, Counter[tuple[str, tuple[str, ...]]]]:
            head, *others = map(json.loads, file.read_text().splitlines())
            return head["countersite"], Counter(
                (row["model"], tuple(sorted(row["fields"]))) for row in others
            )

        assert PREVIOUS in kept.name
        assert contents(previous_lines) == contents(kept)
        assert 0 == kept.stat().st_mode & 0o077


class TestMigrating:
    @pytest.fixture
    def folder(self, tmp_path: Path, settings: object, monkeypatch: pytest.MonkeyPatch) -> Path:
        settings.DATA = tmp_path  # type: ignore[attr-defined]
        monkeypatch.setattr(schema, "pending", lambda using="default": ["9999_later"])
        return tmp_path / "backups"

    @TRANSACTION
    def test_a_backup_comes_first_and_is_told(
        self, game: Game, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for _time in range(backup.KEPT + 2):
            call_command("migrate", verbosity=0)
            for file in folder.glob("*.backup"):
                file.rename(file.with_name(f"0{file.name}"))
        call_command("migrate", verbosity=0)

        assert backup.KEPT == len(list(folder.iterdir()))
        newest = max(folder.iterdir(), key=lambda file: file.stat().st_mtime)
        assert f"before this update: {newest}" in capsys.readouterr().out
        with backup._database(backup.CANDIDATE, "default") as candidate:
            lines.read(newest, candidate.alias)
            assert game.slug == Game.objects.using(candidate.alias).get().slug

    @TRANSACTION
    def test_without_room_for_it_nothing_is_migrated(self, game: Game, folder: Path) -> None:
        folder.write_text("in the way")

        with pytest.raises(CommandError, match=r"No backup.*backups.*Nothing was changed"):
            call_command("migrate", verbosity=0)

    @TRANSACTION
    def test_an_empty_site_needs_none(self, folder: Path) -> None:
        call_command("migrate", verbosity=0)

        assert not folder.exists()


def test_tables_of_a_later_version_are_refused(previous: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(previous)) as file:
        file.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('games', '9999_later', '2030-01-01')"
        )
        file.commit()

    with pytest.raises(schema.OtherVersion, match="later version of this program"):
        backup.restore(previous)


def test_tables_of_before_the_first_release_name_the_release_that_reads_them(
    previous: Path,
) -> None:
    with closing(sqlite3.connect(previous)) as file:
        file.execute(
            "UPDATE django_migrations SET name = '0004_clock_and_notes' WHERE app = 'games'"
        )
        file.commit()

    says = rf"earlier version .*0004_clock_and_notes.* Install version {schema.OLDEST}"
    with pytest.raises(schema.OtherVersion, match=says):
        backup.restore(previous)


@TRANSACTION
@pytest.mark.parametrize(
    "command",
    [["serve"], ["table"], ["migrate"], ["backup", "late.backup"]],
    ids=lambda command: command[0],
)
def test_an_earlier_version_neither_starts_nor_writes_a_backup(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: list[str]
) -> None:
    def later(using: str = "default") -> str:
        raise schema.OtherVersion("a later version")

    monkeypatch.setattr(schema, "latest", later)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(CommandError, match="a later version"):
        call_command(*command)
    assert [] == list(tmp_path.glob("*.backup"))


@pytest.mark.parametrize(
    ("missing", "how"),
    [
        (["0098_notes_online"], "; servers of the version before can stay"),
        (["0098_notes_online", "0099_words"], ", with no server on it"),
    ],
)
def test_a_server_does_not_start_before_the_migrations_and_names_them(
    db: None, monkeypatch: pytest.MonkeyPatch, missing: list[str], how: str
) -> None:
    monkeypatch.setattr(schema, "pending", lambda using="default": [*missing])

    with pytest.raises(
        CommandError, match=rf"lacks {', '.join(missing)}. Run `migrate` first{how}"
    ):
        call_command("serve")


def not_online(migration: operations.Migration) -> list[str]:
    """Effects of a migration that the version before might notice.

    It may add tables, and columns to which the database gives a value in rows of that version. An
    index would lock a large table while it is made.
    """
    return [each.describe() for each in migration.operations if not additive(each)]


def additive(operation: Any) -> bool:
    if isinstance(operation, operations.AddField):
        field = operation.field
        return not field.unique and bool(field.null or field.has_db_default())
    return isinstance(operation, operations.CreateModel)


def column(name: str, **options: Any) -> operations.AddField:
    return operations.AddField("game", name, models.TextField(**options))


def index() -> operations.AddIndex:
    return operations.AddIndex("game", models.Index(fields=["title"], name="title"))


@pytest.mark.parametrize(
    ("allowed", "operation"),
    [
        (True, column("note", null=True)),
        (True, column("note", db_default="")),
        (True, operations.CreateModel("Note", [("id", models.BigAutoField(primary_key=True))])),
        (False, column("note", default="")),
        (False, column("note", null=True, unique=True)),
        (False, operations.RemoveField("game", "title")),
        (False, operations.AlterField("game", "title", models.TextField())),
        (False, index()),
        (False, operations.RunPython(operations.RunPython.noop)),
    ],
)
def test_an_online_migration_only_adds_what_the_version_before_can_do_without(
    allowed: bool, operation: Any
) -> None:
    migration = operations.Migration("0099_notes_online", "games")
    migration.operations = [operation]

    assert allowed == (not not_online(migration))


def test_migrations_that_are_called_online_are() -> None:
    ours = MigrationLoader(None).disk_migrations.items()
    claimed = {name: each for (app, name), each in ours if app == "games" and schema.online(name)}

    assert {} == {name: bad for name, each in claimed.items() if (bad := not_online(each))}


@TRANSACTION
@pytest.mark.parametrize(("later", "refused"), [("9998_notes_online", False), ("9999_notes", True)])
def test_only_what_is_online_may_be_ahead_of_this_version(later: str, refused: bool) -> None:
    recorder = MigrationRecorder(connections["default"])
    known = schema.latest()
    recorder.record_applied("games", later)
    try:
        if refused:
            with pytest.raises(schema.OtherVersion, match=later):
                schema.pending()
        else:
            assert (known, []) == (schema.latest(), schema.pending())
    finally:
        recorder.record_unapplied("games", later)


@TRANSACTION
def test_the_keys_of_entries_change_and_change_back_without_loss(
    make_game: Make, both_databases: str
) -> None:
    using = both_databases
    game = make_game(using=using)
    taps = [{"do": "place", "on": "ana", "counter": "points", "id": f"tap-{n}"} for n in range(3)]
    rows.give(game, [*taps, {"do": "undo", "entry": 2}])

    def stored() -> tuple[object, ...]:
        again = Game.objects.using(using).get(pk=game.pk)
        rows.check(again)
        times = list(again.entries.values_list("at", flat=True))
        return rows.state(again), rows.entries(again), times, again.number, again.changed

    expected = stored()
    try:
        call_command("migrate", "games", "0020", database=using, verbosity=0)
        with connections[using].cursor() as cursor:
            cursor.execute("SELECT number FROM games_game WHERE id = %s", [game.pk])
            assert (4,) == cursor.fetchone()
            cursor.execute("SELECT count(DISTINCT id), max(undone_by) FROM games_entry")
            assert (4, 4) == cursor.fetchone()
    finally:
        call_command("migrate", "games", database=using, verbosity=0)

    assert expected == stored()


@TRANSACTION
def test_the_winner_is_read_from_the_log_after_an_upgrade(
    make_game: Make, both_databases: str
) -> None:
    """Also where the winner has lost since, which neither rows nor kept states told until then."""
    using = both_databases
    game = make_game("yu-gi-oh", seats={"ana": {}, "ben": {}}, using=using)
    rows.give(game, [{"do": "lose-life", "seat": each, "amount": 8000} for each in ("ben", "ana")])
    state = checkpoints.packed(rows.state(game))
    game.checkpoints.create(number=2, state=state)
    try:
        call_command("migrate", "games", "0021", database=using, verbosity=0)
    finally:
        call_command("migrate", "games", database=using, verbosity=0)
    again = Game.objects.using(using).get(pk=game.pk)
    assert not again.checkpoints.exists()

    backup.follow_logs(using)

    assert ("ana",) == rows.state(Game.objects.using(using).get(pk=game.pk)).winners
    rows.check(again)
