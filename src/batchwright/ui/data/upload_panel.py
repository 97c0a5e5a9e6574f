"""How the upload goes on: what is being done, how far it is, and what the service made of it."""

from time import monotonic

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.api.transfer_rate import UNKNOWN
from batchwright.base.i18n import _
from batchwright.ui.connections.authentication import outage_text
from batchwright.ui.connections.labels import at_connection_phrase, connection_phrase
from batchwright.ui.core.formatting import abbreviated_id, number, records, transfer_progress
from batchwright.ui.data.upload_state import UploadPhase, UploadState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.tips import tip
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.statuses import IMPORT, Status, StatusBadge, status_of
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.imports import ImportStatus

_HEIGHT, _TALL = 46, 60
"""With one line, and with what to do below what happened."""

_PHASES = {
    UploadPhase.CONNECTING: statuses.QUEUED,
    UploadPhase.PREPARING: statuses.PROCESSING,
    UploadPhase.SENDING: statuses.UPLOADING,
    UploadPhase.OFFLINE: statuses.OFFLINE,
    UploadPhase.FAILED: statuses.FAILED,
    UploadPhase.STOPPED: statuses.CANCELLED,
}


class UploadPanel(Surface):
    """One line, there while an upload goes on and after it."""

    stop_pressed = Signal()
    close_pressed = Signal()
    v3_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self.setAccessibleName(_("Upload"))
        self._pace = UNKNOWN
        self._pill = StatusBadge(statuses.QUEUED)
        self._accepted = StatusBadge(Status("ok", "check-circle-fill", ""))
        self._rejected = StatusBadge(Status("err", "x-circle-fill", ""))
        self._says = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._remedy = ElidedLabel("", TextRole.SMALL, "text2")
        self._meter = ProgressBar(_("Upload"))
        self._part = Label("", TextRole.SMALL_NAME, tabular=True)
        self._stop = Button(_("Stop"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._stop.clicked.connect(self.stop_pressed)
        self._v3 = Button(_("Send as a V3 dataset"), height=ButtonSize.NOTICE)
        self._v3.clicked.connect(self.v3_pressed)
        self._close = Button(_("Hide"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._close.clicked.connect(self.close_pressed)
        line = row(gap=8, margins=(24, 0, 12, 0), parent=self)
        line.put(Label(_("Upload"), TextRole.SECTION), self._pill, self._accepted, self._rejected)
        line.addLayout(column(None, self._says, self._remedy, None, gap=1), 1)
        line.put(self._meter, self._part, self._v3, self._stop, self._close)
        theme().follow(self._fit)
        self._fit()
        self.show_progress(None)

    def show_progress(self, progress: UploadState | None, title: str = "") -> None:
        """Show an upload as it stands, and what its connection is called; None for none."""
        self.setVisible(progress is not None)
        if progress is None:
            return
        self._pace = self._pace.after(progress.done, monotonic()) if progress.done else UNKNOWN
        in_import = progress.phase in (UploadPhase.IMPORTING, UploadPhase.ENDED)
        self._pill.show_status(_status(progress))
        fault = progress.fault
        self._says.setText(fault.what if fault else self._sentence(progress, title))
        self._says.set_tone("text" if fault else "text2")
        self._remedy.setText(fault.remedy if fault else "")
        self._remedy.setVisible(bool(fault and fault.remedy))
        self.setToolTip(tip(f"{fault.what}\n{fault.remedy}".strip() if fault else ""))
        self._fit()
        self._show_bar(progress)
        self._show_counts(progress)
        self._stop.setVisible(progress.is_running)
        self._stop.setText(_("Stop watching") if in_import else _("Stop"))
        self._close.setVisible(not progress.is_running)
        self._v3.setVisible(progress.v4_is_off)
        if progress.v4_is_off:
            self._says.setText(_("This workspace has no V4 datasets. Send the file as a V3 dataset instead."))

    def _sentence(self, progress: UploadState, title: str) -> str:
        match progress.phase:
            case UploadPhase.CONNECTING:
                return _("Reaching {place}").format(place=connection_phrase(title))
            case UploadPhase.PREPARING:
                return _("Writing the good records as a file that the service takes")
            case UploadPhase.SENDING:
                return self._moved(progress)
            case UploadPhase.OFFLINE:
                return outage_text(progress.connection)
            case UploadPhase.IMPORTING:
                return _importing(progress)
            case UploadPhase.ENDED if progress.is_miscounted:
                return _("{count} sent. Look at the dataset before you use it.").format(
                    count=records(progress.load.records)
                )
            case UploadPhase.ENDED:
                return _("Dataset {id} {there}").format(
                    id=abbreviated_id(progress.dataset_id), there=at_connection_phrase(title)
                )
            case UploadPhase.STOPPED if progress.import_id:
                return _("Not watched any more. The file has arrived, and its import goes on: see Jobs.")
            case UploadPhase.STOPPED:
                return _("Stopped. Nothing of it is in use.")
        return ""

    def _moved(self, progress: UploadState) -> str:
        if not progress.total:
            return _("Beginning")
        return transfer_progress(progress.done, progress.total, self._pace)

    def _show_bar(self, progress: UploadState) -> None:
        part = progress.part
        self._meter.setVisible(progress.is_running)
        self._part.setVisible(progress.is_running and part is not None)
        if part is None:
            self._meter.show_unknown()
        else:
            self._meter.show_done(part)
            self._part.setText(per_cent(part))

    def _show_counts(self, progress: UploadState) -> None:
        job = progress.job
        accepted = (job.accepted_count or 0) if job else 0
        rejected = (job.rejected_count or 0) if job else 0
        words = _("{count} accepted").format(count=number(accepted))
        self._accepted.show_status(Status("ok", "check-circle-fill", words))
        self._accepted.setVisible(bool(accepted))
        words = _("{count} rejected").format(count=number(rejected))
        self._rejected.show_status(Status("err", "x-circle-fill", words))
        self._rejected.setVisible(bool(rejected))

    def _fit(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT if self._remedy.isHidden() else _TALL))
        self._meter.setFixedWidth(theme().px(160))


def _status(progress: UploadState) -> Status:
    if progress.is_miscounted:
        return statuses.DOES_NOT_ADD_UP
    if progress.phase in (UploadPhase.IMPORTING, UploadPhase.ENDED):
        return status_of(IMPORT, progress.state or "queued")
    return _PHASES[progress.phase]


def _importing(progress: UploadState) -> str:
    """What is waited for after the file was sent."""
    if progress.is_late:
        return _("The file was sent, but the service has not started to read it. It is still waited for.")
    if progress.state == ImportStatus.UNINITIALISED:
        return _("The file was sent. Waiting for the service to start reading it")
    return _("The service reads the records")
