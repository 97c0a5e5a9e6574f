"""The data file, shown: its records with their check below them."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _
from batchwright.ui.data.check_panel import CheckPanel
from batchwright.ui.data.file_bar import FileBar
from batchwright.ui.data.file_lines import LeftOutLine, NotOpenedLine
from batchwright.ui.data.operation_panel import OperationPanel
from batchwright.ui.data.rows_model import PAGE, RowsModel
from batchwright.ui.data.state import DataState
from batchwright.ui.data.table import RowsTable
from batchwright.ui.data.upload_panel import UploadPanel
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import Surface

_LEAST = 64
"""The height that the records keep where a window is low."""


class FilePage(QWidget):
    """The records with their check below them."""

    def __init__(self, model: DataState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._rows = RowsModel(self)
        self.table = RowsTable(self._rows)
        self.check = CheckPanel(model)
        self._bar = FileBar()
        self._left_out = LeftOutLine()
        self._not_opened = NotOpenedLine()
        self.upload = UploadPanel()
        self.operation = OperationPanel(model.dataset.operations)
        self._place()
        self._connect()
        self._on_file_changed()

    rename_requested = Signal()
    record_requested = Signal(object)
    """A record, as `tables` reads it, is to be read in full."""

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        parts = (
            self._bar,
            self._not_opened,
            self._left_out,
            self.table,
            self.upload,
            self.operation,
            self.check,
        )
        return [part for part in parts if part.isVisibleTo(self)]

    def step_rejection(self, by: int) -> None:
        """Choose the next rejection, or the one before; after the last comes the first, and the other way."""
        self.check.list.step(by)

    def _place(self) -> None:
        below = QWidget()
        lower = column(self.upload, self.operation, gap=0, parent=below)
        lower.addWidget(self.check, 1)
        none = _("Write records below the header, and they show up here.")
        self._records = QStackedWidget()
        self._records.addWidget(self.table)
        empty = Surface("surface")
        column(EmptyState("table", _("No records yet"), none), parent=empty)
        self._records.addWidget(empty)
        theme().follow(self._update_size)
        self._update_size()
        left = Splitter(Qt.Orientation.Vertical, self._records, below, name="data/check", ground="surface")
        left.setStretchFactor(0, 1)
        left.setStretchFactor(1, 0)
        column(self._bar, self._not_opened, self._left_out, gap=0, parent=self).addWidget(left, 1)

    def _connect(self) -> None:
        model = self._model
        model.file.changed.connect(self._on_file_changed)
        model.file.count_changed.connect(self._on_count_changed)
        model.file.page_read.connect(self._rows.set_page)
        model.schema_changed.connect(self._on_schema_changed)
        model.rejections_changed.connect(self._on_rejections_changed)
        model.dataset.uploads.changed.connect(self._on_upload_changed)
        model.not_opened_changed.connect(self._on_not_opened_changed)
        self._not_opened.close_requested.connect(model.clear_not_opened)
        self._left_out.rename_requested.connect(self.rename_requested)
        self.table.record_requested.connect(self._on_record_requested)
        self._rows.page_requested.connect(lambda page: model.file.request_page(page, PAGE))
        self._bar.format_chosen.connect(model.read_as)
        self.check.row_focus_requested.connect(self.table.setFocus)
        self.upload.stop_requested.connect(model.dataset.uploads.stop)
        self.upload.close_requested.connect(model.dataset.uploads.clear)

    def _update_size(self) -> None:
        """The head and a record stay in sight; the page without records must not ask for more."""
        self._records.setMinimumHeight(theme().px(_LEAST))

    def _on_record_requested(self, row: int) -> None:
        entry = self._rows.record(row)
        if entry is not None:
            self.record_requested.emit(entry)

    def _on_file_changed(self) -> None:
        summary = self._model.file.summary
        if summary is None:
            self._rows.show_file((), ())
            return
        self._rows.show_file(summary.columns, self._model.file.first_records)
        self._bar.show_file(summary)
        self._records.setCurrentIndex(0)
        self._on_schema_changed()
        self._on_rejections_changed()

    def _on_count_changed(self) -> None:
        summary = self._model.file.summary
        if summary is not None:
            self._bar.show_count(summary)
            self._rows.show_count(summary.records)
            self._records.setCurrentIndex(int(summary.is_counted and not summary.records))

    def _on_schema_changed(self) -> None:
        self._rows.show_schema(self._model.study.schema)
        self._left_out.show_columns(self._model.left_out, can_rename=self._model.can_rename_columns)

    def _on_not_opened_changed(self) -> None:
        path, error = self._model.not_opened or (None, None)
        summary = self._model.file.summary
        self._not_opened.show_file(path, summary.path.name if summary else "", error)

    def _on_rejections_changed(self) -> None:
        self._rows.show_rejections(self._model.rejections_by_record)

    def _on_upload_changed(self) -> None:
        progress = self._model.dataset.uploads.latest
        self.upload.show_upload(
            progress, self._model.session.title_of(progress.connection) if progress else ""
        )
