"""The commands of this site, Django's among them: `countersite table`, or `manage.py table`."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from types import ModuleType

from countersite import __version__, first_run

OF_THE_SOURCE = ("cards", "newsystem", "translations")
"""Commands that write into the source; a package of its own may be written anywhere."""
WAMP = "autobahn.twisted.wamp"


class _Unused(ModuleType):
    """Stands for a module from which another imports names and never uses them."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what Python asks of every module
            raise AttributeError(name)
        return object


def main() -> None:
    """Run the command that `sys.argv` names; the entry point of `countersite`."""
    given = sys.argv[1:]
    if given in (["--version"], ["version"]):
        print(f"countersite {__version__}")
        return
    into_source = given[:1] and given[0] in OF_THE_SOURCE and "--package" not in given
    if into_source and not first_run.CHECKOUT:
        sys.exit(f"`countersite {given[0]}` changes the source: run it in a checkout.")
    # The objects of the imports stay for ever: a fifth of a start would go into looking at them.
    gc.set_threshold(500_000, 20, 50)
    # TLS is the proxy's. Twisted does without this, and starts a tenth sooner.
    sys.modules.setdefault("OpenSSL", None)  # type: ignore[arg-type]
    # Autobahn colours lines of its log with this, which no one reads, at each handshake.
    sys.modules.setdefault("click", None)  # type: ignore[arg-type]
    # Our sockets speak no WAMP, for which autobahn would load cryptography and CBOR.
    sys.modules.setdefault(WAMP, _Unused(WAMP))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "countersite.settings")
    first_run.prepare(given[1:])
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    name = Path(sys.argv[0]).name
    try:
        execute_from_command_line(["countersite" if name == "__main__.py" else name, *given])
    except ImproperlyConfigured as error:
        sys.exit(str(error))  # it names the variable; where it was read is of no use to an operator


if __name__ == "__main__":
    main()
