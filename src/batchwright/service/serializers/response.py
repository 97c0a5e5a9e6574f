"""Responses as JSON for the list of responses and archives (wire reference, sections 7.1 and 10.3).

The JSON is concatenated from texts, because answers are stored as JSON text and an archive contains each
of them twice.
"""

from collections.abc import Iterable
from functools import lru_cache, partial

from batchwright.base.database import Connection
from batchwright.base.json_values import to_json
from batchwright.layout.option_values import as_text
from batchwright.schema.model import FieldType
from batchwright.service.clock import timestamp
from batchwright.service.store import datasets
from batchwright.service.store.ids import task_id
from batchwright.service.store.responses import StoredResponse

RECORD_FORMAT = 2
"""`schema_version` of a response: the version of the format, which clients ignore."""

_REMEMBERED = 4096

rendered = lru_cache(_REMEMBERED)(to_json)
"""A text as JSON, cached for texts that are repeated."""


def json_array(elements: Iterable[str]) -> str:
    """A JSON array of elements that are JSON text."""
    return f"[{', '.join(elements)}]"


def collection_response(collection_id: str, response: StoredResponse) -> str:
    """One participant's answer to one instruction of a collection, as JSON text."""
    return (
        f'{{"id": "{response.id}", "created_at": "{timestamp(response.created_at)}",'
        f' "collection_id": "{collection_id}", "participant_id": {rendered(response.participant_id)},'
        f' "submission_id": "{response.submission_id}", "response": {_answer_json(response)}}}'
    )


class ResponseRecords:
    """Serializes the responses of one batch, with the hidden values of their datapoints."""

    def __init__(self, connection: Connection, batch_id: str) -> None:
        self._connection = connection
        self._batch_id = batch_id
        self._task_id = lru_cache(_REMEMBERED)(partial(task_id, batch_id))
        self._hidden_fields = lru_cache(_REMEMBERED)(self._find_hidden_fields)
        self._hidden_values = lru_cache(_REMEMBERED)(self._find_hidden_values)

    def record(self, response: StoredResponse) -> str:
        """One participant's answer to one instruction of one task, as JSON text."""
        task = self._task_id(response.setup, response.task)
        hidden = ""
        if response.dataset is not None and response.position is not None:
            hidden = f', "metadata": {self._hidden_values(response.dataset, response.position)}'
        return (
            f'{{"id": "{response.id}", "created_at": "{timestamp(response.created_at)}",'
            f' "batch_id": "{self._batch_id}", "participant_id": {rendered(response.participant_id)},'
            f' "submission_id": "{response.submission_id}", "task_id": "{task}",'
            f' "response": {_answer_json(response)}, "schema_version": {RECORD_FORMAT}{hidden}}}'
        )

    def _find_hidden_values(self, dataset: int, position: int) -> str:
        """The hidden values of a datapoint as JSON text; each value is a string."""
        fields = self._hidden_fields(dataset)
        if not fields:
            return "{}"
        record = datasets.record_at(self._connection, dataset, position)
        return to_json({key: as_text(record[key]) for key in fields if record.get(key) is not None})

    def _find_hidden_fields(self, dataset: int) -> tuple[str, ...]:
        """The fields that are in results but never shown; for V3 datasets, all `META_` columns."""
        dataset_row = datasets.get(self._connection, dataset)
        if dataset_row.schema is None:
            return ()
        hidden = {FieldType.METADATA} if dataset_row.is_v4 else {FieldType.METADATA, FieldType.TASK_GROUP_ID}
        return tuple(key for key, field in dataset_row.schema.fields.items() if field.type in hidden)


def _answer_json(response: StoredResponse) -> str:
    instruction, kind = rendered(response.instruction_id), rendered(response.type)
    return f'{{"instruction_id": {instruction}, "type": {kind}, "answer": {response.written_answer}}}'
