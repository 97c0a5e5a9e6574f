"""A row of controls that wraps to further lines in a narrow window."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import row

_GAP, _LINE_GAP = 8, 8
_ANY_WIDTH = (1 << 24) - 1
"""QWIDGETSIZE_MAX of Qt."""


class WrappingRow(QWidget):
    """Places widgets beside each other, in as many lines as their widths need.

    None is a stretch: what follows it is at the end of the line, as far as it is in the same one. Lines start
    at the right where texts do.
    """

    def __init__(self, *items: QWidget | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items = [item for item in items if item is not None]
        self._after_stretch = {items[place + 1] for place, item in enumerate(items[:-1]) if item is None}
        for item in self._items:
            item.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().on_changed(self.updateGeometry)

    def lines(self, width: int) -> list[list[QWidget]]:
        """The visible widgets of each line."""
        lines: list[list[QWidget]] = []
        used, gap = 0, theme().px(_GAP)
        for item in self._shown():
            needed = _size(item).width()
            if not lines or used + gap + needed > width:
                lines.append([])
                used = -gap
            lines[-1].append(item)
            used += gap + needed
        return lines

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        heights = [_height(line, width) for line in self.lines(width)]
        return sum(heights) + max(0, len(heights) - 1) * theme().px(_LINE_GAP)

    @override
    def sizeHint(self) -> QSize:
        widths = [_size(item).width() for item in self._shown()]
        width = sum(widths) + max(0, len(widths) - 1) * theme().px(_GAP)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(max((item.minimumSizeHint().width() for item in self._shown()), default=0), 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.LayoutDirectionChange}:
            self.updateGeometry()
            self._arrange()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        return [item for item in self._items if not item.isHidden()]

    def _arrange(self) -> None:
        top = 0
        for line in self.lines(self.width()):
            height = _height(line, self.width())
            self._arrange_line(line, top, height)
            top += height + theme().px(_LINE_GAP)

    def _arrange_line(self, line: Sequence[QWidget], top: int, height: int) -> None:
        gap, left = theme().px(_GAP), 0
        used = sum(_size(item).width() for item in line) + gap * (len(line) - 1)
        for item in line:
            size = _size(item, self.width())
            if item in self._after_stretch and item is not line[0]:
                left += max(0, self.width() - used)
            place = QRect(QPoint(left, top + (height - size.height()) // 2), size)
            item.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), place))
            left += size.width() + gap


def group(*items: QWidget) -> QWidget:
    """Widgets that stay in the same line, as a control and its label."""
    together = QWidget()
    row(*items, parent=together)
    return together


def _height(line: Sequence[QWidget], most: int) -> int:
    return max((_size(item, most).height() for item in line), default=0)


def _size(item: QWidget, most: int = _ANY_WIDTH) -> QSize:
    """The size of a widget that has at most a width; a text that is wider wraps."""
    size = item.sizeHint().expandedTo(item.minimumSize()).boundedTo(item.maximumSize())
    if size.width() <= most:
        return size
    return QSize(most, item.heightForWidth(most) if item.hasHeightForWidth() else size.height())
