"""The end of each ready game, by taps on two phones: said on both with its rule, and undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct

from .tables import Host
from .test_own_game import scenario

pytestmark = pytest.mark.browser


class Last(Struct, frozen=True):
    """The last taps of a game. counters: of seats; objects: {id: (type, base, counters)} of Ana.

    taps: (who, what, value): a button or a number's plus of the board by its value, a form's keys
    on the sheet of a rule, an answer, or the next step. rule: what ends it. wins: Ana; without, all
    have lost.
    """

    game: str
    taps: list[tuple[str, str, Any]]
    rule: str
    turn: dict[str, Any] = {}
    ana: dict[str, int] = {}
    ben: dict[str, int] = {}
    table: dict[str, int] = {}
    objects: dict[str, tuple[str, dict[str, int], dict[str, int]]] = {}
    opposing: dict[str, tuple[str, dict[str, int], dict[str, int]]] = {}
    more: tuple[str, ...] = ()
    says: str = "Ana wins."

    def described(self) -> dict[str, Any]:
        """The game as a scenario, one tap before its last."""
        seats = {"ana": self.ana, "ben": self.ben, **{each: {} for each in self.more}}
        active = [*seats] if self.turn.get("round") or self.turn.get("all") else ["ana"]
        turn = {key: value for key, value in self.turn.items() if key != "all"}
        described = scenario(
            self.game,
            {seat: {"counters": counters} for seat, counters in seats.items()},
            active=active,
            **turn,
        )
        described["given"]["objects"] = {
            key: {"name": key.capitalize(), "owner": seat, "type": kind, "base": base,
                  "counters": counters}
            for seat, things in (("ana", self.objects), ("ben", self.opposing))
            for key, (kind, base, counters) in things.items()
        }  # fmt: skip
        if self.table:
            described["given"]["table"] = {"counters": self.table}
        return described


def tapped(page: Any, what: str, value: Any) -> None:
    """Do one of the last taps."""
    if what == "press":
        page.locator(f'[name=press][value="{value}"]').locator("visible=true").first.tap()
    elif what == "more":
        page.locator(f'[name=more][value="{value}"]').locator("visible=true").first.tap()
    elif what == "sheet":
        rule, *keys = value
        rule, _at, on = rule.partition("@")
        link = f'a[href*="press?rule={rule}&"][href$="on={on or "ana"}"]'
        page.locator(link).locator("visible=true").first.tap()
        for key in keys:
            page.locator(f'#sheet button[value="{key}"]').tap()
        page.locator("#sheet").wait_for(state="hidden")
    elif what == "answer":
        chosen = page.locator(f'.dock .picks-one label:has([value="{value}"])')
        chosen.or_(page.locator(f'.dock button[value="{value}"]')).first.tap()
        page.locator("#next:not([aria-disabled=true]):not([disabled])").tap()
    else:
        page.locator("#next:not([aria-disabled=true]):not([disabled])").tap()


NONE: dict[str, int] = {}
ENDS = [
    Last(
        "catan", [("ana", "press", "ana.Build a settlement")], "Ten points", more=("cleo",),
        ana={"brick": 1, "wood": 1, "wool": 1, "grain": 1, "settlements": 4, "cities": 2,
             "point cards": 1},
    ),
    Last(
        "lorcana", [("ana", "press", "owl.Quest")], "Twenty lore", {"phase": "main"},
        ana={"lore": 19}, objects={"owl": ("character", NONE, {"drying": 0})},
    ),
    Last(
        "riftbound", [("ana", "press", "hill.Conquer")], "Eight points", {"phase": "main"},
        ana={"points": 7}, objects={"hill": ("battlefield", NONE, NONE)},
    ),
    Last("keyforge", [("ana", "more", "ana.keys")], "Three keys", {"phase": "main"}, {"keys": 2}),
    Last(
        "digimon", [("ana", "press", "cub.Attack the player")], "Attack the player",
        {"phase": "main"}, ben={"security": 0}, objects={"cub": ("digimon", NONE, NONE)},
    ),
    Last(
        "flesh-and-blood", [("ana", "sheet", ("Attack", 5)), ("ben", "answer", 1)], "Out of life",
        {"phase": "action"}, ana={"action points": 1}, ben={"life": 3},
    ),
    Last(
        "one-piece", [("ana", "sheet", ("Attack@hat", "duke")), ("ben", "answer", 0)], "Attack",
        {"phase": "main"}, ben={"life": 0}, objects={"hat": ("leader", NONE, NONE)},
        opposing={"duke": ("leader", NONE, NONE)},
    ),
    Last(
        "star-wars-unlimited", [("ana", "sheet", ("Attack%20a%20base@wing", "ben"))],
        "Base destroyed", {"phase": "action", "all": True}, ben={"base": 3},
        objects={"wing": ("unit", {"power": 5, "hp": 5}, NONE)},
    ),
    Last(
        "arkham-horror", [("ana", "press", "act.Advance the act")], "Advance the act",
        {"phase": "investigation", "all": True}, {"clues": 5}, {"clues": 3}, {"investigators": 2},
        objects={"act": ("act", NONE, {"stage": 2})}, says="Ana, Ben win.",
    ),
    Last(
        "marvel-champions", [("ana", "sheet", ("Attack", "rhino"))], "The villain falls",
        {"phase": "heroes", "all": True}, table={"heroes": 2},
        objects={"rhino": ("villain", NONE, {"stage": 2, "damage": 26})}, says="Ana, Ben win.",
    ),
    Last(
        "marvel-champions", [("ana", "press", "break.Villain phase")], "The scheme advances",
        {"phase": "villain", "all": True}, table={"heroes": 2, "acceleration": 1},
        objects={"break": ("main scheme", NONE, {"threat": 12})}, says="The game is lost.",
    ),
    Last(
        "golf", [("ana", "next", None)], "The round is played", {"phase": "hole", "round": 18},
        {"strokes": 80}, {"strokes": 81},
    ),
    Last(
        "hearts", [("ana", "next", None)], "A hundred", {"phase": "deal", "round": 9},
        {"score": 9}, {"score": 100}, more=("cleo",), says="Cleo wins.",
    ),
    Last(
        "terraforming-mars", [("ana", "press", "table.Final scoring")], "Final scoring",
        {"phase": "production", "all": True}, {"rating": 30}, {"rating": 20},
        {"temperature": 8, "oxygen": 14, "oceans": 9},
    ),
]  # fmt: skip


@pytest.mark.parametrize("last", ENDS, ids=[f"{each.game}: {each.rule}" for each in ENDS])
def test_both_phones_say_the_end_and_its_rule_until_it_is_undone(
    seated: Callable[[int], list[Host]], last: Last
) -> None:
    from playwright.sync_api import expect

    ana, ben = seated(2)
    ben.page.set_viewport_size({"width": 360, "height": 640})
    address = ana.played(last.described())
    ana.open(address)
    ben.sit_down(ana.code(address))
    phones = {"ana": ana.page, "ben": ben.page}
    before = {name: page.locator("#strip").inner_text() for name, page in phones.items()}

    for who, what, value in last.taps:
        tapped(phones[who], what, value)

    for name, page in phones.items():
        own = name.capitalize() in last.says and "win" in last.says
        said = "You win." if own else last.says
        page.locator(".end-says h2", has_text=said).wait_for()
        page.locator(".end-says li", has_text=last.rule).first.wait_for()
        rule = page.locator("#moment .moment-rule, .end-says .moment-rule").last
        rule.tap()
        page.locator("#sheet", has_text=last.rule).wait_for()
        page.locator("#sheet .sheet-close").tap()
        page.locator("#sheet").wait_for(state="hidden")

    # The result stands: a number that is tapped now says so; the strip shows below that it stayed.
    more = ana.page.locator("[name=more]").locator("visible=true")
    if more.count():  # a score sheet has none
        more.first.tap()
        ana.page.locator(".refusal.is-floating", has_text="result stands").wait_for()

    last_one = phones[last.taps[-1][0]]
    last_one.locator("#undo:not([disabled])").tap()
    for name, page in phones.items():
        page.locator(".end-says").wait_for(state="detached")
        if len(last.taps) == 1:
            strip = page.locator("#strip")  # once what has changed is no longer told there
            expect(strip).to_have_text(before[name], use_inner_text=True)
