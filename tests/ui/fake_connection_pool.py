"""One workbench on a real service, for tests of stages, and a study whose data is there."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from batchwright.api.client import connect
from batchwright.client.context import Tell, Workbench
from batchwright.client.id_recorder import Memory
from batchwright.client.job_monitoring.connection_jobs import Watching
from batchwright.client.job_monitoring.job_watcher import Watch
from batchwright.layout.serialization import fresh_keys, read
from batchwright.local.checkpoints import Trails
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.database import Database
from batchwright.local.id_registry import Register
from batchwright.local.job_table import JobRows
from batchwright.local.projects import Project, Remote
from batchwright.local.secrets import NoKeyRing
from batchwright.local.sent_files import SentFiles
from batchwright.schema.parsing import read_schema
from batchwright.service.process import Running
from batchwright.ui.core.session import Session
from batchwright.ui.study.study_model import Study
from batchwright.workflows.upload_dataset import bring_data
from tests.api.requests import patience
from tests.api.studies import CSV, DETAILS, LAYOUT, SCHEMA

_NAP = 0.01


@dataclass(frozen=True)
class OneBench:
    """Opens the workbench that it was given, whatever the connection."""

    given: Workbench
    watched: Watch
    files: SentFiles
    ids: Register

    async def bench(self, connection: Connection, tell: Tell) -> Workbench:
        return self.given

    async def resume(self, connection: Connection, tell: Tell) -> None:
        """No test here leaves a job behind."""

    async def sent_files(self) -> SentFiles:
        return self.files

    async def register(self) -> Register:
        return self.ids

    async def watch(self) -> Watch:
        return self.watched


async def _find(name: str) -> Connection:
    return THIS_COMPUTER


async def _nobody_signs_in(_connection: Connection, _no_ring: NoKeyRing | None = None) -> bool:
    return False


@asynccontextmanager
async def session_at(running: Running, folder: Path) -> AsyncGenerator[Session]:
    """A session at a service; what it remembers lies in `folder`."""
    database = Database(folder)
    watch, name = Watch(JobRows(database)), THIS_COMPUTER.name
    try:
        memory = Memory(Register(database), name, running.workspace_id)
        async with connect(running.url, running.token, patience=patience(), hear=memory.hear) as service:
            watching = Watching(service, watch, name, lambda: repeat(_NAP))
            bench = Workbench(
                service, running.workspace_id, memory, watching, Trails(database), lambda _sentence: None
            )
            yield Session(
                OneBench(bench, watch, SentFiles(database), Register(database)), _find, _nobody_signs_in
            )
    finally:
        await watch.close()  # what it watches would ask the database once more
        database.close()


async def bring(session: Session, study: Study, folder: Path) -> None:
    """Open a small study, and bring its data."""
    data, schema = folder / "prompts.csv", read_schema(SCHEMA)
    data.write_text(CSV, encoding="utf-8")
    project = Project("Cats", read(LAYOUT, fresh_keys()), schema=schema, details=DETAILS)
    study.open(project, None, is_saved=False)
    bench = await session.bench()
    brought = await bring_data(bench, bench.trail(str(data)), "Cats", schema, data)
    remote = Remote(bench.workspace_id, brought.dataset.id, brought.job.import_id)
    study.set_remote(session.connection.name, remote)
