"""The header above the canvas: which page is shown, and the record that fills it."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT = 40
_MARGINS_PX = 76
"""Total width in pixels of the margins and gaps."""


class PageHeader(QWidget):
    """Shows the number, name and frequency of the page, and navigates the sample records."""

    record_step_requested = Signal(int)
    """The user requests another record: the offset from the current one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = Label("", TextRole.SMALL_STRONG, tabular=True)
        self._name = ElidedLabel("", TextRole.SMALL, "text2")
        self._frequency = ElidedLabel("", TextRole.CAPTION, "text2")
        self._record = Label("", TextRole.SMALL, "text2", tabular=True)
        self._previous = IconButton("caret-left", _("Previous record"), glyph_size=16)
        self._next = IconButton("caret-right", _("Next record"), glyph_size=16)
        self._previous.clicked.connect(lambda: self.record_step_requested.emit(-1))
        self._next.clicked.connect(lambda: self.record_step_requested.emit(1))
        texts = row(self._number, self._name, self._frequency, None, gap=10)
        layout = row(gap=2, margins=(24, 0, 16, 0), parent=self)
        layout.addLayout(texts, 1)
        layout.add(self._previous, self._record, self._next)
        theme().on_changed(self._update_layout)
        self._update_layout()

    @property
    def tab_end(self) -> QWidget:
        """The last widget of the header in the tab order."""
        return self._next

    def show_page(self, number: str, name: str, how: str) -> None:
        """Show the number of the page, its name, and how often it is shown."""
        self._number.setText(number)
        self._name.setText(name)
        self._name.setVisible(bool(name))
        self._frequency.setText(how)
        self._update_layout()

    def show_record(self, number: int, count: int) -> None:
        """Show which record fills the page, or nothing if `count` is 0."""
        for widget in (self._previous, self._record, self._next):
            widget.setVisible(count > 0)
        self._record.setText(_("Record {number} of {count}").format(number=number + 1, count=count))
        self._previous.setEnabled(number > 0)
        self._next.setEnabled(number < count - 1)
        self._update_layout()

    def _update_layout(self) -> None:
        """Hide the frequency of the page first if the header is narrow."""
        self.setFixedHeight(theme().px(_HEIGHT))
        others = (self._number, self._name, self._previous, self._record, self._next)
        used_width = sum(widget.sizeHint().width() for widget in others if widget.isVisibleTo(self))
        text_width = self._frequency.fontMetrics().horizontalAdvance(self._frequency.text())
        self._frequency.setVisible(used_width + text_width + theme().px(_MARGINS_PX) <= self.width())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._update_layout()
