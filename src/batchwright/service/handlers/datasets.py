"""Datasets, their upload addresses and imports (specification, Datasets; wire.md 4)."""

from collections.abc import Sequence
from http import HTTPStatus
from pathlib import PurePosixPath

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_schema, write_schema
from batchwright.service import clock
from batchwright.service.auth import Feature
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, feature_off, json_response, not_found
from batchwright.service.http.upload_filenames import url_quoted, validated_filename
from batchwright.service.store import datasets, imports
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.imports import StoredImport
from batchwright.wire.datasets import (
    UPLOAD_TYPES,
    V3_EXTENSIONS,
    V4_EXTENSIONS,
    DatasetCreate,
    DatasetStatus,
)
from batchwright.wire.imports import ImportStatus

UPLOAD_LIFETIME = 15 * clock.MINUTE
"""How long a dataset's upload address is valid (wire.md 14)."""


def create(call: ApiRequest) -> Response:
    """`POST /datasets`: the key `schema`, be it null, makes it a V4 dataset (wire.md 4.4)."""
    asked = call.read(DatasetCreate)
    workspace_id = lookups.require_workspace(call, asked.workspace_id)
    if asked.is_v4 and not call.parts.accounts.has_feature(workspace_id, Feature.V4):
        raise feature_off()
    schema = None if asked.schema_ is None else parse_schema(asked.schema_)
    with call.parts.database.write(durable=True) as connection:
        dataset = datasets.add(
            connection,
            workspace_id=workspace_id,
            name=asked.name,
            schema=schema,
            created_by=call.account.id,
            now=call.parts.clock(),
            status=None if asked.is_v4 else DatasetStatus.UNINITIALISED,
        )
    return json_response(dataset_record(dataset, []), HTTPStatus.CREATED)


def get(call: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}`: with all its imports, the newest first."""
    with call.parts.database.read() as connection:
        dataset = lookups.dataset_of(call, connection)
        return json_response(dataset_record(dataset, imports.of_dataset(connection, dataset.number)))


def status(call: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/status`: V4 datasets have none (wire.md 4.2).

    With `ERROR` comes the reason, which V4 datasets tell in their import.
    """
    with call.parts.database.read() as connection:
        dataset = lookups.dataset_of(call, connection)
    if dataset.status is None:
        raise bad_request(_("This is a V4 dataset and has no status: ask for the status of its import."))
    state: dict[str, Json] = {"status": dataset.status}
    return json_response(state if dataset.fault is None else state | {"reason": dataset.fault})


def upload_url(call: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/upload-url/{filename}`: an address, and an import waiting for the file.

    Of a V3 dataset the import is ours alone: clients ask for the dataset's status.
    """
    with call.parts.database.write(durable=True) as connection:
        dataset = lookups.writable_dataset(call, connection)
        filename = validated_filename(call.path["filename"])
        job = imports.add(
            connection,
            dataset=dataset.number,
            filename=filename,
            content_type=_content_type(filename, V4_EXTENSIONS if dataset.is_v4 else V3_EXTENSIONS),
            now=call.parts.clock(),
        )
    path = f"/storage/imports/{job.id}/{url_quoted(filename)}"
    signed = call.parts.signer.sign("PUT", path, UPLOAD_LIFETIME)
    given: dict[str, Json] = {
        "dataset_id": dataset.id,
        "upload_url": call.parts.address(signed),
        "http_method": "PUT",
        "content_type": job.content_type,
        "expires_at": timestamp(signed.expires_at),
        "file_key": f"imports/{job.id}/{filename}",
    }
    return json_response(given | {"import_id": job.id} if dataset.is_v4 else given, HTTPStatus.CREATED)


def get_import(call: ApiRequest) -> Response:
    """`GET /datasets/{dataset_id}/imports/{import_id}`."""
    with call.parts.database.read() as connection:
        dataset = lookups.dataset_of(call, connection)
        job = imports.find(connection, call.path["import_id"])
    if not dataset.is_v4:
        raise not_found(_("A V3 dataset has no import jobs: ask for the status of the dataset."))
    if job is None or job.dataset != dataset.number:
        raise not_found(_("Import job not found."))
    return json_response(_import_record(job, dataset.id))


def parse_schema(given: JsonObject) -> Schema:
    """A schema from a request.

    Raises:
        HttpError: it is none (400).
    """
    try:
        return read_schema(given)
    except InvalidSchema as faults:
        raise bad_request({"schema": faults.sentences}) from None


def _content_type(filename: str, extensions: Sequence[str]) -> str:
    extension = PurePosixPath(filename).suffix
    if extension.lower() not in extensions:
        raise bad_request(
            _("This dataset takes files of the types {types}; this one is “{extension}”.").format(
                types=", ".join(extensions), extension=extension
            )
        )
    return UPLOAD_TYPES[extension.lower()]


def dataset_record(dataset: StoredDataset, jobs: list[StoredImport]) -> dict[str, Json]:
    """The record of wire.md 4.1, which tells more of one generation than of the other."""
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
        "imports": [_import_record(job, dataset.id) for job in jobs],
    }


def _import_record(job: StoredImport, dataset_id: str) -> JsonObject:
    """The record of wire.md 4.6: which counts there are depends on the status."""
    record: dict[str, Json] = {
        "dataset_id": dataset_id,
        "import_id": job.id,
        "type": "file_upload",
        "filename": job.filename,
        "created_at": timestamp(job.created_at),
        "updated_at": timestamp(job.updated_at),
        "status": job.status,
    }
    if job.status in (ImportStatus.COMPLETE, ImportStatus.PARTIAL):
        record["accepted_count"] = job.accepted_count
    if job.status is ImportStatus.PARTIAL:
        record |= {"rejected_count": job.rejected_count, "errors": job.errors}
    if job.status is ImportStatus.FAILED:
        record["reason"] = job.reason
    return record
