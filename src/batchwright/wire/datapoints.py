"""Models for appending records to a dataset (wire reference, 4.8); the request body is JSON Lines."""

from dataclasses import dataclass, field

from batchwright.wire.base import ResponseBody

MAX_RECORDS = 1000
"""Maximum number of records in one append request (specification, Limits)."""

JSONL_TYPE = "application/x-ndjson"
"""The content type that the client sends."""

JSONL_TYPES = frozenset(
    {
        JSONL_TYPE,
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-lines",
    }
)
"""Content types that a service accepts as JSON Lines (wire reference, section 1.2)."""

CSV_TYPES = frozenset({"text/csv", "application/csv"})
"""Content types that a service rejects as CSV (wire reference, section 15)."""


@dataclass(frozen=True)
class JsonLinesBody:
    """The body of an append request: one JSON object per line, as bytes that are sent unchanged."""

    text: bytes = field(repr=False)


class AppendRejection(ResponseBody):
    """A rejected record; `record_index` counts non-blank lines from 1."""

    record_index: int | None = None
    field: str | None = None
    """A key of the schema, or `_raw` if the line could not be parsed."""
    reason: str | None = None


class AppendResult(ResponseBody):
    """The response to POST `/datasets/{id}/datapoints`: numbers of accepted and rejected records."""

    accepted: int
    """New records, and repetitions of stored records."""
    rejected: int
    errors: tuple[AppendRejection, ...] = ()


def media_type(content_type: str) -> str:
    """A `Content-Type` without its parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()
