"""Names that are shown to somebody must not be blank (wire reference, sections 4.4, 5.2, 5.4 and 10.2)."""

from typing import Any

import pytest

from tests.service.api_helpers import QUESTION, TASK_DETAILS, JsonDict, Researcher

INVISIBLE = "\u200b \u2060\ufeff\u00ad\u3164"
"""A text that is not empty and shows nothing: zero-width characters, a soft hyphen and an empty letter."""

BLANK = ["", " ", "\t\n", *INVISIBLE.replace(" ", ""), INVISIBLE]
EMPTY_DETAILS: dict[str, Any] = {
    "no keys": {},
    "empty texts": dict.fromkeys(TASK_DETAILS, ""),
    "blank task name": {**TASK_DETAILS, "task_name": " "},
    "invisible task name": {**TASK_DETAILS, "task_name": INVISIBLE},
}


def _bodies(researcher: Researcher) -> dict[str, JsonDict]:
    """A valid body for each request that has a name."""
    batch, collection = researcher.batch()["id"], researcher.collection({**QUESTION, "order": 0})["id"]
    workspace = {"workspace_id": researcher.workspace}
    study = {"name": "Study", "task_details": TASK_DETAILS}
    items = {"collection_items": [{"page_items": [{**QUESTION, "order": 0}]}]}
    return {
        "POST /datasets": {**workspace, "name": "Data"},
        "POST /batches": {**workspace, **study},
        f"PATCH /batches/{batch}": study,
        f"POST /batches/{batch}/duplicate": {"name": "Copy"},
        "POST /collections": {**workspace, **study, **items},
        f"PUT /collections/{collection}": {**study, **items},
    }


@pytest.mark.parametrize("name", BLANK)
def test_a_blank_name_is_rejected(researcher: Researcher, name: str) -> None:
    for call, body in _bodies(researcher).items():
        method, path = call.split()
        rejected = researcher.request(method, path, {**body, "name": name}, 400)
        assert rejected["error"]["detail"] == {"name": ["This must not be empty."]}, call
        assert researcher.status_of(method, path, body) in (200, 201), call


@pytest.mark.parametrize("details", EMPTY_DETAILS.values(), ids=EMPTY_DETAILS)
def test_empty_task_details_are_rejected(researcher: Researcher, details: JsonDict) -> None:
    for call, body in _bodies(researcher).items():
        if "task_details" in body:
            method, path = call.split()
            rejected = researcher.request(method, path, {**body, "task_details": details}, 400)
            (messages,) = rejected["error"]["detail"].values()
            assert messages[0].startswith("task_name: "), call


def test_a_rejected_name_changes_nothing(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    before = researcher.get_batch(batch)
    researcher.request("PATCH", f"/batches/{batch}", {"name": "", "auto_sync_enabled": True}, 400)
    assert researcher.get_batch(batch) == before
