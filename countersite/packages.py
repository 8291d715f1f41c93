"""The packages of rules in the environment of Countersite: put there, and taken out, by pip.

pip may add to what is installed and change packages of rules, and nothing else: it is held to the
versions of the rest, or a stranger's package could bring another Countersite.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path

from games.systems.plugins import GROUP

MAY = (
    "A package of rules is code. It may do all that this server may: read every game and every "
    "secret in it, and your files. Install none that you would not run. (A game of your own that "
    "comes as a link is data, and needs no such trust.)"
)
PIPX, UV = "pipx_metadata.json", "uv-receipt.toml"
"""What these programs leave in an environment that they keep."""
BY_NAME = re.compile(r"[\w.-]+([=<>!~]=?[\w.*]+)?")
"""A package of the index, of one version perhaps."""
PLAYED = "from games.systems import PACKAGES; print(*(each.__name__ for each in PACKAGES.values()))"


class NotDone(Exception):
    """Nothing was installed or removed, and why, in words."""


def same(name: str, other: str) -> bool:
    """True if both name the same distribution: “Shadow_Era” is “shadow-era”."""
    return _canonical(name) == _canonical(other)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def installed() -> dict[str, Distribution]:
    """The packages of rules that are here, by their names."""
    return {name: found for name, found in _here().items() if systems(found)}


def systems(package: Distribution) -> dict[str, str]:
    """The names of the systems in *package*, each with its folder of Python."""
    return {each.name: each.value for each in package.entry_points if each.group == GROUP}


def _here() -> dict[str, Distribution]:
    """All that is installed; of two with one name, the one that Python imports."""
    found: dict[str, Distribution] = {}
    for each in distributions():
        found.setdefault(_canonical(each.metadata["Name"]), each)
    return found


def advice(what: str) -> str:
    """What to do where pip cannot add *what* for good, or must not; "" where it can."""
    home, site = Path(sys.prefix), sysconfig.get_path("purelib")
    with_it = " ".join(f"--with {shlex.quote(each)}" for each in (*installed(), what))
    if (home / UV).is_file():
        return (
            f"uv keeps this environment. Let it add the game: uv tool install {with_it} countersite"
        )
    if {"archive-v0", "environments-v2"} & {*home.parts}:
        return (
            "uvx makes this environment anew, without what was added. Start with the package each "
            f"time: uvx {with_it} countersite table"
        )
    managed = Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    if sys.prefix == sys.base_prefix and managed.is_file():
        return (
            "This Python is the system's, which adds its own packages only. Install Countersite by "
            "`pipx install countersite`, then run this again."
        )
    if not os.access(site, os.W_OK):
        return (
            f"{site} cannot be written by you. Run this as its owner; in a container, build an "
            f"image upon this one with the line: RUN pip install {shlex.quote(what)}"
        )
    if find_spec("pip") is None and (home / PIPX).is_file():
        added = f"pipx inject countersite {shlex.quote(what)}"
        return f"pipx keeps this environment. Let it add the game: {added}"
    if find_spec("pip") is None:
        return f"This environment has no pip. Add it first: {sys.executable} -m ensurepip"
    return ""


def promised(what: str) -> list[str]:
    """What would be installed, each with its version and author, before any of its code runs.

    Empty if that is not known without building it. Raises NotDone.
    """
    if not (what.endswith(".whl") or BY_NAME.fullmatch(what)):
        return []
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        _install(what, "--dry-run", "--report", str(report), "--only-binary", ":all:")
        found = [each["metadata"] for each in json.loads(report.read_bytes())["install"]]
    return [
        f"{each['name']} {each['version']}, by "
        f"{each.get('author') or each.get('author_email') or 'an author without a name'}"
        for each in found
    ]


def install(what: str) -> Distribution:
    """Install a package of rules. Raises NotDone: of one that cannot be played nothing stays."""
    before = {name: each.version for name, each in _here().items()}
    _install(what)
    after = _here()
    changed = [name for name in installed() if before.get(name) != after[name].version]
    played = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True)
    for name in changed:
        if {*systems(after[name]).values()} <= {*played.stdout.split()}:
            return after[name]
    if new := [name for name in after if name not in before]:
        _pip("uninstall", "--yes", *new)
    elif not changed:
        raise NotDone(f"{what} is here already, or is no package of rules. Nothing was changed.")
    why = played.stderr.strip() or f"It names nothing in the group “{GROUP}”."
    raise NotDone(f"{what} brings no rule system that can be played. {why}")


def remove(name: str) -> str:
    """Remove the package of rules that has this name, or a system of it; what it was. Raises
    NotDone."""
    there = installed()
    for each in there.values():
        if same(each.metadata["Name"], name) or name in systems(each):
            was = f"{each.metadata['Name']} {each.version}"
            if find_spec("pip") is None:
                raise NotDone(_without(each.metadata["Name"]))
            _pip("uninstall", "--yes", each.metadata["Name"])
            return was
    raise NotDone(
        f"No package of rules is called “{name}”. Installed: {', '.join(there) or 'none'}."
    )


def _without(name: str) -> str:
    """What to do where there is no pip to remove the package *name*."""
    home = Path(sys.prefix)
    if (home / PIPX).is_file():
        removed = f"pipx uninject countersite {name}"
        return f"pipx keeps this environment. Let it remove the game: {removed}"
    others = [f"--with {each} " for each in installed() if not same(each, name)]
    if (home / UV).is_file():
        anew = f"uv tool install {''.join(others)}countersite"
        return f"uv keeps this environment. Let it make one without the game: {anew}"
    return f"uvx adds it each time. Start without it: uvx {''.join(others)}countersite table"


def _install(what: str, *how: str) -> None:
    held = [f"{n}=={each.version}\n" for n, each in _here().items() if not systems(each)]
    with tempfile.TemporaryDirectory() as folder:
        constraint = Path(folder, "held.txt")
        constraint.write_text("".join(held))
        _pip("install", "--upgrade", "--constraint", str(constraint), *how, "--", what)


def _pip(*arguments: str) -> None:
    """Run pip. Raises NotDone with its last words."""
    run = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    done = subprocess.run(run, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if line.startswith("    ")]
        said += [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise NotDone("\n".join(["pip could not do it:", *said]))
