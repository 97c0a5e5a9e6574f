"""News of jobs in one window, at whatever stage: watched again, counted in the rail, told when they end."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from batchwright.base.i18n import _
from batchwright.local.connections import Connection
from batchwright.ui.connections.controller import ConnectionsController
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.notices import Toast, ToastSeverity

if TYPE_CHECKING:  # jobs are looked at after the first stage is shown
    from batchwright.local.job_table import JobRow


class JobNotifications(QObject):
    """Keeps the jobs of the connections watched, and tells the window of them."""

    def __init__(
        self, frame: StageContext, session: ConnectionSession, connecting: ConnectionsController
    ) -> None:
        super().__init__(frame.window)
        self._context, self._session, self._connections = frame, session, connecting
        session.jobs_changed.connect(self._count_soon)
        session.job_ended.connect(self._on_job_ended)
        session.titles_changed.connect(self._count_soon)
        connecting.changed.connect(self._stop_monitoring_removed)
        connecting.credentials_changed.connect(self._resume)

    def start(self) -> None:
        """Have watched again what had not ended when the program last did."""
        self._count_soon()
        for connection in self._connections.all:
            if self._session.is_live or not connection.is_local:  # else the start of its service does it
                self._resume(connection)

    def _resume(self, connection: Connection) -> None:
        name = f"watch jobs at {connection.name} again"
        self._context.tasks.start(name, lambda: self._session.resume_jobs(connection))

    def _stop_monitoring_removed(self) -> None:
        self._context.tasks.start("leave off jobs", self._session.pause_removed_jobs)

    def _count_soon(self) -> None:
        self._context.tasks.start("count jobs", self._count)

    async def _count(self) -> None:
        self._context.shell.set_job_count(len(await self._session.open_jobs()))

    def _on_job_ended(self, job: "JobRow") -> None:
        """Tell of a job that has ended while nobody waited for it."""
        from batchwright.client.job_monitoring.status import JobOutcome
        from batchwright.ui.core.job_types import job_status, job_title

        mood = ToastSeverity.SUCCESS if job.outcome == JobOutcome.DONE else ToastSeverity.WARNING
        status = job_status(job.kind, job.state, job.outcome)
        title = job_title(job.kind, job.title)
        self._context.toasts.show_toast(Toast(mood, title, _(status.label), _("Open"), self._show_jobs))

    def _show_jobs(self) -> None:
        self._context.shell.set_stage("jobs")
