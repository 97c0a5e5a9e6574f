"""Instructions as answers and archives tell of them (wire.md 9)."""

from batchwright.base.database import Connection
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.ids import id_of
from batchwright.service.clock import timestamp
from batchwright.service.store import instructions
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.instructions import StoredInstruction
from batchwright.service.stored_layouts import layout_of


def records_of(connection: Connection, batch: StoredBatch) -> list[Json]:
    """The records of a batch's instructions; those of a layout stand in reading order."""
    if batch.batch_items is None:
        return [record(batch, one) for one in instructions.of_batch(connection, batch.number)]
    return [record(batch, one) for one in _of_layout(batch)]


def record(batch: StoredBatch, one: StoredInstruction) -> JsonObject:
    """One instruction: what was said of it, and what the service knows of it."""
    return {
        **one.content,
        "id": one.id,
        "created_at": timestamp(one.created_at),
        "created_by": one.created_by,
        "parent_id": batch.id,
        "parent_type": "batch",
    }


def _of_layout(batch: StoredBatch) -> list[StoredInstruction]:
    """The instructions of a layout, which are as old as their batch."""
    return [
        StoredInstruction(id_of(item) or "", batch.created_at, batch.created_by, item.attributes)
        for _place, item in layout_of(batch.batch_items).instructions()
    ]
