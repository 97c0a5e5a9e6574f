"""Invalid request bodies: each value of a valid body in turn is removed or replaced by another value."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import httpx
import pytest

from tests.service.api_helpers import TASK_DETAILS, JsonDict, Researcher, page
from tests.service.collections_helpers import CHOICE, EXPLAINED, FILE, PICTURE, TEXT, UNIT, WHY
from tests.service.openapi_checks import headers_of, matches_document, target
from tests.service.test_feature_access import DATA, body_of, owned_resources

ValuePath = tuple[str | int, ...]

INVALID_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    -0.0,
    1e308,
    10**400,
    "",
    " ",
    "\0",
    "\ud800",
    "x" * 70_000,
    "../../etc/passwd",
    "http://[::1",
    "javascript:alert(1)",
    [],
    [None],
    [[[]]],
    {},
    {"": None},
    {"id": "x", "type": "free_text"},
    ["a", 1, {}],
]
"""Values that no field expects."""

REMOVED: Any = object()
"""Stands for a removed value."""

FIELDS: JsonDict = {
    "strict": False,
    "fields": {
        "prompt": {"type": "text", "label": "Prompt"},
        "photo": {"type": "image_url"},
        "bundle": {"type": "task_group_id"},
    },
}
LENGTHS = {"type": "string", "min": 1, "max": 90}
LIMITS = {"max_file_size_mb": 1.5, "min_file_count": 1, "max_file_count": 2}
PAGES = [
    page(TEXT, {**PICTURE, "caption": "In the evening"}, display_position="intro"),
    page(
        {"type": "dataset_field", "field": "prompt"},
        {**WHY, "helper_text": "In a word", "placeholder_text_input": "So", "validation": LENGTHS},
        {**CHOICE, "disable_dropdown": True, "options": [*CHOICE["options"], {"label": "No", "value": 1}]},
        {**EXPLAINED, "options": [{"label": "Good", "value": 1, "heading": "What?", "exclusive": False}]},
        {**UNIT, "default_unit": "m", "validation": {"type": "number", "min": 0, "max": None}},
        {**FILE, **LIMITS},
    ),
]
ITEMS = [item for entry in PAGES for item in entry["rows"][0]["columns"][0]["items"]]
QUESTIONS = [item for item in ITEMS if item["type"] not in ("rich_text", "image", "dataset_field")]
COLLECTED = [{"page_items": [item for item in ITEMS if item["type"] != "dataset_field"]}]

BATCH = f"{DATA}/batches/{{batch_id}}"
COLLECTION = f"{DATA}/collections/{{collection_id}}"
MUTATED = [
    ("POST", f"{DATA}/datasets"),
    ("PATCH", f"{DATA}/datasets/{{dataset_id}}"),
    ("POST", f"{DATA}/datasets/{{dataset_id}}/datapoints"),
    ("POST", f"{DATA}/batches"),
    ("PATCH", BATCH),
    ("POST", f"{BATCH}/duplicate"),
    ("POST", f"{BATCH}/setup"),
    ("POST", f"{BATCH}/instructions"),
    ("PUT", f"{BATCH}/instructions"),
    ("POST", f"{DATA}/collections"),
    ("PUT", COLLECTION),
    ("POST", "/api/v1/researchers/participants"),
    ("PUT", "/local/v1/batches/{batch_id}/annotators-per-task"),
    ("PUT", "/local/v1/batches/{batch_id}/shuffle-seed"),
    ("PUT", "/local/v1/batches/{batch_id}/place-timeout"),
    ("PUT", "/local/v1/batches/{batch_id}/language"),
    ("PUT", "/local/v1/collections/{collection_id}/language"),
    ("PUT", "/local/v1/media-folders/{folder_id}"),
    ("POST", "/local/v1/previews"),
    ("POST", "/local/v1/data/delete-studies"),
    ("POST", "/local/v1/data/delete-older"),
    ("POST", "/local/v1/data/delete-participant"),
]
"""Every call that has a body."""

SAMPLE = 40
"""Number of invalid bodies sent per call in the normal test run."""


@pytest.fixture(scope="module")
def resource_ids(owner: Researcher) -> dict[str, str]:
    """Resources of the owner; the dataset has the fields that the bodies refer to."""
    dataset = owner.filled_dataset(1, FIELDS)
    legacy = str(owner.batch(dataset_id=dataset)["id"])
    return {**owned_resources(owner), "dataset_id": dataset, "legacy": legacy}


def full_body(method: str, path: str, resource_ids: dict[str, str]) -> Any:
    """A valid body that uses all fields of the call."""
    named = {"name": "N", "workspace_id": resource_ids["workspace"], "task_details": TASK_DETAILS}
    with_layout = {
        "dataset_id": resource_ids["dataset_id"],
        "batch_items": PAGES,
        "auto_sync_enabled": False,
    }
    bodies: dict[tuple[str, str], Any] = {
        ("POST", f"{DATA}/datasets"): {**named, "schema": FIELDS},
        ("PATCH", f"{DATA}/datasets/{{dataset_id}}"): {"schema": FIELDS},
        ("POST", f"{DATA}/datasets/{{dataset_id}}/datapoints"): {"prompt": "p", "photo": "https://a.b/c"},
        ("POST", f"{DATA}/batches"): {**named, **with_layout},
        ("PATCH", BATCH): {**named, **with_layout},
        ("POST", f"{BATCH}/duplicate"): {"name": "N", "upload_new_dataset": False},
        ("POST", f"{BATCH}/setup"): {"dataset_id": resource_ids["dataset_id"], "tasks_per_group": 2},
        ("POST", f"{BATCH}/instructions"): {"instructions": QUESTIONS},
        ("PUT", f"{BATCH}/instructions"): {"instructions": QUESTIONS},
        ("POST", f"{DATA}/collections"): {**named, "collection_items": COLLECTED},
        ("PUT", COLLECTION): {**named, "collection_items": COLLECTED},
        ("PUT", "/local/v1/media-folders/{folder_id}"): {"folder": "/", "files": ["a.png", "b.png"]},
        ("POST", "/local/v1/previews"): {
            "batch_items": PAGES,
            "page": 1,
            "schema": FIELDS,
            "record": {"prompt": "p"},
        },
    }
    return bodies.get((method, path)) or body_of(method, path, resource_ids)


def paths_in(value: Any, prefix: ValuePath = ()) -> Iterator[ValuePath]:
    """Every path in a JSON value, the root first."""
    yield prefix
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inner:
        yield from paths_in(child, (*prefix, key))


def with_invalid_value(body: Any, path: ValuePath, invalid: Any) -> Any:
    """A body with another value at a path, or without the value there."""
    if not path:
        return None if invalid is REMOVED else invalid
    copy = deepcopy(body)
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    if invalid is REMOVED:
        del holder[path[-1]]
    else:
        holder[path[-1]] = invalid
    return copy


def can_be_read(owner: Researcher, path: str, response: httpx.Response) -> bool:
    """Whether a value that was accepted can be read again, or shown to a participant."""
    body: Any = response.json() if response.content else None
    if path.endswith("/previews"):
        return owner.http.get(body["url"]).status_code in (200, 404)
    if isinstance(body, dict) and "id" in body:
        kind = path.removeprefix(f"{DATA}/").partition("/")[0]
        return owner.http.get(f"{DATA}/{kind}/{body['id']}").status_code == 200
    return True


def send_invalid_bodies(
    document: JsonDict,
    owner: Researcher,
    resource_ids: dict[str, str],
    call: tuple[str, str],
    random: Random | None,
) -> None:
    """Send all invalid bodies of a call, or a random sample of them."""
    method, path = call
    valid = full_body(method, path, resource_ids)
    cases = [
        (value_path, invalid) for value_path in paths_in(valid) for invalid in (*INVALID_VALUES, REMOVED)
    ]
    for value_path, invalid in random.sample(cases, min(SAMPLE, len(cases))) if random else cases:
        content = json.dumps(with_invalid_value(valid, value_path, invalid)).encode()
        response = owner.http.request(
            method, target(path, resource_ids), content=content, headers=headers_of(path)
        )
        assert matches_document(document, method, path, response), (value_path, invalid)
        assert response.is_client_error or can_be_read(owner, path, response), (value_path, invalid)


@pytest.mark.parametrize("call", MUTATED, ids=" ".join)
def test_an_invalid_value_gets_a_documented_response(
    document: JsonDict, owner: Researcher, resource_ids: dict[str, str], call: tuple[str, str], seed: int
) -> None:
    send_invalid_bodies(document, owner, resource_ids, call, Random(f"{seed} {call}"))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("call", MUTATED, ids=" ".join)
def test_every_invalid_value_everywhere_gets_a_documented_response(
    document: JsonDict, owner: Researcher, resource_ids: dict[str, str], call: tuple[str, str]
) -> None:
    send_invalid_bodies(document, owner, resource_ids, call, None)
