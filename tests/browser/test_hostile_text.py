"""Text that would be a script, in everything that has a name: it is shown, and never run."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.night import Night
from tests.types import Phones

from .tables import CARDS, Host, middle

pytestmark = pytest.mark.browser


HOSTILE = "\"><img src=x onerror=ran()>'`${1}"
"""At most forty characters, as a name."""
TRAP = """
  window.caught = [];
  window.ran = () => caught.push("ran");
  addEventListener("securitypolicyviolation", (event) => caught.push(event.violatedDirective));
  document.addEventListener("error", ({ target }) => target.src && caught.push(target.src), true);
"""
PAGES = (
    "", "log", "seats/", "seats/ana", "objects/ana-1", "notes", "summary", "tv", "flat", "share",
    "keep", "rules", "several", "programs",
)  # fmt: skip
SYSTEMS = [*CARDS, "stars-and-signs"]


def described(system: str) -> dict[str, Any]:
    """A game in which every text that a file may bring is hostile."""
    if system == "stars-and-signs":
        counter = {
            "name": HOSTILE, "type": "danger", "slots": 5, "scene": HOSTILE, "completes": HOSTILE,
            "thresholds": {"3": HOSTILE},
        }  # fmt: skip
        return {
            "id": "x", "title": HOSTILE, "system": system, "then": {},
            "given": {"seats": {"gm": {}, "ana": {}}, "slot_counters": {"c1": counter}},
            "when": [{"do": "fill", "by": "gm", "on": "c1", "slots": 3, "note": HOSTILE}],
            "names": {"gm": HOSTILE, "ana": HOSTILE},
        }  # fmt: skip
    made = middle(system, 2)
    for card in made["given"]["objects"].values():
        card["name"] = HOSTILE
    note = {"do": "note", "by": "ana", "as": "n1", "text": HOSTILE * 3}
    tap = {"do": "throw", "by": "ana", "dice": "d6", "result": [3], "note": HOSTILE}
    made |= {"title": HOSTILE, "names": dict.fromkeys(made["names"], HOSTILE)}
    made["when"] = [note, tap]
    return made


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_text_is_ever_run(phone: Phones, running: Night, system: str) -> None:
    ana = phone()
    ana.context.add_init_script(TRAP)
    host = Host(ana, running.site)
    board = host.played(described(system))
    shown = 0
    for page in PAGES:
        answer = ana.goto(board + page)
        if answer.status == 404:
            continue  # this system has no such page
        assert [] == ana.evaluate("caught"), page
        assert not re.search(r"<img src=x", ana.content()), page
        shown += HOSTILE in ana.inner_text("body")
    assert shown >= 3, "the text itself is shown"
    assert json.dumps(HOSTILE)[1:-1] in host.web.get(f"{board}state.json").text()
