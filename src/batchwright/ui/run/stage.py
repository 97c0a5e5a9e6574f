"""The Run stage: creates tasks from data and layout, which people or simulated participants answer."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.client.job_monitoring.status import JobOutcome
from batchwright.local.job_table import JobRow
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.desktop import open_url
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.core.job_types import KINDS, counts, job_status, job_title
from batchwright.ui.core.next_step import NextStep, show_next_step
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.publishing.context import OpenStudy
from batchwright.ui.publishing.stage import PublishingStage
from batchwright.ui.run.actions import ACTIONS, can_participate, can_set_up, can_simulate
from batchwright.ui.run.batch_list import BatchList
from batchwright.ui.run.batch_panel import BatchPanel
from batchwright.ui.run.context import EditInstructions, RunContext
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.state import RunState
from batchwright.ui.shell.callouts import CalloutId, new_callout
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import Separator, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.batches import BatchStatus

_SIZES = (296, 864, 280)
_JOBS_LEAST = 200
_LIST_LEAST = 170
_NARROW_BELOW = 1100
"""Window width in pixels below which the jobs are hidden; they have a stage of their own."""


def build_run(
    stage_context: StageContext,
    study: Study,
    session: ConnectionSession,
    open_study: OpenStudy,
    edit_instructions: EditInstructions,
    answers: AnswersSource,
) -> QWidget:
    """Build the stage for one window."""
    state = RunState(study, session, stage_context.tasks)
    return RunStage(stage_context, state, open_study, edit_instructions, answers=answers)


class RunStage(PublishingStage):
    """The header; below it the batches, the batch shown, and the jobs of the study."""

    def __init__(
        self,
        stage_context: StageContext,
        state: RunState,
        open_study: OpenStudy,
        edit_instructions: EditInstructions,
        open_in_browser: Callable[[str], object] | None = None,
        *,
        answers: AnswersSource | None = None,
    ) -> None:
        super().__init__(stage_context, state, "run", _("Run"), answers)
        self.state = state
        self.context = RunContext(
            state,
            stage_context.window,
            open_study,
            open_in_browser or partial(open_url, stage_context.notices),
            stage_context.actions.run,
            self.show_answers,
            edit_instructions,
        )
        self._set_up = Button(_("Set up again"), glyph="stack", height=ButtonSize.STAGE)
        self._tester = Button(_("Test participant"), glyph="user-plus", height=ButtonSize.STAGE)
        self._own = Button(_("Back to the study"), glyph="arrow-left", height=ButtonSize.STAGE)
        self.header.add_buttons(self._own, self._set_up, self._tester, self._simulate, self._participate)
        self._list, self._batch, self._jobs = BatchList(), BatchPanel(), JobsPanel()
        horizontal = Qt.Orientation.Horizontal
        self._panels = Splitter(horizontal, self._list, self._batch, self._jobs, name="run-panels")
        self._panels.setSizes([theme().px(size) for size in _SIZES])
        self._jobs.setMinimumWidth(theme().px(_JOBS_LEAST))
        self._panels.setStretchFactor(1, 1)
        self._no_batches = NoBatchesPage()
        for page in (self._panels, self._unavailable, self._no_batches):
            self._pages.addWidget(page)
        layout = column(self.header, gap=0, parent=self)
        self._callout = new_callout(
            CalloutId.RUN,
            stage_context.settings,
            self.header.primary,
            margins=(24, 2, 20, 12),
            is_trailing=True,
        )
        if self._callout is not None:
            layout.addWidget(self._callout)
        layout.add(self._offline, self.languages)
        layout.addWidget(self._pages, 1)
        self._connect()
        stage_context.actions.add(self.context, ACTIONS, state.changed)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        return self.header, self._list, self._batch, self._jobs

    @override
    def show_state(self) -> None:
        """Update everything shown, if the stage is visible."""
        if not self.isVisible():
            return
        state, step = self.state, self.next_step()
        self.languages.show_state()
        show_next_step(self.header, step)
        self._own.setVisible(state.has_own and not state.shows_own)
        self._show_callout(step)
        status = state.chosen.status if state.chosen else ""
        is_ready = status == BatchStatus.READY
        self._participate.setVisible(
            can_participate(self.context) and step.action is not ActionId.RUN_PARTICIPATE
        )
        self._simulate.setVisible(is_ready and not state.session.is_live)
        self._simulate.setEnabled(can_simulate(self.context))
        self._tester.setVisible(state.session.is_live)
        has_setup = is_ready or status == BatchStatus.PROCESSING
        self._set_up.setVisible(
            has_setup and can_set_up(self.context) and step.action is not ActionId.RUN_SET_UP
        )
        chosen = state.chosen
        shown, own = (batch.id if batch else "" for batch in (chosen, state.own))
        self._list.show_resources(state.resources, shown, own, is_loading=state.is_loading)
        self._batch.show_batch(state)
        self._jobs.show_jobs(state.jobs, of_study=state.shows_own)
        self.show_page(self._panels)
        is_empty = not (state.resources or state.has_own or state.is_loading)
        if is_empty and state.remote_list.error is None:
            self._pages.setCurrentWidget(self._no_batches)

    def _show_callout(self, step: NextStep[ActionId]) -> None:
        """Show the callout while the next step is to create the batch on this computer, and never after."""
        if self._callout is not None:
            is_next = step.action is ActionId.RUN_PUBLISH
            self._callout.setVisible(is_next and not self.state.session.is_live)
            if self.state.remote.batch_id is not None:
                self._callout.dismiss()

    @override
    def next_step(self) -> NextStep[ActionId]:
        return next_step(self.state)

    @override
    def sign_in_text(self) -> str:
        has_batch = self.state.remote.batch_id is not None
        return _("Sign in to see the batch") if has_batch else _("Sign in to see the batches")

    def _connect(self) -> None:
        state = self.state
        state.simulation_fell_short.connect(self._notify_shortfall)
        self._list.chosen.connect(state.choose)
        self._batch.stop_pressed.connect(self.stop_operation)
        self._own.clicked.connect(state.choose_own)
        self._no_batches.home_pressed.connect(lambda: self.window_context.shell.set_stage("home"))
        self.run_actions(
            (self._participate.clicked, ActionId.RUN_PARTICIPATE),
            (self._simulate.clicked, ActionId.RUN_SIMULATE),
            (self._tester.clicked, ActionId.RUN_TESTER),
            (self._set_up.clicked, ActionId.RUN_SET_UP),
            (self._batch.legacy.edit.clicked, ActionId.RUN_INSTRUCTIONS),
            (self._batch.legacy.convert.clicked, ActionId.RUN_CONVERT),
            (self._batch.edit_pressed, ActionId.RUN_DETAILS),
            (self._batch.head.open.clicked, ActionId.RUN_OPEN_BATCH),
            (self._batch.head.duplicate.clicked, ActionId.RUN_DUPLICATE),
            (self._batch.head.answers.clicked, ActionId.RUN_ANSWERS),
            (self._batch.head.sync.clicked, ActionId.RUN_SYNC),
            (self._batch.sync.switched, ActionId.RUN_AUTO_SYNC),
            (self._batch.groups.release.clicked, ActionId.RUN_RELEASE_PLACES),
            (self._batch.groups.timeout.clicked, ActionId.RUN_PLACE_TIMEOUT),
            (self._unavailable.refresh_pressed, ActionId.RUN_REFRESH),
            (self._offline.retry_button.clicked, ActionId.RUN_REFRESH),
        )

    def _notify_shortfall(self, title: str, line: str) -> None:
        """Show a notice that fewer simulated participants answered than requested, and why."""
        self.window_context.notices.show_notice(Notice(NoticeSeverity.INFO, title, line))

    @override
    def event(self, event: QEvent) -> bool:
        """When the window becomes active, fetch what participants or other clients have changed meanwhile."""
        if event.type() == QEvent.Type.WindowActivate:
            self.state.remote_list.refresh()
        return super().event(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, px = event.size().width(), theme().px
        is_narrow = width < px(_NARROW_BELOW)
        self._panels.show_panel(self._jobs, is_shown=not is_narrow)
        most = max(px(_LIST_LEAST), width // 3)
        if is_narrow and self._list.width() > most:
            self._panels.setSizes([most, width - most, 0])


class NoBatchesPage(QWidget):
    """Shown while no study is open and the workspace has no batches."""

    home_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help_address(self, "run.md#create-the-batch")
        home = Button(_("Go to Home"), glyph="house")
        home.clicked.connect(self.home_pressed)
        sentence = _("The batches of the workspace appear here, with their tasks and progress.")
        column(EmptyState("stack", _("No batches yet"), sentence, home), gap=0, parent=self)


_MOST = 12


class JobsPanel(Surface):
    """A line for each job: its title, start time and status."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        set_help_address(self, "jobs.md")
        self._shown: tuple[tuple[JobRow, ...], bool] | None = None
        self._lines, self._title = column(gap=9), ElidedLabel("", TextRole.SECTION)
        content = QWidget()
        column(
            row(self._title, HelpButton(), None, gap=8),
            2,
            self._lines,
            None,
            gap=8,
            margins=16,
            parent=content,
        )
        column(VerticalScrollArea(content), gap=0, margins=(1, 0, 0, 0), parent=self)

    def show_jobs(self, jobs: Sequence[JobRow], *, of_study: bool = True) -> None:
        """Show these jobs, which are sorted newest first, of the study or of another batch."""
        shown = tuple(jobs[:_MOST])
        if (shown, of_study) == self._shown:
            return
        self._shown = shown, of_study
        title = _("Jobs of this study") if of_study else _("Jobs of this batch")
        self._title.setText(title)
        self.setAccessibleName(title)
        clear(self._lines)
        if not shown:
            text = _("Setups, syncs and exports of this batch appear here.")
            if of_study:
                text = _("Imports, setups, syncs and exports of this study appear here.")
            self._lines.add(Label(text, TextRole.SMALL, "text2", wraps=True))
        for place, job in enumerate(shown):
            if place:
                self._lines.add(Separator())
            self._lines.add(_Job(job))


class _Job(QWidget):
    def __init__(self, job: JobRow) -> None:
        super().__init__()
        status = job_status(job.kind, job.state, job.outcome)
        title = ElidedLabel(job_title(job.kind, job.title), TextRole.SMALL_NAME)
        head = row(Glyph(KINDS[job.kind].glyph, "text2", 18), gap=8)
        head.addWidget(title, 1)
        head.add(Label(short_datetime(job.started_at), TextRole.SMALL, "text2", tabular=True))
        result = counts(job.detail) or _(status.label)
        tone = status.tone if status.tone in {"err", "warn"} else "text2"
        lines = column(head, ElidedLabel(result, TextRole.SMALL, tone, tabular=True), gap=4, parent=self)
        if job.outcome == JobOutcome.FAILED and (reason := job.detail.get("reason")):
            lines.add(Label(str(reason), TextRole.SMALL, "text2", wraps=True))
