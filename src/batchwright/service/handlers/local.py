"""Routes that only the service on this computer has, for rehearsals (design.md 6)."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urljoin

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.json_values import Json
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import body_response, empty_response, json_response
from batchwright.service.participate.addresses import Addresses
from batchwright.service.store import batches, previews, submissions
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import group_id
from batchwright.wire.local_routes import AnnotatorsPerTask, Participation, PreviewRequest, ShuffleSeed


def participation(call: ApiRequest) -> Response:
    """`GET batches/{batch_id}/participation`: the link that participants open."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
    return _link(call, batch)


def participation_in_collection(call: ApiRequest) -> Response:
    """`GET collections/{collection_id}/participation`: the link that participants open."""
    with call.parts.database.read() as connection:
        collection = lookups.collection_of(call, connection)
    return _link(call, collection.study)


def annotators_per_task(call: ApiRequest) -> Response:
    """`PUT batches/{batch_id}/annotators-per-task`: how many people each group is handed to."""
    count = call.countable("annotators_per_task", call.read(AnnotatorsPerTask).annotators_per_task)
    with call.parts.database.write(durable=True) as connection:
        batch = lookups.batch_of(call, connection)
        batches.set_annotators_per_task(connection, batch.number, count)
    return json_response({"annotators_per_task": count})


def shuffle_seed(call: ApiRequest) -> Response:
    """`PUT batches/{batch_id}/shuffle-seed`: makes the random groups of the next setup the same each time."""
    asked = call.read(ShuffleSeed)
    with call.parts.database.write(durable=True) as connection:
        batch = lookups.batch_of(call, connection)
        batches.set_shuffle_seed(connection, batch.number, asked.seed)
    return json_response({"seed": asked.seed})


def progress(call: ApiRequest) -> Response:
    """`GET batches/{batch_id}/progress`: how far each group of the latest setup has come."""
    with call.parts.database.read() as connection:
        batch = lookups.batch_of(call, connection)
        counts = submissions.progress(connection, batch.number, batch.setup, call.parts.clock())
    groups: list[Json] = [
        {
            "group_id": group_id(batch.id, batch.setup, count.group),
            "task_count": count.task_count,
            "completed": count.completed,
            "in_progress": count.in_progress,
            "annotators_per_task": batch.annotators_per_task,
        }
        for count in counts
    ]
    return json_response({"groups": groups})


def reset(call: ApiRequest) -> Response:
    """`POST batches/{batch_id}/reset`: every submission, answer and archive goes; the tasks stay."""
    return _reset(call, lookups.batch_of)


def reset_collection(call: ApiRequest) -> Response:
    """`POST collections/{collection_id}/reset`: every submission, answer and archive goes."""
    return _reset(call, lambda call, connection: lookups.collection_of(call, connection).study)


def preview(call: ApiRequest) -> Response:
    """`POST previews`: a link to one page with one record, for an hour; it stores no answers."""
    asked = call.read(PreviewRequest)
    content: dict[str, Json] = {
        "batch_items": asked.batch_items,
        "page": call.countable("page", asked.page),
        "schema": asked.schema_,
        "record": asked.record,
    }
    with call.parts.database.write() as connection:
        kept = previews.add(connection, content, call.parts.clock())
    path = Addresses(call.parts.base_url).preview(kept.id)
    return json_response(
        {"url": urljoin(call.parts.base_url, path), "expires_at": timestamp(kept.expires_at)},
        HTTPStatus.CREATED,
    )


def _link(call: ApiRequest, study: StoredBatch) -> Response:
    path = Addresses(call.parts.base_url).study(study.id, study.participation_key)
    return body_response(Participation(url=urljoin(call.parts.base_url, path)))


def _reset(call: ApiRequest, find: Callable[[ApiRequest, Connection], StoredBatch]) -> Response:
    with call.parts.database.write(durable=True) as connection:
        blobs = submissions.delete_all(connection, find(call, connection).number)
    for blob in blobs:
        call.parts.blobs.remove(blob)
    return empty_response(HTTPStatus.NO_CONTENT)
