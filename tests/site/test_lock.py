"""The lock file: pinned with hashes, and within the project's ranges."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house import ROOT

FILE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = FILE["project"]
LOCK = (ROOT / "deploy" / "requirements.lock").read_text(encoding="utf-8")
PINS = re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==(\S+)((?: ; [^\\\n]+)?) \\$", LOCK, re.M)


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


def test_each_pin_has_a_hash() -> None:
    entries = re.split(r"^(?=[\w.-]+(?:\[[\w,]+\])?==)", LOCK, flags=re.M)[1:]

    assert len(PINS) == len(entries)
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "index" not in LOCK


def test_the_group_for_uv_is_the_extra_for_pip() -> None:
    assert PROJECT["optional-dependencies"]["dev"] == FILE["dependency-groups"]["dev"]
