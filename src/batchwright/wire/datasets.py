"""Datasets: creating, reading, changing the schema, asking for an upload address (wire reference, 4)."""

from enum import StrEnum
from pathlib import PurePosixPath

from pydantic import Field

from batchwright.wire.base import Open, RawObject, RequestBody, ResponseBody
from batchwright.wire.ids import Timestamp
from batchwright.wire.imports import ImportJob

UPLOAD_TYPES = {
    ".csv": "text/csv",
    ".jsonl": "application/x-ndjson",
    ".zip": "application/zip",
}
"""The media type of an upload by the extension of its file, in lower case (wire reference, 4.5)."""
V3_EXTENSIONS = (".csv", ".zip")
V4_EXTENSIONS = (".csv", ".jsonl")
"""How the names of files end that a dataset takes, in any case (specification, Datasets rule 2)."""


class DatasetStatus(StrEnum):
    """How far a V3 dataset has come (wire reference, 4.2)."""

    UNINITIALISED = "UNINITIALISED"
    PROCESSING = "PROCESSING"
    READY = "READY"
    ERROR = "ERROR"


SETTLED = frozenset({DatasetStatus.READY, DatasetStatus.ERROR})
"""The statuses at which the last upload has been read, well or not."""


class DatasetCreate(RequestBody):
    """POST `/datasets` (wire reference, 4.4).

    `schema` absent makes a V3 dataset; an object or null makes a V4 one, with or without a schema.
    """

    name: str
    workspace_id: str
    schema_: RawObject | None = Field(default=None, alias="schema")

    @property
    def is_v4(self) -> bool:
        """Whether a V4 dataset is asked for."""
        return self.has("schema_")


class SchemaUpdate(RequestBody):
    """PATCH `/datasets/{id}` (wire reference, 4.9)."""

    schema_: RawObject = Field(alias="schema")


class Dataset(ResponseBody):
    """A dataset of either generation (wire reference, 4.1)."""

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
    """The newest first; null or absent on V3."""
    migration_job_id: str | None = None
    """Only in the answer to a schema update that started a migration."""

    @property
    def is_v4(self) -> bool:
        """Whether this is a V4 dataset: those have the key `schema`, be it null (wire reference, 4.1)."""
        return self.has("schema_")


class DatasetStatusResponse(ResponseBody):
    """GET `/datasets/{id}/status`, of V3 datasets only (wire reference, 4.2)."""

    status: Open[DatasetStatus]
    reason: str | None = None
    """Why it is `ERROR`; our own service says so, others need not."""

    @property
    def settled(self) -> bool:
        """Whether the last upload has been read, well or not; a status nobody here knows is no end."""
        return self.status in SETTLED


class UploadUrl(ResponseBody):
    """GET `/datasets/{id}/upload-url/{filename}`: where to PUT the file (wire reference, 4.5).

    `upload_url` is to be used byte for byte.
    """

    upload_url: str = Field(repr=False)
    http_method: str = "PUT"
    dataset_id: str | None = None
    content_type: str | None = None
    """Exactly the `Content-Type` of the PUT; older services leave it out (see `media_type_for`)."""
    expires_at: Timestamp | None = None
    file_key: str | None = None
    import_id: str | None = None
    """The import job to poll; V4 only."""


def media_type_for(filename: str) -> str | None:
    """The media type for a dataset file, by its extension in any case; None for other files."""
    return UPLOAD_TYPES.get(PurePosixPath(filename).suffix.lower())
