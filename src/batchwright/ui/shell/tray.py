"""Messages outside the stages: notices about jobs, and system tray messages while no window is active.

With a `StatusNotifierWatcher`, Qt passes messages to the notification server of the desktop, which may
interpret markup in them (Desktop Notifications Specification, 3). Otherwise Qt shows them itself, as plain
text.
"""

import sys
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from batchwright.base.i18n import _
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.program_icon import program_icon
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

if TYPE_CHECKING:  # imported after the window is painted: they take longer than painting it
    from batchwright.local.connections import Connection
    from batchwright.local.job_table import JobRow
    from batchwright.ui.connections.controller import ConnectionsController
    from batchwright.ui.core.session import ConnectionSession


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


_MESSAGE_ICONS = {
    NoticeSeverity.SUCCESS: QSystemTrayIcon.MessageIcon.Information,
    NoticeSeverity.WARNING: QSystemTrayIcon.MessageIcon.Warning,
    NoticeSeverity.ERROR: QSystemTrayIcon.MessageIcon.Critical,
}
"""The notices that are shown as messages, with their icons; informational ones are not."""


class TrayIcon(QSystemTrayIcon):
    """The icon of the program in the system tray."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(program_icon(), parent)
        self._markup = NotificationMarkup(self)
        self.setToolTip("Batchwright")

    @property
    def can_show_messages(self) -> bool:
        """Whether the system has a tray that supports messages."""
        return self.isSystemTrayAvailable() and self.supportsMessages()

    def show_notice(self, notice: Notice) -> None:
        """Show a notice; markup is escaped for desktops that interpret it."""
        self.show()
        self._markup.query(lambda reads_markup: self._show_message(notice, reads_markup=reads_markup))

    def _show_message(self, notice: Notice, *, reads_markup: bool) -> None:
        text = sanitize(notice.text)
        self.showMessage(
            sanitize_line(notice.title),
            escape(text, quote=False) if reads_markup else text,
            _MESSAGE_ICONS[notice.severity],
        )


def _is_in_front() -> bool:
    return QApplication.activeWindow() is not None


class Tray(QObject):
    """Shows notices in the tray while no window is active; the icon is hidden when one becomes active.

    Args:
        create_icon: creates the icon for the first message, because detecting a tray is slow.
        is_in_front: whether a window of the program is active.
        is_enabled: whether the user wants messages.
    """

    window_requested = Signal(QWidget)
    """The window of a clicked message."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        create_icon: Callable[[QObject], TrayIcon] = TrayIcon,
        is_in_front: Callable[[], bool] = _is_in_front,
        is_enabled: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(parent)
        self._create_icon, self._is_in_front, self._is_enabled = create_icon, is_in_front, is_enabled
        self._icon: TrayIcon | None = None
        self._window: QWidget | None = None

    def show_notice(self, window: QWidget, notice: Notice) -> None:
        """Show a notice of a window if no window is active, messages are on, and the desktop has a tray."""
        if notice.severity not in _MESSAGE_ICONS or self._is_in_front() or not self._is_enabled():
            return
        tray_icon = self._icon or self._add_icon()
        if tray_icon.can_show_messages:
            self._window = window
            tray_icon.show_notice(notice)

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


class JobNotices(QObject):
    """Monitors the jobs of all connections, counts the open ones, and shows a notice when one ends."""

    def __init__(
        self, context: StageContext, session: "ConnectionSession", connections: "ConnectionsController"
    ) -> None:
        super().__init__(context.window)
        self._context, self._session, self._connections = context, session, connections
        session.jobs_changed.connect(self._count_soon)
        session.job_ended.connect(self._on_job_ended)
        session.titles_changed.connect(self._count_soon)
        connections.changed.connect(self._stop_monitoring_removed)
        connections.credentials_changed.connect(self._resume)

    def start(self) -> None:
        """Monitor the jobs that had not ended when the program was last closed."""
        self._count_soon()
        for connection in self._connections.all:
            if self._session.is_live or not connection.is_local:  # else done when the service starts
                self._resume(connection)

    def _resume(self, connection: "Connection") -> None:
        name = f"resume jobs at {connection.name}"
        self._context.tasks.start(name, lambda: self._session.resume_jobs(connection))

    def _stop_monitoring_removed(self) -> None:
        self._context.tasks.start("pause jobs of removed connections", self._session.pause_removed_jobs)

    def _count_soon(self) -> None:
        self._context.tasks.start("count jobs", self._count)

    async def _count(self) -> None:
        self._context.shell.set_job_count(len(await self._session.open_jobs()))

    def _on_job_ended(self, job: "JobRow") -> None:
        """Show a notice about a job that has ended, unless something was waiting for it."""
        from batchwright.client.job_monitoring.status import JobOutcome
        from batchwright.ui.core.job_types import job_status, job_title

        severity = NoticeSeverity.SUCCESS if job.outcome == JobOutcome.DONE else NoticeSeverity.WARNING
        status = job_status(job.kind, job.state, job.outcome)
        title = job_title(job.kind, job.title)
        self._context.notices.show_notice(
            Notice(severity, title, _(status.label), _("Open"), self._show_jobs)
        )

    def _show_jobs(self) -> None:
        self._context.shell.set_stage("jobs")
