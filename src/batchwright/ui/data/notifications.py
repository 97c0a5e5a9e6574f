"""Notifications of the Data stage: the running operation in the status bar, results as toasts."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number, records
from batchwright.ui.core.operations import Operation, OperationState
from batchwright.ui.data.dataset_operations import DatasetOperation, UploadOperation
from batchwright.ui.data.labels import columns_named
from batchwright.ui.data.operation_text import result_text, status_text
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.notices import Toast, ToastSeverity


class DataNotifications(QObject):
    """Shows the progress and results of operations, and changes of the data file."""

    def __init__(self, window: StageContext, model: DataState, stage: QWidget) -> None:
        super().__init__(stage)
        self._window, self._model, self._stage = window, model, stage
        model.dataset.operations.show_in(window.shell)
        model.dataset.operations.finished.connect(self._on_operation_finished)
        model.file.reloaded.connect(self._on_file_reloaded)
        model.columns_included.connect(self._on_columns_included)

    def _on_operation_finished(self, operation: Operation) -> None:
        if operation.error is not None:
            self._notify(ToastSeverity.ERROR, operation.error.what, operation.error.remedy)
        elif isinstance(operation, UploadOperation) and operation.job is not None:
            severity = ToastSeverity.SUCCESS if operation.is_complete else ToastSeverity.WARNING
            title = _("{records} imported").format(records=records(operation.job.accepted_count or 0))
            self._notify(severity, title, operation.source.path.name)
        elif isinstance(operation, DatasetOperation) and operation.state is OperationState.SUCCEEDED:
            is_partial = status_text(operation).status == statuses.PARTIAL
            self._notify(
                ToastSeverity.WARNING if is_partial else ToastSeverity.SUCCESS, *result_text(operation)
            )

    def _notify(self, severity: ToastSeverity, title: str, line: str) -> None:
        if not self._stage.isVisible():
            self._window.toasts.show_toast(Toast(severity, title, line, _("Open"), self._open))

    def _open(self) -> None:
        self._window.shell.set_stage("data")

    def _on_file_reloaded(self) -> None:
        path = self._model.file.path
        if path is not None:
            title = _("{name} has changed").format(name=path.name)
            line = _("It was read again, and every record is being checked.")
            self._window.toasts.show_toast(Toast(ToastSeverity.INFO, title, line))

    def _on_columns_included(self, names: tuple[str, ...]) -> None:
        count = len(names)
        title = ngettext("{count} column is included now", "{count} columns are included now", count).format(
            count=number(count)
        )
        line = _("The file was corrected: {names}. See the schema for types and labels.").format(
            names=columns_named(names)
        )
        self._window.toasts.show_toast(Toast(ToastSeverity.INFO, title, line))
