"""The panels of the upload and of the other dataset operations: progress, then the result."""

from time import monotonic

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.client.transfer_rate import UNKNOWN
from batchwright.ui.connections.authentication import outage_text
from batchwright.ui.connections.labels import at_connection_phrase, connection_phrase
from batchwright.ui.core.formatting import abbreviated_id, number, records, transfer_progress
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import (
    DATASET,
    DatasetOperation,
    UploadOperation,
    UploadStep,
)
from batchwright.ui.data.dataset.operation_text import status_text
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.id_label import CopyIdButton
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.statuses import IMPORT, Status, StatusBadge, status_of
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.imports import ImportStatus

_HEIGHT, _TALL_HEIGHT = 58, 76
"""Height in pixels at 100 % with one line, and with a second line for what to do."""


class OperationPanel(Surface):
    """Title, status, counts and message of the latest operation, with buttons."""

    action_requested = Signal()

    def __init__(self, controller: DatasetController, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._controller = controller
        self._title = Label("", TextRole.SECTION)
        self._badge = StatusBadge(statuses.QUEUED)
        self._accepted = StatusBadge(Status("ok", "check-circle-fill", ""))
        self._rejected = StatusBadge(Status("err", "x-circle-fill", ""))
        self._text = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._remedy = ElidedLabel("", TextRole.SMALL, "text2")
        self._bar = ProgressBar(_("Progress"))
        self._percent = Label("", TextRole.SMALL_NAME, tabular=True)
        self._action = Button("", height=ButtonSize.NOTICE)
        self._action.clicked.connect(self.action_requested)
        self._stop = Button(_("Stop"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._stop.clicked.connect(lambda: controller.operations.cancel(DATASET))
        self._close = Button(_("Hide"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._close.clicked.connect(lambda: controller.operations.remove(DATASET))
        line = row(self._title, self._badge, self._accepted, self._rejected, None, gap=8)
        line.add(self._bar, self._percent, self._action, self._stop, self._close)
        column(line, self._text, self._remedy, None, gap=0, margins=(24, 6, 12, 7), parent=self)
        theme().on_changed(self._update_size)
        controller.operations.changed.connect(self.show_latest)
        self.show_latest()

    def show_latest(self) -> None:
        """Show the state of the latest operation."""
        operation = self._controller.operation
        self.setVisible(operation is not None)
        if operation is None:
            return
        line = status_text(operation)
        self.setAccessibleName(sanitize_line(line.title))
        self._title.setText(line.title)
        self._badge.show_status(line.status)
        self._text.setText(line.text)
        self._text.set_tone("text" if operation.error else "text2")
        self._remedy.setText(line.remedy)
        self._remedy.setVisible(bool(line.remedy))
        self.setToolTip(tooltip_text(f"{line.text}\n{line.remedy}".strip()))
        _show_count(self._accepted, "ok", "check-circle-fill", _("{count} accepted"), line.accepted)
        _show_count(self._rejected, "err", "x-circle-fill", _("{count} rejected"), line.rejected)
        self._action.setText(line.action)
        self._action.setVisible(bool(line.action))
        self._stop.setText(line.stop_label or _("Stop"))
        self._stop.setVisible(operation.is_running)
        self._close.setVisible(not operation.is_running)
        self._show_bar(operation)
        self._update_size()

    def _show_bar(self, operation: DatasetOperation) -> None:
        fraction = operation.fraction if operation.is_running else None
        self._bar.setVisible(operation.is_running)
        self._percent.setVisible(fraction is not None)
        if fraction is None:
            self._bar.show_indeterminate()
        else:
            self._bar.show_fraction(fraction)
            self._percent.setText(per_cent(fraction))

    def _update_size(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT if self._remedy.isHidden() else _TALL_HEIGHT))
        self._bar.setFixedWidth(theme().px(120))


def _show_count(pill: StatusBadge, tone: str, glyph: str, text: str, count: int) -> None:
    pill.show_status(Status(tone, glyph, text.format(count=number(count))))
    pill.setVisible(bool(count))


_UPLOAD_HEIGHT, _TALL_UPLOAD_HEIGHT = 46, 60
"""Height in pixels at 100 % with one line, and with a second line for what to do."""

_STATES = {
    OperationState.OFFLINE: statuses.OFFLINE,
    OperationState.NEEDS_SIGN_IN: statuses.FAILED,
    OperationState.FAILED: statuses.FAILED,
    OperationState.CANCELLED: statuses.CANCELLED,
}
_PHASES = {
    UploadStep.CONNECTING: statuses.QUEUED,
    UploadStep.PREPARING: statuses.PROCESSING,
    UploadStep.SENDING: statuses.UPLOADING,
}
"""Badges for the phases of a running upload; while importing, the badge shows the status of the import."""


class UploadPanel(Surface):
    """Status of the latest upload, with buttons."""

    stop_requested = Signal()
    close_requested = Signal()
    v3_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self.setAccessibleName(_("Upload"))
        self._rate = UNKNOWN
        self._badge = StatusBadge(statuses.QUEUED)
        self._accepted = StatusBadge(Status("ok", "check-circle-fill", ""))
        self._rejected = StatusBadge(Status("err", "x-circle-fill", ""))
        self._text = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._remedy = ElidedLabel("", TextRole.SMALL, "text2")
        self._copy_id = CopyIdButton(_("Copy the dataset id"))
        self._bar = ProgressBar(_("Upload"))
        self._percent = Label("", TextRole.SMALL_NAME, tabular=True)
        self._stop = Button(_("Stop"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._stop.clicked.connect(self.stop_requested)
        self._v3 = Button(_("Send as a V3 dataset"), height=ButtonSize.NOTICE)
        self._v3.clicked.connect(self.v3_requested)
        self._close = Button(_("Hide"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._close.clicked.connect(self.close_requested)
        line = row(gap=8, margins=(24, 0, 12, 0), parent=self)
        line.add(Label(_("Upload"), TextRole.SECTION), self._badge, self._accepted, self._rejected)
        line.addLayout(column(None, self._text, self._remedy, None, gap=1), 1)
        line.add(self._copy_id, self._bar, self._percent, self._v3, self._stop, self._close)
        theme().on_changed(self._update_size)
        self._update_size()
        self.show_upload(None)

    def show_upload(self, upload: UploadOperation | None) -> None:
        """Show the state of an upload; hidden for None."""
        self.setVisible(upload is not None)
        if upload is None:
            return
        self._rate = self._rate.after(upload.done, monotonic()) if upload.done else UNKNOWN
        in_import = upload.step is UploadStep.IMPORTING and upload.state is not OperationState.OFFLINE
        self._badge.show_status(_status(upload))
        error = upload.error
        self._text.setText(error.what if error else self._status_text(upload))
        self._text.set_tone("text" if error else "text2")
        self._remedy.setText(error.remedy if error else "")
        self._remedy.setVisible(bool(error and error.remedy))
        self.setToolTip(tooltip_text(f"{error.what}\n{error.remedy}".strip() if error else ""))
        self._update_size()
        self._show_bar(upload)
        self._show_counts(upload)
        self._stop.setVisible(upload.is_running)
        self._stop.setText(_("Stop monitoring") if in_import else _("Stop"))
        self._close.setVisible(not upload.is_running)
        self._copy_id.set_id(upload.dataset_id if upload.state is OperationState.SUCCEEDED else "")
        self._v3.setVisible(upload.is_v4_disabled)
        if upload.is_v4_disabled:
            self._text.setText(_("This workspace has no V4 datasets. Send the file as a V3 dataset instead."))

    def _status_text(self, upload: UploadOperation) -> str:
        place = upload.connection_title
        match upload.state:
            case OperationState.OFFLINE:
                return outage_text(upload.connection)
            case OperationState.SUCCEEDED if upload.has_count_mismatch:
                return _("{count} sent. Check the dataset before you use it.").format(
                    count=records(upload.source.records)
                )
            case OperationState.SUCCEEDED:
                return _("Dataset {id} {there}").format(
                    id=abbreviated_id(upload.dataset_id), there=at_connection_phrase(place)
                )
            case OperationState.CANCELLED if upload.import_id:
                return _("No longer monitored. The file was received, and its import continues: see Jobs.")
            case OperationState.CANCELLED:
                return _("Stopped. Nothing was kept.")
        match upload.step:
            case UploadStep.CONNECTING:
                return _("Connecting to {place}").format(place=connection_phrase(place))
            case UploadStep.PREPARING:
                return _("Preparing the accepted records for upload")
            case UploadStep.SENDING:
                return self._transfer_text(upload)
        return _importing(upload)

    def _transfer_text(self, upload: UploadOperation) -> str:
        if not upload.total:
            return _("Starting")
        return transfer_progress(upload.done, upload.total, self._rate)

    def _show_bar(self, upload: UploadOperation) -> None:
        fraction = upload.fraction
        self._bar.setVisible(upload.is_running)
        self._percent.setVisible(upload.is_running and fraction is not None)
        if fraction is None:
            self._bar.show_indeterminate()
        else:
            self._bar.show_fraction(fraction)
            self._percent.setText(per_cent(fraction))

    def _show_counts(self, upload: UploadOperation) -> None:
        job = upload.job
        accepted = (job.accepted_count or 0) if job else 0
        rejected = (job.rejected_count or 0) if job else 0
        text = _("{count} accepted").format(count=number(accepted))
        self._accepted.show_status(Status("ok", "check-circle-fill", text))
        self._accepted.setVisible(bool(accepted))
        text = _("{count} rejected").format(count=number(rejected))
        self._rejected.show_status(Status("err", "x-circle-fill", text))
        self._rejected.setVisible(bool(rejected))

    def _update_size(self) -> None:
        self.setFixedHeight(theme().px(_UPLOAD_HEIGHT if self._remedy.isHidden() else _TALL_UPLOAD_HEIGHT))
        self._bar.setFixedWidth(theme().px(160))


def _status(upload: UploadOperation) -> Status:
    if upload.has_count_mismatch:
        return statuses.VERIFICATION_FAILED
    if upload.state in _STATES:
        return _STATES[upload.state]
    return _PHASES.get(upload.step) or status_of(IMPORT, upload.import_status or "queued")


def _importing(upload: UploadOperation) -> str:
    """The phase of the import after the file was sent."""
    if upload.is_late:
        return _("The file was sent, but the service has not started to read it. Still waiting.")
    if upload.import_status == ImportStatus.UNINITIALISED:
        return _("The file was sent. Waiting for the service to start reading it")
    return _("The service is reading the records")
