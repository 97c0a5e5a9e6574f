"""The files of a study: new, open, save, export, close, and what lies on the way to losing nothing."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.file_types import STUDIES, TABLES, FileType, rejection, type_of
from batchwright.layout.model import Layout, Page
from batchwright.layout.serialization import random_keys
from batchwright.local.projects import DataFile, Project
from batchwright.local.recent_studies import Recent, Recents, recent_of
from batchwright.local.study_file import StudyFile, has_changed
from batchwright.ui.core.formatting import number
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.windows import Windows
from batchwright.ui.study.file_dialogs import UnsavedChangesDialog, UnsavedChoice
from batchwright.ui.study.save import UNTITLED, StudySaver, load_study
from batchwright.ui.study.study_model import Study
from batchwright.ui.study.templates import study_from_folder
from batchwright.ui.widgets.file_dialogs import DATA_FILE_FILTER, FileChooser
from batchwright.ui.widgets.notices import Toast, ToastSeverity

if TYPE_CHECKING:  # the register is not needed before somebody exports it
    from batchwright.local.id_registry import IdRegistry

_MINUTE = timedelta(minutes=1)
_STAGES_OF_STUDY = frozenset({"data", "layout", "run", "results"})
STUDY_FILTER = N_("Studies (*.batchwright *.json)")


class StudyFileCommands(QObject):
    """What can be done with the file of a window's study. Nothing unsaved is lost without a question."""

    recents_changed = Signal()

    def __init__(
        self, frame: StageContext, study: Study, recents: Recents, dialogs: FileChooser, windows: Windows
    ) -> None:
        super().__init__(frame.window)
        self._context, self.study, self._recents, self._dialogs = frame, study, recents, dialogs
        self._windows = windows
        self._saver = StudySaver(frame, study, dialogs, self._is_open_elsewhere)
        self._notified_file: StudyFile | None = None
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application_state_changed)
        self._recent: tuple[Recent, ...] = ()
        self._last_status: _BatchStatus | None = None
        study.batch_seen.connect(self._on_batch_seen)

    @property
    def recents(self) -> tuple[Recent, ...]:
        """The studies opened lately, as `look_again` found them."""
        return self._recent

    async def refresh_recents(self) -> None:
        """Read the list of studies opened lately."""
        listed = await asyncio.to_thread(self._recents.all)
        if listed != self._recent:
            self._recent = listed
            self.recents_changed.emit()

    async def new(self) -> None:
        """Begin an empty study."""
        await self.open_new(Project(_(UNTITLED), _layout_with_one_page()), stage="data", is_new=True)

    async def open_new(self, project: Project, stage: str, *, is_new: bool = False) -> None:
        """Open a study that has no file yet; `is_new` when nothing of it was there before."""
        if await self.may_leave():
            self.study.open(project, None, is_saved=False, is_new=is_new)
            self._context.shell.set_stage(stage)

    async def ask_open(self) -> None:
        """Open a study that the person chooses."""
        path = await self._dialogs.file_to_open(_("Open a study"), (_(STUDY_FILTER), _(DATA_FILE_FILTER)))
        if path is not None:
            await self.open(path)

    async def ask_open_data(self) -> None:
        """Begin a study with a data file that the person chooses."""
        path = await self._dialogs.file_to_open(_("Open a data file"), (_(DATA_FILE_FILTER),))
        if path is not None:
            await self.open(path)

    async def open(self, path: Path) -> None:
        """Open a study, a plain layout file, or a new study with a data file or a folder.

        A study that another window has open is shown there.

        Raises:
            NotAProject: the file or folder holds no study.
            Unreadable: it is of a type that cannot be opened, which the text names.
            OSError: it cannot be read.
        """
        path = Path(await asyncio.to_thread(os.path.realpath, path))
        if self.show_elsewhere(path):
            return
        type = await asyncio.to_thread(type_of, path)
        if type is FileType.FOLDER:
            await self.open_new(await study_from_folder(path), stage="layout")
        elif type in TABLES:
            data = await asyncio.to_thread(_data_file, path)
            name = without_lone_surrogates(path.stem)
            await self.open_new(Project(name, _layout_with_one_page(), data=data), stage="data", is_new=True)
        elif type in STUDIES:
            await self._open_study(path)
        else:
            raise rejection(type, path.name)

    async def check(self, path: Path) -> None:
        """Read a file or folder as `open` does, and show nothing of it.

        Raises:
            what `open` raises.
        """
        path = Path(await asyncio.to_thread(os.path.realpath, path))
        type = await asyncio.to_thread(type_of, path)
        if type is FileType.FOLDER:
            await study_from_folder(path)
        elif type in TABLES:
            await asyncio.to_thread(_data_file, path)
        elif type in STUDIES:
            await load_study(path)
        else:
            raise rejection(type, path.name)

    async def open_dropped(self, paths: Sequence[Path]) -> None:
        """Open what was dropped on the window; a table goes to the study whose stage is shown.

        Raises:
            what `open` raises.
        """
        if len(paths) > 1:
            title = ngettext("{count} file was dropped", "{count} files were dropped", len(paths))
            line = _("Drop one at a time.")
            self._context.toasts.show_toast(
                Toast(ToastSeverity.ADVICE, title.format(count=number(len(paths))), line)
            )
        for path in paths if len(paths) == 1 else ():
            is_for_study = self.study.is_open and self._context.shell.stage in _STAGES_OF_STUDY
            if is_for_study and await asyncio.to_thread(type_of, path) in TABLES:
                self._context.shell.set_stage("data")
                self.study.data_file_offered.emit(path)
            else:
                await self.open(path)

    def show_elsewhere(self, path: Path) -> bool:
        """Bring the other window to the front that has a file open; False without one."""
        return self._windows.show_file(path, besides=self._context.window)

    def _is_open_elsewhere(self, path: Path) -> bool:
        return self._windows.has_file(path, besides=self._context.window)

    async def _open_study(self, path: Path) -> None:
        self._context.shell.set_hint(_("Opening “{name}”…").format(name=path.name))
        try:
            opened = await load_study(path)
        finally:
            self._context.shell.set_hint("")
        # Another window may have opened it while it was read here, or while the person was asked.
        if await self.may_leave() and not self.show_elsewhere(path):
            self.study.open(opened.project, opened.file, checker=opened.checker)
            self._context.shell.set_stage("layout" if opened.project.layout.pages else "data")
            await self._record_recent()

    async def save(self) -> bool:
        """Save the study to its file, which is asked for where it has none; False when that was given up."""
        return await self._record_after(self._saver.save)

    async def save_as(self) -> bool:
        """Save the study to a file that the person chooses; False when that was given up."""
        return await self._record_after(self._saver.save_as)

    async def export_layout(self) -> None:
        """Write the layout alone to a file that the person chooses."""
        await self._saver.export_layout()

    async def export_register(self, register: "IdRegistry") -> None:
        """Write every id that was made or seen to a file that the person chooses."""
        from batchwright.ui.study.file_registration import export_register

        await export_register(self._context, register, self._dialogs)

    async def close(self) -> None:
        """Have no study, and show Home."""
        if await self.may_leave():
            self._context.shell.set_stage("home")
            self.study.close()

    async def may_leave(self) -> bool:
        """Whether the study can be left: it is saved, or the person saves it now or lets it go."""
        if not self.study.is_open or self.study.is_saved:
            return True
        answer = await UnsavedChangesDialog(self._title).answer(self._context.window)
        return answer is UnsavedChoice.DISCARD or (answer is UnsavedChoice.SAVE and await self.save())

    @property
    def _title(self) -> str:
        """What people know the study by: its file, or its name while it has none."""
        return self.study.path.name if self.study.path else self.study.project.name or _(UNTITLED)

    async def check_disk(self) -> None:
        """Tell, once, when something else stands in the study's file than was last read or written."""
        file = self.study.file
        if file is None or file == self._notified_file:
            return
        if not await asyncio.to_thread(_has_changed_on_disk, file):
            return
        if file == self.study.file:  # else it was saved meanwhile
            self._notified_file = file
            self._context.toasts.show_toast(self._changed_notice(file.path))

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        """Look at the disk when the person comes back from another program."""
        if state is Qt.ApplicationState.ApplicationActive and self.study.file is not None:
            self._context.tasks.start("look at the file of the study", self.check_disk)

    def _changed_notice(self, path: Path) -> Toast:
        return Toast(
            ToastSeverity.ADVICE,
            _("“{name}” has changed on the disk").format(name=path.name),
            _("Another program, or another window, has written it. Here it is as it was."),
            _("Load it"),
            lambda: self._context.tasks.start("load what is on the disk", lambda: self._load(path)),
        )

    async def _load(self, path: Path) -> None:
        """Load what is on the disk; where that would lose something, saving asks what is to become of it."""
        if path != self.study.path:
            return
        if self.study.is_saved:
            await self._saver.load_theirs(path)
        else:
            await self.save()

    def forget_recent(self, recent: Recent) -> None:
        """Take a study out of the list of those opened lately."""

        async def forget() -> None:
            await asyncio.to_thread(self._recents.forget, recent.path)
            await self.refresh_recents()

        self._context.tasks.start("forget a study", forget)

    async def _record_after(self, save: Callable[[], Awaitable[bool]]) -> bool:
        before = self.study.file
        is_saved = await save()
        if self.study.file != before:
            await self._record_recent()
        return is_saved

    async def _record_recent(self) -> None:
        from batchwright.layout.rules import Severity

        study = self.study
        if study.path is None:
            return
        errors = sum(problem.severity is Severity.ERROR for problem in study.problems)
        batches = [name for name, remote in study.project.remotes.items() if remote.batch_id]
        recent = recent_of(study.path, study.project.name, errors, batches[0] if batches else None)
        await asyncio.to_thread(self._recents.save, self._with_last_status(recent))
        await self.refresh_recents()

    async def _record_last_status(self) -> None:
        kept = None
        while (
            sight := self._last_status
        ) is not None and sight is not kept:  # it may be seen again meanwhile
            kept, path = sight, self.study.path
            if path is not None and sight.opening == self.study.opening:
                with suppress(OSError):  # a mere look is no reason to tell of it
                    await asyncio.to_thread(self._recents.record, path, sight.at, sight.state, sight.seen_at)
                    await self.refresh_recents()

    def _with_last_status(self, recent: Recent) -> Recent:
        """With how its batch was seen last: now, or before it was opened."""
        sight = self._last_status
        if sight is not None and sight.opening == self.study.opening:
            return replace(recent, batch_at=sight.at, batch_state=sight.state, seen_at=sight.seen_at)
        for before in self._recent:
            if (before.path, before.batch_at) == (recent.path, recent.batch_at):
                return replace(recent, batch_state=before.batch_state, seen_at=before.seen_at)
        return recent

    def _on_batch_seen(self, connection: str, state: str) -> None:
        """Remember how the batch of the study stands, so that Home can tell; it may be looked at often."""
        sight = _BatchStatus(self.study.opening, connection, state, datetime.now(UTC))
        if self._last_status is None or sight.differs_from(self._last_status):
            self._last_status = sight
            self._context.tasks.start("remember the batch", self._record_last_status)


@dataclass(frozen=True)
class _BatchStatus:
    """How the batch of a study, known by its opening, was seen last, and where."""

    opening: int
    at: str
    state: str
    seen_at: datetime

    def differs_from(self, before: "_BatchStatus") -> bool:
        """Whether it says more than one that is kept, or a time that reads otherwise."""
        is_other = (self.opening, self.at, self.state) != (before.opening, before.at, before.state)
        return is_other or self.seen_at - before.seen_at >= _MINUTE


def _has_changed_on_disk(file: StudyFile) -> bool:
    try:
        return has_changed(file)
    except OSError:
        return False  # whoever saves or opens it is told


def _layout_with_one_page() -> Layout:
    """What a new study begins with: a page to put things on."""
    return Layout((Page(next(random_keys()), {}),))


def _data_file(path: Path) -> DataFile:
    from batchwright.data_files.sniffing import sniff

    return DataFile(path.resolve(), path.stat().st_size, sniff(path))
