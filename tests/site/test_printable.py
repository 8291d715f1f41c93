"""Text of strangers in the operator's terminal and log: never a character that a terminal obeys."""

from __future__ import annotations

import ast
import io
import json
import logging
import sys

import pytest
from django.test import Client

from countersite.logs import Json, Line
from countersite.management.commands.rulecheck import report
from countersite.management.commands.table import invitation
from games.models import Game, Setup
from games.rules.input import UNPRINTABLE, printable
from games.rules.scenario import Difference
from games.store import backup, rows
from games.systems import find
from tests import house

ODD = "".join(map(chr, [*range(1, 32), *range(0x7F, 0xA0), 0x61C, 0x200F, 0x2028, 0x202E, 0x2066]))
TITLE = f"\x1b]0;owned\x07\x1b[8m{ODD}evil"
PRINTS = {"write", "print", "info", "warning", "error", "critical", "exception", "CommandError"}
PRINTING = {"models", "store", "seats", "live", "countersite"}
"""The rooms that speak to the operator; what the others write goes to a phone."""
TYPED = {"title", "given_name"}
"""Typed text, by the name of its attribute or key."""


def lines_of(text: str) -> list[str]:
    """The lines of *text*, none of which may have anything that cannot be printed."""
    return text.split("\n")


@pytest.fixture
def odd(game: Game) -> Game:
    """A game whose title is older than the check of titles."""
    Game.objects.update(title=TITLE)
    game.refresh_from_db()
    return game


def test_an_unprintable_character_is_shown_as_its_escape() -> None:
    assert r"a\x1b[2J\u202e\x9b\nb\ud800" == printable("a\x1b[2J\u202e\x9b\nb\ud800")
    assert "Ana’s Friday 🎲 ñ" == printable("Ana’s Friday 🎲 ñ")


def test_the_invitation_prints_titles_as_text(odd: Game) -> None:
    rows.create(find("any-game"), rows.state(odd), title=TITLE)

    printed = invitation("127.0.0.1", 8000)

    assert 2 == printed.count("evil")
    assert not any(map(UNPRINTABLE.search, lines_of(printed)))


def test_restoring_and_migrating_name_games_as_text(
    odd: Game, caplog: pytest.LogCaptureFixture
) -> None:
    rows.give(odd, [{"do": "place", "on": "rocket", "counter": "fuel"}])
    odd.counters.update(amount=3)  # the log says 5
    (named,) = backup.follow_logs()
    odd.entries.update(command={"do": TITLE})
    backup.follow_logs()

    for printed in (named, *caplog.messages):
        assert "evil" in printed
        assert not any(map(UNPRINTABLE.search, lines_of(printed))), printed


def test_rulecheck_prints_scenarios_as_text() -> None:
    scenario = {"id": "x", "title": TITLE, "when": []}

    printed = report(scenario, find("any-game"), [Difference("then", TITLE, TITLE)])

    assert "evil" in printed
    assert not any(map(UNPRINTABLE.search, lines_of(printed)))


@pytest.mark.parametrize("formatter", [Line("{message}", style="{"), Json()], ids=["text", "json"])
def test_a_log_line_is_text(formatter: logging.Formatter) -> None:
    try:
        raise ValueError(TITLE)
    except ValueError:
        raised = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, "", 1, "from %s", (TITLE,), raised)

    written = formatter.format(record)

    assert "evil" in written
    assert not any(map(UNPRINTABLE.search, lines_of(written)))
    if isinstance(formatter, Json):
        assert not UNPRINTABLE.search(json.loads(written)["message"])


def test_a_strange_origin_reaches_the_log_as_text_and_seldom(
    db: None,
) -> None:
    handler = logging.StreamHandler(out := io.StringIO())
    handler.setFormatter(Line("{message}", style="{"))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        phone = Client(enforce_csrf_checks=True)
        answer = phone.post("/code", headers={"origin": "http://evil/\x1b[2J\x07"})
    finally:
        root.removeHandler(handler)

    assert 403 == answer.status_code
    assert r"http://evil/\x1b[2J\x07" in out.getvalue()
    assert not any(map(UNPRINTABLE.search, lines_of(out.getvalue())))


def test_a_set_up_s_title_is_cleaned_like_any_name(game: Game, ana: Client) -> None:
    ana.post(f"/g/{game.slug}/setups", {"title": f"  {TITLE}  {'x' * 99}"})
    ana.post(f"/g/{game.slug}/setups", {"title": "\x1b\u202e "})

    last, first = Setup.objects.values_list("title", flat=True)
    assert not UNPRINTABLE.search(first)
    assert "owned" in first
    assert "Friday" == last


def test_typed_text_is_printed_as_text_only() -> None:
    """A game prints itself (`Game.__str__`); a title by itself goes through `printable`."""
    said = [
        f"{module}: {ast.unparse(node)}"
        for module in house.modules()
        if house.room(module) in PRINTING
        for node in house.nodes(module)
        if isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.Call) and _name(node.func) in PRINTS)
        if _typed(node)
    ]

    assert [] == said


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _typed(node: ast.AST) -> list[ast.AST]:
    """The expressions in *node* that are typed text, except those in a call of `printable`."""
    if isinstance(node, ast.Call) and _name(node.func) == "printable":
        return []
    found: list[ast.AST] = []
    if isinstance(node, ast.Attribute) and node.attr in TYPED:
        found = [node]
    if isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) in TYPED:
        found = [node]
    return found + [each for child in ast.iter_child_nodes(node) for each in _typed(child)]
