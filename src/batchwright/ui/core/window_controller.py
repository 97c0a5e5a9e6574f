"""The desk of one window: its study, its session and its files, and what the shell tells of them.

Its commands are plain functions for menus and buttons; each becomes a task of the window.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _, ngettext
from batchwright.client.local_service import LocalServiceManager, ServiceStatus
from batchwright.local.connections import Connection
from batchwright.ui.connections.controller import ConnectionsController
from batchwright.ui.connections.switching import SwitchQuestion
from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.core.application import Windows
from batchwright.ui.core.formatting import number, short_folder
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.home.templates import SAMPLE, Template, study_from_template
from batchwright.ui.jobs.notifications import JobNotifications
from batchwright.ui.shell import state as shell
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.autosave import Autosave
from batchwright.ui.study.file_commands import StudyFileCommands
from batchwright.ui.study.save import UNTITLED
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.notices import Toast, ToastSeverity


@dataclass(frozen=True)
class WindowDependencies:
    """What a desk is made of."""

    study: Study
    session: ConnectionSession
    files: StudyFileCommands
    connecting: ConnectionsController
    recovering: Autosave
    own_service: LocalServiceManager


class WindowController(QObject):
    """What is done with the study, the files and the connection of one window."""

    service_changed = Signal()
    """The service of this computer stands otherwise."""

    def __init__(self, frame: StageContext, parts: WindowDependencies, windows: Windows) -> None:
        super().__init__(frame.host)
        self._frame, self._windows = frame, windows
        self.study, self.session, self.files = parts.study, parts.session, parts.files
        self.connecting, self.recovering = parts.connecting, parts.recovering
        self._job_news = JobNotifications(frame, self.session, self.connecting)
        self._own_service = parts.own_service
        self._own_service.follow(self._tell_service)
        for signal in (self.study.saved_changed, self.study.details_changed, self.study.problems_changed):
            signal.connect(self._show_study)
        self.session.changed.connect(self._show_connection)
        self.session.changed.connect(lambda: self.study.set_connection(self.session.connection.name))
        self.session.told.connect(self._tell)
        self.connecting.changed.connect(self._heed_connections)
        self.connecting.set_aside.connect(self._tell_of_lost_connections)
        frame.shell.files_dropped.connect(self.take_dropped)
        frame.shell.connection_wanted.connect(self.choose_connection)
        frame.shell.new_connection_wanted.connect(self.add_connection)
        frame.shell.connection_change_wanted.connect(self._change_chosen)

    def new(self) -> None:
        """Begin an empty study."""
        self._frame.tasks.start("new study", self.files.new)

    def open(self) -> None:
        """Open a study that the person chooses."""
        self._frame.tasks.start("open a study", self.files.ask_open)

    def open_path(self, path: Path) -> None:
        """Open a file."""
        self._frame.tasks.start("open a study", lambda: self.files.open(path))

    def open_data(self) -> None:
        """Begin a study with a data file that the person chooses."""
        self._frame.tasks.start("open a study", self.files.ask_data)

    def try_sample(self) -> None:
        """Begin with the sample study."""
        self.begin_with(SAMPLE)

    def begin_with(self, template: Template) -> None:
        """Begin a study with a template and its sample data."""

        async def begin() -> None:
            await self.files.begin(await study_from_template(template), stage="layout")
            if template.has_media:
                self._tell_of_media()

        self._frame.tasks.start("begin with a template", begin)

    def new_window(self) -> None:
        """Show another window."""
        self._windows.open_window()

    def quit(self) -> None:
        """Close every window, and end."""
        self._windows.quit()

    def take_dropped(self, paths: Sequence[Path]) -> None:
        """Open what was dropped on the window."""
        self._frame.tasks.start("open what was dropped", lambda: self.files.take_dropped(paths))

    def save(self) -> None:
        """Save the study."""
        self._frame.tasks.start("save", self.files.save)

    def save_as(self) -> None:
        """Save the study to another file."""
        self._frame.tasks.start("save", self.files.save_as)

    def export_layout(self) -> None:
        """Write the layout alone."""
        self._frame.tasks.start("export the layout", self.files.export_layout)

    def export_register(self) -> None:
        """Write every id that was made or seen to a file."""

        async def export() -> None:
            await self.files.export_register(await self.session.register())

        self._frame.tasks.start("export the register", export)

    def open_rules(self) -> None:
        """Show the rules on layouts, those broken first, open at the one in question."""
        from batchwright.ui.shell.rules_page import open_rules

        broken = [problem.code for problem in self.study.problems]
        open_rules(self._frame.host, broken, self._frame.shell.rule_in_question())

    def close(self) -> None:
        """Have no study."""
        self._frame.tasks.start("close the study", self.files.close)

    def add_connection(self) -> None:
        """Ask for a new connection, and send requests there from now on; an open study may stay."""

        async def add() -> None:
            connection = await self.connecting.add()
            if connection is not None and await self._is_switched(connection):
                await self.session.choose(connection.name)

        self._frame.tasks.start("add a connection", add)

    def look_at_connections(self) -> None:
        """Read the connections again, since another window may have changed them."""
        self._frame.tasks.start("look at connections", self.connecting.look_again)

    def choose_connection(self, name: str) -> None:
        """Send requests to another connection from now on."""
        self._frame.tasks.start("choose a connection", lambda: self.session.choose(name))

    def change_connection(self, connection: Connection) -> None:
        """Ask for another name, address, workspace or token of a connection."""
        self._frame.tasks.start("change a connection", lambda: self.connecting.change(connection))

    def remove_connection(self, connection: Connection) -> None:
        """Forget a connection, after asking."""
        self._frame.tasks.start("remove a connection", lambda: self.connecting.remove(connection))

    def start_service(self) -> None:
        """Have the service of this computer started, so that it is there when it is needed."""
        if not self.session.is_live:
            self._frame.tasks.start("start the service of this computer", self.session.bench)

    @property
    def service_condition(self) -> ServiceStatus:
        """How the service of this computer stands."""
        return self._own_service.condition

    def restart_service(self) -> None:
        """Start the service of this computer again after it failed."""

        async def restart() -> None:
            await self._own_service.running(self.session.told.emit)

        self._frame.tasks.start("start the service of this computer", restart)

    def recent_studies(self) -> Iterator[PaletteEntry]:
        """The studies opened lately, for the command finder."""
        for recent in self.files.recents:
            yield PaletteEntry(
                text=recent.name,
                where=short_folder(recent.path),
                glyph="file-text",
                keys="",
                why_not="",
                choose=partial(self.open_path, recent.path),
            )

    async def furnish(self, files: Sequence[Path]) -> None:
        """Read what Home shows, and open what the window is for.

        A step that fails is reported, and the others follow all the same. A file that cannot be opened leads
        to Home.
        """
        reporting = self._frame.tasks.reporting
        with reporting("read the connections"):
            await self.connecting.look_again()
        with reporting("read the recent studies"):
            await self.files.look_again()
        self._show_connection()
        await self._open_all(files)

    async def _open_all(self, files: Sequence[Path]) -> None:
        """Open the first file that can be opened here, the others in windows of their own.

        One notice tells of all that cannot be opened.
        """
        errors: list[Exception] = []
        for path in files:
            try:
                if self.study.is_open:
                    await self.files.check(path)
                    self._windows.open_window((path,))
                else:
                    await self.files.open(path)
            except Exception as error:
                errors.append(error)
        if files and not self.study.is_open:
            self._frame.shell.set_stage("home")
        if len(errors) == 1:
            self._frame.tasks.tell("open a study", errors[0])
        elif errors:
            title = ngettext("{count} file was not opened", "{count} files were not opened", len(errors))
            line = "\n".join(self._frame.tasks.message(error).what for error in errors)
            self._frame.notices.tell(
                Toast(ToastSeverity.FAILED, title.format(count=number(len(errors))), line)
            )

    async def begin(self, *, is_first: bool) -> None:
        """Start what nobody waits for; the first window of the program offers what a crash has left."""
        if is_first:
            with self._frame.tasks.reporting("find recovery copies"):
                await self.recovering.offer()
        self.start_service()
        self._job_news.begin()

    async def may_close(self) -> bool:
        """Whether the window can be closed without losing anything."""
        if not await self.files.may_leave():
            return False
        await self.recovering.end()
        self.session.end()
        self._own_service.leave(self._tell_service)
        return True

    async def _is_switched(self, added: Connection) -> bool:
        if not self.study.is_open:
            return True
        name = self.study.project.name or _(UNTITLED)
        return await SwitchQuestion(name, self.session.connection, added).ask(self._frame.host)

    def _tell_of_media(self) -> None:
        line = _(
            "They are bundled and show on the pages of this computer alone. Put the https addresses of your "
            "own into the data before you run this for others."
        )
        self._frame.notices.tell(
            Toast(ToastSeverity.INFO, _("The pictures and recordings are samples"), line)
        )

    def _tell_of_lost_connections(self, aside: Path) -> None:
        line = _(
            "It is kept as {path}. Add what is missing again: jobs and studies know it by its name."
        ).format(path=aside)
        notice = Toast(ToastSeverity.ADVICE, _("The list of connections could not be read"), line)
        self._frame.notices.tell(notice)

    def _change_chosen(self) -> None:
        if not self.session.connection.is_local:
            self.change_connection(self.session.connection)

    def _heed_connections(self) -> None:
        self.session.heed(self.connecting.all)
        self._show_connection()

    def _tell_service(self) -> None:
        self.service_changed.emit()

    def _tell(self, sentence: str) -> None:
        self._frame.shell.tell(sentence.rstrip("."))

    def _show_study(self) -> None:
        study = self.study
        if not study.is_open:
            self._frame.shell.set_document(None)
            self._frame.shell.set_remarks()
            return
        name = study.project.name or _(UNTITLED)
        self._frame.shell.set_document(shell.DocumentTitle(name, study.is_saved, study.path))
        saved = _("Saved") if study.is_saved else _("Not saved yet")
        self._frame.shell.set_remarks(shell.StatusMessage(saved), *self._problems())

    def _problems(self) -> Iterator[shell.StatusMessage]:
        """What the layout still lacks: problems, and apart from them what is only not filled in yet."""
        from batchwright.layout.rules import Severity

        counts = Counter(problem.severity for problem in self.study.problems)
        errors, unfilled = counts[Severity.ERROR], counts[Severity.UNFILLED]
        if errors:
            words = ngettext("{count} problem", "{count} problems", errors).format(count=number(errors))
            yield shell.StatusMessage(words, "err", "warning-circle-fill")
        if unfilled:
            words = ngettext("{count} to fill in", "{count} to fill in", unfilled)
            yield shell.StatusMessage(words.format(count=number(unfilled)), glyph="circle-dashed")
        if not errors and not unfilled:
            yield shell.StatusMessage(_("No problems"))

    def _show_connection(self) -> None:
        model, connection = self._frame.shell, self.session.connection
        model.set_connections(tuple(map(_shown, self.connecting.all)))
        model.set_connection(_shown(connection))


def _shown(connection: Connection) -> shell.ConnectionLabel:
    return shell.ConnectionLabel(
        connection.name,
        is_live=not connection.is_local,
        workspace=connection.workspace_id,
        title=connection.title,
    )
