"""Appending records to a dataset (wire reference, 4.8); the request is JSONL text, not a JSON body."""

from dataclasses import dataclass, field

from batchwright.wire.base import ResponseBody

MAX_RECORDS = 1000
"""How many records one request may append (specification, Limits)."""

JSONL_TYPE = "application/x-ndjson"
"""The content type a client sends."""

JSONL_TYPES = frozenset(
    {
        JSONL_TYPE,
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-lines",
    }
)
"""The content types a service takes as JSONL (wire reference, 1.2)."""

CSV_TYPES = frozenset({"text/csv", "application/csv"})
"""The content types a service refuses as CSV (wire reference, 15)."""


@dataclass(frozen=True)
class JsonLinesBody:
    """The body of an append: JSON objects, one on each line, as bytes that travel as they are."""

    text: bytes = field(repr=False)


class AppendRejection(ResponseBody):
    """Why one record was not taken; `record_index` counts lines that are not blank, from 1."""

    record_index: int | None = None
    field: str | None = None
    """A key of the schema, or `_raw` when the line could not be read."""
    reason: str | None = None


class AppendResult(ResponseBody):
    """POST `/datasets/{id}/datapoints`: what became of the records of this request."""

    accepted: int
    """New records, and repeats of records stored before."""
    rejected: int
    errors: tuple[AppendRejection, ...] = ()


def media_type(content_type: str) -> str:
    """A `Content-Type` without its parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()
