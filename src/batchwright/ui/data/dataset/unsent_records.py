"""The records of the data file that its dataset lacks: they were rejected when the others were sent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.data_files.conversion.conversion import Changes
from batchwright.data_files.conversion.edit_list import CellEdit
from batchwright.local.projects import DataFile
from batchwright.schema.model import Schema
from batchwright.ui.data.file.validation_run import ValidationRun


@dataclass(frozen=True)
class UnsentRecords:
    """Which records of a file were rejected, when the others became a dataset."""

    connection: str
    path: Path
    """The data file of the user."""
    schema: Schema
    changes: Changes
    """What was made of the records of the file when the others were sent."""
    records: frozenset[int]
    """Their indexes."""
    dataset_id: str = ""
    """The dataset; empty while the others are being sent."""

    def corrected(self, data: DataFile, schema: Schema, validation: ValidationRun) -> tuple[int, ...]:
        """The indexes of those that were changed since and would be accepted now, ascending.

        There are none if something else was changed as well: the dataset would have other records than the
        file then.
        """
        edits, known = data.changes.edits, len(self.changes.edits)
        earlier, later = data.changes._replace(edits=edits[:known]), edits[known:]
        is_same = (data.path, schema, earlier) == (self.path, self.schema, self.changes)
        if not is_same or not lists_all(validation):
            return ()
        changed = {edit.record for edit in later if isinstance(edit, CellEdit)}
        if not all(isinstance(edit, CellEdit) for edit in later) or not changed <= self.records:
            return ()
        return tuple(sorted(changed - validation.rejections_by_record.keys()))

    def without(self, records: Iterable[int], changes: Changes) -> "UnsentRecords":
        """Those that are left after some were sent, with the changes of that time."""
        return replace(self, records=self.records - set(records), changes=changes)


def lists_all(validation: ValidationRun) -> bool:
    """Whether a file was checked, and all records that would be rejected are known."""
    report = validation.report
    return report is not None and report.rejected == len(validation.rejections_by_record)
