"""Instructions as JSON for responses and archives (wire reference, section 9)."""

from batchwright.base.database import Connection
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.ids import id_of
from batchwright.service.clock import timestamp
from batchwright.service.store import instructions
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.instructions import StoredInstruction
from batchwright.service.stored_layouts import layout_of


def records_of(connection: Connection, batch: StoredBatch) -> list[Json]:
    """The bodies for a batch's instructions; those of a layout are in reading order."""
    if batch.batch_items is None:
        return [record(batch, instruction) for instruction in instructions.of_batch(connection, batch.row_id)]
    return [record(batch, instruction) for instruction in _of_layout(batch)]


def record(batch: StoredBatch, instruction: StoredInstruction) -> JsonObject:
    """The body for one instruction."""
    return {
        **instruction.content,
        "id": instruction.id,
        "created_at": timestamp(instruction.created_at),
        "created_by": instruction.created_by,
        "parent_id": batch.id,
        "parent_type": "batch",
    }


def _of_layout(batch: StoredBatch) -> list[StoredInstruction]:
    """The instructions of a layout, with the creation time of their batch."""
    return [
        StoredInstruction(id_of(item) or "", batch.created_at, batch.created_by, item.attributes)
        for _path, item in layout_of(batch.batch_items).instructions()
    ]
