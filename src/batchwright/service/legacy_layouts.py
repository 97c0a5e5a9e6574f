"""The page that participants of a legacy batch see (specification, Instructions; wire.md 4.7).

A batch without a layout shows each datapoint whole, what is hidden left out, and then asks all of
its instructions. Its setup makes a layout of that, so that tasks, answers and the report need to
know of no second kind of batch.
"""

from collections.abc import Mapping

from batchwright.base.database import Connection
from batchwright.base.json_values import Json, JsonObject, to_json
from batchwright.schema.model import Schema
from batchwright.service.store import instructions
from batchwright.service.store.batches import BatchItems, StoredBatch
from batchwright.service.store.ids import new_id
from batchwright.service.store.instructions import StoredInstruction


def participant_layout(connection: Connection, batch: StoredBatch, schema: Schema | None) -> BatchItems:
    """The layout that tasks of a batch show: its own, or the one page of a legacy batch.

    None when there is nothing to ask: no layout, and no instructions.
    """
    if batch.batch_items is not None:
        return batch.batch_items
    asked = instructions.of_batch(connection, batch.number)
    if not asked:
        return None
    shown = [] if schema is None else [key for key, field in schema.fields.items() if field.type.referable]
    items = [{"id": new_id(), "type": "dataset_field", "field": key} for key in shown]
    return to_json([_with_id({"rows": [_row(item) for item in [*items, *map(_item, asked)]]})])


def _item(instruction: StoredInstruction) -> JsonObject:
    return {"id": instruction.id, **instruction.content}


def _row(item: JsonObject) -> Json:
    return _with_id({"columns": [_with_id({"items": [item]})]})


def _with_id(entry: Mapping[str, Json]) -> JsonObject:
    return {"id": new_id(), **entry}
