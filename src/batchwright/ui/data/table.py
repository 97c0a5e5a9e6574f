"""The table of the file's records."""

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.schema.model import FieldType
from batchwright.ui.data.rows_model import RowsModel
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.tables import Table

_TEXT = (3.0, 150)
_ADDRESS = (2.6, 130)
_OTHER = (1.5, 96)
"""How much of the width a column takes, and its least width in pixels at 100 %."""

_WIDEST = 560
_DIGIT, _AROUND = "0", 26


class RowsTable(Table):
    """Shows a `RowsModel`; its columns share the width until someone draws at one."""

    record_wanted = Signal(int)
    """A record is to be read in full."""

    def __init__(self, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(_("Records"), model, parent=parent)
        self._rows = model
        self._is_sharing = False
        self._is_own = True
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setMinimumSectionSize(theme().px(48))
        head.sectionResized.connect(self._resized)
        self.doubleClicked.connect(self._open)
        model.modelReset.connect(self._share_anew)
        model.headerDataChanged.connect(self._share)
        model.rowsInserted.connect(self._share)
        theme().follow(self._share_anew)

    def go_to(self, row: int, field: str) -> None:
        """Show a record in the middle, and choose the cell of a field."""
        index = self._rows.index(row, self._rows.column_of(field))
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.record_wanted.emit(index.row())

    def _share_anew(self) -> None:
        self._is_own = True
        self._share()

    def _share(self, *_news: object) -> None:
        """Give each column its share of the width, and no column less than it needs."""
        columns = self._rows.columns
        if not columns or not self._is_own:
            return
        px = theme().px
        first = px(_AROUND) + max(self._digits(), self._words(_("Line")))
        wants = [self._want(name) for name in columns]
        free = max(0, self.viewport().width() - first)
        unit = free / sum(weight for weight, _least in wants)
        self._is_sharing = True
        self.setColumnWidth(0, first)
        for number, (weight, least) in enumerate(wants, 1):
            self.setColumnWidth(number, min(max(int(unit * weight), px(least)), px(_WIDEST)))
        self._is_sharing = False

    def _want(self, column: str) -> tuple[float, int]:
        type = self._rows.type_of(column)
        if type is FieldType.TEXT:
            return _TEXT
        return _OTHER if type in (None, FieldType.METADATA, FieldType.TASK_GROUP_ID) else _ADDRESS

    def _digits(self) -> int:
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance(_DIGIT) * len(str(2 * self._rows.rowCount() + 100))

    def _words(self, words: str) -> int:
        self.ensurePolished()
        return theme().font(TextRole.HEAD).pixelSize() * len(words) * 2 // 3

    def _resized(self) -> None:
        if not self._is_sharing and self.underMouse():
            self._is_own = False

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """A row is marked for who comes by key, so that it is seen where the keyboard is."""
        super().focusInEvent(event)
        by_mouse = event.reason() is Qt.FocusReason.MouseFocusReason
        if not by_mouse and not self.selectionModel().hasSelection() and self.currentIndex().isValid():
            self.selectRow(self.currentIndex().row())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._open(self.currentIndex())
            return
        super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(360))
