"""What every workflow works with: the service, the memory of ids, the watch over jobs, someone to tell."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who only names a workbench need not import all that it is made of
    from batchwright.api.client import ApiClient
    from batchwright.base.json_values import Json
    from batchwright.client.checkpoint import Checkpoint
    from batchwright.client.id_recorder import IdRecorder
    from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs
    from batchwright.local.checkpoints import CheckpointTable

Notify = Callable[[str], None]
"""Is told in one sentence what has just happened or is about to."""


@dataclass(frozen=True)
class WorkflowContext:
    """Handed to every workflow; made for one connection and one workspace."""

    service: "ApiClient"
    workspace_id: str
    id_recorder: "IdRecorder"
    jobs: "ConnectionJobs"
    checkpoints: "CheckpointTable"
    notify: Notify

    def checkpoint(self, *about: "Json") -> "Checkpoint":
        """How far the same work has come here before; `about` tells it from every other."""
        from batchwright.client.checkpoint import Checkpoint

        return Checkpoint(self.checkpoints, self.id_recorder.connection, self.workspace_id, *about)
