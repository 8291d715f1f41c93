"""The documentation as a site, made of the pages where they lie; each link works on a forge, too.

Four references are written from the code each time: VOCABULARY.md has all commands, SYSTEM.md and
PRESENTATION.md what a rule system can say of itself, OWN-GRAMMAR.md what an own game's rules are
made of.
`sphinx-build -W -c docs . site` builds it and refuses a broken link.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from fields import page_of
from own_grammar import page as own_grammar

from countersite import __version__
from games.rules.state import Components
from games.rules.system import (
    Automatic,
    Counters,
    Defined,
    HiddenFaces,
    PrivateLog,
    Rulebook,
    Seating,
    Secrets,
    System,
)
from games.rules.vocabulary import page
from games.systems import SYSTEMS
from games.systems.board import Board, Previews
from games.systems.log_words import Story
from games.systems.new_game import NewGame
from games.systems.presentation import Presentation
from games.systems.sheets import Sheets
from games.systems.slot_counters import Slots
from games.systems.wording import Wording

SYSTEM = (
    System,
    Rulebook,
    Components,
    Automatic,
    Counters,
    Seating,
    Secrets,
    PrivateLog,
    HiddenFaces,
    Defined,
)
PARTS = (Presentation, Wording, Board, Previews, Sheets, Story, NewGame, Slots)
READY = sorted(Path(__file__).parents[1].glob("games/systems/own_game/ready/*.json"))
for name, text in {
    "VOCABULARY": page(SYSTEMS),
    "SYSTEM": page_of(*SYSTEM),
    "PRESENTATION": page_of(*PARTS),
    "OWN-GRAMMAR": own_grammar({path.stem: json.loads(path.read_text("utf-8")) for path in READY}),
}.items():
    Path(__file__).with_name(f"{name}.md").write_text(text, encoding="utf-8")

project = "Countersite"
author = "the Countersite authors"
version = release = __version__
extensions = ["myst_parser", "diagrams"]
root_doc = "docs/index"
include_patterns = ["*.md", "bench/*.md", "docs/*.md", "rules/*.md"]
exclude_patterns = [".*", "data", "node_modules", "site", "**/__pycache__"]
myst_enable_extensions = ["html_image"]
myst_fence_as_directive = ["mermaid"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"Countersite {version}"
html_copy_source = False
html_show_copyright = False
suppress_warnings = ["myst.header"]  # the vocabulary leaves a level out


def setup(app: Any) -> None:
    """Let the site's own address lead to its first page."""
    app.connect("source-read", _plain_picture)
    app.connect("build-finished", _write_index)


def _plain_picture(_app: Any, _page: str, source: list[str]) -> None:
    """Leave of a `<picture>`, whose files Sphinx does not copy, the image alone, which it does."""
    source[0] = re.sub(r"<picture>.*?(<img\b.*?>)\s*</picture>", r"\1", source[0], flags=re.DOTALL)


def _write_index(app: Any, failed: Exception | None) -> None:
    if not failed and app.builder.format == "html":
        to = '<!doctype html><meta http-equiv="refresh" content="0; url=docs/index.html">\n'
        (Path(app.outdir) / "index.html").write_text(to, encoding="utf-8")
