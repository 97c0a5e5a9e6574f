"""The connection that a window uses: its workflow context, and the jobs of all connections."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.ui.core.authentication import Authenticator, ContextProvider
from batchwright.ui.core.token_prompt import CoalescedTokenPrompt, TokenPrompt

if TYPE_CHECKING:  # imported after the first stage is shown, since the HTTP client takes long to import
    from batchwright.base.network_settings import NetworkSettings
    from batchwright.client.job_monitoring.job_watcher import JobWatcher
    from batchwright.client.resilient_run import RecoveryHooks
    from batchwright.local.analysis_settings import AnalysisSettingsTable
    from batchwright.local.id_registry import IdRegistry
    from batchwright.local.job_table import JobRow
    from batchwright.local.sent_files import SentFiles
    from batchwright.local.study_files.file_bindings import FileBindings
    from batchwright.local.versions import VersionStore

T = TypeVar("T")

Work = Callable[[WorkflowContext, "RecoveryHooks | None"], Awaitable[T]]
"""Performs work at a service, or continues it when called again; must not create anything twice."""


class ConnectionPoolLike(ContextProvider, Protocol):
    """Opens workflow contexts and has the stored data of all connections (`client.connection_pool`)."""

    async def job_watcher(self) -> "JobWatcher":
        """The watcher that monitors the jobs of all connections."""

    async def sent_files(self) -> "SentFiles":
        """The feedback files sent at any connection."""

    async def id_registry(self) -> "IdRegistry":
        """The registry of all ids created or fetched at any connection."""

    async def version_store(self) -> "VersionStore":
        """The versions of all studies."""

    async def file_bindings(self) -> "FileBindings":
        """The ids of studies whose files cannot contain them."""

    async def analysis_settings(self) -> "AnalysisSettingsTable":
        """The settings of the analyses of answers."""

    async def network(self) -> "NetworkSettings":
        """The user's proxy and certificates."""

    async def resume(self, connection: Connection, notify: Notify) -> None:
        """Resume monitoring the jobs that had not ended when the program was last closed."""


async def _ignore_sign_out(_connection: Connection) -> None:
    """Default for `on_signed_out`: does nothing."""


def _ignore_online() -> None:
    """Default for `on_online`: does nothing."""


class ConnectionSession(QObject):
    """The current connection of a window; opens its workflow context on demand.

    Args:
        pool: the pool of contexts, one per program.
        find_connection: returns the connection with a name.
        sign_in: asks the user for a token, or to unlock the keyring; returns False if the user cancels.
        on_signed_out: is called with a connection whose token is missing or rejected.
    """

    changed = Signal()
    """Another connection is current."""
    jobs_changed = Signal()
    """A job of any connection has changed."""
    job_ended = Signal(object)
    """A job has ended that no operation waits for; the argument is its `JobRow`."""
    titles_changed = Signal()
    """Titles of connections have changed."""
    message = Signal(str)
    """A message of one sentence about something that has just happened or is about to happen."""

    def __init__(
        self,
        pool: ConnectionPoolLike,
        find_connection: Callable[[str], Awaitable[Connection]],
        sign_in: TokenPrompt,
        parent: QObject | None = None,
        *,
        on_signed_out: Callable[[Connection], Awaitable[object]] = _ignore_sign_out,
    ) -> None:
        super().__init__(parent)
        self._pool, self._find_connection, self._prompt = pool, find_connection, CoalescedTokenPrompt(sign_in)
        self._authenticator = Authenticator(pool, find_connection, self._prompt, self.notify, on_signed_out)
        self._connection = THIS_COMPUTER
        self._job_watcher: JobWatcher | None = None
        self._titles = {THIS_COMPUTER.name: THIS_COMPUTER.title}

    @property
    def connection(self) -> Connection:
        """The current connection."""
        return self._connection

    @property
    def is_live(self) -> bool:
        """Whether the current connection is to a hosted service."""
        return not self._connection.is_local

    async def context(self, *, may_prompt: bool = True) -> WorkflowContext:
        """The workflow context of the current connection; starts the service on this computer if necessary.

        Args:
            may_prompt: whether to prompt for a token if one is needed. False for views that only show
                something, since an unexpected prompt is dismissed.

        Raises:
            NotSignedIn: a token is needed, and the user gave none or was not prompted.
            KeyringUnavailable: the keyring that may contain the token cannot be used, and the user was not
                prompted.
        """
        return await self._authenticator.context(self._connection, may_prompt=may_prompt)

    async def local_context(self) -> WorkflowContext:
        """The workflow context of the service on this computer, which is started if necessary.

        Raises:
            ServiceDidNotStart: it ended before it was ready.
            OSError: it cannot be started.
        """
        return await self._pool.context(THIS_COMPUTER, self.notify)

    async def run(
        self,
        work: Work[T],
        on_offline: Callable[[], object] | None = None,
        connection_name: str = "",
        *,
        on_online: Callable[[], object] = _ignore_online,
        may_prompt: bool = True,
    ) -> T:
        """Perform work at a connection, by default the current one, even if another one is chosen meanwhile.

        The work is continued when the network is back, when the service on this computer was started again
        because it had ended, and when the user has signed in again after the token was rejected. The user is
        prompted only if no newer token is available, and not after signing out. A window can wait for the
        network because the user can cancel; commands without a window end with an error instead.

        Args:
            work: is called again to continue after an outage or a sign-in.
            on_offline: is called as soon as the service at any connection does not respond, or the one on
                this computer takes long to start, and before each wait for the network; without it, an outage
                is raised as an error.
            connection_name: the name of the connection, for work that was requested earlier; empty for the
                current one.
            on_online: is called when the service responds again; only used with `on_offline`.
            may_prompt: whether to prompt for a token if one is needed; False for views that only show
                something.

        Raises:
            NoSuchConnection: no connection has this name any more.
            NotSignedIn: a token is needed, and the user gave none.
            Unauthorized: the token was rejected, and the user gave no other.
            Exception: any other error of the work.
        """
        from batchwright.client.errors import is_token_rejected
        from batchwright.client.resilient_run import outage_reported, run_resiliently

        connection = await self._find_connection(connection_name) if connection_name else self._connection
        hooks = self._authenticator.recovery_hooks(connection, on_offline, on_online) if may_prompt else None
        with nullcontext() if on_offline is None else outage_reported(on_offline, on_online):
            context = await self._authenticator.context(connection, may_prompt=may_prompt)
            try:
                return await run_resiliently(context, lambda context: work(context, hooks), hooks)
            except Exception as error:
                if is_token_rejected(error):
                    await self._authenticator.on_signed_out(connection)
                raise

    async def select(self, name: str) -> None:
        """Select another connection.

        Raises:
            NoSuchConnection: no connection has this name.
        """
        self.set_connection(await self._find_connection(name))

    def set_connection(self, connection: Connection) -> None:
        """Make another connection the current one."""
        if connection != self._connection:
            self._connection = connection
            self.changed.emit()

    def title_of(self, name: str) -> str:
        """The current title of a connection; its name if it does not exist."""
        return self._titles.get(name, name)

    def has_connection(self, name: str) -> bool:
        """Whether a connection exists."""
        return name in self._titles

    def update_connections(self, connections: Sequence[Connection]) -> None:
        """Update the list of connections; if the current one was removed, this computer becomes current."""
        by_name = {connection.name: connection for connection in connections}
        titles = {connection.name: connection.title for connection in connections}
        if titles != self._titles:
            self._titles = titles
            self.titles_changed.emit()
        self.set_connection(by_name.get(self._connection.name, THIS_COMPUTER))

    async def job_watcher(self) -> "JobWatcher":
        """The watcher of all jobs; from the first call on, its events are emitted as signals."""
        watcher = await self._pool.job_watcher()
        if self._job_watcher is None:
            self._job_watcher = watcher
            watcher.add_listener(self._on_jobs_changed, self._on_job_ended)
        return watcher

    async def sent_files(self) -> "SentFiles":
        """The feedback files sent at any connection."""
        return await self._pool.sent_files()

    async def id_registry(self) -> "IdRegistry":
        """The registry of all ids created or fetched at any connection."""
        return await self._pool.id_registry()

    async def version_store(self) -> "VersionStore":
        """The versions of all studies."""
        return await self._pool.version_store()

    async def file_bindings(self) -> "FileBindings":
        """The ids of studies whose files cannot contain them."""
        return await self._pool.file_bindings()

    async def analysis_settings(self) -> "AnalysisSettingsTable":
        """The settings of the analyses of answers."""
        return await self._pool.analysis_settings()

    async def network(self) -> "NetworkSettings":
        """The user's proxy and certificates, for requests to servers that are not services."""
        return await self._pool.network()

    async def open_jobs(self) -> "list[JobRow]":
        """The jobs that have not ended, of the connections that exist."""
        rows = await asyncio.to_thread((await self.job_watcher()).rows.open)
        return [row for row in rows if self.has_connection(row.connection)]

    async def pause_removed_jobs(self) -> None:
        """Pause monitoring of jobs whose connection was removed, until it is added again."""
        watcher = await self.job_watcher()
        for row in await asyncio.to_thread(watcher.rows.open):
            if not self.has_connection(row.connection):
                watcher.pause(row.row_id)

    async def clear_ended_jobs(self) -> None:
        """Remove ended jobs from the list, and jobs of connections that do not exist."""
        await (await self.job_watcher()).clear_ended(self._titles)

    async def resume_jobs(self, connection: Connection) -> None:
        """Resume monitoring the jobs of a connection that had not ended when the program was last closed.

        Raises:
            KeyringUnavailable: the keyring that may contain the token cannot be used.
            ServiceDidNotStart: the service on this computer ended before it was ready.
            ConfigurationError: the URL or the certificates of the connection cannot be used.
        """
        await self.job_watcher()
        await self._pool.resume(connection, self.notify)

    async def poll_job(self, job: "JobRow") -> None:
        """Poll a job now, and monitor it from now on.

        Raises:
            NotSignedIn: a token is needed, and the user gave none.
            NoSuchConnection: the connection was removed.
        """
        from batchwright.client.job_monitoring.monitors import PollFailure

        connection = await self._find_connection(job.connection)
        poller = (await self.job_watcher()).poller(job.row_id)
        is_signed_out = poller is not None and poller.poll_failure is PollFailure.SIGNED_OUT
        if is_signed_out and not await self._prompt(connection):
            return
        context = await self._authenticator.context(connection, may_prompt=True)
        await context.jobs.poll_now(job)

    async def retry_job(self, job: "JobRow") -> None:
        """Request a failed job again, and monitor the new one.

        Raises:
            NotSignedIn: a token is needed, and the user gave none.
            NoSuchConnection: the connection was removed.
            ApiError: the request failed.
        """
        from batchwright.workflows.retry_job import retry_job

        await retry_job(
            await self._authenticator.context(await self._find_connection(job.connection), may_prompt=True),
            job,
        )

    def notify(self, message: str) -> None:
        """Emit `message`, unless the window was closed: the local service starts for all windows."""
        if isValid(self):
            self.message.emit(message)

    def close(self) -> None:
        """Disconnect from the job watcher, when the window is closed."""
        if self._job_watcher is not None:
            self._job_watcher.remove_listener(self._on_jobs_changed, self._on_job_ended)
            self._job_watcher = None

    def _on_jobs_changed(self) -> None:
        self.jobs_changed.emit()

    def _on_job_ended(self, job: "JobRow") -> None:
        self.job_ended.emit(job)
