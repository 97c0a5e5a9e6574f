"""The banners of downloads: the progress of one, and an export that lacks newer answers.

A service creates an export once and returns the same one afterwards (specification, Batches rule 9). So
missing answers are no error if they are newer than everything in the export; the banner offers to save all
answers to another file.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import transfer_progress
from batchwright.ui.core.operations import OperationState
from batchwright.ui.study.downloads import DownloadKind, DownloadOperation, missing_answers_text
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import Label
from batchwright.workflows.answers.download_verified import VerifiedDownload


class StaleExportBanner(Surface):
    """Says up to when the export has answers and how many are newer, with a button to save all answers."""

    save_requested = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._text = Label("", TextRole.SMALL, "text2", wraps=True, tabular=True)
        save = Button(_("Save all answers"), glyph="download-simple", height=ButtonSize.NOTICE)
        save.clicked.connect(self.save_requested)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self.closed)
        line = row(gap=12, margins=(24, 8, 14, 10), parent=self)
        line.addWidget(Glyph("clock", "text2", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.add(save, close)
        self.hide()

    def show_export(self, export: VerifiedDownload | None) -> None:
        """Show what an export lacks; hidden for None."""
        self.setVisible(export is not None)
        if export is not None:
            self._text.setText(
                f"{missing_answers_text(export)} {_('The service creates an export once and keeps it.')}"
            )
            self._text.setAccessibleName(self._text.text())


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
