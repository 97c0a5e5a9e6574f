"""Answers as `responses` and the archive tell of them (wire.md 7.1)."""

from functools import lru_cache

from batchwright.records.json_values import Json, JsonObject
from batchwright.records.schema import FieldType
from batchwright.service.clock import timestamp
from batchwright.service.store import datasets
from batchwright.service.store.database import Connection
from batchwright.service.store.ids import task_id
from batchwright.service.store.responses import StoredResponse

RECORD_FORMAT = 2
"""`schema_version` of a response record: the number of the format, which clients ignore."""

_REMEMBERED = 4096


class ResponseRecords:
    """Writes the answers of one batch, looking up what its datapoints keep hidden."""

    def __init__(self, connection: Connection, batch_id: str) -> None:
        self._connection = connection
        self._batch_id = batch_id
        self._hidden_fields = lru_cache(_REMEMBERED)(self._find_hidden_fields)
        self._hidden_values = lru_cache(_REMEMBERED)(self._find_hidden_values)

    def record(self, response: StoredResponse) -> JsonObject:
        """One participant's answer to one instruction of one task."""
        record: dict[str, Json] = {
            "id": response.id,
            "created_at": timestamp(response.created_at),
            "batch_id": self._batch_id,
            "participant_id": response.participant_id,
            "submission_id": response.submission_id,
            "task_id": task_id(self._batch_id, response.setup, response.task),
            "response": response.given,
            "schema_version": RECORD_FORMAT,
        }
        if response.dataset is not None and response.position is not None:
            record["metadata"] = self._hidden_values(response.dataset, response.position)
        return record

    def _find_hidden_values(self, dataset: int, position: int) -> JsonObject:
        fields = self._hidden_fields(dataset)
        if not fields:
            return {}
        record = datasets.record_at(self._connection, dataset, position)
        return {key: record[key] for key in fields if key in record}

    def _find_hidden_fields(self, dataset: int) -> tuple[str, ...]:
        """What is kept in results and never shown; of V3 datasets all `META_` columns (wire.md 7.1)."""
        known = datasets.get(self._connection, dataset)
        if known.schema is None:
            return ()
        hidden = {FieldType.METADATA} if known.is_v4 else {FieldType.METADATA, FieldType.TASK_GROUP_ID}
        return tuple(key for key, field in known.schema.fields.items() if field.type in hidden)
