"""A session with a separate local service, which tests can kill and slow down."""

import os
import signal
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from subprocess import Popen

import pytest

from batchwright.api import client
from batchwright.api.client import connect
from batchwright.client import local_service
from batchwright.client.connection_pool import ConnectionPool
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.paths import Folders
from batchwright.local.secrets import KeyringUnavailable, TokenStore
from batchwright.service.process import ServiceProcess
from batchwright.service.store.database import FILE_NAME
from batchwright.ui.core.session import ConnectionSession
from tests.api.requests import retries


class SeparateService:
    """A session, and the processes of its service."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, job_delay: float) -> None:
        folders = Folders(folder / "data", folder / "cache")
        folders.create()
        self._data_dir = folders.service
        self._hosts: list[ServiceProcess] = []

        def created(data_dir: Path, **rest: object) -> ServiceProcess:
            self._hosts.append(ServiceProcess(data_dir, job_delay=job_delay, **rest))  # type: ignore[arg-type]
            return self._hosts[-1]

        monkeypatch.setattr(local_service, "ServiceProcess", created)
        monkeypatch.setattr(client, "connect", partial(connect, retry_policy=retries()))
        self.pool = ConnectionPool(folders, TokenStore())
        self.session = ConnectionSession(self.pool, _find_connection, _cancel_sign_in)

    @property
    def starts(self) -> int:
        """The number of started processes."""
        return len(self._hosts)

    @property
    def process(self) -> Popen[bytes]:
        """The process of the service."""
        process = self._hosts[-1]._process
        assert process is not None
        return process

    def kill(self) -> None:
        """Kill the process, and wait until it has ended."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def forget_port(self) -> None:
        """Let the next start choose another port, as if the last one was taken."""
        with closing(sqlite3.connect(self._data_dir / FILE_NAME)) as database, database:
            database.execute("DELETE FROM setting WHERE name = 'last_port'")


@asynccontextmanager
async def separate_service(
    folder: Path, monkeypatch: pytest.MonkeyPatch, job_delay: float = 0.0
) -> AsyncGenerator[SeparateService]:
    """Yield a session whose service is started when it is needed."""
    service = SeparateService(folder, monkeypatch, job_delay)
    try:
        yield service
    finally:
        service.session.close()
        await service.pool.close()


async def _find_connection(_name: str) -> Connection:
    return THIS_COMPUTER


async def _cancel_sign_in(_connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
    return False
