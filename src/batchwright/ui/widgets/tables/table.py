"""Tables with full-row selection and several kinds of cells.

A model (usually a `CellModel`) returns a `Cell` for `CellRole.CELL`, which the delegate paints. The row under
the pointer is highlighted, and the cell with the keyboard focus has a ring.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelection,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text, rounded_path
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.progress import paint_meter, per_cent
from batchwright.ui.widgets.statuses import Status, paint_pill, pill_size
from batchwright.ui.widgets.tables.models import CellDelegate, Index, TableModel

State = QStyle.StateFlag

ROW_HEIGHT, TWO_LINE_ROW_HEIGHT = 34, 54
DATE_WIDTH = 150
"""The width of a column with dates in any language, in pixels at 100 %."""
_PADDING = 12
_FITTED_HEADER_HEIGHT = 36


class CellRole(IntEnum):
    """The role of the `Cell` values of a model."""

    CELL = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class TextCell:
    """A text with an optional second line, as name, number, missing value or error."""

    text: str
    subtitle: str = ""
    tone: str = "text"
    is_name: bool = False
    is_number: bool = False
    is_missing: bool = False
    has_error: bool = False
    marker: str = ""
    """The colour token of a small square before the text, for example of a chart series."""
    glyph: str = ""
    """The name of an icon at the end of the cell, before a number; empty for none."""


@dataclass(frozen=True)
class IconCell:
    """An icon tile with a name and a second line."""

    glyph: str
    family: str
    text: TextCell


@dataclass(frozen=True)
class ProgressCell:
    """A progress bar with percentage and a second line."""

    segments: tuple[tuple[float, str], ...] = field(default=())
    subtitle: str = ""

    @property
    def fraction(self) -> float:
        """The progress from 0 to 1."""
        return sum(fraction for fraction, _tone in self.segments)


Cell = TextCell | IconCell | ProgressCell | Status


def accessible_text(cell: Cell) -> str:
    """The text of a cell for screen readers and search."""
    match cell:
        case TextCell():
            return f"{cell.text}, {cell.subtitle}" if cell.subtitle else cell.text
        case IconCell():
            return accessible_text(cell.text)
        case ProgressCell():
            return f"{per_cent(cell.fraction)}, {cell.subtitle}" if cell.subtitle else per_cent(cell.fraction)
        case Status():
            return cell.label


class CellModel(TableModel):
    """A table model whose values are cells, with fixed headings. Subclasses return the number of rows too."""

    def headings(self) -> Sequence[str]:
        """The headings of all columns."""
        raise NotImplementedError

    def cell(self, row: int, column: int) -> Cell:
        """The cell to paint."""
        raise NotImplementedError

    def text(self, row: int, column: int) -> str:
        """The text of a cell for screen readers."""
        return accessible_text(self.cell(row, column))

    def tooltip(self, row: int, column: int) -> str | None:
        """The tooltip of a cell, if any."""
        return None

    @override
    def column_count(self) -> int:
        return len(self.headings())

    @override
    def heading(self, column: int, role: int) -> object:
        return self.headings()[column] if role == Qt.ItemDataRole.DisplayRole else None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        match role:
            case CellRole.CELL:
                return self.cell(row, column)
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self.text(row, column)
            case Qt.ItemDataRole.ToolTipRole:
                return self.tooltip(row, column)
        return None


class CellPainter(CellDelegate):
    """Paints rows and cells of a `Table`."""

    def __init__(self, table: "Table") -> None:
        super().__init__(table)
        self._table = table

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.paint_row(painter, option, index)
        box = option.rect.adjusted(theme().px(_PADDING), 0, -theme().px(_PADDING), -1)
        match index.data(CellRole.CELL):
            case TextCell() as cell:
                self.paint_text(painter, box, cell)
            case IconCell() as cell:
                self._paint_icon_cell(painter, box, cell)
            case ProgressCell() as cell:
                self._paint_progress_cell(painter, box, cell)
            case Status() as status:
                size = pill_size(status)
                y = box.center().y() - size.height() // 2 + 1
                paint_pill(painter, QRect(box.x(), y, size.width(), size.height()), status)
            case _:
                self.paint_text(painter, box, TextCell(str(index.data() or "")))
        by_keys = option.state & State.State_HasFocus and option.state & State.State_KeyboardFocusChange
        if by_keys:
            ring = option.rect.adjusted(1, 1, -1, -2)
            draw_rounded(painter, ring, theme().px(5), None, theme().tokens.accent_text, 2)

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the background of a row: selected, hovered or normal."""
        tokens, box = theme().tokens, option.rect
        if option.state & State.State_Selected:
            painter.fillRect(box, tokens.select)
            if index.column() == 0:
                painter.fillRect(box.x(), box.y(), 3, box.height(), tokens.accent_text)
        elif index.row() == self._table.hovered_row:
            painter.fillRect(box, tokens.row_hover)
        painter.setOpacity(0.7)
        painter.fillRect(box.x(), box.bottom(), box.width(), 1, tokens.border)
        painter.setOpacity(1.0)

    def paint_text(self, painter: QPainter, box: QRect, cell: TextCell) -> None:
        """Paint a text cell."""
        tokens, px = theme().tokens, theme().px
        if cell.has_error:
            around = box.adjusted(-px(7), px(4), px(7), -px(4))
            draw_rounded(painter, around, px(5), tokens.err_soft, tokens.err, 1.2)
        font = theme().font(TextRole.SMALL_NAME if cell.is_name else TextRole.SMALL, tabular=cell.is_number)
        if cell.is_missing:
            font = QFont(font)
            font.setItalic(True)
        colour = tokens.get("err" if cell.has_error else cell.tone)
        align = Qt.AlignmentFlag.AlignRight if cell.is_number else Qt.AlignmentFlag.AlignLeft
        if cell.marker:
            square = QRect(box.x(), box.center().y() - px(5), px(11), px(11))
            draw_rounded(painter, square, px(2), tokens.get(cell.marker))
            box = box.adjusted(px(23), 0, 0, 0)
        if cell.glyph:
            left = box.x() if cell.is_number else box.right() + 1 - px(15)
            at = QRect(left, box.y(), px(15), box.height())
            draw_glyph(painter, cell.glyph, at, tokens.text2, px(15))
            box = box.adjusted(px(20), 0, 0, 0) if cell.is_number else box.adjusted(0, 0, -px(20), 0)
        if not cell.subtitle:
            draw_text(painter, box, cell.text, font, colour, align)
            return
        middle = box.center().y()
        first = QRect(box.x(), middle - px(19), box.width(), px(20))
        second = QRect(box.x(), middle + px(1), box.width(), px(17))
        draw_text(painter, first, cell.text, font, colour, align)
        draw_text(painter, second, cell.subtitle, theme().font(TextRole.CAPTION), tokens.text2, align)

    def _paint_icon_cell(self, painter: QPainter, box: QRect, cell: IconCell) -> None:
        tokens, px = theme().tokens, theme().px
        side = px(30 if cell.text.subtitle else 24)
        tile = QRect(box.x(), box.center().y() - side // 2, side, side)
        draw_rounded(painter, tile, px(9 if cell.text.subtitle else 6), tokens.get(SOFT[cell.family]))
        size = px(18 if cell.text.subtitle else 16)
        draw_glyph(painter, cell.glyph, tile, tokens.get(cell.family), size)
        self.paint_text(painter, box.adjusted(side + px(12), 0, 0, 0), cell.text)

    def _paint_progress_cell(self, painter: QPainter, box: QRect, cell: ProgressCell) -> None:
        px = theme().px
        if cell.subtitle:
            second = QRect(box.x(), box.center().y() + px(1), box.width(), px(17))
            caption = theme().font(TextRole.CAPTION, tabular=True)
            draw_text(painter, second, cell.subtitle, caption, theme().tokens.text2)
            box = QRect(box.x(), box.center().y() - px(19), box.width(), px(20))
        middle = box.center().y()
        number = QRect(box.right() - px(44), box.y(), px(44), box.height())
        bar = QRectF(box.x(), middle - px(3) + 1, max(px(20), box.width() - px(54)), px(6))
        paint_meter(painter, bar, cell.segments)
        font = theme().font(TextRole.SMALL, tabular=True)
        percentage = per_cent(cell.fraction)
        draw_text(painter, number, percentage, font, theme().tokens.text2, Qt.AlignmentFlag.AlignRight)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(80), self._table.row_height)


class Table(QTableView):
    """A table view in the style of the program, with full-row selection."""

    hovered_row_changed = Signal()

    def __init__(
        self,
        name: str,
        model: QAbstractItemModel,
        *,
        row_height: int = ROW_HEIGHT,
        radius: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        """Create a table; `radius` rounds the lower corners to fit into a panel."""
        super().__init__(parent)
        self._row_height, self._radius = row_height, radius
        self.hovered_row = -1
        self.setAccessibleName(sanitize_line(name))
        self.setModel(model)
        self.setItemDelegate(CellPainter(self))
        self.setAutoFillBackground(True)
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setStretchLastSection(True)
        theme().on_changed(self._update_geometry)
        self._update_geometry()

    @property
    def row_height(self) -> int:
        """The row height at the current text size."""
        return theme().px(self._row_height)

    def set_column_width(self, column: int, width: int) -> None:
        """Set the width of a column in pixels at 100 %; it is at least as wide as its heading."""
        heading = self.horizontalHeader().sectionSizeHint(column)
        self.setColumnWidth(column, max(theme().px(width), heading))

    @override
    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        # While a screen reader is active, Qt lists every index of these, to announce the first one.
        super().selectionChanged(_first_cell(selected), _first_cell(deselected))
        self.viewport().update()

    def _update_geometry(self) -> None:
        palette = self.palette()
        palette.setColor(
            QPalette.ColorRole.Window, theme().tokens.surface
        )  # the background of the scroll bars
        self.setPalette(palette)
        self.verticalHeader().setDefaultSectionSize(self.row_height)
        self.horizontalHeader().setMinimumHeight(theme().px(ROW_HEIGHT))

    def _set_hovered_row(self, row: int) -> None:
        if row != self.hovered_row:
            self.hovered_row = row
            self.viewport().update()
            self.hovered_row_changed.emit()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._set_hovered_row(self.rowAt(event.position().toPoint().y()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._set_hovered_row(-1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        tokens, radius = theme().tokens, theme().px(self._radius)
        painter.fillRect(self.viewport().rect(), tokens.surface)
        painter.end()
        super().paintEvent(event)
        if radius:
            self._paint_rounded_corners(radius)

    def _paint_rounded_corners(self, radius: int) -> None:
        """Paint the window background over the lower corners, as a viewport cannot have round ones."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.viewport().rect())
        corners = rounded_path(box, 0).subtracted(rounded_path(box.adjusted(0, -2 * radius, 0, 0), radius))
        painter.fillPath(corners, theme().tokens.window)


def _first_cell(selection: QItemSelection) -> QItemSelection:
    if selection.isEmpty():
        return selection
    first = selection.first().topLeft()
    return QItemSelection(first, first)


class FittedTable(Table):
    """A table that is as high as its rows, up to a maximum; it can be made lower, down to some rows."""

    def __init__(
        self, name: str, model: QAbstractItemModel, *, width: int, min_rows: int, max_rows: int
    ) -> None:
        """Create a table; `width` is in pixels at 100 %."""
        self._preferred_width, self._min_rows, self._max_rows = width, min_rows, max_rows
        super().__init__(name, model)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(self._preferred_width), self._height_for(self._max_rows) + 4)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(240), self._height_for(self._min_rows))

    def _height_for(self, max_rows: int) -> int:
        rows = min(self.model().rowCount(), max_rows)
        return theme().px(_FITTED_HEADER_HEIGHT) + rows * theme().px(ROW_HEIGHT)
