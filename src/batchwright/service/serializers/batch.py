"""Batches as JSON for responses and archives (wire reference, section 5.1)."""

from batchwright.base.database import Connection
from batchwright.base.json_values import DEEPEST_WRAPPED, Json, JsonObject, parse
from batchwright.service.clock import timestamp
from batchwright.service.store import datasets, imports
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.stored_layouts import layout_of

RECORD_FORMAT = 5
"""`schema_version` of a batch: the version of the format, which clients ignore."""


def attached(connection: Connection, batch: StoredBatch) -> StoredDataset | None:
    """The dataset attached to a batch, if there is one."""
    return None if batch.dataset is None else datasets.get(connection, batch.dataset)


def full_record(connection: Connection, batch: StoredBatch) -> JsonObject:
    """The body of get, list and update."""
    dataset = attached(connection, batch)
    record = short_record(batch, dataset)
    if dataset is not None:
        newest = imports.newest_filename(connection, dataset.row_id) if dataset.is_v4 else dataset.filename
        entry = {**_dataset_entry(dataset), "filename": newest or ""}
        record["datasets"] = [entry]
    record |= {"schema_version": RECORD_FORMAT, "batch_items": layout_json(batch)}
    if batch.tasks_per_group is not None:
        record["tasks_per_group"] = batch.tasks_per_group
    return record


def short_record(batch: StoredBatch, dataset: StoredDataset | None) -> dict[str, Json]:
    """The keys of every body for a batch; the body of create and duplicate."""
    return {
        "id": batch.id,
        "created_at": timestamp(batch.created_at),
        "created_by": batch.created_by,
        "datasets": [] if dataset is None else [_dataset_entry(dataset)],
        "name": batch.name,
        "status": batch.status,
        "total_task_count": batch.total_task_count,
        "total_instruction_count": _instruction_count(batch),
        "total_task_groups": batch.total_task_groups,
        "workspace_id": batch.workspace_id,
        "task_details": batch.task_details,
        "auto_sync_enabled": batch.auto_sync_enabled,
    }


def _instruction_count(batch: StoredBatch) -> int:
    if batch.batch_items is None:
        return batch.legacy_instruction_count
    return sum(1 for _instruction in layout_of(batch.batch_items).instructions())


def _dataset_entry(dataset: StoredDataset) -> dict[str, Json]:
    return {"id": dataset.id, "total_datapoint_count": dataset.datapoint_count}


def layout_json(batch: StoredBatch) -> Json:
    """The layout with its ids; null for a legacy batch."""
    return None if batch.batch_items is None else parse(batch.batch_items, DEEPEST_WRAPPED)
