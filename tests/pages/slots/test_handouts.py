"""Handouts: who gets a picture's bytes, what becomes of an upload, and what leaves no trace."""

from __future__ import annotations

import json
import re
import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from games.live.table_registry import registry
from games.models import Game, Picture, Setup, Visitor
from games.models.tokens import hashed, new_device
from games.rules.history import History
from games.rules.state import Refused
from games.screens import boards
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.replay.evening import evening_of
from games.seats import rate_limit
from games.store import pictures, rows
from tests.live.conftest import connect, tables  # noqa: F401 the phones
from tests.types import Connect, Make, Sit

from .test_board import NAMES, SEATS, SYSTEM, board, session
from .test_silence import PAGES, Screens, differences, give, watcher


def drawn(
    width: int = 300, height: int = 200, form: str = "JPEG", colour: Any = "#cbb78a", **how: Any
) -> bytes:
    """The file of a picture of one colour."""
    out = BytesIO()
    Image.new("RGBA" if len(colour) == 4 else "RGB", (width, height), colour).save(out, form, **how)
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG that says how large it is and is some fifty bytes long."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 64)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


@pytest.fixture
def table(transactional_db: None, make_game: Make) -> Game:
    game = make_game("stars-and-signs", seats=SEATS)
    game.seats.filter(key="gm").update(host=True)
    return game


def uploaded(gm: Client, game: Game, file: bytes, **how: Any) -> Any:
    sent = SimpleUploadedFile("map.jpg", file)
    return gm.post(f"/g/{game.slug}/handouts", {"file": sent}, **how)


def kept(gm: Client, game: Game, file: bytes | None = None) -> Picture:
    """The picture that the GM has just uploaded."""
    answer = uploaded(gm, game, file or drawn(), headers={"HX-Request": "true"})
    assert 200 == answer.status_code, answer.content.decode()
    picture = Picture.objects.order_by("-pk")[0]
    assert f'value="{picture.key}"' in answer.content.decode()
    return picture


def may(game: Game, picture: Picture, **phones: Client) -> dict[str, int]:
    """By name: how each phone's fetch of the picture is answered."""
    path = f"/g/{game.slug}/handouts/{picture.key}"
    return {name: phone.get(path).status_code for name, phone in phones.items()}


# Who gets it


def test_a_reader_of_the_note_may_fetch_its_picture_for_as_long(table: Game, sit: Sit) -> None:
    phones = {"gm": sit(table, "gm"), "ana": sit(table, "ana"), "ben": sit(table, "ben")}
    phones |= {"watcher": watcher(table), "stranger": Client()}
    picture = kept(phones["gm"], table)
    gone = {"ana": 404, "ben": 404, "watcher": 404, "stranger": 403}

    def now(*commands: dict[str, Any]) -> dict[str, int]:
        give(table, *commands)
        return may(table, picture, **phones)

    assert {**gone, "gm": 200} == now()
    note = {"do": "note", "as": "h1", "title": "A map", "picture": picture.key}
    assert {**gone, "gm": 200} == now({**note, "secret": True})
    assert {**gone, "gm": 200, "ana": 200} == now({"do": "amend", "item": "h1", "to": ["ana"]})
    everyone = dict.fromkeys(("gm", "ana", "ben", "watcher"), 200) | {"stranger": 403}
    assert everyone == now({"do": "amend", "item": "h1", "everyone": True})
    assert {**gone, "gm": 200} == now({"do": "amend", "item": "h1", "to": []})
    assert everyone == now({"do": "undo"})
    assert {**gone, "gm": 200} == now({"do": "strike", "item": "h1"})


def test_a_player_gets_no_picture_by_naming_it(table: Game, sit: Sit) -> None:
    picture = kept(sit(table, "gm"), table)

    for with_picture in ({"text": "x"}, {"title": "x"}, {"text": "x", "whisper": True}):
        with pytest.raises(Refused):
            give(
                table,
                {"do": "note", "as": "n1", "picture": picture.key, "by": "ana"} | with_picture,
            )
    assert {"ana": 404} == may(table, picture, ana=sit(table, "ana"))


def test_a_picture_belongs_to_its_game(table: Game, make_game: Make, sit: Sit) -> None:
    gm = sit(table, "gm")
    picture = kept(gm, table)
    other = make_game("stars-and-signs", seats=SEATS)

    assert {"gm": 404} == may(other, picture, gm=sit(other, "gm"))
    table.delete()
    assert not Picture.objects.exists()


def test_a_hidden_note_answers_like_a_missing_one(table: Game, sit: Sit) -> None:
    gm, ana = sit(table, "gm"), sit(table, "ana")
    picture = kept(gm, table)
    give(table, {"do": "note", "as": "h1", "picture": picture.key, "to": ["ben"]})

    for there, missing in (
        (f"handouts/{picture.key}", f"handouts/p-{'0' * 32}"),
        ("handouts/h1/large", "handouts/h9/large"),
    ):
        answers = [ana.get(f"/g/{table.slug}/{path}") for path in (there, missing)]
        said, other = (
            (each.status_code, each.content.decode().replace(path, ""), {**each.headers})
            for each, path in zip(answers, (there, missing), strict=True)
        )
        assert said[0] == other[0] == 404
        assert len(said[1]) == len(other[1])


def test_the_bytes_are_nothing_but_a_picture_and_kept_nowhere(table: Game, sit: Sit) -> None:
    gm = sit(table, "gm")
    answer = gm.get(f"/g/{table.slug}/handouts/{kept(gm, table).key}")

    assert "image/webp" == answer["Content-Type"]
    assert "no-store" == answer["Cache-Control"]
    assert "nosniff" == answer["X-Content-Type-Options"]
    assert "default-src 'none'; sandbox" == answer["Content-Security-Policy"]
    assert "same-origin" == answer["Cross-Origin-Resource-Policy"]
    assert "WEBP" == Image.open(BytesIO(answer.content)).format


# What becomes of an upload


def test_nothing_of_a_photo_stays_but_what_it_shows() -> None:
    exif = Image.Exif()
    exif[0x010F] = "canary camera"
    exif[0x0112] = 6  # lies on its side
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 0.0)}
    made = pictures.reduced(drawn(300, 200, exif=exif, comment=b"canary") + b"<script>canary")
    found = Image.open(BytesIO(made.image))

    assert (200, 300) == (made.width, made.height) == found.size
    assert not found.getexif()
    assert b"canary" not in made.image


@pytest.mark.parametrize(("form", "colour"), [("PNG", (200, 10, 10, 90)), ("WEBP", "red")])
def test_other_forms_are_read_too_and_made_small(form: str, colour: Any) -> None:
    made = pictures.reduced(drawn(3200, 1000, form, colour))

    assert (1600, 500) == (made.width, made.height)
    assert ("RGBA" if form == "PNG" else "RGB") == Image.open(BytesIO(made.image)).mode


def test_a_large_photo_is_decoded_at_a_part_of_its_size() -> None:
    assert 7_000 * 5_000 > pictures.MOST_PIXELS
    made = pictures.reduced(drawn(7_000, 5_000))

    assert (1600, 1143) == (made.width, made.height)


def test_a_picture_of_noise_still_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_BYTES", 2_000)
    out = BytesIO()
    Image.effect_noise((200, 200), 200).convert("RGB").save(out, "JPEG", quality=60)
    made = pictures.reduced(out.getvalue())

    assert len(made.image) <= 2_000
    assert 30 < made.width == made.height < 200


@pytest.mark.parametrize(
    "file",
    [
        drawn(form="GIF"),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        b"%!PS-Adobe-3.0 EPSF-3.0",
        drawn()[:300],
        b"\xff\xd8\xff",
        b"",
        bomb(60_000, 60_000),
        bomb(12_000, 12_000),
        bomb(5_000, 5_000),
    ],
    ids=["gif", "svg", "eps", "cut", "head", "empty", "bomb", "warned", "many"],
)
def test_a_file_that_is_no_small_picture_is_refused_and_nothing_is_kept(
    table: Game, sit: Sit, file: bytes
) -> None:
    answer = uploaded(sit(table, "gm"), table, file)

    assert 422 == answer.status_code
    assert "picture" in answer.content.decode()
    assert not Picture.objects.exists()
    assert 0 == Game.objects.get(pk=table.pk).number


def test_only_the_gm_uploads(table: Game, sit: Sit) -> None:
    for phone in (sit(table, "ana"), watcher(table), Client()):
        assert 403 == uploaded(phone, table, drawn()).status_code
        assert 403 == phone.get(f"/g/{table.slug}/handouts").status_code
    assert not Picture.objects.exists()


def test_a_game_has_so_many_and_those_that_no_note_names_make_way(
    table: Game, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MOST", 2)
    gm = sit(table, "gm")
    first, second = kept(gm, table), kept(gm, table)
    give(table, {"do": "note", "as": "h2", "picture": second.key, "secret": True})
    third = kept(gm, table)
    assert {second.key, third.key} == set(table.pictures.values_list("key", flat=True))
    give(table, {"do": "note", "as": "h3", "picture": third.key, "secret": True})

    answer = uploaded(gm, table, drawn())
    assert "already has 2 pictures" in answer.content.decode()
    assert {second.key, third.key} == set(table.pictures.values_list("key", flat=True))
    give(table, {"do": "strike", "item": "h2"})
    kept(gm, table)
    assert not table.pictures.filter(key=second.key).exists()
    assert first.key not in table.pictures.values_list("key", flat=True)


def test_a_network_that_uploads_without_end_has_to_wait(
    table: Game, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = rate_limit.Limit((20, 0), (100, 0))
    monkeypatch.setattr("games.pages.access.MAKING", limit)
    gm = sit(table, "gm")

    answers = [uploaded(gm, table, drawn(20, 20)).status_code for _each in range(3)]
    assert [200, 200, 429] == answers
    assert 2 == table.pictures.count()


def test_without_scripts_the_form_comes_back_with_the_picture(table: Game, sit: Sit) -> None:
    page = uploaded(sit(table, "gm"), table, drawn()).content.decode()

    assert 'name="picture" form="handout-new"' in page
    assert "Show everyone" in page


# Set-ups and rematches


def test_a_set_up_and_playing_again_bring_the_pictures_of_their_notes(
    table: Game, sit: Sit
) -> None:
    gm = sit(table, "gm")
    picture, other = kept(gm, table), kept(gm, table)
    give(table, {"do": "note", "as": "h1", "picture": picture.key, "secret": True})
    assert 302 == gm.post(f"/g/{table.slug}/setups").status_code
    made = Setup.objects.get()
    host = Client()
    assert 302 == host.post(f"/s/{made.token}").status_code
    anew = Game.objects.exclude(pk=table.pk).get()

    assert [picture.key] == [each.key for each in anew.pictures.all()]
    assert bytes(picture.image) == bytes(anew.pictures.get().image)
    assert 302 == host.post(f"/g/{anew.slug}/again").status_code
    anew.refresh_from_db()
    assert anew.followed_by
    assert [picture.key] == [each.key for each in anew.followed_by.pictures.all()]
    assert other.key


# On the screens


def sent(history: History, **command: Any) -> dict[str | None, str]:
    """By seat (None for a watcher): what its screens get when *command* is given."""
    given = history.give(command)
    screens = Drawing(SYSTEM, NAMES)
    return {each: boards.changes(screens, given, audience(SYSTEM, each)) for each in (*SEATS, None)}


def test_a_handout_comes_at_once_says_who_else_has_it_and_goes_at_once() -> None:
    history = session()
    secret = sent(history, do="note", title="A map", picture="p-1", secret=True, **{"as": "h1"})
    assert "" == secret["ana"] == secret["ben"] == secret["cleo"] == secret[None]

    got = sent(history, do="amend", item="h1", to=["ana", "ben"])
    assert 'data-handout="note:h1:' in got["ana"]
    assert 'src="handouts/p-1"' in got["ana"]
    assert "Ben" in got["ana"].partition("data-handout")[2].partition("handout-picture")[0]
    assert "data-handout" not in got["gm"]
    assert "" == got["cleo"] == got[None]
    assert "A map" in board(history, "ana")

    gone = sent(history, do="amend", item="h1", to=[])
    assert "data-handout" not in gone["ana"]
    assert "p-1" not in gone["ana"]
    assert 'id="moments"' in gone["ana"]
    assert "p-1" not in board(history, "ana")
    assert "" == gone["cleo"] == gone[None]


def test_a_handout_for_all_is_shown_to_watchers_and_the_television_too() -> None:
    history = session()
    got = sent(history, do="note", title="A map", picture="p-1", **{"as": "h1"})

    assert all('data-handout="note:h1:' in got[each] for each in ("ana", "ben", "cleo", None))
    assert "The GM shows everyone" in got[None]
    assert 'data-handout="note:h1:' in board(history, None)


def test_the_note_shown_last_lies_on_top_even_if_it_was_made_first() -> None:
    history = session()
    for key in ("h1", "h2", "h3"):
        sent(history, do="note", title=f"Map {key}", secret=True, **{"as": key})

    def shown(seat: str | None) -> list[str]:
        return re.findall(r'data-handout="note:(h\d):', board(history, seat))

    sent(history, do="amend", item="h3", everyone=True)
    sent(history, do="amend", item="h1", to=["ana"])
    sent(history, do="amend", item="h2", everyone=True)
    assert ["h2", "h1", "h3"] == shown("ana")
    assert ["h2", "h3"] == shown("ben") == shown(None)
    sent(history, do="amend", item="h3", text="Torn")
    sent(history, do="amend", item="h1", to=["ana", "ben"])
    assert ["h1", "h2", "h3"] == shown("ana") == shown("ben")
    assert ["h2", "h3"] == shown(None)


def test_one_tap_takes_it_off_the_television_and_leaves_it_to_the_players() -> None:
    history = session()
    sent(history, do="note", title="A map", **{"as": "h1"})
    chips = board(history, "gm").partition('id="handout-h1"')[2].partition("<details")[0]
    assert "Cross off: A map" in chips
    assert "off the TV" in chips
    everyone = re.findall(r'value="([^"]*)">off the TV', chips)[0].replace("&quot;", '"')
    got = sent(history, do="amend", item="h1", to=json.loads(everyone))

    assert "data-handout" not in got[None]
    assert all("data-handout" in board(history, each) for each in ("ana", "ben", "cleo"))
    assert "off the TV" not in board(history, "gm")


def test_a_co_gm_is_shown_no_handout_as_it_sees_all() -> None:
    history = session()
    sent(history, do="note", title="A map", **{"as": "h1"})
    sent(history, do="appoint", seat="ben")

    assert "data-handout" not in board(history, "ben")


def test_the_log_names_a_handout_to_those_who_read_it(table: Game) -> None:
    give(
        table,
        {"do": "note", "as": "h1", "title": "A map {x}", "to": ["ana", "ben"]},
        {"do": "note", "as": "h2", "picture": "p-1", "secret": True},
        {"do": "amend", "item": "h2", "everyone": True},
        {"do": "note", "as": "h3", "title": "A letter"},
        {"do": "strike", "item": "h3"},
    )
    table.refresh_from_db()

    said = {
        seat: [part.text for line in log_lines(table, seat) for part in line.parts]
        for seat in ("gm", "ana", "cleo", None)
    }
    told, made = "showed Ana, Ben: A map (x)", "for the GM only: a picture"
    shown = ["showed everyone: a picture"]
    gone = ["showed everyone: A letter", "crossed off: A letter"]
    assert [told, made, *shown, *gone] == said["gm"]
    assert [told, *shown] == said["ana"]
    assert shown == said["cleo"] == said[None]
    rows.check(Game.objects.get(pk=table.pk))


def test_a_replay_tells_it_where_it_was_shown_and_not_beside_later_moments(
    table: Game, sit: Sit
) -> None:
    give(
        table,
        {"do": "note", "as": "h1", "title": "A map", "by": "gm"},
        {"do": "note", "text": "In", "by": "ana"},
        {"do": "amend", "item": "h1", "to": []},
        {"do": "note", "text": "Out", "by": "ana"},
    )
    played = Game.objects.get(pk=table.pk)
    evening = evening_of(played)
    evening.shows(played, played.places)
    lines = [
        [part.text for _by, parts in evening.before(None, line, 9) for part in parts]
        for line in (2, 4)
    ]

    assert ["showed everyone: A map"] == lines[0]
    assert ["noted: In"] == lines[1]
    assert "A map" not in watcher(table).get(f"/g/{table.slug}/tv/side?log").content.decode()


@pytest.mark.sweep
async def test_a_handout_for_ana_changes_no_byte_that_others_receive(
    transactional_db: None,
    make_game: Make,
    sit: Sit,
    connect: Connect,  # noqa: F811
) -> None:
    """Twice the same table; at one of them a picture comes, goes, comes back and is struck off."""
    key = f"p-{'5' * 32}"
    screens, fetched = [], []
    for busy in (False, True):
        game = await sync_to_async(make_game)("stars-and-signs", seats=SEATS)
        seen = await shown_beside(game, sit, connect, key if busy else "")
        fetched.append({each: await everything(seen, each, key) for each in seen.browsers})
        screens.append(seen)
    quiet, loud = screens

    for name in quiet.browsers:
        assert [] == differences(quiet.got[name], loud.got[name]), name
        for path, page in fetched[0][name].items():
            assert [] == differences([page], [fetched[1][name][path]]), (name, path)
    said = json.dumps([quiet.got, loud.got, fetched])
    assert "canary" not in said
    assert "200" in said


async def shown_beside(game: Game, sit: Sit, connect: Connect, picture: str) -> Screens:  # noqa: F811
    """Four open acts; between them, with *picture*, all that is done with a handout for Ana."""
    device = new_device()
    await sync_to_async(game.admit)(hashed(device), Visitor.Role.GUEST)
    watching = Client()
    watching.cookies["device"] = device
    browsers = {"ben": await sync_to_async(sit)(game, "ben"), "watcher": watching}
    ana = await connect(game, await sync_to_async(sit)(game, "ana"))
    seen = Screens(game, browsers)
    for name in browsers:
        await seen.connect(name, connect)
    if picture:
        made = await sync_to_async(pictures.reduced)(drawn())
        held = {"width": made.width, "height": made.height, "image": made.image}
        await sync_to_async(Picture.objects.create)(game=game, key=picture, **held)
    acts: tuple[dict[str, Any], ...] = (
        {"do": "note", "as": "h1", "title": "canary map", "picture": picture, "to": ["ana"]},
        {"do": "amend", "item": "h1", "to": ["ana", "cleo"]},
        {"do": "amend", "item": "h1", "to": []},
        {"do": "undo"},
        {"do": "note", "as": "a1", "text": "canary", "answers": "h1", "by": "ana"},
        {"do": "strike", "item": "h1"},
    )
    for act in ({"do": "note", "text": f"open {n}", "as": f"n{n}"} for n in range(2)):
        await seen.give(act)
        await seen.collect()
        for secret in acts if picture else ():
            outcome = await seen.give(secret)
            assert not isinstance(outcome, tuple), outcome
            assert 0 == await seen.collect(), secret
    shown = await ana.text()
    assert not picture or shown
    await registry.end(game.slug)
    return seen


async def everything(seen: Screens, name: str, picture: str) -> dict[str, str]:
    """All pages that a browser can fetch, and what it gets of the picture."""
    found = await seen.pages(name, PAGES)
    for path in (f"handouts/{picture}", "handouts/h1/large", "handouts"):
        answer = await sync_to_async(seen.browsers[name].get)(f"/g/{seen.game.slug}/{path}")
        found[path] = seen.plain(f"{answer.status_code} {answer.content.decode()}")
    return found


@pytest.fixture(autouse=True)
def forgotten(tables: Any) -> None:  # noqa: F811
    """The tables are closed after each test."""
