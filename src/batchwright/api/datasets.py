"""Datasets: creating them, addresses for their files, and the imports of those files (wire reference, 4)."""

from batchwright.api.response_parsing import RequestTarget
from batchwright.api.transport import Transport
from batchwright.api.urls import segment
from batchwright.base.i18n import _
from batchwright.wire.datapoints import AppendResult, JsonLinesBody
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatusResponse, SchemaUpdate, UploadUrl
from batchwright.wire.imports import ImportJob
from batchwright.wire.migrations import MigrationJob

_DATASETS = "/api/v1/data-collection/datasets"


class Datasets:
    """Calls about datasets."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(self, dataset: DatasetCreate) -> Dataset:
        """Make a dataset; with a schema, or with `schema` null, it is a V4 one (wire reference, 4.4).

        Raises:
            FeatureOff: the workspace has no V4 datasets.
            OutcomeUnknown: the answer was lost. No list of datasets exists to look it up in.
        """
        return await self._transport.send("POST", _DATASETS, into=Dataset, body=dataset)

    async def get(self, dataset_id: str) -> Dataset:
        """The dataset as it is now; a V4 one with its schema and its imports, newest first.

        Wire reference, section 4.1.
        """
        return await self._transport.send("GET", _path(dataset_id), into=Dataset, sought=_sought(dataset_id))

    async def status(self, dataset_id: str) -> DatasetStatusResponse:
        """How far a V3 dataset has come with its latest file (wire reference, 4.2).

        Raises:
            BadRequest: it is a V4 dataset; those have imports instead.
        """
        path = f"{_path(dataset_id)}/status"
        return await self._transport.send("GET", path, into=DatasetStatusResponse, sought=_sought(dataset_id))

    async def update_schema(self, dataset_id: str, update: SchemaUpdate) -> Dataset:
        """Give a V4 dataset another schema, or its first one (wire reference, 4.9).

        Each update writes a version. When there was a schema before, the answer names the migration that
        brings the datapoints to the new one in its `migration_job_id`.

        Raises:
            BadRequest: it is a V3 dataset, the schema is invalid, or the task group column would change.
            Forbidden: the dataset is in a workspace of others.
            OutcomeUnknown: the answer was lost; `get` shows the schema as it is now.
        """
        path, sought = _path(dataset_id), _sought(dataset_id)
        return await self._transport.send("PATCH", path, into=Dataset, body=update, sought=sought)

    async def migration(self, dataset_id: str, job_id: str) -> MigrationJob:
        """How far the migration to another schema has come (wire reference, 4.10)."""
        path = f"{_path(dataset_id)}/schema-migrations/{segment(job_id)}"
        sought = RequestTarget(_("schema migration {id}").format(id=job_id))
        return await self._transport.send("GET", path, into=MigrationJob, sought=sought)

    async def upload_url(self, dataset_id: str, filename: str) -> UploadUrl:
        """An address to send a file to, good for some minutes, with an import job of its own.

        Args:
            dataset_id: the dataset.
            filename: with its extension: `.csv` or `.jsonl` for V4, `.csv` or `.zip` for V3.

        Raises:
            BadRequest: the service takes no files of this type for this dataset.
            Forbidden: the dataset is in a workspace of others.
        """
        path = f"{_path(dataset_id)}/upload-url/{segment(filename)}"
        return await self._transport.send("GET", path, into=UploadUrl, sought=_sought(dataset_id))

    async def import_job(self, dataset_id: str, import_id: str) -> ImportJob:
        """How far the import of a file has come (wire reference, 4.6)."""
        path = f"{_path(dataset_id)}/imports/{segment(import_id)}"
        sought = RequestTarget(_("import {id}").format(id=import_id))
        return await self._transport.send("GET", path, into=ImportJob, sought=sought)

    async def append(self, dataset_id: str, records: JsonLinesBody) -> AppendResult:
        """Add records behind all others, at most 1,000 in a request (wire reference, 4.8).

        Safe to repeat: a record that is there already is accepted and not stored twice (Datasets rule 3).

        Raises:
            Conflict: an import or a schema migration is in progress.
            BadRequest: there are no records, too many, or no schema to check them by.
            Forbidden: the dataset is in a workspace of others.
        """
        path, sought = f"{_path(dataset_id)}/datapoints", _sought(dataset_id)
        return await self._transport.send(
            "POST", path, into=AppendResult, body=records, repeatable=True, sought=sought
        )


def _sought(dataset_id: str) -> RequestTarget:
    return RequestTarget(_("dataset {id}").format(id=dataset_id))


def _path(dataset_id: str) -> str:
    return f"{_DATASETS}/{segment(dataset_id)}"
