"""What must exist before Django reads its settings: a data folder and a secret key."""

from __future__ import annotations

import argparse
import os
import secrets
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = "COUNTERSITE_DATA"
SECRET = "COUNTERSITE_SECRET_KEY"
SECRET_FILE = "secret-key"


def data_folder() -> Path:
    """The folder of the database, the secret key and the collected static files."""
    return Path(os.environ.get(DATA) or ROOT / "data").expanduser().resolve()


def prepare(arguments: list[str]) -> None:
    """Create the data folder that `--data` or the environment names, and a secret key in it.

    If the environment has a secret key, write none.
    """
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--data")
    named = parser.parse_known_args(arguments)[0].data
    if named:
        os.environ[DATA] = named
    folder = data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.environ.get(SECRET):
        write_secret(folder / SECRET_FILE)


def write_secret(file: Path) -> None:
    """Write a new secret key to *file*, readable only by its owner, unless the file exists."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w") as out:
        out.write(secrets.token_urlsafe(48) + "\n")
        out.flush()
        os.fsync(out.fileno())  # every link follows from it, and those are on phones in a moment
