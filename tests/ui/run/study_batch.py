"""A session on a service of its own, which tests kill, slow down, and find started again by itself."""

import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
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
from batchwright.ui.core.session import ConnectionSession
from tests.api.requests import retries


class Own:
    """The session, and the process that it talks to."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, job_delay: float) -> None:
        folders = Folders(folder / "data", folder / "cache")
        folders.create()
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
        """How often a service was started."""
        return len(self._hosts)

    @property
    def process(self) -> Popen[bytes]:
        """The process of the service."""
        process = self._hosts[-1]._process
        assert process is not None
        return process

    def kill(self) -> None:
        """End the process at once, and wait until it is gone."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


@asynccontextmanager
async def own_session(
    folder: Path, monkeypatch: pytest.MonkeyPatch, job_delay: float = 0.0
) -> AsyncGenerator[Own]:
    """A session whose service is started when it is needed."""
    own = Own(folder, monkeypatch, job_delay)
    try:
        yield own
    finally:
        own.session.close()
        await own.pool.close()


async def _find_connection(_name: str) -> Connection:
    return THIS_COMPUTER


async def _cancel_sign_in(_connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
    return False
