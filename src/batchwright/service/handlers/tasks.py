"""The ids of a batch's tasks and task groups, for who cannot ask for more (wire.md 12)."""

from collections.abc import Callable, Iterator

from starlette.responses import Response, StreamingResponse

from batchwright.base.json_values import to_json
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import group_id, task_id
from batchwright.service.streaming import in_chunks


def tasks(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/tasks`: the tasks of the latest setup and its syncs, in their order."""
    batch = _batch(call)
    return _listed(task_id, batch, batch.total_task_count)


def task_groups(call: ApiRequest) -> Response:
    """`GET /batches/{batch_id}/task-groups`: the groups of the latest setup and its syncs, in their order."""
    batch = _batch(call)
    return _listed(group_id, batch, batch.total_task_groups)


def _batch(call: ApiRequest) -> StoredBatch:
    with call.parts.database.read() as connection:
        return lookups.batch_of(call, connection)


def _listed(id_of: Callable[[str, int, int], str], batch: StoredBatch, count: int) -> Response:
    """A bare array, written while it is read: there may be a million ids, which follow from their numbers."""
    ids = (id_of(batch.id, batch.setup, number) for number in range(count))
    return StreamingResponse(in_chunks(_array(ids)), media_type="application/json")


def _array(texts: Iterator[str]) -> Iterator[str]:
    separator = "["
    for text in texts:
        yield separator + to_json(text)
        separator = ", "
    yield "[]" if separator == "[" else "]"
