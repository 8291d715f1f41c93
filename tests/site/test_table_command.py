"""`manage.py table`: from an empty folder to a running game night, and again."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings

from countersite import addresses
from countersite.management.commands import table
from countersite.tunnel import NoTunnel, tunnel
from games.models import Game
from games.rules import scenario
from games.store import demos
from games.systems import named_by
from tests.house import ROOT
from tests.night import SETTINGS, furnish
from tests.types import Make, Sit


def test_a_night_begins_goes_on_and_closes(night: Any, port: int) -> None:
    """One test, because each start takes a second: first start, Ctrl-C, second start."""
    first = night(port, first=True)
    assert (200, b"ready\n") == first.get("/readyz")
    status, home = first.get("/")
    assert 200 == status
    style = re.search(rb'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', home)
    assert style, "static files are hashed"
    assert 200 == first.get(style[1].decode())[0]
    static = first.folder / "static"
    assert not (static / "admin").exists(), "it is not offered"
    hashed = re.compile(r"\.[0-9a-f]{12}(\.\w+)?\.gz")
    assert [] == [each for each in static.rglob("*.gz") if not hashed.search(each.name)]
    assert "to start a game, or to look at a demo" in first.printed
    assert "/h/" not in first.printed, "there is no game yet"
    assert 0 == first.close()
    assert "The table is closed." in first.printed
    assert "Traceback" not in first.printed

    collected = static / "staticfiles.json"
    before = collected.stat().st_mtime_ns

    second = night(port)
    second.get("/livez")
    assert before == collected.stat().st_mtime_ns, "nothing is collected again"
    assert 0 == second.close()


def test_it_answers_as_soon_as_the_invitation_is_printed(night: Any, port: int) -> None:
    evening = night(port)
    evening.waits_for("Ctrl-C closes the table")

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=30) as answer:
        assert 200 == answer.status


INTERRUPTED = """
import signal, sys, weakref
from countersite import __main__

def strike(*_given, **_more):
    signal.raise_signal(signal.SIGINT)

def in_table(name):
    import django
    setup = django.setup
    def begin():
        setup()
        from countersite.management.commands import table
        setattr(table, name, strike)
    django.setup = begin

def dropped():
    thing = strike.__class__(strike.__code__, {{}})
    known = weakref.ref(thing, strike)
    del thing

{where}
sys.argv = ["countersite", "table", "--port", "{port}", "--data", "{data}"]
__main__.main()
print("it went on")
"""


@pytest.mark.parametrize(
    "where",
    [
        "from countersite import first_run; first_run.prepare = strike",
        "import django; django.setup = strike",
        "in_table('prepare')",
        "in_table('invitation')",
        "import daphne.server; daphne.server.Server.run = strike",
        # Python calls this when it drops the lock of a module that it has imported.
        "__main__._run = dropped",
    ],
    ids=["at once", "settings", "preparing", "inviting", "listening", "in a callback"],
)
def test_ctrl_c_before_it_serves_ends_it_without_a_traceback(
    tmp_path: Path, port: Any, where: Any
) -> None:
    furnish(tmp_path / "data")
    code = INTERRUPTED.format(where=where, port=port, data=tmp_path / "data")
    environment = {**SETTINGS, "DJANGO_SETTINGS_MODULE": "countersite.settings"}

    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip

    assert (130, "") == (ended.returncode, ended.stderr)
    assert "it went on" not in ended.stdout


@pytest.mark.parametrize(
    ("offered", "left_out"), [(False, {"django_htmx", "admin"}), (True, {"django_htmx"})]
)
def test_the_admins_files_are_collected_if_it_is_offered(
    offered: Any, left_out: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And again when that changes."""
    asked = []
    monkeypatch.setattr(table, "call_command", lambda *given, **options: asked.append(options))
    settings.STATIC_ROOT = tmp_path
    settings.ADMIN = not offered
    table.collect_static()
    settings.ADMIN = offered
    table.collect_static()
    table.collect_static()

    assert 2 == len(asked)
    assert left_out == set(asked[1]["ignore_patterns"])


def test_a_taken_port_is_said_and_the_next_one_used(night: Any, port: int) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()

        evening = night(port)
        evening.get("/livez")

    found = re.search(rf"Port {port} is taken; using (\d+)\.", evening.printed)
    assert found
    assert f"http://localhost:{found[1]}/" in evening.printed


def test_a_demo_is_never_the_game_that_the_terminal_invites_to(
    db: None, lan: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(table, "terminal_qr", lambda text, colours: drawn.append(text) or "")
    demos.played(demos.demos()[0])

    printed = table.invitation("0.0.0.0", 8000)

    assert ["http://192.168.1.20:8000/"] == drawn
    assert "/h/" not in printed
    assert "Scan it to start a game, or look at a demo." in printed


@pytest.mark.parametrize("demo", demos.demos(), ids=lambda demo: demo["system"])
def test_demos_are_scenarios_that_hold(demo: Any) -> None:
    for system in named_by(demo):
        assert [] == scenario.check(demo, system)


@pytest.fixture
def lan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "lan_addresses", lambda: ["192.168.1.20", "10.0.0.2"])


def test_the_invitation_shows_an_address_that_phones_reach(game: Game, lan: None) -> None:
    printed = table.invitation("0.0.0.0", 8000)

    assert f"On phones   192.168.1.20:8000 · {game.spoken_code}" in printed
    assert f"http://192.168.1.20:8000/h/{game.host_token}" in printed
    assert "█" in printed


def test_the_qr_carries_the_invitation_and_never_the_hosts_secret(
    game: Game, lan: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(table, "terminal_qr", lambda text, colours: drawn.append(text) or "")

    table.invitation("0.0.0.0", 8000)

    assert [f"http://192.168.1.20:8000/j/{game.invite_token}"] == drawn


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_a_loopback_address_is_never_a_qr(game: Game, lan: None, host: Any) -> None:
    printed = table.invitation(host, 8000)

    assert "█" not in printed
    assert f"Here only   localhost:8000 · {game.spoken_code}" in printed


def test_a_table_on_loopback_invites_to_no_address_where_nothing_listens(
    game: Game, sit: Sit, settings: Any, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    settings.LAN_ADDRESSES = ["192.168.1.20"]
    monkeypatch.setattr("games.live.wire.serving.serve", lambda *_where, **_more: None)
    monkeypatch.setattr(table, "connection", SimpleNamespace(close=lambda: None))
    host = sit(game, "ana")
    here = {"host": f"127.0.0.1:{port}"}

    def shown() -> Any:
        share, tv = (host.get(f"/g/{game.slug}/{page}", headers=here) for page in ("share", "tv"))
        return share.content.decode() + tv.content.decode()

    assert "192.168.1.20" in shown()
    lock = SimpleNamespace(serving=lambda site: None)
    table.Command(stdout=io.StringIO())._serve(lock, "127.0.0.1", port)  # type: ignore[arg-type]

    assert "192.168.1.20" not in shown()
    assert "qrline" not in shown()


def test_without_a_network_there_is_no_qr(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "lan_addresses", list)

    assert "█" not in table.invitation("0.0.0.0", 8000)


def test_a_lost_network_is_no_new_address(settings: Any) -> None:
    printed = io.StringIO()
    settings.LAN_ADDRESSES = []

    table.Command(stdout=printed)._print_change("::", 8000, moved=True)

    assert "no network now" in printed.getvalue()
    assert "new address" not in printed.getvalue()


def test_other_games_are_listed_with_their_codes(game: Game, make_game: Make, lan: None) -> None:
    newest = make_game()

    printed = table.invitation("0.0.0.0", 8000)

    assert f"192.168.1.20:8000 · {newest.spoken_code}" in printed
    assert f"    {game.spoken_code}   Friday" in printed


def test_own_addresses_are_allowed_and_none_is_loopback() -> None:
    found = addresses.lan_addresses()

    assert set(found) <= set(settings.ALLOWED_HOSTS)
    assert not [address for address in found if address.startswith("127.")]


def test_a_sandbox_that_hides_interfaces_leaves_the_address_of_the_route(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> None:
        raise PermissionError("netlink")

    monkeypatch.setattr("ifaddr.get_adapters", refuse)
    monkeypatch.setattr(addresses, "_used_for", {"192.0.2.1": "192.168.1.20"}.get)
    monkeypatch.setattr(addresses, "_of_interfaces_6", list)

    assert addresses.lan_addresses() == ["192.168.1.20"]


def test_a_game_without_any_title_is_called_after_its_system(make_game: Make) -> None:
    game = make_game()
    Game.objects.filter(pk=game.pk).update(title="")
    game.refresh_from_db()

    assert f"own-game {game.slug}" == str(game)


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


def test_an_ipv6_address_is_written_as_in_a_url(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(table, "terminal_qr", lambda text, colours: drawn.append(text) or "")
    monkeypatch.setattr(table, "lan_addresses", lambda: ["[fd00::20]"])

    printed = table.invitation("::", 8000)

    assert f"On phones   [fd00::20]:8000 · {game.spoken_code}" in printed
    assert [f"http://[fd00::20]:8000/j/{game.invite_token}"] == drawn
    assert "http://[fd00::7]:8000" == table.site("fd00::7", 8000)


def test_ipv6_addresses_follow_those_of_ipv4(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = tmp_path / "if_inet6"
    listed.write_text(
        "fd000000000000000000000000000020 02 40 00 80     eth0\n"
        "fd0000000000000000000000000abcde 02 40 00 01     eth0\n"  # temporary
        "fe800000000000000000000000000001 02 40 20 80     eth0\n"
        "fd00000000000000000000000000dd01 03 40 00 80  docker0\n"
        "00000000000000000000000000000001 01 80 10 80       lo\n"
    )
    used = {"192.0.2.1": "192.168.1.20", "2001:db8::1": "fd00::a:bcde"}
    monkeypatch.setattr(addresses, "INTERFACES_6", listed)
    monkeypatch.setattr(addresses, "_used_for", used.get)
    monkeypatch.setattr(addresses, "_of_interfaces", list)

    found = addresses.lan_addresses()

    assert ["192.168.1.20", "[fd00::20]", "[fd00::a:bcde]"] == found


@needs_ipv6
def test_a_port_that_is_taken_in_ipv6_alone_is_not_free(port: int) -> None:
    taken = addresses.everywhere_6(port)
    taken.listen()

    assert port != addresses.free_port("::", port)

    taken.close()
    assert port == addresses.free_port("::", port)


@needs_ipv6
def test_all_addresses_are_those_of_both_protocols(tmp_path: Path, port: int) -> None:
    folder = tmp_path / "data"
    furnish(folder)
    run = [sys.executable, "manage.py", "table", "--port", str(port), "--data", str(folder)]
    server = subprocess.Popen(run, cwd=ROOT, env=SETTINGS, stdout=subprocess.DEVNULL)
    try:
        for address in ("127.0.0.1", "[::1]"):
            assert 200 == status(f"http://{address}:{port}/livez"), address
    finally:
        server.terminate()
        assert 0 == server.wait(30)


def status(address: str) -> int:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        unreached = contextlib.suppress(ConnectionError, urllib.error.URLError)
        with unreached, urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status
        time.sleep(0.1)
    return 0


def test_a_wrong_variable_is_named_without_a_traceback(tmp_path: Path) -> None:
    run = [sys.executable, "manage.py", "table", "--data", str(tmp_path)]
    environment = {**SETTINGS, "COUNTERSITE_HTTPS": "maybe"}
    answer = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True)

    assert 1 == answer.returncode
    assert "COUNTERSITE_HTTPS='maybe': use one of" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize(
    ("named", "https", "expected"),
    [
        (["table.example.org"], True, "https://table.example.org"),
        (["table.example.org:8443", "other"], True, "https://table.example.org:8443"),
        (["box.lan"], False, "http://box.lan:7353"),
        (["box.lan:80"], False, "http://box.lan:80"),
        ([], False, "http://localhost:7353"),
    ],
)
def test_the_public_host_is_what_is_printed(
    settings: Any, named: Any, https: Any, expected: Any
) -> None:
    settings.PUBLIC_HOSTS, settings.HTTPS = named, https

    assert expected == table.site("127.0.0.1", 7353)


def test_the_invitation_draws_the_public_host(settings: Any, game: Game) -> None:
    settings.PUBLIC_HOSTS, settings.HTTPS = ["table.example.org"], True

    printed = table.invitation("127.0.0.1", 7353)

    assert f"On phones   table.example.org · {game.spoken_code}" in printed
    assert f"https://table.example.org/h/{game.host_token}" in printed
    assert table.terminal_qr(f"https://table.example.org/j/{game.invite_token}", False) in printed
    assert "No network" not in printed


SAYS_SO = """#!{python}
import signal, sys, time
print("INF Requesting new quick Tunnel on trycloudflare.com...", flush=True)
print("INF |  https://red-otter-four.trycloudflare.com  |", flush=True)
open("{log}", "a").write(" ".join(sys.argv[1:]) + "\\n")
def ended(*given):
    open("{log}", "a").write("ended\\n")
    sys.exit()
signal.signal(signal.SIGTERM, ended)
while True:
    time.sleep(0.05)
    print("INF Registered tunnel connection", flush=True)
"""
FAILS = """#!{python}
print("ERR failed to request quick Tunnel: no such host")
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def installed(tmp_path: Path, name: str, program: str) -> str:
    """A PATH on which *name* is this program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    file = folder / name
    file.write_text(program.format(python=sys.executable, log=tmp_path / "log"))
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(folder)


def test_the_invitation_is_printed_under_the_name_of_the_tunnel(
    tmp_path: Path, log: Path, port: int
) -> None:
    folder, out = tmp_path / "night", tmp_path / "printed.txt"
    furnish(folder)
    path = installed(tmp_path, "cloudflared", SAYS_SO)
    command = [sys.executable, "manage.py", "table", "--public", "--port", str(port)]
    with out.open("w") as printed:
        table = subprocess.Popen(
            [*command, "--data", str(folder)],
            cwd=ROOT, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True,
            env={**SETTINGS, "PATH": path},
        )  # fmt: skip
    try:
        until(lambda: "Ctrl-C closes the table" in out.read_text(), out)
        told = out.read_text()
        assert re.search(r"On phones +red-otter-four\.trycloudflare\.com", told), told
        assert "https://red-otter-four.trycloudflare.com/h/" in told
        (called,) = log.read_text().splitlines()
        assert called.startswith("tunnel --no-autoupdate --url http://127.0.0.1:")
        answer = urllib.request.Request(called.rpartition(" ")[2] + "/")
        for name, value in {
            "Host": "red-otter-four.trycloudflare.com",
            "X-Forwarded-Proto": "https",
        }.items():
            answer.add_header(name, value)
        assert 200 == urllib.request.urlopen(answer, timeout=20).status
        os.killpg(table.pid, signal.SIGINT)  # as Ctrl-C does in a terminal
        assert 0 == table.wait(timeout=30)
    finally:
        if table.poll() is None:
            os.killpg(table.pid, signal.SIGKILL)

    assert "The table is closed." in out.read_text()
    assert "Traceback" not in out.read_text()
    assert "ended" == log.read_text().splitlines()[-1], "the tunnel closes with the table"


def test_without_a_program_two_sentences_say_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with (
        pytest.raises(NoTunnel, match=r"^Neither cloudflared nor tailscale .+\. Install one .+\.$"),
        tunnel(8000),
    ):
        pass


def test_a_program_that_makes_no_tunnel_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", installed(tmp_path, "cloudflared", FAILS))

    said = "It said: ERR failed to request quick Tunnel: no such host"
    with pytest.raises(NoTunnel, match=said), tunnel(8000):
        pass


def test_the_name_of_tailscale_s_tunnel_is_read(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = SAYS_SO.replace(
        "|  https://red-otter-four.trycloudflare.com  |", "https://ana.tail1234.ts.net/"
    )
    monkeypatch.setenv("PATH", installed(tmp_path, "tailscale", says))

    with tunnel(8123) as name:
        assert "ana.tail1234.ts.net" == name
        until(lambda: log.exists() and log.read_text(), log)
    assert ["funnel 8123", "ended"] == log.read_text().splitlines()


def until(holds: object, told: Path) -> None:
    """Wait until something holds; what was *told* explains a failure."""
    assert callable(holds)
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, told.read_text() if told.exists() else ""
        time.sleep(0.05)
