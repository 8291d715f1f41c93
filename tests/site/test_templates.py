"""Templates are readable: no line is wider than a screen, and a picture means one thing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
WIDEST = 120


def test_no_line_is_longer_than_120_columns() -> None:
    wide = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.*"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDEST
    ]

    assert [] == wide


# Pictures

SAME = (
    {"Dice and more", "Pick a player at random", "Draw lots for who goes first",
     "Draw lots", "Roll", "Roll the planar die"},
    {"Log", "The log as text", "Share its past"},
    {"Correct", "Correct to this", "Correct and bring back", "Correct its zone",
     "A judge’s correction of commander damage"},
    {"Undo", "Undo both", "Undo line"},
    {"falls", "out of the game"},
    {"Remove it from the table", "Remove this rule"},
    {"Redo", "Redo line"},
    {"Go to the table", "Back to the board", "Back", "Back to the rules"},
    {"Apply", "Cross off:", "Dungeon completed"},
    {"seen by", "Show it:", "Reveal the one that is not open"},
    {"For me only", "Keep it for me", "Keep it for later", "shown to nobody yet",
     "Hide the whole scene", "Not yet: back to prepared", "Not for all", "not seen by all",
     "Stays with you", "prepared: no player sees it", "Only you read this"},
    {"See it as", "As", "a watcher"},
    {"Damage", "Damage from a card"},
    {"Heal", "Recover"},
    {"Who may act", "Who may act without asking"},
    {"Link to another", "linked"},
    {"Resolve", "Resolve all of it", "resolved"},
    {"Minor", "Major"},
    {"End session…", "End session"},
    {"Move it", "Elsewhere", "Move damage counters", "Move all counters"},
    {"Pause", "Pause it", "paused"},
    {"Play", "Resume", "Let it run", "Begin", "Watch it again", "Watch it from here"},
    {"Change it", "Name and HP", "Name, colour and shape", "Another name", "Change its rules"},
    {"Its state", "What cards say of this player"},
    {"Add", "Add a card", "Add a thing", "Another player", "Another counter", "New", "Scene",
     "Link", "A co-GM without a protagonist", "Another", "Cards", "On cards", "On the table",
     "Rounds", "Add a sentence", "Add a rule", "Another type", "Another outcome",
     "Another condition", "Another scale", "One more counter",
     "From the beginning: when, if, then"},
    {"Restart", "starts again"},
    {"Share", "Send it", "Link to this moment"},
    {"As a file", "Save this board as a file"},
    {"What this card changes", "What an effect changes"},
    {"Change the rules", "Give this game rules"},
    {"falls", "Knocked Out", "out of the game"},
    {"Close", "Choose nothing", "Unlink", "Remove", "Remove this part", "Without this"},
)  # fmt: skip
"""Synonyms that must not be mixed: one thing, or one act on several things."""
PICTURE = re.compile(
    r'(?:aria-label="{% trans "(?P<before>[^"]+)" %}"[^<>]*>\s*)?'
    r'{% icon "(?P<icon>[\w-]+)" %}'
    r"(?:\s*(?:<span[^>]*>)?\s*"
    r'(?:{% trans "(?P<after>[^"]+)" %}|{% blocktrans[^%]*%}(?P<long>[^{]+)))?'
)


def pictures() -> Iterator[tuple[str, str]]:
    """Each icon in the templates and what it stands for, by its English words."""
    for path in sorted(TEMPLATES.rglob("*.html")):
        for found in PICTURE.finditer(path.read_text()):
            if label := found["before"] or found["after"] or (found["long"] or "").strip():
                yield found["icon"], label


def test_one_picture_stands_for_one_thing() -> None:
    meant: dict[str, set[str]] = defaultdict(set)
    for icon, label in pictures():
        meant[icon].add(label)

    assert len(meant) > 60
    assert {} == {
        icon: labels
        for icon, labels in meant.items()
        if len(labels) > 1 and not any(labels <= same for same in SAME)
    }


def test_one_thing_has_one_picture_everywhere() -> None:
    drawn: dict[str, set[str]] = defaultdict(set)
    for icon, label in pictures():
        drawn[label].add(icon)

    assert {} == {label: icons for label, icons in drawn.items() if len(icons) > 1}


def test_every_picture_is_in_use_and_drawn() -> None:
    sprite = (TEMPLATES / "board" / "_sprite.html").read_text()
    written = "".join(path.read_text() for path in TEMPLATES.rglob("*.html"))
    code = "".join(path.read_text() for path in (ROOT / "games").rglob("*.py"))
    drawn = set(re.findall(r'id="i-([\w-]+)"', sprite))

    assert set(re.findall(r'{% icon "([\w-]+)"', written)) <= drawn
    assert [] == [name for name in drawn if f'"{name}"' not in written + code]


MARKED_OTHERWISE = {
    "board/_panel.html",  # a script's
    "pages/chair.html",
    "sheets/_look_choice.html",
    "slots/board/_bar.html",
    "slots/board/_slot_counter.html",
}
"""Templates with a mark that is no seat's, or not its usual one."""


def test_the_mark_of_a_seat_is_drawn_by_its_tag() -> None:
    spelt = {
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        if 'class="seat-mark' in path.read_text()
    }

    assert MARKED_OTHERWISE == spelt
