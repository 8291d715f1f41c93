"""Format, check and test: `python -m tests`; with `--all` the whole suite, not the quick sample."""

from __future__ import annotations

import subprocess
import sys

from tests.house import ROOT


def steps(arguments: list[str]) -> list[list[str]]:
    """The commands, in order; what is not `--all` goes to pytest."""
    chosen = ["--sweep"] if "--all" in arguments else ["-m", "quick"]
    others = [each for each in arguments if each != "--all"]
    return [
        ["ruff", "check", "--fix"],
        ["ruff", "format"],
        ["mypy"],
        ["pytest", *chosen, *others],
    ]


def main() -> int:
    """The exit status of the first step that fails."""
    for step in steps(sys.argv[1:]):
        print("·", *step, flush=True)
        if status := subprocess.run([sys.executable, "-m", *step], cwd=ROOT).returncode:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
