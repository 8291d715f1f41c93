"""All games in one file and back, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.models import Checkpoint, CountedLog, Game, Picture, Renewal, Setup, Visitor
from games.models.tokens import hashed, next_device
from games.store import backup, copying, rows
from tests.types import Make

pytestmark = pytest.mark.usefixtures("any_database")
BOTH = pytest.mark.django_db(databases="__all__", transaction=True)

PLAYED = [
    {"do": "place", "on": "ana", "counter": "points", "amount": 7, "id": "phone-1"},
    {"do": "place", "on": "ben", "counter": "points", "amount": 2},
    {"do": "undo", "entry": 2},
]


@pytest.fixture
def evening(make_game: Make) -> Callable[[str], Game]:
    def play(using: str) -> Game:
        game, after = make_game(using=using), make_game(using=using)
        rows.give(game, PLAYED)
        game.followed_by = after
        game.save(using=using)
        given: dict[str, object] = {"seats": {"ana": {}}}
        Setup.objects.using(using).create(game=game, system="any-game", edition="1", given=given)
        return game

    return play


@BOTH
def test_games_come_back_as_they_were(
    evening: Callable[[str], Game], both_databases: str, tmp_path: Path
) -> None:
    using, file = both_databases, tmp_path / "games.backup"
    game = evening(using)
    before = (game.invite_hash, game.code, rows.state(game), rows.entries(game), game.changed)

    assert backup.Written(2) == backup.backup(file, using)
    rows.give(game, [{"do": "place", "on": "ana", "counter": "points", "amount": 90}])
    assert backup.Restored() == backup.restore(file, using)

    back = Game.objects.using(using).get(slug=game.slug)
    state, entries = rows.state(back), rows.entries(back)
    assert before == (back.invite_hash, back.code, state, entries, back.changed)
    assert back.followed_by
    assert 1 == Setup.objects.using(using).count()
    rows.check(back)
    # A new row gets a free number.
    rows.give(back, PLAYED[1:2])
    assert [file] == list(tmp_path.iterdir())
    assert 0 == file.stat().st_mode & 0o077


@BOTH
def test_a_file_of_lines_fits_every_database(
    evening: Callable[[str], Game], both_databases: str, tmp_path: Path
) -> None:
    game = evening(both_databases)
    for n in range(12):
        at = {"game": game, "key": f"p-{n}", "width": 1, "height": 1}
        Picture.objects.using(both_databases).create(**at, image=b"RIFF\0\xff%d" % n)
    file = tmp_path / "games.backup"
    backup.backup(file, both_databases)

    backup.restore(file, "default")

    back = Game.objects.get(slug=game.slug)
    rows.check(back)
    pictures = {each.key: bytes(each.image) for each in back.pictures.all()}
    assert {f"p-{n}": b"RIFF\0\xff%d" % n for n in range(12)} == pictures


@pytest.mark.postgres
@BOTH
def test_rows_of_sqlite_go_to_postgresql_and_back(
    evening: Callable[[str], Game], tmp_path: Path
) -> None:
    game, file = evening("default"), tmp_path / "games.backup"
    Checkpoint.objects.create(game=game, number=3, state=b"\0packed")
    CountedLog.objects.using("postgres").create(
        game=evening("postgres"), number=1, form=1, data=b""
    )
    before = everything("default")

    backup.backup(file, "default")
    backup.restore(file, "postgres")
    backup.backup(file.with_name("back"), "postgres")
    Game.objects.all().delete()
    backup.restore(file.with_name("back"), "default")

    assert before == everything("postgres") == everything("default")


def everything(using: str) -> dict[str, list[dict[str, object]]]:
    """Every row of a database, by its table."""
    return {
        model.__name__: [
            {name: bytes(v) if isinstance(v, memoryview) else v for name, v in row.items()}
            for row in model._base_manager.using(using).order_by("pk").values()
        ]
        for model in copying.kept_models()
    }


def nights(monkeypatch: pytest.MonkeyPatch, count: int) -> Iterator[datetime]:
    """Nights that follow each other, at three o'clock."""
    for n in range(count):
        now = datetime(2026, 1, 1, 3, tzinfo=UTC) + timedelta(days=n)
        monkeypatch.setattr(backup, "_now", lambda now=now: f"{now:%Y-%m-%d-%H%M%S}")
        yield now


@pytest.mark.django_db(transaction=True)
class TestCommands:
    def test_both_say_what_they_did(self, evening: Callable[[str], Game], tmp_path: Path) -> None:
        evening("default")
        file, out = tmp_path / "b", StringIO()

        call_command("backup", str(file), stdout=out)
        call_command("restore", str(file), "--force", stdout=out)

        assert "2 games in" in out.getvalue()
        assert "2 games restored" in out.getvalue()

    def test_a_name_that_ends_with_gz_is_packed(
        self, evening: Callable[[str], Game], tmp_path: Path
    ) -> None:
        game, out = evening("default"), StringIO()
        packed, plain = tmp_path / "b.backup.gz", tmp_path / "b.backup"

        call_command("backup", str(packed), stdout=out)
        call_command("backup", str(plain), stdout=out)
        call_command("restore", str(packed), "--force", stdout=out)

        assert packed.stat().st_size < plain.stat().st_size / 2
        assert "2 games restored" in out.getvalue()
        rows.check(Game.objects.get(slug=game.slug))

    def test_a_packed_file_that_is_cut_off_changes_nothing(
        self, evening: Callable[[str], Game], tmp_path: Path
    ) -> None:
        evening("default")
        file = tmp_path / "b.gz"
        backup.backup(file)
        whole = file.read_bytes()

        for damaged in (whole[:-30], whole[:99] + b"xxxx" + whole[103:]):
            file.write_bytes(damaged)
            with pytest.raises(CommandError, match=r"incomplete or damaged.*Nothing was changed"):
                call_command("restore", str(file), "--force")

    def test_the_last_few_of_a_folder_are_kept(
        self, evening: Callable[[str], Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        evening("default")
        (tmp_path / "somebody-else-s.backup.gz").touch()
        folder = tmp_path / "nightly"
        for night in nights(monkeypatch, 4):
            call_command("backup", "--keep", "2", str(folder), stdout=StringIO())
            assert backup.last() is not None
            assert f"{night:%Y-%m-%d}-030000.backup.gz" in {each.name for each in folder.iterdir()}

        assert ["2026-01-03", "2026-01-04"] == [each.name[:10] for each in sorted(folder.iterdir())]
        assert 0 == folder.stat().st_mode & 0o077

    def test_the_last_whole_one_is_kept_however_many_follow(
        self, evening: Callable[[str], Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game, said = evening("default"), []
        for night in nights(monkeypatch, 4):
            game.counters.update(amount=7 if night.day == 1 else 8)
            try:
                call_command("backup", "--keep", "2", str(tmp_path), stdout=StringIO())
                since = backup.last()
            except CommandError as error:
                said.append(error.returncode)

        kept = ["01-030000.backup.gz", "03-030000-unfit.backup.gz", "04-030000-unfit.backup.gz"]
        assert kept == [each.name[8:] for each in sorted(tmp_path.iterdir())]
        assert [3, 3, 3] == said
        assert since == backup.last(), "a backup with a game that does not fit is none"

    def test_a_folder_and_a_file_are_told_apart(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match=r"is a folder\. Name a file, or say how many"):
            call_command("backup", str(tmp_path))
        with pytest.raises(CommandError, match="'0' is no number of files"):
            call_command("backup", "--keep", "0", str(tmp_path))

    def test_nothing_is_overwritten_without_asking(
        self, evening: Callable[[str], Game], tmp_path: Path
    ) -> None:
        evening("default")
        file = tmp_path / "b"
        backup.backup(file)

        with pytest.raises(CommandError, match="exists"):
            call_command("backup", str(file))
        with pytest.raises(CommandError, match="Already here: 2 games"):
            call_command("restore", str(file))

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{}",
            b"\xff\xfe",
            b'{"countersite": 2, "games": 0}\n',
            b'{"countersite": 1, "games": 3}\n',
            b'{"countersite": 1, "games": 0}\n{"model": "auth.user", "pk": 1, "fields": {}}\n',
            b'{"countersite": 1, "games": 1}\n{"model": "games.game", "fi',
            backup.SQLITE + b"and then nothing",
        ],
    )
    def test_a_file_that_is_not_a_backup_changes_nothing(
        self, evening: Callable[[str], Game], tmp_path: Path, content: bytes
    ) -> None:
        game = evening("default")
        file = tmp_path / "b"
        file.write_bytes(content)

        with pytest.raises(CommandError, match=r"Nothing was changed\."):
            call_command("restore", str(file), "--force")

        assert 2 == Game.objects.count()
        rows.check(game)

    def test_a_game_that_differs_from_its_log_is_not_restored(
        self, evening: Callable[[str], Game], tmp_path: Path
    ) -> None:
        game = evening("default")
        game.counters.update(amount=8)
        file = tmp_path / "b"
        backup.backup(file)
        game.counters.update(amount=7)

        with pytest.raises(CommandError, match=game.slug):
            call_command("restore", str(file), "--force")

        rows.check(game)

    def test_the_games_beside_an_unfit_one_can_be_had(
        self, evening: Callable[[str], Game], tmp_path: Path
    ) -> None:
        unfit = evening("default")
        unfit.counters.update(amount=8)
        fit = evening("default")
        file, out = tmp_path / "b", StringIO()

        with pytest.raises(CommandError, match=f"The file is written.*\n  {unfit.slug} .*points"):
            call_command("backup", str(file))
        call_command("restore", str(file), "--force", "--skip-unfit", stdout=out)

        assert f"Left out: {unfit.slug}" in out.getvalue()
        assert "3 games restored" in out.getvalue()
        assert not Game.objects.filter(slug=unfit.slug).exists()
        rows.check(fit)

    def test_an_interrupted_restore_changes_nothing(
        self, evening: Callable[[str], Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "b"
        backup.backup(file, "default")
        game = evening("default")

        def interrupted(using: str) -> dict[int, str]:
            raise KeyboardInterrupt

        monkeypatch.setattr(backup, "_unfit", interrupted)

        with pytest.raises(KeyboardInterrupt):
            call_command("restore", str(file), "--force")

        rows.check(game)
        assert 2 == Game.objects.count()

    def test_links_made_with_another_key_are_renewed(
        self, evening: Callable[[str], Game], tmp_path: Path, settings: object
    ) -> None:
        game = evening("default")
        file, out = tmp_path / "b", StringIO()
        backup.backup(file)
        settings.SECRET_KEY = "another machine's"  # type: ignore[attr-defined]

        call_command("restore", str(file), "--force", stdout=out)

        back = Game.objects.get(slug=game.slug)
        assert hashed(back.invite_token) == back.invite_hash
        assert "another secret key" in out.getvalue()


@BOTH
def test_a_phone_that_came_to_its_seat_after_the_backup_is_still_known(
    make_game: Make, both_databases: str, tmp_path: Path
) -> None:
    using, file, last = both_databases, tmp_path / "games.backup", hashed("as it was")
    game = make_game(using=using)
    Visitor.objects.using(using).create(game=game, device_hash=last)
    backup.backup(file, using)

    backup.restore(file, using)
    backup.restore(file, using)

    (renewal,) = Renewal.objects.using(using).all()
    assert (last, None) == (renewal.last, renewal.used)
    assert hashed(next_device(last)) == renewal.fresh
