"""What is said of a column: before it is looked at, when it is, and when the file has none."""

from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.data.columns import schema_columns
from batchwright.ui.data.labels import column_summary

SCHEMA = Schema(strict=False, fields={"prompt": Field(FieldType.TEXT), "gone": Field(FieldType.TEXT)})


def test_a_column_is_not_called_absent_before_the_file_was_read() -> None:
    parts = schema_columns(("prompt",), SCHEMA, None)
    assert [(part.name, column_summary(part)) for part in parts] == [
        ("prompt", "Not read yet"),
        ("gone", "Not in this file"),
    ]
