"""The file with the records of a study: the data file itself, or what was made of it.

Its source is converted, and then prepared by the steps of the study, if there are any.
"""

import asyncio
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.data_files.formats import RecordsFile
from batchwright.local.projects import DataFile

if TYPE_CHECKING:  # imported only when a source is converted
    from batchwright.data_files.conversion.conversion import Conversion
    from batchwright.data_files.conversion.convert import ConversionStart, Converted
    from batchwright.data_files.index import Stamp

OnMessage = Callable[[object], object]
"""Called with what `convert` passes on, and with `ConvertedAgain`."""


class ConvertedAgain:
    """What was passed on is void: the task that converted was cancelled, and another one starts again."""


class ConversionRun:
    """The conversion of one source to a temporary file, by the first task that waits for it.

    If the conversion has steps, `plain` is the run without them, whose records are prepared.
    """

    def __init__(
        self,
        path: Path,
        stamp: "Stamp",
        conversion: "Conversion",
        target: RecordsFile,
        plain: "ConversionRun | None" = None,
    ) -> None:
        self.path, self.stamp, self.conversion, self.target = path, stamp, conversion, target
        self._plain = plain
        self.is_replaced = False
        """Whether another source is converted instead."""
        self._messages: list[object] = []
        self._listeners: list[OnMessage] = []
        self._converting = asyncio.Lock()
        self._result: Converted | None = None

    def listen(self, on_message: OnMessage) -> None:
        """Pass on all messages, also those from before."""
        for message in self._messages:
            on_message(message)
        self._listeners.append(on_message)

    async def finished(self) -> "Converted":
        """Wait for the end; if the task that converts is cancelled, this one starts again.

        Raises:
            UnreadableFile: the source cannot be read.
            OSError: it cannot be read, or the temporary file cannot be written.
            CancelledError: another source is converted instead.
        """
        async with self._converting:
            if self.is_replaced:
                raise asyncio.CancelledError
            if self._result is None:
                if self._messages:
                    self._on_message(ConvertedAgain())
                    self._messages.clear()
                self._result = await self._convert()
            return self._result

    def is_of(self, path: Path, stamp: "Stamp", conversion: "Conversion") -> bool:
        """Whether it converts this file in this way."""
        same_file = (self.path, self.stamp) == (path, stamp)
        return same_file and conversion in (self.conversion, self._used)

    @property
    def has_ended(self) -> bool:
        """Whether its file is complete."""
        return self._result is not None

    @property
    def start(self) -> "ConversionStart | None":
        """What the conversion has passed on about its beginning; None until then."""
        from batchwright.data_files.conversion.convert import ConversionStart

        starts = (message for message in self._messages if isinstance(message, ConversionStart))
        return next(starts, None)

    @property
    def _used(self) -> "Conversion | None":
        return None if self.start is None else self.start.conversion

    async def _convert(self) -> "Converted":
        from batchwright.data_files.conversion.convert import convert
        from batchwright.ui.core.child_process import run_in_process

        if self._plain is not None:
            return await self._prepare(self._plain)
        return await run_in_process(
            convert, self.path, self.conversion, self.target.path, on_progress=self._on_message
        )

    async def _prepare(self, plain: "ConversionRun") -> "Converted":
        from batchwright.ui.core.child_process import run_in_process

        converted, steps = await plain.finished(), self.conversion.steps
        preparing = await asyncio.to_thread(import_module, "batchwright.prepare.prepared_file")
        return await run_in_process(
            preparing.prepare_file,
            plain.target.path,
            plain.start,
            converted,
            steps,
            self.target.path,
            on_progress=self._on_message,
        )

    def _on_message(self, message: object) -> None:
        self._messages.append(message)
        for listener in self._listeners:
            listener(message)


class RecordsFiles:
    """Converts the source of a study when it is needed, and once for all who need it.

    The latest conversion that has ended is kept while the same file is converted in another way: its records
    are shown meanwhile, and an edit that is undone needs no conversion.
    """

    def __init__(self) -> None:
        self._plain: list[tuple[ConversionRun, ExitStack]] = []
        """The run without steps that has ended, if there is any, and the current one."""
        self._prepared: list[tuple[ConversionRun, ExitStack]] = []
        """Those with steps."""
        weakref.finalize(self, _remove, self._plain)
        weakref.finalize(self, _remove, self._prepared)

    async def of(self, data: DataFile) -> RecordsFile:
        """The file with the records of a data file, complete.

        Raises:
            UnreadableFile: the source cannot be read.
            OSError: it cannot be read, or the temporary file cannot be written.
            CancelledError: another source was opened meanwhile.
        """
        if data.conversion is None:
            return RecordsFile(data.path, data.format)
        run = await self.convert(data.path, data.conversion)
        await run.finished()
        return run.target

    async def convert(self, path: Path, conversion: "Conversion") -> ConversionRun:
        """The conversion of a source, whose end the caller must wait for; that of another one ends.

        Raises:
            OSError: it cannot be accessed.
        """
        from batchwright.data_files.source_stamps import source_stamp

        stamp = await asyncio.to_thread(source_stamp, path, conversion)
        if not conversion.steps:
            return _run(self._plain, path, stamp, conversion)
        plain = _run(self._plain, path, stamp, replace(conversion, steps=()))
        return _run(self._prepared, path, stamp, conversion, plain)


def _run(
    runs: "list[tuple[ConversionRun, ExitStack]]",
    path: Path,
    stamp: "Stamp",
    conversion: "Conversion",
    plain: ConversionRun | None = None,
) -> ConversionRun:
    """The run of a conversion among others, a new one if need be; those that are not needed any more end."""
    if runs and runs[-1][0].is_of(path, stamp, conversion):
        return runs[-1][0]
    found = [entry for entry in runs if entry[0].is_of(path, stamp, conversion)]
    ended = [entry for entry in runs if entry[0].has_ended and entry[0].path == path]
    kept = [entry for entry in ended[-1:] if entry not in found]
    kept += found or [_new_run(path, stamp, conversion, plain)]
    _remove([entry for entry in runs if entry not in kept])
    runs[:] = kept
    return kept[-1][0]


def _new_run(
    path: Path, stamp: "Stamp", conversion: "Conversion", plain: ConversionRun | None
) -> tuple[ConversionRun, ExitStack]:
    """A conversion to a file in a temporary folder, and what removes the folder."""
    from batchwright.data_files.conversion.conversion import CONVERTED

    stack = ExitStack()
    folder = stack.enter_context(temporary_folder("conversion"))
    target = RecordsFile(folder / f"{path.stem}.jsonl", CONVERTED)
    return ConversionRun(path, stamp, conversion, target, plain), stack


def _remove(runs: "list[tuple[ConversionRun, ExitStack]]") -> None:
    for run, stack in runs:
        run.is_replaced = True
        stack.close()
