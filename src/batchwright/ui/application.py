"""The running program: one process with a window for each study, and one loop under all of them.

The order matters. The first window is painted before the loop, the network and the stages are even imported;
then everything runs in the loop until the last window has ended.
"""

import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.ui.core.gc_scheduling import gc_on_this_thread
from batchwright.ui.core.settings import Settings
from batchwright.ui.core.single_instance import SingleInstance
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ConnectionLabel, ShellState
from batchwright.ui.shell.tray import Tray
from batchwright.ui.shell.window import Window
from batchwright.ui.shell.windows import Windows
from batchwright.ui.theme import Theme, theme
from batchwright.ui.theme.focus import FocusRing
from batchwright.ui.theme.style import install
from batchwright.ui.theme.typography import load_remaining_fonts
from batchwright.ui.widgets.accessible import install_interfaces
from batchwright.ui.widgets.notices import Toast, ToastSeverity

if TYPE_CHECKING:  # asyncio takes longer to import than the window to be painted
    import asyncio

    from batchwright.ui.core.background_tasks import TaskMessage, Tasks

Describe = Callable[[BaseException], "TaskMessage"]


async def _nothing(window: "OpenWindow") -> None:
    """What is done with a window when nothing has to be."""


async def _nothing_to_load(id: str) -> None:
    """What is loaded for a stage when it is there already."""


async def _nothing_more() -> None:
    """What is done at the end when nothing has to be."""


async def _yes(window: "OpenWindow") -> bool:
    """What is answered when nothing speaks against closing."""
    return True


@dataclass(frozen=True)
class OpenWindow:
    """A window that stands, what its stages are given, and the files it was opened for."""

    window: Window
    context: StageContext
    files: tuple[Path, ...]
    windows: Windows


@dataclass(frozen=True)
class ProgramDependencies:
    """What the program is made of; `bootstrap` hands it in."""

    folder: Path
    """The program's data folder."""
    connection: ConnectionLabel
    """What a window begins with."""
    stages: Callable[[ShellState], Sequence[Stage]]
    """The table for one window; building a stage may import what it likes, making the table may not."""
    describe: Describe
    """Makes messages of errors; imports what it needs for that when it is first called."""
    on_opened: Callable[[OpenWindow], Awaitable[None]] = _nothing
    """Run as a task of each new window before its stages are built: opens its study."""
    on_usable: Callable[[OpenWindow], Awaitable[None]] = _nothing
    """Run once the stage shown can be used, before the others are built: starts what nobody waits for."""
    may_close: Callable[[OpenWindow], Awaitable[bool]] = _yes
    """Asked before a window closes; it may ask the person, and saves what is to be saved."""
    on_ended: Callable[[], Awaitable[None]] = _nothing_more
    """Awaited when everything that ran has ended: ends the service, closes connections."""
    load_stage: Callable[[str], Awaitable[None]] = _nothing_to_load
    """Imports what a stage is made of, before it is built."""


def run(dependencies: ProgramDependencies, files: Sequence[Path] = ()) -> int:
    """Run the program until its last window has ended; a second start hands over its files instead.

    Returns the exit code: 2 when another program holds the data folder and does not answer.
    """
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(sys.argv[:1])
    QCoreApplication.setApplicationName("Batchwright")
    QGuiApplication.setDesktopFileName("batchwright")
    instance = SingleInstance(dependencies.folder)
    is_first = instance.acquire_or_send(files)
    if not is_first:
        return 2 if is_first is None else 0
    program = Application(app, dependencies)
    instance.files_received.connect(program.open_files)
    program.ending.connect(instance.stop_listening)
    program.open_window(files)
    app.processEvents()
    import qasync  # after the first paint

    try:
        qasync.run(program.run_until_closed())
    finally:
        instance.release()
    return 0


class Application(QObject):
    """All windows, and the work that runs in each."""

    ended = Signal()
    """The last window has ended."""
    ending = Signal()
    """The program ends now: no window is opened any more."""

    def __init__(self, app: QApplication, dependencies: ProgramDependencies) -> None:
        super().__init__()
        app.setQuitOnLastWindowClosed(False)
        self._dependencies, self._settings = dependencies, Settings(dependencies.folder)
        settings = self._settings
        install_interfaces()
        install(
            Theme(settings.color_scheme, settings.text_size, animations_enabled=settings.animations_enabled)
        )
        self._focus_ring = FocusRing(app)
        self._tray = Tray(self)
        self._tray.window_requested.connect(_bring_to_front)
        app.applicationStateChanged.connect(self._refresh_animations)
        self._tasks: Tasks | None = None
        """What the program itself does; the work of a window is its own, and ends with it."""
        self._windows: list[tuple[Window, tuple[Path, ...]]] = []
        self._opened: dict[Window, OpenWindow] = {}
        self._closing: set[Window] = set()
        """The windows that are being closed: each asks once at a time."""

    @property
    def windows(self) -> tuple[Window, ...]:
        """The windows that are open."""
        return tuple(window for window, _files in self._windows)

    def open_window(self, files: Sequence[Path] = ()) -> Window:
        """Show a window for some files; it is furnished as soon as the loop runs."""
        model = ShellState(self._dependencies.connection)
        window = Window(model, self._dependencies.stages(model), self._settings)
        window.close_requested.connect(lambda: self._on_close_requested(window))
        window.toasts.shown.connect(lambda notice: self._tray.show_toast(window, notice))
        self._windows.append((window, tuple(files)))
        window.show()
        window.activateWindow()
        if self._tasks is not None:
            self._prepare(window, tuple(files))
        return window

    def open_files(self, files: Sequence[Path]) -> None:
        """Show windows for files that another start hands over: those that are open already, or a new one."""
        others = [file for file in files if not self.show_file(file)]
        if others or not files:
            self.open_window(others)

    def show_file(self, path: Path, besides: QWidget | None = None) -> bool:
        """Bring the window to the front that has a file open, other than `besides`; False without one."""
        window = self._window_with(path, besides)
        if window is not None:
            _bring_to_front(window)
        return window is not None

    def has_file(self, path: Path, besides: QWidget | None = None) -> bool:
        """Whether a window other than `besides` has a file open."""
        return self._window_with(path, besides) is not None

    def _window_with(self, path: Path, besides: QWidget | None) -> Window | None:
        wanted = os.path.normcase(path)
        others = (window for window in self.windows if window is not besides and window.file is not None)
        return next((window for window in others if os.path.normcase(str(window.file)) == wanted), None)

    def quit(self) -> None:
        """Close every window, each with its own questions; the first that stays open ends it."""

        async def close_all() -> None:
            for window in self.windows:
                if window.isWindowModified():
                    _bring_to_front(window)  # it asks
                if not await self._close(window):
                    return

        if self._tasks is not None:
            self._tasks.start("quit", close_all)

    async def run_until_closed(self) -> None:
        """Furnish the windows and run until the last has ended, or the system asks to end."""
        import asyncio

        from batchwright.ui.core.background_tasks import Tasks
        from batchwright.ui.widgets.file_dialogs import remember_folder_in

        remember_folder_in(self._settings)
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        self._tasks = Tasks(self._dependencies.describe)
        self._tasks.catch_the_rest(loop)
        self._tasks.failed.connect(self._show_failure)
        self.ended.connect(stop.set)
        self._refresh_animations()
        listening = _listen_for_signals(loop, stop)
        for window, files in self._windows:
            self._prepare(window, files)
        QTimer.singleShot(0, self, load_remaining_fonts)
        try:
            with gc_on_this_thread():
                await stop.wait()
        finally:
            self.ending.emit()
            tasks, self._tasks = self._tasks, None
            await tasks.aclose()
            for opened in tuple(self._opened.values()):
                await opened.context.tasks.aclose()
            await self._dependencies.on_ended()  # what was watched tells its end to windows that still stand
            for window in self.windows:
                window.force_close()
                window.deleteLater()
            self._windows.clear()
            listening.stop()

    def _prepare(self, window: Window, files: tuple[Path, ...]) -> None:

        from batchwright.ui.core.background_tasks import Tasks

        tasks = Tasks(self._dependencies.describe)
        tasks.failed.connect(lambda _name, message, _error: _show_message(window, message))
        opened = OpenWindow(window, window.stage_context(tasks), files, self)
        self._opened[window] = opened

        async def furnish() -> None:
            # Whatever fails, the stages are built: a window without them would be of no use.
            with tasks.reporting("open window"):
                await self._dependencies.on_opened(opened)
            await self._dependencies.load_stage(opened.context.shell.stage)
            window.set_context(opened.context)
            with tasks.reporting("open window"):
                await self._dependencies.on_usable(opened)
            for id in window.stage_ids:
                await self._dependencies.load_stage(id)
            window.build_remaining_stages()

        tasks.start("open window", furnish)

    def _on_close_requested(self, window: Window) -> None:
        if window not in self._opened or self._tasks is None:
            self._end(window)
            return
        self._tasks.start(f"close window {id(window)}", lambda: self._close(window))

    async def _close(self, window: Window) -> bool:
        """Close a window after its questions; False when it stays open, or is asking already."""
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
            opened.context.tasks.failed.disconnect()  # what hears of it holds the window
        self._windows = [entry for entry in self._windows if entry[0] is not window]
        window.deleteLater()
        if not self._windows:
            self.ended.emit()

    def _refresh_animations(self) -> None:
        """See whether the system wants things to move: at first, and whenever someone comes back to us."""
        if self._tasks is not None:
            self._tasks.start("animations", _read_animations)

    def _show_failure(self, _name: str, message: "TaskMessage", _error: BaseException) -> None:
        active = QApplication.activeWindow()
        window = next((window for window in self.windows if window is active), None)
        window = window or next(iter(self.windows), None)
        if window is not None:
            _show_message(window, message)


async def _read_animations() -> None:
    from batchwright.ui.theme.motion import system_animations_enabled

    theme().set_system_animations_enabled(enabled=await system_animations_enabled())


def _bring_to_front(window: QWidget) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.raise_()
    window.activateWindow()


def _show_message(window: Window, message: "TaskMessage") -> None:
    window.toasts.show_toast(Toast(ToastSeverity.ERROR, message.what, message.remedy))


def _listen_for_signals(loop: "asyncio.AbstractEventLoop", stop: "asyncio.Event") -> QTimer:
    """End on Ctrl+C and when the system asks to.

    Windows delivers signals only while Python runs, hence the timer.
    """
    tick = QTimer()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda _number, _frame: stop.set())
            tick.start(500)
        else:
            loop.add_signal_handler(number, stop.set)
    return tick
