"""Start everything that a game night needs: `countersite table`."""

from __future__ import annotations

import hashlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from countersite import bundles, storage
from countersite.addresses import (
    EVERYWHERE,
    everywhere_6,
    free_port,
    in_url,
    lan_addresses,
    port_number,
)
from countersite.environment import without_port
from countersite.tunnel import NoTunnel, tunnel
from games.models import DEMO_DAYS, Game
from games.store import schema
from games.store.holder import Lock, Locked, hold

LOOPBACK = ("127.0.0.1", "::1", "localhost")
OTHERS_SHOWN = 8
STAMP = "sources.sha256"
WHITE_ON_BLACK, RESET = "\033[97;40m", "\033[0m"


class Command(BaseCommand):
    help = (
        "Start a table on this network: create the data folder, migrate, print how to join, and "
        "serve until Ctrl-C."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port", type=port_number, default=8000, help="or the next free one (8000)"
        )
        parser.add_argument("--host", default="::", help="address to listen on (all)")
        away = "lead phones from the internet here, by cloudflared or tailscale"
        parser.add_argument("--public", action="store_true", help=away)
        where = "data folder, made if need be (docs/operating.md says where else)"
        parser.add_argument("--data", help=where)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["public"]:
            sys.exit(_public(options["port"]))
        try:
            with hold("countersite table", shared=settings.SHARED) as lock:
                self._serve(lock, options["host"], options["port"])
        except Locked as locked:
            raise CommandError(f"{locked} Open that one, or stop it first.") from None
        except schema.OtherVersion as other:
            raise CommandError(str(other)) from None
        self.stdout.write("\nThe table is closed. Everything is saved; start it again any time.")

    def _serve(self, lock: Lock, host: str, wanted: int) -> None:
        prepare()
        try:
            port = free_port(host, wanted)
        except (OSError, OverflowError) as error:
            raise CommandError(f"Cannot listen on {host} port {wanted}: {error}") from None
        if port != wanted:
            self.stdout.write(f"Port {wanted} is taken; using {port}.")
        if host not in EVERYWHERE:
            # No page shows a link or QR to an address where nothing listens.
            settings.LAN_ADDRESSES[:] = filter(None, [phone_address(host)])
        lock.serving(site(host, port))
        invite = partial(self._print, invitation(host, port, colours=self.stdout.isatty()))
        # Import late: the static files must exist when the application is created.
        from countersite.asgi import application
        from games.live.wire.serving import serve

        connection.close()
        if host not in EVERYWHERE:
            serve(application, host, port, ready=invite)
            return
        host, second = ("0.0.0.0", everywhere_6(port)) if host == "::" else (host, None)
        from countersite.neighbourhood import Neighbourhood

        named = not (settings.HTTPS or settings.PUBLIC_HOSTS)
        notify = partial(self._print_change, host, port)
        around = Neighbourhood(port, named=named, notify=notify)
        serve(application, host, port, beside=around.follow, second=second, ready=invite)

    def _print(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def _print_change(self, host: str, port: int, moved: bool) -> None:
        """Print changes of the network: the name, or with a new address the invitation."""
        if moved and not settings.LAN_ADDRESSES:
            self._print("\n  This machine has no network now. With one, phones find back.")
        elif moved:
            self.stdout.write("\n  This machine has a new address. Phones look for it.")
            self._print(invitation(host, port, colours=self.stdout.isatty()))
        else:
            self._print(f"{by_name(port)}\n")


def _public(wanted: int) -> int:
    """Run this command behind a tunnel, under the tunnel's name; returns its exit status."""
    port = free_port("127.0.0.1", wanted)
    try:
        with tunnel(port) as name:
            run = [sys.executable, "-m", "countersite", "table", "--host", "127.0.0.1"]
            named = {"COUNTERSITE_HOSTS": name, "COUNTERSITE_HTTPS": "on"}
            served = subprocess.Popen([*run, "--port", str(port)], env={**os.environ, **named})
            signal.signal(signal.SIGTERM, lambda *_given: served.terminate())
            while True:
                with suppress(KeyboardInterrupt):  # the table has heard it, too, and closes
                    return served.wait()
    except NoTunnel as why:
        raise CommandError(str(why)) from None


def prepare() -> None:
    """Bring database and files up to date."""
    schema.update()
    collect_static()


def collect_static() -> None:
    """Collect, hash and compress the static files, if any has changed.

    No page loads those of django-htmx: `static/vendor` has htmx. The admin's are for the admin.
    """
    stamp = Path(settings.STATIC_ROOT) / STAMP
    unneeded = ["django_htmx", *([] if settings.ADMIN else ["admin"])]
    now = hashlib.sha256("\n".join(_sources(unneeded)).encode()).hexdigest()
    had = stamp.read_text() if stamp.is_file() else ""
    if had == now:
        return
    # Without a stamp, an earlier start may have been cut short and left files that are empty.
    stamp.unlink(missing_ok=True)
    call_command(
        "collectstatic", interactive=False, verbosity=0, clear=not had, ignore_patterns=unneeded
    )
    if hasattr(os, "sync"):  # not on Windows
        os.sync()  # the stamp says that they are on disk
    stamp.write_text(now)


def _sources(unneeded: list[str]) -> Iterator[str]:
    files = [Path(bundles.__file__), Path(storage.__file__)]
    for finder in get_finders():
        files += [Path(where.path(path)) for path, where in finder.list(unneeded)]
    for file in files:
        status = file.stat()
        yield f"{file} {status.st_size} {status.st_mtime_ns}"


def invitation(host: str, port: int, *, colours: bool = False) -> str:
    """The invitation to the newest game, for the terminal: address, code, QR and host link.

    Before the first game the address and the QR are those of the home page.
    """
    address, here = phone_address(host), site(host, port)
    games = Game.objects.exclude(keep_days=DEMO_DAYS).latest_first()[: OTHERS_SHOWN + 1]
    newest, *others = [*games] or [None]
    code = f" · {newest.spoken_code}" if newest else ""
    lines = ["", *([f"  {newest}", ""] if newest else [])]
    lines.append(f"  {'On phones ' if address else 'Here only '}  {here.partition('://')[2]}{code}")
    if address and settings.LAN_NAMES:
        lines.append(by_name(port))
    if newest:
        secret = "(yours alone: it makes you the host)"
        lines.append(f"  Host link   {here}/h/{newest.host_token}   {secret}")
    lines.append("")
    if address:
        link, then = "/", "start a game, or look at a demo"
        if newest:
            link, then = f"/j/{newest.invite_token}", "join"
        lines += [terminal_qr(here + link, colours), f"  Scan it to {then}.", ""]
    else:
        if not newest:
            lines[-1:] = [f"  Open        {here}   to start a game, or to look at a demo", ""]
        lines += [
            "  No network was found where phones can reach this machine, so there's no QR code.",
            "",
        ]
    if others:
        lines.append("  Other games")
        lines += [
            f"    {game.spoken_code}   {game}\n                {here}/h/{game.host_token}"
            for game in others
        ]
        lines.append("")
    lines.append(f"  Data in {settings.DATA}. Ctrl-C closes the table.")
    return "\n".join(lines)


def by_name(port: int) -> str:
    """The address with a name, which stays when the numbers change."""
    return f"  Or by name  {settings.LAN_NAMES[0]}:{port}"


def site(host: str, port: int) -> str:
    """The address of the site that the terminal shows: the public one, if it has been named."""
    name = phone_address(host) or "localhost"
    if settings.PUBLIC_HOSTS and settings.HTTPS:
        return f"https://{name}"  # the port is the proxy's
    return f"http://{name}" if without_port(name) != name else f"http://{name}:{port}"


def phone_address(host: str) -> str | None:
    """The name or address that phones can open; None if there is none."""
    if settings.PUBLIC_HOSTS:
        return str(settings.PUBLIC_HOSTS[0])
    if host in EVERYWHERE:
        return next(iter(lan_addresses()), None)
    return None if host in LOOPBACK or host.startswith("127.") else in_url(host)


def terminal_qr(text: str, colours: bool) -> str:
    """The QR of *text*; with *colours*, black on white on every terminal."""
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out=out, compact=True)
    if not colours:
        return out.getvalue()
    return "\n".join(f"{WHITE_ON_BLACK}{line}{RESET}" for line in out.getvalue().splitlines())
