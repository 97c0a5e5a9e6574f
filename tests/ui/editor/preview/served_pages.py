"""The content of a participant page, parsed from its HTML, for comparison with the preview."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
SILENT = frozenset({"script", "style", "option", "select", "textarea"})


@dataclass
class Node:
    """An HTML element."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    inside: "list[Node | str]" = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """The CSS classes."""
        return self.attributes.get("class", "").split()

    @property
    def nodes(self) -> "list[Node]":
        """The child elements."""
        return [node for node in self.inside if isinstance(node, Node)]

    def walk(self) -> "Iterator[Node]":
        """Yield this element and all its descendants."""
        yield self
        for node in self.nodes:
            yield from node.walk()

    def all(self, tag: str = "", name: str = "") -> "list[Node]":
        """All descendants with a tag, and optionally a CSS class."""
        return [
            node
            for node in self.walk()
            if (not tag or node.tag == tag) and (not name or name in node.classes)
        ]

    def visible_text(self) -> str:
        """The text with normalized white space."""
        return plain(self._text())

    def _text(self) -> str:
        return "".join(node if isinstance(node, str) else node._text() for node in self.inside)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].inside.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        while len(self._open) > 1 and self._open.pop().tag != tag:
            pass

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)


def plain(text: str) -> str:
    """A text with normalized white space."""
    return re.sub(r"\s+", " ", text).strip()


def page_of(html: str) -> Node:
    """Parse a page."""
    reader = _Reader()
    reader.feed(html)
    return reader.root


def rows_of(page: Node) -> list[Node]:
    """The rows of the layout."""
    return page.all("div", "row")


def columns_of(row: Node) -> list[Node]:
    """The columns of a row."""
    return [node for node in row.nodes if "column" in node.classes]


def block_of(node: Node) -> list[str]:
    """The texts and controls of a block in order; controls by their type."""
    return [text for text in _texts(node) if text]


def _texts(node: Node) -> Iterator[str]:
    if "fault" in node.classes:
        return
    match node.tag:
        case "img":
            yield from (node.attributes["alt"], node.attributes["src"])
        case "audio" | "video":
            yield node.attributes["src"]
        case "input":
            yield _input(node)
        case "textarea":
            yield f"<area {node.attributes['placeholder']}>"
        case "select":
            yield "<menu>"
            yield from (option.visible_text() for option in node.all("option"))
        case "p" | "legend" | "figcaption" | "a":
            yield node.visible_text()
        case "span":
            yield node.visible_text() if "of" not in node.classes else ""
        case "label" if not node.nodes or "of" in node.nodes[0].classes:
            yield node.visible_text()
        case _ if {"rich", "text"} & set(node.classes):
            yield node.visible_text()
        case _:
            for entry in node.nodes:
                yield from _texts(entry)


def _input(node: Node) -> str:
    match node.attributes["type"]:
        case "radio":
            return "<one>"
        case "checkbox":
            return "<many>"
        case "file":
            return "<files>" if "multiple" in node.attributes else "<file>"
        case "hidden":
            return ""
    return f"<line {node.attributes['placeholder']}>"
