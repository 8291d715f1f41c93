"""`countersite install`: a stranger's package of rules comes, is played, proved, and goes again."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from django.core.management import call_command

from countersite import packages
from tests.wheels import build, environment

PLAYED = "from games.systems import SYSTEMS; print(*SYSTEMS)"


pytestmark = pytest.mark.sweep


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Shadow Era, one that cannot be used, one for a Countersite to come, and one
    without any rules."""
    made = tmp_path_factory.mktemp("wheels")
    project = tmp_path_factory.mktemp("project") / "era"
    call_command("newsystem", "Shadow Era", package=project, verbosity=0)
    build_by_pip(project, made)
    shutil.copytree(project / "tests", made / "tests")
    file = project / "pyproject.toml"
    text = file.read_text(encoding="utf-8")
    (project / "countersite_shadow_era/rules.py").write_text("raise RuntimeError('unfinished')")
    file.write_text(text.replace('"0.1.0"', '"0.3.0"').replace('"countersite-sh', '"broken-sh'))
    build_by_pip(project, made)
    newer = text.replace('"0.1.0"', '"0.2.0"').replace("countersite>=", "countersite>=7")
    file.write_text(newer.replace('name = "countersite-sh', 'name = "newer-sh'))
    build_by_pip(project, made)
    plain = text.replace('name = "countersite-shadow-era"', 'name = "no-rules"')
    file.write_text(plain.partition("# This is how")[0] + "[tool.setuptools]\npackages = []\n")
    build_by_pip(project, made)
    return made


def build_by_pip(project: Path, into: Path) -> None:
    run = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*run, "--no-index", "-w", into, project], check=True)


class Installation:
    """Countersite, installed from its wheel; it reaches no index."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.programs = folder, environment(folder / "environment", wheel)

    def run(self, *command: object, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of it; stdin is no terminal."""
        program, *arguments = map(str, command)
        data, home = str(self.folder / "data"), str(self.folder)
        return subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.folder, input=typed, capture_output=True, text=True,
            env={"PATH": "", "HOME": home, "PIP_NO_INDEX": "1", "COUNTERSITE_DATA": data},
        )  # fmt: skip

    @property
    def systems(self) -> list[str]:
        return self.run("python", "-c", PLAYED).stdout.split()

    @property
    def distributions(self) -> set[str]:
        (site,) = self.folder.glob("environment/lib/python*/site-packages")
        return {each.name.partition("-")[0] for each in site.glob("*.dist-info")}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    wheel = build(tmp_path_factory.mktemp("wheel"), "wheel")
    return Installation(tmp_path_factory.mktemp("here"), wheel)


def test_a_package_is_named_confirmed_played_proved_and_removed(
    here: Installation, strangers: Path
) -> None:
    (era,) = strangers.glob("countersite_shadow_era-*.whl")
    asked = here.run("countersite", "install", era, typed="y\n")
    assert asked.returncode == 1
    assert "Nobody is here to be asked: add --yes." in asked.stderr
    assert "countersite-shadow-era 0.1.0, by " in asked.stdout
    assert "read every game and every secret" in " ".join(asked.stdout.split())
    assert "shadow-era" not in here.systems, "nothing was installed before it was agreed to"

    done = here.run("countersite", "install", era, "--yes")
    assert done.returncode == 0, done.stderr
    assert "shadow-era is installed, from countersite-shadow-era 0.1.0." in done.stdout
    assert "shadow-era" in here.systems
    again = here.run("countersite", "install", era, "--yes")
    assert "is here already" in again.stderr

    proved = here.run("countersite", "laws", "countersite-shadow-era", "--games", 50)
    assert proved.stdout.endswith("5 cases, 50 games at random: All laws are kept.\n")
    own = here.run("python", "-m", "pytest", "-q", "--rootdir", strangers, strangers / "tests")
    assert "1 passed" in own.stdout, own.stdout

    gone = here.run("countersite", "uninstall", "shadow-era")
    assert "countersite-shadow-era 0.1.0 is removed." in gone.stdout
    assert "shadow-era" not in here.systems
    assert {"countersite"} == here.distributions


@pytest.mark.parametrize(
    ("package", "why"),
    [
        ("broken_shadow_era-0.3.0", "RuntimeError: unfinished"),
        ("newer_shadow_era-0.2.0", "newer-shadow-era 0.2.0 depends on countersite"),
        ("no_rules-0.1.0", "It names nothing in the group “countersite.systems”."),
    ],
)
def test_what_cannot_be_played_leaves_nothing_behind(
    here: Installation, strangers: Path, package: str, why: str
) -> None:
    (wheel,) = strangers.glob(f"{package}-*.whl")
    done = here.run("countersite", "install", wheel, "--yes")

    assert done.returncode == 1
    assert why in done.stderr
    assert {"countersite"} == here.distributions


def test_pip_s_own_words_say_what_it_did_not_find(here: Installation) -> None:
    done = here.run("countersite", "install", "no-such-game", "--yes")

    assert done.returncode == 1
    assert "no-such-game" in done.stderr
    assert "Traceback" not in done.stderr


def test_only_packages_of_rules_can_be_removed(here: Installation) -> None:
    done = here.run("countersite", "uninstall", "Django")

    assert "No package of rules is called “Django”. Installed: none." in done.stderr


@pytest.mark.parametrize(
    ("where", "adds", "removes"),
    [
        (
            "tools/countersite/uv-receipt.toml",
            "uv tool install --with another --with era --with 'a game' countersite",
            "uv tool install --with another countersite",
        ),
        (
            "archive-v0/x/file",
            "uvx --with another --with era --with 'a game' countersite table",
            "uvx --with another countersite table",
        ),
        (
            "environments-v2/x/file",
            "uvx --with another --with era --with 'a game' countersite table",
            "uvx --with another countersite table",
        ),
        (
            "venvs/countersite/pipx_metadata.json",
            "pipx inject countersite 'a game'",
            "pipx uninject countersite era",
        ),
    ],
)
def test_an_environment_that_others_keep_is_told_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, adds: str, removes: str
) -> None:
    file = tmp_path / where
    file.parent.mkdir(parents=True)
    file.touch()
    (tmp_path / "METADATA").write_text("Metadata-Version: 2.1\nName: era\nVersion: 1\n")
    era = Distribution.at(tmp_path)
    monkeypatch.setattr(packages, "installed", lambda: {"another": era, "era": era})
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "prefix", str(file.parent))

    assert packages.advice("a game").endswith(f": {adds}")
    with pytest.raises(packages.NotDone, match=f": {re.escape(removes)}$"):
        packages.remove("era")


def test_an_environment_that_cannot_be_written_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "" == packages.advice("game")

    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    assert packages.advice("game").endswith("-m ensurepip")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert packages.advice("game").endswith("with the line: RUN pip install game")
    stdlib = "/usr/lib/python3"
    monkeypatch.setattr(sysconfig, "get_path", lambda name: stdlib)
    monkeypatch.setattr(Path, "is_file", lambda path: path.name == "EXTERNALLY-MANAGED")
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert "pipx install countersite" in packages.advice("game")
