"""The preview of a schema change: its consequences and rejections."""

from dataclasses import replace

import pytest

from batchwright.data_files.migration_impact import ClearedValues
from batchwright.schema.model import Field, FieldType, Schema, are_equivalent
from batchwright.ui.data.schema.schema_dialog import (
    change_lines,
    change_rejection,
    cleared_values_text,
    migration_summary,
)
from batchwright.ui.data.schema.schema_diff import SchemaDiff

TEXT, TAG, GROUP = FieldType.TEXT, FieldType.METADATA, FieldType.TASK_GROUP_ID
OLD = Schema(strict=False, fields={"prompt": Field(TEXT, "Prompt"), "topic": Field(TAG)})


def planned(new: Schema, *, old: Schema | None = OLD, records: int = 100) -> SchemaDiff:
    return SchemaDiff(old, new, 2, records)


def with_fields(**fields: Field) -> Schema:
    return Schema(strict=False, fields=fields)


def test_added_removed_and_changed_fields_are_listed_with_the_consequence() -> None:
    plan = planned(with_fields(topic=Field(TEXT, "Topic"), source=Field(TAG)))
    assert [(line.glyph, line.title, line.consequence) for line in change_lines(plan)] == [
        ("plus", "source  ·  Metadata", "Empty in the existing 100 records"),
        ("trash", "prompt", "Its values are not kept"),
        ("pencil-simple", "topic", "Metadata to Text"),
        ("pencil-simple", "topic", "Participants see “Topic”"),
    ]


def test_strictness_and_field_order_are_listed_as_changes() -> None:
    new = Schema(strict=True, fields=dict(reversed(list(OLD.fields.items()))))
    assert [line.title for line in change_lines(planned(new))] == [
        "Every field must be filled",
        "Order of the fields",
    ]


def test_the_first_schema_starts_no_migration() -> None:
    text = migration_summary("Cats", planned(OLD, old=None))
    assert "first schema" in text
    assert "Nothing is migrated" in text


def test_changing_the_schema_of_a_dataset_with_records_starts_a_migration() -> None:
    assert "its 100 records are migrated" in migration_summary("Cats", planned(with_fields()))


@pytest.mark.parametrize(
    ("was", "will", "word"),
    [
        (TAG, GROUP, "would become the task group"),
        (GROUP, TAG, "no longer be the task group"),
    ],
)
def test_changing_the_task_group_field_is_rejected_if_there_are_records(
    was: FieldType, will: FieldType, word: str
) -> None:
    plan = planned(with_fields(topic=Field(will)), old=with_fields(topic=Field(was)))
    assert word in change_rejection(plan)
    assert not change_rejection(replace(plan, records=0))


def test_moving_the_task_group_to_another_column_is_rejected() -> None:
    old, new = with_fields(a=Field(GROUP), b=Field(TAG)), with_fields(a=Field(TAG), b=Field(GROUP))
    assert "from “a” to “b”" in change_rejection(planned(new, old=old))


def test_a_v3_dataset_rejects_a_schema() -> None:
    assert "V3" in change_rejection(replace(planned(OLD), is_v4=False))


def test_unknown_keys_of_a_field_do_not_make_a_different_schema() -> None:
    field = Field(TEXT, "Prompt", {"type": "text", "label": "Prompt", "note": 1})
    assert are_equivalent(replace(OLD, fields={**OLD.fields, "prompt": field}), OLD)
    assert not are_equivalent(OLD, None)


@pytest.mark.parametrize(
    ("emptied", "records", "text"),
    [
        (0, 100, "Every value fits; none will be cleared."),
        (1, 100, "1 of 99 values will be cleared, for example “cat.png”."),
        (1, 120, "Counted in the 100 records of this file; the dataset has 120."),
    ],
)
def test_the_preview_shows_how_many_records_lose_values(emptied: int, records: int, text: str) -> None:
    counts = {"topic": emptied} if emptied else {}
    matches = ClearedValues(100, {"topic": 99}, counts, {"topic": "cat.png"})
    assert text in cleared_values_text("topic", matches, records)


def test_a_file_without_the_records_of_the_dataset_says_nothing_about_their_values() -> None:
    assert "could not be counted" in cleared_values_text("topic", ClearedValues(), 100)
    assert "none will be cleared" in cleared_values_text("topic", ClearedValues(), 0)


@pytest.mark.parametrize(("type", "may"), [(TEXT, False), (FieldType.IMAGE_URL, True)])
def test_only_a_change_to_a_url_type_may_clear_values(type: FieldType, may: bool) -> None:
    new = with_fields(prompt=Field(TEXT, "Prompt"), topic=Field(type))
    assert planned(new).may_clear_values is may
    assert not planned(new, records=0).may_clear_values


def test_a_schema_without_fields_is_rejected_before_it_is_sent() -> None:
    assert "1 to 200 fields" in change_rejection(planned(Schema(strict=False, fields={})))
