"""The files of a study: new, open, save, export, close, and what lies on the way to losing nothing."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from batchwright.layout.files import LayoutFile, file_content
from batchwright.layout.model import Layout, Page
from batchwright.layout.reading import fresh_keys
from batchwright.layout.rules import Severity
from batchwright.local.projects import SUFFIX, DataFile, Project, read_project
from batchwright.local.recents import Recent, Recents, recent_of
from batchwright.local.whole_files import write_whole
from batchwright.tables.formats import Kind
from batchwright.tables.sniffing import sniff
from batchwright.ui.home.templates import study_in
from batchwright.ui.kit.buttons import Button
from batchwright.ui.kit.dialogs import Dialog
from batchwright.ui.kit.notices import Mood, Notice
from batchwright.ui.shell.stages import Frame
from batchwright.ui.study import Study
from batchwright.words import _

PROJECTS = _("Studies (*.batchwright *.json)")
DATA_FILES = _("Data files (*.csv *.jsonl)")
_STUDY = _("Study (*.batchwright)")
_LAYOUT = _("Layout (*.json)")
UNTITLED = _("Untitled study")


class AsksForFiles(Protocol):
    """What asks a person for files (`kit.file_dialogs`)."""

    async def file_to_open(self, title: str, kinds: tuple[str, ...]) -> Path | None:
        """A file that exists."""

    async def file_to_save(self, title: str, kinds: tuple[str, ...], proposed: Path) -> Path | None:
        """A place for a file."""


class Files(QObject):
    """What can be done with the file of a window's study. Nothing unsaved is lost without a question."""

    recents_changed = Signal()

    def __init__(self, frame: Frame, study: Study, recents: Recents, dialogs: AsksForFiles) -> None:
        super().__init__(frame.host)
        self._frame, self.study, self._recents, self._dialogs = frame, study, recents, dialogs
        self._listed: tuple[Recent, ...] = ()

    @property
    def recents(self) -> tuple[Recent, ...]:
        """The studies opened lately, as `look_again` found them."""
        return self._listed

    async def look_again(self) -> None:
        """Read the list of studies opened lately."""
        listed = await asyncio.to_thread(self._recents.all)
        if listed != self._listed:
            self._listed = listed
            self.recents_changed.emit()

    async def new(self) -> None:
        """Begin an empty study."""
        await self.begin(Project(UNTITLED, _one_page()), stage="data")

    async def begin(self, project: Project, stage: str) -> None:
        """Open a study that has no file yet."""
        if await self.may_leave():
            self.study.open(project, None, is_saved=False)
            self._frame.shell.set_stage(stage)

    async def ask_open(self) -> None:
        """Open a study that the person chooses."""
        path = await self._dialogs.file_to_open(_("Open a study"), (PROJECTS, DATA_FILES))
        if path is not None:
            await self.open(path)

    async def ask_data(self) -> None:
        """Begin a study with a data file that the person chooses."""
        path = await self._dialogs.file_to_open(_("Open a data file"), (DATA_FILES,))
        if path is not None:
            await self.open(path)

    async def open(self, path: Path) -> None:
        """Open a study, a plain layout file, or a new study with a data file or a folder.

        Raises:
            NotAProject: the file or folder holds no study.
            Unreadable: the file looks like data and is none.
            OSError: it cannot be read.
        """
        if await asyncio.to_thread(path.is_dir):
            await self.begin(await study_in(path), stage="layout")
            return
        if Kind.of(path.name) is not None:
            data = await asyncio.to_thread(_data_file, path)
            await self.begin(Project(path.stem, _one_page(), data=data), stage="data")
            return
        project = await asyncio.to_thread(_read, path)
        if path.suffix != SUFFIX:
            await self.begin(_named(project, path.stem), stage="layout")
        elif await self.may_leave():
            self.study.open(project, path)
            self._frame.shell.set_stage("layout" if project.layout.pages else "data")
            await self._remember()

    async def save(self) -> bool:
        """Save the study to its file, which is asked for where it has none; False when that was given up."""
        if self.study.path is None:
            return await self.save_as()
        await self.study.save()
        await self._remember()
        return True

    async def save_as(self) -> bool:
        """Save the study to a file that the person chooses; False when that was given up."""
        before = self.study.path
        proposed = before or Path(f"{self.study.project.name or UNTITLED}{SUFFIX}")
        path = await self._dialogs.file_to_save(_("Save the study"), (_STUDY,), proposed)
        if path is None:
            return False
        path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
        if before is None and self.study.project.name in {"", UNTITLED}:
            self.study.set_name(path.stem)
        await self.study.save(path)
        await self._remember()
        return True

    async def export_layout(self) -> None:
        """Write the layout alone, as the official command-line client reads it (D12)."""
        proposed = Path(f"{self.study.project.name}.json")
        path = await self._dialogs.file_to_save(_("Export the layout"), (_LAYOUT,), proposed)
        if path is not None:
            layout = self.study.layout
            await asyncio.to_thread(lambda: write_whole(path, file_content(LayoutFile(layout))))
            self._frame.notices.tell(Notice(Mood.DONE, _("Layout exported"), str(path)))

    async def close(self) -> None:
        """Have no study, and show Home."""
        if await self.may_leave():
            self._frame.shell.set_stage("home")
            self.study.close()

    async def may_leave(self) -> bool:
        """Whether the study can be left: it is saved, or the person saves it now or lets it go."""
        if not self.study.is_open or self.study.is_saved:
            return True
        question = LeaveQuestion(self.study.project.name)
        if await question.ask(self._frame.host):
            return await self.save()
        return question.lets_go

    def forget(self, recent: Recent) -> None:
        """Take a study out of the list of those opened lately."""

        async def forget() -> None:
            await asyncio.to_thread(self._recents.forget, recent.path)
            await self.look_again()

        self._frame.tasks.start("forget a study", forget)

    async def _remember(self) -> None:
        study = self.study
        if study.path is None:
            return
        errors = sum(problem.severity is Severity.ERROR for problem in study.problems)
        batches = [name for name, remote in study.project.remotes.items() if remote.batch_id]
        recent = recent_of(study.path, study.project.name, errors, batches[0] if batches else None)
        await asyncio.to_thread(self._recents.keep, recent)
        await self.look_again()


class LeaveQuestion(Dialog):
    """Asks what is to become of a study that is not saved."""

    def __init__(self, name: str) -> None:
        super().__init__(
            _("Save “{name}” first?").format(name=name or UNTITLED),
            _("What has changed since it was last saved would be lost."),
            _("Save"),
        )
        self.lets_go = False
        let_go = Button(_("Do not save"))
        let_go.clicked.connect(self._let_go)
        self.put_aside(let_go)

    def _let_go(self) -> None:
        self.lets_go = True
        self.reject()


def _read(path: Path) -> Project:
    return read_project(path.read_bytes(), path.resolve().parent)


def _one_page() -> Layout:
    """What a new study begins with: a page to put things on."""
    return Layout((Page(next(fresh_keys()), {}),))


def _named(project: Project, name: str) -> Project:
    return project if project.name else replace(project, name=name)


def _data_file(path: Path) -> DataFile:
    return DataFile(path.resolve(), path.stat().st_size, sniff(path))
