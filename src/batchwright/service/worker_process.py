"""Starts the worker process, wakes it, and restarts it when it ends.

The worker is started by spawn and holds a pipe: it ends when the parent ends, however that ends.
"""

import logging
import multiprocessing
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from batchwright.service import worker

_log = logging.getLogger(__name__)

_SPAWN = multiprocessing.get_context("spawn")
_SHORT_LIFE_S = 5.0
_LONGEST_RESTART_PAUSE_S = 5.0
_STOP_TIMEOUT_S = 5.0


class WorkerProcess:
    """Keeps one worker running from `start` to `stop`."""

    def __init__(self, folder: Path, job_delay: float) -> None:
        self._folder = folder
        self._job_delay = job_delay
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._pipe: Connection | None = None
        self._process: SpawnProcess | None = None
        self._supervisor = threading.Thread(target=self._supervise, daemon=True)

    def start(self) -> None:
        """Start the worker, and a thread that restarts it when it ends."""
        self._spawn()
        self._supervisor.start()

    def wake(self) -> None:
        """Notify the worker of a new job; a worker that is just starting checks for jobs anyway."""
        with self._lock, suppress(OSError):
            if self._pipe is not None:
                self._pipe.send_bytes(b"job")

    def stop(self) -> None:
        """Stop the worker; an interrupted job is resumed at the next start."""
        with self._lock:
            self._stopping.set()
            if self._pipe is not None:
                self._pipe.close()
            self._pipe = None
        self._supervisor.join(_STOP_TIMEOUT_S)
        if self._supervisor.is_alive() and self._process is not None:
            self._process.kill()
            self._supervisor.join()

    def _supervise(self) -> None:
        """Restart the worker whenever it ends, with growing pauses if it ends soon after its start."""
        pause = 0.0
        while self._process is not None:
            started_at = time.monotonic()
            self._process.join()
            lifetime = time.monotonic() - started_at
            pause = 0.0 if lifetime > _SHORT_LIFE_S else min(_LONGEST_RESTART_PAUSE_S, 2 * pause + 0.1)
            if self._stopping.wait(pause):
                return
            try:
                self._spawn()
            except OSError:  # no memory or no process available: retried in the next round
                _log.exception("The worker could not be started")

    def _spawn(self) -> None:
        own_end, worker_end = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=worker.main, args=(self._folder, self._job_delay, worker_end), daemon=True, name="worker"
        )
        with self._lock:
            if self._stopping.is_set():
                return
            process.start()
            worker_end.close()
            if self._pipe is not None:
                self._pipe.close()
            self._pipe, self._process = own_end, process
