"""Saving a study to its file or another one, with the questions that prevent data loss, and exports."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import to_json
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.file_types import YAML_SUFFIXES
from batchwright.layout.file_format import LayoutFile, file_content
from batchwright.local.id_registry import IdRegistry
from batchwright.local.projects import SUFFIX, UNTITLED, Project
from batchwright.local.study_files.collection_file import collection_content
from batchwright.local.study_files.file_bindings import FileBindings
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.study_file import (
    StudyFile,
    StudyFormat,
    content_on_disk,
    free_sibling_path,
    has_changed,
    loses_form,
    read_study,
    restore_data,
)
from batchwright.local.versions import NewVersion, VersionCause
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.checks import checker_for, count_items
from batchwright.ui.study.file.study_dialogs import (
    ConflictChoice,
    FileConflictDialog,
    PlainFileChoice,
    PlainFormatDialog,
    RewriteChoice,
    RewriteDialog,
    SaveFailedDialog,
    SaveFailureChoice,
)
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

if TYPE_CHECKING:  # the rules are not needed before a study is open
    from batchwright.layout.checking.validator import LayoutChecker

_log = logging.getLogger(__name__)

OpenBindings = Callable[[], Awaitable[FileBindings]]
ShowNotice = Callable[[Notice], object]

_STUDY_FILTER = N_("Study (*.batchwright)")
_LAYOUT_FILTER = N_("Layout (*.json)")
_COLLECTION_FILTERS = (N_("Collection as JSON (*.json)"), N_("Collection as YAML (*.yaml)"))


@dataclass(frozen=True)
class LoadedStudy:
    """A study read from its file, with its layout already checked."""

    project: Project
    file: StudyFile
    checker: "LayoutChecker"


async def load_study(path: Path) -> LoadedStudy:
    """Read a study file and check its layout in a worker thread.

    Raises:
        NotAProject: it is not a study, or was written by a newer version of Batchwright.
        OSError: it cannot be read.
    """
    return await asyncio.to_thread(_read, path)


class StudySaver:
    """Saves the study of a window. The methods return whether it is saved afterwards."""

    def __init__(
        self,
        context: StageContext,
        study: Study,
        dialogs: FileChooser,
        is_open_elsewhere: Callable[[Path], bool],
        open_bindings: OpenBindings,
    ) -> None:
        self._context, self._study, self._dialogs = context, study, dialogs
        self._is_open_elsewhere, self._open_bindings = is_open_elsewhere, open_bindings
        self._locations = SaveLocationMemory(study)
        self._numbers = count()
        self._rewritten: Path | None = None
        """The file whose text the user has agreed to rewrite."""
        self.lock = asyncio.Lock()
        """Serializes saving: a save must not take the file written by another one for a foreign change."""
        study.remote_changed.connect(self._on_remote_changed)

    async def save(self) -> bool:
        """Save to the study's file in its format, or ask for a file if it has none."""
        async with self.lock:
            return await self._save()

    async def save_as(self) -> bool:
        """Ask for a file and save the study to it."""
        async with self.lock:
            return await self._save_as()

    async def _save(self) -> bool:
        file, project = self._study.file, self._study.project
        if file is None:
            return await self._save_as()
        if file.as_saved(project) != project:
            choice = await PlainFormatDialog(file).choose(self._context.window)
            if choice is not PlainFileChoice.LAYOUT:
                return choice is PlainFileChoice.STUDY and await self._save_as()
        if self._rewritten != file.path and await asyncio.to_thread(loses_form, project, file):
            choice_of_form = await RewriteDialog(file.path).choose(self._context.window)
            if choice_of_form is RewriteChoice.EXPORT:
                await self._export_collection()
            if choice_of_form is not RewriteChoice.OVERWRITE:
                return False
            self._rewritten = file.path
        return await self._write(file, is_own=True)

    async def _save_as(self) -> bool:
        before, name = self._study.path, self._study.project.name
        sibling = before.with_suffix(SUFFIX) if before else None
        proposed = sibling or await self._locations.proposed(SUFFIX)
        path = await self._choose_file(_("Save the study"), proposed, self._context.notices.show_notice)
        if path is None:
            return False
        if before is None and name in {"", UNTITLED}:
            self._study.set_name_of_file(without_lone_surrogates(path.stem))
        file = StudyFile(path, format=await asyncio.to_thread(self._format_elsewhere))
        return await self._write(file, is_own=False)

    def _format_elsewhere(self) -> StudyFormat:
        """The format of a study in another file: with its data if its file is, unless they are missing."""
        file = self._study.file
        if file is None or file.format is not StudyFormat.ARCHIVE:
            return StudyFormat.STUDY
        return StudyFormat.ARCHIVE if restore_data(self._study.project, file) else StudyFormat.STUDY

    async def _choose_file(self, title: str, proposed: Path, show: ShowNotice) -> Path | None:
        """Ask for a file for a study; None if the user cancelled, or if another window has it open."""
        path = await self._dialogs.file_to_save(
            title,
            (_(_STUDY_FILTER),),
            proposed,
            lambda path: self._is_open_elsewhere(Path(os.path.realpath(path))),
            needs_suffix=True,
        )
        if path is None:
            return None
        path = Path(await asyncio.to_thread(os.path.realpath, path))
        if not self._is_open_elsewhere(path):
            return path
        title = _("“{name}” is open in another window").format(name=path.name)
        text = _("Close it there first, or save under another name.")
        show(Notice(NoticeSeverity.WARNING, title, text))
        return None

    async def choose_file_for_copy(self, title: str, show: ShowNotice | None = None) -> Path | None:
        """Ask for a file for the copy of a study; `show` shows why it cannot be used, if not the window."""
        proposed = await self._locations.proposed(SUFFIX, name=title)
        return await self._choose_file(
            _("Save the copy"), proposed, show or self._context.notices.show_notice
        )

    async def export_layout(self) -> None:
        """Ask for a file and write the layout in the format of the official command-line client.

        Raises:
            OSError: it cannot be written.
        """
        if self._study.is_collection:
            await self._export_collection()
            return
        proposed = await self._locations.proposed(".json", _("layout"))
        path = await self._dialogs.file_to_save(_("Export the layout"), (_(_LAYOUT_FILTER),), proposed)
        if path is not None:
            layout = self._study.layout
            await self._export(path, _("Layout exported"), lambda: file_content(LayoutFile(layout)))

    async def _export_collection(self) -> None:
        """Ask for a file and write the collection to it, as YAML if the file name says so."""
        filters = tuple(_(text) for text in _COLLECTION_FILTERS)
        proposed = await self._locations.proposed(".json", _("collection"))
        path = await self._dialogs.file_to_save(_("Save the pages"), filters, proposed)
        if path is not None:
            project, is_yaml = self._study.project, path.suffix.lower() in YAML_SUFFIXES
            await self._export(
                path, _("Pages saved"), lambda: collection_content(project, {}, as_yaml=is_yaml)
            )

    async def _export(self, path: Path, title: str, content: Callable[[], bytes]) -> None:
        self._locations.record(path)
        await asyncio.to_thread(lambda: write_atomically(path, content()))
        self._context.notices.show_notice(Notice(NoticeSeverity.SUCCESS, title, str(path)))

    async def reload(self, path: Path) -> None:
        """Replace the study by the content of its file.

        Raises:
            NotAProject: it is not a study any more.
            OSError: it cannot be read.
        """
        opened = await self.load(path)
        self._study.open(opened.project, opened.file, checker=opened.checker)

    async def _write(self, file: StudyFile, *, is_own: bool) -> bool:
        """Write to a file; ask first if it is the study's file and has changed on disk."""
        while True:
            try:
                if is_own and await asyncio.to_thread(has_changed, file):
                    chosen = await self._file_in_conflict(file)
                    if chosen is None:
                        return False
                    file = chosen
                is_own = False
                written = await self._study.save(file)
            except OSError as error:
                match await SaveFailedDialog(file.path, error).choose(self._context.window):
                    case SaveFailureChoice.ELSEWHERE:
                        return await self._save_as()
                    case None:
                        return False
            else:
                await self._store_bindings(written, file)
                return self._study.is_saved

    async def _file_in_conflict(self, file: StudyFile) -> StudyFile | None:
        """Ask which version to keep; returns the file to write, or None if nothing is to be saved now."""
        match await FileConflictDialog(file.path).choose(self._context.window):
            case ConflictChoice.SAVE_COPY:
                return await asyncio.to_thread(free_sibling_path, file)
            case ConflictChoice.OVERWRITE:
                await self._store_version_on_disk(file)
                return file
            case ConflictChoice.RELOAD:
                await self.reload(file.path)
            case ConflictChoice.COMPARE:
                await self.show_difference()
        return None

    async def show_difference(self) -> None:
        """Add what another program has written to the versions, and compare it with the study there.

        Raises:
            InvalidProjectFile: the file contains no study any more.
            OSError: it cannot be read.
        """
        if self._study.file is not None:
            self._study.version_created.emit(await self._version_on_disk(self._study.file))
            self._context.actions.run(ActionId.VERSIONS)

    async def _store_version_on_disk(self, file: StudyFile) -> None:
        """Add what another program has written to the versions, before it is overwritten."""
        with suppress(InvalidProjectFile, OSError):  # it is no study, so there is no version of it
            self._study.version_created.emit(await self._version_on_disk(file))

    async def _version_on_disk(self, file: StudyFile) -> NewVersion:
        project = self._study.project
        saved = self._study.saved_layout
        content = await asyncio.to_thread(content_on_disk, file, project, saved)
        return NewVersion(project.study_id, VersionCause.ON_DISK, content)

    async def load(self, path: Path) -> LoadedStudy:
        """Read a study file like `load_study`, and the ids that are stored outside of it."""
        loaded = await load_study(path)
        if not loaded.file.has_bindings_elsewhere:
            return loaded
        try:
            bindings = await self._open_bindings()
            project = await asyncio.to_thread(bindings.restore, loaded.project, loaded.file)
        except Exception:  # the file itself can be opened
            _log.exception("The ids of the study were not read")
            return loaded
        return replace(loaded, project=project)

    def _on_remote_changed(self) -> None:
        """Store ids of a service at once where they are no part of the file, which need not be saved then."""
        file = self._study.file
        if file is not None and file.has_bindings_elsewhere and self._study.has_new_bindings:
            self._context.tasks.start(
                f"store the ids of the study {next(self._numbers)}", self._store_new_ids
            )

    async def _store_new_ids(self) -> None:
        async with self.lock:  # the latest ids are stored last
            if self._study.file is not None and self._study.has_new_bindings:
                await self._store_bindings(self._study.project, self._study.file)

    async def _store_bindings(self, project: Project, file: StudyFile) -> None:
        """Store the ids that the file cannot contain. An error is reported, but the file has been saved."""
        if not file.has_bindings_elsewhere:
            return
        try:
            bindings = await self._open_bindings()
            await asyncio.to_thread(bindings.store, project, file)
        except Exception as error:
            _log.exception("The ids of the study were not stored")
            message = self._context.tasks.message(error)
            texts = (
                _("The file was saved, but when it is opened again, it is not known which collection it is."),
                message.what,
                message.remedy,
            )
            title, text = _("The id of the collection was not stored"), " ".join(filter(None, texts))
            self._context.notices.show_notice(Notice(NoticeSeverity.WARNING, title, text))


def _read(path: Path) -> LoadedStudy:
    project, file = read_study(path)
    checker = checker_for(project)
    checker.check(project.layout)
    count_items(project.layout)
    return LoadedStudy(project, file, checker)


_FILE = N_("Register (*.json)")


async def export_register(context: StageContext, register: IdRegistry, dialogs: FileChooser) -> None:
    """Ask for a file and write every recorded id to it.

    Raises:
        OSError: it cannot be written.
    """
    proposed = Path(_("Batchwright register.json"))
    path = await dialogs.file_to_save(_("Export the register"), (_(_FILE),), proposed)
    if path is None:
        return
    count = await asyncio.to_thread(_write, register, path)
    title = ngettext("Register exported: {count} id", "Register exported: {count} ids", count)
    context.notices.show_notice(Notice(NoticeSeverity.SUCCESS, title.format(count=count), str(path)))


def _write(register: IdRegistry, path: Path) -> int:
    entries = register.exported()
    write_atomically(path, f"{to_json(entries, indent=1)}\n".encode())
    return len(entries)
