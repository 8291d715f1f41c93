"""All games to another database, verified there, again after an interruption, and back."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connections

from countersite import environment
from games.models import Game, Picture, Setup, Visitor
from games.models.tokens import hashed
from games.store import backup, copying, moving, rows
from games.store.holder import hold

pytestmark = [
    pytest.mark.django_db(databases="__all__", transaction=True),
    pytest.mark.usefixtures("any_database"),
]
TAP = {"do": "place", "on": "ana", "counter": "points", "amount": 7}


BOTH_KINDS = pytest.mark.parametrize(
    "address", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of SQLite unless the test asks for both kinds."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'there.sqlite3'}"
    there = connections["postgres"].settings_dict
    host, port = there["HOST"], there["PORT"]
    return f"postgresql://{there['USER']}:{there['PASSWORD']}@{host}:{port}/{there['NAME']}"


@pytest.fixture
def there(address: str) -> Iterator[str]:
    """The same by its name, to look into it."""
    connections.databases["there"] = {
        **connections["default"].settings_dict,
        **environment.database_at(address, "there"),
    }
    connections.databases["there"]["OPTIONS"].pop("pool", None)
    yield "there"
    connections["there"].close()
    del connections["there"], connections.databases["there"]


@pytest.fixture
def evening(game: Game, ana: object) -> Game:
    """A game with all that belongs to it."""
    rows.give(game, [TAP])
    game.admit(hashed("watching"), Visitor.Role.ONLOOKER)
    given: dict[str, object] = {"seats": {"ana": {}}}
    Setup.objects.create(game=game, system="any-game", edition="1", given=given)
    User.objects.create_superuser("operator", password="long and secret")
    for n in range(12):
        Picture.objects.create(game=game, key=f"p-{n}", width=1, height=1, image=b"RIFF\0\xff")
    return game


def moved(address: str) -> str:
    out = StringIO()
    call_command("move", "--to", address, stdout=out)
    return out.getvalue()


def everything(using: str) -> list[tuple[str, object]]:
    kinds: list[Any] = [*copying.kept_models(), User]
    return [
        (model.__name__, row)
        for model in kinds
        for row in model._base_manager.using(using).order_by("pk").values_list()
    ]


@BOTH_KINDS
def test_all_of_it_goes_along_and_back(evening: Game, address: str, there: str) -> None:
    before = everything("default")

    assert "1 game moved, every log replayed there" in moved(address)
    assert before == everything(there)
    # And back, as the same command does it from there.
    Game.objects.all().delete()
    User.objects.all().delete()
    backup.replace(there, "default", (User,))
    assert before == everything("default")
    rows.give(evening, [TAP])  # a new row gets a free number


def test_it_can_be_made_again_after_more_was_played(
    evening: Game, address: str, there: str
) -> None:
    moved(address)
    rows.give(evening, [TAP])

    moved(address)

    assert everything("default") == everything(there)


@BOTH_KINDS
def test_an_interrupted_move_has_moved_nothing_and_is_made_again(
    evening: Game, address: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:

        def interrupted(using: str, skip_unfit: bool) -> None:
            raise KeyboardInterrupt

        patch.setattr(backup, "_checked", interrupted)
        with pytest.raises(KeyboardInterrupt):
            moved(address)
        assert not Game.objects.using(there).exists()

    moved(address)

    assert everything("default") == everything(there)


def test_a_game_that_differs_from_its_log_is_told_there(evening: Game, address: str) -> None:
    evening.counters.update(amount=8)

    with pytest.raises(CommandError, match=rf"{evening.slug}(.|\n)*Nothing was changed"):
        moved(address)


def test_a_database_with_other_games_is_refused(evening: Game, address: str, there: str) -> None:
    moved(address)
    Game.objects.using(there).update(slug="another")

    with pytest.raises(CommandError, match="1 games that are not here, such as “Friday”"):
        moved(address)
    assert "another" == Game.objects.using(there).get().slug


def test_a_database_where_they_were_played_on_is_refused(
    evening: Game, address: str, there: str
) -> None:
    moved(address)
    rows.give(Game.objects.using(there).get(), [TAP])

    with pytest.raises(CommandError, match="“Friday” was played on there since: it has 2 lines"):
        moved(address)


def test_a_database_of_another_program_is_refused(evening: Game, address: str, there: str) -> None:
    with connections[there].cursor() as cursor:
        cursor.execute("CREATE TABLE invoices (id integer)")
    try:
        with pytest.raises(CommandError, match=r"something else too \(invoices\)"):
            moved(address)
    finally:
        with connections[there].cursor() as cursor:
            cursor.execute("DROP TABLE invoices")


@BOTH_KINDS
def test_a_database_in_use_is_refused(evening: Game, address: str, there: str) -> None:
    with hold("manage.py serve", there), pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.store.holder._held", {})  # as another process

        with pytest.raises(CommandError, match=r"held by manage.py serve.*Nothing was changed"):
            moved(address)


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("mysql://somewhere/games", "use postgresql://"),
        ("postgresql://nobody@127.0.0.1:1/games", "cannot be opened|install countersite"),
        ("sqlite:////nowhere/at/all", "cannot be opened"),
    ],
)
def test_an_address_that_leads_nowhere_is_told(evening: Game, to: str, why: str) -> None:
    with pytest.raises(CommandError, match=why):
        moved(to)


def test_the_games_do_not_move_to_where_they_are(evening: Game) -> None:
    with pytest.raises(CommandError, match="there already"):
        moved(f"sqlite:///{connections['default'].settings_dict['NAME']}")
    assert moving.TARGET not in connections.databases
