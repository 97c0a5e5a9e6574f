"""The columns of a file matched with the fields of the schema, with the statistics of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.data_files.profiling import ColumnStats, FileProfile
from batchwright.schema.model import Field, FieldType, Schema


@dataclass(frozen=True)
class SchemaColumn:
    """A column of the file, or a field that the file lacks; `type` is None for a column that is left out."""

    name: str
    type: FieldType | None
    label: str
    stats: ColumnStats | None
    reason: str
    can_be_field: bool = True
    is_excluded_column: bool = False
    """Whether the proposed schema leaves it out, for `reason`."""
    is_in_file: bool | None = True
    """Whether the file contains it, as far as the file was read; None if there is no file."""


def schema_columns(
    columns: Sequence[str] | None, schema: Schema | None, profile: FileProfile | None
) -> tuple[SchemaColumn, ...]:
    """The columns of the file, then the fields that it lacks; `columns` is None if there is no file."""
    fields = schema.fields if schema else {}
    names = dict.fromkeys((*(columns or ()), *fields))
    is_in_file = dict.fromkeys(names, None if columns is None else False) | dict.fromkeys(columns or (), True)
    return tuple(
        _schema_column(name, fields.get(name), profile, is_in_file=is_in_file[name]) for name in names if name
    )


def _schema_column(
    name: str, field: Field | None, profile: FileProfile | None, *, is_in_file: bool | None
) -> SchemaColumn:
    stats = profile.column_stats.get(name) if profile and is_in_file else None
    exclusion = profile.proposal.excluded.get(name, "") if profile else ""
    reason = exclusion or (profile.proposal.reasons.get(name, "") if profile else "")
    label = (field and field.label) or ""
    can_be_field = not exclusion or name in profile.proposal.optional if profile else True
    return SchemaColumn(
        name,
        field.type if field else None,
        label,
        stats,
        reason,
        can_be_field,
        bool(exclusion),
        is_in_file,
    )
