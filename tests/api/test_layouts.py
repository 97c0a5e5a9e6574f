"""Layouts at the service and in the window: both accept the same and report the same invalid items.

The window checks a layout with the rules (`check_json`) while it is edited; the client gets the same result
from a service (specification, batch_items layout and Batches rule 2; wire reference, 2.3 and 6).
"""

from collections.abc import Iterator
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest, LayoutRejected
from batchwright.layout.checking.validator import check_json
from batchwright.layout.rules import Fields, Problem, RejectionStatus, SchemaUnavailable
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import Batch, BatchCreate, BatchUpdate
from batchwright.wire.datasets import DatasetCreate
from batchwright.workflows.messages import describe
from tests.api.error_responses import rejection_message
from tests.api.studies import DETAILS, client_of
from tests.samples.each_type import BETTER, DURATION, HTML, IMAGE, INVALID_VALUES, UPLOAD, WHY

Rows = list[list[list[dict[str, Any]]]]
MARKDOWN = {"type": "rich_text", "content": "Read **both**.", "content_format": "markdown"}
TYPES = ("text", "image_url", "audio_url", "video_url")
MEDIA: dict[str, Any] = {
    "strict": False,
    "fields": {**{type: {"type": type} for type in TYPES}, "hidden": {"type": "metadata"}},
}
FULL_WHY: dict[str, Any] = {
    **WHY,
    "helper_text": "Shortly.",
    "placeholder_text_input": "Because",
    "validation": {"type": "string", "min": 3, "max": None},
}
FULL_UPLOAD: dict[str, Any] = {
    **UPLOAD,
    "accepted_file_types": [".pdf"],
    "max_file_size_mb": 2.5,
    "min_file_count": 1,
    "max_file_count": 2,
}


def field(name: str) -> dict[str, Any]:
    """An item that shows a field."""
    return {"type": "dataset_field", "field": name}


def page(rows: Rows) -> dict[str, Any]:
    """A page of rows of columns of items."""
    return {"rows": [{"columns": [{"items": items} for items in row]} for row in rows]}


def without_ids(value: Any) -> Any:
    """A layout without the ids that the service assigned to its nodes."""
    if isinstance(value, list | tuple):
        return [without_ids(item) for item in value]
    if isinstance(value, dict):
        return {key: without_ids(inner) for key, inner in value.items() if key != "id"}
    return value


def ids_in(value: Any) -> Iterator[str]:
    """The ids of a layout."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from ids_in(item)
    elif isinstance(value, dict):
        yield from ids_in([value[key] for key in ("rows", "columns", "items") if key in value])
        yield value["id"]


async def create_batch(service: ApiClient, workspace_id: str, layout: Any, schema: Any = None) -> Batch:
    """Create a batch with a layout, and with an empty dataset if there is a schema."""
    dataset_id = None
    if schema is not None:
        request = DatasetCreate(name="Media", workspace_id=workspace_id, schema=schema)
        dataset_id = (await service.datasets.create(request)).id
    return await service.batches.create(
        BatchCreate(
            name="Study",
            workspace_id=workspace_id,
            task_details=DETAILS,
            dataset_id=dataset_id,
            batch_items=layout,
        )
    )


def rejecting_problems(layout: Any, schema: Any = None) -> list[Problem]:
    """The problems for which a service would reject a layout, with a dataset of this schema or with none."""
    fields: Fields = SchemaUnavailable.NONE if schema is None else read_schema(schema)
    return [problem for problem in check_json(layout, fields) if problem.rejection is not None]


COMPLETE_LAYOUT = [
    page([[[HTML, IMAGE], [MARKDOWN]], [[FULL_WHY]]]),
    page([[[field(type) for type in TYPES]], [[BETTER, INVALID_VALUES], [DURATION]], [[WHY]]]),
    page([[[FULL_UPLOAD], [field("text")]]]),
]
"""Every type of item with its attributes, on three pages, in rows of one and of two columns."""


@pytest.mark.spec("L-01", "L-04", "L-06", "L-07", "L-08", "L-10")
async def test_pages_rows_columns_and_items_of_every_type_are_returned_in_order(
    running: ServiceAddress,
) -> None:
    assert rejecting_problems(COMPLETE_LAYOUT, MEDIA) == []

    async with client_of(running) as service:
        created = await create_batch(service, running.workspace_id, COMPLETE_LAYOUT, MEDIA)
        expected = without_ids(COMPLETE_LAYOUT)
        read = without_ids(created.batch_items)
        stored = read[0]["rows"][0]["columns"][1]["items"][0]
        assert "<strong>both</strong>" in stored["content"]
        expected[0]["rows"][0]["columns"][1]["items"] = [stored]
        assert read == expected
        ids = list(ids_in(created.batch_items))
        assert len(set(ids)) == len(ids) == 32
        assert (await service.batches.get(created.id)).batch_items == created.batch_items


@pytest.mark.spec("L-10")
@pytest.mark.parametrize("type", TYPES)
async def test_a_field_of_each_displayable_type_is_accepted(running: ServiceAddress, type: str) -> None:
    layout = [page([[[field(type)]]])]
    assert rejecting_problems(layout, MEDIA) == []
    async with client_of(running) as service:
        created = await create_batch(service, running.workspace_id, layout, MEDIA)
    assert without_ids(created.batch_items) == layout


@pytest.mark.spec("L-15")
async def test_only_a_layout_that_shows_fields_needs_a_dataset(running: ServiceAddress) -> None:
    task, with_fields = [page([[[HTML, WHY], [IMAGE]]])], [page([[[WHY], [HTML, field("text")]]])]
    assert rejecting_problems(task) == []
    (problem,) = rejecting_problems(with_fields)

    async with client_of(running) as service:
        created = await create_batch(service, running.workspace_id, task)
        assert (without_ids(created.batch_items), created.datasets) == (task, ())
        with pytest.raises(LayoutRejected) as caught:
            await create_batch(service, running.workspace_id, with_fields)
        (issue,) = caught.value.issues
        assert (issue.place, issue.type, issue.field) == (problem.path, "dataset_field", "text")


MALFORMED: dict[str, tuple[str, Any]] = {
    "a column without items": ("L-04", [page([[[WHY], []]])]),
    "a column without an array of items": ("L-04", [{"rows": [{"columns": [{}]}]}]),
    "an item without a type": ("L-05", [page([[[{"description": "Why?"}]]])]),
    "an item whose type is null": ("L-05", [page([[[{**WHY, "type": None}]]])]),
    "an item whose type is a number": ("L-05", [page([[[{**WHY, "type": 5}]]])]),
}


@pytest.mark.parametrize(
    "layout",
    [pytest.param(item, marks=pytest.mark.spec(id), id=name) for name, (id, item) in MALFORMED.items()],
)
async def test_a_malformed_layout_is_rejected_by_the_window_and_the_service(
    running: ServiceAddress, layout: Any
) -> None:
    (problem,) = rejecting_problems(layout)
    assert problem.rejection is RejectionStatus.SHAPE

    async with client_of(running) as service:
        before = await create_batch(service, running.workspace_id, [page([[[WHY]]])])
        for task in (
            create_batch(service, running.workspace_id, layout),
            service.batches.update(before.id, BatchUpdate(batch_items=layout)),
        ):
            messages = await rejection_message(task, BadRequest, 400)
            assert "batch_items" in messages
            assert problem.path.label in messages
        assert (await service.batches.get(before.id)).batch_items == before.batch_items


async def test_the_window_and_the_service_report_the_same_invalid_items(running: ServiceAddress) -> None:
    invalid = [
        page([[[field("text"), field("hidden")], [field("nowhere")]]]),
        page(
            [[[WHY]], [[{**IMAGE, "url": "http://a.example/b.png"}], [HTML, {**BETTER, "answer_limit": 9}]]]
        ),
        page([[[field("text"), field("text")]], [[{**UPLOAD, "min_file_count": 11}]]]),
    ]
    problems = rejecting_problems(invalid, MEDIA)
    assert {problem.rejection for problem in problems} == {RejectionStatus.ITEM}

    async with client_of(running) as service:
        with pytest.raises(LayoutRejected) as caught:
            await create_batch(service, running.workspace_id, invalid, MEDIA)
        assert caught.value.status == 422
        messages = [(issue.place, issue.type, issue.message) for issue in caught.value.issues]
        assert messages == [(problem.path, problem.item_type, problem.message) for problem in problems]
        message = describe(caught.value).what
        assert all(f"{problem.path.label}: {problem.message}" in message for problem in problems)


@pytest.mark.spec("L-21")
async def test_an_update_replaces_the_complete_layout(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        before = await create_batch(service, running.workspace_id, [page([[[WHY]]]), page([[[BETTER]]])])
        other = [page([[[DURATION], [HTML]]])]
        after = await service.batches.update(before.id, BatchUpdate(batch_items=other))
        assert without_ids(after.batch_items) == other
        assert not set(ids_in(before.batch_items)) & set(ids_in(after.batch_items))
        assert after.total_instruction_count == 1
        assert (await service.batches.get(before.id)).batch_items == after.batch_items
