"""Creating and updating the batch of the study: the questions before, and the operation."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from batchwright.base.i18n import _
from batchwright.client.batch_content import DesiredBatch, compare
from batchwright.client.content_review import batch_versions, with_content
from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_lookup import look_up_dataset
from batchwright.client.errors import ChangedMeanwhile, is_not_found, none_if_missing
from batchwright.client.published_content import ContentComparison
from batchwright.client.task_layouts import has_earlier_tasks
from batchwright.layout.rules import Problem
from batchwright.local.versions import VersionCause
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.review.conflict_dialog import Decision
from batchwright.ui.review.questions import (
    TheirDataset,
    choose_version,
    confirm_sending,
    page_names,
    sent_at_text,
)
from batchwright.ui.review.rows import change_rows
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.publish_dialogs import (
    CreateWithoutDataDialog,
    conflict_texts,
    create_dialog,
    update_dialog,
)
from batchwright.ui.run.state import BatchChange, RunState
from batchwright.wire.batches import Batch
from batchwright.workflows.count_answers import count_batch_answers
from batchwright.workflows.publish_batch import (
    BatchWithAnswerCount,
    PublishedBatch,
    create_or_update_batch,
    fetch_with_answer_count,
    layout_problems,
    sent_record,
)


async def publish_batch(context: RunContext) -> None:
    """Create or update the batch; confirmed first at a live service, or if something may be lost."""
    state = context.state

    def set_up_next() -> None:
        if state.remote_batches.is_active:  # otherwise the user has left the stage
            context.run_action(ActionId.RUN_SET_UP)

    if not state.own_id:
        if await _may_create(context):
            start_publish(state, None, set_up_next)
        return
    existing = await fetch_existing(state, state.own_id)
    if existing is None:
        return
    decision = await _decide_on_versions(context, existing.batch)
    if decision is Decision.NEW:
        start_publish(state, None, set_up_next, existing_id=existing.batch.id)
    elif decision in {Decision.MINE, Decision.MERGE} and await _may_update(context, existing):
        start_publish(state, existing.batch, set_up_next, lambda: context.run_action(ActionId.RUN_PUBLISH))


def start_publish(
    state: RunState,
    replaces: Batch | None,
    set_up_next: Callable[[], object] = lambda: None,
    review_again: Callable[[], object] = lambda: None,
    *,
    existing_id: str = "",
) -> None:
    """Create the batch, or update it to the current content of the study.

    Args:
        state: the state of the stage.
        replaces: the batch at the time when the user confirmed the update; None creates one.
        set_up_next: called if tasks have to be created, for the first time or again.
        review_again: called if the batch has changed since the user confirmed; nothing was sent then.
        existing_id: the id of the study's existing batch, if a further one is to be created.
    """
    desired, connection = state.desired_batch, state.session.connection.name
    if desired is None:
        return
    version = state.study.new_version(VersionCause.UPDATED if replaces else VersionCause.CREATED)
    state.choose_own()
    state.study.show_server_problems(())

    async def work(
        run: OperationRun,
    ) -> tuple[PublishedBatch | tuple[Problem, ...] | ChangedMeanwhile, str, bool]:
        published = await _publish(run.context, desired, replaces, existing_id)
        if not isinstance(published, PublishedBatch):
            return published, run.context.workspace_id, False
        state.study.version_created.emit(version)
        batch = published.batch
        is_outdated = await has_earlier_tasks(run.context, batch, is_live=state.session.is_live)
        if published.is_earlier:
            state.existing_batch_found.emit(batch.name)
        else:
            state.notified.emit(_("Batch updated") if replaces else _("Batch created"), batch.name)
        return published, run.context.workspace_id, is_outdated

    def store(result: tuple[PublishedBatch | tuple[Problem, ...] | ChangedMeanwhile, str, bool]) -> None:
        published, workspace_id, is_outdated = result
        if isinstance(published, ChangedMeanwhile):
            review_again()
            return
        if not isinstance(published, PublishedBatch):
            state.study.show_server_problems(published)
            return
        batch = published.batch
        bound = state.study.remote(connection)
        bound = replace(bound, workspace_id=workspace_id, batch_id=batch.id, ids=published.ids)
        state.study.set_remote(connection, replace(bound, last_sent=published.last_sent))
        state.store_batch(batch)
        state.store_has_earlier_tasks(batch.id, has_earlier_tasks=is_outdated)
        is_first = replaces is None and not published.is_earlier and bool(batch.datasets)
        if (is_first and not state.awaits_import) or is_outdated:
            set_up_next()

    title = _("Updating the batch") if replaces else _("Creating the batch")
    operation = BatchChange("publish", title, batch_id=replaces.id if replaces else "")
    state.operations.start(operation, work, store)


async def _publish(
    context: WorkflowContext, desired: DesiredBatch, replaces: Batch | None, existing_id: str
) -> PublishedBatch | tuple[Problem, ...] | ChangedMeanwhile:
    """Create or update the batch; return the problems of a rejected layout."""
    try:
        return await create_or_update_batch(context, desired, replaces, existing_id)
    except ChangedMeanwhile as error:
        return error
    except Exception as error:
        problems = layout_problems(error)
        if not problems:
            raise
        return problems


async def _may_create(context: RunContext) -> bool:
    """Ask before a batch is created at a live service, or without a dataset."""
    state, live = context.state, context.live
    desired = state.desired_batch
    if desired is not None and desired.dataset_id is None:
        dialog = CreateWithoutDataDialog(state.name, live)
        is_confirmed = await dialog.ask(context.host)
        if dialog.alternative is not None:
            context.run_action(dialog.alternative.value)
        return is_confirmed
    return not live or await create_dialog(state.name, live).ask(context.host)


async def fetch_existing(state: RunState, batch_id: str) -> BatchWithAnswerCount | None:
    """Fetch the current state of a batch, and count its answers; None if that failed."""
    if not batch_id:
        return None

    async def work(run: OperationRun) -> BatchWithAnswerCount:
        try:
            return await fetch_with_answer_count(run.context, batch_id)
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
    comparison = await asyncio.to_thread(compare, batch, desired, last)
    if comparison is not ContentComparison.REMOTE_CHANGED:
        return Decision.MINE
    their_id = next((dataset.id for dataset in batch.datasets), None)
    dataset = None
    if their_id is not None and their_id != desired.dataset_id:
        dataset = await _look_up(state, their_id)
        if dataset is None:
            return None
    versions = await asyncio.to_thread(batch_versions, batch, desired, last)
    decision = await choose_version(
        context.host,
        state.study,
        state.session.connection.name,
        conflict_texts(batch.name, sent_at_text(last), context.live),
        versions,
        lambda theirs: sent_record(replace(with_content(desired, theirs), dataset_id=their_id), batch),
        state.notified.emit,
        dataset,
    )
    if state.remote.dataset_id != desired.dataset_id:
        state.remote_batches.refresh()
    return decision


async def _look_up(state: RunState, dataset_id: str) -> TheirDataset | None:
    """Look up the dataset that others have attached to the batch; None if that failed."""

    async def work(run: OperationRun) -> TheirDataset:
        lookup = await none_if_missing(look_up_dataset(run.context, dataset_id))
        return TheirDataset(dataset_id, lookup)

    return await state.operations.run(Operation("dataset", _("Checking the dataset")), work)


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
    comparison = await asyncio.to_thread(compare, batch, desired, last)
    is_changed = comparison is ContentComparison.REMOTE_CHANGED
    dialog = update_dialog(
        existing,
        review,
        await asyncio.to_thread(change_rows, review, names),
        changed_since=sent_at_text(last) if is_changed else None,
        is_recorded=last is not None or comparison is ContentComparison.UP_TO_DATE,
        live=context.live,
    )
    return await confirm_sending(
        context.host,
        dialog,
        state.operations,
        lambda workflow_context: count_batch_answers(workflow_context, batch.id),
    )
