"""Routes for rehearsals, which the hosted service does not have.

The shuffle seed makes a rehearsal repeatable: the same seed gives the same records to the same people.
"""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urljoin

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST_WRAPPED, Json, parse
from batchwright.base.local_media import MediaFolder
from batchwright.service.clock import MINUTE, timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import (
    HttpError,
    bad_request,
    body_response,
    empty_response,
    json_response,
)
from batchwright.service.participate.addresses import Addresses
from batchwright.service.store import batches, datasets, media_folders, previews, submissions, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import group_id
from batchwright.wire.local_routes import (
    AnnotatorsPerTask,
    MediaFolderSetting,
    ParticipantLanguage,
    Participation,
    PlaceTimeout,
    PreviewRequest,
    ShuffleSeed,
)


def participation(request: ApiRequest) -> Response:
    """`GET batches/{batch_id}/participation`: the link that participants open."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
    return _link(request, batch)


def participation_in_collection(request: ApiRequest) -> Response:
    """`GET collections/{collection_id}/participation`: the link that participants open."""
    with request.state.database.read() as connection:
        collection = lookups.collection_of(request, connection)
    return _link(request, collection.study)


def annotators_per_task(request: ApiRequest) -> Response:
    """`PUT batches/{batch_id}/annotators-per-task`: sets how many people answer each group."""
    count = request.require_count(
        "annotators_per_task", request.parse_body(AnnotatorsPerTask).annotators_per_task
    )
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_to_change(request, connection)
        batches.set_annotators_per_task(connection, batch.row_id, count)
    return json_response({"annotators_per_task": count})


def shuffle_seed(request: ApiRequest) -> Response:
    """`PUT batches/{batch_id}/shuffle-seed`: makes the random groups of the next setup repeatable."""
    body = request.parse_body(ShuffleSeed)
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_to_change(request, connection)
        batches.set_shuffle_seed(connection, batch.row_id, body.seed)
    return json_response({"seed": body.seed})


def place_timeout(request: ApiRequest) -> Response:
    """`PUT batches/{batch_id}/place-timeout`: sets after how many minutes an inactive place is free."""
    minutes = request.parse_body(PlaceTimeout).minutes
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_to_change(request, connection)
        batches.set_place_timeout(connection, batch.row_id, minutes * MINUTE)
    return json_response({"minutes": minutes})


def language(request: ApiRequest) -> Response:
    """`PUT batches/{batch_id}/language`: sets the language of the participant pages."""
    return _set_language(request, lookups.batch_to_change)


def language_of_collection(request: ApiRequest) -> Response:
    """`PUT collections/{collection_id}/language`: sets the language of the participant pages."""
    return _set_language(request, _study_of_collection)


def release_places(request: ApiRequest) -> Response:
    """`POST batches/{batch_id}/release-places`: frees the places of participants who never answered."""
    with request.state.database.write(durable=True) as connection:
        batch = lookups.batch_to_change(request, connection)
        released = submissions.release_unanswered(connection, batch, request.state.clock())
    return json_response({"released": released})


def progress(request: ApiRequest) -> Response:
    """`GET batches/{batch_id}/progress`: the submissions of each group of the latest setup."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
        counts = submissions.progress(connection, batch, request.state.clock())
    groups: list[Json] = [
        {
            "group_id": group_id(batch.id, batch.setup, count.group),
            "task_count": count.task_count,
            "completed": count.completed,
            "in_progress": count.in_progress,
            "unanswered": count.unanswered,
            "annotators_per_task": batch.annotators_per_task,
        }
        for count in counts
    ]
    return json_response({"place_timeout_minutes": batch.place_timeout // MINUTE, "groups": groups})


def setup_layout(request: ApiRequest) -> Response:
    """`GET batches/{batch_id}/setup-layout`: what the tasks of the latest setup show."""
    with request.state.database.read() as connection:
        batch = lookups.batch_of(request, connection)
        dataset = tasks.dataset_of(connection, batch.row_id, batch.setup)
        dataset_id = None if dataset is None else datasets.get(connection, dataset).id
    items = None if batch.live_items is None else parse(batch.live_items, DEEPEST_WRAPPED)
    return json_response({"set_up": batch.setup > 0, "batch_items": items, "dataset_id": dataset_id})


def reset(request: ApiRequest) -> Response:
    """`POST batches/{batch_id}/reset`: deletes all submissions, answers and archives; the tasks stay."""
    return _reset(request, lookups.batch_to_change)


def reset_collection(request: ApiRequest) -> Response:
    """`POST collections/{collection_id}/reset`: deletes all submissions, answers and archives."""
    return _reset(request, _study_of_collection)


def preview(request: ApiRequest) -> Response:
    """`POST previews`: a link to one page with one record, valid for an hour; no answers are stored."""
    body = request.parse_body(PreviewRequest)
    content: dict[str, Json] = {
        "batch_items": body.batch_items,
        "page": request.require_count("page", body.page),
        "schema": body.schema_,
        "record": body.record,
        "language": body.language,
    }
    with request.state.database.write() as connection:
        stored = previews.add(connection, content, request.state.clock())
    path = Addresses(request.state.base_url).preview(stored.id)
    return json_response(
        {"url": urljoin(request.state.base_url, path), "expires_at": timestamp(stored.expires_at)},
        HTTPStatus.CREATED,
    )


def media_folder(request: ApiRequest) -> Response:
    """`PUT media-folders/{folder_id}`: shows participants the files of a folder."""
    if not request.state.serves_local_media:
        message = _("Only a service that the program has started itself shows files of this computer.")
        raise HttpError(HTTPStatus.FORBIDDEN, message)
    body = request.parse_body(MediaFolderSetting)
    folder = MediaFolder(Path(body.folder), body.files)
    if not _is_folder(folder.folder):
        raise bad_request({"folder": [_("This is no folder of this computer.")]})
    if folder.id != request.path_params["folder_id"]:
        raise bad_request({"folder": [_("The id in the URL is not that of the folder and the files.")]})
    with request.state.database.write(durable=True) as connection:
        media_folders.store(connection, folder)
    return empty_response(HTTPStatus.NO_CONTENT)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_absolute() and path.is_dir()
    except (OSError, ValueError):
        return False


def _link(request: ApiRequest, study: StoredBatch) -> Response:
    path = Addresses(request.state.base_url).study(study.id, study.participation_key)
    return body_response(Participation(url=urljoin(request.state.base_url, path)))


def _study_of_collection(request: ApiRequest, connection: Connection) -> StoredBatch:
    return lookups.collection_to_change(request, connection).study


def _set_language(
    request: ApiRequest, find_study: Callable[[ApiRequest, Connection], StoredBatch]
) -> Response:
    body = request.parse_body(ParticipantLanguage)
    with request.state.database.write(durable=True) as connection:
        batches.set_language(connection, find_study(request, connection).row_id, body.language)
    return json_response({"language": body.language})


def _reset(request: ApiRequest, find_study: Callable[[ApiRequest, Connection], StoredBatch]) -> Response:
    with request.state.database.write(durable=True) as connection:
        study = find_study(request, connection)
        blobs = submissions.delete_all(connection, study.row_id, request.state.clock())
    request.state.wake_worker()
    for blob in blobs:
        request.state.blobs.remove(blob)
    return empty_response(HTTPStatus.NO_CONTENT)
