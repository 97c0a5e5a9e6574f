"""One workbench for each connection, opened once and kept for the program, with the service of this computer.

What a window, a stage or a workflow needs of the network it gets here; nobody else opens a connection.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from batchwright.api.addresses import base_address
from batchwright.api.connection import connect
from batchwright.api.errors import BadAddress
from batchwright.jobs.polling import backoff
from batchwright.local.connections import Connection
from batchwright.local.database import Database
from batchwright.local.folders import Folders
from batchwright.local.job_rows import JobRows
from batchwright.local.register import Register
from batchwright.local.secrets import NoKeyRing, Secrets
from batchwright.local.sent_files import SentFiles
from batchwright.service.host import LocalService, Running
from batchwright.words import _
from batchwright.workflows.remembering import Memory
from batchwright.workflows.watch import Watch
from batchwright.workflows.watching import Watching
from batchwright.workflows.workbench import Tell, Workbench


class NotSignedIn(Exception):
    """A connection has no token; `connection` is its name."""

    def __init__(self, connection: str) -> None:
        super().__init__(connection)
        self.connection = connection


@dataclass(frozen=True)
class _Opened:
    """A workbench, and what it stands on: another address or token needs another one."""

    running: Running
    bench: Workbench


class Benches:
    """Opens workbenches, starts the service of this computer for the first that needs it, and ends it.

    Args:
        folders: where database and the service's data are.
        secrets: the tokens of hosted connections.
    """

    def __init__(self, folders: Folders, secrets: Secrets) -> None:
        self._folders, self._secrets = folders, secrets
        self._tokens: dict[str, str] = {}
        self._opened: dict[str, _Opened] = {}
        self._turn, self._keeping = asyncio.Lock(), asyncio.Lock()
        self._database: Database | None = None
        self._watch: Watch | None = None
        self._local: LocalService | None = None
        self._starting: asyncio.Task[Running] | None = None
        """Goes on when the one who asked does not wait any more: the next one needs it, too."""

    async def bench(self, connection: Connection, tell: Tell) -> Workbench:
        """The workbench of a connection; the service of this computer is started where it does not run.

        Raises:
            NotSignedIn: no token is kept for a hosted connection.
            NoKeyRing: the key ring cannot be used.
            ServiceDidNotStart: the service of this computer ended before it was ready.
            BadAddress: the address of the connection cannot be used.
        """
        async with self._turn:
            running = await self._reach(connection, tell)
            opened = self._opened.get(connection.name)
            if opened is None or opened.running != running:
                if opened is not None:
                    await opened.bench.service.close()
                opened = _Opened(running, await self._open(connection, running))
                self._opened[connection.name] = opened
            return replace(opened.bench, tell=tell)

    async def watch(self) -> Watch:
        """The watch over the jobs of every connection."""
        database = await self._kept()
        if self._watch is None:
            self._watch = Watch(JobRows(database))
        return self._watch

    async def sent_files(self) -> SentFiles:
        """The feedback files sent to whatever connection."""
        return SentFiles(await self._kept())

    async def resume(self, connections: Iterable[Connection], tell: Tell) -> None:
        """Watch again what had not ended when the program last did; a connection without a token waits.

        Raises:
            ServiceDidNotStart: the service of this computer ended before it was ready.
        """
        rows = (await self.watch()).rows
        waiting = {row.connection for row in await asyncio.to_thread(rows.open)}
        for connection in connections:
            if connection.name in waiting:
                with suppress(NotSignedIn, NoKeyRing, BadAddress):
                    await self.bench(connection, tell)  # to open it is to take its jobs up

    async def sign_in(self, name: str, token: str, *, is_kept: bool) -> None:
        """Use a token from now on; kept in the key ring, or for this run only.

        Raises:
            NoKeyRing: the key ring cannot be used; the token is used for nothing.
        """
        if is_kept:
            await self._secrets.set(name, token)
        self._tokens[name] = token

    async def sign_out(self, name: str) -> None:
        """Forget a token, here and in the key ring.

        Raises:
            NoKeyRing: the key ring cannot be used.
        """
        self._tokens.pop(name, None)
        await self._secrets.remove(name)

    async def close(self) -> None:
        """Close every connection, end the service of this computer, and close the database."""
        if self._watch is not None:
            await self._watch.close()
        for opened in self._opened.values():
            await opened.bench.service.close()
        self._opened.clear()
        if self._local is not None and self._starting is not None:
            await asyncio.to_thread(self._local.stop)
            await asyncio.gather(self._starting, return_exceptions=True)
            await asyncio.to_thread(self._local.stop)  # for one that began to start just then
        database, self._database = self._database, None
        if database is not None:
            await asyncio.to_thread(database.close)

    async def _reach(self, connection: Connection, tell: Tell) -> Running:
        if connection.is_local:
            return await self._own_service(tell)
        token = self._tokens.get(connection.name) or await self._secrets.get(connection.name)
        if token is None:
            raise NotSignedIn(connection.name)
        self._tokens[connection.name] = token
        return Running(connection.url, connection.workspace_id, token)

    async def _own_service(self, tell: Tell) -> Running:
        if self._starting is not None and self._is_up(self._starting):
            return await asyncio.shield(self._starting)
        tell(_("Starting the service on this computer."))
        await asyncio.to_thread(self._folders.make)
        self._local = LocalService(self._folders.service)
        self._starting = asyncio.create_task(asyncio.to_thread(self._local.start))
        running = await asyncio.shield(self._starting)
        tell(_("The service on this computer is ready."))
        return running

    def _is_up(self, starting: asyncio.Task[Running]) -> bool:
        """Whether the service of this computer starts, or has started and has not ended since."""
        if not starting.done():
            return True
        has_started = not starting.cancelled() and starting.exception() is None
        return has_started and self._local is not None and self._local.is_running

    async def _open(self, connection: Connection, running: Running) -> Workbench:
        database = await self._kept()
        service = await asyncio.to_thread(connect, running.url, running.token)
        memory = Memory(Register(database), connection.name, running.workspace_id)
        watch = await self.watch()
        watching = Watching(service, watch, connection.name, _pauses(running.url))
        watch.take_up(await watching.resume())
        return Workbench(service, running.workspace_id, memory, watching, _hush)

    async def _kept(self) -> Database:
        async with self._keeping:
            if self._database is None:
                self._database = await asyncio.to_thread(self._open_database)
            return self._database

    def _open_database(self) -> Database:
        self._folders.make()
        return Database(self._folders.data)


def quick_looks() -> Iterator[float]:
    """Pauses in seconds between looks at a service that is so near that looking costs nothing."""
    return backoff(first=0.05, longest=3)


def _pauses(url: str) -> Callable[[], Iterator[float]]:
    return quick_looks if base_address(url).is_local else backoff


def _hush(_sentence: str) -> None:
    """Tells nobody: each window puts its own voice in."""
