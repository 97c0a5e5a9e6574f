"""Bodies distinguish fields that were set from others, and keep unknown keys."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from batchwright.base.json_values import Json, JsonObject, is_array, json_equal, to_json
from batchwright.wire.base import Body, to_payload
from batchwright.wire.batches import (
    Batch,
    BatchCreate,
    BatchDuplicate,
    BatchSetup,
    BatchStatus,
    BatchStatusResponse,
    BatchUpdate,
    TaskDetails,
)
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatusResponse
from batchwright.wire.imports import ImportJob, ImportStatus
from tests.wire.exchanges import OWN, exchanges

DETAILS = TaskDetails(task_name="Rate", task_introduction="<p>Hello</p>", task_steps="")


def json_values() -> st.SearchStrategy[Json]:
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    strings = st.text(st.characters())
    return st.recursive(
        scalars | strings,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3),
        max_leaves=6,
    )


BODIES: list[tuple[type[Body], Json]] = [
    (model, body)
    for exchange in exchanges(OWN)
    if not exchange.is_storage and exchange.status < 400
    for model, body in (
        (exchange.route.requests, exchange.request),
        (exchange.route.answers, exchange.response),
    )
    if model is not None and isinstance(body, dict)
]


def with_unknown_keys(value: Json, more: JsonObject) -> Json:
    """The body with further keys in each of its objects."""
    if isinstance(value, Mapping):
        return {**{key: with_unknown_keys(inner, more) for key, inner in value.items()}, **more}
    return [with_unknown_keys(inner, more) for inner in value] if is_array(value) else value


@st.composite
def bodies(draw: st.DrawFn) -> tuple[type[Body], Json]:
    model, body = draw(st.sampled_from(BODIES))
    return model, with_unknown_keys(
        body, draw(st.dictionaries(st.text().map("new ".__add__), json_values(), max_size=2))
    )


@given(bodies())
def test_a_body_is_read_back_unchanged_with_every_unknown_key(
    case: tuple[type[Body], Json],
) -> None:
    model, body = case
    read = model.model_validate(body)
    assert json_equal(to_payload(read), body)
    assert model.model_validate(to_payload(read)) == read


@given(bodies(), st.data())
def test_an_omitted_key_is_not_written(case: tuple[type[Body], Json], data: st.DataObject) -> None:
    model, body = case
    assert isinstance(body, dict)
    left = {key: value for key, value in body.items() if data.draw(st.booleans())}
    needed = {field.alias or name for name, field in model.model_fields.items() if field.is_required()}
    if needed <= left.keys():
        assert json_equal(to_payload(model.model_validate(left)), left)
    else:
        with pytest.raises(ValidationError):
            model.model_validate(left)


@given(json_values())
def test_a_layout_is_sent_unchanged_whatever_it_contains(layout: Json) -> None:
    read = BatchUpdate.model_validate({"batch_items": layout})
    assert to_payload(read)["batch_items"] is layout


def test_a_lone_surrogate_in_a_layout_survives() -> None:
    layout: Json = [{"\ud800": "\udfff"}]
    assert json.loads(to_json(to_payload(BatchUpdate(batch_items=layout)))) == {"batch_items": layout}


def test_an_update_without_fields_is_an_empty_object() -> None:
    assert to_payload(BatchUpdate()) == {}


def test_a_cleared_layout_is_distinguished_from_an_unchanged_one() -> None:
    cleared, left = BatchUpdate(batch_items=None), BatchUpdate(name="New")
    assert cleared.has("batch_items")
    assert not left.has("batch_items")
    assert (to_payload(cleared), to_payload(left)) == ({"batch_items": None}, {"name": "New"})


@pytest.mark.parametrize("field", ["name", "task_details", "dataset_id", "auto_sync_enabled"])
def test_an_update_may_omit_a_field_but_not_send_it_as_null(field: str) -> None:
    with pytest.raises(ValidationError):
        BatchUpdate.model_validate({field: None})


def test_a_new_batch_may_have_null_for_dataset_and_layout() -> None:
    create = BatchCreate(name="A", workspace_id="w", task_details=DETAILS, dataset_id=None, batch_items=None)
    assert to_payload(create) == {
        "name": "A",
        "workspace_id": "w",
        "task_details": to_payload(DETAILS),
        "dataset_id": None,
        "batch_items": None,
    }


@pytest.mark.parametrize("wrong", [0, -1, 1.0, "1", True, None])
def test_tasks_per_group_is_a_positive_integer(wrong: Json) -> None:
    with pytest.raises(ValidationError):
        BatchSetup.model_validate({"tasks_per_group": wrong})


def test_defaults_of_a_request_are_readable_but_not_sent() -> None:
    assert BatchSetup().tasks_per_group == 1
    assert not BatchDuplicate().upload_new_dataset
    assert to_payload(BatchSetup()) == to_payload(BatchDuplicate()) == {}


def test_a_frozen_body_cannot_be_changed() -> None:
    setup = BatchSetup()
    with pytest.raises(ValidationError):
        setup.tasks_per_group = 2  # type: ignore[misc]  # the point of the test


def test_a_known_status_becomes_an_enum_member_and_an_unknown_one_a_string() -> None:
    known, unknown = (BatchStatusResponse.model_validate({"status": word}) for word in ("READY", "ARCHIVED"))
    assert known.status is BatchStatus.READY
    assert unknown.status == "ARCHIVED"
    assert type(to_payload(known)["status"]) is str


def test_missing_fields_of_a_response_are_empty_and_not_written_back() -> None:
    text: JsonObject = {"id": "b1", "status": "READY"}
    batch = Batch.model_validate(text)
    assert (batch.name, batch.datasets, batch.total_task_count, batch.auto_sync_enabled) == ("", (), 0, False)
    assert to_payload(batch) == text


def test_null_in_a_response_is_read_as_empty() -> None:
    text: JsonObject = {"id": "b1", "status": "READY", "name": None, "datasets": None, "batch_items": None}
    batch = Batch.model_validate({**text, "task_details": {"task_name": "Rate", "task_steps": None}})
    assert (batch.name, batch.datasets) == ("", ())
    assert batch.has("batch_items")
    assert batch.task_details is not None
    assert (batch.task_details.task_name, batch.task_details.task_steps) == ("Rate", "")


@pytest.mark.parametrize("essential", ["id", "status"])
def test_a_response_without_its_main_field_is_invalid(essential: str) -> None:
    with pytest.raises(ValidationError):
        Batch.model_validate({"id": "b1", "status": "READY", essential: None})


@pytest.mark.parametrize(
    ("given", "is_v4"),
    [({"schema": None}, True), ({"schema": {}}, True), ({"status": "READY", "schema_version": 4}, False)],
)
def test_a_dataset_with_the_key_schema_is_v4_even_if_it_is_null(given: JsonObject, is_v4: bool) -> None:
    assert Dataset.model_validate({"id": "d1", **given}).is_v4 == is_v4


def test_a_new_dataset_with_a_schema_is_v4_even_if_it_is_null() -> None:
    assert DatasetCreate(name="A", workspace_id="w", schema=None).is_v4
    assert not DatasetCreate(name="A", workspace_id="w").is_v4


@pytest.mark.parametrize("status", ImportStatus)
def test_an_import_is_unsettled_at_three_statuses(status: ImportStatus) -> None:
    waiting = {"uninitialised", "queued", "processing"}
    assert ImportJob(import_id="i", status=status).settled == (status not in waiting)


@pytest.mark.parametrize(
    ("status", "settled"),
    [("UNINITIALISED", False), ("PROCESSING", False), ("READY", True), ("ERROR", True), ("ODD", False)],
)
def test_a_batch_and_a_v3_dataset_are_settled_at_ready_and_error(status: str, settled: bool) -> None:
    assert BatchStatusResponse(status=status).settled == settled
    assert DatasetStatusResponse(status=status).settled == settled
