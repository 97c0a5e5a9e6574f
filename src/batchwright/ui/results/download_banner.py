"""The banner below the header while a report, an export or the answers are downloaded."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import transfer_progress
from batchwright.ui.core.operations import OperationState
from batchwright.ui.results.downloads import DownloadKind, DownloadOperation
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.surfaces import Edge, Surface


class DownloadBanner(Surface):
    """The progress of the download, with a button that stops it."""

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

    def show_download(self, operation: DownloadOperation | None) -> None:
        """Show the progress of a download; hidden for None."""
        self.setVisible(operation is not None)
        if operation is None:
            return
        name = operation.path.name
        if operation.state is OperationState.OFFLINE:
            text = _("Downloading {name}.").format(name=name) + " " + operation.message
        elif operation.done:
            progress = transfer_progress(operation.done, operation.total, operation.rate)
            text = _("Downloading {name}, {moved}").format(name=name, moved=progress)
        elif operation.kind is DownloadKind.ANSWERS:
            text = _("Downloading the answers for {name}").format(name=name)
        elif operation.kind is DownloadKind.EXPORT:
            text = _("The service is creating the export for {name}").format(name=name)
        else:
            text = _("The service is creating the report for {name}").format(name=name)
        self._progress.show_progress(text, operation.fraction)
