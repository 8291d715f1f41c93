"""Packaging: the image, the composed services, the forge's file, a release."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from countersite import __version__
from tests.house import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def linter(name: str) -> str:
    """The command *name* that was installed beside this Python."""
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if not found:
        pytest.skip(f"{name} is not installed (the dev extra)")
    return found


def test_a_linter_has_nothing_against_the_dockerfile() -> None:
    hadolint = [linter("hadolint"), "--no-color", "--failure-threshold", "style"]
    said = subprocess.run([*hadolint, "Dockerfile"], cwd=ROOT, capture_output=True, text=True)

    assert (0, "") == (said.returncode, said.stdout), said.stdout + said.stderr


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.compose-spec", "compose.yaml"),
        ("vendor.compose-spec", "deploy/public.yaml"),
        ("vendor.dependabot", ".github/dependabot.yml"),
        ("vendor.github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
        ("vendor.github-issue-forms", ".github/ISSUE_TEMPLATE/rules.yml"),
        ("vendor.github-issue-forms", ".github/ISSUE_TEMPLATE/trouble.yml"),
        ("vendor.github-issue-forms", ".github/ISSUE_TEMPLATE/wish.yml"),
        ("vendor.github-workflows", ".github/workflows/ci.yml"),
        ("vendor.readthedocs", ".readthedocs.yaml"),
    ],
)
def test_the_services_and_the_forges_file_keep_to_their_schemas(schema: str, file: str) -> None:
    check = [linter("check-jsonschema"), "--builtin-schema", schema, file]
    said = subprocess.run(check, cwd=ROOT, capture_output=True, text=True)

    assert 0 == said.returncode, said.stdout + said.stderr


def test_the_image_runs_without_rights_in_one_folder_and_tells_its_health() -> None:
    said = re.findall(r"^([A-Z]+) (.*)$", DOCKERFILE, re.M)
    last = dict(said)

    assert re.fullmatch(r"[1-9]\d+", last["USER"]), "a number, which an orchestrator can check"
    assert "VOLUME" not in last, "hosts that mount their own disk refuse it"
    assert "COUNTERSITE_DATA=/data PORT=8000" == last["ENV"]
    assert "/readyz" in DOCKERFILE.partition("HEALTHCHECK")[2].partition("\nCMD")[0]
    assert "--require-hashes --requirement /tmp/requirements.lock" in DOCKERFILE


def test_the_image_is_made_of_all_that_the_wheel_is_made_of() -> None:
    """And of nothing else, such as a data folder with its key."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (rooms,) = re.findall(r"^only-include = \[(.+)\]$", project, re.M)

    assert "*" == next(line for line in lines if not line.startswith("#"))
    needed = {
        "LICENSE",
        "README.md",
        "deploy/build.lock",
        "deploy/requirements.lock",
        "pyproject.toml",
    }
    assert {*re.findall(r'"(\w+)"', rooms), *needed} == let_in


def test_secrets_come_from_the_environment_and_none_is_made_up() -> None:
    for name in ("COUNTERSITE_SECRET_KEY", "POSTGRES_PASSWORD"):
        assert set(re.findall(rf"\$\{{{name}(.*?)[}} ]", COMPOSE)) <= {":?32", ":?letters"}
    given = re.findall(r"^ +(COUNTERSITE_\w+|DATABASE_URL|REDIS_URL):", COMPOSE, re.M)
    assert len(given) > 5
    assert [] == [name for name in given if f"| `{name}` |" not in OPERATING]


def test_every_service_that_lasts_is_asked_for_its_health() -> None:
    """Ours by the image, the others here."""
    services = COMPOSE.partition("\nservices:\n")[2].partition("\nvolumes:")[0]
    blocks = re.split(r"^  (?=\w+:$)", services, flags=re.M)[1:]
    asked = {block.partition(":")[0]: "healthcheck:" in block for block in blocks}

    assert {"first", "second", "migrate", "database", "redis"} == set(asked)
    assert asked["database"]
    assert asked["redis"]


def test_one_service_builds_the_image_for_all() -> None:
    """Composed services are built at once, and two that make one tag get in each other's way."""
    assert 1 == len(re.findall(r"^ +build:", COMPOSE, re.M))


def test_every_action_is_pinned_by_its_hash() -> None:
    """A tag can be moved, and this one publishes."""
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (.+)", workflow)

    assert len(used) > 5
    assert [] == [each for each in used if not re.search(r"@[0-9a-f]{40} # v[\d.]+$", each)]


# Units and proxies


@pytest.mark.parametrize(
    "unit", sorted((ROOT / "deploy").glob("*.service")), ids=lambda it: it.name
)
def test_no_unit_gives_up_for_good_or_kills_a_migration(unit: Path) -> None:
    text = unit.read_text(encoding="utf-8")

    assert re.search(r"^StartLimitIntervalSec=0$", text.partition("[Service]")[0], re.M)
    assert re.search(r"^Restart=(?:always|on-failure)$", text, re.M)
    assert "migrate" not in text or re.search(
        r"^T(?:imeoutStartSec=infinity|ype=oneshot)$", text, re.M
    )
    assert "Requires=" not in text  # what it needs may fail once, and then it would never start


def test_nginx_logs_no_secret_of_a_link() -> None:
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    places = re.findall(r"location (?:~ )?(\S+) \{(.*?)\}", text, re.S)
    unlogged = [re.compile(place) for place, what in places if "access_log off" in what]

    for address in ("/j/T", "/w/T", "/h/T", "/s/T", "/r/SLUG/T/replay", "/back/T", "/g/SLUG/ws"):
        assert any(each.match(address) for each in unlogged), address


# A release


def notes(root: Path, tag: str) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, str(root / ".ci" / "release-notes"), tag]
    return subprocess.run(script, capture_output=True, text=True)


@pytest.fixture
def released(tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "release-notes", tmp_path / ".ci")
    (tmp_path / "countersite").mkdir()
    shutil.copy(ROOT / "countersite" / "__init__.py", tmp_path / "countersite")
    changes = f"# Changelog\n\n## Unreleased\n\n## {__version__} (2027-01-31)\n\n- New.\n\n## 0.0.1"
    (tmp_path / "CHANGELOG.md").write_text(changes + " (2026-01-01)\n\n- Old.\n")
    return tmp_path


def test_the_notes_of_a_release_are_its_section_of_the_changelog(released: Path) -> None:
    said = notes(released, f"v{__version__}")

    assert (0, "- New.\n") == (said.returncode, said.stdout)


def test_a_tag_of_another_version_or_without_a_section_publishes_nothing(released: Path) -> None:
    assert "is not v and the version" in notes(released, "v99.0").stderr
    (released / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n- New.\n")
    undated = notes(released, f"v{__version__}")

    assert (1, "") == (undated.returncode, undated.stdout)
    assert f"no section “{__version__} (YEAR-MONTH-DAY)”" in undated.stderr


def test_the_changelog_begins_with_what_is_unreleased_and_goes_by_versions() -> None:
    titles = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)

    assert "Unreleased" == titles[0]
    assert [] == [each for each in titles[1:] if not re.fullmatch(r"[\d.]+ \([\d-]{10}\)", each)]
