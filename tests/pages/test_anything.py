"""Whatever is sent, a page says what is wrong: never a 500, and nothing half done."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from django.db import OperationalError
from django.http import QueryDict
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from countersite.asgi import application
from games.live.imports import imported
from games.models import Game
from games.pages import home
from games.rules.input import whole_number
from games.rules.scenario import SpecificationError
from games.rules.state import Refused
from games.screens import forms
from games.store import demos, rows
from games.systems import SYSTEMS

LONG = "9" * 5000
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("7", 7), (" 12 ", 12), ("-3", -3), ("+3", 3)),
        *((text, None) for text in ("", "²", "1_0", "1e3", LONG, "٣", "10000000000", "abc")),
    ],
)
def test_there_is_one_way_to_read_a_number(text: str, number: int | None) -> None:
    assert number == whole_number(text)
    assert None is whole_number("7", 8, 9)


@pytest.mark.parametrize("seats", ["abc", "1e3", LONG, "²", "-1", "0", "9"])
def test_a_new_game_for_so_many_offers_the_usual(dan: Client, db: None, seats: str) -> None:
    assert 200 == dan.get("/new", {"seats": seats}).status_code
    assert 422 == dan.post("/new", {"rules": "magic", "seats": seats}).status_code


@pytest.mark.parametrize("field", ["life", "team.size", "team.life"])
def test_a_life_of_thousands_of_digits_is_the_usual_one(dan: Client, db: None, field: str) -> None:
    asked = {"rules": "magic", "seats": "2", field: LONG}

    assert 302 == dan.post("/new", asked).status_code


KINDS = {
    "another charset": (f"{FORM}; charset=utf-7", b"a=b"),
    "no such charset": (f"{FORM}; charset=klingon", b"a=b"),
    "text": ("text/plain", b"a=b"),
    "no boundary": ("multipart/form-data", b"a=b"),
    "a strange boundary": ("multipart/form-data; boundary=\xfc", b"a=b"),
    "a NUL": (FORM, b"code=%00"),
    "too many fields": (FORM, b"&".join(b"a%d=" % n for n in range(2000))),
}


@pytest.mark.parametrize("path", ["/new", "/code", "command", "/language", "/nowhere"])
@pytest.mark.parametrize(("kind", "body"), KINDS.values(), ids=KINDS)
def test_an_unreadable_request_is_a_page_that_says_so(
    ana: Client, game: Game, path: str, kind: str, body: bytes
) -> None:
    ana.get("/new")  # a page with a token
    ana.handler.enforce_csrf_checks = True
    address = path if path.startswith("/") else f"/g/{game.slug}/{path}"

    answer = ana.generic("POST", address, body, content_type=kind)

    found = (answer.status_code, "couldn’t be read" in answer.content.decode())
    # Django reads on after the last whole part of a form, and its token is missing then.
    assert found == (400, True) or (kind.endswith("boundary=x") and 403 == answer.status_code)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("field", ["do", "name", "as", "id", "amount"])
def test_a_field_that_is_nested_without_end_is_refused(ana: Client, game: Game, field: str) -> None:
    made = {"do": "create", f"{field}:json": "[" * 1000 + "]" * 1000}
    sent = json.dumps({"do": "create", field: "?"}).replace('"?"', made[f"{field}:json"])

    assert 400 == ana.post(f"/g/{game.slug}/command", made).status_code
    assert 400 == ana.post(f"/g/{game.slug}/command", sent, "application/json").status_code


@pytest.mark.parametrize("unprintable", ["\0", "\u202e", "\x9f"])
def test_a_file_names_nothing_with_what_no_one_can_type(db: None, unprintable: str) -> None:
    named = {"ana": f"A{unprintable}a", "ben": "Ben"}
    file = {
        "id": "x", "system": "any-game", "edition": "1", "title": f"Duel{unprintable}",
        "given": {"seats": {"ana": {}, "ben": {}}}, "when": [], "then": {}, "names": named,
    }  # fmt: skip

    game = imported(json.dumps(file))

    assert "Any game" == game.title
    assert {"ana": "Ana", "ben": "Ben"} == game.given_names


def test_a_nul_in_an_address_is_not_looked_up(ana: Client, game: Game) -> None:
    assert 400 == ana.get(f"/g/{game.slug}/seats/%00").status_code
    assert 400 == ana.get("/new?name=%00").status_code


@pytest.mark.parametrize("more", ["²", LONG, "-5", ""])
def test_the_log_begins_with_its_usual_lines(ana: Client, game: Game, more: str) -> None:
    answer = ana.get(f"/g/{game.slug}/log", {"more": more, "lines": f"{more},2"})

    assert 200 == answer.status_code


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fell", [LONG, "²", "3, 9999999999999"])
def test_a_throw_that_no_die_has_is_refused(ana: Client, game: Game, fell: str) -> None:
    rolled = {"dice": "2d6", "fell": fell}

    assert 422 == ana.post(f"/g/{game.slug}/throw", rolled).status_code


@pytest.mark.django_db(transaction=True)
def test_numbers_of_slots_are_refused_alike(make_game: Any, sit: Any) -> None:
    game = make_game(
        "stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters={"d": {"name": "Door"}}
    )
    gm, address = sit(game, "gm"), f"/g/{game.slug}/slots"

    for wrong in (LONG, "²"):
        for field in ("points", "slots", "throw", "more", "dice", "add", "mood"):
            how = {"points": "typed", "slots": "slots"}.get(field, "")
            sent = {"do": "suffer", "how": how, field: wrong}
            assert 422 == gm.post(f"{address}/d/roll", sent).status_code, field
        assert 404 == gm.get(f"{address}/d/overflow", {"n": wrong}).status_code
        linked = gm.post(f"{address}/d/link", {"to": "d", "verb": "fill", "slots": wrong})
        assert linked.status_code < 500


@pytest.mark.parametrize(
    "fields",
    [
        {"a:member": "1", "a.b:number": "1"},
        {"a.b:member": "1", "a.b:number": "1"},
        {"id": "ana", "id.": "."},
        {"a": "1", "a.b": "1"},
        {"a": "1", "a.b:member": "1"},
    ],
)
def test_fields_that_contradict_each_other_are_refused(
    ana: Client, game: Game, fields: dict[str, str]
) -> None:
    assert 400 == ana.post(f"/g/{game.slug}/command", {"do": "place", **fields}).status_code


@pytest.mark.parametrize("path", ["/x/ws", "/g/%00/ws", "/", "/g/nobody/ws"])
async def test_a_socket_to_nowhere_is_closed_and_says_why(path: str) -> None:
    sent = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": path, "headers": [(b"origin", b"http://[")]}
    await application(scope | {"query_string": b"from=\xff&" + b"a=b&" * 2000}, receive, send)

    assert "websocket.close" == sent[-1]["type"]


def test_a_database_that_fails_is_said_and_not_blamed_on_anyone(
    dan: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: Any, **options: Any) -> Game:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(home.rows, "create", full)  # type: ignore[attr-defined]

    answer = dan.post("/new", {"rules": "magic", "seats": "2"})

    assert 503 == answer.status_code
    assert "couldn’t be saved" in answer.content.decode()


# At random

AT_RANDOM = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
TEXT = st.text(max_size=12) | st.sampled_from(["", "ana", "rocket", "fuel", LONG, "²", "-1", "all"])
FIELD = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["do", "id", "on", "a", "as", "amount", "steps", ""]),
        st.sampled_from(["", ".", ".b", ".do"]),
        st.sampled_from(["", ":member", ":number", ":list", ":json", ":flag", ":new", ":no", ":"]),
    ),
)
FORMS = st.lists(st.tuples(FIELD, TEXT), max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
NAMES = [editions[0].name for editions in SYSTEMS.values()]
SCENARIOS = {each["system"]: json.dumps(each) for each in demos.demos()}


def posted(fields: list[tuple[str, str]]) -> QueryDict:
    form = QueryDict(mutable=True)
    for name, value in fields:
        form.appendlist(name, value)
    return form


@AT_RANDOM
@given(FORMS)
def test_any_form_is_a_command_or_refused(fields: list[tuple[str, str]]) -> None:
    with suppress(Refused):
        assert dict is type(forms.from_form(posted(fields)))


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_any_file_is_a_game_or_refused(name: str) -> None:
    def places(value: Any, path: tuple[Any, ...] = ()) -> Any:
        yield path
        listed = enumerate(value) if isinstance(value, list) else ()
        for key, each in value.items() if isinstance(value, dict) else listed:
            yield from places(each, (*path, key))

    whole = json.loads(SCENARIOS[name])
    whole["when"] = whole["when"][:3]
    known = [path for path in places(whole) if path]

    @settings(AT_RANDOM, max_examples=40)
    @given(st.lists(st.tuples(st.sampled_from(known), JSON), min_size=1, max_size=2))
    def read(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
        changed = json.loads(json.dumps(whole))
        for path, value in changes:
            at = changed
            try:
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = value
            except (TypeError, KeyError, IndexError):
                continue
        with suppress(SpecificationError):
            rows.check(imported(json.dumps(changed)))

    read()


@pytest.mark.django_db
def test_any_query_is_answered(ana: Client, game: Game) -> None:
    pages = ["", "log", "mine", "several", "tools", "summary", "share", "log.md", "rules", "notes"]

    @settings(AT_RANDOM, max_examples=60)
    @given(
        st.sampled_from(["/new", "/", *(f"/g/{game.slug}/{page}" for page in pages)]),
        st.dictionaries(
            st.sampled_from(["seats", "rules", "preset", "more", "lines", "seat", "do", "who"]),
            TEXT,
        ),
    )
    def get(path: str, query: dict[str, str]) -> None:
        assert ana.get(path, query).status_code < 500

    get()
