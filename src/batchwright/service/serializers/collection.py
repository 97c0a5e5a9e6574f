"""Collections as JSON for responses and archives (wire reference, section 10.1)."""

from batchwright.base.json_values import Json, JsonObject
from batchwright.service.clock import timestamp
from batchwright.service.store.collections import StoredCollection

RECORD_FORMAT = 1
"""`schema_version` of collections, pages and content blocks."""


def collection_record(collection: StoredCollection) -> JsonObject:
    """The body for a collection; clients may read either `collection_items` or `item_count`."""
    study = collection.study
    record: dict[str, Json] = {
        "id": study.id,
        "schema_version": RECORD_FORMAT,
        "created_at": timestamp(study.created_at),
        "created_by": study.created_by,
        "workspace_id": study.workspace_id,
        "name": study.name,
        "task_details": study.task_details,
        "collection_items": collection.items,
        "item_count": len(collection.items),
    }
    if collection.last_modified_at is not None:
        record["last_modified_at"] = timestamp(collection.last_modified_at)
        record["last_modified_by"] = collection.last_modified_by
    return record
