"""The window: places the strip, header, rail, stages and status line, and nothing else (style.md 8)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow
from shiboken6 import isValid
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.actions import Actions
from batchwright.ui.core.formatting import short_folder
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.command_palette import show_command_palette
from batchwright.ui.shell.command_search import CommandGroup
from batchwright.ui.shell.focus_regions import focus_next_region
from batchwright.ui.shell.header import Header
from batchwright.ui.shell.live_indicator import LiveIndicator
from batchwright.ui.shell.navigation_rail import NavigationRail
from batchwright.ui.shell.stages import Stage, StageContext, StageStack
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.status_line import StatusBar
from batchwright.ui.shell.view_actions import APPEARANCE, WINDOW, AppearanceSettings, stage_actions
from batchwright.ui.shell.window_geometry import fit_to_screen, set_default_geometry, set_minimum_size
from batchwright.ui.theme import theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.notices import ToastManager
from batchwright.ui.widgets.surfaces import Surface

if TYPE_CHECKING:  # asyncio takes longer to import than the window to be painted
    from batchwright.ui.core.background_tasks import Tasks

_BUILD_INTERVAL_MS = 30
"""Milliseconds between two stages that are built before anybody wants them."""
_NARROW_BELOW = 1100


class Window(QMainWindow):
    """One project window. It is painted first; `open_with` lets the stages be built afterwards.

    Closing it by the person is a wish: `close_wanted` says so, and `end` closes it for good once everything
    that runs in it has ended.
    """

    painted = Signal()
    close_requested = Signal()

    def __init__(self, model: ShellState, stages: Sequence[Stage], settings: Settings) -> None:
        super().__init__()
        self._model, self._stages, self._settings = model, tuple(stages), settings
        self._is_painted = self._may_close = False
        self._suspensions = 0
        self._screen: QScreen | None = None
        """The screen that the window is on, once it was shown."""
        self._idle = QTimer(self)  # a timer of its own: a pending `singleShot` would keep an ended window
        self._idle.timeout.connect(self._build_next)
        self._actions = Actions(self)
        self._actions.add(self, WINDOW)
        self._actions.add(AppearanceSettings(theme(), settings), APPEARANCE, theme().changed)
        theme().animations_changed.connect(self._actions.refresh)
        self._actions.add(model, stage_actions(stages), model.document_changed)
        self.command_groups: list[CommandGroup] = [CommandGroup(_("Actions"), self._actions.palette_entries)]
        self._build()
        self._connect()
        self._restore()

    def stage_context(self, tasks: "Tasks") -> StageContext:
        """What the stages of this window are given."""
        self._actions.run_tasks_in(tasks)
        return StageContext(self._model, self._actions, tasks, self.toasts, self)

    @property
    def file(self) -> Path | None:
        """The file of the study that is open here; None without one."""
        return self._model.document.path if self._model.document is not None else None

    def set_context(self, frame: StageContext) -> None:
        """Build the stage shown, give it the keyboard if nothing else has it, and accept dropped files."""
        self._stack.set_context(frame)
        if self.focusWidget() is self._stack:
            self._stack.clearFocus()  # no focus ring is drawn around what gets the keyboard from nothing
            self._stack.focus_stage()
        self.setAcceptDrops(True)

    def build_remaining_stages(self) -> None:
        """Build the other stages, one after the other while nothing else is to be done."""
        self._idle.start(_BUILD_INTERVAL_MS)

    @property
    def stage_ids(self) -> tuple[str, ...]:
        """The stages of the rail, in their order."""
        return tuple(stage.id for stage in self._stages)

    @property
    def is_showing_stage(self) -> bool:
        """Whether the stage chosen stands and is shown."""
        return self._stack.is_showing(self._model.stage)

    def open_command_palette(self) -> None:
        """Show the command finder."""
        show_command_palette(self, self.command_groups)

    def suspend_shortcuts(self, *, is_held: bool) -> None:
        """Let no key reach an action while something lies over the window."""
        self._suspensions += 1 if is_held else -1
        self._actions.set_suspended(is_held=self._suspensions > 0)

    def focus_next_region(self, *, forward: bool) -> None:
        """Give the keyboard to the next region: rail, header, the parts of the stage, notices."""
        regions = (self._rail, self._header, *self._stack.regions(), *self.toasts.regions())
        focus_next_region(regions, forward=forward)

    def force_close(self) -> None:
        """Close for good."""
        self._settings.save_window(self)
        self._may_close = True
        self.close()

    def _build(self) -> None:
        self._strip = LiveIndicator(is_live=self._model.connection.is_live)
        find = self._actions.qaction("find").shortcut()
        self._header = Header(self._model, find.toString(QKeySequence.SequenceFormat.NativeText))
        self._rail = NavigationRail(self._stages)
        self._stack = StageStack(self._stages, self._settings)
        self._status = StatusBar(self._model)
        self._surface = Surface("window")
        body = row(self._rail, gap=0)
        self.toasts = ToastManager()
        place = column(gap=0)
        place.addWidget(self._stack, 1)
        place.addWidget(self.toasts)
        body.addLayout(place, 1)
        whole = column(self._strip, self._header, gap=0, parent=self._surface)
        whole.addLayout(body, 1)
        whole.addWidget(self._status)
        self.setCentralWidget(self._surface)
        self._stack.setFocus()  # until its stage is built; Qt would choose the first button of the header

    def _connect(self) -> None:
        model = self._model
        self._rail.chosen.connect(model.set_stage)
        self._header.find_requested.connect(self.open_command_palette)
        self._actions.added.connect(self._fill_menus)
        self._stack.built.connect(self._fill_menus)
        model.stage_changed.connect(self._on_stage_changed)
        model.stage_entered.connect(self._stack.focus_stage)
        self.toasts.focus_left.connect(self._stack.focus_stage)
        model.document_changed.connect(self._on_document_changed)
        model.connection_changed.connect(self._on_connection_changed)
        model.job_count_changed.connect(self._on_job_count_changed)
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
        kept = self._settings.stage
        usable = [stage.id for stage in self._stages if not stage.needs_study]
        self._model.set_stage(kept if kept in usable else (usable or [""])[0])

    def _fill_menus(self) -> None:
        self._actions.fill_menus(self.menuBar())

    def _build_next(self) -> None:
        if not self._stack.build_next():
            self._idle.stop()

    def _on_stage_changed(self) -> None:
        self._settings.stage = self._model.stage
        self._rail.show_chosen(self._model.stage)
        focused = QApplication.focusWidget()
        was_inside = focused is not None and self._stack.isAncestorOf(focused)
        self._stack.show_stage(self._model.stage)
        if was_inside:
            self._stack.focus_stage()

    def _on_document_changed(self) -> None:
        document = self._model.document
        self._rail.show_study(is_open=document is not None)
        self.setWindowTitle(_title(document))
        self.setWindowModified(document is not None and not document.is_saved)

    def _on_connection_changed(self) -> None:
        self._strip.set_live(is_live=self._model.connection.is_live)

    def _on_job_count_changed(self) -> None:
        self._rail.show_jobs(self._model.job_count)

    def _on_screen_changed(self, screen: QScreen) -> None:
        """Follow the window to another screen; it is not moved while somebody may be dragging it."""
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
        done = super().event(event)
        if event.type() is QEvent.Type.Paint and not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self, self.painted.emit)
        return done

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rail.set_narrow(is_narrow=self.width() < theme().px(_NARROW_BELOW))

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        paths = dropped_paths(event.mimeData())
        if paths and not self._suspensions:
            accept_copy(event)
            self._model.set_hint(_("Drop to open “{name}”").format(name=paths[0].name))

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._model.set_hint("")

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._model.set_hint("")
        accept_copy(event)
        self._model.files_dropped.emit(dropped_paths(event.mimeData()))

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.close_requested.emit()


def _title(document: DocumentTitle | None) -> str:
    """The window's title; Qt shows at `[*]` whether the study is saved."""
    if document is None:
        return "Batchwright"
    place = "" if document.path is None else f" ({short_folder(document.path.parent)})"
    name, place = (
        sanitize_line(text).replace("[*]", "[*][*]") for text in (f"{document.title}{document.suffix}", place)
    )
    return f"{name}[*]{place} – Batchwright"
