"""Cards that change counters, by form: added by name, shown at the card, taken off, previewed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.rules.state import GameState
from games.screens.boards import log_lines
from games.store import rows
from tests.page import parsed
from tests.types import Make, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]
OBJECTS = {
    "bear": {"name": "Bear", "types": ["creature"], "owner": "ana"},
    "walker": {
        "name": "Liliana",
        "types": ["planeswalker"],
        "owner": "ana",
        "counters": {"loyalty": 3},
    },
    "saga": {
        "name": "Saga",
        "types": ["enchantment"],
        "owner": "ana",
        "counters": {"lore": 1},
    },
    "scales": {"name": "Hardened Scales", "types": ["enchantment"], "owner": "ana"},
    "season": {"name": "Doubling Season", "types": ["enchantment"], "owner": "ana"},
    "raider": {"name": "Vorinclex, Monstrous Raider", "types": ["creature"], "owner": "ben"},
    "talent": {"name": "Innkeeper's Talent", "types": ["enchantment"], "owner": "ana"},
}
SCALES = {
    "object": "scales",
    "whose": "yours",
    "types": ["creature"],
    "kinds": ["+1/+1"],
    "plus": 1,
}
SEASON = {
    "object": "season",
    "whose": "yours",
    "of": "permanents",
    "effects_only": True,
    "times": 2,
}
HALF = {"object": "raider", "putter": "opponents", "half": "down"}


@pytest.fixture
def table(make_game: Make) -> Make:
    """A table on which these stand: table(scales=SCALES)."""
    return lambda **standing: make_game("magic", objects=OBJECTS, standing=standing)


def read(client: Client, game: Game, path: str) -> str:
    page = client.get(f"/g/{game.slug}/{path}").content.decode()
    return re.sub(r"\s+", " ", page)


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def give(client: Client, game: Game, fields: dict[str, Any]) -> int:
    return client.post(f"/g/{game.slug}/command", fields).status_code


def state(game: Game) -> GameState:
    return rows.state(Game.objects.get(pk=game.pk))


def becomes(client: Client, game: Game, **asked: Any) -> Any:
    answer = client.get(f"/g/{game.slug}/becomes", {"on": "bear", "counter": "+1/+1", **asked})
    return answer.json()["becomes"]


# Added by name


def test_the_form_for_a_new_card_adds_what_it_says_in_the_same_act(table: Make, sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    assert 'name="known:flag"' in read(ana, game, "cards/new")
    fields = {"do": "create", "name": "Conclave Mentor", "known:flag": "on"}
    give(ana, game, {**fields, "types:list": "creature"})
    give(ana, game, {"do": "place", "on": "bear", "counter": "+1/+1"})

    assert {"+1/+1": 2} == state(game).on("bear")
    assert [
        "added Conclave Mentor to battlefield",
        "Conclave Mentor: +1/+1 counters on your creatures come with one more",
    ] == [part.text for part in log_lines(game, "ana")[0].parts]


def test_a_game_that_knows_nothing_of_this_has_no_such_field(make_game: Make, sit: Sit) -> None:
    game = make_game("yu-gi-oh", objects={"fox": {"owner": "ana"}})
    ana = sit(game, "ana")

    assert "known:flag" not in read(ana, game, "cards/new") + read(ana, game, "objects/fox")
    assert give(ana, game, {"do": "create", "name": "Fox", "known:flag": "on"}) == 400


def test_the_known_cards_are_offered_with_what_they_do(table: Make, sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    known = read(ana, game, "known?name=hardened")

    assert "Hardened Scales known +1" == words(known).strip()
    assert "types%3Alist=enchantment" in known


def test_a_name_put_right_says_what_that_card_says(table: Make, sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    fields = {"do": "describe", "object": "bear", "name": "Corpsejack Menace", "known:flag": "on"}
    assert "known:flag" in read(ana, game, "objects/bear")
    give(ana, game, fields)

    assert [2] == [each.times for each in state(game).standings.values()]  # type: ignore[attr-defined]


# At the card


def test_a_cards_sheet_says_what_it_does_and_takes_it_off(table: Make, sit: Sit) -> None:
    game = table(scales=SCALES)
    ana = sit(game, "ana")
    sheet = read(ana, game, "objects/scales")
    assert "+1/+1 counters on your creatures come with one more" in words(sheet)
    assert 'name="standing" value="scales"' in sheet
    give(ana, game, {"do": "end-standing", "standing": "scales"})

    assert {} == state(game).standings


FORM = {"do": "standing", "object": "bear", "name": "Bear", "as:new": "counters"}
WAYS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {"whose": "yours", "of": "permanents", "types:list": "creature", "kinds:kinds": "+1/+1",
         "putter": "", "plus:number": "1"},
        {"whose": "yours", "of": "permanents", "types": ("creature",), "kinds": ("+1/+1",),
         "plus": 1},
    ),
    (
        {"whose": "any", "of": "", "kinds:kinds": "", "putter": "you", "times:number": "2"},
        {"whose": "any", "of": None, "kinds": None, "putter": "you", "times": 2},
    ),
    (
        {"whose": "any", "of": "", "putter": "opponents", "half": "down"},
        {"putter": "opponents", "half": "down"},
    ),
    (
        {"whose": "yours", "of": "players", "kinds:kinds": ["", "poison"], "none:flag": "on"},
        {"of": "players", "kinds": ("poison",), "none": True},
    ),
    (
        {"whose": "yours", "of": "self", "effects_only:flag": "on", "times:number": "3"},
        {"of": "self", "effects_only": True, "times": 3},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), WAYS)
def test_anything_else_is_said_in_one_form(
    table: Make, sit: Sit, fields: dict[str, Any], said: dict[str, Any]
) -> None:
    game = table()
    ana = sit(game, "ana")
    sheet = read(ana, game, "objects/bear")
    for name, value in fields.items():
        assert f'name="{name}"' in sheet, name
        if name not in ("kinds:kinds", "types:list"):
            assert f'value="{value}"' in sheet or value == "on", value
    assert give(ana, game, {**FORM, **fields}) == 302
    (stands,) = state(game).standings.values()

    assert said == {name: getattr(stands, name) for name in said}
    assert ("Bear", "bear") == (stands.name, stands.object)


def test_a_lord_is_said_on_its_card_and_an_anthem_at_the_seat(table: Make, sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    fields = {"adds.power:number": "-1", "adds.toughness:number": "2", "gives:list": "trample"}
    lord = {"object": "bear", "others:flag": "on", "sorts:kinds": "Elf", "as:new": "lord"}
    emblem = {"seat": "ana", "name": "Emblem", "as:new": "effect"}
    for place, more in (("objects/bear", lord), ("seats/ana", emblem)):
        sheet = read(ana, game, place)
        given = {"do": "standing", "whose": "yours", **fields, **more}
        for name in given:
            assert f'name="{name}"' in sheet, name
        assert give(ana, game, given) == 302
    on_card, at_seat = state(game).standings.values()

    for stands, sorts in ((on_card, ("elf",)), (at_seat, None)):
        said = [getattr(stands, name) for name in ("whose", "sorts", "adds", "gives")]
        assert ["yours", sorts, {"power": -1, "toughness": 2}, ("trample",)] == said
    assert [True, False] == [each.others for each in (on_card, at_seat)]  # type: ignore[attr-defined]
    assert "-1/+2 and trample for your creatures of the type “Elf”, not this one" in words(
        read(ana, game, "objects/bear")
    )


def test_a_cards_ability_is_changed_in_one_act(table: Make, sit: Sit) -> None:
    game = table(scales=SCALES)
    ana = sit(game, "ana")
    assert 'name="instead" value="scales"' in read(ana, game, "objects/scales")
    fields = {**FORM, "object": "scales", "name": "Hardened Scales", "instead": "scales"}
    give(ana, game, {**fields, "plus:number": "2"})

    assert [2] == [each.plus for each in state(game).standings.values()]  # type: ignore[attr-defined]
    assert len(log_lines(game, "ana")) == 1


def test_an_ability_that_counts_later_is_one_tap_away(table: Make, sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    sheet = read(ana, game, "objects/talent")
    steps = re.search(r'name="steps:json" value="([^"]+)"', sheet)
    assert steps
    assert "twice as many counters that you put (not at once: when the card says so)" in words(
        sheet
    )
    given = steps[1].replace("&quot;", '"').replace("&#x27;", "'")
    give(ana, game, {"do": "together", "steps:json": given})
    give(ana, game, {"do": "place", "on": "bear", "counter": "shield"})

    assert {"shield": 2} == state(game).on("bear")
    assert "This counts now" not in read(ana, game, "objects/talent")


def test_an_emblem_is_said_at_the_seat(table: Make, sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    fields = {"do": "standing", "seat": "ana", "name": "Emblem", "as:new": "effect"}
    assert "What an effect changes" in read(ana, game, "seats/ana")
    give(ana, game, {**fields, "whose": "yours", "of": "players", "plus:number": "1"})
    (stands,) = state(game).standings.values()

    assert ("ana", None) == (stands.seat, stands.object)
    assert "Emblem : counters on you come with one more" in words(read(ana, game, "seats/ana"))
    bens = words(read(ana, game, "seats/ben"))
    assert "Emblem" not in bens.split("What an effect changes")[1][:80]


# Before it is confirmed


def test_the_server_says_what_a_number_becomes(table: Make, sit: Sit) -> None:
    game = table(scales=SCALES, season=SEASON)
    ana = sit(game, "ana")
    asked = becomes(ana, game, amount=2, counter=["+1/+1", "shield", "+1/+1"])

    assert {
        "+1/+1": [
            {"amount": 6, "says": "+1 Hardened Scales, ×2 Doubling Season",
             "order": ["scales", "season"]},
            {"amount": 5, "says": "×2 Doubling Season, +1 Hardened Scales",
             "order": ["season", "scales"]},
        ],
        "shield": [{"amount": 4, "says": "×2 Doubling Season", "order": ["season"]}],
    } == asked  # fmt: skip


def test_each_order_that_is_offered_ends_as_it_says(table: Make, sit: Sit) -> None:
    game = table(scales=SCALES, season=SEASON, half=HALF)
    ana = sit(game, "ana")
    ways = becomes(ana, game, amount=2)["+1/+1"]
    assert len({way["amount"] for way in ways}) == len(ways) > 2
    for way in ways:
        before = state(game).count("bear", "+1/+1")
        order = "[" + ",".join(f'"{each}"' for each in way["order"]) + "]"
        fields = {"do": "place", "on": "bear", "counter": "+1/+1", "amount:number": "2"}
        give(ana, game, {**fields, "order:json": order})

        assert way["amount"] == state(game).count("bear", "+1/+1") - before


@pytest.mark.parametrize(
    "asked",
    [
        {"amount": "0"},
        {"amount": "-2"},
        {"amount": "many"},
        {"amount": "2", "on": "nobody"},
        {"amount": "2", "cause": "cost", "counter": "charge"},
        {},
    ],
)
def test_there_is_no_preview_of_what_changes_nothing(
    table: Make, sit: Sit, asked: dict[str, str]
) -> None:
    game = table(scales=SCALES, season=SEASON)

    assert not any(becomes(sit(game, "ana"), game, **asked).values())


def test_a_watcher_and_a_stranger_are_told_nothing(table: Make, dan: Client) -> None:
    game = table(scales=SCALES)

    assert dan.get(f"/g/{game.slug}/becomes", {"on": "bear"}).status_code != 200


HALF_FOR_BEN = {**HALF, "whose": "yours", "of": "players"}
PREVIEWS = [
    (
        {"do": "proliferate", "choose": ["bear"]},
        ["+1/+1 on Bear: 1 becomes 2 (+1 Hardened Scales)"],
    ),
    (
        {
            "do": "create",
            "as": "ooze",
            "name": "Ooze",
            "types": ["creature"],
            "counters": {"+1/+1": 3},
        },
        ["+1/+1 on Ooze: 3 becomes 4 (+1 Hardened Scales)"],
    ),
    (
        {"do": "move", "object": "dead", "to": "battlefield", "counters": {"+1/+1": 1}},
        ["+1/+1 on Dead: 1 becomes 2 (+1 Hardened Scales)"],
    ),
    (
        {"do": "transfer", "from": "walker", "to": "bear", "counter": "+1/+1"},
        ["+1/+1 on Bear: 1 becomes 2 (+1 Hardened Scales)"],
    ),
    (
        {"do": "place", "on": ["ana", "ben"], "counter": "poison"},
        ["poison on Ben: 1 becomes 0 (÷2 Vorinclex, Monstrous Raider)"],
    ),
    ({"do": "place", "on": "walker", "counter": "loyalty"}, []),
    ({"do": "place", "on": "nobody", "counter": "loyalty"}, []),
    ({"do": "undo"}, []),
    ({}, []),
]


def as_fields(command: dict[str, Any]) -> dict[str, str]:
    return {f"{key}:json": json.dumps(value) for key, value in command.items()}


def previewed(
    phone: Client, game: Game, fields: dict[str, str], address: str = "preview"
) -> tuple[list[str], dict[str, str]]:
    """The sentences of a form's preview, and the orders that it offers: by value, in words."""
    answer = phone.post(f"/g/{game.slug}/{address}", fields)
    assert 200 == answer.status_code
    every = [*parsed(answer.content.decode()).all()]
    orders = {str(e.attributes["value"]): e.text.strip() for e in every if e.tag == "option"}
    return [each.text for each in every if each.tag == "span"], orders


@pytest.mark.parametrize(("command", "reply"), PREVIEWS)
def test_a_form_tells_what_it_becomes_before_it_is_sent(
    make_game: Make, sit: Sit, command: Any, reply: list[str]
) -> None:
    bear = {**OBJECTS["bear"], "counters": {"+1/+1": 1}}
    dead = {"name": "Dead", "types": ["creature"], "owner": "ana", "zone": "graveyard"}
    walker = {**OBJECTS["walker"], "counters": {"+1/+1": 1}}
    objects = {**OBJECTS, "bear": bear, "dead": dead, "walker": walker}
    game = make_game("magic", objects=objects, standing={"scales": SCALES, "half": HALF_FOR_BEN})
    before = state(game)
    shown, _orders = previewed(sit(game, "ana"), game, as_fields(command))

    assert reply == shown
    assert before == state(game)


SCALED_FIRST = "+1 Hardened Scales, ×2 Doubling Season"
DOUBLED_FIRST = "×2 Doubling Season, +1 Hardened Scales"
IN_TWO_ORDERS = [
    # command, how the log calls what changes, how many it was, how many they become
    ({"do": "proliferate", "choose": ["bear"]}, "+1/+1 on Bear", 1, (4, 3)),
    (
        {"do": "create", "as": "ooze", "name": "Ooze", "types": ["creature"],
         "counters": {"+1/+1": 3}},
        "+1/+1 on Ooze", 3, (8, 7),
    ),
    (
        {"do": "together", "steps": [
            {"do": "move", "object": "dead", "to": "battlefield", "counters": {"+1/+1": 2}},
            {"do": "gain-life", "seat": "ana", "amount": 2}]},
        "+1/+1 on Dead", 2, (6, 5),
    ),
    (
        {"do": "transfer", "from": "walker", "to": "bear", "counter": "+1/+1"},
        "+1/+1 on Bear", 1, (4, 3),
    ),
    ({"do": "place", "on": ["bear", "walker"], "counter": "+1/+1"}, "+1/+1 on Bear", 1, (4, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("command", "what", "asked", "becomes"), IN_TWO_ORDERS)
def test_a_form_offers_each_order_that_ends_with_other_numbers(
    make_game: Make,
    sit: Sit,
    command: dict[str, Any],
    what: str,
    asked: int,
    becomes: tuple[int, int],
) -> None:
    bear = {**OBJECTS["bear"], "counters": {"+1/+1": 1}}
    dead = {"name": "Dead", "types": ["creature"], "owner": "ana", "zone": "graveyard"}
    walker = {**OBJECTS["walker"], "counters": {"+1/+1": 1}}
    objects = {**OBJECTS, "bear": bear, "dead": dead, "walker": walker}
    standing = {"scales": SCALES, "season": SEASON}
    game = make_game("magic", objects=objects, standing=standing)
    ana = sit(game, "ana")
    said, doubled = as_fields(command), '["season", "scales"]'
    usual, orders = previewed(ana, game, said)
    chosen, still = previewed(ana, game, {**said, "order:json": doubled})

    assert {"": SCALED_FIRST, doubled: DOUBLED_FIRST} == orders == still
    assert f"{what}: {asked} becomes {becomes[0]} ({SCALED_FIRST})" == usual[0]
    assert f"{what}: {asked} becomes {becomes[1]} ({DOUBLED_FIRST})" == chosen[0]


def test_a_forms_button_has_a_preview_without_an_order(make_game: Make, sit: Sit) -> None:
    """The form's own fields are none of its command."""
    standing = {"scales": SCALES, "season": SEASON}
    game = make_game("magic", objects=OBJECTS, standing=standing)
    fields = {**as_fields({"do": "place", "on": ["bear"], "counter": "+1/+1"}), "gift": "+1/+1"}

    said, orders = previewed(sit(game, "ana"), game, fields, "preview?only")

    assert ([f"+1/+1 on Bear: 1 becomes 4 ({SCALED_FIRST})"], {}) == (said, orders)


def test_the_chosen_order_is_carried_out(make_game: Make, sit: Sit) -> None:
    standing = {"scales": SCALES, "season": SEASON}
    game = make_game("magic", objects=OBJECTS, standing=standing)
    ana = sit(game, "ana")
    fields = {"do": "create", "name": "Ooze", "types:list": "creature", "counters.+1/+1:number": 3}
    give(ana, game, {**fields, "order:json": '["season", "scales"]'})
    ooze = next(key for key in state(game).objects if key.startswith("ooze"))
    give(ana, game, {"do": "proliferate", f"choose.{ooze}:member": "yes", "order:json": ""})

    assert 7 + 4 == state(game).count(ooze, "+1/+1")


def test_no_order_is_offered_where_it_does_not_matter(make_game: Make, sit: Sit) -> None:
    thrice = {**SEASON, "object": None, "seat": "ana", "times": 3}
    bear = {**OBJECTS["bear"], "counters": {"+1/+1": 1}}
    standing = {"season": SEASON, "thrice": thrice}
    game = make_game("magic", objects={**OBJECTS, "bear": bear}, standing=standing)
    said = as_fields({"do": "proliferate", "choose": ["bear"]})
    reply, orders = previewed(sit(game, "ana"), game, said)

    assert {} == orders
    assert len(reply) == 1


def test_forms_about_numbers_have_a_place_for_what_they_become(table: Make, sit: Sit) -> None:
    for game, tells in ((table(scales=SCALES), True), (table(), False)):
        ana = sit(game, "ana")
        for address in ("acts/proliferate", "cards/new", "several?do=place"):
            assert ("data-command-preview" in read(ana, game, address)) == tells


def test_a_preview_counts_the_effects_of_the_seat_that_asks(table: Make, sit: Sit) -> None:
    game = table(half=HALF)
    ana, ben = sit(game, "ana"), sit(game, "ben")

    assert [2] == [way["amount"] for way in becomes(ana, game, amount=5)["+1/+1"]]
    assert {"+1/+1": []} == becomes(ben, game, amount=5)
    assert "+1 → 0" in words(read(ana, game, "objects/bear"))
    assert "+1 → 0" not in words(read(ben, game, "objects/bear"))


def test_a_cards_sheet_says_what_one_tap_becomes(table: Make, sit: Sit) -> None:
    game = table(scales=SCALES, season=SEASON)
    sheet = words(read(sit(game, "ana"), game, "objects/bear"))

    assert "+1/+1: +1 → 4 (+1 Hardened Scales, ×2 Doubling Season)" in sheet
    assert "-1/-1, stun: +1 → 2 (×2 Doubling Season)" in sheet


def test_without_such_cards_nothing_is_said(table: Make, sit: Sit) -> None:
    game = table()
    page = read(sit(game, "ana"), game, "") + read(sit(game, "ben"), game, "objects/bear")

    assert "data-gives" not in page
    assert "This is a cost" not in page


def test_a_planeswalkers_plus_is_a_cost_to_its_controller_and_lore_comes_by_a_rule(
    table: Make, sit: Sit
) -> None:
    game = table(season=SEASON)
    page = read(sit(game, "ana"), game, "").replace("&quot;", '"')
    gives = dict(re.findall(r'<li data-kind=(\w+) data-gives="(\[\[.*?\]\])"', page))

    assert '[1, 1, "", "ana"]' in gives["loyalty"]
    assert '[1, 2, "×2 Doubling Season", "ben"]' in gives["loyalty"]
    assert '[[1, 1, "", ""], [10, 10, "", ""]]' == gives["lore"]
