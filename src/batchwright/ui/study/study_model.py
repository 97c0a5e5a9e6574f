"""The study that is open in a window: its project, edit history, problems and file.

Everything that the user designs has one undo history: layout, schema, names, task details and tasks per
group. The data file and the ids of services are not part of it; but a step may belong to a change beside the
data file (`change_records`).
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance

from batchwright.base.i18n import N_, program_language
from batchwright.base.local_media import MediaFolder
from batchwright.data_files.conversion.conversion import Changes, Conversion
from batchwright.layout.editing.history import History, HistoryEntry
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.places import at_places, elsewhere, with_replaced_elsewhere
from batchwright.local.projects import DataFile, Project, RemoteBinding, StudyContent, StudyKind
from batchwright.local.study_files.study_file import StudyFile, with_study_id, write_study
from batchwright.local.versions import NewVersion, VersionCause
from batchwright.schema.model import Schema
from batchwright.ui.study.checks import StudyChecks
from batchwright.ui.study.records_files import RecordsFiles
from batchwright.ui.study.steps import (
    ChangeContent,
    EditLayout,
    RecordsChange,
    RemoteChange,
    RestoredStep,
    changed_attributes,
)

if TYPE_CHECKING:  # rules, edits and models of the wire are not needed before a study is open
    from batchwright.layout.checking.validator import LayoutChecker
    from batchwright.layout.editing.edits import Edit
    from batchwright.layout.rules import Problem
    from batchwright.layout.rules.problems import AttributePath
    from batchwright.layout.translations import Translations
    from batchwright.wire.batches import TaskDetails


class Study(QObject):
    """The model of the open study. `changed` follows every other change signal except `saved_changed`.

    A setter emits no signal if the value is the same as before.
    """

    changed = Signal()
    layout_changed = Signal()
    schema_changed = Signal()
    data_changed = Signal()
    details_changed = Signal()
    """Task details, name, page names, translations, or tasks per group."""
    remote_changed = Signal()
    problems_changed = Signal()
    step_restored = Signal(object)
    """A step was undone or redone. The argument is a `RestoredStep`; emitted after `changed`."""
    version_created = Signal(object)
    """The study was saved, sent or set up: the argument is the `NewVersion` to be stored in its history."""
    saved_changed = Signal()
    """The study, its path or `is_saved` has changed."""
    data_file_offered = Signal()
    """A data file was dropped outside the Data stage, which takes it (`take_offered_file`)."""
    batch_status_fetched = Signal(str, str)
    """The status of the study's batch was fetched.

    Arguments: connection name, status as the service reports it.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._saving = asyncio.Lock()
        self._opening = 0
        self._is_open = False
        self._connection = THIS_COMPUTER.name
        self._workspaces: Mapping[str, str] = {}
        """The workspace of each connection by name; empty while the window has not set them."""
        self._opened: Project | None
        """None while no study is open; `project` is an empty one then."""
        self._saved: Project | None
        self._file: StudyFile | None
        self._history: History[StudyContent] | None
        """None until it is needed: task details are not imported before a study is open."""
        self._checks: StudyChecks
        self._offered_file: tuple[Path, Conversion | None] | None = None
        self.records_files = RecordsFiles()
        self._reset(None, None, None)

    def offer_file(self, path: Path, conversion: Conversion | None = None) -> None:
        """Offer a data file to the Data stage, which opens it, also if it is built later.

        Without a conversion, a source is read as it is proposed.
        """
        self._offered_file = path, conversion
        self.data_file_offered.emit()

    def take_offered_file(self) -> tuple[Path, Conversion | None] | None:
        """The data file that was offered and not taken yet, with its conversion; None if there is none."""
        offered, self._offered_file = self._offered_file, None
        return offered

    @property
    def project(self) -> Project:
        """The current content of the study, as it would be saved."""
        return self._project

    @property
    def _project(self) -> Project:
        return self._opened or _empty_project()

    @property
    def layout(self) -> Layout:
        """The current layout."""
        return Layout() if self._opened is None else self._opened.layout

    @property
    def content(self) -> StudyContent:
        """What the user designs, at present."""
        return self.history.now

    @property
    def history(self) -> History[StudyContent]:
        """The undo and redo history."""
        if self._history is None:
            self._history = History(self._project.content)
        return self._history

    @property
    def undo_label(self) -> str | None:
        """The label of the step that `undo` reverts, in English; None if there is none."""
        return None if self._opened is None else self.history.undo_label

    @property
    def redo_label(self) -> str | None:
        """The label of the step that `redo` repeats, in English; None if there is none."""
        return None if self._opened is None else self.history.redo_label

    @property
    def schema(self) -> Schema | None:
        """The schema, or None."""
        return self._project.schema

    @property
    def is_collection(self) -> bool:
        """Whether the study is a collection: no data, pages with one column."""
        return self._opened is not None and self._opened.kind is StudyKind.COLLECTION

    def shown_path(self, path: NodePath) -> NodePath:
        """The path of a node as it is shown: in a collection without row and column."""
        return self._project.shown_path(path)

    @property
    def data(self) -> DataFile | None:
        """The data file, or None."""
        return self._project.data

    @property
    def media(self) -> MediaFolder | None:
        """The media files that the data was read from; None if it is another file."""
        return None if self.data is None else self.data.media

    @property
    def details(self) -> "TaskDetails":
        """What participants read before they start."""
        return self._project.details

    @property
    def problems(self) -> "tuple[Problem, ...]":
        """The problems of the layout in reading order.

        Empty required fields of new items have severity `UNFILLED`.
        """
        return self._problems

    @property
    def file(self) -> StudyFile | None:
        """The file of the study and its format; None if it was never saved."""
        return self._file

    @property
    def path(self) -> Path | None:
        """The path of the study's file; None if it was never saved."""
        return None if self._file is None else self._file.path

    @property
    def is_saved(self) -> bool:
        """Whether the study has no unsaved changes; ids that are stored outside of its file are none."""
        opened, saved, file = self._opened, self._saved, self._file
        if opened is not None and saved is not None and file is not None and file.has_bindings_elsewhere:
            saved = replace(saved, remotes=opened.remotes)
        return opened == saved

    @property
    def has_new_bindings(self) -> bool:
        """Whether ids at a service have changed since the study was opened or saved."""
        return self._saved is not None and self._saved.remotes != self._project.remotes

    @property
    def saved_layout(self) -> Layout:
        """The layout that was last saved or opened; the current one if it was never saved."""
        return self.layout if self._saved is None else self._saved.layout

    @property
    def opening(self) -> int:
        """Changes with each opened study, so that operations can detect that their study was replaced."""
        return self._opening

    @property
    def is_open(self) -> bool:
        """Whether a study is open."""
        return self._is_open

    def open(
        self,
        project: Project,
        file: StudyFile | None,
        *,
        is_saved: bool | None = None,
        checker: "LayoutChecker | None" = None,
        is_new: bool = False,
    ) -> None:
        """Replace the open study.

        Args:
            project: the content of the study.
            file: its file; None if it was never saved.
            is_saved: whether the file has the same content; None means that it has if there is a file.
            checker: one that has already checked this layout with this schema, to avoid a second check.
            is_new: whether it was just created, so that empty required fields are `UNFILLED`, not errors.
        """
        self._is_open = True
        project = self._placed(with_study_id(project, file))
        saved = project if (file is not None if is_saved is None else is_saved) else None
        self._reset(project, file, saved, checker, is_new=is_new)
        self._emit_all()

    def close(self) -> None:
        """Close the study."""
        self._is_open = False
        self._reset(None, None, None)
        self._emit_all()

    def apply(self, edit: "Edit", merge_key: str | None = None) -> None:
        """Apply an edit to the layout. Consecutive edits with the same `merge_key` are one undo step.

        Raises:
            EditRejected: the edit is not possible; the layout is unchanged.
        """
        before = self.layout
        history = self.history.do(EditLayout(edit), merge_key)
        self._checks.unfilled.add_created(before, history.now.layout)
        self._set_history(history)

    def fix_all_edit(self) -> "Edit":
        """An edit that applies every fix that does not remove anything."""
        from batchwright.layout.checking.fix_all import FixAll

        return FixAll(self._checks.checker(self._project, self._connection))

    def fix_all_of_kind_edit(self, code: str) -> "Edit":
        """An edit that applies every fix for the problems with a rule code."""
        from batchwright.layout.checking.fix_all import FixAllOfKind, schema_fix

        alike = (problem for problem in self.problems if problem.code == code)
        return schema_fix(alike) or FixAllOfKind(code, self._checks.checker(self._project, self._connection))

    def undo(self) -> None:
        """Undo the last step."""
        if self.history.past:
            self._restore_step(self.history.past[-1], self.history.undo(), is_undo=True)

    def redo(self) -> None:
        """Redo the step that was undone last."""
        if self.history.future:
            self._restore_step(self.history.future[-1], self.history.redo(), is_undo=False)

    def close_step(self) -> None:
        """Close the current undo step: the next edit is a step of its own."""
        if self._history is not None:
            self._history = self._history.with_step_closed()

    def set_name(self, name: str) -> None:
        """Rename the study."""
        self._change(N_("Rename study"), lambda content: replace(content, name=name))

    def set_name_of_file(self, name: str) -> None:
        """Name the study after its new file. This cannot be undone: the file has been saved."""
        renamed = self.history.mapped(lambda content: replace(content, name=name))
        self._set_history(renamed)

    def set_schema(
        self, schema: Schema | None, label: str = N_("Change schema"), merge_key: str | None = None
    ) -> None:
        """Set the schema and check the layout against it; with a merge key as in `apply`."""
        self._change(label, lambda content: replace(content, schema=schema), merge_key)

    def set_data(self, data: DataFile | None) -> None:
        """Set the data file; this cannot be undone, nor what was changed beside another one."""
        if self._history is not None:
            path = None if data is None else data.path
            self._history = self._history.without(
                lambda step: isinstance(step.attachment, RecordsChange) and step.attachment.path != path
            )
        self._replace(replace(self._project, data=data), self.data_changed)

    def change_records(
        self,
        label: str,
        changes: Changes,
        content: StudyContent | None = None,
        merge_key: str | None = None,
    ) -> None:
        """Set what is made of the records of the data file, as one undo step.

        Args:
            label: the name of the step, in English.
            changes: all edits and all steps of the preparation, in their order.
            content: what the user designs, if the change has consequences for it.
            merge_key: a new one; consequences that follow with the same key belong to the same step.
        """
        data = self.data
        if data is None or data.changes == changes:
            return
        change = ChangeContent(label, lambda now: now if content is None else content)
        attachment = RecordsChange(data.path, data.changes, changes)
        history = self.history.do(change, merge_key, attachment)
        self._set_history(history, data=data.with_changes(changes))

    def set_details(
        self, details: "TaskDetails", name: str | None = None, language: str | None = None
    ) -> None:
        """Set the task details, and name of the study and language of its participants if given."""
        self._change(
            N_("Change task details"),
            lambda content: replace(
                content,
                details=details,
                name=content.name if name is None else name,
                language=content.language if language is None else language,
            ),
        )

    def set_page_name(self, key: str, name: str) -> None:
        """Name a page for designers. Participants do not see the name; an empty one removes it.

        Consecutive names of one page are one undo step, until `close_step`.
        """
        names = {**self._project.page_names, key: name.strip()}
        page_names = {key: name for key, name in names.items() if name}
        merge_key = f"{key} page name"
        self._change(N_("Rename page"), lambda content: replace(content, page_names=page_names), merge_key)

    def set_tasks_per_group(self, count: int) -> None:
        """Set the number of tasks per group."""
        label = N_("Change tasks per group")
        self._change(label, lambda content: replace(content, tasks_per_group=count))

    def set_translations(
        self, translations: "Translations", label: str, merge_key: str | None = None
    ) -> None:
        """Set what participants of other languages read; `label` names the step, in English.

        The study's own texts then have a language, too, whatever that of the program is.
        """
        self._change(
            label,
            lambda content: replace(
                content,
                translations=translations,
                language=content.language or (program_language().tag if translations else ""),
            ),
            merge_key,
        )

    def restore(self, content: StudyContent, label: str, merge_key: str | None = None) -> None:
        """Replace everything that the user designs, as one undo step; `label` names it."""
        self._change(label, lambda _content: content, merge_key)

    def prepare(self, content: StudyContent) -> None:
        """Check the pages of a content and count their items in a thread, so that `restore` does not."""
        self._checks.prepare(self._project.with_content(content), self._connection)

    def adopt(self, content: StudyContent, connection_name: str, remote: RemoteBinding, label: str) -> None:
        """Replace what the user designs by a version of a service, as one undo step; `label` names it.

        Args:
            content: the version.
            connection_name: the name of the connection it comes from.
            remote: what the study has there from now on. Undoing the step restores what it had before, so
                that the version counts as a change of others again.
            label: the name of the step, in English.
        """
        change = RemoteChange(connection_name, self.remote(connection_name), remote)
        history = self.history.do(ChangeContent(label, lambda _content: content), attachment=change)
        self._set_history(history, {connection_name: remote})

    @property
    def page_names(self) -> Mapping[str, str]:
        """The names of the pages by key; only designers see them."""
        return self._project.page_names

    def remote(self, connection_name: str) -> RemoteBinding:
        """The ids of the study's dataset and batch at a connection; empty if it has none there."""
        return self._project.remotes.get(connection_name) or RemoteBinding()

    def set_remote(self, connection_name: str, remote: RemoteBinding) -> None:
        """Set the ids of the study's dataset and batch at a connection."""
        remotes = with_replaced_elsewhere(self._project.remotes, connection_name, remote)
        self._replace(replace(self._project, remotes=remotes), self.remote_changed)

    @property
    def elsewhere(self) -> Mapping[str, RemoteBinding]:
        """What the study has at places that are no connection here, such as other computers."""
        return elsewhere(self._project.remotes, self._workspaces) if self._workspaces else {}

    def set_workspaces(self, workspaces: Mapping[str, str]) -> None:
        """Set the workspace of each connection here, by name; empty while it is unknown.

        The ids of a study are assigned to them, which does not count as a change of the study.
        """
        if workspaces == self._workspaces:
            return
        self._workspaces = dict(workspaces)
        if self._opened is None:
            return
        self._opened = self._placed(self._opened)
        self._saved = None if self._saved is None else self._placed(self._saved)
        self.remote_changed.emit()
        self._recheck()
        self.changed.emit()

    @property
    def connection(self) -> str:
        """The name of the connection whose dataset, batch and ids are meant."""
        return self._connection

    def new_version(self, cause: VersionCause) -> NewVersion:
        """The current content as a version, to be emitted with `version_created` once it was used."""
        return NewVersion(self._project.study_id, cause, self.content)

    def set_connection(self, name: str) -> None:
        """Check the layout against the dataset of the study at another connection."""
        if name != self._connection:
            self._connection = name
            self._recheck()
            self.changed.emit()

    def set_lacks_schema(self, connection_name: str, *, lacks_schema: bool) -> None:
        """Set whether the dataset at a connection is without a schema."""
        self.set_remote(connection_name, replace(self.remote(connection_name), lacks_schema=lacks_schema))

    def show_server_problems(self, problems: "Iterable[Problem]") -> None:
        """Attach the problems reported by the service to their items, until these items are changed."""
        self._checks.attach_server_problems(self.layout, problems)
        self._recheck()

    def record_field_visited(self, key: str, attribute: "AttributePath") -> None:
        """Record that the focus left a field: if it is empty, that is an error from now on."""
        self._checks.unfilled.record_field_visited(key, attribute)
        self._recheck()

    def show_unfilled_as_errors(self) -> None:
        """Report all empty required fields as errors, before the study is sent."""
        self._checks.unfilled.clear()
        self._recheck()

    async def save(self, file: StudyFile) -> Project:
        """Write the study to a file, which becomes its file. A plain layout file may hold only a part of it.

        Returns:
            what was written.

        Raises:
            OSError: it cannot be written; the previous file is unchanged.
        """
        async with self._saving:
            project, opening, before = self._project, self._opening, self._file
            version = self.new_version(VersionCause.SAVED)
            written = await asyncio.to_thread(write_study, project, file, before)
            self.version_created.emit(version)
            if opening == self._opening:  # else another study was opened meanwhile
                self._file, self._saved = written, written.as_saved(project)
                self.saved_changed.emit()
        return project

    def _reset(
        self,
        project: Project | None,
        file: StudyFile | None,
        saved: Project | None,
        checker: "LayoutChecker | None" = None,
        *,
        is_new: bool = False,
    ) -> None:
        self._opening += 1
        self._opened, self._file, self._saved = project, file, saved
        self._history = None
        self._checks = StudyChecks(self.layout, checker, is_new=is_new)
        self._problems: tuple[Problem, ...] = ()
        if project is not None:
            self._problems = self._check()

    def _placed(self, project: Project) -> Project:
        return replace(project, remotes=at_places(project.remotes, self._workspaces))

    def _change(
        self, label: str, function: Callable[[StudyContent], StudyContent], merge_key: str | None = None
    ) -> None:
        self._set_history(self.history.do(ChangeContent(label, function), merge_key))

    def _restore_step(
        self, entry: HistoryEntry[StudyContent], history: History[StudyContent], *, is_undo: bool
    ) -> None:
        before, change, remotes = self.content, entry.attachment, dict[str, RemoteBinding]()
        data_before = data = self.data
        if isinstance(change, RemoteChange):
            current = self.remote(change.connection)
            remotes[change.connection] = change.restored(current, is_undo=is_undo)
        elif isinstance(change, RecordsChange):
            data = change.restored(data, is_undo=is_undo)
        self._set_history(history, remotes, data)
        after = self.content
        attributes = changed_attributes(before, after)
        if data != data_before:
            attributes |= {"records"}
        self.step_restored.emit(RestoredStep(entry.label, is_undo, before, after, attributes))

    def _set_history(
        self,
        history: History[StudyContent],
        remotes: Mapping[str, RemoteBinding] | None = None,
        data: DataFile | None = None,
    ) -> None:
        """Set the history, and with it what the study has at some connections, and its data file."""
        if history is self._history:
            return
        attributes = changed_attributes(self.content, history.now)
        self._history = history
        signals: list[SignalInstance] = []
        if data is not None and data != self.data:
            signals.append(self.data_changed)
        if "layout" in attributes:
            signals.append(self.layout_changed)
        if "schema" in attributes:
            signals.append(self.schema_changed)
        if attributes - {"layout", "schema"}:
            signals.append(self.details_changed)
        project = self._project.with_content(history.now)
        if data is not None:
            project = replace(project, data=data)
        if remotes:
            project = replace(project, remotes={**project.remotes, **remotes})
            signals.append(self.remote_changed)
        self._replace(project, *signals)

    def _replace(self, project: Project, *signals: SignalInstance) -> None:
        if project == self._project:
            return
        was_saved = self.is_saved
        self._opened = project
        before, self._problems = self._problems, self._check()
        for signal in signals:
            signal.emit()
        if before != self._problems:
            self.problems_changed.emit()
        if was_saved != self.is_saved:
            self.saved_changed.emit()
        self.changed.emit()

    def _recheck(self) -> None:
        before, self._problems = self._problems, self._check()
        if before != self._problems:
            self.problems_changed.emit()
            self.changed.emit()

    def _check(self) -> "tuple[Problem, ...]":
        return self._checks.problems(self._project, self._connection)

    def _emit_all(self) -> None:
        for signal in (
            self.layout_changed,
            self.schema_changed,
            self.data_changed,
            self.details_changed,
            self.remote_changed,
            self.problems_changed,
            self.saved_changed,
            self.changed,
        ):
            signal.emit()


@cache
def _empty_project() -> Project:
    return Project("")
