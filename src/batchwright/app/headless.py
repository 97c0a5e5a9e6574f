"""Builds what commands without a window need: a local service and the context for workflows."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from batchwright.api.client import connect
from batchwright.api.partial_files import temporary_folder
from batchwright.api.urls import normalized_base_url
from batchwright.client.connection_pool import local_poll_intervals
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.id_recorder import IdRecorder
from batchwright.client.job_monitoring.backoff import backoff
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.local.checkpoints import CheckpointTable
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.local.job_table import JobRows
from batchwright.local.paths import default_paths
from batchwright.service.process import ServiceAddress, ServiceProcess


@contextmanager
def temporary_service() -> Iterator[tuple[ServiceAddress, Path]]:
    """A local service of our own, and a folder for what is remembered of it; both go together."""
    with temporary_folder("batchwright-rehearsal-") as folder:
        service = ServiceProcess(folder / "service")
        try:
            yield service.start(), folder
        finally:
            # Also when the start was given up midway.
            service.stop()


def user_data_dir() -> Path:
    """The folder of what this user's Batchwright remembers.

    Raises:
        OSError: it cannot be made.
    """
    folders = default_paths()
    folders.create()
    return folders.data


@asynccontextmanager
async def workbench(running: ServiceAddress, data: Path, tell: Notify) -> AsyncIterator[WorkflowContext]:
    """What workflows without a window work with; what they make is remembered in the folder `data`."""
    url, workspace_id = running.url, running.workspace_id
    with closing(open_database(data)) as database:
        memory = IdRecorder(IdRegistry(database), url, workspace_id)
        async with connect(url, running.token, hear=memory.record_response) as service:
            pauses = local_poll_intervals if normalized_base_url(url).is_local else backoff
            watcher = JobWatcher(JobRows(database))
            try:
                watching = ConnectionJobs(service, watcher, url, pauses)
                yield WorkflowContext(
                    service, workspace_id, memory, watching, CheckpointTable(database), tell
                )
            finally:
                await watcher.close()
