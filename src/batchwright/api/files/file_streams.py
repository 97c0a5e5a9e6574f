"""Files that are being sent or received: read or written in chunks and hashed, off the event loop.

Each file has its own thread: the next two blocks are read and hashed while the current one is being sent.
Measured with 2 GB, an upload with SHA-256 reaches 0.87 of the rate of `curl`.
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

from batchwright.api.files import partial_files
from batchwright.api.files.adaptive_chunks import LARGEST, ChunkSize
from batchwright.api.http.errors import FileChanged
from batchwright.base.files.atomic_files import OpenElsewhere, replace_file, require_replaceable
from batchwright.base.files.durable_files import flush_folder
from batchwright.base.files.temporary_files import lock_file
from batchwright.base.i18n import _
from batchwright.base.waiting import wait_until_done

T = TypeVar("T")

_READ_AHEAD_BLOCKS = 2
"""Blocks that are read in advance: with one, the thread would wait for the event loop."""

OnProgress = Callable[[int, int | None], None]
"""Called on the event loop after each chunk, with the bytes done and the total (None if unknown)."""

Check = Callable[[Path], None]
"""Verifies a received file before it is moved into place; called in a thread, raises an error on failure."""


@dataclass(frozen=True)
class TransferResult:
    """A file that was sent or received: its size in bytes and its SHA-256 in hexadecimal."""

    size: int
    sha256: str


class OutgoingFile:
    """A file being sent. Use it in `async with`, once per attempt.

    Args:
        path: the file.
        stamp: the stamp of an earlier attempt; the file must not have changed since.

    Raises:
        OSError: the file cannot be read.
        FileChanged: it changed since it was opened; detected before the last chunk is yielded.
    """

    is_sent = False
    """Whether the consumer has taken the last chunk."""

    def __init__(self, path: Path, stamp: "FileStamp | None" = None) -> None:
        self._path = path
        self.stamp = stamp
        """Size, time of modification and inode, to detect changes; None until the file is opened."""
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
        """Yield the content in order. The last chunk is withheld until the file is known to be unchanged."""
        completed, chunk_size = 0, ChunkSize()
        while block := await self._next_block():
            start = 0
            while start < len(block):
                chunk = block[start : start + chunk_size.size]
                start, completed = start + len(chunk), completed + len(chunk)
                if completed >= self.size:
                    await self._thread.submit(self._check)
                sent_at = monotonic()
                yield chunk
                chunk_size = chunk_size.after(len(chunk), monotonic() - sent_at)
                if on_progress:
                    on_progress(completed, self.size)
        if completed < self.size:
            raise self._changed()
        self.is_sent = True

    def result(self) -> TransferResult:
        """The size and hash of what was sent; call it after all chunks were yielded."""
        return TransferResult(self.size, self._digest.hexdigest())

    def _open(self) -> None:
        if stat.S_IFMT(self._path.stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
            # Opening a pipe blocks until another process opens it for writing, and cannot be cancelled.
            raise OSError(errno.EINVAL, _("not a regular file"), str(self._path))
        self._file = self._thread.cleanup.enter_context(FileIO(self._path))
        stamp = FileStamp.from_stat(os.fstat(self._file.fileno()))
        if self.stamp not in (None, stamp):
            raise self._changed()
        self.stamp = stamp

    async def _next_block(self) -> bytes:
        """The next block of the file, empty at its end, while further blocks are being read."""
        while len(self._ahead) <= _READ_AHEAD_BLOCKS:
            self._ahead.append(self._thread.submit(self._read))
        return await self._ahead.popleft()

    def _read(self) -> bytes:
        block = self._file.read(LARGEST)
        self._digest.update(block)
        return block

    def _check(self) -> None:
        if FileStamp.from_stat(self._path.stat()) != self.stamp or self._file.tell() != self.size:
            raise self._changed()

    def _changed(self) -> FileChanged:
        return FileChanged(self._path.name, _("the file changed while it was being sent"))


class IncomingFile:
    """A file being received under a temporary name beside its destination; `commit` moves it into place.

    Use it in `async with`. A link is followed. What was not committed is removed, and so are the temporary
    files of programs that were killed.

    Raises:
        OSError: the folder cannot be written to, the disk is full, or the path is a folder, a device, a pipe,
            or a file that is read-only.
    """

    size = 0
    """Bytes written so far."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        self._thread = _FileThread()

    async def __aenter__(self) -> Self:
        await self._thread.run_first(self._open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._thread.close()

    async def require_space(self, expected_size: int) -> None:
        """Check that the disk has space for this many more bytes, before they are requested."""
        await self._thread.submit(lambda: self._check_free_space(expected_size))

    async def add(self, chunk: bytes | bytearray) -> None:
        """Write the next chunk."""
        await self._thread.submit(lambda: self._write(chunk))

    async def restart(self) -> None:
        """Discard what has been written."""
        await self._thread.submit(self._truncate)

    async def commit(self, check: Check | None = None) -> TransferResult:
        """Flush to disk, run `check`, and move the file into place; an existing file is replaced."""
        await self._thread.submit(lambda: self._move_into_place(check))
        return TransferResult(self.size, self._digest.hexdigest())

    def _open(self) -> None:
        require_replaceable(self._path)
        self._target = Path(os.path.realpath(self._path))
        self._temp_path = partial_files.temp_path_for(self._target)
        self._thread.cleanup.callback(self._temp_path.unlink, missing_ok=True)
        with self._errors_with_path():
            self._file = self._thread.cleanup.enter_context(FileIO(self._temp_path, "x"))
        lock_file(self._file)
        partial_files.remove_stale(self._target)

    def _check_free_space(self, expected_size: int) -> None:
        if shutil.disk_usage(self._target.parent).free < expected_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    def _truncate(self) -> None:
        with self._errors_with_path():
            self._file.seek(0)
            self._file.truncate()
        self._digest = hashlib.sha256()
        self.size = 0

    def _write(self, chunk: bytes | bytearray) -> None:
        remaining = memoryview(chunk)
        with self._errors_with_path():
            while remaining:
                remaining = remaining[self._file.write(remaining) :]
        self._digest.update(chunk)
        self.size += len(chunk)

    def _move_into_place(self, check: Check | None) -> None:
        with self._errors_with_path():
            os.fsync(self._file.fileno())
            self._file.close()
        if check:
            check(self._temp_path)
        with self._errors_with_path():
            replace_file(self._temp_path, self._target)
            flush_folder(self._target.parent)

    @contextmanager
    def _errors_with_path(self) -> Iterator[None]:
        """Make errors name the destination instead of the temporary file."""
        try:
            yield
        except OpenElsewhere:
            raise
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from error


class _FileThread:
    """A single thread per file that runs blocking work in order.

    `cleanup` is filled by the work itself, so that what it opened is closed even if the caller was cancelled
    while it was being opened.
    """

    def __init__(self) -> None:
        self.cleanup = ExitStack()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="file")

    async def run_first(self, work: Callable[[], object]) -> None:
        """Run the first piece of work; if it fails, clean up and end the thread."""
        try:
            await self.submit(work)
        except BaseException:
            await self.close()
            raise

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Queue work after what was submitted before."""
        started = asyncio.get_running_loop().run_in_executor(self._thread, work)
        # A block read in advance may be unused; its error is retrieved so that asyncio does not log it.
        started.add_done_callback(lambda completed: completed.cancelled() or completed.exception())
        return started

    async def close(self) -> None:
        """Clean up and end the thread, even while this task is being cancelled."""
        ended = self.submit(self.cleanup.close)
        self._thread.shutdown(wait=False)
        await wait_until_done(ended)
        ended.result()


@dataclass(frozen=True)
class FileStamp:
    """Size in bytes, modification time in nanoseconds, and inode of a file, to detect changes."""

    size: int
    modified_at: int
    inode: int

    @classmethod
    def from_stat(cls, status: os.stat_result) -> "FileStamp":
        """Create the stamp from a stat result."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)
