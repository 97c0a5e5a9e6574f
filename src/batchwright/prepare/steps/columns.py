"""Changes of columns among other steps, values that are replaced or cut, and rows kept for their values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.base.local_formats import joined, quoted
from batchwright.base.text import truncate
from batchwright.data_files.conversion.column_edits import ColumnEdit
from batchwright.data_files.profiling import as_text
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import ArrangedTable, ChangedTable, PreparedTable

_LONGEST_WORD = 60
"""Characters of the longest word that is not cut: texts without spaces, as in Chinese, have longer ones."""
_NAMED, _VALUE_CHARS = 5, 40
"""Values that a note names, and how many characters of each."""


@dataclass(frozen=True)
class ChangeColumn(Step):
    """Rename, leave out, read, split, join or fill a column, as it is done beside a data file."""

    label: ClassVar[str] = N_("Columns")
    edit: ColumnEdit

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        if problem := self.edit.problem(table.columns):
            raise StepProblem(problem)
        changed = self.edit.created or self.edit.needed
        columns = self.edit.columns(table.columns)
        return StepResult(ChangedTable(table, columns, changed, self.edit))


@dataclass(frozen=True)
class MapValues(Step):
    """Replace the values of a column; those that are not listed stay."""

    label: ClassVar[str] = N_("Replaced values")
    column: str
    values: Mapping[str, str]
    """The new value of each old one; empty to remove it."""

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, [self.column])
        numbered = table.numbered(self.column)
        names = table.texts(self.column, numbered.first_rows)
        counts = np.bincount(numbered.of_rows[numbered.of_rows >= 0], minlength=len(names))
        balance = [
            BalanceRow(_("Replaced values"), f"{name} → {self.values[name]}", int(count))
            for name, count in zip(names, counts, strict=True)
            if name in self.values
        ]
        found = frozenset(names)
        notes = _note_about_missing([name for name in self.values if name not in found])
        changed = ChangedTable(table, table.columns, [self.column], self._change)
        return StepResult(changed, notes, tuple(balance))

    def _change(self, record: JsonObject) -> JsonObject:
        value = record.get(self.column)
        new = None if value is None else self.values.get(as_text(value))
        if new is None:
            return record
        kept = {key: value for key, value in record.items() if key != self.column}
        return {**kept, self.column: new} if new else kept


def _note_about_missing(values: Sequence[str]) -> tuple[str, ...]:
    if len(values) < 2:
        return tuple(_("“{value}” is not in the column.").format(value=value) for value in values)
    text = ngettext(
        "{count} value is not in the column: {names}.",
        "{count} values are not in the column: {names}.",
        len(values),
    )
    names = (quoted(truncate(value, _VALUE_CHARS)) for value in values)
    return (text.format(count=len(values), names=joined(names, _NAMED)),)


@dataclass(frozen=True)
class CutTexts(Step):
    """Cut the texts of a column that are too long, at the end of a word where there is one."""

    label: ClassVar[str] = N_("Cut texts")
    column: str
    longest: int
    """The largest number of characters, with the ending."""
    ending: str = "…"
    """What is put behind a text that was cut."""

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, [self.column])
        if self.longest <= len(self.ending):
            raise StepProblem(_("The texts must be longer than their ending."))
        numbered = table.numbered(self.column)
        is_long = [len(text) > self.longest for text in table.texts(self.column, numbered.first_rows)]
        cut = int(np.count_nonzero(np.array([*is_long, False])[numbered.of_rows]))
        text = ngettext("{count} text is cut.", "{count} texts are cut.", cut).format(count=cut)
        return StepResult(ChangedTable(table, table.columns, [self.column], self._cut), (text,))

    def _cut(self, record: JsonObject) -> JsonObject:
        value = record.get(self.column)
        text = "" if value is None else as_text(value)
        if len(text) <= self.longest:
            return record
        start = text[: self.longest - len(self.ending) + 1]
        end = start.rfind(" ", max(0, len(start) - _LONGEST_WORD))
        words = start[:end].rstrip() if end >= 0 else ""
        return {**record, self.column: (words or start[:-1]) + self.ending}


@dataclass(frozen=True)
class KeepRows(Step):
    """Keep the rows whose value in a column fits; those without a value are left out."""

    label: ClassVar[str] = N_("Filter")
    least: ClassVar[Mapping[str, int]] = {"shortest": 0, "longest": 0}
    column: str
    shortest: int = 1
    """The least number of characters."""
    longest: int = 0
    """The largest number of characters; 0 for any."""
    values: tuple[str, ...] = ()
    """The values of the rows that are kept; empty for any."""
    without: tuple[str, ...] = ()
    """The values of rows that are left out."""

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, [self.column])
        numbered = table.numbered(self.column)
        values, without = frozenset(self.values), frozenset(self.without)
        fits = [
            self.shortest <= len(text) <= (self.longest or len(text))
            and text not in without
            and (not values or text in values)
            for text in table.texts(self.column, numbered.first_rows)
        ]
        kept = np.flatnonzero(np.array([*fits, False])[numbered.of_rows])
        left_out = table.length - len(kept)
        text = ngettext("{count} row is left out.", "{count} rows are left out.", left_out)
        notes = (text.format(count=left_out),) if left_out else ()
        return StepResult(ArrangedTable(table, kept), notes)
