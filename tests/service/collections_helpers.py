"""Collections for tests: their items, and participants who answer them."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.service.accounts import ANN
from tests.service.api_helpers import JsonDict, Researcher
from tests.service.participate.study_store import Participant

SURVEYS = "c" * 24
HER = {**ANN, "workspaces": [SURVEYS]}
"""A researcher with a workspace that no other test writes to."""

UNKNOWN = "0193a7c0-0031-7031-8a1b-4c5d6e7f0031"
TEXT = {"type": "rich_text", "content": "<p>Hello</p>"}
PICTURE = {"type": "image", "url": "https://img.example.net/1.png", "alt_text": "A kitchen"}
WHY: JsonDict = {"type": "free_text", "description": "Why?", "order": 0}
CHOICE: JsonDict = {
    "type": "multiple_choice",
    "description": "Which?",
    "order": 1,
    "answer_limit": 1,
    "options": [{"label": "Gas", "value": "gas"}, {"label": "None", "value": False}],
}
FILE: JsonDict = {"type": "file_upload", "description": "Show", "order": 2, "accepted_file_types": [".png"]}
UNIT: JsonDict = {
    "type": "free_text_with_unit",
    "description": "How long?",
    "order": 3,
    "unit_options": [{"label": "min", "value": "m"}],
    "unit_position": "suffix",
}
EXPLAINED: JsonDict = {
    "type": "multiple_choice_with_free_text",
    "description": "How is it?",
    "order": 4,
    "answer_limit": 1,
    "options": [{"label": "Good", "value": 1, "heading": "What is good?"}],
}


def entries(collection: JsonDict) -> Iterator[JsonDict]:
    """Every page and item."""
    for page in collection["collection_items"]:
        yield page
        yield from page["page_items"]


def items_of(collection: JsonDict) -> list[JsonDict]:
    """The items of the first page."""
    items: list[JsonDict] = collection["collection_items"][0]["page_items"]
    return items


def as_sent(collection: JsonDict, **more: Any) -> JsonDict:
    """A collection as a PUT sends it back, with the fields that the service added."""
    return {**deepcopy(collection), **more}


def link_of(researcher: Researcher, collection: JsonDict) -> str:
    """The participation link of a collection."""
    path = f"/local/v1/collections/{collection['id']}/participation"
    return str(researcher.request("GET", path, status=200)["url"])


def named(link: str, number: int) -> Participant:
    """A participant identified by a number."""
    return Participant(f"{link}&participant={number:024x}")
