"""Response tables of the wire reference, sections 3 to 11: the keys of each record and their values."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Kind = Callable[[Any], bool]


def matches(pattern: str) -> Kind:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def one_of(*values: str) -> Kind:
    return lambda value: value in values


def or_null(kind: Kind) -> Kind:
    return lambda value: value is None or kind(value)


def text(value: Any) -> bool:
    return isinstance(value, str)


def integer(value: Any) -> bool:
    return type(value) is int and value >= 0


def boolean(value: Any) -> bool:
    return isinstance(value, bool)


def anything(value: Any) -> bool:
    return True


uuid = matches(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
object_id = matches(r"[0-9a-f]{24}")
timestamp = matches(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@dataclass(frozen=True)
class Table:
    """Fields that a record must have and, in `may`, fields that it may have; no others are allowed."""

    fields: dict[str, Kind]
    may: dict[str, Kind] = field(default_factory=dict)

    def __call__(self, record: Any) -> bool:
        kinds = {**self.fields, **self.may}
        assert isinstance(record, dict), record
        assert set(self.fields) <= set(record), f"missing: {set(self.fields) - set(record)} in {record}"
        assert set(record) <= set(kinds), f"not in the table: {set(record) - set(kinds)}"
        for key, value in record.items():
            assert kinds[key](value), f"{key}: {value!r}"
        return True

    def but(self, **fields: Kind) -> "Table":
        return Table({**self.fields, **fields}, self.may)


def each(kind: Kind) -> Kind:
    return lambda values: isinstance(values, list) and all(kind(value) for value in values)


def listed(kind: Kind) -> Kind:
    """The envelope of lists (wire reference, section 1.6), with all entries."""

    def check(envelope: Any) -> bool:
        assert set(envelope) == {"results", "meta"}
        assert envelope["meta"] == {"count": len(envelope["results"])}
        return each(kind)(envelope["results"])

    return check


USER = Table(
    {"id": object_id, **dict.fromkeys(("email", "name", "first_name", "last_name"), text)},
    {
        **dict.fromkeys(("username", "user_type", "currency_code"), text),
        "balance": integer,
        "available_balance": integer,
    },
)

DATASET = Table(
    {
        "id": uuid,
        "name": text,
        "created_at": timestamp,
        "created_by": object_id,
        "workspace_id": text,
        "total_datapoint_count": integer,
    }
)
V3_STATUS = one_of("UNINITIALISED", "PROCESSING", "READY", "ERROR")
V3_DATASET = Table(
    {
        **DATASET.fields,
        "status": V3_STATUS,
        "filename": or_null(text),
        "has_predetermined_grouping_id": or_null(boolean),
    },
    {"schema_version": integer, "imports": lambda value: value is None},
)

IMPORT = Table(
    {
        "dataset_id": uuid,
        "import_id": uuid,
        "type": one_of("file_upload"),
        "filename": or_null(text),
        "created_at": timestamp,
        "updated_at": timestamp,
        "status": one_of("uninitialised", "queued", "processing", "pending_schema"),
    }
)
IMPORT_ERROR = Table({"record_index": or_null(integer), "field": or_null(text), "reason": or_null(text)})
IMPORTS = {
    "complete": IMPORT.but(status=one_of("complete"), accepted_count=integer),
    "partial": IMPORT.but(
        status=one_of("partial"), accepted_count=integer, rejected_count=integer, errors=each(IMPORT_ERROR)
    ),
    "failed": IMPORT.but(status=one_of("failed"), reason=text),
}


def import_job(job: Any) -> bool:
    return IMPORTS.get(job["status"], IMPORT)(job)


def one_import_per_entry(value: Any) -> bool:
    return each(import_job)(value)


V4_DATASET = DATASET.but(
    schema_version=integer,
    schema=or_null(Table({"strict": boolean, "fields": lambda value: isinstance(value, dict)})),
    imports=one_import_per_entry,
)
MIGRATED_DATASET = V4_DATASET.but(migration_job_id=uuid)

UPLOAD_ADDRESS = Table(
    {
        "dataset_id": uuid,
        "upload_url": text,
        "http_method": one_of("PUT"),
        "content_type": one_of("application/x-ndjson", "text/csv", "application/zip"),
        "expires_at": timestamp,
    },
    {"file_key": text},
)
IMPORT_ADDRESS = Table({**UPLOAD_ADDRESS.fields, "import_id": uuid}, UPLOAD_ADDRESS.may)
FEEDBACK_ADDRESS = Table({"upload_url": text, "http_method": one_of("PUT"), "expires_at": timestamp})

APPENDED = Table(
    {
        "accepted": integer,
        "rejected": integer,
        "errors": each(Table({"record_index": integer, "field": text, "reason": text})),
    }
)

_MIGRATION = {
    "dataset_id": uuid,
    "job_id": uuid,
    "schema_version": integer,
    "created_at": timestamp,
    "updated_at": timestamp,
}
MIGRATIONS = {
    "processing": Table({**_MIGRATION, "status": text}),
    "complete": Table({**_MIGRATION, "status": text, "reprocessed_count": integer}),
    "partial": Table(
        {
            **_MIGRATION,
            "status": text,
            "reprocessed_count": integer,
            "failed_count": integer,
            "errors": each(Table({"datapoint_id": uuid, "field": text, "reason": text})),
        }
    ),
    "failed": Table({**_MIGRATION, "status": text, "reason": text}),
}
