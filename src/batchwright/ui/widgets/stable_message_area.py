"""An area for messages in a form that does not move other controls during interaction."""

from PySide6.QtCore import QEvent, QSize, QTimer
from PySide6.QtGui import QCursor, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from typing_extensions import override

from batchwright.ui.widgets.box_layouts import LayoutItem, column

_RETRY_INTERVAL_MS = 200
"""Interval at which a postponed change of the height is retried."""
_RESTING_RETRIES = 5
"""Retries during which the pointer has to rest before a message that is cut off gets its space."""


class StableMessageArea(QWidget):
    """The area below a control for errors and fixes.

    It is as tall as its content, with two exceptions. While the pointer is on it or below it in the same
    form, its height does not change, because the control under the pointer would move away; only if the
    pointer rests there, it grows, so that the whole message can be read. While the control has the focus, it
    only grows, because errors come and go with each character.
    """

    def __init__(self, control: QWidget, *items: LayoutItem) -> None:
        super().__init__()
        self._control = control
        self._contents = QWidget(self)
        self._layout = column(*items, gap=5, margins=(0, 5, 0, 0), parent=self._contents)
        self._height = 0
        """The requested height; the layouts may not have applied it yet."""
        self._retry_timer = QTimer(self)
        self._retry_timer.setInterval(_RETRY_INTERVAL_MS)
        self._retry_timer.timeout.connect(self._retry)
        self._pointer, self._rests = QCursor.pos(), 0
        """Where the pointer was at the last retry, and how many retries it has been there."""

    def add(self, item: LayoutItem) -> None:
        """Add an item at the end."""
        self._layout.add(item)

    def settle(self) -> None:
        """Adopt the needed height as soon as possible."""
        needed = self._needed_height(self.width())
        if needed != self._height and self._is_in_use(would_shrink=needed < self._height):
            self._retry_timer.start()
        else:
            self._set_height(needed)
        self._update_contents_geometry()

    def _retry(self) -> None:
        before, self._pointer = self._pointer, QCursor.pos()
        self._rests = self._rests + 1 if self._pointer == before else 0
        self.settle()

    @override
    def hasHeightForWidth(self) -> bool:
        return self._height > 0 or not self._layout.isEmpty()

    @override
    def heightForWidth(self, width: int) -> int:
        is_current_width = self.isVisible() and width == self.width()
        return self._height if is_current_width else self._needed_height(width)

    @override
    def sizeHint(self) -> QSize:
        width = self._contents.sizeHint().width()
        return QSize(width, self.heightForWidth(self.width() if self.isVisible() else width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self._contents.minimumSizeHint().width(), 0)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.settle()
        return super().event(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._set_height(self._needed_height(self.width()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self._set_height(self._needed_height(self.width()))
        self._update_contents_geometry()

    def _set_height(self, height: int) -> None:
        self._retry_timer.stop()
        self._rests = 0
        if height != self._height:
            self._height = height
            self.updateGeometry()

    def _update_contents_geometry(self) -> None:
        """Give the content its full height; it is clipped while the height is postponed."""
        self._contents.setGeometry(0, 0, self.width(), max(self.height(), self._needed_height(self.width())))

    def _needed_height(self, width: int) -> int:
        if self._layout.isEmpty():
            return 0
        if self._layout.hasHeightForWidth():
            return self._layout.totalHeightForWidth(width)
        return self._layout.totalSizeHint().height()

    def _is_in_use(self, *, would_shrink: bool) -> bool:
        may_move = not would_shrink and self._rests >= _RESTING_RETRIES
        is_pointed_at = not may_move and self._is_pointer_in_form_below()
        return is_pointed_at or (would_shrink and self._is_control_focused())

    def _is_pointer_in_form_below(self) -> bool:
        """Whether the pointer is on this area, or below it in the same form."""
        form = _form_of(self)
        under = QApplication.widgetAt(QCursor.pos())
        is_in_form = under is not None and (under is form or form.isAncestorOf(under))
        return is_in_form and self.mapFromGlobal(QCursor.pos()).y() >= 0

    def _is_control_focused(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self._control or self._control.isAncestorOf(focused))


def _form_of(widget: QWidget) -> QWidget:
    """The form of a widget: the content of the scroll area around it, or the window."""
    above = widget.parentWidget()
    if widget.isWindow() or above is None or isinstance(above.parentWidget(), QScrollArea):
        return widget
    return _form_of(above)
