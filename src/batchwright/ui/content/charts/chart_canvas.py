"""A chart that is painted, with marks that are reached by pointer, by keys and by screen readers."""

import math
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from batchwright.analysis.charts import Area, Chart, Drawing
from batchwright.base.i18n import _
from batchwright.ui.content.charts.chart_painter import paint_chart
from batchwright.ui.theme import theme
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.accessibility.accessible_interfaces import Accessible, accessible_with

PREFERRED_WIDTH = 480
_MIN_WIDTH = 200
_RING_RADIUS = 4
_FADED = 0.4
"""Opacity of the other marks while one is under the pointer."""
_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}

_ACTIVATING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class AccessibleMark(Accessible):
    """The accessibility interface of a mark: an item of a list, which can show its answers."""

    role_of_class = QAccessible.Role.ListItem

    @override
    def actions(self) -> Mapping[str, Callable[[], object]]:
        mark = self.widget()
        if isinstance(mark, MarkItem) and mark.canvas.is_clickable:
            return {_("Show the answers"): lambda: mark.canvas.activated.emit(mark.row)}
        return {}


@accessible_with(AccessibleMark)
class MarkItem(QWidget):
    """The place of a mark in a chart: has the focus, and is what screen readers read; paints nothing."""

    def __init__(self, canvas: "ChartCanvas") -> None:
        super().__init__(canvas)
        self.canvas, self.row = canvas, -1
        self.setProperty(RING, _RING_RADIUS)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_mark(self, row: int, text: str, place: QRect) -> None:
        """Stand for a row of data."""
        self.row = row
        self.setAccessibleName(sanitize_line(text))
        self.setGeometry(place)
        self.show()


class AccessibleChart(Accessible):
    """The accessibility interface of a chart: the list of its marks, which can be shown as a table."""

    role_of_class = QAccessible.Role.List

    @override
    def actions(self) -> Mapping[str, Callable[[], object]]:
        canvas = self.widget()
        if isinstance(canvas, ChartCanvas) and canvas.has_table:
            return {_("Show as table"): canvas.table_requested.emit}
        return {}


@accessible_with(AccessibleChart)
class ChartCanvas(QWidget):
    """Paints a chart as wide as the widget; `activated` is emitted with the row of a mark."""

    activated = Signal(int)
    table_requested = Signal()
    laid_out = Signal()
    """The chart may have another height."""
    focused = Signal(QWidget)
    """A mark has got the focus by a key or by the pointer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart: Chart | None = None
        self.is_clickable, self.has_table = False, True
        self._drawing: Drawing | None = None
        self._hovered: Area | None = None
        self._picture: QPixmap | None = None
        self._items: list[MarkItem] = []
        self._current = 0
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().on_changed(self._lay_out)

    def show_drawing(self, drawing: Drawing) -> None:
        """Show another chart."""
        self._drawing, self._hovered = drawing, None
        self._lay_out()

    @property
    def hovered_row(self) -> int | None:
        """The row under the pointer."""
        return self._hovered.row if self._hovered else None

    @property
    def items(self) -> Sequence[MarkItem]:
        """The marks in reading order."""
        return self._items[: len(self.chart.areas)] if self.chart else ()

    def _lay_out(self) -> None:
        if self._drawing is None:
            return
        self.chart = chart = self._drawing(max(self.width(), theme().px(_MIN_WIDTH)) / theme().scale)
        self._hovered = self._picture = None
        self.setAccessibleName(sanitize_line(chart.title))
        self.setAccessibleDescription(sanitize(chart.note))
        self.setFixedHeight(math.ceil(chart.height * theme().scale))
        self._lay_out_items(chart)
        self.updateGeometry()
        self.update()
        self.laid_out.emit()

    def _lay_out_items(self, chart: Chart) -> None:
        while len(self._items) < len(chart.areas):
            self._items.append(MarkItem(self))
        for item, area in zip(self._items, chart.areas, strict=False):
            item.show_mark(area.row, chart.text(area.row), _scaled(area))
        for item in self._items[len(chart.areas) :]:
            item.hide()
        self._set_current(min(self._current, max(0, len(chart.areas) - 1)))

    def _set_current(self, index: int) -> None:
        """Make a mark the only tab stop of the chart."""
        self._current = index
        for number, item in enumerate(self.items):
            is_current = number == index
            item.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_current else Qt.FocusPolicy.NoFocus)

    def _focus(self, index: int, reason: Qt.FocusReason) -> None:
        self._set_current(index)
        self._items[index].setFocus(reason)
        self.focused.emit(self._items[index])

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(PREFERRED_WIDTH), self.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(_MIN_WIDTH), self.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        picture = self._painted()
        if self._hovered is not None:
            place = _scaled(self._hovered)
            painter.setOpacity(_FADED)
            painter.setClipRegion(QRegion(self.rect()).subtracted(QRegion(place)))
            painter.drawPixmap(0, 0, picture)
            painter.setOpacity(1.0)
            painter.setClipRect(place)
        painter.drawPixmap(0, 0, picture)

    def _painted(self) -> QPixmap:
        """The chart as a pixmap, painted once for each layout."""
        ratio = self.devicePixelRatio()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            if self.chart is not None:
                painter = QPainter(self._picture)
                painter.scale(theme().scale, theme().scale)
                paint_chart(painter, self.chart, theme().tokens)
                painter.end()
        return self._picture

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hovered = self._area_at(event.position().toPoint())
        if hovered != self._hovered:
            self._hovered = hovered
            self.update()
        leads_on = (hovered and self.is_clickable) or self._is_on_others(event.position().toPoint())
        shape = Qt.CursorShape
        self.setCursor(shape.PointingHandCursor if leads_on else shape.ArrowCursor)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._hovered is not None:
            self._hovered = None
            self.update()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        area = self._area_at(event.position().toPoint())
        if area is not None and self.chart is not None:
            self._focus(self.chart.areas.index(area), Qt.FocusReason.MouseFocusReason)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        area = self._area_at(at)
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if area is not None:
            self.activated.emit(area.row)
        elif self._is_on_others(at):
            self.table_requested.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS and self.items:
            self._focus(self._neighbour(*_STEPS[key]), Qt.FocusReason.TabFocusReason)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.items:
            last = len(self.items) - 1
            self._focus(0 if key is Qt.Key.Key_Home else last, Qt.FocusReason.TabFocusReason)
        elif key in _ACTIVATING_KEYS and self.items:
            self.activated.emit(self.items[self._current].row)
        else:
            super().keyPressEvent(event)

    def _neighbour(self, across: int, down: int) -> int:
        """The nearest mark in a direction; where there is none, the next or previous one."""
        if self.chart is None:
            return 0
        areas = self.chart.areas
        here = _centre(areas[self._current])
        candidates = []
        for index, area in enumerate(areas):
            x, y = (there - at for there, at in zip(_centre(area), here, strict=True))
            ahead, aside = x * across + y * down, abs(x * down) + abs(y * across)
            if ahead > 1 and aside < ahead:
                candidates.append((aside, ahead, index))
        if candidates:
            return min(candidates)[-1]
        return max(0, min(self._current + across + down, len(areas) - 1))

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._show_tooltip(event)
            return True
        return super().event(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        """Show the numbers of a mark, or the whole text of a heading that is cut."""
        if self.chart is None:
            return
        area, scale = self._area_at(event.pos()), theme().scale
        x, y = event.x() / scale, event.y() / scale
        text = "\n".join(self.chart.lines(area.row)) if area else self.chart.full_text_at(x, y)
        place = _scaled(area) if area else QRect()
        QToolTip.showText(event.globalPos(), tooltip_text(text), self, place)

    def _is_on_others(self, point: QPoint) -> bool:
        """Whether a point is on the text that says how many rows are only in the table."""
        scale, others = theme().scale, self.chart.others if self.chart else None
        return others is not None and others.contains(point.x() / scale, point.y() / scale)

    def _area_at(self, point: QPoint) -> Area | None:
        scale = theme().scale
        return self.chart.area_at(point.x() / scale, point.y() / scale) if self.chart else None


def _scaled(area: Area) -> QRect:
    """The place of a row in the widget."""
    scale = theme().scale
    x, y = round(area.x * scale), round(area.y * scale)
    return QRect(x, y, round((area.x + area.width) * scale) - x, round((area.y + area.height) * scale) - y)


def _centre(area: Area) -> tuple[float, float]:
    return area.x + area.width / 2, area.y + area.height / 2
