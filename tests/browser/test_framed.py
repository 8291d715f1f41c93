"""A table in a frame of another site, where third-party cookies are blocked."""

from __future__ import annotations

import asyncio
import re
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.distance import Distance
from tests.conftest import CHROMIUM, free_port
from tests.night import Night
from tests.site.test_plugins import OPERATORS, asked

pytestmark = pytest.mark.browser

WITHOUT = "--test-third-party-cookie-phaseout"


class Embedding(BaseHTTPRequestHandler):
    """A page of the site http://localhost: that has what its query says in a frame."""

    def do_GET(self) -> None:
        body = b"<!doctype html><script>addEventListener('DOMContentLoaded', () => {"
        body += b"document.querySelector('iframe').src = decodeURIComponent(location.hash.slice(1))"
        body += b"})</script><iframe width=320 height=640></iframe>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def embedding() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Embedding)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


class Proxy(Distance):
    """Ends TLS for a server on this computer, as an operator's proxy does."""

    def __init__(self, folder: Path, to: int) -> None:
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=here"]
        made = ["-keyout", str(key), "-out", str(certificate)]
        subprocess.run([*make, *made], check=True, capture_output=True)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        super().__init__("127.0.0.1", to, 0, tls)

    async def opening(self, reader: asyncio.StreamReader) -> bytes:
        """The head of the one request of a connection, or of a socket's handshake."""
        head = await reader.readuntil(b"\r\n\r\n")
        said = b"\r\nX-Forwarded-Proto: https"
        if b"Upgrade: websocket" not in head:
            head = re.sub(rb"(?i)\r\nconnection:[^\r]*", b"", head)
            said += b"\r\nConnection: close"
        return head.replace(b"\r\n", said + b"\r\n", 1)


@pytest.fixture
def page(playwright: Any) -> Iterator[Any]:
    options = ["--no-sandbox", "--disable-gpu", "--ignore-certificate-errors", WITHOUT]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
    yield browser.new_page(viewport={"width": 360, "height": 700}, has_touch=True)
    browser.close()


@pytest.fixture(scope="module")
def framed(embedding: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Night, str]]:
    """A night that the embedding site may frame, and its address at a proxy."""
    folder = tmp_path_factory.mktemp("framed")
    named: Any = {"COUNTERSITE_HTTPS": "on", "COUNTERSITE_FRAMED_BY": embedding}
    named["COUNTERSITE_PROGRAM_TOKEN"] = OPERATORS
    port = free_port()
    night, proxy = Night(folder / "night", port, **named), Proxy(folder, port)
    night.get("/readyz")
    yield night, f"https://127.0.0.1:{proxy.port}"
    proxy.close()
    night.kill()


def test_a_seat_is_played_in_a_frame_of_the_site_that_was_named(
    page: Any, embedding: str, framed: tuple[Night, str]
) -> None:
    night, site = framed
    opened = asked(night, OPERATORS, "games", {"system": "magic", "names": ["Ana", "Ben"]})
    link = opened["seats"]["ben"].partition("/seat")[2]

    page.goto(f"{embedding}/#{site}/seat{link}")
    frame = page.frame_locator("iframe")
    frame.locator("#live[data-seat=ben]").wait_for(state="attached")
    frame.locator(".welcome button").tap()
    frame.locator(".welcome").wait_for(state="hidden")
    inside = page.frames[1]
    assert "seat#" not in inside.url
    assert inside.evaluate("document.documentElement.scrollWidth") <= 320
    kept = page.context.cookies()
    assert {"None"} == {each["sameSite"] for each in kept}
    (device,) = (each for each in kept if "device" in each["name"])
    assert "http://localhost" == device["partitionKey"]

    frame.locator('[name=lose-life][value="ben.life"]').tap()
    frame.locator("#undo:enabled").wait_for()
    for _try in range(100):
        if 39 == life(night, opened["token"]):
            break
        page.wait_for_timeout(100)
    else:
        pytest.fail("the tap did not arrive")


def life(night: Night, token: str) -> int:
    """Ben's, as a program sees it."""
    return asked(night, token, "state")["state"]["seats"]["ben"]["life"]


def test_any_other_site_is_refused(page: Any, embedding: str, framed: tuple[Night, str]) -> None:
    other = embedding.replace("localhost", "127.0.0.1")
    refusals: list[str] = []
    page.on("console", lambda said: refusals.append(said.text))

    page.goto(f"{other}/#{framed[1]}/help")
    page.wait_for_function("document.querySelector('iframe').src !== ''")
    page.wait_for_timeout(1000)

    assert any("frame-ancestors" in said for said in refusals), refusals
    assert "chrome-error" in page.frames[1].url
