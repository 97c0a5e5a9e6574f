"""The records of the data file that its dataset lacks: they were rejected when the others were sent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.data_files.conversion.edit_list import CellEdit, Edit
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
    edits: tuple[Edit, ...]
    """What was changed beside the file when the others were sent."""
    records: frozenset[int]
    """Their indexes."""
    dataset_id: str = ""
    """The dataset; empty while the others are being sent."""

    def mended(self, data: DataFile, schema: Schema, validation: ValidationRun) -> tuple[int, ...]:
        """The indexes of those that would be accepted by now, ascending.

        There are none if something else was changed as well: the dataset would have other records than the
        file then.
        """
        edits, earlier = data.edits, len(self.edits)
        is_same = (data.path, schema, edits[:earlier]) == (self.path, self.schema, self.edits)
        only_here = all(
            isinstance(edit, CellEdit) and edit.record in self.records for edit in edits[earlier:]
        )
        rejected = rejected_records(validation)
        if not is_same or not only_here or rejected is None:
            return ()
        return tuple(sorted(self.records - rejected))

    def without(self, records: Iterable[int], edits: tuple[Edit, ...]) -> "UnsentRecords":
        """Those that are left after some were sent, with the edits of that time."""
        return replace(self, records=self.records - set(records), edits=edits)


def rejected_records(validation: ValidationRun) -> frozenset[int] | None:
    """The indexes of the records that the check has rejected; None if it does not list all of them."""
    report = validation.report
    if report is None or report.rejected != len(validation.rejections_by_record):
        return None
    return frozenset(validation.rejections_by_record)
