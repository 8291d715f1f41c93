"""`manage.py newsystem`: what it writes holds to every promise, and it overwrites nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.house import copied, run


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house in which someone has begun Shadow Era."""
    copy = copied(tmp_path_factory.mktemp("copy") / "house")
    call_command("newsystem", "Shadow Era", root=copy, verbosity=0)
    return copy


def test_its_cases_hold(house: Path) -> None:
    said = run(house, "manage", "rulecheck", "tests/scenarios/shadow-era.json")

    assert "4 passed, 0 failed\n" == said


def test_it_keeps_the_laws_that_an_author_checks(house: Path) -> None:
    assert run(house, "manage", "laws", "games/systems/shadow_era").endswith(
        "Shadow Era 1, 5 cases, 1,000 games at random: All laws are kept.\n"
    )


@pytest.mark.sweep
@pytest.mark.timeout(900)  # fifteen seconds of processor time, of a machine that runs more
def test_it_keeps_the_laws_of_every_system_and_the_order_of_the_house(house: Path) -> None:
    """Every test that is made for each system, as it is written and nothing else changed."""
    laws = run(
        house, "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-k", "shadow or test_house",
        "tests/rules", "tests/screens", "tests/site",
    )  # fmt: skip

    assert " passed" in laws
    assert "failed" not in laws


def test_it_is_written_as_the_house_is(house: Path) -> None:
    """Ruff finds nothing to change in it."""
    written = [str(each) for each in house.glob("games/systems/shadow_era/*.py")]

    assert len(written) > 3
    run(house, "ruff", "check", "--no-cache", *written)
    run(house, "ruff", "format", "--check", "--no-cache", *written)


def test_its_demo_asks_a_question(house: Path) -> None:
    demo = json.loads((house / "games/systems/shadow_era/demo.json").read_text(encoding="utf-8"))

    assert "A Knight meets a Guard: a demo of Shadow Era" == demo["title"]
    assert demo["then"]["prompts"]


# What it refuses


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("7 Wonders", "“7 Wonders” makes no name: it must begin with one of the letters a-z"),
        ("class", "“Class” makes no name"),
        ("", "“” cannot be a title"),
        ('A "quoted" game', "cannot be a title: up to 40 letters, digits"),
        ("../elsewhere", "cannot be a title"),
        ("x" * 41, "cannot be a title"),
        ("Magic", "“magic” is taken: there is games/systems/magic already."),
        ("presentation", "“presentation” is taken: there is games/systems/presentation.py"),
    ],
)
def test_a_bad_or_taken_name_is_refused_with_a_reason(given: str, said: str) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("newsystem", given)

    assert said in str(refused.value)


def test_a_file_that_is_there_is_not_overwritten_and_nothing_else_is_written(
    tmp_path: Path,
) -> None:
    mine = tmp_path / "static/css/systems/shadow-era.css"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")

    with pytest.raises(CommandError, match=r"there is static/css/systems/shadow-era.css already"):
        call_command("newsystem", "Shadow Era", root=tmp_path)

    assert "mine" == mine.read_text()
    assert [mine] == [each for each in tmp_path.rglob("*") if each.is_file()]


def test_a_name_is_as_good_as_a_title(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("newsystem", "shadow-era", root=tmp_path)

    assert "games/systems/shadow_era/rules.py\n" in capsys.readouterr().out
    text = (tmp_path / "games/systems/shadow_era/__init__.py").read_text(encoding="utf-8")
    assert 'name="shadow-era",\n    title="Shadow Era",' in text
