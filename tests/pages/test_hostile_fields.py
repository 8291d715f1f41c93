"""Text that would be a script, in every field of every form: found in the forms, not in a list.

`tests/browser/test_hostile_text.py` shows in a browser that what is escaped like this never runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from games.live.table_registry import registry
from games.models import Game
from games.store import demos, rows
from games.systems import SYSTEMS, find
from tests.forms import Form, forms

pytestmark = pytest.mark.django_db(transaction=True)

HOSTILE = "\"><img src=x onerror=ran()>'`${1}"
RAW = "<img src=x"
PAGES = (
    "", "log", "log.md", "seats/", "cards/new", "notes", "tools", "several", "keep", "share",
    "summary", "tv", "flat", "rules", "slots/new", "slots/board", "slots/scene", "slots/several",
)  # fmt: skip
ELSEWHERE = ("/", "/new", "/new/file")
LEAVING = ("leave", "delete", "again", "resume", "bar", "rotate", "lock", "language")
"""Parts of an address whose form would end what the test looks at."""


@pytest.fixture(autouse=True)
def tables(db: None) -> Iterator[None]:
    yield
    registry.close()


def pages(game: Game, seat: str) -> list[str]:
    """The addresses of a game, with the sheets of its seats, and of some cards and counters."""
    state = rows.state(game)
    sheets = [f"seats/{key}" for key in state.seats]
    sheets += [f"objects/{key}" for key in [*state.objects][:4]]
    sheets += [f"slots/{key}" for key in [*state.slot_counters][:3]]
    return [f"/g/{game.slug}/{page}" for page in (*PAGES, *sheets)]


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


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_field_of_any_form_brings_a_tag_onto_a_page(
    name: str, sit: Callable[[Game, str], Client]
) -> None:
    demo = demos.demo(find(name))
    assert demo
    game = demos.played(demo)
    seat = game.seats.get(host=True).key
    phone, tried, taken = sit(game, seat), set[tuple[str, ...]](), 0
    for page in [*pages(game, seat), *ELSEWHERE]:
        for form in forms(shown(phone, page), page):
            path = form.action if form.action.startswith("/") else f"/g/{game.slug}/{form.action}"
            sent = typed(form)
            which = (path.replace(game.slug, ""), sent.get("do", ""), *sorted(sent))
            texts = HOSTILE[:6] in " ".join(sent.values())
            if not texts or which in tried or any(part in path for part in LEAVING):
                continue
            tried.add(which)
            answer = getattr(phone, form.method)(path, sent)
            assert answer.status_code < 500, (path, sent)
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                assert RAW not in answer.content.decode(), (path, sent)
            taken += answer.status_code < 400
    assert len(tried) >= 8
    assert taken >= 4, "some of it is kept, and shown"
    kept = "".join(shown(phone, page) for page in [*pages(game, seat), *ELSEWHERE])
    assert "&lt;img src=x" in kept
