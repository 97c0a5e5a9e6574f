"""What is conspicuous among the records: conditions that lead to it, and when it is looked for unasked."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.data_files.views.record_query import (
    ColumnCounts,
    ConditionKind,
    MarksQuestion,
    RecordCondition,
    RecordMarks,
)
from batchwright.ui.data.file.data_file import FileSummary
from batchwright.ui.data.state import DataState

_MAX_CELLS = 1_000_000
"""Values of the largest files that are counted unasked: a process is busy for about two seconds."""
_PAUSE_MS = 1500
"""Milliseconds that the records are shown before they are counted, so that passing by costs nothing."""


def conspicuous(marks: RecordMarks) -> Iterator[tuple[RecordCondition, int]]:
    """Yield the conditions that some records fulfil, each with their number."""
    if marks.repeated_records:
        yield RecordCondition(ConditionKind.REPEATED, None), len(marks.repeated_records)
    for counts in marks.columns:
        yield from _conspicuous_in_column(counts, marks)


def _conspicuous_in_column(counts: ColumnCounts, marks: RecordMarks) -> Iterator[tuple[RecordCondition, int]]:
    at, kinds = counts.question.column, ConditionKind
    if 0 < counts.empty < counts.read:
        yield RecordCondition(kinds.EMPTY, at), counts.empty
    if at in marks.repeated:
        yield RecordCondition(kinds.REPEATED, at), counts.repeated
    if counts.bad_addresses:
        yield RecordCondition(kinds.BAD_ADDRESS, at, counts.question.type or ""), counts.bad_addresses
    if counts.short:
        yield RecordCondition(kinds.SHORTER, at, counts.short_below), counts.short
    if counts.long:
        yield RecordCondition(kinds.LONGER, at, counts.long_above), counts.long


class AutomaticMarks(QObject):
    """Looks for what is conspicuous once a file of moderate size is checked and shown."""

    def __init__(self, state: DataState, page: QWidget) -> None:
        super().__init__(page)
        self._state, self._page = state, page
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        state.validation.changed.connect(self._on_changed)
        page.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin when the records are shown."""
        if event.type() is QEvent.Type.Show:
            self._on_changed()
        return False

    def _on_changed(self) -> None:
        if self._is_wanted:
            self._timer.start()

    def _ask(self) -> None:
        if self._is_wanted:
            ask_marks(self._state)

    @property
    def _is_wanted(self) -> bool:
        state, summary = self._state, self._state.file.summary
        if summary is None or state.validation.report is None or not self._page.isVisible():
            return False
        is_prepared = bool(state.steps)  # values repeat by design
        is_small = summary.records * len(summary.columns) <= _MAX_CELLS
        marks = state.views.marks
        is_known = marks is not None and marks.question == _question(state, summary)
        return is_small and not is_prepared and not is_known and not state.views.is_marking


def ask_marks(state: DataState) -> None:
    """Look for what is conspicuous among all records."""
    if state.file.summary is not None:
        state.views.ask_marks(_question(state, state.file.summary))


def _question(state: DataState, summary: FileSummary) -> MarksQuestion:
    fields = state.study.schema.fields if state.study.schema is not None else {}
    return MarksQuestion(tuple(fields[name].type if name in fields else None for name in summary.columns))
