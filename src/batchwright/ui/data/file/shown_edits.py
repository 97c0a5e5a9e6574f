"""Edits beside the data file that are shown before the file is converted with them.

Converting takes as long as reading the file, but what an edit does to a record can be seen in the record.
"""

from collections.abc import Sequence

from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.data_files.conversion.column_edits import ColumnEdit
from batchwright.data_files.conversion.edit_list import CellEdit, Edit, RecordEditor, taken_back
from batchwright.data_files.rows import ParsedRecord


def record_content(names: Sequence[str], content: object) -> JsonObject | None:
    """A record as it is converted; None if it cannot be."""
    if is_object(content):
        return content
    if is_array(content) and len(content) == len(names):
        return {name: cell for name, cell in zip(names, content, strict=True) if cell != ""}
    return None


class ShownEdits:
    """The difference between the edits that a file was converted with, and those of the study."""

    def __init__(self, columns: Sequence[str], applied: Sequence[Edit], current: Sequence[Edit]) -> None:
        common = next(
            (number for number, pair in enumerate(zip(applied, current, strict=False)) if pair[0] != pair[1]),
            min(len(applied), len(current)),
        )
        self._columns, self._undone = columns, applied[common:]
        self._kept = {(edit.record, edit.column) for edit in applied[:common] if isinstance(edit, CellEdit)}
        self._editor = RecordEditor(current[common:])
        self._records: dict[int, ParsedRecord[Json]] = {}
        self._marks: dict[tuple[int, str], bool] = {}
        self.can_be_shown = all(isinstance(edit, CellEdit) for edit in self._undone) and not any(
            isinstance(edit, ColumnEdit) for edit in current[common:]
        )
        """Whether columns are the same, and a record shows what it was before the edits that were undone."""

    def record(self, entry: ParsedRecord[Json]) -> ParsedRecord[Json]:
        """A record of the file with the current edits."""
        found = self._records.get(entry.record_index)
        if found is None:
            found = self._records[entry.record_index] = self._edited(entry)
        return found

    def mark(self, record: int, column: str) -> bool | None:
        """Whether a value of a record that was shown is changed now; None if it is as in the file."""
        return self._marks.get((record, column))

    def _edited(self, entry: ParsedRecord[Json]) -> ParsedRecord[Json]:
        before = record_content(self._columns, entry.content)
        if before is None:
            return entry
        plain = before
        for edit in reversed(self._undone):
            if isinstance(edit, CellEdit) and edit.record == entry.record_index:
                plain = taken_back(plain, edit)
        after = self._editor.edit_record(entry.record_index, plain)
        if after is before:
            return entry
        for column in self._columns:
            if before.get(column) != after.get(column):
                cell = (entry.record_index, column)
                self._marks[cell] = cell in self._kept or plain.get(column) != after.get(column)
        return entry._replace(content=after)
