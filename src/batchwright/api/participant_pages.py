"""Parses participant pages: their state, their data, and messages about rejected answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from batchwright.base.json_values import InvalidJson, Json, parse


@dataclass(frozen=True)
class ParticipantPage:
    """The machine-readable content of a participant page.

    `state` is `<main data-state>`, `data` the JSON of `<script id="page-data">`, `problems` the messages
    about rejected answers.
    """

    state: str = ""
    data: Json = None
    problems: tuple[str, ...] = ()


def read_page(html: str) -> ParticipantPage:
    """Parse a participant page; the result is empty if it is not one."""
    reader = _Reader()
    try:
        reader.feed(html)
        reader.close()
    except AssertionError:  # Python's parser raises this for declarations that it does not know
        return ParticipantPage()
    try:
        data = parse("".join(reader.data)) if reader.data else None
    except InvalidJson:
        data = None
    return ParticipantPage(reader.state, data, tuple("".join(error).strip() for error in reader.problems))


class _Reader(HTMLParser):
    """Collects the text of the elements that are parsed."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ""
        self.data: list[str] = []
        self.problems: list[list[str]] = []
        self._text: list[str] | None = None
        self._is_in_problems = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "main":
            self.state = attributes.get("data-state") or ""
        elif tag == "script" and attributes.get("id") == "page-data":
            self._text = self.data
        elif attributes.get("id") == "faults":
            self._is_in_problems = True
        elif tag == "form":
            self._is_in_problems = False
        elif tag == "li" and self._is_in_problems:
            self.problems.append([])
            self._text = self.problems[-1]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "li"):
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)
