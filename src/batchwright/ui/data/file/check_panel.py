"""The result of checking the data file: counts, the table of rejected records, and buttons to save them."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.checking import Rejection, Report
from batchwright.schema.record_validator import RAW
from batchwright.ui.core.formatting import number
from batchwright.ui.data.labels import position_heading, position_text
from batchwright.ui.data.state import DataState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.statuses import Status, StatusBadge
from batchwright.ui.widgets.surfaces import Separator, Surface
from batchwright.ui.widgets.tables.models import Index
from batchwright.ui.widgets.tables.table import CellModel, CellPainter, CellRole, Table, TextCell
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEADER_HEIGHT = 46
_FULL_LABELS_WIDTH = 720
"""Width in pixels at 100 % below which shorter labels are used."""
_TALL_WINDOW = 680
"""Window height in pixels at 100 % from which two rejections are always visible; below it, one."""
_NO_LIMIT = (1 << 24) - 1
"""QWIDGETSIZE_MAX of Qt."""
_MAX_ROWS = 5
"""Rejections shown without scrolling, at most."""


class CheckPanel(Surface):
    """A header with counts; below it the list of records that would be rejected."""

    save_accepted_requested = Signal()
    save_rejected_requested = Signal()
    row_focus_requested = Signal()

    def __init__(self, state: DataState, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        set_help_address(self, "data.md#checks")
        self.setAccessibleName(_("Check"))
        self._state = state
        self._rejections = RejectionsModel(self)
        self.list = RejectionsTable(self._rejections)
        self.list.chosen.connect(state.show_rejection)
        self.list.row_focus_requested.connect(self.row_focus_requested)
        self.list.setMinimumHeight(1)  # in a low window, the header takes precedence
        self._head = QWidget()
        self._build_head()
        self._line = Separator()
        layout = column(self._head, self._line, gap=0, parent=self)
        layout.addWidget(self.list, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        state.rejections_changed.connect(self.show_check)
        theme().on_changed(self.show_check)
        self.show_check()

    def show_check(self) -> None:
        """Show the progress of the check, and its result."""
        checks, rejections = self._state.validation, self._state.rejections
        report = checks.report
        self._show_progress(is_running=checks.is_running, done=checks.fraction)
        imported = bool(self._state.import_rejections)
        self._title.setText(_("Rejected by the service") if imported else _("Check"))
        self._show_counts(None if imported else report)
        summary = self._state.file.summary
        counts_lines = summary is None or summary.counts_lines
        self._rejections.show_rejections(rejections, counts_lines=counts_lines)
        self.list.setVisible(bool(rejections))
        self._line.setVisible(bool(rejections))
        self._text.setText("" if imported else self._status_text(report, len(rejections)))
        self._text.setVisible(bool(self._text.text()))
        self._head.setFixedHeight(theme().px(_HEADER_HEIGHT))
        self.setMaximumHeight(_NO_LIMIT if rejections else theme().px(_HEADER_HEIGHT) + 1)
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        shown = min(_MAX_ROWS, self._rejections.rowCount())
        return QSize(
            theme().px(400), theme().px(_HEADER_HEIGHT) + 1 + shown * theme().px(ROW) + (4 if shown else 0)
        )

    @override
    def minimumSizeHint(self) -> QSize:
        is_low = self.window().height() < theme().px(_TALL_WINDOW)
        shown = min(1 if is_low else 2, self._rejections.rowCount())
        return QSize(theme().px(300), theme().px(_HEADER_HEIGHT) + 1 + shown * theme().px(ROW))

    def _build_head(self) -> None:
        self._accepted = StatusBadge(Status("ok", "check-circle-fill", ""))
        self._rejected = StatusBadge(Status("err", "x-circle-fill", ""))
        self._text = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._bar = ProgressBar(_("Check"))
        self._bar.setFixedWidth(theme().px(160))
        self._percent = Label("", TextRole.SMALL_NAME, tabular=True)
        self._save_accepted = Button("", ButtonKind.QUIET, glyph="download-simple", height=ButtonSize.NOTICE)
        self._save_rejected = Button("", ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._save_accepted.clicked.connect(self.save_accepted_requested)
        self._save_rejected.clicked.connect(self.save_rejected_requested)
        line = row(gap=8, margins=(24, 0, 12, 0), parent=self._head)
        self._title = Label(_("Check"), TextRole.SECTION)
        line.add(self._title, HelpButton(_("Check")), 0, self._accepted, self._rejected, self._text)
        line.add(self._bar, self._percent, None, self._save_accepted, self._save_rejected)

    def _show_progress(self, *, is_running: bool, done: float) -> None:
        self._bar.setVisible(is_running)
        self._percent.setVisible(is_running)
        self._percent.setText(per_cent(done))
        self._bar.show_fraction(done)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show_counts(None if self._state.import_rejections else self._state.validation.report)

    def _show_counts(self, report: Report | None) -> None:
        accepted, rejected = (report.accepted, report.rejected) if report else (0, 0)
        for pill, count in ((self._accepted, accepted), (self._rejected, rejected)):
            pill.setVisible(bool(count))
        is_narrow = self.width() < theme().px(_FULL_LABELS_WIDTH)
        would = _("{count} accepted") if is_narrow else _("{count} would be accepted")
        self._accepted.show_status(Status("ok", "check-circle-fill", would.format(count=number(accepted))))
        would = _("{count} rejected") if is_narrow else _("{count} would be rejected")
        self._rejected.show_status(Status("err", "x-circle-fill", would.format(count=number(rejected))))
        self._save_accepted.setVisible(bool(accepted and rejected))
        self._save_rejected.setVisible(bool(rejected))
        good = _("Save accepted") if is_narrow else _("Save {count} accepted")
        bad = _("Save rejected") if is_narrow else _("Save {count} rejected")
        self._save_accepted.setText(good.format(count=number(accepted)))
        self._save_rejected.setText(bad.format(count=number(rejected)))

    def _status_text(self, report: Report | None, listed: int) -> str:
        checks = self._state.validation
        if checks.is_running or self._state.file.shown_edits is not None:
            return _("Reading every record")
        if checks.error is not None:
            return checks.error.what
        if report is None:
            return _("Not checked yet.")
        if not report.records:
            return _("There are no records to check.")
        if report.rejected > listed > 0:
            return _("The first {count} are listed.").format(count=number(listed))
        return ""


_STATUS, _LINE, _FIELD, _REASON, _GO = range(5)
_WIDTHS = {_STATUS: 40, _LINE: 84, _FIELD: 130, _GO: 122}
_PADDING = 26
ROW = 36


class RejectionsModel(CellModel):
    """Rejections in the order of the records."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rejections: Sequence[Rejection] = ()
        self._counts_lines = True

    def show_rejections(self, rejections: Sequence[Rejection], *, counts_lines: bool = True) -> None:
        """Replace the rejections shown, of records that are numbered by lines or rows."""
        if (rejections, counts_lines) != (self._rejections, self._counts_lines):
            self.beginResetModel()
            self._rejections, self._counts_lines = rejections, counts_lines
            self.endResetModel()

    def rejection(self, row: int) -> Rejection:
        """The rejection in a row."""
        return self._rejections[row]

    @override
    def row_count(self) -> int:
        return len(self._rejections)

    @override
    def headings(self) -> Sequence[str]:
        position = position_heading(counts_lines=self._counts_lines)
        return _("Status"), position, _("Field"), _("Reason"), _("Go to row")

    @override
    def text(self, row: int, column: int) -> str:
        return _("Rejected") if column == _STATUS else super().text(row, column)

    @override
    def tooltip(self, row: int, column: int) -> str | None:
        return self._rejections[row].reason if column == _REASON else None

    @override
    def cell(self, row: int, column: int) -> TextCell:
        rejection = self._rejections[row]
        match column:
            case 1:
                position = position_text(rejection.line, counts_lines=self._counts_lines)
                return TextCell(position if rejection.line else "–", tone="text2")
            case 2:
                return TextCell(
                    _("Whole record") if rejection.field == RAW else rejection.field, is_name=True
                )
            case 3:
                return TextCell(rejection.reason)
            case 4:
                return TextCell(_("Go to row"), tone="accent_text", is_name=True, is_number=True)
        return TextCell("")


class _RejectionPainter(CellPainter):
    """Paints the error icon before each rejection and the link behind it, aligned with the header."""

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        px, box = theme().px, option.rect
        if index.column() == _GO:
            self.paint_row(painter, option, index)
            self.paint_text(painter, box.adjusted(0, 0, -px(24), -1), index.data(CellRole.CELL))
            return
        super().paint_cell(painter, option, index)
        if index.column() == _STATUS:
            at = QRect(box.x() + px(24), box.y(), px(16), box.height())
            draw_glyph(painter, "x-circle-fill", at, theme().tokens.err, px(16))


class RejectionsTable(Table):
    """The table of rejections; selecting one shows its row, Enter or the link moves the focus there."""

    chosen = Signal(object)
    """A rejection was selected: its row is to be shown."""
    row_focus_requested = Signal()
    """The keyboard focus is to move to the row."""

    def __init__(self, state: RejectionsModel, parent: QWidget | None = None) -> None:
        super().__init__(_("Rejected records"), state, row_height=ROW, parent=parent)
        self._rejections = state
        self.setItemDelegate(_RejectionPainter(self))
        head = self.horizontalHeader()
        head.hide()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(_REASON, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.clicked.connect(self._on_clicked)
        state.modelReset.connect(self._size_columns)
        theme().on_changed(self._size_columns)
        self._size_columns()

    def step(self, by: int) -> None:
        """Select the row this many rows further, wrapping around."""
        count, at = self._rejections.rowCount(), self.currentIndex().row()
        if count:
            self.selectRow((max(at, -1 if by > 0 else 0) + by) % count)

    def _on_row_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self._rejections.rejection(current.row()))

    def _on_clicked(self, index: QModelIndex) -> None:
        self._on_row_changed(index)
        if index.column() == _GO:
            self.row_focus_requested.emit()

    def _size_columns(self) -> None:
        """Set the column widths; the line numbers get the width of the largest one."""
        for index, width in _WIDTHS.items():
            self.set_column_width(index, width)
        last = self._rejections.index(self._rejections.rowCount() - 1, _LINE)
        if last.isValid():
            text = QFontMetrics(theme().font(TextRole.SMALL)).horizontalAdvance(str(last.data()))
            self.setColumnWidth(_LINE, max(theme().px(_WIDTHS[_LINE]), text + theme().px(_PADDING)))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.currentIndex().isValid():
            self._on_row_changed(self.currentIndex())
            self.row_focus_requested.emit()
            return
        super().keyPressEvent(event)
