"""The widget that shows a chart, or its content as a table, and saves and copies both."""

from collections.abc import Awaitable, Callable, Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
)
from PySide6.QtWidgets import QApplication, QHeaderView, QMenu, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.analysis.charts import Chart, Drawing
from batchwright.base.i18n import _
from batchwright.ui.content.charts.chart_canvas import PREFERRED_WIDTH, ChartCanvas
from batchwright.ui.results.charts.chart_files import (
    ChartFileContext,
    copy_image,
    copy_table,
    save_csv,
    save_png,
    save_svg,
)
from batchwright.ui.theme import theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.widgets.accessibility.accessible_interfaces import show_menu
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.tables.table import CellModel, FittedTable, TextCell

_TABLE_ROWS = 12
_TALLEST, _SHOWN_OF_TALLER = 1200, 640
"""The height of a chart, in pixels at 100 %, above which it scrolls, and what is shown of it then."""
_Save = Callable[[ChartFileContext, Drawing], Awaitable[None]]


class ChartTableModel(CellModel):
    """The rows of data of a chart."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._titles: tuple[str, ...] = ()
        self._rows: list[tuple[str, ...]] = []
        self.first_number = 1
        """The index of the first column of numbers."""

    def show_chart(self, chart: Chart) -> None:
        """Show the rows of a chart."""
        self.beginResetModel()
        self._titles, self._rows = chart.columns.titles(), chart.table()
        self.first_number = 2 if chart.columns.group else 1
        self.endResetModel()

    @override
    def headings(self) -> Sequence[str]:
        return self._titles

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= self.first_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return super().heading(column, role)

    @override
    def row_count(self) -> int:
        return len(self._rows)

    @override
    def cell(self, row: int, column: int) -> TextCell:
        text = self._rows[row][column]
        return TextCell(text, is_name=column == 0, is_number=column >= self.first_number)

    @override
    def tooltip(self, row: int, column: int) -> str | None:
        return self._rows[row][column] if column < self.first_number else None


class ChartScrollArea(VerticalScrollArea):
    """Shows a chart as high as it is; one with very many rows scrolls."""

    def __init__(self, canvas: ChartCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        canvas.laid_out.connect(self._update_height)
        canvas.focused.connect(self.ensureWidgetVisible)

    def _update_height(self) -> None:
        height = self._canvas.height()
        self.setFixedHeight(height if height <= theme().px(_TALLEST) else theme().px(_SHOWN_OF_TALLER))

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._canvas.sizeHint().width(), self.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self._canvas.minimumSizeHint().width(), self.height())


class ChartView(QWidget):
    """A chart, or the table with its content; `activated` is emitted with the row that was chosen.

    Its context menu saves and copies it. `set_clickable` says whether rows lead to their answers.
    """

    activated = Signal(int)
    table_toggled = Signal(bool)
    """The table is shown from now on, or the chart."""

    def __init__(self, context: ChartFileContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._drawing: Drawing | None = None
        self.canvas = ChartCanvas()
        self.canvas.activated.connect(self._on_activated)
        self.canvas.table_requested.connect(lambda: self.set_shows_table(shows_table=True))
        self.table: FittedTable | None = None
        """The table, once it has been shown."""
        self.scroll_area = ChartScrollArea(self.canvas)
        self._rows = ChartTableModel(self)
        self._layout = column(self.scroll_area, gap=0, margins=0, parent=self)

    @property
    def chart(self) -> Chart | None:
        """The chart that is shown."""
        return self.canvas.chart

    @property
    def shows_table(self) -> bool:
        """Whether the table is shown instead of the chart."""
        return self.table is not None and not self.table.isHidden()

    def show_drawing(self, drawing: Drawing) -> None:
        """Show another chart, or its table if the table is shown."""
        self._drawing = drawing
        self.canvas.show_drawing(drawing)
        if self.table is not None and self.canvas.chart is not None:
            self._fill_table(self.table, self.canvas.chart)

    def set_clickable(self, *, is_clickable: bool) -> None:
        """Set whether a row can be opened by a click or with Enter."""
        self.canvas.is_clickable = is_clickable

    def set_shows_table(self, *, shows_table: bool) -> None:
        """Show the table, or the chart."""
        chart = self.canvas.chart
        if chart is None or shows_table == self.shows_table:
            return
        if self.table is None:
            self.table = self._create_table(chart)
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self.table.setVisible(shows_table)
        self.scroll_area.setVisible(not shows_table)
        self.table_toggled.emit(shows_table)
        if had_focus and shows_table:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        elif had_focus and self.canvas.items:
            self.canvas.items[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def menu(self) -> QMenu:
        """A menu with everything that can be done with the chart; also for a button beside it."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        as_table = menu.addAction(_("Show as table"))
        as_table.setCheckable(True)
        as_table.setChecked(self.shows_table)
        as_table.toggled.connect(lambda is_on: self.set_shows_table(shows_table=is_on))
        menu.addSeparator()
        drawing = self._drawing
        if drawing is None:
            return menu
        for text, glyph, save in (
            (_("Save as PNG…"), "download-simple", save_png),
            (_("Save as SVG…"), "download-simple", save_svg),
            (_("Save table as CSV…"), "download-simple", save_csv),
        ):
            entry = menu.addAction(icon(glyph), text)
            entry.triggered.connect(lambda _on, save=save: self._start(save, drawing))
        menu.addSeparator()
        image = menu.addAction(icon("copy"), _("Copy image"))
        image.triggered.connect(lambda: self._start(copy_image, drawing))
        table = menu.addAction(icon("copy"), _("Copy table"))
        table.triggered.connect(lambda: copy_table(drawing))
        return menu

    def _start(self, save: _Save, drawing: Drawing) -> None:
        self._context.tasks.start("save chart", lambda: save(self._context, drawing))

    def _on_activated(self, row: int) -> None:
        if self.canvas.is_clickable:
            self.activated.emit(row)

    def _create_table(self, chart: Chart) -> FittedTable:
        table = FittedTable(chart.title, self._rows, width=PREFERRED_WIDTH, min_rows=2, max_rows=_TABLE_ROWS)
        table.horizontalHeader().setStretchLastSection(False)
        table.activated.connect(lambda index: self._on_activated(index.row()))
        self._fill_table(table, chart)
        table.hide()
        self._layout.addWidget(table)
        return table

    def _fill_table(self, table: FittedTable, chart: Chart) -> None:
        table.setAccessibleName(sanitize_line(chart.title))
        self._rows.show_chart(chart)
        head = table.horizontalHeader()
        for section in range(self._rows.columnCount()):
            is_number = section >= self._rows.first_number
            mode = QHeaderView.ResizeMode
            head.setSectionResizeMode(section, mode.ResizeToContents if is_number else mode.Stretch)
        table.setCurrentIndex(self._rows.index(0, 0, QModelIndex()))
        table.updateGeometry()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu().popup(event.globalPos())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_shifted = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        if event.key() == Qt.Key.Key_F10 and is_shifted:
            show_menu(self)
        else:
            super().keyPressEvent(event)
