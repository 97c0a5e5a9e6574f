"""The table of stages, and the stack that shows one of them, built when it is first needed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.ui.core.actions import Actions
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.focus_regions import HasMainWidget, focus_region
from batchwright.ui.shell.state import ShellState
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import ToastManager

if TYPE_CHECKING:  # asyncio takes longer to import than the window to be painted
    from batchwright.ui.core.background_tasks import Tasks


@dataclass(frozen=True)
class StageContext:
    """What the shell gives a stage when it is built."""

    shell: ShellState
    actions: Actions
    tasks: "Tasks"
    toasts: ToastManager
    window: QWidget
    """What dialogs are shown over."""


@dataclass(frozen=True)
class Stage:
    """One entry of the rail: what it is called, and how its widget is built, once, after the first paint."""

    id: str
    title: str
    glyph: str
    """Drawn filled where `-fill` exists and the stage is the chosen one."""
    build: Callable[[StageContext], QWidget]
    needs_study: bool = False
    """It cannot be chosen while no study is open."""
    is_apart: bool = False
    """It stands below the line: it belongs to no study."""
    counts_jobs: bool = False
    """Its entry carries the number of running jobs."""


@runtime_checkable
class HasFocusRegions(Protocol):
    """A stage whose parts F6 walks through one by one; others are one region."""

    def regions(self) -> Sequence[QWidget]:
        """The parts, in reading order."""


class StageStack(QStackedWidget):
    """Shows one stage. A stage is built when it is shown, or in idle time by `build_next`."""

    built = Signal(str)

    def __init__(self, stages: Sequence[Stage], settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stages = {stage.id: stage for stage in stages}
        self._settings = settings
        self._context: StageContext | None = None
        self._widgets: dict[str, QWidget] = {}
        self._requested = ""

    def set_context(self, frame: StageContext) -> None:
        """Build what is wanted from now on; before this, only the ground is shown."""
        self._context = frame
        if self._requested:
            self.show_stage(self._requested)

    def show_stage(self, id: str) -> None:
        """Show a stage, and build it first where that was not done yet."""
        self._requested = id
        if self._context is not None and id in self._stages:
            self.setCurrentWidget(self._built(id, self._context))

    def is_showing(self, id: str) -> bool:
        """Whether a stage stands and is shown."""
        return id in self._widgets and self._widgets[id].isVisible()

    def build_next(self) -> bool:
        """Build one stage that nobody has asked for yet; False when all stand."""
        waiting = [id for id in self._stages if id not in self._widgets]
        if not waiting or self._context is None:
            return False
        self._built(waiting[0], self._context)
        return len(waiting) > 1

    def regions(self) -> list[QWidget]:
        """The parts of the stage shown, for F6."""
        stage = self._widgets.get(self._requested)
        if stage is None:
            return []
        return list(stage.regions()) if isinstance(stage, HasFocusRegions) else [stage]

    def focus_stage(self) -> None:
        """Give the keyboard to the stage shown: to its main widget, else to the first below its head."""
        stage = self._widgets.get(self._requested)
        if stage is None or (isinstance(stage, HasMainWidget) and focus_region(stage)):
            return
        heads = stage.findChildren(StageHeader)
        if not any(focus_region(region, heads) for region in self.regions()):
            focus_region(stage)

    def _built(self, id: str, frame: StageContext) -> QWidget:
        if id not in self._widgets:
            widget = self._stages[id].build(frame)
            self._widgets[id] = widget
            self.addWidget(widget)
            self._settings.restore_splitters(widget)
            self.built.emit(id)
        return self._widgets[id]
