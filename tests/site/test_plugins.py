"""Rule systems installed as packages of their own: found and played, or left out if broken.

The example program is run here too, at the server that these tests start anyway.
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from django.core.management import CommandError, call_command
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

from games.models import Game
from games.systems import find, plugins
from tests.conftest import free_port
from tests.house import ROOT
from tests.night import Night
from tests.soak import Phone, slug_in
from tests.types import Make, Sit

OPERATORS = "the-operators-own-token"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with Shadow Era, installed by pip, and a broken package beside it."""
    project = tmp_path_factory.mktemp("project") / "shadow-era"
    call_command("newsystem", "Shadow Era", package=project, verbosity=0)
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "-v", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, "--no-index", "--target", target, project], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "would be ignored" not in done.stdout, "setuptools does not like how it is laid out"
    (target / "broken_era").mkdir()
    (target / "broken_era/__init__.py").write_text("raise RuntimeError('not finished')\n")
    about = target / "broken_era-2.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-era\nVersion: 2.1\n")
    (about / "entry_points.txt").write_text("[countersite.systems]\nbroken-era = broken_era\n")
    return target


@pytest.fixture(scope="module")
def site(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    """A game night on a server with both packages."""
    night = Night(
        tmp_path_factory.mktemp("plugged") / "night",
        free_port(),
        first=True,
        PYTHONPATH=os.pathsep.join([str(installed), str(ROOT)]),
        COUNTERSITE_PROGRAM_TOKEN=OPERATORS,
    )
    yield night
    if night.process.poll() is None:
        night.kill()


def asked(site: Night, token: str, path: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{site.site}/api/v1/{path}", data, headers), timeout=20) as answer:
        return json.load(answer)


def begun(site: Night) -> tuple[Phone, str]:
    """The phone that has begun a game of the installed system, and the game's slug."""
    ana = Phone(site.site)
    return ana, slug_in(ana.post("/new", "/new", rules="shadow-era", seats="2"))


def program(phone: Phone, slug: str) -> str:
    """Let a program in for the phone's seat; returns its token."""
    at = f"/g/{slug}/programs"
    _path, page = phone.posted(at, at, name="Pedal")
    found = re.search(r"<code>(csp_\w+)</code>", page)
    assert found, page
    return found[1]


def test_an_installed_system_is_played_from_its_own_package(site: Night, installed: Path) -> None:
    ana, slug = begun(site)
    token = program(ana, slug)

    card = next(iter(asked(site, token, "state")["state"]["objects"]))
    asked(site, token, "commands", {"do": "place", "on": card, "counter": "damage", "amount": 3})
    seen = asked(site, token, "state")
    commands = asked(site, token, "openapi.json")["components"]["schemas"]

    assert "discard" == seen["state"]["objects"][card]["zone"]
    assert [f"comfort:{card}"] == [each["id"] for each in seen["state"]["prompts"]]
    assert "shadow-era.challenge" in commands
    board = ana.get(f"/g/{slug}/")
    assert "css/systems/shadow-era/main." in board
    home = ana.get("/")
    assert 'value="shadow-era"' in home or "value=shadow-era" in home, "its demo is offered"


def test_a_broken_package_is_named_and_stops_nothing(site: Night) -> None:
    assert 200 == site.get("/livez")[0]
    said = "The rule system “broken-era” of broken-era 2.1 is left out: RuntimeError: not finished"
    assert said in site.printed


def test_a_package_s_own_cases_hold(installed: Path) -> None:
    cases = installed / "countersite_shadow_era/scenarios.json"
    done = subprocess.run(
        [sys.executable, "manage.py", "rulecheck", cases],
        cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)])},
    )  # fmt: skip

    assert "4 passed, 0 failed\n" == done.stdout, done.stderr


# The example program


def test_the_pedal_taps_and_shows_the_number(site: Night) -> None:
    token = program(*begun(site))
    seen = asked(site, token, "state")
    seat = seen["seat"]

    done = pedal(site, token, seat, "\n\n-\n\n")

    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("points: 2\n"), done.stdout
    assert 2 == asked(site, token, "state")["state"]["seats"][seat]["counters"]["points"]


def test_the_bot_opens_a_table_and_is_told_who_won(site: Night) -> None:
    port = str(free_port())
    here = f"http://127.0.0.1:{port}/ended"
    run = [sys.executable, "examples/bot.py", site.site, here, "magic", "--seats=3", "--port", port]
    environment = {**os.environ, "COUNTERSITE_PROGRAM_TOKEN": OPERATORS}
    bot = subprocess.Popen(run, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert bot.stdout is not None
    try:
        links, host = bot.stdout.readline(), bot.stdout.readline()
        ana = Phone(site.site)
        slug = slug_in(ana.opened(urlsplit(host.rpartition(" ")[2].strip()).path))
        ana.post(f"/g/{slug}/seats/ana/claim", f"/g/{slug}/seats/", name="Ana")
        token = program(ana, slug)
        with pytest.raises(HTTPError, match="403"):
            urlopen(Request(here, b'{"result": "won", "winners": [], "title": ""}'), timeout=20)
        for seat in ("ben", "cleo"):
            asked(site, token, "commands", {"do": "leave", "seat": seat})
        won = bot.stdout.readline()
    finally:
        bot.kill()
        bot.wait()
        bot.stdout.close()

    assert "/j/" in links
    seen = asked(site, token, "state")
    assert f"Won at {seen['title']}: {seen['names']['ana']}\n" == won


def test_the_pedal_says_that_its_token_is_worth_nothing(site: Night) -> None:
    done = pedal(site, "csp_0", "ana", "\n")

    assert done.returncode == 1
    assert "does not know this token" in done.stderr


def test_the_pedal_leaves_a_server_that_does_not_answer() -> None:
    """A proxy may hold the connection to one that hangs, and lead the next one elsewhere."""
    ids: list[str] = []

    def answer(line: ServerConnection) -> None:
        seat = {"id": "ana", "counters": {"points": len(ids)}}
        document = {"number": 1, "state": {"seats": {"ana": seat}}}
        line.send(json.dumps({"type": "state", "number": 1, "document": document}))
        for text in line:
            ids.append(json.loads(text)["id"])
            if len(ids) > 1:
                line.send(json.dumps({"type": "accepted", "id": ids[-1], "entry": 2}))

    with serve(answer, "127.0.0.1", 0) as hung:
        threading.Thread(target=hung.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{hung.socket.getsockname()[1]}"
        run = [sys.executable, "examples/pedal.py", site, "--on", "ana", "--counter", "points"]
        done = subprocess.run(
            run, input="\n", cwd=ROOT, capture_output=True, text=True, timeout=30,
            env={"PATH": "", "COUNTERSITE_TOKEN": "csp_0"},
        )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert [ids[0]] * 2 == ids


def test_a_script_in_a_browser_shows_its_token_among_the_subprotocols(site: Night) -> None:
    """Through the server as it runs: it reads a handshake before the application does."""
    token = program(*begun(site))
    address = f"{site.site.replace('http', 'ws', 1)}/api/v1/changes"

    offers: Any = {"subprotocols": ["countersite.v1", token], "origin": "https://overlay.example"}
    with connect(address, **offers) as line:
        assert "countersite.v1" == line.subprotocol
        assert "state" == json.loads(line.recv(10))["type"]


def pedal(site: Night, token: str, on: str, keys: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "examples/pedal.py", site.site, "--on", on, "--counter", "points"]
    return subprocess.run(
        run, input=keys, cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={"PATH": "", "COUNTERSITE_TOKEN": token},
    )  # fmt: skip


# What is left out


def package(name: str, **attributes: Any) -> ModuleType:
    made = ModuleType(name)
    vars(made).update({"__path__": [], **attributes})
    return made


LEFT_OUT: Any = {
    "a module": (ModuleType("module"), "its entry point must name a package"),
    "no editions": (package("none"), "it has no EDITIONS"),
    "other editions": (package("other", EDITIONS=("x",)), "must be systems of one name"),
    "a name twice": (package("twice", EDITIONS=(find("magic"),)), "another system named “magic”"),
    "no presentation": (package("odd", EDITIONS=(find("pokemon"),)), "no PRESENTATION"),
}


@pytest.mark.parametrize(("loaded", "why"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_plugin_that_is_no_rule_system_is_left_out_and_the_next_is_not(
    loaded: Any, why: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    good = package("good", EDITIONS=(find("any-game"),))

    class Point(EntryPoint):
        def load(self) -> Any:
            return good if self.name == "z-good" else loaded

    points = [Point(name, "x", plugins.GROUP) for name in ("z-good", "a-odd")]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)

    def presented(module: ModuleType) -> None:
        if module.__name__ == "odd":
            raise AttributeError("no PRESENTATION")

    with caplog.at_level(logging.ERROR):
        found = plugins.installed({"magic"}, presented)

    assert [good] == found
    assert "“a-odd” is left out" in caplog.text
    assert why in caplog.text


@pytest.mark.django_db
def test_a_game_whose_system_is_gone_says_so_and_the_others_go_on(
    game: Game, make_game: Make, sit: Sit
) -> None:
    ana = sit(game, "ana")
    other = make_game()
    other.admit(game.seats.get(key="ana").device_hash or "", "guest")
    Game.objects.filter(pk=game.pk).update(system="gone-era")

    answer = ana.get(f"/g/{game.slug}/")

    assert 503 == answer.status_code
    assert "“gone-era” isn’t installed" in answer.content.decode()
    assert 200 == ana.get("/").status_code
    assert 200 == ana.get(f"/g/{other.slug}/").status_code


# Writing one


def test_a_package_is_written_into_a_new_folder_only(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")

    with pytest.raises(CommandError, match="is not empty"):
        call_command("newsystem", "Shadow Era", package=tmp_path)
    with pytest.raises(CommandError, match="“magic” is taken"):
        call_command("newsystem", "Magic", package=tmp_path / "new")

    assert ["mine"] == [each.name for each in tmp_path.iterdir()]
