"""Counters made from a typed line: nothing is public that was not shown as public before."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from tests.page import Node, parsed
from tests.types import Make, Sit

SEATS = {"gm": {}, "ana": {}, "ben": {}}
SCRIPTED = {"HX-Request": "true"}


@pytest.fixture
def table(transactional_db: None, make_game: Make) -> Game:
    return make_game("stars-and-signs", seats=SEATS, slot_counters={})


@pytest.fixture
def gm(table: Game, sit: Sit) -> Client:
    return sit(table, "gm")


def made(game: Game) -> list[tuple[str, str, str]]:
    """The name, type and visibility of each counter on the table."""
    return [
        tuple(each.facts[part] for part in ("name", "type", "visibility"))
        for each in game.slot_counters.order_by("order")
    ]


def previewed(client: Client, game: Game, line: str, **posted: str) -> tuple[str, dict[str, str]]:
    """The preview of *line*, and the form with which it is then made."""
    answer = client.post(
        f"/g/{game.slug}/slots/line", {"line": line, **posted}, headers=SCRIPTED
    ).content.decode()
    return read(answer), {"line": line, "previewed": token(answer), **posted}


def read(answer: str) -> str:
    shown = answer.split('class="line-shown"')[1]
    return unescape(shown.split(">", 1)[1].split("</p>")[0]).strip()


def token(answer: str) -> str:
    if 'name="previewed"' not in answer:
        return ""
    return unescape(answer.split('name="previewed" value="')[1].split('"')[0])


def make(client: Client, game: Game, headers: dict[str, str] | None = None, **posted: str) -> str:
    answer: Any = client.post(f"/g/{game.slug}/slots/made", posted, headers=headers or {})
    return answer.content.decode()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "The assassin is Cleo danger 6",
            "The assassin is Cleo · Danger · 6 slots · Only you",
        ),
        ("Reach the lamp progress", "Reach the lamp · Progress · 5 slots · All"),
        ("The keeper defeat known", "The keeper · Defeat · 5 slots · Name only"),
        ("The keeper defeat name only", "The keeper · Defeat · 5 slots · Name only"),
        ("Her debt danger @ana", "Her debt · Danger · 5 slots · Ana · seen by Ana"),
        (
            "The assassin is Cleo dangr",
            "The assassin is Cleo dangr · pick a type · 5 slots · Only you",
        ),
        ("Oil resource 3x1", "Oil · Resource · 3 slots · 1 point per slot · All"),
        ("Alarm danger 8 temp 2", "Alarm · Danger · 8 slots · +2 temp · Only you"),
        ("Alarm danger worth 3", "Alarm · Danger · 5 slots · 3 points per slot · Only you"),
        ("wound 3 @ana", "Wound · Progress · 3 slots · Ana · All"),
        ("flashback timer", "Flashback · Timer · 5 slots · All"),
        ("despair", "Despair · 10 slots · All"),
        ("alarm danger 80", "A counter has 1 to 10 slots."),
        ("danger 6", "A counter needs a name."),
        ("", ""),
    ],
)
def test_a_line_is_previewed_with_who_would_see_it(
    table: Game, gm: Client, line: str, shown: str
) -> None:
    answer = gm.post(f"/g/{table.slug}/slots/line", {"line": line}, headers=SCRIPTED)

    assert 200 == answer.status_code
    if line:
        assert read(answer.content.decode()).startswith(shown)
        assert b"<button" not in answer.content  # only Enter asks for a type
    else:
        assert b"" == answer.content
    assert [] == made(table)
    assert 0 == table.entries.count()


def test_a_counter_previewed_as_open_is_made_open(table: Game, gm: Client) -> None:
    _shown, form = previewed(gm, table, "Reach the lamp progress 8")
    make(gm, table, SCRIPTED, **form)

    assert [("Reach the lamp", "progress", "open")] == made(table)


def test_enter_before_the_preview_makes_nothing_public(table: Game, gm: Client) -> None:
    answer = make(gm, table, SCRIPTED, line="The assassin is Cleo progress 6")

    assert [] == made(table)
    assert "All" in read(answer)
    make(gm, table, SCRIPTED, line="The assassin is Cleo progress 6", previewed=token(answer))
    assert [("The assassin is Cleo", "progress", "open")] == made(table)


def test_enter_before_the_preview_makes_what_nobody_else_sees(table: Game, gm: Client) -> None:
    make(gm, table, SCRIPTED, line="The assassin is Cleo danger 6")
    make(gm, table, SCRIPTED, line="Her debt danger @ana")  # Ana would see it

    assert [("The assassin is Cleo", "danger", "hidden")] == made(table)


@pytest.mark.parametrize(
    "then",
    [
        {"line": "The assassin is Cleo progress 6"},
        {"hidden": ""},
        {"scene": "Act II"},
        {"line": "The tide is out danger known"},
    ],
)
def test_the_preview_of_another_line_is_no_leave(
    table: Game, gm: Client, then: dict[str, str]
) -> None:
    _shown, form = previewed(gm, table, "The tide is out progress", hidden="1")
    make(gm, table, SCRIPTED, **{**form, **then})

    assert "open" not in [visibility for _name, _type, visibility in made(table)]
    assert "known" not in [visibility for _name, _type, visibility in made(table)]


def test_a_line_without_a_type_asks_for_it_and_stays_hidden(table: Game, gm: Client) -> None:
    shown, form = previewed(gm, table, "The assassin is Cleo dangr 6")
    asked = make(gm, table, SCRIPTED, **form)

    assert [] == made(table)
    assert "Only you" in shown
    types = {
        each.attributes["value"]
        for each in parsed(asked).all()
        if each.tag == "button" and each.attributes["name"] == "type"
    }
    assert {"progress", "danger", "defeat", "resource", "timer", "inventory"} == types
    make(gm, table, SCRIPTED, **form, type="progress")
    assert [("The assassin is Cleo dangr", "progress", "hidden")] == made(table)


def test_without_scripts_the_first_submit_shows_and_the_second_makes(
    table: Game, gm: Client
) -> None:
    page = make(gm, table, line="The tide danger 6")

    assert [] == made(table)
    assert 'value="The tide danger 6"' in page
    assert "Danger · 6 slots" in page
    make(gm, table, line="The tide danger 6", previewed=token(page))
    assert [("The tide", "danger", "hidden")] == made(table)


def test_a_player_s_line_is_previewed_too(table: Game, sit: Sit) -> None:
    ana = sit(table, "ana")
    shown, form = previewed(ana, table, "torches resource 3x1")
    make(ana, table, SCRIPTED, **form)

    assert "All" in shown
    assert [("torches", "resource", "open")] == made(table)
    assert "ana" == table.slot_counters.get().facts["owner"]


def test_a_spanish_line_is_read_and_previewed_in_spanish(table: Game, gm: Client) -> None:
    gm.cookies["django_language"] = "es"
    shown, form = previewed(gm, table, "La marea temporizador 6 oculto")
    make(gm, table, SCRIPTED, **form)

    assert shown.startswith("La marea · Temporizador")
    assert [("La marea", "timer", "hidden")] == made(table)


def test_a_line_says_under_which_scene_it_would_be(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    scenes = {"Act I": "running", "Act II": "prepared"}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={}, scenes=scenes)
    gm = sit(game, "gm")

    def shown(scene: str) -> str:
        posted = {"line": "Tide timer", "scene": scene}
        return read(
            gm.post(f"/g/{game.slug}/slots/line", posted, headers=SCRIPTED).content.decode()
        )

    assert "Tide · Timer · 5 slots · in Act I · All" in shown("Act I")
    assert "Tide · Timer · 5 slots · All once Act II begins" in shown("Act II")
    assert "Tide · Timer · 5 slots · The table · All" in shown("")


SCENES = {"Lighthouse": "running", "The attic": "prepared", "The cellar": "over"}


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Bell danger 6 in the attic", "Bell · Danger · 6 slots · in The attic · Only you"),
        ("Bell danger in attic 6", "Bell · Danger · 6 slots · in The attic · Only you"),
        ("Bell progress in ATTIC", "Bell · Progress · 5 slots · All once The attic begins"),
        ("Tide timer in lighthouse", "Tide · Timer · 5 slots · in Lighthouse · All"),
        ("A sound in the cellar danger", "A sound in the cellar · Danger"),
        ("What is in the danger", "What is in the · Danger"),
        ('"Fire in the attic" danger', "Fire in the attic · Danger · 5 slots · in Lighthouse"),
    ],
)
def test_a_line_names_the_scene_that_its_counter_is_for(
    transactional_db: None, make_game: Make, sit: Sit,
    line: str, shown: str
) -> None:  # fmt: skip
    """Read as a part of the name, "in attic" made a counter in the scene that was looked at."""
    open_one = {"name": "Lamp", "scene": "Lighthouse"}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"c1": open_one}, scenes=SCENES)
    gm = sit(game, "gm")
    said, form = previewed(gm, game, line, scene="Lighthouse")

    assert said.startswith(shown)
    make(gm, game, SCRIPTED, **form)
    names = {each.facts["name"]: each.facts["scene"] for each in game.slot_counters.all()}
    expected = "The attic" if "in The attic" in shown or "once" in shown else "Lighthouse"
    assert expected == names[shown.split(" · ")[0]]


def test_a_counter_typed_into_an_unseen_scene_stays_hidden(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    secret = {"name": "Mara", "type": "danger", "visibility": "hidden", "scene": "Hearing"}
    scenes = {"Hearing": "running", "Lighthouse": "running"}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"c1": secret}, scenes=scenes)

    said, _form = previewed(sit(game, "gm"), game, "Doubt progress in hearing", scene="Lighthouse")
    assert "Doubt · Progress · 5 slots · in Hearing · Only you" == said


def test_a_player_s_line_knows_no_scene(transactional_db: None, make_game: Make, sit: Sit) -> None:
    """Whether a word is a scene's would tell of one that is prepared."""
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={}, scenes=SCENES)
    said, _form = previewed(sit(game, "ana"), game, "Torches resource in attic")

    assert said.startswith("Torches resource in attic · pick a type")


# A line that is an act

WORDS = [{"to": 99, "word": "hurt"}, {"to": 100, "word": "unhurt"}]
HP = {"type": "hp", "counts": "down", "look": "bar"}
FIGHT = {
    "c1": {"name": "Drowned sailor 2", **HP, "slots": 22, "visibility": "known", "words": WORDS},
    "c2": {"name": "Hit points", **HP, "slots": 10, "owner": "ana", "role": "kit-0"},
    "c3": {"name": "Purse", "type": "progress", "slots": 5, "filled": 1, "owner": "ana"},
    "c4": {"name": "Bridge", "type": "progress", "slots": 5, "visibility": "open"},
    "c5": {
        "name": "Momentum",
        "type": "progress",
        "look": "bar",
        "slots": 16,
        "filled": 8,
        "least": -6,
    },
    "c6": {"name": "Vow", "type": "progress", "look": "boxes", "slots": 40, "parts": 4},
}
ACTS = {
    "sailor 2 -9": "Drowned sailor 2 · 22/22 → 13/22 · players read “hurt”",
    "Sailor 2 +3 temp": "Drowned sailor 2 · +3 temp · players read “unhurt”",
    "drowned sailor 2 prone": "Drowned sailor 2 · Prone · players read “unhurt”",
    "@ana -4": "Ana, Hit points · 10/10 → 6/10",
    "@ana stunned 2": "Ana, Hit points · Stunned, 2",
    "@ana init 17": "Ana, Hit points · initiative 17",
    "@ana init −1": "Ana, Hit points · initiative d20-1",
    "@ana purse -1": "Ana, Purse · 1/5 → 0/5",
    "@ana hp -4": "Ana, Hit points · 10/10 → 6/10",
    "@ana hit -4": "Ana, Hit points · 10/10 → 6/10",
    "@ana = 3": "Ana, Hit points · 10/10 → 3/10",
    "drow -9": "Drowned sailor 2 · 22/22 → 13/22 · players read “hurt”",
    "mom=-2": "Momentum · 2/10 → −2/10",
    "Momentum = 2": "Momentum is at 2 already.",
    "momentum =-7": "Momentum goes from -6 to 10.",
    "@ana hp = 38": "Hit points goes up to 10. To make it larger, type “38/38”.",
    "@ana hp 38": "Less or more? · @ana hp -38 · @ana hp +38 · @ana hp = 38",
    "@ben hp 38": "A counter needs a name. It comes first: “alarm danger 8”.",
    "ana hp 38": "Less or more? · ana hp -38 · ana hp +38 · ana hp = 38",
    "ana 7": "Less or more? · ana -7 · ana +7 · ana = 7",
    "ana -7": "Ana, Hit points · 10/10 → 3/10",
    "ana purse -1": "Ana, Purse · 1/5 → 0/5",
    "@ana hp 31/38": "Ana, Hit points · 10/10 → 31/38",
    "ana 3/8": "Ana, Hit points · 10/10 → 3/8",
    "ana = 9/8": "Hit points cannot be 9 of 8.",
    "ana sailor 2 -8": "Ana 10/10 → 2/10 · Drowned sailor 2 22/22 → 14/22",
    "all -8": "Ana, Hit points · 10/10 → 2/10",
    "all hp prone": "Drowned sailor 2 Prone · Ana Prone",
    "sailor 2 takes 9": "Drowned sailor 2 · 22/22 → 13/22 · players read “hurt”",
    "ana takes 4 damage": "Ana, Hit points · 10/10 → 6/10",
    "ana loses a purse": "Ana, Purse · 1/5 → 0/5",
    "ana takes 2 purse": "Ana, Purse · 1/5 → 3/5",
    "sailor heals d6": "Drowned sailor 2 · 22/22",
    "zed takes 3": "No one here is called zed.",
    "sailor dies": "Drowned sailor 2 · 22/22 → 0/22 · players read “hurt”",
    "reveal sailor": "Drowned sailor 2 · All",
    "hide bridge": "Bridge · Only you",
    "Next": "Next · pick a type · 5 slots · Only you",
    "Nobody takes bets danger 4": "Nobody takes bets · Danger · 4 slots · Only you",
    "sailors -9": "Drowned sailor 2 · 22/22 → 13/22 · players read “hurt”",
    "sailor 2 -7/2": "Drowned sailor 2 · 22/22 → 19/22 · players read “hurt”",
    "sailor 2 -1/2": "Half of 1 is nothing.",
    "purse +9 temp": "Purse has room for 7 temporary slots.",
    "vow = 3": "Vow · 0/10 → 3/10",
    "hp = 3": "Several are called “Hit points”: Drowned sailor 2, Ana. "
    "For each of them, type “all Hit points”.",
    "Bridge +2": "Bridge · 0/5 → 2/5",
    "Bridge +5": "Bridge · 0/5 → 5/5, The goal is reached",
    "ana dies": "Ana, Hit points · 10/10 → 0/10, down",
    "ana sailor 2 -22": "Ana 10/10 → 0/10, down · Drowned sailor 2 22/22 → 0/22, hurt",
    "Bridge +2 progress": "Bridge +2 · Goal · 5 slots · All",
}


def test_a_line_can_act_on_what_is_there(transactional_db: None, make_game: Make, sit: Sit) -> None:
    game = make_game("own-game", ready="any-rpg", seats=SEATS, slot_counters=FIGHT)
    gm = sit(game, "gm")
    assert ACTS == {line: previewed(gm, game, line)[0] for line in ACTS}
    for line in ("sailor 2 -9", "@ana stunned 2", "@ana +2 temp"):
        make(gm, game, SCRIPTED, line=line)
    asked = make(gm, game, SCRIPTED, line="ana 3")
    assert 'name="instead" value="ana = 3"' in asked
    make(gm, game, SCRIPTED, line="ana 3", instead="ana = 3")
    assert len(FIGHT) == game.slot_counters.count()
    sailor, ana = (game.slot_counters.get(key=key).facts for key in ("c1", "c2"))
    assert 9 == sailor["filled"]
    assert "Stunned" == ana["conditions"][0]["name"]
    assert (7, 0) == (ana["filled"], ana["temporary"])


def test_a_line_says_what_a_rule_makes_of_what_it_completes(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    stress = {"type": "stress", "slots": 9, "filled": 5, "owner": "ana", "role": "kit-0"}
    game = make_game(
        "own-game", ready="blades-in-the-dark", seats=SEATS,
        slot_counters={"s": {"name": "Stress", **stress}},
    )  # fmt: skip

    gm = sit(game, "gm")
    assert "Ana, Stress · 5/9 → Trauma → 0/9" == previewed(gm, game, "ana +6")[0]
    make(gm, game, SCRIPTED, line="ana stress = 0")
    assert "Ana, Stress · 0/9 → Trauma → 0/9" == previewed(gm, game, "@ana stress +9")[0]
    assert "Ana, Stress · 0/9 → 2/9" == previewed(gm, game, "stress ana +2")[0]
    assert 'value="stress ana = 3"' in make(gm, game, SCRIPTED, line="stress ana 3")


# The lines of a fight

FOES = {
    "4 goblins hp 7 init d20+2":
        "goblin 1 – goblin 4 · Foe’s hit points · 7 slots · initiative d20+2 · in words",
    "goblin x4 foe 7": "goblin 1 – goblin 4 · Foe’s hit points · 7 slots · in words",
    "3 wolves hp 2d8+2": "wolf 1 – wolf 3 · Foe’s hit points · 2d8+2 slots · in words",
    "goblin 2d6 hp": "goblin · Foe’s hit points · 2d6 slots · in words",
    "goblin hp 7 hidden": "goblin · Foe’s hit points · 7 slots · Only you",
    "Ana’s twin hp 7 @ana": "Ana’s twin · Hit points · 7 slots · Ana · All",
    "patrol clock 6": "patrol · Clock · 6 slots · All",
    "4 bells clock 6": "4 bells · Clock · 6 slots · All",
    "bells clock x4": "Only foes are made several at once: “goblin x4 hp 7”.",
    "40 goblins hp 7": "A line makes 1 to 20 at once. Put a name that has a number in quotes.",
    "1000 goblins hp 7": "A line makes 1 to 20 at once. Put a name that has a number in quotes.",
    "bell danger 6": "bell · Clock · 6 slots · All",
    "zed -4": "No one here is called zed.",
    "goblin 2d600 hp":
        "Those dice are not there: “d20”, “2d6” or “7d10+21”, up to 20 of 2 to 100 sides.",
    "bell clock 6 in attic":
        "There is no scene “attic” · bell · Clock · 6 slots · All once attic begins",
}  # fmt: skip


@pytest.fixture
def dungeon(transactional_db: None, make_game: Make) -> Game:
    return make_game("own-game", ready="dungeons-and-dragons", seats=SEATS, slot_counters={})


def test_lines_of_a_fight_are_read(dungeon: Game, sit: Sit) -> None:
    gm = sit(dungeon, "gm")

    assert FOES == {line: previewed(gm, dungeon, line)[0] for line in FOES}


def test_four_goblins_are_one_entry_whose_dice_are_rolled_one_by_one(
    dungeon: Game, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolls = iter([3, 4, 20, 1])
    gm = sit(dungeon, "gm")
    _shown, form = previewed(gm, dungeon, "4 goblins hp 7 init d20+2")
    monkeypatch.setattr("games.screens.dice.secrets.randbelow", lambda n: next(rolls) - 1)
    make(gm, dungeon, SCRIPTED, **form)

    assert 1 == dungeon.entries.count()
    every = [each.facts for each in dungeon.slot_counters.order_by("order")]
    assert [(f"goblin {n + 1}", i) for n, i in enumerate((5, 6, 22, 3))] == [
        (each["name"], each["initiative"]) for each in every
    ]
    assert {("known", 7)} == {(each["visibility"], each["slots"]) for each in every}
    monkeypatch.undo()
    _shown, form = previewed(gm, dungeon, "2 goblins hp 7")
    assert "goblin 5 – goblin 6" in _shown
    make(gm, dungeon, SCRIPTED, **previewed(gm, dungeon, "goblin hp 9")[1])
    make(gm, dungeon, SCRIPTED, **previewed(gm, dungeon, "goblin boss hp 21")[1])
    four = " · ".join(f"goblin {n} 7/7 → 6/7" for n in range(1, 5))
    for said in ("goblins -1", "all goblin -1", "all goblins -1"):
        assert f"{four} · goblin 9/9 → 8/9" == previewed(gm, dungeon, said)[0]


def test_a_line_for_an_unknown_scene_offers_to_prepare_it(dungeon: Game, sit: Sit) -> None:
    gm = sit(dungeon, "gm")
    _shown, form = previewed(gm, dungeon, "bell clock 6 in attic")
    asked = make(gm, dungeon, SCRIPTED, **form)

    assert [] == made(dungeon)
    assert 'name="prepare" value="attic"' in asked
    make(gm, dungeon, SCRIPTED, **form, prepare="attic")
    assert [("bell", "clock", "open")] == made(dungeon)
    assert "attic" == dungeon.slot_counters.get().facts["scene"]


def test_hit_points_of_so_many_are_set_without_a_hit(dungeon: Game, sit: Sit) -> None:
    """Set by the GM, no rule takes it for damage: Ana goes on concentrating, unasked."""
    gm = sit(dungeon, "gm")
    for line in ("Hit points hp 20 @ana", "ana concentrating"):
        _shown, form = previewed(gm, dungeon, line)
        make(gm, dungeon, SCRIPTED, **form)
    for line, read in (("ana 31/38", (38, 7)), ("ana 3/8", (8, 5))):
        make(gm, dungeon, SCRIPTED, line=line)
        facts = dungeon.slot_counters.get().facts
        assert read == (facts["slots"], facts["filled"])
        assert ["Concentrating"] == [each["name"] for each in facts["conditions"]]


def test_a_line_presses_the_buttons_of_rules(dungeon: Game, sit: Sit) -> None:
    gm, ana = sit(dungeon, "gm"), sit(dungeon, "ana")
    for line in ("Hit points hp 20 @ana", "Hit dice 4 @ana dice", "ana = 9", "ghoul hp 9"):
        make(gm, dungeon, SCRIPTED, **previewed(gm, dungeon, line)[1])
    assert "Ana · Hit die, 5" == previewed(gm, dungeon, "ana spend hit die 5")[0]
    assert "Hit die, 5" in previewed(ana, dungeon, "spend hit die 5")[0]
    make(gm, dungeon, SCRIPTED, line="ana spend hit die 5")
    hp = dungeon.slot_counters.get(facts__name="Hit points")
    assert 6 == hp.facts["filled"]
    make(gm, dungeon, SCRIPTED, line="all long rest")
    hp.refresh_from_db()
    assert 0 == hp.facts["filled"]
    assert "pick a type" in previewed(ana, dungeon, "long rest")[0], "that button is the GM’s"


def act(gm: Client, game: Game, line: str) -> tuple[str, str]:
    """The act in the players' word as it is typed, and the rest of the preview."""
    shown = gm.post(f"/g/{game.slug}/slots/line", {"line": line}, headers=SCRIPTED)
    row = next(each for each in parsed(shown.content.decode()).all() if each.tag == "p")
    return row.attributes.get("data-act", ""), read(shown.content.decode())


def test_damage_by_dice_is_thrown_once_for_all_when_the_line_is_given(
    dungeon: Game, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm = sit(dungeon, "gm")
    for line in ("goblin hp 7", "Hit points hp 20 @ana", "Hit points hp 30 @ben"):
        make(gm, dungeon, SCRIPTED, **previewed(gm, dungeon, line)[1])
    hp = dungeon.slot_counters
    fell = iter([])
    monkeypatch.setattr("games.screens.dice.secrets.randbelow", lambda n: next(fell) - 1)

    assert ("Hit 4", "goblin · 7/7 → 3/7 · players read “bloodied”") == act(gm, dungeon, "gob -4")
    assert ("Hit d6", "goblin · 7/7") == act(gm, dungeon, "goblin -d6")
    assert ("Hit 2d6/2", "goblin · 7/7") == act(gm, dungeon, "goblin -2d6/2")
    assert ("Heal d8+3", "goblin · 7/7") == act(gm, dungeon, "goblin +d8+3")
    assert ("Hit 2d6", "Ana 20/20 · Ben 30/30") == act(gm, dungeon, "ana ben -2d6")
    refused = "Those dice are not there: “d20”, “2d6” or “7d10+21”, up to 20 of 2 to 100 sides."
    assert refused == act(gm, dungeon, "goblin -2d600")[1]
    for line, falls, filled in (
        ("goblin -d6", [5], [0, 0, 5]),
        ("ana ben -2d6", [2, 5], [7, 7, 5]),
        ("ana -3d6+1/2", [4, 4, 4], [13, 7, 5]),
        ("goblin -d6/2", [1], [13, 7, 5]),
    ):
        fell = iter(falls)
        make(gm, dungeon, SCRIPTED, line=line)
        found = {each.facts.get("owner") or "goblin": each.facts["filled"] for each in hp.all()}
        assert filled == [found[each] for each in ("ana", "ben", "goblin")], line
    assert 6 == dungeon.entries.count(), "the last is refused: half of 1 is nothing"


def test_numbers_of_players_are_changed_by_a_line(dungeon: Game, sit: Sit) -> None:
    gm = sit(dungeon, "gm")
    for line in ("ana armor class +6", "@ben exhaustion = 2", "all exhaustion +1"):
        make(gm, dungeon, SCRIPTED, line=line)

    assert "Ana, exhaustion · 1 → 3" == previewed(gm, dungeon, "ana exhaustion +2")[0]
    assert "Ana 1 → 3 · Ben 3 → 5" == previewed(gm, dungeon, "ana ben exhaustion +2")[0]
    assert ("+d4", "Ana, exhaustion · 1") == act(gm, dungeon, "ana exhaustion +d4")
    assert "armor class is at 16 already." == previewed(gm, dungeon, "ana armor class = 16")[0]
    assert "Several are called “exhaustion”" in previewed(gm, dungeon, "exhaustion +1")[0]
    assert "exhaustion is a number" in previewed(gm, dungeon, "ana exhaustion 3/6")[0]


def test_hit_points_that_are_set_above_0_get_up_who_was_down(dungeon: Game, sit: Sit) -> None:
    gm = sit(dungeon, "gm")
    make(gm, dungeon, SCRIPTED, **previewed(gm, dungeon, "Hit points hp 20 @ana")[1])
    for line in ("ana -20", "@ana hp 31/38"):
        make(gm, dungeon, SCRIPTED, line=line)

    facts = dungeon.slot_counters.get().facts
    assert (38, 7) == (facts["slots"], facts["filled"])
    assert ["Prone"] == [each["name"] for each in facts["conditions"]]


CONTROLS = {"button", "a", "input", "select", "textarea", "summary"}


def controls(node: Node, *, folds: bool = True) -> int:
    """How many controls are there to tap; with *folds*, without what is folded away."""
    shut = folds and node.tag == "details" and "open" not in node.attributes
    there = node.tag in CONTROLS and node.attributes.get("type") != "hidden"
    inside = [each for each in node.children if isinstance(each, Node)]
    return there + sum(
        controls(each, folds=folds) for each in inside if not shut or each.tag == "summary"
    )


@pytest.mark.parametrize(("seat", "key", "most"), [("gm", "foe", 14), ("ana", "hp", 13)])
def test_a_creatures_sheet_is_its_amount_a_condition_and_who_sees_it(
    transactional_db: None, make_game: Make, sit: Sit, seat: str, key: str, most: int
) -> None:
    counters = {
        "foe": {"name": "Goblin", "type": "foe", "slots": 7, "visibility": "known"},
        "hp": {"name": "Hit points", "type": "hp", "slots": 7, "owner": "ana", "role": "kit-0"},
    }
    game = make_game("own-game", ready="dungeons-and-dragons", seats=SEATS, slot_counters=counters)
    answer = sit(game, seat).get(f"/g/{game.slug}/slots/{key}", headers=SCRIPTED)
    sheet = parsed(answer.content.decode())

    values = {each.attributes.get("value") for each in sheet.all() if each.tag == "button"}
    assert {"fill", "clear", "open", "discard"} <= values
    assert 6 <= controls(sheet) <= most < controls(sheet, folds=False) - 20


def test_what_is_done_to_another_seats_thing_says_whose_it_is(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    counters = {"hp": {"type": "hp", "slots": 1, "owner": "ana", "role": "kit-0"}}
    game = make_game("own-game", ready="dungeons-and-dragons", seats=SEATS, slot_counters=counters)
    gm, at = sit(game, "gm"), f"/g/{game.slug}"
    press = {"do": "press", "rule": "Hit while down", "on": "dying-1", "number:number": "1"}
    for command in ({"do": "fill", "on": "hp", "slots:number": "1"}, press):
        assert gm.post(f"{at}/command", {**command, "id": str(len(command))}, headers=SCRIPTED)
    sheet = f"{at}/acts/press?rule=Hit%20while%20down&on=dying-1"
    log = gm.get(f"{at}/log").content.decode()

    assert "Hit while down <small>Ana</small>" in gm.get(sheet).content.decode()
    assert "added Ana’s Death saves 1" in log
    assert "Ana’s Death saves 1: failed +1" in log
