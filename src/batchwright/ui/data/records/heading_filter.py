"""A field in place of a heading: the table shows the records whose value contains what is typed."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.views.record_query import RecordQuery
from batchwright.ui.theme import theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.tables.table import Table

_MIN_WIDTH, _MARGIN = 160, 2


class HeadingFilter(SearchField):
    """Filters while the user types; Enter and the arrow down lead back to the records."""

    query_requested = Signal(object)
    """Records are to be shown by another `RecordQuery`."""
    closed = Signal()

    def __init__(self, table: Table) -> None:
        super().__init__(_("Contains"), table.horizontalHeader().viewport())
        self._table, self._column = table, -1
        self.query = RecordQuery()
        """The query whose conditions the typed text belongs to."""
        self.textEdited.connect(self._on_text)
        self.hide()
        table.horizontalScrollBar().valueChanged.connect(self.hide)

    def open_at(self, column: int, name: str) -> None:
        """Open the field at the heading of a column, counted from zero."""
        self._column = column
        self.setAccessibleName(_("Text that “{column}” contains").format(column=sanitize_line(name)))
        self.setText(self.query.text_of(column))
        head, px = self._table.horizontalHeader(), theme().px
        self._table.scrollTo(self._table.model().index(max(0, self._table.currentIndex().row()), column + 1))
        left, width = head.sectionViewportPosition(column + 1), head.sectionSize(column + 1)
        width = max(width, px(_MIN_WIDTH))
        left = max(0, min(left, head.viewport().width() - width))
        margin = px(_MARGIN)
        self.setGeometry(QRect(left, 0, width, head.height()).adjusted(0, margin, 0, -margin))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.selectAll()

    def clear(self) -> None:
        """Remove the text, and the condition."""
        super().clear()
        self._on_text("")

    def _on_text(self, text: str) -> None:
        self.query_requested.emit(self.query.with_text(self._column, text))

    def _close(self) -> None:
        self.hide()
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_done = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down}
        if is_done or (event.key() == Qt.Key.Key_Escape and not self.text()):
            self._close()
            return
        super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.hide()

    @override
    def setVisible(self, visible: bool) -> None:
        was_visible = not self.isHidden()
        super().setVisible(visible)
        if was_visible and not visible:
            self.closed.emit()
