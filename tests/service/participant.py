"""A participant who answers a task group over HTTP as a browser would, with answers from the test."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from tests.service.trust import TRUST

FILE = ("notes, first.png", b"\x89PNG picture", "image/png")
"""The file uploaded to every file question, unless a test says which."""

Fields = Mapping[str, list[str]]
Answering = Callable[[int, Mapping[str, Any]], Fields]
"""Maps the index of an instruction on its page, and the instruction, to form fields."""

_PAGE_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


def same_text(position: int, _instruction: Mapping[str, Any]) -> Fields:
    """The same text for every free-text question."""
    return {f"i{position}": ["Fine"]}


def _ignore(_page: str) -> None:
    """Do nothing with the page."""


class Participation:
    """A participant in one task group, who sees one page at a time."""

    def __init__(self, browser: httpx.Client, link: str, participant: str) -> None:
        self._browser = browser
        query = httpx.URL(link).params
        start = str(httpx.URL(link).copy_with(query=None)) + "/start"
        self.shown = _post(browser, start, {"key": [query["key"]], "participant": [participant]}, {})
        """The page that is shown."""
        self.submission = str(self.shown.url.path.rpartition("/")[2])

    @property
    def data(self) -> Any:
        """What the page shows; None for one without questions."""
        return _page_data(self.shown)

    def answer(self, answering: Answering = same_text, file: tuple[str, bytes, str] = FILE) -> None:
        """Answer the questions of the page that is shown."""
        fields: dict[str, list[str]] = {name: [str(self.data[name])] for name in ("step", "page")}
        files: dict[str, tuple[str, bytes, str]] = {}
        for position, instruction in enumerate(self.data["instructions"]):
            if instruction["type"] == "file_upload":
                files[f"i{position}"] = file
            else:
                fields |= answering(position, instruction)
        self.shown = _post(self._browser, str(self.shown.url.copy_with(query=None)), fields, files)

    def go_to(self, step: int) -> None:
        """Show an earlier page again, as its Back buttons do."""
        self.shown = self._browser.get(self.shown.url.copy_with(params={"step": str(step)}))


@contextmanager
def participation(link: str, participant: str) -> Iterator[Participation]:
    """A participant who starts a task group."""
    with httpx.Client(follow_redirects=True, trust_env=False, timeout=60, verify=TRUST) as browser:
        yield Participation(browser, link, participant)


def answer_task_group(
    link: str,
    participant: str,
    answering: Answering = same_text,
    on_page: Callable[[str], object] = _ignore,
) -> str:
    """Answer one task group, passing the HTML of each page to `on_page`; returns the id of the submission."""
    with participation(link, participant) as taken:
        while taken.data is not None:
            on_page(taken.shown.text)
            taken.answer(answering)
        assert 'data-state="finished"' in taken.shown.text, taken.shown.text
        return taken.submission


def _page_data(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    match = _PAGE_DATA.search(response.text)
    return None if match is None else json.loads(match[1])


def _post(
    browser: httpx.Client, url: str, fields: Fields, files: Mapping[str, tuple[str, bytes, str]]
) -> httpx.Response:
    """Post a form as a browser does: multipart, with or without files."""
    fields_and_files: list[tuple[str, Any]] = [
        (name, (None, value)) for name, values in fields.items() for value in values
    ]
    return browser.post(url, files=[*fields_and_files, *files.items()])
