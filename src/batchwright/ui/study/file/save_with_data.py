"""The command “Save with data”: a copy of the study in one file with its table, for other computers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event

from PySide6.QtWidgets import QCheckBox, QRadioButton, QSpinBox

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _, ngettext
from batchwright.data_files.column_selection import write_columns
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.rows import UnreadableFile
from batchwright.local.library import LibraryEntry, entry_content
from batchwright.local.projects import DataFile, Project, study_name
from batchwright.local.study_files.study_archive import ArchivedFile, media_amount, write_archive
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.core.desktop import open_file
from batchwright.ui.core.formatting import number, size
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.file.save import ShowNotice
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import explained_choice

_MB = 1_000_000
_DEFAULT_MB, _MOST_MB = 200, 8_000
_COUNTING = "count media"


class SaveWithDataDialog(Dialog):
    """Asks what of the data to include; shows the progress while the file is written."""

    help_address = "home.md#open-a-study"

    def __init__(self, project: Project, templates: int) -> None:
        text = _("One file that opens on another computer without any other. The study stays as it is.")
        super().__init__(_("Save with data"), text, _("Save"))
        self._with_media = project.data is not None and project.data.media is not None
        data, self._fields = project.data, tuple(project.schema.fields) if project.schema else ()
        self._whole, self._used = QRadioButton(_("The whole table")), QRadioButton(_("Used columns only"))
        self._whole.setChecked(True)
        self._templates = QCheckBox(_("Also my templates and blocks"))
        self._templates.setVisible(bool(templates))
        self._banner = WarningBanner("", is_live=False)
        self._progress = ProgressRow(_("Save with data"))
        self._limit = QSpinBox()
        self._limit_field = InputField(_("Limit for the files"), self._limit)
        self._media: tuple[int, int] | None = None
        self._amount = Label(_("Counting the files"), TextRole.SMALL, "text2", wraps=True, tabular=True)
        if data is not None and data.media is not None:
            self._add_media(data)
        elif data is not None:
            whole = _("{name}, {size}, as it is.").format(name=data.path.name, size=size(data.size))
            self.add(explained_choice(self._whole, whole))
            if self._fields:
                self.add(explained_choice(self._used, _used_columns(self._fields)))
        self.add(self._templates, self._banner, self._progress)
        self._banner.hide()
        self._progress.hide()

    def _add_media(self, data: DataFile) -> None:
        """Offer the files of a folder up to a limit; without them only if they are on the web."""
        self._whole.setText(_("The table and its files"))
        self._used.setText(_("The table only"))
        self._limit.setRange(1, _MOST_MB)
        self._limit.setValue(_DEFAULT_MB)
        self._limit.setSuffix(" MB")
        self._limit.valueChanged.connect(self._validate)
        self._whole.toggled.connect(self._validate)
        if data.conversion is not None and data.conversion.options.base_address:
            self.add(explained_choice(self._whole, self._amount), self._limit_field)
            self.add(explained_choice(self._used, _("The files stay where they are on the web.")))
        else:
            self.add(self._amount, self._limit_field)
        self._validate()

    def show_media(self, count: int, size_bytes: int) -> None:
        """Show how many files there are, and how large they are together."""
        self._media = count, size_bytes
        text = ngettext(
            "{count} file is saved with the table: {size}.",
            "{count} files are saved with the table: {size}.",
            count,
        )
        self._amount.setText(text.format(count=number(count), size=size(size_bytes)))
        self._validate()

    def _validate(self) -> None:
        """Require that the files are counted and not larger than the limit."""
        is_with_files = self._whole.isChecked()
        self._limit.setEnabled(is_with_files)
        is_large = self._media is not None and self._media[1] > self._limit.value() * _MB
        reason = _("The files are being counted") if self._media is None else ""
        if is_large:
            reason = _("The files are larger than the limit")
        self._limit_field.show_error(_("The files are larger.") if is_large and is_with_files else "")
        self.accept_button.set_disabled_reason(reason if is_with_files else "")

    @property
    def is_table_only(self) -> bool:
        """Whether the files of a folder are left out."""
        return self._with_media and self._used.isChecked()

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns to include; None for the whole table."""
        return self._fields if self._used.isChecked() and not self._with_media else None

    @property
    def has_templates(self) -> bool:
        """Whether to include templates and blocks."""
        return self._templates.isChecked()

    def show_progress(self, text: str, fraction: float | None) -> None:
        """Show what is being written."""
        self._banner.hide()
        self.accept_button.setEnabled(False)
        self._progress.setVisible(True)
        self._progress.show_progress(text, fraction)

    def show_error(self, text: str) -> None:
        """Show why the file could not be written."""
        self.accept_button.setEnabled(True)
        self._progress.hide()
        self._banner.set_text(text)
        self._banner.show()


ChooseFile = Callable[[str, ShowNotice], Awaitable[Path | None]]
"""Asks for the file of a copy with this name; None if the user cancelled, or after it was shown why not."""


async def save_with_data(
    context: StageContext, study: Study, templates: Sequence[LibraryEntry], choose: ChooseFile
) -> None:
    """Ask what to include and where to save, and write the file; the study keeps its own file."""
    project = study.project
    dialog = SaveWithDataDialog(project, len(templates))
    saving = _Saving(context, study, dialog, templates, choose)
    if project.data is not None and project.data.media is not None:
        saving.count_media(project.data)
    if await dialog.ask_until(context.window, saving.attempt) and saving.path is not None:
        _notify(context, saving.path)


class _Saving:
    """The attempts to save. Closing the dialog ends the one that is running."""

    def __init__(
        self,
        context: StageContext,
        study: Study,
        dialog: SaveWithDataDialog,
        templates: Sequence[LibraryEntry],
        choose: ChooseFile,
    ) -> None:
        self._context, self._study, self._dialog = context, study, dialog
        self._templates, self._choose = templates, choose
        self._loop = asyncio.get_running_loop()
        self._is_stopped = Event()
        dialog.rejected.connect(self._is_stopped.set)
        self.path: Path | None = None
        """The file that was chosen last."""

    def count_media(self, data: DataFile) -> None:
        """Count the files of a folder in the background."""
        tasks = self._context.tasks
        self._dialog.finished.connect(lambda: tasks.cancel(_COUNTING))
        tasks.start(_COUNTING, lambda: self._count_media(data))

    async def _count_media(self, data: DataFile) -> None:
        try:
            self._dialog.show_media(*await asyncio.to_thread(media_amount, data))
        except OSError as error:
            message = self._context.tasks.message(error)
            self._dialog.show_error(f"{message.what} {message.remedy}")

    async def attempt(self) -> bool:
        """Ask for a file and write it; False if the user cancelled that, or if it failed."""
        project = self._study.project
        name = _("{name} with data").format(name=study_name(project))
        self.path = await self._choose(
            name, lambda notice: self._dialog.show_error(f"{notice.title}\n{notice.text}")
        )
        if self.path is None:
            return False
        if self.path == self._study.path:
            self._dialog.show_error(_("This is the file of the study itself. Choose another name."))
            return False
        try:
            await self._write(project, self.path)
        except (OSError, UnreadableFile) as error:
            message = self._context.tasks.message(error)
            self._dialog.show_error(f"{message.what} {message.remedy}")
            return False
        return True

    async def _write(self, project: Project, path: Path) -> None:
        templates = self._templates if self._dialog.has_templates else ()
        files = [
            ArchivedFile(entry.path.name, entry_content(entry)) for entry in templates if not entry.error
        ]
        with ExitStack() as stack:
            columns = self._dialog.columns
            if project.data is not None and self._dialog.is_table_only:
                project = replace(project, data=await self._table_only(project.data))
            if project.data is not None and columns is not None:
                folder = await asyncio.to_thread(stack.enter_context, temporary_folder("columns"))
                project = replace(project, data=await self._with_columns(project.data, columns, folder))
            await asyncio.to_thread(write_archive, project, path, files, self._on_progress)

    async def _table_only(self, data: DataFile) -> DataFile:
        """The records of a folder with media, without the files."""
        file = await self._study.records_files.of(data)
        size = file.path.stat().st_size
        return replace(data, path=file.path, size=size, format=file.format, conversion=None)

    async def _with_columns(self, data: DataFile, columns: Sequence[str], folder: Path) -> DataFile:
        """A temporary data file with these columns only."""
        target = folder / f"{data.path.stem}.jsonl"
        self._dialog.show_progress(_("Writing the used columns"), None)
        file = await self._study.records_files.of(data)
        await run_in_process(write_columns, file, columns, target, on_progress=lambda *_progress: None)
        form = Format(FormatKind.JSONL)
        return replace(data, path=target, size=target.stat().st_size, format=form, conversion=None)

    def _on_progress(self, done: int, total: int) -> None:
        """Show how much of the table is written; called in a worker thread."""
        if self._is_stopped.is_set():
            raise _Stopped
        text = _("{done} of {total}").format(done=size(done), total=size(total))
        self._loop.call_soon_threadsafe(self._dialog.show_progress, text, done / total if total else None)


class _Stopped(Exception):
    """The dialog was closed while the file was being written."""


def _used_columns(fields: Sequence[str]) -> str:
    text = ngettext(
        "{count} column, the field of the schema; other columns stay on this computer.",
        "{count} columns, the fields of the schema; other columns stay on this computer.",
        len(fields),
    )
    return text.format(count=number(len(fields)))


def _notify(context: StageContext, path: Path) -> None:
    text = _("{name} contains everything that is needed on another computer.").format(name=path.name)

    def open_folder() -> None:
        open_file(context.notices, path.parent)

    context.notices.show_notice(
        Notice(NoticeSeverity.SUCCESS, _("Saved with data"), text, _("Open folder"), open_folder)
    )
