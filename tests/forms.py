"""The forms of a page, and what a browser would send with each: read from the page itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

BOUNDARY = "between-two-fields"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
UNSENT = frozenset({"submit", "button", "reset", "image"})
TYPED = frozenset({"text", "search", "textarea", "url", ""})
"""The kinds of fields into which a person can type any text."""


def multipart(**fields: str) -> bytes:
    """The body of a form with these fields that is sent as `MULTIPART`, as one with a file is."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return f"{''.join(parts)}--{BOUNDARY}--\r\n".encode()


@dataclass(slots=True)
class Field:
    """One field: its kind (the type of an input, "textarea", "select", "submit"), name and value.

    most: the most characters that it takes; None if it takes any number.
    """

    kind: str
    name: str
    value: str
    most: int | None = None
    checked: bool = False
    options: tuple[str, ...] = ()

    @property
    def typed(self) -> bool:
        """True if a person types its text."""
        return self.kind in TYPED


@dataclass(slots=True)
class Form:
    """One form: where it goes, how, and its fields. A button that sends is a field, too."""

    action: str
    method: str
    fields: list[Field]

    def filled(self) -> list[tuple[str, str]]:
        """The form's data as it stands, without a button."""
        return [
            (each.name, each.value)
            for each in self.fields
            if each.name
            and each.kind not in UNSENT
            and (each.checked or each.kind not in ("checkbox", "radio"))
        ]

    def buttons(self) -> list[tuple[str, str]]:
        """The data of each of its buttons."""
        return [(each.name, each.value) for each in self.fields if each.kind == "submit"]


class _Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.found: dict[str, Form] = {}
        self.open: list[str] = []
        self.chosen: Field | None = None
        self.loose: list[tuple[str, Field]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {key: value or "" for key, value in attrs}
        if tag == "form":
            action = has.get("action") or has.get("hx-post") or has.get("hx-get") or self.page
            method = (
                "get"
                if "hx-get" in has
                else has.get("method", "post" if "hx-post" in has else "get")
            )
            self.open.append(has.get("id") or f"#{len(self.found)}")
            self.found[self.open[-1]] = Form(action, method.lower(), [])
        elif tag in ("input", "textarea", "select", "button"):
            self._field(tag, has)
        elif tag == "option" and self.chosen is not None:
            value = has.get("value", "")
            self.chosen.options += (value,)
            if "selected" in has or not self.chosen.value:
                self.chosen.value = value

    def _field(self, tag: str, has: dict[str, str]) -> None:
        kind = has.get("type", "submit" if tag == "button" else "") if tag != "select" else tag
        most = has.get("maxlength", "")
        field = Field(
            "textarea" if tag == "textarea" else kind,
            has.get("name", ""),
            has.get("value", "on" if kind in ("checkbox", "radio") else ""),
            int(most) if most.isdigit() else None,
            "checked" in has,
        )
        if tag in ("textarea", "select"):
            self.chosen = field
        if "form" in has:
            self.loose.append((has["form"], field))
        elif self.open:
            self.found[self.open[-1]].fields.append(field)

    def handle_data(self, data: str) -> None:
        if self.chosen is not None and self.chosen.kind == "textarea":
            self.chosen.value += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self.open:
            self.open.pop()
        elif tag in ("textarea", "select"):
            self.chosen = None


def forms(html: str, page: str) -> Iterator[Form]:
    """The forms in *html*; those without an action go to *page*."""
    reader = _Reader(page)
    reader.feed(html)
    for name, field in reader.loose:
        if name in reader.found:
            reader.found[name].fields.append(field)
    yield from reader.found.values()
