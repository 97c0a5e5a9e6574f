"""What the Data stage asks before it does something with the study's dataset."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from batchwright.api.errors import ApiError
from batchwright.base.i18n import _
from batchwright.client.connection_pool import NotSignedIn
from batchwright.data_files.migration_impact import count_cleared_values
from batchwright.data_files.rows import UnreadableFile
from batchwright.ui.core.formatting import number
from batchwright.ui.core.process_pool import run_in_process
from batchwright.ui.data.append_dialog import AppendDialog
from batchwright.ui.data.cleared_values_dialog import ClearedValuesDialog
from batchwright.ui.data.data_file import FileSummary
from batchwright.ui.data.file_commands import FileCommands
from batchwright.ui.data.schema_dialog import SchemaChangeDialog
from batchwright.ui.data.schema_plan import SchemaDiff
from batchwright.ui.data.state import DataState
from batchwright.ui.data.upload_v3_dialog import V3Dialog
from batchwright.ui.data.use_existing_dataset import fetch_dataset, known_datasets
from batchwright.ui.data.use_existing_dialog import UseDatasetDialog
from batchwright.ui.shell.stages import StageContext
from batchwright.workflows.messages import describe

_COUNT = "data count emptied"


class DatasetCommands:
    """Each question is a task of the window, and ends in a deed or in nothing."""

    def __init__(self, context: StageContext, model: DataState, files: FileCommands) -> None:
        self._frame, self._model, self._files = context, model, files

    def append(self) -> None:
        """Append the records of the file in view, or of another that is chosen or dropped."""
        self._frame.tasks.start("data append", self._append)

    def change_schema(self) -> None:
        """Give the dataset the schema in view, after it was shown what that will do."""
        self._frame.tasks.start("data change schema", self._change_schema)

    def show_nulled(self) -> None:
        """List the values that the latest migration has emptied."""
        changing = self._model.dataset.schema_change
        if changing is not None and changing.migration is not None:
            dialog = ClearedValuesDialog(changing.migration)
            self._frame.tasks.start("data nulled", lambda: dialog.ask(self._frame.host))

    def send_v3(self) -> None:
        """Send the file in view, or another that is chosen or dropped, as a V3 dataset."""
        self._frame.tasks.start("data send V3", self._send_v3)

    def take(self) -> None:
        """Take a dataset that is there already, from the register or by its id."""
        self._frame.tasks.start("data take", self._take)

    async def _take(self) -> None:
        model = self._model
        session = model.session
        known = await known_datasets(session)
        dialog = UseDatasetDialog(known, model.study.schema, session.connection.title)

        async def attempt() -> bool:
            if dialog.found is not None:
                return True
            dialog.show_loading()
            try:
                dialog.show_dataset(await fetch_dataset(session, dialog.id))
            except (ApiError, NotSignedIn) as error:
                dialog.show_error(str(describe(error)))
            return False

        if await dialog.ask_until(self._frame.host, attempt) and dialog.found is not None:
            model.dataset.attach(dialog.found, takes_schema=dialog.uses_schema)

    async def _send_v3(self) -> None:
        summary = self._model.file.summary
        path: Path | None = summary.path if summary and summary.format.served else None
        is_off = self._model.dataset.uploads.is_v4_disabled
        while True:
            file = (path, await asyncio.to_thread(_size, path)) if path else None
            dialog = V3Dialog(file, v4_is_off=is_off, live=self._live)
            if await dialog.ask(self._frame.host) and path is not None:
                self._model.dataset.upload_v3(path)
                return
            if not (dialog.dropped_path or dialog.chooses_other):
                return
            path = dialog.dropped_path or await self._files.v3_file_to_open() or path

    async def _change_schema(self) -> None:
        work = self._model.dataset
        dataset, diff = work.remote.dataset, work.schema_diff
        if dataset is None or diff is None:
            return
        source = work.source_file
        dialog = SchemaChangeDialog(dataset.name, diff, self._live, is_countable=source is not None)
        if source is not None and diff.may_clear_values:
            self._frame.tasks.start(_COUNT, lambda: self._count(dialog, source, diff))
        try:
            is_wanted = await dialog.ask(self._frame.host)
        finally:
            self._frame.tasks.cancel(_COUNT)
        if is_wanted:
            work.change_schema()

    async def _count(self, dialog: SchemaChangeDialog, source: FileSummary, diff: SchemaDiff) -> None:
        """Count what a schema change would empty, while somebody reads what else it does."""
        what = (source.path, source.format, diff.old, diff.new)
        try:
            dialog.show_cleared_values(
                await run_in_process(count_cleared_values, *what, told=dialog.show_counting)
            )
        except (OSError, UnreadableFile) as error:
            dialog.show_count_error(describe(error).what)

    async def _append(self) -> None:
        work = self._model.dataset
        subject = work.remote.subject
        while True:
            await self._looked_through()
            dataset, rows = work.remote.dataset, work.records_to_append()
            if dataset is None or work.remote.subject != subject:
                return
            dialog = AppendDialog(dataset, rows, self._notes(), self._live)
            is_wanted = await dialog.ask(self._frame.host)
            path: Path | None = dialog.dropped_path
            if dialog.chooses_other:
                path = await self._files.table_to_open()
            if work.remote.subject != subject:
                return
            if is_wanted and rows is not None:
                work.append(dataset, rows)
            if is_wanted or path is None:
                return
            await self._files.replace(path, keeps_file=False)

    def _notes(self) -> tuple[str, ...]:
        model, notes = self._model, []
        report = model.validation.report
        if model.dataset.is_uploaded:
            notes.append(
                _("These records are in the dataset already. What is the same in every field is stored once.")
            )
        if not model.dataset.remote.has_study_schema:
            notes.append(_("The dataset has another schema than the one in view; it judges by its own."))
        elif report is not None and report.rejected:
            text = _("{rejected} of {all} would be rejected; the others are taken.")
            notes.append(text.format(rejected=number(report.rejected), all=number(report.records)))
        return tuple(notes)

    @property
    def _live(self) -> str:
        session = self._model.session
        return session.connection.title if session.is_live else ""

    async def _looked_through(self) -> None:
        """Wait until the file in view is counted and checked, or cannot be read."""
        await self._until(lambda: not self._model.is_reading)

    async def _until(self, condition: Callable[[], bool]) -> None:
        met = asyncio.Event()

        def look() -> None:
            if condition():
                met.set()

        self._model.changed.connect(look)
        try:
            look()
            await met.wait()
        finally:
            self._model.changed.disconnect(look)


def _size(path: Path) -> int:
    return path.stat().st_size
