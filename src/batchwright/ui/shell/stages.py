"""The stage descriptions and the stack that imports and builds a stage when it is first shown."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.actions import Action, Actions
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.focus_regions import HasMainWidget, focus_region
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import NoticeManager

if TYPE_CHECKING:  # importing asyncio takes longer than painting the window
    import asyncio

    from batchwright.ui.core.background_tasks import Tasks


@dataclass(frozen=True)
class StageContext:
    """The objects of a window that its stages use."""

    shell: ShellState
    actions: Actions
    tasks: "Tasks"
    notices: NoticeManager
    window: QWidget
    """The parent of dialogs."""
    settings: Settings


@dataclass(frozen=True)
class Stage:
    """A stage of the navigation rail; its widget is built once, when it is first shown."""

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
    load: Callable[[], Awaitable[None]] | None = None
    """Imports what `build` needs; None if that is imported."""
    actions: Callable[[], Awaitable[Sequence[Action[Any]]]] | None = None
    """Imports the table of its actions, which are listed before it is opened; None if it has none."""

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
    """Shows one stage. It is imported and built when it is first shown; until then the stack is empty."""

    built = Signal(str)
    opened = Signal()
    """The requested stage has been built and is shown."""

    def __init__(self, stages: Sequence[Stage], settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stages = {stage.id: stage for stage in stages}
        self._settings = settings
        self._context: StageContext | None = None
        self._widgets: dict[str, QWidget] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        """Stages that are being imported, or have been."""
        self._requested = ""
        self._empty = QWidget()
        self.addWidget(self._empty)

    def set_context(self, context: StageContext) -> None:
        """Allow stages to be built; before, only the background is shown."""
        self._context = context
        if self._requested:
            self.show_stage(self._requested)

    def show_stage(self, id: str) -> None:
        """Show a stage; import and build it first if necessary."""
        self._requested = id
        context = self._context
        if context is None or id not in self._stages:
            return
        if id in self._widgets or self._stages[id].load is None:
            self.setCurrentWidget(self._build(id, context))
        else:
            self.setCurrentWidget(self._empty)
            context.tasks.start(f"show {id}", lambda: self._show_loaded(id))

    async def build(self, id: str, context: StageContext) -> None:
        """Import and build a stage, unless it is built; it is not shown."""
        import asyncio

        stage = self._stages[id]
        async with self._loading.setdefault(id, asyncio.Lock()):
            if id not in self._widgets:
                if stage.load is not None:
                    await stage.load()
                self._build(id, context)

    async def _show_loaded(self, id: str) -> None:
        """Import and build a stage, and show it if no other one was requested meanwhile."""
        context = self._context
        if context is None:
            return
        context.shell.set_hint(_("Opening {stage}…").format(stage=self._stages[id].title))
        try:
            await self.build(id, context)
        finally:
            context.shell.set_hint("")
        if self._requested == id:
            self.setCurrentWidget(self._widgets[id])
            self.opened.emit()

    def is_showing(self, id: str) -> bool:
        """Whether a stage is built and visible."""
        return id in self._widgets and self._widgets[id].isVisible()

    def is_built(self, id: str) -> bool:
        """Whether a stage is built."""
        return id in self._widgets

    def regions(self) -> list[QWidget]:
        """The focus regions of the current stage."""
        stage = self._widgets.get(self._requested)
        if stage is None:
            return []
        return list(stage.regions()) if isinstance(stage, HasFocusRegions) else [stage]

    def focus_stage(self) -> None:
        """Focus the current stage: its main widget, or the first tab stop below its header.

        While it is being built, the stack itself has the focus.
        """
        stage = self._widgets.get(self._requested)
        if stage is None:
            self.setFocus()
            return
        if isinstance(stage, HasMainWidget) and focus_region(stage):
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
