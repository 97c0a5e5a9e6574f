"""Files on their way: read and written a piece at a time, hashed, and never on the event loop.

Each file has a thread of its own: the next blocks are read and hashed while the last one is being sent.
"""

import asyncio
import errno
import hashlib
import os
import shutil
import stat
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from batchwright.api import partial_files
from batchwright.api.adaptive_chunks import LONGEST, ChunkSize
from batchwright.api.errors import FileChanged
from batchwright.base.durable_files import flush_folder
from batchwright.base.i18n import _

T = TypeVar("T")

_READ_AHEAD_BLOCKS = 2
"""Blocks that are read before they are wanted: with one, the thread would wait for the event loop."""

OnProgress = Callable[[int, int | None], None]
"""Told bytes done and bytes in all (None where nobody said), on the event loop, after each piece."""

Check = Callable[[Path], None]
"""Looks at a file that has come, before it is put in its place, off the event loop; raises what is wrong."""


@dataclass(frozen=True)
class TransferResult:
    """A file that went out or came in: how many bytes, and their SHA-256 in hex."""

    size: int
    sha256: str


class OutgoingFile:
    """A file being sent. Use it in `async with`, once for each attempt.

    Args:
        path: the file.
        mark: what `mark` was at an earlier attempt; the file has to be the same still.

    Raises:
        OSError: the file cannot be read.
        FileChanged: it changed since it was opened; noticed before its last piece is given out.
    """

    is_sent = False
    """Whether whoever took the pieces has taken the last one."""

    def __init__(self, path: Path, mark: "FileStamp | None" = None) -> None:
        self._path = path
        self.stamp = mark
        """What shows that the file was changed; None until it is opened."""
        self._digest = hashlib.sha256()
        self._thread = _FileThread()
        self._ahead: deque[asyncio.Future[bytes]] = deque()

    async def __aenter__(self) -> Self:
        await self._thread.run_first(self._open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for block in self._ahead:
            block.cancel()
        await self._thread.close()

    @property
    def size(self) -> int:
        """Bytes in the file when it was opened."""
        return 0 if self.stamp is None else self.stamp.size

    async def chunks(self, on_progress: OnProgress | None = None) -> AsyncGenerator[bytes]:
        """The content in order. The last piece is held back until the file is known to be unchanged."""
        done, stride = 0, ChunkSize()
        while block := await self._next_block():
            start = 0
            while start < len(block):
                piece = block[start : start + stride.size]
                start, done = start + len(piece), done + len(piece)
                if done >= self.size:
                    await self._thread.submit(self._check)
                given = monotonic()
                yield piece
                stride = stride.after(len(piece), monotonic() - given)
                if on_progress:
                    on_progress(done, self.size)
        if done < self.size:
            raise self._changed()
        self.is_sent = True

    def result(self) -> TransferResult:
        """What went out; asked once all pieces have."""
        return TransferResult(self.size, self._digest.hexdigest())

    def _open(self) -> None:
        if stat.S_IFMT(self._path.stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
            # To open a pipe would wait for somebody to write into it, and nobody could stop that.
            raise OSError(errno.EINVAL, _("not a regular file"), str(self._path))
        self._file = self._thread.cleanup.enter_context(FileIO(self._path))
        mark = FileStamp.from_stat(os.fstat(self._file.fileno()))
        if self.stamp not in (None, mark):
            raise self._changed()
        self.stamp = mark

    async def _next_block(self) -> bytes:
        """What follows in the file, nothing at its end; more is being read meanwhile."""
        while len(self._ahead) <= _READ_AHEAD_BLOCKS:
            self._ahead.append(self._thread.submit(self._read))
        return await self._ahead.popleft()

    def _read(self) -> bytes:
        block = self._file.read(LONGEST)
        self._digest.update(block)
        return block

    def _check(self) -> None:
        if FileStamp.from_stat(self._path.stat()) != self.stamp or self._file.tell() != self.size:
            raise self._changed()

    def _changed(self) -> FileChanged:
        return FileChanged(self._path.name, _("the file changed while it was being sent"))


class IncomingFile:
    """A file being received beside its place, and put there whole by `keep`.

    Use it in `async with`; what was not kept is removed, and so is what killed programs have left.

    Raises:
        OSError: the folder cannot be written to, the disk is full, or a folder has the name.
    """

    size = 0
    """Bytes that have been written so far."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temp_path = partial_files.temp_path_for(path)
        self._digest = hashlib.sha256()
        self._thread = _FileThread()

    async def __aenter__(self) -> Self:
        await self._thread.run_first(self._open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._thread.close()

    async def require_space(self, coming: int) -> None:
        """Make sure that so many bytes more find room, before any of them is asked for."""
        await self._thread.submit(lambda: self._check_free_space(coming))

    async def add(self, piece: bytes | bytearray) -> None:
        """Write the next piece."""
        await self._thread.submit(lambda: self._write(piece))

    async def restart(self) -> None:
        """Drop what has been written."""
        await self._thread.submit(self._truncate)

    async def commit(self, check: Check | None = None) -> TransferResult:
        """Flush everything to the disk and put the file in its place, over an older one of the name."""
        await self._thread.submit(lambda: self._move_into_place(check))
        return TransferResult(self.size, self._digest.hexdigest())

    def _open(self) -> None:
        if self._path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(self._path))
        self._thread.cleanup.callback(self._temp_path.unlink, missing_ok=True)
        with self._errors_with_path():
            self._file = self._thread.cleanup.enter_context(FileIO(self._temp_path, "x"))
        partial_files.lock_file(self._file)
        partial_files.remove_stale(self._path)

    def _check_free_space(self, coming: int) -> None:
        if shutil.disk_usage(self._path.parent).free < coming:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    def _truncate(self) -> None:
        with self._errors_with_path():
            self._file.seek(0)
            self._file.truncate()
        self._digest = hashlib.sha256()
        self.size = 0

    def _write(self, piece: bytes | bytearray) -> None:
        left = memoryview(piece)
        with self._errors_with_path():
            while left:
                left = left[self._file.write(left) :]
        self._digest.update(piece)
        self.size += len(piece)

    def _move_into_place(self, check: Check | None) -> None:
        with self._errors_with_path():
            os.fsync(self._file.fileno())
            self._file.close()
        if check:
            check(self._temp_path)
        with self._errors_with_path():
            self._temp_path.replace(self._path)
            flush_folder(self._path.parent)

    @contextmanager
    def _errors_with_path(self) -> Iterator[None]:
        """Let an error name the file that is wanted, not the one beside it that nobody knows."""
        try:
            yield
        except OSError as fault:
            raise OSError(fault.errno, fault.strerror, str(self._path)) from fault


class _FileThread:
    """One thread for one file: blocking work goes there, one thing after another.

    `closing` holds what is to be undone at the end, filled by the work itself: what was opened is closed even
    when nobody waits for the opening any more.
    """

    def __init__(self) -> None:
        self.cleanup = ExitStack()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="file")

    async def run_first(self, work: Callable[[], object]) -> None:
        """Do the first piece of work; everything ends with it when it fails."""
        try:
            await self.submit(work)
        except BaseException:
            await self.close()
            raise

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Start some work behind what was started before."""
        started = asyncio.get_running_loop().run_in_executor(self._thread, work)
        # A piece read ahead may be wanted by nobody any more, and then its failure is not news either.
        started.add_done_callback(lambda done: done.cancelled() or done.exception())
        return started

    async def close(self) -> None:
        """Undo what is to be undone, even while this task is being cancelled, and end the thread."""
        ended = self.submit(self.cleanup.close)
        self._thread.shutdown(wait=False)
        try:
            await asyncio.shield(ended)
        except asyncio.CancelledError:
            await asyncio.wait([ended])
            raise


@dataclass(frozen=True)
class FileStamp:
    """What shows that a file was changed."""

    size: int
    modified_at: int
    inode: int

    @classmethod
    def from_stat(cls, status: os.stat_result) -> "FileStamp":
        """That of a file of this status."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)
