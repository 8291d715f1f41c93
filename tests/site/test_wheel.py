"""The wheel is the whole product: installed into an empty place, it starts a table from nowhere."""

from __future__ import annotations

import re
import subprocess
import tarfile
import tomllib
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from countersite import __version__
from games.systems import SYSTEMS
from tests.conftest import free_port
from tests.house import ROOT
from tests.night import Night
from tests.wheels import build, environment

LARGEST = 3_350_000
"""Bytes of the wheel: a home server fetches it over a home's connection."""
CHANGED = {"locale": "countersite/files/locale", "static": "countersite/files/static"}
CHANGED |= {"templates": "countersite/files/templates"}
"""The place in the wheel of files from the top of a checkout."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`countersite`, installed from the wheel with nothing of this checkout.

    What the wheel depends on is shared with the tests.
    """
    return environment(tmp_path_factory.mktemp("installed"), wheel) / "countersite"


class Installed(Night):
    """A night of the installed command, in the data folder of someone who named none."""

    def __init__(self, home: Path, port: int, command: Path) -> None:
        self.home, self.command = home, command
        self.folder, self.out = home / "share" / "countersite", home / "printed.txt"
        run = [str(command), "table", "--port", str(port), "--host", "127.0.0.1"]
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                run, cwd=home, stdout=out, stderr=subprocess.STDOUT, env=self.environment
            )

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": "", "HOME": str(self.home), "XDG_DATA_HOME": str(self.home / "share")}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The output of another command of the same user."""
        return subprocess.run(
            [str(self.command), *arguments],
            cwd=self.home, env=self.environment, capture_output=True, text=True,
        )  # fmt: skip


@pytest.fixture(scope="module")
def installed(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    started = Installed(tmp_path_factory.mktemp("home"), free_port(), command)
    yield started
    started.kill()


def test_a_table_starts_where_a_user_keeps_data_and_is_whole(installed: Installed) -> None:
    assert (200, b"ready\n") == installed.get("/readyz")
    status, home = installed.get("/")
    assert 200 == status
    named = set(re.findall(rb'(?:href|src)="(/static/[^"]+)"', home))
    assert any(name.endswith(b".css") for name in named)
    assert any(name.endswith(b".js") for name in named)
    assert {200} == {installed.get(name.decode())[0] for name in named}
    assert (installed.folder / "games.sqlite3").is_file()
    assert 0o700 == installed.folder.stat().st_mode & 0o777
    demos = re.findall(rb'name="?rules"? value="?([\w-]+)', home)
    assert {*SYSTEMS} == {*map(bytes.decode, demos)}


def test_a_board_and_the_help_page_are_drawn_in_spanish(installed: Installed) -> None:
    phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    phone.addheaders = [("Accept-Language", "es")]
    installed.get("/livez")

    home = phone.open(f"{installed.site}/", timeout=10).read().decode()
    token = re.search(r'name="?csrfmiddlewaretoken"? value="?(\w+)', home)
    assert token
    asked = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], "rules": "magic"}).encode()
    board = phone.open(f"{installed.site}/new/demo", asked, timeout=10).read().decode()
    assert '<html lang="es"' in board
    assert "Turno de Ana" in board
    assert "veneno" in board, "each system has words of its own"
    known = phone.open(f"{installed.site}/help/magic", timeout=10).read().decode()
    assert '<html lang="es"' in known


def test_other_commands_find_the_same_games(installed: Installed) -> None:
    installed.get("/readyz")
    made = installed.run("backup", "evening.backup")
    assert 0 == made.returncode, made.stderr
    assert (installed.home / "evening.backup").is_file()

    second = installed.run("table")
    assert "held by" in second.stderr
    assert f"countersite {__version__}\n" == installed.run("--version").stdout


def test_commands_for_the_source_say_that_they_need_it(installed: Installed) -> None:
    refused = installed.run("newsystem", "Shadow Era")

    assert 1 == refused.returncode
    assert "`countersite newsystem` changes the source" in refused.stderr
    assert "add --package NAME" in refused.stderr
    assert "--package" in installed.run("newsystem", "--help").stdout
    package = installed.home / "shadow-era"  # one of its own needs no source
    assert 0 == installed.run("newsystem", "Shadow Era", "--package", str(package)).returncode
    assert (package / "countersite_shadow_era/scenarios.json").is_file()


def test_the_wheel_has_all_that_the_checkout_has(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        inside = set(opened.namelist())
    here = [
        each.relative_to(ROOT)
        for room in ("countersite", "games", *CHANGED)
        for each in (ROOT / room).rglob("*")
        if each.is_file() and each.suffix not in (".po", ".pyc")
    ]
    wanted = {
        str(Path(CHANGED.get(room, room), *below)) for room, *below in (each.parts for each in here)
    }

    assert len(wanted) > 500
    assert set() == wanted - inside
    assert {"countersite", "games"} == {
        each.partition("/")[0] for each in inside if ".dist-info/" not in each
    }
    assert {"countersite/py.typed", "games/py.typed"} <= inside
    assert wheel.stat().st_size < LARGEST


def test_the_source_distribution_builds_and_has_what_a_wheel_needs(tmp_path: Path) -> None:
    built = build(tmp_path, "sdist")

    with tarfile.open(built) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    assert {"pyproject.toml", "manage.py", "README.md", "LICENSE", "CHANGELOG.md"} <= inside
    assert {"templates/base.html", "locale/es/LC_MESSAGES/django.mo"} <= inside
    assert "tests/site/test_wheel.py" in inside


def test_the_engine_by_itself_plays_a_game_in_a_terminal(tmp_path: Path) -> None:
    """From a wheel of its own: no Django is near it, and no other package but msgspec."""
    wheel = build(tmp_path / "wheel", "wheel", ROOT / "rules")
    python = environment(tmp_path / "engine", wheel, only="msgspec") / "python"

    def race(*arguments: str, typed: str = "") -> str:
        run = [str(python), str(ROOT / "rules/race.py"), *arguments]
        played = subprocess.run(run, input=typed, capture_output=True, text=True, cwd=tmp_path)
        assert 0 == played.returncode, played.stderr
        return played.stdout

    evening = race(typed="7\n?\nmany\n-1\n5\nu\n9\n7\n")
    assert "ana 3, ben 0. ben> Slide 1: Exactly seven points slide back to three." in evening
    assert "“amount”" in evening, "what cannot be is refused in a sentence"
    assert "ana 3, ben 5. ana> ana 3, ben 0. ben> ana 3, ben 9. ana> Won: ana\n" in evening
    proved = race("--laws")
    assert 10 < proved.count("kept")
    assert "broken" not in proved
    missing = subprocess.run([str(python), "-c", "import django"], capture_output=True)
    assert 1 == missing.returncode
    with zipfile.ZipFile(wheel) as opened:
        about = opened.read(f"countersite_rules-{__version__}.dist-info/METADATA").decode()
    assert ["msgspec>=0.20"] == re.findall("^Requires-Dist: (.+)$", about, re.M)
    assert 80 >= len((ROOT / "rules/race.py").read_text(encoding="utf-8").splitlines())


def test_installing_it_installs_no_developers_tools() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = " ".join(project["dependencies"])
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    start = readme.partition("## Start")[2].partition("```")[2].partition("```")[0].strip()

    assert not re.search(r"pytest|mypy|ruff|hypothesis|babel|playwright|psycopg|redis", needed)
    assert "\n" not in start
    assert "dev" not in start


TAKEN = """
import django, os
os.environ["DJANGO_SETTINGS_MODULE"] = "countersite.settings"
django.setup()
from countersite.management.commands.tab import source
print(*(name for name, _file in source()), sep="\\n")
"""


def test_a_tab_made_from_it_has_each_file_once(command: Path, tmp_path: Path) -> None:
    python = [str(command.with_name("python")), "-c", TAKEN]
    given = {"PATH": "", "COUNTERSITE_SECRET_KEY": "k" * 32}
    done = subprocess.run(python, cwd=tmp_path, env=given, capture_output=True, text=True)

    taken = done.stdout.split()
    assert len(taken) > 1_000, done.stderr
    assert len(taken) == len(set(taken))


FILE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = FILE["project"]
LOCK = (ROOT / "deploy" / "requirements.lock").read_text(encoding="utf-8")
BUILD = (ROOT / "deploy" / "build.lock").read_text(encoding="utf-8")
UV = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
INDEX = "https://pypi.org/simple"
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,]+\])?==(\S+)((?: ; [^\\\n]+)?) \\$", re.M)
PINS = PIN.findall(LOCK)


def test_each_dependency_is_pinned_at_a_version_that_is_asked_for() -> None:
    extras = PROJECT["optional-dependencies"]
    deployed = (extras[name] for name in ("metrics", "postgres", "redis"))
    for text in chain(PROJECT["dependencies"], *deployed):
        asked = Requirement(text)
        pinned = [
            version for name, version, _where in PINS if name == canonicalize_name(asked.name)
        ]
        assert pinned, f"{asked.name} is not in deploy/requirements.lock"
        assert all(asked.specifier.contains(version) for version in pinned), (text, pinned)


@pytest.mark.parametrize("lock", [LOCK, BUILD], ids=["what runs", "what builds"])
def test_each_pin_has_a_hash(lock: str) -> None:
    entries = re.split(r"^(?=[\w.-]+(?:\[[\w,]+\])?==)", lock, flags=re.M)[1:]

    assert len(PIN.findall(lock)) == len(entries) > 0
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "index" not in lock


def test_the_wheels_build_tools_are_pinned() -> None:
    pinned = {name: version for name, version, _where in PIN.findall(BUILD)}
    for text in FILE["build-system"]["requires"]:
        asked = Requirement(text)
        assert asked.specifier.contains(pinned[asked.name])


def test_the_group_for_uv_is_the_extra_for_pip() -> None:
    assert [f"{PROJECT['name']}[dev]"] == FILE["dependency-groups"]["dev"]


def test_uv_s_lock_is_of_the_project_as_it_is() -> None:
    """What `uv lock` would write again is not asked for by a test, which reaches no index."""
    (ours,) = (each for each in UV["package"] if each["name"] == PROJECT["name"])
    locked = {
        (each["name"], SpecifierSet(each.get("specifier", "")))
        for each in ours["metadata"]["requires-dist"]
    }
    asked = map(
        Requirement, chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    )

    assert {(canonicalize_name(each.name), each.specifier) for each in asked} == locked
    assert PROJECT["requires-python"] == UV["requires-python"]


def test_uv_s_lock_takes_all_from_the_public_index_within_the_ranges() -> None:
    versions: dict[str, list[str]] = {}
    for each in UV["package"]:
        if each["name"] != PROJECT["name"]:
            assert {"registry": INDEX} == each["source"]
            versions.setdefault(each["name"], []).append(each["version"])
            files = [*each.get("wheels", ()), *([each["sdist"]] if "sdist" in each else ())]
            assert files
            for file in files:
                assert file["url"].startswith("https://files.pythonhosted.org/"), file
                assert file["hash"].startswith("sha256:")
    for text in chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        asked = Requirement(text)
        assert all(asked.specifier.contains(v) for v in versions[canonicalize_name(asked.name)])
