"""Detects whether the desktop interprets markup in tray messages (Desktop Notifications Specification, 3).

With a `StatusNotifierWatcher`, Qt passes messages to the notification server of the desktop. Otherwise it
shows them itself, as plain text.
"""

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject

_SERVER = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
_WATCHER = "org.kde.StatusNotifierWatcher"
_CAPABILITY = "body-markup"
_TIMEOUT_MS = 1000
"""Timeout of the query."""


class NotificationMarkup(QObject):
    """Queries the desktop without blocking the window."""

    def query(self, callback: Callable[[bool], object]) -> None:
        """Call `callback` with whether messages are interpreted as markup; False after the timeout."""
        if sys.platform in {"win32", "darwin"}:
            callback(False)
            return
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        names = bus.interface() if bus.isConnected() else None
        if names is None or not names.isServiceRegistered(_WATCHER).value():
            callback(False)
            return
        request = QDBusMessage.createMethodCall(*_SERVER, _SERVER[0], "GetCapabilities")
        watcher = QDBusPendingCallWatcher(bus.asyncCall(request, _TIMEOUT_MS), self)

        def on_finished() -> None:
            capabilities = next(iter(watcher.reply().arguments()), ())
            watcher.deleteLater()
            callback(_CAPABILITY in capabilities)

        watcher.finished.connect(on_finished)
