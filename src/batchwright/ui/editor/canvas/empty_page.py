"""The placeholder of an empty page: explains what appears here and how to add it."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import draw_dashed
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.placeholders import EmptyState

_HEIGHT = 280


class EmptyPage(QWidget):
    """A dashed box where the first row will be."""

    insert_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        insert = Button(_("Insert item"), glyph="plus", keys=_("Ins"))
        insert.clicked.connect(self.insert_requested)
        self._is_target = False
        self._state = EmptyState(
            "layout",
            _("This page is empty"),
            _("Drag a dataset field, a text or a question here, or press Insert to choose one."),
            insert,
        )
        column(self._state, margins=(20, 4, 20, 4), parent=self)
        theme().on_changed(self._update_height)
        self._update_height()

    def _update_height(self) -> None:
        self.setMinimumHeight(theme().px(_HEIGHT))

    def show_target(self, *, is_target: bool) -> None:
        """Hide the text while the drop indicator covers this box."""
        if is_target != self._is_target:
            self._is_target = is_target
            self._state.setVisible(not is_target)
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_target:
            return
        px = theme().px
        box = self.rect().adjusted(px(16), 0, -px(16), 0)
        draw_dashed(QPainter(self), box, px(10), theme().tokens.border_strong, 1.0, [6, 4])
