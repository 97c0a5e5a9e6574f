"""Notifications of the Data stage: the running operation in the status bar, results as toasts."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.formatting import number, records
from batchwright.ui.data.labels import columns_named
from batchwright.ui.data.operation_text import result_text, short_progress_text, status_text
from batchwright.ui.data.operations import OperationState
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.state import ActivityStatus
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.notices import Toast, ToastSeverity


class DataNotifications(QObject):
    """Shows the progress and results of the upload and the dataset operations, and changes of the file."""

    def __init__(self, window: StageContext, model: DataState, stage: QWidget) -> None:
        super().__init__(stage)
        self._window, self._model, self._stage = window, model, stage
        self._running: ActivityStatus | None = None
        work = model.dataset
        for part in (work.uploads, work.operations):
            part.changed.connect(self._on_running_changed)
        work.uploads.finished.connect(self._on_upload_finished)
        work.operations.finished.connect(self._on_operation_finished)
        model.file.reloaded.connect(self._on_file_reloaded)
        model.columns_included.connect(self._on_columns_included)

    def _activity(self) -> ActivityStatus | None:
        upload, operation = self._model.dataset.uploads.latest, self._model.dataset.operations.latest
        if upload is not None and upload.is_running:
            return ActivityStatus(_("Uploading {name}").format(name=upload.source.path.name), upload.fraction)
        return (
            ActivityStatus(short_progress_text(operation), operation.fraction)
            if operation is not None and operation.is_running
            else None
        )

    def _on_running_changed(self) -> None:
        """Show the operation in the status bar, unless another one is shown there."""
        running, shell = self._activity(), self._window.shell
        if running != self._running:
            if running is not None or shell.running == self._running:
                shell.set_running(running)
            self._running = running

    def _on_upload_finished(self) -> None:
        upload = self._model.dataset.uploads.latest
        if upload is None:
            return
        if upload.error is not None:
            self._notify_error(upload.error)
        elif upload.job is not None:
            severity = ToastSeverity.DONE if upload.is_complete else ToastSeverity.ADVICE
            title = _("{records} imported").format(records=records(upload.job.accepted_count or 0))
            self._notify(severity, title, upload.source.path.name)

    def _on_operation_finished(self) -> None:
        operation = self._model.dataset.operations.latest
        if operation is None:
            return
        if operation.error is not None:
            self._notify_error(operation.error)
        elif operation.state is OperationState.SUCCEEDED:
            is_partial = status_text(operation).status == statuses.PARTIAL
            self._notify(ToastSeverity.ADVICE if is_partial else ToastSeverity.DONE, *result_text(operation))

    def _notify_error(self, error: TaskMessage) -> None:
        self._notify(ToastSeverity.FAILED, error.what, error.remedy)

    def _notify(self, severity: ToastSeverity, title: str, line: str) -> None:
        if not self._stage.isVisible():
            self._window.notices.tell(Toast(severity, title, line, _("Open"), self._open))

    def _open(self) -> None:
        self._window.shell.set_stage("data")

    def _on_file_reloaded(self) -> None:
        path = self._model.file.path
        if path is not None:
            title = _("{name} has changed").format(name=path.name)
            line = _("It was read again, and every record is being checked.")
            self._window.notices.tell(Toast(ToastSeverity.INFO, title, line))

    def _on_columns_included(self, names: tuple[str, ...]) -> None:
        count = len(names)
        title = ngettext("{count} column is included now", "{count} columns are included now", count).format(
            count=number(count)
        )
        line = _("The file was corrected: {names}. See the schema for types and labels.").format(
            names=columns_named(names)
        )
        self._window.notices.tell(Toast(ToastSeverity.INFO, title, line))
