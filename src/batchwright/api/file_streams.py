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

_AHEAD = 2
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

    is_out = False
    """Whether whoever took the pieces has taken the last one."""

    def __init__(self, path: Path, mark: "Mark | None" = None) -> None:
        self._path = path
        self.mark = mark
        """What shows that the file was changed; None until it is opened."""
        self._digest = hashlib.sha256()
        self._thread = _FileThread()
        self._ahead: deque[asyncio.Future[bytes]] = deque()

    async def __aenter__(self) -> Self:
        await self._thread.first(self._open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for block in self._ahead:
            block.cancel()
        await self._thread.end()

    @property
    def size(self) -> int:
        """Bytes in the file when it was opened."""
        return 0 if self.mark is None else self.mark.size

    async def pieces(self, on_progress: OnProgress | None = None) -> AsyncGenerator[bytes]:
        """The content in order. The last piece is held back until the file is known to be unchanged."""
        done, stride = 0, ChunkSize()
        while block := await self._next_block():
            start = 0
            while start < len(block):
                piece = block[start : start + stride.size]
                start, done = start + len(piece), done + len(piece)
                if done >= self.size:
                    await self._thread.begin(self._check)
                given = monotonic()
                yield piece
                stride = stride.after(len(piece), monotonic() - given)
                if on_progress:
                    on_progress(done, self.size)
        if done < self.size:
            raise self._changed()
        self.is_out = True

    def moved(self) -> TransferResult:
        """What went out; asked once all pieces have."""
        return TransferResult(self.size, self._digest.hexdigest())

    def _open(self) -> None:
        if stat.S_IFMT(self._path.stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
            # To open a pipe would wait for somebody to write into it, and nobody could stop that.
            raise OSError(errno.EINVAL, _("it is no file"), str(self._path))
        self._file = self._thread.closing.enter_context(FileIO(self._path))
        mark = Mark.of(os.fstat(self._file.fileno()))
        if self.mark not in (None, mark):
            raise self._changed()
        self.mark = mark

    async def _next_block(self) -> bytes:
        """What follows in the file, nothing at its end; more is being read meanwhile."""
        while len(self._ahead) <= _AHEAD:
            self._ahead.append(self._thread.begin(self._read))
        return await self._ahead.popleft()

    def _read(self) -> bytes:
        block = self._file.read(LONGEST)
        self._digest.update(block)
        return block

    def _check(self) -> None:
        if Mark.of(self._path.stat()) != self.mark or self._file.tell() != self.size:
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
        self._beside = partial_files.temp_path_for(path)
        self._digest = hashlib.sha256()
        self._thread = _FileThread()

    async def __aenter__(self) -> Self:
        await self._thread.first(self._open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._thread.end()

    async def make_room(self, coming: int) -> None:
        """Make sure that so many bytes more find room, before any of them is asked for."""
        await self._thread.begin(lambda: self._look_for_room(coming))

    async def add(self, piece: bytes | bytearray) -> None:
        """Write the next piece."""
        await self._thread.begin(lambda: self._write(piece))

    async def begin_again(self) -> None:
        """Drop what has been written."""
        await self._thread.begin(self._empty)

    async def keep(self, check: Check | None = None) -> TransferResult:
        """Flush everything to the disk and put the file in its place, over an older one of the name."""
        await self._thread.begin(lambda: self._put(check))
        return TransferResult(self.size, self._digest.hexdigest())

    def _open(self) -> None:
        if self._path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(self._path))
        self._thread.closing.callback(self._beside.unlink, missing_ok=True)
        with self._named():
            self._file = self._thread.closing.enter_context(FileIO(self._beside, "x"))
        partial_files.lock_file(self._file)
        partial_files.remove_stale(self._path)

    def _look_for_room(self, coming: int) -> None:
        if shutil.disk_usage(self._path.parent).free < coming:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    def _empty(self) -> None:
        with self._named():
            self._file.seek(0)
            self._file.truncate()
        self._digest = hashlib.sha256()
        self.size = 0

    def _write(self, piece: bytes | bytearray) -> None:
        left = memoryview(piece)
        with self._named():
            while left:
                left = left[self._file.write(left) :]
        self._digest.update(piece)
        self.size += len(piece)

    def _put(self, check: Check | None) -> None:
        with self._named():
            os.fsync(self._file.fileno())
            self._file.close()
        if check:
            check(self._beside)
        with self._named():
            self._beside.replace(self._path)
            flush_folder(self._path.parent)

    @contextmanager
    def _named(self) -> Iterator[None]:
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
        self.closing = ExitStack()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="file")

    async def first(self, work: Callable[[], object]) -> None:
        """Do the first piece of work; everything ends with it when it fails."""
        try:
            await self.begin(work)
        except BaseException:
            await self.end()
            raise

    def begin(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Start some work behind what was started before."""
        started = asyncio.get_running_loop().run_in_executor(self._thread, work)
        # A piece read ahead may be wanted by nobody any more, and then its failure is not news either.
        started.add_done_callback(lambda done: done.cancelled() or done.exception())
        return started

    async def end(self) -> None:
        """Undo what is to be undone, even while this task is being cancelled, and end the thread."""
        ended = self.begin(self.closing.close)
        self._thread.shutdown(wait=False)
        try:
            await asyncio.shield(ended)
        except asyncio.CancelledError:
            await asyncio.wait([ended])
            raise


@dataclass(frozen=True)
class Mark:
    """What shows that a file was changed."""

    size: int
    changed_at: int
    node: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Mark":
        """That of a file of this status."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)
