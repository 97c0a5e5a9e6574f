"""Opening a batch or collection of the workspace as a study, which can be edited and then update it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from batchwright.api.http.errors import NotFound
from batchwright.base.json_values import Json, is_array
from batchwright.client.batch_content import desired_batch
from batchwright.client.collection_content import desired_collection
from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_schemas import lacks_schema, schema_of
from batchwright.client.published_content import content_sent, editable_details, record_sent
from batchwright.client.resource_content import content_of, ids_of, layout_of
from batchwright.client.sent_content import with_resource_content
from batchwright.layout.collection_pages import (
    layout_from_collection,
    to_collection_items,
)
from batchwright.layout.ids import ids_from_response, to_request
from batchwright.layout.serialization import random_keys, read, sequential_keys
from batchwright.local.projects import Project, RemoteBinding, StudyKind
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection
from batchwright.wire.datasets import Dataset, DatasetStatus
from batchwright.wire.imports import ImportStatus

_RECORD_KEYS = frozenset({"id", "order"})
"""Keys of an instruction that have no meaning in a layout, where the order is that of the array."""


class LegacyBatch(Exception):
    """The batch has instructions without a layout, so there is nothing to edit here.

    Wire reference, section 9.
    """


async def study_from_batch(context: WorkflowContext, batch_id: str) -> Project:
    """A study with the current content of a batch.

    It includes the service's ids of the layout, so that an update keeps them. For later comparisons, the
    study counts as what was last sent to the batch.

    Raises:
        LegacyBatch: the batch has no layout.
        ApiError: a request failed permanently.
    """
    batch = await context.service.batches.get(batch_id)
    if not is_array(batch.batch_items):
        raise LegacyBatch
    dataset = await _dataset(context, batch)
    return await asyncio.to_thread(_from_batch, context, batch, batch.batch_items, dataset)


def _from_batch(
    context: WorkflowContext, batch: Batch, pages: Sequence[Json], dataset: Dataset | None
) -> Project:
    """A study with a batch's pages and dataset."""
    # The service's ids of layout nodes are stored beside the layout, not in it.
    layout = read(to_request(read(pages, sequential_keys()), {}), random_keys())
    project = Project(
        batch.name,
        layout,
        schema=schema_of(dataset) if dataset else None,
        details=editable_details(batch.task_details),
        tasks_per_group=batch.tasks_per_group or 1,
    )
    dataset_id = batch.datasets[0].id if batch.datasets else None
    digest = content_sent(desired_batch(project, dataset_id)).digest
    sent = record_sent(digest, content_of(batch))
    ids = ids_from_response(layout, pages)
    remote = RemoteBinding(
        workspace_id=batch.workspace_id or context.workspace_id,
        dataset_id=dataset.id if dataset else None,
        import_id=_import_id(dataset),
        batch_id=batch.id,
        ids=ids,
        is_filled=_is_read_v3(dataset),
        lacks_schema=dataset is not None and lacks_schema(dataset),
        last_sent=with_resource_content(sent, batch, layout, ids),
    )
    return replace(project, remotes={context.id_recorder.connection: remote})


async def study_from_collection(context: WorkflowContext, collection_id: str) -> Project:
    """A study with the current content of a collection.

    It includes the service's ids of pages and items, so that replacing the collection keeps them. For later
    comparisons, the study counts as what was last sent to the collection.

    Raises:
        ApiError: a request failed permanently.
    """
    collection = await context.service.collections.get(collection_id)
    return await asyncio.to_thread(_from_collection, context, collection)


def _from_collection(context: WorkflowContext, collection: Collection) -> Project:
    """A study with the content of a collection."""
    # The service's ids are stored beside the layout, not in it.
    without_ids = to_collection_items(layout_of(collection), {})
    layout = layout_from_collection(without_ids, random_keys())
    project = Project(
        collection.name,
        layout,
        details=editable_details(collection.task_details),
        kind=StudyKind.COLLECTION,
    )
    ids = ids_of(collection, layout)
    digest = content_sent(desired_collection(project)).digest
    sent = record_sent(digest, content_of(collection))
    remote = RemoteBinding(
        workspace_id=collection.workspace_id or context.workspace_id,
        collection_id=collection.id,
        ids=ids,
        last_sent=with_resource_content(sent, collection, layout, ids),
    )
    return replace(project, remotes={context.id_recorder.connection: remote})


@dataclass(frozen=True)
class ConvertedBatch:
    """A legacy batch as a study with a layout of one page, and what the page shows."""

    project: Project
    fields: int
    """Number of dataset fields on the page; the others are hidden, as in the legacy batch."""
    questions: int
    is_v3: bool
    """Whether its dataset is V3: a layout cannot show the fields of such a dataset."""


async def study_from_legacy_batch(context: WorkflowContext, batch_id: str) -> ConvertedBatch:
    """A study that shows what participants of a legacy batch see: all fields, then all instructions.

    The study has the dataset, but is not bound to the batch: a service accepts a layout for a legacy batch,
    but removes its instructions then, and with them the questions that its answers belong to (wire reference,
    section 9).

    Raises:
        Gone: the service no longer supports instructions.
        ApiError: a request failed permanently.
    """
    batch = await context.service.batches.get(batch_id)
    instructions = (await context.service.instructions.list(batch_id)).records
    dataset = await _dataset(context, batch)
    schema = schema_of(dataset) if dataset else None
    fields = [name for name, field in schema.fields.items() if field.type.referable] if schema else []
    items: list[Json] = [{"type": "dataset_field", "field": name} for name in fields]
    items += [
        {name: value for name, value in record.item.items() if name not in _RECORD_KEYS}
        for record in instructions
    ]
    page: Json = {"rows": [{"columns": [{"items": [item]}]} for item in items]}
    remote = RemoteBinding(
        workspace_id=batch.workspace_id or context.workspace_id,
        dataset_id=dataset.id if dataset else None,
        import_id=_import_id(dataset),
        is_filled=_is_read_v3(dataset),
        lacks_schema=dataset is not None and lacks_schema(dataset),
    )
    project = Project(
        batch.name,
        read([page] if items else [], random_keys()),
        schema=schema,
        details=editable_details(batch.task_details),
        tasks_per_group=batch.tasks_per_group or 1,
        remotes={context.id_recorder.connection: remote},
    )
    is_v3 = dataset is not None and not dataset.is_v4
    return ConvertedBatch(project, len(fields), len(instructions), is_v3)


async def _dataset(context: WorkflowContext, batch: Batch) -> Dataset | None:
    """The dataset of a batch; None if it has none or the token has no access to it."""
    if not batch.datasets:
        return None
    try:
        return await context.service.datasets.get(batch.datasets[0].id)
    except NotFound:
        return None


def _import_id(dataset: Dataset | None) -> str | None:
    """The id of the newest complete import, from which tasks can be created, else of the newest."""
    imports = (dataset.imports if dataset else None) or ()
    complete = [job for job in imports if job.status == ImportStatus.COMPLETE]
    return next((job.import_id for job in (*complete, *imports)), None)


def _is_read_v3(dataset: Dataset | None) -> bool:
    """Whether a dataset contains data without an import, as a V3 dataset does (wire reference, 4.2)."""
    return dataset is not None and not dataset.is_v4 and dataset.status == DatasetStatus.READY
