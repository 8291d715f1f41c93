"""Start everything that a game night needs: `manage.py table`."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from countersite import bundles
from countersite.addresses import free_port, lan_addresses
from games.models import Game
from games.store import demos

EVERYWHERE = ("0.0.0.0", "::")
LOOPBACK = ("127.0.0.1", "::1", "localhost")
OTHERS_SHOWN = 8
STAMP = "sources.sha256"
WHITE_ON_BLACK, RESET = "\033[97;40m", "\033[0m"


class Command(BaseCommand):
    help = (
        "Start a table on this network: create the data folder, migrate, load the demo games the "
        "first time, print how to join, and serve until Ctrl-C."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="or the next free one (8000)")
        parser.add_argument("--host", default="0.0.0.0", help="address to listen on (all)")
        parser.add_argument("--data", help="data folder (data/ beside manage.py)")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare()
        host, wanted = options["host"], options["port"]
        try:
            port = free_port(host, wanted)
        except (OSError, OverflowError) as error:
            raise CommandError(f"Cannot listen on {host} port {wanted}: {error}") from None
        if port != wanted:
            self.stdout.write(f"Port {wanted} is taken; using {port}.")
        self.stdout.write(invitation(host, port, colours=self.stdout.isatty()))
        self.stdout.flush()
        # Import late: the static files must exist when the application is created.
        from countersite.asgi import application
        from games.live.server import serve

        connection.close()
        serve(application, host, port)
        self.stdout.write("\nThe table is closed. Everything is saved; start it again any time.")


def prepare() -> None:
    """Bring the database and static files up to date; the first time, load the demos."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)
    collect_static()
    demos.load()


def collect_static() -> None:
    """Collect, hash and compress the static files, if any has changed."""
    stamp = Path(settings.STATIC_ROOT) / STAMP
    now = hashlib.sha256("\n".join(_sources()).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == now:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(now)


def _sources() -> Iterator[str]:
    files = [Path(bundles.__file__)]
    for finder in get_finders():
        files += [Path(storage.path(path)) for path, storage in finder.list([])]
    for file in files:
        status = file.stat()
        yield f"{file} {status.st_size} {status.st_mtime_ns}"


def invitation(host: str, port: int, *, colours: bool = False) -> str:
    """How to join the newest game, for the terminal: address, code, QR and host link."""
    address = phone_address(host)
    site = f"http://{address or 'localhost'}:{port}"
    newest, *others = Game.objects.all()[: OTHERS_SHOWN + 1]
    lines = [
        "",
        f"  {newest}",
        "",
        f"  On phones   {site}/" if address else f"  Here only   {site}/",
        f"  Join code   {newest.spoken_code}",
        f"  Host link   {site}/h/{newest.host_token}   (yours alone: it makes you the host)",
        "",
    ]
    if address:
        lines += [
            terminal_qr(f"{site}/j/{newest.invite_token}", colours),
            "  Scan it to join.",
            "",
        ]
    else:
        lines += [
            "  No network was found where phones can reach this machine, so there's no QR code.",
            "",
        ]
    if others:
        lines.append("  Other games")
        lines += [
            f"    {game.spoken_code}   {game}\n                {site}/h/{game.host_token}"
            for game in others
        ]
        lines.append("")
    lines.append(f"  Data in {settings.DATA}. Ctrl-C closes the table.")
    return "\n".join(lines)


def phone_address(host: str) -> str | None:
    """The address that phones can open; None if there is none."""
    if host in EVERYWHERE:
        return next(iter(lan_addresses()), None)
    return None if host in LOOPBACK or host.startswith("127.") else host


def terminal_qr(text: str, colours: bool) -> str:
    """The QR of *text*; with *colours*, black on white on every terminal."""
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out=out, compact=True)
    if not colours:
        return out.getvalue()
    return "\n".join(f"{WHITE_ON_BLACK}{line}{RESET}" for line in out.getvalue().splitlines())
