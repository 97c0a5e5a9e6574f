"""Builds the windows of the program. Modules that the first paint does not need are imported after it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, QTimer, QtMsgType, qInstallMessageHandler

from batchwright.base.i18n import _, set_program_language
from batchwright.base.local_formats import joined, load_formats
from batchwright.base.logging import set_level
from batchwright.base.network_settings import NetworkSettings
from batchwright.local.paths import Folders, default_paths
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import Settings
from batchwright.ui.program.application import OpenWindow, ProgramDependencies, run
from batchwright.ui.shell.callouts import offer_callouts
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import THIS_COMPUTER, ConnectionLabel, ShellState
from batchwright.ui.stages import stage_table

_IMPORTED_AFTER_FIRST_PAINT = (
    "batchwright.workflows.messages",
    "batchwright.workflows.check_account",
    "batchwright.client.id_recorder",
    "batchwright.client.job_monitoring.job_watcher",
    "batchwright.client.job_monitoring.connection_jobs",
)
"""Modules for connections, jobs and error messages; Home works without them."""

_SELF_TEST_TIMEOUT_S = 60.0
_POLL_INTERVAL_S = 0.02
_STAGE_LOAD_S = 0.3
"""Seconds that the self-test gives a stage to load."""

_HOUR_MS = 60 * 60 * 1000
"""How often the program looks whether the daily update check is due."""

_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}

if TYPE_CHECKING:  # not imported before the window is painted
    from batchwright.client.connection_pool import ConnectionPool
    from batchwright.ui.core.background_tasks import TaskMessage
    from batchwright.ui.program.window_controller import WindowController
    from batchwright.ui.support.context import SupportContext


def run_program(files: Sequence[Path] = ()) -> int:
    """Run the program until its last window is closed; returns the exit code.

    Raises:
        NoResponse: another process holds the lock of the data folder and does not respond.
        OSError: the program's folders cannot be created or written to.
    """
    folders = default_paths()
    folders.create()
    settings = Settings(folders.data)
    set_level(settings.log_level)
    if settings.language:
        set_program_language(settings.language)
    qInstallMessageHandler(log_qt_message)
    offer_callouts(settings)
    return run(program_dependencies(folders), files)


def log_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Write a Qt message to the log."""
    logging.getLogger("batchwright.qt").log(_QT_LEVELS.get(kind, logging.WARNING), "%s", text)


def program_dependencies(
    folders: Folders, controllers: "WindowControllers | None" = None
) -> ProgramDependencies:
    """Create the dependencies of the program for a set of folders."""
    controllers = controllers or WindowControllers(folders)
    return ProgramDependencies(
        folder=folders.data,
        connection=ConnectionLabel(THIS_COMPUTER, is_live=False),
        stages=controllers.stages,
        describe=_describe,
        open_files=controllers.open_files,
        on_opened=controllers.on_opened,
        on_interactive=controllers.on_interactive,
        may_close=controllers.may_close,
        on_ended=controllers.on_ended,
    )


def run_self_test(folders: Folders) -> list[str]:
    """Open a window, visit all stages with the sample study, and close it.

    Returns:
        a message for each problem.
    """
    controllers, problems = WindowControllers(folders), [_("The window was not opened.")]

    async def on_opened(opened: OpenWindow) -> None:
        async def visit() -> None:
            try:
                problems[:] = await visit_all_stages(
                    opened, controllers.controller(opened), opened.window.stage_ids
                )
            finally:
                opened.window.close()

        await controllers.on_opened(opened)
        opened.context.tasks.start("visit all stages", visit)

    run(replace(program_dependencies(folders, controllers), on_opened=on_opened))
    return problems


async def visit_all_stages(
    opened: OpenWindow, controller: "WindowController", stages: Sequence[str]
) -> list[str]:
    """Open the sample study and show these stages; returns a message for each problem."""
    import asyncio

    from batchwright.ui.core.web_images import missing_formats
    from batchwright.ui.widgets.notices import NoticeSeverity

    if missing := missing_formats():
        return [_("Images cannot be shown: {formats}.").format(formats=joined(sorted(missing)))]
    try:
        async with asyncio.timeout(_SELF_TEST_TIMEOUT_S):
            await controller.session.context()
            controller.run_action(ActionId.TRY_SAMPLE)
            await _until(lambda: controller.study.is_open)
            for stage in stages:
                opened.context.shell.set_stage(stage)
                await _until(lambda: opened.window.is_showing_stage)
                await asyncio.sleep(_STAGE_LOAD_S)
    except TimeoutError:
        return [_("The window did not respond within {seconds} s.").format(seconds=_SELF_TEST_TIMEOUT_S)]
    failed = [
        card.notice for card in opened.window.notices.cards if card.notice.severity is NoticeSeverity.ERROR
    ]
    controller.study.close()
    return [f"{notice.title} {notice.text}" for notice in failed]


async def _until(condition: Callable[[], bool]) -> None:
    import asyncio

    while not condition():  # noqa: ASYNC110 - Qt state sets no event
        await asyncio.sleep(_POLL_INTERVAL_S)


class WindowControllers:
    """The controllers of all windows and the connection pool that they share."""

    def __init__(self, folders: Folders) -> None:
        self._folders, self._settings = folders, Settings(folders.data)
        self._proxy_passwords = ProxyPasswords()
        self._controllers: dict[ShellState, WindowController] = {}
        self._pool: ConnectionPool | None = None
        self._is_first = True
        self._support: dict[ShellState, SupportContext] = {}
        self._update_timer: QTimer | None = None

    def stages(self, model: ShellState) -> Sequence[Stage]:
        """The stages of a window."""
        return stage_table(lambda: self._controllers[model])

    def controller(self, opened: OpenWindow) -> "WindowController":
        """The controller of an open window."""
        return self._controllers[opened.context.shell]

    async def on_opened(self, opened: OpenWindow) -> None:
        """Create the controller of a window that has just been painted."""
        from batchwright.app.window_context import connection_pool, window_context
        from batchwright.ui.file_actions import EDIT, FILE, HELP
        from batchwright.ui.shell.command_palette import CommandGroup
        from batchwright.ui.support.actions import SUPPORT

        # First: a message about an error below offers the support report.
        support = self._support[opened.context.shell] = self._support_context(opened)
        opened.context.actions.add(support, SUPPORT)
        self._pool = self._pool or connection_pool(self._folders, self._settings, self._network)
        controller = self._controllers[opened.context.shell] = window_context(
            opened, self._folders, self._pool, self._network
        )
        controller.connections.changed.connect(self._on_connections_changed)
        controller.files.recents_changed.connect(self._on_recents_changed)
        controller.library.saved.connect(self._on_library_saved)
        opened.context.actions.add(controller, FILE, controller.study.saved_changed)
        opened.context.actions.add(controller, HELP, controller.study.problems_changed)
        opened.context.actions.add(controller.study, EDIT, controller.study.changed)
        opened.window.command_groups.append(CommandGroup(_("Recent studies"), controller.recent_studies))
        await controller.load(opened.files)
        if opened.stage and opened.window.has_study:
            opened.window.restore_stage(opened.stage)

    async def open_files(self, opened: OpenWindow, files: Sequence[Path]) -> None:
        """Open files in a window without a study."""
        await self.controller(opened).open_all(files)

    async def on_interactive(self, opened: OpenWindow) -> None:
        """Start background work; the first window also offers recovered studies."""
        import asyncio

        from batchwright.base.files.temporary_files import remove_leftover_folders
        from batchwright.ui.core.lazy_imports import import_incrementally
        from batchwright.ui.support.actions import show_policy_problem

        is_first, self._is_first = self._is_first, False
        await asyncio.to_thread(load_formats)
        for name in _IMPORTED_AFTER_FIRST_PAINT:
            await import_incrementally(name)
        await self.controller(opened).start(is_first=is_first)
        if is_first:
            show_policy_problem(opened.context)
            self.start_update_checks(_HOUR_MS)
            await asyncio.to_thread(remove_leftover_folders)

    def start_update_checks(self, interval_ms: int) -> None:
        """Look now and after every interval whether the daily check for a newer version is due."""
        self._update_timer = QTimer(interval=interval_ms)
        self._update_timer.timeout.connect(self._check_for_update)
        self._update_timer.start()
        self._check_for_update()

    def _check_for_update(self) -> None:
        """Look for a newer version in one of the windows, if that is switched on and due today."""
        from batchwright.ui.support.actions import check_daily

        for support in tuple(self._support.values())[:1]:
            support.context.tasks.start("check for an update", partial(check_daily, support))

    async def may_close(self, opened: OpenWindow) -> bool:
        """Whether a window can be closed; one without a controller has nothing to lose."""
        controller = self._controllers.get(opened.context.shell)
        if controller is not None and not await controller.may_close():
            return False
        self._controllers.pop(opened.context.shell, None)
        self._support.pop(opened.context.shell, None)
        return True

    def _on_connections_changed(self) -> None:
        """Refresh the connections in all windows after one has changed them."""
        for controller in self._controllers.values():
            controller.refresh_connections()

    def _on_recents_changed(self) -> None:
        """Refresh the recent studies in all windows after one has changed them."""
        for controller in self._controllers.values():
            controller.files.refresh_recents_soon()

    def _on_library_saved(self) -> None:
        """Read the templates and blocks again in all windows after one has changed them."""
        for controller in self._controllers.values():
            controller.library.refresh_soon()

    def _support_context(self, opened: OpenWindow) -> "SupportContext":
        from batchwright.ui.support.context import SupportContext
        from batchwright.ui.widgets.dialogs.file_dialogs import FileDialogs

        dialogs = FileDialogs(opened.window)
        return SupportContext(
            opened.context,
            self._folders,
            self._settings,
            self._proxy_passwords,
            dialogs,
            self._reconnect,
            lambda: self._controllers[opened.context.shell].session,
        )

    async def _network(self) -> NetworkSettings:
        """The proxy, with its password, and the certificates of the settings."""
        return await self._proxy_passwords.complete(self._settings.network)

    def _reconnect(self) -> None:
        """Monitor the jobs of hosted services with the new network settings."""
        for controller in tuple(self._controllers.values())[:1]:  # its jobs are those of all windows
            controller.connections.notify_network_changed()

    async def on_ended(self) -> None:
        """Close the connection pool."""
        self._update_timer = None
        if self._pool is not None:
            await self._pool.close()


def _describe(error: BaseException) -> "TaskMessage":
    from batchwright.workflows.messages import describe

    return describe(error)
