"""Services that a test starts, kills and starts again on one data folder."""

import os
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path

from batchwright.service.process import ServiceAddress, ServiceProcess
from tests.service.api_helpers import Researcher, eventually


class ServiceRun:
    """One service from its start to its end, however that comes."""

    def __init__(self, folder: Path, job_delay: float = 0.0) -> None:
        self.folder = folder
        self.service = ServiceProcess(folder, job_delay=job_delay)
        self.running: ServiceAddress = self.service.start()
        process = self.service._process
        assert process is not None
        self.pid = process.pid
        self.researcher = Researcher(self.running)

    def kill(self) -> None:
        """End the HTTP process the hard way, and nothing else."""
        os.kill(self.pid, signal.SIGKILL)
        self.end()

    def kill_worker(self) -> int:
        """End the worker the hard way; its process id."""
        (worker,) = eventually(lambda: workers_of(self.pid), lambda found: len(found) == 1)
        os.kill(worker, signal.SIGKILL)
        eventually(lambda: is_alive(worker), lambda alive: not alive)
        return worker

    def end(self) -> None:
        """End the service as its host does; one that is gone already is fine."""
        self.researcher.close()
        self.service.stop()


@contextmanager
def life(folder: Path, job_delay: float = 0.0) -> Iterator[ServiceRun]:
    """A service that is ended with the block at the latest."""
    started = ServiceRun(folder, job_delay)
    try:
        yield started
    finally:
        started.end()


class Victim(StrEnum):
    """Who is killed."""

    HTTP = "http"
    WORKER = "worker"
    BOTH = "both"


class ServiceRuns:
    """One service after another on a data folder; may be used from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._changing = threading.Lock()
        self._life = ServiceRun(folder)
        self._has_ended = False

    @property
    def now(self) -> ServiceRun:
        """The service that runs; while one is killed and the next one starts, whoever asks waits."""
        with self._changing:
            assert not self._has_ended, "there is no service any more"
            return self._life

    def kill(self, victim: Victim) -> None:
        """Kill a process or two; a service that is gone then gets a successor."""
        with self._changing:
            if victim is not Victim.HTTP:
                self._life.kill_worker()
            if victim is not Victim.WORKER:
                self._life.kill()
                self._life = ServiceRun(self.folder)

    def end(self) -> None:
        """End the service that runs; whoever is still at work with it fails."""
        with self._changing:
            self._has_ended = True
            self._life.end()


def workers_of(pid: int) -> list[int]:
    """The worker processes below a service's HTTP process."""
    return [child for child in _children(pid) if b"spawn_main" in _command(child)]


@contextmanager
def paused_worker(pid: int) -> Iterator[None]:
    """The worker of a service does nothing meanwhile, and finds all that was asked for when it goes on."""
    (worker,) = eventually(lambda: workers_of(pid), lambda found: len(found) == 1)
    os.kill(worker, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(worker, signal.SIGCONT)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def progress_of_imports(folder: Path) -> int:
    """How many records all imports of a folder have taken in so far."""
    return number_in(folder, "SELECT coalesce(sum(accepted_count), 0) FROM import")


def rows_in(folder: Path, table: str) -> int:
    """How many rows a table has, those not seen by clients included."""
    return number_in(folder, f"SELECT count(*) FROM {table}")


def number_in(folder: Path, query: str) -> int:
    """The one number that a query answers."""
    with closing(sqlite3.connect(folder / "service.db", timeout=30)) as database:
        return int(database.execute(query).fetchone()[0])


def _children(pid: int) -> list[int]:
    found = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end at any moment
            found += [int(child) for child in thread.read_text().split()]
    return found


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
