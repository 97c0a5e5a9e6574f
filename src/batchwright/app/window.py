"""What the screen is made of. Until the first paint nothing is imported that the shell does not show."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from batchwright.base.i18n import _
from batchwright.base.logging import set_level
from batchwright.local.paths import Folders, default_paths
from batchwright.ui.application import OpenWindow, ProgramDependencies, run
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import THIS_COMPUTER, ConnectionLabel, ShellState
from batchwright.ui.stages import load_stage, stage_table

_IMPORTED_AFTER_FIRST_PAINT = (
    "batchwright.workflows.messages",
    "batchwright.workflows.sign_in",
    "batchwright.client.id_recorder",
    "batchwright.client.job_monitoring.job_watcher",
    "batchwright.client.job_monitoring.connection_jobs",
)
"""What connections, jobs and messages of errors are made of; Home can be used without."""

_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}

if TYPE_CHECKING:  # all of this would be imported before the window is painted
    from batchwright.client.connection_pool import ConnectionPool
    from batchwright.ui.core.background_tasks import TaskMessage
    from batchwright.ui.window_controller import WindowController


def window(files: Sequence[Path] = ()) -> int:
    """Run the program until its last window has ended; returns the exit code.

    Raises:
        OSError: the program's folders cannot be made.
    """
    folders = default_paths()
    folders.create()
    set_level(Settings(folders.data).log_level)
    qInstallMessageHandler(log_qt_message)
    return run(program_dependencies(folders), files)


def log_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Write a message of Qt to the log."""
    logging.getLogger("batchwright.qt").log(_QT_LEVELS.get(kind, logging.WARNING), "%s", text)


def program_dependencies(folders: Folders, desks: "WindowControllers | None" = None) -> ProgramDependencies:
    """The parts of the program on some folders."""
    desks = desks or WindowControllers(folders)
    return ProgramDependencies(
        folder=folders.data,
        connection=ConnectionLabel(THIS_COMPUTER, is_live=False),
        stages=desks.stages,
        describe=_describe,
        load_stage=load_stage,
        on_opened=desks.opened,
        on_usable=desks.usable,
        may_close=desks.may_close,
        on_ended=desks.ended,
    )


def run_self_test(folders: Folders) -> list[str]:
    """Open a window, walk through its stages with the sample study, and end.

    Returns:
        a sentence for everything that went wrong.
    """
    desks, found = WindowControllers(folders), [_("The window was not opened.")]

    async def opened(opened: OpenWindow) -> None:
        from batchwright.app.self_test import visit_all_stages

        async def walk_it() -> None:
            try:
                found[:] = await visit_all_stages(opened, desks.desk(opened), opened.window.stage_ids)
            finally:
                opened.window.close()

        await desks.opened(opened)
        opened.context.tasks.start("walk through the window", walk_it)

    code = run(replace(program_dependencies(folders, desks), on_opened=opened))
    return found if not code else [_("Another program holds the folder.")]


class WindowControllers:
    """The desks of all windows, and what they share: one service on this computer, one database."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._desks: dict[ShellState, WindowController] = {}
        self._benches: ConnectionPool | None = None
        self._is_first = True

    def stages(self, model: ShellState) -> Sequence[Stage]:
        """The table of stages for one window."""
        return stage_table(lambda: self._desks[model])

    def desk(self, opened: OpenWindow) -> "WindowController":
        """The desk of a window that is furnished."""
        return self._desks[opened.context.shell]

    async def opened(self, opened: OpenWindow) -> None:
        """Furnish a window that has just been painted."""
        from batchwright.app.window_context import connection_pool, window_context
        from batchwright.ui.file_actions import EDIT, FILE, HELP
        from batchwright.ui.shell.command_search import CommandGroup

        self._benches = self._benches or connection_pool(self._folders)
        desk = self._desks[opened.context.shell] = window_context(opened, self._folders, self._benches)
        desk.connections.changed.connect(self._tell_of_connections)
        opened.context.actions.add(desk, FILE, desk.study.saved_changed)
        opened.context.actions.add(desk, HELP, desk.study.problems_changed)
        opened.context.actions.add(desk.study, EDIT, desk.study.changed)
        opened.window.command_groups.append(CommandGroup(_("Recent studies"), desk.recent_studies))
        await desk.load(opened.files)

    async def usable(self, opened: OpenWindow) -> None:
        """Start what nobody waits for; the first window offers what a crash has left."""
        from batchwright.ui.core.lazy_imports import import_incrementally

        is_first, self._is_first = self._is_first, False
        for name in _IMPORTED_AFTER_FIRST_PAINT:
            await import_incrementally(name)
        await self.desk(opened).start(is_first=is_first)

    async def may_close(self, opened: OpenWindow) -> bool:
        """Whether a window can be closed; a desk that does not stand yet has nothing to lose."""
        desk = self._desks.get(opened.context.shell)
        if desk is not None and not await desk.may_close():
            return False
        self._desks.pop(opened.context.shell, None)
        return True

    def _tell_of_connections(self) -> None:
        """What one window has changed about the connections holds for the others, too."""
        for desk in self._desks.values():
            desk.refresh_connections()

    async def ended(self) -> None:
        """End what the windows shared."""
        if self._benches is not None:
            await self._benches.close()


def _describe(error: BaseException) -> "TaskMessage":
    from batchwright.workflows.messages import describe

    return describe(error)
