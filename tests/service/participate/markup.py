"""Parses HTML of participant pages strictly: properly nested, with void elements closed by themselves."""

from html.parser import HTMLParser
from xml.etree.ElementTree import Element, SubElement

_VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("document")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = SubElement(self._open[-1], tag, {name: value or "" for name, value in attrs})
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        SubElement(self._open[-1], tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> ends <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        inner = self._open[-1]
        if len(inner):
            inner[-1].tail = (inner[-1].tail or "") + data
        else:
            inner.text = (inner.text or "") + data


def read_html(text: str) -> Element:
    """The element tree of a page.

    Raises:
        AssertionError: an element is not closed where it should be.
    """
    builder = _Builder()
    builder.feed(text)
    builder.close()
    return builder.root


def text_of(element: Element) -> str:
    """The text of an element, with whitespace collapsed."""
    return " ".join("".join(element.itertext()).split())
