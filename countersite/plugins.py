"""The folders that the packages of installed rule systems bring along."""

from __future__ import annotations

from pathlib import Path

from games.systems import PACKAGES
from games.systems import __name__ as OURS


def folders(kind: str) -> list[Path]:
    """Each plug-in's folder of that *kind*: "templates", "static" or "locale"."""
    packages = (each for each in PACKAGES.values() if not each.__name__.startswith(f"{OURS}."))
    found = (Path(package.__path__[0], kind) for package in packages)
    return [folder for folder in found if folder.is_dir()]
