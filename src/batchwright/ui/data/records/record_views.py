"""Which records of the data file are shown, in which order, and what a search finds among them."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from batchwright.data_files.views.answering import Question, answer_queries
from batchwright.data_files.views.record_query import (
    ColumnCounts,
    CountsQuestion,
    MarksQuestion,
    RecordMarks,
    RecordQuery,
    RecordView,
)
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.data.file.data_file import DataFileModel, FileSummary

if TYPE_CHECKING:  # imported only when something is asked
    from multiprocessing.connection import Connection


class RecordViews(QObject):
    """Asks a child process, which is started with the first question and ends with the file."""

    changed = Signal()
    """The query or the view has changed."""
    counts_changed = Signal()
    marks_changed = Signal()

    def __init__(
        self,
        file: DataFileModel,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._file, self._tasks, self._describe = file, tasks, describe
        self._generation = 0
        self._questions: Connection[Question, None] | None = None
        self._unsent: dict[type, Question] = {}
        """Questions that wait until the file can be read."""
        self._shown: FileSummary | None = None
        self.query = RecordQuery()
        self.view: RecordView | None = None
        """The latest view; it may be of an earlier query, or of the records read so far."""
        self.counts: ColumnCounts | None = None
        self.marks: RecordMarks | None = None
        """What is conspicuous among all records, once that was asked and answered."""
        self.is_marking = False
        """Whether that is being counted."""
        self.error: TaskMessage | None = None
        file.changed.connect(self._on_file_changed)
        file.count_changed.connect(self._send)
        file.edited.connect(self._on_edited)

    @property
    def is_searching(self) -> bool:
        """Whether the view of the query is not complete yet."""
        is_asked = self.query != RecordQuery() and self.error is None
        return is_asked and (self.view is None or self.view.query != self.query or not self.view.is_complete)

    def set_query(self, query: RecordQuery) -> None:
        """Show what a query finds."""
        if query == self.query:
            return
        self.query, self.error = query, None
        if query == RecordQuery():
            self.view = None
            self._unsent.pop(RecordQuery, None)
        else:
            self._ask(query)
        self.changed.emit()

    def ask_counts(self, question: CountsQuestion) -> None:
        """Count the values of a column; `counts` has the result, first that of the records read so far."""
        self.counts, self.error = self._known_counts(question), None
        if self.counts is None:
            self._ask(question)

    def _known_counts(self, question: CountsQuestion) -> ColumnCounts | None:
        """The counts of a column among those of all columns, if these were asked for before."""
        known = () if self.marks is None else self.marks.columns
        return next((counts for counts in known if counts.question == question), None)

    def ask_marks(self, question: MarksQuestion) -> None:
        """Find what is conspicuous in all columns; `marks` has the result."""
        self.error, self.is_marking = None, True
        self.marks_changed.emit()
        self._ask(question)

    def next_hit(self, row: int, step: int) -> int | None:
        """The row of the next hit (1) or the previous one (-1), as seen from a row; None without hits."""
        hits = self.view.hits if self.view is not None else ()
        if not hits:
            return None
        at = bisect_right(hits, row) if step > 0 else bisect_left(hits, row) - 1
        return hits[at % len(hits)]

    def hit_number(self, row: int) -> int | None:
        """The number of the hit in a row, counted from 1; None if there is none."""
        hits = self.view.hits if self.view is not None else ()
        at = bisect_left(hits, row)
        return at + 1 if at < len(hits) and hits[at] == row else None

    def _ask(self, question: Question) -> None:
        self._unsent[type(question)] = question
        self._send()

    def _send(self) -> None:
        """Send the questions as soon as the file has its records."""
        summary = self._file.summary
        if not self._unsent or summary is None or not summary.is_counted:
            return
        if self._questions is None:
            self._start(summary)
        if self._questions is not None:
            with suppress(OSError):  # the process has ended; its error is shown
                for question in self._unsent.values():
                    self._questions.send(question)
        self._unsent.clear()

    def _start(self, summary: FileSummary) -> None:
        from multiprocessing import Pipe

        self._questions, theirs = Pipe()
        generation = self._generation
        self._tasks.start(self._task_name, lambda: self._run(generation, summary, theirs))

    @property
    def _task_name(self) -> str:
        return f"record views {self._generation}"

    async def _run(
        self, generation: int, summary: FileSummary, questions: "Connection[None, Question]"
    ) -> None:
        try:
            await run_in_process(
                answer_queries,
                summary.file,
                summary.columns,
                questions,
                on_progress=lambda answer: self._on_answer(generation, answer),
            )
        except (OSError, ValueError) as error:  # errors about the file, also of the system
            if generation == self._generation:
                self._stop()
                self.is_marking = False
                self.marks_changed.emit()
                self.error = self._describe(error)
                self.changed.emit()
        finally:
            questions.close()

    def _on_answer(self, generation: int, answer: object) -> None:
        if generation != self._generation:
            return
        if isinstance(answer, ColumnCounts):
            self.counts = answer
            self.counts_changed.emit()
        elif isinstance(answer, RecordMarks):
            if answer.is_complete:
                self.marks, self.is_marking = answer, False
                self.marks_changed.emit()
        elif isinstance(answer, RecordView) and answer.query == self.query:
            self.view = answer
            self.changed.emit()

    def _stop(self) -> None:
        self._tasks.cancel(self._task_name)
        self._generation += 1
        self._unsent.clear()
        if self._questions is not None:
            self._questions.close()
            self._questions = None

    def _on_edited(self) -> None:
        """Ask again when the file is converted with other edits; what was found before is shown meanwhile."""
        if self._file.shown_edits is not None:
            return
        self._stop()
        self._shown, self.counts, self.error = self._file.summary, None, None
        self.marks, self.is_marking = None, False
        self.marks_changed.emit()
        if self.query != RecordQuery():
            self._ask(self.query)

    def _on_file_changed(self) -> None:
        """Show all records of another file; of the same one with the same columns, what was shown before."""
        summary, before = self._file.summary, self._shown
        self._stop()
        if summary is None and before is not None and before.path == self._file.path:
            return  # it is read again
        is_same = summary is not None and before is not None and _table_of(summary) == _table_of(before)
        self._shown, self.view, self.counts, self.marks = summary, None, None, None
        self.is_marking = False
        self.marks_changed.emit()
        query, self.query, self.error = self.query, RecordQuery(), None
        self.changed.emit()
        if is_same:
            self.set_query(query)


def _table_of(summary: FileSummary) -> tuple[Path, tuple[str, ...]]:
    """What stays while a file is changed and read again."""
    return summary.path, summary.columns
