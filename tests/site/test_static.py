"""Rules for the shared style sheets and scripts."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from games.systems import SYSTEMS, presentation_of

WIDTH = 120
CSS = Path(__file__).parents[2] / "static/css"
JS = Path(__file__).parents[2] / "static/js"
SHARED_SHEETS = sorted([*CSS.glob("base/*.css"), *CSS.glob("board/*.css")])
SHARED_SCRIPTS = sorted(
    path for room in ("board", "net", "page", "tv") for path in JS.glob(f"{room}/*.js")
)
OF_THE_WEB = {"a", "action", "aside", "change", "clock", "command", "string", "t", "table"}
"""Games' words that have another meaning in a script: an event, an element, a type, an id."""
NAMED_BY_A_GAME = re.compile(r'\[data-(?:kind|type|zone|stat)[~|^$*]?="[^"]+"\]')
OF_A_BOARD = re.compile(r"[.#](?:slot|party|proposal|due|pip|team)\b[\w-]*")
SHAPE, SHAPE_USED = re.compile(r"(--icon-[\w-]+):"), re.compile(r"var\((--icon-[\w-]+)")
WORDS = re.compile(r'content: "[^"]*[A-Za-z]{2}')


@pytest.mark.parametrize("sheet", SHARED_SHEETS, ids=lambda sheet: sheet.stem)
def test_a_shared_sheet_names_no_kind_type_zone_or_stat(sheet: Path) -> None:
    text = sheet.read_text(encoding="utf8")

    assert [] == NAMED_BY_A_GAME.findall(text)
    assert [] == OF_A_BOARD.findall(text), "a board of its own has a sheet of its own"
    assert [] == WORDS.findall(text), "what is read on a screen is translated"


@pytest.mark.parametrize("sheet", sorted(CSS.glob("systems/*.css")), ids=lambda sheet: sheet.stem)
def test_a_game_draws_every_shape_that_it_uses(sheet: Path) -> None:
    """A missing shape shows as a full square; an unused one costs every phone.

    Those that all games share stand in the board's own sheet.
    """
    shared = set(SHAPE.findall((CSS / "board/board.css").read_text(encoding="utf8")))
    text, main = sheet.read_text(encoding="utf8"), CSS / f"systems/{sheet.stem}/main.css"
    if main.exists() and "slots/shapes.css" in main.read_text(encoding="utf8"):
        text += (CSS / "slots/shapes.css").read_text(encoding="utf8")

    assert set(SHAPE.findall(text)) == set(SHAPE_USED.findall(text)) - shared


PICTURED = [
    pytest.param(name, words.pictured, id=name)
    for name, editions in SYSTEMS.items()
    if (words := presentation_of(editions[0]).words).pictured is not None
]


@pytest.mark.parametrize(("name", "pictured"), PICTURED)
def test_a_kind_that_has_a_picture_has_a_shape(name: str, pictured: frozenset[str]) -> None:
    """Without one it would be a dot, and no word would say of what."""
    sheet = (CSS / f"systems/{name}.css").read_text(encoding="utf8")
    shaped = {
        kind
        for kinds, rules in re.findall(r"^(\[data-kind=[^{]+)\{([^}]*)\}", sheet, re.MULTILINE)
        if "--shape:" in rules
        for kind in re.findall(r'\[data-kind="([^"]+)"\]', kinds)
    }

    assert set() == pictured - shaped


@pytest.mark.parametrize("sheet", sorted(CSS.glob("*/*.css")), ids=lambda sheet: sheet.stem)
def test_a_sheet_is_read_without_scrolling_sideways(sheet: Path) -> None:
    lines = sheet.read_text(encoding="utf8").splitlines()

    assert [] == [line for line in lines if len(line) > WIDTH and "url(" not in line]


LAYERS = ("base", "parts", "board", "tracks", "system", "screen")
OWN_SHEETS = {
    path: re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf8"), flags=re.DOTALL)
    for path in sorted(CSS.rglob("*.css"))
    if path.name != "main.css"
}


def outermost(text: str) -> list[str]:
    """The heads of the blocks and statements that stand in nothing else."""
    while text != (inner := re.sub(r"\{[^{}]*\}", ";", text)):
        text = inner
    return [head.strip() for head in text.split(";") if head.strip()]


def test_every_rule_is_in_a_layer() -> None:
    """One outside would win over all layers, and `!important` would be needed against it."""
    order = f"@layer {', '.join(LAYERS)}"
    heads = {path.name: outermost(text) for path, text in OWN_SHEETS.items()}

    assert order == heads["tokens.css"].pop(0)
    assert {f"@layer {layer}" for layer in LAYERS} == {
        head for found in heads.values() for head in found
    }


def test_nothing_else_is_important() -> None:
    """What is hidden, motion that is not wanted, and a refusal of any number."""
    written = [
        (path.name, line.strip())
        for path, text in OWN_SHEETS.items()
        for line in text.splitlines()
        if "!important" in line
    ]

    assert 10 >= sum(line.count("!important") for _name, line in written), written


SIZE = re.compile(r"font(?:-size)?: (?:\d{3} )?([^;/]+)")
TYPE = re.compile(
    r"0|inherit|100%|106\.25%|[\d.]+em|var\(--[\w-]+(?:, var\(--type-6\))?\)(?: var\(--text\))?"
)
FITTED = re.compile(r"cq|vmin|var\(--(?:u|tile|mark|value|type-caption)\b")
"""What is as large as its place allows."""


def test_there_are_ten_sizes_of_type() -> None:
    tokens = OWN_SHEETS[CSS / "base/tokens.css"]
    sizes = re.findall(r"^  --type-\w+: ", tokens, re.MULTILINE)
    written = {
        (path.name, size) for path, text in OWN_SHEETS.items() for size in SIZE.findall(text)
    }

    assert 9 == len(sizes), "and a board's --value"
    assert set() == {
        (name, size)
        for name, size in written
        if not TYPE.fullmatch(size) and not FITTED.search(size)
    }


def test_there_are_six_widths_and_two_heights_at_which_pages_change() -> None:
    conditions = " ".join(
        head for text in OWN_SHEETS.values() for head in re.findall(r"@media [^{]+", text)
    )

    assert 6 >= len({*re.findall(r"width [<>=]+ ([\d.]+\w+)", conditions)})
    assert 2 >= len({*re.findall(r"height [<>=]+ ([\d.]+\w+)", conditions)})
    assert not re.search(r"(?:min|max)-(?:width|height)", conditions)


def test_lists_lose_their_bullets_in_one_place() -> None:
    """A list of words that has them is `.points`."""
    page = CSS / "base/page.css"
    rules = [
        (path.name, rule)
        for path, text in OWN_SHEETS.items()
        for rule in re.findall(r"([^{};]+)\{[^{}]*list-style: none", text)
    ]

    assert "ul, ol { margin: 0; padding: 0; list-style: none; }" in OWN_SHEETS[page]
    assert [] == [
        (name, rule)
        for name, rule in rules
        if "summary" not in rule and (name, rule.strip()) != (page.name, "ul, ol")
    ]


def in_has(text: str) -> set[str]:
    """What stands in the parentheses of each `:has`."""
    found = set()
    for start in (has.end() for has in re.finditer(r":has\(", text)):
        end, depth = start, 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.add(text[start:end])
    return found


def test_no_has_stands_in_another() -> None:
    """No browser knows such a selector: the whole rule would be dropped."""
    texts = "".join(OWN_SHEETS.values())

    assert set() == {inner for inner in in_has(texts) if ":has(" in inner}


def test_a_sheet_styles_no_class_that_nothing_has() -> None:
    """`is-…` apart: those are also made of words of a game."""
    root = CSS.parents[1]
    files = [(root / "templates", "*.html"), (root / "static/js", "*.js"), (root / "games", "*.py")]
    written = "".join(each.read_text() for room, kind in files for each in room.rglob(kind))
    styled = set()
    for sheet in CSS.rglob("*.css"):
        rules = re.sub(r"/\*.*?\*/|url\([^)]*\)", "", sheet.read_text(), flags=re.DOTALL)
        styled |= {*re.findall(r"\.((?!is-)[a-z][\w-]*)", rules)}

    assert [] == sorted(each for each in styled if each not in written)


def test_nothing_is_left_of_a_merge() -> None:
    """A browser drops the declaration after a conflict's marker, and says nothing."""
    root = CSS.parents[1]
    written = [
        path
        for kind in ("static/css/**/*.css", "static/js/**/*.js", "templates/**/*.html")
        for path in root.glob(kind)
    ]

    assert written
    assert [] == [
        path
        for path in written
        if re.search("^(<{7} |={7}$|>{7} )", path.read_text(encoding="utf8"), re.MULTILINE)
    ]


def test_the_events_of_our_scripts_are_listed() -> None:
    """`board/main.js` lists the events between modules at its top."""
    scripts = {path: path.read_text(encoding="utf8") for path in JS.rglob("*.js")}
    listed = set(re.findall(r"^//   ([\w:]+)  ", scripts[JS / "board/main.js"], re.MULTILINE))
    text = "\n".join(scripts.values())
    fired = set(re.findall(r'new (?:Custom)?Event\("([\w:]+)"', text)) - {"visibilitychange"}
    server = (JS.parents[1] / "games/pages/parts.py").read_text(encoding="utf8")
    fired |= set(re.findall(r'trigger_client_event\(.+, "([\w:]+)"', server))
    handled = set(re.findall(r'addEventListener\(\s*"((?!htmx:)\w+:\w+)"', text))

    assert listed == fired
    assert handled <= listed, "nobody says this"


def of_one_game() -> set[str]:
    """The verbs, kinds and zones that only one game has."""
    words = [
        {word for game in editions for word in (*game.verbs, *game.rulebook.kinds, *game.zones)}
        for editions in SYSTEMS.values()
    ]
    met = Counter(chain.from_iterable(words))
    return {word for word, games in met.items() if games == 1}


@pytest.mark.parametrize("script", SHARED_SCRIPTS, ids=lambda path: path.stem)
def test_a_shared_script_names_no_game_s_word(script: Path) -> None:
    said = set(re.findall(r"""["'`]([\w+/.-]+)["'`]""", script.read_text(encoding="utf8")))

    assert set() == (said & of_one_game()) - OF_THE_WEB
