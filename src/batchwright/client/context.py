"""`WorkflowContext`: the dependencies of every workflow for one connection and one workspace."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a module that only names a context does not import the whole client
    from batchwright.api.client import ApiClient
    from batchwright.base.json_values import Json
    from batchwright.client.checkpoint import Checkpoint
    from batchwright.client.id_recorder import IdRecorder
    from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
    from batchwright.local.checkpoints import CheckpointTable
    from batchwright.local.stored_participants import StoredParticipants
    from batchwright.local.task_layouts import TaskLayoutTable

Notify = Callable[[str], None]
"""Called with one sentence about what has just happened or is about to happen, for display to the user."""


@dataclass(frozen=True)
class WorkflowContext:
    """The dependencies of a workflow: client, workspace, ids, jobs, what is stored here, messages."""

    service: "ApiClient"
    workspace_id: str
    id_recorder: "IdRecorder"
    jobs: "ConnectionJobs"
    checkpoints: "CheckpointTable"
    task_layouts: "TaskLayoutTable"
    participants: "StoredParticipants"
    notify: Notify

    def checkpoint(self, *about: "Json") -> "Checkpoint":
        """The checkpoint of an operation in this workspace; `about` are JSON values identifying it."""
        from batchwright.client.checkpoint import Checkpoint

        return Checkpoint(self.checkpoints, self.id_recorder.connection, self.workspace_id, *about)

    @asynccontextmanager
    async def locked_checkpoint(self, *about: "Json") -> "AsyncIterator[Checkpoint]":
        """The checkpoint of an operation that no two windows may perform at the same time.

        The second one waits, and then finds the steps of the first.
        """
        checkpoint = self.checkpoint(*about)
        async with self.jobs.work_lock(checkpoint.key):
            yield checkpoint
