"""Make a folder that is a whole server in a browser's tab: `countersite tab FOLDER`."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.loader import render_to_string

import countersite
from countersite import first_run

PYODIDE = "pyodide@314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
"""Python for browsers, on the npm registry, and the SHA-256 of it."""
PYTHON = "pyodide.mjs pyodide.asm.mjs pyodide.asm.wasm python_stdlib.zip pyodide-lock.json".split()
"""Its files that a browser needs."""
LEAN_QR = "lean-qr@2.7.4", "e751d84a17c979a79d231828b9a3da0595614340d0d1138dec557ddc63deb10e"
"""QR codes that a page draws before it has a server."""
WHEEL = (
    "--platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp --abi cp314"
)
"""The kind of the one package that is not Python alone."""
LIBRARIES = "asgiref channels django django_htmx filelock ifaddr segno sqlparse whitenoise".split()
HERE = Path(countersite.__file__).parent
UNUSED = (
    *("gis/", "static/admin", "static/django_htmx", "/tests/", "/__pycache__/"),
    *("/backends/mysql", "/backends/oracle"),
    "countersite/files/",  # in a wheel: `source` takes what is needed of it
)
"""Parts of packages that no page needs."""
TYPES = {
    ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm",
    ".zip": "application/zip", ".json": "application/json",
}  # fmt: skip


class Command(BaseCommand):
    help = (
        "Write a folder of static files that any web server can serve: it runs this whole site in "
        "the tab of who opens it, without a server. Needs npm, Node and pip, and their registries."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a new folder, or one that it made before")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        if folder.exists() and any(folder.iterdir()) and not (folder / "tab").is_dir():
            raise CommandError(f"{folder} has other files in it: name a new folder.")
        with tempfile.TemporaryDirectory(prefix="countersite-tab-") as made:
            build(Path(made))
            tab = folder / "tab"
            shutil.rmtree(tab, ignore_errors=True)
            shutil.copytree(Path(made) / "tab", tab)
        for name in ("engine.js", "guests.js", "peer.js", "shell.css", "shell.js", "socket.js"):
            shutil.copy(HERE / "tab" / name, tab)
        shutil.copy(first_run.FILES / "static" / "icon.svg", tab)
        shutil.copy(HERE / "tab" / "worker.js", folder)
        page = {"languages": settings.LANGUAGES, "facts": contents(tab)}
        (folder / "index.html").write_text(render_to_string("tab/index.html", page), "utf-8")
        bytes_in_all = sum(each["bytes"] for each in contents(tab)["files"])
        self.stdout.write(
            f"{folder} is ready: {bytes_in_all / 1e6:.1f} MB are fetched once. Try it with "
            f"`python -m http.server --directory {folder}`."
        )


def build(folder: Path) -> None:
    """Write Python and the compiled site into *folder*/tab. Raises CommandError."""
    python = folder / "tab" / "python"
    python.mkdir(parents=True)
    for name, content in zip(PYTHON, packed(folder, *PYODIDE, *PYTHON), strict=True):
        (python / name).write_bytes(content)
    licence, script = packed(folder, *LEAN_QR, "LICENSE", "index.mjs")
    (folder / "tab" / "qr.mjs").write_bytes(b"/*\n%b*/\n%b" % (licence, script))
    wheels = f"msgspec=={version('msgspec')}", "tzdata"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    run(*pip, *WHEEL.split(), "--dest", str(folder), *wheels)
    here = {"COUNTERSITE_DATA": str(folder), "DATABASE_URL": ""}
    run(sys.executable, "-m", "countersite", "migrate", **here)
    with zipfile.ZipFile(folder / "source.zip", "w") as out:
        out.write(folder / "games.sqlite3", "data/games.sqlite3")  # a first visit need not make it
        out.writestr("data/release", countersite.__version__)
        for name, file in source():
            out.write(file, name)
        for name, file in collected(folder / "static"):
            out.write(file, name)
        for wheel in folder.glob("*.whl"):
            with zipfile.ZipFile(wheel) as inside:
                for name in inside.namelist():
                    out.writestr(f"site/{name}", inside.read(name))
    site = folder / "tab" / "site.zip"
    run("node", str(HERE / "tab/compile.mjs"), str(python), str(folder / "source.zip"), str(site))
    for file in (*python.iterdir(), site):
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        file.unlink()


def packed(folder: Path, package: str, sha256: str, *names: str) -> Iterator[bytes]:
    """Files of an npm package, fetched into *folder*. Raises CommandError if it is another one."""
    run("npm", "pack", "--silent", package, "--pack-destination", str(folder))
    (file,) = folder.glob(f"{package.partition('@')[0]}-*.tgz")
    if hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
        raise CommandError(f"{package} is not the package that this release was tested with.")
    with tarfile.open(file) as archive:
        for name in names:
            found = archive.extractfile(f"package/{name}")
            assert found, name
            yield found.read()


def run(*command: str, **variables: str) -> None:
    """Run a program of the machine. Raises CommandError, with what it said."""
    try:
        done = subprocess.run(
            command, env={**os.environ, **variables}, capture_output=True, text=True
        )
    except OSError as error:
        raise CommandError(f"{command[0]} is needed to make the folder: {error}") from None
    if done.returncode:
        raise CommandError(f"{' '.join(command[:3])} failed: {done.stderr.strip()[-600:]}")


def source() -> Iterator[tuple[str, Path]]:
    """The files of the site and of its libraries, by their names in the zip."""
    spoken = [code for code, _name in settings.LANGUAGES]
    for name in ("countersite", "games", *LIBRARIES):
        spec = importlib.util.find_spec(name)
        assert spec, name
        assert spec.origin, name
        package = Path(spec.origin).parent
        for file in sorted(package.rglob("*")):
            within = f"{name}/{file.relative_to(package).as_posix()}"
            locale = within.partition("/locale/")[2].split("/")[0]
            if file.is_dir() or file.suffix == ".po" or any(each in within for each in UNUSED):
                continue
            if not locale or locale in spoken or locale == "__init__.py":
                yield f"site/{within}", file
    for folder in ("locale", "templates", "static"):
        for file in sorted((first_run.FILES / folder).rglob("*")):
            if file.is_file() and file.suffix != ".po":
                within = file.relative_to(first_run.FILES).as_posix()
                if folder != "static" or file.name in ("main.js", "main.css"):
                    yield f"site/countersite/files/{within}", file


def collected(folder: Path) -> Iterator[tuple[str, Path]]:
    """The static files as pages name them, and the list of their names."""
    before, settings.STATIC_ROOT = settings.STATIC_ROOT, str(folder)
    try:
        call_command("collectstatic", interactive=False, verbosity=0)
    finally:
        settings.STATIC_ROOT = before
    named = json.loads((folder / "staticfiles.json").read_text())["paths"]
    needed = {named[each] for each in named if not each.startswith(("admin/", "django_htmx/"))}
    for within in ("staticfiles.json", *sorted(needed)):
        yield f"data/static/{within}", folder / within


def contents(tab: Path) -> dict[str, Any]:
    """What the page fetches once: the files, and a version of them all."""
    files = [
        {
            "path": f"tab/{file.relative_to(tab).as_posix().removesuffix('.gz')}",
            "bytes": file.stat().st_size,
            "packed": True,
            "type": TYPES[file.with_suffix("").suffix],
        }
        for file in sorted(tab.rglob("*.gz"))
    ]
    every = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(tab.rglob("*.gz"))))
    return {"version": every.hexdigest()[:12], "files": files}
