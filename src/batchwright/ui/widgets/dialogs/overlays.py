"""Modal overlays inside a window: a backdrop and a panel that keeps the focus."""

from typing import ClassVar, Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QPropertyAnimation, QRect, Qt, Signal
from PySide6.QtGui import QCursor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QGraphicsOpacityEffect,
    QWidget,
)
from shiboken6 import isValid
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.shadows import Elevation, draw_shadow
from batchwright.ui.widgets.help_button import help_address_of, set_help_address, show_help_of

_FADE_MS = 100
_RADIUS = 14
MARGIN = 16
"""Minimum distance between panel and window edge."""


@runtime_checkable
class SuspendsShortcuts(Protocol):
    """A host whose shortcuts are disabled while it has an overlay."""

    def suspend_shortcuts(self, *, is_suspended: bool) -> None:
        """Disable or enable all shortcuts; calls nest."""


class ModalOverlay(QWidget):
    """Covers its host with a backdrop and shows a panel until it is closed.

    The panel is a child of the window, so that its shadow needs no compositor and screenshots of the window
    contain it. The focus returns to the previous widget.
    """

    closed = Signal()

    def __init__(self, host: QWidget, panel: "OverlayPanel") -> None:
        super().__init__(host)
        self._host, self._panel = host, panel
        self._focus_before = QApplication.focusWidget() or host.window().focusWidget()
        panel.setParent(self)
        set_help_address(self, help_address_of(self._focus_before))
        self._suspend_shortcuts(is_suspended=True)
        panel.finished.connect(self._on_finished)
        host.installEventFilter(self)
        self.setGeometry(host.rect())
        self.show()
        self.raise_()
        panel.show()
        self._place()
        panel.set_initial_focus()
        self._fade_in()

    @property
    def panel(self) -> "OverlayPanel":
        """The panel."""
        return self._panel

    def _fade_in(self) -> None:
        if not theme().ms(_FADE_MS):
            return
        effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(effect)
        motion = QPropertyAnimation(effect, b"opacity", self)
        motion.setDuration(_FADE_MS)
        motion.setStartValue(0.0)
        motion.setEndValue(1.0)
        motion.finished.connect(self._on_faded_in)
        motion.start()

    def _on_faded_in(self) -> None:
        """Remove the effect, which would render everything twice."""
        self.setGraphicsEffect(None)  # type: ignore[arg-type]  # Qt accepts None

    def _place(self) -> None:
        geometry = self._panel.geometry_in(self.rect())
        if geometry != self._panel.geometry():
            self._panel.setGeometry(geometry)
            self.update()  # the shadow is painted around the panel

    def _suspend_shortcuts(self, *, is_suspended: bool) -> None:
        if isinstance(self._host, SuspendsShortcuts):
            self._host.suspend_shortcuts(is_suspended=is_suspended)

    def _on_finished(self) -> None:
        self._suspend_shortcuts(is_suspended=False)
        self._host.removeEventFilter(self)
        self.hide()
        _clear_stale_hover(self._host)
        if self._focus_before is not None and isValid(self._focus_before):
            self._focus_before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()
        self.deleteLater()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and watched is self._host:
            self.setGeometry(self._host.rect())
            self._place()
        return False

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._panel.closes_on_outside_click and not self._panel.geometry().contains(
            event.position().toPoint()
        ):
            self._panel.reject()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens = QPainter(self), theme().tokens
        painter.fillRect(self.rect(), tokens.backdrop)
        box = self._panel.geometry()
        draw_shadow(painter, box, Elevation.DIALOG, tokens.shadow, is_dark=theme().is_dark)


class OverlayPanel(QDialog):
    """The panel of an overlay: a dialog that keeps the focus inside and closes on Escape."""

    closes_on_outside_click = False
    """Whether a click outside closes it."""
    help_address: ClassVar[str] = ""
    """Where the help explains it, such as `data.md#checks`; empty for where the focus was before."""

    def __init__(self, name: str, width: int) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setAccessibleName(sanitize_line(name))
        self.setWindowTitle(sanitize_line(name))
        self.panel_width = width
        set_help_address(self, self.help_address)

    def geometry_in(self, host: QRect) -> QRect:
        """The geometry in the host: centered, with the needed height."""
        width = self.width_in(host)
        layout = self.layout()
        needed_height = self.sizeHint().height()
        if layout is not None and layout.hasHeightForWidth():
            needed_height = layout.totalHeightForWidth(width)
        height = min(needed_height, host.height() - 2 * MARGIN)
        return QRect((host.width() - width) // 2, (host.height() - height) // 2, width, height)

    def width_in(self, host: QRect) -> int:
        """The width in the host: more than the preferred one if texts, such as those of switches, need it."""
        return min(max(theme().px(self.panel_width), self._least_width()), host.width() - 2 * MARGIN)

    def _least_width(self) -> int:
        """The width in pixels that the content needs."""
        return 0

    def set_initial_focus(self) -> None:
        """Focus the first control, or the panel itself."""
        inside = self._tab_stops()
        (inside[0] if inside else self).setFocus(Qt.FocusReason.OtherFocusReason)

    def _tab_stops(self) -> list[QWidget]:
        """The tab stops of the panel in order.

        `nextInFocusChain` is not used: it covers the whole window, and PySide treats the returned widgets as
        children of the panel and invalidates them when the panel is deleted.
        """
        inside = self.findChildren(QWidget)
        return [widget for widget in inside if _is_tab_stop(widget) and widget.isVisible()]

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        stops = self._tab_stops()
        if not stops:
            return True
        current = QApplication.focusWidget()
        at = stops.index(current) if current in stops else (-1 if next else 0)
        reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
        stops[(at + (1 if next else -1)) % len(stops)].setFocus(reason)
        return True

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
        elif event.key() == Qt.Key.Key_F1:
            show_help_of(self.focusWidget() or self)
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        line = tokens.border if theme().is_dark else None
        draw_rounded(QPainter(self), self.rect(), theme().px(_RADIUS), tokens.surface, line)


def _clear_stale_hover(host: QWidget) -> None:
    """Send leave events to widgets that an overlay now covers, which Qt does not."""
    for widget in host.findChildren(QWidget):
        if widget.underMouse() and not widget.rect().contains(widget.mapFromGlobal(QCursor.pos())):
            QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
            widget.update()


def _is_tab_stop(widget: QWidget) -> bool:
    """Whether Tab stops at a widget; the line edit in a spin or combo box returns the focus to it."""
    if isinstance(widget.parent(), QAbstractSpinBox | QComboBox):
        return False
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled()
