"""Move all games to another database: `countersite move --to postgresql://…`, or back to SQLite."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connections

from countersite import environment
from games.models import Game
from games.store import backup, moving, schema
from games.store.holder import Locked, hold
from games.store.lines import Unfit


class Command(BaseCommand):
    help = (
        "Copy all games, with seats, devices, links, codes and the shelf, to another database, and "
        "replay every log there. Nothing changes here. If it is interrupted, run it again. Refused "
        "while a server is running on either."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--to",
            required=True,
            metavar="ADDRESS",
            help="postgresql://user:password@host:5432/name or sqlite:////path/to/file",
        )
        parser.add_argument(
            "--skip-unfit", action="store_true", help="leave out games that do not match their log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            database = environment.database_at(options["to"], "--to")
            if "postgresql" in database["ENGINE"]:
                import psycopg  # noqa: F401
            with moving.target(database) as to, hold("countersite move"):
                if self._same(to):
                    raise CommandError("The games are there already. Nothing was changed.")
                with hold("countersite move", to):
                    self._move(to, options["skip_unfit"])
        except Locked as locked:
            raise CommandError(f"{locked} Stop it first. Nothing was changed.") from None
        except ImportError:
            raise CommandError("PostgreSQL needs the extra “postgres” (psycopg).") from None
        except (ImproperlyConfigured, Unfit, schema.OtherVersion) as error:
            raise CommandError(f"{error} Nothing was changed.") from None
        except (OperationalError, OSError) as error:
            reason = " ".join(str(error).split())
            raise CommandError(
                f"That database cannot be opened: {reason} Nothing was changed."
            ) from None

    def _same(self, to: str) -> bool:
        here, there = connections["default"].settings_dict, connections[to].settings_dict
        same = ("ENGINE", "NAME", "HOST", "PORT")
        return all(str(here[name]) == str(there[name]) for name in same)

    def _move(self, to: str, skip_unfit: bool) -> None:
        moved = moving.move(to, skip_unfit=skip_unfit)
        count = Game.objects.using(to).count()
        self.stdout.write(f"{backup.counted(count)} moved, every log replayed there")
        for left_out in moved.left_out:
            self.stdout.write(f"Left out: {left_out}")
        self.stdout.write(
            "From now on start with DATABASE_URL set to that address, and the same secret key: "
            "then links, codes and seats stay as they are. The games here are unchanged."
        )
