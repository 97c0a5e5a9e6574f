"""The Run stage: from data and layout to tasks that people or simulated participants answer (design.md 5)."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.desktop import open_url
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.actions import ACTIONS, can_participate, can_set_up, can_simulate
from batchwright.ui.run.batch_list import BatchList
from batchwright.ui.run.batch_panel import BatchPanel
from batchwright.ui.run.error_page import BatchesUnavailablePage
from batchwright.ui.run.jobs_panel import JobsPanel
from batchwright.ui.run.next_step import RunAction, next_step
from batchwright.ui.run.run_dialogs import Begin, RunDialogs
from batchwright.ui.run.state import RunState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.state import ActivityStatus
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.ui.widgets.placeholders import OfflineBanner
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import Surface
from batchwright.wire.batches import BatchStatus
from batchwright.workflows.messages import describe

_SIZES = (296, 864, 280)
_JOBS_LEAST = 200
_LIST_LEAST = 170
_NARROW_BELOW = 1100
"""Below this width the jobs, which are a stage of their own, give way."""


def build_run(frame: StageContext, study: Study, session: ConnectionSession, begin: Begin) -> QWidget:
    """The stage for one window."""
    return RunStage(frame, RunState(study, session, frame.tasks, describe), begin)


class RunStage(Surface):
    """The head; below it the batches, the one looked at, and the jobs of the study."""

    def __init__(
        self,
        frame: StageContext,
        model: RunState,
        begin: Begin,
        browse: Callable[[str], object] | None = None,
    ) -> None:
        super().__init__("window")
        self._frame, self.model, self._begin = frame, model, begin
        self._browse = browse or partial(open_url, frame.notices)
        model.setParent(self)
        self._questions = RunDialogs(frame.host, model, begin)
        self._running: ActivityStatus | None = None
        self._header = StageHeader(_("Run"))
        self._participate = Button(
            _("Open as participant"), glyph="arrow-square-out", height=ButtonSize.STAGE
        )
        self._simulate = Button(_("Simulated participants"), glyph="users", height=ButtonSize.STAGE)
        self._set_up = Button(_("Set up again"), glyph="stack", height=ButtonSize.STAGE)
        self._tester = Button(_("Test participant"), glyph="user-plus", height=ButtonSize.STAGE)
        self._header.add(self._set_up, self._tester, self._simulate, self._participate)
        self._list, self._batch, self._jobs = BatchList(), BatchPanel(), JobsPanel()
        horizontal = Qt.Orientation.Horizontal
        self._panels = Splitter(horizontal, self._list, self._batch, self._jobs, name="run-panels")
        self._panels.setSizes([theme().px(size) for size in _SIZES])
        self._jobs.setMinimumWidth(theme().px(_JOBS_LEAST))
        self._panels.setStretchFactor(1, 1)
        self._pages = QStackedWidget()
        self._unseen = BatchesUnavailablePage()
        self._pages.addWidget(self._panels)
        self._pages.addWidget(self._unseen)
        self._offline = OfflineBanner()
        self._offline.again.clicked.connect(self.look_again)
        self._offline.hide()
        whole = column(self._header, self._offline, gap=0, parent=self)
        whole.addWidget(self._pages, 1)
        self._connect()
        frame.actions.add(self, ACTIONS, model.changed)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        return self._header, self._list, self._batch, self._jobs

    def show_state(self) -> None:
        """Draw everything as it is now; while nobody looks, only what the shell tells."""
        self._show_running()
        if not self.isVisible():
            return
        model, step = self.model, next_step(self.model)
        self._header.show_sentence(step.sentence)
        self._header.show_primary(step.button, glyph=step.glyph, keys=step.keys, reason_not=step.reason_not)
        status = model.batch.status if model.batch else ""
        is_ready = status == BatchStatus.READY
        self._participate.setVisible(can_participate(self) and step.act is not RunAction.PARTICIPATE)
        self._simulate.setVisible(is_ready and not model.session.is_live)
        self._simulate.setEnabled(can_simulate(self))
        self._tester.setVisible(model.session.is_live)
        has_setup = is_ready or status == BatchStatus.PROCESSING
        self._set_up.setVisible(has_setup and can_set_up(self) and step.act is not RunAction.SET_UP)
        chosen = model.chosen
        shown, own = (batch.id if batch else "" for batch in (chosen, model.batch))
        self._list.show_batches(model.batches, shown, own, is_loading=model.is_loading)
        self._batch.show_batch(model)
        self._jobs.show_jobs(model.jobs)
        self._show_fault()

    def look_again(self) -> None:
        """Look at what the service has, and ask for a token where that takes one."""
        self.model.look(asks=True)

    def publish(self) -> None:
        """Make or update the batch; ask where that reaches a live service, or where something may be lost."""
        self._start("ask to publish", self._questions.publish)

    def set_up(self) -> None:
        """Ask how tasks are to be made, and have them made."""
        self._start("ask to set up", self._questions.set_up)

    def sync(self) -> None:
        """Have tasks made of the records that came later; where that reaches the live service, ask once."""
        self._start("ask to sync", self._questions.sync)

    def set_auto_sync(self, is_on: bool) -> None:
        """Have tasks made by themselves of what is appended, or no more."""
        self.model.upkeep.set_auto(is_on=is_on)

    def duplicate(self) -> None:
        """Ask what a copy of the batch looked at is to be, and have it made."""
        self._start("ask to duplicate", self._questions.duplicate)

    def edit_instructions(self) -> None:
        """Show the instructions of the legacy batch looked at."""
        self._start("edit instructions", self._questions.instructions)

    def participate(self) -> None:
        """Open the batch as its participants see it."""
        self.model.participate(self._browse)

    def simulate(self) -> None:
        """Ask who answers, and let them."""
        self._start("ask to simulate", self._questions.simulate)

    def make_tester(self) -> None:
        """Ask for the address of a test participant, and have one made."""
        self._start("make a test participant", self._questions.tester)

    def open_batch(self) -> None:
        """Open the batch looked at as a study."""
        self.model.open_chosen(self._begin)

    def edit_details(self) -> None:
        """Ask for the task details."""
        self._start("ask for details", self._questions.details)

    def _connect(self) -> None:
        model = self.model
        model.changed.connect(self.show_state)
        model.told.connect(self._tell)
        model.earlier_found.connect(self._tell_earlier)
        model.made.connect(self._go_on_to_set_up)
        self._header.primary.clicked.connect(self._take_step)
        self._participate.clicked.connect(self.participate)
        self._simulate.clicked.connect(self.simulate)
        self._tester.clicked.connect(self.make_tester)
        self._set_up.clicked.connect(self.set_up)
        self._list.chosen.connect(model.choose)
        self._batch.legacy.edit.clicked.connect(self.edit_instructions)
        self._batch.edit_pressed.connect(self.edit_details)
        self._batch.head.open.clicked.connect(self.open_batch)
        self._batch.head.duplicate.clicked.connect(self.duplicate)
        self._batch.head.sync.clicked.connect(self.sync)
        self._batch.upkeep.switched.connect(self.set_auto_sync)
        self._unseen.look_pressed.connect(self.look_again)
        self._unseen.home_pressed.connect(lambda: self._frame.shell.set_stage("home"))

    def _take_step(self) -> None:
        match next_step(self.model).act:
            case RunAction.DATA:
                self._frame.shell.set_stage("data")
            case RunAction.LAYOUT:
                self._go_to_layout()
            case RunAction.RESULTS:
                self._frame.shell.set_stage("results")
            case RunAction.PUBLISH:
                self.publish()
            case RunAction.SET_UP:
                self.set_up()
            case RunAction.SYNC:
                self.sync()
            case RunAction.PARTICIPATE:
                self.participate()
            case RunAction.LOOK:
                self.look_again()
            case RunAction.NOTHING:
                pass

    def _go_to_layout(self) -> None:
        """Show the layout, and the item of its next problem where it has one."""
        self._frame.shell.set_stage("layout")
        if self.model.errors:
            self.model.study.show_unfilled_as_errors()
            self._frame.actions.run("next_problem")

    def _go_on_to_set_up(self) -> None:
        """Ask the next question at once, unless the person has gone elsewhere."""
        if self.isVisible() and can_set_up(self):
            self.set_up()

    def _start(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        self._frame.tasks.start(f"run {name}", work)

    def _tell(self, title: str, line: str) -> None:
        """Tell those who look at something else; here it is seen."""
        if not self.isVisible():
            self._frame.notices.tell(Toast(ToastSeverity.DONE, title, line, _("Open"), self._open))

    def _tell_earlier(self, name: str) -> None:
        """Say why no batch was created, and what to do; the person has asked for one."""
        line = _("“{name}” has an earlier version of the study. Update it to send the changes.")
        self._frame.notices.tell(
            Toast(ToastSeverity.INFO, _("This batch was created before"), line.format(name=name))
        )

    def _open(self) -> None:
        self._frame.shell.set_stage("run")

    def _show_fault(self) -> None:
        fault = self.model.fault
        is_kept = bool(self.model.batches)
        self._offline.setVisible(fault is not None and is_kept)
        if fault is not None:
            self._offline.show_fault(fault.what, short_datetime(self.model.seen_at))
        if fault is None or is_kept:
            self._pages.setCurrentWidget(self._panels)
        else:
            self._unseen.show_fault(self.model, fault)
            self._pages.setCurrentWidget(self._unseen)

    def _show_running(self) -> None:
        going, shell = self.model.going, self._frame.shell
        running = None if going is None else ActivityStatus(going.text, going.done)
        if running != self._running:
            if running is not None or shell.running == self._running:
                shell.set_running(running)
            self._running = running

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.is_shown = True
        self.show_state()
        self.model.look()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.is_shown = False

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, px = event.size().width(), theme().px
        is_narrow = width < px(_NARROW_BELOW)
        self._panels.show_panel(self._jobs, is_shown=not is_narrow)
        most = max(px(_LIST_LEAST), width // 3)
        if is_narrow and self._list.width() > most:
            self._panels.setSizes([most, width - most, 0])
