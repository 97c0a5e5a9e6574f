"""Builds every part once and hands it to the parts that need it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from batchwright.api.connection import connect
from batchwright.local.database import Database
from batchwright.local.folders import usual_folders
from batchwright.local.register import Register
from batchwright.service.host import LocalService, Running
from batchwright.workflows.remembering import Memory
from batchwright.workflows.workbench import Tell, Workbench


@contextmanager
def own_service() -> Iterator[Running]:
    """A local service of our own, on a folder that goes when it ends."""
    with (
        TemporaryDirectory(prefix="batchwright-", ignore_cleanup_errors=True) as folder,
        LocalService(Path(folder)) as running,
    ):
        yield running


@asynccontextmanager
async def workbench(url: str, workspace_id: str, token: str, tell: Tell) -> AsyncIterator[Workbench]:
    """What workflows without a window work with; the ids they make go into this user's register."""
    folders = usual_folders()
    folders.make()
    with closing(Database(folders.data)) as database:
        async with connect(url, token) as service:
            memory = Memory(Register(database), url, workspace_id)
            yield Workbench(service, workspace_id, memory, tell)
