"""Counts the values that a migration would clear, before it is started (wire reference, section 4.10).

The values are validated by the same code as in the migration itself, so that the number is the actual one.
This is only possible if the dataset was created from the file that is open.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from batchwright.data_files.checking import Progress, throttled
from batchwright.data_files.formats import Format
from batchwright.data_files.reader import checked_records
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RecordError, RecordValidator, Value


@dataclass(frozen=True)
class ClearedValues:
    """The values that another schema would clear in `records` records, by field."""

    records: int = 0
    filled: Mapping[str, int] = field(default_factory=dict)
    """The number of values of each field whose type changes."""
    emptied: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, Value] = field(default_factory=dict)
    """The first value of each field that would be cleared."""


def count_cleared_values(
    path: Path, file_format: Format, old: Schema, new: Schema, on_progress: Progress
) -> ClearedValues:
    """Validate the values of the fields whose type changes, as a migration does.

    Args:
        path: the file that the dataset was created from.
        file_format: its format.
        old: the current schema; records that it rejects are not in the dataset.
        new: the schema after the migration.
        on_progress: called with the bytes read and all bytes.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    changed = {
        name: new_field
        for name, new_field in new.fields.items()
        if name in old.fields and old.fields[name].type is not new_field.type
    }
    validator = RecordValidator(replace(new, fields=changed))
    records, examples = 0, dict[str, Value]()
    filled, emptied = Counter[str](), Counter[str]()
    for entry in checked_records(path, file_format, RecordValidator(old), throttled(path, on_progress)):
        record = entry.content
        if isinstance(record, RecordError):
            continue
        records += 1
        filled.update(record.keys() & changed.keys())
        for error in validator.converted(record)[1]:
            emptied[error.field] += 1
            examples.setdefault(error.field, record[error.field])
    return ClearedValues(records, dict(filled), dict(emptied), examples)
