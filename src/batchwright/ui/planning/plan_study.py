"""The command “How many?”: shows the planner, also with the answers of a pilot."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.working_time import working_time
from batchwright.prepare.columns import SYSTEM_LEFT
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.lazy_imports import import_incrementally
from batchwright.ui.study.study_amounts import count_study
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser

if TYPE_CHECKING:  # imported in a worker thread when the planner opens
    from batchwright.analysis.statistics.planning.pilot import PilotAnswers
    from batchwright.ui.planning.planner_state import PlannerState

_READ, _COUNT = "read a pilot", "count for a plan"


async def plan_study(
    tasks: Tasks,
    window: QWidget,
    study: Study,
    files: FileChooser | None = None,
    read_pilot: "Callable[[], PilotAnswers] | None" = None,
) -> None:
    """Show the planner until it is closed.

    Args:
        tasks: runs the computations.
        window: the parent of the dialog.
        study: has the working time, the task groups, whether records compare systems, and the questions of
            answers that do not contain them.
        files: asks for the file with the answers of a pilot; without it, none can be chosen.
        read_pilot: reads the answers from which values are estimated at first, in a worker thread.
    """
    await import_incrementally("batchwright.ui.planning.planning_dialog")
    from batchwright.analysis.statistics.planning.assumptions import StudyMeasure
    from batchwright.ui.planning.planner_state import PlannerState
    from batchwright.ui.planning.planning_dialog import PlanningDialog

    compares_systems = study.schema is not None and SYSTEM_LEFT in study.schema.fields
    state = PlannerState(tasks, StudyMeasure.WIN_RATE if compares_systems else StudyMeasure.SHARE)

    async def choose(files: FileChooser) -> None:
        await import_incrementally("batchwright.ui.planning.pilot_file")
        from batchwright.ui.planning.pilot_file import FILTER, read_pilot_file

        path = await files.file_to_open(_("Answers of a pilot"), (_(FILTER),))
        if path is not None:
            await _read(tasks, state, lambda: read_pilot_file(path, study.project))

    chooser = files
    dialog = PlanningDialog(state)
    if chooser is not None:
        dialog.add_pilot_button(lambda: tasks.start(_READ, lambda: choose(chooser)))
    state.start()
    tasks.start(_COUNT, lambda: use_study(state, study))
    if read_pilot is not None:
        read = read_pilot
        tasks.start(_READ, lambda: _read(tasks, state, read))
    try:
        await dialog.ask(window)
    finally:
        state.stop()
        tasks.cancel(_READ)
        tasks.cancel(_COUNT)


async def use_study(state: "PlannerState", study: Study) -> None:
    """Plan with the working time and the task groups of the study, if its file can be read."""
    counted = await count_study(study)
    time = working_time(study.layout, study.schema, {}) if counted is None else counted.time
    size = study.project.tasks_per_group
    if counted is not None and counted.amounts.groups:
        size = max(1, round(counted.amounts.records / counted.amounts.groups))
    elif size == 1:  # nothing was chosen yet
        size = state.request.assumptions.tasks_per_participant
    state.use_study(time, size)


async def _read(tasks: Tasks, state: "PlannerState", read: "Callable[[], PilotAnswers]") -> None:
    """Estimate the values from answers, or show why they cannot be read."""
    try:
        state.use_pilot(await asyncio.to_thread(read))
    except (OSError, UnreadableFile) as error:
        message = tasks.message(error)
        state.show_pilot_note(f"{message.what} {message.remedy}")
