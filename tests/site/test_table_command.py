"""`manage.py table`: from an empty folder to a running game night, and again."""

from __future__ import annotations

import re
import socket

import pytest
from django.conf import settings

from countersite import addresses
from countersite.management.commands import table
from games.models import Game
from games.rules import scenario
from games.store import demos, rows
from games.systems import SYSTEMS, named_by


def test_a_night_begins_goes_on_and_closes(night, port):
    """One test, because each start takes a second: first start, Ctrl-C, second start."""
    first = night(port, first=True)
    assert (200, b"ready\n") == first.get("/readyz")
    status, home = first.get("/")
    assert 200 == status
    style = re.search(rb'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', home)
    assert style, "static files are hashed"
    assert 200 == first.get(style[1].decode())[0]
    codes = set(re.findall(r"\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b", first.printed))
    assert len(demos.demos()) == len(codes)
    assert "/h/" in first.printed
    assert 0 == first.close()
    assert "The table is closed." in first.printed
    assert "Traceback" not in first.printed

    collected = first.folder / "static" / "staticfiles.json"
    before = collected.stat().st_mtime_ns

    second = night(port)
    second.get("/livez")
    assert before == collected.stat().st_mtime_ns, "nothing is collected again"
    assert codes <= set(re.findall(r"\b\w{4}-\w{4}\b", second.printed)), "same data, no new demo"
    assert 0 == second.close()


def test_a_taken_port_is_said_and_the_next_one_used(night, port):
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()

        evening = night(port)
        evening.get("/livez")

    found = re.search(rf"Port {port} is taken; using (\d+)\.", evening.printed)
    assert found
    assert f"http://localhost:{found[1]}/" in evening.printed


def test_the_first_start_plays_one_demo_of_each_system(db):
    made = demos.load()

    assert set(SYSTEMS) == {game.system for game in made}
    for game in made:
        rows.check(game)


def test_a_second_start_makes_no_second_demo(db):
    demos.load()

    assert [] == demos.load()


@pytest.mark.parametrize("demo", demos.demos(), ids=lambda demo: demo["system"])
def test_demos_are_scenarios_that_hold(demo):
    for system in named_by(demo):
        assert [] == scenario.check(demo, system)


@pytest.fixture
def lan(monkeypatch):
    monkeypatch.setattr(table, "lan_addresses", lambda: ["192.168.1.20", "10.0.0.2"])


def test_the_invitation_shows_an_address_that_phones_reach(game, lan):
    printed = table.invitation("0.0.0.0", 8000)

    assert f"On phones   192.168.1.20:8000 · {game.spoken_code}" in printed
    assert f"http://192.168.1.20:8000/h/{game.host_token}" in printed
    assert "█" in printed


def test_the_qr_carries_the_invitation_and_never_the_hosts_secret(game, lan, monkeypatch):
    drawn = []
    monkeypatch.setattr(table, "terminal_qr", lambda text, colours: drawn.append(text) or "")

    table.invitation("0.0.0.0", 8000)

    assert [f"http://192.168.1.20:8000/j/{game.invite_token}"] == drawn


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_a_loopback_address_is_never_a_qr(game, lan, host):
    printed = table.invitation(host, 8000)

    assert "█" not in printed
    assert f"Here only   localhost:8000 · {game.spoken_code}" in printed


def test_without_a_network_there_is_no_qr(game, monkeypatch):
    monkeypatch.setattr(table, "lan_addresses", list)

    assert "█" not in table.invitation("0.0.0.0", 8000)


def test_other_games_are_listed_with_their_codes(game, make_game, lan):
    newest = make_game()

    printed = table.invitation("0.0.0.0", 8000)

    assert f"192.168.1.20:8000 · {newest.spoken_code}" in printed
    assert f"    {game.spoken_code}   Friday" in printed


def test_own_addresses_are_allowed_and_none_is_loopback():
    found = addresses.lan_addresses()

    assert set(found) <= set(settings.ALLOWED_HOSTS)
    assert not [address for address in found if address.startswith("127.")]


def test_a_game_without_any_title_is_called_after_its_system(make_game):
    game = make_game()
    Game.objects.filter(pk=game.pk).update(title="")
    game.refresh_from_db()

    assert f"any-game {game.slug}" == str(game)
