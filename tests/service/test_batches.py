"""Batches and their layouts (specification, Batches rules 1 to 3; wire reference, sections 2.3, 5 and 6)."""

from copy import deepcopy
from typing import Any

import pytest

from tests.service.api_helpers import PROMPTS, QUESTION, TASK_DETAILS, JsonDict, Researcher, page, without_ids

UNKNOWN = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"
FIELD = {"type": "dataset_field", "field": "prompt"}
CHOICE = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 2,
    "options": [{"label": "One", "value": 1}, {"label": "Yes", "value": True}],
}


def _ids(entries: Any) -> list[str]:
    """Every id of a layout in reading order; fails where one is missing."""
    result: list[str] = []
    for entry in entries:
        result.append(entry["id"])
        for inside in ("rows", "columns", "items"):
            result += _ids(entry.get(inside, ()))
    return result


@pytest.mark.spec("B-03", "B-05", "B-10", "B-11", "ST-06")
def test_a_batch_is_returned_as_it_was_created(researcher: Researcher) -> None:
    created = researcher.batch(name="Wave ½")
    assert (created["name"], created["workspace_id"]) == ("Wave ½", researcher.workspace)
    assert created["task_details"] == TASK_DETAILS
    assert (created["status"], created["datasets"]) == ("UNINITIALISED", [])
    assert (created["total_task_count"], created["total_instruction_count"]) == (0, 0)
    assert created["auto_sync_enabled"] is False
    fetched = researcher.get_batch(created["id"])
    assert fetched["batch_items"] is None
    assert fetched == {**created, "batch_items": None, "schema_version": fetched["schema_version"]}


@pytest.mark.spec("B-07", "B-08", "B-14")
def test_a_dataset_is_attached_ready_or_not_and_replaced(researcher: Researcher) -> None:
    first, second = researcher.dataset()["id"], researcher.dataset(None)["id"]
    batch = researcher.batch(dataset_id=first)
    assert batch["datasets"] == [{"id": first, "total_datapoint_count": 0}]
    assert researcher.get_batch(batch["id"])["datasets"][0]["filename"] == ""
    changed = researcher.request("PATCH", f"/batches/{batch['id']}", {"dataset_id": second.upper()}, 200)
    assert [dataset["id"] for dataset in changed["datasets"]] == [second]


@pytest.mark.spec("B-06")
def test_an_unknown_dataset_cannot_be_attached(researcher: Researcher) -> None:
    assert researcher.batch(status=400, dataset_id=UNKNOWN)["error"]["detail"].keys() == {"dataset_id"}
    batch = researcher.batch()["id"]
    for invalid in (UNKNOWN, "no-uuid", None):
        rejected = researcher.request("PATCH", f"/batches/{batch}", {"dataset_id": invalid}, 400)
        assert rejected["error"]["detail"].keys() == {"dataset_id"}


@pytest.mark.spec("B-01", "B-02")
def test_the_list_contains_the_batches_of_the_workspace_newest_first(researcher: Researcher) -> None:
    created = [researcher.batch()["id"] for _time in range(3)]
    path = f"/batches?workspace_id={researcher.workspace}"
    listed = researcher.request("GET", path, status=200)
    assert [listed_batch["id"] for listed_batch in listed["results"][:3]] == created[::-1]
    assert listed["meta"]["count"] == len(listed["results"])
    assert listed["results"][0] == researcher.get_batch(created[-1])
    cut = researcher.request("GET", f"{path}&limit=1&offset=1", status=200)
    assert [listed_batch["id"] for listed_batch in cut["results"]] == [created[1]]
    assert cut["meta"] == listed["meta"]
    assert researcher.status_of("GET", "/batches/") == 400
    assert researcher.status_of("GET", f"{path}&limit=-1") == 400


@pytest.mark.spec("B-12", "B-13", "Y-09")
def test_an_update_changes_only_the_given_keys(researcher: Researcher) -> None:
    batch = researcher.batch(batch_items=[page(QUESTION)])["id"]
    before = researcher.get_batch(batch)
    details = {**TASK_DETAILS, "task_name": "Other"}
    changes: list[JsonDict] = [
        {"name": "New"},
        {"task_details": details},
        {"auto_sync_enabled": True},
        {"auto_sync_enabled": False},
        {},
    ]
    for change in changes:
        after = researcher.request("PATCH", f"/batches/{batch}/", change, 200)
        before = {**before, **change}
        assert after == before == researcher.get_batch(batch)
    for invalid in ({"name": None}, {"task_details": {"task_name": "x"}}, {"auto_sync_enabled": None}):
        assert researcher.status_of("PATCH", f"/batches/{batch}", invalid) == 400
    assert researcher.get_batch(batch) == before


@pytest.mark.spec("B-16")
def test_the_status_can_be_requested_separately(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    assert researcher.request("GET", f"/batches/{batch}/status", status=200) == {"status": "UNINITIALISED"}


def test_an_unknown_batch_gets_a_400(researcher: Researcher) -> None:
    for id in (UNKNOWN, "no-uuid", "a%00b"):
        for method, path in (
            ("GET", ""),
            ("PATCH", ""),
            ("GET", "/status"),
            ("POST", "/setup"),
            ("GET", "/responses"),
            ("GET", "/report/"),
        ):
            body: JsonDict | None = {} if method in ("PATCH", "POST") else None
            assert researcher.status_of(method, f"/batches/{id}{path}", body) == 400


@pytest.mark.spec("B-09", "L-01", "L-18", "L-06", "L-07", "L-08")
def test_a_layout_is_returned_as_sent_with_an_id_on_every_node(researcher: Researcher) -> None:
    items = [
        page(FIELD, {"type": "image", "url": "https://example.org/a.png", "alt_text": "A", "caption": "c"}),
        page(
            {"type": "rich_text", "content": "<p>Hello <b>you</b></p><script>x</script>"},
            {
                **QUESTION,
                "validation": {"type": "number", "min": 0, "max": None},
                "kept": [1, 1.0, True, None],
            },
            CHOICE,
            {
                **CHOICE,
                "type": "multiple_choice_with_free_text",
                "options": [{"label": "a", "value": 0, "heading": "h"}] * 1,
                "answer_limit": 1,
            },
            {
                "type": "free_text_with_unit",
                "description": "How long?",
                "unit_options": [{"label": "min", "value": "m"}],
                "unit_position": "suffix",
                "default_unit": "m",
            },
            {"type": "file_upload", "description": "Send it", "max_file_size_mb": 2.5},
            {"type": "video_narration", "description": "Speak"},
            name="kept, too",
        ),
    ]
    created = researcher.batch(batch_items=items, dataset_id=researcher.dataset()["id"])
    assert without_ids(created["batch_items"]) == items
    ids = _ids(created["batch_items"])
    assert len(set(ids)) == len(ids)
    assert created["total_instruction_count"] == 5
    assert researcher.get_batch(created["id"])["batch_items"] == created["batch_items"]


def test_markdown_is_stored_as_html(researcher: Researcher) -> None:
    item = {"type": "rich_text", "content": "*Look* <script>x</script>", "content_format": "markdown"}
    created = researcher.batch(batch_items=[page(item)])
    (stored,) = created["batch_items"][0]["rows"][0]["columns"][0]["items"]
    assert stored["content"] == "<p><em>Look</em> </p>\n"
    assert stored["content_format"] == "html"
    assert (
        researcher.request(
            "PATCH", f"/batches/{created['id']}", {"batch_items": created["batch_items"]}, 200
        )["batch_items"]
        == created["batch_items"]
    )


@pytest.mark.spec("L-21", "L-22", "L-23", "L-24")
def test_an_update_keeps_ids_creates_new_ones_and_removes_the_rest(researcher: Researcher) -> None:
    batch = researcher.batch(batch_items=[page(QUESTION, CHOICE), page(QUESTION)])
    first, second = deepcopy(batch["batch_items"])
    choice = first["rows"][0]["columns"][0]["items"].pop()
    second["rows"].append({"columns": [{"items": [choice]}, {"items": [QUESTION]}]})
    updated = researcher.request("PATCH", f"/batches/{batch['id']}", {"batch_items": [second, first]}, 200)
    assert without_ids(updated["batch_items"]) == without_ids([second, first])
    old, new = set(_ids(batch["batch_items"])), set(_ids(updated["batch_items"]))
    assert old < new
    assert len(new - old) == 4
    assert updated["batch_items"][0]["rows"][1]["columns"][0]["items"][0]["id"] == choice["id"]
    removed = researcher.request("PATCH", f"/batches/{batch['id']}", {"batch_items": [first]}, 200)
    assert set(_ids(removed["batch_items"])) == set(_ids([first]))
    again = researcher.request("PATCH", f"/batches/{batch['id']}", {"batch_items": [second]}, 400)
    assert again["error"]["detail"].keys() == {"batch_items"}


def test_foreign_and_duplicate_ids_are_rejected(researcher: Researcher) -> None:
    batch = researcher.batch(batch_items=[page(QUESTION)])
    foreign = researcher.batch(batch_items=[page(QUESTION)])["batch_items"]
    own = batch["batch_items"]
    for invalid in (foreign, own * 2, [{**page(QUESTION), "id": 5}]):
        assert researcher.status_of("PATCH", f"/batches/{batch['id']}", {"batch_items": invalid}) == 400
    researcher.batch(status=400, batch_items=own)
    assert researcher.get_batch(batch["id"])["batch_items"] == own


@pytest.mark.spec("B-15")
def test_null_clears_the_layout_and_an_omitted_one_is_unchanged(researcher: Researcher) -> None:
    batch = researcher.batch(batch_items=[page(QUESTION)])
    unchanged = researcher.request("PATCH", f"/batches/{batch['id']}", {"name": "N"}, 200)
    assert unchanged["batch_items"] == batch["batch_items"]
    cleared = researcher.request("PATCH", f"/batches/{batch['id']}", {"batch_items": None}, 200)
    assert (cleared["batch_items"], cleared["total_instruction_count"]) == (None, 0)


@pytest.mark.spec("L-04", "L-05", "K-11")
@pytest.mark.parametrize(
    "items",
    [
        [],
        [5],
        [{}],
        [{"rows": []}],
        [{"rows": [{"columns": []}]}],
        [{"rows": [{"columns": [{"items": [QUESTION]}] * 3}]}],
        [{"rows": [{"columns": [{"items": []}]}]}],
        [page({"description": "no type"})],
        [page({"type": 5})],
    ],
    ids=repr,
)
def test_a_malformed_layout_gets_a_400(researcher: Researcher, items: Any) -> None:
    assert researcher.batch(status=400, batch_items=items)["error"]["detail"].keys() == {"batch_items"}


@pytest.mark.spec("E-04")
@pytest.mark.parametrize("type", ["multiple_choise", "hologram", "Free_Text", "free_text ", ""])
def test_an_item_of_an_unknown_type_is_rejected_with_its_position(researcher: Researcher, type: str) -> None:
    created = researcher.batch(batch_items=[page(QUESTION)])
    items = [page(QUESTION), page(QUESTION, {"type": type, "description": "Which?"})]
    responses = (
        researcher.batch(status=422, batch_items=items),
        researcher.request("PATCH", f"/batches/{created['id']}", {"batch_items": items}, 422),
    )
    for rejected in responses:
        ((position, reported),) = (
            ([issue[level] for level in ("page", "row", "column", "item")], (issue["type"], issue["message"]))
            for issue in rejected["issues"]
        )
        assert (position, reported[0]) == ([1, 0, 0, 1], type)
        assert f"no item type “{type}”" in reported[1]
    assert researcher.get_batch(created["id"])["batch_items"] == created["batch_items"]


@pytest.mark.spec("E-03", "E-04", "L-11", "L-12", "L-14", "L-16", "L-17", "L-19")
def test_every_invalid_item_is_in_one_422(researcher: Researcher) -> None:
    schema = {"strict": True, "fields": {**PROMPTS["fields"], "source": {"type": "metadata"}}}
    dataset = researcher.dataset(schema)["id"]
    faulty = [
        page(
            FIELD, {"type": "dataset_field", "field": "source"}, {"type": "dataset_field", "field": "colour"}
        ),
        page({**CHOICE, "answer_limit": 3}, FIELD, FIELD),
        page(
            {
                "type": "free_text_with_unit",
                "description": "How long?",
                "unit_options": [{"label": "min", "value": "m"}],
                "unit_position": "suffix",
                "default_unit": "h",
            }
        ),
    ]
    rejected = researcher.batch(status=422, batch_items=faulty, dataset_id=dataset)
    assert (rejected["type"], bool(rejected["message"])) == ("INVALID_BATCH_ITEMS", True)
    positions = [
        (issue["page"], issue["row"], issue["column"], issue["item"]) for issue in rejected["issues"]
    ]
    assert positions == [(0, 0, 0, 1), (0, 0, 0, 2), (1, 0, 0, 0), (1, 0, 0, 2), (2, 0, 0, 0)]
    assert [issue["type"] for issue in rejected["issues"]] == [
        "dataset_field",
        "dataset_field",
        "multiple_choice",
        "dataset_field",
        "free_text_with_unit",
    ]
    assert [issue.get("field") for issue in rejected["issues"]] == ["source", "colour", None, "prompt", None]
    assert all(issue["message"] for issue in rejected["issues"])
    batch = researcher.batch(dataset_id=dataset)["id"]
    assert researcher.request("PATCH", f"/batches/{batch}", {"batch_items": faulty}, 422) == rejected
    assert researcher.get_batch(batch)["batch_items"] is None


@pytest.mark.spec("L-13", "L-15", "L-10")
def test_a_dataset_field_needs_a_dataset_with_a_schema(researcher: Researcher) -> None:
    researcher.batch(batch_items=[page(QUESTION)])
    researcher.batch(status=422, batch_items=[page(FIELD)])
    researcher.batch(status=422, batch_items=[page(FIELD)], dataset_id=researcher.dataset(None)["id"])
    good = researcher.dataset()["id"]
    batch = researcher.batch(batch_items=[page(FIELD), page(FIELD)], dataset_id=good)["id"]
    changed = researcher.dataset({"strict": False, "fields": {"text": {"type": "text"}}})["id"]
    assert researcher.status_of("PATCH", f"/batches/{batch}", {"dataset_id": changed}) == 422
    valid = {"dataset_id": changed, "batch_items": [page({"type": "dataset_field", "field": "text"})]}
    assert researcher.status_of("PATCH", f"/batches/{batch}", valid) == 200


def test_an_error_response_to_a_large_layout_is_bounded(researcher: Researcher) -> None:
    item = {"type": "multiple_choice", "description": "Which?", "answer_limit": 1, "options": [{}] * 20_000}
    issues = researcher.batch(422, batch_items=[page(item)])["issues"]
    assert len(issues) == 1_000
    (*messages, further) = researcher.batch(400, batch_items=[{"rows": [0] * 20_000}])["error"]["detail"][
        "batch_items"
    ]
    assert (len(messages), further) == (1_000, "19000 more messages.")
