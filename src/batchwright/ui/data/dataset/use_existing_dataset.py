"""Uses a dataset that exists at the service instead of uploading one."""

import asyncio

from batchwright.base.i18n import N_
from batchwright.client.dataset_lookup import DatasetLookup, look_up_dataset
from batchwright.local.id_registry import RegisteredId, RemoteKind
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study


async def registered_datasets(session: ConnectionSession) -> list[RegisteredId]:
    """The datasets of the active connection in the id registry, newest first."""
    context, register = await session.context(), await session.id_registry()
    return await asyncio.to_thread(register.all, context.id_recorder.connection, RemoteKind.DATASET)


async def fetch_dataset(session: ConnectionSession, dataset_id: str) -> DatasetLookup:
    """Look up a dataset at the active connection; see `look_up_dataset` for the errors."""
    return await look_up_dataset(await session.context(), dataset_id)


def attach_dataset(study: Study, connection: str, lookup: DatasetLookup, *, uses_schema: bool) -> None:
    """Attach a dataset to the study at a connection, optionally with its schema."""
    study.set_remote(connection, lookup.attached_to(study.remote(connection)))
    if uses_schema and lookup.schema is not None:
        study.set_schema(lookup.schema, N_("Use the schema of the dataset"))
