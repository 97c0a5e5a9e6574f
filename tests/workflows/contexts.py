"""Workflow contexts for tests: at a real service, at one behind a proxy, or at a fake one."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from itertools import chain, repeat
from pathlib import Path

from batchwright.api.client import connect
from batchwright.api.http.retry import RetryPolicy
from batchwright.client.context import WorkflowContext
from batchwright.client.id_recorder import IdRecorder
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.client.job_monitoring.monitors import StartLimits
from batchwright.local.checkpoints import CheckpointTable
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RemoteKind
from batchwright.local.job_table import JobRows
from batchwright.local.stored_participants import StoredParticipants
from batchwright.local.task_layouts import TaskLayoutTable
from tests.api.requests import TOKEN, retries
from tests.fakes.raw_http import FakeResponse, RawRequest

WORKSPACE = "65f0a1b2c3d4e5f607182930"
POLL_INTERVAL_S = 0.01
"""Seconds between two polls of a job."""
TIMEOUT_S = 30
"""How long a test waits for a condition, in seconds."""


class RecordedMessages(list[str]):
    """The messages of a workflow; after it, the ids in the registry and the kinds of open jobs."""

    registered: tuple[tuple[RemoteKind, str], ...] = ()
    created: tuple[tuple[RemoteKind, str], ...] = ()
    open_jobs: tuple[str, ...] = ()


@asynccontextmanager
async def context_at(
    folder: Path,
    url: str,
    *,
    token: str = TOKEN,
    workspace: str = WORKSPACE,
    messages: RecordedMessages | None = None,
    retry_policy: RetryPolicy | None = None,
    limits: StartLimits | None = None,
    connection: str = "here",
) -> AsyncIterator[WorkflowContext]:
    """Yield the context of workflows at a service, with its database in `folder`."""
    messages = RecordedMessages() if messages is None else messages
    with closing(open_database(folder)) as database:
        registry, rows = IdRegistry(database), JobRows(database)
        id_recorder = IdRecorder(registry, connection, workspace)
        watcher = JobWatcher(rows)
        try:
            async with connect(
                url, token, retry_policy=retry_policy or retries(), on_response=id_recorder.record_response
            ) as service:
                try:
                    jobs = ConnectionJobs(
                        service, watcher, connection, lambda: repeat(POLL_INTERVAL_S), limits or StartLimits()
                    )
                    yield WorkflowContext(
                        service,
                        workspace,
                        id_recorder,
                        jobs,
                        CheckpointTable(database),
                        TaskLayoutTable(database),
                        StoredParticipants(database),
                        messages.append,
                    )
                finally:
                    await watcher.close()
        finally:
            messages.registered = tuple((entry.kind, entry.id) for entry in registry.all("here"))
            messages.created = tuple(
                (entry.kind, entry.id) for entry in registry.all("here") if entry.was_made
            )
            messages.open_jobs = tuple(row.kind for row in rows.open("here"))


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(TIMEOUT_S):
        while not condition():  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(POLL_INTERVAL_S)


class ScriptedReplies:
    """The responses of a fake service: the n-th call of a kind gets the n-th reply, later calls the last one.

    A kind is the start of a call (`GET /raw`); the first one that matches applies.
    """

    def __init__(self, replies: Mapping[str, Sequence[FakeResponse]]) -> None:
        self._replies: Mapping[str, Iterator[FakeResponse]] = {
            call: chain(sequence, repeat(sequence[-1])) for call, sequence in replies.items()
        }

    def __call__(self, request: RawRequest) -> FakeResponse:
        return next(next(replies) for call, replies in self._replies.items() if request.call.startswith(call))
