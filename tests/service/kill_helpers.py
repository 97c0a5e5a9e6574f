"""Services that a test starts, kills and restarts on one data folder."""

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress, ServiceProcess
from tests.processes import is_running, kill
from tests.service.api_helpers import Researcher, eventually

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")


class ServiceRun:
    """One run of the service, from its start to its end."""

    def __init__(self, folder: Path, job_delay: float = 0.0) -> None:
        self.folder = folder
        self.service = ServiceProcess(folder, job_delay=job_delay)
        self.running: ServiceAddress = self.service.start()
        process = self.service._process
        assert process is not None
        self.pid = process.pid
        self.researcher = Researcher(self.running)

    def kill(self) -> None:
        """Kill the HTTP process only."""
        kill(self.pid)
        self.end()

    def kill_worker(self) -> int:
        """Kill the worker; returns its process id."""
        (worker,) = eventually(lambda: workers_of(self.pid), lambda pids: len(pids) == 1)
        kill(worker)
        eventually(lambda: is_alive(worker), lambda alive: not alive)
        return worker

    def end(self) -> None:
        """End the service as its parent does; it may have ended already."""
        self.researcher.close()
        self.service.stop()


@contextmanager
def service_run(folder: Path, job_delay: float = 0.0) -> Iterator[ServiceRun]:
    """A service that is ended with the block at the latest."""
    started = ServiceRun(folder, job_delay)
    try:
        yield started
    finally:
        started.end()


class Victim(StrEnum):
    """The processes that are killed."""

    HTTP = "http"
    WORKER = "worker"
    BOTH = "both"


class ServiceRuns:
    """Successive runs of the service on one data folder; may be used from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._changing = threading.Lock()
        self._current = ServiceRun(folder)
        self._has_ended = False

    @property
    def now(self) -> ServiceRun:
        """The current run; waits while the service is killed and restarted."""
        with self._changing:
            assert not self._has_ended, "there is no service any more"
            return self._current

    def kill(self, victim: Victim) -> None:
        """Kill one or both processes; if the HTTP process was killed, restart the service."""
        with self._changing:
            if victim is not Victim.HTTP:
                self._current.kill_worker()
            if victim is not Victim.WORKER:
                self._current.kill()
                self._current = ServiceRun(self.folder)

    def end(self) -> None:
        """End the current run; operations that still use it fail."""
        with self._changing:
            self._has_ended = True
            self._current.end()


def workers_of(pid: int) -> list[int]:
    """The worker processes of a service, as far as the system is Linux."""
    if sys.platform != "linux":
        return []
    return [child for child in _children(pid) if b"spawn_main" in _command(child)]


@contextmanager
def paused_worker(pid: int) -> Iterator[None]:
    """Suspend the worker of a service during the block."""
    (worker,) = eventually(lambda: workers_of(pid), lambda pids: len(pids) == 1)
    os.kill(worker, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(worker, signal.SIGCONT)


def is_alive(pid: int) -> bool:
    """Whether a process runs; zombies count as ended."""
    if sys.platform != "linux":
        return is_running(pid)
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def progress_of_imports(folder: Path) -> int:
    """The number of records that all imports of a folder have stored so far."""
    return number_in(folder, "SELECT coalesce(sum(accepted_count), 0) FROM import")


def rows_in(folder: Path, table: str) -> int:
    """The number of rows of a table, including those that clients cannot see."""
    return number_in(folder, f"SELECT count(*) FROM {table}")


def number_in(folder: Path, query: str) -> int:
    """The single number that a query returns."""
    with closing(sqlite3.connect(folder / "service.db", timeout=30)) as database:
        return int(database.execute(query).fetchone()[0])


def _children(pid: int) -> list[int]:
    children = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end at any moment
            children += [int(child) for child in thread.read_text().split()]
    return children


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
