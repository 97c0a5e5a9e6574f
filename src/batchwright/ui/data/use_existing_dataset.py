"""Taking a dataset that is at the service already, from the register or by its id, in place of uploading."""

import asyncio
from dataclasses import dataclass, replace

from batchwright.local.id_registry import RegisteredId, RemoteKind
from batchwright.schema.model import Schema
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset, DatasetStatus
from batchwright.wire.imports import ImportStatus
from batchwright.workflows.dataset_schemas import lacks_schema, schema_of


@dataclass(frozen=True)
class DatasetLookup:
    """A dataset that was looked at, with its schema, and the workspace it was looked for in."""

    dataset: Dataset
    schema: Schema | None
    workspace_id: str

    @property
    def is_in_other_workspace(self) -> bool:
        """Whether it belongs to another workspace than the connection's."""
        return bool(self.dataset.workspace_id) and self.dataset.workspace_id != self.workspace_id

    @property
    def has_records(self) -> bool:
        """Whether there is something in it; a V3 dataset that was read need not tell how much."""
        is_read_v3 = not self.dataset.is_v4 and self.dataset.status == DatasetStatus.READY
        return is_read_v3 or self.dataset.total_datapoint_count > 0

    @property
    def import_id(self) -> str | None:
        """The newest import of which every record was taken, as a setup needs one (wire.md 5.4)."""
        return newest_complete_import(self.dataset)


def newest_complete_import(dataset: Dataset) -> str | None:
    """The newest import of a dataset of which every record was taken; None where there is none."""
    complete = (one for one in dataset.imports or () if one.status == ImportStatus.COMPLETE)
    return next((one.import_id for one in complete), None)


async def known_datasets(session: ConnectionSession) -> list[RegisteredId]:
    """The datasets of the active connection that the register knows, the newest first."""
    context, register = await session.bench(), await session.register()
    return await asyncio.to_thread(register.all, context.memory.connection, RemoteKind.DATASET)


async def fetch_dataset(session: ConnectionSession, dataset_id: str) -> DatasetLookup:
    """A dataset as it is at the active connection.

    Raises:
        NotFound: there is none of this id.
        ApiError: it could not be looked at.
    """
    context = await session.bench()
    dataset = await context.service.datasets.get(dataset_id)
    return DatasetLookup(dataset, schema_of(dataset), context.workspace_id)


def attach_dataset(study: Study, connection: str, found: DatasetLookup, *, takes_schema: bool) -> None:
    """Let a dataset be the study's at a connection; its schema becomes that of the study where wanted."""
    old = study.remote(connection)
    workspace = found.dataset.workspace_id or found.workspace_id
    id, import_id, is_filled = found.dataset.id, found.import_id, found.has_records
    remote = old.with_dataset(workspace, id, import_id, is_filled=is_filled)
    study.set_remote(connection, replace(remote, lacks_schema=lacks_schema(found.dataset)))
    if takes_schema and found.schema is not None:
        study.set_schema(found.schema)
