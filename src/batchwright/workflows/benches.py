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
from batchwright.service.host import Running
from batchwright.workflows.own_service import OwnService, host_on
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
        self.own_service = OwnService(host_on(folders.service), folders.make)

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

    async def token(self, name: str) -> str | None:
        """The token of a connection, in use or in the key ring; None when there is none.

        Raises:
            NoKeyRing: the key ring cannot be used.
        """
        return self._tokens.get(name) or await self._secrets.get(name)

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
        await self.own_service.close()
        database, self._database = self._database, None
        if database is not None:
            await asyncio.to_thread(database.close)

    async def _reach(self, connection: Connection, tell: Tell) -> Running:
        if connection.is_local:
            return await self.own_service.running(tell)
        token = await self.token(connection.name)
        if token is None:
            raise NotSignedIn(connection.name)
        self._tokens[connection.name] = token
        return Running(connection.url, connection.workspace_id, token)

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
    """Pauses in seconds between looks at a service that is near: a fifth of the time it stood still."""
    return backoff(first=0.05, growth=1.2)


def _pauses(url: str) -> Callable[[], Iterator[float]]:
    return quick_looks if base_address(url).is_local else backoff


def _hush(_sentence: str) -> None:
    """Tells nobody: each window puts its own voice in."""
