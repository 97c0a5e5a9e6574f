"""The pool of connections: one `WorkflowContext` per connection, opened once and shared by all windows.

Windows, stages and workflows get everything they need to reach a service here. The exceptions are the account
check before a connection is saved (`workflows.check_account`) and commands without a window (`app.headless`).
The pool also starts the service on this computer, as a child process, and stops it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from batchwright.base.database import Database, StorageUnavailable
from batchwright.base.network_settings import SYSTEM_NETWORK, NetworkSettings
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.job_monitoring.backoff import MAX_PAUSE_S, backoff, local_poll_intervals
from batchwright.client.local_service import LocalServiceManager, service_factory
from batchwright.local.analysis_settings import AnalysisSettingsTable
from batchwright.local.checkpoints import CheckpointTable
from batchwright.local.connections import Connection
from batchwright.local.database import back_up, open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.local.job_table import JobRows
from batchwright.local.paths import Folders
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.local.sent_files import SentFiles
from batchwright.local.stored_participants import StoredParticipants
from batchwright.local.study_files.file_bindings import FileBindings
from batchwright.local.task_layouts import TaskLayoutTable
from batchwright.local.versions import VersionStore
from batchwright.service.process import ServiceAddress

if TYPE_CHECKING:  # the HTTP client is imported with the first connection, after the window is painted
    from batchwright.client.job_monitoring.job_watcher import JobWatcher


async def _system_network() -> NetworkSettings:
    return SYSTEM_NETWORK


class NotSignedIn(Exception):
    """A hosted connection has no token; `connection` is the name of the connection."""

    def __init__(self, connection: str) -> None:
        super().__init__(connection)
        self.connection = connection


@dataclass(frozen=True)
class _PooledContext:
    """An open context, with the address, token, certificates and network settings it was opened with.

    If one of these changes, another context is opened.
    """

    address: ServiceAddress
    certificates: str
    network: NetworkSettings
    context: WorkflowContext

    def matches(self, address: ServiceAddress, connection: Connection, network: NetworkSettings) -> bool:
        """Whether the connection still has this address, token, certificates and network settings."""
        expected = (address, connection.certificates, network)
        return (self.address, self.certificates, self.network) == expected


class ConnectionPool:
    """Opens contexts on demand, starts the service on this computer when it is first needed, and stops it.

    Each connection is opened under a lock of its own. The key ring may wait hours for its owner to unlock it;
    other connections and quitting the program must not wait with it.

    Args:
        folders: the folders of the database and of the service's data.
        secrets: the stored tokens of hosted connections.
        longest_poll_s: returns the longest pause in seconds between two polls of a job of a hosted service.
        network: returns the user's proxy and certificates for hosted services. After a change, a connection
            is opened again when it is next used.
    """

    def __init__(
        self,
        folders: Folders,
        secrets: TokenStore,
        *,
        longest_poll_s: Callable[[], float] = lambda: MAX_PAUSE_S,
        network: Callable[[], Awaitable[NetworkSettings]] = _system_network,
    ) -> None:
        self._folders, self._secrets = folders, secrets
        self._longest_poll_s, self._network = longest_poll_s, network
        self._tokens: dict[str, str] = {}
        self._opened: defaultdict[str, list[_PooledContext]] = defaultdict(list)
        """The open contexts of each connection, the current one last; files may still move on others."""
        self._connection_locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """One lock per connection.

        A connection whose token is known does not wait while the key ring, which may prompt its owner, is
        asked for the token of another.
        """
        self._opening: asyncio.Task[Database] | None = None
        self._job_watcher: JobWatcher | None = None
        self.local_service = LocalServiceManager(service_factory(folders.service), folders.create)

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        """The context of a connection; the service on this computer is started if it is not running.

        Raises:
            NotSignedIn: there is no token for a hosted connection.
            KeyringUnavailable: the key ring cannot be used.
            ServiceDidNotStart: the service on this computer ended before it was ready.
            ConfigurationError: the address or the certificates of the connection cannot be used.
        """
        from batchwright.api.http.retry import silence_reported

        watcher = await self.job_watcher()
        # A hosted connection may wait for the user, who unlocks the key ring.
        start_reports = silence_reported("start") if connection.is_local else nullcontext()
        with start_reports:
            return await self._context(connection, notify, watcher)

    async def _context(
        self, connection: Connection, notify: Notify, watcher: "JobWatcher"
    ) -> WorkflowContext:
        async with self._connection_locks[connection.name]:
            with watcher.connecting(connection.name):
                opened = await self._current_context(
                    connection, await self._service_address(connection, notify)
                )
            return replace(opened.context, notify=notify)

    async def job_watcher(self) -> "JobWatcher":
        """The job watcher, which monitors the jobs of all connections."""
        from batchwright.client.job_monitoring.job_watcher import JobWatcher

        database = await self._get_database()
        if self._job_watcher is None:
            self._job_watcher = JobWatcher(JobRows(database))
        return self._job_watcher

    async def sent_files(self) -> SentFiles:
        """The history of the feedback files sent on all connections."""
        return SentFiles(await self._get_database())

    async def id_registry(self) -> IdRegistry:
        """The registry of all ids that were created or received on any connection."""
        return IdRegistry(await self._get_database())

    async def version_store(self) -> VersionStore:
        """The versions of all studies."""
        return VersionStore(await self._get_database())

    async def file_bindings(self) -> FileBindings:
        """The ids of studies whose files cannot contain them."""
        return FileBindings(await self._get_database())

    async def analysis_settings(self) -> AnalysisSettingsTable:
        """The settings of the analyses of answers."""
        return AnalysisSettingsTable(await self._get_database())

    async def network(self) -> NetworkSettings:
        """The user's proxy and certificates."""
        return await self._network()

    async def resume(self, connection: Connection, notify: Notify) -> None:
        """Resume monitoring the unfinished jobs of a connection, after a restart or a new sign-in.

        Does nothing if the connection has no token; its jobs are resumed after signing in.

        Raises:
            KeyringUnavailable: the key ring cannot be used.
            ServiceDidNotStart: the service on this computer ended before it was ready.
            ConfigurationError: the address or the certificates of the connection cannot be used.
        """
        rows = (await self.job_watcher()).rows
        if await asyncio.to_thread(rows.open, connection.name):
            with suppress(NotSignedIn):
                await (await self.context(connection, notify)).jobs.resume_polling()

    async def sign_in(self, name: str, token: str, *, is_stored: bool, has_key_ring: bool = True) -> None:
        """Use a new token from now on, stored in the key ring or for this run only. It replaces an older one.

        Args:
            name: the name of the connection.
            token: the new token.
            is_stored: whether the token is stored in the key ring.
            has_key_ring: whether the key ring may contain an older token to remove. If False, the key ring is
                not accessed, since it may prompt its owner for a password.

        Raises:
            KeyringUnavailable: the key ring cannot be used; the new token is not used either.
        """
        if is_stored:
            await self._secrets.set(name, token)
        elif has_key_ring:
            await self._remove_stored_token(name)
        self._tokens[name] = token

    def is_in_use(self, name: str) -> bool:
        """Whether the token of a connection has been loaded or entered in this run of the program."""
        return name in self._tokens

    async def token(self, name: str) -> str | None:
        """The token of a connection, from memory or from the key ring; None if there is none.

        Raises:
            KeyringUnavailable: the key ring cannot be used.
        """
        return self._tokens.get(name) or await self._secrets.get(name)

    async def sign_out(self, name: str, *, is_stored: bool = True) -> None:
        """Remove a token from memory and, if stored, from the key ring; no request uses it afterwards.

        The connection's contexts are closed, and monitoring of its jobs is paused.

        Raises:
            KeyringUnavailable: the key ring cannot be used, and may still contain the token.
        """
        async with self._connection_locks[name]:
            self._tokens.pop(name, None)
            for opened in self._opened.pop(name, ()):
                await _close_context(opened.context)
                await opened.context.jobs.pause()
            if self._job_watcher is not None:
                self._job_watcher.block(name, NotSignedIn(name))
            if is_stored:
                await self._secrets.remove(name)

    async def _remove_stored_token(self, name: str) -> None:
        try:
            await self._secrets.remove(name)
        except KeyringUnavailable as error:
            # Without a key ring there is no older token to remove.
            if error.failure is not KeyringFailure.ABSENT:
                raise

    async def close(self) -> None:
        """Close all connections, stop the service on this computer, and close the database."""
        if self._job_watcher is not None:
            await self._job_watcher.close()
        for opened in tuple(chain.from_iterable(self._opened.values())):
            await _close_context(opened.context)
        self._opened.clear()
        await self.local_service.close()
        open_task, self._opening = self._opening, None
        if open_task is not None:
            await asyncio.wait([open_task])
            if open_task.exception() is None:
                await asyncio.to_thread(open_task.result().close)

    async def _service_address(self, connection: Connection, notify: Notify) -> ServiceAddress:
        if connection.is_local:
            return await self.local_service.ensure_running(notify)
        token = self._tokens.get(connection.name)
        if token is None and connection.is_token_stored:
            token = await self.token(connection.name)
        if token is None:
            raise NotSignedIn(connection.name)
        # The user may have entered another token in the meantime; it takes precedence.
        token = self._tokens.setdefault(connection.name, token)
        return ServiceAddress(connection.url, connection.workspace_id, token)

    async def _current_context(self, connection: Connection, address: ServiceAddress) -> _PooledContext:
        """The open context of a connection; open one if there is none or the address has changed."""
        opened = self._opened[connection.name]
        network = SYSTEM_NETWORK if connection.is_local else await self._network()
        if opened and opened[-1].matches(address, connection, network):
            return opened[-1]
        context = await self._open(connection, address, network)
        if opened:
            opened[-1].context.jobs.transfer_to(context.jobs)
        opened.append(_PooledContext(address, connection.certificates, network, context))
        return opened[-1]

    async def _open(
        self, connection: Connection, address: ServiceAddress, network: NetworkSettings
    ) -> WorkflowContext:
        from batchwright.api.client import connect
        from batchwright.client.id_recorder import IdRecorder
        from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
        from batchwright.local.connections import trusted_by

        database = await self._get_database()
        id_recorder = IdRecorder(IdRegistry(database), connection.name, address.workspace_id)
        trusted = trusted_by(connection.certificates)
        service = await asyncio.to_thread(
            connect,
            address.url,
            address.token,
            workspace_id=address.workspace_id,
            certificates=trusted,
            network=network,
            on_response=id_recorder.record_response,
        )
        watcher = await self.job_watcher()
        jobs = ConnectionJobs(
            service, watcher, connection.name, _poll_intervals_for(address.url, self._longest_poll_s)
        )
        watcher.monitor(await jobs.resume())
        return WorkflowContext(
            service,
            address.workspace_id,
            id_recorder,
            jobs,
            CheckpointTable(database),
            TaskLayoutTable(database),
            StoredParticipants(database),
            _ignore,
        )

    async def _get_database(self) -> Database:
        """The database. Opening it is completed even if the first caller is cancelled."""
        if self._opening is None or (self._opening.done() and self._opening.exception() is not None):
            self._opening = asyncio.create_task(asyncio.to_thread(self._open_database))
        return await asyncio.shield(self._opening)

    def _open_database(self) -> Database:
        """Open the database, and mark local jobs that a window left running as stopped.

        The jobs of commands are left alone: a command may be running beside the window.
        """
        from batchwright.client.job_monitoring.status import LOCAL_KINDS, JobOutcome

        self._folders.create()
        database = open_database(self._folders.data)
        with suppress(StorageUnavailable):  # a missing backup does not affect the data
            back_up(database)
        with suppress(StorageUnavailable):  # they are marked at the next start
            JobRows(database).end_all(LOCAL_KINDS, JobOutcome.STOPPED)
        return database


async def _close_context(context: WorkflowContext) -> None:
    """Close a context; ids that could not be stored so far are written first, if possible."""
    with suppress(StorageUnavailable):
        await context.id_recorder.store_pending()
    await context.service.close()


def _poll_intervals_for(url: str, longest_s: Callable[[], float]) -> Callable[[], Iterator[float]]:
    from batchwright.api.http.urls import normalized_base_url

    return local_poll_intervals if normalized_base_url(url).is_local else partial(backoff, longest=longest_s)


def _ignore(_sentence: str) -> None:
    """Discard a message; each window passes its own function instead."""
