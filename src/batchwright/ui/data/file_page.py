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
        self.deed = OperationPanel(model.dataset.deeds)
        self._place()
        self._connect()
        self._show_file()

    rename_pressed = Signal()
    record_wanted = Signal(object)
    """A record, as `tables` reads it, is to be read in full."""

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        parts = (self._bar, self._not_opened, self._left_out, self.table, self.upload, self.deed, self.check)
        return [part for part in parts if part.isVisibleTo(self)]

    def step_rejection(self, by: int) -> None:
        """Choose the next rejection, or the one before; after the last comes the first, and the other way."""
        self.check.list.step(by)

    def _place(self) -> None:
        below = QWidget()
        lower = column(self.upload, self.deed, gap=0, parent=below)
        lower.addWidget(self.check, 1)
        none = _("Write records below the header, and they show up here.")
        self._records = QStackedWidget()
        self._records.addWidget(self.table)
        empty = Surface("surface")
        column(EmptyState("table", _("No records yet"), none), parent=empty)
        self._records.addWidget(empty)
        theme().follow(self._fit)
        self._fit()
        left = Splitter(Qt.Orientation.Vertical, self._records, below, name="data/check", ground="surface")
        left.setStretchFactor(0, 1)
        left.setStretchFactor(1, 0)
        column(self._bar, self._not_opened, self._left_out, gap=0, parent=self).addWidget(left, 1)

    def _connect(self) -> None:
        model = self._model
        model.file.changed.connect(self._show_file)
        model.file.count_changed.connect(self._show_count)
        model.file.page_read.connect(self._rows.take_page)
        model.schema_changed.connect(self._show_schema)
        model.rejections_changed.connect(self._show_rejections)
        model.dataset.uploads.changed.connect(self._show_upload)
        model.not_opened_changed.connect(self._show_not_opened)
        self._not_opened.closed.connect(model.forget_not_opened)
        self._left_out.rename_pressed.connect(self.rename_pressed)
        self.table.record_wanted.connect(self._want_record)
        self._rows.wanted.connect(lambda page: model.file.want(page, PAGE))
        self._bar.format_chosen.connect(model.read_as)
        self.check.way_taken.connect(self.table.setFocus)
        self.upload.stop_pressed.connect(model.dataset.uploads.stop)
        self.upload.close_pressed.connect(model.dataset.uploads.forget)

    def _fit(self) -> None:
        """The head and a record stay in sight; the page without records must not ask for more."""
        self._records.setMinimumHeight(theme().px(_LEAST))

    def _want_record(self, row: int) -> None:
        entry = self._rows.entry(row)
        if entry is not None:
            self.record_wanted.emit(entry)

    def _show_file(self) -> None:
        shown = self._model.file.shown
        if shown is None:
            self._rows.show_file((), ())
            return
        self._rows.show_file(shown.columns, self._model.file.first)
        self._bar.show_file(shown)
        self._records.setCurrentIndex(0)
        self._show_schema()
        self._show_rejections()

    def _show_count(self) -> None:
        shown = self._model.file.shown
        if shown is not None:
            self._bar.show_count(shown)
            self._rows.show_count(shown.records)
            self._records.setCurrentIndex(int(shown.is_counted and not shown.records))

    def _show_schema(self) -> None:
        self._rows.show_schema(self._model.study.schema)
        self._left_out.show_columns(self._model.left_out, can_rename=self._model.can_rename)

    def _show_not_opened(self) -> None:
        path, error = self._model.not_opened or (None, None)
        shown = self._model.file.shown
        self._not_opened.show_file(path, shown.path.name if shown else "", error)

    def _show_rejections(self) -> None:
        self._rows.show_rejections(self._model.bad_rows)

    def _show_upload(self) -> None:
        progress = self._model.dataset.uploads.progress
        self.upload.show_progress(
            progress, self._model.session.title_of(progress.connection) if progress else ""
        )
