"""The data file: its records, and below them the operations and the result of the check."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.formatting import number
from batchwright.ui.data.check_panel import CheckPanel
from batchwright.ui.data.dataset_operations import UPLOAD
from batchwright.ui.data.file_bar import FileBar
from batchwright.ui.data.operation_panel import OperationPanel, UploadPanel
from batchwright.ui.data.records_table import PAGE_SIZE, RowsModel, RowsTable
from batchwright.ui.data.state import DataState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import Label

_MIN_HEIGHT = 64
"""Minimum height of the records in pixels at 100 %."""

_MAX_NAMED = 3
"""Columns named in full; more are counted."""


class LeftOutBanner(Surface):
    """Names the columns that cannot be fields, with the reasons; a button renames invalid ones."""

    rename_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._text = Label("", TextRole.SMALL, "text", wraps=True)
        self._rename = Button(_("Rename columns…"), glyph="pencil-simple", height=ButtonSize.NOTICE)
        self._rename.clicked.connect(self.rename_requested)
        line = row(gap=12, margins=(24, 8, 14, 8), parent=self)
        line.addWidget(Glyph("warning-fill", "warn", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.add(self._rename)
        self.hide()

    def show_columns(self, left_out: Mapping[str, str], *, can_rename: bool) -> None:
        """Show the reason for each column; hidden if there are none."""
        self.setVisible(bool(left_out))
        self._rename.setVisible(can_rename)
        self._text.setText(left_out_text(left_out))
        self.setAccessibleName(self._text.text())


class NotOpenedBanner(Surface):
    """Says why another file was not opened; the current file stays open."""

    close_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._text = Label("", TextRole.SMALL, "text", wraps=True)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self.close_requested)
        line = row(gap=12, margins=(24, 8, 14, 8), parent=self)
        line.addWidget(Glyph("warning-circle-fill", "err", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.add(close)
        self.hide()

    def show_file(self, path: Path | None, current: str, error: TaskMessage | None) -> None:
        """Show which file was not opened and why; hidden for None."""
        self.setVisible(path is not None)
        if path is not None and error is not None:
            sentences = (
                "" if path.name in error.what else _("“{name}” was not opened.").format(name=path.name),
                error.what,
                error.remedy,
                _("“{file}” stays open.").format(file=current),
            )
            self._text.setText(" ".join(filter(None, sentences)))
            self.setAccessibleName(self._text.text())


def left_out_text(left_out: Mapping[str, str]) -> str:
    """The first columns that are left out, each with the reason, and how many more there are."""
    texts = [
        f"“{name}”: {reason}" if name else reason for name, reason in list(left_out.items())[:_MAX_NAMED]
    ]
    more = len(left_out) - _MAX_NAMED
    if more > 0:
        text = ngettext("And {count} more column.", "And {count} more columns.", more)
        texts.append(text.format(count=number(more)))
    return _("Left out of the schema: {columns}").format(columns=" ".join(texts)) if texts else ""


class FilePage(QWidget):
    """The records, with the result of the check below them."""

    def __init__(self, model: DataState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._rows = RowsModel(self)
        self.table = RowsTable(self._rows)
        self.check = CheckPanel(model)
        self._bar = FileBar()
        self._left_out = LeftOutBanner()
        self._not_opened = NotOpenedBanner()
        self.upload = UploadPanel()
        self.operation = OperationPanel(model.dataset)
        self._place()
        self._connect()
        self._on_file_changed()

    rename_requested = Signal()
    more_encodings_requested = Signal()
    record_requested = Signal(object)
    """A `ParsedRecord` is to be shown in full."""

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        regions = (
            self._bar,
            self._not_opened,
            self._left_out,
            self.table,
            self.upload,
            self.operation,
            self.check,
        )
        return [region for region in regions if region.isVisibleTo(self)]

    def _place(self) -> None:
        below = QWidget()
        lower = column(self.upload, self.operation, gap=0, parent=below)
        lower.addWidget(self.check, 1)
        none = _("Records added below the header are shown here.")
        self._records = QStackedWidget()
        self._records.addWidget(self.table)
        empty = Surface("surface")
        column(EmptyState("table", _("No records yet"), none), parent=empty)
        self._records.addWidget(empty)
        theme().on_changed(self._update_size)
        self._update_size()
        left = Splitter(
            Qt.Orientation.Vertical, self._records, below, name="data/check", background="surface"
        )
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
        model.dataset.operations.changed.connect(self._on_upload_changed)
        model.not_opened_changed.connect(self._on_not_opened_changed)
        self._not_opened.close_requested.connect(model.clear_not_opened)
        self._left_out.rename_requested.connect(self.rename_requested)
        self.table.record_requested.connect(self._on_record_requested)
        self._rows.page_requested.connect(lambda page: model.file.request_page(page, PAGE_SIZE))
        self._bar.format_chosen.connect(model.read_as)
        self._bar.more_encodings_requested.connect(self.more_encodings_requested)
        model.rejection_step_requested.connect(self.check.list.step)
        self.check.row_focus_requested.connect(self.table.setFocus)
        self.upload.stop_requested.connect(lambda: model.dataset.operations.cancel(UPLOAD))
        self.upload.close_requested.connect(model.dataset.hide_upload)

    def _update_size(self) -> None:
        """The header and one record stay visible; the page without records must not require more."""
        self._records.setMinimumHeight(theme().px(_MIN_HEIGHT))

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
        self.upload.show_upload(self._model.dataset.upload_operation)
