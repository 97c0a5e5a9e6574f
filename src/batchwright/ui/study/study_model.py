"""The study of one window: the project as it is now, its history, its problems, and its file (style.md 8)."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance

from batchwright.layout.history import History
from batchwright.layout.model import Layout
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.projects import DataFile, Project, RemoteBinding
from batchwright.local.study_file import StudyFile, write_study
from batchwright.schema.model import Schema
from batchwright.ui.study.unfilled import Unfilled

if TYPE_CHECKING:  # rules, edits and models of the wire are not needed before a study is open
    from batchwright.layout.edits import Edit
    from batchwright.layout.rules import Problem
    from batchwright.layout.rules.problems import AttributePath, Fields
    from batchwright.layout.validator import LayoutChecker
    from batchwright.ui.study.server_problems import ServerProblem
    from batchwright.wire.batches import TaskDetails


class Study(QObject):
    """Holds the study and tells what changed; `changed` follows every one of the others but `saved_changed`.

    Every `set_...` is silent when nothing changes.
    """

    changed = Signal()
    layout_changed = Signal()
    schema_changed = Signal()
    data_changed = Signal()
    details_changed = Signal()
    """Task details, name, page names, or tasks per group."""
    remote_changed = Signal()
    problems_changed = Signal()
    saved_changed = Signal()
    """Another study, another path, or the question whether it is saved has another answer."""
    data_file_offered = Signal(object)
    """A data file, by its path, was dropped somewhere else than on the Data stage, which takes it."""
    batch_seen = Signal(str, str)
    """The batch of the study was seen: at which connection, and how it stands in the service's own word."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._saving = asyncio.Lock()
        self._opening = 0
        self._is_open = False
        self._connection = THIS_COMPUTER.name
        self._opened: Project | None
        """None stands for the study without anything, as which nothing is to be seen while none is open."""
        self._saved: Project | None
        self._file: StudyFile | None
        self._history: History
        self._cached_checker: LayoutChecker | None
        self._server_problems: tuple[ServerProblem, ...]
        self._unfilled: Unfilled
        self._reset(None, None, None)

    @property
    def project(self) -> Project:
        """Everything that is saved, as it is now."""
        return self._project

    @property
    def _project(self) -> Project:
        return self._opened or _empty_project()

    @property
    def _checker(self) -> "LayoutChecker":
        fields = fields_of(self._project, self._connection)
        if self._cached_checker is None or self._cached_checker.fields is not fields:
            self._cached_checker = checker_for(self._project, self._connection)
        return self._cached_checker

    @property
    def layout(self) -> Layout:
        """The layout as it is now."""
        return self._history.now

    @property
    def history(self) -> History:
        """The layout with all that can be undone and redone."""
        return self._history

    @property
    def schema(self) -> Schema | None:
        """The schema, once there is one."""
        return self._project.schema

    @property
    def data(self) -> DataFile | None:
        """The data file, once there is one."""
        return self._project.data

    @property
    def details(self) -> "TaskDetails":
        """What participants read before they start."""
        return self._project.details

    @property
    def problems(self) -> "tuple[Problem, ...]":
        """What the rules say of the layout, in reading order; new fields that are not filled in, as such."""
        return self._problems

    @property
    def file(self) -> StudyFile | None:
        """Where the study is saved, and as what; None while it never was."""
        return self._file

    @property
    def path(self) -> Path | None:
        """Where the study is saved; None while it never was."""
        return None if self._file is None else self._file.path

    @property
    def is_saved(self) -> bool:
        """Whether the file holds what is here."""
        return self._opened == self._saved

    @property
    def opening(self) -> int:
        """Another number for each study that is opened: work begun for one must not change the next."""
        return self._opening

    @property
    def is_open(self) -> bool:
        """Whether there is a study at all."""
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
        """Show another study.

        Args:
            project: the study.
            file: where it is saved; None for one that never was.
            is_saved: whether its file holds just this; None means: if it has a file.
            checker: one that has seen the layout with the schema, so that nothing is checked twice.
            is_new: whether it was created just now, so that what is empty is still to be filled in.
        """
        self._is_open = True
        kept = project if (file is not None if is_saved is None else is_saved) else None
        self._reset(project, file, kept, checker, is_new=is_new)
        self._emit_all()

    def close(self) -> None:
        """Have no study."""
        self._is_open = False
        self._reset(None, None, None)
        self._emit_all()

    def apply(self, edit: "Edit", stroke: str | None = None) -> None:
        """Change the layout; edits of one `stroke`, one right after the other, are undone together.

        Raises:
            EditRejected: the edit cannot be done, and nothing has changed.
        """
        before = self.layout
        history = self._history.do(edit, stroke)
        self._unfilled.add_created(before, history.now)
        self._set_history(history)

    def fix_all_edit(self) -> "Edit":
        """The edit that fixes every problem whose fix removes nothing."""
        from batchwright.layout.edits.fix_all import FixAll

        return FixAll(self._checker)

    def fix_all_of_kind_edit(self, code: str) -> "Edit":
        """The edit that fixes every problem of a rule that has a fix."""
        from batchwright.layout.edits.fix_all import FixAllOfKind

        return FixAllOfKind(code, self._checker)

    def undo(self) -> None:
        """Take the last step back."""
        self._set_history(self._history.undo())

    def redo(self) -> None:
        """Take a step forward again."""
        self._set_history(self._history.redo())

    def end_stroke(self) -> None:
        """End the stroke: whatever comes next is a step of its own."""
        self._history = self._history.lifted()

    def set_name(self, name: str) -> None:
        """Call the study something else."""
        self._replace(replace(self._project, name=name), self.details_changed)

    def set_schema(self, schema: Schema | None) -> None:
        """Check the layout against another schema from now on."""
        if schema == self.schema:
            return
        self._replace(replace(self._project, schema=schema), self.schema_changed)

    def set_data(self, data: DataFile | None) -> None:
        """Take another data file."""
        self._replace(replace(self._project, data=data), self.data_changed)

    def set_details(self, details: "TaskDetails") -> None:
        """Let participants read something else before they start."""
        self._replace(replace(self._project, details=details), self.details_changed)

    def set_page_name(self, key: str, name: str) -> None:
        """Call a page something among designers; empty for nothing (D18a)."""
        names = {**self._project.page_names, key: name.strip()}
        kept = {key: name for key, name in names.items() if name}
        self._replace(replace(self._project, page_names=kept), self.details_changed)

    def set_tasks_per_group(self, count: int) -> None:
        """Put so many tasks into a group."""
        self._replace(replace(self._project, tasks_per_group=count), self.details_changed)

    @property
    def page_names(self) -> Mapping[str, str]:
        """What designers call the pages, by key."""
        return self._project.page_names

    def remote(self, connection_name: str) -> RemoteBinding:
        """What the study has at a connection; an empty one when it was never there."""
        return self._project.remotes.get(connection_name) or RemoteBinding()

    def set_remote(self, connection_name: str, remote: RemoteBinding) -> None:
        """Remember what the study has at a connection."""
        remotes = {**self._project.remotes, connection_name: remote}
        self._replace(replace(self._project, remotes=remotes), self.remote_changed)

    def set_connection(self, name: str) -> None:
        """Check the layout against the dataset that the study has at another connection from now on."""
        if name != self._connection:
            self._connection = name
            self._recheck()

    def set_lacks_schema(self, connection_name: str, *, is_lacking: bool) -> None:
        """Know whether the dataset at a connection has a schema that the layout can refer to."""
        self.set_remote(connection_name, replace(self.remote(connection_name), lacks_schema=is_lacking))

    def show_server_problems(self, problems: "Iterable[Problem]") -> None:
        """Show what a service refused at the items it named, until they are changed."""
        from batchwright.ui.study.server_problems import attach_server_problems

        self._server_problems = attach_server_problems(self.layout, problems)
        self._recheck()

    def mark_field_left(self, key: str, attribute: "AttributePath") -> None:
        """A field of an entry was left: if it is still empty, that is an error from now on."""
        self._unfilled.mark_left(key, attribute)
        self._recheck()

    def show_unfilled_as_errors(self) -> None:
        """The study is to be sent: whatever is not filled in yet is an error."""
        self._unfilled.clear()
        self._recheck()

    async def save(self, file: StudyFile) -> None:
        """Write the study to a file, which is its own from then on; a plain one may hold less than all of it.

        Raises:
            OSError: it cannot be written; what was there stays.
        """
        async with self._saving:
            project, opening = self._project, self._opening
            written = await asyncio.to_thread(write_study, project, file)
            if opening == self._opening:  # else another study was opened meanwhile
                self._file, self._saved = written, written.held(project)
                self.saved_changed.emit()

    def _reset(
        self,
        project: Project | None,
        file: StudyFile | None,
        kept: Project | None,
        checker: "LayoutChecker | None" = None,
        *,
        is_new: bool = False,
    ) -> None:
        self._opening += 1
        self._opened, self._file, self._saved = project, file, kept
        self._history = History(Layout() if project is None else project.layout)
        self._cached_checker = checker
        self._server_problems = ()
        self._unfilled = Unfilled(self.layout, is_new=is_new)
        self._problems: tuple[Problem, ...] = ()
        if project is not None:
            self._problems = self._check()

    def _set_history(self, history: History) -> None:
        if history is self._history:
            return
        self._history = history
        self._replace(replace(self._project, layout=history.now), self.layout_changed)

    def _replace(self, project: Project, signal: SignalInstance) -> None:
        if project == self._project:
            return
        was_saved = self.is_saved
        self._opened = project
        had, self._problems = self._problems, self._check()
        signal.emit()
        if had != self._problems:
            self.problems_changed.emit()
        if was_saved != self.is_saved:
            self.saved_changed.emit()
        self.changed.emit()

    def _recheck(self) -> None:
        had, self._problems = self._problems, self._check()
        if had != self._problems:
            self.problems_changed.emit()
            self.changed.emit()

    def _check(self) -> "tuple[Problem, ...]":
        from batchwright.ui.study.server_problems import merge_problems

        found = merge_problems(self.layout, self._checker.check(self.layout), self._server_problems)
        return self._unfilled.marked(self.layout, found)

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


def checker_for(project: Project, connection_name: str = THIS_COMPUTER.name) -> "LayoutChecker":
    """What checks the layout of a study that works with a connection."""
    from batchwright.layout.validator import LayoutChecker

    return LayoutChecker(fields_of(project, connection_name))


def fields_of(project: Project, connection_name: str) -> "Fields":
    """What the layout of a study may refer to: as in the service, nothing where the dataset has no schema.

    References stay unchecked while there is neither a schema nor such a dataset.
    """
    from batchwright.layout.rules import SchemaUnavailable

    remote = project.remotes.get(connection_name)
    if remote is not None and remote.dataset_id is not None and remote.lacks_schema:
        return SchemaUnavailable.NONE
    return SchemaUnavailable.UNKNOWN if project.schema is None else project.schema
