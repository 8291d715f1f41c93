"""Text that would be a script, in every field of every form: found in the forms, not in a list.

`tests/browser/test_hostile_text.py` shows in a browser that what is escaped like this never runs.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from games.models import Game
from games.store import demos, rows
from games.systems import SYSTEMS, find
from tests.forms import TYPED, Form, forms
from tests.types import Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]

HOSTILE = "\"><img src=x onerror=ran()>'`${1}"
RAW = "<img src=x"
PAGES = (
    "", "log", "log.md", "seats/", "cards/new", "notes", "tools", "several", "keep", "share",
    "summary", "tv", "flat", "rules", "programs", "slots/new", "slots/board",
    "slots/scene",
)  # fmt: skip
ELSEWHERE = ("/", "/new", "/new/file")
ASKED: dict[str, list[dict[str, Any]]] = {
    "magic": [
        {
            "do": "create",
            "as": "siege",
            "controller": "ana",
            "types": ["battle"],
            "base": {"defense": 2},
        },
        {"do": "remove", "on": "siege", "counter": "defense", "amount": 2},
    ],
    "stars-and-signs": [
        {"do": "propose", "by": "ben", "command": {"do": "spend", "on": "c7", "slots": 1}}
    ],
}
"""By system: what lies open at its demo, so that the forms that answer it are there."""
WRITTEN = {
    "title": "Race",
    "things": [{"type": "car", "prints": {"speed": 3}}],
    "numbers": [{"kind": "laps", "on": "player"}],
    "rules": [{"rule": "Flag", "when": {"changes": "laps"}, "do": [{"tell": "a flag"}]}],
}
OPENED = (
    ("game", []),
    ("number", ["numbers", 0]),
    ("thing", ["things", 0]),
    ("rule", ["rules", 0, "do", 0, "tell"]),
)
FURTHER = {
    "own-game": [
        "/new?rules=own-game&"
        + urlencode({"definition": json.dumps(WRITTEN), "open": opened, "at": json.dumps(at)})
        for opened, at in OPENED
    ]
    + ["/new?rules=own-game&ready=daggerheart&open=page", "/new?rules=own-game&ready=any-rpg"]
}
"""By system: the pages that write its rules."""
TEXTS = Path(__file__).parents[2] / "templates"
FIELD = re.compile(r"<(input|textarea)\b([^>]*)>")
FOUND_AT = {"of": "magic", "source": "yu-gi-oh", "others": "stars-and-signs", "turn": ""}
"""By field: where it is shown, if not in any game. One's place in the turn order is a number."""
LEAVING = ("leave", "delete", "again", "resume", "bar", "rotate", "lock", "language")
"""Parts of an address whose form would end what the test looks at."""


def pages(game: Game, seat: str) -> list[str]:
    """The addresses of a game, with the sheets of its seats, and of some cards and counters."""
    state = rows.state(game)
    sheets = [f"seats/{key}" for key in state.seats]
    sheets += [f"objects/{key}" for key in [*state.objects][:4]]
    sorts = {getattr(each, "type", ""): key for key, each in state.slot_counters.items()}
    sheets += [f"slots/{key}" for key in sorts.values()]
    acts = (TEXTS / "systems" / game.system / "sheets/acts").glob("_*.html")
    sheets += [f"acts/{each.stem.removeprefix('_')}" for each in acts]
    return [f"/g/{game.slug}/{page}" for page in (*PAGES, *sheets, "slots/end", "change")]


def shown(phone: Client, path: str) -> str:
    answer = phone.get(path)
    text = answer.content.decode() if not answer.streaming else ""
    assert RAW not in text or not answer.headers["Content-Type"].startswith("text/html"), path
    return text if answer.headers.get("Content-Type", "").startswith("text/html") else ""


def typed(form: Form) -> dict[str, str]:
    """The fields of *form* with the hostile text in each that takes text."""
    sent = dict(form.filled())
    for field in form.fields:
        if field.typed and field.name and not field.name.endswith(":number"):
            sent[field.name] = HOSTILE[: field.most]
    return sent


NOT_SENT = {"_how_many.html"}
"""The templates of fields that a script reads, and no form sends."""


def fields_of(name: str) -> set[str]:
    """The fields for text in a system's templates, and in the shared ones of what it is played on.

    The shared ones are tried in any game, those of slot counters in Stars and Signs.
    """
    found = set()
    for path in TEXTS.rglob("*.html"):
        if path.name in NOT_SENT:
            continue
        room, inside = path.relative_to(TEXTS).parts[:2] if path.parent != TEXTS else ("", "")
        own = {"systems": inside, "slots": "stars-and-signs"}.get(room, "")
        for _tag, said in FIELD.findall(path.read_text(encoding="utf-8")):
            field, kind = (re.search(rf'{each}="?([^" ]+)', said) for each in ("name", "type"))
            if field and "{{" not in field[1] and (not kind or kind[1] in TYPED):
                if name == FOUND_AT.get(field[1], own or "any-game"):
                    found.add(field[1])
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("name", SYSTEMS)
def test_no_field_of_any_form_brings_a_tag_onto_a_page(name: str, sit: Sit) -> None:
    demo = demos.demo(find(name))
    assert demo
    game = demos.played(demo)
    rows.give(game, ASKED.get(name, []))
    seat = game.seats.get(host=True).key
    phone, tried, taken = sit(game, seat), set[tuple[str, ...]](), 0
    reached: set[str] = set()
    rules = f"/new?rules={name}/{game.edition}"
    for page in [*pages(game, seat), *ELSEWHERE, rules, *FURTHER.get(name, ())]:
        for form in forms(shown(phone, page), page):
            path = form.action if form.action.startswith("/") else f"/g/{game.slug}/{form.action}"
            sent = typed(form)
            which = (path.replace(game.slug, ""), sent.get("do", ""), *sorted(sent))
            texts = HOSTILE[:6] in " ".join(sent.values())
            if not texts or which in tried or any(part in path for part in LEAVING):
                continue
            tried.add(which)
            reached |= {field.name for field in form.fields if field.typed}
            answer = getattr(phone, form.method)(path, sent)
            assert answer.status_code < 500, (path, sent)
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                assert RAW not in answer.content.decode(), (path, sent)
            taken += answer.status_code < 400
    assert fields_of(name) <= reached, "each is tried"
    assert len(tried) >= 8
    assert taken >= 4, "some of it is kept, and shown"
    kept = "".join(shown(phone, page) for page in [*pages(game, seat), *ELSEWHERE])
    assert "&lt;img src=x" in kept
