"""What this checkout is built into, and environments where nothing else of it is."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import django

from tests.house import ROOT


def build(folder: Path, kind: str, project: Path = ROOT) -> Path:
    """Build the wheel or the sdist of *project* into an empty folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


def environment(place: Path, wheel: Path, only: str = "") -> Path:
    """The programs of a new environment with that wheel; what it depends on is the tests' own.

    only: the one package that it may depend on.
    """
    python = place / "bin" / "python"
    venv.create(place, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    alone = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([*pip, *alone, str(wheel)], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    shared = Path(django.__file__).parents[1]
    if only:
        (packages / only).symlink_to(shared / only)
    else:
        (packages / "shared.pth").write_text(str(shared))
    return python.parent
