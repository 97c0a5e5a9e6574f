"""Datasets: creating them, addresses for their files, and the imports of those files (wire.md 4)."""

from batchwright.api.addresses import segment
from batchwright.api.transport import Transport
from batchwright.wire.datapoints import AppendResult, Lines
from batchwright.wire.datasets import Dataset, DatasetCreate, UploadUrl
from batchwright.wire.imports import ImportJob

_DATASETS = "/api/v1/data-collection/datasets"


class Datasets:
    """Calls about datasets."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(self, dataset: DatasetCreate) -> Dataset:
        """Make a dataset; with a schema, or with `schema` null, it is a V4 one (wire.md 4.4).

        Raises:
            FeatureOff: the workspace has no V4 datasets.
            Unsure: the answer was lost. No list of datasets exists to look it up in.
        """
        return await self._transport.send("POST", _DATASETS, into=Dataset, body=dataset)

    async def get(self, dataset_id: str) -> Dataset:
        """The dataset as it is now; a V4 one with its schema and its imports, newest first (wire.md 4.1)."""
        return await self._transport.send("GET", f"{_DATASETS}/{segment(dataset_id)}", into=Dataset)

    async def upload_url(self, dataset_id: str, filename: str) -> UploadUrl:
        """An address to send a file to, good for some minutes, with an import job of its own (wire.md 4.5).

        Args:
            dataset_id: the dataset.
            filename: with its extension: `.csv` or `.jsonl` for V4, `.csv` or `.zip` for V3.

        Raises:
            Refused: the service takes no files of this type for this dataset.
            NoAccess: the dataset is in a workspace of others.
        """
        path = f"{_DATASETS}/{segment(dataset_id)}/upload-url/{segment(filename)}"
        return await self._transport.send("GET", path, into=UploadUrl)

    async def import_job(self, dataset_id: str, import_id: str) -> ImportJob:
        """How far the import of a file has come (wire.md 4.6)."""
        path = f"{_DATASETS}/{segment(dataset_id)}/imports/{segment(import_id)}"
        return await self._transport.send("GET", path, into=ImportJob)

    async def append(self, dataset_id: str, records: Lines) -> AppendResult:
        """Add records behind all others, at most 1,000 in a request (wire.md 4.8).

        Safe to repeat: a record that is there already is accepted and not stored twice (Datasets rule 3).

        Raises:
            Conflict: an import or a schema migration is in progress.
            Refused: there are no records, too many, or no schema to check them by.
            NoAccess: the dataset is in a workspace of others.
        """
        path = f"{_DATASETS}/{segment(dataset_id)}/datapoints"
        return await self._transport.send("POST", path, into=AppendResult, body=records, repeatable=True)
