"""One workbench for each connection, opened once and kept for the program, with the service of this computer.

What a window, a stage or a workflow needs of the network it gets here; nobody else opens a connection.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from batchwright.base.database import Database, StorageUnavailable
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.job_monitoring.backoff import backoff
from batchwright.client.local_service import LocalServiceManager, service_factory
from batchwright.local.checkpoints import CheckpointTable
from batchwright.local.connections import Connection
from batchwright.local.database import back_up, open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.local.job_table import JobRows
from batchwright.local.paths import Folders
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.local.sent_files import SentFiles
from batchwright.service.process import ServiceAddress

if TYPE_CHECKING:  # what reaches a service is imported when one is, after the window is painted
    from batchwright.client.job_monitoring.job_watcher import JobWatcher


class NotSignedIn(Exception):
    """A connection has no token; `connection` is its name."""

    def __init__(self, connection: str) -> None:
        super().__init__(connection)
        self.connection = connection


@dataclass(frozen=True)
class _PooledContext:
    """A workbench, and what it stands on: another address or token needs another one."""

    address: ServiceAddress
    certificates: str
    context: WorkflowContext

    def matches(self, running: ServiceAddress, connection: Connection) -> bool:
        """Whether the connection still leads there, with the same trust."""
        return (self.address, self.certificates) == (running, connection.certificates)


class ConnectionPool:
    """Opens workbenches, starts the service of this computer for the first that needs it, and ends it.

    Args:
        folders: where database and the service's data are.
        secrets: the tokens of hosted connections.
    """

    def __init__(self, folders: Folders, secrets: TokenStore) -> None:
        self._folders, self._secrets = folders, secrets
        self._tokens: dict[str, str] = {}
        self._opened: defaultdict[str, list[_PooledContext]] = defaultdict(list)
        """Those of each connection, the one in use last; a file may still be on its way by the others."""
        self._connection_locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """One for each connection: whose token is at hand does not wait for the key ring, which may ask its
        owner about another first."""
        self._opening: asyncio.Task[Database] | None = None
        self._job_watcher: JobWatcher | None = None
        self.local_service = LocalServiceManager(service_factory(folders.service), folders.create)

    async def context(self, connection: Connection, tell: Notify) -> WorkflowContext:
        """The workbench of a connection; the service of this computer is started where it does not run.

        Raises:
            NotSignedIn: no token is kept for a hosted connection.
            KeyringUnavailable: the key ring cannot be used.
            ServiceDidNotStart: the service of this computer ended before it was ready.
            ConfigurationError: address or certificates of the connection cannot be used.
        """
        watch = await self.job_watcher()
        async with self._connection_locks[connection.name]:
            with watch.connecting(connection.name):
                opened = await self._current_context(
                    connection, await self._service_address(connection, tell)
                )
            return replace(opened.context, notify=tell)

    async def job_watcher(self) -> "JobWatcher":
        """The watch over the jobs of every connection."""
        from batchwright.client.job_monitoring.job_watcher import JobWatcher

        database = await self._get_database()
        if self._job_watcher is None:
            self._job_watcher = JobWatcher(JobRows(database))
        return self._job_watcher

    async def sent_files(self) -> SentFiles:
        """The feedback files sent to whatever connection."""
        return SentFiles(await self._get_database())

    async def id_registry(self) -> IdRegistry:
        """Every id made or seen at whatever connection."""
        return IdRegistry(await self._get_database())

    async def resume(self, connection: Connection, tell: Notify) -> None:
        """Watch again what had not ended when the program last did, or when its token was refused.

        A connection without a token waits for one.

        Raises:
            KeyringUnavailable: the key ring cannot be used.
            ServiceDidNotStart: the service of this computer ended before it was ready.
            ConfigurationError: address or certificates of the connection cannot be used.
        """
        rows = (await self.job_watcher()).rows
        if await asyncio.to_thread(rows.open, connection.name):
            with suppress(NotSignedIn):
                await (await self.context(connection, tell)).jobs.resume_polling()

    async def sign_in(self, name: str, token: str, *, is_kept: bool, has_ring: bool = True) -> None:
        """Use a token from now on; kept in the key ring, or for this run only. An older one is forgotten.

        Args:
            name: of the connection.
            token: the new one.
            is_kept: whether it goes into the key ring.
            has_ring: whether the key ring may hold an older one, and can be asked to forget it. It is not
                asked for anything otherwise, since it may ask its owner for a password.

        Raises:
            KeyringUnavailable: the key ring cannot be used; the token is used for nothing.
        """
        if is_kept:
            await self._secrets.set(name, token)
        elif has_ring:
            await self._remove_stored_token(name)
        self._tokens[name] = token

    def is_in_use(self, name: str) -> bool:
        """Whether this run of the program has the token of a connection."""
        return name in self._tokens

    async def token(self, name: str) -> str | None:
        """The token of a connection, in use or in the key ring; None when there is none.

        Raises:
            KeyringUnavailable: the key ring cannot be used.
        """
        return self._tokens.get(name) or await self._secrets.get(name)

    async def sign_out(self, name: str, *, is_kept: bool = True) -> None:
        """Forget a token, here and, where it is kept, in the key ring; nothing more is asked with it.

        Raises:
            KeyringUnavailable: the key ring cannot be used, and may still hold it.
        """
        async with self._connection_locks[name]:
            self._tokens.pop(name, None)
            for opened in self._opened.pop(name, ()):
                await _close_context(opened.context)
                await opened.context.jobs.pause()
            if self._job_watcher is not None:
                self._job_watcher.block(name, NotSignedIn(name))
            if is_kept:
                await self._secrets.remove(name)

    async def _remove_stored_token(self, name: str) -> None:
        try:
            await self._secrets.remove(name)
        except KeyringUnavailable as error:
            if (
                error.why is not KeyringFailure.ABSENT
            ):  # where there is no key ring, none can hold an older token
                raise

    async def close(self) -> None:
        """Close every connection, end the service of this computer, and close the database."""
        if self._job_watcher is not None:
            await self._job_watcher.close()
        for opened in tuple(chain.from_iterable(self._opened.values())):
            await _close_context(opened.context)
        self._opened.clear()
        await self.local_service.close()
        opening, self._opening = self._opening, None
        if opening is not None:
            await asyncio.wait([opening])
            if opening.exception() is None:
                await asyncio.to_thread(opening.result().close)

    async def _service_address(self, connection: Connection, tell: Notify) -> ServiceAddress:
        if connection.is_local:
            return await self.local_service.ensure_running(tell)
        token = self._tokens.get(connection.name)
        if token is None and connection.is_token_kept:
            token = await self.token(connection.name)
        if token is None:
            raise NotSignedIn(connection.name)
        # Another one may have been given while the key ring was asked.
        token = self._tokens.setdefault(connection.name, token)
        return ServiceAddress(connection.url, connection.workspace_id, token)

    async def _current_context(self, connection: Connection, running: ServiceAddress) -> _PooledContext:
        """What is open already, or opened in the place of what does not fit any more."""
        opened = self._opened[connection.name]
        if opened and opened[-1].matches(running, connection):
            return opened[-1]
        bench = await self._open(connection, running)
        if opened:
            opened[-1].context.jobs.transfer_to(bench.jobs)
        opened.append(_PooledContext(running, connection.certificates, bench))
        return opened[-1]

    async def _open(self, connection: Connection, running: ServiceAddress) -> WorkflowContext:
        from batchwright.api.client import connect
        from batchwright.client.id_recorder import IdRecorder
        from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
        from batchwright.local.connections import trusted_by

        database = await self._get_database()
        memory = IdRecorder(IdRegistry(database), connection.name, running.workspace_id)
        trusted = trusted_by(connection.certificates)
        service = await asyncio.to_thread(
            connect, running.url, running.token, certificates=trusted, hear=memory.record_response
        )
        watch = await self.job_watcher()
        watching = ConnectionJobs(service, watch, connection.name, _poll_intervals_for(running.url))
        watch.watch(await watching.resume())
        return WorkflowContext(
            service, running.workspace_id, memory, watching, CheckpointTable(database), _ignore
        )

    async def _get_database(self) -> Database:
        """The database; it is opened to the end even if whoever asked first is cancelled."""
        if self._opening is None or (self._opening.done() and self._opening.exception() is not None):
            self._opening = asyncio.create_task(asyncio.to_thread(self._open_database))
        return await asyncio.shield(self._opening)

    def _open_database(self) -> Database:
        """The database; what the program was doing itself when it ended last is marked as stopped."""
        from batchwright.client.job_monitoring.status import LOCAL_KINDS, JobOutcome

        self._folders.create()
        database = open_database(self._folders.data)
        with suppress(StorageUnavailable):  # what is kept is none the less kept
            back_up(database)
        with suppress(StorageUnavailable):  # they are marked at another start
            JobRows(database).end_all(LOCAL_KINDS, JobOutcome.STOPPED)
        return database


async def _close_context(bench: WorkflowContext) -> None:
    """Close a connection; what could not be written so far about it has its last chance."""
    with suppress(StorageUnavailable):
        await bench.id_recorder.store_pending()
    await bench.service.close()


def local_poll_intervals() -> Iterator[float]:
    """Pauses in seconds between polls of a service that is near: a fifth of the time it stood still, up to 2.

    Polling it costs nearly nothing, and whoever waits hears soon that it has stopped.
    """
    return backoff(first=0.05, longest=2, growth=1.2)


def _poll_intervals_for(url: str) -> Callable[[], Iterator[float]]:
    from batchwright.api.urls import normalized_base_url

    return local_poll_intervals if normalized_base_url(url).is_local else backoff


def _ignore(_sentence: str) -> None:
    """Tells nobody: each window puts its own voice in."""
