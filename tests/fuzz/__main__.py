"""`python -m tests.fuzz TARGET --seconds N`.

`python -m tests.fuzz TARGET FILE…` tries files, `python -m tests.fuzz kept` all that are kept, and
some inputs of each target that are right.

Inputs that break something are written to --found, one for each place in the code, and the fuzzer
goes on. The exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
SLOW = 1.0
"""Seconds of work after which an input counts as a hang."""
MEGABYTES = 2_000
"""Of memory."""
SEEDS = 2
"""Inputs of each target that are right, which are tried beside those that are kept."""
WALKS = ("request",)
"""Targets that read every page for theirs, which takes seconds, and which other tests do."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", help="command, fields, file, line, request, wire, or kept")
    parser.add_argument("files", nargs="*", type=Path, help="inputs to try, and nothing else")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--found", type=Path, default=Path("found"))
    given = parser.parse_args()
    if given.target == "kept" or given.files:
        set_up()
    if given.target == "kept":
        return try_all()
    if given.files:
        return tried(prepared(given.target), inputs(given.files))
    return fuzz(given.target, given.seconds, given.found)


def kept() -> list[Path]:
    """The folders of the inputs that are tried again, by target."""
    return sorted(each for each in (HERE / "kept").iterdir() if each.is_dir())


def inputs(files: Iterable[Path]) -> list[tuple[str, bytes]]:
    """The inputs in *files*, by name."""
    return [(str(file), file.read_bytes()) for file in files]


def try_all() -> int:
    """Try what is kept, and what is right, on each target; how much breaks something."""
    from .targets import TARGETS

    broken = 0
    for name in TARGETS:
        target, folder = prepared(name), HERE / "kept" / name
        seeds = () if name in WALKS else islice(target.seeds(), SEEDS)
        right = [(f"{name}: {data!r}", data) for data in seeds]
        broken += tried(target, right + inputs(sorted(folder.glob("*"))))
    return broken


def tried(target: Any, inputs: list[tuple[str, bytes]]) -> int:
    """Try single inputs; how many break something."""
    broken = 0
    for name, data in inputs:
        began = time.process_time()
        try:
            target(data)
            assert time.process_time() - began < SLOW, "it takes too long"
        except Exception:
            broken += 1
            print(f"{name}:")
            traceback.print_exc()
    return broken


def set_up() -> None:
    """Get ready for any target, with a database of its own."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.CROWD = 10_000
    call_command("migrate", verbosity=0)
    from .targets import caught

    caught()


def prepared(name: str) -> Any:
    """The target."""
    from . import targets

    if name not in targets.TARGETS:
        sys.exit(f"The targets are {', '.join(targets.TARGETS)}.")
    return targets.target(name)


def fuzz(name: str, seconds: int, found: Path) -> int:  # type: ignore[return]
    """Try what the coverage suggests for so long; whether anything broke."""
    try:
        import atheris
    except ImportError:
        sys.exit('Fuzzing needs Atheris: pip install -e ".[dev,fuzz]"')
    with atheris.instrument_imports(include=["games", "countersite"]):
        set_up()
        target = prepared(name)
        from django.urls import get_resolver

        get_resolver().url_patterns  # noqa: B018 imports the views
        from .targets import Broken
    broken: dict[str, Path] = {}
    runs = 0

    def keep(data: bytes, why: str, where: str) -> None:
        folder = found / name
        folder.mkdir(parents=True, exist_ok=True)
        broken[where] = folder / hashlib.sha256(data).hexdigest()[:12]
        broken[where].write_bytes(data)
        print(f"== {broken[where]}: {where}\n{why}", flush=True)

    def once(data: bytes) -> None:
        nonlocal runs
        runs += 1
        began = time.process_time()
        try:
            target(data)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} {last.filename}:{last.lineno}"
            if isinstance(error, Broken):
                where = " ".join(str(error).split("\n")[-4:])
            if where not in broken:
                keep(data, traceback.format_exc(limit=-8), where)
        if (took := time.process_time() - began) > SLOW and runs > 20 and "slow" not in broken:
            keep(data, f"{took:.1f} s", "slow")

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        return bytes(target.mutated(bytes(data), Random(seed), atheris.Mutate))[:most]

    with tempfile.TemporaryDirectory() as scratch:
        seeds = Path(scratch, "seeds")
        seeds.mkdir()
        for data in target.seeds():
            seeds.joinpath(hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
        Path(scratch, "found").mkdir()
        known = HERE / "kept" / name
        known.mkdir(parents=True, exist_ok=True)
        found.joinpath(name).mkdir(parents=True, exist_ok=True)
        print(f"{name}: {len(list(seeds.iterdir()))} seeds, {seconds} s", flush=True)
        atheris.Setup(
            [sys.argv[0], f"{scratch}/found", str(seeds), str(known), "-max_len=20000",
             f"-max_total_time={seconds}", f"-rss_limit_mb={MEGABYTES}", "-timeout=60",
             f"-artifact_prefix={found}/{name}/", "-print_final_stats=1", "-len_control=0"],
            once, custom_mutator=mutate,
        )  # fmt: skip
        atheris.Fuzz()  # which ends the process


if __name__ == "__main__":
    sys.exit(main())
