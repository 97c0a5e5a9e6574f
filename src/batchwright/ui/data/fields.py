"""Pure functions that change the fields of a schema and return the new schema."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import MAX_FIELDS


def with_type(
    schema: Schema | None, columns: Sequence[str], proposed: Field | None, name: str, type: FieldType | None
) -> Schema:
    """A schema in which a field has this type, or is left out for None.

    There is at most one task group: a previous one becomes metadata. The fields keep the order of the
    columns. A field that participants see gets the proposed label if it has none.
    """
    fields_by_name = dict(schema.fields) if schema else {}
    if type is None:
        fields_by_name.pop(name, None)
    else:
        if type is FieldType.TASK_GROUP_ID:
            fields_by_name = {key: _ungrouped(field) for key, field in fields_by_name.items()}
        old = fields_by_name.get(name) or proposed or Field(type)
        label = (old.label or label_of(name)) if type.referable else None
        fields_by_name[name] = replace(old, type=type, label=label)
    order = dict.fromkeys((*columns, *fields_by_name))
    fields = {key: fields_by_name[key] for key in order if key in fields_by_name}
    return replace(schema or Schema(strict=False, fields={}), fields=fields)


def restore_field(schema: Schema | None, before: Schema, name: str) -> Schema:
    """A schema with a field of an earlier schema restored, unchanged and in its old position."""
    fields_by_name, again = dict(schema.fields) if schema else {}, before.fields[name]
    if again.type is FieldType.TASK_GROUP_ID:
        fields_by_name = {key: _ungrouped(field) for key, field in fields_by_name.items()}
    fields_by_name[name] = again
    order = dict.fromkeys((*before.fields, *fields_by_name))
    return replace(
        schema or before, fields={key: fields_by_name[key] for key in order if key in fields_by_name}
    )


def with_label(schema: Schema, name: str, label: str) -> Schema:
    """A schema in which a field has this label; an empty text removes the label."""
    if name not in schema.fields:
        return schema
    named = replace(schema.fields[name], label=label.strip() or None)
    return replace(schema, fields={**schema.fields, name: named})


def with_user_types(proposed: Schema, own: Schema, columns: Sequence[str], chosen: Iterable[str]) -> Schema:
    """A proposed schema, with the types that the user chose before it was available; strictness is kept."""
    schema = replace(proposed, strict=own.strict)
    for name in sorted(chosen):
        field = own.fields.get(name)
        schema = with_type(schema, columns, None, name, field.type if field else None)
        schema = with_label(schema, name, (field and field.label) or "")
    return schema


def with_proposed(schema: Schema, columns: Sequence[str], proposed: Schema, names: Iterable[str]) -> Schema:
    """A schema to which these fields of a proposed other are added, up to the maximum number of fields."""
    for name in names:
        if name in schema.fields or len(schema.fields) == MAX_FIELDS:
            continue
        field = proposed.fields[name]
        is_grouped = any(other.type is FieldType.TASK_GROUP_ID for other in schema.fields.values())
        schema = with_type(schema, columns, field, name, _ungrouped(field).type if is_grouped else field.type)
    return schema


def label_of(name: str) -> str:
    """The label derived from a column's name."""
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def _ungrouped(field: Field) -> Field:
    return replace(field, type=FieldType.METADATA) if field.type is FieldType.TASK_GROUP_ID else field
