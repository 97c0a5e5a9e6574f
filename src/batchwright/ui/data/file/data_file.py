"""The data file of the study: its format, the profile of its columns, and its records."""

import asyncio
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from batchwright.base.json_values import Json
from batchwright.base.local_media import MediaFolder
from batchwright.client.checkpoint import file_sha256
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.conversion.conversion import Changes, Conversion
from batchwright.data_files.file_types import SOURCES, type_of
from batchwright.data_files.formats import Format, FormatKind, RecordsFile
from batchwright.data_files.index import IndexChunk, RowIndex, Stamp, file_stamp
from batchwright.data_files.profiling import FileProfile, preview_file, profile_and_index
from batchwright.data_files.rows import ParsedRecord
from batchwright.data_files.source_stamps import source_stamp
from batchwright.data_files.text_rows.sniffing import format_to_correct, sniff
from batchwright.local.projects import DataFile
from batchwright.prepare.reports import StepReport
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.data.file.shown_edits import ShownEdits
from batchwright.ui.study.records_files import ConversionRun, ConvertedAgain, RecordsFiles

if TYPE_CHECKING:  # imported only when a source is read
    from batchwright.data_files.sources.source import SourceChoice

PREVIEW_RECORDS = 64
"""Records shown before the rest of the file is read."""

_MAX_REQUESTED_PAGES = 4
"""Pages waiting to be read; beyond this, the oldest requests are dropped."""


class FileState(Enum):
    """State of the data file."""

    NONE = auto()
    READING = auto()
    """Nothing has been read yet."""
    SHOWN = auto()
    UNREADABLE = auto()
    CANCELLED = auto()
    """Its records were being prepared, and the user has cancelled that."""


@dataclass(frozen=True)
class FileSummary:
    """A readable file; `records` is the number counted so far, final once `is_counted`."""

    path: Path
    size: int
    """Size in bytes."""
    file: RecordsFile
    """What has the records: the file itself, or what it is converted to."""
    stamp: Stamp
    """The stamp of `file`."""
    columns: tuple[str, ...]
    records: int
    is_counted: bool = False
    conversion: Conversion | None = None
    """How the file is converted; None if the service takes it as it is."""
    choices: "tuple[SourceChoice, ...]" = ()
    """What can be chosen for the conversion."""
    notes: tuple[str, ...] = ()
    """Sentences about what the conversion did or left out, known once `is_counted`."""
    edited_cells: "Mapping[str, array[int]]" = field(default_factory=dict)
    """The indexes of the records with another value than in the file, by column, in ascending order."""
    sha256: str | None = None
    """The digest of the file, known once `is_counted`; None for a folder."""

    @property
    def format(self) -> Format:
        """How to read `file`."""
        return self.file.format

    @property
    def local_media(self) -> MediaFolder | None:
        """The media files that the records are about, if their address on the web is not known."""
        if self.conversion is None or self.conversion.options.base_address:
            return None
        return self.conversion.media(self.path)

    @property
    def counts_lines(self) -> bool:
        """Whether the numbers of records are lines of a text, and not rows of a source."""
        is_text = any(choice.option == "encoding" for choice in self.choices)  # in a compressed file
        if self.conversion is None:
            return True
        return not self.conversion.steps and (self.conversion.text_format is not None or is_text)

    @property
    def has_cells(self) -> bool:
        """Whether the file is converted and its records are rows of cells, in whatever type of file."""
        text_format = self.conversion.text_format if self.conversion else None
        return self.conversion is not None and (text_format is None or text_format.kind is FormatKind.CSV)

    @property
    def is_complete(self) -> bool:
        """Whether `file` contains all records."""
        return self.conversion is None or self.is_counted


@dataclass(frozen=True)
class PreparationProgress:
    """How far the records are prepared: by how many of the steps, and then how many rows are written."""

    steps: int
    made: int | None
    """The number of steps that are made; None while the table before them is read."""
    written: int
    rows: int

    @property
    def fraction(self) -> float:
        """The fraction that is done, if the steps take as long as the rows."""
        return ((self.made or 0) / self.steps + self.written / max(1, self.rows)) / 2


class DataFileModel(QObject):
    """Reads a file: its beginning at once, then its profile and index in a separate process."""

    changed = Signal()
    """Another file was opened, its format was changed, or its state has changed."""
    profile_changed = Signal()
    """The profile of the columns is complete."""
    count_changed = Signal()
    prepared = Signal()
    """A step of the preparation was made, or could not be made: `step_reports` has it."""
    edited = Signal()
    """The file is shown with other edits: those of `shown_edits`, or those that it is converted with now."""
    reloaded = Signal()
    """The file was changed on disk and read again; emitted after `changed`."""
    page_read = Signal(int, object)
    """Number of a page, and its records."""

    def __init__(
        self,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        records_files: RecordsFiles,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks, self._describe, self._records_files = tasks, describe, records_files
        self._generation = 0
        self._requested_pages: dict[int, Sequence[int]] = {}
        self._is_reading_pages = False
        self._edited: DataFileModel | None = None
        """The same file while it is read with other edits."""
        self._reset(FileState.NONE, None)

    def open(
        self, path: Path, file_format: Format | None = None, conversion: Conversion | None = None
    ) -> None:
        """Open a file; without a format it is detected, without a conversion a source is read as proposed."""
        self._stop()
        self._reset(FileState.READING, path, file_format, conversion)
        self.changed.emit()
        generation = self._generation
        self._tasks.start(self._task_name, lambda: self._read(generation, path, file_format, conversion))

    @property
    def changes(self) -> Changes:
        """What is made of the records of the file."""
        return Changes() if self._chosen_conversion is None else self._chosen_conversion.changes

    @property
    def complete_file(self) -> RecordsFile | None:
        """What has all records, as they are changed now; None until then."""
        summary = self.summary
        is_complete = summary is not None and summary.is_complete and self.shown_edits is None
        return summary.file if summary is not None and is_complete else None

    def retry(self) -> None:
        """Read the same file again."""
        if self.path is not None:
            self.open(self.path, self._chosen_format, self._chosen_conversion)

    @property
    def preparation(self) -> PreparationProgress | None:
        """How far the steps of the preparation are; None if there are none, or the records are complete."""
        steps, reports, summary = len(self.changes.steps), self.step_reports, self.summary
        is_complete = summary is not None and summary.is_counted
        if not steps or is_complete or self.state not in (FileState.READING, FileState.SHOWN):
            return None
        made = len(reports) - 1 if reports else None
        written = summary.records if summary is not None else 0
        return PreparationProgress(steps, made, written, reports[-1].count if reports else 0)

    def cancel_preparation(self) -> None:
        """End the preparation of the records, of which none are shown then; `retry` starts it again."""
        if self.preparation is not None:
            self._stop()
            self._reset(FileState.CANCELLED, self.path, self._chosen_format, self._chosen_conversion)
            self.changed.emit()

    def reload_if_changed(self) -> None:
        """Read the file again if it was changed, restored or removed on disk."""
        generation = self._generation
        if self.state in (FileState.SHOWN, FileState.UNREADABLE) and self.path is not None:
            self._tasks.start(f"{self._task_name} again", lambda: self._reload_if_changed(generation))

    def close(self) -> None:
        """Close the file."""
        self._stop()
        self._reset(FileState.NONE, None)
        self.changed.emit()

    def request_page(self, page: int, records: Sequence[int]) -> None:
        """Read the records of a page, by their indexes, in the background; `page_read` provides them."""
        self._requested_pages.pop(page, None)
        self._requested_pages[page] = records
        while len(self._requested_pages) > _MAX_REQUESTED_PAGES:
            del self._requested_pages[next(iter(self._requested_pages))]
        if not self._is_reading_pages and self.index is not None:
            self._is_reading_pages = True
            generation = self._generation
            self._tasks.start(f"{self._task_name} pages", lambda: self._read_pages(generation))

    def line_number(self, record: int) -> int | None:
        """The line number of a record in the file; None until it is known."""
        index = self.index
        return index.line_number(record) if index is not None and 0 <= record < len(index) else None

    @property
    def _task_name(self) -> str:
        return f"data file {id(self)} {self._generation}"

    def _stop(self) -> None:
        self._stop_editing()
        self._tasks.cancel(self._task_name)
        self._tasks.cancel(f"{self._task_name} pages")
        self._tasks.cancel(f"{self._task_name} again")

    def _reset(
        self,
        state: FileState,
        path: Path | None,
        file_format: Format | None = None,
        conversion: Conversion | None = None,
    ) -> None:
        self._generation += 1
        self.state, self.path = state, path
        self.format = file_format
        """The format that the file was read with, or that was tried."""
        self._chosen_format, self._chosen_conversion = file_format, conversion
        self._is_reload = False
        self.stamp: Stamp | None = None
        """The stamp of the file of the user; None until it is known."""
        self.error: TaskMessage | None = None
        self._reset_records()
        self.shown_edits: ShownEdits | None = None
        """Edits that the records are to be shown with; None if the file is converted with all of them."""
        self._requested_pages.clear()
        self._is_reading_pages = False

    def _reset_records(self) -> None:
        self.summary: FileSummary | None = None
        self.first_records: tuple[ParsedRecord[Json], ...] = ()
        self.profile: FileProfile | None = None
        self.step_reports: tuple[StepReport, ...] = ()
        """What the steps of the preparation have made so far; the first one is the table before them."""
        self.index: RowIndex | None = None

    def edit(self, data: DataFile) -> None:
        """Read the same file with other edits; it stays shown meanwhile, with what they do to a record."""
        summary = self.summary
        if self.state is not FileState.SHOWN or summary is None or not (summary.is_counted or self._edited):
            self.open(data.path, data.format, data.conversion)
            return
        applied = Changes() if summary.conversion is None else summary.conversion.changes
        names = distinct_names(summary.columns)
        shown = ShownEdits(names, applied.edits, data.changes.edits)
        is_prepared = bool(applied.steps or data.changes.steps)
        if is_prepared or not shown.can_be_shown or names != summary.columns:
            self.open(data.path, data.format, data.conversion)
            return
        self._stop_editing()
        self._chosen_format, self._chosen_conversion = data.format, data.conversion
        self.shown_edits, self.summary = shown, replace(summary, is_counted=False)
        self._edited = DataFileModel(self._tasks, self._describe, self._records_files, self)
        self._edited.count_changed.connect(self._on_edited_read)
        self._edited.changed.connect(self._on_edited_read)
        self._edited.open(data.path, data.format, data.conversion)
        self.edited.emit()

    def _on_edited_read(self) -> None:
        """Show the file as it was read with other edits."""
        read = self._edited
        if read is None:
            return
        if read.state is FileState.UNREADABLE or read.stamp != self.stamp:
            if read.state is not FileState.READING:
                self.retry()
            return
        if read.summary is None or not read.summary.is_counted:
            return
        self.summary, self.index, self.profile = read.summary, read.index, read.profile
        self.first_records, self.format = read.first_records, read.format
        self._stop()
        self._generation += 1
        self._requested_pages.clear()
        self._is_reading_pages = False
        self.edited.emit()

    def _stop_editing(self) -> None:
        """End reading the file with other edits."""
        edited, self._edited, self.shown_edits = self._edited, None, None
        if edited is not None:
            edited.close()
            edited.deleteLater()

    async def _read(
        self,
        generation: int,
        path: Path,
        file_format: Format | None,
        conversion: Conversion | None,
    ) -> None:
        try:
            stamp = await asyncio.to_thread(_stamp, path, conversion)
            if generation == self._generation:
                self.stamp = stamp
            if conversion is not None or await asyncio.to_thread(type_of, path) in SOURCES:
                await self._read_source(generation, path, conversion)
            else:
                await self._read_all(generation, path, file_format)
        except (OSError, ValueError) as error:  # errors about the file, also of the system
            to_correct = await asyncio.to_thread(format_to_correct, path)
            if generation == self._generation:
                self.state, self.error = FileState.UNREADABLE, self._describe(error)
                self.format = self.format or to_correct
                self.changed.emit()

    async def _reload_if_changed(self, generation: int) -> None:
        path, old = self.path, self.stamp
        if path is None or generation != self._generation:
            return
        if await asyncio.to_thread(_stamp, path, self._chosen_conversion) == old:
            return
        was_shown = self.summary is not None
        self.retry()
        self._is_reload = was_shown

    async def _read_all(self, generation: int, path: Path, chosen_format: Format | None) -> None:
        file_format = await asyncio.to_thread(sniff, path) if chosen_format is None else chosen_format
        if generation == self._generation:
            self.format = file_format
        preview = await asyncio.to_thread(preview_file, path, file_format, PREVIEW_RECORDS)
        index = await asyncio.to_thread(RowIndex, path, file_format)
        if generation != self._generation:
            return
        file = RecordsFile(path, file_format)
        summary = FileSummary(path, index.stamp[0], file, index.stamp, preview.columns, len(preview.records))
        self._show(summary, index, preview.records)
        records = await run_in_process(
            profile_and_index,
            path,
            file_format,
            on_progress=lambda part: self._on_profile_chunk(generation, part),
        )
        sha256 = await asyncio.to_thread(file_sha256, path)
        if generation == self._generation and self.summary is not None:
            self.summary = replace(self.summary, sha256=sha256)
            self._set_count(records, is_counted=True)

    async def _read_source(self, generation: int, path: Path, conversion: Conversion | None) -> None:
        """Convert a source, and show its records meanwhile."""
        run = await self._records_files.convert(path, conversion or Conversion())
        if generation != self._generation:
            return
        run.listen(lambda message: self._on_conversion(generation, run, message))
        converted = await run.finished()
        stamp = await asyncio.to_thread(file_stamp, run.target.path)
        if generation == self._generation and self.summary is not None:
            self.summary = replace(
                self.summary,
                stamp=stamp,
                columns=converted.columns,
                notes=converted.notes,
                sha256=converted.sha256,
                edited_cells=converted.edited_cells,
            )
            self._set_count(converted.records, is_counted=True)

    def _on_conversion(self, generation: int, run: ConversionRun, message: object) -> None:
        from batchwright.data_files.conversion.convert import ConversionStart

        if generation != self._generation:
            return
        if isinstance(message, ConversionStart):
            index = RowIndex(run.target.path, run.target.format, may_change=True)
            count, size = len(message.records), run.stamp[0]
            self.format = run.target.format
            summary = FileSummary(run.path, size, run.target, index.stamp, message.columns, count)
            summary = replace(summary, conversion=message.conversion, choices=message.choices)
            self._show(summary, index, message.records)
        elif isinstance(message, StepReport):
            self.step_reports = (*self.step_reports, message)
            self.prepared.emit()
        elif isinstance(message, ConvertedAgain):
            self.state = FileState.READING
            self._reset_records()
            self.changed.emit()
        else:
            self._on_profile_chunk(generation, message)

    def _show(self, summary: FileSummary, index: RowIndex, first: tuple[ParsedRecord[Json], ...]) -> None:
        self.summary, self.index, self.first_records = summary, index, first
        self.state = FileState.SHOWN
        self.changed.emit()
        if self._is_reload:
            self.reloaded.emit()

    def _on_profile_chunk(self, generation: int, chunk: object) -> None:
        if generation != self._generation or self.index is None:
            return
        if isinstance(chunk, FileProfile):
            self.profile = chunk
            self.profile_changed.emit()
        elif isinstance(chunk, IndexChunk):
            self.index.extend(chunk)
            self._set_count(len(self.index), is_counted=False)

    def _set_count(self, records: int, *, is_counted: bool) -> None:
        if self.summary is not None:
            most = max(records, self.summary.records)
            self.summary = replace(self.summary, records=most, is_counted=is_counted)
            self.count_changed.emit()

    async def _read_pages(self, generation: int) -> None:
        try:
            while self._requested_pages and generation == self._generation and self.index is not None:
                page = next(reversed(self._requested_pages))
                records = self._requested_pages.pop(page)
                entries = await asyncio.to_thread(self.index.rows_at, records)
                if generation == self._generation and entries:
                    self.page_read.emit(page, entries)
        except (OSError, ValueError) as error:
            if generation == self._generation:
                self.state, self.error = FileState.UNREADABLE, self._describe(error)
                self.changed.emit()
        finally:
            if generation == self._generation:
                self._is_reading_pages = False


def _stamp(path: Path, conversion: Conversion | None) -> Stamp | None:
    """The stamp of a file or folder; None if it cannot be accessed."""
    try:
        return source_stamp(path, conversion)
    except OSError:
        return None
