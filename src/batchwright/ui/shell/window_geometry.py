"""Position and size of a window, always within its screen. All values in logical pixels."""

from PySide6.QtCore import QMargins, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStyle, QWidget

_DEFAULT_SIZE = QSize(1440, 900)
_MIN_SIZE = QSize(1024, 640)
_BORDER = 2


def set_default_geometry(window: QWidget) -> None:
    """Center a window on its screen before it is first shown, at the default size or smaller."""
    available = _available(window)
    usual = QRect(available.topLeft(), _DEFAULT_SIZE.boundedTo(available.size()))
    usual.moveCenter(available.center())
    window.setGeometry(usual)


def fit_to_screen(window: QWidget) -> None:
    """Move and shrink a window into its screen; a maximized or full-screen one is unchanged."""
    set_minimum_size(window)
    available = _available(window)
    if not window.isMaximized() and not window.isFullScreen():
        geometry = window.geometry()
        inner = QRect(geometry.topLeft(), geometry.size().boundedTo(available.size()))
        inner.moveLeft(min(max(inner.left(), available.left()), available.right() + 1 - inner.width()))
        inner.moveTop(min(max(inner.top(), available.top()), available.bottom() + 1 - inner.height()))
        if inner != geometry:
            window.setGeometry(inner)


def set_minimum_size(window: QWidget) -> None:
    """Set the minimum size to the smallest usable one, or to the screen size if that is smaller."""
    window.setMinimumSize(_MIN_SIZE.boundedTo(_available(window).size()))


def _available(window: QWidget) -> QRect:
    """The available area for the content of a window: its screen without panels and window frame."""
    screen = QGuiApplication.screenAt(window.geometry().center()) or window.screen()
    return screen.availableGeometry().marginsRemoved(_frame_margins(window))


def _frame_margins(window: QWidget) -> QMargins:
    """The frame margins of a window; typical ones before the window is shown, when they are unknown."""
    inner, outer = window.geometry(), window.frameGeometry()
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight, None, window)
    return QMargins(
        max(inner.left() - outer.left(), _BORDER),
        max(inner.top() - outer.top(), title + _BORDER),
        max(outer.right() - inner.right(), _BORDER),
        max(outer.bottom() - inner.bottom(), _BORDER),
    )
