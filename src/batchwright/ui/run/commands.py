"""The commands of the Run stage: each is one function here and one row in `ui.run.actions`.

A command asks the user what is necessary, then starts an operation. The `start_…` functions start it without
asking.
"""

from contextlib import aclosing, suppress
from functools import partial

from batchwright.base.i18n import _, ngettext
from batchwright.client.batch_content import shows_fields
from batchwright.client.dataset_lookup import look_up_dataset
from batchwright.client.dataset_schemas import schema_of
from batchwright.layout.working_time import working_time
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.versions import NewVersion, VersionCause
from batchwright.schema.model import Schema
from batchwright.service.process import ServiceDidNotStart
from batchwright.ui.core.formatting import number
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.planning.plan_study import plan_study
from batchwright.ui.publishing.publish import fetch_existing
from batchwright.ui.publishing.state import ResourceChange
from batchwright.ui.run.alternatives import Alternative
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.dialogs import (
    DuplicateDialog,
    SetUpDatasetDialog,
    SetUpDialog,
    SetupObstacleDialog,
    sync_dialog,
)
from batchwright.ui.run.labels import dataset_record_count, sync_result_text, task_summary
from batchwright.ui.run.participant_dialogs import show_participant_dialog
from batchwright.ui.run.places import PlaceTimeoutDialog, shortfall_text, simulation_title
from batchwright.ui.run.remote_batches import fetch_progress, is_legacy
from batchwright.ui.run.state import AutoSyncSwitch, RunState
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.study.study_amounts import count_study
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, info_row
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.local_routes import PlaceTimeout, Progress
from batchwright.wire.syncs import SyncJob
from batchwright.workflows.answers.measure_time import measure_task_time
from batchwright.workflows.publishing.create_batch import duplicate
from batchwright.workflows.publishing.open_as_study import (
    ConvertedBatch,
    study_from_legacy_batch,
)
from batchwright.workflows.publishing.published import WithAnswerCount
from batchwright.workflows.publishing.set_up import (
    SetupObstacle,
    find_setup_obstacle,
    set_up_confirmed,
    setup_obstacle,
)
from batchwright.workflows.publishing.sync import set_auto_sync, sync
from batchwright.workflows.rehearsal.simulate import Reached, SimulationOptions, simulate_batch

_PLANNING = "plan beside a setup"
_COUNTING = "count the records for the setup"


async def convert_to_layout(context: RunContext) -> None:
    """Open the legacy batch shown as a new study with a layout, after showing what it will have."""
    batch = context.state.chosen
    if batch is None:
        return

    operation = Operation("convert", _("Reading the instructions"))
    converted = await context.state.operations.run(
        operation, lambda run: study_from_legacy_batch(run.context, batch.id)
    )
    if converted is not None and await convert_dialog(converted).ask(context.host):
        await context.open_study(converted.project)


def convert_dialog(converted: ConvertedBatch) -> Dialog:
    """The confirmation before a legacy batch is opened as a study with a layout: what it has, what stays."""
    questions = ngettext("{count} question", "{count} questions", converted.questions)
    fields = ngettext("{count} field", "{count} fields", converted.fields)
    text = _("Opens a new study with one page, as participants of the batch see it: {fields}, {questions}.")
    dialog = Dialog(
        _("Convert “{name}” to a layout").format(name=converted.project.name),
        text.format(
            fields=fields.format(count=number(converted.fields)),
            questions=questions.format(count=number(converted.questions)),
        ),
        _("Open as a new study"),
        width=WIDE,
        help_address="run.md#older-batches",
    )
    notes = [
        _(
            "The batch stays as it is, with its instructions, tasks and answers. A layout in the batch "
            "itself would remove its instructions, and its answers would no longer belong to a question."
        ),
        _("The study uses the same dataset. Creating its batch makes a new one, which has no tasks yet."),
    ]
    if converted.is_v3:
        notes[1] = _(
            "The dataset is V3, and a layout cannot show its fields. Upload the data again in the Data stage "
            "as a V4 dataset, then add the fields to the page."
        )
    dialog.add(*map(info_row, notes))
    return dialog


async def set_up_tasks(context: RunContext) -> None:
    """Ask how to create the tasks of the batch shown, and start the setup."""
    state = context.state
    existing = await fetch_existing(state, state.shown_id)
    if existing is None:
        return
    batch, is_own = existing.resource, existing.resource.id == state.own_id
    is_checked, obstacle = await _find_obstacle(state, batch)
    if obstacle is not None:
        await _show_obstacle(context, batch, obstacle)
    if obstacle is None and is_checked:
        schema = state.study.schema if is_own else _schema_of_shown(state)
        records = state.records if is_own else dataset_record_count(batch)
        await _ask_set_up(context, existing, records, schema)


async def set_up_with_dataset(context: RunContext) -> None:
    """Ask for a dataset, then how to create tasks from it for the batch shown, and start the setup."""
    state = context.state
    existing = await fetch_existing(state, state.shown_id)
    dialog = SetUpDatasetDialog(existing.resource.name) if existing is not None else None
    if existing is None or dialog is None or not await dialog.ask(context.host):
        return
    id = dialog.dataset_id
    lookup = await state.operations.run(
        Operation("check", _("Checking the dataset")), lambda run: look_up_dataset(run.context, id)
    )
    if lookup is None:
        return
    obstacle = setup_obstacle(lookup.dataset)
    if obstacle is not None:
        await SetupObstacleDialog(existing.resource.name, obstacle, ()).ask(context.host)
        return
    await _ask_set_up(context, existing, lookup.dataset.total_datapoint_count, lookup.schema, id)


async def _ask_set_up(
    context: RunContext,
    existing: WithAnswerCount[Batch],
    records: int,
    schema: Schema | None,
    dataset_id: str | None = None,
) -> None:
    """Ask how to create the tasks of a batch, and start the setup; `dataset_id` replaces its dataset."""
    state, batch = context.state, existing.resource
    is_own = batch.id == state.own_id
    dialog = SetUpDialog(
        batch.name,
        records,
        state.study.project.tasks_per_group if is_own else batch.tasks_per_group or 1,
        group_field=schema.task_group_field if schema else None,
        live=context.live,
        is_again=batch.total_task_count > 0,
        is_processing=batch.status == BatchStatus.PROCESSING,
        answers=existing.answers,
        time=working_time(state.study.layout, state.study.schema, {}) if is_own else None,
    )
    dialog.plan_requested.connect(
        lambda: state.tasks.start(_PLANNING, lambda: plan_study(state.tasks, context.host, state.study))
    )
    if is_own and dataset_id is None:
        state.tasks.restart(_COUNTING, lambda: _show_amounts(state, dialog))
    if await dialog.ask(context.host):
        state.choose(batch.id)
        start_set_up(state, batch, dialog.tasks_per_group, dataset_id)
    state.tasks.cancel(_COUNTING)


async def _show_amounts(state: RunState, dialog: SetUpDialog) -> None:
    """Find what the dialog says about groups, time and pay."""
    await _show_counted(state, dialog)
    await _show_measured(state, dialog)


async def _show_measured(state: RunState, dialog: SetUpDialog) -> None:
    """Measure the time for a task in the answers of people in the rehearsal, if there are any."""
    batch_id = state.study.remote(THIS_COMPUTER.name).batch_id
    if batch_id is not None:
        with suppress(OSError, ServiceDidNotStart):  # the estimate stays
            measured = await measure_task_time(await state.session.local_context(), batch_id)
            if measured is not None:
                dialog.show_measured(measured)


async def _show_counted(state: RunState, dialog: SetUpDialog) -> None:
    """Show what the study's file says about groups and time; without a file, the dialog has none."""
    counted = await count_study(state.study)
    if counted is not None:
        dialog.show_amounts(counted.amounts, counted.time)


async def sync_batch(context: RunContext) -> None:
    """Create tasks for records added to the dataset of the batch shown; confirmed first at a live service."""
    state, live, batch = context.state, context.live, context.state.chosen
    if batch is None:
        return
    if not live or await sync_dialog(batch.name, state.sync.unsynced, live).ask(context.host):
        state.choose(batch.id)
        start_sync(state)


def toggle_auto_sync(context: RunContext) -> None:
    """Switch auto-sync of the batch shown on or off."""
    switch_auto_sync(context.state, is_on=not context.state.sync.is_auto)


async def duplicate_batch(context: RunContext) -> None:
    """Ask for the name and dataset of a copy of the batch shown, and create it."""
    batch = context.state.chosen
    if batch is None:
        return
    dialog = DuplicateDialog(batch.name, has_dataset=bool(batch.datasets), live=context.live)
    if await dialog.ask(context.host):
        start_duplicate(context.state, batch, dialog.name, with_dataset=dialog.with_dataset)


async def simulate(context: RunContext) -> None:
    """Ask for the number of simulated participants, and start them."""
    state, batch = context.state, context.state.chosen
    if batch is None:
        return
    progress = await _fetch_progress(state, batch)
    if progress is None:
        return
    state.store_progress(batch.id, progress)
    dialog = SimulationDialog(progress)
    if await dialog.ask(context.host):
        state.choose(batch.id)
        start_simulation(state, dialog.options)


async def set_place_timeout(context: RunContext) -> None:
    """Ask after which time without activity the place of a participant is free, and set it."""
    state, batch = context.state, context.state.chosen
    if batch is None:
        return
    dialog = PlaceTimeoutDialog(state.progress.place_timeout_minutes)
    if await dialog.ask(context.host):
        start_set_place_timeout(state, batch, dialog.minutes)


def release_places(context: RunContext) -> None:
    """Free the places of participants who have started and not answered."""
    if context.state.chosen is not None:
        start_release_places(context.state, context.state.chosen)


async def create_participant(context: RunContext) -> None:
    """Ask for the e-mail address of a test participant, and create one."""
    await show_participant_dialog(context.host, context.state.session)


def start_set_up(state: RunState, batch: Batch, tasks_per_group: int, dataset_id: str | None = None) -> None:
    """Create the tasks of a batch, as it was when the user decided, from its dataset or from another one."""
    version: NewVersion | None = None
    if batch.id == state.own_id:
        state.study.set_tasks_per_group(tasks_per_group)
        version = state.study.new_version(VersionCause.SET_UP)

    async def work(run: OperationRun) -> None:
        def on_accepted() -> None:
            if version is not None:
                state.study.version_created.emit(version)
            if run.subject == state.subject.value:
                state.store(batch.model_copy(update={"status": BatchStatus.PROCESSING}))

        ready = await set_up_confirmed(
            run.context, batch, tasks_per_group, run.hooks, on_accepted, dataset_id
        )
        state.store_has_earlier_tasks(batch.id, has_earlier_tasks=False)
        state.notified.emit(_("Setup finished"), task_summary(ready))

    state.operations.start(ResourceChange("set up", _("Creating tasks"), resource_id=batch.id), work)


def start_sync(state: RunState) -> None:
    """Create tasks for the records added to the dataset of the batch shown since setup or the last sync."""
    batch, is_v3 = state.chosen, state.sync.is_v3
    if batch is None:
        return

    async def work(run: OperationRun) -> SyncJob:
        job = await sync(run.context, batch.id, batch.name, is_v3=is_v3, hooks=run.hooks)
        state.sync.detector.remove(batch.id)
        state.notified.emit(_("Sync finished"), sync_result_text(job))
        return job

    state.operations.start(ResourceChange("sync", _("Syncing the batch"), resource_id=batch.id), work)


def switch_auto_sync(state: RunState, *, is_on: bool) -> None:
    """Switch auto-sync of the batch shown on or off; if the service rejects that, the switch is reset."""
    batch = state.chosen
    if batch is None:
        return
    id = batch.id
    state.sync.request(id, is_on=is_on)

    async def work(run: OperationRun) -> None:
        """Send the requested setting; repeated if the user has switched again meanwhile."""
        sent = None
        while (requested := state.sync.requested(id)) is not None and sent is not requested:
            sent = requested
            batch = await set_auto_sync(run.context, id, is_on=requested)
            if run.subject == state.subject.value:
                state.store(batch)

    operation = AutoSyncSwitch(f"auto-sync of {id}", _("Changing auto-sync"), resource_id=id)
    state.operations.start(operation, work)


def start_duplicate(state: RunState, batch: Batch, name: str, *, with_dataset: bool) -> None:
    """Create a copy of a batch (specification, Batches rule 8); show it if it belongs to the workspace."""

    async def work(run: OperationRun) -> Batch | None:
        copy = await duplicate(run.context, batch, name, with_dataset=with_dataset, hooks=run.hooks)
        state.notified.emit(_("Batch duplicated"), copy.name)
        return copy if copy.workspace_id in ("", run.context.workspace_id) else None

    def show(copy: Batch | None) -> None:
        if copy is not None:
            state.store(copy)
            state.choose(copy.id)

    operation = ResourceChange("duplicate", _("Duplicating the batch"), resource_id=batch.id)
    state.operations.start(operation, work, show)


def start_set_place_timeout(state: RunState, batch: Batch, minutes: int) -> None:
    """Set after how many minutes without activity the place of a participant is free."""

    async def work(run: OperationRun) -> Progress:
        await run.context.service.local.set_place_timeout(batch.id, PlaceTimeout(minutes=minutes))
        return await fetch_progress(run.context, batch)

    operation = ResourceChange("place timeout", _("Setting the time"), resource_id=batch.id)
    state.operations.start(operation, work, partial(state.store_progress, batch.id))


def start_release_places(state: RunState, batch: Batch) -> None:
    """Free the places of participants who have started and not answered."""

    async def work(run: OperationRun) -> Progress:
        await run.context.service.local.release_places(batch.id)
        return await fetch_progress(run.context, batch)

    operation = ResourceChange("release places", _("Freeing places"), resource_id=batch.id)
    state.operations.start(operation, work, partial(state.store_progress, batch.id))


def start_simulation(state: RunState, options: SimulationOptions) -> None:
    """Run simulated participants for the batch shown; they stop when another study is opened."""
    batch, reached = state.chosen, Reached()
    if batch is None:
        return

    async def work(run: OperationRun) -> None:
        def show_progress(fraction: float) -> None:
            run.update(fraction=fraction)
            if not fraction:  # all have started
                state.details.refresh()

        simulation = simulate_batch(run.context, batch.id, options, reached, show_progress)
        async with aclosing(simulation) as finished:
            async for _count in finished:
                state.store_progress(batch.id, await fetch_progress(run.context, batch))
        title = simulation_title(reached.finished, options.participants)
        if reached.finished == options.participants:
            state.notified.emit(title, batch.name)
        else:
            state.simulation_fell_short.emit(title, shortfall_text(await fetch_progress(run.context, batch)))

    title = _("Simulated participants answer")
    operation = ResourceChange("simulate", title, resource_id=batch.id, cancels_on_leave=True)
    state.operations.start(operation, work)


async def _find_obstacle(state: RunState, batch: Batch) -> tuple[bool, SetupObstacle | None]:
    """Whether the dataset of a batch was checked, and why a setup would be rejected."""

    async def work(run: OperationRun) -> tuple[bool, SetupObstacle | None]:
        return True, await find_setup_obstacle(run.context, batch)

    found = await state.operations.run(Operation("check", _("Checking the dataset")), work)
    return found or (False, None)


async def _show_obstacle(context: RunContext, batch: Batch, obstacle: SetupObstacle) -> None:
    """Say why the batch shown cannot be set up, and run what the user chooses instead."""
    state = context.state
    alternatives: tuple[Alternative, ...] = (
        Alternative.CONVERT_LEGACY if is_legacy(batch) else Alternative.OPEN,
    )
    if batch.id == state.own_id:
        is_static = obstacle is SetupObstacle.NO_DATASET and not shows_fields(state.study.layout)
        alternatives = (Alternative.DATA, Alternative.CONVERT) if is_static else (Alternative.DATA,)
    dialog = SetupObstacleDialog(batch.name, obstacle, alternatives)
    await dialog.ask(context.host)
    if dialog.alternative is not None:
        context.run_action(dialog.alternative.value)


def _schema_of_shown(state: RunState) -> Schema | None:
    """The schema of the dataset of the batch shown, as far as it was fetched."""
    datasets = state.shown.details.datasets if state.shown is not None else ()
    return schema_of(datasets[0]) if datasets else None


async def _fetch_progress(state: RunState, batch: Batch) -> Progress | None:
    """Fetch the progress of the task groups of a batch; None if that failed."""
    return await state.operations.run(
        Operation("check", _("Checking the groups")), lambda run: fetch_progress(run.context, batch)
    )
