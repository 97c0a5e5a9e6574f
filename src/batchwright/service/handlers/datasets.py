"""Datasets: upload URLs, imports, schemas and migrations (wire reference, section 4)."""

from collections.abc import Sequence
from http import HTTPStatus
from pathlib import PurePosixPath

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.base.local_formats import joined
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_schema
from batchwright.service import clock, enqueue
from batchwright.service.auth import Feature
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, feature_off, json_response, not_found
from batchwright.service.http.upload_filenames import url_quoted, validated_filename
from batchwright.service.serializers.dataset import _import_record, dataset_record, migration_record
from batchwright.service.store import datasets, imports, jobs, migrations
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.migrations import StoredMigration
from batchwright.wire.datasets import (
    UPLOAD_TYPES,
    V3_EXTENSIONS,
    V4_EXTENSIONS,
    DatasetCreate,
    DatasetStatus,
    SchemaUpdate,
)

UPLOAD_LIFETIME = 15 * clock.MINUTE
"""How long an upload URL is valid, in milliseconds (wire reference, section 14)."""


def create(request: ApiRequest) -> Response:
    """`POST /datasets`: creates a dataset; with the key `schema`, even if null, a V4 dataset."""
    body = request.parse_body(DatasetCreate)
    workspace_id = lookups.require_workspace(request, body.workspace_id)
    if body.is_v4 and not request.state.accounts.has_feature(workspace_id, Feature.V4):
        raise feature_off()
    schema = None if body.schema_ is None else parse_schema(body.schema_)
    with request.state.database.write(durable=True) as connection:
        dataset = datasets.add(
            connection,
            workspace_id=workspace_id,
            name=body.name,
            schema=schema,
            created_by=request.account.id,
            now=request.state.clock(),
            status=None if body.is_v4 else DatasetStatus.UNINITIALISED,
        )
    return json_response(dataset_record(dataset, []), HTTPStatus.CREATED)


def get(request: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}`: one dataset with its imports, newest first."""
    with request.state.database.read() as connection:
        dataset = lookups.dataset_of(request, connection)
        return json_response(dataset_record(dataset, imports.of_dataset(connection, dataset.row_id)))


def status(request: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/status`: the status of a V3 dataset, with the reason of an `ERROR`.

    V4 datasets have no status (wire reference, section 4.2); their imports have.
    """
    with request.state.database.read() as connection:
        dataset = lookups.dataset_of(request, connection)
    if dataset.status is None:
        raise bad_request(_("This is a V4 dataset and has no status: ask for the status of its import."))
    state: dict[str, Json] = {"status": dataset.status}
    return json_response(state if dataset.reason is None else state | {"reason": dataset.reason})


def upload_url(request: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/upload-url/{filename}`: creates an import and a URL to upload its file to.

    The import of a V3 dataset is internal: clients poll the status of the dataset.
    """
    with request.state.database.write(durable=True) as connection:
        dataset = lookups.dataset_to_change(request, connection)
        filename = validated_filename(request.path_params["filename"])
        import_ = imports.add(
            connection,
            dataset=dataset.row_id,
            filename=filename,
            content_type=_content_type(filename, V4_EXTENSIONS if dataset.is_v4 else V3_EXTENSIONS),
            now=request.state.clock(),
        )
    path = f"/storage/imports/{import_.id}/{url_quoted(filename)}"
    signed = request.state.signer.sign("PUT", path, UPLOAD_LIFETIME)
    record: dict[str, Json] = {
        "dataset_id": dataset.id,
        "upload_url": request.state.absolute_url(signed),
        "http_method": "PUT",
        "content_type": import_.content_type,
        "expires_at": timestamp(signed.expires_at),
        "file_key": f"imports/{import_.id}/{filename}",
    }
    return json_response(record | {"import_id": import_.id} if dataset.is_v4 else record, HTTPStatus.CREATED)


def get_import(request: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/imports/{import_id}`: one import."""
    with request.state.database.read() as connection:
        dataset = lookups.dataset_of(request, connection)
        import_ = imports.find(connection, request.path_params["import_id"])
    if not dataset.is_v4:
        raise not_found(_("A V3 dataset has no import jobs: ask for the status of the dataset."))
    if import_ is None or import_.dataset != dataset.row_id:
        raise not_found(_("Import job not found."))
    return json_response(_import_record(import_, dataset.id))


def parse_schema(schema: JsonObject) -> Schema:
    """A schema from a request.

    Raises:
        HttpError: not a valid schema (400).
    """
    try:
        return read_schema(schema)
    except InvalidSchema as error:
        raise bad_request({"schema": error.sentences}) from None


def _content_type(filename: str, extensions: Sequence[str]) -> str:
    extension = PurePosixPath(filename).suffix
    if extension.lower() not in extensions:
        raise bad_request(
            _("This dataset accepts files of the types {types}; this one is “{extension}”.").format(
                types=joined(extensions), extension=extension
            )
        )
    return UPLOAD_TYPES[extension.lower()]


def update_schema(request: ApiRequest) -> Response:
    """`PATCH /datasets/{dataset_id}`: sets a new schema version, and starts waiting imports or a migration.

    404, 403 and 400 are checked in this order, before anything is written (wire reference, section 4.9).
    """
    with request.state.database.read() as connection:
        lookups.require_v4(lookups.writable_dataset(request, connection))
    schema = parse_schema(request.parse_body(SchemaUpdate).schema_)
    with request.state.database.write(durable=True) as connection:
        before = lookups.dataset_to_change(request, connection)
        _require_same_task_group(connection, before, schema)
        dataset = datasets.set_schema(connection, before.row_id, schema)
        migration = None
        if before.schema is None:
            enqueue.enqueue_pending(connection, dataset.row_id, request.state.clock())
        else:
            migration = _migrate(connection, dataset, request.state.clock())
        record = dataset_record(dataset, imports.of_dataset(connection, dataset.row_id))
    request.state.wake_worker()
    return json_response(record if migration is None else record | {"migration_job_id": migration.id})


def get_migration(request: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/schema-migrations/{job_id}`: one migration."""
    with request.state.database.read() as connection:
        dataset = lookups.dataset_of(request, connection)
        migration = migrations.find(connection, request.path_params["job_id"])
    if migration is None or migration.dataset != dataset.row_id:
        raise not_found(_("Schema migration job not found."))
    return json_response(migration_record(migration, dataset.id))


def _require_same_task_group(connection: Connection, dataset: StoredDataset, schema: Schema) -> None:
    """Reject another task group column if datapoints exist or are being written (wire reference, 4.9)."""
    is_filled = dataset.datapoint_count or imports.is_running(connection, dataset.row_id)
    if dataset.schema is None or not is_filled:
        return
    if dataset.schema.task_group_field != schema.task_group_field:
        message = _("The task group column cannot change once the dataset has datapoints.")
        raise bad_request({"schema": [message]})


def _migrate(connection: Connection, dataset: StoredDataset, now: int) -> StoredMigration:
    migration = migrations.add(connection, dataset=dataset.row_id, version=dataset.schema_version, now=now)
    lane = jobs.dataset_lane(dataset.row_id)
    jobs.add(connection, StoredJobKind.MIGRATION, lane=lane, subject=migration.row_id, now=now)
    return migration
