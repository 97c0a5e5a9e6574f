"""A window with its controller on separate folders, without network access, with fake file dialogs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QRadioButton, QWidget

from batchwright.base.database import Database
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.client.local_service import LocalServiceManager
from batchwright.local.analysis_settings import AnalysisSettingsTable
from batchwright.local.autosave import AutosaveStore
from batchwright.local.connections import Connection, Connections, EnvironmentCredentials
from batchwright.local.database import open_database
from batchwright.local.job_table import JobRows
from batchwright.local.library import Library
from batchwright.local.paths import Folders
from batchwright.local.projects import Project, StudyKind
from batchwright.local.recent_studies import Recents
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable
from batchwright.local.study_files.file_bindings import FileBindings
from batchwright.local.versions import VersionStore
from batchwright.service.process import ServiceAddress, ServiceDidNotStart
from batchwright.ui.connections.controller import CheckAccount, ConnectionsController
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.core.web_images import WebImage, WebImages
from batchwright.ui.file_actions import EDIT, FILE, HELP
from batchwright.ui.home.stage import HomeStage, build_home
from batchwright.ui.program.window_controller import WindowController, WindowDependencies
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.file.autosave import Autosave
from batchwright.ui.study.file.file_commands import StudyFileCommands
from batchwright.ui.study.file.study_dialogs import NewStudyDialog
from batchwright.ui.study.file.version_recorder import current_time
from batchwright.ui.study.library import LibraryCommands
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.file_dialogs import IsRejected, never
from batchwright.wire.account import User
from batchwright.workflows.messages import describe
from tests.ui.conftest import REHEARSAL, activate_window, until
from tests.ui.fake_connection_pool import FakeConnectionPool


class FakeFileDialogs:
    """File dialogs that return a given path."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.proposed: Path | None = None

    async def folder_to_use(self, title: str, folder: Path | None = None) -> Path | None:
        return self.path

    async def file_to_open(
        self, title: str, kinds: tuple[str, ...], folder: Path | None = None
    ) -> Path | None:
        return self.path

    async def file_to_save(
        self,
        title: str,
        kinds: tuple[str, ...],
        proposed: Path,
        is_rejected: IsRejected = never,
        *,
        needs_suffix: bool = False,
    ) -> Path | None:
        self.proposed = proposed
        return self.path


class UnloadedImages(WebImages):
    """Images that are never loaded."""

    def __init__(self) -> None:
        super().__init__(_fetch_nothing, Tasks(describe))

    def show(self, address: str, viewer: QObject) -> WebImage:
        return WebImage(address, 0)


async def _fetch_nothing(_address: str) -> bytes:
    raise AssertionError("no test here loads an image")


def library_in(folder: Path, context: StageContext) -> LibraryCommands:
    """The templates and blocks in a folder; studies from templates are opened nowhere."""

    async def open_nowhere(project: Project, stage: str) -> None:
        raise AssertionError("no test here opens a template")

    return LibraryCommands(context, Library(folder), FakeFileDialogs(), open_nowhere)


class SingleWindow:
    """The windows of a program with a single window; `elsewhere` are files open in other windows."""

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


class FakeServiceProcess:
    """A local service process that does not start while `reason` is set."""

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


@dataclass(kw_only=True)
class UnavailablePool(FakeConnectionPool):
    """A pool without contexts: hosted connections need a token; the key ring can be absent or locked."""

    watcher: JobWatcher
    tokens: dict[str, str] = field(default_factory=dict)
    stored: set[str] = field(default_factory=set)
    has_ring: bool = True
    is_locked: bool = False
    resumed: list[Connection] = field(default_factory=list)
    errors: dict[str, Exception] = field(default_factory=dict)
    """The errors that resuming the jobs of a connection raises, by connection name."""
    own_service: LocalServiceManager = field(
        default_factory=lambda: LocalServiceManager(FakeServiceProcess, lambda: None)
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

    async def sign_in(self, name: str, token: str, *, is_stored: bool, has_key_ring: bool = True) -> None:
        if is_stored and self.is_locked:
            raise KeyringUnavailable(KeyringFailure.LOCKED, "the key ring is locked")
        if is_stored and not self.has_ring:
            raise KeyringUnavailable(KeyringFailure.ABSENT, "there is no key ring")
        self.tokens[name] = token
        self.stored |= {name} if is_stored else set()

    async def token(self, name: str) -> str | None:
        if self.is_locked:
            raise KeyringUnavailable(KeyringFailure.LOCKED, "the key ring is locked")
        return self.tokens.get(name)

    def is_in_use(self, name: str) -> bool:
        return name in self.tokens

    async def sign_out(self, name: str, *, is_stored: bool = True) -> None:
        if is_stored and self.is_locked:
            raise KeyringUnavailable(KeyringFailure.LOCKED, "the key ring is locked")
        self.tokens.pop(name, None)


async def accept_every_token(url: str, token: str, workspace_id: str, certificates: str) -> User:
    """Accept every token."""
    return User(id="1", email="a@example.org")


@dataclass
class OpenTestWindow:
    """An open window with everything that tests use."""

    window: Window
    shell: ShellState
    tasks: Tasks
    controller: WindowController
    dialogs: FakeFileDialogs
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

    def show_home(self) -> HomeStage:
        """Show the Home stage."""
        self.window.set_context(self.window.stage_context(self.tasks))
        self.shell.set_stage("home")
        (home,) = self.window.findChildren(HomeStage)
        return home

    async def settled(self) -> None:
        """Wait until no task is running except the start of the service, which never ends here."""
        await until(lambda: self.tasks.running <= {"start the service of this computer"})


def open_test_window(
    folder: Path,
    stages: Sequence[Stage] = (),
    check: CheckAccount = accept_every_token,
    offered: EnvironmentCredentials | None = None,
    now: Callable[[], datetime] = current_time,
) -> OpenTestWindow:
    """Open a window on a folder; needs a running event loop."""
    folders = Folders(folder / "data", folder / "cache")
    folders.create()
    shell = ShellState(REHEARSAL)
    home = Stage("home", "Home", "house", lambda context: build_home(context, controller))
    window = Window(shell, [home, *stages], Settings(folders.data))
    database = open_database(folders.data)
    tasks, dialogs, pool = (
        Tasks(describe),
        FakeFileDialogs(),
        UnavailablePool(
            watcher=JobWatcher(JobRows(database)),
            versions=VersionStore(database),
            bindings=FileBindings(database),
            analyses=AnalysisSettingsTable(database),
        ),
    )
    windows = SingleWindow()
    stage_context = window.stage_context(tasks)
    study = Study(window)
    connections = ConnectionsController(window, Connections(folders.data), pool, check, offered)
    session = ConnectionSession(
        pool, connections.connection, connections.sign_in, window, on_signed_out=connections.clear_owner
    )
    files = StudyFileCommands(
        stage_context, study, Recents(folders.data), dialogs, windows, session.file_bindings
    )
    library = LibraryCommands(stage_context, Library(folders.data), dialogs, files.open_new)
    autosave = Autosave(stage_context, study, AutosaveStore(folders.data), files)
    dependencies = WindowDependencies(
        study,
        session,
        files,
        connections,
        autosave,
        library,
        pool.own_service,
        UnloadedImages(),
        now,
    )
    controller = WindowController(stage_context, dependencies, windows)
    stage_context.actions.add(controller, FILE, study.saved_changed)
    stage_context.actions.add(controller, HELP, study.problems_changed)
    stage_context.actions.add(study, EDIT, study.changed)
    failures: list[str] = []
    tasks.failed.connect(lambda _name, message, _error: failures.append(message.what))
    window.show()
    activate_window(window)
    return OpenTestWindow(window, shell, tasks, controller, dialogs, pool, windows, database, failures)


@asynccontextmanager
async def window_in(
    folder: Path,
    stages: Sequence[Stage] = (),
    check: CheckAccount = accept_every_token,
    offered: EnvironmentCredentials | None = None,
    now: Callable[[], datetime] = current_time,
) -> AsyncIterator[OpenTestWindow]:
    """Yield an open window of a program with its data in `folder`, then close it."""
    test_window = open_test_window(folder, stages, check, offered, now)
    try:
        yield test_window
    finally:
        await test_window.tasks.aclose()
        await test_window.pool.own_service.close()
        test_window.database.close()
        test_window.window.force_close()
        test_window.window.deleteLater()


def press(parent: QWidget, name: str) -> None:
    """Click the visible button with this text or accessible name."""
    for button in parent.findChildren(QAbstractButton):
        if button.isVisible() and name in {button.accessibleName(), button.text()}:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            return
    raise AssertionError(f"no visible button is called {name}")
