"""Models of datasets: create, read, update the schema, request an upload URL (wire reference, section 4)."""

from enum import StrEnum
from pathlib import PurePosixPath

from pydantic import Field

from batchwright.wire.base import Name, Open, RawObject, RequestBody, ResponseBody
from batchwright.wire.ids import Timestamp
from batchwright.wire.imports import ImportJob

UPLOAD_TYPES = {
    ".csv": "text/csv",
    ".jsonl": "application/x-ndjson",
    ".zip": "application/zip",
}
"""Media types of uploads by file extension in lower case (wire reference, section 4.5)."""
V3_EXTENSIONS = (".csv", ".zip")
V4_EXTENSIONS = (".csv", ".jsonl")
"""Extensions of the files that a dataset accepts, in any case (specification, Datasets rule 2)."""


class DatasetStatus(StrEnum):
    """Status of a V3 dataset (wire reference, section 4.2)."""

    UNINITIALISED = "UNINITIALISED"
    PROCESSING = "PROCESSING"
    READY = "READY"
    ERROR = "ERROR"


SETTLED = frozenset({DatasetStatus.READY, DatasetStatus.ERROR})
"""Statuses at which processing of the last upload has ended, successfully or not."""


class DatasetCreate(RequestBody):
    """POST `/datasets` (wire reference, section 4.4).

    Without the key `schema`, a V3 dataset is created; an object or null creates a V4 dataset, with or without
    a schema.
    """

    name: Name
    workspace_id: str
    schema_: RawObject | None = Field(default=None, alias="schema")

    @property
    def is_v4(self) -> bool:
        """Whether this creates a V4 dataset."""
        return self.has("schema_")


class SchemaUpdate(RequestBody):
    """PATCH `/datasets/{id}` (wire reference, section 4.9)."""

    schema_: RawObject = Field(alias="schema")


class Dataset(ResponseBody):
    """A V3 or V4 dataset (wire reference, section 4.1)."""

    id: str
    name: str = ""
    created_at: Timestamp | None = None
    created_by: str | None = None
    workspace_id: str = ""
    total_datapoint_count: int = 0
    schema_version: int | None = None
    status: Open[DatasetStatus] | None = None
    filename: str | None = None
    has_predetermined_grouping_id: bool | None = None
    schema_: RawObject | None = Field(default=None, alias="schema")
    imports: tuple[ImportJob, ...] | None = None
    """Newest first; null or absent on V3."""
    migration_job_id: str | None = None
    """Present only in the response to a schema update that started a migration."""

    @property
    def is_v4(self) -> bool:
        """Whether this is a V4 dataset: it has the key `schema`, even if null (wire reference, 4.1)."""
        return self.has("schema_")


class DatasetStatusResponse(ResponseBody):
    """GET `/datasets/{id}/status`, for V3 datasets only (wire reference, section 4.2)."""

    status: Open[DatasetStatus]
    reason: str | None = None
    """Why it is `ERROR`; the service on this computer sends it, others may not."""

    @property
    def settled(self) -> bool:
        """Whether processing of the last upload has ended; an unknown status does not count."""
        return self.status in SETTLED


class UploadUrl(ResponseBody):
    """GET `/datasets/{id}/upload-url/{filename}`: the URL to which the file is sent (wire reference, 4.5).

    `upload_url` must be used byte for byte.
    """

    upload_url: str = Field(repr=False)
    http_method: str = "PUT"
    dataset_id: str | None = None
    content_type: str | None = None
    """The exact `Content-Type` of the PUT; older services omit it (see `media_type_for`)."""
    expires_at: Timestamp | None = None
    file_key: str | None = None
    import_id: str | None = None
    """The import job to poll; V4 only."""


def media_type_for(filename: str) -> str | None:
    """The media type of a dataset file by its extension in any case; None for other files."""
    return UPLOAD_TYPES.get(PurePosixPath(filename).suffix.lower())
