"""Calls about datasets: create, upload URLs, imports, schema and datapoints (wire reference, section 4)."""

from batchwright.api.http.response_parsing import RequestTarget
from batchwright.api.http.transport import Transport
from batchwright.api.http.urls import segment
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
        """Create a dataset; one with a `schema`, even null, is a V4 dataset (wire reference, section 4.4).

        Raises:
            FeatureOff: V4 datasets are not enabled for the workspace.
            OutcomeUnknown: the response was lost. The API has no list of datasets to look it up in.
        """
        return await self._transport.send("POST", _DATASETS, model=Dataset, body=dataset)

    async def get(self, dataset_id: str) -> Dataset:
        """Fetch the current state of a dataset; for V4 with its schema and its imports, newest first.

        Wire reference, section 4.1.
        """
        return await self._transport.send(
            "GET", _path(dataset_id), model=Dataset, target=_read_target(dataset_id)
        )

    async def status(self, dataset_id: str) -> DatasetStatusResponse:
        """Fetch the status of a V3 dataset with regard to its latest file (wire reference, section 4.2).

        Raises:
            BadRequest: it is a V4 dataset; those have imports instead.
        """
        path = f"{_path(dataset_id)}/status"
        return await self._transport.send(
            "GET", path, model=DatasetStatusResponse, target=_read_target(dataset_id)
        )

    async def update_schema(self, dataset_id: str, update: SchemaUpdate) -> Dataset:
        """Set or replace the schema of a V4 dataset (wire reference, section 4.9).

        Each update creates a new version. If there was a schema before, `migration_job_id` in the response is
        the id of the migration that converts the datapoints to the new schema.

        Raises:
            BadRequest: it is a V3 dataset, the schema is invalid, or the task group column would change.
            Forbidden: the dataset is in a workspace the token has no access to.
            OutcomeUnknown: the response was lost; `get` shows the current schema.
        """
        path, target = _path(dataset_id), _read_target(dataset_id)
        return await self._transport.send("PATCH", path, model=Dataset, body=update, target=target)

    async def migration(self, dataset_id: str, job_id: str) -> MigrationJob:
        """Fetch the status of a schema migration (wire reference, section 4.10)."""
        path = f"{_path(dataset_id)}/schema-migrations/{segment(job_id)}"
        target = RequestTarget(_("schema migration {id}").format(id=job_id))
        return await self._transport.send("GET", path, model=MigrationJob, target=target)

    async def upload_url(self, dataset_id: str, filename: str) -> UploadUrl:
        """Fetch a pre-signed URL for uploading a file, valid for some minutes, and the id of its import job.

        Args:
            dataset_id: the dataset.
            filename: with its extension: `.csv` or `.jsonl` for V4, `.csv` or `.zip` for V3.

        Raises:
            BadRequest: the service does not accept files of this type for this dataset.
            Forbidden: the dataset is in a workspace the token has no access to.
        """
        path = f"{_path(dataset_id)}/upload-url/{segment(filename)}"
        return await self._transport.send("GET", path, model=UploadUrl, target=_read_target(dataset_id))

    async def import_job(self, dataset_id: str, import_id: str) -> ImportJob:
        """Fetch the status of the import of a file (wire reference, section 4.6)."""
        path = f"{_path(dataset_id)}/imports/{segment(import_id)}"
        target = RequestTarget(_("import {id}").format(id=import_id))
        return await self._transport.send("GET", path, model=ImportJob, target=target)

    async def append(self, dataset_id: str, records: JsonLinesBody) -> AppendResult:
        """Append records, at most 1,000 per request (wire reference, section 4.8).

        Safe to repeat: a record that already exists is accepted and not stored twice (specification, Datasets
        rule 3).

        Raises:
            Conflict: an import or a schema migration is in progress.
            BadRequest: there are no records, too many, or there is no schema to validate them against.
            Forbidden: the dataset is in a workspace the token has no access to.
        """
        path, target = f"{_path(dataset_id)}/datapoints", _read_target(dataset_id)
        return await self._transport.send(
            "POST", path, model=AppendResult, body=records, repeatable=True, target=target
        )


def _read_target(dataset_id: str) -> RequestTarget:
    return RequestTarget(_("dataset {id}").format(id=dataset_id))


def _path(dataset_id: str) -> str:
    return f"{_DATASETS}/{segment(dataset_id)}"
