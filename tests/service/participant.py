"""A participant who answers a task group over HTTP as a browser would, with answers that the test supplies."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from tests.service.trust import TRUST

FILE = ("notes, first.png", b"\x89PNG picture", "image/png")
"""The file uploaded to every file question."""

Fields = Mapping[str, list[str]]
Answering = Callable[[int, Mapping[str, Any]], Fields]
"""Maps the index of an instruction on its page, and the instruction, to form fields."""

_PAGE_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


def same_text(place: int, _instruction: Mapping[str, Any]) -> Fields:
    """The same text for every free-text question."""
    return {f"i{place}": ["Fine"]}


def _ignore(_page: str) -> None:
    """Do nothing with the page."""


def take_part(
    link: str,
    participant: str,
    answering: Answering = same_text,
    on_page: Callable[[str], object] = _ignore,
) -> str:
    """Answer one task group, passing the HTML of each page to `on_page`; returns the id of the submission."""
    with httpx.Client(follow_redirects=True, trust_env=False, timeout=60, verify=TRUST) as browser:
        query = httpx.URL(link).params
        start = str(httpx.URL(link).copy_with(query=None)) + "/start"
        shown = _post(browser, start, {"key": [query["key"]], "participant": [participant]}, {})
        submission = str(shown.url.path.rpartition("/")[2])
        while (data := _page_data(shown)) is not None:
            on_page(shown.text)
            fields: dict[str, list[str]] = {"step": [str(data["step"])]}
            files: dict[str, tuple[str, bytes, str]] = {}
            for place, instruction in enumerate(data["instructions"]):
                if instruction["type"] == "file_upload":
                    files[f"i{place}"] = FILE
                else:
                    fields |= answering(place, instruction)
            shown = _post(browser, str(shown.url), fields, files)
        assert 'data-state="finished"' in shown.text, shown.text
        return submission


def _page_data(shown: httpx.Response) -> Any:
    assert shown.status_code == 200, shown.text
    match = _PAGE_DATA.search(shown.text)
    return None if match is None else json.loads(match[1])


def _post(
    browser: httpx.Client, url: str, fields: Fields, files: Mapping[str, tuple[str, bytes, str]]
) -> httpx.Response:
    """Post a form as a browser does: multipart, with or without files."""
    fields_and_files: list[tuple[str, Any]] = [
        (name, (None, value)) for name, values in fields.items() for value in values
    ]
    return browser.post(url, files=[*fields_and_files, *files.items()])
