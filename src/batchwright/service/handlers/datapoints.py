"""Appending records to a dataset (specification, Datasets rule 3; wire.md 4.8)."""

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
from batchwright.data_files.jsonl_rows import read_value
from batchwright.data_files.line_reader import MAX_LINE_BYTES
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RAW, Record, RecordError, RecordValidator
from batchwright.service import enqueue
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import HttpError, bad_request, json_response
from batchwright.service.store import datasets, imports, migrations, record_digests
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.datasets import StoredDataset
from batchwright.wire.datapoints import CSV_TYPES, MOST_RECORDS, media_type


@dataclass(frozen=True)
class _Read:
    """The records of a request as they are stored, and the rejections of the others."""

    records: list[Record]
    errors: list[Json]


def append(call: ApiRequest) -> Response:
    """`POST /datasets/{dataset_id}/datapoints`: each record is taken or refused by itself.

    The checks come in the order of wire.md 4.8: what is cheap before what is dear.
    """
    with call.parts.database.read() as connection:
        dataset = lookups.writable_dataset(call, connection)
        schema = _schema(dataset)
        _insist_on_rest(connection, dataset)
    read = _read(call, schema)
    _index(call, dataset)
    with call.parts.database.write(durable=True) as connection:
        dataset = lookups.writable_dataset(call, connection)
        _insist_on_rest(connection, dataset)
        if _schema(dataset) != schema:
            read = _read(call, _schema(dataset))
        if _store(connection, dataset.number, read.records):
            enqueue.enqueue_auto_syncs(connection, dataset.number, call.parts.clock())
    call.parts.wake_worker()
    return json_response({"accepted": len(read.records), "rejected": len(read.errors), "errors": read.errors})


def _schema(dataset: StoredDataset) -> Schema:
    lookups.require_v4(dataset)
    if dataset.schema is None:
        raise bad_request(_("The dataset has no schema yet; set one before you append records."))
    return dataset.schema


def _insist_on_rest(connection: Connection, dataset: StoredDataset) -> None:
    """Refuse while something else writes the datapoints (409)."""
    if imports.is_running(connection, dataset.number):
        raise HttpError(
            HTTPStatus.CONFLICT,
            _("A file is being imported into this dataset; append again when the import has ended."),
        )
    if migrations.is_running(connection, dataset.number):
        raise HttpError(
            HTTPStatus.CONFLICT,
            _("The datapoints are being brought to another schema; append again when that has ended."),
        )


def _read(call: ApiRequest, schema: Schema) -> _Read:
    """The records of the body, judged.

    Raises:
        HttpError: there is none, there are too many, or it is a table (400).
    """
    no_records = _("The request has no records; send one JSON object on each line.")
    if not call.body.strip():
        raise bad_request(no_records)
    if _is_csv(call):
        raise bad_request(_("CSV cannot be appended; send one JSON object on each line (JSONL)."))
    entries = list(islice(_records(call.body, RecordValidator(schema)), MOST_RECORDS + 1))
    if not entries:
        raise bad_request(no_records)
    if len(entries) > MOST_RECORDS:
        raise bad_request(
            _("A request may append {most} records at the most; send the rest in further requests.").format(
                most=MOST_RECORDS
            )
        )
    return _Read(
        [record for record in entries if not isinstance(record, RecordError)],
        [_error(index, fault) for index, fault in enumerate(entries, 1) if isinstance(fault, RecordError)],
    )


def _records(body: bytes, checker: RecordValidator) -> Iterator[Record | RecordError]:
    """What each line that is not blank says, as it is stored, or why it is rejected.

    Whatever a line is, it spoils no other (Datasets rule 3).
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
            yield value if isinstance(value, RecordError) else checker.check(value)


def _is_csv(call: ApiRequest) -> bool:
    """Whether it says so, or says nothing and does not begin like a JSON object (wire.md 15)."""
    if call.content_type:
        return media_type(call.content_type) in CSV_TYPES
    return not call.body.removeprefix(BOM_UTF8).lstrip().startswith(b"{")


def _error(index: int, fault: RecordError) -> Json:
    """A rejection; `index` counts lines that are not blank, from 1."""
    return {"record_index": index, "field": fault.field, "reason": fault.reason}


def _index(call: ApiRequest, dataset: StoredDataset) -> None:
    """Index what is not yet, a slice at a time: a million records must not keep other writers waiting.

    A migration that has begun meanwhile would rewrite what was indexed.
    """
    left = True
    while left:
        with call.parts.database.write() as connection:
            _insist_on_rest(connection, dataset)
            left = record_digests.index_next(connection, dataset.number, ROWS_PER_TRANSACTION)


def _store(connection: Connection, dataset: int, records: list[Record]) -> int:
    """Write the records that the dataset does not hold yet, behind all others; how many those were."""
    while record_digests.index_next(connection, dataset, ROWS_PER_TRANSACTION):
        continue
    fresh = {}
    for record in records:
        digest = record_digests.digest_of(record)
        if digest not in fresh and not record_digests.holds(connection, dataset, digest):
            fresh[digest] = record
    known = datasets.get(connection, dataset)
    first = known.datapoint_count
    datasets.insert_datapoints(connection, dataset, first, fresh.values(), known.schema_version)
    record_digests.add(connection, dataset, fresh)
    datasets.set_datapoint_count(connection, dataset, first + len(fresh))
    record_digests.mark_indexed(connection, dataset, first + len(fresh))
    return len(fresh)
