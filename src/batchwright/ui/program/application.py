"""The running application: one process and one event loop, with a window for each study.

The start-up order matters: the first window is painted before the event loop, the HTTP client and the stages
are imported. A stage is imported when it is first shown. The program ends when its last window is closed.
"""

import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.interpreter import gc_on_this_thread, short_switch_interval
from batchwright.ui.core.settings import OpenStudy, Settings
from batchwright.ui.core.single_instance import SingleInstance
from batchwright.ui.program.language import use_language
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ConnectionLabel, ShellState
from batchwright.ui.shell.tray import Tray
from batchwright.ui.shell.window import Window
from batchwright.ui.shell.windows import OPENING, OPENING_TASKS, Windows
from batchwright.ui.theme import Theme, theme
from batchwright.ui.theme.focus import FocusRing
from batchwright.ui.theme.program_icon import program_icon
from batchwright.ui.theme.style import install
from batchwright.ui.theme.typography import load_remaining_fonts
from batchwright.ui.widgets.accessibility.accessible_interfaces import install_interfaces
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

if TYPE_CHECKING:
    import asyncio

    from batchwright.ui.core.background_tasks import TaskMessage, Tasks


from PySide6.QtCore import QEvent
from PySide6.QtGui import QFileOpenEvent


class DesktopApplication(QApplication):
    """Reports files that the desktop asks the running program to open.

    macOS sends an event for each file; other systems start the program again, see `SingleInstance`.
    """

    files_received = Signal(list)
    """A list with the path of the file."""

    def event(self, event: QEvent) -> bool:
        """Report the file of an event; events for URLs that are no files are left to Qt."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.files_received.emit([Path(event.file())])
            return True
        return super().event(event)


Describe = Callable[[BaseException], "TaskMessage"]


async def _nothing(window: "OpenWindow") -> None:
    """Default of `on_opened` and `on_interactive`: does nothing."""


async def _nothing_more() -> None:
    """Default of `on_ended`: does nothing."""


async def _yes(_window: "OpenWindow") -> bool:
    """Default of `may_close`: allows it."""
    return True


@dataclass(frozen=True)
class OpenWindow:
    """An open window, the context for its stages, and the files that it was opened for."""

    window: Window
    context: StageContext
    files: tuple[Path, ...]
    windows: Windows
    stage: str = ""
    """The stage that is shown when the file is open; empty for the first one of the study."""


@dataclass(frozen=True)
class ProgramDependencies:
    """What the application needs; `app.window` creates it."""

    folder: Path
    """The data folder."""
    connection: ConnectionLabel
    """The connection that a new window uses."""
    stages: Callable[[ShellState], Sequence[Stage]]
    """Returns the stages of a window. Building a stage may import modules; creating the table must not."""
    describe: Describe
    """Returns the message for an error; imports what it needs on its first call."""
    on_opened: Callable[[OpenWindow], Awaitable[None]] = _nothing
    """Run as a task of each new window before its stages are built: opens its study."""
    on_interactive: Callable[[OpenWindow], Awaitable[None]] = _nothing
    """Run once the visible stage is built: starts background work."""
    may_close: Callable[[OpenWindow], Awaitable[bool]] = _yes
    """Called before a window is closed: asks the user if necessary, saves, and returns whether it may
    close."""
    on_ended: Callable[[], Awaitable[None]] = _nothing_more
    """Awaited after all tasks have ended: stops the local service, closes connections."""
    open_files: "Callable[[OpenWindow, Sequence[Path]], Awaitable[None]] | None" = None
    """Opens files in a window without a study; without it, they are opened in a window of their own."""


def run(dependencies: ProgramDependencies, files: Sequence[Path] = ()) -> int:
    """Run the application until its last window is closed; a second instance only passes on its files.

    Returns the exit code.

    Raises:
        NoResponse: another process holds the lock of the data folder and does not respond.
        OSError: the data folder cannot be written to.
    """
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = DesktopApplication(sys.argv[:1])
    QCoreApplication.setApplicationName("Batchwright")
    QGuiApplication.setDesktopFileName("batchwright")
    use_language(app)
    instance = SingleInstance(dependencies.folder)
    if not instance.acquire_or_send(files):
        return 0
    program = Application(app, dependencies)
    instance.files_received.connect(program.open_files)
    app.files_received.connect(program.open_files)
    program.ending.connect(instance.stop_listening)
    program.open_first_windows(files)
    app.processEvents()
    import qasync  # after the first window is painted

    try:
        qasync.run(program.run_until_closed())
    finally:
        instance.release()
    return 0


@dataclass(frozen=True)
class _RequestedWindow:
    """A window, the files that are opened in it, and the stage that is shown then."""

    window: Window
    files: tuple[Path, ...]
    stage: str


class Application(QObject):
    """All windows of the program, and the tasks of each."""

    ended = Signal()
    """The last window was closed."""
    ending = Signal()
    """The program is about to end: no more windows are opened."""

    def __init__(self, app: QApplication, dependencies: ProgramDependencies) -> None:
        super().__init__()
        app.setQuitOnLastWindowClosed(False)
        app.setWindowIcon(program_icon())
        self._dependencies, self._settings = dependencies, Settings(dependencies.folder)
        settings = self._settings
        install_interfaces()
        install(
            Theme(settings.color_scheme, settings.text_size, animations_enabled=settings.animations_enabled)
        )
        FocusRing(app)
        self._tray = Tray(self, is_enabled=lambda: settings.shows_notifications)
        self._tray.window_requested.connect(_bring_to_front)
        app.applicationStateChanged.connect(self._refresh_animations)
        self._tasks: Tasks | None = None
        """The tasks of the application itself; each window has its own, which end with it."""
        self._windows: list[_RequestedWindow] = []
        self._opened: dict[Window, OpenWindow] = {}
        self._numbers = count(1)
        self._closing: set[Window] = set()
        """The windows that are being closed, so that each asks the user only once at a time."""
        self._is_quitting = False

    @property
    def windows(self) -> tuple[Window, ...]:
        """The open windows."""
        return tuple(requested.window for requested in self._windows)

    def open_first_windows(self, files: Sequence[Path]) -> None:
        """Open a window for some files; without any, the windows of the last run with their studies.

        What was open is forgotten until it is open again, so that a study that cannot be opened is not tried
        at each start.
        """
        studies, self._settings.open_studies = self._settings.open_studies, ()
        if files or not studies:
            self.open_window(files)
        else:
            for study in studies:
                self.open_window((study.path,), study.stage)

    def open_window(self, files: Sequence[Path] = (), stage: str = "") -> Window:
        """Open a window for some files; its stages are built once the event loop is running.

        Args:
            files: the files that are opened in it.
            stage: the id of the stage that is shown then; empty for the first one of the study.
        """
        state = ShellState(self._dependencies.connection)
        window = Window(state, self._dependencies.stages(state), self._settings)
        window.close_requested.connect(lambda: self._on_close_requested(window))
        window.notices.shown.connect(lambda notice: self._tray.show_notice(window, notice))
        state.document_changed.connect(self._record_open_studies)
        state.stage_changed.connect(self._record_open_studies)
        requested = _RequestedWindow(window, tuple(files), stage)
        self._windows.append(requested)
        window.show()
        window.activateWindow()
        if self._tasks is not None:
            self._prepare(requested)
        return window

    def open_files(self, files: Sequence[Path]) -> None:
        """Show files passed on by another instance: raise the windows that have them open.

        The others are opened in a window without a study, or in a new one.
        """
        others = [file for file in files if not self.show_file(file)]
        if not others and files:
            return
        open_files, unused = self._dependencies.open_files, self._window_without_study()
        if others and open_files is not None and unused is not None:
            _bring_to_front(unused.window)
            name = f"open files {next(self._numbers)}"
            unused.context.tasks.start(name, lambda: open_files(unused, others))
        else:
            self.open_window(others)

    def _window_without_study(self) -> OpenWindow | None:
        """A window whose study is closed, and in which the user opens none at the moment."""
        return next(
            (
                opened
                for window, opened in self._opened.items()
                if window.is_showing_stage
                and not window.has_study
                and window not in self._closing
                and opened.context.tasks.running.isdisjoint(OPENING_TASKS)
            ),
            None,
        )

    def show_file(self, path: Path, except_window: QWidget | None = None) -> bool:
        """Raise the window with a file, other than `except_window`; returns False if there is none."""
        window = self._window_with(path, except_window)
        if window is not None:
            _bring_to_front(window)
            title = _("“{name}” is already open in this window").format(name=path.name)
            window.notices.show_notice(Notice(NoticeSeverity.INFO, title, topic=title))
        return window is not None

    def has_file(self, path: Path, except_window: QWidget | None = None) -> bool:
        """Whether a window other than `except_window` has a file open."""
        return self._window_with(path, except_window) is not None

    def _window_with(self, path: Path, except_window: QWidget | None) -> Window | None:
        normalised = os.path.normcase(os.path.realpath(path))
        others = (
            window for window in self.windows if window is not except_window and window.file is not None
        )
        return next((window for window in others if os.path.normcase(str(window.file)) == normalised), None)

    def quit(self) -> None:
        """Close all windows, each with its own questions; stops at the first one that the user keeps open."""

        async def close_all() -> None:
            self._is_quitting = True
            try:
                for window in self.windows:
                    if window.isWindowModified():
                        _bring_to_front(window)  # it will ask the user
                    if not await self._close(window):
                        return
            finally:
                self._is_quitting = False
                self._record_open_studies()

        if self._tasks is not None:
            self._tasks.start("quit", close_all)

    async def run_until_closed(self) -> None:
        """Build the stages of the windows; return when the last window is closed or on SIGINT or SIGTERM."""
        import asyncio

        from batchwright.ui.core.background_tasks import Tasks
        from batchwright.ui.widgets.dialogs.file_dialogs import remember_folder_in

        remember_folder_in(self._settings)
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        self._tasks = Tasks(self._dependencies.describe)
        self._tasks.report_uncaught(loop)
        self._tasks.failed.connect(self._show_failure)
        self.ended.connect(stop.set)
        self._refresh_animations()
        listening = _listen_for_signals(loop, stop)
        for requested in self._windows:
            self._prepare(requested)
        QTimer.singleShot(0, self, load_remaining_fonts)
        try:
            with gc_on_this_thread(), short_switch_interval():
                await stop.wait()
        finally:
            self.ending.emit()
            tasks, self._tasks = self._tasks, None
            await tasks.aclose()
            await self._end_tasks()
            await self._dependencies.on_ended()  # the last events of jobs still reach the windows
            for window in self.windows:
                window.force_close()
                window.deleteLater()
            self._windows.clear()
            listening.stop()

    async def _end_tasks(self) -> None:
        """Cancel the tasks of all windows."""
        for opened in tuple(self._opened.values()):
            await opened.context.tasks.aclose()

    def _prepare(self, requested: "_RequestedWindow") -> None:
        from batchwright.ui.core.background_tasks import Tasks

        window, tasks = requested.window, Tasks(self._dependencies.describe)
        opened = OpenWindow(window, window.stage_context(tasks), requested.files, self, requested.stage)
        tasks.failed.connect(lambda name, message, _error: _show_message(opened, message, name))
        self._opened[window] = opened

        async def build_window() -> None:
            # The stages are shown even if `on_opened` fails: a window without them would be useless.
            with tasks.reporting("open window"):
                await self._dependencies.on_opened(opened)
            await window.build_stage(opened.context.shell.stage, opened.context)
            window.set_context(opened.context)
            with tasks.reporting("open window"):
                await self._dependencies.on_interactive(opened)
            await window.list_actions(opened.context)

        tasks.start("open window", build_window)

    def _on_close_requested(self, window: Window) -> None:
        if window not in self._opened or self._tasks is None:
            self._end(window)
            return
        self._tasks.start(f"close window {id(window)}", lambda: self._close(window))

    async def _close(self, window: Window) -> bool:
        """Close a window after asking the user; returns False if it stays open or is being closed already."""
        opened = self._opened.get(window)
        if opened is None or window in self._closing:
            return opened is None
        self._closing.add(window)
        try:
            if not await self._dependencies.may_close(opened):
                return False
            await opened.context.tasks.aclose()
        finally:
            self._closing.discard(window)
        self._end(window)
        return True

    def _end(self, window: Window) -> None:
        window.force_close()
        opened = self._opened.pop(window, None)
        if opened is not None:
            opened.context.tasks.failed.disconnect()  # the connected slot keeps a reference to the window
        self._windows = [requested for requested in self._windows if requested.window is not window]
        self._record_open_studies()
        window.deleteLater()
        if not self._windows:
            self.ended.emit()

    def _record_open_studies(self) -> None:
        """Store which studies are open; those of the last window, or of all while quitting, stay stored."""
        if self.windows and not self._is_quitting:
            self._settings.open_studies = tuple(
                OpenStudy(window.file, window.stage) for window in self.windows if window.file is not None
            )

    def _refresh_animations(self) -> None:
        """Read the system's setting for animations: at the start, and when the application becomes active."""
        if self._tasks is not None:
            self._tasks.start("animations", _read_animations)

    def _show_failure(self, _name: str, message: "TaskMessage", _error: BaseException) -> None:
        active = QApplication.activeWindow()
        opened = next((opened for window, opened in self._opened.items() if window is active), None)
        opened = opened or next(iter(self._opened.values()), None)
        if opened is not None:
            _show_message(opened, message)


async def _read_animations() -> None:
    from batchwright.ui.theme.motion import system_animations_enabled

    theme().set_system_animations_enabled(enabled=await system_animations_enabled())


def _bring_to_front(window: QWidget) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.raise_()
    window.activateWindow()


def _show_message(opened: OpenWindow, message: "TaskMessage", task: str = "") -> None:
    """Show a message about an error, in place of an earlier one with the same text.

    One about a defect of the program offers the support report.
    """
    topic, actions = OPENING if task in OPENING_TASKS else message.what, opened.context.actions
    notice = Notice(
        NoticeSeverity.ERROR, message.what, message.remedy, topic=topic, help_address=message.help_address
    )
    if message.is_bug and actions.has(ActionId.SUPPORT_REPORT):
        notice = replace(
            notice, action_label=_("Support report…"), action=partial(actions.run, ActionId.SUPPORT_REPORT)
        )
    opened.window.notices.show_notice(notice)


def _listen_for_signals(loop: "asyncio.AbstractEventLoop", stop: "asyncio.Event") -> QTimer:
    """Set `stop` on SIGINT and SIGTERM.

    Windows delivers signals only while Python code runs, hence the timer.
    """
    tick = QTimer()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda _number, _frame: stop.set())
            tick.start(500)
        else:
            loop.add_signal_handler(number, stop.set)
    return tick
