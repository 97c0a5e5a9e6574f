"""What stands below the head of the stage: a place for a file, or the file with its schema."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.resources import resource
from batchwright.ui.data.check_panel import CheckPanel
from batchwright.ui.data.deed_panel import DeedPanel
from batchwright.ui.data.file_bar import FileBar, FormatButton, reading_choices
from batchwright.ui.data.opened import Stand
from batchwright.ui.data.rows_model import PAGE, RowsModel
from batchwright.ui.data.schema_panel import SchemaPanel
from batchwright.ui.data.side_by_side import SideBySide
from batchwright.ui.data.table import RowsTable
from batchwright.ui.data.upload_panel import UploadPanel
from batchwright.ui.data.view_model import DataViewModel
from batchwright.ui.data.wording import encoding_name
from batchwright.ui.kit.boxes import column
from batchwright.ui.kit.buttons import Button, Kind
from batchwright.ui.kit.panels import DropZone, Ground
from batchwright.ui.kit.splitters import Splitter
from batchwright.ui.kit.states import EmptyState, LoadingState
from batchwright.ui.theme import theme
from batchwright.words import _

_LEAST = 64
"""The height that the records keep where a window is low."""


class StartPage(Ground):
    """There is no file to show: none was chosen, it is being read, or it cannot be."""

    choose_pressed = Signal()
    dataset_pressed = Signal()

    def __init__(self, model: DataViewModel, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        self.setAccessibleName(_("Data file"))
        self._model = model
        self._zone = DropZone()
        self._states = QStackedWidget()
        column(self._states, margins=16, parent=self._zone)
        self._deed = DeedPanel(model.dataset.deeds)
        around = column(self._zone, margins=(24, 24, 24, 24))
        whole = column(gap=0, parent=self)
        whole.addLayout(around, 1)
        whole.put(self._deed)
        model.file.changed.connect(self.show_stand)
        self.show_stand()

    def show_stand(self) -> None:
        """Show how it stands with the file."""
        while (old := self._states.currentWidget()) is not None:
            self._states.removeWidget(old)
            old.deleteLater()
        stand = self._model.file.stand
        if stand is Stand.READING:
            self._states.addWidget(LoadingState())
        elif stand is Stand.UNREADABLE:
            self._states.addWidget(self._unreadable())
        elif stand is Stand.NONE:
            self._states.addWidget(self._empty())

    def show_target(self, *, is_target: bool) -> None:
        """Whether a file that would be taken is over it."""
        self._zone.show_target(is_target=is_target)

    def _empty(self) -> QWidget:
        choose = Button(_("Choose a file"), glyph="folder-open")
        choose.clicked.connect(self.choose_pressed)
        sample = Button(_("Use the sample records"), Kind.QUIET)
        sample.clicked.connect(self._take_sample)
        dataset = Button(_("Use a dataset that is there"), Kind.QUIET)
        dataset.clicked.connect(self.dataset_pressed)
        line = _("Drop a CSV or JSONL file here")
        sentence = _(
            "Each record becomes one task. How the file is written is found out, a type is proposed for each "
            "column, and every record is checked before anything is sent."
        )
        return EmptyState("table", line, sentence, choose, sample, dataset)

    def _unreadable(self) -> QWidget:
        fault = self._model.file.fault
        again = Button(_("Retry"), glyph="arrow-clockwise")
        again.clicked.connect(self._model.file.try_again)
        other = Button(_("Choose another file"), Kind.QUIET)
        other.clicked.connect(self.choose_pressed)
        what, remedy = (fault.what, fault.remedy) if fault else ("", "")
        ways = [again, other]
        if (form := self._model.file.form) is not None:
            encoding = FormatButton(_("Encoding"), self._model.read_as)
            encoding.show_choices(encoding_name(form.encoding), form, *reading_choices(form))
            ways.insert(1, encoding)
        return EmptyState("warning-circle-fill", what, remedy, *ways, tone="err")

    def _take_sample(self) -> None:
        self._model.open_file(resource("samples", "preference", "records.csv"))


class FilePage(QWidget):
    """The records with their check below them, and the schema beside them."""

    def __init__(self, model: DataViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._rows = RowsModel(self)
        self.table = RowsTable(self._rows)
        self.check = CheckPanel(model)
        self.schema = SchemaPanel(model)
        self._bar = FileBar()
        self.upload = UploadPanel()
        self.deed = DeedPanel(model.dataset.deeds)
        self._place()
        self._connect()
        self._show_file()

    record_wanted = Signal(object)
    """A record, as `tables` reads it, is to be read in full."""

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        parts = (self._bar, self.table, self.upload, self.deed, self.check, self.schema)
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
        empty = Ground("surface")
        column(EmptyState("table", _("No records yet"), none), parent=empty)
        self._records.addWidget(empty)
        theme().follow(self._fit)
        self._fit()
        left = Splitter(Qt.Orientation.Vertical, self._records, below, name="data/check", ground="surface")
        left.setStretchFactor(0, 1)
        left.setStretchFactor(1, 0)
        side = QWidget()
        column(self._bar, gap=0, parent=side).addWidget(left, 1)
        self._panels = SideBySide(side, self.schema)
        column(gap=0, parent=self).addWidget(self._panels, 1)

    def _connect(self) -> None:
        model = self._model
        model.file.changed.connect(self._show_file)
        model.file.count_changed.connect(self._show_count)
        model.file.page_read.connect(self._rows.take_page)
        model.schema_changed.connect(self._show_schema)
        model.rejections_changed.connect(self._show_rejections)
        model.row_wanted.connect(self._go_to)
        model.dataset.uploads.changed.connect(self._show_upload)
        self.table.record_wanted.connect(self._want_record)
        self._rows.wanted.connect(lambda page: model.file.want(page, PAGE))
        self._bar.format_chosen.connect(model.read_as)
        self.check.way_taken.connect(self.table.setFocus)
        self.upload.stop_pressed.connect(model.dataset.uploads.stop)
        self.upload.close_pressed.connect(model.dataset.uploads.forget)

    def _fit(self) -> None:
        """The head and a record stay in sight; the page without records must not ask for more."""
        self._records.setMinimumHeight(theme().px(_LEAST))

    def _go_to(self, row: int, field: str) -> None:
        self._panels.show_records()
        self.table.go_to(row, field)

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

    def _show_rejections(self) -> None:
        self._rows.show_rejections(self._model.bad_rows)

    def _show_upload(self) -> None:
        self.upload.show_progress(self._model.dataset.uploads.progress)
