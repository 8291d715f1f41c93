"""The door of a site in a tab: requests and sockets come as calls, answers leave through `say`."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Coroutine, Iterable
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from games.store import threads

from .one_thread import Inline, Loop, running

Say = Callable[[Any, str, str, bytes], object]
"""Called with a number, what it is about, facts as JSON, and bytes."""
Pairs = Iterable[tuple[str, str]]
JARS, SECRET = "cookies.json", "secret-key"


class Jars:
    """The cookies of each tab, by its name; kept in a file. Answers of a worker can set none."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._jars: dict[str, dict[str, str]] = json.loads(read(file) or "{}")

    def header(self, jar: str) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._jars.get(jar, {}).items())

    def take(self, jar: str, said: str) -> None:
        """Keep what a Set-Cookie header says."""
        cookies = self._jars.setdefault(jar, {})
        before = dict(cookies)
        for name, morsel in SimpleCookie(said).items():
            cookies[name] = morsel.coded_value
            if morsel["max-age"] in (0, "0"):
                del cookies[name]
        if cookies != before:
            self._file.write_text(json.dumps(self._jars))


class Host:
    """The ASGI application, with a loop that turns while there is something to do."""

    def __init__(self, application: Any, loop: Loop, jars: Jars, origin: str, say: Say) -> None:
        self._application, self._loop, self._jars = application, loop, jars
        self._origin, self._say = urlsplit(origin), say
        self._inbox: dict[Any, Any] = {}
        self._tasks: set[Any] = set()

    def request(
        self, number: Any, jar: str, method: str, target: str, headers: Pairs, body: bytes
    ) -> float | None:
        """Answer a request; the seconds until the loop is to be turned again, None for never."""
        scope = {**self._scope("http", jar, target, headers), "method": method}
        answer: dict[str, Any] = {}
        inbox = [{"type": "http.request", "body": bytes(body)}]

        async def receive() -> Any:
            return inbox.pop() if inbox else await self._loop.create_future()

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.update(message)
                return
            shown = []
            for name, value in answer["headers"]:
                if name.lower() == b"set-cookie":
                    self._jars.take(jar, value.decode("latin1"))
                else:
                    shown.append((name.decode(), value.decode("latin1")))
            facts = json.dumps({"status": answer["status"], "headers": shown})
            self._say(number, "answer", facts, message["body"])

        return self._serve(scope, receive, send)

    def connect(self, number: Any, jar: str, target: str, headers: Pairs) -> float | None:
        """Open a websocket."""
        scope = {**self._scope("websocket", jar, target, headers), "subprotocols": []}
        waiting: list[dict[str, Any]] = [{"type": "websocket.connect"}]
        bell: list[Any] = []

        async def receive() -> Any:
            while not waiting:
                bell.append(self._loop.create_future())
                await bell[-1]
            return waiting.pop(0)

        def put(message: dict[str, Any]) -> None:
            waiting.append(message)
            while bell:
                bell.pop().set_result(None)

        async def send(message: dict[str, Any]) -> None:
            kind = message["type"].removeprefix("websocket.")
            if kind == "close":
                self._inbox.pop(number, None)
            facts = {"code": message.get("code", 1000), "reason": message.get("reason") or ""}
            facts["text"] = message.get("text") or ""
            self._say(number, kind, json.dumps(facts), b"")

        self._inbox[number] = put
        return self._serve(scope, receive, send)

    def receive(self, number: Any, text: str) -> float | None:
        """A websocket's message."""
        return self._put(number, {"type": "websocket.receive", "text": text})

    def close(self, number: Any, code: int) -> float | None:
        """A websocket was closed by its page, or went with it."""
        seconds = self._put(number, {"type": "websocket.disconnect", "code": code})
        self._inbox.pop(number, None)
        return seconds

    def turn(self) -> float | None:
        return self._loop.turn()

    def _put(self, number: Any, message: dict[str, Any]) -> float | None:
        if put := self._inbox.get(number):
            self._loop.call_soon(put, message)
        return self._loop.turn()

    def _serve(self, scope: dict[str, Any], receive: Any, send: Any) -> float | None:
        work: Coroutine[Any, Any, None] = self._application(scope, receive, send)
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return self._loop.turn()

    def _scope(self, kind: str, jar: str, target: str, headers: Pairs) -> dict[str, Any]:
        url, here = urlsplit(target), self._origin
        given = [*headers, ("host", here.netloc)]
        if kind == "websocket":  # a page can open none of another site's
            given.append(("origin", f"{here.scheme}://{here.netloc}"))
        root, path = here.path.rstrip("/"), unquote(url.path)
        if kind == "http":
            path = root + path
        return {
            "type": kind,
            "http_version": "1.1",
            "scheme": here.scheme if kind == "http" else here.scheme.replace("http", "ws"),
            "path": path,
            "raw_path": url.path.encode(),
            "root_path": root if kind == "http" else "",
            "query_string": url.query.encode(),
            "headers": [
                (name.lower().encode(), value.encode("latin1", "replace"))
                for name, value in [*given, ("cookie", self._jars.header(jar))]
            ],
            "client": ("127.0.0.1", 1),
            "server": (here.hostname, here.port or 80),
        }


def read(file: Path) -> str:
    """The text of *file*; "" if it is not there."""
    return file.read_text() if file.is_file() else ""


def start(origin: str, data: str, say: Say) -> Host:
    """Start the site at *origin* (with the folder it stands in) on the games in the folder *data*.

    It must be the first to import anything of the site.
    """
    loop = Loop()
    threads.pool, threads.ask, threads.busy = Inline, loop.ask, loop.time
    folder, here, zone = Path(data), urlsplit(origin), os.environ.get("TZ", "UTC")
    if not read(folder / SECRET):
        (folder / SECRET).write_text(secrets.token_urlsafe(48))
    os.environ |= {
        "COUNTERSITE_DATA": data,
        "COUNTERSITE_HOSTS": here.netloc,
        "DJANGO_SETTINGS_MODULE": "countersite.settings",
    }
    with running(None):  # a browser's Python has a loop of its own
        application = loaded(here, folder, zone)
    loop.run_until_complete(begun())
    return Host(application, loop, Jars(folder / JARS), origin, say)


def loaded(here: SplitResult, folder: Path, zone: str) -> Any:
    """The ASGI application, on a database that is up to date."""
    from django.conf import settings
    from django.urls import set_script_prefix

    settings.X_FRAME_OPTIONS = "SAMEORIGIN"  # for the page that keeps this server
    settings.SESSION_COOKIE_SECURE = here.scheme == "https"
    settings.TIME_ZONE, settings.WHITENOISE_STATIC_PREFIX = zone, "/static/"
    settings.LAN_NAMES, settings.LAN_ADDRESSES = [str(here.hostname)], []  # no phone reaches it
    set_script_prefix(f"{here.path.rstrip('/')}/")
    from countersite import __version__
    from countersite.asgi import application

    if read(folder / "release") != __version__:
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        (folder / "release").write_text(__version__)
    return application


async def begun() -> None:
    from games.live.table_registry import registry

    registry.begin()
