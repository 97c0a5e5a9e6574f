"""Publishing a study: its batch is created or updated, and the ids that the service assigned are returned.

The number of answers of a batch is shown before it is updated or set up again.
"""

import asyncio

from batchwright.api.http.errors import LayoutRejected
from batchwright.base.i18n import _, program_language
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_schemas import SchemaDiffers, differs
from batchwright.client.resource_content import layout_of
from batchwright.client.task_layouts import is_on_this_computer
from batchwright.layout.ids import collect_ids, to_request
from batchwright.layout.rules import Problem, RejectionStatus, Severity
from batchwright.wire.batches import Batch, BatchStatus, BatchUpdate
from batchwright.wire.local_routes import ParticipantLanguage
from batchwright.workflows.answers.count_answers import count_or_none
from batchwright.workflows.publishing.create_batch import create_batch, find_unfinished_batch, sent_before
from batchwright.workflows.publishing.published import Published, WithAnswerCount, published, update


async def fetch_with_answer_count(context: WorkflowContext, batch_id: str) -> WithAnswerCount[Batch]:
    """Fetch a batch and count its answers.

    Raises:
        ApiError: the batch could not be fetched; it is no error if its answers could not be counted.
    """
    batch = await context.service.batches.get(batch_id)
    if batch.status == BatchStatus.UNINITIALISED:
        return WithAnswerCount(batch, 0)
    return WithAnswerCount(batch, await count_or_none(context.service.batches.response_count(batch.id)))


async def create_or_update_batch(
    context: WorkflowContext, desired: DesiredBatch, replaces: Batch | None, existing_id: str = ""
) -> Published[Batch]:
    """Create a batch, or update the existing one.

    Args:
        context: the context of the connection.
        desired: the state that the batch should have.
        replaces: the batch as it was when the user decided on the update; None to create a batch.
        existing_id: the id of the study's existing batch if a further one is to be created.

    Raises:
        SchemaDiffers: the dataset has another schema than the study.
        ChangedMeanwhile: the batch has changed since.
        LayoutRejected: the service rejected items of the layout; see `layout_problems`.
        ApiError: a request failed permanently.
    """
    if desired.schema is not None and desired.dataset_id is not None:
        dataset = await context.service.datasets.get(desired.dataset_id)
        if differs(dataset, desired.schema):
            raise SchemaDiffers(desired.name)
    result = (
        await _publish_new(context, desired, existing_id)
        if replaces is None
        else await _update_existing(context, desired, replaces)
    )
    if is_on_this_computer(context):
        setting = ParticipantLanguage(language=desired.language or program_language().tag)
        await context.service.local.set_language(result.resource.id, setting)
    return result


async def _update_existing(
    context: WorkflowContext, desired: DesiredBatch, replaces: Batch
) -> Published[Batch]:
    batches = context.service.batches

    async def send(batch: Batch) -> Batch:
        return await batches.update(batch.id, await asyncio.to_thread(_update, batch, desired))

    name = _("The batch “{name}”").format(name=replaces.name)
    return await update(context, desired, replaces, lambda: batches.get(replaces.id), send, name)


def layout_problems(error: BaseException) -> tuple[Problem, ...]:
    """The problems of a layout that the service rejected; empty for any other error."""
    if not isinstance(error, LayoutRejected):
        return ()
    return tuple(
        Problem(
            code=str(error.status),
            path=issue.place,
            severity=Severity.ERROR,
            rejection=RejectionStatus.ITEM,
            template=issue.message.replace("{", "{{").replace("}", "}}"),
            item_type=issue.type,
            field=issue.field,
        )
        for issue in error.issues
    )


async def _publish_new(context: WorkflowContext, desired: DesiredBatch, existing_id: str) -> Published[Batch]:
    """Create a batch, or return the one that an interrupted attempt created from this study and dataset.

    If the study has changed since that attempt, the batch is left unchanged: the user is asked whether to
    update it, and a second batch is never created without being asked for. A new batch is fetched once more,
    because the response to its creation has fewer keys (wire reference, 5.1).
    """
    existing = (existing_id,) if existing_id else ()
    about = ("batch", desired.study_id, desired.dataset_id, desired.name, *existing)
    async with context.locked_checkpoint(*about) as checkpoint:
        unfinished = await find_unfinished_batch(context, checkpoint)
        if unfinished is not None:
            sent = await sent_before(checkpoint, unfinished)
            return await asyncio.to_thread(published, unfinished, desired, sent)
        batch = await create_batch(context, checkpoint, desired)
        batch = await context.service.batches.get(batch.id)
        sent = await sent_before(checkpoint, batch)
        await checkpoint.record(batch_returned=sent.returned)
        return await asyncio.to_thread(published, batch, desired, sent)


def _update(batch: Batch, desired: DesiredBatch) -> BatchUpdate:
    """The request, with only those ids that the batch still has: the service would reject others.

    Wire reference, section 6.
    """
    existing_ids = frozenset(collect_ids(layout_of(batch)))
    ids = {key: id for key, id in desired.ids.items() if id in existing_ids}
    changes = BatchUpdate(
        name=desired.name, task_details=desired.details, batch_items=to_request(desired.layout, ids)
    )
    if desired.dataset_id is not None:  # null is not allowed: a dataset can be replaced, not detached
        changes = changes.model_copy(update={"dataset_id": desired.dataset_id})
    return changes
