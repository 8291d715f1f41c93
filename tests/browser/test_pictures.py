"""The pictures of README are of the app as it is, and of people who sit at its tables."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.night import Night

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "screenshots"
MAKERS = re.findall(r'^    "([\w-]+)": \w+,$', (FOLDER / "take.py").read_text(), re.M)


@pytest.fixture(scope="module")
def take() -> ModuleType:
    made = importlib.util.spec_from_file_location("take", FOLDER / "take.py")
    assert made
    assert made.loader
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


@pytest.mark.browser
@pytest.mark.sweep
@pytest.mark.parametrize("name", MAKERS)
def test_a_picture_can_be_taken_again(
    name: str, take: ModuleType, chromium: Any, running: Night, tmp_path: Path
) -> None:
    """Their pages are checked by `Studio.seated`, before each picture is taken."""
    studio = take.Studio(chromium, running.site, tmp_path, effort=0)

    take.PICTURES[name](studio)
    studio.close()

    assert 10_000 < (tmp_path / f"{name}.webp").stat().st_size < 2_000_000
    assert studio.checked, "nobody looked whose page it was"


@pytest.mark.browser
def test_a_picture_of_a_watcher_is_refused(
    take: ModuleType, chromium: Any, running: Night, tmp_path: Path
) -> None:
    studio = take.Studio(chromium, running.site, tmp_path)
    host = studio.demo("Yu-Gi-Oh!")
    link = studio.watch_link(host)
    watcher = studio.page(take.PHONE)
    watcher.goto(link)
    watcher.wait_for_selector("#board")

    with pytest.raises(AssertionError, match="watch"):
        studio.seated(watcher)
    studio.seated(host)
    studio.close()


def test_every_picture_that_is_kept_has_its_maker(take: ModuleType) -> None:
    kept = {path.stem.removesuffix("-still") for path in FOLDER.glob("*.webp")}

    assert kept == set(take.PICTURES)
