"""A window with its desk, on folders of its own, without a network; asks nobody for files."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QRadioButton, QWidget

from batchwright.base.database import Database
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.client.local_service import LocalServiceManager
from batchwright.local.autosave import AutosaveStore
from batchwright.local.connections import Connection, Connections, EnvironmentCredentials
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.local.job_table import JobRows
from batchwright.local.library import Library
from batchwright.local.paths import Folders
from batchwright.local.projects import Project, StudyKind
from batchwright.local.recent_studies import Recents
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable
from batchwright.local.sent_files import SentFiles
from batchwright.local.versions import VersionStore
from batchwright.service.process import ServiceAddress, ServiceDidNotStart
from batchwright.ui.connections.controller import CheckAccount, ConnectionsController
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.file_actions import EDIT, FILE, HELP
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.autosave import Autosave
from batchwright.ui.study.file_commands import StudyFileCommands
from batchwright.ui.study.file_dialogs import NewStudyDialog
from batchwright.ui.study.library import LibraryCommands
from batchwright.ui.study.study_model import Study
from batchwright.ui.study.version_recorder import current_time
from batchwright.ui.window_controller import WindowController, WindowDependencies
from batchwright.wire.account import User
from batchwright.workflows.messages import describe
from tests.ui.conftest import REHEARSAL, activate_window, until


class AnswersForFiles:
    """Answers for the person who would choose files."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.proposed: Path | None = None

    async def file_to_open(
        self, title: str, kinds: tuple[str, ...], folder: Path | None = None
    ) -> Path | None:
        return self.path

    async def file_to_save(self, title: str, kinds: tuple[str, ...], proposed: Path) -> Path | None:
        self.proposed = proposed
        return self.path


def library_in(folder: Path, context: StageContext) -> LibraryCommands:
    """The templates and blocks in a folder; studies from templates are opened nowhere."""

    async def open_nowhere(project: Project, stage: str) -> None:
        raise AssertionError("no test here opens a template")

    return LibraryCommands(context, Library(folder), AnswersForFiles(), open_nowhere)


class SingleWindow:
    """Windows of a program that has this one alone; `elsewhere` are files that another would have open."""

    def __init__(self) -> None:
        self.elsewhere: set[Path] = set()
        self.shown: list[Path] = []
        self.opened: list[Path] = []
        self.has_quit = False

    def open_window(self, files: Sequence[Path] = ()) -> None:
        self.opened += files

    def show_file(self, path: Path, except_window: QWidget | None = None) -> bool:
        is_open = self.has_file(path)
        self.shown += [path] if is_open else []
        return is_open

    def has_file(self, path: Path, except_window: QWidget | None = None) -> bool:
        return path in self.elsewhere

    def quit(self) -> None:
        self.has_quit = True


class NoHost:
    """A service of this computer that does not start while `reason` says why."""

    reason: ClassVar[str] = "the data folder is in use"

    def __init__(self, ended: Callable[[], object]) -> None:
        self.is_running = False
        self.recent_output = ""

    def start(self) -> ServiceAddress:
        if self.reason:
            raise ServiceDidNotStart(self.reason)
        self.is_running = True
        return ServiceAddress("http://127.0.0.1:9", "w", "t")

    def stop(self) -> None:
        self.is_running = False


@dataclass
class UnavailablePool:
    """Opens nothing: each hosted connection wants a token; the keyring is absent or locked when told to."""

    watching: JobWatcher
    tokens: dict[str, str] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    has_ring: bool = True
    is_locked: bool = False
    ids: IdRegistry | None = None
    versions: VersionStore | None = None
    resumed: list[Connection] = field(default_factory=list)
    errors: dict[str, Exception] = field(default_factory=dict)
    """Why the jobs of a connection cannot be watched again."""
    own_service: LocalServiceManager = field(
        default_factory=lambda: LocalServiceManager(NoHost, lambda: None)
    )

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        if connection.is_local:
            notify("The service on this computer is ready.")
            await asyncio.Event().wait()
        raise NotSignedIn(connection.name)

    async def resume(self, connection: Connection, notify: Notify) -> None:
        self.resumed.append(connection)
        if connection.name in self.errors:
            raise self.errors[connection.name]

    async def sent_files(self) -> SentFiles:
        raise AssertionError("no test here looks at feedback files")

    async def id_registry(self) -> IdRegistry:
        assert self.ids is not None
        return self.ids

    async def version_store(self) -> VersionStore:
        assert self.versions is not None
        return self.versions

    async def job_watcher(self) -> JobWatcher:
        return self.watching

    async def sign_in(self, name: str, token: str, *, is_stored: bool, has_key_ring: bool = True) -> None:
        if is_stored and self.is_locked:
            raise KeyringUnavailable(KeyringFailure.LOCKED, "nobody unlocked it")
        if is_stored and not self.has_ring:
            raise KeyringUnavailable(KeyringFailure.ABSENT, "there is none")
        self.tokens[name] = token
        self.kept |= {name} if is_stored else set()

    async def token(self, name: str) -> str | None:
        if self.is_locked:
            raise KeyringUnavailable(KeyringFailure.LOCKED, "nobody unlocked it")
        return self.tokens.get(name)

    def is_in_use(self, name: str) -> bool:
        return name in self.tokens

    async def sign_out(self, name: str, *, is_stored: bool = True) -> None:
        if is_stored and self.is_locked:
            raise KeyringUnavailable(KeyringFailure.LOCKED, "nobody unlocked it")
        self.tokens.pop(name, None)


async def anybody(url: str, token: str, workspace_id: str, certificates: str) -> User:
    """A service that knows every token."""
    return User(id="1", email="a@example.org")


@dataclass
class OpenTestWindow:
    """A window that stands, with all that tests touch."""

    window: Window
    model: ShellState
    tasks: Tasks
    controller: WindowController
    dialogs: AnswersForFiles
    pool: UnavailablePool
    windows: SingleWindow
    database: Database
    failures: list[str]

    def start(self, command: Callable[[], Awaitable[object]]) -> None:
        """Run a command of the window as a task."""
        self.tasks.start(getattr(command, "__name__", "command"), command)

    async def create_study(self, kind: StudyKind = StudyKind.BATCH) -> None:
        """Create an empty study with the command and its dialog."""
        self.start(self.controller.files.new)
        await until(lambda: bool(self.window.findChildren(NewStudyDialog)))
        (dialog,) = self.window.findChildren(NewStudyDialog)
        batch, collection = dialog.findChildren(QRadioButton)
        (batch if kind is StudyKind.BATCH else collection).click()
        press(dialog, "Create")
        await self.settled()

    async def settled(self) -> None:
        """Wait until nothing runs but the start of the service, which never ends here."""
        await until(lambda: self.tasks.running <= {"start the service of this computer"})


def open_test_window(
    folder: Path,
    stages: Sequence[Stage] = (),
    check: CheckAccount = anybody,
    offered: EnvironmentCredentials | None = None,
    now: Callable[[], datetime] = current_time,
) -> OpenTestWindow:
    """A window on a folder; needs a running loop."""
    folders = Folders(folder / "data", folder / "cache")
    folders.create()
    model = ShellState(REHEARSAL)
    window = Window(model, stages, Settings(folders.data))
    database = open_database(folders.data)
    tasks, dialogs, pool = (
        Tasks(describe),
        AnswersForFiles(),
        UnavailablePool(JobWatcher(JobRows(database)), versions=VersionStore(database)),
    )
    windows = SingleWindow()
    stage_context = window.stage_context(tasks)
    study = Study(window)
    connecting = ConnectionsController(window, Connections(folders.data), pool, check, offered)
    session = ConnectionSession(
        pool, connecting.connection, connecting.sign_in, window, on_signed_out=connecting.clear_owner
    )
    files = StudyFileCommands(stage_context, study, Recents(folders.data), dialogs, windows)
    library = LibraryCommands(stage_context, Library(folders.data), dialogs, files.open_new)
    recovering = Autosave(stage_context, study, AutosaveStore(folders.data), files)
    parts = WindowDependencies(study, session, files, connecting, recovering, library, pool.own_service, now)
    controller = WindowController(stage_context, parts, windows)
    stage_context.actions.add(controller, FILE, study.saved_changed)
    stage_context.actions.add(controller, HELP, study.problems_changed)
    stage_context.actions.add(study, EDIT, study.changed)
    failures: list[str] = []
    tasks.failed.connect(lambda _name, message, _error: failures.append(message.what))
    window.show()
    activate_window(window)
    return OpenTestWindow(window, model, tasks, controller, dialogs, pool, windows, database, failures)


def with_test_window(
    loop: asyncio.AbstractEventLoop,
    folder: Path,
    steps: Callable[[OpenTestWindow], Awaitable[None]],
    stages: Sequence[Stage] = (),
    check: CheckAccount = anybody,
    offered: EnvironmentCredentials | None = None,
    now: Callable[[], datetime] = current_time,
) -> None:
    """Take some steps at a desk, then end everything."""

    async def do() -> None:
        standing = open_test_window(folder, stages, check, offered, now)
        try:
            await steps(standing)
        finally:
            await standing.tasks.aclose()
            standing.database.close()
            standing.window.force_close()
            standing.window.deleteLater()

    loop.run_until_complete(asyncio.wait_for(do(), 30))


def press(parent: QWidget, name: str) -> None:
    """Click the visible button with this text or accessible name."""
    for button in parent.findChildren(QAbstractButton):
        if button.isVisible() and name in {button.accessibleName(), button.text()}:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            return
    raise AssertionError(f"no visible button is called {name}")
