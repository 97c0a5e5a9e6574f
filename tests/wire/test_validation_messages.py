"""Errors of a request are reported by field, with messages of the program."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from batchwright.base.json_values import Json
from batchwright.wire.account import ParticipantCreate
from batchwright.wire.base import Body, RequestBody
from batchwright.wire.batches import BatchCreate, BatchSetup, TaskDetails, TaskDetailsResponse
from batchwright.wire.collections import CollectionCreate, PageItemWrite, PageWrite
from batchwright.wire.errors import field_messages
from batchwright.wire.instructions import InstructionEntry, InstructionsAdd
from tests.wire.exchanges import ROUTES
from tests.wire.test_base import BODIES, json_values
from tests.wire.test_readme import models

NESTED_BODIES: set[type[Body]] = {
    TaskDetails,
    TaskDetailsResponse,
    InstructionEntry,
    PageItemWrite,
    PageWrite,
}
"""RunStates that occur only inside others."""

REQUESTS = [(model, body) for model, body in BODIES if issubclass(model, RequestBody)]


def messages(model: type[RequestBody], body: Json) -> dict[str, list[str]]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    return field_messages(caught.value)


def test_every_missing_field_of_a_new_batch_is_named() -> None:
    required = ["This field is required."]
    assert messages(BatchCreate, {}) == {"name": required, "workspace_id": required, "task_details": required}


def test_a_value_of_another_type_is_rejected_and_not_converted() -> None:
    body: Json = {
        "name": 3,
        "workspace_id": None,
        "task_details": [],
        "dataset_id": "not-a-uuid",
        "auto_sync_enabled": 1,
    }
    assert messages(BatchCreate, body) == {
        "name": ["This must be a string."],
        "workspace_id": ["This must be a string."],
        "task_details": ["This must be an object."],
        "dataset_id": ["This is no valid UUID."],
        "auto_sync_enabled": ["This must be true or false."],
    }


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (0, "This must be at least 1."),
        (1.5, "This must be a whole number."),
        ("2", "This must be a whole number."),
    ],
)
def test_tasks_per_group_is_rejected_with_a_plain_message(value: Json, sentence: str) -> None:
    assert messages(BatchSetup, {"tasks_per_group": value}) == {"tasks_per_group": [sentence]}


def test_a_test_participant_needs_an_address() -> None:
    assert messages(ParticipantCreate, {}) == {"email": ["This field is required."]}


def test_every_missing_field_of_a_new_collection_is_named() -> None:
    assert set(messages(CollectionCreate, {})) == {"name", "workspace_id", "task_details", "collection_items"}


def test_a_nested_error_is_reported_under_its_top_level_field_with_one_based_positions() -> None:
    details = {"task_name": "A", "task_introduction": "", "task_steps": ""}
    items: Json = [{"page_items": [{"type": "image"}, {"type": 3}, {"type": 3}]}]
    body: Json = {"name": "A", "workspace_id": "w", "task_details": details, "collection_items": items}
    assert messages(CollectionCreate, body) == {
        "collection_items": [
            "entry 1, page_items, entry 2, type: This must be a string.",
            "entry 1, page_items, entry 3, type: This must be a string.",
        ]
    }


@pytest.mark.parametrize("body", [None, [], "x", 3])
def test_a_body_that_is_not_an_object_is_rejected_with_a_general_message(body: Json) -> None:
    assert messages(BatchCreate, body) == {"body": ["This must be an object."]}


def test_a_key_with_a_lone_surrogate_is_rejected_with_a_message() -> None:
    assert messages(ParticipantCreate, {"email": "a@example.org", "\ud800": 1}) == {
        "body": ["This text contains a broken character and cannot be stored."]
    }


@st.composite
def with_another_value(draw: st.DrawFn, value: Json) -> Json:
    """The body with the value at one place, at any depth, replaced by another."""
    if draw(st.integers(0, 3)) == 0 or not isinstance(value, (dict, list)) or not value:
        return draw(json_values())
    if isinstance(value, dict):
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: draw(with_another_value(value[name]))}
    place = draw(st.integers(0, len(value) - 1))
    return [*value[:place], draw(with_another_value(value[place])), *value[place + 1 :]]


@given(
    st.sampled_from(REQUESTS).flatmap(lambda case: st.tuples(st.just(case[0]), with_another_value(case[1])))
)
def test_every_error_of_a_request_has_a_message_of_the_program(
    case: tuple[type[RequestBody], Json],
) -> None:
    model, body = case
    try:
        model.model_validate(body)
    except ValidationError as error:
        sentences = [sentence for actual in field_messages(error).values() for sentence in actual]
    else:
        sentences = ["This is fine."]
    assert sentences
    for sentence in sentences:
        assert re.search(r"^(entry \d+|[a-z_, ])*:? ?(This|An) .*\.$", sentence)


def test_every_request_model_is_tested() -> None:
    request = {model for model in models() if issubclass(model, RequestBody)} - NESTED_BODIES
    assert request == {item.requests for item in ROUTES if item.requests is not None}
    assert request == {model for model, _body in REQUESTS}


def test_the_errors_of_an_array_of_very_many_wrong_entries_are_counted() -> None:
    with pytest.raises(ValidationError) as caught:
        InstructionsAdd.model_validate({"instructions": [0] * 30_000})
    (message,) = field_messages(caught.value)["body"]
    assert message.startswith("The body has 30000 errors")
