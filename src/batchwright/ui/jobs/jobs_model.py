"""The table model of the jobs."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QObject, Qt
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.jobs.labels import NO_LOOK, job_description, next_look, outcome, since, status
from batchwright.ui.jobs.state import Job, JobFilter
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.tables import Cell, CellRole, TextCell, accessible_text

_OUTCOME, _NEXT_LOOK = 2, 4
_FOLDED = (3, 4)
_SPOKEN = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.ToolTipRole,  # a narrow column elides reasons
)


class JobsModel(TableModel):
    """A row for each job that matches the filter; `seconds` returns the time until a job is polled next."""

    def __init__(self, seconds: Callable[[Job], float | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seconds = seconds
        self._jobs: list[Job] = []
        self._is_collapsed = False

    @property
    def collapsible_columns(self) -> Sequence[int]:
        """The columns hidden in a narrow window; second lines of other columns show their content."""
        return _FOLDED

    def set_collapsed(self, *, is_folded: bool) -> None:
        """Set whether second lines show the content of the collapsible columns."""
        if is_folded != self._is_collapsed:
            self._is_collapsed = is_folded
            self._notify_changed(0)

    def set_jobs(self, jobs: Sequence[Job], filter: JobFilter) -> None:
        """Show the jobs that match a filter; if they are the same rows as before, only their content is
        updated.
        """
        taken = [job for job in jobs if filter.matches(job, _said(job))]
        if [job.row.row_id for job in taken] == [job.row.row_id for job in self._jobs]:
            self._jobs = taken
            self._notify_changed(0)
            return
        self.beginResetModel()
        self._jobs = taken
        self.endResetModel()

    def refresh_next_poll(self) -> None:
        """Repaint the times until the next poll."""
        self._notify_changed(_OUTCOME if self._is_collapsed else _NEXT_LOOK)

    def job(self, row: int) -> Job | None:
        """The job in a row; None if there is no such row."""
        return self._jobs[row] if 0 <= row < len(self._jobs) else None

    def row_of(self, number: int) -> int:
        """The row of a job; -1 if it is not shown."""
        return next((row for row, job in enumerate(self._jobs) if job.row.row_id == number), -1)

    @override
    def row_count(self) -> int:
        return len(self._jobs)

    @override
    def column_count(self) -> int:
        return len(_heads())

    @override
    def heading(self, column: int, role: int) -> object:
        return _heads()[column] if role == Qt.ItemDataRole.DisplayRole else None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        cell = self._cell(self._jobs[row], column)
        if role == CellRole.CELL:
            return cell
        if role in _SPOKEN:
            return accessible_text(cell)
        return None

    def _cell(self, job: Job, column: int) -> Cell:
        if column == _NEXT_LOOK:
            return TextCell(next_look(job, self._seconds(job)), tone="text2")
        if self._is_collapsed and column == _OUTCOME:
            return _with_next_look(outcome(job), next_look(job, self._seconds(job)))
        shown = job_description(job, since(job) if self._is_collapsed else "")
        return (shown, status(job), outcome(job), TextCell(since(job), tone="text2"))[column]

    def _notify_changed(self, column: int) -> None:
        if self._jobs:
            last = self.index(len(self._jobs) - 1, self.columnCount() - 1, QModelIndex())
            self.dataChanged.emit(self.index(0, column, QModelIndex()), last)


def _heads() -> tuple[str, ...]:
    return _("Job"), _("State"), _("Progress or result"), _("Since"), _("Next check")


def _with_next_look(cell: Cell, look: str) -> Cell:
    """The cell of a result, with the time of the next poll as its second line unless it has one already."""
    if not isinstance(cell, TextCell) or cell.subtitle or look == NO_LOOK:
        return cell
    return replace(cell, subtitle=_("Next check: {when}").format(when=look))


def _said(job: Job) -> str:
    return " ".join(map(accessible_text, (job_description(job), status(job), outcome(job))))
