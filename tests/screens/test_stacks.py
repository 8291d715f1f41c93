"""Stacks: objects that look alike in every way share one row, and no others do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import scenario
from games.rules.history import History
from games.rules.secrecy import refuse_unseen
from games.rules.state import Refused
from games.screens import boards, new_card, view_models
from games.screens.cards import announcements, cards
from games.screens.cards.moments import once_each
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.screens.stacks import UNSEEN, Stacks, for_each, stack_of
from games.systems import find
from tests.page import parsed

EVERYBODY = Audience()
ZOMBIE = {"name": "Zombie", "types": ["creature"], "base": {"power": 2, "toughness": 2}}
ZOMBIES = {f"zombie-{n}": {**ZOMBIE, "token": True} for n in range(1, 6)}
OTHERS = {
    "snake": {**ZOMBIE, "name": "Snake"},
    "theirs": {**ZOMBIE, "owner": "ben"},
    "dead": {**ZOMBIE, "zone": "graveyard"},
}


def table(system: str = "magic", objects: Mapping[str, Any] | None = None) -> History:
    rules = find(system)
    described = {"seats": {"ana": {}, "ben": {}}, "objects": objects or {**ZOMBIES, **OTHERS}}
    return History(rules, scenario.opening(rules, {"given": described, "settings": {}}))


def rows(history: History) -> list[list[str]]:
    """All rows of more than one object."""
    stacks = Stacks(history.system)
    found = dict.fromkeys(stacks.row(history.state, each) for each in history.state.objects)
    return [[*row] for row in found if len(row) > 1]


def test_objects_that_are_alike_share_a_row() -> None:
    assert [[*ZOMBIES]] == rows(table())


@pytest.mark.parametrize(
    "command",
    [
        {"do": "place", "on": "zombie-3", "counter": "+1/+1"},
        {"do": "move", "object": "zombie-3", "to": "graveyard"},
        {"do": "control", "object": "zombie-3", "to": "ben"},
        {"do": "change", "object": "zombie-3", "add": {"power": 1, "toughness": 0}},
        {"do": "describe", "object": "zombie-3", "name": "Skeleton"},
        {"do": "mark", "on": "zombie-3", "mark": "ring_bearer"},
        {"do": "standing", "as": "double", "object": "zombie-3", "times": 2},
    ],
    ids=lambda command: command["do"],
)
def test_a_difference_splits_one_card_off(command: dict[str, Any]) -> None:
    history = table()
    screens = Drawing(history.system)
    page = parsed(boards.board(screens, history.state, "ana", EVERYBODY))
    page.apply(boards.changes(screens, history.give(command), EVERYBODY))

    assert [["zombie-1", "zombie-2", "zombie-4", "zombie-5"]] == rows(history)
    assert str(parsed(drawn(history))) == str(page)


def test_they_fall_together_when_they_are_alike_again() -> None:
    history = table()
    history.give({"do": "place", "on": "zombie-3", "counter": "+1/+1"})
    history.give({"do": "remove", "on": "zombie-3", "counter": "+1/+1"})

    assert [[*ZOMBIES]] == rows(history)


def test_a_cards_past_is_not_seen_and_parts_nothing() -> None:
    history = table(objects={key: {**ZOMBIE} for key in ("one", "two")})
    history.give({"do": "place", "on": "two", "counter": "+1/+1"})
    for zone in ("graveyard", "battlefield"):
        history.give({"do": "move", "object": "two", "to": zone})

    assert [["one", "two"]] == rows(history)


def test_each_pokemon_in_play_has_a_row_of_its_own() -> None:
    bidoof = {"name": "Bidoof", "zone": "bench", "hp": 70}

    assert [] == rows(table("pokemon", {"one": bidoof, "two": bidoof}))


def test_a_champion_has_a_row_of_its_own() -> None:
    card = {"name": "Lorraine", "types": ["champion"], "base": {"life": 20}}

    assert [] == rows(table("grand-archive", {"one": card, "two": card}))


# A set card


@pytest.mark.parametrize("seat", ["ana", "ben", None])
def test_set_cards_stand_alone_on_every_screen(seat: str | None) -> None:
    card = {"name": "Mirror Force", "zone": "spell-trap", "face_down": True}
    history = table("yu-gi-oh", {"one": card, "two": card, "open": {**card, "face_down": False}})
    screens = Drawing(history.system)
    page = boards.board(screens, history.state, seat, Audience(seat))

    assert page.count("<article") == 3
    assert "each." not in page


def test_face_up_cards_that_are_alike_share_a_row_in_yu_gi_oh() -> None:
    card = {"name": "Sheep Token", "token": True}

    assert [["one", "two"]] == rows(table("yu-gi-oh", {"one": card, "two": card}))


# The row


def drawn(history: History) -> str:
    return boards.board(Drawing(history.system), history.state, "ana", EVERYBODY)


def test_a_row_says_how_many_they_are_and_names_them() -> None:
    page = drawn(table())

    assert 1 == page.count("id=o-zombie-")
    assert 'aria-label="Zombie, 5 of them"' in page
    assert '<b class="times">×5</b>' in page
    assert f'name="each.zombie-1" value="{" ".join(ZOMBIES)}"' in page


def test_a_counter_on_each_of_a_row_is_one_number() -> None:
    history = table("any-game", {key: {"name": "Zombie", "counters": {"x": 1}} for key in ZOMBIES})
    screens = Drawing(history.system)
    given = history.give({"do": "place", "on": [*ZOMBIES], "counter": "x"})

    assert '<b id="zombie-1.x" hx-swap-oob="true">2</b>' == boards.changes(
        screens, given, EVERYBODY
    )


def test_a_hundred_and_twenty_tokens_are_a_small_fragment() -> None:
    tokens = {f"zombie-{n}": {**ZOMBIE, "token": True} for n in range(120)}
    history = table(objects=tokens)
    zone = cards.zone(Drawing(history.system), history.state, "ana", "battlefield").draw()

    assert len(zone) < 2_500


# All that happens to a stack

KEYS = st.sampled_from([*ZOMBIES, *OTHERS])
SOME = st.lists(KEYS, min_size=1, max_size=6, unique=True)
COUNTER = st.sampled_from(["+1/+1", "charge"])
COMMANDS = st.one_of(
    st.fixed_dictionaries({
        "do": st.sampled_from(["place", "remove"]), "on": SOME, "counter": COUNTER,
    }),
    st.fixed_dictionaries({
        "do": st.just("move"), "object": SOME,
        "to": st.sampled_from(["graveyard", "battlefield", "exile"]),
    }),
    st.fixed_dictionaries({
        "do": st.just("control"), "object": SOME, "to": st.sampled_from(["ana", "ben"]),
    }),
    st.fixed_dictionaries({"do": st.just("describe"), "object": KEYS, "name": st.just("Zombie")}),
    st.fixed_dictionaries({"do": st.just("begin-turn"), "active": st.just(["ben"])}),
    st.fixed_dictionaries({"do": st.sampled_from(["undo", "redo"])}),
)  # fmt: skip


def seen(history: History, key: str) -> list[Any]:
    """Everything about an object but its id, and what it held before."""
    obj = history.state.objects[key]
    parts = [getattr(obj, name) for name in obj.__struct_fields__ if name not in UNSEEN]
    return [*parts, dict(history.state.on(key))]


@settings(max_examples=60, deadline=None)
@given(st.lists(COMMANDS, max_size=14))
def test_each_object_is_in_exactly_one_row_and_each_row_is_of_like_ones(
    commands: Sequence[dict[str, Any]],
) -> None:
    history = table()
    screens = Drawing(history.system)
    page = parsed(boards.board(screens, history.state, "ana", EVERYBODY))
    for command in commands:
        try:
            given_now = history.give(command)
        except Refused:
            continue
        page.apply(boards.changes(screens, given_now, EVERYBODY))

        assert str(parsed(drawn(history))) == str(page)
    for seat in history.state.seats:
        for zone in history.system.zones:
            held = [obj.id for obj in view_models.in_zone(history.state, seat, zone)]
            found = [Stacks(history.system).row(history.state, each) for each in held]
            if zone == "ceased":
                continue

            assert sorted(held) == sorted(each for row in dict.fromkeys(found) for each in row)
            for one in held:
                alike = [each for each in held if seen(history, one) == seen(history, each)]

                assert alike == [*found[held.index(one)]]


# How many of them are meant


@pytest.mark.parametrize(
    ("of", "n", "meant"),
    [
        ((), None, "abcd"),
        ((), 1, "d"),
        ((), 3, "bcd"),
        (("b", "c"), None, "bc"),
        (("b", "c"), 1, "c"),
        (("b", "c"), 3, "dbc"),
        (("x",), None, "abcd"),
        ((), 99, "abcd"),
        ((), -2, "d"),
    ],
)
def test_as_many_are_meant_as_were_asked_for(of: Any, n: int | None, meant: str) -> None:
    stack = stack_of(tuple("abcd"), of, n)

    assert meant == "".join(stack.chosen)
    assert "abcd" == "".join(sorted(stack.row))


# Commands for each of a row

ROW = {"a": ["a", "b", "c"]}


@pytest.mark.parametrize(
    ("command", "given_each"),
    [
        (
            {"do": "place", "on": "a", "counter": "a", "note": "all"},
            {"do": "place", "on": ["a", "b", "c"], "counter": "a", "note": "all"},
        ),
        ({"do": "move", "object": ["x", "a"], "to": "exile"},
         {"do": "move", "object": ["x", "a", "b", "c"], "to": "exile"}),
        (
            {"do": "spend", "on": "a", "counter": "x", "note": "all"},
            {"do": "together", "note": "all",
             "steps": [{"do": "spend", "on": "a", "counter": "x"}],
             "each": {"a": ["a", "b", "c"]}},
        ),
        ({"do": "place", "on": "other", "counter": "x"}, None),
        ({"do": "lose-life", "seat": "a", "amount": 2}, None),
        ({"do": "no-such-verb", "on": "a"}, None),
        ({"do": ["x"], "on": "a"}, None),
    ],
)  # fmt: skip
def test_a_command_on_a_row_means_each_of_it(
    command: dict[str, Any], given_each: dict[str, Any] | None
) -> None:
    assert (given_each or command) == for_each(find("magic"), command, ROW)


def test_one_of_a_row_is_named_by_itself() -> None:
    command = {"do": "place", "on": "a", "counter": "x"}

    assert {**command, "on": "c"} == for_each(find("magic"), command, {"a": ["c"]})


# Verbs that name one object, on any part of a row

HORDE = [f"z{n}" for n in range(120)]
NAMES_ONE = [
    # command, what each of those has then of +1/+1, and what Ana's bear has
    ({"do": "spend", "on": "z0", "counter": "+1/+1"}, 1, 0),
    ({"do": "correct", "on": "z0", "counter": "+1/+1", "to": 7}, 7, 0),
    ({"do": "transfer", "from": "z0", "to": "bear", "counter": "+1/+1", "amount": 2}, 0, 2),
]


@pytest.mark.parametrize("part", [HORDE, HORDE[60:], HORDE[119:]])
@pytest.mark.parametrize(("command", "left", "given"), NAMES_ONE)
def test_a_verb_that_names_one_object_works_on_any_part_of_a_long_row(
    command: dict[str, Any], left: int, given: int, part: list[str]
) -> None:
    token = {"types": ["creature"], "base": {"power": 2}, "counters": {"+1/+1": 2}}
    objects = {**dict.fromkeys(HORDE, token), "bear": {"types": ["creature"]}}
    history = table("magic", objects)
    history.give(for_each(history.system, command, {"z0": part}))

    expected = {each: left if each in part else 2 for each in HORDE}
    assert expected == {each: history.state.count(each, "+1/+1") for each in HORDE}
    assert given * len(part) == history.state.count("bear", "+1/+1")
    history.give({"do": "undo"})
    assert {2} == {history.state.count(each, "+1/+1") for each in HORDE}


def test_if_one_of_a_row_cannot_pay_none_does() -> None:
    token = {"types": ["creature"], "base": {"power": 2}, "counters": {"charge": 1}}
    history = table("magic", {**dict.fromkeys(HORDE, token), "z119": {}})
    with pytest.raises(Refused) as refused:
        history.give(for_each(history.system, {"do": "spend", "on": "z0", "counter": "charge"},
                              {"z0": HORDE}))  # fmt: skip

    assert "not-enough" == refused.value.code
    assert 1 == history.state.count("z0", "charge")


@pytest.mark.parametrize(
    "each", [{"a": []}, {"a": ["a", "a"]}, {"a": [f"z{n}" for n in range(201)]}, {"a": "b"}, []]
)
def test_a_malformed_each_is_refused(each: Any) -> None:
    history = table("magic", {"a": {"counters": {"charge": 1}}})
    step = {"do": "spend", "on": "a", "counter": "charge"}
    with pytest.raises(Refused) as refused:
        history.give({"do": "together", "steps": [step], "each": each})

    assert "invalid" == refused.value.code


def test_copies_made_of_each_have_ids_of_their_own() -> None:
    history = table(
        "grand-archive", {each: {"types": ["ally"], "base": {"life": 1}} for each in "abc"}
    )
    command = {"do": "copy", "object": "a", "as": "copy-1f"}
    history.give(for_each(history.system, command, ROW))

    assert {"a", "b", "c", "copy-1f", "copy-1f-1", "copy-1f-2"} == history.state.objects.keys()


def test_a_card_that_places_on_itself_is_the_source_of_its_own() -> None:
    card = {"zone": "monster", "unaffected": True, "permits": {"spell": {}}}
    history = table("yu-gi-oh", dict.fromkeys("abc", card))
    command = {"do": "place", "on": "a", "source": "a", "counter": "spell"}
    history.give(for_each(history.system, command, ROW))

    assert [1, 1, 1] == [history.state.count(each, "spell") for each in "abc"]


def test_nobody_says_of_a_face_down_card_what_only_others_can_see() -> None:
    """Naming it among others is no way round."""
    cards = {
        "mine": {"owner": "ana"},
        "set": {"owner": "ben", "face_down": True, "known_to": ["ben"]},
    }
    history = table("yu-gi-oh", {key: {"zone": "monster", **card} for key, card in cards.items()})
    step = {"do": "watch", "object": "mine", "counter": "spell", "at": 3}
    raw = {"do": "together", "steps": [step], "each": {"mine": ["mine", "set"]}, "by": "ana"}
    with pytest.raises(Refused) as refused:
        refuse_unseen(history.system, history.state, raw)

    assert "forbidden" == refused.value.code


# Copies of a new card


@pytest.mark.parametrize(
    ("system", "numbered"),
    [("magic", False), ("grand-archive", False), ("yu-gi-oh", False), ("pokemon", True)],
)
def test_copies_without_a_name_are_numbered_only_where_they_never_share_a_row(
    system: str, *, numbered: bool
) -> None:
    history = table(system, {"one": {}})

    assert numbered == new_card.of_seat(history.system, history.state, "ana")["numbered"]


def test_a_rules_effect_on_several_of_one_name_is_told_once() -> None:
    ally = {"name": "Wisp", "types": ["ally"], "base": {"power": 1, "life": 1}}
    champion = {"types": ["champion"], "base": {"life": 20}}
    objects = {"azure": champion, **dict.fromkeys(("one", "two", "three"), ally)}
    history = table("grand-archive", objects)
    screens = Drawing(history.system)
    hit = history.give({"do": "damage", "on": ["one", "two", "three"], "amount": 1})

    with screens.reading(EVERYBODY):
        announced = once_each(announcements.moments(screens, hit))
        assert [("Wisp ×3 died", "1 damage on 1 life")] == [
            (each.title, each.says) for each in announced
        ]
