"""The data file of the study, opened: how it is read, what it seems to hold, and any of its records."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.base.json_values import Json
from batchwright.data_files.formats import Format
from batchwright.data_files.index import IndexChunk, RowIndex, Stamp, file_stamp
from batchwright.data_files.profiling import FileProfile, preview_file, profile_and_index
from batchwright.data_files.rows import ParsedRecord
from batchwright.data_files.sniffing import sniff
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.process_pool import run_in_process

FIRST = 64
"""Records shown before anything else of the file is known."""

_MOST_WANTED = 4
"""Pages that wait to be read; of more, those wanted longest ago are forgotten."""


class FileState(Enum):
    """How it stands with the file."""

    NONE = auto()
    READING = auto()
    """Nothing of it is there yet."""
    SHOWN = auto()
    UNREADABLE = auto()


@dataclass(frozen=True)
class FileSummary:
    """A file that can be looked at; `records` is how many are known of so far, all once `is_counted`."""

    path: Path
    stamp: Stamp
    form: Format
    columns: tuple[str, ...]
    records: int
    is_counted: bool = False

    @property
    def size(self) -> int:
        """Bytes."""
        return self.stamp[0]


class DataFileModel(QObject):
    """Reads a file: its beginning at once, then in a process of its own what it holds and where."""

    changed = Signal()
    """Another file, or the same one read another way, or how it stands with it."""
    looked_changed = Signal()
    """It is known what the columns seem to hold."""
    count_changed = Signal()
    read_again = Signal()
    """The file has changed on the disk; what `changed` told of before is the file as it is now."""
    page_read = Signal(int, object)
    """A page of records, and the entries on it."""

    def __init__(
        self, tasks: Tasks, describe: Callable[[BaseException], TaskMessage], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tasks, self._describe = tasks, describe
        self._turn = 0
        self._wanted: dict[int, None] = {}
        self._is_fetching = False
        self._forget(FileState.NONE, None)

    def read(self, path: Path, form: Format | None = None) -> None:
        """Open a file; without a format, the one is found that fits."""
        self._stop()
        self._forget(FileState.READING, path, form)
        self.changed.emit()
        turn = self._turn
        self._tasks.start(self._name, lambda: self._read(turn, path, form))

    def try_again(self) -> None:
        """Read the same file once more."""
        if self.path is not None:
            self.read(self.path, self._given)

    def look_again(self) -> None:
        """Read the file anew if it has changed on the disk, has come back, or is gone."""
        turn = self._turn
        if self.stand in (FileState.SHOWN, FileState.UNREADABLE) and self.path is not None:
            self._tasks.start(f"{self._name} again", lambda: self._look_again(turn))

    def close(self) -> None:
        """Have no file."""
        self._stop()
        self._forget(FileState.NONE, None)
        self.changed.emit()

    def want(self, page: int, size: int) -> None:
        """Have a page of `size` records read; `page_read` brings it."""
        self._wanted.pop(page, None)
        self._wanted[page] = None
        while len(self._wanted) > _MOST_WANTED:
            del self._wanted[next(iter(self._wanted))]
        if not self._is_fetching and self.index is not None:
            self._is_fetching = True
            turn = self._turn
            self._tasks.start(f"{self._name} pages", lambda: self._fetch(turn, size))

    def line(self, record: int) -> int | None:
        """The physical line of a record, once it is known."""
        index = self.index
        return index.line(record) if index is not None and 0 <= record < len(index) else None

    @property
    def _name(self) -> str:
        return f"data file {self._turn}"

    def _stop(self) -> None:
        self._tasks.cancel(self._name)
        self._tasks.cancel(f"{self._name} pages")
        self._tasks.cancel(f"{self._name} again")

    def _forget(self, stand: FileState, path: Path | None, form: Format | None = None) -> None:
        self._turn += 1
        self.stand, self.path = stand, path
        self.form = form
        """How it is read, or was tried to be."""
        self._given = form
        self._is_again = False
        self._stamp: Stamp | None = None
        self.shown: FileSummary | None = None
        self.first: tuple[ParsedRecord[Json], ...] = ()
        self.looked: FileProfile | None = None
        self.fault: TaskMessage | None = None
        self.index: RowIndex | None = None
        self._wanted.clear()
        self._is_fetching = False

    async def _read(self, turn: int, path: Path, form: Format | None) -> None:
        try:
            await self._read_all(turn, path, form)
        except (OSError, ValueError) as fault:  # what `tables` raises of a file, and what the system does
            if turn == self._turn:
                self.stand, self.fault = FileState.UNREADABLE, self._describe(fault)
                self.changed.emit()

    async def _look_again(self, turn: int) -> None:
        path, given, old = self.path, self._given, self._stamp
        if path is None or turn != self._turn or await asyncio.to_thread(_stamp, path) == old:
            return
        was_shown = self.shown is not None
        self.read(path, given)
        self._is_again = was_shown

    async def _read_all(self, turn: int, path: Path, given: Format | None) -> None:
        stamp = await asyncio.to_thread(_stamp, path)
        if turn == self._turn:
            self._stamp = stamp
        form = await asyncio.to_thread(sniff, path) if given is None else given
        if turn == self._turn:
            self.form = form
        seen = await asyncio.to_thread(preview_file, path, form, FIRST)
        index = await asyncio.to_thread(RowIndex, path, form)
        if turn != self._turn:
            return
        self.first, self.index = seen.entries, index
        self.shown = FileSummary(path, index.stamp, form, seen.columns, len(seen.entries))
        self.stand = FileState.SHOWN
        self.changed.emit()
        if self._is_again:
            self.read_again.emit()
        records = await run_in_process(
            profile_and_index, path, form, told=lambda news: self._take(turn, news)
        )
        if turn == self._turn:
            self._count(records, is_counted=True)

    def _take(self, turn: int, news: object) -> None:
        if turn != self._turn or self.index is None:
            return
        if isinstance(news, FileProfile):
            self.looked = news
            self.looked_changed.emit()
        elif isinstance(news, IndexChunk):
            self.index.extend(news)
            self._count(len(self.index), is_counted=False)

    def _count(self, records: int, *, is_counted: bool) -> None:
        if self.shown is not None:
            known = max(records, self.shown.records)
            self.shown = replace(self.shown, records=known, is_counted=is_counted)
            self.count_changed.emit()

    async def _fetch(self, turn: int, size: int) -> None:
        try:
            while self._wanted and turn == self._turn and self.index is not None:
                page = next(reversed(self._wanted))
                del self._wanted[page]
                entries = await asyncio.to_thread(self.index.rows, page * size, size)
                if turn == self._turn and entries:
                    self.page_read.emit(page, entries)
        except (OSError, ValueError) as fault:
            if turn == self._turn:
                self.stand, self.fault = FileState.UNREADABLE, self._describe(fault)
                self.changed.emit()
        finally:
            if turn == self._turn:
                self._is_fetching = False


def _stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None while there is none that can be looked at."""
    try:
        return file_stamp(path)
    except OSError:
        return None
