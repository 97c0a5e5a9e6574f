"""The banners between header and content of Results: downloads, and a service that cannot be reached."""

from PySide6.QtWidgets import QWidget

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.download_banners import DownloadBanner, StaleExportBanner
from batchwright.ui.study.downloads import DownloadKind, DownloadOperation, running_download
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.placeholders import OfflineBanner
from batchwright.workflows.answers.download_verified import VerifiedDownload


class ResultsBanners(QWidget):
    """The running download, an export that is older than some answers, and the error of the last fetch."""

    def __init__(self, state: ResultsState, window: StageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._download, self._stale, self._offline = DownloadBanner(), StaleExportBanner(), OfflineBanner()
        self._offline.hide()
        self._stale_export: VerifiedDownload | None = None
        """The latest downloaded export, if answers were given or changed later."""
        column(self._download, self._stale, self._offline, gap=0, parent=self)
        self._download.stop_requested.connect(lambda: state.operations.cancel("download"))
        self._stale.save_requested.connect(lambda: window.actions.run(ActionId.RESULTS_ANSWERS))
        self._stale.closed.connect(self._clear_stale_export)
        self._offline.retry_button.clicked.connect(lambda: window.actions.run(ActionId.RESULTS_REFRESH))
        state.answers.source_subject.changed.connect(self._clear_stale_export)

    def show_state(self) -> None:
        """Show the banners that apply."""
        state, error = self._state, self._state.answers.error
        has_answers = state.answers.has_answers
        self._download.show_download(running_download(state.operations))
        is_idle = has_answers and not state.is_downloading
        self._stale.show_export(self._stale_export if is_idle else None)
        self._offline.setVisible(error is not None and has_answers)
        if error is not None:
            self._offline.show_error(error.what, short_datetime(state.answers.fetched_at))

    def on_downloaded(self, operation: DownloadOperation, result: VerifiedDownload) -> None:
        """Show whether answers were given or changed after the export."""
        if operation.kind in (DownloadKind.EXPORT, DownloadKind.ANSWERS):
            is_stale = result.is_stale and operation.of == self._state.source.remote_study
            self._stale_export = result if is_stale else None
            self.show_state()

    def _clear_stale_export(self) -> None:
        self._stale_export = None
        self.show_state()
