"""The main window: places live indicator, header, navigation rail, stages and status bar."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QStyle, QWidget
from shiboken6 import isValid
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Actions
from batchwright.ui.core.formatting import short_folder
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.command_palette import CommandGroup, show_command_palette
from batchwright.ui.shell.focus_regions import focus_next_region
from batchwright.ui.shell.header import Header, LiveIndicator
from batchwright.ui.shell.navigation_rail import NavigationRail
from batchwright.ui.shell.stages import Stage, StageContext, StageStack
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.status_line import StatusBar
from batchwright.ui.shell.unopened import UnopenedStage, placeholders
from batchwright.ui.shell.view_actions import APPEARANCE, WINDOW, AppearanceSettings, stage_actions
from batchwright.ui.theme import theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.callout import Callout
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.notices import NoticeManager
from batchwright.ui.widgets.surfaces import Surface

if TYPE_CHECKING:  # importing asyncio takes longer than painting the window
    from batchwright.ui.core.background_tasks import Tasks


_NARROW_BELOW = 1100
_STAGES_OF_TABLES = frozenset({"home", "data"})
"""The stages at which tables of other programs are pasted and dropped."""


class Window(QMainWindow):
    """A window of the program. It is painted first; `set_context` allows the stages to be built.

    Closing it emits `close_requested` and keeps it open. `force_close` closes it, after its operations have
    ended.
    """

    painted = Signal()
    close_requested = Signal()

    def __init__(self, state: ShellState, stages: Sequence[Stage], settings: Settings) -> None:
        super().__init__()
        self._state, self._stages, self._settings = state, tuple(stages), settings
        self._is_painted = self._may_close = False
        self._suspensions = 0
        self._context: StageContext | None = None
        self._screen: QScreen | None = None
        """The screen of the window, after it was shown."""
        self._actions = Actions(self)
        self._actions.add(self, WINDOW)
        self._actions.add(AppearanceSettings(theme(), settings), APPEARANCE, theme().changed)
        theme().animations_changed.connect(self._actions.refresh)
        theme().on_changed(self._update_layout)
        self._actions.add(state, stage_actions(stages), state.document_changed)
        self.command_groups: list[CommandGroup] = [CommandGroup(_("Actions"), self._actions.palette_entries)]
        self._build()
        self._connect()
        self._restore()

    def stage_context(self, tasks: "Tasks") -> StageContext:
        """The context for the stages of this window."""
        self._actions.run_tasks_in(tasks)
        self._context = StageContext(self._state, self._actions, tasks, self.notices, self, self._settings)
        return self._context

    @property
    def file(self) -> Path | None:
        """The file of the open study; None without one."""
        return self._state.document.path if self._state.document is not None else None

    @property
    def has_study(self) -> bool:
        """Whether a study is open."""
        return self._state.document is not None

    @property
    def stage(self) -> str:
        """The id of the stage shown."""
        return self._state.stage

    def restore_stage(self, id: str) -> None:
        """Show a stage as it was before a restart, unless it does not exist or needs another study."""
        if any(stage.id == id and not stage.disabled_reason(self._state.document) for stage in self._stages):
            self._state.set_stage(id)

    def set_context(self, context: StageContext) -> None:
        """Show the current stage, focus it if nothing else has the focus, and accept dropped files."""
        self._stack.set_context(context)
        self._on_stage_opened()
        self.setAcceptDrops(True)

    async def build_stage(self, id: str, context: StageContext) -> None:
        """Import and build a stage without showing it."""
        await self._stack.build(id, context)

    async def list_actions(self, context: StageContext) -> None:
        """Add the actions of the stages that were not opened to the menus and the command palette."""

        async def show(id: str) -> None:
            self._state.set_stage(id)
            await self._stack.build(id, context)

        for stage in self._stages:
            if stage.actions is not None and not self._stack.is_built(stage.id):
                table = placeholders(stage, await stage.actions())
                if not self._stack.is_built(stage.id):
                    unopened = UnopenedStage(stage, context, show)
                    self._actions.add_placeholders(unopened, table, self._state.document_changed)

    @property
    def stage_ids(self) -> tuple[str, ...]:
        """The ids of the stages in the order of the navigation rail."""
        return tuple(stage.id for stage in self._stages)

    @property
    def is_showing_stage(self) -> bool:
        """Whether the current stage is built and visible."""
        return self._stack.is_showing(self._state.stage)

    def open_command_palette(self) -> None:
        """Show the command palette."""
        show_command_palette(self, self.command_groups)

    def suspend_shortcuts(self, *, is_suspended: bool) -> None:
        """Disable or enable all shortcuts while an overlay is open; calls nest."""
        self._suspensions += 1 if is_suspended else -1
        self._actions.set_suspended(is_suspended=self._suspensions > 0)

    def show_help(self, address: str) -> None:
        """Show the help at an address, or at the page of the stage if it is empty."""
        self._state.help_address = address
        self._actions.run(ActionId.HELP)

    def focus_next_region(self, *, forward: bool) -> None:
        """Focus the next region: navigation rail, header, regions of the stage, notices."""
        regions = (self._navigation_rail, self._header, *self._stack.regions(), *self.notices.regions())
        focus_next_region(regions, forward=forward)

    def open_menu_bar(self) -> None:
        """Open the first menu of the menu bar, from which the arrow keys reach all of them."""
        bar = self.menuBar()
        bar.setActiveAction(next(entry for entry in bar.actions() if entry.isVisible()))

    def force_close(self) -> None:
        """Close without asking."""
        self._settings.save_window(self)
        self._may_close = True
        self.close()

    def _build(self) -> None:
        self._live_indicator = LiveIndicator(is_live=self._state.connection.is_live)
        search_shortcut = self._actions.qaction(ActionId.FIND).shortcut()
        self._header = Header(self._state, search_shortcut.toString(QKeySequence.SequenceFormat.NativeText))
        self._navigation_rail = NavigationRail(self._stages)
        self._stack = StageStack(self._stages, self._settings)
        self._status = StatusBar(self._state)
        self._surface = Surface("window")
        body = row(self._navigation_rail, gap=0)
        self.notices = NoticeManager()
        stage_layout = column(gap=0)
        stage_layout.addWidget(self._stack, 1)
        stage_layout.addWidget(self.notices)
        body.addLayout(stage_layout, 1)
        layout = column(self._live_indicator, self._header, gap=0, parent=self._surface)
        layout.addLayout(body, 1)
        layout.addWidget(self._status)
        self.setCentralWidget(self._surface)
        self._stack.setFocus()  # until its stage is built; Qt would choose the first button of the header

    def _connect(self) -> None:
        state = self._state
        self._navigation_rail.chosen.connect(state.set_stage)
        self._header.search_requested.connect(self.open_command_palette)
        self._actions.added.connect(self._fill_menus)
        self._stack.built.connect(self._fill_menus)
        self._stack.opened.connect(self._on_stage_opened)
        state.stage_changed.connect(self._on_stage_changed)
        state.stage_entered.connect(self._stack.focus_stage)
        state.stage_needed.connect(self._on_stage_needed)
        self.notices.focus_released.connect(self._stack.focus_stage)
        state.document_changed.connect(self._on_document_changed)
        state.connection_changed.connect(self._on_connection_changed)
        state.job_count_changed.connect(self._on_job_count_changed)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.screenRemoved.connect(self._fit_to_screen)
        self._fill_menus()
        self._on_document_changed()
        self._on_job_count_changed()

    def _restore(self) -> None:
        if not self._settings.restore_window(self):
            set_default_geometry(self)
        fit_to_screen(self)
        saved_stage = self._settings.stage
        available = [stage.id for stage in self._stages if not stage.needs_study]
        self._state.set_stage(saved_stage if saved_stage in available else (available or [""])[0])

    def _fill_menus(self) -> None:
        self._actions.fill_menus(self.menuBar())

    def _on_stage_changed(self) -> None:
        self._settings.stage = self._state.stage
        self._navigation_rail.show_chosen(self._state.stage)
        focused = QApplication.focusWidget()
        was_inside = focused is not None and (focused is self._stack or self._stack.isAncestorOf(focused))
        if was_inside:
            self._stack.setFocus()  # not to the header, as Qt would do when the widget disappears
        self._stack.show_stage(self._state.stage)
        if was_inside:
            self._stack.focus_stage()

    def _on_stage_needed(self, id: str) -> None:
        context = self._context
        if context is not None:
            context.tasks.start(f"build {id}", lambda: self._stack.build(id, context))

    def _on_stage_opened(self) -> None:
        """Focus the stage that has just been built, if nothing else has got the focus meanwhile."""
        if self.focusWidget() is self._stack and self.is_showing_stage:
            self._stack.clearFocus()  # no focus ring is drawn around a widget that gets the focus from none
            self._stack.focus_stage()

    def _on_document_changed(self) -> None:
        document = self._state.document
        self._navigation_rail.show_study(document)
        self.setWindowTitle(_title(document))
        self.setWindowModified(document is not None and not document.is_saved)

    def _on_connection_changed(self) -> None:
        self._live_indicator.set_live(is_live=self._state.connection.is_live)

    def _on_job_count_changed(self) -> None:
        self._navigation_rail.show_jobs(self._state.job_count)

    def _on_screen_changed(self, screen: QScreen) -> None:
        """Track the screen of the window. The window is not moved, because it may be being dragged."""
        if self._screen is not None and isValid(self._screen):
            self._screen.availableGeometryChanged.disconnect(self._fit_to_screen)
        self._screen = screen
        screen.availableGeometryChanged.connect(self._fit_to_screen)
        set_minimum_size(self)

    def _fit_to_screen(self) -> None:
        fit_to_screen(self)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        handle = self.windowHandle()
        if self._screen is None:
            self._on_screen_changed(handle.screen())
            handle.screenChanged.connect(self._on_screen_changed)

    @override
    def event(self, event: QEvent) -> bool:
        type = event.type()
        if type is QEvent.Type.ShortcutOverride:
            self._actions.refresh_if_stale()
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and not self._suspensions:
                self._dismiss_callouts()
        handled = super().event(event)
        if type is QEvent.Type.Paint and not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self, self.painted.emit)
        return handled

    def _dismiss_callouts(self) -> None:
        """Dismiss the callout of the stage; Escape does what else it does there, too."""
        for callout in self.findChildren(Callout):
            if callout.isVisible():
                callout.dismiss()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_layout()

    def _update_layout(self) -> None:
        self._navigation_rail.set_narrow(is_narrow=self.width() < theme().px(_NARROW_BELOW))

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        paths, mime = dropped_paths(event.mimeData()), event.mimeData()
        takes_table = self._state.stage in _STAGES_OF_TABLES and (mime.hasHtml() or mime.hasText())
        if not paths and takes_table and not mime.hasUrls() and not self._suspensions:
            accept_copy(event)
            self._state.set_hint(_("Drop to open the table"))
        elif paths and not self._suspensions:
            accept_copy(event)
            self._state.set_hint(_("Drop to open “{name}”").format(name=paths[0].name))

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._state.set_hint("")

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._state.set_hint("")
        accept_copy(event)
        self._state.open_content(event.mimeData())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the table on the clipboard at Home and Data, where no widget has used the key."""
        is_paste = event.matches(QKeySequence.StandardKey.Paste)
        if is_paste and self._state.stage in _STAGES_OF_TABLES and not self._suspensions:
            self._state.open_content(QGuiApplication.clipboard().mimeData())
        else:
            super().keyPressEvent(event)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.close_requested.emit()


def _title(document: DocumentTitle | None) -> str:
    """The window title; Qt replaces `[*]` by the marker for unsaved changes."""
    if document is None:
        return "Batchwright"
    folder = "" if document.path is None else f" ({short_folder(document.path.parent)})"
    name, folder = (
        sanitize_line(text).replace("[*]", "[*][*]")
        for text in (f"{document.title}{document.suffix}", folder)
    )
    return f"{name}[*]{folder} – Batchwright"


_DEFAULT_SIZE = QSize(1440, 900)
_MIN_SIZE = QSize(1024, 640)
_BORDER = 2


def set_default_geometry(window: QWidget) -> None:
    """Center a window on its screen before it is first shown, at the default size or smaller."""
    available = available_area(window)
    usual = QRect(available.topLeft(), _DEFAULT_SIZE.boundedTo(available.size()))
    usual.moveCenter(available.center())
    window.setGeometry(usual)


def fit_to_screen(window: QWidget) -> None:
    """Move and shrink a window into its screen; a maximized or full-screen one is unchanged."""
    set_minimum_size(window)
    available = available_area(window)
    if not window.isMaximized() and not window.isFullScreen():
        geometry = window.geometry()
        inner = QRect(geometry.topLeft(), geometry.size().boundedTo(available.size()))
        inner.moveLeft(min(max(inner.left(), available.left()), available.right() + 1 - inner.width()))
        inner.moveTop(min(max(inner.top(), available.top()), available.bottom() + 1 - inner.height()))
        if inner != geometry:
            window.setGeometry(inner)


def set_minimum_size(window: QWidget) -> None:
    """Set the minimum size to the smallest usable one, or to the screen size if that is smaller."""
    window.setMinimumSize(_MIN_SIZE.boundedTo(available_area(window).size()))


def available_area(window: QWidget) -> QRect:
    """The available area for the content of a window: its screen without panels and window frame."""
    screen = QGuiApplication.screenAt(window.geometry().center()) or window.screen()
    return screen.availableGeometry().marginsRemoved(_frame_margins(window))


def _frame_margins(window: QWidget) -> QMargins:
    """The frame margins of a window; typical ones before the window is shown, when they are unknown."""
    inner, outer = window.geometry(), window.frameGeometry()
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight, None, window)
    return QMargins(
        max(inner.left() - outer.left(), _BORDER),
        max(inner.top() - outer.top(), title + _BORDER),
        max(outer.right() - inner.right(), _BORDER),
        max(outer.bottom() - inner.bottom(), _BORDER),
    )
