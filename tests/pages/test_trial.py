"""The trial of a game that is being written is the real board, without a database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.store import rows
from games.systems.own_game.writing.trial import NAMES
from tests.page import Node, parsed
from tests.ready import DRAWN

READY = {name: game for name, game in DRAWN.items() if "gm" not in game}
"""A game with a GM is not tried on its page."""
NEW = {"rules": "own-game/1", "seats": "2", "name": "Ana"}
MINE: dict[str, Any] = {
    "title": "Mill",
    "things": [{"type": "cart", "prints": {"load": 3}}],
    "numbers": [
        {"kind": "flour", "on": "player", "big": True},
        {"kind": "bread", "on": "player", "most": 4},
        {"kind": "wind", "on": "table"},
        {"kind": "sacks", "on": "cart"},
    ],
    "rules": [
        {"rule": "Harvest", "when": {"begins": "turn"}, "do": [{"add": 2, "of": "flour"}]},
        {
            "rule": "Bake",
            "when": {"pressed": "Bake", "on": "player", "number": {"least": 1, "most": 3}},
            "do": [{"add": "chosen", "of": "bread"}],
        },
        {
            "rule": "Count",
            "when": {"pressed": "Count", "on": "player"},
            "do": [
                {
                    "ask": "How much wind?", "least": 0, "most": 9,
                    "then": [{"add": "answer", "of": "wind", "on": "table"}],
                },
            ],
        },
    ],
}  # fmt: skip


class Page:
    """The page where a game is written: what it holds, and what a browser sends of it."""

    def __init__(self, client: Client, definition: Any, **fields: str) -> None:
        self.client = client
        self.sent({**NEW, "definition": json.dumps(definition), "open": "page", **fields})

    def sent(self, fields: dict[str, str]) -> None:
        answer = self.client.post("/new/write", fields)
        assert 200 == answer.status_code
        self.html = answer.content.decode()
        self.tree = parsed(self.html[self.html.index("<html") :])

    @property
    def trial(self) -> Node:
        return next(node for node in self.tree.all() if node.attributes.get("id") == "live")

    def press(self, name: str, value: str) -> None:
        """Press a button that is there."""
        pressed = {"name": name, "value": value}
        assert pressed in [
            {key: node.attributes.get(key) for key in pressed} for node in buttons(self.trial)
        ]
        self.sent({**self.fields(), name: value})

    def give(self, verb: str, **typed: str) -> None:
        """Send the form of that command on the board, after having *typed* something."""
        forms = [node for node in self.trial.all() if node.tag == "form"]
        form = next(each for each in forms if fields_of(each.all())["do"] == verb)
        assert "/new/write" == form.attributes["action"]
        self.sent({**fields_of(form.all()), **typed})

    def fields(self) -> dict[str, str]:
        form = next(node for node in self.tree.all() if node.attributes.get("id") == "t")
        beside = [node for node in self.tree.all() if node.attributes.get("form") == "t"]
        return {**NEW, **fields_of([*beside, *form.all()])}

    def amount(self, id: str) -> str:
        return next(node.text for node in self.trial.all() if node.attributes.get("id") == id)


def fields_of(inside: Iterable[Node]) -> dict[str, str]:
    return {
        str(node.attributes["name"]): node.attributes.get("value") or ""
        for node in inside
        if node.tag == "input"
        and "name" in node.attributes
        and node.attributes.get("type") not in ("radio", "checkbox")
    }


def buttons(tree: Node) -> Iterator[Node]:
    yield from (node for node in tree.all() if node.tag == "button")


def shown(tree: Node) -> set[tuple[str, str]]:
    """The numbers of a board and its buttons, those that open a sheet too."""
    found = {
        ("number", str(node.attributes["data-kind"]))
        for node in tree.all()
        if "data-kind" in node.attributes
    }
    for node in tree.all():
        facts = node.attributes
        if node.tag == "button" and facts.get("form") == "t":
            found.add((str(facts["name"]), str(facts.get("value"))))
        elif node.tag == "a" and re.match("acts/|cards/", facts.get("href") or ""):
            found.add(("opens", str(facts["href"])))
    return found


@pytest.mark.parametrize("title", [each for each in READY if "numbers" in READY[each]])
def test_a_trial_shows_each_number_and_each_button_of_the_real_board(
    client: Client, db: None, title: str
) -> None:
    least = READY[title].get("players", {}).get("least", 2)
    seats = {"players": str(max(least, 2)), "seats": str(max(least, 2))}
    definition = {"definition": json.dumps(READY[title]), "title": title}
    made: Any = client.post("/new", {**NEW, **definition, **seats})
    game = Game.objects.get(slug=made.url.split("/")[2])
    table = client.get(f"/g/{game.slug}/").content.decode()
    real = parsed(table[table.index("<html") :])
    board = [
        node
        for node in real.all()
        if node.attributes.get("id") in ("strip", "board", "cockpit", "turn")
    ]

    trial = Page(client, READY[title], **seats)

    assert [*rows.state(game).seats] == [*NAMES][: int(seats["seats"])]
    of_table = {each for part in board for each in shown(part)}
    assert len(of_table) > len(READY[title]["numbers"])
    assert set() == of_table - shown(trial.trial)


def test_a_tap_on_the_board_is_played_and_the_rule_that_fires_lights_up(client: Client) -> None:
    page = Page(client, MINE)
    page.press("more", "ana.flour")
    assert ("1", 0) == (page.amount("ana.flour"), page.html.count('class="is-fired"'))

    page.press("begin-turn", "ana")

    assert ("3", 1) == (page.amount("ana.flour"), page.html.count('class="is-fired"'))
    page.sent({**page.fields(), "change": '{"untap":1}'})
    assert "1" == page.amount("ana.flour")


def test_the_sentence_that_fires_has_its_numbers_marked_and_not_what_it_compares(
    client: Client,
) -> None:
    rule = {
        "rule": "Sell",
        "when": {
            "pressed": "Sell",
            "on": "player",
            "costs": [{"pay": 2, "of": "flour"}, {"pay": 1, "of": "loaves"}],
        },
        "if": [{"number": "bread"}, "<", 4],
        "do": [{"add": 3, "of": "bread"}],
    }
    loaves = {"kind": "loaves", "on": "player", "start": 1}
    page = Page(client, {**MINE, "numbers": [*MINE["numbers"], loaves], "rules": [rule]})
    for _tap in range(2):
        page.press("more", "ana.flour")
    assert "<mark>" not in page.html

    page.press("press", "ana.Sell")

    marked = [node.text for node in page.tree.all() if node.tag == "mark"]
    assert ["2", "one of the", "3"] == marked


def test_a_sentence_is_changed_between_its_neighbours(client: Client) -> None:
    rules = [{**MINE["rules"][0], "rule": name} for name in ("First", "Second", "Third", "Fourth")]
    page = Page(client, {**MINE, "rules": rules}, open="rule", at='["rules",1]')

    lines = [node for node in page.tree.all() if node.tag == "li" and "value" in node.attributes]
    assert ["1", "2", "3"] == [node.attributes["value"] for node in lines]
    opens = [each.attributes["value"] for line in lines for each in buttons(line)]
    assert '{"go":"rule","at":["rules",0]}' == opens[0]
    assert '{"go":"rule","at":["rules",2]}' == opens[-1]


def test_a_button_that_asks_for_a_number_opens_its_sheet_in_the_trial(client: Client) -> None:
    page = Page(client, MINE)
    page.press("opens", "acts/press?rule=Bake&on=ana")

    page.give("press", **{"number:number": "3"})

    assert "3" == page.amount("ana.bread")
    assert "trial-sheet" not in page.html


def test_a_question_is_answered_there_and_other_buttons_leave_it_open(client: Client) -> None:
    page = Page(client, MINE)
    page.press("press", "ben.Count")
    assert "ben" == page.trial.attributes["data-docked"]
    page.press("more", "table.wind")

    page.give("answer", **{"number:number": "7"})

    assert "8" == page.amount("table.wind")
    assert (
        "How much wind?"
        not in page.html[page.html.index('id="live"') : page.html.index("trial-acts")]
    )


def test_a_thing_is_added_and_counted_on(client: Client) -> None:
    page = Page(client, MINE)
    page.press("opens", "cards/new?seat=ana")
    page.give("create", type="cart", name="Old cart")
    (more,) = [
        str(node.attributes["value"])
        for node in buttons(page.trial)
        if str(node.attributes.get("value")).endswith(".sacks")
        and node.attributes["name"] == "more"
    ]

    page.press("more", more)

    assert "Old cart" in page.html
    assert "1" == page.amount(more)


def test_another_player_sits_down_and_the_taps_stay(client: Client) -> None:
    page = Page(client, MINE)
    page.press("more", "ben.flour")

    page.sent({**page.fields(), "change": '{"players":"+"}'})

    assert ["0", "1", "0"] == [page.amount(f"{seat}.flour") for seat in ("ana", "ben", "cleo")]


def test_a_rule_that_sets_itself_off_is_named_at_the_board(client: Client) -> None:
    rule = {"rule": "Echo", "when": {"changes": "flour"}, "do": [{"add": 1, "of": "flour"}]}
    page = Page(client, {**MINE, "rules": [rule]})
    page.press("more", "ana.flour")

    assert "“Echo” sets itself off again and again." in page.html
    assert "0" == page.amount("ana.flour")


def test_a_trial_leads_to_no_table(client: Client) -> None:
    """No form within another, no link to a table that is not there, and each id once."""
    page = Page(client, MINE)
    page.press("press", "ana.Count")
    page.press("opens", "acts/press?rule=Bake&on=ana")
    inside = [*page.trial.all()]
    forms = [node for node in page.tree.all() if node.tag == "form"]

    assert 5 == len(forms)
    assert [] == [node for form in forms for node in [*form.all()][1:] if node.tag == "form"]
    links = [
        node.attributes["href"] for node in inside if node.tag == "a" and "href" in node.attributes
    ]
    assert {"#"} == {str(link)[0] for link in links}
    ids = [node.attributes["id"] for node in page.tree.all() if "id" in node.attributes]
    assert len({*ids}) == len(ids)


def test_the_marks_of_a_trial_with_a_gm_are_those_of_its_players(client: Client) -> None:
    found = client.get("/new?rules=own-game&ready=any-rpg&title=Friday").content.decode()
    tree = parsed(found[found.index("<html") :])

    marks = {node.text for node in tree.all() if node.attributes.get("class") == "seat-mark"}
    assert {"A", "B"} == marks
    assert 'placeholder="hp 8, omens 2, silver"' in found, "what is typed takes the place of it all"
