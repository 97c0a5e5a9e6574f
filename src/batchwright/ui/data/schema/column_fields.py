"""What a change of the columns of the data file means for the schema and for the layout."""

from collections.abc import Sequence
from dataclasses import replace

from batchwright.base.json_values import JsonObject
from batchwright.data_files.conversion.column_edits import (
    ColumnEdit,
    LeaveOutColumn,
    ReadColumn,
    RenameColumn,
    ValueType,
)
from batchwright.data_files.schema_inference import proposed_type
from batchwright.layout.searching.field_references import RenameFields
from batchwright.local.projects import StudyContent
from batchwright.schema.model import FieldType, Schema
from batchwright.schema.parsing import MAX_FIELDS
from batchwright.ui.data.schema.schema_editor import with_name, with_type


def with_column_change(
    content: StudyContent, edit: ColumnEdit, columns: Sequence[str], records: Sequence[JsonObject]
) -> StudyContent:
    """What the user designs, after a change of columns.

    Items show a renamed column under its new name. A column that is left out is no field any more. A new one
    becomes a field, of the type that fits its values; but one that is made from what they do not see is
    not for them either.

    Args:
        content: what the user designs.
        edit: the change.
        columns: the columns after it.
        records: the first records before it, as examples.
    """
    schema = content.schema
    if schema is None:
        return content
    match edit:
        case RenameColumn(old, new):
            if old not in schema.fields:
                return content
            layout = RenameFields({old: new})(content.layout)
            return replace(content, schema=with_name(schema, old, new), layout=layout)
        case LeaveOutColumn(name):
            return replace(content, schema=with_type(schema, columns, None, name, None))
        case ReadColumn(name, ValueType.ADDRESS) if name in schema.fields:
            type = proposed_type(name, [edit(record).get(name) for record in records])
            is_address = type not in (FieldType.TEXT, FieldType.METADATA)
            changed = with_type(schema, columns, None, name, type) if is_address else schema
            return replace(content, schema=changed)
    for name in edit.created:
        if name not in schema.fields and len(schema.fields) < MAX_FIELDS:
            examples = [edit(record).get(name) for record in records]
            type = _type_of_new(schema, edit, proposed_type(name, examples))
            schema = with_type(schema, columns, None, name, type)
    return replace(content, schema=schema)


def _type_of_new(schema: Schema, edit: ColumnEdit, proposed: FieldType) -> FieldType:
    """The type of a new field; metadata if it is made from a column that participants do not see."""
    sources = [schema.fields.get(name) for name in edit.needed]
    is_hidden = any(field is None or field.type is FieldType.METADATA for field in sources)
    return FieldType.METADATA if proposed is FieldType.TEXT and is_hidden else proposed
