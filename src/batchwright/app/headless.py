"""What commands without a window work with: a service of their own or one that runs, and a workbench."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from batchwright.api.client import connect
from batchwright.api.partial_files import temporary_folder
from batchwright.api.urls import base_address
from batchwright.client.connection_pool import quick_looks
from batchwright.client.context import Tell, Workbench
from batchwright.client.id_recorder import Memory
from batchwright.client.job_monitoring.backoff import backoff
from batchwright.client.job_monitoring.connection_jobs import Watching
from batchwright.client.job_monitoring.job_watcher import Watch
from batchwright.local.checkpoints import Trails
from batchwright.local.database import Database
from batchwright.local.id_registry import Register
from batchwright.local.job_table import JobRows
from batchwright.local.paths import usual_folders
from batchwright.service.process import LocalService, Running


@contextmanager
def own_service() -> Iterator[tuple[Running, Path]]:
    """A local service of our own, and a folder for what is remembered of it; both go together."""
    with temporary_folder("batchwright-rehearsal-") as folder:
        service = LocalService(folder / "service")
        try:
            yield service.start(), folder
        finally:
            # Also when the start was given up midway.
            service.stop()


def own_data() -> Path:
    """The folder of what this user's Batchwright remembers.

    Raises:
        OSError: it cannot be made.
    """
    folders = usual_folders()
    folders.make()
    return folders.data


@asynccontextmanager
async def workbench(running: Running, data: Path, tell: Tell) -> AsyncIterator[Workbench]:
    """What workflows without a window work with; what they make is remembered in the folder `data`."""
    url, workspace_id = running.url, running.workspace_id
    with closing(Database(data)) as database:
        memory = Memory(Register(database), url, workspace_id)
        async with connect(url, running.token, hear=memory.hear) as service:
            pauses = quick_looks if base_address(url).is_local else backoff
            watch = Watch(JobRows(database))
            try:
                watching = Watching(service, watch, url, pauses)
                yield Workbench(service, workspace_id, memory, watching, Trails(database), tell)
            finally:
                await watch.close()
