"""The API for other programs: whose token does what, and answers as the OpenAPI document says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from games.live.socket import MOST_BYTES, READ_ONLY
from games.live.table_registry import give, registry
from games.models import Game, Program
from games.models.tokens import hashed
from games.pages import rematch
from games.pages.api import access, views
from games.pages.api.document import document
from games.rules import json_schema
from games.rules.commands import HEAD
from games.rules.engine import read
from games.rules.state import MOST, Refused
from games.screens.clock import MOST_MINUTES
from games.screens.document import SCHEMA
from games.seats import devices, programs
from games.seats.buckets import Buckets
from games.systems import SYSTEMS, current, find
from tests.house import ROOT
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db(transaction=True)

DOCUMENT = document()
MESSAGES = ("state", "change", "table", "accepted", "refused")


@pytest.fixture(autouse=True)
def tables(db: None) -> Iterator[None]:
    access.TAPS.clear()
    yield
    registry.close()


class Robot:
    """A program with a token. Every answer is checked against the document."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.client = Client()

    def get(self, path: str, **headers: str) -> Any:
        return self._checked(
            "get", path, self.client.get(f"/api/v1/{path}", headers=self._(headers))
        )

    def give(self, body: Any, kind: str = "application/json", **headers: str) -> Any:
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        answer = self.client.post(
            "/api/v1/commands", text, content_type=kind, headers=self._(headers)
        )
        return self._checked("post", "commands", answer)

    def place(self, amount: int = 1, **more: Any) -> Any:
        return self.give(
            {"do": "place", "on": "rocket", "counter": "fuel", "amount": amount, **more}
        )

    def do(self, path: str, **body: Any) -> Any:
        answer = self.client.post(
            f"/api/v1/{path}", json.dumps(body), content_type="application/json", headers=self._({})
        )
        return self._checked("post", path, answer)

    def _(self, headers: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **headers}

    def _checked(self, method: str, path: str, answer: Any) -> Any:
        path = re.sub(r"^requests/[^/]+", "requests/{request}", path.partition("?")[0])
        place = f"/api/v1/{re.sub('^seats/[^/]+', 'seats/{seat}', path)}"
        said = DOCUMENT["paths"][place][method]["responses"][str(answer.status_code)]
        if name := said.get("$ref", "").removeprefix("#/components/responses/"):
            said = DOCUMENT["components"]["responses"][name]
        assert "*" == answer["Access-Control-Allow-Origin"]
        if "content" in said:
            Draft202012Validator(
                {**said["content"]["application/json"]["schema"], "components": PARTS}
            ).validate(answer.json())
        return answer


PARTS = {"schemas": DOCUMENT["components"]["schemas"]}


def token_of(phone: Client, game: Game, name: str = "Pedal", **more: str) -> str:
    """A token as a person gets it: from the page that shows it once."""
    page = phone.post(f"/g/{game.slug}/programs", {"name": name, **more})
    assert 200 == page.status_code
    assert "no-store" in page["Cache-Control"]
    return page.content.decode().partition("<code>")[2].partition("</code>")[0]


@pytest.fixture
def robot(game: Game, ana: Client) -> Robot:
    return Robot(token_of(ana, game))


# Reading and giving commands


def test_a_program_reads_what_its_seat_sees_and_gives_commands(
    robot: Robot, game: Game, ana: Client
) -> None:
    first = robot.get("state")

    assert first.json() == ana.get(f"/g/{game.slug}/state.json").json()
    assert ("ana", 0) == (first.json()["seat"], first.json()["number"])
    same = {"If-None-Match": first["ETag"]}
    assert 304 == robot.get("state", **same).status_code
    assert {"id": None, "entry": 1} == robot.place(2).json()
    received = robot.get("state", **same).json()
    assert (1, 6) == (
        received["number"],
        received["state"]["objects"]["rocket"]["counters"]["fuel"],
    )


def test_the_same_id_gets_the_same_answer_and_happens_once(robot: Robot, game: Game) -> None:
    first = robot.place(id="k1").json()
    robot.place(id="k2")
    robot.give({"do": "undo", "entry": 1})

    assert {"id": "k1", "entry": 1} == first == robot.place(id="k1").json()
    assert 3 == robot.get("state").json()["number"]


def test_an_id_of_another_seat_is_accepted_and_says_no_more(
    robot: Robot, game: Game, ben: Client
) -> None:
    Robot(token_of(ben, game)).place(id="k1")

    assert {"id": "k1", "entry": None} == robot.place(id="k1").json()


def test_the_seat_of_the_token_acts_whatever_the_command_says(robot: Robot, game: Game) -> None:
    robot.place(by="ben")

    assert "ana" == game.entries.get().seat


REFUSED: Any = {
    "no JSON": ("{", 400, "invalid"),
    "no object": ([1], 400, "invalid"),
    "nested without end": ('{"do": ' + "[" * 1000 + "]" * 1000 + "}", 400, "invalid"),
    "unknown verb": ({"do": "fly"}, 400, "invalid"),
    "unknown holder": ({"do": "place", "on": "x", "counter": "fuel", "amount": 1}, 422, "unknown"),
    "too much": ({"do": "place", "on": "rocket", "counter": "fuel", "amount": 999_999}, 422,
                 "over-maximum"),
    "the server's dice": ({"do": "throw", "dice": "d6", "result": [6]}, 403, "forbidden"),
    "too long": ('{"do": "' + "x" * MOST_BYTES + '"}', 413, "too-long"),
}  # fmt: skip


def test_a_refusal_says_its_code_and_changes_nothing(robot: Robot, game: Game) -> None:
    for what, (body, status, code) in REFUSED.items():
        answer = robot.give(body)
        assert (status, code) == (answer.status_code, answer.json()["refused"]["code"]), what

    assert 400 == robot.give("do=place", "application/x-www-form-urlencoded").status_code
    assert 400 == robot.give("<do/>", "text/xml").status_code
    assert not game.entries.exists()


def test_a_refusal_names_its_rule_in_the_program_s_language(robot: Robot) -> None:
    said = {
        language: robot.give({"do": "undo"}, **{"Accept-Language": language}).json()["refused"]
        for language in ("en", "es")
    }

    assert {"nothing-to-undo"} == {each["code"] for each in said.values()}
    assert ("Log 2", "There is nothing to undo.") == (said["en"]["rule"], said["en"]["message"])
    assert said["es"]["message"] != said["en"]["message"]


def test_the_log_is_read_in_steps(robot: Robot, game: Game) -> None:
    for n in (1, 2):
        robot.give({"do": "create", "name": f"Wolf {n}", "as": f"wolf-{n}"})
    robot.give({"do": "undo"})

    first = robot.get("log?limit=2").json()
    assert [1, 2] == [line["number"] for line in first["lines"]]
    assert (True, "ana", True) == (
        first["more"], first["lines"][0]["by"], first["lines"][1]["undone"]
    )  # fmt: skip
    rest = robot.get("log?after=2").json()
    assert ([3], False) == ([line["number"] for line in rest["lines"]], rest["more"])
    assert 400 == robot.get("log?after=-1").status_code
    assert 400 == robot.get("log?limit=301").status_code


# Tokens


def test_a_token_is_stored_hashed_and_shown_once(robot: Robot, game: Game, ana: Client) -> None:
    program = Program.objects.get()
    page = ana.get(f"/g/{game.slug}/programs").content.decode()

    assert hashed(robot.token) == program.token_hash
    assert robot.token not in page
    assert "Pedal" in page
    assert "not used yet" in page
    robot.get("state")
    assert "used just now" in ana.get(f"/g/{game.slug}/programs").content.decode()


def test_a_program_without_a_token_gets_nothing(game: Game, ana: Client) -> None:
    cookie = ana.cookies["device"].value
    for token in ("", "csp_0", cookie, game.invite_token, game.host_token):
        robot = Robot(token)
        for answer in (robot.get("state"), robot.get("log"), robot.place()):
            assert (401, "Bearer") == (answer.status_code, answer["WWW-Authenticate"])
    assert 401 == ana.get("/api/v1/state").status_code  # a cookie counts for nothing here


def test_a_token_that_only_looks_gives_no_commands(game: Game, ana: Client) -> None:
    robot = Robot(token_of(ana, game, read_only="yes"))

    assert 200 == robot.get("state").status_code
    assert (403, "forbidden") == (
        (answer := robot.place()).status_code, answer.json()["refused"]["code"]
    )  # fmt: skip
    assert READ_ONLY.__traceback__ is None, "it keeps the frames of each request it refused"


def test_a_host_without_a_seat_lets_in_what_watches_and_does_the_chores(
    game: Game, ana: Client
) -> None:
    ana.post(f"/g/{game.slug}/seats/ana/leave")
    robot = Robot(token_of(ana, game, "Overlay"))

    assert None is robot.get("state").json()["seat"]
    for answer in (robot.place(), robot.do("toss"), robot.do("clock", do="start")):
        assert 403 == answer.status_code
        assert "Take a seat" in answer.content.decode()
    assert robot.do("lock", locked=True).json()["locked"]

    looker = Robot(token_of(ana, game, "Overlay", read_only="yes"))
    assert 403 == looker.do("lock", locked=False).status_code


def test_a_seat_revokes_its_own_programs_only(
    robot: Robot, game: Game, ben: Client, ana: Client
) -> None:
    revoke = f"/g/{game.slug}/programs/{Program.objects.get().pk}/revoke"
    ben.post(revoke)
    assert "Pedal" not in ben.get(f"/g/{game.slug}/programs").content.decode()
    assert 200 == robot.get("state").status_code

    ana.post(revoke)

    assert 401 == robot.get("state").status_code


def test_a_seat_has_ten_programs_at_most(game: Game, ana: Client) -> None:
    for _ in range(programs.MOST_OF_A_SEAT):
        token_of(ana, game)

    answer = ana.post(f"/g/{game.slug}/programs", {"name": "One more"})

    assert 422 == answer.status_code
    assert "10 programs" in answer.content.decode()
    assert 422 == ana.post(f"/g/{game.slug}/programs", {"name": ""}).status_code


ENDS: dict[str, Callable[[Game], Any]] = {
    "handed over": lambda game: game.seats.get(key="ben").hand_to("another"),
    "sent away": lambda game: devices.send_away(game.seats.get(key="ben")),
    "barred": lambda game: devices.bar(
        game, game.visitors.get(device_hash=game.seats.get(key="ben").device_hash)
    ),
    "left": lambda game: game.seats.get(key="ben").release(),
    "another seat": lambda game: game.seats.get(key="cleo").claim(
        game.seats.get(key="ben").device_hash
    ),
}


@pytest.mark.parametrize("how", ENDS.values(), ids=ENDS)
def test_a_token_ends_with_its_seat_and_does_not_come_back(
    how: Callable[[Game], Any], game: Game, ana: Client, ben: Client
) -> None:
    robot = Robot(token_of(ben, game))
    known = game.seats.get(key="ben").device_hash
    assert 200 == robot.get("state").status_code

    how(game)
    assert 401 == robot.get("state").status_code
    game.visitors.filter(device_hash=known).update(role="guest", sent_away=False)
    game.seats.filter(key="ben").update(device_hash=None)
    assert game.seats.get(key="ben").claim(known)

    assert 401 == robot.get("state").status_code


def test_a_token_follows_its_seat_to_the_rematch(robot: Robot, game: Game, ana: Client) -> None:
    ana.post(f"/g/{game.slug}/again")
    game.refresh_from_db()

    assert game.newest.slug == robot.get("state").json()["game"] != game.slug
    assert 200 == robot.place().status_code
    ana.post(f"/g/{game.slug}/resume")
    assert game.slug == robot.get("state").json()["game"]


def test_no_secret_reaches_the_token_of_another_seat(make_game: Make, sit: Sit) -> None:
    hidden = {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters={"c1": hidden})
    gm, ana = Robot(token_of(sit(game, "gm"), game)), Robot(token_of(sit(game, "ana"), game))
    gm.give({"do": "fill", "on": "c1", "slots": 2, "id": "g1"})

    assert "CANARY" in gm.get("state").content.decode()
    for answer in (ana.get("state"), ana.get("log"), ana.give({"do": "fill", "on": "c1"})):
        assert "CANARY" not in answer.content.decode()
    assert 0 == ana.get("state").json()["number"]
    # Not even the number of what the GM did, to a program that guesses its id.
    assert None is ana.give({"do": "clear", "on": "c1", "id": "g1"}).json().get("entry")


# Dice, the clock, and a host's chores


def test_the_server_rolls_for_a_program_and_an_id_happens_once(robot: Robot, game: Game) -> None:
    first = robot.do("throw", dice="3d6", id="k1").json()

    assert 1 == first["entry"]
    assert 3 == len(first["result"])
    assert all(1 <= each <= 6 for each in first["result"])
    assert [first] * 9 == [robot.do("throw", dice="3d6", id="k1").json() for _ in range(9)]
    assert robot.do("toss").json()["result"] in ("heads", "tails")
    assert robot.do("draw", begin=True).json()["result"] in ("ana", "ben", "cleo")
    assert 3 == game.entries.count()
    assert "invalid" == robot.do("throw", dice="2d").json()["refused"]["code"]
    assert "invalid" == robot.do("throw", dice=6).json()["refused"]["code"]
    assert "invalid" == robot.do("throw", die="damage").json()["refused"]["code"]
    assert "invalid" == robot.do("toss", loaded=True).json()["refused"]["code"]
    assert 3 == game.entries.count()


def test_a_program_keeps_the_clock(robot: Robot) -> None:
    assert None is robot.get("table").json()["clock"]
    started = robot.do("clock", do="start", minutes=50).json()["clock"]

    assert (True, "ana") == (started["running"], started["by"])
    assert 2990 < started["left"] <= 3000
    assert not robot.do("clock", do="pause").json()["clock"]["running"]
    assert 3590 < robot.do("clock", do="longer", minutes=10).json()["clock"]["left"] <= 3600
    assert 400 == robot.do("clock", do="longer", minutes=0).status_code
    assert 400 == robot.do("clock", do="explode").status_code
    assert None is robot.do("clock", do="stop").json()["clock"]


def test_a_program_says_no_to_all_who_ask(robot: Robot, game: Game, dan: Client) -> None:
    robot.do("lock", locked=True)
    for each in (dan, Client()):
        each.get(f"/j/{game.invite_token}?again")
        each.post(f"/j/{game.invite_token}")
        each.post(f"/g/{game.slug}/seats/cleo/request")
    first, _second = robot.get("table").json()["requests"]

    assert [] == robot.do(f"requests/{first['id']}", let="none").json()["requests"]


def test_a_program_of_the_host_s_does_the_chores(
    robot: Robot, game: Game, ben: Client, dan: Client
) -> None:
    assert robot.do("lock", locked=True).json()["locked"]
    dan.get(f"/j/{game.invite_token}?again")
    dan.post(f"/j/{game.invite_token}")
    dan.post(f"/g/{game.slug}/seats/cleo/request")
    (asks,) = robot.get("table").json()["requests"]
    assert "cleo" == asks["seat"]
    received = robot.do(f"requests/{asks['id']}", let="in").json()
    assert ([], ["ana", "ben", "cleo"]) == (received["requests"], received["taken"])
    assert ["ana", "cleo"] == robot.do("seats/ben/free").json()["taken"]
    assert 404 == robot.do("seats/dan/free").status_code
    assert 400 == robot.do("lock").status_code

    anew = robot.do("again", begins="lot").json()["game"]
    assert anew != game.slug
    assert anew == robot.get("state").json()["game"]


def test_a_program_may_do_no_more_than_its_seat(game: Game, ana: Client, ben: Client) -> None:
    robot, looks = (
        Robot(token_of(ben, game)), Robot(token_of(ana, game, read_only="yes"))
    )  # fmt: skip
    for each in (robot, looks):
        assert 403 == each.do("lock", locked=True).status_code
        assert 403 == each.do("seats/ana/free" if each is robot else "seats/ben/free").status_code
    for path in ("throw", "toss", "draw", "clock", "again"):
        assert 403 == looks.do(path).status_code

    game.refresh_from_db()
    assert (False, 0, None) == (game.locked, game.entries.count(), game.followed_by)
    assert ["ana", "ben"] == looks.get("table").json()["taken"]


# Limits, and pages of other sites


def test_a_program_that_goes_too_fast_has_to_wait(
    robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "TAPS", Buckets(3, 0.001))

    assert [200, 200, 200, 429] == [robot.get("state").status_code for _ in range(4)]


def test_a_program_whose_commands_are_long_has_to_wait_sooner(
    robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "TAPS", Buckets(4, 0.001))
    robot.get("state")

    assert 429 == robot.do("commands", do="place", note="x" * 500).status_code


def test_a_page_of_another_site_may_call_with_a_token_and_without_cookies(robot: Robot) -> None:
    asked = {"Origin": "https://overlay.example", "Access-Control-Request-Method": "POST"}
    answer = Client().options("/api/v1/commands", headers=asked)

    assert (204, "*") == (answer.status_code, answer["Access-Control-Allow-Origin"])
    assert "Authorization" in answer["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer
    assert 200 == robot.place().status_code
    assert "Access-Control-Allow-Origin" not in Client().get("/")


def test_a_missing_address_of_the_api_is_said_as_json(robot: Robot) -> None:
    wrong = robot.client.get("/api/v1/commands")

    assert (405, "POST") == (wrong.status_code, wrong["Allow"])
    assert "no-method" == wrong.json()["refused"]["code"]
    nowhere = robot.client.get("/api/v1/nothing")
    assert (404, "not-found") == (nowhere.status_code, nowhere.json()["refused"]["code"])


# Opening a table


@pytest.fixture
def bot(settings: Any) -> Robot:
    settings.PROGRAM_TOKEN = "the-operators-own-token"
    return Robot(settings.PROGRAM_TOKEN)


def test_a_program_opens_a_table_and_follows_it_to_its_winner(bot: Robot) -> None:
    made = bot.do("games", system="magic", preset="commander", names=["Ana", "Ben"], title="Friday")
    assert 201 == made.status_code
    links = made.json()
    game = Game.objects.get(slug=links["game"])
    assert ("Friday", "magic", {"ana": "Ana", "ben": "Ben"}) == (
        game.title,
        game.system,
        game.names,
    )
    guest, host = Client(), Client()
    assert 302 == host.get(links["host"]).status_code
    assert 302 == guest.get(links["invitation"]).status_code
    assert host.get(f"/g/{game.slug}/seats/").context["guest"].host
    assert not guest.get(f"/g/{game.slug}/seats/").context["guest"].host

    follower = Robot(links["token"])
    assert follower.get("state").json()["state"]["result"] is None
    assert [] == follower.get("table").json()["taken"]
    assert 403 == follower.place().status_code, "it watches"
    give(game.slug, {"do": "leave", "seat": "ben"}, "ben")

    assert ["ana"] == follower.get("state").json()["state"]["winners"]


def test_a_seats_own_link_leads_to_that_seat_while_it_is_free(bot: Robot) -> None:
    opened = bot.do("games", system="magic", names=["Ana", "Ben", "Cleo"]).json()
    game = Game.objects.get(slug=opened["game"])
    assert {"ana", "ben", "cleo"} == {*opened["seats"]}
    path, _, cleos = opened["seats"]["cleo"].partition("#")
    assert path.endswith("/seat")

    def comes(token: str) -> tuple[int, Any]:
        phone = Client(headers={"user-agent": "Mozilla/5.0"})
        status = phone.post("/seat", {"token": token}).status_code
        return status, phone

    status, cleo = comes(cleos)
    assert 302 == status
    assert "cleo" == cleo.get(f"/g/{game.slug}/seats/").context["guest"].key
    _status, late = comes(cleos)
    assert late.get(f"/g/{game.slug}/seats/").context["guest"].key is None, "it is taken"
    assert 404 == comes(cleos.replace("cleo", "ben"))[0], "it is of one seat"
    assert 404 == comes("")[0] == comes("nowhere/ben:x")[0]
    bens = opened["seats"]["ben"].partition("#")[2]
    game.rotate_invitation()
    assert 404 == comes(bens)[0], "it ends with the invitation"


@pytest.mark.parametrize(
    ("public", "asked", "only_own"),
    [(False, {}, False), (True, {}, True), (True, {"only_own": False}, False)],
)
def test_strangers_whom_a_program_brings_together_change_only_their_own(
    bot: Robot, settings: Any, public: bool, asked: dict[str, Any], only_own: bool
) -> None:
    settings.PUBLIC = public
    for system, its in (("magic", only_own), ("stars-and-signs", False)):
        slug = bot.do("games", system=system, seats=3, **asked).json()["game"]
        assert its is Game.objects.get(slug=slug).only_own
    slug = bot.do("games", system="magic", only_own=True).json()["game"]
    assert rematch.begin(Game.objects.get(slug=slug)).only_own


def test_the_host_says_whether_each_changes_only_their_own(bot: Robot) -> None:
    opened = bot.do("games", system="magic", names=["Ana", "Ben"]).json()
    host, game = Client(), Game.objects.get(slug=opened["game"])
    host.get(opened["host"])
    for value, now in (("yes", True), ("no", False)):
        assert (
            f'name="only_own" value="{value}"' in host.get(f"/g/{game.slug}/share").content.decode()
        )
        host.post(f"/g/{game.slug}/only-own", {"only_own": value, "then": "share"})
        game.refresh_from_db()
        assert now is game.only_own


def test_a_seat_that_knows_secrets_has_no_link(bot: Robot) -> None:
    seats = bot.do("games", system="stars-and-signs", seats=3).json()["seats"]

    assert 2 == len(seats)


def test_a_program_opens_a_table_of_rules_that_somebody_wrote(bot: Robot) -> None:
    definition = {"title": "Sheep", "numbers": [{"kind": "sheep", "on": "player"}]}
    made = bot.do("games", definition=definition, seats=3)

    assert 201 == made.status_code, made.json()
    game = Game.objects.get(slug=made.json()["game"])
    assert ("own-game", "Sheep", 3) == (game.system, game.title, len(game.names))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"system": "chess"}, "There is no such rule system."),
        ({"system": "magic", "edition": "1999"}, "There is no such edition."),
        ({"system": "magic", "seats": 99}, "8"),
        ({"system": "magic", "seats": "4"}, "“seats” is of another kind."),
        ({"system": "magic", "names": ["a,b"]}, "without commas"),
        ({"system": "magic", "colour": "red"}, "“colour” means nothing here."),
        ({"system": "magic", "webhook": "http://"}, "“webhook” is no address."),
        ({}, "Say “system” or “definition”."),
        ({"definition": {"title": "X", "numbers": 3}}, "can’t be played"),
    ],
)
def test_a_table_that_cannot_be_opened_is_refused_in_words(
    bot: Robot, body: dict[str, Any], said: str
) -> None:
    answer = bot.do("games", **body)

    assert 400 == answer.status_code
    assert said in answer.json()["refused"]["message"]
    assert not Game.objects.exists()


def test_only_the_operators_token_opens_tables(bot: Robot, settings: Any) -> None:
    assert 401 == Robot("the-operators-own-tokem").do("games", system="magic").status_code
    settings.PROGRAM_TOKEN = ""
    assert 404 == bot.do("games", system="magic").status_code
    assert 404 == Robot("").do("games", system="magic").status_code
    assert not Game.objects.exists()


# The document


def test_the_document_is_served_and_is_openapi() -> None:
    answer = Client().get("/api/v1/openapi.json")

    assert DOCUMENT == answer.json()
    again = Client().get("/api/v1/openapi.json", headers={"If-None-Match": answer["ETag"]})
    assert 304 == again.status_code
    every = DOCUMENT["components"]["schemas"]
    few = {name: {} if "." in name or name in SYSTEMS else schema for name, schema in every.items()}
    validate({**DOCUMENT, "components": {**DOCUMENT["components"], "schemas": few}})
    for schema in every.values():
        Draft202012Validator.check_schema(schema)


def test_the_document_names_the_limits_and_refusals_of_the_code() -> None:
    answers = DOCUMENT["components"]["responses"]
    paths, parts = DOCUMENT["paths"], DOCUMENT["components"]["schemas"]
    limit = paths["/api/v1/log"]["get"]["parameters"][1]["schema"]
    clock = paths["/api/v1/clock"]["post"]["requestBody"]["content"]["application/json"]["schema"]

    assert (views.MOST_LINES, views.LINES) == (limit["maximum"], limit["default"])
    assert MOST_MINUTES == clock["properties"]["minutes"]["maximum"]
    assert MOST == parts["Counters"]["additionalProperties"]["maximum"]
    assert SCHEMA == parts["Document"]["properties"]["schema"]["const"]
    for act in (act for acts in paths.values() for act in acts.values() if type(act) is dict):
        for status, answer in act["responses"].items():
            name = answer.get("$ref", "").removeprefix("#/components/responses/")
            said = answers[name]["description"].removeprefix("refused") if name else ""
            for code in said.removeprefix(": ").split(", ") if said.startswith(": ") else ():
                assert int(status) == access.STATUS[code], code


def test_the_document_describes_the_commands_that_the_rules_accept() -> None:
    """Every command of every scenario, and each of them with a strange key and without a verb."""
    checked = 0
    for path in sorted((ROOT / "tests/scenarios").glob("*.json")):
        for scenario in json.loads(path.read_text(encoding="utf-8")):
            system = find(current(scenario)["system"])
            for raw in scenario["when"]:
                do = raw.get("do") if type(raw) is dict else None
                verb = system.verbs.get(do) if type(do) is str else None
                if verb is None:
                    continue
                schema = Draft202012Validator(json_schema.of_command(verb.command))
                raw = {key: raw[key] for key in ("do", *sorted({*raw} - HEAD))}
                try:
                    read(system, raw, "ana")
                except Refused:
                    continue
                assert schema.is_valid(raw), (path.name, scenario["id"], raw)
                assert not schema.is_valid({**raw, "strange": 1})
                assert not schema.is_valid({**raw, "do": "fly"})
                checked += 1

    assert checked > 1000


def test_a_program_s_use_is_noted_to_the_minute(robot: Robot) -> None:
    robot.get("state")
    first = Program.objects.get().used
    robot.get("state")
    assert first == Program.objects.get().used
    Program.objects.update(used=timezone.now() - 2 * programs.USED)

    robot.get("state")

    assert Program.objects.get().used >= first


def test_a_full_disk_keeps_no_program_from_reading(
    robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: Any, **fields: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("django.db.models.query.QuerySet.update", full)

    assert 200 == robot.get("state").status_code


def test_the_page_for_people_has_every_refusal_and_message() -> None:
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")

    for code, status in access.STATUS.items():
        rows = [row for row in page.splitlines() if row.startswith("|") and f"`{code}`" in row]
        assert any(str(status) in row for row in rows), code
    assert all(f'"type": "{each}"' in page for each in MESSAGES)
    assert all(path in page for path in DOCUMENT["paths"])
    assert f"{programs.MOST_OF_A_SEAT} programs" in page
    assert f"{len(programs.TOKEN) + programs.LENGTH} characters" in page
