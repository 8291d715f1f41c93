"""A person with a browser, as far as a server can tell: cookies, forms, and a phone's name."""

from __future__ import annotations

import re
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener


class Person:
    """Someone at a running site, such as "http://localhost:8000"."""

    def __init__(self, site: str) -> None:
        self.site = site
        self._jar = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._jar))

    def get(self, path: str) -> tuple[str, str]:
        """The final address of a link, and its page."""
        return self._open(Request(self.site + path, headers={"User-Agent": "Mozilla/5.0 (Mobi)"}))

    def post(self, path: str, **fields: str) -> tuple[str, str]:
        """The same for a form that is sent off."""
        token = next(each.value or "" for each in self._jar if each.name.endswith("csrftoken"))
        data = urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        headers = {"User-Agent": "Mozilla/5.0 (Mobi)", "Referer": self.site}
        return self._open(Request(self.site + path, data, headers))

    def begins(self, rules: str) -> str:
        """Begin a game and sit down; returns its slug."""
        self.get("/new")
        address, _page = self.post("/new", rules=rules, seats="2")
        found = re.search(r"/g/(\w+)/", address)
        assert found, address
        return found[1]

    def token(self, slug: str) -> str:
        """Let a program in for one's seat; returns its token."""
        self.get(f"/g/{slug}/programs")
        _address, page = self.post(f"/g/{slug}/programs", name="Pedal")
        found = re.search(r"<code>(csp_\w+)</code>", page)
        assert found, page
        return found[1]

    def _open(self, request: Request) -> tuple[str, str]:
        with self._opener.open(request, timeout=20) as answer:
            return answer.url, answer.read().decode()
