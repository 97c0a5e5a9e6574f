"""The line below the head while a report or an export is fetched."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.connections.authentication import outage_text
from batchwright.ui.core.formatting import transfer_progress
from batchwright.ui.results.downloads import DownloadKind, DownloadState
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.surfaces import Edge, Surface


class DownloadBanner(Surface):
    """What is fetched, how far it is, and a way to stop it."""

    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._progress = ProgressRow(_("Download"))
        stop = Button(_("Stop"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        stop.clicked.connect(self.stop_requested)
        line = row(gap=16, margins=(24, 8, 20, 10), parent=self)
        line.addWidget(self._progress, 1)
        line.add(stop)
        self.hide()

    def show_download(self, fetching: DownloadState | None) -> None:
        """Show a file on its way; None for none."""
        self.setVisible(fetching is not None)
        if fetching is None:
            return
        if fetching.is_waiting:
            says = _("Fetching {name}.") + " " + outage_text(fetching.at)
        elif fetching.done:
            says = _("Fetching {name}, {moved}")
        elif fetching.what is DownloadKind.ANSWERS:
            says = _("Fetching the answers for {name}")
        elif fetching.what is DownloadKind.EXPORT:
            says = _("The service makes the export for {name}")
        else:
            says = _("The service makes the report for {name}")
        far = transfer_progress(fetching.done, fetching.total, fetching.pace)
        self._progress.show_progress(says.format(name=fetching.path.name, moved=far), fetching.part)
