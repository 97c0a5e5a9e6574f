"""Datasets: upload URLs, imports, schemas, migrations and appended records (wire reference, section 4)."""

import io
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice
from pathlib import PurePosixPath

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.jsonl_rows import read_value
from batchwright.data_files.line_reader import MAX_LINE_BYTES
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_schema, write_schema
from batchwright.schema.record_validator import RAW, Record, RecordError, RecordValidator
from batchwright.service import clock, enqueue
from batchwright.service.auth import Feature
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import HttpError, bad_request, feature_off, json_response, not_found
from batchwright.service.http.upload_filenames import url_quoted, validated_filename
from batchwright.service.store import datasets, imports, jobs, migrations, record_digests
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.migrations import StoredMigration
from batchwright.wire.datapoints import CSV_TYPES, MAX_RECORDS, media_type
from batchwright.wire.datasets import (
    UPLOAD_TYPES,
    V3_EXTENSIONS,
    V4_EXTENSIONS,
    DatasetCreate,
    DatasetStatus,
    SchemaUpdate,
)
from batchwright.wire.imports import ImportStatus
from batchwright.wire.migrations import MigrationStatus

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
        dataset = lookups.writable_dataset(request, connection)
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
                types=", ".join(extensions), extension=extension
            )
        )
    return UPLOAD_TYPES[extension.lower()]


def dataset_record(dataset: StoredDataset, jobs: list[StoredImport]) -> dict[str, Json]:
    """The body for a dataset (wire reference, section 4.1), which differs between V3 and V4."""
    record: dict[str, Json] = {
        "id": dataset.id,
        "name": dataset.name,
        "created_at": timestamp(dataset.created_at),
        "created_by": dataset.created_by,
        "workspace_id": dataset.workspace_id,
        "total_datapoint_count": dataset.datapoint_count,
    }
    if not dataset.is_v4:
        return record | {
            "status": dataset.status,
            "filename": dataset.filename,
            "has_predetermined_grouping_id": None
            if dataset.schema is None
            else dataset.schema.task_group_field is not None,
            "imports": None,
        }
    return record | {
        "schema_version": dataset.schema_version,
        "schema": None if dataset.schema is None else write_schema(dataset.schema),
        "imports": [_import_record(import_, dataset.id) for import_ in jobs],
    }


def _import_record(import_: StoredImport, dataset_id: str) -> JsonObject:
    """The body for an import (wire reference, section 4.6); its counts depend on the status."""
    record: dict[str, Json] = {
        "dataset_id": dataset_id,
        "import_id": import_.id,
        "type": "file_upload",
        "filename": import_.filename,
        "created_at": timestamp(import_.created_at),
        "updated_at": timestamp(import_.updated_at),
        "status": import_.status,
    }
    if import_.status in (ImportStatus.COMPLETE, ImportStatus.PARTIAL):
        record["accepted_count"] = import_.accepted_count
    if import_.status is ImportStatus.PARTIAL:
        record |= {"rejected_count": import_.rejected_count, "errors": import_.errors}
    if import_.status is ImportStatus.FAILED:
        record["reason"] = import_.reason
    return record


def update_schema(request: ApiRequest) -> Response:
    """`PATCH /datasets/{dataset_id}`: sets a new schema version, and starts waiting imports or a migration.

    404, 403 and 400 are checked in this order, before anything is written (wire reference, section 4.9).
    """
    with request.state.database.read() as connection:
        lookups.require_v4(lookups.writable_dataset(request, connection))
    schema = parse_schema(request.parse_body(SchemaUpdate).schema_)
    with request.state.database.write(durable=True) as connection:
        before = lookups.writable_dataset(request, connection)
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


def migration_record(migration: StoredMigration, dataset_id: str) -> JsonObject:
    """The body for a migration (wire reference, section 4.10); its counts depend on the status."""
    record: dict[str, Json] = {
        "dataset_id": dataset_id,
        "job_id": migration.id,
        "schema_version": migration.version,
        "status": migration.status,
        "created_at": timestamp(migration.created_at),
        "updated_at": timestamp(migration.updated_at),
    }
    if migration.status in (MigrationStatus.COMPLETE, MigrationStatus.PARTIAL):
        record["reprocessed_count"] = migration.reprocessed_count
    if migration.status is MigrationStatus.PARTIAL:
        record |= {"failed_count": migration.failed_count, "errors": migration.errors}
    if migration.status is MigrationStatus.FAILED:
        record["reason"] = migration.reason
    return record


@dataclass(frozen=True)
class _ParsedRecords:
    """The accepted records of a request as they are stored, and the errors of the others."""

    records: list[Record]
    errors: list[Json]


def append_datapoints(request: ApiRequest) -> Response:
    """`POST /datasets/{dataset_id}/datapoints`: appends records; each is accepted or rejected on its own.

    The checks have the order of the wire reference, section 4.8: cheap ones first.
    """
    with request.state.database.read() as connection:
        dataset = lookups.writable_dataset(request, connection)
        schema = _required_schema(dataset)
        _require_no_job(connection, dataset)
    parsed = _parse_records(request, schema)
    _index_datapoints(request, dataset)
    with request.state.database.write(durable=True) as connection:
        dataset = lookups.writable_dataset(request, connection)
        _require_no_job(connection, dataset)
        if _required_schema(dataset) != schema:
            parsed = _parse_records(request, _required_schema(dataset))
        if _append_new(connection, dataset.row_id, parsed.records):
            enqueue.enqueue_auto_syncs(connection, dataset.row_id, request.state.clock())
    request.state.wake_worker()
    return json_response(
        {"accepted": len(parsed.records), "rejected": len(parsed.errors), "errors": parsed.errors}
    )


def _required_schema(dataset: StoredDataset) -> Schema:
    lookups.require_v4(dataset)
    if dataset.schema is None:
        raise bad_request(_("The dataset has no schema yet; set one before you append records."))
    return dataset.schema


def _require_no_job(connection: Connection, dataset: StoredDataset) -> None:
    """Reject the request while a job writes the datapoints (409)."""
    if imports.is_running(connection, dataset.row_id):
        raise HttpError(
            HTTPStatus.CONFLICT,
            _("A file is being imported into this dataset; append again when the import has ended."),
        )
    if migrations.is_running(connection, dataset.row_id):
        raise HttpError(
            HTTPStatus.CONFLICT,
            _("The datapoints are being migrated to another schema; append again when that has ended."),
        )


def _parse_records(request: ApiRequest, schema: Schema) -> _ParsedRecords:
    """Parse and validate the records of the body.

    Raises:
        HttpError: there are none or too many, or the body is CSV (400).
    """
    no_records = _("The request has no records; send one JSON object on each line.")
    if not request.body.strip():
        raise bad_request(no_records)
    if _is_csv(request):
        raise bad_request(_("CSV cannot be appended; send one JSON object on each line (JSONL)."))
    entries = list(islice(_records(request.body, RecordValidator(schema)), MAX_RECORDS + 1))
    if not entries:
        raise bad_request(no_records)
    if len(entries) > MAX_RECORDS:
        raise bad_request(
            _("A request may append at most {most} records; send the rest in further requests.").format(
                most=MAX_RECORDS
            )
        )
    return _ParsedRecords(
        [record for record in entries if not isinstance(record, RecordError)],
        [
            _record_error(index, error)
            for index, error in enumerate(entries, 1)
            if isinstance(error, RecordError)
        ],
    )


def _records(body: bytes, validator: RecordValidator) -> Iterator[Record | RecordError]:
    """The record of each line that is not blank, as it is stored, or its error.

    An invalid line does not affect the others (Datasets rule 3).
    """
    for line in io.BytesIO(body.removeprefix(BOM_UTF8)):
        if line.isspace():
            continue
        if len(line.removesuffix(b"\n")) > MAX_LINE_BYTES:
            yield RecordError(
                RAW, _("The line is longer than {most} MB.").format(most=MAX_LINE_BYTES // 1_000_000)
            )
            continue
        text = line.decode("utf-8", "surrogateescape")
        if not text.isspace():  # such as a no-break space
            value = read_value(text)
            yield value if isinstance(value, RecordError) else validator.check(value)


def _is_csv(request: ApiRequest) -> bool:
    """Whether the body is CSV: by its content type, or without one, because it does not start like JSON."""
    if request.content_type:
        return media_type(request.content_type) in CSV_TYPES
    return not request.body.removeprefix(BOM_UTF8).lstrip().startswith(b"{")


def _record_error(index: int, error: RecordError) -> Json:
    """The error of a record; `index` counts lines that are not blank, from 1."""
    return {"record_index": index, "field": error.field, "reason": error.reason}


def _index_datapoints(request: ApiRequest, dataset: StoredDataset) -> None:
    """Complete the index of stored records, in slices, so that other writers do not wait.

    It stops if a migration has started meanwhile, which would change the indexed records.
    """
    is_unfinished = True
    while is_unfinished:
        with request.state.database.write() as connection:
            _require_no_job(connection, dataset)
            is_unfinished = record_digests.index_next(connection, dataset.row_id, ROWS_PER_TRANSACTION)


def _append_new(connection: Connection, dataset: int, records: list[Record]) -> int:
    """Append the records that the dataset does not contain yet; how many were appended."""
    while record_digests.index_next(connection, dataset, ROWS_PER_TRANSACTION):
        continue
    new = {}
    for record in records:
        digest = record_digests.digest_of(record)
        if digest not in new and not record_digests.contains(connection, dataset, digest):
            new[digest] = record
    stored = datasets.get(connection, dataset)
    first = stored.datapoint_count
    datasets.insert_datapoints(connection, dataset, first, new.values(), stored.schema_version)
    record_digests.add(connection, dataset, new)
    datasets.set_datapoint_count(connection, dataset, first + len(new))
    record_digests.mark_indexed(connection, dataset, first + len(new))
    return len(new)
