"""Where a window lies and how large it is: always within the screen that it is on. All in logical pixels."""

from PySide6.QtCore import QMargins, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStyle, QWidget

_DEFAULT_SIZE = QSize(1440, 900)
_MIN_SIZE = QSize(1024, 640)
_BORDER = 2


def set_default_geometry(window: QWidget) -> None:
    """Put a window that was not shown yet into the middle of its screen, as large as there is room for."""
    available = _available(window)
    usual = QRect(available.topLeft(), _DEFAULT_SIZE.boundedTo(available.size()))
    usual.moveCenter(available.center())
    window.setGeometry(usual)


def fit_to_screen(window: QWidget) -> None:
    """Move and shrink a window until its screen shows all of it; one that fills its screen stays as it is."""
    set_minimum_size(window)
    available = _available(window)
    if not window.isMaximized() and not window.isFullScreen():
        geometry = window.geometry()
        inside = QRect(geometry.topLeft(), geometry.size().boundedTo(available.size()))
        inside.moveLeft(min(max(inside.left(), available.left()), available.right() + 1 - inside.width()))
        inside.moveTop(min(max(inside.top(), available.top()), available.bottom() + 1 - inside.height()))
        if inside != geometry:
            window.setGeometry(inside)


def set_minimum_size(window: QWidget) -> None:
    """Let a window be made no smaller than is usable; it may always be as small as its screen."""
    window.setMinimumSize(_MIN_SIZE.boundedTo(_available(window).size()))


def _available(window: QWidget) -> QRect:
    """Where the inside of a window may lie: its screen without panels, and without the window's own frame."""
    screen = QGuiApplication.screenAt(window.geometry().center()) or window.screen()
    return screen.availableGeometry().marginsRemoved(_frame_margins(window))


def _frame_margins(window: QWidget) -> QMargins:
    """The frame of a window, or one of usual widths: before the window is shown nobody tells them."""
    inside, whole = window.geometry(), window.frameGeometry()
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight, None, window)
    return QMargins(
        max(inside.left() - whole.left(), _BORDER),
        max(inside.top() - whole.top(), title + _BORDER),
        max(whole.right() - inside.right(), _BORDER),
        max(whole.bottom() - inside.bottom(), _BORDER),
    )
