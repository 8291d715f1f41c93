"""Exports, files, set-ups and rematches."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.live.table_registry import registry
from games.models import Game, LastEntry, Setup, Visitor
from games.pages.setups import MOST_BYTES
from games.rules import scenario
from games.store import rows
from games.systems import find, presentation_of, presets
from tests.ready import READY
from tests.types import Json, Make, Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]


@pytest.fixture
def duel(make_game: Make) -> Game:
    """Grand Archive, with an entry that has a reason and one that was taken back."""
    game = make_game(
        "grand-archive",
        "2024",
        settings={"counters_apply": "last"},
        objects={
            "wolf": {"types": ["ally"], "base": {"power": 1, "life": 3}, "name": "*Wolf*"},
            "ana-hero": {"types": ["champion"], "base": {"life": 15, "level": 0}},
        },
    )
    rows.give(
        game,
        [
            {"do": "place", "on": "wolf", "counter": "buff", "amount": 2, "id": "phone-1"},
            {"do": "place", "on": "wolf", "counter": "debuff", "by": "ben", "note": "hex"},
            {"do": "damage", "on": "ana-hero", "amount": 4},
            {"do": "undo", "entry": 3},
        ],
    )
    return game


@pytest.fixture
def secret(make_game: Make) -> Game:
    hidden = {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}
    return make_game("stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters={"c1": hidden})


def at(game: Game, path: str) -> str:
    return f"/g/{game.slug}/{path}"


# The log to read


def test_the_log_is_told_in_markdown(duel: Game, sit: Sit) -> None:
    answer = sit(duel, "ben").get(at(duel, "log.md"))
    text = answer.content.decode()

    assert answer["Content-Type"].startswith("text/markdown")
    assert "attachment" in answer["Content-Disposition"]
    assert "# Friday" in text
    assert "**Ana**: 2 buff on \\*Wolf\\*, **0 → 2**" in text
    assert "Buff 4" in text
    assert "“hex”" in text
    assert "~~4 damage to ana-hero" in text
    assert "phone-1" not in text


# The game as a scenario


def test_the_exported_game_replays_to_the_same_state(duel: Game, sit: Sit) -> None:
    text = sit(duel, "ana").get(at(duel, "scenario.json")).getvalue().decode()
    (written,) = json.loads(text)

    assert [] == scenario.check(written, find("grand-archive", "2024"))
    assert 4 == written["then"]["entries"]
    assert "phone-1" not in text
    for hidden in (duel.invite_token, duel.host_token, duel.spoken_code, duel.code):
        assert hidden not in text


def test_an_exported_game_begins_again_from_its_file(duel: Game, sit: Sit) -> None:
    text = sit(duel, "ana").get(at(duel, "scenario.json")).getvalue()
    client = Client()

    answer = client.post("/new/file", {"file": SimpleUploadedFile("evening.json", text)})
    again = Game.objects.exclude(pk=duel.pk).get()

    assert f"/g/{again.slug}/share" == answer["Location"]
    assert rows.state(duel) == rows.state(again)
    assert (duel.title, "2024", 4) == (again.title, again.edition, again.number)
    rows.check(again)
    assert 200 == client.get(at(again, "")).status_code


STRANGE: Any = {
    "no JSON": "{",
    "no object": "[1]",
    "two": "[{}, {}]",
    "no game": '{"system": "chess"}',
    "half a character": r'{"system": "magic", "title": "\ud800"}',
}


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_an_invalid_file_is_refused_and_the_pasted_text_stays(text: str) -> None:
    answer = Client().post("/new/file", {"text": text})

    assert 422 == answer.status_code
    assert "No game was started" in answer.content.decode()
    assert text.replace('"', "&quot;") in answer.content.decode()
    assert not Game.objects.exists()


def test_a_text_too_long_is_refused_however_it_comes() -> None:
    long = b'"' + b"x" * MOST_BYTES + b'"'

    for sent in ({"file": SimpleUploadedFile("long.json", long)}, {"text": long.decode()}):
        answer = Client().post("/new/file", sent)
        assert 422 == answer.status_code
        assert "longer than two megabytes" in answer.content.decode()
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"seats": {"Ana!": {}}}, "id"),
        ({"seats": {"ana": {"lost": "maybe"}}}, "wrong type"),
        ({"seats": {"ana": {}}, "objects": {"wolf": {"zone": "moon"}}}, "zone"),
        ({"seats": {"ana": {}}, "objects": {"wolf": {"owner": "zed"}}}, "not at this table"),
        ({"seats": {"ana": {}}, "objects": {"wolf": {"name": "\u202ewolf"}}}, "name"),
        ({"seats": {"ana": {}}, "objects": {"wolf": {"counters": {"Buff!": 1}}}}, "kind"),
        ({"seats": {"ana": {}}, "objects": {"wolf": {"counters": {"buff": 1.5}}}}, "amount"),
        ({"seats": {"ana": {}}, "objects": {"wolf": {"base": {"power": "x"}}}}, "wrong type"),
        ({"seats": {f"s{n}": {} for n in range(13)}}, "seats"),
    ],
)
def test_an_opening_that_no_game_has_is_refused(given: dict[str, Any], why: str) -> None:
    said = {"id": "x", "title": "x", "system": "grand-archive", "when": [], "then": {}}

    answer = Client().post("/new/file", {"text": json.dumps({**said, "given": given})})

    assert 422 == answer.status_code
    assert why in answer.content.decode()
    assert not Game.objects.exists()


def test_a_file_whose_command_is_refused_begins_nothing(duel: Game, sit: Sit) -> None:
    (written,) = json.loads(sit(duel, "ana").get(at(duel, "scenario.json")).getvalue())
    written["when"].append({"do": "spend", "on": "wolf", "counter": "buff", "amount": 9})

    answer = Client().post("/new/file", {"text": json.dumps(written)})

    assert 422 == answer.status_code
    assert [duel] == list(Game.objects.all())


# What other programs read


def test_the_state_is_there_as_json_until_something_happens(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    first = ana.get(at(duel, "state.json"))
    exported = first.json()

    assert (1, 4, "ana") == (exported["schema"], exported["number"], exported["seat"])
    assert {"buff": 1} == exported["state"]["objects"]["wolf"]["counters"]
    same = {"If-None-Match": first["ETag"]}
    assert 304 == ana.get(at(duel, "state.json"), headers=same).status_code
    duel.seats.filter(key="ben").update(given_name="Benny")
    renamed = ana.get(at(duel, "state.json"), headers=same)
    assert "Benny" == renamed.json()["names"]["ben"]
    same = {"If-None-Match": renamed["ETag"]}
    rows.give(duel, [{"do": "damage", "on": "ana-hero", "amount": 1}])
    assert 200 == ana.get(at(duel, "state.json"), headers=same).status_code


@pytest.mark.parametrize("packed", [{}, {"Accept-Encoding": "gzip"}])
def test_the_file_of_the_game_is_sent_again_only_when_it_differs(
    duel: Game, sit: Sit, packed: dict[str, str]
) -> None:
    ana = sit(duel, "ana")
    first = ana.get(at(duel, "scenario.json"), headers=packed)
    known = {**packed, "If-None-Match": first["ETag"]}

    assert 304 == ana.get(at(duel, "scenario.json"), headers=known).status_code
    duel.seats.filter(key="ben").update(given_name="Benny")
    renamed = ana.get(at(duel, "scenario.json"), headers=known)
    assert 200 == renamed.status_code
    known = {**packed, "If-None-Match": renamed["ETag"]}
    rows.give(duel, [{"do": "damage", "on": "ana-hero", "amount": 1}])
    assert 200 == ana.get(at(duel, "scenario.json"), headers=known).status_code


def test_a_program_that_accepts_gzip_hears_that_nothing_has_changed(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    packed = {"Accept-Encoding": "gzip"}
    first = ana.get(at(duel, "state.json"), headers=packed)

    assert first["ETag"].startswith("W/")
    for tags in (first["ETag"], f'"another", {first["ETag"]}', "*"):
        again = ana.get(at(duel, "state.json"), headers={**packed, "If-None-Match": tags})
        assert (304, b"") == (again.status_code, again.content)
        assert first["Cache-Control"] == again["Cache-Control"]
        varies = {name.strip() for name in again["Vary"].split(",")}
        assert {"Cookie", "Accept-Encoding"} <= varies
        assert varies == {name.strip() for name in first["Vary"].split(",")}


# Secrets


# Face-down cards in the whole game


@pytest.fixture
def ambush(make_game: Make) -> Game:
    """Yu-Gi-Oh!: Ana's Mirror Force lies face-down."""
    game = make_game("yu-gi-oh", seats={"ana": {}, "ben": {}})
    card = {"do": "create", "as": "card-1", "name": "Mirror Force", "zone": "spell-trap"}
    rows.give(game, [{**card, "face_down": True, "by": "ana"}])
    return game


def rest(game: Game, minutes: int = 11) -> None:
    """Let *minutes* pass since the last tap of the evening."""
    for each in game.evening:
        earlier = LastEntry.objects.get(game=each).changed - timedelta(minutes=minutes)
        LastEntry.objects.filter(game=each).update(changed=earlier)


def tells(phone: Client, game: Game) -> bool:
    """True if the whole game can be downloaded; then it names the face-down card."""
    answer = phone.get(at(game, "scenario.json"))
    assert answer.status_code in (200, 403)
    if answer.status_code == 200:
        assert b"Mirror Force" in answer.getvalue()
    return bool(answer.status_code == 200)


def lose(game: Game) -> None:
    rows.give(game, [{"do": "lose-life", "seat": "ben", "amount": 8000, "by": "ben"}])


def test_a_face_down_card_leaves_with_its_owner_s_word(ambush: Game, sit: Sit) -> None:
    ana, ben = sit(ambush, "ana"), sit(ambush, "ben")
    assert (True, False) == (tells(ana, ambush), tells(ben, ambush))

    rows.give(ambush, [{"do": "flip", "object": "card-1", "face_down": False, "by": "ana"}])

    assert tells(ben, ambush)


def test_nothing_that_would_be_refused_is_offered(ambush: Game, sit: Sit) -> None:
    """A phone saved the refusal as a file that it could not open."""
    pages = [sit(ambush, seat).get(at(ambush, "keep")).content.decode() for seat in ("ana", "ben")]

    assert [True, False] == [at(ambush, "scenario.json") in page for page in pages]
    assert "names face-down cards of others" in pages[1]
    for page in pages:
        assert at(ambush, "setups") not in page
        assert "has cards that not everyone sees" in page


def test_a_game_given_up_tells_no_face_down_card_until_the_evening_rests(
    ambush: Game, sit: Sit
) -> None:
    """It could be taken back at once; who lost stays lost through ten minutes without a tap."""
    ben = sit(ambush, "ben")
    rest(ambush)
    assert not tells(ben, ambush)  # it goes on, however slowly
    lose(ambush)
    assert not tells(ben, ambush)
    rest(ambush, 9)
    assert not tells(ben, ambush)
    rest(ambush, 2)

    assert tells(ben, ambush)


def test_a_rematch_that_is_taken_back_tells_no_face_down_card(ambush: Game, sit: Sit) -> None:
    ana, ben = sit(ambush, "ana"), sit(ambush, "ben")
    rest(ambush)
    assert 302 == ben.post(at(ambush, "again")).status_code
    assert not tells(ben, ambush)
    assert 302 == ben.post(at(ambush, "resume")).status_code
    assert not tells(ben, ambush)

    ambush.refresh_from_db()
    ana.post(at(ambush, "again"))
    ambush.refresh_from_db()
    rest(ambush)

    assert tells(ben, ambush)


def test_an_earlier_game_that_goes_on_tells_no_face_down_card_of_this_one(
    ambush: Game, sit: Sit
) -> None:
    sit(ambush, "ana")
    ben = sit(ambush, "ben")
    ben.post(at(ambush, "again"))
    ambush.refresh_from_db()
    second = ambush.newest
    card = {"do": "create", "as": "card-2", "name": "Mirror Force", "zone": "spell-trap"}
    rows.give(second, [{**card, "face_down": True, "by": "ana"}])
    rest(second)

    assert 302 == ben.post(at(ambush, "resume")).status_code

    second.refresh_from_db()
    assert not tells(ben, second)


@pytest.mark.parametrize("path", ["log.md", "scenario.json", "state.json", "keep", "setups"])
def test_a_player_takes_no_secret_along(secret: Game, sit: Sit, path: str) -> None:
    gm, ana = sit(secret, "gm"), sit(secret, "ana")
    rows.give(secret, [{"do": "fill", "on": "c1", "slots": 2}])

    for client in (ana, ana.__class__(headers={"HX-Request": "true"})):
        client.cookies = ana.cookies
        assert "CANARY" not in client.get(at(secret, path)).content.decode()
    assert "CANARY" not in ana.post(at(secret, path)).content.decode()
    assert 403 == ana.get(at(secret, "scenario.json")).status_code
    assert 403 == ana.post(at(secret, "setups")).status_code
    assert "CANARY" in gm.get(at(secret, "scenario.json")).getvalue().decode()
    assert not Setup.objects.exists()


@pytest.mark.parametrize("path", ["log.md", "state.json", "keep"])
def test_a_watcher_reads_no_secret(secret: Game, dan: Client, path: str) -> None:
    rows.give(secret, [{"do": "fill", "on": "c1", "slots": 2}])
    dan.get(f"/w/{secret.watch_token}")

    answer = dan.get(at(secret, path))

    assert 200 == answer.status_code
    assert "CANARY" not in answer.content.decode()
    assert not re.search(r"\bc1\b", answer.content.decode())  # a slug may have it in the middle


@pytest.mark.parametrize("path", ["log.md", "scenario.json", "state.json", "keep"])
def test_strangers_get_nothing(duel: Game, dan: Client, path: str) -> None:
    assert 403 == dan.get(at(duel, path)).status_code


# Set-ups


def test_saving_a_table_with_secrets_says_that_they_are_included(
    duel: Game, secret: Game, sit: Sit
) -> None:
    warning = "Whoever does becomes its GM and reads every secret in it"

    assert warning in sit(secret, "gm").get(at(secret, "keep")).content.decode()
    assert warning not in sit(duel, "ana").get(at(duel, "keep")).content.decode()


def test_a_gms_set_up_carries_notes_says_so_and_can_be_taken_back(secret: Game, sit: Sit) -> None:
    give = async_to_sync(registry.give)
    give(secret.slug, {"do": "note", "as": "n1", "text": "CANARY plan", "secret": True}, "gm")
    give(secret.slug, {"do": "note", "as": "n2", "text": "It is you", "to": ["ana"]}, "gm")
    gm, stranger = sit(secret, "gm"), Client()
    link = gm.post(at(secret, "setups"), {"title": "The vault"})["Location"]

    shown = stranger.get(link).content.decode()
    assert "becomes the GM and reads every secret" in shown
    assert "CANARY" not in shown
    stranger.post(link)
    begun = Game.objects.exclude(pk=secret.pk).get()
    secret.refresh_from_db()
    assert rows.state(secret).notes == rows.state(begun).notes
    rows.check(begun)

    gm.post(at(secret, f"setups/{secret.setups.get().pk}/delete"))
    assert 404 == stranger.get(link).status_code


def test_a_set_up_is_the_table_without_its_log(duel: Game, sit: Sit) -> None:
    saved = sit(duel, "ana").post(at(duel, "setups"), {"title": "Wolf night"})
    stranger = Client()

    assert "Wolf night" in stranger.get(saved["Location"]).content.decode()
    answer = stranger.post(saved["Location"])
    begun = Game.objects.exclude(pk=duel.pk).get()

    assert f"/g/{begun.slug}/share" == answer["Location"]
    assert ("Wolf night", 0, "2024") == (begun.title, begun.number, begun.edition)
    assert {"buff": 1} == rows.state(begun).on("wolf")
    assert "last" == begun.settings["counters_apply"]
    assert duel.names == begun.names
    rows.check(begun)


def test_a_set_up_outlives_its_game(duel: Game, sit: Sit) -> None:
    saved = sit(duel, "ana").post(at(duel, "setups"))
    duel.delete()

    assert 302 == Client().post(saved["Location"]).status_code


def test_beside_the_code_of_a_set_up_or_a_game_stands_the_address(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    saved = ana.post(at(duel, "setups"))["Location"]
    setup = Setup.objects.get()
    codes: Json = {saved: setup, at(duel, "keep"): setup, at(duel, "share"): duel}
    for path, of in codes.items():
        page = ana.get(path).content.decode()
        beside = rf"<span>testserver</span><i> · </i>\s*<b>{of.spoken_code}</b>"
        assert re.search(beside, page), path


def test_a_link_to_no_set_up_says_so_and_offers_the_code() -> None:
    answer = Client().get("/s/nothing")

    assert 404 == answer.status_code
    assert "This link no longer works" in answer.content.decode()
    assert b'name="code"' in answer.content


# Play again


def test_a_rematch_keeps_seats_watchers_names_and_links(duel: Game, sit: Sit, dan: Client) -> None:
    ana, ben = sit(duel, "ana"), sit(duel, "ben")
    duel.admit("f" * 64, Visitor.Role.WATCHER)
    duel.seats.filter(key="ben").update(given_name="Benny")

    answer = ben.post(at(duel, "again"))
    anew = Game.objects.exclude(pk=duel.pk).get()

    assert at(anew, "") == answer["Location"]
    assert rows.opening(duel) == rows.state(anew)
    assert 0 == anew.number
    assert ["Ana", "Benny", "Cleo"] == list(anew.names.values())
    assert set(duel.visitors.values_list("device_hash", "role")) == set(
        anew.visitors.values_list("device_hash", "role")
    )
    assert 'data-seat="ana"' in ana.get(at(anew, "")).content.decode()
    assert at(anew, "") == ana.get(at(duel, ""))["Location"]
    joined = dan.get(f"/j/{duel.invite_token}")
    assert joined["Location"].startswith(at(anew, ""))
    coded = Client().post("/code", {"code": duel.code})
    assert coded["Location"].startswith(at(anew, ""))


def test_someone_sent_away_gets_no_seat_in_a_rematch(duel: Game, sit: Sit) -> None:
    duel.admit("f" * 64, Visitor.Role.GUEST)
    duel.visitors.filter(device_hash="f" * 64).update(sent_away=True)

    sit(duel, "ana").post(at(duel, "again"))

    anew = Game.objects.exclude(pk=duel.pk).get()
    assert anew.visitors.get(device_hash="f" * 64).sent_away


def test_two_who_play_again_at_once_begin_one_game(duel: Game, sit: Sit) -> None:
    ana, ben = sit(duel, "ana"), sit(duel, "ben")

    first, second = ana.post(at(duel, "again")), ben.post(at(duel, "again"))

    assert first["Location"] == second["Location"]
    assert 2 == Game.objects.count()


def test_the_game_that_was_stays_to_be_read(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    ana.post(at(duel, "again"))

    assert "buff on *Wolf*" in ana.get(at(duel, "log")).content.decode()
    assert 200 == ana.get(at(duel, "?earlier")).status_code


def test_the_game_that_was_takes_nothing_in_any_more(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    last = duel.number
    ana.post(at(duel, "again"))
    tap = json.dumps({"do": "place", "on": "wolf", "counter": "buff"})

    refused = ana.post(at(duel, "command"), tap, content_type="application/json")
    noted = ana.post(at(duel, "clock"), {"do": "start"})
    renamed = ana.post(at(duel, "seats/ana/name"), {"name": "Anna"})
    page = ana.get(at(duel, "?earlier")).content.decode()

    assert (422, "over") == (refused.status_code, refused.json()["refused"]["code"])
    assert [409, 409] == [noted.status_code, renamed.status_code]
    assert "replaced by a new one" in noted.content.decode()
    assert "Go to the current game" in page
    assert 'data-seat=""' in page
    duel.refresh_from_db()
    assert last == duel.number
    assert duel.clock is None


def test_a_game_that_was_is_closed_to_taps_after_a_restart_too(duel: Game, sit: Sit) -> None:
    ana = sit(duel, "ana")
    ana.post(at(duel, "again"))
    registry.close()

    tap = json.dumps({"do": "place", "on": "wolf", "counter": "buff"})
    refused = ana.post(at(duel, "command"), tap, content_type="application/json")

    assert "over" == refused.json()["refused"]["code"]


def begun(game: Game) -> tuple[list[str], list[Any]]:
    """The active seats of the rematch of *game*, and its first commands."""
    anew = Game.objects.get(follows=game)
    turn = rows.state(anew).turn
    commands = [entry.command for entry in rows.entries(anew)]
    return list(turn.active) if turn else [], commands


def test_the_loser_begins_the_rematch_if_the_table_wants_it(make_game: Make, sit: Sit) -> None:
    game = make_game("yu-gi-oh", seats={"ana": {"life": 8000}, "ben": {"life": 8000}})
    rows.give(game, [
        {"do": "begin-turn", "active": ["ana"]},
        {"do": "lose-life", "seat": "ben", "amount": 8000},
    ])  # fmt: skip
    ana = sit(game, "ana")

    sheet = ana.get(at(game, "keep")).content.decode()
    ana.post(at(game, "again"), {"begins": "loser"})

    assert "Ben goes first, having lost" in sheet
    assert "Ana goes first, as last time" in sheet
    turn, commands = begun(game)
    assert ["ben"] == turn
    assert [("draw-seat", "ana")] == [(each["do"], each["by"]) for each in commands]


def test_the_lot_says_who_begins_the_rematch_and_the_log_says_so(
    make_game: Make, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pages.rematch.choice", lambda seats: seats[-1])
    game = make_game("magic")
    ana = sit(game, "ana")

    ana.post(at(game, "again"), {"begins": "lot"})

    turn, commands = begun(game)
    last = list(game.names)[-1]
    assert [last] == turn
    assert ["draw-seat"] == [each["do"] for each in commands]
    anew = Game.objects.get(follows=game)
    assert game.names[last] in ana.get(at(anew, "log")).content.decode()


@pytest.mark.parametrize(
    "ready", ["rummy-500", "catan", "7-wonders", "blades-in-the-dark", "arkham-horror", "whist"]
)
def test_one_tap_plays_a_ready_game_again_whosever_turn_comes_first(
    make_game: Make, sit: Sit, ready: str
) -> None:
    """Where all play at once, or the game has no turns, there is no lot to draw."""
    definition = READY[ready]
    seats = presets.seat_ids(
        presets.usual_seats(find("own-game").of_table({"definition": definition}))
    )
    seats = ["gm", *seats][: len(seats)] if "gm" in definition else seats
    game = make_game("own-game", ready=ready, seats={seat: {} for seat in seats})

    answer = sit(game, seats[0]).post(at(game, "again"), {"begins": "lot"})

    assert 302 == answer.status_code, answer.content.decode()
    drawn = "draw-seat" in [each["do"] for each in begun(game)[1]]
    assert (presentation_of(game.rules).board.turns == "one") == drawn


def test_the_first_seat_of_last_time_begins_again(make_game: Make, sit: Sit) -> None:
    game = make_game("magic")
    rows.give(game, [{"do": "begin-turn", "active": [seat]} for seat in ("ben", "ana")])

    sit(game, "ana").post(at(game, "again"), {"begins": "same"})

    assert ["ben"] == begun(game)[0]


def test_a_new_link_of_the_rematch_ends_the_old_ones(duel: Game, sit: Sit) -> None:
    sit(duel, "ana").post(at(duel, "again"))
    old, code = duel.invite_token, duel.code

    Game.objects.exclude(pk=duel.pk).get().rotate_invitation()

    assert 404 == Client().get(f"/j/{old}").status_code
    assert 404 == Client().post("/code", {"code": code}).status_code


def test_only_someone_who_knows_the_secrets_can_play_again(
    secret: Game, sit: Sit, dan: Client
) -> None:
    gm, ana = sit(secret, "gm"), sit(secret, "ana")

    assert 403 == ana.post(at(secret, "again")).status_code
    assert 403 == dan.post(at(secret, "again")).status_code
    assert 302 == gm.post(at(secret, "again")).status_code


def test_a_saved_set_up_can_be_deleted_and_then_its_link_and_code_open_nothing(
    duel: Game, sit: Sit
) -> None:
    ana, ben = sit(duel, "ana"), sit(duel, "ben")
    ben.post(at(duel, "setups"), {"title": "Wolf"})
    setup = duel.setups.get()
    link = f"/s/{setup.token}"
    button = f'action="{at(duel, f"setups/{setup.pk}/delete")}"'
    assert button not in ben.get(at(duel, "keep")).content.decode()
    assert button in ana.get(at(duel, "keep")).content.decode()

    assert 302 == ana.post(at(duel, f"setups/{setup.pk}/delete")).status_code

    assert 404 == Client().get(link).status_code
    assert 404 == Client().post(link).status_code
    assert 404 == Client().post("/code", {"code": setup.code}).status_code
