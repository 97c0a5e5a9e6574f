"""Checking every record of the data file against the schema, in a separate process."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from batchwright.data_files.checking import Rejection, Report, check_file_chunked
from batchwright.data_files.formats import RecordsFile
from batchwright.schema.model import Schema
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.child_process import run_in_process


class ValidationRun(QObject):
    """The latest check: its progress and its result."""

    changed = Signal()

    def __init__(
        self, tasks: Tasks, describe: Callable[[BaseException], TaskMessage], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tasks, self._describe = tasks, describe
        self._generation = 0
        self._reset()

    @property
    def rejections_by_record(self) -> Mapping[int, Rejection]:
        """The rejections by index of the record."""
        return self._rejections_by_record

    def start(
        self,
        file: RecordsFile,
        schema: Schema,
        line_number: Callable[[int], int | None],
        reasons: Mapping[str, str],
    ) -> None:
        """Check a file; a running check is cancelled.

        Args:
            file: the file with the records.
            schema: what they are checked against.
            line_number: returns the line of a record in the file of the user, if it is known.
            reasons: reasons that are said in another way for this file.
        """
        self._stop()
        self.is_running, self.fraction = True, 0.0
        self.changed.emit()
        generation = self._generation
        self._tasks.start(
            self._task_name, lambda: self._check(generation, file, schema, line_number, reasons)
        )

    def clear(self) -> None:
        """Discard the result, and cancel a running check."""
        self._stop()
        self.changed.emit()

    @property
    def _task_name(self) -> str:
        return f"data check {self._generation}"

    def _stop(self) -> None:
        self._tasks.cancel(self._task_name)
        self._generation += 1
        self._reset()

    def _reset(self) -> None:
        self.is_running = False
        self.fraction = 0.0
        self.report: Report | None = None
        self.error: TaskMessage | None = None
        self._rejections_by_record: Mapping[int, Rejection] = {}

    async def _check(
        self,
        generation: int,
        file: RecordsFile,
        schema: Schema,
        line_number: Callable[[int], int | None],
        reasons: Mapping[str, str],
    ) -> None:
        errors: list[Rejection] = []

        def in_file(error: Rejection) -> Rejection:
            line = line_number(error.record_index) or error.line
            return error._replace(line=line, reason=reasons.get(error.reason, error.reason))

        def on_progress(*update: object) -> None:
            match update:
                case (int() as read, int() as total):
                    self._on_progress(generation, read, total)
                case (tuple() as piece,):
                    errors.extend(in_file(error) for error in piece)

        try:
            report = await run_in_process(
                check_file_chunked, file.path, file.format, schema, on_progress=on_progress
            )
        except (OSError, ValueError) as error:  # errors about the file, also of the system
            if generation == self._generation:
                self.error = self._describe(error)
        else:
            if generation == self._generation:
                self.report = replace(report, errors=tuple(errors))
                self._rejections_by_record = {error.record_index: error for error in errors}
        if generation == self._generation:
            self.is_running = False
            self.changed.emit()

    def _on_progress(self, generation: int, read: int, total: int) -> None:
        if generation == self._generation:
            self.fraction = read / total if total else 0.0
            self.changed.emit()
