"""File commands of a study: new, open, save, export and close, with the questions that prevent data loss."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_media import is_medium
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.file_types import SOURCES, STUDIES, TABLES, FileType, rejection, type_of
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.model import Layout, Page
from batchwright.layout.serialization import random_keys
from batchwright.local.paths import default_paths
from batchwright.local.projects import UNTITLED, DataFile, Project, StudyKind, study_name
from batchwright.local.recent_studies import Recent, Recents, recent_of
from batchwright.local.study_files.study_file import StudyFile, has_changed
from batchwright.ui.core.formatting import number
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.windows import OPENING, Windows
from batchwright.ui.study.file.file_watcher import FileWatcher
from batchwright.ui.study.file.save import LoadedStudy, OpenBindings, StudySaver, load_study
from batchwright.ui.study.file.study_dialogs import NewStudyDialog, UnsavedChangesDialog, UnsavedChoice
from batchwright.ui.study.problem_counts import count_problems
from batchwright.ui.study.study_model import Study
from batchwright.ui.study.templates import study_from_folder
from batchwright.ui.widgets.dialogs.file_dialogs import DATA_FILE_FILTER, FileChooser
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

if TYPE_CHECKING:  # imported only when the id registry is exported
    from batchwright.local.id_registry import IdRegistry
    from batchwright.local.library import LibraryEntry

_MINUTE = timedelta(minutes=1)
_FILE_CHANGED = "study file changed"
_STAGES_OF_STUDY = frozenset({"data", "layout", "run", "results"})
STUDY_FILTER = N_("Studies (*.batchwright *.json *.yaml *.yml)")


class StudyFileCommands(QObject):
    """The file commands of a window. They ask before unsaved changes would be lost."""

    recents_changed = Signal()
    templates_found = Signal(object)
    """A study was opened whose file, of this path, has templates or blocks, too."""

    def __init__(
        self,
        context: StageContext,
        study: Study,
        recents: Recents,
        dialogs: FileChooser,
        windows: Windows,
        open_bindings: OpenBindings,
    ) -> None:
        super().__init__(context.window)
        self._context, self.study, self._recents, self._dialogs = context, study, recents, dialogs
        self._windows = windows
        self._saver = StudySaver(context, study, dialogs, self._is_open_elsewhere, open_bindings)
        self._notified_file: StudyFile | None = None
        """The state of the study's file before the change that the notice is about."""
        FileWatcher(study, self).changed.connect(self._start_check)
        study.saved_changed.connect(self._on_saved_changed)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application_state_changed)
        self._recent: tuple[Recent, ...] = ()
        self._last_status: _BatchStatus | None = None
        study.batch_status_fetched.connect(self._on_batch_status_fetched)
        study.data_changed.connect(self._on_file_opened)

    @property
    def recents(self) -> tuple[Recent, ...]:
        """The recent studies, as of the last `refresh_recents`."""
        return self._recent

    async def refresh_recents(self) -> None:
        """Read the list of recent studies."""
        listed = await asyncio.to_thread(self._recents.all)
        if listed != self._recent:
            self._recent = listed
            self.recents_changed.emit()

    def refresh_recents_soon(self) -> None:
        """Read the list of recent studies in the background."""
        self._context.tasks.start("read the recent studies", self.refresh_recents)

    async def new(self) -> None:
        """Create an empty study: ask whether it is a batch or a collection."""
        kind = await NewStudyDialog().choose(self._context.window)
        if kind is not None:
            await self.create(kind)

    async def create(self, kind: StudyKind) -> None:
        """Create an empty study of this kind."""
        project = Project(UNTITLED, _layout_with_one_page(), kind=kind)
        stage = "data" if kind is StudyKind.BATCH else "layout"
        await self.open_new(project, stage=stage, is_new=True)

    async def open_new(self, project: Project, stage: str, *, is_new: bool = False) -> None:
        """Open a study that has no file; `is_new` if the user is about to create its content."""
        if await self.maybe_save():
            self.study.open(project, None, is_saved=False, is_new=is_new)
            self._context.shell.set_stage(stage)

    async def choose_and_open(self) -> None:
        """Show the file dialog and open the chosen study."""
        path = await self._dialogs.file_to_open(_("Open a study"), (_(STUDY_FILTER), _(DATA_FILE_FILTER)))
        if path is not None:
            await self.open(path)

    async def choose_and_open_data(self) -> None:
        """Show the file dialog and create a study with the chosen data file."""
        path = await self._dialogs.file_to_open(_("Open a data file"), (_(DATA_FILE_FILTER),))
        if path is not None:
            await self.open(path)

    async def open(self, path: Path) -> None:
        """Open a study or a plain layout file, or create a study from a data file or a folder.

        If another window has the study open, that window is shown instead, and this one is closed if it only
        shows Home.

        Raises:
            NotAProject: the file or folder does not contain a study.
            Unreadable: files of this type cannot be opened.
            OSError: it cannot be read.
        """
        path = Path(await asyncio.to_thread(os.path.realpath, path))
        if self.show_elsewhere(path):
            if not self.study.is_open and self._context.shell.stage == "home":
                self._context.window.close()
            return
        type = await asyncio.to_thread(type_of, path)
        if type is FileType.FOLDER:
            await self.open_new(await study_from_folder(path), stage="layout")
        elif type in TABLES:
            data = await asyncio.to_thread(_data_file, path, type)
            name = without_lone_surrogates(path.stem)
            await self.open_new(Project(name, _layout_with_one_page(), data=data), stage="data", is_new=True)
        elif type in STUDIES:
            await self._open_study(path)
        else:
            raise rejection(type, path.name)

    async def check(self, path: Path) -> None:
        """Read a file or folder like `open`, without opening it.

        Raises:
            NotAProject, Unreadable, OSError: as in `open`.
        """
        path = Path(await asyncio.to_thread(os.path.realpath, path))
        type = await asyncio.to_thread(type_of, path)
        if type is FileType.FOLDER:
            await study_from_folder(path)
        elif type in TABLES:
            await asyncio.to_thread(_data_file, path, type)
        elif type in STUDIES:
            await load_study(path)
        else:
            raise rejection(type, path.name)

    async def open_dropped(self, paths: Sequence[Path]) -> None:
        """Open a dropped file, or a new study from several pictures, recordings or videos.

        If a stage of a study is shown, a data file is added to that study.

        Raises:
            NotAProject, Unreadable, OSError: as in `open`.
        """
        are_media = all(is_medium(path.name) for path in paths)
        if are_media and (len(paths) > 1 or self._context.shell.stage == "home"):
            await self._open_media(paths)
        elif len(paths) > 1:
            title = ngettext("{count} file was dropped", "{count} files were dropped", len(paths))
            text = _("Drop one at a time, or several pictures, recordings or videos.")
            self._context.notices.show_notice(
                Notice(NoticeSeverity.WARNING, title.format(count=number(len(paths))), text)
            )
        for path in paths if len(paths) == 1 else ():
            if self._is_at_study and await asyncio.to_thread(type_of, path) in TABLES:
                self._offer_to_study(path)
            else:
                await self.open(path)

    @property
    def _is_at_study(self) -> bool:
        """Whether a stage of a study that can have a data file is shown."""
        has_data = self.study.is_open and not self.study.is_collection
        return has_data and self._context.shell.stage in _STAGES_OF_STUDY

    def _offer_to_study(self, path: Path, conversion: Conversion | None = None) -> None:
        """Make a table the data file of the study; Data asks first if it replaces another one."""
        self._context.shell.set_stage("data")
        self.study.offer_file(path, conversion)

    async def _open_media(self, paths: Sequence[Path]) -> None:
        from batchwright.data_files.sources.media_folder import select_files

        folder, options = await asyncio.to_thread(select_files, paths)
        if self._is_at_study:
            self._offer_to_study(folder, Conversion(options))
            return
        data = DataFile(folder, 0, Format(FormatKind.JSONL), conversion=Conversion(options))
        name = without_lone_surrogates(folder.name)
        await self.open_new(Project(name, _layout_with_one_page(), data=data), stage="data", is_new=True)

    async def open_pasted(self, html: str, text: str) -> None:
        """Open a table that was copied or dragged from another program.

        At a stage of a study it becomes the data file of that study, otherwise of a new one.

        Raises:
            UnreadableFile: there is no table, or it is too large.
            OSError: it cannot be saved.
        """
        from batchwright.local.pasted_tables import FOLDER, save_pasted_table

        folder = default_paths().data / FOLDER
        path = await asyncio.to_thread(save_pasted_table, folder, html, text, datetime.now())
        if self._is_at_study:
            self._offer_to_study(path)
        else:
            await self.open(path)

    async def show_open(self, path: Path) -> bool:
        """Raise the other window that has this file open, also by another name; False if there is none."""
        return self.show_elsewhere(Path(await asyncio.to_thread(os.path.realpath, path)))

    def show_elsewhere(self, path: Path) -> bool:
        """Raise the other window that has this file open; False if there is none."""
        return self._windows.show_file(path, except_window=self._context.window)

    def _is_open_elsewhere(self, path: Path) -> bool:
        return self._windows.has_file(path, except_window=self._context.window)

    async def _open_study(self, path: Path) -> None:
        self._context.shell.set_hint(_("Opening “{name}”…").format(name=path.name))
        try:
            opened = await self._saver.load(path)
        finally:
            self._context.shell.set_hint("")
        # Another window may have opened it while it was read, or while the user was asked.
        if not await self.maybe_save() or self.show_elsewhere(path):
            return
        if not await self._is_open_as_saved(path):
            self.study.open(opened.project, opened.file, checker=opened.checker)
            self._notify_of_archive(opened)
        shown_stage = self._context.shell.stage
        await asyncio.sleep(0)  # the stages update their widgets before one of them is shown and painted
        if self._context.shell.stage == shown_stage:  # otherwise the user has chosen one in the meantime
            shows_layout = self.study.layout.pages or self.study.is_collection
            self._context.shell.set_stage("layout" if shows_layout else "data")
        await self._record_recent()

    async def _is_open_as_saved(self, path: Path) -> bool:
        """Whether the open study is that of a file, perhaps just saved, without changes in either."""
        async with self._saver.lock:
            file = self.study.file
            if file is None or file.path != path or not self.study.is_saved:
                return False
            return not await asyncio.to_thread(_has_changed_on_disk, file)

    def _notify_of_archive(self, opened: LoadedStudy) -> None:
        """Say what the user should know about a study that was saved with its data."""
        if opened.file.table_was_replaced:
            title = _("The table in “{name}” was replaced").format(name=opened.file.path.name)
            text = _("It is not the one that the study was saved with. Check the data before you upload it.")
            self._context.notices.show_notice(Notice(NoticeSeverity.WARNING, title, text))
        if opened.file.has_templates:
            self.templates_found.emit(opened.file.path)

    async def save(self) -> bool:
        """Save the study to its file, or ask for one; False if the user cancelled."""
        return await self._record_after(self._saver.save)

    async def save_as(self) -> bool:
        """Ask for a file and save the study to it; False if the user cancelled."""
        return await self._record_after(self._saver.save_as)

    async def save_with_data(self, templates: "Sequence[LibraryEntry]") -> None:
        """Ask for a file and save a copy of the study with its data, and perhaps with templates, to it."""
        from batchwright.ui.study.file.save_with_data import save_with_data

        await save_with_data(self._context, self.study, templates, self._saver.choose_file_for_copy)

    async def export_layout(self) -> None:
        """Ask for a file and write the layout to it."""
        await self._saver.export_layout()

    async def export_register(self, register: "IdRegistry") -> None:
        """Ask for a file and write the id registry to it."""
        from batchwright.ui.study.file.save import export_register

        await export_register(self._context, register, self._dialogs)

    async def choose_file_for_copy(self, title: str) -> Path | None:
        """Ask for a file for a recovery copy that cannot be opened."""
        return await self._saver.choose_file_for_copy(title)

    async def convert(self) -> None:
        """Open a copy of the study as the other kind, after showing what the copy will not have."""
        from batchwright.ui.study.file.conversion import ConversionDialog, converted

        project = self.study.project
        if await ConversionDialog(project).ask(self._context.window):
            await self.open_new(converted(project), stage="layout")

    async def close(self) -> None:
        """Close the study and show Home."""
        if await self.maybe_save():
            self._context.shell.set_stage("home")
            self.study.close()

    async def maybe_save(self) -> bool:
        """Ask about unsaved changes, if any; False if the user cancelled or saving failed."""
        if not self.study.is_open or self.study.is_saved:
            return True
        choice = await UnsavedChangesDialog(self._title).choose(self._context.window)
        return choice is UnsavedChoice.DISCARD or (choice is UnsavedChoice.SAVE and await self.save())

    @property
    def _title(self) -> str:
        """The file name of the study, or its name if it has no file."""
        return self.study.path.name if self.study.path else study_name(self.study.project)

    async def check_disk(self) -> None:
        """Show a notice while the study's file has been changed by another program."""
        async with self._saver.lock:  # the file of a save that has not ended is not a change by others
            file = self.study.file
            has_changed = file is not None and await asyncio.to_thread(_has_changed_on_disk, file)
        if file is None or file != self.study.file:
            return
        if not has_changed:
            self._context.notices.dismiss((_FILE_CHANGED,))
            self._notified_file = None
        elif file != self._notified_file:
            self._notified_file = file
            self._context.notices.show_notice(self._file_changed_notice(file.path))

    def _start_check(self) -> None:
        if self.study.file is not None:
            self._context.tasks.start("check the study file", self.check_disk)

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        """Check the file when the user returns from another program: some folders cannot be watched."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._start_check()

    def _on_saved_changed(self) -> None:
        """Close the notice about a changed file after the study was saved, loaded again or closed."""
        if self._notified_file is not None and self.study.file != self._notified_file:
            self._notified_file = None
            self._context.notices.dismiss((_FILE_CHANGED,))

    def _file_changed_notice(self, path: Path) -> Notice:
        tasks = self._context.tasks
        return Notice(
            NoticeSeverity.WARNING,
            _("“{name}” has changed on the disk").format(name=path.name),
            _("It was changed by another program or window. You still see the earlier version."),
            _("Show the difference"),
            lambda: tasks.start("compare the study file", self._show_difference),
            _("Reload"),
            lambda: tasks.start("reload the study file", lambda: self._reload(path)),
            topic=_FILE_CHANGED,
            stays=True,
        )

    async def _show_difference(self) -> None:
        """Add what is in the file to the versions, and compare it with the study there."""
        self._notified_file = None  # the notice is shown again when the user returns
        await self._saver.show_difference()

    async def _reload(self, path: Path) -> None:
        """Reload the file. With unsaved changes, save instead, which asks which version to keep."""
        if path != self.study.path:
            return
        if self.study.is_saved:
            await self._saver.reload(path)
        else:
            await self.save()

    def remove_recent(self, recent: Recent) -> None:
        """Remove a study from the recent studies."""

        async def remove() -> None:
            await asyncio.to_thread(self._recents.remove, recent.path)
            await self.refresh_recents()

        self._context.tasks.start("remove a recent study", remove)

    async def _record_after(self, save: Callable[[], Awaitable[bool]]) -> bool:
        before = self.study.file
        is_saved = await save()
        if self.study.file != before:
            await self._record_recent()
        return is_saved

    async def _record_recent(self) -> None:
        study = self.study
        if study.path is None:
            return
        errors = count_problems(study.problems).errors
        recent = recent_of(study.path, study.project, errors)
        await self._update_recents(partial(self._recents.save, self._with_last_status(recent)))

    async def _update_recents(self, update: Callable[[], None]) -> None:
        """Change the list of recent studies. Only Home shows it, so failures are not reported."""
        with suppress(OSError):
            await asyncio.to_thread(update)
            await self.refresh_recents()

    async def _record_last_status(self) -> None:
        recorded = None
        while (status := self._last_status) is not None and status is not recorded:  # it may change meanwhile
            recorded, path = status, self.study.path
            if path is not None and status.opening == self.study.opening:
                await self._update_recents(
                    partial(self._recents.record, path, status.connection, status.state, status.fetched_at)
                )

    def _with_last_status(self, recent: Recent) -> Recent:
        """The entry with the last known status of its batch, from now or from an earlier run."""
        status = self._last_status
        if status is not None and status.opening == self.study.opening:
            return replace(
                recent, batch_at=status.connection, batch_state=status.state, seen_at=status.fetched_at
            )
        for before in self._recent:
            if (before.path, before.batch_at) == (recent.path, recent.batch_at):
                return replace(recent, batch_state=before.batch_state, seen_at=before.seen_at)
        return recent

    def _on_file_opened(self) -> None:
        """Close the notices about files that were not opened: the user has found another one."""
        if self.study.is_open:
            self._context.notices.dismiss((OPENING,))

    def _on_batch_status_fetched(self, connection: str, state: str) -> None:
        """Record the status of the study's batch for Home.

        Called at every poll, so equal ones are skipped.
        """
        status = _BatchStatus(self.study.opening, connection, state, datetime.now(UTC))
        if self._last_status is None or status.differs_from(self._last_status):
            self._last_status = status
            self._context.tasks.start("record the batch status", self._record_last_status)


@dataclass(frozen=True)
class _BatchStatus:
    """The last known status of a study's batch; `opening` identifies the study."""

    opening: int
    connection: str
    state: str
    fetched_at: datetime

    def differs_from(self, before: "_BatchStatus") -> bool:
        """Whether it differs from an earlier one, or is at least a minute newer."""
        is_different = (self.opening, self.connection, self.state) != (
            before.opening,
            before.connection,
            before.state,
        )
        return is_different or self.fetched_at - before.fetched_at >= _MINUTE


def _has_changed_on_disk(file: StudyFile) -> bool:
    try:
        return has_changed(file)
    except OSError:
        return False  # saving or opening it reports the error


def _layout_with_one_page() -> Layout:
    """The layout of a new study: one empty page."""
    return Layout((Page(next(random_keys()), {}),))


def _data_file(path: Path, type: FileType) -> DataFile:
    from batchwright.data_files.text_rows.sniffing import sniff

    is_source = type in SOURCES
    return DataFile(
        path.resolve(),
        0 if type is FileType.MEDIA_FOLDER else path.stat().st_size,
        Format(FormatKind.JSONL) if is_source else sniff(path),
        conversion=Conversion() if is_source else None,
    )
