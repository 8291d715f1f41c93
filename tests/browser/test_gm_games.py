"""Games with a GM on phones: a GM's and two players', from the first page."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from games.store import demos
from tests.night import Night
from tests.types import Phones

from .tables import Host
from .test_axe import complaints
from .test_gms_hands import shows

pytestmark = pytest.mark.browser


BROKEN = """() => [...document.querySelectorAll(".slot-name a")].filter((name) => {
    const words = document.createRange();
    words.selectNodeContents(name);
    return new Set([...words.getClientRects()].map((each) => Math.round(each.bottom))).size > 3;
  }).map((name) => name.textContent)"""
"""Names that stand in a column of letters."""


class Evening:
    """A table that the GM made of a set by taps on a phone, with Ana and Ben at it."""

    def __init__(self, phone: Phones, night: Night, set_title: str) -> None:
        self.gm, self.ana, self.ben = phone(), phone(), phone(360, 640)
        self.received: list[str] = []
        self.ana.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda text: self.received.append(str(text))),
        )
        self.gm.goto(f"{night.site}/?q={quote(set_title)}&go=")
        self.gm.get_by_role("button", name="Begin").tap()
        self.gm.wait_for_url("**/share")
        code = self.gm.locator(".share-code b").inner_text()
        self.table = self.gm.url.removesuffix("share")
        self.gm.get_by_role("link", name="Go to the table").tap()
        self.host = Host(self.gm, night.site)
        for player, name in ((self.ana, "Ana"), (self.ben, "Ben")):
            Host(player, night.site).sit_down(code)
            player.get_by_label("What’s your name?").fill(name)
            with player.expect_response("**/name") as answered:
                player.get_by_role("button", name="OK").tap()
            if answered.value.headers.get("hx-redirect"):  # the numbers of one's own sheet
                player.get_by_role("button", name="Sit down").tap()
                player.wait_for_selector("#board")
            shows(self.gm, "#party", name)

    def types(self, line: str, preview: str) -> None:
        self.gm.locator("#typed-line").fill(line)
        shows(self.gm, "#typed-preview", preview)
        self.gm.keyboard.press("Enter")
        self.gm.wait_for_function("() => !document.getElementById('typed-line').value")

    def row(self, page: Any, name: str) -> Any:
        return page.locator("#groups .slot", has_text=name).first


def test_a_fight_with_a_hidden_creature(phone: Phones, running: Night) -> None:
    evening = Evening(phone, running, "Dungeons & Dragons")
    gm, ana, ben = evening.gm, evening.ana, evening.ben
    for place, name in (("#own", "Hit points, 1 fewer"), ("#chips", "Spend one slot of Spell")):
        ana.locator(place).get_by_role("button", name=name).wait_for()
    evening.types("Orc foe 20 init 12", "Orc · Foe’s hit points · 20 slots · initiative 12")
    evening.types(
        "Ghoul foe 9 init 14 hidden",
        "Ghoul · Foe’s hit points · 9 slots · initiative 14 · Only you",
    )
    for page in (ana, ben):
        shows(page, "#groups", "unhurt")

    # Ten of twenty points: players read a word, and only when it changes.
    orc = evening.row(gm, "Orc").get_attribute("data-counter")
    evening.host.give(do="fill", on=orc, slots=9)
    shows(ana, "#groups", "hurt")
    evening.row(gm, "Orc").locator(".slot-stepper button").first.tap()
    for page in (ana, ben):
        shows(page, "#groups", "bloodied")
        assert "10" not in evening.row(page, "Orc").inner_text().split()[1:]

    # A line without a type is asked for it, each with its sign.
    gm.locator("#typed-line").fill("Bridge")
    gm.keyboard.press("Enter")
    tile = gm.locator(".typed-field .slot-tile", has_text="Clock")
    tile.wait_for()
    assert tile.evaluate("(each) => getComputedStyle(each, '::before').maskImage.includes('url')")
    gm.locator("#typed-line").fill("")

    # The turn order: the hidden one is first, and players learn nothing of it.
    gm.locator("#bar").get_by_role("button", name="Turns").tap()
    shows(ana, "#groups .is-fight", "Round 1")
    got = len(evening.received)
    gm.locator("#bar").get_by_role("button", name="Next: Ghoul").tap()
    gm.locator("#bar").get_by_role("button", name="Next: Orc").wait_for()
    assert got == len(evening.received), "the hidden creature's turn sent a frame"
    gm.locator("#bar").get_by_role("button", name="Next: Orc").tap()
    for page in (ana, ben):
        shows(page, "#groups .is-fight", "Orc’s turn")
    # A number that is being typed stays while its sheet follows the table.
    evening.row(gm, "Orc").locator("a").first.tap()
    gm.locator("#sheet [data-focus]:focus").wait_for()
    gm.keyboard.type("1")
    evening.host.give(do="afflict", on=orc, name="Prone", rounds=2)
    shows(ben, "#groups .is-fight", "Prone, 2")
    gm.locator("#sheet").get_by_role("button", name="One turn more").wait_for()
    gm.keyboard.type("2")
    assert "12" == gm.locator("#sheet [data-focus]").input_value()
    gm.locator("#sheet .sheet-close").tap()
    assert "Ghoul" not in "".join(evening.received) + ana.content() + ben.content()

    # So many at once, from one's own number, and from a line.
    ana.locator("#own [data-own-pad]").tap()
    ana.keyboard.type("7")
    ana.locator("#own-pad").get_by_role("button", name="Hit").tap()
    shows(gm, "#party", "13")
    ana.locator("#own-pad").wait_for(state="hidden")
    evening.types("orc -3", "Orc · 10/20 → 7/20 · players read “bloodied”")
    gm.locator("#groups .slot", has_text="Orc").locator("b", has_text="7").first.wait_for()

    # A player's turn is theirs by name, and so is the row of the player's own points.
    mine = ana.locator("#own .is-hero").get_attribute("data-counter")
    evening.host.give(do="edit", on=mine, initiative=8)
    gm.locator("#bar").get_by_role("button", name="Next: Ana").tap()
    evening.host.give(do="afflict", on=mine, name="Poisoned", rounds=3)
    shows(ana, "#own", "Poisoned, 3")
    shows(ana, "#groups .is-fight", "your turn")
    assert "Ana’s turn, round 1" in gm.context.request.get(f"{evening.table}log").text()
    for page in (ana, ben):
        assert [] == page.evaluate(BROKEN)
    for page in (gm, ana, ben):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # Whoever looks for the next one finds the set by the game's usual name.
    gm.goto(running.site)
    gm.get_by_label("What do you play?").fill("dnd")
    gm.get_by_role("link", name="Dungeons & Dragons").wait_for()
    gm.get_by_role("link", name="Blades in the Dark").wait_for(state="hidden")


def test_a_score_with_clocks_and_what_an_outcome_ticks(phone: Phones, running: Night) -> None:
    evening = Evening(phone, running, "Blades in the Dark")
    gm, ana, ben = evening.gm, evening.ana, evening.ben
    evening.types("Cellar door goal 4", "Cellar door · Goal · 4 slots · All")
    evening.types("Lampblacks faction 8", "Lampblacks · Faction · 8 slots · Only you")
    evening.row(ana, "Cellar door").locator(".pie").wait_for()

    ana.locator("#bar").get_by_role("link", name="Action happened").tap()
    ana.locator("#sheet").get_by_role("button", name="6, it works").tap()
    gm.locator("#asked").get_by_role("link", name="What follows").tap()
    gm.locator("#sheet").get_by_role("button", name="Cellar door").first.tap()
    for page in (ana, ben):
        page.locator("#groups .slot", has_text="Cellar door").locator(
            ".pie .is-filled"
        ).first.wait_for()

    # The clock that was filled stays beside the position: the next outcome is one tap.
    gm.locator("#sheet").wait_for(state="hidden")  # nothing was left to choose
    gm.locator("#asked .proposal").wait_for(state="detached")
    gm.get_by_role("combobox", name="Effect").select_option("Great")
    gm.locator("#act").get_by_role("button", name="Two 6s").tap()
    ana.locator("#groups .slot.is-complete", has_text="Cellar door").wait_for()
    assert not gm.locator("#sheet").is_visible()

    ana.locator("#own").get_by_role("button", name="Fill one slot of Stress").tap()
    shows(ben, "#party", "1")
    harm = ana.locator("#own .own-tracks li", has_text="Lesser harm")
    for button, then in (("Fill", "1"), ("Clear", "0")):  # at hand, even while it is empty
        harm.get_by_role("button", name=f"{button} one slot of Lesser harm").tap()
        harm.locator("b", has_text=then).wait_for()
    assert "Lampblacks" not in "".join(evening.received)
    for page in (ana, ben):
        page.locator(".is-mine summary").tap()
        page.locator(".is-mine .slot", has_text="Lesser harm").wait_for()
        assert [] == page.evaluate(BROKEN)

    # A laptop has the outcomes beside each other, whole.
    gm.set_viewport_size({"width": 1280, "height": 800})
    assert gm.evaluate(
        """() => {
          const found = [...document.querySelectorAll("#act button")];
          const tops = new Set(found.map((each) => each.getBoundingClientRect().top));
          return found.length === 4 && tops.size === 1 && found.every(
            (each) => each.scrollWidth <= each.clientWidth + 1);
        }"""
    )
    gm.evaluate("document.documentElement.style.fontSize = '212.5%'")
    assert gm.evaluate(
        """() => {
          const room = document.getElementById("cockpit").getBoundingClientRect();
          const all = [...document.querySelectorAll("#bar :is(a, button)")];
          const right = Math.max(...all.map((each) => each.getBoundingClientRect().right));
          const acts = document.querySelector(".acts").getBoundingClientRect();
          return acts.height < innerHeight / 2 && right <= room.right + 1;
        }"""
    ), "with letters twice as big the outcomes stand below the notes, or take the whole board"
    gm.evaluate("document.documentElement.style.fontSize = ''")
    gm.set_viewport_size({"width": 390, "height": 844})

    # On a GM's phone a pie stands beside its name, not over it.
    evening.host.give(do="together", steps=[
        {"do": "create", "as": f"n{n}", "name": f"Clock {n}", "type": "goal"} for n in range(9)
    ])  # fmt: skip
    evening.row(gm, "Clock 8").wait_for()
    name, pie = (
        evening.row(gm, "Cellar door").locator(each).bounding_box() for each in ("a", ".pie svg")
    )
    assert name["x"] + name["width"] <= pie["x"] + 44
    assert gm.evaluate(
        """() => [...document.querySelectorAll(".slot:has(.pie)")].every((slot) => {
          const words = document.createRange();
          words.selectNodeContents(slot.querySelector(".slot-name a"));
          const pie = slot.querySelector(".pie svg").getBoundingClientRect();
          return !pie.width || words.getBoundingClientRect().right <= pie.left;
        })"""
    )


def test_what_a_rule_told_goes_with_the_gms_undo_and_comes_back(
    phone: Phones, running: Night
) -> None:
    gm, ana = phone(1280, 800), phone()
    received: list[str] = []
    ana.on("websocket", lambda it: it.on("framereceived", lambda text: received.append(str(text))))
    rule = {"rule": "Fires", "when": {"completes": "clock"},
            "do": [{"tell": "The guards come", "to": "players"}]}  # fmt: skip
    hidden = {"name": "Alarm", "type": "clock", "slots": 4, "filled": 2, "visibility": "hidden"}
    host = Host(gm, running.site)
    address = host.played({
        "id": "guards", "title": "Guards", "system": "own-game", "when": [], "then": {},
        "definition": {"title": "Guards", "rules": [rule],
                       "gm": {"types": [{"type": "clock", "name": "Clock"}]}},
        "given": {"seats": {"gm": {}, "ana": {}}, "slot_counters": {"a": hidden, "b": {
            "name": "Tide", "type": "clock", "slots": 4, "visibility": "open"}}},
    })  # fmt: skip
    host.open(address)
    Host(ana, running.site).join(address, host, seat="ana")

    host.give(do="fill", on="a", slots=2)
    said = ana.locator("#banner", has_text="The guards come")
    said.wait_for()
    host.give(do="undo")
    said.wait_for(state="detached")
    host.give(do="redo")
    said.wait_for()
    host.give(do="fill", on="b", slots=1)
    shows(ana, "#groups", "1/4")
    host.give(do="undo")
    shows(ana, "#groups", "0/4")
    assert said.count(), "another act was undone"
    host.give(do="undo")
    said.wait_for(state="detached")
    assert "The guards come" not in ana.content()

    # What is hidden is undone without a sign of it.
    host.give(do="clear", on="a", slots=1)
    got = len(received)
    host.give(do="undo")
    gm.locator("#groups .slot", has_text="Alarm").locator("b", has_text="2").first.wait_for()
    assert (got, 0) == (len(received), "".join(received).count("Alarm"))


TICKS = """(button) => [...button.querySelectorAll("[data-fills]:not([hidden])")]
    .map((tick) => tick.textContent.replace(/\\s+/g, " ").trim()).join(", ")"""
"""What a button says that its tap ticks."""


def test_an_outcome_says_what_its_tap_ticks(phone: Phones, running: Night) -> None:
    gm, ana = phone(360, 640), phone()
    rules = json.loads(json.dumps(demos.ready_games("own-game")["blades-in-the-dark"]))
    rules["gm"]["outcomes"][2]["ticks"].append({"type": "danger", "slots": 1, "clears": True})
    host = Host(gm, running.site)
    address = host.played({
        "id": "score", "title": "Score", "system": "own-game", "when": [], "then": {},
        "definition": rules, "names": {"gm": "Gwen", "ana": "Ana"},
        "given": {"seats": {"gm": {}, "ana": {}}, "slot_counters": {
            "v": {"name": "The vault door", "type": "goal", "slots": 8},
            "w": {"name": "The watch closes in", "type": "danger", "slots": 8, "filled": 2,
                  "visibility": "open"},
            "x": {"name": "Later", "type": "goal", "slots": 8, "scene": "Attic"},
        }, "scenes": {"Attic": "prepared"}},
    })  # fmt: skip
    host.open(address)
    Host(ana, running.site).join(address, host, seat="ana")

    def says(outcome: str, ticks: str) -> Any:
        button = gm.locator("#act").get_by_role("button", name=outcome)
        gm.wait_for_function(f"([it, says]) => ({TICKS})(it) === says", arg=[
            button.element_handle(), ticks,
        ])  # fmt: skip
        return button

    says("4–5, at a cost", "Goal +2, Danger +2")
    says("6, it works", "Goal +2, Danger −1")
    gm.get_by_role("combobox", name="Position").select_option("Controlled")
    gm.get_by_role("combobox", name="Effect").select_option("Great")
    goal = gm.get_by_role("combobox", name="Goal")
    assert ["Goal?", "The vault door"] == goal.locator("option").all_inner_texts()
    goal.select_option("v")
    gm.get_by_role("combobox", name="Danger").select_option("w")

    # The number that was said is the one that is applied, on both screens.
    vault, watch = 0, 2
    for outcome, ticks, filled, more in (
        ("4–5, at a cost", "vault +3, watch +1", 3, 1),
        ("6, it works", "vault +3, watch −1", 3, -1),
    ):
        says(outcome, ticks).tap()
        vault, watch = vault + filled, watch + more
        for page in (gm, ana):
            shows(page, "#groups [data-counter=v]", f"{vault}/8")
            shows(page, "#groups [data-counter=w]", f"{watch}/8")
    assert not gm.locator("#sheet").is_visible(), "nothing is left to be asked"
    assert not ana.locator("[data-fills]").count()
    assert 360 == gm.evaluate("document.documentElement.scrollWidth")
    assert [] == complaints(gm)


def test_the_number_that_a_button_asks_for_is_under_the_fingers(
    phone: Phones, running: Night
) -> None:
    gm, ana = phone(), phone()
    host = Host(gm, running.site)
    address = host.fresh("own-game", ready="mothership")
    Host(ana, running.site).join(address, host)
    ana.get_by_role("link", name="Take damage").tap()
    ana.locator("#sheet [data-focus]:focus").wait_for()
    ana.keyboard.type("25")
    ana.keyboard.press("Enter")
    ana.locator("#own .is-hero b", has_text="15").first.wait_for()
    # Of what it did besides, nothing that only rules look at.
    ana.locator('#undo[aria-label^="Undo: pressed Damage; 20 damage to"]').wait_for()


def test_four_tracks_stand_two_by_two_in_a_cockpit(phone: Phones, running: Night) -> None:
    evening = Evening(phone, running, "Daggerheart")
    gm, ana, ben = evening.gm, evening.ana, evening.ben
    shows(ben, "#groups", "Fear")  # it is there from the start, in words
    for page in (ana, ben):
        boxes = [each.bounding_box() for each in page.locator("#own .own-tracks li").all()]
        assert 2 == len({box["x"] for box in boxes}) == len({box["y"] for box in boxes})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ana.get_by_role("button", name="Fill one slot of Hope").tap()
    ana.locator("#own .own-tracks li", has_text="Hope").locator("b", has_text="3").wait_for()
    shows(gm, "#party", "3")


def test_a_rule_rolls_dice_in_one_tap_and_all_see_them_fall(phone: Phones, running: Night) -> None:
    evening = Evening(phone, running, "Mothership")
    ana, ben = evening.ana, evening.ben
    ana.locator('[name=press][value$=".Panic check"]:visible').first.tap()
    ana.get_by_role("button", name="Roll d20").tap()

    ben.locator("#chance", has_text="Ana rolled d20").wait_for(state="attached")
    ana.locator(".prompt").wait_for(state="detached")
    ana.goto(f"{evening.table}log")
    assert ana.get_by_text("Ana rolled d20").count()
    assert not ana.get_by_text("answered").count(), "the dice have said it"


def test_progress_is_marked_by_rank_and_momentum_is_burned(phone: Phones, running: Night) -> None:
    evening = Evening(phone, running, "Ironsworn")
    gm, ana, ben = evening.gm, evening.ana, evening.ben
    evening.types("Avenge my kin extreme @ana", "Avenge my kin · Extreme · 10 slots · Ana · All")
    ana.get_by_text("Unfold").tap()
    vow = evening.row(ana, "Avenge my kin")
    for reads in ("½/10", "1/10", "1½/10"):
        vow.get_by_role("button", name="Avenge my kin, 2 more").tap()
        vow.locator(".slot-text", has_text=reads).wait_for()
    assert 10 == vow.locator(".boxes i").count()
    assert vow.locator(".boxes").is_visible(), "the boxes are what is looked at"
    assert 1 == vow.locator(".boxes .is-filled").count() == vow.locator(".is-crossed").count()
    shows(gm, "#groups", "1½/10")

    momentum = ben.locator("#own .own-tracks li", has_text="Momentum")
    less = momentum.get_by_role("button", name="Momentum, 1 fewer")
    for reads in ("1", "0", "−1"):
        less.tap()
        momentum.locator("b", has_text=reads).wait_for()
    shows(ana, "#party", "−1")
    momentum.get_by_role("link").tap()
    ben.locator("#sheet").get_by_role("button", name="Back to 2").tap()
    momentum.locator("b", has_text="2").wait_for()
    shows(gm, "#party", "2")


def test_what_is_counted_is_changed_by_taps_while_everyone_plays(
    phone: Phones, running: Night
) -> None:
    evening = Evening(phone, running, "Any RPG")
    gm, ana = evening.gm, evening.ana
    gm.goto(f"{evening.table}change")
    gm.locator("#more > summary").tap()

    def another(what: str, name: str) -> None:
        """Begin one more of a list of the set, and call it *name*."""
        gm.locator(f"#more h2:text-is('{what}') + .pieces .is-more").tap()
        gm.locator(".sentence .word").first.tap()
        gm.locator("#dock input[name=said]").fill(name)
        gm.locator("#dock").get_by_role("button", name="Set").tap()
        gm.locator(".sentence .word", has_text=name).wait_for()
        gm.locator("#dock .dock-wider").wait_for(state="detached")

    def taps(*words: str) -> None:
        for word in words:
            gm.locator("#dock").get_by_role("button", name=word, exact=True).tap()
            gm.locator("#dock [aria-pressed=true]", has_text=word).wait_for()

    another("What can be counted", "Heat")
    taps("Boxes", "only the GM")
    assert [] == complaints(gm)
    assert gm.evaluate("document.documentElement.scrollWidth <= innerWidth")
    gm.get_by_role("button", name="Done").tap()
    another("How an Action can end", "Mixed")
    taps("Amber")
    gm.get_by_role("button", name="Done").tap()
    another("Conditions", "Poisoned")
    gm.get_by_role("button", name="+ ends after rounds").tap()
    gm.locator("#dock").get_by_role("button", name="more").tap()
    gm.get_by_role("button", name="Done").tap()
    gm.get_by_role("button", name="What would change").tap()
    for text in (
        "Heat: 6 boxes",
        "Outcome Mixed: any counter +1",
        "Condition Poisoned, for 2 rounds",
    ):
        shows(gm, "ul", text)
    gm.get_by_role("button", name="Change the rules").tap()
    gm.locator("#board").wait_for()
    gm.locator('#bar [data-colour="danger"]', has_text="Mixed").wait_for()

    evening.types("Wanted heat open", "Wanted · Heat · 6 slots · All")
    shows(ana, "#groups", "Wanted")
    assert 6 == ana.locator("#groups .slot", has_text="Wanted").locator(".boxes i").count()
    ana.locator("#bar").get_by_role("link", name="Action happened").tap()
    ana.locator("#sheet").get_by_role("button", name="Mixed").tap()
    gm.locator("#asked").get_by_role("link", name="What follows").tap()
    gm.locator("#sheet").get_by_role("button", name="Wanted").tap()
    shows(ana, "#groups", "1/6")


def test_a_table_for_a_game_that_is_new_here_takes_a_line(phone: Phones, running: Night) -> None:
    gm = phone(360, 640)
    gm.goto(running.site)
    gm.get_by_label("What do you play?").fill("Zyrk Blorg")
    gm.get_by_role("link", name="Yes, a GM").tap()
    gm.locator("#writing-line:focus").wait_for()
    gm.keyboard.type("hp 8, omens 2, silver")
    shows(gm, ".typed", "omens")
    hero = gm.locator(".trial .hero")
    hero.get_by_role("button", name="hp, 1 fewer").tap()
    hero.locator("b b", has_text="7").wait_for()
    assert [] == complaints(gm)
    assert 360 == gm.evaluate("document.documentElement.scrollWidth")
    gm.get_by_role("button", name="Begin").tap()
    gm.get_by_role("link", name="Go to the table").tap()
    shows(gm, "#party", "8")
    gm.get_by_role("button", name="more silver").first.wait_for()


SLOW = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) { setTimeout(() => send.call(this, text), 1500); };
}"""
"""What the phone gives arrives later."""


def test_a_sheet_that_is_drawn_anew_before_its_answer_comes_closes(
    phone: Phones, running: Night
) -> None:
    evening = Evening(phone, running, "Blades in the Dark")
    gm, ana = evening.gm, evening.ana
    evening.types("Cellar door goal 4", "Cellar door · Goal · 4 slots · All")
    ana.locator("#bar").get_by_role("link", name="Action happened").tap()
    ana.locator("#sheet").get_by_role("button", name="6, it works").tap()
    gm.locator("#asked").get_by_role("link", name="What follows").tap()
    last = gm.locator("#sheet").get_by_role("button", name="Nothing more")
    last.wait_for()

    gm.evaluate(SLOW)
    last.tap()
    drawn = gm.expect_response(lambda each: "slots/after" in each.url)
    with drawn:
        ana.locator("#own").get_by_role("button", name="Fill one slot of Stress").tap()
    gm.locator("#asked .prompt, #asked .proposal").first.wait_for(state="detached")
    gm.locator("#sheet").wait_for(state="hidden")


def test_two_that_race_are_one_card_for_those_who_see_both(phone: Phones, running: Night) -> None:
    from playwright.sync_api import expect

    gm, ana = phone(1280, 800), phone(360, 640)
    host = Host(gm, running.site)
    clock = {"type": "goal", "slots": 4, "visibility": "open"}
    address = host.played({
        "id": "race", "title": "Race", "system": "own-game", "when": [], "then": {},
        "definition": demos.ready_games("own-game")["blades-in-the-dark"],
        "given": {"seats": {"gm": {}, "ana": {}}, "slot_counters": {
            "out": {**clock, "name": "Out with it", "order": 1},
            "door": {**clock, "name": "The door", "order": 2},
            "in": {**clock, "name": "They close in", "order": 3, "visibility": "hidden"},
        }},
    })  # fmt: skip
    host.open(address)
    Host(ana, running.site).join(address, host, seat="ana")
    expect(ana.locator(".slot")).to_have_count(2)

    gm.locator("#k-in .slot-name a").click()
    gm.locator("#sheet .sheet-more > summary").click()
    gm.get_by_text("Link to another").click()
    gm.get_by_label("What it does").select_option("race")
    gm.get_by_label("To which").select_option("out")
    gm.get_by_role("button", name="Link", exact=True).click()
    race = gm.locator(".race")
    expect(race.locator(".slot-name")).to_have_text(["Out with it", "They close in"])
    expect(race).to_contain_text("the first to fill ends the other")
    one, other = (each.bounding_box() for each in race.locator(".slot").all())
    assert one["y"] == other["y"], "they stand side by side"
    assert 0 == ana.locator(".race").count(), "of a hidden one it says nothing"

    host.send(address, do="edit", on="in", visibility="open")
    expect(ana.locator(".race .slot-name")).to_have_text(["Out with it", "They close in"])
    host.send(address, do="fill", on="in", slots=4)
    expect(ana.locator(".race")).to_have_count(0)
    expect(gm.locator(".race")).to_have_count(0)
    expect(gm.locator(".is-done")).to_contain_text("Out with it")
