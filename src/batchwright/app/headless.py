"""Builds what commands without a window need: a local service and the context for workflows."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from batchwright.api.client import connect
from batchwright.api.http.urls import normalized_base_url
from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.network_settings import SYSTEM_NETWORK
from batchwright.base.policy import computer_policy
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.id_recorder import IdRecorder
from batchwright.client.job_monitoring.backoff import backoff, local_poll_intervals
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.local.checkpoints import CheckpointTable
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.local.job_table import JobRows
from batchwright.local.paths import default_paths
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.local.stored_participants import StoredParticipants
from batchwright.local.task_layouts import TaskLayoutTable
from batchwright.service.process import ServiceAddress, ServiceProcess


@contextmanager
def temporary_service() -> Iterator[tuple[ServiceAddress, Path]]:
    """Start a local service and create a folder for its data; both are removed at the end of the block."""
    with temporary_folder("rehearsal") as folder:
        service = ServiceProcess(folder / "service")
        try:
            yield service.start(), folder
        finally:
            # Also if the start was interrupted.
            service.stop()


def user_data_dir() -> Path:
    """The user's data folder; it is created if it does not exist.

    Raises:
        OSError: it cannot be created.
    """
    folders = default_paths()
    folders.create()
    return folders.data


@asynccontextmanager
async def headless_context(
    address: ServiceAddress, data: Path, notify: Notify, certificates: Path | None = None
) -> AsyncIterator[WorkflowContext]:
    """Open a context for workflows without a window; its data is stored in the folder `data`.

    `certificates` is a file of CA certificates to trust in addition to the default ones. The proxy is that of
    the policy or of the system.
    """
    url, workspace_id = address.url, address.workspace_id
    with closing(open_database(data)) as database:
        id_recorder = IdRecorder(IdRegistry(database), url, workspace_id)
        is_local, policy = normalized_base_url(url).is_local, computer_policy()
        network = SYSTEM_NETWORK if is_local else await ProxyPasswords().complete(policy.network)
        async with connect(
            url,
            address.token,
            workspace_id=workspace_id,
            certificates=certificates,
            network=network,
            on_response=id_recorder.record_response,
        ) as service:
            poll_intervals = local_poll_intervals if is_local else backoff
            watcher = JobWatcher(JobRows(database))
            try:
                jobs = ConnectionJobs(service, watcher, url, poll_intervals)
                yield WorkflowContext(
                    service,
                    workspace_id,
                    id_recorder,
                    jobs,
                    CheckpointTable(database),
                    TaskLayoutTable(database),
                    StoredParticipants(database),
                    notify,
                )
            finally:
                await watcher.close()
