"""Room for what comes and goes in a form, given and taken back so that no click misses (look.md 8)."""

from PySide6.QtCore import QEvent, QSize, QTimer
from PySide6.QtGui import QCursor, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from typing_extensions import override

from batchwright.ui.widgets.box_layouts import LayoutItem, column

_LOOKS_AGAIN = 200
"""Milliseconds until it is looked whether the room can be what it is to be."""


class StableMessageArea(QWidget):
    """What stands below a control: what is wrong, and how to mend it.

    It is as tall as what is in it. But while the pointer is on it, or on anything below it in the same form,
    it keeps its height, since what is about to be pressed would move away; and while the control has the
    keyboard it only grows, since errors come and go with each letter.
    """

    def __init__(self, control: QWidget, *parts: LayoutItem) -> None:
        super().__init__()
        self._control = control
        self._inside = QWidget(self)
        self._lines = column(*parts, gap=5, margins=(0, 5, 0, 0), parent=self._inside)
        self._settled = 0
        """The height it asks for; the layouts around may still be about to give it."""
        self._again = QTimer(self)
        self._again.setInterval(_LOOKS_AGAIN)
        self._again.timeout.connect(self.settle)

    @property
    def is_kept(self) -> bool:
        """Whether it keeps a height that is not what is in it needs."""
        return self._again.isActive()

    def put(self, part: LayoutItem) -> None:
        """Add something at the end."""
        self._lines.put(part)

    def settle(self) -> None:
        """Be as tall as is needed, as soon as that can be."""
        needed = self._needed(self.width())
        if needed != self._settled and self._is_in_use(would_shrink=needed < self._settled):
            self._again.start()
        else:
            self._take(needed)
        self._place()

    @override
    def hasHeightForWidth(self) -> bool:
        return self._settled > 0 or not self._lines.isEmpty()

    @override
    def heightForWidth(self, width: int) -> int:
        is_as_it_stands = self.isVisible() and width == self.width()
        return self._settled if is_as_it_stands else self._needed(width)

    @override
    def sizeHint(self) -> QSize:
        width = self._inside.sizeHint().width()
        return QSize(width, self.heightForWidth(self.width() if self.isVisible() else width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self._inside.minimumSizeHint().width(), 0)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.settle()
        return super().event(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._take(self._needed(self.width()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self._take(self._needed(self.width()))
        self._place()

    def _take(self, height: int) -> None:
        self._again.stop()
        if height != self._settled:
            self._settled = height
            self.updateGeometry()

    def _place(self) -> None:
        """Let what does not fit be cut at the lower edge, for as long as the height is kept."""
        self._inside.setGeometry(0, 0, self.width(), max(self.height(), self._needed(self.width())))

    def _needed(self, width: int) -> int:
        if self._lines.isEmpty():
            return 0
        if self._lines.hasHeightForWidth():
            return self._lines.totalHeightForWidth(width)
        return self._lines.totalSizeHint().height()

    def _is_in_use(self, *, would_shrink: bool) -> bool:
        return self._is_aimed_at() or (would_shrink and self._is_typed())

    def _is_aimed_at(self) -> bool:
        """Whether the pointer is on this, or on something below it that would move with it."""
        form = _form_around(self)
        under = QApplication.widgetAt(QCursor.pos())
        is_in_form = under is not None and (under is form or form.isAncestorOf(under))
        return is_in_form and self.mapFromGlobal(QCursor.pos()).y() >= 0

    def _is_typed(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self._control or self._control.isAncestorOf(focused))


def _form_around(widget: QWidget) -> QWidget:
    """What holds the whole form: what is scrolled, or else the window."""
    above = widget.parentWidget()
    if widget.isWindow() or above is None or isinstance(above.parentWidget(), QScrollArea):
        return widget
    return _form_around(above)
