"""The controller of one window: connects its study, session, files and connections with the shell.

Its commands are plain functions for menus and buttons; each starts a task of the window.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _, ngettext
from batchwright.client.local_service import LocalServiceManager, ServiceStatus
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.library import is_library_file
from batchwright.local.projects import study_name
from batchwright.ui.connections.controller import ConnectionsController
from batchwright.ui.connections.known_workspaces import known_workspaces
from batchwright.ui.connections.sign_in import SwitchConnectionDialog
from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.core.formatting import number, short_folder
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.web_images import WebImages
from batchwright.ui.shell import state as shell
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.tray import JobNotices
from batchwright.ui.shell.windows import OPENING, OPENING_DROPPED, Windows
from batchwright.ui.study.file.autosave import Autosave
from batchwright.ui.study.file.file_commands import StudyFileCommands
from batchwright.ui.study.file.version_recorder import VersionRecorder, current_time
from batchwright.ui.study.library import LibraryCommands
from batchwright.ui.study.problem_counts import count_problems
from batchwright.ui.study.step_notices import StepNotices
from batchwright.ui.study.study_model import Study
from batchwright.ui.study.templates import Template, study_from_template
from batchwright.ui.widgets.notices import Notice, NoticeSeverity


@dataclass(frozen=True)
class WindowDependencies:
    """The parts of a window that are created before its controller."""

    study: Study
    session: ConnectionSession
    files: StudyFileCommands
    connections: ConnectionsController
    autosave: Autosave
    library: LibraryCommands
    local_service: LocalServiceManager
    images: WebImages
    now: Callable[[], datetime] = current_time
    """Returns the time of a new version."""


class WindowController(QObject):
    """Connects the study, the files, the connections and the shell of one window."""

    service_changed = Signal()
    """The status of the service on this computer has changed."""

    def __init__(self, context: StageContext, dependencies: WindowDependencies, windows: Windows) -> None:
        super().__init__(context.window)
        self.context, self.windows = context, windows
        self.run_action = context.actions.run
        self.study, self.session, self.files = dependencies.study, dependencies.session, dependencies.files
        self.connections, self.autosave = dependencies.connections, dependencies.autosave
        self.library, self.images = dependencies.library, dependencies.images
        self._job_notices = JobNotices(context, self.session, self.connections)
        StepNotices(context, self.study)
        self.versions = VersionRecorder(context, self.study, self.session.version_store, dependencies.now)
        self._local_service = dependencies.local_service
        self._opening = asyncio.Lock()
        """Held while files are opened, so that only the first of two is opened in this window."""
        self._local_service.add_listener(self._on_service_changed)
        for signal in (self.study.saved_changed, self.study.details_changed, self.study.problems_changed):
            signal.connect(self._refresh_status)
        self.study.data_changed.connect(self._on_data_changed)
        self.session.changed.connect(self._show_connection)
        self.session.changed.connect(lambda: self.study.set_connection(self.session.connection.name))
        self.session.message.connect(self._on_message)
        self.connections.changed.connect(self._on_connections_changed)
        self.connections.unreadable_list_renamed.connect(self._on_list_moved_aside)
        self._local_workspace = ""
        self._set_workspaces()
        context.shell.files_dropped.connect(self.open_dropped)
        context.shell.table_pasted.connect(self.open_pasted)
        self.files.templates_found.connect(self._offer_templates)
        context.shell.connection_requested.connect(self.choose_connection)
        context.shell.new_connection_requested.connect(self.add_connection)
        context.shell.connection_change_requested.connect(self._on_connection_change_requested)

    def open_path(self, path: Path) -> None:
        """Open a file; a template or block is imported."""
        opens = self.library.import_file if is_library_file(path) else self.files.open
        self.context.tasks.start(OPENING, lambda: opens(path))

    def open_template(self, template: Template) -> None:
        """Create a study from a template with its sample data."""

        async def begin() -> None:
            await self.files.open_new(await study_from_template(template), stage="layout")
            if template.has_media:
                self._show_media_notice()

        self.context.tasks.start("create from template", begin)

    def open_dropped(self, paths: Sequence[Path]) -> None:
        """Open files dropped on the window; templates and blocks are imported."""

        async def open_all() -> None:
            others = [path for path in paths if not is_library_file(path)]
            for path in paths:
                if is_library_file(path):
                    await self.library.import_file(path)
            if others:
                await self.files.open_dropped(others)

        self.context.tasks.start(OPENING_DROPPED, open_all)

    def open_pasted(self, html: str, text: str) -> None:
        """Open a table of another program."""
        self.context.tasks.start(OPENING_DROPPED, lambda: self.files.open_pasted(html, text))

    def _offer_templates(self, path: Path) -> None:
        """Offer to add the templates and blocks in the file of a study to those of the user."""

        def add() -> None:
            self.context.tasks.start("import templates", lambda: self.library.import_archived(path))

        title = _("“{name}” has templates or blocks, too").format(name=path.name)
        text = _("They can be added to yours.")
        self.context.notices.show_notice(Notice(NoticeSeverity.INFO, title, text, _("Add"), add))

    def add_connection(self) -> None:
        """Ask for a new connection and make it the current one; with an open study, the user has to
        confirm that.
        """

        async def add() -> None:
            workspaces = known_workspaces(self.connections.all, self.files.recents)
            connection = await self.connections.add(workspaces)
            if connection is not None and await self._confirm_switch(connection):
                await self.session.select(connection.name)

        self.context.tasks.start("add a connection", add)

    def refresh_connections(self) -> None:
        """Read the connections again, since another window may have changed them."""
        self.context.tasks.start("refresh connections", self.connections.refresh)

    def choose_connection(self, name: str) -> None:
        """Select another connection."""
        self.context.tasks.start("choose a connection", lambda: self.session.select(name))

    def change_connection(self, connection: Connection) -> None:
        """Ask for another name, URL, workspace or token of a connection."""
        self.context.tasks.start("change a connection", lambda: self.connections.change(connection))

    def remove_connection(self, connection: Connection) -> None:
        """Remove a connection after a confirmation."""
        self.context.tasks.start("remove a connection", lambda: self.connections.remove(connection))

    def start_service(self) -> None:
        """Start the service on this computer if it is the current connection, so that it is ready when
        needed.
        """
        if not self.session.is_live:
            self.context.tasks.start("start the service of this computer", self.session.context)

    @property
    def service_status(self) -> ServiceStatus:
        """The status of the service on this computer."""
        return self._local_service.status

    def restart_service(self) -> None:
        """Start the service on this computer again after it failed."""

        async def restart() -> None:
            await self._local_service.ensure_running(self.session.notify)

        self.context.tasks.start("start the service of this computer", restart)

    def recent_studies(self) -> Iterator[PaletteEntry]:
        """The recently opened studies, for the command palette and the File menu."""
        for recent in self.files.recents:
            yield PaletteEntry(
                text=recent.name,
                menu=short_folder(recent.path),
                glyph="file-text",
                shortcut="",
                disabled_reason="",
                run=partial(self.open_path, recent.path),
            )

    async def load(self, files: Sequence[Path]) -> None:
        """Load the connections and recent studies for the Home stage, then open the files of the window.

        An error in one step is reported, and the next steps follow. If no file can be opened, Home is shown.
        A window for files that are all open in others is closed.
        """
        reporting = self.context.tasks.reporting
        with reporting("read the connections"):
            await self.connections.refresh()
        with reporting("read the recent studies"):
            await self.files.refresh_recents()
        with reporting("read templates and blocks"):
            await self.library.refresh()
        self._show_connection()
        not_shown = [path for path in files if not await self.files.show_open(path)]
        if files and not not_shown:
            self.context.window.close()
        else:
            await self.open_all(not_shown)

    async def open_all(self, files: Sequence[Path]) -> None:
        """Open the first readable file in this window and each of the others in a window of its own.

        A file that another window has open is shown there. One notice lists all files that could not be
        opened, and what to do with each.
        """
        async with self._opening:
            await self._open_all(files)

    async def _open_all(self, files: Sequence[Path]) -> None:
        errors: list[Exception] = []
        for path in files:
            try:
                if await self.files.show_open(path):
                    continue
                if self.study.is_open:
                    await self.files.check(path)
                    self.windows.open_window((path,))
                else:
                    await self.files.open(path)
            except Exception as error:
                errors.append(error)
        if files and not self.study.is_open:
            self.context.shell.set_stage("home")
        if len(errors) == 1:
            self.context.tasks.report(OPENING, errors[0])
        elif errors:
            title = ngettext("{count} file was not opened", "{count} files were not opened", len(errors))
            messages = map(self.context.tasks.message, errors)
            line = "\n".join(" ".join(filter(None, (message.what, message.remedy))) for message in messages)
            self.context.notices.show_notice(
                Notice(NoticeSeverity.ERROR, title.format(count=number(len(errors))), line, topic=OPENING)
            )

    async def start(self, *, is_first: bool) -> None:
        """Start background work; the first window of the program offers to recover studies after a crash."""
        if is_first:
            with self.context.tasks.reporting("find recovery copies"):
                await self.autosave.offer()
        self.start_service()
        self._job_notices.start()

    async def may_close(self) -> bool:
        """Ask to save changes if there are any; returns whether the window may be closed."""
        if not await self.files.maybe_save():
            return False
        await self.versions.store_waiting()
        await self.autosave.end()
        self.session.close()
        self._local_service.remove_listener(self._on_service_changed)
        return True

    async def _confirm_switch(self, added: Connection) -> bool:
        if not self.study.is_open:
            return True
        name = study_name(self.study.project)
        return await SwitchConnectionDialog(name, self.session.connection, added).ask(self.context.window)

    def _show_media_notice(self) -> None:
        line = _(
            "They are bundled with the program and shown on this computer only. Replace them in the "
            "data with https URLs of your own files before you run this for others."
        )
        self.context.notices.show_notice(
            Notice(NoticeSeverity.INFO, _("The pictures and recordings are samples"), line)
        )

    def _on_list_moved_aside(self, aside: Path) -> None:
        line = _("It is kept as {path}. Add the missing connections again under the same names.").format(
            path=aside
        )
        notice = Notice(NoticeSeverity.WARNING, _("The list of connections could not be read"), line)
        self.context.notices.show_notice(notice)

    def _on_connection_change_requested(self) -> None:
        if not self.session.connection.is_local:
            self.change_connection(self.session.connection)

    def _on_connections_changed(self) -> None:
        self.session.update_connections(self.connections.all)
        self._set_workspaces()
        self._show_connection()

    def _on_data_changed(self) -> None:
        """Let Data read a file without a schema, also if Data is not shown: it proposes a schema."""
        if self.study.data is not None and self.study.schema is None:
            self.context.shell.stage_needed.emit("data")

    def _on_service_changed(self) -> None:
        self._set_workspaces()
        self.service_changed.emit()

    def _set_workspaces(self) -> None:
        """Assign the ids of the study to the connections; that of this computer is known once it has run."""
        self._local_workspace = self.service_status.workspace_id or self._local_workspace
        workspaces = {connection.name: connection.workspace_id for connection in self.connections.all}
        self.study.set_workspaces({**workspaces, THIS_COMPUTER.name: self._local_workspace})

    def _on_message(self, text: str) -> None:
        self.context.shell.show_message(text.rstrip("."))

    def _refresh_status(self) -> None:
        study = self.study
        if not study.is_open:
            self.context.shell.set_document(None)
            self.context.shell.set_status_messages()
            return
        name = study_name(study.project)
        document = shell.DocumentTitle(name, study.is_saved, study.path, is_collection=study.is_collection)
        self.context.shell.set_document(document)
        saved = shell.StatusMessage(document.saved_text)
        self.context.shell.set_status_messages(saved, *self._problem_messages())

    def _problem_messages(self) -> Iterator[shell.StatusMessage]:
        """The messages about the layout: number of errors, and separately of attributes not filled in yet."""
        counts = count_problems(self.study.problems)
        if counts.errors:
            yield shell.StatusMessage(counts.errors_text, "err", "warning-circle-fill")
        if counts.unfilled:
            yield shell.StatusMessage(counts.unfilled_text, glyph="circle-dashed")
        if not counts:
            yield shell.StatusMessage(_("No problems"))

    def _show_connection(self) -> None:
        state, connection = self.context.shell, self.session.connection
        state.set_connections(tuple(map(_shown, self.connections.all)))
        state.set_connection(_shown(connection))


def _shown(connection: Connection) -> shell.ConnectionLabel:
    return shell.ConnectionLabel(
        connection.name,
        is_live=not connection.is_local,
        workspace=connection.workspace_id,
        title=connection.title,
    )
