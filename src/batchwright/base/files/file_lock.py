"""A lock that one process holds at a time.

Uses only the standard library, so that `packaging/start.py` can import it before anything is set up.
"""

import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PAUSE_S = 0.02
"""Seconds between two attempts to acquire a lock."""


class FileLock:
    """A file that one process locks at a time.

    The operating system releases it when the process ends, however that ends.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")

    def acquire(self, wait: float = 0.0) -> bool:
        """Acquire the lock, waiting up to `wait` seconds; whether it was acquired."""
        deadline = time.monotonic() + wait
        while not self._try_acquire():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE_S)
        return True

    def release(self) -> None:
        """Release the lock."""
        self._file.close()

    def _try_acquire(self) -> bool:
        try:
            if sys.platform == "win32":
                self._file.seek(0)
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
