"""What the Data stage tells the window: what runs, and how it ended to those who look at something else."""

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
    """Follows the upload and the deeds of a stage."""

    def __init__(self, frame: StageContext, model: DataState, stage: QWidget) -> None:
        super().__init__(stage)
        self._frame, self._model, self._stage = frame, model, stage
        self._running: ActivityStatus | None = None
        work = model.dataset
        for part in (work.uploads, work.deeds):
            part.changed.connect(self._show_running)
        work.uploads.ended.connect(self._tell_upload)
        work.deeds.ended.connect(self._tell_deed)
        model.file.read_again.connect(self._tell_read_again)
        model.columns_included.connect(self._tell_included)

    def _now(self) -> ActivityStatus | None:
        progress, deed = self._model.dataset.uploads.progress, self._model.dataset.deeds.latest
        if progress is not None and progress.is_running:
            return ActivityStatus(_("Uploading {name}").format(name=progress.load.path.name), progress.part)
        return (
            ActivityStatus(short_progress_text(deed), deed.part)
            if deed is not None and deed.is_running
            else None
        )

    def _show_running(self) -> None:
        """Show it in the status line, unless something else took its place there."""
        running, shell = self._now(), self._frame.shell
        if running != self._running:
            if running is not None or shell.running == self._running:
                shell.set_running(running)
            self._running = running

    def _tell_upload(self) -> None:
        progress = self._model.dataset.uploads.progress
        if progress is None:
            return
        if progress.fault is not None:
            self._tell_fault(progress.fault)
        elif progress.job is not None:
            mood = ToastSeverity.DONE if progress.is_complete else ToastSeverity.ADVICE
            title = _("{records} imported").format(records=records(progress.job.accepted_count or 0))
            self._tell(mood, title, progress.load.path.name)

    def _tell_deed(self) -> None:
        deed = self._model.dataset.deeds.latest
        if deed is None:
            return
        if deed.fault is not None:
            self._tell_fault(deed.fault)
        elif deed.pace is OperationState.ENDED:
            is_partial = status_text(deed).status == statuses.PARTIAL
            self._tell(ToastSeverity.ADVICE if is_partial else ToastSeverity.DONE, *result_text(deed))

    def _tell_fault(self, fault: TaskMessage) -> None:
        self._tell(ToastSeverity.FAILED, fault.what, fault.remedy)

    def _tell(self, mood: ToastSeverity, title: str, line: str) -> None:
        if not self._stage.isVisible():
            self._frame.notices.tell(Toast(mood, title, line, _("Open"), self._open))

    def _open(self) -> None:
        self._frame.shell.set_stage("data")

    def _tell_read_again(self) -> None:
        path = self._model.file.path
        if path is not None:
            title = _("{name} has changed").format(name=path.name)
            line = _("It was read again, and every record is checked anew.")
            self._frame.notices.tell(Toast(ToastSeverity.INFO, title, line))

    def _tell_included(self, names: tuple[str, ...]) -> None:
        count = len(names)
        title = ngettext("{count} column is included now", "{count} columns are included now", count).format(
            count=number(count)
        )
        line = _("The file was corrected: {names}. See the schema for types and labels.").format(
            names=columns_named(names)
        )
        self._frame.notices.tell(Toast(ToastSeverity.INFO, title, line))
