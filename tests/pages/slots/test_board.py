"""The board of slot counters: what each seat sees, and what only the GM ever gets."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client
from django.urls import resolve

from games.live.table_registry import registry
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.pages import urls
from games.pages.slots import urls as slot_urls
from games.rules import scenario, secrecy
from games.rules.history import History
from games.screens import boards
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.sheets import Table
from games.screens.slots import layout, sets, sheets, view_models, words
from games.screens.words import words_of
from games.store import rows
from games.systems import find
from games.systems.own_game import compiled
from games.systems.own_game.led import from_set
from games.tracks.counter import counter_in
from games.tracks.sets.plain import PLAIN
from tests.house import ROOT
from tests.live.conftest import connect, tables  # noqa: F401 the phones
from tests.page import parsed
from tests.types import Connect, Json, Make, Sit

SYSTEM = find("stars-and-signs")
ITS = words_of(SYSTEM)
SEATS: dict[str, dict[str, Any]] = {"gm": {}, "ana": {}, "ben": {}, "cleo": {}}
NAMES = {"gm": "GM", "ana": "Ana", "ben": "Ben", "cleo": "Cleo"}


def session(**counters: Json) -> History:
    """A session with these slot counters."""
    given = {"given": {"seats": SEATS, "slot_counters": counters}}
    return History(SYSTEM, scenario.opening(SYSTEM, given))


def board(history: History, seat: str | None) -> str:
    return boards.board(Drawing(SYSTEM, NAMES), history.state, seat, audience(SYSTEM, seat))


# What a seat is shown


def test_a_player_sees_the_table_first_then_what_stirs_then_their_own() -> None:
    history = session(
        c1={"name": "Alarm", "owner": None},
        c2={"name": "Doom", "visibility": "known"},
        c3={"name": "Ammo", "type": "resource", "owner": "ana"},
        c4={"name": "Trap", "visibility": "hidden"},
        c5={"name": "Vest", "owner": "ben"},
    )
    shown = [
        (group.kind, [e.id for e in group.counter_views])
        for group in layout.groups(ITS, history.state, "ana")
    ]

    expected = [("scene", ["c1"]), ("known", ["c2"]), ("mine", ["c3"]), ("seat", ["c5"])]
    assert expected == shown


def test_what_one_carries_stands_above_ones_own_board_alone() -> None:
    bag = {"name": "Bag", "type": "inventory", "items": [{"name": "Idol", "size": 1}]}
    history = session(
        c1={**bag, "owner": "ana"}, c2={**bag, "owner": "ben", "visibility": "hidden"}
    )
    lines = {
        seat: board(history, seat).partition('id="carries"')[2].partition('id="groups"')[0]
        for seat in ("ana", "gm", None)
    }

    assert 'href="slots/c1" data-sheet data-item="Idol"' in lines["ana"]
    assert ("c2" in lines["ana"], "Idol" in lines["gm"], "Idol" in lines[None]) == (False,) * 3


def test_a_masked_counter_shows_its_name_and_nothing_that_is_true_of_it() -> None:
    counter = {"name": "Doom", "type": "defeat", "slots": 9, "filled": 7, "visibility": "known"}
    seen = view_models.counter_view(
        ITS, session(c1=counter).state, "ana", counter_in(session(c1=counter).state, "c1")
    )

    assert seen is not None
    assert ("Doom", 0, "progress") == (seen.counter.name, seen.counter.filled, seen.counter.type)


def test_temporary_slots_are_drawn_first_and_the_text_tells_all() -> None:
    history = session(c1={"name": "Hope", "filled": 3, "temporary": 1, "thresholds": {"4": "Low"}})
    seen = view_models.counter_view(ITS, history.state, "gm", counter_in(history.state, "c1"))

    assert seen is not None
    assert ["temporary", "filled", "filled", "filled", "", ""] == [b.state for b in seen.blocks]
    drawn = re.sub("<[^>]+>", "", board(history, "ana"))
    assert "3/5 +1 temp" in drawn
    assert "Hope, Progress, 3 of 5 filled, 1 temporary" in drawn


def test_a_bulky_item_spans_two_places_and_a_compact_one_none() -> None:
    things = [{"name": "Bike", "size": 2}, {"name": "Key", "size": 0}]
    history = session(c1={"name": "Pack", "type": "inventory", "slots": 4, "items": things})
    seen = view_models.counter_view(ITS, history.state, "gm", counter_in(history.state, "c1"))

    assert seen is not None
    assert [("Bike", 2), ("", 1), ("", 1)] == [(place.name, place.span) for place in seen.places]
    assert ["Key"] == seen.compact


def test_an_item_is_not_offered_to_what_is_released_when_full() -> None:
    rope = {"type": "inventory", "slots": 2, "items": [{"name": "Rope"}]}
    memories = {"type": "inventory", "owner": "ana", "on_full": "release", "slots": 5}
    assets = {"type": "inventory", "owner": "ana", "slots": 2}
    history = session(c1=rope, c2=memories, c3=assets)
    seen = view_models.counter_view(ITS, history.state, "ana", counter_in(history.state, "c1"))

    assert seen is not None
    (item,) = sheets._items(Table(SYSTEM, history.state, NAMES, "ana"), seen)
    assert ["c3"] == [taker["id"] for taker in item["takers"]]


def test_only_what_may_stand_for_a_creature_has_initiative_and_conditions() -> None:
    rpg: Any = compiled(from_set.definition(PLAIN)).components.slot_counter

    assert sheets.acts_in_turn(rpg(id="c1", name="Goblin", type="clock"))
    assert not sheets.acts_in_turn(rpg(id="c1", name="Pack", counts="items"))


def test_a_full_counter_offers_no_plus_and_an_empty_one_no_minus() -> None:
    drawn = board(session(c1={"slots": 2, "filled": 2}, c2={"slots": 2}), "gm")

    assert drawn.count('name=fill-slot value="c1" disabled') == 1
    assert drawn.count('name=clear-slot value="c2" disabled') == 1


def test_the_dots_tell_the_gm_alone_who_sees_a_counter() -> None:
    history = session(c1={"visibility": "chosen", "seats": ["ana"]}, c2={"visibility": "known"})
    gm, ana = (view_models.counter_views(ITS, history.state, seat) for seat in ("gm", "ana"))

    assert [(("ana", "all"),), (("ana", "name"), ("ben", "name"), ("cleo", "name"))] == [
        each.seers for each in gm
    ]
    assert all(each.seers == () for each in ana)


# Moments


def test_a_completion_is_told_with_its_entry_and_what_did_not_fit() -> None:
    history = session(c1={"name": "Alarm", "type": "danger", "slots": 2})
    given = history.give({"do": "fill", "on": "c1", "points": 17})
    assert given.entry
    shown_moments = view_models.moments(ITS, given.after, "ana", given.entry.events)

    assert [("c1", 1, 7, "points", False)] == [
        (m.key, m.entry, m.over, m.over_as, m.passing) for m in shown_moments
    ]
    assert [] == view_models.moments(ITS, given.before, "ana")


def test_a_counter_that_begins_again_is_told_too() -> None:
    history = session(c1={"name": "Patrol", "slots": 1, "loop": "same"})
    given = history.give({"do": "fill", "on": "c1", "slots": 1})
    assert given.entry

    assert [("c1.1", True)] == [
        (m.key, m.passing) for m in view_models.moments(ITS, given.after, "ana", given.entry.events)
    ]


LABELLED = {"slots": 6, "worth": 1, "thresholds": {"2": "seen", "3": "close"}}
EVERYONE, NOBODY_ELSE = ("gm", "ana", "ben", None), ("gm",)
# fmt: off
REACHED = [
    # counter, points, who is told, the label
    ({**LABELLED, "visibility": "open"}, 2, EVERYONE, "seen"),
    ({**LABELLED, "visibility": "open"}, 3, EVERYONE, "close"),
    ({**LABELLED, "visibility": "open"}, 1, (), ""),
    ({**LABELLED, "visibility": "open"}, 6, (), ""),  # its completion says all
    ({**LABELLED, "visibility": "hidden"}, 2, NOBODY_ELSE, "seen"),
    ({**LABELLED, "visibility": "known"}, 2, NOBODY_ELSE, "seen"),
    ({**LABELLED, "visibility": "open", "later": ["2"]}, 2, EVERYONE, "seen"),
]
# fmt: on


@pytest.mark.parametrize(("counter", "points", "readers", "label"), REACHED)
def test_a_label_that_is_reached_is_told_to_all_who_see_it(
    counter: Json, points: int, readers: tuple[str | None, ...], label: str
) -> None:
    history = session(c1={"name": "Tentacles", "type": "danger", **counter})
    given = history.give({"do": "fill", "on": "c1", "points": points, "by": "gm"})

    found = {}
    for seat in EVERYONE:
        visible = secrecy.redacted(given, seat) if seat != "gm" else given
        events = visible.entry.events if visible and visible.entry else ()
        for each in view_models.moments(ITS, given.after, seat, events):
            if each.label:
                found[seat] = each.label
    assert dict.fromkeys(readers, label) == found


def test_a_newly_fragile_protagonist_is_told_on_every_phone() -> None:
    marks = {"5": "Fragile", "10": "Broken"}
    despair = {"type": "danger", "name": "Despair", "slots": 10, "worth": 1, "filled": 4,
               "owner": "ana", "visibility": "open", "thresholds": marks}  # fmt: skip
    history = session(despair=despair)
    given = history.give({"do": "fill", "on": "despair", "points": 1, "by": "gm"})

    for seat in ("ana", "ben", "gm", None):
        shown = boards.changes(Drawing(SYSTEM, NAMES), given, audience(SYSTEM, seat))
        assert "<h2>Fragile</h2>" in shown, seat


# fmt: off
PREVIEWS = [
    # slots, filled  command                             shown
    (5, 0, {"do": "fill", "points": 7},                  "7 → 2 slots"),
    (2, 0, {"do": "fill", "dice": [10, 3]},              "13 → 2 slots → completes, 3 left over"),
    (5, 0, {"do": "fill", "dice": [7], "halve": True},   "4 → 1 slot"),
    (5, 3, {"do": "clear", "points": 7},                 "7 → 1 slot cleared"),
    (2, 2, {"do": "fill", "points": 7},                  "7 → 0 slots → it’s already full"),
]
# fmt: on


@pytest.mark.parametrize(("size", "filled", "command", "expected"), PREVIEWS)
def test_the_result_of_a_roll_is_shown_first(
    size: int, filled: int, command: Json, expected: str
) -> None:
    history = session(c1={"slots": size, "filled": filled})
    full = {**command, "on": "c1"}
    events, refused = words.dry_run(SYSTEM, history.state, "gm", full)

    assert refused is None
    assert expected == words.preview(ITS, full, counter_in(history.state, "c1"), events)


def test_a_cost_that_is_too_high_says_what_it_needs_and_what_there_is() -> None:
    counter = counter_in(session(c1={"type": "resource", "filled": 4}).state, "c1")

    said = words.too_little({"do": "spend", "on": "c1", "dice": [7]}, counter)
    assert "Rolled 7 → needs 2 slots, you have 1." == said


# Secrets: every byte that another seat gets


CANARY = "canary"
SECRETS: dict[str, Json] = {
    "c1": {
        "name": "canary-name", "type": "danger", "visibility": "hidden", "scene": "canary-scene",
        "thresholds": {"2": "canary-label"}, "completes": "canary-meaning", "slots": 3,
        "role": "canary-role", "links": [{"to": "c6", "do": "fill", "slots": 1}],
    },
    "c2": {
        "name": "canary-pack", "type": "inventory", "visibility": "chosen", "seats": ["ben"],
        "items": [{"name": "canary-item", "size": 1}],
    },
    "c3": {"name": "Something", "visibility": "known", "scene": "canary-known"},
    "c4": {"name": "canary-timer", "type": "timer", "visibility": "hidden"},
    "c5": {"name": "The tide", "type": "timer", "slots": 9},
    "c6": {
        "name": "Open", "slots": 9, "links": [{"to": "c1", "do": "advance"}],
        "permissions": {"fill": "everyone"}, "gm_note": "canary-of-the-gm",
    },
    "c7": {"name": "canary-ben", "type": "resource", "owner": "ben", "visibility": "hidden"},
    "c8": {"name": "Ammo", "type": "resource", "owner": "ana", "gm_note": "canary-of-hers"},
    "c10": {"name": "canary-next", "type": "timer", "scene": "canary-act"},
    "c11": {"name": "canary-own", "owner": "ana", "scene": "canary-act"},
}  # fmt: skip


@pytest.fixture
def guarded(transactional_db: None, make_game: Make) -> Game:
    given = {"slot_counters": SECRETS, "scenes": {"canary-act": "prepared"}}
    return make_game("stars-and-signs", seats=SEATS, **given)


@pytest.fixture
def watch(guarded: Game) -> Client:
    """An admitted browser without a seat."""
    device = new_device()
    guarded.admit(hashed(device), Visitor.Role.GUEST)
    client = Client()
    client.cookies["device"] = device
    return client


PAGES = (
    "sidebar", "way-back", "rules", "keep", "summary", "tv", "tv/side?log&qr", "flat", "tools",
    "flat/codes",
    "notes", "several", "handouts", "handouts/p-secret", "handouts/h1/large",
    "log.md", "scenario.json", "state.json",
    "", "log", "log/latest", "mine", "objects/c1", "cards/new", "acts/any", "known",
    "becomes?on=c1&counter=x&amount=1", "share",
    "seats/", "seats/ana", "seats/ben", "slots/new", "slots/action",
    "slots/after?outcome=miss&who=ben", "slots/after?outcome=hit&who=ana", "slots/board",
    "slots/scene", "slots/scene?name=",
    "slots/milestone/minor", "slots/milestone/major", "slots/end", "slots/previously",
    "slots/of/ben", "slots/of/gm", "slots/own", "slots/as",
    "slots/as/gm", "slots/as/ben", "slots/as/ben?within", "slots/export",
    *(f"slots/c{n}" for n in range(1, 9)),
    *(f"slots/c{n}/overflow?n=3" for n in range(1, 9)),
    "replay", "replay?tv&line=4", "replay/film", "replay/film?tv", "replay/0-9",
    *(f"replay/{line}" for line in range(12)), "choosing",
    "preview?do=fill&on=c1&slots:number=9", "programs",
    "who", "chair", "definition", "change", "scores.csv", "scores.png",
    "bg-stats", "keys",
)  # fmt: skip


def next_sheet(answer: Any) -> str:
    """The sheet that the answer to a form of htmx goes on to."""
    return str(json.loads(answer["HX-Trigger"])["form:done"]["sheet"])


def everything(client: Client, game: Game) -> str:
    """Everything a browser can get from a game: each page, as page and as sheet, and refusals."""
    game_url = f"/g/{game.slug}/"
    got = []
    for path in PAGES:
        got.append(client.get(game_url + path).getvalue().decode())
        got.append(client.get(game_url + path, headers={"HX-Request": "true"}).getvalue().decode())
    for n in range(1, 9):
        got.append(client.post(f"{game_url}slots/c{n}/roll", {"do": "fill"}).content.decode())
        got.append(client.post(f"{game_url}slots/c{n}/link", {"to": "c1"}).content.decode())
        for command in (
            {"do": "fill", "on": f"c{n}", "slots": 1, "shield": "c7"},
            {"do": "create", "as": f"c{n}"},
            {"do": "take", "on": f"c{n}", "item": "guess"},
            {"do": "propose", "command": {"do": "fill", "on": f"c{n}", "slots": 1, "shield": "c1"}},
            {"do": "correct", "on": f"c{n}", "filled": 1},
            {"do": "edit", "on": f"c{n}", "links": [{"to": "c1", "do": "fill"}]},
            {"do": "edit", "on": f"c{n}", "gm_note": "guess"},
            {"do": "strike", "item": f"n{n}"},
            {"do": "amend", "item": f"n{n}", "to": []},
            {"do": "note", "as": f"n{n}", "text": "guess", "answers": f"n{n}"},
        ):
            said = client.post(
                f"{game_url}command", json.dumps(command), content_type="application/json"
            )
            got.append(said.content.decode())
    for number in range(1, Game.objects.get(pk=game.pk).number + 1):
        undo = json.dumps({"do": "undo", "entry": number})
        said = client.post(f"{game_url}command", undo, content_type="application/json")
        got.append(said.content.decode())
    return "\n".join(got)


POSTED = frozenset({
    "command", "rotate", "claim", "rename", "leave", "slot-made", "slot-line", "slot-acted",
    "slot-import", "slot-roll", "slot-link", "request-seat", "lead", "all-right", "answer", "lock",
    "again", "save-setup", "new-summary-link", "throw", "toss", "draw", "clock", "look", "resume",
    "remove-device", "bar", "delete", "delete-setup", "keep-days", "revoke-program", "only-own",
    "ask",
})  # fmt: skip
"""The addresses that take something in; what they refuse is scanned apart."""


def test_every_page_of_a_game_is_scanned_for_secrets() -> None:
    """If this fails, there is a new page: add it to PAGES, so that it is searched for canaries."""
    scanned = {resolve(f"/g/game/{path.partition('?')[0]}").url_name for path in PAGES}
    pages = {each.name for each in (*urls.game, *slot_urls.urlpatterns)}

    assert pages == scanned | (POSTED & pages)


def tell(game: Game, *commands: Json) -> None:
    for command in commands:
        async_to_sync(registry.give)(game.slug, command, command.pop("by", "gm"))


PLAYED: tuple[Json, ...] = (
    {"do": "fill", "on": "c1", "slots": 2, "note": "canary-note"},
    {"do": "edit", "on": "c1", "name": "canary-renamed"},
    {"do": "put", "on": "c2", "item": "canary-lamp"},
    {"do": "swap", "on": "c2", "out": "canary-item", "item": "canary-mask"},
    {"do": "action", "outcome": "miss", "by": "ana"},
    {"do": "create", "as": "c9", "name": "canary-made", "visibility": "hidden"},
    {"do": "discard", "on": "c9"},
    {"do": "propose", "by": "ben", "command": {"do": "spend", "on": "c7", "dice": [9, 9, 9]}},
    {"do": "fill", "on": "c6", "slots": 1, "by": "ben", "note": "seen by all"},
    {"do": "fill", "on": "c1", "slots": 5},
    {"do": "undo"},
    {"do": "scene", "scene": "canary-later", "to": "prepared"},
    {"do": "fill", "on": "c10", "slots": 5},
    {"do": "milestone", "milestone": "minor", "steps": [{"do": "clear", "on": "c1", "all": True}]},
    {"do": "note", "as": "n1", "text": "canary-plan", "secret": True},
    {"do": "note", "text": "canary-thought", "secret": True, "note": "canary-aside"},
    {"do": "note", "as": "n2", "text": "canary-struck", "secret": True},
    {"do": "strike", "item": "n2"},
    {"do": "undo"},
    {"do": "note", "as": "n3", "text": "for all"},
    {"do": "note", "as": "n4", "text": "canary-told", "to": ["ben"]},
    {"do": "note", "as": "n5", "text": "canary-answer", "answers": "n4", "by": "ben"},
    {"do": "note", "as": "n6", "text": "canary-both", "to": ["ben", "cleo"]},
    {"do": "amend", "item": "n4", "text": "canary-told again"},
    {"do": "strike", "item": "n6"},
    {"do": "note", "as": "h1", "title": "canary-map", "picture": "p-secret", "secret": True},
    {"do": "amend", "item": "h1", "to": ["ben"]},
    {"do": "amend", "item": "h1", "title": "canary-chart", "to": []},
    {"do": "note", "as": "h2", "title": "canary-letter", "text": "canary-ink", "to": ["cleo"]},
    {"do": "edit", "on": "c5", "gm_note": "canary-written"},
    {"do": "create", "as": "c20", "gm_note": "canary-made"},
    {"do": "propose", "by": "ben", "command": {"do": "fill", "on": "c5", "slots": 3}},
    {"do": "answer", "prompt": "proposal:ben#2", "reply": "canary-ask"},
    {"do": "answer", "prompt": "proposal:ben#2", "accept": True, "slots": 1, "reply": "canary-why"},
    {"do": "together", "steps": [{"do": "fill", "on": each, "slots": 1} for each in ("c5", "c4")]},
)  # fmt: skip


@pytest.mark.sweep
def test_the_gms_words_are_in_no_byte_that_others_can_fetch(
    guarded: Game, sit: Sit, watch: Client
) -> None:
    tell(guarded, *[dict(each) for each in PLAYED])

    for client in (sit(guarded, "ana"), watch):
        assert CANARY not in everything(client, guarded)
    gm = sit(guarded, "gm")
    for path in ("", "log", "slots/export", "slots/c1", "slots/as/ben?within"):
        assert CANARY in gm.get(f"/g/{guarded.slug}/{path}").getvalue().decode(), path


async def test_the_gms_words_are_in_no_frame_that_others_are_sent(
    guarded: Game,
    sit: Sit,
    watch: Client,
    connect: Connect,  # noqa: F811
) -> None:
    browser = await sync_to_async(sit)(guarded, "ana")
    ana, crowd = await connect(guarded, browser), await connect(guarded, watch)
    got = [await ana.text(), await crowd.text()]
    table = await registry.table(guarded.slug)
    for each in PLAYED:
        command = dict(each)
        before = [table.number_for(seat) for seat in ("ana", None)]
        await registry.give(guarded.slug, command, command.pop("by", "gm"))
        for phone, seat, had in zip((ana, crowd), ("ana", None), before, strict=True):
            if (number := table.number_for(seat)) > had:
                got.append(await phone.until(number))
    number = table.number_for("ana")
    await ana.say(do="fill", on="c1", slots=1, id="guess")
    got.append(str(await ana.refused()))
    await ana.say(do="roll", on="c8", dice=[1], id="forged")
    assert "forbidden" == (await ana.refused())["code"]
    await ana.say(do="undo", entry=2, id="back")
    got.append(str(await ana.refused()))
    for since in (None, 0, 1, number - 1):
        again = await connect(guarded, browser, since=since)
        got.append(await again.text())

    assert CANARY not in "\n".join(got)


async def test_a_revealed_counter_is_sent_and_one_hidden_again_is_gone(
    guarded: Game,
    sit: Sit,
    connect: Connect,  # noqa: F811
) -> None:
    browser = await sync_to_async(sit)(guarded, "ana")
    ana = await connect(guarded, browser)
    page = parsed(await ana.text())

    async def shown(**command: Any) -> str:
        await registry.give(guarded.slug, command, "gm")
        page.apply(await ana.until(registry.tables[guarded.slug].number_for("ana")))
        return str(page)

    assert CANARY in await shown(do="edit", on="c1", visibility="open")
    assert CANARY not in await shown(do="edit", on="c1", visibility="hidden")
    assert CANARY in await shown(do="undo")
    assert "canary-name" in "".join(
        part.text for line in await sync_to_async(log_lines)(guarded, "ana") for part in line.parts
    )
    assert CANARY not in await shown(do="undo", entry=1)
    assert (
        CANARY not in (await sync_to_async(browser.get)(f"/g/{guarded.slug}/log")).content.decode()
    )


def test_the_log_tells_each_fact_to_those_who_see_its_counter(guarded: Game) -> None:
    tell(guarded, {"do": "action", "outcome": "hit", "by": "ana"})
    said = {
        seat: [part.text for line in log_lines(guarded, seat) for part in line.parts]
        for seat in ("gm", "ana", None)
    }

    assert ["Ana acts: Hit", "1 filled on canary-timer", "1 filled on The tide"] == said["gm"]
    assert ["Ana acts: Hit", "1 filled on The tide"] == said["ana"] == said[None]


def test_the_log_and_undo_tell_a_resource_as_the_board_does_by_what_is_left(
    transactional_db: None, make_game: Make
) -> None:
    ammo = {"name": "Ammo", "type": "resource", "slots": 5, "temporary": 1}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"ammo": ammo})
    tell(
        game,
        {"do": "spend", "on": "ammo", "slots": 3},
        {"do": "clear", "on": "ammo", "slots": 1},
        {"do": "correct", "on": "ammo", "filled": 4},
        {"do": "restart", "on": "ammo"},
        {"do": "create", "as": "oil", "name": "Oil", "type": "resource", "slots": 3},
        {"do": "spend", "on": "oil", "slots": 1},
    )
    shown_moments = [
        (part.text, part.before, part.after)
        for line in log_lines(game, "ana")
        for part in line.parts
    ]

    assert [
        ("1 temporary spent from Ammo", 6, 5),
        ("2 spent from Ammo", 5, 3),
        ("1 regained on Ammo", 3, 4),
        ("Ammo corrected", 4, 1),
        ("Ammo starts again", None, None),
        ("added Oil", None, None),
        ("1 spent from Oil", 3, 2),
    ] == shown_moments


def test_the_log_and_sheets_call_a_change_as_its_type_does(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    """Hit points were spent, restored and cleared."""
    counters = {
        key: {"name": key.title(), "type": key, "slots": 9, "filled": 5}
        for key in ("hp", "sanity", "luck")
    }
    game = make_game("own-game", ready="call-of-cthulhu", seats=SEATS, slot_counters=counters)
    tell(
        game,
        {"do": "fill", "on": "hp", "slots": 3},
        {"do": "clear", "on": "hp", "slots": 1},
        {"do": "fill", "on": "sanity", "slots": 1},
        {"do": "fill", "on": "luck", "slots": 2},
    )
    told = [part.text for line in log_lines(game, "gm") for part in line.parts]

    assert "3 damage to Hp" in told
    assert "1 healed on Hp" in told
    assert "1 lost from Sanity" in told
    assert "2 spent from Luck" in told
    gm = sit(game, "gm")
    for key, verbs in {"hp": ("Hit", "Heal"), "sanity": ("Lose", "Regain")}.items():
        sheet = gm.get(f"/g/{game.slug}/slots/{key}", headers={"HX-Request": "true"})
        all_of_it = parsed(sheet.content.decode()).all()
        buttons = [each.text.strip() for each in all_of_it if each.tag == "button"]
        assert {*verbs} <= {*buttons}
        assert not {"Spend", "Fill", "Clear", "Drain"} & {*buttons}


# Making, and sets


def test_a_tile_makes_a_hidden_danger_and_says_where_to_name_it(guarded: Game, sit: Sit) -> None:
    answer = sit(guarded, "gm").post(
        f"/g/{guarded.slug}/slots/made", {"type": "danger"}, headers={"HX-Request": "true"}
    )
    made = guarded.slot_counters.order_by("pk").last()

    assert made is not None
    assert f"slots/{made.key}?new=1" == next_sheet(answer)
    assert ("hidden", 5, 5) == tuple(made.facts.get(k, 5) for k in ("visibility", "slots", "worth"))


def test_dice_are_rolled_by_the_server_and_shown_before_they_count(guarded: Game, sit: Sit) -> None:
    answer = sit(guarded, "ana").post(
        f"/g/{guarded.slug}/slots/c8/roll", {"do": "spend", "dice": "2", "how": "rolled"}
    )

    assert 2 == answer.content.decode().count('class="die"')
    (entry,) = guarded.entries.all()
    assert ["rolled"] == [event["kind"] for event in entry.events]
    assert 0 == guarded.slot_counters.get(key="c8").facts.get("filled", 0)


def test_no_seat_can_claim_that_the_table_rolled(guarded: Game, sit: Sit) -> None:
    forged = json.dumps({"do": "roll", "on": "c8", "dice": [1]})
    answer = sit(guarded, "ana").post(
        f"/g/{guarded.slug}/command", forged, content_type="application/json"
    )

    assert (422, "forbidden") == (answer.status_code, answer.json()["refused"]["code"])


def test_a_set_of_counters_is_laid_on_another_table_as_one_entry(
    guarded: Game, make_game: Make, sit: Sit
) -> None:
    kept = sit(guarded, "gm").get(f"/g/{guarded.slug}/slots/export").content.decode()
    other = make_game("stars-and-signs", seats=SEATS)
    answer = sit(other, "gm").post(f"/g/{other.slug}/slots/import", {"text": kept})
    other.refresh_from_db()

    assert 302 == answer.status_code, answer.content.decode()
    assert (1, len(SECRETS)) == (other.number, other.slot_counters.count())
    linked = [row.facts for row in other.slot_counters.all() if row.facts.get("links")]
    assert {"canary-name", "Open"} == {facts["name"] for facts in linked}


def _set(*counters: Json) -> str:
    schema = {"schema": sets.SET_SCHEMA, "version": sets.SET_VERSION}
    return json.dumps({**schema, "counters": list(counters)})


BAD_SETS = [
    ("{", "not JSON"),
    ("[]", "schema"),
    (json.dumps({"schema": sets.SET_SCHEMA, "version": 9}), "version"),
    (_set(), "counters"),
    (_set({"name": "Good"}, {"slots": 11}), "slots"),
    (_set({"name": "Good"}, {"type": "clock"}), "type"),
    (_set({"name": "Good"}, {"as": "c1"}), "as"),
    (_set({"name": "Good", "links": [{"to": 7, "do": "fill"}]}), "leads nowhere"),
    (_set({"name": "Good", "slots": 8, "temporary": 4}), "10"),
]


@pytest.mark.parametrize(("text", "why"), BAD_SETS)
def test_a_bad_set_is_refused_whole_with_a_reason(
    guarded: Game, sit: Sit, text: str, why: str
) -> None:
    answer = sit(guarded, "gm").post(
        f"/g/{guarded.slug}/slots/import", {"text": text}, headers={"HX-Request": "true"}
    )
    guarded.refresh_from_db()

    assert (422, 0) == (answer.status_code, guarded.number)
    assert why in answer.content.decode()


def test_a_milestone_is_one_entry_of_the_lines_left_ticked(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game(
        "stars-and-signs",
        seats=SEATS,
        slot_counters={
            "d": {"name": "Despair", "role": "despair", "slots": 10, "filled": 6, "owner": "ana"},
            "e": {"name": "Energy", "type": "resource", "role": "energy", "filled": 2},
        },
    )
    gm = sit(game, "gm")
    listed = gm.get(f"/g/{game.slug}/slots/milestone/major").content.decode()
    assert "Despair 6/10 → 0/10" in listed
    gm.post(f"/g/{game.slug}/slots/milestone/major", {"line": ["1.d"]})
    game.refresh_from_db()
    filled = {row.key: row.facts.get("filled", 0) for row in game.slot_counters.all()}

    assert (1, {"d": 0, "e": 2}) == (game.number, filled)


# Notices


def test_an_action_of_a_player_is_laid_before_the_gm_alone() -> None:
    history = session(c1={"name": "Doom", "type": "danger", "visibility": "hidden"})
    screens = Drawing(SYSTEM, NAMES)
    given = history.give({"do": "action", "by": "ana", "outcome": "hit"})

    shown_moments = {
        each: boards.changes(screens, given, audience(SYSTEM, each)) for each in (*SEATS, None)
    }
    assert "Ana acts: Hit" in shown_moments["gm"]
    assert (
        'href="slots/after?outcome=hit&amp;who=ana&amp;prompt=follow-up%3Aana%3Ahit"'
        in shown_moments["gm"]
    )
    assert [""] * 4 == [shown_moments[each] for each in ("ana", "ben", "cleo", None)]


def test_an_actions_follow_up_waits_on_every_screen_of_the_gm_until_it_is_done_once(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    seats = {**SEATS, "cleo": {"co_gm": True}}
    game = make_game("stars-and-signs", seats=seats, slot_counters={"c1": {"name": "Goal"}})
    screens = {key: sit(game, key) for key in ("gm", "ana", "ben", "cleo")}
    screens["gm's other device"] = Client()
    screens["gm's other device"].cookies = screens["gm"].cookies
    screens["ana"].post(f"/g/{game.slug}/slots/acted", {"outcome": "hit"})

    def waits() -> set[str]:
        """The screens that a reload shows it on."""
        pages = {key: each.get(f"/g/{game.slug}/") for key, each in screens.items()}
        return {key for key, page in pages.items() if "Ana acts: Hit" in page.content.decode()}

    assert {"gm", "cleo", "gm's other device"} == waits()
    where = f"/g/{game.slug}/slots/after?outcome=hit&who=ana&prompt=follow-up:ana:hit"
    assert "dismiss" in screens["gm"].get(where).content.decode()
    assert "dismiss" not in screens["ana"].get(where).content.decode()
    for _twice in range(2):
        done = {"do": "dismiss", "prompt": "follow-up:ana:hit"}
        assert 302 == screens["cleo"].post(f"/g/{game.slug}/command", done).status_code
    assert set() == waits()
    shown_moments = {
        key: [part.text for line in log_lines(game, key) for part in line.parts]
        for key in ("gm", "ana", "cleo")
    }
    assert "done with what followed Ana’s Action" in shown_moments["gm"]
    assert ["Ana acts: Hit"] == shown_moments["ana"]


def test_a_reaction_brings_nothing_before_the_gm() -> None:
    given = session().give({"do": "action", "by": "ana", "reaction": True})

    assert "" == boards.changes(Drawing(SYSTEM, NAMES), given, audience(SYSTEM, "gm"))


def test_a_player_learns_that_the_gm_declined() -> None:
    history = session(c1={"name": "Lamp"})
    fill = {"do": "fill", "on": "c1", "points": 7}
    asked = history.give({"do": "propose", "by": "ana", "command": fill})
    prompt = asked.after.prompts[-1].id
    given = history.give({"do": "answer", "prompt": prompt, "accept": False})

    screens = Drawing(SYSTEM, NAMES)
    shown_moments = {each: boards.changes(screens, given, audience(SYSTEM, each)) for each in SEATS}
    assert "The GM declined: fill 7 (2 slots) of Lamp" in shown_moments["ana"]
    assert not any("declined" in shown_moments[each] for each in ("gm", "ben", "cleo"))


def test_a_banner_says_whose_the_counter_is_to_everybody_else() -> None:
    history = session(c1={"name": "Ammo", "type": "resource", "owner": "ana", "filled": 5})

    assert "Ana · Resource · complete" in board(history, "ben")
    assert "Ana · Resource" not in board(history, "ana")


def test_despair_is_shown_without_a_type_for_the_rulebook_gives_it_none() -> None:
    drawn = board(session(c1={"name": "Despair", "type": "danger", "role": "despair"}), "ana")

    assert "Despair, 0 of 5 filled" in re.sub("<[^>]+>", "", drawn)
    assert "Danger" not in drawn


def test_the_rulebooks_own_names_are_read_in_the_language_of_the_screen() -> None:
    facts = {"type": "danger", "filled": 5, "thresholds": {"5": "Fragile"}, "owner": "ana"}
    history = session(c1={"name": "Despair", "role": "despair", **facts}, c2={"name": "Hopeful"})
    screens = Drawing(SYSTEM, NAMES)
    drawn = boards.board(screens, history.state, "gm", audience(SYSTEM, "gm", "es"))

    assert drawn.count("Desesperación") > 1
    assert "Frágil" in drawn
    assert "Hopeful" in drawn


# A scene


def test_a_whole_scene_is_revealed_hidden_and_put_away_each_as_one_entry() -> None:
    counters = {
        "c1": {"name": "Coffin", "scene": "Crypt", "visibility": "hidden"},
        "c2": {"name": "Dead", "scene": "Crypt", "visibility": "known"},
        "c3": {"name": "Tide", "visibility": "hidden"},
    }
    history = session(**counters)
    sheet = sheets.of_scene(Table(SYSTEM, history.state, {}, "gm"), "Crypt")
    for steps, seen in (("reveal", "open"), ("hide", "hidden")):
        history.give({"do": "together", "steps": json.loads(sheet[steps])})
        assert [seen, seen, "hidden"] == [
            counter_in(history.state, each).visibility for each in counters
        ]
        sheet = sheets.of_scene(Table(SYSTEM, history.state, {}, "gm"), "Crypt")
    history.give({"do": "together", "steps": json.loads(sheet["resolve"])})

    assert [True, True, False] == [counter_in(history.state, e).resolved for e in counters]


def test_a_gm_has_three_players_unless_somebody_says_otherwise(db: None, client: Client) -> None:
    page = client.get("/new?rules=stars-and-signs").content.decode()

    assert 'name="seats" value="4" checked' in page
    assert "Seats, including the GM’s" in page
    assert 'name="seats" value="2" checked' in client.get("/new?rules=yu-gi-oh").content.decode()


# What the Despair of who acts makes of an outcome


@pytest.mark.parametrize(
    ("filled", "lowered", "counts"),
    [(5, ["ana"], "Hit"), (10, ["ana"], "Graze"), (5, [], "Critical")],
)
def test_an_outcome_counts_as_less_for_the_fragile_and_the_broken(
    transactional_db: None, make_game: Make, sit: Sit,
    filled: int, lowered: list[str], counts: str
) -> None:  # fmt: skip
    marks = {"5": "Fragile", "10": "Broken"}
    despair = {"name": "Despair", "type": "danger", "role": "despair", "slots": 10}
    mine = {**despair, "filled": filled, "thresholds": marks, "owner": "ana"}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"c1": mine})
    ana = sit(game, "ana")

    assert "it counts as less" in ana.get(f"/g/{game.slug}/slots/action").content.decode()
    posted = {"who": "ana", "outcome": "critical", "lowered": lowered}
    ana.post(f"/g/{game.slug}/slots/acted", posted)
    shown_moments = [part.words for line in log_lines(game, "ana") for part in line.parts]
    assert f"Ana acts: {counts}" in shown_moments


@pytest.mark.parametrize("who", ["a\nb", "ключ", "ben&outcome=miss", "x" * 5000])
def test_an_actions_follow_up_is_asked_only_about_a_seat(
    transactional_db: None, make_game: Make, sit: Sit, who: str
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"c1": {"name": "Goal"}})
    posted, headers = {"who": who, "outcome": "hit"}, {"HX-Request": "true"}
    answer = sit(game, "ana").post(f"/g/{game.slug}/slots/acted", posted, headers=headers)

    assert (204, "slots/after?outcome=hit&who=") == (answer.status_code, next_sheet(answer))
    assert ["Ana acts: Hit"] == [
        part.words for line in log_lines(game, "ana") for part in line.parts
    ]


BROKEN = "Broken: Hope can’t be spent"


def in_despair(filled: int, visibility: str = "open", spend: str = "owner") -> History:
    """Ana's Despair, seen by some, and Hope, spent by some; and Ben's Hope."""
    despair = {"name": "Despair", "type": "danger", "role": "despair", "slots": 10}
    hope = {"name": "Hope", "type": "resource", "role": "hope", "slots": 5}
    marks = {"5": "Fragile", "10": "Broken"}
    return session(
        c1={
            **despair,
            "filled": filled,
            "thresholds": marks,
            "owner": "ana",
            "visibility": visibility,
        },
        c2={**hope, "owner": "ana", "permissions": {"spend": spend}},
        c3={**hope, "owner": "ben"},
    )


def test_the_hope_of_the_broken_says_before_it_is_spent_that_it_cannot_be() -> None:
    screens, history = Drawing(SYSTEM, NAMES), in_despair(9)
    before = {each: board(history, each) for each in ("gm", "ana", "ben")}
    given = history.give({"do": "fill", "on": "c1", "slots": 1, "by": "gm"})
    ana, ben = (boards.changes(screens, given, audience(SYSTEM, each)) for each in ("ana", "ben"))
    eased = history.give({"do": "clear", "on": "c1", "slots": 1, "by": "gm"})

    assert not any(BROKEN in each for each in before.values())
    assert (1, 0) == (ana.count(BROKEN), ben.count(BROKEN)), "only who may spend it is warned"
    after = boards.changes(screens, eased, audience(SYSTEM, "ana"))
    assert 'id="k-c2"' in after
    assert BROKEN not in after


def test_a_wound_is_told_to_everyone_who_sees_the_despair() -> None:
    screens, history = Drawing(SYSTEM, NAMES), in_despair(10)

    for n in (1, 2):  # the second changes nothing but the log
        given = history.give({"do": "suffer", "on": "c1", "points": 8, "by": "gm"})
        for seat in ("gm", "ana", "ben"):
            shown_moments = boards.changes(screens, given, audience(SYSTEM, seat))
            assert (
                "A Wound of rank 2" in shown_moments.partition(f'data-moment="c1.wound.{n}"')[2]
            ), seat


def test_a_wound_tells_no_one_of_a_despair_that_is_hidden() -> None:
    screens, history = Drawing(SYSTEM, NAMES), in_despair(10, "hidden")

    for _ in range(2):
        given = history.give({"do": "suffer", "on": "c1", "points": 8, "by": "gm"})
        assert "Wound" not in boards.changes(screens, given, audience(SYSTEM, "ben"))


def test_hope_does_not_tell_a_despair_that_its_seat_cannot_see() -> None:
    seen, hidden = (in_despair(10, each, spend="everyone") for each in ("open", "hidden"))

    assert 1 == board(seen, "ben").count(BROKEN)
    assert 0 == board(hidden, "ben").count(BROKEN)
    assert 1 == board(hidden, "ana").count(BROKEN)


def test_moods_are_shown_as_they_are_taken_off() -> None:
    history = session(c1={"name": "Despair", "type": "danger", "role": "despair", "slots": 10})
    command = {"do": "suffer", "on": "c1", "points": 19, "moods": [4, 2]}
    events, refused = words.dry_run(SYSTEM, history.state, "gm", command)

    assert refused is None
    said = words.preview(ITS, command, counter_in(history.state, "c1"), events)
    assert "19 − 4 − 2 = 13 → 3 slots" == said


def test_a_full_pack_is_news_for_its_owner_and_the_gm_alone() -> None:
    pack = {"type": "inventory", "slots": 1, "items": [{"name": "Rope"}], "owner": "ana"}
    state = session(c1=pack).state

    assert [1, 1, 0, 0] == [
        len(view_models.moments(ITS, state, each)) for each in ("gm", "ana", "ben", None)
    ]


def test_a_players_log_offers_to_take_back_own_lines_only(guarded: Game, sit: Sit) -> None:
    tell(guarded, {"do": "action", "by": "ana"}, {"do": "action", "by": "ben"})
    page = {
        each: sit(guarded, each).get(f"/g/{guarded.slug}/log").content.decode()
        for each in ("gm", "ana")
    }

    assert [2, 1] == [page[each].count('data-does="undo" data-entries') for each in page]
    assert [1, 0] == [page[each].count("data-to=") for each in page]


def test_the_rows_of_a_seats_sheet_are_no_copies_of_numbers_on_the_board(
    db: None, make_game: Make, sit: Sit
) -> None:
    """The board wrote their text into them."""
    despair = {"type": "danger", "owner": "ana", "name": "Despair"}
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters={"d": despair})
    page = sit(game, "gm").get(f"/g/{game.slug}/slots/of/ana").content.decode()

    assert "Fill one slot of Despair" in page
    assert "k-d" not in page


def test_a_set_leaves_out_what_every_protagonist_has() -> None:
    hope = {"name": "Hope", "role": "hope"}
    history = session(c1={**hope, "owner": "ana"}, c2=hope, c3={"name": "Ammo", "owner": "ana"})

    kept = sets.as_set(ITS, history.state, "gm", "An evening")["counters"]
    assert ["Hope", "Ammo"] == [each["name"] for each in kept]


CLEARED = [{"do": "clear", "on": "long", "all": True}]


@pytest.mark.parametrize(
    ("command", "short"),
    [
        ({"do": "fill", "on": "c1", "dice": [6]}, "Undo Alarm"),
        ({"do": "fill", "on": "c1", "points": 6}, "Undo Alarm"),
        ({"do": "fill", "on": "long", "slots": 1}, "Undo Reach"),
        ({"do": "correct", "on": "long", "filled": 1}, "Undo Reach"),
        ({"do": "action", "outcome": "miss", "seat": "ana"}, "Undo action"),
        ({"do": "edit", "on": "c1", "name": "Bells"}, "Undo edit"),
        ({"do": "milestone", "milestone": "major", "steps": CLEARED}, "Undo milestone"),
    ],
)
def test_undo_is_named_after_what_it_takes_back(
    transactional_db: None, make_game: Make, sit: Sit, command: Json, short: str
) -> None:
    counters = {
        "c1": {"name": "Alarm"},
        "long": {"name": "Reach the dark lamp", "filled": 2},
        "tide": {"type": "timer"},
    }
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters=counters)
    gm = sit(game, "gm")
    async_to_sync(registry.give)(game.slug, command, "gm")

    assert short == gm.get(f"/g/{game.slug}/mine").json()["undo_short"]


def test_a_whisper_and_its_reading_have_a_name_to_undo(guarded: Game, sit: Sit) -> None:
    gm, ana = sit(guarded, "gm"), sit(guarded, "ana")
    whispered = {"do": "note", "text": "I palm the key", "whisper": True, "as": "n1"}
    async_to_sync(registry.give)(guarded.slug, whispered, "ana")
    prompt = next(iter(rows.state(guarded).prompts))
    async_to_sync(registry.give)(guarded.slug, {"do": "dismiss", "prompt": prompt.id}, "gm")

    for seat, short in ((ana, "Undo note"), (gm, "Undo answer")):
        assert short == seat.get(f"/g/{guarded.slug}/mine").json()["undo_short"]


def test_a_gm_sees_another_seats_board_in_a_frame_of_a_phone(guarded: Game, sit: Sit) -> None:
    gm = sit(guarded, "gm")
    address = f"/g/{guarded.slug}/slots/as/ben"
    around, within = gm.get(address), gm.get(f"{address}?within")

    assert f'src="{address}?within"' in around.content.decode()
    assert 'id="board"' not in around.content.decode()
    assert 'id="board"' in within.content.decode()
    for page in (around, within):
        assert "SAMEORIGIN" == page["X-Frame-Options"]
        assert "frame-ancestors 'self'" in page["Content-Security-Policy"]
    assert "DENY" == gm.get(f"/g/{guarded.slug}/")["X-Frame-Options"]


def test_a_new_co_gm_can_see_it_as_another_at_once(guarded: Game, sit: Sit) -> None:
    """The tool is on each seat's page from the start, and stands where a GM's bar does."""
    ana = sit(guarded, "ana")
    tool, bar = '<a href="slots/as" data-sheet data-gm', 'class="slot-bar is-gm"'
    rule = "#live:not(:has(.slot-bar.is-gm)) .tools > [data-gm]"

    before = ana.get(f"/g/{guarded.slug}/").content.decode()
    tell(guarded, {"do": "appoint", "seat": "ana"})
    after = ana.get(f"/g/{guarded.slug}/").content.decode()

    assert (True, False) == (tool in before, bar in before)
    assert (True, True) == (tool in after, bar in after)
    assert rule in (ROOT / "static/css/slots/board.css").read_text()
    assert 403 == sit(guarded, "ben").get(f"/g/{guarded.slug}/slots/as").status_code


# The log


def test_the_gm_s_log_marks_what_not_everyone_may_know(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    counters = {
        "c1": {"name": "Goal"},
        "c2": {"name": "Doom", "type": "timer", "visibility": "hidden"},
        "c3": {"name": "Rumour", "visibility": "chosen", "seats": ["ana"]},
    }
    game = make_game("stars-and-signs", seats=SEATS, slot_counters=counters)
    gm, ana = sit(game, "gm"), sit(game, "ana")
    for given in (
        {"do": "fill", "on": "c1", "slots": 1},
        {"do": "fill", "on": "c2", "slots": 1},
        {"do": "fill", "on": "c3", "slots": 1},
        {"do": "action", "outcome": "hit"},
    ):
        gm.post(f"/g/{game.slug}/command", given | ({"slots:number": 1} if "on" in given else {}))

    marked = {line.number: line.secret for line in log_lines(game, "gm")}
    assert {1: False, 2: True, 3: True, 4: True} == marked
    assert not any(line.secret for line in log_lines(game, "ana"))
    assert "Not for all" in gm.get(f"/g/{game.slug}/log").content.decode()
    assert "(not for all)" in gm.get(f"/g/{game.slug}/log.md").content.decode()
    assert "Not for all" not in ana.get(f"/g/{game.slug}/log").content.decode()


def test_a_die_that_is_rolled_and_applied_is_told_once(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"c1": {"name": "Row"}})
    gm = sit(game, "gm")
    for dice in ([2], [3]):
        async_to_sync(registry.give)(game.slug, {"do": "roll", "on": "c1", "dice": dice}, "gm")

    def shown_moments() -> list[str]:
        lines = log_lines(game, "gm")
        return ["; ".join(part.text for part in line.parts) for line in lines]

    assert ["rolled 2 for Row", "rolled 3 for Row"] == shown_moments()
    async_to_sync(registry.give)(game.slug, {"do": "fill", "on": "c1", "dice": [3]}, "gm")
    assert ["rolled 2 for Row", "rolled 3; 1 filled on Row"] == shown_moments()
    async_to_sync(registry.give)(game.slug, {"do": "undo"}, "gm")
    assert ["rolled 2 for Row", "rolled 3 for Row"] == shown_moments()[:2]
    assert gm


def test_temporary_slots_for_which_there_is_no_room_are_no_line_and_no_undo(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    counters = {"c1": {"name": "Oil", "slots": 6}, "c2": {"name": "Full", "slots": 10}}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters=counters)
    gm = sit(game, "gm")
    for on in ("c1", "c2"):
        command = {"do": "add-temporary", "on": on, "slots": 5}
        async_to_sync(registry.give)(game.slug, command, "gm")

    assert ["4 temporary added to Oil; no room for 1 more"] == [
        part.text for line in log_lines(game, "gm") for part in line.parts
    ]
    assert [1] == gm.get(f"/g/{game.slug}/mine").json()["undo"]
    assert "room for 4" not in gm.get(f"/g/{game.slug}/slots/c2").content.decode()
    assert "add-temporary" not in gm.get(f"/g/{game.slug}/slots/c2").content.decode()


def test_beginning_a_scene_says_that_its_name_is_shown(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    scenes = {"The betrayal": "prepared"}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={}, scenes=scenes)
    page = sit(game, "gm").get(f"/g/{game.slug}/slots/scene?name=The betrayal").content.decode()

    assert "All: the name of the scene, “The betrayal”" in page


def test_a_choice_of_one_is_no_button(transactional_db: None, make_game: Make, sit: Sit) -> None:
    oil = {"name": "Oil", "type": "resource"}
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={"c1": oil})
    page = sit(game, "ana").get(f"/g/{game.slug}/slots/c1").content.decode()

    assert re.search(r'type="?hidden"? name="?do"? value="?spend', page)
    assert not re.search(r'type="?radio"? name="?do"?', page)
