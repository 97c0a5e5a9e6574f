"""A participant who goes through a task group as a browser would, with answers made up by the test."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from tests.service.trust import TRUST

FILE = ("notes, first.png", b"\x89PNG picture", "image/png")
"""What everybody sends who is asked for a file."""

Fields = Mapping[str, list[str]]
Answering = Callable[[int, Mapping[str, Any]], Fields]
"""From the place of an instruction on its page, and the instruction, to the fields of the form."""

_PAGE_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


def some_text(place: int, _instruction: Mapping[str, Any]) -> Fields:
    """The same words to every free-text question."""
    return {f"i{place}": ["Fine"]}


def _nobody(_page: str) -> None:
    """Who looks at no page."""


def take_part(
    link: str,
    participant: str,
    answering: Answering = some_text,
    watching: Callable[[str], object] = _nobody,
) -> str:
    """Answer one task group from its start to its end, and let somebody watch; the id of the submission."""
    with httpx.Client(follow_redirects=True, trust_env=False, timeout=60, verify=TRUST) as browser:
        query = httpx.URL(link).params
        start = str(httpx.URL(link).copy_with(query=None)) + "/start"
        shown = _post(browser, start, {"key": [query["key"]], "participant": [participant]}, {})
        submission = str(shown.url.path.rpartition("/")[2])
        while (data := _page_data(shown)) is not None:
            watching(shown.text)
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
    found = _PAGE_DATA.search(shown.text)
    return None if found is None else json.loads(found[1])


def _post(
    browser: httpx.Client, url: str, fields: Fields, files: Mapping[str, tuple[str, bytes, str]]
) -> httpx.Response:
    """A form as a browser posts it: multipart, whether or not there are files."""
    parts: list[tuple[str, Any]] = [
        (name, (None, value)) for name, values in fields.items() for value in values
    ]
    return browser.post(url, files=[*parts, *files.items()])
