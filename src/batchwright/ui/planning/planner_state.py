"""The state of the planner: what is planned from, and the plan.

Studies are simulated in a child process: in a thread, they would take the interpreter from the event loop.
"""

import asyncio
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.statistics.planning.assumptions import StudyMeasure, UnusableAssumption
from batchwright.analysis.statistics.planning.pilot import Pilot, PilotAnswers, UnusablePilot, pilot_of
from batchwright.analysis.statistics.planning.plan_texts import NO_PAY, pilot_sentence
from batchwright.analysis.statistics.planning.plans import PlanRequest, PlanRow, planned_rows
from batchwright.base.i18n import _
from batchwright.layout.working_time import WorkingTime
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.child_process import run_in_process

_USUAL_TIME = WorkingTime(once_s=0, task_s=30)
"""The time where nothing is known."""
_USUAL_TASKS = PlanRequest.of(StudyMeasure.SHARE).assumptions.tasks_per_participant
_COMPUTE, _PILOT = "plan", "plan from a pilot"


class PlannerState(QObject):
    """The request, and its plan once it is computed; another request ends the computation of the former."""

    changed = Signal()
    """The request, the plan, the pilot or the problem."""
    progress_changed = Signal()

    def __init__(
        self, tasks: Tasks, measure: StudyMeasure = StudyMeasure.SHARE, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self.request = PlanRequest.of(measure)
        self.time = _USUAL_TIME
        self.time_note = ""
        """From what the time was estimated; empty if it was not."""
        self.pay = NO_PAY
        self.rows: tuple[PlanRow, ...] = ()
        """The plan of `planned`."""
        self.planned: PlanRequest | None = None
        """What the plan was computed from: a former request while another plan is computed."""
        self.problem = ""
        """Why there is no plan."""
        self.pilot_note = ""
        """From which answers the values were estimated, or why none could be."""
        self.fraction: float | None = None
        """The fraction of the computation that is done; None while none is running."""
        self.is_stopped = False
        """Whether the user has stopped the computation of the plan."""
        self._pilot_answers: PilotAnswers | None = None
        self._version, self._computed = 0, -1

    @property
    def is_current(self) -> bool:
        """Whether the plan is that of the request."""
        return self._computed == self._version

    def start(self) -> None:
        """Compute the plan, unless it is current."""
        self.is_stopped = False
        if not self.is_current:
            self._tasks.restart(_COMPUTE, self._compute)
        self.changed.emit()

    def stop(self) -> None:
        """End the computation; the user, or another value, starts it again."""
        self.is_stopped = True
        self._tasks.cancel(_COMPUTE)
        self.changed.emit()

    def change(self, **changes: Any) -> None:
        """Change values of the request by name."""
        self._set(replace(self.request, **changes))

    def assume(self, **changes: Any) -> None:
        """Change assumptions by name."""
        self._set(replace(self.request, assumptions=self.request.assumptions.with_changes(**changes)))

    def change_measure(self, measure: StudyMeasure) -> None:
        """Plan another measure, with its usual values, or those of the pilot."""
        if measure is not self.request.assumptions.measure:
            tasks = self.request.assumptions.tasks_per_participant
            usual = PlanRequest.of(measure)
            self._set(replace(usual, assumptions=replace(usual.assumptions, tasks_per_participant=tasks)))
            self._estimate()

    def set_seconds(self, seconds_per_task: float) -> None:
        """Set how long a task takes."""
        self.time, self.time_note = replace(self.time, task_s=seconds_per_task), ""
        self.changed.emit()

    def set_pay(self, **changes: float) -> None:
        """Set what an hour costs, by name."""
        self.pay = replace(self.pay, **changes)
        self.changed.emit()

    def use_study(self, time: WorkingTime, tasks_per_participant: int) -> None:
        """Plan with the time and the task groups of the open study, where the usual values are still used."""
        if self.time == _USUAL_TIME and time.task_s > 0:  # there are questions
            self.time = time
            self.time_note = _("Estimated from the lengths of texts and the types of questions.")
        else:
            self.time = replace(self.time, once_s=time.once_s)
        if self.request.assumptions.tasks_per_participant == _USUAL_TASKS:
            self.assume(tasks_per_participant=tasks_per_participant)
        self.changed.emit()

    def use_pilot(self, answers: PilotAnswers) -> None:
        """Estimate the values from answers, for each measure that they tell anything about."""
        self._pilot_answers = answers
        self._estimate()

    def show_pilot_note(self, text: str) -> None:
        """Show from which answers the values were estimated, or why none could be."""
        self.pilot_note = text
        self.changed.emit()

    def _set(self, request: PlanRequest) -> None:
        if request != self.request:
            self.request, self.problem = request, ""
            self._version += 1
            self.start()

    def _estimate(self) -> None:
        self.pilot_note = ""
        if self._pilot_answers is not None:
            self._tasks.restart(_PILOT, self._estimate_now)

    async def _estimate_now(self) -> None:
        answers, start = self._pilot_answers, self.request.assumptions
        if answers is None:
            return
        try:
            pilot = await asyncio.to_thread(pilot_of, answers, start)
        except UnusablePilot as error:
            self.show_pilot_note(str(error))
            return
        if start.measure is self.request.assumptions.measure:
            self._use(pilot)

    def _use(self, pilot: Pilot) -> None:
        if pilot.seconds > 0:  # not if it is unknown
            self.time = replace(self.time, task_s=pilot.seconds)
            self.time_note = _("The median in the answers of the pilot.")
        before, estimated = self.request.assumptions, pilot.assumptions
        tasks = before.tasks_per_participant  # no answers tell how many there will be
        is_proposed = before.reference is not None and before.reference == before.proposed_reference
        reference = estimated.proposed_reference if is_proposed else before.reference
        estimated = replace(estimated, tasks_per_participant=tasks, reference=reference)
        found = replace(self.request, assumptions=estimated)
        if pilot.assumptions.deviation != self.request.assumptions.deviation:
            found = replace(found, half_width=pilot.assumptions.usual_half_width)
        self._set(found)
        self.show_pilot_note(pilot_sentence(pilot))

    async def _compute(self) -> None:
        request, version = self.request, self._version
        rows, problem = tuple[PlanRow, ...](), ""
        self._set_fraction(0.0)
        try:
            request.checked()
            if request.assumptions.measure.is_simulated:
                rows = tuple(await run_in_process(planned_rows, request, on_progress=self._on_step))
            else:
                rows = tuple(await asyncio.to_thread(request.rows))
        except UnusableAssumption as error:
            problem = str(error)
        finally:
            if version == self._version or self.is_stopped:  # else the next plan is computed
                self._set_fraction(None)
                self.changed.emit()
        if version == self._version:
            self.rows, self.planned = rows, request
            self.problem, self._computed = problem, version
            self.changed.emit()

    def _on_step(self, fraction: float) -> None:
        if self.fraction is not None:
            self._set_fraction(fraction)

    def _set_fraction(self, fraction: float | None) -> None:
        if fraction != self.fraction:
            self.fraction = fraction
            self.progress_changed.emit()
