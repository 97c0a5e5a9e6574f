"""Response tables of the wire reference, sections 5 to 10: batches, syncs, responses, exports, instructions,
collections.
"""

from typing import Any

from tests.service.independent_client.shapes import (
    Kind,
    Table,
    anything,
    boolean,
    each,
    integer,
    object_id,
    one_of,
    or_null,
    text,
    timestamp,
    uuid,
)

TASK_DETAILS = Table({"task_name": text, "task_introduction": text, "task_steps": text})
BATCH_STATUS = one_of("UNINITIALISED", "PROCESSING", "READY", "ERROR")

_BATCH: dict[str, Kind] = {
    "id": uuid,
    "created_at": timestamp,
    "created_by": object_id,
    "name": text,
    "workspace_id": text,
    "status": BATCH_STATUS,
    "task_details": TASK_DETAILS,
    "total_task_count": integer,
    "total_instruction_count": integer,
    "auto_sync_enabled": boolean,
}
NEW_BATCH = Table(
    {**_BATCH, "datasets": each(Table({"id": uuid, "total_datapoint_count": integer}))},
    {"total_task_groups": integer, "batch_items": anything},
)
BATCH = Table(
    {
        **_BATCH,
        "datasets": each(Table({"id": uuid, "total_datapoint_count": integer, "filename": text})),
        "total_task_groups": integer,
        "schema_version": integer,
        "batch_items": anything,
    },
    {"tasks_per_group": integer},
)

_SYNC: dict[str, Kind] = {
    "batch_id": uuid,
    "dataset_id": uuid,
    "sync_id": uuid,
    "created_at": timestamp,
    "updated_at": timestamp,
    "status": text,
}
COUNTS = ("tasks_created", "datapoints_processed", "groups_created", "groups_expanded")
SYNCS = {
    "queued": Table(_SYNC),
    "processing": Table(_SYNC),
    "complete": Table({**_SYNC, **dict.fromkeys(COUNTS, integer)}),
    "failed": Table({**_SYNC, "reason": text}),
}


def scalar(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)


ANSWERS: dict[str, Table] = {
    "free_text": Table({"value": text}),
    "free_text_with_unit": Table({"value": text, "unit": scalar}),
    "multiple_choice": Table({"value": scalar}),
    "multiple_choice_with_free_text": Table({"value": scalar}, {"explanation": text}),
    "file_upload": Table(
        {
            "file_key": text,
            "file_name": text,
            "file_size_mb": lambda value: type(value) in (int, float),
            "content_type": text,
        }
    ),
}


def response(value: Any) -> bool:
    assert set(value) == {"instruction_id", "type", "answer"}
    assert isinstance(value["instruction_id"], str)
    return each(ANSWERS[value["type"]])(value["answer"])


_RESPONSE_MAY: dict[str, Kind] = {
    "submission_id": object_id,
    "correlation_id": text,
    "metadata": lambda value: isinstance(value, dict),
    "schema_version": integer,
    "no_submission": boolean,
}
RESPONSE = Table(
    {
        "id": uuid,
        "created_at": timestamp,
        "batch_id": uuid,
        "participant_id": object_id,
        "task_id": text,
        "response": response,
    },
    _RESPONSE_MAY,
)
COLLECTION_RESPONSE = Table(
    {
        "id": uuid,
        "created_at": timestamp,
        "collection_id": uuid,
        "participant_id": object_id,
        "response": response,
    },
    {"submission_id": object_id},
)
REPORT = Table({"url": text, "expires_at": timestamp, "http_method": one_of("GET")})

EXPORTS = {
    "generating": Table({"status": text, "export_id": uuid}),
    "complete": Table({"status": text, "url": text, "expires_at": timestamp}, {"export_id": uuid}),
    "failed": Table({"status": text}, {"export_id": uuid}),
}

INSTRUCTION = Table(
    {
        "id": uuid,
        "type": one_of(*ANSWERS),
        "description": text,
        "created_at": timestamp,
        "created_by": text,
        "parent_id": uuid,
        "parent_type": one_of("batch", "collection"),
    },
    dict.fromkeys(
        (
            *("helper_text", "placeholder_text_input", "answer_limit", "disable_dropdown", "options"),
            *("unit_options", "unit_position", "default_unit", "validation", "accepted_file_types"),
            *("max_file_size_mb", "min_file_count", "max_file_count", "order"),
        ),
        anything,
    ),
)

PAGE_ITEM: dict[str, Kind] = {
    "id": uuid,
    "type": text,
    "created_at": timestamp,
    "created_by": object_id,
    "parent_id": uuid,
    "parent_type": one_of("collection", "batch"),
    "order": integer,
}
IMAGE = Table({**PAGE_ITEM, "url": text, "alt_text": text, "schema_version": integer}, {"caption": text})
RICH_TEXT = Table(
    {**PAGE_ITEM, "content": text, "schema_version": integer}, {"content_format": one_of("html")}
)
ORDERED_QUESTION = Table({**PAGE_ITEM, "description": text}, INSTRUCTION.may)


def page_item(item: Any) -> bool:
    return {"image": IMAGE, "rich_text": RICH_TEXT}.get(item["type"], ORDERED_QUESTION)(item)


COLLECTION_PAGE = Table(
    {
        "id": uuid,
        "created_at": timestamp,
        "created_by": object_id,
        "schema_version": integer,
        "order": integer,
        "page_items": each(page_item),
    }
)
COLLECTION = Table(
    {
        "id": uuid,
        "schema_version": lambda value: value == 1,
        "created_at": timestamp,
        "created_by": object_id,
        "workspace_id": text,
        "name": text,
        "task_details": TASK_DETAILS,
        "collection_items": each(COLLECTION_PAGE),
        "item_count": integer,
    },
    {"last_modified_at": or_null(timestamp), "last_modified_by": or_null(object_id)},
)
