"""A lock on a file that the operating system lets go of when its holder ends, however it ends."""

import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PAUSE = 0.02


class FolderLock:
    """A lock that one process holds at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab")

    def take(self, wait: float = 0.0) -> bool:
        """Take the lock, waiting so many seconds for another holder to end; whether it was taken."""
        deadline = time.monotonic() + wait
        while not self._try():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE)
        return True

    def release(self) -> None:
        """Let go of the lock."""
        self._file.close()

    def _try(self) -> bool:
        try:
            if sys.platform == "win32":
                self._file.seek(0)
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
