"""System tray messages for notices while no window is active."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from batchwright.ui.icons import icon
from batchwright.ui.shell.notification_markup import NotificationMarkup
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.notices import Toast, ToastSeverity

_MESSAGE_ICONS = {
    ToastSeverity.SUCCESS: QSystemTrayIcon.MessageIcon.Information,
    ToastSeverity.WARNING: QSystemTrayIcon.MessageIcon.Warning,
    ToastSeverity.ERROR: QSystemTrayIcon.MessageIcon.Critical,
}
"""The notices that are shown as messages, with their icons; informational ones are not."""


class TrayIcon(QSystemTrayIcon):
    """The icon of the program in the system tray."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(icon("stack", "accent_text"), parent)
        self._markup = NotificationMarkup(self)
        self.setToolTip("Batchwright")

    @property
    def can_show_messages(self) -> bool:
        """Whether the system has a tray that supports messages."""
        return self.isSystemTrayAvailable() and self.supportsMessages()

    def show_toast(self, toast: Toast) -> None:
        """Show a notice; markup is escaped for desktops that interpret it."""
        self.show()
        self._markup.query(lambda reads_markup: self._show_message(toast, reads_markup=reads_markup))

    def _show_message(self, toast: Toast, *, reads_markup: bool) -> None:
        text = sanitize(toast.text)
        self.showMessage(
            sanitize_line(toast.title),
            escape(text, quote=False) if reads_markup else text,
            _MESSAGE_ICONS[toast.severity],
        )


def _is_in_front() -> bool:
    return QApplication.activeWindow() is not None


class Tray(QObject):
    """Shows notices in the tray while no window is active; the icon is hidden when one becomes active.

    Args:
        create_icon: creates the icon for the first message, because detecting a tray is slow.
        is_in_front: whether a window of the program is active.
    """

    window_requested = Signal(QWidget)
    """The window of a clicked message."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        create_icon: Callable[[QObject], TrayIcon] = TrayIcon,
        is_in_front: Callable[[], bool] = _is_in_front,
    ) -> None:
        super().__init__(parent)
        self._create_icon, self._is_in_front = create_icon, is_in_front
        self._icon: TrayIcon | None = None
        self._window: QWidget | None = None

    def show_toast(self, window: QWidget, toast: Toast) -> None:
        """Show a notice of a window, unless a window is active or the system has no tray."""
        if toast.severity not in _MESSAGE_ICONS or self._is_in_front():
            return
        tray_icon = self._icon or self._add_icon()
        if tray_icon.can_show_messages:
            self._window = window
            tray_icon.show_toast(toast)

    def _add_icon(self) -> TrayIcon:
        icon = self._icon = self._create_icon(self)
        icon.messageClicked.connect(self._on_clicked)
        icon.activated.connect(lambda _how: self._on_clicked())
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application_state_changed)
        return icon

    def _on_clicked(self) -> None:
        if self._window is not None:
            self.window_requested.emit(self._window)

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive and self._icon is not None:
            self._icon.hide()
