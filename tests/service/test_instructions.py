"""The deprecated instructions of legacy batches (specification, Instructions; wire reference, section 9)."""

import json
from pathlib import Path
from typing import Any

import pytest

from batchwright.base.limits import MAX_ITEMS
from tests.service.accounts import ANN, write_accounts
from tests.service.api_helpers import QUESTION, JsonDict, Researcher, jsonl, page
from tests.service.participant import FILE, Fields, answer_task_group
from tests.service.v3_helpers import filled

SUNSET = {"deprecation": "true", "sunset": "Tue, 01 Sep 2026 23:59:59 GMT"}
CHOICE = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 1,
    "options": [{"label": "Left", "value": "left"}, {"label": "Right", "value": "right"}],
}
EXPLAINED = {
    "type": "multiple_choice_with_free_text",
    "description": "Which, and why?",
    "answer_limit": -1,
    "options": [{"label": "A", "value": "a", "heading": "Why A?"}],
}
UNIT = {
    "type": "free_text_with_unit",
    "description": "How long?",
    "unit_options": [{"label": "Minutes", "value": "min"}, {"label": "Hours", "value": "h"}],
    "unit_position": "suffix",
}
UPLOAD = {"type": "file_upload", "description": "Send it.", "accepted_file_types": [".png"]}
ALL_TYPES: list[JsonDict] = [CHOICE, QUESTION, UNIT, EXPLAINED, UPLOAD]

NOT_ENTRIES: list[Any] = [
    None,
    [],
    {},
    {"instructions": None},
    {"instructions": {}},
    {"instructions": [None]},
    {"instructions": ["free_text"]},
    {"instructions": [{}]},
    {"instructions": [{"type": "free_text"}]},
    {"instructions": [{"description": "What?"}]},
    {"instructions": [{**QUESTION, "description": ""}]},
    {"instructions": [{**QUESTION, "description": 5}]},
    {"instructions": [{**QUESTION, "id": 5}]},
    {"instructions": [{**QUESTION, "type": "rich_text", "content": "Read."}]},
    {"instructions": [{**QUESTION, "type": "dataset_field", "field": "prompt"}]},
    {"instructions": [{**QUESTION, "type": "something_new"}]},
    {"instructions": [{**QUESTION, "validation": {"type": "words"}}]},
    {"instructions": [{**CHOICE, "answer_limit": 3}]},
    {"instructions": [{**CHOICE, "options": []}]},
    {"instructions": [{**CHOICE, "options": [{"label": "One", "value": 1}]}]},
    {"instructions": [{**EXPLAINED, "options": [{"label": "A", "value": "a"}]}]},
    {"instructions": [{**UNIT, "default_unit": "days"}]},
    {"instructions": [{**UPLOAD, "min_file_count": 5, "max_file_count": 2}]},
    {"instructions": [QUESTION, {**CHOICE, "answer_limit": 0}]},
]


def at(batch: str) -> str:
    """The URL of the instructions of a batch."""
    return f"/batches/{batch}/instructions"


def legacy(researcher: Researcher, *entries: Any, **more: Any) -> tuple[str, list[JsonDict]]:
    """A batch without a layout, and the records of its instructions."""
    batch = str(researcher.batch(**more)["id"])
    return batch, researcher.request(
        "POST", at(batch), {"instructions": list(entries)}, 201
    ) if entries else []


def listed(researcher: Researcher, batch: str) -> list[JsonDict]:
    """The instructions of a batch."""
    response = researcher.request("GET", at(batch), None, 200)
    assert response["meta"] == {"count": len(response["results"])}
    records: list[JsonDict] = response["results"]
    return records


@pytest.mark.spec("N-01", "N-02", "N-04", "N-06")
def test_instructions_of_all_types_come_back_as_records(researcher: Researcher) -> None:
    batch, created = legacy(researcher, *ALL_TYPES)
    assert listed(researcher, batch) == created
    for entry, record in zip(ALL_TYPES, created, strict=True):
        assert record.items() >= entry.items()
        assert (record["parent_id"], record["parent_type"]) == (batch, "batch")
    assert len({record["id"] for record in created}) == 5
    assert researcher.get_batch(batch)["total_instruction_count"] == 5


def test_a_batch_without_instructions_lists_none(researcher: Researcher) -> None:
    batch, _none = legacy(researcher)
    assert listed(researcher, batch) == []


def test_a_slice_of_the_list_can_be_requested(researcher: Researcher) -> None:
    batch, created = legacy(researcher, *ALL_TYPES)
    for query, expected in (
        ("limit=2", created[:2]),
        ("offset=3", created[3:]),
        ("limit=1&offset=4", created[4:]),
    ):
        response = researcher.request("GET", f"{at(batch)}?{query}", None, 200)
        assert response == {"results": expected, "meta": {"count": 5}}
    assert researcher.status_of("GET", f"{at(batch)}?limit=-1") == 400


def test_posting_again_adds(researcher: Researcher) -> None:
    batch, first = legacy(researcher, CHOICE)
    later = researcher.request("POST", at(batch), {"instructions": [{**QUESTION, "id": first[0]["id"]}]}, 201)
    assert listed(researcher, batch) == [*first, *later]
    assert later[0]["id"] != first[0]["id"], "an id is for PUT only"


@pytest.mark.spec("N-03", "N-07", "N-08", "N-09")
def test_a_put_keeps_instructions_with_their_id_and_creates_or_removes_the_rest(
    researcher: Researcher,
) -> None:
    batch, (deleted, unchanged) = legacy(researcher, CHOICE, QUESTION)
    changed = {**unchanged, "description": "Why?", "created_at": "yesterday", "parent_id": "elsewhere"}
    after = researcher.request("PUT", at(batch), {"instructions": [UNIT, changed]}, 200)
    assert listed(researcher, batch) == after
    assert after[1] == {**unchanged, "description": "Why?"}
    assert after[0]["id"] not in {deleted["id"], unchanged["id"]}
    assert researcher.get_batch(batch)["total_instruction_count"] == 2
    rejected = researcher.request("PUT", at(batch), {"instructions": [deleted]}, 400)
    assert "Instruction 1" in rejected["error"]["detail"]["instructions"][0]
    assert listed(researcher, batch) == after


@pytest.mark.spec("N-07")
def test_a_put_of_no_instructions_removes_all_and_a_post_of_none_is_rejected(researcher: Researcher) -> None:
    batch, before = legacy(researcher, QUESTION, CHOICE)
    researcher.request("POST", at(batch), {"instructions": []}, 400)
    assert listed(researcher, batch) == before
    assert researcher.request("PUT", at(batch), {"instructions": []}, 200) == []
    assert listed(researcher, batch) == []
    assert researcher.get_batch(batch)["total_instruction_count"] == 0


def test_a_batch_has_no_more_instructions_than_a_layout_has_items(researcher: Researcher) -> None:
    batch, _records = legacy(researcher, QUESTION)
    for count in (MAX_ITEMS, MAX_ITEMS + 1):
        rejected = researcher.request("POST", at(batch), {"instructions": [QUESTION] * count}, 400)
        assert rejected["error"]["detail"] == {"instructions": ["A batch has at most 10000 instructions."]}
    assert len(listed(researcher, batch)) == 1


def test_a_duplicate_id_or_one_of_another_batch_is_rejected(researcher: Researcher) -> None:
    batch, (own,) = legacy(researcher, QUESTION)
    _second_batch, (foreign,) = legacy(researcher, QUESTION)
    for entries in ([own, own], [own, foreign], [{**QUESTION, "id": ""}]):
        researcher.request("PUT", at(batch), {"instructions": entries}, 400)
    assert listed(researcher, batch) == [own]


@pytest.mark.spec("N-05")
@pytest.mark.parametrize("body", NOT_ENTRIES, ids=json.dumps)
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_invalid_instructions_are_rejected(researcher: Researcher, method: str, body: Any) -> None:
    batch, before = legacy(researcher, QUESTION)
    rejected = researcher.request(method, at(batch), body, 400)
    assert rejected["error"]["detail"]
    assert listed(researcher, batch) == before


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[" * 100_000, b'{"instructions": [' + b'{"a":' * 101 + b"1" + b"}" * 101 + b"]}"],
)
def test_invalid_json_is_rejected(researcher: Researcher, body: bytes) -> None:
    batch, _none = legacy(researcher)
    for method in ("POST", "PUT"):
        response = researcher.http.request(method, f"/api/v1/data-collection{at(batch)}", content=body)
        assert response.status_code == 400, response.text
        assert response.headers.items() >= SUNSET.items()


def test_a_lone_surrogate_does_not_break_the_instructions(researcher: Researcher) -> None:
    batch, _none = legacy(researcher)
    body = b'{"instructions": [{"type": "free_text", "description": "What \\ud800?"}]}'
    response = researcher.http.post(f"/api/v1/data-collection{at(batch)}", content=body)
    assert response.status_code in (201, 400), response.text
    assert researcher.http.get(f"/api/v1/data-collection{at(batch)}").status_code == 200


@pytest.mark.spec("N-10")
def test_a_batch_with_a_layout_rejects_instructions_and_lists_those_of_the_layout(
    researcher: Researcher,
) -> None:
    created = researcher.batch(batch_items=[page({"type": "rich_text", "content": "Hello"}, QUESTION)])
    for method in ("POST", "PUT"):
        rejected = researcher.request(method, at(created["id"]), {"instructions": [QUESTION]}, 422)
        assert rejected["error"]["status"] == 422
        assert "batch_items" in rejected["error"]["detail"]
    (only,) = listed(researcher, created["id"])
    item = created["batch_items"][0]["rows"][0]["columns"][0]["items"][1]
    assert only.items() >= item.items()
    assert only["parent_id"] == created["id"]


def test_a_layout_replaces_instructions(researcher: Researcher) -> None:
    batch, before = legacy(researcher, CHOICE, QUESTION)
    researcher.request("PATCH", f"/batches/{batch}", {"name": "N", "batch_items": None}, 200)
    assert listed(researcher, batch) == before, "null takes nothing from a batch that has no layout"
    researcher.request("PATCH", f"/batches/{batch}", {"batch_items": [page(QUESTION)]}, 200)
    assert [instruction["type"] for instruction in listed(researcher, batch)] == ["free_text"]
    researcher.request("PATCH", f"/batches/{batch}", {"batch_items": None}, 200)
    assert listed(researcher, batch) == []
    researcher.request("POST", at(batch), {"instructions": [CHOICE]}, 201)


def test_a_copy_has_the_instructions_with_new_ids(researcher: Researcher) -> None:
    batch, before = legacy(researcher, CHOICE, QUESTION)
    copy = researcher.request("POST", f"/batches/{batch}/duplicate", None, 201)
    assert copy["total_instruction_count"] == 2
    after = listed(researcher, copy["id"])
    assert [instruction["description"] for instruction in after] == [
        instruction["description"] for instruction in before
    ]
    assert not {instruction["id"] for instruction in after} & {instruction["id"] for instruction in before}
    assert {instruction["parent_id"] for instruction in after} == {copy["id"]}


@pytest.mark.spec("H-05")
def test_every_response_has_the_sunset_header(researcher: Researcher, accounts: Path) -> None:
    write_accounts(accounts, [ANN], [])
    batch, _records = legacy(researcher, QUESTION)
    batch_with_layout = researcher.batch(batch_items=[page(QUESTION)])["id"]
    good = {"instructions": [QUESTION]}
    statuses = set()
    for form in ("", "/"):
        for headers, method, id, body in [
            ({}, "GET", batch, None),
            ({}, "HEAD", batch, None),
            ({}, "POST", batch, good),
            ({}, "PUT", batch, good),
            ({}, "POST", batch, {}),
            ({}, "PUT", batch_with_layout, good),
            ({}, "GET", "unknown", None),
            ({}, "DELETE", batch, None),
            ({"Authorization": "Token ann-1"}, "GET", batch, None),
            ({"Authorization": "Token nobody's"}, "POST", batch, good),
            ({"Host": "x.example"}, "PUT", batch, good),
        ]:
            path = f"/api/v1/data-collection{at(id)}{form}"
            response = researcher.http.request(method, path, json=body, headers=headers)
            assert {name: response.headers.get(name) for name in SUNSET} == SUNSET, (method, response)
            statuses.add(response.status_code)
    assert statuses == {200, 201, 400, 401, 405, 422}
    for path in (f"/api/v1/data-collection/batches/{batch}", "/api/v1/users/me/", f"/api/v1/{at(batch)}"):
        assert not SUNSET.keys() & set(researcher.http.get(path).headers)


def _answers(position: int, instruction: Any) -> Fields:
    field = f"i{position}"
    match instruction["type"]:
        case "multiple_choice":
            return {field: ["1"]}
        case "multiple_choice_with_free_text":
            return {field: ["0"], f"{field}.e0": ["So."]}
        case "free_text_with_unit":
            return {field: ["5"], f"{field}.u": ["0"]}
    return {field: ["Fine"]}


def test_a_legacy_batch_can_be_answered_reported_and_exported(researcher: Researcher) -> None:
    schema = {
        "strict": False,
        "fields": {"prompt": {"type": "text", "label": "The prompt"}, "model": {"type": "metadata"}},
    }
    dataset = researcher.dataset(schema)["id"]
    rows = [{"prompt": f"p{number}", "model": f"m{number}"} for number in range(2)]
    researcher.imported(dataset, "rows.jsonl", jsonl(*rows))
    batch, created = legacy(researcher, *ALL_TYPES, dataset_id=dataset)
    assert {row["Question"] for row in researcher.report(batch)} == {
        instruction["description"] for instruction in created
    }
    ready = researcher.set_up(batch, tasks_per_group=2)
    assert (ready["batch_items"], ready["total_task_count"]) == (None, 2)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    pages: list[str] = []
    answer_task_group(link, "c" * 24, _answers, pages.append)
    assert "p0" in "".join(pages)
    assert "m0" not in "".join(pages)
    records = researcher.request("GET", f"/batches/{batch}/responses", None, 200)["results"]
    assert {instruction["response"]["instruction_id"] for instruction in records} == {
        instruction["id"] for instruction in created
    }
    assert len(records) == 10
    report = researcher.report(batch)
    assert len(report) == 10
    assert {row["Annotator1_Response"] for row in report} == {"Right", "Fine", "5 Minutes", "A: So.", FILE[0]}
    archive = researcher.exported(batch)
    assert json.loads(archive.read("batch.json"))["instructions"] == created


def test_a_legacy_batch_shows_the_columns_of_a_v3_file_and_hides_the_meta_ones(
    researcher: Researcher,
) -> None:
    batch, created = legacy(researcher, QUESTION, dataset_id=filled(researcher))
    ready = researcher.set_up(batch)
    assert (ready["total_task_count"], ready["total_task_groups"]) == (3, 2)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    pages: list[str] = []
    answer_task_group(link, "c" * 24, on_page=pages.append)
    answer_task_group(link, "d" * 24, on_page=pages.append)
    html = "".join(pages)
    assert [text for text in ("Nice mug", "Flask", "Plate") if text not in html] == []
    assert [text for text in ("web", "shop", "META_", "g1") if f">{text}" in html] == []
    records = researcher.request("GET", f"/batches/{batch}/responses", None, 200)["results"]
    assert {record["response"]["instruction_id"] for record in records} == {created[0]["id"]}
    assert {record["metadata"]["META_source"] for record in records} == {"web", "shop"}


def test_tasks_show_the_instructions_of_their_setup(researcher: Researcher) -> None:
    batch, _first = legacy(researcher, QUESTION, dataset_id=researcher.filled_dataset(2))
    researcher.set_up(batch)
    researcher.request("PUT", at(batch), {"instructions": [{**QUESTION, "description": "Another?"}]}, 200)
    assert {row["Question"] for row in researcher.report(batch)} == {QUESTION["description"]}
    researcher.set_up(batch)
    assert {row["Question"] for row in researcher.report(batch)} == {"Another?"}


def test_a_sync_gives_a_legacy_batch_tasks_with_its_instructions(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    batch, _first = legacy(researcher, QUESTION, dataset_id=dataset)
    researcher.set_up(batch)
    researcher.append(dataset, jsonl({"prompt": "later"}))
    assert researcher.synced(batch)["tasks_created"] == 1
    assert [row["Question"] for row in researcher.report(batch)] == [QUESTION["description"]] * 2
