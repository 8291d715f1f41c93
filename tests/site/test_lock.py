"""The lock files: pinned with hashes, and within the project's ranges."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.house import ROOT

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
