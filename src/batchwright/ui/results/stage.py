"""The Results stage: answers, statistics in sections, and downloads."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from batchwright.analysis.answer_query import AnswerEntry, AnswerQuery
from batchwright.base.i18n import _, ngettext
from batchwright.local.analysis_settings import AnswersKey
from batchwright.ui.connections.signed_out import SignInPlaceholder
from batchwright.ui.core.desktop import open_url
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results import commands
from batchwright.ui.results.actions import ACTIONS, can_download_export, can_save_results
from batchwright.ui.results.analysis_state import AnalysisState
from batchwright.ui.results.answer_file_types import may_have_answers
from batchwright.ui.results.answers_panel import AnswersPanel
from batchwright.ui.results.commands import ResultsContext, download_answer_file, refresh
from batchwright.ui.results.page_stack import PageStack
from batchwright.ui.results.pages import AnswersRequest, PageContext, ResultPage, SectionBar, SectionStack
from batchwright.ui.results.sections import Section
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.answered_record import CreatePreview
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.download_banners import DownloadBanner, StaleExportBanner
from batchwright.ui.study.downloads import (
    DownloadContext,
    DownloadKind,
    DownloadOperation,
    notify_failed,
    running_download,
)
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.file_dialogs import FileDialogs, FolderChooser
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState, OfflineBanner
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Surface
from batchwright.workflows.download_verified import VerifiedDownload

_MIN_ANSWERS_HEIGHT = 260


def build_results(
    stage_context: StageContext,
    study: Study,
    session: ConnectionSession,
    source: AnswersSource,
    create_preview: CreatePreview | None = None,
) -> QWidget:
    """Build the stage for one window."""
    model = ResultsState(study, session, stage_context.tasks, source=source)
    return ResultsStage(stage_context, model, FileDialogs(stage_context.window), create_preview)


class ResultsStage(Surface):
    """The header; below it the sections, or a page that says why there are no answers."""

    def __init__(
        self,
        stage_context: StageContext,
        model: ResultsState,
        dialogs: FolderChooser,
        create_preview: CreatePreview | None = None,
    ) -> None:
        super().__init__("window")
        self.model = model
        model.setParent(self)
        locations = SaveLocationMemory(model.study)
        downloads = DownloadContext(
            model.operations, stage_context.toasts, dialogs, locations, self._on_downloaded
        )
        self.analysis = AnalysisState(
            model.read_table, lambda: _answers_key(model), model.session, stage_context.tasks, self
        )
        self._context = ResultsContext(
            stage_context,
            model,
            downloads,
            self.analysis,
            self.show_section,
            lambda: self.answers.table.selected_ranges(),
            dialogs,
        )
        self._header = StageHeader(_("Results"))
        self._refresh_button = Button(
            _("Refresh"), ButtonKind.QUIET, glyph="arrow-clockwise", height=ButtonSize.STAGE
        )
        self._report_button = Button(_("Report CSV"), glyph="file-text", height=ButtonSize.STAGE)
        self._back = Button("", glyph="arrow-left", height=ButtonSize.STAGE)
        self._save_button = Button(_("Save results…"), glyph="download-simple", height=ButtonSize.STAGE)
        self._header.add_buttons(self._back, self._refresh_button, self._report_button, self._save_button)
        self._download_banner, self._stale_banner, self._offline = (
            DownloadBanner(),
            StaleExportBanner(),
            OfflineBanner(),
        )
        self._offline.hide()
        self._stale_export: VerifiedDownload | None = None
        """The latest downloaded export, if it lacks newer answers."""
        self.answers, self.bar = AnswersPanel(model, create_preview), SectionBar(self.analysis)
        pages = PageContext(
            self.analysis, stage_context, dialogs, locations, self._show_answers, lambda: model.titles
        )
        self.sections = SectionStack(pages, self._answers_place())
        self._pages, self._empty = PageStack(), PageStack()
        self._filled, self._loading = self._create_filled(), LoadingState()
        for page in (self._filled, self._empty, self._loading):
            self._pages.addWidget(page)
        self._empty_for: tuple[str, ...] = ()
        layout = column(
            self._header, self._download_banner, self._stale_banner, self._offline, gap=0, parent=self
        )
        layout.addWidget(self._pages, 1)
        self._connect()
        model.operations.show_in(stage_context.shell)
        stage_context.actions.add(self._context, ACTIONS, model.changed)
        self.answers.columns.restore_text(stage_context.settings.answer_columns)
        for signal in (model.operations.changed, self.analysis.selection_changed, self.analysis.changed):
            signal.connect(stage_context.actions.refresh_soon)
        if (section := stage_context.settings.results_section) in set(Section):
            self.show_section(Section(section))
        self.setAcceptDrops(True)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        page = self.sections.page(self.analysis.section)
        inner = page.regions() if isinstance(page, ResultPage) else (self.answers,)
        return self._header, self.bar, *inner

    def show_state(self) -> None:
        """Update everything shown, if the stage is visible."""
        if not self.isVisible():
            return
        model = self.model
        error = model.remote.error
        self._show_downloads()
        self.answers.show_answers()
        self._update_analysis()
        self._offline.setVisible(error is not None and model.has_answers)
        if error is not None:
            self._offline.show_error(error.what, short_datetime(model.remote.fetched_at))
        if model.has_answers:
            self._pages.show_page(self._filled)
        elif model.is_loading:
            self._pages.show_page(self._loading)
        else:
            self._show_empty()

    def _show_header(self) -> None:
        model = self.model
        has_answers, is_file = model.has_answers, model.file is not None
        self._header.show_title(_title(model))
        self._header.show_subtitle(_subtitle(model))
        self._back.setVisible(is_file or model.other is not None)
        self._back.setText(_back_text(model))
        if is_file:
            self._header.show_primary(_("Save results…"), glyph="download-simple", disabled_reason="")
        else:
            reason = "" if can_download_export(self._context) else _not_yet(model)
            self._header.show_primary(_("Download export"), glyph="archive", disabled_reason=reason)
        self._save_button.setVisible(not is_file)
        self._report_button.setVisible(not is_file and not model.is_for_collection)
        self._report_button.setEnabled(has_answers and not model.is_downloading)
        self._save_button.setEnabled(can_save_results(self._context))
        self._refresh_button.setVisible(not is_file)
        self._refresh_button.setEnabled(model.of is not None)

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
        self._context.window.settings.results_section = id
        self.analysis.show_section(section)
        self.sections.show_section(section)

    def _on_answers_changed(self) -> None:
        self.analysis.on_answers_changed()
        self._show_exclusions()
        self._context.window.tasks.start("results load settings", self.analysis.load_settings)

    def _add_to_menu(self, menu: QMenu) -> None:
        """Add the exclusion of answers to the context menu of the grid."""
        menu.addSeparator()
        for id in ("results.exclude_answers", "results.include_answers"):
            action = self._context.window.actions.qaction(id)
            if action.isEnabled():
                menu.addAction(action)

    def _show_exclusions(self) -> None:
        """Show which answers are excluded, once that is known."""
        if self.analysis.exclusions is not None:
            self.model.set_exclusions(self.analysis.exclusions)

    def _on_columns_chosen(self) -> None:
        self._context.window.settings.answer_columns = self.answers.columns.choice.to_text()

    def _on_copy_truncated(self, count: int) -> None:
        title = ngettext(
            "Only the first {count} row is copied", "Only the first {count} rows are copied", count
        )
        toast = Toast(
            ToastSeverity.WARNING,
            title.format(count=number(count)),
            _("Files contain all answers."),
            _("Save results…"),
            lambda: self._context.window.actions.run("results.save"),
            topic="copied rows",
        )
        self._context.window.toasts.show_toast(toast)

    def _on_file_requested(self, entry: AnswerEntry) -> None:
        context = self._context
        context.window.tasks.start("save uploaded file", lambda: download_answer_file(context, entry))

    def _update_analysis(self) -> None:
        """Compute the section while it is visible and there are answers."""
        self.analysis.set_active(is_active=self.model.has_answers)

    def _show_answers(self, request: AnswersRequest) -> None:
        query = self.model.query
        option = () if request.option is None else ((request.question, request.option),)
        self.model.set_query(
            AnswerQuery(
                search=request.text,
                questions=(request.question,) if request.question else (),
                options=option,
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
        model = self.model
        model.changed.connect(self.show_state)
        model.answers_changed.connect(self._on_answers_changed)
        self.answers.table.menu_opening.connect(self._add_to_menu)
        self.analysis.exclusions_changed.connect(self._show_exclusions)
        model.operations.changed.connect(self._show_downloads)
        self._back.clicked.connect(self._on_back_clicked)
        self._header.primary.clicked.connect(self._on_primary_clicked)
        model.operations.finished.connect(lambda operation: notify_failed(self._context.downloads, operation))
        self.bar.sections.chosen.connect(self._on_section_chosen)
        self.answers.columns.choice_changed.connect(self._on_columns_chosen)
        self.answers.link_requested.connect(lambda url: open_url(self._context.window.toasts, url))
        self.answers.file_requested.connect(self._on_file_requested)
        self.answers.copy_truncated.connect(self._on_copy_truncated)
        self._download_banner.stop_requested.connect(lambda: model.operations.cancel("download"))
        self._stale_banner.closed.connect(self._clear_stale_export)
        model.subject.changed.connect(self._clear_stale_export)
        for signal, action in (
            (self._report_button.clicked, "results.report"),
            (self._save_button.clicked, "results.save"),
            (self._refresh_button.clicked, "results.refresh"),
            (self._offline.retry_button.clicked, "results.refresh"),
            (self._stale_banner.save_requested, "results.answers"),
        ):
            signal.connect(lambda *_of, action=action: self._context.window.actions.run(action))

    def _on_primary_clicked(self) -> None:
        action = "results.export" if self.model.file is None else "results.save"
        self._context.window.actions.run(action)

    def _on_back_clicked(self) -> None:
        """Show the answers of the study; without any, return to the batch in Run or to Collections."""
        if self.model.own is None and self.model.file is None:
            self._context.window.shell.set_stage(_stage_of(self.model))
        self.model.show_own()

    def _show_downloads(self) -> None:
        model = self.model
        self._download_banner.show_download(running_download(model.operations))
        is_idle = model.has_answers and not model.is_downloading
        self._stale_banner.show_export(self._stale_export if is_idle else None)
        self._show_header()

    def _on_downloaded(self, operation: DownloadOperation, result: VerifiedDownload) -> None:
        """Show whether the export lacks newer answers."""
        if operation.kind in (DownloadKind.EXPORT, DownloadKind.ANSWERS):
            is_stale = bool(result.newer) and operation.of == self.model.of
            self._stale_export = result if is_stale else None
            self.show_state()

    def _clear_stale_export(self) -> None:
        self._stale_export = None
        self.show_state()

    def _show_empty(self) -> None:
        error, model = self.model.remote.error, self.model
        shown = (
            (error.what, error.remedy)
            if error
            else (model.of.id if model.of else "", str(model.is_for_collection), str(model.lacks_list))
        )
        if shown != self._empty_for or not self._empty.count():
            self._empty_for = shown
            before, state = self._empty.currentWidget(), self._empty_state()
            self._empty.addWidget(state)
            self._empty.show_page(state)
            if before is not None:
                self._empty.forget_page(before)
                before.deleteLater()
        self._pages.show_page(self._empty)

    def _empty_state(self) -> EmptyState:
        error, shell = self.model.remote.error, self._context.window.shell
        if error is not None and self.model.remote.needs_sign_in:
            signed_out = SignInPlaceholder(_("Sign in to see the answers"), error.what)
            signed_out.sign_in_button.clicked.connect(lambda: refresh(self._context))
            signed_out.home_button.clicked.connect(lambda: shell.set_stage("home"))
            return signed_out
        if error is not None:
            refresh_button = Button(_("Refresh"), glyph="arrow-clockwise")
            refresh_button.clicked.connect(lambda: refresh(self._context))
            return EmptyState("warning-circle-fill", error.what, error.remedy, refresh_button, tone="err")
        if self.model.lacks_list:
            return self._without_list()
        is_for_collection, stage = self.model.is_for_collection, _stage_of(self.model)
        go_button = (
            Button(_("Go to Collections"), glyph="cards")
            if is_for_collection
            else Button(_("Go to Run"), glyph="play-circle")
        )
        go_button.clicked.connect(lambda: shell.set_stage(stage))
        text = _("They appear here as participants submit them.")
        if self.model.of is None and not self.model.study.is_open:
            text = _("Select a batch in Run to see its answers, or open a study.")
        elif self.model.of is None:
            text = (
                _("Create the collection first; then answers appear here as participants submit them.")
                if is_for_collection
                else _(
                    "Create the batch and its tasks first; then answers appear here as participants submit "
                    "them."
                )
            )
        open_file = Button(_("Open answers from a file…"), glyph="folder-open")
        open_file.clicked.connect(lambda: self._context.window.actions.run("results.open"))
        return EmptyState("chart-bar", _("No answers yet"), text, go_button, open_file)

    def _without_list(self) -> EmptyState:
        """For a service that does not offer the answers of collections as a list."""
        export = Button(_("Download export"), glyph="archive")
        export.clicked.connect(lambda: self._context.window.actions.run("results.export"))
        text = _(
            "This service does not list the answers to collections yet. The export contains all of them."
        )
        return EmptyState("archive", _("The answers are in the export"), text, export)

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
        open_answers = partial(commands.open_dropped_answers, self._context, path)
        self._context.window.tasks.start(commands.OPENING_ANSWERS, open_answers)

    def _dropped(self, event: QDropEvent) -> Path | None:
        """The dropped file if it may have answers; other files are opened by the window."""
        paths = dropped_paths(event.mimeData())
        return paths[0] if len(paths) == 1 and may_have_answers(paths[0]) else None

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_state()
        self.model.set_active(is_active=True)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.set_active(is_active=False)
        self.analysis.set_active(is_active=False)


def _title(model: ResultsState) -> str:
    if model.file is not None:
        return model.file.path.name
    return model.other.name if model.other else _("Results")


def _back_text(model: ResultsState) -> str:
    if model.own is not None:
        return _("Back to the study")
    if model.file is not None:
        return _("Close the file")
    return _("Back to Collections") if model.is_for_collection else _("Back to Run")


def _subtitle(model: ResultsState) -> str:
    answers = model.overview.summary
    if not model.has_answers:
        return _without_answers(model)
    text = (
        ngettext("{count} answer received", "{count} answers received", answers.answers)
        if model.file is None
        else ngettext("{count} answer in this file", "{count} answers in this file", answers.answers)
    )
    text = text.format(count=number(answers.answers))
    tasks = model.total_tasks
    if tasks and answers.tasks > tasks:
        text += ", " + _("some of them to tasks of an earlier setup")
    elif tasks:
        answered = ngettext("from {done} of {count} task", "from {done} of {count} tasks", tasks)
        text += ", " + answered.format(done=number(answers.tasks), count=number(tasks))
    return _("{answers}. Latest: {time}.").format(answers=text, time=short_datetime(answers.newest))


def _answers_key(model: ResultsState) -> AnswersKey | None:
    """What the answers belong to; None while there are none."""
    if model.file is not None:
        return AnswersKey("", f"file:{model.file.path}")
    if model.of is None:
        return None
    kind = "collection" if model.of.is_collection else "batch"
    return AnswersKey(model.session.connection.name, f"{kind}:{model.of.id}")


def _stage_of(model: ResultsState) -> str:
    """The id of the stage of the batch or collection."""
    return "collections" if model.is_for_collection else "run"


def _without_answers(model: ResultsState) -> str:
    if model.file is not None:
        return _("Loading answers.")
    if model.of is None and not model.study.is_open:
        return _("No study is open. Next: select a batch under Run.")
    if model.of is None and model.is_for_collection:
        return _("Next: create the collection under Collections.")
    if model.of is None:
        return _("Next: create the batch under Run.")
    if model.remote.needs_sign_in:
        return _("Next: sign in.")
    if model.remote.error is not None:
        return _("The answers could not be loaded.")
    if model.lacks_list:
        return _("This service does not list the answers to collections. Next: download the export.")
    return _("Loading answers.") if model.is_loading else _("No answers yet.")


def _not_yet(model: ResultsState) -> str:
    if model.is_downloading:
        return _("A download is running")
    return _("There are no answers yet")
