"""What finished or failed while nobody looks, told by the system's tray (design.md 3, Notices)."""

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
    ToastSeverity.DONE: QSystemTrayIcon.MessageIcon.Information,
    ToastSeverity.ADVICE: QSystemTrayIcon.MessageIcon.Warning,
    ToastSeverity.FAILED: QSystemTrayIcon.MessageIcon.Critical,
}
"""What is worth a message, and its sign: hints about what someone does just now are not."""


class TrayIcon(QSystemTrayIcon):
    """Our sign in the system's tray."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(icon("stack", "accent_text"), parent)
        self._markup = NotificationMarkup(self)
        self.setToolTip("Batchwright")

    @property
    def can_show_messages(self) -> bool:
        """Whether this system has a tray that shows messages."""
        return self.isSystemTrayAvailable() and self.supportsMessages()

    def show_toast(self, notice: Toast) -> None:
        """Show a notice; a desktop that reads markup in messages is given none."""
        self.show()
        self._markup.query(lambda reads_markup: self._show_message(notice, reads_markup=reads_markup))

    def _show_message(self, notice: Toast, *, reads_markup: bool) -> None:
        line = sanitize(notice.text)
        self.showMessage(
            sanitize_line(notice.title),
            escape(line, quote=False) if reads_markup else line,
            _MESSAGE_ICONS[notice.severity],
        )


def _is_in_front() -> bool:
    return QApplication.activeWindow() is not None


class Tray(QObject):
    """Passes notices on while no window of the program is in front; its icon goes when one is again.

    Args:
        make_icon: makes the icon when there is the first thing to tell: looking for a tray takes a moment.
        is_in_front: whether a window of the program is in front.
    """

    window_requested = Signal(QWidget)
    """A message was chosen: its window is to be shown."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        make_icon: Callable[[QObject], TrayIcon] = TrayIcon,
        is_in_front: Callable[[], bool] = _is_in_front,
    ) -> None:
        super().__init__(parent)
        self._create_icon, self._is_in_front = make_icon, is_in_front
        self._icon: TrayIcon | None = None
        self._window: QWidget | None = None

    def show_toast(self, window: QWidget, notice: Toast) -> None:
        """Pass on a notice of a window, where nobody sees the window and the system has a tray."""
        if notice.severity not in _MESSAGE_ICONS or self._is_in_front():
            return
        tray_icon = self._icon or self._add_icon()
        if tray_icon.can_show_messages:
            self._window = window
            tray_icon.show_toast(notice)

    def _add_icon(self) -> TrayIcon:
        made = self._icon = self._create_icon(self)
        made.messageClicked.connect(self._on_clicked)
        made.activated.connect(lambda _how: self._on_clicked())
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application_state_changed)
        return made

    def _on_clicked(self) -> None:
        if self._window is not None:
            self.window_requested.emit(self._window)

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive and self._icon is not None:
            self._icon.hide()
