"""A participant who answers a task group over HTTP as a browser would, with answers from the test."""

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


def same_text(position: int, _instruction: Mapping[str, Any]) -> Fields:
    """The same text for every free-text question."""
    return {f"i{position}": ["Fine"]}


def _ignore(_page: str) -> None:
    """Do nothing with the page."""


def answer_task_group(
    link: str,
    participant: str,
    answering: Answering = same_text,
    on_page: Callable[[str], object] = _ignore,
) -> str:
    """Answer one task group, passing the HTML of each page to `on_page`; returns the id of the submission."""
    with httpx.Client(follow_redirects=True, trust_env=False, timeout=60, verify=TRUST) as browser:
        query = httpx.URL(link).params
        start = str(httpx.URL(link).copy_with(query=None)) + "/start"
        response = _post(browser, start, {"key": [query["key"]], "participant": [participant]}, {})
        submission = str(response.url.path.rpartition("/")[2])
        while (data := _page_data(response)) is not None:
            on_page(response.text)
            fields: dict[str, list[str]] = {"step": [str(data["step"])]}
            files: dict[str, tuple[str, bytes, str]] = {}
            for position, instruction in enumerate(data["instructions"]):
                if instruction["type"] == "file_upload":
                    files[f"i{position}"] = FILE
                else:
                    fields |= answering(position, instruction)
            response = _post(browser, str(response.url), fields, files)
        assert 'data-state="finished"' in response.text, response.text
        return submission


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
