"""The English of the rules: what `games/systems/locale` has in other languages.

The rules know no language. What people read of them is found here: the texts that a system has as
data, and the sentences with which its code refuses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from countersite.first_run import ROOT
from games.rules.system import System
from games.systems import SYSTEMS
from games.systems.magic.formats import FORMATS
from games.systems.stars_and_signs.counter import TYPES
from games.systems.stars_and_signs.referee import COMPLICATIONS, CONTRIBUTION, FALLOUT
from games.systems.stars_and_signs.templates import TEMPLATES, TILES

RULES = (ROOT / "games" / "rules", ROOT / "games" / "systems")
SAID = {"Refused": 1, "invalid": 0, "Phrase": 0, "Reader": 0, "Names": 0, "Rule": 0}
"""What takes a sentence, and as which of its arguments."""
STARS = "games/systems/stars_and_signs/"


def rules_words() -> Iterator[tuple[str, str]]:
    """File and words, all that the rules may say to people."""
    for editions in SYSTEMS.values():
        for system in editions:
            folder = f"games/systems/{system.name.replace('-', '_')}"
            yield from ((folder, words) for words in _of(system) if words)
    for way in FORMATS:
        yield "games/systems/magic/formats.py", way.title
        yield "games/systems/magic/formats.py", way.sentence
    for template in (*TILES.values(), *TEMPLATES.values()):
        for words in (template.title, template.text, template.counter.get("completes")):
            if words:
                yield STARS + "templates.py", words
    for move in (*COMPLICATIONS.values(), *FALLOUT.values()):
        yield STARS + "referee.py", move.title
        yield STARS + "referee.py", move.text
    yield from ((STARS + "referee.py", words) for words in CONTRIBUTION.values() if words)
    yield from ((STARS + "counter.py", words) for words in TYPES.values())
    for path in sorted(path for folder in RULES for path in folder.rglob("*.py")):
        for words in sentences(path.read_text()):
            yield str(path.relative_to(ROOT)), words


def _of(system: System) -> Iterator[str]:
    yield from (system.title, system.sentence, system.document, system.kind_question)
    yield from (rule.text for rule in system.rules.values())
    yield from system.not_tracked.values()
    # What has no number has a name, which is no rule's.
    yield from (
        each for each in system.not_tracked if each not in system.rules
        and not any(letter.isdigit() for letter in each)
    )  # fmt: skip
    for setting in system.settings.values():
        yield setting.text
        yield from (value for value in setting.values if isinstance(value, str))
    yield from system.kinds.values()


def sentences(code: str) -> Iterator[str]:
    """The sentences that *code* says. Raises ValueError for one that it puts together."""
    tree = ast.parse(code)
    scopes = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    for scope in (*scopes, tree):
        given: dict[str, list[ast.expr]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                given.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(scope):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in SAID:
                yield from _words(node.args[SAID[name]], given, at_top=scope is tree)


def _words(said: ast.expr, given: dict[str, list[ast.expr]], *, at_top: bool) -> Iterator[str]:
    if isinstance(said, ast.Constant) and isinstance(said.value, str):
        yield said.value
    elif isinstance(said, (ast.JoinedStr, ast.BinOp)):
        raise ValueError(f"line {said.lineno}: a sentence cannot be put together; name its facts")
    elif isinstance(said, ast.Name) and not at_top:
        for each in given.get(said.id, ()):
            if isinstance(each, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                if not (isinstance(each, ast.Constant) and each.value is None):
                    yield from _words(each, {}, at_top=False)
