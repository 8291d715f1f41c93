"""The commands of this site, Django's among them: `countersite table`, or `manage.py table`."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from types import ModuleType

from countersite import __version__

OF_THE_SOURCE = ("cards", "newsystem", "translations")
"""Commands that write into the source; a package of its own may be written anywhere."""
WAMP = "autobahn.twisted.wamp"
INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it."""

DAMAGED = ("malformed", "not a database")
"""SQLite's message for a file that it cannot read."""
COMMANDS = {
    "table": "start a table on this network: all that a game night needs",
    "tab FOLDER": "make a folder that runs all of it in a browser, without a server",
    "serve": "run only the server, for systemd and the like",
    "migrate": "bring the database up to date, with a backup first",
    "collectstatic": "write the static files into the data folder",
    "backup FILE": "write all games to a file, also while people play",
    "restore FILE": "read games back from such a file",
    "move --to URL": "take all games to another database",
    "createsuperuser": "make an account for the admin",
    "install PACKAGE": "add a package of rules, by its name, address or file",
    "uninstall NAME": "remove such a package; its games stay",
    "rulecheck FILE…": "replay games and scenarios, and compare",
    "laws PACKAGE": "check a rule system against the laws of all, with a verdict in sentences",
    "newsystem TITLE": "begin a rule system of your own",
}
"""The commands that people use, as they are typed; the others serve the source or are Django's."""


class _Unused(ModuleType):
    """A stub for a module from which another imports names and never uses them."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what Python asks of every module
            raise AttributeError(name)
        return object


def main() -> None:
    """Run the command that `sys.argv` names; the entry point of `countersite`.

    Ctrl-C ends it without a traceback, in the middle of an import too.
    """
    sys.unraisablehook = _unraisable
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Python drops a Ctrl-C during some callbacks, those of an import among them, and goes on."""
    if unraisable.exc_type is KeyboardInterrupt:
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(unraisable)


def _run() -> None:
    from countersite import first_run  # here: Ctrl-C may come while it is imported

    given = sys.argv[1:]
    if not given or given in (["--help"], ["-h"], ["help"]):
        print(usage())
        return
    if given in (["--version"], ["version"]):
        print(f"countersite {__version__}")
        return
    elsewhere = {"--package", "--help", "-h"}.isdisjoint(given)
    if given[0] in OF_THE_SOURCE and elsewhere and not first_run.CHECKOUT:
        own = " Or add --package NAME: that begins a package of its own, here."
        here = f"`countersite {given[0]}` changes the source: run it in a checkout."
        sys.exit(here + own * (given[0] == "newsystem"))
    # The objects of the imports stay for ever: a fifth of a start would go into looking at them.
    gc.set_threshold(500_000, 20, 50)
    # TLS is the proxy's. Twisted does without this, and starts a tenth sooner.
    sys.modules.setdefault("OpenSSL", None)  # type: ignore[arg-type]
    # Our sockets speak no WAMP, for which autobahn would load cryptography and CBOR.
    sys.modules.setdefault(WAMP, _Unused(WAMP))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "countersite.settings")
    first_run.prepare(given[1:])
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    name = Path(sys.argv[0]).name
    try:
        execute_from_command_line(["countersite" if name == "__main__.py" else name, *given])
    except (ImproperlyConfigured, DatabaseError, ImportError) as error:
        # Where it was noticed is of no use to an operator; an author may ask for it.
        if "--traceback" in given or not (why := why_not(error)):
            raise
        sys.exit(why)


def usage() -> str:
    """The help of `countersite` without a command, or with --help."""
    longest = max(map(len, COMMANDS))
    lines = [f"  {command:{longest}}  {what}" for command, what in COMMANDS.items()]
    more = "`countersite COMMAND --help` says more; `countersite --version` names the version."
    return "\n".join(["Usage: countersite COMMAND", "", *lines, "", more])


def why_not(error: Exception) -> str:
    """Advice about *error* for the operator, in a sentence or two; "" if there is none."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db import OperationalError, connection

    from countersite import first_run

    if isinstance(error, ImproperlyConfigured):
        return str(error)  # it names the variable
    if isinstance(error, ImportError):
        of_a_system = (error.name or "").startswith("games.systems.")
        return f"{error} Add --traceback to see how it got there." if of_a_system else ""
    says = " ".join(str(error).split())
    place = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and any(each in says for each in DAMAGED):
        return (
            f"The database {place} is damaged ({says}). Move it aside and run `countersite restore "
            "FILE` with your newest backup; those made before updates are in "
            f"{first_run.data_folder() / 'backups'}."
        )
    if isinstance(error, OperationalError):
        where = f"{place} on {connection.settings_dict['HOST'] or 'this computer'}"
        return f"The database {where} cannot be used: {says}"
    return ""


if __name__ == "__main__":
    main()
