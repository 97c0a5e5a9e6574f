"""The summary of a column: before the file is profiled, afterwards, and if the file has no such column."""

from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.data.labels import column_summary
from batchwright.ui.data.schema.schema_columns import schema_columns

SCHEMA = Schema(strict=False, fields={"prompt": Field(FieldType.TEXT), "gone": Field(FieldType.TEXT)})


def test_before_the_file_is_profiled_only_columns_it_lacks_are_reported_missing() -> None:
    parts = schema_columns(("prompt",), SCHEMA, None)
    assert [(part.name, column_summary(part)) for part in parts] == [
        ("prompt", "Not read yet"),
        ("gone", "Not in this file"),
    ]
