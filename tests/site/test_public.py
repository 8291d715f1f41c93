"""A public server: what it needs and refuses to do without, its terms, and the files for hosts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from countersite.management.commands.serve import Command
from tests.house import ROOT

OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
ASKED = "from django.conf import settings as s; print(s.KEEP_DAYS, s.CROWD)"
NEEDED = {"COUNTERSITE_HTTPS": "on", "COUNTERSITE_HOSTS": "table.example.org"}


def asked(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """How long and for how many a server with these *settings* keeps evenings."""
    given = {key: each for key, each in os.environ.items() if not key.startswith("COUNTERSITE_")}
    given |= {
        "COUNTERSITE_DATA": str(folder),
        "COUNTERSITE_SECRET_KEY": "k" * 40,
        "DJANGO_SETTINGS_MODULE": "countersite.settings",
        **settings,
    }
    return subprocess.run(
        [sys.executable, "-c", ASKED], cwd=ROOT, env=given, capture_output=True, text=True
    )


@pytest.fixture
def terms(tmp_path: Path) -> Path:
    file = tmp_path / "terms.md"
    file.write_text("# Lantern\n\nRun by\nthe club.\n\n## Write\nclub@lantern.example <b>\n")
    return file


def test_a_public_server_keeps_evenings_for_a_month_and_serves_ten_clubs(
    tmp_path: Path, terms: Path
) -> None:
    public = {**NEEDED, "COUNTERSITE_PUBLIC": "on", "COUNTERSITE_TERMS": str(terms)}

    assert "30 10\n" == asked(tmp_path, **public).stdout
    assert "7 10\n" == asked(tmp_path, **public, COUNTERSITE_KEEP_DAYS="7").stdout
    assert "None 1\n" == asked(tmp_path).stdout


def test_a_public_server_refuses_to_start_without_what_it_needs(
    tmp_path: Path, terms: Path
) -> None:
    said = asked(tmp_path, COUNTERSITE_PUBLIC="on", COUNTERSITE_TERMS=str(terms))
    assert "COUNTERSITE_PUBLIC needs COUNTERSITE_HOSTS and COUNTERSITE_HTTPS, too." in said.stderr

    said = asked(tmp_path, **NEEDED, COUNTERSITE_TERMS="/nowhere.md")
    assert "COUNTERSITE_TERMS='/nowhere.md': there is no such file to read." in said.stderr


@pytest.mark.django_db
def test_terms_are_the_operators_text_and_nothing_more(
    client: Client, settings: Any, terms: Path
) -> None:
    settings.TERMS = terms
    page = client.get("/terms").content.decode()
    main = page.partition('<main class="page">')[2].partition("</main>")[0]

    assert ["<h1>Lantern</h1>", "<p>Run by the club.</p>", "<h2>Write</h2>"] == re.findall(
        r"<(?:h\d|p)>[^<]*</(?:h\d|p)>", main
    )
    assert '<a href="mailto:club@lantern.example">' in main
    assert "&lt;b&gt;" in main
    assert 'href="/terms"' in client.get("/about").content.decode()


@pytest.mark.django_db
def test_without_terms_there_is_no_page_and_no_link(client: Client) -> None:
    assert 404 == client.get("/terms").status_code
    assert 'href="/terms"' not in client.get("/about").content.decode()


def test_search_engines_read_a_public_servers_pages_and_never_a_table(
    client: Client, settings: Any
) -> None:
    assert "User-agent: *\nDisallow: /\n" == client.get("/robots.txt").content.decode()

    settings.PUBLIC = True
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Allow: /$" in lines
    assert "Disallow: /" == lines[-1]
    assert not any(line.startswith(("Allow: /g", "Allow: /j")) for line in lines)


def test_a_host_names_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    def port(*given: str) -> int:
        return int(Command().create_parser("countersite", "serve").parse_args(given).port)

    assert 8000 == port()
    monkeypatch.setenv("PORT", "9123")
    assert 9123 == port()
    assert 8001 == port("--port", "8001")


def test_the_files_for_hosts_name_settings_that_are_read_and_one_machine() -> None:
    fly = tomllib.loads((ROOT / "fly.toml").read_text(encoding="utf-8"))
    render = (ROOT / "render.yaml").read_text(encoding="utf-8")
    composed = (ROOT / "deploy" / "public.yaml").read_text(encoding="utf-8")
    named = {
        *fly["env"],
        *re.findall(r"key: (\w+)", render),
        *re.findall(r"^ +(COUNTERSITE_\w+):", composed, re.M),
    }

    assert [] == [name for name in sorted(named) if f"| `{name}` |" not in OPERATING]
    assert int(fly["env"]["PORT"]) == fly["http_service"]["internal_port"]
    assert [check["path"] for check in fly["http_service"]["checks"]] == ["/readyz"]
    assert "/data" == fly["mounts"][0]["destination"]
    assert "mountPath: /data" in render
    assert "numInstances: 1 " in render
