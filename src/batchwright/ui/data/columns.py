"""The columns of a file beside the fields of the schema: what each is, and what is known of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.data_files.profiling import ColumnStats, FileProfile
from batchwright.schema.model import Field, FieldType, Schema


@dataclass(frozen=True)
class SchemaColumn:
    """A column of the file, or a field that the file lacks: its type, None where it is left out."""

    name: str
    type: FieldType | None
    label: str
    stats: ColumnStats | None
    reason: str
    can_be_field: bool = True
    is_left_out: bool = False
    """Whether the proposal leaves it out, for the reason given."""
    is_in_file: bool | None = True
    """Whether the file holds it, as far as it was read; None while there is no file."""


def schema_columns(
    columns: Sequence[str] | None, schema: Schema | None, profile: FileProfile | None
) -> tuple[SchemaColumn, ...]:
    """The columns in the order of the file, then the fields that it lacks; `columns` is None for no file."""
    fields = schema.fields if schema else {}
    names = dict.fromkeys((*(columns or ()), *fields))
    held = dict.fromkeys(names, None if columns is None else False) | dict.fromkeys(columns or (), True)
    return tuple(_part(name, fields.get(name), profile, is_column=held[name]) for name in names if name)


def _part(
    name: str, field: Field | None, profile: FileProfile | None, *, is_column: bool | None
) -> SchemaColumn:
    stats = profile.facts.get(name) if profile and is_column else None
    refusal = profile.proposal.left_out.get(name, "") if profile else ""
    reason = refusal or (profile.proposal.reasons.get(name, "") if profile else "")
    label = (field and field.label) or ""
    can_be_field = not refusal or name in profile.proposal.optional if profile else True
    return SchemaColumn(
        name, field.type if field else None, label, stats, reason, can_be_field, bool(refusal), is_column
    )
