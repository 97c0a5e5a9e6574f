"""The worker as the HTTP process sees it: started, woken, and started again when it dies."""

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
_SHORT_LIFE = 5.0
_LONGEST_PAUSE = 5.0
_STOPPING = 5.0


class WorkerProcess:
    """Keeps one worker alive from `start` to `stop`."""

    def __init__(self, folder: Path, job_delay: float) -> None:
        self._folder = folder
        self._job_delay = job_delay
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._pipe: Connection | None = None
        self._process: SpawnProcess | None = None
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Start the worker, and a thread that starts another whenever it dies."""
        self._spawn()
        self._watcher.start()

    def wake(self) -> None:
        """Tell the worker that there is a new job; one that is just being started looks by itself."""
        with self._lock, suppress(OSError):
            if self._pipe is not None:
                self._pipe.send_bytes(b"job")

    def stop(self) -> None:
        """End the worker; what it was doing is taken up at the next start."""
        with self._lock:
            self._stopping.set()
            if self._pipe is not None:
                self._pipe.close()
            self._pipe = None
        self._watcher.join(_STOPPING)
        if self._watcher.is_alive() and self._process is not None:
            self._process.kill()
            self._watcher.join()

    def _watch(self) -> None:
        """Wait for the worker's end, again and again: this thread alone does, so that it cannot be missed."""
        pause = 0.0
        while self._process is not None:
            born = time.monotonic()
            self._process.join()
            lived = time.monotonic() - born
            pause = 0.0 if lived > _SHORT_LIFE else min(_LONGEST_PAUSE, 2 * pause + 0.1)
            if self._stopping.wait(pause):
                return
            try:
                self._spawn()
            except OSError:  # no memory or no process to be had: the next round tries again
                _log.exception("The worker could not be started")

    def _spawn(self) -> None:
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=worker.main, args=(self._folder, self._job_delay, theirs), daemon=True, name="worker"
        )
        with self._lock:
            if self._stopping.is_set():
                return
            process.start()
            theirs.close()
            if self._pipe is not None:
                self._pipe.close()
            self._pipe, self._process = ours, process
