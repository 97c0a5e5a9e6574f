"""Whether the desktop reads markup in the messages of the tray (Desktop Notifications Specification, 3).

Qt hands a message to the notification server of a desktop that has a `StatusNotifierWatcher`; elsewhere it
shows the message itself, as plain text.
"""

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject

_SERVER = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
_WATCHER = "org.kde.StatusNotifierWatcher"
_CAPABILITY = "body-markup"
_TIMEOUT_MS = 1000
"""The longest that a server may take to answer."""


class NotificationMarkup(QObject):
    """Asks the desktop, and tells without keeping the window waiting."""

    def query(self, answer: Callable[[bool], object]) -> None:
        """Call `answer` with whether a message is read as markup, also when no server says so in time."""
        if sys.platform in {"win32", "darwin"}:
            answer(False)
            return
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        names = bus.interface() if bus.isConnected() else None
        if names is None or not names.isServiceRegistered(_WATCHER).value():
            answer(False)
            return
        question = QDBusMessage.createMethodCall(*_SERVER, _SERVER[0], "GetCapabilities")
        watcher = QDBusPendingCallWatcher(bus.asyncCall(question, _TIMEOUT_MS), self)

        def heard() -> None:
            capabilities = next(iter(watcher.reply().arguments()), ())
            watcher.deleteLater()
            answer(_CAPABILITY in capabilities)

        watcher.finished.connect(heard)
