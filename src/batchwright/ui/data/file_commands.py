"""What the Data stage does with files: asks which one, saves parts of a table, opens and saves schemas."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.data_files.partition import write_accepted, write_rejected
from batchwright.local.projects import DataFile
from batchwright.schema.model import Schema
from batchwright.ui.core.formatting import records
from batchwright.ui.data.data_file import FileState
from batchwright.ui.data.rename_dialog import RenameDialog
from batchwright.ui.data.replacing import SAMPLE, ReplaceDialog, examine
from batchwright.ui.data.saving import Writer, load_schema, save_record_subset, save_schema, save_with_names
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.file_dialogs import DATA_FILES, FileChooser, last_folder
from batchwright.ui.widgets.notices import Toast, ToastSeverity

_V3_FILES = ("CSV, ZIP (*.csv *.zip)",)
_JSON = ("JSON (*.json)",)


class FileCommands:
    """Each deed asks first, beside the data file, and is a task of the window."""

    def __init__(self, context: StageContext, model: DataState, dialogs: FileChooser) -> None:
        self._frame, self._model, self._dialogs = context, model, dialogs

    def choose(self) -> None:
        """Take another data file; not while something is done with this one, which would be stopped by it."""
        if (why := self._model.dataset.busy_reason) is not None:
            self._frame.notices.tell(Toast(ToastSeverity.ADVICE, why.what, why.remedy))
            return
        self._start("data choose", self._choose)

    def open(self, path: Path) -> None:
        """Take a data file; one in view is replaced only by one that can be read, and with consent."""
        self._start("data open", lambda: self.replace(path))

    def open_sample(self) -> None:
        """Take the sample records."""
        self.open(SAMPLE)

    async def replace(self, path: Path, *, keeps_file: bool = True) -> None:
        """As `open`, for a task that goes on afterwards.

        Without `keeps_file` the person has agreed to see another file, and is asked about the schema alone.
        """
        model = self._model
        opening = model.study.opening
        try:
            replacement = await examine(model, path)
        except (OSError, ValueError) as error:  # what `tables` raises of a file, and what the system does
            if model.file.state is FileState.SHOWN:
                model.show_not_opened(path, error)
            else:
                model.open_file(path)
            return
        is_asked = replacement.replaces_schema or (keeps_file and replacement.replaces_file)
        if is_asked and not await ReplaceDialog(replacement).ask(self._frame.host):
            return
        if opening != model.study.opening or model.dataset.busy_reason is not None:
            return
        before, schema = model.study.data, model.study.schema
        model.clear_not_opened()
        model.open_file(path)
        if replacement.old is not None and before is not None:
            self._offer_undo(path, before, schema)

    def rename_columns(self) -> None:
        """Write a copy of the file in which every column has a name of its own, and use it."""
        self._start("data rename", self._rename_columns)

    def save_good(self) -> None:
        """Write the records that would be accepted."""
        summary = self._model.file.summary
        if summary is not None:
            self._save_part(write_accepted, f"{self._stem}-good.{summary.format.kind}")

    def save_rejected(self) -> None:
        """Write the records that would be rejected, as they stand in the file."""
        summary = self._model.file.summary
        if summary is not None:
            self._save_part(write_rejected, f"{self._stem}-rejected{summary.path.suffix}")

    def open_schema(self) -> None:
        """Take the schema of a file."""
        self._start("data open schema", self._open_schema)

    def save_schema(self) -> None:
        """Write the schema as a file of its own."""
        self._start("data save schema", self._save_schema)

    def _start(self, name: str, operation: Callable[[], Awaitable[None]]) -> None:
        self._frame.tasks.start(name, operation)

    async def table_to_open(self) -> Path | None:
        """A data file; None when none was chosen."""
        return await self._dialogs.file_to_open(_("Choose a data file"), (_(DATA_FILES),), self._folder)

    async def v3_file_to_open(self) -> Path | None:
        """A file that a V3 dataset takes; None when none was chosen."""
        return await self._dialogs.file_to_open(_("Choose a data file"), _V3_FILES, self._folder)

    async def _choose(self) -> None:
        path = await self.table_to_open()
        if path is not None:
            await self.replace(path)

    def _offer_undo(self, path: Path, before: DataFile, schema: Schema | None) -> None:
        model = self._model
        opening = model.study.opening

        def undo() -> None:
            if (
                opening == model.study.opening
                and model.file.path == path
                and model.dataset.busy_reason is None
            ):
                model.restore(before, schema)

        title = _("“{new}” replaced “{old}”").format(new=path.name, old=before.path.name)
        line = _("Undo brings back the file and its schema.")
        self._frame.notices.tell(Toast(ToastSeverity.DONE, title, line, _("Undo"), undo))

    async def _rename_columns(self) -> None:
        summary, opening = self._model.file.summary, self._model.study.opening
        if summary is None or self._model.dataset.busy_reason is not None:
            return
        dialog = RenameDialog(summary.columns, summary.format)
        if not await dialog.ask(self._frame.host):
            return
        proposed = self._folder / f"{self._stem}-renamed{summary.path.suffix}"
        target = await self._dialogs.file_to_save(_("Save the renamed copy"), (_(DATA_FILES),), proposed)
        if target is not None:
            await save_with_names(summary.path, summary.format, dialog.names, target)
            if opening == self._model.study.opening and self._model.dataset.busy_reason is None:
                self._model.open_file(target, is_corrected=True)

    def _save_part(self, write: Writer, name: str) -> None:
        async def save() -> None:
            target = await self._dialogs.file_to_save(_("Save records"), (), self._folder / name)
            summary, schema = self._model.file.summary, self._model.study.schema
            if target is None or summary is None or schema is None:
                return
            count = await save_record_subset(write, summary.path, summary.format, schema, target)
            self._tell(_("{records} saved").format(records=records(count)), target)

        self._start(f"data save {name}", save)

    async def _open_schema(self) -> None:
        path = await self._dialogs.file_to_open(_("Open a schema"), _JSON, self._folder)
        if path is not None:
            self._model.schema.set_schema(await load_schema(path))

    async def _save_schema(self) -> None:
        proposed = self._folder / f"{self._stem}-schema.json"
        target = await self._dialogs.file_to_save(_("Save the schema"), _JSON, proposed)
        schema = self._model.study.schema
        if target is not None and schema is not None:
            await save_schema(schema, target)
            self._tell(_("Schema saved"), target)

    def _tell(self, title: str, target: Path) -> None:
        self._frame.notices.tell(Toast(ToastSeverity.DONE, title, str(target)))

    @property
    def _folder(self) -> Path:
        summary = self._model.file.summary
        return summary.path.parent if summary else last_folder() or Path.home()

    @property
    def _stem(self) -> str:
        summary = self._model.file.summary
        return summary.path.stem if summary else self._model.study.project.name or "data"
