"""The stage descriptions and the stack that builds a stage when it is first shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.actions import Actions
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.focus_regions import HasMainWidget, focus_region
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import ToastManager

if TYPE_CHECKING:  # importing asyncio takes longer than painting the window
    from batchwright.ui.core.background_tasks import Tasks


@dataclass(frozen=True)
class StageContext:
    """The objects of a window that its stages use."""

    shell: ShellState
    actions: Actions
    tasks: "Tasks"
    toasts: ToastManager
    window: QWidget
    """The parent of dialogs."""
    settings: Settings


@dataclass(frozen=True)
class Stage:
    """A stage of the navigation rail; its widget is built once, after the first paint."""

    id: str
    title: str
    glyph: str
    """The icon; for the current stage the `-fill` variant if it exists."""
    build: Callable[[StageContext], QWidget]
    needs_study: bool = False
    """Whether it is disabled while no study is open."""
    needs_data: bool = False
    """Whether it is disabled for a collection, which has no data."""
    is_below_separator: bool = False
    """Whether it is below the separator, because it belongs to no study."""
    counts_jobs: bool = False
    """Whether its button shows the number of running jobs."""

    def disabled_reason(self, document: DocumentTitle | None) -> str:
        """Why it cannot be shown with a study, or with none; empty if it can."""
        if document is None:
            return _("Open or create a study first") if self.needs_study else ""
        return _("A collection has no data") if self.needs_data and document.is_collection else ""


@runtime_checkable
class HasFocusRegions(Protocol):
    """A stage with several focus regions for F6; other stages are one region."""

    def regions(self) -> Sequence[QWidget]:
        """The regions in reading order."""


class StageStack(QStackedWidget):
    """Shows one stage. A stage is built when it is first shown, or before by `build_next`."""

    built = Signal(str)

    def __init__(self, stages: Sequence[Stage], settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stages = {stage.id: stage for stage in stages}
        self._settings = settings
        self._context: StageContext | None = None
        self._widgets: dict[str, QWidget] = {}
        self._requested = ""

    def set_context(self, context: StageContext) -> None:
        """Allow stages to be built; before, only the background is shown."""
        self._context = context
        if self._requested:
            self.show_stage(self._requested)

    def show_stage(self, id: str) -> None:
        """Show a stage; build it first if necessary."""
        self._requested = id
        if self._context is not None and id in self._stages:
            self.setCurrentWidget(self._build(id, self._context))

    def is_showing(self, id: str) -> bool:
        """Whether a stage is built and visible."""
        return id in self._widgets and self._widgets[id].isVisible()

    def build_next(self) -> bool:
        """Build the next stage in advance; False if none is left."""
        waiting = [id for id in self._stages if id not in self._widgets]
        if not waiting or self._context is None:
            return False
        self._build(waiting[0], self._context)
        return len(waiting) > 1

    def regions(self) -> list[QWidget]:
        """The focus regions of the current stage."""
        stage = self._widgets.get(self._requested)
        if stage is None:
            return []
        return list(stage.regions()) if isinstance(stage, HasFocusRegions) else [stage]

    def focus_stage(self) -> None:
        """Focus the current stage: its main widget, or the first tab stop below its header."""
        stage = self._widgets.get(self._requested)
        if stage is None or (isinstance(stage, HasMainWidget) and focus_region(stage)):
            return
        heads = stage.findChildren(StageHeader)
        if not any(focus_region(region, heads) for region in self.regions()):
            focus_region(stage)

    def _build(self, id: str, context: StageContext) -> QWidget:
        if id not in self._widgets:
            widget = self._stages[id].build(context)
            self._widgets[id] = widget
            self.addWidget(widget)
            self._settings.restore_splitters(widget)
            self.built.emit(id)
        return self._widgets[id]
