"""Datapoints: records that are appended to a dataset (wire reference, section 4.8)."""

import io
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.text_rows.jsonl_rows import read_value
from batchwright.data_files.text_rows.line_reader import MAX_LINE_BYTES
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RAW, Record, RecordError, RecordValidator
from batchwright.service import enqueue
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import HttpError, bad_request, json_response
from batchwright.service.store import datasets, imports, migrations, record_digests
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.datasets import StoredDataset
from batchwright.wire.datapoints import CSV_TYPES, JSONL_TYPES, MAX_RECORDS, media_type


@dataclass(frozen=True)
class _ParsedRecords:
    """The accepted records of a request as they are stored, and the errors of the others."""

    records: list[Record]
    errors: list[Json]


def append(request: ApiRequest) -> Response:
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
        dataset = lookups.dataset_to_change(request, connection)
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
    """Whether the body is CSV: by its content type, or if that is not JSONL, from its start.

    See the wire reference, section 15.
    """
    type = media_type(request.content_type)
    if type in CSV_TYPES | JSONL_TYPES:
        return type in CSV_TYPES
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
