"""A page as a browser holds it: a tree in which frames swap elements by id, as htmx does."""

from __future__ import annotations

from collections.abc import Iterator
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
        self.follow()

    def follow(self) -> None:
        """Do what `numbers.js` does after a frame: copies repeat their number; zeros are faint; and
        what `looks.js` does: pictures follow theirs."""
        numbers = {
            str(node.attributes["id"]): node.text
            for node in self.all()
            if node.tag in ("b", "span") and "id" in node.attributes
        }
        for node in self.all():
            of = node.attributes.get("data-of")
            if of in numbers:
                node.children = [numbers[str(of)]]
        for node in self.all():
            number = next(
                (
                    each
                    for each in node.children
                    if isinstance(each, Node)
                    and each.tag == "b"
                    and {"id", "data-of"} & each.attributes.keys()
                ),
                None,
            )
            names = (node.attributes.get("class") or "").split()
            if number and (node.tag == "li" or {"bit", "overview-number"} & {*names}):
                node.mark("is-zero", number.text == "0")
        for node in self.all():
            if node.tag == "li" or "cell-top" in (node.attributes.get("class") or ""):
                node.redraw()

    def redraw(self) -> None:
        """Draw the picture in this element for the number in it."""
        inside = [*self.all()]
        counted = [each for each in inside if {"id", "data-of"} & each.attributes.keys()]
        for picture in (each for each in inside if each.tag == "svg"):
            how = (picture.attributes.get("class") or "").split()
            if "look" not in how:
                continue
            least, most = (int(picture.attributes[f"data-{end}"] or 0) for end in ("least", "most"))
            text = next(each.text for each in counted if each.tag == "b").replace("−", "-")
            n = max(least, min(int(text), most))
            on = next(each for each in picture.all() if each.attributes.get("class") == "on")
            if "is-clock" in how:
                on.attributes["stroke-dasharray"] = f"{n - least} {most - least}"
                continue
            first, last, parts = 0, n - least, most - least
            if "is-track" in how:
                first, last = (1 - least, n + 1 - least) if n > 0 else (n - least, -least)
                parts += 1
            on.attributes["x1"] = f"{100 * first / parts:.2f}"
            on.attributes["x2"] = f"{100 * last / parts:.2f}"
            on.attributes["pathlength"] = str(last - first)

    def all(self) -> Iterator[Node]:
        """This element and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [child for child in reversed(node.children) if isinstance(child, Node)]

    @property
    def text(self) -> str:
        return "".join(child for child in self.children if isinstance(child, str))

    def mark(self, name: str, on: bool) -> None:
        """Give this element the class, or take it away."""
        names = [each for each in (self.attributes.get("class") or "").split() if each != name]
        self.attributes["class"] = " ".join([*names, *([name] if on else [])])
        if not self.attributes["class"]:
            del self.attributes["class"]

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
    page = reader.open[0]
    page.follow()
    return page
