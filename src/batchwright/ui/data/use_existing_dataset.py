"""Uses a dataset that exists at the service instead of uploading one."""

import asyncio
from dataclasses import dataclass, replace

from batchwright.base.i18n import N_
from batchwright.client.dataset_schemas import lacks_schema, schema_of
from batchwright.local.id_registry import RegisteredId, RemoteKind
from batchwright.schema.model import Schema
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset, DatasetStatus
from batchwright.wire.imports import ImportStatus


@dataclass(frozen=True)
class DatasetLookup:
    """A dataset that was looked up, with its schema, and the workspace of the connection."""

    dataset: Dataset
    schema: Schema | None
    workspace_id: str

    @property
    def is_in_other_workspace(self) -> bool:
        """Whether the dataset belongs to another workspace than that of the connection."""
        return bool(self.dataset.workspace_id) and self.dataset.workspace_id != self.workspace_id

    @property
    def has_records(self) -> bool:
        """Whether it has records; a processed V3 dataset need not report their number."""
        is_processed_v3 = not self.dataset.is_v4 and self.dataset.status == DatasetStatus.READY
        return is_processed_v3 or self.dataset.total_datapoint_count > 0

    @property
    def import_id(self) -> str | None:
        """The newest import without rejections, which setting up a batch requires."""
        return newest_complete_import(self.dataset)


def newest_complete_import(dataset: Dataset) -> str | None:
    """The newest import of a dataset without rejections; None if there is none."""
    complete = (job for job in dataset.imports or () if job.status == ImportStatus.COMPLETE)
    return next((job.import_id for job in complete), None)


async def known_datasets(session: ConnectionSession) -> list[RegisteredId]:
    """The datasets of the active connection in the id registry, newest first."""
    context, register = await session.context(), await session.id_registry()
    return await asyncio.to_thread(register.all, context.id_recorder.connection, RemoteKind.DATASET)


async def fetch_dataset(session: ConnectionSession, dataset_id: str) -> DatasetLookup:
    """Look up a dataset at the active connection.

    Raises:
        NotFound: there is no dataset with this id.
        ApiError: the lookup failed.
    """
    context = await session.context()
    dataset = await context.service.datasets.get(dataset_id)
    return DatasetLookup(dataset, schema_of(dataset), context.workspace_id)


def attach_dataset(study: Study, connection: str, lookup: DatasetLookup, *, uses_schema: bool) -> None:
    """Attach a dataset to the study at a connection, optionally with its schema."""
    old = study.remote(connection)
    workspace = lookup.dataset.workspace_id or lookup.workspace_id
    id, import_id, is_filled = lookup.dataset.id, lookup.import_id, lookup.has_records
    remote = old.with_dataset(workspace, id, import_id, is_filled=is_filled)
    study.set_remote(connection, replace(remote, lacks_schema=lacks_schema(lookup.dataset)))
    if uses_schema and lookup.schema is not None:
        study.set_schema(lookup.schema, N_("Use the schema of the dataset"))
