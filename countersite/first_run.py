"""Set-up before Django reads its settings: a data folder and a secret key.

In a checkout, templates and static files lie beside the package; the wheel has them inside it.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parent
CHECKOUT = (ROOT / "manage.py").is_file()
"""True if this is a checkout, and not an installed wheel."""
FILES = ROOT if CHECKOUT else PACKAGE / "files"
"""The folder of `locale`, `static` and `templates`."""
DATA = "COUNTERSITE_DATA"
SECRET = "COUNTERSITE_SECRET_KEY"
SECRET_FILE = "secret-key"


def data_folder() -> Path:
    """The folder of the database, the secret key and the collected static files.

    COUNTERSITE_DATA, or `data` in a checkout, or where this system keeps a user's data.
    """
    named = os.environ.get(DATA)
    return (Path(named) if named else _usual_folder()).expanduser().resolve()


def _usual_folder() -> Path:
    if CHECKOUT:
        return ROOT / "data"
    usual = {"darwin": "~/Library/Application Support", "win32": "~/AppData/Local"}
    named = os.environ.get("XDG_DATA_HOME")
    return Path(named or usual.get(sys.platform, "~/.local/share")) / "countersite"


def prepare(arguments: list[str]) -> None:
    """Create the data folder that `--data` or the environment names, and a secret key in it.

    If the environment has a secret key, write none.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data")
    named = parser.parse_known_args(arguments)[0].data
    if named:
        os.environ[DATA] = named
    folder = data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.environ.get(SECRET):
        write_secret(folder / SECRET_FILE)


def write_secret(file: Path) -> None:
    """Write a new secret key to *file*, readable only by its owner, unless the file exists.

    The write is atomic: every link depends on the key, and is on phones in a moment.
    """
    if file.exists():
        return
    handle, draft = tempfile.mkstemp(prefix=f"{file.name}-", dir=file.parent)
    try:
        with os.fdopen(handle, "w") as out:
            out.write(secrets.token_urlsafe(48) + "\n")
            out.flush()
            os.fsync(out.fileno())
        with suppress(FileExistsError):  # another command was first
            os.link(draft, file)
    finally:
        os.unlink(draft)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
