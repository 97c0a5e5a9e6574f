"""The commands of the Run stage: each is one function here and one row in `ui.run.actions`.

A command asks the user what is necessary, then starts an operation. The `start_…` functions start it without
asking.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.client.batch_content import DesiredBatch, content_of, shows_fields
from batchwright.client.content_review import MergedContent, batch_versions, review_instructions
from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_schemas import schema_of
from batchwright.client.errors import ChangedMeanwhile, is_not_found, is_service_error
from batchwright.client.published_content import ContentComparison
from batchwright.client.remote_study import remote_batch
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.layout.rules import Problem
from batchwright.local.projects import LastSent, Project
from batchwright.local.versions import NewVersion, VersionCause
from batchwright.schema.model import Schema
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.review.conflict_dialog import Decision
from batchwright.ui.review.questions import choose_version, confirm_sending, page_names
from batchwright.ui.review.rows import change_rows
from batchwright.ui.run.dialogs import (
    DuplicateDialog,
    SetUpDialog,
    convert_dialog,
    create_dialog,
    sync_dialog,
)
from batchwright.ui.run.labels import dataset_record_count, sync_result_text, task_summary
from batchwright.ui.run.missing_data_dialogs import CreateWithoutDataDialog, SetupObstacleDialog, WayOn
from batchwright.ui.run.participant_dialogs import show_participant_dialog
from batchwright.ui.run.remote_batches import fetch_groups, is_legacy
from batchwright.ui.run.state import AutoSyncSwitch, BatchChange, RunState
from batchwright.ui.run.update_dialog import (
    conflict_texts,
    instruction_place,
    instructions_review,
    update_dialog,
)
from batchwright.ui.study.answers_source import OtherSource
from batchwright.ui.study.details_dialog import edit_details as ask_details
from batchwright.ui.study.simulation_dialog import SimulationDialog, SimulationOptions
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.wire.local_routes import AnnotatorsPerTask, GroupProgress
from batchwright.wire.syncs import SyncJob
from batchwright.workflows.count_answers import count_batch_answers
from batchwright.workflows.create_batch import duplicate
from batchwright.workflows.legacy_instructions import read_instructions, replace_instructions
from batchwright.workflows.publish_batch import (
    BatchWithAnswerCount,
    PublishedBatch,
    create_or_update_batch,
    fetch_with_answer_count,
    layout_problems,
    sent_record,
)
from batchwright.workflows.set_up import SetupObstacle, find_setup_obstacle, set_up
from batchwright.workflows.simulate import SimulatedParticipants
from batchwright.workflows.study_from_batch import (
    ConvertedBatch,
    study_from_batch,
    study_from_legacy_batch,
)
from batchwright.workflows.sync import set_auto_sync, sync

OpenStudy = Callable[[Project], Awaitable[object]]
"""Opens another study in place of the current one, after the user has agreed to close that."""


class EditInstructions(Protocol):
    """Shows the instructions of a legacy batch until they are saved; passed in: `ui.editor` has the forms."""

    async def __call__(
        self,
        host: QWidget,
        name: str,
        records: Sequence[InstructionRecord],
        save: Callable[[InstructionsWrite], Awaitable[bool]],
        *,
        deprecation: str,
        live: str,
    ) -> bool:
        """Return False if the dialog was cancelled."""


@dataclass(frozen=True)
class RunContext:
    """The dependencies of the commands of the Run stage."""

    state: RunState
    host: QWidget
    """The parent of dialogs."""
    open_study: OpenStudy
    edit_instructions: EditInstructions
    open_url: Callable[[str], object]
    run_action: Callable[[str], object]
    """Runs another action by its id, if it is enabled."""
    show_answers: Callable[[OtherSource | None], object]
    """Shows the answers of a batch in Results; None for the study's."""

    @property
    def live(self) -> str:
        """The title of the current connection if it is to a live service; empty in a rehearsal."""
        session = self.state.session
        return session.connection.title if session.is_live else ""


def refresh(context: RunContext) -> None:
    """Fetch the batches, with a prompt for a token if one is needed."""
    context.state.remote_batches.refresh(may_prompt=True)


async def edit_details(context: RunContext) -> None:
    """Ask for the task details, and store them in the study."""
    await ask_details(context.host, context.state.study)


async def publish_batch(context: RunContext) -> None:
    """Create or update the batch; confirmed first at a live service, or if something may be lost."""
    state = context.state

    def set_up_next() -> None:
        if state.remote_batches.is_active:  # otherwise the user has left the stage
            context.run_action("run.set_up")

    if not state.own_id:
        if await _may_create(context):
            start_publish(state, None, set_up_next)
        return
    existing = await _fetch_existing(state, state.own_id)
    if existing is None:
        return
    decision = await _decide_on_versions(context, existing.batch)
    if decision is Decision.NEW:
        start_publish(state, None, set_up_next, besides=existing.batch.id)
    elif decision in {Decision.MINE, Decision.MERGE} and await _may_update(context, existing):
        start_publish(state, existing.batch, set_up_next, lambda: context.run_action("run.publish"))


async def set_up_tasks(context: RunContext) -> None:
    """Ask how to create the tasks of the batch shown, and start the setup."""
    state = context.state
    existing = await _fetch_existing(state, state.shown_id)
    if existing is None:
        return
    batch, is_own = existing.batch, existing.batch.id == state.own_id
    is_checked, obstacle = await _find_obstacle(state, batch)
    if obstacle is not None:
        await _show_obstacle(context, batch, obstacle)
    if obstacle is not None or not is_checked:
        return
    schema = state.study.schema if is_own else _schema_of_shown(state)
    dialog = SetUpDialog(
        batch.name,
        state.records if is_own else dataset_record_count(batch),
        state.study.project.tasks_per_group if is_own else batch.tasks_per_group or 1,
        group_field=schema.task_group_field if schema else None,
        live=context.live,
        is_again=batch.total_task_count > 0,
        is_processing=batch.status == BatchStatus.PROCESSING,
        answers=existing.answers,
    )
    if await dialog.ask(context.host):
        state.choose(batch.id)
        start_set_up(state, dialog.tasks_per_group)


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


async def edit_instructions(context: RunContext) -> None:
    """Show the instructions of the legacy batch shown, and save the changes.

    Raises:
        ApiError: the instructions cannot be saved.
    """
    state, batch = context.state, context.state.chosen
    if batch is None:
        return
    notes: list[str] = []

    async def read(
        context_at: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> tuple[InstructionRecord, ...]:
        return await read_instructions(replace(context_at, notify=notes.append), batch.id)

    known: tuple[InstructionRecord, ...] | None
    known = await state.operations.run(Operation("instructions", _("Reading the instructions")), read)
    if known is None:
        return
    context_at = replace(await state.session.context(), notify=notes.append)

    async def save(wanted: InstructionsWrite) -> bool:
        nonlocal known
        if known is not None and not await _may_replace_instructions(context, batch.id, known, wanted):
            return False
        try:
            await replace_instructions(context_at, batch.id, wanted, known)
        except Exception as error:
            if is_service_error(error):
                known = None  # the request may have succeeded nevertheless
            raise
        return True

    is_saved = await context.edit_instructions(
        context.host, batch.name, known, save, deprecation="".join(notes), live=context.live
    )
    if is_saved:
        state.remote_batches.invalidate()


def participate(context: RunContext) -> None:
    """Open the participant page of the batch shown."""
    batch = context.state.chosen
    if batch is None:
        return

    async def fetch_url(reached: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun) -> str:
        return (await reached.service.local.participation(batch.id)).url

    operation = Operation("participate", _("Opening the participant page"))
    context.state.operations.start(operation, fetch_url, context.open_url)


async def simulate(context: RunContext) -> None:
    """Ask for the number of simulated participants, and start them."""
    state, batch = context.state, context.state.chosen
    if batch is None:
        return
    groups = state.groups or await _fetch_groups(state, batch)
    if groups is None:
        return
    dialog = SimulationDialog(groups)
    if await dialog.ask(context.host):
        state.choose(batch.id)
        start_simulation(state, dialog.people)


async def create_participant(context: RunContext) -> None:
    """Ask for the e-mail address of a test participant, and create one."""
    await show_participant_dialog(context.host, context.state.session)


def show_answers(context: RunContext) -> None:
    """Show the answers of the batch shown in Results."""
    state = context.state
    if state.chosen is not None:
        batch, connection = state.chosen, state.session.connection.name
        other = None if state.shows_own else OtherSource(connection, remote_batch(batch.id), batch.name)
        context.show_answers(other)


async def open_as_study(context: RunContext) -> None:
    """Open the batch shown as a study."""
    if context.state.chosen is not None:
        await _open_as_study(context, context.state.chosen)


async def convert_to_layout(context: RunContext) -> None:
    """Open the legacy batch shown as a new study with a layout, after showing what it will have."""
    if context.state.chosen is not None:
        await _convert_legacy(context, context.state.chosen)


def start_publish(
    state: RunState,
    replaces: Batch | None,
    set_up_next: Callable[[], object] = lambda: None,
    review_again: Callable[[], object] = lambda: None,
    *,
    besides: str = "",
) -> None:
    """Create the batch, or update it to the current content of the study.

    Args:
        state: the state of the stage.
        replaces: the batch at the time when the user confirmed the update; None creates one.
        set_up_next: called if tasks have to be created, for the first time or again.
        review_again: called if the batch has changed since the user confirmed; nothing was sent then.
        besides: the id of the study's existing batch, if a further one is to be created.
    """
    desired, connection = state.desired_batch, state.session.connection.name
    if desired is None:
        return
    version = state.study.new_version(VersionCause.UPDATED if replaces else VersionCause.CREATED)
    state.choose_own()
    state.study.show_server_problems(())

    async def work(
        context: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> tuple[PublishedBatch | tuple[Problem, ...] | ChangedMeanwhile, str]:
        published = await _publish(context, desired, replaces, besides)
        if not isinstance(published, PublishedBatch):
            return published, context.workspace_id
        state.study.version_created.emit(version)
        batch = published.batch
        has_tasks = replaces is not None and replaces.total_task_count > 0
        if replaces and has_tasks and not content_of(replaces).has_same_content(content_of(batch)):
            state.outdated.add(batch.id)
        if published.is_earlier:
            state.existing_batch_found.emit(batch.name)
        else:
            state.notified.emit(_("Batch updated") if replaces else _("Batch created"), batch.name)
        return published, context.workspace_id

    def store(result: tuple[PublishedBatch | tuple[Problem, ...] | ChangedMeanwhile, str]) -> None:
        published, workspace_id = result
        if isinstance(published, ChangedMeanwhile):
            review_again()
            return
        if not isinstance(published, PublishedBatch):
            state.study.show_server_problems(published)
            return
        batch = published.batch
        bound = replace(state.remote, workspace_id=workspace_id, batch_id=batch.id, ids=published.ids)
        state.study.set_remote(connection, replace(bound, last_sent=published.last_sent))
        state.store_batch(batch)
        is_first = replaces is None and not published.is_earlier and bool(batch.datasets)
        if is_first or batch.id in state.outdated:
            set_up_next()

    title = _("Updating the batch") if replaces else _("Creating the batch")
    operation = BatchChange("publish", title, batch_id=replaces.id if replaces else "")
    state.operations.start(operation, work, store)


async def _publish(
    context: WorkflowContext, desired: DesiredBatch, replaces: Batch | None, besides: str
) -> PublishedBatch | tuple[Problem, ...] | ChangedMeanwhile:
    """Create or update the batch; return the problems of a rejected layout."""
    try:
        return await create_or_update_batch(context, desired, replaces, besides)
    except ChangedMeanwhile as error:
        return error
    except Exception as error:
        problems = layout_problems(error)
        if not problems:
            raise
        return problems


def start_set_up(state: RunState, tasks_per_group: int) -> None:
    """Create the tasks of the batch shown."""
    batch = state.chosen
    if batch is None:
        return
    version: NewVersion | None = None
    if batch.id == state.own_id:
        state.study.set_tasks_per_group(tasks_per_group)
        version = state.study.new_version(VersionCause.SET_UP)

    async def work(context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun) -> None:
        if run.subject == state.subject.value:
            state.store_batch(batch.model_copy(update={"status": BatchStatus.PROCESSING}))
        ready = await set_up(context, batch.id, batch.name, tasks_per_group, batch.status, hooks)
        if version is not None:
            state.study.version_created.emit(version)
        state.outdated.discard(batch.id)
        state.notified.emit(_("Setup finished"), task_summary(ready))

    state.operations.start(BatchChange("set up", _("Creating tasks"), batch_id=batch.id), work)


def start_sync(state: RunState) -> None:
    """Create tasks for the records added to the dataset of the batch shown since setup or the last sync."""
    batch, is_v3 = state.chosen, state.sync.is_v3
    if batch is None:
        return

    async def work(context: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun) -> SyncJob:
        job = await sync(context, batch.id, batch.name, is_v3=is_v3)
        state.sync.detector.remove(batch.id)
        state.notified.emit(_("Sync finished"), sync_result_text(job))
        return job

    state.operations.start(BatchChange("sync", _("Syncing the batch"), batch_id=batch.id), work)


def switch_auto_sync(state: RunState, *, is_on: bool) -> None:
    """Switch auto-sync of the batch shown on or off; if the service rejects that, the switch is reset."""
    batch = state.chosen
    if batch is None:
        return
    id = batch.id
    state.sync.wish(id, is_on=is_on)

    async def work(context: WorkflowContext, _hooks: RecoveryHooks | None, run: OperationRun) -> None:
        """Send the requested setting; repeated if the user has switched again meanwhile."""
        sent = None
        while (wished := state.sync.wished(id)) is not None and sent is not wished:
            sent = wished
            batch = await set_auto_sync(context, id, is_on=wished)
            if run.subject == state.subject.value:
                state.store_batch(batch)

    operation = AutoSyncSwitch(f"auto-sync of {id}", _("Changing auto-sync"), batch_id=id)
    state.operations.start(operation, work)


def start_duplicate(state: RunState, batch: Batch, name: str, *, with_dataset: bool) -> None:
    """Create a copy of a batch (specification, Batches rule 8); show it if it belongs to the workspace."""

    async def work(context: WorkflowContext, hooks: RecoveryHooks | None, _run: OperationRun) -> Batch | None:
        copy = await duplicate(context, batch, name, with_dataset=with_dataset, hooks=hooks)
        state.notified.emit(_("Batch duplicated"), copy.name)
        return copy if copy.workspace_id in ("", context.workspace_id) else None

    def show(copy: Batch | None) -> None:
        if copy is not None:
            state.store_batch(copy)
            state.choose(copy.id)

    operation = BatchChange("duplicate", _("Duplicating the batch"), batch_id=batch.id)
    state.operations.start(operation, work, show)


def start_simulation(state: RunState, people: SimulationOptions) -> None:
    """Run simulated participants for the batch shown; they stop when another study is opened."""
    batch = state.chosen
    if batch is None:
        return

    async def work(context: WorkflowContext, _hooks: RecoveryHooks | None, run: OperationRun) -> None:
        local, answered = context.service.local, 0
        each = AnnotatorsPerTask(annotators_per_task=people.per_task)
        await local.set_annotators_per_task(batch.id, each)
        state.store_groups(batch.id, await fetch_groups(context, batch))
        link = (await local.participation(batch.id)).url
        simulation = SimulatedParticipants(link, people.seed, people.participants)
        async with aclosing(simulation.run()) as participants:
            async for _number in participants:
                answered += 1
                state.store_groups(batch.id, await fetch_groups(context, batch))
                run.update(fraction=answered / people.participants)
        text = ngettext("{count} participant answered", "{count} participants answered", answered)
        state.notified.emit(text.format(count=number(answered)), batch.name)

    title = _("Simulated participants answer")
    operation = BatchChange("simulate", title, batch_id=batch.id, cancels_on_leave=True)
    state.operations.start(operation, work)


async def _may_create(context: RunContext) -> bool:
    """Ask before a batch is created at a live service, or without a dataset."""
    state, live = context.state, context.live
    desired = state.desired_batch
    if desired is not None and desired.dataset_id is None:
        dialog = CreateWithoutDataDialog(state.name, live)
        is_confirmed = await dialog.ask(context.host)
        _go_on(context, dialog.way_on)
        return is_confirmed
    return not live or await create_dialog(state.name, live).ask(context.host)


async def _find_obstacle(state: RunState, batch: Batch) -> tuple[bool, SetupObstacle | None]:
    """Return whether the dataset of a batch was checked, and why a setup would be rejected."""

    async def work(
        context: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> tuple[bool, SetupObstacle | None]:
        return True, await find_setup_obstacle(context, batch)

    found = await state.operations.run(Operation("check", _("Checking the dataset")), work)
    return found or (False, None)


async def _show_obstacle(context: RunContext, batch: Batch, obstacle: SetupObstacle) -> None:
    """Say why a batch cannot be set up, and do what the user chooses instead."""
    state = context.state
    ways: tuple[WayOn, ...] = (WayOn.CONVERT_LEGACY if is_legacy(batch) else WayOn.OPEN,)
    if batch.id == state.own_id:
        is_static = obstacle is SetupObstacle.NO_DATASET and not shows_fields(state.study.layout)
        ways = (WayOn.DATA, WayOn.CONVERT) if is_static else (WayOn.DATA,)
    dialog = SetupObstacleDialog(batch.name, obstacle, ways)
    await dialog.ask(context.host)
    if dialog.way_on is WayOn.OPEN:
        await _open_as_study(context, batch)
    elif dialog.way_on is WayOn.CONVERT_LEGACY:
        await _convert_legacy(context, batch)
    else:
        _go_on(context, dialog.way_on)


def _go_on(context: RunContext, way_on: WayOn | None) -> None:
    actions = {WayOn.DATA: "go_data", WayOn.CONVERT: "convert"}
    if way_on in actions:
        context.run_action(actions[way_on])


def _schema_of_shown(state: RunState) -> Schema | None:
    """The schema of the dataset of the batch shown, as far as it was fetched."""
    datasets = state.shown.details.datasets if state.shown is not None else ()
    return schema_of(datasets[0]) if datasets else None


async def _fetch_groups(state: RunState, batch: Batch) -> Sequence[GroupProgress] | None:
    """Fetch the progress of the task groups of a batch; None if that failed."""

    async def work(
        context: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> Sequence[GroupProgress]:
        return await fetch_groups(context, batch)

    return await state.operations.run(Operation("check", _("Checking the groups")), work)


async def _fetch_existing(state: RunState, batch_id: str) -> BatchWithAnswerCount | None:
    """Fetch the current state of a batch, and count its answers; None if that failed."""
    if not batch_id:
        return None

    async def work(
        context: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> BatchWithAnswerCount:
        try:
            return await fetch_with_answer_count(context, batch_id)
        except Exception as error:
            if is_not_found(error):
                state.remote_batches.invalidate()
            raise

    existing = await state.operations.run(Operation("check", _("Checking the batch")), work)
    if existing is not None:
        state.store_batch(existing.batch)
    return existing


async def _decide_on_versions(context: RunContext, batch: Batch) -> Decision | None:
    """Ask which version to keep if others have changed the batch; the study gets theirs, or both combined.

    Returns:
        None if the user cancelled, and `MINE` if nobody else has changed the batch.
    """
    state = context.state
    desired, last = state.desired_batch, state.remote.last_sent
    if desired is None:
        return None
    if state.comparison is not ContentComparison.REMOTE_CHANGED:
        return Decision.MINE
    versions = await asyncio.to_thread(batch_versions, batch, desired, last)

    def record(theirs: MergedContent) -> LastSent:
        content = replace(
            desired, name=theirs.name, details=theirs.details, layout=theirs.layout, ids=theirs.ids
        )
        return sent_record(content, batch)

    texts = conflict_texts(batch.name, _sent_at(last), context.live)
    connection = state.session.connection.name
    decision = await choose_version(context.host, state.study, connection, texts, versions, record)
    if decision is Decision.THEIRS:
        state.notified.emit(_("Their version is loaded"), _("Undo brings yours back."))
    return decision


async def _may_update(context: RunContext, existing: BatchWithAnswerCount) -> bool:
    """Show what an update of the batch changes, and ask whether to send it."""
    state, batch = context.state, existing.batch
    desired, last = state.desired_batch, state.remote.last_sent
    if desired is None:
        return False
    review = await asyncio.to_thread(lambda: batch_versions(batch, desired, last).review)
    if review.is_empty:
        return True
    names = page_names(state.study.project, desired.ids)
    is_changed = state.comparison is ContentComparison.REMOTE_CHANGED
    dialog = update_dialog(
        existing,
        review,
        await asyncio.to_thread(change_rows, review, names),
        changed_since=_sent_at(last) if is_changed else None,
        is_recorded=last is not None or state.is_as_sent,
        live=context.live,
    )
    return await confirm_sending(
        context.host, dialog, state.operations, lambda reached: count_batch_answers(reached, batch.id)
    )


async def _may_replace_instructions(
    context: RunContext, batch_id: str, known: Sequence[InstructionRecord], wanted: InstructionsWrite
) -> bool:
    """Show what changes in the instructions of a legacy batch, and ask whether to send it."""
    existing = await _fetch_existing(context.state, batch_id)
    if existing is None:
        return False
    review = review_instructions(known, wanted)
    rows = change_rows(review, {}, place=instruction_place)
    return await confirm_sending(
        context.host,
        instructions_review(existing, review, rows, context.live),
        context.state.operations,
        lambda reached: count_batch_answers(reached, batch_id),
    )


async def _open_as_study(context: RunContext, batch: Batch) -> None:
    async def work(reached: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun) -> Project:
        return await study_from_batch(reached, batch.id)

    project = await context.state.operations.run(Operation("open", _("Opening the batch")), work)
    if project is not None:
        await context.open_study(project)


async def _convert_legacy(context: RunContext, batch: Batch) -> None:
    async def work(
        reached: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> ConvertedBatch:
        return await study_from_legacy_batch(reached, batch.id)

    operation = Operation("convert", _("Reading the instructions"))
    converted = await context.state.operations.run(operation, work)
    if converted is not None and await convert_dialog(converted).ask(context.host):
        await context.open_study(converted.project)


def _sent_at(last: LastSent | None) -> str:
    """The time when the batch was last sent; empty if the study file has no valid time."""
    try:
        return short_datetime(datetime.fromisoformat(last.at)) if last else ""
    except ValueError:
        return ""
