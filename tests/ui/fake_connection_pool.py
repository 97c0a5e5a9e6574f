"""A connection pool with one context of a real service, and a study with data at that service."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TypeVar

from batchwright.api.client import connect
from batchwright.base.network_settings import SYSTEM_NETWORK, NetworkSettings
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.id_recorder import IdRecorder
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.layout.serialization import random_keys, read
from batchwright.local.analysis_settings import AnalysisSettingsTable
from batchwright.local.checkpoints import CheckpointTable
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.local.job_table import JobRows
from batchwright.local.projects import Project, RemoteBinding
from batchwright.local.secrets import KeyringUnavailable
from batchwright.local.sent_files import SentFiles
from batchwright.local.stored_participants import StoredParticipants
from batchwright.local.study_files.file_bindings import FileBindings
from batchwright.local.task_layouts import TaskLayoutTable
from batchwright.local.versions import VersionStore
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study
from batchwright.workflows.data.upload_dataset import upload_dataset
from tests.api.requests import retries
from tests.api.studies import CSV, DETAILS, LAYOUT, SCHEMA

T = TypeVar("T")

_POLL_INTERVAL_S = 0.01

LAB = Connection("Lab", "https://lab.example.org", "w1")
"""A hosted connection; sessions of tests use the same service for it as for this computer."""


@dataclass(kw_only=True)
class FakeConnectionPool:
    """A pool with the same workflow context for every connection; without one, no service can be reached.

    Tests that use what they have not passed in fail.
    """

    workflow_context: WorkflowContext | None = None
    watcher: JobWatcher | None = None
    files: SentFiles | None = None
    ids: IdRegistry | None = None
    """If not given, the registry of the workflow context."""
    versions: VersionStore | None = None
    bindings: FileBindings | None = None
    analyses: AnalysisSettingsTable | None = None
    network_settings: NetworkSettings = SYSTEM_NETWORK
    may_continue: asyncio.Event | None = None
    """If given, requests wait until it is set."""

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        if self.may_continue is not None:
            await self.may_continue.wait()
        if self.workflow_context is None:
            raise ConnectionRefusedError(111, "connection refused", connection.name)
        return self.workflow_context

    async def resume(self, connection: Connection, notify: Notify) -> None:
        """No job is unfinished."""

    async def sent_files(self) -> SentFiles:
        return _required(self.files)

    async def id_registry(self) -> IdRegistry:
        return self.ids or _required(self.workflow_context).id_recorder._registry

    async def version_store(self) -> VersionStore:
        return _required(self.versions)

    async def file_bindings(self) -> FileBindings:
        return _required(self.bindings)

    async def analysis_settings(self) -> AnalysisSettingsTable:
        return _required(self.analyses)

    async def network(self) -> NetworkSettings:
        return self.network_settings

    async def job_watcher(self) -> JobWatcher:
        return _required(self.watcher)


def _required(value: T | None) -> T:
    assert value is not None, "the test uses what it has not given to the pool"
    return value


async def _find_this_computer(name: str) -> Connection:
    return THIS_COMPUTER


async def _cancel_sign_in(_connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
    return False


@asynccontextmanager
async def session_at(running: ServiceAddress, folder: Path) -> AsyncGenerator[ConnectionSession]:
    """Yield a session at a service; its database is in `folder`."""
    database = open_database(folder)
    watcher, name = JobWatcher(JobRows(database)), THIS_COMPUTER.name
    try:
        id_recorder = IdRecorder(IdRegistry(database), name, running.workspace_id)
        async with connect(
            running.url, running.token, retry_policy=retries(), on_response=id_recorder.record_response
        ) as service:
            jobs = ConnectionJobs(service, watcher, name, lambda: repeat(_POLL_INTERVAL_S))
            context = WorkflowContext(
                service,
                running.workspace_id,
                id_recorder,
                jobs,
                CheckpointTable(database),
                TaskLayoutTable(database),
                StoredParticipants(database),
                lambda _sentence: None,
            )
            yield ConnectionSession(
                FakeConnectionPool(
                    workflow_context=context,
                    watcher=watcher,
                    files=SentFiles(database),
                    versions=VersionStore(database),
                    bindings=FileBindings(database),
                    analyses=AnalysisSettingsTable(database),
                ),
                _find_this_computer,
                _cancel_sign_in,
            )
    finally:
        await watcher.close()  # its jobs use the database
        database.close()


async def upload_study_data(session: ConnectionSession, study: Study, folder: Path) -> None:
    """Open a small study, and upload its data."""
    data, schema = folder / "prompts.csv", read_schema(SCHEMA)
    data.write_text(CSV, encoding="utf-8")
    project = Project("Cats", read(LAYOUT, random_keys()), schema=schema, details=DETAILS)
    study.open(project, None, is_saved=False)
    context = await session.context()
    uploaded = await upload_dataset(context, context.checkpoint(str(data)), "Cats", schema, data)
    remote = RemoteBinding(context.workspace_id, uploaded.dataset.id, uploaded.job.import_id)
    study.set_remote(session.connection.name, remote)
