"""A service that is killed at certain requests and restarted on the same port."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable
from enum import Enum, auto
from pathlib import Path
from types import TracebackType
from typing import Self

from batchwright.service.process import ServiceAddress
from tests.fakes.faulty_proxy import FaultyProxy
from tests.service.api_helpers import eventually
from tests.service.kill_helpers import is_alive, workers_of


class Victim(Enum):
    """What is killed."""

    SERVICE = auto()
    """The process that responds; its worker ends with it."""
    WORKER = auto()


class KilledService:
    """A service with one folder and one port, and a proxy in front of it that counts requests.

    Args:
        folder: the service's data.
        kills: the number of a request, and what is killed at it.

    While `kill_lock` is held nothing is killed; `is_up` is set while the service responds.
    """

    def __init__(self, folder: Path, kills: Iterable[tuple[int, Victim]]) -> None:
        self._folder = folder
        self._kills = sorted(kills, key=lambda kill: kill[0])
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.kill_lock = threading.Lock()
        self.is_up = threading.Event()
        self.kill_count = 0
        self._is_closed = threading.Event()

    def __enter__(self) -> Self:
        self.running = self._start()
        self._proxy = FaultyProxy(self.running.url)
        self.url = self._proxy.__enter__().url
        self._killer = threading.Thread(target=self._kill_all)
        self._killer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closed.set()
        self._killer.join()
        self._proxy.__exit__(kind, error, trace)
        self._end()

    async def sleep(self, _seconds: float) -> None:
        """Wait until the service responds; the sleep of a client's retry policy."""
        await asyncio.to_thread(self.is_up.wait, 30)

    def _kill_all(self) -> None:
        for nth, victim in self._kills:
            while len(self._proxy.requests) < nth:
                if self._is_closed.wait(0.001):
                    return
            with self.kill_lock:
                self._kill(victim)
            self.kill_count += 1

    def _kill(self, victim: Victim) -> None:
        if victim is Victim.WORKER:
            for worker in workers_of(self._process.pid):
                os.kill(worker, signal.SIGKILL)
            return
        self.is_up.clear()
        workers = workers_of(self._process.pid)
        self._process.kill()
        self._end()
        eventually(lambda: any(map(is_alive, workers)), lambda alive: not alive)
        self._start()

    def _start(self) -> ServiceAddress:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "batchwright", "serve", "--with-parent"),
                *("--data-dir", str(self._folder), "--port", str(self._port)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        ready = json.loads(self._process.stdout.readline())
        self.is_up.set()
        token = Path(ready["token_file"]).read_text(encoding="utf-8").strip()
        return ServiceAddress(ready["url"], ready["workspace_id"], token)

    def _end(self) -> None:
        with self._process:  # closes standard input, which ends the process, and waits for it
            pass
