"""WebKit and Firefox, driven by the little of WebDriver that an evening needs.

WebKit by Debian's WebKitWebDriver (HTTP), Firefox by its own Marionette (a socket): the same
commands and the same pointers either way, so neither needs a package beyond the browser.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError

WAIT = 20.0
"""Seconds until something that is waited for counts as missing."""
MINI_BROWSER = next(
    Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), Path("/usr/lib/MiniBrowser")
)
COMMANDS = {
    # what we call it: WebDriver's method and path, Marionette's name
    "go": ("POST", "/url", "WebDriver:Navigate"),
    "script": ("POST", "/execute/sync", "WebDriver:ExecuteScript"),
    "pointer": ("POST", "/actions", "WebDriver:PerformActions"),
    "picture": ("GET", "/screenshot", "WebDriver:TakeScreenshot"),
    "window": ("POST", "/window/rect", "WebDriver:SetWindowRect"),
}
NARROW_GTK = "* { min-width: 0; padding: 0; margin: 0; }"
NARROW_FIREFOX = ":root, #browser, #navigator-toolbox { min-width: 0 !important; }"
"""A desktop's window is wider than a phone, for its tool bar's sake."""
Send = Callable[[str, dict[str, object]], Any]


def missing(engine: str) -> str | None:
    """The reason why *engine* cannot be driven here."""
    needed = {"webkit": ("WebKitWebDriver", "Xvfb"), "firefox": ("firefox-esr",)}[engine]
    absent = [each for each in needed if not shutil.which(each)]
    if engine == "webkit" and not MINI_BROWSER.exists():
        absent.append("MiniBrowser")
    return f"not installed: {', '.join(absent)}" if absent else None


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def connected(port: int) -> socket.socket:
    """A connection to what was just started there."""
    deadline = time.monotonic() + 60
    while True:
        try:
            found = socket.create_connection(("127.0.0.1", port))
        except OSError:
            assert time.monotonic() < deadline, f"nothing listens on port {port}"
            time.sleep(0.1)
        else:
            return found


@contextmanager
def process(*command: str, **variables: str) -> Iterator[None]:
    """A program and whatever it starts, ended together."""
    started = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env=os.environ | variables,
    )  # fmt: skip
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGTERM)
        try:
            started.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)


@contextmanager
def screen() -> Iterator[str]:
    """A screen that nobody sees, for browsers without a headless mode; its name."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1400x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as reader:
        name = f":{reader.readline().strip()}"
    try:
        yield name
    finally:
        server.terminate()
        server.wait()


def ask(method: str, address: str, given: dict[str, object] | None) -> Any:
    """WebDriver's answer, or an error in its words."""
    body = None if given is None else json.dumps(given).encode()
    request = urllib.request.Request(address, data=body, method=method)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return json.load(answer)["value"]
    except HTTPError as error:
        raise AssertionError(json.load(error)["value"]) from None


@contextmanager
def webkit() -> Iterator[Phone]:
    """WebKit in a window of its own, with its own cookies."""
    port = free_port()
    with TemporaryDirectory(ignore_cleanup_errors=True) as home, screen() as display, process(
        "WebKitWebDriver", f"--port={port}", DISPLAY=display, GDK_BACKEND="x11",
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1", LIBGL_ALWAYS_SOFTWARE="1",
        XDG_CONFIG_HOME=home,
    ):  # fmt: skip
        write(Path(home, "gtk-3.0", "gtk.css"), NARROW_GTK)
        connected(port).close()
        options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        wanted: dict[str, object] = {
            "capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        }
        site = f"http://127.0.0.1:{port}/session"
        session = f"{site}/{ask('POST', site, wanted)['sessionId']}"

        def send(command: str, given: dict[str, object]) -> Any:
            method, path, _ = COMMANDS[command]
            return ask(method, session + path, given if method == "POST" else None)

        try:
            yield Phone(send)
        finally:
            ask("DELETE", session, None)


@contextmanager
def firefox() -> Iterator[Phone]:
    """Firefox without a window, in a profile of its own."""
    port = free_port()
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        preferences = {
            "marionette.port": port,
            "dom.w3c_touch_events.enabled": 1,
            "datareporting.policy.dataSubmissionEnabled": False,
            "app.update.enabled": False,
            "toolkit.legacyUserProfileCustomizations.stylesheets": True,
        }
        write(Path(profile, "chrome", "userChrome.css"), NARROW_FIREFOX)
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in preferences.items()]
        write(Path(profile, "user.js"), "\n".join(lines))
        with process(
            "firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile,
            MOZ_HEADLESS_WIDTH="1400", MOZ_HEADLESS_HEIGHT="1400",
        ), connected(port) as wire, wire.makefile("rb") as stream:  # fmt: skip

            def read() -> Any:
                length = b""
                while (byte := stream.read(1)) != b":":
                    assert byte, "Firefox hung up"
                    length += byte
                return json.loads(stream.read(int(length)))

            def send(command: str, given: dict[str, object]) -> Any:
                name = COMMANDS[command][2] if command in COMMANDS else command
                message = json.dumps([0, 1, name, given]).encode()
                wire.sendall(b"%d:%s" % (len(message), message))
                _, _, error, result = read()
                assert error is None, error
                single = isinstance(result, dict) and result.keys() == {"value"}
                return result["value"] if single else result

            read()  # its greeting
            send("WebDriver:NewSession", {})
            yield Phone(send)


ENGINES: dict[str, Callable[[], Any]] = {"webkit": webkit, "firefox": firefox}

AT = """
const [selector, across, down] = arguments;
const element = document.readyState === "complete" && document.querySelector(selector);
if (!element || !element.getClientRects().length) return null;
const moving = document.getAnimations().some(({effect}) =>
  effect.getComputedTiming().endTime < Infinity && effect.target?.contains(element));
if (moving) return "moving";
element.scrollIntoView({block: "nearest"});
const box = element.getBoundingClientRect();
const at = [box.left + box.width * across, box.top + box.height * down].map(Math.round);
const hit = document.elementFromPoint(...at);
const label = hit && hit.closest("label");
const same = hit && (element.contains(hit) || hit.contains(element) || label?.control === element);
return same ? at : `covered by ${hit?.outerHTML.slice(0, 200)}`;
"""
FOUND = "return document.querySelector(arguments[0])?.outerHTML.slice(0, 1000)"
COMPLAINTS = """
if (!window.complaints) {
  window.complaints = [];
  addEventListener("error", (event) => complaints.push(event.message));
  addEventListener("unhandledrejection", (event) => complaints.push(String(event.reason)));
  addEventListener("securitypolicyviolation", (event) =>
    complaints.push(`${event.violatedDirective} ${event.blockedURI}`));
}
"""


class Phone:
    """One browser with one page, and a finger on it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.size(390, 844)

    def size(self, width: int, height: int) -> None:
        """Give the page that much room; the window is larger by its frame."""
        wide, high = width, height
        for _ in range(10):
            self._send("window", {"x": 0, "y": 0, "width": wide, "height": high})
            time.sleep(0.2)
            inner = self.script("return [innerWidth, innerHeight]")
            if inner == [width, height]:
                return
            wide, high = wide + width - inner[0], high + height - inner[1]
        raise AssertionError(f"{inner} instead of {width}x{height}")

    def script(self, source: str, *args: object) -> Any:
        """The return value of *source*, the body of a function."""
        return self._send("script", {"script": source, "args": list(args)})

    def go(self, address: str) -> None:
        self._send("go", {"url": address})
        self.script(COMPLAINTS)

    def wait(self, source: str, *args: object) -> Any:
        """The first value of *source* that is not nothing."""
        deadline = time.monotonic() + WAIT
        while not (found := self.script(source, *args)):
            assert time.monotonic() < deadline, (source, args, self.script(FOUND, *args))
            time.sleep(0.05)
        return found

    def sees(self, selector: str) -> None:
        """Wait until that is drawn."""
        self.wait("return document.querySelector(arguments[0])?.checkVisibility()", selector)

    def misses(self, selector: str) -> None:
        """Wait until that is no longer drawn."""
        self.wait("return !document.querySelector(arguments[0])?.checkVisibility()", selector)

    def shows(self, selector: str, text: str) -> None:
        """Wait until that text stands there."""
        found = "return document.querySelector(arguments[0])?.textContent.trim() === arguments[1]"
        self.wait(found, selector, text)

    def says(self, selector: str, words: str) -> None:
        """Wait until those words are part of what stands there."""
        found = "return document.querySelector(arguments[0])?.textContent.includes(arguments[1])"
        self.wait(found, selector, words)

    def tap(self, selector: str, across: float = 0.5, down: float = 0.5, hold: int = 40) -> None:
        """Put a pointer down there for so many milliseconds, once it stands still and is on top."""
        deadline, before = time.monotonic() + WAIT, None
        while not isinstance(at := self.script(AT, selector, across, down), list) or at != before:
            assert time.monotonic() < deadline, (selector, at)
            before = at
            time.sleep(0.05)
        moves = [
            {"type": "pointerMove", "duration": 0, "x": at[0], "y": at[1], "origin": "viewport"},
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": hold},
            {"type": "pointerUp", "button": 0},
        ]
        self._send("pointer", {"actions": [self._finger(moves)]})

    def _finger(self, moves: list[dict[str, object]]) -> dict[str, object]:
        kind = {"pointerType": "mouse"}
        return {"type": "pointer", "id": "finger", "parameters": kind, "actions": moves}

    def fill(self, selector: str, text: str) -> None:
        """Type *text* there, in place of what there was."""
        self.tap(selector)
        self.wait("return document.activeElement?.matches(arguments[0])", selector)
        self.script("document.activeElement.select()")
        keys = [{"type": kind, "value": each} for each in text for kind in ("keyDown", "keyUp")]
        self._send("pointer", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._send("picture", {"full": False})))

    def complaints(self) -> list[str]:
        found: list[str] = self.script("return window.complaints ?? []")
        return found
