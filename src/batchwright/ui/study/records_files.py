"""The file with the records of a study: the data file itself, or what its source was converted to."""

import asyncio
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.temporary_files import temporary_folder
from batchwright.data_files.formats import RecordsFile
from batchwright.local.projects import DataFile

if TYPE_CHECKING:  # imported only when a source is converted
    from batchwright.data_files.conversion.conversion import Conversion
    from batchwright.data_files.conversion.convert import Converted
    from batchwright.data_files.index import Stamp

OnMessage = Callable[[object], object]
"""Called with what `convert` passes on."""


class ConversionRun:
    """The conversion of one source to a temporary file, by the first task that waits for it."""

    def __init__(self, path: Path, stamp: "Stamp", conversion: "Conversion", target: RecordsFile) -> None:
        self.path, self.stamp, self.conversion, self.target = path, stamp, conversion, target
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
                self._messages.clear()
                self._result = await self._convert()
            return self._result

    def is_of(self, path: Path, stamp: "Stamp", conversion: "Conversion") -> bool:
        """Whether it converts this file in this way."""
        same_file = (self.path, self.stamp) == (path, stamp)
        return same_file and conversion in (self.conversion, self._used)

    @property
    def _used(self) -> "Conversion | None":
        from batchwright.data_files.conversion.convert import ConversionStart

        start = self._messages[0] if self._messages else None
        return start.conversion if isinstance(start, ConversionStart) else None

    async def _convert(self) -> "Converted":
        from batchwright.data_files.conversion.convert import convert
        from batchwright.ui.core.child_process import run_in_process

        return await run_in_process(
            convert, self.path, self.conversion, self.target.path, on_progress=self._on_message
        )

    def _on_message(self, message: object) -> None:
        self._messages.append(message)
        for listener in self._listeners:
            listener(message)


class RecordsFiles:
    """Converts the source of a study when it is needed, and once for all who need it."""

    def __init__(self) -> None:
        self._run: ConversionRun | None = None
        self._folder = ExitStack()
        weakref.finalize(self, self._folder.close)

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
        from batchwright.data_files.conversion.conversion import CONVERTED
        from batchwright.data_files.index import file_stamp

        stamp = await asyncio.to_thread(file_stamp, path)
        if self._run is None or not self._run.is_of(path, stamp, conversion):
            if self._run is not None:
                self._run.is_replaced = True
            self._folder.close()
            folder = self._folder.enter_context(temporary_folder("conversion"))
            target = RecordsFile(folder / f"{path.stem}.jsonl", CONVERTED)
            self._run = ConversionRun(path, stamp, conversion, target)
        return self._run
