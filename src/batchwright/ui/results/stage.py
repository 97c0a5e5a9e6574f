"""The Results stage: answers, statistics in sections, and downloads."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerEntry, AnswerQuery
from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.desktop import open_medium
from batchwright.ui.core.formatting import number
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.actions import ACTIONS
from batchwright.ui.results.answers.answer_file_types import may_have_answers
from batchwright.ui.results.answers.answers_panel import AnswersPanel
from batchwright.ui.results.answers.no_answers import NoAnswersPage
from batchwright.ui.results.banners import ResultsBanners
from batchwright.ui.results.commands import ResultsContext, download_answer_file, open_answers_in
from batchwright.ui.results.results_header import ResultsHeader
from batchwright.ui.results.state import ResultsState
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.results.statistics.layout_banner import LayoutBanner
from batchwright.ui.results.statistics.section_pages import (
    AnswersRequest,
    PageContext,
    ResultPage,
    SectionBar,
    SectionStack,
)
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.shell.page_stack import PageStack
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.answered_record import CreatePreview
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.downloads import DownloadContext, notify_failed
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs.file_dialogs import FileDialogs, FolderChooser
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.placeholders import LoadingState
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Surface

_MIN_ANSWERS_HEIGHT = 260


def build_results(
    stage_context: StageContext,
    study: Study,
    session: ConnectionSession,
    source: AnswersSource,
    create_preview: CreatePreview | None = None,
) -> QWidget:
    """Build the stage for one window."""
    state = ResultsState(study, session, stage_context.tasks, selection=source)
    return ResultsStage(stage_context, state, FileDialogs(stage_context.window), create_preview)


class ResultsStage(Surface):
    """The header; below it the sections, or a page that says why there are no answers."""

    def __init__(
        self,
        stage_context: StageContext,
        state: ResultsState,
        dialogs: FolderChooser,
        create_preview: CreatePreview | None = None,
    ) -> None:
        super().__init__("window")
        self.state = state
        state.setParent(self)
        locations = SaveLocationMemory(state.study)
        self._banners, self.layouts = ResultsBanners(state, stage_context), LayoutBanner()
        downloads = DownloadContext(
            state.operations, stage_context.notices, dialogs, locations, self._banners.on_downloaded
        )
        self.analysis = AnalysisState(
            state.answers.read_table,
            lambda: state.source.key,
            lambda: state.answers.answer_store.created_at,
            state.session,
            stage_context.tasks,
            self,
            find_exclusions=lambda: state.answers.answer_store.saved_exclusions,
        )
        self.context = ResultsContext(
            stage_context,
            state,
            downloads,
            self.analysis,
            self.show_section,
            lambda: self.answers.selected_ids(),
            lambda: self.answers.show_record(),
            dialogs,
        )
        self.header = ResultsHeader(self.context)
        self.answers, self.bar = AnswersPanel(state, create_preview), SectionBar(self.analysis)
        pages = PageContext(
            self.analysis, stage_context, dialogs, locations, self._show_answers, lambda: state.answers.titles
        )
        self.sections = SectionStack(pages, self._answers_place())
        self._filled, self._loading = self._create_filled(), LoadingState()
        self._pages, self._no_answers = PageStack(), NoAnswersPage(self.context)
        for page in (self._filled, self._no_answers, self._loading):
            self._pages.addWidget(page)
        layout = column(self.header, self._banners, self.layouts, gap=0, parent=self)
        layout.addWidget(self._pages, 1)
        self._connect()
        state.operations.show_in(stage_context.shell)
        stage_context.actions.add(self.context, ACTIONS, state.changed)
        self.answers.columns.restore_text(stage_context.settings.answer_columns)
        for signal in (state.operations.changed, self.analysis.selection_changed, self.analysis.changed):
            signal.connect(stage_context.actions.refresh_soon)
        if (section := stage_context.settings.results_section) in set(Section):
            self.show_section(Section(section))
        self.setAcceptDrops(True)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        page = self.sections.page(self.analysis.section)
        inner = page.regions() if isinstance(page, ResultPage) else (self.answers,)
        return self.header, self.bar, *inner

    def show_state(self) -> None:
        """Update everything shown, if the stage is visible."""
        if not self.isVisible():
            return
        state = self.state
        self._show_downloads()
        self._show_layouts()
        self.bar.show_survey(is_survey=state.answers.overview.is_survey)
        self.answers.show_answers()
        self.analysis.set_active(is_active=state.answers.has_answers)
        if state.answers.has_answers:
            self._pages.show_page(self._filled)
        elif state.answers.awaits_first:
            self._pages.show_page(self._loading)
        else:
            self._no_answers.show_reason()
            self._pages.show_page(self._no_answers)

    def _show_downloads(self) -> None:
        """Update what depends on whether a download is running."""
        self._banners.show_state()
        self.header.show_state()

    def _show_layouts(self) -> None:
        """Update which versions of the layout the answers were given to."""
        overview, settings = self.state.answers.overview, self.analysis.settings
        is_split = settings is not None and settings.splits_versions
        self.layouts.show_use(overview.layout_use, overview.summary.answers, is_split=is_split)

    def _create_filled(self) -> QWidget:
        filled = QWidget()
        layout = column(self.bar, gap=0, parent=filled)
        layout.addWidget(self.sections, 1)
        return filled

    def _answers_place(self) -> QWidget:
        place = QWidget()
        column(self.answers, gap=0, margins=(24, 14, 24, 14), parent=place)
        self._update_heights()
        theme().on_changed(self._update_heights)
        return VerticalScrollArea(place)

    def _update_heights(self) -> None:
        """Set the minimum height of the answers; in a window too low for it, they scroll."""
        self.answers.setMinimumHeight(theme().px(_MIN_ANSWERS_HEIGHT))

    def show_section(self, section: Section) -> None:
        """Show a section, as if it had been selected."""
        self.bar.sections.choose(section.value)

    def _on_section_chosen(self, id: str) -> None:
        section = Section(id)
        self.context.window.settings.results_section = id
        self.analysis.show_section(section)
        self.sections.show_section(section)

    def _on_answers_changed(self) -> None:
        self.analysis.on_answers_changed()
        self._show_exclusions()
        self.context.window.tasks.start("results load settings", self.analysis.load_settings)

    def _show_exclusions(self) -> None:
        """Show which answers are excluded, once that is known."""
        if self.analysis.exclusions is not None:
            self.context.window.tasks.restart("results exclusions by rules", self._show_all_exclusions)

    async def _show_all_exclusions(self) -> None:
        """Show also the exclusions by rules and of repeated answers, which take longer to find."""
        exclusions, answers = self.analysis.exclusions, self.state.answers
        store = answers.answer_store
        if exclusions is not None and (
            exclusions.rules or await asyncio.to_thread(lambda: store.has_repeated_answers)
        ):
            settings = await self.analysis.find_settings_in_use()
            exclusions = None if settings is None else settings.exclusions
        if exclusions is not None and store is answers.answer_store:
            answers.set_exclusions(exclusions)

    def _add_to_menu(self, menu: QMenu) -> None:
        """Add the exclusion of answers to the context menu of the grid."""
        menu.addSeparator()
        for id in (ActionId.RESULTS_EXCLUDE_ANSWERS, ActionId.RESULTS_INCLUDE_ANSWERS):
            action = self.context.window.actions.qaction(id)
            if action.isEnabled():
                menu.addAction(action)

    def _on_columns_chosen(self) -> None:
        self.context.window.settings.answer_columns = self.answers.columns.choice.to_text()

    def _on_copy_truncated(self, count: int) -> None:
        title = ngettext(
            "Only the first {count} row is copied", "Only the first {count} rows are copied", count
        )
        notice = Notice(
            NoticeSeverity.WARNING,
            title.format(count=number(count)),
            _("Files contain all answers."),
            _("Save results…"),
            lambda: self.context.window.actions.run(ActionId.RESULTS_SAVE),
            topic="copied rows",
        )
        self.context.window.notices.show_notice(notice)

    def _on_file_requested(self, entry: AnswerEntry) -> None:
        context = self.context
        context.window.tasks.start("save uploaded file", lambda: download_answer_file(context, entry))

    def _show_answers(self, request: AnswersRequest) -> None:
        query = self.state.grid.query
        self.state.grid.set_query(
            AnswerQuery(
                search=request.text,
                questions=request.questions,
                options=request.options,
                participants=(request.participant,) if request.participant else (),
                tasks=(request.task,) if request.task else (),
                sort=query.sort,
                is_descending=query.is_descending,
            )
        )
        focused = self.window().focusWidget()
        was_inside = focused is not None and self.sections.isAncestorOf(focused)
        self.show_section(Section.ANSWERS)
        if was_inside:
            self.answers.table.setFocus()

    def _connect(self) -> None:
        state = self.state
        state.changed.connect(self.show_state)
        state.answers.content_changed.connect(self._on_answers_changed)
        self.answers.table.menu_opening.connect(self._add_to_menu)
        self.analysis.changed.connect(self._show_layouts)
        self.layouts.split_button.clicked.connect(
            lambda: self.context.window.actions.run(ActionId.RESULTS_SPLIT_VERSIONS)
        )
        self.analysis.exclusions_changed.connect(self._show_exclusions)
        state.operations.changed.connect(self._show_downloads)
        state.operations.finished.connect(lambda operation: notify_failed(self.context.downloads, operation))
        self.bar.sections.chosen.connect(self._on_section_chosen)
        self.answers.columns.choice_changed.connect(self._on_columns_chosen)
        self.answers.detail.link_requested.connect(
            lambda url: open_medium(self.context.window.notices, url, state.study.media)
        )
        self.answers.detail.file_requested.connect(self._on_file_requested)
        self.answers.detail.include_requested.connect(
            lambda: self.context.window.actions.run(ActionId.RESULTS_INCLUDE_ANSWERS)
        )
        self.answers.copy_truncated.connect(self._on_copy_truncated)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._dropped(event) is not None:
            accept_copy(event)
        else:
            event.ignore()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        path = self._dropped(event)
        if path is None:
            event.ignore()
            return
        accept_copy(event)
        open_answers_in(self.context, path)

    def _dropped(self, event: QDropEvent) -> Path | None:
        """The dropped file if it may have answers; other files are opened by the window."""
        paths = dropped_paths(event.mimeData())
        return paths[0] if len(paths) == 1 and may_have_answers(paths[0]) else None

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_state()
        self.state.answers.set_active(is_active=True)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.state.answers.set_active(is_active=False)
        self.analysis.set_active(is_active=False)
