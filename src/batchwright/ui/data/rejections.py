"""The table of rejected records: line, field and reason, with a link to the row."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.checking import Rejection
from batchwright.schema.record_validator import RAW
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.models import Index, TableModel
from batchwright.ui.widgets.tables import CellPainter, CellRole, Table, TextCell, accessible_text

_STATUS, _LINE, _FIELD, _REASON, _GO = range(5)
_WIDTHS = {_STATUS: 40, _LINE: 84, _FIELD: 130, _GO: 122}
_PADDING = 26
ROW = 36


class RejectionsModel(TableModel):
    """Rejections in the order of the records."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rejections: Sequence[Rejection] = ()

    def show_rejections(self, rejections: Sequence[Rejection]) -> None:
        """Replace the rejections shown."""
        if rejections != self._rejections:
            self.beginResetModel()
            self._rejections = rejections
            self.endResetModel()

    def rejection(self, row: int) -> Rejection:
        """The rejection in a row."""
        return self._rejections[row]

    @override
    def row_count(self) -> int:
        return len(self._rejections)

    @override
    def column_count(self) -> int:
        return len(_WIDTHS) + 1

    @override
    def heading(self, column: int, role: int) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (_("Status"), _("Line"), _("Field"), _("Reason"), _("Go to row"))[column]

    @override
    def value(self, row: int, column: int, role: int) -> object:
        cell = self._cell(self._rejections[row], column)
        if role == CellRole.CELL:
            return cell
        if role == Qt.ItemDataRole.DisplayRole:
            return accessible_text(cell) if column != _STATUS else _("Rejected")
        if role == Qt.ItemDataRole.ToolTipRole and column == _REASON:
            return cell.text
        return None

    def _cell(self, rejection: Rejection, column: int) -> TextCell:
        match column:
            case 1:
                line = _("Line {number}").format(number=rejection.line) if rejection.line else "–"
                return TextCell(line, tone="text2")
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

    def __init__(self, model: RejectionsModel, parent: QWidget | None = None) -> None:
        super().__init__(_("Rejected records"), model, row_height=ROW, parent=parent)
        self._rejections = model
        self.setItemDelegate(_RejectionPainter(self))
        head = self.horizontalHeader()
        head.hide()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(_REASON, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.clicked.connect(self._on_clicked)
        model.modelReset.connect(self._size_columns)
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
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, theme().px(width))
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
