"""Changing the fields of a schema."""

from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import read_schema, write_schema
from batchwright.ui.data.schema.schema_editor import with_label, with_type, with_user_types

COLUMNS = ("a", "b", "c")
ORIGINAL = read_schema(
    {
        "strict": True,
        "fields": {"a": {"type": "text", "label": "A", "x": 1}, "c": {"type": "task_group_id"}},
        "y": 2,
    }
)


def test_a_new_field_has_the_position_of_its_column() -> None:
    changed = with_type(ORIGINAL, COLUMNS, None, "b", FieldType.TEXT)
    assert list(changed.fields) == ["a", "b", "c"]
    assert changed.fields["b"].label == "B"


def test_a_second_task_group_makes_the_first_one_metadata() -> None:
    changed = with_type(ORIGINAL, COLUMNS, None, "b", FieldType.TASK_GROUP_ID)
    assert changed.task_group_field == "b"
    assert changed.fields["c"].type is FieldType.METADATA


def test_unknown_keys_are_preserved() -> None:
    changed = write_schema(with_type(ORIGINAL, COLUMNS, None, "a", FieldType.METADATA))
    assert changed["y"] == 2
    assert changed["fields"]["a"] == {"type": "metadata", "x": 1}  # type: ignore[index,call-overload]  # an object
    assert changed["strict"] is True


def test_a_column_can_be_excluded_and_a_field_without_column_stays() -> None:
    assert list(with_type(ORIGINAL, ("a",), None, "a", None).fields) == ["c"]


def test_without_a_schema_the_proposed_field_is_used() -> None:
    changed = with_type(None, COLUMNS, Field(FieldType.TEXT, "Proposed"), "b", FieldType.IMAGE_URL)
    assert changed == Schema(strict=False, fields={"b": Field(FieldType.IMAGE_URL, "Proposed")})


def test_a_label_can_be_set_and_removed() -> None:
    assert with_label(ORIGINAL, "a", " Answer ").fields["a"].label == "Answer"
    assert with_label(ORIGINAL, "a", "  ").fields["a"].label is None
    assert with_label(ORIGINAL, "z", "Z") is ORIGINAL


def test_types_chosen_before_the_proposal_are_kept() -> None:
    proposed = Schema(strict=False, fields={name: Field(FieldType.TEXT, name.upper()) for name in COLUMNS})
    own = Schema(strict=True, fields={"b": Field(FieldType.METADATA)})
    schema = with_user_types(proposed, own, COLUMNS, {"b", "c"})
    assert schema.strict
    assert {name: field.type for name, field in schema.fields.items()} == {
        "a": FieldType.TEXT,
        "b": FieldType.METADATA,
    }
