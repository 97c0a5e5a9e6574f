"""The pages of the sections with statistics, and the bar above them.

Each page is imported and built when it is first shown.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Generic, TypeVar

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.analysis.record_titles import RecordTitles
from batchwright.base.i18n import _
from batchwright.ui.core.lazy_imports import import_incrementally
from batchwright.ui.core.sliced_work import SlicedWork
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.results.statistics.number_texts import excluded_text
from batchwright.ui.results.statistics.section_titles import ABOUT_RECORDS, SECTIONS, Section
from batchwright.ui.shell.page_stack import PageStack
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.placeholders import ErrorState, Failure, LoadingState
from batchwright.ui.widgets.progress import per_cent
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel
from batchwright.ui.widgets.toggles import SegmentedControl


class SectionBar(Surface):
    """Selects the section; shows the progress of its computation, or what is excluded."""

    def __init__(self, state: AnalysisState, parent: QWidget | None = None) -> None:
        super().__init__("window", Edge.BOTTOM, parent)
        self._state = state
        segments = [(section.value, _(info.title), "") for section, info in SECTIONS.items()]
        self.sections = SegmentedControl(_("Section"), segments)
        self._status = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        layout = row(self.sections, gap=16, margins=(24, 6, 20, 6), parent=self)
        layout.addWidget(self._status, 1)
        for signal in (state.progress_changed, state.changed):
            signal.connect(self.show_state)
        self.show_state()

    def show_survey(self, *, is_survey: bool) -> None:
        """Hide what says nothing about the answers to a collection, such as agreement about records."""
        for section in ABOUT_RECORDS:
            self.sections.set_segment_visible(section.value, is_visible=not is_survey)
        if is_survey and self._state.section in ABOUT_RECORDS:
            self.sections.choose(Section.QUESTIONS.value)

    def show_state(self) -> None:
        """Show how far the computation is, or what the results leave out."""
        fraction, excluded = self._state.fraction, self._state.excluded
        text = ""
        if fraction is not None:
            text = _("Computing, {share}").format(share=per_cent(fraction))
        elif excluded is not None and self._state.section is not Section.ANSWERS:
            text = excluded_text(excluded.answers, excluded.participants)
        self._status.setText(text)


R = TypeVar("R")


@dataclass(frozen=True)
class AnswersRequest:
    """Which answers are to be shown; an empty field matches everything."""

    questions: tuple[str, ...] = ()
    """Ids of the wordings of a question."""
    options: tuple[tuple[str, int], ...] = ()
    """Ids of wordings, and indexes of the same option in each."""
    participant: str = ""
    task: str = ""
    text: str = ""


@dataclass(frozen=True)
class PageContext:
    """What the pages depend on."""

    state: AnalysisState
    window: StageContext
    dialogs: FileChooser
    save_locations: SaveLocationMemory
    show_answers: Callable[[AnswersRequest], None]
    titles: Callable[[], RecordTitles]
    """Returns the titles of records by task id, as far as they are known."""


class ResultPage(PageStack, Generic[R]):
    """A page that shows the latest result of its section, or that it is computed, or why it cannot be.

    Subclasses add their content with `set_content` and implement `show_result`.
    """

    def __init__(self, context: PageContext, kind: type[R], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context, self._kind = context, kind
        self._shown: R | None = None
        self._work = SlicedWork(self)
        self._loading = LoadingState()
        self._content: QWidget | None = None
        self._error: QWidget | None = None
        self.addWidget(self._loading)
        context.state.changed.connect(self.show_state)

    @property
    def result(self) -> R | None:
        """The result that is shown."""
        return self._shown

    @property
    def is_complete(self) -> bool:
        """Whether all parts of the page show the result."""
        return not self._work.is_active

    def set_content(self, content: QWidget) -> None:
        """Set the widget that shows results."""
        self._content = content
        self.addWidget(content)

    def show_result(self, result: R) -> Iterator[None]:
        """Show a result; yields between parts of the page, where the event loop may continue."""
        raise NotImplementedError

    def start_work(self, steps: Iterator[None]) -> None:
        """Change parts of the page in slices, in place of changes that are not done yet."""
        self._work.start(steps)

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        return (self,)

    def show_state(self) -> None:
        """Show the latest result, if the page is visible."""
        if not self.isVisible():
            return
        result, error = self.context.state.result(self._kind), self.context.state.error
        if error is not None:
            self._show_error(error)
        elif result is None or self._content is None:
            self._shown = None
            self.show_page(self._loading)
        else:
            if result is not self._shown:
                self._shown = result
                self.start_work(self.show_result(result))
            self.show_page(self._content)

    def _show_error(self, error: Failure) -> None:
        if self._error is not None:
            self.forget_page(self._error)
            self._error.deleteLater()
        self._error = ErrorState(error)
        self.addWidget(self._error)
        self.show_page(self._error)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_state()


class SectionStack(PageStack):
    """The answers and the pages of the other sections."""

    def __init__(self, context: PageContext, answers: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._places: dict[Section, QWidget] = {Section.ANSWERS: answers}
        self._loading = LoadingState()
        for widget in (answers, self._loading):
            self.addWidget(widget)

    def show_section(self, section: Section) -> None:
        """Show the page of a section; it is built first if necessary."""
        page = self._places.get(section)
        self.show_page(page or self._loading)
        if page is None:
            self._context.window.tasks.start(f"results {section}", lambda: self._build(section))

    def page(self, section: Section) -> QWidget | None:
        """The page of a section; None until it is built."""
        return self._places.get(section)

    async def _build(self, section: Section) -> None:
        name = f"batchwright.ui.results.statistics.{section}_page"
        await asyncio.to_thread(import_module, "batchwright.analysis.sections")  # may be imported already
        await import_incrementally(name)
        page: QWidget = await import_module(name).build(self._context)
        self._places[section] = page
        self.addWidget(page)
        if self._context.state.section is section:
            self.show_page(page)
