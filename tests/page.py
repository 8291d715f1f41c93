"""A page as a browser holds it: a tree in which frames swap elements by id, as htmx does."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset({"input", "br", "meta", "link", "img", "use"})
SWAP = "hx-swap-oob"


class Node:
    """An element with its attributes and children (elements and texts)."""

    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag, self.attributes = tag, attributes
        self.children: list[Node | str] = []

    def find(self, id: str) -> tuple[Node, int] | None:
        """The parent of the element with that id, and its index there."""
        for place, child in enumerate(self.children):
            if isinstance(child, Node):
                if child.attributes.get("id") == id:
                    return self, place
                if found := child.find(id):
                    return found
        return None

    def apply(self, frame: str) -> None:
        """Swap each fragment of *frame* for the element with its id."""
        for fragment in parsed(frame).children:
            assert isinstance(fragment, Node), f"text beside the fragments: {fragment!r}"
            how = fragment.attributes.pop(SWAP, None)
            assert how is not None, f"{fragment.attributes} would not be swapped"
            found = self.find(str(fragment.attributes["id"]))
            if found is None:
                continue
            parent, place = found
            parent.children[place : place + 1] = [] if how == "delete" else [fragment]

    def __str__(self) -> str:
        attributes = "".join(f" {key}={value!r}" for key, value in sorted(self.attributes.items()))
        inside = "".join(str(child) for child in self.children)
        return f"<{self.tag}{attributes}>{inside}</{self.tag}>\n"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("page", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            closed = self.open.pop()
            assert closed.tag == tag, f"</{tag}> closes <{closed.tag}>"

    def handle_data(self, data: str) -> None:
        if text := data.strip():
            self.open[-1].children.append(text)


def parsed(html: str) -> Node:
    """The tree of *html*. Raises AssertionError if its tags do not match."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].tag}> is not closed"
    return reader.open[0]
