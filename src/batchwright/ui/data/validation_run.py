"""Checking every record of the file against the schema, in a process of its own."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.data_files.checking import Rejection, Report, check_file_chunked
from batchwright.data_files.formats import Format
from batchwright.schema.model import Schema
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.process_pool import run_in_process


class ValidationRun(QObject):
    """The latest check: how far it is, and what it found."""

    changed = Signal()

    def __init__(
        self, tasks: Tasks, describe: Callable[[BaseException], TaskMessage], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tasks, self._describe = tasks, describe
        self._turn = 0
        self._clear()

    @property
    def bad(self) -> Mapping[int, Rejection]:
        """The rejections by the index of the record."""
        return self._bad

    def start(self, path: Path, form: Format, schema: Schema) -> None:
        """Check a file; a check that goes on is given up."""
        self._stop()
        self.is_running, self.done = True, 0.0
        self.changed.emit()
        turn = self._turn
        self._tasks.start(self._name, lambda: self._check(turn, path, form, schema))

    def forget(self) -> None:
        """Have checked nothing."""
        self._stop()
        self.changed.emit()

    @property
    def _name(self) -> str:
        return f"data check {self._turn}"

    def _stop(self) -> None:
        self._tasks.cancel(self._name)
        self._turn += 1
        self._clear()

    def _clear(self) -> None:
        self.is_running = False
        self.done = 0.0
        self.report: Report | None = None
        self.fault: TaskMessage | None = None
        self._bad: Mapping[int, Rejection] = {}

    async def _check(self, turn: int, path: Path, form: Format, schema: Schema) -> None:
        errors: list[Rejection] = []

        def told(*news: object) -> None:
            match news:
                case (int() as read, int() as total):
                    self._go_on(turn, read, total)
                case (tuple() as piece,):
                    errors.extend(piece)

        try:
            report = await run_in_process(check_file_chunked, path, form, schema, told=told)
        except (OSError, ValueError) as fault:  # what `tables` raises of a file, and what the system does
            if turn == self._turn:
                self.fault = self._describe(fault)
        else:
            if turn == self._turn:
                self.report = replace(report, errors=tuple(errors))
                self._bad = {error.record_index: error for error in errors}
        if turn == self._turn:
            self.is_running = False
            self.changed.emit()

    def _go_on(self, turn: int, read: int, total: int) -> None:
        if turn == self._turn:
            self.done = read / total if total else 0.0
            self.changed.emit()
